// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on a navigator, its stage and its events. Included by arguments.c. */

#ifndef ARGUMENT_NAVIGATOR_H
#define ARGUMENT_NAVIGATOR_H

#include "argument_routes.h"

/* What JSON a navigator may be sent that it has not written. */
static const char *forged(void) {
  static const char *const payloads[] = {
      "",
      "{}",
      "[]",
      "null",
      "{\"verb\":\"open\"}",
      "{\"verb\":\"open\",\"url\":\"a\"}",
      "{\"verb\":\"open\",\"url\":\"\\u0000\"}",
      "{\"verb\":\"open\",\"url\":\"a\",\"how\":\"group\"}",
      "{\"verb\":\"close\",\"component\":18446744073709551616}",
      "{\"verb\":\"pop-to\",\"component\":-1}",
      "{\"verb\":\"link\",\"url\":\"\\ud800\",\"all\":1}",
      "{\"verb\":\"open\",\"url\":\"a\",\"url\":7}",
      "{\"verb\":\"dismiss\",\"x\":[[[[{\"y\":[]}]]]]}",
      "{\"closed\":[1,2,3],\"component\":1,\"kind\":\"screen\"}"};
  return ONE_OF(payloads);
}

static uint64_t component(void) {
  uint64_t shown[16];
  size_t count = 0;
  mainstem_navigator_tree(home, shown, COUNT(shown), &count);
  if (count > COUNT(shown)) count = COUNT(shown);
  return count > 0 && pick(4) ? shown[pick(count)] : number();
}

static void tuple_of_a_navigator_event(const mainstem_event *event) {
  mainstem_component_info show = {.size = (uint32_t)(pick(4) ? sizeof show : pick(100))};
  mainstem_result result = {.size = (uint32_t)(pick(4) ? sizeof result : pick(60))};
  mainstem_match *match = NULL;
  char text[80];
  uint64_t components[4], found;
  size_t count;
  switch (pick(6)) {
  case 0:
    mainstem_result_read(pick(9) ? event : NULL, pick(9) ? &result : NULL);
    break;
  case 1:
    mainstem_event_match(pick(9) ? event : NULL, pick(9) ? &match : NULL);
    note_match(match);
    break;
  case 2:
    mainstem_guard_answer(pick(9) ? event : NULL, (uint32_t)(pick(4) ? pick(3) : number()),
                          pick(2) ? NULL : url());
    break;
  case 3:
    mainstem_event_component(pick(9) ? event : NULL, pick(9) ? &found : NULL);
    break;
  case 4:
    mainstem_show_read(pick(9) ? event : NULL, pick(9) ? &show : NULL, pick(9) ? text : NULL,
                       (size_t)pick(sizeof text + 1));
    break;
  default:
    mainstem_hide_read(pick(9) ? event : NULL, pick(9) ? components : NULL,
                       (size_t)pick(COUNT(components) + 1), pick(9) ? &count : NULL);
    break;
  }
}

/* Answers, fails, or leaves the navigator to its time-out. */
static void stage_answers(void *user_data, const mainstem_event *event) {
  if (pick(4)) tuple_of_a_navigator_event(event);
  if (pick(3)) mainstem_respond(event, NULL, 0);
  else if (pick(2)) mainstem_respond_error(event, 1000, "no window");
}

static void tuple_of_intents(mainstem_context *scope) {
  mainstem_intent_row rows[2] = {
      {name(), name(), fn(), (uint32_t)(pick(2) ? pick(4) : number()), (uint32_t)pick(2)},
      {pick(2) ? "A" : name(), NULL, fn(), (uint32_t)pick(3), 0}};
  mainstem_intents_add(scope, pick(9) ? rows : NULL,
                       pick(2) ? sizeof rows[0] : (size_t)pick(sizeof rows[0]), (size_t)pick(3),
                       NULL, NULL);
}

static mainstem_status make_page(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  note(scope);
  if (pick(2)) tuple_of_intents(scope);
  if (pick(4) == 0) tuple_of_a_navigator_event(event);
  if (pick(4) == 0) mainstem_navigator_open(scope, url(), ignore_event, NULL, NULL);
  return pick(4) ? MAINSTEM_OK : 1000;
}

/* Adds what a home needs so that moves succeed, too. */
static void add_navigator(void) {
  static const mainstem_route_row routes[] = {
      {"a", "Page", MAINSTEM_SCREEN, 0, NULL},        {"a/<x>", NULL, MAINSTEM_DIALOG, 0, NULL},
      {"<int:x>", "Page", MAINSTEM_EMBED, 0, "left"}, {"ax", NULL, MAINSTEM_GROUP, 0, "a/1 a 7"},
      {"x-<int:y>z", "Page", MAINSTEM_FLOW, 0, NULL}, {"", NULL, MAINSTEM_OVERLAY, 0, NULL}};
  static const mainstem_handler_row stage[] = {{"MainstemShow", stage_answers, 0},
                                               {"MainstemHide", stage_answers, 0}};
  EXPECT_OK(mainstem_navigator_add(home, OPTIONS(navigator, .show_timeout_ms = 1)));
  EXPECT_OK(mainstem_factory_add(home, "Page", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEWMODEL,
                                 make_page, NULL, NULL));
  EXPECT_OK(mainstem_routes_add(home, routes, sizeof routes[0], COUNT(routes)));
  if (pick(2)) EXPECT_OK(mainstem_guard_add(home, "a", "Guard", (uint32_t)pick(2)));
  EXPECT_OK(mainstem_stage_add(home, stage, sizeof stage[0], COUNT(stage), NULL, NULL, NULL));
}

static void tuple_of_a_move(void) {
  mainstem_move move = {.size = (uint32_t)(pick(9) ? sizeof move : pick(80)),
                        .verb = (uint32_t)(pick(9) ? pick(9) : number()),
                        .url = pick(9) ? url() : NULL,
                        .component = pick(2) ? 0 : component(),
                        .slot = pick(4) ? NULL : name(),
                        .kind = (uint32_t)(pick(4) ? 0 : pick(9)),
                        .flags = (uint32_t)(pick(9) ? 0 : pick(3))};
  mainstem_pending *pending = NULL;
  mainstem_event_type asked = 0;
  const char *payload = forged();
  switch (pick(3)) {
  case 0:
    mainstem_navigator_open(pick(2) ? home : handle(), url(), fn(), NULL,
                            pick(2) ? &pending : NULL);
    break;
  case 1:
    mainstem_navigator_move(pick(2) ? home : handle(), pick(9) ? &move : NULL, fn(), NULL,
                            pick(2) ? &pending : NULL);
    break;
  default:
    mainstem_type_find(home, pick(2) ? "MainstemMove" : "MainstemFinish", &asked);
    mainstem_request(handle(), asked, payload, strlen(payload), fn(), NULL, &pending);
    break;
  }
  note(pending);
}

static void tuple_of_routes(void) {
  mainstem_route_row rows[2] = {{pattern(), name(), (uint32_t)pick(9), (uint32_t)pick(2), url()},
                                {pattern(), NULL, (uint32_t)pick(9), 0, name()}};
  mainstem_handler_row stage[2] = {{name(), fn(), 0}, {"MainstemShow", fn(), 0}};
  mainstem_navigator_options options = {.size = (uint32_t)(pick(4) ? sizeof options : pick(40)),
                                        .flags = (uint32_t)pick(2),
                                        .show_timeout_ms = (int64_t)number(),
                                        .scheme = name()};
  mainstem_route_row read;
  size_t size = pick(2) ? sizeof rows[0] : (size_t)pick(sizeof rows[0]);
  switch (pick(7)) {
  case 0:
  case 1:
    mainstem_navigator_add(handle(), pick(4) ? &options : NULL);
    break;
  case 2:
    mainstem_routes_type_add(handle(), name(), pick(9) ? accept_some : NULL, NULL, NULL);
    break;
  case 3:
    mainstem_routes_add(handle(), pick(9) ? rows : NULL, size, (size_t)pick(3));
    break;
  case 4:
    mainstem_routes_read(handle(), (size_t)number(), pick(9) ? &read : NULL,
                         pick(9) ? sizeof read : (size_t)pick(sizeof read));
    break;
  case 5:
    mainstem_guard_add(handle(), pattern(), name(), (uint32_t)pick(4));
    break;
  default:
    mainstem_stage_add(handle(), pick(9) ? stage : NULL, sizeof stage[0], (size_t)pick(3), NULL,
                       NULL, NULL);
    break;
  }
}

static void tuple_of_a_navigator(void) {
  mainstem_component_info show = {.size = (uint32_t)(pick(4) ? sizeof show : pick(100))};
  uint64_t shown[4];
  char text[80];
  size_t size, count;
  const void *payload = data(&size);
  switch (pick(16)) {
  case 8:
  case 9:
    mainstem_drain(home, 0, NULL);
    break;
  case 0:
    tuple_of_routes();
    break;
  case 1:
    tuple_of_intents(handle());
    break;
  case 2:
    mainstem_component_finish(handle(), type(), payload, size);
    break;
  case 3:
    mainstem_navigator_ready(handle());
    break;
  case 4:
    mainstem_component_shown(handle(), component());
    break;
  case 5:
    mainstem_component_gone(handle(), component());
    break;
  case 6:
    mainstem_navigator_tree(handle(), pick(9) ? shown : NULL, (size_t)pick(COUNT(shown) + 1),
                            pick(9) ? &count : NULL);
    break;
  case 7:
    mainstem_component_read(handle(), component(), pick(9) ? &show : NULL, pick(9) ? text : NULL,
                            (size_t)pick(sizeof text + 1));
    break;
  default:
    tuple_of_a_move();
    break;
  }
}

#endif

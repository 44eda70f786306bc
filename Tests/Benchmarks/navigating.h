// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An app with a page, a dialog and a widget, whose stage answers at once. */

#ifndef BENCHMARK_NAVIGATING_H
#define BENCHMARK_NAVIGATING_H

#include <string.h>

#include "stream.h"

/* The component that was shown last. */
static uint64_t navigated;

static inline void drain_all(mainstem_context *context) {
  for (size_t ran = 1; ran > 0;) must(mainstem_drain(context, 0, &ran));
}

static inline void show_at_once(void *user_data, const mainstem_event *event) {
  char text[256];
  mainstem_component_info show;
  (void)user_data;
  memset(&show, 0, sizeof show);
  show.size = sizeof show;
  must(mainstem_show_read(event, &show, text, sizeof text));
  navigated = show.component;
  must(mainstem_respond(event, NULL, 0));
}

static inline void hide_at_once(void *user_data, const mainstem_event *event) {
  (void)user_data;
  must(mainstem_respond(event, NULL, 0));
}

static inline mainstem_status make_nothing(void *user_data, mainstem_context *scope,
                                           const mainstem_event *event) {
  (void)user_data;
  (void)scope;
  (void)event;
  return MAINSTEM_OK;
}

static inline void let_go(void *user_data, const mainstem_event *event) {
  (void)user_data;
  must(mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL));
}

static inline void add_navigator(mainstem_context *context) {
  static const mainstem_route_row rows[] = {{"page", "Page", MAINSTEM_SCREEN, 0, NULL},
                                            {"secret", "Page", MAINSTEM_SCREEN, 0, NULL},
                                            {"dialog", "Page", MAINSTEM_DIALOG, 0, NULL},
                                            {"widget", "Page", MAINSTEM_EMBED, 0, "slot"}};
  static const mainstem_handler_row stage[] = {{"MainstemShow", show_at_once, 0},
                                               {"MainstemHide", hide_at_once, 0}};
  static const mainstem_handler_row guard[] = {{"RequestGuard.open", let_go, 0}};
  must(mainstem_factory_add(context, "Page", MAINSTEM_PAYLOAD_TEXT, make_nothing, NULL, NULL));
  must(mainstem_routes_add(context, rows, sizeof rows[0], 4));
  must(mainstem_guard_add(context, "secret", "open", 0));
  must(mainstem_server_add(context, "Guard", guard, sizeof guard[0], 1, NULL, NULL, NULL));
  must(mainstem_stage_add(context, stage, sizeof stage[0], 2, NULL, NULL, NULL));
}

/* Opens a URL on what was shown last. */
static inline void navigate(mainstem_context *context, const char *url) {
  mainstem_move move;
  memset(&move, 0, sizeof move);
  move.size = sizeof move;
  move.verb = MAINSTEM_MOVE_OPEN;
  move.url = url;
  must(mainstem_navigator_move(context, &move, NULL, NULL, NULL));
  drain_all(context);
}

static inline void go_back(mainstem_context *context) {
  must(mainstem_component_gone(context, navigated));
  drain_all(context);
}

#endif

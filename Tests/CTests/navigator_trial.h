// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Steps of an app during which something fails: each move that is accepted has one answer, and the windows are those of
 * the tree.
 */

#ifndef NAVIGATOR_TRIAL_H
#define NAVIGATOR_TRIAL_H

#include "stage.h"

/* A move that was asked for, and how often it was answered. */
typedef struct told {
  int accepted, answers;
} told;

static told moves[32];
static size_t move_count;
static app the_app;
static uint64_t home, page; /* Components. */
static uint32_t verdict;
static const char *verdict_url;

static void note_answer(void *user_data, const mainstem_event *event) {
  ((told *)user_data)->answers++;
}

static inline mainstem_status accepted(mainstem_status status) {
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY || status == MAINSTEM_NO_SPACE);
  return status;
}

static void ask_on(mainstem_context *scope, uint32_t verb, const char *url, uint64_t component) {
  const mainstem_move move = move_of(verb, url, component);
  EXPECT(move_count < COUNT(moves));
  told *one = &moves[move_count++];
  memset(one, 0, sizeof *one);
  one->accepted =
      accepted(mainstem_navigator_move(scope, &move, note_answer, one, NULL)) == MAINSTEM_OK;
}

static mainstem_status drain(void) {
  size_t ran = 1;
  mainstem_status status = MAINSTEM_OK;
  while (status == MAINSTEM_OK && ran > 0) status = mainstem_drain(the_app.context, 0, &ran);
  return accepted(status);
}

static void open_url(const char *url) {
  ask_on(the_app.context, MAINSTEM_MOVE_OPEN, url, 0);
  (void)drain();
}

static void guarded(void *user_data, const mainstem_event *event) {
  const uint32_t now = verdict;
  verdict = MAINSTEM_GUARD_ALLOW;
  if (accepted(mainstem_guard_answer(
          event, now, now == MAINSTEM_GUARD_ALLOW ? NULL : verdict_url)) != MAINSTEM_OK)
    (void)mainstem_respond_error(event, 1003, "no");
}

static void heard(void *user_data, const mainstem_event *event) {
  (void)accepted(mainstem_navigator_open(event->context, "page/7", NULL, NULL, NULL));
}

static mainstem_status make_flow(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  static const mainstem_intent_row rows[] = {{"Said", NULL, heard, MAINSTEM_INTENT_QUEUED, 0},
                                             {"MainstemLink", "Page", heard, 0, 0}};
  mainstem_status status =
      mainstem_intents_add(scope, rows, sizeof rows[0], COUNT(rows), NULL, NULL);
  if (accepted(status) != MAINSTEM_OK) return status;
  return accepted(mainstem_navigator_open(scope, "page/1", NULL, NULL, NULL));
}

/* What is there before, and what is done while something fails. */
typedef struct step {
  const char *name;
  const char *before[4];
  void (*act)(void);
} step;

static void open_page(void) { open_url("page/1"); }
static void open_embed(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_OPEN, "map", home);
  (void)drain();
}
static void open_dialog(void) { open_url("confirm"); }
static void open_group(void) { open_url("compose"); }
static void open_broken(void) { open_url("broken"); }
static void open_flow(void) { open_url("flow"); }
static void open_link(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_LINK, "page/4", 0);
  (void)accepted(mainstem_navigator_ready(the_app.context));
  (void)drain();
}
static void link_all(void) {
  mainstem_move move = move_of(MAINSTEM_MOVE_LINK, "page/4", 0);
  move.flags = MAINSTEM_MOVE_ALL;
  (void)accepted(mainstem_navigator_ready(the_app.context));
  told *one = &moves[move_count++];
  memset(one, 0, sizeof *one);
  one->accepted = accepted(mainstem_navigator_move(the_app.context, &move, note_answer, one,
                                                   NULL)) == MAINSTEM_OK;
  (void)drain();
}
static void redirect(void) {
  verdict = MAINSTEM_GUARD_REDIRECT;
  verdict_url = "confirm";
  open_url("page/1");
}
static void after(void) {
  verdict = MAINSTEM_GUARD_OPEN_FIRST;
  verdict_url = "confirm";
  open_url("page/1");
  const int made = the_app.made;
  if (made < 2) return;
  (void)mainstem_component_finish(the_app.pages[made - 1], the_app.said, "in", 2);
  (void)drain();
}
static void pop(void) {
  ask_on(the_app.pages[0], MAINSTEM_MOVE_POP, NULL, 0);
  ask_on(the_app.pages[0], MAINSTEM_MOVE_POP, NULL, 0);
  (void)drain();
}
static void pop_to(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_POP_TO, NULL, home);
  (void)drain();
}
static void dismiss(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_DISMISS, NULL, 0);
  (void)drain();
}
static void replace(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_REPLACE, "page/3", page);
  (void)drain();
}

static void replace_root(void) {
  ask_on(the_app.context, MAINSTEM_MOVE_REPLACE_ROOT, "page/3", 0);
  (void)drain();
}
static void finish(void) {
  static char result[4000];
  memset(result, 'x', sizeof result);
  (void)accepted(mainstem_component_finish(the_app.pages[the_app.made - 1], the_app.said, result,
                                           sizeof result));
  (void)drain();
}
static void gesture(void) {
  if (accepted(mainstem_component_gone(the_app.context, page)) == MAINSTEM_OK) stage_close(page);
  (void)drain();
}
static void end_owner(void) {
  (void)mainstem_scope_end(the_app.pages[1]);
  (void)drain();
}
static void say_covered(void) {
  for (int i = 0; i < 2; i++)
    (void)accepted(mainstem_send(the_app.pages[1], the_app.said, "covered", 7));
  (void)drain();
  ask_on(the_app.context, MAINSTEM_MOVE_POP_TO, NULL, page);
  (void)drain();
}
static void no_answer(void) {
  the_app.shows = WAITS;
  open_url("page/1");
  (void)accepted(mainstem_context_advance(the_app.context, 10000));
  (void)drain();
  the_app.shows = ANSWERS;
}
static void no_window(void) {
  the_app.shows = FAILS;
  open_url("page/1");
  the_app.shows = ANSWERS;
}

static const step steps[] = {
    {"screen", {NULL}, open_page},
    {"embed", {"users"}, open_embed},
    {"dialog", {"page/1"}, open_dialog},
    {"group", {NULL}, open_group},
    {"broken group", {NULL}, open_broken},
    {"flow", {NULL}, open_flow},
    {"link", {"confirm", "drawer"}, open_link},
    {"link for all", {"flow"}, link_all},
    {"redirect", {NULL}, redirect},
    {"after", {NULL}, after},
    {"pop", {"page/1", "page/2"}, pop},
    {"pop to", {"page/1", "page/2", "confirm"}, pop_to},
    {"dismiss a group", {"compose"}, dismiss},
    {"replace the root", {"page/1", "drawer"}, replace_root},
    {"replace a screen", {"page/1", "confirm"}, replace},
    {"finish", {"confirm"}, finish},
    {"gesture", {"page/1", "page/2", "confirm"}, gesture},
    {"end of an owner", {"page/1", "page/2"}, end_owner},
    {"queued intents", {"flow", "page/2"}, say_covered},
    {"timeout", {NULL}, no_answer},
    {"no window", {NULL}, no_window},
};

/* The windows are those of the tree. */
static void expect_windows(void) {
  uint64_t components[64];
  size_t count, windows = 0, open = 0;
  EXPECT_OK(mainstem_navigator_tree(the_app.context, components, COUNT(components), &count));
  for (size_t i = 0; i < count; i++) {
    char text[512];
    mainstem_component_info show = {.size = sizeof show};
    EXPECT_OK(mainstem_component_read(the_app.context, components[i], &show, text, sizeof text));
    windows += show.kind != MAINSTEM_GROUP && show.kind != MAINSTEM_FLOW;
  }
  for (size_t i = 0; i < stage_count; i++) open += (size_t)stage_shown[i].is_open;
  EXPECT_EQUAL(open, windows);
}

/* The app in a context. */
static void trial_install(mainstem_context *context) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.one", guarded, 0}};
  app_install(&the_app, context, make_flow);
  move_count = 0;
  verdict = MAINSTEM_GUARD_ALLOW;
  EXPECT_OK(mainstem_guard_add(the_app.context, "page/<int:id>", "one", 0));
  EXPECT_OK(mainstem_guard_add(the_app.context, "page/<int:id>", "one", MAINSTEM_GUARD_LEAVING));
  EXPECT_OK(
      mainstem_server_add(the_app.context, "Guard", rows, sizeof rows[0], 1, NULL, NULL, NULL));
}

/* The same, with what is there before a step. */
static void trial_open(mainstem_context *context, const step *step) {
  trial_install(context);
  open_url("home");
  for (int i = 0; i < 4 && step->before[i] != NULL; i++) open_url(step->before[i]);
  home = app_component(&the_app, "home");
  page = app_component(&the_app, "page/1");
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a message. */
}

static void trial_close(void) {
  (void)drain();
  if (the_app.kept != NULL) EXPECT_OK(mainstem_retained_release(the_app.kept));
  EXPECT_OK(mainstem_component_gone(the_app.context, UINT64_MAX)); /* What is owed is done next. */
  (void)drain();
  expect_windows();
  verdict = MAINSTEM_GUARD_ALLOW;
  open_url("page/9"); /* What follows is as if nothing had failed. */
  EXPECT(app_component(&the_app, "page/9") != 0);
  expect_windows();
  EXPECT_OK(mainstem_context_close(the_app.context));
  for (size_t i = 0; i < move_count; i++) EXPECT_EQUAL(moves[i].answers, moves[i].accepted);
}

#endif

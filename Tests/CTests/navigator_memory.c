// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for the navigator: each allocation of what is added, opened, closed, finished, guarded and kept fails in
 * turn, alone or with all later ones. Each move that is accepted has one answer, the windows are those of the tree, and
 * every block is freed when the context is closed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "navigator_trial.h"

static int failures; /* How many allocations failed: none would prove nothing. */

static mainstem_context *virtual_context(uint32_t threads) {
  return CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
}

/* Catches: a move without an answer or with two, a window that stays or is missing, a leak. */
CASE(each_step_may_find_no_memory, IN_BOTH) {
  for (int alone = 0; alone < 2; alone++) {
    for (size_t i = 0; i < COUNT(steps); i++) {
      expect_sentence = steps[i].name;
      /* Once with memory: the full Swift runtime makes what it needs for a type when that is first used. */
      trial_open(virtual_context(threads), &steps[i]);
      steps[i].act();
      trial_close();
      for (int which = 0, is_reached = 1; is_reached; which++) {
        const long warm = blocks;
        trial_open(virtual_context(threads), &steps[i]);
        only_one = alone;
        countdown = which;
        steps[i].act();
        is_reached = countdown <= 0;
        countdown = -1;
        failures += is_reached;
        trial_close();
        if (which > 1) EXPECT_EQUAL(blocks, warm); /* The first leaves what all contexts use. */
      }
    }
  }
  EXPECT(failures > 500);
}

static bool accept_all(void *user_data, const char *text, size_t size) { return size > 0; }

/* What is added, one after the other; `which` is what is tried. */
static mainstem_status add(mainstem_context *context, int which) {
  static const mainstem_route_row rows[] = {{"home", "Page", MAINSTEM_SCREEN, 0, NULL},
                                            {"map", NULL, MAINSTEM_EMBED, 0, "left"}};
  static const mainstem_handler_row stage[] = {{"MainstemShow", stage_show, 0},
                                               {"MainstemHide", stage_hide, 0}};
  switch (which) {
  case 0:
    return mainstem_navigator_add(context, OPTIONS(navigator, .scheme = "app"));
  case 1:
    return mainstem_routes_type_add(context, "all", accept_all, NULL, NULL);
  case 2:
    return mainstem_routes_add(context, &rows[0], sizeof rows[0], 1);
  case 3:
    return mainstem_routes_add(context, &rows[1], sizeof rows[0], 1);
  case 4:
    return mainstem_guard_add(context, "page/<all:x>", "one", 0);
  default:
    return mainstem_stage_add(context, stage, sizeof stage[0], COUNT(stage), &the_app, NULL,
                              &the_app.stage);
  }
}

/* Catches: what is added although the call is refused, a block that nobody frees. */
CASE(what_is_added_may_find_no_memory, IN_BOTH) {
  for (int which = 0, is_reached = 1; is_reached; which++) {
    const long warm = blocks;
    memset(&the_app, 0, sizeof the_app);
    stage_count = move_count = 0;
    the_app.context = context_open(threads);
    EXPECT_OK(mainstem_factory_add(the_app.context, "Page", MAINSTEM_PAYLOAD_TEXT, app_make,
                                   &the_app, NULL));
    EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a message. */
    countdown = which;
    is_reached = 0;
    for (int each = 0; each < 6; each++) {
      mainstem_status status = add(the_app.context, each);
      is_reached |= countdown == 0;
      if (accepted(status) == MAINSTEM_OK) continue;
      countdown = -1;
      failures++;
      EXPECT_OK(add(the_app.context, each));
    }
    countdown = -1;
    open_url("home");
    expect_windows();
    EXPECT_EQUAL(stage_count, 1);
    EXPECT_OK(mainstem_context_close(the_app.context));
    if (which > 1) EXPECT_EQUAL(blocks, warm);
  }
  EXPECT(failures > 20);
}

static uint32_t last_origin;

static void note_origin(void *user_data, const mainstem_event *event) {
  last_origin = event->origin;
}

/* There and back: a screen with a dialog that has a result, which says something, and a flow. */
static void go_there_and_back(void) {
  the_app.made = 0;
  stage_count = move_count = 0;
  open_url("page/1");
  mainstem_context *there = the_app.pages[0];
  const uint64_t number = app_component(&the_app, "page/1");
  EXPECT_OK(send_text(there, the_app.said, "here"));
  ask_on(there, MAINSTEM_MOVE_OPEN, "confirm", 0);
  (void)drain();
  EXPECT_OK(mainstem_component_finish(the_app.pages[1], the_app.said, "yes", 3));
  ask_on(there, MAINSTEM_MOVE_OPEN, "flow", 0);
  (void)drain();
  EXPECT_OK(mainstem_component_gone(the_app.context, number));
  (void)drain();
  for (size_t i = 0; i < move_count; i++) EXPECT_EQUAL(moves[i].answers, 1);
  transcript_clear(&the_app.seen);
}

/* The most blocks after one of many times: what ends is freed in batches. */
static long go_often(int times) {
  long most = 0;
  for (int i = 0; i < times; i++) {
    go_there_and_back();
    if (blocks > most) most = blocks;
  }
  return most;
}

/* Catches: a scope, a type, an origin, a subscription or memory that stays of what has closed. */
CASE(a_thousand_times_there_and_back, IN_BOTH) {
  const char *name;
  trial_open(virtual_context(threads), &steps[0]);
  EXPECT_OK(mainstem_observe(the_app.context, the_app.said, note_origin, NULL, NULL, NULL));
  const long most = go_often(500);
  const uint32_t old = last_origin;
  const mainstem_context_stats before = stats_of(the_app.context);
  EXPECT_EQUAL(go_often(1000), most);
  const mainstem_context_stats now = stats_of(the_app.context);
  EXPECT_EQUAL(now.types, before.types);
  EXPECT_EQUAL(now.scopes, before.scopes);
  EXPECT_EQUAL(now.subscriptions, before.subscriptions);
  EXPECT_EQUAL(now.requests, before.requests);
  EXPECT_EQUAL(now.retained, before.retained);
  EXPECT_EQUAL(now.timers, before.timers);
  EXPECT_STATUS(mainstem_origin_name(the_app.context, old, &name), MAINSTEM_INVALID);
  EXPECT_TREE(&the_app, "home");
  EXPECT_OK(mainstem_context_close(the_app.context));
}

int main(void) { return expect_all(); }

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
  mainstem_context_options options = context_options(threads);
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  return context_with(&options);
}

/* Catches: a move without an answer or with two, a window that stays or is missing, a leak. */
static void each_step_may_find_no_memory(uint32_t threads) {
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

static bool accept_all(void *user_data, const char *text, size_t size) {
  (void)user_data;
  (void)text;
  return size > 0;
}

/* What is added, one after the other; `which` is what is tried. */
static mainstem_status add(mainstem_context *context, int which) {
  static const mainstem_route_row rows[] = {{"home", "Page", MAINSTEM_SCREEN, 0, NULL},
                                            {"map", NULL, MAINSTEM_EMBED, 0, "left"}};
  static const mainstem_handler_row stage[] = {{"MainstemShow", stage_show},
                                               {"MainstemHide", stage_hide}};
  mainstem_navigator_options options;
  switch (which) {
  case 0:
    EXPECT_OK(mainstem_navigator_options_init(&options, sizeof options));
    options.scheme = "app";
    return mainstem_navigator_add(context, &options);
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
static void what_is_added_may_find_no_memory(uint32_t threads) {
  for (int which = 0, is_reached = 1; is_reached; which++) {
    const long warm = blocks;
    memset(&the_app, 0, sizeof the_app);
    stage_count = move_count = 0;
    the_app.context = context_open(threads);
    EXPECT_OK(mainstem_factory_add(the_app.context, "Page", MAINSTEM_PAYLOAD_TEXT, app_make,
                                   &the_app, NULL));
    EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a sentence. */
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

static const expect_case cases[] = {
    {"what is added may find no memory", what_is_added_may_find_no_memory, IN_BOTH},
    {"each step may find no memory", each_step_may_find_no_memory, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

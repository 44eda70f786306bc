// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.4 for the navigator: while a session is recorded, the disk is full from each call on it on, and then has room
 * again. Each move that is accepted has one answer, the windows are those of the tree, and the session verifies.
 *
 * This program defines the calls on files, so it must not be built with a sanitizer.
 */

#include "failing_files.h"
#include "journal.h"
#include "navigator_trial.h"
#include "session.h"

static int failures,
    stops; /* How many calls failed, and stopped a context: none would prove nothing. */

static mainstem_context *virtual_context(uint32_t threads) {
  return CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL, .seed = 7);
}

/* The session so far verifies, but for guards, whose verdicts the host sets. */
static void verify(uint32_t threads, const char *path) {
  mainstem_context *context = virtual_context(threads);
  trial_install(context);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(context));
}

/* The context has stopped, since what was accepted could not be written: nobody is told anything any more. */
static void trial_stop(void) {
  EXPECT_STATUS(mainstem_navigator_open(the_app.context, "page/9", NULL, NULL, NULL),
                MAINSTEM_NO_SPACE);
  if (the_app.kept != NULL) EXPECT_OK(mainstem_retained_release(the_app.kept));
  EXPECT_OK(mainstem_context_close(the_app.context));
  for (size_t i = 0; i < move_count; i++) EXPECT(moves[i].answers <= moves[i].accepted);
}

/* Catches: an answer that comes twice, a window that stays or is missing, where an event finds no room. */
CASE(each_step_may_find_no_room, IN_BOTH) {
  for (size_t i = 0; i < COUNT(steps); i++) {
    const char *path = journal_path("navigator");
    expect_sentence = steps[i].name;
    for (int which = 0, is_reached = 1; is_reached; which++) {
      mainstem_context *context = virtual_context(threads);
      mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
      EXPECT_OK(mainstem_journal_record(context, path, &options));
      trial_open(context, &steps[i]);
      memset(&failing, 0, sizeof failing);
      failing.at = which;
      failing.fault = ENOSPC;
      failing.is_sticky = failing.is_counting = 1;
      steps[i].act();
      failing.is_counting = 0;
      is_reached = failing.failed > 0;
      failures += is_reached;
      if (mainstem_component_gone(context, UINT64_MAX) == MAINSTEM_OK) {
        for (int i = 0; i < 2; i++) {
          EXPECT_OK(mainstem_context_advance(context, 10000)); /* For a stage without an answer. */
          (void)drain();
        }
        trial_close();
      } else {
        stops++;
        trial_stop();
      }
      if (steps[i].act != redirect && steps[i].act != after) verify(threads, path);
      journal_sweep();
    }
  }
  EXPECT(failures > 100 && stops > 50);
}

int main(void) { return journal_expect_all(); }

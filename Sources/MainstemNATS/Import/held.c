// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A note whose batch found no room, held for another try. Another note for each try would fill the journal. So from the
   first time on the context keeps the newest notes, and an observer that comes later has the note once more; it gets it
   when the bridge asks, and what is sent then has the same cause. */

#include "import.h"

/* Other imports of the context have notes, too. */
enum { KEPT = 16 };

static void end_held(void *user_data) { intake_release(user_data); }

static mainstem_subscription *observe_again(struct intake *intake) {
  mainstem_subscription *held = NULL;
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = &intake->noted,
                                      .type_count = 1,
                                      .flags = MAINSTEM_OBSERVE_ON_DEMAND,
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .policy = MAINSTEM_QUEUE_LATEST,
                                      .of = intake->scope};
  intake_own(intake);
  if (mainstem_observe_with(intake->scope, &options, intake_take_note, intake, end_held, &held) !=
      MAINSTEM_OK)
    intake_release(intake);
  return held;
}

void held_keep(struct intake *intake) {
  if (!intake->keeps_notes) {
    intake->keeps_notes =
        mainstem_history_keep(intake->scope, intake->noted, KEPT, 0) == MAINSTEM_OK;
    return;
  }
  mainstem_subscription *held = observe_again(intake);
  pthread_mutex_lock(&intake->lock);
  intake->held = held;
  intake->is_held = held != NULL;
  pthread_mutex_unlock(&intake->lock);
}

void held_drop(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  mainstem_subscription *held = intake->held;
  intake->held = NULL;
  intake->is_held = false;
  pthread_mutex_unlock(&intake->lock);
  mainstem_cancel(held);
}

/* Two: what is left out before the newest note may be told as a gap. */
bool held_ask(struct intake *intake) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  pthread_mutex_lock(&intake->lock);
  mainstem_subscription *held = intake->is_held && !intake->is_over ? intake->held : NULL;
  bool is_there = held != NULL && mainstem_subscription_stats_read(held, &stats) == MAINSTEM_OK &&
                  stats.waiting > 0;
  if (is_there) intake->stage = INTAKE_HANDED;
  pthread_mutex_unlock(&intake->lock);
  return is_there && mainstem_subscription_demand(held, 2) == MAINSTEM_OK;
}

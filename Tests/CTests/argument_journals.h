// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on journals, recorded, read and replayed. Included by arguments.c. */

#ifndef ARGUMENT_JOURNALS_H
#define ARGUMENT_JOURNALS_H

#include "argument_values.h"

#include <math.h>

/* Nothing is made: the paths are of no file that could be. */
static void tuple_of_a_journal(void) {
  static const char *const paths[] = {NULL, "", "/", "/nowhere/at all", "/dev/full", "/dev/null"};
  mainstem_journal_options options = {
      .size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
      .durability = (uint32_t)pick(4),
      .flags = (uint32_t)pick(5),
      .keep = (uint32_t)(pick(2) ? 0 : number()),
      .segment_size = pick(2) ? 0 : number()};
  mainstem_journal_stats stats = {.size = (uint32_t)(pick(2) ? sizeof stats : pick(100))};
  mainstem_journal_record(handle(), ONE_OF(paths), pick(4) ? &options : NULL);
  if (pick(9) == 0) mainstem_journal_sync(handle());
  if (pick(9) == 0) mainstem_journal_on_durable(handle(), NULL, NULL, NULL);
  mainstem_journal_stats_read(handle(), pick(9) ? &stats : NULL);
}

static void tuple_of_a_replay(void) {
  static const char *const paths[] = {NULL, "", "/", "/nowhere/at all", "/dev/full", "/dev/null"};
  static const double speeds[] = {0, 1, -1, 1e300, NAN, INFINITY, 1e-300};
  mainstem_replay_options options = {
      .size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
      .mode = (uint32_t)pick(4),
      .session = pick(2) ? 0 : number()};
  mainstem_replay_info info = {.size = (uint32_t)(pick(2) ? sizeof info : pick(200))};
  mainstem_secret secret = {.size = (uint32_t)(pick(2) ? sizeof secret : pick(100)),
                            .answers = pick(2) ? 0 : number(),
                            .data = pick(2) ? "" : NULL,
                            .data_size = (size_t)number()};
  mainstem_replay_difference difference = {.size =
                                               (uint32_t)(pick(2) ? sizeof difference : pick(100))};
  mainstem_replay *replay = NULL;
  uint64_t fed;
  int replaying;
  mainstem_replay_open(handle(), ONE_OF(paths), pick(4) ? &options : NULL,
                       pick(9) ? &replay : NULL);
  mainstem_replay_step(handle(), pick(2) ? 0 : number(), pick(2) ? &fed : NULL);
  mainstem_replay_seek(handle(), number());
  mainstem_replay_run(handle(), ONE_OF(speeds));
  mainstem_replay_pause(handle());
  if (pick(2)) mainstem_replay_on_secret(handle(), NULL, NULL, NULL);
  mainstem_replay_supply(handle(), pick(9) ? &secret : NULL);
  mainstem_replay_info_read(handle(), pick(9) ? &info : NULL);
  mainstem_replay_difference_read(handle(), pick(9) ? &difference : NULL);
  mainstem_replay_close(handle());
  mainstem_context_is_replaying(handle(), pick(9) ? &replaying : NULL);
  note(replay);
}

static char journal_there[512];

static void tuple_of_journals(void) {
  mainstem_journal *journal = NULL;
  mainstem_journal_info info = {.size = (uint32_t)(pick(2) ? sizeof info : pick(200))};
  mainstem_type_info type_read = {.size = (uint32_t)(pick(2) ? sizeof type_read : pick(60))};
  const mainstem_event *event = NULL;
  const char *text;
  char line[64];
  switch (pick(12)) {
  case 9:
    mainstem_journal_next((mainstem_journal *)handle(), (uint32_t)pick(3), pick(9) ? &event : NULL);
    break;
  case 8:
    mainstem_journal_follow((mainstem_journal *)handle());
    break;
  case 7:
    mainstem_type_read(handle(), (uint32_t)pick(9), pick(9) ? &type_read : NULL);
    break;
  case 6: {
    unsigned char buffer[300];
    size_t count, needed;
    void *into = pick(9) ? buffer : NULL;
    size_t size = pick(3) ? sizeof buffer : pick(sizeof buffer);
    size_t *counted = pick(9) ? &count : NULL, *missing = pick(2) ? &needed : NULL;
    if (pick(2)) mainstem_journal_next_many(handle(), 0, into, size, counted, missing);
    else
      mainstem_journal_next_many(handle(), MAINSTEM_JOURNAL_EVERY_RECORD, into, size, counted,
                                 missing);
    break;
  }
  case 5: {
    mainstem_salvage_report report = {.size = (uint32_t)(pick(2) ? sizeof report : pick(90))};
    if (pick(20) == 0) /* It takes the disk's time. */
      mainstem_journal_salvage(pick(4) ? journal_there : name(),
                               pick(2)   ? journal_there
                               : pick(2) ? ""
                                         : NULL,
                               &report);
    break;
  }
  case 0:
    mainstem_journal_open(pick(4) ? journal_there : name(), pick(9) ? &journal : NULL);
    if (pick(8) == 0) note_journal(journal);
    else mainstem_journal_close(journal);
    break;
  case 1:
    mainstem_journal_info_read(handle(), pick(9) ? &info : NULL);
    break;
  case 2:
    mainstem_journal_type_read(handle(), type(), pick(9) ? &type_read : NULL);
    break;
  case 3:
    mainstem_journal_origin_name(handle(), type(), pick(9) ? &text : NULL);
    break;
  case 4:
    mainstem_journal_close(handle());
    break;
  default:
    journal = (mainstem_journal *)handle();
    if (mainstem_journal_next(journal, 0, pick(9) ? &event : NULL) != MAINSTEM_OK) break;
    mainstem_journal_event_line(journal, event, pick(9) ? line : NULL, (size_t)pick(65), NULL);
    if (event == NULL) break;
    mainstem_event_line(event, line, sizeof line, NULL);
    (void)mainstem_event_number(event);
    mainstem_event_retain(event, NULL);
    mainstem_respond(event, "", 0);
    mainstem_confirm(event);
    break;
  }
}

#endif

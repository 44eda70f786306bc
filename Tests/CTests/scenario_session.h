// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Steps about a session: what is recorded and replayed, and what a callback reads of time and chance. */

#ifndef SCENARIO_SESSION_H
#define SCENARIO_SESSION_H

#include "scenario_stage.h"

enum { PAYLOAD = 200 };

/* A step that runs: outside, or in the callback that got an event. */
typedef struct call {
  stage *stage;
  words words;
  size_t line;
  const mainstem_event *event;
} call;

/* Gives what is compared with what is wanted: a status, a number or an id. */
typedef const char *(*step_fn)(const call *self);

static const char *number_name(unsigned long long number) {
  static char text[24];
  snprintf(text, sizeof text, "%llu", number);
  return text;
}

static const char *step_open(const call *self) {
  EXPECT(self->stage->is_closed);
  stage_open(self->stage);
  return status_name(MAINSTEM_OK);
}

/* Where a callback draws, its own numbers follow: so through the handle that it has. */
static mainstem_context *here(const call *self) {
  return self->event == NULL ? self->stage->context : self->event->context;
}

static const char *step_now(const call *self) {
  int64_t time = 0;
  mainstem_status status = mainstem_context_now(here(self), &time);
  return status == MAINSTEM_OK ? number_name((unsigned long long)time / 1000000)
                               : status_name(status);
}

static const char *step_random(const call *self) {
  uint64_t number = 0;
  mainstem_status status = mainstem_context_random(here(self), &number);
  return status == MAINSTEM_OK ? number_name(number) : status_name(status);
}

static const char *step_id(const call *self) {
  static char text[MAINSTEM_ID_SIZE];
  mainstem_status status = mainstem_context_id(here(self), text);
  return status == MAINSTEM_OK ? text : status_name(status);
}

static const char *step_record(const call *self) {
  mainstem_journal_options options = {.size = sizeof options};
  const char *level = self->words.count > 1 ? self->words.word[1] : "process";
  if (strcmp(level, "power") == 0) options.durability = MAINSTEM_JOURNAL_POWER;
  if (strcmp(level, "buffered") == 0) options.durability = MAINSTEM_JOURNAL_BUFFERED;
  return status_name(mainstem_journal_record(self->stage->context, self->stage->path, &options));
}

/* The last position in the file, without asking the library. */
static const char *step_recorded(const call *self) {
  return number_name(journal_look(self->stage->path).last);
}

static const char *step_sync(const call *self) {
  return status_name(mainstem_journal_sync(self->stage->context));
}

static const char *step_replay(const call *self) {
  mainstem_replay_options options = {.size = sizeof options};
  if (strcmp(self->words.word[0], "verify") == 0) options.mode = MAINSTEM_REPLAY_VERIFY;
  return status_name(mainstem_replay_open(self->stage->context, self->stage->path, &options,
                                          &self->stage->replay));
}

static const char *step_feed(const call *self) {
  size_t count = self->words.count > 1 ? strtoul(self->words.word[1], NULL, 10) : 0;
  return status_name(mainstem_replay_step(self->stage->replay, count, NULL));
}

/* The first difference: its position, and what differs. */
static const char *step_difference(const call *self) {
  static const char *const fields[] = {"none",   "missing", "extra",       "type",
                                       "origin", "cause",   "correlation", "answers",
                                       "flags",  "status",  "payload",     "digest"};
  static char text[40];
  mainstem_replay_difference found = {.size = sizeof found};
  EXPECT_OK(mainstem_replay_difference_read(self->stage->replay, &found));
  snprintf(text, sizeof text, "%d %s", (int)found.position, fields[found.field]);
  return found.field == MAINSTEM_DIFFERENCE_NONE ? "none" : text;
}

#endif

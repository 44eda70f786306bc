// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A program whose owners say what they hear, and whose factory does as it is told. */

#ifndef HOUSE_H
#define HOUSE_H

#include "transcript.h"

/* A program whose owners say "tick" when they hear one, and what is seen of it. */
typedef struct house {
  mainstem_context *context, *view, *made;
  mainstem_event_type tick, tock, ended, shown;
  transcript seen;
  uint64_t numbers[8], answered;
  int count, released, status, nests, statuses, says, ends;
} house;

static inline mainstem_context *found(const house *self, uint64_t number) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_find(self->context, number, &scope, NULL));
  return scope;
}

/* Owners by the order in which they were made. */
static inline int index_of(const house *self, uint64_t number) {
  for (int i = 0; i < self->count && i < 8; i++)
    if (self->numbers[i] == number) return i;
  return -1;
}

static inline void release_one(void *user_data) { ((house *)user_data)->released++; }

static inline void on_tick(void *user_data, const mainstem_event *event) {
  const house *self = (const house *)user_data;
  mainstem_status status = mainstem_send(event->context, self->tock, event->data, event->size);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
}

static inline void note_answer(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  self->statuses = event->status;
  self->answered = event->status == MAINSTEM_OK ? (uint64_t)mainstem_event_integer(event) : 0;
}

static inline mainstem_status make_owner(void *user_data, mainstem_context *scope,
                                         const mainstem_event *event) {
  house *self = (house *)user_data;
  static const mainstem_handler_row rows[] = {{"RequestAsk", on_tick, MAINSTEM_HANDLER_SEVERAL}};
  self->made = scope;
  if (self->count < 8) self->numbers[self->count] = number_of(scope);
  self->count++;
  EXPECT(event->flags & MAINSTEM_EVENT_TRACKED);
  mainstem_status status = mainstem_observe(scope, self->tick, on_tick, self, release_one, NULL);
  if (status == MAINSTEM_STALE) { /* The context closes. */
    self->count--;
    return status;
  }
  EXPECT_OK(status);
  EXPECT_OK(mainstem_server_add(scope, "Part", MAINSTEM_ROWS(rows), self, release_one, NULL));
  if (self->nests > 0) {
    self->nests--;
    EXPECT_OK(mainstem_instance_open(scope, "Cell", "nested", 6, NULL, NULL, NULL));
  }
  if (self->ends) EXPECT_OK(mainstem_scope_end(scope));
  if (self->says) EXPECT_OK(mainstem_respond_error(event, 1042, "No room in this house."));
  return self->status;
}

static inline void note_seen(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  if (event->type == self->tock) {
    transcript_add(&self->seen, "tock");
  } else if (event->type == self->ended) {
    uint64_t number = (uint64_t)mainstem_event_integer(event);
    const char *mark = event->flags & MAINSTEM_EVENT_OUTSIDE ? "!" : "";
    if (index_of(self, number) >= 0)
      transcript_add(&self->seen, "end%d%s", index_of(self, number), mark);
    else transcript_add(&self->seen, "end%s", mark);
  }
}

static inline void house_install(house *self) {
  mainstem_context *context = self->context;
  self->tick = type_open(context, "Tick", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->tock = type_open(context, "Tock", MAINSTEM_PAYLOAD_BYTES, NULL);
  type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_BYTES, "ResponseAsk");
  type_open(context, "ResponseAsk", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(
      mainstem_factory_add(context, "Cell", MAINSTEM_PAYLOAD_TEXT, make_owner, self, release_one));
  self->ended = type_named(context, "MainstemEnded");
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, note_seen, self, NULL, NULL));
  self->view = scope_open(context, "View");
}

static inline void house_open(house *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  house_install(self);
}

static inline void house_close(house *self) { EXPECT_OK(mainstem_context_close(self->context)); }

static inline uint64_t ask(house *self, mainstem_context *scope) {
  self->statuses = -1;
  EXPECT_OK(mainstem_instance_open(scope, "Cell", "a cell", 6, note_answer, self, NULL));
  return self->answered;
}

static inline void tick(const house *self) {
  EXPECT_OK(mainstem_send(self->context, self->tick, "", 0));
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: the queues of scheduled observers, what is too much, and how a loss is told. */

#include "elsewhere.h"
#include "scheduled.h"

static mainstem_status send_one(stream *on) {
  return mainstem_send(on->context, on->notice, "12345678", 8);
}

typedef struct sender {
  stream on;
  int accepted;
} sender;

static void *send_many(void *data) {
  sender *self = (sender *)data;
  for (int i = 0; i < 1000; i++) self->accepted += send_one(&self->on) == MAINSTEM_OK;
  return NULL;
}

static void count_one(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

/* The sender waits whenever ten wait; all are accepted, all delivered. */
CASE(a_blocked_sender_goes_on_when_there_is_room, IN_ANY) {
  sender self = {stream_open(threads), 0};
  int calls = 0;
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 10};
  observe_on(self.on.context, self.on.notice, &how, count_one, &calls, NULL);
  pthread_t other = beside(send_many, &self);
  while (calls < 1000) EXPECT_OK(mainstem_wait(self.on.context, -1));
  join(other);
  EXPECT_EQUAL(self.accepted, 1000);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *fill_until_closed(void *data) {
  sender *self = (sender *)data;
  mainstem_status status;
  while ((status = send_one(&self->on)) == MAINSTEM_OK) self->accepted++;
  EXPECT_STATUS(status, MAINSTEM_STALE);
  return NULL;
}

CASE(close_frees_a_blocked_sender, IN_ANY) {
  sender self = {stream_open(threads), 0};
  int calls = 0;
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 2};
  observe_on(self.on.context, self.on.notice, &how, count_one, &calls, NULL);
  pthread_t other = beside(fill_until_closed, &self);
  while (stats_of(self.on.context).events < 2) sched_yield();
  EXPECT_OK(mainstem_context_close(self.on.context));
  join(other);
  EXPECT_EQUAL(self.accepted, 2);
  EXPECT_EQUAL(calls, 0);
}

/* An observer by role, by layer, or of every type. */
static void observe_wide(stream *on, mainstem_observe_options wish, transcript *seen) {
  EXPECT_OK(mainstem_observe_with(on->context,
                                  OPTIONS(observe, .role = wish.role, .layers = wish.layers,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2),
                                  read_event, seen, NULL, NULL));
}

/* Catches: a type that does not know of the observers which it takes along. */
CASE(a_type_that_comes_later_has_the_same_bounds, IN_BOTH) {
  static const mainstem_observe_options wishes[] = {
      {.role = 0},
      {.role = MAINSTEM_ROLE_NOTICE},
      {.layers = 1},
  };
  for (size_t i = 0; i < COUNT(wishes); i++) {
    stream on = stream_open(threads);
    transcript seen = {0};
    observe_wide(&on, wishes[i], &seen);
    mainstem_event_type late =
        type_open(on.context, "NoticeLate", MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_BYTES, NULL);
    for (int n = 0; n < 2; n++) EXPECT_OK(mainstem_send(on.context, late, "1", 1));
    EXPECT_STATUS(mainstem_send(on.context, late, "1", 1), MAINSTEM_FULL);
    drained(on.context, 0);
    EXPECT_TEXT(seen.text, "1 2");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

int main(void) { return expect_all(); }

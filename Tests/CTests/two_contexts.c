// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Acceptance A-79: two contexts at once, without cross-talk, also from inside each other. */

#include "elsewhere.h"
#include "transcript.h"

CASE(nothing_crosses_over, IN_BOTH) {
  stream one = stream_open(threads), two = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_event_type own = type_open(two.context, "OnlyInTwo", MAINSTEM_PAYLOAD_NONE, NULL), none;
  witness_observe(&a, one.context, MAINSTEM_TYPE_ANY);
  witness_observe(&b, two.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_send(one.context, one.notice, "", 0));
  EXPECT_OK(mainstem_send(one.context, one.notice, "", 0));
  EXPECT_OK(mainstem_send(two.context, two.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a2 b1");
  EXPECT_STATUS(mainstem_type_find(one.context, "OnlyInTwo", &none), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(one.context, own, NULL, 0), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_first_error(two.context, NULL));
  EXPECT_EQUAL(stats_of(one.context).types, own_types() + 4);
  EXPECT_EQUAL(stats_of(two.context).types, own_types() + 5);
  EXPECT_OK(mainstem_post(one.context, one.notice, "", 0));
  EXPECT_STATUS(mainstem_wait(two.context, 0), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_wait(one.context, 0));
  EXPECT_OK(mainstem_context_close(one.context));
  EXPECT_OK(mainstem_send(two.context, two.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a2 b1 a3 ~a b2");
  EXPECT_OK(mainstem_context_close(two.context));
}

typedef struct player {
  stream *to;
  uint64_t last;
  int is_inside; /* Its context's first event is still being delivered when it is called. */
} player;

static void strike(void *user_data, const mainstem_event *event) {
  player *self = (player *)user_data;
  int is_caused = self->is_inside && event->position > 1;
  EXPECT_EQUAL(event->cause, is_caused ? event->position - 1 : 0); /* Never of another context. */
  EXPECT_EQUAL(event->flags, is_caused ? 0 : MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(event->correlation, self->is_inside ? 1 : event->position);
  if (event->position < self->last) {
    EXPECT_OK(mainstem_send(self->to->context, self->to->notice, "", 0));
  }
}

/* Catches: a deadlock or a recursion over two contexts, and a thread state that mixes them up. */
CASE(ping_pong_ends, IN_BOTH) {
  stream one = stream_open(threads), two = stream_open(threads);
  player a = {&two, 20000, 1}, b = {&one, 20000, 0};
  EXPECT_OK(mainstem_observe(one.context, one.notice, strike, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(two.context, two.notice, strike, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(one.context, one.notice, "", 0));
  EXPECT_EQUAL(stats_of(one.context).events, 20000);
  EXPECT_EQUAL(stats_of(two.context).events, 19999);
  EXPECT_OK(mainstem_context_close(one.context));
  EXPECT_OK(mainstem_context_close(two.context));
}

typedef struct nesting {
  stream one, two;
  int depth, calls;
} nesting;

static void in_two(void *user_data, const mainstem_event *event) {
  nesting *self = (nesting *)user_data;
  self->calls++;
  EXPECT_EQUAL(event->position, 1);
  EXPECT_STATUS(mainstem_drain(self->two.context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_flush(self->one.context), MAINSTEM_BUSY); /* Still inside a callback. */
  EXPECT_STATUS(mainstem_context_close(self->one.context), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_send(self->one.context, self->one.other, "", 0));
  EXPECT_EQUAL(self->calls, 2); /* It waits until the callback in one has ended. */
}

static void in_one(void *user_data, const mainstem_event *event) {
  nesting *self = (nesting *)user_data;
  self->calls++;
  if (event->type == self->one.other) return;
  EXPECT_STATUS(mainstem_drain(self->one.context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_post(self->two.context, self->two.notice, "", 0));
  EXPECT_OK(mainstem_drain(self->two.context, 0, NULL));
  EXPECT_EQUAL(self->calls, 2);
  EXPECT_OK(mainstem_context_close(self->two.context));
}

/* Catches: BUSY by "some callback runs" instead of "a callback of this context runs". */
CASE(waiting_in_the_other_context_is_not_busy, IN_BOTH) {
  nesting self = {0};
  self.one = stream_open(threads);
  self.two = stream_open(threads);
  EXPECT_OK(mainstem_observe(self.one.context, 0, in_one, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.two.context, 0, in_two, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(self.one.context, self.one.notice, "", 0));
  EXPECT_EQUAL(self.calls, 3);
  EXPECT_STATUS(mainstem_send(self.two.context, 2, "", 0), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.one.context));
}

typedef struct crossing {
  stream *from, *to;
  uint64_t calls;
} crossing;

enum { CROSSINGS = 20000 };

static void forward(void *user_data, const mainstem_event *event) {
  crossing *self = (crossing *)user_data;
  self->calls++;
  if (event->size == 0) return;
  EXPECT_OK(mainstem_send(self->to->context, self->to->notice, "", 0));
}

static void *send_many(void *data) {
  crossing *self = (crossing *)data;
  for (int i = 0; i < CROSSINGS; i++) {
    EXPECT_OK(mainstem_send(self->from->context, self->from->notice, "x", 1));
  }
  return NULL;
}

/* Catches: a lock or claim waited for inside a callback: two threads crossing would hang. */
CASE(two_threads_may_cross, IN_ANY) {
  stream one = stream_open(threads), two = stream_open(threads);
  crossing a = {&one, &two, 0}, b = {&two, &one, 0};
  EXPECT_OK(mainstem_observe(one.context, one.notice, forward, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(two.context, two.notice, forward, &b, NULL, NULL));
  pthread_t first = beside(send_many, &a), second = beside(send_many, &b);
  join(first);
  join(second);
  EXPECT_OK(mainstem_flush(one.context));
  EXPECT_OK(mainstem_flush(two.context));
  EXPECT_EQUAL(a.calls, 2 * CROSSINGS);
  EXPECT_EQUAL(b.calls, 2 * CROSSINGS);
  EXPECT_OK(mainstem_context_close(one.context));
  EXPECT_OK(mainstem_context_close(two.context));
}

/* Catches: a table of contexts with a small bound, or one that is searched. */
CASE(a_hundred_contexts_live_side_by_side, IN_BOTH) {
  stream all[100];
  for (size_t i = 0; i < COUNT(all); i++) all[i] = stream_open(threads);
  for (size_t i = 0; i < COUNT(all); i++) {
    for (size_t j = 0; j <= i; j++) EXPECT_OK(mainstem_send(all[i].context, all[i].notice, "", 0));
  }
  for (size_t i = 0; i < COUNT(all); i++) {
    EXPECT_EQUAL(stats_of(all[i].context).events, i + 1);
    EXPECT_OK(mainstem_context_close(all[i].context));
  }
}

int main(void) { return expect_all(); }

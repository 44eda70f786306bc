// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 2, exactly once; acceptance A-09: an observer starts after `from`, then misses nothing. */

#include "elsewhere.h"
#include "transcript.h"

static uint64_t from_of(mainstem_subscription *subscription) {
  uint64_t from = 999;
  EXPECT_OK(mainstem_subscription_from(subscription, &from));
  return from;
}

/* Catches: rows merged by function or user_data. */
CASE(the_same_function_twice_is_two_observers, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_subscription *first = witness_observe(&a, on.context, on.notice);
  mainstem_subscription *second = witness_observe(&a, on.context, on.notice);
  mainstem_event_type twice[2];
  EXPECT(first != second);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_cancel(first));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a1 ~a a2");
  EXPECT_OK(mainstem_cancel(second));
  transcript_clear(&seen);
  twice[0] = twice[1] = on.notice; /* A type named twice is one match. */
  EXPECT_OK(mainstem_observe_with(on.context, OPTIONS(observe, .types = twice, .type_count = 2),
                                  witness_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a3");
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { LAST = 3000 };

typedef struct watcher {
  uint64_t from, calls, last;
} watcher;

typedef struct growth {
  mainstem_event_type type;
  size_t observers;
  watcher watchers[LAST / 10 + 1];
} growth;

static void watch(void *user_data, const mainstem_event *event) {
  watcher *self = (watcher *)user_data;
  EXPECT_EQUAL(event->position, self->from + ++self->calls);
  self->last = event->position;
}

static void grow(void *user_data, const mainstem_event *event) {
  growth *self = (growth *)user_data;
  mainstem_subscription *subscription;
  if (event->position < LAST) EXPECT_OK(mainstem_send(event->context, self->type, "", 0));
  if (event->position % 10 != 0) return;
  watcher *watcher = &self->watchers[self->observers++];
  EXPECT_OK(mainstem_observe(event->context, self->type, watch, watcher, NULL, &subscription));
  watcher->from = from_of(subscription);
}

/* Catches: rows lost, doubled or read torn while the table grows under a running chain. */
CASE(no_observer_of_a_growing_table_has_a_hole, IN_BOTH) {
  static growth growing;
  stream on = stream_open(threads);
  memset(&growing, 0, sizeof growing);
  growing.type = on.notice;
  EXPECT_OK(mainstem_observe(on.context, on.notice, grow, &growing, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(growing.observers, LAST / 10);
  for (size_t i = 0; i < growing.observers; i++) {
    EXPECT_EQUAL(growing.watchers[i].from + growing.watchers[i].calls, LAST);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct beside_delivery {
  stream *on;
  sem_t entered, leave;
  watcher watcher;
} beside_delivery;

static void stay(void *user_data, const mainstem_event *event) {
  beside_delivery *self = (beside_delivery *)user_data;
  if (event->position != 1) return;
  signal_give(&self->entered);
  signal_take(&self->leave);
}

static void *deliver(void *data) {
  beside_delivery *self = (beside_delivery *)data;
  EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "", 0));
  return NULL;
}

/* Catches: a registration applied at once, not in its place among waiting events. */
CASE(an_observer_made_beside_a_delivery_starts_in_its_place, IN_ANY) {
  stream on = stream_open(threads);
  beside_delivery self = {0};
  mainstem_subscription *subscription;
  self.on = &on;
  signal_open(&self.entered);
  signal_open(&self.leave);
  EXPECT_OK(mainstem_observe(on.context, on.notice, stay, &self, NULL, NULL));
  pthread_t other = beside(deliver, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_observe(on.context, on.notice, watch, &self.watcher, NULL, &subscription));
  self.watcher.from = from_of(subscription);
  EXPECT_EQUAL(self.watcher.from, 2);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(self.watcher.calls, 0);
  signal_give(&self.leave);
  join(other);
  EXPECT_EQUAL(self.watcher.calls, 1);
  EXPECT_EQUAL(self.watcher.last, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { ROUNDS = 500 };

typedef struct sender {
  stream *on;
  int done;
} sender;

static void *send_until_done(void *data) {
  sender *self = (sender *)data;
  while (!__atomic_load_n(&self->done, __ATOMIC_SEQ_CST)) {
    mainstem_status status = mainstem_send(self->on->context, self->on->notice, "", 0);
    EXPECT(status == MAINSTEM_OK ||
           status == MAINSTEM_FULL); /* The other thread delivers, and waits. */
  }
  return NULL;
}

typedef struct first {
  uint64_t first, last;
  int holes;
} first;

static void note_first(void *user_data, const mainstem_event *event) {
  first *self = (first *)user_data;
  self->holes += self->last != 0 && event->position != self->last + 1;
  self->last = event->position;
  if (self->first == 0) __atomic_store_n(&self->first, event->position, __ATOMIC_SEQ_CST);
}

/* Catches: `from` read before the claim is taken: a send that slips in between is a hole. */
CASE(beside_a_sender_the_first_event_is_the_one_after_from, IN_ANY) {
  stream on = stream_open(threads);
  sender sending = {&on, 0};
  pthread_t other = beside(send_until_done, &sending);
  for (int i = 0; i < ROUNDS; i++) {
    first seen = {0, 0, 0};
    mainstem_subscription *subscription;
    EXPECT_OK(mainstem_observe(on.context, on.notice, note_first, &seen, NULL, &subscription));
    uint64_t from = from_of(subscription);
    while (__atomic_load_n(&seen.first, __ATOMIC_SEQ_CST) == 0) sched_yield();
    EXPECT_OK(mainstem_cancel_wait(subscription));
    EXPECT_EQUAL(seen.first, from + 1);
    EXPECT_EQUAL(seen.holes, 0);
  }
  __atomic_store_n(&sending.done, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct whole {
  uint64_t first, last, late_end;
  int holes, live;
} whole;

static void note_whole(void *user_data, const mainstem_event *event) {
  whole *self = (whole *)user_data;
  if (self->first == 0) self->first = event->position;
  self->holes += self->last != 0 && event->position != self->last + 1;
  self->last = event->position;
  if (event->flags & MAINSTEM_EVENT_LATE) {
    self->late_end = event->position;
  } else {
    __atomic_store_n(&self->live, 1, __ATOMIC_SEQ_CST);
  }
}

typedef struct paced {
  stream *on;
  int done;
  long sent, delivered;
} paced;

static void count_delivered(void *user_data, const mainstem_event *event) {
  __atomic_add_fetch(&((paced *)user_data)->delivered, 1, __ATOMIC_SEQ_CST);
}

/* Flat out, but never far ahead: who delivers need not deliver for ever. */
static void *send_paced(void *data) {
  paced *self = (paced *)data;
  while (!__atomic_load_n(&self->done, __ATOMIC_SEQ_CST)) {
    while (self->sent - __atomic_load_n(&self->delivered, __ATOMIC_SEQ_CST) > 50) {
      if (__atomic_load_n(&self->done, __ATOMIC_SEQ_CST)) return NULL;
      sched_yield();
    }
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "", 0));
    self->sent++;
  }
  return NULL;
}

/* Catches: an event between history and stream, seen twice or not at all, while another thread sends. */
CASE(beside_a_sender_history_and_stream_meet, IN_ANY) {
  stream on = stream_open(threads);
  paced sending = {&on, 0, 0, 0};
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 10, 0));
  for (int i = 0; i < 10; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_delivered, &sending, NULL, NULL));
  sending.sent = sending.delivered = 0;
  pthread_t other = beside(send_paced, &sending);
  for (int i = 0; i < ROUNDS; i++) {
    whole seen = {0, 0, 0, 0, 0};
    mainstem_subscription *subscription;
    EXPECT_OK(mainstem_observe(on.context, on.notice, note_whole, &seen, NULL, &subscription));
    uint64_t from = from_of(subscription);
    while (!__atomic_load_n(&seen.live, __ATOMIC_SEQ_CST)) sched_yield();
    EXPECT_OK(mainstem_cancel_wait(subscription));
    EXPECT_EQUAL(seen.first, from - 9);
    EXPECT_EQUAL(seen.late_end, from);
    EXPECT_EQUAL(seen.holes, 0);
  }
  __atomic_store_n(&sending.done, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

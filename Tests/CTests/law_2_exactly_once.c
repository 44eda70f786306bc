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

/* Catches: `from` counted from the next event, or from what was delivered to others. */
static void an_observer_starts_after_what_was_accepted(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  EXPECT_EQUAL(from_of(witness_observe(&a, on.context, on.notice)), 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(from_of(witness_observe(&b, on.context, MAINSTEM_TYPE_ANY)), 2);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a3 b3");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct late {
  stream *on;
  witness *witness;
  mainstem_subscription *subscription;
  uint64_t from;
} late;

static void send_observe_send(void *user_data, const mainstem_event *event) {
  late *self = (late *)user_data;
  if (event->cause != 0) return;
  EXPECT_OK(mainstem_send(event->context, self->on->notice, "", 0));
  self->subscription = witness_observe(self->witness, event->context, self->on->notice);
  self->from = from_of(self->subscription);
  EXPECT_OK(mainstem_send(event->context, self->on->notice, "", 0));
}

/*
 * Catches: a new row called for the current event; a new row called for events accepted before it
 * that still wait; a new row that starts only when the stream is idle.
 */
static void an_observer_made_in_a_callback_starts_after_what_waits(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness b = {&seen, "b", NULL, NULL};
  late inside = {&on, &b, NULL, 0};
  witness a = {&seen, "a", send_observe_send, &inside};
  witness_observe(&a, on.context, on.notice);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(inside.from, 2);
  EXPECT_TEXT(seen.text, "a1( ) a2( ) a3( ) b3");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void observe_all(void *user_data, const mainstem_event *event) {
  late *self = (late *)user_data;
  if (self->subscription != NULL) return;
  self->subscription = witness_observe(self->witness, event->context, MAINSTEM_TYPE_ANY);
}

/* Catches: the same fault where every-type rows live in another table, and a handler table. */
static void a_server_made_in_a_callback_starts_after_the_current_event(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness b = {&seen, "b", NULL, NULL};
  late inside = {&on, &b, NULL, 0};
  witness a = {&seen, "a", observe_all, &inside};
  mainstem_handler_row row = {"Notice", witness_event};
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, &a, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1( ) a2( ) b2");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: rows merged by function or user_data. */
static void the_same_function_twice_is_two_observers(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_subscription *first = witness_observe(&a, on.context, on.notice);
  mainstem_subscription *second = witness_observe(&a, on.context, on.notice);
  mainstem_event_type twice[2];
  mainstem_observe_options options;
  EXPECT(first != second);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_cancel(first));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a1 ~a a2");
  EXPECT_OK(mainstem_cancel(second));
  transcript_clear(&seen);
  twice[0] = twice[1] = on.notice; /* A type named twice is one match. */
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = twice;
  options.type_count = 2;
  EXPECT_OK(mainstem_observe_with(on.context, &options, witness_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a3");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a post that counts as accepted when posted; one delivered twice by drain and close. */
static void a_post_is_accepted_when_it_is_taken_in(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_EQUAL(from_of(witness_observe(&a, on.context, on.notice)), 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a1 a2");
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a1 a2 ~a");
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
static void no_observer_of_a_growing_table_has_a_hole(uint32_t threads) {
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
static void an_observer_made_beside_a_delivery_starts_in_its_place(uint32_t threads) {
  stream on = stream_open(threads);
  beside_delivery self;
  mainstem_subscription *subscription;
  memset(&self, 0, sizeof self);
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
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "", 0));
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
static void beside_a_sender_the_first_event_is_the_one_after_from(uint32_t threads) {
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

static const expect_case cases[] = {
    {"an observer starts after what was accepted", an_observer_starts_after_what_was_accepted,
     IN_BOTH},
    {"made in a callback it starts after what waits",
     an_observer_made_in_a_callback_starts_after_what_waits, IN_BOTH},
    {"made in a handler it starts after the current event",
     a_server_made_in_a_callback_starts_after_the_current_event, IN_BOTH},
    {"the same function twice is two observers", the_same_function_twice_is_two_observers, IN_BOTH},
    {"a post is accepted when it is taken in", a_post_is_accepted_when_it_is_taken_in, IN_BOTH},
    {"no observer of a growing table has a hole", no_observer_of_a_growing_table_has_a_hole,
     IN_BOTH},
    {"made beside a delivery it starts in its place",
     an_observer_made_beside_a_delivery_starts_in_its_place, IN_ANY},
    {"beside a sender the first event is the one after from",
     beside_a_sender_the_first_event_is_the_one_after_from, IN_ANY},
};

int main(void) { return EXPECT_RUN(cases); }

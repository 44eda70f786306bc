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

typedef struct late_witness {
  transcript seen;
  int late; /* Late calls so far. */
  mainstem_event_fn then;
  void *user_data;
} late_witness;

/* "~3" for a late event, "3" for one of the stream. */
static void note_late(void *user_data, const mainstem_event *event) {
  late_witness *self = (late_witness *)user_data;
  int is_late = (event->flags & MAINSTEM_EVENT_LATE) != 0;
  self->late += is_late;
  transcript_add(&self->seen, is_late ? "~%llu" : "%llu", (unsigned long long)event->position);
  if (self->then != NULL) self->then(self->user_data, event);
}

static void send_some(stream *on, const char *types) {
  for (; *types != 0; types++) {
    EXPECT_OK(mainstem_send(on->context, *types == 'n' ? on->notice : on->other, types, 1));
  }
}

/* Catches: late events by type, not by position; one repeated; one missing between them and the stream. */
static void history_comes_first_merged_by_position(uint32_t threads) {
  stream on = stream_open(threads);
  late_witness a = {{0, ""}, 0, NULL, NULL};
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 3, 0));
  EXPECT_OK(mainstem_history_keep(on.context, on.other, 2, 0));
  send_some(&on, "nnonnoo");
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, note_late, &a, NULL, &subscription));
  EXPECT_TEXT(a.seen.text, "~2 ~4 ~5 ~6 ~7");
  EXPECT_EQUAL(from_of(subscription), 7);
  send_some(&on, "no");
  EXPECT_TEXT(a.seen.text, "~2 ~4 ~5 ~6 ~7 8 9");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct joining {
  stream *on;
  late_witness *witness;
  transcript *order;
  int done;
} joining;

static void send_and_observe(void *user_data, const mainstem_event *event) {
  joining *self = (joining *)user_data;
  transcript_add(self->order, "a%llu", (unsigned long long)event->position);
  if (self->done++) return;
  send_some(self->on, "n");
  EXPECT_OK(
      mainstem_observe(event->context, self->on->notice, note_late, self->witness, NULL, NULL));
  send_some(self->on, "n");
  EXPECT_EQUAL(self->witness->seen.length, 0);
}

static void end_of_event(void *user_data, const mainstem_event *event) {
  joining *self = (joining *)user_data;
  transcript_add(self->order, "b%llu:%d", (unsigned long long)event->position, self->witness->late);
}

/* Catches: history inside the current event; what waited between registration and turn lost or twice. */
static void history_of_an_observer_made_in_a_callback_waits_its_turn(uint32_t threads) {
  stream on = stream_open(threads);
  transcript order = {0, ""};
  late_witness late = {{0, ""}, 0, NULL, NULL};
  joining self = {&on, &late, &order, 0};
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 9, 0));
  send_some(&on, "n");
  mainstem_observe_options options;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.flags = MAINSTEM_OBSERVE_NEW;
  EXPECT_OK(mainstem_observe_with(on.context, &options, send_and_observe, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe_with(on.context, &options, end_of_event, &self, NULL, NULL));
  send_some(&on, "n");
  EXPECT_TEXT(order.text, "a2 b2:0 a3 b3:0 a4 b4:3");
  EXPECT_TEXT(late.seen.text, "~1 ~2 ~3 4");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct replying {
  stream *on;
  mainstem_subscription *self, *inner;
  late_witness witness;
} replying;

static void send_in_history(void *user_data, const mainstem_event *event) {
  replying *self = (replying *)user_data;
  if (event->position != 1 || (event->flags & MAINSTEM_EVENT_LATE) == 0) return;
  EXPECT_OK(mainstem_send(event->context, self->on->other, "", 0));
  EXPECT_OK(
      mainstem_observe(event->context, self->on->notice, note_late, &self->witness, NULL, NULL));
}

static void expect_cause(void *user_data, const mainstem_event *event) {
  EXPECT_EQUAL(event->cause, 1);
  EXPECT_EQUAL(event->correlation, 1);
  ++*(int *)user_data;
}

/* Catches: a send or an observer of a late callback that comes before the history is done. */
static void what_a_late_callback_begins_comes_after_its_history(uint32_t threads) {
  stream on = stream_open(threads);
  replying inside = {&on, NULL, NULL, {{0, ""}, 0, NULL, NULL}};
  late_witness a = {{0, ""}, 0, send_in_history, &inside};
  int caused = 0;
  EXPECT_OK(mainstem_observe(on.context, on.other, expect_cause, &caused, NULL, NULL));
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 9, 0));
  send_some(&on, "nnn");
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, note_late, &a, NULL, NULL));
  EXPECT_TEXT(a.seen.text, "~1 ~2 ~3 4");
  EXPECT_EQUAL(caused, 1);
  EXPECT_TEXT(inside.witness.seen.text, "~1 ~2 ~3");
  send_some(&on, "n");
  EXPECT_TEXT(inside.witness.seen.text, "~1 ~2 ~3 5");
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
  (void)event;
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
static void beside_a_sender_history_and_stream_meet(uint32_t threads) {
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

static const expect_case cases[] = {
    {"history comes first, merged by position", history_comes_first_merged_by_position, IN_BOTH},
    {"history of an observer made in a callback waits its turn",
     history_of_an_observer_made_in_a_callback_waits_its_turn, IN_BOTH},
    {"what a late callback begins comes after its history",
     what_a_late_callback_begins_comes_after_its_history, IN_BOTH},
    {"beside a sender history and stream meet", beside_a_sender_history_and_stream_meet, IN_ANY},
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

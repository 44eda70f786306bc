// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 1, one order; acceptance A-01: positions without hole, observers in registration order. */

#include "elsewhere.h"
#include "transcript.h"

static void observe_first_of(witness *self, const stream *on, mainstem_contract role,
                             uint64_t layers, const mainstem_event_type *types, size_t count) {
  EXPECT_OK(mainstem_observe_with(
      on->context,
      OPTIONS(observe, .role = role, .layers = layers, .types = types, .type_count = count),
      witness_event, self, NULL, NULL));
}

/* Catches: a list per kind of filter, called one list after the other. */
CASE(registration_order_beats_filters, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness w[8] = {{&seen, "a", NULL, NULL}, {&seen, "b", NULL, NULL}, {&seen, "c", NULL, NULL},
                  {&seen, "d", NULL, NULL}, {&seen, "e", NULL, NULL}, {&seen, "f", NULL, NULL},
                  {&seen, "g", NULL, NULL}, {&seen, "h", NULL, NULL}};
  mainstem_event_type both[2] = {on.other, on.notice};
  observe_first_of(&w[0], &on, 0, 1 << 3, NULL, 0);
  witness_observe(&w[1], on.context, on.other);
  witness_observe(&w[2], on.context, MAINSTEM_TYPE_ANY);
  serve_one(on.context, "Server", "Other", witness_event, &w[3]);
  observe_first_of(&w[4], &on, MAINSTEM_ROLE_NOTICE, 0, NULL, 0);
  witness_observe(&w[5], on.context, on.other);
  observe_first_of(&w[6], &on, 0, 0, both, 2);
  witness_observe(&w[7], on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_TEXT(seen.text, "a1 b1 c1 d1 e1 f1 g1 h1");
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "c2 e2 g2 h2");
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { CROWD = 300, TURNS = 3000 };

typedef struct member {
  struct crowd *crowd;
  mainstem_subscription *subscription;
  uint64_t joined; /* When it was registered, counted. */
  int sees_notice, sees_other;
} member;

typedef struct crowd {
  stream on;
  member members[CROWD];
  uint64_t joined, last, calls;
  uint32_t random;
  int changes; /* Changes still to be made inside callbacks. */
} crowd;

static uint32_t next_random(crowd *self, uint32_t bound) {
  self->random = self->random * 1664525 + 1013904223;
  return (self->random >> 8) % bound;
}

static void note_member(void *user_data, const mainstem_event *event);

static void join_or_leave(crowd *self, mainstem_context *context) {
  member *one = &self->members[next_random(self, CROWD)];
  mainstem_observe_options options = {.size = sizeof options};
  if (one->subscription != NULL) {
    EXPECT_OK(mainstem_cancel(one->subscription));
    one->subscription = NULL;
    return;
  }
  mainstem_event_type types[2] = {self->on.other, self->on.notice};
  uint32_t filter = next_random(self, 4);
  options.types = filter == 3 ? NULL : filter == 2 ? types : &types[filter];
  options.type_count = filter == 3 ? 0 : filter == 2 ? 2 : 1;
  one->sees_other = filter != 1;
  one->sees_notice = filter != 0;
  one->joined = ++self->joined;
  EXPECT_OK(mainstem_observe_with(context, &options, note_member, one, NULL, &one->subscription));
}

static void note_member(void *user_data, const mainstem_event *event) {
  member *one = (member *)user_data;
  crowd *self = one->crowd;
  EXPECT(one->subscription != NULL);
  EXPECT(event->type == self->on.notice ? one->sees_notice : one->sees_other);
  EXPECT(one->joined > self->last); /* In order of registration, nobody twice. */
  self->last = one->joined;
  self->calls++;
  if (self->changes-- > 0) join_or_leave(self, event->context);
}

/* Catches: gaps closed in a running walk, or in the wrong order; a row noted for the wrong table. */
CASE(order_survives_a_crowd_that_comes_and_goes, IN_BOTH) {
  static crowd self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.random = 20260101;
  for (int i = 0; i < CROWD; i++) self.members[i].crowd = &self;
  for (int turn = 0; turn < TURNS; turn++) {
    uint32_t changes = next_random(&self, 10) == 0 ? 200 : next_random(&self, 5);
    mainstem_event_type type = next_random(&self, 2) ? self.on.notice : self.on.other;
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < changes; i++) join_or_leave(&self, self.on.context);
    for (int i = 0; i < CROWD; i++) {
      const member *one = &self.members[i];
      if (one->subscription == NULL) continue;
      wanted += (uint64_t)(type == self.on.notice ? one->sees_notice : one->sees_other);
    }
    self.last = self.calls = 0;
    self.changes = turn % 2 == 0 ? 0 : (int)next_random(&self, 40);
    int changed = self.changes;
    EXPECT_OK(mainstem_send(self.on.context, type, "", 0));
    if (changed == 0) EXPECT_EQUAL(self.calls, wanted);
  }
  EXPECT_OK(mainstem_context_close(self.on.context));
}

enum { EACH = 5000, SENDERS = 3 };

typedef struct order {
  uint64_t last, calls;
  uint64_t positions[EACH * SENDERS];
} order;

static void note_order(void *user_data, const mainstem_event *event) {
  order *self = (order *)user_data;
  EXPECT(event->position > self->last);
  self->last = event->position;
  self->positions[self->calls++] = event->position;
}

static void *send_many(void *data) {
  const stream *on = (const stream *)data;
  for (int i = 0; i < EACH; i++) {
    EXPECT_OK(mainstem_send(on->context, i % 3 == 0 ? on->other : on->notice, &i, sizeof i));
  }
  return NULL;
}

/* Catches: a position taken outside the claim, two deliverers at once, an event dropped. */
CASE(threads_share_one_order, IN_ANY) {
  static order first, second;
  stream on = stream_open(threads);
  pthread_t thread[SENDERS];
  memset(&first, 0, sizeof first);
  memset(&second, 0, sizeof second);
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, note_order, &first, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, note_order, &second, NULL, NULL));
  for (int i = 0; i < SENDERS; i++) thread[i] = beside(send_many, &on);
  for (int i = 0; i < SENDERS; i++) join(thread[i]);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(first.calls, EACH * SENDERS);
  EXPECT_EQUAL(first.last, EACH * SENDERS);
  EXPECT(memcmp(first.positions, second.positions, sizeof first.positions) == 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *send_one(void *data) {
  const stream *on = (const stream *)data;
  EXPECT_OK(mainstem_send(on->context, on->notice, "", 0));
  return NULL;
}

static void send_in_turn_with_another(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  if (event->position != 1) return;
  for (int i = 0; i < 2; i++) {
    join(beside(send_one, on));
    EXPECT_OK(mainstem_send(event->context, on->notice, "", 0));
  }
}

/* Catches: a queue of the callbacks' own sends that goes before what other threads sent earlier. */
CASE(callbacks_and_threads_share_one_order, IN_ANY) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  witness_observe(&a, on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_observe(on.context, on.notice, send_in_turn_with_another, &on, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a2 a3 a4 a5");
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

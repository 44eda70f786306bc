// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 5, cancel is final; acceptance: no later call, one release hook, in its place. */

#include "elsewhere.h"
#include "transcript.h"

typedef struct canceller {
  stream on;
  mainstem_subscription *target, *second;
  witness *witness;
} canceller;

static void call_back_in(void *user_data) {
  canceller *self = (canceller *)user_data;
  transcript_add(self->witness->transcript, "~t(");
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_OK(mainstem_cancel(self->second));
  witness_observe(self->witness, self->on.context, self->on.notice);
  transcript_add(self->witness->transcript, ")");
}

/* Catches: a hook called with a lock held (it hangs), or with the claim lost. */
CASE(a_hook_may_call_everything, IN_BOTH) {
  canceller self;
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  witness t = {&seen, "t", NULL, NULL};
  self.on = stream_open(threads);
  self.witness = &b;
  self.second = witness_observe(&a, self.on.context, self.on.notice);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, witness_event, &t, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.on.context, self.on.other, witness_event, &self, call_back_in,
                             &self.target));
  EXPECT_OK(mainstem_cancel(self.target));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT(strstr(seen.text, "~t(") == seen.text);
  EXPECT(strstr(seen.text, "t1") != NULL);
  EXPECT(strstr(seen.text, "t2 b2") != NULL);
  EXPECT(strstr(seen.text, "~a") != NULL);
  EXPECT(strstr(seen.text, "a2") == NULL);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

typedef struct crossing {
  stream on;
  sem_t entered, leave, asked;
  mainstem_subscription *subscription;
  int calls, hooks, ended;
  pthread_t hook_thread;
} crossing;

static void stay_inside(void *user_data, const mainstem_event *event) {
  crossing *self = (crossing *)user_data;
  self->calls++;
  signal_give(&self->entered);
  signal_take(&self->leave);
  for (int i = 0; i < 2000; i++) sched_yield(); /* Lets a canceller that does not wait be seen. */
  __atomic_store_n(&self->ended, 1, __ATOMIC_SEQ_CST);
}

static void note_hook(void *user_data) {
  crossing *self = (crossing *)user_data;
  self->hook_thread = pthread_self();
  EXPECT_EQUAL(__atomic_load_n(&self->ended, __ATOMIC_SEQ_CST), 1);
  __atomic_add_fetch(&self->hooks, 1, __ATOMIC_SEQ_CST);
}

static void *send_one(void *data) {
  crossing *self = (crossing *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  return NULL;
}

static void crossing_open(crossing *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  signal_open(&self->entered);
  signal_open(&self->leave);
  signal_open(&self->asked);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, stay_inside, self, note_hook,
                             &self->subscription));
}

/* Catches: a cancel that waits (it would hang here), or a hook that does not wait for the call. */
CASE(cancel_beside_a_running_call_returns_at_once, IN_ANY) {
  crossing self;
  crossing_open(&self, threads);
  pthread_t other = beside(send_one, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_cancel(self.subscription));
  EXPECT_EQUAL(__atomic_load_n(&self.hooks, __ATOMIC_SEQ_CST), 0);
  EXPECT_STATUS(mainstem_cancel(self.subscription), MAINSTEM_STALE);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  signal_give(&self.leave);
  join(other);
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_EQUAL(self.hooks, 1);
  EXPECT(pthread_equal(self.hook_thread, other));
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_EQUAL(self.hooks, 1);
}

static void *cancel_and_wait(void *data) {
  crossing *self = (crossing *)data;
  signal_give(&self->asked);
  EXPECT_OK(mainstem_cancel_wait(self->subscription));
  EXPECT_EQUAL(__atomic_load_n(&self->ended, __ATOMIC_SEQ_CST), 1);
  EXPECT_EQUAL(__atomic_load_n(&self->hooks, __ATOMIC_SEQ_CST), 1);
  return NULL;
}

/* Catches: a cancel_wait that returns before the call has ended or the hook has run. */
CASE(cancel_wait_returns_after_call_and_hook, IN_ANY) {
  for (int cancelled_before = 0; cancelled_before < 2; cancelled_before++) {
    crossing self;
    crossing_open(&self, threads);
    pthread_t sender = beside(send_one, &self);
    signal_take(&self.entered);
    if (cancelled_before) EXPECT_OK(mainstem_cancel(self.subscription));
    pthread_t waiter = beside(cancel_and_wait, &self);
    signal_take(&self.asked);
    signal_give(&self.leave);
    join(waiter);
    join(sender);
    EXPECT_EQUAL(self.calls, 1);
    EXPECT_STATUS(mainstem_cancel_wait(self.subscription), MAINSTEM_STALE);
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_EQUAL(self.hooks, 1);
  }
}

static void *cancel_elsewhere(void *data) {
  EXPECT_OK(mainstem_cancel((mainstem_subscription *)data));
  EXPECT_STATUS(mainstem_cancel((mainstem_subscription *)data), MAINSTEM_STALE);
  return NULL;
}

static void next_call(stream *on, int which) {
  size_t count;
  witness quiet = {NULL, "q", NULL, NULL};
  mainstem_subscription *none = NULL;
  if (which == 0) EXPECT_OK(mainstem_send(on->context, on->notice, "", 0));
  if (which == 1) EXPECT_OK(mainstem_drain(on->context, 0, &count));
  if (which == 2) {
    EXPECT_OK(mainstem_observe(on->context, on->other, witness_event, &quiet, NULL, &none));
  }
  if (which == 3) EXPECT_OK(mainstem_context_close(on->context));
}

/* Catches: a hook run on the foreign thread, never, or twice; a call decided after cancel. */
CASE(a_cancel_from_a_foreign_thread_hooks_on_the_owner, IN_ONE) {
  for (int which = 0; which < 4; which++) {
    stream on = stream_open(threads);
    transcript seen = {0, ""};
    witness a = {&seen, "a", NULL, NULL};
    mainstem_subscription *subscription = witness_observe(&a, on.context, on.notice);
    elsewhere(cancel_elsewhere, subscription);
    EXPECT_TEXT(seen.text, "");
    next_call(&on, which);
    EXPECT_TEXT(seen.text, "~a");
    if (which != 3) EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_TEXT(seen.text, "~a");
  }
}

enum { SENDS = 1000000 };

typedef struct race {
  stream on;
  mainstem_subscription *subscription;
  uint64_t calls, hooks;
  sem_t running;
} race;

static void count_call(void *user_data, const mainstem_event *event) {
  race *self = (race *)user_data;
  if (event->position == 1000) signal_give(&self->running);
  EXPECT_EQUAL(__atomic_load_n(&self->hooks, __ATOMIC_SEQ_CST), 0);
  __atomic_add_fetch(&self->calls, 1, __ATOMIC_SEQ_CST);
}

static void count_hook(void *user_data) {
  race *self = (race *)user_data;
  __atomic_add_fetch(&self->hooks, 1, __ATOMIC_SEQ_CST);
}

static void *send_flat_out(void *data) {
  race *self = (race *)data;
  for (int i = 0; i < SENDS; i++) {
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  }
  return NULL;
}

/* Catches: calls decided after cancel returned: a flag read too early or not at all. */
CASE(at_most_the_decided_call_follows_a_cancel, IN_ANY) {
  race self = {0};
  self.on = stream_open(threads);
  signal_open(&self.running);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, count_call, &self, count_hook,
                             &self.subscription));
  pthread_t other = beside(send_flat_out, &self);
  signal_take(&self.running);
  EXPECT_OK(mainstem_cancel(self.subscription));
  uint64_t calls = __atomic_load_n(&self.calls, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT(self.calls <= calls + 1);
  EXPECT_EQUAL(self.hooks, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_EQUAL(self.hooks, 1);
}

int main(void) { return expect_all(); }

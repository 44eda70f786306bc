// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 12, closed is closed; acceptance A-18: the last deliveries, the hooks, and STALE for ever. */

#include "asking.h"
#include "elsewhere.h"
#include "transcript.h"

#include <fcntl.h>

static void send_inside_close(void *user_data) {
  stream *on = (stream *)user_data;
  EXPECT_STATUS(mainstem_send(on->context, on->notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_post(on->context, on->notice, "", 0), MAINSTEM_STALE);
  mainstem_status status = mainstem_context_close(on->context);
  EXPECT(status == MAINSTEM_BUSY || status == MAINSTEM_STALE);
}

/* Catches: posts lost at close, a send let in behind the door, a hook that could hang in close. */
CASE(close_is_the_last_drain, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_observe_options options = {.size = sizeof options};
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_observe_with(on.context, &options, witness_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, witness_event, &on, send_inside_close, NULL));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT(strncmp(seen.text, "a2 a3", 5) == 0);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
}

typedef struct last_words {
  stream on;
  transcript seen;
  mainstem_subscription *observer, *mailbox;
  mainstem_timer *timer;
  mainstem_retained *kept;
  mainstem_context *scope;
  int calls;
} last_words;

static void end_what_is_left(void *user_data, const mainstem_event *event) {
  last_words *self = (last_words *)user_data;
  mainstem_subscription_stats counted = {.size = sizeof counted};
  uint64_t number;
  int64_t timeout_ms = 0;
  self->calls++;
  EXPECT_STATUS(event->status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_subscription_from(self->observer, &number));
  EXPECT_OK(mainstem_subscription_stats_read(self->mailbox, &counted));
  EXPECT_EQUAL(counted.waiting, 1);
  EXPECT_OK(mainstem_context_next_timeout(event->context, &timeout_ms));
  EXPECT_EQUAL(timeout_ms, -1);
  EXPECT_OK(mainstem_cancel(self->observer));
  EXPECT_STATUS(mainstem_cancel(self->observer), MAINSTEM_STALE);
  EXPECT_OK(mainstem_cancel(self->mailbox));
  EXPECT_OK(mainstem_timer_cancel(self->timer));
  EXPECT_STATUS(mainstem_timer_cancel(self->timer), MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, NULL));
  EXPECT_STATUS(mainstem_cancel_wait(self->observer), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scope_end(self->scope), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_send(event->context, self->on.notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_post_from_interrupt(event->context, self->on.notice, "", 0),
                MAINSTEM_STALE); /* Not UNSUPPORTED, though it was never prepared. */
  EXPECT_STATUS(mainstem_history_keep(event->context, self->on.notice, 1, 0), MAINSTEM_STALE);
}

/* Catches: a last callback that cannot let go of what it has; a hook that runs twice then. */
CASE(the_last_callbacks_may_end_what_they_have, IN_BOTH) {
  last_words self = {.on = stream_open(threads)};
  witness a = {&self.seen, "a", NULL, NULL}, m = {&self.seen, "m", NULL, NULL};
  keeper kept = {0, {NULL}};
  const stream *on = &self.on;
  keeper_serve(&kept, on);
  self.scope = scope_open(on->context, "Scope");
  self.observer = witness_observe(&a, on->context, on->other);
  EXPECT_OK(mainstem_observe_with(
      on->context,
      OPTIONS(observe, .scheduler = MAINSTEM_SCHEDULER_HOST, .types = &on->notice, .type_count = 1),
      NULL, &m, witness_release, &self.mailbox));
  EXPECT_OK(mainstem_send_after(on->context, on->notice, "", 0, 3600000, 0, &self.timer));
  EXPECT_OK(mainstem_send(on->context, on->notice, "", 0));
  EXPECT_OK(mainstem_request(on->context, on->ask, "", 0, end_what_is_left, &self, NULL));
  self.kept = kept.kept[0];
  EXPECT_OK(mainstem_context_close(on->context));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_TEXT(self.seen.text, "~a ~m");
  EXPECT_STATUS(mainstem_retained_release(self.kept), MAINSTEM_STALE);
}

static void respond_too_late(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  EXPECT_STATUS(mainstem_respond(event, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond_error(event, MAINSTEM_APP, NULL), MAINSTEM_STALE);
}

/* Catches: an event that is no request and is refused as INVALID, whatever the context does: a replay would differ. */
CASE(nothing_is_answered_while_the_context_closes, IN_BOTH) {
  int calls = 0;
  stream on =
      stream_of(CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST));
  mainstem_context *scope = scope_open(on.context, "Scope");
  mainstem_event_type value =
      type_open(on.context, "Scope.value", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_observe_with(on.context, OPTIONS(observe, .types = NULL), respond_too_late,
                                  &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.ask, "", 0));
  EXPECT_OK(mainstem_value_set_integer(scope, value, 1)); /* So its end is an event. */
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(calls, 4);
}

static void all_is_stale(const stream *on, mainstem_context *scope,
                         mainstem_subscription *subscription, mainstem_pending *pending,
                         mainstem_retained *kept) {
  const mainstem_event *event;
  uint64_t position;
  EXPECT_STATUS(mainstem_context_close(on->context), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_send(on->context, on->notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_post(on->context, on->notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_drain(on->context, 0, NULL), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_wait(on->context, -1), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_flush(on->context), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_send(scope, on->notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_scope_end(scope), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_cancel_wait(subscription), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_pending_cancel(pending), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_pending_position(pending, &position), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_retained_event(kept, &event), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_retained_release(kept), MAINSTEM_STALE);
}

/* Catches: a generation that is not raised at the end, or that a new context brings back. */
CASE(every_handle_is_stale_for_ever, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_context *scope = scope_open(on.context, "Scope");
  mainstem_subscription *subscription = witness_observe(&a, scope, on.notice);
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_context_close(on.context));
  all_is_stale(&on, scope, subscription, one.pending, kept.kept[0]);
  for (int i = 0; i < 300; i++) {
    stream next = stream_open(threads);
    keeper other = {0, {NULL}};
    asking two;
    scope = scope_open(next.context, "Scope");
    EXPECT_OK(mainstem_observe(scope, next.notice, asking_answered, &two, NULL, NULL));
    keeper_serve(&other, &next);
    asking_ask(&two, &next);
    EXPECT(next.context != on.context && other.kept[0] != kept.kept[0]);
    EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
    EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_STALE);
    EXPECT_STATUS(mainstem_pending_cancel(one.pending), MAINSTEM_STALE);
    EXPECT_STATUS(mainstem_retained_release(kept.kept[0]), MAINSTEM_STALE);
    EXPECT_OK(mainstem_context_close(next.context));
  }
  EXPECT_TEXT(seen.text, "~a");
}

/* Catches: a descriptor left open, or closed twice (it could be somebody else's by then). */
CASE(the_descriptor_ends_with_the_context, IN_BOTH) {
  stream on = stream_open(threads);
  int fd = -1, taken;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  EXPECT(fcntl(fd, F_GETFD) != -1);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(fcntl(fd, F_GETFD), -1);
  taken = dup2(0, fd);
  EXPECT_EQUAL(taken, fd);
  EXPECT_STATUS(mainstem_context_close(on.context), MAINSTEM_STALE);
  EXPECT(fcntl(fd, F_GETFD) != -1);
  EXPECT_EQUAL(close(fd), 0);
}

typedef struct closing {
  stream on;
  sem_t entered, leave, asked;
  int ended, closed;
  mainstem_status status;
} closing;

static void stay_inside(void *user_data, const mainstem_event *event) {
  closing *self = (closing *)user_data;
  signal_give(&self->entered);
  signal_take(&self->leave);
  for (int i = 0; i < 2000; i++) sched_yield(); /* Lets a close that does not wait be seen. */
  EXPECT_EQUAL(__atomic_load_n(&self->closed, __ATOMIC_SEQ_CST), 0);
  __atomic_store_n(&self->ended, 1, __ATOMIC_SEQ_CST);
}

static void *send_one(void *data) {
  closing *self = (closing *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  return NULL;
}

static void *close_beside(void *data) {
  closing *self = (closing *)data;
  signal_give(&self->asked);
  self->status = mainstem_context_close(self->on.context);
  if (self->status != MAINSTEM_OK) return NULL;
  __atomic_store_n(&self->closed, 1, __ATOMIC_SEQ_CST);
  EXPECT_EQUAL(__atomic_load_n(&self->ended, __ATOMIC_SEQ_CST), 1);
  return NULL;
}

/* Catches: memory freed under a running callback (also an ASan report). */
CASE(close_waits_for_the_running_callback, IN_ANY) {
  closing self = {0};
  self.on = stream_open(threads);
  signal_open(&self.entered);
  signal_open(&self.leave);
  signal_open(&self.asked);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, stay_inside, &self, NULL, NULL));
  pthread_t sender = beside(send_one, &self);
  signal_take(&self.entered);
  pthread_t closer = beside(close_beside, &self);
  signal_take(&self.asked);
  signal_give(&self.leave);
  join(closer);
  join(sender);
  EXPECT_STATUS(self.status, MAINSTEM_OK);
  EXPECT_STATUS(mainstem_context_close(self.on.context), MAINSTEM_STALE);
}

typedef struct closer {
  mainstem_context *context;
  mainstem_event_type type;
  pthread_barrier_t *start;
  mainstem_status status;
} closer;

static void *close_in_a_race(void *data) {
  closer *self = (closer *)data;
  pthread_barrier_wait(self->start);
  self->status = mainstem_context_close(self->context);
  return NULL;
}

static void *send_in_a_race(void *data) {
  closer *self = (closer *)data;
  pthread_barrier_wait(self->start);
  do {
    self->status = mainstem_send(self->context, self->type, "", 0);
  } while (self->status == MAINSTEM_OK);
  return NULL;
}

static void count_call(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

static void add_a_billion(void *user_data) { *(int *)user_data += 1000000000; }

/* Catches: two closers that both succeed, and a sender that enters a context being freed. */
CASE(of_racing_closers_one_closes, IN_ANY) {
  for (int round = 0; round < 100; round++) {
    pthread_barrier_t start;
    int calls = 0;
    stream on = stream_open(threads);
    EXPECT_EQUAL(pthread_barrier_init(&start, NULL, 3), 0);
    EXPECT_OK(mainstem_observe(on.context, on.notice, count_call, &calls, add_a_billion, NULL));
    closer a = {on.context, on.notice, &start, -1}, b = a, c = a;
    pthread_t first = beside(close_in_a_race, &a), second = beside(close_in_a_race, &b);
    pthread_t third = beside(send_in_a_race, &c);
    join(first);
    join(second);
    join(third);
    EXPECT_EQUAL((a.status == MAINSTEM_OK) + (b.status == MAINSTEM_OK), 1);
    EXPECT_EQUAL((a.status == MAINSTEM_STALE) + (b.status == MAINSTEM_STALE), 1);
    EXPECT_STATUS(c.status, MAINSTEM_STALE);
    EXPECT(calls >= 1000000000);
    EXPECT_EQUAL(pthread_barrier_destroy(&start), 0);
  }
}

/* Catches: a close that undoes what is not there. */
CASE(an_empty_context_closes, IN_BOTH) {
  EXPECT_OK(mainstem_context_close(NULL));
  EXPECT_OK(mainstem_context_close(context_open(threads)));
}

int main(void) { return expect_all(); }

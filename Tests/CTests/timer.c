// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Timers: once, periodic, cancel, by the machine's clock; mission: SIGSTOP catch-up of one. */

#include "elsewhere.h"
#include "transcript.h"

#include <poll.h>
#include <time.h>

static int fd_of(mainstem_context *context) {
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(context, &fd));
  return fd;
}

static int64_t next_timeout(mainstem_context *context) {
  int64_t timeout_ms = -2;
  EXPECT_OK(mainstem_context_next_timeout(context, &timeout_ms));
  return timeout_ms;
}

static mainstem_timer *after(const stream *on, mainstem_context *through, int64_t delay_ms) {
  mainstem_timer *timer = NULL;
  EXPECT_OK(mainstem_send_after(through, on->notice, "x", 1, delay_ms, 0, &timer));
  EXPECT(timer != NULL);
  return timer;
}

static void be_outside(void *user_data, const mainstem_event *event) {
  EXPECT_EQUAL(event->cause, 0);
  EXPECT_EQUAL(event->correlation, event->position);
  EXPECT(event->flags & MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(event->size, 1);
  EXPECT_EQUAL(*(const char *)event->data, 'x');
}

/* Catches: a timer outside of drains, one without a turn of its own, a payload that is not copied. */
CASE(a_timer_fires_inside_a_drain, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", be_outside, NULL};
  char payload[] = "x";
  size_t count;
  mainstem_timer *timer;
  witness_observe(&a, on.context, on.notice);
  EXPECT_OK(mainstem_send_after(on.context, on.notice, payload, 1, 0, 0, &timer));
  payload[0] = 'y';
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_TEXT(seen.text, "");
  EXPECT_EQUAL(stats_of(on.context).timers, 1);
  EXPECT_EQUAL(next_timeout(on.context), 0);
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 1);
  EXPECT_TEXT(seen.text, "a2( )");
  EXPECT_STATUS(mainstem_timer_cancel(timer), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  EXPECT_EQUAL(next_timeout(on.context), -1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a wait or a descriptor that knows nothing of timers; one that wakes for a cancelled one. */
CASE(a_wait_and_the_descriptor_know_of_timers, IN_BOTH) {
  stream on = stream_open(threads);
  struct pollfd poller = {-1, POLLIN, 0};
  after(&on, on.context, 5);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_EQUAL(stats_of(on.context).events, 1);
  after(&on, on.context, 5);
  poller.fd = fd_of(on.context);
  EXPECT_EQUAL(poll(&poller, 1, -1), 1);
  EXPECT_EQUAL(poll(&poller, 1, -1), 1);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_EQUAL(poll(&poller, 1, 0), 0);
  after(&on, on.context, 5);
  EXPECT_EQUAL(poll(&poller, 1, -1), 1);
  EXPECT_OK(mainstem_wait(on.context, 0));
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_OK(mainstem_timer_cancel(after(&on, on.context, 1)));
  EXPECT_EQUAL(poll(&poller, 1, 20), 0);
  EXPECT_STATUS(mainstem_wait(on.context, 20), MAINSTEM_TIMEOUT);
  after(&on, on.context, INT64_MAX);
  EXPECT_STATUS(mainstem_wait(on.context, 1), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct nested {
  int fd, looks;
} nested;

static void look(void *user_data, const mainstem_event *event) {
  nested *self = (nested *)user_data;
  struct pollfd poller = {self->fd, POLLIN, 0};
  mainstem_timer *timer;
  EXPECT_OK(mainstem_send_after(event->context, event->type, "x", 1, 0, 0, &timer));
  EXPECT_EQUAL(poll(&poller, 1, 5), 0); /* A loop inside the callback must not spin. */
  EXPECT_OK(mainstem_timer_cancel(timer));
  self->looks++;
}

CASE(while_a_drain_runs_the_descriptor_is_quiet, IN_BOTH) {
  stream on = stream_open(threads);
  nested self = {fd_of(on.context), 0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, look, &self, NULL, NULL));
  after(&on, on.context, 0);
  after(&on, on.context, 1);
  while (self.looks < 2) EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void ring(void *user_data) { ++*(int *)user_data; }

/* Catches: a loop that sleeps past a timer armed meanwhile, or is woken for each. */
CASE(the_wake_hook_tells_of_an_earlier_timer, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &calls, NULL));
  after(&on, on.context, 1000000);
  EXPECT_EQUAL(calls, 1);
  after(&on, on.context, 2000000);
  after(&on, on.context, 500000);
  EXPECT_OK(mainstem_post(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(calls, 1); /* Once until it drains. */
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT(next_timeout(on.context) > 0 && next_timeout(on.context) <= 500000);
  after(&on, on.context, 500000);
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_timer_cancel(after(&on, on.context, 1000)));
  EXPECT_EQUAL(calls, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void sleep_ms(int ms) {
  struct timespec left = {ms / 1000, ms % 1000 * 1000000L};
  while (nanosleep(&left, &left) != 0) continue;
}

/* Catches: a burst of events after the process stood still, and missed times that nobody counts. */
CASE(a_late_periodic_timer_fires_once, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_timer *timer;
  size_t count;
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "x", 1, 1, 1, &timer));
  sleep_ms(20); /* What a SIGSTOP does to a program. */
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 1);
  EXPECT(stats_of(on.context).timers_missed >= 18);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_EQUAL(stats_of(on.context).timers, 1);
  EXPECT_OK(mainstem_timer_cancel(timer));
  EXPECT_STATUS(mainstem_timer_cancel(timer), MAINSTEM_STALE);
  EXPECT_EQUAL(next_timeout(on.context), -1);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct ending {
  mainstem_timer *timer;
  int calls;
} ending;

static void cancel_itself(void *user_data, const mainstem_event *event) {
  ending *self = (ending *)user_data;
  EXPECT_OK(mainstem_timer_cancel(self->timer));
  EXPECT_STATUS(mainstem_timer_cancel(self->timer), MAINSTEM_STALE);
  EXPECT_EQUAL(*(const char *)event->data, 'x'); /* The payload lives as long as the callback. */
  self->calls++;
}

/* Catches: memory of a timer freed under its own event. */
CASE(a_timer_may_be_cancelled_by_its_own_event, IN_BOTH) {
  stream on = stream_open(threads);
  ending self = {NULL, 0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, cancel_itself, &self, NULL, NULL));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "x", 1, 1, 1, &self.timer));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_STATUS(mainstem_wait(on.context, 5), MAINSTEM_TIMEOUT);
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void name_origin(void *user_data, const mainstem_event *event) {
  const char *name = NULL;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  EXPECT_TEXT(name, "Clockwork");
  ++*(int *)user_data;
}

/* Catches: an origin of the wrong scope; a timer that outlives its scope, or its context. */
CASE(a_timer_ends_with_its_scope, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope, *child;
  mainstem_timer *timer, *last;
  int calls = 0;
  scope = scope_open(on.context, "Clockwork");
  child = scope_open(scope, "Child");
  EXPECT_OK(mainstem_observe(on.context, on.notice, name_origin, &calls, NULL, NULL));
  after(&on, scope, 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 1);
  after(&on, scope, 0);
  timer = after(&on, child, 0);
  last = after(&on, on.context, 1000000);
  EXPECT_EQUAL(stats_of(on.context).timers, 3);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(stats_of(on.context).timers, 1);
  EXPECT_STATUS(mainstem_timer_cancel(timer), MAINSTEM_STALE);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 1);
  after(&on, on.context, 0); /* Due, but closing fires nothing. */
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(calls, 1);
  EXPECT_STATUS(mainstem_timer_cancel(last), MAINSTEM_STALE);
}

/* Catches: a cancel that looks through all: this would take hours; of a tenth, under a sanitizer, minutes. */
CASE(a_million_timers_are_armed_and_cancelled, IN_BOTH) {
  const int many = getenv("MAINSTEM_FEW_FAULTS") ? 100000 : 1000000;
  stream on = stream_open(threads);
  mainstem_timer **timers = (mainstem_timer **)malloc((size_t)many * sizeof *timers);
  EXPECT(timers != NULL);
  for (int i = 0; i < many; i++)
    timers[i] = after(&on, on.context, 3600000 + (int64_t)i * 7919 % 1000003);
  EXPECT_EQUAL(stats_of(on.context).timers, many);
  for (int i = 0; i < many; i++) EXPECT_OK(mainstem_timer_cancel(timers[(int64_t)i * 7 % many]));
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  EXPECT_EQUAL(next_timeout(on.context), -1);
  free(timers);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *cancel_elsewhere(void *data) {
  EXPECT_OK(mainstem_timer_cancel((mainstem_timer *)data));
  return NULL;
}

CASE(any_thread_may_cancel, IN_BOTH) {
  stream on = stream_open(threads);
  elsewhere(cancel_elsewhere, after(&on, on.context, 0));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(stats_of(on.context).events, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *arm_soon(void *data) {
  const stream *on = (const stream *)data;
  after(on, on->context, 1);
  return NULL;
}

/* Catches: a wait that sleeps past a timer which another thread arms meanwhile. */
CASE(a_wait_learns_of_a_timer_of_another_thread, IN_ANY) {
  stream on = stream_open(threads);
  after(&on, on.context, 3600000);
  for (uint64_t i = 1; i <= 100; i++) {
    pthread_t other = beside(arm_soon, &on);
    EXPECT_OK(mainstem_wait(on.context, -1));
    join(other);
    EXPECT_EQUAL(stats_of(on.context).events, i);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What one subscription counts, and how long its calls take, seen from another thread too. */

#include "elsewhere.h"
#include "scheduled.h"

static mainstem_context *timed_open(uint32_t threads, mainstem_event_type *type) {
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_TIMING);
  *type = type_open(context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  return context;
}

static mainstem_subscription_stats read_stats(mainstem_subscription *subscription) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(subscription, &stats));
  return stats;
}

static void look(void *user_data, const mainstem_event *event) {}

static void fail(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, "no"));
}

/* Catches: a queue whose events or bytes are not counted out again, losses counted as deliveries. */
CASE(a_queue_is_counted, IN_BOTH) {
  stream on = stream_open(threads);
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST,
                   .policy = MAINSTEM_QUEUE_DROP_OLDEST,
                   .limit_events = 3};
  mainstem_subscription *it = observe_on(on.context, on.notice, &how, fail, NULL, NULL);
  for (int i = 0; i < 5; i++) EXPECT_OK(send_text(on.context, on.notice, "four"));
  mainstem_subscription_stats stats = read_stats(it);
  EXPECT_EQUAL(stats.flags, MAINSTEM_SUBSCRIPTION_SCHEDULED);
  EXPECT_EQUAL(stats.waiting, 3);
  EXPECT_EQUAL(stats.waiting_bytes, 12);
  EXPECT_EQUAL(stats.dropped, 2);
  EXPECT_EQUAL(stats.delivered, 0);
  EXPECT_EQUAL(drained(on.context, 2), 2); /* The gap, and one event. */
  stats = read_stats(it);
  EXPECT_EQUAL(stats.delivered, 1);
  EXPECT_EQUAL(stats.failed, 2);
  EXPECT_EQUAL(stats.waiting, 2);
  EXPECT_EQUAL(drained(on.context, 0), 2);
  stats = read_stats(it);
  EXPECT_EQUAL(stats.delivered + stats.dropped, 5);
  EXPECT_EQUAL(stats.waiting + stats.waiting_bytes, 0);
  EXPECT_EQUAL(stats.total_ns, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(an_immediate_observer_counts_failures, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *it;
  EXPECT_OK(mainstem_observe(on.context, on.notice, fail, NULL, NULL, &it));
  for (int i = 0; i < 3; i++) EXPECT_OK(send_text(on.context, on.notice, ""));
  mainstem_subscription_stats stats = read_stats(it);
  EXPECT_EQUAL(stats.failed, 3);
  EXPECT_EQUAL(stats.flags, 0);
  EXPECT_OK(mainstem_cancel(it));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a way to observe that forgets the clock; a call that is never seen to end. */
CASE(calls_are_timed_where_asked_for, IN_BOTH) {
  mainstem_event_type type;
  mainstem_context *context = timed_open(threads, &type);
  mainstem_subscription_stats stats;
  for (int round = 0; round < 3; round++) { /* Again in memory that was used before. */
    mainstem_subscription *immediate, *queued;
    EXPECT_OK(mainstem_observe(context, type, look, NULL, NULL, &immediate));
    queued = witness_on(&(witness){&(transcript){0}, "q", NULL, NULL}, context, type,
                        MAINSTEM_SCHEDULER_HOST);
    for (int i = 0; i < 10; i++) EXPECT_OK(send_text(context, type, ""));
    stats = read_stats(immediate);
    EXPECT_EQUAL(stats.flags, MAINSTEM_SUBSCRIPTION_TIMED);
    EXPECT_EQUAL(stats.delivered, 10);
    EXPECT_EQUAL(stats.current_ns, 0);
    EXPECT(stats.total_ns > 0 && stats.longest_ns > 0 && stats.longest_ns <= stats.total_ns);
    EXPECT_OK(mainstem_cancel(immediate));
    EXPECT_EQUAL(read_stats(queued).total_ns, 0);
    EXPECT_EQUAL(drained(context, 0), 10);
    stats = read_stats(queued);
    EXPECT_EQUAL(stats.flags, MAINSTEM_SUBSCRIPTION_TIMED | MAINSTEM_SUBSCRIPTION_SCHEDULED);
    EXPECT_EQUAL(stats.delivered, 10);
    EXPECT(stats.total_ns > 0 && stats.longest_ns <= stats.total_ns);
    EXPECT_OK(mainstem_cancel(queued));
  }
  EXPECT_OK(mainstem_context_close(context));
}

typedef struct stuck {
  mainstem_subscription *it;
  sem_t entered, go;
} stuck;

static void get_stuck(void *user_data, const mainstem_event *event) {
  stuck *self = (stuck *)user_data;
  signal_give(&self->entered);
  signal_take(&self->go);
}

/* The watchdog: on a thread of its own, in a context of one thread too. */
static void *watch(void *data) {
  stuck *self = (stuck *)data;
  signal_take(&self->entered);
  uint64_t before = read_stats(self->it).current_ns;
  EXPECT(before > 0);
  while (read_stats(self->it).current_ns <= before) {
  } /* It grows while nothing moves. */
  EXPECT_EQUAL(read_stats(self->it).delivered, 0);
  signal_give(&self->go);
  return NULL;
}

CASE(a_callback_that_does_not_return_is_seen, IN_BOTH) {
  mainstem_event_type type;
  mainstem_context *context = timed_open(threads, &type);
  stuck self;
  signal_open(&self.entered);
  signal_open(&self.go);
  EXPECT_OK(mainstem_observe(context, type, get_stuck, &self, NULL, &self.it));
  pthread_t watchdog = beside(watch, &self);
  EXPECT_OK(send_text(context, type, ""));
  join(watchdog);
  EXPECT_EQUAL(read_stats(self.it).current_ns, 0);
  EXPECT_EQUAL(read_stats(self.it).delivered, 1);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

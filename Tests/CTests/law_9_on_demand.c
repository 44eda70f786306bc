// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Observers that ask for their events: nothing comes unasked, and what waits stays bounded. */

#include "elsewhere.h"
#include "scheduled.h"

#include <poll.h>

static const scheduled on_host = {.scheduler = MAINSTEM_SCHEDULER_HOST,
                                  .flags = MAINSTEM_OBSERVE_ON_DEMAND};

static mainstem_subscription *reader_on(stream *on, const scheduled *how, transcript *seen) {
  return observe_on(on->context, on->notice, how, read_event, seen, NULL);
}

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "12345678", 8));
}

CASE(nothing_comes_unasked, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  mainstem_subscription *subscription = reader_on(&on, &on_host, &seen);
  send_notice(&on, 4);
  EXPECT_EQUAL(drained(on.context, 0), 0);
  EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  EXPECT_TEXT(seen.text, "");
  EXPECT_EQUAL(drained(on.context, 0), 1);
  EXPECT_OK(mainstem_subscription_demand(subscription, 2));
  EXPECT_EQUAL(drained(on.context, 0), 2);
  EXPECT_TEXT(seen.text, "1 2 3");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(what_was_asked_for_before_adds_up, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  mainstem_subscription *subscription = reader_on(&on, &on_host, &seen);
  EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  EXPECT_OK(mainstem_subscription_demand(subscription, 2));
  send_notice(&on, 5);
  EXPECT_EQUAL(drained(on.context, 0), 3);
  EXPECT_OK(mainstem_subscription_demand(subscription, UINT64_MAX));
  EXPECT_OK(mainstem_subscription_demand(subscription, UINT64_MAX));
  send_notice(&on, 2);
  EXPECT_EQUAL(drained(on.context, 0), 4);
  EXPECT_TEXT(seen.text, "1 2 3 4 5 6 7");
  EXPECT_OK(mainstem_context_close(on.context));
}

static int is_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

CASE(the_descriptor_tells_of_what_was_asked_for, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  int fd = -1;
  mainstem_subscription *subscription = reader_on(&on, &on_host, &seen);
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  send_notice(&on, 2);
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  EXPECT(is_readable(fd));
  drained(on.context, 0);
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_context_close(on.context));
}

static mainstem_context *virtual_open(uint32_t threads) {
  return CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
}

static void count_wake(void *user_data) { ++*(int *)user_data; }

/* With a virtual clock the host runs what serial schedulers would: it is told of what was asked for there, and of
   all that comes later. */
CASE(in_virtual_time_the_host_is_told_of_every_scheduler, IN_BOTH) {
  for (int serial = 0; serial < 2; serial++) {
    stream on = {virtual_open(threads), 0, 0, 0, 0};
    transcript seen = {0};
    scheduled how = on_host;
    int fd = -1, wakes = 0;
    on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
    if (serial) EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
    mainstem_subscription *subscription = reader_on(&on, &how, &seen);
    EXPECT_OK(mainstem_context_fd(on.context, &fd));
    EXPECT_OK(mainstem_context_on_wake(on.context, count_wake, &wakes, NULL));
    for (int round = 1; round <= 3; round++) {
      send_notice(&on, 2);
      EXPECT(!is_readable(fd));
      EXPECT_OK(mainstem_subscription_demand(subscription, 1));
      EXPECT(is_readable(fd));
      EXPECT_EQUAL(wakes, 4 * round - 3);
      EXPECT_EQUAL(drained(on.context, 0), 1);
      EXPECT(!is_readable(fd));
      EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
      EXPECT(is_readable(fd));
      EXPECT_EQUAL(wakes, 4 * round - 2);
      EXPECT_EQUAL(drained(on.context, 0), 1);
      EXPECT(!is_readable(fd));
      EXPECT_OK(mainstem_subscription_demand(subscription, 1));
      EXPECT_OK(mainstem_subscription_demand(subscription, 1));
      EXPECT_EQUAL(wakes, 4 * round - 1);
      EXPECT_EQUAL(drained(on.context, 0), 2);
      EXPECT_OK(mainstem_subscription_demand(subscription, 1));
      EXPECT(!is_readable(fd));
      EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
      EXPECT_EQUAL(wakes, 4 * round);
      EXPECT_EQUAL(drained(on.context, 0), 2);
      EXPECT(!is_readable(fd));
    }
    EXPECT_EQUAL(mainstem_wait(on.context, 0), MAINSTEM_TIMEOUT);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

/* A loss is one of the things asked for, and stands where it happened. */
CASE(the_oldest_is_lost_while_nobody_asks, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = on_host;
  how.policy = MAINSTEM_QUEUE_DROP_OLDEST;
  how.limit_events = 2;
  mainstem_subscription *subscription = reader_on(&on, &how, &seen);
  EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  send_notice(&on, 5);
  EXPECT_EQUAL(drained(on.context, 0), 1);
  EXPECT_TEXT(seen.text, "[1-3 3]");
  send_notice(&on, 1);
  EXPECT_OK(mainstem_subscription_demand(subscription, 9));
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "[1-3 3] [4-4 1] 5 6");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_full_queue_refuses_until_something_is_asked_for, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = on_host;
  how.limit_events = 2;
  mainstem_subscription *subscription = reader_on(&on, &how, &seen);
  send_notice(&on, 2);
  drained(on.context, 0);
  EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_FULL);
  EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  drained(on.context, 0);
  send_notice(&on, 1);
  EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_FULL);
  EXPECT_TEXT(seen.text, "1");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Another observer on the same scheduler gets its events, and keeps them when the first one ends. */
CASE(who_does_not_ask_holds_nobody_up, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0}, other = {0};
  scheduled plain = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  mainstem_subscription *subscription = reader_on(&on, &on_host, &seen);
  reader_on(&on, &plain, &other);
  send_notice(&on, 3);
  EXPECT_OK(mainstem_subscription_demand(subscription, 2));
  EXPECT_EQUAL(drained(on.context, 2), 2);
  EXPECT_OK(mainstem_cancel(subscription));
  drained(on.context, 0);
  send_notice(&on, 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "");
  EXPECT_TEXT(other.text, "1 2 3 4");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(only_so_many_then_it_ends, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = on_host;
  how.count = 2;
  mainstem_subscription *subscription = reader_on(&on, &how, &seen);
  send_notice(&on, 3);
  EXPECT_OK(mainstem_subscription_demand(subscription, 5));
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "1 2");
  EXPECT_STATUS(mainstem_subscription_demand(subscription, 1), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(only_those_that_said_so_may_ask, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled plain = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  mainstem_subscription *subscription = reader_on(&on, &plain, &seen);
  EXPECT_STATUS(mainstem_subscription_demand(subscription, 1), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_cancel(subscription));
  EXPECT_STATUS(mainstem_subscription_demand(subscription, 1), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_observe_with(on.context,
                                      OPTIONS(observe, .flags = MAINSTEM_OBSERVE_ON_DEMAND),
                                      read_event, &seen, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct asker {
  mainstem_subscription *subscription;
  sem_t ready, done;
  int calls;
} asker;

static void ask_for_the_next(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (self->calls == 0) signal_take(&self->ready);
  if (++self->calls == 5000) signal_give(&self->done);
  EXPECT_OK(mainstem_subscription_demand(self->subscription, 1));
}

CASE(on_a_thread_of_its_own_it_asks_for_one_after_the_other, IN_BOTH) {
  stream on = stream_open(threads);
  asker self = {NULL, {{0}}, {{0}}, 0};
  scheduled how = on_host;
  signal_open(&self.ready);
  signal_open(&self.done);
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
  self.subscription = observe_on(on.context, on.notice, &how, ask_for_the_next, &self, NULL);
  signal_give(&self.ready);
  EXPECT_OK(mainstem_subscription_demand(self.subscription, 1));
  send_notice(&on, 5000);
  signal_take(&self.done);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(self.calls, 5000);
}

int main(void) { return expect_all(); }

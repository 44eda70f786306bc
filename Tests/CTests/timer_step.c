// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A periodic timer on the machine's clock, whose host drains too late: it stays in step, and what it missed is
 * counted.
 *
 * This program is the clock: it defines clock_gettime, so it must not be built with a sanitizer.
 */

#include "stream.h"

#include <time.h>

enum { MS = 1000000 };

static int64_t now_ns = 1000 * (int64_t)MS;

int clock_gettime(clockid_t clock, struct timespec *time) {
  time->tv_sec = (time_t)(now_ns / 1000000000);
  time->tv_nsec = (long)(now_ns % 1000000000);
  return 0;
}

static void count_event(void *user_data, const mainstem_event *event) { ++*(uint64_t *)user_data; }

/* What comes when the host drains at a time, counted in nanoseconds from the arming. */
static uint64_t drained_at(mainstem_context *context, int64_t begin, int64_t time) {
  size_t count = 0;
  now_ns = begin + time;
  EXPECT_OK(mainstem_drain(context, 0, &count));
  return count;
}

/* Catches: a time counted from the late drain; a time at the very moment, made up for or lost. */
CASE(a_late_drain_moves_no_time, IN_BOTH) {
  stream on = stream_open(threads);
  int64_t begin = now_ns;
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "", 0, 10, 10, NULL));
  EXPECT_EQUAL(drained_at(on.context, begin, 10 * MS - 1), 0);
  EXPECT_EQUAL(drained_at(on.context, begin, 35 * MS), 1); /* Of 10, 20 and 30. */
  EXPECT_EQUAL(stats_of(on.context).timers_missed, 2);
  EXPECT_EQUAL(drained_at(on.context, begin, 40 * MS - 1), 0);
  EXPECT_EQUAL(drained_at(on.context, begin, 40 * MS), 1);
  EXPECT_EQUAL(stats_of(on.context).timers_missed, 2);
  EXPECT_EQUAL(drained_at(on.context, begin, 70 * MS), 1); /* Of 50, 60 and 70. */
  EXPECT_EQUAL(stats_of(on.context).timers_missed, 4);
  EXPECT_EQUAL(drained_at(on.context, begin, 80 * MS - 1), 0);
  EXPECT_EQUAL(drained_at(on.context, begin, 80 * MS), 1);
  EXPECT_EQUAL(stats_of(on.context).timers_missed, 4);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: what adds up: after many late drains each time is still a multiple of the period. */
CASE(nothing_adds_up, IN_BOTH) {
  stream on = stream_open(threads);
  const int64_t begin = now_ns, period = 7 * (int64_t)MS;
  int64_t time = 0, told = 0;
  uint64_t seen = 0, events = 0, chance = 88172645463325252u;
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_event, &seen, NULL, NULL));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "", 0, 7, 7, NULL));
  for (int i = 0; i < 10000; i++) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    time += (int64_t)(chance % (uint64_t)(3 * period));
    if (i % 5 == 0) time -= time % period; /* Right on time. */
    uint64_t is_due = time / period > told;
    EXPECT_EQUAL(drained_at(on.context, begin, time), is_due);
    told = time / period;
    events += is_due;
    EXPECT_EQUAL(seen, events);
    EXPECT_EQUAL(stats_of(on.context).timers_missed, (uint64_t)told - events);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

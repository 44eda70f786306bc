// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Queues that promise room, and what finds it. */

#ifndef PROMISED_H
#define PROMISED_H

#include "scheduled.h"

static inline mainstem_status send_one(stream *on) {
  return mainstem_send(on->context, on->notice, "12345678", 8);
}

static inline void send_all(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(send_one(on));
}

/* How many are let in before the queue is full. */
static inline void expect_room(stream *on, int times) {
  send_all(on, times);
  EXPECT_STATUS(send_one(on), MAINSTEM_FULL);
}

static inline mainstem_subscription *mailbox(stream *on, scheduled how) {
  how.scheduler = MAINSTEM_SCHEDULER_HOST;
  return observe_on(on->context, on->notice, &how, NULL, NULL, NULL);
}

static inline mainstem_subscription_stats stats_of_queue(mainstem_subscription *subscription) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(subscription, &stats));
  return stats;
}

#endif

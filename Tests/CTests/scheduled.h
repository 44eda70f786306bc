// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Observing on a scheduler. */

#ifndef SCHEDULED_H
#define SCHEDULED_H

#include "transcript.h"

typedef struct scheduled {
  mainstem_scheduler scheduler;
  uint32_t policy;
  size_t limit_events, limit_bytes;
  uint64_t count;
  uint32_t flags;
} scheduled;

static inline mainstem_subscription *observe_on(mainstem_context *context, mainstem_event_type type,
                                                const scheduled *how, mainstem_event_fn fn,
                                                void *user_data, mainstem_release_fn release) {
  mainstem_observe_options options = {.size = sizeof options};
  mainstem_subscription *subscription = NULL;
  if (type != MAINSTEM_TYPE_ANY) options.types = &type;
  options.type_count = type == MAINSTEM_TYPE_ANY ? 0 : 1;
  options.count = how->count;
  options.scheduler = how->scheduler;
  options.policy = how->policy;
  options.limit_events = how->limit_events;
  options.limit_bytes = how->limit_bytes;
  options.flags = how->flags;
  EXPECT_OK(mainstem_observe_with(context, &options, fn, user_data, release, &subscription));
  return subscription;
}

static inline mainstem_subscription *witness_on(witness *self, mainstem_context *context,
                                                mainstem_event_type type,
                                                mainstem_scheduler scheduler) {
  scheduled how = {.scheduler = scheduler};
  return observe_on(context, type, &how, witness_event, self, witness_release);
}

/* What a queue gives, into a transcript: a gap from 2 to 5 of 3 events is "[2-5 3]". */
static inline void read_event(void *user_data, const mainstem_event *event) {
  transcript *seen = (transcript *)user_data;
  if (event->flags & MAINSTEM_EVENT_GAP) {
    const mainstem_gap *gap = (const mainstem_gap *)event->data;
    EXPECT_EQUAL(event->size, sizeof *gap);
    EXPECT_EQUAL(event->position, gap->to);
    transcript_add(seen, "[%llu-%llu %llu]", (unsigned long long)gap->from,
                   (unsigned long long)gap->to, (unsigned long long)gap->count);
  } else {
    transcript_add(seen, "%llu", (unsigned long long)event->position);
  }
}

/* How many were delivered. */
static inline size_t drained(mainstem_context *context, size_t max) {
  size_t count = 0;
  EXPECT_OK(mainstem_drain(context, max, &count));
  return count;
}

#endif

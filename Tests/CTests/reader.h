// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A queue that refuses, with one reader, wherever there is one: a callback or a mailbox. */

#ifndef READER_H
#define READER_H

#include "scheduled.h"

/* A context with one reader: a callback on the host, one on a serial scheduler in virtual time, or a mailbox. */
enum { ON_HOST, ON_VIRTUAL_HOST, ON_VIRTUAL_SERIAL, IN_MAILBOX, IN_VIRTUAL_MAILBOX, PLACES };

typedef struct reader {
  stream on;
  int place;
  int blocks; /* A send outside callbacks waits for room, and here nobody would make it. */
  mainstem_subscription *subscription;
  transcript seen;
} reader;

static inline int is_virtual(int place) { return place != ON_HOST && place != IN_MAILBOX; }

static inline void reader_open_at(reader *self, int place, uint32_t threads) {
  memset(self, 0, sizeof *self);
  mainstem_context_options options = {.size = sizeof options,
                                      .threads = threads,
                                      .flags = MAINSTEM_CONTEXT_INTERRUPTS,
                                      .clock = is_virtual(place) ? MAINSTEM_CLOCK_VIRTUAL
                                                                 : MAINSTEM_CLOCK_MONOTONIC};
  mainstem_context *context = context_with(&options);
  self->place = place;
  self->on.context = context;
  self->on.ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self->on.answer = type_open(context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.notice = type_open(context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->on.other = type_open(context, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
}

static inline void reader_observe(reader *self, mainstem_event_type type, scheduled how) {
  how.scheduler = MAINSTEM_SCHEDULER_HOST;
  if (self->place == ON_VIRTUAL_SERIAL)
    EXPECT_OK(mainstem_scheduler_add(self->on.context, "worker", 0, &how.scheduler));
  self->subscription =
      observe_on(self->on.context, type, &how,
                 self->place == IN_MAILBOX || self->place == IN_VIRTUAL_MAILBOX ? NULL : read_event,
                 &self->seen, NULL);
}

static inline uint64_t reader_waits(const reader *self) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(self->subscription, &stats));
  return stats.waiting;
}

static inline uint64_t reader_dropped(const reader *self) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(self->subscription, &stats));
  return stats.dropped;
}

/* All that there is to read. */
static const char *reader_read(reader *self) {
  union {
    mainstem_event_header headers[1];
    unsigned char bytes[8000];
  } buffer;
  size_t count = 0;
  transcript_clear(&self->seen);
  drained(self->on.context, 0);
  if (self->place != IN_MAILBOX && self->place != IN_VIRTUAL_MAILBOX) return self->seen.text;
  EXPECT_OK(mainstem_mailbox_take(self->subscription, &buffer, sizeof buffer, &count, NULL));
  for (size_t i = 0; i < count; i++) {
    mainstem_event event = {0};
    memcpy(&event, &buffer.headers[i], sizeof buffer.headers[i]);
    event.data = buffer.bytes + buffer.headers[i].offset;
    read_event(&self->seen, &event);
  }
  return self->seen.text;
}

static inline mainstem_status send_one(stream *on) {
  return mainstem_send(on->context, on->notice, "12345678", 8);
}

static inline void expect_full(reader *self) {
  if (!self->blocks) EXPECT_STATUS(send_one(&self->on), MAINSTEM_FULL);
}

/* Runs a case wherever there is a queue, with both policies that refuse. */
static inline void everywhere(uint32_t threads, void (*run)(reader *self, scheduled how)) {
  for (int place = 0; place < PLACES; place++) {
    for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_BLOCK; policy++) {
      reader self;
      scheduled how = {.policy = policy, .limit_events = 4};
      reader_open_at(&self, place, threads);
      self.blocks = policy == MAINSTEM_QUEUE_BLOCK && threads == MAINSTEM_THREADS_ANY;
      run(&self, how);
      EXPECT_OK(mainstem_context_close(self.on.context));
    }
  }
}

#endif

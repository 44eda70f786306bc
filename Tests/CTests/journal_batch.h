// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Batches in tests: many events with one call of a recorded context. */

#ifndef JOURNAL_BATCH_H
#define JOURNAL_BATCH_H

#include "journal.h"

enum { MOST = 2500, EACH = 100, LARGE = 300000 };

/* A batch of events with payloads of one size, the first four bytes of each its number; one may be large. */
typedef struct batch {
  unsigned char *bytes;
  size_t size, count;
} batch;

static inline batch batch_of(mainstem_event_type type, size_t count, size_t each, size_t large) {
  batch made = {NULL, count * (sizeof(mainstem_event_header) + each) + LARGE, count};
  size_t place = count * sizeof(mainstem_event_header);
  made.bytes = (unsigned char *)calloc(1, made.size);
  EXPECT(made.bytes != NULL);
  for (uint32_t i = 0; i < count; i++) {
    mainstem_event_header header = {
        .type = type, .size = (uint32_t)(i == large ? LARGE : each), .offset = (uint32_t)place};
    memcpy(made.bytes + i * sizeof header, &header, sizeof header);
    memset(made.bytes + place, (int)i, header.size);
    memcpy(made.bytes + place, &i, sizeof i);
    place += header.size;
  }
  return made;
}

static inline mainstem_event_header *header_of(batch *made, size_t index) {
  return (mainstem_event_header *)(void *)made->bytes + index;
}

static inline mainstem_status send_batch(mainstem_context *context, const batch *made,
                                         size_t *accepted) {
  return mainstem_send_many(context, made->bytes, made->size, made->count, accepted);
}

/* An observer that expects each event of a batch, in order, where it lies, and finds it in the journal. */
typedef struct reader {
  stream *on;
  mainstem_context *from; /* Who sends it. */
  const char *path;
  batch *sent;
  uint32_t next, later;
  uint64_t first; /* The position of the first. */
  uint32_t at;    /* At which event `then` is done. */
  void (*then)(struct reader *, const mainstem_event *);
  mainstem_subscription *other;
  mainstem_retained *kept;
} reader;

static inline void expect_row(const mainstem_event *event, uint32_t number, uint32_t size) {
  uint32_t found;
  EXPECT_EQUAL(event->size, size);
  memcpy(&found, event->data, sizeof found);
  EXPECT_EQUAL(found, number);
  if (size > 4) EXPECT_EQUAL(((const unsigned char *)event->data)[size - 1], number % 256);
}

static inline void read_row(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  const mainstem_event_header *header =
      (const mainstem_event_header *)(void *)self->sent->bytes + self->next;
  EXPECT(event->data == self->sent->bytes + header->offset);
  expect_row(event, self->next, header->size);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(event->cause, 0);
  EXPECT_EQUAL(event->correlation, event->position);
  EXPECT(journal_stats(event->context).written >= event->position);
  if (self->next == 0) self->first = event->position;
  else EXPECT(event->position >= self->first + self->next);
  if (self->then != NULL && self->next == self->at) self->then(self, event);
  self->next++;
}

static inline void count_later(void *user_data, const mainstem_event *event) {
  ((reader *)user_data)->later++;
}

static inline void expect_next_row(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  expect_row(event, self->later++, EACH);
}

static inline reader reader_open(stream *on, const char *path, batch *sent,
                                 void (*then)(reader *, const mainstem_event *)) {
  reader self = {.on = on, .from = on->context, .path = path, .sent = sent, .at = 20, .then = then};
  return self;
}

static inline void watch(reader *self, mainstem_event_fn fn, reader *who) {
  EXPECT_OK(mainstem_observe(self->on->context, self->on->notice, fn, who, NULL, NULL));
}

static inline void observe(reader *self) {
  watch(self, read_row, self);
  EXPECT_OK(
      mainstem_observe(self->on->context, self->on->other, count_later, self, NULL, &self->other));
}

static inline void close_all(stream *on, batch *made, const char *path, uint64_t events) {
  EXPECT_OK(mainstem_context_close(on->context));
  if (path != NULL) EXPECT_EQUAL(journal_look(path).events, events);
  free(made->bytes);
  journal_sweep();
}

#endif

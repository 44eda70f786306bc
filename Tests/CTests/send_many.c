// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Many events with one call: order, turns, what is refused, and how far it came. */

#include "transcript.h"

#include <stddef.h>

enum { MANY = 100 };

/* A batch as a C program makes it: headers, then an array of structs. */
typedef struct batch {
  mainstem_event_header headers[MANY];
  int64_t payloads[MANY];
} batch;

static batch *batch_of(mainstem_event_type type) {
  static batch made;
  memset(&made, 0xee, sizeof made); /* What is not read may be anything. */
  for (size_t i = 0; i < MANY; i++) {
    made.payloads[i] = (int64_t)i;
    made.headers[i].type = type;
    made.headers[i].size = sizeof made.payloads[i];
    made.headers[i].offset = (uint32_t)(offsetof(batch, payloads) + i * sizeof made.payloads[0]);
  }
  return &made;
}

typedef struct counter {
  int64_t next, inside;
  stream *on;
} counter;

static void expect_next(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  int64_t value = -1;
  EXPECT_EQUAL(event->size, sizeof value);
  memcpy(&value, event->data, sizeof value);
  EXPECT_EQUAL(value, self->next);
  EXPECT_EQUAL(event->position, 2 * (uint64_t)self->next + 1);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(event->offset, 0);
  EXPECT_EQUAL(event->cause, 0);
  EXPECT_EQUAL(self->inside, self->next); /* What the one before caused has been delivered. */
  self->next++;
  EXPECT_OK(mainstem_send(event->context, self->on->other, "", 0));
}

static void count_inside(void *user_data, const mainstem_event *event) {
  ((counter *)user_data)->inside++;
}

/* Catches: events out of order or merged into one turn; fields read that should not be. */
CASE(each_is_a_turn_of_its_own, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type =
      type_open(on.context, "Number", MAINSTEM_PAYLOAD_STRUCT | sizeof(int64_t), NULL);
  counter self = {0, 0, &on};
  size_t accepted = 0;
  EXPECT_OK(mainstem_observe(on.context, type, expect_next, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, count_inside, &self, NULL, NULL));
  EXPECT_OK(mainstem_send_many(on.context, batch_of(type), sizeof(batch), MANY, &accepted));
  EXPECT_EQUAL(accepted, MANY);
  EXPECT_EQUAL(self.next, MANY);
  EXPECT_EQUAL(self.inside, MANY);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: the rest sent, the ones before taken back, a count that lies. */
CASE(the_first_that_is_refused_ends_it, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type =
      type_open(on.context, "Number", MAINSTEM_PAYLOAD_STRUCT | sizeof(int64_t), NULL);
  size_t accepted = 99;
  batch *made = batch_of(type);
  made->headers[7].size = 4;
  EXPECT_STATUS(mainstem_send_many(on.context, made, sizeof *made, MANY, &accepted),
                MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 7);
  EXPECT_EQUAL(stats_of(on.context).events, 7);
  made->headers[0].type = 99;
  EXPECT_STATUS(mainstem_send_many(on.context, made, sizeof *made, MANY, &accepted),
                MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 0);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send_many: type: 99 is not a registered event type: "
                                     "pass a number from this context's mainstem_type_add");
  EXPECT_EQUAL(stats_of(on.context).events, 7);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: bytes read outside of the batch. Under valgrind and the address sanitizer it is told twice. */
CASE(what_is_outside_of_the_batch_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_header *headers = (mainstem_event_header *)calloc(2, sizeof *headers);
  size_t accepted = 99, size = 2 * sizeof *headers;
  EXPECT(headers != NULL);
  headers[0].type = headers[1].type = on.notice;
  headers[1].size = 1;
  headers[1].offset = (uint32_t)size;
  EXPECT_STATUS(mainstem_send_many(on.context, headers, size, 2, &accepted), MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 1);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send_many: batch: row 1 has a payload outside of it");
  headers[1].size = 0xffffffff;
  headers[1].offset = 0xffffffff;
  EXPECT_STATUS(mainstem_send_many(on.context, headers, size, 2, &accepted), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send_many(on.context, headers, size - 1, 2, &accepted), MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 0);
  EXPECT_STATUS(mainstem_send_many(on.context, headers, 64, SIZE_MAX, NULL), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_send_many(on.context, NULL, 64, 1, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_send_many(on.context, NULL, 0, 0, &accepted));
  headers[1].size = 0;
  headers[1].offset = (uint32_t)size; /* Nothing, at the very end. */
  EXPECT_OK(mainstem_send_many(on.context, headers, size, 2, &accepted));
  EXPECT_EQUAL(accepted, 2);
  free(headers);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void send_inside(void *user_data, const mainstem_event *event) {
  batch *made = batch_of(((stream *)user_data)->notice);
  size_t accepted = 0;
  EXPECT_OK(mainstem_send_many(event->context, made, sizeof *made, MANY, &accepted));
  EXPECT_EQUAL(accepted, MANY);
  memset(made, 0, sizeof *made); /* It was copied. */
}

static void expect_caused(void *user_data, const mainstem_event *event) {
  int64_t value = -1;
  memcpy(&value, event->data, sizeof value);
  EXPECT_EQUAL(value, (*(int64_t *)user_data)++);
  EXPECT_EQUAL(event->cause, 1);
}

/* Catches: delivery inside the callback; payloads borrowed for longer than the call. */
CASE(inside_a_callback_they_wait, IN_BOTH) {
  stream on = stream_open(threads);
  int64_t next = 0;
  EXPECT_OK(mainstem_observe(on.context, on.other, send_inside, &on, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, expect_caused, &next, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(next, MANY);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a header that is not the begin of an event. */
CASE(a_header_is_the_begin_of_an_event, IN_ONE) {
  EXPECT_EQUAL(sizeof(mainstem_event_header), 64);
  EXPECT_EQUAL(offsetof(mainstem_event, data), 64);
#define SAME(field)                                                                                \
  EXPECT_EQUAL(offsetof(mainstem_event_header, field), offsetof(mainstem_event, field))
  SAME(position);
  SAME(cause);
  SAME(correlation);
  SAME(answers);
  SAME(time);
  SAME(size);
  SAME(offset);
  SAME(type);
  SAME(status);
  SAME(origin);
  SAME(flags);
#undef SAME
}

int main(void) { return expect_all(); }

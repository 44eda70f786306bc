// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: late events, and observers made in a callback, before a queue that refuses. */

#include "reader.h"

static void observe_late(reader *self, scheduled how) {
  EXPECT_OK(mainstem_history_keep(self->on.context, self->on.notice, 10, 0));
  for (int i = 0; i < 10; i++) EXPECT_OK(send_one(&self->on));
  reader_observe(self, self->on.notice, how);
  EXPECT_EQUAL(reader_waits(self), 4);
  expect_full(self);
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-10 6]");
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "11");
}

CASE(late_events_are_not_refused, IN_BOTH) { everywhere(threads, observe_late); }

typedef struct starter {
  reader *reader;
  scheduled how;
  int sends;
} starter;

static void observe_and_send(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  reader_observe(reader, reader->on.notice, self->how);
  for (int i = 0; i < 4; i++) EXPECT_OK(send_one(&reader->on));
  EXPECT_STATUS(send_one(&reader->on), MAINSTEM_FULL);
  EXPECT_STATUS(mainstem_post(reader->on.context, reader->on.notice, "", 0), MAINSTEM_FULL);
  EXPECT_OK(mainstem_send(reader->on.context, reader->on.ask, "", 0));
}

static void start_inside(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  mainstem_subscription *first;
  EXPECT_OK(
      mainstem_observe(self->on.context, self->on.other, observe_and_send, &starter, NULL, &first));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  expect_full(self);
  EXPECT_TEXT(reader_read(self), "2 3 4 5");
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "7");
  EXPECT_OK(mainstem_cancel(self->subscription));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "9 10 11 12");
}

/* Catches: an observer whose queue is asked only when the callback that registered it has ended. */
CASE(sends_beside_the_registration_are_refused, IN_BOTH) { everywhere(threads, start_inside); }

/* Room that sends of the same callback have goes before what is late. */
static void start_inside_with_a_history(reader *self, scheduled how) {
  EXPECT_OK(mainstem_history_keep(self->on.context, self->on.notice, 2, 0));
  EXPECT_OK(send_one(&self->on));
  EXPECT_OK(send_one(&self->on));
  starter starter = {self, how, 0};
  EXPECT_OK(
      mainstem_observe(self->on.context, self->on.other, observe_and_send, &starter, NULL, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "[1-2 2] 4 5 6 7");
}

CASE(late_events_take_no_room_that_is_promised, IN_BOTH) {
  everywhere(threads, start_inside_with_a_history);
}

static void observe_all_and_send(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  stream *on = &reader->on;
  reader_observe(reader, MAINSTEM_TYPE_ANY, self->how);
  mainstem_event_type later = type_open(on->context, "Later", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_send(on->context, later, "", 0));
  EXPECT_OK(mainstem_send(on->context, on->ask, "", 0));
  EXPECT_OK(mainstem_send(on->context, later, "", 0));
  EXPECT_OK(send_one(on));
  EXPECT_STATUS(mainstem_send(on->context, later, "", 0), MAINSTEM_FULL);
  EXPECT_STATUS(send_one(on), MAINSTEM_FULL);
}

static void start_inside_with_all(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, observe_all_and_send, &starter, NULL,
                             NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "2 3 4 5");
}

/* Of types registered behind it too, whose rows it has at once. */
CASE(an_observer_of_every_type_is_asked_once, IN_BOTH) {
  everywhere(threads, start_inside_with_all);
}

static void observe_send_and_cancel(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  reader_observe(reader, reader->on.notice, self->how);
  for (int i = 0; i < 4; i++) EXPECT_OK(send_one(&reader->on));
  EXPECT_OK(mainstem_cancel(reader->subscription));
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one(&reader->on));
}

static void start_and_end_inside(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, observe_send_and_cancel, &starter,
                             NULL, &first));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  drained(self->on.context, 0);
  EXPECT_TEXT(self->seen.text, "");
  EXPECT_OK(mainstem_cancel(first));
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one(&self->on));
}

CASE(who_ends_before_it_begins_refuses_nothing, IN_BOTH) {
  everywhere(threads, start_and_end_inside);
}

static void observe_two_and_cancel(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  mainstem_event_type types[] = {on->notice, on->other};
  mainstem_subscription *subscription;
  transcript seen = {0};
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = types,
                                      .type_count = COUNT(types),
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .limit_events = 1};
  EXPECT_OK(
      mainstem_observe_with(event->context, &options, read_event, &seen, NULL, &subscription));
  EXPECT_OK(mainstem_cancel(subscription));
}

static void send_nine(void *user_data, const mainstem_event *event) {
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one((stream *)user_data));
}

/* Catches, under the address sanitizer: the types of an observer looked at that has ended before its turn. */
CASE(one_that_has_ended_before_its_turn_is_not_asked, IN_BOTH) {
  stream on = stream_open(threads);
  EXPECT_OK(mainstem_observe(on.context, on.other, observe_two_and_cancel, &on, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, send_nine, &on, NULL, NULL));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(stats_of(on.context).events, 30);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

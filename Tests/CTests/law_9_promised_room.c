// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: the room that a queue promises before an event is accepted, and that it always gets back. */

#include "promised.h"

/* Who gets it ------------------------------------------------------------------------------------ */

/* Catches: room for events that the observer's filter leaves out; at the bound that one has by default too. */
CASE(what_an_observer_does_not_get_takes_no_room, IN_BOTH) {
  static const size_t limits[] = {1, 4, 0};
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_BLOCK; policy++) {
    for (size_t i = 0; i < COUNT(limits); i++) {
      stream on = stream_open(threads);
      scheduled how = {
          .policy = policy, .limit_events = limits[i], .flags = MAINSTEM_OBSERVE_FAILED};
      mainstem_subscription *failures = mailbox(&on, how);
      send_all(&on, limits[i] == 0 ? 66000 : 100);
      EXPECT_EQUAL(stats_of_queue(failures).waiting, 0);
      EXPECT_EQUAL(stats_of_queue(failures).dropped, 0);
      EXPECT_OK(mainstem_context_close(on.context));
    }
  }
}

static void refuse_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond_error(event, 1000, "no"));
}

/* The filter is asked about answers too: one that failed goes to the one, one that did not to the other. */
CASE(a_filter_looks_at_the_status, IN_BOTH) {
  stream on = stream_open(threads);
  transcript failed = {0}, succeeded = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2};
  serve_one(on.context, "Server", "RequestAsk", refuse_it, NULL);
  how.flags = MAINSTEM_OBSERVE_SUCCEEDED;
  observe_on(on.context, MAINSTEM_TYPE_ANY, &how, read_event, &succeeded, NULL);
  how.flags = MAINSTEM_OBSERVE_FAILED;
  observe_on(on.context, MAINSTEM_TYPE_ANY, &how, read_event, &failed, NULL);
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
    drained(on.context, 0);
  }
  EXPECT_TEXT(succeeded.text, "1 3 5");
  EXPECT_TEXT(failed.text, "2 4 6");
  send_all(&on, 2);
  EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: room for events behind the last that was asked for, fetched or not. */
CASE(a_count_that_is_used_up_takes_no_room, IN_BOTH) {
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_BLOCK; policy++) {
    stream on = stream_open(threads);
    transcript seen = {0};
    scheduled how = {
        .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = policy, .count = 3, .limit_events = 4};
    mainstem_subscription *box = mailbox(&on, how);
    observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
    send_all(&on, 100);
    EXPECT_EQUAL(stats_of_queue(box).waiting, 3);
    drained(on.context, 0);
    EXPECT_TEXT(seen.text, "1 2 3");
    send_all(&on, 100);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void send_five(void *user_data, const mainstem_event *event) {
  send_all((stream *)user_data, 5);
}

/* Five are accepted before the first is handed over: the first two get the room. */
CASE(a_count_is_promised_once, IN_BOTH) {
  stream on = stream_open(threads);
  scheduled how = {.count = 2, .limit_events = 2};
  mainstem_subscription *box = mailbox(&on, how);
  EXPECT_OK(mainstem_observe(on.context, on.other, send_five, &on, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(stats_of_queue(box).waiting, 2);
  EXPECT_EQUAL(stats_of_queue(box).dropped, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void post_all(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_post(on->context, on->notice, "", 0));
}

static void send_in_vain(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(send_one((stream *)user_data), MAINSTEM_FULL);
}

/* What is sent comes before what waits in the inbox: it would be among the first two. */
CASE(a_count_is_not_used_up_by_what_comes_later, IN_BOTH) {
  for (int inside = 0; inside < 2; inside++) {
    stream on = stream_open(threads);
    mainstem_subscription *box = mailbox(&on, (scheduled){.count = 2, .limit_events = 2});
    EXPECT_OK(mainstem_observe(on.context, on.other, send_in_vain, &on, NULL, NULL));
    post_all(&on, 5); /* It gets two of them: it is not asked about the others. */
    if (inside) EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
    if (!inside) EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
    drained(on.context, 0);
    EXPECT_EQUAL(stats_of_queue(box).waiting, 2);
    EXPECT_EQUAL(stats_of_queue(box).dropped, 0);
    send_all(&on, 5);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void send_four_once(void *user_data, const mainstem_event *event) {
  if (event->cause == 0) send_all((stream *)user_data, 4);
}

/* What is sent comes behind the post that was taken in: the two get the room, and nobody asks about the others. */
CASE(a_count_is_used_up_by_what_was_taken_in, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *box = mailbox(&on, (scheduled){.count = 2, .limit_events = 2});
  EXPECT_OK(mainstem_observe(on.context, on.notice, send_four_once, &on, NULL, NULL));
  post_all(&on, 1);
  drained(on.context, 0);
  EXPECT_EQUAL(stats_of_queue(box).waiting, 2);
  EXPECT_EQUAL(stats_of_queue(box).dropped, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Given back ------------------------------------------------------------------------------------- */

static mainstem_status request_on_no_scheduler(stream *on) {
  return mainstem_request_with(on->context, on->ask, "", 0, OPTIONS(request, .scheduler = 77), NULL,
                               NULL, NULL, NULL);
}

static void ask_in_vain(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(request_on_no_scheduler((stream *)user_data), MAINSTEM_INVALID);
}

/* Catches: a call that is refused when it has its room, and keeps it. */
CASE(a_refused_call_gives_its_room_back, IN_BOTH) {
  stream on = stream_open(threads);
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2};
  transcript seen = {0};
  observe_on(on.context, on.ask, &how, read_event, &seen, NULL);
  EXPECT_OK(mainstem_observe(on.context, on.other, ask_in_vain, &on, NULL, NULL));
  for (int i = 0; i < 5; i++) {
    EXPECT_STATUS(request_on_no_scheduler(&on), MAINSTEM_INVALID);
    EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  }
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_STATUS(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL), MAINSTEM_FULL);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "6 8");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* All promise room, or none: whichever of them is full. */
CASE(the_others_get_theirs_back_when_one_is_full, IN_BOTH) {
  for (int narrow = 0; narrow < 3; narrow++) {
    stream on = stream_open(threads);
    mainstem_subscription *boxes[3];
    for (int i = 0; i < 3; i++) {
      boxes[i] = mailbox(&on, (scheduled){.limit_events = i == narrow ? 2 : 5});
    }
    expect_room(&on, 2);
    for (int i = 0; i < 9; i++) EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
    EXPECT_OK(mainstem_cancel(boxes[narrow]));
    expect_room(&on, 3);
    EXPECT_EQUAL(stats_of(on.context).events, 5);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

typedef struct canceller {
  stream on;
  mainstem_subscription *first, *second;
} canceller;

static void send_and_cancel(void *user_data, const mainstem_event *event) {
  canceller *self = (canceller *)user_data;
  expect_room(&self->on, 3);
  EXPECT_OK(mainstem_cancel(self->first));
  EXPECT_STATUS(send_one(&self->on), MAINSTEM_FULL);
  EXPECT_OK(mainstem_cancel(self->second));
  send_all(&self->on, 1);
}

/* Catches: a promise that outlives its queue, or takes that of another with it. */
CASE(who_is_cancelled_has_promised_nothing, IN_BOTH) {
  canceller self = {stream_open(threads), NULL, NULL};
  transcript seen = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 4};
  self.first = mailbox(&self.on, (scheduled){.limit_events = 3});
  self.second = mailbox(&self.on, (scheduled){.limit_events = 3});
  observe_on(self.on.context, self.on.notice, &how, read_event, &seen, NULL);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.other, send_and_cancel, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
  EXPECT_STATUS(send_one(&self.on), MAINSTEM_FULL);
  drained(self.on.context, 0);
  EXPECT_TEXT(seen.text, "2 3 4 5");
  expect_room(&self.on, 4);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* What is posted has its room from then on, until it is fetched. */
CASE(a_post_has_its_room, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *box = mailbox(&on, (scheduled){.limit_events = 3});
  for (int round = 0; round < 3; round++) {
    char buffer[1000];
    size_t count;
    for (int i = 0; i < 2; i++) EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
    expect_room(&on, 1);
    EXPECT_STATUS(mainstem_post(on.context, on.notice, "", 0), MAINSTEM_FULL);
    EXPECT_EQUAL(stats_of_queue(box).waiting, 1);
    drained(on.context, 0);
    EXPECT_EQUAL(stats_of_queue(box).waiting, 3);
    EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
    EXPECT_OK(mainstem_mailbox_take(box, buffer, sizeof buffer, &count, NULL));
    EXPECT_EQUAL(count, 3);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Bytes ------------------------------------------------------------------------------------------ */

static mainstem_status send_size(stream *on, size_t size) {
  static const char bytes[100] = {0};
  return mainstem_send(on->context, on->notice, bytes, size);
}

static void send_bytes(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  EXPECT_OK(send_size(on, 9));
  EXPECT_STATUS(send_size(on, 12), MAINSTEM_FULL);
  EXPECT_OK(send_size(on, 3));
  EXPECT_OK(send_size(on, 0));
  EXPECT_STATUS(send_size(on, 9), MAINSTEM_FULL);
  EXPECT_OK(send_size(on, 8));
  EXPECT_STATUS(send_size(on, 1), MAINSTEM_FULL);
  EXPECT_OK(send_size(on, 0));
}

/* Catches: bytes that are promised and not counted, or not given back: the same room is there in each round. */
CASE(promised_bytes_count, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *box = mailbox(&on, (scheduled){.limit_bytes = 20});
  EXPECT_OK(mainstem_observe(on.context, on.other, send_bytes, &on, NULL, NULL));
  for (int round = 0; round < 3; round++) {
    char buffer[1000];
    size_t count;
    EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
    EXPECT_EQUAL(stats_of_queue(box).waiting, 5);
    EXPECT_EQUAL(stats_of_queue(box).waiting_bytes, 20);
    EXPECT_STATUS(send_size(&on, 1), MAINSTEM_FULL);
    EXPECT_OK(mainstem_mailbox_take(box, buffer, sizeof buffer, &count, NULL));
    EXPECT_EQUAL(count, 5);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* One event may be of any size, but not beside one to which room is promised. */
CASE(a_large_event_is_alone, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *box = mailbox(&on, (scheduled){.limit_bytes = 20});
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_STATUS(send_size(&on, 21), MAINSTEM_FULL);
  EXPECT_OK(send_size(&on, 20));
  drained(on.context, 0);
  EXPECT_OK(mainstem_cancel(box));
  mailbox(&on, (scheduled){.limit_bytes = 20});
  EXPECT_OK(mainstem_post(on.context, on.notice, (char[100]){0}, 100));
  EXPECT_STATUS(send_size(&on, 0), MAINSTEM_FULL);
  drained(on.context, 0);
  EXPECT_STATUS(send_size(&on, 0), MAINSTEM_FULL);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void ask_within_a_minute(void *user_data, const mainstem_event *event) {
  const stream *on = (const stream *)user_data;
  EXPECT_STATUS(mainstem_request_with(event->context, on->ask, "", 0,
                                      OPTIONS(request, .timeout_ms = 60000), NULL, NULL, NULL,
                                      NULL),
                MAINSTEM_FULL);
}

static void do_nothing(void *user_data) { (void)user_data; }

/* Catches: a wake that is on its way for ever, so that close waits for it. */
CASE(a_refused_request_gives_its_wake_back, IN_BOTH) {
  stream on = stream_open(threads);
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 1};
  EXPECT_OK(mainstem_context_on_wake(on.context, do_nothing, NULL, NULL));
  observe_on(on.context, on.ask, &how, NULL, NULL, NULL);
  EXPECT_OK(mainstem_observe(on.context, on.notice, ask_within_a_minute, &on, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL)); /* The hook is called once between two drains. */
  EXPECT_OK(send_one(&on));
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

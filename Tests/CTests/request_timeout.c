// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Requests with a time: the core answers TIMEOUT, once, by the context's clock. Acceptance. */

#include "asking.h"
#include "elsewhere.h"

static stream stream_open_virtual(uint32_t threads) {
  return stream_of(CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL));
}

static mainstem_status ask_within(asking *self, const stream *on, int64_t timeout_ms) {
  memset(self, 0, sizeof *self);
  return mainstem_request_with(on->context, on->ask, "?", 1,
                               OPTIONS(request, .timeout_ms = timeout_ms), asking_answered, self,
                               NULL, &self->pending);
}

/* Catches: answers mixed up; a time-out of one that ends another; a late answer let through. A-07. */
CASE(of_three_one_fails_one_is_answered_one_is_late, IN_BOTH) {
  stream on = stream_open_virtual(threads);
  keeper kept = {0, {NULL}};
  asking one, two, three;
  keeper_serve(&kept, &on);
  EXPECT_OK(ask_within(&one, &on, 100));
  EXPECT_OK(ask_within(&two, &on, 100));
  EXPECT_OK(ask_within(&three, &on, 100));
  EXPECT_OK(mainstem_context_advance(on.context, 99));
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 1), "two", 3));
  EXPECT_OK(mainstem_respond_error(keeper_event(&kept, 0), 1001, "broken"));
  EXPECT_EQUAL(three.calls, 0);
  EXPECT_OK(mainstem_context_advance(on.context, 1));
  EXPECT_STATUS(one.last.status, 1001);
  EXPECT_EQUAL(one.last.answers, 1);
  EXPECT_EQUAL(one.last.correlation, 1);
  EXPECT_STATUS(two.last.status, MAINSTEM_OK);
  EXPECT_EQUAL(two.last.correlation, 2);
  EXPECT_EQUAL(three.calls, 1);
  EXPECT_STATUS(three.last.status, MAINSTEM_TIMEOUT);
  EXPECT_EQUAL(three.last.answers, 3);
  EXPECT_EQUAL(three.last.correlation, 3);
  EXPECT_EQUAL(three.last.cause, 0);
  EXPECT_TEXT(three.text, "the request was not answered in time");
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 2), "late", 4), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_advance(on.context, 1000));
  EXPECT_EQUAL(one.calls + two.calls + three.calls, 3);
  EXPECT_EQUAL(stats_of(on.context).events, 6);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *respond_far(void *data) {
  EXPECT_OK(mainstem_respond((const mainstem_event *)data, "far", 3));
  return NULL;
}

/* Catches: a time-out that comes upon an answer which waits in the inbox. */
CASE(an_answer_on_its_way_is_in_time, IN_BOTH) {
  stream on = stream_open_virtual(threads);
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  EXPECT_OK(ask_within(&one, &on, 10));
  elsewhere(respond_far, (void *)keeper_event(&kept, 0));
  EXPECT_OK(mainstem_context_advance(on.context, 10));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_TEXT(one.text, "far");
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
}

/* Catches: a deadline that outlives its request: memory used again, a wake-up for nothing. */
CASE(what_is_answered_has_no_time_left, IN_BOTH) {
  stream on = stream_open_virtual(threads);
  keeper kept = {0, {NULL}};
  asking one;
  int64_t timeout;
  mainstem_context *server = keeper_serve(&kept, &on);
  for (int end = 0; end < 3; end++) {
    EXPECT_OK(ask_within(&one, &on, 10));
    if (end == 0) EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
    if (end == 1) EXPECT_OK(mainstem_pending_cancel(one.pending));
    if (end == 2) EXPECT_OK(mainstem_scope_end(server));
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_OK(mainstem_context_next_timeout(on.context, &timeout));
    EXPECT_EQUAL(timeout, -1);
    EXPECT_OK(mainstem_context_advance(on.context, 100));
    EXPECT_EQUAL(one.calls, 1);
  }
  EXPECT_OK(ask_within(&one, &on, 10)); /* Nobody handles it: answered at once. */
  EXPECT_STATUS(one.last.status, MAINSTEM_UNHANDLED);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a machine's clock by which nothing is ever due; a wait that does not wake for it. */
CASE(a_wait_is_woken_by_the_time, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  int64_t timeout;
  keeper_serve(&kept, &on);
  EXPECT_OK(ask_within(&one, &on, 1));
  EXPECT_OK(mainstem_context_next_timeout(on.context, &timeout));
  EXPECT(timeout >= 0);
  while (one.calls == 0) EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_STATUS(one.last.status, MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void ask_in_callback(void *user_data, const mainstem_event *event) {
  stream inner;
  inner.context = event->context;
  inner.ask = event->type - 2;
  EXPECT_OK(ask_within((asking *)user_data, &inner, 5));
}

/* Catches: a request asked inside a callback, or open at close, whose time is lost or comes twice. */
CASE(a_request_of_a_callback_has_its_time, IN_BOTH) {
  stream on = stream_open_virtual(threads);
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  EXPECT_EQUAL(on.notice - 2, on.ask);
  EXPECT_OK(mainstem_observe(on.context, on.notice, ask_in_callback, &one, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_context_advance(on.context, 5));
  EXPECT_STATUS(one.last.status, MAINSTEM_TIMEOUT);
  EXPECT_EQUAL(one.last.correlation, 1);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
}

enum { MANY = 10000 };

static void count_timeout(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(event->status, MAINSTEM_TIMEOUT);
  ++*(int *)user_data;
}

/* Catches: time-outs of many found one by one, or in another order than their times. */
CASE(ten_thousand_time_out, IN_BOTH) {
  stream on = stream_open_virtual(threads);
  mainstem_request_options options = {.size = sizeof options};
  int calls = 0;
  serve_one(on.context, "S", "RequestAsk", keep_for_ever, NULL);
  for (int i = 0; i < MANY; i++) {
    options.timeout_ms = 1 + (int64_t)i * 7919 % MANY;
    EXPECT_OK(mainstem_request_with(on.context, on.ask, "", 0, &options, count_timeout, &calls,
                                    NULL, NULL));
  }
  EXPECT_OK(mainstem_context_advance(on.context, MANY / 2));
  EXPECT_EQUAL(calls, MANY / 2);
  EXPECT_OK(mainstem_context_advance(on.context, MANY / 2));
  EXPECT_EQUAL(calls, MANY);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The virtual clock: time in the test's hands. */

#include "elsewhere.h"
#include "transcript.h"

static stream virtual_open(uint32_t threads) {
  stream on;
  on.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_TIMES,
                            .clock = MAINSTEM_CLOCK_VIRTUAL);
  on.ask = type_open(on.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  on.answer = type_open(on.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL);
  on.other = type_open(on.context, "Other", MAINSTEM_PAYLOAD_TEXT, NULL);
  return on;
}

static int64_t now(mainstem_context *context) {
  int64_t time = -1;
  EXPECT_OK(mainstem_context_now(context, &time));
  return time;
}

static void after(mainstem_context *context, mainstem_event_type type, const char *text,
                  int64_t delay_ms) {
  EXPECT_OK(mainstem_send_after(context, type, text, strlen(text), delay_ms, 0, NULL));
}

typedef struct diary {
  stream *on;
  char text[400];
} diary;

/* Writes the text and the milliseconds of each event. */
static void write_down(void *user_data, const mainstem_event *event) {
  diary *self = (diary *)user_data;
  size_t length = strlen(self->text);
  EXPECT_EQUAL(now(event->context), event->time);
  EXPECT_EQUAL(event->time % 1000000, 0);
  snprintf(self->text + length, sizeof self->text - length, "%s%.*s@%d", length ? " " : "",
           (int)event->size, (const char *)event->data, (int)(event->time / 1000000));
}

/* Catches: an order by arming alone, a timer that sees a later time than its own. */
CASE(timers_fire_in_order_each_at_its_own_time, IN_BOTH) {
  stream on = virtual_open(threads);
  diary kept = {&on, ""};
  size_t count;
  EXPECT_OK(mainstem_observe(on.context, on.notice, write_down, &kept, NULL, NULL));
  after(on.context, on.notice, "c", 30);
  after(on.context, on.notice, "a", 10);
  after(on.context, on.notice, "b1", 20);
  after(on.context, on.notice, "b2", 20);
  after(on.context, on.notice, "late", 41);
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "p", 1, 15, 15, NULL));
  EXPECT_EQUAL(now(on.context), 0);
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 0);
  EXPECT_OK(mainstem_context_advance(on.context, 40));
  EXPECT_TEXT(kept.text, "a@10 p@15 b1@20 b2@20 c@30 p@30");
  EXPECT_EQUAL(now(on.context), 40000000);
  EXPECT_OK(mainstem_context_advance(on.context, 0));
  EXPECT_OK(mainstem_context_advance(on.context, 1));
  EXPECT_TEXT(kept.text, "a@10 p@15 b1@20 b2@20 c@30 p@30 late@41");
  EXPECT_EQUAL(stats_of(on.context).timers_missed, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a first time that counts as a period, a period that counts as the first time. */
CASE(the_first_time_is_not_the_period, IN_BOTH) {
  stream on = virtual_open(threads);
  diary kept = {&on, ""};
  EXPECT_OK(mainstem_observe(on.context, on.notice, write_down, &kept, NULL, NULL));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "a", 1, 5, 15, NULL));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "b", 1, 12, 8, NULL));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "c", 1, 0, 30, NULL));
  EXPECT_STATUS(mainstem_send_after(on.context, on.notice, "d", 1, 5, -1, NULL), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send_after: repeat_ms: is negative");
  EXPECT_OK(mainstem_context_advance(on.context, 35));
  EXPECT_TEXT(kept.text, "c@0 a@5 b@12 a@20 b@20 b@28 c@30 a@35");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void arm_more(void *user_data, const mainstem_event *event) {
  diary *self = (diary *)user_data;
  mainstem_context *c = event->context;
  EXPECT_STATUS(mainstem_context_advance(c, 1), MAINSTEM_BUSY);
  if (event->size != 2 || memcmp(event->data, "go", 2) != 0) return;
  after(c, self->on->notice, "now", 0);
  after(c, self->on->notice, "soon", 5);
  after(c, self->on->notice, "later", 500);
  EXPECT_OK(mainstem_post(c, self->on->notice, "post", 4));
  EXPECT_OK(mainstem_send(c, self->on->notice, "send", 4));
}

/* Catches: timers that are armed meanwhile and come too late; posts left behind by time. */
CASE(what_callbacks_arm_and_post_is_delivered_too, IN_BOTH) {
  stream on = virtual_open(threads);
  diary kept = {&on, ""};
  EXPECT_OK(mainstem_observe(on.context, on.notice, write_down, &kept, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, arm_more, &kept, NULL, NULL));
  after(on.context, on.notice, "go", 10);
  after(on.context, on.notice, "end", 12);
  EXPECT_OK(mainstem_post(on.context, on.notice, "first", 5));
  EXPECT_OK(mainstem_context_advance(on.context, 100));
  EXPECT_TEXT(kept.text, "first@0 go@10 send@10 post@10 now@10 end@12 soon@15");
  EXPECT_EQUAL(stats_of(on.context).timers, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a virtual timer that goes by the machine's clock, and a loop that spins on it. */
CASE(only_advance_moves_time, IN_BOTH) {
  stream on = virtual_open(threads);
  int64_t timeout_ms;
  int fd;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  after(on.context, on.notice, "x", 1);
  EXPECT_OK(mainstem_context_next_timeout(on.context, &timeout_ms));
  EXPECT_EQUAL(timeout_ms, -1);
  EXPECT_STATUS(mainstem_wait(on.context, 5), MAINSTEM_TIMEOUT);
  after(on.context, on.notice, "y", 0);
  EXPECT_OK(mainstem_context_next_timeout(on.context, &timeout_ms));
  EXPECT_EQUAL(timeout_ms, 0);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_EQUAL(stats_of(on.context).events, 1);
  EXPECT_OK(mainstem_context_advance(on.context, INT64_MAX));
  EXPECT_OK(mainstem_context_advance(on.context, INT64_MAX));
  EXPECT_EQUAL(now(on.context), INT64_MAX - 1);
  after(on.context, on.notice, "z", INT64_MAX); /* The end of time never comes. */
  EXPECT_OK(mainstem_context_advance(on.context, INT64_MAX));
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static long many = 1000000; /* The program's argument, if it has one. */
static const int64_t ten_years_ms = 315360000000;

static void count_in_order(void *user_data, const mainstem_event *event) {
  int64_t *last = (int64_t *)user_data;
  EXPECT(event->time >= *last);
  *last = event->time;
}

/* Catches: a step per millisecond: this would take days. */
CASE(a_million_timers_in_ten_years, IN_BOTH) {
  stream on = virtual_open(threads);
  int64_t last = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_in_order, &last, NULL, NULL));
  for (int64_t i = 0; i < many; i++)
    after(on.context, on.notice, "x", i * 7919 % many * (ten_years_ms / many));
  EXPECT_OK(mainstem_context_advance(on.context, ten_years_ms));
  EXPECT_EQUAL(stats_of(on.context).events, many);
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  EXPECT_EQUAL(now(on.context), ten_years_ms * 1000000);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void expect_now(void *user_data, const mainstem_event *event) {
  *(int *)user_data += now(event->context) == event->time;
}

/* Catches: a callback that sees time pass while it runs. */
CASE(inside_a_callback_now_is_the_events_time, IN_BOTH) {
  int same = 0;
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_TIMES);
  mainstem_event_type notice = type_open(context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL);
  int64_t before = now(context);
  EXPECT(before > 1600000000000000000); /* Since 1970. */
  EXPECT_OK(mainstem_observe(context, notice, expect_now, &same, NULL, NULL));
  EXPECT_OK(mainstem_send(context, notice, "x", 1));
  EXPECT_EQUAL(same, 1);
  EXPECT_OK(mainstem_context_close(context));
}

int main(int argc, char **argv) {
  if (argc > 1) many = atol(argv[1]);
  return many < 1 ? 2 : expect_all();
}

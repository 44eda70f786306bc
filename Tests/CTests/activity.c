// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Activity: open requests per type, read and told; acceptance A-26. */

#include "asking.h"
#include "elsewhere.h"

typedef struct told {
  char text[2000];
  mainstem_event last;
} told;

static void note_told(void *user_data, const mainstem_event *event) {
  told *self = (told *)user_data;
  size_t length = strlen(self->text);
  self->last = *event;
  snprintf(self->text + length, sizeof self->text - length, "%llu%.*s ",
           (unsigned long long)event->position, (int)event->size, (const char *)event->data);
}

static uint64_t activity_of(mainstem_context *context, mainstem_event_type type) {
  uint64_t count = 99;
  EXPECT_OK(mainstem_request_count(context, type, &count));
  return count;
}

static void observe_told(told *self, mainstem_context *context) {
  memset(self, 0, sizeof *self);
  mainstem_event_type type = type_named(context, "MainstemActivity");
  EXPECT_OK(mainstem_observe(context, type, note_told, self, NULL, NULL));
}

/* Catches: idle told, or read, while one of two loads is still open; A-26. */
CASE(two_loads_of_which_one_fails_are_one_busy_time, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one, two;
  told told;
  keeper_serve(&kept, &on);
  observe_told(&told, on.context);
  EXPECT_OK(mainstem_activity_report(on.context, on.ask));
  EXPECT_OK(mainstem_activity_report(on.context, on.ask));
  EXPECT_EQUAL(activity_of(on.context, on.ask), 0);
  asking_ask(&one, &on);
  EXPECT_EQUAL(activity_of(on.context, on.ask), 1);
  EXPECT_TEXT(told.text, "2{\"type\":\"RequestAsk\",\"count\":1} ");
  EXPECT_EQUAL(told.last.cause, 1);
  EXPECT_EQUAL(told.last.correlation, 1);
  EXPECT_EQUAL(told.last.flags, 0);
  asking_ask(&two, &on);
  EXPECT_EQUAL(activity_of(on.context, on.ask), 2);
  EXPECT_EQUAL(activity_of(on.context, MAINSTEM_TYPE_ANY), 2);
  EXPECT_OK(mainstem_respond_error(keeper_event(&kept, 0), 1000, "lost"));
  EXPECT_EQUAL(activity_of(on.context, on.ask), 1);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 1), "x", 1));
  EXPECT_EQUAL(activity_of(on.context, on.ask), 0);
  EXPECT_TEXT(told.text, "2{\"type\":\"RequestAsk\",\"count\":1} "
                         "6{\"type\":\"RequestAsk\",\"count\":0} ");
  EXPECT_EQUAL(told.last.cause, 5);
  EXPECT_EQUAL(told.last.correlation, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void read_zero(void *user_data, const mainstem_event *event) {
  EXPECT_EQUAL(activity_of(event->context, *(mainstem_event_type *)user_data), 0);
}

/* Catches: the last answer counted as open by those who see it, who would never hide the indicator. */
CASE(whoever_sees_the_last_answer_reads_none, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  keeper_serve(&kept, &on);
  EXPECT_OK(mainstem_observe(on.context, on.answer, read_zero, &on.ask, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, read_zero, &on.ask, NULL));
  EXPECT_EQUAL(activity_of(on.context, on.ask), 1);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer_at_once(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "x", 1));
}

/* Catches: an event for each answer that came at once: an indicator that flickers. */
CASE(what_is_answered_at_once_is_not_told, IN_BOTH) {
  stream on = stream_open(threads);
  told told;
  asking one;
  observe_told(&told, on.context);
  EXPECT_OK(mainstem_activity_report(on.context, MAINSTEM_TYPE_ANY));
  asking_ask(&one, &on); /* Unhandled. */
  serve_one(on.context, "Server", "RequestAsk", answer_at_once, NULL);
  asking_ask(&one, &on);
  EXPECT_STATUS(one.last.status, MAINSTEM_OK);
  EXPECT_TEXT(told.text, "");
  EXPECT_EQUAL(stats_of(on.context).events, 4);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: positions that depend on who looks (law 11). */
CASE(nothing_is_told_unasked, IN_BOTH) {
  stream on = stream_open(threads);
  told told;
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  observe_told(&told, on.context);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT_TEXT(told.text, "");
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_activity_report(on.context, on.ask)); /* What is open is not told … */
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_OK(mainstem_pending_cancel(one.pending)); /* … but its end is. */
  EXPECT_TEXT(told.text, "5{\"type\":\"RequestAsk\",\"count\":0} ");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: types that are told apart by nobody, or that come too late for "every type". */
CASE(each_type_is_told_by_itself, IN_BOTH) {
  stream on = stream_open(threads);
  told told;
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  observe_told(&told, on.context);
  EXPECT_OK(mainstem_activity_report(on.context, MAINSTEM_TYPE_ANY));
  mainstem_event_type later =
      type_open(on.context, "RequestLater", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  serve_one(on.context, "Later", "RequestLater", keeper_keep, &kept);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_request(on.context, later, "", 0, NULL, NULL, NULL));
  EXPECT_EQUAL(activity_of(on.context, later), 1);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT_EQUAL(activity_of(on.context, on.ask), 0);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 1), "x", 1));
  EXPECT_TEXT(told.text, "2{\"type\":\"RequestAsk\",\"count\":1} "
                         "4{\"type\":\"RequestLater\",\"count\":1} "
                         "6{\"type\":\"RequestAsk\",\"count\":0} "
                         "8{\"type\":\"RequestLater\",\"count\":0} ");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an indicator that stays when the context closes, or when the last server ends. */
CASE(every_end_is_an_end_of_activity, IN_BOTH) {
  for (int end = 0; end < 3; end++) {
    stream on = stream_open(threads), inner = on;
    told told;
    keeper kept = {0, {NULL}};
    asking one, two;
    mainstem_context *server = keeper_serve(&kept, &on), *scope;
    scope = scope_open(on.context, "Asker");
    inner.context = scope;
    observe_told(&told, on.context);
    EXPECT_OK(mainstem_activity_report(on.context, on.ask));
    asking_ask(&one, &inner);
    asking_ask(&two, &inner);
    if (end == 1) EXPECT_OK(mainstem_scope_end(server));
    if (end == 2) EXPECT_OK(mainstem_scope_end(scope));
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(one.calls + two.calls, 2);
    EXPECT_TEXT(told.text, "2{\"type\":\"RequestAsk\",\"count\":1} "
                           "6{\"type\":\"RequestAsk\",\"count\":0} ");
  }
}

enum { THREADS = 3, ROUNDS = 2000 };

typedef struct work {
  stream on;
  int busy, idle;
} work;

static void note_change(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  char text[200];
  snprintf(text, sizeof text, "%.*s", (int)event->size, (const char *)event->data);
  if (strstr(text, "\"count\":0") != NULL) self->idle++;
  else self->busy++;
  EXPECT(self->busy == self->idle || self->busy == self->idle + 1);
}

static void answer_some(void *user_data, const mainstem_event *event) {
  mainstem_status status = MAINSTEM_OK;
  if (event->position % 3 == 0) status = mainstem_respond(event, "x", 1);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* Perhaps it was given up. */
}

static void *ask_and_give_up(void *data) {
  work *self = (work *)data;
  for (int i = 0; i < ROUNDS; i++) {
    mainstem_pending *pending;
    EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "", 0, NULL, NULL, &pending));
    mainstem_status status = mainstem_pending_cancel(pending);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  }
  return NULL;
}

/* Catches: a change told twice or never when threads ask and answer at once; no memory left for one. */
CASE(busy_and_idle_alternate_between_threads, IN_ANY) {
  work self = {0};
  pthread_t workers[THREADS];
  self.on = stream_open(threads);
  EXPECT_OK(mainstem_activity_report(self.on.context, self.on.ask));
  mainstem_event_type type = type_named(self.on.context, "MainstemActivity");
  EXPECT_OK(mainstem_observe(self.on.context, type, note_change, &self, NULL, NULL));
  serve_one(self.on.context, "S", "RequestAsk", answer_some, NULL);
  for (int i = 0; i < THREADS; i++) workers[i] = beside(ask_and_give_up, &self);
  for (int i = 0; i < THREADS; i++) join(workers[i]);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_EQUAL(activity_of(self.on.context, self.on.ask), 0);
  EXPECT_EQUAL(self.busy, self.idle);
  EXPECT(self.busy > 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Shared requests: what several ask at a time is asked once, and each asker gets its own answer. */

#include "group.h"

/* three askers, one start. */
CASE(three_askers_are_one_start, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_EQUAL(self->started, 0);
  ask(self, "same");
  ask(self, "same");
  ask(self, "same");
  EXPECT_EQUAL(self->started, 1);
  expect_seen(self, "a1<0 r2<1 a3<0 a4<0");
  EXPECT_EQUAL(work(self, 0)->correlation, 1);
  EXPECT_OK(mainstem_respond(work(self, 0), "answer", 6));
  expect_seen(self, "=5<0 to2 =6<5 to1s !1 =7<5 to3s !3 =8<5 to4s !4");
  EXPECT_EQUAL(self->stopped, 0);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 2);
  expect_seen(self, "a9<0 r10<9");
  group_close(self);
}

CASE(the_last_to_give_up_stops_the_work, IN_BOTH) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_pending_cancel(self->pending[0]));
  EXPECT_EQUAL(self->stopped, 0);
  expect_seen(self, "=4<0 to1 CANCELLED !1");
  EXPECT_OK(mainstem_pending_cancel(self->pending[1]));
  EXPECT_EQUAL(self->stopped, 1);
  expect_seen(self, "=5<0 to3 CANCELLED !3 =6<5 to2 CANCELLED");
  EXPECT_STATUS(mainstem_respond(work(self, 0), "late", 4), MAINSTEM_STALE);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 2);
  group_close(self);
  EXPECT_EQUAL(self->stopped, 2);
}

CASE(each_has_its_own_time, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_OK(ask_with(self, self->on.context, "same", 5, 0));
  EXPECT_OK(ask_with(self, self->on.context, "same", 9, 0));
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_context_advance(self->on.context, 5));
  expect_seen(self, "=4<0 to1 TIMEOUT !1");
  EXPECT_EQUAL(self->stopped, 0);
  EXPECT_OK(mainstem_context_advance(self->on.context, 4));
  expect_seen(self, "=5<0 to3 TIMEOUT !3 =6<5 to2 CANCELLED");
  EXPECT_EQUAL(self->stopped, 1);
  group_close(self);
}

CASE(progress_goes_to_each, IN_BOTH) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "1", 1));
  expect_seen(self, ".4<0 to2 .5<4 to1s ?1 .6<4 to3s ?3");
  EXPECT_OK(mainstem_pending_cancel(self->pending[0]));
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "2", 1));
  expect_seen(self, ".8<0 to2 .9<8 to3s ?3");
  EXPECT_OK(mainstem_respond_error(work(self, 0), 1001, "no"));
  expect_seen(self, "=10<0 to2 APP =11<10 to3s APP !3");
  group_close(self);
}

/* Catches: askers of another payload, another type or another owner that get what they did not ask for. */
CASE(who_asks_something_else_asks_alone, IN_BOTH) {
  static const mainstem_handler_row own[] = {
      {"RequestAsk", start_work, MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_SEVERAL}};
  group *self = group_open(threads);
  mainstem_context *cells[2], *scope;
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_server_add(self->on.context, "Cell", own, sizeof own[0], 1, self, NULL,
                                  &cells[i]));
  scope = scope_open(self->on.context, "View");
  ask(self, "one");
  ask(self, "two");
  EXPECT_EQUAL(self->started, 2);
  EXPECT_OK(ask_with(self, scope, "one", 0, 0));
  EXPECT_EQUAL(self->started, 2); /* Who asks does not matter … */
  EXPECT_OK(ask_with(self, cells[0], "one", 0, 0));
  EXPECT_EQUAL(self->started, 4); /* … unless it owns the type: the server and its own handler. */
  EXPECT_OK(ask_with(self, cells[0], "one", 0, 0));
  EXPECT_EQUAL(self->started, 4);
  EXPECT_EQUAL(work(self, 2)->origin, work(self, 3)->origin);
  EXPECT(work(self, 2)->origin != 0);
  EXPECT_OK(ask_with(self, cells[1], "one", 0, 0));
  EXPECT_EQUAL(self->started, 6);
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond(work(self, 2), "cell", 4));
  EXPECT_EQUAL(self->answered, 2);
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "one", 3, NULL, NULL, NULL));
  EXPECT_EQUAL(self->started, 7); /* An ordinary request is always alone. */
  group_close(self);
}

static void answer_now(void *user_data, const mainstem_event *event) {
  static char large[2000];
  memset(large, 'x', sizeof large);
  EXPECT_OK(mainstem_respond(event, large, sizeof large));
}

static void take_large(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT_EQUAL(event->size, 2000);
  EXPECT_EQUAL(((const char *)event->data)[1999], 'x');
  EXPECT_EQUAL(event->origin, 0);
  self->answered++;
}

CASE(a_large_answer_is_copied_for_each, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_OK(mainstem_scope_end(self->server));
  serve_one(self->on.context, "Now", "RequestAsk", answer_now, self);
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "?", 1,
                                    OPTIONS(request, .share = 1), take_large, self, NULL, NULL));
  EXPECT_EQUAL(self->answered, 3);
  group_close(self);
}

/* Inside a callback all of them are accepted before the first is delivered. */
CASE(inside_a_callback, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, ask_three, self, NULL, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->started, 1);
  expect_seen(self, "n1<0 a2<1 a3<1 a4<1 r5<2");
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  expect_seen(self, "=6<0 to5 =7<6 to2s !2 =8<6 to3s !3 =9<6 to4s !4");
  group_close(self);
}

CASE(on_a_scheduler, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_OK(ask_with(self, self->on.context, "same", 0, MAINSTEM_SCHEDULER_HOST));
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "1", 1));
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  expect_seen(self, ".4<0 to2 .5<4 to1s .6<4 to3s ?3 =7<0 to2 =8<7 to1s =9<7 to3s !3");
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  expect_seen(self, "?1 !1");
  group_close(self);
}

/* Whoever observes an asker may answer it alone. */
static void answer_asker(void *user_data, const mainstem_event *event) {
  if (event->flags & MAINSTEM_EVENT_SHARED) EXPECT_OK(mainstem_respond(event, "", 0));
}

CASE(an_observer_may_answer_one, IN_BOTH) {
  group *self = group_open(threads);
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe(self->on.context, self->on.ask, answer_asker, self, NULL, &first));
  EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "", 0,
                                  OPTIONS(request, .share = 1), NULL, NULL, NULL, NULL));
  EXPECT_EQUAL(self->started, 0);
  expect_seen(self, "a1<0 =2<1 to1");
  group_close(self);
}

CASE(activity_counts_them, IN_BOTH) {
  group *self = group_open(threads);
  uint64_t count;
  EXPECT_OK(mainstem_activity_report(self->on.context, self->on.ask));
  ask(self, "same");
  ask(self, "same");
  EXPECT_OK(mainstem_request_count(self->on.context, self->on.ask, &count));
  EXPECT_EQUAL(count, 3);
  expect_seen(self, "a1<0 r2<1 n3<2 a4<0");
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  EXPECT_OK(mainstem_request_count(self->on.context, self->on.ask, &count));
  EXPECT_EQUAL(count, 0);
  expect_seen(self, "=5<0 to2 =6<5 to1s !1 =7<5 to4s !4 n8<5");
  group_close(self);
}

CASE(what_is_wrong_is_refused, IN_BOTH) {
  group *self = group_open(threads);
  mainstem_request_options options = {.size = sizeof options};
  EXPECT_EQUAL(options.share, 0);
  options.share = 2;
  EXPECT_STATUS(mainstem_request_with(self->on.context, self->on.ask, "", 0, &options, NULL, NULL,
                                      NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_request_with: options.share: is neither 0 nor 1");
  options.share = 1;
  EXPECT_STATUS(mainstem_request_with(self->on.context, self->on.notice, "", 0, &options, NULL,
                                      NULL, NULL, NULL),
                MAINSTEM_INVALID);
  expect_seen(self, "");
  group_close(self);
}

int main(void) { return expect_all(); }

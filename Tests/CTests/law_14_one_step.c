// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 14: after each event that a server has got, it says once what it shows. */

#include "showing.h"

/* Catches: a first show inside server_add, as an output, or after the next event. */
CASE(the_first_comes_before_the_next_event, IN_BOTH) {
  counter a = {.name = "a"}, b = {.name = "b"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  open_showing(&b, NULL, NULL);
  EXPECT_TEXT(seen.text, "");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 5);
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_TEXT(seen.text, "a! b! a01<0* b02<0*");
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  close_all();
}

/* Catches: a show before all observers, twice for one event, or after the next. */
CASE(it_comes_once_when_all_have_seen_the_event, IN_BOTH) {
  counter a = {.name = "a"}, late = {.name = "z"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_observe(a.server, on.notice, count_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_event, &late, NULL, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_TEXT(seen.text, "a:2 a:2 z:2 a! a23<2");
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
}

/* Catches: an order of adding, where another server got the event first. */
CASE(servers_show_in_the_order_in_which_they_got_it, IN_BOTH) {
  counter a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
  open_all(context_open(threads));
  open_showing(&a, NULL, NULL);
  open_showing(&b, count_event, "Notice");
  open_showing(&c, count_event, "Notice");
  EXPECT_OK(mainstem_observe(a.server, on.notice, count_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_flush(on.context));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_TEXT(seen.text, "b:4 c:4 a:4 b! c! a! b15<4 c16<4 a17<4");
  close_all();
}

/* Catches: an answer before what the server shows; an answer that is lost when the show fails. */
CASE(answers_leave_after_what_is_shown, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_pending *pending;
  open_all(context_open(threads));
  open_showing(&a, answer, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, note, NULL, &pending));
  EXPECT_TEXT(seen.text, "a:2 a! a13<2 a4<2@2 a4<2@2");
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  a.returns = MAINSTEM_APP;
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, &pending));
  EXPECT_TEXT(seen.text, "a:5 a! a26<5 a8<5@5");
  EXPECT_EQUAL(stats_of(on.context).failures, 1);
  close_all();
}

/* Catches: an answer of a server that ends in the same step, which nobody sends any more. */
static void end_after_answering(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  answer(self, event);
  EXPECT_OK(mainstem_scope_end(self->server));
}

CASE(a_server_that_ends_shows_no_more_but_answers, IN_BOTH) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  open_showing(&a, end_after_answering, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_TEXT(seen.text, "a:2 a3<2@2");
  close_all();
}

/* Catches: a completion that is no callback of its server, and one of a request from outside that is. */
CASE(completions_count_where_a_callback_asked, IN_BOTH) {
  counter a = {.name = "a"}, k = {.name = "k"};
  open_all(context_open(threads));
  type_open(on.context, "RequestKeep", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  serve_one(on.context, "k", "RequestKeep", keep, &k);
  open_showing(&a, ask_keeper, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(a.server, on.ask, "?", 1, note, NULL, NULL));
  EXPECT_TEXT(seen.text, "a:2 a! k:3 a14<2");
  transcript_clear(&seen);
  const mainstem_event *request = kept_event(k.kept);
  EXPECT_OK(mainstem_respond(request, "k", 1));
  EXPECT_TEXT(seen.text, "k5<0@3 a:5 a! a26<5 a7<5@2 a7<5@2");
  EXPECT_OK(mainstem_retained_release(k.kept));
  EXPECT_EQUAL(a.shows, 3);
  close_all();
}

static void add_inside(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  if (self->server != NULL) return;
  EXPECT_OK(try_showing(self, event->context, count_event, "Notice"));
  EXPECT_OK(mainstem_send(event->context, on.notice, "y", 1));
  transcript_add(&seen, "added");
}

/* Catches: a first show inside the event that adds the server, or after the next one. */
CASE(the_first_of_one_added_inside_comes_after_that_event, IN_BOTH) {
  counter a = {.name = "a"}, z = {.name = "z"};
  open_all(context_open(threads));
  EXPECT_OK(mainstem_observe(on.context, on.other, add_inside, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, count_event, &z, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_TEXT(seen.text, "added z:1 a! a:2 a! a03<1 a14<2");
  close_all();
}

/* Catches: late events, and progress, that make nothing owed. */
CASE(late_events_count, IN_BOTH) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 2, 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_OK(mainstem_send(on.context, on.notice, "y", 1));
  open_showing(&a, count_event, "Notice");
  EXPECT_TEXT(seen.text, "a:1 a! a:2 a! a13<1 a24<2");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
}

/* Catches: a show that runs in a send where functions run in drains only. */
CASE(on_the_host_it_waits_for_a_drain, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_context *context =
      CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST);
  open_all(context);
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a! a:1 a! a02<0* a13<1");
  close_all();
}

/* Two servers that answer each other: the chain is cut, and says so. */
CASE(circles_end_at_the_limit, IN_BOTH) {
  counter a = {.name = "a"}, b = {.name = "b"};
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .limit_cascade = 7);
  open_all(context);
  open_showing(&a, count_event, "Shown");
  open_showing(&b, count_event, "Notice");
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT(a.shows > 7 && a.shows < 40);
  EXPECT(stats_of(on.context).failures > 0 && stats_of(on.context).rejected > 0);
  close_all();
}

int main(void) { return expect_all(); }

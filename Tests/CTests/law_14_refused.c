// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 14: what a show function may not do, and what becomes of one that fails or finds no room. */

#include "showing.h"

static void try_all(void *user_data, const mainstem_event *event);

/* Says in `tried` what was not refused. */
static mainstem_status show_too_much(void *user_data, mainstem_context *server,
                                     const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  mainstem_server_options options = {.size = sizeof options};
  mainstem_handler_row row = {"Notice", try_all, 0};
  mainstem_context *made = NULL;
  mainstem_timer *timer;
  mainstem_scheduler serial;
  const mainstem_event *request;
  uint64_t number;
  self->shows++;
  EXPECT_STATUS(mainstem_send(server, on.ask, "?", 1), MAINSTEM_BUSY);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: a show function only sets values and sends notices: do everything "
              "else in a handler");
  EXPECT_STATUS(mainstem_send(server, on.answer, "?", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_request(server, on.ask, "?", 1, NULL, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_post(server, on.notice, "?", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_send_after(server, on.notice, "?", 1, 1, 0, &timer), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_observe(server, on.notice, try_all, self, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scope_add(server, "S", NULL, &made), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scope_end(server), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_server_add(server, "S", &row, sizeof row, 1, NULL, NULL, NULL),
                MAINSTEM_BUSY);
  EXPECT_STATUS(
      mainstem_server_add_with(server, "S", &row, sizeof row, 1, &options, NULL, NULL, NULL),
      MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_history_keep(server, on.notice, 1, 0), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_activity_report(server, on.ask), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scheduler_add(server, "S", 0, &serial), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_drain(on.context, 0, NULL), MAINSTEM_BUSY);
  if (self->kept != NULL) {
    request = kept_event(self->kept);
    EXPECT_STATUS(mainstem_respond(request, "!", 1), MAINSTEM_BUSY);
    EXPECT_STATUS(mainstem_respond_progress(request, on.notice, "!", 1), MAINSTEM_BUSY);
  }
  EXPECT_OK(mainstem_context_random(server, &number));
  EXPECT_OK(mainstem_send(server, on.notice, "ok", 2));
  return MAINSTEM_OK;
}

static void try_all(void *user_data, const mainstem_event *event) { keep(user_data, event); }

/* Catches: a show function that asks, answers, observes, or makes something. */
CASE(it_may_only_say_what_is, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"RequestAsk", try_all, 0};
  mainstem_pending *pending;
  open_all(context_open(threads));
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1,
                                     OPTIONS(server, .show = show_too_much), &a, NULL, &a.server));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, &pending));
  EXPECT_EQUAL(a.shows, 2);
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_OK(mainstem_retained_release(a.kept));
  close_all();
}

/* Catches: FULL as a failure, as the last word, or as tried again for the same event. */
CASE(without_room_it_is_owed_after_the_next_event, IN_BOTH) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  a.returns = MAINSTEM_FULL;
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 2);
  a.returns = MAINSTEM_OK;
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_TEXT(seen.text, "a! a14<3");
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(a.shows, 3);
  close_all();
}

/* Catches: a first show that is half refused, of which a replay would not know. */
CASE(a_first_show_finds_room, IN_BOTH) {
  counter all[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  open_all(CONTEXT_WITH(.threads = threads, .limit_events = 1));
  for (int i = 0; i < 3; i++) open_showing(&all[i], count_event, "Notice");
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_TEXT(seen.text, "a! b! c! a01<0* b02<0* c03<0*");
  EXPECT_EQUAL(stats_of(on.context).events, 4);
  EXPECT_EQUAL(stats_of(on.context).rejected, 0);
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1)); /* Behind an event, the rule holds. */
  EXPECT_EQUAL(stats_of(on.context).rejected, 2 + 1);
  close_all();
}

static void read_failure(void *user_data, const mainstem_event *event) {
  transcript_add(&seen, "%.*s", (int)event->size, (const char *)event->data);
}

/* Catches: a failed show that is not counted, or ends something. */
CASE(a_failure_is_counted_and_reported, IN_BOTH) {
  counter a = {.name = "a", .returns = MAINSTEM_APP + 1};
  open_all(context_open(threads));
  mainstem_event_type failure = type_named(on.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(on.context, failure, read_failure, NULL, NULL, NULL));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT(strstr(seen.text, "{\"type\":\"\",\"origin\":\"a\",\"code\":1001,\"sentence\":\"the show "
                           "function failed\",\"count\":1}") != NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT(strstr(seen.text, "{\"type\":\"Notice\",\"origin\":\"a\",\"code\":1001,\"sentence\":\"the "
                           "show function failed\",\"count\":2}") != NULL);
  EXPECT_EQUAL(stats_of(on.context).failures, 2);
  close_all();
}

static mainstem_status closing_status;

static mainstem_status show_at_the_end(void *user_data, mainstem_context *server,
                                       const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  self->shows++;
  closing_status = mainstem_send(server, types[0], "end", 3);
  return closing_status;
}

/* Catches: a closing context whose servers do not show, and its refusals as failures. */
CASE(while_closing_it_is_refused_and_that_is_no_failure, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"RequestAsk", keep, 0};
  open_all(context_open(threads));
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1,
                                     OPTIONS(server, .show = show_at_the_end, .show_types = &shown),
                                     &a, NULL, &a.server));
  EXPECT_OK(mainstem_observe(a.server, on.answer, count_event, &a, NULL, NULL));
  mainstem_event_type failure = type_named(on.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(on.context, failure, read_failure, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
  EXPECT_EQUAL(a.shows, 3);
  EXPECT_STATUS(closing_status, MAINSTEM_STALE);
  EXPECT(strstr(seen.text, "failed") == NULL);
}

/* Catches: a server on a scheduler that shows; options of an older program. */
CASE(on_a_scheduler_it_is_refused, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"Notice", count_event, 0};
  const size_t first = offsetof(mainstem_server_options, show);
  open_all(context_open(threads));
  mainstem_server_options options = {
      .size = sizeof options, .show = show, .scheduler = MAINSTEM_SCHEDULER_HOST};
  EXPECT_STATUS(
      mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL, &a.server),
      MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "options.show") != NULL);
  options = (mainstem_server_options){.size = (uint32_t)first, .show = show};
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL,
                                     &a.server));
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 0);
  close_all();
}

/* Catches: a show that counts as no observer. */
CASE(it_counts_as_an_observer, IN_BOTH) {
  counter a = {.name = "a"};
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .limit_observers = 3);
  open_all(context);
  EXPECT_STATUS(try_showing(&a, on.context, count_event, "Notice"), MAINSTEM_LIMIT);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  EXPECT_OK(try_showing(&a, on.context, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(a.server));
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(a.shows, 0);
  close_all();
}

int main(void) { return expect_all(); }

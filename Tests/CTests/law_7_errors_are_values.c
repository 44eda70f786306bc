// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 7, errors are values; acceptance A-80: failures are counted and told, and end nothing. */

#include "elsewhere.h"
#include "transcript.h"

typedef struct reports {
  size_t count;
  uint64_t causes[32];
  char data[32][300];
} reports;

static void note_report(void *user_data, const mainstem_event *event) {
  reports *self = (reports *)user_data;
  EXPECT(event->size < sizeof self->data[0]);
  self->causes[self->count] = event->cause;
  memcpy(self->data[self->count], event->data, event->size);
  self->data[self->count++][event->size] = 0;
  EXPECT_STATUS(event->status, MAINSTEM_OK);
}

static void fail(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  EXPECT_OK(mainstem_fail(event, 1234, "no \"luck\""));
}

static void count(void *user_data, const mainstem_event *event) {
  (void)event;
  ++*(int *)user_data;
}

static mainstem_event_type report_of(mainstem_context *context) {
  mainstem_event_type type = 0;
  EXPECT_OK(mainstem_type_find(context, "MainstemFailure", &type));
  return type;
}

static void observe_reports(const stream *on, reports *told) {
  memset(told, 0, sizeof *told);
  EXPECT_OK(mainstem_observe(on->context, report_of(on->context), note_report, told, NULL, NULL));
}

static int has_count(const char *data, int wanted) {
  char text[40];
  const char *found;
  snprintf(text, sizeof text, "\"count\":%d", wanted);
  found = strstr(data, text);
  return found != NULL && (found[strlen(text)] == '}' || found[strlen(text)] == ',');
}

/* Catches: a failure that ends the subscription, hides the event from peers, or is told wrongly. */
static void failures_are_told_at_powers_of_two(uint32_t threads) {
  stream on = stream_open(threads);
  reports told;
  int failed = 0, peer = 0;
  static const int counts[] = {1, 2, 4, 8, 16};
  static const int causes[] = {1, 3, 6, 11, 20}; /* Each report takes a position of its own. */
  observe_reports(&on, &told);
  EXPECT_OK(mainstem_observe(on.context, on.notice, fail, &failed, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count, &peer, NULL, NULL));
  for (int i = 0; i < 20; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(failed, 20);
  EXPECT_EQUAL(peer, 20);
  EXPECT_EQUAL(told.count, 5);
  for (int i = 0; i < 5; i++) {
    EXPECT(has_count(told.data[i], counts[i]));
    EXPECT_EQUAL(told.causes[i], causes[i]);
    EXPECT(strstr(told.data[i], "\"type\":\"Notice\"") != NULL);
    EXPECT(strstr(told.data[i], "1234") != NULL);
    EXPECT(strstr(told.data[i], "no \\\"luck\\\"") != NULL);
  }
  EXPECT_EQUAL(stats_of(on.context).failures, 20);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: one counter for all observers. */
static void each_subscription_counts_for_itself(uint32_t threads) {
  stream on = stream_open(threads);
  reports told;
  int first = 0, second = 0;
  mainstem_handler_row row = {"Notice", fail};
  observe_reports(&on, &told);
  EXPECT_OK(mainstem_observe(on.context, on.notice, fail, &first, NULL, NULL));
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, &second, NULL, NULL));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(told.count, 4);
  EXPECT(has_count(told.data[0], 1) && has_count(told.data[1], 1));
  EXPECT(has_count(told.data[2], 2) && has_count(told.data[3], 2));
  EXPECT_EQUAL(told.causes[0], told.causes[1]);
  EXPECT(strstr(told.data[1], "Server") != NULL);
  EXPECT_EQUAL(stats_of(on.context).failures, 6);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: reports of failures to handle reports: an endless stream. */
static void a_failure_in_a_report_is_only_counted(uint32_t threads) {
  stream on = stream_open(threads);
  int failed = 0, reporters = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, fail, &failed, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, report_of(on.context), fail, &reporters, NULL, NULL));
  for (int i = 0; i < 4; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(failed, 4);
  EXPECT_EQUAL(reporters, 3);
  EXPECT_EQUAL(stats_of(on.context).failures, 7);
  EXPECT_EQUAL(stats_of(on.context).events, 7);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void confirm_if_even(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  if (event->position % 2 == 0) EXPECT_OK(mainstem_confirm(event));
}

static void fail_and_confirm(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, NULL));
  EXPECT_OK(mainstem_confirm(event));
}

static void observe_with_confirm(const stream *on, mainstem_event_fn fn, int *calls) {
  mainstem_observe_options options;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.flags = MAINSTEM_CONFIRM;
  options.types = &on->notice;
  options.type_count = 1;
  EXPECT_OK(mainstem_observe_with(on->context, &options, fn, calls, NULL, NULL));
}

/* Catches: CONFIRM ignored, an outcome kept from the call before, or one call counted twice. */
static void what_is_not_confirmed_has_failed(uint32_t threads) {
  stream on = stream_open(threads);
  reports told;
  int calls = 0, both = 0;
  observe_reports(&on, &told);
  observe_with_confirm(&on, confirm_if_even, &calls);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0)); /* 1 fails; the report is 2 */
  EXPECT_EQUAL(told.count, 1);
  EXPECT(strstr(told.data[0], "18") != NULL); /* MAINSTEM_INCOMPLETE */
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0)); /* 4 is confirmed */
  EXPECT_EQUAL(told.count, 1);
  EXPECT_EQUAL(calls, 2);
  EXPECT_EQUAL(stats_of(on.context).failures, 1);
  observe_with_confirm(&on, fail_and_confirm, &both);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0)); /* 6 is confirmed by the first only */
  EXPECT_EQUAL(both, 1);
  EXPECT_EQUAL(stats_of(on.context).failures, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *fail_elsewhere(void *data) {
  EXPECT_STATUS(mainstem_fail((const mainstem_event *)data, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_confirm((const mainstem_event *)data), MAINSTEM_INVALID);
  return NULL;
}

static void misuse(void *user_data, const mainstem_event *event) {
  mainstem_retained **kept = (mainstem_retained **)user_data;
  const mainstem_event *copy;
  EXPECT_STATUS(mainstem_fail(event, MAINSTEM_OK, "x"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_fail(NULL, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_confirm(NULL), MAINSTEM_INVALID);
  elsewhere(fail_elsewhere, (void *)(uintptr_t)event);
  if (*kept != NULL) {
    EXPECT_OK(mainstem_retained_event(*kept, &copy));
    EXPECT_STATUS(mainstem_fail(copy, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
    return;
  }
  EXPECT_OK(mainstem_event_retain(event, kept));
}

/* Catches: a failure booked on whichever callback happens to run, or on none. */
static void a_failure_belongs_to_the_running_callback(uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_retained *kept = NULL;
  const mainstem_event *copy;
  EXPECT_OK(mainstem_observe(on.context, on.notice, misuse, &kept, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_retained_event(kept, &copy));
  EXPECT_STATUS(mainstem_fail(copy, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_confirm(copy), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void fail_three_times(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_fail(event, 1001, "first"));
  EXPECT_OK(mainstem_fail(event, 1002, "second"));
  EXPECT_OK(mainstem_confirm(event));
  EXPECT_OK(mainstem_fail(event, 1003, NULL));
}

/* Catches: a call that counts twice; a later word that takes the place of the first. */
static void the_first_failure_of_a_call_counts(uint32_t threads) {
  stream on = stream_open(threads);
  reports told;
  mainstem_observe_options options;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = &on.notice;
  options.type_count = 1;
  options.flags = MAINSTEM_CONFIRM;
  observe_reports(&on, &told);
  EXPECT_OK(mainstem_observe_with(on.context, &options, fail_three_times, NULL, NULL, NULL));
  for (int i = 1; i <= 3; i++) {
    EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
    EXPECT_EQUAL(stats_of(on.context).failures, i);
  }
  EXPECT_EQUAL(told.count, 2);
  EXPECT(strstr(told.data[0], "\"code\":1001,\"sentence\":\"first\"") != NULL);
  EXPECT(has_count(told.data[0], 1) && has_count(told.data[1], 2));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void refuse(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond_error(event, 1001, "Not today."));
}

/* Catches: a failed response that counts as a failed callback, or that ends its observer. */
static void a_failed_response_is_an_event(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, c = {&seen, "c", NULL, NULL};
  mainstem_handler_row row = {"RequestAsk", refuse};
  witness_observe(&a, on.context, on.answer);
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, witness_event, &c, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, witness_event, &c, NULL));
  EXPECT_TEXT(seen.text, "a2 c2 a4 c4");
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: completions whose failures are lost. */
static void a_failing_completion_is_counted(uint32_t threads) {
  stream on = stream_open(threads);
  reports told;
  int failed = 0;
  observe_reports(&on, &told);
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, fail, &failed, NULL));
  EXPECT_EQUAL(failed, 1);
  EXPECT_EQUAL(stats_of(on.context).failures, 1);
  EXPECT_EQUAL(told.count, 1);
  EXPECT_EQUAL(told.causes[0], 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"failures are told at powers of two", failures_are_told_at_powers_of_two, IN_BOTH},
    {"each subscription counts for itself", each_subscription_counts_for_itself, IN_BOTH},
    {"a failure in a report is only counted", a_failure_in_a_report_is_only_counted, IN_BOTH},
    {"what is not confirmed has failed", what_is_not_confirmed_has_failed, IN_BOTH},
    {"a failure belongs to the running callback", a_failure_belongs_to_the_running_callback,
     IN_BOTH},
    {"the first failure of a call counts", the_first_failure_of_a_call_counts, IN_BOTH},
    {"a failed response is an event", a_failed_response_is_an_event, IN_BOTH},
    {"a failing completion is counted", a_failing_completion_is_counted, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

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

static mainstem_event_type report_of(mainstem_context *context) {
  mainstem_event_type type = type_named(context, "MainstemFailure");
  return type;
}

static void observe_reports(const stream *on, reports *told) {
  memset(told, 0, sizeof *told);
  EXPECT_OK(mainstem_observe(on->context, report_of(on->context), note_report, told, NULL, NULL));
}

static int has_count(const char *data, int wanted) {
  char text[40];
  snprintf(text, sizeof text, "\"count\":%d", wanted);
  const char *found = strstr(data, text);
  return found != NULL && (found[strlen(text)] == '}' || found[strlen(text)] == ',');
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
  EXPECT_OK(mainstem_observe_with(
      on->context,
      OPTIONS(observe, .flags = MAINSTEM_OBSERVE_CONFIRM, .types = &on->notice, .type_count = 1),
      fn, calls, NULL, NULL));
}

/* Catches: CONFIRM ignored, an outcome kept from the call before, or one call counted twice. */
CASE(what_is_not_confirmed_has_failed, IN_BOTH) {
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
    copy = kept_event(*kept);
    EXPECT_STATUS(mainstem_fail(copy, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
    return;
  }
  EXPECT_OK(mainstem_event_retain(event, kept));
}

/* Catches: a failure booked on whichever callback happens to run, or on none. */
CASE(a_failure_belongs_to_the_running_callback, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_retained *kept = NULL;
  EXPECT_OK(mainstem_observe(on.context, on.notice, misuse, &kept, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  const mainstem_event *copy = kept_event(kept);
  EXPECT_STATUS(mainstem_fail(copy, MAINSTEM_APP, "x"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_confirm(copy), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void fail_three_times(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, 1001, "the \"first\""));
  EXPECT_OK(mainstem_fail(event, 1002, "second"));
  EXPECT_OK(mainstem_confirm(event));
  EXPECT_OK(mainstem_fail(event, 1003, NULL));
}

/* Catches: a call that counts twice; a later word that takes the place of the first. */
CASE(the_first_failure_of_a_call_counts, IN_BOTH) {
  stream on = stream_open(threads);
  reports told;
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = &on.notice,
                                      .type_count = 1,
                                      .flags = MAINSTEM_OBSERVE_CONFIRM};
  observe_reports(&on, &told);
  EXPECT_OK(mainstem_observe_with(on.context, &options, fail_three_times, NULL, NULL, NULL));
  for (int i = 1; i <= 3; i++) {
    EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
    EXPECT_EQUAL(stats_of(on.context).failures, i);
  }
  EXPECT_EQUAL(told.count, 2);
  EXPECT(strstr(told.data[0], "\"code\":1001,\"sentence\":\"the \\\"first\\\"\"") != NULL);
  EXPECT(has_count(told.data[0], 1) && has_count(told.data[1], 2));
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The test kit: what it lets pass, and each way in which it fails. */

#include "tested.h"

static void answer_loud(void *user_data, const mainstem_event *event) {
  if (event->size == 0) mainstem_respond_error(event, 1001, "Say it.");
  else mainstem_respond(event, "HA", 2);
}

static void serve(tested *on) {
  serve_one(on->context, "Loud", "RequestAsk", answer_loud, NULL);
  mainstem_test_keep(on->test);
}

CASE(what_was_expected_in_order_passes, IN_BOTH) {
  tested on = tested_open(threads);
  serve(&on);
  notice(&on, "one");
  ask(&on, "ha");
  ask(&on, "");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "one");
  MAINSTEM_TEST_EXPECT(on.test, "RequestAsk", "ha", 2);
  const mainstem_event *answer = MAINSTEM_TEST_NEXT(on.test, "ResponseAnswer");
  EXPECT_EQUAL(answer->answers, 2);
  EXPECT_EQUAL(answer->cause, 2);
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "");
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", 1001, "Say it.");
  MAINSTEM_TEST_EXPECT_NOTHING(on.test);
  notice(&on, "what it is not about");
  mainstem_test_skip(on.test);
  MAINSTEM_TEST_OK(on.test, mainstem_flush(on.context));
  tested_close(&on);
}

/* Catches: a kit that compares less than type, payload, outcome and order. */
CASE(another_event_is_a_failure_with_its_causes, IN_BOTH) {
  tested on = tested_open(threads);
  serve(&on);
  ask(&on, "ha");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "ho");
  EXPECT_EQUAL(told_line, __LINE__ - 1);
  EXPECT_TEXT(told, "another event has happened\n"
                    "  expected   RequestAsk ho\n"
                    "  but it was #1 RequestAsk ha\n"
                    "  from byte 1 on: \"o\" was expected, and it was \"a\"");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "HA");
  EXPECT_TEXT(told, "another event has happened\n"
                    "  expected   Notice HA\n"
                    "  but it was #2 ResponseAnswer ok ← #1 Loud HA\n"
                    "      caused by #1 RequestAsk ha");
  notice(&on, "n");
  MAINSTEM_TEST_EXPECT(on.test, "Notice", "n2", 2);
  EXPECT_TOLD("from byte 1 on: \"2\" was expected, and it was \"\"");
  notice(&on, "n");
  EXPECT(MAINSTEM_TEST_NEXT(on.test, "RequestAsk") == NULL);
  EXPECT_TOLD("expected   RequestAsk\n  but it was #4 Notice n");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "more");
  EXPECT_TEXT(told, "nothing more has happened\n  expected   Notice more\n"
                    "  last was   #4 Notice n");
  told[0] = 0;
  tested_close(&on);
}

CASE(another_outcome_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  serve(&on);
  for (int i = 0; i < 4; i++) ask(&on, i < 3 ? "" : "ha");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "ResponseAnswer", "");
  EXPECT_TOLD("expected   ResponseAnswer \n  but it was #2 ResponseAnswer 1001");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "");
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", MAINSTEM_TIMEOUT, NULL);
  EXPECT_TOLD("expected   ResponseAnswer TIMEOUT\n");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "");
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", 1001, "Say");
  EXPECT_TOLD("expected   ResponseAnswer 1001 \"Say\"\n");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "ha");
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", 1001, NULL);
  EXPECT_TOLD("but it was #8 ResponseAnswer ok");
  told[0] = 0;
  tested_close(&on);
}

CASE(a_call_that_fails_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  MAINSTEM_TEST_OK(on.test, mainstem_send(on.context, 99, "", 0));
  EXPECT_TEXT(told,
              "mainstem_send(on.context, 99, \"\", 0) is INVALID: mainstem_send: type: 99 is not a "
              "registered event type: pass a number from this context's mainstem_type_add");
  MAINSTEM_TEST_ADVANCE(on.test, -1);
  EXPECT_TOLD("mainstem_context_advance is INVALID");
  told[0] = 0;
  tested_close(&on);
}

CASE(a_secret_is_not_told, IN_BOTH) {
  tested on = tested_open(threads);
  mainstem_event_type typed =
      type_open(on.context, "Typed", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  EXPECT_OK(send_text(on.context, typed, "pass-is"));
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Typed", "pass-was");
  EXPECT_TOLD("expected   Typed <secret>");
  EXPECT(strstr(told, "pass") == NULL);
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "Typed", 1001, "pass-said");
  EXPECT_TOLD("expected   Typed 1001 <secret>");
  EXPECT(strstr(told, "pass") == NULL);
  told[0] = 0;
  tested_close(&on);
}

CASE(nothing_was_to_happen, IN_BOTH) {
  tested on = tested_open(threads);
  notice(&on, "a");
  notice(&on, "b");
  MAINSTEM_TEST_EXPECT_NOTHING(on.test);
  EXPECT_TEXT(told, "nothing was expected to happen\n  but it did #1 Notice a\n"
                    "  but it did #2 Notice b");
  told[0] = 0;
  tested_close(&on);
}

/* Catches: a kit that lets anything be left over. */
CASE(what_is_left_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  serve(&on);
  ask(&on, "ha");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "ha");
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TEXT(told, "something is left at the end of the test\n"
                    "  nobody expected #2 ResponseAnswer ok ← #1 Loud HA\n"
                    "      caused by #1 RequestAsk ha");
}

CASE(an_open_request_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  serve_one(on.context, "Quiet", "RequestAsk", keep_for_ever, NULL);
  mainstem_test_keep(on.test);
  ask(&on, "ha");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "ha");
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TEXT(told, "something is left at the end of the test\n  not answered: #1 RequestAsk ha");
}

CASE(what_is_posted_armed_and_subscribed_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  mainstem_timer *kept;
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "t", 1, 10, 10, &kept));
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep_for_ever, NULL, NULL, NULL));
  mainstem_test_keep(on.test);
  EXPECT_OK(mainstem_post(on.context, on.notice, "p", 1));
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "t", 1, 10, 0, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep_for_ever, NULL, NULL, NULL));
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TEXT(told, "something is left at the end of the test\n"
                    "  1 posted and not drained\n"
                    "  1 still to come from timers\n"
                    "  1 still subscribed (call mainstem_test_keep after the setup)");
}

CASE(what_waits_for_a_scheduler_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  mainstem_scheduler serial;
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  for (int i = 0; i < 2; i++) {
    observe_on(on.context, on.notice, &how, keep_for_ever, NULL, NULL);
    mainstem_test_keep(on.test);
    notice(&on, "a");
    MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "a");
    if (i == 0) MAINSTEM_TEST_ADVANCE(on.test, 0);
    if (i == 0) EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &serial));
    how.scheduler = serial;
  }
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TEXT(told, "something is left at the end of the test\n"
                    "  something waits to be drained: MAINSTEM_TEST_ADVANCE(test, 0)");
}

/* Catches: a kit that looks at queues of observers only. */
CASE(what_is_held_for_the_host_is_a_failure, IN_BOTH) {
  mainstem_event_type type;
  mainstem_test_on_failure(note_failure, NULL);
  told[0] = 0;
  for (int drains = 0; drains <= 1; drains++) {
    mainstem_test *test = mainstem_test_open(
        OPTIONS(context, .threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST));
    type = type_open(mainstem_test_context(test), "Notice", MAINSTEM_PAYLOAD_NONE, NULL);
    EXPECT_OK(mainstem_send(mainstem_test_context(test), type, NULL, 0));
    MAINSTEM_TEST_EXPECT_NOTHING(test);
    EXPECT_NOTHING_TOLD();
    if (drains) MAINSTEM_TEST_ADVANCE(test, 0);
    if (drains) MAINSTEM_TEST_EXPECT_TEXT(test, "Notice", "");
    MAINSTEM_TEST_CLOSE(test);
    if (drains) EXPECT_NOTHING_TOLD();
    else EXPECT_TOLD("something waits to be drained");
    told[0] = 0;
  }
}

/* Catches: a test that is no more, and a context that lives on. */
CASE(a_close_that_fails_is_a_failure, IN_BOTH) {
  tested on = tested_open(threads);
  EXPECT_OK(mainstem_context_close(on.context));
  MAINSTEM_TEST_CLOSE(on.test);
  EXPECT_TOLD("mainstem_context_close");
  mainstem_test_close_at(NULL, MAINSTEM_TEST_HERE);
}

CASE(a_context_that_cannot_be_made_is_a_failure, IN_BOTH) {
  mainstem_test_on_failure(note_failure, NULL);
  told[0] = 0;
  EXPECT(mainstem_test_open(OPTIONS(context, .threads = threads + 3)) == NULL);
  EXPECT_TOLD("no context for the test: mainstem_context_create: ");
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The test kit: stubs that answer for a server, and seeds that interleave. */

#include "tested.h"

/* Stubs ------------------------------------------------------------------------------------------ */

#define STUB(on, answers) MAINSTEM_TEST_STUB((on).test, "RequestAsk", answers, COUNT(answers))

static mainstem_test_answer row(const char *data, mainstem_status status, int64_t delay_ms) {
  mainstem_test_answer answer = {.data = data,
                                 .size = data == NULL ? 0 : strlen(data),
                                 .status = status,
                                 .delay_ms = delay_ms};
  return answer;
}

CASE(a_stub_answers_in_order, IN_BOTH) {
  tested on = tested_open(threads);
  mainstem_test_answer answers[] = {row("one", MAINSTEM_OK, 0), row("no", 1002, 0),
                                    row("three", MAINSTEM_OK, 0)};
  answers[2].times = 2;
  STUB(on, answers);
  for (int i = 0; i < 4; i++) ask(&on, "ha");
  for (int i = 0; i < 4; i++) {
    MAINSTEM_TEST_EXPECT_TEXT(on.test, "RequestAsk", "ha");
    if (i == 1) MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", 1002, "no");
    else MAINSTEM_TEST_EXPECT_TEXT(on.test, "ResponseAnswer", i == 0 ? "one" : "three");
  }
  EXPECT_EQUAL(mainstem_test_calls(on.test, "RequestAsk"), 4);
  EXPECT_EQUAL(mainstem_test_calls(on.test, "RequestOther"), 0);
  tested_close(&on);
}

CASE(a_stub_answers_after_a_time_or_never, IN_BOTH) {
  tested on = tested_open(threads);
  mainstem_test_answer answers[] = {row("slow", MAINSTEM_OK, 50), row("fast", MAINSTEM_OK, 20),
                                    row("same", MAINSTEM_OK, 20),
                                    row(NULL, MAINSTEM_OK, MAINSTEM_TEST_NEVER)};
  mainstem_pending *open;
  STUB(on, answers);
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "at 20", 5, 20, 0, NULL));
  for (int i = 0; i < 3; i++) ask(&on, "ha");
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, &open));
  mainstem_test_skip(on.test);
  MAINSTEM_TEST_ADVANCE(on.test, 19);
  MAINSTEM_TEST_EXPECT_NOTHING(on.test);
  MAINSTEM_TEST_ADVANCE(on.test, 31);
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "Notice", "at 20");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "ResponseAnswer", "fast");
  MAINSTEM_TEST_EXPECT_TEXT(on.test, "ResponseAnswer", "same");
  const mainstem_event *last = MAINSTEM_TEST_NEXT(on.test, "ResponseAnswer");
  EXPECT_EQUAL(last->answers, 1);
  EXPECT_EQUAL(last->cause, 0);
  MAINSTEM_TEST_ADVANCE(on.test, 86400000);
  EXPECT_OK(mainstem_pending_cancel(open));
  MAINSTEM_TEST_EXPECT_FAILED(on.test, "ResponseAnswer", MAINSTEM_CANCELLED, NULL);
  tested_close(&on);
}

/* Catches: a stub that runs dry in silence, or is never asked. */
CASE(a_stub_that_is_asked_too_often_or_too_seldom_is_a_failure, IN_BOTH) {
  for (int asked = 0; asked <= 4; asked++) {
    tested on = tested_open(threads);
    mainstem_test_answer answers[] = {row("a", MAINSTEM_OK, 0), row("b", MAINSTEM_OK, 0)};
    answers[1].times = 2;
    STUB(on, answers);
    for (int i = 0; i < asked; i++) ask(&on, "ha");
    mainstem_test_skip(on.test);
    MAINSTEM_TEST_CLOSE(on.test);
    if (asked == 3) EXPECT_NOTHING_TOLD();
    if (asked == 1) EXPECT_TOLD("was asked 1 times, and has 2 answers left");
    if (asked == 2) EXPECT_TOLD("was asked 2 times, and has 1 answers left");
    if (asked == 4) EXPECT_TOLD("was asked 4 times, 1 more than it has answers");
  }
  tested on = tested_open(threads);
  mainstem_test_answer always[] = {row("a", MAINSTEM_OK, 0)};
  always[0].times = MAINSTEM_TEST_ALWAYS;
  STUB(on, always);
  MAINSTEM_TEST_STUB(on.test, "RequestNone", always, 1);
  EXPECT_TOLD("a stub's mainstem_server_add is INVALID");
  told[0] = 0;
  tested_close(&on);
}

/* Seeds ------------------------------------------------------------------------------------------ */

typedef struct race {
  int runs, host_was_first;
  int wants_host_first;
  char order[3];
} race;

static void note_worker(void *self, const mainstem_event *event) {
  strcat(((race *)self)->order, "w");
}

static void note_host(void *self, const mainstem_event *event) {
  strcat(((race *)self)->order, "h");
}

/* A test of two that wait for one event; it may believe that the host is always first. */
static void run_race(mainstem_test *test, void *user_data) {
  race *self = (race *)user_data;
  mainstem_context *context = mainstem_test_context(test);
  mainstem_event_type type = type_open(context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL);
  scheduled host = {.scheduler = MAINSTEM_SCHEDULER_HOST}, worker = {0};
  EXPECT_OK(mainstem_scheduler_add(context, "worker", 0, &worker.scheduler));
  observe_on(context, type, &host, note_host, self, NULL);
  observe_on(context, type, &worker, note_worker, self, NULL);
  mainstem_test_keep(test);
  self->order[0] = 0;
  self->runs++;
  EXPECT_OK(mainstem_send(context, type, "", 0));
  MAINSTEM_TEST_ADVANCE(test, 0);
  self->host_was_first += self->order[0] == 'h';
  MAINSTEM_TEST_EXPECT_TEXT(test, "Notice", "");
  if (self->wants_host_first && self->order[0] != 'h') MAINSTEM_TEST_NEXT(test, "Notice");
}

static mainstem_context_options options_of(uint32_t threads) {
  mainstem_context_options options = context_options(threads);
  mainstem_test_on_failure(note_failure, NULL);
  told[0] = 0;
  return options;
}

/* Catches: seeds that are all the same. */
CASE(seeds_interleave_a_test_in_many_ways, IN_BOTH) {
  mainstem_context_options options = options_of(threads);
  race race = {0, 0, 0, ""};
  EXPECT_EQUAL(mainstem_test_seeds(&options, 20, run_race, &race), 0);
  EXPECT_NOTHING_TOLD();
  EXPECT_EQUAL(race.runs, 20);
  EXPECT(race.host_was_first > 0);
  EXPECT(race.host_was_first < 20);
}

/* Catches: a failure that does not say which seed it was, or another one when it is run alone. */
CASE(the_seed_that_failed_is_told_and_can_be_run_alone, IN_BOTH) {
  mainstem_context_options options = options_of(threads);
  race race = {0, 0, 1, ""};
  char wanted[120], number[24];
  uint64_t seed = mainstem_test_seeds(&options, 20, run_race, &race);
  EXPECT(seed > 0);
  EXPECT_EQUAL(race.runs, seed);
  snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
  snprintf(wanted, sizeof wanted, "with seed %s: MAINSTEM_TEST_SEED=%s runs it alone", number,
           number);
  EXPECT_TOLD(wanted);
  EXPECT_OK(setenv("MAINSTEM_TEST_SEED", number, 1));
  EXPECT_EQUAL(mainstem_test_seeds(&options, 20, run_race, &race), seed);
  EXPECT_EQUAL(race.runs, seed + 1);
  EXPECT_OK(unsetenv("MAINSTEM_TEST_SEED"));
}

int main(void) { return expect_all(); }

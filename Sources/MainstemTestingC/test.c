// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A test: it opens, time passes, and it closes with nothing left. */

#include "kit.h"

#include <stdlib.h>
#include <string.h>

static mainstem_status begin(mainstem_test *test, const mainstem_context_options *options) {
  mainstem_context_options own = {.size = sizeof own};
  mainstem_observe_options all = {.size = sizeof all};
  if (options != NULL) own = *options;
  own.clock = MAINSTEM_CLOCK_VIRTUAL;
  if (own.seed == 0) own.seed = 1;
  test->seed = own.seed;
  mainstem_status status = mainstem_context_create(&own, &test->context);
  if (status != MAINSTEM_OK) return status;
  mainstem_type_find(test->context, "MainstemFailure", &test->failure);
  return mainstem_observe_with(test->context, &all, mainstem_kit_transcript_observe,
                               &test->transcript, NULL, &test->observer);
}

mainstem_test *mainstem_test_open(const mainstem_context_options *options) {
  mainstem_test *test = (mainstem_test *)mainstem_kit_memory(NULL, sizeof *test);
  text said = {NULL, 0};
  memset(test, 0, sizeof *test);
  if (begin(test, options) == MAINSTEM_OK) return test;
  mainstem_kit_text_add(&said, "no context for the test: %s", mainstem_last_error());
  mainstem_context_close(test->context);
  free(test);
  mainstem_kit_fail(NULL, mainstem_test_here("mainstem_test_open", 0), &said);
  return NULL;
}

mainstem_context *mainstem_test_context(mainstem_test *test) { return test->context; }

mainstem_context_stats mainstem_kit_stats(const mainstem_test *test) {
  mainstem_context_stats stats;
  memset(&stats, 0, sizeof stats);
  stats.size = sizeof stats;
  mainstem_context_stats_read(test->context, &stats);
  return stats;
}

int64_t mainstem_kit_now(const mainstem_test *test) {
  int64_t now = 0;
  mainstem_context_now(test->context, &now);
  return now;
}

/* The subscriptions that count: all but the transcript's own observer and the stubs. */
static uint64_t subscribed(const mainstem_test *test) {
  return mainstem_kit_stats(test).subscriptions - 1 - test->stubbed;
}

void mainstem_test_keep(mainstem_test *test) {
  test->kept_subscriptions = subscribed(test);
  test->kept_timers = mainstem_kit_stats(test).timers;
}

/* Time ------------------------------------------------------------------------------------------- */

void mainstem_test_advance_at(mainstem_test *test, int64_t ms, mainstem_test_place place) {
  int64_t target = mainstem_kit_now(test) + (ms < 0 ? 0 : ms) * 1000000;
  mainstem_status status = ms < 0 ? mainstem_context_advance(test->context, ms) : MAINSTEM_OK;
  while (status == MAINSTEM_OK) {
    int64_t due = mainstem_kit_stub_first_due(test);
    int64_t until = due < target ? due : target;
    status = mainstem_context_advance(test->context, (until - mainstem_kit_now(test)) / 1000000);
    if (status != MAINSTEM_OK) break;
    /* An answer asked for meanwhile may be due sooner. */
    if (mainstem_kit_stub_first_due(test) < until) until = mainstem_kit_stub_first_due(test);
    if (!mainstem_kit_stub_answer_due(test, until) && until == target) break;
  }
  mainstem_test_ok_at(test, status, "mainstem_context_advance", place);
}

/* The end ---------------------------------------------------------------------------------------- */

static void check_unexpected(mainstem_test *test, text *to) {
  transcript *transcript = &test->transcript;
  for (; transcript->expected < transcript->count; transcript->expected++) {
    const entry *entry = &transcript->entries[transcript->expected];
    if (mainstem_kit_stage_sends(test, entry)) continue;
    mainstem_kit_text_add(to, "\n  nobody expected %s", entry->line);
    mainstem_kit_transcript_add_chain(transcript, entry, to);
  }
}

/* Closes what the stage shows. What the app sends because of that is not the test's concern, unless it is a failure. */
static void leave_stage(mainstem_test *test, text *to, mainstem_test_place place) {
  transcript *transcript = &test->transcript;
  if (test->stage == NULL) return;
  mainstem_test_advance_at(test, 0, place);
  check_unexpected(test, to);
  mainstem_kit_stage_leave(test, place);
  for (; transcript->expected < transcript->count; transcript->expected++) {
    const entry *entry = &transcript->entries[transcript->expected];
    if (entry->event.type == test->failure)
      mainstem_kit_text_add(to, "\n  while the test ends, %s", entry->line);
  }
}

static int is_answered(const transcript *transcript, uint64_t position) {
  for (size_t i = position; i < transcript->count; i++) {
    const mainstem_event *event = &transcript->entries[i].event;
    if (event->answers == position && !(event->flags & MAINSTEM_EVENT_PROGRESS)) return 1;
  }
  return 0;
}

static void check_open(mainstem_test *test, text *to) {
  if (mainstem_kit_stats(test).requests == 0) return;
  for (size_t i = 0; i < test->transcript.count; i++) {
    const entry *entry = &test->transcript.entries[i];
    if (!(entry->event.flags & MAINSTEM_EVENT_TRACKED)) continue;
    if (is_answered(&test->transcript, entry->event.position)) continue;
    mainstem_kit_text_add(to, "\n  not answered: %s", entry->line);
    mainstem_kit_transcript_add_chain(&test->transcript, entry, to);
  }
}

static void check_count(uint64_t count, const char *of, text *to) {
  if (count > 0) mainstem_kit_text_add(to, "\n  %llu %s", (unsigned long long)count, of);
}

static void check_in_flight(mainstem_test *test, text *to) {
  mainstem_context_stats stats = mainstem_kit_stats(test);
  int64_t timeout = 0;
  check_open(test, to);
  check_count(stats.waiting, "posted and not drained", to);
  check_count(stats.timers > test->kept_timers ? stats.timers - test->kept_timers : 0,
              "still to come from timers", to);
  if (stats.waiting == 0 && mainstem_context_next_timeout(test->context, &timeout) == MAINSTEM_OK &&
      timeout == 0) {
    mainstem_kit_text_add(to, "\n  something waits to be drained: MAINSTEM_TEST_ADVANCE(test, 0)");
  }
  uint64_t now = subscribed(test);
  check_count(now > test->kept_subscriptions ? now - test->kept_subscriptions : 0,
              "still subscribed (call mainstem_test_keep after the setup)", to);
}

/* Closing ends what is retained, too. */
static mainstem_status end(mainstem_test *test) {
  test->delayed_count = 0;
  return mainstem_context_close(test->context);
}

/* Frees everything before a failure is reported, since a hook may not return. */
static int free_and_tell(mainstem_test *test, mainstem_test_place place, text *said) {
  mainstem_test told = *test;
  mainstem_kit_stub_free_all(test);
  mainstem_kit_stage_free(test);
  mainstem_kit_transcript_free(&test->transcript);
  free(test);
  if (said->length > 0) mainstem_kit_fail(&told, place, said);
  return told.has_failed;
}

int mainstem_kit_close(mainstem_test *test, mainstem_test_place place) {
  text left = {NULL, 0}, said = {NULL, 0};
  leave_stage(test, &left, place);
  check_unexpected(test, &left);
  check_in_flight(test, &left);
  mainstem_kit_stub_check_all(test, &left);
  if (end(test) != MAINSTEM_OK) mainstem_kit_text_add(&left, "\n  %s", mainstem_last_error());
  if (left.length > 0)
    mainstem_kit_text_add(&said, "something is left at the end of the test%s", left.bytes);
  mainstem_kit_text_free(&left);
  return free_and_tell(test, place, &said);
}

void mainstem_test_close_at(mainstem_test *test, mainstem_test_place place) {
  if (test != NULL) mainstem_kit_close(test, place);
}

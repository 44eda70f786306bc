// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for workflows: each allocation of what is added and run fails in turn. The requester gets exactly one answer,
 * and nothing leaks. This program defines malloc, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "full_disk.h"
#include "journal.h"

static int64_t released;
static int failing, answers, booked;
static bool told;
static mainstem_status status_of_answer;

static void answer(void *user_data, const mainstem_event *event) {
  booked += mainstem_respond(event, event->data, event->size) == MAINSTEM_OK;
}

static mainstem_context *site;
static mainstem_retained *kept[2];
static int keeps;
static char big[1 << 20];

static void keep(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, &kept[keeps++]));
}

static void undo(void *user_data, const mainstem_event *event) {
  booked--;
  mainstem_respond(event, NULL, 0);
}

static void refuse(void *user_data, const mainstem_event *event) {
  const mainstem_error error = {sizeof error, MAINSTEM_APP, "a message", "a text", "a subject"};
  mainstem_respond_error_with(event, &error);
}

static void make(void *user_data, const mainstem_workflow_run *run) {
  mainstem_workflow_pass(run, "12345678", 8);
}

static void nothing(void *user_data, const mainstem_workflow_run *run) {}

static const mainstem_workflow_row rows[] = {
    {"RequestA", make, "RequestUndo", make, 0, 0, 0, 0},
    {"RequestA", NULL, "RequestUndo", NULL, 0, 0, 0, MAINSTEM_WORKFLOW_PARALLEL},
    {"RequestNo", make, NULL, NULL, 0, 5, 1, 0},
    {"RequestA", NULL, "RequestUndo", nothing, 0, 0, 0, 0}};

static const mainstem_workflow_options all = {sizeof all, 0, make, 0};

static void count_release(void *user_data) { released++; }

static void count_answer(void *user_data, const mainstem_event *event) {
  answers++;
  status_of_answer = event->status;
  told = event->status != MAINSTEM_OK && strstr((const char *)event->data, "not undone") != NULL;
}

static mainstem_status add(mainstem_context *context, const mainstem_workflow_row *steps,
                           size_t count) {
  return mainstem_workflow_add(context, "Workflow", "RequestAll", steps, sizeof steps[0], count,
                               &all, NULL, count_release, NULL);
}

static mainstem_context *open_all(uint32_t threads) {
  static const mainstem_type_row types[] = {{"RequestAll", MAINSTEM_PAYLOAD_BYTES, "ResponseAny"},
                                            {"RequestA", MAINSTEM_PAYLOAD_BYTES, "ResponseAny"},
                                            {"RequestNo", MAINSTEM_PAYLOAD_BYTES, "ResponseAny"},
                                            {"RequestUndo", MAINSTEM_PAYLOAD_BYTES, "ResponseAny"},
                                            {"ResponseAny", MAINSTEM_PAYLOAD_BYTES, NULL}};
  static const mainstem_handler_row handlers[] = {
      {"RequestA", answer, 0}, {"RequestNo", refuse, 0}, {"RequestUndo", undo, 0}};
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  EXPECT_OK(mainstem_types_add(context, MAINSTEM_ROWS(types), NULL));
  EXPECT_OK(mainstem_server_add(context, "Site", MAINSTEM_ROWS(handlers), NULL, NULL, &site));
  return context;
}

static mainstem_status try_adding(mainstem_context *context) {
  int64_t hooks = released;
  countdown = failing;
  mainstem_status status = add(context, rows, COUNT(rows));
  failing = countdown;
  countdown = -1;
  EXPECT_EQUAL(released, hooks);
  if (status != MAINSTEM_OK) EXPECT_OK(add(context, rows, COUNT(rows)));
  return status;
}

static mainstem_status ask(mainstem_context *context, const mainstem_workflow_row *steps,
                           size_t count) {
  EXPECT_OK(add(context, steps, count));
  answers = booked = 0;
  countdown = failing;
  mainstem_status status = mainstem_request(context, type_named(context, "RequestAll"), "request",
                                            7, count_answer, NULL, NULL);
  if (status == MAINSTEM_OK && answers == 0) mainstem_context_advance(context, 5);
  failing = countdown;
  countdown = -1;
  if (status != MAINSTEM_OK) return status;
  EXPECT_OK(mainstem_context_advance(context, 5));
  EXPECT_EQUAL(answers, 1);
  /* If memory is short just once, all is done or undone, or the error says what is not. */
  if (only_one && !told) EXPECT_EQUAL(booked, status_of_answer == MAINSTEM_OK ? (int)count : 0);
  return status_of_answer == MAINSTEM_APP ? MAINSTEM_OK : status_of_answer;
}

static mainstem_status try_done(mainstem_context *context) { return ask(context, rows, 2); }
static mainstem_status try_undone(mainstem_context *context) { return ask(context, rows, 3); }

static mainstem_status try_stuck(mainstem_context *context) {
  const mainstem_workflow_row stuck[] = {rows[3], rows[2]};
  return ask(context, stuck, COUNT(stuck));
}

/* Calls until nothing is left that can fail; returns how often it failed. */
static int fail_each(mainstem_status (*call)(mainstem_context *), uint32_t threads) {
  int failures = 0;
  long before = 0;
  for (int which = -1; which < 300; which++) {
    int64_t hooks = released;
    mainstem_context *context = open_all(threads);
    failing = which;
    mainstem_status status = call(context);
    EXPECT(countdown == -1);
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(released, hooks + 1);
    /* The first round leaves what all contexts use. */
    if (which >= 0) EXPECT_EQUAL(blocks, before);
    before = blocks;
    if (status == MAINSTEM_OK && failing > 0) return failures;
    if (status != MAINSTEM_OK) failures++;
  }
  EXPECT(!"fewer than 300 allocations");
  return 0;
}

/* Catches: a leak, a use of freed memory, a request that is never answered, or answered twice. */
CASE(each_allocation_may_fail, IN_BOTH) {
  for (only_one = 0; only_one < 2; only_one++) {
    EXPECT(fail_each(try_adding, threads) > 4);
    EXPECT(fail_each(try_done, threads) > 10);
    EXPECT(fail_each(try_undone, threads) > 10);
    EXPECT(fail_each(try_stuck, threads) > 10);
  }
}

/* The context stops, since an answer cannot be recorded: nothing is told, and nothing leaks. */
static void stop(uint32_t threads, const char *path) {
  mainstem_context *context = open_all(threads);
  mainstem_journal_options options = {.size = sizeof options,
                                      .durability = MAINSTEM_JOURNAL_PROCESS};
  answers = keeps = 0;
  EXPECT_OK(mainstem_journal_record(context, path, &options));
  EXPECT_OK(mainstem_scope_end(site));
  serve_one(context, "Keeper", "RequestA", keep, NULL);
  EXPECT_OK(add(context, rows, 2));
  EXPECT_OK(mainstem_request(context, type_named(context, "RequestAll"), "request", 7, count_answer,
                             NULL, NULL));
  disk_fill();
  const mainstem_status stopped = mainstem_respond(kept_event(kept[0]), big, sizeof big);
  for (int i = 0; i < 2; i++) mainstem_retained_release(kept[i]);
  mainstem_context_close(context);
  disk_has_room();
  EXPECT_STATUS(stopped, MAINSTEM_NO_SPACE);
  EXPECT_EQUAL(answers, 0);
}

CASE(a_disk_may_be_full, IN_BOTH) { disk_expect_no_leak(stop, threads); }

int main(void) { return journal_expect_all(); }

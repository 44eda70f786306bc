// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The cases of `count` about workflows and undo logs: a request that takes one step, or ten; a retry among others that wait
 * for one; a command that is kept.
 */

#include "counting.h"

enum { STEPS = 10 };

static mainstem_event_type begin, undo, redo;

enum { MANY = 1 << 20, SOON = 1, LATE = 1000000 };

static void answer(void *user_data, const mainstem_event *event) {
  (void)user_data;
  must(mainstem_respond(event, event->data, event->size));
}

static void add_answer(void *sum, const mainstem_event *event) {
  *(uint64_t *)sum += event->status == MAINSTEM_OK;
}

static void asks(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    must(mainstem_request(opened->context, begin, "12345678", 8, add_answer, &opened->sum, NULL));
}

static void measure_steps(uint32_t threads, const char *name, size_t count, const char *what) {
  static const mainstem_type_row types[] = {
      {"RequestBegin", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"RequestStep", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"ResponseStep", MAINSTEM_PAYLOAD_BYTES, NULL}};
  static const mainstem_handler_row handlers[] = {{"RequestStep", answer, 0}};
  mainstem_workflow_row rows[STEPS] = {{0}};
  mainstem_event_type numbers[sizeof types / sizeof types[0]];
  stream *opened = stream_open(threads, 1);
  for (size_t i = 0; i < count; i++) rows[i].request = "RequestStep";
  must(mainstem_types_add(opened->context, MAINSTEM_ROWS(types), numbers));
  begin = numbers[0];
  must(mainstem_server_add(opened->context, "Site", MAINSTEM_ROWS(handlers), NULL, NULL, NULL));
  must(mainstem_workflow_add(opened->context, "Workflow", "RequestBegin", rows, sizeof rows[0],
                             count, NULL, NULL, NULL, NULL));
  measure(asks, opened, 1, what, name);
  stream_close(opened);
}

/* Retries. The virtual clock does not reach those that come late. */

static uint32_t failing;

static void fail_once(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (failing > 0) failing--, must(mainstem_respond_error(event, 1001, "Not now."));
  else must(mainstem_respond(event, event->data, event->size));
}

static void ask_to_fail(stream *opened, size_t count, const char *request) {
  mainstem_event_type type;
  must(mainstem_type_find(opened->context, request, &type));
  for (size_t i = 0; i < count; i++) {
    failing = 1;
    must(mainstem_request(opened->context, type, "12345678", 8, add_answer, &opened->sum, NULL));
  }
}

static void wait_late(stream *opened, size_t count) { ask_to_fail(opened, count, "RequestLate"); }

static void retry_soon(stream *opened, size_t count) {
  uint64_t before = opened->sum;
  for (size_t i = 0; i < count; i++) {
    ask_to_fail(opened, 1, "RequestBegin");
    must(mainstem_context_advance(opened->context, SOON));
  }
  must_be(opened->sum, before + count, "answers");
}

static void add_flow(stream *opened, const char *request, int64_t backoff) {
  const mainstem_workflow_row row = {.request = "RequestStep", .retries = 1, .backoff_ms = backoff};
  const mainstem_workflow_options options = {.size = sizeof options, .limit = MANY};
  must(mainstem_workflow_add(opened->context, request, request, &row, sizeof row, 1, &options, NULL,
                             NULL, NULL));
}

static void measure_retries(uint32_t threads, const char *name) {
  static const mainstem_type_row types[] = {
      {"RequestBegin", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"RequestLate", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"RequestStep", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"ResponseStep", MAINSTEM_PAYLOAD_BYTES, NULL}};
  static const mainstem_handler_row handlers[] = {{"RequestStep", fail_once, 0}};
  const mainstem_context_options options = {
      .size = sizeof options, .threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL};
  mainstem_event_type numbers[sizeof types / sizeof types[0]];
  stream *opened = stream_open(threads, 1);
  must(mainstem_context_close(opened->context));
  must(mainstem_context_create(&options, &opened->context));
  must(mainstem_types_add(opened->context, MAINSTEM_ROWS(types), numbers));
  must(mainstem_server_add(opened->context, "Site", MAINSTEM_ROWS(handlers), NULL, NULL, NULL));
  add_flow(opened, "RequestBegin", SOON);
  add_flow(opened, "RequestLate", LATE);
  grow(opened, wait_late, retry_soon, "retry of a workflow", name);
  stream_close(opened);
}

static void undoes(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    must(mainstem_request(opened->context, undo, NULL, 0, add_answer, &opened->sum, NULL));
    must(mainstem_request(opened->context, redo, NULL, 0, add_answer, &opened->sum, NULL));
  }
}

static void measure_undos(uint32_t threads, const char *name) {
  static const mainstem_type_row types[] = {
      {"RequestStep", MAINSTEM_PAYLOAD_BYTES, "ResponseStep"},
      {"ResponseStep", MAINSTEM_PAYLOAD_BYTES, NULL},
      {"RequestUndo", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"RequestRedo", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"ResponseUndo", MAINSTEM_PAYLOAD_NONE, NULL},
      {"Undoable", MAINSTEM_PAYLOAD_JSON | MAINSTEM_ROLE_VALUE, NULL}};
  static const mainstem_handler_row handlers[] = {{"RequestStep", answer, 0}};
  static const mainstem_undo_log_row rows[] = {{"RequestStep", "RequestStep", NULL}};
  const mainstem_undo_log_options options = {sizeof options, 0,          "RequestUndo",
                                             "RequestRedo",  "Undoable", 0};
  mainstem_event_type numbers[sizeof types / sizeof types[0]];
  stream *opened = stream_open(threads, 1);
  must(mainstem_types_add(opened->context, MAINSTEM_ROWS(types), numbers));
  begin = numbers[0];
  undo = numbers[2];
  redo = numbers[3];
  must(mainstem_server_add(opened->context, "Site", MAINSTEM_ROWS(handlers), NULL, NULL, NULL));
  must(mainstem_undo_log_add(opened->context, "Undo", MAINSTEM_ROWS(rows), &options, NULL, NULL,
                             NULL));
  measure(asks, opened, 1, "command of an undo log", name);
  measure(undoes, opened, 2, "undo and redo", name);
  stream_close(opened);
}

void measure_workflows(uint32_t threads, const char *name) {
  measure_steps(threads, name, 1, "workflow of one step");
  measure_steps(threads, name, STEPS, "workflow of ten steps");
  measure_retries(threads, name);
  measure_undos(threads, name);
}

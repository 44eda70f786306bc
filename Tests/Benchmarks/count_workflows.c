// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about workflows: what a request costs that takes one step, or ten. */

#include "counting.h"

enum { STEPS = 10 };

static mainstem_event_type begin;

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

void measure_workflows(uint32_t threads, const char *name) {
  measure_steps(threads, name, 1, "workflow of one step");
  measure_steps(threads, name, STEPS, "workflow of ten steps");
}

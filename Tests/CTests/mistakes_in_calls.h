// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Mistakes in one call, each as a program makes it: wrong names, payloads, arguments and handles. A function makes one
 * and returns the status of the call that is wrong; mistakes.c has its message.
 */

#ifndef MISTAKES_IN_CALLS_H
#define MISTAKES_IN_CALLS_H

#include "stream.h"

#include <sys/wait.h>

/* The message, where it is not that of mainstem_last_error. */
static char said[1000];

static inline void nothing(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
}

/* Names and types ------------------------------------------------------------------------------- */

static mainstem_status a_name_misspelled(stream *on) {
  mainstem_event_type type;
  return mainstem_type_find(on->context, "Notise", &type);
}

static mainstem_status a_handler_for_an_unknown_type(stream *on) {
  static const mainstem_handler_row rows[] = {{"RequestExport", nothing, 0}};
  return mainstem_server_add(on->context, "Exporter", rows, sizeof rows[0], 1, NULL, NULL, NULL);
}

static mainstem_status a_type_never_registered(stream *on) {
  mainstem_event_type saved = 0; /* mainstem_type_add was forgotten. */
  return mainstem_send(on->context, saved, "a", 1);
}

static mainstem_status a_type_of_another_context(stream *on) {
  mainstem_context *other = context_open(MAINSTEM_THREADS_ONE);
  mainstem_status status = mainstem_send(other, on->other, "a", 1);
  EXPECT_OK(mainstem_context_close(other));
  return status;
}

static mainstem_status another_contract(stream *on) {
  mainstem_event_type type;
  return mainstem_type_add(on->context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL, &type);
}

static mainstem_status another_response(stream *on) {
  mainstem_event_type type;
  return mainstem_type_add(on->context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAsk", &type);
}

static mainstem_status a_reserved_name(stream *on) {
  mainstem_event_type type;
  return mainstem_type_add(on->context, "MainstemReady", MAINSTEM_PAYLOAD_NONE, NULL, &type);
}

static mainstem_status a_table_counted_wrong(stream *on) {
  static const mainstem_type_row rows[] = {{"Opened", MAINSTEM_PAYLOAD_NONE, NULL},
                                           {"Closed", MAINSTEM_PAYLOAD_NONE, NULL}};
  return mainstem_types_add(on->context, rows, 2, sizeof rows, NULL);
}

/* Payloads ---------------------------------------------------------------------------------------- */

static mainstem_status a_pointer_for_a_struct(stream *on) {
  struct point {
    int x, y, z;
  } point = {1, 2, 3}, *moved = &point;
  mainstem_event_type type =
      type_open(on->context, "Moved", MAINSTEM_PAYLOAD_STRUCT | sizeof(struct point), NULL);
  return mainstem_send(on->context, type, moved, sizeof moved); /* of the pointer */
}

static mainstem_status a_payload_for_none(stream *on) {
  mainstem_event_type type = type_open(on->context, "Tick", MAINSTEM_PAYLOAD_NONE, NULL);
  return mainstem_send(on->context, type, "now", 3);
}

static mainstem_status bytes_for_text(stream *on) {
  return mainstem_request(on->context, on->ask, "\xff\xd8", 2, NULL, NULL, NULL);
}

static mainstem_status a_size_without_data(stream *on) {
  return mainstem_send(on->context, on->notice, NULL, 5);
}

static mainstem_status a_payload_over_the_limit(stream *on) {
  mainstem_context *small;
  EXPECT_OK(mainstem_context_create(OPTIONS(context, .limit_payload = 4), &small));
  mainstem_event_type type = type_open(small, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  mainstem_status status = mainstem_send(small, type, "hello", 5);
  EXPECT_OK(mainstem_context_close(small));
  return status;
}

static mainstem_status a_secret_with_a_history(stream *on) {
  mainstem_event_type type =
      type_open(on->context, "Password", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  return mainstem_history_keep(on->context, type, 10, 0);
}

/* Arguments --------------------------------------------------------------------------------------- */

static mainstem_status no_function(stream *on) {
  return mainstem_observe(on->context, on->notice, NULL, NULL, NULL, NULL);
}

static mainstem_status options_never_initialised(stream *on) {
  mainstem_observe_options options = {0};
  return mainstem_observe_with(on->context, &options, nothing, NULL, NULL, NULL);
}

static mainstem_status options_from_the_stack(stream *on) {
  mainstem_context_options options;
  memset(&options, 0xa5, sizeof options);
  return mainstem_context_create(&options, &(mainstem_context *){NULL});
}

static mainstem_status a_context_for_a_subscription(stream *on) {
  return mainstem_cancel((mainstem_subscription *)(void *)on->context);
}

static mainstem_status a_scope_closed(stream *on) {
  mainstem_context *scope = scope_open(on->context, "Plugin");
  return mainstem_context_close(scope);
}

static mainstem_status a_context_ended(stream *on) { return mainstem_scope_end(on->context); }

static mainstem_status a_scheduler_of_another_context(stream *on) {
  return mainstem_observe_with(on->context, OPTIONS(observe, .scheduler = 2), nothing, NULL, NULL,
                               NULL);
}

/* What has ended ---------------------------------------------------------------------------------- */

static mainstem_status cancelled_twice(stream *on) {
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe(on->context, on->notice, nothing, NULL, NULL, &subscription));
  EXPECT_OK(mainstem_cancel(subscription));
  return mainstem_cancel(subscription);
}

static mainstem_status a_second_close(stream *on) {
  mainstem_context *closed = context_open(MAINSTEM_THREADS_ONE);
  EXPECT_OK(mainstem_context_close(closed));
  return mainstem_context_close(closed);
}

static mainstem_status a_send_after_the_close(stream *on) {
  mainstem_context *closed = context_open(MAINSTEM_THREADS_ONE);
  EXPECT_OK(mainstem_context_close(closed));
  return mainstem_send(closed, on->notice, "a", 1);
}

static mainstem_status a_cancel_after_the_close(stream *on) {
  mainstem_context *closed = context_open(MAINSTEM_THREADS_ONE);
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe(closed, 0, nothing, NULL, NULL, &subscription));
  EXPECT_OK(mainstem_context_close(closed));
  return mainstem_cancel(subscription);
}

/* The child tells its status and its message through a pipe. */
static mainstem_status a_send_after_fork(stream *on) {
  int ends[2];
  mainstem_status status = MAINSTEM_OK;
  EXPECT_EQUAL(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    status = mainstem_send(on->context, on->notice, "a", 1);
    const char *message = mainstem_last_error();
    int done =
        write(ends[1], &status, sizeof status) > 0 && write(ends[1], message, strlen(message)) > 0;
    _exit(!done);
  }
  EXPECT_EQUAL(waitpid(child, NULL, 0), child);
  EXPECT_EQUAL(read(ends[0], &status, sizeof status), sizeof status);
  ssize_t length = read(ends[0], said, sizeof said - 1);
  said[length > 0 ? length : 0] = 0;
  close(ends[0]);
  close(ends[1]);
  return status;
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Mistakes in the way calls go together, each as a program makes it: requests, threads, callbacks, queues, rights,
 * journals. A function makes one and returns the status of the call that is wrong; mistakes.c has its message.
 */

#ifndef MISTAKES_IN_FLOW_H
#define MISTAKES_IN_FLOW_H

#include "asking.h"
#include "elsewhere.h"
#include "journal.h"
#include "mistakes_in_calls.h"
#include "scheduled.h"

/* Requests ---------------------------------------------------------------------------------------- */

static void note_error(void *user_data, const mainstem_event *event) {
  mainstem_error error = {.size = sizeof error};
  if (mainstem_event_error(event, &error) == MAINSTEM_OK) strcpy(said, error.message);
  *(mainstem_status *)user_data = event->status;
}

static mainstem_status no_server(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  EXPECT_OK(mainstem_request(on->context, on->ask, "a", 1, note_error, &status, NULL));
  return status;
}

static mainstem_status a_server_of_another_type(stream *on) {
  serve_one(on->context, "Clock", "Notice", nothing, NULL);
  return no_server(on);
}

static mainstem_status a_request_of_a_notice(stream *on) {
  return mainstem_request(on->context, on->notice, "a", 1, NULL, NULL, NULL);
}

static mainstem_status a_request_without_a_response(stream *on) {
  mainstem_event_type type = type_open(on->context, "RequestPing", MAINSTEM_PAYLOAD_NONE, NULL);
  return mainstem_request(on->context, type, NULL, 0, NULL, NULL, NULL);
}

static void answer_twice(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "a", 1));
  *(mainstem_status *)user_data = mainstem_respond(event, "b", 1);
}

static mainstem_status an_answer_twice(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  serve_one(on->context, "Twice", "RequestAsk", answer_twice, &status);
  EXPECT_OK(mainstem_request(on->context, on->ask, "a", 1, NULL, NULL, NULL));
  return status;
}

static void answer(void *user_data, const mainstem_event *event) {
  *(mainstem_status *)user_data = mainstem_respond(event, "a", 1);
}

static mainstem_status an_answer_to_a_notice(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  EXPECT_OK(mainstem_observe(on->context, on->notice, answer, &status, NULL, NULL));
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return status;
}

static void nobody_waits(void *user_data) { (void)user_data; }

static mainstem_status settled_outside_the_callback(stream *on) {
  keeper kept = {0, {NULL}};
  keeper_serve(&kept, on);
  EXPECT_OK(mainstem_request(on->context, on->ask, "a", 1, NULL, NULL, NULL));
  return mainstem_event_on_settled(keeper_event(&kept, 0), nobody_waits, NULL, NULL);
}

/* Threads and callbacks --------------------------------------------------------------------------- */

static mainstem_status elsewhere_status;

static void *send_there(void *data) {
  const stream *on = (const stream *)data;
  elsewhere_status = mainstem_send(on->context, on->notice, "a", 1);
  strcpy(said, mainstem_last_error());
  return NULL;
}

static mainstem_status a_send_on_another_thread(stream *on) {
  elsewhere(send_there, on);
  return elsewhere_status;
}

static void *observe_there(void *data) {
  const stream *on = (const stream *)data;
  elsewhere_status = mainstem_observe(on->context, on->notice, nothing, NULL, NULL, NULL);
  strcpy(said, mainstem_last_error());
  return NULL;
}

static mainstem_status an_observer_from_another_thread(stream *on) {
  elsewhere(observe_there, on);
  return elsewhere_status;
}

static void send_from_the_worker(void *user_data, const mainstem_event *event) {
  elsewhere_status = mainstem_send(event->context, event->type, "b", 1);
  strcpy(said, mainstem_last_error());
  signal_give((sem_t *)user_data);
}

static mainstem_status a_send_on_a_serial_scheduler(stream *on) {
  scheduled how = {0};
  sem_t sent;
  signal_open(&sent);
  EXPECT_OK(mainstem_scheduler_add(on->context, "worker", 0, &how.scheduler));
  observe_on(on->context, on->notice, &how, send_from_the_worker, &sent, NULL);
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  signal_wait(&sent);
  return elsewhere_status;
}

static void wait_there(void *user_data, const mainstem_event *event) {
  *(mainstem_status *)user_data = mainstem_wait(event->context, 1000);
}

static mainstem_status a_wait_in_a_callback(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  EXPECT_OK(mainstem_observe(on->context, on->notice, wait_there, &status, NULL, NULL));
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return status;
}

static void close_there(void *user_data, const mainstem_event *event) {
  *(mainstem_status *)user_data = mainstem_context_close(event->context);
}

static mainstem_status a_close_in_a_callback(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  EXPECT_OK(mainstem_observe(on->context, on->notice, close_there, &status, NULL, NULL));
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return status;
}

static void send_again(void *user_data, const mainstem_event *event) {
  mainstem_status status = mainstem_send(event->context, event->type, "a", 1);
  if (status != MAINSTEM_OK) *(mainstem_status *)user_data = status;
}

static mainstem_status an_event_that_causes_itself(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  EXPECT_OK(mainstem_observe(on->context, on->notice, send_again, &status, NULL, NULL));
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return status;
}

static mainstem_status a_clock_moved(stream *on) {
  return mainstem_context_advance(on->context, 1000);
}

/* Queues and rights ------------------------------------------------------------------------------- */

static mainstem_status posts_never_drained(stream *on) {
  mainstem_status status = MAINSTEM_OK;
  while (status == MAINSTEM_OK) status = mainstem_post(on->context, on->notice, "a", 1);
  return status;
}

static mainstem_status a_queue_never_drained(stream *on) {
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2};
  mainstem_status status = MAINSTEM_OK;
  observe_on(on->context, on->notice, &how, nothing, NULL, NULL);
  while (status == MAINSTEM_OK) status = mainstem_send(on->context, on->notice, "a", 1);
  return status;
}

static mainstem_status records_of_a_callback(stream *on) {
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  char buffer[1000];
  size_t count;
  return mainstem_mailbox_take(observe_on(on->context, on->notice, &how, nothing, NULL, NULL),
                               buffer, sizeof buffer, &count, NULL);
}

static mainstem_status events_not_on_demand(stream *on) {
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  return mainstem_subscription_demand(
      observe_on(on->context, on->notice, &how, nothing, NULL, NULL), 1);
}

static mainstem_context *limited(const stream *on, uint64_t observers) {
  mainstem_context *plugin;
  EXPECT_OK(mainstem_scope_add(on->context, "Plugin",
                               OPTIONS(scope, .send_layers = 1ULL << (MAINSTEM_LAYER_VIEW >> 40),
                                       .limit_observers = observers),
                               &plugin));
  return plugin;
}

static mainstem_status a_send_without_the_right(stream *on) {
  return mainstem_send(limited(on, 0), on->notice, "a", 1);
}

static mainstem_status one_observer_too_many(stream *on) {
  mainstem_context *plugin = limited(on, 1);
  EXPECT_OK(mainstem_observe(plugin, on->notice, nothing, NULL, NULL, NULL));
  return mainstem_observe(plugin, on->notice, nothing, NULL, NULL, NULL);
}

/* Journals: in the folder that the program is in --------------------------------------------------- */

static mainstem_status a_recording_begun_late(stream *on) {
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return mainstem_journal_record(on->context, "session.journal", NULL);
}

static mainstem_status a_recording_of_a_scope(stream *on) {
  return mainstem_journal_record(limited(on, 0), "session.journal", NULL);
}

static mainstem_status a_journal_that_is_there(stream *on) {
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  stream before = journal_stream(MAINSTEM_THREADS_ONE, "session.journal", NULL);
  EXPECT_OK(mainstem_context_close(before.context));
  options.flags = MAINSTEM_JOURNAL_NEW;
  return mainstem_journal_record(on->context, "session.journal", &options);
}

static mainstem_status a_journal_in_use(stream *on) {
  stream first = journal_stream(MAINSTEM_THREADS_ONE, "session.journal", NULL);
  mainstem_status status = mainstem_journal_record(on->context, "session.journal", NULL);
  EXPECT_OK(mainstem_context_close(first.context));
  return status;
}

static mainstem_status a_journal_in_no_folder(stream *on) {
  return mainstem_journal_record(on->context, "sessions/today.journal", NULL);
}

static mainstem_status a_journal_that_is_none(stream *on) {
  mainstem_replay *replay;
  FILE *notes = fopen("notes.txt", "w");
  EXPECT(notes != NULL);
  EXPECT(fputs("Milk, bread, butter, and whatever else there is in the shop.\n", notes) >= 0);
  EXPECT_EQUAL(fclose(notes), 0);
  return mainstem_replay_open(on->context, "notes.txt", NULL, &replay);
}

static mainstem_status a_replay_into_a_used_context(stream *on) {
  mainstem_replay *replay;
  stream before = journal_stream(MAINSTEM_THREADS_ONE, "session.journal", NULL);
  EXPECT_OK(mainstem_context_close(before.context));
  EXPECT_OK(mainstem_send(on->context, on->notice, "a", 1));
  return mainstem_replay_open(on->context, "session.journal", NULL, &replay);
}

/* Replays the journal of a program whose type "Saved" carries text. Here its contract may be another. */
static mainstem_status replayed(mainstem_context *context, mainstem_contract contract) {
  stream before = journal_stream(MAINSTEM_THREADS_ONE, "session.journal", NULL);
  mainstem_event_type type = type_open(before.context, "Saved", MAINSTEM_PAYLOAD_TEXT, NULL);
  mainstem_replay *replay;
  EXPECT_OK(mainstem_send(before.context, type, "a", 1));
  EXPECT_OK(mainstem_context_close(before.context));
  EXPECT_OK(mainstem_replay_open(context, "session.journal", NULL, &replay));
  mainstem_status status = mainstem_type_add(context, "Saved", contract, NULL, &type);
  if (status != MAINSTEM_OK) return status;
  return mainstem_replay_step(replay, 0, NULL);
}

static mainstem_status a_replay_with_other_types(stream *on) {
  mainstem_context *other = context_open(MAINSTEM_THREADS_ONE);
  mainstem_status status = replayed(other, MAINSTEM_PAYLOAD_STRUCT | 8);
  EXPECT_OK(mainstem_context_close(other));
  return status;
}

static mainstem_status a_send_while_replaying(stream *on) {
  mainstem_context *other = context_open(MAINSTEM_THREADS_ONE);
  EXPECT_OK(replayed(other, MAINSTEM_PAYLOAD_TEXT));
  mainstem_status status = mainstem_send(other, 1, "b", 1);
  EXPECT_OK(mainstem_context_close(other));
  return status;
}

static mainstem_status a_sync_of_nothing(stream *on) { return mainstem_journal_sync(on->context); }

#endif

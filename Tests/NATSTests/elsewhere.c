// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * elsewhere URL: a context in a thread of its own serves, and threads ask through another one. They ask, give up, and
 * close and begin bridges as they like. Prints how many requests were asked, and how many answers came.
 */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, TURNS = 400 };

static const mainstem_type_row catalogue[] = {
    {"RequestTwice", MAINSTEM_PAYLOAD_INTEGER, "ResponseTwice"},
    {"ResponseTwice", MAINSTEM_PAYLOAD_INTEGER, NULL},
    {"Step", MAINSTEM_PAYLOAD_NONE, NULL},
    {"End", MAINSTEM_PAYLOAD_NONE, NULL}};
enum { TYPES = sizeof catalogue / sizeof catalogue[0] };
enum { REQUEST, RESPONSE, STEP, END };

static const char *url;
static mainstem_context *there;
static mainstem_event_type types[TYPES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int asked, answered, right, steps, is_serving, is_over;

static void expect(int is_true, const char *what) {
  if (is_true) return;
  printf("%s: %s %s\n", what, mainstem_last_error(), mainstem_nats_last_error());
  exit(1);
}

static mainstem_context *make(uint32_t threads) {
  mainstem_context *made;
  mainstem_context_options options = {.size = sizeof options, .threads = threads};
  expect(mainstem_context_create(&options, &made) == MAINSTEM_OK, "a context");
  expect(mainstem_types_add(made, catalogue, sizeof catalogue[0], TYPES, types) == MAINSTEM_OK,
         "a catalogue");
  return made;
}

static mainstem_nats *begin(mainstem_context *context, int is_forward) {
  mainstem_nats *bridge;
  mainstem_nats_options options = {.size = sizeof options, .url = url, .timeout_ms = 20000};
  mainstem_status status = is_forward
                               ? mainstem_nats_forward(context, "RequestTwice", &options, &bridge)
                               : mainstem_nats_serve(context, "RequestTwice", &options, &bridge);
  expect(status == MAINSTEM_OK, "a bridge begins");
  return bridge;
}

/* Who serves -------------------------------------------------------------------------------------------- */

static void twice(void *user_data, const mainstem_event *event) {
  (void)user_data;
  int64_t number = 2 * mainstem_event_integer(event);
  mainstem_respond_progress(event, types[STEP], NULL, 0);
  if (number % 7 == 0) mainstem_respond_error(event, MAINSTEM_APP, "seven");
  else mainstem_respond(event, &number, sizeof number);
}

static void end(void *user_data, const mainstem_event *event) {
  (void)event;
  *(int *)user_data = 1;
}

static void say(int *what) {
  pthread_mutex_lock(&lock);
  *what = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void *serve(void *user_data) {
  static const mainstem_handler_row rows[] = {{"RequestTwice", twice, 0}};
  int is_ended = 0;
  (void)user_data;
  there = make(MAINSTEM_THREADS_ONE);
  mainstem_server_add(there, "Twice", rows, sizeof rows[0], 1, NULL, NULL, NULL);
  mainstem_observe(there, types[END], end, &is_ended, NULL, NULL);
  mainstem_nats *serving = begin(there, 0);
  expect(mainstem_nats_flush(serving, 20000) == MAINSTEM_OK, "it serves");
  say(&is_serving);
  while (!is_ended) mainstem_wait(there, 20000);
  expect(mainstem_nats_close(serving) == MAINSTEM_OK, "it is closed");
  expect(mainstem_context_close(there) == MAINSTEM_OK, "a context is closed");
  return NULL;
}

/* Who asks ---------------------------------------------------------------------------------------------- */

static void step(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
  pthread_mutex_lock(&lock);
  steps++;
  pthread_mutex_unlock(&lock);
}

static void note(void *user_data, const mainstem_event *event) {
  int64_t number = (int64_t)(intptr_t)user_data;
  int is_right = event->status == MAINSTEM_OK    ? mainstem_event_integer(event) == 2 * number
                 : event->status == MAINSTEM_APP ? strcmp(event->user_message, "seven") == 0
                                                 : event->status == MAINSTEM_CANCELLED;
  pthread_mutex_lock(&lock);
  answered++;
  right += is_right;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (!is_right) printf("%lld: %d %s\n", (long long)number, event->status, event->user_message);
}

static void *ask(void *user_data) {
  mainstem_context *here = user_data;
  mainstem_request_options options = {.size = sizeof options, .progress = step};
  for (int64_t i = 0; i < TURNS; i++) {
    mainstem_pending *pending;
    expect(mainstem_request_with(here, types[REQUEST], &i, sizeof i, &options, note,
                                 (void *)(intptr_t)i, NULL, &pending) == MAINSTEM_OK,
           "a request");
    pthread_mutex_lock(&lock);
    asked++;
    pthread_mutex_unlock(&lock);
    if (i % 5 == 0) mainstem_pending_cancel(pending);
    if (i % 3 == 0) mainstem_drain(here, 0, NULL);
  }
  return NULL;
}

/* Two forwards take turns: one begins before the other ends, so there is always one. */
static void *change(void *user_data) {
  mainstem_context *here = user_data;
  mainstem_nats *forward = begin(here, 1);
  mainstem_nats_stats stats = {.size = sizeof stats};
  int is_last = 0;
  while (!is_last) {
    pthread_mutex_lock(&lock);
    is_last = is_over;
    pthread_mutex_unlock(&lock);
    mainstem_nats *next = begin(here, 1);
    mainstem_nats_flush(next, 20000);
    mainstem_nats_stats_read(forward, &stats);
    expect(mainstem_nats_close(forward) == MAINSTEM_OK, "a forward is closed");
    mainstem_drain(here, 0, NULL);
    forward = next;
  }
  expect(mainstem_nats_close(forward) == MAINSTEM_OK, "the last forward is closed");
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t server, changing, asking[THREADS];
  expect(count == 2, "elsewhere URL");
  url = arguments[1];
  pthread_create(&server, NULL, serve, NULL);
  pthread_mutex_lock(&lock);
  while (!is_serving) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  mainstem_context *here = make(MAINSTEM_THREADS_ANY);
  mainstem_nats *forward = begin(here, 1);
  pthread_create(&changing, NULL, change, here);
  for (int i = 0; i < THREADS; i++) pthread_create(&asking[i], NULL, ask, here);
  for (int i = 0; i < THREADS; i++) pthread_join(asking[i], NULL);
  say(&is_over);
  pthread_join(changing, NULL);
  for (int is_open = 1; is_open;) {
    mainstem_wait(here, 10);
    pthread_mutex_lock(&lock);
    is_open = answered < asked;
    pthread_mutex_unlock(&lock);
  }
  expect(mainstem_nats_close(forward) == MAINSTEM_OK, "the first forward is closed");
  expect(mainstem_context_close(here) == MAINSTEM_OK, "a context is closed");
  expect(mainstem_post(there, types[END], NULL, 0) == MAINSTEM_OK, "an end");
  pthread_join(server, NULL);
  printf("%d asked, %d answered, %d rightly\n", asked, answered, right);
  return 0;
}

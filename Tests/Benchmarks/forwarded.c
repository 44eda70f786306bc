// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * forwarded URL ROUNDS: requests that another process answers, forwarded and served by the bridge, and asked and answered
 * by NATS' C client alone. Prints a line for each round and case: the case, the size, then nanoseconds of each. "one" is
 * the median of requests one at a time, "many" the mean with 64 open, in so many threads of the client. "written" is "many" beside a program that publishes and
 * matches answers itself, without the client's call for requests.
 */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <nats/nats.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ONES = 2000, MANY = 12800, OPEN = 64 };

static const mainstem_type_row catalogue[] = {
    {"RequestEcho", MAINSTEM_PAYLOAD_BYTES, "ResponseEcho"},
    {"ResponseEcho", MAINSTEM_PAYLOAD_BYTES, NULL}};

static void expect(int is_so, const char *what) {
  if (is_so) return;
  fprintf(stderr, "%s: %s; %s\n", what, mainstem_last_error(), mainstem_nats_last_error());
  exit(1);
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

static double median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* Who answers ------------------------------------------------------------------------------------------- */

static void echo_alone(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *user_data) {
  (void)subscription, (void)user_data;
  natsConnection_Publish(connection, natsMsg_GetReply(message), natsMsg_GetData(message),
                         natsMsg_GetDataLength(message));
  natsMsg_Destroy(message);
}

static void echo(void *user_data, const mainstem_event *event) {
  (void)user_data;
  mainstem_respond(event, event->data, event->size);
}

static mainstem_context *make_context(mainstem_event_type *types) {
  mainstem_context *context;
  expect(mainstem_context_create(NULL, &context) == MAINSTEM_OK, "context");
  expect(mainstem_types_add(context, catalogue, sizeof catalogue[0], 2, types) == MAINSTEM_OK,
         "catalogue");
  return context;
}

/* A connection of the client alone. One that is to be quick sends at once; else a thread gathers for a millisecond. */
static natsConnection *connect_alone(const char *url, bool is_quick) {
  natsOptions *options;
  natsConnection *connection;
  natsOptions_Create(&options);
  natsOptions_SetURL(options, url);
  natsOptions_SetSendAsap(options, is_quick);
  expect(natsConnection_Connect(&connection, options) == NATS_OK, "connect");
  natsOptions_Destroy(options);
  return connection;
}

static void serve_alone(const char *url, bool is_quick, const char *subject) {
  natsSubscription *subscription;
  natsConnection *connection = connect_alone(url, is_quick);
  expect(natsConnection_QueueSubscribe(&subscription, connection, subject, "group", echo_alone,
                                       NULL) == NATS_OK,
         "subscribe");
  expect(natsConnection_Flush(connection) == NATS_OK, "flush");
}

static void serve(const char *url, int ready) {
  static const mainstem_handler_row rows[] = {{"RequestEcho", echo, 0}};
  mainstem_event_type types[2];
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *serving;
  mainstem_context *context = make_context(types);
  serve_alone(url, true, "one");
  serve_alone(url, false, "many");
  mainstem_server_add(context, "Echo", rows, sizeof rows[0], 1, NULL, NULL, NULL);
  options.url = url;
  expect(mainstem_nats_serve(context, "RequestEcho", &options, &serving) == MAINSTEM_OK, "serve");
  expect(mainstem_nats_flush(serving, 10000) == MAINSTEM_OK, "flush");
  expect(write(ready, "r", 1) == 1, "ready");
  for (;;) mainstem_wait(context, -1);
}

/* One at a time ------------------------------------------------------------------------------------------ */

static double one_alone(natsConnection *connection, const char *data, int size) {
  static double times[ONES];
  for (int i = 0; i < ONES; i++) {
    natsMsg *answer;
    double began = now_ns();
    expect(natsConnection_Request(&answer, connection, "one", data, size, 10000) == NATS_OK,
           "request");
    times[i] = now_ns() - began;
    natsMsg_Destroy(answer);
  }
  return median(times, ONES);
}

static int answered;

static void note(void *user_data, const mainstem_event *event) {
  (void)user_data;
  expect(event->status == MAINSTEM_OK, event->user_message);
  answered++;
}

static double one_forwarded(mainstem_context *context, mainstem_event_type type, const char *data,
                            int size) {
  static double times[ONES];
  for (int i = 0; i < ONES; i++) {
    double began = now_ns();
    answered = 0;
    expect(mainstem_request(context, type, data, (size_t)size, note, NULL, NULL) == MAINSTEM_OK,
           "request");
    while (!answered) mainstem_wait(context, 10000);
    times[i] = now_ns() - began;
  }
  return median(times, ONES);
}

/* Many at a time ----------------------------------------------------------------------------------------- */

struct many {
  natsConnection *connection;
  const char *data;
  int size, asked, answered;
  pthread_mutex_t lock;
  pthread_cond_t done;
};

static void ask_alone(struct many *many) {
  if (many->asked++ < MANY)
    natsConnection_PublishRequest(many->connection, "many", "answers", many->data, many->size);
}

static void note_alone(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *user_data) {
  struct many *many = user_data;
  (void)connection, (void)subscription;
  natsMsg_Destroy(message);
  ask_alone(many);
  pthread_mutex_lock(&many->lock);
  if (++many->answered == MANY) pthread_cond_signal(&many->done);
  pthread_mutex_unlock(&many->lock);
}

static double many_alone(natsConnection *connection, const char *data, int size) {
  struct many many = {
      connection, data, size, 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  natsSubscription *subscription;
  natsConnection_Subscribe(&subscription, connection, "answers", note_alone, &many);
  natsConnection_Flush(connection);
  double began = now_ns();
  for (int i = 0; i < OPEN; i++) ask_alone(&many);
  pthread_mutex_lock(&many.lock);
  while (many.answered < MANY) pthread_cond_wait(&many.done, &many.lock);
  pthread_mutex_unlock(&many.lock);
  double taken = now_ns() - began;
  natsSubscription_Destroy(subscription);
  return taken / MANY;
}

/* The same with the client's own call, which waits: by 64 threads. */
struct waiting {
  natsConnection *connection;
  const char *subject, *data;
  int size;
};

static void *wait_alone(void *user_data) {
  const struct waiting *waiting = user_data;
  for (int i = 0; i < MANY / OPEN; i++) {
    natsMsg *answer;
    expect(natsConnection_Request(&answer, waiting->connection, waiting->subject, waiting->data,
                                  waiting->size, 10000) == NATS_OK,
           "request");
    natsMsg_Destroy(answer);
  }
  return NULL;
}

static double threads_alone(natsConnection *connection, const char *subject, const char *data,
                            int size) {
  struct waiting waiting = {connection, subject, data, size};
  pthread_t threads[OPEN];
  double began = now_ns();
  for (int i = 0; i < OPEN; i++) pthread_create(&threads[i], NULL, wait_alone, &waiting);
  for (int i = 0; i < OPEN; i++) pthread_join(threads[i], NULL);
  return (now_ns() - began) / MANY;
}

/* Whoever answers may hurry or gather: the faster counts. */
static double waiting_alone(natsConnection *connection, const char *data, int size) {
  double hurried = threads_alone(connection, "one", data, size);
  double gathered = threads_alone(connection, "many", data, size);
  return hurried < gathered ? hurried : gathered;
}

struct chain {
  mainstem_context *context;
  mainstem_event_type type;
  const char *data;
  int size, asked, answered;
};

static void ask_forwarded(struct chain *chain);

static void go_on(void *user_data, const mainstem_event *event) {
  struct chain *chain = user_data;
  expect(event->status == MAINSTEM_OK, event->user_message);
  chain->answered++;
  ask_forwarded(chain);
}

static void ask_forwarded(struct chain *chain) {
  if (chain->asked++ < MANY)
    expect(mainstem_request(chain->context, chain->type, chain->data, (size_t)chain->size, go_on,
                            chain, NULL) == MAINSTEM_OK,
           "request");
}

static double many_forwarded(mainstem_context *context, mainstem_event_type type, const char *data,
                             int size) {
  struct chain chain = {context, type, data, size, 0, 0};
  double began = now_ns();
  for (int i = 0; i < OPEN; i++) ask_forwarded(&chain);
  while (chain.answered < MANY) mainstem_wait(context, 10000);
  return (now_ns() - began) / MANY;
}

/* --------------------------------------------------------------------------------------------------------- */

static void ask(const char *url, int rounds) {
  static const int sizes[] = {100, 4000};
  static char data[4000];
  mainstem_event_type types[2];
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *forward;
  natsConnection *connection = connect_alone(url, false);
  mainstem_context *context = make_context(types);
  options.url = url;
  expect(mainstem_nats_forward(context, "RequestEcho", &options, &forward) == MAINSTEM_OK,
         "forward");
  expect(mainstem_nats_flush(forward, 10000) == MAINSTEM_OK, "flush");
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < 2; i++) {
      double own = one_alone(connection, data, sizes[i]);
      printf("one %d %.0f %.0f\n", sizes[i], own, one_forwarded(context, types[0], data, sizes[i]));
      double taken = many_forwarded(context, types[0], data, sizes[i]);
      printf("many %d %.0f %.0f\n", sizes[i], waiting_alone(connection, data, sizes[i]), taken);
      printf("written %d %.0f %.0f\n", sizes[i], many_alone(connection, data, sizes[i]), taken);
      fflush(stdout);
    }
  expect(mainstem_nats_close(forward) == MAINSTEM_OK, "close");
  expect(mainstem_context_close(context) == MAINSTEM_OK, "close");
  natsConnection_Destroy(connection);
}

int main(int arguments, char **argument) {
  int ready[2];
  char byte;
  expect(arguments == 3, "forwarded URL ROUNDS");
  expect(pipe(ready) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) serve(argument[1], ready[1]);
  expect(read(ready[0], &byte, 1) == 1, "ready");
  ask(argument[1], atoi(argument[2]));
  kill(child, 9);
  waitpid(child, NULL, 0);
  return 0;
}

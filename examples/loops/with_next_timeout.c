// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE /* sem_clockwait */

/*
 * Mainstem in a loop that polls no descriptor, as in a game: another thread takes readings, the loop
 * counts them and reports in time.
 */

#include <mainstem.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { READING, REPORT, TYPES };

/* The program, as its list of events. */
static const mainstem_type_row catalogue[TYPES] = {
    {"Reading", MAINSTEM_PAYLOAD_STRUCT | sizeof(int), NULL},
    {"Report", MAINSTEM_PAYLOAD_NONE, NULL}};

typedef struct program {
  mainstem_context *context;
  mainstem_event_type type[TYPES];
  int wanted, came;
  int is_done;
  sem_t wakes;
} program;

/* Another thread has brought something: the loop must look. With SDL: SDL_PushEvent. */
static void on_wake(void *wakes) { sem_post((sem_t *)wakes); }

/* Sleeps until the hook is called or the time is up. With SDL: SDL_WaitEventTimeout. */
static void sleep_at_most(sem_t *wakes, int64_t timeout_ms) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  int64_t time = until.tv_nsec + timeout_ms % 1000 * 1000000;
  until.tv_sec += timeout_ms / 1000 + time / 1000000000;
  until.tv_nsec = time % 1000000000;
  if (timeout_ms < 0) sem_wait(wakes);
  else sem_clockwait(wakes, CLOCK_MONOTONIC, &until);
}

static mainstem_status run(program *self) {
  int64_t timeout_ms;
  sem_init(&self->wakes, 0, 0);
  mainstem_context_on_wake(self->context, on_wake, &self->wakes, NULL);
  while (!self->is_done) {
    mainstem_drain(self->context, 0, NULL); /* What came since the last frame. Then draw. */
    mainstem_context_next_timeout(self->context, &timeout_ms);
    if (timeout_ms != 0) sleep_at_most(&self->wakes, timeout_ms);
  }
  mainstem_context_on_wake(self->context, NULL, NULL, NULL);
  sem_destroy(&self->wakes);
  return MAINSTEM_OK;
}

static void on_reading(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  (void)event;
  if (++self->came == self->wanted) printf("all came\n");
}

static void on_report(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  (void)event;
  printf("%d readings\n", self->came);
  if (self->came == self->wanted) self->is_done = 1;
}

/* Callbacks run inside the drain, on the loop's thread. A sender that is too fast waits. */
static void observe(program *self, mainstem_event_type type, mainstem_event_fn fn) {
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = &type,
                                      .type_count = 1,
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .policy = MAINSTEM_QUEUE_BLOCK,
                                      .limit_events = 1024};
  mainstem_observe_with(self->context, &options, fn, self, NULL, NULL);
}

static mainstem_status begin(program *self, int period_ms) {
  mainstem_context_options options = {.size = sizeof options, .threads = MAINSTEM_THREADS_ANY};
  mainstem_context_create(&options, &self->context);
  mainstem_types_add(self->context, MAINSTEM_ROWS(catalogue), self->type);
  observe(self, self->type[READING], on_reading);
  observe(self, self->type[REPORT], on_report);
  mainstem_send_after(self->context, self->type[REPORT], NULL, 0, period_ms, period_ms, NULL);
  return mainstem_context_first_error(self->context, NULL);
}

/* The other thread. When the context is closed, its sends are refused. */
static void *take_readings(void *data) {
  program *self = (program *)data;
  for (int i = 0; i < self->wanted; i++) {
    if (mainstem_send(self->context, self->type[READING], &i, sizeof i) != MAINSTEM_OK) break;
  }
  return NULL;
}

/* with_next_timeout [READINGS [MILLISECONDS BETWEEN REPORTS]] */
int main(int count, char **arguments) {
  program self = {.wanted = count > 1 ? atoi(arguments[1]) : 5};
  pthread_t thread;
  mainstem_status failed = begin(&self, count > 2 ? atoi(arguments[2]) : 50);
  if (!failed) {
    pthread_create(&thread, NULL, take_readings, &self);
    failed = run(&self);
    mainstem_context_close(self.context);
    pthread_join(thread, NULL);
  }
  if (failed) fprintf(stderr, "%s\n", mainstem_last_error());
  return failed != MAINSTEM_OK;
}

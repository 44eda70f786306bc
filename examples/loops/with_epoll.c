// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Mainstem in an epoll loop: another thread takes readings, the loop counts them and reports in time. */

#include <mainstem.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

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
} program;

/* Delivers what waits whenever the descriptor is readable. */
static mainstem_status run(program *self) {
  struct epoll_event ready = {.events = EPOLLIN};
  int descriptor, loop;
  mainstem_status status = mainstem_context_fd(self->context, &descriptor);
  if (status) return status;
  if ((loop = epoll_create1(EPOLL_CLOEXEC)) < 0) return MAINSTEM_LIMIT;
  epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &ready);
  while (!self->is_done) {
    if (epoll_wait(loop, &ready, 1, -1) > 0) mainstem_drain(self->context, 0, NULL);
  }
  close(loop);
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

/* with_epoll [READINGS [MILLISECONDS BETWEEN REPORTS]] */
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

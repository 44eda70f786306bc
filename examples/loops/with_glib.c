// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Mainstem in a GLib loop: another thread takes readings, the loop counts them and reports in time. */

#include <glib-unix.h>
#include <mainstem.h>
#include <stdio.h>
#include <stdlib.h>

enum { READING, REPORT, TYPES };

/* The program, as its list of events. */
static const mainstem_type_row catalogue[TYPES] = {
    {"Reading", MAINSTEM_PAYLOAD_STRUCT | sizeof(int), NULL},
    {"Report", MAINSTEM_PAYLOAD_NONE, NULL}};

typedef struct program {
  mainstem_context *context;
  mainstem_event_type type[TYPES];
  int wanted, came;
  GMainLoop *loop;
} program;

/* Delivers what waits whenever the descriptor is readable. */
static gboolean on_readable(gint descriptor, GIOCondition condition, gpointer context) {
  (void)descriptor, (void)condition;
  mainstem_drain((mainstem_context *)context, 0, NULL);
  return G_SOURCE_CONTINUE;
}

static mainstem_status run(program *self) {
  int descriptor;
  mainstem_status status = mainstem_context_fd(self->context, &descriptor);
  if (status) return status;
  self->loop = g_main_loop_new(NULL, FALSE);
  guint source = g_unix_fd_add(descriptor, G_IO_IN, on_readable, self->context);
  g_main_loop_run(self->loop);
  g_source_remove(source);
  g_main_loop_unref(self->loop);
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
  if (self->came == self->wanted) g_main_loop_quit(self->loop);
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

/* with_glib [READINGS [MILLISECONDS BETWEEN REPORTS]] */
int main(int count, char **arguments) {
  program self = {.wanted = count > 1 ? atoi(arguments[1]) : 5};
  GThread *thread;
  mainstem_status failed = begin(&self, count > 2 ? atoi(arguments[2]) : 50);
  if (!failed) {
    thread = g_thread_new("readings", take_readings, &self);
    failed = run(&self);
    mainstem_context_close(self.context);
    g_thread_join(thread);
  }
  if (failed) fprintf(stderr, "%s\n", mainstem_last_error());
  return failed != MAINSTEM_OK;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Steps about what a program can be told to do: a model with commands, and their runs. */

#ifndef SCENARIO_COMMANDS_H
#define SCENARIO_COMMANDS_H

#include "scenario_views.h"

/* The model of a case: each of its commands but `knock` asks, and is done when it has the answer. */
typedef struct door {
  thing *named;
  mainstem_event_type ask;
  int64_t count;
  bool may;
} door;

/* A run, until what it asks is answered. */
typedef struct door_run {
  mainstem_retained *run;
  mainstem_pending *asked;
} door_run;

static void door_knock(void *user_data, const mainstem_event *event) {
  ((door *)user_data)->count++;
}

static void door_may(void *user_data, const mainstem_event *event) {
  ((door *)user_data)->may = mainstem_event_bool(event);
}

static void door_stop(void *user_data) { mainstem_pending_cancel(((door_run *)user_data)->asked); }

static void door_told(void *user_data, const mainstem_event *answer) {
  const door_run *self = (const door_run *)user_data;
  const mainstem_event *run;
  run = kept_event(self->run);
  /* Nobody waits for it any more if that is why what it asked has ended. */
  if (answer->status == MAINSTEM_OK) mainstem_respond(run, NULL, 0);
  else mainstem_respond_error(run, answer->status, answer->user_message);
  EXPECT_OK(mainstem_retained_release(self->run));
}

static void door_go(void *user_data, const mainstem_event *event) {
  static door_run runs[8];
  static size_t count;
  const door *self = (const door *)user_data;
  door_run *run = &runs[count++ % COUNT(runs)];
  EXPECT_OK(mainstem_event_retain(event, &run->run));
  EXPECT_OK(mainstem_request(self->named->scope, self->ask, event->data, event->size, door_told,
                             run, &run->asked));
  EXPECT_OK(mainstem_event_on_settled(event, door_stop, run, NULL));
}

static mainstem_status door_show(void *user_data, mainstem_context *model,
                                 const mainstem_event_type *types) {
  const door *self = (const door *)user_data;
  mainstem_status status = mainstem_value_set_integer(model, types[0], self->count);
  return status != MAINSTEM_OK ? status : mainstem_value_set_bool(model, types[1], self->may);
}

/* `model d`: a Door. */
static const char *step_model(const call *self) {
  static const mainstem_viewmodel_row rows[] = {
      {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
      {"may", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, door_may, NULL, 0, 0, NULL},
      {"knock", MAINSTEM_VIEWMODEL_COMMAND, 0, door_knock, NULL, 0, 0, NULL},
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, door_go, "may",
       MAINSTEM_COMMAND_REFUSE, 0, NULL},
      {"queue", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, door_go, "may",
       MAINSTEM_COMMAND_QUEUE, 0, NULL},
      {"latest", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, door_go, "may",
       MAINSTEM_COMMAND_LATEST, 0, NULL},
      {"both", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, door_go, "may",
       MAINSTEM_COMMAND_CONCURRENT, 0, NULL}};
  static door made;
  made.named = stage_name(self->stage, word_at(&self->words, 1), self->line);
  made.ask = stage_type(self->stage, "RequestAsk");
  made.count = 0;
  made.may = true;
  return status_name(mainstem_viewmodel_add(where(self), "Door", rows, sizeof rows[0], COUNT(rows),
                                            door_show, &made, NULL, &made.named->scope));
}

static void run_over(void *user_data, const mainstem_event *answer) {
  thing *self = (thing *)user_data;
  snprintf(self->shown, sizeof self->shown, "%s",
           answer->status == MAINSTEM_OK ? "done" : status_name(answer->status));
}

/* `run r b go "text"`: as the view of `b`. */
static const char *step_run(const call *self) {
  char bytes[PAYLOAD];
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  const thing *of = stage_find(self->stage, word_at(&self->words, 2));
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  strcpy(made->shown, "waits");
  mainstem_status status = mainstem_binding_run(of->binding, word_at(&self->words, 3), bytes, size,
                                                run_over, made, NULL, &made->pending);
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

/* `result r -> done`: what has become of a run. */
static const char *step_result(const call *self) {
  return stage_find(self->stage, word_at(&self->words, 1))->shown;
}

#endif

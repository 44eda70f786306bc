// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The programs of Tests/scenarios/reactors.txt: a counter, a stopwatch, alerts, a feed that is loaded page by page. */

#ifndef REACTORS_H
#define REACTORS_H

#include "stream.h"

/* A counter ------------------------------------------------------------------------------------- */

typedef struct counter_state {
  int64_t count;
} counter_state;

static inline void count_up(void *user_data, const mainstem_event *action) {
  const int64_t by = 1;
  EXPECT_OK(mainstem_reactor_mutate(action, &by, sizeof by));
}

static inline void count_down(void *user_data, const mainstem_event *action) {
  const int64_t by = -1;
  EXPECT_OK(mainstem_reactor_mutate(action, &by, sizeof by));
}

static inline void counter_reduce(void *user_data, void *state, const void *by, size_t size) {
  ((counter_state *)state)->count += *(const int64_t *)by;
}

static inline mainstem_status counter_show(void *user_data, mainstem_context *counter,
                                           const mainstem_event_type *types, const void *state) {
  return mainstem_value_set_integer(counter, types[0], ((const counter_state *)state)->count);
}

static const mainstem_viewmodel_row counter_rows[] = {
    {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, count_up, NULL, 0, 0, NULL},
    {"down", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, count_down, NULL, 0, 0, NULL}};

static const mainstem_reactor_table counter_table = {
    .size = sizeof counter_table,
    .state_size = sizeof(counter_state),
    .rows = counter_rows,
    .row_size = sizeof counter_rows[0],
    .count = COUNT(counter_rows),
    .mutation = MAINSTEM_PAYLOAD_INTEGER,
    .reduce = counter_reduce,
    .show = counter_show,
};

/* A stopwatch: each second is a mutation of the run that started it ------------------------------ */

typedef struct stopwatch {
  mainstem_event_type tick;
  mainstem_retained *run;
  mainstem_timer *timer;
} stopwatch;

static inline void stopwatch_stopped(void *user_data) {
  stopwatch *self = (stopwatch *)user_data;
  EXPECT_OK(mainstem_timer_cancel(self->timer));
  EXPECT_OK(mainstem_retained_release(self->run));
}

static inline void stopwatch_start(void *user_data, const mainstem_event *action) {
  stopwatch *self = (stopwatch *)user_data;
  EXPECT_OK(mainstem_event_retain(action, &self->run));
  EXPECT_OK(mainstem_send_after(action->context, self->tick, NULL, 0, 1000, 1000, &self->timer));
  EXPECT_OK(mainstem_event_on_settled(action, stopwatch_stopped, self, NULL));
}

static inline void stopwatch_tick(void *user_data, const mainstem_event *event) {
  stopwatch *self = (stopwatch *)user_data;
  const mainstem_event *action = kept_event(self->run);
  EXPECT_OK(mainstem_reactor_mutate(action, NULL, 0));
}

static inline void stopwatch_stop(void *user_data, const mainstem_event *action) {}

static inline void stopwatch_reduce(void *user_data, void *state, const void *none, size_t size) {
  ++*(int64_t *)state;
}

static inline mainstem_status stopwatch_show(void *user_data, mainstem_context *scope,
                                             const mainstem_event_type *types, const void *state) {
  return mainstem_value_set_integer(scope, types[0], *(const int64_t *)state);
}

static const mainstem_viewmodel_row stopwatch_rows[] = {
    {"seconds", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"start", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, stopwatch_start, NULL, 0, 0,
     "stop"},
    {"stop", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, stopwatch_stop, NULL, 0, 0, NULL}};

static const mainstem_reactor_table stopwatch_table = {
    .size = sizeof stopwatch_table,
    .state_size = sizeof(int64_t),
    .rows = stopwatch_rows,
    .row_size = sizeof stopwatch_rows[0],
    .count = COUNT(stopwatch_rows),
    .mutation = MAINSTEM_PAYLOAD_NONE,
    .reduce = stopwatch_reduce,
    .show = stopwatch_show,
};

static inline void stopwatch_add(stopwatch *self, mainstem_context *context,
                                 mainstem_context **added) {
  self->tick = type_open(context, "Tick", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_reactor_add(context, "Stopwatch", &stopwatch_table, self, NULL, added));
  EXPECT_OK(mainstem_observe_with(
      *added, OPTIONS(observe, .types = &self->tick, .type_count = 1, .of = *added), stopwatch_tick,
      self, NULL, NULL));
}

/* Alerts: each is seen once, also the same one again --------------------------------------------- */

enum { OTHERS, ALERT };

static inline void tell_alert(void *user_data, const mainstem_event *action) {
  EXPECT_OK(mainstem_reactor_mutate(action, action->data, action->size));
}

static inline void tell_other(void *user_data, const mainstem_event *action) {
  EXPECT_OK(mainstem_reactor_mutate(action, "+", 1));
}

static inline void tell_silence(void *user_data, const mainstem_event *action) {
  EXPECT_OK(mainstem_reactor_mutate(action, "", 0));
}

static inline void alerts_reduce(void *user_data, void *state, const void *text, size_t size) {
  *(int64_t *)state += size == 1 && *(const char *)text == '+';
}

static inline mainstem_status alerts_show(void *user_data, mainstem_context *alerts,
                                          const mainstem_event_type *types, const void *state) {
  return mainstem_value_set_integer(alerts, types[OTHERS], *(const int64_t *)state);
}

static inline mainstem_status alerts_pulse(void *user_data, mainstem_context *alerts,
                                           const mainstem_event_type *types, const void *text,
                                           size_t size) {
  if (size == 0 || *(const char *)text == '+') return MAINSTEM_OK;
  return mainstem_send(alerts, types[ALERT], text, size);
}

static const mainstem_viewmodel_row alerts_rows[] = {
    {"others", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"alert", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"tell", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, tell_alert, NULL, 0, 0, NULL},
    {"other", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, tell_other, NULL, 0, 0, NULL},
    {"silence", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, tell_silence, NULL, 0, 0, NULL}};

static const mainstem_reactor_table alerts_table = {
    .size = sizeof alerts_table,
    .state_size = sizeof(int64_t),
    .rows = alerts_rows,
    .row_size = sizeof alerts_rows[0],
    .count = COUNT(alerts_rows),
    .mutation = MAINSTEM_PAYLOAD_TEXT,
    .reduce = alerts_reduce,
    .show = alerts_show,
    .pulse = alerts_pulse,
};

#endif

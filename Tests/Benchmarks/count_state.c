// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about State: show functions, bindings, commands. */

#include "counting.h"

enum { SHOWN = 5, AMONG = 2000 };

/* Show functions. */

static void notices(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD);
}

/* The show function alone, with the loop that `count` takes off. */
static void shows(stream *opened, size_t count) {
  mainstem_show_fn volatile show = show_nothing;
  for (size_t i = 0; i < count; i++) show(&opened->sum, opened->context, opened->types);
}

/* A server whose handler gets the notice. */
static void add_server(stream *opened, mainstem_show_fn show) {
  const mainstem_handler_row row = {"Type0", observe_mainstem, 0};
  mainstem_server_options options = {.size = sizeof options, .show = show};
  must(mainstem_server_add_with(opened->context, "Server", &row, sizeof row, 1, &options,
                                &opened->sum, NULL, NULL));
}

static void measure_server(uint32_t threads, const char *name, mainstem_show_fn show,
                           const char *what) {
  stream *opened = stream_open(threads, 1);
  add_server(opened, show);
  notices(opened, 1);
  measure(notices, opened, show == NULL ? 1 : 2, what, name);
  stream_close(opened);
}

/* Models: five values, of which the first is written, and a command. */

enum { WRITTEN, CHANGED, UP = SHOWN, ROWS };

typedef struct model {
  stream *on;
  mainstem_context *scope;
  mainstem_event_type types[ROWS];
  mainstem_binding *binding;
  int64_t values[SHOWN];
} model;

static model self;

static mainstem_status show_five(void *user_data, mainstem_context *scope,
                                 const mainstem_event_type *types) {
  const model *of = (const model *)user_data;
  for (int i = 0; i < SHOWN; i++) mainstem_value_set_integer(scope, types[i], of->values[i]);
  return MAINSTEM_OK;
}

/* What is written changes another value; the lowest byte of each stays 1, for the sum. */
static void write_one(void *user_data, const mainstem_event *event) {
  model *of = (model *)user_data;
  of->values[WRITTEN] = mainstem_event_integer(event);
  of->values[CHANGED] = of->values[WRITTEN];
}

static void up(void *user_data, const mainstem_event *event) {
  model *of = (model *)user_data;
  (void)event;
  of->values[CHANGED] ^= 256;
}

static void add_model(stream *opened) {
  const mainstem_contract integer = MAINSTEM_PAYLOAD_INTEGER;
  const mainstem_viewmodel_row rows[ROWS] = {
      {"written", MAINSTEM_VIEWMODEL_WRITABLE, integer, write_one, NULL, 0, 0, NULL},
      {"changed", MAINSTEM_VIEWMODEL_VALUE, integer, NULL, NULL, 0, 0, NULL},
      {"second", MAINSTEM_VIEWMODEL_VALUE, integer, NULL, NULL, 0, 0, NULL},
      {"third", MAINSTEM_VIEWMODEL_VALUE, integer, NULL, NULL, 0, 0, NULL},
      {"fourth", MAINSTEM_VIEWMODEL_VALUE, integer, NULL, NULL, 0, 0, NULL},
      {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, up, NULL, 0, 0, NULL}};
  self = (model){.on = opened, .values = {1, 1, 1, 1, 1}};
  must(mainstem_viewmodel_add(opened->context, "Model", rows, sizeof rows[0], ROWS, show_five,
                              &self, NULL, &self.scope));
  must(mainstem_flush(opened->context));
}

static void bind(stream *opened, mainstem_context *owner, const char *value) {
  const mainstem_binding_row row = {value, observe_mainstem, 0};
  must(mainstem_binding_add(opened->context, owner, &row, sizeof row, 1, &opened->sum, NULL,
                            &self.binding));
}

/* The owner says it itself, without a show function. */
static void changes_of_owner(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    opened->payload[1] ^= 1;
    mainstem_value_set(self.scope, opened->types[0], opened->payload, sizeof(int64_t));
  }
}

static void writes(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    opened->payload[1] ^= 1;
    mainstem_binding_set(self.binding, "value", opened->payload, sizeof(int64_t));
  }
}

static void writes_of_model(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    opened->payload[1] ^= 1;
    mainstem_binding_set(self.binding, "written", opened->payload, sizeof(int64_t));
  }
}

static void runs(stream *opened, size_t count) {
  (void)opened;
  for (size_t i = 0; i < count; i++)
    mainstem_binding_run(self.binding, "up", NULL, 0, observe_nothing, NULL, NULL, NULL);
}

static void bindings(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bind(opened, self.scope, "value");
    mainstem_binding_end(self.binding);
  }
}

static void measure_binding(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  must(mainstem_type_add(opened->context, "Owner.value",
                         MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE | MAINSTEM_LAYER_VIEW, NULL,
                         &opened->types[0]));
  must(mainstem_scope_add(opened->context, "Owner", NULL, &self.scope));
  bind(opened, self.scope, "value");
  measure(changes_of_owner, opened, 1, "send of a value that changes, to a binding's row", name);
  measure(writes, opened, 1, "set by a binding that changes the value, one row", name);
  measure(bindings, opened, 1, "binding of one row, added and ended", name);
  for (size_t i = 0; i < AMONG; i++) {
    mainstem_context *owner;
    must(mainstem_scope_add(opened->context, "Owner", NULL, &owner));
    must(mainstem_value_set(owner, opened->types[0], opened->payload, sizeof(int64_t)));
  }
  measure(bindings, opened, 1, "binding of one row, added and ended among 2,000 owners", name);
  stream_close(opened);
}

static uint64_t events(const stream *opened) {
  mainstem_context_stats stats = {.size = sizeof stats};
  must(mainstem_context_stats_read(opened->context, &stats));
  return stats.events;
}

static void measure_model(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  add_model(opened);
  bind(opened, self.scope, "changed");
  opened->payload[1] = 0;
  measure(writes_of_model, opened, 1, "write that changes one of five values, one row", name);
  uint64_t before = events(opened);
  runs(opened, 1);
  must_be(events(opened) - before, 3, "events of a command that changes one value");
  measure(runs, opened, 1, "command that changes one of five values, one row", name);
  stream_close(opened);
}

void measure_state(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  measure(shows, opened, 1, "show function", name);
  stream_close(opened);
  measure_server(threads, name, NULL, "send to a server");
  measure_server(threads, name, show_nothing, "send to a server that shows");
  measure_binding(threads, name);
  measure_model(threads, name);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The calls whose allocations the programs memory_failure*.c let fail. */

#ifndef MEMORY_CALLS_H
#define MEMORY_CALLS_H

#include "asking.h"
#include "failing_memory.h"

typedef struct trial trial;
struct trial {
  stream on;
  mainstem_event_type value, present; /* One that is unset, and one that is set. */
  keeper kept;
  const mainstem_event *event; /* Of the callback, for calls that need one. */
  int calls, hooks;
  mainstem_status status;
  mainstem_context *owner; /* Of bindings. */
  mainstem_binding *binding, *bound, *running;
  mainstem_status (*call)(trial *self);
};

static void count_call(void *user_data, const mainstem_event *event) {
  ((trial *)user_data)->calls++;
}

static void count_hook(void *user_data) { ((trial *)user_data)->hooks++; }

static char payload[100];

static mainstem_status call_send(trial *self) {
  return mainstem_send(self->on.context, self->on.notice, payload, sizeof payload);
}

static mainstem_status call_post(trial *self) {
  return mainstem_post(self->on.context, self->on.notice, payload, sizeof payload);
}

static mainstem_status call_send_after(trial *self) {
  return mainstem_send_after(self->on.context, self->on.notice, payload, sizeof payload, 1, 0,
                             NULL);
}

static mainstem_status call_send_often(trial *self) {
  return mainstem_send_after(self->on.context, self->on.notice, payload, sizeof payload, 1, 1,
                             NULL);
}

static mainstem_status call_observe(trial *self) {
  return mainstem_observe(self->on.context, self->on.notice, count_call, self, count_hook, NULL);
}

static mainstem_status call_observe_all(trial *self) {
  mainstem_observe_options options = {.size = sizeof options};
  return mainstem_observe_with(self->on.context, &options, count_call, self, count_hook, NULL);
}

static mainstem_status call_observe_of(trial *self) {
  mainstem_event_type types[] = {self->on.notice, self->on.other};
  return mainstem_observe_with(
      self->on.context, OPTIONS(observe, .types = types, .type_count = 2, .of = self->on.context),
      count_call, self, count_hook, NULL);
}

static mainstem_status call_observe_all_of(trial *self) {
  return mainstem_observe_with(
      self->on.context,
      OPTIONS(observe, .scheduler = MAINSTEM_SCHEDULER_HOST, .of = self->on.context), count_call,
      self, count_hook, NULL);
}

static mainstem_status call_request(trial *self) {
  return mainstem_request(self->on.context, self->on.ask, payload, 3, count_call, self, NULL);
}

static mainstem_status call_request_with(trial *self) {
  mainstem_request_options options = {sizeof options, 0, count_call, 1000, 1, 0};
  return mainstem_request_with(self->on.context, self->on.ask, payload, 3, &options, count_call,
                               self, NULL, NULL);
}

static mainstem_status call_request_shared(trial *self) {
  mainstem_request_options options = {sizeof options, 0, count_call, 1000, 1, 1};
  return mainstem_request_with(self->on.context, self->on.ask, payload, 3, &options, count_call,
                               self, NULL, NULL);
}

static mainstem_status call_activity_report(trial *self) {
  return mainstem_activity_report(self->on.context, MAINSTEM_TYPE_ANY);
}

static mainstem_status call_request_of_reported(trial *self) {
  int failing = countdown;
  countdown = -1;
  EXPECT_OK(mainstem_activity_report(self->on.context, self->on.ask));
  countdown = failing;
  return call_request(self);
}

static mainstem_status call_scope(trial *self) {
  mainstem_context *scope;
  return mainstem_scope_add(self->on.context, "A scope with a name", NULL, &scope);
}

static mainstem_status call_scope_with(trial *self) {
  mainstem_context *scope;
  return mainstem_scope_add(self->on.context, "A scope with a name",
                            OPTIONS(scope, .send_layers = 8, .limit_observers = 9), &scope);
}

static mainstem_status call_server(trial *self) {
  static const mainstem_handler_row rows[] = {{"Notice", count_call, 0}, {"Other", count_call, 0}};
  return mainstem_server_add(self->on.context, "Server", rows, sizeof rows[0], 2, self, count_hook,
                             NULL);
}

static mainstem_status call_server_with(trial *self) {
  static const mainstem_handler_row rows[] = {{"Notice", count_call, 0}, {"Other", count_call, 0}};
  return mainstem_server_add_with(self->on.context, "Server", rows, sizeof rows[0], 2,
                                  OPTIONS(server, .scheduler = MAINSTEM_SCHEDULER_HOST), self,
                                  count_hook, NULL);
}

static mainstem_status show_nothing(void *user_data, mainstem_context *server,
                                    const mainstem_event_type *types) {
  (void)user_data, (void)server, (void)types;
  return MAINSTEM_OK;
}

static mainstem_status call_server_showing(trial *self) {
  static const mainstem_handler_row rows[] = {{"Notice", count_call, 0}, {"Other", count_call, 0}};
  return mainstem_server_add_with(self->on.context, "Server", rows, sizeof rows[0], 2,
                                  OPTIONS(server, .show = show_nothing), self, count_hook, NULL);
}

static mainstem_status call_server_own(trial *self) {
  static const mainstem_handler_row rows[] = {{"Notice", count_call, MAINSTEM_HANDLER_OWN},
                                              {"Other", count_call, 0}};
  return mainstem_server_add(self->on.context, "Server", rows, sizeof rows[0], 2, self, count_hook,
                             NULL);
}

static mainstem_status call_retain(trial *self) {
  mainstem_retained *kept;
  return mainstem_event_retain(self->event, &kept);
}

static mainstem_status call_respond(trial *self) {
  return mainstem_respond(self->event, payload, 5);
}

static mainstem_status call_respond_long(trial *self) {
  static char longer[1000];
  memset(longer, 'x', sizeof longer);
  return mainstem_respond(self->event, longer, sizeof longer);
}

static mainstem_status call_respond_progress(trial *self) {
  return mainstem_respond_progress(self->event, self->on.notice, payload, sizeof payload);
}

static mainstem_status call_respond_error(trial *self) {
  return mainstem_respond_error(self->event, 1000, "a sentence");
}

static mainstem_status call_respond_error_with(trial *self) {
  const mainstem_error error = {sizeof error, 1000, "a sentence", "a text", "a subject"};
  return mainstem_respond_error_with(self->event, &error);
}

static void count_settled(void *user_data) { ((trial *)user_data)->calls++; }

static mainstem_status call_on_settled(trial *self) {
  return mainstem_event_on_settled(self->event, count_settled, self, NULL);
}

static mainstem_status call_type_add(trial *self) {
  mainstem_event_type type;
  return mainstem_type_add(self->on.context, "RequestMore", 0, "ResponseMore", &type);
}

static mainstem_status call_types_add(trial *self) {
  static const mainstem_type_row row = {"RequestMore", 0, "ResponseMore"};
  int failing = countdown;
  countdown = -1; /* In a build for debugging the first table of a process takes memory for good. */
  EXPECT_OK(mainstem_types_add(self->on.context, NULL, sizeof row, 0, NULL));
  countdown = failing;
  return mainstem_types_add(self->on.context, &row, sizeof row, 1, NULL);
}

static mainstem_status call_layer_add(trial *self) {
  mainstem_contract layer;
  return mainstem_layer_add(self->on.context, "a layer with a name", &layer);
}

static mainstem_status call_send_many(trial *self) {
  unsigned char batch[sizeof(mainstem_event_header) + 50] = {0};
  const mainstem_event_header header = {
      .type = self->on.notice, .size = 50, .offset = sizeof header};
  memcpy(batch, &header, sizeof header);
  return mainstem_send_many(self->on.context, batch, sizeof batch, 1, NULL);
}

static mainstem_status call_create_for_interrupts(trial *self) {
  mainstem_context *context;
  mainstem_status status =
      mainstem_context_create(OPTIONS(context, .flags = MAINSTEM_CONTEXT_INTERRUPTS), &context);
  if (status == MAINSTEM_OK) EXPECT_OK(mainstem_context_close(context));
  return status;
}

static mainstem_status call_value_set(trial *self) {
  return mainstem_value_set(self->on.context, self->value, payload, sizeof payload);
}

/* One that finds no room where the one before is. */
static mainstem_status call_value_set_larger(trial *self) {
  static char larger[5000];
  return mainstem_value_set(self->on.context, self->present, larger, sizeof larger);
}

/* The first value of a scope makes room for the scope's end, which no failure may stop. */
static mainstem_status call_value_of_scope(trial *self) {
  mainstem_context *scope;
  mainstem_status status = mainstem_scope_add(self->on.context, "Valued", NULL, &scope);
  if (status != MAINSTEM_OK) return status;
  uint64_t before = stats_of(self->on.context).events;
  status = mainstem_value_set(scope, self->value, payload, sizeof payload);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(stats_of(self->on.context).events - before, status == MAINSTEM_OK ? 2 : 0);
  return status;
}

static mainstem_status call_value_get(trial *self) {
  mainstem_retained *kept;
  return mainstem_value_get(self->on.context, self->present, &kept);
}

static mainstem_status call_value_type(trial *self) {
  mainstem_event_type type;
  return mainstem_type_add(self->on.context, "Another value",
                           MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL, &type);
}

static mainstem_status call_history_keep(trial *self) {
  return mainstem_history_keep(self->on.context, self->on.notice, 5, 0);
}

static const mainstem_binding_row binding_rows[] = {{"name", count_call, 0}, {"name", NULL, 0}};
static const mainstem_binding_row binding_row_on_host = {"name", count_call,
                                                         MAINSTEM_BINDING_ON_HOST};

static void tell_nobody(void *user_data, const char *const *names, size_t count) {}

static void told(void *user_data, const mainstem_event *event) {}

static const mainstem_viewmodel_row model_rows[] = {
    {"name", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, told, NULL, 0, 0, NULL},
    {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_BYTES, told, "name", 0, 0, NULL},
    {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_BYTES, told, NULL, MAINSTEM_COMMAND_QUEUE,
     0, NULL}};

static mainstem_status call_viewmodel_add(trial *self) {
  return mainstem_viewmodel_add(self->on.context, "Model", model_rows, sizeof model_rows[0], 3,
                                NULL, self, count_hook, NULL);
}

static void binding_open(trial *self) {
  mainstem_event_type type;
  mainstem_context *model;
  EXPECT_OK(mainstem_viewmodel_add(self->on.context, "Model", model_rows, sizeof model_rows[0], 3,
                                   NULL, NULL, NULL, &model));
  EXPECT_OK(mainstem_binding_add(self->on.context, model, NULL, sizeof binding_rows[0], 0, NULL,
                                 NULL, &self->running));
  EXPECT_OK(mainstem_flush(self->on.context));
  self->owner = scope_open(self->on.context, "Cell");
  EXPECT_OK(mainstem_type_add(self->on.context, "Cell.name", 0, NULL, &type));
  EXPECT_OK(mainstem_binding_add(self->on.context, NULL, binding_rows, sizeof binding_rows[0], 2,
                                 self, NULL, &self->binding));
  EXPECT_OK(mainstem_binding_add(self->on.context, self->owner, NULL, sizeof binding_rows[0], 0,
                                 NULL, NULL, &self->bound));
}

static mainstem_status call_binding_add(trial *self) {
  return mainstem_binding_add(self->on.context, self->owner, binding_rows, sizeof binding_rows[0],
                              2, self, count_hook, NULL);
}

static mainstem_status call_binding_add_on_host(trial *self) {
  return mainstem_binding_add(self->on.context, self->owner, &binding_row_on_host,
                              sizeof binding_row_on_host, 1, self, count_hook, NULL);
}

static mainstem_status call_binding_on_changes(trial *self) {
  return mainstem_binding_on_changes(self->binding, tell_nobody, NULL);
}

static mainstem_status call_binding_set(trial *self) {
  return mainstem_binding_set(self->bound, "name", payload, 0);
}

static mainstem_status call_binding_run(trial *self) {
  return mainstem_binding_run(self->running, "up", payload, sizeof payload, count_call, self,
                              count_hook, NULL);
}

static mainstem_status call_binding_retarget(trial *self) {
  mainstem_status status = mainstem_binding_retarget(self->binding, self->owner);
  int failing = countdown;
  countdown = -1;
  EXPECT_OK(mainstem_binding_retarget(self->binding, NULL));
  countdown = failing;
  return status;
}

static void ignore_line(void *user_data, const char *line) {}

static mainstem_status call_trace(trial *self) {
  return mainstem_trace(self->on.context, ignore_line, NULL);
}

static mainstem_status call_describe(trial *self) {
  return mainstem_context_describe(self->on.context, ignore_line, NULL);
}

static const struct {
  const char *name;
  mainstem_status (*call)(trial *self);
  int needs_request; /* It runs on a request, in the callback of its server or outside; 2: only there. */
} calls[] = {{"send", call_send, 0},
             {"post", call_post, 0},
             {"observe", call_observe, 0},
             {"observe_with", call_observe_all, 0},
             {"observe_with, one origin", call_observe_of, 0},
             {"observe_with, all of one origin", call_observe_all_of, 0},
             {"server_add, own", call_server_own, 0},
             {"send_after", call_send_after, 0},
             {"send_after that repeats", call_send_often, 0},
             {"request", call_request, 0},
             {"scope_add", call_scope, 0},
             {"scope_add with options", call_scope_with, 0},
             {"server_add", call_server, 0},
             {"server_add_with", call_server_with, 0},
             {"server_add_with, showing", call_server_showing, 0},
             {"event_retain", call_retain, 1},
             {"respond", call_respond, 1},
             {"respond_error", call_respond_error, 1},
             {"request_with", call_request_with, 0},
             {"request_shared", call_request_shared, 0},
             {"activity_report", call_activity_report, 0},
             {"request, reported", call_request_of_reported, 0},
             {"respond of much", call_respond_long, 1},
             {"respond_progress", call_respond_progress, 1},
             {"respond_error_with", call_respond_error_with, 1},
             {"event_on_settled", call_on_settled, 2},
             {"type_add", call_type_add, 0},
             {"types_add", call_types_add, 0},
             {"layer_add", call_layer_add, 0},
             {"send_many", call_send_many, 0},
             {"context_create, for interrupts", call_create_for_interrupts, 0},
             {"history_keep", call_history_keep, 0},
             {"value_set", call_value_set, 0},
             {"value_set, larger", call_value_set_larger, 0},
             {"value_set, of a scope that ends", call_value_of_scope, 0},
             {"value_get", call_value_get, 0},
             {"type_add, value", call_value_type, 0},
             {"binding_add", call_binding_add, 0},
             {"binding_add, on the host", call_binding_add_on_host, 0},
             {"binding_retarget", call_binding_retarget, 0},
             {"binding_on_changes", call_binding_on_changes, 0},
             {"binding_set", call_binding_set, 0},
             {"binding_run", call_binding_run, 0},
             {"viewmodel_add", call_viewmodel_add, 0},
             {"trace", call_trace, 0},
             {"context_describe", call_describe, 0}};

#endif

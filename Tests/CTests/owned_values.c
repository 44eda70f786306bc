// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a model shows belongs to its scope: no other scope sets it, and a view writes only what is writable. */

#include "transcript.h"

enum { COUNT_ROW, STEP_ROW, DONE_ROW, UP_ROW, ROWS };

/* A counter that sets its values through `to`; NULL: through its own scope, as it should. */
typedef struct counter {
  mainstem_context *context, *scope, *to, *view;
  mainstem_binding *binding;
  mainstem_event_type types[ROWS];
  int64_t count, step;
  mainstem_status status;
  transcript seen;
} counter;

static void write_step(void *user_data, const mainstem_event *event) {
  ((counter *)user_data)->step = mainstem_event_integer(event);
}

static void up(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  self->count += self->step;
}

static const mainstem_viewmodel_row model[ROWS] = {
    {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"step", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_INTEGER, write_step, NULL, 0, 0, NULL},
    {"done", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_NONE, NULL, NULL, 0, 0, NULL},
    {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, up, NULL, 0, 0, NULL}};

static mainstem_status show(void *user_data, mainstem_context *scope,
                            const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  memcpy(self->types, types, sizeof self->types);
  EXPECT_OK(mainstem_value_set_integer(scope, types[STEP_ROW], self->step));
  self->status = mainstem_value_set_integer(self->to != NULL ? self->to : scope, types[COUNT_ROW],
                                            self->count);
  return self->status;
}

static void see_count(void *user_data, const mainstem_event *event) {
  transcript_add(&((counter *)user_data)->seen, "%d", (int)mainstem_event_integer(event));
}

static void counter_install(counter *self, mainstem_context *context) {
  static const mainstem_binding_row rows[] = {{"count", see_count, 0}};
  memset(self, 0, sizeof *self);
  self->context = context;
  self->step = 1;
  EXPECT_OK(mainstem_viewmodel_add(self->context, "Counter", MAINSTEM_ROWS(model), show, self, NULL,
                                   &self->scope));
  self->view = scope_open(self->context, "Window");
  EXPECT_OK(mainstem_binding_add(self->view, self->scope, MAINSTEM_ROWS(rows), self, NULL,
                                 &self->binding));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static mainstem_status run_up(counter *self) {
  return mainstem_binding_run(self->binding, "up", NULL, 0, NULL, NULL, NULL, NULL);
}

/* Catches: a value set through the context, or a scope of another name, where no view looks for it. */
CASE(a_scope_of_another_name_owns_no_value_of_a_model, IN_BOTH) {
  counter self;
  counter_install(&self, context_open(threads));
  EXPECT_STATUS(mainstem_value_set_integer(self.context, self.types[COUNT_ROW], 5),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_value_set_integer: context: Counter.count is not the scope of the model "
              "that shows it: set it there");
  EXPECT_STATUS(mainstem_value_set_integer(self.view, self.types[COUNT_ROW], 5), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set_integer(self.view, self.types[STEP_ROW], 5), MAINSTEM_INVALID);
  EXPECT_TEXT(self.seen.text, "0");
  EXPECT_OK(mainstem_context_close(self.context));
}

static void fail_with(void *user_data, const mainstem_event *event) {
  transcript_add((transcript *)user_data, "%.*s", (int)event->size, (const char *)event->data);
}

/* Catches: a show function that takes the wrong scope, and nobody hears of it. */
CASE(a_show_function_with_another_scope_fails, IN_BOTH) {
  counter self;
  transcript failures = {0, ""};
  counter_install(&self, context_open(threads));
  mainstem_event_type failure = type_named(self.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(self.context, failure, fail_with, &failures, NULL, NULL));
  self.to = self.context;
  run_up(&self);
  EXPECT_EQUAL(self.status, MAINSTEM_INVALID);
  EXPECT(strstr(failures.text, "\"origin\":\"Counter\"") != NULL);
  EXPECT_TEXT(self.seen.text, "0");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a false alarm: the handle of the owner in other hands, its namesake, and types of no model. */
CASE(whoever_has_the_owner_may_set_its_values, IN_BOTH) {
  counter self;
  counter_install(&self, context_open(threads));
  mainstem_context *same = scope_open(self.view, "Counter");
  const mainstem_event_type free_type = type_open(
      self.context, "Somebody.size", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_value_set_integer(self.scope, self.types[COUNT_ROW], 7));
  EXPECT_OK(mainstem_value_set_integer(same, self.types[COUNT_ROW], 8));
  EXPECT_OK(mainstem_value_set_integer(self.context, free_type, 9));
  EXPECT_OK(mainstem_value_set_integer(self.view, free_type, 9));
  EXPECT_TEXT(self.seen.text, "0 7");
  EXPECT_OK(mainstem_context_first_error(self.context, NULL));
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a view that writes what its model only shows, until the next event takes it back in silence. */
CASE(a_view_writes_only_what_is_writable, IN_BOTH) {
  counter self;
  const int64_t five = 5;
  counter_install(&self, context_open(threads));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "count", &five, sizeof five), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_binding_set: name: count is only shown: run a command, or make its row "
              "writable");
  EXPECT_STATUS(mainstem_binding_set(self.binding, "done", NULL, 0), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_binding_set(self.binding, "step", &five, sizeof five));
  EXPECT_OK(run_up(&self));
  EXPECT_TEXT(self.seen.text, "0 5");
  EXPECT_OK(mainstem_context_close(self.context));
}

int main(void) { return expect_all(); }

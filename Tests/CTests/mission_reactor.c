// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Acceptance: reactors, as a host in C sees them. The others are in reactor_script.c. */

#include "reactors.h"
#include "transcript.h"

#include <pthread.h>

typedef struct staged {
  mainstem_context *context, *reactor;
  mainstem_binding *binding;
  transcript seen;
} staged;

static void staged_run(staged *self, const char *name, const char *text) {
  EXPECT_OK(mainstem_binding_run(self->binding, name, text, strlen(text), NULL, NULL, NULL, NULL));
}

static void staged_open(staged *self, uint32_t threads, const mainstem_reactor_table *table) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  EXPECT_OK(mainstem_reactor_add(self->context, "Staged", table, self, NULL, &self->reactor));
  EXPECT_OK(mainstem_binding_add(self->context, self->reactor, NULL, sizeof(mainstem_binding_row),
                                 0, NULL, NULL, &self->binding));
  EXPECT_OK(mainstem_flush(self->context));
}

static void see_text(void *user_data, const mainstem_event *event) {
  transcript_add(&((staged *)user_data)->seen, "[%s]", mainstem_value_text(event));
}

/* A state that is a text: each stage writes its letter behind it. */
typedef struct text_state {
  char text[80];
} text_state;

static bool stage_action(void *user_data, const void *state, mainstem_event *action) {
  static const char text[] = "axA";
  transcript_add(&((staged *)user_data)->seen, "transform(action)");
  if (action->size > 0 && *(const char *)action->data == '-') return false;
  if (action->size == 2) {
    action->data = text;
    action->size = 3;
  }
  return true;
}

static void stage_mutate(void *user_data, const mainstem_event *action) {
  char text[40];
  transcript_add(&((staged *)user_data)->seen, "mutate");
  int length = snprintf(text, sizeof text, "%.*sm", (int)action->size, (const char *)action->data);
  EXPECT_OK(mainstem_reactor_mutate(action, text, (size_t)length));
}

static bool stage_mutation(void *user_data, const void *state, const void **mutation,
                           size_t *size) {
  static char text[40];
  transcript_add(&((staged *)user_data)->seen, "transform(mutation)");
  *size = (size_t)snprintf(text, sizeof text, "%.*sM", (int)*size, (const char *)*mutation);
  *mutation = text;
  return true;
}

static void stage_reduce(void *user_data, void *state, const void *text, size_t size) {
  text_state *self = (text_state *)state;
  transcript_add(&((staged *)user_data)->seen, "reduce");
  snprintf(self->text, sizeof self->text, "%.*sr", (int)size, (const char *)text);
}

static void stage_state(void *user_data, void *state) {
  text_state *self = (text_state *)state;
  transcript_add(&((staged *)user_data)->seen, "transform(state)");
  strcat(self->text, "S");
}

static mainstem_status stage_show(void *user_data, mainstem_context *reactor,
                                  const mainstem_event_type *types, const void *state) {
  return mainstem_value_set_text(reactor, types[0], ((const text_state *)state)->text);
}

static const mainstem_viewmodel_row stage_rows[] = {
    {"text", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, stage_mutate, NULL, 0, 0, NULL}};

static const mainstem_reactor_table stage_table = {
    .size = sizeof stage_table,
    .state_size = sizeof(text_state),
    .rows = stage_rows,
    .row_size = sizeof stage_rows[0],
    .count = COUNT(stage_rows),
    .mutation = MAINSTEM_PAYLOAD_TEXT,
    .reduce = stage_reduce,
    .show = stage_show,
    .transform_action = stage_action,
    .transform_mutation = stage_mutation,
    .transform_state = stage_state,
};

/* Catches: a stage that is left out, comes twice or too early; a state that its transform has changed. */
CASE(a_31_the_stages_have_an_order, IN_BOTH) {
  static const mainstem_binding_row rows[] = {{"text", see_text, 0}};
  text_state initial = {"i"};
  mainstem_reactor_table table = stage_table;
  staged self;
  table.initial = &initial;
  staged_open(&self, threads, &table);
  EXPECT_OK(
      mainstem_binding_add(self.context, self.reactor, rows, sizeof rows[0], 1, &self, NULL, NULL));
  EXPECT_TEXT(self.seen.text, "transform(state) [iS]");
  transcript_clear(&self.seen);
  staged_run(&self, "go", "ax");
  EXPECT_TEXT(self.seen.text,
              "transform(action) mutate transform(mutation) reduce transform(state) [axAmMrS]");
  EXPECT_TEXT(((const text_state *)mainstem_reactor_state(self.reactor))->text, "axAmMr");
  transcript_clear(&self.seen);
  staged_run(&self, "go", "-");
  EXPECT_TEXT(self.seen.text, "transform(action) transform(state)");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Appends each letter by a mutation of its own, whose text is what the state is then. */
static void append_letters(void *user_data, const mainstem_event *action) {
  for (uint32_t i = 0; i < action->size; i++) {
    const text_state *now = (const text_state *)mainstem_reactor_state(action->context);
    char text[60];
    int length = snprintf(text, sizeof text, "%.50s%c", now->text, ((const char *)action->data)[i]);
    EXPECT_OK(mainstem_reactor_mutate(action, text, (size_t)length));
  }
}

static void append_reduce(void *user_data, void *state, const void *text, size_t size) {
  snprintf(((text_state *)state)->text, sizeof(text_state), "%.*s", (int)size, (const char *)text);
}

static const mainstem_viewmodel_row append_rows[] = {
    {"text", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, append_letters, NULL, 0, 0, NULL}};

static mainstem_reactor_table append_table(void) {
  mainstem_reactor_table table = {
      .size = sizeof table,
      .state_size = sizeof(text_state),
      .rows = append_rows,
      .row_size = sizeof append_rows[0],
      .count = COUNT(append_rows),
      .mutation = MAINSTEM_PAYLOAD_TEXT,
      .reduce = append_reduce,
      .show = stage_show,
  };
  return table;
}

/* Catches: a mutation that is reduced when the action is over. And A-33: a late view that gets more than the latest. */
CASE(a_32_and_33_each_mutation_sees_the_one_before, IN_BOTH) {
  static const mainstem_binding_row rows[] = {{"text", see_text, 0}};
  const mainstem_reactor_table table = append_table();
  staged self;
  staged_open(&self, threads, &table);
  staged_run(&self, "go", "ab");
  staged_run(&self, "go", "c");
  staged_run(&self, "go", "def");
  EXPECT_OK(
      mainstem_binding_add(self.context, self.reactor, rows, sizeof rows[0], 1, &self, NULL, NULL));
  EXPECT_TEXT(self.seen.text, "[abcdef]");
  EXPECT_OK(mainstem_context_close(self.context));
}

enum { SENDERS = 8, LOOKERS = 92, INCREMENTS = 1000 };

static void *send_increments(void *data) {
  staged *self = (staged *)data;
  for (int i = 0; i < INCREMENTS; i++)
    EXPECT_OK(mainstem_binding_run(self->binding, "up", NULL, 0, NULL, NULL, NULL, NULL));
  return NULL;
}

static void *look(void *data) {
  staged *self = (staged *)data;
  mainstem_retained *value = NULL;
  mainstem_event_type type = type_named(self->context, "Staged.count");
  EXPECT_OK(mainstem_value_get(self->reactor, type, &value));
  EXPECT_OK(mainstem_retained_release(value));
  return NULL;
}

/* Catches: an increment that is lost, a second reactor, a race. */
CASE(a_34_one_writer_for_many_threads, IN_ANY) {
  pthread_t thread[SENDERS + LOOKERS];
  staged self;
  staged_open(&self, threads, &counter_table);
  for (int i = 0; i < SENDERS + LOOKERS; i++)
    EXPECT_EQUAL(pthread_create(&thread[i], NULL, i < SENDERS ? send_increments : look, &self), 0);
  for (int i = 0; i < SENDERS + LOOKERS; i++) EXPECT_EQUAL(pthread_join(thread[i], NULL), 0);
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_EQUAL(((const counter_state *)mainstem_reactor_state(self.reactor))->count,
               SENDERS * INCREMENTS);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Counts up; at 2 it fails once. */
static void count_or_fail(void *user_data, const mainstem_event *action) {
  static int failures;
  const counter_state *state = (const counter_state *)mainstem_reactor_state(action->context);
  if (state->count == 2 && failures++ % 2 == 0) {
    EXPECT_OK(mainstem_respond_error(action, MAINSTEM_APP, "Not now."));
    EXPECT_STATUS(mainstem_reactor_mutate(action, "12345678", 8), MAINSTEM_STALE);
    return;
  }
  count_up(user_data, action);
}

static void see_number(void *user_data, const mainstem_event *event) {
  transcript_add(&((staged *)user_data)->seen, "%d", (int)mainstem_event_integer(event));
}

static void see_error(void *user_data, const mainstem_event *event) {
  if (event->size > 0) see_text(user_data, event);
}

/* Catches: a reactor that is over with its first failure, a failed run that mutates. */
CASE(a_35_a_failure_ends_its_run_only, IN_BOTH) {
  static const mainstem_viewmodel_row model[] = {
      {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
      {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, count_or_fail, NULL, 0, 0, NULL}};
  static const mainstem_binding_row rows[] = {{"count", see_number, 0}, {"up.error", see_error, 0}};
  mainstem_reactor_table table = counter_table;
  staged self;
  table.rows = model;
  table.count = 2;
  staged_open(&self, threads, &table);
  EXPECT_OK(
      mainstem_binding_add(self.context, self.reactor, rows, sizeof rows[0], 2, &self, NULL, NULL));
  for (int i = 0; i < 6; i++) staged_run(&self, "up", "");
  EXPECT_TEXT(self.seen.text, "0 1 2 [Not now.] 3 4 5");
  EXPECT_OK(mainstem_context_close(self.context));
}

static void present_route(void *user_data, const mainstem_event *action) {
  staged *self = (staged *)user_data;
  transcript_add(&self->seen, "enter");
  append_letters(user_data, action);
  transcript_add(&self->seen, "exit");
}

static void try_to_send(void *user_data, void *state, const void *text, size_t size) {
  staged *self = (staged *)user_data;
  append_reduce(user_data, state, text, size);
  EXPECT_STATUS(mainstem_reactor_merge(self->reactor, "no", 2), MAINSTEM_BUSY);
  if (size != 1) return;
  EXPECT_OK(mainstem_binding_run(self->binding, "go", "c", 1, NULL, NULL, NULL, NULL));
}

static void send_next(void *user_data, const mainstem_event *event) {
  staged *self = (staged *)user_data;
  see_text(user_data, event);
  if (event->size == 1) staged_run(self, "go", "b");
}

/* Catches: an action that begins inside another one, one that is lost. */
CASE(a_38_actions_are_never_nested, IN_BOTH) {
  static const mainstem_viewmodel_row model[] = {
      {"text", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, present_route, NULL,
       MAINSTEM_COMMAND_CONCURRENT, 0, NULL}};
  static const mainstem_binding_row rows[] = {{"text", send_next, 0}};
  mainstem_reactor_table table = append_table();
  staged self;
  table.rows = model;
  table.reduce = try_to_send;
  staged_open(&self, threads, &table);
  EXPECT_OK(
      mainstem_binding_add(self.context, self.reactor, rows, sizeof rows[0], 1, &self, NULL, NULL));
  staged_run(&self, "go", "a");
  /* What reduce has sent was accepted before what was shown. */
  EXPECT_TEXT(self.seen.text, "[] enter exit enter exit [a] [ac] enter exit [acb]");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a stub that does what its actions say, a view that does not see a state that was given. */
CASE(a_39_a_stub_shows_what_a_test_says, IN_BOTH) {
  static const mainstem_binding_row rows[] = {
      {"count", see_number, 0}, {"up", see_number, 0}, {"mutation", see_number, 0}};
  const counter_state states[] = {{7}, {7}, {9}};
  staged self;
  staged_open(&self, threads, &counter_table);
  EXPECT_OK(
      mainstem_binding_add(self.context, self.reactor, rows, sizeof rows[0], 3, &self, NULL, NULL));
  EXPECT_OK(mainstem_reactor_stub(self.reactor, NULL));
  staged_run(&self, "up", "");
  staged_run(&self, "up", "");
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_reactor_stub(self.reactor, &states[i]));
  staged_run(&self, "up", "");
  EXPECT_TEXT(self.seen.text, "0 0 0 7 9 0");
  EXPECT_STATUS(mainstem_reactor_stub(self.context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(self.context));
}

int main(void) { return expect_all(); }

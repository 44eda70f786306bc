// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 11 for models and their views: a replay has the program, and the views are not there. */

#include "session.h"

enum { ON, COUNT_OF, GO, ROWS };

typedef struct lamp {
  mainstem_context *context, *model, *view;
  mainstem_binding *binding;
  mainstem_event_type key;
  int64_t count;
  bool on;
} lamp;

static void on_written(void *user_data, const mainstem_event *event) {
  ((lamp *)user_data)->on = mainstem_event_bool(event);
}

static void on_go(void *user_data, const mainstem_event *event) { ((lamp *)user_data)->count++; }

static void on_key(void *user_data, const mainstem_event *event) { ((lamp *)user_data)->count++; }

static mainstem_status show(void *user_data, mainstem_context *model,
                            const mainstem_event_type *types) {
  const lamp *self = (const lamp *)user_data;
  mainstem_status status = mainstem_value_set_bool(model, types[ON], self->on);
  return status != MAINSTEM_OK ? status
                               : mainstem_value_set_integer(model, types[COUNT_OF], self->count);
}

static void lamp_add(lamp *self, mainstem_context *context) {
  static const mainstem_viewmodel_row rows[ROWS] = {
      {"on", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, on_written, NULL, 0, 0, NULL},
      {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, on_go, "on", 0, 0, NULL}};
  memset(self, 0, sizeof *self);
  self->context = context;
  self->on = true;
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_viewmodel_add(context, "Lamp", rows, sizeof rows[0], ROWS, show, self, NULL,
                                   &self->model));
  EXPECT_OK(mainstem_observe(self->model, self->key, on_key, self, NULL, NULL));
}

static void bind(lamp *self, mainstem_event_fn changed) {
  const mainstem_binding_row row = {"count", changed, 0};
  self->view = scope_open(self->context, "View");
  EXPECT_OK(mainstem_binding_add(self->view, self->model, &row, sizeof row, 1, self, NULL,
                                 &self->binding));
}

static void expect_verified(uint32_t threads, const char *path) {
  lamp self;
  mainstem_context *context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  lamp_add(&self, context);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  EXPECT_EQUAL(replay_info(replay).verified_until, journal_look(path).last);
  EXPECT_OK(mainstem_context_close(context));
  journal_sweep();
}

/* Catches: a command that is enabled from the first show on, and in a replay is not. */
CASE(what_the_first_show_says_is_known_in_a_replay, IN_BOTH) {
  const char *path = journal_path("lamp");
  bool off = false, on = true;
  lamp self;
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  lamp_add(&self, context);
  bind(&self, NULL);
  EXPECT_OK(mainstem_binding_set(self.binding, "on", &off, sizeof off));
  EXPECT_STATUS(mainstem_binding_run(self.binding, "go", NULL, 0, NULL, NULL, NULL, NULL),
                MAINSTEM_DISABLED);
  EXPECT_OK(mainstem_binding_set(self.binding, "on", &on, sizeof on));
  EXPECT_OK(mainstem_binding_run(self.binding, "go", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_context_close(context));
  expect_verified(threads, path);
}

static void write_back(void *user_data, const mainstem_event *event) {
  bool off = false;
  EXPECT_STATUS(mainstem_binding_set(((lamp *)user_data)->binding, "on", &off, sizeof off),
                MAINSTEM_STALE);
}

/* Catches: a model that is not refused in a replay because a view was refused before it. */
CASE(who_finds_it_closing_first_may_be_a_view, IN_BOTH) {
  const char *path = journal_path("lamp");
  mainstem_context *context;
  lamp self;
  EXPECT_OK(mainstem_context_create(
      OPTIONS(context, .threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST), &context));
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  lamp_add(&self, context);
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  bind(&self, write_back);
  EXPECT_OK(mainstem_send(context, self.key, "k", 1));
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_EQUAL(self.count, 1);
  expect_verified(threads, path);
}

typedef struct forked {
  mainstem_context *left, *right;
  mainstem_event_type mark, note;
  bool is_changed;
} forked;

static void send_marks(void *user_data, const mainstem_event *event) {
  const forked *self = (const forked *)user_data;
  EXPECT_OK(mainstem_send(event->context, self->mark, "1", 1));
  EXPECT_OK(mainstem_send(event->context, self->mark, "2", 1));
}

static void send_note(void *user_data, const mainstem_event *event) {
  const forked *self = (const forked *)user_data;
  bool is_first = *(const char *)event->data == '1';
  if (is_first && self->is_changed) return;
  EXPECT_OK(mainstem_send(is_first ? self->left : self->right, self->note, "n", 1));
}

static mainstem_event_type forked_add(forked *self, mainstem_context *context, bool is_changed) {
  mainstem_event_type key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->mark = type_open(context, "Mark", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->is_changed = is_changed;
  self->left = scope_open(context, "left");
  self->right = scope_open(context, "right");
  EXPECT_OK(mainstem_observe(context, key, send_marks, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->mark, send_note, self, NULL, NULL));
  return key;
}

/* Catches: another order of the fields than replay.h says. */
CASE(the_origin_is_compared_before_the_cause, IN_BOTH) {
  const char *path = journal_path("forked");
  mainstem_context *context = context_open(threads);
  forked self;
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  mainstem_event_type key = forked_add(&self, context, false);
  EXPECT_OK(mainstem_send(context, key, "k", 1));
  EXPECT_OK(mainstem_context_close(context));
  context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  forked_add(&self, context, true);
  EXPECT_STATUS(mainstem_replay_step(replay, 0, NULL), MAINSTEM_DIFFERENT);
  mainstem_replay_difference found = replay_difference(replay);
  EXPECT_EQUAL(found.position, 4);
  EXPECT_EQUAL(found.field, MAINSTEM_DIFFERENCE_ORIGIN);
  EXPECT(found.expected->cause != found.actual->cause);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return journal_expect_all(); }

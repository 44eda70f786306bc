// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bindings: what a view writes through one, and with whose rights. */

#include "journal.h"
#include "screen.h"

static void on_written(void *user_data, const mainstem_event *event) {
  transcript *seen = (transcript *)user_data;
  const char *name = NULL;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  transcript_add(seen, "%s:%.*s%s%s", name, (int)event->size, (const char *)event->data,
                 event->flags & MAINSTEM_EVENT_WRITTEN ? " written" : "",
                 event->flags & MAINSTEM_EVENT_OUTSIDE ? " outside" : "");
  if (event->cause != 0) transcript_add(seen, "by %llu", (unsigned long long)event->cause);
}

static mainstem_context *editable_open(screen *self) {
  const mainstem_handler_row handlers[] = {
      {"Cell.name", on_written, MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_WRITTEN}};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add(self->on.context, "Cell", handlers, sizeof handlers[0], 1,
                                &self->seen, NULL, &server));
  return server;
}

/* Catches: a written value that its owner does not hear, or that another one hears; sends that pass for written ones. */
CASE(its_owner_alone_hears_what_is_written, IN_BOTH) {
  screen self;
  mainstem_context *first, *second;
  screen_open(&self, threads);
  first = editable_open(&self);
  second = editable_open(&self);
  EXPECT_OK(
      mainstem_binding_add(self.view, first, rows, sizeof rows[0], 0, &self, NULL, &self.binding));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "ann", 3));
  EXPECT_OK(send_text(first, self.name, "said"));
  EXPECT_TEXT(self.seen.text, "Cell:ann written outside");
  EXPECT_OK(mainstem_binding_retarget(self.binding, second));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "bob", 3));
  EXPECT_TEXT(self.seen.text, "Cell:ann written outside Cell:bob written outside");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void write_inside(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_binding_set(((screen *)user_data)->binding, "name", "inside", 6));
}

/* Catches: a write inside a callback that counts as output, or that a replay does twice. */
CASE(what_is_written_inside_a_callback_is_an_input, IN_BOTH) {
  const char *path = journal_path("written");
  for (int turn = 0; turn < 2; turn++) {
    screen self;
    mainstem_replay *replay;
    uint64_t fed = 0;
    screen_open(&self, threads);
    EXPECT_OK(mainstem_binding_add(self.view, editable_open(&self), rows, sizeof rows[0], 0, &self,
                                   NULL, &self.binding));
    EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, write_inside, &self, NULL, NULL));
    if (turn == 0) {
      EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
      EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
      EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
    } else {
      replay = replay_open(self.on.context, path, MAINSTEM_REPLAY_VERIFY);
      EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
      EXPECT_EQUAL(fed, 4);
      EXPECT_OK(mainstem_replay_close(replay));
    }
    EXPECT_TEXT(self.seen.text,
                "Cell:inside written outside by 1 Cell:inside written outside by 3");
    EXPECT_EQUAL(stats_of(self.on.context).events, 4);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

static mainstem_context *limited_open(mainstem_context *parent, uint64_t send, uint64_t observe) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(
      parent, "Limited", OPTIONS(scope, .send_layers = send, .observe_layers = observe), &scope));
  return scope;
}

/* Catches: a view that may through a binding what it may not by itself. */
CASE(rights_are_those_of_the_view, IN_BOTH) {
  screen self;
  uint64_t app = MAINSTEM_LAYER_BIT(0), view = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  mainstem_context *blind, *mute;
  screen_open(&self, threads);
  blind = limited_open(self.on.context, app | view, app);
  mute = limited_open(self.on.context, app, app | view);
  EXPECT_STATUS(mainstem_binding_add(blind, self.owner, rows, sizeof rows[0], 2, &self,
                                     screen_ended, &self.binding),
                MAINSTEM_DENIED);
  EXPECT(self.binding == NULL);
  EXPECT_OK(mainstem_binding_add(blind, self.owner, &rows[1], sizeof rows[0], 1, &self, NULL,
                                 &self.binding));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "", 0));
  EXPECT_OK(mainstem_binding_add(mute, self.owner, &rows[1], sizeof rows[0], 1, &self, NULL,
                                 &self.binding));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_DENIED);
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void carry_out(void *user_data, const mainstem_event *event) {
  transcript_add((transcript *)user_data, "done");
}

static const mainstem_viewmodel_row lamp_rows[] = {
    {"on", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"on.name", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"is warm", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"blink", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, carry_out, NULL, 0, 0, NULL}};

/* Catches: a command that is written as if it were a value, values of a command that lie, and a view that writes what
   its owner only shows. */
CASE(what_is_no_writable_value_is_not_written, IN_BOTH) {
  static const struct {
    const char *name, *why;
    size_t size;
  } wrong[] = {
      {"blink", "is a command: run it instead", 0},
      {"blink.done", "tells what a command does", 0},
      {"blink.enabled", "tells what a command does", 1},
      {"blink.executing", "tells what a command does", 1},
      {"blink.error", "tells what a command does", 0},
      {"is warm", "is only shown", 1},
  };
  mainstem_context *context = context_open(threads), *view = scope_open(context, "View"), *model;
  mainstem_binding *binding;
  transcript seen;
  const bool on = true;
  transcript_clear(&seen);
  EXPECT_OK(
      mainstem_viewmodel_add(context, "Lamp", MAINSTEM_ROWS(lamp_rows), NULL, &seen, NULL, &model));
  EXPECT_OK(mainstem_binding_add(view, model, NULL, sizeof(mainstem_binding_row), 0, NULL, NULL,
                                 &binding));
  EXPECT_OK(mainstem_binding_set(binding, "on", &on, sizeof on));
  EXPECT_OK(mainstem_binding_set(binding, "on.name", &on, sizeof on));
  const uint64_t events = stats_of(context).events;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    const void *const data = wrong[i].size > 0 ? &on : NULL;
    EXPECT_STATUS(mainstem_binding_set(binding, wrong[i].name, data, wrong[i].size),
                  MAINSTEM_INVALID);
    EXPECT(strstr(mainstem_last_error(), wrong[i].name) != NULL);
    EXPECT(strstr(mainstem_last_error(), wrong[i].why) != NULL);
  }
  EXPECT_EQUAL(stats_of(context).events, events);
  EXPECT_TEXT(seen.text, "");
  EXPECT_OK(mainstem_binding_run(binding, "blink", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_TEXT(seen.text, "done");
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11 for the numbers that callbacks draw: they depend on what draws, not on what only looks. So a session verifies
 * with a trace or a view that it did not have, and without one that it had.
 */

#include "session.h"

/* What looks on, each a bit. */
enum {
  TRACE = 1,         /* All types, before the program is installed. */
  ALIKE = 2,         /* The same type, in the same scope, before it. */
  BETWEEN = 4,       /* The same, between two that draw. */
  DRAWING_TRACE = 8, /* It draws and does not send. */
  VIEW = 16,         /* Bound to what is shown. */
  COMING = 32,       /* It comes in a callback, and goes. */
  ALL_LOOKERS = 63
};

enum { MOST_TOLD = 200 };

typedef struct drawing {
  mainstem_context *context, *owner, *cell;
  mainstem_event_type key, told, ask, shown;
  mainstem_subscription *guest;
  int lookers, keys, count;
  char texts[MOST_TOLD][60];
} drawing;

static void look(void *user_data, const mainstem_event *event) { (void)user_data, (void)event; }

static void look_and_draw(void *user_data, const mainstem_event *event) {
  uint64_t number;
  EXPECT_OK(mainstem_context_random(event->context, &number));
}

static void draw_and_tell(void *user_data, const mainstem_event *event) {
  drawing *self = (drawing *)user_data;
  uint64_t number;
  char id[MAINSTEM_ID_SIZE], text[100];
  EXPECT_OK(mainstem_context_random(event->context, &number));
  EXPECT_OK(mainstem_context_id(event->context, id));
  snprintf(text, sizeof text, "%llx %s", (unsigned long long)number, id);
  EXPECT_OK(mainstem_send(event->context, self->told, text, strlen(text)));
}

static void note_told(void *user_data, const mainstem_event *event) {
  drawing *self = (drawing *)user_data;
  EXPECT(self->count < MOST_TOLD);
  snprintf(self->texts[self->count++], sizeof self->texts[0], "%.*s", (int)event->size,
           (const char *)event->data);
}

static void answer_what_is_drawn(void *user_data, const mainstem_event *event) {
  draw_and_tell(user_data, event);
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

/* Each key makes a cell that draws, and every other one ends the cell before. */
static void make_cell(void *user_data, const mainstem_event *event) {
  drawing *self = (drawing *)user_data;
  mainstem_context *former = self->cell;
  self->cell = scope_open(event->context, "Cell");
  for (int i = 0; i < 2; i++) {
    EXPECT_OK(mainstem_observe(self->cell, self->key, draw_and_tell, self, NULL, NULL));
  }
  if (self->keys++ % 2 == 1) EXPECT_OK(mainstem_scope_end(former));
  EXPECT_OK(mainstem_request(event->context, self->ask, "?", 1, draw_and_tell, self, NULL));
  draw_and_tell(user_data, event);
}

static void come_and_go(void *user_data, const mainstem_event *event) {
  drawing *self = (drawing *)user_data;
  if (self->guest != NULL) EXPECT_OK(mainstem_cancel(self->guest));
  EXPECT_OK(mainstem_observe(event->context, self->key, look, NULL, NULL, &self->guest));
}

static void observe_key(drawing *self, mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe(self->context, self->key, fn, self, NULL, NULL));
}

static void bind_view(drawing *self) {
  static const mainstem_binding_row rows[] = {{"shown", look, 0}};
  mainstem_binding *binding;
  EXPECT_OK(mainstem_binding_add(self->context, self->owner, rows, sizeof rows[0], 1, self, NULL,
                                 &binding));
}

/* A context, with what looks at it before there is a program. */
static drawing *drawing_open(uint32_t threads, uint64_t seed, int lookers) {
  static drawing self;
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .seed = seed);
  self.lookers = lookers;
  if (lookers & TRACE) {
    EXPECT_OK(mainstem_observe(self.context, MAINSTEM_TYPE_ANY, look, NULL, NULL, NULL));
  }
  if (lookers & DRAWING_TRACE) {
    EXPECT_OK(mainstem_observe(self.context, MAINSTEM_TYPE_ANY, look_and_draw, NULL, NULL, NULL));
  }
  return &self;
}

/* A program that draws, with what looks at that. */
static void drawing_install(drawing *self) {
  self->shown =
      type_open(self->context, "Owner.shown", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  self->key = type_open(self->context, "Key", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->told = type_open(self->context, "Told", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->ask = type_open(self->context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAsk");
  type_open(self->context, "ResponseAsk", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->owner = scope_open(self->context, "Owner");
  if (self->lookers & VIEW) bind_view(self);
  if (self->lookers & ALIKE) observe_key(self, look);
  if (self->lookers & COMING) observe_key(self, come_and_go);
  observe_key(self, draw_and_tell);
  if (self->lookers & BETWEEN) observe_key(self, look);
  observe_key(self, draw_and_tell);
  observe_key(self, make_cell);
  serve_one(self->context, "Server", "RequestAsk", answer_what_is_drawn, self);
  EXPECT_OK(mainstem_observe(self->context, self->told, note_told, self, NULL, NULL));
}

/* The path of a session with these lookers. */
static const char *record(uint32_t threads, int lookers) {
  const char *path = journal_path("drawing");
  drawing *self = drawing_open(threads, 7, lookers);
  EXPECT_OK(mainstem_journal_record(self->context, path, NULL));
  drawing_install(self);
  for (int i = 0; i < 4; i++) {
    EXPECT_OK(mainstem_send(self->context, self->key, "k", 1));
    EXPECT_OK(mainstem_value_set_integer(self->owner, self->shown, i));
    EXPECT_OK(mainstem_request(self->context, self->ask, "?", 1, NULL, NULL, NULL));
  }
  EXPECT_OK(mainstem_context_close(self->context));
  return path;
}

static void expect_verified(uint32_t threads, const char *path, int lookers) {
  drawing *self = drawing_open(threads, 0, lookers);
  mainstem_replay *replay = replay_open(self->context, path, MAINSTEM_REPLAY_VERIFY);
  drawing_install(self);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status == MAINSTEM_DIFFERENT) {
    fprintf(stderr, "  lookers %d: %s\n", lookers, replay_difference(replay).message);
  }
  EXPECT_OK(status);
  EXPECT_EQUAL(replay_info(replay).verified_until, replay_info(replay).last);
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Catches: a number drawn that depends on what only looks, wherever it stands. */
CASE(what_only_looks_changes_nothing_that_others_draw, IN_BOTH) {
  for (int which = 0; which <= 7; which++) {
    const int lookers = which == 7 ? ALL_LOOKERS : which == 6 ? 0 : 1 << which;
    const char *path = record(threads, lookers);
    expect_verified(threads, path, 0);
    expect_verified(threads, path, lookers);
    expect_verified(threads, path, ALL_LOOKERS);
    journal_sweep();
  }
}

/* Catches: two callbacks that draw the same. */
CASE(nothing_is_drawn_twice, IN_BOTH) {
  drawing *self = drawing_open(threads, 7, 0);
  drawing_install(self);
  for (int i = 0; i < 6; i++) {
    EXPECT_OK(mainstem_send(self->context, self->key, "k", 1));
  }
  EXPECT(self->count > 6 * 4);
  for (int i = 0; i < self->count; i++) {
    for (int k = 0; k < i; k++) EXPECT(strcmp(self->texts[i], self->texts[k]) != 0);
  }
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Catches: ids that come again when those that drew them are gone, and others get the same event late. */
CASE(what_comes_later_draws_something_else, IN_BOTH) {
  drawing *self = drawing_open(threads, 7, 0);
  mainstem_subscription *one;
  drawing_install(self);
  EXPECT_OK(mainstem_history_keep(self->context, self->key, 1, 60000));
  EXPECT_OK(mainstem_send(self->context, self->key, "k", 1));
  for (int i = 0; i < 5; i++) {
    EXPECT_OK(mainstem_observe(self->context, self->key, draw_and_tell, self, NULL, &one));
    EXPECT_OK(mainstem_cancel(one));
  }
  EXPECT(self->count > 5);
  for (int i = 0; i < self->count; i++) {
    for (int k = 0; k < i; k++) EXPECT(strcmp(self->texts[i], self->texts[k]) != 0);
  }
  EXPECT_OK(mainstem_context_close(self->context));
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Screens that come and go: each is an owner of five values and two commands with twenty cells of its own, is shown by a
 * view with two bindings, is written, told and shown again, and ends. A context in which 1,000 of them have been open
 * is as it was after the first few: memory, handles, types, origins. The argument says how many screens.
 */

#include "stream.h"

#include <malloc.h>
#include <stdlib.h>

enum { CELLS = 20, FIRST = 100 };

static unsigned screens = 1000;

/* What is open in a program, and what it has seen. */
typedef struct program {
  stream on;
  mainstem_context *opened; /* The owner that was asked for last. */
  uint64_t told, released, ended;
} program;

/* The user data of one owner. */
typedef struct model {
  program *of;
  int64_t count, step;
} model;

enum { COUNT, STEP, NAME, IS_EVEN, HALF, UP, LATER, ROWS };

static void write_step(void *user_data, const mainstem_event *event) {
  ((model *)user_data)->step = mainstem_event_integer(event);
}

static void up(void *user_data, const mainstem_event *event) {
  model *self = (model *)user_data;
  self->count += self->step;
}

/* Nobody answers before the screen ends. */
static void later(void *user_data, const mainstem_event *event) {
  mainstem_retained *kept;
  EXPECT_OK(mainstem_event_retain(event, &kept));
  EXPECT_OK(mainstem_retained_release(kept));
}

static const mainstem_viewmodel_row rows[ROWS] = {
    {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"step", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_INTEGER, write_step, NULL, 0, 0, NULL},
    {"name", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"isEven", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"half", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_NUMBER, NULL, NULL, 0, 0, NULL},
    {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, up, NULL, 0, 0, NULL},
    {"later", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, later, "isEven", 0, 0, NULL}};

static mainstem_status show(void *user_data, mainstem_context *server,
                            const mainstem_event_type *types) {
  const model *self = (const model *)user_data;
  char name[40];
  snprintf(name, sizeof name, "at %lld", (long long)self->count);
  mainstem_value_set_integer(server, types[COUNT], self->count);
  mainstem_value_set_integer(server, types[STEP], self->step);
  mainstem_value_set_text(server, types[NAME], name);
  mainstem_value_set_bool(server, types[IS_EVEN], self->count % 2 == 0);
  return mainstem_value_set_number(server, types[HALF], (double)self->count / 2);
}

static void release(void *user_data) {
  model *self = (model *)user_data;
  self->of->released++;
  free(self);
}

static mainstem_status make(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  model *self = (model *)calloc(1, sizeof *self);
  EXPECT(self != NULL);
  self->of = (program *)user_data;
  self->step = 1;
  return mainstem_viewmodel_add(scope, NULL, rows, sizeof rows[0], ROWS, show, self, release, NULL);
}

static void opened(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  EXPECT_OK(event->status);
  EXPECT_OK(mainstem_scope_find(self->on.context, (uint64_t)mainstem_event_integer(event),
                                &self->opened, NULL));
}

static mainstem_context *open_one(program *self, mainstem_context *by, const char *name) {
  self->opened = NULL;
  EXPECT_OK(mainstem_instance_open(by, name, NULL, 0, opened, self, NULL));
  EXPECT(self->opened != NULL);
  return self->opened;
}

static void tell(void *user_data, const mainstem_event *event) { ((program *)user_data)->told++; }

static void tell_changes(void *user_data, const char *const *names, size_t count) {
  ((program *)user_data)->told += count;
}

static void count_end(void *user_data, const mainstem_event *event) {
  ((program *)user_data)->ended++;
}

static const mainstem_binding_row seen[] = {
    {"count", tell, 0}, {"name", tell, 0}, {"isEven", tell, 0}, {"later.executing", NULL, 0}};

/* One screen, from the first look to the last. */
static void one_screen(program *self) {
  const int64_t two = 2;
  mainstem_context *view, *screen, *cell = NULL;
  mainstem_binding *whole, *part;
  view = scope_open(self->on.context, "Window");
  screen = open_one(self, view, "Screen");
  EXPECT_OK(mainstem_binding_add(view, screen, seen, sizeof seen[0], 4, self, NULL, &whole));
  EXPECT_OK(mainstem_binding_on_changes(whole, tell_changes, self));
  EXPECT_OK(mainstem_binding_add(view, NULL, seen, sizeof seen[0], 2, self, NULL, &part));
  for (int i = 0; i < CELLS; i++) {
    cell = open_one(self, screen, "Cell");
    EXPECT_OK(mainstem_binding_retarget(part, cell));
    EXPECT_OK(mainstem_binding_run(part, "up", NULL, 0, NULL, NULL, NULL, NULL));
  }
  EXPECT_OK(mainstem_binding_set(whole, "step", &two, sizeof two));
  EXPECT_OK(mainstem_binding_run(whole, "up", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_binding_run(whole, "later", NULL, 0, tell, self, NULL, NULL));
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_OK(mainstem_scope_end(view));
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
}

/* Catches: what a screen leaves behind. */
CASE(screens_leave_nothing, IN_BOTH) {
  program self = {.told = 0};
  mainstem_context_stats before = {0}, after;
  size_t memory = 0;
  self.on = stream_open(threads);
  EXPECT_OK(mainstem_factory_add(self.on.context, "Screen", 0, make, &self, NULL));
  EXPECT_OK(mainstem_factory_add(self.on.context, "Cell", 0, make, &self, NULL));
  mainstem_event_type end = type_named(self.on.context, "MainstemEnded");
  EXPECT_OK(mainstem_observe(self.on.context, end, count_end, &self, NULL, NULL));
  for (unsigned i = 0; i < screens; i++) {
    uint64_t told = self.told;
    one_screen(&self);
    EXPECT(self.told > told);
    if (i + 1 == FIRST) {
      before = stats_of(self.on.context);
      memory = mallinfo2().uordblks;
    }
  }
  after = stats_of(self.on.context);
  EXPECT_EQUAL(self.released, (uint64_t)screens * (CELLS + 1));
  EXPECT_EQUAL(self.ended, (uint64_t)screens * (CELLS + 2));
  EXPECT_EQUAL(after.scopes, before.scopes);
  EXPECT_EQUAL(after.types, before.types);
  EXPECT_EQUAL(after.subscriptions, before.subscriptions);
  EXPECT_EQUAL(after.requests, 0);
  EXPECT_EQUAL(after.history, 0);
  EXPECT_EQUAL(after.retained, 0);
  EXPECT_EQUAL(after.failures, 0);
  size_t grown = mallinfo2().uordblks - memory;
  if ((ssize_t)grown > 16384) fprintf(stderr, "  grown by %zd bytes\n", (ssize_t)grown);
  EXPECT((ssize_t)grown <= 16384);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(int argc, char **argv) {
  if (argc > 1) screens = (unsigned)strtoul(argv[1], NULL, 10);
  EXPECT(screens > FIRST);
  return expect_all();
}

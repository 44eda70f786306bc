// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The one place that opens and closes screens: view models only say what has happened. */

#include "app.h"

#include <string.h>

screen *app_top(app *self) { return &self->stack[self->depth - 1]; }

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_integer(event);
}

/* A window has the rights of a view, and no more. */
static void add_window(app *self, screen *screen) {
  mainstem_scope_options options;
  mainstem_scope_options_init(&options, sizeof options);
  options.send_layers = 1ULL << (MAINSTEM_LAYER_VIEW >> 40);
  options.observe_layers = options.send_layers | 1ULL << (MAINSTEM_LAYER_VIEWMODEL >> 40);
  mainstem_scope_add_with(self->context, "Window", &options, &screen->window);
}

void app_open(app *self, kind kind, const void *data, size_t size) {
  if (self->depth == DEEPEST) return;
  screen *screen = &self->stack[self->depth++];
  mainstem_context *owner = NULL;
  uint64_t number = 0;
  *screen = (struct screen){.kind = kind};
  add_window(self, screen);
  mainstem_owner_open(screen->window, screen_names[kind], data, size, opened, &number, NULL);
  if (number) mainstem_scope_find(self->context, number, &owner, NULL);
  screen_bind(self, screen, owner);
}

void app_back(app *self) { mainstem_scope_end(self->stack[--self->depth].window); }

static bool is_open(const app *self, kind kind) {
  for (int place = 0; place < self->depth; place++)
    if (self->stack[place].kind == kind) return true;
  return false;
}

void app_close(app *self, kind kind) {
  while (is_open(self, kind)) app_back(self);
}

void app_wish(app *self, wish_kind kind, int64_t value) {
  if (self->wished < MOST_WISHES) self->wishes[self->wished++] = (wish){kind, value};
}

static void open_page(app *self, int64_t id) { app_open(self, PAGE, &id, sizeof id); }

static void open_question(app *self, const char *text) {
  app_open(self, CONFIRM, text, strlen(text));
}

static void delete_if(app *self, bool is_confirmed) {
  app_close(self, CONFIRM);
  if (is_confirmed)
    mainstem_binding_run(app_top(self)->view, "delete", NULL, 0, NULL, NULL, NULL, NULL);
}

static void fulfil(app *self, wish wish) {
  switch (wish.kind) {
  case PICKED:
    open_page(self, wish.value);
    break;
  case WRITE_PRESSED:
    open_page(self, 0);
    break;
  case MENU_PRESSED:
    app_open(self, DRAWER, NULL, 0);
    break;
  case DELETE_PRESSED:
    open_question(self, "Delete this entry?");
    break;
  case ANSWERED:
    delete_if(self, wish.value);
    break;
  case CLOSE_PRESSED:
    app_close(self, PAGE);
    break;
  case GONE:
    if (wish.value) app_close(self, PAGE);
    break;
  case SIGNED_IN: /* another list, for somebody else */
    app_close(self, LIST);
    app_open(self, LIST, NULL, 0);
    break;
  case SIGNED_OUT:
  case SIGN_IN_PRESSED:
    app_close(self, DRAWER);
    app_open(self, SIGN_IN, NULL, 0);
    break;
  case WISH_KINDS:
    break;
  }
}

static bool fulfil_next(app *self) {
  if (!self->wished) return false;
  wish next = self->wishes[0];
  memmove(self->wishes, self->wishes + 1, (size_t)--self->wished * sizeof next);
  fulfil(self, next);
  return true;
}

void app_settle(app *self) {
  uint64_t waits = 1;
  size_t drained = 1;
  while (waits || drained || self->wished) {
    mainstem_activity(self->context, MAINSTEM_TYPE_ANY, &waits);
    if (fulfil_next(self)) continue;
    if (waits) mainstem_wait(self->context, -1);
    else mainstem_drain(self->context, 0, &drained);
  }
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The stage: makes a screen of each component, by the name of its view model. */

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* A window has the rights of a view, and no more. */
static mainstem_context *add_window(mainstem_context *context) {
  mainstem_context *window = NULL;
  const uint64_t sends = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  mainstem_scope_options options = {.size = sizeof options,
                                    .send_layers = sends,
                                    .observe_layers =
                                        sends | MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEWMODEL)};
  mainstem_scope_add(context, "Window", &options, &window);
  return window;
}

static bool add_screen(app *self, const mainstem_component_info *show) {
  mainstem_context *owner = NULL;
  kind kind = 0;
  while (kind < KINDS && strcmp(screen_names[kind], show->name)) kind++;
  if (kind == KINDS || self->count == DEEPEST) return false;
  screen *added = calloc(1, sizeof *added);
  if (!added) return false;
  *added = (screen){.kind = kind,
                    .how = show->kind,
                    .component = show->component,
                    .parent = show->parent,
                    .context = self->context,
                    .window = add_window(self->context)};
  mainstem_scope_find(self->context, show->owner, &owner, NULL);
  screen_bind(added, owner);
  self->screens[self->count++] = added;
  self->changes++;
  return true;
}

static void remove_screen(app *self, uint64_t component) {
  for (int place = 0; place < self->count; place++) {
    screen *each = self->screens[place];
    if (each->component != component) continue;
    screen_close(each);
    free(each);
    memmove(self->screens + place, self->screens + place + 1,
            (size_t)(--self->count - place) * sizeof each);
    self->changes++;
    return;
  }
}

static void show(void *app, const mainstem_event *event) {
  mainstem_component_info show = {.size = sizeof show};
  char text[1000];
  if (mainstem_show_read(event, &show, text, sizeof text) == MAINSTEM_OK && add_screen(app, &show))
    mainstem_respond(event, NULL, 0);
  else mainstem_respond_error(event, MAINSTEM_UNSUPPORTED, "there is no screen for this");
}

/* A replay names flows, too, and what went by a gesture: there is no screen of those. */
static void hide(void *app, const mainstem_event *event) {
  uint64_t components[DEEPEST * 2];
  size_t count = 0;
  mainstem_hide_read(event, components, DEEPEST * 2, &count);
  for (size_t place = 0; place < count; place++) remove_screen(app, components[place]);
  mainstem_respond(event, NULL, 0);
}

void app_add_stage(app *self) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", show, 0}, {"MainstemHide", hide, 0}};
  mainstem_stage_add(self->context, MAINSTEM_ROWS(rows), self, NULL, NULL);
}

/* What is seen ----------------------------------------------------------------------------------- */

/* The topmost one below a place. */
static screen *below(const app *self, int place) {
  while (place-- > 0)
    if (self->screens[place]->how != MAINSTEM_EMBED) return self->screens[place];
  return NULL;
}

screen *app_top(const app *self) { return below(self, self->count); }

screen *app_seen(const app *self, int number) {
  const screen *top = app_top(self);
  for (int place = 0; top && place < self->count; place++) {
    screen *each = self->screens[place];
    bool is_beside = each->how == MAINSTEM_EMBED &&
                     (each->parent == top->component || each->parent == top->parent);
    if ((each == top || is_beside) && number-- == 0) return each;
  }
  return NULL;
}

bool app_can_go_back(const app *self) {
  int place = self->count;
  while (place-- > 0 && self->screens[place]->how == MAINSTEM_EMBED) continue;
  return below(self, place) != NULL;
}

/* A dialog or a drawer goes by a gesture; a screen may have something to say first. */
void app_go_back(app *self) {
  uint64_t component = app_top(self)->component;
  mainstem_move pop = {.size = sizeof pop, .verb = MAINSTEM_MOVE_POP};
  if (app_top(self)->how == MAINSTEM_SCREEN) {
    mainstem_navigator_move(self->context, &pop, NULL, NULL, NULL);
  } else {
    remove_screen(self, component);
    mainstem_component_gone(self->context, component);
  }
}

void app_close(app *self) {
  while (self->count) remove_screen(self, self->screens[0]->component);
}

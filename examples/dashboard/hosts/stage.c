// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "stage.h"

#include "lines.h"

static void show(void *user_data, const mainstem_event *event) {
  stage *self = user_data;
  mainstem_component_info show = {.size = sizeof show};
  char text[1000];
  mainstem_status status = mainstem_show_read(event, &show, text, sizeof text);
  kind kind = status ? KINDS : view_kind(show.name);
  if (!status && kind == KINDS) status = MAINSTEM_INVALID;
  if (!status) status = view_show(&self->views[kind], kind, self->app, &show);
  if (status) mainstem_respond_error(event, status, "It cannot be shown.");
  else mainstem_respond(event, NULL, 0);
  if (!status && kind == DASHBOARD) view_load(&self->views[kind]);
}

static void hide(void *user_data, const mainstem_event *event) {
  stage *self = user_data;
  uint64_t components[KINDS + 1]; /* In a replay the flow is told, too. */
  size_t count = 0;
  mainstem_status status = mainstem_hide_read(event, components, KINDS + 1, &count);
  for (size_t i = 0; !status && i < count; i++)
    for (int kind = 0; kind < KINDS; kind++)
      if (self->views[kind].component == components[i]) view_hide(&self->views[kind]);
  mainstem_respond(event, NULL, 0);
}

mainstem_status stage_add(stage *self, mainstem_context *app) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", show, 0}, {"MainstemHide", hide, 0}};
  *self = (stage){.app = app};
  mainstem_stage_add(app, MAINSTEM_ROWS(rows), self, NULL, NULL);
  return mainstem_navigator_ready(app);
}

void stage_look(stage *self) { view_write(self->views, self->seen, sizeof self->seen); }

void stage_print(stage *self) {
  if (strcmp(self->seen, self->printed)) fputs(self->seen, stdout);
  lines_check();
  strcpy(self->printed, self->seen);
}

void stage_back(stage *self) {
  uint64_t component = self->views[DASHBOARD].component;
  if (!component) return;
  view_hide(&self->views[DASHBOARD]);
  mainstem_component_gone(self->app, component);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Steps about what a program shows: servers that show, and views that are bound. */

#ifndef SCENARIO_VIEWS_H
#define SCENARIO_VIEWS_H

#include "scenario_session.h"

static void play_event(void *user_data, const mainstem_event *event);
static void play_release(void *user_data);
static mainstem_context *where(const call *self);
static mainstem_context *looked_at(const call *self);

/* `serve s Notice shows Value`: it shows the last text that it got. */
static void play_and_keep(void *user_data, const mainstem_event *event) {
  thing *self = (thing *)user_data;
  snprintf(self->shown, sizeof self->shown, "%.*s", (int)event->size, (const char *)event->data);
  play_event(user_data, event);
}

static mainstem_status play_show(void *user_data, mainstem_context *server,
                                 const mainstem_event_type *types) {
  return mainstem_value_set_text(server, types[0], ((thing *)user_data)->shown);
}

static const char *serve_showing(const call *self, thing *made) {
  mainstem_handler_row row = {word_at(&self->words, 2), play_and_keep, 0};
  made->shows = stage_type(self->stage, word_after(&self->words, "shows"));
  return status_name(
      mainstem_server_add_with(where(self), made->name, &row, sizeof row, 1,
                               OPTIONS(server, .show = play_show, .show_types = &made->shows), made,
                               play_release, &made->scope));
}

/* A row gets a value: `b name "one"`. */
static void play_row(void *user_data, const mainstem_event *event) {
  thing *self = (thing *)user_data;
  mainstem_type_info info = {.size = sizeof info};
  char text[PAYLOAD + 40];
  EXPECT_OK(mainstem_type_read(self->stage->context, event->type, &info));
  const char *name = strchr(info.name, '.') + 1;
  switch (info.contract & MAINSTEM_PAYLOAD_MASK) {
  case MAINSTEM_PAYLOAD_BOOL:
    snprintf(text, sizeof text, " %s %s", name, mainstem_event_bool(event) ? "true" : "false");
    break;
  case MAINSTEM_PAYLOAD_INTEGER:
    snprintf(text, sizeof text, " %s %d", name, (int)mainstem_event_integer(event));
    break;
  default:
    snprintf(text, sizeof text, " %s \"%s\"", name, mainstem_value_text(event));
  }
  stage_note_call(self, text);
}

/* What a view may show: of a Cell, and of a Door (scenario_commands.h). */
static const char *const row_names[] = {"name",
                                        "size",
                                        "count",
                                        "may",
                                        "knock.executing",
                                        "go.enabled",
                                        "go.executing",
                                        "go.error",
                                        "queue.executing",
                                        "latest.executing",
                                        "latest.error",
                                        "both.executing"};

/* `bind b name size of s`, perhaps `two-way on host` or `on host`. */
static const char *step_bind(const call *self) {
  mainstem_binding_row rows[COUNT(row_names)];
  size_t count = 0;
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  stage_type(self->stage, "Cell.name");
  for (size_t i = 2; i < self->words.count; i++) {
    for (size_t n = 0; n < COUNT(row_names); n++) {
      if (strcmp(self->words.word[i], row_names[n]) != 0) continue;
      rows[count].name = row_names[n];
      rows[count].changed = play_row;
      rows[count].flags = word_after(&self->words, "two-way") ? MAINSTEM_BINDING_TWO_WAY
                          : word_after(&self->words, "on")    ? MAINSTEM_BINDING_ON_HOST
                                                              : 0;
      count++;
    }
  }
  return status_name(mainstem_binding_add(where(self), looked_at(self), rows, sizeof rows[0], count,
                                          made, play_release, &made->binding));
}

static void play_changes(void *user_data, const char *const *names, size_t count) {
  char text[80] = " changed";
  for (size_t i = 0; i < count; i++) strcat(strcat(text, " "), names[i]);
  stage_note_call((const thing *)user_data, text);
}

static void play_ended(void *user_data) { stage_note_call((const thing *)user_data, " ended"); }

/* The steps of a view that has a binding. */
static const char *step_view(const call *self) {
  const char *verb = self->words.word[0];
  thing *of = stage_find(self->stage, word_at(&self->words, 1));
  char bytes[PAYLOAD];
  if (strcmp(verb, "point") == 0)
    return status_name(mainstem_binding_retarget(of->binding, looked_at(self)));
  if (strcmp(verb, "changes") == 0)
    return status_name(mainstem_binding_on_changes(of->binding, play_changes, of));
  if (strcmp(verb, "ended") == 0)
    return status_name(mainstem_binding_on_ended(of->binding, play_ended, of));
  if (strcmp(verb, "unbind") == 0) return status_name(mainstem_binding_end(of->binding));
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  const char *value = word_at(&self->words, 3);
  if (*value != '"') {
    bytes[0] = strcmp(value, "true") == 0;
    size = 1;
  }
  mainstem_status status = mainstem_binding_set(of->binding, word_at(&self->words, 2), bytes, size);
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

#endif

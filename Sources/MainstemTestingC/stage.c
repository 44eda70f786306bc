// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A stage that notes what it is told, and answers as a test says. */

#include "kit.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"",        "screen",  "embed", "dialog",
                                    "present", "overlay", "group", "flow"};

/* Reads a component, with as much room for its texts as they need; the caller frees it. NULL: it is not there. */
static char *read_show(mainstem_test *test, const mainstem_event *event, uint64_t component,
                       mainstem_component_info *show) {
  char *text = NULL;
  mainstem_status status = MAINSTEM_TOO_BIG;
  memset(show, 0, sizeof *show);
  show->size = sizeof *show;
  for (size_t room = 512; status == MAINSTEM_TOO_BIG; room *= 8) {
    text = (char *)mainstem_kit_memory(text, room);
    status = event != NULL ? mainstem_show_read(event, show, text, room)
                           : mainstem_component_read(test->context, component, show, text, room);
  }
  if (status == MAINSTEM_OK) return text;
  free(text);
  return NULL;
}

/* In a replay nobody waits for an answer. */
static int is_asked(const mainstem_event *event) {
  return (event->flags & MAINSTEM_EVENT_TRACKED) != 0;
}

static void show(void *user_data, const mainstem_event *event) {
  stage *self = (stage *)user_data;
  mainstem_component_info show;
  char *text = read_show(self->test, event, 0, &show);
  if (text == NULL) return;
  mainstem_kit_text_add(&self->seen, "show %s %s\n", kinds[show.kind], show.url);
  if (self->count == self->capacity) {
    self->capacity = self->capacity * 2 + 16;
    self->shown = (window *)mainstem_kit_memory(self->shown, self->capacity * sizeof *self->shown);
  }
  self->shown[self->count].component = show.component;
  self->shown[self->count++].url = mainstem_kit_copy(show.url, strlen(show.url));
  free(text);
  if (is_asked(event) && !mainstem_kit_stub_answer(self->answers, event)) {
    mainstem_respond(event, NULL, 0);
  }
}

/* Notes that a component is hidden. */
static void close_window(stage *self, uint64_t component) {
  for (size_t i = self->count; i > 0; i--) {
    window *window = &self->shown[i - 1];
    if (window->component != component) continue;
    mainstem_kit_text_add(&self->seen, " %s", window->url);
    free(window->url);
    memmove(window, window + 1, (self->count-- - i) * sizeof *window);
    return;
  }
}

static void hide(void *user_data, const mainstem_event *event) {
  stage *self = (stage *)user_data;
  size_t count = 0;
  mainstem_hide_read(event, NULL, 0, &count);
  uint64_t *components = (uint64_t *)mainstem_kit_memory(NULL, (count + 1) * sizeof *components);
  mainstem_hide_read(event, components, count, &count);
  mainstem_kit_text_add(&self->seen, "hide");
  for (size_t i = 0; i < count; i++) close_window(self, components[i]);
  mainstem_kit_text_add(&self->seen, "\n");
  free(components);
  if (is_asked(event)) mainstem_respond(event, NULL, 0);
}

void mainstem_test_stage_at(mainstem_test *test, const mainstem_test_answer *answers, size_t count,
                            mainstem_test_place place) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", show, 0}, {"MainstemHide", hide, 0}};
  text said = {NULL, 0};
  if (test->stage != NULL) {
    mainstem_kit_text_add(&said, "this test has a stage already");
    mainstem_kit_fail(test, place, &said);
    return;
  }
  stage *self = (stage *)mainstem_kit_memory(NULL, sizeof *self);
  memset(self, 0, sizeof *self);
  test->stage = self;
  self->test = test;
  self->answers = mainstem_kit_stub_add(test, "MainstemShow", answers, count, place);
  mainstem_status status =
      mainstem_stage_add(test->context, rows, sizeof rows[0], 2, self, NULL, NULL);
  if (status == MAINSTEM_OK) status = mainstem_navigator_ready(test->context);
  mainstem_test_keep(test);
  mainstem_test_ok_at(test, status, "mainstem_stage_add", place);
}

/* What must be there ------------------------------------------------------------------------------- */

static void compare(mainstem_test *test, const char *what, const char *wanted, text *was,
                    mainstem_test_place place) {
  const char *found = was->bytes == NULL ? "" : was->bytes;
  text said = {NULL, 0};
  if (strcmp(found, wanted) != 0) {
    mainstem_kit_text_add(&said, "%s\n%s  was expected, and it was\n%s", what,
                          wanted[0] == 0 ? "nothing\n" : wanted, found[0] == 0 ? "nothing" : found);
  }
  mainstem_kit_text_free(was);
  if (said.length > 0) mainstem_kit_fail(test, place, &said);
}

void mainstem_test_shown_at(mainstem_test *test, const char *calls, mainstem_test_place place) {
  text none = {NULL, 0};
  mainstem_test_advance_at(test, 0, place);
  compare(test, "the stage was told something else", calls,
          test->stage == NULL ? &none : &test->stage->seen, place);
}

/* A line for each component that stands on another, and below it what stands on it. */
static void add_tree(mainstem_test *test, const uint64_t *components, size_t count, uint64_t parent,
                     int depth, text *to) {
  for (size_t i = 0; i < count; i++) {
    mainstem_component_info show;
    char *text = read_show(test, NULL, components[i], &show);
    if (text != NULL && show.parent == parent) {
      mainstem_kit_text_add(to, "%*s%s\n", 2 * depth, "", show.url);
      add_tree(test, components, count, show.component, depth + 1, to);
    }
    free(text);
  }
}

/* The numbers of what is shown; the caller frees them. */
static uint64_t *read_tree(mainstem_test *test, size_t *count) {
  *count = 0;
  mainstem_navigator_tree(test->context, NULL, 0, count);
  uint64_t *components = (uint64_t *)mainstem_kit_memory(NULL, (*count + 1) * sizeof *components);
  mainstem_navigator_tree(test->context, components, *count, count);
  return components;
}

void mainstem_test_tree_at(mainstem_test *test, const char *tree, mainstem_test_place place) {
  text found = {NULL, 0};
  size_t count;
  mainstem_test_advance_at(test, 0, place);
  uint64_t *components = read_tree(test, &count);
  add_tree(test, components, count, 0, 0, &found);
  free(components);
  compare(test, "the tree is another", tree, &found, place);
}

/* What need not be expected -------------------------------------------------------------------------- */

static int begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

int mainstem_kit_stage_sends(const mainstem_test *test, const entry *entry) {
  mainstem_type_info info;
  if (test->stage == NULL) return 0;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  if (mainstem_type_read(test->context, entry->event.type, &info) != MAINSTEM_OK) return 0;
  return (info.contract & MAINSTEM_LAYER_MASK) == MAINSTEM_LAYER_NAVIGATION ||
         begins(info.name, "RequestOpen.") || begins(info.name, "ResponseOpen.") ||
         strcmp(info.name, "MainstemEnded") == 0;
}

/* The end ---------------------------------------------------------------------------------------- */

void mainstem_kit_stage_leave(mainstem_test *test, mainstem_test_place place) {
  size_t count;
  if (test->stage == NULL) return;
  uint64_t *components = read_tree(test, &count);
  for (size_t i = 0; i < count; i++) mainstem_component_gone(test->context, components[i]);
  free(components);
  mainstem_test_advance_at(test, 0, place);
}

void mainstem_kit_stage_free(mainstem_test *test) {
  stage *self = test->stage;
  if (self == NULL) return;
  while (self->count > 0) free(self->shown[--self->count].url);
  free(self->shown);
  mainstem_kit_text_free(&self->seen);
  free(self);
  test->stage = NULL;
}

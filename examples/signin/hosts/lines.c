// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Without a display: the same values, kept until a script asks. */

#include "lines.h"

#include "screen.h"

enum { NAME, PASSWORD, TITLE, SUBMIT, QUIET, STATE, ROWS };
static struct value {
  const char *name;
  bool is_on;
  char text[256];
} values[ROWS] = {{"usernameInputEnable", 0, ""}, {"passwordInputEnable", 0, ""},
                  {"submitTitle", 0, ""},         {"submitEnable", 0, ""},
                  {"indicatorHidden", 0, ""},     {"state", 0, ""}};
static mainstem_binding *form;

static void changed(void *data, const mainstem_event *event) {
  struct value *value = data;
  value->is_on = mainstem_event_bool(event);
  snprintf(value->text, sizeof value->text, "%s", mainstem_value_text(event));
}

static void type(const char *field, const char *text) {
  if (values[strcmp(field, "password") ? NAME : PASSWORD].is_on)
    mainstem_binding_set(form, field, text, strlen(text));
}

static void press(const char *button) {
  mainstem_binding_run(form, button, NULL, 0, NULL, NULL, NULL, NULL);
}

static void show(void) {
  const char *const on[] = {"off", "on"}, *says = values[QUIET].is_on ? values[STATE].text : "";
  lines_say("name %s, password %s, [%s] %s, %s%s%s", on[values[NAME].is_on],
            on[values[PASSWORD].is_on], values[TITLE].text, on[values[SUBMIT].is_on],
            values[QUIET].is_on ? "idle" : "busy", *says ? ": " : "", says);
}

const screen *lines_open(mainstem_context *view, mainstem_context *owner) {
  static const screen lines = {type, press, show};
  for (struct value *value = values; value < values + ROWS; value++) {
    mainstem_binding_row row = {value->name, changed, 0};
    mainstem_binding_add(view, owner, &row, sizeof row, 1, value, NULL, NULL);
  }
  mainstem_binding_add(view, owner, NULL, sizeof(mainstem_binding_row), 0, NULL, NULL, &form);
  return &lines;
}

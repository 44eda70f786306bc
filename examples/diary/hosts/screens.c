// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The screens: which value is shown where, and how it looks. */

#include "app.h"
#include "lines.h"

#include <stddef.h>

const char *const screen_names[KINDS] = {"DiaryList", "DiaryPage", "Idea",  "Confirm",
                                         "SignIn",    "Guide",     "Drawer"};

/* Values ----------------------------------------------------------------------------------------- */

static void show_text(void *place, const mainstem_event *event) {
  snprintf(place, TEXT, "%s", mainstem_value_text(event));
}
static void show_number(void *place, const mainstem_event *event) {
  *(int64_t *)place = mainstem_event_integer(event);
}
static void show_bool(void *place, const mainstem_event *event) {
  *(bool *)place = mainstem_event_bool(event);
}
static void show_rows(void *place, const mainstem_event *event) {
  shown *self = place;
  size_t size = event->size < sizeof self->rows ? event->size : sizeof self->rows;
  memcpy(self->rows, event->data, size);
  self->count = (long)(size / sizeof self->rows[0]);
}

/* A value, and its place. */
typedef struct tie {
  kind kind;
  const char *name;
  mainstem_event_fn show;
  size_t place;
} tie;

#define AT(field) offsetof(shown, field)

static const tie ties[] = {{LIST, "title", show_text, AT(title)},
                           {LIST, "footer", show_text, AT(footer)},
                           {LIST, "rows", show_rows, 0},
                           {PAGE, "id", show_number, AT(id)},
                           {PAGE, "day", show_text, AT(day)},
                           {PAGE, "text", show_text, AT(text)},
                           {PAGE, "problem", show_text, AT(problem)},
                           {PAGE, "isEdited", show_bool, AT(is_edited)},
                           {PAGE, "save.error", show_text, AT(error)},
                           {IDEA, "text", show_text, AT(text)},
                           {CONFIRM, "text", show_text, AT(text)},
                           {SIGN_IN, "nickname", show_text, AT(text)},
                           {SIGN_IN, "hint", show_text, AT(hint)},
                           {SIGN_IN, "signIn.error", show_text, AT(error)},
                           {GUIDE, "text", show_text, AT(text)},
                           {DRAWER, "summary", show_text, AT(text)}};

static void print_alert(void *screen, const mainstem_event *event) {
  (void)screen;
  lines_say("! %.*s", (int)event->size, (const char *)event->data);
}

/* Binding ---------------------------------------------------------------------------------------- */

static mainstem_binding *bind_to(screen *self, mainstem_context *owner, const char *name,
                                 mainstem_event_fn show, void *place) {
  mainstem_binding_row row = {name, show, 0};
  mainstem_binding *binding = NULL;
  mainstem_binding_add(self->window, owner, &row, sizeof row, 1, place, NULL, &binding);
  return binding;
}

void screen_bind(screen *self, mainstem_context *owner) {
  for (const tie *each = ties; each < ties + sizeof ties / sizeof ties[0]; each++)
    if (each->kind == self->kind)
      self->view = bind_to(self, owner, each->name, each->show, (char *)&self->shown + each->place);
  if (self->kind == LIST) bind_to(self, owner, "alertMessage", print_alert, NULL);
}

/* Drawing ---------------------------------------------------------------------------------------- */

typedef struct row {
  int64_t id;
  label day, title;
} row;

static void row_id(void *self, const mainstem_event *e) {
  ((row *)self)->id = mainstem_event_integer(e);
}
static void row_day(void *self, const mainstem_event *e) { show_text(((row *)self)->day, e); }
static void row_title(void *self, const mainstem_event *e) { show_text(((row *)self)->title, e); }
static const mainstem_binding_row row_rows[] = {
    {"id", row_id, 0}, {"day", row_day, 0}, {"title", row_title, 0}};

static void print_line(const char *line) {
  if (*line) lines_say("%s", line);
}

static void draw_list(const screen *self) {
  row row = {0};
  mainstem_binding *view = NULL;
  lines_say("%s", self->shown.title);
  mainstem_binding_add(self->window, NULL, MAINSTEM_ROWS(row_rows), &row, NULL, &view);
  for (long place = 0; place < self->shown.count; place++) {
    mainstem_context *owner = NULL;
    mainstem_scope_find(self->context, self->shown.rows[place], &owner, NULL);
    mainstem_binding_retarget(view, owner); /* one view for all rows, as each is drawn only once */
    lines_say("%4lld %s %s", (long long)row.id, row.day, row.title);
  }
  mainstem_binding_end(view);
  print_line(self->shown.footer);
}

static void draw_page(const shown *shown) {
  char number[24] = "A new entry";
  if (shown->id) snprintf(number, sizeof number, "%lld", (long long)shown->id);
  lines_say("%s%s%s%s", number, *shown->day ? " " : "", shown->day,
            shown->is_edited ? " (edited)" : "");
  lines_say("%s", shown->text);
  print_line(shown->problem);
  print_line(shown->error);
}

static void draw_sign_in(const shown *shown) {
  lines_say("Who is it? [%s]", shown->text);
  print_line(shown->hint);
  print_line(shown->error);
}

void screen_draw(const screen *self) {
  if (self->kind == LIST) draw_list(self);
  if (self->kind == PAGE) draw_page(&self->shown);
  if (self->kind == SIGN_IN) draw_sign_in(&self->shown);
  if (self->kind == IDEA) lines_say("* %s", self->shown.text);
  if (self->kind == CONFIRM) lines_say("%s (confirm, refuse)", self->shown.text);
  if (self->kind == GUIDE) lines_say("%s (understood)", self->shown.text);
  if (self->kind == DRAWER) lines_say("= %s", self->shown.text);
}

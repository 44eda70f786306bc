// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The screens: which value is shown where, and how it looks. */

#include "app.h"
#include "lines.h"

#include <jansson.h>
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

/* The list ---------------------------------------------------------------------------------------- */

static void end_changes(entries *self) {
  if (self->changes) fclose(self->changes);
  free(self->text);
}

static void begin_changes(entries *self) {
  end_changes(self);
  self->changes = open_memstream(&self->text, &self->size);
  if (!self->changes) lines_fail("no memory", "");
}

static void write_row(FILE *to, char sign, mainstem_retained *rows, size_t index) {
  const mainstem_event *event;
  mainstem_list_row row = {0};
  if (mainstem_retained_event(rows, &event) || mainstem_list_row_get(event, index, &row)) return;
  json_t *entry = json_loadb(row.data, row.size, JSON_ALLOW_NUL, NULL);
  long long id = json_integer_value(json_object_get(entry, "id"));
  fprintf(to, "%c%3lld  %s: %s\n", sign, id, json_string_value(json_object_get(entry, "day")),
          json_string_value(json_object_get(entry, "title")));
  json_decref(entry);
}

/* Notes a change of the list; what is removed is still in the event before. Entries do not move. */
static void note_changes(void *list, const mainstem_event *event) {
  static const char signs[] = {' ', '-', '>', '+', '*'};
  entries *self = list;
  mainstem_retained *before = self->rows;
  mainstem_list_change change;
  mainstem_event_retain(event, &self->rows);
  for (size_t run = 0; !mainstem_list_read(event, run, &change); run++) {
    bool is_removed = change.kind == MAINSTEM_LIST_REMOVE;
    if (change.kind == MAINSTEM_LIST_RESET) self->is_whole = true;
    else
      for (size_t index = change.index; index < change.index + change.count; index++)
        write_row(self->changes, signs[change.kind], is_removed ? before : self->rows, index);
  }
  mainstem_retained_release(before);
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
  if (self->kind != LIST) return;
  begin_changes(&self->entries);
  bind_to(self, owner, "rows", note_changes, &self->entries);
  bind_to(self, owner, "alertMessage", print_alert, NULL);
}

void screen_close(screen *self) {
  mainstem_scope_end(self->window);
  mainstem_retained_release(self->entries.rows);
  end_changes(&self->entries);
}

/* Drawing ---------------------------------------------------------------------------------------- */

static void print_line(const char *line) {
  if (*line) lines_say("%s", line);
}

/* Draws what has changed since it was drawn last; first, or if that is wanted, all of it. */
static void draw_list(screen *self) {
  entries *entries = &self->entries;
  const mainstem_event *event;
  size_t count = 0;
  lines_say("%s", self->shown.title);
  if (entries->is_whole) begin_changes(entries);
  if (entries->is_whole && !mainstem_retained_event(entries->rows, &event))
    mainstem_list_count(event, &count);
  for (size_t index = 0; index < count; index++)
    write_row(entries->changes, ' ', entries->rows, index);
  fflush(entries->changes);
  for (char *line = entries->text, *end; (end = strchr(line, '\n')); line = end + 1)
    lines_say("%.*s", (int)(end - line), line);
  begin_changes(entries);
  entries->is_whole = false;
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

void screen_draw(screen *self) {
  if (self->kind == LIST) draw_list(self);
  if (self->kind == PAGE) draw_page(&self->shown);
  if (self->kind == SIGN_IN) draw_sign_in(&self->shown);
  if (self->kind == IDEA) lines_say("* %s", self->shown.text);
  if (self->kind == CONFIRM) lines_say("%s (confirm, refuse)", self->shown.text);
  if (self->kind == GUIDE) lines_say("%s (understood)", self->shown.text);
  if (self->kind == DRAWER) lines_say("= %s", self->shown.text);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The screens: which value is shown where, and how it looks. */

#include "app.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const screen_names[KINDS] = {"DiaryList", "DiaryPage", "Confirm", "SignIn", "Drawer"};

/* Values ----------------------------------------------------------------------------------------- */

static void show_text(void *place, const mainstem_event *event) {
  snprintf(place, TEXT, "%s", mainstem_text(event));
}
static void show_number(void *place, const mainstem_event *event) {
  *(int64_t *)place = mainstem_integer(event);
}
static void show_bool(void *place, const mainstem_event *event) {
  *(bool *)place = mainstem_bool(event);
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
                           {LIST, "guide", show_text, AT(guide)},
                           {LIST, "rows", show_rows, 0},
                           {PAGE, "id", show_number, AT(id)},
                           {PAGE, "day", show_text, AT(day)},
                           {PAGE, "text", show_text, AT(text)},
                           {PAGE, "problem", show_text, AT(problem)},
                           {PAGE, "isEdited", show_bool, AT(is_edited)},
                           {PAGE, "save.error", show_text, AT(save_error)},
                           {PAGE, "delete.error", show_text, AT(delete_error)},
                           {CONFIRM, "text", show_text, AT(question)},
                           {SIGN_IN, "nickname", show_text, AT(nickname)},
                           {SIGN_IN, "hint", show_text, AT(hint)},
                           {SIGN_IN, "signIn.error", show_text, AT(sign_in_error)},
                           {DRAWER, "summary", show_text, AT(summary)}};

/* What view models say --------------------------------------------------------------------------- */

static void hear(void *ear, const mainstem_event *event) {
  const struct ear *self = ear;
  app_wish(self->app, self->kind, mainstem_integer(event));
}

static void print_alert(void *ear, const mainstem_event *event) {
  (void)ear;
  printf("! %.*s\n", (int)event->size, (const char *)event->data);
}

static const struct {
  kind kind;
  const char *name;
  wish_kind wish;
} pulses[] = {{LIST, "picked", PICKED},
              {LIST, "writePressed", WRITE_PRESSED},
              {LIST, "menuPressed", MENU_PRESSED},
              {PAGE, "deletePressed", DELETE_PRESSED},
              {PAGE, "closePressed", CLOSE_PRESSED},
              {PAGE, "isGone", GONE},
              {CONFIRM, "answered", ANSWERED},
              {SIGN_IN, "signedIn", SIGNED_IN},
              {DRAWER, "signedOut", SIGNED_OUT},
              {DRAWER, "signInPressed", SIGN_IN_PRESSED}};

/* Binding ---------------------------------------------------------------------------------------- */

static mainstem_binding *bind_to(screen *self, mainstem_context *owner, const char *name,
                                 mainstem_event_fn show, void *place) {
  mainstem_binding_row row = {name, show};
  mainstem_binding *binding = NULL;
  mainstem_binding_add(self->window, owner, &row, sizeof row, 1, place, NULL, &binding);
  return binding;
}

void screen_bind(app *app, screen *self, mainstem_context *owner) {
  for (const tie *each = ties; each < ties + sizeof ties / sizeof ties[0]; each++)
    if (each->kind == self->kind)
      self->view = bind_to(self, owner, each->name, each->show, (char *)&app->shown + each->place);
  for (size_t index = 0; index < sizeof pulses / sizeof pulses[0]; index++) {
    struct ear *ear = &app->ears[pulses[index].wish];
    *ear = (struct ear){app, pulses[index].wish};
    if (pulses[index].kind == self->kind) bind_to(self, owner, pulses[index].name, hear, ear);
  }
  if (self->kind == LIST) bind_to(self, owner, "alertMessage", print_alert, NULL);
}

/* Drawing ---------------------------------------------------------------------------------------- */

typedef struct row {
  int64_t id;
  label day, title;
} row;

static void row_id(void *self, const mainstem_event *e) { ((row *)self)->id = mainstem_integer(e); }
static void row_day(void *self, const mainstem_event *e) { show_text(((row *)self)->day, e); }
static void row_title(void *self, const mainstem_event *e) { show_text(((row *)self)->title, e); }
static const mainstem_binding_row row_rows[] = {
    {"id", row_id}, {"day", row_day}, {"title", row_title}};

static void print_line(const char *line) {
  if (*line) puts(line);
}

static void draw_list(app *app, const screen *self) {
  row row = {0};
  mainstem_binding *view = NULL;
  puts(app->shown.title);
  mainstem_binding_add(self->window, NULL, row_rows, sizeof row_rows[0], 3, &row, NULL, &view);
  for (long place = 0; place < app->shown.count; place++) {
    mainstem_context *owner = NULL;
    mainstem_scope_find(app->context, app->shown.rows[place], &owner, NULL);
    mainstem_binding_point(view, owner); /* one view for all rows, as each is drawn only once */
    printf("%4lld %s %s\n", (long long)row.id, row.day, row.title);
  }
  mainstem_binding_end(view);
  print_line(app->shown.footer);
  print_line(app->shown.guide);
}

static void draw_page(const shown *shown) {
  if (shown->id) printf("%lld", (long long)shown->id);
  else printf("A new entry");
  if (*shown->day) printf(" %s", shown->day);
  puts(shown->is_edited ? " (edited)" : "");
  puts(shown->text);
  print_line(shown->problem);
  print_line(shown->save_error);
  print_line(shown->delete_error);
}

static void draw_sign_in(const shown *shown) {
  printf("Who is it? [%s]\n", shown->nickname);
  print_line(shown->hint);
  print_line(shown->sign_in_error);
}

void screen_draw(app *app, const screen *self) {
  if (self->kind == LIST) draw_list(app, self);
  if (self->kind == PAGE) draw_page(&app->shown);
  if (self->kind == CONFIRM) printf("%s (confirm, refuse)\n", app->shown.question);
  if (self->kind == SIGN_IN) draw_sign_in(&app->shown);
  if (self->kind == DRAWER) printf("= %s\n", app->shown.summary);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What it shows ---------------------------------------------------------------------------------- */

static void put(char *place, const mainstem_event *event) {
  snprintf(place, TEXT, "%s", mainstem_value_text(event));
}

static void show_username(void *self, const mainstem_event *e) {
  put(((screen *)self)->username, e);
}
static void show_avatar(void *self, const mainstem_event *e) {
  pictures_say(((screen *)self)->avatar, TEXT, e);
}
static void show_problem(void *self, const mainstem_event *e) { put(((screen *)self)->problem, e); }
static void show_name(void *self, const mainstem_event *e) { put(((screen *)self)->full_name, e); }
static void show_loading(void *self, const mainstem_event *e) {
  put(((screen *)self)->loading_row, e);
}
static void show_error(void *self, const mainstem_event *e) { put(((screen *)self)->error, e); }

static void enable_go(void *self, const mainstem_event *e) {
  ((screen *)self)->can_go = mainstem_event_bool(e);
}
static void fade_go(void *self, const mainstem_event *e) {
  ((screen *)self)->alpha = mainstem_event_number(e);
}
static void spin(void *self, const mainstem_event *e) {
  ((screen *)self)->is_loading = mainstem_event_bool(e);
}

static void show_cells(void *user_data, const mainstem_event *event) {
  screen *self = user_data;
  uint64_t first = self->count > 0 ? self->cells[0] : 0;
  mainstem_list_row row;
  size_t count = 0;
  mainstem_list_count(event, &count);
  self->cells = realloc(self->cells, count * sizeof *self->cells + 1);
  for (size_t i = 0; i < count && mainstem_list_row_get(event, i, &row) == MAINSTEM_OK; i++)
    memcpy(&self->cells[i], row.data, sizeof self->cells[i]);
  self->count = (long)count;
  bool is_same = self->count > 0 && self->cells[0] == first;
  screen_move(self, is_same ? 0 : -self->selected); /* another list: to its top */
}

static void row_avatar(void *self, const mainstem_event *e) {
  pictures_say(((row *)self)->avatar, TEXT, e);
}
static void row_picture(void *self, const mainstem_event *e) {
  pictures_say(((row *)self)->picture, TEXT, e);
}
static void row_about(void *self, const mainstem_event *e) { put(((row *)self)->about, e); }
static void row_problem(void *self, const mainstem_event *e) { put(((row *)self)->problem, e); }
static void row_author(void *self, const mainstem_event *e) { put(((row *)self)->author, e); }
static void row_text(void *self, const mainstem_event *e) { put(((row *)self)->text, e); }

static void show_face(void *self, const mainstem_event *e) {
  pictures_say(((screen *)self)->face, TEXT, e);
}
static void show_face_problem(void *self, const mainstem_event *e) {
  put(((screen *)self)->face_problem, e);
}
static void show_person(void *self, const mainstem_event *e) { put(((screen *)self)->name, e); }
static void show_nick(void *self, const mainstem_event *e) { put(((screen *)self)->nick, e); }
static void show_about(void *self, const mainstem_event *e) { put(((screen *)self)->about, e); }
static void show_followers(void *self, const mainstem_event *e) {
  put(((screen *)self)->followers, e);
}

static const mainstem_binding_row lookup_rows[] = {
    {"username", show_username, 0}, {"go.enabled", enable_go, 0},
    {"goAlpha", fade_go, 0},        {"isLoading", spin, 0},
    {"avatar", show_avatar, 0},     {"fullName", show_name, 0},
    {"cells", show_cells, 0},       {"loadingRow", show_loading, 0},
    {"go.error", show_error, 0},    {"pictureProblem", show_problem, 0}};
static const mainstem_binding_row cell_rows[] = {
    {"avatar", row_avatar, 0},      {"author", row_author, 0},
    {"text", row_text, 0},          {"picture", row_picture, 0},
    {"pictureAbout", row_about, 0}, {"pictureProblem", row_problem, 0}};
static const mainstem_binding_row profile_rows[] = {
    {"avatar", show_face, 0},     {"pictureProblem", show_face_problem, 0},
    {"fullName", show_person, 0}, {"name", show_nick, 0},
    {"about", show_about, 0},     {"followers", show_followers, 0}};

/* What it tells ---------------------------------------------------------------------------------- */

void screen_type(screen *self, const char *username) {
  mainstem_binding_set(self->lookup, "username", username, strlen(username));
}

/* What is off does nothing: the run is refused. So is that of a cell which has ended. */
static void run(mainstem_binding *view, const char *command) {
  mainstem_binding_run(view, command, NULL, 0, NULL, NULL, NULL, NULL);
}

void screen_go(screen *self) { run(self->lookup, "go"); }

bool screen_load_more(screen *self) {
  if (!self->is_reached ||
      mainstem_binding_run(self->lookup, "loadMore", NULL, 0, NULL, NULL, NULL, NULL))
    return false; /* or that is all, or it is under way */
  self->is_reached = false;
  return true;
}

static mainstem_context *found(screen *self, uint64_t number) {
  mainstem_context *owner = NULL;
  mainstem_scope_find(self->window, number, &owner, NULL);
  return owner;
}

static bool has(const uint64_t *numbers, uint64_t number) {
  for (long place = 0; place < ROWS; place++)
    if (numbers[place] == number) return true;
  return false;
}

/* Has the rows show what is in sight. What comes into sight asks for its pictures; what goes out cancels them. */
static void fill(screen *self) {
  uint64_t before[ROWS], now[ROWS] = {0};
  for (long place = 0; place < ROWS; place++) {
    before[place] = self->rows[place].number;
    if (place < self->height && self->top + place < self->count)
      now[place] = self->cells[self->top + place];
  }
  for (long place = 0; place < ROWS; place++)
    if (before[place] && !has(now, before[place])) run(self->rows[place].cell, "disappear");
  for (long place = 0; place < ROWS; place++) {
    row *each = &self->rows[place];
    each->number = now[place];
    if (now[place] != before[place])
      mainstem_binding_retarget(each->cell, now[place] ? found(self, now[place]) : NULL);
    if (now[place] && !has(before, now[place])) run(each->cell, "appear");
  }
}

void screen_move(screen *self, long by) {
  self->selected += by;
  if (self->selected >= self->count) self->selected = self->count - 1;
  if (self->selected < 0) self->selected = 0;
  if (self->top > self->selected) self->top = self->selected;
  if (self->top <= self->selected - self->height) self->top = self->selected - self->height + 1;
  fill(self);
  self->is_reached = self->top + self->height >= self->count;
}

void screen_resize(screen *self, long height) {
  self->height = height < 1 ? 1 : height < ROWS ? height : ROWS;
  screen_move(self, 0);
}

static void show_profile(void *user_data, const mainstem_event *event) {
  screen *self = user_data;
  if (event->status) return;
  mainstem_binding_retarget(self->person, found(self, (uint64_t)mainstem_event_integer(event)));
  run(self->person, "appear");
  self->is_profile = true;
}

void screen_open_profile(screen *self) {
  if (self->count == 0) return;
  mainstem_binding_run(self->rows[self->selected - self->top].cell, "profile", NULL, 0,
                       show_profile, self, NULL, NULL);
}

void screen_close_profile(screen *self) {
  self->is_profile = false;
  run(self->person, "disappear");
  mainstem_binding_retarget(self->person, NULL);
}

static void close_profile(void *self) { screen_close_profile(self); }

void screen_retry(screen *self) {
  if (*self->problem) run(self->lookup, "appear");
  if (self->is_profile && *self->face_problem) run(self->person, "appear");
  for (row *each = self->rows; each < self->rows + ROWS; each++)
    if (each->number && *each->problem) run(each->cell, "appear");
}

const char *screen_picture(const char *picture, const char *problem) {
  return *picture ? picture : *problem ? "[no picture]" : "[…]";
}

/* Opening ---------------------------------------------------------------------------------------- */

static void opened(void *user_data, const mainstem_event *event) {
  screen *self = user_data;
  mainstem_context *lookup =
      event->status ? NULL : found(self, (uint64_t)mainstem_event_integer(event));
  mainstem_binding_add(self->window, lookup, MAINSTEM_ROWS(lookup_rows), self, NULL, &self->lookup);
}

/* In a replay, what was opened in the session is shown. Of what the session has never done, there is no type. */
static void notice(void *self, const mainstem_event *event) {
  mainstem_type_info type = {.size = sizeof type};
  mainstem_type_read(event->context, event->type, &type);
  if (!strcmp(type.name, "ResponseOpen.Lookup")) opened(self, event);
  else if (!strcmp(type.name, "TweetCell.profile.done")) show_profile(self, event);
  else if (!strcmp(type.name, "Profile.disappear")) close_profile(self);
}

mainstem_status screen_open(screen *self, mainstem_context *app, const char *site) {
  memset(self, 0, sizeof *self);
  self->height = 5;
  mainstem_scope_add(app, "Window", NULL, &self->window);
  for (row *each = self->rows; each < self->rows + ROWS; each++)
    mainstem_binding_add(self->window, NULL, MAINSTEM_ROWS(cell_rows), each, NULL, &each->cell);
  mainstem_binding_add(self->window, NULL, MAINSTEM_ROWS(profile_rows), self, NULL, &self->person);
  mainstem_binding_on_ended(self->person, close_profile, self);
  if (!site) return mainstem_observe(self->window, MAINSTEM_TYPE_ANY, notice, self, NULL, NULL);
  return mainstem_instance_open(self->window, "Lookup", site, strlen(site), opened, self, NULL);
}

void screen_free(screen *self) { free(self->cells); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How the screen looks, from 20 columns and 5 lines on. */

#include "screen.h"

#include "lines.h"

#include <inttypes.h>
#include <limits.h>

static int put(int line, int column, style style, const char *text) {
  return text ? terminal_put(line, column, COLS, style, text, strlen(text)) : 0;
}

/* The columns of a text. */
static int width_of(const char *text) {
  size_t bytes;
  return terminal_measure(text, strlen(text), INT_MAX, &bytes);
}

/* Draws a text that ends in a line, above which it covers as many lines as it needs. */
static void put_whole(int line, style style, const char *text) {
  int first = line - (width_of(text) - 1) / COLS;
  for (first = first < 1 ? 1 : first; first < line; first++) {
    size_t bytes;
    terminal_measure(text, strlen(text), COLS, &bytes);
    terminal_fill(first, PLAIN);
    terminal_put(first, 0, COLS, style, text, bytes);
    text += bytes;
  }
  put(line, 0, style, text);
}

/* The line at the top: the list, and at its right what goes on. */

static void write_session(const screen *self, FILE *to) {
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay_info_read(self->host->session, &info);
  if (COLS >= 60) fprintf(to, "#%" PRIu64 " of %" PRIu64 " ", info.position, info.last);
  if (self->is_played) fprintf(to, "ended");
  else if (self->is_paused) fprintf(to, "paused");
  else if (self->speed > 0 && self->speed < 1) fprintf(to, "1/%g×", 1 / self->speed);
  else if (self->speed > 0) fprintf(to, "%g×", self->speed);
  else fprintf(to, "at once");
}

static bool is_recorded(const screen *self) { /* false: it has stopped */
  mainstem_journal_stats stats = {.size = sizeof stats};
  return !mainstem_journal_stats_read(self->host->view, &stats) && !stats.status;
}

/* Draws a sign to the left of a column, which it returns anew. */
static int put_sign(int column, style style, const char *text) {
  int at = column - width_of(text);
  put(0, at, style, text);
  return at - 1;
}

static int draw_signs(const screen *self) {
  char text[64] = "";
  uint64_t reading = 0;
  mainstem_event_type read = 0;
  int column = COLS;
  bool is_wide = COLS >= 40;
  if (self->host->is_recorded)
    column = is_recorded(self) ? put_sign(column, RECORDING, is_wide ? "● rec" : "●")
                               : put_sign(column, FAILED, "not recorded");
  mainstem_type_find(self->host->view, "RequestTodoViewModels", &read);
  mainstem_request_count(self->host->view, read, &reading);
  if (self->host->session) {
    FILE *to = fmemopen(text, sizeof text - 1, "w");
    write_session(self, to);
    fclose(to);
    column = put_sign(column, WAITING, text);
  } else if (self->open) column = put_sign(column, WAITING, reading ? "Loading …" : "Saving …");
  return column;
}

static void draw_head(screen *self) {
  const pane *pane = screen_pane(self);
  char place[64];
  int right = draw_signs(self), column = 0;
  const char *id = screen_text(self->list, "id");
  const char *line = screen_text(self->list, self->is_deleted ? "deletedSummary" : "summary");
  snprintf(place, sizeof place, "%zu/%zu", pane->selected + 1, pane->count);
  if (COLS >= 40 && pane->count) right = put_sign(right, DIM, place);
  if (COLS >= 30 && id) column = terminal_put(0, 0, right, BOLD, id, strlen(id)) + 1;
  if (line) terminal_put(0, column, right - column, PLAIN, line, strlen(line));
}

/* The list. */

static void draw_row(const mainstem_list_row *row, int line, bool is_selected) {
  json_t *value = json_loadb(row->data, row->size, JSON_ALLOW_NUL, NULL);
  json_t *title = json_object_get(value, "title");
  bool is_complete = json_is_true(json_object_get(value, "complete"));
  const char *subtitle = screen_text(value, "subtitle");
  style look = is_selected ? REVERSE : is_complete ? DIM : PLAIN;
  int room = COLS;
  if (is_selected) terminal_fill(line, REVERSE);
  if (COLS >= 60 && subtitle) {
    int width = width_of(subtitle);
    room = COLS - width - 2;
    terminal_put(line, COLS - width, width, is_selected ? REVERSE : DIM, subtitle,
                 strlen(subtitle));
  }
  put(line, 0, look, is_complete ? "[x] " : "[ ] ");
  terminal_put(line, 4, room - 4, look, json_string_value(title), json_string_length(title));
  json_decref(value);
}

/* Scrolls as little as is needed for the selected row to be seen. */
static void fit(pane *self, int height) {
  self->height = height > 0 ? (size_t)height : 0;
  if (self->top + self->height > self->count)
    self->top = self->count > self->height ? self->count - self->height : 0;
  if (self->selected < self->top) self->top = self->selected;
  if (self->height && self->selected >= self->top + self->height)
    self->top = self->selected - self->height + 1;
}

static void draw_list(screen *self, int first, int height) {
  mainstem_list_row row;
  pane *pane = screen_pane(self);
  fit(pane, height);
  for (size_t line = 0; line < pane->height; line++)
    if (screen_row(pane, pane->top + line, &row))
      draw_row(&row, first + (int)line, pane->top + line == pane->selected);
}

/* The edit, above the list. */

enum { LABEL = 10, EDIT_LINES = 4 };

static void draw_edit(const screen *self, int line, int *cursor_line, int *cursor_column) {
  static const char *const labels[] = {"Title", "Subtitle", "Priority"};
  const char *error = screen_text(self->detail, "error");
  for (int i = 0; i < FIELDS; i++) {
    int cursor = LABEL;
    put(line + i, 0, i == self->place ? BOLD : PLAIN, labels[i]);
    if (i == PRIORITY) put(line + i, LABEL, PLAIN, screen_text(self->detail, "priority"));
    else cursor = field_draw(&self->edited[i], line + i, LABEL, COLS - LABEL);
    if (i == self->place) *cursor_line = line + i, *cursor_column = cursor;
  }
  line += FIELDS;
  if (self->problem) put(line, 0, FAILED, self->problem);
  else if (error) put(line, 0, FAILED, error);
  else if (self->message && line == LINES - 1) put(line, 0, FAILED, self->message);
  else put(line, 0, DIM, self->host->session ? "" : "Enter saves, Esc cancels");
}

/* The line at the bottom. */

static const char *hint(const screen *self) {
  if (self->is_quitting) return "Quits when everything is saved; q again: at once";
  if (self->host->session) return "? help  Space pause  s step  +/- speed  q quit";
  if (self->is_deleted) return "? help  r restore  p purge  Tab back  q quit";
  return "? help  n new  Space done  Enter edit  d delete  u undo  Tab deleted  q quit";
}

static void draw_foot(const screen *self, int line, int *cursor_line, int *cursor_column) {
  if (self->mode == PURGING) {
    json_t *row = json_loads(self->purged, JSON_ALLOW_NUL, NULL),
           *title = json_object_get(row, "title");
    int column = put(line, 0, BOLD, "Purge? y: yes  ");
    terminal_put(line, column, COLS, PLAIN, json_string_value(title), json_string_length(title));
    json_decref(row);
  } else if (self->message) put_whole(line, FAILED, self->message);
  else if (self->mode == NAMING || self->mode == SEEKING) {
    int column = put(line, 0, BOLD, self->mode == NAMING ? "List: " : "Find: ");
    *cursor_line = line;
    *cursor_column = field_draw(&self->name, line, column, COLS - column);
  } else put(line, 0, DIM, hint(self));
}

/* The help. */

static void draw_help(screen *self) {
  size_t height = LINES > 1 ? (size_t)LINES - 1 : 1;
  size_t last = screen_command_count > height ? screen_command_count - height : 0;
  if (self->help_top > last) self->help_top = last;
  for (size_t line = 0; line < height && self->help_top + line < screen_command_count; line++) {
    const command *each = &screen_commands[self->help_top + line];
    put((int)line, 0, BOLD, each->name);
    put((int)line, 12, PLAIN, each->text);
  }
  put(LINES - 1, 0, DIM, last ? "Up, Down; q: back" : "q: back");
}

void screen_draw(screen *self) {
  int first = LINES >= 3, foot = LINES - 1, line = -1, column = 0;
  bool is_edited = self->detail && self->mode == LISTING;
  terminal_clear();
  if (self->mode == HELPING) draw_help(self);
  else {
    if (first) draw_head(self);
    if (is_edited) draw_edit(self, first, &line, &column);
    if (is_edited) first += EDIT_LINES;
    draw_list(self, first, foot - first);
    if (!is_edited || first <= foot) draw_foot(self, foot, &line, &column);
  }
  terminal_show(line, column);
}

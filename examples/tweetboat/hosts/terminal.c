// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The screen in a terminal: draws what is shown, and tells which key was pressed. */

#define _XOPEN_SOURCE_EXTENDED 1

#include "lines.h"
#include "screen.h"

#include <ncurses.h>
#include <termios.h>
#include <unistd.h>

enum { HEAD = 4, FOOT = 3, LINES_PER_ROW = 2, INTERRUPT = 3, ENTER = '\n', DELETE = 127 };

static bool is_typing = true; /* in the field; else in the list */

static void put(int line, int column, int attributes, const char *text) {
  wchar_t wide[TEXT];
  char shown[TEXT] = "";
  FILE *to = fmemopen(shown, TEXT - 1, "w");
  lines_write(to, text);
  fclose(to);
  size_t count = mbstowcs(wide, shown, TEXT);
  if (count == (size_t)-1 || column >= COLS) return;
  attrset(attributes);
  mvaddnwstr(line, column, wide, COLS - column);
  attrset(0);
}

static void draw_row(const row *self, int line, bool is_selected) {
  int marked = is_selected && !is_typing ? A_REVERSE : 0;
  put(line, 1, A_BOLD | marked, self->author);
  put(line, 22, A_DIM, screen_picture(self->avatar, self->problem));
  if (*self->about) {
    put(line, 41, A_DIM, screen_picture(self->picture, self->problem));
    put(line, 62, A_DIM, self->about);
  }
  put(line + 1, 3, 0, self->text);
}

static void draw_profile(const screen *self) {
  int line = LINES / 2 - 3, left = COLS / 6;
  for (int i = 0; i < 7; i++) mvhline(line + i, left, ' ' | A_REVERSE, COLS - 2 * left);
  put(line + 1, left + 2, A_REVERSE | A_BOLD, self->name);
  put(line + 1, left + 23, A_REVERSE, screen_picture(self->face, self->face_problem));
  put(line + 2, left + 2, A_REVERSE, self->nick);
  put(line + 4, left + 2, A_REVERSE, self->about);
  put(line + 5, left + 2, A_REVERSE, self->followers);
}

static void draw(const screen *self, const char *help) {
  int line = HEAD;
  erase();
  put(0, 1, A_BOLD, "Whose tweets?");
  put(0, 15, A_UNDERLINE, "                ");
  put(0, 15, A_UNDERLINE, self->username);
  put(0, 33, self->alpha < 1 ? A_DIM : A_REVERSE, " Go ");
  put(0, 39, 0, self->is_loading ? "…" : "");
  put(1, 1, A_BOLD, self->error);
  put(2, 1, A_BOLD, self->full_name);
  if (*self->full_name) put(2, 22, A_DIM, screen_picture(self->avatar, self->problem));
  for (long place = 0; place < self->height && self->top + place < self->count; place++) {
    draw_row(&self->rows[place], line, self->top + place == self->selected);
    line += LINES_PER_ROW;
  }
  if (self->top + self->height >= self->count) put(line, 3, A_DIM, self->loading_row);
  put(LINES - 1, 1, A_DIM, help);
  if (self->is_profile) draw_profile(self);
  move(0, 15 + (int)strlen(self->username));
  curs_set(is_typing && !self->is_profile);
  refresh();
}

/* In the field. */
static void type(screen *self, int key) {
  label name;
  size_t length = strlen(self->username);
  strcpy(name, self->username);
  if (key == ENTER) screen_go(self);
  if (key == ENTER || key == KEY_DOWN || key == '\t') is_typing = false;
  else if ((key == KEY_BACKSPACE || key == DELETE || key == '\b') && length > 0)
    name[length - 1] = 0;
  else if (key > ' ' && key < DELETE && length < 16) name[length] = (char)key, name[length + 1] = 0;
  screen_type(self, name);
}

/* In the list; false: quit. */
static bool choose(screen *self, int key) {
  switch (key) {
  case KEY_UP:
    if (self->selected == 0) is_typing = true;
    screen_move(self, -1);
    break;
  case KEY_DOWN:
    screen_move(self, 1);
    break;
  case KEY_PPAGE:
    screen_move(self, -self->height);
    break;
  case KEY_NPAGE:
    screen_move(self, self->height);
    break;
  case KEY_HOME:
    screen_move(self, -self->count);
    break;
  case KEY_END:
    screen_move(self, self->count);
    break;
  case ENTER:
    screen_open_profile(self);
    break;
  case 'r':
    screen_retry(self);
    break;
  case '/':
  case '\t':
    is_typing = true;
    break;
  case 'q':
    return false;
  }
  return true;
}

static bool press(screen *self, int key) {
  if (key == INTERRUPT) return false;
  if (self->is_profile) {
    screen_close_profile(self);
    return true;
  }
  if (!is_typing) return choose(self, key);
  type(self, key);
  return true;
}

static void begin(void) {
  initscr();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  struct termios modes; /* Ctrl+C is a key: it ends the program as q does */
  if (tcgetattr(STDIN_FILENO, &modes)) return;
  modes.c_cc[VINTR] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

static void fit(screen *self) {
  long height = (LINES - HEAD - FOOT) / LINES_PER_ROW;
  if (height != self->height) screen_resize(self, height);
}

/* A look-up that has failed leaves no list to go through: the keys are the field's again. */
static void return_to_field(const screen *self) {
  if (*self->error && self->count == 0) is_typing = true;
}

void terminal_run(screen *self, http_provider *http) {
  int key;
  bool goes_on = true;
  begin();
  while (goes_on) {
    fit(self);
    screen_load_more(self);
    return_to_field(self);
    draw(self,
         is_typing
             ? "type a name   enter: go   down: the list   ctrl-c: quit"
             : "up, down   enter: who is that?   r: pictures again   /: another name   q: quit");
    http_provider_wait(http, -1, 0);
    while (goes_on && (key = getch()) != ERR) goes_on = press(self, key);
  }
  endwin();
}

/* Plays a session, at its speed. */
static void play(screen *self, mainstem_context *app, playing *session) {
  for (int key = 0; key != 'q' && key != INTERRUPT; key = getch()) {
    bool goes_on = playing_feed(session) == PLAYING_FED;
    mainstem_drain(app, 0, NULL);
    fit(self);
    draw(self, goes_on ? "shown again   q: quit" : "shown again, to its end   q: quit");
    if (!goes_on) timeout(-1);
  }
}

/* Shows a session where another process wants it, until that is behind. */
static void follow(screen *self, mainstem_context *app, playing *session) {
  struct pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {session->follow, POLLIN, 0}};
  for (int key = 0; key != 'q' && key != INTERRUPT; key = getch()) {
    playing_read(session);
    if (session->is_wanted && playing_is_behind(session->replay, session->position)) return;
    if (session->is_wanted) playing_seek(session->replay, session->position);
    session->is_wanted = false;
    mainstem_drain(app, 0, NULL);
    fit(self);
    draw(self, "shown again, where another process wants it   q: quit");
    if (session->has_ended || files[0].revents & ~POLLIN) return;
    poll(files, 2, -1);
  }
}

void terminal_show_again(screen *self, mainstem_context *app, playing *session) {
  static bool has_begun;
  if (!has_begun) begin();
  has_begun = true;
  if (session->follow < 0) play(self, app, session);
  else follow(self, app, session);
  if (!playing_goes_back(session)) endwin();
}

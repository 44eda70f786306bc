// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The full screen in a loop: keys, signals, and what the core has to say. */

#include "screen.h"

#include "lines.h"

#include <poll.h>
#include <signal.h>

/* The selection ----------------------------------------------------------------------------------- */

static void step(screen *self, long rows) {
  screen_select(self, (long)screen_pane(self)->selected + rows);
}
static long page(screen *self) {
  size_t height = screen_pane(self)->height;
  return height > 1 ? (long)height - 1 : 1;
}
static void up(screen *self) { step(self, -1); }
static void down(screen *self) { step(self, 1); }
static void page_up(screen *self) { step(self, -page(self)); }
static void page_down(screen *self) { step(self, page(self)); }
static void first(screen *self) { screen_select(self, 0); }
static void last(screen *self) { screen_select(self, (long)screen_pane(self)->count); }
static void other(screen *self) { screen_see(self, !self->is_deleted); }

/* The list ---------------------------------------------------------------------------------------- */

static void move_up(screen *self) { screen_move(self, -1); }
static void move_down(screen *self) { screen_move(self, 1); }
static void reload(screen *self) { screen_read(self, NULL); }
static void help(screen *self) { self->mode = HELPING, self->help_top = 0; }

static void ask_name(screen *self) {
  self->mode = NAMING;
  field_set(&self->name, "", 0);
}

static void ask_text(screen *self) {
  self->mode = SEEKING;
  field_set(&self->name, "", 0);
}

static void ask_purge(screen *self) {
  free(self->purged);
  self->purged = screen_copy_row(self);
  if (self->purged) self->mode = PURGING;
}

/* A second time, it does not wait. */
static void quit(screen *self) {
  self->is_over = self->is_quitting;
  self->is_quitting = true;
}

/* A session that is shown again ------------------------------------------------------------------- */

static void show_end(screen *self, mainstem_status status) {
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay_difference difference = {.size = sizeof difference};
  mainstem_replay_info_read(self->host->session, &info);
  self->is_played = status || info.position >= info.last || info.flags & MAINSTEM_REPLAY_DIFFERS;
  if (info.flags & MAINSTEM_REPLAY_DIFFERS &&
      !mainstem_replay_difference_read(self->host->session, &difference))
    screen_say(self, "The session goes on otherwise: %s", difference.message);
  else if (status) screen_say(self, "The session cannot go on: %s", mainstem_last_error());
}

static void play(screen *self) {
  if (self->is_paused || self->is_played) return;
  show_end(self, mainstem_replay_run(self->host->session, self->speed));
}

static void pause_session(screen *self) {
  self->is_paused = !self->is_paused;
  if (self->is_paused) show_end(self, mainstem_replay_pause(self->host->session));
  else play(self);
}

static void step_session(screen *self) {
  if (!self->is_paused) pause_session(self);
  if (!self->is_played) show_end(self, mainstem_replay_step(self->host->session, 1, NULL));
}

static void set_speed(screen *self, double speed) {
  if (!self->is_paused) mainstem_replay_pause(self->host->session);
  self->speed = speed;
  play(self);
}
static void faster(screen *self) {
  if (self->speed < 4096) set_speed(self, self->speed * 2);
}
static void slower(screen *self) {
  if (self->speed > 1.0 / 64) set_speed(self, self->speed / 2);
}

/* Goes where another process wants it, unless that is behind: then it begins again, in another context. */
static void follow_positions(screen *self) {
  playing *session = self->host->playing;
  playing_read(session);
  if (session->has_ended) self->is_quitting = true;
  if (!session->is_wanted || playing_is_behind(self->host->session, session->position)) return;
  session->is_wanted = false;
  if (!self->is_paused) pause_session(self);
  show_end(self, playing_seek(self->host->session, session->position));
}

/* The keys ---------------------------------------------------------------------------------------- */

#define EACH (HERE | THERE | AGAIN)

const command screen_commands[] = {
    {{KEY_OF(KEY_UP), 'k'}, EACH, up, "Up, k", "the row above"},
    {{KEY_OF(KEY_DOWN), 'j'}, EACH, down, "Down, j", "the row below"},
    {{KEY_OF(KEY_PPAGE), CONTROL('B')}, EACH, page_up, "PageUp", "a page up"},
    {{KEY_OF(KEY_NPAGE), CONTROL('F')}, EACH, page_down, "PageDown", "a page down"},
    {{KEY_OF(KEY_HOME), 'g'}, EACH, first, "Home, g", "the first row"},
    {{KEY_OF(KEY_END), 'G'}, EACH, last, "End, G", "the last row"},
    {{' ', 't'}, HERE | ROW, screen_toggle, "Space, t", "toggle: done, or to do"},
    {{'n', 'a'}, HERE | THERE, screen_add, "n, a", "add a todo"},
    {{'\n', KEY_OF(KEY_ENTER), 'e'}, HERE | ROW, screen_edit, "Enter, e", "edit the todo"},
    {{'d', KEY_OF(KEY_DC)}, HERE | ROW, screen_delete, "d, Delete", "delete the todo"},
    {{'u', CONTROL('Z')}, HERE | THERE, screen_undo, "u, Ctrl+Z", "undo the last delete"},
    {{'K', ALT_UP}, HERE | ROW, move_up, "K, Alt+Up", "move the todo up"},
    {{'J', ALT_DOWN}, HERE | ROW, move_down, "J, Alt+Down", "move the todo down"},
    {{'\t', 'D'}, EACH, other, "Tab, D", "the deleted todos, or the others"},
    {{'r'}, THERE | ROW, screen_restore, "r", "restore a deleted todo"},
    {{'p'}, THERE | ROW, ask_purge, "p", "purge a deleted todo: it is gone for good"},
    {{'l'}, HERE | THERE, ask_name, "l", "show another list, by its name"},
    {{'/'}, HERE | THERE, ask_text, "/", "find todos by a text; without: all"},
    {{'R', KEY_OF(KEY_F(5))}, HERE | THERE, reload, "R, F5", "read the list again"},
    {{' '}, AGAIN, pause_session, "Space", "of a recorded session: pause, or go on"},
    {{'s', KEY_OF(KEY_RIGHT)}, AGAIN, step_session, "s, Right", "of a recorded session: one step"},
    {{'+', '='}, AGAIN, faster, "+", "of a recorded session: twice as fast"},
    {{'-'}, AGAIN, slower, "-", "of a recorded session: half as fast"},
    {{'?', 'h', KEY_OF(KEY_F(1))}, EACH, help, "?, h, F1", "this help"},
    {{'q'}, EACH, quit, "q, Ctrl+C", "quit, when everything is saved"},
};
const size_t screen_command_count = sizeof screen_commands / sizeof *screen_commands;

static const command *find(int32_t key, unsigned where) {
  for (const command *each = screen_commands; each < screen_commands + screen_command_count; each++)
    for (int i = 0; i < 3; i++)
      if (each->keys[i] && each->keys[i] == key && each->where & where) return each;
  return NULL;
}

static void press_in_list(screen *self, int32_t key) {
  unsigned where = self->host->session ? AGAIN : self->is_deleted ? THERE : HERE;
  const command *found = find(key, where);
  if (found && (!(found->where & ROW) || screen_pane(self)->count)) found->act(self);
  else if (found) screen_say(self, "There is no such row. Press ? for help.");
  else if (self->host->session)
    screen_say(self, "A recorded session takes no input. Press ? for help.");
  else if (find(key, THERE)) screen_say(self, "Only what is deleted. Press Tab to see it.");
  else if (find(key, HERE)) screen_say(self, "Not what is deleted. Press r to restore it, or Tab.");
  else screen_say(self, "This key does nothing here. Press ? for help.");
}

/* In the edit: Tab and arrows go from field to field. */
static void press_in_edit(screen *self, int32_t key) {
  bool is_enter = key == '\n' || key == KEY_OF(KEY_ENTER);
  if (self->host->session) press_in_list(self, key);
  else if (key == ESCAPE) screen_cancel(self);
  else if (is_enter) screen_save(self);
  else if (key == '\t' || key == KEY_OF(KEY_DOWN)) self->place = (self->place + 1) % FIELDS;
  else if (key == KEY_OF(KEY_BTAB) || key == KEY_OF(KEY_UP))
    self->place = (self->place + FIELDS - 1) % FIELDS;
  else if (self->place == PRIORITY &&
           (key == ' ' || key == KEY_OF(KEY_LEFT) || key == KEY_OF(KEY_RIGHT)))
    json_object_set_new(
        self->detail, "priority",
        json_string(strcmp(screen_text(self->detail, "priority"), "high") ? "high" : "normal"));
  else if (self->place != PRIORITY && field_press(&self->edited[self->place], key))
    screen_keep(self);
  else screen_say(self, "Press Enter to save, Esc to cancel, Tab for the next field.");
}

static void press_in_name(screen *self, int32_t key) {
  bool is_enter = key == '\n' || key == KEY_OF(KEY_ENTER);
  if (field_press(&self->name, key)) return;
  if (key == ESCAPE || (is_enter && self->name.size)) self->mode = LISTING;
  if (is_enter && self->name.size) screen_see(self, false), screen_read(self, self->name.text);
  else if (is_enter) screen_say(self, "Type the name of a list, or press Esc.");
  else if (key != ESCAPE) screen_say(self, "Press Enter to show the list, or Esc.");
}

static void press_in_text(screen *self, int32_t key) {
  bool is_enter = key == '\n' || key == KEY_OF(KEY_ENTER);
  if (field_press(&self->name, key)) return;
  if (key == ESCAPE || is_enter) self->mode = LISTING;
  if (is_enter && self->name.size) screen_find(self, self->name.text);
  else if (is_enter) screen_read(self, NULL);
  else if (key != ESCAPE) screen_say(self, "Press Enter to find the text, or Esc.");
}

static void press_in_help(screen *self, int32_t key) {
  if (key == KEY_OF(KEY_DOWN) || key == 'j') self->help_top++;
  else if ((key == KEY_OF(KEY_UP) || key == 'k') && self->help_top) self->help_top--;
  else if (key != KEY_OF(KEY_UP) && key != 'k') self->mode = LISTING;
}

/* What is pasted is text, and no command. */
static int32_t pasted(screen *self, int32_t key) {
  bool is_typed =
      self->mode == NAMING || self->mode == SEEKING || (self->mode == LISTING && self->detail);
  if (key == '\n' || key == '\r' || key == '\t') key = ' ';
  if (key == ' ' && self->place == PRIORITY && self->mode == LISTING) return NO_KEY;
  return is_typed && !self->host->session && key >= ' ' && key < KEY_OF(0) ? key : NO_KEY;
}

void screen_press(screen *self, int32_t key) {
  if (key == PASTE_BEGINS || key == PASTE_ENDS) self->is_pasting = key == PASTE_BEGINS;
  else if (self->is_pasting) key = pasted(self, key);
  if (key == PASTE_BEGINS || key == PASTE_ENDS || key == NO_KEY) return;
  if (self->is_quitting) {
    if (key == 'q') quit(self);
    return;
  }
  screen_say(self, NULL);
  free(self->problem), self->problem = NULL;
  if (self->mode == HELPING) press_in_help(self, key);
  else if (self->mode == NAMING) press_in_name(self, key);
  else if (self->mode == SEEKING) press_in_text(self, key);
  else if (self->mode == PURGING) {
    self->mode = LISTING;
    if (key == 'y') screen_purge(self);
    else screen_say(self, "It stays.");
  } else if (self->detail) press_in_edit(self, key);
  else press_in_list(self, key);
}

/* The loop ---------------------------------------------------------------------------------------- */

enum { CORE, SIGNALS, KEYS, POSITIONS, FILES };

/* Waits for the core, a signal, a key or a position, and does what they say. Returns a signal that asks for the end, or 0. */
static int wait_once(screen *self, struct pollfd files[FILES]) {
  int32_t key;
  int ends = 0;
  if (poll(files, FILES, -1) < 0 && errno != EINTR) lines_fail("poll: ", strerror(errno));
  if (files[SIGNALS].revents) ends = terminal_signal();
  if (files[KEYS].revents)
    while (!self->is_over && (key = terminal_key()) != NO_KEY) screen_press(self, key);
  if (files[KEYS].revents & (POLLHUP | POLLERR | POLLNVAL)) files[KEYS].fd = -1, ends = SIGHUP;
  if (files[POSITIONS].revents) follow_positions(self);
  if (ends) self->is_quitting = true;
  return ends;
}

/* Nothing is saved by a session that is shown again. */
static void count_open(screen *self) {
  if (!self->host->session)
    mainstem_request_count(self->host->view, MAINSTEM_TYPE_ANY, &self->open);
}

bool screen_begin(void) { return terminal_begin(); }

int screen_run(const host *host) {
  static screen self; /* which still gets answers when the context is closed */
  struct pollfd files[FILES] = {[SIGNALS] = {terminal_signals(), POLLIN, 0},
                                [KEYS] = {STDIN_FILENO, POLLIN, 0},
                                [POSITIONS] = {host->playing->follow, POLLIN, 0}};
  bool follows = host->playing->follow >= 0;
  int ends = 0;
  self.host = host;
  self.speed = host->playing->speed < 0 ? 1 : host->playing->speed;
  files[CORE].events = POLLIN;
  mainstem_context_fd(host->view, &files[CORE].fd);
  screen_bind(&self);
  self.is_paused = follows;
  if (follows) follow_positions(&self);
  else if (host->session) play(&self);
  else screen_read(&self, NULL);
  while (!self.is_over && !playing_goes_back(host->playing)) {
    size_t drained = 0;
    mainstem_drain(host->view, 0, &drained);
    if (host->session && !self.is_paused && !self.is_played) show_end(&self, MAINSTEM_OK);
    count_open(&self);
    if (self.is_quitting && !self.open && (!drained || host->session)) break;
    if (self.is_quitting && !self.open) continue;
    screen_draw(&self);
    int asked = wait_once(&self, files);
    if (asked) ends = asked;
  }
  if (!playing_goes_back(host->playing)) terminal_end();
  count_open(&self);
  if (self.is_over && self.open) lines_fail("Not everything was saved", ".");
  screen_end(&self);
  return ends;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A sign-in window of libsignin.so. Without a display it is used by lines: see script.h. */

#include "account.h"
#include "lines.h"
#include "playing.h"
#include "screen.h"
#include "script.h"

#include <glib.h>
#include <mainstem_gtk.h>
#include <signin.h>

static bool is_traced;

static void trace(void *user_data, const char *line) {
  (void)user_data;
  fprintf(stderr, "%s\n", line);
}

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

/* A session that is shown again: in the window, or in lines. */
typedef struct again {
  mainstem_context *context, *view;
  const screen *screen; /* of what was opened in it; NULL: nothing yet */
  bool in_lines;
} again;

static void show_opened(void *data, const mainstem_event *event) {
  again *self = data;
  mainstem_context *form = NULL;
  if (event->status || (self->in_lines && self->screen)) return;
  mainstem_scope_find(self->context, (uint64_t)mainstem_event_integer(event), &form, NULL);
  self->screen = self->in_lines ? lines_open(self->view, form) : window_show(self->view, form);
}

/* Nothing is added but the app and what shows it: the provider's answers are in the journal. */
static mainstem_status open_again(void *data, mainstem_context *context) {
  again *self = data;
  mainstem_event_type type = 0;
  self->context = context;
  if (is_traced) mainstem_trace(context, trace, NULL);
  signin_install(context);
  signin_view(context, "Window", &self->view);
  mainstem_type_find(self->view, "ResponseOpen.SignIn", &type);
  return mainstem_observe(self->view, type, show_opened, self, NULL, NULL);
}

static void close_again(void *data) {
  again *self = data;
  window_empty();
  mainstem_scope_end(self->view);
}

/* What nothing has caused, and answers nothing: a user does something. What was there to see is printed. */
static void notice_user(void *data, const mainstem_event *event) {
  again *self = data;
  bool is_user = event->flags & MAINSTEM_EVENT_OUTSIDE && !event->cause && !event->answers;
  if (is_user && self->screen) self->screen->show();
}

/* Prints a session, in lines, as far as one context takes it. */
static void print_again(playing *session, mainstem_context *context) {
  again self = {.in_lines = true};
  playing_step step;
  mainstem_observe(context, MAINSTEM_TYPE_ANY, notice_user, &self, NULL, NULL);
  mainstem_status status = playing_open(session, context, MAINSTEM_REPLAY_MUTED);
  if (!status) status = open_again(&self, context);
  while (!status && (step = playing_feed(session)) != PLAYING_OVER) {
    mainstem_drain(context, 0, NULL);
    if (step == PLAYING_STAYS && self.screen) self.screen->show();
  }
  if (self.view) mainstem_scope_end(self.view);
}

static mainstem_status print_all(playing *session) {
  mainstem_status failed;
  const char *message;
  do {
    mainstem_context *context;
    mainstem_context_create(NULL, &context);
    print_again(session, context);
    failed = mainstem_context_first_error(context, &message);
    if (failed) fprintf(stderr, "%s\n", message);
    mainstem_context_close(context);
  } while (!failed && playing_goes_back(session));
  return failed;
}

/* Plays a session in the window, until the user closes it. */
static mainstem_status play(playing *session, GMainLoop *loop) {
  again self = {.in_lines = false};
  window_open(loop);
  mainstem_status status = window_play(session, loop, open_again, close_again, &self);
  if (status) fprintf(stderr, "%s\n", mainstem_last_error());
  else g_main_loop_run(loop);
  window_end();
  return status;
}

static const char usage[] =
    "usage: signin [--delay MS] [--record PATH] [--script] [--trace]\n"
    "       signin --replay PATH [--speed FACTOR | --follow FD] [--script]\n";

/* Uses the app: in the window if there is a display, by lines with a script or without one. */
static void use(mainstem_context *context, account *account, const char *journal, bool is_script,
                GMainLoop *loop) {
  mainstem_context *view = NULL, *form = NULL;
  const screen *screen = NULL;
  bool has_window = window_is_possible();
  uint64_t number = 0;
  if (is_traced) mainstem_trace(context, trace, NULL);
  signin_install(context);
  account_install(context, account);
  if (journal) mainstem_journal_record(context, journal, NULL);
  signin_view(context, "Window", &view);
  guint source = mainstem_gtk_attach(context);
  if (!mainstem_context_first_error(context, NULL)) {
    mainstem_instance_open(view, "SignIn", NULL, 0, opened, &number, NULL);
    mainstem_scope_find(context, number, &form, NULL);
    if (has_window) window_open(loop);
    screen = has_window ? window_show(view, form) : lines_open(view, form);
    if (has_window && journal) window_record(context, journal);
    if (is_script || !has_window) script_begin(context, account, screen, loop);
    if (!mainstem_context_first_error(context, NULL)) g_main_loop_run(loop);
  }
  mainstem_scope_end(view); /* and with it the form */
  g_source_remove(source);
  if (screen && has_window) window_end();
}

int main(int count, char **words) {
  account account = {.delay_ms = 800, .mode = 'u'};
  mainstem_context *context;
  const char *message, *journal = NULL;
  playing session = PLAYING;
  bool is_script = false;
  lines_begin();
  mainstem_context_create(NULL, &context);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--script")) is_script = true;
    else if (!strcmp(words[index], "--trace")) is_traced = true;
    else if (!strcmp(words[index], "--delay") && words[index + 1])
      account.delay_ms = (unsigned int)atoi(words[++index]);
    else if (!strcmp(words[index], "--record") && words[index + 1]) journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else return fputs(usage, stderr), 2;
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;

  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  mainstem_status failed = MAINSTEM_OK;
  if (session.path && !is_script && window_is_possible()) failed = play(&session, loop);
  else if (session.path) failed = print_all(&session);
  else use(context, &account, journal, is_script, loop);
  g_main_loop_unref(loop);
  if (!failed) {
    failed = mainstem_context_first_error(context, &message);
    if (failed) fprintf(stderr, "%s\n", message);
  }
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

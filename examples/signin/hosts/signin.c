// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A sign-in window of libsignin.so. Without a display it is used by lines: see script.h. */

#include "account.h"
#include "lines.h"
#include "screen.h"
#include "script.h"

#include <glib.h>
#include <mainstem_gtk.h>
#include <signin.h>

static void trace(void *user_data, const char *line) {
  (void)user_data;
  fprintf(stderr, "%s\n", line);
}

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

/* A session that is shown again. */
typedef struct again {
  mainstem_context *context, *view;
  GMainLoop *loop;
  const screen *screen; /* of what was opened in it; NULL: nothing yet */
} again;

static void show_opened(void *data, const mainstem_event *event) {
  again *self = data;
  mainstem_context *form = NULL;
  if (self->screen || event->status) return;
  mainstem_scope_find(self->context, (uint64_t)mainstem_event_integer(event), &form, NULL);
  self->screen = window_open(self->view, form, self->loop);
  if (self->screen) window_rest();
  else self->screen = lines_open(self->view, form);
}

/* What nothing has caused, and answers nothing: a user does something. What was there to see is printed. */
static void notice_user(void *data, const mainstem_event *event) {
  again *self = data;
  bool is_user = event->flags & MAINSTEM_EVENT_OUTSIDE && !event->cause && !event->answers;
  if (is_user && self->screen) self->screen->show();
}

static void settle(void) {
  while (g_main_context_iteration(NULL, FALSE)) continue;
}

/* In a window as fast as it was, until the user closes it; in lines at once. */
static void show_again(again *self, mainstem_replay *session, double speed, bool is_script) {
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_event_type type = 0;
  uint64_t fed = 1;
  bool in_lines = is_script || !window_is_possible();
  if (in_lines) mainstem_observe(self->context, MAINSTEM_TYPE_ANY, notice_user, self, NULL, NULL);
  mainstem_type_find(self->view, "ResponseOpen.SignIn", &type);
  mainstem_observe(self->view, type, show_opened, self, NULL, NULL);
  if (!in_lines) {
    mainstem_replay_run(session, speed < 0 ? 1 : speed);
    g_main_loop_run(self->loop);
    return;
  }
  while (fed && !mainstem_replay_step(session, 1, &fed)) {
    mainstem_replay_info_read(session, &info);
    lines_pace(speed, info.time);
    settle();
  }
  if (self->screen) self->screen->show();
}

static const char usage[] = "usage: signin [--delay MS] [--record PATH] [--script] [--trace]\n"
                            "       signin --replay PATH [--speed FACTOR] [--script]\n";

int main(int count, char **words) {
  account account = {.delay_ms = 800, .mode = 'u'};
  mainstem_context *context, *view = NULL, *form = NULL;
  const char *message, *journal = NULL;
  uint64_t number = 0;
  mainstem_replay *session = NULL;
  double speed = -1;
  bool is_script = false;
  lines_begin();
  mainstem_context_create(NULL, &context);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--script")) is_script = true;
    else if (!strcmp(words[index], "--trace")) mainstem_trace(context, trace, NULL);
    else if (!strcmp(words[index], "--delay") && words[index + 1])
      account.delay_ms = (unsigned int)atoi(words[++index]);
    else if (!strcmp(words[index], "--record") && words[index + 1]) journal = words[++index];
    else if (!strcmp(words[index], "--replay") && words[index + 1])
      mainstem_replay_open(context, words[++index], NULL, &session);
    else if (!strcmp(words[index], "--speed") && words[index + 1] &&
             lines_speed(words[index + 1], &speed))
      index++;
    else return fputs(usage, stderr), 2;

  signin_install(context);
  account_install(context, &account);
  if (journal) mainstem_journal_record(context, journal, NULL);
  signin_view(context, "Window", &view);
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  guint source = mainstem_gtk_attach(context);
  mainstem_status failed = mainstem_context_first_error(context, &message);
  if (!failed && session) {
    again shown = {.context = context, .view = view, .loop = loop};
    show_again(&shown, session, speed, is_script);
  } else if (!failed) {
    mainstem_instance_open(view, "SignIn", NULL, 0, opened, &number, NULL);
    mainstem_scope_find(context, number, &form, NULL);
    const screen *screen = window_open(view, form, loop);
    if (is_script || !screen)
      script_begin(context, &account, screen ? screen : lines_open(view, form), loop);
    failed = mainstem_context_first_error(context, &message);
    if (!failed) g_main_loop_run(loop);
  }
  mainstem_scope_end(view); /* and with it the form */
  g_source_remove(source);
  g_main_loop_unref(loop);
  failed = mainstem_context_first_error(context, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

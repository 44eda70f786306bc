// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A todo list in a terminal: a full screen, or lines.

#include "host.h"
#include "lines.h"
#include "upload.h"

#include <signal.h>
#include <todostream.h>

static void print(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static const char usage[] =
    "usage: todo [--db PATH] [--patience MS] [--record PATH] [--analytics FILE]\n"
    "            [--trace] [--lines]\n"
    "       todo --describe\n"
    "       todo --replay PATH [--speed FACTOR | --follow FD] [--lines]\n";

/* A trace that is printed into the screen would destroy it. */
static bool has_screen(bool is_traced) {
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !(is_traced && isatty(STDERR_FILENO));
}

/* What is given on the command line. */
typedef struct given {
  todostream_options core;
  const char *journal;
  bool is_traced, is_described, is_lines;
  bool has_screen; /* which stays when a session goes back */
} given;

/* Shows the list, or a session as far as one context takes it. */
static int run(given *self, playing *session) {
  mainstem_context *app = NULL;
  host host = {.playing = session, .is_recorded = self->journal != NULL};
  bool is_good = true;
  int ends = 0;
  mainstem_context_create(NULL, &app);
  if (self->journal) mainstem_journal_record(app, self->journal, NULL);
  if (session->path) playing_open(session, app, MAINSTEM_REPLAY_VERIFY);
  host.session = session->replay;
  if (self->is_traced) mainstem_trace(app, print, stderr);
  todostream_install(app, &self->core, &host.values);
  upload_serve(app);
  if (self->is_described) mainstem_context_describe(app, print, stdout);
  todostream_view(app, "view", &host.view);
  const char *message;
  mainstem_status failed = mainstem_context_first_error(app, &message);
  bool is_used = !failed && !self->is_described;
  self->has_screen = is_used && (self->has_screen || (!self->is_lines && screen_begin()));
  if (self->has_screen) ends = screen_run(&host);
  else if (is_used) lines_run(&host);
  if (!failed) is_good = upload_rest(app);
  failed = mainstem_context_first_error(app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(app);
  if (ends) signal(ends, SIG_DFL), raise(ends);
  return failed != MAINSTEM_OK || !is_good;
}

int main(int count, char **words) {
  given given = {.core = {.size = sizeof given.core, .path = "todo.sqlite"}};
  playing session = PLAYING;
  int code;
  lines_begin();
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) given.is_traced = true;
    else if (!strcmp(words[index], "--describe")) given.is_described = true;
    else if (!strcmp(words[index], "--lines")) given.is_lines = true;
    else if (!strcmp(words[index], "--db") && words[index + 1]) given.core.path = words[++index];
    else if (!strcmp(words[index], "--analytics") && words[index + 1]) {
      given.core.flags = TODOSTREAM_ANALYTICS;
      if (!upload_open(words[++index])) return 1;
    } else if (!strcmp(words[index], "--record") && words[index + 1])
      given.journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      given.core.patience_ms = atoi(words[++index]);
    else return fputs(usage, stderr), 2;
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
  if (session.path && given.core.flags) return fputs(usage, stderr), 2; /* it was uploaded then */
  given.is_lines |= !has_screen(given.is_traced) || session.follow == 0;
  do code = run(&given, &session);
  while (!code && playing_goes_back(&session));
  return code;
}

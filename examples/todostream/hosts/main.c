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
    "       todo --replay PATH [--speed FACTOR] [--lines]\n";

/* A trace that is printed into the screen would destroy it. */
static bool has_screen(bool is_traced) {
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !(is_traced && isatty(STDERR_FILENO));
}

int main(int count, char **words) {
  todostream_options options = {.size = sizeof options, .path = "todo.sqlite"};
  mainstem_replay_options replay = {.size = sizeof replay, .mode = MAINSTEM_REPLAY_VERIFY};
  mainstem_context *app = NULL;
  host host = {.speed = -1};
  bool is_traced = false, is_described = false, is_lines = false, is_good = true;
  int ends = 0;
  lines_begin();
  mainstem_context_create(NULL, &app);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) is_traced = true;
    else if (!strcmp(words[index], "--describe")) is_described = true;
    else if (!strcmp(words[index], "--lines")) is_lines = true;
    else if (!strcmp(words[index], "--db") && words[index + 1]) options.path = words[++index];
    else if (!strcmp(words[index], "--analytics") && words[index + 1]) {
      options.flags = TODOSTREAM_ANALYTICS;
      if (!upload_open(words[++index])) return 1;
    } else if (!strcmp(words[index], "--record") && words[index + 1]) {
      host.is_recorded = true;
      mainstem_journal_record(app, words[++index], NULL);
    } else if (!strcmp(words[index], "--replay") && words[index + 1])
      mainstem_replay_open(app, words[++index], &replay, &host.session);
    else if (!strcmp(words[index], "--speed") && words[index + 1] &&
             lines_speed(words[index + 1], &host.speed))
      index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      options.patience_ms = atoi(words[++index]);
    else return fputs(usage, stderr), 2;
  if (host.session && options.flags) return fputs(usage, stderr), 2; /* it was uploaded then */
  if (is_traced) mainstem_trace(app, print, stderr);
  todostream_install(app, &options, &host.values);
  upload_serve(app);
  if (is_described) mainstem_context_describe(app, print, stdout);
  todostream_view(app, "view", &host.view);
  const char *message;
  mainstem_status failed = mainstem_context_first_error(app, &message);
  bool is_screen = !failed && !is_described && !is_lines && has_screen(is_traced) && screen_begin();
  if (is_screen) ends = screen_run(&host);
  else if (!failed && !is_described) lines_run(&host);
  if (!failed) is_good = upload_rest(app);
  failed = mainstem_context_first_error(app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(app);
  if (ends) signal(ends, SIG_DFL), raise(ends);
  return failed != MAINSTEM_OK || !is_good;
}

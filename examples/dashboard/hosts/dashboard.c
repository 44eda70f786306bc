// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The dashboard in lines: a view of the app in Sources, and nothing else. */

#include "flow.h"
#include "http_provider.h"

#include <dashboard.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Waits until all has come. */
static void settle(mainstem_context *app, http_provider *http) {
  uint64_t waits = 1;
  size_t drained = 1;
  while (waits || drained) {
    mainstem_activity(app, MAINSTEM_TYPE_ANY, &waits);
    if (waits) http_provider_wait(http, -1, -1);
    else mainstem_drain(app, 0, &drained);
  }
}

static void obey(view *window, const char *command, const char *argument) {
  if (!strcmp(command, "find")) view_find(window, argument);
  else if (!strcmp(command, "retry")) view_retry(window);
  else puts("find ID, retry, quit");
}

static void read_lines(view *window, mainstem_context *app, http_provider *http) {
  const char *prompt = isatty(0) ? "dashboard> " : "";
  char *line = NULL;
  size_t capacity = 0;
  settle(app, http);
  view_draw(window);
  while (fputs(prompt, stdout), fflush(stdout), getline(&line, &capacity, stdin) >= 0) {
    line[strcspn(line, "\n")] = 0;
    char *argument = line, *command = strsep(&argument, " ");
    if (!strcmp(command, "quit")) break;
    if (!*command) continue;
    obey(window, command, argument ? argument : "");
    settle(app, http);
    view_draw(window);
  }
  free(line);
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

int main(int count, char **words) {
  view window;
  flow opener;
  mainstem_context *app = NULL;
  http_provider *http = NULL;
  const char *sentence, *site = NULL;
  int64_t patience = 10000;
  setvbuf(stdout, NULL, _IOLBF, 0);
  mainstem_context_create(NULL, &app);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) mainstem_trace(app, trace, stderr);
    else if (!strcmp(words[index], "--record") && words[index + 1])
      mainstem_journal_record(app, words[++index], NULL);
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      patience = atol(words[++index]);
    else site = words[index];
  if (!site)
    return fprintf(stderr, "usage: dashboard [--record PATH] [--trace] [--patience MS] SITE\n"), 2;
  dashboard_install(app, patience);
  http_provider_add(app, &http);
  view_open(&window, app);
  flow_start(&opener, app, &window, site);
  mainstem_status failed = mainstem_context_first_error(app, &sentence);
  if (failed) fprintf(stderr, "%s\n", sentence);
  else read_lines(&window, app, http);
  mainstem_context_close(app);
  return failed != MAINSTEM_OK;
}

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
  *(uint64_t *)number = (uint64_t)mainstem_integer(event);
}

int main(int count, char **words) {
  account account = {.delay_ms = 800, .mode = 'u'};
  mainstem_context *context, *view = NULL, *form = NULL;
  const char *sentence, *journal = NULL;
  uint64_t number = 0;
  bool is_script = false;
  lines_begin();
  mainstem_context_create(NULL, &context);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--script")) is_script = true;
    else if (!strcmp(words[index], "--trace")) mainstem_trace(context, trace, NULL);
    else if (!strcmp(words[index], "--delay") && words[index + 1])
      account.delay_ms = (unsigned int)atoi(words[++index]);
    else if (!strcmp(words[index], "--record") && words[index + 1]) journal = words[++index];
    else
      return fprintf(stderr, "usage: signin [--delay MS] [--record PATH] [--script] [--trace]\n"),
             2;

  signin_install(context);
  account_install(context, &account);
  if (journal) mainstem_journal_record(context, journal, NULL);
  signin_view(context, "Window", &view);
  mainstem_owner_open(view, "SignIn", NULL, 0, opened, &number, NULL);
  mainstem_scope_find(context, number, &form, NULL);

  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  guint source = mainstem_gtk_attach(context);
  const screen *screen = window_open(view, form, loop);
  if (is_script || !screen)
    script_begin(context, &account, screen ? screen : lines_open(view, form), loop);
  mainstem_status failed = mainstem_context_first_error(context, &sentence);
  if (!failed) g_main_loop_run(loop);
  mainstem_scope_end(view); /* and with it the form */
  g_source_remove(source);
  g_main_loop_unref(loop);
  failed = mainstem_context_first_error(context, &sentence);
  if (failed) fprintf(stderr, "%s\n", sentence);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

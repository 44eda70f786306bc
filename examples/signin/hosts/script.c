// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "script.h"

#include "lines.h"

#include <glib-unix.h>

static struct {
  mainstem_context *context;
  account *account;
  const screen *screen;
  GMainLoop *loop;
  char line[256]; /* may have a password: overwritten when it has been read */
} self;

/* Lets the main loop run until nothing is asked any more and all that happened is shown. */
static void settle(uint64_t left) {
  uint64_t open = left;
  while (!mainstem_request_count(self.context, MAINSTEM_TYPE_ANY, &open) && open > left)
    g_main_context_iteration(NULL, TRUE);
  while (g_main_context_iteration(NULL, FALSE)) continue;
}

static void obey(const char *word, const char *rest) {
  if (!strcmp(word, "username") || !strcmp(word, "password")) self.screen->type(word, rest);
  else if (!strcmp(word, "submit") || !strcmp(word, "cancel")) self.screen->press(word);
  else if (!strcmp(word, "account")) self.account->mode = *rest;
  else if (!strcmp(word, "wait")) settle(0);
  else if (!strcmp(word, "show")) self.screen->show();
  else lines_say("unknown: %s", word);
  settle(UINT64_MAX);
}

static void obey_line(void) {
  char *end = strchr(self.line, 0), *rest = self.line + strspn(self.line, " ");
  while (end > self.line && end[-1] == '\r') *--end = 0;
  const char *word = strsep(&rest, " ");
  if (*word) obey(word, rest ? rest : "");
}

/* Byte by byte, so that no line stays in a buffer. Of one that is too long, nothing is obeyed or shown. */
static gboolean read_line(gint input, GIOCondition condition, gpointer data) {
  size_t size = 0;
  ssize_t got;
  char byte;
  (void)condition, (void)data;
  while ((got = read(input, &byte, 1)) == 1 && byte != '\n') {
    if (size < sizeof self.line) self.line[size] = byte;
    size++;
  }
  if (got < 0) lines_fail("standard input: ", strerror(errno));
  if (got == 0 && size == 0) {
    g_main_loop_quit(self.loop);
    return G_SOURCE_REMOVE;
  }
  if (size < sizeof self.line) obey_line(); /* It ends with a zero: it was overwritten. */
  else lines_say("the line is too long");
  for (volatile char *byte = self.line; byte < self.line + sizeof self.line; byte++) *byte = 0;
  return G_SOURCE_CONTINUE;
}

void script_begin(mainstem_context *context, account *account, const screen *screen,
                  GMainLoop *loop) {
  self.context = context;
  self.account = account;
  self.screen = screen;
  self.loop = loop;
  g_unix_fd_add(0, G_IO_IN | G_IO_HUP, read_line, NULL);
}

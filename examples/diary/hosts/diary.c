// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A diary in lines: a view of the app in Sources, and nothing else.

#include "app.h"

#include <diary.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_text(mainstem_binding *view, const char *argument) {
  mainstem_binding_set(view, "text", argument, strlen(argument));
}
static void write_nickname(mainstem_binding *view, const char *argument) {
  if (*argument) mainstem_binding_set(view, "nickname", argument, strlen(argument));
}
static void agree(mainstem_binding *view, const char *argument) {
  bool has_agreed = true;
  (void)argument;
  mainstem_binding_set(view, "hasAgreed", &has_agreed, sizeof has_agreed);
}
static void pick(mainstem_binding *view, const char *argument) {
  int64_t id = atoll(argument);
  mainstem_binding_run(view, "pick", &id, sizeof id, NULL, NULL, NULL, NULL);
}

/* What can be typed on a screen: what takes its argument, and the command that it runs then. */
static const struct command {
  kind kind;
  const char *word;
  void (*take)(mainstem_binding *view, const char *argument);
  const char *run;
} commands[] = {{LIST, "more", NULL, "more"},
                {LIST, "refresh", NULL, "refresh"},
                {LIST, "open", pick, NULL},
                {LIST, "new", NULL, "write"},
                {LIST, "drawer", NULL, "menu"},
                {LIST, "understood", NULL, "understand"},
                {PAGE, "edit", write_text, NULL},
                {PAGE, "save", NULL, "save"},
                {PAGE, "delete", NULL, "askDelete"},
                {PAGE, "list", NULL, "close"},
                {CONFIRM, "confirm", NULL, "confirm"},
                {CONFIRM, "refuse", NULL, "refuse"},
                {SIGN_IN, "agree", agree, NULL},
                {SIGN_IN, "signin", write_nickname, "signIn"},
                {DRAWER, "signout", NULL, "signOut"},
                {DRAWER, "signin", NULL, "signIn"}};
static const struct command *const commands_end = commands + sizeof commands / sizeof commands[0];

static void help(kind kind, bool can_go_back) {
  for (const struct command *each = commands; each < commands_end; each++)
    if (each->kind == kind) printf("%s, ", each->word);
  puts(can_go_back ? "back, quit" : "quit");
}

/* A button that is off does nothing: the run is refused. */
static void run(mainstem_binding *view, const struct command *command, const char *argument) {
  if (command->take) command->take(view, argument);
  if (command->run) mainstem_binding_run(view, command->run, NULL, 0, NULL, NULL, NULL, NULL);
}

static void obey(app *self, const char *word, const char *argument) {
  const screen *top = app_top(self);
  const struct command *found = commands;
  while (found < commands_end && (found->kind != top->kind || strcmp(found->word, word))) found++;
  if (found < commands_end) run(top->view, found, argument);
  else if (!strcmp(word, "back") && self->depth > 1) app_back(self);
  else help(top->kind, self->depth > 1);
}

static void read_lines(app *self) {
  char *line = NULL, *prompt = isatty(0) ? "diary> " : "";
  size_t capacity = 0;
  while (fputs(prompt, stdout), fflush(stdout), getline(&line, &capacity, stdin) >= 0) {
    line[strcspn(line, "\n")] = 0;
    char *argument = line, *word = strsep(&argument, " ");
    if (!strcmp(word, "quit")) break;
    if (!*word) continue;
    obey(self, word, argument ? argument : "");
    app_settle(self);
    screen_draw(self, app_top(self));
  }
  free(line);
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

int main(int count, char **words) {
  static app self;
  const char *sentence, *path = "diary.sqlite", *day = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  mainstem_context_create(NULL, &self.context);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) mainstem_trace(self.context, trace, stderr);
    else if (!strcmp(words[index], "--db") && words[index + 1]) path = words[++index];
    else if (!strcmp(words[index], "--day") && words[index + 1]) day = words[++index];
    else if (!strcmp(words[index], "--record") && words[index + 1])
      mainstem_journal_record(self.context, words[++index], NULL);
    else
      return fprintf(stderr,
                     "usage: diary [--db PATH] [--day YYYY-MM-DD] [--record PATH] [--trace]\n"),
             2;
  diary_install(self.context, 10000);
  diary_store_add(self.context, path, day);
  app_open(&self, LIST, NULL, 0);
  app_settle(&self);
  screen_draw(&self, app_top(&self));
  read_lines(&self);
  mainstem_status failed = mainstem_context_first_error(self.context, &sentence);
  if (failed) fprintf(stderr, "%s\n", sentence);
  mainstem_context_close(self.context);
  return failed != MAINSTEM_OK;
}

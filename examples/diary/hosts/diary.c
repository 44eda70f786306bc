// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// A diary in lines: a view of the app in Sources, and nothing else.

#include "app.h"
#include "lines.h"
#include "playing.h"

#include <diary.h>

static void write_text(screen *self, const char *argument) {
  mainstem_binding_set(self->view, "text", argument, strlen(argument));
}
static void write_nickname(screen *self, const char *argument) {
  if (*argument) mainstem_binding_set(self->view, "nickname", argument, strlen(argument));
}
static void agree(screen *self, const char *argument) {
  bool has_agreed = true;
  (void)argument;
  mainstem_binding_set(self->view, "hasAgreed", &has_agreed, sizeof has_agreed);
}
static void pick(screen *self, const char *argument) {
  int64_t id = atoll(argument);
  mainstem_binding_run(self->view, "pick", &id, sizeof id, NULL, NULL, NULL, NULL);
}
static void show_all(screen *self, const char *argument) {
  (void)argument;
  self->entries.is_whole = true;
}

/* What can be typed on a screen: what takes its argument, and the command that it runs then. */
static const struct command {
  kind kind;
  const char *word;
  void (*take)(screen *self, const char *argument);
  const char *run;
} commands[] = {{LIST, "more", NULL, "more"},
                {LIST, "refresh", NULL, "refresh"},
                {LIST, "list", show_all, NULL},
                {LIST, "open", pick, NULL},
                {LIST, "new", NULL, "write"},
                {LIST, "drawer", NULL, "menu"},
                {PAGE, "edit", write_text, NULL},
                {PAGE, "save", NULL, "save"},
                {PAGE, "delete", NULL, "askDelete"},
                {PAGE, "list", NULL, "close"},
                {IDEA, "idea", NULL, "another"},
                {CONFIRM, "confirm", NULL, "confirm"},
                {CONFIRM, "refuse", NULL, "refuse"},
                {SIGN_IN, "agree", agree, NULL},
                {SIGN_IN, "signin", write_nickname, "signIn"},
                {GUIDE, "understood", NULL, "understand"},
                {DRAWER, "signout", NULL, "signOut"}};
static const struct command *const commands_end = commands + sizeof commands / sizeof commands[0];

/* A button that is off does nothing: the run is refused. */
static void run(screen *self, const struct command *command, const char *argument) {
  if (command->take) command->take(self, argument);
  if (command->run) mainstem_binding_run(self->view, command->run, NULL, 0, NULL, NULL, NULL, NULL);
}

/* Does what a word stands for on a screen; without a word, names all. */
static bool obey_on(screen *screen, const char *word, const char *argument) {
  for (const struct command *each = commands; each < commands_end; each++) {
    if (each->kind != screen->kind) continue;
    if (!word) printf("%s, ", each->word);
    else if (!strcmp(each->word, word)) return run(screen, each, argument), true;
  }
  return false;
}

static void obey(app *self, const char *word, const char *argument) {
  screen *seen;
  for (int number = 0; (seen = app_seen(self, number)); number++)
    if (obey_on(seen, word, argument)) return;
  if (!strcmp(word, "back") && app_can_go_back(self)) return app_go_back(self);
  for (int number = 0; (seen = app_seen(self, number)); number++) obey_on(seen, NULL, NULL);
  lines_say(app_can_go_back(self) ? "back, quit" : "quit");
}

/* Waits until the store has answered all, and nothing is left to do. */
static void settle(app *self) {
  uint64_t waits = 1;
  size_t drained = 1;
  while (waits || drained) {
    diary_activity(self->context, &waits);
    if (waits) mainstem_wait(self->context, -1);
    else mainstem_drain(self->context, 0, &drained);
  }
}

static void draw(const app *self) {
  screen *seen;
  for (int number = 0; (seen = app_seen(self, number)); number++) screen_draw(seen);
}

static void read_lines(app *self) {
  lines input = {0};
  while (lines_next(&input, "diary> ")) {
    obey(self, input.command, input.argument);
    settle(self);
    draw(self);
  }
  lines_end(&input);
}

/* Draws what a session has shown, each time that something came or went, and where it stays. */
static void replay(app *self, playing *session) {
  playing_step step;
  for (unsigned drawn = 0; (step = playing_feed(session)) != PLAYING_OVER; drawn = self->changes) {
    mainstem_drain(self->context, 0, NULL);
    if (self->changes > drawn || step == PLAYING_STAYS) draw(self);
  }
  mainstem_replay_close(session->replay);
}

static void link_refused(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->status != MAINSTEM_OK && event->status != MAINSTEM_CANCELLED)
    lines_say("! %s", event->user_message);
}

static void use(app *self, const char *path, const char *day, const char *link) {
  mainstem_move move = {.size = sizeof move, .verb = MAINSTEM_MOVE_LINK, .url = link};
  diary_store_add(self->context, path, day);
  mainstem_navigator_open(self->context, "app", NULL, NULL, NULL);
  if (link) mainstem_navigator_move(self->context, &move, link_refused, NULL, NULL);
  mainstem_navigator_ready(self->context);
  settle(self);
  draw(self);
  read_lines(self);
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static const char usage[] = "usage: diary [--db PATH] [--day YYYY-MM-DD] [--link URL] "
                            "[--record PATH] [--trace]\n"
                            "       diary --replay PATH [--speed FACTOR | --follow FD] [--trace]\n";

typedef struct options {
  const char *path, *day, *link, *journal;
  bool is_traced;
} options;

static mainstem_status run_host(const options *given, playing *session) {
  static app self;
  const char *message;
  self = (app){0};
  mainstem_context_create(NULL, &self.context);
  if (given->is_traced) mainstem_trace(self.context, trace, stderr);
  if (given->journal) mainstem_journal_record(self.context, given->journal, NULL);
  if (session->path) playing_open(session, self.context, MAINSTEM_REPLAY_MUTED);
  diary_install(self.context, 10000);
  app_add_stage(&self);
  mainstem_status failed = mainstem_context_first_error(self.context, &message);
  if (!failed && session->path) replay(&self, session);
  else if (!failed) use(&self, given->path, given->day, given->link);
  app_close(&self);
  failed = mainstem_context_first_error(self.context, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(self.context);
  return failed;
}

int main(int count, char **words) {
  options given = {.path = "diary.sqlite"};
  playing session = PLAYING;
  mainstem_status failed;
  lines_begin();
  for (int index = 1; index < count; index++) {
    const char *value = words[index + 1];
    if (!strcmp(words[index], "--trace")) given.is_traced = true;
    else if (!value) return fputs(usage, stderr), 2;
    else if (!strcmp(words[index], "--db")) given.path = words[++index];
    else if (!strcmp(words[index], "--day") && !diary_is_day(value))
      return lines_put(stderr, "--day: there is no day %s; its form is YYYY-MM-DD", value), 2;
    else if (!strcmp(words[index], "--day")) given.day = words[++index];
    else if (!strcmp(words[index], "--link")) given.link = words[++index];
    else if (!strcmp(words[index], "--record")) given.journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else return fputs(usage, stderr), 2;
  }
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
  do failed = run_host(&given, &session);
  while (!failed && playing_goes_back(&session));
  return failed != MAINSTEM_OK;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Tweetboat: a view of the app in Sources, and nothing else. In a terminal, or in lines.

#include "lines.h"
#include "screen.h"

#include <locale.h>
#include <tweetboat.h>

/* Waits until all has come. */
static void settle(screen *self, mainstem_context *app, http_provider *http) {
  uint64_t waits = 1;
  size_t drained = 1;
  while (waits || drained || screen_load_more(self)) {
    mainstem_request_count(app, MAINSTEM_TYPE_ANY, &waits);
    if (waits) http_provider_wait(http, -1, -1);
    else mainstem_drain(app, 0, &drained);
  }
}

static void draw(const screen *self) {
  lines_say("[%s] Go %s %.1f", self->username, self->can_go ? "on" : "off", self->alpha);
  if (*self->full_name)
    lines_say("%s %s", screen_picture(self->avatar, self->problem), self->full_name);
  for (long place = 0; place < self->height && self->top + place < self->count; place++) {
    const row *each = &self->rows[place];
    char mark = self->top + place == self->selected ? '>' : ' ';
    lines_say("%c %s %s: %s", mark, screen_picture(each->avatar, each->problem), each->author,
              each->text);
    if (*each->about)
      lines_say("    %s %s", screen_picture(each->picture, each->problem), each->about);
  }
  if (*self->loading_row && self->top + self->height >= self->count)
    lines_say("%s", self->loading_row);
  if (*self->error) lines_say("%s", self->error);
  if (!self->is_profile) return;
  lines_say("%s %s %s: %s", screen_picture(self->face, self->face_problem), self->name, self->nick,
            self->about);
  lines_say("%s", self->followers);
}

static void obey(screen *self, const char *command, const char *argument) {
  long count = *argument ? atol(argument) : 1;
  if (!strcmp(command, "name")) screen_type(self, argument);
  else if (!strcmp(command, "go")) screen_go(self);
  else if (!strcmp(command, "down")) screen_move(self, count);
  else if (!strcmp(command, "up")) screen_move(self, -count);
  else if (!strcmp(command, "profile")) screen_open_profile(self);
  else if (!strcmp(command, "close")) screen_close_profile(self);
  else if (!strcmp(command, "retry")) screen_retry(self);
  else lines_say("name TEXT, go, down [N], up [N], profile, close, retry, quit");
}

/* Commands from a pipe. */
static void read_lines(screen *self, mainstem_context *app, http_provider *http) {
  lines input = {0};
  while (lines_next(&input, "boat> ")) {
    obey(self, input.command, input.argument);
    settle(self, app, http);
    draw(self);
  }
  lines_end(&input);
}

/* That something comes into sight, or goes out of it, follows what a user does. */
static bool is_look(const mainstem_event *event) {
  static const char *const names[] = {"TweetCell.appear", "TweetCell.disappear", "Profile.appear"};
  mainstem_type_info type = {.size = sizeof type};
  mainstem_type_read(event->context, event->type, &type);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(type.name, names[i])) return true;
  return false;
}

/* What nothing has caused, and answers nothing: a user has done something. */
static void notice_user(void *has_acted, const mainstem_event *event) {
  if (event->flags & MAINSTEM_EVENT_OUTSIDE && !event->cause && !event->answers && !is_look(event))
    *(bool *)has_acted = true;
}

/* Prints a session: what there is to see each time a user did something, and where it stays. */
static void print_again(screen *self, mainstem_context *app, playing *session) {
  static screen before;
  bool has_acted = false;
  playing_step step;
  memset(&before, 0, sizeof before);
  mainstem_observe(app, MAINSTEM_TYPE_ANY, notice_user, &has_acted, NULL, NULL);
  while ((step = playing_feed(session)) != PLAYING_OVER) {
    if ((has_acted || step == PLAYING_STAYS) && before.lookup) draw(&before);
    has_acted = false;
    mainstem_drain(app, 0, NULL);
    before = *self;
  }
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static size_t bytes(const char *text) {
  if (*text && !text[strspn(text, "0123456789")]) return strtoul(text, NULL, 10);
  lines_fail("--cache: how many bytes is ", text);
  return 0;
}

static const char usage[] =
    "usage: boat [--record PATH] [--trace] [--patience MS] [--cache BYTES] SITE\n"
    "       boat --replay PATH [--speed FACTOR | --follow FD]\n";

typedef struct options {
  const char *journal, *site;
  bool is_traced, is_terminal;
  int64_t patience;
  size_t cache;
} options;

static mainstem_status run(const options *given, playing *session) {
  static screen view;
  mainstem_context *app = NULL;
  http_provider *http = NULL;
  const char *message;
  mainstem_context_create(NULL, &app);
  if (given->is_traced) mainstem_trace(app, trace, stderr);
  if (given->journal) mainstem_journal_record(app, given->journal, NULL);
  if (session->path) playing_open(session, app, MAINSTEM_REPLAY_MUTED);
  tweetboat_install(app, given->patience);
  http_provider_add(app, &http);
  pictures_add(app, http, given->cache);
  screen_open(&view, app, session->path ? NULL : given->site);
  mainstem_status failed = mainstem_context_first_error(app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  else if (session->path && given->is_terminal) terminal_show_again(&view, app, session);
  else if (session->path) print_again(&view, app, session);
  else if (given->is_terminal) terminal_run(&view, http);
  else read_lines(&view, app, http);
  if (!failed) {
    failed = mainstem_context_first_error(app, &message);
    if (failed) fprintf(stderr, "%s\n", message);
  }
  mainstem_context_close(app);
  screen_free(&view);
  return failed;
}

int main(int count, char **words) {
  options given = {.patience = 10000};
  playing session = PLAYING;
  mainstem_status failed;
  lines_begin();
  setlocale(LC_CTYPE, "");
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) given.is_traced = true;
    else if (!strcmp(words[index], "--record") && words[index + 1]) given.journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      given.patience = atol(words[++index]);
    else if (!strcmp(words[index], "--cache") && words[index + 1])
      given.cache = bytes(words[++index]);
    else if (given.site || *words[index] == '-') return fputs(usage, stderr), 2;
    else given.site = words[index];
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
  if (!given.site && !session.path) return fputs(usage, stderr), 2;
  given.is_terminal = isatty(0) && isatty(1) && session.follow != 0;
  if (given.is_terminal && session.speed < 0) session.speed = 1;
  do failed = run(&given, &session);
  while (!failed && playing_goes_back(&session));
  return failed != MAINSTEM_OK;
}

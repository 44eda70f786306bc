// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The dashboard in lines: a stage for the app in Sources, and nothing else. */

#include "http_provider.h"
#include "lines.h"
#include "playing.h"
#include "stage.h"

#include <dashboard.h>

typedef struct host {
  mainstem_context *app;
  http_provider *http;
  stage stage;
  mainstem_status closed; /* Why the app has closed; MAINSTEM_OK: it has not. */
  bool has_acted;         /* In a replay: a user has done something. */
} host;

/* Waits until all has come. */
static void settle(host *self) {
  size_t drained = 1;
  while (drained || http_provider_transfers(self->http)) {
    if (http_provider_transfers(self->http)) http_provider_wait(self->http, -1, -1);
    mainstem_drain(self->app, 0, &drained);
  }
  stage_look(&self->stage);
  stage_print(&self->stage);
}

static void obey(host *self, const char *command, const char *argument) {
  if (!strcmp(command, "find")) view_find(&self->stage.views[USERS], argument);
  else if (!strcmp(command, "retry")) view_retry(&self->stage.views[USERS]);
  else if (!strcmp(command, "back")) stage_back(&self->stage);
  else lines_say("find ID, retry, back, quit");
}

static void read_lines(host *self) {
  lines input = {0};
  settle(self);
  while (!self->closed && lines_next(&input, "dashboard> ")) {
    obey(self, input.command, input.argument);
    settle(self);
  }
  lines_end(&input);
}

static void closed(void *user_data, const mainstem_event *event) {
  host *self = user_data;
  self->closed = event->status;
  if (event->status != MAINSTEM_CANCELLED) fprintf(stderr, "%s\n", event->user_message);
}

/* Opens the app: the one URL that a host knows. */
static void open_app(host *self, const char *site) {
  mainstem_route_value value = {"site", site};
  char url[2000];
  if (mainstem_route_write("app", &value, 1, url, sizeof url, NULL)) return;
  mainstem_navigator_open(self->app, url, closed, self, NULL);
  read_lines(self);
}

/* What nothing has caused, and answers nothing: a user has done something. */
static void notice_user(void *user_data, const mainstem_event *event) {
  host *self = user_data;
  if (event->flags & MAINSTEM_EVENT_OUTSIDE && !event->cause && !event->answers)
    self->has_acted = true;
}

/* Prints a session: what there is to see each time a user did something, and where it stays. */
static void print_again(host *self, playing *session) {
  playing_step step;
  mainstem_observe(self->app, MAINSTEM_TYPE_ANY, notice_user, self, NULL, NULL);
  while ((step = playing_feed(session)) != PLAYING_OVER) {
    if (self->has_acted || step == PLAYING_STAYS) stage_print(&self->stage);
    self->has_acted = false;
    mainstem_drain(self->app, 0, NULL);
    stage_look(&self->stage);
  }
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static const char usage[] = "usage: dashboard [--record PATH] [--trace] [--patience MS] SITE\n"
                            "       dashboard --replay PATH [--speed FACTOR | --follow FD]\n";

typedef struct options {
  const char *journal, *site;
  bool is_traced;
  int64_t patience;
} options;

static mainstem_status run(const options *given, playing *session) {
  static host self;
  const char *message;
  self = (host){0};
  mainstem_context_create(NULL, &self.app);
  if (given->is_traced) mainstem_trace(self.app, trace, stderr);
  if (given->journal) mainstem_journal_record(self.app, given->journal, NULL);
  if (session->path) playing_open(session, self.app, MAINSTEM_REPLAY_MUTED);
  dashboard_install(self.app, given->patience);
  http_provider_add(self.app, &self.http);
  stage_add(&self.stage, self.app);
  mainstem_status failed = mainstem_context_first_error(self.app, &message);
  if (!failed && session->path) print_again(&self, session);
  else if (!failed) open_app(&self, given->site);
  failed = mainstem_context_first_error(self.app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(self.app);
  return failed;
}

int main(int count, char **words) {
  options given = {.patience = 10000};
  playing session = PLAYING;
  mainstem_status failed;
  lines_begin();
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) given.is_traced = true;
    else if (!strcmp(words[index], "--record") && words[index + 1]) given.journal = words[++index];
    else if (playing_option(&session, words + index)) index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      given.patience = atol(words[++index]);
    else if (given.site || *words[index] == '-') return fputs(usage, stderr), 2;
    else given.site = words[index];
  if (!playing_is_good(&session)) return fputs(usage, stderr), 2;
  if (!given.site && !session.path) return fputs(usage, stderr), 2;
  do failed = run(&given, &session);
  while (!failed && playing_goes_back(&session));
  return failed != MAINSTEM_OK;
}

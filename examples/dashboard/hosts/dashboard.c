// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The dashboard in lines: a stage for the app in Sources, and nothing else. */

#include "http_provider.h"
#include "lines.h"
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

/* Prints a recorded session again: what there was to see each time a user did something, and at the end. */
static void print_again(host *self, mainstem_replay *replay, double speed) {
  mainstem_replay_info info = {.size = sizeof info};
  uint64_t fed = 0;
  mainstem_observe(self->app, MAINSTEM_TYPE_ANY, notice_user, self, NULL, NULL);
  while (!mainstem_replay_step(replay, 1, &fed) && fed) {
    mainstem_replay_info_read(replay, &info);
    lines_pace(speed, info.time);
    if (self->has_acted) stage_print(&self->stage);
    self->has_acted = false;
    mainstem_drain(self->app, 0, NULL);
    stage_look(&self->stage);
  }
  stage_print(&self->stage);
}

static void trace(void *user_data, const char *line) { fprintf(user_data, "%s\n", line); }

static const char usage[] = "usage: dashboard [--record PATH] [--trace] [--patience MS] SITE\n"
                            "       dashboard --replay PATH [--speed FACTOR]\n";

int main(int count, char **words) {
  static host self;
  mainstem_replay *replay = NULL;
  const char *message, *site = NULL;
  int64_t patience = 10000;
  double speed = 0;
  lines_begin();
  mainstem_context_create(NULL, &self.app);
  for (int index = 1; index < count; index++)
    if (!strcmp(words[index], "--trace")) mainstem_trace(self.app, trace, stderr);
    else if (!strcmp(words[index], "--record") && words[index + 1])
      mainstem_journal_record(self.app, words[++index], NULL);
    else if (!strcmp(words[index], "--replay") && words[index + 1])
      mainstem_replay_open(self.app, words[++index], NULL, &replay);
    else if (!strcmp(words[index], "--speed") && words[index + 1] &&
             lines_speed(words[index + 1], &speed))
      index++;
    else if (!strcmp(words[index], "--patience") && words[index + 1])
      patience = atol(words[++index]);
    else if (site || *words[index] == '-') return fputs(usage, stderr), 2;
    else site = words[index];
  if (!site && !replay) return fputs(usage, stderr), 2;
  dashboard_install(self.app, patience);
  http_provider_add(self.app, &self.http);
  stage_add(&self.stage, self.app);
  mainstem_status failed = mainstem_context_first_error(self.app, &message);
  if (!failed && replay) print_again(&self, replay, speed);
  else if (!failed) open_app(&self, site);
  failed = mainstem_context_first_error(self.app, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(self.app);
  return failed != MAINSTEM_OK;
}

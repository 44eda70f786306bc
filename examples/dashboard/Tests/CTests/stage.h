// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The app on a stage that notes what it is asked, and shows all at once. */

#ifndef STAGE_H
#define STAGE_H

#include "check.h"

#include <dashboard.h>
#include <string.h>

/** A component that was shown: the last one of its kind. */
typedef struct shown {
  uint64_t component, parent, owner;
  char url[2000];
} shown;

typedef struct stage {
  mainstem_context *app;
  char noted[4000]; /* "show screen dashboard\nhide 2\n" … */
  shown dashboard, users;
  mainstem_status closed; /* How the app was closed. */
  int closes;
} stage;

static const char *const kinds[] = {"", "screen", "embed"};

static inline void note(stage *self, const char *line) {
  CHECK(strlen(self->noted) + strlen(line) + 2 < sizeof self->noted);
  strcat(strcat(self->noted, line), "\n");
}

static inline void on_show(void *user_data, const mainstem_event *event) {
  stage *self = user_data;
  mainstem_component_info show = {.size = sizeof show};
  char text[4000], line[3000];
  CHECK(!mainstem_show_read(event, &show, text, sizeof text));
  CHECK(show.kind <= MAINSTEM_EMBED);
  snprintf(line, sizeof line, "show %s %s%s%s", kinds[show.kind], show.url,
           *show.slot ? " in " : "", show.slot);
  note(self, line);
  shown *place = strcmp(show.name, "Dashboard") ? &self->users : &self->dashboard;
  *place = (shown){show.component, show.parent, show.owner, ""};
  snprintf(place->url, sizeof place->url, "%s", show.url);
  mainstem_status status = mainstem_respond(event, NULL, 0);
  CHECK(!status || status == MAINSTEM_STALE); /* The user has gone back meanwhile. */
}

static inline void on_hide(void *user_data, const mainstem_event *event) {
  size_t count = 0;
  char line[40];
  mainstem_hide_read(event, NULL, 0, &count);
  snprintf(line, sizeof line, "hide %zu", count);
  note(user_data, line);
  CHECK(!mainstem_respond(event, NULL, 0));
}

static inline void stage_add(stage *self, mainstem_context *app) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", on_show, 0},
                                              {"MainstemHide", on_hide, 0}};
  *self = (stage){.app = app};
  CHECK(!mainstem_stage_add(app, MAINSTEM_ROWS(rows), self, NULL, NULL));
  CHECK(!mainstem_navigator_ready(app));
}

/* Whether the stage was asked this since the last time. */
static inline int was_noted(stage *self, const char *expected) {
  int is_so = !strcmp(self->noted, expected);
  if (!is_so) fprintf(stderr, "the stage was asked\n%s", self->noted);
  *self->noted = 0;
  return is_so;
}

static inline void on_closed(void *user_data, const mainstem_event *event) {
  stage *self = user_data;
  self->closed = event->status;
  self->closes++;
}

static inline void drain(stage *self) {
  size_t ran = 1;
  while (ran > 0) CHECK(!mainstem_drain(self->app, 0, &ran));
}

/** Opens the app for a site. */
static inline void open_app(stage *self, const char *site) {
  const mainstem_route_value value = {"site", site};
  char url[1000];
  CHECK(!mainstem_route_write("app", &value, 1, url, sizeof url, NULL));
  CHECK(!mainstem_navigator_open(self->app, url, on_closed, self, NULL));
  drain(self);
}

static inline mainstem_context *owner_of(stage *self, const shown *what) {
  mainstem_context *owner = NULL;
  CHECK(!mainstem_scope_find(self->app, what->owner, &owner, NULL));
  return owner;
}

static inline void ignore(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

/** Binds a view to the dashboard. */
static inline mainstem_binding *bind_dashboard(stage *self, mainstem_event_fn fn, void *user_data) {
  const mainstem_binding_row title = {"title", fn, 0};
  mainstem_binding *view = NULL;
  CHECK(!mainstem_binding_add(self->app, owner_of(self, &self->dashboard), &title, sizeof title, 1,
                              user_data, NULL, &view));
  return view;
}

/** Says that the view of the dashboard is there. */
static inline void load(stage *self) {
  mainstem_binding *view = bind_dashboard(self, ignore, NULL);
  CHECK(!mainstem_binding_run(view, "didLoad", NULL, 0, NULL, NULL, NULL, NULL));
  CHECK(!mainstem_binding_end(view));
  drain(self);
}

/** How many components are there. */
static inline size_t components(stage *self) {
  size_t count = 0;
  mainstem_navigator_tree(self->app, NULL, 0, &count);
  return count;
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * An app with routes, and a stage that notes what it is asked for. The transcript has "+URL" for what is shown, "-URL" for
 * what is hidden, "URL=answer" for the answer of a move.
 */

#ifndef STAGE_H
#define STAGE_H

#include "transcript.h"

typedef struct app {
  mainstem_context *context, *stage;
  mainstem_event_type said;
  transcript seen;
  /* The scope of each page that was made, the last one last. */
  mainstem_context *pages[64];
  int made;
  /* What the stage does with the next shows: answers, keeps them, or fails; how often a factory fails. */
  enum { ANSWERS, WAITS, FAILS } shows;
  int failing;
  mainstem_retained *kept;
} app;

/* A move that knows what to note. */
typedef struct asked {
  app *app;
  const char *name;
} asked;

static inline const char *app_name(app *self, uint64_t component, char *text, size_t capacity) {
  mainstem_component_info show = {.size = sizeof show};
  const mainstem_status status =
      mainstem_component_read(self->context, component, &show, text, capacity);
  return status == MAINSTEM_OK ? show.url : "?";
}

/* What the stage knows: the URL of each component that it was asked to show, and whether that has a window. */
static struct {
  uint64_t component;
  char url[64];
  int is_open;
} stage_shown[256];
static size_t stage_count;

static inline const char *stage_url(uint64_t component) {
  for (size_t i = stage_count; i > 0; i--) {
    if (stage_shown[i - 1].component == component) return stage_shown[i - 1].url;
  }
  return "?";
}

/* The window of a component is closed. */
static inline void stage_close(uint64_t component) {
  for (size_t i = 0; i < stage_count; i++) {
    if (stage_shown[i].component == component) stage_shown[i].is_open = 0;
  }
}

static inline void stage_keep(app *self, const mainstem_event *event) {
  mainstem_status status = mainstem_event_retain(event, &self->kept);
  EXPECT(status == MAINSTEM_OK ||
         status == MAINSTEM_NO_MEMORY); /* Then it is not answered, either. */
}

/* An opener may have taken it back already; a journal may have no room, and then the stage is too late. */
static inline void stage_answered(mainstem_status status) {
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE || status == MAINSTEM_NO_SPACE);
}

static inline void stage_show(void *user_data, const mainstem_event *event) {
  app *self = (app *)user_data;
  char text[512];
  mainstem_component_info show = {.size = sizeof show};
  EXPECT_OK(mainstem_show_read(event, &show, text, sizeof text));
  transcript_add(&self->seen, "+%s", show.url);
  EXPECT(stage_count < COUNT(stage_shown));
  stage_shown[stage_count].component = show.component;
  stage_shown[stage_count].is_open = 1;
  snprintf(stage_shown[stage_count++].url, sizeof stage_shown[0].url, "%s", show.url);
  switch (self->shows) {
  case ANSWERS:
    stage_answered(mainstem_respond(event, NULL, 0));
    break;
  case WAITS:
    stage_keep(self, event);
    break;
  case FAILS:
    stage_answered(mainstem_respond_error(event, 1001, "no window"));
    break;
  }
}

static inline void stage_hide(void *user_data, const mainstem_event *event) {
  app *self = (app *)user_data;
  uint64_t components[64];
  size_t count;
  EXPECT_OK(mainstem_hide_read(event, components, COUNT(components), &count));
  for (size_t i = 0; i < count; i++) {
    transcript_add(&self->seen, "-%s", stage_url(components[i]));
    stage_close(components[i]);
  }
  stage_answered(mainstem_respond(event, NULL, 0));
}

static inline mainstem_status app_make(void *user_data, mainstem_context *scope,
                                       const mainstem_event *event) {
  app *self = (app *)user_data;
  if (self->failing > 0) {
    self->failing--;
    return 1002;
  }
  EXPECT(self->made < 64);
  self->pages[self->made++] = scope;
  return MAINSTEM_OK;
}

/* Adds the app to a context, without its stage. */
static inline void app_add_routes(app *self, mainstem_context *context, mainstem_make_fn make) {
  static const mainstem_route_row rows[] = {
      {"home", "Page", MAINSTEM_SCREEN, 0, NULL},
      {"page/<int:id>", "Page", MAINSTEM_SCREEN, 0, NULL},
      {"confirm", "Page", MAINSTEM_DIALOG, 0, NULL},
      {"sheet", NULL, MAINSTEM_PRESENT, 0, NULL},
      {"drawer", NULL, MAINSTEM_OVERLAY, 0, NULL},
      {"users", "Page", MAINSTEM_EMBED, 0, "left"},
      {"map", NULL, MAINSTEM_EMBED, 0, "left"},
      {"compose", NULL, MAINSTEM_GROUP, 0, "sheet  drawer"},
      {"broken", NULL, MAINSTEM_GROUP, 0, "sheet nowhere"},
      {"flow", "Flow", MAINSTEM_FLOW, 0, NULL},
  };
  memset(self, 0, sizeof *self);
  stage_count = 0;
  self->context = context;
  self->said = type_open(self->context, "Said", MAINSTEM_PAYLOAD_TEXT, NULL);
  const mainstem_contract url = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEWMODEL;
  EXPECT_OK(mainstem_factory_add(self->context, "Page", url, app_make, self, NULL));
  EXPECT_OK(mainstem_factory_add(self->context, "Flow", url, make, self, NULL));
  EXPECT_OK(mainstem_routes_add(self->context, rows, sizeof rows[0], COUNT(rows)));
}

static inline void app_add_stage(app *self) {
  static const mainstem_handler_row stage[] = {{"MainstemShow", stage_show, 0},
                                               {"MainstemHide", stage_hide, 0}};
  EXPECT_OK(mainstem_stage_add(self->context, stage, sizeof stage[0], COUNT(stage), self, NULL,
                               &self->stage));
}

/* Adds the app to a context. */
static inline void app_install(app *self, mainstem_context *context, mainstem_make_fn make) {
  app_add_routes(self, context, make);
  app_add_stage(self);
}

static inline void app_open_with(app *self, uint32_t threads, mainstem_make_fn make) {
  app_install(self, CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL), make);
}

static inline void app_open(app *self, uint32_t threads) { app_open_with(self, threads, app_make); }

static inline void app_drain(app *self) {
  size_t ran;
  do {
    EXPECT_OK(mainstem_drain(self->context, 0, &ran));
  } while (ran > 0);
}

static inline void app_answered(void *user_data, const mainstem_event *event) {
  asked *self = (asked *)user_data;
  if (event->status != MAINSTEM_OK) {
    transcript_add(&self->app->seen, "%s=%s", self->name, mainstem_status_name(event->status));
    return;
  }
  mainstem_result result = {.size = sizeof result};
  EXPECT_OK(mainstem_result_read(event, &result));
  EXPECT(result.type == 0 || result.type == self->app->said);
  transcript_add(&self->app->seen, "%s=%.*s", self->name,
                 result.type == 0 ? 2 : (int)result.data_size,
                 result.type == 0 ? "ok" : (const char *)result.data);
}

/* Asks for a move through a scope, without a drain. Its answer is noted under `name`, which is a literal. */
static inline mainstem_pending *app_ask(app *self, mainstem_context *scope,
                                        const mainstem_move *move, const char *name) {
  static asked all[4096];
  static size_t count;
  mainstem_pending *pending;
  asked *one = &all[count++ % COUNT(all)];
  one->app = self;
  one->name = name;
  EXPECT_OK(mainstem_navigator_move(scope, move, app_answered, one, &pending));
  return pending;
}

static inline mainstem_move move_of(uint32_t verb, const char *url, uint64_t component) {
  mainstem_move move = {.size = sizeof move, .verb = verb, .url = url, .component = component};
  return move;
}

/* Opens a URL, drains, and returns the scope of the page that was made last. */
static inline mainstem_context *app_show(app *self, mainstem_context *scope, const char *url) {
  const mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, url, 0);
  app_ask(self, scope, &move, url);
  app_drain(self);
  return self->made > 0 ? self->pages[self->made - 1] : NULL;
}

static inline void app_move(app *self, mainstem_context *scope, uint32_t verb, const char *url,
                            uint64_t component, const char *name) {
  const mainstem_move move = move_of(verb, url, component);
  app_ask(self, scope, &move, name);
  app_drain(self);
}

/* The number of the component with a URL, that was opened last. */
static inline uint64_t app_component(app *self, const char *url) {
  uint64_t components[256], found = 0;
  size_t count;
  char text[512];
  EXPECT_OK(mainstem_navigator_tree(self->context, components, COUNT(components), &count));
  for (size_t i = 0; i < count; i++) {
    if (strcmp(app_name(self, components[i], text, sizeof text), url) == 0) found = components[i];
  }
  return found;
}

/* The tree as "home(page/1(confirm)) drawer"; a "~" before what a screen covers. */
static inline void app_write(app *self, const uint64_t *components, size_t count, uint64_t parent,
                             transcript *out) {
  int any = 0;
  for (size_t i = 0; i < count; i++) {
    char text[512];
    mainstem_component_info show = {.size = sizeof show};
    EXPECT_OK(mainstem_component_read(self->context, components[i], &show, text, sizeof text));
    if (show.parent != parent) continue;
    out->length +=
        (size_t)snprintf(out->text + out->length, sizeof out->text - out->length, "%s%s%s",
                         any           ? " "
                         : parent != 0 ? "("
                                       : "",
                         show.hidden ? "~" : "", show.url);
    any = 1;
    app_write(self, components, count, show.component, out);
  }
  if (any && parent != 0) out->text[out->length++] = ')';
  out->text[out->length] = 0;
}

static inline void app_expect_tree(app *self, const char *wanted, const char *file, int line) {
  static transcript out;
  uint64_t components[256];
  size_t count;
  EXPECT_OK(mainstem_navigator_tree(self->context, components, COUNT(components), &count));
  transcript_clear(&out);
  app_write(self, components, count, 0, &out);
  expect_text(out.text, wanted, file, line, "the tree");
}

/* What has happened since the last time, and what is there. */
#define EXPECT_SEEN(app, wanted)                                                                   \
  do {                                                                                             \
    expect_text((app)->seen.text, wanted, __FILE__, __LINE__, "what was seen");                    \
    transcript_clear(&(app)->seen);                                                                \
  } while (0)
#define EXPECT_TREE(app, wanted) app_expect_tree(app, wanted, __FILE__, __LINE__)

#endif

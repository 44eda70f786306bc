// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A stage in a muted replay draws what the navigator told of its tree; in what comes then, it is a stage like any. */

#include "session.h"
#include "stage.h"

#include <malloc.h>

/* What a program sends that is no navigator. */
static const char forged[] =
    "{\"move\":0,\"top\":1,\"closed\":[],\"component\":1,\"parent\":0,\"owner\":0,"
    "\"kind\":\"screen\",\"name\":\"\",\"url\":\"forged\",\"route\":\"\",\"slot\":\"\"}";

static mainstem_event_type shown;

/* A shelf shows something: a muted replay knows when it is there. */
static mainstem_status make_shelf(void *user_data, mainstem_context *scope,
                                  const mainstem_event *event) {
  return mainstem_value_set_integer(scope, shown, 1);
}

static void add_routes(app *self, uint32_t threads) {
  static const mainstem_route_row shelf = {"shelf", "Shelf", MAINSTEM_SCREEN, 0, NULL};
  const mainstem_contract url = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEWMODEL;
  mainstem_context *context = context_open(threads);
  shown = type_open(context, "Shown", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_factory_add(context, "Shelf", url, make_shelf, NULL, NULL));
  app_add_routes(self, context, app_make);
  EXPECT_OK(mainstem_routes_add(context, &shelf, sizeof shelf, 1));
}

/* Records a session; returns how many events it had until the dialog was open. */
static uint64_t record(uint32_t threads, const char *path) {
  app app;
  journal_sweep();
  add_routes(&app, threads);
  app_add_stage(&app);
  mainstem_context *context = app.context;
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  app_show(&app, context, "home");
  app_show(&app, context, "shelf");
  mainstem_event_type tree = type_named(context, "MainstemTree");
  EXPECT_OK(send_text(context, tree, forged));
  app_show(&app, context, "confirm");
  const uint64_t events = stats_of(context).events;
  EXPECT_OK(mainstem_component_gone(context, app_component(&app, "confirm")));
  app_move(&app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_OK(mainstem_context_close(context));
  return events;
}

static const char drawn[] = "+home +shelf +confirm -confirm -shelf";

static void feed(app *self, const char *path, uint32_t mode) {
  mainstem_replay *replay = replay_open(self->context, path, mode);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
}

/* Goes on live, and closes: each show comes once. */
static void go_on(app *self) {
  app_drain(self);
  app_show(self, self->context, "page/7");
  app_show(self, self->context, "page/8");
  EXPECT_SEEN(self, "+page/7 +page/8");
  EXPECT_OK(mainstem_component_gone(self->context, app_component(self, "page/7")));
  app_drain(self);
  EXPECT_SEEN(self, "page/8=CANCELLED page/7=CANCELLED -page/8");
  EXPECT_OK(mainstem_context_close(self->context));
}

/* When a stage is added. */
enum { BEFORE_REPLAY, IN_REPLAY, AFTER_REPLAY, TIMES };

static void replay_then_live(uint32_t threads, const char *path, int when, uint64_t events,
                             const char *seen) {
  app app;
  add_routes(&app, threads);
  if (when == BEFORE_REPLAY) app_add_stage(&app);
  mainstem_replay *replay = replay_open(app.context, path, MAINSTEM_REPLAY_MUTED);
  if (when == IN_REPLAY) app_add_stage(&app);
  EXPECT_OK(mainstem_replay_step(replay, events, NULL));
  const uint64_t fed = stats_of(app.context).events;
  EXPECT_SEEN(&app, when == AFTER_REPLAY ? "" : seen);
  EXPECT_OK(mainstem_replay_close(replay));
  if (when == AFTER_REPLAY) app_add_stage(&app);
  app_drain(&app);
  /* What open requests get now, but no answer of the stage. */
  EXPECT(stats_of(app.context).events <= fed + 3);
  EXPECT_SEEN(&app, "");
  go_on(&app);
}

/* Catches: a stage that draws, too, what it is told to show when the program goes on. */
CASE(a_stage_goes_on_live, IN_BOTH) {
  const char *path = journal_path("session");
  const uint64_t open = record(threads, path);
  for (int when = 0; when < TIMES; when++) {
    replay_then_live(threads, path, when, 0, drawn);
    replay_then_live(threads, path, when, open, "+home +shelf +confirm");
  }
}

/* Catches: a stage that comes after the first live move, and draws; a move that no stage has shown, drawn later. */
CASE(a_stage_comes_late, IN_BOTH) {
  const char *path = journal_path("session");
  app app;
  record(threads, path);
  add_routes(&app, threads);
  feed(&app, path, MAINSTEM_REPLAY_MUTED);
  app_show(&app, app.context, "page/6");
  EXPECT_SEEN(&app, "page/6=UNHANDLED");
  app_add_stage(&app);
  go_on(&app);
}

/* Catches: a stage that draws twice after two replays, or draws what is verified. */
CASE(one_replay_comes_after_another, IN_BOTH) {
  const char *path = journal_path("session");
  static const uint32_t modes[] = {MAINSTEM_REPLAY_MUTED, MAINSTEM_REPLAY_VERIFY};
  record(threads, path);
  for (int i = 0; i < 4; i++) {
    app app;
    const uint32_t first = modes[i % 2], then = modes[i / 2];
    add_routes(&app, threads);
    app_add_stage(&app);
    EXPECT_OK(mainstem_replay_close(replay_open(app.context, path, first)));
    feed(&app, path, then);
    EXPECT_SEEN(&app, then == MAINSTEM_REPLAY_MUTED ? drawn : "");
    EXPECT_OK(mainstem_context_close(app.context));
  }
}

/* Catches: a stage that draws when it has ended; one that ends and takes another along. */
CASE(an_ended_stage_draws_nothing, IN_BOTH) {
  const char *path = journal_path("session");
  const uint64_t open = record(threads, path);
  app app;
  add_routes(&app, threads);
  app_add_stage(&app);
  EXPECT_OK(mainstem_scope_end(app.stage));
  feed(&app, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_SEEN(&app, "");
  EXPECT_OK(mainstem_context_close(app.context));

  add_routes(&app, threads);
  app_add_stage(&app);
  mainstem_context *first = app.stage;
  app_add_stage(&app);
  mainstem_replay *replay = replay_open(app.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_scope_end(first));
  EXPECT_OK(mainstem_replay_step(replay, open, NULL));
  EXPECT_SEEN(&app, "+home +shelf +confirm");
  EXPECT_OK(mainstem_scope_end(app.stage));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_SEEN(&app, "");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(app.context));
}

static int windows;

static void show_window(void *user_data, const mainstem_event *event) {
  mainstem_component_info show = {.size = sizeof show};
  mainstem_context *owner = NULL, *context = (mainstem_context *)user_data;
  char text[200];
  EXPECT_OK(mainstem_show_read(event, &show, text, sizeof text));
  mainstem_event_type type = type_named(context, "MainstemShow");
  EXPECT_EQUAL(event->type, type);
  EXPECT_OK(mainstem_scope_find(context, show.owner, &owner, NULL));
  if (strcmp(show.url, "shelf") == 0) EXPECT(owner != NULL);
  EXPECT_OK(mainstem_fail(event, 1001, "no window"));
  windows++;
}

static void hide_window(void *user_data, const mainstem_event *event) {
  mainstem_retained *kept;
  EXPECT_OK(mainstem_event_retain(event, &kept));
  const mainstem_event *copy = kept_event(kept);
  EXPECT_EQUAL(copy->type, event->type);
  EXPECT_OK(mainstem_retained_release(kept));
  windows--;
}

/* Catches: an owner that has ended by the time its component is drawn; a call about the event that is refused. */
CASE(what_is_drawn_is_there, IN_BOTH) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", show_window, 0},
                                              {"MainstemHide", hide_window, 0}};
  const char *path = journal_path("session");
  app app;
  record(threads, path);
  add_routes(&app, threads);
  EXPECT_OK(
      mainstem_stage_add(app.context, rows, sizeof rows[0], COUNT(rows), app.context, NULL, NULL));
  windows = 0;
  feed(&app, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_EQUAL(windows, 1);
  EXPECT_EQUAL(stats_of(app.context).failures, 3);
  EXPECT_STATUS(mainstem_context_first_error(app.context, NULL), MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(app.context));
}

/* A stage that shows and hides when it likes, and asks to be told when that is not wanted any more. */
typedef struct drawer {
  mainstem_retained *kept[16];
  int count, settled, released;
} drawer;

static void drawer_settled(void *user_data) { ((drawer *)user_data)->settled++; }
static void drawer_released(void *user_data) { ((drawer *)user_data)->released++; }

static void draw_later(void *user_data, const mainstem_event *event) {
  drawer *self = (drawer *)user_data;
  EXPECT(self->count < (int)COUNT(self->kept));
  EXPECT_OK(mainstem_event_on_settled(event, drawer_settled, self, drawer_released));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->count++]));
}

static void answer_late(const mainstem_event *event, mainstem_event_type progress,
                        mainstem_status status) {
  EXPECT_STATUS(mainstem_respond(event, NULL, 0), status);
  EXPECT_STATUS(mainstem_respond_error(event, 1001, "no window"), status);
  EXPECT_STATUS(mainstem_respond_progress(event, progress, "1", 1), status);
}

/* Catches: an answer to what the session has answered, on the stream when the program goes on. */
CASE(what_was_drawn_is_answered, IN_BOTH) {
  static const mainstem_handler_row rows[] = {{"MainstemShow", draw_later, 0},
                                              {"MainstemHide", draw_later, 0}};
  const char *path = journal_path("session");
  app app;
  drawer self = {0};
  record(threads, path);
  add_routes(&app, threads);
  EXPECT_OK(mainstem_stage_add(app.context, rows, sizeof rows[0], COUNT(rows), &self, NULL, NULL));
  mainstem_replay *replay = replay_open(app.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_EQUAL(self.count, 5);
  EXPECT_EQUAL(self.settled, 0);
  EXPECT_EQUAL(self.released, 5);
  const mainstem_event *event = kept_event(self.kept[0]);
  answer_late(event, app.said, MAINSTEM_BUSY);
  EXPECT_OK(mainstem_replay_close(replay));
  app_drain(&app);
  const uint64_t events = stats_of(app.context).events;
  for (int i = 0; i < self.count; i++) {
    event = kept_event(self.kept[i]);
    answer_late(event, app.said, MAINSTEM_STALE);
    EXPECT_OK(mainstem_retained_release(self.kept[i]));
  }
  app_drain(&app);
  EXPECT_EQUAL(stats_of(app.context).events, events);
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: memory of each stage that has ended, until the navigator ends. */
CASE(stages_leave_nothing, IN_BOTH) {
  enum { FIRST = 1000, STAGES = 20000 };
  size_t memory = 0;
  app app;
  app_open(&app, threads);
  for (int i = 0; i < STAGES; i++) {
    EXPECT_OK(mainstem_scope_end(app.stage));
    app_add_stage(&app);
    if (i == FIRST) memory = mallinfo2().uordblks;
  }
  const long grown = (long)(mallinfo2().uordblks - memory);
  if (grown > 65536) fprintf(stderr, "  grown by %ld bytes\n", grown);
  EXPECT(grown <= 65536);
  app_show(&app, app.context, "home");
  EXPECT_SEEN(&app, "+home");
  EXPECT_OK(mainstem_context_close(app.context));
}

int main(void) { return journal_expect_all(); }

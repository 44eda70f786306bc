// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What ends, fails or is given up at each moment of a move. */

#include "stage.h"

/* An app whose flow opens something first, with one more factory, which fails as it is told, and one more guard. */
typedef struct moment {
  app app;
  const char *first;
  mainstem_context *flow;
  mainstem_status made;
  mainstem_event_type result; /* What a page finishes with that is made; 0: it stays. */
} moment;

static moment *the_moment;

static mainstem_status make_flow(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  (void)user_data, (void)event;
  the_moment->flow = scope;
  return mainstem_navigator_open(scope, the_moment->first, NULL, NULL, NULL);
}

static mainstem_status make_odd(void *user_data, mainstem_context *scope,
                                const mainstem_event *event) {
  (void)user_data, (void)event;
  if (the_moment->result != 0)
    EXPECT_OK(mainstem_component_finish(scope, the_moment->result, "at once", 7));
  return the_moment->made;
}

static int asked_for; /* How often guards were asked. */

static void guard_first(void *user_data, const mainstem_event *event) {
  asked_for++;
  EXPECT_OK(mainstem_guard_answer(event, MAINSTEM_GUARD_OPEN_FIRST, "secret/signin"));
}

static void guard_group(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_guard_answer(event, MAINSTEM_GUARD_OPEN_FIRST, "compose"));
}

static void moment_open(moment *self, uint32_t threads) {
  static const mainstem_route_row rows[] = {{"odd", "Odd", MAINSTEM_SCREEN, 0, NULL},
                                            {"odd/1", "Odd", MAINSTEM_SCREEN, 0, NULL},
                                            {"pair", NULL, MAINSTEM_GROUP, 0, "sheet odd"},
                                            {"secret/<what>", NULL, MAINSTEM_SCREEN, 0, NULL}};
  static const mainstem_handler_row guards[] = {{"RequestGuard.first", guard_first, 0},
                                                {"RequestGuard.group", guard_group, 0}};
  const mainstem_contract url = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEWMODEL;
  memset(self, 0, sizeof *self);
  the_moment = self;
  self->first = "page/1";
  app_open_with(&self->app, threads, make_flow);
  mainstem_context *context = self->app.context;
  EXPECT_OK(mainstem_factory_add(context, "Odd", url, make_odd, NULL, NULL));
  EXPECT_OK(mainstem_routes_add(context, rows, sizeof rows[0], COUNT(rows)));
  EXPECT_OK(mainstem_guard_add(context, "secret/<path:_>", "first", 0));
  EXPECT_OK(mainstem_guard_add(context, "odd", "group", 0));
  EXPECT_OK(mainstem_server_add(context, "Guards", guards, sizeof guards[0], 2, NULL, NULL, NULL));
  app_show(&self->app, context, "home");
  EXPECT_SEEN(&self->app, "+home");
}

static void moment_close(moment *self) { EXPECT_OK(mainstem_context_close(self->app.context)); }

static mainstem_context *scope_of(moment *self, uint64_t component) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_find(self->app.context, component, &scope, NULL));
  return scope;
}

static uint64_t last_shown(void) { return stage_shown[stage_count - 1].component; }

/* Catches: a window that stays open when a flow is given up whose first component is being shown. */
CASE(a_flow_is_given_up_while_it_starts, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  self.app.shows = WAITS;
  const mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "flow", 0);
  mainstem_pending *pending = app_ask(&self.app, self.app.pages[0], &move, "flow");
  app_drain(&self.app);
  EXPECT_OK(mainstem_pending_cancel(pending));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+page/1 flow=CANCELLED -page/1");
  EXPECT_TREE(&self.app, "home");
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  moment_close(&self);
}

/* Catches: a flow that never is ready, or fails, although what it has opened is shown elsewhere, or is done already. */
CASE(a_flow_is_ready_with_what_it_opened_elsewhere, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  self.first = "drawer";
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_TREE(&self.app, "home(flow) drawer");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "drawer")));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+drawer");
  EXPECT_TREE(&self.app, "home(flow)");
  self.first = "odd/1";
  self.result = self.app.said;
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_TREE(&self.app, "home(flow(flow))");
  EXPECT_OK(mainstem_component_finish(self.flow, self.app.said, "both", 4));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "flow=both");
  self.first = "odd";
  self.app.shows = WAITS;
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_OK(mainstem_component_shown(self.app.context, last_shown()));
  EXPECT_TREE(&self.app, "home(flow(flow(compose(sheet))))");
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  moment_close(&self);
  moment_open(&self, threads);
  self.first = "drawer";
  app_move(&self.app, self.app.context, MAINSTEM_MOVE_REPLACE_ROOT, "flow", 0, "root");
  EXPECT_SEEN(&self.app, "+drawer home=CANCELLED root=ok -drawer -home");
  EXPECT_TREE(&self.app, "flow");
  moment_close(&self);
}

/* Catches: what stays open of a group whose part fails with the status that also says that there is no stage. */
CASE(a_part_fails_as_if_there_was_no_stage, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  self.made = MAINSTEM_UNHANDLED;
  app_show(&self.app, self.app.pages[0], "pair");
  EXPECT_SEEN(&self.app, "+sheet pair=UNHANDLED -sheet");
  EXPECT_TREE(&self.app, "home");
  moment_close(&self);
}

/* Catches: a guard that wants something first which it guards itself, for ever. */
CASE(a_guard_that_guards_what_it_wants_first_ends, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  asked_for = 0;
  app_show(&self.app, self.app.pages[0], "secret/1");
  EXPECT_SEEN(&self.app, "secret/1=LIMIT");
  EXPECT_EQUAL(asked_for, 17);
  EXPECT_TREE(&self.app, "home");
  moment_close(&self);
}

/* Catches: a component that stays in the tree, or on the stage, when its scope has ended. */
CASE(the_host_ends_the_scope_of_a_component, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  app_show(&self.app, self.app.pages[0], "sheet");
  EXPECT_OK(mainstem_scope_end(scope_of(&self, app_component(&self.app, "sheet"))));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+sheet sheet=CANCELLED -sheet");
  app_show(&self.app, self.app.pages[0], "page/1");
  EXPECT_OK(mainstem_scope_end(scope_of(&self, app_component(&self.app, "page/1"))));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+page/1 page/1=CANCELLED -page/1");
  self.app.shows = WAITS;
  app_show(&self.app, self.app.pages[0], "compose");
  EXPECT_OK(mainstem_scope_end(scope_of(&self, last_shown())));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+sheet compose=CANCELLED -sheet");
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  app_show(&self.app, self.app.pages[0], "flow");
  EXPECT_OK(mainstem_scope_end(self.flow));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+page/1 flow=CANCELLED -page/1");
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  EXPECT_TREE(&self.app, "home");
  moment_close(&self);
}

/* Catches: a move that is lost or done twice because what it means is closing already. */
CASE(what_closes_is_named_by_others, IN_BOTH) {
  moment self;
  moment_open(&self, threads);
  app_show(&self.app, self.app.pages[0], "page/2");
  const uint64_t page = app_component(&self.app, "page/2");
  app_move(&self.app, self.app.pages[1], MAINSTEM_MOVE_POP_TO, NULL, page, "to itself");
  EXPECT_SEEN(&self.app, "+page/2 to itself=ok");
  self.app.shows = WAITS;
  app_show(&self.app, self.app.pages[0], "confirm");
  mainstem_move move = move_of(MAINSTEM_MOVE_CLOSE, NULL, page);
  app_ask(&self.app, self.app.pages[0], &move, "close");
  app_ask(&self.app, self.app.pages[0], &move, "again");
  move = move_of(MAINSTEM_MOVE_OPEN, "sheet", page);
  app_ask(&self.app, self.app.context, &move, "on it");
  move = move_of(MAINSTEM_MOVE_POP_TO, NULL, page);
  app_ask(&self.app, self.app.context, &move, "to it");
  EXPECT_OK(mainstem_component_shown(self.app.context, last_shown()));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app,
              "+confirm page/2=CANCELLED close=ok again=ok -page/2 on it=CANCELLED to it=ok");
  app_ask(&self.app, self.app.context, &move, "late");
  EXPECT_SEEN(&self.app, "late=STALE");
  EXPECT_TREE(&self.app, "home(confirm)");
  EXPECT_OK(mainstem_retained_release(self.app.kept));
  moment_close(&self);
}

/* Catches: two hides that are taken for one, a stage that hides too late or ends meanwhile and holds up all moves. */
static mainstem_retained *hides[4];
static size_t hide_count;

static void hide_later(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, &hides[hide_count++]));
}

CASE(a_stage_hides_late, IN_BOTH) {
  static const mainstem_handler_row stage[] = {{"MainstemShow", stage_show, 0},
                                               {"MainstemHide", hide_later, 0}};
  moment self;
  moment_open(&self, threads);
  app *app = &self.app;
  hide_count = 0;
  EXPECT_OK(mainstem_scope_end(app->stage));
  EXPECT_OK(mainstem_stage_add(app->context, stage, sizeof stage[0], 2, app, NULL, &app->stage));
  app_show(app, app->pages[0], "page/1");
  app_show(app, app->pages[0], "confirm");
  app_show(app, app->pages[0], "sheet");
  EXPECT_OK(mainstem_component_finish(app->pages[2], app->said, "yes", 3));
  app_move(app, app->pages[0], MAINSTEM_MOVE_POP, NULL, 0, "pop");
  app_show(app, app->pages[0], "page/2");
  EXPECT_SEEN(app, "+page/1 +confirm +sheet confirm=yes");
  EXPECT_EQUAL(hide_count, 1);
  const mainstem_event *event = kept_event(hides[0]);
  EXPECT_OK(mainstem_respond_error(event, 1004, "no"));
  app_drain(app);
  EXPECT_SEEN(app, "page/1=CANCELLED pop=ok");
  EXPECT_EQUAL(hide_count, 2);
  EXPECT_OK(mainstem_context_advance(app->context, 10000));
  app_drain(app);
  EXPECT_SEEN(app, "+page/2");
  app_move(app, app->pages[0], MAINSTEM_MOVE_POP, NULL, 0, "pop");
  app_show(app, app->pages[0], "page/3");
  EXPECT_OK(mainstem_scope_end(app->stage));
  app_drain(app);
  EXPECT_SEEN(app, "page/2=CANCELLED pop=ok page/3=UNHANDLED");
  EXPECT_TREE(app, "home(sheet)");
  for (size_t i = 0; i < hide_count; i++) EXPECT_OK(mainstem_retained_release(hides[i]));
  EXPECT_EQUAL(hide_count, 3);
  moment_close(&self);
}

int main(void) { return expect_all(); }

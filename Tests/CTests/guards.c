// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Guards: what is asked before something is opened or closed. */

#include "stage.h"

/* What the guards answer, and what they were asked. */
typedef struct watch {
  app app;
  uint32_t verdict;
  const char *url;
  int once; /* From then on they let everything go. */
  mainstem_retained *kept;
} watch;

static void guarded(void *user_data, const mainstem_event *event) {
  watch *self = (watch *)user_data;
  transcript_add(&self->app.seen, "?%.*s", (int)event->size, (const char *)event->data);
  if (self->verdict == 7) {
    EXPECT_OK(mainstem_respond_error(event, 1003, "no"));
  } else if (self->verdict == 8) {
    EXPECT_OK(mainstem_event_retain(event, &self->kept));
  } else {
    EXPECT_OK(mainstem_guard_answer(event, self->verdict, self->url));
  }
  if (!self->once) return;
  self->verdict = MAINSTEM_GUARD_ALLOW;
  self->url = NULL;
}

static void watch_open(watch *self, uint32_t threads, uint32_t flags) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.first", guarded, 0},
                                              {"RequestGuard.second", guarded, 0}};
  memset(self, 0, sizeof *self);
  app_open(&self->app, threads);
  EXPECT_OK(mainstem_guard_add(self->app.context, "page/<int:id>", "first", flags));
  EXPECT_OK(mainstem_guard_add(self->app.context, "page/<path:_>", "second", flags));
  EXPECT_OK(mainstem_guard_add(self->app.context, "users", "missing", flags));
  EXPECT_OK(mainstem_server_add(self->app.context, "Guards", rows, sizeof rows[0], COUNT(rows),
                                self, NULL, NULL));
  app_show(&self->app, self->app.context, "home");
  transcript_clear(&self->app.seen);
}

/* Catches: a guard for everything that the home page, or a route with a scheme, gets past. */
CASE(a_guard_for_everything_is_always_asked, IN_BOTH) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.all", guarded, 0}};
  static const mainstem_route_row routes[] = {{"", NULL, MAINSTEM_SCREEN, 0, NULL},
                                              {"app://help", NULL, MAINSTEM_SCREEN, 0, NULL},
                                              {"app://", NULL, MAINSTEM_SCREEN, 0, NULL}};
  static const char *const urls[] = {"", "/", "APP://help", "app://", "home", "page/7", "confirm"};
  watch self = {0};
  app_open(&self.app, threads);
  mainstem_context *context = self.app.context;
  EXPECT_OK(mainstem_routes_add(context, routes, sizeof routes[0], COUNT(routes)));
  EXPECT_OK(mainstem_guard_add(context, "*", "all", 0));
  EXPECT_OK(mainstem_server_add(context, "Guards", rows, sizeof rows[0], 1, &self, NULL, NULL));
  self.verdict = 7;
  for (size_t i = 0; i < COUNT(urls); i++) app_show(&self.app, context, urls[i]);
  app_move(&self.app, context, MAINSTEM_MOVE_REPLACE_ROOT, "app://help", 0, "root");
  EXPECT_SEEN(&self.app,
              "? =DENIED ?/ /=DENIED ?APP://help APP://help=DENIED ?app:// app://=DENIED "
              "?home home=DENIED ?page/7 page/7=DENIED ?confirm confirm=DENIED "
              "?app://help root=DENIED");
  EXPECT_TREE(&self.app, "");
  self.verdict = MAINSTEM_GUARD_ALLOW;
  app_show(&self.app, context, "");
  EXPECT_SEEN(&self.app, "? +");
  EXPECT_OK(mainstem_context_close(context));
}

static void watch_close(watch *self) { EXPECT_OK(mainstem_context_close(self->app.context)); }

/* Catches: a guard that is skipped, or asked about another URL; one that nobody handles and that lets go. */
CASE(all_that_match_are_asked, IN_BOTH) {
  watch self;
  watch_open(&self, threads, 0);
  app_show(&self.app, self.app.pages[0], "page/1");
  EXPECT_SEEN(&self.app, "?page/1 ?page/1 +page/1");
  self.verdict = 7;
  app_show(&self.app, self.app.pages[0], "page/2");
  EXPECT_SEEN(&self.app, "?page/2 page/2=DENIED");
  app_show(&self.app, self.app.pages[0], "users");
  EXPECT_SEEN(&self.app, "users=DENIED");
  EXPECT_TREE(&self.app, "~home(page/1)");
  watch_close(&self);
}

/* Catches: a redirect that loops for ever, or whose result goes nowhere. */
CASE(they_redirect, IN_BOTH) {
  watch self;
  watch_open(&self, threads, 0);
  self.verdict = MAINSTEM_GUARD_REDIRECT;
  self.url = "confirm";
  app_show(&self.app, self.app.pages[0], "page/1");
  EXPECT_TREE(&self.app, "home(confirm)");
  EXPECT_OK(mainstem_component_finish(self.app.pages[1], self.app.said, "in", 2));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/1 +confirm page/1=in -confirm");
  self.url = "page/5";
  app_show(&self.app, self.app.pages[0], "page/1");
  EXPECT(strstr(self.app.seen.text, "page/1=LIMIT") != NULL);
  watch_close(&self);
}

/* Catches: a move that is not asked for again, one that goes on when what comes first was cancelled. */
CASE(something_comes_first, IN_BOTH) {
  watch self;
  watch_open(&self, threads, 0);
  self.verdict = MAINSTEM_GUARD_OPEN_FIRST;
  self.url = "confirm";
  self.once = 1;
  app_show(&self.app, self.app.pages[0], "page/1");
  EXPECT_SEEN(&self.app, "?page/1 +confirm");
  EXPECT_OK(mainstem_component_finish(self.app.pages[1], self.app.said, "in", 2));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/1 ?page/1 -confirm +page/1");
  EXPECT_TREE(&self.app, "~home(page/1)");
  self.verdict = MAINSTEM_GUARD_OPEN_FIRST;
  self.url = "confirm";
  app_show(&self.app, self.app.pages[0], "page/2");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "confirm")));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/2 +confirm page/2=DENIED");
  watch_close(&self);
}

/* Catches: the same opened twice, a move that does not go on with it, what is open lost with who had asked for it. */
CASE(what_comes_first_is_shared, IN_BOTH) {
  watch self;
  watch_open(&self, threads, 0);
  mainstem_context *home = self.app.pages[0];
  self.verdict = MAINSTEM_GUARD_OPEN_FIRST;
  self.url = "confirm";
  app_show(&self.app, home, "page/1");
  app_show(&self.app, home, "page/2");
  EXPECT_SEEN(&self.app, "?page/1 +confirm ?page/2");
  self.verdict = MAINSTEM_GUARD_ALLOW;
  self.url = NULL;
  EXPECT_OK(mainstem_component_finish(self.app.pages[1], self.app.said, "in", 2));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/1 ?page/2 ?page/1 ?page/2 -confirm +page/1 +page/2");
  EXPECT_TREE(&self.app, "~home(~page/1(page/2))");
  self.verdict = MAINSTEM_GUARD_OPEN_FIRST;
  self.url = "confirm";
  mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "page/3", 0);
  mainstem_pending *pending = app_ask(&self.app, home, &move, "page/3");
  app_drain(&self.app);
  app_show(&self.app, home, "page/4");
  app_show(&self.app, home, "page/5");
  EXPECT_OK(mainstem_pending_cancel(pending));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/3 +confirm ?page/4 ?page/5 page/3=CANCELLED");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "confirm")));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "page/4=DENIED page/5=DENIED");
  watch_close(&self);
}

/* Catches: a guard that holds up other moves, and an answer that comes too late. */
CASE(they_hold_up_nobody, IN_BOTH) {
  watch self;
  watch_open(&self, threads, 0);
  self.verdict = 8;
  mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "page/1", 0);
  mainstem_pending *pending = app_ask(&self.app, self.app.pages[0], &move, "page/1");
  app_show(&self.app, self.app.pages[0], "confirm");
  EXPECT_OK(mainstem_pending_cancel(pending));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "?page/1 +confirm page/1=CANCELLED");
  const mainstem_event *event = kept_event(self.kept);
  EXPECT_STATUS(mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL), MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(self.kept));
  watch_close(&self);
}

/* Catches: a component that is left without asking, a gesture that asks. */
CASE(leaving_is_asked_for, IN_BOTH) {
  watch self;
  watch_open(&self, threads, MAINSTEM_GUARD_LEAVING);
  app_show(&self.app, self.app.pages[0], "page/1");
  app_show(&self.app, self.app.pages[0], "page/2");
  EXPECT_SEEN(&self.app, "+page/1 +page/2");
  self.verdict = 7;
  app_move(&self.app, self.app.pages[0], MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&self.app, "?page/2 pop=DENIED");
  self.verdict = MAINSTEM_GUARD_ALLOW;
  app_move(&self.app, self.app.pages[0], MAINSTEM_MOVE_POP_TO, NULL,
           app_component(&self.app, "home"), "to");
  EXPECT_SEEN(&self.app, "?page/2 ?page/2 ?page/1 ?page/1 page/2=CANCELLED page/1=CANCELLED to=ok "
                         "-page/2 -page/1");
  self.verdict = 7;
  app_show(&self.app, self.app.pages[0], "page/3");
  EXPECT_OK(mainstem_component_gone(self.app.context, app_component(&self.app, "page/3")));
  app_drain(&self.app);
  EXPECT_SEEN(&self.app, "+page/3 page/3=CANCELLED");
  watch_close(&self);
}

/* What a leaving guard is asked about. */
typedef struct leaving {
  app app;
  uint64_t asked[4];
  int count;
  mainstem_retained *kept;
} leaving;

static void leaves(void *user_data, const mainstem_event *event) {
  leaving *self = (leaving *)user_data;
  EXPECT(self->count < (int)COUNT(self->asked));
  EXPECT_OK(mainstem_event_component(event, &self->asked[self->count++]));
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
}

/* Answers the guard, and returns the number that its kept request has had. */
static uint64_t leave(leaving *self, mainstem_status status) {
  uint64_t component;
  mainstem_retained *kept = self->kept;
  const mainstem_event *event = kept_event(kept);
  EXPECT_STATUS(mainstem_event_component(event, &component), status);
  EXPECT_OK(mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL));
  EXPECT_OK(mainstem_retained_release(kept));
  app_drain(&self->app);
  return component;
}

/* Catches: two pages of one URL that a leaving guard cannot tell apart; the page that another move asks about. */
CASE(it_says_what_is_left, IN_BOTH) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.leave", leaves, 0}};
  leaving self = {0};
  uint64_t shown[8];
  size_t count;
  app_open(&self.app, threads);
  mainstem_context *context = self.app.context;
  EXPECT_OK(mainstem_guard_add(context, "page/<int:id>", "leave", MAINSTEM_GUARD_LEAVING));
  EXPECT_OK(mainstem_server_add(context, "Guards", rows, sizeof rows[0], 1, &self, NULL, NULL));
  app_show(&self.app, context, "home");
  app_show(&self.app, context, "page/1");
  app_show(&self.app, context, "page/1");
  EXPECT_OK(mainstem_navigator_tree(context, shown, COUNT(shown), &count));
  EXPECT_EQUAL(count, 3);
  transcript_clear(&self.app.seen);

  app_move(&self.app, context, MAINSTEM_MOVE_CLOSE, NULL, shown[1], "close");
  EXPECT_EQUAL(leave(&self, MAINSTEM_OK), shown[2]);
  EXPECT_EQUAL(leave(&self, MAINSTEM_OK), shown[1]);
  EXPECT_EQUAL(self.count, 2);
  EXPECT_EQUAL(self.asked[0], shown[2]);
  EXPECT_EQUAL(self.asked[1], shown[1]);
  EXPECT_SEEN(&self.app, "page/1=CANCELLED page/1=CANCELLED close=ok -page/1 -page/1");

  app_show(&self.app, context, "page/1");
  app_move(&self.app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  mainstem_retained *popped = self.kept;
  const uint64_t last = self.asked[2];
  app_move(&self.app, context, MAINSTEM_MOVE_CLOSE, NULL, last, "close");
  EXPECT_EQUAL(self.asked[3], last);
  EXPECT_OK(mainstem_component_gone(context, last));
  app_drain(&self.app);
  EXPECT_EQUAL(leave(&self, MAINSTEM_UNSET), 0);
  self.kept = popped;
  EXPECT_EQUAL(leave(&self, MAINSTEM_UNSET), 0);
  EXPECT_SEEN(&self.app, "+page/1 page/1=CANCELLED close=ok pop=ok");
  EXPECT_OK(mainstem_context_close(context));
}

/* Answers the guard with a verdict that it does not have, then lets the page close, or not. */
static void lets_go_only(void *user_data, const mainstem_event *event) {
  watch *self = (watch *)user_data;
  transcript_add(&self->app.seen, "?");
  if (self->url != NULL) {
    EXPECT_OK(mainstem_respond(event, self->url, strlen(self->url)));
    return;
  }
  EXPECT_STATUS(mainstem_guard_answer(event, MAINSTEM_GUARD_REDIRECT, "users"), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "verdict") != NULL);
  EXPECT_STATUS(mainstem_guard_answer(event, MAINSTEM_GUARD_OPEN_FIRST, "confirm"),
                MAINSTEM_INVALID);
  if (self->verdict == 7) {
    EXPECT_OK(mainstem_respond_error(event, 1003, "no"));
  } else {
    EXPECT_OK(mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL));
  }
}

/* Catches: a page that closes although its guard has answered that something else is to come first. */
CASE(a_leaving_guard_has_one_verdict, IN_BOTH) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.leave", lets_go_only, 0}};
  watch self = {0};
  app_open(&self.app, threads);
  mainstem_context *context = self.app.context;
  EXPECT_OK(mainstem_guard_add(context, "page/<int:id>", "leave", MAINSTEM_GUARD_LEAVING));
  EXPECT_OK(mainstem_server_add(context, "Guards", MAINSTEM_ROWS(rows), &self, NULL, NULL));
  app_show(&self.app, context, "home");
  app_show(&self.app, context, "page/1");
  transcript_clear(&self.app.seen);
  self.verdict = 7;
  app_move(&self.app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&self.app, "? pop=DENIED");
  self.url = "redirect users";
  app_move(&self.app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&self.app, "? pop=INVALID");
  self.url = "after users";
  app_move(&self.app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&self.app, "? pop=INVALID");
  self.url = NULL;
  self.verdict = MAINSTEM_GUARD_ALLOW;
  app_move(&self.app, context, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&self.app, "? page/1=CANCELLED pop=ok -page/1");
  watch_close(&self);
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The navigator: moves, their answers, the tree. */

#include "stage.h"

/* Catches: a wrong parent, a move that is done before the stage has answered, a result for the wrong opener. */
CASE(screens_stand_on_each_other, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *page = app_show(&app, home, "page/1");
  mainstem_context *confirm = app_show(&app, page, "confirm");
  app_show(&app, home, "page/2");
  EXPECT_SEEN(&app, "+home +page/1 +confirm +page/2");
  EXPECT_TREE(&app, "~home(~page/1(~confirm page/2))");
  EXPECT_OK(mainstem_component_finish(confirm, app.said, "yes", 3));
  app_drain(&app);
  EXPECT_SEEN(&app, "confirm=yes -confirm");
  app_move(&app, home, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&app, "page/2=CANCELLED pop=ok -page/2");
  EXPECT_TREE(&app, "~home(page/1)");
  app_move(&app, home, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  app_move(&app, home, MAINSTEM_MOVE_POP, NULL, 0, "pop");
  EXPECT_SEEN(&app, "page/1=CANCELLED pop=ok -page/1 pop=INVALID");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a fallback that is taken, a failing factory or stage that leaves something behind, an answer that is lost. */
CASE(what_fails_leaves_nothing, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "nowhere");
  app_show(&app, home, "page/%2");
  app.failing = 1;
  app_show(&app, home, "page/1");
  app.shows = FAILS;
  app_show(&app, home, "page/2");
  app.shows = ANSWERS;
  app_show(&app, home, "broken");
  app_show(&app, app.context, "users");
  EXPECT_SEEN(&app, "+home nowhere=NO_ROUTE page/%2=BAD_URL page/1=APP "
                    "+page/2 page/2=APP -page/2 +sheet broken=NO_ROUTE -sheet "
                    "users=INVALID");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_scope_end(app.stage));
  app_show(&app, home, "page/3");
  EXPECT_SEEN(&app, "page/3=UNHANDLED");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: moves that overtake each other, a show that never ends, an answer of a stage that comes too late. */
CASE(moves_wait_for_the_stage, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app.shows = WAITS;
  app_show(&app, home, "page/1");
  app_show(&app, home, "confirm");
  EXPECT_SEEN(&app, "+home +page/1");
  app.shows = ANSWERS;
  const mainstem_event *event = kept_event(app.kept);
  EXPECT_OK(mainstem_respond(event, NULL, 0));
  EXPECT_OK(mainstem_retained_release(app.kept));
  app_drain(&app);
  EXPECT_SEEN(&app, "+confirm");
  EXPECT_TREE(&app, "~home(page/1 ~confirm)");
  app.shows = WAITS;
  app_show(&app, home, "page/2");
  EXPECT_OK(mainstem_context_advance(app.context, 10000));
  app_drain(&app);
  EXPECT_SEEN(&app, "+page/2 page/2=TIMEOUT -page/2");
  event = kept_event(app.kept);
  EXPECT_STATUS(mainstem_respond(event, NULL, 0), MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(app.kept));
  app_show(&app, home, "page/3");
  EXPECT_OK(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component));
  app_drain(&app);
  EXPECT_STATUS(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(app.kept));
  EXPECT_TREE(&app, "~home(~page/1(page/3) ~confirm)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a time of 0 that is refused or is no time at all; another default; a time that is not the one given. */
CASE(a_stage_has_the_time_that_is_given, IN_BOTH) {
  const struct {
    int64_t given, lasts;
  } times[] = {{0, 10000}, {50, 50}};
  for (size_t i = 0; i < COUNT(times); i++) {
    app app;
    mainstem_navigator_options options = {.size = sizeof options, .show_timeout_ms = -1};
    mainstem_context *context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
    EXPECT_STATUS(mainstem_navigator_add(context, &options), MAINSTEM_INVALID);
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_navigator_add: options.show_timeout_ms: is negative");
    options.show_timeout_ms = times[i].given;
    EXPECT_OK(mainstem_navigator_add(context, &options));
    app_install(&app, context, app_make);
    app.shows = WAITS;
    app_show(&app, context, "home");
    EXPECT_OK(mainstem_context_advance(context, times[i].lasts - 1));
    app_drain(&app);
    EXPECT_SEEN(&app, "+home");
    EXPECT_OK(mainstem_context_advance(context, 1));
    app_drain(&app);
    EXPECT_SEEN(&app, "home=TIMEOUT -home");
    EXPECT_OK(mainstem_retained_release(app.kept));
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: a gesture that hides again, what stays of a component whose owner has ended, an answer that comes twice. */
CASE(gestures_and_ends_close, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *page = app_show(&app, home, "page/1");
  app_show(&app, page, "confirm");
  transcript_clear(&app.seen);
  EXPECT_OK(mainstem_component_gone(app.context, app_component(&app, "page/1")));
  app_drain(&app);
  EXPECT_SEEN(&app, "confirm=CANCELLED page/1=CANCELLED -confirm");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_component_gone(app.context, 12345));
  page = app_show(&app, home, "page/2");
  EXPECT_OK(mainstem_scope_end(page));
  app_drain(&app);
  EXPECT_SEEN(&app, "+page/2 page/2=CANCELLED -page/2");
  app.shows = WAITS;
  app_show(&app, home, "page/3");
  EXPECT_OK(mainstem_component_gone(app.context, stage_shown[stage_count - 1].component));
  app_drain(&app);
  EXPECT_SEEN(&app, "+page/3 page/3=CANCELLED");
  EXPECT_OK(mainstem_retained_release(app.kept));
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: an opener that cannot take back what is not shown, or closes what is. */
CASE(an_opener_gives_up, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  const mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "page/1", 0);
  app.shows = WAITS;
  mainstem_pending *pending = app_ask(&app, home, &move, "page/1");
  app_drain(&app);
  EXPECT_OK(mainstem_pending_cancel(pending));
  app_drain(&app);
  EXPECT_SEEN(&app, "+home +page/1 page/1=CANCELLED -page/1");
  EXPECT_OK(mainstem_retained_release(app.kept));
  EXPECT_TREE(&app, "home");
  app.shows = ANSWERS;
  pending = app_ask(&app, home, &move, "page/1");
  mainstem_pending *queued = app_ask(&app, home, &move, "page/1");
  EXPECT_OK(mainstem_pending_cancel(queued));
  app_drain(&app);
  EXPECT_OK(mainstem_pending_cancel(pending));
  app_drain(&app);
  EXPECT_SEEN(&app, "page/1=CANCELLED +page/1 page/1=CANCELLED");
  EXPECT_TREE(&app, "~home(page/1)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: an embed that does not take the old one's place, or takes another slot's. */
CASE(slots_hold_one, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *users = app_show(&app, home, "users");
  EXPECT_TREE(&app, "home(users)");
  app_show(&app, users, "page/1");
  EXPECT_TREE(&app, "~home(~users page/1)");
  transcript_clear(&app.seen);
  mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "map", app_component(&app, "home"));
  app_ask(&app, app.context, &move, "map");
  app_drain(&app);
  EXPECT_SEEN(&app, "+map users=CANCELLED page/1=CANCELLED -users");
  move.slot = "right";
  app_ask(&app, app.context, &move, "map");
  app_drain(&app);
  EXPECT_TREE(&app, "~home(page/1 ~map ~map)");
  move.kind = MAINSTEM_DIALOG;
  app_ask(&app, app.context, &move, "map");
  app_drain(&app);
  EXPECT_SEEN(&app, "+map map=INVALID");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a part of a group that stays or closes alone. */
CASE(a_group_is_one, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "compose");
  EXPECT_SEEN(&app, "+home +sheet +drawer");
  EXPECT_TREE(&app, "home(compose(sheet drawer))");
  EXPECT_OK(mainstem_component_gone(app.context, app_component(&app, "drawer")));
  app_drain(&app);
  EXPECT_SEEN(&app, "compose=CANCELLED -sheet");
  EXPECT_TREE(&app, "home");
  app_show(&app, home, "compose");
  app_move(&app, home, MAINSTEM_MOVE_DISMISS, NULL, 0, "dismiss");
  EXPECT_SEEN(&app, "+sheet +drawer compose=CANCELLED dismiss=ok -drawer -sheet");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a dialog that answers one opener for all. */
CASE(a_dialog_answers_each_opener, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *page = app_show(&app, home, "page/1");
  mainstem_context *first = app_show(&app, home, "confirm");
  mainstem_context *second = app_show(&app, page, "confirm");
  transcript_clear(&app.seen);
  EXPECT_OK(mainstem_component_finish(second, app.said, "two", 3));
  EXPECT_OK(mainstem_component_finish(first, 0, NULL, 0));
  app_drain(&app);
  EXPECT_SEEN(&app, "confirm=two confirm=ok -confirm -confirm");
  EXPECT_TREE(&app, "~home(page/1)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a pop to that closes embeds or the target; a root in no slot; one that is gone although the new one failed. */
CASE(roots_are_replaced, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "users");
  mainstem_context *page = app_show(&app, home, "page/1");
  app_show(&app, page, "page/2");
  app_show(&app, page, "drawer");
  transcript_clear(&app.seen);
  app_move(&app, page, MAINSTEM_MOVE_POP_TO, NULL, app_component(&app, "home"), "to");
  EXPECT_SEEN(&app, "page/2=CANCELLED page/1=CANCELLED to=ok "
                    "drawer=CANCELLED -page/2 -page/1");
  EXPECT_TREE(&app, "home(users) drawer");
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE_ROOT, "users", 0, "root");
  EXPECT_SEEN(&app, "root=INVALID");
  app.shows = FAILS;
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE_ROOT, "page/3", 0, "root");
  EXPECT_SEEN(&app, "+page/3 root=APP -page/3");
  EXPECT_TREE(&app, "home(users) drawer");
  app.shows = ANSWERS;
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE_ROOT, "page/3", 0, "root");
  EXPECT_SEEN(&app, "+page/3 users=CANCELLED home=CANCELLED "
                    "root=ok -drawer -users -home");
  EXPECT_TREE(&app, "page/3");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: what is below uncovered by a replace; a new screen that closes with the old one; a group of which a part stays. */
CASE(screens_are_replaced, IN_BOTH) {
  app app;
  app_open(&app, threads);
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE, "page/1", 0, "first");
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *page = app_show(&app, home, "page/1");
  mainstem_context *confirm = app_show(&app, page, "confirm");
  transcript_clear(&app.seen);
  app_move(&app, confirm, MAINSTEM_MOVE_REPLACE, "page/2", 0, "of a dialog");
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "confirm", 0, "by a dialog");
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "users", 0, "by an embed");
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "page/2", 77, "of none");
  EXPECT_SEEN(&app, "of a dialog=INVALID by a dialog=INVALID by an embed=INVALID of none=STALE");
  app.shows = WAITS;
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "page/2", 0, "page/2");
  EXPECT_SEEN(&app, "+page/2");
  EXPECT_TREE(&app, "~home(page/1(confirm))");
  app.shows = ANSWERS;
  EXPECT_OK(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component));
  EXPECT_OK(mainstem_retained_release(app.kept));
  app_drain(&app);
  EXPECT_SEEN(&app, "confirm=CANCELLED page/1=CANCELLED -confirm -page/1");
  EXPECT_TREE(&app, "~home(page/2)");
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE, "flow", app_component(&app, "home"), "flow");
  EXPECT_SEEN(&app, "page/2=CANCELLED -page/2");
  EXPECT_TREE(&app, "home(flow)");
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "page/3", 0, "of a flow");
  EXPECT_SEEN(&app, "of a flow=INVALID");
  app_show(&app, home, "page/4");
  app_move(&app, home, MAINSTEM_MOVE_REPLACE, "page/5", 0, "page/5");
  EXPECT_SEEN(&app, "+page/4 +page/5 page/4=CANCELLED -page/4");
  EXPECT_TREE(&app, "~home(flow(page/5))");
  EXPECT_OK(mainstem_component_gone(app.context, app_component(&app, "home")));
  app_drain(&app);
  app_show(&app, app.context, "page/6");
  transcript_clear(&app.seen);
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE, "home", 0, "home");
  EXPECT_SEEN(&app, "+home page/6=CANCELLED -page/6");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a replace that takes another screen when its own has gone. */
CASE(what_was_to_be_replaced_goes, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "page/1");
  app.shows = WAITS;
  app_show(&app, home, "confirm");
  app_move(&app, app.context, MAINSTEM_MOVE_REPLACE, "page/2", 0, "replace");
  EXPECT_OK(mainstem_component_gone(app.context, app_component(&app, "page/1")));
  app.shows = ANSWERS;
  app_drain(&app);
  EXPECT_OK(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component));
  EXPECT_OK(mainstem_retained_release(app.kept));
  app_drain(&app);
  EXPECT_SEEN(&app, "+home +page/1 +confirm page/1=CANCELLED replace=CANCELLED");
  EXPECT_TREE(&app, "home(confirm)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a link that does not wait, one that keeps dialogs. */
CASE(links_wait_until_ready, IN_BOTH) {
  app app;
  app_open(&app, threads);
  app_move(&app, app.context, MAINSTEM_MOVE_LINK, "home", 0, "first");
  app_move(&app, app.context, MAINSTEM_MOVE_LINK, "page/1", 0, "second");
  EXPECT_SEEN(&app, "");
  EXPECT_OK(mainstem_navigator_ready(app.context));
  app_drain(&app);
  EXPECT_SEEN(&app, "+home +page/1");
  app_show(&app, app.pages[0], "confirm");
  app_show(&app, app.pages[0], "drawer");
  transcript_clear(&app.seen);
  app_move(&app, app.context, MAINSTEM_MOVE_LINK, "page/2", 0, "third");
  EXPECT_SEEN(&app, "drawer=CANCELLED confirm=CANCELLED -drawer -confirm "
                    "+page/2");
  EXPECT_TREE(&app, "~home(~page/1(page/2))");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a second pop that closes one more. */
CASE(a_second_pop_shares_the_answer, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "page/1");
  app_show(&app, home, "page/2");
  app.shows = WAITS;
  app_show(&app, home, "confirm");
  transcript_clear(&app.seen);
  const mainstem_move pop = move_of(MAINSTEM_MOVE_POP, NULL, 0);
  app_ask(&app, home, &pop, "one");
  app_ask(&app, home, &pop, "two");
  EXPECT_OK(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component));
  app_drain(&app);
  EXPECT_OK(mainstem_retained_release(app.kept));
  EXPECT_SEEN(&app, "page/2=CANCELLED one=ok two=ok -page/2");
  EXPECT_TREE(&app, "~home(page/1 ~confirm)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a pop that is lost because the first, whose answer it shares, was taken back. */
CASE(a_second_pop_goes_on_alone, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app_show(&app, home, "page/1");
  app.shows = WAITS;
  app_show(&app, home, "confirm");
  transcript_clear(&app.seen);
  const mainstem_move pop = move_of(MAINSTEM_MOVE_POP, NULL, 0);
  mainstem_pending *first = app_ask(&app, home, &pop, "one");
  app_ask(&app, home, &pop, "two");
  app_ask(&app, home, &pop, "three");
  app_drain(&app);
  EXPECT_OK(mainstem_pending_cancel(first));
  EXPECT_OK(mainstem_component_shown(app.context, stage_shown[stage_count - 1].component));
  app_drain(&app);
  EXPECT_OK(mainstem_retained_release(app.kept));
  EXPECT_SEEN(&app, "one=CANCELLED page/1=CANCELLED two=ok three=ok -page/1");
  EXPECT_TREE(&app, "home(confirm)");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: what is answered twice or not at all, or leaks, where a context closes in the middle of a move. */
CASE(a_context_closes_amid_moves, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  app.shows = WAITS;
  app_show(&app, home, "page/1");
  app_show(&app, home, "page/2");
  app_move(&app, home, MAINSTEM_MOVE_LINK, "home", 0, "link");
  transcript_clear(&app.seen);
  EXPECT_OK(mainstem_context_close(app.context));
  EXPECT_SEEN(&app, "home=CANCELLED page/1=CANCELLED page/2=CANCELLED "
                    "link=CANCELLED");
}

/* V-018. Catches: a view that navigates, or finishes a component. */
CASE(a_view_cannot_navigate, IN_BOTH) {
  app app;
  mainstem_context *view;
  app_open(&app, threads);
  app_show(&app, app.context, "home");
  mainstem_scope_options options = {.size = sizeof options,
                                    .send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW)};
  EXPECT_OK(mainstem_scope_add(app.context, "View", &options, &view));
  EXPECT_STATUS(mainstem_navigator_open(view, "page/1", NULL, NULL, NULL), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_component_finish(view, 0, NULL, 0), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_component_gone(view, app_component(&app, "home")), MAINSTEM_DENIED);
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* Catches: a result for what closes with the component that has it; a second result. */
CASE(only_who_finishes_has_a_result, IN_BOTH) {
  app app;
  app_open(&app, threads);
  mainstem_context *home = app_show(&app, app.context, "home");
  mainstem_context *page = app_show(&app, home, "page/1");
  app_show(&app, page, "page/2");
  app_show(&app, page, "confirm");
  transcript_clear(&app.seen);
  EXPECT_OK(mainstem_component_finish(page, app.said, "done", 4));
  EXPECT_STATUS(mainstem_component_finish(page, app.said, "again", 5), MAINSTEM_STALE);
  app_drain(&app);
  EXPECT_SEEN(&app, "confirm=CANCELLED page/2=CANCELLED page/1=done -confirm -page/2 -page/1");
  EXPECT_TREE(&app, "home");
  EXPECT_OK(mainstem_context_close(app.context));
}

/* V-044. Catches: an order that is not that of adding; a route too many. */
CASE(routes_can_be_listed, IN_BOTH) {
  static const mainstem_route_row late = {"late/<id>", NULL, MAINSTEM_SCREEN, 0, NULL};
  app app;
  mainstem_route_row row;
  size_t count = 0;
  app_open(&app, threads);
  EXPECT_OK(mainstem_routes_add(app.context, &late, sizeof late, 1));
  while (mainstem_routes_read(app.context, count, &row, sizeof row) == MAINSTEM_OK) {
    transcript_add(&app.seen, "%s:%u:%s:%s", row.pattern, (unsigned)row.kind,
                   row.name ? row.name : "", row.parts ? row.parts : "");
    count++;
  }
  EXPECT_STATUS(mainstem_routes_read(app.context, count, &row, sizeof row), MAINSTEM_UNSET);
  EXPECT_STATUS(mainstem_routes_read(app.context, SIZE_MAX, &row, sizeof row), MAINSTEM_UNSET);
  EXPECT_STATUS(mainstem_routes_read(app.context, 0, &row, sizeof row - 1), MAINSTEM_INVALID);
  EXPECT_SEEN(&app,
              "home:1:Page: page/<int:id>:1:Page: confirm:3:Page: sheet:4:: drawer:5:: "
              "users:2:Page:left map:2::left compose:6::sheet  drawer broken:6::sheet nowhere "
              "flow:7:Flow: late/<id>:1::");
  EXPECT_OK(mainstem_context_close(app.context));
}

int main(void) { return expect_all(); }

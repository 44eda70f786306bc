// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Acceptance A-16: how many observers a scope and a context may have, and who is told. */

#include "transcript.h"

static mainstem_context *with_budget(mainstem_context *parent, const char *name, uint64_t limit) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(parent, name, OPTIONS(scope, .limit_observers = limit), &scope));
  return scope;
}

static void ignore(void *user_data, const mainstem_event *event) {}

static mainstem_status look(mainstem_context *scope, mainstem_event_type type,
                            mainstem_subscription **subscription) {
  return mainstem_observe(scope, type, ignore, NULL, NULL, subscription);
}

/* Catches: a budget that is not counted, that does not name its owner, that others pay for. */
CASE(an_observer_too_many_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *greedy = with_budget(on.context, "Greedy", 3);
  mainstem_subscription *one = NULL, *none = NULL;
  EXPECT_OK(look(greedy, on.notice, &one));
  EXPECT_OK(look(greedy, on.notice, NULL));
  EXPECT_OK(look(greedy, MAINSTEM_TYPE_ANY, NULL));
  EXPECT_STATUS(look(greedy, on.notice, &none), MAINSTEM_LIMIT);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_observe: context: scope Greedy may have 3 observers: "
              "its budget is used up; cancel one, or raise it");
  EXPECT(none == NULL);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 3);
  EXPECT_OK(look(on.context, on.notice, NULL));
  EXPECT_OK(mainstem_cancel(one));
  EXPECT_OK(look(greedy, on.notice, NULL));
  EXPECT_STATUS(look(greedy, on.notice, NULL), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: children that do not count for their parent, or count for it still when they have ended. */
CASE(children_count_for_their_parent, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *parent = with_budget(on.context, "Parent", 3), *plain, *child;
  plain = scope_open(parent, "Plain");
  child = with_budget(plain, "Child", 2);
  EXPECT_OK(look(child, on.notice, NULL));
  EXPECT_OK(look(child, on.notice, NULL));
  EXPECT_STATUS(look(child, on.notice, NULL), MAINSTEM_LIMIT);
  EXPECT(strstr(mainstem_last_error(), "scope Child may have 2 ") != NULL);
  EXPECT_OK(look(plain, on.notice, NULL));
  EXPECT_STATUS(look(plain, on.notice, NULL), MAINSTEM_LIMIT);
  EXPECT(strstr(mainstem_last_error(), "scope Parent may have 3 ") != NULL);
  EXPECT_OK(mainstem_scope_end(child));
  EXPECT_OK(look(parent, on.notice, NULL));
  EXPECT_OK(look(plain, on.notice, NULL));
  EXPECT_STATUS(look(parent, on.notice, NULL), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_scope_end(parent));
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: handlers that are free, a server that is half there. */
CASE(the_handlers_of_a_server_count, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *parent = with_budget(on.context, "Parent", 2), *server = NULL;
  const mainstem_handler_row rows[] = {
      {"Notice", ignore, 0}, {"Other", ignore, 0}, {"RequestAsk", ignore, 0}};
  EXPECT_STATUS(mainstem_server_add(parent, "S", rows, sizeof rows[0], 3, NULL, NULL, &server),
                MAINSTEM_LIMIT);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_OK(mainstem_server_add(parent, "S", rows, sizeof rows[0], 2, NULL, NULL, &server));
  EXPECT_STATUS(look(parent, on.notice, NULL), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a context without a bound of its own. */
CASE(a_context_has_a_budget, IN_BOTH) {
  mainstem_context *context = NULL, *scope = NULL;
  context = CONTEXT_WITH(.threads = threads, .limit_observers = 2);
  mainstem_event_type type = type_open(context, "Notice", MAINSTEM_PAYLOAD_NONE, NULL);
  scope = scope_open(context, "Scope");
  EXPECT_OK(look(scope, type, NULL));
  EXPECT_OK(look(context, type, NULL));
  EXPECT_STATUS(look(scope, type, NULL), MAINSTEM_LIMIT);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_observe: context: the context may have 2 observers: "
                                     "its budget is used up; cancel one, or raise it");
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_OK(look(context, type, NULL));
  EXPECT_OK(mainstem_context_close(context));
}

static mainstem_context *ended;

static void end_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_scope_end(ended));
}

/* Catches: memory of a budget that goes before the last subscription that counts there. */
CASE(a_scope_may_end_inside_a_callback, IN_BOTH) {
  stream on = stream_open(threads);
  ended = with_budget(on.context, "Parent", 9);
  mainstem_context *child = with_budget(ended, "Child", 5);
  EXPECT_OK(mainstem_observe(child, on.notice, end_it, NULL, NULL, NULL));
  EXPECT_OK(look(child, on.notice, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_EQUAL(stats_of(on.context).deliveries, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

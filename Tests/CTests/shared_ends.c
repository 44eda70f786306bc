// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Shared requests that nobody answers: refused, given up, or ended with a scope, a server or the context. */

#include "group.h"

CASE(nobody_handles_it, IN_BOTH) {
  group *self = group_open(threads);
  EXPECT_OK(mainstem_scope_end(self->server));
  ask(self, "same");
  expect_seen(self, "a1<0 r2<1 =3<2 to2 UNHANDLED =4<3 to1s UNHANDLED !1");
  group_close(self);
}

CASE(a_scope_that_ends_gives_up, IN_BOTH) {
  group *self = group_open(threads);
  mainstem_context *scope = scope_open(self->on.context, "View");
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  ask(self, "same");
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(self->stopped, 0); /* The first has gone, another one waits. */
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  EXPECT_EQUAL(self->answered, 2);
  scope = scope_open(self->on.context, "View");
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(self->stopped, 1);
  EXPECT_EQUAL(self->answered, 4);
  group_close(self);
}

CASE(the_last_server_that_ends_answers_all, IN_BOTH) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_scope_end(self->server));
  expect_seen(self, "=4<0 to2 CANCELLED =5<4 to1s CANCELLED !1 =6<4 to3s CANCELLED !3");
  group_close(self);
}

CASE(a_closing_context_answers_all, IN_BOTH) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  group_close(self);
  expect_seen(self, "=4<0 to1 CANCELLED !1 =5<0 to2 CANCELLED =6<0 to3 CANCELLED !3");
  EXPECT_EQUAL(self->stopped, 1);
}

/* The one request is refused like any other; then that is the answer. */
CASE(a_full_server_refuses_all, IN_BOTH) {
  static const mainstem_handler_row row = {"RequestAsk", start_work, 0};
  group *self = group_open(threads);
  EXPECT_OK(mainstem_scope_end(self->server));
  EXPECT_OK(mainstem_server_add_with(
      self->on.context, "Slow", &row, sizeof row, 1,
      OPTIONS(server, .scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 1), self, NULL, NULL));
  ask(self, "one");
  ask(self, "one"); /* An asker takes no room there. */
  ask(self, "two");
  expect_seen(self, "a1<0 r2<1 a3<0 a4<0 =5<4 to4s FULL !4");
  EXPECT_EQUAL(stats_of(self->on.context).rejected, 1);
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  ask(self, "two");
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_EQUAL(self->started, 2);
  group_close(self);
}

CASE(a_cascade_has_its_limit, IN_BOTH) {
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .limit_cascade = 1);
  group *self = group_with(context);
  EXPECT_OK(mainstem_observe(context, self->on.notice, ask_three, self, NULL, NULL));
  EXPECT_OK(mainstem_send(context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->started, 0);
  EXPECT_EQUAL(self->answered, 3);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 1);
  group_close(self);
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Which event's callback a thread is in, if what it sends is an output. */

#include "elsewhere.h"
#include "scheduled.h"

typedef struct place {
  mainstem_context *context;
  transcript *seen;
  const char *name;
} place;

static uint64_t event_here(mainstem_context *context) {
  uint64_t position = 77;
  EXPECT_OK(mainstem_callback_position(context, &position));
  return position;
}

static void tell(place *self) {
  transcript_add(self->seen, "%s%llu", self->name, (unsigned long long)event_here(self->context));
}

static void tell_of_event(void *user_data, const mainstem_event *event) {
  tell((place *)user_data);
}

static void tell_and_answer(void *user_data, const mainstem_event *event) {
  tell((place *)user_data);
  EXPECT_OK(mainstem_respond(event, "", 0));
}

static void tell_of_end(void *user_data) { tell((place *)user_data); }

static mainstem_status tell_and_show(void *user_data, mainstem_context *server,
                                     const mainstem_event_type *types) {
  tell((place *)user_data);
  return MAINSTEM_OK;
}

static void serve(place *self, mainstem_event_fn fn) {
  const mainstem_handler_row row = {"RequestAsk", fn, 0};
  EXPECT_OK(mainstem_server_add_with(self->context, "Server", &row, sizeof row, 1,
                                     OPTIONS(server, .show = tell_and_show), self, NULL, NULL));
}

/* Catches: a first show, a hook or a request from outside that counts as inside. */
CASE(what_a_replay_calls_again_is_inside, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  place observer = {on.context, &seen, "o"}, server = {on.context, &seen, "s"};
  place asker = {on.context, &seen, "a"};
  const scheduled once = {.count = 1};
  EXPECT_EQUAL(event_here(on.context), 0);
  serve(&server, tell_and_answer);
  observe_on(on.context, on.notice, &once, tell_of_event, &observer, tell_of_end);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, tell_of_event, &asker, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(event_here(on.context), 0);
  EXPECT_TEXT(seen.text, "s0 o1 o0 s2 s2 a0");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct asker {
  place here;
  stream *on;
} asker;

static void ask(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  EXPECT_OK(
      mainstem_request(event->context, self->on->ask, "", 0, tell_of_event, &self->here, NULL));
}

static void answer(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "", 0));
}

/* Catches: completions that are all outside. */
CASE(an_answer_to_a_request_of_a_callback_is_inside, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  asker self = {{on.context, &seen, "a"}, &on};
  serve_one(on.context, "Server", "RequestAsk", answer, NULL);
  EXPECT_OK(mainstem_observe(on.context, on.notice, ask, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a3");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a scheduler's callback, whose events are inputs, that counts as inside. */
CASE(on_a_scheduler_it_is_outside, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  place host = {on.context, &seen, "h"};
  const scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  observe_on(on.context, on.notice, &how, tell_of_event, &host, NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(drained(on.context, 0), 1);
  EXPECT_TEXT(seen.text, "h0");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct bridge {
  stream *to;
  place here;
} bridge;

static void send_over(void *user_data, const mainstem_event *event) {
  bridge *self = (bridge *)user_data;
  EXPECT_OK(mainstem_send(self->to->context, self->to->other, "", 0));
  tell(&self->here);
}

/* Catches: the innermost callback's event, whichever context it is of. */
CASE(each_context_has_its_own, IN_BOTH) {
  stream one = stream_open(threads), two = stream_open(threads);
  transcript seen = {0, ""};
  place of_one = {one.context, &seen, "one"}, of_two = {two.context, &seen, "two"};
  bridge over = {&two, {two.context, &seen, "back"}};
  EXPECT_OK(mainstem_send(one.context, one.other, "", 0));
  EXPECT_OK(mainstem_observe(one.context, one.notice, send_over, &over, NULL, NULL));
  EXPECT_OK(mainstem_observe(two.context, two.other, tell_of_event, &of_one, NULL, NULL));
  EXPECT_OK(mainstem_observe(two.context, two.other, tell_of_event, &of_two, NULL, NULL));
  EXPECT_OK(mainstem_send(one.context, one.notice, "", 0));
  EXPECT_TEXT(seen.text, "one2 two1 back0");
  EXPECT_OK(mainstem_context_close(one.context));
  EXPECT_OK(mainstem_context_close(two.context));
}

static void *ask_elsewhere(void *data) {
  uint64_t position = 77;
  EXPECT_STATUS(mainstem_callback_position((mainstem_context *)data, &position),
                MAINSTEM_WRONG_THREAD);
  EXPECT_EQUAL(position, 77);
  return NULL;
}

static void *ask_any(void *data) {
  EXPECT_EQUAL(event_here((mainstem_context *)data), 0);
  return NULL;
}

CASE(wrong_calls_are_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "Scope");
  mainstem_subscription *subscription = NULL;
  uint64_t position = 77;
  EXPECT_EQUAL(event_here(scope), 0);
  EXPECT_STATUS(mainstem_callback_position(on.context, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_callback_position(NULL, &position), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_observe(on.context, on.notice, answer, NULL, NULL, &subscription));
  EXPECT_STATUS(mainstem_callback_position((mainstem_context *)(void *)subscription, &position),
                MAINSTEM_WRONG_KIND);
  elsewhere(threads == MAINSTEM_THREADS_ONE ? ask_elsewhere : ask_any, on.context);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_STATUS(mainstem_callback_position(scope, &position), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_STATUS(mainstem_callback_position(on.context, &position), MAINSTEM_STALE);
  EXPECT_EQUAL(position, 77);
}

int main(void) { return expect_all(); }

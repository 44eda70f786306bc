// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Servers: a table of handlers that comes whole, speaks under its name and ends whole. */

#include "asking.h"
#include "guessed.h"
#include "transcript.h"

static void answer_as_server(void *user_data, const mainstem_event *event) {
  uint32_t *origin = (uint32_t *)user_data;
  mainstem_event_type type = type_named(event->context, "Notice");
  EXPECT_OK(mainstem_send(event->context, type, "", 0));
  EXPECT_OK(mainstem_respond(event, "x", 1));
  *origin = event->origin;
}

typedef struct origins {
  uint32_t notice, answer;
} origins;

static void note_origin(void *user_data, const mainstem_event *event) {
  *(uint32_t *)user_data = event->origin;
}

/* Catches: answers and sends of a handler stamped with the asker's origin. */
CASE(a_server_speaks_under_its_name, IN_BOTH) {
  stream on = stream_open(threads);
  origins seen = {99, 99};
  uint32_t asked = 99;
  const char *name;
  EXPECT_OK(mainstem_observe(on.context, on.notice, note_origin, &seen.notice, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.answer, note_origin, &seen.answer, NULL, NULL));
  serve_one(on.context, "Server", "RequestAsk", answer_as_server, &asked);
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_origin_name(on.context, seen.notice, &name));
  EXPECT_TEXT(name, "Server");
  EXPECT_OK(mainstem_origin_name(on.context, seen.answer, &name));
  EXPECT_TEXT(name, "Server");
  EXPECT_OK(mainstem_origin_name(on.context, asked, &name));
  EXPECT_TEXT(name, "");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a hook per handler, a hook before the last call, a handler left behind. */
CASE(a_server_ends_whole_with_one_hook, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_handler_row rows[] = {
      {"Notice", witness_event, 0}, {"Other", witness_event, 0}, {"Notice", witness_event, 0}};
  mainstem_context *server;
  EXPECT_OK(mainstem_server_add(on.context, "Server", rows, sizeof rows[0], 2, &a, witness_release,
                                &server));
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 a2 ~a");
  EXPECT_STATUS(mainstem_scope_end(server), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_send(server, on.notice, "", 0), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a1 a2 ~a");
}

static void end_server(void *user_data, const mainstem_event *event) {
  if (event->position == 1) EXPECT_OK(mainstem_scope_end(event->context));
}

/* Catches: the table freed, or the hook run, while one of its handlers runs. */
CASE(a_handler_may_end_its_server, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", end_server, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_handler_row rows[] = {{"Notice", witness_event, 0}, {"Other", witness_event, 0}};
  EXPECT_OK(mainstem_server_add(on.context, "Server", rows, sizeof rows[0], 2, &a, witness_release,
                                NULL));
  witness_observe(&b, on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_TEXT(seen.text, "a1( ) ~a b1 b2");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct spawner {
  stream on;
  keeper kept;
  int spawned;
} spawner;

static void spawn(void *user_data, const mainstem_event *event) {
  spawner *self = (spawner *)user_data;
  stream inner = self->on;
  inner.context = event->context;
  if (self->spawned++ == 0) keeper_serve(&self->kept, &inner);
}

/* Acceptance A-17: a server made by a server's handler ends with it. */
CASE(a_server_of_a_server_ends_with_it, IN_BOTH) {
  spawner self = {0};
  asking one;
  self.on = stream_open(threads);
  mainstem_context *server = serve_one(self.on.context, "Parent", "Notice", spawn, &self);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_EQUAL(stats_of(self.on.context).scopes, 2);
  asking_ask(&one, &self.on);
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_EQUAL(stats_of(self.on.context).scopes, 0);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a larger row of a newer host read with the wrong stride. */
CASE(rows_may_be_larger_than_ours, IN_BOTH) {
  struct newer {
    mainstem_handler_row row;
    uint64_t more[3];
  } rows[2] = {{{"Notice", witness_event, 0}, {0, 2, 3}}, {{"Other", witness_event, 0}, {0, 5, 6}}};
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_status status =
      mainstem_server_add(on.context, "S", &rows[0].row, sizeof rows[0], 2, &a, NULL, NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  if (status == MAINSTEM_OK) EXPECT_TEXT(seen.text, "a1 a2");
  else EXPECT_STATUS(status, MAINSTEM_UNSUPPORTED);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void ignore(void *user_data, const mainstem_event *event) {}

static void count_end(void *user_data) { ++*(int *)user_data; }

/* Catches: what ends by a handle nobody was given: a handler whose server shows, and has freed what it shows; a row of a
   binding; an observer whose handle nobody wanted. */
CASE(no_guessed_handle_ends_an_observer, IN_BOTH) {
  static const mainstem_handler_row row = {"ResponseAnswer", ignore, 0};
  static const mainstem_viewmodel_row model[] = {
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0, NULL}};
  static const mainstem_binding_row rows[] = {{"go.error", ignore, 0},
                                              {"go.executing", ignore, MAINSTEM_BINDING_TWO_WAY}};
  enum { MANY = 16 };
  stream on = stream_open(threads);
  mainstem_subscription *subscriptions[MANY];
  mainstem_context *shown;
  int ended = 0;
  for (size_t i = 0; i < MANY; i++) {
    EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, i % 2, &ended, count_end,
                                  NULL));
    EXPECT_OK(mainstem_viewmodel_add(on.context, "Model", MAINSTEM_ROWS(model), NULL, &ended,
                                     count_end, &shown));
    EXPECT_OK(
        mainstem_binding_add(on.context, shown, MAINSTEM_ROWS(rows), &ended, count_end, NULL));
    EXPECT_OK(mainstem_observe(on.context, on.other, ignore, &ended, count_end, NULL));
    EXPECT_OK(mainstem_observe(on.context, on.notice, ignore, NULL, NULL, &subscriptions[i]));
  }
  expect_no_guess_ends(subscriptions, MANY);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(ended, 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(ended, 4 * MANY);
}

int main(void) { return expect_all(); }

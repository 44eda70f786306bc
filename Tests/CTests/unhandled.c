// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The message of UNHANDLED: who could have answered. */

#include "asking.h"

typedef struct told {
  int calls;
  char message[1000];
} told;

static void note_sentence(void *user_data, const mainstem_event *event) {
  told *self = (told *)user_data;
  mainstem_error error = {sizeof error, 0, NULL, NULL, NULL};
  self->calls++;
  EXPECT_STATUS(event->status, MAINSTEM_UNHANDLED);
  EXPECT_OK(mainstem_event_error(event, &error));
  EXPECT_TEXT(error.user_message, "");
  EXPECT_TEXT(error.subject, "");
  EXPECT_TEXT(event->user_message, error.message);
  EXPECT_EQUAL(event->size, strlen(error.message) + 3);
  snprintf(self->message, sizeof self->message, "%s", error.message);
}

static const char *ask(const stream *on, mainstem_event_type type) {
  static told self;
  memset(&self, 0, sizeof self);
  EXPECT_OK(mainstem_request(on->context, type, "", 0, note_sentence, &self, NULL));
  EXPECT_EQUAL(self.calls, 1);
  return self.message;
}

static void ignore(void *user_data, const mainstem_event *event) {}

static mainstem_context *serve(mainstem_context *context, const char *name) {
  mainstem_context *server = serve_one(context, name, "Notice", ignore, NULL);
  return server;
}

/* Catches: a list in the order of a tree, of ended servers, or of scopes that are none. */
CASE(the_servers_are_named_in_order_of_registration, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope, *first, *second, *third;
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk: there is none in this context");
  scope = scope_open(on.context, "Scope");
  first = serve(scope, "One");
  second = serve(on.context, "Two");
  third = serve(first, "Three");
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk; the servers are One, Two, Three");
  EXPECT_OK(mainstem_scope_end(second));
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk; the servers are One, Three");
  second = serve(on.context, "Two");
  EXPECT_OK(mainstem_scope_end(third));
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk; the servers are One, Two");
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk; the servers are Two");
  EXPECT_OK(mainstem_scope_end(second));
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk: there is none in this context");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a message that runs over its room, or is cut inside a name. */
CASE(a_long_list_is_cut_between_two_names, IN_BOTH) {
  stream on = stream_open(threads);
  char name[256] = "Request", message[1000];
  for (int i = 0; i < 100; i++) serve(on.context, "A server with a name");
  snprintf(message, sizeof message, "%s", ask(&on, on.ask));
  size_t length = strlen(message);
  EXPECT(length > 500 && length < 640);
  EXPECT_TEXT(message + length - strlen("A server with a name, …"), "A server with a name, …");
  memset(name + 7, 'x', 248);
  mainstem_event_type type = type_open(on.context, name, MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  snprintf(message, sizeof message, "%s", ask(&on, type));
  length = strlen(message);
  EXPECT(strstr(message, name) != NULL);
  EXPECT(length > 500 && length < 640);
  EXPECT_TEXT(message + length - strlen("A server with a name, …"), "A server with a name, …");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct chance {
  stream *on;
  asking first, second;
  mainstem_context *server;
} chance;

static void answer_at_once(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void ask_serve_ask(void *user_data, const mainstem_event *event) {
  chance *self = (chance *)user_data;
  asking_ask(&self->first, self->on);
  self->server = serve_one(event->context, "Server", "RequestAsk", answer_at_once, NULL);
  asking_ask(&self->second, self->on);
  EXPECT_EQUAL(stats_of(event->context).requests, 2); /* Nothing is decided yet. */
}

static void ask_and_end(void *user_data, const mainstem_event *event) {
  chance *self = (chance *)user_data;
  asking_ask(&self->first, self->on);
  EXPECT_OK(mainstem_scope_end(self->server));
}

/* Catches: UNHANDLED before the request has reached its observers; a server that gets what was accepted
   before it; UNHANDLED where there was a server. */
CASE(it_is_decided_when_the_request_is_delivered, IN_BOTH) {
  stream on = stream_open(threads);
  chance self = {.on = &on};
  EXPECT_OK(mainstem_observe(on.context, on.notice, ask_serve_ask, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, ask_and_end, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_STATUS(self.first.last.status, MAINSTEM_UNHANDLED);
  EXPECT_STATUS(self.second.last.status, MAINSTEM_OK);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_STATUS(self.first.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

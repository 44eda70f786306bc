// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The sentence of UNHANDLED: who could have answered. */

#include "asking.h"

typedef struct told {
  int calls;
  char sentence[1000];
} told;

static void note_sentence(void *user_data, const mainstem_event *event) {
  told *self = (told *)user_data;
  mainstem_error error = {sizeof error, 0, NULL, NULL, NULL};
  self->calls++;
  EXPECT_STATUS(event->status, MAINSTEM_UNHANDLED);
  EXPECT_OK(mainstem_event_error(event, &error));
  EXPECT_TEXT(error.text, "");
  EXPECT_TEXT(error.subject, "");
  EXPECT_TEXT(event->text, error.sentence);
  EXPECT_EQUAL(event->size, strlen(error.sentence) + 3);
  snprintf(self->sentence, sizeof self->sentence, "%s", error.sentence);
}

static const char *ask(const stream *on, mainstem_event_type type) {
  static told self;
  memset(&self, 0, sizeof self);
  EXPECT_OK(mainstem_request(on->context, type, "", 0, note_sentence, &self, NULL));
  EXPECT_EQUAL(self.calls, 1);
  return self.sentence;
}

static void ignore(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

static mainstem_context *serve(mainstem_context *context, const char *name) {
  static const mainstem_handler_row row = {"Notice", ignore};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add(context, name, &row, sizeof row, 1, NULL, NULL, &server));
  return server;
}

/* Catches: a list in the order of a tree, of ended servers, or of scopes that are none. */
static void the_servers_are_named_in_order_of_registration(uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_context *scope, *first, *second, *third;
  EXPECT_TEXT(ask(&on, on.ask), "no server handles RequestAsk: there is none in this context");
  EXPECT_OK(mainstem_scope_add(on.context, "Scope", &scope));
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

/* Catches: a sentence that runs over its room, or is cut inside a name. */
static void a_long_list_is_cut_between_two_names(uint32_t threads) {
  stream on = stream_open(threads);
  char name[256] = "Request", sentence[1000];
  mainstem_event_type type;
  size_t length;
  for (int i = 0; i < 100; i++) serve(on.context, "A server with a name");
  snprintf(sentence, sizeof sentence, "%s", ask(&on, on.ask));
  length = strlen(sentence);
  EXPECT(length > 500 && length < 640);
  EXPECT_TEXT(sentence + length - strlen("A server with a name, …"), "A server with a name, …");
  memset(name + 7, 'x', 248);
  type = type_open(on.context, name, MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  snprintf(sentence, sizeof sentence, "%s", ask(&on, type));
  length = strlen(sentence);
  EXPECT(strstr(sentence, name) != NULL);
  EXPECT(length > 500 && length < 640);
  EXPECT_TEXT(sentence + length - strlen("A server with a name, …"), "A server with a name, …");
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"the servers are named in order of registration",
     the_servers_are_named_in_order_of_registration, IN_BOTH},
    {"a long list is cut between two names", a_long_list_is_cut_between_two_names, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

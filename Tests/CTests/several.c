// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A request has one handler, unless all of its handlers say that there are several: decision 0076. */

#include "asking.h"
#include "transcript.h"

enum { ALONE = 0, OWN = MAINSTEM_HANDLER_OWN, SEVERAL = MAINSTEM_HANDLER_SEVERAL };

/* Adds a server with one handler. The witness notes its calls. */
static mainstem_status serve(const stream *on, const char *type, uint32_t flags, witness *who,
                             mainstem_context **server) {
  const mainstem_handler_row row = {type, witness_event, flags};
  return mainstem_server_add(on->context, who->name, &row, sizeof row, 1, who, witness_release,
                             server);
}

/* What the last call was refused with has both names. */
static void expect_both_named(const char *type, const char *server) {
  const char *message = mainstem_last_error();
  EXPECT(strstr(message, type) != NULL);
  EXPECT(strstr(message, server) != NULL);
  EXPECT(strstr(message, "MAINSTEM_HANDLER_SEVERAL") != NULL);
}

/* Catches: a second answerer that is added in silence, or half; one that is refused when the first has ended. */
CASE(a_second_server_is_refused_until_the_first_ends, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_context *first, *second = on.context;
  asking one;
  EXPECT_OK(serve(&on, "RequestAsk", ALONE, &a, &first));
  EXPECT_STATUS(serve(&on, "RequestAsk", ALONE, &b, &second), MAINSTEM_INVALID);
  expect_both_named("RequestAsk", "server a");
  EXPECT(second == NULL);
  EXPECT_STATUS(serve(&on, "RequestAsk", SEVERAL, &b, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(serve(&on, "RequestAsk", OWN, &b, NULL), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
  asking_ask(&one, &on);
  EXPECT_TEXT(seen.text, "a1");
  EXPECT_OK(mainstem_scope_end(first));
  EXPECT_OK(serve(&on, "RequestAsk", ALONE, &b, &second));
  asking_ask(&one, &on);
  /* Nobody has answered the first: two events say so. */
  EXPECT_TEXT(seen.text, "a1 ~a b4");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a second answerer that is added while the first waits until it joins. */
CASE(who_has_not_joined_is_there, IN_BOTH) {
  static const uint32_t first[] = {ALONE, OWN, OWN | SEVERAL};
  for (size_t index = 0; index < COUNT(first); index++) {
    stream on =
        stream_of(CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST));
    transcript seen = {0, ""};
    witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
    EXPECT_OK(mainstem_send(on.context, on.notice, "n", 1));
    EXPECT_OK(serve(&on, "RequestAsk", first[index], &a, NULL));
    EXPECT_STATUS(serve(&on, "RequestAsk", ALONE, &b, NULL), MAINSTEM_INVALID);
    expect_both_named("RequestAsk", "server a");
    EXPECT_EQUAL(stats_of(on.context).scopes, 1);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

/* Catches: a flag that one of them forgets, and a count that outlives a server. */
CASE(several_say_so_all_of_them, IN_BOTH) {
  static const struct {
    uint32_t first, second;
    mainstem_status status;
  } cases[] = {{ALONE, ALONE, MAINSTEM_INVALID},
               {ALONE, SEVERAL, MAINSTEM_INVALID},
               {SEVERAL, ALONE, MAINSTEM_INVALID},
               {SEVERAL, SEVERAL, MAINSTEM_OK},
               {OWN, ALONE, MAINSTEM_INVALID},
               {OWN, SEVERAL, MAINSTEM_INVALID},
               {OWN, OWN, MAINSTEM_OK}, /* Each gets only its own. */
               {OWN, OWN | SEVERAL, MAINSTEM_OK},
               {OWN | SEVERAL, ALONE, MAINSTEM_INVALID},
               {OWN | SEVERAL, SEVERAL, MAINSTEM_OK},
               {ALONE, OWN, MAINSTEM_INVALID},
               {ALONE, OWN | SEVERAL, MAINSTEM_INVALID},
               {SEVERAL, OWN, MAINSTEM_INVALID},
               {SEVERAL, OWN | SEVERAL, MAINSTEM_OK}};
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  for (size_t i = 0; i < COUNT(cases); i++) {
    mainstem_context *first, *second;
    EXPECT_OK(serve(&on, "RequestAsk", cases[i].first, &a, &first));
    EXPECT_STATUS(serve(&on, "RequestAsk", cases[i].second, &b, &second), cases[i].status);
    if (cases[i].status) expect_both_named("RequestAsk", "server a");
    EXPECT_OK(mainstem_scope_end(first));
    if (second != NULL) EXPECT_OK(mainstem_scope_end(second));
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: one table that answers twice; a server that is refused for what it did not add. */
CASE(a_table_has_a_request_once, IN_BOTH) {
  stream on = stream_open(threads);
  const mainstem_handler_row twice[] = {{"RequestAsk", witness_event, OWN},
                                        {"Notice", witness_event, 0},
                                        {"Notice", witness_event, 0},
                                        {"RequestAsk", witness_event, 0}};
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  EXPECT_STATUS(mainstem_server_add(on.context, "Twice", MAINSTEM_ROWS(twice), &a, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "RequestAsk") != NULL);
  EXPECT(strstr(mainstem_last_error(), "has two rows") != NULL);
  EXPECT_OK(mainstem_server_add(on.context, "Once", twice, sizeof twice[0], 3, &a, NULL, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a rule for what nobody answers. */
CASE(what_is_not_answered_may_have_several, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_event_type poke =
      type_open(on.context, "RequestPoke", MAINSTEM_PAYLOAD_NONE, NULL); /* Only sent. */
  const char *const names[] = {"Notice", "ResponseAnswer", "RequestPoke"};
  for (size_t i = 0; i < COUNT(names); i++) {
    EXPECT_OK(serve(&on, names[i], ALONE, &a, NULL));
    EXPECT_OK(serve(&on, names[i], ALONE, &b, NULL));
    EXPECT_OK(serve(&on, names[i], OWN, &b, NULL));
  }
  EXPECT_OK(mainstem_send(on.context, poke, NULL, 0));
  EXPECT_TEXT(seen.text, "a1 b1");
  EXPECT_OK(mainstem_context_close(on.context));
}

static mainstem_status make_service(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  const mainstem_handler_row row = {"RequestAsk", witness_event, 0};
  return mainstem_server_add(scope, NULL, &row, sizeof row, 1, user_data, NULL, NULL);
}

static mainstem_status add_service(const stream *on, const char *name, witness *who) {
  static const char *const types[] = {"RequestAsk"};
  return mainstem_service_add(on->context, name, types, 1, MAINSTEM_PAYLOAD_NONE, make_service, who,
                              NULL);
}

/* Catches: two services of one request, and an instance that is refused beside its own service. */
CASE(a_service_is_a_server_too, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_context *instance;
  asking one;
  EXPECT_OK(add_service(&on, "Diary", &a));
  EXPECT_STATUS(add_service(&on, "Book", &a), MAINSTEM_INVALID);
  expect_both_named("RequestAsk", "RequestOpen.Diary");
  EXPECT_STATUS(serve(&on, "RequestAsk", SEVERAL, &a, NULL), MAINSTEM_INVALID);
  asking_ask(&one, &on);
  EXPECT_TEXT(seen.text, "a1");
  EXPECT_OK(mainstem_service_find(on.context, "Diary", &instance));
  EXPECT_OK(mainstem_scope_end(instance));
  asking_ask(&one, &on); /* Another instance. */
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

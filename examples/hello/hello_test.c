// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include <mainstem/testing.h>
#include <stdio.h>

/* What is tested: a server that greets, and asks another one how loud. */
static void shout(void *user_data, const mainstem_event *loudness) {
  mainstem_retained *greeting = (mainstem_retained *)user_data;
  const mainstem_event *request;
  char text[80];
  mainstem_retained_event(greeting, &request);
  int length = snprintf(text, sizeof text, "Hello, %.20s%.*s", (const char *)request->data,
                        (int)loudness->size, (const char *)loudness->data);
  mainstem_respond(request, text, (size_t)length);
  mainstem_retained_release(greeting);
}

static void greet(void *user_data, const mainstem_event *event) {
  const mainstem_event_type *loudness = (const mainstem_event_type *)user_data;
  mainstem_retained *kept;
  if (mainstem_event_retain(event, &kept) != MAINSTEM_OK) return;
  mainstem_request(event->context, *loudness, NULL, 0, shout, kept, NULL);
}

static const mainstem_type_row catalogue[] = {
    {"RequestGreet", MAINSTEM_PAYLOAD_TEXT, "ResponseGreeting"},
    {"ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL},
    {"RequestLoudness", MAINSTEM_PAYLOAD_NONE, "ResponseLoudness"},
    {"ResponseLoudness", MAINSTEM_PAYLOAD_TEXT, NULL}};
static const mainstem_handler_row handlers[] = {{"RequestGreet", greet, 0}};

/* The test. The other server is a stub, and slow. */
static void a_greeting_is_as_loud_as_wanted(mainstem_test *test, void *user_data) {
  const mainstem_test_answer slow[] = {{"!", 1, MAINSTEM_OK, 1, 500}};
  mainstem_context *context = mainstem_test_context(test);
  mainstem_event_type type[4];
  (void)user_data;
  MAINSTEM_TEST_OK(test, mainstem_types_add(context, MAINSTEM_ROWS(catalogue), type));
  MAINSTEM_TEST_OK(
      test, mainstem_server_add(context, "Greeter", MAINSTEM_ROWS(handlers), &type[2], NULL, NULL));
  mainstem_test_keep(test); /* The server may be there at the end. */
  MAINSTEM_TEST_STUB(test, "RequestLoudness", slow, 1);

  MAINSTEM_TEST_OK(test, mainstem_request(context, type[0], "Ada", 4, NULL, NULL, NULL));
  MAINSTEM_TEST_EXPECT(test, "RequestGreet", "Ada", 4);
  MAINSTEM_TEST_EXPECT_TEXT(test, "RequestLoudness", "");
  MAINSTEM_TEST_ADVANCE(test, 499);
  MAINSTEM_TEST_EXPECT_NOTHING(test);
  MAINSTEM_TEST_ADVANCE(test, 1);
  MAINSTEM_TEST_EXPECT_TEXT(test, "ResponseLoudness", "!");
  MAINSTEM_TEST_EXPECT_TEXT(test, "ResponseGreeting", "Hello, Ada!");
}

int main(void) { return mainstem_test_seeds(NULL, 10, a_greeting_is_as_loud_as_wanted, NULL) != 0; }

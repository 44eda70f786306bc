// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include <mainstem/testing.h>
#include <stdio.h>

int main(void) {
  mainstem_test_answer hello = {"Hello, Ada", 10, MAINSTEM_OK, 1, 0};
  mainstem_test *test = mainstem_test_open(NULL);
  mainstem_context *context = mainstem_test_context(test);
  mainstem_event_type request, response;
  mainstem_type_add(context, "RequestGreet", MAINSTEM_PAYLOAD_NONE, "ResponseGreeting", &request);
  mainstem_type_add(context, "ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL, &response);
  MAINSTEM_TEST_STUB(test, "RequestGreet", &hello, 1);
  MAINSTEM_TEST_OK(test, mainstem_request(context, request, NULL, 0, NULL, NULL, NULL));
  MAINSTEM_TEST_EXPECT_TEXT(test, "RequestGreet", "");
  const mainstem_event *answer = MAINSTEM_TEST_NEXT(test, "ResponseGreeting");
  printf("%s\n", (const char *)answer->data);
  MAINSTEM_TEST_CLOSE(test);
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include <mainstem.h>
#include <stdio.h>

static void greet(void *user_data, const mainstem_event *event) {
  (void)user_data;
  mainstem_respond(event, "Hello, Ada", 10);
}

static void show(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("%.*s\n", (int)event->size, (const char *)event->data);
}

static const mainstem_handler_row handlers[] = {{"RequestGreet", greet, 0}};

int main(void) {
  mainstem_context *context;
  mainstem_event_type request, response;
  mainstem_context_create(NULL, &context);
  mainstem_type_add(context, "RequestGreet", MAINSTEM_PAYLOAD_NONE, "ResponseGreeting", &request);
  mainstem_type_add(context, "ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL, &response);
  mainstem_server_add(context, "Greeter", handlers, sizeof handlers[0], 1, NULL, NULL, NULL);
  mainstem_request(context, request, NULL, 0, show, NULL, NULL);
  mainstem_status failed = mainstem_context_first_error(context, NULL);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include <mainstem.h>
#include <stdio.h>

enum { REQUEST_GREET, RESPONSE_GREETING, TYPES, NO_NAME = 1000 };

/* The program, as its list of events. */
static const mainstem_type_row catalogue[TYPES] = {
    {"RequestGreet", MAINSTEM_PAYLOAD_TEXT, "ResponseGreeting"},
    {"ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL}};

static void greet(void *greeted, const mainstem_event *event) {
  char text[80];
  if (event->size == 0 || event->size > 50) {
    mainstem_respond_error(event, NO_NAME, "Please tell me your name.");
    return;
  }
  int length = snprintf(text, sizeof text, "Hello, %.*s, guest %d", (int)event->size,
                        (const char *)event->data, ++*(int *)greeted);
  mainstem_respond(event, text, (size_t)length);
}

static const mainstem_handler_row handlers[] = {{"RequestGreet", greet, 0}};

/* An answer or an error: exactly one. */
static void show(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->status != MAINSTEM_OK) printf("failed: %s\n", event->user_message);
  else printf("%.*s\n", (int)event->size, (const char *)event->data);
}

int main(void) {
  mainstem_context *context;
  mainstem_event_type type[TYPES];
  const char *message;
  int greeted = 0;
  mainstem_context_create(NULL, &context);
  mainstem_types_add(context, MAINSTEM_ROWS(catalogue), type);
  mainstem_server_add(context, "Greeter", MAINSTEM_ROWS(handlers), &greeted, NULL, NULL);
  mainstem_request(context, type[REQUEST_GREET], "Ada", 3, show, NULL, NULL);
  mainstem_request(context, type[REQUEST_GREET], "", 0, show, NULL, NULL);
  mainstem_status failed = mainstem_context_first_error(context, &message); /* for all above */
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

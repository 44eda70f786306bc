// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Secret types: what is shown of their events, and what is refused. */

#include "secret.h"

typedef struct shown {
  int lines, events;
  uint32_t flags;
  char text[4096];
} shown;

static void show_line(void *user_data, const char *line) {
  shown *self = (shown *)user_data;
  self->lines++;
  EXPECT(strlen(self->text) + strlen(line) + 2 < sizeof self->text);
  strcat(self->text, line);
  strcat(self->text, "\n");
}

static void see(void *user_data, const mainstem_event *event) {
  shown *self = (shown *)user_data;
  self->events++;
  self->flags |= event->flags;
}

static void password_arrives(void *user_data, const mainstem_event *event) {
  *(int *)user_data += 1;
  EXPECT_EQUAL(event->size, PASSWORD_SIZE);
  EXPECT_EQUAL(password_find((const char *)event->data, event->size), 0);
  EXPECT(event->flags & MAINSTEM_EVENT_SECRET);
}

CASE(an_observer_gets_it_whole_and_flagged, IN_BOTH) {
  stream on = secrets_open(threads);
  mainstem_event_type types[2];
  int calls = 0;
  types[0] = on.notice;
  types[1] = on.other;
  for (int i = 0; i < 2; i++) {
    mainstem_subscription *subscription;
    EXPECT_OK(
        mainstem_observe(on.context, types[i], password_arrives, &calls, NULL, &subscription));
    EXPECT_OK(secret_send(on.context, types[i]));
  }
  EXPECT_EQUAL(calls, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(others_are_not_flagged, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *subscription;
  shown seen = {0};
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, see, &seen, NULL, &subscription));
  EXPECT_OK(send_text(on.context, on.notice, "x"));
  EXPECT_OK(mainstem_post(on.context, on.other, "x", 1));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(seen.events, 2);
  EXPECT_EQUAL(seen.flags & MAINSTEM_EVENT_SECRET, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer_with_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void refuse_it(void *user_data, const mainstem_event *event) {
  char message[PASSWORD_SIZE + 1] = {0};
  memcpy(message, event->data, event->size);
  EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, message));
}

static void fail_with_it(void *user_data, const mainstem_event *event) {
  char message[PASSWORD_SIZE + 1] = {0};
  memcpy(message, event->data, event->size);
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, message));
}

/* A line shows neither payload nor size nor the message of an error; a report of a failure not what
 * was said of it. */
CASE(a_line_shows_that_it_is_a_secret, IN_BOTH) {
  stream on = secrets_open(threads);
  mainstem_handler_row row = {"RequestSignIn", answer_with_it, 0};
  mainstem_context *server;
  mainstem_subscription *subscription;
  shown seen = {0};
  char password[PASSWORD_SIZE];
  EXPECT_OK(mainstem_trace(on.context, show_line, &seen));
  EXPECT_OK(mainstem_observe(on.context, on.other, fail_with_it, NULL, NULL, &subscription));
  EXPECT_OK(mainstem_server_add(on.context, "Session", &row, sizeof row, 1, NULL, NULL, &server));
  password_write(password);
  EXPECT_OK(mainstem_request(on.context, on.ask, password, sizeof password, NULL, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(server));
  row.fn = refuse_it;
  EXPECT_OK(mainstem_server_add(on.context, "Door", &row, sizeof row, 1, NULL, NULL, &server));
  EXPECT_OK(mainstem_request(on.context, on.ask, password, sizeof password, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, password, sizeof password));
  EXPECT_TEXT(
      seen.text,
      "#1 RequestSignIn <secret>\n"
      "#2 ResponseSession ok ← #1 Session <secret>\n"
      "#3 RequestSignIn <secret>\n"
      "#4 ResponseSession 1000 ← #3 Door <secret>\n"
      "#5 Typed <secret>\n"
      "#6 Key <secret>\n"
      "#7 MainstemFailure ← #6 "
      "{\"type\":\"Key\",\"origin\":\"\",\"code\":1000,\"sentence\":\"<secret>\",\"count\":1}"
      "\n");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(refusals_do_not_quote_it, IN_BOTH) {
  stream on = secrets_open(threads);
  char password[PASSWORD_SIZE];
  mainstem_event_type key =
      type_open(on.context, "Fixed", MAINSTEM_PAYLOAD_STRUCT | MAINSTEM_SECRET | 8, NULL);
  const char *first;
  password_write(password);
  EXPECT_STATUS(mainstem_send(on.context, key, password, sizeof password), MAINSTEM_INVALID);
  EXPECT_EQUAL(password_find(mainstem_last_error(), strlen(mainstem_last_error())), -1);
  EXPECT(strstr(mainstem_last_error(), "40") == NULL);
  password[5] = (char)0xff;
  EXPECT_STATUS(mainstem_send(on.context, on.notice, password, sizeof password), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "40") == NULL);
  EXPECT_STATUS(mainstem_context_first_error(on.context, &first), MAINSTEM_INVALID);
  EXPECT(strstr(first, "40") == NULL);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_secret_has_no_history, IN_BOTH) {
  stream on = secrets_open(threads);
  mainstem_type_info info = {.size = sizeof info};
  EXPECT_STATUS(mainstem_history_keep(on.context, on.notice, 3, 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_history_keep(on.context, on.answer, 1, 0), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_type_read(on.context, on.notice, &info));
  EXPECT_EQUAL(info.history_count, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Requests and responses in detail: header fields, errors in full, checks; acceptance. */

#include "asking.h"
#include "elsewhere.h"
#include "transcript.h"

typedef struct failure {
  int calls;
  mainstem_status status;
  uint32_t size;
  char message[300], text[100], subject[100], shown[300];
} failure;

static void note_failure(void *user_data, const mainstem_event *event) {
  failure *self = (failure *)user_data;
  mainstem_error error = {sizeof error, 0, NULL, NULL, NULL};
  self->calls++;
  self->status = event->status;
  self->size = event->size;
  EXPECT_OK(mainstem_event_error(event, &error));
  EXPECT_STATUS(error.code, event->status);
  snprintf(self->message, sizeof self->message, "%s", error.message);
  snprintf(self->text, sizeof self->text, "%s", error.user_message);
  snprintf(self->subject, sizeof self->subject, "%s", error.subject);
  snprintf(self->shown, sizeof self->shown, "%s", event->user_message);
}

static void refuse(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond_error_with(event, (const mainstem_error *)user_data));
}

static failure ask_and_fail(const stream *on, mainstem_error *error) {
  failure noted = {0};
  mainstem_context *server = serve_one(on->context, "Refuser", "RequestAsk", refuse, error);
  EXPECT_OK(mainstem_request(on->context, on->ask, "", 0, note_failure, &noted, NULL));
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_EQUAL(noted.calls, 1);
  return noted;
}

/* Catches: texts mixed up, cut, or read beyond what was packed. */
CASE(an_error_arrives_in_full, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_error error = {sizeof error, 1001, "no title", "Please add a title.", "title"};
  failure noted = ask_and_fail(&on, &error);
  EXPECT_STATUS(noted.status, 1001);
  EXPECT_TEXT(noted.message, "no title");
  EXPECT_TEXT(noted.text, "Please add a title.");
  EXPECT_TEXT(noted.subject, "title");
  EXPECT_TEXT(noted.shown, "Please add a title.");
  EXPECT_EQUAL(noted.size, sizeof "no title" + sizeof "Please add a title." + sizeof "title");
  error.user_message = NULL;
  noted = ask_and_fail(&on, &error);
  EXPECT_TEXT(noted.text, "");
  EXPECT_TEXT(noted.shown, "no title");
  EXPECT_TEXT(noted.subject, "title");
  error.message = error.subject = NULL;
  noted = ask_and_fail(&on, &error);
  EXPECT_TEXT(noted.shown, "");
  error.code = MAINSTEM_TIMEOUT; /* A server may use the library's own words. */
  EXPECT_STATUS(ask_and_fail(&on, &error).status, MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct chain {
  const stream *on;
  asking second;
} chain;

static void answer_echo(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void ask_again(void *user_data, const mainstem_event *event) {
  chain *self = (chain *)user_data;
  EXPECT_STATUS(event->status, MAINSTEM_OK);
  EXPECT_EQUAL(event->position, 2);
  EXPECT_EQUAL(event->correlation, 1);
  EXPECT_OK(mainstem_request(event->context, self->on->ask, "two", 3, asking_answered,
                             &self->second, NULL));
  EXPECT_EQUAL(self->second.calls, 0);
}

/* Catches: cause or correlation of an answer's chain lost in the completion. */
CASE(a_completion_goes_on_with_the_chain, IN_BOTH) {
  stream on = stream_open(threads);
  chain self = {0};
  self.on = &on;
  serve_one(on.context, "Echo", "RequestAsk", answer_echo, NULL);
  EXPECT_OK(mainstem_request(on.context, on.ask, "one", 3, ask_again, &self, NULL));
  EXPECT_EQUAL(self.second.calls, 1);
  EXPECT_TEXT(self.second.text, "two");
  EXPECT_EQUAL(self.second.last.position, 4);
  EXPECT_EQUAL(self.second.last.answers, 3);
  EXPECT_EQUAL(self.second.last.cause, 3);
  EXPECT_EQUAL(self.second.last.correlation, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a completion's context that is not the one asked through; a handle left unset. */
CASE(the_completion_gets_the_askers_context, IN_BOTH) {
  stream on = stream_open(threads), inner;
  asking one;
  keeper kept = {0, {NULL}};
  inner = on;
  inner.context = scope_open(on.context, "Asker");
  keeper_serve(&kept, &on);
  asking_ask(&one, &inner);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT(one.last.context == inner.context);
  EXPECT(keeper_event(&kept, 0)->context != inner.context);
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { OPEN = 20000 };

static void count_answer(void *user_data, const mainstem_event *event) {
  uint64_t *sum = (uint64_t *)user_data;
  *sum += event->answers;
}

static void keep_last(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

/* Catches: open requests found by a search that is lost or slow when there are many. */
CASE(twenty_thousand_may_be_open, IN_BOTH) {
  static mainstem_retained *kept[OPEN];
  stream on = stream_open(threads);
  mainstem_retained *last = NULL;
  uint64_t sum = 0;
  const mainstem_event *event;
  serve_one(on.context, "S", "RequestAsk", keep_last, &last);
  for (int i = 0; i < OPEN; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, count_answer, &sum, NULL));
    kept[i] = last;
  }
  EXPECT_EQUAL(stats_of(on.context).requests, OPEN);
  for (int i = 0; i < OPEN; i++) {
    int which = (int)((long)i * 7919 % OPEN); /* In no order: 7919 is prime. */
    event = kept_event(kept[which]);
    EXPECT_OK(mainstem_respond(event, "", 0));
  }
  EXPECT_EQUAL(sum, (uint64_t)OPEN * (OPEN + 1) / 2);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

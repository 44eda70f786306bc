// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 3, never nested; acceptance A-10: no recursion, and what waits is BUSY in a callback. */

#include "elsewhere.h"
#include "transcript.h"

static void send_next(void *user_data, const mainstem_event *event) {
  const stream *on = (const stream *)user_data;
  if (event->position >= 4) return;
  EXPECT_OK(mainstem_send(event->context, on->notice, "", 0));
}

/* Catches: a send that delivers inside the callback; a half-delivered event overtaken. */
static void a_send_in_a_callback_waits_its_turn(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", send_next, &on}, b = {&seen, "b", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  witness_observe(&b, on.context, on.notice);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1( ) b1 a2( ) b2 a3( ) b3 a4( ) b4");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void ask(void *user_data, const mainstem_event *event) {
  witness *completion = (witness *)user_data;
  mainstem_event_type type;
  EXPECT_OK(mainstem_type_find(event->context, "RequestAsk", &type));
  EXPECT_OK(mainstem_request(event->context, type, "?", 1, witness_event, completion, NULL));
}

/* Catches: respond, request and the core's own answers delivering on top of a callback. */
static void requests_and_answers_wait_their_turn(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness c = {&seen, "c", NULL, NULL}, n = {&seen, "n", ask, &c};
  witness s = {&seen, "s", answer, NULL}, r = {&seen, "r", NULL, NULL};
  mainstem_handler_row row = {"RequestAsk", witness_event};
  mainstem_context *server;
  witness_observe(&n, on.context, on.notice);
  witness_observe(&r, on.context, on.answer);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "n1( ) r3 c3"); /* UNHANDLED */
  transcript_clear(&seen);
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, &s, NULL, &server));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "n4( ) s5( ) r6 c6");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct waiting {
  mainstem_subscription *subscription;
  mainstem_context *context; /* The whole, whatever scope the event came through. */
  int calls;
} waiting;

static void all_that_waits_is_busy(mainstem_context *context, waiting *self) {
  size_t count = 77;
  EXPECT_STATUS(mainstem_drain(context, 0, &count), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_drain(context, 1, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_wait(context, 0), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_wait(context, -1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_flush(context), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_context_close(self->context), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_cancel_wait(self->subscription), MAINSTEM_BUSY);
  EXPECT(strstr(mainstem_last_error(), "mainstem_cancel_wait") != NULL);
}

static void wait_in_callback(void *user_data, const mainstem_event *event) {
  waiting *self = (waiting *)user_data;
  self->calls++;
  all_that_waits_is_busy(event->context, self);
  all_that_waits_is_busy(self->context, self);
  if (event->answers == 0 && event->position == 1) {
    EXPECT_OK(mainstem_respond(event, "yes", 3));
  }
}

static void wait_in_line(void *user_data, const char *line) {
  waiting *self = (waiting *)user_data;
  (void)line;
  all_that_waits_is_busy(self->context, self);
}

/* Catches: a BUSY test that knows observers only, or the context only, or that changes something. */
static void what_waits_is_busy_in_every_callback(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  waiting self = {NULL, on.context, 0};
  mainstem_context *scope;
  mainstem_handler_row row = {"RequestAsk", wait_in_callback};
  EXPECT_OK(mainstem_scope_add(on.context, "Scope", &scope));
  self.subscription = witness_observe(&a, on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_trace(on.context, wait_in_line, &self));
  EXPECT_OK(mainstem_observe(scope, on.answer, wait_in_callback, &self, NULL, NULL));
  EXPECT_OK(mainstem_server_add(scope, "Server", &row, sizeof row, 1, &self, NULL, NULL));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, wait_in_callback, &self, NULL));
  EXPECT_EQUAL(self.calls, 3); /* handler, observer, completion */
  EXPECT_TEXT(seen.text, "a1 a2");
  EXPECT_EQUAL(stats_of(on.context).waiting, 1);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a1 a2 a3");
  EXPECT_OK(mainstem_cancel_wait(self.subscription));
  EXPECT_TEXT(seen.text, "a1 a2 a3 ~a");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct depths {
  const stream *on;
  int inside, most;
  uint64_t calls, last;
  uintptr_t lowest, highest;
} depths;

static void go_deeper(void *user_data, const mainstem_event *event) {
  depths *self = (depths *)user_data;
  uintptr_t address = (uintptr_t)__builtin_frame_address(0); /* ASan moves locals elsewhere. */
  if (++self->inside > self->most) self->most = self->inside;
  if (self->lowest == 0 || address < self->lowest) self->lowest = address;
  if (address > self->highest) self->highest = address;
  self->calls++;
  if (event->position < self->last) {
    EXPECT_OK(mainstem_send(event->context, self->on->notice, "", 0));
  }
  self->inside--;
}

/* Catches: delivery that recurses, however it is hidden: the stack must not move. */
static void a_chain_keeps_the_stack_where_it_is(uint32_t threads) {
  stream on = stream_open(threads);
  depths self = {&on, 0, 0, 0, 65000, 0, 0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, go_deeper, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(self.calls, 65000);
  EXPECT_EQUAL(self.most, 1);
  EXPECT(self.highest - self.lowest < 4096);
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { EACH = 5000, SENDERS = 3 };

static void *send_many(void *data) {
  const depths *self = (const depths *)data;
  for (int i = 0; i < EACH; i++) {
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "", 0));
  }
  return NULL;
}

/* Catches: a second thread that enters a callback while the first is in it (also a TSan report). */
static void no_callback_is_entered_by_two_threads(uint32_t threads) {
  stream on = stream_open(threads);
  depths self = {&on, 0, 0, 0, 0, 0, 0};
  pthread_t thread[SENDERS];
  EXPECT_OK(mainstem_observe(on.context, on.notice, go_deeper, &self, NULL, NULL));
  for (int i = 0; i < SENDERS; i++) thread[i] = beside(send_many, &self);
  for (int i = 0; i < SENDERS; i++) join(thread[i]);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(self.most, 1);
  EXPECT_EQUAL(self.calls, EACH * SENDERS);
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"a send in a callback waits its turn", a_send_in_a_callback_waits_its_turn, IN_BOTH},
    {"requests and answers wait their turn", requests_and_answers_wait_their_turn, IN_BOTH},
    {"what waits is BUSY in every callback", what_waits_is_busy_in_every_callback, IN_BOTH},
    {"a chain keeps the stack where it is", a_chain_keeps_the_stack_where_it_is, IN_BOTH},
    {"no callback is entered by two threads", no_callback_is_entered_by_two_threads, IN_ANY},
};

int main(void) { return EXPECT_RUN(cases); }

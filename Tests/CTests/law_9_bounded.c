// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded; acceptance A-12: what waits has a limit, a cascade has an end, refusals are counted. */

#include "elsewhere.h"
#include "scheduled.h"

typedef struct bounded {
  stream on;
  mainstem_status status;
  int accepted, delivered, told;
  char message[200];
} bounded;

static void note_cut(void *user_data, const mainstem_event *event) {
  ((bounded *)user_data)->told++;
}

static void count_event(void *user_data, const mainstem_event *event) {
  ((bounded *)user_data)->delivered++;
}

static void open_with(bounded *self, mainstem_context_options *options, uint32_t threads) {
  mainstem_context *c = NULL;
  memset(self, 0, sizeof *self);
  options->threads = threads;
  EXPECT_OK(mainstem_context_create(options, &c));
  self->on.context = c;
  self->on.ask = type_open(c, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self->on.answer = type_open(c, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.notice = type_open(c, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->on.other = type_open(c, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
  mainstem_event_type cut = type_named(c, "MainstemLimit");
  EXPECT_OK(mainstem_observe(c, cut, note_cut, self, NULL, NULL));
}

static mainstem_context_options options_of(void) {
  mainstem_context_options options = {.size = sizeof options};
  return options;
}

static void send_on(bounded *self, mainstem_context *context, mainstem_event_type type) {
  self->status = mainstem_send(context, type, "", 0);
  if (self->status == MAINSTEM_OK) return;
  snprintf(self->message, sizeof self->message, "%s", mainstem_last_error());
}

static void other_to_notice(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  send_on(self, event->context, self->on.notice);
}

static void notice_to_other(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  send_on(self, event->context, self->on.other);
}

/* Catches: a default that is none, or one so long that a program looks hung. */
CASE(the_default_ends_two_that_answer_each_other, IN_BOTH) {
  mainstem_context_options options = options_of();
  bounded b;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, notice_to_other, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, other_to_notice, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_STATUS(b.status, MAINSTEM_LIMIT);
  EXPECT(strstr(b.message, "65536 causes") != NULL);
  EXPECT(strstr(b.message, "from a timer") != NULL);
  EXPECT_EQUAL(stats_of(b.on.context).events, 65536 + 2);
  EXPECT_EQUAL(b.told, 1);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void tick_again(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  self->delivered++;
  self->status = mainstem_send_after(event->context, self->on.notice, "", 0, 0, 0, NULL);
}

/* Catches: a timer that counts as a link of the chain in whose callback it was armed. */
CASE(a_longer_chain_goes_on_from_a_timer, IN_BOTH) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_cascade = 10;
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, tick_again, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  for (int i = 0; i < 99; i++) EXPECT_OK(mainstem_drain(b.on.context, 0, NULL));
  EXPECT_EQUAL(b.delivered, 100);
  EXPECT_OK(b.status);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void send_ten(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  for (int i = 0; i < 10; i++) {
    self->status = mainstem_send(self->on.context, self->on.other, "", 0);
    self->accepted += self->status == MAINSTEM_OK;
  }
}

static void *send_from_elsewhere(void *user_data) {
  bounded *self = (bounded *)user_data;
  send_ten(self, NULL);
  return NULL;
}

static void let_another_send(void *user_data, const mainstem_event *event) {
  elsewhere(send_from_elsewhere, user_data);
}

/* Catches: senders on other threads that have no bound while one is kept delivering. */
CASE(what_other_threads_send_meanwhile_is_bounded, IN_ANY) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_events = 4;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, let_another_send, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, count_event, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.accepted, 4);
  EXPECT_EQUAL(b.delivered, 4);
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 6);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void fill_the_stream_and_fail(void *user_data, const mainstem_event *event) {
  send_on((bounded *)user_data, event->context, ((bounded *)user_data)->on.other);
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, NULL));
}

/* Catches: a report that is left out because the stream is full, and counts as an event that was refused. */
CASE(a_report_without_room_is_no_rejection, IN_BOTH) {
  mainstem_context_options options = options_of();
  scheduled on_host = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  bounded b;
  options.limit_events = 1;
  options.flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST;
  open_with(&b, &options, threads);
  observe_on(b.on.context, b.on.notice, &on_host, fill_the_stream_and_fail, &b, NULL);
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(drained(b.on.context, 0), 2);
  EXPECT_OK(b.status);
  EXPECT_EQUAL(stats_of(b.on.context).events, 2);
  EXPECT_EQUAL(stats_of(b.on.context).failures, 1);
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 0);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

/* Catches: a payload that is read, or cut, before its length is looked at. */
CASE(a_payload_is_bounded, IN_BOTH) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_payload = 10;
  open_with(&b, &options, threads);
  mainstem_event_type fixed = type_open(b.on.context, "Fixed", MAINSTEM_PAYLOAD_STRUCT | 11, NULL);
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "1234567890", 10));
  EXPECT_STATUS(mainstem_send(b.on.context, b.on.notice, "12345678901", 11), MAINSTEM_TOO_BIG);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: size: 11 bytes are more than the 10 of "
                                     "limit_payload: raise it in the context's options");
  EXPECT_STATUS(mainstem_send(b.on.context, b.on.ask, (void *)8, (size_t)-1), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_post(b.on.context, b.on.ask, (void *)8, 1ull << 32), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_request(b.on.context, b.on.ask, (void *)8, 11, NULL, NULL, NULL),
                MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_send(b.on.context, fixed, "12345678901", 11), MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(stats_of(b.on.context).events, 1);
  EXPECT_OK(mainstem_context_close(b.on.context));
  options.limit_payload = 1ull << 32;
  EXPECT_STATUS(mainstem_context_create(&options, &b.on.context), MAINSTEM_TOO_BIG);
}

/* Catches: a child that may do more than its parent; more in rights.c. */
CASE(rights_only_narrow, IN_BOTH) {
  mainstem_context_options options = options_of();
  mainstem_scope_options rights = {.size = sizeof rights};
  mainstem_context *view = NULL, *child = NULL;
  bounded b;
  open_with(&b, &options, threads);
  rights.send_layers = rights.observe_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  EXPECT_OK(mainstem_scope_add(b.on.context, "View", &rights, &view));
  rights.send_layers = rights.observe_layers = ~0ull;
  EXPECT_OK(mainstem_scope_add(view, "Child", &rights, &child));
  EXPECT_STATUS(mainstem_send(view, b.on.notice, "", 0), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_send(child, b.on.notice, "", 0), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(child, b.on.notice, count_event, &b, NULL, NULL), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_observe(child, MAINSTEM_TYPE_ANY, count_event, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.delivered, 0);
  EXPECT_EQUAL(stats_of(b.on.context).denied, 3);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

int main(void) { return expect_all(); }

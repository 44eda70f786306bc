// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded; acceptance A-12: what waits has a limit, a cascade has an end, refusals are counted. */

#include "asking.h"
#include "elsewhere.h"

typedef struct bounded {
  stream on;
  mainstem_event_type cut;
  mainstem_status status;
  int accepted, refused, delivered, told;
  size_t size;
  char last[400], sentence[200];
} bounded;

static void note_cut(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  EXPECT(event->size < sizeof self->last);
  memcpy(self->last, event->data, event->size);
  self->last[event->size] = 0;
  self->told++;
}

static void count_event(void *user_data, const mainstem_event *event) {
  (void)event;
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
  EXPECT_OK(mainstem_type_find(c, "MainstemLimit", &self->cut));
  EXPECT_OK(mainstem_observe(c, self->cut, note_cut, self, NULL, NULL));
}

static mainstem_context_options options_of(void) {
  mainstem_context_options options;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  return options;
}

static void send_on(bounded *self, mainstem_context *context, mainstem_event_type type) {
  self->status = mainstem_send(context, type, "", 0);
  if (self->status == MAINSTEM_OK) return;
  snprintf(self->sentence, sizeof self->sentence, "%s", mainstem_last_error());
}

static void other_to_notice(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  send_on(self, event->context, self->on.notice);
}

static void notice_to_other(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  send_on(self, event->context, self->on.other);
}

/* Catches: two that answer each other for ever; a chain that is not named; a context that is lost. */
static void a_cascade_has_an_end(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_cascade = 100;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, notice_to_other, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, other_to_notice, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_STATUS(b.status, MAINSTEM_LIMIT);
  EXPECT_EQUAL(b.told, 1);
  EXPECT_TEXT(b.last, "{\"type\":\"Other\",\"origin\":\"\",\"limit\":100,\"chain\":[\"Other\","
                      "\"Notice\",\"Other\",\"Notice\",\"Other\",\"Notice\",\"Other\",\"Notice\"],"
                      "\"count\":1}");
  EXPECT_EQUAL(stats_of(b.on.context).events, 102); /* The outside one, 100 of it, the report. */
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 1);
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.told, 3); /* The 1st, 2nd and 4th. */
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 4);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

/* Catches: a default that is none, or one so long that a program looks hung. */
static void the_default_ends_two_that_answer_each_other(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, notice_to_other, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, other_to_notice, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_STATUS(b.status, MAINSTEM_LIMIT);
  EXPECT(strstr(b.sentence, "65536 causes") != NULL);
  EXPECT(strstr(b.sentence, "from a timer") != NULL);
  EXPECT_EQUAL(stats_of(b.on.context).events, 65536 + 2);
  EXPECT_EQUAL(b.told, 1);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void tick_again(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  self->delivered++;
  self->status = mainstem_send_after(event->context, self->on.notice, "", 0, 0, NULL);
}

/* Catches: a timer that counts as a link of the chain in whose callback it was armed. */
static void a_longer_chain_goes_on_from_a_timer(uint32_t threads) {
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

static void answer_it(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  EXPECT_OK(mainstem_respond(event, "", 0));
  self->accepted++;
}

static void ask_again(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  self->delivered++;
  self->status =
      mainstem_request(self->on.context, self->on.ask, "", 0, ask_again, user_data, NULL);
  (void)event;
}

/* Catches: a chain of requests without end; an answer that the limit takes. */
static void requests_are_links_of_a_cascade_and_answers_are_given(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  const mainstem_handler_row row = {"RequestAsk", answer_it};
  options.limit_cascade = 10;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_server_add(b.on.context, "S", &row, sizeof row, 1, &b, NULL, NULL));
  EXPECT_OK(mainstem_request(b.on.context, b.on.ask, "", 0, ask_again, &b, NULL));
  EXPECT_STATUS(b.status, MAINSTEM_LIMIT);
  EXPECT_EQUAL(b.accepted, b.delivered);
  EXPECT_EQUAL(b.accepted, 6); /* At 0, 2, 4, 6, 8 and 10 causes. */
  EXPECT_EQUAL(stats_of(b.on.context).requests, 0);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void count_answer(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  (void)event;
  self->accepted++;
}

static void send_ten(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  char bytes[100] = {0};
  (void)event;
  for (int i = 0; i < 10; i++) {
    self->status = mainstem_send(self->on.context, self->on.other, bytes, self->size);
    if (self->status == MAINSTEM_OK) self->accepted++;
    else self->refused++;
  }
}

/* Catches: what callbacks send without a bound; a place that is not free again; a wrong count. */
static void what_waits_in_the_stream_is_bounded(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_events = 4;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, send_ten, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, count_event, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_STATUS(b.status, MAINSTEM_FULL);
  EXPECT_EQUAL(b.accepted, 4);
  EXPECT_EQUAL(b.refused, 6);
  EXPECT_EQUAL(b.delivered, 4);
  EXPECT_EQUAL(stats_of(b.on.context).events, 5);
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 6);
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.delivered, 8);
  EXPECT_EQUAL(b.told, 0);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

/* Catches: a bound that counts events only, and one that a long payload alone cannot pass. */
static void its_bytes_are_bounded_too(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_bytes = 100;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, send_ten, &b, NULL, NULL));
  b.size = 30;
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.accepted, 3);
  options.limit_bytes = 50;
  EXPECT_OK(mainstem_context_close(b.on.context));
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, send_ten, &b, NULL, NULL));
  b.size = 100;
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.accepted, 1);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void ask_then_fill(void *user_data, const mainstem_event *event) {
  bounded *self = (bounded *)user_data;
  EXPECT_OK(mainstem_request(event->context, self->on.ask, "", 0, count_answer, self, NULL));
  send_ten(user_data, event);
  EXPECT_STATUS(mainstem_request(event->context, self->on.ask, "", 0, count_answer, self, NULL),
                MAINSTEM_FULL);
}

static void fill_then_answer(void *user_data, const mainstem_event *event) {
  send_ten(user_data, event);
  EXPECT_STATUS(((bounded *)user_data)->status, MAINSTEM_FULL);
  EXPECT_OK(mainstem_respond(event, "", 0));
}

/* Catches: an accepted request whose answer finds no place. */
static void the_answer_of_a_request_has_its_place(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  const mainstem_handler_row row = {"RequestAsk", fill_then_answer};
  options.limit_events = 3;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_server_add(b.on.context, "S", &row, sizeof row, 1, &b, NULL, NULL));
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, ask_then_fill, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(stats_of(b.on.context).requests, 0);
  EXPECT_EQUAL(b.accepted, 2 + 1 + 1); /* Two and one that waited, and the answer. */
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static void fail_full(void *user_data, const mainstem_event *event) {
  send_ten(user_data, event);
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, "no room to say so"));
}

/* Catches: a report that does not keep to the bound. */
static void a_report_without_room_is_only_counted(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  options.limit_events = 2;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.notice, fail_full, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(stats_of(b.on.context).events, 3);
  EXPECT_EQUAL(stats_of(b.on.context).failures, 1);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

/* Catches: posts without a bound, and posts that are lost. */
static void what_is_posted_is_bounded(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  size_t count = 0;
  options.limit_posts = 3;
  options.limit_post_bytes = 10;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_observe(b.on.context, b.on.other, count_event, &b, NULL, NULL));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_post(b.on.context, b.on.other, "", 0));
  EXPECT_STATUS(mainstem_post(b.on.context, b.on.other, "", 0), MAINSTEM_FULL);
  EXPECT_EQUAL(stats_of(b.on.context).waiting, 3);
  EXPECT_EQUAL(stats_of(b.on.context).rejected, 1);
  EXPECT_OK(mainstem_drain(b.on.context, 0, &count));
  EXPECT_EQUAL(count, 3);
  EXPECT_EQUAL(b.delivered, 3);
  EXPECT_OK(mainstem_post(b.on.context, b.on.other, "12345678", 8));
  EXPECT_STATUS(mainstem_post(b.on.context, b.on.other, "123", 3), MAINSTEM_FULL);
  EXPECT_OK(mainstem_post(b.on.context, b.on.other, "12", 2));
  EXPECT_OK(mainstem_context_close(b.on.context));
  EXPECT_EQUAL(b.delivered, 5);
}

static void *send_from_elsewhere(void *user_data) {
  bounded *self = (bounded *)user_data;
  send_ten(self, NULL);
  return NULL;
}

static void let_another_send(void *user_data, const mainstem_event *event) {
  (void)event;
  elsewhere(send_from_elsewhere, user_data);
}

/* Catches: senders on other threads that have no bound while one is kept delivering. */
static void what_other_threads_send_meanwhile_is_bounded(uint32_t threads) {
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

/* Catches: a payload that is read, or cut, before its length is looked at. */
static void a_payload_is_bounded(uint32_t threads) {
  mainstem_context_options options = options_of();
  bounded b;
  mainstem_event_type fixed;
  options.limit_payload = 10;
  open_with(&b, &options, threads);
  fixed = type_open(b.on.context, "Fixed", MAINSTEM_PAYLOAD_STRUCT | 11, NULL);
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "1234567890", 10));
  EXPECT_STATUS(mainstem_send(b.on.context, b.on.notice, "12345678901", 11), MAINSTEM_TOO_BIG);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: size: 10 bytes is the limit for a payload");
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

/* Catches: a budget of observers that is not counted; more in budget.c. */
static void observers_are_bounded(uint32_t threads) {
  mainstem_context_options options = options_of();
  mainstem_scope_options few;
  mainstem_context *scope = NULL;
  bounded b;
  options.limit_observers = 4; /* One is there already. */
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_scope_options_init(&few, sizeof few));
  few.limit_observers = 1;
  EXPECT_OK(mainstem_scope_add_with(b.on.context, "Few", &few, &scope));
  EXPECT_OK(mainstem_observe(scope, b.on.other, count_event, &b, NULL, NULL));
  EXPECT_STATUS(mainstem_observe(scope, b.on.other, count_event, &b, NULL, NULL), MAINSTEM_LIMIT);
  EXPECT(strstr(mainstem_last_error(), "scope Few may have 1 observers") != NULL);
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_observe(b.on.context, b.on.other, count_event, &b, NULL, NULL));
  EXPECT_STATUS(mainstem_observe(b.on.context, b.on.other, count_event, &b, NULL, NULL),
                MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

/* Catches: a child that may do more than its parent; more in rights.c. */
static void rights_only_narrow(uint32_t threads) {
  mainstem_context_options options = options_of();
  mainstem_scope_options rights;
  mainstem_context *view = NULL, *child = NULL;
  bounded b;
  open_with(&b, &options, threads);
  EXPECT_OK(mainstem_scope_options_init(&rights, sizeof rights));
  rights.send_layers = rights.observe_layers = 1ull << (MAINSTEM_LAYER_VIEW >> 40);
  EXPECT_OK(mainstem_scope_add_with(b.on.context, "View", &rights, &view));
  rights.send_layers = rights.observe_layers = ~0ull;
  EXPECT_OK(mainstem_scope_add_with(view, "Child", &rights, &child));
  EXPECT_STATUS(mainstem_send(view, b.on.notice, "", 0), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_send(child, b.on.notice, "", 0), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_observe(child, b.on.notice, count_event, &b, NULL, NULL), MAINSTEM_DENIED);
  EXPECT_OK(mainstem_observe(child, MAINSTEM_TYPE_ANY, count_event, &b, NULL, NULL));
  EXPECT_OK(mainstem_send(b.on.context, b.on.notice, "", 0));
  EXPECT_EQUAL(b.delivered, 0);
  EXPECT_EQUAL(stats_of(b.on.context).denied, 3);
  EXPECT_OK(mainstem_context_close(b.on.context));
}

static const expect_case cases[] = {
    {"a cascade has an end", a_cascade_has_an_end, IN_BOTH},
    {"the default ends two that answer each other", the_default_ends_two_that_answer_each_other,
     IN_BOTH},
    {"a longer chain goes on from a timer", a_longer_chain_goes_on_from_a_timer, IN_BOTH},
    {"requests are links of a cascade, and answers are given",
     requests_are_links_of_a_cascade_and_answers_are_given, IN_BOTH},
    {"what waits in the stream is bounded", what_waits_in_the_stream_is_bounded, IN_BOTH},
    {"its bytes are bounded too", its_bytes_are_bounded_too, IN_BOTH},
    {"the answer of a request has its place", the_answer_of_a_request_has_its_place, IN_BOTH},
    {"a report without room is only counted", a_report_without_room_is_only_counted, IN_BOTH},
    {"what is posted is bounded", what_is_posted_is_bounded, IN_BOTH},
    {"what other threads send meanwhile is bounded", what_other_threads_send_meanwhile_is_bounded,
     IN_ANY},
    {"a payload is bounded", a_payload_is_bounded, IN_BOTH},
    {"observers are bounded", observers_are_bounded, IN_BOTH},
    {"rights only narrow", rights_only_narrow, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

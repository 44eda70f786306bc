// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Options; acceptance A-75: older and newer sizes, and every filter alone and joined. */

#include "transcript.h"

#include <stddef.h>

static mainstem_observe_options defaults(void) {
  return (mainstem_observe_options){.size = sizeof(mainstem_observe_options)};
}

static void observe(const stream *on, const mainstem_observe_options *options, witness *witness) {
  EXPECT_OK(
      mainstem_observe_with(on->context, options, witness_event, witness, witness_release, NULL));
}

/* Catches: options of 0.4.0, which end before `of`, that are refused, or of which more is read than there is. */
CASE(options_of_the_first_version, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  const size_t size = offsetof(mainstem_observe_options, of);
  mainstem_observe_options options;
  memset(&options, 0xa5, sizeof options);
  memset(&options, 0, size);
  options.size = (uint32_t)size;
  observe(&on, &options, &a);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1");
  options.size = (uint32_t)size + 4;
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, witness_event, &a, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer_or_refuse(void *user_data, const mainstem_event *event) {
  if (event->size == 0) EXPECT_OK(mainstem_respond_error(event, 1000, "no"));
  else EXPECT_OK(mainstem_respond(event, "yes", 3));
}

/* Catches: a call that wants options where it has defaults. */
CASE(no_options_are_the_defaults, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_handler_row row = {"RequestAsk", answer_or_refuse, 0};
  observe(&on, NULL, &a);
  EXPECT_STATUS(mainstem_observe_with(on.context, NULL, NULL, NULL, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_OK(
      mainstem_server_add_with(on.context, "Server", &row, sizeof row, 1, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request_with(on.context, on.ask, "x", 1, NULL, witness_event, &b,
                                  witness_release, NULL));
  EXPECT_TEXT(seen.text, "a1 a2 b2 ~b");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(filters_by_types_and_later_ones, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL}, c = {&seen, "c", NULL, NULL};
  mainstem_observe_options options = defaults();
  mainstem_event_type types[2] = {on.other, on.answer}, later;
  observe(&on, &options, &a);
  options.types = types;
  options.type_count = 2;
  observe(&on, &options, &b);
  types[0] = 0; /* The list was read in the call. */
  options = defaults();
  options.layers = 1 << 2 | 1ULL << 63;
  observe(&on, &options, &c);
  later = type_open(on.context, "Later", MAINSTEM_LAYER_VIEWMODEL, NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, later, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.answer, "", 0));
  EXPECT_TEXT(seen.text, "a1 a2 b2 a3 c3 a4 b4");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(filters_by_role_and_layer, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL}, c = {&seen, "c", NULL, NULL};
  witness d = {&seen, "d", NULL, NULL}, e = {&seen, "e", NULL, NULL};
  mainstem_observe_options options = defaults();
  options.role = MAINSTEM_ROLE_REQUEST;
  observe(&on, &options, &a);
  options.role = MAINSTEM_ROLE_RESPONSE;
  observe(&on, &options, &b);
  options.role = MAINSTEM_ROLE_NOTICE;
  observe(&on, &options, &c);
  options.layers = 1 << 0;
  observe(&on, &options, &d);
  options = defaults();
  options.layers = 1 << 3 | 1 << 1;
  observe(&on, &options, &e);
  EXPECT_OK(mainstem_send(on.context, on.ask, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.answer, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_TEXT(seen.text, "a1 b2 c3 d3 c4 e4");
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(filters_by_status, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_observe_options options = defaults();
  serve_one(on.context, "Server", "RequestAsk", answer_or_refuse, NULL);
  options.flags = MAINSTEM_OBSERVE_FAILED;
  observe(&on, &options, &a);
  options.flags = MAINSTEM_OBSERVE_SUCCEEDED;
  observe(&on, &options, &b);
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "x", 1, NULL, NULL, NULL));
  EXPECT_TEXT(seen.text, "b1 a2 b3 b4");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: events counted that did not match, one call too many, an end without its hook. */
CASE(a_count_ends_by_itself, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_observe_options options = defaults();
  mainstem_subscription *subscription;
  options.count = 2;
  options.types = &on.notice;
  options.type_count = 1;
  EXPECT_OK(mainstem_observe_with(on.context, &options, witness_event, &a, witness_release,
                                  &subscription));
  witness_observe(&b, on.context, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1 b1 b2 a3 ~a b3 b4");
  EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void send_again(void *user_data, const mainstem_event *event) {
  const stream *on = (const stream *)user_data;
  if (event->position < 9) EXPECT_OK(mainstem_send(event->context, on->notice, "", 0));
}

CASE(a_count_holds_for_what_waits, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", send_again, &on};
  mainstem_observe_options options = defaults();
  options.count = 1;
  observe(&on, &options, &a);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1( ) ~a");
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

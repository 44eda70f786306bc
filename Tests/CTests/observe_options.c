// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Options; acceptance A-75: older and newer sizes, and every filter alone and joined. */

#include "transcript.h"

static mainstem_observe_options defaults(void) {
  mainstem_observe_options options;
  memset(&options, 0xa5, sizeof options);
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  EXPECT_EQUAL(options.size, sizeof options);
  EXPECT(options.types == NULL && options.type_count == 0 && options.flags == 0);
  EXPECT(options.role == 0 && options.layers == 0 && options.count == 0);
  return options;
}

static void observe(const stream *on, const mainstem_observe_options *options, witness *witness) {
  EXPECT_OK(
      mainstem_observe_with(on->context, options, witness_event, witness, witness_release, NULL));
}

/* Catches: an init that writes past an older caller's struct, or takes a newer one. */
static void sizes_older_and_newer(uint32_t threads) {
  union {
    mainstem_observe_options options;
    mainstem_context_options context;
    unsigned char bytes[256];
  } room;
  mainstem_context *context = NULL;
  stream on = stream_open(threads);
  EXPECT_STATUS(mainstem_observe_options_init(NULL, sizeof room.options), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_options_init(NULL, sizeof room.context), MAINSTEM_INVALID);
  for (size_t size = 0; size < 200; size++) {
    memset(&room, 0x5a, sizeof room);
    mainstem_status wanted = size < sizeof room.options   ? MAINSTEM_INVALID
                             : size > sizeof room.options ? MAINSTEM_UNSUPPORTED
                                                          : MAINSTEM_OK;
    EXPECT_STATUS(mainstem_observe_options_init(&room.options, size), wanted);
    for (size_t i = size; i < sizeof room.bytes; i++) EXPECT_EQUAL(room.bytes[i], 0x5a);
    memset(&room, 0x5a, sizeof room);
    wanted = size < sizeof room.context   ? MAINSTEM_INVALID
             : size > sizeof room.context ? MAINSTEM_UNSUPPORTED
                                          : MAINSTEM_OK;
    EXPECT_STATUS(mainstem_context_options_init(&room.context, size), wanted);
    for (size_t i = size; i < sizeof room.bytes; i++) EXPECT_EQUAL(room.bytes[i], 0x5a);
  }
  memset(&room, 0, sizeof room);
  room.options.size = sizeof room.options + 8;
  EXPECT_STATUS(mainstem_observe_with(on.context, &room.options, witness_event, NULL, NULL, NULL),
                MAINSTEM_UNSUPPORTED);
  room.options.size = 0;
  EXPECT_STATUS(mainstem_observe_with(on.context, &room.options, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  memset(&room, 0, sizeof room);
  room.context.size = sizeof room.context + 4;
  EXPECT_STATUS(mainstem_context_create(&room.context, &context), MAINSTEM_UNSUPPORTED);
  EXPECT(context == NULL);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void options_of_a_context_are_checked(uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context = (mainstem_context *)(uintptr_t)8;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  EXPECT_EQUAL(options.threads, MAINSTEM_THREADS_ONE);
  options.threads = 2;
  EXPECT(mainstem_context_create(&options, &context) != MAINSTEM_OK);
  EXPECT(context == NULL);
  options.threads = threads;
  options.flags = 1U << 31;
  EXPECT_STATUS(mainstem_context_create(&options, &context), MAINSTEM_UNSUPPORTED);
  EXPECT_STATUS(mainstem_context_create(NULL, NULL), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "mainstem_context_create") != NULL);
  options.flags = MAINSTEM_CONTEXT_TIMES;
  EXPECT_OK(mainstem_context_create(&options, &context));
  EXPECT_OK(mainstem_context_close(context));
}

static void filters_by_types_and_later_ones(uint32_t threads) {
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

static void filters_by_role_and_layer(uint32_t threads) {
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

static void answer_or_refuse(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->size == 0) EXPECT_OK(mainstem_respond_error(event, 1000, "no"));
  else EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void filters_by_status(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  mainstem_observe_options options = defaults();
  mainstem_handler_row row = {"RequestAsk", answer_or_refuse};
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, NULL, NULL, NULL));
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
static void a_count_ends_by_itself(uint32_t threads) {
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

static void a_count_holds_for_what_waits(uint32_t threads) {
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

static void refused(const stream *on, const mainstem_observe_options *options, int line) {
  mainstem_status status =
      mainstem_observe_with(on->context, options, witness_event, NULL, NULL, NULL);
  expect_status(status, MAINSTEM_INVALID, __FILE__, line, "wrong options are refused");
}

static void what_is_wrong_is_refused(uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_observe_options options = defaults();
  mainstem_event_type types[2] = {on.notice, 999};
  EXPECT_STATUS(mainstem_observe_with(on.context, NULL, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, NULL, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  options.flags = MAINSTEM_OBSERVE_FAILED | MAINSTEM_OBSERVE_SUCCEEDED;
  refused(&on, &options, __LINE__);
  options.flags = 1U << 31;
  refused(&on, &options, __LINE__);
  options = defaults();
  options.role = 1;
  refused(&on, &options, __LINE__);
  options.role = MAINSTEM_ROLE_MASK;
  refused(&on, &options, __LINE__);
  options = defaults();
  options.types = types;
  options.type_count = 2;
  refused(&on, &options, __LINE__);
  EXPECT_STATUS(mainstem_observe(on.context, 999, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_observe(on.context, on.notice, NULL, NULL, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

#define INIT_OF(name)                                                                              \
  static mainstem_status init_##name(void *options, size_t size) {                                 \
    return mainstem_##name##_init((mainstem_##name *)options, size);                               \
  }

INIT_OF(context_options)
INIT_OF(scope_options)
INIT_OF(observe_options)
INIT_OF(request_options)
INIT_OF(journal_options)
INIT_OF(replay_options)

/* Catches: a size that is too large for a signed number, or for 32 bits, taken for a small one. */
static void every_init_tells_too_small_from_too_large(uint32_t threads) {
  static const struct {
    size_t size;
    mainstem_status (*init)(void *options, size_t size);
  } all[] = {
      {sizeof(mainstem_context_options), init_context_options},
      {sizeof(mainstem_scope_options), init_scope_options},
      {sizeof(mainstem_observe_options), init_observe_options},
      {sizeof(mainstem_request_options), init_request_options},
      {sizeof(mainstem_journal_options), init_journal_options},
      {sizeof(mainstem_replay_options), init_replay_options},
  };
  union {
    uint64_t aligned;
    unsigned char bytes[512];
  } room;
  (void)threads;
  for (size_t i = 0; i < COUNT(all); i++) {
    const size_t larger[] = {all[i].size + 1,
                             (size_t)1 << 31,
                             UINT32_MAX,
                             ((size_t)1 << 32) + all[i].size,
                             INT64_MAX,
                             (size_t)1 << 63,
                             ((size_t)1 << 63) + all[i].size,
                             SIZE_MAX};
    EXPECT_OK(all[i].init(room.bytes, all[i].size));
    memset(&room, 0x5a, sizeof room);
    EXPECT_STATUS(all[i].init(NULL, all[i].size), MAINSTEM_INVALID);
    EXPECT_STATUS(all[i].init(room.bytes, 0), MAINSTEM_INVALID);
    EXPECT_STATUS(all[i].init(room.bytes, all[i].size - 1), MAINSTEM_INVALID);
    for (size_t j = 0; j < COUNT(larger); j++) {
      EXPECT_STATUS(all[i].init(room.bytes, larger[j]), MAINSTEM_UNSUPPORTED);
    }
    for (size_t j = 0; j < sizeof room; j++) EXPECT_EQUAL(room.bytes[j], 0x5a);
  }
}

static const expect_case cases[] = {
    {"sizes older and newer", sizes_older_and_newer, IN_BOTH},
    {"every init tells too small from too large", every_init_tells_too_small_from_too_large,
     IN_ONE},
    {"options of a context are checked", options_of_a_context_are_checked, IN_BOTH},
    {"filters by types, and later ones", filters_by_types_and_later_ones, IN_BOTH},
    {"filters by role and layer", filters_by_role_and_layer, IN_BOTH},
    {"filters by status", filters_by_status, IN_BOTH},
    {"a count ends by itself", a_count_ends_by_itself, IN_BOTH},
    {"a count holds for what waits", a_count_holds_for_what_waits, IN_BOTH},
    {"what is wrong is refused", what_is_wrong_is_refused, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

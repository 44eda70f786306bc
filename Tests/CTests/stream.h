// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The context most cases begin with: a request, its response and two notices. */

#ifndef STREAM_H
#define STREAM_H

#include "expect.h"

typedef struct stream {
  mainstem_context *context;
  mainstem_event_type ask, answer, notice, other;
} stream;

/* The defaults, but for who may use the context. */
static inline mainstem_context_options context_options(uint32_t threads) {
  mainstem_context_options options = {.size = sizeof options, .threads = threads};
  return options;
}

static inline mainstem_context *context_with(const mainstem_context_options *options) {
  mainstem_context *context = NULL;
  EXPECT_OK(mainstem_context_create(options, &context));
  EXPECT(context != NULL);
  return context;
}

#define CONTEXT_WITH(...) context_with(OPTIONS(context, __VA_ARGS__))

static inline mainstem_context *context_open(uint32_t threads) {
  return CONTEXT_WITH(.threads = threads);
}

static inline mainstem_context *scope_open(mainstem_context *parent, const char *name) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(parent, name, NULL, &scope));
  EXPECT(scope != NULL && scope != parent);
  return scope;
}

static inline uint64_t number_of(mainstem_context *scope) {
  uint64_t number = 7;
  EXPECT_OK(mainstem_scope_number(scope, &number));
  return number;
}

static inline mainstem_event_type type_open(mainstem_context *context, const char *name,
                                            mainstem_contract contract, const char *response) {
  mainstem_event_type type = 0;
  EXPECT_OK(mainstem_type_add(context, name, contract, response, &type));
  EXPECT(type != 0);
  return type;
}

static inline mainstem_event_type type_named(mainstem_context *context, const char *name) {
  mainstem_event_type type = 0;
  EXPECT_OK(mainstem_type_find(context, name, &type));
  return type;
}

static inline const mainstem_event *kept_event(mainstem_retained *kept) {
  const mainstem_event *event = NULL;
  EXPECT_OK(mainstem_retained_event(kept, &event));
  EXPECT(event != NULL);
  return event;
}

/* Those types, in a context that was opened otherwise. */
static inline stream stream_of(mainstem_context *context) {
  stream opened;
  opened.context = context;
  opened.ask = type_open(opened.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  opened.answer = type_open(opened.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  opened.notice = type_open(opened.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  opened.other =
      type_open(opened.context, "Other", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_LAYER_VIEW, NULL);
  return opened;
}

static inline stream stream_open(uint32_t threads) { return stream_of(context_open(threads)); }

static inline mainstem_context_stats stats_of(mainstem_context *context) {
  mainstem_context_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_context_stats_read(context, &stats));
  return stats;
}

/* How many event types a context has of its own, before any is registered. */
static inline uint64_t own_types(void) {
  mainstem_context *context = context_open(MAINSTEM_THREADS_ONE);
  uint64_t count = stats_of(context).types;
  EXPECT_OK(mainstem_context_close(context));
  return count;
}

/* A server with one handler. */
static inline mainstem_context *serve_one(mainstem_context *context, const char *name,
                                          const char *type, mainstem_event_fn fn, void *user_data) {
  const mainstem_handler_row row = {type, fn, 0};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add(context, name, &row, sizeof row, 1, user_data, NULL, &server));
  return server;
}

/* A handler that never answers: what it is asked stays open. */
static inline void keep_for_ever(void *user_data, const mainstem_event *event) {
  mainstem_retained *kept;
  (void)user_data;
  EXPECT_OK(mainstem_event_retain(event, &kept));
}

/* The status is the caller's to check: many are meant to fail. */
static inline mainstem_status send_text(mainstem_context *context, mainstem_event_type type,
                                        const char *text) {
  return mainstem_send(context, type, text, strlen(text));
}

#endif

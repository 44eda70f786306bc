// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A feed that is loaded page by page: one request per page, more only where there is more, a refresh ends the run that
 * loads more. A server keeps the requests, and a test answers them.
 */

#ifndef FEED_H
#define FEED_H

#include "stream.h"

enum { IS_LOADING, IS_LOADING_MORE, NO_MORE, ITEMS, CAN_MORE, FAILED, FEED_KEPT = 32 };

typedef struct feed_state {
  bool is_loading, is_loading_more, no_more;
  int64_t page;
  char items[120];
} feed_state;

enum { SET_LOADING, SET_LOADING_MORE, ADD_PAGE, SHOW_FAILURE };

typedef struct feed_mutation {
  int32_t kind, is_on;
  int64_t page;
  char text[64]; /* No padding: a mutation is recorded, and compared byte by byte. */
} feed_mutation;

/* The program; and what serves it: its requests, the oldest first. */
typedef struct feed {
  mainstem_event_type ask_page;
  mainstem_retained *asked[FEED_KEPT];
  int asked_count, answered_count;
} feed;

static inline feed_mutation feed_text(int32_t kind, int64_t page, const mainstem_event *answer) {
  feed_mutation made = {kind, 1, page, ""};
  if (answer->status != MAINSTEM_OK)
    snprintf(made.text, sizeof made.text, "%s", answer->user_message);
  else snprintf(made.text, sizeof made.text, "%.*s", (int)answer->size, (const char *)answer->data);
  return made;
}

/* A run that waits for its page. */
typedef struct feed_run {
  mainstem_retained *action;
  int64_t page;
} feed_run;

static inline void feed_run_free(void *user_data) {
  feed_run *run = (feed_run *)user_data;
  (void)mainstem_retained_release(run->action); /* STALE if the context closes. */
  free(run);
}

static inline void feed_got(void *user_data, const mainstem_event *answer) {
  const feed_run *run = (const feed_run *)user_data;
  const mainstem_event *action;
  const bool has_failed = answer->status != MAINSTEM_OK;
  const feed_mutation page = feed_text(has_failed ? SHOW_FAILURE : ADD_PAGE, run->page, answer);
  const feed_mutation loaded = {run->page == 1 ? SET_LOADING : SET_LOADING_MORE, 0, 0, ""};
  if (mainstem_retained_event(run->action, &action) != MAINSTEM_OK) return;
  if (mainstem_reactor_mutate(action, &page, sizeof page) == MAINSTEM_STALE) return;
  EXPECT_OK(mainstem_reactor_mutate(action, &loaded, sizeof loaded));
  EXPECT_OK(mainstem_respond(action, NULL, 0));
}

static inline void feed_ask(feed *self, const mainstem_event *action, int64_t page) {
  mainstem_request_options options = {.size = sizeof options};
  const feed_mutation loading = {page == 1 ? SET_LOADING : SET_LOADING_MORE, 1, 0, ""};
  feed_run *run = (feed_run *)malloc(sizeof *run);
  EXPECT(run != NULL);
  run->page = page;
  EXPECT_OK(mainstem_reactor_mutate(action, &loading, sizeof loading));
  EXPECT_OK(mainstem_event_retain(action, &run->action));
  EXPECT_OK(mainstem_request_with(action->context, self->ask_page, &page, sizeof page, &options,
                                  feed_got, run, feed_run_free, NULL));
}

static inline void feed_refresh(void *user_data, const mainstem_event *action) {
  feed_ask((feed *)user_data, action, 1);
}

static inline void feed_more(void *user_data, const mainstem_event *action) {
  const feed_state *state = (const feed_state *)mainstem_reactor_state(action->context);
  feed_ask((feed *)user_data, action, state->page + 1);
}

static inline void feed_add_page(feed_state *state, const feed_mutation *page) {
  size_t length = page->page == 1 ? 0 : strlen(state->items);
  state->page = page->page;
  state->no_more = page->text[0] == 0;
  if (state->no_more && page->page > 1) return;
  snprintf(state->items + length, sizeof state->items - length, "%s%s", length > 0 ? "," : "",
           page->text);
}

static inline void feed_reduce(void *user_data, void *state, const void *mutation, size_t size) {
  feed_state *self = (feed_state *)state;
  const feed_mutation *given = (const feed_mutation *)mutation;
  EXPECT_EQUAL(size, sizeof *given);
  if (given->kind == SET_LOADING) self->is_loading = given->is_on;
  if (given->kind == SET_LOADING_MORE) self->is_loading_more = given->is_on;
  if (given->kind == ADD_PAGE) feed_add_page(self, given);
  if (self->is_loading) self->is_loading_more = false;
}

static inline mainstem_status feed_show(void *user_data, mainstem_context *scope,
                                        const mainstem_event_type *types, const void *state) {
  const feed_state *self = (const feed_state *)state;
  mainstem_value_set_bool(scope, types[IS_LOADING], self->is_loading);
  mainstem_value_set_bool(scope, types[IS_LOADING_MORE], self->is_loading_more);
  mainstem_value_set_bool(scope, types[NO_MORE], self->no_more);
  mainstem_value_set_text(scope, types[ITEMS], self->items);
  return mainstem_value_set_bool(scope, types[CAN_MORE],
                                 self->page > 0 && !self->no_more && !self->is_loading);
}

static inline mainstem_status feed_pulse(void *user_data, mainstem_context *scope,
                                         const mainstem_event_type *types, const void *mutation,
                                         size_t size) {
  const feed_mutation *given = (const feed_mutation *)mutation;
  if (given->kind != SHOW_FAILURE) return MAINSTEM_OK;
  return mainstem_send(scope, types[FAILED], given->text, strlen(given->text));
}

static const mainstem_viewmodel_row feed_rows[] = {
    {"isLoading", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"isLoadingMore", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"noMore", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"items", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"canMore", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"alert", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"refresh", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, feed_refresh, NULL,
     MAINSTEM_COMMAND_LATEST, 0, NULL},
    {"more", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, feed_more, "canMore", 0, 0,
     "refresh"}};

static const mainstem_reactor_table feed_table = {
    .size = sizeof feed_table,
    .state_size = sizeof(feed_state),
    .rows = feed_rows,
    .row_size = sizeof feed_rows[0],
    .count = COUNT(feed_rows),
    .mutation = MAINSTEM_PAYLOAD_STRUCT | sizeof(feed_mutation),
    .reduce = feed_reduce,
    .show = feed_show,
    .pulse = feed_pulse,
};

static inline void feed_keep(void *user_data, const mainstem_event *event) {
  feed *self = (feed *)user_data;
  EXPECT(self->asked_count < FEED_KEPT);
  EXPECT_OK(mainstem_event_retain(event, &self->asked[self->asked_count++]));
}

/* Adds what serves the feed. */
static inline void feed_serve(feed *self, mainstem_context *context) {
  self->ask_page = type_open(context, "RequestPage", MAINSTEM_PAYLOAD_INTEGER, "ResponsePage");
  (void)type_open(context, "ResponsePage", MAINSTEM_PAYLOAD_TEXT, NULL);
  serve_one(context, "Pages", "RequestPage", feed_keep, self);
}

/* Answers the oldest request: with a page, or NULL and a failure. */
static inline void feed_answer(feed *self, const char *page, const char *failure) {
  EXPECT(self->answered_count < self->asked_count);
  mainstem_retained *asked = self->asked[self->answered_count++];
  const mainstem_event *event = kept_event(asked);
  if (page != NULL) EXPECT_OK(mainstem_respond(event, page, strlen(page)));
  else EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, failure));
  EXPECT_OK(mainstem_retained_release(asked));
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A service with operations and a value: a diary. A view model asks it. */

#ifndef DIARY_H
#define DIARY_H

#include "transcript.h"

typedef struct world {
  mainstem_context *context, *view_model, *last; /* The scope that was made last. */
  mainstem_event_type fetch, reload, more, nothing, go, count, counted;
  transcript seen;
  mainstem_status status, fails, inner;
  int made, released, waits, asks;
  uint64_t number;
} world;

/* The state of one instance. */
typedef struct diary {
  world *of;
  int64_t count;
} diary;

static inline void diary_answer(const diary *self, const mainstem_event *event) {
  if (self->of->waits) keep_for_ever(NULL, event);
  else EXPECT_OK(mainstem_respond(event, &self->count, sizeof self->count));
}

static inline void diary_fetch(void *user_data, const mainstem_event *event) {
  diary_answer((const diary *)user_data, event);
}

static inline void diary_reload(void *user_data, const mainstem_event *event) {
  ((diary *)user_data)->count = 10;
  diary_answer((const diary *)user_data, event);
}

static inline void diary_more(void *user_data, const mainstem_event *event) {
  ((diary *)user_data)->count += 10;
  diary_answer((const diary *)user_data, event);
}

static inline mainstem_status diary_show(void *user_data, mainstem_context *server,
                                         const mainstem_event_type *types) {
  return mainstem_value_set_integer(server, types[0], ((diary *)user_data)->count);
}

static inline void diary_release(void *user_data) {
  ((diary *)user_data)->of->released++;
  free(user_data);
}

static const mainstem_handler_row diary_rows[] = {
    {"RequestFetchEntries", diary_fetch, MAINSTEM_HANDLER_FETCH},
    {"RequestReloadEntries", diary_reload, MAINSTEM_HANDLER_RELOAD},
    {"RequestMore", diary_more, MAINSTEM_HANDLER_LOAD_MORE}};

static inline mainstem_status make_diary(void *user_data, mainstem_context *scope,
                                         const mainstem_event *event) {
  world *of = (world *)user_data;
  diary *self = (diary *)calloc(1, sizeof *self);
  EXPECT(self != NULL);
  self->of = of;
  of->made++;
  of->last = scope;
  mainstem_status status = mainstem_server_add_with(
      scope, NULL, diary_rows, sizeof diary_rows[0], COUNT(diary_rows),
      OPTIONS(server, .show = diary_show, .show_types = &of->count), self, diary_release, NULL);
  if (status != MAINSTEM_OK) {
    free(self);
    return status;
  }
  if (of->asks) of->inner = mainstem_service_find(scope, "Diary", &scope);
  return of->fails;
}

static inline void note_world(void *user_data, const mainstem_event *event) {
  world *self = (world *)user_data;
  if (event->type == self->count)
    transcript_add(&self->seen, "count%d", (int)mainstem_event_integer(event));
}

static inline void world_install(world *self) {
  static const char *const operations[] = {"RequestFetchEntries", "RequestReloadEntries",
                                           "RequestMore", "RequestNothing"};
  mainstem_context *context = self->context;
  const mainstem_contract number = MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_LAYER_MODEL;
  const mainstem_contract none = MAINSTEM_PAYLOAD_NONE | MAINSTEM_LAYER_MODEL;
  self->counted = type_open(context, "ResponseCount", number, NULL);
  self->fetch = type_open(context, "RequestFetchEntries", none, "ResponseCount");
  self->reload = type_open(context, "RequestReloadEntries", none, "ResponseCount");
  self->more = type_open(context, "RequestMore", none, "ResponseCount");
  self->nothing = type_open(context, "RequestNothing", none, "ResponseCount");
  self->go = type_open(context, "Go", MAINSTEM_PAYLOAD_NONE, NULL);
  self->count = type_open(context, "Diary.count", number | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_service_add(context, "Diary", operations, COUNT(operations),
                                 MAINSTEM_PAYLOAD_NONE | MAINSTEM_LAYER_MODEL, make_diary, self,
                                 NULL));
  EXPECT_OK(mainstem_observe(context, self->count, note_world, self, NULL, NULL));
  self->view_model = scope_open(context, "View model");
}

static inline void world_open(world *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  world_install(self);
}

static inline void world_close(world *self) { EXPECT_OK(mainstem_context_close(self->context)); }

static inline void note_answer(void *user_data, const mainstem_event *event) {
  world *self = (world *)user_data;
  self->status = event->status;
  if (event->status != MAINSTEM_OK) return;
  self->number = (uint64_t)mainstem_event_integer(event);
  if (event->type == self->counted) transcript_add(&self->seen, "answer%d", (int)self->number);
}

static inline void ask(world *self, mainstem_context *scope, mainstem_event_type type) {
  self->status = -1;
  EXPECT_OK(mainstem_request(scope, type, NULL, 0, note_answer, self, NULL));
}

static inline mainstem_context *find(world *self, mainstem_context *scope) {
  mainstem_context *service = NULL;
  EXPECT_OK(mainstem_service_find(scope, "Diary", &service));
  return service;
}

/* Opens an instance of one's own. */
static inline mainstem_context *open_own(world *self, mainstem_context *scope) {
  mainstem_context *own = NULL;
  EXPECT_OK(mainstem_instance_open(scope, "Diary", NULL, 0, note_answer, self, NULL));
  EXPECT_EQUAL(self->status, MAINSTEM_OK);
  EXPECT_OK(mainstem_scope_find(self->context, self->number, &own, NULL));
  return own;
}

static inline int64_t count_of(const world *self, mainstem_context *service) {
  mainstem_retained *kept;
  EXPECT_OK(mainstem_value_get(service, self->count, &kept));
  const mainstem_event *event = kept_event(kept);
  int64_t count = mainstem_event_integer(event);
  EXPECT_OK(mainstem_retained_release(kept));
  return count;
}

#endif

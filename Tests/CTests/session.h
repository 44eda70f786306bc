// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A program that is recorded and replayed: a server that answers at once, later, in steps, with an error or
 * not at all, draws numbers and ids, arms timers, asks another server, and makes and ends scopes.
 */

#ifndef SESSION_H
#define SESSION_H

#include "journal.h"

/* What is changed in the server, to be found. */
enum {
  AS_IT_WAS,
  OTHER_PAYLOAD,
  OTHER_STATUS,
  ONE_MORE,
  ONE_LESS,
  OTHER_TYPE,
  OTHER_ORIGIN,
  CHANGES
};

typedef struct session {
  mainstem_context *context, *server, *cells[2];
  mainstem_event_type ask, answer, find, found, step, note, tick, key, nobody;
  mainstem_retained *later[64];
  int laters, handled, provided, change;
} session;

static inline void session_note(session *self, const char *word) {
  uint64_t number;
  int64_t time;
  char id[MAINSTEM_ID_SIZE], text[200];
  EXPECT_OK(mainstem_context_random(self->server, &number));
  EXPECT_OK(mainstem_context_id(self->server, id));
  EXPECT_OK(mainstem_context_now(self->server, &time));
  snprintf(text, sizeof text, "%s %llx %s %lld", word, (unsigned long long)number, id,
           (long long)time);
  mainstem_context *from = self->change == OTHER_ORIGIN ? self->context : self->server;
  mainstem_status status =
      mainstem_send(from, self->change == OTHER_TYPE ? self->step : self->note, text, strlen(text));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* The context closes. */
}

/* Somebody else has answered. */
static inline void session_stop(void *user_data) { session_note((session *)user_data, "stopped"); }

/* A provider: it would do something outside, and answer when that is done. */
static inline void session_provide(session *self, const mainstem_event *event) {
  int replaying;
  EXPECT_OK(mainstem_event_on_settled(event, session_stop, self, NULL));
  EXPECT_OK(mainstem_event_on_settled(event, session_stop, self, NULL));
  EXPECT_OK(mainstem_context_is_replaying(event->context, &replaying));
  if (replaying) return;
  EXPECT(self->laters < 64);
  EXPECT_OK(mainstem_event_retain(event, &self->later[self->laters++]));
  self->provided++;
}

static inline void session_answer_later(session *self) {
  for (int i = 0; i < self->laters; i++) {
    const mainstem_event *event = kept_event(self->later[i]);
    mainstem_status status = i % 3 == 2 ? mainstem_respond_error(event, 1007, "not found")
                                        : mainstem_respond(event, "later", 5);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
    EXPECT_OK(mainstem_retained_release(self->later[i]));
  }
  self->laters = 0;
}

static inline void session_on_found(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  session_note(self, event->status == 0 ? "found" : "lost");
}

static inline void session_on_ask(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  char kind = event->size > 0 ? *(const char *)event->data : 'n';
  mainstem_context *scope;
  self->handled++;
  switch (kind) {
  case 'l': /* later */
    session_provide(self, event);
    break;
  case 'e':
    EXPECT_OK(mainstem_respond_error(event, self->change == OTHER_STATUS ? 1002 : 1001, "no"));
    break;
  case 's': /* in steps */
    EXPECT_OK(mainstem_respond_progress(event, self->step, "1", 1));
    session_note(self, "step");
    EXPECT_OK(mainstem_respond_progress(event, self->step, "2", 1));
    EXPECT_OK(mainstem_respond(event, "stepped", 7));
    EXPECT_STATUS(mainstem_respond(event, "again", 5), MAINSTEM_STALE);
    break;
  case 'f': /* asks another */
    EXPECT_OK(mainstem_request(self->server, self->find, event->data, event->size, session_on_found,
                               self, NULL));
    EXPECT_OK(mainstem_respond(event, "asked", 5));
    break;
  case 'o': /* asks in a scope that ends */
    scope = scope_open(self->server, "Brief");
    EXPECT_OK(mainstem_request(scope, self->find, "l", 1, session_on_found, self, NULL));
    EXPECT_OK(mainstem_scope_end(scope));
    EXPECT_OK(mainstem_respond(event, "over", 4));
    break;
  case 't': /* arms a timer */
    EXPECT_OK(mainstem_send_after(self->server, self->tick, "t", 1, 1, 0, NULL));
    EXPECT_OK(mainstem_respond(event, "armed", 5));
    break;
  case 'x': /* fails */
    EXPECT_OK(mainstem_fail(event, 1003, "broken"));
    EXPECT_OK(mainstem_respond(event, "failed", 6));
    break;
  default:
    session_note(self, "note");
    EXPECT_OK(mainstem_respond(event, self->change == OTHER_PAYLOAD ? "nO" : "no", 2));
  }
}

static inline void session_on_find(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  if (event->size > 1 && ((const char *)event->data)[1] == 'l') {
    session_provide(self, event);
    return;
  }
  mainstem_status status = mainstem_respond(event, "here", 4);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* Its scope has ended. */
}

static inline void session_on_tick(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  session_note(self, "tick");
}

static inline void session_on_key(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  if (self->change != ONE_LESS) session_note(self, "key");
  if (self->change == ONE_MORE) session_note(self, "more");
}

/* Two of the same name, which only the number of their scope tells apart. */
static inline void session_on_cell(void *user_data, const mainstem_event *event) {
  session *self = (session *)user_data;
  const char *which = event->context == self->cells[0] ? "first" : "second";
  session_note(self, which);
  if (event->type == self->nobody) EXPECT_OK(mainstem_respond(event, which, strlen(which)));
}

static inline void session_install_cells(session *self) {
  static const mainstem_handler_row rows[] = {
      {"RequestNobody", session_on_cell, MAINSTEM_HANDLER_OWN}};
  mainstem_observe_options options = {.size = sizeof options, .types = &self->key, .type_count = 1};
  for (int i = 0; i < 2; i++) {
    EXPECT_OK(mainstem_server_add(self->context, "Cell", rows, sizeof rows[0], 1, self, NULL,
                                  &self->cells[i]));
    options.of = self->cells[i];
    EXPECT_OK(mainstem_observe_with(self->cells[i], &options, session_on_cell, self, NULL, NULL));
  }
}

/* As a program does it that does not know whether it is recorded or replayed. */
static inline void session_install(session *self, uint32_t threads, mainstem_context *context) {
  static const mainstem_handler_row rows[] = {{"RequestAsk", session_on_ask, 0},
                                              {"RequestFind", session_on_find, 0}};
  self->context = context;
  self->note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self->answer = type_open(context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->find = type_open(context, "RequestFind", MAINSTEM_PAYLOAD_TEXT, "ResponseFound");
  self->found = type_open(context, "ResponseFound", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->step = type_open(context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->tick = type_open(context, "Tick", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->nobody = type_open(context, "RequestNobody", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL);
  EXPECT_OK(
      mainstem_server_add(context, "Server", rows, sizeof rows[0], 2, self, NULL, &self->server));
  EXPECT_OK(mainstem_observe(self->server, self->tick, session_on_tick, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->server, self->key, session_on_key, self, NULL, NULL));
  session_install_cells(self);
  EXPECT_OK(mainstem_activity_report(context, self->ask));
}

/* What the user and the world do: so many things, drawn by a seed. */
static inline void session_play(session *self, uint64_t seed, int count) {
  static const char *const kinds[] = {"n", "l", "e", "s", "f", "o", "t", "x", "fl", "n"};
  mainstem_pending *pending;
  mainstem_context *view = scope_open(self->context, "View");
  for (int i = 0; i < count; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    uint64_t pick = seed >> 33;
    const char *kind = kinds[pick % COUNT(kinds)];
    mainstem_context *cell = self->cells[pick / 100 % 2];
    switch (pick / COUNT(kinds) % 10) {
    case 0:
      EXPECT_OK(mainstem_send(view, self->key, "k", 1));
      break;
    case 1:
      EXPECT_OK(mainstem_request(view, self->nobody, kind, strlen(kind), NULL, NULL, NULL));
      break;
    case 2:
      session_answer_later(self);
      break;
    case 3:
      EXPECT_OK(mainstem_post(view, self->tick, "p", 1));
      EXPECT_OK(mainstem_drain(self->context, 0, NULL));
      break;
    case 4:
      EXPECT_OK(mainstem_request(view, self->ask, "l", 1, NULL, NULL, &pending));
      EXPECT_OK(mainstem_pending_cancel(pending));
      break;
    case 5:
      EXPECT_OK(mainstem_send(cell, self->key, "k", 1));
      break;
    case 6:
      EXPECT_OK(mainstem_request(cell, self->nobody, kind, strlen(kind), NULL, NULL, NULL));
      break;
    default:
      EXPECT_OK(mainstem_request(view, self->ask, kind, strlen(kind), NULL, NULL, NULL));
    }
    if (self->laters > 50) session_answer_later(self);
  }
}

static inline void session_end(session *self) {
  for (int i = 0; i < self->laters; i++) EXPECT_OK(mainstem_retained_release(self->later[i]));
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Records a session; the journal's path. */
static inline const char *session_record(uint32_t threads, uint64_t seed, int count) {
  const char *path = journal_path("session");
  static session self;
  memset(&self, 0, sizeof self);
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  session_install(&self, threads, context);
  session_play(&self, seed, count);
  while (stats_of(context).timers > 0) EXPECT_OK(mainstem_wait(context, -1));
  session_end(&self);
  return path;
}

static inline mainstem_replay_info replay_info(mainstem_replay *replay) {
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  return info;
}

static inline mainstem_replay_difference replay_difference(mainstem_replay *replay) {
  mainstem_replay_difference found = {.size = sizeof found};
  EXPECT_OK(mainstem_replay_difference_read(replay, &found));
  return found;
}

#endif

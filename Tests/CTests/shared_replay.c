// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 11: shared requests, recorded and replayed. Who asks together follows from the order alone. */

#include "elsewhere.h"
#include "session.h"

/* Four threads that ask the same, and a server that answers every other time. */
typedef struct crowd {
  stream on;
  int started, answered;
} crowd;

static void *ask_beside(void *data) {
  crowd *self = (crowd *)data;
  for (int i = 0; i < 500; i++) {
    mainstem_pending *pending;
    EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "same", 4,
                                    OPTIONS(request, .share = 1), NULL, NULL, NULL, &pending));
    if (i % 3 == 0) mainstem_pending_cancel(pending);
  }
  return NULL;
}

static void count_start(void *user_data, const mainstem_event *event) {
  crowd *self = (crowd *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_SHARED, 0);
  if (++self->started % 2 == 0) EXPECT_OK(mainstem_respond(event, "", 0));
}

static void count_answer(void *user_data, const mainstem_event *event) {
  if (event->flags & MAINSTEM_EVENT_SHARED || event->status == MAINSTEM_CANCELLED)
    ((crowd *)user_data)->answered++;
}

static mainstem_context *crowd_install(crowd *self, mainstem_context *context) {
  memset(self, 0, sizeof *self);
  self->on = stream_of(context);
  EXPECT_OK(mainstem_observe(context, self->on.answer, count_answer, self, NULL, NULL));
  serve_one(context, "Worker", "RequestAsk", count_start, self);
  return context;
}

/* Law 8 from four threads: each asker has one answer, and nothing is left. Law 11: and so it was in the replay. */
CASE(from_other_threads, IN_ANY) {
  static crowd self;
  pthread_t ones[4];
  uint64_t fed;
  const char *path = journal_path("crowd");
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  crowd_install(&self, context);
  for (size_t i = 0; i < COUNT(ones); i++) ones[i] = beside(ask_beside, &self);
  for (size_t i = 0; i < COUNT(ones); i++) join(ones[i]);
  EXPECT(self.started > 0);
  EXPECT_OK(mainstem_context_close(context));
  EXPECT(self.answered >= 2000);
  int started = self.started;
  context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  crowd_install(&self, context);
  mainstem_status status = mainstem_replay_step(replay, 0, &fed);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  EXPECT_EQUAL(self.started, started);
  EXPECT_OK(mainstem_context_close(context));
}

/* A program that asks together, inside and outside, with a server that answers at once or later. */
typedef struct program {
  session on;
  mainstem_context *view;
  mainstem_pending *pending[400];
  int asked, is_replay;
} program;

static void stopped(void *user_data) { session_note(&((program *)user_data)->on, "stopped"); }

static void handle(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  char kind = *(const char *)event->data;
  EXPECT_OK(mainstem_event_on_settled(event, stopped, self, NULL));
  if (kind == 'n') { /* The other handler may have answered. */
    mainstem_status status = mainstem_respond_progress(event, self->on.step, "step", 4);
    session_note(&self->on, "note");
    EXPECT_STATUS(mainstem_respond(event, "now", 3), status);
  } else if (!self->is_replay && self->on.laters < 64) {
    EXPECT_OK(mainstem_event_retain(event, &self->on.later[self->on.laters++]));
  }
}

static void share(program *self, mainstem_context *scope, const char *what, int64_t timeout_ms) {
  mainstem_status status =
      mainstem_request_with(scope, self->on.find, what, strlen(what),
                            OPTIONS(request, .timeout_ms = timeout_ms, .share = 1), NULL, NULL,
                            NULL, self->asked < 400 ? &self->pending[self->asked] : NULL);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  if (status == MAINSTEM_OK && self->asked < 400) self->asked++;
}

static void told(void *user_data, const mainstem_event *event) {
  session_note(&((program *)user_data)->on, event->status == 0 ? "found" : "lost");
}

/* Asks for itself and gives up, in one callback. */
static void ask_in_callback(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  mainstem_pending *pending;
  const char *what = event->position % 2 ? "l" : "n";
  for (int i = 0; i < 3; i++) {
    mainstem_status status =
        mainstem_request_with(self->on.server, self->on.find, what, 1, OPTIONS(request, .share = 1),
                              told, self, NULL, &pending);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
    if (i == 1 && status == MAINSTEM_OK) EXPECT_OK(mainstem_pending_cancel(pending));
  }
}

static void program_install(program *self, mainstem_context *context) {
  static const mainstem_handler_row rows[] = {{"RequestFind", handle, MAINSTEM_HANDLER_SEVERAL},
                                              {"Key", ask_in_callback, 0}};
  static const mainstem_handler_row own[] = {
      {"RequestFind", handle, MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_SEVERAL}};
  self->on.context = context;
  self->on.note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.find = type_open(context, "RequestFind", MAINSTEM_PAYLOAD_TEXT, "ResponseFound");
  self->on.found = type_open(context, "ResponseFound", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.step = type_open(context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(
      mainstem_server_add(context, "Server", MAINSTEM_ROWS(rows), self, NULL, &self->on.server));
  EXPECT_OK(
      mainstem_server_add(context, "Cell", own, sizeof own[0], 1, self, NULL, &self->on.cells[0]));
}

static void program_play(program *self, uint64_t seed, int count) {
  static const char *const kinds[] = {"n", "l", "l", "l2"};
  self->view = scope_open(self->on.context, "View");
  for (int i = 0; i < count; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    uint64_t pick = seed >> 33;
    mainstem_context *const scopes[] = {self->on.context, self->view, self->on.cells[0]};
    mainstem_context *scope = scopes[pick / 7 % 3];
    const mainstem_event *event;
    switch (pick / 100 % 9) {
    case 0:
      EXPECT_OK(mainstem_send(scope, self->on.key, "k", 1));
      break;
    case 1:
      if (self->asked > 0) mainstem_pending_cancel(self->pending[pick / 1000 % self->asked]);
      break;
    case 2:
      session_answer_later(&self->on);
      break;
    case 3:
      if (self->on.laters == 0) break;
      event = kept_event(self->on.later[self->on.laters - 1]);
      mainstem_respond_progress(event, self->on.step, "step", 4);
      break;
    case 4:
      EXPECT_OK(mainstem_context_advance(self->on.context, 1));
      break;
    case 5:
      EXPECT_OK(mainstem_scope_end(self->view));
      self->view = scope_open(self->on.context, "View");
      break;
    default:
      share(self, scope, kinds[pick % COUNT(kinds)], pick / 10 % 5);
    }
  }
}

static mainstem_context *program_context(uint32_t threads, uint32_t flags) {
  return CONTEXT_WITH(.threads = threads, .flags = flags, .clock = MAINSTEM_CLOCK_VIRTUAL);
}

static void recorded_and_replayed(uint32_t threads, uint32_t flags, uint64_t seed, uint32_t mode) {
  static program self;
  const char *path = journal_path("session");
  memset(&self, 0, sizeof self);
  mainstem_context *context = program_context(threads, flags);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  program_install(&self, context);
  program_play(&self, seed, 60);
  session_end(&self.on);
  memset(&self, 0, sizeof self);
  self.is_replay = 1;
  context = program_context(threads, flags);
  mainstem_replay *replay = replay_open(context, path, mode);
  program_install(&self, context);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK)
    fprintf(stderr, "  seed %llu: %s\n", (unsigned long long)seed,
            replay_difference(replay).message);
  EXPECT_OK(status);
  mainstem_replay_info info = replay_info(replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  if (mode == MAINSTEM_REPLAY_VERIFY) EXPECT_EQUAL(info.verified_until, journal_look(path).last);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_EQUAL(stats_of(context).requests, 0);
  session_end(&self.on);
  journal_sweep();
}

/* Law 11. Catches: who asks together depends on more than the order, and an answer that nobody feeds. */
CASE(what_was_recorded_verifies, IN_BOTH) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    recorded_and_replayed(threads, 0, seed, MAINSTEM_REPLAY_VERIFY);
    recorded_and_replayed(threads, MAINSTEM_CONTEXT_DELIVER_ON_HOST, seed, MAINSTEM_REPLAY_VERIFY);
    recorded_and_replayed(threads, 0, seed, MAINSTEM_REPLAY_MUTED);
  }
}

static void *answer_beside(void *data) {
  EXPECT_OK(mainstem_respond((const mainstem_event *)data, "here", 4));
  return NULL;
}

/* The answer of another thread counts at once, and has its place later: then there is nothing to give up. */
CASE(an_answer_on_its_way_is_not_given_up, IN_ONE) {
  static program self;
  const char *path = journal_path("session");
  memset(&self, 0, sizeof self);
  mainstem_context *context = program_context(threads, 0);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  program_install(&self, context);
  share(&self, context, "l", 0);
  const mainstem_event *event = kept_event(self.on.later[0]);
  elsewhere(answer_beside, (void *)event);
  EXPECT_OK(mainstem_pending_cancel(self.pending[0]));
  EXPECT_EQUAL(stats_of(context).events, 3);
  EXPECT_OK(mainstem_send(context, self.on.key, "k", 1)); /* What it sends is output. */
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(stats_of(context).requests, 0);
  session_end(&self.on);
  memset(&self, 0, sizeof self);
  self.is_replay = 1;
  context = program_context(threads, 0);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  program_install(&self, context);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  session_end(&self.on);
}

int main(void) { return journal_expect_all(); }

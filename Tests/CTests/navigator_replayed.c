// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Sessions with a navigator, recorded and replayed: verified, and fed to a stage that draws the same. */

#include "elsewhere.h"
#include "session.h"
#include "stage.h"

/* A program with a stage, guards and flows, which does not know whether it is replayed. */
typedef struct journey {
  app app;
  mainstem_event_type picked, go;
  mainstem_retained *guard; /* Asked, and to be answered later. */
  int flows;
} journey;

static journey *the_journey;

static void guarded(void *user_data, const mainstem_event *event) {
  journey *self = (journey *)user_data;
  const char last = event->size > 0 ? ((const char *)event->data)[event->size - 1] : 0;
  int replaying;
  EXPECT_OK(mainstem_context_is_replaying(event->context, &replaying));
  switch (last) {
  case '3':
    (void)mainstem_respond_error(event, 1003, "no");
    break;
  case '4':
    (void)mainstem_guard_answer(event, MAINSTEM_GUARD_REDIRECT, "confirm");
    break;
  case '5':
    if (!replaying) EXPECT_OK(mainstem_event_retain(event, &self->guard));
    break;
  case '6':
    (void)mainstem_guard_answer(event, MAINSTEM_GUARD_OPEN_FIRST, "page/1"); /* Until the limit. */
    break;
  default:
    (void)mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL);
  }
}

static void heard(void *user_data, const mainstem_event *event) {
  const char word = event->size > 0 ? *(const char *)event->data : 0;
  uint64_t speaker = 0;
  (void)mainstem_event_component(event, &speaker);
  if (word == 'o') {
    mainstem_move move = move_of(MAINSTEM_MOVE_OPEN, "users", speaker);
    (void)mainstem_navigator_move(event->context, &move, NULL, NULL, NULL);
    (void)mainstem_navigator_open(event->context, "page/7", NULL, NULL, NULL);
  } else if (word == 'f') {
    (void)mainstem_component_finish(event->context, the_journey->app.said, "bye", 3);
  } else {
    (void)mainstem_send(event->context, the_journey->app.said, &speaker, 0);
  }
}

static mainstem_status make_flow(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  static const mainstem_intent_row rows[] = {{"Picked", NULL, heard, MAINSTEM_INTENT_QUEUED, 0},
                                             {"MainstemLink", NULL, heard, 0, 0}};
  mainstem_status status =
      mainstem_intents_add(scope, rows, sizeof rows[0], COUNT(rows), NULL, NULL);
  if (status != MAINSTEM_OK) return status;
  return mainstem_navigator_open(scope, ++the_journey->flows % 3 ? "page/1" : "nowhere", NULL, NULL,
                                 NULL);
}

/* Reads the tree in a callback: what it finds goes on the stream. */
static void on_go(void *user_data, const mainstem_event *event) {
  journey *self = (journey *)user_data;
  uint64_t components[256];
  size_t count;
  char text[32];
  EXPECT_OK(mainstem_navigator_tree(self->app.context, components, COUNT(components), &count));
  snprintf(text, sizeof text, "%zu", count);
  (void)mainstem_send(event->context, self->app.said, text, strlen(text));
  if (count > 0) (void)mainstem_navigator_open(event->context, "confirm", NULL, NULL, NULL);
}

static void journey_install(journey *self, mainstem_context *context) {
  static const mainstem_handler_row rows[] = {{"RequestGuard.one", guarded, 0}};
  memset(self, 0, sizeof *self);
  the_journey = self;
  app_install(&self->app, context, make_flow);
  self->picked = type_open(context, "Picked", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->go = type_open(context, "Go", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_guard_add(context, "page/<int:id>", "one", 0));
  EXPECT_OK(mainstem_guard_add(context, "users", "one", MAINSTEM_GUARD_LEAVING));
  EXPECT_OK(mainstem_server_add(context, "Guard", rows, sizeof rows[0], 1, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->go, on_go, self, NULL, NULL));
}

static void *answer_guard(void *data) {
  journey *self = (journey *)data;
  if (self->guard == NULL) return NULL;
  const mainstem_event *event = kept_event(self->guard);
  mainstem_status status = mainstem_guard_answer(event, MAINSTEM_GUARD_ALLOW, NULL);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(self->guard));
  self->guard = NULL;
  return NULL;
}

/* The page of an opener; the context, if it has ended. */
static mainstem_context *somewhere(journey *self, uint64_t pick) {
  uint64_t components[256];
  size_t count;
  mainstem_context *scope = NULL;
  char text[512];
  mainstem_component_info show = {.size = sizeof show};
  EXPECT_OK(mainstem_navigator_tree(self->app.context, components, COUNT(components), &count));
  if (count == 0) return self->app.context;
  EXPECT_OK(mainstem_component_read(self->app.context, components[pick % count], &show, text,
                                    sizeof text));
  if (show.owner != 0) EXPECT_OK(mainstem_scope_find(self->app.context, show.owner, &scope, NULL));
  return scope != NULL ? scope : self->app.context;
}

static uint64_t some_component(journey *self, uint64_t pick) {
  uint64_t components[256];
  size_t count;
  EXPECT_OK(mainstem_navigator_tree(self->app.context, components, COUNT(components), &count));
  return count == 0 ? 12345 : components[pick % count];
}

static void one_move(journey *self, uint64_t pick) {
  static const char *const urls[] = {"home",   "page/1", "page/2",  "page/3", "page/4",
                                     "page/5", "page/6", "confirm", "sheet",  "drawer",
                                     "users",  "map",    "compose", "broken", "flow"};
  mainstem_move move = move_of(1 + (uint32_t)(pick >> 8) % 7, urls[(pick >> 4) % COUNT(urls)],
                               some_component(self, pick >> 16));
  if (move.verb == MAINSTEM_MOVE_OPEN && pick % 3 != 0) move.component = 0;
  if (move.verb == MAINSTEM_MOVE_REPLACE_ROOT && pick % 4 != 0) move.verb = MAINSTEM_MOVE_OPEN;
  if (move.verb == MAINSTEM_MOVE_LINK && pick % 4 == 0) move.flags = MAINSTEM_MOVE_ALL;
  mainstem_pending *pending = app_ask(&self->app, somewhere(self, pick >> 20), &move, "m");
  if (pick % 11 == 0) (void)mainstem_pending_cancel(pending);
}

static void release_kept(journey *self) {
  if (self->app.kept != NULL) (void)mainstem_retained_release(self->app.kept);
  self->app.kept = NULL;
}

/* What the user and the world do: so many things, drawn by a seed. */
static void journey_play(journey *self, uint64_t seed, int count) {
  for (int i = 0; i < count; i++) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    const uint64_t pick = seed >> 20;
    transcript_clear(&self->app.seen);
    switch (seed >> 59) {
    case 0:
      EXPECT_OK(mainstem_component_gone(self->app.context, some_component(self, pick)));
      break;
    case 1:
      (void)mainstem_scope_end(somewhere(self, pick));
      break;
    case 2:
      elsewhere(answer_guard, self);
      break;
    case 3:
      self->app.shows = FAILS;
      break;
    case 5:
      EXPECT_OK(mainstem_context_advance(self->app.context, 10000));
      break;
    case 6:
      EXPECT_OK(mainstem_navigator_ready(self->app.context));
      break;
    case 7:
      EXPECT_OK(send_text(somewhere(self, pick), self->picked, pick % 2 ? "open" : "f"));
      break;
    case 8:
      EXPECT_OK(send_text(somewhere(self, pick), self->picked, "say"));
      break;
    case 9:
      EXPECT_OK(send_text(self->app.context, self->go, ""));
      break;
    case 10:
      (void)mainstem_component_finish(somewhere(self, pick), self->app.said, "done", 4);
      break;
    case 11:
      release_kept(self), self->app.shows = WAITS;
      break;
    case 12:
      mainstem_component_shown(self->app.context,
                               stage_count ? stage_shown[stage_count - 1].component : 0);
      break;
    default:
      one_move(self, pick);
    }
    if (pick % 3 != 0) app_drain(&self->app);
    if (pick % 5 == 0) self->app.shows = ANSWERS;
    if (self->app.made > 50) self->app.made = 0;
    if (stage_count > 200) stage_count = 0;
  }
}

static mainstem_context *journey_context(uint32_t threads, uint32_t flags) {
  return CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL, .flags = flags);
}

static void journey_close(journey *self) {
  release_kept(self);
  (void)answer_guard(self);
  EXPECT_OK(mainstem_context_close(self->app.context));
}

/* Records a session, and verifies it. */
static void verify_one(uint32_t threads, uint32_t flags, uint64_t seed) {
  const char *path = journal_path("journey");
  static journey self;
  mainstem_context *context = journey_context(threads, flags);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  journey_install(&self, context);
  journey_play(&self, seed, 120);
  if (seed % 2) app_drain(&self.app);
  journey_close(&self);
  context = journey_context(threads, flags);
  journey_install(&self, context);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK) {
    fprintf(stderr, "  seed %llu, threads %u, flags %u: %s\n", (unsigned long long)seed, threads,
            flags, mainstem_last_error());
  }
  EXPECT_OK(status);
  EXPECT_OK(mainstem_replay_close(replay));
  journey_close(&self);
  journal_sweep();
}

/* Catches: a session that a verification finds different, because of attempts, reads or turns that it counts otherwise. */
CASE(sessions_verify, IN_BOTH) {
  for (uint64_t seed = 1; seed <= 100; seed++) {
    verify_one(threads, 0, seed);
    if (threads == MAINSTEM_THREADS_ANY)
      verify_one(threads, MAINSTEM_CONTEXT_DELIVER_ON_HOST, seed);
  }
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11 for what callbacks are refused and what they find accepted: both are found again by number, and no number
 * depends on what merely looks, even if that registers observers inside callbacks.
 */

#include "session.h"

/* Who looks on, each a bit. */
enum { BEFORE = 1, AFTER = 2, ALIKE = 4, VIEWS = 8, ALL_LOOKERS = 15 };

typedef struct program {
  mainstem_context *context, *owner, *view;
  mainstem_event_type key, told, said;
  mainstem_binding *writing, *looking;
  mainstem_subscription *guest, *heard;
  int refused;
} program;

static void look(void *user_data, const mainstem_event *event) { (void)user_data, (void)event; }

/* It looks, and registers something that looks, too. */
static void come_and_go(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  if (self->guest != NULL) EXPECT_OK(mainstem_cancel(self->guest));
  EXPECT_OK(mainstem_observe(event->context, self->told, look, NULL, NULL, &self->guest));
}

static void bind_and_end(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  if (self->looking != NULL) EXPECT_OK(mainstem_binding_end(self->looking));
  EXPECT_OK(mainstem_binding_add(event->context, self->owner, NULL, sizeof(mainstem_binding_row), 0,
                                 NULL, NULL, &self->looking));
}

static void tell(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  mainstem_send(event->context, self->told, event->data, event->size);
}

/* It writes, then observes: what it has written does not reach the observer. */
static void write_and_observe(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  EXPECT_OK(mainstem_binding_set(self->writing, "said", "word", 4));
  if (self->heard != NULL) EXPECT_OK(mainstem_cancel(self->heard));
  EXPECT_OK(mainstem_observe(event->context, self->said, tell, self, NULL, &self->heard));
}

/* It sends until there is no room, and counts what is refused. */
static void send_many(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  for (int i = 0; i < 8; i++) {
    mainstem_status status = mainstem_send(event->context, self->told, "x", (size_t)i % 2);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_FULL);
    if (status == MAINSTEM_FULL) self->refused++;
  }
}

static void observe_key(program *self, mainstem_context *scope, mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe(scope, self->key, fn, self, NULL, NULL));
}

static program *program_open(uint32_t threads) {
  static program self;
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .limit_events = 6);
  return &self;
}

static void program_install(program *self, int lookers) {
  mainstem_context *inspector = self->context;
  self->key = type_open(self->context, "Key", MAINSTEM_PAYLOAD_NONE, NULL);
  self->told = type_open(self->context, "Told", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->said =
      type_open(self->context, "Owner.said", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL);
  self->owner = scope_open(self->context, "Owner");
  self->view = scope_open(self->context, "View");
  EXPECT_OK(mainstem_binding_add(self->view, self->owner, NULL, sizeof(mainstem_binding_row), 0,
                                 NULL, NULL, &self->writing));
  if (lookers & (BEFORE | AFTER | VIEWS)) inspector = scope_open(self->context, "Inspector");
  if (lookers & BEFORE) observe_key(self, inspector, come_and_go);
  if (lookers & ALIKE) observe_key(self, self->context, look);
  if (lookers & VIEWS) observe_key(self, inspector, bind_and_end);
  observe_key(self, self->context, write_and_observe);
  observe_key(self, self->context, write_and_observe);
  observe_key(self, self->context, send_many);
  if (lookers & AFTER) observe_key(self, inspector, come_and_go);
}

static const char *record(uint32_t threads, int lookers) {
  const char *path = journal_path("looks");
  program *self = program_open(threads);
  EXPECT_OK(mainstem_journal_record(self->context, path, NULL));
  program_install(self, lookers);
  for (int i = 0; i < 5; i++) EXPECT_OK(mainstem_send(self->context, self->key, NULL, 0));
  EXPECT(self->refused > 10);
  EXPECT_OK(mainstem_context_close(self->context));
  return path;
}

static void expect_verified(uint32_t threads, const char *path, int lookers) {
  program *self = program_open(threads);
  mainstem_replay *replay = replay_open(self->context, path, MAINSTEM_REPLAY_VERIFY);
  program_install(self, lookers);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status == MAINSTEM_DIFFERENT) {
    fprintf(stderr, "  lookers %d: %s\n", lookers, replay_difference(replay).message);
  }
  EXPECT_OK(status);
  EXPECT_EQUAL(replay_info(replay).verified_until, replay_info(replay).last);
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Catches: a number of what others are refused, or find accepted, that depends on what merely looks. */
CASE(what_looks_changes_nothing_that_others_are_refused, IN_BOTH) {
  for (int lookers = 0; lookers <= ALL_LOOKERS; lookers++) {
    const char *path = record(threads, lookers);
    expect_verified(threads, path, lookers);
    expect_verified(threads, path, 0);
    expect_verified(threads, path, ALL_LOOKERS);
    journal_sweep();
  }
}

int main(void) { return journal_expect_all(); }

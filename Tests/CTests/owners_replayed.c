// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Owners, recorded and replayed. */

#include "elsewhere.h"
#include "house.h"
#include "session.h"

static void on_go(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  const char word = event->size > 0 ? *(const char *)event->data : 0;
  if (word == 'e') (void)mainstem_scope_end(found(self, self->numbers[1]));
  if (word != 'o') return;
  mainstem_status status =
      mainstem_instance_open(event->context, "Cell", "in", 2, NULL, NULL, NULL);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CANCELLED); /* A muted replay. */
}

static void owners_install(house *self) {
  house_install(self);
  mainstem_event_type go = type_open(self->context, "Go", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_observe(self->context, go, on_go, self, NULL, NULL));
}

static const char *const owners_seen =
    "tock tock tock end0! tock tock end1 tock tock end! end2 tock end3!";

/* What the host does; a replay does none of it. */
static void owners_play(house *self) {
  mainstem_event_type go = type_named(self->context, "Go");
  for (int i = 0; i < 3; i++) ask(self, self->view);
  tick(self);
  EXPECT_OK(mainstem_scope_end(found(self, self->numbers[0])));
  tick(self);
  EXPECT_OK(mainstem_send(self->context, go, "e", 1));
  EXPECT_OK(mainstem_send(self->context, go, "o", 1));
  tick(self);
  EXPECT_OK(mainstem_scope_end(self->view));
  tick(self);
  EXPECT_OK(mainstem_scope_end(found(self, self->numbers[3])));
  tick(self);
  mainstem_context *other = scope_open(self->context, "Late view");
  ask(self, other);
  EXPECT_OK(mainstem_scope_end(other));
  tick(self);
}

static void expect_verified(mainstem_replay *replay, mainstem_context *context) {
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT_EQUAL(info.position, stats_of(context).events);
  EXPECT_EQUAL(info.verified_until, info.last);
}

/* Catches: an end that a replay does not repeat, or tells twice; a number that is another one there. */
CASE(a_session_with_owners_verifies, IN_BOTH) {
  const char *path = journal_path("session");
  house self = {0}, again;
  self.context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  owners_install(&self);
  owners_play(&self);
  EXPECT(strncmp(self.seen.text, owners_seen, strlen(owners_seen)) == 0);
  house_close(&self);
  memset(&again, 0, sizeof again);
  again.context = context_open(threads);
  owners_install(&again);
  mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(again.seen.text, self.seen.text);
  EXPECT_EQUAL(again.count, self.count);
  for (int i = 0; i < self.count; i++) EXPECT(again.numbers[i] == self.numbers[i]);
  expect_verified(replay, again.context);
  EXPECT_EQUAL(stats_of(again.context).scopes, 1); /* The factory. */
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(again.context));
  again.context = context_open(threads);
  transcript_clear(&again.seen);
  owners_install(&again);
  again.count = 0;
  replay = replay_open(again.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_EQUAL(again.count, 0);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(again.context));
}

static void *end_made(void *user_data) {
  house *self = (house *)user_data;
  EXPECT_OK(mainstem_scope_end(self->made));
  EXPECT_STATUS(mainstem_scope_end(self->made), MAINSTEM_STALE);
  return NULL;
}

/* A thread ends what the factory fills; a replay has no such thread. */
static mainstem_status make_hall(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  house *self = (house *)user_data;
  self->made = scope;
  if (self->count < 8) self->numbers[self->count] = number_of(scope);
  self->count++;
  EXPECT_OK(mainstem_value_set_integer(scope, self->shown, 1));
  if (self->nests > 0) elsewhere(end_made, self);
  EXPECT_OK(mainstem_send(scope, self->tock, "", 0));
  EXPECT_OK(mainstem_value_set_integer(scope, self->shown, 2));
  EXPECT_OK(mainstem_observe(scope, self->tick, on_tick, self, release_one, NULL));
  if (self->ends) EXPECT_OK(mainstem_scope_end(scope));
  return self->status;
}

static void hall_open(house *self, uint32_t threads, int ends, int status) {
  house_open(self, threads);
  self->shown =
      type_open(self->context, "Shown", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(
      mainstem_factory_add(self->context, "Hall", MAINSTEM_PAYLOAD_TEXT, make_hall, self, NULL));
  self->ends = ends;
  self->status = status;
}

static void verify_what_was_ended_while_it_was_made(uint32_t threads, int ends, int status) {
  const char *path = journal_path("made");
  house self, again;
  hall_open(&self, threads, ends, status);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  self.nests = 1;
  self.statuses = -1;
  EXPECT_OK(mainstem_instance_open(self.view, "Hall", "", 0, note_answer, &self, NULL));
  EXPECT_STATUS(self.statuses, ends ? MAINSTEM_CANCELLED : status);
  tick(&self);
  EXPECT_TEXT(self.seen.text, "end0! tock");
  house_close(&self);
  hall_open(&again, threads, ends, status);
  mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(again.seen.text, self.seen.text);
  expect_verified(replay, again.context);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(again.context));
  journal_sweep();
}

/* Catches: an owner that another thread ends at once, while a factory fills it, so that a verification, which has no
   such thread, opens it. */
CASE(verify_ends_an_owner_that_was_being_made, IN_ANY) {
  verify_what_was_ended_while_it_was_made(threads, 0, MAINSTEM_OK);
  verify_what_was_ended_while_it_was_made(threads, 0, 1042);
  verify_what_was_ended_while_it_was_made(threads, 1, MAINSTEM_OK);
}

int main(void) { return journal_expect_all(); }

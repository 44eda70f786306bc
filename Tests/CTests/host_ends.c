// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A host ends scopes that have values, while events wait for them: verify ends them where the host did. */

#include "elsewhere.h"
#include "journal.h"

/* A program: a room and its corner listen and ask; a server keeps what it is asked. */
typedef struct home {
  stream on;
  mainstem_event_type value;
  mainstem_context *room, *corner, *keeper;
  mainstem_retained *kept[8];
  unsigned count;
  int in_room, in_corner, answers, released;
  int ends_elsewhere; /* A thread ends the room in the next call of an observer of the context. */
} home;

static void answered(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  EXPECT_STATUS(event->status, MAINSTEM_CANCELLED);
  self->answers++;
  EXPECT_OK(send_text(self->on.context, self->on.other, "given up"));
}

static void listen_in_room(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  mainstem_pending *pending;
  self->in_room++;
  EXPECT_OK(mainstem_request(self->room, self->on.ask, "?", 1, answered, self, &pending));
  EXPECT_OK(send_text(self->on.context, self->on.other, "in the room"));
}

static void listen_in_corner(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  self->in_corner++;
  EXPECT_OK(send_text(self->corner, self->on.other, "in the corner"));
}

static void hear_the_end(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  EXPECT_OK(send_text(self->on.context, self->on.other, "heard of its own end"));
}

static void keep(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  EXPECT(self->count < 8);
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->count++]));
}

static void count_release(void *user_data) { ((home *)user_data)->released++; }

static void *end_room(void *user_data) {
  home *self = (home *)user_data;
  EXPECT_OK(send_text(self->on.context, self->on.notice, "late"));
  EXPECT_OK(mainstem_scope_end(self->room));
  return NULL;
}

static void perhaps_end_elsewhere(void *user_data, const mainstem_event *event) {
  home *self = (home *)user_data;
  if (!self->ends_elsewhere) return;
  self->ends_elsewhere = 0;
  elsewhere(end_room, self);
}

static void observe(home *self, mainstem_context *scope, mainstem_event_type type,
                    mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe(scope, type, fn, self,
                             scope == self->on.context ? NULL : count_release, NULL));
}

/* The thread acts before the room is called, or behind it. */
static void home_open(home *self, uint32_t threads, uint32_t flags, int is_before) {
  memset(self, 0, sizeof *self);
  self->on = stream_of(CONTEXT_WITH(.threads = threads, .flags = flags));
  mainstem_context *const context = self->on.context;
  self->value = type_open(context, "Value", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  mainstem_event_type ended = type_named(context, "MainstemEnded");
  self->room = scope_open(context, "Room");
  self->corner = scope_open(self->room, "Corner");
  if (is_before) observe(self, context, self->on.notice, perhaps_end_elsewhere);
  observe(self, self->room, self->on.notice, listen_in_room);
  observe(self, self->corner, self->on.notice, listen_in_corner);
  observe(self, self->room, ended, hear_the_end);
  if (!is_before) observe(self, context, self->on.notice, perhaps_end_elsewhere);
  self->keeper = serve_one(context, "Keeper", "RequestAsk", keep, self);
}

static uint64_t home_close(home *self) {
  const uint64_t events = stats_of(self->on.context).events;
  while (self->count > 0) EXPECT_OK(mainstem_retained_release(self->kept[--self->count]));
  EXPECT_OK(mainstem_context_close(self->on.context));
  return events;
}

static void home_verify(home *self, const char *path, uint64_t events) {
  mainstem_replay *replay = replay_open(self->on.context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_EQUAL(stats_of(self->on.context).events, events);
  EXPECT_EQUAL(self->released, 3);
  EXPECT_STATUS(send_text(self->room, self->on.other, "?"), MAINSTEM_STALE);
}

static void play(home *self) {
  mainstem_context *const context = self->on.context;
  EXPECT_OK(mainstem_value_set_text(self->room, self->value, "furnished"));
  EXPECT_OK(send_text(context, self->on.notice, "heard"));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(send_text(context, self->on.notice, "waits"));
  EXPECT_OK(mainstem_value_set_text(self->corner, self->value, "on its way"));
  EXPECT_OK(send_text(self->room, self->on.notice, "waits, too"));
  EXPECT_OK(mainstem_scope_end(self->room));
  /* Nobody was delivering: the hooks have run, and no call follows. */
  EXPECT_EQUAL(self->released, 3);
  EXPECT_OK(send_text(context, self->on.notice, "later"));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
}

/* Catches: a verification that lets observers hear what waited when the host ended their scope, or its end; that answers
   what the scope had asked by itself; that forgets a value on its way. */
static void verify_ends_a_scope_where_its_host_did(uint32_t threads, uint32_t flags) {
  const char *path = journal_path("host");
  home self;
  home_open(&self, threads, flags, 0);
  EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
  play(&self);
  const int in_room = self.in_room, in_corner = self.in_corner;
  EXPECT_EQUAL(in_room, flags == 0 ? 3 : 1);
  EXPECT_EQUAL(in_corner, in_room);
  const uint64_t events = home_close(&self);

  home_open(&self, threads, flags, 0);
  home_verify(&self, path, events);
  EXPECT_EQUAL(self.in_room, in_room);
  EXPECT_EQUAL(self.in_corner, in_corner);
  EXPECT_EQUAL(self.answers, in_room);
  EXPECT_EQUAL(stats_of(self.on.context).history, 0);
  home_close(&self);
  journal_sweep();
}

CASE(while_events_wait, IN_BOTH) {
  verify_ends_a_scope_where_its_host_did(threads, MAINSTEM_CONTEXT_DELIVER_ON_HOST);
}

CASE(while_nothing_waits, IN_BOTH) { verify_ends_a_scope_where_its_host_did(threads, 0); }

/* Catches: a verification in which a scope hears what it was not called for, because another thread had ended it; or
   does not hear what it was called for. */
CASE(while_another_thread_delivers, IN_ANY) {
  const char *path = journal_path("threads");
  for (int is_before = 0; is_before < 2; is_before++) {
    home self;
    home_open(&self, threads, 0, is_before);
    EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
    EXPECT_OK(mainstem_value_set_text(self.room, self.value, "furnished"));
    EXPECT_OK(mainstem_value_set_text(self.corner, self.value, "furnished"));
    self.ends_elsewhere = 1;
    EXPECT_OK(send_text(self.on.context, self.on.notice, "heard or not"));
    EXPECT_OK(send_text(self.on.context, self.on.notice, "later"));
    EXPECT_EQUAL(self.in_room, !is_before);
    EXPECT_EQUAL(self.in_corner, !is_before);
    const uint64_t events = home_close(&self);

    home_open(&self, threads, 0, is_before);
    home_verify(&self, path, events);
    EXPECT_EQUAL(self.in_room, !is_before);
    EXPECT_EQUAL(self.in_corner, !is_before);
    home_close(&self);
    journal_sweep();
  }
}

/* Catches: a scope that hears its own end in a verification. */
CASE(and_does_not_hear_its_own_end, IN_BOTH) {
  const char *path = journal_path("own");
  home self;
  home_open(&self, threads, 0, 0);
  EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
  EXPECT_OK(mainstem_value_set_text(self.room, self.value, "furnished"));
  EXPECT_OK(mainstem_scope_end(self.room));
  EXPECT_EQUAL(home_close(&self), 2);

  home_open(&self, threads, 0, 0);
  home_verify(&self, path, 2);
  home_close(&self);
}

int main(void) { return journal_expect_all(); }

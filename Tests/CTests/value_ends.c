// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The end of a scope that has a value: an event, so that a replay ends the value, too. */

#include "journal.h"
#include "scheduled.h"

/* A program: three scopes, a server that shows, and owners that a view asks for. */
typedef struct house {
  stream on;
  mainstem_event_type value, shown;
  mainstem_context *first, *second, *silent, *counter, *view;
  uint64_t cell;
  transcript seen;
  int count, ends, told;
} house;

static void note(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  if (event->type == self->value) transcript_add(&self->seen, "%s", mainstem_value_text(event));
  else if (event->type != self->on.notice)
    transcript_add(&self->seen, event->type == self->shown ? "shown" : "ended");
}

static void end_second(void *user_data, const mainstem_event *event) {
  mainstem_status status = mainstem_scope_end(((house *)user_data)->second);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* It comes twice. */
}

static void count_one(void *user_data, const mainstem_event *event) {
  ((house *)user_data)->count++;
}

static mainstem_status show(void *user_data, mainstem_context *counter,
                            const mainstem_event_type *types) {
  const house *self = (const house *)user_data;
  return mainstem_value_set_integer(counter, self->shown, self->count);
}

/* The first owner ends by the host, the second is never made. */
static mainstem_status make(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  const house *self = (const house *)user_data;
  EXPECT_OK(mainstem_value_set(scope, self->value, event->data, event->size));
  return *(const char *)event->data == '!' ? MAINSTEM_INVALID : MAINSTEM_OK;
}

static void count_end(void *user_data) { ((house *)user_data)->ends++; }

static void count_told(void *user_data) { ((house *)user_data)->told++; }

static void house_open(house *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->value =
      type_open(self->on.context, "Value", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  self->shown =
      type_open(self->on.context, "Shown", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL);
  self->first = scope_open(self->on.context, "S");
  self->second = scope_open(self->on.context, "S");
  self->silent = scope_open(self->on.context, "T");
  self->view = scope_open(self->on.context, "View");
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, end_second, self, NULL, NULL));
  EXPECT_OK(mainstem_server_add_with(self->on.context, "Counter", NULL,
                                     sizeof(mainstem_handler_row), 0, OPTIONS(server, .show = show),
                                     self, count_end, &self->counter));
  EXPECT_OK(mainstem_observe(self->counter, self->on.notice, count_one, self, NULL, NULL));
  EXPECT_OK(
      mainstem_factory_add(self->on.context, "Cell", MAINSTEM_PAYLOAD_TEXT, make, self, NULL));
}

static void note_cell(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  if (event->status == MAINSTEM_OK) self->cell = (uint64_t)mainstem_event_integer(event);
}

/* Whatever has a value ends, but for the context. */
static void house_play(house *self) {
  mainstem_context *cell;
  EXPECT_OK(mainstem_value_set_text(self->first, self->value, "first"));
  EXPECT_OK(mainstem_value_set_text(self->second, self->value, "second"));
  EXPECT_OK(mainstem_value_set_text(self->on.context, self->value, "context"));
  EXPECT_OK(mainstem_instance_open(self->view, "Cell", "a cell", 6, note_cell, self, NULL));
  EXPECT_OK(mainstem_instance_open(self->view, "Cell", "!", 1, note_cell, self, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0)); /* Ends the second. */
  EXPECT_OK(mainstem_post(self->first, self->value, "posted", 6));
  EXPECT_OK(mainstem_scope_end(self->first));
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_OK(mainstem_scope_end(self->silent));
  EXPECT_OK(mainstem_scope_end(self->counter));
  EXPECT_OK(mainstem_scope_find(self->on.context, self->cell, &cell, NULL));
  EXPECT_OK(mainstem_scope_end(cell));
  EXPECT_OK(
      mainstem_send(self->on.context, self->on.notice, "", 0)); /* The counter counts no more. */
}

static void house_replay(house *self, const char *path, uint32_t mode) {
  mainstem_binding *binding;
  mainstem_replay *replay = replay_open(self->on.context, path, mode);
  EXPECT_OK(mainstem_binding_add(self->view, self->counter, NULL, sizeof(mainstem_binding_row), 0,
                                 NULL, NULL, &binding));
  EXPECT_OK(mainstem_binding_on_ended(binding, count_told, self));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
}

/* Who observes late is shown what the scopes have that live. */
static void house_look(house *self) {
  EXPECT_OK(mainstem_observe(self->on.context, MAINSTEM_TYPE_ANY, note, self, NULL, NULL));
  EXPECT_TEXT(self->seen.text, "context");
}

/* Catches: a value that a replay keeps for ever; an end inside a callback that verify takes for new; a server that
   shows in a verification when it had ended; a value of an owner that was never made. */
CASE(a_replay_ends_what_the_session_ended, IN_BOTH) {
  const char *path = journal_path("ends");
  house self;
  house_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
  house_play(&self);
  EXPECT_EQUAL(self.ends, 1);
  house_look(&self);
  const uint64_t events = stats_of(self.on.context).events;
  EXPECT_OK(mainstem_context_close(self.on.context));

  house_open(&self, threads);
  house_replay(&self, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_EQUAL(stats_of(self.on.context).events, events);
  EXPECT_EQUAL(self.ends, 1);
  EXPECT_STATUS(mainstem_value_set_text(self.first, self.value, "?"), MAINSTEM_STALE);
  EXPECT_OK(mainstem_drain(self.on.context, 0, NULL));
  EXPECT_EQUAL(self.told, 1);
  house_look(&self);
  EXPECT_OK(mainstem_context_close(self.on.context));

  house_open(&self, threads);
  house_replay(&self, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_EQUAL(stats_of(self.on.context).events, events);
  house_look(&self);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a program that has lost its scopes when a replay has restored it; a scope without values for ever. */
CASE(after_a_muted_replay_a_scope_goes_on, IN_BOTH) {
  const char *path = journal_path("goes on");
  house self;
  house_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
  house_play(&self);
  EXPECT_OK(mainstem_context_close(self.on.context));

  house_open(&self, threads);
  house_replay(&self, path, MAINSTEM_REPLAY_MUTED);
  house_look(&self);
  EXPECT_OK(mainstem_value_set_text(self.first, self.value, "again"));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_OK(mainstem_drain(self.on.context, 0, NULL));
  EXPECT_EQUAL(self.ends + self.told, 0);
  EXPECT_TEXT(self.seen.text, "context shown again shown");
  EXPECT_EQUAL(stats_of(self.on.context).history, 3);
  EXPECT_OK(mainstem_scope_end(self.first));
  EXPECT_TEXT(self.seen.text, "context shown again shown ended");
  EXPECT_EQUAL(stats_of(self.on.context).history, 2);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: an end that is not told where its value is still on its way. */
CASE(what_waits_counts, IN_BOTH) {
  house self = {0};
  EXPECT_OK(mainstem_context_create(
      OPTIONS(context, .threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST),
      &self.on.context));
  self.value =
      type_open(self.on.context, "Value", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  self.first = scope_open(self.on.context, "S");
  EXPECT_OK(mainstem_observe(self.on.context, MAINSTEM_TYPE_ANY, note, &self, NULL, NULL));
  EXPECT_OK(mainstem_value_set_text(self.first, self.value, "on its way"));
  EXPECT_OK(mainstem_scope_end(self.first));
  EXPECT_OK(mainstem_drain(self.on.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "on its way ended");
  EXPECT_EQUAL(stats_of(self.on.context).history, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return journal_expect_all(); }

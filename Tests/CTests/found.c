// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Scopes that are found again: by their numbers, in this context and in every repetition. */

#include "scheduled.h"
#include "session.h"

static mainstem_context *added(mainstem_context *parent, const char *name) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(parent, name, NULL, &scope));
  return scope;
}

static void expect_found(mainstem_context *through, mainstem_context *scope, const char *name) {
  mainstem_context *found = NULL;
  const char *text = NULL;
  EXPECT_OK(mainstem_scope_find(through, number_of(scope), &found, &text));
  EXPECT(found == scope);
  EXPECT_TEXT(text, name);
  EXPECT_OK(mainstem_scope_find(through, number_of(scope), &found, NULL));
  EXPECT(found == scope);
}

static void expect_not_found(mainstem_context *through, uint64_t number) {
  mainstem_context *found = through;
  const char *text = "";
  EXPECT_OK(mainstem_scope_find(through, number, &found, &text));
  EXPECT(found == NULL && text == NULL);
}

/* Catches: a second handle, an ended scope that is found, a child that is not. */
CASE(a_scope_is_found_while_it_lives, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *a = added(on.context, "A"), *b = added(a, "B"), *again = added(a, "B");
  uint64_t ended = number_of(b);
  mainstem_context *server = serve_one(a, "Server", "RequestAsk", witness_event, NULL);
  EXPECT_EQUAL(number_of(on.context), 0);
  EXPECT(ended != 0 && ended != number_of(again));
  expect_found(again, on.context, "");
  expect_found(on.context, a, "A");
  expect_found(again, b, "B");
  expect_found(b, again, "B");
  expect_found(b, server, "Server");
  EXPECT_OK(mainstem_scope_end(b));
  expect_not_found(on.context, ended);
  EXPECT_STATUS(mainstem_scope_number(b, &ended), MAINSTEM_STALE);
  ended = number_of(again);
  EXPECT_OK(mainstem_scope_end(a));
  expect_not_found(on.context, ended);
  expect_not_found(on.context, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

static mainstem_context *limited(mainstem_context *parent, uint64_t sends, uint64_t observers) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(parent, "Limited",
                               OPTIONS(scope, .send_layers = sends, .limit_observers = observers),
                               &scope));
  return scope;
}

/* Catches: a way around rights and budgets. */
CASE(nobody_finds_more_than_it_may_itself, IN_BOTH) {
  const uint64_t view = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  const uint64_t model = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL);
  stream on = stream_open(threads);
  mainstem_context *full = added(on.context, "Full");
  mainstem_context *one = limited(on.context, view, 0), *other = limited(on.context, view, 0);
  mainstem_context *more = limited(on.context, view | model, 0), *child = added(one, "Child");
  expect_found(one, other, "Limited");
  expect_found(more, child, "Child");
  expect_found(full, one, "Limited");
  expect_not_found(one, number_of(more));
  expect_not_found(one, number_of(full));
  expect_not_found(one, 0);
  EXPECT_EQUAL(stats_of(on.context).denied, 0);
  mainstem_context *few = limited(on.context, 0, 2), *fewer = limited(few, 0, 1);
  expect_found(few, fewer, "Limited");
  expect_found(full, few, "Limited");
  expect_not_found(few, number_of(full));
  expect_not_found(fewer, number_of(few));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* What a program makes, and what it finds. */
typedef struct cells {
  mainstem_context *context, *cell[2];
  mainstem_event_type open, said;
  uint64_t number[4], drawn;
  uint32_t origin[2];
  int made, asks;
  transcript seen;
} cells;

static void make_cells(void *user_data, const mainstem_event *event) {
  cells *self = (cells *)user_data;
  for (self->made = 0; self->made < 2; self->made++) {
    mainstem_context *cell = self->cell[self->made] = added(event->context, "Cell");
    self->number[self->made] = number_of(cell);
    if (self->asks) expect_found(event->context, cell, "Cell");
    EXPECT_OK(mainstem_send(cell, self->said, "made", 4));
  }
  self->number[2] = number_of(added(self->cell[0], "Cell"));
  self->number[3] = number_of(added(event->context, "Other"));
  EXPECT_OK(mainstem_context_random(event->context, &self->drawn));
}

static void note_said(void *user_data, const mainstem_event *event) {
  cells *self = (cells *)user_data;
  const char *name = NULL;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  if (event->size == 4 && self->origin[1] == 0) {
    self->origin[self->origin[0] != 0] = event->origin;
  } else {
    transcript_add(&self->seen, "%s%s", name,
                   event->origin == self->origin[0]   ? "0"
                   : event->origin == self->origin[1] ? "1"
                                                      : "");
  }
}

static cells cells_open(uint32_t threads, uint64_t seed) {
  cells self = {0};
  self.context = CONTEXT_WITH(.threads = threads, .seed = seed);
  return self;
}

static void cells_install(cells *self, int makes) {
  self->open = type_open(self->context, "Open", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->said = type_open(self->context, "Said", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->said, note_said, self, NULL, NULL));
  if (makes) {
    EXPECT_OK(mainstem_observe(self->context, self->open, make_cells, self, NULL, NULL));
  }
}

static void cells_make(cells *self, uint32_t threads, uint64_t seed, int others) {
  *self = cells_open(threads, seed);
  for (int i = 0; i < others; i++) added(self->context, "Beside");
  self->asks = others;
  cells_install(self, 1);
  for (int i = 0; i < others; i++) {
    EXPECT_OK(mainstem_observe(self->context, self->open, read_event, &self->seen, NULL, NULL));
  }
  EXPECT_OK(mainstem_send(self->context, self->open, "", 0));
}

/* Catches: a number that depends on the seed, on subscriptions, on other scopes; one that draws. */
CASE(a_number_is_the_same_in_every_repetition, IN_BOTH) {
  cells one, same, other, later = cells_open(threads, 1);
  uint64_t first[4];
  cells_make(&one, threads, 1, 0);
  cells_make(&same, threads, 1, 3);
  cells_make(&other, threads, 2, 0);
  for (int i = 0; i < 4; i++) {
    EXPECT(one.number[i] == same.number[i] && one.number[i] == other.number[i]);
    for (int k = 0; k < i; k++) EXPECT(one.number[i] != one.number[k]);
    first[i] = one.number[i];
  }
  EXPECT(one.drawn == same.drawn && one.drawn != other.drawn);
  EXPECT_OK(mainstem_send(one.context, one.open, "", 0));
  for (int i = 0; i < 4; i++) EXPECT(one.number[i] != first[i]);
  EXPECT(number_of(added(later.context, "Cell")) != first[0]);
  EXPECT_OK(mainstem_context_close(one.context));
  EXPECT_OK(mainstem_context_close(same.context));
  EXPECT_OK(mainstem_context_close(other.context));
  EXPECT_OK(mainstem_context_close(later.context));
}

/* Two cells that a callback makes, a view that the program has; all are sent through from outside. */
static const char *cells_record(uint32_t threads) {
  const char *path = journal_path("session");
  cells self = cells_open(threads, 1);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  cells_install(&self, 1);
  mainstem_context *view = added(self.context, "View");
  EXPECT_OK(mainstem_send(self.context, self.open, "", 0));
  EXPECT_OK(mainstem_send(self.cell[1], self.said, "1", 1));
  EXPECT_OK(mainstem_send(self.cell[0], self.said, "0", 1));
  EXPECT_OK(mainstem_send(view, self.said, "v", 1));
  EXPECT_OK(mainstem_post(self.cell[1], self.said, "1", 1));
  EXPECT_OK(mainstem_scope_end(self.cell[1]));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "Cell1 Cell0 View Cell1");
  EXPECT_OK(mainstem_context_close(self.context));
  return path;
}

static void note_view(void *user_data, const mainstem_event *event) {
  if (event->size == 1 && *(const char *)event->data == 'v') *(uint32_t *)user_data = event->origin;
}

/* Catches: an input given to the first scope of its name. */
CASE(an_input_finds_its_scope_by_number, IN_BOTH) {
  const char *path = cells_record(threads);
  static const uint32_t modes[] = {MAINSTEM_REPLAY_VERIFY, MAINSTEM_REPLAY_MUTED};
  for (int i = 0; i < 2; i++) {
    cells self = cells_open(threads, 5);
    mainstem_replay *replay = replay_open(self.context, path, modes[i]);
    cells_install(&self, 1);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_TEXT(self.seen.text, "Cell1 Cell0 View Cell1");
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

/* Catches: views that find nobody when a session is shown again, one that stays, one that is stronger than who asks. */
CASE(a_muted_replay_has_the_scopes_of_its_session, IN_BOTH) {
  cells made, self = cells_open(threads, 5);
  mainstem_context *cell = NULL;
  const char *path = cells_record(threads), *name = NULL;
  cells_make(&made, threads, 1, 0);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  cells_install(&self, 0);
  mainstem_context *view = limited(self.context, MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW), 0);
  expect_not_found(self.context, made.number[0]);
  EXPECT_OK(mainstem_replay_step(replay, 2, NULL));
  expect_not_found(self.context, 1);
  expect_not_found(view, made.number[0]);
  EXPECT_OK(mainstem_scope_find(self.context, made.number[0], &cell, &name));
  EXPECT(cell != NULL && number_of(cell) == made.number[0]);
  EXPECT_TEXT(name, "Cell");
  expect_found(self.context, cell, "Cell");
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_scope_end(cell));
  expect_not_found(self.context, made.number[0]);
  EXPECT_OK(mainstem_replay_close(replay));
  expect_not_found(self.context, made.number[1]);
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_OK(mainstem_context_close(made.context));
}

/* Catches: a scope of a program of other shape that gets no input; one of a callback that gets another's. */
CASE(a_stranger_is_found_by_name, IN_BOTH) {
  const char *path = cells_record(threads);
  uint32_t seen = 0, its = 0;
  cells self = cells_open(threads, 1);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  cells_install(&self, 0);
  EXPECT_OK(mainstem_observe(self.context, self.said, note_view, &seen, NULL, NULL));
  mainstem_context *view = added(added(self.context, "Window"), "View");
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
  its = seen;
  EXPECT_OK(mainstem_send(view, self.said, "v", 1));
  EXPECT(its != 0 && its == seen);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: one stand-in for two scopes, one without a name, a scope of the program that takes its place. */
CASE(a_scope_that_is_not_there_has_a_stand_in, IN_BOTH) {
  const char *path = cells_record(threads);
  cells self = cells_open(threads, 1);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  uint64_t fed;
  cells_install(&self, 0);
  EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
  EXPECT_EQUAL(fed, 7);
  EXPECT(self.origin[0] != self.origin[1]);
  EXPECT_TEXT(self.seen.text, "Cell1 Cell0 View Cell1");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_send(added(self.context, "Cell"), self.said, "?", 1));
  EXPECT_TEXT(self.seen.text, "Cell1 Cell0 View Cell1 Cell");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Two servers of one name: the second answers from outside, so the first hears that it is settled. */
typedef struct worker {
  struct workers *all;
  const char *word;
  mainstem_retained *kept;
} worker;

typedef struct workers {
  mainstem_context *context;
  mainstem_event_type ask, note;
  worker each[2];
  transcript seen;
} workers;

static void note_settled(void *user_data) {
  const worker *self = (const worker *)user_data;
  EXPECT_OK(mainstem_send(self->all->context, self->all->note, self->word, 1));
}

static void begin_work(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, self, NULL));
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
}

static void note_word(void *user_data, const mainstem_event *event) {
  transcript_add((transcript *)user_data, "%.1s", (const char *)event->data);
}

static void workers_install(workers *self) {
  static const char *const words[] = {"0", "1"};
  const mainstem_handler_row rows[] = {{"RequestAsk", begin_work, MAINSTEM_HANDLER_SEVERAL}};
  self->ask = type_open(self->context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAsk");
  self->note = type_open(self->context, "Note", MAINSTEM_PAYLOAD_BYTES, NULL);
  type_open(self->context, "ResponseAsk", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->note, note_word, &self->seen, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    self->each[i] = (worker){self, words[i], NULL};
    EXPECT_OK(mainstem_server_add(self->context, "Worker", MAINSTEM_ROWS(rows), &self->each[i],
                                  NULL, NULL));
  }
}

/* Catches: an answer from outside that a replay gives to another server of that name. */
CASE(servers_of_one_name_are_told_apart, IN_BOTH) {
  const char *path = journal_path("session");
  workers self = {.context = context_open(threads)}, again = {.context = context_open(threads)};
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  workers_install(&self);
  EXPECT_OK(mainstem_request(self.context, self.ask, "x", 1, NULL, NULL, NULL));
  const mainstem_event *event = kept_event(self.each[1].kept);
  EXPECT_OK(mainstem_respond(event, "y", 1));
  EXPECT_TEXT(self.seen.text, "0");
  EXPECT_OK(mainstem_context_close(self.context));
  mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
  workers_install(&again);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(again.seen.text, "0");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(again.context));
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-17: a service that makes a helper for its first order, and ends when nobody has ordered for a while. It
 * takes a timer of its own: the timer's event is an input, so a replay ends the service at the same place.
 */

#include "session.h"

enum { REST = 30000 };

/* A program with that service, and what it has seen. */
typedef struct kitchen {
  mainstem_context *context, *view, *last; /* The instance that was made last. */
  mainstem_event_type order, served, rest, bell;
  int made, released, bells, waits;
  mainstem_status status;
  int64_t number;
  mainstem_retained *kept;
  mainstem_context_stats before;
} kitchen;

/* One instance. */
typedef struct cook {
  kitchen *of;
  mainstem_context *scope, *helper;
  mainstem_timer *timer;
  int64_t orders;
} cook;

static void hear_bell(void *user_data, const mainstem_event *event) {
  ((kitchen *)user_data)->bells++;
}

static void begin_rest(cook *self) {
  if (self->timer != NULL) EXPECT_OK(mainstem_timer_cancel(self->timer));
  EXPECT_OK(mainstem_send_after(self->scope, self->of->rest, NULL, 0, REST, 0, &self->timer));
}

static void take_order(void *user_data, const mainstem_event *event) {
  cook *self = (cook *)user_data;
  self->orders++;
  if (self->helper == NULL) {
    self->helper = scope_open(self->scope, "Helper");
    EXPECT_OK(mainstem_observe(self->helper, self->of->bell, hear_bell, self->of, NULL, NULL));
  }
  begin_rest(self);
  if (self->of->waits) EXPECT_OK(mainstem_event_retain(event, &self->of->kept));
  else EXPECT_OK(mainstem_respond(event, &self->orders, sizeof self->orders));
}

static void end_if_idle(void *user_data, const mainstem_event *event) {
  cook *self = (cook *)user_data;
  uint64_t open;
  self->timer = NULL;
  EXPECT_OK(mainstem_request_count(self->scope, self->of->order, &open));
  if (open > 0) begin_rest(self);
  else EXPECT_OK(mainstem_scope_end(self->scope));
}

static void release_cook(void *user_data) {
  ((cook *)user_data)->of->released++;
  free(user_data);
}

static const mainstem_handler_row rows[] = {{"RequestOrder", take_order, 0},
                                            {"Rest", end_if_idle, 0}};

static mainstem_status make_cook(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  cook *self = (cook *)calloc(1, sizeof *self);
  EXPECT(self != NULL);
  self->of = (kitchen *)user_data;
  self->of->made++;
  self->of->last = self->scope = scope;
  EXPECT_OK(mainstem_server_add(scope, NULL, rows, sizeof rows[0], COUNT(rows), self, release_cook,
                                NULL));
  return MAINSTEM_OK;
}

static void kitchen_open(kitchen *self, uint32_t threads) {
  static const char *const orders[] = {"RequestOrder"};
  memset(self, 0, sizeof *self);
  self->context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  self->served = type_open(self->context, "ResponseOrder", MAINSTEM_PAYLOAD_INTEGER, NULL);
  self->order = type_open(self->context, "RequestOrder", MAINSTEM_PAYLOAD_NONE, "ResponseOrder");
  self->rest = type_open(self->context, "Rest", MAINSTEM_PAYLOAD_NONE, NULL);
  self->bell = type_open(self->context, "Bell", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_service_add(self->context, "Cook", orders, 1, MAINSTEM_PAYLOAD_NONE, make_cook,
                                 self, NULL));
  self->view = scope_open(self->context, "View");
  self->before = stats_of(self->context);
}

static void note_answer(void *user_data, const mainstem_event *event) {
  kitchen *self = (kitchen *)user_data;
  self->status = event->status;
  if (event->status == MAINSTEM_OK) self->number = mainstem_event_integer(event);
}

static void order(kitchen *self, mainstem_context *through) {
  self->status = -1;
  EXPECT_OK(mainstem_request(through, self->order, NULL, 0, note_answer, self, NULL));
}

static void rest(kitchen *self, int64_t ms) {
  EXPECT_OK(mainstem_context_advance(self->context, ms));
}

/* How many more there are than before anybody ordered. */
static int more_scopes(const kitchen *self) {
  return (int)(stats_of(self->context).scopes - self->before.scopes);
}

static void expect_bells(kitchen *self, int bells) {
  self->bells = 0;
  EXPECT_OK(mainstem_send(self->context, self->bell, NULL, 0));
  EXPECT_EQUAL(self->bells, bells);
}

static void expect_nothing_left(kitchen *self) {
  const mainstem_context_stats now = stats_of(self->context);
  EXPECT_EQUAL(now.scopes, self->before.scopes);
  EXPECT_EQUAL(now.subscriptions, self->before.subscriptions);
  EXPECT_EQUAL(now.requests + now.timers + now.retained, 0);
  EXPECT_EQUAL(self->released, self->made);
  expect_bells(self, 0);
}

static void play(kitchen *self) {
  expect_nothing_left(self);
  order(self, self->context);
  EXPECT_EQUAL(self->number, 1);
  EXPECT_EQUAL(more_scopes(self), 2);
  expect_bells(self, 1);
  rest(self, REST - 1);
  order(self, self->view); /* The rest begins anew. */
  EXPECT_EQUAL(self->number, 2);
  rest(self, REST - 1);
  EXPECT_EQUAL(self->made, 1);
  expect_bells(self, 1);
  rest(self, 1);
  expect_nothing_left(self);

  self->waits = 1; /* One that works is not idle. */
  order(self, self->context);
  rest(self, 2 * REST);
  EXPECT_EQUAL(self->made, 2);
  EXPECT_EQUAL(more_scopes(self), 2);
  const mainstem_event *kept;
  kept = kept_event(self->kept);
  EXPECT_OK(mainstem_respond(kept, &(int64_t){7}, sizeof(int64_t)));
  EXPECT_OK(mainstem_retained_release(self->kept));
  EXPECT_EQUAL(self->number, 7);
  self->waits = 0;
  rest(self, REST);
  expect_nothing_left(self);
}

/* Catches: a service that goes on for ever, that ends at work, that is not made again; what it made goes on. */
CASE(a_service_that_nobody_asks_ends, IN_BOTH) {
  kitchen self;
  kitchen_open(&self, threads);
  play(&self);
  order(&self, self.context);
  EXPECT_EQUAL(self.number, 1);
  EXPECT_EQUAL(self.made, 3);
  expect_bells(&self, 1);
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_EQUAL(self.released, 3);
}

/* Catches: an instance of one's own whose helper goes on when the one who asked for it has ended. */
CASE(one_of_ones_own_ends_with_its_asker, IN_BOTH) {
  kitchen self;
  mainstem_context *own = NULL;
  kitchen_open(&self, threads);
  order(&self, self.context);
  EXPECT_OK(mainstem_instance_open(self.view, "Cook", NULL, 0, note_answer, &self, NULL));
  EXPECT_OK(mainstem_scope_find(self.context, (uint64_t)self.number, &own, NULL));
  order(&self, own);
  EXPECT_EQUAL(more_scopes(&self), 4);
  expect_bells(&self, 2);
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_EQUAL(more_scopes(&self), 1); /* The view is gone, too. */
  expect_bells(&self, 1);
  EXPECT_EQUAL(self.released, 1);
  rest(&self, REST);
  EXPECT_EQUAL(more_scopes(&self), -1);
  expect_bells(&self, 0);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void replay(const char *path, uint32_t mode, uint32_t threads, const kitchen *there) {
  kitchen self;
  kitchen_open(&self, threads);
  mainstem_replay *replay = replay_open(self.context, path, mode);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  const mainstem_replay_info info = replay_info(replay);
  if (mode == MAINSTEM_REPLAY_VERIFY) {
    EXPECT_EQUAL(info.verified_until, info.last);
    EXPECT_EQUAL(self.made, there->made);
    EXPECT_EQUAL(self.released, there->released);
    EXPECT_EQUAL(stats_of(self.context).timers, 0);
  }
  EXPECT_OK(mainstem_replay_close(replay));
  if (self.kept != NULL) EXPECT_OK(mainstem_retained_release(self.kept));
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: an end by the clock that a replay has at another place, or twice. */
CASE(a_replay_ends_it_at_the_same_place, IN_BOTH) {
  const char *path = journal_path("idle");
  kitchen self;
  kitchen_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  order(&self, self.context);
  rest(&self, REST - 1);
  order(&self, self.view);
  expect_bells(&self, 1);
  rest(&self, REST);
  expect_bells(&self, 0);
  order(&self, self.context);
  rest(&self, REST);
  EXPECT_EQUAL(self.made, 2);
  EXPECT_EQUAL(self.released, 2);
  EXPECT_OK(mainstem_context_close(self.context));
  replay(path, MAINSTEM_REPLAY_VERIFY, threads, &self);
  replay(path, MAINSTEM_REPLAY_MUTED, threads, &self);
}

int main(void) { return journal_expect_all(); }

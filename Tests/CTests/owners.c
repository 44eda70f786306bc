// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Owners: made by factories, for scopes that ask; their ends are events. */

#include "house.h"

/* Catches: an owner without its parts, a number that finds another, one that outlives who asked. */
CASE(an_owner_lives_as_long_as_who_asked, IN_BOTH) {
  house self;
  house_open(&self, threads);
  uint64_t number = ask(&self, self.view);
  EXPECT_OK(self.statuses);
  EXPECT(number != 0 && found(&self, number) == self.made);
  tick(&self);
  EXPECT_TEXT(self.seen.text, "tock");
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_TEXT(self.seen.text, "tock end! end0");
  EXPECT(found(&self, number) == NULL);
  EXPECT_EQUAL(self.released, 2);
  tick(&self);
  EXPECT_TEXT(self.seen.text, "tock end! end0");
  EXPECT_STATUS(mainstem_scope_end(self.made), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(self.context).scopes, 1);
  house_close(&self);
  EXPECT_EQUAL(self.released, 3);
}

/* Catches: parts of what failed that stay, an answer OK for it, a message that is lost. */
CASE(a_factory_that_fails_leaves_nothing, IN_BOTH) {
  house self;
  house_open(&self, threads);
  const mainstem_context_stats before = stats_of(self.context);
  self.status = 1007;
  ask(&self, self.view);
  EXPECT_EQUAL(self.statuses, 1007);
  EXPECT_EQUAL(self.released, 2);
  self.says = 1;
  ask(&self, self.view);
  EXPECT_EQUAL(self.statuses, 1042);
  self.says = 0, self.status = MAINSTEM_OK, self.ends = 1;
  ask(&self, self.view);
  EXPECT_EQUAL(self.statuses, MAINSTEM_CANCELLED);
  self.ends = 0, self.says = 1; /* It says that it failed, and then that it did not. */
  ask(&self, self.view);
  EXPECT_EQUAL(self.statuses, 1042);
  const mainstem_context_stats after = stats_of(self.context);
  EXPECT_EQUAL(after.scopes, before.scopes);
  EXPECT_EQUAL(after.subscriptions, before.subscriptions);
  EXPECT_EQUAL(after.requests, 0);
  EXPECT_EQUAL(self.released, 8);
  EXPECT_TEXT(self.seen.text, "");
  house_close(&self);
}

/* Catches: a second factory, one that a replay could not know, an open of nothing. */
CASE(what_cannot_be_is_refused, IN_BOTH) {
  house self;
  char name[260];
  mainstem_event_type type;
  house_open(&self, threads);
  mainstem_context *context = self.context;
  const mainstem_contract text = MAINSTEM_PAYLOAD_TEXT;
  memset(name, 'n', sizeof name);
  name[243] = 0;
#define ADD(name, contract, make) mainstem_factory_add(context, name, contract, make, NULL, NULL)
  EXPECT_STATUS(ADD("Cell", text, make_owner), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", text, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD(NULL, text, make_owner), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", text | MAINSTEM_ROLE_NOTICE, make_owner), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD(name, text, make_owner), MAINSTEM_TOO_BIG);
  name[242] = 0;
  EXPECT_OK(ADD(name, text | MAINSTEM_LAYER_VIEW, make_owner));
  EXPECT_STATUS(mainstem_instance_open(context, "Other", "", 0, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_instance_open(context, "Cell", "\xff", 1, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  tick(&self);
  EXPECT_STATUS(ADD("Other", text, make_owner), MAINSTEM_INVALID);
  type = type_named(context, "RequestOpen.Cell");
  EXPECT_OK(mainstem_send(context, type, "", 0)); /* Nobody would know what was opened. */
  EXPECT_EQUAL(self.count, 0);
#undef ADD
  house_close(&self);
}

/* Catches: an owner that may as little as who asked, or that who asked can act through. */
CASE(an_owner_has_the_rights_of_its_factory, IN_BOTH) {
  house self;
  mainstem_context *view = NULL, *scope = NULL;
  house_open(&self, threads);
  mainstem_scope_options options = {.size = sizeof options,
                                    .observe_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW),
                                    .limit_observers = 1};
  EXPECT_OK(mainstem_scope_add(self.context, "Limited", &options, &view));
  uint64_t number = ask(&self, view);
  EXPECT(found(&self, number) == self.made);
  EXPECT_OK(mainstem_scope_find(view, number, &scope, NULL));
  EXPECT(scope == NULL);
  options.send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  EXPECT_OK(mainstem_scope_add(self.context, "View", &options, &view));
  EXPECT_STATUS(mainstem_instance_open(view, "Cell", "", 0, NULL, NULL, NULL), MAINSTEM_DENIED);
  house_close(&self);
}

typedef struct act {
  house *self;
  int opens, ends;
  mainstem_status status;
} act;

static void act_inside(void *user_data, const mainstem_event *event) {
  act *act_ = (act *)user_data;
  house *self = act_->self;
  for (int i = 0; i < act_->opens; i++)
    EXPECT_OK(mainstem_instance_open(self->view, "Cell", "in", 2, note_answer, self, NULL));
  EXPECT(self->count == 0 || act_->ends); /* It is made when its request is delivered. */
  if (!act_->ends) return;
  mainstem_context *scope = found(self, self->numbers[0]);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_STATUS(mainstem_scope_end(scope), MAINSTEM_STALE);
  EXPECT_OK(mainstem_send(event->context, self->tock, "", 0));
  EXPECT(found(self, self->numbers[0]) == scope); /* It ends when its end is delivered. */
}

/* Catches: an owner made in the middle of a callback, an end that comes before its turn. */
CASE(opens_and_ends_inside_callbacks_wait_their_turn, IN_BOTH) {
  house self;
  act inside = {&self, 2, 0, 0};
  house_open(&self, threads);
  mainstem_event_type go = type_open(self.context, "Go", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self.context, go, act_inside, &inside, NULL, NULL));
  EXPECT_OK(mainstem_send(self.context, go, "", 0));
  EXPECT_EQUAL(self.count, 2);
  EXPECT(self.numbers[0] != self.numbers[1]);
  tick(&self);
  EXPECT_TEXT(self.seen.text, "tock tock");
  transcript_clear(&self.seen);
  inside.opens = 0, inside.ends = 1;
  EXPECT_OK(mainstem_send(self.context, go, "", 0));
  EXPECT_TEXT(self.seen.text, "end0 tock");
  EXPECT(found(&self, self.numbers[0]) == NULL && found(&self, self.numbers[1]) != NULL);
  house_close(&self);
}

/* Catches: a grandchild that stays, an order that follows from memory, a host's end that is no input. */
CASE(what_is_nested_ends_with_what_opened_it, IN_BOTH) {
  house self;
  house_open(&self, threads);
  self.nests = 2;
  ask(&self, self.view);
  ask(&self, self.view);
  ask(&self, self.context);
  EXPECT_EQUAL(self.count, 5);
  EXPECT_EQUAL(stats_of(self.context).scopes, 2 + 10);
  EXPECT_OK(mainstem_scope_end(found(&self, self.numbers[3])));
  EXPECT_TEXT(self.seen.text, "end3!");
  transcript_clear(&self.seen);
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_TEXT(self.seen.text, "end! end0 end1 end2");
  EXPECT_EQUAL(stats_of(self.context).scopes, 1 + 2);
  EXPECT(found(&self, self.numbers[4]) != NULL); /* The context asked for it. */
  house_close(&self);
  EXPECT_EQUAL(self.released, 11);
}

static void end_factory(void *user_data) { (void)user_data; }

/* Catches: owners that outlive the part of the program that makes them, answers that never come. */
CASE(owners_end_with_their_factory, IN_BOTH) {
  house self = {0};
  self.context = context_open(threads);
  mainstem_context *module = scope_open(self.context, "Module");
  house_install(&self);
  EXPECT_OK(
      mainstem_factory_add(module, "Other", MAINSTEM_PAYLOAD_TEXT, make_owner, &self, end_factory));
  EXPECT_OK(mainstem_instance_open(self.view, "Other", "", 0, note_answer, &self, NULL));
  uint64_t number = self.answered;
  EXPECT(found(&self, number) != NULL);
  EXPECT_OK(mainstem_scope_end(module));
  EXPECT(found(&self, number) == NULL);
  EXPECT_TEXT(self.seen.text, "end0!");
  EXPECT_OK(mainstem_instance_open(self.view, "Other", "", 0, note_answer, &self, NULL));
  EXPECT_EQUAL(self.statuses, MAINSTEM_UNHANDLED);
  house_close(&self);
}

static void close_inside(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(mainstem_context_close(event->context), MAINSTEM_BUSY);
}

/* Catches: an owner that a closing context makes and keeps, an end that it tells. */
CASE(a_context_closes_while_owners_are_asked_for, IN_BOTH) {
  house self = {0};
  self.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST);
  house_install(&self);
  EXPECT_OK(mainstem_observe(self.context, self.ended, close_inside, NULL, NULL, NULL));
  ask(&self, self.view);
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_OK(self.statuses);
  ask(&self, self.view);
  EXPECT_OK(mainstem_scope_end(found(&self, self.numbers[0])));
  house_close(&self);
  EXPECT_EQUAL(self.statuses, MAINSTEM_CANCELLED);
  EXPECT_TEXT(self.seen.text, "end0!");
  EXPECT_EQUAL(self.released, 2 * self.count + 1);
}

/* Catches: an owner made for a request that is over, and kept. */
CASE(what_is_given_up_is_not_opened, IN_BOTH) {
  house self = {0};
  mainstem_pending *pending = NULL;
  self.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST);
  house_install(&self);
  EXPECT_OK(mainstem_instance_open(self.view, "Cell", "", 0, note_answer, &self, &pending));
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_OK(mainstem_instance_open(self.view, "Cell", "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_EQUAL(self.statuses, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(stats_of(self.context).scopes, 1);
  EXPECT_EQUAL(self.released, 2 * self.count);
  house_close(&self);
}

/* Catches: what is kept of each owner: a scope, a subscription, a type. Its memory: see origins.c. */
CASE(many_opened_and_ended_leave_a_context_flat, IN_BOTH) {
  house self;
  mainstem_context_stats before = {0};
  house_open(&self, threads);
  for (int i = 0; i < 1000; i++) {
    mainstem_context *view = scope_open(self.context, "Row");
    uint64_t number = ask(&self, view);
    EXPECT(number != 0);
    if (i % 2) EXPECT_OK(mainstem_scope_end(found(&self, number)));
    EXPECT_OK(mainstem_scope_end(view));
    EXPECT(found(&self, number) == NULL);
    transcript_clear(&self.seen);
    if (i == 10) before = stats_of(self.context);
  }
  const mainstem_context_stats after = stats_of(self.context);
  EXPECT_EQUAL(after.scopes, before.scopes);
  EXPECT_EQUAL(after.types, before.types);
  EXPECT_EQUAL(after.subscriptions, before.subscriptions);
  EXPECT_EQUAL(after.retained, 0);
  house_close(&self);
}

typedef struct shower {
  mainstem_event_type value;
  transcript seen;
} shower;

static mainstem_status show_one(void *user_data, mainstem_context *server,
                                const mainstem_event_type *types) {
  return mainstem_value_set_integer(server, types[0], 7);
}

static void ignore_open(void *user_data, const mainstem_event *event) {}

static mainstem_status make_shower(void *user_data, mainstem_context *scope,
                                   const mainstem_event *event) {
  shower *self = (shower *)user_data;
  static const mainstem_handler_row row = {"Shown", ignore_open, 0};
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_server_add_with(
        scope, "Part", &row, sizeof row, 1,
        OPTIONS(server, .show = show_one, .show_types = &self->value), self, NULL, NULL));
  return MAINSTEM_OK;
}

static void note_line(void *user_data, const mainstem_event *event) {
  shower *self = (shower *)user_data;
  transcript_add(&self->seen, event->answers != 0 ? "answer%d" : "event%d", (int)event->position);
}

static void note_opened(void *user_data, const mainstem_event *event) {
  transcript_add(&((shower *)user_data)->seen, "opened");
}

/* Catches: an owner that is said to be there, and shows nothing yet. */
CASE(an_open_is_answered_when_the_owner_has_shown, IN_BOTH) {
  shower self = {0, {0, ""}};
  mainstem_context *context = context_open(threads);
  self.value = type_open(context, "Shown", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_factory_add(context, "Cell", 0, make_shower, &self, NULL));
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, note_line, &self, NULL, NULL));
  EXPECT_OK(mainstem_instance_open(context, "Cell", NULL, 0, note_opened, &self, NULL));
  EXPECT_TEXT(self.seen.text, "event1 event2 event3 answer4 opened");
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

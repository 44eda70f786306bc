// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Scopes: a name on what is sent, an end for what is observed, in the order of a tree. */

#include "elsewhere.h"
#include "scheduled.h"

typedef struct origins {
  size_t count;
  uint32_t origin[16];
  mainstem_context *context;
} origins;

static void note_origin(void *user_data, const mainstem_event *event) {
  origins *self = (origins *)user_data;
  EXPECT(event->context == self->context);
  self->origin[self->count++] = event->origin;
}

/* Catches: the observer's scope, or the scope observed with, stamped instead of the sender's. */
CASE(what_is_sent_carries_its_origin, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *a = scope_open(on.context, "A"), *b = scope_open(a, "B");
  mainstem_context *again = scope_open(on.context, "A");
  origins seen = {0, {0}, a};
  const char *name;
  static const char *const names[] = {"", "A", "B", "A"};
  EXPECT_OK(mainstem_observe(a, on.notice, note_origin, &seen, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_send(a, on.notice, "", 0));
  EXPECT_OK(mainstem_send(b, on.notice, "", 0));
  EXPECT_OK(mainstem_post(again, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(b, 0, NULL));
  EXPECT_EQUAL(seen.count, 4);
  EXPECT(seen.origin[1] != seen.origin[3]);
  EXPECT_OK(mainstem_scope_end(b));
  for (size_t i = 0; i < 4; i++) {
    EXPECT_OK(mainstem_origin_name(on.context, seen.origin[i], &name));
    EXPECT_TEXT(name, names[i]);
  }
  EXPECT_STATUS(mainstem_origin_name(on.context, 9999, &name), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_origin_name(on.context, UINT32_MAX, &name), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_origin_name(on.context, 0, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: subscriptions of a scope that survive it, hooks in the wrong order, siblings ended too. */
CASE(the_end_ends_what_was_observed_through_it, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL}, c = {&seen, "c", NULL, NULL};
  witness d = {&seen, "d", NULL, NULL};
  mainstem_context *scope = scope_open(on.context, "Scope"), *child = scope_open(scope, "Child");
  mainstem_context *sibling = scope_open(on.context, "Sibling");
  witness_observe(&a, scope, on.notice);
  mainstem_subscription *inner = witness_observe(&b, child, on.notice);
  witness_observe(&c, scope, MAINSTEM_TYPE_ANY);
  witness_observe(&d, sibling, on.notice);
  EXPECT_EQUAL(stats_of(on.context).scopes, 3);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT(strlen(seen.text) == 8 && strstr(seen.text, "~c") < strstr(seen.text, "~a"));
  EXPECT(strstr(seen.text, "~b") != NULL && strstr(seen.text, "~d") == NULL);
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
  EXPECT_STATUS(mainstem_cancel(inner), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_send(child, on.notice, "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_scope_end(child), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_scope_end(scope), MAINSTEM_STALE);
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "d1");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void expect_origin(void *user_data, const mainstem_event *event) {
  const char *name = NULL;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  EXPECT_TEXT(name, "Scope");
}

/* Catches: a post lost, or given to the next scope, because its scope ended while it waited; a timer that
   fires without its scope. */
CASE(posts_outlive_their_scope_and_timers_do_not, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", expect_origin, NULL};
  mainstem_context *scope = scope_open(on.context, "Scope");
  witness_observe(&a, on.context, on.notice);
  EXPECT_OK(mainstem_post(scope, on.notice, "", 0));
  EXPECT_OK(mainstem_send_after(scope, on.notice, "", 0, 0, 0, NULL));
  EXPECT_OK(mainstem_post(scope, on.notice, "", 0));
  EXPECT_EQUAL(stats_of(on.context).timers, 1);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(stats_of(on.context).timers, 0);
  for (int i = 0; i < 3; i++) scope_open(on.context, "Another");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a1( ) a2( )");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a recursive end (a chain of scopes, each the child of the last). */
CASE(a_deep_tree_ends, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_context *first = scope_open(on.context, "S"), *last = first;
  for (int i = 0; i < 2000; i++) last = scope_open(last, "S");
  witness_observe(&a, last, on.notice);
  EXPECT_OK(mainstem_scope_end(first));
  EXPECT_TEXT(seen.text, "~a");
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: slots of scopes that are never used again: memory or LIMIT after many. */
CASE(many_scopes_come_and_go, IN_BOTH) {
  stream on = stream_open(threads);
  for (int i = 0; i < 20000; i++) {
    mainstem_context *scope = scope_open(on.context, "S");
    EXPECT_OK(mainstem_observe(scope, on.notice, witness_event, NULL, NULL, NULL));
    EXPECT_OK(mainstem_scope_end(scope));
  }
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct turns {
  stream on;
  int is_beside; /* Whether a callback on a scheduler makes a scope between two. */
  char id[MAINSTEM_ID_SIZE];
} turns;

static void draw_id(void *user_data, const mainstem_event *event) {
  turns *self = (turns *)user_data;
  if (self->id[0] == 0) EXPECT_OK(mainstem_context_id(event->context, self->id));
}

static void make_beside(void *user_data, const mainstem_event *event) {
  turns *self = (turns *)user_data;
  if (self->is_beside) scope_open(event->context, "Beside");
}

static void *drain_elsewhere(void *data) {
  EXPECT_OK(mainstem_drain(((turns *)data)->on.context, 0, NULL));
  return NULL;
}

static void make_one_after_another(void *user_data, const mainstem_event *event) {
  turns *self = (turns *)user_data;
  EXPECT_OK(mainstem_scope_end(scope_open(event->context, "Scope")));
  elsewhere(drain_elsewhere, self);
  mainstem_context *scope = scope_open(event->context, "Scope");
  EXPECT_OK(mainstem_observe(scope, self->on.ask, draw_id, self, NULL, NULL));
}

static turns played(uint32_t threads, int is_beside) {
  turns self = {.is_beside = is_beside};
  self.on.context = CONTEXT_WITH(.threads = threads, .seed = 7);
  const scheduled host = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  self.on.notice = type_open(self.on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self.on.other = type_open(self.on.context, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
  self.on.ask = type_open(self.on.context, "Draw", MAINSTEM_PAYLOAD_BYTES, NULL);
  observe_on(self.on.context, self.on.other, &host, make_beside, &self, NULL);
  EXPECT_OK(
      mainstem_observe(self.on.context, self.on.notice, make_one_after_another, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_OK(mainstem_send(self.on.context, self.on.ask, "", 0));
  EXPECT_EQUAL(strlen(self.id), MAINSTEM_ID_SIZE - 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
  return self;
}

/* Catches: what a scope's callbacks draw, changed by a scope that another thread made meanwhile. */
CASE(a_scheduler_changes_no_scope_of_others, IN_ANY) {
  turns alone = played(threads, 0), beside = played(threads, 1);
  EXPECT_TEXT(beside.id, alone.id);
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a binding hears of the end of its owner. */

#include "elsewhere.h"
#include "scheduled.h"

typedef struct cell {
  mainstem_context *context, *owner, *other, *view;
  mainstem_event_type title;
  mainstem_binding *binding;
  transcript seen;
} cell;

static mainstem_status say(const cell *self, mainstem_context *owner, const char *title) {
  return mainstem_value_set_text(owner, self->title, title);
}

static void show(void *user_data, const mainstem_event *event) {
  transcript_add(&((cell *)user_data)->seen, "%s", mainstem_value_text(event));
}

static void tell(void *user_data, const char *const *names, size_t count) {
  EXPECT_EQUAL(count, 1);
  transcript_add(&((cell *)user_data)->seen, "(%s)", names[0]);
}

/* The cell empties itself. */
static void empty(void *user_data) {
  cell *self = (cell *)user_data;
  transcript_add(&self->seen, "empty");
  EXPECT_STATUS(mainstem_drain(self->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_binding_set(self->binding, "title", "", 0), MAINSTEM_STALE);
}

static void cell_open(cell *self, uint32_t threads, uint32_t flags) {
  mainstem_binding_row row = {"title", show, flags};
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->owner = scope_open(self->context, "Todo");
  self->other = scope_open(self->context, "Todo");
  self->view = scope_open(self->context, "Cell");
  self->title =
      type_open(self->context, "Todo.title", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_binding_add(self->view, self->owner, &row, sizeof row, 1, self, NULL,
                                 &self->binding));
  EXPECT_OK(mainstem_binding_on_ended(self->binding, empty, self));
}

static void cell_close(cell *self) { EXPECT_OK(mainstem_context_close(self->context)); }

/* Catches: an end that nobody hears, or twice; that overtakes what has changed; a new owner that counts as the old. */
CASE(it_is_told_once_after_the_last_value, IN_BOTH) {
  cell self;
  int64_t timeout = 7;
  cell_open(&self, threads, 0);
  EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
  EXPECT_OK(say(&self, self.owner, "last"));
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "title", "", 0), MAINSTEM_STALE);
  EXPECT_TEXT(self.seen.text, "last");
  EXPECT_OK(mainstem_context_next_timeout(self.context, &timeout));
  EXPECT_EQUAL(timeout, 0);
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "last (title) empty");
  EXPECT_EQUAL(drained(self.context, 0), 0);
  EXPECT_OK(say(&self, self.other, "next"));
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "last (title) empty next (title)");
  EXPECT_OK(mainstem_scope_end(self.other));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "last (title) empty next (title) empty");
  cell_close(&self);
}

/* Catches: a function that is set too late to hear of the end; one that is told what another was. */
CASE(a_function_that_is_set_later_hears_of_it, IN_BOTH) {
  cell self;
  cell_open(&self, threads, 0);
  EXPECT_OK(mainstem_binding_on_ended(self.binding, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_EQUAL(drained(self.context, 0), 0);
  EXPECT_OK(mainstem_binding_on_ended(self.binding, empty, &self));
  EXPECT_EQUAL(drained(self.context, 0), 1);
  EXPECT_OK(mainstem_binding_on_ended(self.binding, empty, &self));
  EXPECT_EQUAL(drained(self.context, 0), 0);
  EXPECT_TEXT(self.seen.text, "empty");
  cell_close(&self);
}

/* Catches: an end that is told where the cell shows something else, or nothing, by now. */
CASE(it_is_not_told_of_an_owner_that_is_shown_no_longer, IN_BOTH) {
  for (int way = 0; way < 5; way++) {
    cell self;
    cell_open(&self, threads, 0);
    EXPECT_OK(mainstem_scope_end(self.owner));
    if (way == 0) EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
    if (way == 1) EXPECT_OK(mainstem_binding_retarget(self.binding, NULL));
    if (way == 2) EXPECT_OK(mainstem_binding_end(self.binding));
    if (way == 3) EXPECT_OK(mainstem_scope_end(self.view));
    if (way == 4) EXPECT_OK(mainstem_binding_on_ended(self.binding, NULL, NULL));
    if (way < 4) EXPECT_OK(mainstem_drain(self.context, 0, NULL));
    cell_close(&self);
    EXPECT_TEXT(self.seen.text, "");
  }
}

/* Catches: an end that overtakes a value on the host's scheduler, where a drain takes one at a time. */
CASE(it_comes_after_what_waits_for_the_host, IN_BOTH) {
  cell self;
  cell_open(&self, threads, MAINSTEM_BINDING_ON_HOST);
  EXPECT_OK(say(&self, self.owner, "one"));
  EXPECT_OK(say(&self, self.owner, "two"));
  EXPECT_OK(mainstem_scope_end(self.owner));
  for (int i = 0; i < 8; i++) EXPECT_OK(mainstem_drain(self.context, 1, NULL));
  EXPECT_TEXT(self.seen.text, "one two empty");
  EXPECT_EQUAL(drained(self.context, 0), 0);
  cell_close(&self);
}

/* Catches: a value that was posted before the end, and fills the cell again. */
CASE(nothing_comes_after_it, IN_BOTH) {
  cell self;
  cell_open(&self, threads, 0);
  uint64_t before = stats_of(self.context).subscriptions;
  EXPECT_OK(mainstem_post(self.owner, self.title, "late", 4));
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "late empty");
  EXPECT_EQUAL(stats_of(self.context).subscriptions, before - 1);
  cell_close(&self);
}

static void show_the_next(void *user_data) {
  cell *self = (cell *)user_data;
  mainstem_context *next = self->other;
  transcript_add(&self->seen, next ? "next" : "done");
  self->other = NULL;
  EXPECT_OK(next ? mainstem_binding_retarget(self->binding, next)
                 : mainstem_binding_end(self->binding));
}

/* Catches: a binding that is pointed, or ended, in the function, and is lost or told again. */
CASE(the_function_may_point_and_end_the_binding, IN_BOTH) {
  cell self;
  mainstem_context *other;
  cell_open(&self, threads, MAINSTEM_BINDING_TWO_WAY);
  other = self.other;
  EXPECT_OK(mainstem_binding_on_ended(self.binding, show_the_next, &self));
  EXPECT_OK(say(&self, other, "other"));
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "next other");
  EXPECT_OK(mainstem_scope_end(other));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "next other done");
  EXPECT_STATUS(mainstem_binding_end(self.binding), MAINSTEM_STALE);
  EXPECT_EQUAL(drained(self.context, 0), 0);
  cell_close(&self);
}

/* Catches: an owner that ends with its parent, or in a callback, unheard; bindings of one owner of which one is told. */
CASE(it_is_told_however_the_owner_ends, IN_BOTH) {
  const mainstem_binding_row row = {"title", show, 0};
  cell self;
  mainstem_binding *more;
  cell_open(&self, threads, 0);
  mainstem_context *child = scope_open(self.owner, "Todo");
  EXPECT_OK(mainstem_binding_add(self.view, child, &row, sizeof row, 1, &self, NULL, &more));
  EXPECT_OK(mainstem_binding_on_ended(more, empty, &self));
  EXPECT_OK(mainstem_binding_add(self.view, child, &row, sizeof row, 1, &self, NULL, &more));
  EXPECT_OK(mainstem_binding_on_ended(more, empty, &self));
  EXPECT_OK(say(&self, child, "child"));
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_EQUAL(drained(self.context, 0), 3);
  EXPECT_TEXT(self.seen.text, "child child empty empty empty");
  cell_close(&self);
}

static void *from_elsewhere(void *data) {
  cell *self = (cell *)data;
  EXPECT_STATUS(mainstem_binding_on_ended(self->binding, NULL, NULL), MAINSTEM_WRONG_THREAD);
  return NULL;
}

CASE(what_cannot_be_told_is_refused, IN_BOTH) {
  cell self;
  cell_open(&self, threads, 0);
  void *wrong = self.owner;
  EXPECT_STATUS(mainstem_binding_on_ended(NULL, empty, &self), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_binding_on_ended((mainstem_binding *)wrong, empty, &self),
                MAINSTEM_WRONG_KIND);
  if (threads == MAINSTEM_THREADS_ONE) elsewhere(from_elsewhere, &self);
  EXPECT_OK(mainstem_binding_end(self.binding));
  EXPECT_STATUS(mainstem_binding_on_ended(self.binding, empty, &self), MAINSTEM_STALE);
  cell_close(&self);
}

int main(void) { return expect_all(); }

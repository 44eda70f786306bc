// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bindings: a view's hold on what one scope shows. The argument says how many cells are pointed again and again. */

#include "elsewhere.h"
#include "screen.h"

static unsigned cells = 16000;

/* Catches: what others of that name say; a row that misses a change, or gets what came before twice. */
CASE(rows_get_what_is_kept_then_each_change, IN_BOTH) {
  screen self;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_history_keep(self.on.context, self.name, 10, 0));
  say(self.owner, &self, "one", 1);
  say(self.other, &self, "none", 0);
  screen_bind(&self, self.owner);
  EXPECT_TEXT(self.seen.text, "late one");
  say(self.owner, &self, "two", 2);
  say(self.other, &self, "none", 0);
  EXPECT_TEXT(self.seen.text, "late one two 2");
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.seen.text, "late one two 2 ~");
}

/* Catches: an old owner that is still heard; a new one whose present values come twice, or not. */
CASE(pointed_elsewhere_it_hears_the_new_owner_alone, IN_BOTH) {
  screen self;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_history_keep(self.on.context, self.name, 10, 0));
  say(self.owner, &self, "one", 1);
  say(self.other, &self, "two", 2);
  screen_bind(&self, NULL);
  say(self.owner, &self, "three", 3);
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
  say(self.owner, &self, "four", 4);
  say(self.other, &self, "five", 5);
  EXPECT_TEXT(self.seen.text, "late two five 5");
  EXPECT_OK(mainstem_binding_retarget(self.binding, NULL));
  say(self.owner, &self, "six", 6);
  say(self.other, &self, "seven", 7);
  EXPECT_TEXT(self.seen.text, "late two five 5");
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void point_at_the_other(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  mainstem_context *next = self->other;
  show_name(user_data, event);
  self->other = NULL;
  if (next != NULL) EXPECT_OK(mainstem_binding_retarget(self->binding, next));
}

static void end_the_binding(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  show_name(user_data, event);
  EXPECT_OK(mainstem_binding_end(self->binding));
  EXPECT_STATUS(mainstem_binding_end(self->binding), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_set(self->binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_retarget(self->binding, self->owner), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_on_changes(self->binding, NULL, NULL), MAINSTEM_STALE);
}

/* Catches: a binding that is pointed, or ended, inside its own callback, and is called again. */
CASE(it_may_be_pointed_or_ended_inside_its_own_callback, IN_BOTH) {
  static const mainstem_binding_row points[] = {{"name", point_at_the_other, 0},
                                                {"name", show_name, 0}};
  static const mainstem_binding_row ends[] = {{"name", end_the_binding, 0}, {"name", show_name, 0}};
  screen self;
  mainstem_context *other;
  screen_open(&self, threads);
  other = self.other;
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, points, sizeof points[0], 2, &self,
                                 screen_ended, &self.binding));
  EXPECT_OK(send_text(self.owner, self.name, "one"));
  EXPECT_OK(send_text(self.owner, self.name, "two"));
  EXPECT_OK(send_text(other, self.name, "three"));
  EXPECT_TEXT(self.seen.text, "one three three");
  EXPECT_OK(mainstem_binding_end(self.binding));
  EXPECT_TEXT(self.seen.text, "one three three ~");
  transcript_clear(&self.seen);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, ends, sizeof ends[0], 2, &self,
                                 screen_ended, &self.binding));
  EXPECT_OK(send_text(self.owner, self.name, "four"));
  EXPECT_TEXT(self.seen.text, "four ~");
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a hook that is called twice, or not; a binding that outlives its view; an owner that ends its binding. */
CASE(it_ends_with_its_view_and_not_with_its_owner, IN_BOTH) {
  screen self;
  screen_open(&self, threads);
  screen_bind(&self, self.owner);
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_first_error(self.on.context, NULL)); /* It was asked of the binding. */
  EXPECT(strstr(mainstem_last_error(), "owner") != NULL);
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, self.owner), MAINSTEM_STALE);
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
  EXPECT_OK(send_text(self.other, self.name, "two"));
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_TEXT(self.seen.text, "two ~");
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, self.other), MAINSTEM_STALE);
  EXPECT_OK(mainstem_binding_end(NULL));
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_STATUS(mainstem_binding_end(self.binding), MAINSTEM_STALE);
}

static void keep_run(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

static void end_in_hook(void *user_data) {
  EXPECT_OK(mainstem_binding_end(((screen *)user_data)->binding));
}

/* A binding that waits for its run; `release` is called when the run is dropped. */
static void run_of_a_binding(screen *self, uint32_t threads, mainstem_retained **kept,
                             mainstem_release_fn release) {
  static const mainstem_viewmodel_row model[] = {
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, keep_run, NULL, 0, 0, NULL}};
  mainstem_context *owner;
  screen_open(self, threads);
  EXPECT_OK(mainstem_viewmodel_add(self->on.context, "Cell", model, sizeof model[0], 1, NULL, kept,
                                   NULL, &owner));
  screen_bind(self, owner);
  EXPECT_OK(mainstem_binding_run(self->binding, "go", NULL, 0, NULL, self, release, NULL));
}

/* Catches: rows that join a binding that is gone, and are called. */
CASE(the_hook_of_a_run_may_end_the_binding, IN_BOTH) {
  screen self;
  mainstem_retained *kept = NULL;
  run_of_a_binding(&self, threads, &kept, end_in_hook);
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, self.other), MAINSTEM_STALE);
  say(self.other, &self, "one", 1);
  EXPECT_TEXT(self.seen.text, "~");
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void point_in_hook(void *user_data) {
  screen *self = (screen *)user_data;
  EXPECT_OK(mainstem_binding_retarget(self->binding, self->other));
}

/* Catches: rows that have joined while their binding was ended, and outlive it. */
CASE(the_hook_of_a_run_may_point_a_binding_that_ends, IN_BOTH) {
  screen self;
  mainstem_retained *kept = NULL;
  run_of_a_binding(&self, threads, &kept, point_in_hook);
  EXPECT_OK(mainstem_binding_end(self.binding));
  say(self.other, &self, "one", 1);
  EXPECT_TEXT(self.seen.text, "~");
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 2); /* The model's handler, its show. */
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static mainstem_status bind(screen *self, mainstem_context *owner, const mainstem_binding_row *row,
                            size_t size, size_t count) {
  self->binding = (mainstem_binding *)(uintptr_t)1;
  mainstem_status status =
      mainstem_binding_add(self->view, owner, row, size, count, self, screen_ended, &self->binding);
  if (status != MAINSTEM_OK) EXPECT(self->binding == NULL);
  return status;
}

/* Catches: a failed call that leaves an observer behind, or calls the hook. */
CASE(what_cannot_be_bound_is_refused, IN_BOTH) {
  static const mainstem_binding_row misspelt[] = {{"name", show_name, 0}, {"cuont", show_count, 0}};
  static const mainstem_binding_row nameless[] = {{"name", show_name, 0}, {NULL, show_count, 0}};
  screen self, another;
  mainstem_subscription *subscription = NULL;
  screen_open(&self, threads);
  screen_open(&another, threads);
  EXPECT_OK(mainstem_observe(self.view, self.name, show_name, &self, NULL, &subscription));
  uint64_t before = stats_of(self.on.context).subscriptions;
  EXPECT_STATUS(bind(&self, self.owner, misspelt, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "did you mean Cell.count") != NULL);
  EXPECT(strstr(mainstem_last_error(), "row 1") != NULL);
  EXPECT_STATUS(bind(&self, self.owner, nameless, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.owner, NULL, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.owner, rows, 3, 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, another.owner, rows, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.view, rows, sizeof rows[0], 2), MAINSTEM_INVALID);
  void *wrong = subscription;
  EXPECT_STATUS(bind(&self, (mainstem_context *)wrong, rows, sizeof rows[0], 2),
                MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_binding_end((mainstem_binding *)wrong), MAINSTEM_WRONG_KIND);
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, before);
  EXPECT_OK(bind(&self, self.owner, rows, sizeof rows[0], 2));
  wrong = self.binding;
  EXPECT_STATUS(mainstem_cancel((mainstem_subscription *)wrong), MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_send((mainstem_context *)wrong, self.name, "", 0), MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_binding_set(self.binding, "cuont", "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_binding_set(self.binding, NULL, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_binding_set(self.binding, "count", "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, self.view), MAINSTEM_INVALID);
  EXPECT_OK(send_text(self.owner, self.name, "still"));
  EXPECT_TEXT(self.seen.text, "still still");
  EXPECT_OK(mainstem_context_close(another.on.context));
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.seen.text, "still still ~");
}

/* Catches: a budget that counts the rows of an old owner for ever, or does not count them. */
CASE(a_view_may_have_so_many_observers, IN_BOTH) {
  screen self;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_scope_add(self.on.context, "View", OPTIONS(scope, .limit_observers = 3),
                               &self.view));
  screen_bind(&self, self.owner);
  EXPECT_STATUS(mainstem_binding_add(self.view, NULL, NULL, sizeof rows[0], 0, NULL, NULL, NULL),
                MAINSTEM_LIMIT);
  for (int i = 0; i < 5; i++)
    EXPECT_OK(mainstem_binding_retarget(self.binding, i % 2 ? self.owner : self.other));
  EXPECT_OK(mainstem_binding_retarget(self.binding, NULL));
  EXPECT_OK(mainstem_observe(self.view, self.name, show_name, &self, NULL, NULL));
  EXPECT_STATUS(mainstem_binding_retarget(self.binding, self.owner), MAINSTEM_LIMIT);
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *set_elsewhere(void *data) {
  screen *self = (screen *)data;
  EXPECT_STATUS(mainstem_binding_set(self->binding, "name", "", 0), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_retarget(self->binding, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_end(self->binding), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_on_changes(self->binding, NULL, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_add(self->view, NULL, NULL, sizeof rows[0], 0, NULL, NULL, NULL),
                MAINSTEM_WRONG_THREAD);
  return NULL;
}

CASE(only_the_threads_of_the_context, IN_ONE) {
  screen self;
  pthread_t thread;
  screen_open(&self, threads);
  screen_bind(&self, self.owner);
  EXPECT_EQUAL(pthread_create(&thread, NULL, set_elsewhere, &self), 0);
  EXPECT_EQUAL(pthread_join(thread, NULL), 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

enum { WRITERS = 4, WRITES = 2000 };

static void count_one(void *user_data, const mainstem_event *event) {
  __atomic_add_fetch((unsigned *)user_data, 1, __ATOMIC_RELAXED);
}

static void *write_and_point(void *data) {
  screen *self = (screen *)data;
  for (int i = 0; i < WRITES; i++) {
    EXPECT_OK(mainstem_binding_set(self->binding, "name", "x", 1));
    if (i % 8 == 0)
      EXPECT_OK(mainstem_binding_retarget(self->binding, i % 16 ? self->owner : self->other));
  }
  return NULL;
}

/* Catches: rows that are registered twice where two threads point at once. */
CASE(many_threads_write_and_point, IN_ANY) {
  screen self;
  unsigned calls = 0;
  const mainstem_binding_row row = {"name", count_one, 0};
  pthread_t writers[WRITERS];
  screen_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &calls, NULL,
                                 &self.binding));
  for (int i = 0; i < WRITERS; i++)
    EXPECT_EQUAL(pthread_create(&writers[i], NULL, write_and_point, &self), 0);
  for (int i = 0; i < WRITERS; i++) EXPECT_EQUAL(pthread_join(writers[i], NULL), 0);
  EXPECT_EQUAL(stats_of(self.on.context).events, WRITERS * WRITES);
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 2);
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.owner));
  calls = 0;
  EXPECT_OK(send_text(self.owner, self.name, "once"));
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: cells that, pointed again and again, leave something behind. */
CASE(cells_are_used_again_and_again, IN_BOTH) {
  screen self;
  unsigned calls = 0;
  const mainstem_binding_row row = {"name", count_one, 0};
  screen_open(&self, threads);
  EXPECT_OK(
      mainstem_binding_add(self.view, NULL, &row, sizeof row, 1, &calls, NULL, &self.binding));
  uint64_t before = stats_of(self.on.context).subscriptions;
  for (unsigned i = 0; i < cells; i++) {
    EXPECT_OK(mainstem_binding_retarget(self.binding, i % 2 ? self.owner : self.other));
    EXPECT_OK(send_text(self.owner, self.name, ""));
  }
  EXPECT_EQUAL(calls, cells / 2);
  EXPECT_OK(mainstem_binding_retarget(self.binding, NULL));
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, before);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(int count, char **arguments) {
  if (count > 1) cells = (unsigned)atoi(arguments[1]);
  return expect_all();
}

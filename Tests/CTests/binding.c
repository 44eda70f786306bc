// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bindings: a view's hold on what one scope shows. The argument says how many cells are pointed again and again. */

#include "elsewhere.h"
#include "journal.h"
#include "scheduled.h"

static unsigned cells = 16000;

/* An owner, what it shows, and its view. */
typedef struct screen {
  stream on;
  mainstem_context *owner, *other, *view;
  mainstem_event_type name, count;
  transcript seen;
  mainstem_binding *binding;
} screen;

static mainstem_context *scope_open(mainstem_context *parent, const char *name) {
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_add(parent, name, &scope));
  return scope;
}

static void screen_open(screen *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->owner = scope_open(self->on.context, "Cell");
  self->other = scope_open(self->on.context, "Cell");
  self->view = scope_open(self->on.context, "View");
  self->name =
      type_open(self->on.context, "Cell.name", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL);
  self->count = type_open(self->on.context, "Cell.count", MAINSTEM_PAYLOAD_INTEGER, NULL);
}

static void show_name(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  EXPECT(event->context == self->view);
  transcript_add(&self->seen, "%s%.*s", event->flags & MAINSTEM_EVENT_LATE ? "late " : "",
                 (int)event->size, (const char *)event->data);
}

static void show_count(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  transcript_add(&self->seen, "%d", (int)mainstem_integer(event));
}

static void screen_ended(void *user_data) { transcript_add(&((screen *)user_data)->seen, "~"); }

static const mainstem_binding_row rows[] = {{"name", show_name}, {"count", show_count}};

static void screen_bind(screen *self, mainstem_context *owner) {
  EXPECT_OK(mainstem_binding_add(self->view, owner, rows, sizeof rows[0], COUNT(rows), self,
                                 screen_ended, &self->binding));
  EXPECT(self->binding != NULL);
}

static void say(mainstem_context *owner, const screen *self, const char *name, int64_t count) {
  EXPECT_OK(send_text(owner, self->name, name));
  EXPECT_OK(mainstem_send(owner, self->count, &count, sizeof count));
}

/* Catches: what others of that name say; a row that misses a change, or gets what came before twice. */
static void rows_get_what_is_kept_then_each_change(uint32_t threads) {
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
static void pointed_elsewhere_it_hears_the_new_owner_alone(uint32_t threads) {
  screen self;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_history_keep(self.on.context, self.name, 10, 0));
  say(self.owner, &self, "one", 1);
  say(self.other, &self, "two", 2);
  screen_bind(&self, NULL);
  say(self.owner, &self, "three", 3);
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_OK(mainstem_binding_point(self.binding, self.other));
  say(self.owner, &self, "four", 4);
  say(self.other, &self, "five", 5);
  EXPECT_TEXT(self.seen.text, "late two five 5");
  EXPECT_OK(mainstem_binding_point(self.binding, NULL));
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
  if (next != NULL) EXPECT_OK(mainstem_binding_point(self->binding, next));
}

static void end_the_binding(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  show_name(user_data, event);
  EXPECT_OK(mainstem_binding_end(self->binding));
  EXPECT_STATUS(mainstem_binding_end(self->binding), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_set(self->binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_point(self->binding, self->owner), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_binding_on_changes(self->binding, NULL, NULL), MAINSTEM_STALE);
}

/* Catches: a binding that is pointed, or ended, inside its own callback, and is called again. */
static void it_may_be_pointed_or_ended_inside_its_own_callback(uint32_t threads) {
  static const mainstem_binding_row points[] = {{"name", point_at_the_other}, {"name", show_name}};
  static const mainstem_binding_row ends[] = {{"name", end_the_binding}, {"name", show_name}};
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

/* What is written --------------------------------------------------------------------------------- */

static void on_written(void *user_data, const mainstem_event *event) {
  transcript *seen = (transcript *)user_data;
  const char *name = NULL;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  transcript_add(seen, "%s:%.*s%s%s", name, (int)event->size, (const char *)event->data,
                 event->flags & MAINSTEM_EVENT_WRITTEN ? " written" : "",
                 event->flags & MAINSTEM_EVENT_OUTSIDE ? " outside" : "");
  if (event->cause != 0) transcript_add(seen, "by %llu", (unsigned long long)event->cause);
}

static mainstem_context *editable_open(screen *self) {
  const mainstem_handler_row_with handlers[] = {
      {{"Cell.name", on_written}, MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_WRITTEN}};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add(self->on.context, "Cell", &handlers[0].row, sizeof handlers[0], 1,
                                &self->seen, NULL, &server));
  return server;
}

/* Catches: a written value that its owner does not hear, or that another one hears; sends that pass for written ones. */
static void its_owner_alone_hears_what_is_written(uint32_t threads) {
  screen self;
  mainstem_context *first, *second;
  screen_open(&self, threads);
  first = editable_open(&self);
  second = editable_open(&self);
  EXPECT_OK(
      mainstem_binding_add(self.view, first, rows, sizeof rows[0], 0, &self, NULL, &self.binding));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "ann", 3));
  EXPECT_OK(send_text(first, self.name, "said"));
  EXPECT_TEXT(self.seen.text, "Cell:ann written outside");
  EXPECT_OK(mainstem_binding_point(self.binding, second));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "bob", 3));
  EXPECT_TEXT(self.seen.text, "Cell:ann written outside Cell:bob written outside");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void write_inside(void *user_data, const mainstem_event *event) {
  (void)event;
  EXPECT_OK(mainstem_binding_set(((screen *)user_data)->binding, "name", "inside", 6));
}

/* Catches: a write inside a callback that counts as output, or that a replay does twice. */
static void what_is_written_inside_a_callback_is_an_input(uint32_t threads) {
  const char *path = journal_path("written");
  for (int turn = 0; turn < 2; turn++) {
    screen self;
    mainstem_replay_options options;
    mainstem_replay *replay;
    uint64_t fed = 0;
    screen_open(&self, threads);
    EXPECT_OK(mainstem_binding_add(self.view, editable_open(&self), rows, sizeof rows[0], 0, &self,
                                   NULL, &self.binding));
    EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, write_inside, &self, NULL, NULL));
    if (turn == 0) {
      EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
      EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
      EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
    } else {
      EXPECT_OK(mainstem_replay_options_init(&options, sizeof options));
      options.mode = MAINSTEM_REPLAY_VERIFY;
      EXPECT_OK(mainstem_replay_open(self.on.context, path, &options, &replay));
      EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
      EXPECT_EQUAL(fed, 4);
      EXPECT_OK(mainstem_replay_close(replay));
    }
    EXPECT_TEXT(self.seen.text,
                "Cell:inside written outside by 1 Cell:inside written outside by 3");
    EXPECT_EQUAL(stats_of(self.on.context).events, 4);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
  journal_sweep();
}

static mainstem_context *limited_open(mainstem_context *parent, uint64_t send, uint64_t observe) {
  mainstem_scope_options options;
  mainstem_context *scope = NULL;
  EXPECT_OK(mainstem_scope_options_init(&options, sizeof options));
  options.send_layers = send;
  options.observe_layers = observe;
  EXPECT_OK(mainstem_scope_add_with(parent, "Limited", &options, &scope));
  return scope;
}

/* Catches: a view that may through a binding what it may not by itself. */
static void rights_are_those_of_the_view(uint32_t threads) {
  screen self;
  uint64_t app = MAINSTEM_LAYER_BIT(0), view = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  mainstem_context *blind, *mute;
  screen_open(&self, threads);
  blind = limited_open(self.on.context, app | view, app);
  mute = limited_open(self.on.context, app, app | view);
  EXPECT_STATUS(mainstem_binding_add(blind, self.owner, rows, sizeof rows[0], 2, &self,
                                     screen_ended, &self.binding),
                MAINSTEM_DENIED);
  EXPECT(self.binding == NULL);
  EXPECT_OK(mainstem_binding_add(blind, self.owner, &rows[1], sizeof rows[0], 1, &self, NULL,
                                 &self.binding));
  EXPECT_OK(mainstem_binding_set(self.binding, "name", "", 0));
  EXPECT_OK(mainstem_binding_add(mute, self.owner, &rows[1], sizeof rows[0], 1, &self, NULL,
                                 &self.binding));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_DENIED);
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Change sets ------------------------------------------------------------------------------------- */

static void tell(void *user_data, const char *const *names, size_t count) {
  screen *self = (screen *)user_data;
  transcript_add(&self->seen, "(");
  for (size_t i = 0; i < count; i++) transcript_add(&self->seen, "%s", names[i]);
  transcript_add(&self->seen, ")");
}

static void look(void *user_data, const mainstem_event *event) {
  (void)event;
  transcript_add(&((screen *)user_data)->seen, "host");
}

/* Catches: a set told for each change, before the rows, without a name, or never; a host that is not woken for it. */
static void changes_are_told_once_per_drain(uint32_t threads) {
  static const mainstem_binding_row silent[] = {{"name", NULL}, {"count", NULL}};
  scheduled host = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  screen self;
  int64_t timeout = 7;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, silent, sizeof silent[0], 2, &self, NULL,
                                 &self.binding));
  say(self.owner, &self, "before", 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 0);
  EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
  observe_on(self.on.context, self.name, &host, look, &self, NULL);
  for (int64_t i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self.owner, self.count, &i, sizeof i));
  say(self.owner, &self, "one", 4);
  EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
  EXPECT_EQUAL(timeout, 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 2);
  EXPECT_TEXT(self.seen.text, "host ( count name )");
  EXPECT_EQUAL(drained(self.on.context, 0), 0);
  EXPECT_OK(send_text(self.owner, self.name, "two"));
  EXPECT_OK(mainstem_binding_on_changes(self.binding, NULL, NULL));
  EXPECT_EQUAL(drained(self.on.context, 0), 2);
  EXPECT_TEXT(self.seen.text, "host ( count name ) host");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void tell_and_end(void *user_data, const char *const *names, size_t count) {
  screen *self = (screen *)user_data;
  tell(user_data, names, count);
  EXPECT_STATUS(mainstem_drain(self->on.context, 0, NULL), MAINSTEM_BUSY);
  say(self->owner, self, "more", 1);
  EXPECT_OK(mainstem_binding_end(self->binding));
}

/* Catches: names that are freed while they are told; a set of a binding that has ended; what is still waiting when the
   context closes. */
static void a_binding_may_end_while_its_changes_are_told(uint32_t threads) {
  for (int closes = 0; closes < 2; closes++) {
    screen self;
    screen_open(&self, threads);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell_and_end, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    if (!closes) EXPECT_EQUAL(drained(self.on.context, 0), 1);
    if (!closes) EXPECT_TEXT(self.seen.text, "one ( name ) more 1 ~");
    EXPECT_EQUAL(drained(self.on.context, 0), closes ? 1 : 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
  for (int i = 0; i < 3; i++) {
    screen self;
    screen_open(&self, threads);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    if (i == 1) EXPECT_OK(mainstem_scope_end(self.view));
    if (i == 2) EXPECT_OK(mainstem_binding_end(self.binding));
    if (i > 0) EXPECT_EQUAL(drained(self.on.context, 0), 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_TEXT(self.seen.text, "one ~");
  }
}

/* Catches: what still waited when a context closed, counted in the next one, which has its memory. */
static void what_waits_at_the_end_is_not_left_to_the_next_context(uint32_t threads) {
  for (int i = 0; i < 2; i++) {
    screen self;
    int64_t timeout = 7;
    screen_open(&self, threads);
    EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
    EXPECT_EQUAL(timeout, -1);
    screen_bind(&self, self.owner);
    EXPECT_OK(mainstem_binding_on_changes(self.binding, tell, &self));
    EXPECT_OK(send_text(self.owner, self.name, "one"));
    EXPECT_OK(mainstem_context_next_timeout(self.on.context, &timeout));
    EXPECT_EQUAL(timeout, 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

/* How it ends, and what is refused ------------------------------------------------------------------ */

/* Catches: a hook that is called twice, or not; a binding that outlives its view; an owner that ends its binding. */
static void it_ends_with_its_view_and_not_with_its_owner(uint32_t threads) {
  screen self;
  screen_open(&self, threads);
  screen_bind(&self, self.owner);
  EXPECT_OK(mainstem_scope_end(self.owner));
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT(strstr(mainstem_last_error(), "owner") != NULL);
  EXPECT_STATUS(mainstem_binding_point(self.binding, self.owner), MAINSTEM_STALE);
  EXPECT_OK(mainstem_binding_point(self.binding, self.other));
  EXPECT_OK(send_text(self.other, self.name, "two"));
  EXPECT_OK(mainstem_scope_end(self.view));
  EXPECT_TEXT(self.seen.text, "two ~");
  EXPECT_STATUS(mainstem_binding_point(self.binding, self.other), MAINSTEM_STALE);
  EXPECT_OK(mainstem_binding_end(NULL));
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_STATUS(mainstem_binding_end(self.binding), MAINSTEM_STALE);
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
static void what_cannot_be_bound_is_refused(uint32_t threads) {
  static const mainstem_binding_row misspelt[] = {{"name", show_name}, {"cuont", show_count}};
  static const mainstem_binding_row nameless[] = {{"name", show_name}, {NULL, show_count}};
  screen self, another;
  void *wrong;
  mainstem_subscription *subscription = NULL;
  uint64_t before;
  screen_open(&self, threads);
  screen_open(&another, threads);
  EXPECT_OK(mainstem_observe(self.view, self.name, show_name, &self, NULL, &subscription));
  before = stats_of(self.on.context).subscriptions;
  EXPECT_STATUS(bind(&self, self.owner, misspelt, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "did you mean Cell.count") != NULL);
  EXPECT(strstr(mainstem_last_error(), "row 1") != NULL);
  EXPECT_STATUS(bind(&self, self.owner, nameless, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.owner, NULL, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.owner, rows, 3, 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, another.owner, rows, sizeof rows[0], 2), MAINSTEM_INVALID);
  EXPECT_STATUS(bind(&self, self.view, rows, sizeof rows[0], 2), MAINSTEM_INVALID);
  wrong = subscription;
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
  EXPECT_STATUS(mainstem_binding_point(self.binding, self.view), MAINSTEM_INVALID);
  EXPECT_OK(send_text(self.owner, self.name, "still"));
  EXPECT_TEXT(self.seen.text, "still still");
  EXPECT_OK(mainstem_context_close(another.on.context));
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.seen.text, "still still ~");
}

/* Catches: a budget that counts the rows of an old owner for ever, or does not count them. */
static void a_view_may_have_so_many_observers(uint32_t threads) {
  screen self;
  mainstem_scope_options options;
  screen_open(&self, threads);
  EXPECT_OK(mainstem_scope_options_init(&options, sizeof options));
  options.limit_observers = 3;
  EXPECT_OK(mainstem_scope_add_with(self.on.context, "View", &options, &self.view));
  screen_bind(&self, self.owner);
  EXPECT_STATUS(mainstem_binding_add(self.view, NULL, NULL, sizeof rows[0], 0, NULL, NULL, NULL),
                MAINSTEM_LIMIT);
  for (int i = 0; i < 5; i++)
    EXPECT_OK(mainstem_binding_point(self.binding, i % 2 ? self.owner : self.other));
  EXPECT_OK(mainstem_binding_point(self.binding, NULL));
  EXPECT_OK(mainstem_observe(self.view, self.name, show_name, &self, NULL, NULL));
  EXPECT_STATUS(mainstem_binding_point(self.binding, self.owner), MAINSTEM_LIMIT);
  EXPECT_STATUS(mainstem_binding_set(self.binding, "name", "", 0), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *set_elsewhere(void *data) {
  screen *self = (screen *)data;
  EXPECT_STATUS(mainstem_binding_set(self->binding, "name", "", 0), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_point(self->binding, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_end(self->binding), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_on_changes(self->binding, NULL, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_binding_add(self->view, NULL, NULL, sizeof rows[0], 0, NULL, NULL, NULL),
                MAINSTEM_WRONG_THREAD);
  return NULL;
}

static void only_the_threads_of_the_context(uint32_t threads) {
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
  (void)event;
  __atomic_add_fetch((unsigned *)user_data, 1, __ATOMIC_RELAXED);
}

static void *write_and_point(void *data) {
  screen *self = (screen *)data;
  for (int i = 0; i < WRITES; i++) {
    EXPECT_OK(mainstem_binding_set(self->binding, "name", "x", 1));
    if (i % 8 == 0)
      EXPECT_OK(mainstem_binding_point(self->binding, i % 16 ? self->owner : self->other));
  }
  return NULL;
}

/* Catches: rows that are registered twice where two threads point at once. */
static void many_threads_write_and_point(uint32_t threads) {
  screen self;
  unsigned calls = 0;
  const mainstem_binding_row row = {"name", count_one};
  pthread_t writers[WRITERS];
  screen_open(&self, threads);
  EXPECT_OK(mainstem_binding_add(self.view, self.owner, &row, sizeof row, 1, &calls, NULL,
                                 &self.binding));
  for (int i = 0; i < WRITERS; i++)
    EXPECT_EQUAL(pthread_create(&writers[i], NULL, write_and_point, &self), 0);
  for (int i = 0; i < WRITERS; i++) EXPECT_EQUAL(pthread_join(writers[i], NULL), 0);
  EXPECT_EQUAL(stats_of(self.on.context).events, WRITERS * WRITES);
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, 2);
  EXPECT_OK(mainstem_binding_point(self.binding, self.owner));
  calls = 0;
  EXPECT_OK(send_text(self.owner, self.name, "once"));
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: cells that, pointed again and again, leave something behind. */
static void cells_are_used_again_and_again(uint32_t threads) {
  screen self;
  unsigned calls = 0;
  const mainstem_binding_row row = {"name", count_one};
  uint64_t before;
  screen_open(&self, threads);
  EXPECT_OK(
      mainstem_binding_add(self.view, NULL, &row, sizeof row, 1, &calls, NULL, &self.binding));
  before = stats_of(self.on.context).subscriptions;
  for (unsigned i = 0; i < cells; i++) {
    EXPECT_OK(mainstem_binding_point(self.binding, i % 2 ? self.owner : self.other));
    EXPECT_OK(send_text(self.owner, self.name, ""));
  }
  EXPECT_EQUAL(calls, cells / 2);
  EXPECT_OK(mainstem_binding_point(self.binding, NULL));
  EXPECT_EQUAL(stats_of(self.on.context).subscriptions, before);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static const expect_case cases[] = {
    {"rows get what is kept, then each change", rows_get_what_is_kept_then_each_change, IN_BOTH},
    {"pointed elsewhere it hears the new owner alone",
     pointed_elsewhere_it_hears_the_new_owner_alone, IN_BOTH},
    {"it may be pointed or ended inside its own callback",
     it_may_be_pointed_or_ended_inside_its_own_callback, IN_BOTH},
    {"its owner alone hears what is written", its_owner_alone_hears_what_is_written, IN_BOTH},
    {"what is written inside a callback is an input", what_is_written_inside_a_callback_is_an_input,
     IN_BOTH},
    {"rights are those of the view", rights_are_those_of_the_view, IN_BOTH},
    {"changes are told once per drain", changes_are_told_once_per_drain, IN_BOTH},
    {"a binding may end while its changes are told", a_binding_may_end_while_its_changes_are_told,
     IN_BOTH},
    {"what waits at the end is not left to the next context",
     what_waits_at_the_end_is_not_left_to_the_next_context, IN_BOTH},
    {"it ends with its view, and not with its owner", it_ends_with_its_view_and_not_with_its_owner,
     IN_BOTH},
    {"what cannot be bound is refused", what_cannot_be_bound_is_refused, IN_BOTH},
    {"a view may have so many observers", a_view_may_have_so_many_observers, IN_BOTH},
    {"only the threads of the context", only_the_threads_of_the_context, IN_ONE},
    {"many threads write and point", many_threads_write_and_point, IN_ANY},
    {"cells are used again and again", cells_are_used_again_and_again, IN_BOTH},
};

int main(int count, char **arguments) {
  if (count > 1) cells = (unsigned)atoi(arguments[1]);
  int status = EXPECT_RUN(cases);
  journal_remove_folder();
  return status;
}

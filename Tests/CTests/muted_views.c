// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Views in a muted replay: nobody makes the owners again, and yet a view is bound to what they showed. */

#include "session.h"
#include "transcript.h"

typedef struct pages {
  mainstem_context *context, *view, *page;
  mainstem_event_type shown, opened;
  mainstem_binding *binding;
  uint64_t number; /* Of the page that was opened last. */
  int made;
  transcript seen;
} pages;

static mainstem_status make_page(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  pages *self = (pages *)user_data;
  self->page = scope;
  self->made++;
  return mainstem_value_set_integer(scope, self->shown, 1);
}

static void on_opened(void *user_data, const mainstem_event *event) {
  ((pages *)user_data)->number = (uint64_t)mainstem_event_integer(event);
}

static void on_shown(void *user_data, const mainstem_event *event) {
  transcript_add(&((pages *)user_data)->seen, "%d", (int)mainstem_event_integer(event));
}

static void on_end(void *user_data) { transcript_add(&((pages *)user_data)->seen, "end"); }

static void pages_open(pages *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
}

static void pages_install(pages *self) {
  EXPECT_OK(mainstem_type_add(self->context, "Page.shown",
                              MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL, &self->shown));
  EXPECT_OK(
      mainstem_factory_add(self->context, "Page", MAINSTEM_PAYLOAD_NONE, make_page, self, NULL));
  self->opened = type_named(self->context, "ResponseOpen.Page");
  EXPECT_OK(mainstem_observe(self->context, self->opened, on_opened, self, NULL, NULL));
  self->view = scope_open(self->context, "View");
}

/* Binds a view to the page that was opened last; false: it is not there. */
static int bind(pages *self) {
  static const mainstem_binding_row row = {"shown", on_shown, 0};
  mainstem_context *owner = NULL;
  EXPECT_OK(mainstem_scope_find(self->context, self->number, &owner, NULL));
  if (!owner) return 0;
  EXPECT_OK(
      mainstem_binding_add(self->view, owner, &row, sizeof row, 1, self, NULL, &self->binding));
  EXPECT_OK(mainstem_binding_on_ended(self->binding, on_end, self));
  return 1;
}

static void show(pages *self, int64_t value) {
  EXPECT_OK(mainstem_value_set_integer(self->page, self->shown, value));
}

/* Records two pages: the first ends, the second stays. Returns where the first had been bound. */
static uint64_t record(uint32_t threads, const char *path) {
  pages self;
  pages_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  pages_install(&self);
  EXPECT_OK(mainstem_instance_open(self.context, "Page", NULL, 0, NULL, NULL, NULL));
  const uint64_t bound = stats_of(self.context).events;
  EXPECT(bind(&self));
  show(&self, 2);
  EXPECT_OK(mainstem_scope_end(self.page));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.seen.text, "1 2 end");
  EXPECT_OK(mainstem_instance_open(self.context, "Page", NULL, 0, NULL, NULL, NULL));
  show(&self, 3);
  EXPECT_OK(mainstem_context_close(self.context));
  return bound;
}

/* Catches: an owner that is not found, or after its end; a view that gets no present value, no change, or no end. */
CASE(a_view_is_bound_in_a_muted_replay, IN_BOTH) {
  const char *path = journal_path("session");
  const uint64_t bound = record(threads, path);
  pages self;
  pages_open(&self, threads);
  pages_install(&self);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  const uint32_t scopes = stats_of(self.context).scopes;
  EXPECT_OK(mainstem_replay_seek(replay, bound));
  EXPECT(bind(&self));
  EXPECT(bind(&self)); /* The same scope. */
  EXPECT_EQUAL(stats_of(self.context).scopes, scopes + 1);
  EXPECT_TEXT(self.seen.text, "1 1");
  const uint64_t first = self.number;
  while (self.number == first) {
    EXPECT_OK(mainstem_replay_step(replay, 1, NULL));
    EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  }
  EXPECT_TEXT(self.seen.text, "1 1 2 2 end end");
  const uint64_t second = self.number;
  self.number = first;
  EXPECT(!bind(&self));
  EXPECT_EQUAL(stats_of(self.context).scopes, scopes);
  self.number = second;
  EXPECT(bind(&self));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(self.seen.text, "1 1 2 2 end end 1 3");
  EXPECT_EQUAL(self.made, 0);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a number that nobody has named and that finds something, there and in a verification. */
CASE(a_number_that_nobody_has_is_not_found, IN_BOTH) {
  static const uint32_t modes[] = {MAINSTEM_REPLAY_MUTED, MAINSTEM_REPLAY_VERIFY};
  const char *path = journal_path("session");
  record(threads, path);
  for (size_t i = 0; i < COUNT(modes); i++) {
    pages self;
    pages_open(&self, threads);
    pages_install(&self);
    mainstem_replay *replay = replay_open(self.context, path, modes[i]);
    self.number = 4711;
    EXPECT(!bind(&self));
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_EQUAL(self.made, modes[i] == MAINSTEM_REPLAY_VERIFY ? 2 : 0);
    self.number = 4711;
    EXPECT(!bind(&self));
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

/* A scope of the program, three times, with one number: its value, its end. */
static uint64_t record_lives(uint32_t threads, const char *path) {
  pages self;
  uint64_t number = 0;
  pages_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  pages_install(&self);
  for (int life = 1; life <= 3; life++) {
    mainstem_context *page = scope_open(self.context, "Page");
    EXPECT(life == 1 || number == number_of(page));
    number = number_of(page);
    EXPECT_OK(mainstem_value_set_integer(page, self.shown, life));
    EXPECT_OK(mainstem_scope_end(page));
  }
  EXPECT_OK(mainstem_context_close(self.context));
  return number;
}

/* Catches: a scope that is not found again when its number has come again: after a view was bound to the former one,
   after the program had one of its own, after a host has ended what stood in for it. */
CASE(each_life_of_a_number_is_found, IN_BOTH) {
  const char *path = journal_path("session");
  const uint64_t number = record_lives(threads, path);
  for (int way = 0; way < 3; way++) {
    pages self;
    pages_open(&self, threads);
    pages_install(&self);
    mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
    self.number = number;
    if (way == 1) {
      mainstem_context *own = scope_open(self.context, "Page");
      EXPECT_EQUAL(number_of(own), number);
      EXPECT_OK(mainstem_scope_end(own));
    }
    for (int life = 1; life <= 3; life++) {
      EXPECT_OK(mainstem_replay_step(replay, 1, NULL));
      EXPECT(bind(&self) || (way == 1 && life == 1));
      if (way == 2) {
        mainstem_context *found = NULL;
        EXPECT_OK(mainstem_scope_find(self.context, number, &found, NULL));
        EXPECT_OK(mainstem_scope_end(found));
      }
      EXPECT_OK(mainstem_replay_step(replay, 1, NULL));
      EXPECT_OK(mainstem_drain(self.context, 0, NULL));
      EXPECT(!bind(&self));
    }
    EXPECT_TEXT(self.seen.text, way == 1 ? "2 end 3 end" : "1 end 2 end 3 end");
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

typedef struct marked {
  mainstem_context *context, *page;
  mainstem_event_type shown, go;
} marked;

static void show_two(void *user_data, const mainstem_event *event) {
  marked *self = (marked *)user_data;
  EXPECT_OK(mainstem_value_set_integer(self->page, self->shown, 2));
}

static marked marked_open(uint32_t threads, mainstem_contract mode) {
  marked self = {.context = context_open(threads)};
  mode |= MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER;
  self.shown = type_open(self.context, "Page.shown", mode, NULL);
  self.go = type_open(self.context, "Go", MAINSTEM_PAYLOAD_BYTES, NULL);
  return self;
}

/* The program sets 1, a callback 2, the program 3. */
static void record_marks(uint32_t threads, const char *path, mainstem_contract mode) {
  marked self = marked_open(threads, mode);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  self.page = scope_open(self.context, "Page");
  EXPECT_OK(mainstem_observe(self.context, self.go, show_two, &self, NULL, NULL));
  EXPECT_OK(mainstem_value_set_integer(self.page, self.shown, 1));
  EXPECT_OK(mainstem_send(self.context, self.go, "", 0));
  EXPECT_OK(mainstem_value_set_integer(self.page, self.shown, 3));
  EXPECT_OK(mainstem_context_close(self.context));
}

static void on_late(void *user_data, const mainstem_event *event) {
  EXPECT(event->flags & MAINSTEM_EVENT_LATE);
  if (event->status == 0) {
    transcript_add((transcript *)user_data, "%d", (int)mainstem_event_integer(event));
  } else {
    EXPECT_STATUS(event->status, MAINSTEM_WITHHELD);
    EXPECT(event->user_message != NULL && event->user_message[0] != 0);
    transcript_add((transcript *)user_data, "?");
  }
}

/* Catches: a value that is kept although the journal has a later one without its payload, or nothing in its place. */
CASE(what_is_not_known_comes_late_as_a_mark, IN_BOTH) {
  static const mainstem_contract modes[] = {MAINSTEM_RECORD_INPUTS, MAINSTEM_RECORD_MARK,
                                            MAINSTEM_RECORD_FULL};
  static const char *const wanted[] = {"1 1 ? 3", "? ? ? ?", "1 1 2 3"};
  for (size_t i = 0; i < COUNT(modes); i++) {
    const char *path = journal_path("session");
    transcript seen = {0};
    record_marks(threads, path, modes[i]);
    marked self = marked_open(threads, modes[i]);
    mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
    for (int step = 0; step < 4; step++) {
      mainstem_subscription *subscription;
      EXPECT_OK(mainstem_replay_step(replay, 1, NULL));
      EXPECT_OK(mainstem_observe(self.context, self.shown, on_late, &seen, NULL, &subscription));
      EXPECT_OK(mainstem_cancel(subscription));
    }
    EXPECT_TEXT(seen.text, wanted[i]);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
    journal_sweep();
  }
}

/* Catches: a view that can do something in a muted replay, through what it is bound to. */
CASE(nothing_is_done_through_it, IN_BOTH) {
  const char *path = journal_path("session");
  const uint64_t bound = record(threads, path);
  pages self;
  pages_open(&self, threads);
  pages_install(&self);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_seek(replay, bound));
  EXPECT(bind(&self));
  int64_t value = 9;
  EXPECT_OK(mainstem_binding_set(self.binding, "shown", &value, sizeof value));
  EXPECT_EQUAL(stats_of(self.context).events, bound);
  EXPECT_OK(mainstem_context_close(self.context)); /* In the midst of it. */
  (void)mainstem_replay_close(replay);
  EXPECT_TEXT(self.seen.text, "1");
}

int main(void) { return journal_expect_all(); }

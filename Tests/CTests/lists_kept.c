// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What of a list is kept: by two writers, by what waits, by queues with gaps, by journals without all of it. */

#include "elsewhere.h"
#include "journal.h"
#include "lists.h"

/* Two writers: a notice makes a callback set a list, after another thread has set one. */
typedef struct writers {
  mainstem_context *context;
  mainstem_event_type type, notice;
  items outside, inside;
  view view;
} writers;

static void *set_outside(void *data) {
  writers *self = (writers *)data;
  EXPECT_OK(list_set(self->context, self->type, &self->outside, NULL));
  return NULL;
}

static void set_inside(void *user_data, const mainstem_event *event) {
  writers *self = (writers *)user_data;
  (void)event;
  elsewhere(set_outside, self);
  EXPECT_OK(list_set(self->context, self->type, &self->inside, NULL));
}

/* Catches: changes against a list that is not the one before, and a set that knows what a replay does not. */
CASE(two_writers_get_changes_that_fit, IN_ANY) {
  static const char *const pairs[][2] = {{"abx", "aby"}, {"abc", "abc"}, {"ba", "cab"}, {"", "b"}};
  writers self = {0};
  self.context = context_open(threads);
  self.type = list_type(self.context);
  self.notice = type_open(self.context, "Notice", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self.context, self.notice, set_inside, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.context, self.type, view_get, &self.view, NULL, NULL));
  for (size_t i = 0; i < COUNT(pairs); i++) {
    items list = items_of("ab");
    EXPECT_OK(list_set(self.context, self.type, &list, NULL));
    int before = self.view.events;
    self.outside = items_of(pairs[i][0]);
    self.inside = items_of(pairs[i][1]);
    EXPECT_OK(mainstem_send(self.context, self.notice, NULL, 0));
    EXPECT_OK(mainstem_flush(self.context));
    EXPECT_EQUAL(self.view.events, before + 2);
    if (strcmp(pairs[i][0], pairs[i][1]) == 0) EXPECT_TEXT(self.view.told, "");
  }
  EXPECT_OK(mainstem_context_close(self.context));
}

static void note_whole(void *user_data, const mainstem_event *event) {
  if (event->flags & MAINSTEM_EVENT_GAP) return;
  view_get(user_data, event);
}

/* A list that callbacks set, and what an observer gets of it. */
typedef struct marked {
  mainstem_context *context, *scope;
  mainstem_event_type type, notice;
  int events, marks, misfits;
  view view;
} marked;

/* A callback that sets two lists of one row, which wait until it has returned, and a third that finds no room. */
static void set_three(void *user_data, const mainstem_event *event) {
  marked *self = (marked *)user_data;
  (void)event;
  items list = items_of("ab");
  for (int i = 0; i < 3; i++) {
    list.rows[0].number = list.rows[1].number = ++self->misfits;
    EXPECT_STATUS(list_set(self->context, self->type, &list, NULL),
                  i < 2 ? MAINSTEM_OK : MAINSTEM_FULL);
  }
}

/* Catches: lists that wait in the stream and count nothing, or that count still when they have come. */
CASE(a_list_counts_while_it_waits, IN_BOTH) {
  const char *path = journal_path("counted");
  marked self = {0};
  self.context = CONTEXT_WITH(.threads = threads, .limit_bytes = 5 * 73);
  self.type = list_type(self.context);
  self.notice = type_open(self.context, "Notice", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  EXPECT_OK(mainstem_observe(self.context, self.notice, set_three, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.context, self.type, view_get, &self.view, NULL, NULL));
  for (int i = 1; i < 20; i++) {
    EXPECT_OK(mainstem_send(self.context, self.notice, NULL, 0));
    EXPECT_EQUAL(self.view.events, 2 * i);
  }
  EXPECT_OK(mainstem_context_close(self.context));
  journal_sweep();
}

/* Catches: a gap behind which changes come, and a list as a whole where nothing was lost. */
CASE(only_behind_a_gap_a_list_is_whole, IN_BOTH) {
  static const uint32_t policies[] = {MAINSTEM_QUEUE_DROP_OLDEST, MAINSTEM_QUEUE_DROP_NEWEST,
                                      MAINSTEM_QUEUE_LATEST};
  for (size_t i = 0; i < COUNT(policies); i++) {
    mainstem_context *context = context_open(threads);
    mainstem_event_type type = list_type(context);
    view self = {0};
    EXPECT_OK(mainstem_observe_with(context,
                                    OPTIONS(observe, .types = &type, .type_count = 1,
                                            .scheduler = MAINSTEM_SCHEDULER_HOST,
                                            .policy = policies[i], .limit_events = 1),
                                    note_whole, &self, NULL, NULL));
    for (int round = 0; round < 3; round++) {
      static const char *const lists[] = {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"};
      for (size_t each = 0; each < COUNT(lists); each++) {
        items list = items_of(lists[each]);
        EXPECT_OK(list_set(context, type, &list, NULL));
        /* The first three one by one; then one is lost or two; then one comes behind the gap, and one behind that. */
        size_t whole = round % 2 == 0 ? 4 : 5;
        if (each >= 3 && each < whole) continue;
        int is_newest = policies[i] == MAINSTEM_QUEUE_DROP_NEWEST;
        EXPECT_OK(mainstem_drain(context, 0, NULL));
        if (each == 1 || each == 2) EXPECT_EQUAL(self.told[0], '3');
        if (each == whole && !is_newest) EXPECT_EQUAL(self.told[0], '0');
        if (each == whole + 1) EXPECT_EQUAL(self.told[0], is_newest ? '0' : '3');
      }
    }
    /* What waited before a later loss may be whole, too. */
    EXPECT(self.resets >= 4 && self.resets <= (policies[i] == MAINSTEM_QUEUE_DROP_NEWEST ? 6 : 4));
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: changes of a list that has ended, and a list that outlives its scope. */
CASE(a_list_ends_with_its_scope, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  view self = {0};
  items list = items_of("ab");
  EXPECT_OK(mainstem_observe(context, type, view_get, &self, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    mainstem_context *scope = scope_open(context, "Owner");
    mainstem_list_ends ends = {0};
    EXPECT_OK(list_set(scope, type, &list, &ends));
    EXPECT_TEXT(self.told, "0 0+2>0");
    EXPECT_OK(mainstem_scope_end(scope));
    list = items_of("ab");
    scope = scope_open(context, "Owner");
    ends.first = 1;
    EXPECT_STATUS(list_set(scope, type, &list, &ends), MAINSTEM_STALE);
    EXPECT_OK(mainstem_scope_end(scope));
  }
  EXPECT_EQUAL(self.resets, 3);
  EXPECT_OK(mainstem_context_close(context));
}

/* Of this list, a journal only marks what callbacks set: it is not known in a replay. */
static void set_longer(void *user_data, const mainstem_event *event) {
  marked *self = (marked *)user_data;
  (void)event;
  items list = items_of("abcd");
  EXPECT_OK(list_set(self->scope, self->type, &list, NULL));
}

static void get_or_mark(void *user_data, const mainstem_event *event) {
  marked *self = (marked *)user_data;
  size_t count;
  self->events++;
  if (event->flags & MAINSTEM_EVENT_MARKED) {
    self->marks++;
    EXPECT_STATUS(mainstem_list_count(event, &count), MAINSTEM_INVALID);
    return;
  }
  if (event->flags & MAINSTEM_EVENT_LIST) {
    view_get(&self->view, event);
  } else {
    self->misfits++;
  }
}

static void marked_open(marked *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->type = type_open(self->context, "Items",
                         MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER |
                             MAINSTEM_RECORD_INPUTS,
                         NULL);
  self->notice = type_open(self->context, "Notice", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->type, get_or_mark, self, NULL, NULL));
}

/* Catches: changes that are applied to a list that is not the one before, and a mark that is taken for a list. */
CASE(behind_a_mark_a_list_is_unknown, IN_BOTH) {
  const char *path = journal_path("marked");
  marked self;
  uint64_t fed;
  marked_open(&self, threads);
  self.scope = scope_open(self.context, "Owner");
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  EXPECT_OK(mainstem_observe(self.context, self.notice, set_longer, &self, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    items list = items_of("abc");
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL)); /* Kept: all of it. */
    list = items_of("abce");
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL));      /* Kept: its changes. */
    EXPECT_OK(mainstem_send(self.context, self.notice, NULL, 0)); /* Marked. */
    list = items_of("xabcd");
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL)); /* Changes of what is not known. */
    EXPECT_OK(mainstem_scope_end(self.scope));
    self.scope = scope_open(self.context, "Owner");
  }
  EXPECT_EQUAL(self.events, 8);
  EXPECT_EQUAL(self.marks, 0);
  EXPECT_OK(mainstem_context_close(self.context));
  marked_open(&self, threads);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  EXPECT_EQUAL(self.events, 8);
  EXPECT_EQUAL(self.marks, 4);
  EXPECT_EQUAL(self.misfits, 0);
  EXPECT_EQUAL(self.view.resets, 2);
  EXPECT_EQUAL(self.view.list.count, 4);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(self.context));
  journal_sweep();
}

/* Catches: changes that follow a mark, for an observer that does not know what the list was. */
CASE(behind_a_mark_a_list_is_set_whole, IN_BOTH) {
  const char *path = journal_path("unmarked");
  items list = items_of("abc");
  uint64_t fed;
  marked self;
  marked_open(&self, threads);
  self.scope = self.context;
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  EXPECT_OK(mainstem_observe(self.context, self.notice, set_longer, &self, NULL, NULL));
  EXPECT_OK(list_set(self.context, self.type, &list, NULL));
  EXPECT_OK(mainstem_send(self.context, self.notice, NULL, 0)); /* Marked. */
  EXPECT_OK(mainstem_context_close(self.context));
  marked_open(&self, threads);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  EXPECT_EQUAL(self.marks, 1);
  EXPECT_EQUAL(self.view.resets, 1);
  EXPECT_OK(mainstem_replay_close(replay));
  list = items_of("abce");
  EXPECT_OK(list_set(self.context, self.type, &list, NULL));
  EXPECT_EQUAL(self.view.resets, 2);
  EXPECT_EQUAL(self.view.list.count, 4);
  EXPECT_OK(mainstem_context_close(self.context));
  journal_sweep();
}

/* Records, in a flight recorder of small files, `count` scopes that each set a list and end, and an event of each. */
static mainstem_journal_stats record_flight(uint32_t threads, int count, int are_kept) {
  const char *path = journal_path("flight");
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  mainstem_event_type notice = type_open(context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  items list = {0};
  options.segment_size = 4096;
  options.keep = 2;
  for (list.count = 0; list.count < MOST; list.count++)
    sprintf(list.rows[list.count].key, "key%zu", list.count);
  EXPECT_OK(mainstem_journal_record(context, path, &options));
  for (int i = 0; i < count; i++) {
    mainstem_context *scope = scope_open(context, "Owner");
    EXPECT_OK(list_set(scope, type, &list, NULL));
    EXPECT_OK(mainstem_send(context, notice, "0123456789", 10));
    if (!are_kept) EXPECT_OK(mainstem_scope_end(scope));
  }
  for (int i = 0; i < 400; i++) EXPECT_OK(mainstem_send(context, notice, "0123456789", 10));
  EXPECT_OK(mainstem_journal_sync(context));
  mainstem_journal_stats stats = journal_stats(context);
  EXPECT_OK(mainstem_context_close(context));
  journal_sweep();
  return stats;
}

/* Catches: files that begin with the lists of scopes that have ended, or that have no room for anything else. */
CASE(a_flight_recorder_has_room_for_events, IN_ONE) {
  mainstem_journal_stats few = record_flight(threads, 100, 0);
  mainstem_journal_stats many = record_flight(threads, 200, 0);
  EXPECT(many.bytes < 3 * few.bytes);
  many = record_flight(threads, 10, 1); /* More than a file may have. */
  EXPECT(many.segments > 5);
  EXPECT(many.segments < many.events / 8);
}

/* Overwrites a byte of the payload of an event. */
static void damage(const char *path, uint64_t position) {
  size_t size = journal_size(path), place = 128;
  int fd = open(path, O_RDWR);
  EXPECT(fd >= 0);
  for (;;) {
    mainstem_event_header header;
    EXPECT(place + 72 <= size);
    EXPECT_EQUAL(pread(fd, &header, sizeof header, (off_t)place), sizeof header);
    if (header.type != 0 && header.position == position) break;
    place += journal_length(header.size);
  }
  EXPECT_EQUAL(pwrite(fd, "\xff", 1, (off_t)place + 64 + 30), 1);
  close(fd);
}

/* Catches: changes behind a salvage's gap that are applied to what was before it. */
CASE(behind_lost_events_a_list_is_unknown, IN_BOTH) {
  const char *path = journal_path("lost");
  char to[600];
  marked self;
  uint64_t fed;
  mainstem_salvage_report report = {.size = sizeof report};
  snprintf(to, sizeof to, "%s-salvaged", path);
  marked_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  for (int i = 0; i < 2; i++) {
    self.scope = scope_open(self.context, "Owner");
    items list = items_of("abc");
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL));
    list.rows[0].number = 5; /* Lost, the first time. */
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL));
    list.rows[1].number = 5; /* These changes fit the list before, too. */
    EXPECT_OK(list_set(self.scope, self.type, &list, NULL));
    EXPECT_OK(mainstem_scope_end(self.scope));
  }
  EXPECT_OK(mainstem_context_close(self.context));
  damage(path, 2);
  EXPECT_OK(mainstem_journal_salvage(path, to, &report));
  EXPECT(report.events >= 5);
  marked_open(&self, threads);
  mainstem_replay *replay = replay_open(self.context, to, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  EXPECT_EQUAL(self.events, 5);
  EXPECT_EQUAL(self.marks, 1);
  EXPECT_EQUAL(self.view.resets, 2);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(self.context));
  unlink(to);
  journal_sweep();
}

int main(void) { return journal_expect_all(); }

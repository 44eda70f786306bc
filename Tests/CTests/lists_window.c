// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists that are a part of a longer sequence: each event says which part its rows are. */

#include "journal.h"
#include "lists.h"

static mainstem_status part_set(mainstem_context *context, mainstem_event_type type,
                                const char *keys, mainstem_list_window window) {
  items list = items_of(keys);
  mainstem_list_row rows[MOST];
  for (size_t i = 0; i < list.count; i++)
    rows[i] = (mainstem_list_row){list.rows[i].key, 1, &list.rows[i].number, sizeof(int64_t)};
  return mainstem_list_set_window(context, type, rows, sizeof rows[0], list.count, NULL, &window);
}

/* Shows what it gets: the window, and how many changes. */
static void part_get(void *user_data, const mainstem_event *event) {
  char *told = (char *)user_data;
  mainstem_list_window window;
  mainstem_list_change change;
  size_t changes = 0;
  if (event->flags & MAINSTEM_EVENT_GAP) return;
  char sign = '~';
  while (mainstem_list_read(event, changes, &change) == MAINSTEM_OK) {
    if (change.kind == MAINSTEM_LIST_RESET) sign = '=';
    changes++;
  }
  EXPECT_OK(mainstem_list_window_get(event, &window));
  size_t length = strlen(told);
  snprintf(told + length, 400 - length, "%zu+%zu/%zu %c%zu, ", window.offset, window.count,
           window.total, sign, changes);
}

static void parts_set(mainstem_context *context, mainstem_event_type type) {
  EXPECT_OK(part_set(context, type, "abc", (mainstem_list_window){0, 3, 9}));
  EXPECT_OK(part_set(context, type, "abc", (mainstem_list_window){0, 3, 9}));
  EXPECT_OK(part_set(context, type, "abc", (mainstem_list_window){0, 3, 10}));
  EXPECT_OK(part_set(context, type, "abc", (mainstem_list_window){7, 3, 10}));
  EXPECT_OK(part_set(context, type, "bc", (mainstem_list_window){7, 2, 9}));
  items list = items_of("bc");
  EXPECT_OK(list_set(context, type, &list, NULL)); /* All of it. */
  EXPECT_OK(part_set(context, type, "bc", (mainstem_list_window){0, 2, 2}));
  EXPECT_OK(part_set(context, type, "", (mainstem_list_window){0, 0, 0}));
  EXPECT_OK(part_set(context, type, "", (mainstem_list_window){4, 0, 4}));
}

static const char parts_told[] = "0+3/9 =1, 0+3/10 ~0, 7+3/10 ~0, 7+2/9 ~1, 0+2/2 ~0, 0+0/0 ~1, "
                                 "4+0/4 ~0, ";

/* Catches: a window that is no news, news that are none, and a window of another event. */
CASE(a_window_is_news, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  char told[400] = "", waited[400] = "", late[400] = "";
  mainstem_retained *kept;
  char line[200];
  EXPECT_OK(mainstem_observe(context, type, part_get, told, NULL, NULL));
  EXPECT_OK(mainstem_observe_with(
      context,
      OPTIONS(observe, .types = &type, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      part_get, waited, NULL, NULL));
  EXPECT_OK(part_set(context, type, "ab", (mainstem_list_window){20, 2, 10000}));
  const mainstem_event *was = current(context, type, &kept);
  told[0] = 0;
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_TEXT(waited, "20+2/10000 =1, ");
  waited[0] = 0;
  EXPECT_OK(part_set(context, type, "", (mainstem_list_window){3, 0, 3}));
  parts_set(context, type);
  EXPECT_TEXT(told + strlen("3+0/3 ~1, 0+3/9 ~1, "), parts_told + strlen("0+3/9 =1, "));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_TEXT(waited, told);
  EXPECT_OK(mainstem_observe(context, type, part_get, late, NULL, NULL));
  EXPECT_TEXT(late, "4+0/4 =1, ");
  window_expect(was, 20, 2, 10000);
  EXPECT_OK(mainstem_event_line(was, line, sizeof line, NULL));
  EXPECT_TEXT(line, "#1 Items =2 -0 ~0 of 2, rows 20-21 of 10000");
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_event_line(current(context, type, &kept), line, sizeof line, NULL));
  EXPECT_TEXT(line, "#9 Items +0 -0 ~0 of 0, no rows of 4");
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: an observer that gets rows with the window of an event that it has lost. */
CASE(behind_a_gap_the_window_is_that_of_the_rows, IN_BOTH) {
  static const uint32_t policies[] = {MAINSTEM_QUEUE_DROP_OLDEST, MAINSTEM_QUEUE_DROP_NEWEST,
                                      MAINSTEM_QUEUE_LATEST};
  static const char *const expected[] = {"4+0/4 =1, ", "0+3/9 =1, ", "4+0/4 =1, "};
  for (size_t i = 0; i < COUNT(policies); i++) {
    mainstem_context *context = context_open(threads);
    mainstem_event_type type = list_type(context);
    char told[400] = "";
    EXPECT_OK(mainstem_observe_with(context,
                                    OPTIONS(observe, .types = &type, .type_count = 1,
                                            .scheduler = MAINSTEM_SCHEDULER_HOST,
                                            .policy = policies[i], .limit_events = 1),
                                    part_get, told, NULL, NULL));
    parts_set(context, type);
    EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT_TEXT(told, expected[i]);
    EXPECT_OK(part_set(context, type, "ab", (mainstem_list_window){5, 2, 8}));
    EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT(strstr(told, i == 1 ? "5+2/8 =1" : "5+2/8 ~1") != NULL);
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: a window that contradicts itself or the rows, and a message that does not say how. */
CASE(a_wrong_window_is_refused, IN_BOTH) {
  static const mainstem_list_window beyond[] = {
      {0, 2, 1}, {9, 2, 10}, {SIZE_MAX, 2, 10}, {SIZE_MAX - 1, 2, SIZE_MAX}, {0, 2, SIZE_MAX}};
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  char told[400] = "";
  mainstem_list_window window = {1, 3, 10};
  mainstem_list_ends ends = {0, 0, 0};
  items list = items_of("abcd");
  EXPECT_OK(mainstem_observe(context, type, part_get, told, NULL, NULL));
  EXPECT_STATUS(part_set(context, type, "ab", window), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_list_set_window: window: 3 is its count, and the list "
              "has another number of rows");
  for (size_t i = 0; i < COUNT(beyond); i++) {
    EXPECT_STATUS(part_set(context, type, "ab", beyond[i]), MAINSTEM_INVALID);
    EXPECT(strstr(mainstem_last_error(), "is its total, and offset and count do not fit in it") !=
           NULL);
  }
  EXPECT_TEXT(told, "");
  EXPECT_STATUS(mainstem_list_window_get(NULL, &window), MAINSTEM_INVALID);
  EXPECT_EQUAL(window.total, 0);
  EXPECT_OK(list_set(context, type, &list, &ends));
  /* Its count is that of the list, and not of the rows between the ends. */
  uint64_t version = ends.version;
  ends.first = 3, ends.last = 1;
  window = (mainstem_list_window){1, 0, 10};
  EXPECT_STATUS(
      mainstem_list_set_window(context, type, NULL, sizeof(mainstem_list_row), 0, &ends, &window),
      MAINSTEM_INVALID);
  EXPECT_EQUAL(ends.version, version);
  window.count = 4;
  EXPECT_OK(
      mainstem_list_set_window(context, type, NULL, sizeof(mainstem_list_row), 0, &ends, &window));
  EXPECT(ends.version != version);
  EXPECT_TEXT(told, "0+4/4 =1, 1+4/10 ~0, ");
  version = ends.version;
  EXPECT_OK(
      mainstem_list_set_window(context, type, NULL, sizeof(mainstem_list_row), 0, &ends, &window));
  EXPECT_EQUAL(ends.version, version);
  ends.first = 4, ends.last = 0;
  EXPECT_OK(
      mainstem_list_set_window(context, type, NULL, sizeof(mainstem_list_row), 0, &ends, NULL));
  EXPECT_TEXT(told, "0+4/4 =1, 1+4/10 ~0, 0+4/4 ~0, ");
  EXPECT_OK(mainstem_context_close(context));
}

typedef struct program {
  mainstem_context *context;
  mainstem_event_type list, step;
  char told[400];
} program;

static void program_step(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  (void)event;
  parts_set(self->context, self->list);
}

static void program_open(program *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->list = list_type(self->context);
  self->step = type_open(self->context, "Step", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->step, program_step, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->list, part_get, self->told, NULL, NULL));
}

/* Catches: a journal without windows, and a replay that shows or verifies others. */
CASE(a_recorded_window_comes_again, IN_BOTH) {
  const char *path = journal_path("windows");
  program self;
  uint64_t fed;
  program_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  EXPECT_OK(mainstem_send(self.context, self.step, NULL, 0));
  EXPECT_TEXT(self.told, parts_told);
  EXPECT_OK(mainstem_context_close(self.context));
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    program_open(&self, threads);
    mainstem_replay *replay = replay_open(self.context, path, mode);
    EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
    EXPECT_TEXT(self.told, parts_told);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
  journal_sweep();
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What lists hold, counted in blocks of memory.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "stream.h"

/* Catches: memory that grows with the changes, and not with the rows; blocks of versions that nobody has any longer. */
CASE(many_changes_leave_few_blocks, IN_BOTH) {
  enum { CHANGES = 2000 };
  for (int from_behind = 0; from_behind < 2; from_behind++) {
    mainstem_context *context = context_open(threads);
    mainstem_event_type type = type_open(
        context, "Items", MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
    mainstem_list_ends ends = {0, 0, 0};
    EXPECT_OK(mainstem_list_set(context, type, NULL, sizeof(mainstem_list_row), 0, &ends));
    long before = blocks;
    for (int64_t i = 0; i < CHANGES; i++) {
      char key[24];
      mainstem_list_row row = {key, (size_t)sprintf(key, "%d", (int)i), &i, sizeof i};
      ends.first = from_behind ? 0 : (size_t)i;
      ends.last = from_behind ? (size_t)i : 0;
      EXPECT_OK(mainstem_list_set(context, type, &row, sizeof row, 1, &ends));
    }
    /* A block for 64 to 128 rows, and few more. */
    EXPECT(blocks - before <= CHANGES / 50);
    for (int64_t i = CHANGES; i > 0; i--) {
      ends.first = from_behind ? 0 : (size_t)i - 1;
      ends.last = from_behind ? (size_t)i - 1 : 0;
      EXPECT_OK(mainstem_list_set(context, type, NULL, sizeof(mainstem_list_row), 0, &ends));
    }
    EXPECT(blocks - before <= 10);
    EXPECT_OK(mainstem_context_close(context));
  }
}

static void keep(void *user_data, const mainstem_event *event) {
  mainstem_retained **kept = (mainstem_retained **)user_data;
  while (*kept != NULL) kept++;
  EXPECT_OK(mainstem_event_retain(event, kept));
}

/* Catches: kept versions that hold more than what differs, and versions that nobody frees. */
CASE(kept_versions_share_their_rows, IN_BOTH) {
  enum { KEPT = 100, MOST_ROWS = 5000 };
  mainstem_retained *kept[KEPT + 3] = {NULL};
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = type_open(
      context, "Items", MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  mainstem_list_ends ends = {0, 0, 0};
  static char keys[MOST_ROWS][8];
  static mainstem_list_row rows[MOST_ROWS];
  int64_t number = 1;
  for (size_t i = 0; i < MOST_ROWS; i++)
    rows[i] = (mainstem_list_row){keys[i], (size_t)sprintf(keys[i], "%zu", i), &number, 8};
  EXPECT_OK(mainstem_observe(context, type, keep, kept, NULL, NULL));
  EXPECT_OK(mainstem_list_set(context, type, rows, sizeof rows[0], MOST_ROWS, &ends));
  long before = blocks;
  for (size_t i = 0; i < KEPT; i++) {
    number++;
    ends.first = MOST_ROWS / 2, ends.last = MOST_ROWS / 2 - 1;
    EXPECT_OK(mainstem_list_set(context, type, &rows[MOST_ROWS / 2], sizeof rows[0], 1, &ends));
  }
  /* The version, the changes, the event and one chunk of rows for each. */
  EXPECT(blocks - before <= 5 * KEPT);
  for (size_t i = 0; kept[i] != NULL; i++) EXPECT_OK(mainstem_retained_release(kept[i]));
  EXPECT(blocks - before <= 5);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: lists that outlive their scopes. */
CASE(a_list_ends_with_its_scope, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = type_open(
      context, "Items", MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  int64_t number = 1;
  mainstem_list_row row = {"a", 1, &number, sizeof number};
  long after_some = 0;
  for (int i = 0; i < 200; i++) {
    mainstem_context *scope = scope_open(context, "Owner");
    EXPECT_OK(mainstem_list_set(scope, type, &row, sizeof row, 1, NULL));
    EXPECT_OK(mainstem_scope_end(scope));
    if (i == 99) after_some = blocks;
  }
  EXPECT(blocks - after_some <= 250); /* The names of each scope that has sent stay: two blocks. */
  EXPECT_OK(mainstem_context_close(context));
}

/* Puts a row behind the first of a list, whose version is known. */
static void put(mainstem_context *context, mainstem_event_type list, size_t first, size_t count,
                uint64_t *version) {
  static const char data[400];
  char key[8];
  mainstem_list_row row = {key, 5, data, sizeof data};
  mainstem_list_ends ends = {*version, first, count - first};
  snprintf(key, sizeof key, "%05zu", count);
  EXPECT_OK(mainstem_list_set(context, list, &row, sizeof row, 1, &ends));
  *version = ends.version;
}

/* Catches: a rest of what is copied that is a block for itself, so that each row that is added is a block more. */
CASE(rows_that_are_added_one_by_one_share_blocks, IN_BOTH) {
  enum { MANY = 1000, OF_A_BLOCK = 10 };
  for (int place = 0; place < 3; place++) {
    mainstem_context *context = context_open(threads);
    mainstem_event_type list = type_open(
        context, "Items", MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_BYTES, NULL);
    uint64_t version = 0;
    put(context, list, 0, 0, &version);
    long before = blocks;
    for (size_t count = 1; count < MANY; count++)
      put(context, list, count * (size_t)place / 2, count, &version);
    EXPECT(blocks - before < MANY / OF_A_BLOCK);
    EXPECT_OK(mainstem_context_close(context));
  }
}

int main(void) { return expect_all(); }

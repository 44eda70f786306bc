// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for queries: each allocation fails in turn. A call that is refused has changed nothing, and every block is
 * freed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "expect.h"

static int failures; /* How many allocations failed: none would prove nothing. */

/* Whether a call found memory; one that did not says so. */
static int is_made(mainstem_status status) {
  countdown = -1;
  if (status == MAINSTEM_OK) return 1;
  EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
  failures++;
  return 0;
}

CASE(each_call_may_find_no_memory, IN_ONE) {
  static const char json[] =
      "{\"where\":\"not (lower(a) = lower('X') or a.\\\"b\\\" in ('1', lower($v), 3)) and c or d "
      "or e = 1"
      " or f = 2 or g contains "
      "'h'\",\"values\":{\"v\":\"W\",\"w\":1},\"sort\":[\"-c\",\"lower(d)\",\"e\"]}";
  static const char item[] = "{\"c\":1,\"d\":\"A\\n\",\"e\":\"\\u0041\"}";
  enum { ROWS = 700 };
  static mainstem_list_row rows[ROWS];
  static size_t indexes[ROWS];
  mainstem_query *query;
  mainstem_list_window window;
  for (size_t i = 0; i < ROWS; i++) rows[i] = (mainstem_list_row){"k", 1, item, sizeof item - 1};
  EXPECT_STATUS(mainstem_query_make("", 0, &query), MAINSTEM_INVALID); /* A message. */
  /* The first chunk of handles; and the runtime of Swift makes types when they are first used. */
  EXPECT_OK(mainstem_query_make(json, sizeof json - 1, &query));
  EXPECT_OK(mainstem_query_select(query, rows, sizeof rows[0], ROWS, indexes, &window));
  EXPECT_OK(mainstem_query_release(query));
  const long before = blocks;
  for (int one = 0; one < 2; one++) {
    only_one = one;
    for (int which = 0;
         countdown = which, !is_made(mainstem_query_make(json, sizeof json - 1, &query)); which++) {
      EXPECT(query == NULL);
      EXPECT_EQUAL(blocks, before);
    }
    const long made = blocks;
    for (int which = 0; countdown = which,
             !is_made(mainstem_query_select(query, rows, sizeof rows[0], ROWS, indexes, &window));
         which++) {
      EXPECT_EQUAL(window.total, 0);
      EXPECT_EQUAL(blocks, made);
    }
    EXPECT_EQUAL(blocks, made);
    EXPECT(window.total == ROWS && window.count == ROWS);
    for (size_t i = 0; i < ROWS; i++) EXPECT_EQUAL(indexes[i], i);
    countdown = 0; /* What ends needs no memory. */
    mainstem_status released = mainstem_query_release(query);
    countdown = -1;
    EXPECT_OK(released);
    EXPECT_EQUAL(blocks, before);
  }
  EXPECT(failures > 60);
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists of many rows, whose versions share most of them. */

#include "stream.h"

enum { LONGEST = 3000, KEY = 12 };

typedef struct item {
  char key[KEY];
  int64_t number;
} item;

typedef struct items {
  size_t count;
  item rows[LONGEST];
} items;

/* What was set, what a view that only applies changes has got, and an older list with the event that it came with. */
static items now, shown, old;
static mainstem_retained *kept;

static item item_of(const mainstem_event *event, size_t index) {
  item one;
  mainstem_list_row row;
  EXPECT_OK(mainstem_list_row_get(event, index, &row));
  strcpy(one.key, row.key);
  memcpy(&one.number, row.data, sizeof one.number);
  return one;
}

static void shift(size_t at, size_t removed, size_t added) {
  EXPECT(at + removed <= shown.count && shown.count - removed + added <= LONGEST);
  memmove(&shown.rows[at + added], &shown.rows[at + removed],
          (shown.count - at - removed) * sizeof(item));
  shown.count = shown.count - removed + added;
}

static void apply(const mainstem_event *event, const mainstem_list_change *change) {
  static item moved[LONGEST];
  int is_shorter = change->kind == MAINSTEM_LIST_REMOVE || change->kind == MAINSTEM_LIST_MOVE;
  if (change->kind == MAINSTEM_LIST_RESET) shown.count = 0;
  memcpy(moved, &shown.rows[change->index], is_shorter ? change->count * sizeof(item) : 0);
  if (is_shorter) shift(change->index, change->count, 0);
  if (change->kind == MAINSTEM_LIST_MOVE) {
    shift(change->to, 0, change->count);
    memcpy(&shown.rows[change->to], moved, change->count * sizeof(item));
  }
  if (is_shorter) return;
  if (change->kind != MAINSTEM_LIST_UPDATE) shift(change->index, 0, change->count);
  for (size_t i = change->index; i < change->index + change->count; i++)
    shown.rows[i] = item_of(event, i);
}

static void expect_list(const mainstem_event *event, const items *list) {
  size_t count, found;
  EXPECT_OK(mainstem_list_count(event, &count));
  EXPECT_EQUAL(count, list->count);
  for (size_t i = 0; i < count; i++) {
    item one = item_of(event, i);
    EXPECT_TEXT(one.key, list->rows[i].key);
    EXPECT_EQUAL(one.number, list->rows[i].number);
  }
  for (size_t i = 0; i < count; i += 1 + count / 7) {
    EXPECT_OK(mainstem_list_find(event, list->rows[i].key, strlen(list->rows[i].key), &found));
    EXPECT_EQUAL(found, i);
  }
  EXPECT_STATUS(mainstem_list_find(event, "none", 4, &found), MAINSTEM_UNSET);
}

static void get(void *user_data, const mainstem_event *event) {
  mainstem_list_change change;
  (void)user_data;
  for (size_t i = 0; mainstem_list_read(event, i, &change) == MAINSTEM_OK; i++)
    apply(event, &change);
}

static unsigned draw(unsigned *seed, size_t below) {
  *seed = *seed * 1664525u + 1013904223u;
  return below == 0 ? 0 : (unsigned)((*seed >> 8) % below);
}

static unsigned made;

static void make_rows(size_t at, size_t count) {
  for (size_t i = at; i < at + count; i++) {
    snprintf(now.rows[i].key, KEY, "k%u", made++);
    now.rows[i].number = 0;
  }
}

/* One run of rows comes, goes, changes or moves. */
static void change_items(unsigned *seed) {
  static item run[LONGEST];
  size_t at = draw(seed, now.count + 1), most = draw(seed, 5) == 0 ? 400 : 3;
  size_t count = 1 + draw(seed, most), left = now.count - at;
  unsigned what = draw(seed, 4);
  if (what == 0 && now.count + count <= LONGEST) {
    memmove(&now.rows[at + count], &now.rows[at], left * sizeof(item));
    now.count += count;
    make_rows(at, count);
    return;
  }
  if (count > left) count = left;
  if (what == 2) {
    for (size_t i = at; i < at + count; i++) now.rows[i].number++;
    return;
  }
  memcpy(run, &now.rows[at], count * sizeof(item));
  now.count -= count;
  memmove(&now.rows[at], &now.rows[at + count], (now.count - at) * sizeof(item));
  if (what == 1) return;
  at = draw(seed, now.count + 1);
  memmove(&now.rows[at + count], &now.rows[at], (now.count - at) * sizeof(item));
  memcpy(&now.rows[at], run, count * sizeof(item));
  now.count += count;
}

static int is_same(const item *one, const item *other) {
  return strcmp(one->key, other->key) == 0 && one->number == other->number;
}

/* Sets the list; says which rows stay, or not all of them, or nothing. */
static void set(mainstem_context *context, mainstem_event_type type, mainstem_list_ends *ends,
                unsigned *seed) {
  static mainstem_list_row rows[LONGEST];
  size_t first = 0, last = 0, most = shown.count < now.count ? shown.count : now.count;
  while (first < most && is_same(&shown.rows[first], &now.rows[first])) first++;
  while (last < most - first &&
         is_same(&shown.rows[shown.count - 1 - last], &now.rows[now.count - 1 - last]))
    last++;
  int is_whole = draw(seed, 3) == 0, is_exact = draw(seed, 2);
  ends->first = is_whole ? 0 : is_exact ? first : draw(seed, first + 1);
  ends->last = is_whole ? 0 : is_exact ? last : draw(seed, last + 1);
  size_t count = now.count - ends->first - ends->last;
  for (size_t i = 0; i < count; i++) {
    const item *one = &now.rows[ends->first + i];
    rows[i] = (mainstem_list_row){one->key, strlen(one->key), &one->number, sizeof one->number};
  }
  EXPECT_OK(mainstem_list_set(context, type, rows, sizeof rows[0], count, ends));
}

/* Catches: rows of another version in what versions share, and a row that is found in the wrong place. */
CASE(long_lists_share_rows, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = type_open(
      context, "Items", MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  mainstem_list_ends ends = {0, 0, 0};
  unsigned seed = 7;
  now.count = 2000;
  shown.count = 0;
  make_rows(0, now.count);
  EXPECT_OK(mainstem_observe(context, type, get, NULL, NULL, NULL));
  for (int step = 0; step < 600; step++) {
    for (unsigned left = 1 + draw(&seed, 3); left > 0; left--) change_items(&seed);
    set(context, type, &ends, &seed);
    if (step % 20 != 0) continue;
    if (step > 0) {
      expect_list(kept_event(kept), &old);
      EXPECT_OK(mainstem_retained_release(kept));
    }
    EXPECT_OK(mainstem_value_get(context, type, &kept));
    expect_list(kept_event(kept), &now);
    expect_list(kept_event(kept), &shown);
    old = now;
  }
  EXPECT(now.count > 1000);
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Order keys: rows are moved at random, and their keys as bytes stay in the order of the list. */

#include "expect.h"

enum { ROWS = 60, MOVES = 1000000 };

typedef char order_key[MAINSTEM_ORDER_KEY_SIZE];

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  return *seed ^= *seed << 17;
}

static int is_key(const char *key) {
  size_t length = strlen(key);
  return length > 0 && length < MAINSTEM_ORDER_KEY_SIZE && key[length - 1] != '0' &&
         strspn(key, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == length;
}

static void give_new_keys(order_key *keys) {
  for (size_t i = 0; i < ROWS; i++) EXPECT_OK(mainstem_order_key_at(i, ROWS, keys[i]));
}

/* Puts a row elsewhere. Its key becomes one between those of its new neighbors. */
static int move(order_key *keys, size_t from, size_t to) {
  order_key moved;
  if (from < to) memmove(keys[from], keys[from + 1], (to - from) * sizeof keys[0]);
  else memmove(keys[to + 1], keys[to], (from - to) * sizeof keys[0]);
  mainstem_status status =
      mainstem_order_key(to > 0 ? keys[to - 1] : NULL, to < ROWS - 1 ? keys[to + 1] : NULL, moved);
  if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_LIMIT);
  memcpy(keys[to], moved, sizeof moved);
  return status == MAINSTEM_OK;
}

/* Catches: a key that is not between its neighbors, and one that has no key below it. */
CASE(rows_stay_in_order_wherever_they_move, IN_ONE) {
  static order_key keys[ROWS];
  uint64_t seed = 20261130;
  int renewed = 0;
  give_new_keys(keys);
  for (int i = 0; i < MOVES; i++) {
    /* Most moves go to a few places, which fill up. */
    size_t from = next_random(&seed) % ROWS, to = next_random(&seed) % ROWS;
    if (next_random(&seed) % 8 != 0) to = to % 3 * (ROWS / 2 - 1);
    if (!move(keys, from, to)) {
      give_new_keys(keys);
      renewed++;
    }
    EXPECT(is_key(keys[to]));
    EXPECT(to == 0 || strcmp(keys[to - 1], keys[to]) < 0);
    EXPECT(to == ROWS - 1 || strcmp(keys[to], keys[to + 1]) < 0);
    for (size_t row = 1; i % 1000 == 0 && row < ROWS; row++)
      EXPECT(strcmp(keys[row - 1], keys[row]) < 0);
  }
  EXPECT(renewed > 100);
}

static int moves_into(const char *low, const char *high, int is_low) {
  order_key ends[2], key;
  snprintf(ends[0], sizeof ends[0], "%s", low == NULL ? "" : low);
  snprintf(ends[1], sizeof ends[1], "%s", high == NULL ? "" : high);
  mainstem_status status;
  int count = 0;
  while ((status = mainstem_order_key(low, high, key)) == MAINSTEM_OK) {
    EXPECT(is_key(key) && (low == NULL || strcmp(low, key) < 0) &&
           (high == NULL || strcmp(key, high) < 0));
    memcpy(ends[!is_low], key, sizeof key);
    *(is_low ? &low : &high) = ends[!is_low];
    count++;
  }
  EXPECT_STATUS(status, MAINSTEM_LIMIT);
  EXPECT(strstr(mainstem_last_error(), "give all rows new keys") != NULL);
  EXPECT_TEXT(key, "");
  return count;
}

/* Catches: keys that grow faster than they must. */
CASE(there_is_room_for_many_moves_to_one_place, IN_ONE) {
  EXPECT(moves_into("A", "B", 1) >= 310);
  EXPECT(moves_into("A", "B", 0) >= 310);
  EXPECT(moves_into(NULL, NULL, 1) >= 3800);
  EXPECT(moves_into(NULL, NULL, 0) >= 3800);
}

CASE(keys_for_all_rows_are_short_and_in_order, IN_ONE) {
  static const size_t counts[] = {1, 2, 60, 61, 62, 63, 1000, 100000};
  for (size_t i = 0; i < COUNT(counts); i++) {
    order_key before = "", key;
    for (size_t index = 0; index < counts[i]; index++) {
      EXPECT_OK(mainstem_order_key_at(index, counts[i], key));
      EXPECT(is_key(key) && strcmp(before, key) < 0 && strlen(key) <= (counts[i] < 61 ? 2 : 4));
      memcpy(before, key, sizeof key);
    }
  }
  order_key key, highest = "z";
  EXPECT_OK(mainstem_order_key_at(((size_t)1 << 48) - 1, (size_t)1 << 48, key));
  EXPECT(is_key(key) && strcmp(key, highest) > 0);
  EXPECT_STATUS(mainstem_order_key_at(0, ((size_t)1 << 48) + 1, key), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_order_key_at(3, 3, key), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_order_key_at(0, 0, key), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_order_key_at(0, 1, NULL), MAINSTEM_INVALID);
}

CASE(what_is_not_a_key_is_refused, IN_ONE) {
  static const char *const wrong[] = {"",         "0",  "A0", "a b", "-",
                                      "\xc3\xa9", "A{", "A[", "A@",  "A:"};
  char longest[70];
  order_key key;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    EXPECT_STATUS(mainstem_order_key(wrong[i], NULL, key), MAINSTEM_INVALID);
    EXPECT_STATUS(mainstem_order_key(NULL, wrong[i], key), MAINSTEM_INVALID);
  }
  memset(longest, 'z', sizeof longest);
  longest[65] = '\0';
  EXPECT_STATUS(mainstem_order_key(NULL, longest, key), MAINSTEM_INVALID);
  longest[64] = '\0';
  EXPECT_OK(mainstem_order_key(NULL, longest, key));
  EXPECT_STATUS(mainstem_order_key(longest, NULL, key), MAINSTEM_LIMIT);
  EXPECT_STATUS(mainstem_order_key(longest, longest, key), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_order_key("B", "A", key), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_order_key: low: is not below `high`");
  EXPECT_STATUS(mainstem_order_key("A", "A", key), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_order_key("A1", "A", key), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_order_key(NULL, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_order_key("A", "A1", key));
  EXPECT_TEXT(key, "A0V");
  EXPECT_OK(mainstem_order_key(NULL, "01", key));
  EXPECT_TEXT(key, "00z");
}

int main(void) { return expect_all(); }

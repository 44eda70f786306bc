// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 11, same in, same out, beside the scenarios: numbers and ids look random. */

#include "stream.h"

/* Catches: a seed that is 0 where the machine is to pick one. */
CASE(without_a_seed_each_context_draws_others, IN_BOTH) {
  uint64_t numbers[2];
  for (int i = 0; i < 2; i++) {
    mainstem_context *context = context_open(threads);
    EXPECT_OK(mainstem_context_random(context, &numbers[i]));
    EXPECT_OK(mainstem_context_close(context));
  }
  EXPECT(numbers[0] != numbers[1]);
}

/* Catches: numbers that repeat, and ids that are none. */
CASE(numbers_and_ids_differ, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  uint64_t numbers[1000];
  char id[MAINSTEM_ID_SIZE], other[MAINSTEM_ID_SIZE];
  for (int i = 0; i < 1000; i++) {
    EXPECT_OK(mainstem_context_random(context, &numbers[i]));
    for (int before = 0; before < i; before++) EXPECT(numbers[before] != numbers[i]);
  }
  EXPECT_OK(mainstem_context_id(context, id));
  EXPECT_OK(mainstem_context_id(context, other));
  EXPECT(strcmp(id, other) != 0);
  EXPECT_EQUAL(strlen(id), 36);
  for (int i = 0; i < 36; i++) {
    int is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    EXPECT(is_dash ? id[i] == '-' : strchr("0123456789abcdef", id[i]) != NULL);
  }
  EXPECT_EQUAL(id[14], '4');
  EXPECT(strchr("89ab", id[19]) != NULL);
  EXPECT_STATUS(mainstem_context_random(context, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_id(context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

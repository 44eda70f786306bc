// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Runs a test in many interleavings. */

#include "kit.h"

#include <stdlib.h>

/* Whether the test fails with this seed. */
static int fails(const mainstem_context_options *options, uint64_t seed, mainstem_test_fn fn,
                 void *user_data) {
  mainstem_context_options own = {.size = sizeof own};
  if (options != NULL) own = *options;
  own.seed = seed;
  mainstem_test *test = mainstem_test_open(&own);
  if (test == NULL) return 1;
  test->says_seed = 1;
  fn(test, user_data);
  return mainstem_kit_close(test, mainstem_test_here("the end of the test", 0));
}

uint64_t mainstem_test_seeds(const mainstem_context_options *options, uint64_t count,
                             mainstem_test_fn fn, void *user_data) {
  const char *only = getenv("MAINSTEM_TEST_SEED");
  if (only != NULL && *only != 0) {
    uint64_t seed = strtoull(only, NULL, 10);
    return fails(options, seed, fn, user_data) ? seed : 0;
  }
  for (uint64_t seed = 1; seed <= count; seed++) {
    if (fails(options, seed, fn, user_data)) return seed;
  }
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How a failure is reported. */

#include "kit.h"

#include <stdio.h>
#include <stdlib.h>

static mainstem_test_failure_fn on_failure;
static void *failure_data;

void mainstem_test_on_failure(mainstem_test_failure_fn fn, void *user_data) {
  on_failure = fn;
  failure_data = user_data;
}

mainstem_test_place mainstem_test_here(const char *file, int line) {
  mainstem_test_place place;
  place.file = file;
  place.line = line;
  return place;
}

/* The text is freed only if the hook returns: a hook may leave by longjmp, and then the text is leaked. */
void mainstem_kit_fail(mainstem_test *test, mainstem_test_place place, text *text) {
  if (test != NULL) test->has_failed = 1;
  if (test != NULL && test->says_seed) {
    mainstem_kit_text_add(text, "\n  with seed %llu: MAINSTEM_TEST_SEED=%llu runs it alone",
                          (unsigned long long)test->seed, (unsigned long long)test->seed);
  }
  if (on_failure == NULL) {
    fprintf(stderr, "%s:%d: %s\n", place.file, place.line, text->bytes);
    fflush(NULL);
    abort();
  }
  on_failure(failure_data, place, text->bytes);
  mainstem_kit_text_free(text);
}

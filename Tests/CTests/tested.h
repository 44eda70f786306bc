// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A context under the test kit, and what the kit told of it. */

#ifndef TESTED_H
#define TESTED_H

#include "scheduled.h"

#include <mainstem/testing.h>

/* What the kit told last, instead of ending the program. */
static char told[4000];
static int told_line;

static inline void note_failure(void *user_data, mainstem_test_place place, const char *text) {
  EXPECT(strlen(text) < sizeof told);
  strcpy(told, text);
  told_line = place.line;
}

/* It failed, and said that; then nothing is told. */
static inline void expect_told_at(const char *part, const char *file, int line) {
  if (strstr(told, part) == NULL) {
    fprintf(stderr, "  not told: %s\n  told: %s\n", part, told);
    expect_stop(file, line, "told");
  }
}

#define EXPECT_TOLD(part) expect_told_at(part, __FILE__, __LINE__)
#define EXPECT_NOTHING_TOLD() EXPECT_TEXT(told, "")

typedef struct tested {
  mainstem_test *test;
  mainstem_context *context;
  mainstem_event_type ask, answer, notice;
} tested;

static inline tested tested_open(uint32_t threads) {
  tested on;
  mainstem_test_on_failure(note_failure, NULL);
  told[0] = 0;
  mainstem_context_options options = context_options(threads);
  on.test = mainstem_test_open(&options);
  EXPECT(on.test != NULL);
  on.context = mainstem_test_context(on.test);
  on.ask = type_open(on.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  on.answer = type_open(on.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL);
  return on;
}

static inline void tested_close(tested *on) {
  MAINSTEM_TEST_CLOSE(on->test);
  EXPECT_NOTHING_TOLD();
}

static inline void notice(tested *on, const char *text) {
  EXPECT_OK(send_text(on->context, on->notice, text));
}

static inline void ask(tested *on, const char *text) {
  EXPECT_OK(mainstem_request(on->context, on->ask, text, strlen(text), NULL, NULL, NULL));
}

#endif

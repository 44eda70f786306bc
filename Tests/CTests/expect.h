// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Expectations. The first that fails prints its file, line and expression and ends the program:
 * what a broken library does after that proves nothing.
 */

#ifndef EXPECT_H
#define EXPECT_H

#include <mainstem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kinds of context a case runs in: bits, 1 << MAINSTEM_THREADS_… */
#define IN_ONE (1 << MAINSTEM_THREADS_ONE)
#define IN_ANY (1 << MAINSTEM_THREADS_ANY)
#define IN_BOTH (IN_ONE | IN_ANY)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Options for one call: OPTIONS(observe, .count = 2). */
#define OPTIONS(of, ...)                                                                           \
  (&(mainstem_##of##_options){.size = sizeof(mainstem_##of##_options), __VA_ARGS__})

typedef struct expect_case {
  const char *name;
  void (*fn)(uint32_t threads);
  int contexts;
  struct expect_case *next;
} expect_case;

static expect_case *expect_first, **expect_last = &expect_first;

static inline void expect_add(expect_case *one) {
  *expect_last = one;
  expect_last = &one->next;
}

/* A case, added before main in the order of the file; threads is the kind of context. */
#define CASE(name, contexts)                                                                       \
  static void name(uint32_t threads);                                                              \
  __attribute__((constructor)) static void add_##name(void) {                                      \
    static expect_case one = {#name, name, contexts, NULL};                                        \
    expect_add(&one);                                                                              \
  }                                                                                                \
  static void name(__attribute__((unused)) uint32_t threads)

static int expect_passed;
static void (*expect_after)(void); /* Called after each case, or NULL. */
static const char *expect_sentence = "before the first case";

/* Other threads may be waiting for ever: ends them too. A fuzzer wants it otherwise. */
#ifndef EXPECT_END
#define EXPECT_END _Exit(1)
#endif

static inline void expect_stop(const char *file, int line, const char *expression) {
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, expression);
  fprintf(stderr, "  in: %s\n", expect_sentence);
  fprintf(stderr, "  last error of this thread: %s\n", mainstem_last_error());
  printf("%d passed, 1 failed\n", expect_passed);
  fflush(NULL);
  EXPECT_END;
}

static inline void expect_equal(long long is, long long wanted, const char *file, int line,
                                const char *expression) {
  if (is == wanted) return;
  fprintf(stderr, "  is %lld, wanted %lld\n", is, wanted);
  expect_stop(file, line, expression);
}

static inline void expect_status(mainstem_status is, mainstem_status wanted, const char *file,
                                 int line, const char *expression) {
  if (is == wanted) return;
  fprintf(stderr, "  is %s (%d), wanted %s (%d)\n", mainstem_status_name(is), (int)is,
          mainstem_status_name(wanted), (int)wanted);
  expect_stop(file, line, expression);
}

static inline void expect_text(const char *is, const char *wanted, const char *file, int line,
                               const char *expression) {
  if (is != NULL && strcmp(is, wanted) == 0) return;
  fprintf(stderr, "  is     \"%s\"\n  wanted \"%s\"\n", is == NULL ? "(NULL)" : is, wanted);
  expect_stop(file, line, expression);
}

#define EXPECT(expression)                                                                         \
  do {                                                                                             \
    if (!(expression)) expect_stop(__FILE__, __LINE__, #expression);                               \
  } while (0)

#define EXPECT_EQUAL(is, wanted)                                                                   \
  expect_equal((long long)(is), (long long)(wanted), __FILE__, __LINE__, #is " == " #wanted)

#define EXPECT_STATUS(call, wanted)                                                                \
  expect_status((call), (wanted), __FILE__, __LINE__, #call " == " #wanted)

#define EXPECT_OK(call) EXPECT_STATUS(call, MAINSTEM_OK)

#define EXPECT_TEXT(is, wanted) expect_text((is), (wanted), __FILE__, __LINE__, #is " == " #wanted)

/* Runs each case in each kind of context it names. A hang ends by the alarm, as a failure. */
static inline int expect_run(unsigned seconds) {
  alarm(seconds);
  for (const expect_case *one = expect_first; one != NULL; one = one->next) {
    for (uint32_t threads = MAINSTEM_THREADS_ONE; threads <= MAINSTEM_THREADS_ANY; threads++) {
      if (!(one->contexts & (1 << threads))) continue;
      expect_sentence = one->name;
      one->fn(threads);
      if (expect_after != NULL) expect_after();
      expect_passed++;
    }
  }
  printf("%d passed, 0 failed\n", expect_passed);
  return 0;
}

static inline int expect_all(void) { return expect_run(240); }

#endif

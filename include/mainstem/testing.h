// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Testing: a context for a test, with a transcript, a virtual clock, stubs and seeds.
 *
 * A small library of its own, linked by tests only: mainstem::testing in CMake, mainstem-testing for
 * pkg-config. It stands on the other headers and knows nothing that a program could not know.
 *
 *     mainstem_test *test = mainstem_test_open(NULL);
 *     mainstem_context *context = mainstem_test_context(test);
 *     …                                                    what is tested is put on the context
 *     MAINSTEM_TEST_OK(test, mainstem_request(context, greet, "Ada", 3, NULL, NULL, NULL));
 *     MAINSTEM_TEST_EXPECT_TEXT(test, "RequestGreet", "Ada");
 *     MAINSTEM_TEST_EXPECT_TEXT(test, "ResponseGreeting", "Hello, Ada");
 *     MAINSTEM_TEST_CLOSE(test);
 *
 * All that passes on the stream must be expected, exactly and in order. What nobody has expected, what is
 * still in flight and who is still subscribed when the test closes is a failure, told with the events that
 * led to it.
 *
 * The macros only add their place in the source to a call. A test is for one thread, unless a function says
 * otherwise; a context for any thread is looked at when its other threads are done.
 */

#ifndef MAINSTEM_TESTING_H
#define MAINSTEM_TESTING_H

#include "handlers.h"
#include "loop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The test --------------------------------------------------------------------------------------- */

/** A context in a test's hands. Ended by MAINSTEM_TEST_CLOSE. */
typedef struct mainstem_test mainstem_test;

/** Where a test says something: file and line. */
typedef struct mainstem_test_place {
  const char *file;
  int line;
} mainstem_test_place;

/** Gets a failure, as text of one or more lines; borrowed for the call. */
typedef void (*mainstem_test_failure_fn)(void *user_data, mainstem_test_place place,
                                         const char *text);

/**
 * Says what happens at a failure, of every test from now on. NULL, the default: the text is written to
 * stderr, and the process aborts.
 *
 * A test framework's own failure belongs here; it may also leave by longjmp, since it is called in no
 * callback. If it returns, the test goes on.
 * Thread: any, before the first test.
 */
void mainstem_test_on_failure(mainstem_test_failure_fn fn, void *user_data);

/**
 * Makes a context for a test, with a virtual clock, and observes it.
 *
 * options NULL: of this thread, seed 1. Else as they say, but the clock is virtual, and a seed of 0 is 1.
 * Owner: the caller, who closes it. A failure to make it is a failure of the test, and NULL.
 */
mainstem_test *mainstem_test_open(const mainstem_context_options *options);

/** The context. Owner: the test; it is not to be closed otherwise. */
mainstem_context *mainstem_test_context(mainstem_test *test);

/**
 * What is subscribed now, handlers of servers included, and every timer that is armed now, may be there at
 * the end: said after a test has been set up. Stubs need it not.
 */
void mainstem_test_keep(mainstem_test *test);

/**
 * Closes it: nothing may be unexpected, in flight (open requests, posts, timers, events that wait for a
 * scheduler) or subscribed, but what mainstem_test_keep has kept, and every answer of a stub must have
 * been asked for. `test` is gone, also after a failure. NULL does nothing.
 */
void mainstem_test_close_at(mainstem_test *test, mainstem_test_place place);

/* What must have happened -------------------------------------------------------------------------- */

/** The call that returned `status` must have succeeded. */
void mainstem_test_ok_at(mainstem_test *test, mainstem_status status, const char *call,
                         mainstem_test_place place);

/**
 * The next event must be of this type, and no failed response. Returns it, to look at more of it; NULL after a
 * failure.
 *
 * Owner: the test, until it closes; a zero byte follows its data. `context` is the test's, and it cannot be
 * answered.
 */
const mainstem_event *mainstem_test_next_at(mainstem_test *test, const char *type,
                                            mainstem_test_place place);

/** The next event must be of this type with this payload. */
void mainstem_test_expect_at(mainstem_test *test, const char *type, const void *data, size_t size,
                             mainstem_test_place place);

/** The next event must be a response of this type that failed so. `sentence` NULL: whatever it says. */
void mainstem_test_failed_at(mainstem_test *test, const char *type, mainstem_status code,
                             const char *sentence, mainstem_test_place place);

/** Nothing has happened that is not expected yet. */
void mainstem_test_nothing_at(mainstem_test *test, mainstem_test_place place);

/** Forgets what has passed and was not expected: for what a test is not about. */
void mainstem_test_skip(mainstem_test *test);

/**
 * Moves the virtual clock on, lets all happen that becomes due, in order, the delayed answers of stubs too, and
 * drains. 0 only drains.
 */
void mainstem_test_advance_at(mainstem_test *test, int64_t ms, mainstem_test_place place);

/* Stubs ------------------------------------------------------------------------------------------ */

/** In mainstem_test_answer.delay_ms: it never comes. */
#define MAINSTEM_TEST_NEVER (-1)

/** In mainstem_test_answer.times: as often as it is asked for, also not at all. */
#define MAINSTEM_TEST_ALWAYS 0xffffffff

/** An answer of a stub. */
typedef struct mainstem_test_answer {
  const char *data;       /**< The payload; NULL: none. Of a failed one the sentence, or NULL. */
  size_t size;            /**< Bytes at `data`; of a failed one not looked at. */
  mainstem_status status; /**< MAINSTEM_OK, or the code of a failure. */
  uint32_t times;         /**< How often it is given; 0 is once. MAINSTEM_TEST_ALWAYS. */
  int64_t delay_ms;       /**< After so long; 0: at once. MAINSTEM_TEST_NEVER. */
} mainstem_test_answer;

/**
 * Adds a server, named "Stub", that answers requests of a type with these answers, in order.
 *
 * One request more, or one less, than there are answers is a failure. Delayed answers come inside
 * MAINSTEM_TEST_ADVANCE, from outside, as from a network.
 * Owner: the rows are copied, their data is borrowed until the test closes.
 */
void mainstem_test_stub_at(mainstem_test *test, const char *type,
                           const mainstem_test_answer *answers, size_t count,
                           mainstem_test_place place);

/** How often the stubs of a type were asked. */
uint64_t mainstem_test_calls(mainstem_test *test, const char *type);

/* Seeds ------------------------------------------------------------------------------------------ */

/** A test with a context of its own. */
typedef void (*mainstem_test_fn)(mainstem_test *test, void *user_data);

/**
 * Runs a test with the seeds 1 to `count`, each time with a context of its own, which it opens and closes.
 *
 * Host and serial schedulers run on the virtual clock event by event, in an order that the seed decides: so this
 * is the same program, interleaved in `count` ways. A failure's text names the seed; with that in
 * the environment variable MAINSTEM_TEST_SEED it alone is run.
 * Options: as mainstem_test_open takes them, but for the seed.
 * Returns the seed that failed, where the function of mainstem_test_on_failure returns; 0 if none did.
 */
uint64_t mainstem_test_seeds(const mainstem_context_options *options, uint64_t count,
                             mainstem_test_fn fn, void *user_data);

/* With their place --------------------------------------------------------------------------------- */

/** The place where it stands. */
#define MAINSTEM_TEST_HERE mainstem_test_here(__FILE__, __LINE__)
#define MAINSTEM_TEST_CLOSE(test) mainstem_test_close_at((test), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_OK(test, call) mainstem_test_ok_at((test), (call), #call, MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_NEXT(test, type) mainstem_test_next_at((test), (type), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT(test, type, data, size)                                               \
  mainstem_test_expect_at((test), (type), (data), (size), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_TEXT(test, type, text)                                                \
  mainstem_test_text_at((test), (type), (text), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_FAILED(test, type, code, sentence)                                    \
  mainstem_test_failed_at((test), (type), (code), (sentence), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_NOTHING(test) mainstem_test_nothing_at((test), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_ADVANCE(test, ms) mainstem_test_advance_at((test), (ms), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_STUB(test, type, answers, count)                                             \
  mainstem_test_stub_at((test), (type), (answers), (count), MAINSTEM_TEST_HERE)

/** A place, from its parts. */
mainstem_test_place mainstem_test_here(const char *file, int line);

/** As mainstem_test_expect_at, with text that a zero byte ends. */
void mainstem_test_text_at(mainstem_test *test, const char *type, const char *text,
                           mainstem_test_place place);

#ifdef __cplusplus
}
#endif

#endif

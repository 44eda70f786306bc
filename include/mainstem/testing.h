// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Testing: a context for a test, with checks of its events, a virtual clock, stubs and seeds.
 *
 * This is a small separate library, which only tests link: mainstem::testing in CMake, mainstem-testing for pkg-config.
 * It builds on the other headers and uses nothing that a program could not use.
 *
 *     mainstem_test *test = mainstem_test_open(NULL);
 *     mainstem_context *context = mainstem_test_context(test);
 *     …                                                    set up what is tested on the context
 *     MAINSTEM_TEST_OK(test, mainstem_request(context, greet, "Ada", 3, NULL, NULL, NULL));
 *     MAINSTEM_TEST_EXPECT_TEXT(test, "RequestGreet", "Ada");
 *     MAINSTEM_TEST_EXPECT_TEXT(test, "ResponseGreeting", "Hello, Ada");
 *     MAINSTEM_TEST_CLOSE(test);
 *
 * A test must expect every event on the stream, exactly and in order. When the test closes, each of the following is a
 * failure, and is reported with the events that led to it: an event that was not expected, anything that is still in
 * flight, and anything that is still subscribed.
 *
 * Each macro calls one function, and only adds its source location to the call. Use a test on one thread, unless a
 * function's comment says otherwise. If any thread may use the context, let the other threads finish before you check
 * the test.
 */

#ifndef MAINSTEM_TESTING_H
#define MAINSTEM_TESTING_H

#include "../mainstem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The test --------------------------------------------------------------------------------------- */

/** A test and its context. Ended by MAINSTEM_TEST_CLOSE. */
typedef struct mainstem_test mainstem_test;

/** A source location in a test: file and line. */
typedef struct mainstem_test_place {
  const char *file;
  int line;
} mainstem_test_place;

/** Receives a failure as text of one or more lines, valid during the call. */
typedef void (*mainstem_test_failure_fn)(void *user_data, mainstem_test_place place,
                                         const char *text);

/**
 * Sets the function that is called when a test fails, for every test from now on. If `fn` is NULL, which is the
 * default, the text is written to stderr, and the process aborts.
 *
 * Use `fn` to report the failure to your test framework. It may leave by longjmp, since it is never called in a
 * callback. If it returns, the test continues.
 * Thread: any, before the first test.
 */
void mainstem_test_on_failure(mainstem_test_failure_fn fn, void *user_data);

/**
 * Creates a context for a test, with a virtual clock, and observes it.
 *
 * If `options` is NULL, the context belongs to this thread, and its seed is 1. Otherwise the context is created with
 * these options, except that the clock is always virtual, and that a seed of 0 means 1.
 * Owner: you; close it. If the context cannot be created, the test fails and the call returns NULL.
 */
mainstem_test *mainstem_test_open(const mainstem_context_options *options);

/** The test's context. Owner: the test; do not close it yourself. */
mainstem_context *mainstem_test_context(mainstem_test *test);

/**
 * Allows all current subscriptions, including server handlers, and all armed timers to remain until the end of the
 * test. Call it after setting up a test. Stubs do not need it.
 */
void mainstem_test_keep(mainstem_test *test);

/**
 * Closes a test. The test fails if anything is unexpected, in flight (open requests, posts, timers, events waiting for
 * a scheduler) or still subscribed, except for what mainstem_test_keep allows. It also fails if an answer of a stub was
 * never used. `test` is freed, even after a failure. NULL does nothing.
 */
void mainstem_test_close_at(mainstem_test *test, mainstem_test_place place);

/* What must have happened -------------------------------------------------------------------------- */

/** Checks that the call that returned `status` succeeded. */
void mainstem_test_ok_at(mainstem_test *test, mainstem_status status, const char *call,
                         mainstem_test_place place);

/**
 * The next event must be of this type, and must not be a failed response. Returns the event for further checks, or NULL
 * after a failure.
 *
 * Owner: the test, until it closes; a zero byte follows its data. Its `context` is the test's context, and it cannot be
 * answered.
 */
const mainstem_event *mainstem_test_next_at(mainstem_test *test, const char *type,
                                            mainstem_test_place place);

/** The next event must be of this type, and have this payload. */
void mainstem_test_expect_at(mainstem_test *test, const char *type, const void *data, size_t size,
                             mainstem_test_place place);

/**
 * The next event must be a response of this type that failed with this code and message. If `message` is NULL, any
 * message will do.
 */
void mainstem_test_failed_at(mainstem_test *test, const char *type, mainstem_status code,
                             const char *message, mainstem_test_place place);

/** Checks that every event so far has been expected. */
void mainstem_test_nothing_at(mainstem_test *test, mainstem_test_place place);

/** Skips all events that have not been expected so far. Use it for events that the test does not check. */
void mainstem_test_skip(mainstem_test *test);

/**
 * Moves the virtual clock forward, and drains. All events that become due are sent, in order, including the delayed
 * answers of stubs. With `ms` 0, the call only drains.
 */
void mainstem_test_advance_at(mainstem_test *test, int64_t ms, mainstem_test_place place);

/* Stubs ------------------------------------------------------------------------------------------ */

/** In mainstem_test_answer.delay_ms: the answer never comes. */
#define MAINSTEM_TEST_NEVER (-1)

/** In mainstem_test_answer.times: any number of times, including none. */
#define MAINSTEM_TEST_ALWAYS 0xffffffff

/** An answer of a stub. */
typedef struct mainstem_test_answer {
  const char *data;       /**< The payload; NULL: none. For a failure the message, or NULL. */
  size_t size;            /**< Bytes at `data`; ignored for a failure. */
  mainstem_status status; /**< MAINSTEM_OK, or the code of a failure. */
  uint32_t times;         /**< How often it is given: 0, once; or MAINSTEM_TEST_ALWAYS. */
  int64_t delay_ms;       /**< The delay before it is given: 0, none; or MAINSTEM_TEST_NEVER. */
} mainstem_test_answer;

/**
 * Adds a server, named "Stub", that answers requests of a type with these answers, in order.
 *
 * The test fails if there are more requests than answers, or fewer. Delayed answers come during MAINSTEM_TEST_ADVANCE.
 * They come from outside callbacks, as if from a network.
 * Owner: the rows are copied; their data is borrowed until the test closes.
 */
void mainstem_test_stub_at(mainstem_test *test, const char *type,
                           const mainstem_test_answer *answers, size_t count,
                           mainstem_test_place place);

/** Counts the requests that the stubs of a type got. */
uint64_t mainstem_test_calls(mainstem_test *test, const char *type);

/* Navigation ------------------------------------------------------------------------------------- */

/**
 * Adds a stage that records which components it was asked to show and to hide, and reports that the app is ready. Call
 * the function after the rest of the test's setup, such as routes, since it also has the effect of mainstem_test_keep.
 *
 * Requests to show are answered with these answers, in order; any later requests are answered at once. The test fails
 * if there are fewer requests to show than answers. In a replay nothing waits for an answer, and no answer is used.
 *
 * From then on, events of the layer navigation, requests that open owners, their responses and `MainstemEnded` may be
 * expected, but need not be. Components may still be open at the end of the test; they are then closed as if by user
 * gestures.
 * Owner: as for mainstem_test_stub_at. Null: answers may be NULL if count is 0.
 */
void mainstem_test_stage_at(mainstem_test *test, const mainstem_test_answer *answers, size_t count,
                            mainstem_test_place place);

/**
 * Drains, and checks that the stage has got exactly these calls since the last check.
 *
 * `calls` has a line for each call, with the kind and the URL of the component to show, or the URLs of the components
 * to hide: "show screen diary/7\n" or "hide confirm diary/7\n". "": nothing.
 */
void mainstem_test_shown_at(mainstem_test *test, const char *calls, mainstem_test_place place);

/**
 * Drains, and checks that the open components stand on each other as `tree` says.
 *
 * `tree` has a line for each URL, indented by two spaces below the component that it stands on: "diary\n  diary/7\n".
 * "": no component is open.
 */
void mainstem_test_tree_at(mainstem_test *test, const char *tree, mainstem_test_place place);

/* Seeds ------------------------------------------------------------------------------------------ */

/** A test with its own context. */
typedef void (*mainstem_test_fn)(mainstem_test *test, void *user_data);

/**
 * Runs a test with the seeds 1 to `count`, each time with its own context, which this call opens and closes.
 *
 * Host and serial schedulers run on the virtual clock, event by event, in an order that the seed decides. In this way,
 * the program runs in up to `count` different interleavings. A failure's text names the seed; with the environment
 * variable MAINSTEM_TEST_SEED set to this seed, only this seed is run.
 * Options: as for mainstem_test_open, except for the seed.
 * Returns the seed that failed, if the function of mainstem_test_on_failure returns; 0 if none failed.
 */
uint64_t mainstem_test_seeds(const mainstem_context_options *options, uint64_t count,
                             mainstem_test_fn fn, void *user_data);

/* With a source location --------------------------------------------------------------------------- */

/** The source location of this line. */
#define MAINSTEM_TEST_HERE mainstem_test_here(__FILE__, __LINE__)
#define MAINSTEM_TEST_CLOSE(test) mainstem_test_close_at((test), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_OK(test, call) mainstem_test_ok_at((test), (call), #call, MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_NEXT(test, type) mainstem_test_next_at((test), (type), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT(test, type, data, size)                                               \
  mainstem_test_expect_at((test), (type), (data), (size), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_TEXT(test, type, text)                                                \
  mainstem_test_text_at((test), (type), (text), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_FAILED(test, type, code, message)                                     \
  mainstem_test_failed_at((test), (type), (code), (message), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_NOTHING(test) mainstem_test_nothing_at((test), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_ADVANCE(test, ms) mainstem_test_advance_at((test), (ms), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_STUB(test, type, answers, count)                                             \
  mainstem_test_stub_at((test), (type), (answers), (count), MAINSTEM_TEST_HERE)

#define MAINSTEM_TEST_STAGE(test, answers, count)                                                  \
  mainstem_test_stage_at((test), (answers), (count), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_SHOWN(test, calls)                                                    \
  mainstem_test_shown_at((test), (calls), MAINSTEM_TEST_HERE)
#define MAINSTEM_TEST_EXPECT_TREE(test, tree)                                                      \
  mainstem_test_tree_at((test), (tree), MAINSTEM_TEST_HERE)

/** Makes a source location from its parts. */
mainstem_test_place mainstem_test_here(const char *file, int line);

/** Like mainstem_test_expect_at, with zero-terminated text. */
void mainstem_test_text_at(mainstem_test *test, const char *type, const char *text,
                           mainstem_test_place place);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Replay: feeding a recorded journal to a context. Guide: docs/replay.md.
 *
 * There are two modes. *Muted*: every event is delivered again, at its position, with all its fields, and no handler is
 * called. *Verify*: only the inputs are fed; servers handle them, and the events that callbacks send are compared with
 * the journal (law 11).
 *
 * *Inputs* come from outside immediate callbacks: sends, posts and requests; writes of views; events of timers; events
 * and answers of other threads and of callbacks on schedulers; cancellations, timeouts and ends of scopes outside
 * callbacks; events sent by the completion of a request from outside. All other events are *outputs*.
 *
 * In a replay, therefore, run only the part of the program that adds types, servers, and observers. Do not run the part
 * that sends events and requests from outside, because these come from the journal. The names, contracts and responses
 * of types must match the session; their numbers and MAINSTEM_RECORD_… may differ. A server whose handlers were
 * immediate must be added again, with immediate handlers. A server on a scheduler is not called, and need not be added.
 *
 * While a context replays:
 *
 * - Events come from the journal only. Before the first event is fed, sends, posts and answers from outside do nothing
 *   and return OK, so that start-up code runs unchanged; requests from outside return CANCELLED. After the first event,
 *   all of these calls return BUSY.
 * - The `fn` of a request from outside is not called in a replay: observe the response instead.
 * - In callbacks on schedulers and in release hooks, sends and answers are ignored and counted (`left_out`), and return
 *   OK; requests and timers return CANCELLED. In a muted replay, this applies to every callback.
 * - No timer fires and no request times out: the events of timers and the TIMEOUT answers come from the journal.
 * - In callbacks, mainstem_context_now returns the event's time (not for secrets); random numbers and ids are those of
 *   the session.
 *
 * With MAINSTEM_VERIFY_REPORT=PATH in the environment, a verification reports to PATH (docs/replay.md).
 *
 * Code that acts outside the program (on files or the network) should call mainstem_context_is_replaying first, and do
 * nothing in a replay. This program verifies a session:
 *
 *     #include <mainstem.h>
 *     #include <stdio.h>
 *
 *     void install(mainstem_context *context); // adds types, servers and observers, as in the recorded program
 *
 *     int main(void) {
 *       mainstem_context *context;
 *       mainstem_replay *replay;
 *       mainstem_replay_options options = {.size = sizeof options, .mode = MAINSTEM_REPLAY_VERIFY};
 *       mainstem_replay_difference difference = {.size = sizeof difference};
 *       mainstem_context_create(NULL, &context);
 *       mainstem_status status = mainstem_replay_open(context, "session.journal", &options, &replay);
 *       if (status == MAINSTEM_OK) {
 *         install(context);
 *         status = mainstem_replay_step(replay, 0, NULL);
 *         mainstem_replay_difference_read(replay, &difference);
 *         mainstem_replay_info info = {.size = sizeof info};
 *         mainstem_replay_info_read(replay, &info);
 *         if (status == MAINSTEM_DIFFERENT) puts(difference.message);
 *         else if (!(info.flags & MAINSTEM_REPLAY_ENDED)) puts("Some events of the journal were not replayed.");
 *         mainstem_replay_close(replay);
 *       }
 *       if (status != MAINSTEM_OK) fprintf(stderr, "%s\n", mainstem_last_error());
 *       mainstem_context_close(context);
 *       return status != MAINSTEM_OK;
 *     }
 */

#ifndef MAINSTEM_REPLAY_H
#define MAINSTEM_REPLAY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A journal that is being fed to a context. Ended by mainstem_replay_close, or with the context. */
typedef struct mainstem_replay mainstem_replay;

/** Feeds every event, and calls no handler. */
#define MAINSTEM_REPLAY_MUTED 0

/** Feeds the inputs (MAINSTEM_EVENT_OUTSIDE), and compares the events that they cause. */
#define MAINSTEM_REPLAY_VERIFY 1

/** Options for a replay. */
typedef struct mainstem_replay_options {
  uint32_t size; /**< sizeof this struct. */
  uint32_t mode; /**< MAINSTEM_REPLAY_MUTED or MAINSTEM_REPLAY_VERIFY. */
  /** The session of the journal, counted from 1. 0: if muted, all sessions, in order; with verify, only the newest. */
  uint64_t session;
} mainstem_replay_options;

/**
 * Opens a journal, to feed it to a context that has accepted nothing yet.
 *
 * The call reads the whole journal, and adds its types and layers. Add the program's own types, servers and observers
 * before or after this call, as the program always does; they must match the session (see above). No other thread may
 * use the context during the call.
 *
 * `path`: as for mainstem_journal_open.
 *
 * Owner: you; close it. Thread: context. Waits.
 * Errors: INVALID (the context is not new, a type differs from the journal's, or there is no such session), WRONG_KIND
 * (also for a scope), BUSY (also: replaying already), IO, CORRUPT (not a journal, or damaged: salvage it), VERSION,
 * UNSUPPORTED (also: verify of a journal that begins in the middle of a session), LIMIT (also: over 65,536 types or
 * 131,072 origins), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_open(mainstem_context *context, const char *path,
                                                  const mainstem_replay_options *options,
                                                  mainstem_replay **replay);

/**
 * Feeds `count` events; 0: all remaining events. Each event, with all events that it causes, is delivered before the
 * next event is fed.
 *
 * With verify, only inputs count. `fed` gets the number of events fed, which is less than `count` only at the end of
 * the journal. After a difference, no more events are fed, but events caused by the same input may still be delivered.
 * Observers on the host's scheduler are called by the next drain or wait. If the recorded context was not closed,
 * verify may stop before the last inputs of the session; then MAINSTEM_REPLAY_ENDED is not set.
 *
 * Thread: context. Null: fed. Waits.
 * Errors: DIFFERENT (mainstem_replay_difference_read says how; nothing more is fed), UNSUPPORTED (the journal did not
 * keep the needed data, or lost it), BUSY, IO, CORRUPT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_step(mainstem_replay *replay, uint64_t count,
                                                  uint64_t *fed);

/**
 * Feeds all events up to a position. A replay only goes forward: to go back, open the journal again with a new context.
 *
 * Otherwise like mainstem_replay_step.
 * Errors: also INVALID for a position that has passed, or that has not been reached when all events have been fed.
 */
MAINSTEM_API mainstem_status mainstem_replay_seek(mainstem_replay *replay, uint64_t position);

/**
 * Starts a run: from now on, each drain feeds the events that are due.
 *
 * `speed`: 1, as recorded; 2, twice as fast; 0, as fast as possible, with at most 1,024 events per drain. The run stops
 * at the end, and at a difference: see mainstem_replay_info_read.
 *
 * Thread: context. Waits.
 * Errors: as mainstem_replay_step; INVALID for a speed below 0 or over 1e9, or NaN.
 */
MAINSTEM_API mainstem_status mainstem_replay_run(mainstem_replay *replay, double speed);

/**
 * Stops the run that mainstem_replay_run started.
 *
 * Thread: context. Waits.
 * Errors: DIFFERENT and UNSUPPORTED (as mainstem_replay_step: why the run had already stopped), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_pause(mainstem_replay *replay);

/* In mainstem_replay_info.flags. */

/** All events of the journal were fed. */
#define MAINSTEM_REPLAY_ENDED 1

/** There is a difference. */
#define MAINSTEM_REPLAY_DIFFERS 2

/** The recorded session ends with the close of its context. */
#define MAINSTEM_REPLAY_WHOLE 4

/** The progress of a replay. */
typedef struct mainstem_replay_info {
  uint32_t size;           /**< sizeof this struct, set by you. */
  uint32_t mode;           /**< MAINSTEM_REPLAY_… */
  uint32_t flags;          /**< MAINSTEM_REPLAY_ENDED, _DIFFERS, _WHOLE. */
  uint32_t reserved;       /**< 0. */
  uint64_t first;          /**< The first position to be fed. */
  uint64_t last;           /**< The last position to be fed. */
  uint64_t position;       /**< The last position accepted. */
  uint64_t fed;            /**< Events fed. */
  uint64_t matched;        /**< Outputs that match the journal. */
  uint64_t left_out;       /**< Sends and answers that were ignored. */
  uint64_t verified_until; /**< With verify: verified up to this position. Otherwise 0. */
  uint64_t digest;   /**< With verify: digest of all events so far; 0: a payload was not kept. */
  uint64_t seed;     /**< The seed of the random numbers. */
  int64_t time;      /**< The time of the last event. */
  uint64_t supplied; /**< Secrets supplied: see mainstem_replay_on_secret. */
} mainstem_replay_info;

/* Secrets ---------------------------------------------------------------------------------------- */

/**
 * Sets a function that supplies the payloads of secrets, because a journal does not contain them.
 *
 * Before a withheld event (MAINSTEM_EVENT_WITHHELD, status WITHHELD) is fed, `fn` gets the event. If `fn` knows the
 * secret, it calls mainstem_replay_supply; otherwise the event is fed as it is. `fn` runs on the thread that feeds the
 * events, possibly while a callback is sending. In `fn`, sends are ignored, and calls that wait return BUSY. NULL
 * removes the function.
 *
 * Owner: `release` is called when `fn` is replaced or removed, or the replay ends. Thread: context. Null: fn. Waits.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_on_secret(mainstem_replay *replay,
                                                       mainstem_event_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/** The payload or the error of a secret; unused fields are 0 or NULL. */
typedef struct mainstem_secret {
  uint32_t size;     /**< sizeof this struct. */
  uint32_t reserved; /**< 0. */
  /** The position of the request that the event answers, or whose progress it reports; 0: the oldest open request. */
  uint64_t answers;
  const void *data; /**< The payload. */
  size_t data_size; /**< The payload's size in bytes. */
  /** The error of a failed response, instead of a payload; otherwise NULL. */
  const mainstem_error *error;
} mainstem_secret;

/**
 * Supplies the secret of the event that `fn` got (mainstem_replay_on_secret); the last call counts.
 *
 *     mainstem_secret secret = {.size = sizeof secret, .data = password, .data_size = strlen(password)};
 *     mainstem_replay_supply(replay, &secret);
 *
 * The event is fed either with the payload in `secret`, which must satisfy the type's contract, and with the status OK,
 * or with the error in `secret`.
 *
 * Owner: copied; the copy is overwritten when it is freed. Thread: the thread that runs `fn`.
 * Errors: INVALID (no call of `fn` is running, the payload breaks the contract, an error for an event that is not a
 * response, or `answers` that is not the position of a suitable request), TOO_BIG, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_supply(mainstem_replay *replay,
                                                    const mainstem_secret *secret);

/* Information ------------------------------------------------------------------------------------ */

/**
 * Reads the progress of a replay: in a callback, the current progress; otherwise, the progress after the last call that
 * fed events.
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_replay_info_read(mainstem_replay *replay,
                                                       mainstem_replay_info *info);

/*
 * What differs: mainstem_replay_difference.field. The fields of an event are compared from TYPE to PAYLOAD, in this
 * order. For an event whose payload the journal lacks, only these are compared, if the journal has them: TYPE, CAUSE,
 * FLAGS, ORIGIN, and a digest as PAYLOAD.
 */
#define MAINSTEM_DIFFERENCE_NONE 0        /**< Nothing so far. */
#define MAINSTEM_DIFFERENCE_MISSING 1     /**< The journal has an event that did not happen. */
#define MAINSTEM_DIFFERENCE_EXTRA 2       /**< An event happened that the journal does not have. */
#define MAINSTEM_DIFFERENCE_TYPE 3        /**< The event type. */
#define MAINSTEM_DIFFERENCE_ORIGIN 4      /**< The name of the origin. */
#define MAINSTEM_DIFFERENCE_CAUSE 5       /**< The position of the cause. */
#define MAINSTEM_DIFFERENCE_CORRELATION 6 /**< The position of the outside event. */
#define MAINSTEM_DIFFERENCE_ANSWERS 7     /**< The position of the request it answers. */
#define MAINSTEM_DIFFERENCE_FLAGS 8       /**< Whether it is tracked, or progress. */
#define MAINSTEM_DIFFERENCE_STATUS 9      /**< The status. */
#define MAINSTEM_DIFFERENCE_PAYLOAD 10    /**< The payload. */
#define MAINSTEM_DIFFERENCE_DIGEST 11     /**< The digest of all events so far. */

/** The first difference. */
typedef struct mainstem_replay_difference {
  uint32_t size;       /**< sizeof this struct, set by you. */
  uint32_t field;      /**< MAINSTEM_DIFFERENCE_… */
  uint64_t position;   /**< The position of the difference. */
  uint64_t offset;     /**< The first payload byte that differs. */
  const char *message; /**< "#17 ResponseTodos: payload differs at byte 12: …"; never NULL. */
  const mainstem_event *expected; /**< The journal's event; NULL for EXTRA and DIGEST. */
  const mainstem_event *actual;   /**< The replay's event; NULL for MISSING and DIGEST. */
  const uint64_t *chain; /**< Positions from its cause back to the outside event; at most 64. */
  uint64_t chain_count;  /**< Length of `chain`; 0: no cause, or one too far back. */
} mainstem_replay_difference;

/**
 * Reads the first difference, after the call that fed the events has returned; `field` is MAINSTEM_DIFFERENCE_NONE if
 * there is none.
 *
 * To see the event at a position of `chain`, keep the lines of mainstem_trace, or read the journal up to that position
 * with mainstem_journal_next, and write the event with mainstem_journal_event_line (journal.h).
 *
 * Owner: the replay; valid until it is closed. Thread: any.
 */
MAINSTEM_API mainstem_status
mainstem_replay_difference_read(mainstem_replay *replay, mainstem_replay_difference *difference);

/**
 * Ends a replay: from now on, the context works like any other context.
 *
 * Open requests are answered CANCELLED. Handlers are called again; timers resume with the time they had left. NULL
 * does nothing.
 * Thread: context. Waits.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_close(mainstem_replay *replay);

/** Checks whether a context is replaying: `replaying` gets 1 or 0. Thread: any. */
MAINSTEM_API mainstem_status mainstem_context_is_replaying(mainstem_context *context,
                                                           int *replaying);

#ifdef __cplusplus
}
#endif

#endif

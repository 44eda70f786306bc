// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Replay: feeding a journal to a context. Guide: docs/replay.md.
 *
 * *Muted*: every event comes again, at its position, with all its fields, and no handler is called. *Verify*: only the
 * inputs come again; servers handle them, and what they send is compared with the journal (law 11).
 *
 * While a context replays:
 *
 * - Events come from the journal only. Before the first one is fed, sends, posts and answers from outside do nothing
 *   and return OK, so that start-up code runs unchanged; requests return CANCELLED. After it, all of them return BUSY.
 * - Requests that came from outside have no `fn` here: observe the response instead.
 * - In callbacks on schedulers and in release hooks, and in a muted replay in every callback, sends and answers are
 *   ignored, counted, and return OK; requests and timers return CANCELLED.
 * - No timer fires and no request times out.
 * - In callbacks, the time is the event's, and random numbers and ids are the original ones.
 *
 * Code that acts outside the program (files, network) calls mainstem_context_is_replaying first, and does nothing in a
 * replay.
 */

#ifndef MAINSTEM_REPLAY_H
#define MAINSTEM_REPLAY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A journal that is fed to a context. Ended by mainstem_replay_close, or with the context. */
typedef struct mainstem_replay mainstem_replay;

/** Feeds every event and calls no handler. */
#define MAINSTEM_REPLAY_MUTED 0

/** Feeds the inputs (MAINSTEM_EVENT_OUTSIDE) and compares what they cause. */
#define MAINSTEM_REPLAY_VERIFY 1

/** Options for a replay. */
typedef struct mainstem_replay_options {
  uint32_t size; /**< sizeof this struct. */
  uint32_t mode; /**< MAINSTEM_REPLAY_MUTED or MAINSTEM_REPLAY_VERIFY. */
  /** The session of the journal, from 1. 0: all of them, one after the other; verify checks one: 0 is the newest. */
  uint64_t session;
} mainstem_replay_options;

/**
 * Opens a journal, to feed it to a context that has accepted nothing yet.
 *
 * The call reads the journal through, and adds its types and layers. Install servers and observers before or after, as
 * the program always does; what they add must match the journal. No other thread may use the context during the call.
 *
 * `path`: as for mainstem_journal_open.
 *
 * Owner: you; close it. Thread: context. Waits.
 * Errors: INVALID (the context is not new, a type differs here, or no such session), WRONG_KIND (also for a scope),
 * BUSY (also: replaying already), IO, CORRUPT (not a journal, or damaged: salvage it), VERSION, UNSUPPORTED (also:
 * verify of a journal that begins in the middle of a session), LIMIT (also: over 65,536 types or 131,072 origins),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_open(mainstem_context *context, const char *path,
                                                  const mainstem_replay_options *options,
                                                  mainstem_replay **replay);

/**
 * Feeds `count` events; 0: all the rest. Each, and all that it causes, is delivered before the next.
 *
 * With verify, only inputs count. `fed` gets how many: fewer than `count` only at the end. Observers on the host's
 * scheduler are called by the next drain or wait. If the recorded context was not closed, verify may stop before its
 * last inputs; then MAINSTEM_REPLAY_ENDED is not set.
 *
 * Thread: context. Null: fed. Waits.
 * Errors: DIFFERENT (mainstem_replay_difference_read says how; nothing more is fed), UNSUPPORTED (the journal did not
 * keep what is needed, or lost it), BUSY, IO, CORRUPT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_step(mainstem_replay *replay, uint64_t count,
                                                  uint64_t *fed);

/**
 * Feeds everything up to a position. A replay only goes forward: to go back, open the journal with a new context.
 *
 * Otherwise like mainstem_replay_step.
 * Errors: INVALID also for a position that has passed, and for one that is not reached when everything was fed.
 */
MAINSTEM_API mainstem_status mainstem_replay_seek(mainstem_replay *replay, uint64_t position);

/**
 * Lets each drain feed what is due, from now on.
 *
 * `speed`: 1 as recorded, 2 twice as fast; 0 as fast as possible, at most 1,024 events a drain. It stops at the end,
 * and where something differs: see mainstem_replay_info_read.
 *
 * Thread: context. Waits.
 * Errors: as mainstem_replay_step; INVALID for a speed below 0 or over 1e9, or NaN.
 */
MAINSTEM_API mainstem_status mainstem_replay_run(mainstem_replay *replay, double speed);

/**
 * Stops what mainstem_replay_run started.
 *
 * Thread: context. Waits.
 * Errors: DIFFERENT and UNSUPPORTED (it had stopped already: as mainstem_replay_step), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_pause(mainstem_replay *replay);

/* In mainstem_replay_info.flags. */

/** Everything in the journal was fed. */
#define MAINSTEM_REPLAY_ENDED 1

/** Something differs. */
#define MAINSTEM_REPLAY_DIFFERS 2

/** The session ends with its context's close. */
#define MAINSTEM_REPLAY_WHOLE 4

/** How far a replay has come. */
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
  uint64_t verified_until; /**< With verify: proven up to this position. Else 0. */
  uint64_t digest;         /**< With verify: of all events so far; 0: a payload was not kept. */
  uint64_t seed;           /**< The seed of the random numbers. */
  int64_t time;            /**< The time of the last event. */
  uint64_t supplied;       /**< Secrets supplied: see mainstem_replay_on_secret. */
} mainstem_replay_info;

/* Secrets ---------------------------------------------------------------------------------------- */

/**
 * Asks for the payloads of secrets, which a journal does not have.
 *
 * Before each withheld event is fed (MAINSTEM_EVENT_WITHHELD, status WITHHELD), `fn` gets it. If it knows the secret,
 * it calls mainstem_replay_supply; else the event is fed as it is. `fn` runs on the thread that feeds, also in the
 * middle of a callback's send; what it sends is ignored, and calls that wait return BUSY. NULL ends that.
 *
 * Owner: `release` is called when `fn` is replaced or removed, or the replay ends. Thread: context. Null: fn. Waits.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_on_secret(mainstem_replay *replay,
                                                       mainstem_event_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/** What a secret carries; the rest is 0 or NULL. */
typedef struct mainstem_secret {
  uint32_t size;     /**< sizeof this struct. */
  uint32_t reserved; /**< 0. */
  /** The position of the request it answers, or reports progress of; 0: the oldest open one. */
  uint64_t answers;
  const void *data; /**< The payload. */
  size_t data_size; /**< The payload's size in bytes. */
  /** The error of a failed response, instead of a payload; else NULL. */
  const mainstem_error *error;
} mainstem_secret;

/**
 * Supplies the secret that is asked for; the last call counts.
 *
 *     mainstem_secret secret = {.size = sizeof secret, .data = password, .data_size = strlen(password)};
 *     mainstem_replay_supply(replay, &secret);
 *
 * The event is fed with this payload, which must satisfy its contract, and status OK; or with this error.
 *
 * Owner: copied; the copy is overwritten when it is freed. Thread: that of the function that is asked.
 * Errors: INVALID (nothing is asked, the payload breaks the contract, an error for an event that is no response, or
 * `answers` that does not fit), TOO_BIG, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_supply(mainstem_replay *replay,
                                                    const mainstem_secret *secret);

/* Information ------------------------------------------------------------------------------------ */

/** Reads how far a replay has come: in a callback now, else after the last call that fed something. Thread: any. */
MAINSTEM_API mainstem_status mainstem_replay_info_read(mainstem_replay *replay,
                                                       mainstem_replay_info *info);

/* What differs: mainstem_replay_difference.field. Fields are compared in this order. */
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
  uint64_t position;   /**< Where it differs. */
  uint64_t offset;     /**< The first payload byte that differs. */
  const char *message; /**< "#17 ResponseTodos: payload differs at byte 12: …"; never NULL. */
  const mainstem_event *expected; /**< What the journal has; NULL for EXTRA and DIGEST. */
  const mainstem_event *actual;   /**< What happened; NULL for MISSING and DIGEST. */
  const uint64_t *chain; /**< Positions from its cause back to the outside event; at most 64. */
  uint64_t chain_count;  /**< How many; 0 if it has no cause, or one too long ago. */
} mainstem_replay_difference;

/**
 * Reads the first difference, when the call that fed has returned; `field` is MAINSTEM_DIFFERENCE_NONE if there is
 * none.
 *
 * Owner: the replay; valid until it is closed. Thread: any.
 */
MAINSTEM_API mainstem_status
mainstem_replay_difference_read(mainstem_replay *replay, mainstem_replay_difference *difference);

/**
 * Ends a replay: the context goes on from there like any other.
 *
 * Open requests are answered CANCELLED. Handlers are called again; timers go on with the rest of their time. NULL does
 * nothing.
 * Thread: context. Waits.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_close(mainstem_replay *replay);

/** Says whether a context is replaying: `replaying` gets 1 or 0. Thread: any. */
MAINSTEM_API mainstem_status mainstem_context_is_replaying(mainstem_context *context,
                                                           int *replaying);

#ifdef __cplusplus
}
#endif

#endif

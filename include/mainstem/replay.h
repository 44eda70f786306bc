// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Replay: feeding a journal back to a context.
 *
 * There are two modes. *Muted*: every event comes again, at its position, with all its fields. No server's handler
 * is called, so nothing is done twice. For views and analytics. *Verify*: only the inputs come again, and live
 * servers handle them. What the servers send is compared with the journal. Verify reports the first difference
 * (law 11).
 *
 * While a context replays:
 *
 * - Events come from the journal only. Sends, posts and answers from outside return MAINSTEM_BUSY. Before the first
 *   event they are left out instead and return MAINSTEM_OK: a starting program sends what it sent when it was
 *   recorded, and the journal already has that. A request returns MAINSTEM_CANCELLED there.
 * - Whatever a callback on a scheduler or a release hook sends or answers is left out, and the call returns
 *   MAINSTEM_OK: the journal has it. When muted, this holds for every callback. Requests and timers there
 *   return MAINSTEM_CANCELLED. What was left out is counted.
 * - No timer fires and no request times out: the journal has those events. Before a timer's event comes, the timer
 *   ends or, if periodic, is set to its next time. Timers follow the times of the events.
 * - Inside a callback the time is the event's, and random numbers and ids are the original ones. The time of a
 *   secret is not kept; the time of the event before it is used.
 *
 * Code that acts outside the program should call mainstem_context_is_replaying first, and do nothing during a replay:
 * its answers are in the journal.
 */

#ifndef MAINSTEM_REPLAY_H
#define MAINSTEM_REPLAY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A journal being fed to a context. Ended by mainstem_replay_close, or with its context. */
typedef struct mainstem_replay mainstem_replay;

/** Feeds every event and calls no handler. */
#define MAINSTEM_REPLAY_MUTED 0

/** Feeds the inputs (MAINSTEM_EVENT_OUTSIDE) and compares what they cause. */
#define MAINSTEM_REPLAY_VERIFY 1

/** Options for a replay. */
typedef struct mainstem_replay_options {
  uint32_t size; /**< sizeof this struct. */
  uint32_t mode; /**< MAINSTEM_REPLAY_MUTED or MAINSTEM_REPLAY_VERIFY. */
  /** The session of the journal, from 1. 0: all of them, one after the other; with verify, the newest. */
  uint64_t session;
} mainstem_replay_options;

/**
 * Opens a journal to feed it to a context that has accepted nothing yet.
 *
 * The call reads the journal through once, and registers those of its event types and layers that are not
 * registered yet; their numbers in the journal do not matter. Afterwards install servers and observers as the
 * program always does; what they register again must match the journal, but for what a journal keeps of it
 * (MAINSTEM_RECORD_…): there the journal's counts. The context counts positions from the
 * journal's first one, and its random numbers are the journal's. Nothing is fed yet.
 *
 * No other thread may use the context during this call. If it fails, some types may have been registered.
 *
 * `path`: the journal's file, or its numbered files without the number. `options` may be NULL.
 * Owner: `replay` gets a handle: close it. Waits. Thread: context.
 * Errors: INVALID (the context is not fresh; a type of the journal is registered differently here; no such session),
 * WRONG_KIND (a scope), BUSY (also: it is already replaying), IO, CORRUPT (not a journal, or damaged: salvage it
 * first), VERSION, UNSUPPORTED (to verify a journal that begins in the middle of a session), LIMIT (also: over 65,536
 * event types or 131,072 origins), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_open(mainstem_context *context, const char *path,
                                                  const mainstem_replay_options *options,
                                                  mainstem_replay **replay);

/**
 * Feeds `count` events. Each one, and everything it causes, is delivered before the next.
 *
 * Observers on MAINSTEM_SCHEDULER_HOST are called by the next mainstem_drain or mainstem_wait, not here.
 *
 * A `count` of 0 feeds all the rest. With verify, only inputs count. `fed` (may be NULL) gets how many were fed:
 * fewer than `count` only at the end, and 0 after it.
 *
 * If the journal was not closed, its last inputs may not be fed: a callback may send an event that was never
 * written, and that event may have come before them. `verified_until` is then before these inputs, and
 * MAINSTEM_REPLAY_ENDED is not set.
 *
 * Waits. Thread: context.
 * Errors: DIFFERENT (something differs from the journal: mainstem_replay_difference_read; nothing more is fed),
 * UNSUPPORTED (this needs an input that the journal did not keep, or lost), BUSY, IO, CORRUPT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_step(mainstem_replay *replay, uint64_t count,
                                                  uint64_t *fed);

/**
 * Feeds everything up to a position, and delivers what it causes.
 *
 * A replay only goes forward: to see an earlier state, open the journal again with another context. Otherwise like
 * mainstem_replay_step.
 * Errors: INVALID also for a position that has passed, and for one that is never reached, after everything was fed.
 */
MAINSTEM_API mainstem_status mainstem_replay_seek(mainstem_replay *replay, uint64_t position);

/**
 * Lets the replay run by itself: from now on each drain feeds what is due.
 *
 * `speed` is a factor: 1 is the original speed, 0 as fast as possible, with at most 1024 events per drain. The
 * next event is due at once. The context's descriptor, timeout and wait react when something is due. The replay
 * stops at the end, and where something differs: check mainstem_replay_info_read.
 *
 * Waits. Thread: context.
 * Errors: as mainstem_replay_step; INVALID for a speed below 0 or over 1e9, or NaN.
 */
MAINSTEM_API mainstem_status mainstem_replay_run(mainstem_replay *replay, double speed);

/**
 * Stops what mainstem_replay_run started.
 *
 * Waits. Thread: context.
 * Errors: DIFFERENT and UNSUPPORTED (the replay had stopped: as mainstem_replay_step), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_pause(mainstem_replay *replay);

/** In mainstem_replay_info.flags: everything in the journal was fed. */
#define MAINSTEM_REPLAY_ENDED 1

/** In mainstem_replay_info.flags: something differs, see mainstem_replay_difference_read. */
#define MAINSTEM_REPLAY_DIFFERS 2

/** In mainstem_replay_info.flags: the journal was closed. Otherwise it ends where its process ended. */
#define MAINSTEM_REPLAY_WHOLE 4

/** The state of a replay. Set `size` before the call. */
typedef struct mainstem_replay_info {
  uint32_t size;     /**< sizeof(mainstem_replay_info). */
  uint32_t mode;     /**< MAINSTEM_REPLAY_… */
  uint32_t flags;    /**< MAINSTEM_REPLAY_ENDED, _DIFFERS, _WHOLE. */
  uint32_t reserved; /**< 0. */
  uint64_t first;    /**< The first position to be fed. */
  uint64_t last;     /**< The last position to be fed. */
  uint64_t position; /**< The last position accepted. */
  uint64_t fed;      /**< Events fed. */
  uint64_t matched;  /**< Events sent by callbacks that match the journal. */
  uint64_t left_out; /**< Sends and answers left out. */
  uint64_t
      verified_until; /**< Proven up to here; after it a payload was not kept, or something differs. */
  uint64_t digest;    /**< With verify: of all events so far; 0 if a payload was not kept. */
  uint64_t seed;      /**< The seed of the random numbers. */
  int64_t time;       /**< The time of the last event. */
  uint64_t supplied; /**< Secrets the host supplied: see mainstem_replay_on_secret. */
} mainstem_replay_info;

/* Secrets ---------------------------------------------------------------------------------------- */

/**
 * Asks the host for the payloads of secrets. A journal has only a secret's position, type, cause, origin and flags.
 *
 * From now on `fn` gets each withheld event (MAINSTEM_EVENT_WITHHELD, with the status MAINSTEM_WITHHELD) before it
 * is fed: position, type, cause and flags are the original ones, `time` is that of the previous event. If `fn`
 * knows the secret, it calls mainstem_replay_supply; otherwise the event is fed as it is. `fn` runs on the thread
 * that feeds, even in the middle of a callback's send, and is not a callback of the stream: what it sends is left
 * out, and calls that wait return BUSY. `fn` NULL: it asks no longer.
 *
 * With verify, a supplied secret is an input like any other: what it causes is compared, and
 * `mainstem_replay_info.verified_until` goes on past it. This proves that the program does the same with these
 * secrets, not that they are the original ones. A secret that a callback sends is compared by position, type,
 * cause and flags only.
 *
 * Owner: `user_data` must live until `release` (may be NULL) is called: once, when another function is set or the
 * replay ends. After an error `release` is never called. Waits. Thread: context. Null: fn.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_on_secret(mainstem_replay *replay,
                                                       mainstem_event_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/** What a secret carried. What it did not carry is 0 or NULL. */
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
 * Supplies the secret being asked for. If it is called more than once, the last call counts.
 *
 *     mainstem_secret secret = {.size = sizeof secret, .data = password, .data_size = strlen(password)};
 *     mainstem_replay_supply(replay, &secret);
 *
 * The event is then fed as it was sent: with this payload, which must satisfy its type's contract, and with the
 * status MAINSTEM_OK; or with this error. A response answers the request that `answers` names, else the oldest open
 * request with that response type.
 *
 * Owner: bytes as in mainstem_send; the copy is overwritten when it is freed, and never shown. Thread: that of the
 * function that was asked.
 * Errors: INVALID (nothing is being asked here, the payload breaks the contract, an error for an event that is not a
 * response, or `answers` that is not an earlier position or is set for an event that answers nothing), TOO_BIG,
 * NO_MEMORY. After an error nothing was supplied.
 */
MAINSTEM_API mainstem_status mainstem_replay_supply(mainstem_replay *replay,
                                                    const mainstem_secret *secret);

/* Information ------------------------------------------------------------------------------------ */

/**
 * Reads how far a replay has come: inside a callback as of now, otherwise as of the last call that fed something.
 *
 * Thread: any.
 * Errors: INVALID (size), UNSUPPORTED (a larger size).
 */
MAINSTEM_API mainstem_status mainstem_replay_info_read(mainstem_replay *replay,
                                                       mainstem_replay_info *info);

/* In mainstem_replay_difference.field: what differs. Fields of an event are compared in this order. */
#define MAINSTEM_DIFFERENCE_NONE 0        /**< Nothing so far. */
#define MAINSTEM_DIFFERENCE_MISSING 1     /**< The journal has an event that was not sent. */
#define MAINSTEM_DIFFERENCE_EXTRA 2       /**< An event was sent that the journal does not have. */
#define MAINSTEM_DIFFERENCE_TYPE 3        /**< The event type. */
#define MAINSTEM_DIFFERENCE_ORIGIN 4      /**< The name of the origin. */
#define MAINSTEM_DIFFERENCE_CAUSE 5       /**< The position of the cause. */
#define MAINSTEM_DIFFERENCE_CORRELATION 6 /**< The position of the outside event. */
#define MAINSTEM_DIFFERENCE_ANSWERS 7     /**< The position of the request it answers. */
#define MAINSTEM_DIFFERENCE_FLAGS 8       /**< Whether it is tracked, or progress. */
#define MAINSTEM_DIFFERENCE_STATUS 9      /**< The status. */
#define MAINSTEM_DIFFERENCE_PAYLOAD 10    /**< The payload. */
#define MAINSTEM_DIFFERENCE_DIGEST                                                                 \
  11 /**< The digest of all events so far; something was not kept whole. */

/** The first difference. Set `size` before the call. */
typedef struct mainstem_replay_difference {
  uint32_t size;       /**< sizeof(mainstem_replay_difference). */
  uint32_t field;      /**< MAINSTEM_DIFFERENCE_… */
  uint64_t position;   /**< Where it differs. */
  uint64_t offset;     /**< The first payload byte that differs. */
  const char *message; /**< "#17 ResponseTodos: payload differs at byte 12: …"; never NULL. */
  const mainstem_event *expected; /**< What the journal has; NULL for SURPLUS and DIGEST. */
  const mainstem_event *actual;   /**< What happened; NULL for MISSING and DIGEST. */
  const uint64_t *chain; /**< Positions from its cause back to the outside event; at most 64. */
  uint64_t chain_count;  /**< How many; 0 if it has no cause, or one too long ago. */
} mainstem_replay_difference;

/**
 * Reads the first difference; `field` is MAINSTEM_DIFFERENCE_NONE if there is none so far.
 *
 * It is available when the call that fed has returned. Owner: what it points to is the replay's, until the replay
 * is closed. Payloads of secrets are not shown.
 * Thread: any.
 * Errors: INVALID (size), UNSUPPORTED (a larger size).
 */
MAINSTEM_API mainstem_status
mainstem_replay_difference_read(mainstem_replay *replay, mainstem_replay_difference *difference);

/**
 * Ends a replay: the context goes on from there like any other.
 *
 * Requests still open are answered MAINSTEM_CANCELLED: the servers that would answer them were never asked.
 * Handlers are called again, and each timer still armed fires when the rest of its time has passed. NULL does
 * nothing.
 * Waits. Thread: context.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_replay_close(mainstem_replay *replay);

/**
 * Says whether a context is replaying. If it is, do nothing outside the program.
 *
 * `replaying` gets 1 or 0. Thread: any. Reentrant: yes. Null: `replaying` must not be NULL.
 */
MAINSTEM_API mainstem_status mainstem_context_is_replaying(mainstem_context *context,
                                                           int *replaying);

#ifdef __cplusplus
}
#endif

#endif

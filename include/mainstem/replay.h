// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Replay: a journal is fed back to a context.
 *
 * Two ways. *Muted*: every event comes again, at its position, with all its fields; no handler of a server is
 * called, so nothing is done twice. For views and analytics. *Verify*: only the inputs come again, to live
 * servers, and what those send is compared with the journal: the first difference is named (law 11).
 *
 * While a context replays:
 *
 * - Events come from the journal only. What is sent, posted or answered from outside is MAINSTEM_BUSY; before
 *   the first event it is left out instead, and the call is MAINSTEM_OK: a program that starts sends what it
 *   sent then, and that is in the journal. A request is MAINSTEM_CANCELLED then.
 * - What a callback of a scheduler, a release hook or, muted, any callback sends or answers is left out, and
 *   the call is MAINSTEM_OK: the journal has it. A request there is MAINSTEM_CANCELLED, and so is a timer. What
 *   was left out is counted.
 * - No timer fires and no request times out: those events are in the journal. A timer whose event comes is over,
 *   or has its next time before it. Timers go by the times of the events.
 * - Inside a callback it is the time of the event, and random numbers and ids are those of then. Of a secret
 *   no time is kept: it is that of the event before.
 *
 * Who does something outside the program asks first (mainstem_context_replaying), and does nothing: its
 * answers are in the journal.
 */

#ifndef MAINSTEM_REPLAY_H
#define MAINSTEM_REPLAY_H

#include "journal.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A journal that is fed to a context. Ended by mainstem_replay_close, or with its context. */
typedef struct mainstem_replay mainstem_replay;

/** Every event is fed, and no handler is called. */
#define MAINSTEM_REPLAY_MUTED 0

/** The inputs are fed (MAINSTEM_EVENT_OUTSIDE), and what comes of them is compared. */
#define MAINSTEM_REPLAY_VERIFY 1

/** How a journal is fed back. Fill it with mainstem_replay_options_init. */
typedef struct mainstem_replay_options {
  uint32_t size; /**< Set by mainstem_replay_options_init. */
  uint32_t mode; /**< MAINSTEM_REPLAY_MUTED or MAINSTEM_REPLAY_VERIFY. */
  /** Which session of the journal, from 1; 0: all of them one after the other; to verify, the first. */
  uint64_t session;
} mainstem_replay_options;

/**
 * Sets options to their defaults: muted, all sessions.
 *
 * `size` is sizeof(mainstem_replay_options). Thread: any. Errors: INVALID (NULL), UNSUPPORTED.
 */
MAINSTEM_API mainstem_status mainstem_replay_options_init(mainstem_replay_options *options,
                                                          size_t size);

/**
 * Opens a journal to feed it to a context that has accepted nothing yet.
 *
 * The journal is read through once, and its event types and layers are registered where they are not yet;
 * the numbers that they have there do not matter. Then install servers and observers as the program always
 * does; what it registers again must be as it is there. The context counts from the journal's first
 * position on, and its random numbers are the journal's. Nothing is fed yet.
 *
 * Nobody else may use the context during this call. When it fails, some types may have been registered.
 *
 * `path`: of the journal's file, or of its numbered files without the number. `options` may be NULL.
 * Owner: `replay` gets a handle: close it.
 * Waits. Thread: context. Null: `path`, `replay`.
 * Errors: INVALID (NULL; the context is not fresh; a type of the journal is registered otherwise here; no
 * such session), WRONG_KIND (a scope), BUSY (also: it replays already), STALE, WRONG_THREAD, IO,
 * CORRUPT (no journal, or damaged: salvage it first), VERSION, UNSUPPORTED (to verify what begins in the
 * midst of a session), LIMIT (also: over 65,536 event types or 131,072 origins), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_open(mainstem_context *context, const char *path,
                                                  const mainstem_replay_options *options,
                                                  mainstem_replay **replay);

/**
 * Feeds so many events, and delivers each, and what comes of it, before the next.
 *
 * `count`: 0 is all that are left. To verify, one event is one input. `fed` (may be NULL) gets how many were
 * fed: fewer than asked for only at the end, 0 behind it.
 *
 * Waits. Thread: context.
 * Of a journal that was not closed, the last inputs are not fed where a callback sends what was not written any
 * more and may have come before them: `proves_until` is then before them, and MAINSTEM_REPLAY_ENDED is not set.
 *
 * Errors: DIFFERENT (something else happened than the journal has: mainstem_replay_difference_read; nothing more
 * is fed), UNSUPPORTED (an input that the journal does not keep, or has lost, would be needed), INVALID (NULL), STALE,
 * WRONG_KIND, BUSY, WRONG_THREAD, IO, CORRUPT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_replay_step(mainstem_replay *replay, uint64_t count,
                                                  uint64_t *fed);

/**
 * Feeds all up to a position, and what comes of that.
 *
 * A replay goes forward only: to see an earlier state, open it again with another context.
 * As mainstem_replay_step. Errors: INVALID also for a position that has passed, or that is not reached.
 */
MAINSTEM_API mainstem_status mainstem_replay_seek(mainstem_replay *replay, uint64_t position);

/**
 * Lets the replay go on by itself: from now on each drain feeds what is due.
 *
 * `speed`: how many times as fast as it was: 1 is as it was, 0 as fast as it can, in drains of at most 1024
 * events. The next event is due at once. The context's descriptor, timeout and wait are told when
 * something is due. It stops at the end, and where something differs: ask mainstem_replay_info_read.
 *
 * Waits. Thread: context.
 * Errors: as mainstem_replay_step; INVALID for a speed below 0 or over 1e9, or none.
 */
MAINSTEM_API mainstem_status mainstem_replay_run(mainstem_replay *replay, double speed);

/**
 * Stops it from going on by itself.
 *
 * As mainstem_replay_step.
 */
MAINSTEM_API mainstem_status mainstem_replay_pause(mainstem_replay *replay);

/** In mainstem_replay_info.flags: all that the journal has was fed. */
#define MAINSTEM_REPLAY_ENDED 1

/** In mainstem_replay_info.flags: something differs, see mainstem_replay_difference_read. */
#define MAINSTEM_REPLAY_DIFFERS 2

/** In mainstem_replay_info.flags: the journal was closed; without it, it ends where its process ended. */
#define MAINSTEM_REPLAY_WHOLE 4

/** How far a replay is. Set `size` before the call. */
typedef struct mainstem_replay_info {
  uint32_t size;     /**< sizeof(mainstem_replay_info). */
  uint32_t mode;     /**< MAINSTEM_REPLAY_… */
  uint32_t flags;    /**< MAINSTEM_REPLAY_ENDED and the others. */
  uint32_t reserved; /**< 0. */
  uint64_t first;    /**< The first position that is fed. */
  uint64_t last;     /**< The last one. */
  uint64_t position; /**< The last one accepted. */
  uint64_t fed;      /**< Events that were fed. */
  uint64_t same;     /**< Events that callbacks sent, and that are as in the journal. */
  uint64_t left_out; /**< Sends and answers that were left out. */
  uint64_t
      proves_until;  /**< Up to here all is proven; then a payload was not kept, or it differs. */
  uint64_t digest;   /**< To verify: of all events so far; 0 where a payload was not kept. */
  uint64_t seed;     /**< Of the random numbers. */
  int64_t time;      /**< Of the last event. */
  uint64_t supplied; /**< Secrets that the host knew: see mainstem_replay_on_secret. */
} mainstem_replay_info;

/* Secrets ---------------------------------------------------------------------------------------- */

/**
 * Asks the host what secrets carried: a journal has of them position, type, cause and flags.
 *
 * From now on `fn` gets each event that is about to be fed and was withheld (MAINSTEM_EVENT_WITHHELD, with the
 * status MAINSTEM_WITHHELD): position, type, cause and flags as they were, `time` that of the event before. It
 * calls mainstem_replay_supply, if it knows; else the event is fed as it is. It runs on the thread that feeds,
 * also in the midst of a callback's send, and is no callback of the stream: what it sends is left out, calls that
 * wait are BUSY. NULL: nobody is asked any more.
 *
 * To verify, what was supplied is an input like any other: what comes of it is compared, and
 * `mainstem_replay_info.proves_until` goes on behind it. So it is proven that the program does the same with these
 * secrets, not that these are the secrets of then. A secret that a callback sends is compared by position, type,
 * cause and flags only.
 *
 * Owner: `user_data` must live until `release` (may be NULL) is called: once, when another function is set or the
 * replay ends. After an error `release` is never called.
 * Waits. Thread: context. Errors: STALE, WRONG_KIND, BUSY, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_replay_on_secret(mainstem_replay *replay,
                                                       mainstem_event_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/**
 * Says what the secret carried that is asked for at this moment. Of several calls the last one counts.
 *
 * The event is then fed as it was sent: with this payload, which must be as its type says, and with the status
 * MAINSTEM_OK. Where it answers a request (its type is a response), that is the oldest one that is still open and
 * has such answers.
 *
 * Owner: bytes as in mainstem_send; the copy is overwritten when it is freed, and shown nowhere.
 * Thread: that of the function that was asked. Null: data when size is 0.
 * Errors: INVALID (nothing is asked here, or the payload breaks the contract), TOO_BIG, STALE, WRONG_KIND,
 * NO_MEMORY. After an error nothing was supplied.
 */
MAINSTEM_API mainstem_status mainstem_replay_supply(mainstem_replay *replay, const void *data,
                                                    size_t size);

/** What a secret carried. Set `size` before the call, and what is not known to 0. */
typedef struct mainstem_secret {
  uint32_t size;     /**< sizeof(mainstem_secret). */
  uint32_t reserved; /**< 0. */
  /** The position of the request that it answers, or is a step of; 0: as in mainstem_replay_supply. */
  uint64_t answers;
  const void *data; /**< The payload. */
  size_t data_size; /**< Its bytes. */
  /** Of a failed response what it says, in place of a payload; else NULL. */
  const mainstem_error *error;
} mainstem_secret;

/**
 * The same in full.
 *
 * As mainstem_replay_supply. Errors: INVALID also for a `size` that is none, an error of what is no response, and
 * `answers` that is no earlier position, or for what answers nothing; UNSUPPORTED (of a newer library).
 */
MAINSTEM_API mainstem_status mainstem_replay_supply_with(mainstem_replay *replay,
                                                         const mainstem_secret *secret);

/* Information ------------------------------------------------------------------------------------ */

/**
 * Reads how far a replay is: inside a callback as of now, else as of the last call that fed something.
 *
 * Thread: any. Reentrant: yes. Null: `info`. Errors: INVALID (NULL, size), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_replay_info_read(mainstem_replay *replay,
                                                       mainstem_replay_info *info);

/* In mainstem_replay_difference.field: what differs. In this order the fields of an event are compared. */
#define MAINSTEM_DIFFERENCE_NONE 0        /**< Nothing so far. */
#define MAINSTEM_DIFFERENCE_MISSING 1     /**< The journal has an event that nobody sent. */
#define MAINSTEM_DIFFERENCE_SURPLUS 2     /**< An event was sent that the journal does not have. */
#define MAINSTEM_DIFFERENCE_TYPE 3        /**< The event type. */
#define MAINSTEM_DIFFERENCE_ORIGIN 4      /**< The name of the origin. */
#define MAINSTEM_DIFFERENCE_CAUSE 5       /**< The position of the cause. */
#define MAINSTEM_DIFFERENCE_CORRELATION 6 /**< The position of the outside event that began it. */
#define MAINSTEM_DIFFERENCE_ANSWERS 7     /**< The position of the request that it answers. */
#define MAINSTEM_DIFFERENCE_FLAGS 8       /**< Whether it is tracked, or progress. */
#define MAINSTEM_DIFFERENCE_STATUS 9      /**< The status. */
#define MAINSTEM_DIFFERENCE_PAYLOAD 10    /**< The payload. */
#define MAINSTEM_DIFFERENCE_DIGEST                                                                 \
  11 /**< The digest of all up to here: of something that was not kept whole. */

/** The first difference. Set `size` before the call. */
typedef struct mainstem_replay_difference {
  uint32_t size;        /**< sizeof(mainstem_replay_difference). */
  uint32_t field;       /**< MAINSTEM_DIFFERENCE_… */
  uint64_t position;    /**< Where. */
  uint64_t offset;      /**< The first byte of the payload that differs. */
  const char *sentence; /**< "#17 ResponseTodos: payload differs at byte 12: …"; never NULL. */
  const mainstem_event *expected; /**< What the journal has; NULL for SURPLUS and DIGEST. */
  const mainstem_event *actual;   /**< What happened; NULL for MISSING and DIGEST. */
  const uint64_t *chain; /**< Positions from its cause back to the outside event; at most 64. */
  uint64_t chain_count;  /**< How many; 0 where it has no cause, or that is too long ago. */
} mainstem_replay_difference;

/**
 * Reads the first difference; a `field` of MAINSTEM_DIFFERENCE_NONE: there is none so far.
 *
 * It is there when the call that fed has returned. Owner: what it points to is the replay's, until that is
 * closed. Of a secret no payload is said.
 * Thread: any. Null: `difference`. Errors: INVALID (NULL, size), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status
mainstem_replay_difference_read(mainstem_replay *replay, mainstem_replay_difference *difference);

/**
 * Ends a replay: the context goes on from there like any other.
 *
 * What is still asked then is answered MAINSTEM_CANCELLED: who would have answered was never asked. Handlers are
 * called again, and each timer that is still armed fires when the rest of its time is over. NULL does nothing.
 * Waits. Thread: context. Errors: STALE, WRONG_KIND, BUSY, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_replay_close(mainstem_replay *replay);

/**
 * Says whether a context replays: then nothing is to be done outside the program.
 *
 * `replaying` gets 1 or 0. Thread: any. Reentrant: yes. Null: `replaying`.
 * Errors: INVALID (NULL), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_context_replaying(mainstem_context *context, int *replaying);

#ifdef __cplusplus
}
#endif

#endif

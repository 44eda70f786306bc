// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Recording: how safely a session is stored, and in how many files.
 */

#ifndef MAINSTEM_RECORDING_H
#define MAINSTEM_RECORDING_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The record survives the end of the process, however the process ends: an event is written before any observer
 * sees it. The default.
 */
#define MAINSTEM_JOURNAL_PROCESS 0

/**
 * The record also survives a power cut: outermost calls of mainstem_send, _send_many and _request, and
 * mainstem_flush, return when it is on the disk. Observers may see an event before that. One sync serves all
 * threads that wait for it.
 */
#define MAINSTEM_JOURNAL_POWER 1

/**
 * The record survives only an orderly end. An event is copied before any observer sees it. The copies are written
 * 64 KiB at a time, and by mainstem_flush, mainstem_journal_sync and mainstem_context_close.
 */
#define MAINSTEM_JOURNAL_BUFFERED 2

/** Creates a new journal; an existing one is refused. */
#define MAINSTEM_JOURNAL_NEW 1

/**
 * When writing fails, the context goes on unrecorded, after an event "MainstemJournalFailed" (layer system,
 * JSON: path, status, written; `written` is the last position in the file).
 */
#define MAINSTEM_JOURNAL_CONTINUE_UNRECORDED 2

/** Options for recording a context. */
struct mainstem_journal_options {
  uint32_t size;         /**< sizeof this struct. */
  uint32_t durability;   /**< MAINSTEM_JOURNAL_PROCESS, _POWER or _BUFFERED. */
  uint32_t flags;        /**< MAINSTEM_JOURNAL_NEW and _CONTINUE_UNRECORDED, joined by `|`. */
  uint32_t keep;         /**< Keeps only the newest `keep` files; 0: all. Needs segment_size. */
  uint64_t segment_size; /**< New file (PATH.000001 …) after this many bytes; 0: one file, PATH. */
};

/**
 * Returns when everything accepted before the call is on the disk, whatever the level.
 *
 * Thread: context. Waits: for the disk, and for the callback that another thread is running.
 * Errors: the journal's status if the context has stopped, also with MAINSTEM_JOURNAL_CONTINUE_UNRECORDED; INVALID (a
 * context that is not recorded), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_journal_sync(mainstem_context *context);

/** Called when everything up to `position` is on the disk. */
typedef void (*mainstem_durable_fn)(void *user_data, uint64_t position);

/**
 * Calls a function each time more has reached the disk: one call at a time, in ascending order, on the thread
 * that synced, with no lock held. Calls that wait return BUSY in it. NULL removes it.
 *
 * Owner: user_data is the caller's and must stay valid until `release` is called, once: when another function takes
 * this one's place, or when the context is closed. Thread: context. Waits: for a running call of the previous function.
 * Null: fn.
 * Errors: INVALID (a context that is not recorded), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_journal_on_durable(mainstem_context *context,
                                                         mainstem_durable_fn fn, void *user_data,
                                                         mainstem_release_fn release);

/** Counters of a context's journal. */
typedef struct mainstem_journal_stats {
  uint32_t size;          /**< sizeof(mainstem_journal_stats), set by the caller. */
  mainstem_status status; /**< MAINSTEM_OK, or why recording stopped. */
  uint64_t written;       /**< The last position in the file. */
  uint64_t durable;       /**< The last position on the disk, as of the last sync. */
  uint64_t events;        /**< Events recorded by this context. */
  uint64_t bytes;         /**< Bytes written by this context. */
  uint64_t segments;      /**< Files begun by this context. */
  uint64_t torn;          /**< Bytes of an unfinished end, dropped on opening. */
} mainstem_journal_stats;

/**
 * Reads the counters of a context's journal.
 *
 * This tells whether a context is recorded, so its errors are not the context's (mainstem_context_first_error).
 *
 * Thread: any.
 * Errors: INVALID (also a context that is not recorded).
 */
MAINSTEM_API mainstem_status mainstem_journal_stats_read(mainstem_context *context,
                                                         mainstem_journal_stats *stats);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Recording: the durability of a recorded session, and the number of its files.
 *
 * With MAINSTEM_RECORD=PATH in the environment, a new context is recorded to PATH, unless another context or process
 * writes there. If recording fails, so does mainstem_context_create.
 */

#ifndef MAINSTEM_RECORDING_H
#define MAINSTEM_RECORDING_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Events survive any end of the process: each event is written before an observer sees it. This is the default. */
#define MAINSTEM_JOURNAL_PROCESS 0

/**
 * Events survive a power cut, too. Calls to mainstem_send, _send_many and _request that are made outside other calls
 * into the library, and calls to mainstem_flush, return when their events are on the disk. Observers may see an event
 * before it is on the disk.
 */
#define MAINSTEM_JOURNAL_POWER 1

/**
 * Events survive only an orderly end of the process. Each event is copied to a buffer before an observer sees it. The
 * buffer is written in blocks of 64 KiB, and by mainstem_flush, mainstem_journal_sync and mainstem_context_close.
 */
#define MAINSTEM_JOURNAL_BUFFERED 2

/** The journal must be new: if the file exists, the call returns INVALID. */
#define MAINSTEM_JOURNAL_NEW 1

/**
 * If writing fails, the context sends an event "MainstemJournalFailed" (the system layer, JSON: path, status, and, as
 * `written`, the last position in the file) and continues without recording. Without this flag, the context stops:
 * docs/journal.md.
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
 * Returns when all events accepted before the call are on the disk.
 *
 * Thread: context. Waits: for the disk, and for a callback that another thread runs.
 * Errors: INVALID (not recorded), BUSY, and the journal's status if it has failed.
 */
MAINSTEM_API mainstem_status mainstem_journal_sync(mainstem_context *context);

/** Called when all events up to `position` are on the disk. */
typedef void (*mainstem_durable_fn)(void *user_data, uint64_t position);

/**
 * Calls a function each time more events are on the disk: one call at a time, in ascending order, on the thread that
 * synced. In this function, calls that wait return BUSY. A context has at most one such function. If `fn` is NULL, the
 * current function is removed.
 *
 * Owner: `release` is called when `fn` is replaced or removed, or the context is closed.
 * Thread: context. Waits: for a running call of the previous function. Null: fn.
 * Errors: INVALID (not recorded), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_journal_on_durable(mainstem_context *context,
                                                         mainstem_durable_fn fn, void *user_data,
                                                         mainstem_release_fn release);

/** Counters of a context's journal. */
typedef struct mainstem_journal_stats {
  uint32_t size;          /**< sizeof this struct, set by you. */
  mainstem_status status; /**< MAINSTEM_OK, or why recording stopped. */
  uint64_t written;       /**< The last position in the file. */
  uint64_t durable;       /**< The last position on the disk, as of the last sync. */
  uint64_t events;        /**< Events recorded by this context. */
  uint64_t bytes;         /**< Bytes written by this context. */
  uint64_t segments;      /**< Files begun by this context. */
  uint64_t torn;          /**< Bytes of an unfinished end, dropped when the file was opened. */
} mainstem_journal_stats;

/**
 * Reads the counters of a context's journal. mainstem_context_first_error ignores errors of this call.
 *
 * Thread: any.
 * Errors: INVALID (also: not recorded).
 */
MAINSTEM_API mainstem_status mainstem_journal_stats_read(mainstem_context *context,
                                                         mainstem_journal_stats *stats);

#ifdef __cplusplus
}
#endif

#endif

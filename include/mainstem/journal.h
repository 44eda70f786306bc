// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Journal: what is remembered.
 *
 * A journal is what a context accepted, in order, in a file that can be read without the program that
 * wrote it (docs/journal-format.md).
 */

#ifndef MAINSTEM_JOURNAL_H
#define MAINSTEM_JOURNAL_H

#include "flow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Recording -------------------------------------------------------------------------------------- */

/**
 * What is recorded survives the end of the process, however that comes: it is written before any
 * observer sees it. The default.
 */
#define MAINSTEM_JOURNAL_PROCESS 0

/** A journal is made; one that is there is refused. */
#define MAINSTEM_JOURNAL_NEW 1

/** How a context is recorded. */
typedef struct mainstem_journal_options {
  uint32_t size;         /**< Set by mainstem_journal_options_init. */
  uint32_t level;        /**< MAINSTEM_JOURNAL_PROCESS. */
  uint32_t flags;        /**< MAINSTEM_JOURNAL_NEW. */
  uint32_t keep;         /**< 0. */
  uint64_t segment_size; /**< 0. */
} mainstem_journal_options;

/** Fills options with their defaults. As mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_journal_options_init(mainstem_journal_options *options,
                                                           size_t size);

/**
 * Records a context: all that it accepts from here on is written to a file, and delivered then (law 10).
 *
 * Before the first event, once, until the context is closed. A recorded context keeps time, as with
 * MAINSTEM_CONTEXT_TIMES. Each event, or batch of events that wait for their delivery, costs one write by
 * the delivering thread, so mainstem_send_many is the fast way. The file is made for its owner only
 * (mode 0600) and locked: it has one writer.
 *
 * A send that finds no room on the disk is MAINSTEM_NO_SPACE, changes nothing, and may be tried again.
 * Where writing fails for what was accepted already, nothing unwritten is delivered: the context has stopped.
 * Calls that send, and calls that wait, then have the journal's status (MAINSTEM_IO, MAINSTEM_NO_SPACE);
 * events that were accepted and not written are forgotten, completions of open requests are not called, their
 * release hooks run, and mainstem_context_close works.
 *
 * Owner: the path is copied; UTF-8 or not. Thread: context. Waits. Null: options NULL takes the defaults.
 * Errors: INVALID (path; a file that is there; a context that has accepted an event, or is recorded), IO
 * (the sentence says why), NO_SPACE, LOCKED (another writes this journal), UNSUPPORTED (an option this
 * library does not know), BUSY, STALE, WRONG_KIND (also for a scope), WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_record(mainstem_context *context, const char *path,
                                                     const mainstem_journal_options *options);

/** What a context's journal counts. */
typedef struct mainstem_journal_stats {
  uint32_t size;          /**< sizeof(mainstem_journal_stats), set by the caller. */
  mainstem_status status; /**< MAINSTEM_OK, or why nothing is recorded any more. */
  uint64_t written;       /**< The last position in the file. */
  uint64_t durable;       /**< The last position that a power cut leaves. */
  uint64_t events;        /**< Events recorded by this context. */
  uint64_t bytes;         /**< Bytes written by this context. */
  uint64_t segments;      /**< Files begun by this context. */
  uint64_t torn;          /**< Bytes of an unfinished end that were dropped when it was opened. */
} mainstem_journal_stats;

/**
 * Reads the counters of a context's journal.
 *
 * Thread: any. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID (also a context that is not recorded), UNSUPPORTED (stats of a newer version), STALE,
 * WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_journal_stats_read(mainstem_context *context,
                                                         mainstem_journal_stats *stats);

#ifdef __cplusplus
}
#endif

#endif

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

/**
 * It also survives a power cut: outermost calls of mainstem_send, _send_many, _request, and mainstem_flush,
 * return when it is on the disk. Observers may see it before. One sync serves all threads that wait for it.
 */
#define MAINSTEM_JOURNAL_POWER 1

/**
 * It survives an orderly end: it is copied before any observer sees it, and written 64 KiB at a time, by
 * mainstem_flush, mainstem_journal_sync and mainstem_context_close.
 */
#define MAINSTEM_JOURNAL_BUFFERED 2

/** A journal is made; one that is there is refused. */
#define MAINSTEM_JOURNAL_NEW 1

/**
 * When writing fails the context goes on unrecorded, after an event "MainstemJournalFailed" (layer system,
 * JSON: path, status, written; `written` is the last position in the file).
 */
#define MAINSTEM_JOURNAL_GO_ON 2

/** How a context is recorded. */
typedef struct mainstem_journal_options {
  uint32_t size;  /**< Set by mainstem_journal_options_init. */
  uint32_t level; /**< MAINSTEM_JOURNAL_PROCESS, _POWER or _BUFFERED. */
  uint32_t flags; /**< MAINSTEM_JOURNAL_NEW and _GO_ON, joined by `|`. */
  uint32_t keep;  /**< How many files stay, the oldest go first; 0: all. Needs segment_size. */
  uint64_t
      segment_size; /**< Bytes after which the next file begins, PATH.000001 …; 0: one file, PATH. */
} mainstem_journal_options;

/** Fills options with their defaults. As mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_journal_options_init(mainstem_journal_options *options,
                                                           size_t size);

/**
 * Records a context: all that it accepts from here on is written to a file, and delivered then (law 10).
 *
 * Before the first event, once, until the context is closed. A recorded context keeps time, as with
 * MAINSTEM_CONTEXT_TIMES. Each event, or batch of events that wait for their delivery, costs one write by
 * the delivering thread, so mainstem_send_many is the fast way. What is sent in a callback, or while
 * another thread delivers, is written when its turn comes; mainstem_flush returns after that.
 *
 * A file that is made is its owner's only (mode 0600). It is locked while it is written: there is one writer,
 * and its end, even by SIGKILL, frees the lock. A journal that is there goes on: positions are counted on
 * from its last, and what a crash left unfinished at its end is dropped (mainstem_journal_stats). One that is
 * damaged is refused, and never changed.
 *
 * A send that finds no room on the disk is MAINSTEM_NO_SPACE, changes nothing, and may be tried again.
 * Where writing fails for what was accepted already, nothing unwritten is delivered: the context has stopped.
 * Calls that send, and calls that wait, then return the journal's status: MAINSTEM_IO, MAINSTEM_NO_SPACE,
 * MAINSTEM_POISONED (a sync failed), or MAINSTEM_CORRUPT (another program has cut the file short, written over
 * its header, or removed or replaced it). Events that were accepted and not written are forgotten, completions
 * of open requests are not called, their release hooks run, and mainstem_context_close works. With
 * MAINSTEM_JOURNAL_GO_ON nothing is refused, and nothing stops.
 *
 * A change by another program is noticed within 16 writes, at the next sync or new segment, and at the latest
 * by mainstem_context_close. Renaming the file does no harm.
 *
 * Owner: the path is copied; it need not be UTF-8. Thread: context. Waits: for the disk.
 * Null: options NULL takes the defaults.
 * Errors: INVALID (path; a file that is there, with MAINSTEM_JOURNAL_NEW; options that do not fit each other,
 * or the files that are there; a context that has accepted an event, or is recorded), IO (the sentence says
 * why), NO_SPACE, LOCKED (another writes this journal; the sentence names the process), CORRUPT (damaged, or no
 * journal), VERSION (an older version of the format, which mainstem_journal_salvage copies into the present
 * one; or one that this library does not read), UNSUPPORTED (an option this library does not know), BUSY,
 * STALE, WRONG_KIND (also for a scope), WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_record(mainstem_context *context, const char *path,
                                                     const mainstem_journal_options *options);

/**
 * Returns when what was accepted before is on the disk, whatever the level.
 *
 * Thread: context. Waits: for the disk, and for the callback that another thread is running.
 * Errors: the journal's status where the context has stopped, also with MAINSTEM_JOURNAL_GO_ON; INVALID (a
 * context that is not recorded), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_journal_sync(mainstem_context *context);

/** Called when all up to a position is on the disk. */
typedef void (*mainstem_durable_fn)(void *user_data, uint64_t position);

/**
 * Calls a function each time more has reached the disk: one at a time, in ascending order, on the thread that
 * asked the disk, no lock held. In it calls that wait are BUSY. NULL removes it.
 *
 * Owner: user_data stays the caller's until `release` is called, once: when another function takes its place,
 * or the context is closed. Thread: context. Waits: for a running call of the one before.
 * Null: fn, user_data and release may be NULL.
 * Errors: INVALID (a context that is not recorded), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_journal_on_durable(mainstem_context *context,
                                                         mainstem_durable_fn fn, void *user_data,
                                                         mainstem_release_fn release);

/** What a context's journal counts. */
typedef struct mainstem_journal_stats {
  uint32_t size;          /**< sizeof(mainstem_journal_stats), set by the caller. */
  mainstem_status status; /**< MAINSTEM_OK, or why nothing is recorded any more. */
  uint64_t written;       /**< The last position in the file. */
  uint64_t durable;       /**< The last position that is on the disk, as far as it was asked. */
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

/* Reading ---------------------------------------------------------------------------------------- */

/*
 * A journal is read without the program that wrote it, and without a context: what its event types, layers
 * and origins are called stands in it. Every record is proven before it is given; a journal from a stranger
 * can be opened. Nothing in it makes the library crash, hang, or take more memory than the file is
 * long and a constant.
 *
 *     mainstem_journal *journal;
 *     const mainstem_event *event;
 *     mainstem_status status = mainstem_journal_open("/tmp/app.journal", &journal);
 *     while (status == MAINSTEM_OK) {
 *       status = mainstem_journal_next(journal, &event);
 *       if (status != MAINSTEM_OK || event == NULL) break;
 *       …
 *     }
 */

/**
 * Opens a journal for reading: the file `path`, or where there is none, `path`.000001 and those that follow,
 * from the lowest that is there. What is appended later is not seen. The file is not changed, and
 * may be one that is being written. Where a crash left less of the first file than its header (nothing, zeros, or a
 * part of it), no journal was begun: it is empty, and mainstem_journal_record begins it.
 *
 * Owner: the journal is the caller's, until mainstem_journal_close. Thread: any, and each handle one at a time:
 * a call while another thread is inside one with the same handle is WRONG_THREAD.
 * Errors: INVALID (NULL, or an empty path), IO (it is not there, is no regular file, or cannot be read),
 * CORRUPT (it is no journal, or its header is damaged), VERSION (of a version of the format that
 * this library cannot read), LIMIT (no handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_open(const char *path, mainstem_journal **journal);

/**
 * The next event; NULL at the end.
 *
 * `event` is as a callback gets it, but its context is NULL: it can be neither answered nor retained. Of some
 * only the mark was kept: MAINSTEM_EVENT_MARKED, MAINSTEM_EVENT_WITHHELD. What a crash left half written
 * at the end is dropped and counted (`torn_bytes`). Damage before intact records is CORRUPT, at this call and all
 * that follow: the sentence says where, nothing behind it is given, and mainstem_journal_salvage gets the rest.
 *
 * Owner: the event lives until the next call with this journal that is no look-up of names. Thread: as
 * mainstem_journal_open.
 * Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD, FORKED, CORRUPT, VERSION (of a later file), IO,
 * NO_MEMORY; after the last two the call may be repeated.
 */
MAINSTEM_API mainstem_status mainstem_journal_next(mainstem_journal *journal,
                                                   const mainstem_event **event);

/**
 * The next events, many with one call, into a buffer of the caller's: the fast way.
 *
 * The buffer is filled as by mainstem_drain_records: headers (mainstem_header) contiguous from the front, payloads
 * at the back, each at a multiple of 8 from the buffer's begin; so it is a batch as mainstem_send_many takes it.
 * A header with its payload is an event for mainstem_journal_event_line and mainstem_event_error:
 *
 *     mainstem_event event = {0};
 *     memcpy(&event, header, sizeof *header);
 *     event.data = buffer + header->offset;
 *
 * `count` gets how many there are; 0 is the end. There may be fewer than have room: what is wrong behind them is
 * told by the next call, as mainstem_journal_next would tell it; and where a new session gives names anew, they end,
 * so that names asked for after the call are those of all its events. `needed` (may be NULL) gets how large a buffer
 * has to be for an event that had no room; 0 where none was left for want of it. Both functions may be called by
 * turns.
 *
 * Owner: the buffer is the caller's; of a size over 4 GiB the first 4 GiB are used. An event of a journal that has
 * no room in that comes only from mainstem_journal_next. Thread: as mainstem_journal_open.
 * Null: buffer may be NULL when size is 0; size 0 only asks.
 * Errors: TOO_BIG (not even one has room; `needed` says what it takes), else as mainstem_journal_next.
 */
MAINSTEM_API mainstem_status mainstem_journal_next_many(mainstem_journal *journal, void *buffer,
                                                        size_t size, size_t *count, size_t *needed);

/** What is known of a journal: of as much of it as mainstem_journal_next and _next_many have read. */
typedef struct mainstem_journal_info {
  uint32_t size;     /**< sizeof(mainstem_journal_info), set by the caller. */
  uint32_t version;  /**< Of the format. */
  uint8_t id[16];    /**< Random, the same in all its files. */
  uint64_t files;    /**< How many it has so far. */
  uint64_t sessions; /**< How often recording began, or went on in another file. */
  uint64_t events;   /**< How many there were, marked ones too. */
  uint64_t first;    /**< The position of the first of them; 0: there was none. */
  uint64_t last;     /**< The last position that was accepted, whether its event was kept or not. */
  uint64_t bytes;    /**< Of intact records and headers. */
  uint64_t torn_bytes;   /**< What a crash left half written behind them. */
  uint64_t damaged_file; /**< The number of the damaged file, from 1 on; 0: none was found. */
  uint64_t damaged_at;   /**< Where the damage begins, in bytes from that file's begin. */
  uint64_t digest;       /**< The last digest that was written down: see docs/journal-format.md. */
  uint64_t digest_position; /**< The last position that counts in it. */
  uint32_t is_read;         /**< 1: all of it was read, to the end or to the damage. */
  uint32_t is_clean;        /**< 1: it ends with the close of its context, and nothing behind it. */
} mainstem_journal_info;

/**
 * Reads what is known of a journal.
 *
 * Thread: as mainstem_journal_open. Null: no argument may be NULL; `info->size` must be set.
 * Errors: INVALID (NULL, or size unknown), UNSUPPORTED (a larger size), STALE, WRONG_KIND, WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_info_read(mainstem_journal *journal,
                                                        mainstem_journal_info *info);

/**
 * What an event type was called in the session of the last event read, and its contract.
 *
 * Of its history nothing is known: 0. `response` is 0 also where no event of that type was recorded yet.
 * Owner: the name lives until events are read next. Thread: as mainstem_journal_open.
 * Errors: INVALID (NULL, size unknown, or no such type), UNSUPPORTED (a larger size), STALE, WRONG_KIND,
 * WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_type_read(mainstem_journal *journal,
                                                        mainstem_event_type type,
                                                        mainstem_type_info *info);

/**
 * The name of the scope an event was sent through; empty for the context itself.
 *
 * Owner: it lives until events are read next. Thread: as mainstem_journal_open.
 * Errors: INVALID (NULL, or no such origin), STALE, WRONG_KIND, WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_origin_name(mainstem_journal *journal,
                                                          uint32_t origin, const char **name);

/**
 * Writes an event of a journal as one line: mainstem_event_line, for events that have no context.
 *
 * Thread: as mainstem_journal_open. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_event_line(mainstem_journal *journal,
                                                         const mainstem_event *event, char *buffer,
                                                         size_t capacity, size_t *length);

/** Ends the reading. NULL does nothing. Errors: STALE, WRONG_KIND, WRONG_THREAD, FORKED. */
MAINSTEM_API mainstem_status mainstem_journal_close(mainstem_journal *journal);

/* Salvaging -------------------------------------------------------------------------------------- */

/** What mainstem_journal_salvage kept, and what is lost. */
typedef struct mainstem_salvage_report {
  uint32_t size;           /**< sizeof(mainstem_salvage_report), set by the caller. */
  uint32_t range_capacity; /**< How many ranges have room at `ranges`, set by the caller. */
  mainstem_gap *ranges;    /**< Gets the first lost ranges of positions, or NULL; the caller's. */
  uint64_t range_count;    /**< How many there are. */
  uint64_t events;         /**< How many events were kept. */
  uint64_t first;          /**< The position of the first of them; 0: none was kept. */
  uint64_t last;           /**< The position of the last of them. */
  uint64_t lost_positions; /**< Positions of which nothing is known, up to the last named one. */
  uint64_t lost_bytes;     /**< Bytes that were not understood, or had nothing new. */
} mainstem_salvage_report;

/**
 * Takes every intact event of a journal, damaged or not, into a new one at `to`, in the order of their positions.
 *
 * The journal at `path`, with all its files, is only read. In the new one, a single file with an id of its own, the
 * lost positions are skipped and digests are left out: it can be read, but no longer proves to be all there
 * was. An event whose type's name is lost comes with the type "MainstemUnknown" and the number. A
 * refused call leaves no file behind.
 *
 * Thread: any. Null: `report` may be NULL; else `report->size` must be set.
 * Errors: INVALID (NULL, an empty path, a size unknown, or a file at `to`), CORRUPT (nothing of a journal is
 * there), UNSUPPORTED (a larger size), VERSION (the
 * journal is of a version that this library cannot read), IO, NO_SPACE, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_salvage(const char *path, const char *to,
                                                      mainstem_salvage_report *report);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Journal: what is remembered.
 *
 * A journal is a file of what a context accepted, in order. It can be read without the program that wrote it
 * (docs/journal-format.md).
 */

#ifndef MAINSTEM_JOURNAL_H
#define MAINSTEM_JOURNAL_H

#include "observing.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reading ------------------------------------------------------------------------------------------------ */

/*
 * A journal is read without the program that wrote it, and without a context: it contains the names of its
 * event types, layers and origins. Every record is checked before it is returned, so a journal from a stranger
 * can be opened. Nothing in it can make the library crash or hang, or use more memory than the length of the file
 * plus a constant.
 *
 *     mainstem_journal *journal;
 *     const mainstem_event *event;
 *     mainstem_status status = mainstem_journal_open("/tmp/app.journal", &journal);
 *     while (status == MAINSTEM_OK) {
 *       status = mainstem_journal_next(journal, 0, &event);
 *       if (status != MAINSTEM_OK || event == NULL) break;
 *       …
 *     }
 */

/** A journal being read; it belongs to no context. Ended by mainstem_journal_close. */
typedef struct mainstem_journal mainstem_journal;

/**
 * Opens a journal for reading: the file `path` or, if there is none, `path`.000001 and the files after it,
 * starting with the lowest number that exists.
 *
 * Events appended later are seen after mainstem_journal_follow. The file is not changed, and may be one that is
 * being written. If a crash
 * left less than the header of the first file (nothing, zeros, or part of it), no journal was begun: it reads as
 * empty, and mainstem_journal_record begins it.
 *
 * Owner: the journal is the caller's, until mainstem_journal_close. Thread: any, but one at a time per handle: a call
 * while another thread is inside one with the same handle returns WRONG_THREAD.
 * Errors: INVALID (an empty path), IO (it does not exist, is not a regular file, or cannot be read), CORRUPT (it is not
 * a journal, or its header is damaged), VERSION (a version of the format that this library cannot read), LIMIT (no
 * handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_open(const char *path, mainstem_journal **journal);

/**
 * Reads every record, whatever it is, and not events only: for copies and tools.
 *
 * A record that is not an event has type 0, its kind in `status` (1: session, 2: type …) and at `data` what
 * docs/journal-format.md says of that kind. Each file begins with a record of kind 0: its position is the last one
 * before the file, and its data are the file's header.
 */
#define MAINSTEM_JOURNAL_EVERY_RECORD 1

/**
 * Reads the next event; NULL at the end. `flags` is 0 or MAINSTEM_JOURNAL_EVERY_RECORD.
 *
 * `event` is as a callback gets it, except that its context is NULL: it can be neither answered nor retained.
 * Of some events only the mark was kept: MAINSTEM_EVENT_MARKED, MAINSTEM_EVENT_WITHHELD. What a crash left half
 * written at the end is dropped and counted (`torn_bytes`). For damage before intact records, this call and all
 * later ones return CORRUPT. The message says where the damage is; nothing after it is returned.
 * mainstem_journal_salvage recovers the rest.
 *
 * With MAINSTEM_JOURNAL_EVERY_RECORD, `offset` is the record's link. So the records make the files again, byte for
 * byte. Calls with and without the flag may be mixed.
 *
 * Owner: the event lives until the next call with this journal, except for looking up a name. Thread: as
 * mainstem_journal_open.
 * Errors: UNSUPPORTED (a flag that this library does not know), WRONG_THREAD, FORKED, CORRUPT, VERSION (of a later
 * file), IO, NO_MEMORY; after the last two the call may be repeated.
 */
MAINSTEM_API mainstem_status mainstem_journal_next(mainstem_journal *journal, uint32_t flags,
                                                   const mainstem_event **event);

/**
 * Reads many events with one call, into the caller's buffer: the fast way. `flags` is 0 or MAINSTEM_JOURNAL_EVERY_RECORD.
 *
 * The buffer is filled as by mainstem_mailbox_take: headers (mainstem_event_header) contiguous from the front, payloads
 * at the back, each at a multiple of 8 from the start of the buffer. So it is a batch that mainstem_send_many takes.
 * A header with its payload makes an event for mainstem_journal_event_line and mainstem_event_error:
 *
 *     mainstem_event event = {0};
 *     memcpy(&event, header, sizeof *header);
 *     event.data = buffer + header->offset;
 *
 * `count` gets the number of events; 0 is the end. There may be fewer events than would fit. Damage after them is
 * reported by the next call, as mainstem_journal_next would report it. The batch also ends where a new session
 * redefines names, so that names looked up after the call are right for all its events. `needed` (may be NULL) gets
 * the buffer size for an event that did not fit, or 0 if none was left out for lack of room. This function and
 * mainstem_journal_next may be mixed.
 *
 * With MAINSTEM_JOURNAL_EVERY_RECORD, `offset` says where in the buffer the payload is, as in every batch; only
 * mainstem_journal_next tells the link of a record. The batch ends where its file does, but not where names change: that
 * is one of the records. Names looked up after the call are those behind the last one.
 *
 * Owner: the buffer is the caller's; of a buffer over 4 GiB the first 4 GiB are used. An event that does not fit in 4
 * GiB can only be read with mainstem_journal_next. Thread: as mainstem_journal_open. Null: buffer may be NULL when size
 * is 0; with size 0 the call only sets `needed`.
 * Errors: TOO_BIG (not even one event fits; `needed` gets the size it needs), else as mainstem_journal_next.
 */
MAINSTEM_API mainstem_status mainstem_journal_next_many(mainstem_journal *journal, uint32_t flags,
                                                        void *buffer, size_t size, size_t *count,
                                                        size_t *needed);

/**
 * Reads on behind the end: what was appended since, also in new files, is what mainstem_journal_next and _next_many
 * return. So a program reads behind the one that writes:
 *
 *     while (mainstem_journal_follow(journal) == MAINSTEM_OK) {
 *       while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) …
 *       …wait a little…
 *     }
 *
 * Without anything new it costs a look at the file. Before the end, behind damage, and in a journal that was not begun
 * when it was opened, it does nothing. It follows the file that was opened, also one that has been renamed.
 *
 * Thread: as mainstem_journal_open.
 * Errors: WRONG_THREAD, FORKED, VERSION (of a later file), IO, NO_MEMORY; after the last two the call may be repeated.
 */
MAINSTEM_API mainstem_status mainstem_journal_follow(mainstem_journal *journal);

/** What is known about a journal, as far as mainstem_journal_next and _next_many have read it. */
typedef struct mainstem_journal_info {
  uint32_t size;            /**< sizeof(mainstem_journal_info), set by the caller. */
  uint32_t version;         /**< The format's version. */
  uint8_t id[16];           /**< Random, the same in all its files. */
  uint64_t files;           /**< How many files so far. */
  uint64_t sessions;        /**< How often recording began, or went on in another file. */
  uint64_t events;          /**< How many events, including marked ones. */
  uint64_t first;           /**< The position of the first event; 0: there was none. */
  uint64_t last;            /**< The last accepted position, whether its event was kept or not. */
  uint64_t bytes;           /**< Bytes of intact records and headers. */
  uint64_t torn_bytes;      /**< Bytes after them that a crash left half written. */
  uint64_t damaged_file;    /**< The number of the damaged file, from 1; 0: none found. */
  uint64_t damaged_at;      /**< Where the damage begins: a byte offset in that file. */
  uint64_t digest;          /**< The last digest in it: see docs/journal-format.md. */
  uint64_t digest_position; /**< The last position that digest covers. */
  uint32_t is_read;         /**< 1: it was read to the end, or to the damage. */
  uint32_t is_clean;        /**< 1: it ends with its context's close, and nothing follows. */
} mainstem_journal_info;

/**
 * Reads what is known about a journal.
 *
 * Thread: as mainstem_journal_open.
 * Errors: INVALID (size unknown), UNSUPPORTED (a larger size), WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_info_read(mainstem_journal *journal,
                                                        mainstem_journal_info *info);

/**
 * Reads an event type's name and contract in the session of the last event read.
 *
 * Its history is unknown and reads as 0. `response` is also 0 if no event of the response type has been recorded
 * yet.
 * Owner: the name lives until more events are read. Thread: as mainstem_journal_open.
 * Errors: INVALID (size unknown, or no such type), UNSUPPORTED (a larger size), WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_type_read(mainstem_journal *journal,
                                                        mainstem_event_type type,
                                                        mainstem_type_info *info);

/**
 * Gets the name of the layer of a contract, which mainstem_journal_type_read has read.
 *
 * Owner: the name lives until more events are read. Thread: as mainstem_journal_open.
 * Errors: INVALID (a layer that the journal does not name), WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_layer_name(mainstem_journal *journal,
                                                         mainstem_contract contract,
                                                         const char **name);

/**
 * Gets the name of the scope an event was sent through; empty for the context itself.
 *
 * Owner: the name lives until more events are read. Thread: as mainstem_journal_open.
 * Errors: INVALID (no such origin), WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_origin_name(mainstem_journal *journal,
                                                          uint32_t origin, const char **name);

/**
 * Writes an event of a journal as one line: like mainstem_event_line, for events that have no context.
 *
 * Thread: as mainstem_journal_open.
 * Errors: WRONG_THREAD, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_journal_event_line(mainstem_journal *journal,
                                                         const mainstem_event *event, char *buffer,
                                                         size_t capacity, size_t *length);

/** Closes a journal opened for reading. NULL does nothing. Errors: WRONG_THREAD, FORKED. */
MAINSTEM_API mainstem_status mainstem_journal_close(mainstem_journal *journal);

/* Salvaging ---------------------------------------------------------------------------------------------- */

/** What mainstem_journal_salvage kept, and what was lost. */
typedef struct mainstem_salvage_report {
  uint32_t size;           /**< sizeof(mainstem_salvage_report), set by the caller. */
  uint32_t range_capacity; /**< How many ranges fit at `ranges`, set by the caller. */
  mainstem_gap *ranges;    /**< Gets the first lost position ranges, or NULL; the caller's. */
  uint64_t range_count;    /**< How many lost ranges there are. */
  uint64_t events;         /**< How many events were kept. */
  uint64_t first;          /**< The position of the first one kept; 0: none. */
  uint64_t last;           /**< The position of the last one kept. */
  uint64_t lost_positions; /**< Positions about which nothing is known, up to the last one named. */
  uint64_t lost_bytes;     /**< Bytes that made no sense, or held nothing new. */
} mainstem_salvage_report;

/**
 * Copies every intact event of a journal, damaged or not, into a new journal at `to`, in order of position.
 *
 * The journal at `path`, with all its files, is only read. The new one is a single file with an id of its own. It
 * skips the lost positions and has no digests: it can be read, but no longer proves that it is complete. An event
 * whose type's name is lost gets a type named "MainstemUnknown" followed by the type's number. A refused call leaves
 * no file behind.
 *
 * Thread: any. Null: report; else `report->size` must be set.
 * Errors: INVALID (an empty path, a size unknown, or a file exists at `to`), CORRUPT (there is no trace of a journal),
 * UNSUPPORTED (a larger size), VERSION (the journal is of a version that this library cannot read), IO, NO_SPACE,
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_salvage(const char *path, const char *to,
                                                      mainstem_salvage_report *report);

#ifdef __cplusplus
}
#endif

#endif

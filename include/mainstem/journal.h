// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Journals: reading and salvaging the files in which a context records its events. Guides: docs/journal.md,
 * docs/journal-format.md.
 */

#ifndef MAINSTEM_JOURNAL_H
#define MAINSTEM_JOURNAL_H

#include "observing.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reading ------------------------------------------------------------------------------------------------ */

/*
 * A journal is read without the program that wrote it, and without a context: the journal has the names of its types,
 * layers and origins. Every record is checked, so it is safe to read an untrusted journal: whatever a file contains,
 * the library does not crash or hang, and uses no more memory than the file's length plus a constant.
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

/** A journal opened for reading; it belongs to no context. Ended by mainstem_journal_close. */
typedef struct mainstem_journal mainstem_journal;

/**
 * Opens a journal for reading: the file `path` or, if there is none, `path`.000001 and the files after it, beginning
 * with the lowest number that exists.
 *
 * The file is not changed. A program may be recording to the journal while you read it: see mainstem_journal_follow. A
 * file whose header is incomplete because of a crash reads as empty.
 *
 * Owner: you; close it. Thread: any, but only one thread at a time may use a journal: a second thread gets
 * WRONG_THREAD.
 * Errors: INVALID (an empty path), IO (missing, not a regular file, or not readable), CORRUPT (not a journal, or its
 * header is damaged), VERSION (a format that this library does not read), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_open(const char *path, mainstem_journal **journal);

/**
 * Reads every record, not only events. This is for tools, and for programs that copy journals (docs/journal-format.md).
 * A record that is not an event has the type 0, and the kind of the record in `status`; kind 0 is the header of a file.
 */
#define MAINSTEM_JOURNAL_EVERY_RECORD 1

/**
 * Reads the next event; `*event` is NULL at the end of the journal. `flags` is 0 or MAINSTEM_JOURNAL_EVERY_RECORD.
 *
 * `event` has the same fields as in a callback, but its context is NULL: the event can be neither answered nor
 * retained. Some events have only a mark, without a payload (MAINSTEM_EVENT_MARKED, _WITHHELD). An unfinished end of
 * the file is dropped, and its bytes are counted (mainstem_journal_info.torn_bytes). If damage is followed by intact
 * records, this call and all later ones return CORRUPT; mainstem_journal_salvage recovers the intact records.
 *
 * With MAINSTEM_JOURNAL_EVERY_RECORD, `offset` is the record's link (docs/journal-format.md). Calls with and without
 * this flag may be mixed.
 *
 * Owner: the journal; valid until the next call with it that reads events. Thread: as mainstem_journal_open.
 * Errors: UNSUPPORTED (an unknown flag), CORRUPT, VERSION (of a later file), IO, NO_MEMORY. After IO and NO_MEMORY, you
 * may try again.
 */
MAINSTEM_API mainstem_status mainstem_journal_next(mainstem_journal *journal, uint32_t flags,
                                                   const mainstem_event **event);

/**
 * Reads many events with one call, into your buffer. `flags` as in mainstem_journal_next; calls of both functions may
 * be mixed.
 *
 * The buffer gets a batch, in the same form as from mainstem_mailbox_take. From a header and its payload, you can build
 * an event for mainstem_journal_event_line and mainstem_event_error:
 *
 *     mainstem_event event = {0};
 *     memcpy(&event, header, sizeof *header);
 *     event.data = buffer + header->offset;
 *
 * `count` gets the number of events; 0: the end of the journal. The batch may have fewer events than would fit into the
 * buffer. A batch ends before damage, which the next call reports. It also ends where names of types or origins change,
 * so names that you look up after the call are right for the whole batch. `needed` gets the buffer size for an event
 * that did not fit, otherwise 0. With `size` 0, `buffer` may be NULL, and only `needed` is set.
 *
 * With MAINSTEM_JOURNAL_EVERY_RECORD, the batch ends where a file ends, not where names change, and it does not contain
 * the links of records.
 *
 * Owner: the buffer is yours; only its first 4 GiB are used. Thread: as mainstem_journal_open. Null: needed.
 * Errors: TOO_BIG (not even one event fits; `needed` is set), otherwise as mainstem_journal_next.
 */
MAINSTEM_API mainstem_status mainstem_journal_next_many(mainstem_journal *journal, uint32_t flags,
                                                        void *buffer, size_t size, size_t *count,
                                                        size_t *needed);

/**
 * Continues past the end: mainstem_journal_next and _next_many return the records that have been appended since then,
 * including those in new files.
 *
 *     while (mainstem_journal_follow(journal) == MAINSTEM_OK) {
 *       while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) …
 *       …wait a little…
 *     }
 *
 * This call does nothing if the end has not been reached, if damage was found, or if the journal was empty when it was
 * opened. The file that was opened is followed, even if it is renamed.
 *
 * Thread: as mainstem_journal_open.
 * Errors: VERSION (of a later file), IO, NO_MEMORY. After IO and NO_MEMORY, you may try again.
 */
MAINSTEM_API mainstem_status mainstem_journal_follow(mainstem_journal *journal);

/** Information about a journal, up to the last record that was read. */
typedef struct mainstem_journal_info {
  uint32_t size;            /**< sizeof this struct, set by you. */
  uint32_t version;         /**< The format's version. */
  uint8_t id[16];           /**< The journal's id: random, the same in all its files. */
  uint64_t files;           /**< How many files so far. */
  uint64_t sessions;        /**< How often recording began, or continued in another file. */
  uint64_t events;          /**< How many events, including those with only a mark. */
  uint64_t first;           /**< The position of the first event; 0: there was none. */
  uint64_t last;            /**< The last accepted position, even if its event was not kept. */
  uint64_t bytes;           /**< Bytes of intact records and headers. */
  uint64_t torn_bytes;      /**< Bytes after the intact records, left half written by a crash. */
  uint64_t damaged_file;    /**< The number of the damaged file, from 1; 0: none found. */
  uint64_t damaged_at;      /**< Where the damage begins: a byte offset in that file. */
  uint64_t digest;          /**< The last digest in the journal: see docs/journal-format.md. */
  uint64_t digest_position; /**< The last position that digest covers. */
  uint32_t is_read;         /**< 1: it was read to the end, or to the damage. */
  uint32_t is_clean;        /**< 1: it ends with its context's close, and nothing follows. */
} mainstem_journal_info;

/** Reads the information about a journal. Thread: as mainstem_journal_open. */
MAINSTEM_API mainstem_status mainstem_journal_info_read(mainstem_journal *journal,
                                                        mainstem_journal_info *info);

/**
 * Describes an event type, in the session of the last event read. The history fields are 0; `response` is 0 until an
 * event of the response type has been recorded.
 *
 * Owner: the journal; its strings are valid until more events are read. Thread: as mainstem_journal_open.
 * Errors: INVALID (no such type).
 */
MAINSTEM_API mainstem_status mainstem_journal_type_read(mainstem_journal *journal,
                                                        mainstem_event_type type,
                                                        mainstem_type_info *info);

/**
 * Gets the name of the scope that an event was sent through; empty for the context itself.
 *
 * Owner: as mainstem_journal_type_read. Thread: as mainstem_journal_open.
 * Errors: INVALID (no such origin).
 */
MAINSTEM_API mainstem_status mainstem_journal_origin_name(mainstem_journal *journal,
                                                          uint32_t origin, const char **name);

/** Like mainstem_event_line, for an event of a journal. Thread: as mainstem_journal_open. Null: length. */
MAINSTEM_API mainstem_status mainstem_journal_event_line(mainstem_journal *journal,
                                                         const mainstem_event *event, char *buffer,
                                                         size_t capacity, size_t *length);

/** Closes a journal. NULL does nothing. Thread: as mainstem_journal_open. */
MAINSTEM_API mainstem_status mainstem_journal_close(mainstem_journal *journal);

/* Salvaging ---------------------------------------------------------------------------------------------- */

/** The result of mainstem_journal_salvage: which events were kept, and what was lost. */
typedef struct mainstem_salvage_report {
  uint32_t size;           /**< sizeof this struct, set by you. */
  uint32_t range_capacity; /**< The capacity of `ranges`, set by you. */
  mainstem_gap *ranges;    /**< Your array, or NULL: gets the first lost ranges of positions. */
  uint64_t range_count;    /**< The number of lost ranges. */
  uint64_t events;         /**< The number of events kept. */
  uint64_t first;          /**< The position of the first one kept; 0: none. */
  uint64_t last;           /**< The position of the last one kept. */
  uint64_t lost_positions; /**< Lost positions, up to the last position found. */
  uint64_t lost_bytes;     /**< Bytes that could not be read, or were redundant. */
} mainstem_salvage_report;

/**
 * Copies every intact event of a journal, damaged or not, into a new journal at `to`, in order of position.
 *
 * The journal at `path` is only read. The new journal is a single file with its own id. It skips lost positions, and
 * has no digests, which would prove it complete. A type whose name is lost is named "MainstemUnknown", followed by its
 * number. After an error there is no file at `to`.
 *
 * Thread: any. Null: report.
 * Errors: INVALID (an empty path, or a file exists at `to`), CORRUPT (no trace of a journal), VERSION (a format that
 * this library does not read), IO, NO_SPACE, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_journal_salvage(const char *path, const char *to,
                                                      mainstem_salvage_report *report);

#ifdef __cplusplus
}
#endif

#endif

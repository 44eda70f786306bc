// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mirror: copies a journal to a stream. Fetch: copies a stream back to a journal.
 */

#ifndef MAINSTEM_NATS_MIRROR_H
#define MAINSTEM_NATS_MIRROR_H

#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A mirror reads a journal while a program is writing it, and appends each record to a stream on a server. The mirror
 * has its own thread, in the same process or in any other process that can read the file. The recording program never
 * waits for the mirror, and need not know that it exists.
 *
 * An event becomes one entry of the stream:
 *
 *     subject    PREFIX.layer.type               todo.view.Clicked, todo.viewmodel.Counter.count
 *     data       mainstem_event_header, payload        a batch of one, which mainstem_send_many takes
 *     headers    Nats-Msg-Id                     ID-17: the journal's id as 32 digits, and the position
 *                Mainstem-Type, Mainstem-Layer   the names
 *                Mainstem-Origin                 the name of the scope; missing for the context itself
 *                Mainstem-Contract               the type's contract, 16 digits
 *                Mainstem-Response               the name of the type that answers, if any
 *                Mainstem-Payload                the payload's size, if it was too large to send
 *
 * In subjects, blanks, control characters, `*`, `>` and `%` are escaped: %20, %2A and so on. A dot is escaped if it is
 * in a layer's name, or if it is in a type's name and would leave a part of the name empty; other dots in a type's name
 * divide the name into parts. In headers, control characters, `%`, and a blank at either end are escaped.
 *
 * The mirror sends only data that the journal keeps: for a secret, it sends only the mark, without a payload. If a
 * payload together with its headers exceeds the limit of the server or of the stream, the payload is not sent, and the
 * entry has only the mark (MAINSTEM_EVENT_MARKED).
 *
 * The mirror keeps its progress in the stream. Whenever the mirror begins, or begins again after a failure of the
 * network or a server, it asks the stream for the last record of this journal and continues after that record. Each
 * entry names the entry of the stream that precedes it, and the server accepts the entry only directly after that one.
 * This ensures that no record is lost, that no record is in the stream twice, and that the stream has the order of the
 * journal, no matter which process is killed, or how long it stays away. Several journals may be mirrored to one
 * stream, one after the other or at the same time. Mirrors that write to a stream at the same time slow each other
 * down, because an entry of one journal makes the other mirrors ask again. So give each recording program its own
 * stream (docs/beyond.md). If other programs publish messages to the stream on the journal's subject or with the
 * journal's ids, the mirror skips these messages and counts them as `refused`.
 *
 * A record that is not an event (a session, a name, a digest …) also becomes an entry, so that the stream contains the
 * whole journal:
 *
 *     subject    PREFIX._journal.ID
 *     data       the record's header, with its link, and its payload, as mainstem_journal_next returns them
 *     headers    Nats-Msg-Id                     ID-17-1-3: the position of the event before it, the number of the file,
 *                                                and the record's number after that event; 0: the header of a file
 *                Mainstem-Numbered               1, if the journal's files have numbers
 *                Mainstem-Payload                the payload's size, if it was too large to send
 *
 * After 10,000 events without such a record, the mirror adds an entry that says how far it has got. The entry has a
 * header of type 0, and "ID-17-0-0-mark" as its Nats-Msg-Id. A mirror that sends only chosen layers or types sends the
 * chosen events and the headers of files. It sends no other records, because these name and count events that must not
 * be sent.
 */

/**
 * Mirrors a journal until mainstem_nats_close.
 *
 * The call does not wait for a server. If a server is unreachable, the mirror tries it again, at first after a quarter
 * of a second, later every five seconds. If the stream does not exist, the mirror creates it, with the subjects
 * PREFIX.>, stored on the disk, without limits. An existing stream is used as it is. mainstem_nats_stats_read reports
 * the mirror's state. The mirror uses memory for at most `window` entries and 8 MiB, and for the longest event.
 *
 * The mirror stops on its own when continuing could do harm: if the journal is damaged (CORRUPT), if the stream has a
 * record that differs from the journal's, or that is later than the journal's last record (DIFFERENT: the disk has lost
 * records that the mirror had read), or if a journal of another library version has replaced this one (VERSION).
 *
 * Owner: path and options are copied. Thread: any. Null: options NULL takes the defaults.
 * Errors: INVALID (NULL; an empty path; a prefix or stream that NATS does not take; options that conflict), UNSUPPORTED
 * (options of a newer version, unknown flags), IO (the journal does not exist or cannot be read; a file of the options
 * cannot be read), CORRUPT, VERSION (both as mainstem_journal_open), LIMIT (no handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_nats_mirror(const char *path,
                                                  const mainstem_nats_options *options,
                                                  mainstem_nats **mirror);

/** The result of mainstem_nats_fetch. */
typedef struct mainstem_nats_fetch_report {
  uint32_t size;     /**< sizeof(mainstem_nats_fetch_report), set by the caller. */
  uint32_t is_whole; /**< 1: the journal itself, byte for byte; 0: a part of it. */
  uint8_t id[16];    /**< The journal's id. */
  uint64_t entries;  /**< Entries of the stream that belong to the journal. */
  uint64_t events;   /**< The number of events in the new file. */
  uint64_t records;  /**< The number of other records, if it is whole. */
  uint64_t first;    /**< The position of the first event; 0: there is none. */
  uint64_t last;     /**< The last position. */
  uint64_t left_out; /**< Payloads that the mirror did not send. */
  uint64_t missing;  /**< Positions that the stream does not have. */
} mainstem_nats_fetch_report;

/**
 * Makes a journal from its records in a stream.
 *
 * If the stream has all records, the new journal is the old one, byte for byte, up to the last record that was
 * mirrored: with its id, its digests, and its files. The new journal can be replayed and verified, a context can
 * continue recording in it, and a mirror continues after the last record of the stream. Otherwise (the stream's limits
 * removed entries, the mirror did not send some payloads, or sent only chosen types) the new journal is like a salvaged
 * one: one file with its own id, which names the missing positions and has no digests. It can be read and drawn, but
 * not verified.
 *
 * The options select the stream in the same way as for a mirror of this path. If there is a prefix, only entries below
 * this prefix are read. Entries that arrive after the call begins are not fetched. The new file appears only when it is
 * complete and on the disk; a call that fails leaves no file.
 *
 * `journal` is the id as 32 digits; NULL: the only journal in the stream. A server that cannot be reached, or fails, is
 * retried until it has been silent for `timeout_ms`. With a negative `timeout_ms`, it is retried forever; with 0, it is
 * tried once.
 *
 * Waits: for the server and the disk. Thread: any. Null: options NULL takes the defaults; report may be NULL, otherwise
 * `report->size` must be set.
 * Errors: INVALID (NULL or an empty path; a file exists there; options that conflict, or that are for a mirror; an
 * invalid id; the stream does not exist, has no record of the journal, or has several journals and no id is given),
 * UNSUPPORTED (options or report of a newer version, unknown flags), IO (no server, or one that fails; the disk; a file
 * of the options cannot be read), DENIED, NO_SPACE, VERSION (the journal is of a version that this library cannot
 * read), FORKED (in a child of a process that has bridges, or has fetched), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_nats_fetch(const char *path,
                                                 const mainstem_nats_options *options,
                                                 const char *journal, int64_t timeout_ms,
                                                 mainstem_nats_fetch_report *report);

#ifdef __cplusplus
}
#endif

#endif

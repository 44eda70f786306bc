// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mirror: a journal to a stream. Fetch: a stream back to a journal.
 */

#ifndef MAINSTEM_NATS_MIRROR_H
#define MAINSTEM_NATS_MIRROR_H

#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A mirror reads a journal behind the program that writes it, and appends each record to a stream of a server. It has a
 * thread of its own, in the same process or in any other that can read the file. The program that records never waits
 * for it and does not know it.
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
 * In subjects, a blank, a control character, `*`, `>` and `%` are written %20, %2A and so on. So is a dot of a layer,
 * and a dot of a type that would leave a part empty; other dots of a type divide it. In headers, control characters,
 * `%`, and a blank at an end are.
 *
 * What the journal keeps is what leaves: a secret leaves as its mark, without a payload. A payload that with its
 * headers exceeds what the server or the stream takes is not sent: the entry has the mark (MAINSTEM_EVENT_MARKED).
 *
 * The stream is the mirror's memory. Whenever the mirror begins, or begins again after a failure of the network or a
 * server, it asks the stream for the last record it has of this journal and goes on behind it. Each entry says which
 * entry of the stream it comes after, and the server refuses it anywhere else. So nothing is lost, nothing is there
 * twice, and the order is the journal's, whatever is killed and for how long. Several journals may go to one stream, one
 * after the other or at once; at once they slow each other down, because an entry of one makes the others ask again:
 * give each program that records its own stream (docs/beyond.md). Messages that others publish to the stream are
 * skipped, even if they have the journal's subject or ids, and counted as `refused`.
 *
 * A record that is not an event (a session, a name, a digest …) becomes an entry, too, so that the stream has all of the
 * journal:
 *
 *     subject    PREFIX._journal.ID
 *     data       the record's header, with its link, and its payload, as mainstem_journal_next returns them
 *     headers    Nats-Msg-Id                     ID-17-1-3: the position of the event before it, the number of the file,
 *                                                and which record it is behind that event; 0: the header of a file
 *                Mainstem-Numbered               1, if the journal's files have numbers
 *                Mainstem-Payload                the payload's size, if it was too large to send
 *
 * Where 10,000 events come without such a record, an entry says how far the stream is: a header of type 0, and
 * "ID-17-0-0-mark" as Nats-Msg-Id. A mirror that sends chosen layers or types only sends the headers of files and no
 * other records that are not events, because these name and count what shall not leave.
 */

/**
 * Begins to mirror a journal, which goes on until mainstem_nats_close.
 *
 * The call does not wait for a server: one that cannot be reached is tried again, after a quarter of a second at first
 * and every five seconds at last. A stream that is not there is made, with the subjects PREFIX.>, on the disk, without
 * limits; one that is there is used as it is. mainstem_nats_stats_read says how it goes. The mirror uses memory for at
 * most `window` entries and 8 MiB, and for the longest event.
 *
 * It stops by itself when going on could only make things worse: if the journal is damaged (CORRUPT), if the stream has
 * another record at this place of the journal, or a later one (DIFFERENT: the disk lost what the mirror had read), or
 * if another library's journal took its place (VERSION).
 *
 * Owner: path and options are copied. Thread: any. Null: options NULL takes the defaults.
 * Errors: INVALID (NULL; an empty path; a prefix or stream that NATS does not take; options that conflict), UNSUPPORTED
 * (options of a newer version, unknown flags), IO (the journal does not exist or cannot be read; a file of the options
 * cannot be read), CORRUPT, VERSION (both as mainstem_journal_open), LIMIT (no handle is left), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_nats_mirror(const char *path,
                                                  const mainstem_nats_options *options,
                                                  mainstem_nats **mirror);

/** What mainstem_nats_fetch has made. */
typedef struct mainstem_nats_fetch_report {
  uint32_t size;     /**< sizeof(mainstem_nats_fetch_report), set by the caller. */
  uint32_t is_whole; /**< 1: the journal itself, byte for byte; 0: what is left of it. */
  uint8_t id[16];    /**< The journal's id. */
  uint64_t entries;  /**< Entries of the stream that are the journal's. */
  uint64_t events;   /**< How many events are in the new file. */
  uint64_t records;  /**< How many other records, if it is whole. */
  uint64_t first;    /**< The position of the first event; 0: there is none. */
  uint64_t last;     /**< The last position. */
  uint64_t left_out; /**< Payloads that the mirror did not send. */
  uint64_t missing;  /**< Positions of which the stream has nothing. */
} mainstem_nats_fetch_report;

/**
 * Makes a journal of what a stream has of it.
 *
 * If the stream has all, the new journal is the old one, byte for byte, up to the last record that was mirrored: with its
 * id, its digests, and its files. It can be replayed and verified, a context goes on recording in it, and a mirror goes
 * on behind what the stream has. Otherwise (the stream's limits removed entries, the mirror left some out, or sent
 * chosen types only) the new journal is as one that was salvaged: one file with an id of its own, which names the
 * positions that are missing and has no digests. It can be read and drawn.
 *
 * The stream is that of the options, as for a mirror of this path. With a prefix, only entries below it are looked at.
 * What comes after the call begins is not fetched. The file is not there before it is complete and on the disk; a call
 * that is refused leaves none.
 *
 * `journal` is the id as 32 digits; NULL: the only journal in the stream. Where the server cannot be reached, or fails,
 * it is tried again until it has been silent for `timeout_ms`; negative: without end; 0: once.
 *
 * Waits: for the server and the disk. Thread: any. Null: options NULL takes the defaults; report may be NULL, else
 * `report->size` must be set.
 * Errors: INVALID (NULL or an empty path; a file exists there; options that conflict, or that are for a mirror; an id
 * that is none; the stream does not exist, has nothing of the journal, or has several journals and no id says which),
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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mirror: a journal to a stream.
 */

#ifndef MAINSTEM_NATS_MIRROR_H
#define MAINSTEM_NATS_MIRROR_H

#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A mirror reads a journal behind the program that writes it, and appends each event to a stream of a server. It has a
 * thread of its own, in the same process or in any other that can read the file. The program that records never waits
 * for it and does not know it.
 *
 * An event becomes one entry of the stream:
 *
 *     subject    PREFIX.layer.type               todo.view.Clicked, todo.viewmodel.Counter.count
 *     data       mainstem_header, payload        a batch of one, which mainstem_send_many takes
 *     headers    Nats-Msg-Id                     ID-17: the journal's id as 32 digits, and the position
 *                Mainstem-Type, Mainstem-Layer   the names
 *                Mainstem-Origin                 the name of the scope; left out for the context itself
 *                Mainstem-Contract               the type's contract, 16 digits
 *                Mainstem-Response               the name of the type that answers, if any
 *                Mainstem-Payload                the payload's size, where it was too large and left out
 *
 * In subjects, a blank, a control character, `*`, `>` and `%` are written %20, %2A and so on. So is a dot of a layer,
 * and a dot of a type that would leave a part empty; other dots of a type divide it. In headers, control characters,
 * `%`, and a blank at an end are.
 *
 * What the journal keeps is what leaves: a secret leaves as its mark, without a payload. A payload that with its
 * headers exceeds what the server or the stream takes is left out: the entry has the mark (MAINSTEM_EVENT_MARKED).
 *
 * The stream is the mirror's memory. Whenever the mirror begins, or begins again after a failure of the network or a
 * server, it asks the stream for the last position it has of this journal and goes on behind it. Each entry says which
 * entry of the stream it comes after, and the server refuses it anywhere else. So nothing is lost, nothing is there
 * twice, and the order is the journal's, whatever is killed and for how long. Several journals may go to one stream, one
 * after the other or at once; at once they slow each other down, because an entry of one makes the others ask again:
 * give each program that records its own stream (docs/beyond.md).
 *
 * The first entry of a journal, and one after every 10,000, is the journal's own: its subject is PREFIX._journal.ID, its
 * Nats-Msg-Id ends in "-journal", and its data is a header of type 0 whose position is the last one before it.
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
 * another event at this position of this journal or a later one (DIFFERENT: the disk lost what the mirror had read), or
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

#ifdef __cplusplus
}
#endif

#endif

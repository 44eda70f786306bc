// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Import: a stream into a context.
 */

#ifndef MAINSTEM_NATS_IMPORT_H
#define MAINSTEM_NATS_IMPORT_H

#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An import takes in entries that mirrors have made (nats_mirror.h), of the types that the program names, as events of
 * its context:
 *
 *     const char *types[] = {"Moved"}, *as[] = {"Remote.moved"};
 *     options.stream = "todo";
 *     options.types = types;
 *     options.as = as;
 *     options.type_count = 1;
 *     options.journal = "session.journal";
 *     mainstem_nats_import(context, &options, &import);
 *
 * A thread of its own fetches entries with a durable consumer, and posts a note of what it has, "NATSImported". When
 * the context drains, the note is accepted, and behind it the events, in order. They are inputs
 * (MAINSTEM_EVENT_OUTSIDE), are sent through a scope of the import's own, and have the note as their cause. Then the
 * entries are acknowledged: when their events are accepted and, in a recorded context, written. A context that has no
 * room (FULL, NO_SPACE), or drains seldom, slows its consumer down and nothing else. A batch that finds no room is tried
 * again, up to four times a second, behind the note that is there already: it gets one note more at most. From the first
 * such batch on, the context keeps its 16 newest notes (mainstem_history_keep, in place of bounds that the program has
 * set), and late observers of them get these, too. What is written may not be on the disk yet, at any level: a power cut
 * may take it, and a stream that forgets what is acknowledged has it no more. In memory are at most two batches, each of
 * `window` entries, or of 4 MiB and one entry, and what the server was asked for: 8 MiB, or one entry.
 *
 * Each event of each journal comes once, in the order of its journal. What was taken in stands in the context's own
 * journal: a note is JSON and names, for each event behind it, the journal, the position and the entry of the stream.
 *
 *     {"stream":"todo","sequence":120,"time":1763971200000000000,"entries":[["9f6c…",17,103,4]]}
 *
 * So after a crash of this program the import reads its own journal, and goes on behind the last event that is there.
 * A context that is not recorded knows what it took in as long as it lives, also from one import of a stream and scope to
 * the next; a new one begins behind the last entry that was acknowledged, and may get again what was accepted shortly
 * before a crash, or while the server was away.
 *
 * Skipped are: what the mirror did not send (marks of secrets and of large payloads; `left_out`), failed responses
 * (`left_out`), what was taken in already (`repeated`), and what cannot be an event here (`refused`, with a message): an
 * entry that no mirror made, whose subject and headers name different types, or whose payload breaks the contract of the
 * type here.
 *
 * For each connection the consumer is made anew, where the import goes on, so that entries never come out of order. For
 * that moment there is a second one, with "-resume" at the end of its name. Two imports shall not have the same consumer:
 * they would take entries from each other, notice it, and begin again and again. A context may have several imports;
 * those of one stream need different scopes, whose names say whose a note is. The second of one name is INVALID.
 */

/**
 * Begins to take a stream into a context, which goes on until mainstem_nats_close, or until the context is closed.
 *
 * The call does not wait for a server: see mainstem_nats_mirror. A stream that is not there is waited for, and never
 * made. A new journal gets the stream from its first entry on.
 *
 * `context` may be a scope. The import adds a scope to it, whose rights are those of options.rights, and those to send
 * and observe its notes (MAINSTEM_LAYER_SYSTEM). What the rights do not allow is refused, entry by entry. The types
 * must be registered before, and a recorded context must record them, if only as marks.
 *
 * mainstem_nats_close must be called on the context's thread, and not in a callback. What it finds on its way is not
 * sent any more; the next import gets it. If the context or the scope ends first, the import stops (STALE), and its
 * close works on any thread. mainstem_nats_flush returns when everything that the stream had at the call is taken in,
 * and written. On a thread that may drain the context it drains meanwhile (mainstem_wait); so in a guarded context only
 * the thread that is in flushes. With MAINSTEM_JOURNAL_BUFFERED, what is in the buffer is not written yet. During a
 * replay there is no import: BUSY; mainstem_context_is_replaying tells. A replay of the context's journal has the notes
 * and events as inputs like any others, and no server is asked.
 *
 * It stops by itself if the context's journal has stopped (the journal's status), is damaged (CORRUPT), or is another
 * context's (INVALID), and if its scope may not send its notes (DENIED).
 *
 * Owner: options are copied. Thread: context.
 * Null: no argument may be NULL.
 * Errors: INVALID (NULL; no stream, no types, a type that is not registered or leaves no trace in the journal; a recorded
 * context without `journal`, or the other way round; a context that is not recorded without `durable`; options that
 * conflict; another import of this stream has that scope), UNSUPPORTED (options of a newer version, unknown flags),
 * BUSY (a replay), DENIED (the context may not send or observe the notes), IO (a file of the options cannot be read),
 * STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no handle is left, a budget of observers), TOO_BIG (the scope's name),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_nats_import(mainstem_context *context,
                                                  const mainstem_nats_options *options,
                                                  mainstem_nats **import);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Import: sends the events of a stream to a context.
 */

#ifndef MAINSTEM_NATS_IMPORT_H
#define MAINSTEM_NATS_IMPORT_H

#include "nats_bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An import reads the entries of a stream that mirrors (nats_mirror.h) have made. If an entry has one of the types that
 * the program has listed, the import sends it as an event to the program's context:
 *
 *     const char *types[] = {"Moved"}, *as[] = {"Remote.moved"};
 *     options.stream = "todo";
 *     options.types = types;
 *     options.as = as;
 *     options.type_count = 1;
 *     options.journal = "session.journal";
 *     mainstem_nats_import(context, &options, &import);
 *
 * A thread of the import fetches a batch of entries with a durable consumer, and posts a *note*: an event
 * "NATSImported", which lists these entries. When the context drains, it first accepts the note, and then the events,
 * in order. These events are inputs (MAINSTEM_EVENT_OUTSIDE), are sent through a scope of the import's own, and have
 * the note as their cause. An entry is acknowledged to the server when its event has been accepted and, in a recorded
 * context, written.
 *
 * A context that has no room (FULL, NO_SPACE), or seldom drains, slows down only the consumer of its own import. If
 * there is no room for a batch, it is retried, up to four times a second. Such a batch keeps the note that it already
 * has, and gets at most one more note. From the first such batch on, the context keeps a history of its 16 newest
 * notes, even if the program has set other bounds by mainstem_history_keep. So observers that are added later get these
 * notes, too.
 *
 * At every durability level, events that are written may not be on the disk yet. A power cut may lose these events, and
 * a stream that deletes acknowledged entries no longer has them.
 *
 * The import holds in memory at most two batches and the entries that it has requested from the server. A batch has at
 * most `window` entries, and at most 4 MiB plus one entry. The requested entries have at most 8 MiB, unless there is
 * only one entry.
 *
 * Each event of each journal is imported once, in the order of its journal. The context's own journal shows which
 * entries were imported: a note is JSON and names, for each event that follows the note, the journal, the position and
 * the entry of the stream.
 *
 *     {"stream":"todo","sequence":120,"time":1763971200000000000,"entries":[["9f6c…",17,103,4]]}
 *
 * After a crash of this program, therefore, the import reads the context's journal, and continues after the last
 * imported event in that journal. A context that is not recorded remembers the imported entries as long as it lives,
 * even if one import of a stream is followed by another import of the same stream with the same scope name. A new
 * context that is not recorded begins after the last acknowledged entry, and may again get events that were accepted
 * shortly before a crash, or while the server was unreachable.
 *
 * The import skips entries whose payloads the mirror did not send (marks of secrets and of large payloads; counted as
 * `left_out`), failed responses (`left_out`), entries that were imported already (`repeated`), and entries that cannot
 * be an event here (`refused`, with a message): an entry that no mirror made, an entry whose subject and headers name
 * different types, or an entry whose payload breaks the contract of the type here.
 *
 * On each new connection, the consumer is created again, starting at the entry where the import continues. So entries
 * never arrive out of order. While the consumer is being created, there is a second consumer, whose name ends with
 * "-resume". Two imports must not use the same consumer: they would take entries from each other, notice the loss, and
 * begin again and again. A context may have several imports. Imports of one stream need scopes with different names,
 * because the name shows which import a note belongs to. A second import with the same scope name is INVALID.
 */

/**
 * Starts importing a stream into a context. The import continues until mainstem_nats_close, or until the context is
 * closed.
 *
 * The call does not wait for a server: see mainstem_nats_mirror. If the stream does not exist, the import waits for it,
 * and never creates it. If the context's journal is new, the import begins at the first entry of the stream.
 *
 * `context` may be a scope. The import adds a scope to `context`, with the rights in options.rights and the rights to
 * send and observe its notes (MAINSTEM_LAYER_SYSTEM). Each entry that these rights do not allow is refused (`refused`).
 * The types must be registered before the call, and a recorded context must record their events, at least as marks.
 *
 * mainstem_nats_close must be called on the context's thread, and not in a callback. Entries that are still on their
 * way when the import is closed are not sent to the context; the next import gets them. If the context or the scope
 * ends first, the import stops (STALE), and mainstem_nats_close may be called on any thread. mainstem_nats_flush
 * returns when all entries that the stream had at the time of the call are imported and written. On a thread that may
 * drain the context, mainstem_nats_flush drains it in the meantime (mainstem_wait); so in a guarded context, only the
 * admitted thread may flush. With MAINSTEM_JOURNAL_BUFFERED, events in the buffer do not count as written. During a
 * replay there is no import: mainstem_nats_import returns BUSY (see mainstem_context_is_replaying). A replay of the
 * context's journal feeds the notes and events like any other inputs, and needs no server.
 *
 * The import stops on its own if the context's journal has stopped (the journal's status), is damaged (CORRUPT), or
 * belongs to another context (INVALID), or if the import's scope has no right to send notes (DENIED).
 *
 * Owner: options are copied. Thread: context.
 * Null: no argument may be NULL.
 * Errors: INVALID (NULL; no stream, no types, a type that is not registered, is a list or leaves no trace in the journal; a
 * recorded context without `journal`, or `journal` for a context that is not recorded; no `durable` for a context that
 * is not recorded; options that conflict; another import of this stream has that scope), UNSUPPORTED (options of a
 * newer version, unknown flags), BUSY (a replay), DENIED (the context may not send or observe the notes), IO (a file of
 * the options cannot be read), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no handle is left, a budget of observers),
 * TOO_BIG (the scope's name), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_nats_import(mainstem_context *context,
                                                  const mainstem_nats_options *options,
                                                  mainstem_nats **import);

#ifdef __cplusplus
}
#endif

#endif

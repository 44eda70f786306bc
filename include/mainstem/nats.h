// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * NATS: beyond one process.
 *
 * A bridge to NATS JetStream, an engine that keeps streams on servers of any number. It is a library of its own,
 * libmainstem_nats, on these headers and on NATS' C client: who does not link it has nothing of it. See docs/beyond.md.
 *
 *     mainstem_nats_mirror_options options;
 *     mainstem_nats *mirror;
 *     mainstem_nats_mirror_options_init(&options, sizeof options);
 *     options.url = "nats://archive:4222";
 *     options.prefix = "todo";
 *     if (mainstem_nats_mirror("session.journal", &options, &mirror) != MAINSTEM_OK) puts(mainstem_nats_last_error());
 *     … the program runs, and records to session.journal …
 *     mainstem_nats_flush(mirror, 5000);
 *     mainstem_nats_close(mirror);
 */

#ifndef MAINSTEM_NATS_H
#define MAINSTEM_NATS_H

#include "journal.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A mirror that works. Ended by mainstem_nats_close.
 *
 * Like other handles it is never dereferenced: a bad one returns INVALID, one that has ended STALE, and one that was
 * made before a fork FORKED.
 */
typedef struct mainstem_nats mainstem_nats;

/**
 * Returns the sentence of the last call of this library that failed on this thread, as mainstem_last_error does for
 * libmainstem.
 *
 * Owner: the library; valid until the next failing call on this thread. Never NULL. Thread: any.
 */
MAINSTEM_API const char *mainstem_nats_last_error(void);

/* Mirror: a journal to a stream ------------------------------------------------------------------ */

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

/** The connection uses TLS, also where the URL does not say so. */
#define MAINSTEM_NATS_TLS 1

/** Options of a mirror. Texts are UTF-8 and copied. */
typedef struct mainstem_nats_mirror_options {
  uint32_t size;  /**< Set by mainstem_nats_mirror_options_init. */
  uint32_t flags; /**< MAINSTEM_NATS_TLS or 0. */

  const char *url;         /**< Servers, separated by commas; NULL: "nats://localhost:4222". */
  const char *name;        /**< What the server calls the connection; NULL: "mainstem mirror". */
  const char *user;        /**< With `password`; or NULL. */
  const char *password;    /**< Of `user`; or NULL. */
  const char *credentials; /**< A file of credentials (.creds); or NULL. */
  const char *authorities; /**< TLS: a file of the certificates to trust; NULL: the system's. */
  const char *certificate; /**< TLS: a file with this side's certificate; or NULL. */
  const char *key;         /**< TLS: a file with its key; or NULL. */
  const char *host;        /**< TLS: the host that the certificate must name; NULL: the URL's. */

  const char *prefix; /**< How subjects begin; NULL: the journal's file name up to its first dot. */
  const char *stream; /**< The stream; NULL: the prefix, with `_` for each dot. */
  uint32_t replicas;  /**< On how many servers, where the stream is made; 0: one. */
  uint32_t window;    /**< How many entries may wait for the server's answer; 0: 4,096. */

  const char *const *layers; /**< Only events of these layers, by name; NULL: all. */
  const char *const *types;  /**< Only events of these types, by name; NULL: all. */
  uint32_t layer_count;      /**< How many layers. */
  uint32_t type_count;       /**< How many types. */
} mainstem_nats_mirror_options;

/** Sets options to their defaults. Like mainstem_context_options_init. */
MAINSTEM_API mainstem_status
mainstem_nats_mirror_options_init(mainstem_nats_mirror_options *options, size_t size);

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
                                                  const mainstem_nats_mirror_options *options,
                                                  mainstem_nats **mirror);

/**
 * Returns when the stream has everything that the journal had at the call.
 *
 * Waits: at most `timeout_ms`; negative: without end. Thread: any.
 * Errors: TIMEOUT, CANCELLED (it was closed meanwhile), the status for which the mirror has stopped; INVALID, STALE,
 * FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_flush(mainstem_nats *mirror, int64_t timeout_ms);

/* In mainstem_nats_stats.state. */
#define MAINSTEM_NATS_WAITING 0 /**< It has no server that takes entries, and tries again. */
#define MAINSTEM_NATS_RUNNING 1 /**< It sends, or has nothing to send. */
#define MAINSTEM_NATS_STOPPED 2 /**< It has stopped: see `status`. */

/** How a mirror does. */
typedef struct mainstem_nats_stats {
  uint32_t size;          /**< sizeof(mainstem_nats_stats), set by the caller. */
  uint32_t state;         /**< MAINSTEM_NATS_WAITING, _RUNNING or _STOPPED. */
  mainstem_status status; /**< MAINSTEM_OK while it runs; else why it waits or has stopped. */
  uint32_t begun;         /**< How often it began to send, behind what the stream had. */
  uint64_t read;          /**< The last position read. */
  uint64_t mirrored;      /**< The last position that the stream is known to have. */
  uint64_t entries;       /**< Entries that the server acknowledged to this mirror. */
  uint64_t bytes;         /**< Bytes of their data. */
  uint64_t left_out;      /**< Payloads left out, because the server does not take so much. */
  uint64_t refused;       /**< Entries refused, or acknowledged as others than were sent. */
  uint64_t lost;          /**< Positions that a flight recorder removed before they were read. */
  char sentence[256];     /**< The last thing that went wrong; may be empty. */
} mainstem_nats_stats;

/**
 * Reads how a mirror does.
 *
 * Thread: any. Null: `stats` must not be NULL; `stats->size` must be set.
 * Errors: INVALID (NULL, size unknown), UNSUPPORTED (a larger size), STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_stats_read(mainstem_nats *mirror,
                                                      mainstem_nats_stats *stats);

/**
 * Ends a mirror. What was not acknowledged yet is sent by the next one. NULL does nothing.
 *
 * Waits: for the call to the server that is under way, 2 seconds at most where it does not answer. Thread: any.
 * Errors: INVALID, STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_close(mainstem_nats *mirror);

#ifdef __cplusplus
}
#endif

#endif

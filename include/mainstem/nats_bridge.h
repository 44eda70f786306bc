// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Bridges: what all bridges have in common: options, handles, counters, flush and close.
 */

#ifndef MAINSTEM_NATS_BRIDGE_H
#define MAINSTEM_NATS_BRIDGE_H

#include "journal.h"
#include "scopes.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A bridge: a mirror, an import, or a bridge that serves or forwards requests. Each bridge has its own thread and
 * connection. While the bridge is connecting, a second thread limits how long the bridge waits for each server. Ended
 * by mainstem_nats_close.
 *
 * Like other handles, this pointer is never dereferenced: calls with a bad handle return INVALID, with an ended one
 * STALE, and with one from before a fork FORKED.
 */
typedef struct mainstem_nats mainstem_nats;

/**
 * Returns the message of the last failed call into this library on this thread, as mainstem_last_error does for
 * libmainstem.
 *
 * Owner: the library; valid until the next failing call on this thread. Never NULL. Thread: any.
 */
MAINSTEM_API const char *mainstem_nats_last_error(void);

/* Options ---------------------------------------------------------------------------------------- */

/** The connection uses TLS, even if the URL does not request it. */
#define MAINSTEM_NATS_TLS 1

/**
 * Options of all calls that connect. Strings are UTF-8 and copied.
 *
 * The connection fields apply to all calls. The comment on every other field names the calls that it applies to; any
 * other call returns INVALID if the field is set.
 */
typedef struct mainstem_nats_options {
  uint32_t size;  /**< sizeof this struct. */
  uint32_t flags; /**< MAINSTEM_NATS_TLS or 0. */

  const char *url;  /**< Servers, separated by commas; NULL: "nats://localhost:4222". */
  const char *name; /**< The connection's name on the server; NULL: "mainstem mirror" or similar. */
  const char *user; /**< With `password`; or NULL. */
  const char *password;    /**< For `user`; or NULL. */
  const char *credentials; /**< A file of credentials (.creds); or NULL. */
  const char *authorities; /**< TLS: a file of trusted certificates; NULL: the system's. */
  const char *certificate; /**< TLS: a file with this side's certificate; or NULL. */
  const char *key;         /**< TLS: a file with the certificate's key; or NULL. */
  const char *host;        /**< TLS: the host that the certificate must name; NULL: the URL's. */

  /** The prefix of subjects; NULL: the journal's file name up to its first dot; for requests, "mainstem". */
  const char *prefix;
  const char *stream; /**< The stream; NULL (not import): the prefix, with `_` for each dot. */
  uint32_t replicas;  /**< Mirror: how many servers keep a stream that it creates; 0: one. */
  /** Mirror: how many entries may wait for the server's answer; 0: 4,096. Requests: how many may be open; 0: 4,096.
      Import: how many entries are imported at once; 0: 512. */
  uint32_t window;

  const char *const *layers; /**< Mirror: only events of these layers, by name; NULL: all. */
  const char *const *types;  /**< Only events of these types, by name; NULL (not import): all. */
  uint32_t layer_count;      /**< The number of layers. */
  uint32_t type_count;       /**< The number of types. */

  const char *queue;   /**< Serve: the group that shares the requests; NULL: "mainstem". */
  uint32_t timeout_ms; /**< Requests: the longest time until the answer; 0: 60,000. */
  mainstem_scheduler
      scheduler; /**< Forward: the scheduler of its server; 0: MAINSTEM_SCHEDULER_HOST. */
  /** Import: the names of the types in this context; a NULL array, or a NULL in it: the same name as in `types`. */
  const char *const *as;
  /** Import: only entries of the journal with this id of 32 digits; NULL: of all journals. */
  const char *source;
  const char *scope; /**< Import: the name of its scope; NULL: "import.STREAM". */
  const mainstem_scope_options
      *rights;         /**< Import: the rights of its scope; NULL: the context's. */
  const char *durable; /**< Import: the consumer's name; NULL: "import-" and the journal's id. */
  const char *journal; /**< Import: the context's own journal, if it is recorded. */
} mainstem_nats_options;

/* Counters --------------------------------------------------------------------------------------- */

/* In mainstem_nats_stats.state. */
#define MAINSTEM_NATS_WAITING 0 /**< It has no usable server, and tries again. */
#define MAINSTEM_NATS_RUNNING 1 /**< It is working, or has nothing to do. */
#define MAINSTEM_NATS_STOPPED 2 /**< It has stopped: see `status`. */

/** The state and the counters of a bridge. */
typedef struct mainstem_nats_stats {
  uint32_t size;          /**< sizeof(mainstem_nats_stats), set by the caller. */
  uint32_t state;         /**< MAINSTEM_NATS_WAITING, _RUNNING or _STOPPED. */
  mainstem_status status; /**< MAINSTEM_OK while it runs; otherwise why it waits or has stopped. */
  uint32_t begun;         /**< How often it began to work over a new connection. */
  uint64_t read;          /**< The last position read. */
  uint64_t done;          /**< The last position that is known to be in the stream. */
  uint64_t entries;       /**< Events whose entries the server acknowledged; answered requests. */
  uint64_t bytes;         /**< Bytes of their data; payloads of requests and answers. */
  uint64_t left_out;      /**< Payloads not sent because they are too large for the server; for an
                               import, see nats_import.h. */
  uint64_t refused;       /**< Entries that were refused, or acknowledged as other entries; messages
                               in the stream that look like the journal's, but that no mirror made;
                               answers without an open request; messages that no bridge sends. */
  uint64_t lost;          /**< Positions in files that the recording program removed (its option
                               `keep`) before they were read; answers and progress that could not
                               be sent, because there was no connection. */
  uint64_t open;          /**< Requests that have no answer yet. */
  uint64_t repeated;      /**< Entries that were imported before, and skipped. */
  char message[256];      /**< The message of the last failure; may be empty. */
} mainstem_nats_stats;

/**
 * Reads the state and the counters of a bridge.
 *
 * Thread: any. Null: `stats` must not be NULL; `stats->size` must be set.
 * Errors: INVALID (NULL, size unknown), UNSUPPORTED (a larger size), STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_stats_read(mainstem_nats *bridge,
                                                      mainstem_nats_stats *stats);

/**
 * Returns when all work that was waiting at the time of the call is done. For a mirror, the stream then has all records
 * that the journal had at that time; for a bridge of requests, the server then has all messages that the bridge had to
 * send.
 *
 * Waits: at most `timeout_ms`; negative: without limit. The call does not wait until the program makes room in a queue.
 * BUSY means that the bridge has been waiting for 2 seconds for room in a queue of the program (MAINSTEM_QUEUE_BLOCK),
 * and cannot continue before there is room. Perhaps only the calling thread can make room in that queue: make room, and
 * flush again.
 * Thread: any.
 * Errors: TIMEOUT, CANCELLED (the bridge was closed meanwhile), BUSY (see above; an import: in a callback), the status
 * with which the bridge has stopped; INVALID, STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_flush(mainstem_nats *bridge, int64_t timeout_ms);

/**
 * Ends a bridge. Records that a mirror has not sent yet are sent by the next mirror of the journal. Open requests are
 * answered CANCELLED on both sides. NULL does nothing.
 *
 * Waits: for a running call to the server, but at most 2 seconds if the server does not answer; while the bridge is
 * connecting, also for each unreachable server in the URL. If a bridge of requests waits for room in a queue of the
 * program (MAINSTEM_QUEUE_BLOCK), the call does not wait for that room: the bridge's thread ends when there is room, or
 * when the context is closed.
 * Thread: any; for requests and imports: the thread of their context; for requests, also in callbacks.
 * Errors: INVALID, STALE, FORKED, WRONG_THREAD (see above; the bridge continues), BUSY (an import, in two cases: the
 * call was made in a callback, and the import continues; or the import has stopped, but its note has waited for 2
 * seconds for room in a queue of the program: make room, and call mainstem_nats_close again).
 */
MAINSTEM_API mainstem_status mainstem_nats_close(mainstem_nats *bridge);

#ifdef __cplusplus
}
#endif

#endif

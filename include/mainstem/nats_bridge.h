// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Bridges: what all of them have in common. Options, handles, how they do, flush and close.
 */

#ifndef MAINSTEM_NATS_BRIDGE_H
#define MAINSTEM_NATS_BRIDGE_H

#include "journal.h"
#include "scopes.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A bridge, with a thread and a connection of its own: a mirror, an import, requests that are served or forwarded. While
 * it connects, another thread sees to it that no server is waited for without end.
 * Ended by mainstem_nats_close.
 *
 * Like other handles it is never dereferenced: a bad one returns INVALID, one that has ended STALE, and one that was
 * made before a fork FORKED.
 */
typedef struct mainstem_nats mainstem_nats;

/**
 * Returns the message of the last call of this library that failed on this thread, as mainstem_last_error does for
 * libmainstem.
 *
 * Owner: the library; valid until the next failing call on this thread. Never NULL. Thread: any.
 */
MAINSTEM_API const char *mainstem_nats_last_error(void);

/* Options ---------------------------------------------------------------------------------------- */

/** The connection uses TLS, also where the URL does not say so. */
#define MAINSTEM_NATS_TLS 1

/**
 * Options of all calls that connect. Texts are UTF-8 and copied.
 *
 * Each field that is not about the connection is for the calls that it names. Set for another call, it is INVALID.
 */
typedef struct mainstem_nats_options {
  uint32_t size;  /**< sizeof this struct. */
  uint32_t flags; /**< MAINSTEM_NATS_TLS or 0. */

  const char *url;  /**< Servers, separated by commas; NULL: "nats://localhost:4222". */
  const char *name; /**< What the server calls the connection; NULL: "mainstem mirror" and so on. */
  const char *user; /**< With `password`; or NULL. */
  const char *password;    /**< Of `user`; or NULL. */
  const char *credentials; /**< A file of credentials (.creds); or NULL. */
  const char *authorities; /**< TLS: a file of the certificates to trust; NULL: the system's. */
  const char *certificate; /**< TLS: a file with this side's certificate; or NULL. */
  const char *key;         /**< TLS: a file with its key; or NULL. */
  const char *host;        /**< TLS: the host that the certificate must name; NULL: the URL's. */

  /** How subjects begin; NULL: the journal's file name up to its first dot; of requests: "mainstem". */
  const char *prefix;
  const char *stream; /**< Which stream; NULL (not import): the prefix, with `_` for each dot. */
  uint32_t replicas;  /**< Mirror: on how many servers, where the stream is made; 0: one. */
  /** Mirror: how many entries may wait for the server's answer. Requests: how many may be open. 0: 4,096.
      Import: how many entries are taken in at once; 0: 512. */
  uint32_t window;

  const char *const *layers; /**< Mirror: only events of these layers, by name; NULL: all. */
  const char *const *types;  /**< Only events of these types, by name; NULL (not import): all. */
  uint32_t layer_count;      /**< How many layers. */
  uint32_t type_count;       /**< How many types. */

  const char *queue;   /**< Serve: the group that shares the requests; NULL: "mainstem". */
  uint32_t timeout_ms; /**< Requests: how long one may stay without its answer; 0: 60,000. */
  mainstem_scheduler
      scheduler; /**< Forward: where it takes requests; 0: MAINSTEM_SCHEDULER_HOST. */
  const char *const
      *as;            /**< Import: what the types are called here; NULL, also of one: the same. */
  const char *source; /**< Import: only of this journal, by its id of 32 digits; NULL: of all. */
  const char *scope;  /**< Import: the name of its scope; NULL: "import.STREAM". */
  const mainstem_scope_options *rights; /**< Import: of its scope; NULL: what the context may. */
  const char *durable; /**< Import: the consumer's name; NULL: "import-" and the journal's id. */
  const char *journal; /**< Import: the context's own journal, if it is recorded. */
} mainstem_nats_options;

/* How it does ------------------------------------------------------------------------------------ */

/* In mainstem_nats_stats.state. */
#define MAINSTEM_NATS_WAITING 0 /**< It has no server that does its part, and tries again. */
#define MAINSTEM_NATS_RUNNING 1 /**< It works, or has nothing to do. */
#define MAINSTEM_NATS_STOPPED 2 /**< It has stopped: see `status`. */

/** How a bridge does. */
typedef struct mainstem_nats_stats {
  uint32_t size;          /**< sizeof(mainstem_nats_stats), set by the caller. */
  uint32_t state;         /**< MAINSTEM_NATS_WAITING, _RUNNING or _STOPPED. */
  mainstem_status status; /**< MAINSTEM_OK while it runs; else why it waits or has stopped. */
  uint32_t begun;         /**< How often it began, with a new connection. */
  uint64_t read;          /**< The last position read. */
  uint64_t done;          /**< The last position that the stream is known to have. */
  uint64_t entries;  /**< Events of which the server acknowledged the entries; requests answered. */
  uint64_t bytes;    /**< Bytes of their data; payloads of requests and answers. */
  uint64_t left_out; /**< Payloads that are too large for the server, and were not sent. */
  uint64_t refused;  /**< Entries refused, or acknowledged as others than were sent; messages
                               in the stream that look like the journal's, but no mirror made
                               them; answers that nothing waits for, and what no bridge sends. */
  uint64_t lost;     /**< Positions that a flight recorder removed before they were read;
                               answers and progress that found no connection. */
  uint64_t open;     /**< Requests that have no answer yet. */
  uint64_t repeated; /**< Entries that had come already, and were skipped. */
  char message[256]; /**< The last thing that went wrong; may be empty. */
} mainstem_nats_stats;

/**
 * Reads how a bridge does.
 *
 * Thread: any. Null: `stats` must not be NULL; `stats->size` must be set.
 * Errors: INVALID (NULL, size unknown), UNSUPPORTED (a larger size), STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_stats_read(mainstem_nats *bridge,
                                                      mainstem_nats_stats *stats);

/**
 * Returns when all is done that there was to do at the call: the stream has everything that the journal had; the server
 * has what the bridge of requests had to send.
 *
 * Waits: at most `timeout_ms`; negative: without end. Not behind the program: BUSY says that the bridge has waited for 2
 * seconds for room in a queue of the program's (MAINSTEM_QUEUE_BLOCK), and nothing goes on before. Perhaps this thread
 * alone makes room there. Do so, and flush again. Thread: any.
 * Errors: TIMEOUT, CANCELLED (it was closed meanwhile), BUSY (see above; an import: in a callback), the status for which
 * it has stopped; INVALID, STALE, FORKED.
 */
MAINSTEM_API mainstem_status mainstem_nats_flush(mainstem_nats *bridge, int64_t timeout_ms);

/**
 * Ends a bridge. What a mirror has not sent is sent by the next one. Requests that are open are answered CANCELLED, on
 * both sides. NULL does nothing.
 *
 * Waits: for the call to the server that is under way, 2 seconds at most where it does not answer; while it connects, for
 * each server of the URL that cannot be reached. Not for room in a queue of the program's (MAINSTEM_QUEUE_BLOCK) for
 * which a bridge of requests waits: then its thread ends by itself, when there is room or the context is closed.
 * Thread: any; of requests and imports: that of their context; of requests callbacks may call it, too.
 * Errors: INVALID, STALE, FORKED, WRONG_THREAD (see above; it goes on), BUSY (an import: in a callback, and it goes on;
 * or it has stopped, but its note waits for room in a queue of the program's, for 2 seconds now: make room, and close
 * it again).
 */
MAINSTEM_API mainstem_status mainstem_nats_close(mainstem_nats *bridge);

#ifdef __cplusplus
}
#endif

#endif

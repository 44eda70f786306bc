// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Requests with timeouts, progress, cancelling or a shared answer; servers with options; counting open requests. Guide:
 * docs/requests.md.
 */

#ifndef MAINSTEM_REQUESTS_H
#define MAINSTEM_REQUESTS_H

#include "observing.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Servers ------------------------------------------------------------------------------------------------ */

/**
 * The handler gets only events sent through its server: by the server itself, by the server's timers, or by code that
 * has the server's handle.
 */
#define MAINSTEM_HANDLER_OWN 1

/** The handler gets only events that views wrote (MAINSTEM_EVENT_WRITTEN). Requires MAINSTEM_HANDLER_OWN. */
#define MAINSTEM_HANDLER_WRITTEN 2

/**
 * The effect of a handler on the values of its server: at most one of these flags. If the name of the type also names
 * an effect (`RequestFetchEntries`, `Diary.loadMore`), flag and name must agree.
 *
 * A handler with MAINSTEM_HANDLER_FETCH changes no value of its server: not in its own function, not in the handlers of
 * requests that it makes, and not when these requests are answered. In all of these places, mainstem_value_set returns
 * INVALID, and the callback counts as failed (law 7).
 */
#define MAINSTEM_HANDLER_FETCH 4      /**< Gets data, and changes no value of its server. */
#define MAINSTEM_HANDLER_RELOAD 8     /**< Gets a list again. */
#define MAINSTEM_HANDLER_LOAD_MORE 16 /**< Gets the next part of a list. */
#define MAINSTEM_HANDLER_UPDATE 32    /**< Gets one item again, or changes it. */
#define MAINSTEM_HANDLER_PERFORM 64   /**< Performs an action, such as signing in. */

/**
 * Several servers may handle the request; each of their rows needs this flag. The first answer counts.
 */
#define MAINSTEM_HANDLER_SEVERAL 128

/**
 * Sends, on each call, everything that the server currently shows: all values and notices. See
 * mainstem_server_add_with. `types` is mainstem_server_options.show_types.
 */
typedef mainstem_status (*mainstem_show_fn)(void *user_data, mainstem_context *server,
                                            const mainstem_event_type *types);

/** Options for a server. */
typedef struct mainstem_server_options {
  uint32_t size;                /**< sizeof this struct. */
  uint32_t flags;               /**< Must be 0. */
  mainstem_scheduler scheduler; /**< Where its handlers run: MAINSTEM_SCHEDULER_… */
  uint32_t policy;              /**< MAINSTEM_QUEUE_REJECT or _BLOCK: when a queue is full. */
  size_t limit_events;          /**< Events that may wait for each handler; 0: 65,536. */
  size_t limit_bytes;    /**< Bytes of payload that may wait; 0: 64 MiB. One event may exceed it. */
  mainstem_show_fn show; /**< Sends the values that the server shows; NULL: none. */
  const mainstem_event_type *show_types; /**< For `show`; not copied. May be NULL. */
} mainstem_server_options;

/**
 * Adds a server on a scheduler, such as its own thread, or with a show function. Otherwise like mainstem_server_add.
 *
 * On a scheduler, handlers are called in stream order, one at a time. Events and answers that these handlers send are
 * inputs (law 11); a replay does not call the handlers. On a serial scheduler, handlers may send requests only in a
 * MAINSTEM_THREADS_ANY context.
 *
 * If a handler's queue is full, the call that sends a request returns FULL (MAINSTEM_QUEUE_REJECT), or waits
 * (MAINSTEM_QUEUE_BLOCK; but it returns FULL in a callback, or if only the calling thread could make room). An accepted
 * request is never lost. An event that cannot be refused, such as a timer's, may be lost; this counts as a failed
 * callback (FULL).
 *
 * `show` gets the server's user_data. It is called once for each event that the server's immediate callbacks got, after
 * all observers and the requester have got that event (law 14). It may read, set values and send notices; all other
 * calls that wait or change the stream return BUSY. If `show` returns FULL or NO_MEMORY, it is called again after the
 * next event. If it returns any other status except OK, this counts as a failed callback (law 7), unless the status is
 * STALE and the context is closing. `show` counts as one observer.
 *
 * Null: server. Thread: context.
 * Errors: as mainstem_server_add, and INVALID (`options->flags` not 0, an unknown scheduler or policy, a policy that
 * drops events, or a scheduler together with a show function), TOO_BIG (a limit of the queue that no memory can hold).
 */
MAINSTEM_API mainstem_status mainstem_server_add_with(mainstem_context *context, const char *name,
                                                      const mainstem_handler_row *rows,
                                                      size_t row_size, size_t count,
                                                      const mainstem_server_options *options,
                                                      void *user_data, mainstem_release_fn release,
                                                      mainstem_context **server);

/* Requests ----------------------------------------------------------------------------------------------- */

/** Options for a request. */
typedef struct mainstem_request_options {
  uint32_t size;                /**< sizeof this struct. */
  uint32_t flags;               /**< Must be 0. */
  mainstem_event_fn progress;   /**< Gets each step of progress; NULL: not wanted. */
  int64_t timeout_ms;           /**< After this time the answer is TIMEOUT; 0: never. */
  mainstem_scheduler scheduler; /**< Where `fn`, progress and `release` run: MAINSTEM_SCHEDULER_… */
  uint32_t share;               /**< 1: equal requests share one answer; 0: not shared. */
} mainstem_request_options;

/**
 * Sends a request with progress, a timeout, a scheduler, or a shared answer. Otherwise like mainstem_request.
 *
 * `options->progress` gets user_data and each event of mainstem_respond_progress, after that event's observers and
 * before the answer. `release` is called after `fn` has returned. The memory that these functions use must be freed in
 * `release`, not in the release hook of the server that made the request: that hook runs before the server's open
 * requests are answered (mainstem_release_fn).
 *
 * On a scheduler, `fn` and `progress` are called in stream order; calls that are still waiting when the context closes
 * are made on the thread that closes it. A step of progress may be lost when memory is short.
 *
 * `timeout_ms` uses the context's clock. When this time has passed, the next drain, wait or mainstem_context_advance
 * answers the request TIMEOUT; if the server responds later, its call returns STALE.
 *
 * With `share`, open requests that have the same type and payload (compared byte by byte) share an answer. The library
 * sends one request of its own for all of them. Handlers get only the library's request; observers also see the
 * requesters' own requests, with the flag MAINSTEM_EVENT_SHARED. Each requester gets a copy of every step of progress
 * and of the answer; copies are delivered in the order of the requests. Each request has its own timeout. If the
 * library's request is refused, the answer to each requester is FULL, LIMIT or NO_MEMORY.
 *
 * Null: fn, pending. Thread: context.
 * Errors: as mainstem_request, and INVALID (`options->flags` not 0, an unknown scheduler, a `share` neither 0 nor 1, or
 * a time below 0). After an error, none of the functions is called. There is one exception: if the journal failed after
 * delivery, the progress function may already have been called; if it is still running on its scheduler,
 * mainstem_request_with waits until it returns.
 */
MAINSTEM_API mainstem_status
mainstem_request_with(mainstem_context *context, mainstem_event_type type, const void *data,
                      size_t size, const mainstem_request_options *options, mainstem_event_fn fn,
                      void *user_data, mainstem_release_fn release, mainstem_pending **pending);

/**
 * Cancels a request: it is answered CANCELLED, and a later call to mainstem_respond returns STALE. NULL does nothing.
 * Thread: context. Errors: STALE (it has its answer).
 */
MAINSTEM_API mainstem_status mainstem_pending_cancel(mainstem_pending *pending);

/**
 * Gets the position of an open request; the answer will have this position in `answers`.
 * Thread: any. Errors: STALE (it has its answer).
 */
MAINSTEM_API mainstem_status mainstem_pending_position(mainstem_pending *pending,
                                                       uint64_t *position);

/* Answers ------------------------------------------------------------------------------------------------ */

/**
 * Answers a request with a failure, as mainstem_error (types.h) describes it. Otherwise like mainstem_respond_error.
 * Thread: any. Errors: as mainstem_respond_error.
 */
MAINSTEM_API mainstem_status mainstem_respond_error_with(const mainstem_event *event,
                                                         const mainstem_error *error);

/** Called when the server's answer is no longer wanted: see mainstem_event_on_settled. */
typedef void (*mainstem_settled_fn)(void *user_data);

/**
 * Calls `fn` when a request is settled by something other than this server's answer, so that the server can stop
 * working on it.
 *
 * Call this in the callback that got the request, before answering. `fn` is called once if the request is cancelled,
 * times out, or gets another server's answer, or if the requesting scope ends or the context closes. It is not called
 * if this server answers or ends first, or if the request was sent by mainstem_send.
 *
 * `fn` runs where the callback runs. If the callback is immediate, `fn` is called after the answer's immediate
 * observers and, unless it is scheduled, the requester's function. If the callback is on a scheduler, `fn` is called
 * there, in order, no later than when the context closes. If the answer has already been delivered, `fn` is called
 * inside this call. If several functions were passed for one request, they are called in the order in which they were
 * passed.
 *
 * `release` is called once: after `fn` has returned, or as soon as it is certain that `fn` will not be called. This may
 * happen inside this call, and happens no later than when the context closes. If the answer cannot be recorded (law
 * 10), only `release` is called.
 *
 * Thread: callback.
 * Errors: INVALID (not a request, or not the event of a callback on this thread), WRONG_THREAD (the event belongs to
 * another thread), STALE (the context is closed), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_event_on_settled(const mainstem_event *event,
                                                       mainstem_settled_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/**
 * Checks whether a request has been answered. This is for handlers on a scheduler that block or compute for a long
 * time.
 *
 * `event` is the event that a callback got, or a copy. An answer from the handler's own server counts, too. If the
 * request was only sent (mainstem_send), `*settled` is always false.
 * Thread: any. Errors: INVALID (not a request), STALE (the context is closed).
 */
MAINSTEM_API mainstem_status mainstem_event_is_settled(const mainstem_event *event, bool *settled);

/* Open requests ------------------------------------------------------------------------------------------ */

/**
 * Counts the open requests of a type; with MAINSTEM_TYPE_ANY, of all types. Requests sent by mainstem_send do not
 * count.
 *
 * A request is open until its answer is delivered. When observers get the answer to the last open request, the count is
 * already 0. A request that another thread has answered stays open until a drain delivers the answer.
 * Thread: context. Errors: INVALID (no such type, or not a request), DENIED.
 */
MAINSTEM_API mainstem_status mainstem_request_count(mainstem_context *context,
                                                    mainstem_event_type type, uint64_t *count);

/**
 * Reports when a request type becomes busy, and when it becomes idle again.
 *
 * Each change is reported by one event "MainstemActivity" (the system layer, JSON: type, count), whose cause is the
 * request or the answer; the count is 0 when the type is idle. A type is busy when a request has reached its handlers
 * and is still open, and idle when its last answer has reached all observers. Requests that are already open when this
 * function is called are not reported.
 *
 * With MAINSTEM_TYPE_ANY, each request type is reported separately, including types that are added later. Calling the
 * function again for a type does nothing.
 * Thread: context. Errors: INVALID (no such type, or not a request), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_activity_report(mainstem_context *context,
                                                      mainstem_event_type type);

#ifdef __cplusplus
}
#endif

#endif

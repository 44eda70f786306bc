// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Handlers: servers that answer, requests that are answered.
 */

#ifndef MAINSTEM_HANDLERS_H
#define MAINSTEM_HANDLERS_H

#include "flow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Servers ---------------------------------------------------------------------------------------- */

/** A server's function for one event type. */
typedef struct mainstem_handler_row {
  const char *type;     /**< The name of a registered event type. */
  mainstem_event_fn fn; /**< Called with the server's user_data. */
} mainstem_handler_row;

/**
 * Makes a server: a scope with a table of handlers, all of which get the same user_data.
 *
 * A handler is called for each event of its type, sent or requested, and first for those that
 * mainstem_history_keep keeps of it. For a request it answers with mainstem_respond or
 * mainstem_respond_error, in the call or later (mainstem_event_retain). It may also observe other types, and
 * send. Through `event->context` it speaks as the server.
 *
 * Several servers may handle one type; the first answer counts. When the last server that got a request as it
 * was asked has ended, the request is answered MAINSTEM_CANCELLED, also where another one was added since.
 * `row_size` is sizeof of one row.
 * `release`, if not NULL, is called once when the server has ended and its last call is over.
 *
 * Owner: the caller, who may end it with mainstem_scope_end; it ends with its parent. `*server` is set before
 * a handler is called. Thread: context. Reentrant: yes. Null: user_data, release and server may be NULL.
 * Errors: INVALID (name, rows, an unregistered type, a NULL function), TOO_BIG (the name), STALE,
 * DENIED, WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY. A failed call has changed nothing.
 */
MAINSTEM_API mainstem_status mainstem_server_add(mainstem_context *context, const char *name,
                                                 const mainstem_handler_row *rows, size_t row_size,
                                                 size_t count, void *user_data,
                                                 mainstem_release_fn release,
                                                 mainstem_context **server);

/* Requests ---------------------------------------------------------------------------------------- */

/**
 * Asks, and gets exactly one final response (law 8).
 *
 * The type must have the role request and name its response. The response is an event of that type, on
 * the stream like any other; `fn` (may be NULL) gets it once, after all its immediate observers. Its status
 * is MAINSTEM_OK, or a code with an error: the server's, MAINSTEM_TIMEOUT (see mainstem_request_with),
 * MAINSTEM_UNHANDLED (no server of the type got the request, which is decided when it has reached its
 * observers; the sentence names the servers there are then), MAINSTEM_CANCELLED (the last server that got
 * the request ended, the scope that asked ended, the request was cancelled, or the context closed).
 * Outside callbacks the answer of a server that answers at once has come when this returns.
 *
 * Owner: bytes as in mainstem_send. `*pending` is set before anybody sees the request; the handle ends with
 * the answer. Thread: context. Reentrant: yes.
 * Null: fn, user_data and pending may be NULL; data when size is 0.
 * Errors: as mainstem_send, and INVALID (no request, or a request that names no registered response),
 * LIMIT, NO_MEMORY. After an error `fn` is never called.
 */
MAINSTEM_API mainstem_status mainstem_request(mainstem_context *context, mainstem_event_type type,
                                              const void *data, size_t size, mainstem_event_fn fn,
                                              void *user_data, mainstem_pending **pending);

/** How a request is asked. */
typedef struct mainstem_request_options {
  uint32_t size;                /**< Set by mainstem_request_options_init. */
  uint32_t flags;               /**< None yet: 0. */
  mainstem_event_fn progress;   /**< Gets each step of progress; NULL: none is wanted. */
  int64_t timeout_ms;           /**< After so long the core answers, with TIMEOUT; 0: never. */
  mainstem_scheduler scheduler; /**< Where `fn`, progress and the hook run: MAINSTEM_SCHEDULER_… */
} mainstem_request_options;

/** Fills options with their defaults. As mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_request_options_init(mainstem_request_options *options,
                                                           size_t size);

/**
 * Asks as options describe.
 *
 * As mainstem_request. `options->progress` gets the events of mainstem_respond_progress, each after all
 * its observers, before the answer and never after it, with the same user_data. `release`, if not NULL,
 * is called once when the answer has been given to `fn`: the library will not use user_data again.
 *
 * On a scheduler `fn` and progress run in the order of the stream, like scheduled observers; the place of the
 * answer is reserved, a step of progress may be lost for want of memory. close runs, on its own thread,
 * what waits of them then.
 *
 * `options->timeout_ms` is by the context's clock, as timers are: inside the drain, wait or advance that is
 * then due the request is answered with MAINSTEM_TIMEOUT, unless it has been answered. The server is not
 * interrupted; its response is then refused as STALE.
 *
 * Errors: as mainstem_request, and INVALID (options is NULL, has no size, an unknown flag or scheduler, or
 * a time below 0), UNSUPPORTED (options of a newer library). After an error none of the three is called.
 * Where a journal fails behind the delivery, a step may have been called before; one that still runs on its
 * scheduler comes to its end first.
 */
MAINSTEM_API mainstem_status
mainstem_request_with(mainstem_context *context, mainstem_event_type type, const void *data,
                      size_t size, const mainstem_request_options *options, mainstem_event_fn fn,
                      void *user_data, mainstem_release_fn release, mainstem_pending **pending);

/**
 * Gives up a request: it is answered with MAINSTEM_CANCELLED. A later response is refused as STALE.
 *
 * NULL does nothing. Thread: context. Reentrant: yes.
 * Errors: STALE (it has its answer), WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_pending_cancel(mainstem_pending *pending);

/**
 * The position of a request that is still open: `answers` of the response to come.
 *
 * Thread: any. Errors: INVALID (NULL), STALE (it has its answer), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_pending_position(mainstem_pending *pending,
                                                       uint64_t *position);

/**
 * Answers a request with a payload of its response type.
 *
 * `event` is the request: the one a callback got, or a kept one. The response has the request's position
 * as `answers` and its correlation; its cause is the event of the callback it is given in, 0 outside.
 * For a request that was only sent the response is a plain event, owed to nobody.
 *
 * From a thread that is not the context's own the answer counts at once and reaches its observers when
 * the context drains. Owner: bytes as in mainstem_send. Thread: any. Reentrant: yes.
 * Errors: INVALID (NULL, no request, no registered response, or the payload breaks the contract),
 * TOO_BIG, DENIED, STALE (already answered, or the context is closed), NO_MEMORY; where the request was only
 * sent also FULL and LIMIT, as mainstem_send. After an error the request stays open.
 */
MAINSTEM_API mainstem_status mainstem_respond(const mainstem_event *event, const void *data,
                                              size_t size);

/**
 * Answers a request with an error: a code and a sentence.
 *
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Sentence: UTF-8, copied, may be NULL; it is
 * what `event->text` shows.
 * Thread, errors: as mainstem_respond.
 */
MAINSTEM_API mainstem_status mainstem_respond_error(const mainstem_event *event,
                                                    mainstem_status code, const char *sentence);

/** Answers a request with an error in full. As mainstem_respond_error; `error->size` must be set. */
MAINSTEM_API mainstem_status mainstem_respond_error_with(const mainstem_event *event,
                                                         const mainstem_error *error);

/**
 * Says how far a request has come, by an event of a type of the server's choice; any number of times.
 *
 * The type must be a notice: a response is always the one final answer, so nobody can take a step for it.
 * The event has the request's position as `answers`, its correlation, and MAINSTEM_EVENT_PROGRESS among
 * its flags. It is on the stream like any other; after its observers it goes to the progress function of
 * the request, if that has one. The request stays open. For a request that was only sent it is a plain
 * event.
 *
 * It never has a place after the final answer: then it is refused. From a thread that is not the context's
 * own it waits, in order with that thread's answers, until the context drains; what still waits when the
 * request has been answered from elsewhere is dropped.
 *
 * Owner: bytes as in mainstem_send. Thread: any. Reentrant: yes.
 * Errors: INVALID (NULL, `event` is not a request, `type` is not a notice, or the payload breaks its contract),
 * TOO_BIG, DENIED, FULL (as mainstem_send, or 1,024 steps wait on the scheduler that wants them; a step of a
 * tracked request that is given from another thread is never refused by an observer's queue), LIMIT, STALE
 * (already answered, or the context is closed), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_respond_progress(const mainstem_event *event,
                                                       mainstem_event_type type, const void *data,
                                                       size_t size);

/* Activity ---------------------------------------------------------------------------------------- */

/**
 * How many tracked requests of a type have no answer yet; of MAINSTEM_TYPE_ANY, of all types.
 *
 * An answer counts from the moment it is given: the observers of the last response read 0.
 * Thread: context. Reentrant: yes. Null: no argument may be NULL.
 * Errors: INVALID (no such type, or no request), DENIED, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_activity(mainstem_context *context, mainstem_event_type type,
                                               uint64_t *count);

/**
 * Makes the activity of a request type events, for loading indicators: from now on "MainstemActivity"
 * (layer system, JSON: type, count) says when the type becomes busy, and when it is idle again: count 0.
 *
 * A type is busy when a request has reached its handlers and is still open: what is answered at once
 * makes no event. It is idle when the last of its answers has reached everybody. The cause is the request
 * or answer in question. Each is told once, and cannot fail: its memory is taken with the request. What
 * is open already when this is called is not told; read it.
 *
 * MAINSTEM_TYPE_ANY: every request type, each by itself, those registered later too. Asked for once, in
 * the program: that somebody observes changes nothing on the stream. Asking again does nothing.
 * Thread: context. Reentrant: yes.
 * Errors: INVALID (no such type, or no request), STALE, WRONG_KIND, WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_activity_report(mainstem_context *context,
                                                      mainstem_event_type type);

#ifdef __cplusplus
}
#endif

#endif

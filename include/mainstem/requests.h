// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Requests: timeouts, cancelling, sharing one answer; servers with options; how many requests are open.
 */

#ifndef MAINSTEM_REQUESTS_H
#define MAINSTEM_REQUESTS_H

#include "observing.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Servers ------------------------------------------------------------------------------------------------ */

/**
 * The handler gets only what is sent through its server's own scope: by the server itself, by its timers, and
 * by any other code that has the server's handle.
 */
#define MAINSTEM_HANDLER_OWN 1

/** The handler gets only what views wrote (MAINSTEM_EVENT_WRITTEN). It must be an own handler, too. */
#define MAINSTEM_HANDLER_WRITTEN 2

/**
 * What a handler does to the values of its server; a handler has one of these, or none. If the name of its type
 * says it, too, both must agree: `RequestFetchEntries`, `Diary.loadMore`. Without a flag, a name promises nothing.
 *
 * A fetch changes no value of its server: neither in its function, nor in what it asks for, nor when that is
 * answered. mainstem_value_set is then refused as INVALID, and the call of the handler, the completion or the
 * show function has failed (law 7); the message names the value and the request. What a server shows first is
 * no change. Where fetches ask each other, this holds for the servers of the four innermost ones. The library does
 * not know what a handler does later, in a timer or with a retained request.
 */
#define MAINSTEM_HANDLER_FETCH 4      /**< Gets something, and changes no value of its server. */
#define MAINSTEM_HANDLER_RELOAD 8     /**< Gets a list anew. */
#define MAINSTEM_HANDLER_LOAD_MORE 16 /**< Gets the next part of a list. */
#define MAINSTEM_HANDLER_UPDATE 32    /**< Gets one thing anew, or changes it. */
#define MAINSTEM_HANDLER_PERFORM 64   /**< Does something, such as signing in. */

/**
 * Several servers handle the request on purpose: each of their handlers says so. All of them are called, and the
 * first answer counts.
 */
#define MAINSTEM_HANDLER_SEVERAL 128

/**
 * A server's show function: it says what the server shows now, as values and notices. It says all of it, every
 * time; `types` is mainstem_server_options.show_types. See mainstem_server_add_with.
 */
typedef mainstem_status (*mainstem_show_fn)(void *user_data, mainstem_context *server,
                                            const mainstem_event_type *types);

/** Options for a server. */
typedef struct mainstem_server_options {
  uint32_t size;                /**< sizeof this struct. */
  uint32_t flags;               /**< None yet; must be 0. */
  mainstem_scheduler scheduler; /**< Where its handlers run: MAINSTEM_SCHEDULER_… */
  uint32_t policy;              /**< MAINSTEM_QUEUE_REJECT or _BLOCK: when a queue is full. */
  size_t limit_events;          /**< Events that may wait for each handler; 0: 65,536. */
  size_t limit_bytes; /**< Bytes of payload that may wait; 0: 64 MiB. A lone event may exceed it. */
  mainstem_show_fn show; /**< Says what the server shows, after each event it got; NULL: nothing. */
  const mainstem_event_type *show_types; /**< Given to `show`; not copied. May be NULL. */
} mainstem_server_options;

/**
 * Adds a server as options describe, for example one that uses a disk or a network on a thread of its own.
 *
 * Like mainstem_server_add. On a scheduler, the handlers are called like scheduled observers: in stream order, one
 * at a time. So a handler that takes long holds up no other event. What it answers and sends is an input (law
 * 11), so in a replay its handlers are not called, and the server need not be there.
 *
 * On a serial scheduler it can ask other servers only in a MAINSTEM_THREADS_ANY context.
 *
 * A request finds room in the queue of each of its handlers, or the call that sends it is refused with FULL
 * (MAINSTEM_QUEUE_REJECT) or waits (MAINSTEM_QUEUE_BLOCK, which also refuses inside a callback, or where only the
 * caller could make room); a request that was accepted is never lost. When the server
 * ends, what waits for it is dropped, and its requests are answered MAINSTEM_CANCELLED unless another server got them.
 * An event that cannot be refused, such as a timer's, is lost to a handler whose queue is full. That counts as a failed
 * call of the handler, with MAINSTEM_FULL.
 *
 * **Showing** (law 14). `options->show` is called, with the server's user_data, once for each event that an immediate
 * callback made through the server got: a handler, an observer, progress, the answer to a request that it asked in a
 * callback, or mainstem_event_on_settled. It is called when that event has reached all its observers and the
 * requester, before the next event is delivered; servers in the order in which they got it. What it sends has that
 * event as its cause. Answers that those callbacks give with mainstem_respond to a tracked request count at once, but
 * take their place after what `show` has sent, even if it fails.
 *
 * The first call comes after the current event if a callback adds the server; otherwise, in the next call that sends,
 * asks, answers, drains or waits outside callbacks, before it does so. In a context that delivers on the host, only
 * a call that drains makes it. What the first call sends then is an input without a cause (law 11), and the stream has
 * room for it, beyond mainstem_context_options.limit_events and limit_bytes.
 *
 * `show` may read, set values and send notices. Whatever else changes the stream is refused with BUSY, also what
 * waits. If it returns FULL or NO_MEMORY, it is called again after the next event; the first one, outside callbacks,
 * before the next of those calls. STALE is no failure while the context closes. Any other status but OK is a failed
 * callback (law 7). `show` counts as one observer.
 *
 * Null: server; options NULL: like mainstem_server_add.
 * Errors: as mainstem_server_add, and INVALID (options without a size, an unknown flag, scheduler or policy, a policy
 * that drops events, or a scheduler and a show function), TOO_BIG (a limit of the queue that no memory can hold).
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
  uint32_t flags;               /**< None yet; must be 0. */
  mainstem_event_fn progress;   /**< Gets each progress event; NULL: none wanted. */
  int64_t timeout_ms;           /**< The core answers TIMEOUT after this time; 0: never. */
  mainstem_scheduler scheduler; /**< Where `fn`, progress and the hook run: MAINSTEM_SCHEDULER_… */
  uint32_t share;               /**< 1: shares one request with all who ask the same; 0: alone. */
} mainstem_request_options;

/**
 * Sends a request as options describe.
 *
 * Like mainstem_request. `options->progress` gets the events of mainstem_respond_progress, with the same
 * user_data: each after all observers of that event, and always before the answer. `release`, if not NULL, is
 * called once after `fn` got the answer: the library will not use user_data again.
 *
 * On a scheduler, `fn` and progress run in stream order, like scheduled observers. The answer's place is
 * reserved; a step of progress may be lost when memory is short. On close, calls still waiting there run on the
 * thread that closes.
 *
 * `options->timeout_ms` uses the context's clock, like timers. When the time is up, the next drain, wait or
 * advance answers the request with MAINSTEM_TIMEOUT, unless it has been answered. The server is not
 * interrupted; its later response is refused as STALE.
 *
 * With `options->share`, what several ask at a time is asked once. The first shared request of a type and payload
 * makes the library send another request of that type and payload, which is caused by it. Handlers get that one only;
 * the shared requests themselves are seen by observers, flagged MAINSTEM_EVENT_SHARED. Those of the same type and
 * payload that follow before the answer wait for it, too. Each gets a copy of the answer, in the order of asking,
 * and of each step of progress, with its own timeout. Cancelling one leaves the others; when none is left, the request
 * that handlers got is cancelled (see mainstem_event_on_settled). If that one is refused (FULL, LIMIT, NO_MEMORY), the
 * refusal is the answer. Payloads are compared byte by byte. It does not matter through which scope is asked, unless
 * that scope has a handler of its own for the type (MAINSTEM_HANDLER_OWN): then only requests through the same scope
 * are shared. mainstem_request_count counts all of them.
 *
 * Null: fn, pending.
 * Errors: as mainstem_request, and INVALID (options without a size, an unknown flag or scheduler, a `share` that is
 * neither 0 nor 1, or a time below 0). After an error neither `fn` nor progress nor `release` is called. One exception:
 * if the journal fails after delivery, progress may have been called already. The call then waits for a progress call
 * still running on its scheduler.
 */
MAINSTEM_API mainstem_status
mainstem_request_with(mainstem_context *context, mainstem_event_type type, const void *data,
                      size_t size, const mainstem_request_options *options, mainstem_event_fn fn,
                      void *user_data, mainstem_release_fn release, mainstem_pending **pending);

/**
 * Cancels a request: it is answered with MAINSTEM_CANCELLED. A later response is refused as STALE.
 *
 * NULL does nothing. Thread: context. Reentrant: yes.
 * Errors: STALE (it has its answer).
 */
MAINSTEM_API mainstem_status mainstem_pending_cancel(mainstem_pending *pending);

/**
 * Reads the position of a request that is still open. Its response will have it as `answers`.
 *
 * Thread: any.
 * Errors: STALE (it has its answer).
 */
MAINSTEM_API mainstem_status mainstem_pending_position(mainstem_pending *pending,
                                                       uint64_t *position);

/* Answers ------------------------------------------------------------------------------------------------ */

/**
 * Answers a request with a full error. Like mainstem_respond_error; `error->size` must be set.
 *
 * Errors: also UNSUPPORTED (an error of a newer library).
 */
MAINSTEM_API mainstem_status mainstem_respond_error_with(const mainstem_event *event,
                                                         const mainstem_error *error);

/** Called when an answer is no longer wanted: see mainstem_event_on_settled. */
typedef void (*mainstem_settled_fn)(void *user_data);

/**
 * Tells a server when its answer is no longer wanted, so that it can stop working on it.
 *
 * Call it in the callback that got the request, before answering. `fn` is called once if something else settles
 * the request: the requester cancels it, the scope that asked ends, it times out, another server answers, the
 * last of those who share it gives up, or the context closes. It is not called if this server answers, or if this
 * server ends first; stop its work where you end it. If the request was only sent, nothing waits for it, and `fn` is
 * never called.
 *
 * `fn` runs where the callback ran: immediately, after the answer's immediate observers and, unless that is
 * scheduled, the requester's function; or on the callback's scheduler, in its order, and at the latest when the
 * context closes. If the answer has
 * already been delivered, `fn` runs inside this call. Like an observer of the answer, it may send.
 *
 * `release`, if not NULL, is called once, after `fn` or when `fn` will not be called any more: possibly inside
 * this call, at the latest when the context closes. If the answer cannot be recorded (law 10), only `release`
 * is called.
 *
 * Thread: the callback's. Reentrant: yes; several functions are called in the order of these calls.
 * Errors: INVALID (not a request, or not the event of a callback on this thread), WRONG_THREAD (the event belongs to
 * another thread), STALE (the context is closed), NO_MEMORY. After an error neither `fn` nor `release` is called.
 */
MAINSTEM_API mainstem_status mainstem_event_on_settled(const mainstem_event *event,
                                                       mainstem_settled_fn fn, void *user_data,
                                                       mainstem_release_fn release);

/**
 * Tells a handler that works, without returning, whether anybody still waits for its answer.
 *
 * For a handler on a scheduler that blocks or computes: it asks now and then, and stops when something else has settled
 * the request: the requester cancelled it, the scope that asked ended, it timed out, or the context closes. `*settled`
 * is also true once this server has answered. Of a request that was only sent it stays false.
 *
 * `event` is the request: the one a callback got, or a retained one. Thread: any. Reentrant: yes.
 * Errors: INVALID (not a request), STALE (the context is closed).
 */
MAINSTEM_API mainstem_status mainstem_event_is_settled(const mainstem_event *event, bool *settled);

/* Open requests ------------------------------------------------------------------------------------------ */

/**
 * Counts the open tracked requests of a type; with MAINSTEM_TYPE_ANY, of all types.
 *
 * A request is open until its answer is given: the observers of the last response read 0. An answer that waits for
 * a drain, because another thread gave it, counts when it is taken in.
 * Thread: context.
 * Errors: INVALID (no such type, or not a request), DENIED.
 */
MAINSTEM_API mainstem_status mainstem_request_count(mainstem_context *context,
                                                    mainstem_event_type type, uint64_t *count);

/**
 * Reports the activity of a request type as events, for loading indicators. From now on an event
 * "MainstemActivity" (layer system, JSON: type, count) says when the type becomes busy, and when it is idle
 * again (count 0).
 *
 * A type is busy when a request has reached its handlers and is still open. A request answered at once makes
 * no event. The type is idle when the last of its answers has reached all observers. The event's cause is the
 * request or answer in question. Each change is reported once. Reporting cannot fail: its memory is reserved
 * with the request. Requests already open at this call are not reported; count them with mainstem_request_count.
 *
 * MAINSTEM_TYPE_ANY: every request type, each by itself, including those registered later. Call it once per
 * program; the events are sent whether or not anybody observes them. Calling it again does nothing.
 * Thread: context.
 * Errors: INVALID (no such type, or not a request), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_activity_report(mainstem_context *context,
                                                      mainstem_event_type type);

#ifdef __cplusplus
}
#endif

#endif

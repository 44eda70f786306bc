// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Observers with filters, with histories or on other threads; queues, mailboxes, batches. Guide: docs/threads.md.
 */

#ifndef MAINSTEM_OBSERVING_H
#define MAINSTEM_OBSERVING_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Schedulers --------------------------------------------------------------------------------------------- */

/**
 * Where an observer's callbacks run: one of the following constants, or the number of a serial scheduler of the
 * observer's context.
 *
 * Within one scheduler, events arrive in order, one call at a time; across schedulers, no order is promised.
 */
typedef uint32_t mainstem_scheduler;

/** At once, on the thread that delivers the event. This is the default. */
#define MAINSTEM_SCHEDULER_IMMEDIATE 0

/** On the *host*: the thread that calls mainstem_drain, mainstem_wait or mainstem_flush, inside that call. */
#define MAINSTEM_SCHEDULER_HOST 1

/**
 * Adds a serial scheduler: a thread that the library starts, and on which callbacks run one at a time.
 *
 * Unless the context is MAINSTEM_THREADS_ANY, these callbacks may post, respond and report progress, but may not send
 * or request. The thread blocks all signals. When the thread has no work, it polls for new work for `spin_us`
 * microseconds before it sleeps.
 *
 * Owner: the context; closing it joins the thread. The thread's name is the first 15 bytes of `name`.
 * Thread: context.
 * Errors: INVALID (the name), TOO_BIG (a name over 255 bytes), LIMIT (63 serial schedulers, or no thread can be
 * started), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scheduler_add(mainstem_context *context, const char *name,
                                                    uint32_t spin_us,
                                                    mainstem_scheduler *scheduler);

/* Observers ---------------------------------------------------------------------------------------------- */

/** Only failed responses (FAILED), or only events whose status is OK (SUCCEEDED). */
#define MAINSTEM_OBSERVE_FAILED 1
#define MAINSTEM_OBSERVE_SUCCEEDED 2

/**
 * A callback that returns without calling mainstem_confirm counts as failed (INCOMPLETE). This is for languages in
 * which the library does not notice that an exception has ended the callback.
 */
#define MAINSTEM_OBSERVE_CONFIRM 4

/** Only new events: no history, no current values. */
#define MAINSTEM_OBSERVE_NEW 8

/** Only for an observer on a scheduler: events wait in its queue until mainstem_subscription_demand requests them. */
#define MAINSTEM_OBSERVE_ON_DEMAND 16

/** Only with mainstem_observe_options.of: only events that views wrote (MAINSTEM_EVENT_WRITTEN). */
#define MAINSTEM_OBSERVE_WRITTEN 32

/** Which events an observer gets (those that match every field), and how it gets them. */
typedef struct mainstem_observe_options {
  uint32_t size;                    /**< sizeof this struct. */
  uint32_t flags;                   /**< MAINSTEM_OBSERVE_…, joined by `|`. */
  const mainstem_event_type *types; /**< Only these types; NULL: every type. */
  size_t type_count;                /**< How many. */
  mainstem_contract role;           /**< Only this MAINSTEM_ROLE_…; 0: every role. */
  uint64_t layers; /**< Only these layers: a MAINSTEM_LAYER_BIT for each; 0: every layer. */
  uint64_t count;  /**< The observer ends after this many events; 0: never. */
  mainstem_scheduler scheduler; /**< Where `fn` runs. */
  uint32_t policy;              /**< What a full queue does: MAINSTEM_QUEUE_… */
  size_t limit_events;          /**< How many events may wait in its queue; 0: 65,536. */
  size_t limit_bytes; /**< Bytes of payload that may wait; 0: 64 MiB. One event may exceed it. */
  /** Only events that are sent through exactly this scope or context; NULL: through any. */
  mainstem_context *of;
} mainstem_observe_options;

/*
 * What happens when the queue of a scheduled observer is full (law 9): docs/threads.md.
 *
 * With REJECT and BLOCK, an event is accepted only if the queue has room; otherwise, calls that send, request, post or
 * report progress return FULL. With BLOCK, such a call first waits until another thread makes room; make sure that some
 * thread does. In a callback, or if only the sender's own thread could make room, the call returns FULL at once, even
 * with BLOCK.
 *
 * Some events cannot be refused, such as a timer's. If a queue with REJECT or BLOCK is full when such an event arrives,
 * only the observer that has this queue loses the event. Answers to tracked requests and the library's own reports
 * always find room.
 */
#define MAINSTEM_QUEUE_REJECT 0      /**< The send is refused: FULL. */
#define MAINSTEM_QUEUE_BLOCK 1       /**< The send waits for another thread to make room. */
#define MAINSTEM_QUEUE_DROP_OLDEST 2 /**< The oldest waiting event is lost. */
#define MAINSTEM_QUEUE_DROP_NEWEST 3 /**< The new event is lost. */
#define MAINSTEM_QUEUE_LATEST 4      /**< Only the newest event waits, as if limit_events were 1. */

/**
 * The payload of a "MainstemGap" (MAINSTEM_EVENT_GAP): which events a queue lost.
 *
 * The observer gets the gap in place of the lost events; consecutive losses are reported as one gap. A gap is not on
 * the stream; its position is `to`.
 */
typedef struct mainstem_gap {
  uint64_t from;  /**< The position of the first event lost. */
  uint64_t to;    /**< The position of the last event lost. */
  uint64_t count; /**< How many. */
} mainstem_gap;

/**
 * Observes the events that `options` describe, including those of types that are added later; NULL: every event.
 *
 * If `fn` is NULL and the scheduler is MAINSTEM_SCHEDULER_HOST, the subscription is a mailbox: its events wait until
 * mainstem_mailbox_take fetches them. The context's descriptor becomes readable when an empty mailbox gets an event. A
 * drain makes the descriptor unreadable even if events are left in the mailbox, so after each drain, take events until
 * none are left.
 *
 * With `of`, the observer gets only events that are sent through that scope, not through its children or other scopes
 * of the same name. It is called after all observers without `of`, no matter when these were added (law 1). When the
 * scope has ended, the observer gets no more events.
 *
 * Thread: context.
 * Null: fn, subscription.
 * Errors: as mainstem_observe, and INVALID (an unknown type, role, flag, scheduler or policy; `of` in another context;
 * OBSERVE_FAILED with OBSERVE_SUCCEEDED; OBSERVE_WRITTEN without `of`; OBSERVE_ON_DEMAND without a scheduler; with `fn`
 * NULL: another scheduler, OBSERVE_CONFIRM, OBSERVE_ON_DEMAND), TOO_BIG (`type_count` over 16,777,216, or a limit that
 * no memory can hold), STALE and WRONG_KIND (also for `of`).
 */
MAINSTEM_API mainstem_status mainstem_observe_with(mainstem_context *context,
                                                   const mainstem_observe_options *options,
                                                   mainstem_event_fn fn, void *user_data,
                                                   mainstem_release_fn release,
                                                   mainstem_subscription **subscription);

/**
 * Keeps a history from now on: the last `count` events of a type, for observers and handlers that are added later.
 *
 * A new observer or handler first gets the history, in order of position and with the flag MAINSTEM_EVENT_LATE, and
 * then the stream, without holes or repeats (law 2). Outside callbacks, the history is delivered before the call that
 * adds the observer returns; in a callback, it is delivered after all events that were accepted before that call. An
 * observer with MAINSTEM_OBSERVE_NEW does not get the history, and mainstem_trace does not show it.
 *
 * Events older than `max_age_ms`, measured by the clock that timers use, are dropped; 0: no age limit. Another call for
 * the same type sets new bounds; `count` 0 ends the history. When memory is short, the oldest events are lost
 * (mainstem_context_stats.history_lost).
 *
 * Thread: context.
 * Errors: INVALID (no such type; a type that is a request, a value or a secret; an age below 0), TOO_BIG (`count` over
 * 16,777,216), DENIED (the scope may not register such a type), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_history_keep(mainstem_context *context,
                                                   mainstem_event_type type, size_t count,
                                                   int64_t max_age_ms);

/**
 * Requests `count` more events, for a subscription with MAINSTEM_OBSERVE_ON_DEMAND.
 *
 * The counts of several calls add up; a gap counts as one event. Never waits.
 * Thread: any.
 * Errors: INVALID (a subscription without that flag), STALE (the subscription has ended, or was cancelled).
 */
MAINSTEM_API mainstem_status mainstem_subscription_demand(mainstem_subscription *subscription,
                                                          uint64_t count);

/**
 * Ends a subscription, and waits until its running call has ended and its release hook has run.
 *
 * If the subscription has already been cancelled but its last call is still running, this function only waits for that
 * call, and returns OK.
 * NULL does nothing.
 * Thread: context.
 * Waits.
 * Errors: BUSY (in a callback of the context).
 */
MAINSTEM_API mainstem_status mainstem_cancel_wait(mainstem_subscription *subscription);

/**
 * Marks the current callback as failed (law 7). If one callback reports several failures, only the first counts; the
 * other reports return OK.
 *
 * A subscription's 1st, 2nd, 4th, 8th … failure sends an event "MainstemFailure" (the system layer, JSON: type, origin,
 * code, sentence, count), whose cause is `event`. For a secret, the sentence is "<secret>" instead of `message`.
 *
 * `code` is not MAINSTEM_OK; your own begin at MAINSTEM_APP. `message` is UTF-8.
 * Thread: callback.
 * Null: message.
 * Errors: INVALID (`code` is OK, or the call is not made inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_fail(const mainstem_event *event, mainstem_status code,
                                           const char *message);

/* Counters ----------------------------------------------------------------------------------------------- */

/** The subscription is on a scheduler: its queue is counted. */
#define MAINSTEM_SUBSCRIPTION_SCHEDULED 1

/** The subscription's calls are timed, because the context has MAINSTEM_CONTEXT_TIMING. */
#define MAINSTEM_SUBSCRIPTION_TIMED 2

/** Counters of one subscription. */
typedef struct mainstem_subscription_stats {
  uint32_t size;          /**< sizeof this struct, set by you. */
  uint32_t flags;         /**< MAINSTEM_SUBSCRIPTION_…, joined by `|`. */
  uint64_t delivered;     /**< Events it got, not counting gaps; 0 if `flags` is 0. */
  uint64_t failed;        /**< Callbacks that failed. */
  uint64_t dropped;       /**< Events it lost, as reported by gaps. */
  uint64_t waiting;       /**< Events in its queue. */
  uint64_t waiting_bytes; /**< Bytes of their payloads. */
  /* In nanoseconds; 0 if not timed. */
  uint64_t total_ns;   /**< All finished calls together. */
  uint64_t longest_ns; /**< The longest finished call. */
  uint64_t current_ns; /**< The running call, so far; 0: none. */
} mainstem_subscription_stats;

/**
 * Reads the counters of a subscription, even while its callback runs on another thread.
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_subscription_stats_read(mainstem_subscription *subscription,
                                                              mainstem_subscription_stats *stats);

/* Many events at once ------------------------------------------------------------------------------------ */

/**
 * Moves as many events as fit from a mailbox (mainstem_observe_with) to your buffer.
 *
 * Headers (mainstem_event_header) come first, with the oldest event's header at the front; payloads fill the buffer
 * from its end. The `offset` in a header says where the event's payload begins; it is a multiple of 8. The result is a
 * batch that mainstem_send_many accepts. A gap also has a header and a payload. A tracked request that has been moved
 * to the buffer can no longer be answered.
 *
 * `count` gets the number of events moved; the other events stay in the mailbox. `next` gets the buffer size that the
 * first remaining event needs; 0: none is left. With `size` 0, `buffer` may be NULL, and only `next` is reported.
 *
 * Owner: the buffer is yours; only its first 4 GiB are used.
 * Thread: context.
 * Null: next.
 * Waits: never, but returns BUSY in callbacks.
 * Errors: TOO_BIG (not even one event fits; `next` is set), INVALID (the subscription has a function), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_mailbox_take(mainstem_subscription *subscription,
                                                   void *buffer, size_t size, size_t *count,
                                                   size_t *next);

/**
 * Sends many events, in order. The effect is the same as calling mainstem_send for each event, but faster.
 *
 * `batch` has `size` bytes: first `count` headers, then the payloads. Only the type, size and offset of each header are
 * read. The batch need not be aligned, but payloads that observers read as structs should be. With `count` 0, `batch`
 * may be NULL.
 *
 * The call stops at the first event that is refused, and returns the reason; `accepted` gets the number of events sent.
 * In a recorded context, up to 1,024 events at a time are accepted before they are delivered, so events that callbacks
 * send come after all of these.
 *
 * Owner: the bytes must not change during the call.
 * Thread: context.
 * Null: accepted.
 * Errors: as mainstem_send, and INVALID (a payload outside the batch), TOO_BIG (`count` over 16,777,216).
 */
MAINSTEM_API mainstem_status mainstem_send_many(mainstem_context *context, const void *batch,
                                                size_t size, size_t count, size_t *accepted);

#ifdef __cplusplus
}
#endif

#endif

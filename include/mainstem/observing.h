// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Observing: by more than a type, late, on other threads; queues, mailboxes, batches.
 */

#ifndef MAINSTEM_OBSERVING_H
#define MAINSTEM_OBSERVING_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Schedulers --------------------------------------------------------------------------------------------- */

/**
 * Where and when an observer's callbacks run: the number of a scheduler in its context.
 *
 * On one scheduler, events arrive in order, one call at a time. Between schedulers nothing else is promised
 * (law 1). A send in a callback on a scheduler works like one from outside, on top of that callback; but the
 * cause of the new event is the callback's event. Calls that wait return MAINSTEM_BUSY there.
 */
typedef uint32_t mainstem_scheduler;

/** At once, on the thread that delivers. The default. */
#define MAINSTEM_SCHEDULER_IMMEDIATE 0

/** Inside mainstem_drain and mainstem_wait, on the thread that calls them. */
#define MAINSTEM_SCHEDULER_HOST 1

/**
 * Adds a serial scheduler: a thread of the library's own that runs callbacks one at a time.
 *
 * The thread takes no signals and is joined when the context closes. When its queue is empty, it looks for
 * more work for `spin_us` microseconds before it sleeps, unless the context closes. This makes a round trip
 * about a hundred times shorter, but keeps a processor busy; 0 sleeps at once. Unless the context is
 * MAINSTEM_THREADS_ANY, its callbacks may post, respond and report progress, but not send or request. A context
 * has at most 63 serial schedulers.
 *
 * Owner: the context; the name is copied, and its first 15 bytes become the thread's name. Thread: context.
 * Errors: INVALID (an invalid name), TOO_BIG (the name), LIMIT (no thread can be started, or 64 schedulers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scheduler_add(mainstem_context *context, const char *name,
                                                    uint32_t spin_us,
                                                    mainstem_scheduler *scheduler);

/* Observers ---------------------------------------------------------------------------------------------- */

/** Only failed responses; or only events whose status is OK. */
#define MAINSTEM_OBSERVE_FAILED 1
#define MAINSTEM_OBSERVE_SUCCEEDED 2

/**
 * Each call counts as failed (MAINSTEM_INCOMPLETE) unless the callback calls mainstem_confirm. For languages
 * whose callbacks can fail without a trace.
 */
#define MAINSTEM_OBSERVE_CONFIRM 4

/** Only new events: no history, no present values. */
#define MAINSTEM_OBSERVE_NEW 8

/**
 * On a scheduler: events are delivered only when asked for with mainstem_subscription_demand. Until then they
 * wait in the subscription's queue, which is bounded like any other.
 */
#define MAINSTEM_OBSERVE_ON_DEMAND 16

/** Only what views wrote (MAINSTEM_EVENT_WRITTEN). For an observer of one scope: see `of`. */
#define MAINSTEM_OBSERVE_WRITTEN 32

/** Which events to observe: those that match every field. */
typedef struct mainstem_observe_options {
  uint32_t size;  /**< sizeof this struct. */
  uint32_t flags; /**< MAINSTEM_OBSERVE_… and MAINSTEM_OBSERVE_CONFIRM, joined by `|`. */
  const mainstem_event_type *types; /**< Only these types; NULL: every type. */
  size_t type_count;                /**< How many. */
  mainstem_contract role;           /**< Only this MAINSTEM_ROLE_…; 0: every role. */
  uint64_t layers; /**< Only these layers: a MAINSTEM_LAYER_BIT for each; 0: every layer. */
  uint64_t count;  /**< Ends by itself after `count` matches; 0: never. */
  mainstem_scheduler scheduler; /**< Where `fn` runs: MAINSTEM_SCHEDULER_… or a serial scheduler. */
  uint32_t policy;              /**< What happens when its queue is full: MAINSTEM_QUEUE_… */
  size_t limit_events;          /**< Events that may wait in its queue; 0: 65,536. */
  size_t limit_bytes; /**< Bytes of payload that may wait; 0: 64 MiB. A lone event may exceed it. */
  /** Only what is sent through exactly this scope, or context; NULL: through any. */
  mainstem_context *of;
} mainstem_observe_options;

/*
 * What happens when the queue of a scheduled observer is full (law 9).
 *
 * Every event waiting in a queue counts against its bound, and so does all room that the queue has promised. A
 * gap takes no room. An event taken for delivery no longer waits: a drain or a serial scheduler takes up to 64
 * at a time (with a virtual clock, one).
 *
 * REJECT and BLOCK promise room to an event when it is accepted. So every call that sends may return FULL:
 * send, send_many, request, post, respond_progress called on the context's own thread, and an answer to a
 * request that was only sent. A refused call changes nothing. Only events that the observer will get need room:
 * not those excluded by OBSERVE_FAILED or OBSERVE_SUCCEEDED, nor those beyond a count that earlier events will
 * use up. This applies from the moment the observer is registered, even to sends in the callback that registers
 * it. If an event turns out not to need its room, the room is given back.
 *
 * With BLOCK, a waiting send goes on when another thread makes room: a thread that drains, fetches, asks for
 * more or cancels, or a serial scheduler's. Inside a callback the send is refused at once. On the owner's
 * thread of a MAINSTEM_THREADS_ONE context it is also refused at once, unless something waits in the queue that
 * a serial scheduler's thread could take. With MAINSTEM_THREADS_ANY, and with MAINSTEM_OBSERVE_ON_DEMAND, it
 * waits: make sure that some other thread makes room.
 *
 * Some events cannot be refused by the time they are handed over: those from timers and
 * mainstem_post_from_interrupt, progress from another thread, late events from a history, and events posted
 * before the observer was registered. If such an event finds a REJECT or BLOCK queue full, that observer alone
 * loses it, as with DROP_NEWEST. All others get it.
 *
 * Answers to tracked requests and the library's own reports ("MainstemFailure" and the like) always find room
 * in a REJECT or BLOCK queue. They are let in beyond the bound, and count against it while they wait. In the
 * other queues they are events like any other.
 */
#define MAINSTEM_QUEUE_REJECT 0      /**< The send is refused: MAINSTEM_FULL. */
#define MAINSTEM_QUEUE_BLOCK 1       /**< The send waits for another thread to make room. */
#define MAINSTEM_QUEUE_DROP_OLDEST 2 /**< The oldest waiting event is lost. */
#define MAINSTEM_QUEUE_DROP_NEWEST 3 /**< The new event is lost. */
#define MAINSTEM_QUEUE_LATEST 4      /**< Only the newest event waits; limit_events counts as 1. */

/**
 * What one subscription lost: the payload of an event with MAINSTEM_EVENT_GAP, type "MainstemGap".
 *
 * A gap stands in the queue where the events were lost. So it comes before the subscription's next event
 * or, at the end of a burst, after the last waiting one. Adjacent losses become one gap. A gap is not on the
 * stream; its position is `to`.
 */
typedef struct mainstem_gap {
  uint64_t from;  /**< The position of the first event lost. */
  uint64_t to;    /**< The position of the last event lost. */
  uint64_t count; /**< How many. */
} mainstem_gap;

/**
 * Observes the events that options describe, including types registered later.
 *
 * With fn NULL, on MAINSTEM_SCHEDULER_HOST, the observer is a mailbox: its events wait until
 * mainstem_mailbox_take fetches them. The context's descriptor (mainstem_context_fd) becomes readable when
 * an empty mailbox gets an event, and stays so until the host drains or fetches. So a loop that drains should
 * also fetch, until nothing is left.
 *
 * With `of`, the observer gets only what is sent through that scope: not through its children, nor through
 * another scope of the same name. It comes after the observers of every origin, in the order they were
 * registered (law 1). It costs the other scopes nothing, however many there are. When that scope ends, what was
 * sent through it still reaches the observer, and nothing comes after; the subscription stays until it is
 * cancelled, or its own scope ends.
 *
 * Otherwise like mainstem_observe. Null: options NULL: every event; fn, user_data, release and subscription may be NULL.
 * Errors: also INVALID (an unknown role or flag; `of` belongs to another context; both OBSERVE_FAILED and
 * OBSERVE_SUCCEEDED; OBSERVE_ON_DEMAND without a scheduler; fn NULL elsewhere, with MAINSTEM_OBSERVE_CONFIRM, or with
 * OBSERVE_ON_DEMAND, since a host fetches a mailbox when it wants to), TOO_BIG (type_count over 16,777,216, or a limit
 * of the queue that no memory can hold), STALE and WRONG_KIND (also of `of`).
 */
MAINSTEM_API mainstem_status mainstem_observe_with(mainstem_context *context,
                                                   const mainstem_observe_options *options,
                                                   mainstem_event_fn fn, void *user_data,
                                                   mainstem_release_fn release,
                                                   mainstem_subscription **subscription);

/**
 * Keeps a history: the last `count` events of a type, from now on, for late observers.
 *
 * An observer registered later gets these events first, merged across its types by position and flagged
 * MAINSTEM_EVENT_LATE. Then the stream follows, with no holes and no repeats (law 2). The same goes for the
 * handlers of a server added later. Outside callbacks, late events have been delivered when the call that
 * observes returns. An observer registered inside a callback gets them after every event accepted before it.
 *
 * Late events need no flag; MAINSTEM_OBSERVE_NEW declines them, and mainstem_trace shows none. They are
 * delivered like any others: filters apply, a count counts them, an event sent in one has the late event as its
 * cause, and a cancel ends them at once.
 *
 * Events older than `max_age_ms`, by the clock that timers use, are dropped; 0: no limit. Another call for
 * the same type sets new bounds. Events beyond them are freed, and do not come back when the bounds grow. A
 * count of 0 ends the history and frees it. Each event is allocated by itself: in total at most `count` times
 * the largest payload. When memory is short the oldest events are dropped first, and
 * mainstem_context_stats.history_lost counts them.
 * Thread: context.
 * Errors: INVALID (no such type, a request type, a value, a secret, an age below 0), TOO_BIG (count over 16,777,216),
 * DENIED (a scope that may not register such a type), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_history_keep(mainstem_context *context,
                                                   mainstem_event_type type, size_t count,
                                                   int64_t max_age_ms);

/**
 * Asks for `count` more events, for a subscription made with MAINSTEM_OBSERVE_ON_DEMAND. A slow consumer
 * asks when it has room; meanwhile waiting events stay within the queue's bounds.
 *
 * Requested counts add up; a gap uses one. Never waits. Thread: any. Reentrant: yes.
 * Errors: INVALID (not made with that flag), STALE (it has ended, or was cancelled).
 */
MAINSTEM_API mainstem_status mainstem_subscription_demand(mainstem_subscription *subscription,
                                                          uint64_t count);

/**
 * Ends a subscription and waits until its running call has ended and its release hook has run. If it was
 * cancelled before but still runs, the call only waits, and returns OK.
 *
 * Waits. Thread: context. NULL does nothing.
 * Errors: BUSY (inside a callback of the context).
 */
MAINSTEM_API mainstem_status mainstem_cancel_wait(mainstem_subscription *subscription);

/**
 * Marks the current callback as failed (law 7). The subscription lives on, and the others still get the
 * event. Only the first failure in a call counts; reporting another returns OK and changes nothing.
 *
 * The subscription's 1st, 2nd, 4th, 8th … failure is reported by an event "MainstemFailure" (layer
 * system, JSON: type, origin, code, sentence, count; its cause is the event).
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Message: UTF-8, copied, may be NULL; if the event is a
 * secret, the report says "<secret>" instead. Thread: callback.
 * Errors: INVALID (code is OK, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_fail(const mainstem_event *event, mainstem_status code,
                                           const char *message);

/* Counters ----------------------------------------------------------------------------------------------- */

/** The subscription is scheduled: its queue is counted. */
#define MAINSTEM_SUBSCRIPTION_SCHEDULED 1

/** Its calls are timed: the context was created with MAINSTEM_CONTEXT_TIMING. */
#define MAINSTEM_SUBSCRIPTION_TIMED 2

/** Counters of one subscription. */
typedef struct mainstem_subscription_stats {
  uint32_t size;          /**< sizeof(mainstem_subscription_stats), set by the caller. */
  uint32_t flags;         /**< MAINSTEM_SUBSCRIPTION_… flags, joined by `|`. */
  uint64_t delivered;     /**< Events it got, without gaps; 0 if neither scheduled nor timed. */
  uint64_t failed;        /**< Calls that failed. */
  uint64_t dropped;       /**< Events it lost, as reported by its gaps. */
  uint64_t waiting;       /**< Events in its queue. */
  uint64_t waiting_bytes; /**< Bytes of their payloads. */
  /* In nanoseconds; 0 if it is not timed. */
  uint64_t total_ns;   /**< Total of its finished calls. */
  uint64_t longest_ns; /**< The longest finished call. */
  uint64_t current_ns; /**< The call in progress, so far; 0: none is running. */
} mainstem_subscription_stats;

/**
 * Reads the counters of a subscription, even while its callback runs: a watchdog on another thread can see
 * which callback does not return.
 *
 * Thread: any.
 */
MAINSTEM_API mainstem_status mainstem_subscription_stats_read(mainstem_subscription *subscription,
                                                              mainstem_subscription_stats *stats);

/* Many events at once ------------------------------------------------------------------------------------ */

/**
 * Moves the events waiting in a mailbox into the caller's buffer: many events with one call.
 *
 * A mailbox is an observer without a function (mainstem_observe_with, fn NULL), on MAINSTEM_SCHEDULER_HOST.
 * Only this call empties it; a drain does not. For when the context's descriptor becomes readable, see
 * mainstem_observe_with.
 *
 * Headers (mainstem_event_header) are contiguous from the front. Payloads lie at the back, each at a multiple of 8
 * from the start of the buffer; a header's `offset` says where. So a buffer is a batch that mainstem_send_many
 * takes. Gaps are records too: MAINSTEM_EVENT_GAP. A record has none of the pointers of mainstem_event, so a
 * tracked request cannot be answered through its record.
 *
 * `count` gets how many events were written, the oldest first; events that do not fit stay in the mailbox.
 * `next` (may be NULL) gets the buffer size that the first remaining event needs, 0 when none remains. With
 * size 0 the call only reports that size.
 * Owner: the buffer is the caller's; of a buffer over 4 GiB the first 4 GiB are used. Waits: for nothing, but returns
 * BUSY wherever mainstem_drain does. Thread: context. Null: buffer may be NULL when size is 0.
 * Errors: TOO_BIG (not even one event fits; `next` gets the size it needs), INVALID (the subscription has a function),
 * BUSY.
 */
MAINSTEM_API mainstem_status mainstem_mailbox_take(mainstem_subscription *subscription,
                                                   void *buffer, size_t size, size_t *count,
                                                   size_t *next);

/**
 * Puts many events on the stream, in order. Equivalent to mainstem_send for each event, but faster.
 *
 * `batch` is `size` bytes: `count` headers (mainstem_event_header), then the payloads. Only a header's type, size and
 * offset are read, so records drained from one context can be sent to another. The batch need not be aligned.
 * Observers get each payload in place, so align payloads that they read as structs.
 *
 * Each event is a turn of its own. The call stops at the first event that is refused and returns its
 * status; the events before it were sent. `accepted` (may be NULL) gets their number. In a recorded
 * context (mainstem_journal_record) up to 1,024 events at a time are accepted and written together, then
 * delivered: what their callbacks send comes after all of them. Such a group is never larger than a sixteenth
 * of limit_events.
 *
 * Owner: the bytes are borrowed for the call. Thread: context. Null: batch may be NULL when count is 0.
 * Errors: INVALID (also a payload outside the batch), TOO_BIG (count over 16,777,216), else as mainstem_send.
 */
MAINSTEM_API mainstem_status mainstem_send_many(mainstem_context *context, const void *batch,
                                                size_t size, size_t count, size_t *accepted);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Flow, from the side that looks: observe, histories, values, subscriptions, cancel.
 */

#ifndef MAINSTEM_OBSERVE_H
#define MAINSTEM_OBSERVE_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Observe ---------------------------------------------------------------------------------------- */

/**
 * Observes the events of one type (MAINSTEM_TYPE_ANY: of every type).
 *
 * `fn` runs on the thread that delivers (law 6), one call at a time. `release`, if not NULL, is called
 * once after the last call (law 5). The subscription ends with mainstem_cancel, or with the scope it was made
 * through.
 *
 * Owner: user_data is the caller's; the hook says when it is no longer used. Thread: context. `*subscription`
 * is set before the first call, even for a late event (mainstem_history_keep).
 * Reentrant: yes; an observer registered inside a callback does not get the current event.
 * Null: user_data, release and subscription may be NULL.
 * Errors: INVALID (no such type, or fn is NULL), DENIED, STALE, WRONG_KIND, WRONG_THREAD, LIMIT (an
 * observer budget; the message says whose), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_observe(mainstem_context *context, mainstem_event_type type,
                                              mainstem_event_fn fn, void *user_data,
                                              mainstem_release_fn release,
                                              mainstem_subscription **subscription);

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
 * Errors: also INVALID (an unknown role or flag; `of` belongs to another
 * context; both OBSERVE_FAILED and OBSERVE_SUCCEEDED; OBSERVE_ON_DEMAND without a scheduler; fn NULL
 * elsewhere, with MAINSTEM_OBSERVE_CONFIRM, or with OBSERVE_ON_DEMAND, since a host fetches a mailbox when it wants
 * to), TOO_BIG (type_count over 16,777,216, or a limit of the queue that no memory can hold), STALE and
 * WRONG_KIND (also of `of`), UNSUPPORTED (options of a newer library).
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
 * Thread: context. Reentrant: yes. Null: context must not be NULL.
 * Errors: INVALID (no such type, a request type, a value, a secret, an age below 0), TOO_BIG (count over 16,777,216),
 * DENIED (a scope that may not register such a type), STALE, WRONG_KIND, WRONG_THREAD, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_history_keep(mainstem_context *context,
                                                   mainstem_event_type type, size_t count,
                                                   int64_t max_age_ms);

/* Values ------------------------------------------------------------------------------------------ */

/**
 * Sets a value of a scope: sends an event of a type whose role is MAINSTEM_ROLE_VALUE, unless its bytes are there
 * already.
 *
 *     mainstem_type_add(context, "Counter.count", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL, &count);
 *     mainstem_value_set_integer(counter, count, 3);
 *     mainstem_observe(context, count, show, label, NULL, NULL);  // 3, now; then each change
 *
 * Of each type of this role and each scope, the last event is kept until the scope ends. It is the present value: it
 * changes when the event is delivered, before the first observer is called, so a callback that sets it sees the change
 * after the current event (law 3). A new observer gets the present value first, flagged MAINSTEM_EVENT_LATE, then
 * each change (law 13): with mainstem_observe_options.of that of one scope, else those of all scopes, and of all types
 * that the observer asks for, merged by position. MAINSTEM_OBSERVE_NEW declines them. Values are counted in
 * mainstem_context_stats.history.
 *
 * Every send of such an event changes the value; a set first compares. Inside an immediate callback with the last
 * event of the value that callbacks have sent and that is still on its way, else with the present value. Events from
 * outside that wait do not count there, because a replay would decide otherwise. Elsewhere it compares with the last
 * one from outside that waits, else with the last from callbacks that is on its way, else with the present value.
 * A post counts when it is taken in. OK says that the value is set or will be, whether or not an event was sent.
 *
 * A scope that has a value, or has one on its way, sends `MainstemEnded` when it ends: see mainstem_instance_open. Its
 * values end when that is delivered, so a replay ends them at the same place. The first type with this role registers
 * `MainstemEnded`, too.
 *
 * Any code that has a scope's handle may set its values: a parent those of its children. A value that a model shows
 * (mainstem_viewmodel_add) can be set only through scopes of the model's name, because views look for it there. A value
 * cannot be a secret, a request, a response or progress. It has no other history.
 *
 * Owner: the bytes are borrowed for the call. Thread: context. Reentrant: yes. Null: data may be NULL when size is 0.
 * Errors: INVALID (also a type of another role, or the value of a model, through a scope of another name), else as
 * mainstem_send, with NO_MEMORY also when it need not wait. If
 * memory is short when the event of a periodic timer is delivered, the value is unset until its next change, and
 * mainstem_context_stats.history_lost counts that.
 */
MAINSTEM_API mainstem_status mainstem_value_set(mainstem_context *context, mainstem_event_type type,
                                                const void *data, size_t size);

/**
 * Sets a value whose contract is MAINSTEM_PAYLOAD_BOOL. Like mainstem_value_set.
 *
 * Errors: as mainstem_value_set, and INVALID (the type has another payload).
 */
MAINSTEM_API mainstem_status mainstem_value_set_bool(mainstem_context *context,
                                                     mainstem_event_type type, bool value);

/** The same, for MAINSTEM_PAYLOAD_INTEGER. Errors: as mainstem_value_set_bool. */
MAINSTEM_API mainstem_status mainstem_value_set_integer(mainstem_context *context,
                                                        mainstem_event_type type, int64_t value);

/**
 * The same, for MAINSTEM_PAYLOAD_NUMBER. Compared as bytes: 0.0 and -0.0 differ.
 *
 * Errors: as mainstem_value_set_bool.
 */
MAINSTEM_API mainstem_status mainstem_value_set_number(mainstem_context *context,
                                                       mainstem_event_type type, double value);

/**
 * The same, for MAINSTEM_PAYLOAD_TEXT and _JSON.
 *
 * Null: value must not be NULL. Errors: as mainstem_value_set_bool, and INVALID (not UTF-8).
 */
MAINSTEM_API mainstem_status mainstem_value_set_text(mainstem_context *context,
                                                     mainstem_event_type type, const char *value);

/**
 * Gets the present value of a scope, as a retained event: the last one delivered.
 *
 *     mainstem_retained *kept;
 *     const mainstem_event *event;
 *     if (mainstem_value_get(counter, count, &kept) == MAINSTEM_OK) {
 *       mainstem_retained_event(kept, &event);
 *       printf("%lld\n", (long long)mainstem_event_integer(event));
 *       mainstem_retained_release(kept);
 *     }
 *
 * Owner: the caller, who releases it; it stays as it is when the value changes. `*value` is NULL when the call fails.
 * Thread: context. Reentrant: yes. Null: value must not be NULL.
 * Errors: UNSET (nothing was delivered yet; as it is an answer, not a failure, mainstem_context_first_error leaves it
 * out), INVALID (NULL, no such type, or a type of another role), DENIED (a scope that may not observe the type), STALE,
 * WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_value_get(mainstem_context *context, mainstem_event_type type,
                                                mainstem_retained **value);

/* Subscriptions ----------------------------------------------------------------------------------- */

/**
 * Reads the last position accepted before the subscription was registered. The subscription starts after it
 * (law 2).
 *
 * Thread: any. Errors: INVALID (NULL), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_from(mainstem_subscription *subscription,
                                                        uint64_t *position);

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
 * Thread: any. Reentrant: yes. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID, UNSUPPORTED (a struct of a newer library), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_stats_read(mainstem_subscription *subscription,
                                                              mainstem_subscription_stats *stats);

/**
 * Asks for `count` more events, for a subscription made with MAINSTEM_OBSERVE_ON_DEMAND. A slow consumer
 * asks when it has room; meanwhile waiting events stay within the queue's bounds.
 *
 * Requested counts add up; a gap uses one. Never waits. Thread: any. Reentrant: yes.
 * Errors: INVALID (NULL, or not made with that flag), STALE (it has ended, or was cancelled), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_demand(mainstem_subscription *subscription,
                                                          uint64_t count);

/**
 * Ends a subscription (law 5). Never waits.
 *
 * The release hook runs inside this call if no thread is delivering, neither on the stream nor on the
 * observer's scheduler. Otherwise it runs on the delivering thread, before that thread's next call. So it
 * never runs inside an immediate callback that cancels. If a thread other than the context's own cancels,
 * the hook runs on the context's thread, the next time that thread sends, drains, observes, cancels or
 * closes.
 * Thread: any. Reentrant: yes, also from the subscription's own callback. NULL does nothing.
 * Errors: STALE (it has ended, or was cancelled before), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_cancel(mainstem_subscription *subscription);

/**
 * Ends a subscription and waits until its running call has ended and its release hook has run. If it was
 * cancelled before but still runs, the call only waits, and returns OK.
 *
 * Waits. Thread: context. NULL does nothing.
 * Errors: BUSY (inside a callback of the context), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_cancel_wait(mainstem_subscription *subscription);

/**
 * Marks the current callback as failed (law 7). The subscription lives on, and the others still get the
 * event. Only the first failure in a call counts; reporting another returns OK and changes nothing.
 *
 * The subscription's 1st, 2nd, 4th, 8th … failure is reported by an event "MainstemFailure" (layer
 * system, JSON: type, origin, code, sentence, count; its cause is the event).
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Message: UTF-8, copied, may be NULL; if the
 * event is a secret, the report says "<secret>" instead.
 * Thread: callback. Errors: INVALID (NULL, code is OK, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_fail(const mainstem_event *event, mainstem_status code,
                                           const char *message);

/**
 * Confirms that the callback has done its work: see MAINSTEM_OBSERVE_CONFIRM. Without that flag it has no effect.
 *
 * Thread: callback. Errors: INVALID (NULL, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_confirm(const mainstem_event *event);

/** Receives one line of text, without a newline; borrowed for the call. */
typedef void (*mainstem_line_fn)(void *user_data, const char *line);

/**
 * Passes every event to `fn` as one line of text (mainstem_event_line), until the context or scope ends.
 *
 * Thread: context. Errors: as mainstem_observe, without DENIED: what the scope may not observe is left out.
 */
MAINSTEM_API mainstem_status mainstem_trace(mainstem_context *context, mainstem_line_fn fn,
                                            void *user_data);

#ifdef __cplusplus
}
#endif

#endif

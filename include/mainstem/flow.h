// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Flow: one stream, in order. Contexts, scopes, send, schedulers, observe, cancel.
 */

#ifndef MAINSTEM_FLOW_H
#define MAINSTEM_FLOW_H

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Context ---------------------------------------------------------------------------------------- */

/** The context belongs to the thread that creates it; the fastest way, and the default. */
#define MAINSTEM_THREADS_ONE 0

/** The context may be used from every thread; there is still one order, and one thread delivers. */
#define MAINSTEM_THREADS_ANY 1

/** Every event gets the time at which it was accepted (mainstem_event.time). */
#define MAINSTEM_CONTEXT_TIMES 1

/**
 * A send only accepts; observers run inside mainstem_drain, mainstem_wait and mainstem_flush only, also
 * those that are called at once elsewhere.
 */
#define MAINSTEM_CONTEXT_DELIVER_ON_HOST 2

/** How long each call of an observer takes is measured: see mainstem_subscription_stats. */
#define MAINSTEM_CONTEXT_TIMING 4

/** Timers go by the machine's clock that nobody sets; an event's time is that since 1970. The default. */
#define MAINSTEM_CLOCK_MONOTONIC 0

/**
 * Time begins at 0 and stands still until mainstem_context_advance moves it on: for tests, simulations. No
 * thread is started: what serial schedulers would do happens inside mainstem_drain, an event at a time,
 * between the schedulers in an order that the context's seed decides.
 */
#define MAINSTEM_CLOCK_VIRTUAL 1

/** How a context is to be. */
typedef struct mainstem_context_options {
  uint32_t size;    /**< Set by mainstem_context_options_init. */
  uint32_t threads; /**< MAINSTEM_THREADS_ONE or MAINSTEM_THREADS_ANY. */
  uint32_t flags;   /**< MAINSTEM_CONTEXT_…, joined by `|`. */
  uint32_t clock;   /**< MAINSTEM_CLOCK_MONOTONIC or MAINSTEM_CLOCK_VIRTUAL. */
  /* Limits (law 9); 0: the default, as SECURITY.md lists them. */
  uint64_t limit_observers; /**< Subscriptions at a time, the handlers of servers included. */
  uint64_t limit_payload;   /**< Bytes of a payload; at most 4,294,967,295, the default. */
  uint64_t limit_cascade;   /**< Causes from an event back to the outside one; 0: 65,536. */
  uint64_t
      limit_events; /**< Events that wait: sent in callbacks, or while another thread delivers. */
  uint64_t limit_bytes;      /**< Bytes of their payloads; a payload that is alone may be longer. */
  uint64_t limit_posts;      /**< Events posted and not taken in yet. */
  uint64_t limit_post_bytes; /**< Bytes of their payloads; as limit_bytes. */
  uint64_t seed; /**< What mainstem_context_random begins with; 0: drawn by the machine. */
} mainstem_context_options;

/**
 * Fills options with their defaults. `size` is sizeof(mainstem_context_options).
 *
 * Thread: any. Errors: INVALID (NULL, or size is smaller than any version of the struct),
 * UNSUPPORTED (size is larger than this library knows).
 */
MAINSTEM_API mainstem_status mainstem_context_options_init(mainstem_context_options *options,
                                                           size_t size);

/**
 * Makes a context: an empty stream.
 *
 * Owner: the caller, who closes it. Thread: any; with MAINSTEM_THREADS_ONE the context then belongs
 * to the calling thread. Null: options NULL takes the defaults; context must not be NULL, and
 * `*context` is NULL after a failure.
 * Errors: INVALID, UNSUPPORTED (an option this library does not know), TOO_BIG (a limit over its
 * maximum), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_context_create(const mainstem_context_options *options,
                                                     mainstem_context **context);

/**
 * Closes a context (law 12).
 *
 * Takes in what was posted, lets accepted events reach their immediate observers, answers open requests
 * with MAINSTEM_CANCELLED, joins the threads of serial schedulers, runs the release hooks, ends every handle
 * of the context. What waits for an observer on a scheduler is dropped.
 * Waits: for the callback that another thread is running. Thread: context. NULL does nothing.
 * In the last callbacks calls that read still work, and so do those that end what the callback holds or
 * concern the callback itself: mainstem_cancel, mainstem_timer_cancel, mainstem_retained_release,
 * mainstem_event_retain, mainstem_fail, mainstem_confirm. Calls that wait are BUSY; sends, and all others
 * that would change the context, are STALE. In the hooks that close runs every handle is STALE.
 * Errors: BUSY (inside a callback or release hook of the context), STALE (also when another thread
 * is closing it), WRONG_KIND (also for a scope: mainstem_scope_end), WRONG_THREAD. The context is closed all the
 * same with IO, NO_SPACE, POISONED (the end of its journal could not be written) and CORRUPT (another program has
 * changed or removed its journal).
 */
MAINSTEM_API mainstem_status mainstem_context_close(mainstem_context *context);

/**
 * The first call that failed on this context, so that a small program checks once.
 *
 * Returns that call's status, and MAINSTEM_OK when none failed. `sentence` (may be NULL) gets its
 * sentence, or empty text; valid until the context is closed. Calls refused with WRONG_THREAD count.
 * For NULL, as after a failed mainstem_context_create: INVALID, and this thread's last sentence.
 * Thread: any. Errors, of this call itself: INVALID, STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_context_first_error(mainstem_context *context,
                                                          const char **sentence);

/** What a context counts. */
typedef struct mainstem_stats {
  uint32_t size;       /**< sizeof(mainstem_stats), set by the caller. */
  uint32_t scopes;     /**< Live scopes, servers included, the context itself not. */
  uint64_t events;     /**< Events accepted: the last position. */
  uint64_t deliveries; /**< Calls of observers, handlers and completions. */
  uint64_t failures;   /**< Calls that failed. */
  uint64_t waiting;    /**< Posts not yet taken in. */
  uint64_t types;      /**< Event types, those of the library included. */
  uint64_t
      subscriptions; /**< Subscriptions, the handlers of servers included, whose hook has not run. */
  uint64_t requests;      /**< Tracked requests not answered yet. */
  uint64_t retained;      /**< Kept events. */
  uint64_t denied;        /**< Calls refused with MAINSTEM_DENIED. */
  uint64_t history;       /**< Events kept for late observers. */
  uint64_t history_lost;  /**< Events that a history lost for want of memory. */
  uint64_t timers;        /**< Timers that are armed. */
  uint64_t timers_missed; /**< Times of periodic timers that had passed before anybody drained. */
  uint64_t
      rejected; /**< Events refused with MAINSTEM_FULL, or with MAINSTEM_LIMIT for the cascade. */
} mainstem_stats;

/**
 * Reads the counters of a context.
 *
 * Thread: context. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_stats(mainstem_context *context,
                                                    mainstem_stats *stats);

/* Scopes ----------------------------------------------------------------------------------------- */

/**
 * Makes a scope: a child of a context or of another scope, with a name.
 *
 * Every function that takes a context takes a scope. What is sent through it carries its origin; what
 * is observed through it ends with it. Names need not be unique.
 * Owner: the caller, who ends it; at the latest it ends with its parent. The name is copied (UTF-8,
 * 1 to 255 bytes). Thread: context. Reentrant: yes.
 * Errors: INVALID, TOO_BIG (the name), STALE, WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                mainstem_context **scope);

/** The scope may send nothing, and register no type. */
#define MAINSTEM_SCOPE_SENDS_NOTHING 1

/** The scope may observe nothing. */
#define MAINSTEM_SCOPE_OBSERVES_NOTHING 2

/** What a scope may do, and how much. Each line only narrows what the parent has. */
typedef struct mainstem_scope_options {
  uint32_t size;        /**< Set by mainstem_scope_options_init. */
  uint32_t flags;       /**< MAINSTEM_SCOPE_…, joined by `|`. */
  uint64_t send_layers; /**< It may send events of these layers: a bit 1 << (layer >> 40) for each;
                                0: those of the parent. */
  uint64_t observe_layers;  /**< It may observe events of these layers; 0: those of the parent. */
  uint64_t limit_observers; /**< Subscriptions at a time, its children's and the handlers of servers
                                 included; 0: as many as the parent may. */
} mainstem_scope_options;

/** Fills options with their defaults: as the parent. As mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_scope_options_init(mainstem_scope_options *options,
                                                         size_t size);

/**
 * Makes a scope with rights and a budget of its own: what is given to a part that is not to do all.
 *
 * Its rights are those that options name and the parent has; nothing widens them, neither for it nor for
 * what is made through it. A call beyond them changes nothing and is MAINSTEM_DENIED; the sentence names
 * scope, layer and type. It is counted, and reported at the 1st, 2nd, 4th, 8th … denial of the scope by an
 * event "MainstemDenied" (layer system, JSON: origin, what, type, layer, count).
 *
 * - To send, post, request, respond, and register a type, the scope must be allowed to send the layer of
 *   the type, of a response that of the response. An answer reaches who asked, whatever its layer.
 * - To observe a type by its number, or to serve it, the scope must be allowed to observe its layer; to
 *   serve it also to send its response. An observer of all types, of a role or of layers sees what the
 *   scope may observe, of types registered later too; the rest is silently outside its reach.
 *   mainstem_trace is such an observer.
 * - What is there may be found and read by all: types, layers, names, counters. A scope without all rights
 *   adds no layer.
 * - The layer *system* is one like others: who may observe `view` alone sees no reports.
 *
 * Rights keep honest parts apart; they are no wall inside a process.
 *
 * options NULL: as mainstem_scope_add. Thread: context. Reentrant: yes.
 * Errors: as mainstem_scope_add, and INVALID (an unknown flag), UNSUPPORTED (options of a newer
 * library).
 */
MAINSTEM_API mainstem_status mainstem_scope_add_with(mainstem_context *context, const char *name,
                                                     const mainstem_scope_options *options,
                                                     mainstem_context **scope);

/**
 * Ends a scope or server: its subscriptions are cancelled (law 5), the last registered first, and its
 * child scopes end with it. What was asked through it is given up, and requests of which this was the last
 * server are left without one: both get MAINSTEM_CANCELLED, in the order of asking.
 *
 * Never waits. NULL does nothing. Thread: context. Reentrant: yes.
 * Errors: STALE, WRONG_KIND (also for a context: mainstem_context_close), WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_end(mainstem_context *scope);

/* Send ------------------------------------------------------------------------------------------- */

/**
 * Puts an event on the stream.
 *
 * Outside callbacks, if nobody else is delivering: it has reached all its immediate observers, and so has
 * what they sent, when the call returns; for the others it waits on their schedulers. Inside an immediate
 * callback, while another thread delivers, or with MAINSTEM_CONTEXT_DELIVER_ON_HOST: it is copied and the
 * call returns at once.
 *
 * What waits is bounded (law 9): beyond the context's limits a send that would have to wait is FULL, and so
 * is one that a scheduled observer's queue refuses (MAINSTEM_QUEUE_REJECT, _BLOCK, which may wait first);
 * nothing has changed. An event further from its outside event than limit_cascade is LIMIT; that is
 * reported at the 1st, 2nd, 4th, 8th … time by an event "MainstemLimit" (layer system, JSON: type, origin,
 * limit, chain, count; `chain` lists the types that led there, the last one last). A longer chain goes on
 * from a timer (mainstem_send_after): its events are outside ones.
 *
 * Owner: the bytes are borrowed for the call; they must not change meanwhile. Thread: context.
 * Reentrant: yes. Null: data may be NULL when size is 0.
 * Errors: INVALID (no such type, or a payload that breaks the type's contract), TOO_BIG (over the
 * context's limit: not a byte was read), DENIED (mainstem_scope_add_with), STALE, WRONG_KIND,
 * WRONG_THREAD, FULL, LIMIT, NO_MEMORY (the last three only where it has to wait, FULL also where a queue
 * refuses).
 */
MAINSTEM_API mainstem_status mainstem_send(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/**
 * Puts many events on the stream with one call, in order: as mainstem_send for each, and as little more
 * as can be.
 *
 * `batch` is `size` bytes: `count` headers (mainstem_header), then the payloads. Of a header, type, size and
 * offset are read; the rest may be anything, so what was drained from one context may be sent to another.
 * The batch need not be aligned; an observer gets each payload where it lies in it, so align those that
 * it reads as structs. Each event is a turn of its own. At the first that is refused the call ends with its
 * status; those before it were sent. `accepted` (may be NULL) gets how many were. Of a context that is recorded
 * (mainstem_journal_record) up to 1,024 at a time are accepted and written together, and delivered then: what
 * their callbacks send comes behind them. They are never more than a sixteenth of what may wait (limit_events).
 *
 * Owner: the bytes are borrowed for the call. Thread: context. Reentrant: yes. Null: batch may be NULL when
 * count is 0.
 * Errors: INVALID (also a payload that is not inside the batch), TOO_BIG (count over 16,777,216), else as
 * mainstem_send.
 */
MAINSTEM_API mainstem_status mainstem_send_many(mainstem_context *context, const void *batch,
                                                size_t size, size_t count, size_t *accepted);

/**
 * Hands an event to a context from a thread that is not its own.
 *
 * It is copied and waits until the context drains, waits or closes; then it is accepted, as an outside
 * event. Posts of one thread keep their order. A post outlives the scope it was made through, and keeps its
 * origin; a timer does not. Posted inside an immediate callback the event has no cause: it begins a chain of
 * its own. Posted inside a callback on a scheduler of the context, its cause is that callback's event.
 * Thread: any. Reentrant: yes. Errors: as mainstem_send, without WRONG_THREAD and LIMIT; FULL: as much is
 * posted as may, or a scheduled observer's queue refuses.
 */
MAINSTEM_API mainstem_status mainstem_post(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/** The bytes that a payload posted by a signal handler has at most. */
#define MAINSTEM_INTERRUPT_PAYLOAD 48

/**
 * Makes what mainstem_post_from_interrupt needs: room for 256 events, and the context's descriptor. Once
 * is enough; the second time does nothing.
 *
 * Thread: context. Reentrant: yes. Errors: STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no descriptor left),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_interrupt_prepare(mainstem_context *context);

/**
 * As mainstem_post, from a signal handler: the one call that is async-signal-safe.
 *
 * It takes no lock, allocates nothing and leaves errno alone. It writes no sentence: mainstem_last_error
 * and mainstem_context_first_error do not know of it. The context's descriptor becomes readable, a
 * mainstem_wait returns; the hook of mainstem_context_on_wake is not called, for it need not be safe here.
 * Events are taken in by the next drain in the order they arrived, before what is posted after them.
 *
 * Thread: any, also in a signal handler that interrupted any call of this library. Null: data may be NULL
 * when size is 0.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over 48 bytes), FULL (256
 * wait), UNSUPPORTED (the context was not prepared), DENIED (a scope with limited rights), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_post_from_interrupt(mainstem_context *context,
                                                          mainstem_event_type type,
                                                          const void *data, size_t size);

/* Schedulers ------------------------------------------------------------------------------------- */

/**
 * Where and when the callbacks of an observer run: the number of a scheduler in its context.
 *
 * On a scheduler events arrive in order, one call at a time; between schedulers nothing else is promised
 * (law 1). A callback there sends as if from outside, on top of itself, but what it sends keeps its
 * cause; calls that wait are MAINSTEM_BUSY in it.
 */
typedef uint32_t mainstem_scheduler;

/** At once, on whichever thread delivers: the default. */
#define MAINSTEM_SCHEDULER_IMMEDIATE 0

/** Inside mainstem_drain and mainstem_wait, on the thread that calls them. */
#define MAINSTEM_SCHEDULER_HOST 1

/**
 * Adds a serial scheduler: one thread of the library's own, on which callbacks run one after the other.
 *
 * The thread takes no signals and is joined when the context closes. When its queue is empty it looks for
 * more for `spin_us` microseconds before it sleeps: a round trip is then some hundred times shorter, and a
 * processor busy for that long. 0 sleeps at once. In a context of one thread its callbacks may post and
 * respond, but not send. At most 63 in a context.
 *
 * Owner: the context; the name is copied, and 15 bytes of it are the thread's. Thread: context.
 * Reentrant: yes. Null: no argument may be NULL.
 * Errors: INVALID (NULL, an invalid name), TOO_BIG (the name), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no
 * thread can be started, or 64 schedulers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_serial_add(mainstem_context *context, const char *name,
                                                 uint32_t spin_us, mainstem_scheduler *scheduler);

/* Observe ---------------------------------------------------------------------------------------- */

/**
 * Looks at the events of a type as they pass (MAINSTEM_TYPE_ANY: at all).
 *
 * `fn` runs on whichever thread delivers (law 6), one call at a time. `release`, if not NULL, is called
 * once after the last call (law 5). Ends by mainstem_cancel, or with the scope it was made through.
 *
 * Owner: user_data is the caller's; the hook tells when it is no longer used. Thread: context.
 * `*subscription` is set before the first call, also of a late event (mainstem_history_keep).
 * Reentrant: yes; inside a callback the new observer does not get the current event.
 * Null: user_data, release and subscription may be NULL.
 * Errors: INVALID (no such type, or fn is NULL), DENIED, STALE, WRONG_KIND, WRONG_THREAD, LIMIT (a budget
 * of observers; the sentence says whose), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_observe(mainstem_context *context, mainstem_event_type type,
                                              mainstem_event_fn fn, void *user_data,
                                              mainstem_release_fn release,
                                              mainstem_subscription **subscription);

/** Failed responses only, or only events whose status is OK. */
#define MAINSTEM_OBSERVE_FAILED 1
#define MAINSTEM_OBSERVE_SUCCEEDED 2

/**
 * Each call counts as failed (MAINSTEM_INCOMPLETE) unless mainstem_confirm was called in it: for
 * bindings whose callbacks can vanish.
 */
#define MAINSTEM_CONFIRM 4

/** Only what is new: no history. */
#define MAINSTEM_OBSERVE_NEW 8

/**
 * On a scheduler: an event is delivered only when it was asked for with mainstem_subscription_ask. Until
 * then it waits in the subscription's queue, which is bounded like any other.
 */
#define MAINSTEM_OBSERVE_ON_DEMAND 16

/** Which events to look at: those that match every line. */
typedef struct mainstem_observe_options {
  uint32_t size;                    /**< Set by mainstem_observe_options_init. */
  uint32_t flags;                   /**< MAINSTEM_OBSERVE_…, MAINSTEM_CONFIRM, joined by `|`. */
  const mainstem_event_type *types; /**< These types; NULL: every type. */
  size_t type_count;                /**< How many. */
  mainstem_contract role;           /**< This role (one of MAINSTEM_ROLE_…); 0: every role. */
  uint64_t layers; /**< These layers: a bit 1 << (layer >> 40) for each; 0: every layer. */
  uint64_t count;  /**< The first `count` matches, then it ends by itself; 0: no end. */
  mainstem_scheduler scheduler; /**< Where `fn` runs: MAINSTEM_SCHEDULER_… or a serial one's. */
  uint32_t policy;              /**< What happens when its queue is full: MAINSTEM_QUEUE_… */
  size_t limit_events;          /**< How many events may wait for it; 0: 65,536. */
  size_t limit_bytes; /**< How many bytes of payload may; 0: 64 MiB. One event always may. */
} mainstem_observe_options;

/*
 * What happens when the queue of a scheduled observer is at its bound (law 9).
 *
 * A queue never holds more than its bound. What counts is every event that waits in it, and the room it has
 * promised. A gap takes no room. What a delivery has taken no longer waits: a drain and a serial scheduler
 * take up to 64 at a time, with a virtual clock one.
 *
 * REJECT and BLOCK promise room to an event when it is accepted. So every call that sends may be FULL: send,
 * send_many, request, post, respond_progress in a call on the context's own thread, and an answer to a request
 * that was only sent. The call has then changed nothing. A queue is asked only about events that its observer
 * will get (OBSERVE_FAILED, OBSERVE_SUCCEEDED, a count that what comes before uses up), and from the moment the
 * observer is registered: also by sends in the callback that registered it. Room that an event does not need in
 * the end is given back.
 *
 * A send that BLOCK lets wait goes on when another thread makes room: one that drains, fetches, asks for more or
 * cancels, or a serial scheduler's. It is refused at once inside a callback, and on the thread of a context of
 * one thread where nothing waits that a scheduler's own thread could take. With threads ANY, and with ON_DEMAND,
 * it waits: do not be the only thread that would make room.
 *
 * Some events cannot be refused any more when they are handed over: those of timers, of
 * mainstem_post_from_interrupt, steps of progress from another thread, late events of a history, and what was
 * posted before the observer was registered. Where such an event finds a REJECT or BLOCK queue full, that
 * observer alone loses it, as with DROP_NEWEST; all others get it.
 *
 * Answers to tracked requests and the library's own reports ("MainstemFailure" and its like) have room of their
 * own in a REJECT or BLOCK queue: they are let in beyond the bound, and count as long as they wait. In the
 * other queues they are events like others.
 */
#define MAINSTEM_QUEUE_REJECT 0      /**< The send is refused: MAINSTEM_FULL. */
#define MAINSTEM_QUEUE_BLOCK 1       /**< The send waits for another thread to make room. */
#define MAINSTEM_QUEUE_DROP_OLDEST 2 /**< The oldest that waits is lost. */
#define MAINSTEM_QUEUE_DROP_NEWEST 3 /**< The new one is lost. */
#define MAINSTEM_QUEUE_LATEST 4      /**< Only the newest waits; limit_events counts as 1. */

/**
 * What one subscription lost: the payload of the event with MAINSTEM_EVENT_GAP, type "MainstemGap". It stands
 * in the queue where the events were lost: so it comes before the subscription's next event, and at the end of
 * a burst behind the last one that waits. Losses side by side are one gap. It is not on the stream; its
 * position is `to`.
 */
typedef struct mainstem_gap {
  uint64_t from;  /**< The position of the first event lost. */
  uint64_t to;    /**< The position of the last event lost. */
  uint64_t count; /**< How many. */
} mainstem_gap;

/** Fills options with their defaults: every event. As mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_observe_options_init(mainstem_observe_options *options,
                                                           size_t size);

/**
 * Looks at the events that options describe, of types registered later too.
 *
 * With fn NULL, on MAINSTEM_SCHEDULER_HOST, it is a mailbox: its events wait until
 * mainstem_drain_records fetches them. The descriptor (mainstem_context_fd) tells of it when the mailbox was
 * empty before, until the host drains or fetches; so a loop that drains fetches there too, as often as
 * something is left.
 *
 * As mainstem_observe. Errors: also INVALID (an unknown role or flag, both OBSERVE_FAILED and
 * OBSERVE_SUCCEEDED, OBSERVE_ON_DEMAND on no scheduler, fn NULL elsewhere, with MAINSTEM_CONFIRM or with
 * OBSERVE_ON_DEMAND: a mailbox is fetched when its host wants to), UNSUPPORTED (options of a newer library).
 */
MAINSTEM_API mainstem_status mainstem_observe_with(mainstem_context *context,
                                                   const mainstem_observe_options *options,
                                                   mainstem_event_fn fn, void *user_data,
                                                   mainstem_release_fn release,
                                                   mainstem_subscription **subscription);

/**
 * Keeps the last `count` events of a type for late observers, from here on: a history.
 *
 * An observer that is registered later gets them first, merged over its types by position, flagged
 * MAINSTEM_EVENT_LATE; then the stream, without hole or repeat (law 2). So do the handlers of a server that
 * is added later. Outside callbacks they have been delivered when the call that observes returns; an
 * observer registered inside a callback gets them after every event that was accepted before it. No flag
 * asks for them; MAINSTEM_OBSERVE_NEW declines them, and mainstem_trace shows none. They are deliveries like
 * others: filters apply, a count counts them, what is sent in one has the late event as its cause, and a
 * cancel ends them at once.
 *
 * Events older than `max_age_ms`, by the clock that timers use, are dropped; 0: no limit. Calling it again
 * for a type sets new bounds. What they drop is freed, and does not come back when they grow. A count of 0
 * ends the history and frees it. Each event has memory of its own, `count` times the largest payload at
 * most; where memory is short the oldest are dropped first, and mainstem_stats.history_lost counts them.
 * Thread: context. Reentrant: yes. Null: context must not be NULL.
 * Errors: INVALID (no such type, a request type, a secret, an age below 0), TOO_BIG (count over 16,777,216), DENIED
 * (a scope that may not register such a type), STALE, WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_history_keep(mainstem_context *context,
                                                   mainstem_event_type type, size_t count,
                                                   int64_t max_age_ms);

/**
 * The last position accepted when the subscription was registered: it starts after that (law 2).
 *
 * Thread: any. Errors: INVALID (NULL), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_from(mainstem_subscription *subscription,
                                                        uint64_t *position);

/** It is scheduled: its queue is counted. */
#define MAINSTEM_SUBSCRIPTION_SCHEDULED 1

/** Its calls are timed: its context was opened with MAINSTEM_CONTEXT_TIMING. */
#define MAINSTEM_SUBSCRIPTION_TIMED 2

/** What one subscription counts. */
typedef struct mainstem_subscription_stats {
  uint32_t size;  /**< sizeof(mainstem_subscription_stats), set by the caller. */
  uint32_t flags; /**< MAINSTEM_SUBSCRIPTION_…, joined by `|`. */
  uint64_t
      delivered; /**< Events it got, gaps not counted; 0 where it is neither scheduled nor timed. */
  uint64_t failed;        /**< Calls that failed. */
  uint64_t dropped;       /**< Events it lost: those that its gaps tell of. */
  uint64_t waiting;       /**< Events in its queue. */
  uint64_t waiting_bytes; /**< Bytes of their payloads. */
  /* In nanoseconds; 0 where it is not timed. */
  uint64_t total_ns;   /**< All its calls that have ended. */
  uint64_t longest_ns; /**< The longest of them. */
  uint64_t current_ns; /**< How long the call in progress has taken until now; 0: there is none. */
} mainstem_subscription_stats;

/**
 * Reads the counters of a subscription, also while its callback runs: a watchdog on another thread sees
 * which one does not return.
 *
 * Thread: any. Reentrant: yes. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID, UNSUPPORTED (a struct of a newer library), STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_stats_read(mainstem_subscription *subscription,
                                                              mainstem_subscription_stats *stats);

/**
 * Asks for `count` more of the events of a subscription made with MAINSTEM_OBSERVE_ON_DEMAND: a consumer that
 * takes its time asks when it has room, and what waits meanwhile stays within the queue's bounds.
 *
 * What was asked for adds up; a gap is one of them. Never waits. Thread: any. Reentrant: yes.
 * Errors: INVALID (NULL, or not made with that flag), STALE (it has ended, or was cancelled), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_subscription_ask(mainstem_subscription *subscription,
                                                       uint64_t count);

/**
 * Ends a subscription (law 5). Never waits.
 *
 * The release hook runs inside this call if nobody is delivering, neither the stream nor on the observer's
 * scheduler; else on the delivering thread, before its next call: so it never runs inside an immediate
 * callback that cancels. Called from a thread that is not the context's own, the hook runs on the context's
 * thread, the next time that thread sends, drains, observes, cancels or closes.
 * Thread: any. Reentrant: yes, also from the subscription's own callback. NULL does nothing.
 * Errors: STALE (it has ended, or was cancelled before), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_cancel(mainstem_subscription *subscription);

/**
 * Ends a subscription, if it has not been cancelled yet, and returns when its running call has ended
 * and its release hook has run. For one that is cancelled and still runs it only waits, and is OK.
 *
 * Waits. Thread: context. NULL does nothing.
 * Errors: BUSY (inside a callback of the context), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_cancel_wait(mainstem_subscription *subscription);

/**
 * Says that the callback failed (law 7). The subscription lives on; the others still get the event. The
 * first failure of a call counts: to say it again in the same call is OK and changes nothing.
 *
 * Reported at the 1st, 2nd, 4th, 8th … failure of the subscription by an event "MainstemFailure" (layer
 * system, JSON: type, origin, code, sentence, count; its cause is the event).
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Sentence: UTF-8, copied, may be NULL; where the
 * event is a secret, "<secret>" is told in its place.
 * Thread: callback. Errors: INVALID (NULL, code is OK, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_fail(const mainstem_event *event, mainstem_status code,
                                           const char *sentence);

/**
 * Says that the callback has done its work: see MAINSTEM_CONFIRM. Elsewhere it does nothing.
 *
 * Thread: callback. Errors: INVALID (NULL, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_confirm(const mainstem_event *event);

/** Gets one line of text; borrowed for the call, no newline at its end. */
typedef void (*mainstem_line_fn)(void *user_data, const char *line);

/**
 * Gives every event as one line of text (mainstem_event_line), from now until the context or scope ends.
 *
 * Thread: context. Errors: as mainstem_observe.
 */
MAINSTEM_API mainstem_status mainstem_trace(mainstem_context *context, mainstem_line_fn fn,
                                            void *user_data);

#ifdef __cplusplus
}
#endif

#endif

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

/** The context belongs to the thread that creates it. The fastest choice, and the default. */
#define MAINSTEM_THREADS_ONE 0

/** Any thread may use the context. There is still one order, and one thread at a time delivers. */
#define MAINSTEM_THREADS_ANY 1

/**
 * Any thread may use the context, and you ensure that only one uses it at a time: with an actor, a strand, a
 * queue. Callbacks then run on that thread, never beside it. What you do from any thread at any time
 * (mainstem_respond, mainstem_respond_progress, mainstem_cancel and here mainstem_pending_cancel, too) counts at
 * once. Outside callbacks, answers and progress reach nobody before the next drain, and release hooks run in the
 * next call that sends, observes, drains or closes. A callback on a serial scheduler may post and respond, but not
 * send, as in a context of one thread.
 */
#define MAINSTEM_THREADS_GUARDED 2

/** Each event carries the time at which it was accepted (mainstem_event.time). */
#define MAINSTEM_CONTEXT_TIMES 1

/**
 * A send only accepts. All observers, immediate ones too, run only inside mainstem_drain,
 * mainstem_wait and mainstem_flush.
 */
#define MAINSTEM_CONTEXT_DELIVER_ON_HOST 2

/** Measures how long each observer call takes: see mainstem_subscription_stats. */
#define MAINSTEM_CONTEXT_TIMING 4

/** Timers use the monotonic clock, which cannot be set; event times are real time since 1970. The default. */
#define MAINSTEM_CLOCK_MONOTONIC 0

/**
 * Time begins at 0 and stands still until mainstem_context_advance moves it. For tests and simulations.
 * Starts no threads: mainstem_drain does the work of the serial schedulers, one event at a time. The context's
 * seed decides which scheduler goes next.
 */
#define MAINSTEM_CLOCK_VIRTUAL 1

/** Options for a new context. */
typedef struct mainstem_context_options {
  uint32_t size;    /**< Set by mainstem_context_options_init. */
  uint32_t threads; /**< MAINSTEM_THREADS_ONE, _ANY or _GUARDED. */
  uint32_t flags;   /**< MAINSTEM_CONTEXT_… flags, joined by `|`. */
  uint32_t clock;   /**< MAINSTEM_CLOCK_MONOTONIC or MAINSTEM_CLOCK_VIRTUAL. */
  /* Limits (law 9). 0 takes the default; SECURITY.md lists the defaults. */
  uint64_t limit_observers; /**< Live subscriptions, including server handlers. */
  uint64_t limit_payload;   /**< Bytes per payload; at most 4,294,967,295, the default. */
  uint64_t limit_cascade;   /**< Causes from an event back to its outside event; 0: 65,536. */
  uint64_t limit_events; /**< Waiting events: sent in callbacks or while another thread delivers. */
  uint64_t limit_bytes;  /**< Bytes of their payloads; a lone event may exceed it. */
  uint64_t limit_posts;  /**< Posted events not yet taken in. */
  uint64_t limit_post_bytes; /**< Bytes of their payloads; like limit_bytes. */
  uint64_t seed;             /**< Seeds mainstem_context_random; 0: the machine picks one. */
} mainstem_context_options;

/**
 * Sets options to their defaults. `size` is sizeof(mainstem_context_options).
 *
 * Thread: any. Errors: INVALID (NULL, or size is smaller than any version of the struct),
 * UNSUPPORTED (size is larger than this library knows).
 */
MAINSTEM_API mainstem_status mainstem_context_options_init(mainstem_context_options *options,
                                                           size_t size);

/**
 * Creates a context: an empty stream.
 *
 * Owner: the caller, who closes it. Thread: any; with MAINSTEM_THREADS_ONE the context then belongs
 * to the calling thread. Null: options NULL takes the defaults; context must not be NULL. After a
 * failure `*context` is NULL.
 * Errors: INVALID, UNSUPPORTED (an option this library does not know), TOO_BIG (a limit over its
 * maximum), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_context_create(const mainstem_context_options *options,
                                                     mainstem_context **context);

/**
 * Closes a context (law 12).
 *
 * Takes in posts, delivers accepted events to their immediate observers, answers open requests with
 * MAINSTEM_CANCELLED, joins the threads of serial schedulers, runs the release hooks, and ends every
 * handle of the context. Events waiting for an observer on a scheduler are dropped. Completions waiting on a
 * scheduler are called; a failure in one of them is counted, but no longer reported.
 * Waits: for the callback that another thread is running. Thread: context. NULL does nothing.
 * In the last callbacks, calls that read still work. So do calls that end something the callback holds, and
 * calls about the callback itself: mainstem_cancel, mainstem_timer_cancel, mainstem_retained_release,
 * mainstem_event_retain, mainstem_fail, mainstem_confirm. Calls that wait return BUSY. Sends, and all other
 * calls that would change the context, return STALE. In the hooks that close runs, every handle is STALE.
 * Errors: BUSY (inside a callback or release hook of the context), STALE (also when another thread
 * is closing it), WRONG_KIND (also for a scope: use mainstem_scope_end), WRONG_THREAD. The context is
 * closed even with IO, NO_SPACE, POISONED (the end of its journal could not be written) and CORRUPT
 * (another program changed or removed its journal).
 */
MAINSTEM_API mainstem_status mainstem_context_close(mainstem_context *context);

/**
 * Returns the status of the first call that failed on this context, so that a small program needs to check only
 * once.
 *
 * Returns MAINSTEM_OK when no call failed. `sentence` (may be NULL) gets the failed call's sentence, or
 * empty text; it is valid until the context is closed. Calls in callbacks and on other threads count, too: those
 * refused with WRONG_THREAD, and what a scope is DENIED. So check it after setting up, and again before the close;
 * where a program tries what it may not do, check each call instead. A wait that ended with TIMEOUT or INTERRUPTED
 * has not failed. For NULL, as after a failed mainstem_context_create: INVALID, with this thread's last sentence.
 * Thread: any. Errors, of this call itself: INVALID, STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_context_first_error(mainstem_context *context,
                                                          const char **sentence);

/** Counters of a context. */
typedef struct mainstem_stats {
  uint32_t size;          /**< sizeof(mainstem_stats), set by the caller. */
  uint32_t scopes;        /**< Live scopes, including servers but not the context itself. */
  uint64_t events;        /**< Events accepted: the last position. */
  uint64_t deliveries;    /**< Calls to observers, handlers and completions. */
  uint64_t failures;      /**< Calls that failed. */
  uint64_t waiting;       /**< Posts not yet taken in. */
  uint64_t types;         /**< Event types, including the library's own. */
  uint64_t subscriptions; /**< Subscriptions and server handlers whose hook has not run. */
  uint64_t requests;      /**< Tracked requests not yet answered. */
  uint64_t retained;      /**< Retained events. */
  uint64_t denied;        /**< Calls refused with MAINSTEM_DENIED. */
  uint64_t history;       /**< Events kept for late observers. */
  uint64_t history_lost;  /**< Events a history lost because memory was short. */
  uint64_t timers;        /**< Armed timers. */
  uint64_t timers_missed; /**< Ticks of periodic timers that passed before anybody drained. */
  uint64_t rejected;      /**< Events refused with MAINSTEM_FULL, or MAINSTEM_LIMIT (cascade). */
} mainstem_stats;

/**
 * Reads the counters of a context.
 *
 * Thread: context. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID, UNSUPPORTED (stats of a newer library), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_stats(mainstem_context *context,
                                                    mainstem_stats *stats);

/* Scopes ----------------------------------------------------------------------------------------- */

/**
 * Adds a scope: a named child of a context or of another scope.
 *
 * Every function that takes a context also takes a scope. Events sent through a scope carry it as their
 * origin; observers registered through it end with it. Names need not be unique.
 * Owner: the caller, who ends it; it ends with its parent at the latest. The name is copied (UTF-8,
 * 1 to 255 bytes). Thread: context. Reentrant: yes.
 * Errors: INVALID, TOO_BIG (the name), STALE, WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                mainstem_context **scope);

/** The scope may send nothing and register no types. */
#define MAINSTEM_SCOPE_SENDS_NOTHING 1

/** The scope may observe nothing. */
#define MAINSTEM_SCOPE_OBSERVES_NOTHING 2

/** A scope's rights and budget. Each field can only narrow what the parent has. */
typedef struct mainstem_scope_options {
  uint32_t size;            /**< Set by mainstem_scope_options_init. */
  uint32_t flags;           /**< MAINSTEM_SCOPE_… flags, joined by `|`. */
  uint64_t send_layers;     /**< Layers it may send on, MAINSTEM_LAYER_BITs; 0: the parent's. */
  uint64_t observe_layers;  /**< Layers it may observe, likewise; 0: the parent's. */
  uint64_t limit_observers; /**< Subscriptions and handlers, children's too; 0: the parent's. */
} mainstem_scope_options;

/** Sets options to their defaults: everything the parent may do. Like mainstem_context_options_init. */
MAINSTEM_API mainstem_status mainstem_scope_options_init(mainstem_scope_options *options,
                                                         size_t size);

/**
 * Adds a scope with restricted rights and a budget of its own.
 *
 * It gets the rights that options name and the parent also has. Nothing can widen them, neither for the scope
 * nor for what is made through it. A call beyond them changes nothing and returns MAINSTEM_DENIED; the sentence
 * names scope, layer and type. Denials are counted. The scope's 1st, 2nd, 4th, 8th … denial is reported by an
 * event "MainstemDenied" (layer system, JSON: origin, what, type, layer, count).
 *
 * - Sending, posting, requesting and registering a type require the right to send on the type's layer.
 *   Responding requires the right to send on the response type's layer. An answer always reaches the
 *   requester, whatever its layer.
 * - Observing a type by number, and serving it, require the right to observe its layer. Serving also
 *   requires the right to send its response. An observer of all types, of a role or of layers sees only
 *   what the scope may observe, types registered later included; the rest is silently left out.
 *   mainstem_trace is such an observer.
 * - Every scope may look up and read types, layers, names and counters. A scope without full rights
 *   cannot add layers.
 * - The layer *system* is a layer like any other: a scope that may observe only `view` sees no reports.
 *
 * Rights keep well-behaved parts apart; they are not a security boundary inside a process.
 *
 * options NULL: like mainstem_scope_add. Thread: context. Reentrant: yes.
 * Errors: as mainstem_scope_add, and INVALID (an unknown flag), UNSUPPORTED (options of a newer
 * library).
 */
MAINSTEM_API mainstem_status mainstem_scope_add_with(mainstem_context *context, const char *name,
                                                     const mainstem_scope_options *options,
                                                     mainstem_context **scope);

/**
 * Gets a scope's number, by which it is found again in this context, and in every repetition of the session.
 *
 * It derives from the number of the parent, the name, the position of the event in whose callback the scope was
 * added (0: outside callbacks), and how many of that name were added below that parent at that event. Neither the
 * seed nor observers nor other scopes change it. No two live scopes of a context have the same number; one that was
 * added outside callbacks may have that of an ended one. The number of a context is 0.
 *
 * An event that names a scope carries its number: a handle means nothing in another process.
 * Thread: context. Reentrant: yes; also in the callbacks of a closing context.
 * Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_number(mainstem_context *scope, uint64_t *number);

/**
 * Finds the live scope or server with a number (see mainstem_scope_number), wherever it is in the context.
 *
 * If there is none, because it was never added or has ended, the result is OK and NULL in `*scope`. 0 finds the
 * context. Rights only narrow: through a scope with limited rights or a budget of observers, no scope is found that
 * may do more or counts elsewhere.
 *
 * Owner: the code that added the scope; `*scope` is the same handle, and STALE once the scope has ended. `*name` is valid
 * while the scope lives. `name` may be NULL.
 * Thread: context. Reentrant: yes; also in the callbacks of a closing context.
 * Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_find(mainstem_context *context, uint64_t number,
                                                 mainstem_context **scope, const char **name);

/**
 * Ends a scope or server.
 *
 * Its subscriptions are cancelled (law 5), the last registered first, and its child scopes end with it.
 * Open requests made through it, and requests whose last server this was, are answered
 * MAINSTEM_CANCELLED, in the order they were made.
 *
 * Never waits. NULL does nothing. Thread: context. Reentrant: yes.
 * Errors: STALE, WRONG_KIND (also for a context: use mainstem_context_close), WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_end(mainstem_context *scope);

/* Send ------------------------------------------------------------------------------------------- */

/**
 * Puts an event on the stream.
 *
 * Outside callbacks, if no other thread is delivering, the event and everything its immediate observers
 * send have reached all immediate observers when the call returns. For scheduled observers, these events then
 * wait on their schedulers. Inside an immediate callback, while another thread delivers, or with
 * MAINSTEM_CONTEXT_DELIVER_ON_HOST, the event is copied and the call returns at once.
 *
 * Waiting events are bounded (law 9). If an event would have to wait, but the context's limits are reached, the
 * send returns FULL and changes nothing. So does a send that a scheduled observer's queue refuses
 * (MAINSTEM_QUEUE_REJECT, or _BLOCK, which may wait first).
 *
 * An event with more than limit_cascade causes back to its outside event is refused with LIMIT. The 1st,
 * 2nd, 4th, 8th … such refusal is reported by an event "MainstemLimit" (layer system, JSON: type, origin,
 * limit, chain, count; `chain` lists the types that led there, in order). To continue a longer chain, use
 * a timer (mainstem_send_after): its events are outside events.
 *
 * Owner: the bytes are borrowed for the call and must not change during it. Thread: context.
 * Reentrant: yes. Null: data may be NULL when size is 0.
 * Errors: INVALID (no such type, or a payload that breaks the type's contract), TOO_BIG (over the
 * context's limit; no byte was read), DENIED (mainstem_scope_add_with), STALE, WRONG_KIND,
 * WRONG_THREAD, FULL, LIMIT, NO_MEMORY (the last three only when the event has to wait, FULL also when a
 * queue refuses).
 */
MAINSTEM_API mainstem_status mainstem_send(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/**
 * Puts many events on the stream, in order. Equivalent to mainstem_send for each event, but faster.
 *
 * `batch` is `size` bytes: `count` headers (mainstem_header), then the payloads. Only a header's type, size and
 * offset are read, so records drained from one context can be sent to another. The batch need not be aligned.
 * Observers get each payload in place, so align payloads that they read as structs.
 *
 * Each event is a turn of its own. The call stops at the first event that is refused and returns its
 * status; the events before it were sent. `accepted` (may be NULL) gets their number. In a recorded
 * context (mainstem_journal_record) up to 1,024 events at a time are accepted and written together, then
 * delivered: what their callbacks send comes after all of them. Such a group is never larger than a sixteenth
 * of limit_events.
 *
 * Owner: the bytes are borrowed for the call. Thread: context. Reentrant: yes. Null: batch may be NULL when
 * count is 0.
 * Errors: INVALID (also a payload outside the batch), TOO_BIG (count over 16,777,216), else as
 * mainstem_send.
 */
MAINSTEM_API mainstem_status mainstem_send_many(mainstem_context *context, const void *batch,
                                                size_t size, size_t count, size_t *accepted);

/**
 * Hands an event to a context from any thread.
 *
 * The event is copied and waits until the context drains, waits or closes. Then it is accepted as an
 * outside event. Posts from one thread keep their order. A post outlives the scope it was made through and
 * keeps its origin, unlike a timer, which ends with its scope. An event posted inside an immediate callback has
 * no cause and begins a chain of its own. One posted inside a callback on a scheduler of the context has that
 * callback's event as its cause.
 * Thread: any. Reentrant: yes. Errors: as mainstem_send, without WRONG_THREAD and LIMIT; FULL: limit_posts or
 * limit_post_bytes is reached, or a scheduled observer's queue refuses.
 */
MAINSTEM_API mainstem_status mainstem_post(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

/** The largest payload a signal handler may post, in bytes. */
#define MAINSTEM_INTERRUPT_PAYLOAD 48

/**
 * Prepares for mainstem_post_from_interrupt: allocates room for 256 events, and opens the context's descriptor.
 * One call is enough; another does nothing.
 *
 * Thread: context. Reentrant: yes. Errors: STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no descriptor left),
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_interrupt_prepare(mainstem_context *context);

/**
 * Like mainstem_post, for signal handlers: the only call that is async-signal-safe.
 *
 * It takes no lock, allocates nothing and preserves errno. It writes no sentence: neither
 * mainstem_last_error nor mainstem_context_first_error sees its failures. The context's descriptor becomes
 * readable and a mainstem_wait returns. The hook of mainstem_context_on_wake is not called, because it may
 * not be safe here. The next drain takes in these events in the order they arrived, before anything posted
 * after them.
 *
 * Thread: any, also in a signal handler that interrupted any call of this library. Null: data may be NULL
 * when size is 0.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over 48 bytes), FULL (256
 * are waiting), UNSUPPORTED (the context was not prepared), DENIED (a scope with limited rights), STALE,
 * WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_post_from_interrupt(mainstem_context *context,
                                                          mainstem_event_type type,
                                                          const void *data, size_t size);

/* Schedulers ------------------------------------------------------------------------------------- */

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
 * more work for `spin_us` microseconds before it sleeps. This makes a round trip about a hundred times shorter,
 * but keeps a processor busy; 0 sleeps at once. Unless the context is MAINSTEM_THREADS_ANY, its callbacks may
 * post, respond and report progress, but not send or request. A context has at most 63 serial schedulers.
 *
 * Owner: the context; the name is copied, and its first 15 bytes become the thread's name. Thread: context.
 * Reentrant: yes. Null: no argument may be NULL.
 * Errors: INVALID (NULL, an invalid name), TOO_BIG (the name), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no
 * thread can be started, or 64 schedulers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_serial_add(mainstem_context *context, const char *name,
                                                 uint32_t spin_us, mainstem_scheduler *scheduler);

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
 * observer budget; the sentence says whose), NO_MEMORY.
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
#define MAINSTEM_CONFIRM 4

/** Only new events: no history, no present values. */
#define MAINSTEM_OBSERVE_NEW 8

/**
 * On a scheduler: events are delivered only when asked for with mainstem_subscription_ask. Until then they
 * wait in the subscription's queue, which is bounded like any other.
 */
#define MAINSTEM_OBSERVE_ON_DEMAND 16

/** Only what views wrote (MAINSTEM_EVENT_WRITTEN). For an observer of one scope: see `of`. */
#define MAINSTEM_OBSERVE_WRITTEN 32

/** Which events to observe: those that match every field. */
typedef struct mainstem_observe_options {
  uint32_t size;                    /**< Set by mainstem_observe_options_init. */
  uint32_t flags;                   /**< MAINSTEM_OBSERVE_… and MAINSTEM_CONFIRM, joined by `|`. */
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
 * Sets options to their defaults: every event. Like mainstem_context_options_init. A program compiled with
 * 0.4.0 or earlier gives a smaller size, which ends before `of`.
 */
MAINSTEM_API mainstem_status mainstem_observe_options_init(mainstem_observe_options *options,
                                                           size_t size);

/**
 * Observes the events that options describe, including types registered later.
 *
 * With fn NULL, on MAINSTEM_SCHEDULER_HOST, the observer is a mailbox: its events wait until
 * mainstem_drain_records fetches them. The context's descriptor (mainstem_context_fd) becomes readable when
 * an empty mailbox gets an event, and stays so until the host drains or fetches. So a loop that drains should
 * also fetch, until nothing is left.
 *
 * With `of`, the observer gets only what is sent through that scope: not through its children, nor through
 * another scope of the same name. It comes after the observers of every origin, in the order they were
 * registered (law 1). It costs the other scopes nothing, however many there are. When that scope ends, what was
 * sent through it still reaches the observer, and nothing comes after; the subscription stays until it is
 * cancelled, or its own scope ends.
 *
 * Otherwise like mainstem_observe. Errors: also INVALID (an unknown role or flag; `of` belongs to another
 * context; both OBSERVE_FAILED and OBSERVE_SUCCEEDED; OBSERVE_ON_DEMAND without a scheduler; fn NULL
 * elsewhere, with MAINSTEM_CONFIRM, or with OBSERVE_ON_DEMAND, since a host fetches a mailbox when it wants
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
 * mainstem_stats.history_lost counts them.
 * Thread: context. Reentrant: yes. Null: context must not be NULL.
 * Errors: INVALID (no such type, a request type, a value, a secret, an age below 0), TOO_BIG (count over 16,777,216), DENIED
 * (a scope that may not register such a type), STALE, WRONG_KIND, WRONG_THREAD, NO_MEMORY.
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
 * mainstem_stats.history.
 *
 * Every send of such an event changes the value; a set first compares. Inside an immediate callback with the last
 * event of the value that callbacks have sent and that is still on its way, else with the present value. Events from
 * outside that wait do not count there, because a replay would decide otherwise. Elsewhere it compares with the last
 * one from outside that waits, else with the last from callbacks that is on its way, else with the present value.
 * A post counts when it is taken in. OK says that the value is set or will be, whether or not an event was sent.
 *
 * Whoever has a scope's handle may set its values: a parent those of its children. A value cannot be a secret, a
 * request, a response or progress. It has no other history.
 *
 * Owner: the bytes are borrowed for the call. Thread: context. Reentrant: yes. Null: data may be NULL when size is 0.
 * Errors: INVALID (also a type of another role), else as mainstem_send, with NO_MEMORY also when it need not wait. If
 * memory is short when the event of a periodic timer is delivered, the value is unset until its next change, and
 * mainstem_stats.history_lost counts that.
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
 *       printf("%lld\n", (long long)mainstem_integer(event));
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
MAINSTEM_API mainstem_status mainstem_subscription_ask(mainstem_subscription *subscription,
                                                       uint64_t count);

/**
 * Ends a subscription (law 5). Never waits.
 *
 * The release hook runs inside this call if nobody is delivering, neither on the stream nor on the
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
 * Code: not MAINSTEM_OK; the app's own begin at MAINSTEM_APP. Sentence: UTF-8, copied, may be NULL; if the
 * event is a secret, the report says "<secret>" instead.
 * Thread: callback. Errors: INVALID (NULL, code is OK, or not inside the callback that got `event`).
 */
MAINSTEM_API mainstem_status mainstem_fail(const mainstem_event *event, mainstem_status code,
                                           const char *sentence);

/**
 * Confirms that the callback has done its work: see MAINSTEM_CONFIRM. Without that flag it has no effect.
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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Flow, from the side that sends: contexts, scopes, send, schedulers.
 */

#ifndef MAINSTEM_CONTEXT_H
#define MAINSTEM_CONTEXT_H

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
 * once. Outside callbacks, answers and progress are not delivered before the next drain, and release hooks run in the
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

/** Has room for 256 events from signal handlers, and a descriptor: see mainstem_post_from_interrupt. */
#define MAINSTEM_CONTEXT_INTERRUPTS 8

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
  uint32_t size;    /**< sizeof this struct. */
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
 * Creates a context: an empty stream.
 *
 * Owner: the caller, who closes it. Thread: any; with MAINSTEM_THREADS_ONE the context then belongs
 * to the calling thread. Null: options NULL takes the defaults; context must not be NULL. After a
 * failure `*context` is NULL.
 * Errors: INVALID, UNSUPPORTED (an option this library does not know), TOO_BIG (a limit over its
 * maximum), LIMIT (too many contexts, or no descriptor for MAINSTEM_CONTEXT_INTERRUPTS), NO_MEMORY.
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
 * If observers on the host or change sets wait, and no call has ever drained the context, waited in it, or asked for its
 * descriptor, wake hook or next timeout, one event "MainstemFailure" says so: type and origin are those of the first call
 * that was never made, `count` is how many there are. In a recorded context it is an input.
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
 * Returns MAINSTEM_OK when no call failed. `message` (may be NULL) gets the failed call's message, or
 * empty text; it is valid until the context is closed. Calls in callbacks and on other threads count, too: those
 * refused with WRONG_THREAD, and what a scope is DENIED. So check it after setting up, and again before the close;
 * where a program tries what it may not do, check each call instead. A wait that ended with TIMEOUT or INTERRUPTED
 * has not failed, nor has an answer to a request, or its progress, that came too late (STALE). Calls count that take
 * the context or a scope, and answers: check those on other handles, such as a binding, a router or a replay.
 * For NULL, as after a failed mainstem_context_create: INVALID, with this thread's last message.
 * Thread: any. Errors, of this call itself: INVALID, STALE, WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_context_first_error(mainstem_context *context,
                                                          const char **message);

/** Counters of a context. */
typedef struct mainstem_context_stats {
  uint32_t size;          /**< sizeof(mainstem_context_stats), set by the caller. */
  uint32_t scopes;        /**< Live scopes, including servers but not the context itself. */
  uint64_t events;        /**< Events accepted: the last position. */
  uint64_t deliveries;    /**< Calls to observers, handlers and completions. */
  uint64_t failures;      /**< Calls that failed. */
  uint64_t waiting;       /**< Posts not yet taken in. */
  uint64_t types;         /**< Event types, including the library's own. */
  uint64_t subscriptions; /**< Subscriptions and server handlers whose hook has not run. */
  uint64_t requests;      /**< Tracked requests that are open: see mainstem_request_count. */
  uint64_t retained;      /**< Retained events. */
  uint64_t denied;        /**< Calls refused with MAINSTEM_DENIED. */
  uint64_t history;       /**< Events kept for late observers. */
  uint64_t history_lost;  /**< Events a history lost because memory was short. */
  uint64_t timers;        /**< Armed timers. */
  uint64_t timers_missed; /**< Ticks of periodic timers that passed before anybody drained. */
  uint64_t rejected;      /**< Events refused with MAINSTEM_FULL, or MAINSTEM_LIMIT (cascade). */
} mainstem_context_stats;

/**
 * Reads the counters of a context.
 *
 * Thread: context. Null: no argument may be NULL; `stats->size` must be set.
 * Errors: INVALID, UNSUPPORTED (stats of a newer library), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_stats_read(mainstem_context *context,
                                                         mainstem_context_stats *stats);

/* Scopes ----------------------------------------------------------------------------------------- */

/** The scope may send nothing and register no types. */
#define MAINSTEM_SCOPE_SENDS_NOTHING 1

/** The scope may observe nothing. */
#define MAINSTEM_SCOPE_OBSERVES_NOTHING 2

/** A scope's rights and budget. Each field can only narrow what the parent has. */
typedef struct mainstem_scope_options {
  uint32_t size;            /**< sizeof this struct. */
  uint32_t flags;           /**< MAINSTEM_SCOPE_… flags, joined by `|`. */
  uint64_t send_layers;     /**< Layers it may send on, MAINSTEM_LAYER_BITs; 0: the parent's. */
  uint64_t observe_layers;  /**< Layers it may observe, likewise; 0: the parent's. */
  uint64_t limit_observers; /**< Subscriptions and handlers, children's too; 0: the parent's. */
} mainstem_scope_options;

/**
 * Adds a scope: a named child of a context or of another scope.
 *
 * Every function that takes a context also takes a scope. Events sent through a scope carry it as their
 * origin; observers registered through it end with it. Names need not be unique.
 *
 * **Rights.** It gets the rights that `options` name and the parent also has. Nothing can widen them, neither for the
 * scope nor for what is made through it. A call beyond them changes nothing and returns MAINSTEM_DENIED; the message
 * names scope, layer and type. Denials are counted. The scope's 1st, 2nd, 4th, 8th … denial is reported by an event
 * "MainstemDenied" (layer system, JSON: origin, what, type, layer, count).
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
 * Owner: the caller, who ends it; it ends with its parent at the latest. The name is copied (UTF-8,
 * 1 to 255 bytes). Thread: context. Reentrant: yes. Null: options NULL: everything the parent may do.
 * Errors: INVALID (also an unknown flag), UNSUPPORTED (options of a newer library), TOO_BIG (the name), STALE,
 * WRONG_KIND, WRONG_THREAD, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                const mainstem_scope_options *options,
                                                mainstem_context **scope);

/**
 * Gets a scope's number, by which it is found again in this context, and in every repetition of the session.
 *
 * It derives from the number of the parent, the name, the position of the event in whose callback the scope was
 * added (0: outside callbacks), and how many of that name were added below that parent at that event. Neither the
 * seed nor observers nor other scopes change it. No two live scopes of a context have the same number; one that was
 * added outside callbacks may have that of an ended one. The number of a context is 0. Numbers are below 2^53, so
 * that JSON and a double keep them; if a session of 0.10 or before is replayed, they have the 64 bits that they had
 * there, and so have those of the scopes that were added before mainstem_replay_open.
 *
 * An event that names a scope carries its number: a handle means nothing in another process.
 * Thread: context. Reentrant: yes; also in the callbacks of a closing context.
 * Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_number(mainstem_context *scope, uint64_t *number);

/**
 * Finds the live scope or server with a number (see mainstem_scope_number), wherever it is in the context.
 *
 * If no live scope has that number, the call returns OK and sets `*scope` to NULL. 0 finds the context. Rights only
 * narrow: through a scope with limited rights or a budget of observers, no scope is found that may do more or counts
 * elsewhere. In a muted replay a scope of the session is found as long as it lived there: views observe it and are bound
 * to it as they were; nothing else is behind it.
 *
 * Owner: the code that added the scope; `*scope` is the same handle, and STALE once the scope has ended. `*name` is
 * valid while the scope lives. `name` may be NULL.
 * Thread: context. Reentrant: yes; also in the callbacks of a closing context.
 * Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_scope_find(mainstem_context *context, uint64_t number,
                                                 mainstem_context **scope, const char **name);

/**
 * Ends a scope or server.
 *
 * Its subscriptions are cancelled (law 5), the last registered first, and its child scopes end with it. So what waits
 * for them is not heard any more, also in a context that delivers on the host. Only an owner goes on to hear until its
 * end is delivered (mainstem_instance_open).
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
 * context's limit; no byte was read), DENIED (mainstem_scope_add), STALE, WRONG_KIND,
 * WRONG_THREAD, FULL, LIMIT, NO_MEMORY (the last three only when the event has to wait, FULL also when a
 * queue refuses).
 */
MAINSTEM_API mainstem_status mainstem_send(mainstem_context *context, mainstem_event_type type,
                                           const void *data, size_t size);

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
 * Like mainstem_post, for signal handlers: the only call that is async-signal-safe. The context must be created with
 * MAINSTEM_CONTEXT_INTERRUPTS.
 *
 * It takes no lock, allocates nothing and preserves errno. It writes no message: neither
 * mainstem_last_error nor mainstem_context_first_error sees its failures. The context's descriptor becomes
 * readable and a mainstem_wait returns. The hook of mainstem_context_on_wake is not called, because it may
 * not be safe here. The next drain takes in these events in the order they arrived, before anything posted
 * after them.
 *
 * Thread: any, also in a signal handler that interrupted any call of this library. Null: data may be NULL
 * when size is 0.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over 48 bytes), FULL (256
 * are waiting), UNSUPPORTED (the context was created without MAINSTEM_CONTEXT_INTERRUPTS), DENIED (a scope with limited
 * rights), STALE, WRONG_KIND.
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
 * more work for `spin_us` microseconds before it sleeps, unless the context closes. This makes a round trip
 * about a hundred times shorter, but keeps a processor busy; 0 sleeps at once. Unless the context is
 * MAINSTEM_THREADS_ANY, its callbacks may post, respond and report progress, but not send or request. A context
 * has at most 63 serial schedulers.
 *
 * Owner: the context; the name is copied, and its first 15 bytes become the thread's name. Thread: context.
 * Reentrant: yes. Null: no argument may be NULL.
 * Errors: INVALID (NULL, an invalid name), TOO_BIG (the name), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no
 * thread can be started, or 64 schedulers), NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scheduler_add(mainstem_context *context, const char *name,
                                                    uint32_t spin_us,
                                                    mainstem_scheduler *scheduler);

#ifdef __cplusplus
}
#endif

#endif

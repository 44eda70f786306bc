// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Contexts: their threads, limits, clock and counters. Guide: docs/threads.md.
 */

#ifndef MAINSTEM_CONTEXT_H
#define MAINSTEM_CONTEXT_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options ------------------------------------------------------------------------------------------------ */

/** The context belongs to the thread that creates it: the default, and the fastest. */
#define MAINSTEM_THREADS_ONE 0

/**
 * Any thread may use the context: "Thread: context" then means any thread. One thread at a time delivers, so there is
 * still one order.
 */
#define MAINSTEM_THREADS_ANY 1

/**
 * Any thread may use the context, but your program admits only one thread at a time, for example with an actor, a
 * strand or a queue. Callbacks run on the admitted thread.
 *
 * Even a thread that is not admitted may call mainstem_pending_cancel and the functions with "Thread: any". These calls
 * take effect at once. If such a call is made outside callbacks, however, the callbacks that it causes have to wait:
 * the next drain delivers an answer or progress, and the next call that sends, observes, drains or closes runs release
 * hooks.
 */
#define MAINSTEM_THREADS_GUARDED 2

/** Each event has the time at which it was accepted, in mainstem_event.time. */
#define MAINSTEM_CONTEXT_TIMES 1

/**
 * A send accepts its event, but does not deliver it. Even immediate observers are called only in mainstem_drain,
 * mainstem_wait and mainstem_flush.
 */
#define MAINSTEM_CONTEXT_DELIVER_ON_HOST 2

/** Observer calls are timed: see mainstem_subscription_stats. */
#define MAINSTEM_CONTEXT_TIMING 4

/** Reserves space for 256 events from signal handlers: see mainstem_post_from_interrupt. */
#define MAINSTEM_CONTEXT_INTERRUPTS 8

/**
 * A scope may send and observe only what its options name: NULL and 0 mean no layers, not those of the parent. See
 * mainstem_scope_add.
 */
#define MAINSTEM_CONTEXT_DENY_BY_DEFAULT 16

/** Timers use the monotonic clock; events have the real time since 1970. This is the default. */
#define MAINSTEM_CLOCK_MONOTONIC 0

/**
 * Time begins at 0, and only mainstem_context_advance moves it forward. This clock is for tests and simulations. No
 * threads are started: mainstem_drain does the work of serial schedulers, one event at a time, and the seed decides
 * which scheduler is next.
 */
#define MAINSTEM_CLOCK_VIRTUAL 1

/** Options for a new context. */
struct mainstem_context_options {
  uint32_t size;    /**< sizeof this struct. */
  uint32_t threads; /**< MAINSTEM_THREADS_ONE, _ANY or _GUARDED. */
  uint32_t flags;   /**< MAINSTEM_CONTEXT_…, joined by `|`. */
  uint32_t clock;   /**< MAINSTEM_CLOCK_MONOTONIC or MAINSTEM_CLOCK_VIRTUAL. */
  /* Limits (law 9). 0: the default, see SECURITY.md. */
  uint64_t limit_observers; /**< Subscriptions and server handlers. */
  uint64_t limit_payload;   /**< Bytes per payload; at most 4,294,967,295, the default. */
  uint64_t limit_cascade;   /**< Causes of an event, back to its chain's first event; 0: 65,536. */
  uint64_t limit_events; /**< Waiting events, sent in callbacks or while another thread delivers. */
  uint64_t limit_bytes;  /**< Payload bytes of waiting events; a single event may exceed it. */
  uint64_t limit_posts;  /**< Posts not yet accepted. */
  uint64_t limit_post_bytes; /**< Like limit_bytes. */
  uint64_t seed;             /**< For mainstem_context_random; 0: any. */
  uint64_t limit_rows;       /**< Rows of a list; at most 16,777,216. 0: 1,048,576. */
};

/* Counters ----------------------------------------------------------------------------------------------- */

/** The counters of a context. */
typedef struct mainstem_context_stats {
  uint32_t size;          /**< sizeof this struct, set by you. */
  uint32_t scopes;        /**< Scopes and servers, without the context itself. */
  uint64_t events;        /**< Events accepted: the last position. */
  uint64_t deliveries;    /**< Calls of observers, handlers, completions. */
  uint64_t failures;      /**< Callbacks that failed. */
  uint64_t waiting;       /**< Posts not yet accepted. */
  uint64_t types;         /**< Event types, including the library's own. */
  uint64_t subscriptions; /**< Subscriptions and server handlers whose release hook has not run. */
  uint64_t requests;      /**< Open requests. */
  uint64_t retained;      /**< Retained events. */
  uint64_t denied;        /**< Calls refused with DENIED. */
  uint64_t history;       /**< Events kept for observers that are added later. */
  uint64_t history_lost;  /**< Events of histories that were lost for lack of memory. */
  uint64_t timers;        /**< Armed timers. */
  uint64_t timers_missed; /**< Repetitions for which no event was sent. */
  uint64_t rejected;      /**< Events refused with FULL or, because of limit_cascade, LIMIT. */
} mainstem_context_stats;

/**
 * Reads the counters of a context.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_stats_read(mainstem_context *context,
                                                         mainstem_context_stats *stats);

/* The description ---------------------------------------------------------------------------------------- */

/**
 * Describes a context, or a scope and those below it: which event types there are, and who handles, observes and has sent
 * each of them. Calls `fn` once, with a JSON object as one line of text (docs/tools.md):
 *
 *     {"scopes":[{"name":"","kind":"context","number":0},{"name":"Greeter","kind":"server","number":…,"parent":0}],
 *      "types":[{"name":"RequestGreet","role":"request","layer":"app","response":"ResponseGreeting",
 *                "handlers":[{"scope":1,"name":"Greeter"}]},…],
 *      "observers":[{"scope":0,"name":"","count":2}]}
 *
 * `scope` is an index into `scopes`. Types, scopes and observers are in the order in which they were added. Identical
 * observers in one scope are one entry, with `count`. `observers` at the end are those of every type, of a role or of
 * layers. `senders` of a type are the scopes that have set the value. `sends` and `observes` of a scope are the layers
 * that it may use; without them, it may use every layer.
 *
 * The text is for people, tools and tests: in a replay, it may differ.
 *
 * Thread: context; `fn` is called before the call returns, and may make all calls.
 * Works in the callbacks of a closing context, too.
 * Errors: NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_context_describe(mainstem_context *context,
                                                       mainstem_line_fn fn, void *user_data);

/* The version -------------------------------------------------------------------------------------------- */

/**
 * Returns the version of the running library: major << 16 | minor << 8 | patch.
 * Thread: any.
 */
MAINSTEM_API uint32_t mainstem_version(void);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Contexts: threads, limits and the clock of a context; its counters.
 */

#ifndef MAINSTEM_CONTEXT_H
#define MAINSTEM_CONTEXT_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options ------------------------------------------------------------------------------------------------ */

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
struct mainstem_context_options {
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
};

/* Counters ----------------------------------------------------------------------------------------------- */

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
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_stats_read(mainstem_context *context,
                                                         mainstem_context_stats *stats);

/* The version -------------------------------------------------------------------------------------------- */

/** The version of the running library: major << 16 | minor << 8 | patch. Thread: any. */
MAINSTEM_API uint32_t mainstem_version(void);

#ifdef __cplusplus
}
#endif

#endif

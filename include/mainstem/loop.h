// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The loop: more about time, chance, signals, and loops that poll no descriptor.
 */

#ifndef MAINSTEM_LOOP_H
#define MAINSTEM_LOOP_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time --------------------------------------------------------------------------------------------------- */

/**
 * Reads the time, in nanoseconds: since 1970, or on the virtual clock.
 *
 * Inside a callback, in a context with MAINSTEM_CONTEXT_TIMES, this is the event's time: the same in every run
 * with the same inputs (law 11). Without that option, and outside callbacks, it is the clock's time.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_now(mainstem_context *context, int64_t *time);

/**
 * Moves a virtual clock forward. Everything that becomes due happens, in order.
 *
 * Each timer fires at its own time, including timers armed meanwhile. Between two timers everything else is
 * drained until nothing waits. So if a program arms a timer of 0 ms each time one fires, the clock never gets
 * past that instant.
 * Waits. Thread: context.
 * Errors: INVALID (no virtual clock, or ms below 0), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_context_advance(mainstem_context *context, int64_t ms);

/* Chance ------------------------------------------------------------------------------------------------- */

/**
 * Draws a number that looks random, but is the same in every run with the same seed and inputs (law 11).
 *
 * Inside a callback it follows from the seed (mainstem_context_options.seed), the event's position, the name
 * of the subscription's scope, which subscription of that scope it is, and how many numbers the call has drawn.
 * What others observe or draw does not change it. Outside callbacks it follows from the seed and how many
 * numbers were drawn outside.
 * Not for secrets: anyone who has seen a few numbers can predict the rest.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_random(mainstem_context *context, uint64_t *number);

/** Room for an id of 36 characters and a zero byte. */
#define MAINSTEM_ID_SIZE 37

/**
 * Makes an id that looks unique, as text in the form of a version 4 UUID.
 *
 * It is made of two numbers from mainstem_context_random; everything said there applies.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_id(mainstem_context *context,
                                                 char text[MAINSTEM_ID_SIZE]);

/* Waiting ------------------------------------------------------------------------------------------------ */

/**
 * Like mainstem_wait, but also interrupted while `interrupt_fd` is readable.
 *
 * For hosts whose signal handlers write to a pipe or an eventfd, or that have a signalfd: no signal can slip in
 * between the host's last check and the sleep. Waiting events are drained before the descriptor is checked. The
 * descriptor is the caller's and is never read; below 0 means none.
 * Waits. Thread: context.
 * Errors: those of mainstem_wait, INVALID (`interrupt_fd` is not open).
 */
MAINSTEM_API mainstem_status mainstem_wait_interruptible(mainstem_context *context,
                                                         int64_t timeout_ms, int interrupt_fd);

/**
 * Drains, and returns when everything accepted or posted before the call has reached its immediate
 * observers. Events handed over to a serial scheduler may still be on their way.
 *
 * Waits. Thread: context.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_flush(mainstem_context *context);

/**
 * Says how long a loop that polls no descriptors may sleep, in milliseconds: 0 when there is something to drain
 * now, -1 when nothing will come by itself, else the time until the next timer.
 *
 * Inside a callback of the context, where nothing can be drained, this is -1.
 *
 * Call it after each drain. mainstem_context_on_wake tells when another thread hands something over, or when a
 * timer armed since is due sooner.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_next_timeout(mainstem_context *context,
                                                           int64_t *timeout_ms);

/** Something waits for the host: it should drain soon, on the context's own thread. */
typedef void (*mainstem_wake_fn)(void *user_data);

/**
 * Sets the wake hook, for loops that poll no descriptors. `fn` is called when there is something to drain, and
 * when, outside a drain, the next timeout becomes shorter.
 *
 * It runs on whichever thread caused that, with no lock held, and at most once until the context drains. If
 * something is already waiting, it runs inside this call. The hook should wake the loop, and the loop should
 * drain. Calls that wait return BUSY inside the hook.
 *
 * There is one hook per context, even when set through a scope. `fn` NULL removes it. The previous hook's
 * `release` runs inside this call, the last one's inside mainstem_context_close, each after the hook's last call
 * has ended.
 * Waits: for a call that another thread is running. Thread: context. Null: fn.
 * Errors: BUSY (inside a callback of the context, or the hook itself).
 */
MAINSTEM_API mainstem_status mainstem_context_on_wake(mainstem_context *context,
                                                      mainstem_wake_fn fn, void *user_data,
                                                      mainstem_release_fn release);

/* Signals ------------------------------------------------------------------------------------------------ */

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
 * Thread: any, also in a signal handler that interrupted any call of this library.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over 48 bytes), FULL (256 are
 * waiting), UNSUPPORTED (the context was created without MAINSTEM_CONTEXT_INTERRUPTS), DENIED (a scope with limited
 * rights).
 */
MAINSTEM_API mainstem_status mainstem_post_from_interrupt(mainstem_context *context,
                                                          mainstem_event_type type,
                                                          const void *data, size_t size);

/* The callback ------------------------------------------------------------------------------------------- */

/**
 * Reads the position of the event whose callback runs on this thread; 0: none that a replay calls again.
 *
 * Inside are observers, handlers, show functions and completions that are called at once: what they send is an
 * output (law 11). Outside, with 0, are callbacks on a scheduler, completions of requests from outside, release
 * hooks, and a show function that is called for no event: what they send is an input, like what is sent where no
 * callback runs. So a delay begins at a time that every run repeats if it begins where this is not 0. In a callback
 * of another context, called inside one of this context, it is still this one's event.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_callback_position(mainstem_context *context,
                                                        uint64_t *position);

#ifdef __cplusplus
}
#endif

#endif

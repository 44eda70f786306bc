// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Time, random numbers, signals, and loops that do not poll a descriptor. Guide: docs/threads.md.
 */

#ifndef MAINSTEM_LOOP_H
#define MAINSTEM_LOOP_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time --------------------------------------------------------------------------------------------------- */

/**
 * Reads the time in nanoseconds: since 1970, or on the virtual clock.
 *
 * In a callback, in a context with MAINSTEM_CONTEXT_TIMES, this is the event's time (law 11); otherwise, it is the
 * clock's time.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_now(mainstem_context *context, int64_t *time);

/**
 * Moves a virtual clock forward by `ms` milliseconds.
 *
 * Each timer that becomes due sends its event at its own time, even if the timer is set during the call. Before the
 * clock moves on, everything else is drained until nothing is waiting. If each event sets another timer of 0 ms, the
 * call never returns.
 * Thread: context.
 * Waits.
 * Errors: INVALID (the clock is not virtual, or `ms` is below 0), BUSY.
 */
MAINSTEM_API mainstem_status mainstem_context_advance(mainstem_context *context, int64_t ms);

/* Random numbers ----------------------------------------------------------------------------------------- */

/**
 * Draws a pseudo-random number, the same in every run with the same seed and inputs (law 11).
 *
 * In a callback, the number does not depend on the numbers drawn in other callbacks. Do not use these numbers for
 * secrets: anyone who has a few of them can predict the rest.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_random(mainstem_context *context, uint64_t *number);

/** Room for an id of 36 characters and a zero byte. */
#define MAINSTEM_ID_SIZE 37

/**
 * Makes an id from two numbers of mainstem_context_random: text in the form of a version 4 UUID.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_id(mainstem_context *context,
                                                 char text[MAINSTEM_ID_SIZE]);

/* Waiting ------------------------------------------------------------------------------------------------ */

/**
 * Like mainstem_wait, but also returns INTERRUPTED while `interrupt_fd` is readable. A negative `interrupt_fd` means no
 * descriptor.
 *
 * Pass a signalfd, or the read end of a pipe that signal handlers write to, so that no signal is missed. Everything
 * that is waiting is drained first.
 *
 * Owner: you; the descriptor is never read.
 * Thread: context.
 * Waits.
 * Errors: as mainstem_wait, and INVALID (`interrupt_fd` is not open).
 */
MAINSTEM_API mainstem_status mainstem_wait_interruptible(mainstem_context *context,
                                                         int64_t timeout_ms, int interrupt_fd);

/**
 * Drains, and returns when all events accepted or posted before the call have reached their immediate observers.
 *
 * Events may still be waiting on serial schedulers.
 * Thread: context.
 * Waits.
 * Errors: BUSY.
 */
MAINSTEM_API mainstem_status mainstem_flush(mainstem_context *context);

/**
 * Gets the number of milliseconds that a loop without a polled descriptor may sleep.
 *
 * 0: something is waiting. -1: the loop may sleep until it is woken, since nothing will become due; also in a callback
 * of the context. Call the function after each drain, and set a wake hook to end the sleep.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_context_next_timeout(mainstem_context *context,
                                                           int64_t *timeout_ms);

/** Called when something is waiting. The hook should wake the loop, which then drains on the context's own thread. */
typedef void (*mainstem_wake_fn)(void *user_data);

/**
 * Sets the wake hook, for loops that do not poll a descriptor.
 *
 * `fn` is called when something begins to wait, and when the next timeout becomes shorter outside a drain. The hook is
 * called on the thread that causes this change, and at most once until the context drains. If something is already
 * waiting, `fn` is called during this call. In the hook, calls that wait return BUSY.
 *
 * A context and its scopes share one hook; `fn` NULL removes it. The `release` of the previous hook runs in this call;
 * the `release` of the last hook runs in mainstem_context_close. Each `release` runs after the last call to its hook.
 *
 * Thread: context.
 * Null: fn.
 * Waits: for the hook, on another thread.
 * Errors: BUSY (in a callback of the context, or in the hook).
 */
MAINSTEM_API mainstem_status mainstem_context_on_wake(mainstem_context *context,
                                                      mainstem_wake_fn fn, void *user_data,
                                                      mainstem_release_fn release);

/* Signals ------------------------------------------------------------------------------------------------ */

/** Bytes of payload that mainstem_post_from_interrupt takes. */
#define MAINSTEM_INTERRUPT_PAYLOAD 48

/**
 * Like mainstem_post, for signal handlers: the only call that is async-signal-safe.
 *
 * It takes no lock, allocates no memory, preserves errno, and sets no message for mainstem_last_error. The context's
 * descriptor becomes readable, and mainstem_wait returns; the wake hook is not called. The next drain accepts these
 * events in the order of the calls, before events that are posted after them.
 *
 * Thread: any; also in a signal handler that interrupts a call of this library.
 * Errors: INVALID (no such type, or a payload that breaks its contract), TOO_BIG (over 48 bytes), FULL (256 wait),
 * UNSUPPORTED (a context without MAINSTEM_CONTEXT_INTERRUPTS), DENIED (a scope with limited rights).
 */
MAINSTEM_API mainstem_status mainstem_post_from_interrupt(mainstem_context *context,
                                                          mainstem_event_type type,
                                                          const void *data, size_t size);

/* The callback ------------------------------------------------------------------------------------------- */

/**
 * Reads the position of the event whose callback is running on this thread; 0 if a replay does not repeat that
 * callback.
 *
 * The position is not 0 in observers, handlers, show functions and completions that are called at once; events that
 * they send are outputs (law 11). It is 0 outside callbacks, on schedulers, in completions of requests from outside, in
 * release hooks, and in a show function that no event has caused; events that are sent there are inputs.
 * Thread: context.
 */
MAINSTEM_API mainstem_status mainstem_callback_position(mainstem_context *context,
                                                        uint64_t *position);

#ifdef __cplusplus
}
#endif

#endif

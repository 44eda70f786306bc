// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Loop: what a host's loop does for its context. Timers, the clock, drain, wait, wake.
 */

#ifndef MAINSTEM_LOOP_H
#define MAINSTEM_LOOP_H

#include "flow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time ------------------------------------------------------------------------------------------- */

/**
 * Sends an event later: `delay_ms` from now, inside the drain or wait that is then due.
 *
 * It is an outside event, a turn of its own, of the origin of the scope it was armed through, and ends with
 * that scope. Timers fire by their time, those of one time as they were armed. 0 is the next drain.
 * Payload and contract are checked now, and the payload is copied now.
 *
 * Owner: `timer` (may be NULL) gets a handle before it can fire; it ends when the timer has fired.
 * Thread: context.
 * Reentrant: yes.
 * Errors: as mainstem_send; INVALID (also for a delay below 0), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_send_after(mainstem_context *context,
                                                 mainstem_event_type type, const void *data,
                                                 size_t size, int64_t delay_ms,
                                                 mainstem_timer **timer);

/**
 * Sends an event again and again, the first time `period_ms` from now, until it is cancelled.
 *
 * It keeps in step: nobody's delay adds up. Times that have passed before a drain came are one event, and
 * so are times that come while the last one is still on its way; the others are counted in
 * mainstem_stats.timers_missed. Firing allocates nothing.
 * As mainstem_send_after. Errors: INVALID also for a period below 1.
 */
MAINSTEM_API mainstem_status mainstem_send_every(mainstem_context *context,
                                                 mainstem_event_type type, const void *data,
                                                 size_t size, int64_t period_ms,
                                                 mainstem_timer **timer);

/**
 * Ends a timer: it does not fire any more. Never waits.
 *
 * NULL does nothing. Thread: any. Reentrant: yes, also from an observer of its event.
 * Errors: STALE (it has fired for the last time, or was cancelled, or its scope has ended), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_timer_cancel(mainstem_timer *timer);

/**
 * What time it is, in nanoseconds: since 1970, or of the virtual clock.
 *
 * Inside a callback, in a context with MAINSTEM_CONTEXT_TIMES, it is the time of the event: the same in every
 * run that is fed the same (law 11). Without that option a callback gets the clock's, as everybody does
 * outside.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_now(mainstem_context *context, int64_t *time);

/**
 * Moves a virtual clock on, and lets all happen that becomes due, in order.
 *
 * Each timer fires at its own time, also one that is armed meanwhile; between two timers all else is drained,
 * until nothing waits. So a program that arms a timer of 0 ms each time one fires does not get beyond that
 * instant.
 * Waits. Thread: context.
 * Errors: INVALID (no virtual clock, or ms below 0), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_advance(mainstem_context *context, int64_t ms);

/* Chance ----------------------------------------------------------------------------------------- */

/**
 * A number that looks random, and is the same in every run of the same seed that is fed the same (law 11).
 *
 * Inside a callback it follows from the seed (mainstem_context_options.seed), the event's position, the name
 * of the subscription's scope, which one of that scope it is, and how many the call has drawn: what others
 * observe or draw does not change it. Outside, from the seed and how many were drawn outside.
 * Not for secrets: who has seen a few can tell the others.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_random(mainstem_context *context, uint64_t *number);

/** An id of 36 characters and a zero has room here. */
#define MAINSTEM_ID_SIZE 37

/**
 * An id that looks like no other, as text in the form of a UUID of version 4.
 *
 * It is made of two numbers of mainstem_context_random, with all that is said there.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_id(mainstem_context *context,
                                                 char text[MAINSTEM_ID_SIZE]);

/* Drain, wait, flush ----------------------------------------------------------------------------- */

/**
 * Lets happen, on this thread, what waits for it, each as a turn of its own: timers that are due, by their
 * time, then what other threads have posted or responded, then held events (DELIVER_ON_HOST), then what was
 * handed over to MAINSTEM_SCHEDULER_HOST.
 *
 * At most `max` of them, 0 for all; of each kind not more than what waited when its part began, but held
 * events together with what they cause. `count` (may be NULL) gets how many. While another thread delivers
 * one kind, that kind is left to it.
 * Waits. Thread: context. Errors: BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_drain(mainstem_context *context, size_t max, size_t *count);

/**
 * Moves what waits for a mailbox into a buffer of the caller's: many events with one call.
 *
 * A mailbox is an observer without a function (mainstem_observe_with, fn NULL), on MAINSTEM_SCHEDULER_HOST.
 * Nothing but this call empties it; until then the context's descriptor is readable.
 *
 * Headers (mainstem_header) are contiguous from the front; payloads lie at the back, each at a multiple of 8
 * from the buffer's begin; a header's `offset` says where. So a buffer is a batch as mainstem_send_many takes
 * it. Gaps are records too: MAINSTEM_EVENT_GAP. What a pointer of mainstem_event would say is not there:
 * a tracked request cannot be answered through its record.
 *
 * `count` gets how many were written, the oldest first; what does not fit stays. `next` (may be NULL) gets
 * how large an empty buffer has to be for the first that stays, 0 when nothing does. Size 0 only asks.
 * Owner: the buffer is the caller's; of a size over 4 GiB the first 4 GiB are used.
 * Waits, but for nothing: it is refused where mainstem_drain is. Thread: context.
 * Null: buffer may be NULL when size is 0.
 * Errors: TOO_BIG (not even one fits; `next` says what is needed), INVALID (NULL, or the subscription has a
 * function), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_drain_records(mainstem_subscription *subscription,
                                                    void *buffer, size_t size, size_t *count,
                                                    size_t *next);

/**
 * Waits until there is something to drain, and drains it all.
 *
 * Timeout in milliseconds on the monotonic clock; below 0 waits for ever, 0 does not wait.
 * A signal that arrives just before it begins to sleep does not interrupt it: see
 * mainstem_wait_interruptible.
 * Waits. Thread: context. Errors: TIMEOUT (nothing came), INTERRUPTED (a signal arrived), BUSY, STALE,
 * WRONG_KIND, WRONG_THREAD, LIMIT (no file descriptor is left).
 */
MAINSTEM_API mainstem_status mainstem_wait(mainstem_context *context, int64_t timeout_ms);

/**
 * As mainstem_wait; it is also interrupted while `interrupt_fd` is readable.
 *
 * For hosts whose signal handlers write to a pipe or an eventfd, or that have a signalfd: no signal slips in
 * between the host's last look and the sleep. What waits is drained before it looks at the descriptor, which
 * is the caller's and is never read; below 0: none.
 * Waits. Thread: context. Errors: those of mainstem_wait, INVALID (`interrupt_fd` is not open).
 */
MAINSTEM_API mainstem_status mainstem_wait_interruptible(mainstem_context *context,
                                                         int64_t timeout_ms, int interrupt_fd);

/**
 * Drains, and returns when everything accepted or posted before the call has reached its immediate
 * observers. What was handed over to a serial scheduler may still be on its way.
 *
 * Waits. Thread: context. Errors: BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_flush(mainstem_context *context);

/**
 * A file descriptor for the host's loop: readable while there is something to drain.
 *
 * Level-triggered; poll it for reading, never read it. While a drain runs it is not readable, so a loop that a
 * callback runs does not spin. In a callback outside a drain the first mainstem_drain or
 * mainstem_drain_records that returns MAINSTEM_BUSY makes it unreadable, until the event has reached all its
 * immediate observers; then it is readable again if something waits. It is close-on-exec, above 2, and
 * closed with the context. Each call returns the same descriptor.
 * Thread: context. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no descriptor left).
 */
MAINSTEM_API mainstem_status mainstem_context_fd(mainstem_context *context, int *fd);

/**
 * How long a loop that polls no descriptors may sleep, in milliseconds: 0 when there is something to drain
 * now, -1 when nothing comes by itself, else the time until the next timer.
 *
 * Inside a callback of the context, where nothing can be drained, it is -1.
 *
 * To be asked after each drain. What other threads hand over, and a timer armed since that comes sooner, is
 * told of by mainstem_context_on_wake.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_next_timeout(mainstem_context *context,
                                                           int64_t *timeout_ms);

/** Something waits for the host: it should drain soon, on the context's own thread. */
typedef void (*mainstem_wake_fn)(void *user_data);

/**
 * Sets the wake hook, for loops that poll no descriptors: `fn` is called when there is something to drain, and
 * when, outside a drain, the next time-out has become shorter.
 *
 * It is called on whichever thread brought it, no lock held, and at most once until the context drains;
 * inside this call if something waits already. It is meant to make the loop drain there.
 * Calls that wait are BUSY inside it.
 *
 * One hook per context, also when set through a scope. `fn` NULL removes it. The hook before gets its
 * `release` inside this call, the last one inside mainstem_context_close, after the last call has ended.
 * Waits: for a call that another thread is running. Thread: context.
 * Null: fn, user_data and release may be NULL.
 * Errors: BUSY (inside a callback of the context, or the hook itself), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_on_wake(mainstem_context *context,
                                                      mainstem_wake_fn fn, void *user_data,
                                                      mainstem_release_fn release);

#ifdef __cplusplus
}
#endif

#endif

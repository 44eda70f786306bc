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
 * Sends an event `delay_ms` from now, inside the first drain or wait after that time; then every `repeat_ms` until the
 * timer is cancelled. With a `repeat_ms` of 0 it is sent once.
 *
 * It is an outside event and a turn of its own. Its origin is the scope the timer was armed through; the timer
 * ends with that scope. Timers fire in order of time; timers due at the same time fire in the order they were
 * armed. A timer with a delay of 0 fires at the next drain. Payload and contract are checked now, and the
 * payload is copied now.
 *
 * A timer that repeats does not drift: delays do not add up. If several periods pass before a drain, they make one
 * event. A period that passes while the previous event is still on its way makes none. Skipped periods are counted in
 * mainstem_context_stats.timers_missed. Firing allocates nothing.
 *
 * Owner: `timer` (may be NULL) gets a handle before the timer can fire; it ends when the timer has fired for the last
 * time.
 * Thread: context.
 * Reentrant: yes.
 * Errors: as mainstem_send, without FULL; INVALID (also for a delay or a period below 0), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_send_after(mainstem_context *context,
                                                 mainstem_event_type type, const void *data,
                                                 size_t size, int64_t delay_ms, int64_t repeat_ms,
                                                 mainstem_timer **timer);

/**
 * Ends a timer: it does not fire again. Never waits.
 *
 * NULL does nothing. Thread: any. Reentrant: yes, also from an observer of its event.
 * Errors: STALE (it has fired for the last time, or was cancelled, or its scope has ended), WRONG_KIND.
 */
MAINSTEM_API mainstem_status mainstem_timer_cancel(mainstem_timer *timer);

/**
 * Reads the time, in nanoseconds: since 1970, or on the virtual clock.
 *
 * Inside a callback, in a context with MAINSTEM_CONTEXT_TIMES, this is the event's time: the same in every run
 * with the same inputs (law 11). Without that option, and outside callbacks, it is the clock's time.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_now(mainstem_context *context, int64_t *time);

/**
 * Reads the position of the event whose callback runs on this thread; 0: none that a replay calls again.
 *
 * Inside are observers, handlers, show functions and completions that are called at once: what they send is an
 * output (law 11). Outside, with 0, are callbacks on a scheduler, completions of requests from outside, release
 * hooks, and a show function that is called for no event: what they send is an input, like what is sent where no
 * callback runs. So a delay begins at a time that every run repeats if it begins where this is not 0. In a callback
 * of another context, called inside one of this context, it is still this one's event.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_callback_position(mainstem_context *context,
                                                        uint64_t *position);

/**
 * Moves a virtual clock forward. Everything that becomes due happens, in order.
 *
 * Each timer fires at its own time, including timers armed meanwhile. Between two timers everything else is
 * drained until nothing waits. So if a program arms a timer of 0 ms each time one fires, the clock never gets
 * past that instant.
 * Waits. Thread: context.
 * Errors: INVALID (no virtual clock, or ms below 0), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_advance(mainstem_context *context, int64_t ms);

/* Chance ----------------------------------------------------------------------------------------- */

/**
 * Draws a number that looks random, but is the same in every run with the same seed and inputs (law 11).
 *
 * Inside a callback it follows from the seed (mainstem_context_options.seed), the event's position, the name
 * of the subscription's scope, which subscription of that scope it is, and how many numbers the call has drawn.
 * What others observe or draw does not change it. Outside callbacks it follows from the seed and how many
 * numbers were drawn outside.
 * Not for secrets: anyone who has seen a few numbers can predict the rest.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_random(mainstem_context *context, uint64_t *number);

/** Room for an id of 36 characters and a zero byte. */
#define MAINSTEM_ID_SIZE 37

/**
 * Makes an id that looks unique, as text in the form of a version 4 UUID.
 *
 * It is made of two numbers from mainstem_context_random; everything said there applies.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_context_id(mainstem_context *context,
                                                 char text[MAINSTEM_ID_SIZE]);

/* Drain, wait, flush ----------------------------------------------------------------------------- */

/**
 * Runs what waits for the host, on this thread, each item as a turn of its own: first due timers, by their
 * time; then what other threads have posted or responded; then held events (DELIVER_ON_HOST); then what was
 * handed over to MAINSTEM_SCHEDULER_HOST; then change sets (mainstem_binding_on_changes).
 *
 * Runs at most `max` items; 0 means all. Of each kind it runs at most the items that were waiting when it began
 * with that kind; held events run together with what they cause. `count` (may be NULL) gets the number of
 * items. A kind that another thread is delivering is left to that thread.
 * When `max` stops a drain, the next drain that has a `max` begins with the kind after the one it stopped in, and
 * comes round to the others: no kind waits forever behind one that keeps coming.
 * Waits. Thread: context. Errors: BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_drain(mainstem_context *context, size_t max, size_t *count);

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
 * Owner: the buffer is the caller's; of a buffer over 4 GiB the first 4 GiB are used.
 * Waits: for nothing, but returns BUSY wherever mainstem_drain does. Thread: context.
 * Null: buffer may be NULL when size is 0.
 * Errors: TOO_BIG (not even one event fits; `next` gets the size it needs), INVALID (NULL, or the subscription
 * has a function), BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_mailbox_take(mainstem_subscription *subscription,
                                                   void *buffer, size_t size, size_t *count,
                                                   size_t *next);

/**
 * Waits until there is something to drain, then drains everything.
 *
 * The timeout is in milliseconds on the monotonic clock; below 0 waits forever, 0 does not wait.
 * A signal that arrives just before the sleep begins does not interrupt it: see mainstem_wait_interruptible.
 * Waits. Thread: context. Errors: TIMEOUT (nothing came), INTERRUPTED (a signal arrived), BUSY, STALE,
 * WRONG_KIND, WRONG_THREAD, LIMIT (no file descriptor is left).
 */
MAINSTEM_API mainstem_status mainstem_wait(mainstem_context *context, int64_t timeout_ms);

/**
 * Like mainstem_wait, but also interrupted while `interrupt_fd` is readable.
 *
 * For hosts whose signal handlers write to a pipe or an eventfd, or that have a signalfd: no signal can slip in
 * between the host's last check and the sleep. Waiting events are drained before the descriptor is checked. The
 * descriptor is the caller's and is never read; below 0 means none.
 * Waits. Thread: context. Errors: those of mainstem_wait, INVALID (`interrupt_fd` is not open).
 */
MAINSTEM_API mainstem_status mainstem_wait_interruptible(mainstem_context *context,
                                                         int64_t timeout_ms, int interrupt_fd);

/**
 * Drains, and returns when everything accepted or posted before the call has reached its immediate
 * observers. Events handed over to a serial scheduler may still be on their way.
 *
 * Waits. Thread: context. Errors: BUSY, STALE, WRONG_KIND, WRONG_THREAD.
 */
MAINSTEM_API mainstem_status mainstem_flush(mainstem_context *context);

/**
 * Gets a file descriptor for the host's loop: readable while there is something to drain.
 *
 * Level-triggered; poll it for reading, never read it. It is not readable while a drain runs, so a loop run
 * inside a callback does not spin. In a callback outside a drain, the first mainstem_drain or
 * mainstem_mailbox_take that returns MAINSTEM_BUSY makes it unreadable until the event has reached all its
 * immediate observers. Then it is readable again if something waits. The descriptor is close-on-exec, above 2,
 * and closed with the context. Each call returns the same descriptor.
 * Thread: context. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD, LIMIT (no descriptor left).
 */
MAINSTEM_API mainstem_status mainstem_context_fd(mainstem_context *context, int *fd);

/**
 * Says how long a loop that polls no descriptors may sleep, in milliseconds: 0 when there is something to drain
 * now, -1 when nothing will come by itself, else the time until the next timer.
 *
 * Inside a callback of the context, where nothing can be drained, this is -1.
 *
 * Call it after each drain. mainstem_context_on_wake tells when another thread hands something over, or when a
 * timer armed since is due sooner.
 * Thread: context. Reentrant: yes. Errors: INVALID (NULL), STALE, WRONG_KIND, WRONG_THREAD.
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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mainstem: an embeddable application core.
 *
 * Every part of a program (views, view models, servers, services) talks through one ordered
 * stream of immutable events, from C, Python or Swift, in one process. This header and those it
 * includes are the manual; read them in this order.
 *
 *     base.h       statuses, handles, versions, the last error
 *     event.h      what happened: types, payloads, the event a callback gets
 *     flow.h       one stream, in order: contexts, scopes, send, observe, cancel
 *     loop.h       the host's loop: timers, the clock, drain, wait, wake
 *     handlers.h   servers that answer, requests that are answered
 *
 * testing.h is not among them: it is the test kit's, a small library of its own.
 *
 * Seven words to begin with: *context* (one stream and all that hangs on it), *event* (what
 * happened, or what is asked), *send* (put an event on the stream), *observe* (look at events as
 * they pass), *server* (answers requests), *request* (ask, and get exactly one answer), *respond*
 * (give it).
 *
 *
 * THE LAWS OF THE STREAM
 *
 *  1. One order. Every accepted event gets the next position: 1, 2, 3 … Every observer sees the
 *     events it matches in ascending position; for one event, observers are called in the order
 *     they were registered, whatever they filter by, and the completion of a request comes last.
 *  2. Exactly once. An observer starts after the last position accepted when it was registered
 *     (mainstem_subscription_from), also when it is registered inside a callback; from there on
 *     it sees the stream without hole or repeat.
 *  3. Never nested. An event sent inside a callback is delivered after the current event has
 *     reached all its observers: no recursion, no deadlock, constant stack. No callback is ever
 *     re-entered. Calls that wait return MAINSTEM_BUSY inside a callback of the same context.
 *  4. Immutable. The sender leaves the bytes alone until the call returns; an event that has to
 *     wait is copied once. The pointers a callback gets end with the callback;
 *     mainstem_event_retain makes a copy with a handle of its own.
 *  5. Cancel is final. mainstem_cancel never waits and may be called from anywhere. After it
 *     returned no further call is decided: none at all on the delivering thread; seen from
 *     another thread, at most the one call already decided may still be running.
 *     mainstem_cancel_wait returns when that call has ended and the release hook has run.
 *  6. No surprise thread. A context belongs to the thread that created it, or is opened for any
 *     thread. A send returns MAINSTEM_OK when the event is accepted; if nobody was delivering, the
 *     caller delivers it, and what was sent meanwhile, before it returns. The library starts no
 *     thread.
 *  7. Errors are values. A failed response is an event. No error ends a subscription. A callback
 *     that fails is counted, the others still get theirs, and the failure is reported on the
 *     stream at the 1st, 2nd, 4th, 8th … time.
 *  8. Accepted means answered. A tracked request gets exactly one final response, paired by
 *     `answers`: from a server, or MAINSTEM_UNHANDLED, MAINSTEM_TIMEOUT or MAINSTEM_CANCELLED from the
 *     core. It is settled when the answer is given; a late or second one is refused.
 *  9. Bounded. What waits in the stream, and what was posted, has a limit in events and bytes; beyond
 *     it a send is MAINSTEM_FULL, and has changed nothing. The answer of an accepted request has its
 *     place. An event too many causes away from its outside event is refused with MAINSTEM_LIMIT,
 *     with a report that names the chain; the context lives on. Refusals are counted.
 * 11. Same in, same out. Inside a callback mainstem_context_now is the event's time, and
 *     mainstem_context_random and _id follow from seed, position, subscription and call. With the
 *     same seed, virtual clock and input two runs are the same. Observing and inspecting never
 *     change positions.
 * 12. Closed is closed. mainstem_context_close inside a callback of the context is MAINSTEM_BUSY and
 *     changes nothing. Else: accepted events reach their observers, open requests get
 *     MAINSTEM_CANCELLED, release hooks run once, in reverse order of registration, and every
 *     handle is MAINSTEM_STALE for ever: using one is a status, never a crash.
 *
 * (Law 10, of the journal, comes with the part it speaks of.)
 *
 *
 * THREADS, in one place. *Thread:* in a function's comment is one of
 *
 *     any      from every thread, at every time;
 *     context  from the context's own thread, or from every thread where the context was opened
 *              with MAINSTEM_THREADS_ANY. From elsewhere: MAINSTEM_WRONG_THREAD, nothing changed;
 *     callback on the thread, and during the time, of the callback that got the event.
 *
 * Callbacks run only on a thread that is inside a call of this library. No lock is held while one
 * runs, so everything may be called from a callback, except that calls marked *Waits* return
 * MAINSTEM_BUSY there. Leaving a callback by longjmp, an exception or pthread_exit, and switching
 * fibers inside one, is undefined. From a signal handler nothing here may be called.
 *
 *
 * FORK. In a child process every handle made before fork is MAINSTEM_FORKED, no hook of it runs, and nothing
 * is written; new contexts work.
 *
 *
 * MEMORY. Text and payloads given to a call are borrowed for the call and copied where kept.
 * Nothing returned is freed by the caller; each pointer's life is stated. A failed allocation on
 * the path of events, observers and requests is MAINSTEM_NO_MEMORY.
 */

#ifndef MAINSTEM_H
#define MAINSTEM_H

#include "mainstem/base.h"
#include "mainstem/event.h"
#include "mainstem/flow.h"
#include "mainstem/loop.h"
#include "mainstem/handlers.h"

#endif

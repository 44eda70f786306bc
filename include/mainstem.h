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
 *     flow.h       one stream, in order: contexts, scopes, send, schedulers, observe, cancel
 *     loop.h       what a host's loop does for it: timers, the clock, drain, wait, wake
 *     handlers.h   servers that answer, requests that are answered
 *     journal.h    what is remembered: a file of all that was accepted
 *     replay.h     a journal is fed back, and what comes of it compared
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
 *     events it matches in ascending position. For one event: immediate observers in the order
 *     they were registered, whatever they filter by; then it is handed over to the schedulers, and
 *     the completion of a request comes last. Between schedulers nothing else is promised.
 *  2. Exactly once. An observer starts after the last position accepted when it was registered
 *     (mainstem_subscription_from), also when it is registered inside a callback. What is kept of
 *     its types (mainstem_history_keep) comes first: merged by position, flagged late, after every
 *     event accepted before it; then the stream without hole or repeat. If its queue policy lets it lose
 *     some, it is told which: a gap, given to that subscription only, before its next event or, at the
 *     end of a burst, behind the last that waits.
 *  3. Never nested. An event sent inside an immediate callback is delivered after the current event
 *     has reached all its immediate observers: no recursion, no deadlock, constant stack. A send
 *     inside a callback on a scheduler delivers to immediate observers like a send from outside, on
 *     top of that callback, but keeps its cause. No subscription is ever re-entered. Calls that
 *     wait return MAINSTEM_BUSY inside a callback of the same context.
 *  4. Immutable. The sender leaves the bytes alone until the call returns; an event that has to
 *     wait is copied once. The pointers a callback gets end with the callback;
 *     mainstem_event_retain makes a copy with a handle of its own.
 *  5. Cancel is final. mainstem_cancel never waits and may be called from anywhere. After it
 *     returned no further call is decided: none at all on the delivering thread; seen from
 *     another thread, at most the one call already decided may still be entered or running.
 *     mainstem_cancel_wait returns when that call has ended and the release hook has run. What
 *     waits for the observer is dropped, and is no loss. The hook runs once, after the last call,
 *     no lock held: inside mainstem_cancel if nobody is delivering, neither the stream nor on the
 *     observer's scheduler; else on the delivering thread before its next call.
 *  6. No surprise thread. A context belongs to the thread that created it (a call from another is
 *     MAINSTEM_WRONG_THREAD; posts and responses wait until the owner drains), or is opened for any
 *     thread. A send returns MAINSTEM_OK when the event is accepted; if nobody was delivering, the
 *     caller delivers it, and what was sent meanwhile, before it returns. In a context that
 *     delivers on the host a send only accepts, and observers run inside mainstem_drain,
 *     mainstem_wait and mainstem_flush. Scheduled observers run only where their scheduler says.
 *     The library starts no thread but those of the serial schedulers that were asked for.
 *  7. Errors are values. A failed response is an event. No error ends a subscription. A callback
 *     that fails is counted, the others still get theirs, and the failure is reported on the
 *     stream at the 1st, 2nd, 4th, 8th … time.
 *  8. Accepted means answered. A tracked request gets exactly one final response, paired by
 *     `answers`: from a server, or from the core MAINSTEM_UNHANDLED (no server handled it),
 *     MAINSTEM_TIMEOUT or MAINSTEM_CANCELLED (also when the last server that got it ends). It is
 *     settled when the answer is given; a late or second one is refused. The answer's place in
 *     every queue is reserved with the request.
 *  9. Bounded. Every queue has a limit in events and bytes. Beyond it a send or post is
 *     MAINSTEM_FULL and has changed nothing; the queue of a scheduled observer has a policy of its
 *     own: reject, block (inside a callback: reject), drop the oldest, drop the newest, keep the
 *     latest. What cannot be refused, such as a timer's event, is lost where reject finds no room.
 *     Each loss is counted and announced. An event too many causes away from its outside event is
 *     refused with MAINSTEM_LIMIT and a report that names the chain; the context lives on.
 * 10. Recorded before seen. Of a context that is recorded (mainstem_journal_record) no observer sees an
 *     event that is not in the file (level buffered: copied); what waits is written with one call.
 *     At level power the outermost send, and mainstem_flush, return when it is on the disk. Where
 *     writing fails nothing unwritten is delivered: the context stops with the journal's status
 *     or, by option, goes on unrecorded after a notice. Positions have no holes in a journal.
 * 11. Same in, same out. Inputs are events from outside, from timers and from callbacks on schedulers,
 *     and late answers; all that immediate callbacks send is output. The same inputs bring the same
 *     outputs: a journal's are fed to the same servers and every output is compared (replay.h).
 *     Inside a callback mainstem_context_now is the event's time (MAINSTEM_CONTEXT_TIMES), and
 *     mainstem_context_random and _id follow from seed, position, subscription and call. Observing
 *     and inspecting never change positions.
 * 12. Closed is closed. mainstem_context_close inside a callback of the context is MAINSTEM_BUSY and
 *     changes nothing. Else: further sends are refused, accepted events reach their immediate
 *     observers, open requests get MAINSTEM_CANCELLED, completions run; what waits for an observer
 *     on a scheduler is dropped; threads are joined, release hooks run once, in reverse order of
 *     registration, and every handle is MAINSTEM_STALE for ever: using one is a status, never a
 *     crash.
 *
 *
 * THREADS, in one place. *Thread:* in a function's comment is one of
 *
 *     any      from every thread, at every time;
 *     context  from the context's own thread, or from every thread where the context was opened
 *              with MAINSTEM_THREADS_ANY. From elsewhere: MAINSTEM_WRONG_THREAD, nothing changed;
 *     callback on the thread, and during the time, of the callback that got the event.
 *
 * Callbacks run on a thread that is inside a call of this library, and those of a serial scheduler
 * (mainstem_serial_add) on its thread: the only threads that the library starts. In a context of
 * one thread a callback there may post and respond, but not send.
 *
 * In a context for any thread, whoever sends first also delivers what others send meanwhile (law 6): a
 * thread may be kept delivering for as long as they send flat out. With
 * MAINSTEM_CONTEXT_DELIVER_ON_HOST no send is: it only accepts, and the thread that drains delivers.
 *
 * The wake hook (mainstem_context_on_wake) is called on whichever thread has brought something to
 * drain. It is not the place to drain: calls that wait are MAINSTEM_BUSY inside it.
 *
 * No lock is held while a callback runs, so everything may be called from one, except that calls
 * marked *Waits* return MAINSTEM_BUSY there. Leaving a callback by longjmp, an exception or
 * pthread_exit, and switching fibers inside one, is undefined.
 *
 * From a signal handler one call is allowed: mainstem_post_from_interrupt, the one that is
 * async-signal-safe.
 *
 *
 * FORK. In a child process every handle made before fork is MAINSTEM_FORKED, no hook of it runs,
 * and nothing is written; new contexts work. Threads of serial schedulers do not come along. This holds
 * for a fork inside a callback too: in the child no other one is called, and the call that delivered
 * returns, with OK or MAINSTEM_FORKED; a serial scheduler's thread ends with the callback.
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
#include "mainstem/journal.h"
#include "mainstem/replay.h"

#endif

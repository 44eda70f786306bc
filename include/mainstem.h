// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mainstem: an embeddable application core.
 *
 * All parts of a program (views, view models, servers, services, navigation) communicate through one ordered stream of
 * immutable events, from C, Python or Swift, in one process. This header and the headers it includes are the
 * manual. Read them in this order:
 *
 *     core.h       what most programs need: events, observers, servers, requests, timers, the loop
 *     types.h      what events carry, and how it is read: layers, roles, secrets; failures; lines
 *     context.h    threads, limits and the clock of a context; its counters
 *     scopes.h     parts of a program that end together and may do less; factories, services
 *     observing.h  by more than a type, late, on other threads; queues, mailboxes, batches
 *     requests.h   timeouts, cancelling, sharing one answer; servers with options
 *     screens.h    what views show and do: values, view models, commands, bindings
 *     reactor.h    view models whose state changes by mutations only
 *     recording.h  how safely a session is stored, and in how many files
 *     journal.h    read a recorded session without the program; salvage a damaged one
 *     replay.h     play a session again, and compare what it causes
 *     routes.h     which route a URL takes, and the values in it
 *     navigation.h open and close screens and dialogs by URL: moves, guards, flows
 *     stage.h      the host's side of that: it shows components
 *     loop.h       more about time, chance, signals, and loops that poll no descriptor
 *     languages.h  what an interface for another language needs
 *
 * testing.h is not included: it belongs to the test kit, a small separate library.
 *
 * Seven words to begin with: *context* (one stream and everything attached to it), *event* (what happened, or
 * what is asked), *send* (put an event on the stream), *observe* (look at events as they pass), *server*
 * (answers requests), *request* (ask, and get exactly one answer), *respond* (give the answer).
 *
 *
 * THE LAWS OF THE STREAM
 *
 *  1. One order. Every accepted event gets the next position: 1, 2, 3 … Every observer sees the events that
 *     match it, in ascending order of position. For one event, immediate observers are called in the order
 *     they were registered, whatever their filters; those of one origin come after the others. Then the event
 *     is handed over to the schedulers. The completion of a request comes last. Between schedulers nothing
 *     else is promised.
 *  2. Exactly once. An observer starts after the last position accepted before its registration
 *     (mainstem_subscription_from), even when it is registered inside a callback. Events kept in a history of
 *     its types (mainstem_history_keep) come first: merged by position, flagged late, after every event
 *     accepted before the registration. Then the stream follows, with no holes and no repeats. If the
 *     observer's queue loses events, a gap says which ones. Only that subscription gets the gap: before its
 *     next event or, at the end of a burst, after the last waiting one.
 *  3. Never nested. An event sent inside an immediate callback is delivered after the current event has
 *     reached all its immediate observers: no recursion, no deadlock, constant stack. A send inside a
 *     callback on a scheduler delivers to immediate observers on top of that callback, as a send from outside
 *     does; but the cause of the new event is the callback's event. No subscription is ever re-entered. Calls
 *     that wait return MAINSTEM_BUSY inside a callback of the same context.
 *  4. Immutable. The sender must not change the bytes until the call returns; an event that has to wait
 *     is copied once. The pointers a callback gets are valid until it returns; mainstem_event_retain makes
 *     a copy with a handle of its own.
 *  5. Cancel is final. mainstem_cancel never waits and may be called from anywhere. After it returns, no
 *     further call is decided. On the delivering thread that means no call at all. Seen from another thread,
 *     at most the one call already decided may still start or be running. mainstem_cancel_wait returns when
 *     that call has ended and the release hook has run. Events waiting for the observer are dropped, and do
 *     not count as lost. The hook runs once, after the last call, with no lock held. If no thread is delivering,
 *     neither on the stream nor on the observer's scheduler, it runs inside mainstem_cancel. Otherwise it
 *     runs on the delivering thread, before that thread's next call. If a thread cancels that the context
 *     does not belong to, it runs on the context's thread: see mainstem_cancel.
 *  6. No surprise thread. A context belongs to the thread that created it, or is opened for any thread. If it
 *     belongs to one, a call from another returns MAINSTEM_WRONG_THREAD; posts and responses from another
 *     wait until the owner drains. If it is guarded, the host lets one thread at a time in, and callbacks run
 *     on that one. A send returns MAINSTEM_OK when the event is accepted. If no thread was
 *     delivering, the caller delivers the event, and what was sent meanwhile, before the send returns. In a
 *     context that delivers on the host, a send only accepts; observers run inside mainstem_drain,
 *     mainstem_wait and mainstem_flush. Scheduled observers run only where their scheduler says. The library
 *     starts no threads except those of the serial schedulers you add.
 *  7. Errors are values. A failed response is an event. No error ends a subscription. A callback that
 *     fails is counted, and the other observers still get the event. A subscription's 1st, 2nd, 4th, 8th …
 *     failure is reported on the stream.
 *  8. Accepted means answered. A tracked request gets exactly one final response, paired by `answers`. It
 *     comes from a server, or from the core: MAINSTEM_UNHANDLED (no server handled it), MAINSTEM_TIMEOUT or
 *     MAINSTEM_CANCELLED (also when the last server that got it ends). The request is settled when the
 *     answer is given; a late or second answer is refused. The answer's place in every queue is reserved
 *     with the request.
 *  9. Bounded. Every queue has a limit in events and bytes. Beyond it a send or post returns MAINSTEM_FULL
 *     and changes nothing. The queue of a scheduled observer has a policy of its own: reject, block (inside a
 *     callback: reject), drop the oldest, drop the newest, keep the latest. An event that cannot be refused,
 *     such as a timer's, is lost for an observer whose rejecting or blocking queue is full. Each loss is
 *     counted and announced. An event too many causes away from its outside event is refused with
 *     MAINSTEM_LIMIT and a report that names the chain; the context goes on.
 * 10. Recorded before seen. In a recorded context (mainstem_journal_record) no observer sees an event that
 *     is not in the file (at level buffered: copied, to be written later); waiting events are written with
 *     one call. At level power the outermost send, and mainstem_flush, return when the event is on the disk.
 *     If writing fails, nothing unwritten is delivered: the context stops with the journal's status or, by
 *     option, goes on unrecorded after a notice. Positions in a journal have no holes.
 * 11. Same in, same out. Inputs are events from outside, from timers and from callbacks on schedulers,
 *     answers given outside the delivery, and timeouts. Everything else that immediate callbacks send is
 *     output. The same inputs produce the same outputs: a journal's inputs are fed to the same servers, and
 *     the outputs are compared (replay.h). Inside a callback mainstem_context_now is the event's time
 *     (MAINSTEM_CONTEXT_TIMES), and what mainstem_context_random and _id return depends only on the seed, the
 *     position, the subscription and how many numbers this call has drawn. Observing and inspecting never
 *     change positions.
 * 12. Closed is closed. mainstem_context_close inside a callback of the context returns MAINSTEM_BUSY and
 *     changes nothing. Elsewhere, further sends are refused, accepted events reach their immediate
 *     observers, open requests get MAINSTEM_CANCELLED, and completions run. Events waiting for an observer
 *     on a scheduler are dropped. Threads are joined. Release hooks run once, in reverse order of
 *     registration. Every handle is MAINSTEM_STALE forever: using one returns that status and never crashes.
 * 13. Current at once. Of an event type whose role is MAINSTEM_ROLE_VALUE, the last event of each scope is
 *     kept until the scope ends (mainstem_value_set). A new observer gets the present one first, flagged
 *     late, if there is one; then each change, in order, once. Setting what is there already is no change.
 *     A value changes when its event is delivered, so a callback that sets it sees the change after
 *     the current event, like every observer.
 * 14. One step. What a server shows is a function of its state. Its show function is called once for each event
 *     that a callback of the server got, when that event has reached all observers and before the next. The answers
 *     those callbacks give leave after what it sends (mainstem_server_add_with).
 * 15. One change set. A binding that asks for changes is told once per drain, after its rows, which of its
 *     values have changed since, each once, in the order in which they first did (mainstem_binding_on_changes).
 * 16. A command runs once. While it is disabled, no run of it begins; while it is executing, its policy
 *     decides about another. A refusal is the run's answer; if nothing waits on the stream, the call itself
 *     returns it, and nothing has happened (mainstem_viewmodel_add, mainstem_binding_run).
 *
 *
 * THREADS, in one place. *Thread:* in a function's comment is one of
 *
 *     any      from any thread, at any time;
 *     context  from the context's own thread, or from any thread if the context was opened with
 *              MAINSTEM_THREADS_ANY; with MAINSTEM_THREADS_GUARDED, from the thread that the host has let
 *              in. From elsewhere: MAINSTEM_WRONG_THREAD, and nothing changes;
 *     callback only inside the callback that got the event, on its thread.
 *
 * Callbacks run on a thread that is inside a call of this library. Those of a serial scheduler
 * (mainstem_scheduler_add) run on its thread; the library starts no other threads. In a context that belongs to
 * one thread, a callback on a serial scheduler may post and respond, but not send.
 *
 * In a context for any thread, the thread that sends first also delivers what others send meanwhile (law 6). So a
 * thread may be kept delivering for as long as others keep sending. MAINSTEM_CONTEXT_DELIVER_ON_HOST avoids
 * that: a send only accepts, and the thread that drains delivers.
 *
 * The wake hook (mainstem_context_on_wake) is called on whichever thread brought something to drain. Do not
 * drain in it: calls that wait return MAINSTEM_BUSY there.
 *
 * No lock is held while a callback runs, so a callback may call anything, except that calls marked *Waits*
 * return MAINSTEM_BUSY. Leaving a callback by longjmp, an exception or pthread_exit, or switching fibers
 * inside one, is undefined.
 *
 * A signal handler may make one call: mainstem_post_from_interrupt, the only one that is async-signal-safe.
 *
 *
 * FORK. In a child process, a call with a handle made before fork returns MAINSTEM_FORKED. No hook of the
 * parent's contexts runs there, and nothing is written; new contexts work. Threads of serial schedulers do
 * not exist in the child. All this also holds for a fork inside a callback. The child then calls no other
 * callback, and the call that was delivering returns MAINSTEM_OK or MAINSTEM_FORKED. If the callback ran on a
 * serial scheduler, its thread ends with it.
 *
 * MEMORY. Text and payloads passed to a call are borrowed for the call; what the library keeps, it copies.
 * The caller frees nothing that is returned; the lifetime of each pointer is stated. If memory for an event,
 * an observer or a request cannot be allocated, the call returns MAINSTEM_NO_MEMORY.
 */

#ifndef MAINSTEM_H
#define MAINSTEM_H

#include "mainstem/core.h"
#include "mainstem/types.h"
#include "mainstem/context.h"
#include "mainstem/scopes.h"
#include "mainstem/observing.h"
#include "mainstem/requests.h"
#include "mainstem/screens.h"
#include "mainstem/reactor.h"
#include "mainstem/recording.h"
#include "mainstem/journal.h"
#include "mainstem/replay.h"
#include "mainstem/routes.h"
#include "mainstem/navigation.h"
#include "mainstem/stage.h"
#include "mainstem/loop.h"
#include "mainstem/languages.h"

#endif

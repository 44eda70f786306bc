// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Mainstem: an embeddable application core. All parts of a program (views, view models, servers, services, navigation)
 * communicate through one ordered stream of immutable events, from C, Python or Swift, in one process.
 *
 * Begin with core.h; it explains how to read the other headers. Each header covers one subject, and most of them name a
 * guide:
 *
 *     core.h       what most programs need: events, observers, servers, requests, timers, the loop
 *     types.h      payloads, and how to read them; layers, roles, secrets; failures; lines of text
 *     context.h    threads, limits and the clock of a context; its counters
 *     scopes.h     named parts of a program, each with its own rights and lifetime; factories, services
 *     observing.h  observers with filters, histories or other threads; queues, mailboxes, batches
 *     requests.h   timeouts, progress, cancelling, sharing one answer; servers with options
 *     screens.h    what views show, and what users do: values, view models, commands, bindings
 *     lists.h      values that are lists of rows, whose events are changes
 *     blocks.h     ready servers: gates for sessions, workflows for steps in order, resources for pictures, undo logs
 *     queries.h    queries that select and sort rows; keys that keep rows in order
 *     reactor.h    view models whose state changes only by *mutations*
 *     recording.h  the durability of a recorded session, and the number of its files
 *     journal.h    reading a recorded session without the program; salvaging a damaged session
 *     replay.h     replaying a session, and comparing the events that this causes with the recorded ones
 *     routes.h     matching a URL with routes, and the values in the URL
 *     navigation.h opening and closing screens and dialogs by URL: moves, guards, flows
 *     stage.h      the host's side of navigation: showing components
 *     loop.h       time, random numbers, signals, loops that do not poll a descriptor
 *     languages.h  functions for interfaces to other languages
 *
 * testing.h is not included: it belongs to the test kit, a small separate library.
 *
 * These are the laws of the stream. Comments in the headers cite the laws by number. docs/laws.md gives each law in
 * full, with its tests.
 *
 *  1. One order: all observers see the events in ascending order of position.
 *  2. Exactly once: from its registration on, an observer sees the stream without holes or repeats; if its queue loses
 *     events, it gets a gap in their place.
 *  3. Never nested: an event sent in a callback is delivered after the current event.
 *  4. Immutable: neither the sender nor an observer changes an event.
 *  5. Cancel is final: after mainstem_cancel no new call begins, and the release hook runs once.
 *  6. No surprise thread: callbacks run only on threads that are inside a call into the library, or on threads of your
 *     schedulers.
 *  7. Errors are values: a failed response is an event, and a failed callback is reported; neither ends a subscription.
 *  8. Accepted means answered: a request gets exactly one final response.
 *  9. Bounded: every queue has a limit; when it is reached, a call is refused, or the loss of an event is announced.
 * 10. Recorded before seen: in a recorded session, no observer sees an event before the event is in the file (options
 *     in recording.h may relax this law).
 * 11. Same in, same out: the same inputs (events from outside callbacks) cause the same outputs; a verifying replay
 *     compares the outputs with the recorded ones.
 * 12. Closed is closed: when a context closes, each event is delivered or (on schedulers) dropped, and each request is
 *     answered; from then on, every handle of the context is STALE.
 * 13. Current at once: a new observer of a value gets the current value first, then each change.
 * 14. One step: the values that a server shows depend on its state alone; its show function is called once for each
 *     event that the server got.
 * 15. One change set: a binding gets the names of its changed values once per drain.
 * 16. One run: a command does not run while it is disabled. While it is executing, its policy decides what happens to
 *     another run.
 *
 * Threads. No lock is held while a callback runs. It is undefined behavior to leave a callback by longjmp, an exception
 * or pthread_exit, or to switch fibers in a callback. A signal handler may call mainstem_post_from_interrupt and no
 * other function. docs/threads.md says which callback runs on which thread.
 *
 * Fork. In a child process, calls with a handle from before the fork return FORKED. In the child, no hook of the
 * parent's contexts runs, and nothing is written to their journals. New contexts work normally. The threads of the
 * parent's schedulers do not exist in the child. After a fork in a callback, the child calls no other callback, and the
 * call that was delivering returns OK or FORKED; if the fork happened on a scheduler's thread, the child's only thread
 * ends when the callback returns.
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
#include "mainstem/lists.h"
#include "mainstem/blocks.h"
#include "mainstem/queries.h"
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

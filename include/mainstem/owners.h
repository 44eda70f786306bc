// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Owners: scopes that are made by events, and ended by events.
 */

#ifndef MAINSTEM_OWNERS_H
#define MAINSTEM_OWNERS_H

#include "handlers.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Fills the scope of an owner that was asked for: adds servers, observers and what else it is made of.
 *
 * `scope` is a new child of the factory's scope and has the factory's name. `event` is the request; its payload
 * says what to make. Return MAINSTEM_OK: the request is answered with the scope's number. Any other status is the
 * answer, and all that was added to the scope ends. For a message of your own, call mainstem_respond_error before
 * you return that status.
 */
typedef mainstem_status (*mainstem_make_fn)(void *user_data, mainstem_context *scope,
                                            const mainstem_event *event);

/**
 * Adds a factory: it makes the owners of a name, each in a scope of its own, when mainstem_instance_open asks for one.
 *
 * If a host made an owner itself, a replay would not know it. A factory is called for a request, which is recorded,
 * so a replay calls it again.
 *
 * `contract` is that of the request's payload, with its layer and without a role. The request has the type
 * `RequestOpen.NAME`, its answer the type `ResponseOpen.NAME`, an INTEGER of the same layer. The first factory, or the
 * first type with the role value, also registers `MainstemEnded`. All three can be observed, recorded and requested
 * like other types.
 *
 * An owner has the rights and the budget of `context`, not of the scope that asks; mainstem_scope_find does not give it
 * to a scope that may do less. Its number derives from that of the scope that asked. `make` may be called while the
 * context closes; what it calls is refused then.
 *
 * Owner: the library, until `context` ends; `release`, if not NULL, is called then.
 * Thread: context. Reentrant: yes, before the first event.
 * Errors: INVALID (NULL; a name that is empty, not UTF-8, or has a factory; a contract with a role, or one that
 * mainstem_type_add refuses; after the first event), TOO_BIG (a name longer than 242 bytes), DENIED, LIMIT,
 * NO_MEMORY, STALE, WRONG_KIND, WRONG_THREAD. INVALID comes before DENIED and LIMIT. After DENIED, LIMIT and NO_MEMORY
 * the types may be registered all the same: another contract for that name is then INVALID.
 */
MAINSTEM_API mainstem_status mainstem_factory_add(mainstem_context *context, const char *name,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Asks for an owner, through a scope or the context itself.
 *
 * Equivalent to mainstem_request with the type `RequestOpen.NAME`; for a timeout or a scheduler, use
 * mainstem_type_find and mainstem_request_with. In the answer, mainstem_event_integer(event) is the number of the owner's
 * scope, for mainstem_scope_find. The answer comes after the first shows of what the owner is made of, so its values
 * are there. A RequestOpen that is only sent opens nothing.
 *
 * **Ends are events.** An owner ends when mainstem_scope_end is called with its scope, or when the scope that asked
 * has ended. Either sends `MainstemEnded` through the scope that ends; its payload is that scope's number. From
 * outside it is an input, in a callback an output. When it has reached its observers, the owner ends: until then its
 * observers are called, and a second mainstem_scope_end is STALE. Then `MainstemEnded` is sent for all that it had
 * opened, in the order it was opened. So in a replay, where no host calls mainstem_scope_end, owners end at the same
 * place. The same holds if another thread ends the scope while the factory fills it: the factory goes on. A callback
 * that ends the scope then ends it at once: the request is answered MAINSTEM_CANCELLED.
 *
 * A scope that mainstem_scope_add or mainstem_server_add made ends at once, and does not hear its own end. It sends
 * `MainstemEnded` only if it has asked for an owner, or has a value: its values end when that is delivered, in a replay
 * too. A journal says how much had been delivered when the scope ended, so verify ends it there. Memory for the event is
 * reserved with the owner, or with the first value, so ending cannot fail. A context that closes sends none.
 *
 * Owner, Thread, Reentrant: as for mainstem_request.
 * Errors: as mainstem_request, and INVALID (a name that is NULL, empty, not UTF-8, or has no factory).
 */
MAINSTEM_API mainstem_status mainstem_instance_open(mainstem_context *context, const char *name,
                                                    const void *data, size_t size,
                                                    mainstem_event_fn fn, void *user_data,
                                                    mainstem_pending **pending);

#ifdef __cplusplus
}
#endif

#endif

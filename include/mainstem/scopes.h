// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Scopes: named parts of a program. Each scope ends as a whole, and may have limited rights. Factories and services
 * create scopes on request. Guide: docs/scopes.md.
 */

#ifndef MAINSTEM_SCOPES_H
#define MAINSTEM_SCOPES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scopes ------------------------------------------------------------------------------------------------- */

/** The scope may send nothing and register no types. */
#define MAINSTEM_SCOPE_SENDS_NOTHING 1

/** The scope may observe nothing. */
#define MAINSTEM_SCOPE_OBSERVES_NOTHING 2

/**
 * A scope's rights and budget. The fields cannot give the scope more rights, or a larger budget, than its parent has.
 */
typedef struct mainstem_scope_options {
  uint32_t size;        /**< sizeof this struct. */
  uint32_t flags;       /**< MAINSTEM_SCOPE_…, joined by `|`. */
  uint64_t send_layers; /**< Layers to send on: MAINSTEM_LAYER_BITs; 0: see mainstem_scope_add. */
  uint64_t
      observe_layers; /**< Layers to observe: MAINSTEM_LAYER_BITs; 0: see mainstem_scope_add. */
  uint64_t limit_observers; /**< Subscriptions and handlers, also of children; 0: as the parent. */
} mainstem_scope_options;

/**
 * Adds a scope: a named child of a context or of another scope.
 *
 * The scope is the origin of events sent through it. Observers, servers, timers and scopes that are added through it
 * end with it. Several scopes may have the same name.
 *
 * The scope has the rights of its parent, except those that `options` takes away. If the context has
 * MAINSTEM_CONTEXT_DENY_BY_DEFAULT, it has only those that `options` names and its parent has. A call returns DENIED if
 * the scope lacks a right that the call needs. The calls need these rights:
 *
 * - to send, post, request or register a type, the right to send on its layer; to respond, the right to send on the
 *   response's layer;
 * - to observe a type by number, the right to observe its layer; to serve it, also the right to send its response;
 * - to add layers, all rights; to look up and read types, layers, names and counters, none.
 *
 * An observer of all types, of a role or of layers gets only events that the scope may observe; mainstem_trace shows
 * only these events. An answer always reaches its requester.
 *
 * The scope's 1st, 2nd, 4th, 8th … denied call is reported by an event "MainstemDenied" (the system layer, JSON).
 *
 * Owner: you; ends with its parent, if not sooner.
 * Thread: context.
 * Errors: INVALID (the name, an unknown flag), TOO_BIG (a name over 255 bytes), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                const mainstem_scope_options *options,
                                                mainstem_context **scope);

/**
 * Gets a scope's number, which is the same whenever the session is replayed. In a payload, refer to a scope by this
 * number, not by mainstem_event.origin.
 *
 * A context has the number 0. The numbers of scopes are below 2^53, except in a replay of a session recorded by 0.10 or
 * earlier, where they have 64 bits. Two live scopes have different numbers, apart from a remote chance: among 100,000
 * scopes, it is one in two million. A scope added outside callbacks may get the number of a scope that has ended.
 * Thread: context.
 * Works in the callbacks of a closing context, too.
 */
MAINSTEM_API mainstem_status mainstem_scope_number(mainstem_context *scope, uint64_t *number);

/**
 * Finds the live scope or server with a number, anywhere in the context; 0 finds the context.
 *
 * If there is none, the call returns OK and sets `*scope` to NULL. A scope with limited rights finds only scopes whose
 * rights do not exceed its own. A scope with a budget (limit_observers) finds only scopes that count against this
 * budget. `*name` is valid while the scope lives.
 * Owner: the code that added the scope. `*scope` is the same handle that this code has; it is STALE once the scope has
 * ended.
 * Thread: context.
 * Works in the callbacks of a closing context, too.
 * Null: name.
 */
MAINSTEM_API mainstem_status mainstem_scope_find(mainstem_context *context, uint64_t number,
                                                 mainstem_context **scope, const char **name);

/**
 * Ends a scope or server, and its child scopes.
 *
 * Its subscriptions are cancelled (law 5), the last registered first, and get none of the events that are waiting. The
 * subscriptions of an owner, however, continue until its `MainstemEnded` is delivered (mainstem_instance_open). The
 * timers of the ended scope stop, and its release hooks run. Then two kinds of open requests are answered CANCELLED, in
 * the order of the requests: those made through the scope, and those that have lost their last server. If the scope has
 * requested an owner or has a value, it sends `MainstemEnded`; its values end when that event is delivered. NULL does
 * nothing.
 * Thread: context.
 * Errors: WRONG_KIND (also for a context: use mainstem_context_close).
 */
MAINSTEM_API mainstem_status mainstem_scope_end(mainstem_context *scope);

/* Factories ---------------------------------------------------------------------------------------------- */

/**
 * Fills the scope of a new owner: adds servers, observers and everything else that the owner needs.
 *
 * `scope` is a new child of the factory's scope, and has the factory's name. `event` is the request for the owner; the
 * payload of `event` describes the owner. If the function returns OK, the request is answered with the scope's number.
 * If the function returns another status, the request is answered with this status, and the scope ends with everything
 * added to it. To give such a failure its own message, call mainstem_respond_error first, then return the same code.
 * While the context closes, calls in this function are refused.
 */
typedef mainstem_status (*mainstem_make_fn)(void *user_data, mainstem_context *scope,
                                            const mainstem_event *event);

/**
 * Adds a factory. Call this function before the first event. The factory creates *owners*: each call to
 * mainstem_instance_open with the factory's name creates a scope, which the factory fills.
 *
 * This call registers two types: `RequestOpen.NAME`, with `contract` (a payload and a layer, no role), and
 * `ResponseOpen.NAME`, on the same layer, whose payload is an INTEGER. When the first factory or the first type with
 * the role value is added, the library also registers `MainstemEnded`, whose payload is an INTEGER.
 *
 * An owner has the rights and the budget of `context`, not of the scope that requests it.
 *
 * Owner of `user_data`: the library, until `context` ends; then it calls `release`.
 * Thread: context.
 * Errors: INVALID (a name that is empty, not UTF-8, or has a factory; a contract with a role, or one that
 * mainstem_type_add refuses; after the first event), TOO_BIG (a name over 242 bytes), DENIED, LIMIT, NO_MEMORY. After
 * DENIED, LIMIT and NO_MEMORY, the types may have been registered; if so, a later call with a different contract
 * returns INVALID.
 */
MAINSTEM_API mainstem_status mainstem_factory_add(mainstem_context *context, const char *name,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Opens an owner: requests `RequestOpen.NAME`, through a scope or the context itself.
 *
 * In the answer, mainstem_event_integer(event) is the number of the owner's scope, for mainstem_scope_find. When the
 * answer arrives, the owner has already shown its values. A `RequestOpen.NAME` sent by mainstem_send opens nothing.
 *
 * When mainstem_scope_end is called with an owner's scope, or when the scope that requested the owner has ended, the
 * owner's scope sends `MainstemEnded` with its own number. When that event has reached its observers, the owner ends;
 * then the owners that this owner has opened end in the same way. Until the owner ends, its observers are still called,
 * but a second call to mainstem_scope_end returns STALE.
 *
 * Null: fn, pending.
 * Thread: context.
 * Errors: as mainstem_request, and INVALID (a name that is NULL, empty, not UTF-8, or has no factory).
 */
MAINSTEM_API mainstem_status mainstem_instance_open(mainstem_context *context, const char *name,
                                                    const void *data, size_t size,
                                                    mainstem_event_fn fn, void *user_data,
                                                    mainstem_pending **pending);

/* Services ----------------------------------------------------------------------------------------------- */

/**
 * Adds a service: a factory that creates one instance, which all parts of the program share.
 *
 * `types` names the types of the requests that the service handles; `contract` is as for mainstem_factory_add. The
 * first such request, or the first call to mainstem_service_find, creates the instance. In `make`, add handlers to the
 * scope of the instance: call mainstem_server_add with NULL as the name. If views observe the service, call
 * mainstem_viewmodel_add, also with NULL as the name, before that. The `event` that `make` gets is the request that
 * made the instance necessary, or a `RequestFind.NAME`, or NULL if a callback has called mainstem_service_find. If
 * `make` fails, the request is answered with its status, and the next request calls `make` again.
 *
 * The instance lives until mainstem_scope_end is called with its scope. That call sends `MainstemEnded`, and answers
 * the instance's open requests CANCELLED; the next request creates another instance. If an instance has handlers on a
 * scheduler, these handlers get no events from other scopes.
 *
 * mainstem_instance_open creates a separate instance for the scope that it is called with; this instance ends with that
 * scope. It gets only events that are sent through its own scope, and the shared instance does not get these events.
 *
 * Owner of `user_data`: the library, until `context` ends; then it calls `release`.
 * Thread: context.
 * Null: types.
 * Errors: as mainstem_factory_add, and INVALID (`types` is NULL although `count` is not 0, or names a type that is not
 * registered or already has a server), TOO_BIG (count). Even after an error, the service's own types may have been
 * registered.
 */
MAINSTEM_API mainstem_status mainstem_service_add(mainstem_context *context, const char *name,
                                                  const char *const *types, size_t count,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Finds the shared instance of a service, or makes it if there is none.
 *
 * In callbacks in which mainstem_callback_position is not 0, the instance is created at once. Everywhere else, the call
 * sends `RequestFind.NAME`; if this request has to wait, the call returns UNSET, and the instance exists after the next
 * drain.
 * Owner: as for mainstem_scope_find.
 * Thread: context.
 * Errors: as mainstem_request, and INVALID (no service has that name), UNSET, DENIED (the service may do more than
 * `scope`), BUSY (in a show function, or while the instance is made), and the status that `make` returned (CANCELLED if
 * that is a code of the app).
 */
MAINSTEM_API mainstem_status mainstem_service_find(mainstem_context *scope, const char *name,
                                                   mainstem_context **service);

#ifdef __cplusplus
}
#endif

#endif

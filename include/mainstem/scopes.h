// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Scopes: named parts of a program, which end together and may have fewer rights. Factories and services make scopes
 * on request. Guide: docs/scopes.md.
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

/** A scope's rights and budget. Each field can only narrow what the parent has. */
typedef struct mainstem_scope_options {
  uint32_t size;            /**< sizeof this struct. */
  uint32_t flags;           /**< MAINSTEM_SCOPE_…, joined by `|`. */
  uint64_t send_layers;     /**< Where it may send: MAINSTEM_LAYER_BITs; 0: as the parent. */
  uint64_t observe_layers;  /**< What it may observe, likewise; 0: as the parent. */
  uint64_t limit_observers; /**< Subscriptions and handlers, children's too; 0: as the parent. */
} mainstem_scope_options;

/**
 * Adds a scope: a named child of a context or of another scope.
 *
 * It is the origin of events sent through it; observers registered through it end with it. Names may repeat.
 *
 * It has those of its parent's rights that `options` name. Without the right, a call returns DENIED:
 *
 * - to send, post, request or register a type, the right to send on its layer; to respond, on the response's layer;
 * - to observe a type by number, the right to observe its layer; to serve it, also the right to send its response;
 * - to add layers, all rights; to look up and read types, layers, names and counters, none.
 *
 * Observers of all types, of a role or of layers, and mainstem_trace, get only what the scope may observe. An answer
 * always reaches its requester.
 *
 * The scope's 1st, 2nd, 4th, 8th … DENIED is reported by a JSON event "MainstemDenied" of the system layer.
 *
 * Owner: you; it ends with its parent at the latest.
 * Thread: context.
 * Errors: INVALID (the name, an unknown flag), TOO_BIG (a name over 255 bytes), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                const mainstem_scope_options *options,
                                                mainstem_context **scope);

/**
 * Gets a scope's number, the same in every repetition of the session. Payloads name scopes by it; it is not
 * mainstem_event.origin.
 *
 * A context has the number 0. Others are below 2^53; in a replay of a session recorded by 0.10 or earlier, they have 64
 * bits. The numbers of live scopes differ (the odds that two of 100,000 clash are one in two million); a scope added
 * outside callbacks may get that of an ended one.
 * Thread: context.
 * Works in the callbacks of a closing context, too.
 */
MAINSTEM_API mainstem_status mainstem_scope_number(mainstem_context *scope, uint64_t *number);

/**
 * Finds the live scope or server with a number, anywhere in the context; 0 finds the context.
 *
 * If there is none, the call returns OK and sets `*scope` to NULL. A scope with limited rights or a budget finds
 * only scopes that may do no more and count in that budget. `*name` is valid while the scope lives.
 * Owner: the code that added the scope. `*scope` is the same handle, and STALE once the scope has ended.
 * Thread: context.
 * Works in the callbacks of a closing context, too.
 * Null: name.
 */
MAINSTEM_API mainstem_status mainstem_scope_find(mainstem_context *context, uint64_t number,
                                                 mainstem_context **scope, const char **name);

/**
 * Ends a scope or server, and its child scopes.
 *
 * Its subscriptions are cancelled (law 5), the last registered first, and get no waiting events; those of an owner go
 * on until its `MainstemEnded` is delivered (mainstem_instance_open). Open requests made through the scope, and those
 * whose last server it was, are answered CANCELLED, in their order. If it has requested an owner or has a value, it
 * sends `MainstemEnded`; its values end when that is delivered. NULL does nothing.
 * Thread: context.
 * Errors: WRONG_KIND (also for a context: use mainstem_context_close).
 */
MAINSTEM_API mainstem_status mainstem_scope_end(mainstem_context *scope);

/* Factories ---------------------------------------------------------------------------------------------- */

/**
 * Fills the scope of a new owner with servers, observers and what else it needs.
 *
 * `scope` is a new child of the factory's scope, and has the factory's name. `event` is the request; its payload
 * says what to make. Return OK, and the answer is the scope's number. Any other status is the answer itself, and all
 * that was added ends; for a message of your own, call mainstem_respond_error first, then return its code. While the
 * context closes, calls made here are refused.
 */
typedef mainstem_status (*mainstem_make_fn)(void *user_data, mainstem_context *scope,
                                            const mainstem_event *event);

/**
 * Adds a factory, before the first event. It makes *owners*: scopes that it fills, one for each mainstem_instance_open
 * of its name.
 *
 * It registers the types `RequestOpen.NAME`, with `contract` (a payload and a layer, no role), and
 * `ResponseOpen.NAME`, an INTEGER of that layer. The first factory, or the first type with the role value, also
 * registers `MainstemEnded`, an INTEGER.
 *
 * An owner has the rights and the budget of `context`, not of the scope that requests it.
 *
 * Owner: the library, until `context` ends; then it calls `release`.
 * Thread: context.
 * Errors: INVALID (a name that is empty, not UTF-8, or has a factory; a contract with a role, or one that
 * mainstem_type_add refuses; after the first event), TOO_BIG (a name over 242 bytes), DENIED, LIMIT, NO_MEMORY.
 * After DENIED, LIMIT and NO_MEMORY the types may have been registered; then another contract is INVALID.
 */
MAINSTEM_API mainstem_status mainstem_factory_add(mainstem_context *context, const char *name,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Opens an owner: requests `RequestOpen.NAME`, through a scope or the context itself.
 *
 * In the answer, mainstem_event_integer(event) is the number of the owner's scope, for mainstem_scope_find. The
 * owner has shown its values by then. A `RequestOpen.NAME` that is only sent opens nothing.
 *
 * When mainstem_scope_end is called with an owner's scope, or the scope that requested it has ended, the owner's
 * scope sends `MainstemEnded` with its number. When that has reached its observers, the owner ends; then what it had
 * opened ends in the same way. Until it ends, its observers are called, but a second mainstem_scope_end returns STALE.
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
 * Adds a service: a factory that also makes one instance that all parts share.
 *
 * `types` names the requests that it handles; `contract` is as for mainstem_factory_add. The first of them, or
 * mainstem_service_find, makes the instance: `make` adds handlers to its scope by mainstem_server_add without a name.
 * For views, it first calls mainstem_viewmodel_add without a name. The `event` of `make` is that request, or a
 * `RequestFind.NAME`, or NULL if a callback has called mainstem_service_find. If `make` fails, its status is the
 * answer, and the next request tries again.
 *
 * The instance lives until mainstem_scope_end of its scope. This sends `MainstemEnded`, and answers its open
 * requests CANCELLED; the next request makes another. Its handlers on a scheduler do not get what others send.
 *
 * mainstem_instance_open makes another instance, for one scope; it ends with that scope. It gets only what is sent
 * through its own scope; the shared instance does not get that.
 *
 * Owner: the library, until `context` ends; then it calls `release`.
 * Thread: context.
 * Null: types.
 * Errors: as mainstem_factory_add, and INVALID (`types` that is NULL while `count` is not 0, has an unregistered
 * type, or one that has a server), TOO_BIG (count). Even then, the service's own types may have been registered.
 */
MAINSTEM_API mainstem_status mainstem_service_add(mainstem_context *context, const char *name,
                                                  const char *const *types, size_t count,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Finds the shared instance of a service, or makes it.
 *
 * Where mainstem_callback_position is not 0, the instance is made at once. Elsewhere the call sends `RequestFind.NAME`;
 * if that has to wait, it returns UNSET, and the instance is there after the next drain.
 * Owner: as for mainstem_scope_find.
 * Thread: context.
 * Errors: as mainstem_request, and INVALID (no service has that name), UNSET, DENIED (the service may do more than
 * `scope`), BUSY (in a show function, or while it is made), and what `make` returned (CANCELLED for a code of the
 * app).
 */
MAINSTEM_API mainstem_status mainstem_service_find(mainstem_context *scope, const char *name,
                                                   mainstem_context **service);

#ifdef __cplusplus
}
#endif

#endif

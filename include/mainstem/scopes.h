// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Scopes: parts of a program that end together and may do less; parts that are made when they are asked for.
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
  uint32_t flags;           /**< MAINSTEM_SCOPE_… flags, joined by `|`. */
  uint64_t send_layers;     /**< Layers it may send on, MAINSTEM_LAYER_BITs; 0: the parent's. */
  uint64_t observe_layers;  /**< Layers it may observe, likewise; 0: the parent's. */
  uint64_t limit_observers; /**< Subscriptions and handlers, children's too; 0: the parent's. */
} mainstem_scope_options;

/**
 * Adds a scope: a named child of a context or of another scope.
 *
 * Every function that takes a context also takes a scope. Events sent through a scope carry it as their
 * origin; observers registered through it end with it. Names need not be unique.
 *
 * **Rights.** It gets the rights that `options` name and the parent also has. Nothing can widen them, neither for the
 * scope nor for what is made through it. A call beyond them changes nothing and returns MAINSTEM_DENIED; the message
 * names scope, layer and type. Denials are counted. The scope's 1st, 2nd, 4th, 8th … denial is reported by an event
 * "MainstemDenied" (layer system, JSON: origin, what, type, layer, count).
 *
 * - Sending, posting, requesting and registering a type require the right to send on the type's layer.
 *   Responding requires the right to send on the response type's layer. An answer always reaches the
 *   requester, whatever its layer.
 * - Observing a type by number, and serving it, require the right to observe its layer. Serving also
 *   requires the right to send its response. An observer of all types, of a role or of layers sees only
 *   what the scope may observe, types registered later included; the rest is silently left out.
 *   mainstem_trace is such an observer.
 * - Every scope may look up and read types, layers, names and counters. A scope without full rights
 *   cannot add layers.
 * - The layer *system* is a layer like any other: a scope that may observe only `view` sees no reports.
 *
 * Rights keep well-behaved parts apart; they are not a security boundary inside a process.
 *
 * Owner: the caller, who ends it; it ends with its parent at the latest. The name is copied (UTF-8, 1 to 255 bytes).
 * Thread: context. Null: options NULL: everything the parent may do.
 * Errors: INVALID (also an unknown flag), TOO_BIG (the name), LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_scope_add(mainstem_context *context, const char *name,
                                                const mainstem_scope_options *options,
                                                mainstem_context **scope);

/**
 * Gets a scope's number, by which it is found again in this context, and in every repetition of the session.
 *
 * It derives from the number of the parent, the name, the position of the event in whose callback the scope was
 * added (0: outside callbacks), and how many of that name were added below that parent at that event. Neither the
 * seed nor observers nor other scopes change it. No two live scopes of a context have the same number; one that was
 * added outside callbacks may have that of an ended one. The number of a context is 0. Numbers are below 2^53, so
 * that JSON and a double keep them; if a session of 0.10 or before is replayed, they have the 64 bits that they had
 * there, and so have those of the scopes that were added before mainstem_replay_open.
 *
 * An event that names a scope carries its number: a handle means nothing in another process.
 * Thread: context. Reentrant: yes; also in the callbacks of a closing context.
 */
MAINSTEM_API mainstem_status mainstem_scope_number(mainstem_context *scope, uint64_t *number);

/**
 * Finds the live scope or server with a number (see mainstem_scope_number), wherever it is in the context.
 *
 * If no live scope has that number, the call returns OK and sets `*scope` to NULL. 0 finds the context. Rights only
 * narrow: through a scope with limited rights or a budget of observers, no scope is found that may do more or counts
 * elsewhere. In a muted replay a scope of the session is found as long as it lived there: views observe it and are bound
 * to it as they were; nothing else is behind it.
 *
 * Owner: the code that added the scope; `*scope` is the same handle, and STALE once the scope has ended. `*name` is
 * valid while the scope lives. `name` may be NULL. Thread: context. Reentrant: yes; also in the callbacks of a closing
 * context.
 */
MAINSTEM_API mainstem_status mainstem_scope_find(mainstem_context *context, uint64_t number,
                                                 mainstem_context **scope, const char **name);

/**
 * Ends a scope or server.
 *
 * Its subscriptions are cancelled (law 5), the last registered first, and its child scopes end with it. So what waits
 * for them is not heard any more, also in a context that delivers on the host. Only an owner goes on to hear until its
 * end is delivered (mainstem_instance_open).
 * Open requests made through it, and requests whose last server this was, are answered
 * MAINSTEM_CANCELLED, in the order they were made.
 *
 * Never waits. NULL does nothing. Thread: context. Reentrant: yes.
 * Errors: WRONG_KIND (also for a context: use mainstem_context_close).
 */
MAINSTEM_API mainstem_status mainstem_scope_end(mainstem_context *scope);

/* Factories ---------------------------------------------------------------------------------------------- */

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
 * Owner: the library, until `context` ends; `release`, if not NULL, is called then. Thread: context. Reentrant: yes,
 * before the first event.
 * Errors: INVALID (a name that is empty, not UTF-8, or has a factory; a contract with a role, or one that
 * mainstem_type_add refuses; after the first event), TOO_BIG (a name longer than 242 bytes), DENIED, LIMIT, NO_MEMORY.
 * INVALID comes before DENIED and LIMIT. After DENIED, LIMIT and NO_MEMORY the types may be registered all the same:
 * another contract for that name is then INVALID.
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

/* Services ----------------------------------------------------------------------------------------------- */

/**
 * Adds a service: a factory that also makes one instance that all share.
 *
 *     static const char *const operations[] = {"RequestFetchEntries", "RequestReload"};
 *
 *     mainstem_service_add(context, "Diary", operations, 2, MAINSTEM_PAYLOAD_NONE, make_diary, NULL, NULL);
 *
 * `types` are the requests that the service handles. The first of them, or mainstem_service_find, makes the instance:
 * `make` fills a scope of that name, and adds handlers for those types by mainstem_server_add without a name.
 * If views are to see it, `make` calls mainstem_viewmodel_add without a name first: it shows after each request, too.
 * `event` is that request, or one of the type `RequestFind.NAME`; it is NULL where a callback has called
 * mainstem_service_find. If `make` fails, its status is the answer, and the next request tries again.
 *
 * The instance lives until mainstem_scope_end is called with its scope: for a test that begins anew, or when no part
 * needs it any more. `MainstemEnded` tells so, and requests that it has not answered are answered CANCELLED. The next
 * request makes another. Since all of this follows from events, a replay makes the same instances at the same places.
 *
 * **An instance of one's own** is opened by mainstem_instance_open, with a payload of `contract`; it ends with the scope
 * that asked. It gets what is sent through its own scope, and the shared instance does not get that. So ask it through
 * its scope, which its number finds.
 *
 * `contract`, names, rights, budget and errors are those of mainstem_factory_add. A request of `types` is
 * MAINSTEM_UNHANDLED if the instance has no handler for it. Handlers on a scheduler are not handed what others send.
 *
 * Owner, Thread, Reentrant: as for mainstem_factory_add. Null: types may be NULL if count is 0.
 * Errors: as mainstem_factory_add, and INVALID (types is NULL, has an unregistered type, or one that has a handler: see
 * mainstem_server_add), TOO_BIG (count). After an unregistered type, too, those of the service may be registered all
 * the same.
 */
MAINSTEM_API mainstem_status mainstem_service_add(mainstem_context *context, const char *name,
                                                  const char *const *types, size_t count,
                                                  mainstem_contract contract, mainstem_make_fn make,
                                                  void *user_data, mainstem_release_fn release);

/**
 * Finds the instance of a service, or makes it.
 *
 * In an immediate callback that a replay repeats, it is made at once. Elsewhere this sends a request of the type
 * `RequestFind.NAME`, which is recorded; so where events wait, or are delivered on the host, it returns UNSET, and the
 * instance is there after the next drain. Observe its values, bind to it, or ask it through any scope.
 *
 * Owner: as for mainstem_scope_find. Thread: context.
 * Errors: as mainstem_request, and INVALID (NULL, or no service of that name), UNSET (it is not there yet), DENIED (the
 * service may do more than `scope`: views ask their view model), BUSY (inside a show function, or while it is made),
 * and what `make` returned (a code of the app: CANCELLED).
 */
MAINSTEM_API mainstem_status mainstem_service_find(mainstem_context *scope, const char *name,
                                                   mainstem_context **service);

#ifdef __cplusplus
}
#endif

#endif

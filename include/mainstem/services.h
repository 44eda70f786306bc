// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Services: servers that are made when they are first asked for, once in a context.
 */

#ifndef MAINSTEM_SERVICES_H
#define MAINSTEM_SERVICES_H

#include "owners.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * Owner: as for mainstem_scope_find. Thread: context. Reentrant: yes.
 * Errors: as mainstem_request, and INVALID (NULL, or no service of that name), UNSET (it is not there yet), DENIED (the
 * service may do more than `scope`: views ask their view model), BUSY (inside a show function, or while it is made), and
 * what `make` returned (a code of the app: CANCELLED).
 */
MAINSTEM_API mainstem_status mainstem_service_find(mainstem_context *scope, const char *name,
                                                   mainstem_context **service);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Dashboard: a screen with a slot, and a widget that counts users and finds them. An app core; the views are the host's,
 * and so are the provider of RequestHttp and what is opened when.
 *
 *     dashboard_install(context, 10000);
 *     http_provider_add(context, &http); // examples/providers
 *     mainstem_owner_open(flow, "Dashboard", NULL, 0, opened, ...);
 *     mainstem_owner_open(flow, "UsersWidget", "http://127.0.0.1:8000", 21, opened, ...); // the address of a site
 *     mainstem_binding_add(window, dashboard, rows, ...); // to the scope whose number `opened` got
 *
 * Dashboard is the screen:
 *
 *     title             TEXT     "Dashboard"
 *     didLoad           command  a view runs it when it is there
 *     widgetWanted      pulse, TEXT: a slot of the screen, "users", is to be filled; comes once, after didLoad
 *
 * UsersWidget is the widget. It fetches the users of its site when it is opened, once for all widgets:
 *
 *     load              TEXT     initialized, loading, loaded, failed
 *     isLoading         BOOL     they are on their way
 *     isSearchShown     BOOL     they are there
 *     count             TEXT     "The system has 2 users"; empty while they are not there
 *     query             TEXT     written by views: the id of somebody
 *     found             TEXT     "I found Clark Kent aka Superman", "User not found"; "---" without a query or users
 *     problem           TEXT     why they could not be fetched
 *     canRetry          BOOL     enables `retry`
 *     retry             command  fetches them again
 *
 * Neither knows where it is shown, nor of the other. Both end with the scope that opened them.
 */

#ifndef DASHBOARD_H
#define DASHBOARD_H

#ifndef MAINSTEM_H
#include <mainstem.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Installs the app in a context, before its first event.
 *
 * `patience_ms` is how long to wait for an answer of a site.
 *
 * Thread: context. Null: no argument may be NULL.
 * Errors: MAINSTEM_INVALID (NULL, a time below 1), and those of mainstem_service_add and mainstem_factory_add.
 */
mainstem_status dashboard_install(mainstem_context *context, int64_t patience_ms);

#ifdef __cplusplus
}
#endif

#endif

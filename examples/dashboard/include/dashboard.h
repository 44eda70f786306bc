// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Dashboard: a screen with a slot, and a widget that counts users and finds them. An app core. The host shows what the app
 * opens, on a stage, and has the provider of RequestHttp.
 *
 *     dashboard_install(context, 10000);
 *     http_provider_add(context, &http);                                  // examples/providers
 *     mainstem_stage_add(context, rows, ...);                             // shows and hides
 *     mainstem_navigator_ready(context);
 *     mainstem_navigator_open(context, "app?site=http%3A%2F%2F127.0.0.1%3A8000", closed, ...); // mainstem_route_write
 *
 * "app" is the only URL that a host opens: with the address of a site, whose users are shown. It may be open several
 * times. What is shown, and when, is decided by its flow. The components on a stage, by the names of their owners:
 *
 * Dashboard, a screen:
 *
 *     title             TEXT     "Dashboard"
 *     didLoad           command  a view runs it when it is there: then its slot is filled, once
 *
 * UsersWidget, an embed in the slot "users" of that screen. It fetches the users of its site when it is opened, once for
 * all widgets:
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
 * Neither knows where it is shown, nor of the other. When the screen is closed, the app is.
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
 * Errors: MAINSTEM_INVALID (NULL, a time below 1), and those of mainstem_service_add and mainstem_routes_add.
 */
mainstem_status dashboard_install(mainstem_context *context, int64_t patience_ms);

#ifdef __cplusplus
}
#endif

#endif

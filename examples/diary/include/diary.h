// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A diary. An app core: services, view models and a store in one library; the views are the host's.
 *
 *     diary_install(context, 10000);
 *     diary_store_add(context, "diary.sqlite", NULL); // not where a session is verified
 *     mainstem_owner_open(window, "DiaryList", NULL, 0, opened, ...);
 *     mainstem_binding_add(window, list, rows, ...); // to the scope whose number `opened` got
 *
 * The view models, each of which ends with the scope that opened it. What ends in "Pressed" or is a past participle is
 * a pulse: it says what the user wants or what has happened, never where to go. Where to go is for who opened it.
 *
 * DiaryList, opened with nothing; it loads its first page by itself:
 *
 *     title, footer, guide      TEXT     what stands above and below the entries; empty: nothing
 *     items                     JSON     the numbers of the entries, the newest first; null: not known
 *     rows                      BYTES    the same: numbers of scopes, 8 bytes each; EntryRow (id INTEGER; day, title TEXT)
 *     isLoading, isMoreLoading  BOOL     the first page is on its way, the next page is
 *     noMore, canMore           BOOL     the last page is there; `more` would load one
 *     alertMessage              pulse    TEXT: why a page is missing
 *     picked                    pulse    INTEGER: an entry
 *     writePressed, menuPressed pulse
 *
 * Its commands: `refresh`, `more`, `pick` (INTEGER), `write`, `menu`, `understand` (the guide).
 *
 * DiaryPage, opened with the INTEGER id of an entry, or 0 for a new one: `text` is written; id INTEGER; day and problem
 * TEXT; isEdited, canSave, canDelete, isGone BOOL; pulses saved, deletePressed (INTEGER) and closePressed (BOOL: with
 * changes); commands `save`, `askDelete`, which only says deletePressed, `delete`, `close`.
 *
 * Confirm, opened with a TEXT: text, canAnswer; pulse answered (BOOL); commands `confirm`, `refuse`.
 *
 * SignIn, opened with nothing: nickname TEXT and hasAgreed BOOL are written; hint, canSignIn; pulse signedIn (TEXT);
 * command `signIn`.
 *
 * Drawer, opened with nothing: nickname, summary, isSignedIn, canSignIn; pulses signedOut, signInPressed; commands
 * `signOut`, `signIn`.
 */

#ifndef DIARY_H
#define DIARY_H

#ifndef MAINSTEM_H
#include <mainstem.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Installs the app without a store in a context, before its first event.
 *
 * `patience_ms` is how long to wait for an answer of the store.
 *
 * Thread: context. Null: no argument may be NULL.
 * Errors: MAINSTEM_INVALID (NULL, a time below 1), and those of mainstem_service_add and mainstem_factory_add.
 */
mainstem_status diary_install(mainstem_context *context, int64_t patience_ms);

/**
 * Adds the store: a server on a thread of its own, with an SQLite file that it opens or creates when it is first asked.
 *
 * `day` is the day of new entries, such as "2026-11-23". A host may have another store instead: it answers the requests
 * in Sources/DiaryApp/Events/StoreEvents.swift.
 *
 * Thread: context. Null: day may be NULL: today.
 * Errors: MAINSTEM_INVALID (NULL), and those of mainstem_server_add and mainstem_serial_add.
 */
mainstem_status diary_store_add(mainstem_context *context, const char *path, const char *day);

#ifdef __cplusplus
}
#endif

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A diary. An app core: services, view models and a store in one library; the views are the host's.
 *
 *     diary_install(context, 10000);
 *     diary_store_add(context, "diary.sqlite", NULL); // not where a session is verified
 *     mainstem_stage_add(context, ...);               // shows what is opened
 *     mainstem_navigator_open(context, "app", NULL, NULL, NULL);
 *     mainstem_navigator_ready(context);
 *
 * What is opened, by the name of the view model. Where one leads is the app's affair: a screen only says what the user
 * wants or what has happened.
 *
 * DiaryList, a screen; it loads its first page by itself:
 *
 *     title, footer             TEXT     what stands above and below the entries; empty: nothing
 *     rows                      list     the entries, the newest first; their keys are their ids. Each is JSON: id, title,
 *                                        date ("2026-11-23"), and day, the same in words ("Yesterday")
 *     isKnown                   BOOL     whether it is known which entries there are
 *     isLoading, isMoreLoading  BOOL     the first page is on its way, the next page is
 *     noMore, canMore           BOOL     the last page is there; `more` would load one
 *     alertMessage              pulse    TEXT: why something could not be done
 *     picked                    pulse    INTEGER: an entry
 *     writePressed, menuPressed pulse
 *
 * Its commands: `refresh`, `more`, `pick` (INTEGER), `write`, `menu`.
 *
 * DiaryPage, a screen: `text` is written; id INTEGER (0: a new one); day and problem TEXT; isEdited, canSave, canDelete,
 * isGone BOOL; pulses saved, deletePressed (INTEGER) and closePressed; commands `save`, `askDelete`, which only says
 * deletePressed, `close`.
 *
 * Idea, embedded in the slot "below" of a group with a new page: text; command `another`.
 *
 * Confirm, a dialog: text; commands `confirm`, `refuse`.
 *
 * SignIn, a screen: nickname TEXT and hasAgreed BOOL are written; hint, canSignIn; pulse signedIn (TEXT); command
 * `signIn`.
 *
 * Guide, a screen: text; pulse understood; command `understand`.
 *
 * Drawer, an overlay: nickname, summary, isSignedIn; command `signOut`.
 *
 * The URLs that a link may have: diary, diary/ID, compose.
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
 * Errors: MAINSTEM_INVALID (NULL, a time below 1), and those of mainstem_service_add and mainstem_routes_add.
 */
mainstem_status diary_install(mainstem_context *context, int64_t patience_ms);

/**
 * Equivalent to diary_install, but for a context with other apps that use the same names.
 *
 * `prefix` comes before the app's URL and the names SignIn, RequestPerformSignIn and RequestPerformSignOut: with
 * "diary-", a host opens "diary-app", and makes a screen for "diary-SignIn". It is the same for all contexts of a process.
 * With a prefix, a user who signs out finishes the app, and the host opens it again; without one, the app closes
 * everything and opens itself.
 *
 * Thread: context. Null: no argument may be NULL.
 * Errors: those of diary_install, and MAINSTEM_INVALID if the process has installed the app with another prefix.
 */
mainstem_status diary_install_as(mainstem_context *context, int64_t patience_ms,
                                 const char *prefix);

/**
 * Adds the store: a server on a thread of its own, with an SQLite file that it opens or creates when it is first asked.
 *
 * It stands for an account service, too. A session ends after 30 minutes by the machine's clock, and the app has it
 * renewed. If another program has signed the user out, or somebody else in, the user has to sign in again.
 *
 * `day` is the day of new entries, such as "2026-11-23". A host may have another store instead: it answers the requests
 * in Sources/DiaryApp/Events/StoreEvents.swift.
 *
 * Thread: context. Null: day may be NULL: today, where this machine is.
 * Errors: MAINSTEM_INVALID (NULL; no day: see diary_is_day), and those of mainstem_server_add and mainstem_scheduler_add.
 */
mainstem_status diary_store_add(mainstem_context *context, const char *path, const char *day);

/**
 * Tells whether a text is a day of the calendar, of the years 1 to 9999, in this form: "2026-11-23".
 *
 * Thread: any. Null: text may be NULL, which is no day.
 */
bool diary_is_day(const char *text);

/**
 * Counts what the store has been asked and has not answered. 0: nothing more happens until the user does something, such
 * as to sign in, for which requests may wait.
 *
 * Thread: context. Null: no argument may be NULL. Errors: MAINSTEM_INVALID (NULL), and those of mainstem_request_count.
 */
mainstem_status diary_activity(mainstem_context *context, uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif

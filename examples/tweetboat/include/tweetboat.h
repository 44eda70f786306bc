// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tweetboat: look up what somebody wrote. An app core; the views are the host's, and so are the provider of RequestHttp
 * and the pictures.
 *
 *     tweetboat_install(context, 10000);
 *     mainstem_resources_add(context, "Pictures", &options, &pictures); // RequestPicture, RequestFetchPicture, PictureDropped
 *     http_provider_add(context, &http); // examples/providers
 *     http_provider_load(http, context, "PictureSite", "RequestFetchPicture", pictures);
 *     mainstem_instance_open(window, "Lookup", "http://127.0.0.1:8000", 21, opened, ...);
 *     mainstem_binding_add(window, lookup, rows, ...); // to the scope whose number `opened` got
 *
 * A screen is a view model, Lookup; it is opened with the address of a site. Views write `username` and run `go`; what is there comes to them:
 *
 *     isUsernameValid   BOOL     3 to 15 letters, digits, underscores; enables `go`
 *     goAlpha           NUMBER   how to draw the button: 1.0, or 0.5 while it is off
 *     isLoading         BOOL     something is on its way
 *     fullName          TEXT     whose tweets these are
 *     cells             INTEGER  a list of the tweets: numbers of scopes; view models TweetCell
 *     canLoadMore       BOOL     enables `loadMore`
 *     loadingRow        TEXT     what to show below the last tweet; empty: nothing
 *     go.error          TEXT     why the last look-up failed
 *
 * `go` takes the place of a look-up that is on its way. Run `loadMore` whenever the loading row is seen: it is refused
 * while it executes already. TweetCell shows author, text and pictureAbout (what is in its picture; empty: it has none),
 * and has a child, `profile`: a Profile with fullName, name, about and followers. All are TEXT. A Lookup ends with the
 * scope that opened it.
 *
 * Pictures: all three show `avatar`, and TweetCell `picture`, too: the key of the bytes for mainstem_resource_get, or an
 * empty text while they are not there. A TweetCell or a Profile asks when a view runs its `appear`, and cancels what has
 * not come at `disappear`: run them when a row begins to show it, and before it shows something else. A Lookup asks by
 * itself. `pictureProblem` says why a picture has not come; `appear` tries again. Read the bytes in the function of the
 * row: later, they may have been dropped. A replay has none.
 */

#ifndef TWEETBOAT_H
#define TWEETBOAT_H

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
mainstem_status tweetboat_install(mainstem_context *context, int64_t patience_ms);

#ifdef __cplusplus
}
#endif

#endif

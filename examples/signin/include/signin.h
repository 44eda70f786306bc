// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Signin: a sign-in screen as an app core. All of it but the view and the network.
 *
 *     signin_install(context);              the session, and a factory for screens
 *     signin_view(context, "Window", &window);
 *     mainstem_instance_open(window, "SignIn", NULL, 0, opened, …);   a screen; it ends with the window
 *
 * The values of a screen, for mainstem_binding_add:
 *
 *     username              text, written by views
 *     password              text, written by views: a secret, which is nowhere shown
 *     usernameInputEnable, passwordInputEnable, submitEnable   bool
 *     submitTitle           text
 *     indicatorHidden, indicatorAnimating, stateHidden         bool
 *     state, stateId        text: what to say, and its id for hosts that have words of their own
 *     canSubmit             bool: enables submit; unlike submitEnable, it stays true while that executes
 *     forget                pulse, bool: empty the field for the password
 *     typed                 pulse, bool: what was written as the password is something; for those who replay
 *
 * Its commands: submit signs in with what has been written, or out; cancel gives that up.
 *
 * Session.state is the value that all screens share: {"unsigned":{}}, {"signingIn":{}}, {"signingUp":{}},
 * {"signingOut":{}} or {"signed":{"user":{"name":"jack","time":"09:41"}}}.
 *
 * The host adds the provider, a server on a scheduler that answers:
 *
 *     RequestLogIn    a secret text, "name\npassword"; ResponseLogIn is a text, the time
 *     RequestLogOut   a text, the name; ResponseLogOut carries nothing
 *
 * It may be slow, fail with a text for users, and be told to stop (mainstem_event_on_settled). The session waits for
 * ten seconds.
 */

#ifndef SIGNIN_H
#define SIGNIN_H

#ifndef MAINSTEM_H
#include <mainstem.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Adds the app to a context, before the first event.
 *
 * Thread: context. Errors: those of mainstem_service_add and mainstem_factory_add.
 */
MAINSTEM_API mainstem_status signin_install(mainstem_context *context);

/**
 * Makes the scope that a window is given: it may send what views send, and observe what is shown.
 *
 * Owner: the caller, who ends it with mainstem_scope_end. Thread: context.
 * Errors: those of mainstem_scope_add.
 */
MAINSTEM_API mainstem_status signin_view(mainstem_context *context, const char *name,
                                         mainstem_context **view);

#ifdef __cplusplus
}
#endif

#endif

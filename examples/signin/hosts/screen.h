// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a host shows, and how a script uses it: in a window, or without a display in lines. */

#ifndef SCREEN_H
#define SCREEN_H

#include <glib.h>
#include <mainstem.h>
#include <stdbool.h>

typedef struct screen {
  void (*type)(const char *field, const char *text); /* as a user does, key by key */
  void (*press)(const char *button);
  void (*show)(void); /* prints what is shown */
} screen;

/** Whether there is a display. */
bool window_is_possible(void);

/** Ties a window to a sign-in screen of the app; closing it ends the loop. NULL: there is no display. */
const screen *window_open(mainstem_context *view, mainstem_context *form, GMainLoop *loop);

/** The window takes no keys and clicks any more, but can be closed: a session is shown again. */
void window_rest(void);

/** Prints what a sign-in screen shows. */
const screen *lines_open(mainstem_context *view, mainstem_context *form);

#endif

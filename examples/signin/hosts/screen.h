// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a host shows, and how a script uses it: in a window, or without a display in lines. */

#ifndef SCREEN_H
#define SCREEN_H

#include <glib.h>
#include <mainstem.h>
#include <playing.h>
#include <stdbool.h>

typedef struct screen {
  void (*type)(const char *field, const char *text); /* as a user does, key by key */
  void (*press)(const char *button);
  void (*show)(void); /* prints what is shown */
} screen;

/** Whether there is a display. */
bool window_is_possible(void);

/** Opens the window, which is empty; closing it ends the loop. */
void window_open(GMainLoop *loop);

/** Ties the form in the window to a sign-in screen of the app. */
const screen *window_show(mainstem_context *view, mainstem_context *form);

/** Takes the form out of the window. */
void window_empty(void);

/** Says in the window that a context is recorded. */
void window_record(mainstem_context *context, const char *path);

/** Plays a session in the window: see mainstem_bars_replay and mainstem_follow_start. */
mainstem_status window_play(playing *session, GMainLoop *loop,
                            mainstem_status (*open)(void *data, mainstem_context *context),
                            void (*close)(void *data), void *data);

/** Ends the window, and what it plays. */
void window_end(void);

/** Prints what a sign-in screen shows. */
const screen *lines_open(mainstem_context *view, mainstem_context *form);

#endif

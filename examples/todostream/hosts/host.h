// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the two hosts in C get from main.c: lines (todo.c), or a full screen (screen.c). */

#ifndef HOST_H
#define HOST_H

#include <mainstem.h>
#include <playing.h>
#include <stdbool.h>

typedef struct host {
  mainstem_context *view;   /* a view's scope: its rights and no more */
  mainstem_context *values; /* the owner of what is shown */
  playing *playing;         /* how a session is shown again */
  mainstem_replay *session; /* it; NULL: none is */
  bool is_recorded;
} host;

/** Reads commands, to the end of the input. */
void lines_run(const host *self);

/** Takes the terminal; false: it is none, or it is one that cannot place text. */
bool screen_begin(void);

/** Runs until the user quits, or a session goes back; returns the signal that asked for the end, or 0. */
int screen_run(const host *self);

#endif

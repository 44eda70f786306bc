// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the view is bound to: each value has its place here, and is there as soon as it has changed. */

#ifndef SCREEN_H
#define SCREEN_H

#include "pictures.h"
#include "playing.h"

#include <stdbool.h>

enum { ROWS = 60, TEXT = 400 };
typedef char label[TEXT];

typedef struct row {
  mainstem_binding *cell;
  uint64_t number; /* of what it shows; 0: nothing */
  label avatar, author, text, picture, about, problem;
} row;

typedef struct screen {
  mainstem_context *window;
  mainstem_binding *lookup, *person;
  label username, avatar, problem, full_name, loading_row, error;
  label face, face_problem, name, nick, about, followers; /* of a profile */
  bool can_go, is_loading, is_profile;
  double alpha;
  uint64_t *cells; /* numbers of tweets */
  long count, top, selected, height;
  bool is_reached; /* the end of the list has come into sight */
  row rows[ROWS];
} screen;

/** Opens a screen on a site; NULL: on what is opened in a replay. */
mainstem_status screen_open(screen *self, mainstem_context *app, const char *site);

/** Says how many rows of the list there is room for. */
void screen_resize(screen *self, long height);

/** Selects another row, and has the rows show what has come into sight. */
void screen_move(screen *self, long by);

/** Tells that the end is in sight, until that is heard; true: now it was. */
bool screen_load_more(screen *self);

void screen_type(screen *self, const char *username);
void screen_go(screen *self);
void screen_open_profile(screen *self);
void screen_close_profile(screen *self);

/** Asks again for the pictures that have not come. */
void screen_retry(screen *self);

/** What is shown of a picture: itself, or why it is not there. */
const char *screen_picture(const char *picture, const char *problem);

void screen_free(screen *self);

/** A terminal for people; returns when they quit. */
void terminal_run(screen *self, http_provider *http);

/** Shows a session again in a terminal; returns when they quit, or when it goes back. */
void terminal_show_again(screen *self, mainstem_context *app, playing *session);

#endif

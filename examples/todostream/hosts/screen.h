// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The full screen: what the core shows, what is selected, and what can be asked for. */

#ifndef SCREEN_H
#define SCREEN_H

#include "field.h"
#include "host.h"

#include <jansson.h>

/** A list of rows on the screen. */
typedef struct pane {
  mainstem_retained *rows; /* its last event; NULL: none came yet */
  size_t count, selected;  /* the selection stays on its row */
  size_t top, height;      /* what can be seen of it */
  char *wanted;            /* the key of a row to select when it comes; NULL: none */
} pane;

typedef enum mode { LISTING, NAMING, SEEKING, PURGING, HELPING } mode;

/** The fields of an edit, in order. */
enum { TITLE, SUBTITLE, PRIORITY, FIELDS };

typedef struct screen {
  const host *host;
  pane panes[2];   /* the todos, and the deleted ones */
  bool is_deleted; /* which of them is seen */
  json_t *list;    /* what the core shows of the rest of the list; NULL: nothing */
  json_t *detail;  /* the edit on the screen, as it is typed: one of the drafts; NULL: none */
  json_t *drafts;  /* by session; another one may be on the screen meanwhile */
  field edited[PRIORITY];  /* the texts of the edit */
  int place;               /* which field of it is typed in */
  mode mode;               /* what the keys are for, before the edit and the list */
  field name;              /* of a list to show, or a text to find */
  char *purged;            /* a row to purge, once confirmed */
  char *message, *problem; /* what went wrong: with a request, or with the edit; NULL: nothing */
  size_t help_top;
  long moved;    /* by how many rows the selected one is asked to move */
  unsigned turn; /* of the selection: what was asked of an earlier one does not count */
  double speed;  /* of a session that is shown again */
  bool is_paused, is_played;
  uint64_t open; /* requests without an answer */
  bool is_quitting, is_over, is_pasting;
} screen;

const char *screen_text(json_t *of, const char *key);
pane *screen_pane(screen *self);
bool screen_row(const pane *self, size_t index, mainstem_list_row *row);

/** Binds the screen to the values. */
void screen_bind(screen *self);
void screen_end(screen *self);

/** Says what is wrong, in the words of printf; NULL: nothing. */
__attribute__((format(printf, 2, 3))) void screen_say(screen *self, const char *form, ...);

/* Requests. Those of a row are about the selected one. */
void screen_read(screen *self, const char *list); /* NULL: the list on the screen */
void screen_find(screen *self, const char *text);
void screen_toggle(screen *self);
void screen_delete(screen *self);
void screen_undo(screen *self);
void screen_restore(screen *self);
void screen_purge(screen *self); /* the row that was confirmed */
void screen_move(screen *self, int step);
void screen_add(screen *self);
void screen_edit(screen *self);
void screen_save(screen *self);
void screen_cancel(screen *self);

/** Selects a row of the list that is seen, or the one nearest to it. */
void screen_select(screen *self, long index);
void screen_see(screen *self, bool deleted);

/** Copies the row that is selected, as text; NULL: there is none. */
char *screen_copy_row(screen *self);

/** Keeps what is typed in the edit. */
void screen_keep(screen *self);

/** Draws all of it. */
void screen_draw(screen *self);

/* Keys -------------------------------------------------------------------------------------------- */

/** Where a key is for: the todos, the deleted ones, or a session that is shown again. */
enum { HERE = 1, THERE = 2, AGAIN = 4, ROW = 8 };

typedef struct command {
  int32_t keys[3];
  unsigned where; /* ROW: it is about the selected row */
  void (*act)(screen *self);
  const char *name, *text; /* for the help */
} command;

extern const command screen_commands[];
extern const size_t screen_command_count;

void screen_press(screen *self, int32_t key);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What is on the screen, and what views see of it. */

#ifndef APP_H
#define APP_H

#include <mainstem.h>
#include <stdbool.h>
#include <stdio.h>

enum { TEXT = 2000, DEEPEST = 64 };
typedef char label[TEXT];

typedef enum kind { LIST, PAGE, IDEA, CONFIRM, SIGN_IN, GUIDE, DRAWER, KINDS } kind;

/** What a screen shows. */
typedef struct shown {
  label title, footer, text, day, problem, hint, error;
  int64_t id;
  bool is_edited;
} shown;

/** The entries of a list, and what has changed since they were drawn. */
typedef struct entries {
  mainstem_retained *rows; /* the last event of the list */
  bool is_whole;           /* Whether all of it is drawn next, and not its changes. */
  FILE *changes;           /* lines, in `text` */
  char *text;
  size_t size;
} entries;

/** A window with a view of a component's owner. */
typedef struct screen {
  kind kind;
  uint32_t how; /* MAINSTEM_SCREEN, … */
  uint64_t component, parent;
  mainstem_context *context, *window;
  mainstem_binding *view;
  shown shown;
  entries entries;
} screen;

typedef struct app {
  mainstem_context *context;
  screen *screens[DEEPEST]; /* in the order in which they were opened */
  int count;
  unsigned changes; /* goes up with each */
} app;

/* stage.c: shows and hides what is opened and closed; knows no route. */

void app_add_stage(app *self);
screen *app_top(const app *self);   /**< NULL: there is none. */
screen *app_seen(const app *, int); /**< The topmost one, and what is embedded beside it. */
bool app_can_go_back(const app *);  /**< Whether something is below the topmost one. */
void app_go_back(app *self);
void app_close(app *self);

/* screens.c: what is bound, and how it looks. */

extern const char *const screen_names[KINDS]; /**< Of their view models. */
void screen_bind(screen *self, mainstem_context *owner);
void screen_draw(screen *self);
void screen_close(screen *self);

#endif

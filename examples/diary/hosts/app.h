// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What is on the screen, and what views see of it. */

#ifndef APP_H
#define APP_H

#include <mainstem.h>
#include <stdbool.h>

enum { TEXT = 2000, DEEPEST = 8, MOST_WISHES = 32 };
typedef char label[TEXT];

typedef enum kind { LIST, PAGE, CONFIRM, SIGN_IN, DRAWER, KINDS } kind;

/** What a view model says, for somebody who knows where to go. */
typedef enum wish_kind {
  PICKED,
  WRITE_PRESSED,
  MENU_PRESSED,
  DELETE_PRESSED,
  CLOSE_PRESSED,
  GONE,
  ANSWERED,
  SIGNED_IN,
  SIGNED_OUT,
  SIGN_IN_PRESSED,
  WISH_KINDS
} wish_kind;

typedef struct wish {
  wish_kind kind;
  int64_t value;
} wish;

/** A window with a view model. */
typedef struct screen {
  kind kind;
  mainstem_context *window;
  mainstem_binding *view;
} screen;

/** What one screen of each kind shows. */
typedef struct shown {
  label title, footer, guide;
  uint64_t rows[1000]; /* numbers of entries */
  long count;
  int64_t id;
  label day, text, problem, save_error, delete_error;
  bool is_edited;
  label question, nickname, hint, sign_in_error, summary;
} shown;

struct app;

/** Where a wish comes in. */
struct ear {
  struct app *app;
  wish_kind kind;
};

typedef struct app {
  mainstem_context *context;
  struct ear ears[WISH_KINDS];
  screen stack[DEEPEST];
  int depth;
  shown shown;
  wish wishes[MOST_WISHES];
  int wished;
} app;

/* app.c: the one place that opens and closes. */

void app_open(app *self, kind kind, const void *data, size_t size);
void app_close(app *self, kind kind); /**< And what is above it. */
void app_back(app *self);
void app_wish(app *self, wish_kind kind, int64_t value);
void app_settle(
    app *self); /**< Waits until the store has answered all, and nothing is left to do. */
screen *app_top(app *self);

/* screens.c: what is bound, and how it looks. */

extern const char *const screen_names[KINDS];
void screen_bind(app *self, screen *screen, mainstem_context *owner);
void screen_draw(app *self, const screen *screen);

#endif

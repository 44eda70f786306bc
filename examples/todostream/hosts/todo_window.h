// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The windows of the todo list: what its source files share. */

#ifndef TODO_WINDOW_H
#define TODO_WINDOW_H

#include <gtk/gtk.h>
#include <jansson.h>
#include <mainstem_bars.h>
#include <stdbool.h>
#include <todostream.h>

typedef struct window {
  GtkBuilder *frame, *ui; /* the window with its title bar, and what is in it */
  mainstem_bars *bars;
  mainstem_context *scope;
  GListModel *todos, *deleted;
  GSimpleActionGroup *actions;
  json_t *list, *detail;    /* the list that is shown; the edit session in the dialog */
  json_t *saved;            /* the edit sessions that were saved here */
  json_t *unsaved;          /* those that come back, as they could not be kept */
  json_t *purged;           /* what the user is asked about */
  GtkWidget *again;         /* not seen: a click asks again for what has failed */
  char *toasted;            /* the id of what the toast is about */
  guint toast;              /* the timer of the toast, which goes by itself */
  GtkWidget *cover, *focus; /* what lies over the rest; what had the keys before that */
  bool is_closing;
  json_t *warned; /* the edit that could not be kept when the user closed the window; or NULL */
} window;

/* The windows of one context. They show the same list. */
extern mainstem_context *context, *todos;
extern GPtrArray *windows;
extern GPtrArray *names; /* of the lists that were shown */
extern bool is_replay;

/* todo_window.c: windows come and go. */

void end_when_quiet(window *self);

/* todo_screen.c: what the core shows, and what it is asked. */

/* Gets the answer to what was asked. */
typedef void (*then_fn)(window *self, json_t *answer);

gpointer at(window *self, const char *id);
const char *text(json_t *of, const char *key);
const char *id_of(json_t *row);
json_t *value_of(mainstem_gtk_row *row);
bool is_quiet(void);
void unwatch(void);
void ask(window *self, const char *what, json_t *payload, then_fn then);
void ask_row(window *self, const char *what, mainstem_gtk_row *row, then_fn then);
void ask_list(window *self, const char *what, const char *list, then_fn then);
const char *list_name(window *self);
bool is_deleted_page(window *self);
GtkListView *page_list(window *self);
GtkSingleSelection *selection(window *self);
void give_focus(window *self, GtkWidget *focus);
void give_focus_after(window *self);
void focus_list(window *self, json_t *answer);
void enable(window *self);
void put_over(window *self, const char *name, const char *focus);
void uncover(window *self);
void show_summary(window *self);
void add_name(window *self, const char *name);
void show_list(void *data, const mainstem_event *event);
gboolean hide_toast(gpointer data);
void notice(void *data, const mainstem_event *event);
void open_detail(window *self, json_t *answer);
void show_detail(void *data, const mainstem_event *event);
json_t *edited(window *self);
void save(window *self);
void escape(window *self);

/* todo_rows.c: the rows, and what the user does with them. */

mainstem_gtk_row *chosen(window *self);
void toggle(window *self, mainstem_gtk_row *row);
void delete_row(window *self, mainstem_gtk_row *row);
void restore(window *self, mainstem_gtk_row *row);
void edit(window *self, mainstem_gtk_row *row);
void purge(window *self, mainstem_gtk_row *row);
void confirm(window *self);
void move(window *self, mainstem_gtk_row *row, guint place);
void read_list(window *self, const char *name, then_fn then);
void fill(window *self, const char *name, GListModel *model, bool is_deleted);

#endif

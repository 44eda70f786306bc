// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The rows on the screen, and what the user does with them.

#include "todo_window.h"

#include <mainstem_changes.h>

// What the user does with rows

mainstem_gtk_row *chosen(window *self) {
  return gtk_single_selection_get_selected_item(selection(self));
}

void toggle(window *self, mainstem_gtk_row *row) {
  ask_row(self, "RequestToggleCompleteTodoViewModel", row, NULL);
}

void delete_row(window *self, mainstem_gtk_row *row) {
  ask_row(self, "RequestDeleteTodoViewModel", row, NULL);
}

void restore(window *self, mainstem_gtk_row *row) {
  ask_row(self, "RequestRestoreTodoViewModel", row, NULL);
}

void edit(window *self, mainstem_gtk_row *row) {
  ask_row(self, "RequestTodoDetailViewModel", row, open_detail);
}

/* This one cannot be undone: the user is asked. */
void purge(window *self, mainstem_gtk_row *row) {
  if (!row) return;
  json_decref(self->purged);
  self->purged = value_of(row);
  gtk_label_set_label(at(self, "purged_title"), text(self->purged, "title"));
  put_over(self, "question", "keep");
}

void confirm(window *self) {
  if (self->detail || !self->cover) return;
  uncover(self);
  ask(self, "RequestPurgeTodoViewModel", json_pack("{s:O}", "row", self->purged), NULL);
}

static void scroll(window *self, json_t *answer) {
  GtkWidget *rows = at(self, "rows");
  GtkSelectionModel *model = gtk_list_view_get_model(GTK_LIST_VIEW(rows));
  (void)answer;
  if (g_list_model_get_n_items(self->todos))
    gtk_widget_activate_action(rows, "list.scroll-to-item", "u",
                               gtk_single_selection_get_selected(GTK_SINGLE_SELECTION(model)));
}

/* Moves a row in front of the one at a place, or behind the last one. */
void move(window *self, mainstem_gtk_row *row, guint place) {
  guint count = g_list_model_get_n_items(self->todos);
  if (!row || place > count) return;
  mainstem_gtk_row *before = g_list_model_get_item(self->todos, place);
  if (before != row) {
    json_t *payload =
        json_pack("{s:o, s:o*}", "row", value_of(row), "before", before ? value_of(before) : NULL);
    ask(self, "RequestMoveTodoViewModel", payload, scroll);
  }
  if (before) g_object_unref(before);
}

/* What is searched for is a value of the query, and no part of its condition. */
static const char found[] =
    "lower(title) contains lower($text) or lower(todo.subtitle) contains lower($text)";

/* Reads a list, or what is searched for in it. */
void read_list(window *self, const char *name, then_fn then) {
  char *list = g_strdup(name); /* of what is hidden now */
  if (gtk_widget_get_visible(at(self, "names"))) gtk_popover_popdown(at(self, "names"));
  const char *sought = gtk_editable_get_text(at(self, "search"));
  json_t *query =
      *sought ? json_pack("{s:s, s:{s:s}}", "where", found, "values", "text", sought) : NULL;
  if (*list)
    ask(self, "RequestTodoViewModels", json_pack("{s:s, s:o*}", "list", list, "query", query),
        then);
  g_free(list);
}

// Rows on the screen

typedef struct row_view { /* it shows one todo after the other */
  window *self;
  GtkListItem *cell;
  GtkBuilder *ui;
  bool is_deleted;
  gulong tie;
} row_view;

static void show_row(row_view *view) {
  json_t *row = value_of(gtk_list_item_get_item(view->cell));
  gboolean is_complete = json_is_true(json_object_get(row, "complete"));
  GtkWidget *widget = GTK_WIDGET(gtk_builder_get_object(view->ui, "row"));
  g_object_set(gtk_builder_get_object(view->ui, "title"), "label", text(row, "title"), NULL);
  g_object_set(gtk_builder_get_object(view->ui, "subtitle"), "label", text(row, "subtitle"), NULL);
  g_object_set(gtk_builder_get_object(view->ui, "complete"), "active", is_complete, NULL);
  if (is_complete) gtk_widget_add_css_class(widget, "complete");
  else gtk_widget_remove_css_class(widget, "complete");
  json_decref(row);
}

static void do_restore(row_view *view) {
  if (!is_replay) restore(view->self, gtk_list_item_get_item(view->cell));
}

static void do_edit(row_view *view) {
  if (!is_replay) edit(view->self, gtk_list_item_get_item(view->cell));
}

static void do_delete(row_view *view) {
  (view->is_deleted ? purge : delete_row)(view->self, gtk_list_item_get_item(view->cell));
}

static void do_toggle(row_view *view) { toggle(view->self, gtk_list_item_get_item(view->cell)); }

static GdkContentProvider *drag(row_view *view) {
  return gdk_content_provider_new_typed(mainstem_gtk_row_type(),
                                        gtk_list_item_get_item(view->cell));
}

static void drag_begin(GtkDragSource *source, GdkDrag *drag, GtkWidget *widget) {
  GdkPaintable *picture = gtk_widget_paintable_new(widget);
  (void)drag;
  gtk_drag_source_set_icon(source, picture, 0, 0);
  g_object_unref(picture);
}

/* Where a row that is dropped here goes; a `y` below 0: nowhere. */
static GdkDragAction mark(GtkDropTarget *target, double x, double y, GtkWidget *widget) {
  bool is_below = y > gtk_widget_get_height(widget) / 2.0;
  (void)target, (void)x;
  gtk_widget_remove_css_class(widget, "above");
  gtk_widget_remove_css_class(widget, "below");
  if (y >= 0) gtk_widget_add_css_class(widget, is_below ? "below" : "above");
  return GDK_ACTION_MOVE;
}

static void unmark(GtkDropTarget *target, GtkWidget *widget) { mark(target, 0, -1, widget); }

static gboolean drop(GtkDropTarget *target, const GValue *moved, double x, double y,
                     row_view *view) {
  GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(target));
  bool is_below = y > gtk_widget_get_height(widget) / 2.0;
  (void)x;
  unmark(target, widget);
  move(view->self, g_value_get_object(moved), gtk_list_item_get_position(view->cell) + is_below);
  return TRUE;
}

static void make_movable(row_view *view, GtkWidget *widget) {
  GtkDragSource *source = gtk_drag_source_new();
  GtkDropTarget *target = gtk_drop_target_new(mainstem_gtk_row_type(), GDK_ACTION_MOVE);
  GtkGesture *click = gtk_gesture_click_new();
  gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
  g_signal_connect_swapped(source, "prepare", G_CALLBACK(drag), view);
  g_signal_connect(source, "drag-begin", G_CALLBACK(drag_begin), widget);
  g_signal_connect(target, "motion", G_CALLBACK(mark), widget);
  g_signal_connect(target, "leave", G_CALLBACK(unmark), widget);
  g_signal_connect(target, "drop", G_CALLBACK(drop), view);
  g_signal_connect_swapped(click, "released", G_CALLBACK(do_toggle), view);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(source));
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(target));
  gtk_widget_add_controller(GTK_WIDGET(gtk_builder_get_object(view->ui, "box")),
                            GTK_EVENT_CONTROLLER(click));
}

static void free_row_view(gpointer data) {
  g_object_unref(((row_view *)data)->ui);
  g_free(data);
}

static void setup(GtkListItemFactory *factory, GtkListItem *cell, window *self) {
  row_view *view = g_new0(row_view, 1);
  view->is_deleted = g_object_get_data(G_OBJECT(factory), "deleted") != NULL;
  view->self = self, view->cell = cell;
  view->ui = gtk_builder_new_from_file(TODO_HOSTS "/todo_row.ui");
  GtkWidget *widget = GTK_WIDGET(gtk_builder_get_object(view->ui, "row"));
  GObject *removes = gtk_builder_get_object(view->ui, "delete");
  g_object_set(gtk_builder_get_object(view->ui, view->is_deleted ? "edit" : "restore"), "visible",
               FALSE, NULL);
  g_object_set(removes, "tooltip-text", view->is_deleted ? "Remove (Delete)" : "Delete (Delete)",
               NULL);
  g_signal_connect_swapped(gtk_builder_get_object(view->ui, "restore"), "clicked",
                           G_CALLBACK(do_restore), view);
  g_signal_connect_swapped(gtk_builder_get_object(view->ui, "edit"), "clicked", G_CALLBACK(do_edit),
                           view);
  g_signal_connect_swapped(removes, "clicked", G_CALLBACK(do_delete), view);
  if (!view->is_deleted) make_movable(view, widget);
  gtk_list_item_set_child(cell, widget);
  g_object_set_data_full(G_OBJECT(cell), "view", view, free_row_view);
}

static void bind(GtkListItemFactory *factory, GtkListItem *cell) {
  row_view *view = g_object_get_data(G_OBJECT(cell), "view");
  (void)factory;
  view->tie =
      g_signal_connect_swapped(gtk_list_item_get_item(cell), "changed", G_CALLBACK(show_row), view);
  show_row(view);
}

static void unbind(GtkListItemFactory *factory, GtkListItem *cell) {
  row_view *view = g_object_get_data(G_OBJECT(cell), "view");
  (void)factory;
  g_signal_handler_disconnect(gtk_list_item_get_item(cell), view->tie);
}

static void activate(GtkListView *list, guint place, window *self) {
  mainstem_gtk_row *row = g_list_model_get_item(G_LIST_MODEL(gtk_list_view_get_model(list)), place);
  (list == at(self, "rows") ? edit : restore)(self, row);
  g_object_unref(row);
}

/* Shows rows with as many widgets as the screen needs. */
void fill(window *self, const char *name, GListModel *model, bool is_deleted) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  if (is_deleted) g_object_set_data(G_OBJECT(factory), "deleted", self);
  g_signal_connect(factory, "setup", G_CALLBACK(setup), self);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(unbind), NULL);
  gtk_list_view_set_factory(at(self, name), factory);
  mainstem_changes_show(at(self, name), model);
  GtkSingleSelection *rows = gtk_single_selection_new(g_object_ref(model));
  gtk_list_view_set_model(at(self, name), GTK_SELECTION_MODEL(rows));
  g_signal_connect(at(self, name), "activate", G_CALLBACK(activate), self);
  g_signal_connect_swapped(model, "items-changed", G_CALLBACK(give_focus_after), self);
  g_object_unref(factory);
  g_object_unref(rows);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Shows in a GtkListView what has changed: one file to copy, beside mainstem_gtk.h.
 *
 *     GListModel *todos = mainstem_gtk_rows(view, lookup, "todos");
 *     gtk_list_view_set_factory(list, factory);             its "bind" shows a row
 *     mainstem_changes_show(list, todos);                   before there is a model over `todos`
 *     gtk_list_view_set_model(list, selection);
 *
 * A row that is inserted fades in and slides down, one that moves or has another payload is highlighted. They have the
 * CSS class `mainstem-inserted` or `mainstem-changed` until that is over. Only what is on the screen is animated, at the
 * time of the change: not what is scrolled to, not what a hidden list gets, and nothing if gtk-enable-animations is
 * off. Where no row stays, it is another list, and where more than MAINSTEM_CHANGES_MANY rows change at once, nobody
 * could follow: neither is animated.
 *
 * Needs GTK 4. Call it on the thread of the main loop. It ends with the list.
 */

#ifndef MAINSTEM_CHANGES_H
#define MAINSTEM_CHANGES_H

#include <gtk/gtk.h>
#include <mainstem_gtk.h>

/** How long a change is seen. */
#define MAINSTEM_CHANGES_MS 400
/** More rows at once are not animated. */
#define MAINSTEM_CHANGES_MANY 100

typedef struct mainstem_changes {
  mainstem_gtk_list *rows;
  GHashTable *bound; /* cells, by the rows that they show */
  GHashTable *marks; /* what happened in the last change: CSS classes, by keys */
  guint tick;        /* until a frame with the change was laid out: some rows are bound then */
  gboolean is_laid_out;
} mainstem_changes;

#define MAINSTEM_CHANGES_TIME G_STRINGIFY(MAINSTEM_CHANGES_MS) "ms ease-out; } "
static const char mainstem_changes_css[] =
    "@keyframes mainstem-inserted { from { opacity: 0; transform: translateY(-12px); } } "
    "@keyframes mainstem-changed { from { background-image: image(alpha(currentColor, 0.2)); } } "
    ".mainstem-inserted { animation: mainstem-inserted " MAINSTEM_CHANGES_TIME
    ".mainstem-changed { animation: mainstem-changed " MAINSTEM_CHANGES_TIME;

static inline void mainstem_changes_style(GdkDisplay *display) {
  if (g_object_get_data(G_OBJECT(display), "mainstem-changes")) return;
  GtkCssProvider *styles = gtk_css_provider_new();
  gtk_css_provider_load_from_data(styles, mainstem_changes_css, -1);
  gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(styles),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_set_data_full(G_OBJECT(display), "mainstem-changes", styles, g_object_unref);
}

/* A change of a row, in the widget that shows it, until its time is over. */
typedef struct mainstem_changes_play {
  mainstem_gtk_row *row;
  const char *kind;
  gint64 began; /* the time of the first frame; 0: there was none */
  guint tick;
} mainstem_changes_play;

static inline void mainstem_changes_play_free(gpointer data) {
  g_object_unref(((mainstem_changes_play *)data)->row);
  g_free(data);
}

static inline void mainstem_changes_stop(GtkWidget *widget) {
  mainstem_changes_play *play =
      (mainstem_changes_play *)g_object_steal_data(G_OBJECT(widget), "mainstem-change");
  if (!play) return;
  if (play->tick) gtk_widget_remove_tick_callback(widget, play->tick);
  gtk_widget_remove_css_class(widget, play->kind);
  mainstem_changes_play_free(play);
}

static inline gboolean mainstem_changes_frame(GtkWidget *widget, GdkFrameClock *clock,
                                              gpointer data) {
  mainstem_changes_play *play = (mainstem_changes_play *)data;
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  if (!play->began) play->began = now;
  if (now - play->began < MAINSTEM_CHANGES_MS * 1000) return G_SOURCE_CONTINUE;
  play->tick = 0;
  mainstem_changes_stop(widget);
  return G_SOURCE_REMOVE;
}

/* The row of the list, around what the program shows in it. */
static inline GtkWidget *mainstem_changes_widget(GtkListItem *cell) {
  GtkWidget *child = gtk_list_item_get_child(cell);
  return child ? gtk_widget_get_parent(child) : NULL;
}

static inline void mainstem_changes_start(mainstem_changes *self, mainstem_gtk_row *row,
                                          GtkListItem *cell) {
  const char *kind = (const char *)g_hash_table_lookup(self->marks, row->key);
  GtkWidget *widget = mainstem_changes_widget(cell);
  if (!widget || !kind) return;
  mainstem_changes_stop(widget);
  mainstem_changes_play *play = g_new0(mainstem_changes_play, 1);
  play->row = (mainstem_gtk_row *)g_object_ref(row);
  play->kind = kind;
  play->tick = gtk_widget_add_tick_callback(widget, mainstem_changes_frame, play, NULL);
  g_object_set_data_full(G_OBJECT(widget), "mainstem-change", play, mainstem_changes_play_free);
  gtk_widget_add_css_class(widget, kind);
}

/* Places of the list as it is now. */
typedef struct mainstem_changes_places {
  size_t count, inserted;
  size_t at[MAINSTEM_CHANGES_MANY];
  gboolean is_new[MAINSTEM_CHANGES_MANY];
} mainstem_changes_places;

/* Where what was noted is after a run has moved, or rows were inserted, which came from nowhere. */
static inline void mainstem_changes_shift(mainstem_changes_places *places,
                                          const mainstem_list_change *change) {
  gboolean is_move = change->kind == MAINSTEM_LIST_MOVE;
  size_t to = is_move ? change->to : change->index;
  for (size_t note = 0; note < places->count; note++) {
    size_t *at = &places->at[note];
    if (is_move && *at >= change->index && *at - change->index < change->count) {
      *at += to - change->index;
    } else {
      if (is_move && *at >= change->index) *at -= change->count;
      if (*at >= to) *at += change->count;
    }
  }
}

/* Notes which rows were inserted, moved or changed; FALSE: they are too many, or all. */
static inline gboolean mainstem_changes_note(mainstem_changes_places *places,
                                             const mainstem_event *event, size_t count) {
  mainstem_list_change change;
  for (size_t run = 0; !mainstem_list_read(event, run, &change); run++) {
    size_t first = change.kind == MAINSTEM_LIST_MOVE ? change.to : change.index;
    gboolean is_new = change.kind == MAINSTEM_LIST_INSERT;
    if (change.kind == MAINSTEM_LIST_REMOVE) continue;
    if (change.kind == MAINSTEM_LIST_RESET || change.count > MAINSTEM_CHANGES_MANY - places->count)
      return FALSE;
    if (change.kind != MAINSTEM_LIST_UPDATE) mainstem_changes_shift(places, &change);
    if (is_new) places->inserted += change.count;
    for (size_t at = first; at < first + change.count; at++) {
      places->is_new[places->count] = is_new;
      places->at[places->count++] = at;
    }
  }
  return places->inserted < count;
}

static inline void mainstem_changes_mark(mainstem_changes *self) {
  mainstem_changes_places places = {0, 0, {0}, {FALSE}};
  const mainstem_event *event;
  if (mainstem_retained_event(self->rows->event, &event) ||
      !mainstem_changes_note(&places, event, self->rows->count))
    return;
  for (size_t note = 0; note < places.count; note++) {
    mainstem_list_row row;
    if (!mainstem_list_row_get(event, places.at[note], &row))
      g_hash_table_insert(
          self->marks, g_strdup(row.key),
          (gpointer)(places.is_new[note] ? "mainstem-inserted" : "mainstem-changed"));
  }
}

static inline gboolean mainstem_changes_tick(GtkWidget *list, GdkFrameClock *clock, gpointer data) {
  mainstem_changes *self = (mainstem_changes *)data;
  (void)list, (void)clock;
  if (!self->is_laid_out) return self->is_laid_out = TRUE; /* it is, after the ticks */
  g_hash_table_remove_all(self->marks);
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static inline mainstem_changes *mainstem_changes_of(gpointer list) {
  return (mainstem_changes *)g_object_get_data(G_OBJECT(list), "mainstem-changes");
}

/* The list binds its rows after that, some of them when the next frame is laid out. */
static inline void mainstem_changes_changed(GListModel *model, guint at, guint removed, guint added,
                                            GtkWidget *list) {
  mainstem_changes *self = mainstem_changes_of(list);
  gboolean is_animated = FALSE;
  GHashTableIter cells;
  gpointer row, cell;
  (void)model, (void)at, (void)removed, (void)added;
  g_hash_table_remove_all(self->marks);
  g_object_get(gtk_widget_get_settings(list), "gtk-enable-animations", &is_animated, NULL);
  if (!is_animated || !gtk_widget_get_mapped(list)) return;
  mainstem_changes_mark(self);
  g_hash_table_iter_init(&cells, self->bound);
  while (g_hash_table_size(self->marks) && g_hash_table_iter_next(&cells, &row, &cell))
    mainstem_changes_start(self, (mainstem_gtk_row *)row, (GtkListItem *)cell);
  self->is_laid_out = FALSE;
  if (!self->tick)
    self->tick = gtk_widget_add_tick_callback(list, mainstem_changes_tick, self, NULL);
}

static inline void mainstem_changes_bind(GtkListItemFactory *factory, GtkListItem *cell,
                                         GtkWidget *list) {
  mainstem_changes *self = mainstem_changes_of(list);
  mainstem_gtk_row *row = (mainstem_gtk_row *)gtk_list_item_get_item(cell);
  GtkWidget *widget = mainstem_changes_widget(cell);
  mainstem_changes_play *play =
      widget ? (mainstem_changes_play *)g_object_get_data(G_OBJECT(widget), "mainstem-change")
             : NULL;
  (void)factory;
  g_hash_table_insert(self->bound, row, cell);
  if (play && play->row == row) return; /* GTK binds a row again, where it is selected, too */
  if (play) mainstem_changes_stop(widget);
  mainstem_changes_start(self, row, cell);
}

static inline void mainstem_changes_unbind(GtkListItemFactory *factory, GtkListItem *cell,
                                           GtkWidget *list) {
  GHashTable *bound = mainstem_changes_of(list)->bound;
  gpointer row = gtk_list_item_get_item(cell);
  (void)factory;
  if (g_hash_table_lookup(bound, row) == cell) g_hash_table_remove(bound, row);
}

static inline void mainstem_changes_free(gpointer data) {
  mainstem_changes *self = (mainstem_changes *)data;
  g_hash_table_unref(self->bound);
  g_hash_table_unref(self->marks);
  g_object_unref(self->rows);
  g_free(self);
}

/**
 * Shows what changes in `rows`, which mainstem_gtk_rows has returned. The list has its factory, and no model yet: what
 * has changed must be known before the list binds its rows.
 */
static inline void mainstem_changes_show(GtkListView *list, GListModel *rows) {
  GtkListItemFactory *factory = gtk_list_view_get_factory(list);
  g_return_if_fail(factory && !gtk_list_view_get_model(list));
  mainstem_changes *self = g_new0(mainstem_changes, 1);
  self->rows = (mainstem_gtk_list *)g_object_ref(rows);
  self->bound = g_hash_table_new(NULL, NULL);
  self->marks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  mainstem_changes_style(gtk_widget_get_display(GTK_WIDGET(list)));
  g_object_set_data_full(G_OBJECT(list), "mainstem-changes", self, mainstem_changes_free);
  g_signal_connect_object(factory, "bind", G_CALLBACK(mainstem_changes_bind), list,
                          (GConnectFlags)0);
  g_signal_connect_object(factory, "unbind", G_CALLBACK(mainstem_changes_unbind), list,
                          (GConnectFlags)0);
  g_signal_connect_object(rows, "items-changed", G_CALLBACK(mainstem_changes_changed), list,
                          (GConnectFlags)0);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Values and commands of view models, tied to GObjects: one file to copy, for GTK and for all that has properties.
 *
 *     guint source = mainstem_gtk_attach(context);               the GLib main loop delivers
 *     mainstem_gtk_bind(view, lookup, "goAlpha", button, "opacity");
 *     mainstem_gtk_bind(view, lookup, "indicatorHidden", spinner, "!visible");   the opposite
 *     mainstem_gtk_edit(view, lookup, "username", entry, "text");                both ways
 *     mainstem_gtk_write(view, login, "password", entry, "text", "forget");      a secret, see there
 *     mainstem_gtk_run(view, lookup, "go", button, "clicked");
 *     GListModel *todos = mainstem_gtk_rows(view, lookup, "todos");              a list, for GtkListView
 *
 * `view` is the scope of a view, `lookup` the owner that it shows. What is BOOL, INTEGER, NUMBER or TEXT becomes what
 * the property is. Each is a binding, which ends with the view, or when the object does; there is nothing to free.
 * A property that does not exist is MAINSTEM_INVALID; other errors are those of mainstem_binding_add.
 *
 * What a write or a run is refused with goes to mainstem_gtk_refused: mainstem_bars.h shows it in the window.
 *
 * Needs gio-2.0. Call all of it on the thread of the context, which is that of the main loop.
 */

#ifndef MAINSTEM_GTK_H
#define MAINSTEM_GTK_H

#include <gio/gio.h>
#include <glib-unix.h>
#include <mainstem.h>
#include <string.h>

/**
 * Gets the object, the signal that tries it again, and the status; mainstem_last_error() has the message. A drain that
 * was refused has no object. By default it is a warning. Each source file has its own.
 */
typedef void (*mainstem_gtk_refused_fn)(GObject *object, const char *signal,
                                        mainstem_status status);

static inline void mainstem_gtk_warn(GObject *object, const char *signal, mainstem_status status) {
  (void)object, (void)signal, (void)status;
  g_warning("%s", mainstem_last_error());
}

static mainstem_gtk_refused_fn mainstem_gtk_refused = mainstem_gtk_warn;

/* Of commands, DISABLED and EXECUTING are answers: the value of the command's button says so. */
static inline void mainstem_gtk_check(GObject *object, const char *signal, mainstem_status status) {
  if (status && status != MAINSTEM_DISABLED && status != MAINSTEM_EXECUTING)
    mainstem_gtk_refused(object, signal, status);
}

/* One binding and its object. Both know it; whoever ends first lets go of it. */
typedef struct mainstem_gtk_tie {
  mainstem_binding *binding;
  GObject *object; /* NULL: it is gone */
  GParamSpec *property;
  const char *signal; /* for the handler; interned */
  gulong handler;
  gboolean is_opposite, is_secret, is_emptying;
  char name[]; /* of the value or the command */
} mainstem_gtk_tie;

static inline void mainstem_gtk_gone(gpointer data, GObject *object) {
  mainstem_gtk_tie *tie = (mainstem_gtk_tie *)data;
  (void)object;
  tie->object = NULL;
  mainstem_binding_end(tie->binding);
}

static inline void mainstem_gtk_release(void *data) {
  mainstem_gtk_tie *tie = (mainstem_gtk_tie *)data;
  if (tie->object) {
    if (tie->handler) g_signal_handler_disconnect(tie->object, tie->handler);
    g_object_weak_unref(tie->object, mainstem_gtk_gone, tie);
  }
  g_free(tie);
}

/* A row: the property becomes what the value is. */
static inline void mainstem_gtk_show(void *data, const mainstem_event *event) {
  mainstem_gtk_tie *tie = (mainstem_gtk_tie *)data;
  GValue value = G_VALUE_INIT;
  if (!tie->object) return;
  if (tie->property->value_type == G_TYPE_STRING) {
    g_value_init(&value, G_TYPE_STRING);
    g_value_set_string(&value, mainstem_value_text(event));
  } else if (tie->property->value_type == G_TYPE_BOOLEAN) {
    g_value_init(&value, G_TYPE_BOOLEAN);
    g_value_set_boolean(&value, mainstem_event_bool(event) != tie->is_opposite);
  } else {
    g_value_init(&value, G_TYPE_DOUBLE); /* which GObject makes any number of */
    g_value_set_double(&value, mainstem_event_number(event));
  }
  g_object_set_property(tie->object, tie->property->name, &value);
  g_value_unset(&value);
}

/* A pulse: the property becomes empty, and nobody is told. */
static inline void mainstem_gtk_empty(void *data, const mainstem_event *event) {
  mainstem_gtk_tie *tie = (mainstem_gtk_tie *)data;
  (void)event;
  if (!tie->object) return;
  tie->is_emptying = TRUE;
  g_object_set(tie->object, tie->property->name, "", NULL);
  tie->is_emptying = FALSE;
}

/* "notify": the value becomes what the property is. */
static inline void mainstem_gtk_changed(mainstem_gtk_tie *tie) {
  GValue value = G_VALUE_INIT;
  GType type = tie->property->value_type;
  mainstem_status status;
  if (tie->is_emptying) return;
  g_value_init(&value, type);
  g_object_get_property(tie->object, tie->property->name, &value);
  if (type == G_TYPE_STRING) {
    const char *text = g_value_get_string(&value);
    size_t size = text ? strlen(text) : 0;
    status = mainstem_binding_set(tie->binding, tie->name, text, size);
    if (tie->is_secret) /* the property's copy, which nobody else has */
      for (volatile char *byte = (char *)text; size > 0; size--) *byte++ = 0;
  } else if (type == G_TYPE_BOOLEAN) {
    char is_on = g_value_get_boolean(&value) != tie->is_opposite;
    status = mainstem_binding_set(tie->binding, tie->name, &is_on, 1);
  } else if (type == G_TYPE_DOUBLE) {
    double number = g_value_get_double(&value);
    status = mainstem_binding_set(tie->binding, tie->name, &number, sizeof number);
  } else {
    GValue integer = G_VALUE_INIT;
    g_value_init(&integer, G_TYPE_INT64);
    g_value_transform(&value, &integer);
    int64_t number = g_value_get_int64(&integer);
    status = mainstem_binding_set(tie->binding, tie->name, &number, sizeof number);
  }
  g_value_unset(&value);
  mainstem_gtk_check(tie->object, tie->signal, status);
}

static inline void mainstem_gtk_pressed(mainstem_gtk_tie *tie) {
  GObject *object = tie->object; /* what runs may end the view */
  const char *signal = tie->signal;
  mainstem_gtk_check(
      object, signal,
      mainstem_binding_run(tie->binding, tie->name, NULL, 0, NULL, NULL, NULL, NULL));
}

static inline mainstem_status mainstem_gtk_add(mainstem_context *view, mainstem_context *owner,
                                               mainstem_gtk_tie *tie, const char *name,
                                               mainstem_event_fn show, uint32_t flags) {
  mainstem_binding_row row = {name, show, flags};
  mainstem_status status;
  g_object_weak_ref(tie->object, mainstem_gtk_gone, tie);
  status = mainstem_binding_add(view, owner, &row, sizeof row, name ? 1 : 0, tie,
                                mainstem_gtk_release, &tie->binding);
  if (status) mainstem_gtk_release(tie);
  return status;
}

static inline mainstem_gtk_tie *mainstem_gtk_new(const char *name, gpointer object,
                                                 const char *property) {
  size_t size = strlen(name) + 1;
  mainstem_gtk_tie *tie = (mainstem_gtk_tie *)g_malloc0(sizeof *tie + size);
  memcpy(tie->name, name, size);
  tie->object = G_OBJECT(object);
  tie->is_opposite = property && *property == '!';
  if (!property) return tie;
  tie->property =
      g_object_class_find_property(G_OBJECT_GET_CLASS(object), property + tie->is_opposite);
  if (tie->property) return tie;
  g_warning("%s has no property %s", G_OBJECT_TYPE_NAME(object), property + tie->is_opposite);
  g_free(tie);
  return NULL;
}

static inline void mainstem_gtk_notify(mainstem_gtk_tie *tie) {
  char *notify = g_strconcat("notify::", tie->property->name, NULL);
  tie->signal = g_intern_string(notify);
  tie->handler =
      g_signal_connect_swapped(tie->object, notify, G_CALLBACK(mainstem_gtk_changed), tie);
  g_free(notify);
}

/** Shows a value in a property; with a `!` before its name, the opposite of a BOOL. */
static inline mainstem_status mainstem_gtk_bind(mainstem_context *view, mainstem_context *owner,
                                                const char *name, gpointer object,
                                                const char *property) {
  mainstem_gtk_tie *tie = mainstem_gtk_new(name, object, property);
  return tie ? mainstem_gtk_add(view, owner, tie, name, mainstem_gtk_show, 0) : MAINSTEM_INVALID;
}

/** Shows a value in a property, and writes what the user makes of it. */
static inline mainstem_status mainstem_gtk_edit(mainstem_context *view, mainstem_context *owner,
                                                const char *name, gpointer object,
                                                const char *property) {
  mainstem_gtk_tie *tie = mainstem_gtk_new(name, object, property);
  mainstem_status status = MAINSTEM_INVALID;
  if (tie)
    status = mainstem_gtk_add(view, owner, tie, name, mainstem_gtk_show, MAINSTEM_BINDING_TWO_WAY);
  if (!status) mainstem_gtk_notify(tie);
  return status;
}

/**
 * Writes a text that the user types, and shows nothing: for a secret. Its copy of the text is overwritten. When the
 * pulse `forget` comes, the property becomes empty; NULL: there is none.
 */
static inline mainstem_status mainstem_gtk_write(mainstem_context *view, mainstem_context *owner,
                                                 const char *name, gpointer object,
                                                 const char *property, const char *forget) {
  mainstem_gtk_tie *tie = mainstem_gtk_new(name, object, property);
  mainstem_status status = MAINSTEM_INVALID;
  if (tie) status = mainstem_gtk_add(view, owner, tie, forget, mainstem_gtk_empty, 0);
  if (status) return status;
  tie->is_secret = TRUE;
  mainstem_gtk_notify(tie);
  return status;
}

/** Runs a command for each signal. */
static inline mainstem_status mainstem_gtk_run(mainstem_context *view, mainstem_context *owner,
                                               const char *name, gpointer object,
                                               const char *signal) {
  mainstem_gtk_tie *tie = mainstem_gtk_new(name, object, NULL);
  tie->signal = g_intern_string(signal);
  mainstem_status status = mainstem_gtk_add(view, owner, tie, NULL, NULL, 0);
  if (!status)
    tie->handler = g_signal_connect_swapped(object, signal, G_CALLBACK(mainstem_gtk_pressed), tie);
  return status;
}

/**
 * A row of a list: the same object wherever the row moves, so it stays selected and focused. `data` is its payload,
 * which a zero byte follows; "changed" is emitted when that has changed.
 */
typedef struct mainstem_gtk_row {
  GObject object;
  struct mainstem_gtk_list *list; /* NULL: it is gone */
  char *key, *data;
  gsize size;
} mainstem_gtk_row;

/* The list: its last event, and of its rows those that somebody has. */
typedef struct mainstem_gtk_list {
  GObject object;
  mainstem_retained *event;
  size_t count;
  GHashTable *made; /* by their keys */
} mainstem_gtk_list;

static inline void mainstem_gtk_row_finalize(GObject *object) {
  mainstem_gtk_row *row = (mainstem_gtk_row *)object;
  if (row->list) g_hash_table_remove(row->list->made, row->key);
  g_free(row->key);
  g_free(row->data);
  G_OBJECT_CLASS(g_type_class_peek(G_TYPE_OBJECT))->finalize(object);
}

static inline void mainstem_gtk_row_class(gpointer kind, gpointer data) {
  (void)data;
  G_OBJECT_CLASS(kind)->finalize = mainstem_gtk_row_finalize;
  g_signal_new("changed", G_TYPE_FROM_CLASS(kind), G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 0);
}

/** The type of the items of mainstem_gtk_rows. */
static inline GType mainstem_gtk_row_type(void) {
  GType type = g_type_from_name("MainstemRow"); /* of another file that includes this one */
  return type ? type
              : g_type_register_static_simple(G_TYPE_OBJECT, "MainstemRow", sizeof(GObjectClass),
                                              mainstem_gtk_row_class, sizeof(mainstem_gtk_row),
                                              NULL, (GTypeFlags)0);
}

static inline GType mainstem_gtk_list_item_type(GListModel *model) {
  (void)model;
  return mainstem_gtk_row_type();
}

static inline guint mainstem_gtk_list_count(GListModel *model) {
  return (guint)((mainstem_gtk_list *)(void *)model)->count;
}

static inline gpointer mainstem_gtk_list_item(GListModel *model, guint place) {
  mainstem_gtk_list *list = (mainstem_gtk_list *)(void *)model;
  mainstem_list_row found;
  const mainstem_event *event;
  if (place >= list->count || mainstem_retained_event(list->event, &event) ||
      mainstem_list_row_get(event, place, &found))
    return NULL;
  mainstem_gtk_row *row = (mainstem_gtk_row *)g_hash_table_lookup(list->made, found.key);
  if (row) {
    g_object_ref(row);
  } else {
    row = (mainstem_gtk_row *)g_object_new(mainstem_gtk_row_type(), NULL);
    row->list = list;
    row->key = g_strdup(found.key);
    g_hash_table_insert(list->made, row->key, row);
  }
  if (row->data && row->size == found.size && !memcmp(row->data, found.data, found.size))
    return row;
  g_free(row->data);
  row->data = (char *)g_malloc0(found.size + 1);
  row->size = found.size;
  memcpy(row->data, found.data, found.size);
  g_signal_emit_by_name(row, "changed");
  return row;
}

static inline void mainstem_gtk_list_interface(gpointer table, gpointer data) {
  GListModelInterface *interface = (GListModelInterface *)table;
  (void)data;
  interface->get_item_type = mainstem_gtk_list_item_type;
  interface->get_n_items = mainstem_gtk_list_count;
  interface->get_item = mainstem_gtk_list_item;
}

static inline void mainstem_gtk_list_finalize(GObject *object) {
  mainstem_gtk_list *list = (mainstem_gtk_list *)object;
  GHashTableIter rows;
  gpointer row;
  g_hash_table_iter_init(&rows, list->made);
  while (g_hash_table_iter_next(&rows, NULL, &row)) ((mainstem_gtk_row *)row)->list = NULL;
  g_hash_table_unref(list->made);
  G_OBJECT_CLASS(g_type_class_peek(G_TYPE_OBJECT))->finalize(object);
}

static inline void mainstem_gtk_list_class(gpointer kind, gpointer data) {
  (void)data;
  G_OBJECT_CLASS(kind)->finalize = mainstem_gtk_list_finalize;
}

static inline GType mainstem_gtk_list_type(void) {
  static const GInterfaceInfo model = {mainstem_gtk_list_interface, NULL, NULL};
  GType type = g_type_from_name("MainstemRows");
  if (type) return type;
  type = g_type_register_static_simple(G_TYPE_OBJECT, "MainstemRows", sizeof(GObjectClass),
                                       mainstem_gtk_list_class, sizeof(mainstem_gtk_list), NULL,
                                       (GTypeFlags)0);
  g_type_add_interface_static(type, G_TYPE_LIST_MODEL, &model);
  return type;
}

/* A new version of the list: one "items-changed" for all that has changed. Of a list that is not known, no rows. */
static inline void mainstem_gtk_list_show(void *data, const mainstem_event *event) {
  mainstem_gtk_list *list = (mainstem_gtk_list *)data;
  mainstem_list_change first = {MAINSTEM_LIST_RESET, 0, 0, 0, 0};
  size_t at = 0, removed = list->count, added = 0;
  mainstem_retained_release(list->event);
  list->event = NULL;
  list->count = 0;
  if (event && !mainstem_list_count(event, &added) && !mainstem_event_retain(event, &list->event)) {
    size_t before = removed;
    list->count = added;
    mainstem_list_span(event, &at, &removed, &added);
    if (!mainstem_list_read(event, 0, &first) && first.kind == MAINSTEM_LIST_RESET)
      removed = before;
  } else {
    added = 0;
  }
  if (removed || added)
    g_list_model_items_changed(G_LIST_MODEL(list), (guint)at, (guint)removed, (guint)added);
}

static inline void mainstem_gtk_list_release(void *data) {
  mainstem_gtk_list_show(data, NULL);
  g_object_unref(data);
}

/** Shows a list as a GListModel, whose items are mainstem_gtk_row. Owner: the caller; NULL: see mainstem_last_error. */
static inline GListModel *mainstem_gtk_rows(mainstem_context *view, mainstem_context *owner,
                                            const char *name) {
  mainstem_gtk_list *list = (mainstem_gtk_list *)g_object_new(mainstem_gtk_list_type(), NULL);
  mainstem_binding_row row = {name, mainstem_gtk_list_show, 0};
  list->made = g_hash_table_new(g_str_hash, g_str_equal);
  g_object_ref(list);
  if (!mainstem_binding_add(view, owner, &row, sizeof row, 1, list, mainstem_gtk_list_release,
                            NULL))
    return G_LIST_MODEL(list);
  mainstem_gtk_list_release(list);
  g_object_unref(list);
  return NULL;
}

static inline gboolean mainstem_gtk_readable(gint descriptor, GIOCondition condition,
                                             gpointer context) {
  (void)descriptor, (void)condition;
  mainstem_gtk_check(NULL, "", mainstem_drain((mainstem_context *)context, 0, NULL));
  return G_SOURCE_CONTINUE;
}

/** Lets the main loop deliver what waits. Returns its source, to be removed before the context closes; 0: failed. */
static inline guint mainstem_gtk_attach(mainstem_context *context) {
  int descriptor;
  if (mainstem_context_fd(context, &descriptor)) return 0;
  return g_unix_fd_add(descriptor, G_IO_IN, mainstem_gtk_readable, context);
}

#endif

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
 *
 * `view` is the scope of a view, `lookup` the owner that it shows. What is BOOL, INTEGER, NUMBER or TEXT becomes what
 * the property is. Each is a binding, which ends with the view, or when the object does; there is nothing to free.
 * A property that does not exist is MAINSTEM_INVALID; other errors are those of mainstem_binding_add.
 *
 * Needs gobject-2.0. Call all of it on the thread of the context, which is that of the main loop.
 */

#ifndef MAINSTEM_GTK_H
#define MAINSTEM_GTK_H

#include <glib-object.h>
#include <glib-unix.h>
#include <mainstem.h>
#include <string.h>

/* One binding and its object. Both know it; whoever ends first lets go of it. */
typedef struct mainstem_gtk_tie {
  mainstem_binding *binding;
  GObject *object; /* NULL: it is gone */
  GParamSpec *property;
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
  if (status) g_warning("%s", mainstem_last_error());
  g_value_unset(&value);
}

/* DISABLED and EXECUTING are answers, too: the value of the command's button says so. */
static inline void mainstem_gtk_pressed(mainstem_gtk_tie *tie) {
  mainstem_binding_run(tie->binding, tie->name, NULL, 0, NULL, NULL, NULL, NULL);
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
  mainstem_status status = mainstem_gtk_add(view, owner, tie, NULL, NULL, 0);
  if (!status)
    tie->handler = g_signal_connect_swapped(object, signal, G_CALLBACK(mainstem_gtk_pressed), tie);
  return status;
}

static inline gboolean mainstem_gtk_readable(gint descriptor, GIOCondition condition,
                                             gpointer context) {
  (void)descriptor, (void)condition;
  mainstem_drain((mainstem_context *)context, 0, NULL);
  return G_SOURCE_CONTINUE;
}

/** Lets the main loop deliver what waits. Returns its source, to be removed before the context closes; 0: failed. */
static inline guint mainstem_gtk_attach(mainstem_context *context) {
  int descriptor;
  if (mainstem_context_fd(context, &descriptor)) return 0;
  return g_unix_fd_add(descriptor, G_IO_IN, mainstem_gtk_readable, context);
}

#endif

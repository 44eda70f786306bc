// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * GObject: an object with five properties, which notifies of what differs. It is set by a function of
 * its own, as C programs do, or by name. Views are bound by GBinding, cells by GBindingGroup.
 */

#include "state.h"

#include <glib-object.h>

typedef struct holder {
  GObject base;
  gint64 values[VALUES];
  uint64_t *sum; /* Of what shows values: each one that is set is added. */
} holder;

typedef GObjectClass holder_class;

static GParamSpec *properties[1 + VALUES];
static const char *const names[VALUES] = {"written", "changed", "second", "third", "fourth"};

static GType holder_type(void);

static void holder_store(holder *of, guint index, gint64 value) {
  if (of->values[index] == value) return;
  of->values[index] = value;
  g_object_notify_by_pspec((GObject *)of, properties[1 + index]);
}

/* As a view model: what is written changes another value. */
static void holder_write(holder *of, gint64 value) {
  holder_store(of, 0, value);
  holder_store(of, 1, value);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *property) {
  holder *of = (holder *)object;
  (void)property;
  if (of->sum != NULL) *of->sum += (uint8_t)g_value_get_int64(value);
  else if (id == 1) holder_write(of, g_value_get_int64(value));
  else holder_store(of, id - 1, g_value_get_int64(value));
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *property) {
  (void)property;
  g_value_set_int64(value, ((holder *)object)->values[id - 1]);
}

static void holder_class_init(gpointer class, gpointer data) {
  GObjectClass *of = class;
  (void)data;
  of->set_property = set_property;
  of->get_property = get_property;
  for (int i = 0; i < VALUES; i++)
    properties[1 + i] =
        g_param_spec_int64(names[i], NULL, NULL, G_MININT64, G_MAXINT64, 0,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties(of, 1 + VALUES, properties);
}

static GType holder_type(void) {
  static GType made;
  if (made == 0)
    made = g_type_register_static_simple(G_TYPE_OBJECT, "Holder", sizeof(holder_class),
                                         holder_class_init, sizeof(holder), NULL, 0);
  return made;
}

static holder *holder_new(uint64_t *sum) {
  holder *made = g_object_new(holder_type(), NULL);
  for (int i = 0; i < VALUES; i++) made->values[i] = 1;
  made->sum = sum;
  return made;
}

static void seen(GObject *object, GParamSpec *property, gpointer sum) {
  const holder *of = (const holder *)object;
  (void)property;
  *(uint64_t *)sum += (uint8_t)of->values[1];
}

/* One value: the second, on which nothing depends. */

static void *open_observed(uint64_t *sum) {
  holder *opened = holder_new(NULL);
  g_signal_connect(opened, "notify::changed", G_CALLBACK(seen), sum);
  return opened;
}

static void *open_bound(uint64_t *sum) {
  holder *opened = holder_new(NULL);
  g_object_bind_property(opened, "changed", holder_new(sum), "changed", G_BINDING_DEFAULT);
  return opened;
}

static void change(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++) holder_store(of, 1, of->values[1] ^ 256);
}

static void change_by_name(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++)
    g_object_set(of, "changed", (gint64)(of->values[1] ^ 256), NULL);
}

/* The optimizer may not know that it is there. */
static void repeat(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++) {
    volatile gint64 value = of->values[1];
    holder_store(of, 1, value);
  }
}

static void repeat_by_name(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++) g_object_set(of, "changed", (gint64)of->values[1], NULL);
}

static void write(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++) holder_write(of, of->values[0] ^ 256);
}

static void write_by_name(void *opened, size_t count) {
  holder *of = opened;
  for (size_t i = 0; i < count; i++)
    g_object_set(of, "written", (gint64)(of->values[0] ^ 256), NULL);
}

/* Cells: their views are there all the time. */

typedef struct cell {
  holder *owner, *view;
  GBindingGroup *group;
} cell;

static void *open_cells(uint64_t *sum) {
  cell *opened = g_new0(cell, CELLS);
  for (int i = 0; i < CELLS; i++) opened[i].view = holder_new(sum);
  return opened;
}

static void round_of_cells(cell *cells) {
  for (int i = 0; i < CELLS; i++) cells[i].owner = holder_new(NULL);
  for (int i = 0; i < CELLS; i++) {
    cells[i].group = g_binding_group_new();
    for (int j = 0; j < VALUES; j++)
      g_binding_group_bind(cells[i].group, names[j], cells[i].view, names[j], G_BINDING_DEFAULT);
    g_binding_group_set_source(cells[i].group, cells[i].owner);
  }
  for (int i = 0; i < CELLS; i++)
    g_binding_group_set_source(cells[i].group, cells[(i + 1) % CELLS].owner);
  for (int i = 0; i < CELLS; i++) {
    g_object_unref(cells[i].group);
    g_object_unref(cells[i].owner);
  }
}

static void rounds_of_cells(void *opened, size_t count) {
  for (size_t i = 0; i < count; i++) round_of_cells(opened);
}

const state_contestant state_gobject = {"GObject",
                                        {{open_observed, change},
                                         {open_bound, change},
                                         {open_observed, repeat},
                                         {open_observed, write},
                                         {open_cells, rounds_of_cells}}};
const state_contestant state_gobject_by_name = {"by name",
                                                {{open_observed, change_by_name},
                                                 {open_bound, change_by_name},
                                                 {open_observed, repeat_by_name},
                                                 {open_observed, write_by_name},
                                                 {NULL, NULL}}};

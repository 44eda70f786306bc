// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* GSignal: one signal of one object, with the marshaller made for it; several types are its details. */

#include "contestant.h"

#include <glib-object.h>

#include "observer.h"

typedef struct gsignals {
  GObject *object;
  guint signal;
  GQuark *details;
  size_t type_count;
  uint64_t *sum;
  plain_event event;
} gsignals;

static guint the_signal(void) {
  static guint made;
  if (made == 0)
    made = g_signal_new("happened", G_TYPE_OBJECT, G_SIGNAL_RUN_FIRST | G_SIGNAL_DETAILED, 0, NULL,
                        NULL, g_cclosure_marshal_VOID__POINTER, G_TYPE_NONE, 1, G_TYPE_POINTER);
  return made;
}

/* With one type there is no detail: the shorter way. */
static void *open_gsignal(size_t type_count, uint64_t *sum) {
  gsignals *opened = g_new0(gsignals, 1);
  opened->object = g_object_new(G_TYPE_OBJECT, NULL);
  opened->signal = the_signal();
  opened->details = g_new0(GQuark, type_count);
  opened->type_count = type_count;
  opened->sum = sum;
  opened->event.size = PAYLOAD;
  opened->event.payload[0] = 1;
  for (size_t i = 0; type_count > 1 && i < type_count; i++) {
    char name[32];
    g_snprintf(name, sizeof name, "type-%zu", i);
    opened->details[i] = g_quark_from_string(name);
  }
  return opened;
}

static gulong connect_type(gsignals *of, size_t type) {
  GClosure *closure = g_cclosure_new(G_CALLBACK(observe_gsignal), of->sum, NULL);
  return g_signal_connect_closure_by_id(of->object, of->signal, of->details[type], closure, FALSE);
}

static void observe(void *opened, size_t type) { connect_type(opened, type); }

static void send(void *opened, size_t count) {
  gsignals *of = opened;
  size_t type = 0;
  for (size_t i = 0; i < count; i++) {
    of->event.type = (uint32_t)type;
    of->event.correlation++;
    g_signal_emit(of->object, of->signal, of->details[type], &of->event);
    type = type + 1 == of->type_count ? 0 : type + 1;
  }
}

static void churn(void *opened, size_t count) {
  gsignals *of = opened;
  for (size_t i = 0; i < count; i++) g_signal_handler_disconnect(of->object, connect_type(of, 0));
}

const contestant gobject_signal = {"GSignal", open_gsignal, observe, send, churn};

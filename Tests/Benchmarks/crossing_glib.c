// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* GLib's queue between threads: one allocation for each event, nothing to poll. */

#include <glib.h>

#include "crossing.h"

typedef struct way {
  parcel_fn *got;
  void *user_data;
  GAsyncQueue *queue;
  GThread *thread;
} way;

static gpointer run(gpointer opened) {
  way *self = opened;
  while (TRUE) {
    plain_parcel *taken = g_async_queue_pop(self->queue);
    const gboolean is_stop = taken->type == 0;
    if (!is_stop) self->got(self->user_data, &taken->parcel);
    g_free(taken);
    if (is_stop) return NULL;
  }
}

static void push(way *self, uint64_t type, const parcel *sent) {
  plain_parcel *made = g_new0(plain_parcel, 1);
  made->type = type;
  if (sent != NULL) made->parcel = *sent;
  g_async_queue_push(self->queue, made);
}

static void *open_way(parcel_fn *got, void *user_data) {
  way *made = g_new0(way, 1);
  made->got = got;
  made->user_data = user_data;
  made->queue = g_async_queue_new();
  made->thread = g_thread_new("receiver", run, made);
  return made;
}

static void send(void *opened, const parcel *sent) { push(opened, 1, sent); }

static void close_way(void *opened) {
  way *self = opened;
  push(self, 0, NULL);
  g_thread_join(self->thread);
  g_async_queue_unref(self->queue);
  g_free(self);
}

const crossing glib_async_queue = {"GAsyncQueue", open_way, send, close_way};

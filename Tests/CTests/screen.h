// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An owner of two values, and the view that is bound to it. */

#ifndef SCREEN_H
#define SCREEN_H

#include "transcript.h"

/* An owner, what it shows, and its view. */
typedef struct screen {
  stream on;
  mainstem_context *owner, *other, *view;
  mainstem_event_type name, count;
  transcript seen;
  mainstem_binding *binding;
} screen;

static inline void screen_open(screen *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->owner = scope_open(self->on.context, "Cell");
  self->other = scope_open(self->on.context, "Cell");
  self->view = scope_open(self->on.context, "View");
  self->name =
      type_open(self->on.context, "Cell.name", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL);
  self->count = type_open(self->on.context, "Cell.count", MAINSTEM_PAYLOAD_INTEGER, NULL);
}

static inline void show_name(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  EXPECT(event->context == self->view);
  transcript_add(&self->seen, "%s%.*s", event->flags & MAINSTEM_EVENT_LATE ? "late " : "",
                 (int)event->size, (const char *)event->data);
}

static inline void show_count(void *user_data, const mainstem_event *event) {
  screen *self = (screen *)user_data;
  transcript_add(&self->seen, "%d", (int)mainstem_event_integer(event));
}

static inline void screen_ended(void *user_data) {
  transcript_add(&((screen *)user_data)->seen, "~");
}

static const mainstem_binding_row rows[] = {{"name", show_name, 0}, {"count", show_count, 0}};

static inline void screen_bind(screen *self, mainstem_context *owner) {
  EXPECT_OK(mainstem_binding_add(self->view, owner, rows, sizeof rows[0], COUNT(rows), self,
                                 screen_ended, &self->binding));
  EXPECT(self->binding != NULL);
}

static inline void say(mainstem_context *owner, const screen *self, const char *name,
                       int64_t count) {
  EXPECT_OK(send_text(owner, self->name, name));
  EXPECT_OK(mainstem_send(owner, self->count, &count, sizeof count));
}

#endif

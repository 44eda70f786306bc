// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A request as its asker sees it, and a server that keeps what it is asked. */

#ifndef ASKING_H
#define ASKING_H

#include "stream.h"

typedef struct asking {
  int calls;
  mainstem_event last; /* Its pointers are not to be followed. */
  char text[200];
  mainstem_pending *pending;
} asking;

typedef struct keeper {
  size_t count;
  mainstem_retained *kept[64];
} keeper;

static inline void asking_answered(void *user_data, const mainstem_event *event) {
  asking *self = (asking *)user_data;
  uint32_t size = event->size < sizeof self->text ? event->size : sizeof self->text - 1;
  self->calls++;
  self->last = *event;
  memcpy(self->text, event->data, size);
  self->text[size] = 0;
}

static inline void asking_ask(asking *self, const stream *on) {
  memset(self, 0, sizeof *self);
  EXPECT_OK(mainstem_request(on->context, on->ask, "?", 1, asking_answered, self, &self->pending));
  EXPECT(self->pending != NULL);
}

static inline void keeper_keep(void *user_data, const mainstem_event *event) {
  keeper *self = (keeper *)user_data;
  EXPECT(self->count < COUNT(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->count++]));
}

static inline const mainstem_event *keeper_event(keeper *self, size_t index) {
  EXPECT(index < self->count);
  const mainstem_event *event = kept_event(self->kept[index]);
  return event;
}

static inline mainstem_context *keeper_serve(keeper *self, const stream *on) {
  const mainstem_handler_row rows[] = {
      {"RequestAsk", keeper_keep, MAINSTEM_HANDLER_SEVERAL}}; /* Tests add others, too. */
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add(on->context, "Keeper", MAINSTEM_ROWS(rows), self, NULL, &server));
  return server;
}

#endif

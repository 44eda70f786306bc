// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A model that is told to do things: "go" keeps what is asked, "up" is done when it returns. What happens is a text. */

#ifndef DOOR_H
#define DOOR_H

#include "transcript.h"

enum { DOOR_COUNT, DOOR_MAY, DOOR_UP, DOOR_GO, DOOR_ROWS, DOOR_KEPT = 80 };

typedef struct door {
  stream on;
  transcript seen;
  mainstem_context *model, *view;
  mainstem_binding *binding;
  mainstem_retained *kept[DOOR_KEPT];
  int count, kept_count;
  bool may, is_quiet;
  mainstem_event_fn then; /* What "go" does after it has kept what is asked, or NULL. */
  mainstem_event_type types[DOOR_ROWS];
} door;

static inline void door_up(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  self->count++;
}

static inline void door_go(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  transcript_add(&self->seen, "go(%.*s)", (int)event->size, (const char *)event->data);
  if (event->size > 0 && ((const char *)event->data)[0] == '!') {
    EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, "It is stuck."));
    return;
  }
  EXPECT(self->kept_count < DOOR_KEPT);
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->kept_count++]));
  if (self->then != NULL) self->then(self, event);
}

static inline mainstem_status door_show(void *user_data, mainstem_context *model,
                                        const mainstem_event_type *types) {
  door *self = (door *)user_data;
  memcpy(self->types, types, sizeof self->types);
  mainstem_value_set_integer(model, types[DOOR_COUNT], self->count);
  return mainstem_value_set_bool(model, types[DOOR_MAY], self->may);
}

static inline mainstem_status door_add(door *self, mainstem_context *context, const char *name,
                                       uint32_t policy) {
  const mainstem_viewmodel_row rows[DOOR_ROWS] = {
      {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
      {"may", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
      {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, door_up, NULL, 0, 0, NULL},
      {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, door_go, "may", policy,
       MAINSTEM_PAYLOAD_TEXT, NULL}};
  return mainstem_viewmodel_add(context, name, rows, sizeof rows[0], DOOR_ROWS, door_show, self,
                                NULL, &self->model);
}

/* Everything that is sent, by the part of its type's name behind the model's. */
static inline void door_note(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  mainstem_type_info info = {0};
  if (self->is_quiet) return;
  info.size = sizeof info;
  EXPECT_OK(mainstem_type_read(event->context, event->type, &info));
  const char *dot = strchr(info.name, '.');
  const char *name = dot == NULL ? info.name : dot + 1;
  if (strcmp(name, "MainstemEnded") == 0) {
    transcript_add(&self->seen, "%s", name);
  } else if (event->status != MAINSTEM_OK) {
    transcript_add(&self->seen, "%s@%llu:%s", name, (unsigned long long)event->answers,
                   mainstem_status_name(event->status));
  } else if (event->answers != 0) {
    transcript_add(&self->seen, "%s@%llu", name, (unsigned long long)event->answers);
  } else if ((info.contract & MAINSTEM_ROLE_MASK) == MAINSTEM_ROLE_REQUEST) {
    transcript_add(&self->seen, "%s%llu", name, (unsigned long long)event->position);
  } else if ((info.contract & MAINSTEM_PAYLOAD_MASK) == MAINSTEM_PAYLOAD_TEXT) {
    transcript_add(&self->seen, "%s=%s", name, mainstem_value_text(event));
  } else {
    transcript_add(&self->seen, "%s=%d", name, (int)mainstem_event_integer(event));
  }
}

/* The answer to a run, as the view gets it. */
static inline void door_went(void *user_data, const mainstem_event *event) {
  door *self = (door *)user_data;
  transcript_add(&self->seen, "went@%llu:%s", (unsigned long long)event->answers,
                 mainstem_status_name(event->status));
}

static inline void door_dropped(void *user_data) {
  transcript_add(&((door *)user_data)->seen, "~");
}

static inline mainstem_status door_run(door *self, const char *name, const char *text,
                                       mainstem_pending **pending) {
  return mainstem_binding_run(self->binding, name, text, strlen(text), door_went, self,
                              door_dropped, pending);
}

/* A model with its view, which has shown what it shows; then nothing is in the text. */
static inline void door_open_in(door *self, mainstem_context *context, uint32_t policy) {
  memset(self, 0, sizeof *self);
  self->on = stream_of(context);
  self->may = true;
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, door_note, self, NULL, NULL));
  self->view = scope_open(context, "View");
  EXPECT_OK(door_add(self, context, "Door", policy));
  EXPECT_OK(mainstem_binding_add(self->view, self->model, NULL, sizeof(mainstem_binding_row), 0,
                                 NULL, NULL, &self->binding));
  EXPECT_OK(mainstem_flush(context));
}

static inline void door_open(door *self, uint32_t threads, uint32_t policy) {
  door_open_in(self, context_open(threads), policy);
  transcript_clear(&self->seen);
}

static inline void door_close(door *self) { EXPECT_OK(mainstem_context_close(self->on.context)); }

/* Answers what "go" has kept, the first first. */
static inline void door_answer(door *self, int index) {
  const mainstem_event *event = kept_event(self->kept[index]);
  EXPECT_OK(mainstem_respond(event, "done", 4));
}

static inline void expect_seen(door *self, const char *wanted, const char *file, int line) {
  expect_text(self->seen.text, wanted, file, line, "seen");
  transcript_clear(&self->seen);
}

#define EXPECT_SEEN(self, wanted) expect_seen(self, wanted, __FILE__, __LINE__)

#endif

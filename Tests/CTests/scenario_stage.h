// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a case plays on: its context, what it has named, and what has happened so far. */

#ifndef SCENARIO_STAGE_H
#define SCENARIO_STAGE_H

#include "scenario_text.h"

typedef struct stage stage;

/* Whatever a step has given a name to. */
typedef struct thing {
  stage *stage;
  size_t line; /* The step that made it: what its callback does is below. */
  char name[24];
  mainstem_subscription *subscription;
  mainstem_context *scope;
  mainstem_pending *pending;
  mainstem_retained *kept;
} thing;

struct stage {
  const script *script;
  mainstem_context *context;
  int is_closed;
  int depth; /* How many callbacks run, one inside the other. */
  size_t things, entries;
  mainstem_event_type type[4];
  thing thing[64];
  char entry[200][400];
};

static inline void stage_note(stage *self, const char *text) {
  size_t indent = 2 * (size_t)self->depth, length = strlen(text);
  char *entry = self->entry[self->entries++];
  EXPECT(self->entries < COUNT(self->entry) && indent + length < sizeof self->entry[0]);
  memset(entry, ' ', indent);
  memcpy(entry + indent, text, length + 1);
}

static inline thing *stage_name(stage *self, const char *name, size_t line) {
  thing *one = &self->thing[self->things++];
  EXPECT(self->things < COUNT(self->thing) && strlen(name) < sizeof one->name);
  memset(one, 0, sizeof *one);
  one->stage = self;
  one->line = line;
  strcpy(one->name, name);
  return one;
}

/* The last thing of that name. */
static inline thing *stage_find(stage *self, const char *name) {
  for (size_t i = self->things; i > 0; i--) {
    if (strcmp(self->thing[i - 1].name, name) == 0) return &self->thing[i - 1];
  }
  fprintf(stderr, "  nothing is named %s\n", name);
  EXPECT(!"a name");
  return NULL;
}

/* The number of a type. The types of the scenarios are registered when the first one is named. */
static inline mainstem_event_type stage_type(stage *self, const char *name) {
  static const mainstem_catalogue_row rows[] = {
      {"Notice", MAINSTEM_PAYLOAD_TEXT, NULL},
      {"Other", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL},
      {"RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer"},
      {"ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL}};
  mainstem_event_type type = MAINSTEM_TYPE_ANY;
  if (strcmp(name, "all") == 0) return type;
  if (self->type[0] == 0) {
    EXPECT_OK(mainstem_catalogue_add(self->context, rows, sizeof rows[0], COUNT(rows), self->type));
  }
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (strcmp(rows[i].name, name) == 0) return self->type[i];
  }
  EXPECT_OK(mainstem_type_find(self->context, name, &type));
  return type;
}

static inline const char *status_name(mainstem_status status) {
  static char number[20];
  snprintf(number, sizeof number, "%d", (int)status);
  return status >= MAINSTEM_APP ? number : mainstem_status_name(status);
}

static inline size_t entry_payload(char *text, size_t room, const mainstem_event *event) {
  const char *data = (const char *)event->data;
  if (event->status >= MAINSTEM_APP) {
    return (size_t)snprintf(text, room, " %d \"%s\"", (int)event->status, data);
  }
  if (event->status != MAINSTEM_OK) {
    return (size_t)snprintf(text, room, " %s", mainstem_status_name(event->status));
  }
  if (event->size == 0) return 0;
  return (size_t)snprintf(text, room, data[0] == '{' ? " %.*s" : " \"%.*s\"", (int)event->size,
                          data);
}

/* An event as its observer got it: `a 3 Notice "hello" cause 1`. Nothing is said of what is 0. */
static inline void stage_note_event(thing *by, const mainstem_event *event) {
  char text[380];
  size_t length, room = sizeof text;
  mainstem_type_info info = {.size = sizeof info};
  if (event->flags & MAINSTEM_EVENT_GAP) {
    const mainstem_gap *gap = (const mainstem_gap *)event->data;
    snprintf(text, room, "%s gap %d-%d lost %d", by->name, (int)gap->from, (int)gap->to,
             (int)gap->count);
    stage_note(by->stage, text);
    return;
  }
  EXPECT_OK(mainstem_type_read(by->stage->context, event->type, &info));
  length = (size_t)snprintf(text, room, "%s %d %s", by->name, (int)event->position, info.name);
  length += entry_payload(text + length, room - length, event);
  EXPECT(length < 300);
  if (event->cause) length += (size_t)sprintf(text + length, " cause %d", (int)event->cause);
  if (event->answers) length += (size_t)sprintf(text + length, " answers %d", (int)event->answers);
  if (event->cause && event->flags & MAINSTEM_EVENT_OUTSIDE) {
    length += (size_t)sprintf(text + length, " outside");
  }
  if (event->flags & MAINSTEM_EVENT_PROGRESS) length += (size_t)sprintf(text + length, " progress");
  if (event->flags & MAINSTEM_EVENT_LATE) sprintf(text + length, " late");
  stage_note(by->stage, text);
}

#endif

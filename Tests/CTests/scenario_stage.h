// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a case plays on: its context, what it has named, and what has happened so far. */

#ifndef SCENARIO_STAGE_H
#define SCENARIO_STAGE_H

#include "elsewhere.h"
#include "journal.h"
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
  mainstem_scheduler scheduler;
  mainstem_binding *binding;
  mainstem_event_type shows;
  char shown[200]; /* What a server shows: the last text that it got. What became of a run. */
} thing;

struct stage {
  const script *script;
  const words *with; /* What its contexts are opened with. */
  uint32_t threads;
  mainstem_context *context;
  mainstem_replay *replay;
  const char *path; /* Its journal. */
  int is_closed;
  int depth;        /* How many callbacks run, one inside the other. */
  pthread_t thread; /* Its own. */
  sem_t beside;     /* Given at the end of each callback on a scheduler's own thread. */
  size_t things, entries;
  mainstem_event_type type[7];
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

static const mainstem_type_row stage_types[] = {
    {"Notice", MAINSTEM_PAYLOAD_TEXT, NULL},
    {"Other", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW, NULL},
    {"RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer"},
    {"ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL},
    {"Value", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL},
    {"Cell.name", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL},
    {"Cell.size", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL}};

/* The number of a type. The types of the scenarios are registered when the first one is named. */
static inline mainstem_event_type stage_type(stage *self, const char *name) {
  mainstem_event_type type = MAINSTEM_TYPE_ANY;
  if (strcmp(name, "all") == 0) return type;
  if (self->type[0] == 0) {
    EXPECT_OK(mainstem_types_add(self->context, stage_types, sizeof stage_types[0],
                                 COUNT(stage_types), self->type));
  }
  for (size_t i = 0; i < COUNT(stage_types); i++) {
    if (strcmp(stage_types[i].name, name) == 0) return self->type[i];
  }
  EXPECT_OK(mainstem_type_find(self->context, name, &type));
  return type;
}

/* The name of a type; those of the library are read, which only the context's own thread may. */
static inline const char *stage_type_name(const stage *self, mainstem_event_type type) {
  mainstem_type_info info = {.size = sizeof info};
  for (size_t i = 0; i < COUNT(stage_types); i++) {
    if (self->type[i] == type) return stage_types[i].name;
  }
  EXPECT_OK(mainstem_type_read(self->context, type, &info));
  return info.name;
}

/* Opens its context, for which everything is named anew. */
static inline void stage_open(stage *self) {
  mainstem_context_options options = context_options(self->threads);
  options.limit_events = number_after(self->with, "events");
  options.limit_bytes = number_after(self->with, "bytes");
  options.limit_posts = number_after(self->with, "posts");
  options.limit_post_bytes = number_after(self->with, "post_bytes");
  options.limit_cascade = number_after(self->with, "cascade");
  options.limit_payload = number_after(self->with, "payload");
  options.limit_observers = number_after(self->with, "observers");
  options.seed = number_after(self->with, "seed");
  if (word_after(self->with, "clock") != NULL) options.clock = MAINSTEM_CLOCK_VIRTUAL;
  if (word_after(self->with, "times") != NULL) options.flags |= MAINSTEM_CONTEXT_TIMES;
  if (word_after(self->with, "deliver") != NULL) options.flags |= MAINSTEM_CONTEXT_DELIVER_ON_HOST;
  self->context = context_with(&options);
  memset(self->type, 0, sizeof self->type);
  self->is_closed = 0;
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

/* Whether this is a thread of the library, which is named after its scheduler. */
static inline int is_beside(const stage *self, char name[16]) {
  *name = 0;
  if (pthread_equal(self->thread, pthread_self())) return 0;
  EXPECT_EQUAL(pthread_getname_np(pthread_self(), name, 16), 0);
  return strcmp(name, "elsewhere") != 0;
}

/* Notes what somebody got, and on which thread, unless on that of the case. */
static inline void stage_note_call(const thing *by, const char *text) {
  char entry[400], name[16];
  int is_of_library = is_beside(by->stage, name);
  snprintf(entry, sizeof entry, "%s%s%s%s", by->name, text,
           is_of_library ? " on "
           : *name       ? " "
                         : "",
           name);
  stage_note(by->stage, entry);
}

/* An event as its observer got it: `a 3 Notice "hello" cause 1`. Nothing is said of what is 0. */
static inline void stage_note_event(thing *by, const mainstem_event *event) {
  char text[350];
  size_t length, room = sizeof text;
  if (event->flags & MAINSTEM_EVENT_GAP) {
    const mainstem_gap *gap = (const mainstem_gap *)event->data;
    snprintf(text, room, " gap %d-%d lost %d", (int)gap->from, (int)gap->to, (int)gap->count);
    stage_note_call(by, text);
    return;
  }
  length = (size_t)snprintf(text, room, " %d %s", (int)event->position,
                            stage_type_name(by->stage, event->type));
  length += entry_payload(text + length, room - length, event);
  EXPECT(length < 250);
  if (event->cause) length += (size_t)sprintf(text + length, " cause %d", (int)event->cause);
  if (event->answers) length += (size_t)sprintf(text + length, " answers %d", (int)event->answers);
  if (event->cause && event->flags & MAINSTEM_EVENT_OUTSIDE) {
    length += (size_t)sprintf(text + length, " outside");
  }
  if (event->flags & MAINSTEM_EVENT_PROGRESS) length += (size_t)sprintf(text + length, " progress");
  if (event->flags & MAINSTEM_EVENT_LATE) sprintf(text + length, " late");
  stage_note_call(by, text);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Servers that show, and a transcript of what they show. */

#ifndef SHOWING_H
#define SHOWING_H

#include "transcript.h"

/* A server that counts: a notice "Shown" carries its name and its count, and whoever hears of it is in the transcript. */
typedef struct counter {
  stream *on;
  transcript *seen;
  const char *name;
  mainstem_context *server;
  mainstem_retained *kept;
  mainstem_status returns, tried;
  int count, shows, most;
} counter;

static stream on;
static transcript seen;
static mainstem_event_type shown;

static inline mainstem_status show(void *user_data, mainstem_context *server,
                                   const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  char text[32];
  self->shows++;
  if (self->server != NULL) EXPECT(server == self->server);
  EXPECT_EQUAL(types[0], shown);
  snprintf(text, sizeof text, "%s%d", self->name, self->count);
  transcript_add(&seen, "%s!", self->name);
  if (self->returns == MAINSTEM_FULL) return MAINSTEM_FULL;
  mainstem_status status = send_text(server, types[0], text);
  return self->returns != MAINSTEM_OK ? self->returns : status;
}

static inline void count_event(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  self->count++;
  transcript_add(&seen, "%s:%llu", self->name, (unsigned long long)event->position);
}

static inline void answer(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  EXPECT_OK(mainstem_respond(event, self->name, 1));
  EXPECT_STATUS(mainstem_respond(event, "again", 5), MAINSTEM_STALE);
}

static inline void keep(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
}

/* What leaves, with its cause; of an answer its request, too. */
static inline void note(void *user_data, const mainstem_event *event) {
  if (event->answers != 0) {
    transcript_add(&seen, "%.*s%llu<%llu@%llu", (int)event->size, (const char *)event->data,
                   (unsigned long long)event->position, (unsigned long long)event->cause,
                   (unsigned long long)event->answers);
  } else {
    transcript_add(&seen, "%.*s%llu<%llu%s", (int)event->size, (const char *)event->data,
                   (unsigned long long)event->position, (unsigned long long)event->cause,
                   event->flags & MAINSTEM_EVENT_OUTSIDE ? "*" : "");
  }
}

static inline mainstem_status try_showing(counter *self, mainstem_context *context,
                                          mainstem_event_fn fn, const char *type) {
  mainstem_handler_row row = {type, fn, 0};
  mainstem_server_options options = {.size = sizeof options};
  EXPECT(options.show == NULL && options.show_types == NULL);
  options.show = show;
  options.show_types = &shown;
  return mainstem_server_add_with(context, self->name, &row, sizeof row, fn != NULL, &options, self,
                                  NULL, &self->server);
}

static inline void open_showing(counter *self, mainstem_event_fn fn, const char *type) {
  EXPECT_OK(try_showing(self, on.context, fn, type));
}

static inline void open_all(mainstem_context *context) {
  transcript_clear(&seen);
  on = stream_of(context);
  shown = type_open(on.context, "Shown", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(on.context, shown, note, NULL, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.answer, note, NULL, NULL, NULL));
}

static inline void close_all(void) { EXPECT_OK(mainstem_context_close(on.context)); }

/* Asks the keeper in a handler, and answers when it has the answer. */
static mainstem_retained *waiting;

static inline void answer_waiting(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  const mainstem_event *request = kept_event(waiting);
  EXPECT_OK(mainstem_respond(request, self->name, 1));
  EXPECT_OK(mainstem_retained_release(waiting));
}

static inline void ask_keeper(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  EXPECT_OK(mainstem_event_retain(event, &waiting));
  mainstem_event_type other = type_named(on.context, "RequestKeep");
  EXPECT_OK(mainstem_request(event->context, other, "k", 1, answer_waiting, self, NULL));
}

#endif

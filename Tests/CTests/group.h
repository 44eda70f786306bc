// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Askers who share what they ask, and a server that starts some work for each request it gets. */

#ifndef GROUP_H
#define GROUP_H

#include "transcript.h"

/* A server that starts some work for each request it gets, and the transcript of it all. */
typedef struct group {
  stream on;
  transcript seen;
  mainstem_context *server;
  mainstem_retained *kept[20];
  mainstem_pending *pending[20];
  mainstem_status refused;
  int started, stopped, answered, asked;
} group;

/* "a" is a shared request, "r" another one, "=" an answer, "." progress; then the cause, and what is answered. */
static inline void show(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  int is_shared = (event->flags & MAINSTEM_EVENT_SHARED) != 0;
  const char *kind = event->flags & MAINSTEM_EVENT_TRACKED    ? is_shared ? "a" : "r"
                     : event->flags & MAINSTEM_EVENT_PROGRESS ? "."
                     : event->answers != 0                    ? "="
                                                              : "n";
  transcript_add(&self->seen, "%s%llu<%llu", kind, (unsigned long long)event->position,
                 (unsigned long long)event->cause);
  if (event->answers == 0) return;
  transcript_add(&self->seen, "to%llu%s%s%s", (unsigned long long)event->answers,
                 is_shared ? "s" : "", event->status == 0 ? "" : " ",
                 event->status == 0 ? "" : mainstem_status_name(event->status));
}

static inline void stop_work(void *user_data) { ((group *)user_data)->stopped++; }

static inline void start_work(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_SHARED, 0);
  EXPECT(self->started < 20);
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->started++]));
  EXPECT_OK(mainstem_event_on_settled(event, stop_work, self, NULL));
}

static inline group *group_with(mainstem_context *context) {
  static group self;
  static const mainstem_handler_row rows[] = {{"RequestAsk", start_work, MAINSTEM_HANDLER_SEVERAL}};
  memset(&self, 0, sizeof self);
  self.on = stream_of(context);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, show, &self, NULL, NULL));
  EXPECT_OK(mainstem_server_add(context, "Worker", MAINSTEM_ROWS(rows), &self, NULL, &self.server));
  return &self;
}

static inline group *group_open(uint32_t threads) {
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  return group_with(context);
}

static inline void group_close(group *self) { EXPECT_OK(mainstem_context_close(self->on.context)); }

static inline void note_answer(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT(event->flags & MAINSTEM_EVENT_SHARED || event->status != 0);
  transcript_add(&self->seen, "!%llu", (unsigned long long)event->answers);
  self->answered++;
}

static inline void note_step(void *user_data, const mainstem_event *event) {
  transcript_add(&((group *)user_data)->seen, "?%llu", (unsigned long long)event->answers);
}

static inline mainstem_status ask_with(group *self, mainstem_context *scope, const char *what,
                                       int64_t timeout_ms, mainstem_scheduler scheduler) {
  return mainstem_request_with(scope, self->on.ask, what, strlen(what),
                               OPTIONS(request, .progress = note_step, .timeout_ms = timeout_ms,
                                       .scheduler = scheduler, .share = 1),
                               note_answer, self, NULL, &self->pending[self->asked++]);
}

static inline void ask(group *self, const char *what) {
  EXPECT_OK(ask_with(self, self->on.context, what, 0, 0));
}

static inline const mainstem_event *work(group *self, int index) {
  EXPECT(index < self->started);
  const mainstem_event *event = kept_event(self->kept[index]);
  return event;
}

static inline void expect_seen(group *self, const char *text) {
  EXPECT_TEXT(self->seen.text, text);
  transcript_clear(&self->seen);
}

static inline void ask_three(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  if (event->cause != 0) return;
  ask(self, "same");
  ask(self, "same");
  ask(self, "same");
  EXPECT_EQUAL(self->started, 0);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "account.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* A request that is being worked on. It has no copy of the password: whether that is right is known at once. */
typedef struct work {
  mainstem_retained *asked;
  guint timer;
  bool is_right, is_down;
} work;

static bool is_right(const char *text, size_t size) { /* byte by byte: a secret */
  const char *line = memchr(text, '\n', size);
  size_t length = line ? (size_t)(line - text) : 0;
  bool right = line && size == 2 * length + 1;
  for (size_t at = 0; right && at < length; at++) right = text[at] == text[size - 1 - at];
  return right;
}

/* When a request has its answer, from here or because nobody waits any more. */
static void settled(void *data) {
  work *self = data;
  if (self->timer) g_source_remove(self->timer);
  self->timer = 0;
}

static void release(void *data) {
  work *self = data;
  mainstem_retained_release(self->asked);
  g_free(self);
}

/* The time of the context's clock, where this machine is. */
static size_t write_time(mainstem_context *context, char *text, size_t size) {
  int64_t now = 0;
  struct tm here;
  mainstem_context_now(context, &now);
  time_t seconds = (time_t)(now / 1000000000);
  return localtime_r(&seconds, &here) ? strftime(text, size, "%H:%M", &here) : 0;
}

static gboolean answer(gpointer data) {
  work *self = data;
  const mainstem_event *event;
  char time[6];
  mainstem_error wrong = {.size = sizeof wrong, .code = MAINSTEM_APP, .message = "WRONG"};
  self->timer = 0;
  mainstem_retained_event(self->asked, &event);
  wrong.user_message = self->is_down ? "The server does not answer." : "Name or password is wrong.";
  if (self->is_down || !self->is_right) mainstem_respond_error_with(event, &wrong);
  else if (event->size && memchr(event->data, '\n', event->size))
    mainstem_respond(event, time, write_time(event->context, time, sizeof time));
  else mainstem_respond(event, NULL, 0);
  return G_SOURCE_REMOVE;
}

static void begin(account *self, const mainstem_event *event, bool right) {
  work *begun = g_new0(work, 1);
  *begun = (work){.is_right = right, .is_down = self->mode == 'd'};
  mainstem_event_retain(event, &begun->asked);
  if (self->mode != 'h') begun->timer = g_timeout_add(self->delay_ms, answer, begun);
  mainstem_event_on_settled(event, settled, begun, release);
}

static void log_in(void *self, const mainstem_event *event) {
  begin(self, event, is_right(event->data, event->size));
}

static void log_out(void *self, const mainstem_event *event) { begin(self, event, true); }

mainstem_status account_install(mainstem_context *context, account *self) {
  const mainstem_handler_row rows[] = {{"RequestLogIn", log_in, 0}, {"RequestLogOut", log_out, 0}};
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  return mainstem_server_add_with(context, "Account", MAINSTEM_ROWS(rows), &options, self, NULL,
                                  NULL);
}

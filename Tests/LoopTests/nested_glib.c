// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A callback that runs GLib's loop inside the loop, as a dialog does. */

#include "elsewhere.h"
#include "scheduled.h"
#include "stream.h"

#include <glib-unix.h>

typedef struct host {
  stream on;
  GMainLoop *inner;
  GMainLoop *outer;
  int came, wanted;
  int looks, looks_inside;
  uint32_t is_inside;
} host;

static gboolean on_readable(gint descriptor, GIOCondition condition, gpointer data) {
  host *self = (host *)data;
  (void)descriptor, (void)condition;
  self->looks++;
  mainstem_status status = mainstem_drain(self->on.context, 0, NULL);
  EXPECT_STATUS(status, self->is_inside ? MAINSTEM_BUSY : MAINSTEM_OK);
  return G_SOURCE_CONTINUE;
}

static void *post_many(void *data) {
  host *self = (host *)data;
  for (int i = 0; i < 200; i++) EXPECT_OK(mainstem_post(self->on.context, self->on.notice, "", 0));
  return NULL;
}

static gboolean end_inner(gpointer data) {
  g_main_loop_quit(((host *)data)->inner);
  return G_SOURCE_REMOVE;
}

/* The first event opens the dialog: 200 events wait and a timer is long due while it is open. */
static void on_notice(void *user_data, const mainstem_event *event) {
  host *self = (host *)user_data;
  (void)event;
  if (self->came++ > 0) {
    if (self->came >= self->wanted) g_main_loop_quit(self->outer);
    return;
  }
  elsewhere(post_many, self);
  int looks = self->looks;
  self->is_inside = 1;
  g_timeout_add(100, end_inner, self);
  g_main_loop_run(self->inner);
  self->is_inside = 0;
  self->looks_inside = self->looks - looks;
}

static GSource *watch(host *self) {
  int descriptor;
  EXPECT_OK(mainstem_context_fd(self->on.context, &descriptor));
  GSource *source = g_unix_fd_source_new(descriptor, G_IO_IN);
  g_source_set_callback(source, G_SOURCE_FUNC(on_readable), self, NULL);
  g_source_set_can_recurse(source, TRUE); /* Else GLib itself would keep still. */
  g_source_attach(source, NULL);
  return source;
}

static host open_dialog_on(mainstem_scheduler scheduler, uint32_t threads) {
  host self = {stream_open(threads), NULL, NULL, 0, 201, 0, 0, 0};
  scheduled how = {.scheduler = scheduler};
  self.inner = g_main_loop_new(NULL, FALSE);
  self.outer = g_main_loop_new(NULL, FALSE);
  observe_on(self.on.context, self.on.notice, &how, on_notice, &self, NULL);
  EXPECT_OK(mainstem_send_after(self.on.context, self.on.other, "", 0, 5, 5, NULL));
  GSource *source = watch(&self);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  g_main_loop_run(self.outer);
  EXPECT_EQUAL(self.came, 201);
  g_source_destroy(source);
  g_source_unref(source);
  g_main_loop_unref(self.inner);
  g_main_loop_unref(self.outer);
  EXPECT_OK(mainstem_context_close(self.on.context));
  return self;
}

/* Catches: a loop that spins while a callback runs it; events that came meanwhile and stay. */
CASE(a_loop_inside_a_drain_is_not_kept_busy, IN_BOTH) {
  EXPECT_EQUAL(open_dialog_on(MAINSTEM_SCHEDULER_HOST, threads).looks_inside, 0);
}

/* There is no drain that keeps the descriptor quiet, until the first one is refused. */
CASE(a_loop_inside_a_send_is_not_kept_busy, IN_BOTH) {
  EXPECT_EQUAL(open_dialog_on(MAINSTEM_SCHEDULER_IMMEDIATE, threads).looks_inside, 1);
}

int main(void) { return expect_all(); }

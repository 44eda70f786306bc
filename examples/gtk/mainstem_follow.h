// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A session in a window goes where another process wants it: one file to copy, beside mainstem_bars.h and playing.h.
 *
 *     mainstem_bars_replay(bars, session.path, open, close, data);
 *     mainstem_follow_start(bars, &session, loop);   plays it, or follows
 */

#ifndef MAINSTEM_FOLLOW_H
#define MAINSTEM_FOLLOW_H

#include <mainstem_bars.h>

#include <glib-unix.h>
#include <playing.h>

typedef struct mainstem_follow {
  mainstem_bars *bars;
  playing *session;
  GMainLoop *loop;
  guint source; /* of positions */
} mainstem_follow;

static inline mainstem_status mainstem_follow_feed(mainstem_bars *bars, uint64_t position) {
  bool begins = !bars->context || playing_is_behind(bars->replay, position);
  mainstem_status status = begins ? mainstem_bars_begin(bars) : MAINSTEM_OK;
  size_t count = 1;
  if (!status) status = playing_seek(bars->replay, position);
  while (!status && count) status = mainstem_drain(bars->context, 0, &count);
  return status;
}

static inline gboolean mainstem_follow_read(gint descriptor, GIOCondition ready, gpointer data) {
  mainstem_follow *self = (mainstem_follow *)data;
  playing *session = self->session;
  (void)descriptor, (void)ready;
  playing_read(session);
  if (session->is_wanted) {
    session->is_wanted = false;
    mainstem_bars_pause(self->bars);
    mainstem_bars_check(self->bars, mainstem_follow_feed(self->bars, session->position));
    mainstem_bars_draw(self->bars);
  }
  if (!session->has_ended) return G_SOURCE_CONTINUE;
  self->source = 0;
  g_main_loop_quit(self->loop);
  return G_SOURCE_REMOVE;
}

static inline void mainstem_follow_end(gpointer data) {
  mainstem_follow *self = (mainstem_follow *)data;
  if (self->source) g_source_remove(self->source);
  g_free(self);
}

/**
 * Plays a session, at its speed; or follows another process to the end of its positions, which ends the loop. It ends
 * with the window.
 */
static inline void mainstem_follow_start(mainstem_bars *bars, playing *session, GMainLoop *loop) {
  if (session->follow < 0) {
    mainstem_bars_set_speed(bars, session->speed < 0 ? 1 : session->speed);
    mainstem_bars_play(bars);
    return;
  }
  mainstem_follow *self = g_new0(mainstem_follow, 1);
  self->bars = bars;
  self->session = session;
  self->loop = loop;
  self->source = g_unix_fd_add(session->follow, (GIOCondition)(G_IO_IN | G_IO_HUP),
                               mainstem_follow_read, self);
  g_object_set_data_full(G_OBJECT(bars->window), "mainstem-follow", self, mainstem_follow_end);
}

#endif

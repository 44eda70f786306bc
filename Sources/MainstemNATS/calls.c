// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The calls of a mirror. */

#include "bridge.h"

#include <stdlib.h>
#include <string.h>

/* What can be seen before a server is asked. */
static mainstem_status check_journal(const char *path) {
  mainstem_journal *journal;
  mainstem_status status = mainstem_journal_open(path, &journal);
  if (status != MAINSTEM_OK)
    return refuse(status, "mainstem_nats_mirror: %s", mainstem_last_error());
  mainstem_journal_close(journal);
  return MAINSTEM_OK;
}

static mainstem_status begin(struct mirror *mirror, struct settings *settings) {
  struct sent *sent = calloc(settings->window, sizeof *sent);
  if (sent == NULL)
    return refuse(MAINSTEM_NO_MEMORY, "mainstem_nats_mirror: there is no memory for the window");
  mirror->settings = *settings;
  mirror->window =
      (struct window){.sent = sent, .capacity = settings->window, .stream = settings->stream};
  mirror->is_closing = false;
  mirror->asked = mirror->flushed = 0;
  memset(&mirror->stats, 0, sizeof mirror->stats);
  memset(&mirror->failure, 0, sizeof mirror->failure);
  if (pthread_create(&mirror->thread, NULL, mirror_run, mirror) == 0) return MAINSTEM_OK;
  free(sent);
  mirror->window.sent = NULL;
  return refuse(MAINSTEM_NO_MEMORY, "mainstem_nats_mirror: there is no room for a thread");
}

mainstem_status mainstem_nats_mirror(const char *path, const mainstem_nats_mirror_options *options,
                                     mainstem_nats **mirror) {
  struct settings settings;
  struct mirror *made;
  mainstem_nats *handle;
  if (mirror == NULL) return refuse(MAINSTEM_INVALID, "mainstem_nats_mirror: mirror: is NULL");
  *mirror = NULL;
  mainstem_status status = check_journal(path);
  if (status == MAINSTEM_OK) status = settings_copy(&settings, path, options);
  if (status != MAINSTEM_OK) return status;
  status = table_add(&handle, &made);
  if (status == MAINSTEM_OK) {
    status = begin(made, &settings);
    made->is_used = status == MAINSTEM_OK;
    pthread_mutex_unlock(&made->lock);
  }
  if (status == MAINSTEM_OK) *mirror = handle;
  else settings_free(&settings);
  return status;
}

/* Why a wait for a flush has ended. */
static mainstem_status reason(const struct mirror *mirror, uint64_t asked) {
  if (mirror->flushed >= asked) return MAINSTEM_OK;
  if (mirror->stats.state == MAINSTEM_NATS_STOPPED)
    return refuse(mirror->stats.status, "mainstem_nats_flush: %s", mirror->stats.sentence);
  if (mirror->is_closing)
    return refuse(MAINSTEM_CANCELLED, "mainstem_nats_flush: the mirror was closed");
  return refuse(MAINSTEM_TIMEOUT, "mainstem_nats_flush: the stream is at position %llu: %s",
                (unsigned long long)mirror->stats.mirrored,
                mirror->stats.state == MAINSTEM_NATS_WAITING ? mirror->stats.sentence
                                                             : "the mirror is on its way");
}

mainstem_status mainstem_nats_flush(mainstem_nats *mirror, int64_t timeout_ms) {
  struct mirror *found;
  mainstem_status status = table_find(mirror, "mainstem_nats_flush", &found);
  if (status != MAINSTEM_OK) return status;
  int64_t until = now_ms() + timeout_ms;
  uint64_t asked = ++found->asked;
  found->waiting++;
  pthread_cond_broadcast(&found->changed);
  while (found->flushed < asked && !found->is_closing &&
         found->stats.state != MAINSTEM_NATS_STOPPED && (timeout_ms < 0 || now_ms() < until))
    wait_for_change(found, timeout_ms < 0 ? 1000 : until - now_ms());
  status = reason(found, asked);
  found->waiting--;
  pthread_mutex_unlock(&found->lock);
  return status;
}

mainstem_status mainstem_nats_stats_read(mainstem_nats *mirror, mainstem_nats_stats *stats) {
  static const char *const function = "mainstem_nats_stats_read";
  struct mirror *found;
  if (stats == NULL) return refuse(MAINSTEM_INVALID, "%s: stats: is NULL", function);
  if (stats->size != sizeof *stats)
    return refuse(stats->size > sizeof *stats ? MAINSTEM_UNSUPPORTED : MAINSTEM_INVALID,
                  "%s: stats.size: is %u, but this library's has %zu bytes", function, stats->size,
                  sizeof *stats);
  mainstem_status status = table_find(mirror, function, &found);
  if (status != MAINSTEM_OK) return status;
  *stats = found->stats;
  stats->size = sizeof *stats;
  pthread_mutex_unlock(&found->lock);
  return MAINSTEM_OK;
}

mainstem_status mainstem_nats_close(mainstem_nats *mirror) {
  struct mirror *found;
  if (mirror == NULL) return MAINSTEM_OK;
  mainstem_status status = table_find(mirror, "mainstem_nats_close", &found);
  if (status != MAINSTEM_OK) return status;
  pthread_t thread = found->thread;
  found->is_closing = true;
  found->generation++; /* The handle has ended; the slot is free when its thread is. */
  pthread_cond_broadcast(&found->changed);
  pthread_mutex_unlock(&found->lock);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&found->lock);
  settings_free(&found->settings);
  free(found->window.sent);
  found->window.sent = NULL;
  found->is_used = false;
  pthread_mutex_unlock(&found->lock);
  return MAINSTEM_OK;
}

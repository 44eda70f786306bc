// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The context's own journal: what it had when the import began, and what is written by now. Only that is acknowledged. */

#include "import.h"

#include <stdio.h>
#include <string.h>

enum { POLL_MS = 50, OTHERS_MS = 2000 };

static mainstem_status read_written(struct import *import, uint64_t *written) {
  mainstem_journal_stats stats = {.size = sizeof stats};
  mainstem_status status = mainstem_journal_stats_read(import->intake->scope, &stats);
  *written = stats.written;
  return status != MAINSTEM_OK ? status : stats.status;
}

/* Whether everything up to there is written; false: there is a failure. */
static bool look_for(struct session *session, uint64_t position, bool *is_written) {
  uint64_t written = 0;
  mainstem_status status = read_written(session->import, &written);
  *is_written = written >= position;
  if (status == MAINSTEM_OK) return true;
  if (intake_is_over(session->import->intake)) return session_fail_as_over(session);
  return session_fail(session, status, "the context's own journal has stopped");
}

/* What the context accepted before the import began must be in the file before that is read. */
static bool wait_for_barrier(struct session *session) {
  struct bridge *bridge = session->bridge;
  for (bool is_written = false;;) {
    if (!look_for(session, session->import->intake->barrier, &is_written)) return false;
    if (is_written) return true;
    session_note_state(session, MAINSTEM_BUSY, "the context's own journal is not written yet");
    pthread_mutex_lock(&bridge->lock);
    if (!bridge->is_closing) wait_for_change(bridge, POLL_MS);
    bool is_closing = bridge->is_closing;
    pthread_mutex_unlock(&bridge->lock);
    if (is_closing) return false;
  }
}

/* Another context's journal has another end. What others write meanwhile may be in the file before it is counted. */
static bool is_own(struct session *session, uint64_t before, uint64_t last) {
  uint64_t after = 0;
  int64_t until = now_ms() + OTHERS_MS;
  if (last < before) return false;
  while (read_written(session->import, &after) == MAINSTEM_OK && after < last && now_ms() < until)
    session_rest(session, 5);
  return last <= after;
}

bool written_read_books(struct session *session) {
  struct import *import = session->import;
  const struct settings *settings = session->settings;
  uint64_t before = 0, last = 0;
  if (import->has_read) return true;
  if (import->intake->is_recorded) {
    if (!wait_for_barrier(session)) return false;
    read_written(import, &before);
    if (!books_read(&import->books, settings->path, settings->stream, settings->scope, &last,
                    &session->failure))
      return false;
    if (!is_own(session, before, last))
      return session_fail(session, MAINSTEM_INVALID,
                          "options.journal: this is not the journal of the context");
  }
  import->has_read = true;
  if (settings->durable != NULL)
    snprintf(import->name, sizeof import->name, "%s", settings->durable);
  else snprintf(import->name, sizeof import->name, "import-%s", import->books.id);
  return true;
}

bool written_goes_on(struct session *session) {
  bool is_written;
  return !session->import->intake->is_recorded || look_for(session, 0, &is_written);
}

/* Acknowledging --------------------------------------------------------------------------------------- */

/* Entries that come again are known by their positions, so the books are right before the journal is written. */
void written_add(struct session *session, struct batch *batch) {
  struct import *import = session->import;
  const struct unwritten made = {import->intake->position, batch->anchor, batch->last};
  int at = import->unwritten_count < 2 ? import->unwritten_count++ : 1;
  books_anchor(&import->books, batch->anchor);
  natsMsg_Destroy(import->unwritten[at].last);
  import->unwritten[at] = made;
  batch->last = NULL;
  batch_clear(batch);
}

static void acknowledge(struct session *session, struct unwritten *oldest) {
  struct bridge *bridge = session->bridge;
  if (oldest->last != NULL && session->consumer.messages != NULL)
    consumer_acknowledge(&session->consumer, oldest->last);
  natsMsg_Destroy(oldest->last);
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.done = oldest->anchor.sequence;
  pthread_cond_broadcast(&bridge->changed);
  pthread_mutex_unlock(&bridge->lock);
}

bool written_settle(struct session *session) {
  struct import *import = session->import;
  struct unwritten *first = import->unwritten;
  while (import->unwritten_count > 0) {
    bool is_written = true;
    if (import->intake->is_recorded && !look_for(session, first->position, &is_written))
      return false;
    if (!is_written) return true;
    acknowledge(session, first);
    first[0] = first[1];
    first[1].last = NULL;
    import->unwritten_count--;
  }
  return true;
}

void written_forget(struct import *import) {
  for (int i = 0; i < 2; i++) {
    natsMsg_Destroy(import->unwritten[i].last);
    import->unwritten[i].last = NULL;
  }
}

void written_begin(struct session *session, uint64_t begin) {
  struct import *import = session->import;
  mainstem_nats_stats *stats = &session->bridge->stats;
  for (int i = 0; i < import->unwritten_count; i++)
    if (import->unwritten[i].anchor.sequence >= begin)
      import->unwritten[i].anchor.sequence = begin - 1;
  if (import->unwritten_count == 0 || stats->done >= begin) stats->done = begin - 1;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What comes: entries that the program wants, and did not get yet, in a batch. */

#include "import.h"

#include <string.h>

enum { POLL_MS = 50, SOON_MS = 20, MORE_MS = 1, AHEAD = 4 };

static void count(struct bridge *bridge, uint64_t *counter) {
  pthread_mutex_lock(&bridge->lock);
  (*counter)++;
  pthread_mutex_unlock(&bridge->lock);
}

/* An entry that the program wants, if it was not taken in before; false: there is no memory. */
static bool take_wanted(struct session *session, const struct arrival *arrival) {
  struct import *import = session->import;
  struct source *source = sources_find(&import->books.sources, arrival->id);
  if (source == NULL) {
    session_note_refused(session, arrival->sequence, "there is no room for one more journal");
    return true;
  }
  if (arrival->position <= source->seen) {
    count(session->bridge, &session->bridge->stats.repeated);
    return true;
  }
  if (!batch_add(import->coming, arrival))
    return fail(&session->failure, MAINSTEM_NO_MEMORY, "there is no memory for an entry");
  source->seen = arrival->position;
  return true;
}

static bool is_of_source(const struct settings *settings, const struct arrival *arrival) {
  uint8_t id[ID_BYTES];
  return settings->source == NULL ||
         (source_read_id(id, settings->source) && memcmp(id, arrival->id, ID_BYTES) == 0);
}

static bool take(struct session *session, natsMsg *message, struct arrival *arrival) {
  struct import *import = session->import;
  const char *why = "";
  enum fate fate = arrival_read(arrival, message, import->intake->wanted, &why);
  bool is_taken = true;
  import->passed++;
  if (fate == ARRIVAL_REFUSED) session_note_refused(session, arrival->sequence, why);
  else if (fate == ARRIVAL_PASSED || !is_of_source(session->settings, arrival)) is_taken = true;
  else if (fate == ARRIVAL_LEFT_OUT) count(session->bridge, &session->bridge->stats.left_out);
  else is_taken = take_wanted(session, arrival);
  batch_cover(import->coming, arrival, message);
  return is_taken;
}

static void note_progress(struct session *session) {
  struct bridge *bridge = session->bridge;
  if (session->consumer.sequence == 0) return;
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.read = session->consumer.sequence;
  pthread_mutex_unlock(&bridge->lock);
}

/* How long to wait for the next message, if nothing else is to be done. */
static int64_t patience(const struct import *import) {
  if (import->stage != STAGE_NONE || import->coming->is_begun) return 0;
  return import->unwritten_count > 0 ? SOON_MS : POLL_MS;
}

/* Behind one message mostly come more. To be woken for each would cost more than the message. */
static bool may_wait_for_more(const struct import *import, uint32_t count) {
  return import->stage == STAGE_NONE && import->coming->is_begun && import->coming->count > count;
}

static bool fill(struct session *session) {
  struct import *import = session->import;
  uint32_t rested_at = 0;
  while (!batch_is_full(import->coming)) {
    struct arrival arrival = {0};
    natsMsg *message;
    if (!consumer_next(&session->consumer, import->coming->room * AHEAD, patience(import), &message,
                       &arrival, &session->failure))
      return false;
    if (message != NULL && !take(session, message, &arrival)) return false;
    if (message != NULL) continue;
    if (!may_wait_for_more(import, rested_at)) return true;
    rested_at = import->coming->count;
    session_rest(session, MORE_MS);
  }
  return true;
}

bool collect_entries(struct session *session) {
  bool is_good = fill(session);
  note_progress(session);
  return is_good;
}

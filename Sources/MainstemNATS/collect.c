// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What comes: entries that the program wants, and did not get yet, in a batch. */

#include "import.h"

#include <string.h>

enum { POLL_MS = 50, SOON_MS = 20 };

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
    note_refused(session->bridge, arrival->sequence, "there is no room for one more journal");
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
         (read_id(id, settings->source) && memcmp(id, arrival->id, ID_BYTES) == 0);
}

static bool take(struct session *session, natsMsg *message, struct arrival *arrival) {
  struct import *import = session->import;
  const char *why = "";
  enum fate fate = arrival_read(arrival, message, import->intake->wanted, &why);
  bool is_taken = true;
  import->passed++;
  if (fate == ARRIVAL_REFUSED) note_refused(session->bridge, arrival->sequence, why);
  else if (fate == ARRIVAL_PASSED || !is_of_source(session->settings, arrival)) is_taken = true;
  else if (fate == ARRIVAL_LEFT_OUT) count(session->bridge, &session->bridge->stats.left_out);
  else is_taken = take_wanted(session, arrival);
  batch_cover(import->coming, arrival, message);
  pthread_mutex_lock(&session->bridge->lock);
  session->bridge->stats.read = arrival->sequence;
  pthread_mutex_unlock(&session->bridge->lock);
  return is_taken;
}

bool collect(struct session *session) {
  struct import *import = session->import;
  int64_t ms = import->stage != STAGE_NONE ? 0 : import->unwritten_count > 0 ? SOON_MS : POLL_MS;
  while (!batch_is_full(import->coming)) {
    struct arrival arrival = {0};
    natsMsg *message;
    if (!consumer_next(&session->consumer, import->coming->room - import->coming->count, ms,
                       &message, &arrival, &session->failure))
      return false;
    if (message == NULL) return true;
    if (!take(session, message, &arrival)) return false;
    ms = 0;
  }
  return true;
}

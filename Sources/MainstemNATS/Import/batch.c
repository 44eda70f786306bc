// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Entries on their way into the context, as mainstem_send_many takes them. */

#include "import.h"

#include <stdlib.h>
#include <string.h>

/* Batches --------------------------------------------------------------------------------------------- */

enum { HEADER = sizeof(mainstem_event_header), FIRST_ROOM = 1 << 16 };

static size_t front_of(const struct batch *batch) { return (size_t)batch->room * HEADER; }

bool batch_make(struct batch *batch, uint32_t room) {
  memset(batch, 0, sizeof *batch);
  batch->room = room;
  batch->capacity = front_of(batch) + FIRST_ROOM;
  batch->size = front_of(batch);
  batch->buffer = malloc(batch->capacity);
  batch->taken = calloc(room, sizeof *batch->taken);
  return batch->buffer != NULL && batch->taken != NULL;
}

static bool batch_is_full(const struct batch *batch) {
  return batch->count == batch->room || batch->bytes >= BATCH_BYTES;
}

uint32_t batch_left(const struct batch *batch) { return batch->count - batch->first; }

static bool make_room(struct batch *batch, size_t more) {
  size_t wanted = batch->size + more, capacity = batch->capacity;
  if (wanted <= capacity) return true;
  while (capacity < wanted) capacity *= 2;
  char *larger = realloc(batch->buffer, capacity);
  if (larger == NULL) return false;
  batch->buffer = larger;
  batch->capacity = capacity;
  return true;
}

/* Adds an entry; false: no memory. Payloads lie at multiples of 8, where observers read them as structs. */
static bool batch_add(struct batch *batch, const struct arrival *arrival) {
  size_t padded = ((size_t)arrival->size + 7) & ~(size_t)7;
  if (!make_room(batch, padded)) return false;
  const mainstem_event_header header = {
      .type = arrival->wanted->type, .size = arrival->size, .offset = (uint32_t)batch->size};
  memcpy(batch->buffer + (size_t)batch->count * HEADER, &header, sizeof header);
  if (arrival->size > 0) memcpy(batch->buffer + batch->size, arrival->data, arrival->size);
  struct taken *taken = &batch->taken[batch->count++];
  memcpy(taken->id, arrival->id, ID_BYTES);
  taken->position = arrival->position;
  taken->sequence = arrival->sequence;
  batch->size += padded;
  batch->bytes += arrival->size;
  return true;
}

/* Notes that it covers everything up to a message, which it owns from then on. */
static void batch_cover(struct batch *batch, const struct arrival *arrival, natsMsg *message) {
  natsMsg_Destroy(batch->last);
  batch->last = message;
  batch->is_begun = true;
  batch->anchor = (struct anchor){arrival->sequence, arrival->time};
}

/* Leaves out what is done with. The headers that are left begin the batch from then on, so their payloads are nearer
   to the begin. */
static void batch_pass(struct batch *batch, uint32_t count) {
  batch->first += count;
  for (uint32_t i = batch->first; i < batch->count; i++) {
    char *at = batch->buffer + (size_t)i * HEADER;
    mainstem_event_header header;
    memcpy(&header, at, sizeof header);
    header.offset -= count * HEADER;
    memcpy(at, &header, sizeof header);
  }
}

void batch_clear(struct batch *batch) {
  natsMsg_Destroy(batch->last);
  batch->last = NULL;
  batch->size = front_of(batch);
  batch->count = batch->first = 0;
  batch->bytes = 0;
  batch->is_begun = false;
}

void batch_free(struct batch *batch) {
  natsMsg_Destroy(batch->last);
  free(batch->buffer);
  free(batch->taken);
  memset(batch, 0, sizeof *batch);
}

/* Collecting ------------------------------------------------------------------------------------------ */

/* What comes: entries that the program wants, and did not get yet, in a batch. */

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

/* Delivering ------------------------------------------------------------------------------------------ */

/* What goes in: a batch is handed to the context; what it has no room for is tried again, what it refuses is left out. */

enum { NOTE_EVERY = 10000, FIRST_PAUSE_MS = 5, LONGEST_PAUSE_MS = 250 };

/* The context has these, or never will. */
static void note_taken(struct import *import, uint32_t entries) {
  const struct batch *batch = import->going;
  for (uint32_t i = batch->first; i < batch->first + entries; i++) {
    struct source *source = sources_find(&import->books.sources, batch->taken[i].id);
    if (source != NULL) source->taken = batch->taken[i].position;
  }
}

static void count_accepted(struct session *session, uint32_t accepted) {
  const struct batch *batch = session->import->going;
  uint64_t bytes = 0;
  for (uint32_t i = batch->first; i < batch->first + accepted; i++) {
    mainstem_event_header header;
    memcpy(&header, batch->buffer + (size_t)i * sizeof header, sizeof header);
    bytes += header.size + sizeof header;
  }
  pthread_mutex_lock(&session->bridge->lock);
  session->bridge->stats.entries += accepted;
  session->bridge->stats.bytes += bytes;
  pthread_mutex_unlock(&session->bridge->lock);
}

static void pass(struct import *import, uint32_t entries) {
  note_taken(import, entries);
  batch_pass(import->going, entries);
}

/* All of the batch is in the context. */
static void finish(struct session *session) {
  written_add(session, session->import->going);
  session->import->stage = STAGE_NONE;
}

/* The context has no room now. */
static bool try_later(struct session *session, mainstem_status status) {
  struct import *import = session->import;
  session_note_state(session, status, import->intake->message);
  import->pause_ms = import->pause_ms == 0 ? FIRST_PAUSE_MS : import->pause_ms * 2;
  if (import->pause_ms > LONGEST_PAUSE_MS) import->pause_ms = LONGEST_PAUSE_MS;
  import->stage = STAGE_TO_HAND;
  return true;
}

/* The first entry that is left was refused. */
static bool judge(struct session *session, mainstem_status status) {
  struct import *import = session->import;
  struct intake *intake = import->intake;
  if (status == MAINSTEM_STALE || intake_is_over(intake)) return session_fail_as_over(session);
  if (!written_goes_on(session)) return false;
  if (intake_may_come_later(status)) return try_later(session, status);
  session_note_refused(session, import->going->taken[import->going->first].sequence,
                       intake->message);
  pass(import, 1);
  if (batch_left(import->going) > 0) import->stage = STAGE_TO_HAND;
  else finish(session);
  return true;
}

static bool hand(struct session *session) {
  struct import *import = session->import;
  import->stage = STAGE_HANDED;
  if (held_ask(import->intake)) return true;
  pthread_mutex_lock(&session->bridge->lock);
  bridge_visit(session->bridge);
  mainstem_status status = intake_hand(import->intake, import->going, session->settings->stream);
  bridge_return(session->bridge);
  pthread_mutex_unlock(&session->bridge->lock);
  if (status == MAINSTEM_OK) return true;
  if (intake_may_come_later(status) || status == MAINSTEM_STALE) return judge(session, status);
  return written_goes_on(session) && session_fail(session, status, import->intake->message);
}

/* What the context did with it. */
static bool take_answer(struct session *session) {
  struct import *import = session->import;
  struct intake *intake = import->intake;
  count_accepted(session, (uint32_t)intake->accepted);
  pass(import, (uint32_t)intake->accepted);
  if (intake->accepted > 0) import->pause_ms = 0;
  if (intake->status != MAINSTEM_OK) return judge(session, intake->status);
  import->pause_ms = 0;
  session_note_state(session, MAINSTEM_OK, "");
  finish(session);
  return true;
}

bool deliver_advance(struct session *session) {
  struct import *import = session->import;
  if (intake_is_over(import->intake)) return session_fail_as_over(session);
  switch (import->stage) {
  case STAGE_NONE:
    return true;
  case STAGE_TO_HAND:
    session_rest(session, import->pause_ms);
    return session_is_closing(session) || hand(session);
  case STAGE_HANDED:
    /* A context that has stopped drops what it had accepted: then nobody answers. */
    return intake_wait(import->intake, 20) ? take_answer(session) : written_goes_on(session);
  }
  return true;
}

void deliver_last(struct session *session) {
  struct import *import = session->import;
  struct intake *intake = import->intake;
  if (import->stage != STAGE_HANDED || !intake_wait(intake, 0)) return;
  pass(import, (uint32_t)intake->accepted);
  import->stage = STAGE_TO_HAND;
  if (intake->status == MAINSTEM_OK) finish(session);
}

/* Without an event in it, a note is only sometimes needed. */
void deliver_next(struct session *session) {
  struct import *import = session->import;
  struct batch *batch = import->coming;
  if (import->stage != STAGE_NONE || !batch->is_begun) return;
  import->coming = import->going;
  import->going = batch;
  if (batch->count == 0 && import->passed < NOTE_EVERY) {
    finish(session);
    return;
  }
  import->stage = STAGE_TO_HAND;
  import->passed = 0;
}

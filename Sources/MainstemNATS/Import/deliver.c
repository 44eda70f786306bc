// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What goes in: a batch is handed to the context; what it has no room for is tried again, what it refuses is left out. */

#include "import.h"

#include <string.h>

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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A mirror. It has no memory of its own: whatever happens, it closes everything, waits a little, and asks
   the stream where to go on. */

#include "bridge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 50, OWN_EVERY = 10000 };

/* One connection and one reading of the journal. */
struct session {
  struct bridge *mirror;
  const struct settings *settings;
  mainstem_journal *journal;
  char id[ID_DIGITS + 1];
  struct server server;
  struct place place;
  struct behind behind; /* The last entry of the stream, once all that was sent is there. */
  uint32_t since_own;
  const mainstem_event *ahead; /* Read already, and to be sent. */
  struct failure failure;
};

static bool is_listed(char *const *list, const char *name) {
  if (list == NULL) return true;
  while (*list != NULL && strcmp(*list, name) != 0) list++;
  return *list != NULL;
}

/* Names that a journal does not have get the number. */
static void find_names(struct session *session, const mainstem_event *event, struct names *names,
                       char *unknown) {
  mainstem_type_info type = {.size = sizeof type}, response = {.size = sizeof response};
  memset(names, 0, sizeof *names);
  sprintf(unknown, "MainstemUnknown%u", event->type);
  names->type = unknown;
  names->layer = names->origin = names->response = "";
  if (mainstem_journal_type_read(session->journal, event->type, &type) == MAINSTEM_OK) {
    names->type = type.name;
    names->contract = type.contract;
  }
  if (mainstem_journal_layer_name(session->journal, names->contract, &names->layer) != MAINSTEM_OK)
    names->layer = "unknown";
  if (event->origin != 0)
    mainstem_journal_origin_name(session->journal, event->origin, &names->origin);
  if (type.response != 0 &&
      mainstem_journal_type_read(session->journal, type.response, &response) == MAINSTEM_OK)
    names->response = response.name;
}

/* Gives an entry to NATS, which owns it from then on. */
static bool send(struct session *session, struct entry *entry, bool is_own) {
  struct bridge *mirror = session->mirror;
  pthread_mutex_lock(&mirror->lock);
  bool is_in = window_reserve(mirror, entry, is_own);
  pthread_mutex_unlock(&mirror->lock);
  natsStatus status =
      is_in ? js_PublishMsgAsync(session->server.js, &entry->message, NULL) : NATS_OK;
  natsMsg_Destroy(entry->message);
  if (status != NATS_OK) return fail_as(&session->failure, status, 0, "an entry could not be sent");
  session->behind.sequence += is_in;
  memcpy(session->behind.id, entry->id, sizeof entry->id);
  return is_in;
}

static bool send_own(struct session *session, uint64_t position) {
  struct entry entry;
  natsStatus status =
      entry_make_own(&entry, session->settings->prefix, session->id, position, &session->behind);
  if (status != NATS_OK) return fail_as(&session->failure, status, 0, "the journal's own entry");
  session->since_own = 0;
  session->place.is_known = true;
  return send(session, &entry, true);
}

static bool send_event(struct session *session, const mainstem_event *event) {
  struct entry entry;
  struct names names;
  char unknown[32];
  find_names(session, event, &names, unknown);
  if (!is_listed(session->settings->layers, names.layer) ||
      !is_listed(session->settings->types, names.type))
    return true;
  if ((!session->place.is_known || session->since_own >= OWN_EVERY) &&
      !send_own(session, event->position - 1))
    return false;
  natsStatus status = entry_make(&entry, session->settings->prefix, session->id, event, &names,
                                 &session->behind, session->server.most);
  if (status != NATS_OK) return fail_as(&session->failure, status, 0, "an entry");
  session->since_own++;
  return send(session, &entry, false);
}

static bool fail_by_journal(struct session *session, mainstem_status status) {
  fail(&session->failure, status, "%s", mainstem_last_error());
  session->failure.is_final = status == MAINSTEM_VERSION;
  return false;
}

static bool fail_by_difference(struct session *session, const char *what) {
  fail(&session->failure, MAINSTEM_DIFFERENT, "the stream has %s at position %llu of this journal",
       what, (unsigned long long)session->place.position);
  session->failure.is_final = true;
  return false;
}

static void write_id(char *text, const uint8_t *id) {
  for (int i = 0; i < 16; i++) sprintf(text + 2 * i, "%02x", id[i]);
}

/* Opens the journal. What a flight recorder has removed meanwhile is lost. */
static bool open_journal(struct session *session, uint64_t *before) {
  mainstem_journal_info info = {.size = sizeof info};
  mainstem_status status = mainstem_journal_open(session->settings->path, &session->journal);
  if (status == MAINSTEM_OK) status = mainstem_journal_info_read(session->journal, &info);
  if (status != MAINSTEM_OK) return fail_by_journal(session, status);
  /* It has no id before its first header is there. */
  if (info.files == 0) return fail(&session->failure, MAINSTEM_IO, "the journal is not begun yet");
  write_id(session->id, info.id);
  *before = info.last;
  return true;
}

static void note_lost(struct session *session, uint64_t before) {
  struct bridge *mirror = session->mirror;
  uint64_t had = session->place.position;
  pthread_mutex_lock(&mirror->lock);
  if (mirror->stats.read > had) had = mirror->stats.read;
  if (before > had) mirror->stats.lost += before - had;
  if (before > mirror->stats.read) mirror->stats.read = before;
  mirror->stats.done = session->place.position;
  pthread_mutex_unlock(&mirror->lock);
}

/* Whether the stream's header is the journal's, but for a payload that was left out. */
static bool is_same(const mainstem_header *streamed, const mainstem_event *event) {
  mainstem_header recorded;
  memcpy(&recorded, event, sizeof recorded);
  recorded.offset = streamed->offset;
  if ((streamed->flags & MAINSTEM_EVENT_MARKED) != 0 &&
      (recorded.flags & MAINSTEM_EVENT_MARKED) == 0) {
    recorded.flags |= MAINSTEM_EVENT_MARKED;
    recorded.size = 0;
    recorded.status = MAINSTEM_OK;
  }
  return memcmp(&recorded, streamed, sizeof recorded) == 0;
}

/* Whether what was read past the stream's last position is what the stream has there. */
static bool is_met(struct session *session, const mainstem_event *event) {
  const struct place *place = &session->place;
  mainstem_journal_info info = {.size = sizeof info};
  if (event != NULL && event->position == place->position)
    return !place->has_header || is_same(&place->header, event) ||
           fail_by_difference(session, "another event");
  session->ahead = event;
  /* A position that the journal skips is no event's, but may be the one before the journal's own entry. */
  if (!place->has_header &&
      (event != NULL || (mainstem_journal_info_read(session->journal, &info) == MAINSTEM_OK &&
                         info.last >= place->position)))
    return true;
  return fail_by_difference(session, "an event that the file has not");
}

/* Reads past what the stream has. The last of it must be the same in both. */
static bool pass(struct session *session, uint64_t before) {
  const mainstem_event *event = NULL;
  if (session->place.position <= before) return true;
  do {
    mainstem_status status = mainstem_journal_next(session->journal, &event);
    if (status != MAINSTEM_OK) return fail_by_journal(session, status);
  } while (event != NULL && event->position < session->place.position);
  return is_met(session, event);
}

static void note_begun(struct session *session) {
  struct bridge *mirror = session->mirror;
  session->behind.stream = session->settings->stream;
  session->behind.sequence = session->place.sequence;
  pthread_mutex_lock(&mirror->lock);
  window_open(mirror, &session->server, session->behind.sequence);
  mirror->stats.state = MAINSTEM_NATS_RUNNING;
  mirror->stats.status = MAINSTEM_OK;
  mirror->stats.begun++;
  if (session->place.position > mirror->stats.read) mirror->stats.read = session->place.position;
  pthread_mutex_unlock(&mirror->lock);
}

static void note_read(struct bridge *mirror, uint64_t position) {
  pthread_mutex_lock(&mirror->lock);
  mirror->stats.read = position;
  pthread_mutex_unlock(&mirror->lock);
}

/* Sends what the journal has now. */
static bool send_all(struct session *session) {
  for (;;) {
    const mainstem_event *event = session->ahead;
    session->ahead = NULL;
    mainstem_status status =
        event == NULL ? mainstem_journal_next(session->journal, &event) : MAINSTEM_OK;
    if (status != MAINSTEM_OK) return fail_by_journal(session, status);
    if (event == NULL) return true;
    if (!send_event(session, event)) return false;
    note_read(session->mirror, event->position);
  }
}

/* Waits for answers; everything is there: tells those who wait for that. */
static bool settle(struct session *session, uint64_t asked) {
  struct bridge *mirror = session->mirror;
  int64_t began = now_ms();
  pthread_mutex_lock(&mirror->lock);
  bool is_going = window_wait(mirror, POLL_MS);
  if (is_going && mirror->window.count == 0) {
    if (mirror->flushed != asked) {
      mirror->flushed = asked;
      pthread_cond_broadcast(&mirror->changed);
    }
    while (!mirror->is_closing && mirror->asked == asked && now_ms() - began < POLL_MS)
      wait_for_change(mirror, POLL_MS);
  }
  is_going = is_going && !mirror->is_closing;
  pthread_mutex_unlock(&mirror->lock);
  return is_going;
}

/* Sends what the journal has, and what comes. */
static bool follow(struct session *session) {
  struct bridge *mirror = session->mirror;
  /* The file is measured again only at its end; and a flush wants what was there when it was asked for. */
  if (!send_all(session)) return false;
  for (;;) {
    pthread_mutex_lock(&mirror->lock);
    uint64_t asked = mirror->asked;
    pthread_mutex_unlock(&mirror->lock);
    mainstem_status status = mainstem_journal_follow(session->journal);
    if (status != MAINSTEM_OK) return fail_by_journal(session, status);
    if (!send_all(session)) return false;
    if (natsConnection_IsClosed(session->server.connection))
      return fail(&session->failure, MAINSTEM_IO, "the connection to the server has ended");
    if (!settle(session, asked)) return false;
  }
}

/* Works until something goes wrong, or the mirror is closed. */
static void hold(struct session *session) {
  struct bridge *mirror = session->mirror;
  const struct answers answers = {window_answered, window_disturbed, mirror};
  uint64_t before = 0;
  if (open_journal(session, &before) &&
      server_open(&session->server, session->settings, &answers, &session->failure) &&
      server_find_stream(&session->server, session->settings, true, &session->failure) &&
      place_find(&session->place, &session->server, session->settings, session->id,
                 &session->failure)) {
    note_lost(session, before);
    if (pass(session, before)) {
      note_begun(session);
      follow(session);
    }
  }
  pthread_mutex_lock(&mirror->lock);
  window_close(mirror);
  pthread_mutex_unlock(&mirror->lock);
  server_close(&session->server);
  mainstem_journal_close(session->journal);
}

/* Damage where there was none before may be a flight recorder that removed the next file: then the first one is another
   now. The same damage twice is damage. */
static void judge(struct failure *failure, struct bridge *mirror) {
  if (failure->status != MAINSTEM_CORRUPT) return;
  failure->is_final = mirror->window.damaged == mirror->stats.read;
  mirror->window.damaged = mirror->stats.read;
}

static void work(struct bridge *mirror, struct failure *failure) {
  struct session session = {.mirror = mirror, .settings = &mirror->settings};
  hold(&session);
  *failure = session.failure;
  judge(failure, mirror);
}

static void end(struct bridge *mirror) {
  free(mirror->window.sent);
  mirror->window.sent = NULL;
}

static const struct kind kind = {
    .function = "mainstem_nats_mirror", .noun = "mirror", .work = work, .end = end};

/* What can be seen before a server is asked. */
static mainstem_status check_journal(const char *path) {
  mainstem_journal *journal;
  mainstem_status status = mainstem_journal_open(path, &journal);
  if (status != MAINSTEM_OK) return refuse(status, "%s: %s", kind.function, mainstem_last_error());
  mainstem_journal_close(journal);
  return MAINSTEM_OK;
}

mainstem_status mainstem_nats_mirror(const char *path, const mainstem_nats_options *options,
                                     mainstem_nats **mirror) {
  struct settings settings;
  struct bridge *made;
  if (mirror == NULL) return refuse(MAINSTEM_INVALID, "%s: mirror: is NULL", kind.function);
  *mirror = NULL;
  mainstem_status status = check_journal(path);
  if (status == MAINSTEM_OK) status = settings_copy(&settings, &kind, path, options);
  if (status != MAINSTEM_OK) return status;
  status = bridge_take(&kind, &settings, mirror, &made);
  if (status != MAINSTEM_OK) return status;
  made->window = (struct window){.sent = calloc(settings.window, sizeof(struct sent)),
                                 .capacity = settings.window,
                                 .stream = settings.stream,
                                 .damaged = UINT64_MAX};
  return bridge_begin(made, made->window.sent != NULL, mirror);
}

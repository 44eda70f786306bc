// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A mirror. It has no memory of its own: whatever happens, it closes everything, waits a little, and asks
   the stream where to go on. */

#include "../Entries/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The window ------------------------------------------------------------------------------------------ */

/* The entries sent that the server has not acknowledged. It must acknowledge them in order, each with the next number;
   anything else, and the mirror begins again behind what the stream has. */

struct sent {
  uint64_t position;
  uint32_t bytes;
  bool is_own, is_left_out;
};

/* The state of a mirror. */
struct window {
  jsCtx *js;                  /* Whose answers count. */
  natsConnection *connection; /* Whose errors count. */
  const char *stream;
  struct sent *sent;
  uint32_t capacity, first, count;
  uint64_t sequence; /* The entry of the stream that the oldest one sent comes after. */
  size_t bytes;
  int64_t heard_ms; /* When the server last answered, or had nothing to answer. */
  uint64_t foreign; /* The last entry of the stream found that no mirror made. */
  uint64_t damaged; /* Where the journal was found damaged; UINT64_MAX: nowhere. */
};

static const struct kind kind;

/* With the lock. */

static void window_open(struct bridge *mirror, const struct server *server, uint64_t sequence) {
  struct window *window = mirror->state;
  window->js = server->js;
  window->connection = server->connection;
  window->first = window->count = 0;
  window->bytes = 0;
  window->sequence = sequence;
  window->heard_ms = now_ms();
}

static void window_close(struct bridge *mirror) {
  struct window *window = mirror->state;
  window->js = NULL;
  window->connection = NULL;
}

/* Waits a little for the server, whose patience is not endless. */
static void wait_for_answer(struct bridge *mirror, int64_t ms) {
  struct window *window = mirror->state;
  int64_t silent = now_ms() - window->heard_ms;
  if (window->count > 0 && silent >= PATIENCE_MS) {
    fail(&mirror->failure, MAINSTEM_IO, "the server has not answered for %d seconds",
         PATIENCE_MS / 1000);
    return;
  }
  wait_for_change(mirror, ms < 100 ? ms : 100);
}

/* Waits for room; false: there is a failure, or the mirror is closing. */
static bool window_reserve(struct bridge *mirror, const struct entry *entry, bool is_own) {
  struct window *window = mirror->state;
  while (is_going(mirror) && (window->count == window->capacity ||
                              (window->count > 0 && window->bytes + entry->bytes > WINDOW_BYTES)))
    wait_for_answer(mirror, 100);
  if (!is_going(mirror)) return false;
  if (window->count == 0) window->heard_ms = now_ms();
  struct sent *sent = &window->sent[(window->first + window->count++) % window->capacity];
  *sent = (struct sent){.position = entry->position,
                        .bytes = (uint32_t)entry->bytes,
                        .is_own = is_own,
                        .is_left_out = entry->is_left_out};
  window->bytes += entry->bytes;
  return true;
}

/* Waits until all is answered, but no longer than that; false as above. */
static bool window_wait(struct bridge *mirror, int64_t ms) {
  const struct window *window = mirror->state;
  int64_t until = now_ms() + ms, left;
  while (is_going(mirror) && window->count > 0 && (left = until - now_ms()) > 0)
    wait_for_answer(mirror, left);
  return is_going(mirror);
}

/* Whether an acknowledgment is the one of the oldest entry. */
static bool is_expected(const struct window *window, natsMsg *message, const jsPubAck *ack) {
  mainstem_event_header header;
  if (window->count == 0 || natsMsg_GetDataLength(message) < (int)sizeof header) return false;
  memcpy(&header, natsMsg_GetData(message), sizeof header);
  return header.position == window->sent[window->first].position && !ack->Duplicate &&
         ack->Sequence == window->sequence + 1 && ack->Stream != NULL &&
         strcmp(ack->Stream, window->stream) == 0;
}

static void take_acknowledgment(struct bridge *mirror) {
  struct window *window = mirror->state;
  const struct sent *sent = &window->sent[window->first];
  if (!sent->is_own) {
    mirror->stats.done = sent->position;
    mirror->stats.entries++;
    mirror->stats.bytes += sent->bytes;
  }
  mirror->stats.left_out += sent->is_left_out;
  window->bytes -= sent->bytes;
  window->first = (window->first + 1) % window->capacity;
  window->count--;
  window->sequence++;
  window->heard_ms = now_ms();
}

static void take_answer(struct bridge *mirror, natsMsg *message, const jsPubAck *ack,
                        const jsPubAckErr *error) {
  if (ack != NULL && is_expected(mirror->state, message, ack)) {
    take_acknowledgment(mirror);
    return;
  }
  mirror->stats.refused++;
  if (ack != NULL && ack->Duplicate)
    fail(&mirror->failure, MAINSTEM_BUSY, "the server takes an entry for one that it had");
  else if (error == NULL)
    fail(&mirror->failure, MAINSTEM_IO, "the server acknowledged another entry than was sent");
  else if (error->ErrCode == 10071 || error->ErrCode == 10070)
    fail(&mirror->failure, MAINSTEM_BUSY, "somebody else added to the stream, too");
  else
    fail_for(&mirror->failure, error->Err, error->ErrCode, "an entry was refused", error->ErrText);
}

static bool has_room(const struct window *window) {
  return window->count <= window->capacity / 2 && window->bytes <= WINDOW_BYTES / 2;
}

/* What NATS calls for each answer, each error and at the end of a connection: without the lock, on a thread of its own,
   and perhaps so late that the bridge is another one by now. */

static void window_answered(jsCtx *js, natsMsg *message, jsPubAck *ack, jsPubAckErr *error,
                            void *user_data) {
  struct bridge *mirror = user_data;
  pthread_mutex_lock(&mirror->lock);
  const struct window *window = bridge_state(mirror, &kind);
  if (window != NULL && window->js == js && mirror->failure.status == MAINSTEM_OK) {
    bool had_room = has_room(window);
    take_answer(mirror, message, ack, error);
    /* Who waits for room waits for much of it: it is woken once. */
    if (window->count == 0 || has_room(window) != had_room || !is_going(mirror))
      pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
  natsMsg_Destroy(message);
}

static void window_ended(natsConnection *connection, void *user_data) {
  struct bridge *mirror = user_data;
  pthread_mutex_lock(&mirror->lock);
  const struct window *window = bridge_state(mirror, &kind);
  if (window != NULL && window->connection == connection && is_going(mirror)) {
    fail(&mirror->failure, MAINSTEM_IO, "the connection to the server has ended");
    pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
}

static void window_disturbed(natsConnection *connection, natsSubscription *subscription,
                             natsStatus error, void *user_data) {
  struct bridge *mirror = user_data;
  const char *text = NULL;
  (void)subscription;
  pthread_mutex_lock(&mirror->lock);
  const struct window *window = bridge_state(mirror, &kind);
  if (window != NULL && window->connection == connection && is_going(mirror) &&
      error == NATS_NOT_PERMITTED) {
    natsConnection_GetLastError(connection, &text);
    fail_for(&mirror->failure, error, 0, "the server does not permit it", text);
    pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
}

/* Sending --------------------------------------------------------------------------------------------- */

enum { POLL_MS = 50, OWN_EVERY = 10000 };

/* One connection and one reading of the journal. */
struct session {
  struct bridge *mirror;
  struct window *window;
  const struct settings *settings;
  mainstem_journal *journal;
  struct server server;
  struct place place;
  struct envelope envelope;
  struct point point;          /* Of the record read last. */
  uint32_t since_own;          /* Events sent since the journal's own last entry. */
  const mainstem_event *ahead; /* Read already, and to be sent. */
  struct failure failure;
};

static bool is_listed(char *const *list, const char *name) {
  if (list == NULL) return true;
  while (*list != NULL && strcmp(*list, name) != 0) list++;
  return *list != NULL;
}

/* A file may have names that no context takes; then they are none. */
static bool is_name(const char *name) { return strlen(name) <= LONGEST_NAME; }

/* Types that a journal does not name get the number. */
static void find_names(struct session *session, const mainstem_event *event, struct names *names,
                       char *unknown) {
  mainstem_type_info type = {.size = sizeof type}, response = {.size = sizeof response};
  memset(names, 0, sizeof *names);
  sprintf(unknown, "MainstemUnknown%u", event->type);
  names->type = unknown;
  names->layer = "app";
  names->origin = names->response = "";
  if (mainstem_journal_type_read(session->journal, event->type, &type) == MAINSTEM_OK) {
    if (is_name(type.name)) names->type = type.name;
    names->contract = type.contract;
    names->layer = *type.layer != '\0' && is_name(type.layer) ? type.layer : "unknown";
  }
  if (event->origin != 0)
    mainstem_journal_origin_name(session->journal, event->origin, &names->origin);
  if (!is_name(names->origin)) names->origin = "";
  if (type.response != 0 &&
      mainstem_journal_type_read(session->journal, type.response, &response) == MAINSTEM_OK &&
      is_name(response.name))
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
  session->envelope.behind.sequence += is_in;
  memcpy(session->envelope.behind.id, entry->id, sizeof entry->id);
  return is_in;
}

/* Sends an entry of the journal's own, when it is made. */
static bool send_own(struct session *session, struct entry *entry, natsStatus made) {
  if (made != NATS_OK) return fail_as(&session->failure, made, 0, "the journal's own entry");
  session->since_own = 0;
  return send(session, entry, true);
}

/* Where a search begins if the journal has no records but events. */
static bool send_mark(struct session *session, const mainstem_event *event) {
  struct entry entry;
  if (++session->since_own < OWN_EVERY) return true;
  const struct point point = {.position = event->position};
  return send_own(session, &entry, entry_make_mark(&entry, &session->envelope, &point));
}

static bool send_event(struct session *session, const mainstem_event *event) {
  struct entry entry;
  struct names names;
  char unknown[32];
  find_names(session, event, &names, unknown);
  if (!is_listed(session->settings->layers, names.layer) ||
      !is_listed(session->settings->types, names.type))
    return true;
  natsStatus status = entry_make(&entry, &session->envelope, event, &names);
  if (status != NATS_OK) return fail_as(&session->failure, status, 0, "an entry");
  return send(session, &entry, false) && send_mark(session, event);
}

/* Of the records that are not events, a mirror that does not send all events sends the headers of files only: the others
   name and count also what shall not leave. */
static bool is_to_send(const struct session *session, const mainstem_event *record) {
  return record->status == 0 ||
         (session->settings->layers == NULL && session->settings->types == NULL);
}

static bool send_record(struct session *session, const mainstem_event *record) {
  struct entry entry;
  if (record->type != 0) return send_event(session, record);
  if (!is_to_send(session, record)) return true;
  return send_own(session, &entry,
                  entry_make_own(&entry, &session->envelope, &session->point, record));
}

static bool fail_by_journal(struct session *session, mainstem_status status) {
  fail(&session->failure, status, "%s", mainstem_last_error());
  session->failure.is_final = status == MAINSTEM_VERSION;
  return false;
}

static bool fail_by_difference(struct session *session, const char *what) {
  fail(&session->failure, MAINSTEM_DIFFERENT, "the stream has %s at position %llu of this journal",
       what, (unsigned long long)session->place.point.position);
  session->failure.is_final = true;
  return false;
}

/* The next record, and where it stands; NULL: there is none yet. */
static bool read_next(struct session *session, const mainstem_event **record) {
  struct point *point = &session->point;
  mainstem_status status =
      mainstem_journal_next(session->journal, MAINSTEM_JOURNAL_EVERY_RECORD, record);
  if (status != MAINSTEM_OK) return fail_by_journal(session, status);
  const mainstem_event *found = *record;
  if (found == NULL) return true;
  if (found->type != 0) *point = (struct point){found->position, point->file, 0};
  else if (found->status != 0) point->number++;
  else {
    *point = (struct point){.position = found->position};
    memcpy(&point->file, (const char *)found->data + offsetof(struct file_header, number),
           sizeof point->file);
  }
  return true;
}

/* The same, comparable: an event has no file. */
static struct point point_of(const struct session *session, const mainstem_event *record) {
  struct point point = session->point;
  if (record->type != 0) point.file = 0;
  return point;
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
  write_id(session->envelope.id, info.id);
  session->envelope.is_numbered = access(session->settings->path, F_OK) != 0;
  *before = info.last;
  return true;
}

static void note_lost(struct session *session, uint64_t before) {
  struct bridge *mirror = session->mirror;
  uint64_t had = session->place.point.position;
  pthread_mutex_lock(&mirror->lock);
  if (mirror->stats.read > had) had = mirror->stats.read;
  if (before > had) mirror->stats.lost += before - had;
  if (before > mirror->stats.read) mirror->stats.read = before;
  mirror->stats.done = session->place.point.position;
  pthread_mutex_unlock(&mirror->lock);
}

/* Reads past what the stream has. The last of it must be the same in both. */
static bool pass(struct session *session) {
  const struct place *place = &session->place;
  const mainstem_event *record;
  uint64_t count = 0;
  int order = -1;
  if (place->message == NULL) return true;
  do {
    if (!read_next(session, &record)) return false;
    if (record == NULL) return fail_by_difference(session, "a record that the file has not");
    const struct point point = point_of(session, record);
    order = point_compare(&point, &place->point);
  } while (order < 0 && ++count > 0);
  if (order == 0)
    return place->is_mark || place_is(place, record) ||
           fail_by_difference(session, "another record");
  session->ahead = record;
  /* A flight recorder's first file may begin behind it. */
  return count == 0 || fail_by_difference(session, "a record that the file has not");
}

/* Reports the messages that were skipped. */
static void note_foreign(struct session *session) {
  struct bridge *mirror = session->mirror;
  const struct place *place = &session->place;
  if (place->foreign == 0) return;
  pthread_mutex_lock(&mirror->lock);
  session->window->foreign = place->last_foreign;
  mirror->stats.refused += place->foreign;
  snprintf(mirror->stats.message, sizeof mirror->stats.message,
           "skipped %u messages of the stream that no mirror made, the last one is number %llu",
           place->foreign, (unsigned long long)place->last_foreign);
  pthread_mutex_unlock(&mirror->lock);
}

static void note_begun(struct session *session) {
  struct bridge *mirror = session->mirror;
  struct envelope *envelope = &session->envelope;
  envelope->prefix = session->settings->prefix;
  envelope->most = session->server.most;
  envelope->behind.stream = session->settings->stream;
  envelope->behind.sequence = session->place.sequence;
  pthread_mutex_lock(&mirror->lock);
  window_open(mirror, &session->server, envelope->behind.sequence);
  mirror->stats.state = MAINSTEM_NATS_RUNNING;
  mirror->stats.status = MAINSTEM_OK;
  mirror->stats.begun++;
  if (session->place.point.position > mirror->stats.read)
    mirror->stats.read = session->place.point.position;
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
    const mainstem_event *record = session->ahead;
    session->ahead = NULL;
    if (record == NULL && !read_next(session, &record)) return false;
    if (record == NULL) return true;
    if (!send_record(session, record)) return false;
    if (record->type != 0) note_read(session->mirror, record->position);
  }
}

/* Waits for answers; everything is there: tells those who wait for that. */
static bool settle(struct session *session, uint64_t asked) {
  struct bridge *mirror = session->mirror;
  int64_t began = now_ms();
  pthread_mutex_lock(&mirror->lock);
  bool is_going = window_wait(mirror, POLL_MS);
  if (is_going && session->window->count == 0) {
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

/* Who waits for an answer is told at once that none will come. */
static natsStatus hear_end(natsOptions *options, void *mirror) {
  return natsOptions_SetClosedCB(options, window_ended, mirror);
}

/* Works until something goes wrong, or the mirror is closed. */
static void hold(struct session *session) {
  struct bridge *mirror = session->mirror;
  const struct answers answers = {
      .entry = window_answered, .error = window_disturbed, .habits = hear_end, .bridge = mirror};
  uint64_t before = 0;
  session->place.last_foreign = session->window->foreign;
  if (open_journal(session, &before) &&
      server_open(&session->server, session->settings, &answers, &session->failure) &&
      server_find_stream(&session->server, session->settings, true, &session->failure) &&
      place_find(&session->place, &session->server, session->settings, session->envelope.id,
                 &session->failure)) {
    note_foreign(session);
    note_lost(session, before);
    if (pass(session)) {
      note_begun(session);
      follow(session);
    }
  }
  pthread_mutex_lock(&mirror->lock);
  window_close(mirror);
  pthread_mutex_unlock(&mirror->lock);
  place_free(&session->place);
  server_close(&session->server);
  mainstem_journal_close(session->journal);
}

/* Damage where there was none before may be a flight recorder that removed the next file: then the first one is another
   now. The same damage twice is damage. */
static void judge(struct failure *failure, struct bridge *mirror) {
  struct window *window = mirror->state;
  if (failure->status != MAINSTEM_CORRUPT) return;
  failure->is_final = window->damaged == mirror->stats.read;
  window->damaged = mirror->stats.read;
}

static void work(struct bridge *mirror, struct failure *failure) {
  struct session session = {
      .mirror = mirror, .window = mirror->state, .settings = &mirror->settings};
  hold(&session);
  *failure = session.failure;
  judge(failure, mirror);
}

static void end(struct bridge *mirror) {
  struct window *window = mirror->state;
  if (window != NULL) free(window->sent);
  free(window);
}

static const struct kind kind = {.function = "mainstem_nats_mirror",
                                 .noun = "mirror",
                                 .fields = FIELD_PREFIX | FIELD_STREAM | FIELD_REPLICAS |
                                           FIELD_WINDOW | FIELD_LAYERS | FIELD_TYPES,
                                 .window = WINDOW,
                                 .work = work,
                                 .end = end};

static bool prepare(struct bridge *mirror) {
  const struct settings *settings = &mirror->settings;
  struct window *window = mirror->state = malloc(sizeof *window);
  if (window == NULL) return false;
  *window = (struct window){.sent = calloc(settings->window, sizeof(struct sent)),
                            .capacity = settings->window,
                            .stream = settings->stream,
                            .damaged = UINT64_MAX};
  return window->sent != NULL;
}

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
  return bridge_begin(made, prepare(made), mirror);
}

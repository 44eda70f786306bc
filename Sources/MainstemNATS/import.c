// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An import: entries of a stream become events of a context. While the context takes one batch in, the next one is
   fetched. Whatever goes wrong with the server, everything on that side is closed and begun again, where the books say. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 50, NOTE_EVERY = 10000, FIRST_PAUSE_MS = 5, LONGEST_PAUSE_MS = 250 };

/* What becomes of the batch that is on its way. */
enum stage { STAGE_NONE, STAGE_TO_HAND, STAGE_HANDED, STAGE_TO_WRITE };

/* What an import remembers from one connection to the next. */
struct import {
  struct intake *intake;
  struct books books;
  bool has_read;
  struct batch *coming, *going;
  enum stage stage;
  uint64_t passed;  /* Entries passed over since the last note. */
  int64_t pause_ms; /* How long to wait before the context is tried again. */
  char name[300];   /* The consumer's. */
};

/* One connection. */
struct session {
  struct bridge *bridge;
  struct import *import;
  const struct settings *settings;
  struct server server;
  struct consumer consumer;
  uint64_t asked;   /* The last flush that was begun, */
  uint64_t wanted;  /* what the stream had then, */
  uint64_t empties; /* and how often there was nothing more. */
  struct failure failure;
};

static bool is_closing(struct bridge *bridge) {
  pthread_mutex_lock(&bridge->lock);
  bool is = bridge->is_closing;
  pthread_mutex_unlock(&bridge->lock);
  return is;
}

static bool fail_for_good(struct session *session, mainstem_status status, const char *sentence) {
  fail(&session->failure, status, "%s", sentence);
  session->failure.is_final = true;
  return false;
}

/* How it does, for those who ask. */
static void note_state(struct bridge *bridge, mainstem_status status, const char *sentence) {
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.state = status == MAINSTEM_OK ? MAINSTEM_NATS_RUNNING : MAINSTEM_NATS_WAITING;
  bridge->stats.status = status;
  if (status != MAINSTEM_OK)
    snprintf(bridge->stats.sentence, sizeof bridge->stats.sentence, "%s", sentence);
  make_plain(bridge->stats.sentence);
  pthread_mutex_unlock(&bridge->lock);
}

/* The own journal ------------------------------------------------------------------------------------- */

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
  if (intake_is_over(session->import->intake))
    return fail_for_good(session, MAINSTEM_STALE, "the context, or its scope, has ended");
  return fail_for_good(session, status, "the context's own journal has stopped");
}

/* What the context accepted before the import began must be in the file before that is read. */
static bool wait_for_barrier(struct session *session) {
  struct bridge *bridge = session->bridge;
  for (bool is_written = false;;) {
    if (!look_for(session, session->import->intake->barrier, &is_written)) return false;
    if (is_written) return true;
    note_state(bridge, MAINSTEM_BUSY, "the context's own journal is not written yet");
    pthread_mutex_lock(&bridge->lock);
    if (!bridge->is_closing) wait_for_change(bridge, POLL_MS);
    bool is_closing = bridge->is_closing;
    pthread_mutex_unlock(&bridge->lock);
    if (is_closing) return false;
  }
}

/* Another context's journal has another end. */
static bool read_books(struct session *session) {
  struct import *import = session->import;
  const struct settings *settings = session->settings;
  uint64_t before = 0, last = 0, after = 0;
  if (import->has_read) return true;
  if (import->intake->is_recorded) {
    if (!wait_for_barrier(session)) return false;
    read_written(import, &before);
    if (!books_read(&import->books, settings->path, settings->stream, settings->scope, &last,
                    &session->failure))
      return false;
    read_written(import, &after);
    if (last < before || last > after)
      return fail_for_good(session, MAINSTEM_INVALID,
                           "options.journal: this is not the journal of the context");
  }
  import->has_read = true;
  if (settings->durable != NULL)
    snprintf(import->name, sizeof import->name, "%s", settings->durable);
  else snprintf(import->name, sizeof import->name, "import-%s", import->books.id);
  return true;
}

/* What comes ------------------------------------------------------------------------------------------ */

static void note_refused(struct bridge *bridge, uint64_t sequence, const char *why) {
  struct failure failure;
  fail(&failure, MAINSTEM_INVALID, "entry %llu of the stream was refused: %s",
       (unsigned long long)sequence, why);
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.refused++;
  memcpy(bridge->stats.sentence, failure.sentence, sizeof failure.sentence);
  pthread_mutex_unlock(&bridge->lock);
}

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

/* Fetches what the server has, and waits for it only if there is nothing else to do. */
static bool collect(struct session *session) {
  struct import *import = session->import;
  int64_t ms = import->stage == STAGE_NONE ? POLL_MS : 0;
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

/* What goes in ---------------------------------------------------------------------------------------- */

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
    mainstem_header header;
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

/* The context has no room now. */
static bool try_later(struct session *session, mainstem_status status) {
  struct import *import = session->import;
  note_state(session->bridge, status, import->intake->sentence);
  import->pause_ms = import->pause_ms == 0 ? FIRST_PAUSE_MS : import->pause_ms * 2;
  if (import->pause_ms > LONGEST_PAUSE_MS) import->pause_ms = LONGEST_PAUSE_MS;
  import->stage = STAGE_TO_HAND;
  return true;
}

/* Whether the context has stopped, and not only this call was refused. */
static bool has_stopped(struct import *import) {
  uint64_t written;
  return import->intake->is_recorded && read_written(import, &written) != MAINSTEM_OK;
}

/* The first entry that is left was refused. */
static bool judge(struct session *session, mainstem_status status) {
  struct import *import = session->import;
  struct intake *intake = import->intake;
  if (status == MAINSTEM_STALE || intake_is_over(intake))
    return fail_for_good(session, MAINSTEM_STALE, "the context, or its scope, has ended");
  if (has_stopped(import)) return fail_for_good(session, status, intake->sentence);
  switch (status) {
  case MAINSTEM_FULL:
  case MAINSTEM_NO_SPACE:
  case MAINSTEM_NO_MEMORY:
  case MAINSTEM_BUSY:
    return try_later(session, status);
  default:
    note_refused(session->bridge, import->going->taken[import->going->first].sequence,
                 intake->sentence);
    pass(import, 1);
    import->stage = batch_left(import->going) > 0 ? STAGE_TO_HAND : STAGE_TO_WRITE;
    return true;
  }
}

static bool hand(struct session *session) {
  struct import *import = session->import;
  mainstem_status status = intake_hand(import->intake, import->going, session->settings->stream);
  import->stage = STAGE_HANDED;
  if (status == MAINSTEM_OK) return true;
  if (status == MAINSTEM_FULL || status == MAINSTEM_NO_SPACE || status == MAINSTEM_NO_MEMORY ||
      status == MAINSTEM_BUSY || status == MAINSTEM_STALE)
    return judge(session, status);
  return fail_for_good(session, status, import->intake->sentence);
}

/* What the context did with it. */
static bool take_answer(struct session *session) {
  struct import *import = session->import;
  struct intake *intake = import->intake;
  count_accepted(session, (uint32_t)intake->accepted);
  pass(import, (uint32_t)intake->accepted);
  import->stage = STAGE_TO_WRITE;
  if (intake->accepted > 0) import->pause_ms = 0;
  if (intake->status != MAINSTEM_OK) return judge(session, intake->status);
  import->pause_ms = 0;
  note_state(session->bridge, MAINSTEM_OK, "");
  return true;
}

/* All of the batch is in the context and in its journal. */
static void finish(struct session *session) {
  struct import *import = session->import;
  struct bridge *bridge = session->bridge;
  struct batch *batch = import->going;
  books_anchor(&import->books, batch->anchor);
  if (batch->last != NULL && session->consumer.messages != NULL)
    consumer_acknowledge(&session->consumer, batch->last);
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.done = batch->anchor.sequence;
  pthread_cond_broadcast(&bridge->changed);
  pthread_mutex_unlock(&bridge->lock);
  batch_clear(batch);
  import->stage = STAGE_NONE;
}

static bool check_written(struct session *session, bool *is_written) {
  struct intake *intake = session->import->intake;
  *is_written = true;
  return !intake->is_recorded || look_for(session, intake->position, is_written);
}

/* Waits a little, for a change of the bridge. */
static void rest(struct session *session, int64_t ms) {
  pthread_mutex_lock(&session->bridge->lock);
  if (!session->bridge->is_closing && ms > 0) wait_for_change(session->bridge, ms);
  pthread_mutex_unlock(&session->bridge->lock);
}

/* Brings the batch one step forward; waits for the context, but not for long. */
static bool advance(struct session *session) {
  struct import *import = session->import;
  bool is_written = false;
  if (intake_is_over(import->intake))
    return fail_for_good(session, MAINSTEM_STALE, "the context, or its scope, has ended");
  switch (import->stage) {
  case STAGE_NONE:
    return true;
  case STAGE_TO_HAND:
    rest(session, import->pause_ms);
    return is_closing(session->bridge) || hand(session);
  case STAGE_HANDED:
    return !intake_wait(import->intake, 20) || take_answer(session);
  case STAGE_TO_WRITE:
    if (!check_written(session, &is_written)) return false;
    if (is_written) finish(session);
    else rest(session, 5);
    return true;
  }
  return true;
}

/* The batch that has come goes in. Without an event in it, a note is only sometimes needed. */
static void turn_over(struct import *import) {
  struct batch *batch = import->coming;
  if (import->stage != STAGE_NONE || !batch->is_begun) return;
  import->coming = import->going;
  import->going = batch;
  bool is_noted = batch->count > 0 || import->passed >= NOTE_EVERY;
  import->stage = is_noted ? STAGE_TO_HAND : STAGE_TO_WRITE;
  if (is_noted) import->passed = 0;
}

/* Flushing -------------------------------------------------------------------------------------------- */

/* A flush wants what the stream has now. */
static bool begin_flush(struct session *session, uint64_t asked) {
  if (!server_find_stream(&session->server, session->settings, false, &session->failure))
    return false;
  session->asked = asked;
  session->wanted = session->server.last;
  session->empties = session->consumer.empties;
  return true;
}

/* The last entries may have been removed by hand, so that nothing comes any more. */
static bool look_for_last(struct session *session, uint64_t done) {
  if (session->consumer.empties == session->empties) return true;
  session->empties = session->consumer.empties;
  while (session->wanted > done && session->wanted >= session->server.first) {
    natsMsg *message = NULL;
    jsErrCode code = 0;
    natsStatus status = js_GetMsg(&message, session->server.js, session->settings->stream,
                                  session->wanted, NULL, &code);
    natsMsg_Destroy(message);
    if (status == NATS_OK) return true;
    if (status != NATS_NOT_FOUND)
      return fail_as(&session->failure, status, code, "an entry of the stream");
    session->wanted--;
  }
  session->wanted = done;
  return true;
}

static bool flush(struct session *session) {
  struct bridge *bridge = session->bridge;
  pthread_mutex_lock(&bridge->lock);
  uint64_t asked = bridge->asked, flushed = bridge->flushed, done = bridge->stats.done;
  pthread_mutex_unlock(&bridge->lock);
  if (asked == flushed) return true;
  if (session->asked == flushed && !begin_flush(session, asked)) return false;
  if (session->import->stage == STAGE_NONE && session->wanted > done &&
      !look_for_last(session, done))
    return false;
  if (session->wanted > done) return true;
  pthread_mutex_lock(&bridge->lock);
  bridge->flushed = session->asked;
  pthread_cond_broadcast(&bridge->changed);
  pthread_mutex_unlock(&bridge->lock);
  return true;
}

/* A connection ---------------------------------------------------------------------------------------- */

/* What the last connection has handed over comes first: it decides where to begin. What it fetched is fetched again. */
static bool finish_last(struct session *session) {
  struct import *import = session->import;
  while (import->stage != STAGE_NONE)
    if (is_closing(session->bridge) || !advance(session)) return false;
  batch_clear(import->coming);
  sources_rewind(&import->books.sources);
  return true;
}

static void note_begun(struct session *session) {
  struct bridge *bridge = session->bridge;
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.state = MAINSTEM_NATS_RUNNING;
  bridge->stats.status = MAINSTEM_OK;
  bridge->stats.begun++;
  session->asked = bridge->flushed;
  /* What is before the first entry is done with. */
  bridge->stats.done = session->consumer.begin - 1;
  pthread_mutex_unlock(&bridge->lock);
}

static void follow(struct session *session) {
  note_begun(session);
  while (!is_closing(session->bridge) && collect(session)) {
    turn_over(session->import);
    if (!advance(session) || !flush(session)) return;
  }
}

/* NATS' own threads tell nothing that the next message does not. */
static void ignore_error(natsConnection *connection, natsSubscription *subscription,
                         natsStatus error, void *user_data) {
  (void)connection, (void)subscription, (void)error, (void)user_data;
}

static void ignore_answer(jsCtx *js, natsMsg *message, jsPubAck *ack, jsPubAckErr *error,
                          void *user_data) {
  (void)js, (void)ack, (void)error, (void)user_data;
  natsMsg_Destroy(message);
}

static void hold(struct session *session) {
  static const struct answers answers = {ignore_answer, ignore_error, NULL};
  struct import *import = session->import;
  if (read_books(session) && finish_last(session) &&
      server_open(&session->server, session->settings, &answers, &session->failure) &&
      server_find_stream(&session->server, session->settings, false, &session->failure) &&
      consumer_open(&session->consumer, &import->books, import->intake->is_recorded,
                    &session->failure))
    follow(session);
  /* Its messages end with the connection. */
  natsMsg_Destroy(import->going->last);
  import->going->last = NULL;
  if (session->failure.status == MAINSTEM_OK)
    natsConnection_FlushTimeout(session->server.connection, 500);
  consumer_close(&session->consumer);
  server_close(&session->server);
}

static void work(struct bridge *bridge, struct failure *failure) {
  struct session session = {
      .bridge = bridge, .import = bridge->import, .settings = &bridge->settings};
  session.consumer.server = &session.server;
  session.consumer.stream = bridge->settings.stream;
  session.consumer.name = bridge->import->name;
  hold(&session);
  *failure = session.failure;
}

/* The call -------------------------------------------------------------------------------------------- */

static void free_import(struct import *import) {
  intake_release(import->intake);
  sources_free(&import->books.sources);
  free(import);
}

/* With the bridge's lock, which is not held while the context is asked: it may call the program. */
static mainstem_status leave(struct bridge *bridge) {
  struct intake *intake = bridge->import->intake;
  intake_own(intake);
  pthread_mutex_unlock(&bridge->lock);
  mainstem_status status = intake_leave(intake);
  intake_release(intake);
  pthread_mutex_lock(&bridge->lock);
  return status;
}

/* A flush on the thread that drains would wait for itself. */
static mainstem_status drain(struct bridge *bridge, int64_t ms) {
  struct intake *intake = bridge->import->intake;
  intake_own(intake);
  pthread_mutex_unlock(&bridge->lock);
  mainstem_status status = mainstem_wait(intake->context, ms < 20 ? ms : 20);
  intake_release(intake);
  pthread_mutex_lock(&bridge->lock);
  if (status == MAINSTEM_BUSY)
    return refuse(status, "mainstem_nats_flush: inside a callback, nothing can be taken in");
  if (status == MAINSTEM_WRONG_THREAD || status == MAINSTEM_STALE) wait_for_change(bridge, ms);
  return MAINSTEM_OK;
}

static void end(struct bridge *bridge) {
  free_import(bridge->import);
  bridge->import = NULL;
}

static const struct kind kind = {.function = "mainstem_nats_import",
                                 .noun = "import",
                                 .fields = FIELD_STREAM | FIELD_WINDOW | FIELD_TYPES | FIELD_AS |
                                           FIELD_SOURCE | FIELD_SCOPE | FIELD_RIGHTS |
                                           FIELD_DURABLE | FIELD_JOURNAL,
                                 .window = BATCH,
                                 .work = work,
                                 .end = end,
                                 .leave = leave,
                                 .wait = drain};

static mainstem_status wrong(const char *what) {
  return refuse(MAINSTEM_INVALID, "%s: options.%s", kind.function, what);
}

static mainstem_status check(const mainstem_nats_options *options) {
  uint8_t id[ID_BYTES];
  if (options == NULL) return wrong("types: are needed");
  if (options->stream == NULL) return wrong("stream: is NULL");
  if (options->type_count == 0) return wrong("types: are needed");
  if (options->window > 65536) return wrong("window: at most 65,536");
  if (options->source != NULL &&
      (strlen(options->source) != ID_DIGITS || !read_id(id, options->source)))
    return wrong("source: a journal's id has 32 digits, 0 to 9 and a to f");
  if (options->durable != NULL && (!is_stream(options->durable) || strlen(options->durable) > 240))
    return wrong("durable: a name without blanks, dots, slashes, *, > or %, at most 240 bytes");
  return MAINSTEM_OK;
}

static struct import *make(struct intake *intake) {
  struct import *import = calloc(1, sizeof *import);
  if (import == NULL) return NULL;
  import->intake = intake;
  import->coming = &intake->batches[0];
  import->going = &intake->batches[1];
  return import;
}

/* Gives the import to a bridge, which owns it from then on. */
static mainstem_status begin(struct settings *settings, struct import *import,
                             mainstem_nats **handle) {
  struct bridge *made;
  mainstem_status status = bridge_take(&kind, settings, handle, &made);
  if (status != MAINSTEM_OK) {
    free_import(import);
    return status;
  }
  made->import = import;
  return bridge_begin(made, true, handle);
}

mainstem_status mainstem_nats_import(mainstem_context *context,
                                     const mainstem_nats_options *options, mainstem_nats **import) {
  struct settings settings;
  struct intake *intake;
  if (import == NULL) return refuse(MAINSTEM_INVALID, "%s: import: is NULL", kind.function);
  *import = NULL;
  mainstem_status status = check(options);
  if (status == MAINSTEM_OK) status = settings_copy(&settings, &kind, options->journal, options);
  if (status != MAINSTEM_OK) return status;
  status = intake_open(&intake, context, options, &settings);
  if (status != MAINSTEM_OK) {
    settings_free(&settings);
    return status;
  }
  struct import *made = make(intake);
  if (made == NULL) {
    settings_free(&settings);
    intake_leave(intake);
    intake_release(intake);
    return refuse(MAINSTEM_NO_MEMORY, "%s: there is no memory for it", kind.function);
  }
  intake_own(intake);
  status = begin(&settings, made, import);
  if (status != MAINSTEM_OK) intake_leave(intake);
  intake_release(intake);
  return status;
}

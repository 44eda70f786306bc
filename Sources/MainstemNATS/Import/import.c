// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An import: entries of a stream become events of a context. While the context takes one batch in, the next one is
   fetched. Whatever goes wrong with the server, everything on that side is closed and begun again, where the books say. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_is_closing(struct session *session) {
  struct bridge *bridge = session->bridge;
  pthread_mutex_lock(&bridge->lock);
  bool is = bridge->is_closing;
  pthread_mutex_unlock(&bridge->lock);
  return is;
}

bool session_fail(struct session *session, mainstem_status status, const char *reason) {
  fail(&session->failure, status, "%s", reason);
  session->failure.is_final = true;
  return false;
}

void session_note_state(struct session *session, mainstem_status status, const char *reason) {
  struct bridge *bridge = session->bridge;
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.state = status == MAINSTEM_OK ? MAINSTEM_NATS_RUNNING : MAINSTEM_NATS_WAITING;
  bridge->stats.status = status;
  if (status != MAINSTEM_OK)
    snprintf(bridge->stats.message, sizeof bridge->stats.message, "%s", reason);
  make_plain(bridge->stats.message);
  pthread_mutex_unlock(&bridge->lock);
}

bool session_fail_as_over(struct session *session) {
  return session_fail(session, MAINSTEM_STALE, "the context, or its scope, has ended");
}

void session_note_refused(struct session *session, uint64_t sequence, const char *why) {
  struct bridge *bridge = session->bridge;
  struct failure failure;
  fail(&failure, MAINSTEM_INVALID, "entry %llu of the stream was refused: %s",
       (unsigned long long)sequence, why);
  pthread_mutex_lock(&bridge->lock);
  bridge->stats.refused++;
  memcpy(bridge->stats.message, failure.message, sizeof failure.message);
  pthread_mutex_unlock(&bridge->lock);
}

void session_rest(struct session *session, int64_t ms) {
  pthread_mutex_lock(&session->bridge->lock);
  if (!session->bridge->is_closing && ms > 0) wait_for_change(session->bridge, ms);
  pthread_mutex_unlock(&session->bridge->lock);
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
  if (session->import->unwritten_count == 0 && session->wanted > done &&
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
    if (session_is_closing(session) || !deliver_advance(session)) return false;
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
  written_begin(session, session->consumer.begin);
  pthread_mutex_unlock(&bridge->lock);
}

static void follow(struct session *session) {
  note_begun(session);
  while (!session_is_closing(session) && collect_entries(session)) {
    deliver_next(session);
    if (!deliver_advance(session) || !written_settle(session) || !flush(session)) return;
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

/* What the context has accepted is acknowledged, if it is written and there is still a server. */
static void finish_closing(struct session *session) {
  deliver_last(session);
  written_settle(session);
}

static void hold(struct session *session) {
  struct import *import = session->import;
  const struct answers answers = {
      .entry = ignore_answer, .error = ignore_error, .bridge = session->bridge};
  if (written_read_books(session) && finish_last(session) &&
      server_open(&session->server, session->settings, &answers, &session->failure) &&
      server_find_stream(&session->server, session->settings, false, &session->failure) &&
      consumer_open(&session->consumer, &import->books, import->intake->is_recorded,
                    &session->failure))
    follow(session);
  bool is_last = session_is_closing(session) || intake_is_over(import->intake);
  if (is_last) finish_closing(session);
  natsMsg_Destroy(import->going->last);
  import->going->last = NULL;
  written_forget(import);
  if (is_last || session->failure.status == MAINSTEM_OK)
    natsConnection_FlushTimeout(session->server.connection, 500);
  /* In libnats 3.4 a message that arrives while its subscription ends crashes, so nothing may arrive any more. */
  natsConnection_Close(session->server.connection);
  consumer_close(&session->consumer);
  server_close(&session->server);
}

static void work(struct bridge *bridge, struct failure *failure) {
  struct import *import = bridge->state;
  struct session session = {.bridge = bridge, .import = import, .settings = &bridge->settings};
  session.consumer.server = &session.server;
  session.consumer.stream = bridge->settings.stream;
  session.consumer.name = import->name;
  hold(&session);
  *failure = session.failure;
}

/* The call -------------------------------------------------------------------------------------------- */

static void free_import(struct import *import) {
  written_forget(import);
  intake_release(import->intake);
  sources_free(&import->books.sources);
  free(import);
}

/* With the bridge's lock, which is not held while the context is asked: it may call the program. */
static mainstem_status leave(struct bridge *bridge) {
  const struct import *import = bridge->state;
  struct intake *intake = import->intake;
  intake_own(intake);
  pthread_mutex_unlock(&bridge->lock);
  mainstem_status status = intake_leave(intake);
  intake_release(intake);
  pthread_mutex_lock(&bridge->lock);
  return status;
}

/* A flush on the thread that drains would wait for itself. */
static mainstem_status drain(struct bridge *bridge, int64_t ms) {
  const struct import *import = bridge->state;
  struct intake *intake = import->intake;
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
  struct import *import = bridge->state;
  struct session session = {.bridge = bridge, .import = import};
  deliver_last(&session);
  remembered_give(import, &bridge->settings);
  free_import(import);
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
      (strlen(options->source) != ID_DIGITS || !source_read_id(id, options->source)))
    return wrong("source: a journal's id has 32 digits, 0 to 9 and a to f");
  if (options->durable != NULL && (!is_stream(options->durable) || strlen(options->durable) > 240))
    return wrong("durable: a name without blanks, dots, slashes, *, > or %, at most 240 bytes");
  return MAINSTEM_OK;
}

/* What an import that begins must not share with another one: each would take the other's notes for its own. */
struct claim {
  mainstem_context *context;
  const struct settings *settings;
};

static bool is_rival(const struct bridge *bridge, void *wanted) {
  const struct claim *claim = wanted;
  const struct import *import = bridge->state;
  const struct intake *intake = import->intake;
  mainstem_context *found = NULL;
  return strcmp(bridge->settings.stream, claim->settings->stream) == 0 &&
         strcmp(bridge->settings.scope, claim->settings->scope) == 0 &&
         mainstem_scope_find(claim->context, intake->number, &found, NULL) == MAINSTEM_OK &&
         found == intake->scope;
}

static mainstem_status look_for_rival(mainstem_context *context, const struct settings *settings) {
  struct claim claim = {context, settings};
  mainstem_status status = table_enter(&kind);
  if (status != MAINSTEM_OK || !table_has(&kind, is_rival, &claim)) return status;
  return refuse(MAINSTEM_INVALID,
                "%s: options.scope: \"%s\" is that of another import of this stream in the context",
                kind.function, settings->scope);
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
  made->state = import;
  remembered_take(import, &made->settings);
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
  status = look_for_rival(context, &settings);
  if (status == MAINSTEM_OK) status = intake_open(&intake, context, options, &settings);
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

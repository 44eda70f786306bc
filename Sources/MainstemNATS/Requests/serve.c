// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Serving: requests from elsewhere become requests of a context. The bridge's thread may not ask a context that belongs
   to another thread, so it posts an event, and an observer of that event asks. So a journal has what came in, and a
   replay asks again without a network. What a program decides follows from the events; only who gets an answer is the
   bridge's. */

#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Open requests --------------------------------------------------------------------------------------- */

/* The requests that a serving bridge has taken, by who asks. In a replay the context has them, and no bridge. */

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 14695981039346656037ULL;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211ULL;
  return hash;
}

struct served *served_find(struct served_table *table, const char *reply, size_t length) {
  uint64_t hash = hash_of(reply, length);
  struct served *served = table->buckets[hash % BUCKETS];
  while (served != NULL && (served->hash != hash || strlen(served->reply) != length ||
                            memcmp(served->reply, reply, length) != 0))
    served = served->next;
  return served;
}

struct served *served_add(struct served_table *table, struct bridge *bridge, const char *reply,
                          size_t length, bool is_ours) {
  struct served *served = calloc(1, sizeof *served + length + 1);
  if (served == NULL) return NULL;
  served->bridge = bridge;
  served->generation = bridge->generation;
  served->hash = hash_of(reply, length);
  memcpy(served->reply, reply, length);
  served->is_listed = true;
  served->is_ours = is_ours;
  served->next = table->buckets[served->hash % BUCKETS];
  table->buckets[served->hash % BUCKETS] = served;
  table->count += is_ours;
  return served;
}

/* Takes one out. It is freed unless the context has it. */
static void served_remove(struct served_table *table, struct served *served) {
  if (served->is_listed) {
    struct served **at = &table->buckets[served->hash % BUCKETS];
    while (*at != served) at = &(*at)->next;
    *at = served->next;
    table->count -= served->is_ours;
    served->is_listed = false;
  }
  if (!served->is_requested) free(served);
}

/* Any one; NULL: there is none. */
static struct served *served_any(struct served_table *table) {
  for (int i = 0; i < BUCKETS; i++)
    if (table->buckets[i] != NULL) return table->buckets[i];
  return NULL;
}

/* The bridge ------------------------------------------------------------------------------------------ */

static const struct kind kind;

/* Locks the bridge; NULL: it is another one now. */
struct bridge *serve_enter(struct bridge *bridge, uint64_t generation) {
  pthread_mutex_lock(&bridge->lock);
  if (bridge->generation == generation && bridge->state != NULL) return bridge;
  pthread_mutex_unlock(&bridge->lock);
  return NULL;
}

static natsStatus hear(struct bridge *bridge, natsConnection *connection) {
  struct serve *serve = bridge->state;
  char subject[LONGEST_SUBJECT];
  write_request_subject(subject, "request", bridge->settings.prefix, serve->name);
  natsStatus status = natsConnection_QueueSubscribeSync(&serve->requests, connection, subject,
                                                        bridge->settings.queue);
  write_request_subject(subject, "cancel", bridge->settings.prefix, serve->name);
  if (status == NATS_OK)
    status = natsConnection_SubscribeSync(&serve->cancels, connection, subject);
  return status;
}

static void stop_hearing(struct bridge *bridge) {
  struct serve *serve = bridge->state;
  natsSubscription_Destroy(serve->requests);
  natsSubscription_Destroy(serve->cancels);
  serve->requests = serve->cancels = NULL;
}

/* Others get what is asked from here on; what is on its way here still comes. NATS waits that long, on a thread of its
   own, for an answer that perhaps nobody reads. */
static void part(struct bridge *bridge) {
  const struct serve *serve = bridge->state;
  natsSubscription_DrainTimeout(serve->requests, CLOSE_MS);
}

static void begin(struct bridge *bridge) { (void)bridge; }

static void work(struct bridge *bridge, struct failure *failure) {
  const struct serve *serve = bridge->state;
  const struct duties duties = {.context = serve->context,
                                .hear = hear,
                                .stop_hearing = stop_hearing,
                                .begin = begin,
                                .take = serve_take,
                                .part = part};
  link_work(bridge, &duties, failure);
}

/* Tells those whose requests will have no other answer. */
static void cancel_all(struct bridge *bridge) {
  struct serve *serve = bridge->state;
  struct served *served;
  while ((served = served_any(&serve->table)) != NULL) {
    if (served->is_ours && !served->is_given_up)
      serve_error(bridge, served->reply, MAINSTEM_CANCELLED, "who serves it has ended");
    serve_end(bridge, served);
  }
}

static void end(struct bridge *bridge) {
  struct serve *serve = bridge->state;
  struct served *served;
  if (serve == NULL) return;
  while ((served = served_any(&serve->table)) != NULL) served_remove(&serve->table, served);
  link_close(serve->link);
  free(serve);
}

/* The observer has ended: nobody hears any more what comes in. */
static void observer_ended(void *user_data) {
  struct home *home = user_data;
  struct bridge *bridge = serve_enter(home->bridge, home->generation);
  if (bridge != NULL) {
    struct serve *serve = bridge->state;
    serve->scope = NULL;
    cancel_all(bridge);
    link_orphan(bridge);
    link_leave(bridge);
  }
  free(home);
}

static mainstem_status leave(struct bridge *bridge) {
  const struct serve *serve = bridge->state;
  mainstem_status status = link_part(bridge, serve->scope);
  if (status == MAINSTEM_OK && bridge->state != NULL) cancel_all(bridge);
  return status;
}

static const struct kind kind = {.function = "mainstem_nats_serve",
                                 .noun = "serving bridge",
                                 .fields =
                                     FIELD_PREFIX | FIELD_WINDOW | FIELD_TIMEOUT | FIELD_QUEUE,
                                 .window = WINDOW,
                                 .work = work,
                                 .end = end,
                                 .leave = leave,
                                 .wake = link_wake};

/* Beginning ---------------------------------------------------------------------------------------------- */

/* What came in is as secret as the request, and a journal keeps as much of it. */
static mainstem_status add_types(struct serve *serve) {
  const mainstem_contract kept = MAINSTEM_RECORD_MASK | MAINSTEM_SECRET;
  const mainstem_contract own = MAINSTEM_ROLE_NOTICE | MAINSTEM_LAYER_SYSTEM;
  char asked[300], cancelled[300];
  snprintf(asked, sizeof asked, "Asked.%s", serve->name);
  snprintf(cancelled, sizeof cancelled, "Cancelled.%s", serve->name);
  mainstem_status status = mainstem_type_add(
      serve->scope, asked, own | MAINSTEM_PAYLOAD_BYTES | (serve->type.request & kept), NULL,
      &serve->asked);
  if (status != MAINSTEM_OK) return status;
  return mainstem_type_add(serve->scope, cancelled, own | MAINSTEM_PAYLOAD_TEXT, NULL,
                           &serve->cancelled);
}

static mainstem_status observe(struct bridge *bridge) {
  struct serve *serve = bridge->state;
  const mainstem_event_type types[] = {serve->asked, serve->cancelled};
  mainstem_observe_options options = {.size = sizeof options};
  struct home *home = malloc(sizeof *home);
  if (home == NULL) return MAINSTEM_NO_MEMORY;
  *home = (struct home){bridge, bridge->generation, serve->type, serve->asked};
  options.types = types;
  options.type_count = 2;
  options.flags = MAINSTEM_OBSERVE_NEW;
  mainstem_status status =
      mainstem_observe_with(serve->scope, &options, serve_observed, home, observer_ended, NULL);
  if (status != MAINSTEM_OK) free(home);
  return status;
}

/* Adds what the context has of the bridge. */
static mainstem_status join(struct bridge *bridge) {
  struct serve *serve = bridge->state;
  char name[300];
  snprintf(name, sizeof name, "Serve %s", serve->name);
  mainstem_status status = mainstem_scope_add(serve->context, name, NULL, &serve->scope);
  if (status == MAINSTEM_OK) status = add_types(serve);
  if (status == MAINSTEM_OK) status = observe(bridge);
  if (status == MAINSTEM_OK) return status;
  refuse(status, "%s: %s", kind.function, mainstem_last_error());
  mainstem_scope_end(serve->scope);
  return status;
}

static bool prepare(struct bridge *bridge, mainstem_context *context, const char *name,
                    const struct request_type *type) {
  struct serve *serve = bridge->state = calloc(1, sizeof *serve);
  if (serve == NULL) return false;
  serve->link = link_open();
  if (serve->link == NULL) return false;
  serve->context = context;
  serve->type = *type;
  serve->terms = terms_of(type->request, type->response);
  snprintf(serve->name, sizeof serve->name, "%s", name);
  return true;
}

mainstem_status mainstem_nats_serve(mainstem_context *context, const char *type,
                                    const mainstem_nats_options *options, mainstem_nats **serving) {
  struct settings settings;
  struct request_type found;
  struct bridge *made;
  if (serving == NULL) return refuse(MAINSTEM_INVALID, "%s: serving: is NULL", kind.function);
  *serving = NULL;
  mainstem_status status = request_type_find(&kind, context, type, &found);
  if (status == MAINSTEM_OK) status = settings_copy(&settings, &kind, NULL, options);
  if (status != MAINSTEM_OK) return status;
  status = bridge_take(&kind, &settings, serving, &made);
  if (status != MAINSTEM_OK) return status;
  bool has_memory = prepare(made, context, type, &found);
  if (has_memory) status = join(made);
  return status == MAINSTEM_OK ? bridge_begin(made, has_memory, serving)
                               : bridge_refuse(made, status, serving);
}

/* Answers --------------------------------------------------------------------------------------------- */

/* The context's answers to those who ask. */

/* A failure instead of an answer that is too large. */
static natsStatus send_too_big(struct bridge *bridge, const char *reply, const struct post *big) {
  const struct serve *serve = bridge->state;
  struct post post = {0};
  char texts[256];
  int length = snprintf(texts, sizeof texts - 2,
                        "the answer has %zu bytes with its headers, but the server takes %zu",
                        big->size, serve->link->most);
  memset(texts + length, 0, 3);
  const struct answer answer = {
      .status = MAINSTEM_TOO_BIG, .data = texts, .size = (size_t)length + 3};
  natsStatus status = answer_make(&post, reply, &answer);
  if (status == NATS_OK) status = link_send(bridge, &post);
  post_end(&post);
  bridge->stats.left_out++;
  return status;
}

/* Sends an answer, or a step of progress; with the lock. */
static void send_answer(struct bridge *bridge, const char *reply, const struct answer *answer) {
  struct post post = {0};
  natsStatus status = answer_make(&post, reply, answer);
  if (status == NATS_OK) status = link_send(bridge, &post);
  post_end(&post);
  if (status == NATS_MAX_PAYLOAD && answer->type[0] == '\0')
    status = send_too_big(bridge, reply, &post);
  else if (status == NATS_MAX_PAYLOAD) bridge->stats.left_out++;
  if (status == NATS_OK) bridge->stats.bytes += answer->size;
  else if (status != NATS_MAX_PAYLOAD) bridge->stats.lost++;
}

/* Answers with a failure of the bridge's own; with the lock. */
void serve_error(struct bridge *bridge, const char *reply, mainstem_status status,
                 const char *reason) {
  const struct serve *serve = bridge->state;
  char texts[512];
  int length = snprintf(texts, sizeof texts - 3, "%s: %s", serve->name, reason);
  size_t size = (size_t)length < sizeof texts - 3 ? (size_t)length : sizeof texts - 4;
  /* A cut may go through a character. */
  while (!is_text(texts, size)) size--;
  memset(texts + size, 0, 3);
  const struct answer answer = {.status = status, .data = texts, .size = size + 3};
  send_answer(bridge, reply, &answer);
}

/* Ends a request, whose answer was sent. */
void serve_end(struct bridge *bridge, struct served *served) {
  struct serve *serve = bridge->state;
  bridge->stats.entries += served->is_ours;
  served_remove(&serve->table, served);
  bridge->stats.open = serve->table.count;
}

/* The context's answer. */
void serve_answered(void *user_data, const mainstem_event *event) {
  struct served *served = user_data;
  struct bridge *bridge = serve_enter(served->bridge, served->generation);
  if (bridge == NULL) return;
  const struct answer answer = {.status = event->status, .data = event->data, .size = event->size};
  if (served->is_listed && served->is_ours && !served->is_given_up)
    send_answer(bridge, served->reply, &answer);
  if (served->is_listed) serve_end(bridge, served);
  link_leave(bridge);
}

void serve_progress(void *user_data, const mainstem_event *event) {
  struct served *served = user_data;
  mainstem_type_info info = {.size = sizeof info};
  struct answer answer = {.data = event->data, .size = event->size};
  if (!served->is_ours) return;
  if (mainstem_type_read(event->context, event->type, &info) != MAINSTEM_OK) return;
  snprintf(answer.type, sizeof answer.type, "%s", info.name);
  struct bridge *bridge = serve_enter(served->bridge, served->generation);
  if (bridge == NULL) return;
  if (served->is_listed && !served->is_given_up) send_answer(bridge, served->reply, &answer);
  link_leave(bridge);
}

/* The context has no more to do with it. */
void serve_released(void *user_data) {
  struct served *served = user_data;
  struct bridge *bridge = serve_enter(served->bridge, served->generation);
  if (bridge != NULL && served->is_listed) serve_end(bridge, served);
  if (bridge != NULL) link_leave(bridge);
  free(served);
}

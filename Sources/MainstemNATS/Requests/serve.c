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

static const struct kind kind;

/* Locks the bridge; NULL: it is another one now. */
struct bridge *serve_enter(struct bridge *bridge, uint64_t generation) {
  pthread_mutex_lock(&bridge->lock);
  if (bridge->generation == generation && bridge->serve != NULL) return bridge;
  pthread_mutex_unlock(&bridge->lock);
  return NULL;
}

static natsStatus hear(struct bridge *bridge, natsConnection *connection) {
  struct serve *serve = bridge->serve;
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
  natsSubscription_Destroy(bridge->serve->requests);
  natsSubscription_Destroy(bridge->serve->cancels);
  bridge->serve->requests = bridge->serve->cancels = NULL;
}

/* Others get what is asked from here on; what is on its way here still comes. NATS waits that long, on a thread of its
   own, for an answer that perhaps nobody reads. */
static void part(struct bridge *bridge) {
  natsSubscription_DrainTimeout(bridge->serve->requests, CLOSE_MS);
}

static void begin(struct bridge *bridge) { (void)bridge; }

static void work(struct bridge *bridge, struct failure *failure) {
  const struct duties duties = {.context = bridge->serve->context,
                                .hear = hear,
                                .stop_hearing = stop_hearing,
                                .begin = begin,
                                .take = serve_take,
                                .part = part};
  link_work(bridge, &duties, failure);
}

/* Tells those whose requests will have no other answer. */
static void cancel_all(struct bridge *bridge) {
  struct served *served;
  while ((served = served_any(&bridge->serve->table)) != NULL) {
    if (served->is_ours && !served->is_given_up)
      serve_error(bridge, served->reply, MAINSTEM_CANCELLED, "who serves it has ended");
    serve_end(bridge, served);
  }
}

static void end(struct bridge *bridge) {
  struct served *served;
  while (bridge->serve != NULL && (served = served_any(&bridge->serve->table)) != NULL)
    served_remove(&bridge->serve->table, served);
  free(bridge->serve);
  bridge->serve = NULL;
}

/* The observer has ended: nobody hears any more what comes in. */
static void observer_ended(void *user_data) {
  struct home *home = user_data;
  struct bridge *bridge = serve_enter(home->bridge, home->generation);
  if (bridge != NULL) {
    bridge->serve->scope = NULL;
    cancel_all(bridge);
    link_orphan(bridge);
    link_leave(bridge);
  }
  free(home);
}

static mainstem_status leave(struct bridge *bridge) {
  mainstem_status status = link_part(bridge, bridge->serve->scope);
  if (status == MAINSTEM_OK && bridge->serve != NULL) cancel_all(bridge);
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
  struct serve *serve = bridge->serve;
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
  struct serve *serve = bridge->serve;
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
  struct serve *serve = bridge->serve = calloc(1, sizeof *serve);
  if (!link_open(&bridge->link) || serve == NULL) return false;
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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What comes in is checked, noted and posted. */

#include "serve.h"

#include <stdlib.h>
#include <string.h>

/* Posts an event to the context; with the lock, which it lets go of meanwhile. */
static mainstem_status post_event(struct bridge *bridge, mainstem_event_type type, const void *data,
                                  size_t size) {
  const struct serve *serve = bridge->state;
  mainstem_context *scope = serve->scope;
  if (scope == NULL) return refuse(MAINSTEM_CANCELLED, "who serves it has ended");
  bridge_visit(bridge);
  mainstem_status status = mainstem_post(scope, type, data, size);
  bridge_return(bridge);
  return status;
}

static mainstem_status post_asked(struct bridge *bridge, const char *reply, uint32_t timeout_ms,
                                  natsMsg *message) {
  const struct serve *serve = bridge->state;
  struct asking asking = {timeout_ms, (uint32_t)strlen(reply)};
  size_t payload = (size_t)natsMsg_GetDataLength(message);
  size_t size = sizeof asking + asking.reply_size + payload;
  char *data = malloc(size);
  if (data == NULL) return MAINSTEM_NO_MEMORY;
  memcpy(data, &asking, sizeof asking);
  memcpy(data + sizeof asking, reply, asking.reply_size);
  if (payload > 0)
    memcpy(data + sizeof asking + asking.reply_size, natsMsg_GetData(message), payload);
  mainstem_status status = post_event(bridge, serve->asked, data, size);
  if ((serve->type.request & MAINSTEM_SECRET) != 0) explicit_bzero(data, size);
  free(data);
  return status;
}

/* Why a request is not taken; NULL: it is. */
static const char *objection(const struct bridge *bridge, natsMsg *message,
                             const struct question *question, mainstem_status *status) {
  const struct serve *serve = bridge->state;
  *status = MAINSTEM_INVALID;
  if (question->is_told && (question->terms.request != serve->terms.request ||
                            question->terms.response != serve->terms.response))
    return "the contracts of request or response are others on this side";
  if (!is_payload(serve->type.request, natsMsg_GetData(message),
                  (size_t)natsMsg_GetDataLength(message)))
    return "the payload breaks the contract";
  *status = MAINSTEM_FULL;
  return serve->table.count >= bridge->settings.window ? "too many requests are open" : NULL;
}

static uint32_t limit_of(const struct bridge *bridge, const struct question *question) {
  uint32_t own = bridge->settings.timeout_ms, said = question->timeout_ms;
  return said != 0 && said < own ? said : own;
}

static void accept(struct bridge *bridge, natsMsg *message, const char *reply,
                   const struct question *question) {
  struct serve *serve = bridge->state;
  size_t length = strlen(reply);
  struct served *served = served_add(&serve->table, bridge, reply, length, true);
  mainstem_status status = MAINSTEM_NO_MEMORY;
  bridge->stats.open = serve->table.count;
  if (served != NULL) status = post_asked(bridge, reply, limit_of(bridge, question), message);
  if (status == MAINSTEM_OK) {
    bridge->stats.bytes += (uint64_t)natsMsg_GetDataLength(message);
    return;
  }
  /* When the bridge was left meanwhile, it is no more in the table, and has its answer. */
  if (served != NULL && served_find(&serve->table, reply, length) != served) return;
  serve_error(bridge, reply, status == MAINSTEM_STALE ? MAINSTEM_CANCELLED : status,
              served != NULL ? mainstem_last_error() : "there is no memory for it");
  if (served != NULL) serve_end(bridge, served);
}

static void take_request(struct bridge *bridge, natsMsg *message) {
  struct serve *serve = bridge->state;
  const char *reply = natsMsg_GetReply(message);
  struct question question;
  mainstem_status status;
  size_t length = reply != NULL ? strlen(reply) : 0;
  if (length == 0 || length > LONGEST_REPLY || !is_text(reply, length) ||
      served_find(&serve->table, reply, length) != NULL) {
    bridge->stats.refused++;
    return;
  }
  read_reply(reply, &question);
  const char *reason = objection(bridge, message, &question, &status);
  if (reason == NULL) {
    accept(bridge, message, reply, &question);
    return;
  }
  bridge->stats.refused++;
  serve_error(bridge, reply, status, reason);
}

/* All who serve hear it; one of them has the request. */
static void take_cancel(struct bridge *bridge, natsMsg *message) {
  struct serve *serve = bridge->state;
  size_t size = (size_t)natsMsg_GetDataLength(message);
  const char *reply = natsMsg_GetData(message);
  if (size == 0 || size > LONGEST_REPLY) {
    bridge->stats.refused++;
    return;
  }
  const struct served *served = served_find(&serve->table, reply, size);
  if (served != NULL && served->is_ours && !served->is_given_up)
    post_event(bridge, serve->cancelled, reply, size);
}

void serve_take(struct bridge *bridge) {
  const struct serve *serve = bridge->state;
  natsMsg *message = NULL;
  int is_replaying = 0;
  while (natsSubscription_NextMsg(&message, serve->requests, 0) == NATS_OK) {
    mainstem_context_is_replaying(serve->context, &is_replaying);
    if (!is_replaying) take_request(bridge, message);
    else fail(&bridge->failure, MAINSTEM_BUSY, "its context replays a journal");
    natsMsg_Destroy(message);
  }
  while (natsSubscription_NextMsg(&message, serve->cancels, 0) == NATS_OK) {
    take_cancel(bridge, message);
    natsMsg_Destroy(message);
  }
}

/* The observer ---------------------------------------------------------------------------------------- */

/* The observer of what came in: it asks the context, and gives up. In a replay it does the same. */

/* An event that asks, read. */
struct read {
  struct asking asking;
  const char *reply, *payload;
  size_t size;
};

/* In a replay a secret is withheld, and something is asked all the same, as far as the contract allows: the journal has a
   request. */
static void read_withheld(struct read *read, mainstem_contract contract) {
  static const char zeros[sizeof(int64_t)];
  uint64_t payload = contract & MAINSTEM_PAYLOAD_MASK;
  *read = (struct read){.reply = "", .payload = zeros};
  if (payload == MAINSTEM_PAYLOAD_BOOL) read->size = 1;
  else if (payload == MAINSTEM_PAYLOAD_STRUCT) read->size = (uint32_t)contract;
  else if (payload > MAINSTEM_PAYLOAD_STRUCT) read->size = sizeof(int64_t);
  if (read->size > sizeof zeros) read->payload = NULL;
}

/* False: no bridge posted it. */
static bool read_asking(struct read *read, const mainstem_event *event,
                        mainstem_contract contract) {
  struct asking *asking = &read->asking;
  if (event->status != MAINSTEM_OK || (event->flags & MAINSTEM_EVENT_MARKED) != 0) {
    read_withheld(read, contract);
    return true;
  }
  if (event->size < sizeof *asking) return false;
  memcpy(asking, event->data, sizeof *asking);
  read->size = event->size - sizeof *asking;
  if (asking->reply_size > LONGEST_REPLY || asking->reply_size > read->size) return false;
  read->reply = (const char *)event->data + sizeof *asking;
  read->payload = read->reply + asking->reply_size;
  read->size -= asking->reply_size;
  return true;
}

/* The request that the bridge took, or in a replay a new one. */
static struct served *find_or_add(struct bridge *bridge, const char *reply, size_t size) {
  struct serve *serve = bridge->state;
  struct served *served = size > 0 ? served_find(&serve->table, reply, size) : NULL;
  if (served == NULL) return served_add(&serve->table, bridge, reply, size, false);
  return served->is_requested ? NULL : served;
}

/* Refuses one that the context has refused. */
static void refuse_served(struct bridge *bridge, struct served *served, mainstem_status status) {
  /* Closed contexts cancel what they have. */
  if (status == MAINSTEM_STALE) status = MAINSTEM_CANCELLED;
  served->is_requested = false;
  if (served->is_ours) serve_error(bridge, served->reply, status, mainstem_last_error());
  serve_end(bridge, served);
}

static void request(const struct home *home, struct served *served, const mainstem_event *event,
                    const struct read *read) {
  mainstem_request_options options = {
      .size = sizeof options, .progress = serve_progress, .timeout_ms = read->asking.timeout_ms};
  mainstem_status status =
      mainstem_request_with(event->context, home->type.type, read->payload, read->size, &options,
                            serve_answered, served, serve_released, &served->pending);
  if (status == MAINSTEM_OK) return;
  struct bridge *bridge = serve_enter(home->bridge, home->generation);
  if (bridge == NULL) {
    free(served);
    return;
  }
  refuse_served(bridge, served, status);
  link_leave(bridge);
}

static void on_asked(const struct home *home, const mainstem_event *event) {
  struct read read;
  if (!read_asking(&read, event, home->type.request)) return;
  char *zeros = read.payload == NULL ? calloc(1, read.size) : NULL;
  if (zeros != NULL) read.payload = zeros;
  struct bridge *bridge = serve_enter(home->bridge, home->generation);
  if (bridge == NULL) return free(zeros);
  struct served *served = find_or_add(bridge, read.reply, read.asking.reply_size);
  if (served != NULL) served->is_requested = true;
  link_leave(bridge);
  if (served != NULL) request(home, served, event, &read);
  free(zeros);
}

static void on_cancelled(const struct home *home, const mainstem_event *event) {
  mainstem_pending *pending = NULL;
  struct bridge *bridge = serve_enter(home->bridge, home->generation);
  if (bridge == NULL) return;
  struct serve *serve = bridge->state;
  struct served *served = served_find(&serve->table, event->data, event->size);
  if (served != NULL) {
    served->is_given_up = true;
    pending = served->pending;
  }
  link_leave(bridge);
  mainstem_pending_cancel(pending);
}

void serve_observed(void *user_data, const mainstem_event *event) {
  const struct home *home = user_data;
  if (event->type == home->asked) on_asked(home, event);
  else on_cancelled(home, event);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The observer of what came in: it asks the context, and gives up. In a replay it does the same. */

#include "serve.h"

#include <stdlib.h>
#include <string.h>

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
  struct served *served = size > 0 ? served_find(&bridge->serve->table, reply, size) : NULL;
  if (served == NULL) return served_add(&bridge->serve->table, bridge, reply, size, false);
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
  struct served *served = served_find(&bridge->serve->table, event->data, event->size);
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

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A forward's handler sends each request. Who asks hears of its end by the core; what others settle is told to the other
   side. */

#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sends a request, or keeps it until there is a server. */
static natsStatus send(struct bridge *bridge, struct asked *asked, struct post *post) {
  struct asked_list *list = &bridge->forward->asked;
  natsStatus status = list->unsent == 0 ? link_send(bridge, post) : NATS_CONNECTION_CLOSED;
  if (status != NATS_CONNECTION_CLOSED) return status;
  status = post_keep(post);
  if (status != NATS_OK) return status;
  asked->unsent = *post;
  list->unsent++;
  link_wake_until(bridge, asked->until_ms);
  return NATS_OK;
}

/* Takes a request in; else says why not. */
static mainstem_status ask(struct bridge *bridge, const mainstem_event *event,
                           mainstem_retained *kept, uint64_t *id, char *reason, size_t capacity) {
  struct forward *forward = bridge->forward;
  const mainstem_event *own = NULL;
  char reply[OWN_REPLY];
  if (mainstem_retained_event(kept, &own) != MAINSTEM_OK) return MAINSTEM_STALE;
  struct asked *asked = asked_add(&forward->asked, event->size);
  if (asked == NULL) {
    snprintf(reason, capacity, "%u requests of this type are open, and there is no room for more",
             bridge->forward->asked.count);
    return MAINSTEM_FULL;
  }
  *id = asked->id;
  asked->event = *own;
  asked->until_ms = now_ms() + bridge->settings.timeout_ms;
  write_reply(reply, forward->inbox, asked->id, &forward->question);
  struct post post = {
      .subject = forward->subject, .reply = reply, .data = event->data, .size = event->size};
  natsStatus status = send(bridge, asked, &post);
  if (status != NATS_OK) {
    asked_end(&bridge->forward->asked, asked);
    return link_reason(bridge, &post, status, reason, capacity);
  }
  asked->kept = kept;
  bridge->stats.open = bridge->forward->asked.count;
  bridge->stats.bytes += event->size;
  link_wake_until(bridge, asked->until_ms);
  return MAINSTEM_OK;
}

void forward_tell_cancel(struct bridge *bridge, uint64_t id) {
  const struct forward *forward = bridge->forward;
  char reply[OWN_REPLY];
  write_reply(reply, forward->inbox, id, &forward->question);
  const struct post post = {.subject = forward->cancels, .data = reply, .size = strlen(reply)};
  link_send(bridge, &post);
}

/* Ends a request that others have settled. */
static void give_up(struct bridge *bridge, struct asked *asked) {
  if (asked->unsent.message == NULL) forward_tell_cancel(bridge, asked->id);
  asked_end(&bridge->forward->asked, asked);
  bridge->stats.open = bridge->forward->asked.count;
}

void forward_give_up_all(struct bridge *bridge) {
  struct asked *asked;
  while ((asked = asked_first(&bridge->forward->asked)) != NULL) give_up(bridge, asked);
}

static void on_settled(void *user_data) { (void)user_data; }

/* Called once, whoever has settled it; what the bridge has answered itself is no more in the list. */
static void settled(void *user_data) {
  struct home *home = user_data;
  struct bridge *bridge = home_enter(home);
  if (bridge != NULL) {
    struct asked *asked = asked_find(&bridge->forward->asked, home->id);
    if (asked != NULL) give_up(bridge, asked);
    link_leave(bridge);
  }
  free(home);
}

/* Hears when nobody waits any more. */
static void watch(const mainstem_event *event, const struct home *home, uint64_t id) {
  if ((event->flags & MAINSTEM_EVENT_TRACKED) == 0) return;
  struct home *own = home_make(home->bridge, home->generation, id);
  if (own == NULL) return;
  if (mainstem_event_on_settled(event, on_settled, own, settled) != MAINSTEM_OK) free(own);
}

/* Types may be registered later; only here may the context be asked. */
void forward_see_types(struct forward *forward) {
  mainstem_context_stats stats = {.size = sizeof stats};
  if (forward->sees_types && mainstem_context_stats_read(forward->server, &stats) == MAINSTEM_OK)
    forward->types = (mainstem_event_type)stats.types;
}

void forward_request(void *user_data, const mainstem_event *event) {
  const struct home *home = user_data;
  mainstem_retained *kept = NULL;
  mainstem_status status = mainstem_event_retain(event, &kept);
  char reason[256] = "there is no memory for the request";
  uint64_t id = 0;
  struct bridge *bridge = status == MAINSTEM_OK ? home_enter(home) : NULL;
  if (bridge != NULL) {
    forward_see_types(bridge->forward);
    status = ask(bridge, event, kept, &id, reason, sizeof reason);
    link_leave(bridge);
  }
  if (bridge != NULL && status == MAINSTEM_OK) {
    watch(event, home, id);
    return;
  }
  mainstem_retained_release(kept);
  if (status != MAINSTEM_OK && (event->flags & MAINSTEM_EVENT_TRACKED) != 0)
    mainstem_respond_error(event, status, reason);
}

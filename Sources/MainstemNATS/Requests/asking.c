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
  struct forward *forward = bridge->state;
  struct asked_list *list = &forward->asked;
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
  struct forward *forward = bridge->state;
  const mainstem_event *own = NULL;
  char reply[OWN_REPLY];
  if (mainstem_retained_event(kept, &own) != MAINSTEM_OK) return MAINSTEM_STALE;
  struct asked *asked = asked_add(&forward->asked, event->size);
  if (asked == NULL) {
    snprintf(reason, capacity, "%u requests of this type are open, and there is no room for more",
             forward->asked.count);
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
    asked_end(&forward->asked, asked);
    return link_reason(bridge, &post, status, reason, capacity);
  }
  asked->kept = kept;
  bridge->stats.open = forward->asked.count;
  bridge->stats.bytes += event->size;
  link_wake_until(bridge, asked->until_ms);
  return MAINSTEM_OK;
}

void forward_tell_cancel(struct bridge *bridge, uint64_t id) {
  const struct forward *forward = bridge->state;
  char reply[OWN_REPLY];
  write_reply(reply, forward->inbox, id, &forward->question);
  const struct post post = {.subject = forward->cancels, .data = reply, .size = strlen(reply)};
  link_send(bridge, &post);
}

/* Ends a request that others have settled. */
static void give_up(struct bridge *bridge, struct asked *asked) {
  struct forward *forward = bridge->state;
  if (asked->unsent.message == NULL) forward_tell_cancel(bridge, asked->id);
  asked_end(&forward->asked, asked);
  bridge->stats.open = forward->asked.count;
}

void forward_give_up_all(struct bridge *bridge) {
  struct forward *forward = bridge->state;
  struct asked *asked;
  while ((asked = asked_first(&forward->asked)) != NULL) give_up(bridge, asked);
}

static void on_settled(void *user_data) { (void)user_data; }

/* Called once, whoever has settled it; what the bridge has answered itself is no more in the list. */
static void settled(void *user_data) {
  struct home *home = user_data;
  struct bridge *bridge = home_enter(home);
  if (bridge != NULL) {
    struct asked *asked = asked_find(&forward_of(bridge)->asked, home->id);
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
    forward_see_types(bridge->state);
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

/* Answers --------------------------------------------------------------------------------------------- */

/* Answers come in on a thread of NATS, and are given there. Who takes a request out of the list answers it, so it is
   answered once. */

struct taken forward_take_out(struct bridge *bridge, struct asked *asked) {
  struct forward *forward = bridge->state;
  struct taken taken = {asked->event, asked->kept};
  asked->kept = NULL;
  asked_end(&forward->asked, asked);
  bridge->stats.open = forward->asked.count;
  return taken;
}

void forward_answer_error(struct taken *taken, mainstem_status status, const char *reason) {
  /* An event that was only sent waits for nobody. */
  if ((taken->event.flags & MAINSTEM_EVENT_TRACKED) != 0)
    mainstem_respond_error(&taken->event, status, reason);
  mainstem_retained_release(taken->kept);
}

/* A notice by name. */
static mainstem_event_type find_type(const struct forward *forward, const struct answer *answer) {
  mainstem_type_info info = {.size = sizeof info};
  /* The library's own reports are nobody's progress. */
  if (strncmp(answer->type, "Mainstem", 8) == 0) return 0;
  for (mainstem_event_type type = 1; type <= forward->types; type++) {
    if (mainstem_type_read(forward->server, type, &info) != MAINSTEM_OK) return 0;
    if (strcmp(info.name, answer->type) != 0) continue;
    bool is_fitting = (info.contract & MAINSTEM_ROLE_MASK) == MAINSTEM_ROLE_NOTICE &&
                      is_payload(info.contract, answer->data, answer->size);
    return is_fitting ? type : 0;
  }
  return 0;
}

/* Passes a step of progress on; with the lock, which it lets go of meanwhile. */
static void pass_progress(struct bridge *bridge, const struct asked *asked,
                          const struct answer *answer) {
  mainstem_event event = asked->event;
  mainstem_event_type type = find_type(bridge->state, answer);
  bridge->stats.refused += type == 0;
  pthread_mutex_unlock(&bridge->lock);
  if (type != 0) mainstem_respond_progress(&event, type, answer->data, answer->size);
  pthread_mutex_lock(&bridge->lock);
}

/* Gives an answer; without the lock. */
static void pass_answer(struct taken *taken, const struct answer *answer, mainstem_error *error) {
  if (answer->status == MAINSTEM_OK) mainstem_respond(&taken->event, answer->data, answer->size);
  else mainstem_respond_error_with(&taken->event, error);
  mainstem_retained_release(taken->kept);
}

/* Passes an answer on; with the lock, which it lets go of meanwhile. */
static void take_answer(struct bridge *bridge, struct asked *asked, const struct answer *answer) {
  const struct forward *forward = bridge->state;
  mainstem_error error = {.size = sizeof error};
  bool is_sound = answer->status == MAINSTEM_OK
                      ? is_payload(forward->response, answer->data, answer->size)
                      : failure_read(answer, &error);
  struct taken taken = forward_take_out(bridge, asked);
  bridge->stats.entries++;
  bridge->stats.bytes += answer->size;
  bridge->stats.refused += !is_sound;
  /* What was only sent gets a plain event, and that may have to wait for room. */
  bool is_tracked = (taken.event.flags & MAINSTEM_EVENT_TRACKED) != 0;
  if (is_tracked) pthread_mutex_unlock(&bridge->lock);
  else bridge_visit(bridge);
  if (is_sound) pass_answer(&taken, answer, &error);
  else
    forward_answer_error(&taken, MAINSTEM_INVALID, "what came as its answer breaks the contract");
  if (is_tracked) pthread_mutex_lock(&bridge->lock);
  else bridge_return(bridge);
}

static void take_nobody(struct bridge *bridge, struct asked *asked) {
  const struct forward *forward = bridge->state;
  char reason[LONGEST_SUBJECT + 64];
  snprintf(reason, sizeof reason, "nobody serves %s", forward->subject);
  struct taken taken = forward_take_out(bridge, asked);
  bridge->stats.entries++;
  link_leave(bridge);
  forward_answer_error(&taken, MAINSTEM_UNHANDLED, reason);
  pthread_mutex_lock(&bridge->lock);
}

/* The request that a message is for; NULL: none that is open. */
static struct asked *find_asked(struct forward *forward, natsMsg *message) {
  return asked_find(&forward->asked,
                    id_of(natsMsg_GetSubject(message), forward->inbox, forward->inbox_length));
}

/* What NATS calls for each message, on a thread of its own. */
void forward_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                      void *user_data) {
  struct bridge *bridge = user_data;
  struct answer answer;
  (void)subscription;
  pthread_mutex_lock(&bridge->lock);
  /* It may come so late that the bridge is another one by now. */
  struct forward *forward = forward_of(bridge);
  if (forward != NULL && forward->link->connection == connection) {
    struct asked *asked = find_asked(forward, message);
    if (asked == NULL) bridge->stats.refused++;
    else if (!answer_read(message, &answer)) bridge->stats.refused++;
    else if (natsMsg_IsNoResponders(message)) take_nobody(bridge, asked);
    else if (answer.type[0] != '\0') pass_progress(bridge, asked, &answer);
    else take_answer(bridge, asked, &answer);
  }
  pthread_mutex_unlock(&bridge->lock);
  natsMsg_Destroy(message);
}

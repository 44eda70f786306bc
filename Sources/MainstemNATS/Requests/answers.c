// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Answers come in on a thread of NATS, and are given there. Who takes a request out of the list answers it, so it is
   answered once. */

#include "forward.h"

#include <stdio.h>
#include <string.h>

struct taken forward_take_out(struct bridge *bridge, struct asked *asked) {
  struct taken taken = {asked->event, asked->kept};
  asked->kept = NULL;
  asked_end(&bridge->forward->asked, asked);
  bridge->stats.open = bridge->forward->asked.count;
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
  mainstem_event_type type = find_type(bridge->forward, answer);
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
  mainstem_error error = {.size = sizeof error};
  bool is_sound = answer->status == MAINSTEM_OK
                      ? is_payload(bridge->forward->response, answer->data, answer->size)
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
  char reason[LONGEST_SUBJECT + 64];
  snprintf(reason, sizeof reason, "nobody serves %s", bridge->forward->subject);
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
  if (bridge->link.connection == connection && bridge->forward != NULL) {
    struct asked *asked = find_asked(bridge->forward, message);
    if (asked == NULL) bridge->stats.refused++;
    else if (!answer_read(message, &answer)) bridge->stats.refused++;
    else if (natsMsg_IsNoResponders(message)) take_nobody(bridge, asked);
    else if (answer.type[0] != '\0') pass_progress(bridge, asked, &answer);
    else take_answer(bridge, asked, &answer);
  }
  pthread_mutex_unlock(&bridge->lock);
  natsMsg_Destroy(message);
}

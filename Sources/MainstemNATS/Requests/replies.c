// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The context's answers to those who ask. */

#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failure instead of an answer that is too large. */
static natsStatus send_too_big(struct bridge *bridge, const char *reply, const struct post *big) {
  struct post post = {0};
  char texts[256];
  int length = snprintf(texts, sizeof texts - 2,
                        "the answer has %zu bytes with its headers, but the server takes %zu",
                        big->size, bridge->link.most);
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
  char texts[512];
  int length = snprintf(texts, sizeof texts - 3, "%s: %s", bridge->serve->name, reason);
  size_t size = (size_t)length < sizeof texts - 3 ? (size_t)length : sizeof texts - 4;
  /* A cut may go through a character. */
  while (!is_text(texts, size)) size--;
  memset(texts + size, 0, 3);
  const struct answer answer = {.status = status, .data = texts, .size = size + 3};
  send_answer(bridge, reply, &answer);
}

/* Ends a request, whose answer was sent. */
void serve_end(struct bridge *bridge, struct served *served) {
  bridge->stats.entries += served->is_ours;
  served_remove(&bridge->serve->table, served);
  bridge->stats.open = bridge->serve->table.count;
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

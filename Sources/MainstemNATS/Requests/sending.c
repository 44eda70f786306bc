// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What goes out over a link, from any thread; and waking the thread that serves it. */

#include "requests.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_UNWRITTEN = 64 << 20, FEW_OPEN = 4 };

static void ring(int bell) {
  const uint64_t one = 1;
  if (write(bell, &one, sizeof one) < 0) return;
}

void link_wake(struct bridge *bridge) {
  pthread_cond_broadcast(&bridge->changed);
  ring(bridge->link.bell);
}

void link_leave(struct bridge *bridge) {
  struct link *link = &bridge->link;
  bool is_due = link->is_due;
  link->is_due = false;
  pthread_mutex_unlock(&bridge->lock);
  /* Whom it wakes wants the lock. */
  if (is_due) ring(link->bell);
}

void link_wake_until(struct bridge *bridge, int64_t due_ms) {
  /* A thread that is awake looks at what is due before it waits. */
  if (bridge->link.connection != NULL && bridge->link.wakes_ms <= due_ms) return;
  bridge->link.wakes_ms = due_ms;
  link_wake(bridge);
}

/* Lets it go out. A thread that is awake writes before it waits again, and many messages go out together; where few are
   open, each is in a hurry. */
static void hurry(struct bridge *bridge) {
  struct link *link = &bridge->link;
  if (link->wakes_ms == 0) return;
  if (bridge->stats.open <= FEW_OPEN) link_write(link);
  if (link->is_rung || natsConnection_Buffered(link->connection) == 0) return;
  link->is_rung = link->is_due = true;
}

static natsStatus give(natsConnection *connection, const struct post *post) {
  if (post->message != NULL) return natsConnection_PublishMsg(connection, post->message);
  if (post->reply == NULL)
    return natsConnection_Publish(connection, post->subject, post->data, (int)post->size);
  return natsConnection_PublishRequest(connection, post->subject, post->reply, post->data,
                                       (int)post->size);
}

static natsStatus publish(struct bridge *bridge, const struct post *post) {
  struct link *link = &bridge->link;
  if (!link->is_up) return NATS_CONNECTION_CLOSED;
  if (post->size > link->most) return NATS_MAX_PAYLOAD;
  if (natsConnection_Buffered(link->connection) > MOST_UNWRITTEN) return NATS_INSUFFICIENT_BUFFER;
  natsStatus status = give(link->connection, post);
  if (status == NATS_OK) hurry(bridge);
  return status;
}

natsStatus link_send(struct bridge *bridge, const struct post *post) {
  natsStatus status = publish(bridge, post);
  if (status != NATS_INSUFFICIENT_BUFFER) return status;
  if (is_going(bridge))
    fail(&bridge->failure, MAINSTEM_IO, "the server does not take what it is sent");
  link_wake(bridge);
  return NATS_CONNECTION_CLOSED;
}

mainstem_status link_reason(const struct bridge *bridge, const struct post *post, natsStatus status,
                            char *reason, size_t capacity) {
  if (status != NATS_MAX_PAYLOAD) {
    snprintf(reason, capacity, "it cannot be sent: %s", natsStatus_GetText(status));
    return status == NATS_NO_MEMORY ? MAINSTEM_NO_MEMORY : MAINSTEM_IO;
  }
  snprintf(reason, capacity, "it has %zu bytes, but the server takes %zu", post->size,
           bridge->link.most);
  return MAINSTEM_TOO_BIG;
}

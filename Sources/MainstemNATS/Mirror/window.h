// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A mirror's window: entries sent, and what the server said. */

#ifndef MAINSTEM_NATS_WINDOW_PRIVATE_H
#define MAINSTEM_NATS_WINDOW_PRIVATE_H

#include <nats/nats.h>
#include <stdbool.h>
#include <stdint.h>

struct bridge;
struct entry;
struct server;

enum { WINDOW = 4096, WINDOW_BYTES = 8 << 20, PATIENCE_MS = 10000 };

struct sent {
  uint64_t position;
  uint32_t bytes;
  bool is_own, is_left_out;
};

struct window {
  jsCtx *js;                  /* Whose answers count. */
  natsConnection *connection; /* Whose errors count. */
  const char *stream;
  struct sent *sent;
  uint32_t capacity, first, count;
  uint64_t sequence; /* The entry of the stream that the oldest one sent comes after. */
  size_t bytes;
  int64_t heard_ms; /* When the server last answered, or had nothing to answer. */
  uint64_t foreign; /* The last entry of the stream found that no mirror made. */
  uint64_t damaged; /* Where the journal was found damaged; UINT64_MAX: nowhere. */
};

/* With the lock. */

void window_open(struct bridge *mirror, const struct server *server, uint64_t sequence);
void window_close(struct bridge *mirror);
/* Waits for room; false: there is a failure, or the mirror is closing. */
bool window_reserve(struct bridge *mirror, const struct entry *entry, bool is_own);
/* Waits until all is answered, but no longer than that; false as above. */
bool window_wait(struct bridge *mirror, int64_t ms);
/* What NATS calls for each answer and each error, without the lock. */
void window_answered(jsCtx *js, natsMsg *message, jsPubAck *ack, jsPubAckErr *error,
                     void *user_data);
/* What it calls when a connection has ended. */
void window_ended(natsConnection *connection, void *user_data);
void window_disturbed(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                      void *user_data);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A connection that the bridge's own thread serves: see link.c. */

#ifndef MAINSTEM_NATS_LINK_PRIVATE_H
#define MAINSTEM_NATS_LINK_PRIVATE_H

#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct link {
  natsConnection *connection; /* NULL: there is none. */
  natsSubscription *hellos;
  char inbox[64];          /* Where the bridge says hello to itself. */
  _Atomic int socket;      /* That of the connection. */
  atomic_bool wants_write; /* There is something that the socket had no room for. */
  bool is_up;              /* The server has passed on a hello of this connection. */
  pthread_mutex_t io;      /* Held while the socket is read or written; behind the bridge's. */
  int bell;             /* Wakes the thread. Never closed, as who rings may come late; 0: none. */
  bool is_rung, is_due; /* It is rung for what is to be written; or will be, without the lock. */
  int64_t wakes_ms;     /* When the thread wakes by itself; 0: it is awake. */
  int64_t said_ms;      /* When the last hello was said. */
  uint64_t said, heard; /* The last hello that was said, and the last one that came back. */
  uint64_t asked, promised; /* The last flush asked for, and the hello that does it. */
  size_t most;              /* What a message may have, data and headers. */
};

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A connection that is being made. */

#ifndef MAINSTEM_NATS_GUARD_H
#define MAINSTEM_NATS_GUARD_H

#include "bridge.h"

enum { MOST_SERVERS = 16, CONNECT_MS = 2000 };

struct servers {
  char copy[4096];
  const char *urls[MOST_SERVERS];
  int count;
};

struct seen {
  struct seen_socket {
    int descriptor;
    ino_t number; /* Of the socket. */
    int64_t since_ms;
  } sockets[MOST_BRIDGES];
  int count;
};

struct guard {
  struct guard *next;
  struct bridge *bridge; /* May be NULL. */
  pthread_t thread;
  pthread_cond_t done;
  int ports[MOST_SERVERS], servers;
  ino_t *old; /* Sockets that were there before. */
  size_t olds;
  int64_t begun_ms;
  struct seen seen, now; /* The new ones of the last look, and of this one. */
  bool is_done, has_acted;
};

/* Begins to guard the connection that this thread will make; false: there is no room. */
bool guard_begin(struct guard *guard, const struct servers *servers, struct bridge *bridge);
/* Ends that; true: the guard had to end a connection. */
bool guard_end(struct guard *guard);

#endif

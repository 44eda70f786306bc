// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of a serving bridge know of each other. */

#ifndef MAINSTEM_NATS_SERVE_PRIVATE_H
#define MAINSTEM_NATS_SERVE_PRIVATE_H

#include "requests.h"

/* serve.c: the requests that a serving bridge has taken ------------------------------------------------ */

struct served {
  struct served *next;
  struct bridge *bridge;
  uint64_t generation; /* Of the bridge. */
  mainstem_pending *pending;
  uint64_t hash;
  bool is_listed;    /* It is in the table. */
  bool is_ours;      /* It came in by this bridge, and owes an answer: none does in a replay. */
  bool is_requested; /* The context has it, and ends it. */
  bool is_given_up;  /* Nobody waits for the answer. */
  char reply[];      /* Who asks. */
};

enum { BUCKETS = 1024 };

struct served_table {
  struct served *buckets[BUCKETS];
  uint32_t count; /* Those that owe an answer. */
};

struct served *served_find(struct served_table *table, const char *reply, size_t length);
/* NULL: there is no memory. */
struct served *served_add(struct served_table *table, struct bridge *bridge, const char *reply,
                          size_t length, bool is_ours);

/* The state of a serving bridge. */
struct serve {
  struct link *link;
  mainstem_context *context, *scope;
  struct request_type type;
  struct terms terms;
  mainstem_event_type asked, cancelled; /* Types of the bridge's own. */
  struct served_table table;
  natsSubscription *requests, *cancels;
  char name[LONGEST_NAME + 1];
};
_Static_assert(offsetof(struct serve, link) == 0, "link.c looks for it there");

/* What comes before the payload in an event that asks: then comes who asks. */
struct asking {
  uint32_t timeout_ms, reply_size;
};

/* serve.c: the bridge --------------------------------------------------------------------------------------- */

/* What the observer holds of a bridge: it may outlive it. */
struct home {
  struct bridge *bridge;
  uint64_t generation;
  struct request_type type;
  mainstem_event_type asked;
};

/* Locks the bridge; NULL: it is another one now. */
struct bridge *serve_enter(struct bridge *bridge, uint64_t generation);

/* arrivals.c: from the server to the context --------------------------------------------------------------- */

/* Takes what has arrived; with the lock, which it lets go of meanwhile. */
void serve_take(struct bridge *bridge);

/* arrivals.c: what the context does with it ----------------------------------------------------------------- */

void serve_observed(void *user_data, const mainstem_event *event);

/* serve.c: from the context to the server ------------------------------------------------------------------- */

/* Answers with a failure of the bridge's own; with the lock. */
void serve_error(struct bridge *bridge, const char *reply, mainstem_status status,
                 const char *reason);
/* Ends a request, whose answer was sent; with the lock. */
void serve_end(struct bridge *bridge, struct served *served);
/* What the context calls for a request, which is its user data. */
void serve_answered(void *user_data, const mainstem_event *event);
void serve_progress(void *user_data, const mainstem_event *event);
void serve_released(void *user_data);

#endif

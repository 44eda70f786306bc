// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of a forward know of each other. */

#ifndef MAINSTEM_NATS_FORWARD_PRIVATE_H
#define MAINSTEM_NATS_FORWARD_PRIVATE_H

#include "requests.h"

/* forward.c: the requests of a forward that have no answer --------------------------------------------- */

struct asked {
  uint64_t id;             /* 0: the row is free. */
  mainstem_event event;    /* Answers go through it. */
  mainstem_retained *kept; /* Keeps it good. */
  struct post unsent;      /* What to send when there is a server. */
  int64_t until_ms;        /* The end of waiting. */
  size_t bytes;
  uint32_t before, behind; /* In order of asking. */
};

struct asked_list {
  struct asked *rows;
  uint32_t capacity, count, unsent, free, first, last;
  uint64_t turn;
  size_t bytes;
};

/* A new one, the last; NULL: there is no room for it. */
struct asked *asked_add(struct asked_list *list, size_t bytes);
struct asked *asked_find(struct asked_list *list, uint64_t id);
struct asked *asked_first(struct asked_list *list);
/* Ends one, and gives back what it has. */
void asked_end(struct asked_list *list, struct asked *asked);

/* The state of a forward. */
struct forward {
  struct link *link;
  mainstem_context *context, *server;
  struct question question;
  mainstem_contract response;
  bool sees_types;           /* Its handler may ask its context how many types there are. */
  mainstem_event_type types; /* How many there are. */
  struct asked_list asked;
  natsSubscription *answers;
  size_t inbox_length;
  char
      inbox[64]; /* With a dot at its end; the same for all connections, so that answers find it. */
  char subject[LONGEST_SUBJECT], cancels[LONGEST_SUBJECT];
};
_Static_assert(offsetof(struct forward, link) == 0, "link.c looks for it there");

/* forward.c: the bridge ----------------------------------------------------------------------------------- */

/* What the context holds of a bridge: it may outlive it. */
struct home {
  struct bridge *bridge;
  uint64_t generation;
  uint64_t id; /* Of a request. */
};

/* The state of a bridge; NULL: it is no forward by now, or has ended. With the lock. */
struct forward *forward_of(const struct bridge *bridge);
struct home *home_make(struct bridge *bridge, uint64_t generation, uint64_t id);
/* Locks the bridge; NULL: it is another one now. */
struct bridge *home_enter(const struct home *home);

/* asking.c: from the context to the server ----------------------------------------------------------------- */

/* The handler of the forward's server. */
void forward_request(void *user_data, const mainstem_event *event);
/* Types may be registered later; only here may the context be asked. */
void forward_see_types(struct forward *forward);
/* With the lock: tells the other side that nobody waits; ends all requests that others have settled. */
void forward_tell_cancel(struct bridge *bridge, uint64_t id);
void forward_give_up_all(struct bridge *bridge);

/* asking.c: from the server to the context ----------------------------------------------------------------- */

/* A request that was taken out of the list, to be answered without the lock. */
struct taken {
  mainstem_event event;
  mainstem_retained *kept;
};

struct taken forward_take_out(struct bridge *bridge, struct asked *asked);
/* Answers with a failure of the bridge's own; without the lock. */
void forward_answer_error(struct taken *taken, mainstem_status status, const char *reason);
/* What NATS calls for each message, on a thread of its own. */
void forward_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                      void *user_data);

#endif

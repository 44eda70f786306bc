// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of requests know of each other, and of the bridge. */

#ifndef MAINSTEM_NATS_REQUESTS_PRIVATE_H
#define MAINSTEM_NATS_REQUESTS_PRIVATE_H

#include <mainstem.h>

#include "../Bridge/bridge.h"

#include <stdatomic.h>

/* request.c: what comes in, before a context gets it ---------------------------------------------------- */

/* Whether bytes are UTF-8. */
bool is_text(const char *bytes, size_t size);
/* Whether a type with that contract may carry them: a context would note a call that tries. */
bool is_payload(mainstem_contract contract, const void *data, size_t size);

/* request.c: requests and answers as messages ----------------------------------------------------------- */

enum { LONGEST_REPLY = 255, OWN_REPLY = 160 };

/* What both sides must agree on: the payloads of a request and its answer, and whether they are secrets. */
struct terms {
  uint64_t request, response;
};

struct terms terms_of(mainstem_contract request, mainstem_contract response);

/* A message, with its data and headers in bytes. One without headers is not made: what it has is borrowed, because NATS
   has a thread that gathers messages that were made. */
struct post {
  natsMsg *message;
  const char *subject, *reply;
  const void *data;
  size_t size;
};

/* Makes it one's own. */
natsStatus post_keep(struct post *post);
void post_end(struct post *post);

/* What a request says beside its payload. */
struct question {
  bool is_told; /* A program without Mainstem says nothing. */
  struct terms terms;
  uint32_t timeout_ms;
};

/* "INBOX.id.terms": who asks, what, and for how long, in one subject, as JetStream does it. `inbox` ends with a dot. */
void write_reply(char *reply, const char *inbox, uint64_t id, const struct question *question);
void read_reply(const char *reply, struct question *question);
/* The id in a subject; 0: it is none of this inbox. */
uint64_t id_of(const char *subject, const char *inbox, size_t inbox_length);

/* An answer; or a step of progress, which has a type. */
struct answer {
  mainstem_status status;
  char type[LONGEST_NAME + 1]; /* Empty: the final answer. */
  const char *data;            /* The payload; of a failure, its three texts. */
  size_t size;
};

natsStatus answer_make(struct post *post, const char *reply, const struct answer *answer);
/* False: no bridge makes such a message. NATS' client tells only the first who looks that headers cannot be read: be it. */
bool answer_read(natsMsg *message, struct answer *answer);
/* The texts of a failure; false: they are none. */
bool failure_read(const struct answer *answer, mainstem_error *error);

/* request.c: a request type of a context, and its answer's ---------------------------------------------- */

struct request_type {
  mainstem_event_type type;
  mainstem_contract request, response;
};

mainstem_status request_type_find(const struct kind *kind, mainstem_context *context,
                                  const char *name, struct request_type *type);

/* link.c ------------------------------------------------------------------------------------------------- */

/* A connection that the bridge's own thread serves. The state of a bridge that has one begins with a pointer to it. */
struct link {
  struct link *next;          /* Of those that no bridge has. */
  natsConnection *connection; /* NULL: there is none. */
  natsSubscription *hellos;
  char inbox[64];          /* Where the bridge says hello to itself. */
  _Atomic int socket;      /* That of the connection. */
  atomic_bool wants_write; /* There is something that the socket had no room for. */
  bool is_up;              /* The server has passed on a hello of this connection. */
  pthread_mutex_t io;      /* Held while the socket is read or written; behind the bridge's. */
  int bell;                /* Wakes the thread. Never closed, as who rings may come late. */
  bool is_rung, is_due;    /* It is rung for what is to be written; or will be, without the lock. */
  int64_t wakes_ms;        /* When the thread wakes by itself; 0: it is awake. */
  int64_t said_ms;         /* When the last hello was said. */
  uint64_t said, heard;    /* The last hello that was said, and the last one that came back. */
  uint64_t asked, promised; /* The last flush asked for, and the hello that does it. */
  size_t most;              /* What a message may have, data and headers. */
};

/* How long an end may take. */
enum { CLOSE_MS = 2000 };

/* What a kind does with its connection. */
struct duties {
  mainstem_context *context;
  /* Subscribes, without the lock. */
  natsStatus (*hear)(struct bridge *bridge, natsConnection *connection);
  /* Ends what it subscribed, without the lock. */
  void (*stop_hearing)(struct bridge *bridge);
  /* The server is there; with the lock. */
  void (*begin)(struct bridge *bridge);
  /* Takes what has arrived; with the lock, which it may let go of. */
  void (*take)(struct bridge *bridge);
  /* From here on the server sends it nothing new; with the lock. Or NULL. */
  void (*part)(struct bridge *bridge);
};

/* Gives a bridge a link, for all its connections; NULL: no memory or descriptor is left. */
struct link *link_open(void);
/* Takes it back. NULL does nothing. */
void link_close(struct link *link);
/* One connection, until something goes wrong or the bridge is closing. */
void link_work(struct bridge *bridge, const struct duties *duties, struct failure *failure);

/* Ends the scope of a bridge that is being closed, on the thread of its context; with the lock, which it lets go of
   meanwhile. The scope may have ended. */
mainstem_status link_part(struct bridge *bridge, mainstem_context *scope);
/* The bridge's context has ended, or its scope: it stops. With the lock. */
void link_orphan(struct bridge *bridge);

/* link.c: sending ------------------------------------------------------------------------------------- */

/* Lets go of the bridge's lock; whoever sent something leaves so. */
void link_leave(struct bridge *bridge);
/* Sends a message, as far as there is room, and the rest by the thread; never waits. With the lock.
   NATS_CONNECTION_CLOSED: there is no server. */
natsStatus link_send(struct bridge *bridge, const struct post *post);
/* Makes sure that the thread wakes until then; with the lock. */
void link_wake_until(struct bridge *bridge, int64_t due_ms);
/* Wakes the thread; with the lock. */
void link_wake(struct bridge *bridge);
/* What to say of a message that could not be sent. */
mainstem_status link_reason(const struct bridge *bridge, const struct post *post, natsStatus status,
                            char *reason, size_t capacity);

#endif

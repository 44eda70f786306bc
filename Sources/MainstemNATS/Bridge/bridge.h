// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of the bridge know of each other. Read it from top to bottom: that is the order of flow. */

#ifndef MAINSTEM_NATS_PRIVATE_H
#define MAINSTEM_NATS_PRIVATE_H

#include <mainstem/nats.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct bridge;

/* message.c: what went wrong --------------------------------------------------------------------- */

/* Keeps a reason for mainstem_nats_last_error, and returns the status. */
mainstem_status refuse(mainstem_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Why a bridge does not work. */
struct failure {
  mainstem_status status;
  bool is_final;
  char message[256];
};

/* Fills in a failure, and returns false. */
bool fail(struct failure *failure, mainstem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with the reason that NATS gave to this thread. */
bool fail_as(struct failure *failure, natsStatus reason, jsErrCode code, const char *what);
/* The same, with the server's own words. */
bool fail_for(struct failure *failure, natsStatus reason, jsErrCode code, const char *what,
              const char *text);

/* Replaces what could end a line or control a terminal. */
void make_plain(char *text);

/* subject.c: names as NATS takes them -------------------------------------------------------------- */

enum { LONGEST_PREFIX = 512, LONGEST_SUBJECT = 2400, LONGEST_VALUE = 800, LONGEST_NAME = 255 };

/* "PREFIX.layer.type". */
void write_subject(char *subject, const char *prefix, const char *layer, const char *type);
/* "PREFIX._journal.ID". */
void write_journal_subject(char *subject, const char *prefix, const char *id);
/* A name as a header's value; returns its length. */
size_t write_value(char *value, const char *name);
/* The name of which it was made, at most LONGEST_NAME bytes. */
void read_value(char *name, const char *value);
/* "$MAINSTEM.verb.PREFIX.type": no prefix begins so, so that no mirror's stream has it. */
void write_request_subject(char *subject, const char *verb, const char *prefix, const char *type);
/* Whether a prefix, or a stream's name, is one that NATS takes. */
bool is_prefix(const char *text);
bool is_stream(const char *text);

/* settings.c: the options, copied ----------------------------------------------------------------- */

/* The fields of the options that are not about the connection. */
enum {
  FIELD_PREFIX = 1,
  FIELD_STREAM = 2,
  FIELD_REPLICAS = 4,
  FIELD_WINDOW = 8,
  FIELD_LAYERS = 16,
  FIELD_TYPES = 32,
  FIELD_QUEUE = 4096,
  FIELD_TIMEOUT = 8192,
  FIELD_SCHEDULER = 16384,
  FIELD_AS = 64,
  FIELD_SOURCE = 128,
  FIELD_SCOPE = 256,
  FIELD_RIGHTS = 512,
  FIELD_DURABLE = 1024,
  FIELD_JOURNAL = 2048,
};

/* What bridges keep to: entries or requests under way, their bytes, and how long a server may be silent. */
enum { WINDOW = 4096, WINDOW_BYTES = 8 << 20, PATIENCE_MS = 10000 };

/* What bridges of one kind have in common: all that Bridge/ knows of a kind. */
struct kind {
  const char *function; /* That begins one, for messages. */
  const char *noun;     /* What one is called. */
  uint32_t fields;      /* Which fields of the options it reads. */
  uint32_t window;      /* What the window is without options. */
  /* One connection: works until something goes wrong, or the bridge is closing. */
  void (*work)(struct bridge *bridge, struct failure *failure);
  /* Gives back the state, with the lock, after the last work. Of a bridge that was not begun, it may be made in part or
     be NULL. */
  void (*end)(struct bridge *bridge);
  /* What must be ended on the thread that closes; may refuse. Or NULL. With the lock, which it may give up meanwhile. */
  mainstem_status (*leave)(struct bridge *bridge);
  /* Wakes a work that waits elsewhere than in wait_for_change. Or NULL. With the lock. */
  void (*wake)(struct bridge *bridge);
  /* Does what is due while there is no server, and says when to be called again. Or NULL. With the lock, as above. */
  int64_t (*keep_time)(struct bridge *bridge);
  /* Waits for a change, in a flush. NULL: wait_for_change. As above. */
  mainstem_status (*wait)(struct bridge *bridge, int64_t ms);
};

enum { TEXTS = 16 };

struct settings {
  union {
    struct {
      char *url, *name, *user, *password, *credentials, *authorities, *certificate, *key, *host;
      char *path, *prefix, *stream, *queue, *source, *scope, *durable;
    };
    char *texts[TEXTS];
  };
  char **layers, **types; /* Each ends with NULL; NULL: all. */
  uint32_t flags, replicas, window, timeout_ms;
};

mainstem_status settings_copy(struct settings *settings, const struct kind *kind, const char *path,
                              const mainstem_nats_options *options);
void settings_free(struct settings *settings);

/* server.c: the connection, and the stream --------------------------------------------------------- */

/* Entries of a stream that are read. */
struct reader {
  natsConnection *connection;
  natsSubscription *messages;
  natsInbox *inbox;
  char subject[2 * LONGEST_NAME + 64]; /* Where it asks. */
  uint64_t left;                       /* How many there were when it began. */
  uint64_t asked;                      /* How many may still come. */
  bool has_got;                        /* Something came of the last request. */
};

enum { READERS = 3 };

/* Which entries: from one on, all or those of a subject. */
struct range {
  const char *subject;
  uint64_t begin;
  bool has_headers_only;
};

struct server {
  natsConnection *connection;
  jsCtx *js;
  struct reader
      readers[READERS];  /* End after the connection: then nothing comes for them any more. */
  struct reader *reader; /* The newest one; NULL: there is none. */
  size_t most;           /* What an entry may have, data and headers. */
  uint64_t first, last;  /* The stream's first and last entry when it was looked at. */
};

/* What NATS calls, on threads of its own, with the bridge. */
struct answers {
  jsPubAckHandler entry; /* NULL: no entry is sent. */
  natsErrHandler error;
  /* NULL, or: sets more options of the connection. */
  natsStatus (*habits)(natsOptions *options, void *bridge);
  struct bridge *bridge; /* NULL: there is none. */
};

/* Connects. */
bool server_connect(natsConnection **connection, const struct settings *settings,
                    const struct answers *answers, struct failure *failure);
/* Connects, to JetStream. */
bool server_open(struct server *server, const struct settings *settings,
                 const struct answers *answers, struct failure *failure);
/* Finds the stream, or makes it. */
bool server_find_stream(struct server *server, const struct settings *settings, bool may_make,
                        struct failure *failure);
void server_close(struct server *server);

/* server.c: entries of a stream -------------------------------------------------------------------- */

/* Begins to read entries of the stream, at most READERS times in a connection. */
natsStatus reader_open(struct server *server, const struct settings *settings,
                       const struct range *range, jsErrCode *code);
/* The next entry. Where the server must be asked, it is asked for so many entries, and no more bytes than that. */
natsStatus reader_next(struct reader *reader, uint64_t most, int64_t bytes, natsMsg **message);
void reader_close(struct reader *reader);

/* bridge.c: what bridges have in common ------------------------------------------------------------- */

/* One bridge: a place in the table, which is used again and never freed, because an answer of the server may come
   late, on a thread that nobody can wait for. All but the kind and the settings is under its lock. */
struct bridge {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t generation;
  bool is_used, is_closing;
  bool is_leaving; /* It is leaving its context. */
  int64_t
      visits_ms; /* Since when its thread is in a call that may wait for the program; 0: it is in none. */
  bool ends_itself; /* Its thread gives everything back, because nobody waits for it. */
  unsigned waiting; /* Calls that are in mainstem_nats_flush. */
  pthread_t thread;
  const struct kind *kind;
  struct settings settings;
  struct failure failure; /* What NATS found, on a thread of its own. */
  mainstem_nats_stats stats;
  uint64_t asked, flushed; /* The last flush asked for, and the last one done. */
  int64_t asked_ms;
  void *state; /* The kind's own; NULL: it has none yet, or none any more. */
};

/* The state of a bridge; NULL: it is of another kind by now, or has none. With the lock. */
void *bridge_state(const struct bridge *bridge, const struct kind *kind);
/* Milliseconds of a clock that only goes forward. */
int64_t now_ms(void);
void condition_init(pthread_cond_t *condition); /* Whose waits are timed by that clock. */
/* Waits for a change, but no longer than that; with the lock. */
void wait_for_change(struct bridge *bridge, int64_t ms);
/* Whether it is to go on; with the lock. */
bool is_going(const struct bridge *bridge);
/* The bridge's thread lets go of the lock for a call that may wait for room in a queue of the program's, and takes it
   again. */
void bridge_visit(struct bridge *bridge);
void bridge_return(struct bridge *bridge);

/* Takes a bridge that is free, locked, with these settings, which it owns from then on, also if the call is refused. */
mainstem_status bridge_take(const struct kind *kind, struct settings *settings,
                            mainstem_nats **handle, struct bridge **bridge);
/* Gives one back that was taken and not begun, and returns the status. */
mainstem_status bridge_refuse(struct bridge *bridge, mainstem_status status,
                              mainstem_nats **handle);
/* Begins its thread, and unlocks it. Refused, also where there was no memory for what is the kind's own, it is given
   back, and the handle is NULL. */
mainstem_status bridge_begin(struct bridge *bridge, bool has_memory, mainstem_nats **handle);

/* bridge.c: handles ---------------------------------------------------------------------------------- */

enum { MOST_BRIDGES = 1024 };

/* Refuses a process that is a child of one with bridges: the threads of NATS are not in it. */
mainstem_status table_enter(const struct kind *kind);
/* Whether one of a kind is what is looked for. It is asked with the bridge's lock. */
bool table_has(const struct kind *kind, bool (*is_wanted)(const struct bridge *, void *),
               void *wanted);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of an import know of each other. Read it from top to bottom: that is the order of flow. */

#ifndef MAINSTEM_NATS_IMPORT_PRIVATE_H
#define MAINSTEM_NATS_IMPORT_PRIVATE_H

#include "../Entries/entries.h"

#include <mainstem.h>

enum { ID_BYTES = ID_DIGITS / 2 };

/* books.c: the journals whose events come in -------------------------------------------------------- */

struct source {
  uint8_t id[ID_BYTES];
  uint64_t taken; /* The last position that the context has, or never will. */
  uint64_t seen;  /* The last position that is on its way there. */
};

/* An open hash table: the key makes its order a secret of this process. */
struct sources {
  struct source *rows;
  size_t count, capacity;
  uint64_t key;
};

/* Finds a journal, or adds it; NULL: there is no room. */
struct source *sources_find(struct sources *sources, const uint8_t *id);
/* Nothing is on its way any more. */
void sources_rewind(struct sources *sources);
void sources_free(struct sources *sources);
/* 32 digits as 16 bytes; false: they are none. */
bool source_read_id(uint8_t *id, const char *digits);

/* consumer.c: an entry as it comes ------------------------------------------------------------------ */

/* A type that the program takes in. */
struct wanted {
  char *name;  /* In the stream. */
  char *value; /* The name as a header's value. */
  char *layer; /* The last layer that an entry of it named, and how its subject ends with that. */
  char *end;
  mainstem_event_type type;
  mainstem_contract contract;
};

struct arrival {
  uint64_t sequence, ordinal; /* Which entry of the stream; which message of the consumer. */
  uint64_t deliveries;
  int64_t time; /* When the server took it in. */
  uint8_t id[ID_BYTES];
  uint64_t position;
  struct wanted *wanted;
  const char *data; /* The payload; the message owns it. */
  uint32_t size;
};

enum fate { ARRIVAL_WANTED, ARRIVAL_PASSED, ARRIVAL_LEFT_OUT, ARRIVAL_REFUSED };

/* Reads which entry a message is, from the subject of its answer; false: it is none. */
bool arrival_locate(struct arrival *arrival, const char *reply);
/* Reads and checks an entry. `wanted` ends with a row without a name. Refused: `why` gets the reason. */
enum fate arrival_read(struct arrival *arrival, natsMsg *message, struct wanted *wanted,
                       const char **why);

/* books.c: the payload of NATSImported -------------------------------------------------------------- */

/* An entry that was taken in. */
struct taken {
  uint8_t id[ID_BYTES];
  uint64_t position, sequence;
};

/* Where a stream was read to. The server never gives the same number and time to another entry. */
struct anchor {
  uint64_t sequence;
  int64_t time;
};

/* A note that is read, entry by entry. */
struct reading {
  const char *at, *end;
  struct anchor anchor;
  struct taken next;
  uint64_t left; /* Entries of the run that begins with `next`. */
};

/* Writes the note of these entries; NULL: no memory. */
char *note_write(const char *stream, struct anchor anchor, const struct taken *taken,
                 uint32_t count, size_t *length);
/* Begins to read a note; false: it is none of this stream. */
bool note_read(struct reading *reading, const char *stream, const char *text, size_t length);
/* The next entry; false: there are no more. */
bool note_next(struct reading *reading, struct taken *taken);

/* books.c: what was taken in ------------------------------------------------------------------------ */

enum { ANCHORS = 64 };

struct books {
  struct sources sources;
  struct anchor anchors[ANCHORS]; /* The newest ones, in a ring. */
  uint64_t anchored;              /* How many there were. */
  bool has_forgotten;             /* The journal is a flight recorder's, and has lost its begin. */
  char id[ID_DIGITS + 1];         /* Of the context's own journal; empty: it has none. */
};

void books_anchor(struct books *books, struct anchor anchor);
/* Reads the context's own journal, and its last position. */
bool books_read(struct books *books, const char *path, const char *stream, const char *scope,
                uint64_t *last, struct failure *failure);

/* batch.c: entries on their way into the context ---------------------------------------------------- */

enum { BATCH = 512, BATCH_BYTES = 4 << 20 };

struct batch {
  char *buffer; /* Headers from the front, with room for all; then the payloads. */
  size_t size, capacity;
  struct taken *taken;
  uint32_t room, count;
  uint32_t first; /* Those before it are done with. */
  uint64_t bytes; /* Of payloads. */
  bool is_begun;  /* It covers at least one entry, wanted or not. */
  struct anchor anchor;
  natsMsg *last; /* Whose answer acknowledges all of it. */
};

bool batch_make(struct batch *batch, uint32_t room);
/* The entries that wait. */
uint32_t batch_left(const struct batch *batch);
void batch_clear(struct batch *batch);
void batch_free(struct batch *batch);

/* intake.c: the context's side ---------------------------------------------------------------------- */

/* Owned by the bridge and by the context's observer; the last one frees it. */
struct intake {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned owners;
  mainstem_context *context, *scope;
  uint64_t number; /* The scope's. */
  mainstem_subscription *subscription;
  mainstem_event_type noted;
  struct wanted *wanted;
  bool is_recorded, is_over, is_posting;
  uint64_t barrier; /* Accepted before the import began. */
  struct batch batches[2];
  /* What was handed over, and what came of it. */
  enum { INTAKE_IDLE, INTAKE_HANDED, INTAKE_DONE } stage;
  struct batch *handed;
  char *note;
  size_t note_length;
  size_t accepted;
  mainstem_status status;
  char message[200];
  uint64_t position; /* Everything accepted is at it, or before. */
  /* Of a note that is held: who has the note once more, and whether that is the note handed over last. */
  mainstem_subscription *held;
  bool is_held, keeps_notes;
};

/* Adds the scope, its type and its observer, on the context's thread. */
mainstem_status intake_open(struct intake **intake, mainstem_context *context,
                            const mainstem_nats_options *options, const struct settings *settings);
/* Hands a batch over. */
mainstem_status intake_hand(struct intake *intake, struct batch *batch, const char *stream);
/* What the note's observers do. */
void intake_take_note(void *user_data, const mainstem_event *event);
/* Whether a batch may go in another time: there is no room now. */
bool intake_may_come_later(mainstem_status status);
/* Waits until the batch was taken, but no longer than that; false: it was not yet. */
bool intake_wait(struct intake *intake, int64_t ms);
/* Whether the context has ended, or the scope. */
bool intake_is_over(struct intake *intake);
/* Ends the context's side, on its thread. */
mainstem_status intake_leave(struct intake *intake);
/* One owner more, and one less. */
void intake_own(struct intake *intake);
void intake_release(struct intake *intake);

/* intake.c: a note whose batch found no room -------------------------------------------------------- */

/* Holds the note whose callback this is for another try, if the context has kept it. */
void held_keep(struct intake *intake);
/* Nothing is held any more; on the context's thread. */
void held_drop(struct intake *intake);
/* Hands over, once more, what was handed over last; false: it needs a note of its own. On the bridge's thread. */
bool held_ask(struct intake *intake);

/* consumer.c: the server's side --------------------------------------------------------------------- */

struct consumer {
  struct server *server;
  const char *stream, *name;
  natsSubscription *messages;
  char *inbox;
  uint64_t begin; /* The entry that it was made to begin with. */
  int64_t made;   /* When, by the server's clock: another one of this name has another time. */
  uint64_t ordinal, sequence; /* Of the last message. */
  uint32_t asked;             /* Messages that it may still send. */
  bool is_single;             /* It asks for one message, of any size. */
  bool has_got;               /* The last request got something. */
  bool is_known;    /* What the last request gets is from this consumer, and not another's. */
  uint64_t empties; /* Requests that got nothing. */
  int64_t heard_ms, asked_ms;
  int64_t next_ms; /* It asks again from then on. */
};

/* Makes the consumer anew, from where the books say, or where the last one was. */
bool consumer_open(struct consumer *consumer, const struct books *books, bool is_recorded,
                   struct failure *failure);
/* The next message, or NULL if none came in that time. */
bool consumer_next(struct consumer *consumer, uint32_t batch, int64_t ms, natsMsg **message,
                   struct arrival *arrival, struct failure *failure);
/* Acknowledges everything up to a message. */
void consumer_acknowledge(struct consumer *consumer, natsMsg *message);
void consumer_close(struct consumer *consumer);

/* import.c: what the other parts share ---------------------------------------------------------------- */

/* What becomes of the batch that is on its way. */
enum stage { STAGE_NONE, STAGE_TO_HAND, STAGE_HANDED };

/* Batches that the context has accepted, and not yet written: the oldest, and all others as one. */
struct unwritten {
  uint64_t position; /* Written when this is. */
  struct anchor anchor;
  natsMsg *last;
};

/* The state of an import: what it remembers from one connection to the next. */
struct import {
  struct intake *intake;
  struct books books;
  bool has_read;
  struct batch *coming, *going;
  enum stage stage;
  struct unwritten unwritten[2];
  int unwritten_count;
  uint64_t passed;  /* Entries passed over since the last note. */
  int64_t pause_ms; /* How long to wait before the context is tried again. */
  char name[300];   /* The consumer's. */
};

/* One connection. */
struct session {
  struct bridge *bridge;
  struct import *import;
  const struct settings *settings;
  struct server server;
  struct consumer consumer;
  uint64_t asked;   /* The last flush that was begun, */
  uint64_t wanted;  /* what the stream had then, */
  uint64_t empties; /* and how often there was nothing more. */
  struct failure failure;
};

bool session_is_closing(struct session *session);
/* Fills in a failure after which nothing is tried again, and returns false. */
bool session_fail(struct session *session, mainstem_status status, const char *reason);
bool session_fail_as_over(struct session *session);
/* How it does, for those who ask. */
void session_note_state(struct session *session, mainstem_status status, const char *reason);
void session_note_refused(struct session *session, uint64_t sequence, const char *why);
/* Waits a little, for a change of the bridge. */
void session_rest(struct session *session, int64_t ms);

/* written.c: the context's own journal ---------------------------------------------------------------- */

/* Reads what was taken in by earlier sessions, once. */
bool written_read_books(struct session *session);
/* False, with a failure: the context's journal has stopped, so that nothing will be accepted any more. */
bool written_goes_on(struct session *session);
/* Notes that the context has accepted a batch, and empties it. */
void written_add(struct session *session, struct batch *batch);
/* Acknowledges what is written by now. */
bool written_settle(struct session *session);
/* The messages of this connection cannot be answered any more; what is before `begin` is done with. */
void written_forget(struct import *import);
void written_begin(struct session *session, uint64_t begin);

/* batch.c: what comes --------------------------------------------------------------------------------- */

/* Fetches what the server has, and waits for it only if there is nothing else to do. */
bool collect_entries(struct session *session);

/* books.c: what a context without a journal took in --------------------------------------------------- */

/* Takes over what the last import of this stream and scope knew, */
void remembered_take(struct import *import, const struct settings *settings);
/* and leaves it to the next one. */
void remembered_give(struct import *import, const struct settings *settings);

/* batch.c: what goes in ------------------------------------------------------------------------------- */

/* The batch that has come is the next to go in, if none is on its way. */
void deliver_next(struct session *session);
/* Brings the batch one step forward; waits for the context, but not for long. */
bool deliver_advance(struct session *session);
/* At the end: what the context has taken in meanwhile counts. */
void deliver_last(struct session *session);

#endif

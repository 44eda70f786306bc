// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the bridge knows of a stream's entries: what they are, and where they stand. */

#ifndef MAINSTEM_NATS_ENTRIES_PRIVATE_H
#define MAINSTEM_NATS_ENTRIES_PRIVATE_H

#include "../Bridge/bridge.h"

/* entry.c: a record as an entry of a stream --------------------------------------------------------- */

/* The size of a payload that was left out; and that the files of the journal have numbers. */
#define LEFT_OUT "Mainstem-Payload"
#define NUMBERED "Mainstem-Numbered"

enum { ID_DIGITS = 32, IDENTITY = ID_DIGITS + 80 };

/* Where a record of a journal stands: the last event's position; behind the event, the number of the file, and which of
   the records that are not events it is there. A file's header is number 0, and at the last position before the file. */
struct point {
  uint64_t position, file, number;
};

/* The header of a file: docs/journal-format.md. */
struct file_header {
  uint8_t magic[8];
  uint32_t version, size;
  uint8_t id[16];
  uint64_t number, first;
  uint32_t link, zero;
  int64_t made;
  uint8_t zeros[60];
  uint32_t checksum;
};

/* Below 0: the first one comes first. */
int point_compare(const struct point *one, const struct point *other);

/* What an event is called, as long as its journal is not read on. */
struct names {
  const char *type, *layer, *origin, *response;
  mainstem_contract contract;
};

/* Which entry of the stream another one comes after. */
struct behind {
  const char *stream;
  uint64_t sequence;
  char id[IDENTITY]; /* Empty: only the sequence is known. */
};

/* What entries of a journal have in common. */
struct envelope {
  const char *prefix;
  char id[ID_DIGITS + 1];
  bool is_numbered;     /* Whether the journal's files have numbers. */
  struct behind behind; /* The last entry of the stream, once all that was sent is there. */
  size_t most;          /* Bytes that data and headers may have. */
};

struct entry {
  char id[IDENTITY];
  natsMsg *message;
  uint64_t position; /* In its data. */
  size_t bytes;      /* Of its data. */
  bool is_left_out;
};

/* Makes the entry of an event. */
natsStatus entry_make(struct entry *entry, const struct envelope *envelope,
                      const mainstem_event *event, const struct names *names);
/* Makes the entry of a record that is not an event. */
natsStatus entry_make_own(struct entry *entry, const struct envelope *envelope,
                          const struct point *point, const mainstem_event *record);
/* Makes an entry that only says: up to here. */
natsStatus entry_make_mark(struct entry *entry, const struct envelope *envelope,
                           const struct point *point);

/* What an entry says that it is. */
struct identity {
  char id[ID_DIGITS + 1];
  struct point point;
  bool is_mark;
};

/* Whether a message is an entry of a journal, and which. */
bool entry_identify(natsMsg *message, struct identity *identity);
/* Whether it is where a mirror put it. Copies of entries that somebody publishes again are elsewhere. */
bool entry_is_at(natsMsg *message, uint64_t sequence);

/* place.c: where a stream stands ------------------------------------------------------------------- */

struct place {
  uint64_t sequence;  /* The stream's last entry. */
  natsMsg *message;   /* The journal's last entry; NULL: the stream has none. */
  uint64_t at;        /* Which entry of the stream that is. */
  struct point point; /* And where that stands. */
  bool is_mark;
  bool has_foreign; /* The search met an entry that no mirror made. */
  uint64_t
      last_foreign; /* The last entry known that is on the journal's subject, or has its id, and that no mirror made.
                            Kept from search to search, so that each is counted once. */
  uint32_t foreign; /* How many of these were found behind it. */
};

bool place_find(struct place *place, struct server *server, const struct settings *settings,
                const char *id, struct failure *failure);
/* Whether the journal's last entry is this record, but for a payload that was left out. */
bool place_is(const struct place *place, const mainstem_event *record);
void place_free(struct place *place);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the files of fetch know of each other. Read it from top to bottom: that is the order of flow. */

#ifndef MAINSTEM_NATS_FETCH_PRIVATE_H
#define MAINSTEM_NATS_FETCH_PRIVATE_H

#include "../Entries/entries.h"

/* copy.c: a journal's files, made of records ----------------------------------------------------------- */

/* CRC-32C, continued from that of the bytes before; 0: there are none. */
uint32_t checksum(uint32_t seed, const void *data, size_t size);

/* Files that are being made, and removed with the copy unless they were installed. */
struct copy {
  char *base;        /* Their path, without the numbers. */
  FILE *file;        /* The open one. */
  uint64_t *numbers; /* Of each. */
  uint64_t files;
  uint32_t key,
      link; /* The seed of the checksums in the open file; the checksum of the last record. */
};

bool copy_begin(struct copy *copy, const char *path, struct failure *failure);
bool copy_begin_file(struct copy *copy, const struct file_header *header, struct failure *failure);
/* Adds a record, with the link that it must have. */
bool copy_add(struct copy *copy, const mainstem_event_header *header, const void *payload,
              struct failure *failure);
/* Everything is on the disk. */
bool copy_finish(struct copy *copy, struct failure *failure);
/* Moves the files to where they belong, PATH or PATH.000001 and so on; refused where any is. */
bool copy_install(struct copy *copy, const char *path, bool is_numbered, struct failure *failure);
void copy_free(struct copy *copy);

/* gather.c: entries of a stream, made records again ------------------------------------------------------- */

/* The names that numbers have in the session, by their hash: a table of powers of two. */
struct described {
  struct described_name *names;
  size_t count, capacity;
};

void described_free(struct described *described);

struct gather {
  struct copy copy;
  char id[ID_DIGITS + 1]; /* Empty: that of the first entry. */
  bool is_whole;          /* So far, nothing is missing. */
  bool is_numbered, is_at_begin;
  bool has_places;    /* Entries are where a mirror put them. */
  struct point point; /* Of the last entry. */
  uint64_t last;      /* The last position. */
  uint32_t version;   /* Of the format. */
  uint64_t entries, left_out;
  struct described described;
};

/* Takes an entry of the journal. What no mirror made is left out, and so is what is not where a mirror put it, if others
   are. */
bool gather_take(struct gather *gather, natsMsg *message, const struct identity *identity,
                 bool is_at_its_place, struct failure *failure);

#endif

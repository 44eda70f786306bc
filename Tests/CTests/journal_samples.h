// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Journals with a little of everything, and where their records begin: to be damaged. */

#ifndef JOURNAL_SAMPLES_H
#define JOURNAL_SAMPLES_H

#include "journal_bytes.h"

enum { MOST = 2000 };

/* A journal, and where its records begin. */
typedef struct original {
  journal_bytes journal;
  size_t begin[MOST + 1]; /* The last is the end of the file. */
  size_t count;
  char path[512];
} original;

static uint64_t state = 20261121;

static inline uint64_t pick(uint64_t bound) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31)) % bound;
}

static inline void find_records(original *made) {
  size_t at = FILE_HEADER;
  while (at < made->journal.size) {
    uint32_t size;
    memcpy(&size, made->journal.bytes + at + 40, 4);
    made->begin[made->count++] = at;
    at += (64 + (size_t)size + 4 + 7) / 8 * 8;
  }
  made->begin[made->count] = at;
}

/* A journal of at least `size` bytes: events of 0 to 600 bytes, and all that is no event. */
static inline original make(uint64_t id, size_t size) {
  static uint8_t payload[600];
  original made = {.journal = journal_file(id, NULL)};
  for (size_t i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)pick(256);
  journal_session(&made.journal, 0);
  journal_type(&made.journal, 1, MAINSTEM_PAYLOAD_BYTES, "Sample", "");
  journal_name(&made.journal, ORIGIN, 1, "Scope");
  while (made.journal.size < size) {
    journal_event(&made.journal, 1, payload, pick(4) == 0 ? 0 : pick(sizeof payload));
    if (pick(9) == 0) journal_skip(&made.journal, 1 + pick(5));
    if (pick(9) == 0) journal_digest(&made.journal, DIGEST, pick(UINT64_MAX));
  }
  journal_event(&made.journal, 1, payload, 40);
  find_records(&made);
  snprintf(made.path, sizeof made.path, "%s", journal_path("damage"));
  journal_write(&made.journal, made.path);
  return made;
}

static inline void destroy(original *made) {
  unlink(made->path);
  journal_free(&made->journal);
}

static inline int is_event(const original *made, size_t record) {
  uint32_t type;
  memcpy(&type, made->journal.bytes + made->begin[record] + 48, 4);
  return type != 0;
}

/* Whether an event is the original's record: all of it but the link. */
static inline void expect_same(const original *made, size_t record, const mainstem_event *event) {
  const uint8_t *bytes = made->journal.bytes + made->begin[record];
  EXPECT(memcmp(bytes, event, 44) == 0);
  EXPECT(memcmp(bytes + 48, (const uint8_t *)event + 48, 16) == 0);
  EXPECT(memcmp(bytes + 64, event->data, event->size) == 0);
}

static inline void write_at(int fd, const void *bytes, size_t count, size_t at) {
  EXPECT(pwrite(fd, bytes, count, (off_t)at) == (ssize_t)count);
}

/* Writes the original with one stretch of it replaced by other bytes. */
static inline void put_in(const original *made, size_t from, size_t to, const uint8_t *bytes,
                          size_t count) {
  int fd = open(made->path, O_RDWR | O_TRUNC);
  const uint8_t *all = made->journal.bytes;
  EXPECT(fd >= 0 && write(fd, all, from) == (ssize_t)from);
  EXPECT(count == 0 || write(fd, bytes, count) == (ssize_t)count);
  EXPECT(write(fd, all + to, made->journal.size - to) == (ssize_t)(made->journal.size - to));
  close(fd);
}

#endif

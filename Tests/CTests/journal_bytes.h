// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Journals made by hand, from docs/journal-format.md alone: nothing of the library's is used, so that what
 * reads them is tested against the page.
 */

#ifndef JOURNAL_BYTES_H
#define JOURNAL_BYTES_H

#include "folder.h"

#include <fcntl.h>
#include <sys/stat.h>

enum {
  SESSION = 1,
  TYPE = 2,
  LAYER = 3,
  ORIGIN = 4,
  DIGEST = 5,
  SKIPPED = 6,
  END = 7,
  READ_POINT = 8,
  CLOSING = 9,
  REFUSED = 10
};
enum { FILE_HEADER = 128 };

typedef struct journal_bytes {
  uint8_t *bytes;
  size_t size, capacity;
  uint32_t key, link;
  uint64_t last; /* The last position. */
  uint64_t id[2], number;
  uint32_t version;
} journal_bytes;

static inline uint32_t crc32c(uint32_t seed, const void *memory, size_t count) {
  static uint32_t table[256];
  const uint8_t *bytes = (const uint8_t *)memory;
  uint32_t crc = ~seed;
  for (uint32_t i = 0; table[255] == 0 && i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = (table[i] >> 1) ^ (table[i] & 1 ? 0x82F63B78 : 0);
  }
#ifdef __SSE4_2__ /* Who fuzzes makes millions. */
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = (uint32_t)__builtin_ia32_crc32di(crc, word);
  }
#endif
  for (size_t i = 0; i < count; i++) crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

static inline void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, 4); }
static inline void put64(uint8_t *at, uint64_t value) { memcpy(at, &value, 8); }

/* Room for `count` more bytes, zeros. */
static inline uint8_t *journal_grow(journal_bytes *journal, size_t count) {
  if (journal->size + count > journal->capacity) {
    journal->capacity = (journal->size + count) * 2;
    journal->bytes = (uint8_t *)realloc(journal->bytes, journal->capacity);
    EXPECT(journal->bytes != NULL);
  }
  uint8_t *at = journal->bytes + journal->size;
  memset(at, 0, count);
  journal->size += count;
  return at;
}

/* A file's header; `before` is the file before it, or NULL. */
static inline journal_bytes journal_file(uint64_t id, const journal_bytes *before) {
  journal_bytes journal = {0};
  uint8_t *header = journal_grow(&journal, FILE_HEADER);
  journal.id[0] = id;
  journal.id[1] = ~id;
  journal.number = before != NULL ? before->number + 1 : 1;
  journal.last = before != NULL ? before->last : 0;
  memcpy(header, "\x89MSJ\r\n\x1a\n", 8);
  journal.version = before != NULL && before->version != 0 ? before->version : 3;
  put32(header + 8, journal.version);
  put32(header + 12, FILE_HEADER);
  put64(header + 16, journal.id[0]);
  put64(header + 24, journal.id[1]);
  put64(header + 32, journal.number);
  put64(header + 40, journal.last + 1);
  put32(header + 48, before != NULL ? before->link : 0);
  put64(header + 56, 1700000000000000000);
  journal.link = crc32c(0, header, 124);
  put32(header + 124, journal.link);
  journal.key = crc32c(0, header + 16, 24);
  return journal;
}

/* Makes the file, which has no record yet, one of another version. */
static inline void journal_set_version(journal_bytes *journal, uint32_t version) {
  journal->version = version;
  put32(journal->bytes + 8, version);
  journal->link = crc32c(0, journal->bytes, 124);
  put32(journal->bytes + 124, journal->link);
}

/* A record as the header says; its link and checksum are filled in. Gives where it begins. */
static inline size_t journal_record(journal_bytes *journal, mainstem_event_header header,
                                    const void *payload) {
  size_t length = (64 + (size_t)header.size + 4 + 7) / 8 * 8, begin = journal->size;
  uint8_t *at = journal_grow(journal, length);
  header.offset = journal->link;
  memcpy(at, &header, 64);
  if (header.size > 0) memcpy(at + 64, payload, header.size);
  journal->link = crc32c(journal->key, at, length - 4);
  put32(at + length - 4, journal->link);
  return begin;
}

static inline size_t journal_says(journal_bytes *journal, mainstem_status kind, const void *payload,
                                  size_t size) {
  mainstem_event_header header = {.position = journal->last,
                                  .time = 1700000000000000000,
                                  .status = kind,
                                  .size = (uint32_t)size};
  return journal_record(journal, header, payload);
}

static inline void journal_session(journal_bytes *journal, uint32_t flags) {
  uint8_t payload[45] = {0};
  put64(payload, 1700000000000000000);
  put64(payload + 8, 42);
  put64(payload + 16, 0x9E3779B97F4A7C15);
  put32(payload + 24, 4711);
  put32(payload + 32, flags);
  memcpy(payload + 40, "0.1.0", 5);
  journal_says(journal, SESSION, payload, sizeof payload);
}

static inline void journal_type(journal_bytes *journal, uint32_t number, uint64_t contract,
                                const char *name, const char *response) {
  uint8_t payload[600] = {0};
  put32(payload, number);
  put64(payload + 8, contract);
  strcpy((char *)payload + 16, name);
  strcpy((char *)payload + 16 + strlen(name) + 1, response);
  journal_says(journal, TYPE, payload, 16 + strlen(name) + 1 + strlen(response) + 1);
}

static inline void journal_name(journal_bytes *journal, mainstem_status kind, uint32_t number,
                                const char *name) {
  uint8_t payload[300] = {0};
  size_t begin = kind == ORIGIN && journal->version > 1 ? 24 : 4;
  put32(payload, number);
  memcpy(payload + begin, name, strlen(name));
  journal_says(journal, kind, payload, begin + strlen(name));
}

static inline void journal_skip(journal_bytes *journal, uint64_t count) {
  uint8_t payload[16];
  put64(payload, journal->last + 1);
  put64(payload + 8, journal->last + count);
  journal_says(journal, SKIPPED, payload, 16);
  journal->last += count;
}

static inline void journal_digest(journal_bytes *journal, mainstem_status kind, uint64_t digest) {
  journal_says(journal, kind, &digest, 8);
}

static inline mainstem_event_header journal_header(journal_bytes *journal, uint32_t type,
                                                   size_t size) {
  mainstem_event_header header = {.position = ++journal->last};
  header.correlation = header.position;
  header.time = 1700000000000000000 + (int64_t)header.position;
  header.type = type;
  header.size = (uint32_t)size;
  header.flags = MAINSTEM_EVENT_OUTSIDE;
  return header;
}

static inline size_t journal_event(journal_bytes *journal, uint32_t type, const void *payload,
                                   size_t size) {
  return journal_record(journal, journal_header(journal, type, size), payload);
}

static inline void journal_write(const journal_bytes *journal, const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(fd >= 0);
  EXPECT(write(fd, journal->bytes, journal->size) == (ssize_t)journal->size);
  close(fd);
}

static inline void journal_free(journal_bytes *journal) {
  free(journal->bytes);
  memset(journal, 0, sizeof *journal);
}

#endif

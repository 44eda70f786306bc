// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Journals in tests: a look into them without the library, contexts that write them. */

#ifndef JOURNAL_H
#define JOURNAL_H

#include "folder.h"
#include "stream.h"

#include <fcntl.h>
#include <sys/stat.h>

static inline size_t journal_size(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? (size_t)found.st_size : 0;
}

static inline size_t journal_length(uint32_t size) {
  return (64 + (size_t)size + 4 + 7) & ~(size_t)7;
}

/* Visits the records of a file until one has no length; checksums are for other tests. */
static inline void journal_each(const char *path,
                                void (*visit)(void *, const mainstem_event_header *, const void *),
                                void *user_data) {
  size_t size = journal_size(path), place = 128;
  char *bytes = (char *)malloc(size + 1);
  int fd = open(path, O_RDONLY);
  EXPECT(fd >= 0);
  EXPECT_EQUAL(read(fd, bytes, size), size);
  close(fd);
  while (place + 72 <= size) {
    mainstem_event_header header;
    memcpy(&header, bytes + place, sizeof header);
    if (header.type == 0 && header.status == 0) break;
    if (journal_length(header.size) > size - place) break;
    visit(user_data, &header, bytes + place + 64);
    place += journal_length(header.size);
  }
  free(bytes);
}

typedef struct journal_found {
  uint64_t events, last;
  int kinds[10];
} journal_found;

static inline void journal_count_one(void *user_data, const mainstem_event_header *header,
                                     const void *data) {
  journal_found *found = (journal_found *)user_data;
  (void)data;
  if (header->type == 0) {
    if (header->status >= 0 && header->status < 10) found->kinds[header->status]++;
    return;
  }
  EXPECT_EQUAL(header->position, found->last + 1);
  found->events++;
  found->last = header->position;
}

/* What is in a file: positions must have no hole. */
static inline journal_found journal_look(const char *path) {
  journal_found found = {0};
  journal_each(path, journal_count_one, &found);
  return found;
}

static inline mainstem_journal_stats journal_stats(mainstem_context *context) {
  mainstem_journal_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_journal_stats_read(context, &stats));
  return stats;
}

static inline mainstem_journal_options journal_options(uint32_t level) {
  mainstem_journal_options options = {.size = sizeof options, .durability = level};
  return options;
}

/* A context that is recorded. */
static inline stream journal_stream(uint32_t threads, const char *path,
                                    const mainstem_journal_options *options) {
  stream on = stream_open(threads);
  EXPECT_OK(mainstem_journal_record(on.context, path, options));
  return on;
}

static inline void journal_end(stream *on) {
  EXPECT_OK(mainstem_context_close(on->context));
  journal_sweep();
}

/* Lets the journal fail behind the library's back: its descriptor is that of a full device. */
static inline void journal_break(const char *path) {
  struct stat wanted, found;
  EXPECT_EQUAL(stat(path, &wanted), 0);
  for (int fd = 3; fd < 1000; fd++) {
    if (fstat(fd, &found) != 0 || found.st_ino != wanted.st_ino || found.st_dev != wanted.st_dev)
      continue;
    int other = open("/dev/full", O_RDWR | O_CLOEXEC);
    EXPECT_EQUAL(dup3(other, fd, O_CLOEXEC), fd);
    close(other);
    return;
  }
  EXPECT(!"the journal is open");
}

static inline mainstem_replay *replay_open(mainstem_context *context, const char *path,
                                           uint32_t mode) {
  mainstem_replay *replay = NULL;
  EXPECT_OK(mainstem_replay_open(context, path, OPTIONS(replay, .mode = mode), &replay));
  return replay;
}

#endif

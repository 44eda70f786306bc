// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What one writes by hand: length, CRC-32C and bytes of each event, one write for a batch, and
 * fdatasync. In a file that grows; in one that was filled with zeros before, so that the disk has
 * nothing to note but the bytes; and in such a one with records as long as ours.
 */

#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept.h"
#include "mainstem_private.h"

enum { SHORT = KEPT + 8, LONG = 168, ZEROS = 18 << 20, CHUNK = 6000 };

typedef struct file {
  int descriptor;
  bool is_durable;
  size_t batch, length;
  uint64_t end;
  uint8_t *bytes;
  pthread_mutex_t lock;
} file;

static void check(bool is_fine, const char *why) {
  if (!is_fine) kept_failed("raw", why);
}

static char *path_in(const char *folder, char path[1024]) {
  snprintf(path, 1024, "%s/events", folder);
  return path;
}

static void fill(int descriptor) {
  uint8_t *zeros = calloc(1, ZEROS);
  check(zeros != NULL, "memory");
  check(pwrite(descriptor, zeros, ZEROS, 0) == ZEROS && fsync(descriptor) == 0, "preallocate");
  free(zeros);
}

static void *open_file(const char *folder, bool is_durable, size_t batch, size_t length) {
  file *made = calloc(1, sizeof *made);
  char path[1024];
  check(made != NULL, "memory");
  made->descriptor = open(path_in(folder, path), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  made->is_durable = is_durable;
  made->batch = batch;
  made->length = length;
  made->bytes = calloc(batch, length);
  check(made->descriptor >= 0 && made->bytes != NULL, "open");
  pthread_mutex_init(&made->lock, NULL);
  return made;
}

static void *open_growing(const char *folder, bool is_durable, size_t batch) {
  return open_file(folder, is_durable, batch, SHORT);
}

static void *open_preallocated(const char *folder, bool is_durable, size_t batch) {
  file *made = open_file(folder, is_durable, batch, SHORT);
  fill(made->descriptor);
  return made;
}

static void *open_long(const char *folder, bool is_durable, size_t batch) {
  file *made = open_file(folder, is_durable, batch, LONG);
  fill(made->descriptor);
  return made;
}

/* Length, checksum, and what has that length. */
static void frame(uint8_t *record, size_t length, const uint8_t *event) {
  const uint32_t size = (uint32_t)(length - 8);
  memcpy(record, &size, sizeof size);
  memcpy(record + 8, event, KEPT);
  const uint32_t sum = mainstem_p_crc32c(0, record + 8, size);
  memcpy(record + 4, &sum, sizeof sum);
}

static void append(void *opened) {
  file *self = opened;
  const size_t size = self->batch * self->length;
  pthread_mutex_lock(&self->lock);
  for (size_t i = 0; i < self->batch; i++)
    frame(self->bytes + i * self->length, self->length, kept_events[i]);
  check(pwrite(self->descriptor, self->bytes, size, (off_t)self->end) == (ssize_t)size, "write");
  self->end += size;
  if (self->is_durable) check(fdatasync(self->descriptor) == 0, "fdatasync");
  pthread_mutex_unlock(&self->lock);
}

static void close_file(void *opened) {
  file *self = opened;
  check(ftruncate(self->descriptor, (off_t)self->end) == 0, "cut");
  close(self->descriptor);
  pthread_mutex_destroy(&self->lock);
  free(self->bytes);
  free(self);
}

static uint64_t sum_of(const uint8_t *records, size_t size, size_t length) {
  uint64_t sum = 0;
  for (size_t place = 0; place + length <= size; place += length) {
    uint32_t head[2];
    memcpy(head, records + place, sizeof head);
    check(head[0] == length - 8 && mainstem_p_crc32c(0, records + place + 8, head[0]) == head[1],
          "checksum");
    sum += records[place + 8];
  }
  return sum;
}

static uint64_t replay_records(const char *folder, size_t length) {
  char path[1024];
  uint8_t *chunk = malloc(CHUNK * length);
  uint64_t sum = 0;
  ssize_t got;
  const int descriptor = open(path_in(folder, path), O_RDONLY | O_CLOEXEC);
  check(descriptor >= 0 && chunk != NULL, "open");
  while ((got = read(descriptor, chunk, CHUNK * length)) > 0)
    sum += sum_of(chunk, (size_t)got, length);
  close(descriptor);
  free(chunk);
  return sum;
}

static uint64_t replay(const char *folder) { return replay_records(folder, SHORT); }

static uint64_t replay_long(const char *folder) { return replay_records(folder, LONG); }

const keeper kept_raw = {"raw", open_growing, append, close_file, replay};
const keeper kept_raw_preallocated = {"raw prealloc.", open_preallocated, append, close_file,
                                      replay};
const keeper kept_raw_long = {"raw 168 bytes", open_long, append, close_file, replay_long};

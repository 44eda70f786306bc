// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Linked into the fuzzed library around Sources/CMainstem/reading.c (ld --wrap): the file named FUZZED is what the
 * fuzzer has in memory, all else is read as ever. A file system would take most of the time.
 */

#include "fuzzed.h"

#include "mainstem_private.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* WRAP(RESULT, NAME, PARAMETERS): declares the real one, and begins the one around it. */
#define WRAP(result, name, ...)                                                                    \
  result __real_mainstem_p_input_##name(__VA_ARGS__) MAINSTEM_P_HIDDEN;                            \
  result __wrap_mainstem_p_input_##name(__VA_ARGS__) MAINSTEM_P_HIDDEN;                            \
  result __wrap_mainstem_p_input_##name(__VA_ARGS__)

/* No descriptor is as high. */
enum { IN_MEMORY = INT_MAX };

static int is_fuzzed(const char *path) { return strcmp(path, FUZZED) == 0; }

WRAP(int, open, const char *path, uint64_t number, struct mainstem_p_input *file) {
  if (!is_fuzzed(path)) return __real_mainstem_p_input_open(path, number, file);
  if (number != 0) return ENOENT;
  file->fd = IN_MEMORY;
  file->size = file->stored = (int64_t)fuzzed.size;
  return 0;
}

WRAP(void, close, int fd) {
  if (fd != IN_MEMORY) __real_mainstem_p_input_close(fd);
}

WRAP(int64_t, read, int fd, void *memory, size_t count, int64_t offset) {
  if (fd != IN_MEMORY) return __real_mainstem_p_input_read(fd, memory, count, offset);
  if (offset < 0 || (size_t)offset >= fuzzed.size) return 0;
  if (count > fuzzed.size - (size_t)offset) count = fuzzed.size - (size_t)offset;
  memcpy(memory, fuzzed.bytes + offset, count);
  return (int64_t)count;
}

WRAP(int64_t, next_data, int fd, int64_t offset, int64_t size) {
  return fd == IN_MEMORY ? offset : __real_mainstem_p_input_next_data(fd, offset, size);
}

WRAP(int, numbers, const char *path, uint64_t *lowest, uint64_t *highest) {
  if (!is_fuzzed(path)) return __real_mainstem_p_input_numbers(path, lowest, highest);
  *lowest = *highest = 0;
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Looking for the password in all of the process's own memory, and in files. */

#ifndef SECRET_SEARCH_H
#define SECRET_SEARCH_H

#include "journal.h"
#include "secret.h"

#include <inttypes.h>

static char window[1 << 16];

/* How often the password is in one region. Read through the kernel: a page may go meanwhile. */
static inline int count_in(int memory, uint64_t from, uint64_t to) {
  const uint64_t step = sizeof window - PASSWORD_SIZE;
  int count = 0;
  for (uint64_t at = from; at < to; at += step) {
    size_t size = to - at < sizeof window ? (size_t)(to - at) : sizeof window;
    ssize_t got = pread(memory, window, size, (off_t)at);
    const char *rest = window;
    long found;
    while (got > 0 && (found = password_find(rest, (size_t)got)) >= 0) {
      count++;
      rest += found + 1;
      got -= found + 1;
    }
  }
  password_forget(window, sizeof window);
  return count;
}

/* How often the password is in memory that may be written: heap, stacks, data. */
static inline int copies(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC), count = 0;
  char line[512];
  EXPECT(maps != NULL && memory >= 0);
  while (fgets(line, sizeof line, maps) != NULL) {
    uint64_t from, to;
    char rights[5];
    EXPECT_EQUAL(sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights), 3);
    if (rights[0] != 'r' || rights[1] != 'w') continue;
    /* The window itself is looked through on the way. */
    if ((uintptr_t)window >= from && (uintptr_t)window < to) {
      count += count_in(memory, from, (uintptr_t)window);
      from = (uintptr_t)window + sizeof window;
    }
    count += count_in(memory, from, to);
  }
  EXPECT_EQUAL(close(memory), 0);
  EXPECT_EQUAL(fclose(maps), 0);
  return count;
}

/* How often the password is in a file, and whether what must be there is. */
static inline int count_in_file(const char *path, const char *sure, int *is_sure) {
  int file = open(path, O_RDONLY | O_CLOEXEC), count;
  uint64_t size = journal_size(path);
  EXPECT(file >= 0);
  count = count_in(file, 0, size);
  *is_sure = 0;
  for (uint64_t at = 0; at < size && !*is_sure; at += sizeof window - PASSWORD_SIZE) {
    ssize_t got = pread(file, window, sizeof window, (off_t)at);
    *is_sure = got > 0 && memmem(window, (size_t)got, sure, strlen(sure)) != NULL;
  }
  EXPECT_EQUAL(close(file), 0);
  return count;
}

#endif

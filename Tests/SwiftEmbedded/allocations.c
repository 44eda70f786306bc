// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Counts what a program allocates. */
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long count;

long allocations(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count++;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12;
}

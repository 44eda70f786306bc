// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* malloc, calloc, realloc and free, which fail at will and count the live blocks. */

#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <errno.h>
#include <stddef.h>

static __thread int countdown = -1; /* Below 0: nothing fails. */
static __thread int only_one;       /* Just one allocation fails, and the later ones do not. */
static long blocks;                 /* Live blocks of this process. */

static int fails(void) {
  if (countdown < 0) return 0;
  if (countdown > 0) {
    countdown--;
    return 0;
  }
  errno = ENOMEM;
  if (only_one) countdown = -1;
  return 1; /* Else it stays 0: all later ones fail too, as when memory is really used up. */
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void *counted(void *block) {
  if (block != NULL) __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
  return block;
}

void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
  if (fails()) return NULL;
  return block == NULL ? counted(__libc_realloc(NULL, size)) : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (fails()) return ENOMEM;
  *block = counted(__libc_memalign(alignment, size));
  return *block == NULL ? ENOMEM : 0;
}

void free(void *block) {
  if (block != NULL) __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
  __libc_free(block);
}

#endif

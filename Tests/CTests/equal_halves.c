// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Two observers of one origin whose memory lies exactly 4 GiB apart, so that the lower halves of all their addresses
 * are equal. Each draws its own numbers, whatever the other draws (law 11).
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "stream.h"

#include <errno.h>
#include <sys/mman.h>

enum { REGION = 1 << 20 };

static char *regions[2]; /* The second one 4 GiB behind the first. */
static size_t used[2];
static int chosen = -1; /* The region that allocations come from; below 0: none. */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static int is_ours(const void *block) {
  for (int i = 0; i < 2; i++) {
    const char *start = regions[i];
    if (start != NULL && (const char *)block >= start && (const char *)block < start + REGION)
      return 1;
  }
  return 0;
}

static void *placed(size_t alignment, size_t size) {
  size_t at = (used[chosen] + alignment - 1) & ~(alignment - 1);
  if (at + size > REGION) return NULL;
  used[chosen] = at + size;
  return regions[chosen] + at;
}

void *malloc(size_t size) { return chosen < 0 ? __libc_malloc(size) : placed(16, size); }

void *calloc(size_t count, size_t size) {
  return chosen < 0 ? __libc_calloc(count, size) : placed(16, count * size);
}

void *realloc(void *block, size_t size) {
  if (!is_ours(block)) return __libc_realloc(block, size);
  void *fresh = malloc(size);
  if (fresh != NULL) memmove(fresh, block, size);
  return fresh;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return chosen < 0 ? __libc_memalign(alignment, size) : placed(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = aligned_alloc(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

void free(void *block) {
  if (!is_ours(block)) __libc_free(block);
}

static void map_regions(void) {
  const size_t apart = (size_t)1 << 32;
  char *whole = (char *)mmap(NULL, apart + REGION, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT(whole != MAP_FAILED);
  for (int i = 0; i < 2; i++) {
    regions[i] = whole + (size_t)i * apart;
    EXPECT_EQUAL(mprotect(regions[i], REGION, PROT_READ | PROT_WRITE), 0);
  }
}

typedef struct drawer {
  int draws;
  uint64_t last;
} drawer;

static void draw(void *user_data, const mainstem_event *event) {
  drawer *self = (drawer *)user_data;
  for (int i = 0; i < self->draws; i++)
    EXPECT_OK(mainstem_context_random(event->context, &self->last));
}

static void watch(stream on, mainstem_context *scope, int region, drawer *self) {
  chosen = region;
  mainstem_status status = mainstem_observe_with(
      on.context, OPTIONS(observe, .types = &on.notice, .type_count = 1, .of = scope), draw, self,
      NULL, NULL);
  chosen = -1;
  EXPECT_OK(status);
}

/* What the second observer draws where the first one draws so many numbers. */
static uint64_t second_number(uint32_t threads, int first_draws) {
  mainstem_context *context = NULL, *scope = NULL;
  drawer other = {0, 0}, first = {first_draws, 0}, second = {1, 0};
  context = CONTEXT_WITH(.threads = threads, .seed = 7);
  stream on = stream_of(context);
  scope = scope_open(on.context, "S");
  watch(on, scope, -1, &other); /* What all observers of an origin share is allocated now. */
  used[0] = used[1] = 0;
  watch(on, scope, 0, &first);
  watch(on, scope, 1, &second);
  EXPECT(used[0] > 0 && used[0] == used[1]);
  EXPECT_OK(mainstem_send(scope, on.notice, "x", 1));
  EXPECT_OK(mainstem_context_close(on.context));
  return second.last;
}

/* Catches: calls that are told apart by half of an address. */
CASE(each_observer_draws_its_own_numbers, IN_BOTH) {
  uint64_t behind_one = second_number(threads, 1);
  EXPECT(behind_one != 0);
  EXPECT_EQUAL(second_number(threads, 5), behind_one);
}

int main(void) {
  map_regions();
  return expect_all();
}

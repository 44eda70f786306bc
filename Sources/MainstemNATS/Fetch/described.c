// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Which name a number has in the session that is being gathered. */

#include "fetch.h"

#include <stdlib.h>

struct described_name {
  uint64_t key; /* 0: free. */
  uint64_t hash;
};

static uint64_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325;
  while (*name != '\0') hash = (hash ^ (unsigned char)*name++) * 0x100000001b3;
  return hash;
}

static struct described_name *find(const struct described *described, uint64_t key) {
  size_t place = (size_t)(key * 0x9E3779B97F4A7C15 >> 20);
  for (;; place++) {
    struct described_name *name = &described->names[place & (described->capacity - 1)];
    if (name->key == key || name->key == 0) return name;
  }
}

static bool widen(struct described *described) {
  struct described wider = {.count = described->count, .capacity = described->capacity * 2 + 64};
  while ((wider.capacity & (wider.capacity - 1)) != 0) wider.capacity &= wider.capacity - 1;
  wider.names = calloc(wider.capacity, sizeof *wider.names);
  if (wider.names == NULL) return false;
  for (size_t i = 0; i < described->capacity; i++)
    if (described->names[i].key != 0) *find(&wider, described->names[i].key) = described->names[i];
  free(described->names);
  *described = wider;
  return true;
}

bool described_has(struct described *described, int32_t kind, uint32_t number, const char *name) {
  const uint64_t key = (uint64_t)kind << 32 | number, hash = hash_of(name);
  if (described->count * 2 >= described->capacity && !widen(described)) return false;
  struct described_name *found = find(described, key);
  if (found->key == key && found->hash == hash) return true;
  described->count += found->key == 0;
  *found = (struct described_name){key, hash};
  return false;
}

void described_free(struct described *described) {
  free(described->names);
  *described = (struct described){0};
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The requests that a serving bridge has taken, by who asks. In a replay the context has them, and no bridge. */

#include "requests.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 14695981039346656037ULL;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211ULL;
  return hash;
}

struct served *served_find(struct served_table *table, const char *reply, size_t length) {
  uint64_t hash = hash_of(reply, length);
  struct served *served = table->buckets[hash % BUCKETS];
  while (served != NULL && (served->hash != hash || strlen(served->reply) != length ||
                            memcmp(served->reply, reply, length) != 0))
    served = served->next;
  return served;
}

struct served *served_add(struct served_table *table, struct bridge *bridge, const char *reply,
                          size_t length, bool is_ours) {
  struct served *served = calloc(1, sizeof *served + length + 1);
  if (served == NULL) return NULL;
  served->bridge = bridge;
  served->generation = bridge->generation;
  served->hash = hash_of(reply, length);
  memcpy(served->reply, reply, length);
  served->is_listed = true;
  served->is_ours = is_ours;
  served->next = table->buckets[served->hash % BUCKETS];
  table->buckets[served->hash % BUCKETS] = served;
  table->count += is_ours;
  return served;
}

void served_remove(struct served_table *table, struct served *served) {
  if (served->is_listed) {
    struct served **at = &table->buckets[served->hash % BUCKETS];
    while (*at != served) at = &(*at)->next;
    *at = served->next;
    table->count -= served->is_ours;
    served->is_listed = false;
  }
  if (!served->is_requested) free(served);
}

struct served *served_any(struct served_table *table) {
  for (int i = 0; i < BUCKETS; i++)
    if (table->buckets[i] != NULL) return table->buckets[i];
  return NULL;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The journals whose events come in, by id. Ids come from the network, so their number is bounded, and where they are
   in the table cannot be guessed. */

#include "import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { FEWEST = 64, MOST = 1 << 20 };

static uint64_t mixed(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  return bits ^ bits >> 31;
}

static size_t place_of(const struct sources *sources, const uint8_t *id) {
  uint64_t halves[2];
  memcpy(halves, id, sizeof halves);
  return mixed(mixed(halves[0] ^ sources->key) ^ halves[1]) & (sources->capacity - 1);
}

/* A row is free if its position is 0 and its id, too: positions begin at 1. */
static bool is_free(const struct source *row) {
  static const struct source none;
  return memcmp(row, &none, sizeof none) == 0;
}

static struct source *look_up(const struct sources *sources, const uint8_t *id) {
  size_t at = place_of(sources, id);
  while (!is_free(&sources->rows[at]) && memcmp(sources->rows[at].id, id, ID_BYTES) != 0)
    at = (at + 1) & (sources->capacity - 1);
  return &sources->rows[at];
}

static bool grow(struct sources *sources) {
  struct sources larger = *sources;
  larger.capacity = sources->capacity == 0 ? FEWEST : sources->capacity * 2;
  larger.rows = calloc(larger.capacity, sizeof *larger.rows);
  if (larger.rows == NULL) return false;
  if (sources->capacity == 0 && getrandom(&larger.key, sizeof larger.key, GRND_NONBLOCK) < 0)
    larger.key = (uint64_t)(uintptr_t)larger.rows ^ (uint64_t)now_ms();
  for (size_t i = 0; i < sources->capacity; i++)
    if (!is_free(&sources->rows[i])) *look_up(&larger, sources->rows[i].id) = sources->rows[i];
  free(sources->rows);
  *sources = larger;
  return true;
}

struct source *sources_find(struct sources *sources, const uint8_t *id) {
  if (sources->count * 4 >= sources->capacity * 3 && !grow(sources)) return NULL;
  struct source *row = look_up(sources, id);
  if (!is_free(row)) return row;
  if (sources->count == MOST) return NULL;
  memcpy(row->id, id, ID_BYTES);
  sources->count++;
  return row;
}

void sources_rewind(struct sources *sources) {
  for (size_t i = 0; i < sources->capacity; i++) sources->rows[i].seen = sources->rows[i].taken;
}

void sources_free(struct sources *sources) {
  free(sources->rows);
  memset(sources, 0, sizeof *sources);
}

static int digit_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool source_read_id(uint8_t *id, const char *digits) {
  for (int i = 0; i < ID_BYTES; i++) {
    int high = digit_of(digits[2 * i]);
    int low = high < 0 ? -1 : digit_of(digits[2 * i + 1]);
    if (low < 0) return false;
    id[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

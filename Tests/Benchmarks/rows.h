// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Rows of lists: a key of 8 bytes and 100 bytes of payload each. */

#ifndef BENCHMARK_ROWS_H
#define BENCHMARK_ROWS_H

#include <string.h>

#include "stream.h"

enum { ROW_KEY = 8, ROW_PAYLOAD = 100 };

typedef struct rows {
  size_t count;
  mainstem_list_row *row;
  char (*keys)[ROW_KEY + 1];
  char (*payloads)[ROW_PAYLOAD];
} rows;

/* Sets row number `index` to that of a number. */
static inline void rows_put(rows *self, size_t index, size_t number) {
  snprintf(self->keys[number], sizeof self->keys[0], "%08zu", number);
  memset(self->payloads[number], (int)('a' + number % 26), ROW_PAYLOAD);
  self->row[index] =
      (mainstem_list_row){self->keys[number], ROW_KEY, self->payloads[number], ROW_PAYLOAD};
}

/* So many rows, and room for the bytes of `more`. */
static inline rows rows_make(size_t count, size_t more) {
  rows self = {count, calloc(count + more, sizeof *self.row),
               calloc(count + more, sizeof *self.keys),
               calloc(count + more, sizeof *self.payloads)};
  if (self.row == NULL || self.keys == NULL || self.payloads == NULL) abort();
  for (size_t i = 0; i < count; i++) rows_put(&self, i, i);
  return self;
}

static inline void rows_free(rows *self) {
  free(self->row);
  free(self->keys);
  free(self->payloads);
}

/* The same rows in their own array, so that they can be in another order. */
static inline mainstem_list_row *rows_copy(const rows *self) {
  mainstem_list_row *copy = calloc(self->count + 1, sizeof *copy);
  if (copy == NULL) abort();
  return memcpy(copy, self->row, self->count * sizeof *copy);
}

static inline void rows_shuffle(mainstem_list_row *row, size_t count) {
  unsigned seed = 1;
  for (size_t i = count; i > 1; i--) {
    seed = seed * 1664525u + 1013904223u;
    size_t other = (seed >> 8) % i;
    mainstem_list_row one = row[i - 1];
    row[i - 1] = row[other];
    row[other] = one;
  }
}

static inline void rows_reverse(mainstem_list_row *row, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    mainstem_list_row one = row[i];
    row[i] = row[count - 1 - i];
    row[count - 1 - i] = one;
  }
}

#endif

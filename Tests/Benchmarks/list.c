// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What setting a list takes that has one observer: 10,000 rows with a key of 8 bytes and 100 bytes of payload. Prints
 * JSON: microseconds of processor time by change, the median of nine rounds.
 */

#include <time.h>

#include "rows.h"

enum { ROWS = 10000, ROUNDS = 9, TIMES = 20, REPLACED = 100 };

typedef struct measured {
  mainstem_context *context;
  mainstem_event_type list;
  uint64_t events;
  rows all, equal;
  mainstem_list_row *other;
  size_t other_count;
  mainstem_list_ends ends;
} measured;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void get(void *user_data, const mainstem_event *event) {
  mainstem_list_change change;
  uint64_t *events = user_data;
  must(mainstem_list_read(event, 0, &change));
  ++*events;
}

static void set(measured *self, const mainstem_list_row *row, size_t count) {
  must(mainstem_list_set(self->context, self->list, row, sizeof *row, count, NULL));
}

static void same(measured *self) {
  set(self, self->all.row, ROWS);
  set(self, self->all.row, ROWS);
}

static void equal(measured *self) {
  set(self, self->equal.row, ROWS);
  set(self, self->equal.row, ROWS);
}

static void turned(measured *self) {
  set(self, self->other, self->other_count);
  set(self, self->all.row, ROWS);
}

static void insert_between(measured *self) {
  self->ends.first = self->ends.last = ROWS / 2;
  must(mainstem_list_set(self->context, self->list, &self->other[ROWS / 2], sizeof *self->other, 1,
                         &self->ends));
  must(mainstem_list_set(self->context, self->list, NULL, sizeof *self->other, 0, &self->ends));
}

static int compare(const void *one, const void *other) {
  const double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

/* Each run is two sets: there and back. */
static void measure(measured *self, void (*run)(measured *), const char *name, int is_last) {
  double rounds[ROUNDS];
  must(mainstem_list_set(self->context, self->list, self->all.row, sizeof *self->all.row, ROWS,
                         &(mainstem_list_ends){0, 0, 0}));
  for (int round = 0; round < ROUNDS; round++) {
    const double began = now();
    for (int i = 0; i < TIMES; i++) run(self);
    rounds[round] = (now() - began) / (2 * TIMES);
  }
  qsort(rounds, ROUNDS, sizeof rounds[0], compare);
  printf("  \"%s\": %.1f%s\n", name, rounds[ROUNDS / 2], is_last ? "" : ",");
}

static void reorder(measured *self) {
  memcpy(self->other, self->all.row, ROWS * sizeof *self->other);
  self->other_count = ROWS;
}

static void measure_inserts(measured *self) {
  reorder(self);
  memmove(&self->other[ROWS / 2 + 1], &self->other[ROWS / 2], ROWS / 2 * sizeof *self->other);
  rows_put(&self->all, ROWS, ROWS);
  self->other[ROWS / 2] = self->all.row[ROWS];
  self->other_count = ROWS + 1;
  measure(self, turned, "one insertion", 0);
  self->ends.first = self->ends.last = 0;
  must(mainstem_list_set(self->context, self->list, self->all.row, sizeof *self->all.row, ROWS,
                         &self->ends));
  measure(self, insert_between, "one insertion, ends given", 0);
}

static void measure_moves(measured *self) {
  reorder(self);
  mainstem_list_row one = self->other[100];
  memmove(&self->other[100], &self->other[101], (ROWS - 200) * sizeof one);
  self->other[ROWS - 100] = one;
  measure(self, turned, "one far move", 0);
  reorder(self);
  for (size_t i = 0; i < REPLACED; i++) {
    size_t at = i * (ROWS / REPLACED);
    one = self->all.row[at];
    rows_put(&self->all, at, ROWS + i);
    self->other[at] = self->all.row[at];
    self->all.row[at] = one;
  }
  measure(self, turned, "100 keys replaced", 0);
  reorder(self);
  rows_reverse(self->other, ROWS);
  measure(self, turned, "reverse", 0);
  reorder(self);
  rows_shuffle(self->other, ROWS);
  measure(self, turned, "shuffle", 1);
}

int main(void) {
  measured self = {.all = rows_make(ROWS, REPLACED + 1), .equal = rows_make(ROWS, 0)};
  self.other = rows_copy(&self.all);
  must(mainstem_context_create(NULL, &self.context));
  must(mainstem_type_add(self.context, "Rows",
                         MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_BYTES, NULL,
                         &self.list));
  must(mainstem_observe(self.context, self.list, get, &self.events, NULL, NULL));
  printf("{\n");
  measure(&self, same, "the same rows", 0);
  measure(&self, equal, "equal rows elsewhere in memory", 0);
  measure_inserts(&self);
  measure_moves(&self);
  printf("}\n");
  must(mainstem_context_close(self.context));
  rows_free(&self.all);
  rows_free(&self.equal);
  free(self.other);
  return 0;
}

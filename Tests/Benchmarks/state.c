// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Times values, bindings and view models of every contestant, in turn, round after round in this one
 * process, and prints the samples as JSON; then the heap after each of 100 rounds of cells. compared.py
 * makes medians and ratios of them.
 */

#define _POSIX_C_SOURCE 200809L
#include "state.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 11, HEAPS = 100, CONTESTANTS = 4, SAMPLE_NANOSECONDS = 4000000 };

static const state_contestant *const contestants[CONTESTANTS] = {
    &state_any_thread, &state_one_thread, &state_gobject, &state_gobject_by_name};

static const struct {
  const char *name;
  uint64_t adds; /* What one operation adds to the sum. */
  size_t parts;  /* What the time is divided by. */
} settings[TASKS] = {
    [OBSERVED] = {"value changes, one observer", 1, 1},
    [BOUND] = {"value changes, one binding", 1, 1},
    [REPEATED] = {"set of what is there", 0, 1},
    [WRITTEN] = {"write that changes one of five", 1, 1},
    [ROUNDED] = {"16,000 cells of five, each", OF_CELL * CELLS, CELLS},
};

typedef struct entry {
  const state_contestant *who;
  void *opened;
  size_t count; /* Operations of a sample. */
  double samples[ROUNDS];
} entry;

static entry entries[TASKS][CONTESTANTS];
static uint64_t sum;

/* Of the processor, which others on the machine change less. */
static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The time of `count` operations; that values were seen is checked, not believed. */
static double timed(int what, const entry *at, size_t count) {
  uint64_t before = sum, wanted = count * settings[what].adds;
  double began = nanoseconds();
  at->who->tasks[what].run(at->opened, count);
  double taken = nanoseconds() - began;
  if (sum - before == wanted) return taken / (double)settings[what].parts;
  fprintf(stderr, "%s: %s: saw %llu instead of %llu\n", at->who->name, settings[what].name,
          (unsigned long long)(sum - before), (unsigned long long)wanted);
  exit(3);
}

static void prepare(int what, entry *at) {
  at->opened = at->who->tasks[what].open(&sum);
  at->count = what == ROUNDED ? 1 : 100;
  if (what == ROUNDED) timed(what, at, 1);
  else
    while (timed(what, at, at->count) < SAMPLE_NANOSECONDS) at->count *= 2;
}

static void run_round(int what, int round) {
  for (int i = 0; i < CONTESTANTS; i++) {
    entry *at = &entries[what][i];
    if (at->who == NULL) continue;
    if (what != ROUNDED) timed(what, at, at->count / 8 + 1); /* Warms. */
    at->samples[round] = timed(what, at, at->count) / (double)at->count;
  }
}

static void print_samples(const entry *at) {
  printf("    \"%s\": [", at->who->name);
  for (int round = 0; round < ROUNDS; round++)
    printf("%s%.3f", round == 0 ? "" : ", ", at->samples[round]);
  printf("]");
}

static void print_all(void) {
  printf("{\"unit\": \"nanoseconds\", \"rounds\": %d, \"cases\": {\n", ROUNDS);
  for (int what = 0; what < TASKS; what++) {
    printf("  \"%s\": {\n", settings[what].name);
    for (int i = 0; i < CONTESTANTS && entries[what][i].who != NULL; i++) {
      printf("%s", i == 0 ? "" : ",\n");
      print_samples(&entries[what][i]);
    }
    printf(what + 1 < TASKS ? "\n  },\n" : "\n  }\n");
  }
  printf("},\n\"heap\": [");
  for (int round = 0; round < HEAPS; round++) {
    timed(ROUNDED, &entries[ROUNDED][1], 1);
    printf("%s%zu", round == 0 ? "" : ", ", mallinfo2().uordblks);
  }
  printf("]}\n");
}

int main(void) {
  for (int what = 0; what < TASKS; what++)
    for (int i = 0; i < CONTESTANTS; i++) {
      if (contestants[i]->tasks[what].run == NULL) continue;
      entries[what][i].who = contestants[i];
      prepare(what, &entries[what][i]);
    }
  for (int round = 0; round < ROUNDS; round++)
    for (int what = 0; what < TASKS; what++) run_round(what, round);
  print_all();
  return 0;
}

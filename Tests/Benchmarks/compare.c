// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Times every contestant at every case, in turn, round after round in this one process, and prints the
 * samples as JSON. compared.py makes medians and ratios of them.
 */

#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contestant.h"

enum { ROUNDS = 11, CONTESTANTS = 5, CASES = 9, SAMPLE_NANOSECONDS = 4000000 };

static const contestant *const contestants[CONTESTANTS] = {
    &mainstem_any_thread, &mainstem_one_thread, &array_raw, &array_mutex, &gobject_signal};

typedef struct setting {
  const char *name;
  size_t types, observers; /* Of each type. */
  bool churns;
} setting;

static const setting settings[CASES] = {
    {"send to 1 observer", 1, 1, false},
    {"send to 10 observers", 1, 10, false},
    {"send to 100 observers", 1, 100, false},
    {"send, 10 types in turn", 10, 1, false},
    {"send, 1,000 types in turn", 1000, 1, false},
    {"send, 10,000 types in turn", 10000, 1, false},
    {"observe + cancel", 1, 0, true},
    {"observe + cancel beside 1,000", 1, 1000, true},
    {"observe + cancel beside 100,000", 1, 100000, true},
};

typedef struct cell {
  void *opened;
  size_t count; /* Operations of a sample. */
  double samples[ROUNDS];
} cell;

static cell cells[CASES][CONTESTANTS];
static uint64_t sum;

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The time of `count` operations; that the observers were called is checked, not believed. */
static double timed(const setting *of, const contestant *who, void *opened, size_t count) {
  uint64_t before = sum, wanted = of->churns ? 0 : count * of->observers;
  double began = nanoseconds();
  (of->churns ? who->churn : who->send)(opened, count);
  double taken = nanoseconds() - began;
  if (sum - before == wanted) return taken;
  fprintf(stderr, "%s: %s: observers were called %llu times instead of %llu\n", who->name, of->name,
          (unsigned long long)(sum - before), (unsigned long long)wanted);
  exit(3);
}

static void prepare(const setting *of, const contestant *who, cell *at) {
  at->opened = who->open(of->types, &sum);
  for (size_t type = 0; type < of->types; type++)
    for (size_t i = 0; i < of->observers; i++) who->observe(at->opened, type);
  at->count = 100;
  while (timed(of, who, at->opened, at->count) < SAMPLE_NANOSECONDS) at->count *= 2;
}

static void print_samples(const cell *at) {
  for (int round = 0; round < ROUNDS; round++)
    printf("%s%.3f", round == 0 ? "[" : ", ", at->samples[round]);
  printf("]");
}

static void print_all(void) {
  printf("{\"unit\": \"nanoseconds\", \"rounds\": %d, \"cases\": {\n", ROUNDS);
  for (int i = 0; i < CASES; i++) {
    printf("  \"%s\": {\n", settings[i].name);
    for (int j = 0; j < CONTESTANTS; j++) {
      printf("    \"%s\": ", contestants[j]->name);
      print_samples(&cells[i][j]);
      printf(j + 1 < CONTESTANTS ? ",\n" : "\n");
    }
    printf(i + 1 < CASES ? "  },\n" : "  }\n");
  }
  printf("}}\n");
}

int main(void) {
  for (int i = 0; i < CASES; i++)
    for (int j = 0; j < CONTESTANTS; j++) prepare(&settings[i], contestants[j], &cells[i][j]);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < CASES; i++)
      for (int j = 0; j < CONTESTANTS; j++) {
        cell *at = &cells[i][j];
        timed(&settings[i], contestants[j], at->opened, at->count / 8 + 1); /* Warms. */
        at->samples[round] =
            timed(&settings[i], contestants[j], at->opened, at->count) / (double)at->count;
      }
  print_all();
  return 0;
}

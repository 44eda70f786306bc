// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Times every way to keep events, in turn, round after round in this one process, and prints the samples
 * as JSON: kept FOLDER. kept.py makes medians and ratios of them.
 */

#define _XOPEN_SOURCE 700
#include "kept.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 9, WAYS = 7, CASES = 5, THREADS = 8, REPLAYED = 300, SENT = 1000 };

uint8_t kept_events[KEPT_BATCH][KEPT];

static const keeper *const ways[WAYS] = {&kept_mainstem, &kept_raw,    &kept_raw_preallocated,
                                         &kept_raw_long, &kept_sqlite, &kept_lmdb,
                                         &kept_rocksdb};

/* How events are appended; the last case reads them. */
static const struct {
  const char *name;
  bool is_durable;
  size_t batch, commits; /* Of each thread. */
  int threads;
} cases[CASES] = {{"durable, commit every 1000", true, 1000, 20, 1},
                  {"durable, commit every event", true, 1, 100, 1},
                  {"durable, every event, 8 threads", true, 1, 30, THREADS},
                  {"survives the process, batches of 100", false, 100, 1000, 1},
                  {"replay, warm", false, 0, 0, 0}};

static double samples[CASES][WAYS][ROUNDS], sending[2][ROUNDS], on_disk[WAYS];
static char folder[1024];
static uint64_t wanted_sum;

void kept_failed(const char *store, const char *why) {
  fprintf(stderr, "%s: %s\n", store, why);
  exit(3);
}

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000LL * now.tv_sec + now.tv_nsec;
}

/* Folders ---------------------------------------------------------------------------------------- */

static const char *fresh(const char *name) {
  static char path[1100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (mkdir(path, 0700) != 0) kept_failed(path, "cannot be made");
  return path;
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *place) {
  (void)found, (void)kind, (void)place;
  return remove(path);
}

static void clear(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static int64_t counted;

static int count_one(const char *path, const struct stat *found, int kind, struct FTW *place) {
  (void)path, (void)place;
  if (kind == FTW_F) counted += 512 * (int64_t)found->st_blocks;
  return 0;
}

static double bytes_in(const char *path) {
  sync();
  counted = 0;
  nftw(path, count_one, 16, FTW_PHYS);
  return (double)counted;
}

/* Cases ------------------------------------------------------------------------------------------ */

typedef struct appender {
  const keeper *way;
  void *opened;
  size_t commits;
} appender;

static void *append_all(void *user_data) {
  const appender *self = user_data;
  for (size_t i = 0; i < self->commits; i++) self->way->append(self->opened);
  return NULL;
}

/* Nanoseconds an event. What the last one left to be written is written before. */
static double append_time(const keeper *way, int number) {
  const char *path = fresh("appended");
  pthread_t threads[THREADS];
  const int count = cases[number].threads;
  appender all = {way, way->open(path, cases[number].is_durable, cases[number].batch),
                  cases[number].commits};
  sync();
  const int64_t began = nanoseconds();
  for (int i = 1; i < count; i++) pthread_create(&threads[i], NULL, append_all, &all);
  append_all(&all);
  for (int i = 1; i < count; i++) pthread_join(threads[i], NULL);
  const double taken = (double)(nanoseconds() - began);
  way->close(all.opened);
  clear(path);
  return taken / (double)(cases[number].batch * all.commits * (size_t)count);
}

static void make_replayed(int number) {
  const char *path = fresh(ways[number]->name);
  void *opened = ways[number]->open(path, false, KEPT_BATCH);
  for (int i = 0; i < REPLAYED; i++) ways[number]->append(opened);
  ways[number]->close(opened);
  on_disk[number] = bytes_in(path) / (REPLAYED * KEPT_BATCH);
}

static double replay_time(const keeper *way) {
  char path[1100];
  snprintf(path, sizeof path, "%s/%s", folder, way->name);
  const int64_t began = nanoseconds();
  const uint64_t sum = way->replay(path);
  const double taken = (double)(nanoseconds() - began);
  if (sum != wanted_sum) kept_failed(way->name, "what was replayed is not what was appended");
  return taken / (REPLAYED * KEPT_BATCH);
}

static double sending_time(bool is_recorded) {
  const char *path = fresh("sent");
  void *opened = sending_open(is_recorded ? path : NULL, 100);
  sync();
  const int64_t began = nanoseconds();
  for (int i = 0; i < SENT; i++) sending_send(opened);
  const double taken = (double)(nanoseconds() - began);
  sending_close(opened);
  clear(path);
  return taken / (SENT * 100);
}

/* All -------------------------------------------------------------------------------------------- */

static void make_events(void) {
  uint64_t state = 1;
  for (size_t i = 0; i < KEPT_BATCH; i++) {
    for (size_t j = 0; j < KEPT; j++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      kept_events[i][j] = (uint8_t)(state >> 56);
    }
    wanted_sum += (uint64_t)kept_events[i][0] * REPLAYED;
  }
}

static void print_samples(const char *name, const double *times, bool is_last) {
  printf("    \"%s\": ", name);
  for (int round = 0; round < ROUNDS; round++)
    printf("%s%.2f", round == 0 ? "[" : ", ", times[round]);
  printf(is_last ? "]\n" : "],\n");
}

static void print_all(void) {
  printf("{\"unit\": \"nanoseconds an event\", \"rounds\": %d, \"cases\": {\n", ROUNDS);
  for (int i = 0; i < CASES; i++) {
    printf("  \"%s\": {\n", cases[i].name);
    for (int j = 0; j < WAYS; j++) print_samples(ways[j]->name, samples[i][j], j + 1 == WAYS);
    printf(i + 1 < CASES ? "  },\n" : "  }\n");
  }
  printf("}, \"sending\": {\n");
  print_samples("without", sending[0], false);
  print_samples("recorded", sending[1], true);
  printf("}, \"bytes an event\": {");
  for (int j = 0; j < WAYS; j++)
    printf("%s\"%s\": %.1f", j == 0 ? "" : ", ", ways[j]->name, on_disk[j]);
  printf("}}\n");
}

int main(int count, char **arguments) {
  if (count != 2) kept_failed("kept", "FOLDER is missing");
  snprintf(folder, sizeof folder, "%s", arguments[1]);
  make_events();
  for (int j = 0; j < WAYS; j++) make_replayed(j);
  for (int round = 0; round < ROUNDS; round++) {
    for (int j = 0; j < WAYS; j++) {
      for (int i = 0; i + 1 < CASES; i++) samples[i][j][round] = append_time(ways[j], i);
      samples[CASES - 1][j][round] = replay_time(ways[j]);
    }
    for (int i = 0; i < 2; i++) sending[i][round] = sending_time(i == 1);
  }
  print_all();
  return 0;
}

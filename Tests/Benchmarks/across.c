// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Times every way from one thread to another, in turn, round after round in this one process, and prints
 * the samples as JSON. crossed.py makes medians and ratios of them.
 */

#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crossing.h"

enum { ROUNDS = 9, WAYS = 8, CASES = 5, EVENTS = 100000, TRIPS = 2000, WAKES = 200 };

static const crossing *const ways[WAYS] = {&mainstem_serial,      &mainstem_serial_parked,
                                           &mainstem_host,        &mainstem_mailbox,
                                           &mutex_vector_eventfd, &libuv_async,
                                           &moodycamel_blocking,  &glib_async_queue};

static const char *const cases[CASES] = {"one sender, ns an event", "two senders, ns an event",
                                         "round trip, ns (p50)", "wake from idle, ns (p50)",
                                         "wake from idle, ns (p99)"};

static double samples[CASES][WAYS][ROUNDS];

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000LL * now.tv_sec + now.tv_nsec;
}

static int by_value(const void *left, const void *right) {
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static double part(int64_t *times, size_t count, size_t percent) {
  qsort(times, count, sizeof *times, by_value);
  return (double)times[(count - 1) * percent / 100];
}

/* What arrives is counted; the last one ends the wait. */
typedef struct receiver {
  size_t left;
  uint64_t sum;
  sem_t all;
} receiver;

static void count(void *user_data, const parcel *got) {
  receiver *self = user_data;
  self->sum += got->rest[0];
  if (--self->left == 0) sem_post(&self->all);
}

typedef struct sender {
  const crossing *way;
  void *opened;
  size_t count;
} sender;

static void *send_all(void *user_data) {
  const sender *self = user_data;
  parcel sent = {0, {1}};
  for (size_t i = 0; i < self->count; i++) self->way->send(self->opened, &sent);
  return NULL;
}

static void check(uint64_t found, uint64_t wanted, const char *name) {
  if (found == wanted) return;
  fprintf(stderr, "%s: %llu arrived instead of %llu\n", name, (unsigned long long)found,
          (unsigned long long)wanted);
  exit(3);
}

static double throughput(const crossing *way, int senders) {
  receiver to = {EVENTS, 0, {{0}}};
  pthread_t threads[2];
  sem_init(&to.all, 0, 0);
  sender from = {way, way->open(count, &to), EVENTS / (size_t)senders};
  const int64_t began = nanoseconds();
  for (int i = 1; i < senders; i++) pthread_create(&threads[i], NULL, send_all, &from);
  send_all(&from);
  sem_wait(&to.all);
  const double taken = (double)(nanoseconds() - began);
  for (int i = 1; i < senders; i++) pthread_join(threads[i], NULL);
  way->close(from.opened);
  check(to.sum, EVENTS, way->name);
  return taken / EVENTS;
}

/* One way there, another back; each sends from the other's receiving thread. */
typedef struct trip {
  const crossing *way;
  void *there, *back;
  size_t count;
  int64_t times[TRIPS];
  sem_t done;
} trip;

static void turn_round(void *user_data, const parcel *got) {
  trip *self = user_data;
  self->way->send(self->back, got);
}

static void come_back(void *user_data, const parcel *got) {
  trip *self = user_data;
  parcel next = *got;
  const int64_t now = nanoseconds();
  self->times[self->count++] = now - got->sent;
  if (self->count == TRIPS) {
    sem_post(&self->done);
    return;
  }
  next.sent = now;
  self->way->send(self->there, &next);
}

static double round_trip(const crossing *way) {
  static trip made;
  memset(&made, 0, sizeof made);
  made.way = way;
  sem_init(&made.done, 0, 0);
  made.there = way->open(turn_round, &made);
  made.back = way->open(come_back, &made);
  parcel first = {nanoseconds(), {0}};
  way->send(made.there, &first);
  sem_wait(&made.done);
  way->close(made.there);
  way->close(made.back);
  return part(made.times, TRIPS, 50);
}

typedef struct sleeper {
  size_t count;
  int64_t times[WAKES];
  sem_t got;
} sleeper;

static void note_time(void *user_data, const parcel *got) {
  sleeper *self = user_data;
  self->times[self->count++] = nanoseconds() - got->sent;
  sem_post(&self->got);
}

static void wake(const crossing *way, double *p50, double *p99) {
  static sleeper made;
  const struct timespec gap = {0, 150000};
  memset(&made, 0, sizeof made);
  sem_init(&made.got, 0, 0);
  void *opened = way->open(note_time, &made);
  for (int i = 0; i < WAKES; i++) {
    nanosleep(&gap, NULL);
    const parcel sent = {nanoseconds(), {0}};
    way->send(opened, &sent);
    sem_wait(&made.got);
  }
  way->close(opened);
  *p50 = part(made.times, WAKES, 50);
  *p99 = part(made.times, WAKES, 99);
}

static void print_all(void) {
  printf("{\"unit\": \"nanoseconds\", \"rounds\": %d, \"cases\": {\n", ROUNDS);
  for (int i = 0; i < CASES; i++) {
    printf("  \"%s\": {\n", cases[i]);
    for (int j = 0; j < WAYS; j++) {
      printf("    \"%s\": ", ways[j]->name);
      for (int round = 0; round < ROUNDS; round++)
        printf("%s%.1f", round == 0 ? "[" : ", ", samples[i][j][round]);
      printf(j + 1 < WAYS ? "],\n" : "]\n");
    }
    printf(i + 1 < CASES ? "  },\n" : "  }\n");
  }
  printf("}}\n");
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
    for (int j = 0; j < WAYS; j++) {
      samples[0][j][round] = throughput(ways[j], 1);
      samples[1][j][round] = throughput(ways[j], 2);
      samples[2][j][round] = round_trip(ways[j]);
      wake(ways[j], &samples[3][j][round], &samples[4][j][round]);
    }
  print_all();
  return 0;
}

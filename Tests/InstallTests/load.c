// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How long a library takes to load: the median of 25 processes, in microseconds. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 25 };

static long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* A process of its own each time: the library stays mapped once it was loaded. */
static long load_once(const char *path) {
  int ends[2];
  long taken = -1;
  if (pipe(ends) != 0) return -1;
  if (fork() == 0) {
    long began = microseconds();
    void *library = dlopen(path, RTLD_NOW);
    long spent = library != NULL ? microseconds() - began : -1;
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    _exit(write(ends[1], &spent, sizeof spent) != (ssize_t)sizeof spent);
  }
  if (read(ends[0], &taken, sizeof taken) != (ssize_t)sizeof taken) taken = -1;
  wait(NULL);
  close(ends[0]);
  close(ends[1]);
  return taken;
}

static int ascending(const void *left, const void *right) {
  long a = *(const long *)left, b = *(const long *)right;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  long rounds[ROUNDS];
  if (count != 2) return 2;
  for (int i = 0; i < ROUNDS; i++) {
    rounds[i] = load_once(arguments[1]);
    if (rounds[i] < 0) return 1;
  }
  qsort(rounds, ROUNDS, sizeof rounds[0], ascending);
  printf("%ld\n", rounds[ROUNDS / 2]);
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Another thread: run a function on one to its end, or beside this one until joined. */

#ifndef ELSEWHERE_H
#define ELSEWHERE_H

#include "expect.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static inline pthread_t beside(void *(*fn)(void *), void *data) {
  pthread_t thread;
  EXPECT_EQUAL(pthread_create(&thread, NULL, fn, data), 0);
  return thread;
}

static inline void join(pthread_t thread) { EXPECT_EQUAL(pthread_join(thread, NULL), 0); }

static inline void elsewhere(void *(*fn)(void *), void *data) { join(beside(fn, data)); }

static inline void signal_open(sem_t *signal) { EXPECT_EQUAL(sem_init(signal, 0, 0), 0); }

static inline void signal_give(sem_t *signal) { EXPECT_EQUAL(sem_post(signal), 0); }

static inline void signal_take(sem_t *signal) {
  while (sem_wait(signal) != 0) EXPECT_EQUAL(errno, EINTR);
}

/* As signal_take, but for half a minute at most. */
static inline void signal_wait(sem_t *signal) {
  struct timespec until;
  EXPECT_EQUAL(clock_gettime(CLOCK_REALTIME, &until), 0);
  until.tv_sec += 30;
  while (sem_timedwait(signal, &until) != 0 && errno == EINTR) continue;
}

static inline int signal_is_given(sem_t *signal) {
  int value = 0;
  EXPECT_EQUAL(sem_getvalue(signal, &value), 0);
  return value > 0;
}

#endif

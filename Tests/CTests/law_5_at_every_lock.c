// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 5 where the one who delivers is on its way out: a cancel falls before each lock it still takes, in
 * turn, while something else waits as well. What was cancelled must have ended when its send returns.
 *
 * This program defines pthread_mutex_lock and pthread_cond_wait, so it must not be built with a sanitizer.
 */

#include "elsewhere.h"
#include "stream.h"

#include <dlfcn.h>

typedef struct leaving {
  stream on;
  mainstem_subscription *cancelled;
  sem_t entered, leave, parked, news, go;
  int lock;   /* Before which lock after the callback the deliverer stands. */
  int stands; /* Whether it came to that lock. */
  int hooks;
} leaving;

static __thread leaving *counted; /* Whose locks are counted on this thread. */
static __thread int countdown;
static __thread sem_t *parks; /* Given when this thread waits for another. */

static void *next_of(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

static void stand(leaving *self) {
  self->stands = 1;
  signal_give(&self->news);
  signal_take(&self->go);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*next)(pthread_mutex_t *);
  *(void **)&next = next_of("pthread_mutex_lock");
  leaving *self = counted;
  if (self != NULL && countdown-- == 0) {
    counted = NULL;
    stand(self);
  }
  return next(mutex);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int (*next)(pthread_cond_t *, pthread_mutex_t *);
  *(void **)&next = next_of("pthread_cond_wait");
  if (parks != NULL) signal_give(parks);
  return next(condition, mutex);
}

static void stay(void *user_data, const mainstem_event *event) {
  leaving *self = (leaving *)user_data;
  if (event->position != 1) return;
  signal_give(&self->entered);
  signal_take(&self->leave);
  countdown = self->lock;
  counted = self;
}

static void never_called(void *user_data, const mainstem_event *event) {
  EXPECT_EQUAL(event->position, 0);
}

static void count_hook(void *user_data) { ((leaving *)user_data)->hooks++; }

static void *deliver(void *data) {
  leaving *self = (leaving *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  counted = NULL;
  signal_give(&self->news);
  return NULL;
}

static void *flush(void *data) {
  leaving *self = (leaving *)data;
  parks = &self->parked;
  EXPECT_OK(mainstem_flush(self->on.context));
  parks = NULL;
  return NULL;
}

/* What waits beside the cancel: it takes the deliverer off its short way back. */
static void *nothing(void *data) {
  signal_give(&((leaving *)data)->parked);
  return NULL;
}

static void *send_beside(void *data) {
  leaving *self = (leaving *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  return nothing(data);
}

static void *observe_beside(void *data) {
  leaving *self = (leaving *)data;
  mainstem_subscription *made;
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, never_called, NULL, NULL, &made));
  return nothing(data);
}

static void *(*const others[])(void *) = {nothing, send_beside, observe_beside, flush};

static void leaving_open(leaving *self, uint32_t threads, int lock) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->lock = lock;
  sem_t *signals[] = {&self->entered, &self->leave, &self->parked, &self->news, &self->go};
  for (size_t i = 0; i < COUNT(signals); i++) signal_open(signals[i]);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, stay, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, never_called, self, count_hook,
                             &self->cancelled));
}

/* False when the deliverer took no more locks than that. */
static int a_cancel_before_lock(int lock, void *(*other)(void *), uint32_t threads) {
  leaving self;
  leaving_open(&self, threads, lock);
  pthread_t deliverer = beside(deliver, &self);
  signal_take(&self.entered);
  pthread_t waiter = beside(other, &self);
  signal_take(&self.parked);
  signal_give(&self.leave);
  signal_take(&self.news);
  EXPECT_OK(mainstem_cancel(self.cancelled));
  if (self.stands) signal_give(&self.go);
  join(deliverer);
  join(waiter);
  EXPECT_EQUAL(self.hooks, 1);
  EXPECT_STATUS(mainstem_cancel_wait(self.cancelled), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_EQUAL(self.hooks, 1);
  return self.stands;
}

/* Catches: a claim given back with a cancelled subscription left: its cancel_wait would never end. */
CASE(a_cancel_on_the_way_out_is_seen, IN_ANY) {
  for (size_t i = 0; i < COUNT(others); i++) {
    int lock = 0;
    while (a_cancel_before_lock(lock, others[i], threads)) lock++;
    EXPECT(lock > 0 || others[i] == nothing);
  }
}

int main(void) { return expect_all(); }

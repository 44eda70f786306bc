// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, no surprise thread, beside the scenarios: two threads at once, and that none is started. */

#include "elsewhere.h"
#include "stream.h"

#include <dirent.h>

static int threads_of_process(void) {
  DIR *folder = opendir("/proc/self/task");
  int count = 0;
  EXPECT(folder != NULL);
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    count += entry->d_name[0] != '.';
  }
  closedir(folder);
  return count;
}

typedef struct deliverer {
  stream on;
  sem_t entered, leave;
  pthread_t seen_on[8];
  size_t calls;
  int flushed;
} deliverer;

static void stay_at_first(void *user_data, const mainstem_event *event) {
  deliverer *self = (deliverer *)user_data;
  self->seen_on[self->calls++] = pthread_self();
  if (event->position != 1) return;
  signal_give(&self->entered);
  signal_take(&self->leave);
}

static void *deliver(void *data) {
  deliverer *self = (deliverer *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->calls, 3); /* What was sent meanwhile is delivered before this returns. */
  return NULL;
}

/* Catches: a send that waits for the deliverer (it would hang), or that leaves its event behind. */
CASE(a_send_beside_a_delivery_returns_at_once, IN_ANY) {
  deliverer self = {0};
  self.on = stream_open(threads);
  signal_open(&self.entered);
  signal_open(&self.leave);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, stay_at_first, &self, NULL, NULL));
  pthread_t other = beside(deliver, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_EQUAL(stats_of(self.on.context).events, 3);
  signal_give(&self.leave);
  join(other);
  for (int i = 0; i < 3; i++) EXPECT(pthread_equal(self.seen_on[i], other));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void stay_until_flush(void *user_data, const mainstem_event *event) {
  deliverer *self = (deliverer *)user_data;
  if (event->position == 1) {
    signal_give(&self->entered);
    signal_take(&self->leave);
  }
  for (int i = 0; i < 2000; i++) sched_yield(); /* Lets a flush that does not wait be seen. */
  EXPECT_EQUAL(__atomic_load_n(&self->flushed, __ATOMIC_SEQ_CST), 0);
  self->calls++;
}

static void *deliver_two(void *data) {
  deliverer *self = (deliverer *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  return NULL;
}

/* Catches: a flush that returns while another thread still delivers what came before it. */
CASE(flush_waits_for_the_deliverer, IN_ANY) {
  deliverer self = {0};
  self.on = stream_open(threads);
  signal_open(&self.entered);
  signal_open(&self.leave);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, stay_until_flush, &self, NULL, NULL));
  pthread_t other = beside(deliver_two, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  signal_give(&self.leave);
  EXPECT_OK(mainstem_flush(self.on.context));
  __atomic_store_n(&self.flushed, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT_EQUAL(self.calls, 2);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

enum { ROUNDS = 20000 };

typedef struct rounds {
  stream on;
  pthread_barrier_t start;
  uint64_t calls;
} rounds;

static void count_call(void *user_data, const mainstem_event *event) {
  rounds *self = (rounds *)user_data;
  __atomic_add_fetch(&self->calls, 1, __ATOMIC_SEQ_CST);
}

static void *send_once_a_round(void *data) {
  rounds *self = (rounds *)data;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(&self->start);
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  }
  return NULL;
}

/* Catches: a wake-up lost between "somebody delivers" and "wait": nobody comes who could wake. */
CASE(a_wait_for_a_deliverer_who_is_just_done_ends, IN_ANY) {
  rounds self = {0};
  self.on = stream_open(threads);
  EXPECT_EQUAL(pthread_barrier_init(&self.start, NULL, 2), 0);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, count_call, &self, NULL, NULL));
  pthread_t other = beside(send_once_a_round, &self);
  for (int i = 0; i < ROUNDS; i++) {
    mainstem_subscription *subscription;
    EXPECT_OK(
        mainstem_observe(self.on.context, self.on.notice, count_call, &self, NULL, &subscription));
    pthread_barrier_wait(&self.start);
    if (i % 2 == 0) EXPECT_OK(mainstem_flush(self.on.context));
    EXPECT_OK(mainstem_cancel_wait(subscription));
  }
  join(other);
  EXPECT(self.calls >= ROUNDS);
  EXPECT_EQUAL(pthread_barrier_destroy(&self.start), 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a thread of the library, however short its life. */
CASE(no_thread_is_started, IN_BOTH) {
  int before = threads_of_process();
  stream on = stream_open(threads);
  int fd;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, 0));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(threads_of_process(), before);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(threads_of_process(), before);
}

int main(void) { return expect_all(); }

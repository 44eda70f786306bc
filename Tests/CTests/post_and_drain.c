// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The file descriptor, posts of many threads, wait; FAULTS 3.4 signals during a blocking call. */

#include "elsewhere.h"
#include "scheduled.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

static int readable(int fd) {
  struct pollfd poller = {fd, POLLIN, 0};
  EXPECT(poll(&poller, 1, 0) >= 0);
  return (poller.revents & POLLIN) != 0;
}

static int fd_of(mainstem_context *context) {
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(context, &fd));
  return fd;
}

typedef struct looker {
  int fd, was_readable;
} looker;

static void look(void *user_data, const mainstem_event *event) {
  looker *self = (looker *)user_data;
  self->was_readable |= readable(self->fd);
}

/* Catches: an edge instead of a level, readable for nothing, or not for posts made before it. */
CASE(the_descriptor_is_readable_while_something_waits, IN_BOTH) {
  stream on = stream_open(threads);
  looker looking = {-1, 0};
  size_t count;
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  int fd = fd_of(on.context);
  EXPECT(fd > 2);
  EXPECT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  EXPECT_EQUAL(fd_of(on.context), fd);
  looking.fd = fd;
  EXPECT(readable(fd) && readable(fd));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(on.context, 1, &count));
  EXPECT_EQUAL(count, 1);
  EXPECT(readable(fd));
  EXPECT_OK(mainstem_observe(on.context, on.notice, look, &looking, NULL, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 2);
  EXPECT_EQUAL(looking.was_readable, 0); /* While a drain runs it is not readable. */
  EXPECT(!readable(fd));
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT(!readable(fd));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT(readable(fd));
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT(!readable(fd));
  EXPECT_EQUAL(stats_of(on.context).waiting, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { POSTERS = 4, EACH = 5000 };

typedef struct poster {
  const stream *on;
  uint32_t number;
} poster;

typedef struct order {
  uint32_t next[POSTERS];
  uint64_t calls;
} order;

static void *post_many(void *data) {
  const poster *self = (const poster *)data;
  for (uint32_t i = 0; i < EACH; i++) {
    uint32_t bytes[2] = {self->number, i};
    EXPECT_OK(mainstem_post(self->on->context, self->on->notice, bytes, sizeof bytes));
  }
  return NULL;
}

static void check_order(void *user_data, const mainstem_event *event) {
  order *self = (order *)user_data;
  uint32_t bytes[2];
  memcpy(bytes, event->data, sizeof bytes);
  EXPECT_EQUAL(bytes[1], self->next[bytes[0]]++);
  self->calls++;
}

/* Catches: a post lost or overtaken, and a wake-up lost: then wait would wait for ever. */
CASE(posts_of_a_thread_keep_their_order, IN_BOTH) {
  stream on = stream_open(threads);
  order seen = {{0}, 0};
  poster posters[POSTERS];
  pthread_t thread[POSTERS];
  EXPECT_OK(mainstem_observe(on.context, on.notice, check_order, &seen, NULL, NULL));
  for (uint32_t i = 0; i < POSTERS; i++) {
    posters[i].on = &on;
    posters[i].number = i;
    thread[i] = beside(post_many, &posters[i]);
  }
  while (seen.calls < POSTERS * EACH) EXPECT_OK(mainstem_wait(on.context, -1));
  for (int i = 0; i < POSTERS; i++) join(thread[i]);
  EXPECT_EQUAL(seen.calls, POSTERS * EACH);
  EXPECT_EQUAL(stats_of(on.context).events, POSTERS * EACH);
  EXPECT_OK(mainstem_context_close(on.context));
}

static int64_t now_ms(void) {
  struct timespec now;
  EXPECT_EQUAL(clock_gettime(CLOCK_MONOTONIC, &now), 0);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

CASE(wait_ends_by_time, IN_BOTH) {
  stream on = stream_open(threads);
  int64_t began = now_ms();
  EXPECT_STATUS(mainstem_wait(on.context, 0), MAINSTEM_TIMEOUT);
  EXPECT_STATUS(mainstem_wait(on.context, 30), MAINSTEM_TIMEOUT);
  EXPECT(now_ms() - began >= 29);
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, INT64_MAX));
  EXPECT_EQUAL(stats_of(on.context).waiting, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static volatile sig_atomic_t signals;

static void note_signal(int number) { signals++; }

typedef struct interrupter {
  pthread_t waiter;
  int returned;
} interrupter;

/* Again and again, as nobody can know when the other thread sits in poll. */
static void *interrupt(void *data) {
  interrupter *self = (interrupter *)data;
  while (!__atomic_load_n(&self->returned, __ATOMIC_SEQ_CST)) {
    pthread_kill(self->waiter, SIGUSR1);
    sched_yield();
  }
  return NULL;
}

/* Catches: a wait in a loop around EINTR, or in a condition variable: Ctrl-C would not work. */
CASE(a_signal_interrupts_a_wait, IN_BOTH) {
  struct sigaction action = {0}, before;
  stream on = stream_open(threads);
  interrupter self = {pthread_self(), 0};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART; /* As most hosts have it. */
  EXPECT_EQUAL(sigaction(SIGUSR1, &action, &before), 0);
  pthread_t other = beside(interrupt, &self);
  EXPECT_STATUS(mainstem_wait(on.context, -1), MAINSTEM_INTERRUPTED);
  __atomic_store_n(&self.returned, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT(signals > 0);
  EXPECT_EQUAL(sigaction(SIGUSR1, &before, NULL), 0);
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Posts again each time it is called, until the context closes. */
static void post_again(void *user_data, const mainstem_event *event) {
  int *posts = (int *)user_data;
  *posts += mainstem_post(event->context, event->type, "", 0) == MAINSTEM_OK;
}

/* Catches: observers of the host, timers or held events that starve behind posts that keep coming. */
CASE(no_kind_waits_forever_behind_another, IN_BOTH) {
  stream on = stream_open(threads);
  int posts = 0;
  transcript seen = {0};
  witness host = {&seen, "h", NULL, NULL};
  EXPECT_OK(mainstem_observe(on.context, on.other, post_again, &posts, NULL, NULL));
  witness_on(&host, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "", 0, 0, 0, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  for (int turn = 0; turn < 2; turn++) EXPECT_OK(mainstem_post(on.context, on.other, "", 0));
  drained(on.context, 1); /* the timer */
  drained(on.context, 1); /* a post */
  EXPECT_TEXT(seen.text, "");
  drained(on.context, 1); /* what was handed over */
  EXPECT_TEXT(seen.text, "h1");
  drained(on.context, 1); /* round again: a post */
  drained(on.context, 1);
  EXPECT_TEXT(seen.text, "h1 h2");
  EXPECT_EQUAL(posts, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

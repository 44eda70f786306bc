// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How a host is told that something waits: once, by a hook or by the descriptor. */

#include "elsewhere.h"
#include "stream.h"

#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

static int64_t next_timeout(mainstem_context *context) {
  int64_t timeout_ms = -2;
  EXPECT_OK(mainstem_context_next_timeout(context, &timeout_ms));
  return timeout_ms;
}

typedef struct bell {
  mainstem_context *context;
  int calls, releases;
  sem_t rings;
} bell;

static void ring(void *user_data) {
  bell *self = (bell *)user_data;
  __atomic_add_fetch(&self->calls, 1, __ATOMIC_SEQ_CST);
  signal_give(&self->rings);
}

static void let_go(void *user_data) { ((bell *)user_data)->releases++; }

static bell bell_open(mainstem_context *context) {
  bell made = {context, 0, 0, {{0}}};
  signal_open(&made.rings);
  return made;
}

/* Catches: a wake-up per post; one while idle; none for what comes during a drain. */
CASE(the_host_is_told_once, IN_BOTH) {
  stream on = stream_open(threads);
  bell hung = bell_open(on.context);
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &hung, let_go));
  for (int i = 0; i < 1000; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(hung.calls, 0);
  EXPECT_EQUAL(next_timeout(on.context), -1);
  for (int round = 1; round <= 3; round++) {
    for (int i = 0; i < 1000; i++) EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
    EXPECT_EQUAL(hung.calls, round);
    EXPECT_EQUAL(next_timeout(on.context), 0);
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  }
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_EQUAL(hung.calls, 4);
  EXPECT_OK(mainstem_drain(on.context, 1, NULL)); /* One is left: told again. */
  EXPECT_EQUAL(hung.calls, 5);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(hung.calls, 5);
  EXPECT_EQUAL(hung.releases, 1);
}

/* Catches: a hook set too late that is never called; one that is called after it was removed. */
CASE(a_hook_can_be_set_late_and_removed, IN_BOTH) {
  stream on = stream_open(threads);
  bell first = bell_open(on.context), second = bell_open(on.context);
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &first, let_go));
  EXPECT_EQUAL(first.calls, 1);
  mainstem_context *scope = scope_open(on.context, "Loop");
  EXPECT_OK(mainstem_context_on_wake(scope, ring, &second, let_go));
  EXPECT_EQUAL(first.releases, 1);
  EXPECT_EQUAL(second.calls, 1);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_EQUAL(second.calls, 2);
  EXPECT_OK(mainstem_context_on_wake(on.context, NULL, NULL, NULL));
  EXPECT_EQUAL(second.releases, 1);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_EQUAL(first.calls + second.calls, 3);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(first.releases + second.releases, 2);
}

static void call_what_waits(void *user_data) {
  bell *self = (bell *)user_data;
  self->calls++;
  EXPECT_STATUS(mainstem_drain(self->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_wait(self->context, 0), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_flush(self->context), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_context_on_wake(self->context, NULL, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_context_close(self->context), MAINSTEM_BUSY);
}

/* Catches: a hook that waits for its own end. */
CASE(calls_that_wait_are_busy_in_the_hook, IN_BOTH) {
  stream on = stream_open(threads);
  bell hung = bell_open(on.context);
  EXPECT_OK(mainstem_context_on_wake(on.context, call_what_waits, &hung, NULL));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_EQUAL(hung.calls, 1);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct dialog {
  stream *on;
  int descriptor, calls;
  bell *hung;
} dialog;

static void *post_two(void *data) {
  stream *on = (stream *)data;
  for (int i = 0; i < 2; i++) EXPECT_OK(mainstem_post(on->context, on->notice, "", 0));
  return NULL;
}

static int is_readable(int descriptor) {
  struct pollfd entry = {descriptor, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

/* The host's loop, run inside the callback of a send: as a dialog that a click has opened. */
static void run_a_loop(void *user_data, const mainstem_event *event) {
  dialog *self = (dialog *)user_data;
  if (self->calls++ > 0) return;
  int rings = self->hung->calls;
  elsewhere(post_two, self->on);
  EXPECT(is_readable(self->descriptor));
  EXPECT_EQUAL(next_timeout(event->context), -1);
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT(!is_readable(self->descriptor));
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
  elsewhere(post_two, self->on);
  EXPECT(!is_readable(self->descriptor));
  EXPECT_EQUAL(self->hung->calls, rings + 1);
}

/* Catches: an inner loop that spins on a drain it cannot do; what came meanwhile forgotten after it. */
CASE(an_inner_loop_is_not_kept_busy, IN_BOTH) {
  stream on = stream_open(threads);
  bell hung = bell_open(on.context);
  dialog self = {&on, -1, 0, &hung};
  EXPECT_OK(mainstem_context_fd(on.context, &self.descriptor));
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &hung, let_go));
  EXPECT_OK(mainstem_observe(on.context, on.notice, run_a_loop, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_EQUAL(hung.calls, 2);
  EXPECT(is_readable(self.descriptor));
  EXPECT_EQUAL(next_timeout(on.context), 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(self.calls, 5);
  EXPECT(!is_readable(self.descriptor));
  self.calls = 0; /* Once more, and closed with what came. */
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(self.calls, 5);
}

static void post_and_try(void *user_data, const mainstem_event *event) {
  dialog *self = (dialog *)user_data;
  EXPECT_OK(mainstem_post(event->context, self->on->other, "", 0));
  EXPECT(is_readable(self->descriptor));
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT(!is_readable(self->descriptor));
}

static void expect_silence(void *user_data, const mainstem_event *event) {
  dialog *self = (dialog *)user_data;
  self->calls++;
  EXPECT(!is_readable(self->descriptor));
}

/* Catches: a silence that ends with the callback, or that stays when the event has been delivered. */
CASE(a_busy_drain_silences_until_the_event_is_delivered, IN_BOTH) {
  stream on = stream_open(threads);
  dialog self = {&on, -1, 0, NULL};
  EXPECT_OK(mainstem_context_fd(on.context, &self.descriptor));
  EXPECT_OK(mainstem_observe(on.context, on.notice, post_and_try, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, expect_silence, &self, NULL, NULL));
  for (int i = 1; i <= 3; i++) {
    EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
    EXPECT_EQUAL(self.calls, i);
    EXPECT(is_readable(self.descriptor));
  }
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT(!is_readable(self.descriptor));
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct slow {
  stream *on;
  sem_t entered;
  int has_ended, releases;
} slow;

static void ring_slowly(void *user_data) {
  slow *self = (slow *)user_data;
  signal_give(&self->entered);
  for (int i = 0; i < 1000; i++) sched_yield();
  __atomic_store_n(&self->has_ended, 1, __ATOMIC_SEQ_CST);
}

static void end_slowly(void *user_data) {
  slow *self = (slow *)user_data;
  EXPECT_EQUAL(__atomic_load_n(&self->has_ended, __ATOMIC_SEQ_CST), 1);
  self->releases++;
}

static void *post_one(void *data) {
  slow *self = (slow *)data;
  EXPECT_OK(mainstem_post(self->on->context, self->on->notice, "", 0));
  return NULL;
}

/* Catches: user_data released, or the context closed, under a hook that another thread is running. */
CASE(removing_and_closing_wait_for_the_hook, IN_BOTH) {
  for (int closing = 0; closing <= 1; closing++) {
    stream on = stream_open(threads);
    slow self = {&on, {{0}}, 0, 0};
    signal_open(&self.entered);
    EXPECT_OK(mainstem_context_on_wake(on.context, ring_slowly, &self, end_slowly));
    pthread_t other = beside(post_one, &self);
    signal_take(&self.entered);
    if (closing) {
      EXPECT_OK(mainstem_context_close(on.context));
    } else {
      EXPECT_OK(mainstem_context_on_wake(on.context, NULL, NULL, NULL));
    }
    EXPECT_EQUAL(self.releases, 1);
    join(other);
    if (!closing) EXPECT_OK(mainstem_context_close(on.context));
  }
}

enum { POSTERS = 3, EACH = 20000 };

static void *post_many(void *data) {
  const stream *on = (const stream *)data;
  for (int i = 0; i < EACH; i++) EXPECT_OK(mainstem_post(on->context, on->notice, "", 0));
  return NULL;
}

/* Catches: a wake-up that is lost, by hook or descriptor: this would never end. */
CASE(no_wake_up_is_lost, IN_BOTH) {
  stream on = stream_open(threads);
  bell hung = bell_open(on.context);
  pthread_t posters[POSTERS];
  int drains = 0;
  struct pollfd poller = {-1, POLLIN, 0};
  EXPECT_OK(mainstem_context_fd(on.context, &poller.fd));
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &hung, NULL));
  for (int i = 0; i < POSTERS; i++) posters[i] = beside(post_many, &on);
  for (uint64_t taken = 0; taken < POSTERS * EACH; drains++) {
    size_t count;
    if (drains % 2) {
      EXPECT_EQUAL(poll(&poller, 1, -1), 1);
    } else {
      signal_take(&hung.rings);
    }
    EXPECT_OK(mainstem_drain(on.context, drains % 3, &count));
    taken += count;
    while (drains % 2 && signal_is_given(&hung.rings)) signal_take(&hung.rings);
    if (drains % 2 && next_timeout(on.context) == 0) signal_give(&hung.rings);
  }
  for (int i = 0; i < POSTERS; i++) join(posters[i]);
  EXPECT(hung.calls <= drains + 1);
  EXPECT_EQUAL(poll(&poller, 1, 0), 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *wait_long(void *data) {
  stream *on = (stream *)data;
  EXPECT_STATUS(mainstem_wait(on->context, -1), MAINSTEM_STALE);
  return NULL;
}

/* Catches: a wait that sleeps on, on a descriptor that is closed. */
CASE(closing_ends_a_wait, IN_ANY) {
  stream on = stream_open(threads);
  pthread_t other = beside(wait_long, &on);
  for (int i = 0; i < 1000; i++) sched_yield();
  EXPECT_OK(mainstem_context_close(on.context));
  join(other);
}

static void count_call(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

/* Catches: a signal between the host's last look and the sleep that wakes nobody. */
CASE(a_descriptor_of_the_host_interrupts, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0, ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_call, &calls, NULL, NULL));
  EXPECT_STATUS(mainstem_wait_interruptible(on.context, 0, ends[0]), MAINSTEM_TIMEOUT);
  EXPECT_EQUAL(write(ends[1], "!", 1), 1);
  for (int i = 0; i < 2; i++) { /* It is not read: it stays so. */
    EXPECT_STATUS(mainstem_wait_interruptible(on.context, -1, ends[0]), MAINSTEM_INTERRUPTED);
  }
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait_interruptible(on.context, -1, ends[0]));
  EXPECT_EQUAL(calls, 1);
  EXPECT_EQUAL(close(ends[1]), 0);
  EXPECT_STATUS(mainstem_wait_interruptible(on.context, -1, ends[0]), MAINSTEM_INTERRUPTED);
  EXPECT_EQUAL(close(ends[0]), 0);
  EXPECT_STATUS(mainstem_wait_interruptible(on.context, -1, ends[0]), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_wait_interruptible(on.context, 0, -1), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: half of the descriptors left open when the others could not be had. */
CASE(no_descriptor_left_is_a_limit, IN_BOTH) {
  struct rlimit before, none;
  stream on = stream_open(threads);
  int fd = -1, lowest = dup(0);
  EXPECT(lowest > 0);
  EXPECT_EQUAL(close(lowest), 0);
  EXPECT_EQUAL(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (int left = 0; left <= 1; left++) {
    none = before;
    none.rlim_cur = (rlim_t)(lowest + left);
    EXPECT_EQUAL(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_STATUS(mainstem_context_fd(on.context, &fd), MAINSTEM_LIMIT);
    EXPECT_EQUAL(fd, -1);
    EXPECT_EQUAL(setrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(0);
    EXPECT_EQUAL(next, lowest);
    EXPECT_EQUAL(close(next), 0);
  }
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  EXPECT(fd > 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(null_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  EXPECT_STATUS(mainstem_context_next_timeout(on.context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(
      mainstem_context_on_wake(on.context, NULL, &on, let_go)); /* No hook: nothing is kept. */
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

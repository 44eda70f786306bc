// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, contexts that deliver on the host, beside the scenarios: limits, descriptors, other threads. */

#include "elsewhere.h"
#include "scheduled.h"

#include <poll.h>

static stream held_open(uint32_t threads) {
  return stream_of(CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST));
}

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

static void ignore_event(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
}

static void send_from_outside(void *user_data) { send_notice((stream *)user_data, 1); }

/* Catches: a drain with a limit that runs what was accepted from outside while it ran. A hook sends from outside. */
CASE(a_drain_leaves_what_comes_meanwhile, IN_BOTH) {
  for (size_t max = 0; max < 10; max += 9) {
    stream on = held_open(threads);
    transcript seen = {0};
    witness a = {&seen, "a", NULL, NULL};
    scheduled once = {.count = 1};
    witness_observe(&a, on.context, on.notice);
    observe_on(on.context, on.notice, &once, ignore_event, &on, send_from_outside);
    send_notice(&on, 2);
    EXPECT_EQUAL(drained(on.context, max), 2);
    EXPECT_TEXT(seen.text, "a1 a2");
    EXPECT_EQUAL(drained(on.context, max), 1);
    EXPECT_TEXT(seen.text, "a1 a2 a3");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static int is_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

CASE(the_descriptor_tells_of_what_waits, IN_BOTH) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL};
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  witness_observe(&a, on.context, on.notice);
  EXPECT(!is_readable(fd));
  send_notice(&on, 2);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT(is_readable(fd));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_TEXT(seen.text, "a1 a2 a3");
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct sender {
  stream on;
  int times;
} sender;

static void *send_beside(void *data) {
  sender *self = (sender *)data;
  send_notice(&self->on, self->times);
  return NULL;
}

typedef struct count {
  pthread_t thread;
  int calls;
  uint64_t last;
} count;

static void count_here(void *user_data, const mainstem_event *event) {
  count *self = (count *)user_data;
  EXPECT(pthread_equal(self->thread, pthread_self()));
  EXPECT(event->position > self->last);
  self->last = event->position;
  self->calls++;
}

CASE(what_four_threads_send_is_delivered_by_the_one_that_drains, IN_ANY) {
  sender self = {held_open(threads), 5000};
  count here = {pthread_self(), 0, 0};
  pthread_t others[4];
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, count_here, &here, NULL, NULL));
  for (int i = 0; i < 4; i++) others[i] = beside(send_beside, &self);
  while (here.calls < 20000) EXPECT_OK(mainstem_wait(self.on.context, -1));
  for (int i = 0; i < 4; i++) join(others[i]);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, schedulers, beside the scenarios: descriptors, threads in a forced order, and what is refused. */

#include "elsewhere.h"
#include "scheduled.h"

#include <poll.h>
#include <sched.h>

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

/* The host's scheduler --------------------------------------------------------------------------- */

CASE(only_so_many_matches_then_it_ends, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness twice = {&seen, "t", NULL, NULL};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .count = 2};
  observe_on(on.context, on.notice, &how, witness_event, &twice, witness_release);
  send_notice(&on, 3);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "t1 t2 ~t");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static int is_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

CASE(the_descriptor_is_readable_while_something_waits, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness h = {&seen, "h", NULL, NULL};
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  witness_on(&h, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  EXPECT(!is_readable(fd));
  send_notice(&on, 2);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(!is_readable(fd));
  send_notice(&on, 1);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_TEXT(seen.text, "h1 h2 h3");
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Serial schedulers ------------------------------------------------------------------------------- */

typedef struct work {
  stream on;
  pthread_t thread;
  sem_t begun, go_on, done;
  int calls, wanted;
  uint64_t last;
} work;

static void on_serial(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  if (self->calls == 0) self->thread = pthread_self();
  EXPECT(pthread_equal(self->thread, pthread_self()));
  EXPECT(event->position > self->last);
  self->last = event->position;
  if (++self->calls == self->wanted) signal_give(&self->done);
}

static void work_open(work *self, uint32_t threads, int wanted) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->wanted = wanted;
  signal_open(&self->begun);
  signal_open(&self->go_on);
  signal_open(&self->done);
}

CASE(a_serial_scheduler_calls_on_one_thread_in_order, IN_BOTH) {
  work work;
  mainstem_scheduler serial;
  for (uint32_t spin = 0; spin <= 50; spin += 50) {
    work_open(&work, threads, 10000);
    EXPECT_OK(mainstem_scheduler_add(work.on.context, "worker", spin, &serial));
    EXPECT(serial > MAINSTEM_SCHEDULER_HOST);
    scheduled how = {.scheduler = serial};
    observe_on(work.on.context, work.on.notice, &how, on_serial, &work, NULL);
    send_notice(&work.on, 10000);
    signal_take(&work.done);
    EXPECT(!pthread_equal(work.thread, pthread_self()));
    EXPECT_OK(mainstem_context_close(work.on.context));
    EXPECT_EQUAL(work.calls, 10000);
  }
}

static void wait_inside(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  EXPECT_STATUS(mainstem_cancel_wait(NULL), MAINSTEM_OK);
  EXPECT_STATUS(mainstem_context_close(event->context), MAINSTEM_BUSY);
  self->calls++;
  signal_give(&self->begun);
  signal_take(&self->go_on);
}

static void release_one(void *user_data) { signal_give(&((work *)user_data)->done); }

static void *let_go_on(void *data) {
  signal_give((sem_t *)data);
  return NULL;
}

CASE(cancel_wait_waits_for_the_running_call, IN_BOTH) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_scheduler_add(work.on.context, "worker", 0, &serial));
  scheduled how = {.scheduler = serial};
  mainstem_subscription *subscription =
      observe_on(work.on.context, work.on.notice, &how, wait_inside, &work, release_one);
  send_notice(&work.on, 5);
  signal_take(&work.begun);
  EXPECT_OK(mainstem_cancel(subscription));
  EXPECT(!signal_is_given(&work.done));
  pthread_t other = beside(let_go_on, &work.go_on);
  /* The call may have ended before we come to wait for it. */
  mainstem_status status = mainstem_cancel_wait(subscription);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  EXPECT(signal_is_given(&work.done));
  EXPECT_EQUAL(work.calls, 1);
  join(other);
  EXPECT_OK(mainstem_context_close(work.on.context));
}

static void wait_for_close(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  self->calls++;
  signal_give(&self->begun);
  while (mainstem_post(event->context, self->on.other, "", 0) != MAINSTEM_STALE) sched_yield();
}

CASE(close_joins_the_thread_and_drops_the_rest, IN_BOTH) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_scheduler_add(work.on.context, "worker", 20, &serial));
  scheduled how = {.scheduler = serial};
  observe_on(work.on.context, work.on.notice, &how, wait_for_close, &work, release_one);
  send_notice(&work.on, 5);
  signal_take(&work.begun);
  EXPECT_OK(mainstem_context_close(work.on.context));
  EXPECT_EQUAL(work.calls, 1);
  EXPECT(signal_is_given(&work.done));
}

static void answer_on_serial(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void keep_answer(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  EXPECT_EQUAL(event->status, MAINSTEM_OK);
  EXPECT_EQUAL(event->cause, 1);
  signal_give(&self->done);
}

/* A slow server: the request is observed on a thread of its own, the answer keeps its cause. */
CASE(a_request_may_be_answered_on_a_serial_scheduler, IN_BOTH) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_scheduler_add(work.on.context, "worker", 0, &serial));
  scheduled how = {.scheduler = serial};
  observe_on(work.on.context, work.on.ask, &how, answer_on_serial, NULL, NULL);
  scheduled at_once = {.scheduler = MAINSTEM_SCHEDULER_IMMEDIATE};
  observe_on(work.on.context, work.on.answer, &at_once, keep_answer, &work, NULL);
  EXPECT_OK(mainstem_send(work.on.context, work.on.ask, "a", 1));
  if (threads == MAINSTEM_THREADS_ONE) EXPECT_OK(mainstem_wait(work.on.context, -1));
  signal_take(&work.done);
  EXPECT_OK(mainstem_context_close(work.on.context));
}

/* Catches: a close that waits as long as the thread would look for more work, which is over an hour here. */
CASE(close_ends_the_search_for_work, IN_BOTH) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_scheduler_add(work.on.context, "worker", UINT32_MAX, &serial));
  EXPECT_OK(mainstem_context_close(work.on.context));
}

CASE(a_scheduler_that_is_none_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_scheduler serial;
  mainstem_observe_options options = {.size = sizeof options, .scheduler = 2};
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.policy = 5;
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_scheduler_add(on.context, NULL, 0, &serial), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_scheduler_add(on.context, "", 0, &serial), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_scheduler_add(on.context, "worker", 0, NULL), MAINSTEM_INVALID);
  for (int i = 0; i < 63; i++) EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &serial));
  EXPECT_STATUS(mainstem_scheduler_add(on.context, "worker", 0, &serial), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

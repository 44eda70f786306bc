// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: who waits for room in a queue, and who does not because nobody would make it. */

#include "elsewhere.h"
#include "promised.h"

static void count_one(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

typedef struct sender {
  stream on;
  mainstem_subscription *box, *other;
  sem_t about_to_send;
} sender;

static void *send_beside(void *data) {
  sender *self = (sender *)data;
  signal_give(&self->about_to_send);
  EXPECT_OK(send_one(&self->on));
  return NULL;
}

/* Nobody drains: the queue that was full ends. */
CASE(a_blocked_sender_goes_on_when_the_full_queue_ends, IN_ANY) {
  sender self = {stream_open(threads), NULL, NULL, {{0}}};
  signal_open(&self.about_to_send);
  self.box = mailbox(&self.on, (scheduled){.limit_events = 9, .policy = MAINSTEM_QUEUE_BLOCK});
  self.other = mailbox(&self.on, (scheduled){.limit_events = 2, .policy = MAINSTEM_QUEUE_BLOCK});
  send_all(&self.on, 2);
  pthread_t beside_us = beside(send_beside, &self);
  signal_take(&self.about_to_send);
  EXPECT_OK(mainstem_cancel(self.other));
  join(beside_us);
  EXPECT_EQUAL(stats_of_queue(self.box).waiting, 3);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* On a serial scheduler, whose thread can make room for nothing that was not handed over yet. */
CASE(who_has_to_make_the_room_does_not_wait, IN_ONE) {
  for (int size = 0; size < 2; size++) {
    stream on = stream_open(threads);
    int calls = 0;
    scheduled how = {.policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 2};
    if (size) how = (scheduled){.policy = MAINSTEM_QUEUE_BLOCK, .limit_bytes = 10};
    EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
    observe_on(on.context, on.notice, &how, count_one, &calls, NULL);
    for (int i = 0; i < 2; i++) EXPECT_OK(mainstem_post(on.context, on.notice, "12345", 5));
    EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
    EXPECT_STATUS(mainstem_post(on.context, on.notice, "1", 1), MAINSTEM_FULL);
    drained(on.context, 0);
    send_all(&on, 100); /* These wait for the thread. */
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT(calls <= 102);
  }
}

/* As before, where sends wait for a drain, too. */
CASE(what_waits_for_a_drain_makes_no_room, IN_ONE) {
  stream on = {0};
  scheduled how = {.policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 2};
  int calls = 0;
  on.context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST);
  on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
  observe_on(on.context, on.notice, &how, count_one, &calls, NULL);
  for (int round = 0; round < 10; round++) {
    mainstem_status status;
    int accepted = 0;
    while ((status = send_one(&on)) == MAINSTEM_OK) accepted++;
    EXPECT_STATUS(status, MAINSTEM_FULL);
    EXPECT_EQUAL(accepted, 2);
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct crowd {
  stream on;
  int ends; /* The senders are to end. */
} crowd;

static void *send_until_the_end(void *data) {
  crowd *self = (crowd *)data;
  while (!__atomic_load_n(&self->ends, __ATOMIC_RELAXED)) {
    mainstem_status status = send_one(&self->on);
    if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_FULL);
    status = mainstem_post(self->on.context, self->on.notice, "", 0);
    if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_FULL);
  }
  return NULL;
}

/* Two threads send and post while observers come, are full, and go: who stays has all of its room in the end. */
CASE(room_comes_back_in_a_crowd, IN_ANY) {
  crowd self = {stream_open(threads), 0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 5};
  transcript seen = {0};
  mainstem_subscription *box = mailbox(&self.on, (scheduled){.limit_events = 7});
  pthread_t first = beside(send_until_the_end, &self);
  pthread_t second = beside(send_until_the_end, &self);
  for (int round = 0; round < 500; round++) {
    char buffer[4000];
    size_t count;
    mainstem_subscription *other =
        observe_on(self.on.context, self.on.notice, &how, read_event, &seen, NULL);
    EXPECT(stats_of_queue(box).waiting <= 7);
    EXPECT_OK(mainstem_mailbox_take(box, buffer, sizeof buffer, &count, NULL));
    EXPECT_OK(mainstem_drain(self.on.context, 0, NULL));
    EXPECT_OK(mainstem_cancel(other));
    transcript_clear(&seen);
  }
  __atomic_store_n(&self.ends, 1, __ATOMIC_RELAXED);
  join(first);
  join(second);
  for (int round = 0; round < 3; round++) {
    char buffer[4000];
    size_t count;
    EXPECT_OK(mainstem_drain(self.on.context, 0, NULL));
    EXPECT_OK(mainstem_mailbox_take(box, buffer, sizeof buffer, &count, NULL));
  }
  expect_room(&self.on, 7);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

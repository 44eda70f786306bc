// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-11: 8 threads × 100,000 sends, 4 observers, with others observed and cancelled
 * meanwhile. Nothing is lost, all see one order, each thread's own order holds. Run under TSan too.
 * The sends of each thread may be given as the argument.
 */

#include "elsewhere.h"
#include "stream.h"

enum { SENDERS = 8, OBSERVERS = 4 };

static long each = 100000;

typedef struct sender {
  stream *on;
  uint32_t number;
} sender;

typedef struct observer {
  uint64_t calls, last, digest;
  uint32_t next[SENDERS];
} observer;

static void *send_many(void *data) {
  const sender *self = (const sender *)data;
  for (uint32_t i = 0; i < (uint32_t)each; i++) {
    uint32_t payload[2] = {self->number, i};
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, payload, sizeof payload));
  }
  return NULL;
}

static void note(void *user_data, const mainstem_event *event) {
  observer *self = (observer *)user_data;
  uint32_t payload[2];
  memcpy(payload, event->data, sizeof payload);
  EXPECT_EQUAL(event->position, self->last + 1);
  EXPECT_EQUAL(payload[1], self->next[payload[0]]++);
  self->last = event->position;
  self->digest = self->digest * 31 + payload[0] * 7 + payload[1];
  self->calls++;
}

typedef struct passing {
  uint64_t last;
  int released;
} passing;

static void note_passing(void *user_data, const mainstem_event *event) {
  passing *self = (passing *)user_data;
  EXPECT(event->position > self->last);
  self->last = event->position;
}

static void note_release(void *user_data) {
  passing *self = (passing *)user_data;
  __atomic_add_fetch(&self->released, 1, __ATOMIC_SEQ_CST);
}

typedef struct crowd {
  stream *on;
  int done;
} crowd;

static void *come_and_go(void *data) {
  crowd *self = (crowd *)data;
  while (!__atomic_load_n(&self->done, __ATOMIC_SEQ_CST)) {
    passing one = {0, 0};
    mainstem_subscription *subscription;
    uint64_t from;
    EXPECT_OK(mainstem_observe(self->on->context, self->on->notice, note_passing, &one,
                               note_release, &subscription));
    EXPECT_OK(mainstem_subscription_from(subscription, &from));
    EXPECT_OK(mainstem_cancel_wait(subscription)); /* `one` ends here: it must not be used again. */
    EXPECT_EQUAL(one.released, 1);
    EXPECT(one.last == 0 || one.last > from);
  }
  return NULL;
}

CASE(nothing_is_lost_in_a_crowd, IN_ANY) {
  stream on = stream_open(threads);
  static observer observers[OBSERVERS];
  sender senders[SENDERS];
  pthread_t thread[SENDERS], passer;
  crowd around = {&on, 0};
  memset(observers, 0, sizeof observers);
  for (int i = 0; i < OBSERVERS; i++) {
    mainstem_event_type type = i % 2 == 0 ? on.notice : MAINSTEM_TYPE_ANY;
    EXPECT_OK(mainstem_observe(on.context, type, note, &observers[i], NULL, NULL));
  }
  passer = beside(come_and_go, &around);
  for (uint32_t i = 0; i < SENDERS; i++) {
    senders[i].on = &on;
    senders[i].number = i;
    thread[i] = beside(send_many, &senders[i]);
  }
  for (int i = 0; i < SENDERS; i++) join(thread[i]);
  __atomic_store_n(&around.done, 1, __ATOMIC_SEQ_CST);
  join(passer);
  EXPECT_OK(mainstem_flush(on.context));
  for (int i = 0; i < OBSERVERS; i++) {
    EXPECT_EQUAL(observers[i].calls, SENDERS * each);
    EXPECT_EQUAL(observers[i].digest, observers[0].digest);
  }
  EXPECT_EQUAL(stats_of(on.context).subscriptions, OBSERVERS);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(int count, char **arguments) {
  if (count > 1) each = atol(arguments[1]);
  return expect_run(570);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 1 where two threads send what goes straight into a queue: before each lock that the one takes, in turn,
 * the other sends. Whoever fetches must see ascending positions.
 *
 * This program defines pthread_mutex_lock, so it must not be built with a sanitizer.
 */

#include "elsewhere.h"
#include "stream.h"

#include <dlfcn.h>

typedef struct meeting {
  stream on;
  sem_t turn, settled;
  int stands;
} meeting;

static __thread meeting *counted; /* Whose locks are counted on this thread. */
static __thread int countdown;
static __thread meeting *tells; /* Who is told when this thread has to wait for a lock. */

static int (*next_of(const char *name))(pthread_mutex_t *) {
  int (*next)(pthread_mutex_t *);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (next == NULL) abort();
  return next;
}

/* Lets the other one send, until it has, or needs a lock that this thread holds. */
static void stand(meeting *self) {
  self->stands = 1;
  signal_give(&self->turn);
  signal_take(&self->settled);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  meeting *self = counted;
  if (self != NULL && countdown-- == 0) {
    counted = NULL;
    stand(self);
  }
  if (tells != NULL) {
    if (next_of("pthread_mutex_trylock")(mutex) == 0) return 0;
    signal_give(&tells->settled);
    tells = NULL;
  }
  return next_of("pthread_mutex_lock")(mutex);
}

static void *send_in_turn(void *data) {
  meeting *self = (meeting *)data;
  signal_take(&self->turn);
  tells = self;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "b", 1));
  if (tells != NULL) signal_give(&self->settled);
  tells = NULL;
  return NULL;
}

static mainstem_subscription *mailbox(stream *on, uint32_t policy) {
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe_with(on->context,
                                  OPTIONS(observe, .types = &on->notice, .type_count = 1,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = policy),
                                  NULL, NULL, NULL, &subscription));
  return subscription;
}

/* False when the first one took no more locks than that. */
static int a_send_before_lock(int lock, uint32_t policy, uint32_t threads) {
  meeting self = {.on = stream_open(threads)};
  mainstem_event_header records[8];
  mainstem_subscription *box = mailbox(&self.on, policy);
  size_t count = 0;
  signal_open(&self.turn);
  signal_open(&self.settled);
  pthread_t other = beside(send_in_turn, &self);
  countdown = lock;
  counted = &self;
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "a", 1));
  counted = NULL;
  if (!self.stands) signal_give(&self.turn);
  join(other);
  EXPECT_OK(mainstem_mailbox_take(box, records, sizeof records, &count, NULL));
  EXPECT_EQUAL(count, 2);
  EXPECT_EQUAL(records[0].position, 1);
  EXPECT_EQUAL(records[1].position, 2);
  EXPECT_OK(mainstem_context_close(self.on.context));
  return self.stands;
}

/* Catches: a position taken, or an event handed over, ahead of one that was accepted before. */
CASE(two_senders_hand_over_in_order, IN_ANY) {
  static const uint32_t policies[] = {MAINSTEM_QUEUE_REJECT, MAINSTEM_QUEUE_BLOCK,
                                      MAINSTEM_QUEUE_DROP_OLDEST};
  for (size_t i = 0; i < COUNT(policies); i++) {
    int lock = 0;
    while (a_send_before_lock(lock, policies[i], threads)) lock++;
    EXPECT(lock > 0);
  }
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * One thread sends flat out while two others observe and cancel at random: the crash of the
 * prototypes (a row moved under a canceller, an unswept row compacted). Seconds as the argument, 2
 * without; run with 30 under ASan and TSan.
 */

#include "elsewhere.h"
#include "stream.h"

#include <time.h>

enum { CHURNERS = 2, ROWS = 64 };

static unsigned seconds = 2;
static int done;

typedef struct row {
  int released;
} row;

/* Half of all observers look at one of these, and what is sent goes through one after the other. */
static mainstem_context *origins[4];

typedef struct churner {
  stream *on;
  uint64_t random, made;
} churner;

static uint64_t next_random(uint64_t *state) { /* xorshift64 */
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* The row is memory of its own: used after its hook, ASan sees it. */
static void touch(void *user_data, const mainstem_event *event) {
  row *self = (row *)user_data;
  EXPECT(event->position > 0);
  EXPECT_EQUAL(__atomic_load_n(&self->released, __ATOMIC_SEQ_CST), 0);
}

static uint64_t hooks;

static void end_row(void *user_data) {
  row *self = (row *)user_data;
  EXPECT_EQUAL(__atomic_add_fetch(&self->released, 1, __ATOMIC_SEQ_CST), 1);
  __atomic_add_fetch(&hooks, 1, __ATOMIC_SEQ_CST);
  free(self);
}

static mainstem_subscription *observe_row(churner *self) {
  row *made = (row *)calloc(1, sizeof *made);
  mainstem_subscription *subscription = NULL;
  mainstem_event_type type = next_random(&self->random) % 3 == 0 ? 0 : self->on->notice;
  EXPECT(made != NULL);
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = type == 0 ? NULL : &type,
                                      .type_count = type != 0,
                                      .of = origins[next_random(&self->random) % COUNT(origins)]};
  if (next_random(&self->random) % 2)
    EXPECT_OK(mainstem_observe(self->on->context, type, touch, made, end_row, &subscription));
  else
    EXPECT_OK(
        mainstem_observe_with(self->on->context, &options, touch, made, end_row, &subscription));
  self->made++;
  return subscription;
}

static void end_subscription(churner *self, mainstem_subscription *subscription) {
  if (next_random(&self->random) % 4 == 0) EXPECT_OK(mainstem_cancel_wait(subscription));
  else EXPECT_OK(mainstem_cancel(subscription));
  EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
}

static void *churn(void *data) {
  churner *self = (churner *)data;
  mainstem_subscription *rows[ROWS] = {NULL};
  while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST)) {
    size_t place = next_random(&self->random) % ROWS;
    if (rows[place] == NULL) {
      rows[place] = observe_row(self);
      continue;
    }
    end_subscription(self, rows[place]);
    rows[place] = NULL;
  }
  for (size_t i = 0; i < ROWS; i++) {
    if (rows[i] != NULL) end_subscription(self, rows[i]);
  }
  return NULL;
}

static uint64_t calls, last;

static void count_call(void *user_data, const mainstem_event *event) {
  calls++;
  EXPECT_EQUAL(event->position, last + 1);
  last = event->position;
}

CASE(senders_and_churners_do_not_meet, IN_ANY) {
  stream on = stream_open(threads);
  churner churners[CHURNERS];
  pthread_t thread[CHURNERS];
  time_t end = time(NULL) + (time_t)seconds;
  uint64_t sent = 0, made = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_call, NULL, NULL, NULL));
  for (size_t i = 0; i < COUNT(origins); i++) {
    origins[i] = scope_open(on.context, "Origin");
  }
  for (uint64_t i = 0; i < CHURNERS; i++) {
    memset(&churners[i], 0, sizeof churners[i]);
    churners[i].on = &on;
    churners[i].random = 88172645463325252ULL + i;
    thread[i] = beside(churn, &churners[i]);
  }
  while (time(NULL) < end) {
    for (int i = 0; i < 500; i++) {
      mainstem_status status = mainstem_send(origins[i % 4], on.notice, &sent, sizeof sent);
      /* A churner that delivers may be slower than we send. */
      if (status == MAINSTEM_FULL) EXPECT_OK(mainstem_flush(on.context));
      else EXPECT_OK(status);
      sent += status == MAINSTEM_OK;
    }
  }
  __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < CHURNERS; i++) {
    join(thread[i]);
    made += churners[i].made;
  }
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(calls, sent);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
  EXPECT_EQUAL(__atomic_load_n(&hooks, __ATOMIC_SEQ_CST), made);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(hooks, made);
  printf("%llu sends, %llu observers came and went\n", (unsigned long long)sent,
         (unsigned long long)made);
}

int main(int count, char **arguments) {
  if (count > 1) seconds = (unsigned)atoi(arguments[1]);
  return expect_run(seconds + 120);
}

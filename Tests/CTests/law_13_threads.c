// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 13: threads that set at once. */

#include "elsewhere.h"
#include "value.h"

/* So many that a busy machine loses the race, too. */
enum { ROUNDS = 6000 };

typedef struct setter {
  mainstem_context *context;
  mainstem_event_type type;
  int number;
  pthread_barrier_t *round;
} setter;

/* So large that its copy takes longer than a thread takes to begin. */
static void *set_the_same(void *data) {
  enum { SIZE = 1 << 18 };
  const setter *self = (const setter *)data;
  char *large = (char *)malloc(SIZE);
  for (int i = 0; i < ROUNDS; i++) {
    memset(large, i, SIZE);
    pthread_barrier_wait(self->round);
    EXPECT_OK(mainstem_value_set(self->context, self->type, large, SIZE));
  }
  free(large);
  return NULL;
}

static void *set_others(void *data) {
  const setter *self = (const setter *)data;
  for (int64_t i = 0; i < ROUNDS; i++) {
    mainstem_context *scope = scope_open(self->context, "S");
    mainstem_retained *kept;
    EXPECT_OK(mainstem_value_set_integer(self->context, self->type, i * 8 + self->number));
    EXPECT_OK(mainstem_value_set_integer(scope, self->type, i));
    EXPECT_OK(mainstem_value_set_integer(scope, self->type, i + 1));
    mainstem_status status = mainstem_value_get(scope, self->type, &kept);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_UNSET);
    if (status == MAINSTEM_OK) EXPECT_OK(mainstem_retained_release(kept));
    EXPECT_OK(mainstem_scope_end(scope));
  }
  return NULL;
}

typedef struct counted {
  uint64_t last;
  int calls;
} counted;

static void count_in_order(void *user_data, const mainstem_event *event) {
  counted *self = (counted *)user_data;
  EXPECT(event->position > self->last);
  self->last = event->position;
  self->calls++;
}

/* Catches: what two threads set at the same time, sent twice; values found and freed without a lock. */
CASE(threads_set_at_once, IN_ANY) {
  stream on = stream_open(threads);
  setter all[8];
  pthread_t thread[8];
  pthread_barrier_t round;
  counted seen = {0, 0}, others = {0, 0};
  mainstem_event_type same = value_open(on.context, MAINSTEM_PAYLOAD_BYTES);
  mainstem_event_type other =
      type_open(on.context, "Other value", MAINSTEM_PAYLOAD_INTEGER | VALUE, NULL);
  EXPECT_OK(mainstem_observe(on.context, same, count_in_order, &seen, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, other, count_in_order, &others, NULL, NULL));
  EXPECT_EQUAL(pthread_barrier_init(&round, NULL, 4), 0);
  for (int i = 0; i < 8; i++) {
    all[i] = (setter){on.context, i % 2 ? other : same, i, &round};
    thread[i] = beside(i % 2 ? set_others : set_the_same, &all[i]);
  }
  for (int i = 0; i < 8; i++) join(thread[i]);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(seen.calls, ROUNDS);
  EXPECT_EQUAL(others.calls, 4 * 3 * ROUNDS);
  EXPECT_EQUAL(stats_of(on.context).history, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *set_elsewhere(void *data) {
  const setter *self = (const setter *)data;
  EXPECT_STATUS(mainstem_value_set_integer(self->context, self->type, 1), MAINSTEM_WRONG_THREAD);
  mainstem_retained *kept;
  EXPECT_STATUS(mainstem_value_get(self->context, self->type, &kept), MAINSTEM_WRONG_THREAD);
  EXPECT_OK(mainstem_post(self->context, self->type, &(int64_t){2}, 8));
  return NULL;
}

/* Catches: another thread that gets at what needs no lock because only its owner looks. */
CASE(one_thread_owns_its_values, IN_ONE) {
  stream on = stream_open(threads);
  setter self = {on.context, value_open(on.context, MAINSTEM_PAYLOAD_INTEGER), 0, NULL};
  EXPECT_OK(mainstem_value_set_integer(on.context, self.type, 1));
  elsewhere(set_elsewhere, &self);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_value_set_integer(on.context, self.type, 2));
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_run(120); }

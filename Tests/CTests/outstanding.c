// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Many open requests at once: 100,000, asked and answered by several threads, in no order. */

#include "asking.h"
#include "elsewhere.h"

enum { OPEN = 100000, WORKERS = 4 };

typedef struct many {
  stream on;
  mainstem_retained **kept; /* By position - 1. */
  uint8_t *answered;        /* The same. */
  uint64_t answers, steps;
} many;

typedef struct worker {
  many *all;
  int number;
} worker;

static void keep_by_position(void *user_data, const mainstem_event *event) {
  many *all = (many *)user_data;
  EXPECT_OK(mainstem_event_retain(event, &all->kept[event->position - 1]));
}

static void count_answer(void *user_data, const mainstem_event *event) {
  many *all = (many *)user_data;
  EXPECT_EQUAL(all->answered[event->answers - 1]++, 0);
  all->answers++;
}

static void *ask_some(void *data) {
  worker *self = (worker *)data;
  for (int i = 0; i < OPEN / WORKERS; i++) {
    EXPECT_OK(mainstem_request(self->all->on.context, self->all->on.ask, "", 0, count_answer,
                               self->all, NULL));
  }
  return NULL;
}

static void *answer_some(void *data) {
  worker *self = (worker *)data;
  for (int i = self->number; i < OPEN; i += WORKERS) {
    size_t which = (size_t)((long)i * 7919 % OPEN); /* In no order: 7919 has no part of OPEN. */
    const mainstem_event *event = kept_event(self->all->kept[which]);
    EXPECT_OK(mainstem_respond(event, "x", 1));
    EXPECT_STATUS(mainstem_respond(event, "y", 1), MAINSTEM_STALE);
  }
  return NULL;
}

static void run(many *all, void *(*work)(void *)) {
  pthread_t threads[WORKERS];
  worker workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    workers[i].all = all;
    workers[i].number = i;
    threads[i] = beside(work, &workers[i]);
  }
  for (int i = 0; i < WORKERS; i++) join(threads[i]);
}

/* Catches: an answer lost or given twice among many; a search that is slow when there are many. */
CASE(a_hundred_thousand_are_answered_in_no_order, IN_BOTH) {
  many all;
  worker alone = {&all, 0};
  memset(&all, 0, sizeof all);
  all.on = stream_open(threads);
  all.kept = (mainstem_retained **)calloc(OPEN, sizeof *all.kept);
  all.answered = (uint8_t *)calloc(OPEN, 1);
  EXPECT(all.kept != NULL && all.answered != NULL);
  serve_one(all.on.context, "S", "RequestAsk", keep_by_position, &all);
  if (threads == MAINSTEM_THREADS_ANY) run(&all, ask_some);
  else
    for (int i = 0; i < WORKERS; i++) ask_some(&alone);
  EXPECT_OK(mainstem_flush(all.on.context));
  EXPECT_EQUAL(stats_of(all.on.context).requests, OPEN);
  run(&all, answer_some);
  EXPECT_OK(mainstem_flush(all.on.context));
  EXPECT_EQUAL(all.answers, OPEN);
  EXPECT_EQUAL(stats_of(all.on.context).requests, 0);
  EXPECT_EQUAL(stats_of(all.on.context).events, 2 * OPEN);
  EXPECT_OK(mainstem_context_close(all.on.context));
  free(all.kept);
  free(all.answered);
}

/* Catches: the end of a small scope that walks through all that others have asked. */
CASE(small_scopes_end_beside_many_requests, IN_BOTH) {
  stream on = stream_open(threads), inner = on;
  asking one;
  serve_one(on.context, "S", "RequestAsk", keep_for_ever, NULL);
  for (int i = 0; i < OPEN; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  }
  for (int i = 0; i < 20000; i++) { /* Minutes, if each of them walked. */
    inner.context = scope_open(on.context, "Small");
    asking_ask(&one, &inner);
    EXPECT_OK(mainstem_scope_end(inner.context));
    EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  }
  EXPECT_EQUAL(stats_of(on.context).requests, OPEN);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

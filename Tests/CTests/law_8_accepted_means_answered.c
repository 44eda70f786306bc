// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 8, accepted means answered; acceptance A-02: one final response each, whatever happens. */

#include "asking.h"
#include "elsewhere.h"

/* Catches: a refused answer that settles the request all the same. */
CASE(a_wrong_answer_leaves_the_request_open, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "\xc0", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), NULL, 5), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_error(keeper_event(&kept, 0), MAINSTEM_OK, "x"), MAINSTEM_INVALID);
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_EQUAL(stats_of(on.context).requests, 1);
  EXPECT_OK(mainstem_respond_error(keeper_event(&kept, 0), 1000, NULL));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, 1000);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a request accepted that can have no answer. */
CASE(what_is_no_request_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  asking one = {0};
  mainstem_pending *pending = NULL;
  mainstem_event_type none = type_open(on.context, "RequestNothing", MAINSTEM_PAYLOAD_NONE, NULL);
  mainstem_event_type later =
      type_open(on.context, "RequestLater", MAINSTEM_PAYLOAD_NONE, "ResponseLater");
  mainstem_event_type wrong[] = {on.notice, on.answer, none, later, 999, MAINSTEM_TYPE_ANY};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    EXPECT_STATUS(mainstem_request(on.context, wrong[i], NULL, 0, asking_answered, &one, &pending),
                  MAINSTEM_INVALID);
  }
  type_open(on.context, "ResponseLater", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_request(on.context, later, NULL, 0, asking_answered, &one, NULL));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct answerer {
  const mainstem_event *event;
  mainstem_status status;
} answerer;

static void *answer_elsewhere(void *data) {
  answerer *self = (answerer *)data;
  self->status = mainstem_respond(self->event, "far", 3);
  return NULL;
}

/* Catches: a foreign answer that counts only when drained, so that another slips in before. */
CASE(a_foreign_answer_counts_at_once, IN_BOTH) {
  for (int end = 0; end < 5; end++) {
    stream on = stream_open(threads);
    keeper kept = {0, {NULL}};
    asking one;
    mainstem_context *server = keeper_serve(&kept, &on);
    uint64_t position;
    asking_ask(&one, &on);
    answerer far = {keeper_event(&kept, 0), -1};
    elsewhere(answer_elsewhere, &far);
    EXPECT_STATUS(far.status, MAINSTEM_OK);
    EXPECT_STATUS(mainstem_respond(far.event, "near", 4), MAINSTEM_STALE);
    if (end == 1) EXPECT_STATUS(mainstem_pending_cancel(one.pending), MAINSTEM_STALE);
    if (end == 2) {
      EXPECT_STATUS(mainstem_pending_position(one.pending, &position), MAINSTEM_STALE);
    }
    if (end == 3) EXPECT_OK(mainstem_scope_end(server));
    if (threads == MAINSTEM_THREADS_ONE) EXPECT_EQUAL(one.calls, 0);
    if (end != 4) EXPECT_OK(mainstem_flush(on.context));
    if (end != 4) EXPECT_EQUAL(one.calls, 1);
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_STATUS(one.last.status, MAINSTEM_OK);
    EXPECT_TEXT(one.text, "far");
  }
}

typedef struct race {
  const mainstem_event *event;
  pthread_barrier_t *start;
  mainstem_status status;
} race;

static void *answer_in_a_race(void *data) {
  race *self = (race *)data;
  pthread_barrier_wait(self->start);
  self->status = mainstem_respond(self->event, "x", 1);
  return NULL;
}

/* Catches: a settle that is a read and a write instead of one step. */
CASE(of_racing_answers_one_counts, IN_BOTH) {
  pthread_barrier_t start;
  EXPECT_EQUAL(pthread_barrier_init(&start, NULL, 3), 0);
  for (int round = 0; round < 500; round++) {
    stream on = stream_open(threads);
    keeper kept = {0, {NULL}};
    asking one;
    keeper_serve(&kept, &on);
    asking_ask(&one, &on);
    race a = {keeper_event(&kept, 0), &start, -1}, b = a;
    pthread_t first = beside(answer_in_a_race, &a), second = beside(answer_in_a_race, &b);
    pthread_barrier_wait(&start);
    mainstem_status cancelled = mainstem_pending_cancel(one.pending);
    join(first);
    join(second);
    EXPECT_EQUAL((a.status == MAINSTEM_OK) + (b.status == MAINSTEM_OK) + (cancelled == MAINSTEM_OK),
                 1);
    EXPECT_EQUAL((a.status == MAINSTEM_STALE) + (b.status == MAINSTEM_STALE) +
                     (cancelled == MAINSTEM_STALE),
                 2);
    EXPECT_OK(mainstem_flush(on.context));
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(one.calls, 1);
  }
  EXPECT_EQUAL(pthread_barrier_destroy(&start), 0);
}

/* Catches: a context whose first error is that nobody waited any more, which its program could not know. */
CASE(a_late_answer_is_no_failed_call, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_error error = {.size = sizeof error, .code = MAINSTEM_APP};
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_pending_cancel(one.pending));
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "x", 1), MAINSTEM_STALE);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_respond: event: is already answered: a request gets one answer");
  EXPECT_STATUS(mainstem_respond_error(keeper_event(&kept, 0), 1000, NULL), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond_error_with(keeper_event(&kept, 0), &error), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond_progress(keeper_event(&kept, 0), on.notice, "", 0),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_first_error(on.context, NULL));
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), NULL, 5), MAINSTEM_STALE);
  asking_ask(&one, &on);
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 1), NULL, 5), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_first_error(on.context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

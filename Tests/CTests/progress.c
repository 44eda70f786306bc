// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Progress and release hooks of requests: mainstem_request_with, mainstem_respond_progress. */

#include "asking.h"
#include "elsewhere.h"
#include "transcript.h"

typedef struct teller {
  stream on;
  mainstem_event_type step; /* A notice: how far it is. */
  keeper kept;
  transcript seen;
  witness observer, any;
  int answers, steps, releases;
  mainstem_event last;
  mainstem_pending *pending;
} teller;

static void note_step(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_PROGRESS, MAINSTEM_EVENT_PROGRESS);
  EXPECT_EQUAL(event->answers, 1);
  EXPECT_EQUAL(event->correlation, 1);
  EXPECT_STATUS(event->status, MAINSTEM_OK);
  EXPECT_EQUAL(self->answers, 0);
  self->steps++;
  transcript_add(&self->seen, "%.*s", (int)event->size, (const char *)event->data);
}

static void note_answer(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_PROGRESS, 0);
  EXPECT_EQUAL(self->releases, 0);
  self->answers++;
  self->last = *event;
  transcript_add(&self->seen, "answer%llu", (unsigned long long)event->position);
}

static void note_release(void *user_data) {
  teller *self = (teller *)user_data;
  EXPECT_EQUAL(self->answers, 1);
  self->releases++;
}

static mainstem_status ask_with(teller *self, mainstem_event_fn progress) {
  return mainstem_request_with(self->on.context, self->on.ask, "?", 1,
                               OPTIONS(request, .progress = progress), note_answer, self,
                               note_release, &self->pending);
}

static teller *teller_open(uint32_t threads) {
  static teller self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.step = type_open(self.on.context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  keeper_serve(&self.kept, &self.on);
  return &self;
}

static mainstem_status tell(teller *self, const char *text) {
  return mainstem_respond_progress(keeper_event(&self->kept, 0), self->step, text, strlen(text));
}

static mainstem_status answer(teller *self) {
  return mainstem_respond(keeper_event(&self->kept, 0), "x", 1);
}

/* Catches: a step taken for an answer, by an observer of the response or by the core. */
CASE(steps_come_before_the_answer, IN_BOTH) {
  teller *self = teller_open(threads);
  witness observer = {&self->seen, "s", NULL, NULL}, response = {&self->seen, "r", NULL, NULL};
  witness_observe(&observer, self->on.context, self->step);
  witness_observe(&response, self->on.context, self->on.answer);
  EXPECT_OK(ask_with(self, note_step));
  EXPECT_OK(tell(self, "half"));
  EXPECT_OK(tell(self, "most"));
  EXPECT_EQUAL(stats_of(self->on.context).requests, 1);
  EXPECT_TEXT(self->seen.text, "s2 half s3 most");
  EXPECT_OK(answer(self));
  EXPECT_TEXT(self->seen.text, "s2 half s3 most r4 answer4");
  EXPECT_STATUS(tell(self, "late"), MAINSTEM_STALE);
  EXPECT_EQUAL(self->releases, 1);
  EXPECT_EQUAL(stats_of(self->on.context).events, 4);
  EXPECT_OK(mainstem_context_close(self->on.context));
  EXPECT_EQUAL(self->releases, 1);
}

/* Catches: a step that needs somebody to want it. */
CASE(nobody_need_want_progress, IN_BOTH) {
  teller *self = teller_open(threads);
  EXPECT_OK(ask_with(self, NULL));
  EXPECT_OK(tell(self, "half"));
  EXPECT_OK(answer(self));
  EXPECT_EQUAL(self->last.position, 3);
  EXPECT_EQUAL(self->steps, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void in_the_callback(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_OK(mainstem_respond_progress(event, self->step, "one", 3));
  EXPECT_OK(mainstem_respond_progress(event, self->step, "two", 3));
  EXPECT_OK(mainstem_respond(event, "x", 1));
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, "three", 5), MAINSTEM_STALE);
}

/* Catches: a step let through behind an answer that still waits for its turn. */
CASE(a_handler_tells_and_answers_in_order, IN_BOTH) {
  teller *self = teller_open(threads);
  mainstem_handler_row rows[] = {{"RequestAsk", in_the_callback, MAINSTEM_HANDLER_SEVERAL}};
  EXPECT_OK(mainstem_server_add(self->on.context, "Here", MAINSTEM_ROWS(rows), self, NULL, NULL));
  EXPECT_OK(ask_with(self, note_step));
  EXPECT_TEXT(self->seen.text, "one two answer4");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void tell_about_a_step(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond(event, "", 0), MAINSTEM_INVALID);
  self->steps++;
}

CASE(wrong_steps_change_nothing, IN_BOTH) {
  teller *self = teller_open(threads);
  EXPECT_OK(mainstem_observe(self->on.context, self->step, tell_about_a_step, self, NULL, NULL));
  EXPECT_OK(ask_with(self, NULL));
  const mainstem_event *event = keeper_event(&self->kept, 0);
  EXPECT_STATUS(mainstem_respond_progress(NULL, self->step, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, 0, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, 999, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, self->on.answer, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, self->on.ask, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, "\xff", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, NULL, 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, "", (size_t)1 << 32),
                MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(stats_of(self->on.context).events, 1);
  EXPECT_OK(tell(self, "half"));
  EXPECT_EQUAL(self->steps, 1);
  EXPECT_OK(mainstem_pending_cancel(self->pending));
  EXPECT_STATUS(tell(self, "late"), MAINSTEM_STALE);
  EXPECT_STATUS(self->last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Catches: a broadcast that is tracked by its progress. */
CASE(a_sent_request_may_have_progress, IN_BOTH) {
  teller *self = teller_open(threads);
  witness observer = {&self->seen, "s", NULL, NULL};
  witness_observe(&observer, self->on.context, self->step);
  EXPECT_OK(send_text(self->on.context, self->on.ask, "?"));
  EXPECT_OK(tell(self, "half"));
  EXPECT_OK(answer(self));
  EXPECT_OK(tell(self, "most")); /* Nothing is owed, so nothing is over. */
  EXPECT_TEXT(self->seen.text, "s2 s4");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Catches: a step for what nobody asked: it would answer a notice. */
CASE(what_is_no_request_has_no_progress, IN_BOTH) {
  teller *self = teller_open(threads);
  const mainstem_event_type types[] = {self->on.notice, self->on.answer};
  EXPECT_OK(ask_with(self, note_step));
  for (size_t i = 0; i < COUNT(types); i++) {
    EXPECT_OK(mainstem_observe(self->on.context, types[i], keeper_keep, &self->kept, NULL, NULL));
    EXPECT_OK(send_text(self->on.context, types[i], "?"));
    EXPECT_STATUS(mainstem_respond_progress(keeper_event(&self->kept, i + 1), self->step, "x", 1),
                  MAINSTEM_INVALID);
    EXPECT(strstr(mainstem_last_error(), "event: is not a request") != NULL);
  }
  EXPECT_EQUAL(stats_of(self->on.context).events, 3);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void *tell_twice_and_answer(void *data) {
  teller *self = (teller *)data;
  EXPECT_OK(tell(self, "one"));
  EXPECT_OK(tell(self, "two"));
  EXPECT_OK(answer(self));
  EXPECT_STATUS(tell(self, "three"), MAINSTEM_STALE);
  return NULL;
}

static void *tell_once(void *data) {
  EXPECT_OK(tell((teller *)data, "one"));
  return NULL;
}

/* Catches: steps of another thread lost behind the answer that it gave after them. */
CASE(another_thread_keeps_its_order, IN_BOTH) {
  teller *self = teller_open(threads);
  EXPECT_OK(ask_with(self, note_step));
  elsewhere(tell_twice_and_answer, self);
  if (threads == MAINSTEM_THREADS_ONE) EXPECT_TEXT(self->seen.text, "");
  EXPECT_OK(mainstem_flush(self->on.context));
  EXPECT_TEXT(self->seen.text, "one two answer4");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Catches: a step that waited in the inbox and comes after the answer. */
CASE(a_step_that_is_overtaken_is_dropped, IN_ONE) {
  for (int end = 0; end < 3; end++) {
    teller *self = teller_open(threads);
    EXPECT_OK(ask_with(self, note_step));
    elsewhere(tell_once, self);
    if (end == 0) EXPECT_OK(answer(self));
    if (end == 1) EXPECT_OK(mainstem_pending_cancel(self->pending));
    if (end < 2) EXPECT_OK(mainstem_flush(self->on.context));
    if (end < 2) EXPECT_TEXT(self->seen.text, "answer2");
    if (end < 2) EXPECT_EQUAL(stats_of(self->on.context).events, 2);
    EXPECT_OK(mainstem_context_close(self->on.context));
    EXPECT_EQUAL(self->answers, 1);
    if (end == 2) EXPECT_TEXT(self->seen.text, "one answer3");
  }
}

typedef struct race {
  teller *self;
  pthread_barrier_t *start;
  uint64_t accepted;
} race;

static void note_position(void *user_data, const mainstem_event *event) {
  *(uint64_t *)user_data = event->position;
}

static void *tell_until_answered(void *data) {
  race *run = (race *)data;
  const mainstem_event *event = keeper_event(&run->self->kept, 0);
  pthread_barrier_wait(run->start);
  while (mainstem_respond_progress(event, run->self->step, "s", 1) == MAINSTEM_OK) run->accepted++;
  return NULL;
}

static void answer_the_kept(void *user_data, const mainstem_event *event) {
  EXPECT_OK(answer((teller *)user_data));
}

/* Catches: a look at the answer and the step's place in two steps, without minding each other. */
CASE(no_step_of_a_race_comes_after_the_answer, IN_BOTH) {
  pthread_barrier_t start;
  EXPECT_EQUAL(pthread_barrier_init(&start, NULL, 3), 0);
  for (int round = 0; round < 300; round++) {
    teller *self = teller_open(threads);
    uint64_t last_step = 0;
    EXPECT_OK(
        mainstem_observe(self->on.context, self->step, note_position, &last_step, NULL, NULL));
    EXPECT_OK(
        mainstem_observe(self->on.context, self->on.notice, answer_the_kept, self, NULL, NULL));
    EXPECT_OK(ask_with(self, NULL));
    race a = {self, &start, 0}, b = a;
    pthread_t first = beside(tell_until_answered, &a), second = beside(tell_until_answered, &b);
    pthread_barrier_wait(&start);
    EXPECT_OK(send_text(self->on.context, self->on.notice, "")); /* Settles inside a callback. */
    join(first);
    join(second);
    EXPECT_OK(mainstem_flush(self->on.context));
    EXPECT_EQUAL(self->answers, 1);
    EXPECT(last_step < self->last.position);
    EXPECT_EQUAL(stats_of(self->on.context).events,
                 threads == MAINSTEM_THREADS_ONE ? 3 : 3 + a.accepted + b.accepted);
    EXPECT_OK(mainstem_context_close(self->on.context));
  }
  EXPECT_EQUAL(pthread_barrier_destroy(&start), 0);
}

/* Catches: a hook lost, run twice, run before the answer, or run for a request that never was. */
CASE(the_hook_runs_once_after_the_answer, IN_BOTH) {
  teller *self = teller_open(threads);
  EXPECT_EQUAL(self->releases + self->answers, 0);
  EXPECT_OK(ask_with(self, NULL));
  EXPECT_EQUAL(self->releases, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
  EXPECT_STATUS(self->last.status, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(self->releases, 1);
}

static void count_release(void *user_data) { ++*(int *)user_data; }

/* Catches: a hook that only comes with a completion. */
CASE(the_hook_needs_no_completion, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_request_options options = {.size = sizeof options};
  int releases = 0;
  EXPECT_OK(mainstem_request_with(on.context, on.ask, "", 0, &options, NULL, &releases,
                                  count_release, NULL));
  EXPECT_EQUAL(releases, 1);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(releases, 1);
}

int main(void) { return expect_all(); }

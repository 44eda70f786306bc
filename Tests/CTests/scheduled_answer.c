// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Requests whose answer is wanted on a scheduler: the host's, or a serial one. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

typedef struct asker {
  stream on;
  transcript seen;
  pthread_t thread;
  mainstem_status sent;
  sem_t done;
  mainstem_event_type step;
} asker;

static void answer_in_steps(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  EXPECT_OK(mainstem_respond_progress(event, self->step, "1", 1));
  EXPECT_OK(mainstem_respond_progress(event, self->step, "2", 1));
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
  EXPECT_STATUS(mainstem_respond(event, "", 0), MAINSTEM_STALE);
}

static void note_step(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  transcript_add(&self->seen, "step%llu", (unsigned long long)event->position);
}

static void note_answer(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  transcript_add(&self->seen, "answer%llu %.*s", (unsigned long long)event->position,
                 (int)event->size, event->status ? "-" : (const char *)event->data);
  if (event->status) transcript_add(&self->seen, "%s", mainstem_status_name(event->status));
  self->thread = pthread_self();
  self->sent = mainstem_send(event->context, self->on.other, "", 0);
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
}

static void note_release(void *user_data) {
  asker *self = (asker *)user_data;
  transcript_add(&self->seen, "~");
  signal_give(&self->done);
}

static void asker_open(asker *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  signal_open(&self->done);
  self->on = stream_open(threads);
  self->step = type_open(self->on.context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  serve_one(self->on.context, "Server", "RequestAsk", answer_in_steps, self);
}

static mainstem_status ask_on(asker *self, mainstem_event_type type, const char *text,
                              mainstem_scheduler scheduler) {
  return mainstem_request_with(self->on.context, type, text, strlen(text),
                               OPTIONS(request, .progress = note_step, .scheduler = scheduler),
                               note_answer, self, note_release, NULL);
}

CASE(on_the_host_it_comes_in_a_drain, IN_BOTH) {
  asker self;
  asker_open(&self, threads);
  EXPECT_OK(ask_on(&self, self.on.ask, "a", MAINSTEM_SCHEDULER_HOST));
  EXPECT_TEXT(self.seen.text, "");
  EXPECT_EQUAL(stats_of(self.on.context).requests, 0);
  EXPECT_EQUAL(drained(self.on.context, 2), 2);
  EXPECT_TEXT(self.seen.text, "step2 step3");
  EXPECT_EQUAL(drained(self.on.context, 0), 1);
  EXPECT_TEXT(self.seen.text, "step2 step3 answer4 a ~");
  EXPECT_STATUS(self.sent, MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

CASE(it_keeps_its_order_beside_scheduled_observers, IN_BOTH) {
  asker self;
  asker_open(&self, threads);
  witness observer = {&self.seen, "o", NULL, NULL};
  witness_on(&observer, self.on.context, self.on.answer, MAINSTEM_SCHEDULER_HOST);
  EXPECT_OK(ask_on(&self, self.on.ask, "a", MAINSTEM_SCHEDULER_HOST));
  EXPECT_OK(ask_on(&self, self.on.ask, "b", MAINSTEM_SCHEDULER_HOST));
  drained(self.on.context, 0);
  EXPECT_TEXT(self.seen.text, "step2 step3 o4 answer4 a ~ step6 step7 o8 answer8 b ~");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

CASE(a_long_answer_outlives_its_request, IN_BOTH) {
  asker self;
  char text[1001] = {0};
  asker_open(&self, threads);
  memset(text, 'x', 1000);
  EXPECT_OK(ask_on(&self, self.on.ask, text, MAINSTEM_SCHEDULER_HOST));
  EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
  drained(self.on.context, 0);
  EXPECT(strstr(self.seen.text, text) != NULL);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

CASE(on_a_serial_scheduler_it_comes_on_its_thread, IN_BOTH) {
  asker self;
  mainstem_scheduler serial;
  asker_open(&self, threads);
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "worker", 0, &serial));
  EXPECT_OK(ask_on(&self, self.on.ask, "a", serial));
  signal_take(&self.done);
  EXPECT(!pthread_equal(self.thread, pthread_self()));
  EXPECT_STATUS(self.sent, threads == MAINSTEM_THREADS_ANY ? MAINSTEM_OK : MAINSTEM_WRONG_THREAD);
  EXPECT_TEXT(self.seen.text, "step2 step3 answer4 a ~");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Law 12: close runs completions, whatever their scheduler; other callbacks there it drops. */
CASE(close_runs_what_waits_of_them, IN_BOTH) {
  asker self;
  mainstem_scheduler serial;
  asker_open(&self, threads);
  mainstem_event_type unserved =
      type_open(self.on.context, "RequestLater", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  witness observer = {&self.seen, "o", NULL, NULL};
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "worker", 0, &serial));
  witness_on(&observer, self.on.context, self.on.answer, MAINSTEM_SCHEDULER_HOST);
  EXPECT_OK(ask_on(&self, self.on.ask, "a", MAINSTEM_SCHEDULER_HOST));
  EXPECT_OK(ask_on(&self, unserved, "b", MAINSTEM_SCHEDULER_HOST));
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.seen.text, "step2 step3 answer4 a ~ answer6 - UNHANDLED ~ ~o");
  EXPECT_STATUS(self.sent, MAINSTEM_STALE);
}

CASE(an_open_request_is_cancelled_at_close, IN_BOTH) {
  asker self;
  mainstem_scheduler serial;
  asker_open(&self, threads);
  mainstem_event_type later =
      type_open(self.on.context, "RequestLater", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "worker", 0, &serial));
  serve_one(self.on.context, "Silent", "RequestLater", keep_for_ever, NULL);
  EXPECT_OK(ask_on(&self, later, "a", serial));
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.seen.text, "answer2 - CANCELLED ~");
}

static void answer_in_many_steps(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  for (int i = 0; i < 1024; i++) EXPECT_OK(mainstem_respond_progress(event, self->step, "1", 1));
  EXPECT_STATUS(mainstem_respond_progress(event, self->step, "1", 1), MAINSTEM_FULL);
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void count_step(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

/* Law 9: what waits on the scheduler is bounded; the answer has its place in any case. */
CASE(so_many_steps_wait_and_no_more, IN_BOTH) {
  asker self;
  int calls = 0;
  asker_open(&self, threads);
  mainstem_event_type ask =
      type_open(self.on.context, "RequestMany", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  serve_one(self.on.context, "Many", "RequestMany", answer_in_many_steps, &self);
  EXPECT_OK(mainstem_request_with(
      self.on.context, ask, "a", 1,
      OPTIONS(request, .progress = count_step, .scheduler = MAINSTEM_SCHEDULER_HOST), count_step,
      &calls, NULL, NULL));
  EXPECT_EQUAL(drained(self.on.context, 0), 1025);
  EXPECT_EQUAL(calls, 1025);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: while nothing waits, the refusal is blamed on the stream's room. */
CASE(the_refusal_of_a_step_says_why, IN_BOTH) {
  asker self;
  keeper kept = {.count = 0};
  int calls = 0;
  asker_open(&self, threads);
  mainstem_event_type ask =
      type_open(self.on.context, "RequestKept", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  serve_one(self.on.context, "Keeper", "RequestKept", keeper_keep, &kept);
  EXPECT_OK(mainstem_request_with(
      self.on.context, ask, "a", 1,
      OPTIONS(request, .progress = count_step, .scheduler = MAINSTEM_SCHEDULER_HOST), count_step,
      &calls, NULL, NULL));
  const mainstem_event *event = keeper_event(&kept, 0);
  for (int i = 0; i < 1024; i++) EXPECT_OK(mainstem_respond_progress(event, self.step, "1", 1));
  EXPECT_STATUS(mainstem_respond_progress(event, self.step, "1", 1), MAINSTEM_FULL);
  EXPECT_TEXT(
      mainstem_last_error(),
      "mainstem_respond_progress: event: has 1,024 steps of progress waiting: report fewer");
  EXPECT_OK(mainstem_respond(event, "", 0));
  EXPECT_EQUAL(drained(self.on.context, 0), 1025);
  EXPECT_EQUAL(calls, 1025);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Requests of a context whose journal fails while steps of their progress wait on a scheduler. */

#include "asking.h"
#include "elsewhere.h"
#include "journal.h"

typedef struct teller {
  stream on;
  mainstem_event_type step;
  const char *path;
  mainstem_retained *kept;
  mainstem_pending *pending;
  int gives;   /* Steps that the server gives in its call. */
  int breaks;  /* After how many of them the journal fails; 0: after the last. */
  int answers; /* The server answers when that has happened. */
  int serial;  /* The journal fails while a step runs. */
  int steps, hooks, calls, is_over;
  sem_t entered;
} teller;

static void step_here(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_PROGRESS, MAINSTEM_EVENT_PROGRESS);
  EXPECT_EQUAL(self->hooks, 0);
  self->steps++;
}

/* Stays until the one who asks knows that the journal has failed, and some time more. */
static void stay_in_step(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  mainstem_journal_stats stats = {.size = sizeof stats};
  if (self->steps++ > 0) return;
  signal_give(&self->entered);
  while (stats.status == 0) EXPECT_OK(mainstem_journal_stats_read(self->on.context, &stats));
  for (int i = 0; i < 1000; i++) sched_yield();
  __atomic_store_n(&self->is_over, 1, __ATOMIC_SEQ_CST);
}

static void answer_here(void *user_data, const mainstem_event *event) {
  ((teller *)user_data)->calls++;
}

static void hook_here(void *user_data) { ((teller *)user_data)->hooks++; }

static void tell(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
  for (int i = 0; i < self->gives; i++)
    EXPECT_OK(mainstem_respond_progress(event, self->step, "x", 1));
  EXPECT_OK(mainstem_send(event->context, self->on.notice, "", 0));
}

/* Behind the steps: they are written down, and wait on the scheduler. */
static void let_the_journal_fail(void *user_data, const mainstem_event *event) {
  teller *self = (teller *)user_data;
  if (self->serial) signal_take(&self->entered);
  journal_break(self->path);
  const mainstem_event *request = kept_event(self->kept);
  if (self->answers) EXPECT_OK(mainstem_respond(request, "late", 4));
}

static teller *teller_open(uint32_t threads, uint32_t level) {
  static teller self;
  mainstem_journal_options options = journal_options(level);
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.step = type_open(self.on.context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.path = journal_path("withdrawn");
  self.gives = 3;
  signal_open(&self.entered);
  EXPECT_OK(mainstem_journal_record(self.on.context, self.path, &options));
  serve_one(self.on.context, "Teller", "RequestAsk", tell, &self);
  EXPECT_OK(
      mainstem_observe(self.on.context, self.on.notice, let_the_journal_fail, &self, NULL, NULL));
  return &self;
}

static mainstem_status teller_ask(teller *self, mainstem_scheduler scheduler,
                                  mainstem_event_fn progress) {
  return mainstem_request_with(self->on.context, self->on.ask, "?", 1,
                               OPTIONS(request, .progress = progress, .scheduler = scheduler),
                               answer_here, self, hook_here, &self->pending);
}

static void teller_close(teller *self) {
  mainstem_context_close(self->on.context);
  journal_sweep();
}

/* Catches: a step that waits on its scheduler, and the request is gone; a call after the error. */
CASE(a_request_that_is_poisoned_is_withdrawn, IN_BOTH) {
  teller *self = teller_open(threads, MAINSTEM_JOURNAL_POWER);
  EXPECT_STATUS(teller_ask(self, MAINSTEM_SCHEDULER_HOST, step_here), MAINSTEM_POISONED);
  EXPECT(self->pending == NULL);
  mainstem_drain(self->on.context, 0, NULL);
  teller_close(self);
  EXPECT_EQUAL(self->steps + self->calls + self->hooks, 0);
}

/* Catches: an error returned while the step still runs that uses what the caller now frees. */
CASE(a_step_that_runs_comes_to_its_end_first, IN_BOTH) {
  teller *self = teller_open(threads, MAINSTEM_JOURNAL_POWER);
  mainstem_scheduler serial;
  EXPECT_OK(mainstem_scheduler_add(self->on.context, "steps", 0, &serial));
  self->serial = 1;
  EXPECT_STATUS(teller_ask(self, serial, stay_in_step), MAINSTEM_POISONED);
  EXPECT_EQUAL(__atomic_load_n(&self->is_over, __ATOMIC_SEQ_CST), 1);
  teller_close(self);
  EXPECT_EQUAL(self->steps, 1);
  EXPECT_EQUAL(self->calls + self->hooks, 0);
}

/* Catches: an answer that is forgotten, and with it the request that steps before it wait for. */
CASE(a_forgotten_answer_lets_the_steps_before_it_be, IN_BOTH) {
  teller *self = teller_open(threads, MAINSTEM_JOURNAL_PROCESS);
  self->answers = 1;
  EXPECT_OK(teller_ask(self, MAINSTEM_SCHEDULER_HOST, step_here));
  mainstem_drain(self->on.context, 0, NULL);
  teller_close(self);
  EXPECT_EQUAL(self->steps, 3);
  EXPECT_EQUAL(self->calls, 0);
  EXPECT_EQUAL(self->hooks, 1);
}

/* Catches: a step on its way through the stream that finds another handle in the place of its request. */
CASE(a_step_that_is_late_finds_nobody, IN_BOTH) {
  teller *self = teller_open(threads, MAINSTEM_JOURNAL_POWER);
  mainstem_subscription *others[100];
  EXPECT_STATUS(teller_ask(self, MAINSTEM_SCHEDULER_IMMEDIATE, step_here), MAINSTEM_POISONED);
  EXPECT_EQUAL(self->steps, 3);
  for (size_t i = 0; i < COUNT(others); i++)
    EXPECT_OK(mainstem_observe(self->on.context, self->step, answer_here, self, NULL, &others[i]));
  const mainstem_event *request = kept_event(self->kept);
  EXPECT_STATUS(mainstem_respond_progress(request, self->step, "x", 1), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond(request, "x", 1), MAINSTEM_STALE);
  teller_close(self);
  EXPECT_EQUAL(self->steps, 3);
  EXPECT_EQUAL(self->calls + self->hooks, 0);
}

int main(void) { return journal_expect_all(); }

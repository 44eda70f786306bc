// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: events that cannot be refused any more, and a queue that refuses and is full. */

#include "asking.h"
#include "elsewhere.h"
#include "reader.h"

/* Timers ----------------------------------------------------------------------------------------- */

static void fire_six(reader *self, scheduled how) {
  reader_observe(self, self->on.notice, how);
  for (int i = 0; i < 6; i++)
    EXPECT_OK(mainstem_send_after(self->on.context, self->on.notice, "12345678", 8, 0, 0, NULL));
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
  EXPECT_EQUAL(reader_dropped(self), 2);
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "7");
}

CASE(timers_are_not_refused, IN_BOTH) { everywhere(threads, fire_six); }

/* Catches: a queue that grows with each time that a periodic timer fires. */
CASE(a_periodic_timer_does_not_overrun_a_mailbox, IN_BOTH) {
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_LATEST; policy++) {
    static const char *const seen[] = {"1 2 3 4 [5-100000 99996]", "1 2 3 4 [5-100000 99996]",
                                       "[1-99996 99996] 99997 99998 99999 100000",
                                       "1 2 3 4 [5-100000 99996]", "[1-99999 99999] 100000"};
    reader self;
    scheduled how = {.policy = policy, .limit_events = 4};
    uint64_t bound = policy == MAINSTEM_QUEUE_LATEST ? 1 : 4;
    reader_open_at(&self, IN_VIRTUAL_MAILBOX, threads);
    reader_observe(&self, self.on.notice, how);
    EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "", 0, 1, 1, NULL));
    EXPECT_OK(mainstem_context_advance(self.on.context, 100000));
    EXPECT_EQUAL(reader_waits(&self), bound);
    EXPECT_EQUAL(reader_dropped(&self), 100000 - bound);
    EXPECT_TEXT(reader_read(&self), seen[policy]);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

/* The bytes of what cannot be refused are bounded too. */
CASE(timers_do_not_overrun_a_bound_in_bytes, IN_BOTH) {
  reader self;
  scheduled how = {.limit_bytes = 20};
  reader_open_at(&self, IN_MAILBOX, threads);
  reader_observe(&self, self.on.notice, how);
  for (int i = 0; i < 4; i++)
    EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "12345678", 8, 0, 0, NULL));
  EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "1234", 4, 0, 0, NULL));
  EXPECT_TEXT(reader_read(&self), "1 2 [3-4 2] 5");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

typedef struct held {
  transcript seen;
  sem_t is_called, may_go, is_done;
} held;

static void hold_the_first(void *user_data, const mainstem_event *event) {
  held *self = (held *)user_data;
  read_event(&self->seen, event);
  if (event->position == 1) {
    signal_give(&self->is_called);
    signal_take(&self->may_go);
  }
}

static void say_done(void *user_data, const mainstem_event *event) {
  signal_give(&((held *)user_data)->is_done);
}

/* A thread of its own that does not get on. */
CASE(timers_do_not_overrun_a_serial_scheduler, IN_BOTH) {
  stream on = stream_open(threads);
  held self = {0};
  scheduled how = {.limit_events = 2};
  signal_open(&self.is_called);
  signal_open(&self.may_go);
  signal_open(&self.is_done);
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
  observe_on(on.context, on.notice, &how, hold_the_first, &self, NULL);
  observe_on(on.context, on.other, &how, say_done, &self, NULL);
  EXPECT_OK(send_one(&on));
  signal_take(&self.is_called);
  for (int i = 0; i < 9; i++)
    EXPECT_OK(mainstem_send_after(on.context, on.notice, "", 0, 0, 0, NULL));
  EXPECT_EQUAL(drained(on.context, 0), 9);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  signal_give(&self.may_go);
  signal_take(&self.is_done);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(self.seen.text, "1 2 3 [4-10 7]");
}

/* All others get what one of them loses. */
CASE(the_loss_is_that_of_one_observer, IN_BOTH) {
  reader self;
  scheduled wide = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  transcript all = {0}, at_once = {0};
  witness immediate = {&at_once, "", NULL, NULL};
  reader_open_at(&self, ON_HOST, threads);
  reader_observe(&self, self.on.notice, (scheduled){.limit_events = 1});
  observe_on(self.on.context, self.on.notice, &wide, read_event, &all, NULL);
  witness_observe(&immediate, self.on.context, self.on.notice);
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "", 0, 0, 0, NULL));
  EXPECT_TEXT(reader_read(&self), "1 [2-3 2]");
  EXPECT_TEXT(all.text, "1 2 3");
  EXPECT_TEXT(at_once.text, "1 2 3");
  EXPECT_EQUAL(stats_of(self.on.context).rejected, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* From elsewhere --------------------------------------------------------------------------------- */

static void interrupt_six(reader *self, scheduled how) {
  reader_observe(self, self->on.notice, how);
  for (int i = 0; i < 6; i++)
    EXPECT_OK(mainstem_post_from_interrupt(self->on.context, self->on.notice, "12345678", 8));
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
}

CASE(interrupts_are_not_refused, IN_BOTH) { everywhere(threads, interrupt_six); }

static void post_and_observe(reader *self, scheduled how) {
  for (int i = 0; i < 6; i++) EXPECT_OK(mainstem_post(self->on.context, self->on.notice, "", 0));
  reader_observe(self, self->on.notice, how);
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
}

CASE(posts_before_an_observer_are_not_refused, IN_BOTH) { everywhere(threads, post_and_observe); }

/* Catches: an event without a promise that takes the room of one that has it. */
CASE(what_has_a_promise_goes_first, IN_BOTH) {
  reader self;
  transcript older = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2};
  reader_open_at(&self, IN_MAILBOX, threads);
  observe_on(self.on.context, self.on.notice, &how, read_event, &older, NULL);
  EXPECT_OK(mainstem_post(self.on.context, self.on.notice, "", 0));
  reader_observe(&self, self.on.notice, (scheduled){.limit_events = 1});
  EXPECT_OK(mainstem_post(self.on.context, self.on.notice, "", 0));
  EXPECT_STATUS(send_one(&self.on), MAINSTEM_FULL);
  EXPECT_TEXT(reader_read(&self), "[1-1 1] 2");
  EXPECT_TEXT(older.text, "1 2");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

typedef struct teller {
  keeper kept;
  mainstem_event_type step;
  int accepted;
} teller;

static mainstem_status tell_one(teller *self) {
  return mainstem_respond_progress(keeper_event(&self->kept, 0), self->step, "", 0);
}

static void *tell_six(void *data) {
  teller *self = (teller *)data;
  for (int i = 0; i < 6; i++) self->accepted += tell_one(self) == MAINSTEM_OK;
  return NULL;
}

static void progress_is_told(reader *self, scheduled how) {
  teller steps = {0};
  steps.step = self->on.notice;
  keeper_serve(&steps.kept, &self->on);
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "", 0, NULL, NULL, NULL));
  reader_observe(self, self->on.notice, how);
  for (int i = 0; i < 4; i++) EXPECT_OK(tell_one(&steps));
  EXPECT_STATUS(tell_one(&steps), MAINSTEM_FULL);
  EXPECT_TEXT(reader_read(self), "2 3 4 5");
  elsewhere(tell_six, &steps);
  EXPECT_TEXT(reader_read(self), steps.accepted == 6 ? "6 7 8 9 [10-11 2]" : "6 7 8 9");
  EXPECT(steps.accepted == 6 || steps.accepted == 4);
  EXPECT_OK(tell_one(&steps));
  EXPECT_OK(mainstem_respond(keeper_event(&steps.kept, 0), "", 0));
}

/* On the context's own thread a step is refused, on another one it is not: in a context for any, all are its own. */
CASE(progress_is_refused_where_it_can_be, IN_BOTH) {
  for (int place = 0; place < PLACES; place++) {
    reader self;
    reader_open_at(&self, place, threads);
    progress_is_told(&self, (scheduled){.limit_events = 4});
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

/* Let in ----------------------------------------------------------------------------------------- */

static void fail_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, 1000, "no"));
}

/* The reports of the 1st, 2nd, 4th and 8th failure, in a queue for one; a loss among them is none. */
static void reports_have_room_of_their_own(reader *self, scheduled how) {
  how.limit_events = 1;
  reader_observe(self, MAINSTEM_TYPE_ANY, how);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, fail_it, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.other, "", 0, 0, 0, NULL));
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.other, "", 0, 0, 0, NULL));
  EXPECT_TEXT(reader_read(self), "1 2 [3-3 1] 4");
}

CASE(reports_are_let_in, IN_BOTH) { everywhere(threads, reports_have_room_of_their_own); }

/* Who was not asked owes nothing: the answer to a request that was only sent is refused like a send. */
CASE(an_answer_that_nobody_waits_for_is_refused, IN_BOTH) {
  reader self;
  keeper kept = {0};
  reader_open_at(&self, ON_HOST, threads);
  keeper_serve(&kept, &self.on);
  EXPECT_OK(mainstem_send(self.on.context, self.on.ask, "", 0));
  reader_observe(&self, self.on.answer, (scheduled){.limit_events = 1});
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "", 0));
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "", 0), MAINSTEM_FULL);
  EXPECT_TEXT(reader_read(&self), "2");
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "", 0));
  EXPECT_TEXT(reader_read(&self), "3");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

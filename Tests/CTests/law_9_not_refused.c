// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: events that cannot be refused any more, and a queue that refuses and is full. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

/* A context with one reader: a callback on the host, one on a serial scheduler in virtual time, or a mailbox. */
enum { ON_HOST, ON_VIRTUAL_HOST, ON_VIRTUAL_SERIAL, IN_MAILBOX, IN_VIRTUAL_MAILBOX, PLACES };

typedef struct reader {
  stream on;
  int place;
  int blocks; /* A send outside callbacks waits for room, and here nobody would make it. */
  mainstem_subscription *subscription;
  transcript seen;
} reader;

static int is_virtual(int place) { return place != ON_HOST && place != IN_MAILBOX; }

static void reader_open_at(reader *self, int place, uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context;
  memset(self, 0, sizeof *self);
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.clock = is_virtual(place) ? MAINSTEM_CLOCK_VIRTUAL : MAINSTEM_CLOCK_MONOTONIC;
  EXPECT_OK(mainstem_context_create(&options, &context));
  self->place = place;
  self->on.context = context;
  self->on.ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self->on.answer = type_open(context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.notice = type_open(context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->on.other = type_open(context, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
}

static void reader_observe(reader *self, mainstem_event_type type, scheduled how) {
  how.scheduler = MAINSTEM_SCHEDULER_HOST;
  if (self->place == ON_VIRTUAL_SERIAL)
    EXPECT_OK(mainstem_serial_add(self->on.context, "worker", 0, &how.scheduler));
  self->subscription =
      observe_on(self->on.context, type, &how,
                 self->place == IN_MAILBOX || self->place == IN_VIRTUAL_MAILBOX ? NULL : read_event,
                 &self->seen, NULL);
}

static uint64_t reader_waits(const reader *self) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(self->subscription, &stats));
  return stats.waiting;
}

static uint64_t reader_dropped(const reader *self) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_subscription_stats_read(self->subscription, &stats));
  return stats.dropped;
}

/* All that there is to read. */
static const char *reader_read(reader *self) {
  union {
    mainstem_header headers[1];
    unsigned char bytes[8000];
  } buffer;
  size_t count = 0;
  transcript_clear(&self->seen);
  drained(self->on.context, 0);
  if (self->place != IN_MAILBOX && self->place != IN_VIRTUAL_MAILBOX) return self->seen.text;
  EXPECT_OK(mainstem_drain_records(self->subscription, &buffer, sizeof buffer, &count, NULL));
  for (size_t i = 0; i < count; i++) {
    mainstem_event event;
    memset(&event, 0, sizeof event);
    memcpy(&event, &buffer.headers[i], sizeof buffer.headers[i]);
    event.data = buffer.bytes + buffer.headers[i].offset;
    read_event(&self->seen, &event);
  }
  return self->seen.text;
}

static mainstem_status send_one(stream *on) {
  return mainstem_send(on->context, on->notice, "12345678", 8);
}

static void expect_full(reader *self) {
  if (!self->blocks) EXPECT_STATUS(send_one(&self->on), MAINSTEM_FULL);
}

/* Runs a case wherever there is a queue, with both policies that refuse. */
static void everywhere(uint32_t threads, void (*run)(reader *self, scheduled how)) {
  for (int place = 0; place < PLACES; place++) {
    for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_BLOCK; policy++) {
      reader self;
      scheduled how = {.policy = policy, .limit_events = 4};
      reader_open_at(&self, place, threads);
      self.blocks = policy == MAINSTEM_QUEUE_BLOCK && threads == MAINSTEM_THREADS_ANY;
      run(&self, how);
      EXPECT_OK(mainstem_context_close(self.on.context));
    }
  }
}

/* Timers ----------------------------------------------------------------------------------------- */

static void fire_six(reader *self, scheduled how) {
  reader_observe(self, self->on.notice, how);
  for (int i = 0; i < 6; i++)
    EXPECT_OK(mainstem_send_after(self->on.context, self->on.notice, "12345678", 8, 0, NULL));
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
  EXPECT_EQUAL(reader_dropped(self), 2);
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "7");
}

static void timers_are_not_refused(uint32_t threads) { everywhere(threads, fire_six); }

/* Catches: a queue that grows with each time that a periodic timer fires. */
static void a_periodic_timer_does_not_overrun_a_mailbox(uint32_t threads) {
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_LATEST; policy++) {
    static const char *const seen[] = {"1 2 3 4 [5-100000 99996]", "1 2 3 4 [5-100000 99996]",
                                       "[1-99996 99996] 99997 99998 99999 100000",
                                       "1 2 3 4 [5-100000 99996]", "[1-99999 99999] 100000"};
    reader self;
    scheduled how = {.policy = policy, .limit_events = 4};
    uint64_t bound = policy == MAINSTEM_QUEUE_LATEST ? 1 : 4;
    reader_open_at(&self, IN_VIRTUAL_MAILBOX, threads);
    reader_observe(&self, self.on.notice, how);
    EXPECT_OK(mainstem_send_every(self.on.context, self.on.notice, "", 0, 1, NULL));
    EXPECT_OK(mainstem_context_advance(self.on.context, 100000));
    EXPECT_EQUAL(reader_waits(&self), bound);
    EXPECT_EQUAL(reader_dropped(&self), 100000 - bound);
    EXPECT_TEXT(reader_read(&self), seen[policy]);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

/* The bytes of what cannot be refused are bounded too. */
static void timers_do_not_overrun_a_bound_in_bytes(uint32_t threads) {
  reader self;
  scheduled how = {.limit_bytes = 20};
  reader_open_at(&self, IN_MAILBOX, threads);
  reader_observe(&self, self.on.notice, how);
  for (int i = 0; i < 4; i++)
    EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "12345678", 8, 0, NULL));
  EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "1234", 4, 0, NULL));
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
  (void)event;
  signal_give(&((held *)user_data)->is_done);
}

/* A thread of its own that does not get on. */
static void timers_do_not_overrun_a_serial_scheduler(uint32_t threads) {
  stream on = stream_open(threads);
  held self;
  scheduled how = {.limit_events = 2};
  memset(&self, 0, sizeof self);
  signal_open(&self.is_called);
  signal_open(&self.may_go);
  signal_open(&self.is_done);
  EXPECT_OK(mainstem_serial_add(on.context, "worker", 0, &how.scheduler));
  observe_on(on.context, on.notice, &how, hold_the_first, &self, NULL);
  observe_on(on.context, on.other, &how, say_done, &self, NULL);
  EXPECT_OK(send_one(&on));
  signal_take(&self.is_called);
  for (int i = 0; i < 9; i++) EXPECT_OK(mainstem_send_after(on.context, on.notice, "", 0, 0, NULL));
  EXPECT_EQUAL(drained(on.context, 0), 9);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  signal_give(&self.may_go);
  signal_take(&self.is_done);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(self.seen.text, "1 2 3 [4-10 7]");
}

/* All others get what one of them loses. */
static void the_loss_is_that_of_one_observer(uint32_t threads) {
  reader self;
  scheduled wide = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  transcript all = {0}, at_once = {0};
  witness immediate = {&at_once, "", NULL, NULL};
  reader_open_at(&self, ON_HOST, threads);
  reader_observe(&self, self.on.notice, (scheduled){.limit_events = 1});
  observe_on(self.on.context, self.on.notice, &wide, read_event, &all, NULL);
  witness_observe(&immediate, self.on.context, self.on.notice);
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_send_after(self.on.context, self.on.notice, "", 0, 0, NULL));
  EXPECT_TEXT(reader_read(&self), "1 [2-3 2]");
  EXPECT_TEXT(all.text, "1 2 3");
  EXPECT_TEXT(at_once.text, "1 2 3");
  EXPECT_EQUAL(stats_of(self.on.context).rejected, 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* From elsewhere --------------------------------------------------------------------------------- */

static void interrupt_six(reader *self, scheduled how) {
  reader_observe(self, self->on.notice, how);
  EXPECT_OK(mainstem_interrupt_prepare(self->on.context));
  for (int i = 0; i < 6; i++)
    EXPECT_OK(mainstem_post_from_interrupt(self->on.context, self->on.notice, "12345678", 8));
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
}

static void interrupts_are_not_refused(uint32_t threads) { everywhere(threads, interrupt_six); }

static void post_and_observe(reader *self, scheduled how) {
  for (int i = 0; i < 6; i++) EXPECT_OK(mainstem_post(self->on.context, self->on.notice, "", 0));
  reader_observe(self, self->on.notice, how);
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-6 2]");
}

static void posts_before_an_observer_are_not_refused(uint32_t threads) {
  everywhere(threads, post_and_observe);
}

/* Catches: an event without a promise that takes the room of one that has it. */
static void what_has_a_promise_goes_first(uint32_t threads) {
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
  teller steps;
  memset(&steps, 0, sizeof steps);
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
static void progress_is_refused_where_it_can_be(uint32_t threads) {
  for (int place = 0; place < PLACES; place++) {
    reader self;
    reader_open_at(&self, place, threads);
    progress_is_told(&self, (scheduled){.limit_events = 4});
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

/* Late ------------------------------------------------------------------------------------------- */

static void observe_late(reader *self, scheduled how) {
  EXPECT_OK(mainstem_history_keep(self->on.context, self->on.notice, 10, 0));
  for (int i = 0; i < 10; i++) EXPECT_OK(send_one(&self->on));
  reader_observe(self, self->on.notice, how);
  EXPECT_EQUAL(reader_waits(self), 4);
  expect_full(self);
  EXPECT_TEXT(reader_read(self), "1 2 3 4 [5-10 6]");
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "11");
}

static void late_events_are_not_refused(uint32_t threads) { everywhere(threads, observe_late); }

typedef struct starter {
  reader *reader;
  scheduled how;
  int sends;
} starter;

static void observe_and_send(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  (void)event;
  reader_observe(reader, reader->on.notice, self->how);
  for (int i = 0; i < 4; i++) EXPECT_OK(send_one(&reader->on));
  EXPECT_STATUS(send_one(&reader->on), MAINSTEM_FULL);
  EXPECT_STATUS(mainstem_post(reader->on.context, reader->on.notice, "", 0), MAINSTEM_FULL);
  EXPECT_OK(mainstem_send(reader->on.context, reader->on.ask, "", 0));
}

static void start_inside(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  mainstem_subscription *first;
  EXPECT_OK(
      mainstem_observe(self->on.context, self->on.other, observe_and_send, &starter, NULL, &first));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  expect_full(self);
  EXPECT_TEXT(reader_read(self), "2 3 4 5");
  EXPECT_OK(send_one(&self->on));
  EXPECT_TEXT(reader_read(self), "7");
  EXPECT_OK(mainstem_cancel(self->subscription));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "9 10 11 12");
}

/* Catches: an observer whose queue is asked only when the callback that registered it has ended. */
static void sends_beside_the_registration_are_refused(uint32_t threads) {
  everywhere(threads, start_inside);
}

/* Room that sends of the same callback have goes before what is late. */
static void start_inside_with_a_history(reader *self, scheduled how) {
  EXPECT_OK(mainstem_history_keep(self->on.context, self->on.notice, 2, 0));
  EXPECT_OK(send_one(&self->on));
  EXPECT_OK(send_one(&self->on));
  starter starter = {self, how, 0};
  EXPECT_OK(
      mainstem_observe(self->on.context, self->on.other, observe_and_send, &starter, NULL, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "[1-2 2] 4 5 6 7");
}

static void late_events_take_no_room_that_is_promised(uint32_t threads) {
  everywhere(threads, start_inside_with_a_history);
}

static void observe_all_and_send(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  stream *on = &reader->on;
  mainstem_event_type later;
  (void)event;
  reader_observe(reader, MAINSTEM_TYPE_ANY, self->how);
  later = type_open(on->context, "Later", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_send(on->context, later, "", 0));
  EXPECT_OK(mainstem_send(on->context, on->ask, "", 0));
  EXPECT_OK(mainstem_send(on->context, later, "", 0));
  EXPECT_OK(send_one(on));
  EXPECT_STATUS(mainstem_send(on->context, later, "", 0), MAINSTEM_FULL);
  EXPECT_STATUS(send_one(on), MAINSTEM_FULL);
}

static void start_inside_with_all(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, observe_all_and_send, &starter, NULL,
                             NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  EXPECT_TEXT(reader_read(self), "2 3 4 5");
}

/* Of types registered behind it too, whose rows it has at once. */
static void an_observer_of_every_type_is_asked_once(uint32_t threads) {
  everywhere(threads, start_inside_with_all);
}

static void observe_send_and_cancel(void *user_data, const mainstem_event *event) {
  starter *self = (starter *)user_data;
  reader *reader = self->reader;
  (void)event;
  reader_observe(reader, reader->on.notice, self->how);
  for (int i = 0; i < 4; i++) EXPECT_OK(send_one(&reader->on));
  EXPECT_OK(mainstem_cancel(reader->subscription));
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one(&reader->on));
}

static void start_and_end_inside(reader *self, scheduled how) {
  starter starter = {self, how, 0};
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, observe_send_and_cancel, &starter,
                             NULL, &first));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  drained(self->on.context, 0);
  EXPECT_TEXT(self->seen.text, "");
  EXPECT_OK(mainstem_cancel(first));
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one(&self->on));
}

static void who_ends_before_it_begins_refuses_nothing(uint32_t threads) {
  everywhere(threads, start_and_end_inside);
}

static void observe_two_and_cancel(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  mainstem_event_type types[] = {on->notice, on->other};
  mainstem_observe_options options;
  mainstem_subscription *subscription;
  transcript seen = {0};
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = types;
  options.type_count = COUNT(types);
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.limit_events = 1;
  EXPECT_OK(
      mainstem_observe_with(event->context, &options, read_event, &seen, NULL, &subscription));
  EXPECT_OK(mainstem_cancel(subscription));
}

static void send_nine(void *user_data, const mainstem_event *event) {
  (void)event;
  for (int i = 0; i < 9; i++) EXPECT_OK(send_one((stream *)user_data));
}

/* Catches, under the address sanitizer: the types of an observer looked at that has ended before its turn. */
static void one_that_has_ended_before_its_turn_is_not_asked(uint32_t threads) {
  stream on = stream_open(threads);
  EXPECT_OK(mainstem_observe(on.context, on.other, observe_two_and_cancel, &on, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, send_nine, &on, NULL, NULL));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(stats_of(on.context).events, 30);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Let in ----------------------------------------------------------------------------------------- */

static void fail_it(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_fail(event, 1000, "no"));
}

/* The reports of the 1st, 2nd, 4th and 8th failure, in a queue for one; a loss among them is none. */
static void reports_have_room_of_their_own(reader *self, scheduled how) {
  how.limit_events = 1;
  reader_observe(self, MAINSTEM_TYPE_ANY, how);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, fail_it, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.other, "", 0, 0, NULL));
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.other, "", 0, 0, NULL));
  EXPECT_TEXT(reader_read(self), "1 2 [3-3 1] 4");
}

static void reports_are_let_in(uint32_t threads) {
  everywhere(threads, reports_have_room_of_their_own);
}

/* Who was not asked owes nothing: the answer to a request that was only sent is refused like a send. */
static void an_answer_that_nobody_waits_for_is_refused(uint32_t threads) {
  reader self;
  keeper kept;
  memset(&kept, 0, sizeof kept);
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

static const expect_case cases[] = {
    {"timers are not refused", timers_are_not_refused, IN_BOTH},
    {"a periodic timer does not overrun a mailbox", a_periodic_timer_does_not_overrun_a_mailbox,
     IN_BOTH},
    {"timers do not overrun a bound in bytes", timers_do_not_overrun_a_bound_in_bytes, IN_BOTH},
    {"timers do not overrun a serial scheduler", timers_do_not_overrun_a_serial_scheduler, IN_BOTH},
    {"the loss is that of one observer", the_loss_is_that_of_one_observer, IN_BOTH},
    {"interrupts are not refused", interrupts_are_not_refused, IN_BOTH},
    {"posts before an observer are not refused", posts_before_an_observer_are_not_refused, IN_BOTH},
    {"what has a promise goes first", what_has_a_promise_goes_first, IN_BOTH},
    {"progress is refused where it can be", progress_is_refused_where_it_can_be, IN_BOTH},
    {"late events are not refused", late_events_are_not_refused, IN_BOTH},
    {"sends beside the registration are refused", sends_beside_the_registration_are_refused,
     IN_BOTH},
    {"late events take no room that is promised", late_events_take_no_room_that_is_promised,
     IN_BOTH},
    {"an observer of every type is asked once", an_observer_of_every_type_is_asked_once, IN_BOTH},
    {"who ends before it begins refuses nothing", who_ends_before_it_begins_refuses_nothing,
     IN_BOTH},
    {"one that has ended before its turn is not asked",
     one_that_has_ended_before_its_turn_is_not_asked, IN_BOTH},
    {"reports are let in", reports_are_let_in, IN_BOTH},
    {"an answer that nobody waits for is refused", an_answer_that_nobody_waits_for_is_refused,
     IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, schedulers: the host's and serial ones; what runs where, in which order, and how it ends. */

#include "elsewhere.h"
#include "scheduled.h"

#include <sched.h>

#include <poll.h>

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

/* The host's scheduler --------------------------------------------------------------------------- */

static void the_host_delivers_when_it_drains(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness at_once = {&seen, "a", NULL, NULL}, later = {&seen, "h", NULL, NULL};
  witness_on(&later, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_observe(&at_once, on.context, on.notice);
  send_notice(&on, 3);
  EXPECT_TEXT(seen.text, "a1 a2 a3");
  EXPECT_EQUAL(drained(on.context, 1), 1);
  EXPECT_TEXT(seen.text, "a1 a2 a3 h1");
  EXPECT_EQUAL(drained(on.context, 0), 2);
  EXPECT_TEXT(seen.text, "a1 a2 a3 h1 h2 h3");
  EXPECT_EQUAL(drained(on.context, 0), 0);
  EXPECT_EQUAL(stats_of(on.context).deliveries, 6);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void two_on_the_host_get_each_event_in_order_of_registration(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness first = {&seen, "a", NULL, NULL}, second = {&seen, "b", NULL, NULL};
  witness_on(&first, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_on(&second, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  send_notice(&on, 2);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "a1 b1 a2 b2");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct asked {
  stream *on;
  mainstem_status drain, flush, wait, close;
  uint64_t cause, correlation;
  uint32_t flags;
} asked;

static void send_other(void *user_data, const mainstem_event *event) {
  asked *self = (asked *)user_data;
  EXPECT_OK(mainstem_send(event->context, self->on->other, "y", 1));
  self->drain = mainstem_drain(event->context, 0, NULL);
  self->flush = mainstem_flush(event->context);
  self->wait = mainstem_wait(event->context, 0);
  self->close = mainstem_context_close(event->context);
}

static void keep_cause(void *user_data, const mainstem_event *event) {
  asked *self = (asked *)user_data;
  self->cause = event->cause;
  self->correlation = event->correlation;
  self->flags = event->flags;
}

static void a_callback_on_the_host_sends_as_from_outside_but_keeps_its_cause(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  asked asked = {&on, 0, 0, 0, 0, 0, 0, 0};
  witness sender = {&seen, "h", send_other, &asked}, other = {&seen, "o", keep_cause, &asked};
  send_notice(&on, 1);
  witness_on(&sender, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_observe(&other, on.context, on.other);
  send_notice(&on, 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "h2( o3( ) )");
  EXPECT_EQUAL(asked.cause, 2);
  EXPECT_EQUAL(asked.correlation, 2);
  EXPECT_EQUAL(asked.flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT_STATUS(asked.drain, MAINSTEM_BUSY);
  EXPECT_STATUS(asked.flush, MAINSTEM_BUSY);
  EXPECT_STATUS(asked.wait, MAINSTEM_BUSY);
  EXPECT_STATUS(asked.close, MAINSTEM_BUSY);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void only_so_many_matches_then_it_ends(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness twice = {&seen, "t", NULL, NULL};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .count = 2};
  observe_on(on.context, on.notice, &how, witness_event, &twice, witness_release);
  send_notice(&on, 3);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "t1 t2 ~t");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void fail_it(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, "it broke"));
}

static void a_failure_on_the_host_is_counted_and_reported(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  mainstem_event_type failure;
  witness broken = {&seen, "h", fail_it, NULL}, report = {&seen, "f", NULL, NULL};
  EXPECT_OK(mainstem_type_find(on.context, "MainstemFailure", &failure));
  witness_on(&broken, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_observe(&report, on.context, failure);
  send_notice(&on, 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "h1( f2 )");
  EXPECT_EQUAL(stats_of(on.context).failures, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void close_drops_what_waits_and_runs_the_hooks(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL};
  witness_on(&a, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_on(&b, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  send_notice(&on, 2);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "~b ~a");
}

static int is_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

static void the_descriptor_is_readable_while_something_waits(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness h = {&seen, "h", NULL, NULL};
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  witness_on(&h, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  EXPECT(!is_readable(fd));
  send_notice(&on, 2);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(!is_readable(fd));
  send_notice(&on, 1);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_TEXT(seen.text, "h1 h2 h3");
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Serial schedulers ------------------------------------------------------------------------------- */

typedef struct work {
  stream on;
  pthread_t thread;
  sem_t begun, go_on, done;
  int calls, wanted;
  uint64_t last;
} work;

static void on_serial(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  if (self->calls == 0) self->thread = pthread_self();
  EXPECT(pthread_equal(self->thread, pthread_self()));
  EXPECT(event->position > self->last);
  self->last = event->position;
  if (++self->calls == self->wanted) signal_give(&self->done);
}

static void work_open(work *self, uint32_t threads, int wanted) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->wanted = wanted;
  signal_open(&self->begun);
  signal_open(&self->go_on);
  signal_open(&self->done);
}

static void a_serial_scheduler_calls_on_one_thread_in_order(uint32_t threads) {
  work work;
  mainstem_scheduler serial;
  for (uint32_t spin = 0; spin <= 50; spin += 50) {
    work_open(&work, threads, 10000);
    EXPECT_OK(mainstem_serial_add(work.on.context, "worker", spin, &serial));
    EXPECT(serial > MAINSTEM_SCHEDULER_HOST);
    scheduled how = {.scheduler = serial};
    observe_on(work.on.context, work.on.notice, &how, on_serial, &work, NULL);
    send_notice(&work.on, 10000);
    signal_take(&work.done);
    EXPECT(!pthread_equal(work.thread, pthread_self()));
    EXPECT_OK(mainstem_context_close(work.on.context));
    EXPECT_EQUAL(work.calls, 10000);
  }
}

static void wait_inside(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  EXPECT_STATUS(mainstem_cancel_wait(NULL), MAINSTEM_OK);
  EXPECT_STATUS(mainstem_context_close(event->context), MAINSTEM_BUSY);
  self->calls++;
  signal_give(&self->begun);
  signal_take(&self->go_on);
}

static void release_one(void *user_data) { signal_give(&((work *)user_data)->done); }

static void *let_go_on(void *data) {
  signal_give((sem_t *)data);
  return NULL;
}

static void cancel_wait_waits_for_the_running_call(uint32_t threads) {
  work work;
  mainstem_scheduler serial;
  mainstem_subscription *subscription;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_serial_add(work.on.context, "worker", 0, &serial));
  scheduled how = {.scheduler = serial};
  subscription = observe_on(work.on.context, work.on.notice, &how, wait_inside, &work, release_one);
  send_notice(&work.on, 5);
  signal_take(&work.begun);
  EXPECT_OK(mainstem_cancel(subscription));
  EXPECT(!signal_is_given(&work.done));
  pthread_t other = beside(let_go_on, &work.go_on);
  /* The call may have ended before we come to wait for it. */
  mainstem_status status = mainstem_cancel_wait(subscription);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
  EXPECT(signal_is_given(&work.done));
  EXPECT_EQUAL(work.calls, 1);
  join(other);
  EXPECT_OK(mainstem_context_close(work.on.context));
}

static void wait_for_close(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  self->calls++;
  signal_give(&self->begun);
  while (mainstem_post(event->context, self->on.other, "", 0) != MAINSTEM_STALE) sched_yield();
}

static void close_joins_the_thread_and_drops_the_rest(uint32_t threads) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_serial_add(work.on.context, "worker", 20, &serial));
  scheduled how = {.scheduler = serial};
  observe_on(work.on.context, work.on.notice, &how, wait_for_close, &work, release_one);
  send_notice(&work.on, 5);
  signal_take(&work.begun);
  EXPECT_OK(mainstem_context_close(work.on.context));
  EXPECT_EQUAL(work.calls, 1);
  EXPECT(signal_is_given(&work.done));
}

static void answer_on_serial(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void keep_answer(void *user_data, const mainstem_event *event) {
  work *self = (work *)user_data;
  EXPECT_EQUAL(event->status, MAINSTEM_OK);
  EXPECT_EQUAL(event->cause, 1);
  signal_give(&self->done);
}

/* A slow server: the request is observed on a thread of its own, the answer keeps its cause. */
static void a_request_may_be_answered_on_a_serial_scheduler(uint32_t threads) {
  work work;
  mainstem_scheduler serial;
  work_open(&work, threads, 0);
  EXPECT_OK(mainstem_serial_add(work.on.context, "worker", 0, &serial));
  scheduled how = {.scheduler = serial};
  observe_on(work.on.context, work.on.ask, &how, answer_on_serial, NULL, NULL);
  scheduled at_once = {.scheduler = MAINSTEM_SCHEDULER_IMMEDIATE};
  observe_on(work.on.context, work.on.answer, &at_once, keep_answer, &work, NULL);
  EXPECT_OK(mainstem_send(work.on.context, work.on.ask, "a", 1));
  if (threads == MAINSTEM_THREADS_ONE) EXPECT_OK(mainstem_wait(work.on.context, -1));
  signal_take(&work.done);
  EXPECT_OK(mainstem_context_close(work.on.context));
}

/* Two serial schedulers and the host's, ten events each: who gets on when, as a text. */
static void interleave(uint32_t threads, uint64_t seed, transcript *seen) {
  mainstem_context_options options;
  mainstem_context *context = NULL;
  mainstem_scheduler first, second;
  witness a = {seen, "a", NULL, NULL}, b = {seen, "b", NULL, NULL}, h = {seen, "h", NULL, NULL};
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  options.seed = seed;
  EXPECT_OK(mainstem_context_create(&options, &context));
  mainstem_event_type notice = type_open(context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_serial_add(context, "first", 0, &first));
  EXPECT_OK(mainstem_serial_add(context, "second", 50, &second));
  witness_on(&a, context, notice, first);
  witness_on(&b, context, notice, second);
  witness_on(&h, context, notice, MAINSTEM_SCHEDULER_HOST);
  for (int i = 0; i < 10; i++) EXPECT_OK(mainstem_send(context, notice, "", 0));
  EXPECT_TEXT(seen->text, "");
  EXPECT_EQUAL(drained(context, 4), 4);
  EXPECT_OK(mainstem_context_advance(context, 0));
  EXPECT_OK(mainstem_context_close(context));
}

static void with_a_virtual_clock_the_seed_decides_between_schedulers(uint32_t threads) {
  transcript first = {0}, again = {0};
  int others = 0;
  interleave(threads, 7, &first);
  interleave(threads, 7, &again);
  EXPECT_TEXT(again.text, first.text);
  for (uint64_t seed = 8; seed < 12; seed++) {
    transcript other = {0};
    interleave(threads, seed, &other);
    others += strcmp(other.text, first.text) != 0;
  }
  EXPECT(others > 0);
  /* Whatever the order between them, each got its events in order. */
  for (int position = 1; position < 10; position++) {
    char now[8], next[8];
    snprintf(now, sizeof now, "a%d ", position);
    snprintf(next, sizeof next, "a%d ", position + 1);
    EXPECT(strstr(first.text, now) < strstr(first.text, next));
  }
}

static void a_scheduler_that_is_none_is_refused(uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_observe_options options;
  mainstem_scheduler serial;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.scheduler = 2;
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.policy = 5;
  EXPECT_STATUS(mainstem_observe_with(on.context, &options, witness_event, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_serial_add(on.context, NULL, 0, &serial), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_serial_add(on.context, "", 0, &serial), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_serial_add(on.context, "worker", 0, NULL), MAINSTEM_INVALID);
  for (int i = 0; i < 63; i++) EXPECT_OK(mainstem_serial_add(on.context, "worker", 0, &serial));
  EXPECT_STATUS(mainstem_serial_add(on.context, "worker", 0, &serial), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"the host delivers when it drains", the_host_delivers_when_it_drains, IN_BOTH},
    {"two on the host get each event in order of registration",
     two_on_the_host_get_each_event_in_order_of_registration, IN_BOTH},
    {"a callback on the host sends as from outside, but keeps its cause",
     a_callback_on_the_host_sends_as_from_outside_but_keeps_its_cause, IN_BOTH},
    {"only so many matches, then it ends", only_so_many_matches_then_it_ends, IN_BOTH},
    {"a failure on the host is counted and reported", a_failure_on_the_host_is_counted_and_reported,
     IN_BOTH},
    {"close drops what waits and runs the hooks", close_drops_what_waits_and_runs_the_hooks,
     IN_BOTH},
    {"the descriptor is readable while something waits",
     the_descriptor_is_readable_while_something_waits, IN_BOTH},
    {"a serial scheduler calls on one thread in order",
     a_serial_scheduler_calls_on_one_thread_in_order, IN_BOTH},
    {"cancel_wait waits for the running call", cancel_wait_waits_for_the_running_call, IN_BOTH},
    {"close joins the thread and drops the rest", close_joins_the_thread_and_drops_the_rest,
     IN_BOTH},
    {"a request may be answered on a serial scheduler",
     a_request_may_be_answered_on_a_serial_scheduler, IN_BOTH},
    {"with a virtual clock the seed decides between schedulers",
     with_a_virtual_clock_the_seed_decides_between_schedulers, IN_BOTH},
    {"a scheduler that is none is refused", a_scheduler_that_is_none_is_refused, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

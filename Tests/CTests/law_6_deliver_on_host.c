// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, contexts that deliver on the host: a send only accepts, all observers run inside a drain. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

#include <poll.h>

static stream held_open(uint32_t threads) {
  mainstem_context_options options;
  stream opened;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST;
  EXPECT_OK(mainstem_context_create(&options, &opened.context));
  opened.ask = type_open(opened.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  opened.answer = type_open(opened.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  opened.notice = type_open(opened.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  opened.other = type_open(opened.context, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
  return opened;
}

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

static void observers_run_inside_a_drain_only(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  send_notice(&on, 3);
  EXPECT_TEXT(seen.text, "");
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_EQUAL(drained(on.context, 1), 1);
  EXPECT_TEXT(seen.text, "a1");
  EXPECT_EQUAL(drained(on.context, 0), 2);
  EXPECT_TEXT(seen.text, "a1 a2 a3");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void ignore_event(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
}

static void send_from_outside(void *user_data) { send_notice((stream *)user_data, 1); }

/* Catches: a drain with a limit that runs what was accepted from outside while it ran. A hook sends from outside. */
static void a_drain_leaves_what_comes_meanwhile(uint32_t threads) {
  for (size_t max = 0; max < 10; max += 9) {
    stream on = held_open(threads);
    transcript seen = {0};
    witness a = {&seen, "a", NULL, NULL};
    scheduled once = {.count = 1};
    witness_observe(&a, on.context, on.notice);
    observe_on(on.context, on.notice, &once, ignore_event, &on, send_from_outside);
    send_notice(&on, 2);
    EXPECT_EQUAL(drained(on.context, max), 2);
    EXPECT_TEXT(seen.text, "a1 a2");
    EXPECT_EQUAL(drained(on.context, max), 1);
    EXPECT_TEXT(seen.text, "a1 a2 a3");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void an_observer_starts_after_what_waits(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness early = {&seen, "e", NULL, NULL}, late = {&seen, "l", NULL, NULL};
  mainstem_subscription *subscription;
  uint64_t from = 0;
  witness_observe(&early, on.context, on.notice);
  send_notice(&on, 2);
  subscription = witness_observe(&late, on.context, on.notice);
  EXPECT_OK(mainstem_subscription_from(subscription, &from));
  EXPECT_EQUAL(from, 2);
  send_notice(&on, 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "e1 e2 e3 l3");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void a_cancelled_observer_gets_nothing_of_what_waits(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness stays = {&seen, "s", NULL, NULL}, gone = {&seen, "g", NULL, NULL};
  witness_observe(&stays, on.context, on.notice);
  mainstem_subscription *first = witness_observe(&gone, on.context, on.notice);
  send_notice(&on, 1);
  mainstem_subscription *second = witness_observe(&gone, on.context, on.notice);
  EXPECT_OK(mainstem_cancel(first));
  EXPECT_OK(mainstem_cancel_wait(second));
  EXPECT_TEXT(seen.text, "~g ~g");
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "~g ~g s1");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void send_other(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  EXPECT_OK(mainstem_send(event->context, on->other, "", 0));
}

/* What a callback sends takes its turn behind what was accepted before. */
static void one_drain_delivers_what_its_events_cause(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", send_other, &on}, o = {&seen, "o", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  witness_observe(&o, on.context, on.other);
  send_notice(&on, 2);
  EXPECT_EQUAL(drained(on.context, 0), 4);
  EXPECT_TEXT(seen.text, "a1( ) a2( ) o3 o4");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer_it(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void a_request_is_answered_inside_a_drain(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness completion = {&seen, "c", NULL, NULL};
  mainstem_handler_row handler = {"RequestAsk", answer_it};
  EXPECT_OK(
      mainstem_server_add(on.context, "Server", &handler, sizeof handler, 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, witness_event, &completion, NULL));
  EXPECT_TEXT(seen.text, "");
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "c2");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a request that waits, taken from nobody by a server that would never have got it. */
static void a_server_added_behind_a_request_leaves_it(uint32_t threads) {
  for (int servers = 1; servers <= 2; servers++) {
    stream on = held_open(threads);
    keeper kept = {0, {NULL}};
    asking one;
    mainstem_context *added[2];
    asking_ask(&one, &on);
    for (int i = 0; i < servers; i++) added[i] = keeper_serve(&kept, &on);
    for (int i = 0; i < servers; i++) EXPECT_OK(mainstem_scope_end(added[i]));
    EXPECT_EQUAL(stats_of(on.context).requests, 1);
    drained(on.context, 0);
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_STATUS(one.last.status, MAINSTEM_UNHANDLED);
    EXPECT_EQUAL(one.last.cause, 1);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static int is_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

static void the_descriptor_tells_of_what_waits(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL};
  int fd = -1;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  witness_observe(&a, on.context, on.notice);
  EXPECT(!is_readable(fd));
  send_notice(&on, 2);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(is_readable(fd));
  drained(on.context, 1);
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT(is_readable(fd));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_TEXT(seen.text, "a1 a2 a3");
  EXPECT(!is_readable(fd));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void close_delivers_what_was_accepted(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL}, h = {&seen, "h", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  witness_on(&h, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  send_notice(&on, 2);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a1 a2 ~h ~a");
}

static void observers_on_the_host_follow_in_the_same_drain(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL}, h = {&seen, "h", NULL, NULL};
  witness_on(&h, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_observe(&a, on.context, on.notice);
  send_notice(&on, 2);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "a1 a2 h1 h2");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void flush_drains(uint32_t threads) {
  stream on = held_open(threads);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  send_notice(&on, 2);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_TEXT(seen.text, "a1 a2");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct sender {
  stream on;
  int times;
} sender;

static void *send_beside(void *data) {
  sender *self = (sender *)data;
  send_notice(&self->on, self->times);
  return NULL;
}

typedef struct count {
  pthread_t thread;
  int calls;
  uint64_t last;
} count;

static void count_here(void *user_data, const mainstem_event *event) {
  count *self = (count *)user_data;
  EXPECT(pthread_equal(self->thread, pthread_self()));
  EXPECT(event->position > self->last);
  self->last = event->position;
  self->calls++;
}

static void what_four_threads_send_is_delivered_by_the_one_that_drains(uint32_t threads) {
  sender self = {held_open(threads), 5000};
  count here = {pthread_self(), 0, 0};
  pthread_t others[4];
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, count_here, &here, NULL, NULL));
  for (int i = 0; i < 4; i++) others[i] = beside(send_beside, &self);
  while (here.calls < 20000) EXPECT_OK(mainstem_wait(self.on.context, -1));
  for (int i = 0; i < 4; i++) join(others[i]);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static const expect_case cases[] = {
    {"observers run inside a drain only", observers_run_inside_a_drain_only, IN_BOTH},
    {"a drain leaves what comes meanwhile", a_drain_leaves_what_comes_meanwhile, IN_BOTH},
    {"an observer starts after what waits", an_observer_starts_after_what_waits, IN_BOTH},
    {"a cancelled observer gets nothing of what waits",
     a_cancelled_observer_gets_nothing_of_what_waits, IN_BOTH},
    {"one drain delivers what its events cause", one_drain_delivers_what_its_events_cause, IN_BOTH},
    {"a request is answered inside a drain", a_request_is_answered_inside_a_drain, IN_BOTH},
    {"a server added behind a request leaves it", a_server_added_behind_a_request_leaves_it,
     IN_BOTH},
    {"the descriptor tells of what waits", the_descriptor_tells_of_what_waits, IN_BOTH},
    {"close delivers what was accepted", close_delivers_what_was_accepted, IN_BOTH},
    {"observers on the host follow in the same drain",
     observers_on_the_host_follow_in_the_same_drain, IN_BOTH},
    {"flush drains", flush_drains, IN_BOTH},
    {"what four threads send is delivered by the one that drains",
     what_four_threads_send_is_delivered_by_the_one_that_drains, IN_ANY},
};

int main(void) { return EXPECT_RUN(cases); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9, bounded: the queues of scheduled observers, what is too much, and how a loss is told. */

#include "elsewhere.h"
#include "scheduled.h"

static mainstem_status send_one(stream *on) {
  return mainstem_send(on->context, on->notice, "12345678", 8);
}

static void send_all(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(send_one(on));
}

static void a_full_queue_refuses_the_send(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 3};
  observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
  send_all(&on, 3);
  EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
  EXPECT_STATUS(mainstem_post(on.context, on.notice, "", 0), MAINSTEM_FULL);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(stats_of(on.context).events, 4);
  EXPECT_EQUAL(drained(on.context, 2), 2);
  send_all(&on, 2);
  EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "1 2 3 5 6");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void a_queue_is_bounded_in_bytes_too(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  char big[100] = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_bytes = 20};
  observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
  send_all(&on, 2);
  EXPECT_STATUS(send_one(&on), MAINSTEM_FULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "1234", 4));
  EXPECT_STATUS(mainstem_send(on.context, on.notice, "1", 1), MAINSTEM_FULL);
  drained(on.context, 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, big, sizeof big)); /* One event always may. */
  EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_FULL);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "1 2 3 4");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void send_inside(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  (void)event;
  EXPECT_OK(send_one(on));
  EXPECT_STATUS(send_one(on), MAINSTEM_FULL);
}

static void inside_a_callback_a_full_queue_refuses_too(uint32_t threads) {
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_BLOCK; policy++) {
    stream on = stream_open(threads);
    transcript seen = {0};
    scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .policy = policy, .limit_events = 1};
    observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
    EXPECT_OK(mainstem_observe(on.context, on.other, send_inside, &on, NULL, NULL));
    EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
    drained(on.context, 0);
    EXPECT_TEXT(seen.text, "2");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void the_oldest_is_lost(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST,
                   .policy = MAINSTEM_QUEUE_DROP_OLDEST,
                   .limit_events = 3};
  observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
  send_all(&on, 10);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "[1-7 7] 8 9 10");
  transcript_clear(&seen);
  send_all(&on, 3);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "11 12 13");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void the_newest_is_lost_and_told_behind_the_last(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST,
                   .policy = MAINSTEM_QUEUE_DROP_NEWEST,
                   .limit_events = 3};
  observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
  send_all(&on, 10);
  EXPECT_EQUAL(drained(on.context, 1), 1);
  send_all(&on, 3);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "1 2 3 [4-10 7] 11 [12-13 2]");
  send_all(&on, 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "1 2 3 [4-10 7] 11 [12-13 2] 14");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void only_the_latest_waits(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_LATEST, .limit_events = 100};
  observe_on(on.context, on.notice, &how, read_event, &seen, NULL);
  send_all(&on, 10);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "[1-9 9] 10");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Each with its own policy, and the other loses nothing by it. */
static void two_queues_are_bounded_apart(uint32_t threads) {
  stream on = stream_open(threads);
  transcript few = {0}, all = {0};
  scheduled some = {.scheduler = MAINSTEM_SCHEDULER_HOST,
                    .policy = MAINSTEM_QUEUE_DROP_OLDEST,
                    .limit_events = 2};
  scheduled every = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  observe_on(on.context, on.notice, &some, read_event, &few, NULL);
  observe_on(on.context, on.notice, &every, read_event, &all, NULL);
  send_all(&on, 4);
  drained(on.context, 0);
  EXPECT_TEXT(few.text, "[1-2 2] 3 4");
  EXPECT_TEXT(all.text, "1 2 3 4");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct sender {
  stream on;
  int accepted;
} sender;

static void *send_many(void *data) {
  sender *self = (sender *)data;
  for (int i = 0; i < 1000; i++) self->accepted += send_one(&self->on) == MAINSTEM_OK;
  return NULL;
}

static void count_one(void *user_data, const mainstem_event *event) {
  (void)event;
  ++*(int *)user_data;
}

/* The sender waits whenever ten wait; all are accepted, all delivered. */
static void a_blocked_sender_goes_on_when_there_is_room(uint32_t threads) {
  sender self = {stream_open(threads), 0};
  int calls = 0;
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 10};
  observe_on(self.on.context, self.on.notice, &how, count_one, &calls, NULL);
  pthread_t other = beside(send_many, &self);
  while (calls < 1000) EXPECT_OK(mainstem_wait(self.on.context, -1));
  join(other);
  EXPECT_EQUAL(self.accepted, 1000);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *fill_until_closed(void *data) {
  sender *self = (sender *)data;
  mainstem_status status;
  while ((status = send_one(&self->on)) == MAINSTEM_OK) self->accepted++;
  EXPECT_STATUS(status, MAINSTEM_STALE);
  return NULL;
}

static void close_frees_a_blocked_sender(uint32_t threads) {
  sender self = {stream_open(threads), 0};
  int calls = 0;
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 2};
  observe_on(self.on.context, self.on.notice, &how, count_one, &calls, NULL);
  pthread_t other = beside(fill_until_closed, &self);
  while (stats_of(self.on.context).events < 2) sched_yield();
  EXPECT_OK(mainstem_context_close(self.on.context));
  join(other);
  EXPECT_EQUAL(self.accepted, 2);
  EXPECT_EQUAL(calls, 0);
}

static void answer_it(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

/* Law 8 goes before: an accepted request has its answer, whoever's queue is full. */
static void an_answer_is_never_refused(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  int answers = 0;
  mainstem_handler_row handler = {"RequestAsk", answer_it};
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 1};
  EXPECT_OK(
      mainstem_server_add(on.context, "Server", &handler, sizeof handler, 1, NULL, NULL, NULL));
  observe_on(on.context, on.answer, &how, read_event, &seen, NULL);
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, count_one, &answers, NULL));
  }
  EXPECT_EQUAL(answers, 3);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "2 4 6");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* An observer by role, by layer, or of every type. */
static void observe_wide(stream *on, mainstem_observe_options wish, transcript *seen) {
  mainstem_observe_options options;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.role = wish.role;
  options.layers = wish.layers;
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.limit_events = 2;
  EXPECT_OK(mainstem_observe_with(on->context, &options, read_event, seen, NULL, NULL));
}

/* Catches: a type that does not know of the observers which it takes along. */
static void a_type_that_comes_later_has_the_same_bounds(uint32_t threads) {
  static const mainstem_observe_options wishes[] = {
      {.role = 0},
      {.role = MAINSTEM_ROLE_NOTICE},
      {.layers = 1},
  };
  for (size_t i = 0; i < COUNT(wishes); i++) {
    stream on = stream_open(threads);
    transcript seen = {0};
    observe_wide(&on, wishes[i], &seen);
    mainstem_event_type late =
        type_open(on.context, "NoticeLate", MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_BYTES, NULL);
    for (int n = 0; n < 2; n++) EXPECT_OK(mainstem_send(on.context, late, "1", 1));
    EXPECT_STATUS(mainstem_send(on.context, late, "1", 1), MAINSTEM_FULL);
    drained(on.context, 0);
    EXPECT_TEXT(seen.text, "1 2");
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static const expect_case cases[] = {
    {"a full queue refuses the send", a_full_queue_refuses_the_send, IN_BOTH},
    {"a queue is bounded in bytes too", a_queue_is_bounded_in_bytes_too, IN_BOTH},
    {"inside a callback a full queue refuses too", inside_a_callback_a_full_queue_refuses_too,
     IN_BOTH},
    {"the oldest is lost", the_oldest_is_lost, IN_BOTH},
    {"the newest is lost, and told behind the last that waits",
     the_newest_is_lost_and_told_behind_the_last, IN_BOTH},
    {"only the latest waits", only_the_latest_waits, IN_BOTH},
    {"two queues are bounded apart", two_queues_are_bounded_apart, IN_BOTH},
    {"a blocked sender goes on when there is room", a_blocked_sender_goes_on_when_there_is_room,
     IN_ANY},
    {"close frees a blocked sender", close_frees_a_blocked_sender, IN_ANY},
    {"an answer is never refused", an_answer_is_never_refused, IN_BOTH},
    {"a type that comes later has the same bounds", a_type_that_comes_later_has_the_same_bounds,
     IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

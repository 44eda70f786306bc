// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Shared requests: what several ask at a time is asked once, and each asker gets its own answer. */

#include "transcript.h"

/* A server that starts some work for each request it gets, and the transcript of it all. */
typedef struct group {
  stream on;
  transcript seen;
  mainstem_context *server;
  mainstem_retained *kept[20];
  mainstem_pending *pending[20];
  mainstem_status refused;
  int started, stopped, answered, asked;
} group;

/* "a" is a shared request, "r" another one, "=" an answer, "." progress; then the cause, and what is answered. */
static void show(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  int is_shared = (event->flags & MAINSTEM_EVENT_SHARED) != 0;
  const char *kind = event->flags & MAINSTEM_EVENT_TRACKED    ? is_shared ? "a" : "r"
                     : event->flags & MAINSTEM_EVENT_PROGRESS ? "."
                     : event->answers != 0                    ? "="
                                                              : "n";
  transcript_add(&self->seen, "%s%llu<%llu", kind, (unsigned long long)event->position,
                 (unsigned long long)event->cause);
  if (event->answers == 0) return;
  transcript_add(&self->seen, "to%llu%s%s%s", (unsigned long long)event->answers,
                 is_shared ? "s" : "", event->status == 0 ? "" : " ",
                 event->status == 0 ? "" : mainstem_status_name(event->status));
}

static void stop_work(void *user_data) { ((group *)user_data)->stopped++; }

static void start_work(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT_EQUAL(event->flags & MAINSTEM_EVENT_SHARED, 0);
  EXPECT(self->started < 20);
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->started++]));
  EXPECT_OK(mainstem_event_on_settled(event, stop_work, self, NULL));
}

static group *group_with(mainstem_context *context) {
  static group self;
  static const mainstem_handler_row rows[] = {{"RequestAsk", start_work}};
  memset(&self, 0, sizeof self);
  self.on = stream_of(context);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, show, &self, NULL, NULL));
  EXPECT_OK(
      mainstem_server_add(context, "Worker", rows, sizeof rows[0], 1, &self, NULL, &self.server));
  return &self;
}

static group *group_open(uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.clock = MAINSTEM_CLOCK_VIRTUAL;
  EXPECT_OK(mainstem_context_create(&options, &context));
  return group_with(context);
}

static void group_close(group *self) { EXPECT_OK(mainstem_context_close(self->on.context)); }

static void note_answer(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT(event->flags & MAINSTEM_EVENT_SHARED || event->status != 0);
  transcript_add(&self->seen, "!%llu", (unsigned long long)event->answers);
  self->answered++;
}

static void note_step(void *user_data, const mainstem_event *event) {
  transcript_add(&((group *)user_data)->seen, "?%llu", (unsigned long long)event->answers);
}

static mainstem_status ask_with(group *self, mainstem_context *scope, const char *what,
                                int64_t timeout_ms, mainstem_scheduler scheduler) {
  mainstem_request_options options;
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  options.progress = note_step;
  options.timeout_ms = timeout_ms;
  options.scheduler = scheduler;
  options.share = 1;
  return mainstem_request_with(scope, self->on.ask, what, strlen(what), &options, note_answer, self,
                               NULL, &self->pending[self->asked++]);
}

static void ask(group *self, const char *what) {
  EXPECT_OK(ask_with(self, self->on.context, what, 0, 0));
}

static const mainstem_event *work(group *self, int index) {
  const mainstem_event *event = NULL;
  EXPECT(index < self->started);
  EXPECT_OK(mainstem_retained_event(self->kept[index], &event));
  return event;
}

static void expect_seen(group *self, const char *text) {
  EXPECT_TEXT(self->seen.text, text);
  transcript_clear(&self->seen);
}

/* three askers, one start. */
static void three_askers_are_one_start(uint32_t threads) {
  group *self = group_open(threads);
  EXPECT_EQUAL(self->started, 0);
  ask(self, "same");
  ask(self, "same");
  ask(self, "same");
  EXPECT_EQUAL(self->started, 1);
  expect_seen(self, "a1<0 r2<1 a3<0 a4<0");
  EXPECT_EQUAL(work(self, 0)->correlation, 1);
  EXPECT_OK(mainstem_respond(work(self, 0), "answer", 6));
  expect_seen(self, "=5<0 to2 =6<5 to1s !1 =7<5 to3s !3 =8<5 to4s !4");
  EXPECT_EQUAL(self->stopped, 0);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 2);
  expect_seen(self, "a9<0 r10<9");
  group_close(self);
}

static void the_last_to_give_up_stops_the_work(uint32_t threads) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_pending_cancel(self->pending[0]));
  EXPECT_EQUAL(self->stopped, 0);
  expect_seen(self, "=4<0 to1 CANCELLED !1");
  EXPECT_OK(mainstem_pending_cancel(self->pending[1]));
  EXPECT_EQUAL(self->stopped, 1);
  expect_seen(self, "=5<0 to3 CANCELLED !3 =6<5 to2 CANCELLED");
  EXPECT_STATUS(mainstem_respond(work(self, 0), "late", 4), MAINSTEM_STALE);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 2);
  group_close(self);
  EXPECT_EQUAL(self->stopped, 2);
}

static void each_has_its_own_time(uint32_t threads) {
  group *self = group_open(threads);
  EXPECT_OK(ask_with(self, self->on.context, "same", 5, 0));
  EXPECT_OK(ask_with(self, self->on.context, "same", 9, 0));
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_context_advance(self->on.context, 5));
  expect_seen(self, "=4<0 to1 TIMEOUT !1");
  EXPECT_EQUAL(self->stopped, 0);
  EXPECT_OK(mainstem_context_advance(self->on.context, 4));
  expect_seen(self, "=5<0 to3 TIMEOUT !3 =6<5 to2 CANCELLED");
  EXPECT_EQUAL(self->stopped, 1);
  group_close(self);
}

static void progress_goes_to_each(uint32_t threads) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "1", 1));
  expect_seen(self, ".4<0 to2 .5<4 to1s ?1 .6<4 to3s ?3");
  EXPECT_OK(mainstem_pending_cancel(self->pending[0]));
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "2", 1));
  expect_seen(self, ".8<0 to2 .9<8 to3s ?3");
  EXPECT_OK(mainstem_respond_error(work(self, 0), 1001, "no"));
  expect_seen(self, "=10<0 to2 APP =11<10 to3s APP !3");
  group_close(self);
}

/* Catches: askers of another payload, another type or another owner that get what they did not ask for. */
static void who_asks_something_else_asks_alone(uint32_t threads) {
  static const mainstem_handler_row_with own[] = {
      {{"RequestAsk", start_work}, MAINSTEM_HANDLER_OWN}};
  group *self = group_open(threads);
  mainstem_context *cells[2], *scope;
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_server_add(self->on.context, "Cell", &own[0].row, sizeof own[0], 1, self,
                                  NULL, &cells[i]));
  EXPECT_OK(mainstem_scope_add(self->on.context, "View", &scope));
  ask(self, "one");
  ask(self, "two");
  EXPECT_EQUAL(self->started, 2);
  EXPECT_OK(ask_with(self, scope, "one", 0, 0));
  EXPECT_EQUAL(self->started, 2); /* Who asks does not matter … */
  EXPECT_OK(ask_with(self, cells[0], "one", 0, 0));
  EXPECT_EQUAL(self->started, 4); /* … unless it owns the type: the server and its own handler. */
  EXPECT_OK(ask_with(self, cells[0], "one", 0, 0));
  EXPECT_EQUAL(self->started, 4);
  EXPECT_EQUAL(work(self, 2)->origin, work(self, 3)->origin);
  EXPECT(work(self, 2)->origin != 0);
  EXPECT_OK(ask_with(self, cells[1], "one", 0, 0));
  EXPECT_EQUAL(self->started, 6);
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond(work(self, 2), "cell", 4));
  EXPECT_EQUAL(self->answered, 2);
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "one", 3, NULL, NULL, NULL));
  EXPECT_EQUAL(self->started, 7); /* An ordinary request is always alone. */
  group_close(self);
}

static void nobody_handles_it(uint32_t threads) {
  group *self = group_open(threads);
  EXPECT_OK(mainstem_scope_end(self->server));
  ask(self, "same");
  expect_seen(self, "a1<0 r2<1 =3<2 to2 UNHANDLED =4<3 to1s UNHANDLED !1");
  group_close(self);
}

static void answer_now(void *user_data, const mainstem_event *event) {
  static char large[2000];
  (void)user_data;
  memset(large, 'x', sizeof large);
  EXPECT_OK(mainstem_respond(event, large, sizeof large));
}

static void take_large(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  EXPECT_EQUAL(event->size, 2000);
  EXPECT_EQUAL(((const char *)event->data)[1999], 'x');
  EXPECT_EQUAL(event->origin, 0);
  self->answered++;
}

static void a_large_answer_is_copied_for_each(uint32_t threads) {
  static const mainstem_handler_row row = {"RequestAsk", answer_now};
  group *self = group_open(threads);
  mainstem_request_options options;
  mainstem_context *server;
  EXPECT_OK(mainstem_scope_end(self->server));
  EXPECT_OK(mainstem_server_add(self->on.context, "Now", &row, sizeof row, 1, self, NULL, &server));
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  options.share = 1;
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "?", 1, &options, take_large,
                                    self, NULL, NULL));
  EXPECT_EQUAL(self->answered, 3);
  group_close(self);
}

static void ask_three(void *user_data, const mainstem_event *event) {
  group *self = (group *)user_data;
  if (event->cause != 0) return;
  ask(self, "same");
  ask(self, "same");
  ask(self, "same");
  EXPECT_EQUAL(self->started, 0);
}

/* Inside a callback all of them are accepted before the first is delivered. */
static void inside_a_callback(uint32_t threads) {
  group *self = group_open(threads);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, ask_three, self, NULL, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->started, 1);
  expect_seen(self, "n1<0 a2<1 a3<1 a4<1 r5<2");
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  expect_seen(self, "=6<0 to5 =7<6 to2s !2 =8<6 to3s !3 =9<6 to4s !4");
  group_close(self);
}

static void on_a_scheduler(uint32_t threads) {
  group *self = group_open(threads);
  EXPECT_OK(ask_with(self, self->on.context, "same", 0, MAINSTEM_SCHEDULER_HOST));
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_respond_progress(work(self, 0), self->on.notice, "1", 1));
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  expect_seen(self, ".4<0 to2 .5<4 to1s .6<4 to3s ?3 =7<0 to2 =8<7 to1s =9<7 to3s !3");
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  expect_seen(self, "?1 !1");
  group_close(self);
}

static void a_scope_that_ends_gives_up(uint32_t threads) {
  group *self = group_open(threads);
  mainstem_context *scope;
  EXPECT_OK(mainstem_scope_add(self->on.context, "View", &scope));
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  ask(self, "same");
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(self->stopped, 0); /* The first has gone, another one waits. */
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  EXPECT_EQUAL(self->answered, 2);
  EXPECT_OK(mainstem_scope_add(self->on.context, "View", &scope));
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  EXPECT_OK(ask_with(self, scope, "same", 0, 0));
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(self->stopped, 1);
  EXPECT_EQUAL(self->answered, 4);
  group_close(self);
}

static void the_last_server_that_ends_answers_all(uint32_t threads) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  EXPECT_OK(mainstem_scope_end(self->server));
  expect_seen(self, "=4<0 to2 CANCELLED =5<4 to1s CANCELLED !1 =6<4 to3s CANCELLED !3");
  group_close(self);
}

static void a_closing_context_answers_all(uint32_t threads) {
  group *self = group_open(threads);
  ask(self, "same");
  ask(self, "same");
  transcript_clear(&self->seen);
  group_close(self);
  expect_seen(self, "=4<0 to1 CANCELLED !1 =5<0 to2 CANCELLED =6<0 to3 CANCELLED !3");
  EXPECT_EQUAL(self->stopped, 1);
}

/* The one request is refused like any other; then that is the answer. */
static void a_full_server_refuses_all(uint32_t threads) {
  static const mainstem_handler_row row = {"RequestAsk", start_work};
  group *self = group_open(threads);
  mainstem_server_options options;
  EXPECT_OK(mainstem_scope_end(self->server));
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.limit_events = 1;
  EXPECT_OK(mainstem_server_add_with(self->on.context, "Slow", &row, sizeof row, 1, &options, self,
                                     NULL, NULL));
  ask(self, "one");
  ask(self, "one"); /* An asker takes no room there. */
  ask(self, "two");
  expect_seen(self, "a1<0 r2<1 a3<0 a4<0 =5<4 to4s FULL !4");
  EXPECT_EQUAL(stats_of(self->on.context).rejected, 1);
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  ask(self, "two");
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_EQUAL(self->started, 2);
  group_close(self);
}

static void a_cascade_has_its_limit(uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.limit_cascade = 1;
  EXPECT_OK(mainstem_context_create(&options, &context));
  group *self = group_with(context);
  EXPECT_OK(mainstem_observe(context, self->on.notice, ask_three, self, NULL, NULL));
  EXPECT_OK(mainstem_send(context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->started, 0);
  EXPECT_EQUAL(self->answered, 3);
  ask(self, "same");
  EXPECT_EQUAL(self->started, 1);
  group_close(self);
}

/* Whoever observes an asker may answer it alone. */
static void answer_asker(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->flags & MAINSTEM_EVENT_SHARED) EXPECT_OK(mainstem_respond(event, "", 0));
}

static void an_observer_may_answer_one(uint32_t threads) {
  group *self = group_open(threads);
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe(self->on.context, self->on.ask, answer_asker, self, NULL, &first));
  mainstem_request_options options;
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  options.share = 1;
  EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "", 0, &options, NULL, NULL, NULL,
                                  NULL));
  EXPECT_EQUAL(self->started, 0);
  expect_seen(self, "a1<0 =2<1 to1");
  group_close(self);
}

static void activity_counts_them(uint32_t threads) {
  group *self = group_open(threads);
  uint64_t count;
  EXPECT_OK(mainstem_activity_report(self->on.context, self->on.ask));
  ask(self, "same");
  ask(self, "same");
  EXPECT_OK(mainstem_activity(self->on.context, self->on.ask, &count));
  EXPECT_EQUAL(count, 3);
  expect_seen(self, "a1<0 r2<1 n3<2 a4<0");
  EXPECT_OK(mainstem_respond(work(self, 0), "", 0));
  EXPECT_OK(mainstem_activity(self->on.context, self->on.ask, &count));
  EXPECT_EQUAL(count, 0);
  expect_seen(self, "=5<0 to2 =6<5 to1s !1 =7<5 to4s !4 n8<5");
  group_close(self);
}

static void what_is_wrong_is_refused(uint32_t threads) {
  group *self = group_open(threads);
  mainstem_request_options options;
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  EXPECT_EQUAL(options.share, 0);
  options.share = 2;
  EXPECT_STATUS(mainstem_request_with(self->on.context, self->on.ask, "", 0, &options, NULL, NULL,
                                      NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_request_with: options.share: is neither 0 nor 1");
  options.share = 1;
  EXPECT_STATUS(mainstem_request_with(self->on.context, self->on.notice, "", 0, &options, NULL,
                                      NULL, NULL, NULL),
                MAINSTEM_INVALID);
  expect_seen(self, "");
  group_close(self);
}

static const expect_case cases[] = {
    {"three askers are one start", three_askers_are_one_start, IN_BOTH},
    {"the last to give up stops the work", the_last_to_give_up_stops_the_work, IN_BOTH},
    {"each has its own time", each_has_its_own_time, IN_BOTH},
    {"progress goes to each", progress_goes_to_each, IN_BOTH},
    {"who asks something else asks alone", who_asks_something_else_asks_alone, IN_BOTH},
    {"nobody handles it", nobody_handles_it, IN_BOTH},
    {"a large answer is copied for each", a_large_answer_is_copied_for_each, IN_BOTH},
    {"inside a callback", inside_a_callback, IN_BOTH},
    {"on a scheduler", on_a_scheduler, IN_BOTH},
    {"a scope that ends gives up", a_scope_that_ends_gives_up, IN_BOTH},
    {"the last server that ends answers all", the_last_server_that_ends_answers_all, IN_BOTH},
    {"a closing context answers all", a_closing_context_answers_all, IN_BOTH},
    {"a full server refuses all", a_full_server_refuses_all, IN_BOTH},
    {"a cascade has its limit", a_cascade_has_its_limit, IN_BOTH},
    {"an observer may answer one", an_observer_may_answer_one, IN_BOTH},
    {"activity counts them", activity_counts_them, IN_BOTH},
    {"what is wrong is refused", what_is_wrong_is_refused, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 8, accepted means answered; acceptance A-02: one final response each, whatever happens. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

/* Catches: pairing by type or by age instead of by `answers`. */
static void answers_find_their_own_request(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking first, second;
  keeper_serve(&kept, &on);
  asking_ask(&first, &on);
  asking_ask(&second, &on);
  EXPECT_EQUAL(stats_of(on.context).requests, 2);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 1), "two", 3));
  EXPECT_EQUAL(first.calls, 0);
  EXPECT_EQUAL(second.calls, 1);
  EXPECT_TEXT(second.text, "two");
  EXPECT_EQUAL(second.last.answers, 2);
  EXPECT_EQUAL(second.last.correlation, 2);
  EXPECT_EQUAL(second.last.cause, 0);
  EXPECT_EQUAL(second.last.type, on.answer);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "one", 3));
  EXPECT_TEXT(first.text, "one");
  EXPECT_EQUAL(first.last.answers, 1);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(first.calls + second.calls, 2);
}

/* Catches: a second answer let through, or a pending handle that outlives the answer. */
static void the_second_answer_is_refused(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  uint64_t position;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_EQUAL(keeper_event(&kept, 0)->flags, MAINSTEM_EVENT_OUTSIDE | MAINSTEM_EVENT_TRACKED);
  EXPECT_OK(mainstem_pending_position(one.pending, &position));
  EXPECT_EQUAL(position, 1);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "yes", 3));
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "no", 2), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond_error(keeper_event(&kept, 0), 1000, "no"), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_pending_position(one.pending, &position), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_pending_cancel(one.pending), MAINSTEM_STALE);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
}

/* Catches: an observer or a server of another type taken for a server of this one. */
static void without_a_server_a_request_is_unhandled(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  asking one;
  mainstem_handler_row row = {"Notice", witness_event};
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, &a, NULL, NULL));
  witness_observe(&a, on.context, MAINSTEM_TYPE_ANY);
  asking_ask(&one, &on);
  EXPECT_TEXT(seen.text, "a1 a2");
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_UNHANDLED);
  EXPECT_EQUAL(one.last.answers, 1);
  EXPECT_EQUAL(one.last.type, on.answer);
  EXPECT_EQUAL(one.last.correlation, 1);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
}

/* Catches: CANCELLED by the first server's end, or never by the last's. */
static void the_end_of_the_last_server_cancels(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}}, second = {0, {NULL}};
  asking one, two;
  mainstem_context *server = keeper_serve(&kept, &on), *other = keeper_serve(&second, &on);
  asking_ask(&one, &on);
  asking_ask(&two, &on);
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "late", 4));
  EXPECT_TEXT(one.text, "late");
  EXPECT_OK(mainstem_scope_end(other));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(two.calls, 1);
  EXPECT_STATUS(two.last.status, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(two.last.answers, 2);
  EXPECT_STATUS(mainstem_respond(keeper_event(&second, 1), "x", 1), MAINSTEM_STALE);
  asking_ask(&one, &on);
  EXPECT_STATUS(one.last.status, MAINSTEM_UNHANDLED);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls + two.calls, 2);
}

/* Catches: a request that hangs because a server came that never got it; one cancelled that still has one. */
static void a_later_server_does_not_keep_what_it_never_got(uint32_t threads) {
  stream on = stream_open(threads);
  keeper old = {0, {NULL}}, middle = {0, {NULL}}, fresh = {0, {NULL}};
  asking one, two;
  mainstem_context *first = keeper_serve(&old, &on), *second;
  asking_ask(&one, &on);
  second = keeper_serve(&middle, &on);
  asking_ask(&two, &on);
  keeper_serve(&fresh, &on);
  EXPECT_EQUAL(middle.count, 1);
  EXPECT_OK(mainstem_scope_end(first));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_STATUS(mainstem_respond(keeper_event(&old, 0), "x", 1), MAINSTEM_STALE);
  EXPECT_EQUAL(two.calls, 0);
  EXPECT_OK(mainstem_scope_end(second));
  EXPECT_EQUAL(two.calls, 1);
  EXPECT_STATUS(two.last.status, MAINSTEM_CANCELLED);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_respond(keeper_event(&fresh, 0), "new", 3));
  EXPECT_TEXT(one.text, "new");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct relay {
  stream on;
  keeper old, fresh;
  mainstem_context *server;
  asking asked[3];
} relay;

static void replace_the_server(void *user_data, const mainstem_event *event) {
  relay *self = (relay *)user_data;
  mainstem_context *old = self->server;
  asking_ask(&self->asked[1], &self->on); /* On its way when both happen. */
  self->server = keeper_serve(&self->fresh, &self->on);
  EXPECT_OK(mainstem_scope_end(old));
  asking_ask(&self->asked[2], &self->on);
  (void)event;
}

/* Catches: what was on its way when the servers changed, given to none and open for ever. */
static void a_server_is_replaced_inside_a_callback(uint32_t threads) {
  relay self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.server = keeper_serve(&self.old, &self.on);
  EXPECT_OK(
      mainstem_observe(self.on.context, self.on.notice, replace_the_server, &self, NULL, NULL));
  asking_ask(&self.asked[0], &self.on);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  for (int i = 0; i < 2; i++) {
    EXPECT_EQUAL(self.asked[i].calls, 1);
    EXPECT_STATUS(self.asked[i].last.status, MAINSTEM_CANCELLED);
  }
  EXPECT_EQUAL(self.asked[2].calls, 0);
  EXPECT_EQUAL(self.fresh.count, 1);
  EXPECT_OK(mainstem_respond(keeper_event(&self.fresh, 0), "x", 1));
  EXPECT_EQUAL(self.asked[2].calls, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: the parent's end, or the end of an unrelated scope, handled like the wrong one. */
static void the_end_of_a_parent_ends_its_servers(uint32_t threads) {
  stream on = stream_open(threads), inner;
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_context *scope, *unrelated;
  EXPECT_OK(mainstem_scope_add(on.context, "Parent", &scope));
  EXPECT_OK(mainstem_scope_add(on.context, "Unrelated", &unrelated));
  inner = on;
  inner.context = scope;
  keeper_serve(&kept, &inner);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_scope_end(unrelated));
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a given-up request that is answered again later, by anyone. */
static void a_request_may_be_given_up(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_pending_cancel(one.pending));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_STATUS(mainstem_pending_cancel(one.pending), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "x", 1), MAINSTEM_STALE);
  EXPECT_OK(mainstem_pending_cancel(NULL));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
}

/* Catches: an open request forgotten by close, or answered twice. */
static void close_answers_what_is_open(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one, two;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  asking_ask(&two, &on);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(two.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_STATUS(two.last.status, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(one.last.answers, 1);
  EXPECT_EQUAL(two.last.answers, 2);
}

static void answer_own_name(void *user_data, const mainstem_event *event) {
  mainstem_status *statuses = (mainstem_status *)user_data;
  mainstem_status status = mainstem_respond(event, "x", 1);
  if (statuses[0] == -1) statuses[0] = status;
  else statuses[1] = status;
}

/* Catches: both answers of two servers on the stream. */
static void of_two_servers_the_first_answer_counts(uint32_t threads) {
  stream on = stream_open(threads);
  asking one;
  mainstem_status statuses[2] = {-1, -1};
  mainstem_handler_row row = {"RequestAsk", answer_own_name};
  EXPECT_OK(mainstem_server_add(on.context, "A", &row, sizeof row, 1, statuses, NULL, NULL));
  EXPECT_OK(mainstem_server_add(on.context, "B", &row, sizeof row, 1, statuses, NULL, NULL));
  asking_ask(&one, &on);
  EXPECT_STATUS(statuses[0], MAINSTEM_OK);
  EXPECT_STATUS(statuses[1], MAINSTEM_STALE);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(one.last.cause, 1);
  EXPECT_EQUAL(one.last.flags & MAINSTEM_EVENT_OUTSIDE, 0);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a refused answer that settles the request all the same. */
static void a_wrong_answer_leaves_the_request_open(uint32_t threads) {
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

/* Catches: a broadcast that owes an answer, or that is refused one. */
static void a_sent_request_owes_nothing(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  keeper_serve(&kept, &on);
  witness_observe(&a, on.context, on.answer);
  EXPECT_OK(mainstem_send(on.context, on.ask, "?", 1));
  EXPECT_EQUAL(keeper_event(&kept, 0)->flags & MAINSTEM_EVENT_TRACKED, 0);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT_TEXT(seen.text, "a2");
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a2 ~a");
}

typedef struct inside {
  stream on;
  keeper kept;
  asking one;
  mainstem_context *server;
  int order;
} inside;

static void ask_and_change_servers(void *user_data, const mainstem_event *event) {
  inside *self = (inside *)user_data;
  (void)event;
  if (self->order == 0) asking_ask(&self->one, &self->on);
  if (self->order == 0) keeper_serve(&self->kept, &self->on);
  if (self->order == 1) asking_ask(&self->one, &self->on);
  if (self->order == 1) EXPECT_OK(mainstem_scope_end(self->server));
  if (self->order == 2) EXPECT_OK(mainstem_scope_end(self->server));
  if (self->order == 2) asking_ask(&self->one, &self->on);
  if (self->order == 3) asking_ask(&self->one, &self->on);
  if (self->order == 3) EXPECT_OK(mainstem_pending_cancel(self->one.pending));
  EXPECT_EQUAL(self->one.calls, 0);
}

/* Catches: a request accepted with one set of servers and delivered with another: never answered. */
static void servers_that_change_while_a_request_waits_lose_none(uint32_t threads) {
  for (int order = 0; order < 4; order++) {
    inside self;
    memset(&self, 0, sizeof self);
    self.on = stream_open(threads);
    self.order = order;
    if (order > 0) self.server = keeper_serve(&self.kept, &self.on);
    EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, ask_and_change_servers, &self, NULL,
                               NULL));
    EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
    if (order > 0) EXPECT_EQUAL(self.one.calls, 1);
    if (order > 0) EXPECT(self.one.last.status != MAINSTEM_OK);
    EXPECT_EQUAL(stats_of(self.on.context).requests, self.one.calls == 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_EQUAL(self.one.calls, 1);
  }
}

static void end_itself(void *user_data, const mainstem_event *event) {
  (void)user_data;
  EXPECT_OK(mainstem_scope_end(event->context));
  EXPECT_STATUS(mainstem_respond(event, "x", 1), MAINSTEM_STALE);
}

/* Catches: a server that ends itself instead of answering. */
static void a_server_may_end_instead_of_answering(uint32_t threads) {
  stream on = stream_open(threads);
  asking one;
  mainstem_handler_row row = {"RequestAsk", end_itself};
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, NULL, NULL, NULL));
  asking_ask(&one, &on);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls, 1);
}

/* Catches: a request accepted that can have no answer. */
static void what_is_no_request_is_refused(uint32_t threads) {
  stream on = stream_open(threads);
  asking one;
  mainstem_pending *pending = NULL;
  mainstem_event_type none = type_open(on.context, "RequestNothing", MAINSTEM_PAYLOAD_NONE, NULL);
  mainstem_event_type later =
      type_open(on.context, "RequestLater", MAINSTEM_PAYLOAD_NONE, "ResponseLater");
  mainstem_event_type wrong[] = {on.notice, on.answer, none, later, 999, MAINSTEM_TYPE_ANY};
  memset(&one, 0, sizeof one);
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
static void a_foreign_answer_counts_at_once(uint32_t threads) {
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
static void of_racing_answers_one_counts(uint32_t threads) {
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

/* Catches: a step of progress that has a place after the answer, or that settles the request. */
static void progress_comes_before_the_answer_or_not_at_all(uint32_t threads) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one, two;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  asking_ask(&two, &on);
  EXPECT_OK(mainstem_respond_progress(keeper_event(&kept, 0), on.notice, "half", 4));
  EXPECT_EQUAL(one.calls, 0);
  EXPECT_EQUAL(stats_of(on.context).requests, 2);
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "x", 1));
  EXPECT_STATUS(mainstem_respond_progress(keeper_event(&kept, 0), on.notice, "", 0),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_pending_cancel(two.pending));
  EXPECT_STATUS(mainstem_respond_progress(keeper_event(&kept, 1), on.notice, "", 0),
                MAINSTEM_STALE);
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(one.last.position, 4);
  EXPECT_EQUAL(stats_of(on.context).events, 5);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct waiting {
  keeper kept;
  asking one;
  mainstem_status late;
} waiting;

static void answer_late(void *user_data, const mainstem_event *event) {
  waiting *self = (waiting *)user_data;
  EXPECT_STATUS(event->status, MAINSTEM_TIMEOUT);
  self->late = mainstem_respond(keeper_event(&self->kept, 0), "late", 4);
}

/* Catches: a time-out that leaves the request open, or that comes although it was answered. */
static void a_time_out_is_an_answer_like_any_other(uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_request_options options;
  waiting self;
  memset(&self, 0, sizeof self);
  self.late = -1;
  EXPECT_OK(mainstem_request_options_init(&options, sizeof options));
  options.timeout_ms = 1;
  keeper_serve(&self.kept, &on);
  EXPECT_OK(mainstem_observe(on.context, on.answer, answer_late, &self, NULL, NULL));
  EXPECT_OK(mainstem_request_with(on.context, on.ask, "?", 1, &options, asking_answered, &self.one,
                                  NULL, &self.one.pending));
  while (self.one.calls == 0) EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_STATUS(self.late, MAINSTEM_STALE);
  EXPECT_STATUS(self.one.last.status, MAINSTEM_TIMEOUT);
  EXPECT_STATUS(mainstem_pending_cancel(self.one.pending), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(self.one.calls, 1);
}

typedef struct telling {
  mainstem_event_type step;
  mainstem_status late;
} telling;

static void answer_and_tell(void *user_data, const mainstem_event *event) {
  telling *self = (telling *)user_data;
  EXPECT_OK(mainstem_respond(event, "x", 1));
  self->late = mainstem_respond_progress(event, self->step, "late", 4);
}

/* Catches: progress let through behind an answer that waits for its turn. */
static void no_progress_follows_an_answer_in_its_callback(uint32_t threads) {
  stream on = stream_open(threads);
  asking one;
  telling self = {on.notice, -1};
  mainstem_handler_row row = {"RequestAsk", answer_and_tell};
  EXPECT_OK(mainstem_server_add(on.context, "Server", &row, sizeof row, 1, &self, NULL, NULL));
  asking_ask(&one, &on);
  EXPECT_STATUS(self.late, MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).events, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void end_the_asker(void *user_data, const mainstem_event *event) {
  (void)event;
  EXPECT_OK(mainstem_scope_end(*(mainstem_context **)user_data));
}

/* Catches: a completion lost with the scope that asked, or called when nobody is there any more. */
static void the_end_of_the_asking_scope_gives_up_what_it_asked(uint32_t threads) {
  for (int inside = 0; inside < 2; inside++) {
    stream on = stream_open(threads), inner;
    keeper kept = {0, {NULL}};
    asking before, one, two, other;
    mainstem_context *scope, *child;
    keeper_serve(&kept, &on);
    EXPECT_OK(mainstem_scope_add(on.context, "Asker", &scope));
    EXPECT_OK(mainstem_scope_add(scope, "Child", &child));
    inner = on;
    inner.context = child;
    asking_ask(&one, &inner);
    asking_ask(&before, &inner);
    asking_ask(&other, &on);
    inner.context = scope;
    asking_ask(&two, &inner);
    EXPECT_OK(mainstem_respond(keeper_event(&kept, 1), "x", 1));
    EXPECT_OK(mainstem_observe(on.context, on.notice, end_the_asker, &scope, NULL, NULL));
    if (inside) EXPECT_OK(send_text(on.context, on.notice, ""));
    else EXPECT_OK(mainstem_scope_end(scope));
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_EQUAL(two.calls, 1);
    EXPECT_EQUAL(before.calls, 1);
    EXPECT_EQUAL(other.calls, 0);
    EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
    EXPECT_STATUS(two.last.status, MAINSTEM_CANCELLED);
    EXPECT_EQUAL(two.last.position, one.last.position + 1);
    EXPECT_EQUAL(one.last.cause, inside ? 6 : 0);
    EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "x", 1), MAINSTEM_STALE);
    EXPECT_EQUAL(stats_of(on.context).requests, 1);
    EXPECT_OK(mainstem_respond(keeper_event(&kept, 2), "x", 1));
    EXPECT_EQUAL(other.calls, 1);
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(one.calls + two.calls + before.calls + other.calls, 4);
  }
}

/* Catches: a request that a server asks and handles itself, answered twice or never at its end. */
static void a_server_that_asked_itself_ends_once(uint32_t threads) {
  stream on = stream_open(threads), inner = on;
  keeper kept = {0, {NULL}};
  asking one, two;
  mainstem_context *server = keeper_serve(&kept, &on);
  inner.context = server;
  asking_ask(&one, &inner);
  asking_ask(&two, &on);
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_EQUAL(one.calls, 1);
  EXPECT_EQUAL(two.calls, 1);
  EXPECT_EQUAL(two.last.position, one.last.position + 1);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(one.calls + two.calls, 2);
}

/* Catches: an answer of the core that does not say in which callback on a scheduler it was caused. */
static void an_end_on_a_scheduler_is_the_cause(uint32_t threads) {
  for (int asker = 0; asker < 2; asker++) {
    stream on = stream_open(threads), inner = on;
    scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
    keeper kept = {0, {NULL}};
    asking one;
    mainstem_context *server = keeper_serve(&kept, &on), *scope;
    EXPECT_OK(mainstem_scope_add(on.context, "Asker", &scope));
    inner.context = scope;
    observe_on(on.context, on.notice, &how, end_the_asker, asker ? &scope : &server, NULL);
    asking_ask(&one, &inner);
    EXPECT_OK(send_text(on.context, on.notice, ""));
    EXPECT_EQUAL(one.calls, 0);
    EXPECT_EQUAL(drained(on.context, 0), 1);
    EXPECT_EQUAL(one.calls, 1);
    EXPECT_STATUS(one.last.status, MAINSTEM_CANCELLED);
    EXPECT_EQUAL(one.last.cause, 2);
    EXPECT_EQUAL(one.last.correlation, 1);
    EXPECT_EQUAL(one.last.flags & MAINSTEM_EVENT_OUTSIDE, MAINSTEM_EVENT_OUTSIDE);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

typedef struct passing {
  stream on;
  keeper kept;
  asking one;
  int servers;
} passing;

static void let_servers_pass(void *user_data, const mainstem_event *event) {
  passing *self = (passing *)user_data;
  mainstem_context *servers[2];
  asking_ask(&self->one, &self->on);
  for (int i = 0; i < self->servers; i++) servers[i] = keeper_serve(&self->kept, &self->on);
  for (int i = 0; i < self->servers; i++) EXPECT_OK(mainstem_scope_end(servers[i]));
  EXPECT_EQUAL(stats_of(self->on.context).requests, 1);
  (void)event;
}

/* Catches: a request taken from nobody by a server that would never have got it. */
static void a_server_that_never_got_it_cancels_nothing(uint32_t threads) {
  for (int servers = 1; servers <= 2; servers++) {
    passing self;
    memset(&self, 0, sizeof self);
    self.on = stream_open(threads);
    self.servers = servers;
    EXPECT_OK(
        mainstem_observe(self.on.context, self.on.notice, let_servers_pass, &self, NULL, NULL));
    EXPECT_OK(send_text(self.on.context, self.on.notice, ""));
    EXPECT_EQUAL(self.one.calls, 1);
    EXPECT_STATUS(self.one.last.status, MAINSTEM_UNHANDLED);
    EXPECT_EQUAL(self.one.last.cause, 2);
    EXPECT_EQUAL(self.kept.count, 0);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

static const expect_case cases[] = {
    {"answers find their own request", answers_find_their_own_request, IN_BOTH},
    {"the second answer is refused", the_second_answer_is_refused, IN_BOTH},
    {"without a server a request is UNHANDLED", without_a_server_a_request_is_unhandled, IN_BOTH},
    {"the end of the last server cancels", the_end_of_the_last_server_cancels, IN_BOTH},
    {"a later server does not keep what it never got",
     a_later_server_does_not_keep_what_it_never_got, IN_BOTH},
    {"a server is replaced inside a callback", a_server_is_replaced_inside_a_callback, IN_BOTH},
    {"the end of a parent ends its servers", the_end_of_a_parent_ends_its_servers, IN_BOTH},
    {"a request may be given up", a_request_may_be_given_up, IN_BOTH},
    {"close answers what is open", close_answers_what_is_open, IN_BOTH},
    {"of two servers the first answer counts", of_two_servers_the_first_answer_counts, IN_BOTH},
    {"a wrong answer leaves the request open", a_wrong_answer_leaves_the_request_open, IN_BOTH},
    {"a sent request owes nothing", a_sent_request_owes_nothing, IN_BOTH},
    {"servers that change while a request waits lose none",
     servers_that_change_while_a_request_waits_lose_none, IN_BOTH},
    {"a server may end instead of answering", a_server_may_end_instead_of_answering, IN_BOTH},
    {"what is no request is refused", what_is_no_request_is_refused, IN_BOTH},
    {"a foreign answer counts at once", a_foreign_answer_counts_at_once, IN_BOTH},
    {"of racing answers one counts", of_racing_answers_one_counts, IN_BOTH},
    {"a time-out is an answer like any other", a_time_out_is_an_answer_like_any_other, IN_BOTH},
    {"progress comes before the answer or not at all",
     progress_comes_before_the_answer_or_not_at_all, IN_BOTH},
    {"no progress follows an answer in its callback", no_progress_follows_an_answer_in_its_callback,
     IN_BOTH},
    {"the end of the asking scope gives up what it asked",
     the_end_of_the_asking_scope_gives_up_what_it_asked, IN_BOTH},
    {"a server that asked itself ends once", a_server_that_asked_itself_ends_once, IN_BOTH},
    {"an end on a scheduler is the cause", an_end_on_a_scheduler_is_the_cause, IN_BOTH},
    {"a server that never got it cancels nothing", a_server_that_never_got_it_cancels_nothing,
     IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

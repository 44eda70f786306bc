// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * One origin: who looks at what is sent through one scope, and own handlers. The argument says how many scopes are
 * observed one after the other, 100,000 without; memory is looked at with no fewer.
 */

#include "journal.h"
#include "scheduled.h"

static unsigned scopes = 100000;

static mainstem_status observe_of(mainstem_context *through, mainstem_context *of,
                                  mainstem_event_type type, mainstem_event_fn fn, void *user_data,
                                  mainstem_release_fn release,
                                  mainstem_subscription **subscription) {
  mainstem_observe_options options = {.size = sizeof options};
  EXPECT(options.of == NULL);
  if (type != MAINSTEM_TYPE_ANY) options.types = &type;
  options.type_count = type == MAINSTEM_TYPE_ANY ? 0 : 1;
  options.of = of;
  return mainstem_observe_with(through, &options, fn, user_data, release, subscription);
}

static mainstem_subscription *witness_of(witness *self, mainstem_context *through,
                                         mainstem_context *of, mainstem_event_type type) {
  mainstem_subscription *subscription = NULL;
  EXPECT_OK(observe_of(through, of, type, witness_event, self, witness_release, &subscription));
  EXPECT(subscription != NULL);
  return subscription;
}

/* Catches: a scope that is no scope of this context, looked at. */
CASE(only_a_live_scope_of_the_same_context, IN_BOTH) {
  stream on = stream_open(threads), another = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_context *scope = scope_open(on.context, "S"), *other = scope_open(another.context, "S");
  mainstem_subscription *subscription = witness_of(&a, on.context, scope, on.notice);
  mainstem_subscription *none = subscription;
  void *wrong = subscription;
  uint64_t before = stats_of(on.context).subscriptions;
  EXPECT_STATUS(observe_of(on.context, other, on.notice, witness_event, &a, NULL, &none),
                MAINSTEM_INVALID);
  EXPECT(none == NULL && strstr(mainstem_last_error(), "options.of") != NULL);
  EXPECT_STATUS(observe_of(on.context, (mainstem_context *)wrong, 0, witness_event, &a, NULL, NULL),
                MAINSTEM_WRONG_KIND);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_STATUS(observe_of(on.context, scope, on.notice, witness_event, &a, NULL, NULL),
                MAINSTEM_STALE);
  EXPECT(strstr(mainstem_last_error(), "options.of") != NULL);
  EXPECT_OK(mainstem_context_close(another.context));
  EXPECT_STATUS(observe_of(on.context, other, on.notice, witness_event, &a, NULL, NULL),
                MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, before);
  EXPECT_TEXT(seen.text, "");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a history that ends and takes the place of those behind it along. */
CASE(an_ended_history_leaves_the_order_alone, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL}, b = {&seen, "b", NULL, NULL}, c = {&seen, "c", NULL, NULL};
  mainstem_context *scope = scope_open(on.context, "S");
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 1, 0));
  witness_on(&c, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_of(&b, on.context, scope, on.notice);
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 0, 0));
  witness_observe(&a, on.context, on.notice);
  EXPECT_OK(mainstem_send(scope, on.notice, "x", 1));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a1 b1 c1");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: rights that come from the scope that is looked at, and not from who looks. */
CASE(rights_are_those_of_who_looks, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_context *limited = NULL, *scope = scope_open(on.context, "S");
  EXPECT_OK(mainstem_scope_add(on.context, "Limited",
                               OPTIONS(scope, .observe_layers = 1 << (MAINSTEM_LAYER_VIEW >> 40)),
                               &limited));
  EXPECT_STATUS(observe_of(limited, scope, on.notice, witness_event, &a, NULL, NULL),
                MAINSTEM_DENIED);
  witness_of(&a, limited, scope, MAINSTEM_TYPE_ANY);
  EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
  EXPECT_OK(mainstem_send(scope, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_TEXT(seen.text, "a3"); /* After the report of the denial. */
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct ender {
  mainstem_subscription **victims;
  size_t count;
  stream *on;
  mainstem_context *scope;
  witness *newcomer;
} ender;

static void end_all(void *user_data, const mainstem_event *event) {
  ender *self = (ender *)user_data;
  for (size_t i = 0; i < self->count; i++) EXPECT_OK(mainstem_cancel(self->victims[i]));
  self->count = 0;
  if (self->newcomer == NULL) return;
  witness_of(self->newcomer, self->on->context, self->scope, self->on->notice);
  self->newcomer = NULL;
}

/* Catches: a walk that goes on in freed rows: every order of one that ends itself, its peers, or all; a newcomer that
   gets the event that is being delivered. */
CASE(ended_while_they_are_called, IN_BOTH) {
  static const char *const wanted[] = {"a1( ) ~a ~b ~c d2", "a1 b1( ) ~a ~b ~c d2",
                                       "a1 b1 c1( ) ~a ~b ~c d2"};
  static const char *const names[] = {"a", "b", "c"};
  for (size_t which = 0; which < 3; which++) {
    stream on = stream_open(threads);
    transcript seen = {0, ""};
    mainstem_context *scope = scope_open(on.context, "S");
    mainstem_subscription *victims[3];
    witness d = {&seen, "d", NULL, NULL};
    ender ends = {victims, 3, &on, scope, &d};
    witness all[3];
    for (size_t i = 0; i < 3; i++) {
      all[i] = (witness){&seen, names[i], i == which ? end_all : NULL, &ends};
      victims[i] = witness_of(&all[i], on.context, scope, on.notice);
    }
    EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
    EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
    EXPECT_TEXT(seen.text, wanted[which]);
    EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void end_scope(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_scope_end((mainstem_context *)user_data));
}

/* Catches: the end of the scope that is looked at, which ends who looks, or keeps from it what was sent before. */
CASE(the_scope_ends_while_its_event_is_delivered, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  mainstem_context *scope = scope_open(on.context, "S");
  witness a = {&seen, "a", end_scope, scope}, b = {&seen, "b", NULL, NULL};
  witness c = {&seen, "c", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  mainstem_subscription *subscription = witness_of(&b, on.context, scope, on.notice);
  witness_of(&c, scope, scope, on.notice);
  EXPECT_OK(mainstem_post(scope, on.other, "", 0));
  EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
  EXPECT_TEXT(seen.text, "a1( ) ~c b1");
  witness_of(&c, on.context, on.context, on.other);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_cancel(subscription));
  EXPECT_TEXT(seen.text, "a1( ) ~c b1 ~b");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void count_call(void *user_data, const mainstem_event *event) { ++*(unsigned *)user_data; }

/* Catches: chains that mix origins up, lose a row when they widen, or when others leave; types registered later. */
CASE(many_scopes_and_types, IN_BOTH) {
  enum { MANY = 3000 };
  static mainstem_context *scope[MANY];
  static mainstem_subscription *observers[MANY];
  static unsigned calls[MANY];
  stream on = stream_open(threads);
  mainstem_event_type later = 0;
  memset(calls, 0, sizeof calls);
  for (int i = 0; i < MANY; i++) {
    scope[i] = scope_open(on.context, "Cell");
    EXPECT_OK(observe_of(on.context, scope[i], i % 3 ? on.notice : 0, count_call, &calls[i], NULL,
                         &observers[i]));
    if (i == MANY / 2) later = type_open(on.context, "Later", MAINSTEM_PAYLOAD_BYTES, NULL);
  }
  for (int i = 0; i < MANY; i++) {
    EXPECT_OK(mainstem_send(scope[i], on.notice, "", 0));
    EXPECT_OK(mainstem_send(scope[i], later, "", 0));
    EXPECT_EQUAL(calls[i], i % 3 ? 1 : 2);
    if (i % 2) EXPECT_OK(mainstem_cancel(observers[i]));
  }
  for (int i = 0; i < MANY; i++) EXPECT_OK(mainstem_send(scope[i], on.notice, "", 0));
  for (int i = 0; i < MANY; i++) EXPECT_EQUAL(calls[i], (i % 3 ? 1u : 2u) + !(i % 2));
  EXPECT_EQUAL(stats_of(on.context).deliveries, MANY + MANY / 3 + MANY / 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a full queue of one origin that refuses what others send, or that nobody asks. */
CASE(a_queue_refuses_only_its_origin, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "S"), *other = scope_open(on.context, "T");
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  EXPECT_OK(mainstem_observe_with(on.context,
                                  OPTIONS(observe, .types = &on.notice, .type_count = 1,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 1,
                                          .of = scope),
                                  witness_event, &a, witness_release, NULL));
  EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
  EXPECT_STATUS(mainstem_send(scope, on.notice, "", 0), MAINSTEM_FULL);
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(other, on.notice, "", 0));
  EXPECT_EQUAL(stats_of(on.context).events, 4);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a1 a5");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void answer_asked(void *user_data, const mainstem_event *event) {
  const char *text = (const char *)user_data;
  if (event->flags & MAINSTEM_EVENT_TRACKED) EXPECT_OK(mainstem_respond(event, text, strlen(text)));
}

static mainstem_context *cell_open(mainstem_context *parent, const char *answer,
                                   const mainstem_server_options *options) {
  const mainstem_handler_row rows[] = {{"RequestAsk", answer_asked, MAINSTEM_HANDLER_OWN}};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add_with(parent, "Cell", rows, sizeof rows[0], 1, options,
                                     (void *)(uintptr_t)answer, NULL, &server));
  return server;
}

typedef struct answer {
  char text[20];
  mainstem_status status;
} answer;

static void take_answer(void *user_data, const mainstem_event *event) {
  answer *self = (answer *)user_data;
  self->status = event->status;
  snprintf(self->text, sizeof self->text, "%.*s", (int)event->size, (const char *)event->data);
}

static void expect_answer(mainstem_context *through, const stream *on, mainstem_status status,
                          const char *text) {
  answer got = {"", MAINSTEM_FULL};
  EXPECT_OK(mainstem_request(through, on->ask, "", 0, take_answer, &got, NULL));
  EXPECT_OK(mainstem_drain(on->context, 0, NULL));
  EXPECT_STATUS(got.status, status);
  if (status == MAINSTEM_OK) EXPECT_TEXT(got.text, text);
}

/* Catches: own handlers that answer for others, on the host's scheduler, too; rows with and without flags mixed up. */
CASE(each_cell_answers_for_itself, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_server_options options = {.size = sizeof options};
  mainstem_context *one, *two;
  one = cell_open(on.context, "one", &options);
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  two = cell_open(one, "two", &options);
  expect_answer(one, &on, MAINSTEM_OK, "one");
  expect_answer(two, &on, MAINSTEM_OK, "two");
  expect_answer(on.context, &on, MAINSTEM_UNHANDLED, "");
  EXPECT_OK(mainstem_scope_end(two));
  expect_answer(one, &on, MAINSTEM_OK, "one");
  EXPECT_OK(mainstem_scope_end(one));
  expect_answer(on.context, &on, MAINSTEM_UNHANDLED, "");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a flag that nobody knows, taken for one that somebody does; a failed call that leaves something behind. */
CASE(an_unknown_flag_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_handler_row rows[] = {{"Notice", count_call, MAINSTEM_HANDLER_OWN},
                                 {"Other", count_call, 1u << 31}};
  unsigned calls = 0;
  mainstem_context *server = on.context;
  EXPECT_STATUS(
      mainstem_server_add(on.context, "Server", rows, sizeof rows[0], 2, &calls, NULL, &server),
      MAINSTEM_UNSUPPORTED);
  EXPECT(server == NULL && strstr(mainstem_last_error(), "flag") != NULL);
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  rows[1].flags = 0;
  EXPECT_OK(
      mainstem_server_add(on.context, "Server", rows, sizeof rows[0], 2, &calls, NULL, &server));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(calls, 0);
  EXPECT_OK(mainstem_send_after(server, on.notice, "", 0, 0, 0, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(calls, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static mainstem_context *two_cells(uint32_t threads, stream *on, mainstem_context *cells[2]) {
  mainstem_server_options options = {.size = sizeof options};
  *on = stream_open(threads);
  cells[0] = cell_open(on->context, "first", &options);
  cells[1] = cell_open(on->context, "second", &options);
  return on->context;
}

static void tell(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_send(event->context, *(mainstem_event_type *)user_data, "seen", 4));
}

/* Catches: a replay that finds the scope of an input by its name alone. */
CASE(a_replay_finds_each_of_two_cells, IN_BOTH) {
  const char *path = journal_path("cells");
  stream on;
  mainstem_context *cells[2];
  mainstem_replay_options options = {.size = sizeof options};
  mainstem_replay *replay;
  uint64_t fed = 0;
  two_cells(threads, &on, cells);
  EXPECT_OK(observe_of(on.context, cells[1], on.notice, tell, &on.other, NULL, NULL));
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  for (int i = 0; i < 4; i++) {
    EXPECT_OK(mainstem_request(cells[i % 2], on.ask, "", 0, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(cells[i % 2], on.notice, "", 0));
  }
  EXPECT_EQUAL(stats_of(on.context).events, 14);
  EXPECT_OK(mainstem_context_close(on.context));
  two_cells(threads, &on, cells);
  EXPECT_OK(observe_of(on.context, cells[1], on.notice, tell, &on.other, NULL, NULL));
  options.mode = MAINSTEM_REPLAY_VERIFY;
  EXPECT_OK(mainstem_replay_open(on.context, path, &options, &replay));
  EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
  EXPECT_EQUAL(fed, 8);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(on.context));
  journal_sweep();
}

static long resident_kib(void) {
  char text[100];
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL && fgets(text, sizeof text, file) != NULL && fclose(file) == 0);
  EXPECT_EQUAL(sscanf(text, "%ld %ld", &total, &resident), 2);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Catches: what is kept of a scope that was looked at: a row, a name, a number. */
CASE(memory_stays_flat, IN_ONE) {
  stream on = stream_open(threads);
  unsigned calls = 0;
  long warm = 0;
  for (unsigned i = 1; i <= scopes; i++) {
    mainstem_context *scope = scope_open(on.context, "Cell");
    mainstem_subscription *subscription;
    EXPECT_OK(observe_of(on.context, scope, on.notice, count_call, &calls, NULL, &subscription));
    EXPECT_OK(observe_of(scope, scope, 0, count_call, &calls, NULL, NULL));
    EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
    EXPECT_OK(mainstem_scope_end(scope));
    EXPECT_OK(mainstem_cancel(subscription));
    if (i == scopes / 10) warm = resident_kib();
  }
  EXPECT_EQUAL(calls, 2 * scopes);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  if (scopes >= 100000) EXPECT(resident_kib() - warm <= 1024);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(int count, char **arguments) {
  if (count > 1) scopes = (unsigned)strtoul(arguments[1], NULL, 10);
  return expect_run(300);
}

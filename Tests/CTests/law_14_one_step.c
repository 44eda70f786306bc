// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 14: after each event that a server has got, it says once what it shows. */

#include "elsewhere.h"
#include "journal.h"
#include "scheduled.h"

/* A server that counts: a notice "Shown" carries its name and its count, and whoever hears of it is in the transcript. */
typedef struct counter {
  stream *on;
  transcript *seen;
  const char *name;
  mainstem_context *server;
  mainstem_retained *kept;
  mainstem_status returns, tried;
  int count, shows, most;
} counter;

static stream on;
static transcript seen;
static mainstem_event_type shown;

static mainstem_status show(void *user_data, mainstem_context *server,
                            const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  char text[32];
  self->shows++;
  if (self->server != NULL) EXPECT(server == self->server);
  EXPECT_EQUAL(types[0], shown);
  snprintf(text, sizeof text, "%s%d", self->name, self->count);
  transcript_add(&seen, "%s!", self->name);
  if (self->returns == MAINSTEM_FULL) return MAINSTEM_FULL;
  mainstem_status status = send_text(server, types[0], text);
  return self->returns != MAINSTEM_OK ? self->returns : status;
}

static void count_event(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  self->count++;
  transcript_add(&seen, "%s:%llu", self->name, (unsigned long long)event->position);
}

static void answer(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  EXPECT_OK(mainstem_respond(event, self->name, 1));
  EXPECT_STATUS(mainstem_respond(event, "again", 5), MAINSTEM_STALE);
}

static void keep(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  count_event(self, event);
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
}

/* What leaves, with its cause; of an answer its request, too. */
static void note(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->answers != 0) {
    transcript_add(&seen, "%.*s%llu<%llu@%llu", (int)event->size, (const char *)event->data,
                   (unsigned long long)event->position, (unsigned long long)event->cause,
                   (unsigned long long)event->answers);
  } else {
    transcript_add(&seen, "%.*s%llu<%llu%s", (int)event->size, (const char *)event->data,
                   (unsigned long long)event->position, (unsigned long long)event->cause,
                   event->flags & MAINSTEM_EVENT_OUTSIDE ? "*" : "");
  }
}

static mainstem_status try_showing(counter *self, mainstem_context *context, mainstem_event_fn fn,
                                   const char *type) {
  mainstem_handler_row row = {type, fn};
  mainstem_server_options options;
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  EXPECT(options.show == NULL && options.show_types == NULL);
  options.show = show;
  options.show_types = &shown;
  return mainstem_server_add_with(context, self->name, &row, sizeof row, fn != NULL, &options, self,
                                  NULL, &self->server);
}

static void open_showing(counter *self, mainstem_event_fn fn, const char *type) {
  EXPECT_OK(try_showing(self, on.context, fn, type));
}

static void open_all(mainstem_context *context) {
  transcript_clear(&seen);
  on = stream_of(context);
  shown = type_open(on.context, "Shown", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(on.context, shown, note, NULL, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.answer, note, NULL, NULL, NULL));
}

static void close_all(void) { EXPECT_OK(mainstem_context_close(on.context)); }

/* Catches: a first show inside server_add, as an output, or after the next event. */
static void the_first_comes_before_the_next_event(uint32_t threads) {
  counter a = {.name = "a"}, b = {.name = "b"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  open_showing(&b, NULL, NULL);
  EXPECT_TEXT(seen.text, "");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 5);
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_TEXT(seen.text, "a! b! a01<0* b02<0*");
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  close_all();
}

/* Catches: a show before all observers, twice for one event, or after the next. */
static void it_comes_once_when_all_have_seen_the_event(uint32_t threads) {
  counter a = {.name = "a"}, late = {.name = "z"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_observe(a.server, on.notice, count_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_event, &late, NULL, NULL));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_TEXT(seen.text, "a:2 a:2 z:2 a! a23<2");
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
}

/* Catches: an order of adding, where another server got the event first. */
static void servers_show_in_the_order_in_which_they_got_it(uint32_t threads) {
  counter a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
  open_all(context_open(threads));
  open_showing(&a, NULL, NULL);
  open_showing(&b, count_event, "Notice");
  open_showing(&c, count_event, "Notice");
  EXPECT_OK(mainstem_observe(a.server, on.notice, count_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_flush(on.context));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_TEXT(seen.text, "b:4 c:4 a:4 b! c! a! b15<4 c16<4 a17<4");
  close_all();
}

/* Catches: an answer before what the server shows; an answer that is lost when the show fails. */
static void answers_leave_after_what_is_shown(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_pending *pending;
  open_all(context_open(threads));
  open_showing(&a, answer, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, note, NULL, &pending));
  EXPECT_TEXT(seen.text, "a:2 a! a13<2 a4<2@2 a4<2@2");
  EXPECT_EQUAL(stats_of(on.context).requests, 0);
  a.returns = MAINSTEM_APP;
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, &pending));
  EXPECT_TEXT(seen.text, "a:5 a! a26<5 a8<5@5");
  EXPECT_EQUAL(stats_of(on.context).failures, 1);
  close_all();
}

/* Catches: an answer of a server that ends in the same step, which nobody sends any more. */
static void end_after_answering(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  answer(self, event);
  EXPECT_OK(mainstem_scope_end(self->server));
}

static void a_server_that_ends_shows_no_more_but_answers(uint32_t threads) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  open_showing(&a, end_after_answering, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_TEXT(seen.text, "a:2 a3<2@2");
  close_all();
}

/* Asks the keeper in a handler, and answers when it has the answer. */
static mainstem_retained *waiting;

static void answer_waiting(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  const mainstem_event *request;
  count_event(self, event);
  EXPECT_OK(mainstem_retained_event(waiting, &request));
  EXPECT_OK(mainstem_respond(request, self->name, 1));
  EXPECT_OK(mainstem_retained_release(waiting));
}

static void ask_keeper(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  mainstem_event_type other;
  count_event(self, event);
  EXPECT_OK(mainstem_event_retain(event, &waiting));
  EXPECT_OK(mainstem_type_find(on.context, "RequestKeep", &other));
  EXPECT_OK(mainstem_request(event->context, other, "k", 1, answer_waiting, self, NULL));
}

/* Catches: a completion that is no callback of its server, and one of a request from outside that is. */
static void completions_count_where_a_callback_asked(uint32_t threads) {
  counter a = {.name = "a"}, k = {.name = "k"};
  mainstem_handler_row row = {"RequestKeep", keep};
  const mainstem_event *request;
  open_all(context_open(threads));
  type_open(on.context, "RequestKeep", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  EXPECT_OK(mainstem_server_add(on.context, "k", &row, sizeof row, 1, &k, NULL, NULL));
  open_showing(&a, ask_keeper, "RequestAsk");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  transcript_clear(&seen);
  EXPECT_OK(mainstem_request(a.server, on.ask, "?", 1, note, NULL, NULL));
  EXPECT_TEXT(seen.text, "a:2 a! k:3 a14<2");
  transcript_clear(&seen);
  EXPECT_OK(mainstem_retained_event(k.kept, &request));
  EXPECT_OK(mainstem_respond(request, "k", 1));
  EXPECT_TEXT(seen.text, "k5<0@3 a:5 a! a26<5 a7<5@2 a7<5@2");
  EXPECT_OK(mainstem_retained_release(k.kept));
  EXPECT_EQUAL(a.shows, 3);
  close_all();
}

static void add_inside(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  if (self->server != NULL) return;
  EXPECT_OK(try_showing(self, event->context, count_event, "Notice"));
  EXPECT_OK(mainstem_send(event->context, on.notice, "y", 1));
  transcript_add(&seen, "added");
}

/* Catches: a first show inside the event that adds the server, or after the next one. */
static void the_first_of_one_added_inside_comes_after_that_event(uint32_t threads) {
  counter a = {.name = "a"}, z = {.name = "z"};
  open_all(context_open(threads));
  EXPECT_OK(mainstem_observe(on.context, on.other, add_inside, &a, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, count_event, &z, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_TEXT(seen.text, "added z:1 a! a:2 a! a03<1 a14<2");
  close_all();
}

static void try_all(void *user_data, const mainstem_event *event);

/* Says in `tried` what was not refused. */
static mainstem_status show_too_much(void *user_data, mainstem_context *server,
                                     const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  mainstem_server_options options;
  mainstem_handler_row row = {"Notice", try_all};
  mainstem_context *made = NULL;
  mainstem_timer *timer;
  mainstem_scheduler serial;
  const mainstem_event *request;
  uint64_t number;
  (void)types;
  self->shows++;
  EXPECT_STATUS(mainstem_send(server, on.ask, "?", 1), MAINSTEM_BUSY);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: a show function only sets values and sends notices: do everything "
              "else in a handler");
  EXPECT_STATUS(mainstem_send(server, on.answer, "?", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_request(server, on.ask, "?", 1, NULL, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_post(server, on.notice, "?", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_send_after(server, on.notice, "?", 1, 1, &timer), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_observe(server, on.notice, try_all, self, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scope_add(server, "S", &made), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_scope_end(server), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_server_add(server, "S", &row, sizeof row, 1, NULL, NULL, NULL),
                MAINSTEM_BUSY);
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  EXPECT_STATUS(
      mainstem_server_add_with(server, "S", &row, sizeof row, 1, &options, NULL, NULL, NULL),
      MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_history_keep(server, on.notice, 1, 0), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_activity_report(server, on.ask), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_serial_add(server, "S", 0, &serial), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_drain(on.context, 0, NULL), MAINSTEM_BUSY);
  if (self->kept != NULL) {
    EXPECT_OK(mainstem_retained_event(self->kept, &request));
    EXPECT_STATUS(mainstem_respond(request, "!", 1), MAINSTEM_BUSY);
    EXPECT_STATUS(mainstem_respond_progress(request, on.notice, "!", 1), MAINSTEM_BUSY);
  }
  EXPECT_OK(mainstem_context_random(server, &number));
  EXPECT_OK(mainstem_send(server, on.notice, "ok", 2));
  return MAINSTEM_OK;
}

static void try_all(void *user_data, const mainstem_event *event) { keep(user_data, event); }

/* Catches: a show function that asks, answers, observes, or makes something. */
static void it_may_only_say_what_is(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"RequestAsk", try_all};
  mainstem_server_options options;
  mainstem_pending *pending;
  open_all(context_open(threads));
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  options.show = show_too_much;
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL,
                                     &a.server));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, &pending));
  EXPECT_EQUAL(a.shows, 2);
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_OK(mainstem_retained_release(a.kept));
  close_all();
}

/* Catches: FULL as a failure, as the last word, or as tried again for the same event. */
static void without_room_it_is_owed_after_the_next_event(uint32_t threads) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  a.returns = MAINSTEM_FULL;
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 2);
  a.returns = MAINSTEM_OK;
  transcript_clear(&seen);
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(stats_of(on.context).failures, 0);
  EXPECT_TEXT(seen.text, "a! a14<3");
  EXPECT_OK(mainstem_send(on.context, on.other, "x", 1));
  EXPECT_EQUAL(a.shows, 3);
  close_all();
}

static void read_failure(void *user_data, const mainstem_event *event) {
  (void)user_data;
  transcript_add(&seen, "%.*s", (int)event->size, (const char *)event->data);
}

/* Catches: a failed show that is not counted, or ends something. */
static void a_failure_is_counted_and_reported(uint32_t threads) {
  counter a = {.name = "a", .returns = MAINSTEM_APP + 1};
  mainstem_event_type failure;
  open_all(context_open(threads));
  EXPECT_OK(mainstem_type_find(on.context, "MainstemFailure", &failure));
  EXPECT_OK(mainstem_observe(on.context, failure, read_failure, NULL, NULL, NULL));
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT(strstr(seen.text, "{\"type\":\"\",\"origin\":\"a\",\"code\":1001,\"sentence\":\"the show "
                           "function failed\",\"count\":1}") != NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT(strstr(seen.text, "{\"type\":\"Notice\",\"origin\":\"a\",\"code\":1001,\"sentence\":\"the "
                           "show function failed\",\"count\":2}") != NULL);
  EXPECT_EQUAL(stats_of(on.context).failures, 2);
  close_all();
}

static mainstem_status closing_status;

static mainstem_status show_at_the_end(void *user_data, mainstem_context *server,
                                       const mainstem_event_type *types) {
  counter *self = (counter *)user_data;
  self->shows++;
  closing_status = mainstem_send(server, types[0], "end", 3);
  return closing_status;
}

/* Catches: a closing context whose servers do not show, and its refusals as failures. */
static void while_closing_it_is_refused_and_that_is_no_failure(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"RequestAsk", keep};
  mainstem_server_options options;
  mainstem_event_type failure;
  open_all(context_open(threads));
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  options.show = show_at_the_end;
  options.show_types = &shown;
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL,
                                     &a.server));
  EXPECT_OK(mainstem_observe(a.server, on.answer, count_event, &a, NULL, NULL));
  EXPECT_OK(mainstem_type_find(on.context, "MainstemFailure", &failure));
  EXPECT_OK(mainstem_observe(on.context, failure, read_failure, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
  EXPECT_EQUAL(a.shows, 3);
  EXPECT_STATUS(closing_status, MAINSTEM_STALE);
  EXPECT(strstr(seen.text, "failed") == NULL);
}

/* Catches: late events, and progress, that make nothing owed. */
static void late_events_count(uint32_t threads) {
  counter a = {.name = "a"};
  open_all(context_open(threads));
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 2, 0));
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_OK(mainstem_send(on.context, on.notice, "y", 1));
  open_showing(&a, count_event, "Notice");
  EXPECT_TEXT(seen.text, "a:1 a! a:2 a! a13<1 a24<2");
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(a.shows, 2);
  close_all();
}

/* Catches: a server on a scheduler that shows; options of an older program. */
static void on_a_scheduler_it_is_refused(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_handler_row row = {"Notice", count_event};
  mainstem_server_options options;
  const size_t first = offsetof(mainstem_server_options, show);
  open_all(context_open(threads));
  EXPECT_OK(mainstem_server_options_init(&options, sizeof options));
  options.show = show;
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  EXPECT_STATUS(
      mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL, &a.server),
      MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "options.show") != NULL);
  EXPECT_OK(mainstem_server_options_init(&options, first));
  EXPECT_EQUAL(options.size, first);
  EXPECT_OK(mainstem_server_add_with(on.context, "a", &row, sizeof row, 1, &options, &a, NULL,
                                     &a.server));
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 0);
  close_all();
}

/* Catches: a show that counts as no observer. */
static void it_counts_as_an_observer(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.limit_observers = 3;
  EXPECT_OK(mainstem_context_create(&options, &context));
  open_all(context);
  EXPECT_STATUS(try_showing(&a, on.context, count_event, "Notice"), MAINSTEM_LIMIT);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  EXPECT_OK(try_showing(&a, on.context, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(a.server));
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(a.shows, 0);
  close_all();
}

/* Catches: a show that runs in a send where functions run in drains only. */
static void on_the_host_it_waits_for_a_drain(uint32_t threads) {
  counter a = {.name = "a"};
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST;
  EXPECT_OK(mainstem_context_create(&options, &context));
  open_all(context);
  open_showing(&a, count_event, "Notice");
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT_EQUAL(a.shows, 0);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_TEXT(seen.text, "a! a:1 a! a02<0* a13<1");
  close_all();
}

/* Two servers that answer each other: the chain is cut, and says so. */
static void circles_end_at_the_limit(uint32_t threads) {
  counter a = {.name = "a"}, b = {.name = "b"};
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.limit_cascade = 7;
  EXPECT_OK(mainstem_context_create(&options, &context));
  open_all(context);
  open_showing(&a, count_event, "Shown");
  open_showing(&b, count_event, "Notice");
  EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  EXPECT(a.shows > 7 && a.shows < 40);
  EXPECT(stats_of(on.context).failures > 0 && stats_of(on.context).rejected > 0);
  close_all();
}

/* A program with two servers, one of which asks the other, recorded and verified. */
static int added;

static void install(counter *servers) {
  memset(servers, 0, 2 * sizeof *servers);
  servers[0].name = "a", servers[1].name = "k";
  type_open(on.context, "RequestKeep", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  open_showing(&servers[0], ask_keeper, "RequestAsk");
  open_showing(&servers[1], answer, "RequestKeep");
  EXPECT_OK(mainstem_observe(servers[0].server, on.notice, count_event, &servers[0], NULL, NULL));
  added++;
}

static void play(void) {
  for (int i = 0; i < 20; i++) {
    EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(on.context, on.notice, "x", 1));
  }
}

/* Catches: a first show that is recorded as output, held answers whose place a replay does not find. */
static void what_is_shown_verifies(uint32_t threads) {
  const char *path = journal_path("shows");
  static counter servers[2];
  mainstem_replay_options options;
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay *replay;
  uint64_t fed, events;
  for (int isOther = 0; isOther < 2; isOther++) {
    open_all(context_open(threads));
    install(servers);
    EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
    play();
    events = stats_of(on.context).events;
    int shows = servers[0].shows + servers[1].shows;
    close_all();
    open_all(context_open(threads));
    install(servers);
    EXPECT_OK(mainstem_replay_options_init(&options, sizeof options));
    options.mode = MAINSTEM_REPLAY_VERIFY;
    EXPECT_OK(mainstem_replay_open(on.context, path, &options, &replay));
    if (isOther) servers[0].name = "o";
    EXPECT_STATUS(mainstem_replay_step(replay, UINT64_MAX, &fed),
                  isOther ? MAINSTEM_DIFFERENT : MAINSTEM_OK);
    if (!isOther) {
      EXPECT_EQUAL(stats_of(on.context).events, events);
      EXPECT_EQUAL(servers[0].shows + servers[1].shows, shows);
      EXPECT_OK(mainstem_replay_info_read(replay, &info));
    }
    EXPECT_OK(mainstem_replay_close(replay));
    close_all();
    journal_sweep();
  }
}

/* Catches: a replay of every event in which servers show. */
static void a_muted_replay_calls_no_show(uint32_t threads) {
  const char *path = journal_path("muted");
  static counter servers[2];
  mainstem_replay_options options;
  mainstem_replay *replay;
  uint64_t fed;
  open_all(context_open(threads));
  install(servers);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  play();
  close_all();
  open_all(context_open(threads));
  install(servers);
  EXPECT_OK(mainstem_replay_options_init(&options, sizeof options));
  EXPECT_OK(mainstem_replay_open(on.context, path, &options, &replay));
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  EXPECT_EQUAL(servers[0].shows + servers[1].shows, 0);
  EXPECT_OK(mainstem_replay_close(replay));
  close_all();
  journal_sweep();
}

static const expect_case cases[] = {
    {"the first comes before the next event", the_first_comes_before_the_next_event, IN_BOTH},
    {"it comes once, when all have seen the event", it_comes_once_when_all_have_seen_the_event,
     IN_BOTH},
    {"servers show in the order in which they got it",
     servers_show_in_the_order_in_which_they_got_it, IN_BOTH},
    {"answers leave after what is shown", answers_leave_after_what_is_shown, IN_BOTH},
    {"a server that ends shows no more, but answers", a_server_that_ends_shows_no_more_but_answers,
     IN_BOTH},
    {"completions count where a callback asked", completions_count_where_a_callback_asked, IN_BOTH},
    {"the first of one added inside comes after that event",
     the_first_of_one_added_inside_comes_after_that_event, IN_BOTH},
    {"it may only say what is", it_may_only_say_what_is, IN_BOTH},
    {"without room it is owed after the next event", without_room_it_is_owed_after_the_next_event,
     IN_BOTH},
    {"a failure is counted and reported", a_failure_is_counted_and_reported, IN_BOTH},
    {"while closing it is refused, and that is no failure",
     while_closing_it_is_refused_and_that_is_no_failure, IN_BOTH},
    {"late events count", late_events_count, IN_BOTH},
    {"on a scheduler it is refused", on_a_scheduler_it_is_refused, IN_BOTH},
    {"it counts as an observer", it_counts_as_an_observer, IN_BOTH},
    {"on the host it waits for a drain", on_the_host_it_waits_for_a_drain, IN_BOTH},
    {"circles end at the limit", circles_end_at_the_limit, IN_BOTH},
    {"what is shown verifies", what_is_shown_verifies, IN_BOTH},
    {"a muted replay calls no show", a_muted_replay_calls_no_show, IN_BOTH},
};

int main(void) {
  atexit(journal_remove_folder);
  return EXPECT_RUN(cases);
}

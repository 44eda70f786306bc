// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Servers on a scheduler: what takes long holds up nothing else, and each request is answered. Acceptance A-20. */

#include "elsewhere.h"
#include "scheduled.h"
#include "session.h"

typedef struct store {
  stream on;
  transcript seen;
  mainstem_context *server;
  sem_t held, go, done;
  int holds, handled;
} store;

static void store_answer(void *user_data, const mainstem_event *event) {
  store *self = (store *)user_data;
  if (self->holds) {
    signal_give(&self->held);
    signal_take(&self->go);
  }
  self->handled++;
  EXPECT(!(event->flags & MAINSTEM_EVENT_GAP));
  if (event->type == self->on.ask && event->flags & MAINSTEM_EVENT_TRACKED)
    EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

static void store_released(void *user_data) {
  store *self = (store *)user_data;
  transcript_add(&self->seen, "~");
  signal_give(&self->done);
}

static void see(void *user_data, const mainstem_event *event) {
  store *self = (store *)user_data;
  transcript_add(&self->seen, "%llu%s", (unsigned long long)event->position,
                 event->status == 0 ? "" : mainstem_status_name(event->status));
  signal_give(&self->done);
}

static mainstem_server_options on_scheduler(mainstem_scheduler scheduler, size_t limit) {
  mainstem_server_options options = {
      .size = sizeof options, .scheduler = scheduler, .limit_events = limit};
  return options;
}

static void store_serve(store *self, mainstem_scheduler scheduler, size_t limit) {
  static const mainstem_handler_row rows[] = {
      {"RequestAsk", store_answer, MAINSTEM_HANDLER_SEVERAL}, {"Other", store_answer, 0}};
  mainstem_server_options options = on_scheduler(scheduler, limit);
  EXPECT_OK(mainstem_server_add_with(self->on.context, "Store", MAINSTEM_ROWS(rows), &options, self,
                                     store_released, &self->server));
}

static store *store_open(uint32_t threads) {
  static store self;
  memset(&self, 0, sizeof self);
  signal_open(&self.held);
  signal_open(&self.go);
  signal_open(&self.done);
  self.on = stream_open(threads);
  return &self;
}

static mainstem_status ask(store *self, mainstem_event_fn fn) {
  return mainstem_request(self->on.context, self->on.ask, "?", 1, fn, self, NULL);
}

/* Catches: a request that is UNHANDLED as no handler was called at once. */
CASE(on_the_host_it_answers_in_a_drain, IN_BOTH) {
  store *self = store_open(threads);
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 0);
  EXPECT_OK(ask(self, see));
  EXPECT_OK(ask(self, see));
  EXPECT_EQUAL(self->handled, 0);
  EXPECT_EQUAL(stats_of(self->on.context).requests, 2);
  EXPECT_EQUAL(drained(self->on.context, 0), 2);
  EXPECT_TEXT(self->seen.text, "3 4");
  EXPECT_OK(mainstem_context_close(self->on.context));
  EXPECT_TEXT(self->seen.text, "3 4 ~");
}

/* The order is the point: what has nothing to do with the store arrives while the store is held. A-20. */
CASE(a_store_that_is_held_holds_up_nothing, IN_BOTH) {
  store *self = store_open(threads);
  mainstem_scheduler serial;
  EXPECT_OK(mainstem_scheduler_add(self->on.context, "store", 0, &serial));
  store_serve(self, serial, 0);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, see, self, NULL, NULL));
  self->holds = 1;
  EXPECT_OK(ask(self, see));
  signal_take(&self->held);
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_TEXT(self->seen.text, "2");
  EXPECT_EQUAL(self->handled, 0);
  signal_take(&self->done);
  signal_give(&self->go);
  if (threads == MAINSTEM_THREADS_ONE) EXPECT_OK(mainstem_wait(self->on.context, -1));
  signal_take(&self->done);
  EXPECT_TEXT(self->seen.text, "2 3");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Law 8 and 9: what has no room is refused, and was never accepted. */
CASE(a_full_queue_refuses_the_request, IN_BOTH) {
  store *self = store_open(threads);
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 2);
  EXPECT_OK(ask(self, see));
  EXPECT_OK(ask(self, see));
  EXPECT_STATUS(ask(self, see), MAINSTEM_FULL);
  EXPECT_EQUAL(stats_of(self->on.context).events, 2);
  EXPECT_EQUAL(stats_of(self->on.context).requests, 2);
  EXPECT_OK(
      mainstem_send(self->on.context, self->on.other, "", 0)); /* It has a queue of its own. */
  EXPECT_EQUAL(drained(self->on.context, 0), 3);
  EXPECT_TEXT(self->seen.text, "4 5");
  EXPECT_OK(ask(self, see));
  EXPECT_OK(mainstem_context_close(self->on.context));
  EXPECT_TEXT(self->seen.text, "4 5 7CANCELLED ~");
}

/* Catches: a request that nobody answers, as its server ended while it waited. */
CASE(a_server_that_ends_leaves_no_request_open, IN_BOTH) {
  store *self = store_open(threads);
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 0);
  EXPECT_OK(ask(self, see));
  EXPECT_OK(mainstem_scope_end(self->server));
  EXPECT_TEXT(self->seen.text, "~ 2CANCELLED");
  EXPECT_EQUAL(drained(self->on.context, 0), 0);
  EXPECT_EQUAL(self->handled, 0);
  EXPECT_OK(ask(self, see));
  EXPECT_TEXT(self->seen.text, "~ 2CANCELLED 4UNHANDLED");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

CASE(another_server_still_answers, IN_BOTH) {
  store *self = store_open(threads);
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 0);
  mainstem_context *first = self->server;
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 0);
  EXPECT_OK(ask(self, see));
  EXPECT_OK(mainstem_scope_end(first));
  EXPECT_EQUAL(stats_of(self->on.context).requests, 1);
  drained(self->on.context, 0);
  EXPECT_TEXT(self->seen.text, "~ 2");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void see_failure(void *user_data, const mainstem_event *event) {
  store *self = (store *)user_data;
  transcript_add(&self->seen, "%.*s", (int)event->size, (const char *)event->data);
}

/* Catches: a gap handed to a handler, which takes it for an event; a loss that nobody hears of. */
CASE(what_cannot_be_refused_and_is_lost_is_a_failure, IN_BOTH) {
  store *self = store_open(threads);
  store_serve(self, MAINSTEM_SCHEDULER_HOST, 1);
  mainstem_event_type failure = type_named(self->on.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(self->on.context, failure, see_failure, self, NULL, NULL));
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_send_after(self->on.context, self->on.other, "", 0, 0, 0, NULL));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_EQUAL(self->handled, 1);
  EXPECT_TEXT(self->seen.text,
              "{\"type\":\"Other\",\"origin\":\"Store\",\"code\":8,\"sentence\":\"the queue of the "
              "handler was full: an event was lost\",\"count\":1}");
  EXPECT_OK(mainstem_context_close(self->on.context));
}

CASE(a_policy_that_drops_is_refused, IN_BOTH) {
  store *self = store_open(threads);
  mainstem_handler_row row = {"RequestAsk", store_answer, 0};
  mainstem_server_options options = on_scheduler(MAINSTEM_SCHEDULER_HOST, 0);
  for (uint32_t policy = MAINSTEM_QUEUE_DROP_OLDEST; policy <= MAINSTEM_QUEUE_LATEST; policy++) {
    options.policy = policy;
    EXPECT_STATUS(mainstem_server_add_with(self->on.context, "Store", &row, sizeof row, 1, &options,
                                           self, store_released, NULL),
                  MAINSTEM_INVALID);
    EXPECT_TEXT(
        mainstem_last_error(),
        "mainstem_server_add_with: options.policy: loses requests: a server rejects or blocks "
        "(MAINSTEM_QUEUE_REJECT or _BLOCK)");
  }
  options.policy = MAINSTEM_QUEUE_REJECT;
  options.scheduler = 7;
  EXPECT_STATUS(mainstem_server_add_with(self->on.context, "Store", &row, sizeof row, 1, &options,
                                         self, store_released, NULL),
                MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(self->on.context).scopes, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
  EXPECT_TEXT(self->seen.text, "");
}

static void answer_at_once(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "A", 1));
}

typedef struct relay {
  stream on;
  mainstem_scheduler scheduler;
  uint32_t threads;
  sem_t answered;
} relay;

static void relay_answered(void *user_data, const mainstem_event *event) {
  relay *self = (relay *)user_data;
  EXPECT_OK(event->status);
  signal_give(&self->answered);
}

/* It has a thread of its own, and asks. */
static void relay_ask(void *user_data, const mainstem_event *event) {
  relay *self = (relay *)user_data;
  mainstem_status status = mainstem_request_with(event->context, self->on.ask, "?", 1,
                                                 OPTIONS(request, .scheduler = self->scheduler),
                                                 relay_answered, self, NULL, NULL);
  EXPECT_STATUS(status,
                self->threads == MAINSTEM_THREADS_ANY ? MAINSTEM_OK : MAINSTEM_WRONG_THREAD);
  if (status != MAINSTEM_OK) signal_give(&self->answered);
}

/* Decision 0037: on a thread of its own a server asks where every thread may; elsewhere it is told so. */
CASE(on_its_own_thread_it_asks_where_any_thread_may, IN_BOTH) {
  relay self = {stream_open(threads), 0, threads, {{0}}};
  mainstem_handler_row other = {"Other", relay_ask, 0}, row = {"RequestAsk", answer_at_once, 0};
  signal_open(&self.answered);
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "relay", 0, &self.scheduler));
  mainstem_server_options options = on_scheduler(self.scheduler, 0);
  EXPECT_OK(mainstem_server_add_with(self.on.context, "Relay", &other, sizeof other, 1, &options,
                                     &self, NULL, NULL));
  EXPECT_OK(
      mainstem_server_add(self.on.context, "Answerer", &row, sizeof row, 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
  signal_take(&self.answered);
  EXPECT_EQUAL(stats_of(self.on.context).events, threads == MAINSTEM_THREADS_ANY ? 3 : 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* A session with a store: an immediate server asks it, so does the host, and something asks nobody. */
typedef struct shop {
  mainstem_context *context, *server;
  mainstem_event_type buy, bought, fetch, fetched, nobody, note;
  int fetches;
} shop;

static void on_fetched(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  mainstem_status status =
      mainstem_send(self->server, self->note, event->status == 0 ? "fetched" : "failed", 6);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
}

static void on_buy(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  EXPECT_OK(mainstem_request(self->server, self->fetch, event->data, event->size, on_fetched, self,
                             NULL));
  EXPECT_OK(mainstem_respond(event, "bought", 6));
}

/* It must never run in a replay. */
static void on_fetch(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  int replaying;
  EXPECT_OK(mainstem_context_is_replaying(self->context, &replaying));
  EXPECT(!replaying);
  self->fetches++;
  if (!(event->flags & MAINSTEM_EVENT_TRACKED) || *(const char *)event->data == 'n') {
    if (event->flags & MAINSTEM_EVENT_TRACKED) keep_for_ever(NULL, event);
    return;
  }
  EXPECT_OK(mainstem_send(event->context, self->note, "looked up", 9));
  EXPECT_OK(mainstem_respond(event, "here", 4));
}

static void shop_install(shop *self, mainstem_context *context, int has_store) {
  mainstem_handler_row store_row = {"RequestFetch", on_fetch, 0}, row = {"RequestBuy", on_buy, 0};
  mainstem_server_options options = on_scheduler(MAINSTEM_SCHEDULER_HOST, 0);
  self->context = context;
  self->note = type_open(context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->buy = type_open(context, "RequestBuy", MAINSTEM_PAYLOAD_TEXT, "ResponseBought");
  self->bought = type_open(context, "ResponseBought", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->fetch = type_open(context, "RequestFetch", MAINSTEM_PAYLOAD_TEXT, "ResponseFetched");
  self->fetched = type_open(context, "ResponseFetched", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->nobody = type_open(context, "RequestNobody", MAINSTEM_PAYLOAD_TEXT, "ResponseFetched");
  if (has_store)
    EXPECT_OK(mainstem_server_add_with(context, "Store", &store_row, sizeof store_row, 1, &options,
                                       self, NULL, NULL));
  EXPECT_OK(mainstem_server_add(context, "Shop", &row, sizeof row, 1, self, NULL, &self->server));
  EXPECT_OK(mainstem_activity_report(context, self->fetch));
}

static const char *shop_record(uint32_t threads) {
  const char *path = journal_path("shop");
  mainstem_pending *pending;
  shop self = {0};
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  shop_install(&self, context, 1);
  EXPECT_OK(mainstem_request(context, self.fetch, "f", 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(context, self.buy, "b", 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(context, self.nobody, "x", 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_send(context, self.fetch, "s", 1));
  EXPECT_OK(mainstem_request(context, self.buy, "n", 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(context, self.fetch, "n", 1, NULL, NULL, &pending));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_EQUAL(self.fetches, 5);
  EXPECT_OK(mainstem_context_close(context)); /* One is still open. */
  return path;
}

static void shop_verify(uint32_t threads, const char *path, int has_store) {
  shop self = {0};
  mainstem_context *context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  shop_install(&self, context, has_store);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  mainstem_replay_info info = replay_info(replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_EQUAL(info.verified_until, journal_look(path).last);
  EXPECT_EQUAL(self.fetches, 0);
  EXPECT_OK(mainstem_context_close(context));
}

/* Law 11: its answers are fed; it is not called, and need not be there. */
CASE(a_session_verifies_with_it_and_without_it, IN_BOTH) {
  const char *path = shop_record(threads);
  shop_verify(threads, path, 1);
  shop_verify(threads, path, 0);
}

/* After the replay it is called again. */
CASE(it_goes_on_after_a_replay, IN_BOTH) {
  const char *path = shop_record(threads);
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    shop self = {0};
    mainstem_context *context = context_open(threads);
    mainstem_replay *replay = replay_open(context, path, mode);
    shop_install(&self, context, 1);
    EXPECT_OK(mainstem_replay_step(replay, 2, NULL));
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_request(context, self.fetch, "f", 1, NULL, NULL, NULL));
    EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT_EQUAL(self.fetches, 1);
    EXPECT_OK(mainstem_context_close(context));
  }
}

/* Catches: a server called at once that is missing, and verify does not see it. */
CASE(a_missing_server_that_is_not_on_one_is_seen, IN_BOTH) {
  const char *path = shop_record(threads);
  mainstem_context *context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_STATUS(mainstem_replay_step(replay, 0, NULL), MAINSTEM_DIFFERENT);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return journal_expect_all(); }

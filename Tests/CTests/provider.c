// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A provider: a server on a scheduler that wraps an asynchronous API, which completes on a thread of its own.
 * Acceptance A-71. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

/* What the API calls when it is done: with the request that the provider kept for it. */
typedef struct provider {
  stream on;
  mainstem_retained *request;
  sem_t begun, given_up;
  mainstem_status told; /* what the API's completion was told */
} provider;

static const mainstem_event *request_of(const provider *self) {
  const mainstem_event *request = NULL;
  request = kept_event(self->request);
  return request;
}

static void give_up(void *user_data) {
  provider *self = (provider *)user_data;
  signal_give(&self->given_up);
}

static void begin(void *user_data, const mainstem_event *request) {
  provider *self = (provider *)user_data;
  EXPECT_OK(mainstem_event_retain(request, &self->request));
  EXPECT_OK(mainstem_event_on_settled(request, give_up, self, NULL));
  signal_give(&self->begun);
}

static void *complete(void *user_data) {
  provider *self = (provider *)user_data;
  self->told = mainstem_respond(request_of(self), "done", 4);
  return NULL;
}

static mainstem_status completed_elsewhere(provider *self) {
  elsewhere(complete, self);
  return self->told;
}

static provider *provider_open(uint32_t threads, uint32_t clock, mainstem_scheduler *serial) {
  static provider self;
  mainstem_handler_row row = {"RequestAsk", begin, 0};
  memset(&self, 0, sizeof self);
  signal_open(&self.begun);
  signal_open(&self.given_up);
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .clock = clock);
  self.on = stream_of(context);
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "provider", 0, serial));
  EXPECT_OK(mainstem_server_add_with(self.on.context, "Provider", &row, sizeof row, 1,
                                     OPTIONS(server, .scheduler = *serial), &self, NULL, NULL));
  return &self;
}

/* Who asks, and where the answer came to it. */
typedef struct asker {
  asking asks;
  pthread_t thread;
  sem_t answered;
} asker;

static void answered(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  asking_answered(&self->asks, event);
  self->thread = pthread_self();
  signal_give(&self->answered);
}

static void ask(asker *self, const stream *on, mainstem_scheduler scheduler, int64_t timeout_ms) {
  memset(self, 0, sizeof *self);
  signal_open(&self->answered);
  EXPECT_OK(
      mainstem_request_with(on->context, on->ask, "?", 1,
                            OPTIONS(request, .scheduler = scheduler, .timeout_ms = timeout_ms),
                            answered, self, NULL, &self->asks.pending));
}

static void provider_close(provider *self) {
  mainstem_retained_release(self->request);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* completed on a foreign thread, it is delivered where the asker wants it. */
CASE(completed_elsewhere_it_is_delivered_where_it_is_wanted, IN_BOTH) {
  mainstem_scheduler serial;
  provider *self = provider_open(threads, MAINSTEM_CLOCK_MONOTONIC, &serial);
  asker here, there;
  ask(&here, &self->on, MAINSTEM_SCHEDULER_HOST, 0);
  signal_take(&self->begun);
  EXPECT_OK(completed_elsewhere(self));
  EXPECT_EQUAL(here.asks.calls, 0);
  EXPECT_OK(mainstem_wait(self->on.context, -1));
  EXPECT_TEXT(here.asks.text, "done");
  EXPECT(pthread_equal(here.thread, pthread_self()));
  mainstem_retained_release(self->request);

  ask(&there, &self->on, serial, 0);
  signal_take(&self->begun);
  EXPECT_OK(completed_elsewhere(self));
  if (threads == MAINSTEM_THREADS_ONE) EXPECT_OK(mainstem_wait(self->on.context, -1));
  signal_take(&there.answered);
  EXPECT_TEXT(there.asks.text, "done");
  EXPECT(!pthread_equal(there.thread, pthread_self()));
  EXPECT(!signal_is_given(&self->given_up));
  provider_close(self);
}

/* the second completion is refused, whether the first was delivered or not. */
CASE(completed_twice_the_second_is_refused, IN_BOTH) {
  mainstem_scheduler serial;
  provider *self = provider_open(threads, MAINSTEM_CLOCK_MONOTONIC, &serial);
  asker once;
  ask(&once, &self->on, MAINSTEM_SCHEDULER_HOST, 0);
  signal_take(&self->begun);
  EXPECT_OK(completed_elsewhere(self));
  EXPECT_STATUS(completed_elsewhere(self), MAINSTEM_STALE);
  EXPECT_OK(mainstem_wait(self->on.context, -1));
  EXPECT_STATUS(completed_elsewhere(self), MAINSTEM_STALE);
  EXPECT_EQUAL(drained(self->on.context, 0), 0);
  EXPECT_EQUAL(once.asks.calls, 1);
  EXPECT_EQUAL(stats_of(self->on.context).events, 2);
  provider_close(self);
}

/* after a cancel the provider hears that nobody waits; what it completes all the same is ignored. */
CASE(completed_after_a_cancel_it_is_ignored, IN_BOTH) {
  mainstem_scheduler serial;
  provider *self = provider_open(threads, MAINSTEM_CLOCK_MONOTONIC, &serial);
  asker gone;
  ask(&gone, &self->on, MAINSTEM_SCHEDULER_IMMEDIATE, 0);
  signal_take(&self->begun);
  EXPECT_OK(mainstem_pending_cancel(gone.asks.pending));
  signal_take(&self->given_up);
  EXPECT_STATUS(completed_elsewhere(self), MAINSTEM_STALE);
  EXPECT_EQUAL(drained(self->on.context, 0), 0);
  EXPECT_EQUAL(gone.asks.calls, 1);
  EXPECT_STATUS(gone.asks.last.status, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(stats_of(self->on.context).events, 2);
  provider_close(self);
}

/* what is never completed times out, by the context's clock. */
CASE(never_completed_it_times_out, IN_BOTH) {
  mainstem_scheduler serial;
  provider *self = provider_open(threads, MAINSTEM_CLOCK_VIRTUAL, &serial);
  asker left;
  ask(&left, &self->on, MAINSTEM_SCHEDULER_IMMEDIATE, 100);
  EXPECT_OK(mainstem_context_advance(self->on.context, 99));
  signal_take(&self->begun);
  EXPECT_EQUAL(left.asks.calls, 0);
  EXPECT_OK(mainstem_context_advance(self->on.context, 1));
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_EQUAL(left.asks.calls, 1);
  EXPECT_STATUS(left.asks.last.status, MAINSTEM_TIMEOUT);
  EXPECT(signal_is_given(&self->given_up));
  EXPECT_STATUS(completed_elsewhere(self), MAINSTEM_STALE);
  EXPECT_EQUAL(stats_of(self->on.context).events, 2);
  provider_close(self);
}

int main(void) { return expect_all(); }

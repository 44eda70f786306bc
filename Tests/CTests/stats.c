// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a context counts; acceptance A-18: every counter up and down again. */

#include "asking.h"
#include "transcript.h"

static void expect_stats(mainstem_context *context, const char *wanted, int line) {
  mainstem_context_stats s = stats_of(context);
  char is[400];
  snprintf(is, sizeof is,
           "scopes %u events %d deliveries %d failures %d waiting %d types %d "
           "subscriptions %d requests %d retained %d%s",
           s.scopes, (int)s.events, (int)s.deliveries, (int)s.failures, (int)s.waiting,
           (int)(s.types - own_types()), (int)s.subscriptions, (int)s.requests, (int)s.retained,

           s.history + s.history_lost == 0 ? "" : " and a history");
  expect_text(is, wanted, __FILE__, line, "stats_of(context) == wanted");
}

#define EXPECT_STATS(context, wanted) expect_stats((context), (wanted), __LINE__)

/* Catches: a counter forgotten at either end, and one that counts the wrong thing. */
CASE(every_counter_goes_up_and_down, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_context *c = on.context, *server, *scope;
  EXPECT_STATS(c, "scopes 0 events 0 deliveries 0 failures 0 waiting 0 types 4 "
                  "subscriptions 0 requests 0 retained 0");
  scope = scope_open(c, "Scope");
  witness_observe(&a, scope, on.notice);
  server = keeper_serve(&kept, &on);
  EXPECT_OK(mainstem_send(c, on.notice, "", 0));
  EXPECT_OK(mainstem_send(c, on.other, "", 0));
  EXPECT_OK(mainstem_post(c, on.notice, "", 0));
  EXPECT_STATS(c, "scopes 2 events 2 deliveries 1 failures 0 waiting 1 types 4 "
                  "subscriptions 2 requests 0 retained 0");
  asking_ask(&one, &on);
  EXPECT_STATS(c, "scopes 2 events 3 deliveries 2 failures 0 waiting 1 types 4 "
                  "subscriptions 2 requests 1 retained 1");
  EXPECT_OK(mainstem_respond(keeper_event(&kept, 0), "", 0));
  EXPECT_OK(mainstem_retained_release(kept.kept[0]));
  EXPECT_STATS(c, "scopes 2 events 4 deliveries 3 failures 0 waiting 1 types 4 "
                  "subscriptions 2 requests 0 retained 0");
  EXPECT_OK(mainstem_drain(c, 0, NULL));
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_OK(mainstem_scope_end(server));
  EXPECT_STATS(c, "scopes 0 events 5 deliveries 4 failures 0 waiting 0 types 4 "
                  "subscriptions 0 requests 0 retained 0");
  EXPECT_OK(mainstem_context_close(c));
}

static void cancel_and_count(void *user_data, const mainstem_event *event) {
  mainstem_subscription *self = *(mainstem_subscription **)user_data;
  EXPECT_OK(mainstem_cancel(self));
  EXPECT_EQUAL(stats_of(event->context).subscriptions, 1); /* Its hook has not run. */
}

CASE(a_subscription_counts_until_its_hook, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_observe(on.context, on.notice, cancel_and_count, &subscription, NULL,
                             &subscription));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_scope_reads_the_same_counters, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "Scope");
  EXPECT_OK(mainstem_send(scope, on.notice, "", 0));
  mainstem_context_stats a = stats_of(on.context), b = stats_of(scope);
  EXPECT(memcmp(&a, &b, sizeof a) == 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

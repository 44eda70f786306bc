// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 5, observers on a scheduler: what waits for one that is cancelled is dropped. */

#include "scheduled.h"

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

static void what_waits_for_a_cancelled_observer_is_dropped(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  witness kept = {&seen, "k", NULL, NULL}, gone = {&seen, "g", NULL, NULL};
  mainstem_subscription *subscription;
  subscription = witness_on(&gone, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_on(&kept, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  send_notice(&on, 2);
  EXPECT_OK(mainstem_cancel(subscription));
  EXPECT_TEXT(seen.text, "~g");
  EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "~g k1 k2");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 1);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "~g k1 k2 ~k");
}

static void cancel_it(void *user_data, const mainstem_event *event) {
  (void)event;
  EXPECT_OK(mainstem_cancel(*(mainstem_subscription **)user_data));
}

static void an_observer_on_the_host_may_cancel_itself_or_the_next(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  mainstem_subscription *self, *next;
  witness first = {&seen, "a", cancel_it, &next}, second = {&seen, "b", NULL, NULL},
          third = {&seen, "c", cancel_it, &self};
  witness_on(&first, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  next = witness_on(&second, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  self = witness_on(&third, on.context, on.other, MAINSTEM_SCHEDULER_HOST);
  send_notice(&on, 1);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "a1( ) ~b c2( ) ~c");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a hook inside a callback that delivers, or after that thread's next call. */
static void a_hook_waits_for_the_immediate_callback_that_cancels(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0};
  mainstem_subscription *host;
  witness first = {&seen, "a", cancel_it, &host}, second = {&seen, "h", NULL, NULL},
          third = {&seen, "b", NULL, NULL};
  witness_observe(&first, on.context, on.notice);
  host = witness_on(&second, on.context, on.notice, MAINSTEM_SCHEDULER_HOST);
  witness_observe(&third, on.context, on.notice);
  send_notice(&on, 1);
  EXPECT_TEXT(seen.text, "a1( ) ~h b1");
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "a1( ) ~h b1");
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"what waits for a cancelled observer is dropped",
     what_waits_for_a_cancelled_observer_is_dropped, IN_BOTH},
    {"an observer on the host may cancel itself, or the next",
     an_observer_on_the_host_may_cancel_itself_or_the_next, IN_BOTH},
    {"a hook waits for the immediate callback that cancels",
     a_hook_waits_for_the_immediate_callback_that_cancels, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Kept events: how long they live, who may answer through them, what they count. */

#include "asking.h"

static void keep(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

CASE(a_kept_event_outlives_its_subscription_and_scope, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_retained *kept = NULL;
  const mainstem_event *event, *again;
  mainstem_context *scope = scope_open(on.context, "Scope");
  EXPECT_OK(mainstem_observe(scope, on.notice, keep, &kept, NULL, NULL));
  EXPECT_OK(mainstem_send(scope, on.notice, "hello", 5));
  EXPECT_OK(mainstem_scope_end(scope));
  event = kept_event(kept);
  EXPECT_EQUAL(event->size, 5);
  EXPECT(memcmp(event->data, "hello", 5) == 0);
  again = kept_event(kept);
  EXPECT(event == again);
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a copy that answers only once it is the first, or only while it is held. */
CASE(any_copy_may_answer, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_retained *copy;
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  EXPECT_OK(mainstem_event_retain(keeper_event(&kept, 0), &copy));
  EXPECT_OK(mainstem_retained_release(kept.kept[0]));
  EXPECT_EQUAL(one.calls, 0); /* Letting go of a request is no answer. */
  const mainstem_event *event = kept_event(copy);
  EXPECT_OK(mainstem_respond(event, "yes", 3));
  EXPECT_TEXT(one.text, "yes");
  EXPECT_OK(mainstem_retained_release(copy));
  EXPECT_EQUAL(stats_of(on.context).retained, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: kept events stored where the next one moves them. */
CASE(ten_thousand_keep_their_bytes, IN_BOTH) {
  enum { MANY = 10000 };
  static mainstem_retained *kept[MANY];
  stream on = stream_open(threads);
  const mainstem_event *event;
  mainstem_retained *last = NULL;
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep, &last, NULL, NULL));
  for (int i = 0; i < MANY; i++) {
    EXPECT_OK(mainstem_send(on.context, on.notice, &i, sizeof i));
    kept[i] = last;
  }
  EXPECT_EQUAL(stats_of(on.context).retained, MANY);
  for (int i = 0; i < MANY; i += 2) EXPECT_OK(mainstem_retained_release(kept[i]));
  EXPECT_EQUAL(stats_of(on.context).retained, MANY / 2);
  for (int i = 1; i < MANY; i += 2) {
    event = kept_event(kept[i]);
    EXPECT_EQUAL(event->position, i + 1);
    EXPECT(memcmp(event->data, &i, sizeof i) == 0);
    EXPECT_STATUS(mainstem_retained_event(kept[i - 1], &event), MAINSTEM_STALE);
  }
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_STATUS(mainstem_retained_release(kept[1]), MAINSTEM_STALE);
}

int main(void) { return expect_all(); }

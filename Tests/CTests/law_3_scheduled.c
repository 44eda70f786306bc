// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 3, observers on a scheduler: none is called inside itself, by whatever thread. */

#include "elsewhere.h"
#include "scheduled.h"

static void send_notice(stream *on, int times) {
  while (times-- > 0) EXPECT_OK(mainstem_send(on->context, on->notice, "x", 1));
}

/* What another thread gets that drains while a callback runs. */
typedef struct beside_it {
  stream on;
  transcript seen;
  size_t delivered;
} beside_it;

static void *drain_all(void *data) {
  beside_it *self = (beside_it *)data;
  self->delivered += drained(self->on.context, 0);
  return NULL;
}

static void drain_elsewhere(void *user_data, const mainstem_event *event) {
  beside_it *self = (beside_it *)user_data;
  if (event->position > 1) return;
  send_notice(&self->on, 1);
  elsewhere(drain_all, self);
}

CASE(one_thread_at_a_time_delivers, IN_ANY) {
  beside_it self = {stream_open(threads), {0}, 0};
  witness h = {&self.seen, "h", drain_elsewhere, &self};
  witness_on(&h, self.on.context, self.on.notice, MAINSTEM_SCHEDULER_HOST);
  send_notice(&self.on, 1);
  EXPECT_EQUAL(drained(self.on.context, 0), 1);
  EXPECT_TEXT(self.seen.text, "h1( )");
  EXPECT_EQUAL(self.delivered, 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 1);
  EXPECT_TEXT(self.seen.text, "h1( ) h2( )");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 3, never nested; acceptance A-10: no recursion, and what waits is BUSY in a callback. */

#include "elsewhere.h"
#include "stream.h"

static void wait_in_line(void *user_data, const char *line) {
  mainstem_context *context = (mainstem_context *)user_data;
  EXPECT_STATUS(mainstem_drain(context, 1, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_wait(context, -1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_flush(context), MAINSTEM_BUSY);
  EXPECT(strstr(mainstem_last_error(), "mainstem_flush") != NULL);
  EXPECT_STATUS(mainstem_context_close(context), MAINSTEM_BUSY);
}

/* Catches: a BUSY test that knows observers only. */
CASE(what_waits_is_busy_while_an_event_is_traced, IN_BOTH) {
  stream on = stream_open(threads);
  EXPECT_OK(mainstem_trace(on.context, wait_in_line, on.context));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct depths {
  const stream *on;
  int inside, most;
  uint64_t calls, last;
  uintptr_t lowest, highest;
} depths;

static void go_deeper(void *user_data, const mainstem_event *event) {
  depths *self = (depths *)user_data;
  uintptr_t address = (uintptr_t)__builtin_frame_address(0); /* ASan moves locals elsewhere. */
  if (++self->inside > self->most) self->most = self->inside;
  if (self->lowest == 0 || address < self->lowest) self->lowest = address;
  if (address > self->highest) self->highest = address;
  self->calls++;
  if (event->position < self->last) {
    EXPECT_OK(mainstem_send(event->context, self->on->notice, "", 0));
  }
  self->inside--;
}

/* Catches: delivery that recurses, however it is hidden: the stack must not move. */
CASE(a_chain_keeps_the_stack_where_it_is, IN_BOTH) {
  stream on = stream_open(threads);
  depths self = {&on, 0, 0, 0, 65000, 0, 0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, go_deeper, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(self.calls, 65000);
  EXPECT_EQUAL(self.most, 1);
  EXPECT(self.highest - self.lowest < 4096);
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { EACH = 5000, SENDERS = 3 };

static void *send_many(void *data) {
  const depths *self = (const depths *)data;
  for (int i = 0; i < EACH; i++) {
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "", 0));
  }
  return NULL;
}

/* Catches: a second thread that enters a callback while the first is in it (also a TSan report). */
CASE(no_callback_is_entered_by_two_threads, IN_ANY) {
  stream on = stream_open(threads);
  depths self = {&on, 0, 0, 0, 0, 0, 0};
  pthread_t thread[SENDERS];
  EXPECT_OK(mainstem_observe(on.context, on.notice, go_deeper, &self, NULL, NULL));
  for (int i = 0; i < SENDERS; i++) thread[i] = beside(send_many, &self);
  for (int i = 0; i < SENDERS; i++) join(thread[i]);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(self.most, 1);
  EXPECT_EQUAL(self.calls, EACH * SENDERS);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

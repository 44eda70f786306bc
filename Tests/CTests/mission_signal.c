// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-53: across languages a cold signal is a tracked request. A step of progress is next, the answer is
 * completed or error, mainstem_pending_cancel disposes.
 */

#include "asking.h"
#include "transcript.h"

typedef struct subscriber {
  stream on;
  mainstem_event_type step;
  keeper source;
  transcript heard;
  mainstem_pending *pending;
} subscriber;

static void hear_next(void *user_data, const mainstem_event *event) {
  transcript_add(&((subscriber *)user_data)->heard, "next(%.*s)", (int)event->size,
                 (const char *)event->data);
}

static void hear_end(void *user_data, const mainstem_event *event) {
  transcript_add(&((subscriber *)user_data)->heard, "%s",
                 event->status == MAINSTEM_OK ? "completed" : "error");
}

static void hear_release(void *user_data) {
  transcript_add(&((subscriber *)user_data)->heard, "~");
}

static void hear_settled(void *user_data) {
  transcript_add(&((subscriber *)user_data)->heard, "disposed");
}

static void keep_until_settled(void *user_data, const mainstem_event *event) {
  subscriber *self = (subscriber *)user_data;
  keeper_keep(&self->source, event);
  EXPECT_OK(mainstem_event_on_settled(event, hear_settled, self, NULL));
}

static void subscriber_open(subscriber *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->step = type_open(self->on.context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
  serve_one(self->on.context, "Source", "RequestAsk", keep_until_settled, self);
}

static void subscribe(subscriber *self) {
  EXPECT_OK(mainstem_request_with(self->on.context, self->on.ask, "?", 1,
                                  OPTIONS(request, .progress = hear_next), hear_end, self,
                                  hear_release, &self->pending));
}

static mainstem_status next(subscriber *self, size_t index, const char *text) {
  const mainstem_event *event = keeper_event(&self->source, index);
  return mainstem_respond_progress(event, self->step, text, strlen(text));
}

static mainstem_status completed(subscriber *self, size_t index) {
  return mainstem_respond(keeper_event(&self->source, index), "", 0);
}

static mainstem_status error(subscriber *self, size_t index) {
  return mainstem_respond_error(keeper_event(&self->source, index), MAINSTEM_APP, "broken");
}

static void expect_heard(subscriber *self, const char *heard) {
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_TEXT(self->heard.text, heard);
  transcript_clear(&self->heard);
}

/* Catches: what is sent after the end is delivered. */
CASE(a_53_after_next_and_completed_nothing_is_heard, IN_BOTH) {
  subscriber self;
  subscriber_open(&self, threads);
  EXPECT_EQUAL(self.source.count, 0); /* Cold: it does nothing until somebody asks. */
  subscribe(&self);
  EXPECT_OK(next(&self, 0, "1"));
  EXPECT_OK(completed(&self, 0));
  EXPECT_STATUS(next(&self, 0, "2"), MAINSTEM_STALE);
  EXPECT_STATUS(error(&self, 0), MAINSTEM_STALE);
  expect_heard(&self, "next(1) completed ~");
  EXPECT_STATUS(mainstem_pending_cancel(self.pending), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_TEXT(self.heard.text, "");
}

/* Catches: an error that is no end. */
CASE(a_53_after_an_error_nothing_is_heard, IN_BOTH) {
  subscriber self;
  subscriber_open(&self, threads);
  subscribe(&self);
  EXPECT_OK(next(&self, 0, "1"));
  EXPECT_OK(error(&self, 0));
  EXPECT_STATUS(completed(&self, 0), MAINSTEM_STALE);
  EXPECT_STATUS(next(&self, 0, "2"), MAINSTEM_STALE);
  expect_heard(&self, "next(1) error ~");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a source that goes on when nobody listens, and a second subscription that hears of the first. */
CASE(a_53_a_subscription_that_is_cancelled_hears_only_that, IN_BOTH) {
  subscriber self;
  subscriber_open(&self, threads);
  subscribe(&self);
  EXPECT_OK(next(&self, 0, "1"));
  EXPECT_OK(mainstem_pending_cancel(self.pending));
  EXPECT_STATUS(next(&self, 0, "2"), MAINSTEM_STALE);
  expect_heard(&self, "next(1) error ~ disposed");
  subscribe(&self);
  EXPECT_EQUAL(self.source.count, 2); /* Each start runs the source anew. */
  EXPECT_OK(next(&self, 1, "3"));
  EXPECT_OK(completed(&self, 1));
  expect_heard(&self, "next(3) completed ~");
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

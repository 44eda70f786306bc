// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Mailboxes: what waits for an observer without a function, fetched into one buffer. */

#include "elsewhere.h"
#include "scheduled.h"

#include <poll.h>

static mainstem_subscription *mailbox(mainstem_context *context, mainstem_event_type type,
                                      scheduled how) {
  how.scheduler = MAINSTEM_SCHEDULER_HOST;
  return observe_on(context, type, &how, NULL, NULL, NULL);
}

/* What was drained. */
typedef struct batch {
  union {
    mainstem_event_header headers[64];
    unsigned char bytes[4096];
  } in;
  size_t count, next;
} batch;

static mainstem_status drain_into(batch *into, mainstem_subscription *from, size_t size) {
  EXPECT(size <= sizeof into->in);
  memset(&into->in, 0xee, sizeof into->in);
  return mainstem_mailbox_take(from, &into->in, size, &into->count, &into->next);
}

static const char *payload(const batch *of, size_t index) {
  return (const char *)of->in.bytes + of->in.headers[index].offset;
}

static void expect_record(const batch *in, size_t index, uint64_t position, const char *text) {
  const mainstem_event_header *header = &in->in.headers[index];
  EXPECT_EQUAL(header->position, position);
  EXPECT_EQUAL(header->size, strlen(text));
  EXPECT(memcmp(payload(in, index), text, strlen(text)) == 0);
}

typedef struct headers {
  mainstem_event_header seen[8];
  size_t count;
} headers;

static void note_header(void *user_data, const mainstem_event *event) {
  headers *self = (headers *)user_data;
  memcpy(&self->seen[self->count++], event, sizeof self->seen[0]);
}

/* Catches: a header that is not the event's; payloads that overlap, or are not aligned; a wrong order. */
CASE(headers_lie_in_front_and_payloads_behind, IN_BOTH) {
  stream on = stream_open(threads);
  headers immediate = {.count = 0};
  batch got;
  mainstem_subscription *box = mailbox(on.context, MAINSTEM_TYPE_ANY, (scheduled){0});
  EXPECT_OK(mainstem_observe(on.context, 0, note_header, &immediate, NULL, NULL));
  EXPECT_OK(send_text(on.context, on.notice, "one"));
  EXPECT_OK(send_text(on.context, on.other, ""));
  EXPECT_OK(send_text(on.context, on.notice, "three of more than eight"));
  EXPECT_OK(drain_into(&got, box, sizeof got.in));
  EXPECT_EQUAL(got.count, 3);
  EXPECT_EQUAL(got.next, 0);
  expect_record(&got, 0, 1, "one");
  expect_record(&got, 1, 2, "");
  expect_record(&got, 2, 3, "three of more than eight");
  EXPECT_EQUAL(got.in.headers[0].offset, sizeof got.in - 8);
  EXPECT_EQUAL(got.in.headers[2].offset, sizeof got.in - 8 - 24);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQUAL(got.in.headers[i].offset % 8, 0);
    got.in.headers[i].offset = 0;
  }
  EXPECT(memcmp(got.in.headers, immediate.seen, sizeof got.in.headers[0] * 3) == 0);
  EXPECT_EQUAL(got.in.bytes[3 * sizeof got.in.headers[0]], 0xee);
  EXPECT_OK(drain_into(&got, box, sizeof got.in));
  EXPECT_EQUAL(got.count, 0);
  EXPECT_EQUAL(stats_of(on.context).deliveries, 6);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an event lost or cut where the buffer ends; a need that is told wrong by one byte. */
CASE(what_does_not_fit_stays, IN_BOTH) {
  stream on = stream_open(threads);
  batch got;
  mainstem_subscription *box = mailbox(on.context, on.notice, (scheduled){0});
  EXPECT_OK(send_text(on.context, on.notice, "0123456789"));
  EXPECT_OK(send_text(on.context, on.notice, "b"));
  EXPECT_OK(send_text(on.context, on.notice, "c"));
  EXPECT_STATUS(mainstem_mailbox_take(box, NULL, 0, &got.count, &got.next), MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(got.next, 64 + 16);
  EXPECT_STATUS(drain_into(&got, box, got.next - 1), MAINSTEM_TOO_BIG);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_mailbox_take: size: 80 bytes are needed for the next event");
  EXPECT_EQUAL(got.count, 0);
  EXPECT_EQUAL(got.in.bytes[0], 0xee);
  EXPECT_OK(drain_into(&got, box, 80));
  EXPECT_EQUAL(got.count, 1);
  EXPECT_EQUAL(got.next, 64 + 8);
  expect_record(&got, 0, 1, "0123456789");
  EXPECT_OK(drain_into(&got, box, 2 * 72 + 7));
  EXPECT_EQUAL(got.count, 2);
  expect_record(&got, 0, 2, "b");
  expect_record(&got, 1, 3, "c");
  EXPECT_OK(mainstem_mailbox_take(box, NULL, 0, &got.count, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a loss that a mailbox is not told of, or told of at the wrong place. */
CASE(a_gap_is_a_record, IN_BOTH) {
  stream on = stream_open(threads);
  batch got;
  mainstem_gap gap;
  mainstem_subscription *box = mailbox(
      on.context, on.notice, (scheduled){.policy = MAINSTEM_QUEUE_DROP_OLDEST, .limit_events = 2});
  for (int i = 0; i < 5; i++) EXPECT_OK(send_text(on.context, on.notice, "x"));
  EXPECT_OK(drain_into(&got, box, sizeof got.in));
  EXPECT_EQUAL(got.count, 3);
  mainstem_event_type gaps = type_named(on.context, "MainstemGap");
  EXPECT_EQUAL(got.in.headers[0].flags, MAINSTEM_EVENT_GAP);
  EXPECT_EQUAL(got.in.headers[0].type, gaps);
  EXPECT_EQUAL(got.in.headers[0].position, 3);
  EXPECT_EQUAL(got.in.headers[0].size, sizeof gap);
  memcpy(&gap, payload(&got, 0), sizeof gap);
  EXPECT_EQUAL(gap.from, 1);
  EXPECT_EQUAL(gap.to, 3);
  EXPECT_EQUAL(gap.count, 3);
  expect_record(&got, 1, 4, "x");
  expect_record(&got, 2, 5, "x");
  EXPECT_OK(mainstem_context_close(on.context));
}

static int is_readable(mainstem_context *context) {
  struct pollfd poller = {-1, POLLIN, 0};
  EXPECT_OK(mainstem_context_fd(context, &poller.fd));
  return poll(&poller, 1, 0);
}

static void ring(void *user_data) { ++*(int *)user_data; }

/* Catches: a drain that empties a mailbox; a host that is not told, or told for ever; a hook called once. */
CASE(only_mailbox_take_empties_it, IN_BOTH) {
  stream on = stream_open(threads);
  batch got;
  int rings = 0;
  mainstem_subscription *box = mailbox(on.context, on.notice, (scheduled){0});
  EXPECT_OK(mainstem_context_on_wake(on.context, ring, &rings, NULL));
  EXPECT_EQUAL(is_readable(on.context), 0);
  for (int round = 1; round <= 3; round++) {
    EXPECT_OK(send_text(on.context, on.notice, "a"));
    EXPECT_OK(send_text(on.context, on.notice, "b"));
    EXPECT_EQUAL(rings, round);
    EXPECT_EQUAL(is_readable(on.context), 1);
    EXPECT_OK(drain_into(&got, box, sizeof got.in));
    EXPECT_EQUAL(got.count, 2);
    EXPECT_EQUAL(is_readable(on.context), 0);
  }
  EXPECT_OK(send_text(on.context, on.notice, "a"));
  EXPECT_OK(mainstem_wait(on.context, 0));
  EXPECT_OK(drain_into(&got, box, sizeof got.in));
  expect_record(&got, 0, 7, "a");
  EXPECT_STATUS(mainstem_wait(on.context, 0), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a loop kept busy by what it does not fetch; a mailbox that another one silences; what is left
   after a fetch and not told of. */
CASE(a_drain_that_does_not_fetch_is_not_told_again, IN_BOTH) {
  stream on = stream_open(threads);
  batch got;
  mainstem_subscription *unread = mailbox(on.context, on.notice, (scheduled){0});
  mainstem_subscription *read = mailbox(on.context, on.other, (scheduled){0});
  EXPECT_OK(send_text(on.context, on.notice, "a"));
  EXPECT_EQUAL(is_readable(on.context), 1);
  EXPECT_EQUAL(drained(on.context, 0), 0);
  EXPECT_EQUAL(is_readable(on.context), 0);
  EXPECT_OK(send_text(on.context, on.notice, "b"));
  EXPECT_EQUAL(is_readable(on.context), 0);
  EXPECT_OK(send_text(on.context, on.other, "c"));
  EXPECT_EQUAL(is_readable(on.context), 1);
  EXPECT_OK(drain_into(&got, read, sizeof got.in));
  EXPECT_EQUAL(got.count, 1);
  EXPECT_EQUAL(is_readable(on.context), 1);
  EXPECT_OK(drain_into(&got, unread, sizeof got.in));
  EXPECT_EQUAL(got.count, 2);
  EXPECT_EQUAL(is_readable(on.context), 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void drain_in_callback(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(mainstem_drain(event->context, 0, NULL), MAINSTEM_BUSY);
  EXPECT_EQUAL(is_readable(event->context), 0);
}

static void fetch_in_callback(void *user_data, const mainstem_event *event) {
  batch got;
  mainstem_subscription *box = (mainstem_subscription *)user_data;
  EXPECT_STATUS(drain_into(&got, box, sizeof got.in), MAINSTEM_BUSY);
  EXPECT_EQUAL(is_readable(event->context), 0);
}

/* Catches: a drain or fetch that is refused, after which the host is never told of a mailbox again. */
CASE(a_refused_drain_leaves_the_news, IN_BOTH) {
  const mainstem_event_fn refused[] = {drain_in_callback, fetch_in_callback};
  for (size_t i = 0; i < 2; i++) {
    stream on = stream_open(threads);
    mainstem_subscription *box = mailbox(on.context, on.notice, (scheduled){0});
    EXPECT_OK(mainstem_observe(on.context, on.other, refused[i], box, NULL, NULL));
    EXPECT_OK(send_text(on.context, on.notice, "a"));
    EXPECT_EQUAL(is_readable(on.context), 1);
    EXPECT_OK(send_text(on.context, on.other, ""));
    EXPECT_EQUAL(is_readable(on.context), 1);
    EXPECT_OK(mainstem_wait(on.context, 0));
    EXPECT_EQUAL(is_readable(on.context), 0);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

/* Catches: a form that goes out and does not come in. */
CASE(a_batch_goes_to_another_context_as_it_is, IN_BOTH) {
  stream on = stream_open(threads), other = stream_open(threads);
  batch first, second;
  mainstem_subscription *from = mailbox(on.context, on.notice, (scheduled){0});
  mainstem_subscription *to = mailbox(other.context, other.notice, (scheduled){0});
  size_t accepted;
  EXPECT_OK(send_text(on.context, on.notice, "one"));
  EXPECT_OK(send_text(on.context, on.notice, "two"));
  EXPECT_OK(drain_into(&first, from, sizeof first.in));
  EXPECT_OK(mainstem_send_many(other.context, &first.in, sizeof first.in, first.count, &accepted));
  EXPECT_EQUAL(accepted, 2);
  EXPECT_OK(drain_into(&second, to, sizeof second.in));
  EXPECT(memcmp(&first.in, &second.in, sizeof first.in) == 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_OK(mainstem_context_close(other.context));
}

/* Catches: a hook before the last record, or never; records of what was cancelled. */
CASE(it_ends_like_any_observer, IN_BOTH) {
  stream on = stream_open(threads);
  int released = 0;
  batch got;
  scheduled twice = {.scheduler = MAINSTEM_SCHEDULER_HOST, .count = 2};
  mainstem_subscription *counted = observe_on(on.context, on.notice, &twice, NULL, &released, ring);
  mainstem_subscription *cancelled = mailbox(on.context, on.other, (scheduled){0});
  for (int i = 0; i < 3; i++) EXPECT_OK(send_text(on.context, on.notice, "x"));
  EXPECT_OK(send_text(on.context, on.other, "x"));
  EXPECT_EQUAL(released, 0);
  EXPECT_OK(drain_into(&got, counted, sizeof got.in));
  EXPECT_EQUAL(got.count, 2);
  EXPECT_EQUAL(released, 1);
  EXPECT_STATUS(drain_into(&got, counted, sizeof got.in), MAINSTEM_STALE);
  EXPECT_EQUAL(is_readable(on.context), 1);
  EXPECT_OK(mainstem_cancel(cancelled));
  EXPECT_EQUAL(is_readable(on.context), 0);
  EXPECT_STATUS(drain_into(&got, cancelled, sizeof got.in), MAINSTEM_STALE);
  mailbox(on.context, on.notice, (scheduled){0});
  EXPECT_OK(send_text(on.context, on.notice, "never fetched"));
  EXPECT_OK(mainstem_context_close(on.context));
}

enum { EACH = 20000 };

typedef struct sender {
  const stream *on;
  mainstem_event_type type;
} sender;

static void *send_numbers(void *data) {
  const sender *self = (const sender *)data;
  for (int64_t i = 0; i < EACH; i++) {
    EXPECT_OK(mainstem_send(self->on->context, self->type, &i, sizeof i));
  }
  return NULL;
}

/* Catches: a sender that is not let on, an event lost or taken twice, one out of order. */
CASE(two_threads_send_and_wait_for_room, IN_ANY) {
  stream on = stream_open(threads);
  mainstem_event_type type = type_open(on.context, "Number", MAINSTEM_PAYLOAD_BYTES, NULL);
  mainstem_subscription *box =
      mailbox(on.context, type, (scheduled){.policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 100});
  sender self = {&on, type};
  pthread_t first = beside(send_numbers, &self), second = beside(send_numbers, &self);
  uint64_t position = 0;
  int64_t sum = 0;
  size_t left = 2 * EACH;
  batch got;
  while (left > 0) {
    EXPECT_OK(mainstem_wait(on.context, -1));
    EXPECT_OK(drain_into(&got, box, sizeof got.in));
    for (size_t i = 0; i < got.count; i++) {
      int64_t number;
      EXPECT(got.in.headers[i].position > position);
      position = got.in.headers[i].position;
      memcpy(&number, payload(&got, i), sizeof number);
      sum += number;
    }
    left -= got.count;
  }
  join(first);
  join(second);
  EXPECT_EQUAL(sum, (int64_t)EACH * (EACH - 1));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *send_until_closed(void *data) {
  const stream *on = (const stream *)data;
  while (mainstem_send(on->context, on->notice, "", 0) == MAINSTEM_OK) {
  }
  return NULL;
}

/* Catches: a close that waits for a sender which waits for room that nobody makes. */
CASE(close_lets_a_waiting_sender_go, IN_ANY) {
  stream on = stream_open(threads);
  mailbox(on.context, on.notice, (scheduled){.policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 1});
  pthread_t sender = beside(send_until_closed, &on);
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_OK(mainstem_context_close(on.context));
  join(sender);
}

int main(void) { return expect_all(); }

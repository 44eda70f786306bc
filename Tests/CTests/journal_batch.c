// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Many events with one call of a recorded context: written together, refused as each by itself, delivered from the
 * caller's memory, whatever callbacks and other threads do meanwhile.
 */

#include "elsewhere.h"
#include "journal_batch.h"
#include "scheduled.h"
#include "secret.h"

/* Catches: events lost or cut where the records are full, or where one is longer than all of them. */
CASE(a_batch_of_any_length_is_kept, IN_BOTH) {
  static const struct {
    size_t count, each, large;
  } shapes[] = {{1, 4, MOST},  {MOST, 4, MOST}, {MOST, EACH, MOST}, {60, 5001, MOST},
                {50, EACH, 0}, {50, EACH, 25},  {50, EACH, 49},     {9, 100000, 4}};
  for (size_t i = 0; i < COUNT(shapes); i++) {
    for (uint32_t level = MAINSTEM_JOURNAL_PROCESS; level <= MAINSTEM_JOURNAL_BUFFERED; level++) {
      stream on = stream_open(threads);
      const char *path = journal_path("any length");
      batch sent = batch_of(on.notice, shapes[i].count, shapes[i].each, shapes[i].large);
      reader self = reader_open(&on, path, &sent, NULL);
      mainstem_journal_options options = journal_options(level);
      size_t accepted = 0;
      EXPECT_OK(mainstem_journal_record(on.context, path, &options));
      if (level != MAINSTEM_JOURNAL_BUFFERED) observe(&self);
      EXPECT_OK(send_batch(on.context, &sent, &accepted));
      EXPECT_EQUAL(accepted, sent.count);
      if (level != MAINSTEM_JOURNAL_BUFFERED) EXPECT_EQUAL(self.next, sent.count);
      if (level == MAINSTEM_JOURNAL_POWER) {
        EXPECT_EQUAL(journal_stats(on.context).durable, sent.count);
      }
      close_all(&on, &sent, path, sent.count);
    }
  }
}

static void break_it(reader *self, const mainstem_event *event) { journal_break(self->path); }

/* Catches: an event of a batch seen that was not written; the ones before it that were not seen. */
CASE(nothing_behind_a_failed_write_is_seen, IN_BOTH) {
  stream on = stream_open(threads);
  const char *path = journal_path("broken");
  batch sent = batch_of(on.notice, MOST, EACH, MOST);
  reader self = reader_open(&on, path, &sent, break_it);
  size_t accepted = 0;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  observe(&self);
  mainstem_status status = send_batch(on.context, &sent, &accepted);
  const uint64_t written = journal_stats(on.context).written;
  EXPECT(status == MAINSTEM_NO_SPACE || status == MAINSTEM_IO);
  EXPECT_EQUAL(self.next, written);
  EXPECT(written > self.at && written < MOST);
  EXPECT(accepted >= written && accepted < MOST);
  EXPECT_STATUS(send_batch(on.context, &sent, &accepted), status);
  EXPECT_EQUAL(accepted, 0);
  EXPECT_EQUAL(self.next, written);
  close_all(&on, &sent, path, written);
}

/* The same where the journal may be lost. Catches: events lost with it. */
CASE(by_option_all_are_seen, IN_BOTH) {
  stream on = stream_open(threads);
  const char *path = journal_path("goes on");
  batch sent = batch_of(on.other, MOST, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  reader notices = self;
  options.flags = MAINSTEM_JOURNAL_CONTINUE_UNRECORDED;
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  mainstem_event_type failed = type_named(on.context, "MainstemJournalFailed");
  EXPECT_OK(mainstem_observe(on.context, failed, count_later, &notices, NULL, NULL));
  observe(&self);
  journal_break(path);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.later, MOST);
  EXPECT_EQUAL(notices.later, 1);
  close_all(&on, &sent, path, 0);
}

/* Catches: a type that does not know of the observers which it takes along. */
CASE(a_type_that_comes_later_asks_too, IN_BOTH) {
  for (int recorded = 0; recorded < 2; recorded++) {
    stream on = stream_open(threads);
    const char *path = journal_path("later");
    transcript seen = {0};
    scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .limit_events = 2};
    size_t accepted = 0;
    if (recorded) EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
    observe_on(on.context, MAINSTEM_TYPE_ANY, &how, read_event, &seen, NULL);
    batch sent =
        batch_of(type_open(on.context, "Late", MAINSTEM_PAYLOAD_BYTES, NULL), 5, EACH, MOST);
    EXPECT_STATUS(send_batch(on.context, &sent, &accepted), MAINSTEM_FULL);
    EXPECT_EQUAL(accepted, 2);
    drained(on.context, 0);
    EXPECT_TEXT(seen.text, "1 2");
    close_all(&on, &sent, recorded ? path : NULL, 2);
  }
}

static void check_secret(void *user_data, const mainstem_event *event) {
  EXPECT(event->flags & MAINSTEM_EVENT_SECRET);
  EXPECT_EQUAL(password_find((const char *)event->data, event->size), 0);
  ((reader *)user_data)->later++;
}

/* Catches: a secret of a batch that is written down, or that no longer is one when it is seen. */
CASE(a_secret_stays_one, IN_BOTH) {
  stream on = secrets_open(threads);
  const char *path = journal_path("secrets");
  batch sent = batch_of(on.other, 10, PASSWORD_SIZE, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  char bytes[4096];
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, check_secret, &self, NULL, NULL));
  for (size_t i = 0; i < 10; i++) password_write((char *)sent.bytes + header_of(&sent, i)->offset);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.later, 10);
  EXPECT_OK(mainstem_context_close(on.context));
  int fd = open(path, O_RDONLY);
  const ssize_t size = read(fd, bytes, sizeof bytes);
  EXPECT(size > 10 * 72 && size < (ssize_t)sizeof bytes);
  EXPECT_EQUAL(password_find(bytes, (size_t)size), -1);
  close(fd);
  free(sent.bytes);
}

typedef struct crowd {
  stream *on;
  uint64_t last, seen;
} crowd;

static void expect_later(void *user_data, const mainstem_event *event) {
  crowd *self = (crowd *)user_data;
  EXPECT_EQUAL(event->position, self->last + 1);
  self->last = event->position;
  self->seen++;
}

static void *send_batches(void *user_data) {
  crowd *self = (crowd *)user_data;
  batch sent = batch_of(self->on->notice, 50, EACH, MOST);
  for (int i = 0; i < 20; i++) {
    size_t accepted = 0;
    EXPECT_OK(send_batch(self->on->context, &sent, &accepted));
    EXPECT_EQUAL(accepted, 50);
  }
  free(sent.bytes);
  return NULL;
}

/* Catches: two batches with the same positions, a hole, an event delivered by nobody. */
CASE(threads_send_batches, IN_ANY) {
  stream on = stream_open(threads);
  const char *path = journal_path("threads");
  crowd self = {&on, 0, 0};
  pthread_t others[3];
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, expect_later, &self, NULL, NULL));
  for (size_t i = 0; i < COUNT(others); i++) others[i] = beside(send_batches, &self);
  send_batches(&self);
  for (size_t i = 0; i < COUNT(others); i++) join(others[i]);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(self.seen, 4000);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(path).events, 4000);
}

/* What is done around a batch, and what comes of it ------------------------------------------------ */

/* One that is sent by PROCESS, so all that was accepted is in the journal when the call returns. */
typedef struct row {
  const char *name;
  void (*arrange)(reader *self);                  /* Observes, and may change the batch. */
  void (*then)(reader *, const mainstem_event *); /* What the reader does in one of its calls. */
  mainstem_status status;
  size_t accepted;
  uint32_t next, later; /* The reader's calls; those of others. */
  uint64_t written;
  size_t waiting; /* What the host delivers later. */
  uint32_t flags;
  size_t limit_events;
  int is_shared; /* Threads send: in a context for them only. */
  const char *message;
} row;

enum { EVENTS = 100 };

static reader queued; /* Who is called by the host. */

static void send_and_stop(reader *self, const mainstem_event *event) {
  mainstem_subscription *late;
  EXPECT_OK(mainstem_send(event->context, self->on->other, "", 0));
  EXPECT_EQUAL(self->later, 0);
  EXPECT_STATUS(mainstem_context_close(event->context), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_flush(event->context), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
  /* Starts behind all that has its position. */
  EXPECT_OK(mainstem_observe(event->context, self->on->notice, count_later, self, NULL, &late));
}

/* What a callback sends comes behind the batch, with its cause. */
static void expect_behind(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  EXPECT_EQUAL(event->cause, self->first + self->at);
  EXPECT(event->position > self->first + self->at);
  EXPECT_EQUAL(event->flags, 0);
}

static void observe_behind(reader *self) {
  EXPECT_OK(mainstem_observe(self->on->context, self->on->other, expect_behind, self, NULL, NULL));
  observe(self);
}

static void cancel_other(reader *self, const mainstem_event *event) {
  EXPECT_OK(mainstem_cancel(self->other));
  EXPECT_EQUAL(self->later, 20);
}

static void observe_twice(reader *self) {
  watch(self, read_row, self);
  EXPECT_OK(
      mainstem_observe(self->on->context, self->on->notice, count_later, self, NULL, &self->other));
}

static void *send_from_elsewhere(void *user_data) {
  reader *self = (reader *)user_data;
  EXPECT_OK(mainstem_send(self->on->context, self->on->other, "from a thread", 13));
  return NULL;
}

static void let_another_send(reader *self, const mainstem_event *event) {
  elsewhere(send_from_elsewhere, self);
  EXPECT_EQUAL(self->later, 0);
}

static void observe_on_host(reader *self) {
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_DROP_OLDEST};
  EXPECT_OK(mainstem_history_keep(self->on->context, self->on->notice, 10, 0));
  watch(self, read_row, self);
  observe_on(self->on->context, self->on->notice, &how, expect_next_row, &queued, NULL);
}

static void expect_together(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  EXPECT_EQUAL(journal_stats(event->context).written, 30);
  expect_row(event, self->later++, EACH);
}

static void observe_with_room_for_30(reader *self) {
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_REJECT, .limit_events = 30};
  watch(self, expect_together, self);
  observe_on(self->on->context, self->on->notice, &how, expect_next_row, &queued, NULL);
}

static void put_row_42_outside(reader *self) {
  observe(self);
  header_of(self->sent, 42)->offset = 0xffffffff;
}

static void make_row_7_of_no_type(reader *self) {
  observe(self);
  header_of(self->sent, 7)->type = 99;
}

static void send_from_a_narrow_scope(reader *self) {
  mainstem_scope_options options = {.size = sizeof options};
  options.send_layers = 1 << 0; /* Notice is of no layer; Other is of the view. */
  EXPECT_OK(mainstem_scope_add(self->on->context, "Narrow", &options, &self->from));
  observe(self);
  header_of(self->sent, 50)->type = self->on->other;
}

static void send_two(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  for (int i = 0; i < 2; i++) EXPECT_OK(mainstem_send(event->context, self->on->other, "", 0));
}

static void observe_by_sending_two(reader *self) {
  observe(self);
  watch(self, send_two, self);
}

static void observe_held(reader *self) { watch(self, expect_next_row, &queued); }

#define ALL MAINSTEM_OK, EVENTS

static const row rows[] = {
    {"what a callback sends comes behind, and a late observer has none of it", observe_behind,
     send_and_stop, ALL, EVENTS, 1, 101, .waiting = 0},
    {"cancel is final in the middle", observe_twice, cancel_other, ALL, EVENTS, 20, EVENTS,
     .waiting = 0},
    {"what another thread sends meanwhile comes behind", observe, let_another_send, ALL, EVENTS, 1,
     101, .is_shared = 1},
    {"queues and histories have copies", observe_on_host, NULL, ALL, EVENTS, 0, EVENTS,
     .waiting = EVENTS},
    {"a queue that refuses is asked, and all before it is one write", observe_with_room_for_30,
     NULL, MAINSTEM_FULL, 30, 0, 30, 30, .waiting = 30},
    {"a payload outside of it ends it", put_row_42_outside, NULL, MAINSTEM_INVALID, 42, 42, 0, 42,
     .message = "mainstem_send_many: batch: row 42 has a payload outside of it"},
    {"a type that is none ends it", make_row_7_of_no_type, NULL, MAINSTEM_INVALID, 7, 7, 0, 7,
     .message = "mainstem_send_many: type: 99 is not a registered event type: pass a number from "
                "this context's mainstem_type_add"},
    {"a scope sends what it may, and is denied once", send_from_a_narrow_scope, NULL,
     MAINSTEM_DENIED, 50, 50, 0, 51, .waiting = 0},
    {"a small bound is as without a journal", observe_by_sending_two, NULL, ALL, EVENTS, 200, 300,
     .limit_events = 2},
    {"held for the host they are written", observe_held, NULL, ALL, 0, 0, EVENTS, .waiting = EVENTS,
     .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST},
};

static stream row_open(const row *self, uint32_t threads) {
  stream on;
  mainstem_context_options options = {
      .size = sizeof options, .threads = threads, .flags = self->flags};
  if (self->limit_events > 0) options.limit_events = self->limit_events;
  on.context = context_with(&options);
  on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  on.other = type_open(on.context, "Other", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_LAYER_VIEW, NULL);
  return on;
}

/* The caller's memory is something else by now: what was kept has copies. */
static void expect_copies(const row *row, reader *self) {
  reader late = *self;
  const mainstem_event *kept;
  memset(self->sent->bytes + EVENTS * sizeof(mainstem_event_header), 0xee, EVENTS * EACH);
  EXPECT_EQUAL(queued.later, 0);
  EXPECT_EQUAL(drained(self->on->context, 0), row->waiting);
  EXPECT_EQUAL(queued.later, row->waiting);
  if (self->kept != NULL) {
    kept = kept_event(self->kept);
    expect_row(kept, self->at, EACH);
    EXPECT_OK(mainstem_retained_release(self->kept));
  }
  if (row->arrange != observe_on_host) return;
  late.later = 90;
  EXPECT_OK(mainstem_observe(self->on->context, self->on->notice, expect_next_row, &late, NULL,
                             &self->other));
  EXPECT_EQUAL(late.later, 100);
}

static void play(const row *row, uint32_t threads) {
  stream on = row_open(row, threads);
  const char *path = journal_path("row");
  batch sent = batch_of(on.notice, EVENTS, EACH, MOST);
  reader self = reader_open(&on, path, &sent, row->then);
  size_t accepted = 0;
  queued = self;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  row->arrange(&self);
  EXPECT_STATUS(send_batch(self.from, &sent, &accepted), row->status);
  if (row->message != NULL) EXPECT_TEXT(mainstem_last_error(), row->message);
  EXPECT_EQUAL(accepted, row->accepted);
  EXPECT_EQUAL(self.next, row->next);
  EXPECT_EQUAL(self.later, row->later);
  EXPECT_EQUAL(journal_stats(on.context).written, row->written);
  EXPECT_EQUAL(stats_of(on.context).rejected, row->status == MAINSTEM_FULL);
  EXPECT_EQUAL(stats_of(on.context).denied, row->status == MAINSTEM_DENIED);
  expect_copies(row, &self);
  close_all(&on, &sent, path, row->written);
}

CASE(each_row_has_its_outcome, IN_BOTH) {
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (rows[i].is_shared && threads != MAINSTEM_THREADS_ANY) continue;
    expect_sentence = rows[i].name;
    play(&rows[i], threads);
  }
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Many events with one call of a recorded context: delivered from the caller's memory, and what callbacks and
 * other threads do meanwhile.
 */

#include "elsewhere.h"
#include "journal_batch.h"
#include "scheduled.h"

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

static void expect_behind(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  EXPECT_EQUAL(event->cause, self->first + self->at);
  EXPECT(event->position > self->first + self->at);
  EXPECT_EQUAL(event->flags, 0);
}

/* Catches: what a callback sends delivered inside it, or without its cause; a late observer that gets what was
   accepted before; a kept event that points into the batch. */
static void callbacks_do_what_they_like(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("callbacks");
  batch sent = batch_of(on.notice, 200, EACH, MOST);
  reader self = reader_open(&on, path, &sent, send_and_stop);
  const mainstem_event *kept;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, expect_behind, &self, NULL, NULL));
  observe(&self);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.next, 200);
  EXPECT_EQUAL(self.later, 1);
  memset(sent.bytes + 200 * sizeof(mainstem_header), 0xee, 200 * EACH);
  EXPECT_OK(mainstem_retained_event(self.kept, &kept));
  expect_row(kept, self.at, EACH);
  EXPECT_OK(mainstem_retained_release(self.kept));
  close_all(&on, &sent, path, 201);
}

static void cancel_other(reader *self, const mainstem_event *event) {
  (void)event;
  EXPECT_OK(mainstem_cancel(self->other));
  EXPECT_EQUAL(self->later, 20);
}

/* Catches: a cancelled observer called for what was accepted before. */
static void cancel_is_final_in_the_middle(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("cancel");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  reader self = reader_open(&on, path, &sent, cancel_other);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, read_row, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_later, &self, NULL, &self.other));
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.next, 100);
  EXPECT_EQUAL(self.later, 20);
  close_all(&on, &sent, path, 100);
}

/* Catches: a queue or a history that points into the batch. */
static void queues_have_copies(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("queues");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL), scheduled_one = self, late = self;
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_DROP_OLDEST};
  mainstem_subscription *subscription;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 10, 0));
  EXPECT_OK(mainstem_observe(on.context, on.notice, read_row, &self, NULL, NULL));
  observe_on(on.context, on.notice, &how, expect_next_row, &scheduled_one, NULL);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.next, 100);
  EXPECT_EQUAL(scheduled_one.later, 0);
  memset(sent.bytes + 100 * sizeof(mainstem_header), 0xee, 100 * EACH);
  EXPECT_EQUAL(drained(on.context, 0), 100);
  EXPECT_EQUAL(scheduled_one.later, 100);
  late.later = 90;
  EXPECT_OK(mainstem_observe(on.context, on.notice, expect_next_row, &late, NULL, &subscription));
  EXPECT_EQUAL(late.later, 100);
  close_all(&on, &sent, path, 100);
}

static void *send_from_elsewhere(void *user_data) {
  reader *self = (reader *)user_data;
  EXPECT_OK(mainstem_send(self->on->context, self->on->other, "from a thread", 13));
  return NULL;
}

static void let_another_send(reader *self, const mainstem_event *event) {
  (void)event;
  elsewhere(send_from_elsewhere, self);
  EXPECT_EQUAL(self->later, 0);
}

/* Catches: what another thread sends meanwhile among them, before it is written, or not at all. */
static void what_others_send_meanwhile_comes_behind(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("meanwhile");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  reader self = reader_open(&on, path, &sent, let_another_send);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  observe(&self);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.next, 100);
  EXPECT_EQUAL(self.later, 1);
  close_all(&on, &sent, path, 101);
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
static void threads_send_batches(uint32_t threads) {
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
  journal_sweep();
}

int main(void) {
  static const expect_case cases[] = {
      {"callbacks do what they like", callbacks_do_what_they_like, IN_BOTH},
      {"cancel is final in the middle", cancel_is_final_in_the_middle, IN_BOTH},
      {"queues have copies", queues_have_copies, IN_BOTH},
      {"what others send meanwhile comes behind", what_others_send_meanwhile_comes_behind, IN_ANY},
      {"threads send batches", threads_send_batches, IN_ANY},
  };
  atexit(journal_remove_folder);
  return EXPECT_RUN(cases);
}

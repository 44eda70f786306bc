// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Many events with one call of a recorded context: written together, and refused as each by itself.
 */

#include "journal_batch.h"
#include "scheduled.h"
#include "secret.h"

/* Catches: events lost or cut where the records are full, or where one is longer than all of them. */
static void a_batch_of_any_length_is_kept(uint32_t threads) {
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

static void break_it(reader *self, const mainstem_event *event) {
  (void)event;
  journal_break(self->path);
}

/* Catches: an event of a batch seen that was not written; the ones before it that were not seen. */
static void nothing_behind_a_failed_write_is_seen(uint32_t threads) {
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
static void by_option_all_are_seen(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("goes on");
  batch sent = batch_of(on.other, MOST, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  mainstem_event_type failed;
  reader notices = self;
  options.flags = MAINSTEM_JOURNAL_GO_ON;
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  EXPECT_OK(mainstem_type_find(on.context, "MainstemJournalFailed", &failed));
  EXPECT_OK(mainstem_observe(on.context, failed, count_later, &notices, NULL, NULL));
  observe(&self);
  journal_break(path);
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.later, MOST);
  EXPECT_EQUAL(notices.later, 1);
  close_all(&on, &sent, path, 0);
}

static void expect_together(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  EXPECT_EQUAL(journal_stats(event->context).written, 30);
  expect_row(event, self->later++, EACH);
}

/* Catches: a bound of a queue that a batch passes; a refusal that is not told at its row, or twice; a write for
   each event. */
static void a_queue_that_refuses_is_asked(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("refused");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL), scheduled_one = self;
  scheduled how = {
      .scheduler = MAINSTEM_SCHEDULER_HOST, .policy = MAINSTEM_QUEUE_REJECT, .limit_events = 30};
  size_t accepted = 0;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, expect_together, &self, NULL, NULL));
  observe_on(on.context, on.notice, &how, expect_next_row, &scheduled_one, NULL);
  EXPECT_STATUS(send_batch(on.context, &sent, &accepted), MAINSTEM_FULL);
  EXPECT_EQUAL(accepted, 30);
  EXPECT_EQUAL(self.later, 30);
  EXPECT_EQUAL(stats_of(on.context).rejected, 1);
  memset(sent.bytes + 100 * sizeof(mainstem_header), 0xee, 100 * EACH);
  EXPECT_EQUAL(drained(on.context, 0), 30);
  EXPECT_EQUAL(scheduled_one.later, 30);
  close_all(&on, &sent, path, 30);
}

/* Catches: a type that does not know of the observers which it takes along. */
static void a_type_that_comes_later_asks_too(uint32_t threads) {
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

/* Catches: what comes behind a row that is refused, sent all the same; what comes before, not. */
static void the_first_that_is_refused_ends_it(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("first refused");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  size_t accepted = 0;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  observe(&self);
  header_of(&sent, 42)->offset = 0xffffffff;
  EXPECT_STATUS(send_batch(on.context, &sent, &accepted), MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 42);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send_many: batch: row 42 has a payload outside of it");
  header_of(&sent, 7)->type = 99;
  self.next = 0;
  EXPECT_STATUS(send_batch(on.context, &sent, &accepted), MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 7);
  EXPECT_EQUAL(self.next, 7);
  close_all(&on, &sent, path, 49);
}

/* Catches: a limited scope that may do more in a batch, or that is denied twice. */
static void a_scope_sends_what_it_may(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("scope");
  batch sent = batch_of(on.notice, 100, EACH, MOST);
  mainstem_scope_options options;
  mainstem_context *scope;
  reader self = reader_open(&on, path, &sent, NULL);
  size_t accepted = 0;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_scope_options_init(&options, sizeof options));
  options.send_layers = 1 << 0; /* Notice is of no layer; Other is of the view. */
  EXPECT_OK(mainstem_scope_add_with(on.context, "Narrow", &options, &scope));
  observe(&self);
  header_of(&sent, 50)->type = on.other;
  EXPECT_STATUS(send_batch(scope, &sent, &accepted), MAINSTEM_DENIED);
  EXPECT_EQUAL(accepted, 50);
  EXPECT_EQUAL(self.next, 50);
  EXPECT_EQUAL(stats_of(on.context).denied, 1);
  close_all(&on, &sent, path, 51); /* And the notice of it. */
}

static void check_secret(void *user_data, const mainstem_event *event) {
  EXPECT(event->flags & MAINSTEM_EVENT_SECRET);
  EXPECT_EQUAL(password_find((const char *)event->data, event->size), 0);
  ((reader *)user_data)->later++;
}

/* Catches: a secret of a batch that is written down, or that no longer is one when it is seen. */
static void a_secret_stays_one(uint32_t threads) {
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
  journal_sweep();
}

static void send_two(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  for (int i = 0; i < 2; i++) EXPECT_OK(mainstem_send(event->context, self->on->other, "", 0));
}

/* Catches: what callbacks send refused, because a batch fills what may wait. */
static void a_small_bound_is_as_without_a_journal(uint32_t threads) {
  mainstem_context_options options;
  stream on;
  const char *path = journal_path("bound");
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.limit_events = 2;
  EXPECT_OK(mainstem_context_create(&options, &on.context));
  on.notice = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  on.other = type_open(on.context, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
  batch sent = batch_of(on.notice, 50, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  observe(&self);
  EXPECT_OK(mainstem_observe(on.context, on.notice, send_two, &self, NULL, NULL));
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.next, 50);
  EXPECT_EQUAL(self.later, 100);
  EXPECT_EQUAL(stats_of(on.context).rejected, 0);
  close_all(&on, &sent, path, 150);
}

/* Catches: events of a context that is drained by its host delivered by the call, or not written by it. */
static void held_for_the_host_they_are_written(uint32_t threads) {
  mainstem_context_options options;
  stream on;
  const char *path = journal_path("held");
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
  options.flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST;
  EXPECT_OK(mainstem_context_create(&options, &on.context));
  on.notice = on.other = type_open(on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  batch sent = batch_of(on.notice, 50, EACH, MOST);
  reader self = reader_open(&on, path, &sent, NULL);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_later, &self, NULL, NULL));
  EXPECT_OK(send_batch(on.context, &sent, NULL));
  EXPECT_EQUAL(self.later, 0);
  EXPECT_EQUAL(journal_stats(on.context).written, 50);
  EXPECT_EQUAL(drained(on.context, 0), 50);
  EXPECT_EQUAL(self.later, 50);
  close_all(&on, &sent, path, 50);
}

int main(void) {
  static const expect_case cases[] = {
      {"a batch of any length is kept", a_batch_of_any_length_is_kept, IN_BOTH},
      {"nothing behind a failed write is seen", nothing_behind_a_failed_write_is_seen, IN_BOTH},
      {"by option all are seen", by_option_all_are_seen, IN_BOTH},
      {"a queue that refuses is asked", a_queue_that_refuses_is_asked, IN_BOTH},
      {"a type that comes later asks too", a_type_that_comes_later_asks_too, IN_BOTH},
      {"the first that is refused ends it", the_first_that_is_refused_ends_it, IN_BOTH},
      {"a scope sends what it may", a_scope_sends_what_it_may, IN_BOTH},
      {"a secret stays one", a_secret_stays_one, IN_BOTH},
      {"a small bound is as without a journal", a_small_bound_is_as_without_a_journal, IN_BOTH},
      {"held for the host they are written", held_for_the_host_they_are_written, IN_BOTH},
  };
  atexit(journal_remove_folder);
  return EXPECT_RUN(cases);
}

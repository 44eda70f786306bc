// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Recording from several threads, of everything that can be on a stream, and of events of any length. */

#include "elsewhere.h"
#include "journal.h"

#include <pthread.h>

enum { THREADS = 4, EACH = 50 };

typedef struct sender {
  stream *on;
  uint32_t level;
  uint64_t told; /* What the hook said last: one caller at a time. */
} sender;

static void *send_some(void *user_data) {
  sender *self = (sender *)user_data;
  for (int i = 0; i < EACH; i++) {
    EXPECT_OK(mainstem_send(self->on->context, self->on->notice, "from a thread", 13));
    mainstem_journal_stats stats = journal_stats(self->on->context);
    if (self->level == MAINSTEM_JOURNAL_POWER) EXPECT(stats.durable > (uint64_t)i);
    if (i % 20 == 0) EXPECT_OK(mainstem_journal_sync(self->on->context));
    if (i % 20 == 10) EXPECT_OK(mainstem_flush(self->on->context));
  }
  return NULL;
}

static void is_durable(void *user_data, uint64_t position) {
  sender *self = (sender *)user_data;
  EXPECT(position > self->told);
  self->told = position;
  EXPECT_STATUS(mainstem_journal_sync(self->on->context), MAINSTEM_BUSY);
}

static void release_told(void *user_data) { ((sender *)user_data)->told += 1000; }

/* Catches: a sender that returns before its event is durable, a sync that nobody wakes, a hole. */
static void threads_at(uint32_t level, uint64_t segment_size) {
  stream on = stream_open(MAINSTEM_THREADS_ANY);
  sender self = {&on, level, 0};
  pthread_t threads[THREADS];
  mainstem_journal_options options = journal_options(level);
  options.segment_size = segment_size;
  EXPECT_OK(mainstem_journal_record(on.context, journal_path("threads"), &options));
  EXPECT_OK(mainstem_journal_on_durable(on.context, is_durable, &self, release_told));
  for (int i = 0; i < THREADS; i++) {
    EXPECT_EQUAL(pthread_create(&threads[i], NULL, send_some, &self), 0);
  }
  for (int i = 0; i < THREADS; i++) EXPECT_EQUAL(pthread_join(threads[i], NULL), 0);
  EXPECT_OK(mainstem_journal_sync(on.context));
  EXPECT_EQUAL(self.told, THREADS * EACH);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(self.told, THREADS * EACH + 1000);
  if (segment_size == 0) EXPECT_EQUAL(journal_look(journal_path("threads")).events, THREADS * EACH);
  journal_sweep();
}

CASE(threads_share_a_journal, IN_ANY) {
  threads_at(MAINSTEM_JOURNAL_PROCESS, 0);
  threads_at(MAINSTEM_JOURNAL_POWER, 0);
  threads_at(MAINSTEM_JOURNAL_BUFFERED, 0);
  threads_at(MAINSTEM_JOURNAL_POWER, 4096);
}

static void echo(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  if (event->cause != 0) return;
  EXPECT_OK(mainstem_send(event->context, on->notice, event->data, event->size));
}

/* Catches: a length at which a record is cut, or the batch it is in. */
CASE(events_of_any_length_are_kept, IN_BOTH) {
  static const uint32_t sizes[] = {0,      1,      3,       4,       5,      7,
                                   8,      100,    65000,   257000,  257900, 258000,
                                   258100, 262144, 1000000, 3000001, 100000, 12};
  static char bytes[3000001];
  for (uint32_t level = MAINSTEM_JOURNAL_PROCESS; level <= MAINSTEM_JOURNAL_BUFFERED; level++) {
    stream on = stream_open(threads);
    mainstem_journal_options options = journal_options(level);
    EXPECT_OK(mainstem_journal_record(on.context, journal_path("length"), &options));
    EXPECT_OK(mainstem_observe(on.context, on.notice, echo, &on, NULL, NULL));
    for (size_t i = 0; i < COUNT(sizes); i++) {
      EXPECT_OK(mainstem_send(on.context, on.notice, bytes, sizes[i]));
    }
    EXPECT_OK(mainstem_flush(on.context));
    EXPECT_EQUAL(journal_look(journal_path("length")).events, 2 * COUNT(sizes));
    EXPECT_OK(mainstem_context_close(on.context));
    EXPECT_EQUAL(journal_look(journal_path("length")).kinds[7], 1);
    journal_sweep();
  }
}

/* Catches: a hole where an event is that is not kept, or a payload where only a mark may be. */
CASE(types_say_what_is_kept, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type none =
      type_open(on.context, "None", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_RECORD_NONE, NULL);
  mainstem_event_type mark =
      type_open(on.context, "Mark", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_RECORD_MARK, NULL);
  static char large[300000];
  const char *path = journal_path("kept");
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_send(on.context, mark, large, sizeof large));
  EXPECT_OK(mainstem_send(on.context, none, large, sizeof large));
  EXPECT_OK(mainstem_send(on.context, none, "x", 1));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT(journal_size(path) < 2000);
  journal_found found = journal_look(path);
  EXPECT_EQUAL(found.events, 1);
  EXPECT_EQUAL(found.kinds[6], 2);
  on = stream_open(threads);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_EQUAL(journal_stats(on.context).written, 3);
  journal_end(&on);
}

/* Catches: a batch that is refused in the middle and forgets what came before. */
CASE(a_batch_that_is_refused_keeps_what_came_before, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_header headers[600];
  size_t accepted;
  memset(headers, 0, sizeof headers);
  for (size_t i = 0; i < COUNT(headers); i++) headers[i].type = on.notice;
  headers[500].type = 4711;
  EXPECT_OK(mainstem_journal_record(on.context, journal_path("refused"), NULL));
  EXPECT_STATUS(mainstem_send_many(on.context, headers, sizeof headers, COUNT(headers), &accepted),
                MAINSTEM_INVALID);
  EXPECT_EQUAL(accepted, 500);
  EXPECT_EQUAL(stats_of(on.context).events, 500);
  EXPECT_EQUAL(journal_look(journal_path("refused")).events, 500);
  journal_end(&on);
}

/* Catches: a context that the environment's journal has not, one that is refused because another is recorded, and a
   journal that cannot be made and is passed over in silence. */
CASE(the_environment_says_where_to_record, IN_BOTH) {
  const char *path = journal_path("asked");
  mainstem_journal_stats stats = {.size = sizeof stats};
  mainstem_context *none;
  EXPECT_EQUAL(setenv("MAINSTEM_RECORD", path, 1), 0);
  stream on = stream_open(threads), other = stream_open(threads);
  EXPECT_OK(mainstem_send(on.context, on.notice, "kept", 4));
  EXPECT_OK(mainstem_send(other.context, other.notice, "not kept", 8));
  EXPECT_STATUS(mainstem_journal_record(on.context, path, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_journal_stats_read(other.context, &stats), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
  on = stream_open(threads);
  EXPECT_OK(mainstem_send(on.context, on.notice, "kept, too", 9));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_OK(mainstem_context_close(other.context));
  journal_found found = journal_look(path);
  EXPECT_EQUAL(found.events, 2);
  EXPECT_EQUAL(found.kinds[1], 2);
  EXPECT_EQUAL(setenv("MAINSTEM_RECORD", "/nowhere/at/all", 1), 0);
  EXPECT_STATUS(mainstem_context_create(NULL, &none), MAINSTEM_IO);
  EXPECT(strstr(mainstem_last_error(), "MAINSTEM_RECORD: /nowhere/at/all") != NULL);
  EXPECT(none == NULL);
  EXPECT_EQUAL(setenv("MAINSTEM_RECORD", "", 1), 0);
  on = stream_open(threads);
  EXPECT_STATUS(mainstem_journal_stats_read(on.context, &stats), MAINSTEM_INVALID);
  EXPECT_EQUAL(unsetenv("MAINSTEM_RECORD"), 0);
  journal_end(&on);
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 0.9, 3.4: what the disk was asked before a call returned that promises something, and what a write that failed
 * amid a record leaves behind. In journal_faults.c the same is tried at each call on a file, which takes its time.
 */

#include "elsewhere.h"
#include "failing_files.h"
#include "journal.h"

#include <sched.h>

enum { LARGE = 300000 };

static char payload[LARGE];

static stream record(const char *path, uint32_t threads, uint32_t level, uint64_t segment_size) {
  stream on = stream_open(threads);
  mainstem_journal_options options = journal_options(level);
  options.segment_size = segment_size;
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  return on;
}

static void send_many(stream *on) {
  mainstem_event_header headers[50];
  size_t accepted;
  memset(headers, 0, sizeof headers);
  for (size_t i = 0; i < COUNT(headers); i++) headers[i].type = on->notice;
  EXPECT_OK(mainstem_send_many(on->context, headers, sizeof headers, COUNT(headers), &accepted));
}

/* Catches: a call of level power that returns before the disk was asked, for the bytes or for a file's name. */
CASE(what_is_acknowledged_is_on_the_disk, IN_BOTH) {
  for (uint64_t segment_size = 0; segment_size <= 4096; segment_size += 4096) {
    stream on = record(journal_path("power"), threads, MAINSTEM_JOURNAL_POWER, segment_size);
    EXPECT(failing_nothing());
    for (int i = 0; i < 40; i++) {
      EXPECT_OK(mainstem_send(on.context, on.notice, payload, (size_t)i * 40));
      EXPECT(failing_nothing());
    }
    send_many(&on);
    EXPECT(failing_nothing());
    EXPECT_OK(mainstem_send(on.context, on.notice, payload, LARGE));
    EXPECT(failing_nothing());
    EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
    EXPECT(failing_nothing());
    EXPECT_OK(mainstem_post(on.context, on.notice, payload, 1));
    EXPECT_OK(mainstem_flush(on.context));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_OK(mainstem_flush(on.context));
    EXPECT(failing_nothing());
    EXPECT_EQUAL(journal_stats(on.context).durable, journal_stats(on.context).written);
    EXPECT_OK(mainstem_context_close(on.context));
    journal_sweep(); /* That it was closed is nothing that was sent. */
  }
}

/* Catches: a sync that leaves out what is in files before the last. */
CASE(a_sync_asks_for_all, IN_BOTH) {
  static const uint32_t levels[] = {MAINSTEM_JOURNAL_PROCESS, MAINSTEM_JOURNAL_BUFFERED};
  for (size_t level = 0; level < COUNT(levels); level++) {
    stream on = record(journal_path("sync"), threads, levels[level], 4096);
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i <= round * 9; i++)
        EXPECT_OK(mainstem_send(on.context, on.notice, payload, 4000));
      EXPECT_OK(mainstem_journal_sync(on.context));
      EXPECT(failing_nothing());
    }
    EXPECT(journal_stats(on.context).segments > 2);
    journal_end(&on);
  }
}

static uint64_t count_events(const char *path) {
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  const mainstem_event *event;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  while (EXPECT_OK(mainstem_journal_next(journal, 0, &event)), event != NULL) continue;
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT_OK(mainstem_journal_close(journal));
  EXPECT_EQUAL(info.torn_bytes, 0);
  return info.events;
}

/* What a failing write of an event leaves behind; 0: it needs no such call. */
static int fail_amid(const char *path, uint32_t threads, size_t size, int call) {
  stream on = record(path, threads, MAINSTEM_JOURNAL_PROCESS, 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, payload, 100));
  memset(&failing, 0, sizeof failing);
  failing.at = call;
  failing.fault = HALF;
  failing.is_sticky = failing.is_counting = 1;
  mainstem_status status = mainstem_send(on.context, on.notice, payload, size);
  int is_wanted = failing.hit == WRITE;
  if (is_wanted) EXPECT_STATUS(status, MAINSTEM_NO_SPACE);
  failing.is_counting = 0;
  EXPECT_OK(mainstem_context_close(on.context));
  if (is_wanted) EXPECT_EQUAL(count_events(path), 1);
  journal_sweep();
  return is_wanted;
}

/* Catches: half a record that stays when a write fails. A long event is three writes. */
CASE(nothing_is_left_of_what_failed, IN_BOTH) {
  int tried = 0;
  for (int call = 0; call < 6; call++) {
    tried += fail_amid(journal_path("half"), threads, 3000, call);
    tried += fail_amid(journal_path("half"), threads, LARGE, call);
  }
  EXPECT(tried >= 4);
}

/* A sender waits for the room of events that are never seen, since they could not be written. */
typedef struct blocked {
  stream on;
  sem_t is_sending;
  pthread_t sender;
  int call;
  mainstem_status status;
} blocked;

static void *send_beside(void *data) {
  blocked *self = (blocked *)data;
  signal_give(&self->is_sending);
  self->status = mainstem_send(self->on.context, self->on.notice, "", 0);
  return NULL;
}

static void fill_and_fail(void *user_data, const mainstem_event *event) {
  blocked *self = (blocked *)user_data;
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, payload, 3000));
  self->sender = beside(send_beside, self);
  signal_take(&self->is_sending);
  for (int i = 0; i < 100; i++)
    sched_yield(); /* Most likely it waits by now; either way is right. */
  memset(&failing, 0, sizeof failing);
  failing.at = self->call;
  failing.fault = ENOSPC;
  failing.is_sticky = failing.is_counting = 1;
}

/* Catches: room promised to an event that is dropped, and never given back. */
CASE(what_is_not_written_needs_no_room, IN_ANY) {
  int tried = 0;
  for (int call = 0; call < 4; call++) {
    blocked self = {.on = record(journal_path("room"), threads, MAINSTEM_JOURNAL_PROCESS, 0)};
    mainstem_subscription *box;
    signal_open(&self.is_sending);
    self.call = call;
    EXPECT_OK(mainstem_observe_with(self.on.context,
                                    OPTIONS(observe, .types = &self.on.notice, .type_count = 1,
                                            .scheduler = MAINSTEM_SCHEDULER_HOST,
                                            .policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 2),
                                    NULL, NULL, NULL, &box));
    EXPECT_OK(mainstem_observe(self.on.context, self.on.other, fill_and_fail, &self, NULL, NULL));
    mainstem_status status = mainstem_send(self.on.context, self.on.other, "", 0);
    failing.is_counting = 0;
    if (failing.hit == WRITE) {
      tried++;
      EXPECT_STATUS(status, MAINSTEM_NO_SPACE);
    } else {
      EXPECT_OK(mainstem_cancel(box));
    }
    join(self.sender);
    EXPECT_STATUS(self.status, failing.hit == WRITE ? MAINSTEM_NO_SPACE : MAINSTEM_OK);
    EXPECT_OK(mainstem_context_close(self.on.context));
    journal_sweep();
  }
  EXPECT(tried > 0);
}

int main(void) {
  failing.at = -1;
  journal_path("");
  atexit(journal_remove_folder);
  return expect_all();
}

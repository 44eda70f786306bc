// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 10. Recorded before seen: no observer sees an event that is not in the file; what waits is written
 * with one write; when writing fails nothing unwritten is delivered.
 */

#include "journal.h"
#include "transcript.h"

#include <signal.h>
#include <sys/resource.h>

typedef struct looker {
  const char *path;
  uint64_t seen, ahead;
} looker;

/* An observer that looks for its own event in the file. */
static void look(void *user_data, const mainstem_event *event) {
  looker *self = (looker *)user_data;
  journal_found found = journal_look(self->path);
  EXPECT(found.last >= event->position);
  EXPECT_EQUAL(journal_stats(event->context).written, found.last);
  self->seen = event->position;
  if (found.last - event->position > self->ahead) self->ahead = found.last - event->position;
}

static looker look_at(stream *on, const char *path) {
  looker self = {path, 0, 0};
  EXPECT_OK(mainstem_journal_record(on->context, path, NULL));
  return self;
}

/* Catches: an event delivered before it is written, on each way an event can take. */
static void an_observer_finds_its_own_event(uint32_t threads) {
  stream on = stream_open(threads);
  looker self = look_at(&on, journal_path("own"));
  mainstem_timer *timer;
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, look, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "one", 3));
  EXPECT_EQUAL(self.seen, 1);
  EXPECT_OK(mainstem_post(on.context, on.notice, "two", 3));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(self.seen, 2);
  EXPECT_OK(mainstem_request(on.context, on.ask, "three", 5, NULL, NULL, NULL));
  EXPECT_EQUAL(self.seen, 4); /* Its answer: nobody handles it. */
  EXPECT_OK(mainstem_send_after(on.context, on.notice, "five", 4, 0, &timer));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_EQUAL(self.seen, 5);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(self.path).events, 5);
  journal_sweep();
}

static void send_ten(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  if (event->cause != 0) return;
  for (int i = 0; i < 10; i++) EXPECT_OK(mainstem_send(event->context, on->notice, "out", 3));
}

/* Catches: a write for each event that waits. */
static void what_waits_is_written_together(uint32_t threads) {
  stream on = stream_open(threads);
  looker self = look_at(&on, journal_path("together"));
  EXPECT_OK(mainstem_observe(on.context, on.notice, send_ten, &on, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, look, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "in", 2));
  EXPECT_EQUAL(self.seen, 11);
  EXPECT_EQUAL(self.ahead, 9); /* The first of ten found all of them there. */
  EXPECT_OK(mainstem_context_close(on.context));
  journal_sweep();
}

/* Catches: a batch that is delivered one by one as it is accepted, each with a write of its own. */
static void a_batch_is_written_together(uint32_t threads) {
  stream on = stream_open(threads);
  looker self = look_at(&on, journal_path("batch"));
  mainstem_header headers[100];
  size_t accepted;
  memset(headers, 0, sizeof headers);
  for (size_t i = 0; i < COUNT(headers); i++) headers[i].type = on.notice;
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, look, &self, NULL, NULL));
  EXPECT_OK(mainstem_send_many(on.context, headers, sizeof headers, COUNT(headers), &accepted));
  EXPECT_EQUAL(accepted, 100);
  EXPECT_EQUAL(self.seen, 100);
  EXPECT_EQUAL(self.ahead, 99);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(self.path).events, 100);
  journal_sweep();
}

static void count_one(void *user_data, const mainstem_event *event) {
  (void)event;
  ++*(int *)user_data;
}

static void send_large(void *user_data, const mainstem_event *event) {
  static char bytes[300000];
  stream *on = (stream *)user_data;
  if (event->cause != 0) return;
  /* Accepted: there is memory for it. Not written: there is no room in the file for three. */
  for (int i = 0; i < 3; i++) mainstem_send(event->context, on->other, bytes, sizeof bytes);
}

/* Catches: an event seen that was not written; a context that goes on, or hangs, after that. */
static void nothing_unwritten_is_seen(uint32_t threads) {
  stream on = stream_open(threads);
  const char *path = journal_path("stopped");
  int notices = 0, others = 0;
  struct rlimit before, small;
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, send_large, &on, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, count_one, &notices, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.other, count_one, &others, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(others, 1);
  EXPECT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 4096;
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
  mainstem_status status = mainstem_send(on.context, on.notice, "", 0);
  if (status == MAINSTEM_OK) status = mainstem_flush(on.context);
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT(journal_look(path).events == (uint64_t)(notices + others));
  (void)status;
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT(journal_look(path).events == (uint64_t)(notices + others));
  journal_sweep();
}

int main(void) {
  static const expect_case cases[] = {
      {"an observer finds its own event in the file", an_observer_finds_its_own_event, IN_BOTH},
      {"what waits is written together", what_waits_is_written_together, IN_BOTH},
      {"a batch is written together", a_batch_is_written_together, IN_BOTH},
      {"nothing unwritten is seen", nothing_unwritten_is_seen, IN_BOTH},
  };
  signal(SIGXFSZ, SIG_IGN);
  atexit(journal_remove_folder);
  return EXPECT_RUN(cases);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 10, recorded before seen, beside the scenarios: when writing fails, nothing unwritten is delivered. */

#include "journal.h"

#include <signal.h>
#include <sys/resource.h>

static void count_one(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

static void send_large(void *user_data, const mainstem_event *event) {
  static char bytes[300000];
  stream *on = (stream *)user_data;
  if (event->cause != 0) return;
  /* Accepted: there is memory for it. Not written: there is no room in the file for three. */
  for (int i = 0; i < 3; i++) mainstem_send(event->context, on->other, bytes, sizeof bytes);
}

/* Catches: an event seen that was not written; a context that goes on, or hangs, after that. */
CASE(nothing_unwritten_is_seen, IN_BOTH) {
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
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT(journal_look(path).events == (uint64_t)(notices + others));
  journal_sweep();
}

int main(void) {
  signal(SIGXFSZ, SIG_IGN);
  atexit(journal_remove_folder);
  return expect_all();
}

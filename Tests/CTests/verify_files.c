// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11 over what happens to files: a process that was killed, a journal that went on, files of a size, a
 * flight recorder, what was salvaged.
 */

#include "session.h"

#include <signal.h>
#include <sys/wait.h>

typedef struct verdict {
  mainstem_status opened, status;
  mainstem_replay_info info;
  uint32_t field;
  char message[200];
} verdict;

static verdict verify(uint32_t threads, const char *path, uint64_t which) {
  verdict found = {0};
  session self = {0};
  mainstem_replay *replay;
  mainstem_context *context = context_open(threads);
  found.opened = mainstem_replay_open(
      context, path, OPTIONS(replay, .mode = MAINSTEM_REPLAY_VERIFY, .session = which), &replay);
  if (found.opened != MAINSTEM_OK) {
    EXPECT_OK(mainstem_context_close(context));
    return found;
  }
  session_install(&self, threads, context);
  found.status = mainstem_replay_step(replay, 0, NULL);
  found.info = replay_info(replay);
  mainstem_replay_difference difference = replay_difference(replay);
  found.field = difference.field;
  snprintf(found.message, sizeof found.message, "%s", difference.message);
  session_end(&self);
  return found;
}

static void expect_same(verdict found) {
  EXPECT_OK(found.opened);
  if (found.field != 0) fprintf(stderr, "  %s\n", found.message);
  EXPECT_OK(found.status);
  EXPECT(found.info.flags & MAINSTEM_REPLAY_ENDED);
  EXPECT_EQUAL(found.info.verified_until, found.info.last);
}

/* Goes on recording, or begins. */
static void record(uint32_t threads, const char *path, const mainstem_journal_options *options,
                   uint64_t seed, int count) {
  session self = {0};
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, options));
  session_install(&self, threads, context);
  session_play(&self, seed, count);
  session_end(&self);
}

static int countdown;

static void kill_here(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event;
  if (--countdown == 0) kill(getpid(), SIGKILL);
}

/* In the midst of a turn: in the delivery of what a callback sent. */
static void record_until_killed(uint32_t threads, const char *path, uint64_t seed, int events) {
  int status;
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    session self = {0};
    mainstem_context *context = context_open(threads);
    EXPECT_OK(mainstem_journal_record(context, path, NULL));
    session_install(&self, threads, context);
    countdown = events;
    EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, kill_here, NULL, NULL, NULL));
    session_play(&self, seed, 1000);
    _exit(1);
  }
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

CASE(a_killed_session_verifies_that_far, IN_BOTH) {
  for (int events = 1; events < 60; events++) {
    const char *path = journal_path("killed");
    record_until_killed(threads, path, (uint64_t)events, events);
    verdict found = verify(threads, path, 1);
    expect_same(found);
    EXPECT_EQUAL(found.info.flags, MAINSTEM_REPLAY_ENDED);
    EXPECT(found.info.last >= (uint64_t)events);
    journal_sweep();
  }
}

/* One that was killed in a turn, one that was closed, and one more. */
CASE(each_session_of_a_file_verifies, IN_BOTH) {
  const char *path = journal_path("sessions");
  record_until_killed(threads, path, 3, 25);
  for (uint64_t seed = 4; seed < 6; seed++) record(threads, path, NULL, seed, 50);
  for (uint64_t which = 1; which <= 3; which++) {
    verdict found = verify(threads, path, which);
    expect_same(found);
    EXPECT_EQUAL(found.info.flags & MAINSTEM_REPLAY_WHOLE, which > 1 ? MAINSTEM_REPLAY_WHOLE : 0);
    EXPECT_EQUAL(found.info.first == 1, which == 1);
  }
  EXPECT_STATUS(verify(threads, path, 4).opened, MAINSTEM_INVALID);
  verdict newest = verify(threads, path, 0);
  expect_same(newest);
  EXPECT_EQUAL(newest.info.first, verify(threads, path, 3).info.first);
  EXPECT_EQUAL(newest.info.last, journal_look(path).last);
}

/* Catches: names that are forgotten with the session, while its last outputs wait to be compared. */
CASE(a_session_with_a_long_last_turn_verifies, IN_BOTH) {
  const char *path = journal_path("turns");
  for (uint64_t which = 1; which <= 3; which++) {
    session self = {0};
    mainstem_context *context = context_open(threads);
    EXPECT_OK(mainstem_journal_record(context, path, NULL));
    session_install(&self, threads, context);
    EXPECT_OK(mainstem_request(context, self.ask, "s", 1, NULL, NULL, NULL));
    session_end(&self);
  }
  for (uint64_t which = 1; which <= 3; which++) expect_same(verify(threads, path, which));
}

CASE(files_of_a_size_verify, IN_BOTH) {
  const char *path = journal_path("files");
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  char second[400];
  options.segment_size = 8192;
  for (uint64_t seed = 1; seed < 3; seed++) record(threads, path, &options, seed, 200);
  snprintf(second, sizeof second, "%s.000003", path);
  EXPECT(journal_size(second) > 0);
  for (uint64_t which = 1; which < 3; which++) expect_same(verify(threads, path, which));
  EXPECT_EQUAL(verify(threads, path, 0).info.first, verify(threads, path, 2).info.first);
}

/* What servers knew when its first file began is not there; a whole session behind it can be proven. */
CASE(a_flight_recorder_verifies_whole_sessions_only, IN_BOTH) {
  const char *path = journal_path("last");
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  options.segment_size = 8192;
  options.keep = 3;
  record(threads, path, &options, 1, 300);
  EXPECT_STATUS(verify(threads, path, 0).opened, MAINSTEM_UNSUPPORTED);
  EXPECT_STATUS(verify(threads, path, 1).opened, MAINSTEM_UNSUPPORTED);
  record(threads, path, &options, 2, 10);
  verdict found = verify(threads, path, 2);
  expect_same(found);
  EXPECT(found.info.first > 300);
  EXPECT_EQUAL(verify(threads, path, 0).info.first, found.info.first);
}

static void flip(const char *path, size_t at) {
  uint8_t byte;
  int fd = open(path, O_RDWR);
  EXPECT(fd >= 0);
  EXPECT_EQUAL(pread(fd, &byte, 1, (off_t)at), 1);
  byte ^= 1;
  EXPECT_EQUAL(pwrite(fd, &byte, 1, (off_t)at), 1);
  close(fd);
}

/* Damage is refused; of what was salvaged all is proven that is there before the first loss. */
CASE(what_was_salvaged_verifies_up_to_the_loss, IN_BOTH) {
  const char *path = session_record(threads, 9, 100);
  const char *whole = journal_path("whole"), *damaged = journal_path("damaged");
  mainstem_salvage_report report = {.size = sizeof report};
  uint64_t last = journal_look(path).last;
  EXPECT_OK(mainstem_journal_salvage(path, whole, &report));
  verdict found = verify(threads, whole, 0);
  expect_same(found);
  EXPECT_EQUAL(found.info.last, last);
  flip(path, journal_size(path) / 2);
  EXPECT_STATUS(verify(threads, path, 0).opened, MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_salvage(path, damaged, &report));
  found = verify(threads, damaged, 0);
  EXPECT_OK(found.opened);
  EXPECT(found.status == MAINSTEM_OK || found.status == MAINSTEM_UNSUPPORTED);
  EXPECT_EQUAL(found.field, 0);
  EXPECT(found.info.verified_until > 20 && found.info.verified_until < last);
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What other programs do to a journal while it is recorded: it is told, at the latest by the close. */

#include "journal.h"

static void take_away(const char *path) { EXPECT_EQUAL(unlink(path), 0); }

static void replace(const char *path) {
  const char *other = journal_path("another");
  int fd = open(other, O_RDWR | O_CREAT, 0600);
  EXPECT(fd >= 0 && ftruncate(fd, (off_t)journal_size(path)) == 0);
  close(fd);
  EXPECT_EQUAL(rename(other, path), 0);
}

/* As cp does: cut, and as long again. */
static void write_over(const char *path) {
  size_t size = journal_size(path);
  EXPECT_EQUAL(truncate(path, 0), 0);
  EXPECT_EQUAL(truncate(path, (off_t)size), 0);
}

/* What other programs do to a file that they do not look at: they cut it, or something else. */
static const struct {
  const char *what;
  off_t size;
  void (*change)(const char *path);
  int is_told_late; /* By the close. */
} ways[] = {
    {"cut to nothing", 0, NULL, 0},  {"cut to half", 1000, NULL, 0},
    {"cut a little", 2000, NULL, 0}, {"taken away", 0, take_away, 0},
    {"replaced", 0, replace, 0},     {"written over", 0, write_over, 1},
};

static void change_from_outside(const char *path, size_t way) {
  expect_sentence = ways[way].what;
  if (ways[way].change != NULL) ways[way].change(path);
  else EXPECT_EQUAL(truncate(path, ways[way].size), 0);
}

/* Sends and a close that say OK while what they record is gone. */
static void expect_told(size_t way, uint32_t level, uint32_t threads) {
  stream on = stream_open(threads);
  mainstem_journal_options options = journal_options(level);
  const char *path = journal_path("outside");
  mainstem_status status = MAINSTEM_OK;
  int sends = 0, is_late = level == MAINSTEM_JOURNAL_BUFFERED || ways[way].is_told_late;
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  for (int i = 0; i < 20; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "before", 6));
  EXPECT_OK(mainstem_flush(on.context));
  change_from_outside(path, way);
  while (status == MAINSTEM_OK && sends++ < 17 && !ways[way].is_told_late)
    status = mainstem_send(on.context, on.notice, "after", 5);
  EXPECT_STATUS(status, is_late ? MAINSTEM_OK : MAINSTEM_CORRUPT);
  if (!is_late) {
    EXPECT(level != MAINSTEM_JOURNAL_POWER || sends == 1);
    EXPECT_TEXT(mainstem_last_error(), "mainstem_send: context: has stopped: another program has "
                                       "changed or removed its journal");
    EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_CORRUPT);
    EXPECT_EQUAL(journal_stats(on.context).status, MAINSTEM_CORRUPT);
  }
  EXPECT_STATUS(mainstem_context_close(on.context), is_late ? MAINSTEM_CORRUPT : MAINSTEM_OK);
  if (is_late) EXPECT(strstr(mainstem_last_error(), "changed or removed its journal") != NULL);
  journal_sweep();
}

CASE(a_journal_changed_from_outside_is_told, IN_BOTH) {
  for (size_t way = 0; way < COUNT(ways); way++)
    for (uint32_t level = MAINSTEM_JOURNAL_PROCESS; level <= MAINSTEM_JOURNAL_BUFFERED; level++)
      expect_told(way, level, threads);
}

/* Catches: a hole that looks like the file's end, since the room behind was reserved anew. */
CASE(a_cut_that_was_written_over_is_told, IN_BOTH) {
  static char bytes[100000];
  const char *path = journal_path("hole");
  stream on = journal_stream(threads, path, NULL);
  int sends = 0;
  EXPECT_OK(mainstem_send(on.context, on.notice, bytes, sizeof bytes));
  EXPECT_EQUAL(truncate(path, 5000), 0);
  while (mainstem_send(on.context, on.notice, bytes, sizeof bytes) == MAINSTEM_OK) sends++;
  EXPECT(sends < 16);
  EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_CORRUPT);
  mainstem_context_close(on.context);
}

/* A file that gets another name is the same file. */
CASE(a_journal_may_be_renamed, IN_BOTH) {
  const char *path = journal_path("before"), *after = journal_path("after");
  stream on = journal_stream(threads, path, NULL);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(rename(path, after), 0);
  for (int i = 0; i < 40; i++) EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(after).last, 41);
}

/* Catches: a segment that is left without a look at it. */
CASE(a_segment_changed_from_outside_is_told, IN_BOTH) {
  for (size_t way = 0; way < COUNT(ways); way++) {
    static char bytes[1000];
    stream on = stream_open(threads);
    mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
    mainstem_status status = MAINSTEM_OK;
    const char *path = journal_path("cut");
    options.segment_size = 8000;
    EXPECT_OK(mainstem_journal_record(on.context, path, &options));
    for (int i = 0; i < 12; i++) EXPECT_OK(mainstem_send(on.context, on.notice, bytes, 1000));
    change_from_outside(journal_path("cut.000002"), way);
    for (int i = 0; i < 12 && status == MAINSTEM_OK; i++)
      status = mainstem_send(on.context, on.notice, bytes, 1000);
    EXPECT_STATUS(status, MAINSTEM_CORRUPT);
    EXPECT_EQUAL(access(journal_path("cut.000003"), F_OK), -1);
    journal_end(&on);
  }
}

int main(void) { return journal_expect_all(); }

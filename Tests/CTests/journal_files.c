// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The files of a journal: what is none, what was only begun, and which ones follow each other. */

#include "journal_reading.h"

/* Files that are opened ---------------------------------------------------------------------------- */

static void put_bytes(const char *path, const void *bytes, size_t size) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
  close(fd);
}

static void put_pipe(const char *path) { EXPECT_EQUAL(mkfifo(path, 0600), 0); }

static void put_hole(const char *path) {
  put_bytes(path, "", 0);
  EXPECT_EQUAL(truncate(path, (off_t)1 << 40), 0);
}

static void put_version(const char *path, int is_sealed) {
  journal_bytes made = one_of_each();
  put32(made.bytes + 8, 4);
  if (is_sealed) put32(made.bytes + 124, crc32c(0, made.bytes, 124));
  journal_write(&made, path);
  journal_free(&made);
}

static void put_changed_version(const char *path) { put_version(path, 0); }

static void put_later_version(const char *path) { put_version(path, 1); }

#define BYTES(text) .bytes = text, .size = sizeof(text)

/* Who opens what is no journal is told why, at once. The file is at `path`, or is made: bytes, or by `put`. */
static const struct {
  const char *what;
  mainstem_status status;
  const char *message, *path, *bytes;
  size_t size;
  void (*put)(const char *path);
} refusals[] = {
    {"no path", MAINSTEM_INVALID, "path: must not be NULL", .path = NULL},
    {"an empty path", MAINSTEM_INVALID, "path: is empty", .path = ""},
    {"a folder", MAINSTEM_IO, "(Is a directory)", .path = "/"},
    {"a device", MAINSTEM_IO, "(Not a regular file)", .path = "/dev/null"},
    {"nothing", MAINSTEM_IO, "(No such file or directory) cannot be opened as a journal",
     .path = "/nowhere/at all"},
    {"a pipe that nobody writes", MAINSTEM_IO, "(Not a regular file)", .put = put_pipe},
    {"a hole of a terabyte", MAINSTEM_CORRUPT, "is not a journal", .put = put_hole},
    {"another program's file", MAINSTEM_CORRUPT, "is not a journal", BYTES("SQLite format 3")},
    {"another signature", MAINSTEM_CORRUPT, "is not a journal", BYTES("\x89MSI\r\n\x1a\n")},
    {"the begin of another one", MAINSTEM_CORRUPT, "is not a journal", BYTES("\x89MSI")},
    {"zeros, and then none", MAINSTEM_CORRUPT, "is not a journal", BYTES("\0\0\0\0\0\0\0x")},
    {"a header that was changed", MAINSTEM_CORRUPT, "its header is damaged",
     .put = put_changed_version},
    {"a later version", MAINSTEM_VERSION, "none (version 4) has a version of the format",
     .put = put_later_version},
};

static void expect_refused(const char *path, mainstem_status status, const char *message) {
  mainstem_journal *journal = (mainstem_journal *)&journal;
  EXPECT_STATUS(mainstem_journal_open(path, &journal), status);
  EXPECT(journal == NULL);
  if (strstr(mainstem_last_error(), message) == NULL) EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(what_is_no_journal_is_refused_at_once, IN_ONE) {
  const char *own = journal_path("none");
  for (size_t i = 0; i < COUNT(refusals); i++) {
    expect_sentence = refusals[i].what;
    if (refusals[i].put != NULL) refusals[i].put(own);
    if (refusals[i].bytes != NULL) put_bytes(own, refusals[i].bytes, refusals[i].size);
    const char *path = access(own, F_OK) == 0 ? own : refusals[i].path;
    expect_refused(path, refusals[i].status, refusals[i].message);
    unlink(own);
  }
  EXPECT_STATUS(mainstem_journal_open(own, NULL), MAINSTEM_INVALID);
}

/* Room of a terabyte, which a writer reserved; and a file that is removed while it is read. */
CASE(what_is_behind_and_its_name_do_not_matter, IN_ONE) {
  const char *path = journal_path("none");
  journal_bytes made = one_of_each();
  journal_write(&made, path);
  EXPECT_EQUAL(truncate(path, (off_t)1 << 40), 0);
  expect_events(path, 3, MAINSTEM_OK);
  mainstem_journal *journal = opened(path);
  unlink(path);
  EXPECT(next_of(journal) != NULL);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

static void expect_not_begun(const char *path, uint64_t torn) {
  mainstem_journal *journal = opened(path);
  uint8_t batch[100];
  size_t count = 1;
  EXPECT(next_of(journal) == NULL && next_of(journal) == NULL);
  EXPECT_OK(mainstem_journal_next_many(journal, 0, batch, sizeof batch, &count, NULL));
  EXPECT_EQUAL(count, 0);
  mainstem_journal_info info = info_of(journal);
  EXPECT(info.is_read == 1 && info.is_clean == 0 && info.damaged_file == 0 && info.first == 0);
  EXPECT(info.files == 0 && info.sessions == 0 && info.events == 0 && info.last == 0);
  EXPECT(info.bytes == 0 && info.torn_bytes == torn);
  EXPECT_OK(mainstem_journal_close(journal));
}

/* A crash before the first header was whole: no journal was begun, and recording begins it. */
CASE(a_first_header_that_is_torn_is_an_empty_journal, IN_ONE) {
  static const size_t zeros[] = {0, 1, 100000, 8 << 20};
  const char *path = journal_path("begun"), *first = journal_path("begun.000001");
  const char *second = journal_path("begun.000002");
  journal_bytes made = one_of_each();
  for (size_t size = 0; size < FILE_HEADER; size++) {
    size_t torn = size;
    while (torn > 0 && made.bytes[torn - 1] == 0) torn--;
    put_bytes(path, made.bytes, size);
    expect_not_begun(path, torn);
  }
  for (size_t i = 0; i < COUNT(zeros); i++) {
    put_bytes(path, "", 0);
    EXPECT_EQUAL(truncate(path, (off_t)zeros[i]), 0);
    expect_not_begun(path, 0);
  }
  unlink(path);
  put_bytes(first, made.bytes, 64);
  expect_not_begun(path, 64);
  /* Another one follows: it was begun, and is damaged. */
  put_bytes(first, "", 0);
  put_bytes(second, "", 0);
  expect_refused(path, MAINSTEM_CORRUPT, "begun is not a journal");
  journal_free(&made);
}

/* Files that follow each other ---------------------------------------------------------------------- */

enum { SEGMENTS = 5, EACH = 5 };

static journal_bytes segments[SEGMENTS];

static const char *segment(uint64_t number) {
  char name[64];
  snprintf(name, sizeof name, "segments.%06d", (int)number);
  return journal_path(name);
}

static void fill_segment(journal_bytes *made, int is_continued) {
  journal_session(made, is_continued);
  for (int event = 0; event < EACH; event++) journal_event(made, 1, "x", 1);
}

/* PATH.000001 … of five events each; 999,999 is followed by 1,000,000. */
static void write_segments(uint64_t first) {
  for (uint64_t i = 0; i < SEGMENTS; i++) {
    journal_bytes start = {0};
    start.number = first - 1;
    segments[i] = journal_file(9, i > 0 ? &segments[i - 1] : first > 1 ? &start : NULL);
    fill_segment(&segments[i], i > 0);
    journal_write(&segments[i], segment(first + i));
  }
}

static void remove_segments(uint64_t first) {
  for (uint64_t i = 0; i < SEGMENTS; i++) {
    unlink(segment(first + i));
    journal_free(&segments[i]);
  }
}

CASE(files_follow_each_other, IN_ONE) {
  static const uint64_t begins[] = {1, 41, 999997};
  for (size_t i = 0; i < COUNT(begins); i++) {
    write_segments(begins[i]);
    expect_events(journal_path("segments"), 25, MAINSTEM_OK);
    unlink(segment(begins[i])); /* A flight recorder keeps the last. */
    expect_events(journal_path("segments"), 20, MAINSTEM_OK);
    expect_events(segment(begins[i] + 2), 5, MAINSTEM_OK); /* One alone. */
    unlink(segment(begins[i] + 2));                        /* A hole. */
    expect_events(journal_path("segments"), 5, MAINSTEM_CORRUPT);
    remove_segments(begins[i]);
  }
}

/* Instead of the fourth file, one that begins where it does, and is the last: nothing behind it tells. */
static void replace_fourth(uint64_t id) {
  journal_bytes other = journal_file(id, &segments[2]);
  unlink(segment(5));
  journal_write(&other, segment(4));
  journal_free(&other);
}

static void hurt_its_header(void) {
  segments[3].bytes[FILE_HEADER - 1] ^= 1;
  journal_write(&segments[3], segment(4));
}

static void empty_it(void) { put_bytes(segment(4), "", 0); }

static void take_one_of_another_journal(void) { replace_fourth(10); }

static void take_one_behind_another_record(void) {
  segments[2].link++;
  replace_fourth(9);
}

static void tear_the_one_before(void) {
  segments[2].size -= 8;
  journal_write(&segments[2], segment(3));
}

/* What makes of a file one that does not go on where the last one ended, and how many events are before it. */
static const struct {
  const char *what;
  void (*hurt)(void);
  uint64_t events;
} breaks[] = {
    {"its header is damaged", hurt_its_header, 15},
    {"nothing is in it, and another one follows", empty_it, 15},
    {"it is of another journal", take_one_of_another_journal, 15},
    {"it is behind another record", take_one_behind_another_record, 15},
    {"the one before is torn", tear_the_one_before, 14},
};

CASE(a_file_that_does_not_continue_is_damage, IN_ONE) {
  for (size_t i = 0; i < COUNT(breaks); i++) {
    expect_sentence = breaks[i].what;
    write_segments(1);
    breaks[i].hurt();
    expect_events(journal_path("segments"), breaks[i].events, MAINSTEM_CORRUPT);
    remove_segments(1);
  }
}

/* A crash while the last file was made: what is in it is torn, whatever it is. */
CASE(a_last_file_without_a_header_is_a_torn_tail, IN_ONE) {
  write_segments(1);
  for (size_t size = 0; size < FILE_HEADER; size++) {
    put_bytes(segment(5), segments[4].bytes, size);
    mainstem_journal *journal = opened(journal_path("segments"));
    for (int i = 0; i < 20; i++) EXPECT(next_of(journal) != NULL);
    EXPECT(next_of(journal) == NULL);
    EXPECT(info_of(journal).torn_bytes <= size && info_of(journal).torn_bytes + 60 >= size);
    EXPECT_OK(mainstem_journal_close(journal));
  }
  remove_segments(1);
}

int main(void) { return journal_expect_all(); }

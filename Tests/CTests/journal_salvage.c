// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* FAULTS 3.6: salvaging takes every intact event, and names every position that is missing. */

#include "journal_segments.h"

enum { RANGES = 64 };

static mainstem_gap ranges[RANGES];
static char copy[512];

static mainstem_salvage_report salvage(const char *path) {
  mainstem_salvage_report report = {
      .size = sizeof report, .range_capacity = RANGES, .ranges = ranges};
  EXPECT_OK(mainstem_journal_salvage(path, copy, &report));
  return report;
}

/* What is in the copy: exactly the records that are not hurt, and a range for each hole between them. */
static void expect_all_but(const original *made, const uint8_t *is_hurt) {
  mainstem_salvage_report report = salvage(made->path);
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  const mainstem_event *event;
  uint64_t events = 0, lost = 0;
  EXPECT_OK(mainstem_journal_open(copy, &journal));
  for (size_t i = 0; i < made->count; i++) {
    if (is_hurt[i] || !is_event(made, i)) continue;
    EXPECT_OK(mainstem_journal_next(journal, 0, &event));
    EXPECT(event != NULL);
    expect_same(made, i, event);
    EXPECT_EQUAL(report.first <= event->position && event->position <= report.last, 1);
    events++;
  }
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT(event == NULL);
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT_OK(mainstem_journal_close(journal));
  EXPECT(info.torn_bytes == 0 && info.digest_position <= info.last);
  EXPECT(memcmp(info.id, made->journal.id, 16) != 0);
  EXPECT_EQUAL(report.events, events);
  for (uint64_t i = 0; i < report.range_count && i < RANGES; i++) {
    EXPECT_EQUAL(ranges[i].count, ranges[i].to - ranges[i].from + 1);
    EXPECT(i == 0 || ranges[i].from > ranges[i - 1].to);
    lost += ranges[i].count;
  }
  if (report.range_count <= RANGES) EXPECT_EQUAL(report.lost_positions, lost);
  unlink(copy);
}

CASE(nothing_is_lost_of_what_is_whole, IN_ONE) {
  original made = make(1, 65536);
  static uint8_t none[MOST];
  mainstem_salvage_report report = salvage(made.path);
  unlink(copy);
  expect_all_but(&made, none);
  EXPECT(report.range_count == 0 && report.lost_positions == 0 && report.lost_bytes == 0);
  EXPECT(report.first > 0 && report.last == made.journal.last);
  destroy(&made);
}

CASE(every_intact_event_is_kept, IN_ONE) {
  for (int round = 0; round < 80; round++) {
    original made = make((uint64_t)round + 2, 16384);
    uint8_t is_hurt[MOST] = {0};
    int fd = open(made.path, O_RDWR);
    for (uint64_t hurts = 1 + pick(9); hurts > 0; hurts--) {
      size_t record = 3 + pick(made.count - 3); /* The names are another matter. */
      size_t begin = made.begin[record], length = made.begin[record + 1] - begin;
      size_t at = begin + pick(length), most = made.journal.size - at;
      uint8_t noise[2000];
      size_t count = pick(3) == 0 ? 1 + pick(most < 2000 ? most : 2000) : 1;
      for (size_t i = 0; i < count; i++) noise[i] = (uint8_t)~made.journal.bytes[at + i];
      write_at(fd, noise, count, at);
      while (record < made.count && made.begin[record] < at + count) is_hurt[record++] = 1;
    }
    close(fd);
    expect_all_but(&made, is_hurt);
    destroy(&made);
  }
}

/* Catches: a key taken from a header that is damaged. The first two records give it back. */
CASE(a_damaged_header_costs_nothing, IN_ONE) {
  original made = make(200, 4096);
  static uint8_t none[MOST], hurt[MOST] = {1, 1, 1};
  int fd = open(made.path, O_RDWR);
  for (size_t at = 0; at < FILE_HEADER; at++) {
    uint8_t byte = made.journal.bytes[at] ^ (uint8_t)(1 << pick(8));
    write_at(fd, &byte, 1, at);
    expect_all_but(&made, none);
    write_at(fd, &made.journal.bytes[at], 1, at);
  }
  memset(ranges, 0, sizeof ranges);
  write_at(fd, ranges, FILE_HEADER, 0);
  expect_all_but(&made, none);
  /* With the first records: the next two give the key. */
  write_at(fd, ranges, made.begin[3] - FILE_HEADER, FILE_HEADER);
  expect_all_but(&made, hurt);
  close(fd);
  destroy(&made);
}

/* A copy of a record elsewhere is none of the journal's: what is between stays. */
CASE(a_copied_record_hides_nothing, IN_ONE) {
  original made = make(201, 16384);
  static uint8_t none[MOST];
  for (int round = 0; round < 60; round++) {
    size_t from = 3 + pick(made.count - 3), to = 3 + pick(made.count - 3);
    put_in(&made, made.begin[to], made.begin[to], made.journal.bytes + made.begin[from],
           made.begin[from + 1] - made.begin[from]);
    expect_all_but(&made, none);
  }
  destroy(&made);
}

/* Several windows, several files, records that are longer than a window. */

static segments large;

/* The positions that no intact record names, up to the last one that one does. */
static uint64_t lost_positions(const segments *made) {
  uint64_t last = 0, lost = 0;
  int is_begun = !made->has_no_header[0]; /* Else nobody knows what its first position was. */
  for (size_t file = 0; file < FILES; file++) {
    const original *self = &made->files[file];
    for (size_t i = 0; i < self->count; i++) {
      mainstem_event_header header;
      uint64_t skipped[2], first, end;
      if (made->is_hurt[file][i]) continue;
      memcpy(&header, self->journal.bytes + self->begin[i], sizeof header);
      memcpy(skipped, self->journal.bytes + self->begin[i] + 64, sizeof skipped);
      first = end = header.position;
      if (header.type == 0) first++;
      if (header.type == 0 && header.status == SKIPPED) first = skipped[0], end = skipped[1];
      if (!is_begun) last = first - 1;
      is_begun = 1;
      if (header.type == 0 && (header.status == TYPE || header.status == ORIGIN)) continue;
      if (first > last + 1) lost += first - last - 1;
      last = end;
    }
  }
  return lost;
}

/* The copy has each intact event, and says what else is missing. */
static void expect_all_that_is_intact(const segments *made) {
  mainstem_salvage_report report = salvage(made->path);
  mainstem_journal *journal;
  const mainstem_event *event;
  uint64_t events = 0, lost = lost_positions(made), size = 0;
  EXPECT_OK(mainstem_journal_open(copy, &journal));
  for (size_t file = 0; file < FILES; file++) {
    for (size_t i = 0; i < made->files[file].count; i++) {
      if (made->is_hurt[file][i] || !is_event(&made->files[file], i)) continue;
      EXPECT_OK(mainstem_journal_next(journal, 0, &event));
      if (event == NULL ||
          memcmp(event, made->files[file].journal.bytes + made->files[file].begin[i], 8) != 0)
        fprintf(stderr, "  %s: record %zu of file %zu\n", made->done, i, file + 1);
      EXPECT(event != NULL);
      expect_same(&made->files[file], i, event);
      events++;
    }
    size += made->files[file].journal.size;
  }
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT(event == NULL);
  EXPECT_OK(mainstem_journal_close(journal));
  EXPECT_EQUAL(report.events, events);
  if (report.lost_positions != lost) fprintf(stderr, "  %s\n", made->done);
  EXPECT_EQUAL(report.lost_positions, lost);
  EXPECT(report.lost_bytes <= 2 * size);
  unlink(copy);
}

static uint64_t lost_bytes(const segments *made) {
  mainstem_salvage_report report = salvage(made->path);
  unlink(copy);
  return report.lost_bytes;
}

CASE(nothing_intact_is_left_out_of_large_files, IN_ONE) {
  make_segments(&large, 400);
  expect_all_that_is_intact(&large);
  EXPECT_EQUAL(lost_bytes(&large), 0);
  for (int round = 0; round < trials(300); round++) {
    hurt_somehow(&large);
    expect_all_that_is_intact(&large);
    heal(&large);
  }
  for (int round = 0; round < trials(100); round++) {
    if (!splice_somehow(&large)) memset(large.is_hurt, 0, sizeof large.is_hurt);
    expect_all_that_is_intact(&large);
    heal(&large);
  }
  destroy_segments(&large);
}

/* Catches: the end of a window taken for the end of the file, wherever the window begins. */
CASE(each_record_of_large_files_can_be_the_lost_one, IN_ONE) {
  make_segments(&large, 401);
  for (size_t file = 0; file < FILES; file++) {
    const original *self = &large.files[file];
    /* Not the first three, whose names are another matter, and the last, which may end with zeros. */
    for (size_t i = 3 + pick(5); i + 1 < self->count; i += 1 + pick(9) * (trials(1) == 1)) {
      flip_bit(&large, file, self->begin[i] * 8 + pick(68 * 8));
      expect_all_that_is_intact(&large);
      EXPECT_EQUAL(lost_bytes(&large), self->begin[i + 1] - self->begin[i]);
      heal(&large);
    }
  }
  destroy_segments(&large);
}

/* Healthy, and of nothing but records of one length: the window ends at every place of a record. */
CASE(records_of_any_length_are_all_kept, IN_ONE) {
  static const size_t lengths[] = {4, 5000, 70000, WINDOW - 68, 2 * WINDOW};
  static uint8_t payload[2 * WINDOW];
  char path[512];
  snprintf(path, sizeof path, "%s", journal_path("even"));
  for (size_t i = 0; i < COUNT(lengths); i++) {
    journal_bytes made = journal_file(402, NULL);
    uint64_t count = 3 * WINDOW / lengths[i] + 5;
    if (lengths[i] == 5000) count = 4000; /* 20 MB */
    if (count > 20000) count = 20000;
    journal_session(&made, 0);
    journal_type(&made, 1, MAINSTEM_PAYLOAD_BYTES, "Sample", "");
    for (uint64_t event = 0; event < count; event++) journal_event(&made, 1, payload, lengths[i]);
    journal_write(&made, path);
    mainstem_salvage_report report = salvage(path);
    EXPECT_EQUAL(report.events, count);
    EXPECT(report.lost_positions == 0 && report.lost_bytes == 0);
    unlink(copy);
    journal_free(&made);
  }
  unlink(path);
}

CASE(names_that_are_lost_are_replaced, IN_ONE) {
  original made = make(202, 4096);
  uint8_t is_hurt[MOST] = {1, 1, 1};
  mainstem_journal *journal;
  mainstem_type_info type = {.size = sizeof type};
  const mainstem_event *event;
  int fd = open(made.path, O_RDWR);
  memset(ranges, 0, sizeof ranges);
  write_at(fd, ranges, made.begin[3] - FILE_HEADER, FILE_HEADER);
  close(fd);
  expect_all_but(&made, is_hurt);
  salvage(made.path);
  EXPECT_OK(mainstem_journal_open(copy, &journal));
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT_OK(mainstem_journal_type_read(journal, 1, &type));
  EXPECT_TEXT(type.name, "MainstemUnknown1");
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(copy);
  destroy(&made);
}

static const char *segment(int number) {
  char name[64];
  snprintf(name, sizeof name, "segments.%06d", number);
  return journal_path(name);
}

/* Three files of five events each, of which one is missing or has no header. */
static const struct {
  const char *what;
  int missing, headless; /* Which one, from 1 on. */
  uint64_t events, lost_positions, lost_bytes;
} losses[] = {
    {"the first is missing", 1, 0, 10, 0, 0},
    {"the second is missing", 2, 0, 10, 5, 0},
    {"the last is missing", 3, 0, 10, 0, 0},
    {"the first has no header", 0, 1, 15, 0, FILE_HEADER},
    {"the second has no header", 0, 2, 15, 0, FILE_HEADER},
    {"the last has no header", 0, 3, 15, 0, FILE_HEADER},
};

CASE(what_is_left_of_files_is_kept, IN_ONE) {
  journal_bytes files[3];
  char path[512];
  snprintf(path, sizeof path, "%s", journal_path("segments"));
  for (size_t loss = 0; loss < COUNT(losses); loss++) {
    expect_sentence = losses[loss].what;
    for (int i = 0; i < 3; i++) {
      files[i] = journal_file(77, i > 0 ? &files[i - 1] : NULL);
      journal_session(&files[i], i > 0);
      journal_type(&files[i], 1, MAINSTEM_PAYLOAD_BYTES, "Sample", "");
      for (int event = 0; event < 5; event++) journal_event(&files[i], 1, "x", 1);
    }
    for (int i = 0; i < 3; i++) {
      if (losses[loss].headless == i + 1) memset(files[i].bytes, 0, FILE_HEADER);
      if (losses[loss].missing != i + 1) journal_write(&files[i], segment(i + 1));
    }
    mainstem_salvage_report report = salvage(path);
    EXPECT_EQUAL(report.events, losses[loss].events);
    EXPECT_EQUAL(report.lost_positions, losses[loss].lost_positions);
    EXPECT_EQUAL(report.lost_bytes, losses[loss].lost_bytes);
    EXPECT_EQUAL(report.range_count, losses[loss].lost_positions > 0);
    if (report.range_count > 0) EXPECT(ranges[0].from == 6 && ranges[0].to == 10);
    unlink(copy);
    for (int i = 0; i < 3; i++) {
      unlink(segment(i + 1));
      journal_free(&files[i]);
    }
  }
}

static void refused(const char *path, const char *to, mainstem_status status, const char *reason) {
  EXPECT_STATUS(mainstem_journal_salvage(path, to, NULL), status);
  EXPECT(strstr(mainstem_last_error(), reason) != NULL);
}

CASE(what_cannot_be_salvaged_is_refused, IN_ONE) {
  original made = make(203, 4096);
  mainstem_salvage_report report = {.size = 4};
  char zeros[512];
  refused(NULL, copy, MAINSTEM_INVALID, "path: must not be NULL");
  refused(made.path, NULL, MAINSTEM_INVALID, "to: must not be NULL");
  refused("", copy, MAINSTEM_INVALID, "path: is empty");
  refused(made.path, "", MAINSTEM_INVALID, "to: is empty");
  refused(made.path, made.path, MAINSTEM_INVALID, "already exists");
  refused(journal_path("nothing"), copy, MAINSTEM_IO, "No such file");
  refused(made.path, "/nowhere/at/all", MAINSTEM_IO, "is in a directory that does not exist");
  EXPECT_STATUS(mainstem_journal_salvage(made.path, copy, &report), MAINSTEM_INVALID);
  snprintf(zeros, sizeof zeros, "%s", journal_path("zeros"));
  EXPECT(rename(made.path, zeros) == 0 && truncate(zeros, 0) == 0);
  EXPECT(truncate(zeros, (off_t)1 << 40) == 0);
  refused(zeros, copy, MAINSTEM_CORRUPT, "has nothing of a journal in it");
  EXPECT(access(copy, F_OK) != 0);
  put32(made.journal.bytes + 8, 4);
  put32(made.journal.bytes + 124, crc32c(0, made.journal.bytes, 124));
  journal_write(&made.journal, zeros);
  refused(zeros, copy, MAINSTEM_VERSION, "(version 4)");
  unlink(zeros);
  destroy(&made);
  rmdir(journal_path(""));
}

int main(void) {
  /* In memory, where there is such a place: thousands of files are written. */
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  snprintf(copy, sizeof copy, "%s", journal_path("copy"));
  return expect_all();
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A journal of 1 MiB in three files, each of several windows of the library's (128 KiB), with records that are as
 * long as a window and longer; and faults to put in it.
 */

#ifndef JOURNAL_SEGMENTS_H
#define JOURNAL_SEGMENTS_H

#include "journal_samples.h"

enum { FILES = 3, WINDOW = 1 << 17, SECTOR = 512, RESERVED = 40000 };

typedef struct segments {
  original files[FILES];
  uint8_t is_hurt[FILES][MOST]; /* Which records are not as they were. */
  uint8_t has_no_header[FILES];
  struct {
    size_t from, to;
  } changed[FILES]; /* All that was changed in a file lies between. */
  char path[512];
  char done[128]; /* What was done last. */
} segments;

/* How often a test repeats what it does with chance: MAINSTEM_ALL_FAULTS=1 does all there is to do, MAINSTEM_FEW_FAULTS=1
   a sixth of what is usual. */
static inline int trials(int usual) {
  const char *all = getenv("MAINSTEM_ALL_FAULTS"), *few = getenv("MAINSTEM_FEW_FAULTS");
  if (all == NULL || *all == '\0') return few == NULL ? usual : (usual + 5) / 6;
  alarm(0); /* Hours. */
  return 20 * usual + 1;
}

/* One file: small events, and long ones. */
static inline void make_segment(segments *made, size_t file, uint64_t id) {
  static const size_t longest[FILES][3] = {
      {WINDOW - 68, 5000, 60000}, {2 * WINDOW, 70000, 0}, {WINDOW - 60, WINDOW + 12345, 8}};
  static uint8_t noise[2 * WINDOW];
  original *self = &made->files[file];
  size_t at = 0;
  char name[32];
  memset(self, 0, sizeof *self);
  for (size_t i = 0; i < sizeof noise; i += 8) put64(noise + i, pick(UINT64_MAX));
  self->journal = journal_file(id, file > 0 ? &self[-1].journal : NULL);
  journal_session(&self->journal, file > 0);
  journal_type(&self->journal, 1, MAINSTEM_PAYLOAD_BYTES, "Sample", "");
  journal_name(&self->journal, ORIGIN, 1, "Scope");
  for (size_t small = 0; small < 420; small++) {
    journal_event(&self->journal, 1, noise, pick(4) == 0 ? 0 : pick(600));
    if (pick(9) == 0) journal_skip(&self->journal, 1 + pick(5));
    if (pick(9) == 0) journal_digest(&self->journal, DIGEST, pick(UINT64_MAX));
    if (small % 120 == 70) journal_event(&self->journal, 1, noise, longest[file][at++ % 3]);
  }
  journal_event(&self->journal, 1, noise, 40);
  find_records(self);
  snprintf(name, sizeof name, "large.%06d", (int)file + 1);
  snprintf(self->path, sizeof self->path, "%s", journal_path(name));
  journal_write(&self->journal, self->path);
}

static inline void make_segments(segments *made, uint64_t id) {
  memset(made, 0, sizeof *made);
  snprintf(made->path, sizeof made->path, "%s", journal_path("large"));
  for (size_t file = 0; file < FILES; file++) make_segment(made, file, id);
  /* Room that was reserved and not needed yet. */
  EXPECT(truncate(made->files[FILES - 1].path,
                  (off_t)made->files[FILES - 1].journal.size + RESERVED) == 0);
}

static inline void destroy_segments(segments *made) {
  for (size_t file = 0; file < FILES; file++) destroy(&made->files[file]);
}

/* Notes what is no longer as it was between two places of a file. */
static inline void note_change(segments *made, size_t file, size_t from, size_t to) {
  if (made->changed[file].to == 0 || from < made->changed[file].from)
    made->changed[file].from = from;
  if (to > made->changed[file].to) made->changed[file].to = to;
}

/* Writes bytes over others of a file. */
static inline void overwrite(segments *made, size_t file, size_t at, const uint8_t *bytes,
                             size_t count) {
  const original *self = &made->files[file];
  const uint8_t *before = self->journal.bytes;
  size_t record = 0, end = at + count;
  int fd = open(self->path, O_RDWR);
  EXPECT(fd >= 0 && end <= self->journal.size);
  write_at(fd, bytes, count, at);
  close(fd);
  note_change(made, file, at, end);
  if (at < FILE_HEADER) {
    size_t most = end < FILE_HEADER ? end : FILE_HEADER;
    made->has_no_header[file] |= memcmp(before + at, bytes, most - at) != 0;
  }
  while (record < self->count && self->begin[record + 1] <= at) record++;
  for (; record < self->count && self->begin[record] < end; record++) {
    size_t from = self->begin[record] > at ? self->begin[record] : at;
    size_t to = self->begin[record + 1] < end ? self->begin[record + 1] : end;
    made->is_hurt[file][record] |= memcmp(before + from, bytes + (from - at), to - from) != 0;
  }
}

static inline void flip_bit(segments *made, size_t file, size_t bit) {
  uint8_t byte = made->files[file].journal.bytes[bit / 8] ^ (uint8_t)(1 << bit % 8);
  snprintf(made->done, sizeof made->done, "bit %zu of file %zu flipped", bit, file + 1);
  overwrite(made, file, bit / 8, &byte, 1);
}

/* A disk forgets whole sectors. */
static inline void zero_sectors(segments *made, size_t file, size_t sector, size_t count) {
  static const uint8_t zeros[8 * SECTOR];
  size_t at = sector * SECTOR, most = made->files[file].journal.size - at;
  if (count > 8) count = 8;
  snprintf(made->done, sizeof made->done, "%zu sectors of file %zu zeroed from %zu on", count,
           file + 1, at);
  overwrite(made, file, at, zeros, count * SECTOR < most ? count * SECTOR : most);
}

/* A record says that it is as long as it is not. */
static inline void forge_length(segments *made, size_t file, size_t record, uint32_t size) {
  size_t at = made->files[file].begin[record];
  snprintf(made->done, sizeof made->done, "record %zu of file %zu claims %u bytes", record,
           file + 1, size);
  overwrite(made, file, at + 40, (const uint8_t *)&size, 4);
}

/* The end of a file is lost. */
static inline void cut_file(segments *made, size_t file, size_t size) {
  const original *self = &made->files[file];
  snprintf(made->done, sizeof made->done, "file %zu cut to %zu bytes", file + 1, size);
  EXPECT(truncate(self->path, (off_t)size) == 0);
  note_change(made, file, size, self->journal.size);
  made->has_no_header[file] |= size < FILE_HEADER;
  for (size_t record = 0; record < self->count; record++)
    made->is_hurt[file][record] |= self->begin[record + 1] > size;
}

/* One fault, or some of one kind. */
static inline void hurt_somehow(segments *made) {
  static const uint32_t lengths[] = {0,          8,          131004,     131072,    262144,
                                     0x7fffffff, 0x80000000, 0xffffffff, 0xffffffb8};
  size_t file = pick(FILES);
  const original *self = &made->files[file];
  size_t record = pick(self->count), rest = self->journal.size - self->begin[record];
  uint32_t size;
  memcpy(&size, self->journal.bytes + self->begin[record] + 40, 4);
  switch (pick(7)) {
  case 0:
    cut_file(made, file, pick(2) == 0 ? self->begin[record] : pick(self->journal.size));
    break;
  case 1:
    forge_length(made, file, record, lengths[pick(COUNT(lengths))]);
    break;
  case 2: /* To the file's end, about. */
    forge_length(made, file, record, (uint32_t)(rest - 68 + 8 * pick(4) - 8));
    break;
  case 3: /* The next ones, too. */
    forge_length(made, file, record, size + 8 * (uint32_t)(1 + pick(100)));
    break;
  case 4:
    zero_sectors(made, file, pick(self->journal.size / SECTOR), 1 + pick(8));
    break;
  case 5: /* Where the library's window ends when it begins with a record. */
    for (size_t end = self->begin[record] + WINDOW; end < self->journal.size; end += WINDOW)
      zero_sectors(made, file, end / SECTOR, 1);
    break;
  default:
    for (uint64_t bits = 1 + pick(3); bits > 0; bits--)
      flip_bit(made, file, pick(self->journal.size * 8));
  }
}

/*
 * A record is taken out, takes the place of another one, or stands where there was none. Reading ends before the
 * record that is noted as hurt; gives whether it is lost, too.
 */
static inline int splice_somehow(segments *made) {
  size_t file = pick(FILES);
  const original *self = &made->files[file], *other = &made->files[pick(FILES)];
  size_t i = pick(self->count - 3), kind = pick(3), from = pick(other->count);
  size_t begin = self->begin[i], end = self->begin[i + 1];
  const uint8_t *bytes = other->journal.bytes + other->begin[from];
  snprintf(made->done, sizeof made->done, "record %zu of a file %s %zu of file %zu", from,
           kind == 0   ? "and not"
           : kind == 1 ? "before"
                       : "for",
           i, file + 1);
  if (self == other && (from == i || from == i + 1)) kind = 0;
  put_in(self, begin, kind == 1 ? begin : end, bytes,
         kind == 0 ? 0 : other->begin[from + 1] - other->begin[from]);
  made->is_hurt[file][i] = 1;
  note_change(made, file, begin, self->journal.size);
  return kind != 1;
}

/* Makes all files what they were. */
static inline void heal(segments *made) {
  for (size_t file = 0; file < FILES; file++) {
    const original *self = &made->files[file];
    size_t from = made->changed[file].from, to = made->changed[file].to;
    size_t size = self->journal.size;
    if (to == 0) continue;
    int fd = open(self->path, O_RDWR);
    write_at(fd, self->journal.bytes + from, to - from, from);
    /* What is behind is zeros again. */
    if (to == size) EXPECT(ftruncate(fd, (off_t)size) == 0);
    if (to == size && file == FILES - 1) EXPECT(ftruncate(fd, (off_t)size + RESERVED) == 0);
    close(fd);
  }
  memset(made->changed, 0, sizeof made->changed);
  memset(made->is_hurt, 0, sizeof made->is_hurt);
  memset(made->has_no_header, 0, sizeof made->has_no_header);
}

/* What docs/journal-format.md, "Reading", says of it. */
typedef struct page_says {
  mainstem_status status;
  uint64_t events, damaged_file, damaged_at;
  int is_torn;
} page_says;

static inline int has_intact_from(const segments *made, size_t file, size_t record) {
  while (record < made->files[file].count)
    if (!made->is_hurt[file][record++]) return 1;
  return 0;
}

/* Of all that is in the files. */
static inline uint32_t checksum_of_segments(const segments *made) {
  static uint8_t bytes[WINDOW * 5];
  uint32_t sum = 0;
  for (size_t file = 0; file < FILES; file++) {
    int fd = open(made->files[file].path, O_RDONLY);
    ssize_t count = read(fd, bytes, sizeof bytes);
    close(fd);
    EXPECT(count >= 0 && count < (ssize_t)sizeof bytes);
    sum = crc32c(sum, &count, sizeof count);
    sum = crc32c(sum, bytes, (size_t)count);
  }
  return sum;
}

/* Whether something stands in a file from a place on that is not zeros. */
static inline int has_bytes_from(const segments *made, size_t file, size_t at) {
  static uint8_t bytes[WINDOW * 5];
  int fd = open(made->files[file].path, O_RDONLY);
  ssize_t count = pread(fd, bytes, sizeof bytes, (off_t)at);
  close(fd);
  EXPECT(count >= 0 && count < (ssize_t)sizeof bytes);
  while (count > 0)
    if (bytes[--count] != 0) return 1;
  return 0;
}

static inline page_says damage_at(page_says says, size_t file, size_t at) {
  says.status = MAINSTEM_CORRUPT;
  says.damaged_file = file + 1;
  says.damaged_at = at;
  says.is_torn = 0;
  return says;
}

static inline page_says what_the_page_says(const segments *made) {
  page_says says = {0};
  int is_cut = 0; /* The end of the file before is not there. */
  for (size_t file = 0; file < FILES; file++) {
    const original *self = &made->files[file];
    size_t record = 0;
    if (made->has_no_header[file]) {
      if (file == FILES - 1 && !has_intact_from(made, file, 0)) {
        says.is_torn |= has_bytes_from(made, file, 0);
        return says;
      }
      says = damage_at(says, file, 0);
      if (file == 0) says.damaged_file = 0; /* It is not even opened. */
      return says;
    }
    if (is_cut) return damage_at(says, file, 0);
    while (record < self->count && !made->is_hurt[file][record])
      says.events += (uint64_t)is_event(self, record++);
    if (has_intact_from(made, file, record)) return damage_at(says, file, self->begin[record]);
    is_cut = record < self->count;
    if (is_cut) says.is_torn |= has_bytes_from(made, file, self->begin[record]);
  }
  return says;
}

#endif

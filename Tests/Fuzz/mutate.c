// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Changes journals as one who knows the format: records are taken out, put in and changed field by field, and then all
 * is made right again that nobody would guess: checksums, links, positions. Now and then some of it is left wrong, and
 * one input in eight is changed blindly.
 */

#include "fuzzed.h"

#include "../CTests/journal_bytes.h"

enum { MOST_RECORDS = 256 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static uint64_t state;

static uint64_t pick(uint64_t bound) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31)) % bound;
}

/* Where records begin; the last is where what is no whole record begins. */
typedef struct records {
  size_t begin[MOST_RECORDS + 1], count;
} records;

static records find(const uint8_t *data, size_t size) {
  records found;
  size_t at = FILE_HEADER;
  found.count = 0;
  while (found.count < MOST_RECORDS && at < size && size - at >= 72) {
    uint32_t payload;
    size_t length;
    memcpy(&payload, data + at + 40, 4);
    length = (64 + (size_t)payload + 4 + 7) / 8 * 8;
    if (length > size - at) break;
    found.begin[found.count++] = at;
    at += length;
  }
  found.begin[found.count] = at;
  return found;
}

/* Puts a copy of a record before another one. */
static size_t copy_record(uint8_t *data, size_t size, size_t most, const records *all) {
  static uint8_t record[1 << 16];
  size_t from = pick(all->count), at = all->begin[pick(all->count + 1)];
  size_t length = all->begin[from + 1] - all->begin[from];
  if (length > most - size || length > sizeof record) return size;
  memcpy(record, data + all->begin[from], length);
  memmove(data + at + length, data + at, size - at);
  memcpy(data + at, record, length);
  return size + length;
}

static size_t remove_record(uint8_t *data, size_t size, const records *all) {
  size_t record = pick(all->count), begin = all->begin[record], end = all->begin[record + 1];
  memmove(data + begin, data + end, size - end);
  return size - (end - begin);
}

/* Makes a payload longer or shorter, and says so, mostly. */
static size_t resize_record(uint8_t *data, size_t size, size_t most, const records *all) {
  size_t record = pick(all->count), begin = all->begin[record], end = all->begin[record + 1];
  uint32_t payload = (uint32_t)pick(pick(8) == 0 ? 400 : 40);
  size_t length = (64 + (size_t)payload + 4 + 7) / 8 * 8;
  if (size - (end - begin) + length > most) return size;
  memmove(data + begin + length, data + end, size - end);
  if (length > end - begin) memset(data + end - 4, (int)pick(256), length - (end - begin));
  put32(data + begin + 40, payload);
  return size - (end - begin) + length;
}

/* Changes one field of a record's header, or some of its payload. */
static void change_record(uint8_t *data, const records *all) {
  static const uint8_t fields[] = {0, 8, 16, 24, 32, 40, 48, 52, 56, 60};
  static const uint64_t values[] = {
      0,           1,    2,          3,          4,          5,         6,          7,
      32,          64,   0x7fffffff, 0x80000000, 0xffffffff, INT64_MAX, 1ULL << 63, UINT64_MAX,
      0xfffffff0u, 1000, 0xffff,     256,        512,        8};
  uint8_t *at = data + all->begin[pick(all->count)];
  uint32_t payload;
  memcpy(&payload, at + 40, 4);
  if (payload > 0 && pick(2) == 0) {
    at[64 + pick(payload)] = (uint8_t)pick(256);
  } else {
    uint8_t field = fields[pick(sizeof fields)];
    uint64_t value = values[pick(COUNT(values))];
    memcpy(at + field, &value, field < 40 ? 8 : 4);
  }
}

static void mend_header(uint8_t *data) {
  memcpy(data, "\x89MSJ\r\n\x1a\n", 8);
  put32(data + 8, pick(8) == 0 ? 1 : 2);
  put32(data + 12, FILE_HEADER);
  put32(data + 124, crc32c(0, data, 124));
}

/* Events get the positions that they would have. */
static void mend_positions(uint8_t *data, const records *all) {
  uint64_t last = 0;
  for (size_t i = 0; i < all->count; i++) {
    uint8_t *at = data + all->begin[i];
    uint32_t type, kind, size;
    memcpy(&type, at + 48, 4);
    memcpy(&kind, at + 52, 4);
    memcpy(&size, at + 40, 4);
    if (type != 0) last++;
    put64(at, last);
    if (type != 0 || kind != SKIPPED || size < 16) continue;
    put64(at + 64, last + 1);
    put64(at + 72, last += 1 + pick(3));
  }
}

static void mend_records(uint8_t *data, const records *all, size_t spared) {
  uint32_t key = crc32c(0, data + 16, 24), link;
  memcpy(&link, data + 124, 4);
  for (size_t i = 0; i < all->count; i++) {
    size_t at = all->begin[i], end = all->begin[i + 1];
    if (i != spared) {
      put32(data + at + 44, link);
      put32(data + end - 4, crc32c(key, data + at, end - 4 - at));
    }
    memcpy(&link, data + end - 4, 4);
  }
}

static size_t change(uint8_t *data, size_t size, size_t most, const records *all) {
  if (all->count == 0) return size;
  switch (pick(8)) {
  case 0:
  case 1:
    return copy_record(data, size, most, all);
  case 2:
    return remove_record(data, size, all);
  case 3:
  case 4:
    return resize_record(data, size, most, all);
  default:
    change_record(data, all);
    return size;
  }
}

static void mend(uint8_t *data, size_t size) {
  records all = find(data, size);
  if (pick(32) != 0) mend_header(data);
  if (pick(2) == 0) mend_positions(data, &all);
  mend_records(data, &all, pick(4) == 0 ? pick(all.count + 1) : SIZE_MAX);
}

size_t change_journal(uint8_t *data, size_t size, size_t most, uint64_t seed) {
  records all = find(data, size);
  state = seed;
  size = change(data, size, most, &all);
  mend(data, size);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  unsigned kind = seed % 8;
  if (size >= FILE_HEADER && kind < 5) return change_journal(data, size, most, seed);
  size = LLVMFuzzerMutate(data, size, most);
  if (size >= FILE_HEADER && kind < 7) mend(data, size);
  return size;
}

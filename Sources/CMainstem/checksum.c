// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// CRC-32C, with the processor's own instruction if it has one.

#include "mainstem_private.h"

#include <stdint.h>
#include <string.h>

enum { CASTAGNOLI = 0x82F63B78 };

/* Eight tables, for a byte at each of eight places in a word. */
static uint32_t tables[8][256];

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++) rest = (rest >> 1) ^ (rest & 1 ? (uint32_t)CASTAGNOLI : 0);
    tables[0][byte] = rest;
  }
  for (int place = 1; place < 8; place++) {
    for (int byte = 0; byte < 256; byte++) {
      uint32_t before = tables[place - 1][byte];
      tables[place][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
}

static inline uint64_t word_at(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static uint32_t by_tables(uint32_t seed, const unsigned char *bytes, size_t count) {
  uint32_t crc = ~seed;
  for (; count >= 8; bytes += 8, count -= 8) {
    const uint64_t word = word_at(bytes) ^ crc;
    crc = tables[7][word & 0xff] ^ tables[6][word >> 8 & 0xff] ^ tables[5][word >> 16 & 0xff] ^
          tables[4][word >> 24 & 0xff] ^ tables[3][word >> 32 & 0xff] ^
          tables[2][word >> 40 & 0xff] ^ tables[1][word >> 48 & 0xff] ^ tables[0][word >> 56];
  }
  for (; count > 0; bytes++, count--) crc = (crc >> 8) ^ tables[0][(crc ^ *bytes) & 0xff];
  return ~crc;
}

__attribute__((unused)) static inline uint32_t half_at(const unsigned char *bytes) {
  uint32_t half;
  memcpy(&half, bytes, sizeof half);
  return half;
}

/* Four words per iteration. A half word is handled as one, because a record's checksum takes
   half of its last word. */
#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t seed, const unsigned char *bytes, size_t count) {
  uint64_t wide = ~seed;
  for (; count >= 32; bytes += 32, count -= 32) {
    wide = _mm_crc32_u64(wide, word_at(bytes));
    wide = _mm_crc32_u64(wide, word_at(bytes + 8));
    wide = _mm_crc32_u64(wide, word_at(bytes + 16));
    wide = _mm_crc32_u64(wide, word_at(bytes + 24));
  }
  for (; count >= 8; bytes += 8, count -= 8) wide = _mm_crc32_u64(wide, word_at(bytes));
  uint32_t crc = (uint32_t)wide;
  if (count >= 4) {
    crc = _mm_crc32_u32(crc, half_at(bytes));
    bytes += 4, count -= 4;
  }
  for (; count > 0; bytes++, count--) crc = _mm_crc32_u8(crc, *bytes);
  return ~crc;
}

/* Asks the processor itself: __builtin_cpu_supports would add 4 kB that know every model. */
static int has_instruction(void) {
  unsigned int a, b, c = 0, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) != 0;
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static uint32_t by_instruction(uint32_t seed, const unsigned char *bytes, size_t count) {
  uint32_t crc = ~seed;
  for (; count >= 32; bytes += 32, count -= 32) {
    crc = __crc32cd(crc, word_at(bytes));
    crc = __crc32cd(crc, word_at(bytes + 8));
    crc = __crc32cd(crc, word_at(bytes + 16));
    crc = __crc32cd(crc, word_at(bytes + 24));
  }
  for (; count >= 8; bytes += 8, count -= 8) crc = __crc32cd(crc, word_at(bytes));
  if (count >= 4) {
    crc = __crc32cw(crc, half_at(bytes));
    bytes += 4, count -= 4;
  }
  for (; count > 0; bytes++, count--) crc = __crc32cb(crc, *bytes);
  return ~crc;
}

static int has_instruction(void) { return 1; }
#else
#define by_instruction by_tables
static int has_instruction(void) { return 0; }
#endif

static int uses_instruction;

/* Runs when the library is loaded, so that no call needs to check whether the tables exist. */
__attribute__((constructor)) static void choose(void) {
  uses_instruction = has_instruction();
  if (!uses_instruction) make_tables();
}

uint32_t mainstem_p_crc32c(uint32_t seed, const void *bytes, size_t count) {
  if (uses_instruction) return by_instruction(seed, (const unsigned char *)bytes, count);
  return by_tables(seed, (const unsigned char *)bytes, count);
}

uint32_t mainstem_p_crc32c_before(uint32_t checksum, const void *bytes, size_t count) {
  const unsigned char *at = (const unsigned char *)bytes + count;
  uint32_t crc = ~checksum;
  while (count-- > 0) {
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 0x80000000u ? (crc ^ (uint32_t)CASTAGNOLI) << 1 | 1 : crc << 1;
    crc ^= *--at;
  }
  return ~crc;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* CRC-32C, as docs/journal-format.md has it, eight bytes at a time. */

#include "fetch.h"

#include <string.h>

enum { POLYNOMIAL = 0x82F63B78, AT_ONCE = 8 };

/* What a byte becomes, with so many zeros behind it. */
static uint32_t table[AT_ONCE][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
    table[0][byte] = crc;
  }
  for (int zeros = 1; zeros < AT_ONCE; zeros++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = table[zeros - 1][byte];
      table[zeros][byte] = crc >> 8 ^ table[0][crc & 0xff];
    }
}

uint32_t checksum(uint32_t seed, const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint32_t crc = ~seed;
  pthread_once(&once, fill);
  for (; size >= AT_ONCE; size -= AT_ONCE, bytes += AT_ONCE) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word ^= crc;
    crc = 0;
    for (int i = 0; i < AT_ONCE; i++) crc ^= table[AT_ONCE - 1 - i][word >> 8 * i & 0xff];
  }
  for (; size > 0; size--, bytes++) crc = crc >> 8 ^ table[0][(crc ^ *bytes) & 0xff];
  return ~crc;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What came over a network, before a context gets it. A context would refuse it, too; but it would also note that a call
   failed, and a stranger must not bring that about. */

#include "requests.h"

#include <string.h>

/* How many bytes follow the first one of a character; -1: none begins so. */
static int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

/* What the second byte may be is narrower after four first ones: no character has two forms, none is a surrogate. */
static bool is_second(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xe0:
    return second >= 0xa0 && second < 0xc0;
  case 0xed:
    return second >= 0x80 && second < 0xa0;
  case 0xf0:
    return second >= 0x90 && second < 0xc0;
  case 0xf4:
    return second >= 0x80 && second < 0x90;
  default:
    return second >= 0x80 && second < 0xc0;
  }
}

bool is_text(const char *bytes, size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  for (size_t i = 0; i < size;) {
    int count = following(at[i]);
    if (count < 0 || (size_t)count >= size - i) return false;
    if (count > 0 && !is_second(at[i], at[i + 1])) return false;
    for (int k = 2; k <= count; k++)
      if ((at[i + (size_t)k] & 0xc0) != 0x80) return false;
    i += (size_t)count + 1;
  }
  return true;
}

bool is_payload(mainstem_contract contract, const void *data, size_t size) {
  switch (contract & MAINSTEM_PAYLOAD_MASK) {
  case MAINSTEM_PAYLOAD_NONE:
    return size == 0;
  case MAINSTEM_PAYLOAD_BYTES:
    return true;
  case MAINSTEM_PAYLOAD_TEXT:
  case MAINSTEM_PAYLOAD_JSON:
    return is_text(data, size);
  case MAINSTEM_PAYLOAD_STRUCT:
    return size == (uint32_t)contract;
  case MAINSTEM_PAYLOAD_BOOL:
    return size == 1 && *(const unsigned char *)data <= 1;
  default:
    return size == sizeof(int64_t);
  }
}

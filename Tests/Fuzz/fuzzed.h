// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the parts of the fuzzer share: the file that the library reads from memory, and how journals are changed. */

#ifndef FUZZED_H
#define FUZZED_H

#include <stddef.h>
#include <stdint.h>

#define FUZZED "the fuzzed journal"

struct fuzzed {
  const uint8_t *bytes;
  size_t size;
};

/* The fuzzer has it, and the library finds it there. Other programs have none. */
extern __attribute__((visibility("default"), weak)) struct fuzzed fuzzed;

/* Changes a journal, a header at least, in a place where `most` bytes have room; how long it is then. */
size_t change_journal(uint8_t *data, size_t size, size_t most, uint64_t seed);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Handles that nobody was given: one with a bit turned over. */

#ifndef GUESSED_H
#define GUESSED_H

#include "expect.h"

#include <stdint.h>

/* Nothing ends by a handle that is one bit away from a known one, and is not known itself. */
static inline void expect_no_guess_ends(mainstem_subscription *const *known, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t bit = 0; bit < 64; bit++) {
      uintptr_t guessed = (uintptr_t)known[i] ^ (uintptr_t)1 << bit;
      size_t found = 0;
      while (found < count && (uintptr_t)known[found] != guessed) found++;
      if (found < count || guessed == 0) continue;
      EXPECT(mainstem_cancel((mainstem_subscription *)guessed) != MAINSTEM_OK);
      EXPECT(mainstem_cancel_wait((mainstem_subscription *)guessed) != MAINSTEM_OK);
    }
  }
}

#endif

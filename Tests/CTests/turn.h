// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What is tried in part begins elsewhere from commit to commit: MAINSTEM_TURN, a number, says where. */

#ifndef TURN_H
#define TURN_H

#include <stdlib.h>

static inline size_t turn(size_t of) {
  const char *number = getenv("MAINSTEM_TURN");
  return number == NULL ? 0 : strtoul(number, NULL, 10) % of;
}

#endif

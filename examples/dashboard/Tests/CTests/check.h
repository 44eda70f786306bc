// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

static inline void check(int is_so, int line, const char *what) {
  if (is_so) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}

/** Ends the test if something is not so. */
#define CHECK(is_so) check(is_so, __LINE__, #is_so)

#endif

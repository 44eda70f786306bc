// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A disk that is full: no file can grow. For programs that count their memory. */

#ifndef FULL_DISK_H
#define FULL_DISK_H

#include "failing_memory.h"
#include "journal.h"

#include <signal.h>
#include <sys/resource.h>

static struct rlimit disk_limit;

static inline void disk_fill(void) {
  EXPECT_EQUAL(getrlimit(RLIMIT_FSIZE, &disk_limit), 0);
  struct rlimit none = disk_limit;
  none.rlim_cur = 0;
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &none), 0);
}

static inline void disk_has_room(void) { EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &disk_limit), 0); }

/* Plays a session that stops because the disk is full, three times: it leaves no memory behind. */
static inline void disk_expect_no_leak(void (*stop)(uint32_t threads, const char *path),
                                       uint32_t threads) {
  const char *path = journal_path("full");
  long before = 0;
  signal(SIGXFSZ, SIG_IGN);
  for (int round = 0; round < 3; round++) {
    stop(threads, path);
    journal_sweep();
    if (round > 1) EXPECT_EQUAL(blocks, before);
    before = blocks;
  }
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A place for the journals of a test. */

#ifndef FOLDER_H
#define FOLDER_H

#include "expect.h"

#include <dirent.h>
#include <sys/stat.h>

static char journal_folder[256];

/* A folder of the test's own, for ever the same. */
static inline const char *journal_path(const char *name) {
  static char paths[4][512];
  static int next;
  char *path = paths[next++ % 4];
  if (journal_folder[0] == 0) {
    const char *home = getenv("TMPDIR");
    snprintf(journal_folder, sizeof journal_folder, "%s/mainstem-journal-XXXXXX",
             home == NULL ? "/tmp" : home);
    EXPECT(mkdtemp(journal_folder) != NULL);
  }
  mkdir(journal_folder, 0700); /* It may have been removed since. */
  snprintf(path, sizeof paths[0], "%s/%s", journal_folder, name);
  return path;
}

/* Removes all that is in the folder. */
static inline void journal_sweep(void) {
  DIR *folder = opendir(journal_folder);
  struct dirent *entry;
  char path[600];
  if (folder == NULL) return;
  while ((entry = readdir(folder)) != NULL) {
    snprintf(path, sizeof path, "%s/%s", journal_folder, entry->d_name);
    unlink(path);
    rmdir(path);
  }
  closedir(folder);
}

static inline void journal_remove_folder(void) {
  journal_sweep();
  rmdir(journal_folder);
}

/* Runs all cases, and after each removes what it has written. */
static inline int journal_expect_all(void) {
  expect_after = journal_sweep;
  int status = expect_all();
  journal_remove_folder();
  return status;
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The shelf in C. Run it with: shelf [JOURNAL] */

#include "shelf.h"

#include <stdio.h>

int main(int argc, char **argv) {
  mainstem_context *context;
  uint64_t number = 0;
  const char *message = "";
  mainstem_context_create(NULL, &context);
  if (argc > 1) mainstem_journal_record(context, argv[1], NULL);
  shelf_open(context, &number);
  shelf_host(context, number);
  mainstem_status failed = mainstem_context_first_error(context, &message);
  if (failed) fprintf(stderr, "%s\n", message);
  mainstem_context_close(context);
  return failed != MAINSTEM_OK;
}

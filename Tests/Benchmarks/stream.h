// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A context with its event types, opened and filled; what fails ends the program. */

#ifndef BENCHMARK_STREAM_H
#define BENCHMARK_STREAM_H

#include <stdio.h>
#include <stdlib.h>

#include "observer.h"

typedef struct stream {
  mainstem_context *context;
  mainstem_event_type *types;
  size_t type_count;
  uint64_t sum;
  uint8_t payload[PAYLOAD];
} stream;

static inline void must(mainstem_status status) {
  if (status == MAINSTEM_OK) return;
  fprintf(stderr, "%s: %s\n", mainstem_status_name(status), mainstem_last_error());
  exit(3);
}

static inline void must_be(uint64_t found, uint64_t wanted, const char *what) {
  if (found == wanted) return;
  fprintf(stderr, "%s: %llu instead of %llu\n", what, (unsigned long long)found,
          (unsigned long long)wanted);
  exit(3);
}

static inline stream *stream_open(uint32_t threads, size_t type_count) {
  stream *opened = calloc(1, sizeof *opened);
  mainstem_context_options options = {.size = sizeof options};
  if (opened == NULL) abort();
  opened->types = calloc(type_count, sizeof *opened->types);
  if (opened->types == NULL) abort();
  opened->type_count = type_count;
  opened->payload[0] = 1;
  options.threads = threads;
  must(mainstem_context_create(&options, &opened->context));
  for (size_t i = 0; i < type_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "Type%zu", i);
    must(mainstem_type_add(opened->context, name, MAINSTEM_PAYLOAD_STRUCT | PAYLOAD, NULL,
                           &opened->types[i]));
  }
  return opened;
}

static inline void stream_observe(stream *opened, size_t type, size_t count) {
  for (size_t i = 0; i < count; i++)
    must(mainstem_observe(opened->context, opened->types[type], observe_mainstem, &opened->sum,
                          NULL, NULL));
}

static inline void stream_close(stream *opened) {
  must(mainstem_context_close(opened->context));
  free(opened->types);
  free(opened);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A store that keeps events of 100 bytes in order: what is appended to it can be read again. */

#ifndef BENCHMARK_KEPT_H
#define BENCHMARK_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEPT = 100, KEPT_BATCH = 1000 };

/* What all append: the first `batch` of these, over and over. Made by kept.c. */
extern uint8_t kept_events[KEPT_BATCH][KEPT];

/* Ends the program. */
_Noreturn void kept_failed(const char *store, const char *why);

/*
 * `open` makes an empty store in a folder; `append` commits `batch` events and may be called on any
 * thread. What is appended survives the end of the process, and where it is durable a power cut.
 * `replay` opens what was closed, reads it from its begin to its end, and returns the sum of the first
 * bytes of all events.
 */
typedef struct keeper {
  const char *name;
  void *(*open)(const char *folder, bool is_durable, size_t batch);
  void (*append)(void *opened);
  void (*close)(void *opened);
  uint64_t (*replay)(const char *folder);
} keeper;

extern const keeper kept_mainstem;
extern const keeper kept_raw;
extern const keeper kept_raw_preallocated;
extern const keeper kept_raw_long;
extern const keeper kept_sqlite;
extern const keeper kept_lmdb;
extern const keeper kept_rocksdb;

/* Sending alone: a context that is recorded in a folder, or where it is NULL is not. */
void *sending_open(const char *folder, size_t batch);
void sending_send(void *opened);
void sending_close(void *opened);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What takes part in the comparison of State: values, bindings, a view model, and many cells. */

#ifndef BENCHMARK_STATE_H
#define BENCHMARK_STATE_H

#include <stddef.h>
#include <stdint.h>

enum { CELLS = 16000, VALUES = 5, OF_CELL = 2 * VALUES };

/* What a contestant is timed at. Values are int64_t whose lowest byte is 1. */
enum {
  OBSERVED, /* A value changes; one observer. */
  BOUND,    /* A value changes; one view is bound to it. */
  REPEATED, /* A value is set to what it is; one observer, who is not called. */
  WRITTEN, /* Of five values one is written by name, which changes another one; one observer of that. */
  ROUNDED, /* CELLS owners of VALUES values are opened; views bound, pointed at the next, ended. */
  TASKS
};

/*
 * The loops are inside, so that each calls its library directly. Whoever sees a value adds its lowest
 * byte to `*sum`. Of ROUNDED, `count` is a number of rounds. NULL: it has no such thing.
 */
typedef struct task {
  void *(*open)(uint64_t *sum);
  void (*run)(void *opened, size_t count);
} task;

typedef struct state_contestant {
  const char *name;
  task tasks[TASKS];
} state_contestant;

extern const state_contestant state_any_thread;
extern const state_contestant state_one_thread;
extern const state_contestant state_gobject;
extern const state_contestant state_gobject_by_name;

#endif

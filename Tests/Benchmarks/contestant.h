// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What takes part in the comparison: one object with types, observers and the loops that are timed. */

#ifndef BENCHMARK_CONTESTANT_H
#define BENCHMARK_CONTESTANT_H

#include <stddef.h>
#include <stdint.h>

/*
 * The loops are inside, so that each calls its library directly. `send` sends `count` events, round
 * robin over all types; `churn` observes the first type and cancels, `count` times. Each observer adds
 * 1 to `*sum` at each event.
 */
typedef struct contestant {
  const char *name;
  void *(*open)(size_t type_count, uint64_t *sum);
  void (*observe)(void *opened, size_t type);
  void (*send)(void *opened, size_t count);
  void (*churn)(void *opened, size_t count);
} contestant;

extern const contestant mainstem_any_thread;
extern const contestant mainstem_one_thread;
extern const contestant array_raw;
extern const contestant array_mutex;
extern const contestant gobject_signal;

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How `count` counts, and the cases that are in files of their own. */

#ifndef BENCHMARK_COUNTING_H
#define BENCHMARK_COUNTING_H

#include "stream.h"

typedef void operation(stream *, size_t count);

/* `sum` is what one operation adds: that it did its work is checked, not believed. */
void measure(operation *run, stream *opened, uint64_t sum, const char *what, const char *threads);

/* The same for what takes long: a hundredth as often, and without a sum. */
void measure_few(operation *run, stream *opened, const char *what, const char *threads);

/* The same for what takes much longer: once and three times. */
void measure_rarely(operation *run, stream *opened, const char *what, const char *threads);

/* The same among 10, 1,000 and 100,000 others: `add` makes there be so many more. */
void grow(stream *opened, void (*add)(stream *, size_t), operation *run, const char *what,
          const char *name);

/* What servers show, what views are bound to, and commands. */
void measure_state(uint32_t threads, const char *name);

/* How long a router takes for a URL. */
void measure_routes(const char *name);

/* What queries and order keys cost. */
void measure_queries(const char *name);

/* What opening and closing costs. */
void measure_navigation(uint32_t threads, const char *name);

/* What changes of lists cost, and reading them. */
void measure_lists(uint32_t threads, const char *name);

/* What requests cost that a workflow handles, or that an undo log keeps. */
void measure_workflows(uint32_t threads, const char *name);

/* What does not cost more among others that have nothing to do with it. */
void measure_growth(uint32_t threads, const char *name, const char *folder);

#endif

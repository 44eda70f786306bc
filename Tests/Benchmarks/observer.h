// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What every observer does, in a file of its own so that no compiler sees through the call. */

#ifndef BENCHMARK_OBSERVER_H
#define BENCHMARK_OBSERVER_H

#include <mainstem.h>

enum { PAYLOAD = 64 };

/* The event of the libraries that have none of their own. */
typedef struct plain_event {
  uint32_t type;
  uint32_t size;
  uint64_t correlation;
  uint8_t payload[PAYLOAD];
} plain_event;

/* Each adds the first byte of the payload to the uint64_t at `user_data`. */
void observe_mainstem(void *user_data, const mainstem_event *event);
void observe_plain(void *user_data, const plain_event *event);
void observe_gsignal(void *object, const plain_event *event, void *user_data);

/* A show function that says nothing, and adds 1. */
mainstem_status show_nothing(void *user_data, mainstem_context *server,
                             const mainstem_event_type *types);

/* Nothing: what is left of a loop that calls these is the loop. */
void observe_nothing(void *user_data, const mainstem_event *event);
void send_nothing(mainstem_context *context, mainstem_event_type type, const void *data,
                  size_t size);

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bytes of heap for an observer, an event that waits, and a value; prints JSON. */

#include <malloc.h>

#include "stream.h"

enum { MANY = 10000 };

static double taken_since(size_t before) { return (double)(mallinfo2().uordblks - before) / MANY; }

static double for_an_observer(void) {
  stream *opened = stream_open(MAINSTEM_THREADS_ANY, 1);
  stream_observe(opened, 0, 1);
  const size_t before = mallinfo2().uordblks;
  stream_observe(opened, 0, MANY);
  const double taken = taken_since(before);
  stream_close(opened);
  return taken;
}

static double for_an_event(void) {
  stream *opened = stream_open(MAINSTEM_THREADS_ANY, 1);
  mainstem_observe_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  must(mainstem_observe_with(opened->context, &options, NULL, NULL, NULL, NULL));
  must(mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD));
  const size_t before = mallinfo2().uordblks;
  for (size_t i = 0; i < MANY; i++)
    must(mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD));
  const double taken = taken_since(before);
  stream_close(opened);
  return taken;
}

static mainstem_context *scopes[MANY];

static stream *open_scopes(void) {
  stream *opened = stream_open(MAINSTEM_THREADS_ANY, 1);
  for (size_t i = 0; i < MANY; i++)
    must(mainstem_scope_add(opened->context, "Scope", NULL, &scopes[i]));
  return opened;
}

static double for_a_value(void) {
  stream *opened = open_scopes();
  mainstem_event_type value;
  must(mainstem_type_add(opened->context, "Value", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE,
                         NULL, &value));
  const size_t before = mallinfo2().uordblks;
  for (size_t i = 0; i < MANY; i++) must(mainstem_value_set_integer(scopes[i], value, (int64_t)i));
  const double taken = taken_since(before);
  stream_close(opened);
  return taken;
}

static double for_an_observer_of_one(void) {
  stream *opened = open_scopes();
  mainstem_observe_options options = {
      .size = sizeof options, .types = opened->types, .type_count = 1};
  const size_t before = mallinfo2().uordblks;
  for (size_t i = 0; i < MANY; i++) {
    options.of = scopes[i];
    must(mainstem_observe_with(opened->context, &options, observe_mainstem, &opened->sum, NULL,
                               NULL));
  }
  const double taken = taken_since(before);
  stream_close(opened);
  return taken;
}

int main(void) {
  printf("{\"heap bytes per observer\": %.1f,\n", for_an_observer());
  printf(" \"heap bytes per queued event of 64 bytes\": %.1f,\n", for_an_event());
  printf(" \"heap bytes per value of 8 bytes\": %.1f,\n", for_a_value());
  printf(" \"heap bytes per observer of one scope\": %.1f}\n", for_an_observer_of_one());
  return 0;
}

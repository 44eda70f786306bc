// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Bytes of heap for an observer, and for an event that waits; prints JSON. */

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
  mainstem_observe_options options;
  must(mainstem_observe_options_init(&options, sizeof options));
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  must(mainstem_observe_with(opened->context, &options, NULL, NULL, NULL, NULL));
  must(mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD));
  const size_t before = mallinfo2().uordblks;
  for (size_t i = 0; i < MANY; i++)
    must(mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD));
  const double taken = taken_since(before);
  stream_close(opened);
  return taken;
}

int main(void) {
  printf("{\"heap bytes per observer\": %.1f,\n", for_an_observer());
  printf(" \"heap bytes per queued event of 64 bytes\": %.1f}\n", for_an_event());
  return 0;
}

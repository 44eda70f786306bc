// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "contestant.h"

#include "stream.h"

static uint64_t *summed;

static void *open_threads(uint32_t threads, size_t type_count, uint64_t *sum) {
  summed = sum;
  return stream_open(threads, type_count);
}

static void *open_any(size_t type_count, uint64_t *sum) {
  return open_threads(MAINSTEM_THREADS_ANY, type_count, sum);
}

static void *open_one(size_t type_count, uint64_t *sum) {
  return open_threads(MAINSTEM_THREADS_ONE, type_count, sum);
}

static void observe(void *opened, size_t type) {
  stream *of = opened;
  must(mainstem_observe(of->context, of->types[type], observe_mainstem, summed, NULL, NULL));
}

static void send(void *opened, size_t count) {
  const stream *of = opened;
  size_t type = 0;
  for (size_t i = 0; i < count; i++) {
    mainstem_send(of->context, of->types[type], of->payload, PAYLOAD);
    type = type + 1 == of->type_count ? 0 : type + 1;
  }
}

static void churn(void *opened, size_t count) {
  stream *of = opened;
  for (size_t i = 0; i < count; i++) {
    mainstem_subscription *subscription;
    must(
        mainstem_observe(of->context, of->types[0], observe_mainstem, summed, NULL, &subscription));
    must(mainstem_cancel(subscription));
  }
}

const contestant mainstem_any_thread = {"mainstem any", open_any, observe, send, churn};
const contestant mainstem_one_thread = {"mainstem one", open_one, observe, send, churn};

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A recorded context, which any thread may use; and one observer, so that what is recorded is seen. */

#include <string.h>

#include "kept.h"
#include "stream.h"

typedef struct store {
  mainstem_context *context;
  mainstem_event_type type;
  size_t count, size;
  uint64_t sum;
  uint8_t *batch;
} store;

static char *path_in(const char *folder, char path[1024]) {
  snprintf(path, 1024, "%s/events.journal", folder);
  return path;
}

static void make_batch(store *self, size_t count) {
  self->count = count;
  self->size = count * (sizeof(mainstem_event_header) + KEPT);
  self->batch = calloc(1, self->size);
  if (self->batch == NULL) abort();
  for (size_t i = 0; i < count; i++) {
    const size_t place = count * sizeof(mainstem_event_header) + i * KEPT;
    mainstem_event_header header = {0};
    header.type = self->type;
    header.size = KEPT;
    header.offset = (uint32_t)place;
    memcpy(self->batch + i * sizeof header, &header, sizeof header);
    memcpy(self->batch + place, kept_events[i], KEPT);
  }
}

static store *open_with(const char *folder, uint32_t level, size_t batch) {
  store *made = calloc(1, sizeof *made);
  mainstem_context_options options = {.size = sizeof options};
  mainstem_journal_options recorded = {.size = sizeof recorded};
  char path[1024];
  if (made == NULL) abort();
  options.threads = MAINSTEM_THREADS_ANY;
  must(mainstem_context_create(&options, &made->context));
  must(mainstem_type_add(made->context, "Kept", MAINSTEM_PAYLOAD_STRUCT | KEPT, NULL, &made->type));
  must(mainstem_observe(made->context, made->type, observe_mainstem, &made->sum, NULL, NULL));
  make_batch(made, batch);
  if (folder == NULL) return made;
  recorded.durability = level;
  must(mainstem_journal_record(made->context, path_in(folder, path), &recorded));
  return made;
}

static void *open_store(const char *folder, bool is_durable, size_t batch) {
  return open_with(folder, is_durable ? MAINSTEM_JOURNAL_POWER : MAINSTEM_JOURNAL_PROCESS, batch);
}

static void append(void *opened) {
  const store *self = opened;
  if (self->count == 1) must(mainstem_send(self->context, self->type, kept_events[0], KEPT));
  else must(mainstem_send_many(self->context, self->batch, self->size, self->count, NULL));
}

static void close_store(void *opened) {
  store *self = opened;
  must(mainstem_context_close(self->context));
  free(self->batch);
  free(self);
}

static uint64_t replay(const char *folder) {
  static union {
    mainstem_event_header headers[1];
    uint8_t bytes[1 << 18];
  } batch;
  mainstem_journal *journal;
  uint64_t sum = 0;
  size_t count;
  char path[1024];
  must(mainstem_journal_open(path_in(folder, path), &journal));
  while (must(mainstem_journal_next_many(journal, 0, &batch, sizeof batch, &count, NULL)),
         count > 0)
    for (size_t i = 0; i < count; i++) sum += batch.bytes[batch.headers[i].offset];
  must(mainstem_journal_close(journal));
  return sum;
}

void *sending_open(const char *folder, size_t batch) {
  return open_with(folder, MAINSTEM_JOURNAL_PROCESS, batch);
}

void sending_send(void *opened) { append(opened); }

void sending_close(void *opened) { close_store(opened); }

const keeper kept_mainstem = {"mainstem", open_store, append, close_store, replay};

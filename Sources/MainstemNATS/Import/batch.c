// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Entries on their way into the context, as mainstem_send_many takes them. */

#include "import.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = sizeof(mainstem_event_header), FIRST_ROOM = 1 << 16 };

static size_t front_of(const struct batch *batch) { return (size_t)batch->room * HEADER; }

bool batch_make(struct batch *batch, uint32_t room) {
  memset(batch, 0, sizeof *batch);
  batch->room = room;
  batch->capacity = front_of(batch) + FIRST_ROOM;
  batch->size = front_of(batch);
  batch->buffer = malloc(batch->capacity);
  batch->taken = calloc(room, sizeof *batch->taken);
  return batch->buffer != NULL && batch->taken != NULL;
}

bool batch_is_full(const struct batch *batch) {
  return batch->count == batch->room || batch->bytes >= BATCH_BYTES;
}

uint32_t batch_left(const struct batch *batch) { return batch->count - batch->first; }

static bool make_room(struct batch *batch, size_t more) {
  size_t wanted = batch->size + more, capacity = batch->capacity;
  if (wanted <= capacity) return true;
  while (capacity < wanted) capacity *= 2;
  char *larger = realloc(batch->buffer, capacity);
  if (larger == NULL) return false;
  batch->buffer = larger;
  batch->capacity = capacity;
  return true;
}

/* Payloads lie at multiples of 8, where observers read them as structs. */
bool batch_add(struct batch *batch, const struct arrival *arrival) {
  size_t padded = ((size_t)arrival->size + 7) & ~(size_t)7;
  if (!make_room(batch, padded)) return false;
  const mainstem_event_header header = {
      .type = arrival->wanted->type, .size = arrival->size, .offset = (uint32_t)batch->size};
  memcpy(batch->buffer + (size_t)batch->count * HEADER, &header, sizeof header);
  if (arrival->size > 0) memcpy(batch->buffer + batch->size, arrival->data, arrival->size);
  struct taken *taken = &batch->taken[batch->count++];
  memcpy(taken->id, arrival->id, ID_BYTES);
  taken->position = arrival->position;
  taken->sequence = arrival->sequence;
  batch->size += padded;
  batch->bytes += arrival->size;
  return true;
}

void batch_cover(struct batch *batch, const struct arrival *arrival, natsMsg *message) {
  natsMsg_Destroy(batch->last);
  batch->last = message;
  batch->is_begun = true;
  batch->anchor = (struct anchor){arrival->sequence, arrival->time};
}

/* The headers that are left begin the batch from then on, so their payloads are nearer to the begin. */
void batch_pass(struct batch *batch, uint32_t count) {
  batch->first += count;
  for (uint32_t i = batch->first; i < batch->count; i++) {
    char *at = batch->buffer + (size_t)i * HEADER;
    mainstem_event_header header;
    memcpy(&header, at, sizeof header);
    header.offset -= count * HEADER;
    memcpy(at, &header, sizeof header);
  }
}

void batch_clear(struct batch *batch) {
  natsMsg_Destroy(batch->last);
  batch->last = NULL;
  batch->size = front_of(batch);
  batch->count = batch->first = 0;
  batch->bytes = 0;
  batch->is_begun = false;
}

void batch_free(struct batch *batch) {
  natsMsg_Destroy(batch->last);
  free(batch->buffer);
  free(batch->taken);
  memset(batch, 0, sizeof *batch);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What one writes by hand: an array of function pointers for each type, and a table of slots that finds
 * an observer in its array when it is cancelled. Raw, and with a mutex around each operation.
 */

#include "contestant.h"

#include <pthread.h>
#include <stdlib.h>

#include "observer.h"

typedef struct row {
  void (*fn)(void *user_data, const plain_event *event);
  void *user_data;
  size_t slot;
} row;

typedef struct rows {
  row *all;
  size_t count, capacity;
} rows;

/* Of a free slot, `row` is the next free one. */
typedef struct slot {
  size_t type, row;
} slot;

typedef struct array {
  pthread_mutex_t lock;
  rows *types;
  size_t type_count;
  slot *slots;
  size_t slot_count, slot_capacity, free_slot;
  uint64_t *sum;
  plain_event event;
} array;

static const size_t none = (size_t)-1;

static void *grown(void *memory, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return memory;
  *capacity = *capacity == 0 ? 4 : *capacity * 2;
  memory = realloc(memory, *capacity * size);
  if (memory == NULL) abort();
  return memory;
}

static void *open_array(size_t type_count, uint64_t *sum) {
  array *opened = calloc(1, sizeof *opened);
  if (opened == NULL) abort();
  opened->types = calloc(type_count, sizeof *opened->types);
  if (opened->types == NULL) abort();
  pthread_mutex_init(&opened->lock, NULL);
  opened->type_count = type_count;
  opened->free_slot = none;
  opened->sum = sum;
  opened->event.size = PAYLOAD;
  opened->event.payload[0] = 1;
  return opened;
}

static size_t take_slot(array *of) {
  size_t taken = of->free_slot;
  if (taken != none) {
    of->free_slot = of->slots[taken].row;
    return taken;
  }
  of->slots = grown(of->slots, of->slot_count, &of->slot_capacity, sizeof *of->slots);
  return of->slot_count++;
}

static size_t add(array *of, size_t type) {
  rows *list = &of->types[type];
  size_t taken = take_slot(of);
  list->all = grown(list->all, list->count, &list->capacity, sizeof *list->all);
  list->all[list->count] = (row){observe_plain, of->sum, taken};
  of->slots[taken] = (slot){type, list->count++};
  return taken;
}

static void end(array *of, size_t taken) {
  rows *list = &of->types[of->slots[taken].type];
  row last = list->all[--list->count];
  list->all[of->slots[taken].row] = last;
  of->slots[last.slot].row = of->slots[taken].row;
  of->slots[taken].row = of->free_slot;
  of->free_slot = taken;
}

static inline void send_one(array *of, size_t type) {
  const rows *list = &of->types[type];
  of->event.type = (uint32_t)type;
  of->event.correlation++;
  for (size_t i = 0; i < list->count; i++) list->all[i].fn(list->all[i].user_data, &of->event);
}

static void observe(void *opened, size_t type) { add(opened, type); }

static void send_raw(void *opened, size_t count) {
  array *of = opened;
  size_t type = 0;
  for (size_t i = 0; i < count; i++) {
    send_one(of, type);
    type = type + 1 == of->type_count ? 0 : type + 1;
  }
}

static void send_mutex(void *opened, size_t count) {
  array *of = opened;
  size_t type = 0;
  for (size_t i = 0; i < count; i++) {
    pthread_mutex_lock(&of->lock);
    send_one(of, type);
    pthread_mutex_unlock(&of->lock);
    type = type + 1 == of->type_count ? 0 : type + 1;
  }
}

static void churn_raw(void *opened, size_t count) {
  for (size_t i = 0; i < count; i++) end(opened, add(opened, 0));
}

static void churn_mutex(void *opened, size_t count) {
  array *of = opened;
  for (size_t i = 0; i < count; i++) {
    pthread_mutex_lock(&of->lock);
    size_t taken = add(of, 0);
    pthread_mutex_unlock(&of->lock);
    pthread_mutex_lock(&of->lock);
    end(of, taken);
    pthread_mutex_unlock(&of->lock);
  }
}

const contestant array_raw = {"raw array", open_array, observe, send_raw, churn_raw};
const contestant array_mutex = {"mutex array", open_array, observe, send_mutex, churn_mutex};

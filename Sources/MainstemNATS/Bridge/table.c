// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Handles: a slot's number, and which bridge of the slot. A slot is used again, and never freed: see `struct bridge`. */

#include "bridge.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
/* The process that has bridges; 0: none was made. */
static _Atomic pid_t home;
static struct bridge *_Atomic slots[MOST_BRIDGES];

static struct bridge *make(void) {
  struct bridge *bridge = calloc(1, sizeof *bridge);
  if (bridge == NULL) return NULL;
  pthread_mutex_init(&bridge->lock, NULL);
  condition_init(&bridge->changed);
  return bridge;
}

/* Takes a slot, and locks it, if it is free. */
static bool take(struct bridge *bridge) {
  pthread_mutex_lock(&bridge->lock);
  if (!bridge->is_used && bridge->waiting == 0) return true;
  pthread_mutex_unlock(&bridge->lock);
  return false;
}

static struct bridge *take_any(uintptr_t *number) {
  for (*number = 0; *number < MOST_BRIDGES; (*number)++) {
    struct bridge *bridge = slots[*number];
    if (bridge == NULL) bridge = slots[*number] = make();
    if (bridge == NULL || take(bridge)) return bridge;
  }
  return NULL;
}

mainstem_status table_enter(const struct kind *kind) {
  pid_t none = 0;
  if (atomic_compare_exchange_strong(&home, &none, getpid()) || none == getpid())
    return MAINSTEM_OK;
  return refuse(MAINSTEM_FORKED, "%s: the process is a child of one with bridges", kind->function);
}

mainstem_status table_add(const struct kind *kind, mainstem_nats **handle, struct bridge **bridge) {
  uintptr_t number = 0;
  mainstem_status status = table_enter(kind);
  if (status != MAINSTEM_OK) return status;
  pthread_mutex_lock(&table_lock);
  *bridge = take_any(&number);
  pthread_mutex_unlock(&table_lock);
  if (*bridge == NULL && number < MOST_BRIDGES)
    return refuse(MAINSTEM_NO_MEMORY, "%s: there is no memory for it", kind->function);
  if (*bridge == NULL)
    return refuse(MAINSTEM_LIMIT, "%s: there are %d bridges already", kind->function, MOST_BRIDGES);
  (*bridge)->is_used = true;
  (*bridge)->kind = kind;
  (*bridge)->generation++;
  *handle = (mainstem_nats *)((*bridge)->generation * MOST_BRIDGES + number);
  return MAINSTEM_OK;
}

bool table_has(const struct kind *kind, bool (*is_wanted)(const struct bridge *, void *),
               void *wanted) {
  bool has = false;
  for (int i = 0; i < MOST_BRIDGES && !has && slots[i] != NULL; i++) {
    struct bridge *bridge = slots[i];
    pthread_mutex_lock(&bridge->lock);
    has = bridge->is_used && bridge->kind == kind && is_wanted(bridge, wanted);
    pthread_mutex_unlock(&bridge->lock);
  }
  return has;
}

mainstem_status table_find(mainstem_nats *handle, const char *function, struct bridge **bridge) {
  uintptr_t bits = (uintptr_t)handle;
  *bridge = NULL;
  struct bridge *found = slots[bits % MOST_BRIDGES];
  if (handle == NULL) return refuse(MAINSTEM_INVALID, "%s: bridge: is NULL", function);
  if (found == NULL) return refuse(MAINSTEM_STALE, "%s: bridge: is none", function);
  /* In a child, the lock may be a thread's that is not there. */
  if (home != getpid())
    return refuse(MAINSTEM_FORKED, "%s: bridge: was made before the fork", function);
  pthread_mutex_lock(&found->lock);
  if (found->is_used && found->generation == bits / MOST_BRIDGES) {
    *bridge = found;
    return MAINSTEM_OK;
  }
  pthread_mutex_unlock(&found->lock);
  return refuse(MAINSTEM_STALE, "%s: bridge: has ended", function);
}

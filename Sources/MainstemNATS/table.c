// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Handles: a slot's number, and which mirror of the slot. A slot is used again, and never freed: see `struct mirror`. */

#include "bridge.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 1024 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
/* The process that has mirrors; 0: none was made. */
static _Atomic pid_t home;
static struct mirror *_Atomic slots[SLOTS];

static struct mirror *make(void) {
  struct mirror *mirror = calloc(1, sizeof *mirror);
  pthread_condattr_t by_steady_clock;
  if (mirror == NULL) return NULL;
  pthread_condattr_init(&by_steady_clock);
  pthread_condattr_setclock(&by_steady_clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&mirror->lock, NULL);
  pthread_cond_init(&mirror->changed, &by_steady_clock);
  pthread_condattr_destroy(&by_steady_clock);
  return mirror;
}

/* Takes a slot, and locks it, if it is free. */
static bool take(struct mirror *mirror) {
  pthread_mutex_lock(&mirror->lock);
  if (!mirror->is_used && mirror->waiting == 0) return true;
  pthread_mutex_unlock(&mirror->lock);
  return false;
}

static struct mirror *take_any(uintptr_t *number) {
  for (*number = 0; *number < SLOTS; (*number)++) {
    struct mirror *mirror = slots[*number];
    if (mirror == NULL) mirror = slots[*number] = make();
    if (mirror == NULL || take(mirror)) return mirror;
  }
  return NULL;
}

mainstem_status table_add(mainstem_nats **handle, struct mirror **mirror) {
  uintptr_t number = 0;
  pid_t none = 0;
  /* The threads of NATS are not in a child. */
  if (!atomic_compare_exchange_strong(&home, &none, getpid()) && none != getpid())
    return refuse(MAINSTEM_FORKED,
                  "mainstem_nats_mirror: the process is a child of one with mirrors");
  pthread_mutex_lock(&table_lock);
  *mirror = take_any(&number);
  pthread_mutex_unlock(&table_lock);
  if (*mirror == NULL && number < SLOTS)
    return refuse(MAINSTEM_NO_MEMORY, "mainstem_nats_mirror: there is no memory for a mirror");
  if (*mirror == NULL)
    return refuse(MAINSTEM_LIMIT, "mainstem_nats_mirror: %d mirrors work already", SLOTS);
  (*mirror)->is_used = true;
  (*mirror)->generation++;
  *handle = (mainstem_nats *)((*mirror)->generation * SLOTS + number);
  return MAINSTEM_OK;
}

mainstem_status table_find(mainstem_nats *handle, const char *function, struct mirror **mirror) {
  uintptr_t bits = (uintptr_t)handle;
  struct mirror *found = slots[bits % SLOTS];
  if (handle == NULL) return refuse(MAINSTEM_INVALID, "%s: mirror: is NULL", function);
  if (found == NULL) return refuse(MAINSTEM_STALE, "%s: mirror: is none", function);
  /* In a child, the lock may be a thread's that is not there. */
  if (home != getpid())
    return refuse(MAINSTEM_FORKED, "%s: mirror: was made before the fork", function);
  pthread_mutex_lock(&found->lock);
  if (found->is_used && found->generation == bits / SLOTS) {
    *mirror = found;
    return MAINSTEM_OK;
  }
  pthread_mutex_unlock(&found->lock);
  return refuse(MAINSTEM_STALE, "%s: mirror: has ended", function);
}

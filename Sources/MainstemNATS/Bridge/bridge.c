// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What bridges have in common: a thread that works, waits a little when something went wrong, and begins again; and the
   calls for all of them. */

#include "bridge.h"

#include "../include/mainstem_nats_swift.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  FIRST_WAIT_MS = 250,
  LONGEST_WAIT_MS = 5000,
  STEP_MS = 1000,
  VISIT_MS = 100,
  LONGEST_VISIT_MS = 2000
};

void *bridge_state(const struct bridge *bridge, const struct kind *kind) {
  return bridge->kind == kind ? bridge->state : NULL;
}

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void condition_init(pthread_cond_t *condition) {
  pthread_condattr_t by_steady_clock;
  pthread_condattr_init(&by_steady_clock);
  pthread_condattr_setclock(&by_steady_clock, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &by_steady_clock);
  pthread_condattr_destroy(&by_steady_clock);
}

void wait_for_change(struct bridge *bridge, int64_t ms) {
  int64_t until = now_ms() + ms;
  struct timespec end = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};
  pthread_cond_timedwait(&bridge->changed, &bridge->lock, &end);
}

bool is_going(const struct bridge *bridge) {
  return !bridge->is_closing && bridge->failure.status == MAINSTEM_OK;
}

void bridge_visit(struct bridge *bridge) {
  bridge->visits_ms = now_ms();
  pthread_mutex_unlock(&bridge->lock);
}

void bridge_return(struct bridge *bridge) {
  pthread_mutex_lock(&bridge->lock);
  bridge->visits_ms = 0;
  if (bridge->is_closing) pthread_cond_broadcast(&bridge->changed);
}

/* Handles --------------------------------------------------------------------------------------------- */

/* Handles: a slot's number, and which bridge of the slot. A slot is used again, and never freed: see `struct bridge`. */

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

/* A bridge that is free, locked. */
static mainstem_status table_add(const struct kind *kind, mainstem_nats **handle,
                                 struct bridge **bridge) {
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

/* The bridge behind a handle, locked. */
static mainstem_status table_find(mainstem_nats *handle, const char *function,
                                  struct bridge **bridge) {
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

/* The thread ------------------------------------------------------------------------------------------ */

/* Waits for a change, but not past what is due. */
static void wait_a_little(struct bridge *bridge, int64_t until) {
  int64_t due = bridge->kind->keep_time != NULL ? bridge->kind->keep_time(bridge) : until;
  /* Keeping time may let go of the lock. */
  if (is_going(bridge)) wait_for_change(bridge, (due < until ? due : until) - now_ms());
}

/* Notes why a work ended; false: that was the last one. */
static bool note_end(struct bridge *bridge, const struct failure *failure, int64_t *wait) {
  bool is_last = failure->is_final || bridge->is_closing;
  bridge->stats.state = failure->is_final ? MAINSTEM_NATS_STOPPED : MAINSTEM_NATS_WAITING;
  bridge->stats.status = failure->status;
  memcpy(bridge->stats.message, failure->message, sizeof failure->message);
  bridge->failure.status = MAINSTEM_OK;
  pthread_cond_broadcast(&bridge->changed);
  /* Others that add to the stream are not waited for long. */
  int64_t until = now_ms() + (failure->status == MAINSTEM_BUSY ? *wait / 16 : *wait);
  while (!is_last && is_going(bridge) && now_ms() < until) wait_a_little(bridge, until);
  *wait = *wait * 2 < LONGEST_WAIT_MS ? *wait * 2 : LONGEST_WAIT_MS;
  return !is_last && !bridge->is_closing;
}

/* Gives everything back, with the lock. */
static void end(struct bridge *bridge) {
  bridge->kind->end(bridge);
  bridge->state = NULL;
  settings_free(&bridge->settings);
  bridge->is_used = false;
}

static void *run(void *user_data) {
  struct bridge *bridge = user_data;
  int64_t wait = FIRST_WAIT_MS;
  uint64_t entries = 0;
  bool goes_on;
  do {
    struct failure failure = {0};
    bridge->kind->work(bridge, &failure);
    pthread_mutex_lock(&bridge->lock);
    if (bridge->failure.status != MAINSTEM_OK) failure = bridge->failure;
    if (bridge->stats.entries > entries) wait = FIRST_WAIT_MS;
    entries = bridge->stats.entries;
    goes_on = note_end(bridge, &failure, &wait);
    pthread_mutex_unlock(&bridge->lock);
  } while (goes_on);
  pthread_mutex_lock(&bridge->lock);
  if (bridge->ends_itself) end(bridge);
  pthread_mutex_unlock(&bridge->lock);
  return NULL;
}

mainstem_status bridge_take(const struct kind *kind, struct settings *settings,
                            mainstem_nats **handle, struct bridge **bridge) {
  mainstem_status status = table_add(kind, handle, bridge);
  if (status != MAINSTEM_OK) {
    settings_free(settings);
    return status;
  }
  struct bridge *made = *bridge;
  made->settings = *settings;
  made->is_closing = made->ends_itself = false;
  made->visits_ms = 0;
  made->asked = made->flushed = 0;
  memset(&made->stats, 0, sizeof made->stats);
  memset(&made->failure, 0, sizeof made->failure);
  return MAINSTEM_OK;
}

mainstem_status bridge_begin(struct bridge *bridge, bool has_memory, mainstem_nats **handle) {
  const char *function = bridge->kind->function;
  bool is_begun = has_memory && pthread_create(&bridge->thread, NULL, run, bridge) == 0;
  if (!is_begun) end(bridge);
  pthread_mutex_unlock(&bridge->lock);
  if (is_begun) return MAINSTEM_OK;
  *handle = NULL;
  return refuse(MAINSTEM_NO_MEMORY, "%s: there is no room for %s", function,
                has_memory ? "a thread" : "it");
}

mainstem_status bridge_refuse(struct bridge *bridge, mainstem_status status,
                              mainstem_nats **handle) {
  end(bridge);
  pthread_mutex_unlock(&bridge->lock);
  *handle = NULL;
  return status;
}

/* Wakes the thread, and those who wait for it; with the lock. */
static void wake(struct bridge *bridge) {
  pthread_cond_broadcast(&bridge->changed);
  if (bridge->kind->wake != NULL) bridge->kind->wake(bridge);
}

/* The calls ------------------------------------------------------------------------------------------- */

/* Its thread waits for room in a queue of the program's, which perhaps nobody but who flushes would make. */
static bool is_stuck(const struct bridge *bridge) {
  int64_t now = now_ms();
  return bridge->visits_ms != 0 && now - bridge->visits_ms >= LONGEST_VISIT_MS &&
         now - bridge->asked_ms >= LONGEST_VISIT_MS;
}

/* Why a wait for a flush has ended. */
static mainstem_status reason(const struct bridge *bridge, uint64_t asked) {
  if (bridge->flushed >= asked) return MAINSTEM_OK;
  if (bridge->stats.state == MAINSTEM_NATS_STOPPED)
    return refuse(bridge->stats.status, "mainstem_nats_flush: %s", bridge->stats.message);
  if (bridge->is_closing)
    return refuse(MAINSTEM_CANCELLED, "mainstem_nats_flush: the %s was closed", bridge->kind->noun);
  if (is_stuck(bridge))
    return refuse(MAINSTEM_BUSY,
                  "mainstem_nats_flush: the %s waits behind a queue of the program's that is full, "
                  "and lets senders wait: make room there, and flush again",
                  bridge->kind->noun);
  return refuse(MAINSTEM_TIMEOUT, "mainstem_nats_flush: the %s is at %llu: %s", bridge->kind->noun,
                (unsigned long long)bridge->stats.done,
                bridge->stats.state == MAINSTEM_NATS_WAITING ? bridge->stats.message
                                                             : "it is on its way");
}

static mainstem_status wait(struct bridge *bridge, int64_t ms) {
  if (ms > STEP_MS) ms = STEP_MS;
  if (bridge->kind->wait != NULL) return bridge->kind->wait(bridge, ms);
  wait_for_change(bridge, ms);
  return MAINSTEM_OK;
}

/* Asks for a flush; with the lock. */
static uint64_t ask(struct bridge *bridge) {
  bridge->asked++;
  bridge->asked_ms = now_ms();
  wake(bridge);
  return bridge->asked;
}

mainstem_status mainstem_nats_flush(mainstem_nats *bridge, int64_t timeout_ms) {
  struct bridge *found;
  mainstem_status status = table_find(bridge, "mainstem_nats_flush", &found);
  if (status != MAINSTEM_OK) return status;
  int64_t until = now_ms() + timeout_ms;
  uint64_t asked = ask(found);
  found->waiting++;
  while (found->flushed < asked && !found->is_closing &&
         found->stats.state != MAINSTEM_NATS_STOPPED && (timeout_ms < 0 || now_ms() < until) &&
         !is_stuck(found) && status == MAINSTEM_OK)
    status = wait(found, timeout_ms < 0 ? STEP_MS : until - now_ms());
  if (status == MAINSTEM_OK) status = reason(found, asked);
  found->waiting--;
  pthread_mutex_unlock(&found->lock);
  return status;
}

mainstem_status mainstem_nats_p_flush_ask(mainstem_nats *bridge, uint64_t *asked) {
  struct bridge *found;
  mainstem_status status = table_find(bridge, "mainstem_nats_flush", &found);
  if (status != MAINSTEM_OK) return status;
  *asked = ask(found);
  pthread_mutex_unlock(&found->lock);
  return MAINSTEM_OK;
}

mainstem_status mainstem_nats_p_flush_look(mainstem_nats *bridge, uint64_t asked) {
  struct bridge *found;
  mainstem_status status = table_find(bridge, "mainstem_nats_flush", &found);
  if (status != MAINSTEM_OK) return status;
  status = reason(found, asked);
  pthread_mutex_unlock(&found->lock);
  return status;
}

mainstem_status mainstem_nats_stats_read(mainstem_nats *bridge, mainstem_nats_stats *stats) {
  static const char *const function = "mainstem_nats_stats_read";
  struct bridge *found;
  if (stats == NULL) return refuse(MAINSTEM_INVALID, "%s: stats: is NULL", function);
  if (stats->size != sizeof *stats)
    return refuse(stats->size > sizeof *stats ? MAINSTEM_UNSUPPORTED : MAINSTEM_INVALID,
                  "%s: stats.size: is %u, but this library's has %zu bytes", function, stats->size,
                  sizeof *stats);
  mainstem_status status = table_find(bridge, function, &found);
  if (status != MAINSTEM_OK) return status;
  *stats = found->stats;
  stats->size = sizeof *stats;
  pthread_mutex_unlock(&found->lock);
  return MAINSTEM_OK;
}

/* Leaves what has to be left on this thread. Meanwhile another one may have closed it. */
static mainstem_status leave(struct bridge *bridge) {
  uint64_t generation = bridge->generation;
  mainstem_status status = bridge->kind->leave != NULL ? bridge->kind->leave(bridge) : MAINSTEM_OK;
  if (status != MAINSTEM_OK || bridge->generation == generation) return status;
  return refuse(MAINSTEM_STALE, "mainstem_nats_close: bridge: has ended");
}

/* Whether its thread can be waited for: not if it is this one, where a callback closes its own bridge; nor if it waits
   for room in a queue that perhaps this thread alone empties. */
static bool may_join(struct bridge *bridge) {
  int64_t until = now_ms() + VISIT_MS;
  if (pthread_equal(bridge->thread, pthread_self())) return false;
  while (bridge->visits_ms != 0 && now_ms() < until) wait_for_change(bridge, until - now_ms());
  return bridge->visits_ms == 0;
}

mainstem_status mainstem_nats_close(mainstem_nats *bridge) {
  struct bridge *found;
  if (bridge == NULL) return MAINSTEM_OK;
  mainstem_status status = table_find(bridge, "mainstem_nats_close", &found);
  if (status != MAINSTEM_OK) return status;
  status = leave(found);
  if (status != MAINSTEM_OK) {
    pthread_mutex_unlock(&found->lock);
    return status;
  }
  pthread_t thread = found->thread;
  found->is_closing = true;
  found->generation++; /* The handle has ended; the slot is free when its thread is. */
  wake(found);
  bool joins = may_join(found);
  found->ends_itself = !joins;
  if (!joins) pthread_detach(thread);
  pthread_mutex_unlock(&found->lock);
  if (!joins) return MAINSTEM_OK;
  pthread_join(thread, NULL);
  pthread_mutex_lock(&found->lock);
  end(found);
  pthread_mutex_unlock(&found->lock);
  return MAINSTEM_OK;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Nasty values for each kind of argument, picked at random. */

#ifndef ARGUMENT_VALUES_H
#define ARGUMENT_VALUES_H

#include "stream.h"

static inline void ignore_event(void *user_data, const mainstem_event *event) {}

static inline void ignore_line(void *user_data, const char *line) {}

static uint64_t state = 20260101;

static uint64_t pick(uint64_t bound) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31)) % bound;
}

#define ONE_OF(array) ((array)[pick(COUNT(array))])

enum { HANDLES = 24 };

static void *handles[HANDLES]; /* Live, stale and of every kind: what earlier calls gave. */
static char most_name[256], long_name[257], bytes[300];
static mainstem_context *home; /* Never ended by a tuple. */

static void *given(void) {
  static const uint64_t odd[] = {0,
                                 1,
                                 8,
                                 0xffffffff,
                                 0x100000000ULL,
                                 UINT64_MAX,
                                 0x7fffffffffffffffULL,
                                 0x8000000000000000ULL,
                                 0xdeadbeef};
  if (pick(4) == 0) return (void *)(uintptr_t)ONE_OF(odd);
  if (pick(2) == 0) return home;
  return handles[pick(HANDLES)];
}

/* Or one with a bit turned over, which is none. */
static void *handle(void) {
  if (pick(16) == 0) return (void *)((uintptr_t)ONE_OF(handles) ^ (uintptr_t)1 << pick(64));
  return given();
}

/* To be ended: a bit turned over might make it a home. */
static void *other_than_home(void) {
  void *found = given();
  return found == home ? NULL : found;
}

static void note(void *made) {
  if (made != NULL) handles[pick(HANDLES)] = made;
}

/* What lives on beside the home, the newest of each: a process has so many descriptors only. */
enum { OTHERS = 32 };

static mainstem_context *contexts[OTHERS];
static mainstem_journal *journals[OTHERS];

static void note_context(mainstem_context *made) {
  static size_t next;
  if (made == NULL) return;
  mainstem_context_close(contexts[next % OTHERS]); /* A tuple may have closed it. */
  contexts[next++ % OTHERS] = made;
}

static void note_journal(mainstem_journal *made) {
  static size_t next;
  if (made == NULL) return;
  mainstem_journal_close(journals[next % OTHERS]);
  journals[next++ % OTHERS] = made;
  note(made);
}

static mainstem_router *routers[OTHERS];
static mainstem_match *matches[OTHERS];

static void note_router(mainstem_router *made) {
  static size_t next;
  if (made == NULL) return;
  mainstem_router_close(routers[next % OTHERS]);
  routers[next++ % OTHERS] = made;
  note(made);
}

static void note_match(mainstem_match *made) {
  static size_t next;
  if (made == NULL) return;
  mainstem_match_release(matches[next % OTHERS]);
  matches[next++ % OTHERS] = made;
  note(made);
}

static void close_others(void) {
  for (size_t i = 0; i < OTHERS; i++) {
    mainstem_context_close(contexts[i]);
    mainstem_journal_close(journals[i]);
    mainstem_router_close(routers[i]);
    mainstem_match_release(matches[i]);
  }
}

static const char *name(void) {
  static const char *const names[] = {NULL,
                                      "",
                                      "A",
                                      "RequestA",
                                      "ResponseA",
                                      "Mainstem",
                                      "MainstemFailure",
                                      "\xff",
                                      "a\nb",
                                      "%s%n",
                                      "\xed\xa0\x80",
                                      "view",
                                      "caf\xc3\xa9",
                                      "../..",
                                      "Notice",
                                      "RequestB",
                                      most_name,
                                      long_name};
  return ONE_OF(names);
}

static uint32_t type(void) {
  static const uint32_t types[] = {0, 1, 2, 3, 4, 5, 6, 0x7fffffff, 0x80000000, UINT32_MAX, 1000};
  return ONE_OF(types);
}

static uint64_t number(void) {
  static const uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     7,
                                     8,
                                     63,
                                     64,
                                     255,
                                     256,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000ULL,
                                     0x7fffffffffffffffULL,
                                     0x8000000000000000ULL,
                                     UINT64_MAX,
                                     UINT64_MAX - 7};
  return pick(8) == 0 ? pick(UINT64_MAX) : ONE_OF(numbers);
}

static mainstem_contract contract(void) {
  static const mainstem_contract contracts[] = {MAINSTEM_PAYLOAD_NONE,
                                                MAINSTEM_PAYLOAD_BYTES,
                                                MAINSTEM_PAYLOAD_TEXT,
                                                MAINSTEM_PAYLOAD_JSON,
                                                MAINSTEM_PAYLOAD_STRUCT | 8,
                                                MAINSTEM_PAYLOAD_BOOL,
                                                MAINSTEM_PAYLOAD_NUMBER,
                                                MAINSTEM_PAYLOAD_INTEGER | 8,
                                                MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW,
                                                MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_REQUEST,
                                                MAINSTEM_PAYLOAD_MASK,
                                                MAINSTEM_ROLE_MASK,
                                                MAINSTEM_LAYER_MASK};
  return pick(5) == 0 ? number() : ONE_OF(contracts);
}

/* Data and a size that belong together, or a size that must be refused before anything is read. */
static const void *data(size_t *size) {
  static const size_t small[] = {0, 1, 2, 7, 8, 9, 255, 256, 300};
  static const size_t huge[] = {(size_t)1 << 32, SIZE_MAX, SIZE_MAX - 100, (size_t)1 << 63};
  *size = pick(6) == 0 ? ONE_OF(huge) : ONE_OF(small);
  if (pick(6) == 0) return NULL;
  for (int i = 0; i < 4; i++) bytes[pick(sizeof bytes)] = (char)pick(256);
  return bytes;
}

static mainstem_event_fn fn(void) { return pick(4) == 0 ? NULL : ignore_event; }

#endif

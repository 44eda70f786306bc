// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for reactors: each allocation of what is added, mutated and stubbed fails in turn. Nothing is half done, and
 * nothing leaks. This program defines malloc, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "stream.h"

static int64_t released, told;
static mainstem_status mutated;
static int failing;
static bool is_warm;

static void mutate(void *user_data, const mainstem_event *action) {
  const int64_t *state = (const int64_t *)mainstem_reactor_state(action->context);
  const int64_t before = *state;
  countdown = failing;
  mutated = mainstem_reactor_mutate(action, "12345678", 8);
  failing = countdown;
  countdown = -1;
  EXPECT_EQUAL(*state, before + (mutated == MAINSTEM_OK));
}

static void count_mutation(void *user_data, void *state, const void *mutation, size_t size) {
  EXPECT_EQUAL(size, 8);
  ++*(int64_t *)state;
}

static mainstem_status count_pulse(void *user_data, mainstem_context *reactor,
                                   const mainstem_event_type *types, const void *mutation,
                                   size_t size) {
  EXPECT(size == 8 && memcmp(mutation, "12345678", 8) == 0);
  told++;
  return MAINSTEM_OK;
}

static void no_transform(void *user_data, void *state) {}

static void count_release(void *user_data) { released++; }

static const mainstem_viewmodel_row rows[] = {
    {"may", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"go", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, mutate, NULL, 0, 0, "end"},
    {"end", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, mutate, "may", 0, 0, NULL}};

static const mainstem_reactor_table table = {
    .size = sizeof table,
    .state_size = sizeof(int64_t),
    .rows = rows,
    .row_size = sizeof rows[0],
    .count = COUNT(rows),
    .mutation = MAINSTEM_PAYLOAD_BYTES,
    .reduce = count_mutation,
    .pulse = count_pulse,
    .transform_state = no_transform,
};

/* Calls until nothing is left that can fail; returns how often it failed. */
static int fail_each(mainstem_status (*call)(mainstem_context *, mainstem_context *),
                     uint32_t threads) {
  int failures = 0;
  long before = blocks;
  for (int which = 0; which < 200; which++) {
    int64_t hooks = released;
    mainstem_context *context = context_open(threads), *reactor;
    EXPECT_OK(mainstem_reactor_add(context, "Reactor", &table, NULL, count_release, &reactor));
    EXPECT_OK(mainstem_flush(context));
    failing = which;
    mainstem_status status = call(context, reactor);
    EXPECT(countdown == -1);
    EXPECT_OK(mainstem_context_close(context));
    /* The first round leaves what all contexts use. */
    if (is_warm) EXPECT_EQUAL(blocks, before);
    before = blocks;
    EXPECT(released > hooks);
    if (status == MAINSTEM_OK && failing > 0) return failures;
    if (status == MAINSTEM_OK) continue; /* It could do without this one. */
    EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
    failures++;
  }
  EXPECT(!"fewer than 200 allocations");
  return 0;
}

static mainstem_status add(mainstem_context *context, mainstem_context *reactor) {
  int64_t hooks = released;
  countdown = failing;
  mainstem_status status =
      mainstem_reactor_add(context, "Another", &table, NULL, count_release, &reactor);
  failing = countdown;
  countdown = -1;
  EXPECT_EQUAL(released, hooks);
  EXPECT((reactor != NULL) == (status == MAINSTEM_OK));
  return status;
}

static mainstem_status run(mainstem_context *context, mainstem_context *reactor) {
  const int64_t before = told;
  mainstem_event_type go;
  go = type_named(context, "Reactor.go");
  EXPECT_OK(mainstem_request(reactor, go, NULL, 0, NULL, NULL, NULL));
  EXPECT_EQUAL(told, before + (mutated == MAINSTEM_OK));
  return mutated;
}

static mainstem_status stub(mainstem_context *context, mainstem_context *reactor) {
  const int64_t forced = 7;
  countdown = failing;
  mainstem_status status = mainstem_reactor_stub(reactor, &forced);
  failing = countdown;
  countdown = -1;
  EXPECT_EQUAL(*(const int64_t *)mainstem_reactor_state(reactor),
               status == MAINSTEM_OK ? forced : 0);
  return status;
}

/* Catches: a half reactor, a leak, a mutation that is reduced but not sent, or sent but not told. */
CASE(nothing_is_half_done, IN_BOTH) {
  for (int round = 0; round < 2; round++) {
    EXPECT(fail_each(add, threads) > 10);
    EXPECT(fail_each(run, threads) > 0);
    EXPECT(fail_each(stub, threads) > 2);
    is_warm = true;
  }
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3: each allocation of each call fails in turn. A status each time, nothing changed, the
 * same call works afterwards, and every block is freed when the context is closed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "memory_trial.h"

#include <pthread.h>

static int failures; /* How many allocations failed with a status: none would prove nothing. */

/* The call with the allocation number 0, 1, 2 … failing, until it needs no more. */
static void fail_each_allocation(trial *self) {
  int done = 0;
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a message. */
  for (int which = 0; which < 1000; which++) {
    mainstem_context_stats before = stats_of(self->on.context), after;
    int calls_before = self->calls;
    countdown = which;
    self->status = self->call(self);
    int left = countdown;
    countdown = -1;
    if (self->status == MAINSTEM_OK && left > 0) return;
    if (self->status == MAINSTEM_STALE && done) return; /* A request is answered once. */
    done |= self->status == MAINSTEM_OK;
    if (self->status == MAINSTEM_OK) continue; /* It could do without this one. */
    EXPECT_STATUS(self->status, MAINSTEM_NO_MEMORY);
    EXPECT(strstr(mainstem_last_error(), "mainstem_") == mainstem_last_error());
    after = stats_of(self->on.context);
    EXPECT(memcmp(&before, &after, sizeof before) == 0);
    EXPECT_EQUAL(self->calls, calls_before);
    EXPECT_EQUAL(self->hooks, 0);
    failures++;
  }
  EXPECT(!"a call needs less than 1000 allocations");
}

static void inside(void *user_data, const mainstem_event *event) {
  trial *self = (trial *)user_data;
  if (event->cause != 0 || self->event != NULL) return;
  self->event = event;
  fail_each_allocation(self);
}

static void run_outside(uint32_t threads, size_t which) {
  trial *self = trial_open(threads, which);
  asking one;
  if (calls[which].needs_request) {
    keeper_serve(&self->kept, &self->on);
    asking_ask(&one, &self->on);
    self->event = keeper_event(&self->kept, 0);
  }
  fail_each_allocation(self);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void run_inside(uint32_t threads, size_t which) {
  trial *self = trial_open(threads, which);
  serve_one(self->on.context, "Inside", "RequestAsk", inside, self);
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT(self->event != NULL);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

typedef struct beside_call {
  uint32_t threads;
  size_t which;
  trial *self;
} beside_call;

static void *fail_beside(void *data) {
  beside_call *call = (beside_call *)data;
  fail_each_allocation(call->self);
  return NULL;
}

static void beside_inside(void *user_data, const mainstem_event *event) {
  beside_call *call = (beside_call *)user_data;
  pthread_t thread;
  if (call->self->event != NULL) return;
  call->self->event = event;
  EXPECT_EQUAL(pthread_create(&thread, NULL, fail_beside, call), 0);
  EXPECT_EQUAL(pthread_join(thread, NULL), 0);
}

/* While another thread delivers, what is observed and sent waits in the queue: memory again. */
static void run_beside(uint32_t threads, size_t which) {
  beside_call call = {threads, which, trial_open(threads, which)};
  serve_one(call.self->on.context, "Inside", "RequestAsk", beside_inside, &call);
  EXPECT_OK(mainstem_request(call.self->on.context, call.self->on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT(call.self->event != NULL);
  EXPECT_OK(mainstem_context_close(call.self->on.context));
}

/* Catches: a NULL that is not looked at, a half-made row, an answer lost, a leak on the way back. */
CASE(each_allocation_may_fail, IN_BOTH) {
  for (int round = 0; round < 2; round++) {
    long before = blocks;
    for (size_t i = 0; i < COUNT(calls); i++) {
      expect_sentence = calls[i].name;
      run_inside(threads, i);
      if (calls[i].needs_request == 2) continue;
      run_outside(threads, i);
      if (threads == MAINSTEM_THREADS_ANY) run_beside(threads, i);
    }
    if (round > 0) EXPECT_EQUAL(blocks, before); /* The first round fills what stays for good. */
  }
  EXPECT(failures > 0);
}

static int shared_failures;

static void count_shared(void *user_data, const mainstem_event *event) {
  ((trial *)user_data)->calls++;
  if (event->status == MAINSTEM_OK) return;
  EXPECT_STATUS(event->status, MAINSTEM_NO_MEMORY);
  shared_failures++;
}

static void keep_asked(void *user_data, const mainstem_event *event) {
  int failing = countdown;
  countdown = -1;
  keeper_keep(user_data, event);
  countdown = failing;
}

/* Three who ask together, a step, and an answer that is copied for each: one of them meets the allocation that fails. */
static void run_shared(uint32_t threads, int when, int which) {
  static char longer[1000];
  trial *self = trial_open(threads, 0);
  mainstem_request_options options = {sizeof options, 0, NULL, 1000, 0, 1};
  memset(longer, 'x', sizeof longer);
  serve_one(self->on.context, "Keeper", "RequestAsk", keep_asked, &self->kept);
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID);
  for (int i = 0; i < 3; i++) {
    countdown = when == i ? which : -1;
    mainstem_status status = mainstem_request_with(self->on.context, self->on.ask, "?", 1, &options,
                                                   count_shared, self, NULL, NULL);
    countdown = -1;
    if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
    self->hooks += status == MAINSTEM_OK;
  }
  for (size_t i = 0; i < self->kept.count; i++) {
    self->event = keeper_event(&self->kept, i);
    countdown = when == 3 ? which : -1;
    mainstem_status step = call_respond_progress(self);
    countdown = when == 4 ? which : -1;
    mainstem_status status = mainstem_respond(self->event, longer, sizeof longer);
    countdown = -1;
    if (step != MAINSTEM_OK) EXPECT_STATUS(step, MAINSTEM_NO_MEMORY);
    if (status != MAINSTEM_OK) EXPECT_OK(mainstem_respond(self->event, longer, sizeof longer));
    EXPECT_OK(mainstem_retained_release(self->kept.kept[i]));
  }
  EXPECT_EQUAL(self->calls, self->hooks); /* Who was let in has an answer. */
  EXPECT_EQUAL(stats_of(self->on.context).requests, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Law 8. Catches: an asker without an answer, and what leaks with it. */
CASE(each_asker_has_an_answer, IN_BOTH) {
  for (int round = 0; round < 2; round++) {
    long before = blocks;
    for (int when = 0; when < 5; when++)
      for (int which = 0; which < 12; which++) run_shared(threads, when, which);
    if (round > 0) EXPECT_EQUAL(blocks, before);
  }
  EXPECT(shared_failures > 0);
}

/* Catches: a context half made. */
CASE(create_may_fail, IN_BOTH) {
  mainstem_context *context;
  mainstem_context_options options = context_options(threads);
  EXPECT_OK(mainstem_context_close(context_open(threads))); /* Fills what stays for good. */
  for (int which = 0; which < 1000; which++) {
    long before = blocks;
    context = (mainstem_context *)(uintptr_t)8;
    countdown = which;
    mainstem_status status = mainstem_context_create(&options, &context);
    int left = countdown;
    countdown = -1;
    if (status == MAINSTEM_OK) EXPECT_OK(mainstem_context_close(context));
    if (status == MAINSTEM_OK && left > 0) return;
    if (status == MAINSTEM_OK) continue;
    EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
    EXPECT(context == NULL);
    EXPECT_EQUAL(blocks, before);
  }
  EXPECT(!"create needs less than 1000 allocations");
}

int main(void) { return expect_all(); }

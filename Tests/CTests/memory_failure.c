// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3: each allocation of each call fails in turn. A status each time, nothing changed, the
 * same call works afterwards, and every block is freed when the context is closed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "memory_calls.h"

#include <pthread.h>

static int failures; /* How many allocations failed with a status: none would prove nothing. */

/* The call with the allocation number 0, 1, 2 … failing, until it needs no more. */
static void fail_each_allocation(trial *self) {
  int done = 0;
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a sentence. */
  for (int which = 0; which < 1000; which++) {
    mainstem_stats before = stats_of(self->on.context), after;
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

/* The first scheduled observer of a context registers the type of gaps, for good. */
static void register_gaps(const stream *on) {
  mainstem_observe_options options;
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  EXPECT_OK(mainstem_observe_with(on->context, &options, NULL, NULL, NULL, &first));
  EXPECT_OK(mainstem_cancel(first));
}

static void ignore_event(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

/* Types that are registered later take them along. */
static void look_at_one_origin(const stream *on) {
  mainstem_observe_options options;
  mainstem_context *scope;
  EXPECT_OK(mainstem_scope_add(on->context, "Looked at", &scope));
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.of = scope;
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_observe_with(on->context, &options, ignore_event, NULL, NULL, NULL));
}

static trial *trial_open(uint32_t threads, size_t which) {
  static trial self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.value =
      type_open(self.on.context, "Value", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_ROLE_VALUE, NULL);
  self.present =
      type_open(self.on.context, "Present", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_value_set(self.on.context, self.present, "here", 4));
  register_gaps(&self.on);
  if (strncmp(calls[which].name, "type_add", 8) == 0) look_at_one_origin(&self.on);
  if (strncmp(calls[which].name, "binding", 7) == 0 || calls[which].call == call_model_add)
    binding_open(&self);
  self.call = calls[which].call;
  return &self;
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
  mainstem_handler_row row = {"RequestAsk", inside};
  EXPECT_OK(mainstem_server_add(self->on.context, "Inside", &row, sizeof row, 1, self, NULL, NULL));
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
  mainstem_handler_row row = {"RequestAsk", beside_inside};
  EXPECT_OK(
      mainstem_server_add(call.self->on.context, "Inside", &row, sizeof row, 1, &call, NULL, NULL));
  EXPECT_OK(mainstem_request(call.self->on.context, call.self->on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT(call.self->event != NULL);
  EXPECT_OK(mainstem_context_close(call.self->on.context));
}

/* Catches: a NULL that is not looked at, a half-made row, an answer lost, a leak on the way back. */
static void each_allocation_may_fail(uint32_t threads) {
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

static mainstem_status call_send_inside(trial *self) {
  self->status = MAINSTEM_OK;
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  return self->status;
}

static void send_in_callback(void *user_data, const mainstem_event *event) {
  trial *self = (trial *)user_data;
  (void)event;
  self->status = call_send(self);
}

static void request_in_callback(void *user_data, const mainstem_event *event) {
  trial *self = (trial *)user_data;
  (void)event;
  self->status = call_request_with(self);
}

static const struct {
  const char *name;
  mainstem_status (*call)(trial *self);
  mainstem_event_fn inside;
} room_calls[] = {{"send", call_send, NULL},
                  {"post", call_post, NULL},
                  {"request", call_request, NULL},
                  {"request_with", call_request_with, NULL},
                  {"send, inside", call_send_inside, send_in_callback},
                  {"request_with, inside", call_send_inside, request_in_callback},
                  {"respond_progress", call_respond_progress, NULL}};

static mainstem_subscription *reader_of(trial *self, size_t limit) {
  const mainstem_event_type types[] = {self->on.notice, self->on.ask};
  mainstem_observe_options options;
  mainstem_subscription *reader;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = types;
  options.type_count = COUNT(types);
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.limit_events = limit;
  EXPECT_OK(mainstem_observe_with(self->on.context, &options, NULL, NULL, NULL, &reader));
  return reader;
}

/* The call, each of its allocations failing in turn; three are let in all the same, and not one is lost. */
static void run_with_room(uint32_t threads, size_t which) {
  trial *self = trial_open(threads, 0);
  mainstem_subscription_stats stats = {.size = sizeof stats};
  asking one;
  int accepted = 0;
  self->call = room_calls[which].call;
  if (self->call == call_respond_progress) {
    keeper_serve(&self->kept, &self->on);
    asking_ask(&one, &self->on);
    self->event = keeper_event(&self->kept, 0);
  }
  if (room_calls[which].inside != NULL)
    EXPECT_OK(mainstem_observe(self->on.context, self->on.other, room_calls[which].inside, self,
                               NULL, NULL));
  reader_of(self, 9);
  mainstem_subscription *narrow = reader_of(self, 3);
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a sentence. */
  for (int failing = 0; failing < 1000; failing++) {
    countdown = failing;
    mainstem_status status = self->call(self);
    int left = countdown;
    countdown = -1;
    if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
    accepted += status == MAINSTEM_OK;
    if (accepted == 3 || left > 0) break;
  }
  while (accepted < 3) {
    EXPECT_OK(self->call(self));
    accepted++;
  }
  EXPECT_STATUS(self->call(self), MAINSTEM_FULL);
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_OK(mainstem_subscription_stats_read(narrow, &stats));
  EXPECT_EQUAL(stats.waiting, 3);
  EXPECT_EQUAL(stats.dropped, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Catches: room that is promised and stays so when the call fails for want of memory; what leaks with it. */
static void no_room_is_lost(uint32_t threads) {
  for (int round = 0; round < 2; round++) {
    long before = blocks;
    for (size_t i = 0; i < COUNT(room_calls); i++) {
      expect_sentence = room_calls[i].name;
      run_with_room(threads, i);
    }
    if (round > 0) EXPECT_EQUAL(blocks, before);
  }
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
  static const mainstem_handler_row row = {"RequestAsk", keep_asked};
  trial *self = trial_open(threads, 0);
  mainstem_request_options options = {sizeof options, 0, NULL, 1000, 0, 1};
  memset(longer, 'x', sizeof longer);
  EXPECT_OK(mainstem_server_add(self->on.context, "Keeper", &row, sizeof row, 1, &self->kept, NULL,
                                NULL));
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
static void each_asker_has_an_answer(uint32_t threads) {
  for (int round = 0; round < 2; round++) {
    long before = blocks;
    for (int when = 0; when < 5; when++)
      for (int which = 0; which < 12; which++) run_shared(threads, when, which);
    if (round > 0) EXPECT_EQUAL(blocks, before);
  }
  EXPECT(shared_failures > 0);
}

typedef struct leaver {
  stream on;
  mainstem_subscription *box;
} leaver;

static void send_and_leave(void *user_data, const mainstem_event *event) {
  leaver *self = (leaver *)user_data;
  (void)event;
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, payload, sizeof payload));
  EXPECT_OK(mainstem_cancel(self->box));
}

/* Catches: a queue that stays for good, as it had promised room when it ended. */
static void a_queue_that_ends_leaves_nothing(uint32_t threads) {
  long before = 0;
  for (int round = 0; round < 2; round++) {
    leaver self;
    mainstem_observe_options options;
    before = blocks; /* The first round fills what stays for good. */
    self.on = stream_open(threads);
    EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
    options.scheduler = MAINSTEM_SCHEDULER_HOST;
    options.types = &self.on.notice;
    options.type_count = 1;
    EXPECT_OK(mainstem_observe(self.on.context, self.on.other, send_and_leave, &self, NULL, NULL));
    EXPECT_OK(mainstem_observe_with(self.on.context, &options, NULL, NULL, NULL, &self.box));
    EXPECT_OK(mainstem_observe_with(self.on.context, &options, NULL, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
  EXPECT_EQUAL(blocks, before);
}

/* The last of a burst is lost, and there is no memory to tell it: it is told as soon as there is. */
static void a_loss_is_told_when_there_is_memory(uint32_t threads) {
  for (int is_mailbox = 0; is_mailbox < 2; is_mailbox++) {
    trial *self = trial_open(threads, 0);
    mainstem_observe_options options;
    mainstem_subscription *reader;
    unsigned char buffer[1000];
    size_t count = 0;
    EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
    options.types = &self->on.notice;
    options.type_count = 1;
    options.scheduler = MAINSTEM_SCHEDULER_HOST;
    options.policy = MAINSTEM_QUEUE_DROP_NEWEST;
    EXPECT_OK(mainstem_observe_with(self->on.context, &options, is_mailbox ? NULL : count_call,
                                    self, NULL, &reader));
    EXPECT_OK(call_send(self));
    countdown = 0;
    mainstem_status status = call_send(self);
    countdown = -1;
    EXPECT_OK(status);
    if (is_mailbox) {
      EXPECT_OK(mainstem_drain_records(reader, buffer, sizeof buffer, &count, NULL));
      EXPECT_EQUAL(count, 2);
    } else {
      EXPECT_OK(mainstem_flush(self->on.context));
      EXPECT_OK(mainstem_flush(self->on.context));
      EXPECT_EQUAL(self->calls, 2);
    }
    EXPECT_OK(mainstem_context_close(self->on.context));
  }
}

/* For want of memory an event is lost in the midst of a queue: the oldest are lost beside that gap, not behind it. */
static void a_gap_in_a_queue_does_not_widen_it(uint32_t threads) {
  trial *self = trial_open(threads, 0);
  mainstem_observe_options options;
  mainstem_subscription *reader;
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  options.types = &self->on.notice;
  options.type_count = 1;
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.policy = MAINSTEM_QUEUE_DROP_OLDEST;
  options.limit_events = 3;
  EXPECT_OK(
      mainstem_observe_with(self->on.context, &options, count_call, self, count_hook, &reader));
  for (int i = 1; i <= 10; i++) {
    countdown = i == 2 || i == 4 ? 0 : -1;
    mainstem_status status = call_send(self);
    countdown = -1;
    EXPECT_OK(status);
    EXPECT_OK(mainstem_subscription_stats_read(reader, &stats));
    EXPECT(stats.waiting <= 3);
  }
  EXPECT_EQUAL(stats.waiting, 3);
  EXPECT_EQUAL(stats.dropped, 7);
  EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
  EXPECT_EQUAL(self->calls, 4); /* One gap, three events. */
  EXPECT_OK(mainstem_context_close(self->on.context));
}

/* Catches: a context half made. */
static void create_may_fail(uint32_t threads) {
  mainstem_context_options options;
  mainstem_context *context;
  EXPECT_OK(mainstem_context_options_init(&options, sizeof options));
  options.threads = threads;
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

static const expect_case cases[] = {
    {"each asker has an answer", each_asker_has_an_answer, IN_BOTH},
    {"each allocation may fail", each_allocation_may_fail, IN_BOTH},
    {"no room is lost", no_room_is_lost, IN_BOTH},
    {"a queue that ends leaves nothing", a_queue_that_ends_leaves_nothing, IN_BOTH},
    {"a loss is told when there is memory", a_loss_is_told_when_there_is_memory, IN_BOTH},
    {"a gap in a queue does not widen it", a_gap_in_a_queue_does_not_widen_it, IN_BOTH},
    {"create may fail", create_may_fail, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

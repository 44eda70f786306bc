// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Memory fails where events are to wait in queues: no room is lost, and what is lost is told.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "memory_trial.h"

static mainstem_status call_send_inside(trial *self) {
  self->status = MAINSTEM_OK;
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
  return self->status;
}

static void send_in_callback(void *user_data, const mainstem_event *event) {
  trial *self = (trial *)user_data;
  self->status = call_send(self);
}

static void request_in_callback(void *user_data, const mainstem_event *event) {
  trial *self = (trial *)user_data;
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
  mainstem_subscription *reader;
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = types,
                                      .type_count = COUNT(types),
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .limit_events = limit};
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
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a message. */
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
CASE(no_room_is_lost, IN_BOTH) {
  for (int round = 0; round < 2; round++) {
    long before = blocks;
    for (size_t i = 0; i < COUNT(room_calls); i++) {
      expect_sentence = room_calls[i].name;
      run_with_room(threads, i);
    }
    if (round > 0) EXPECT_EQUAL(blocks, before);
  }
}

typedef struct leaver {
  stream on;
  mainstem_subscription *box;
} leaver;

static void send_and_leave(void *user_data, const mainstem_event *event) {
  leaver *self = (leaver *)user_data;
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, payload, sizeof payload));
  EXPECT_OK(mainstem_cancel(self->box));
}

/* Catches: a queue that stays for good, as it had promised room when it ended. */
CASE(a_queue_that_ends_leaves_nothing, IN_BOTH) {
  long before = 0;
  for (int round = 0; round < 2; round++) {
    leaver self;
    before = blocks; /* The first round fills what stays for good. */
    self.on = stream_open(threads);
    mainstem_observe_options options = {.size = sizeof options,
                                        .scheduler = MAINSTEM_SCHEDULER_HOST,
                                        .types = &self.on.notice,
                                        .type_count = 1};
    EXPECT_OK(mainstem_observe(self.on.context, self.on.other, send_and_leave, &self, NULL, NULL));
    EXPECT_OK(mainstem_observe_with(self.on.context, &options, NULL, NULL, NULL, &self.box));
    EXPECT_OK(mainstem_observe_with(self.on.context, &options, NULL, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
  EXPECT_EQUAL(blocks, before);
}

/* The last of a burst is lost, and there is no memory to tell it: it is told as soon as there is. */
CASE(a_loss_is_told_when_there_is_memory, IN_BOTH) {
  for (int is_mailbox = 0; is_mailbox < 2; is_mailbox++) {
    trial *self = trial_open(threads, 0);
    mainstem_subscription *reader;
    unsigned char buffer[1000];
    size_t count = 0;
    EXPECT_OK(mainstem_observe_with(self->on.context,
                                    OPTIONS(observe, .types = &self->on.notice, .type_count = 1,
                                            .scheduler = MAINSTEM_SCHEDULER_HOST,
                                            .policy = MAINSTEM_QUEUE_DROP_NEWEST),
                                    is_mailbox ? NULL : count_call, self, NULL, &reader));
    EXPECT_OK(call_send(self));
    countdown = 0;
    mainstem_status status = call_send(self);
    countdown = -1;
    EXPECT_OK(status);
    if (is_mailbox) {
      EXPECT_OK(mainstem_mailbox_take(reader, buffer, sizeof buffer, &count, NULL));
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
CASE(a_gap_in_a_queue_does_not_widen_it, IN_BOTH) {
  trial *self = trial_open(threads, 0);
  mainstem_subscription *reader;
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_observe_with(self->on.context,
                                  OPTIONS(observe, .types = &self->on.notice, .type_count = 1,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST,
                                          .policy = MAINSTEM_QUEUE_DROP_OLDEST, .limit_events = 3),
                                  count_call, self, count_hook, &reader));
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

int main(void) { return expect_all(); }

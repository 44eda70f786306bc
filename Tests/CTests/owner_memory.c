// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for owners: each allocation of what is added, asked for, filled and ended fails in turn. What fails leaves
 * no scope and no observer, each request is answered, and every block is freed when the context is closed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "stream.h"

static int failures; /* How many allocations failed: none would prove nothing. */

typedef struct house {
  stream on;
  mainstem_status status;
  uint64_t number;
  int answers, released, ended;
} house;

static void count_release(void *user_data) { ((house *)user_data)->released++; }

static void ignore_event(void *user_data, const mainstem_event *event) {}

static mainstem_status fill(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  house *self = (house *)user_data;
  const mainstem_handler_row row = {"RequestAsk", ignore_event, 0};
  mainstem_status status = mainstem_observe(scope, self->on.notice, ignore_event, self, NULL, NULL);
  if (status != MAINSTEM_OK) return status;
  return mainstem_server_add(scope, "Part", &row, sizeof row, 1, NULL, NULL, NULL);
}

static void note_answer(void *user_data, const mainstem_event *event) {
  house *self = (house *)user_data;
  self->answers++;
  self->status = event->status;
  self->number = event->status == MAINSTEM_OK && event->size == 8
                     ? (uint64_t)mainstem_event_integer(event)
                     : 0;
}

static void note_end(void *user_data, const mainstem_event *event) {
  ((house *)user_data)->ended++;
}

static void house_open(house *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
}

/* Catches: a factory that is there although it was refused, a block that nobody frees. */
CASE(a_factory_may_find_no_memory, IN_BOTH) {
  for (int which = 0, is_over = 0; !is_over; which++) {
    house self;
    house_open(&self, threads);
    countdown = which;
    mainstem_status status = mainstem_factory_add(self.on.context, "Cell", MAINSTEM_PAYLOAD_NONE,
                                                  fill, &self, count_release);
    is_over = status == MAINSTEM_OK && countdown > 0;
    countdown = -1;
    if (status != MAINSTEM_OK) {
      EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
      EXPECT_EQUAL(stats_of(self.on.context).scopes, 0);
      EXPECT_EQUAL(self.released, 0);
      failures++;
      EXPECT_OK(mainstem_factory_add(self.on.context, "Cell", MAINSTEM_PAYLOAD_NONE, fill, &self,
                                     count_release));
    }
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_EQUAL(self.released, 1);
  }
}

/* Asks for one with an allocation failing; false: it was not reached. */
static int open_one(house *self, mainstem_context *view, int which) {
  const mainstem_context_stats before = stats_of(self->on.context);
  self->answers = 0, self->number = 0;
  countdown = which;
  mainstem_status status = mainstem_instance_open(view, "Cell", NULL, 0, note_answer, self, NULL);
  int left = countdown;
  countdown = -1;
  EXPECT_EQUAL(self->answers, status == MAINSTEM_OK);
  if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
  const mainstem_context_stats after = stats_of(self->on.context);
  EXPECT_EQUAL(after.requests, 0);
  if (self->number != 0) return left == 0;
  if (status == MAINSTEM_OK) EXPECT_STATUS(self->status, MAINSTEM_NO_MEMORY);
  EXPECT_EQUAL(after.scopes, before.scopes);
  EXPECT_EQUAL(after.subscriptions, before.subscriptions);
  failures++;
  return 1;
}

/* Catches: an owner that is half made, an answer that is lost, an end that is not told. */
CASE(an_owner_may_find_no_memory, IN_BOTH) {
  int is_reached = 1;
  for (int which = 0; is_reached; which++) {
    house self;
    mainstem_context *view = NULL, *cell = NULL;
    house_open(&self, threads);
    mainstem_context *context = self.on.context;
    EXPECT_OK(mainstem_factory_add(context, "Cell", MAINSTEM_PAYLOAD_NONE, fill, &self, NULL));
    mainstem_event_type ended = type_named(context, "MainstemEnded");
    EXPECT_OK(mainstem_observe(context, ended, note_end, &self, NULL, NULL));
    view = scope_open(context, "View");
    EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID); /* Room for a message. */
    is_reached = open_one(&self, view, which);
    if (self.number == 0) open_one(&self, view, 100000);
    EXPECT(self.number != 0);
    EXPECT_OK(mainstem_scope_find(context, self.number, &cell, NULL));
    EXPECT(cell != NULL);
    countdown = 0; /* To end needs no memory. */
    mainstem_status status = mainstem_scope_end(which % 2 ? cell : view);
    countdown = -1;
    EXPECT_OK(status);
    EXPECT_EQUAL(self.ended, which % 2 ? 1 : 2);
    EXPECT_OK(mainstem_scope_find(context, self.number, &cell, NULL));
    EXPECT(cell == NULL);
    EXPECT_OK(mainstem_context_close(context));
  }
  EXPECT(failures > 5);
}

static void answer_ask(void *user_data, const mainstem_event *event) {
  (void)mainstem_respond(event, "yes", 3);
}

/* The scope itself becomes the server. */
static mainstem_status fill_service(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  const mainstem_handler_row row = {"RequestAsk", answer_ask, 0};
  return mainstem_server_add(scope, NULL, &row, sizeof row, 1, NULL, NULL, NULL);
}

/* Catches: a service that is half made, a request that is lost with it, a second instance. */
CASE(a_service_may_find_no_memory, IN_BOTH) {
  static const char *const types[] = {"RequestAsk"};
  for (int which = 0, left = 0; left == 0; which++) {
    house self;
    mainstem_context *service = NULL;
    house_open(&self, threads);
    mainstem_context *context = self.on.context;
    countdown = which;
    mainstem_status status = mainstem_service_add(context, "Diary", types, 1, MAINSTEM_PAYLOAD_NONE,
                                                  fill_service, &self, count_release);
    mainstem_status found = MAINSTEM_OK, asked = MAINSTEM_OK;
    if (status == MAINSTEM_OK && which % 2)
      found = mainstem_service_find(context, "Diary", &service);
    if (status == MAINSTEM_OK)
      asked = mainstem_request(context, self.on.ask, "", 0, note_answer, &self, NULL);
    left = countdown;
    countdown = -1;
    if (status != MAINSTEM_OK) {
      EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
      EXPECT_EQUAL(self.released, 0);
      EXPECT_OK(mainstem_service_add(context, "Diary", types, 1, MAINSTEM_PAYLOAD_NONE,
                                     fill_service, &self, count_release));
    }
    EXPECT(found == MAINSTEM_OK || found == MAINSTEM_NO_MEMORY || found == MAINSTEM_UNSET);
    EXPECT(asked == MAINSTEM_OK || asked == MAINSTEM_NO_MEMORY);
    EXPECT_EQUAL(self.answers, status == MAINSTEM_OK && asked == MAINSTEM_OK);
    EXPECT(self.status == MAINSTEM_OK || self.status == MAINSTEM_NO_MEMORY);
    EXPECT_OK(mainstem_service_find(context, "Diary", &service));
    EXPECT_OK(mainstem_request(context, self.on.ask, "", 0, note_answer, &self, NULL));
    EXPECT_OK(self.status);
    EXPECT_EQUAL(stats_of(context).scopes, 2);
    EXPECT_EQUAL(stats_of(context).requests, 0);
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(self.released, 1);
  }
}

/* Catches: a block that a closed context keeps. */
CASE(nothing_is_kept, IN_BOTH) {
  an_owner_may_find_no_memory(threads);
  a_service_may_find_no_memory(threads);
  const long before = blocks;
  an_owner_may_find_no_memory(threads);
  a_service_may_find_no_memory(threads);
  a_factory_may_find_no_memory(threads);
  EXPECT_EQUAL(blocks, before);
}

int main(void) { return expect_all(); }

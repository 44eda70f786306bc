// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A gate that threads request through, cancel and end, while the site behind it answers on its own thread. */

#include "elsewhere.h"
#include "stream.h"

enum { ASKERS = 3, REQUESTS = 300, EXPIRED = MAINSTEM_APP + 401 };

typedef struct program {
  mainstem_context *context, *gate;
  mainstem_event_type ask, open;
  uint32_t answered, asked; /* By the site; of all that were accepted. */
  uint32_t answers;
} program;

static uint32_t count(uint32_t *counter) {
  return __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

static void answer_site(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  if (count(&self->answered) % 5 == 0) mainstem_respond_error(event, EXPIRED, "expired");
  else mainstem_respond(event, "news", 4); /* It may be cancelled. */
}

static void answer_refresh(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  if (count(&self->answered) % 7 == 0) mainstem_respond_error(event, EXPIRED, "expired");
  else mainstem_respond(event, NULL, 0);
}

static void get_answer(void *user_data, const mainstem_event *event) {
  count(&((program *)user_data)->answers);
}

static void *ask_often(void *user_data) {
  program *self = (program *)user_data;
  for (int i = 0; i < REQUESTS; i++) {
    mainstem_pending *pending;
    EXPECT_OK(mainstem_request(self->context, self->ask, "?", 1, get_answer, self, &pending));
    count(&self->asked);
    if (i % 3 == 0) mainstem_pending_cancel(pending); /* It may be answered. */
  }
  return NULL;
}

static void *turn(void *user_data) {
  program *self = (program *)user_data;
  for (int i = 0; i < REQUESTS; i++) {
    const bool is_open = i % 4 != 0;
    EXPECT_OK(mainstem_value_set(self->context, self->open, &is_open, 1));
  }
  return NULL;
}

static void *end_gate(void *user_data) {
  program *self = (program *)user_data;
  while (__atomic_load_n(&self->asked, __ATOMIC_SEQ_CST) < REQUESTS) sched_yield();
  EXPECT_OK(mainstem_scope_end(self->gate));
  return NULL;
}

static void add_program(program *self, uint32_t threads) {
  const mainstem_gate_row way = {"RequestAsk", "RequestSite"};
  const mainstem_handler_row rows[] = {{"RequestSite", answer_site, 0},
                                       {"RequestRefresh", answer_refresh, 0}};
  stream on = stream_open(threads);
  mainstem_scheduler serial;
  self->context = on.context, self->ask = on.ask;
  type_open(on.context, "RequestSite", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  type_open(on.context, "ResponseDone", MAINSTEM_PAYLOAD_NONE, NULL);
  type_open(on.context, "RequestRefresh", MAINSTEM_PAYLOAD_NONE, "ResponseDone");
  self->open = type_open(on.context, "Open", MAINSTEM_PAYLOAD_BOOL | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_scheduler_add(on.context, "Site", 0, &serial));
  EXPECT_OK(mainstem_server_add_with(on.context, "Site", MAINSTEM_ROWS(rows),
                                     OPTIONS(server, .scheduler = serial), self, NULL, NULL));
  EXPECT_OK(mainstem_gate_add(
      on.context, "Gate", &way, sizeof way, 1,
      OPTIONS(gate, .open = "Open", .refresh = "RequestRefresh", .expired = EXPIRED), &self->gate));
}

/* Catches: an end of the gate beside its callbacks, a request that is forgotten, a lock held while calling out. */
CASE(each_request_gets_one_answer, IN_ANY) {
  for (int round = 0; round < 6; round++) {
    program self = {0};
    pthread_t others[ASKERS + 2];
    add_program(&self, threads);
    for (int i = 0; i < ASKERS; i++) others[i] = beside(ask_often, &self);
    others[ASKERS] = beside(turn, &self);
    if (round % 2) others[ASKERS + 1] = beside(end_gate, &self);
    for (int i = 0; i < ASKERS + 1 + round % 2; i++) join(others[i]);
    EXPECT_OK(mainstem_context_close(self.context));
    EXPECT_EQUAL(self.answers, self.asked);
    EXPECT_EQUAL(self.asked, ASKERS * REQUESTS);
  }
}

int main(void) { return expect_all(); }

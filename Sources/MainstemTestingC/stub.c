// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Stubs: servers that give the answers a test has set. */

#include "kit.h"

#include <stdlib.h>
#include <string.h>

static void give(const mainstem_event *request, const mainstem_test_answer *answer) {
  if (answer->status != MAINSTEM_OK) {
    mainstem_respond_error(request, answer->status, answer->data);
  } else {
    mainstem_respond(request, answer->data, answer->size);
  }
}

/* The next answer to give; NULL: none is left. */
static const mainstem_test_answer *take(stub *self) {
  if (self->given == self->count) return NULL;
  const mainstem_test_answer *answer = &self->answers[self->given];
  if (answer->times == MAINSTEM_TEST_ALWAYS) return answer;
  if (++self->times >= (answer->times == 0 ? 1 : answer->times)) {
    self->given++;
    self->times = 0;
  }
  return answer;
}

/* Never to be answered, so it is kept: it ends with the context. */
static void hold(const mainstem_event *request) {
  mainstem_retained *kept;
  mainstem_event_retain(request, &kept);
}

static void delay(mainstem_test *test, const mainstem_event *request,
                  const mainstem_test_answer *answer, uint64_t number) {
  delayed later;
  if (mainstem_event_retain(request, &later.request) != MAINSTEM_OK) return;
  later.answer = *answer;
  later.due = mainstem_kit_now(test) + answer->delay_ms * 1000000;
  later.number = number;
  if (test->delayed_count == test->delayed_capacity) {
    test->delayed_capacity = test->delayed_capacity * 2 + 16;
    test->delayed = (delayed *)mainstem_kit_memory(test->delayed,
                                                   test->delayed_capacity * sizeof *test->delayed);
  }
  test->delayed[test->delayed_count++] = later;
}

int mainstem_kit_stub_answer(stub *self, const mainstem_event *request) {
  const mainstem_test_answer *answer = take(self);
  self->calls++;
  if (answer == NULL) return 0;
  if (answer->delay_ms > 0) {
    delay(self->test, request, answer, self->calls);
  } else if (answer->delay_ms == 0) {
    give(request, answer);
  } else {
    hold(request);
  }
  return 1;
}

static void answer(void *user_data, const mainstem_event *request) {
  stub *self = (stub *)user_data;
  if (mainstem_kit_stub_answer(self, request)) return;
  self->beyond++;
  mainstem_respond_error(request, MAINSTEM_APP, "the stub has no answer left");
}

stub *mainstem_kit_stub_add(mainstem_test *test, const char *type,
                            const mainstem_test_answer *answers, size_t count,
                            mainstem_test_place place) {
  stub *self = (stub *)mainstem_kit_memory(NULL, sizeof *self);
  memset(self, 0, sizeof *self);
  self->test = test;
  self->type = mainstem_kit_copy(type, strlen(type));
  self->answers = (mainstem_test_answer *)mainstem_kit_copy(answers, count * sizeof *answers);
  self->count = count;
  self->place = place;
  self->next = test->stubs;
  test->stubs = self;
  return self;
}

void mainstem_test_stub_at(mainstem_test *test, const char *type,
                           const mainstem_test_answer *answers, size_t count,
                           mainstem_test_place place) {
  const mainstem_handler_row row = {type, answer, 0};
  mainstem_status status;
  stub *self = mainstem_kit_stub_add(test, type, answers, count, place);
  status = mainstem_server_add(test->context, "Stub", &row, sizeof row, 1, self, NULL, NULL);
  test->stubbed += status == MAINSTEM_OK;
  mainstem_test_ok_at(test, status, "a stub's mainstem_server_add", place);
}

uint64_t mainstem_test_calls(mainstem_test *test, const char *type) {
  uint64_t calls = 0;
  for (const stub *self = test->stubs; self != NULL; self = self->next) {
    if (strcmp(self->type, type) == 0) calls += self->calls;
  }
  return calls;
}

static uint64_t unasked(const stub *self) {
  uint64_t left = 0;
  for (size_t i = self->given; i < self->count; i++) {
    if (self->answers[i].times == MAINSTEM_TEST_ALWAYS) return left;
    left += self->answers[i].times == 0 ? 1 : self->answers[i].times;
  }
  return left - self->times;
}

void mainstem_kit_stub_check_all(mainstem_test *test, text *to) {
  for (const stub *self = test->stubs; self != NULL; self = self->next) {
    uint64_t left = unasked(self);
    if (self->beyond == 0 && left == 0) continue;
    mainstem_kit_text_add(to, "\n  the stub of %s (%s:%d) was asked %llu times, ", self->type,
                          self->place.file, self->place.line, (unsigned long long)self->calls);
    mainstem_kit_text_add(
        to, self->beyond > 0 ? "%llu more than it has answers" : "and has %llu answers left",
        (unsigned long long)(self->beyond > 0 ? self->beyond : left));
  }
}

static size_t first_delayed(const mainstem_test *test) {
  size_t first = 0;
  for (size_t i = 1; i < test->delayed_count; i++) {
    if (test->delayed[i].due < test->delayed[first].due) first = i;
  }
  return first;
}

int64_t mainstem_kit_stub_first_due(const mainstem_test *test) {
  return test->delayed_count == 0 ? INT64_MAX : test->delayed[first_delayed(test)].due;
}

int mainstem_kit_stub_answer_due(mainstem_test *test, int64_t until) {
  if (mainstem_kit_stub_first_due(test) > until) return 0;
  size_t first = first_delayed(test);
  delayed due = test->delayed[first];
  const mainstem_event *request;
  /* The rest keep their order: of answers due at the same time, the one asked for first comes first. */
  memmove(&test->delayed[first], &test->delayed[first + 1],
          (--test->delayed_count - first) * sizeof due);
  if (mainstem_retained_event(due.request, &request) == MAINSTEM_OK) give(request, &due.answer);
  mainstem_retained_release(due.request);
  return 1;
}

void mainstem_kit_stub_free_all(mainstem_test *test) {
  while (test->stubs != NULL) {
    stub *self = test->stubs;
    test->stubs = self->next;
    free(self->type);
    free(self->answers);
    free(self);
  }
  free(test->delayed);
}

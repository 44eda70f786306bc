// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for lists: each allocation of a set, its delivery and its observers fails in turn. A refused set changes
 * nothing; what was accepted comes, or is not known until the next event, which shows the list whole.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "stream.h"

enum { ROWS = 6 };

static int refused, lost;

typedef struct view {
  int is_known, events;
  size_t count;
  int64_t numbers[2 * ROWS];
} view;

static void view_read(view *self, const mainstem_event *event) {
  mainstem_list_row row;
  for (size_t i = 0; i < self->count; i++) {
    EXPECT_OK(mainstem_list_row_get(event, i, &row));
    memcpy(&self->numbers[i], row.data, sizeof self->numbers[i]);
  }
}

static void view_get(void *user_data, const mainstem_event *event) {
  view *self = (view *)user_data;
  mainstem_list_change change;
  size_t count;
  if (event->flags & MAINSTEM_EVENT_GAP) return;
  self->events++;
  if (event->flags & MAINSTEM_EVENT_MARKED) {
    EXPECT_STATUS(mainstem_list_count(event, &count), MAINSTEM_INVALID);
    self->is_known = 0;
    lost++;
    return;
  }
  int was_known = self->is_known;
  EXPECT_OK(mainstem_list_count(event, &count));
  for (size_t i = 0; mainstem_list_read(event, i, &change) == MAINSTEM_OK; i++) {
    if (change.kind == MAINSTEM_LIST_RESET) self->is_known = 1, self->count = 0;
    if (change.kind == MAINSTEM_LIST_RESET || change.kind == MAINSTEM_LIST_INSERT)
      self->count += change.count;
    if (change.kind == MAINSTEM_LIST_REMOVE) self->count -= change.count;
  }
  EXPECT(self->is_known && (was_known || self->events == 1 || self->count == count));
  EXPECT_EQUAL(self->count, count);
  view_read(self, event);
  mainstem_list_window window;
  EXPECT_OK(mainstem_list_window_get(event, &window));
  EXPECT_EQUAL(window.offset, (size_t)self->numbers[0]);
  EXPECT_EQUAL(window.total, 100);
}

typedef struct owner {
  mainstem_context *context;
  mainstem_event_type list;
  view views[2];
  mainstem_list_ends ends;
} owner;

static mainstem_status owner_set(owner *self, int64_t number, size_t count) {
  int64_t numbers[ROWS];
  char keys[ROWS][2];
  mainstem_list_row rows[ROWS];
  for (size_t i = 0; i < count; i++) {
    numbers[i] = number;
    keys[i][0] = (char)('a' + (number + (int64_t)i) % 13);
    rows[i] = (mainstem_list_row){keys[i], 1, &numbers[i], sizeof numbers[i]};
  }
  mainstem_list_window window = {(size_t)number, count, 100};
  return mainstem_list_set_window(self->context, self->list, rows, sizeof rows[0], count, NULL,
                                  &window);
}

static void owner_open(owner *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->list = type_open(self->context, "Items",
                         MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->list, view_get, &self->views[0], NULL, NULL));
  EXPECT_OK(mainstem_observe_with(
      self->context,
      OPTIONS(observe, .types = &self->list, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      view_get, &self->views[1], NULL, NULL));
}

/* Catches: a list that is wrong behind a moment without memory, changes of what nobody got, a block that nobody frees. */
CASE(a_list_may_find_no_memory, IN_BOTH) {
  for (int one = 0; one < 2; one++) {
    for (int which = 0, is_over = 0; !is_over; which++) {
      owner self;
      long before = blocks;
      owner_open(&self, threads);
      EXPECT_OK(owner_set(&self, 1, 4));
      only_one = one;
      countdown = which;
      mainstem_status status = owner_set(&self, 2, 5);
      mainstem_status drained = mainstem_drain(self.context, 0, NULL);
      is_over = countdown > 0;
      countdown = -1;
      only_one = 0;
      if (status != MAINSTEM_OK) {
        EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
        refused++;
      }
      if (drained != MAINSTEM_OK) EXPECT_STATUS(drained, MAINSTEM_NO_MEMORY);
      EXPECT_OK(owner_set(&self, 3, 6));
      EXPECT_OK(owner_set(&self, 4, 3));
      EXPECT_OK(mainstem_drain(self.context, 0, NULL));
      for (int i = 0; i < 2; i++) {
        EXPECT_EQUAL(self.views[i].count, 3);
        for (size_t row = 0; row < 3; row++) EXPECT_EQUAL(self.views[i].numbers[row], 4);
      }
      EXPECT_OK(mainstem_context_close(self.context));
      if (which > 0 || one > 0)
        EXPECT_EQUAL(blocks, before); /* The first round fills what stays for good. */
    }
  }
  EXPECT(refused > 4 && lost > 0);
}

int main(void) { return expect_all(); }

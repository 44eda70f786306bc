// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists that several threads set, while others observe, keep and read them. */

#include "elsewhere.h"
#include "stream.h"

enum { WRITERS = 4, SETS = 400, ROWS = 20, LAST = 'z' };

typedef struct view {
  size_t count;
  int events;
  char keys[ROWS];
  sem_t is_last;
} view;

typedef struct shop {
  mainstem_context *context;
  mainstem_event_type list;
  view views[2];
} shop;

static char key_of(const mainstem_event *event, size_t index) {
  mainstem_list_row row;
  EXPECT_OK(mainstem_list_row_get(event, index, &row));
  EXPECT_EQUAL(row.key_size, 1);
  return row.key[0];
}

static void apply(view *self, const mainstem_event *event, const mainstem_list_change *change) {
  char moved[ROWS];
  char *at = &self->keys[change->index];
  switch (change->kind) {
  case MAINSTEM_LIST_RESET:
    self->count = change->count;
    break;
  case MAINSTEM_LIST_REMOVE:
    self->count -= change->count;
    memmove(at, at + change->count, self->count - change->index);
    return;
  case MAINSTEM_LIST_MOVE:
    memcpy(moved, at, change->count);
    self->count -= change->count;
    memmove(at, at + change->count, self->count - change->index);
    memmove(&self->keys[change->to + change->count], &self->keys[change->to],
            self->count - change->to);
    memcpy(&self->keys[change->to], moved, change->count);
    self->count += change->count;
    return;
  case MAINSTEM_LIST_INSERT:
    memmove(at + change->count, at, self->count - change->index);
    self->count += change->count;
    break;
  }
  for (size_t i = change->index; i < change->index + change->count; i++)
    self->keys[i] = key_of(event, i);
}

static void view_get(void *user_data, const mainstem_event *event) {
  view *self = (view *)user_data;
  mainstem_list_change change;
  size_t count;
  self->events++;
  for (size_t i = 0; mainstem_list_read(event, i, &change) == MAINSTEM_OK; i++)
    apply(self, event, &change);
  EXPECT_OK(mainstem_list_count(event, &count));
  EXPECT_EQUAL(count, self->count);
  for (size_t i = 0; i < count; i++) EXPECT_EQUAL(key_of(event, i), self->keys[i]);
  if (count == 1 && self->keys[0] == LAST) signal_give(&self->is_last);
}

/* Sets the letters from a number on, in a turned order. */
static mainstem_status set(shop *self, unsigned number, mainstem_list_ends *ends) {
  char keys[ROWS];
  mainstem_list_row rows[ROWS];
  size_t count = number % ROWS;
  for (size_t i = 0; i < count; i++) {
    keys[i] = (char)('a' + (number / 3 + i) % count);
    rows[i] = (mainstem_list_row){&keys[i], 1, &keys[i], number % 2};
  }
  return mainstem_list_set(self->context, self->list, rows, sizeof rows[0], count, ends);
}

static void *write_lists(void *user_data) {
  shop *self = (shop *)user_data;
  unsigned seed = (unsigned)(uintptr_t)&seed;
  mainstem_list_ends ends = {0, 0, 0};
  for (int i = 0; i < SETS; i++) {
    seed = seed * 1664525u + 1013904223u;
    EXPECT_OK(set(self, seed >> 16, &ends));
    mainstem_retained *kept;
    EXPECT_OK(mainstem_value_get(self->context, self->list, &kept));
    size_t count;
    EXPECT_OK(mainstem_list_count(kept_event(kept), &count));
    for (size_t row = 0; row < count; row++) (void)key_of(kept_event(kept), row);
    EXPECT_OK(mainstem_retained_release(kept));
  }
  return NULL;
}

/* Catches: rows that one thread frees while another reads them, changes that follow another thread's list. */
CASE(threads_set_one_list, IN_ANY) {
  shop self = {.context = context_open(threads)};
  mainstem_scheduler serial;
  pthread_t writers[WRITERS];
  self.list = type_open(self.context, "Letters",
                        MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_BYTES, NULL);
  for (int i = 0; i < 2; i++) signal_open(&self.views[i].is_last);
  EXPECT_OK(mainstem_scheduler_add(self.context, "Serial", 0, &serial));
  EXPECT_OK(mainstem_observe(self.context, self.list, view_get, &self.views[0], NULL, NULL));
  EXPECT_OK(mainstem_observe_with(self.context,
                                  OPTIONS(observe, .types = &self.list, .type_count = 1,
                                          .scheduler = serial, .policy = MAINSTEM_QUEUE_BLOCK),
                                  view_get, &self.views[1], NULL, NULL));
  EXPECT_OK(set(&self, 7, NULL));
  for (int i = 0; i < WRITERS; i++) writers[i] = beside(write_lists, &self);
  for (int i = 0; i < WRITERS; i++) join(writers[i]);
  const mainstem_list_row last = {"z", 1, "", 0};
  EXPECT_OK(mainstem_list_set(self.context, self.list, &last, sizeof last, 1, NULL));
  for (int i = 0; i < 2; i++) {
    signal_wait(&self.views[i].is_last);
    EXPECT(self.views[i].events > SETS / 2);
  }
  EXPECT_OK(mainstem_context_close(self.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists in tests: rows with a number each, and a view that only applies changes. */

#ifndef LISTS_H
#define LISTS_H

#include "stream.h"

enum { MOST = 64, NAME = 12 };

typedef struct item {
  char key[NAME];
  int64_t number;
} item;

/* A list as a test has it. */
typedef struct items {
  size_t count;
  item rows[MOST];
} items;

static inline mainstem_event_type list_type_named(mainstem_context *context, const char *name) {
  return type_open(context, name, MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER,
                   NULL);
}

static inline mainstem_event_type list_type(mainstem_context *context) {
  return list_type_named(context, "Items");
}

/* Which part of a longer sequence a random list is: it follows from the rows, so that each event can be checked. */
static inline mainstem_list_window window_of(const items *list) {
  mainstem_list_window window = {0, list->count, list->count};
  for (size_t i = 0; i < list->count; i++)
    if (strlen(list->rows[i].key) > 1)
      window.offset = window.offset * 10 + (size_t)list->rows[i].number;
  window.offset %= 1000;
  window.total += window.offset + window.offset % 3;
  return window;
}

static inline void window_expect(const mainstem_event *event, size_t offset, size_t count,
                                 size_t total) {
  mainstem_list_window window;
  EXPECT_OK(mainstem_list_window_get(event, &window));
  EXPECT_EQUAL(window.offset, offset);
  EXPECT_EQUAL(window.count, count);
  EXPECT_EQUAL(window.total, total);
}

/* Gives the rows from `first` on, but for the last ones. */
static inline mainstem_status list_set(mainstem_context *scope, mainstem_event_type type,
                                       const items *list, mainstem_list_ends *ends) {
  mainstem_list_row rows[MOST];
  size_t first = ends == NULL ? 0 : ends->first;
  size_t count = list->count - first - (ends == NULL ? 0 : ends->last);
  for (size_t i = 0; i < count; i++) {
    const item *one = &list->rows[first + i];
    rows[i] = (mainstem_list_row){one->key, strlen(one->key), &one->number, sizeof one->number};
  }
  mainstem_list_window window = window_of(list);
  if (window.total == list->count)
    return mainstem_list_set(scope, type, rows, sizeof rows[0], count, ends);
  return mainstem_list_set_window(scope, type, rows, sizeof rows[0], count, ends, &window);
}

static inline item item_of(const mainstem_event *event, size_t index) {
  item one;
  mainstem_list_row row;
  EXPECT_OK(mainstem_list_row_get(event, index, &row));
  EXPECT(row.key_size < NAME);
  EXPECT_EQUAL(row.key[row.key_size], 0);
  EXPECT_EQUAL(row.size, sizeof one.number);
  strcpy(one.key, row.key);
  memcpy(&one.number, row.data, sizeof one.number);
  size_t found = SIZE_MAX;
  EXPECT_OK(mainstem_list_find(event, row.key, row.key_size, &found));
  EXPECT_EQUAL(found, index);
  return one;
}

static inline void items_equal(const items *list, const items *other) {
  EXPECT_EQUAL(list->count, other->count);
  for (size_t i = 0; i < list->count; i++) {
    EXPECT_TEXT(list->rows[i].key, other->rows[i].key);
    EXPECT_EQUAL(list->rows[i].number, other->rows[i].number);
  }
}

/* An observer that only applies changes, and what it has got. */
typedef struct view {
  items list;
  int events, resets;
  char told[400];
} view;

static inline void view_insert(view *self, size_t at, size_t count) {
  EXPECT(at <= self->list.count && self->list.count + count <= MOST);
  memmove(&self->list.rows[at + count], &self->list.rows[at],
          (self->list.count - at) * sizeof(item));
  self->list.count += count;
}

static inline void view_remove(view *self, size_t at, size_t count) {
  EXPECT(at + count <= self->list.count);
  self->list.count -= count;
  memmove(&self->list.rows[at], &self->list.rows[at + count],
          (self->list.count - at) * sizeof(item));
}

static inline void view_apply(view *self, const mainstem_event *event,
                              const mainstem_list_change *change) {
  items moved;
  switch (change->kind) {
  case MAINSTEM_LIST_RESET:
    self->resets++;
    self->list.count = 0;
    view_insert(self, 0, change->count);
    for (size_t i = 0; i < change->count; i++) self->list.rows[i] = item_of(event, i);
    break;
  case MAINSTEM_LIST_REMOVE:
    view_remove(self, change->index, change->count);
    break;
  case MAINSTEM_LIST_MOVE:
    memcpy(moved.rows, &self->list.rows[change->index], change->count * sizeof(item));
    view_remove(self, change->index, change->count);
    view_insert(self, change->to, change->count);
    memcpy(&self->list.rows[change->to], moved.rows, change->count * sizeof(item));
    break;
  default:
    if (change->kind == MAINSTEM_LIST_INSERT) view_insert(self, change->index, change->count);
    for (size_t i = change->index; i < change->index + change->count; i++)
      self->list.rows[i] = item_of(event, i);
  }
}

static inline void view_get(void *user_data, const mainstem_event *event) {
  view *self = (view *)user_data;
  mainstem_list_change change;
  size_t index = 0, count, at, removed, added;
  char *told = self->told;
  size_t before = self->list.count;
  self->events++;
  self->told[0] = 0;
  while (mainstem_list_read(event, index, &change) == MAINSTEM_OK) {
    view_apply(self, event, &change);
    if (index < 5)
      told += sprintf(told, "%s%u %zu+%zu>%zu", index > 0 ? ", " : "", change.kind, change.index,
                      change.count, change.to);
    index++;
  }
  EXPECT_OK(mainstem_list_count(event, &count));
  EXPECT_EQUAL(count, self->list.count);
  for (size_t i = 0; i < count; i++) {
    item one = item_of(event, i);
    EXPECT_TEXT(self->list.rows[i].key, one.key);
    EXPECT_EQUAL(self->list.rows[i].number, one.number);
  }
  mainstem_list_window window = window_of(&self->list);
  window_expect(event, window.offset, window.count, window.total);
  EXPECT_OK(mainstem_list_span(event, &at, &removed, &added));
  if (index > 0 && self->told[0] != '0') EXPECT_EQUAL(before - removed + added, count);
}

static inline items items_of(const char *keys) {
  items list = {0};
  for (; *keys != 0; keys++) {
    item *one = &list.rows[list.count++];
    one->key[0] = *keys;
    one->key[1] = 0;
    one->number = 0;
  }
  return list;
}

static inline const mainstem_event *current(mainstem_context *context, mainstem_event_type type,
                                            mainstem_retained **kept) {
  EXPECT_OK(mainstem_value_get(context, type, kept));
  return kept_event(*kept);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The requests of a forward that have no answer: rows that are used again, in a list by the order of asking. As all wait
   equally long, the first is also the first whose time is up. */

#include "requests.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

#define NONE UINT32_MAX

bool asked_open(struct asked_list *list, uint32_t capacity) {
  memset(list, 0, sizeof *list);
  list->rows = calloc(capacity, sizeof *list->rows);
  if (list->rows == NULL) return false;
  list->capacity = capacity;
  list->first = list->last = NONE;
  for (uint32_t i = 0; i < capacity; i++) list->rows[i].behind = i + 1 < capacity ? i + 1 : NONE;
  return true;
}

void asked_close(struct asked_list *list) {
  while (asked_first(list) != NULL) asked_end(list, asked_first(list));
  free(list->rows);
  list->rows = NULL;
}

static void link_last(struct asked_list *list, uint32_t index) {
  struct asked *asked = &list->rows[index];
  asked->before = list->last;
  asked->behind = NONE;
  if (list->last != NONE) list->rows[list->last].behind = index;
  else list->first = index;
  list->last = index;
}

struct asked *asked_add(struct asked_list *list, size_t bytes) {
  if (list->free == NONE || (list->count > 0 && list->bytes + bytes > MOST_BYTES)) return NULL;
  uint32_t index = list->free;
  struct asked *asked = &list->rows[index];
  list->free = asked->behind;
  memset(asked, 0, sizeof *asked);
  /* No id comes twice, so a late answer finds nothing. */
  asked->id = ++list->turn * list->capacity + index;
  asked->bytes = bytes;
  link_last(list, index);
  list->count++;
  list->bytes += bytes;
  return asked;
}

struct asked *asked_find(struct asked_list *list, uint64_t id) {
  struct asked *asked = &list->rows[id % list->capacity];
  return id != 0 && asked->id == id ? asked : NULL;
}

struct asked *asked_first(struct asked_list *list) {
  return list->rows == NULL || list->first == NONE ? NULL : &list->rows[list->first];
}

struct asked *asked_next(struct asked_list *list, const struct asked *asked) {
  return asked->behind == NONE ? NULL : &list->rows[asked->behind];
}

void asked_end(struct asked_list *list, struct asked *asked) {
  uint32_t index = (uint32_t)(asked - list->rows);
  if (asked->before != NONE) list->rows[asked->before].behind = asked->behind;
  else list->first = asked->behind;
  if (asked->behind != NONE) list->rows[asked->behind].before = asked->before;
  else list->last = asked->before;
  if (asked->unsent.message != NULL) list->unsent--;
  natsMsg_Destroy(asked->unsent.message);
  mainstem_retained_release(asked->kept);
  list->count--;
  list->bytes -= asked->bytes;
  asked->id = 0;
  asked->behind = list->free;
  list->free = index;
}

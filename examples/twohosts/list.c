// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "list.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

todo *list_find(list *list, const char *id) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->todos[i].id, id) == 0) return &list->todos[i];
  return NULL;
}

bool is_shown(const todo *todo) { return todo->title != NULL; }

/* The todo with that id, made in its place if it is not there; NULL: there is no room. */
static todo *made(list *list, const char *id) {
  todo *found = list_find(list, id);
  int at = 0;
  if (found != NULL || list->count == TODOS || strlen(id) >= NAME) return found;
  while (at < list->count && strcmp(list->todos[at].id, id) < 0) at++;
  memmove(&list->todos[at + 1], &list->todos[at], (list->count++ - at) * sizeof(todo));
  memset(&list->todos[at], 0, sizeof(todo));
  strcpy(list->todos[at].id, id);
  return &list->todos[at];
}

const todo *list_add(list *list, const char *json, unsigned long size) {
  const char *id, *title;
  json_t *read = json_loadb(json, size, 0, NULL);
  todo *todo = NULL;
  if (json_unpack(read, "{s:s, s:s}", "id", &id, "title", &title) == 0) todo = made(list, id);
  if (todo != NULL && !is_shown(todo)) todo->title = strdup(title);
  else todo = NULL;
  json_decref(read);
  return todo;
}

/* Whoever has seen more ticks is right; of two who have seen as many, the one whose name is later. */
static bool is_later(long long count, const char *by, const todo *todo) {
  return count > todo->count || (count == todo->count && strcmp(by, todo->by) > 0);
}

const todo *list_tick(list *list, const char *json, unsigned long size) {
  const char *id, *by;
  json_int_t count;
  int is_done;
  json_t *read = json_loadb(json, size, 0, NULL);
  todo *todo = NULL;
  if (json_unpack(read, "{s:s, s:s, s:I, s:b}", "id", &id, "by", &by, "count", &count, "done",
                  &is_done) == 0)
    todo = made(list, id);
  if (todo != NULL && is_later(count, by, todo)) {
    todo->is_done = is_done;
    todo->count = count;
    snprintf(todo->by, NAME, "%s", by);
  } else todo = NULL;
  json_decref(read);
  return todo != NULL && is_shown(todo) ? todo : NULL;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The list that two hosts share. There is no one order of what both do, so the order does not matter: whoever gets the
   same events has the same list. */

#ifndef TWOHOSTS_LIST_H
#define TWOHOSTS_LIST_H

#include <stdbool.h>

enum { TODOS = 1000, NAME = 40 };

typedef struct todo {
  char id[NAME]; /* "berlin.2": the second that berlin added. */
  char *title;   /* NULL: it was only ticked. */
  bool is_done;
  long long count; /* How often it was ticked, as far as the last one to tick knew. */
  char by[NAME];   /* Who that was. */
} todo;

typedef struct list {
  todo todos[TODOS]; /* By id. */
  int count;
} list;

/* A todo, or NULL. */
todo *list_find(list *list, const char *id);
/* Applies an event from JSON; NULL: it changes nothing, or makes no sense. A tick may come before what it ticks. */
const todo *list_add(list *list, const char *json, unsigned long size);
const todo *list_tick(list *list, const char *json, unsigned long size);
/* Whether it is there to be seen: what was ticked before it was added is not. */
bool is_shown(const todo *todo);

#endif

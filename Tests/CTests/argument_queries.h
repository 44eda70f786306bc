// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on queries and order keys. Included by arguments.c. */

#ifndef ARGUMENT_QUERIES_H
#define ARGUMENT_QUERIES_H

#include "argument_values.h"

static const char *query_text(void) {
  static const char *const queries[] = {"{}",
                                        "",
                                        "{\"where\":\"a\"}",
                                        "{\"where\":\"not (a.b < 2 or lower(c) begins 'x')\"}",
                                        "{\"sort\":[\"-a\",\"lower(b)\"],\"offset\":1,\"limit\":2}",
                                        "{\"where\":\"a in ($x)\",\"values\":{\"x\":null}}",
                                        "{\"where\":\"a in (\"}"};
  return pick(8) ? ONE_OF(queries) : name();
}

static void tuple_of_order_keys(void) {
  char key[MAINSTEM_ORDER_KEY_SIZE];
  static const char *const keys[] = {"A", "0", "B", "A1", "z", "", NULL};
  mainstem_order_key(pick(4) ? ONE_OF(keys) : name(), pick(4) ? ONE_OF(keys) : name(),
                     pick(9) ? key : NULL);
  mainstem_order_key_at((size_t)number(), (size_t)number(), pick(9) ? key : NULL);
}

static void tuple_of_a_query(void) {
  static mainstem_query *made[8];
  static const char *const items[] = {"{}", "{\"a\":1,\"c\":\"X\"}", "{\"a\":{\"b\":1}}", "[", ""};
  mainstem_list_row rows[3];
  mainstem_list_window window;
  mainstem_query *query = NULL;
  size_t indexes[3], length;
  char text[64];
  const char *json = query_text();
  mainstem_query_make(json, json == NULL ? 0 : (size_t)pick(strlen(json) + 1),
                      pick(9) ? &query : NULL);
  if (json != NULL && query == NULL) mainstem_query_make(json, strlen(json), &query);
  if (query != NULL) {
    mainstem_query **place = &made[pick(8)];
    mainstem_query_release(*place);
    *place = query;
    note(query);
  }
  for (int i = 0; i < 3; i++) {
    const char *item = ONE_OF(items), *key = name();
    rows[i] = (mainstem_list_row){key, key == NULL ? 0 : strlen(key), pick(9) ? item : NULL,
                                  strlen(item)};
  }
  query = pick(3) ? query : (mainstem_query *)handle();
  mainstem_query_select(query, pick(9) ? rows : NULL, pick(9) ? sizeof rows[0] : (size_t)number(),
                        (size_t)pick(4), pick(4) ? indexes : NULL, pick(9) ? &window : NULL);
  mainstem_query_sql(query, pick(4) ? text : NULL, (size_t)pick(sizeof text + 1),
                     pick(3) ? &length : NULL);
  if (pick(4) == 0) mainstem_query_release((mainstem_query *)other_than_home());
  tuple_of_order_keys();
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about queries and order keys: twice as many rows take about twice as long. */

#include "counting.h"

enum { MANY = 2000 };

static mainstem_list_row rows[MANY];
static char items[MANY][64];
static size_t indexes[MANY], row_count;
static mainstem_query *query;
static const char json[] =
    "{\"where\":\"not done and (priority > 1 or lower(title) contains $text)\","
    "\"values\":{\"text\":\"number 1\"},\"sort\":[\"-priority\",\"title\"],\"limit\":50}";

static void selects(stream *opened, size_t count) {
  mainstem_list_window window;
  (void)opened;
  for (size_t i = 0; i < count; i++)
    must(mainstem_query_select(query, rows, sizeof rows[0], row_count, indexes, &window));
}

static void makes(stream *opened, size_t count) {
  mainstem_query *made;
  (void)opened;
  for (size_t i = 0; i < count; i++) {
    must(mainstem_query_make(json, sizeof json - 1, &made));
    must(mainstem_query_release(made));
  }
}

static void writes(stream *opened, size_t count) {
  char sql[512];
  (void)opened;
  for (size_t i = 0; i < count; i++) must(mainstem_query_sql(query, sql, sizeof sql, NULL));
}

static void orders(stream *opened, size_t count) {
  char key[MAINSTEM_ORDER_KEY_SIZE];
  (void)opened;
  for (size_t i = 0; i < count; i++) must(mainstem_order_key("KeyOne", "KeyTwo", key));
}

static void spreads(stream *opened, size_t count) {
  char key[MAINSTEM_ORDER_KEY_SIZE];
  (void)opened;
  for (size_t i = 0; i < count; i++) must(mainstem_order_key_at(i % 10000, 10000, key));
}

void measure_queries(const char *name) {
  stream *opened = stream_open(MAINSTEM_THREADS_ANY, 1);
  for (size_t i = 0; i < MANY; i++) {
    int length = snprintf(items[i], sizeof items[i],
                          "{\"title\":\"Number %zu\",\"priority\":%zu,\"done\":%s}",
                          i * 7919 % MANY, i % 4, i % 5 == 0 ? "true" : "false");
    rows[i] = (mainstem_list_row){"key", 3, items[i], (size_t)length};
  }
  must(mainstem_query_make(json, sizeof json - 1, &query));
  row_count = MANY / 2;
  measure_few(selects, opened, "query of 1,000 rows", name);
  row_count = MANY;
  measure_few(selects, opened, "query of 2,000 rows", name);
  measure(makes, opened, 0, "query made and released", name);
  measure(writes, opened, 0, "query written as SQL", name);
  measure(orders, opened, 0, "order key between two", name);
  measure(spreads, opened, 0, "order key of 10,000", name);
  must(mainstem_query_release(query));
  stream_close(opened);
}

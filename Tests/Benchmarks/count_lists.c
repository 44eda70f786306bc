// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about lists: what a change costs among 10, 1,000 and 100,000 rows, and among 10,000 that change. */

#include "counting.h"
#include "rows.h"

enum { OBSERVERS = 10, REPLACED = 100, TURNED = 10000 };

static mainstem_event_type list;
static rows all;
/* The rows in another order, or with others among them. */
static mainstem_list_row *other;
static size_t other_count;
static mainstem_list_ends ends;
static mainstem_retained *kept;
static const mainstem_event *event;

static void set(stream *opened, const mainstem_list_row *row, size_t count) {
  must(mainstem_list_set(opened->context, list, row, sizeof *row, count, NULL));
}

static void repeats(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) set(opened, all.row, all.count);
}

/* There and back. */
static void turns(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    set(opened, other, other_count);
    set(opened, all.row, all.count);
  }
}

/* A row in the middle comes and goes; the others stay. Each time it is another one of REPLACED: how many rows are
   compared with it depends on its hash. */
static void inserts(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const mainstem_list_row *one = &all.row[all.count + i % REPLACED];
    ends.first = all.count / 2;
    ends.last = all.count - all.count / 2;
    must(mainstem_list_set(opened->context, list, one, sizeof *one, 1, &ends));
    must(mainstem_list_set(opened->context, list, NULL, sizeof *other, 0, &ends));
  }
}

/* The same rows in another window. */
static void windows(stream *opened, size_t count) {
  for (size_t i = 0; i < 2 * count; i++) {
    mainstem_list_window window = {i % 2, all.count, all.count + 1};
    ends.first = all.count;
    ends.last = 0;
    must(mainstem_list_set_window(opened->context, list, NULL, sizeof *other, 0, &ends, &window));
  }
}

static void late(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_subscription *subscription;
    must(mainstem_observe(opened->context, list, observe_mainstem, &opened->sum, NULL,
                          &subscription));
    must(mainstem_cancel(subscription));
  }
}

static void reads(stream *opened, size_t count) {
  mainstem_list_row row;
  (void)opened;
  for (size_t i = 0; i < count; i++) must(mainstem_list_row_get(event, all.count / 2, &row));
}

static void finds(stream *opened, size_t count) {
  size_t index;
  (void)opened;
  for (size_t i = 0; i < count; i++)
    must(mainstem_list_find(event, all.row[all.count / 2].key, ROW_KEY, &index));
}

static void reads_changes(stream *opened, size_t count) {
  mainstem_list_change change;
  (void)opened;
  for (size_t i = 0; i < count; i++) must(mainstem_list_read(event, 0, &change));
}

/* Rows that are not there. */
static void put_others(void) {
  for (size_t i = 0; i < REPLACED; i++) rows_put(&all, all.count + i, all.count + i);
}

static stream *lists_open(uint32_t threads, size_t count, size_t observers) {
  stream *opened = stream_open(threads, 1);
  must(mainstem_type_add(opened->context, "Rows",
                         MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_BYTES, NULL,
                         &list));
  opened->types[0] = list;
  stream_observe(opened, 0, observers);
  all = rows_make(count, REPLACED);
  put_others();
  other = rows_copy(&all);
  other_count = count;
  ends = (mainstem_list_ends){0, 0, 0};
  must(mainstem_list_set(opened->context, list, all.row, sizeof *all.row, count, &ends));
  return opened;
}

static void lists_close(stream *opened) {
  stream_close(opened);
  rows_free(&all);
  free(other);
}

/* One more row in the middle. */
static void add_one(void) {
  size_t at = all.count / 2;
  memmove(&other[at + 1], &other[at], (all.count - at) * sizeof *other);
  other[at] = all.row[all.count];
  other_count = all.count + 1;
}

static void measure_reading(stream *opened, const char *among, const char *name) {
  char what[100];
  must(mainstem_value_get(opened->context, list, &kept));
  must(mainstem_retained_event(kept, &event));
  snprintf(what, sizeof what, "reading a row of a list%s", among);
  measure_few(reads, opened, what, name);
  snprintf(what, sizeof what, "reading a change of a list%s", among);
  measure_few(reads_changes, opened, what, name);
  snprintf(what, sizeof what, "finding a row of a list%s", among);
  measure_few(finds, opened, what, name);
  must(mainstem_retained_release(kept));
}

static void measure_grown(uint32_t threads, const char *name, size_t count, const char *among) {
  stream *opened = lists_open(threads, count, 1);
  char what[100];
  snprintf(what, sizeof what, "set of the rows that are there%s", among);
  measure_rarely(repeats, opened, what, name);
  add_one();
  snprintf(what, sizeof what, "insertion + removal of a row, its ends given%s", among);
  measure_few(inserts, opened, what, name);
  snprintf(what, sizeof what, "another window of a list, and back%s", among);
  measure_few(windows, opened, what, name);
  must(mainstem_list_set(opened->context, list, NULL, sizeof *other, 0, &ends));
  snprintf(what, sizeof what, "insertion + removal of a row%s", among);
  measure_rarely(turns, opened, what, name);
  snprintf(what, sizeof what, "late observer of a list, added and cancelled%s", among);
  measure_few(late, opened, what, name);
  measure_reading(opened, among, name);
  lists_close(opened);
}

/* What becomes of 10,000 rows, and back. */
static void measure_turned(uint32_t threads, const char *name, void (*turn)(void),
                           const char *what) {
  stream *opened = lists_open(threads, TURNED, 1);
  turn();
  measure_rarely(turns, opened, what, name);
  lists_close(opened);
}

static void move_far(void) {
  mainstem_list_row one = other[100];
  memmove(&other[100], &other[101], (TURNED - 200) * sizeof one);
  other[TURNED - 100] = one;
}

static void replace(void) {
  for (size_t i = 0; i < REPLACED; i++) {
    size_t at = i * (TURNED / REPLACED);
    mainstem_list_row one = all.row[at];
    rows_put(&all, at, TURNED + i);
    other[at] = all.row[at];
    all.row[at] = one;
  }
}

static void reverse(void) { rows_reverse(other, TURNED); }
static void shuffle(void) { rows_shuffle(other, TURNED); }

static mainstem_status open_child(void *user_data, mainstem_context *context, size_t index,
                                  mainstem_context **child) {
  (void)user_data, (void)index;
  return mainstem_scope_add(context, "Cell", NULL, child);
}

static mainstem_child child_of(size_t row) {
  return (mainstem_child){all.row[row].key, all.row[row].key_size, 0};
}

/* A child in the middle comes and goes; the others stay. Each time it is another one. */
static void opens(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_child one = child_of(all.count + i % REPLACED);
    ends.first = all.count / 2;
    ends.last = all.count - all.count / 2;
    must(
        mainstem_children_set(opened->context, list, &one, sizeof one, 1, &ends, open_child, NULL));
    must(
        mainstem_children_set(opened->context, list, NULL, sizeof one, 0, &ends, open_child, NULL));
  }
}

static void measure_children(uint32_t threads, const char *name, size_t count, const char *among) {
  stream *opened = stream_open(threads, 1);
  char what[100];
  must(mainstem_type_add(opened->context, "Cells",
                         MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL,
                         &list));
  opened->types[0] = list;
  stream_observe(opened, 0, 1);
  all = rows_make(count, REPLACED);
  put_others();
  mainstem_child *children = (mainstem_child *)malloc(count * sizeof *children);
  for (size_t i = 0; i < count; i++) children[i] = child_of(i);
  ends = (mainstem_list_ends){0, 0, 0};
  must(mainstem_children_set(opened->context, list, children, sizeof *children, count, &ends,
                             open_child, NULL));
  free(children);
  snprintf(what, sizeof what, "a child opened + ended, its ends given%s", among);
  measure_few(opens, opened, what, name);
  stream_close(opened);
  rows_free(&all);
}

void measure_lists(uint32_t threads, const char *name) {
  measure_grown(threads, name, 10, " among 10");
  measure_grown(threads, name, 1000, " among 1,000");
  measure_grown(threads, name, 100000, " among 100,000");
  measure_children(threads, name, 10, " among 10");
  measure_children(threads, name, 1000, " among 1,000");
  measure_children(threads, name, 100000, " among 100,000");
  stream *opened = lists_open(threads, TURNED, OBSERVERS);
  add_one();
  measure_few(inserts, opened, "insertion + removal of a row, its ends given, 10 observers", name);
  lists_close(opened);
  opened = lists_open(threads, TURNED, 1);
  add_one();
  measure_few(inserts, opened, "insertion + removal of a row, its ends given, 1 observer", name);
  lists_close(opened);
  measure_turned(threads, name, move_far, "far move of one of 10,000 rows, and back");
  measure_turned(threads, name, replace, "100 of 10,000 rows replaced, and back");
  measure_turned(threads, name, reverse, "10,000 rows reversed, and back");
  measure_turned(threads, name, shuffle, "10,000 rows shuffled, and back");
}

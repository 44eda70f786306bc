// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists that are refused, and what is no list. */

#include "lists.h"

/* A context with the list abcd, and a view of it. */
typedef struct house {
  mainstem_context *context;
  mainstem_event_type type;
  items list;
  mainstem_list_ends ends;
  view view;
} house;

static void house_open(house *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = CONTEXT_WITH(.threads = threads, .limit_rows = 8, .limit_payload = 64);
  self->type = list_type(self->context);
  self->list = items_of("abcd");
  EXPECT_OK(mainstem_observe(self->context, self->type, view_get, &self->view, NULL, NULL));
  EXPECT_OK(list_set(self->context, self->type, &self->list, &self->ends));
}

/* Whether nothing has changed, and the version is as good as before. */
static void house_close(house *self) {
  mainstem_retained *kept;
  size_t count;
  const mainstem_event *event = current(self->context, self->type, &kept);
  EXPECT_OK(mainstem_list_count(event, &count));
  EXPECT_EQUAL(count, self->list.count);
  for (size_t i = 0; i < count; i++) EXPECT_TEXT(item_of(event, i).key, self->list.rows[i].key);
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_EQUAL(self->view.events, 1);
  self->ends.first = 3, self->ends.last = 0;
  self->list.rows[3].number = 5;
  EXPECT_OK(list_set(self->context, self->type, &self->list, &self->ends));
  EXPECT_TEXT(self->view.told, "4 3+1>0");
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Catches: a key that is there twice, in rows that are given or that stay, and another reason or other rows. */
CASE(each_key_is_there_once, IN_BOTH) {
  static const struct {
    size_t first;
    const char *rows;
    size_t last;
    const char *which;
  } given[] = {
      {0, "xyx", 0, "row 0 and row 2"},   {0, "abcda", 0, "row 0 and row 4"},
      {0, "aabcd", 0, "row 0 and row 1"}, {0, "aab", 2, "row 0 and row 1"},
      {2, "cxd", 1, "row 4 and row 5"},   {4, "a", 0, "row 0 and row 4"},
      {0, "d", 4, "row 0 and row 4"},     {0, "abcd", 1, "row 3 and row 4"},
      {1, "abcd", 0, "row 0 and row 1"},  {1, "xyx", 1, "row 1 and row 3"},
  };
  house self;
  house_open(&self, threads);
  for (size_t i = 0; i < COUNT(given); i++) {
    mainstem_list_row rows[MOST];
    mainstem_list_ends ends = {self.ends.version, given[i].first, given[i].last};
    items list = items_of(given[i].rows);
    char message[120];
    for (size_t row = 0; row < list.count; row++)
      rows[row] = (mainstem_list_row){list.rows[row].key, 1, &list.rows[row].number, 8};
    EXPECT_STATUS(
        mainstem_list_set(self.context, self.type, rows, sizeof rows[0], list.count, &ends),
        MAINSTEM_INVALID);
    snprintf(message, sizeof message, "mainstem_list_set: rows: %s have the same key",
             given[i].which);
    EXPECT_TEXT(mainstem_last_error(), message);
    EXPECT_EQUAL(ends.version, self.ends.version);
  }
  house_close(&self);
}

static mainstem_status set_one(house *self, const char *key, size_t key_size, const void *data,
                               size_t size) {
  mainstem_list_row row = {key, key_size, data, size};
  return mainstem_list_set(self->context, self->type, &row, sizeof row, 1, NULL);
}

/* Catches: a key or a row that is too long, and a key of 255 bytes that is refused. */
CASE(a_row_has_bounds, IN_BOTH) {
  house self;
  char key[256];
  int64_t number = 1;
  memset(key, 'k', sizeof key);
  house_open(&self, threads);
  EXPECT_STATUS(set_one(&self, key, 256, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "row 0") != NULL);
  EXPECT_STATUS(set_one(&self, key, 0, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(set_one(&self, NULL, 0, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(set_one(&self, "\xc3", 1, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(set_one(&self, "k", 1, &number, 7), MAINSTEM_INVALID);
  EXPECT_STATUS(set_one(&self, "k", 1, key, 65), MAINSTEM_TOO_BIG);
  house_close(&self);
  house_open(&self, threads);
  mainstem_list_row row = {key, 255, &number, sizeof number};
  EXPECT_OK(mainstem_list_set(self.context, list_type_named(self.context, "Long"), &row, sizeof row,
                              1, NULL));
  house_close(&self);
}

/* Catches: ends that overlap, that are of another version, or whose rows count for no limit. */
CASE(ends_are_those_of_the_list, IN_BOTH) {
  static const size_t wrong[][2] = {{5, 0}, {0, 5}, {3, 2}, {SIZE_MAX, 2}, {2, SIZE_MAX}};
  house self;
  house_open(&self, threads);
  items other = items_of("vwxyz");
  for (size_t i = 0; i < COUNT(wrong); i++) {
    mainstem_list_ends ends = {self.ends.version, wrong[i][0], wrong[i][1]};
    EXPECT_STATUS(
        mainstem_list_set(self.context, self.type, NULL, sizeof(mainstem_list_row), 0, &ends),
        MAINSTEM_INVALID);
  }
  for (int later = 0; later < 2; later++) {
    mainstem_list_ends ends = {self.ends.version + (later ? 1 : -1), 1, 0};
    EXPECT_STATUS(list_set(self.context, self.type, &self.list, &ends), MAINSTEM_STALE);
  }
  mainstem_list_ends ends = {self.ends.version, 2, 2};
  mainstem_list_row rows[5];
  for (size_t i = 0; i < 5; i++)
    rows[i] = (mainstem_list_row){other.rows[i].key, 1, &other.rows[i].number, 8};
  EXPECT_STATUS(mainstem_list_set(self.context, self.type, rows, sizeof rows[0], 5, &ends),
                MAINSTEM_LIMIT);
  house_close(&self);
}

/* Catches: a list that comes in by another call, and one that says what is not so. */
CASE(no_other_call_makes_a_list, IN_BOTH) {
  house self;
  house_open(&self, threads);
  int64_t number = 1;
  size_t accepted;
  mainstem_timer *timer;
  struct {
    mainstem_event_header header;
    int64_t number;
  } batch = {{.type = self.type, .size = 8, .offset = sizeof batch.header}, 1};
  EXPECT_STATUS(mainstem_send_many(self.context, &batch, sizeof batch, 1, &accepted),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(self.context, self.type, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post(self.context, self.type, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send_after(self.context, self.type, &number, sizeof number, 1, 0, &timer),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(self.context, self.type, &number, sizeof number),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_value_set: type: Items is a list: call mainstem_list_set");
  EXPECT_STATUS(mainstem_value_set_bool(self.context, self.type, 1), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_value_set_bool: type: Items is a list: call mainstem_list_set");
  house_close(&self);
}

static void nothing(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

static mainstem_status model_of(mainstem_context *context, uint32_t kind, const char *enabled) {
  const mainstem_contract integers = MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_LIST,
                          flags = MAINSTEM_PAYLOAD_BOOL | MAINSTEM_LIST;
  const mainstem_viewmodel_row rows[] = {
      {"items", kind, integers, kind == MAINSTEM_VIEWMODEL_VALUE ? NULL : nothing, NULL, 0, 0,
       NULL},
      {"flags", MAINSTEM_VIEWMODEL_VALUE, flags, NULL, NULL, 0, 0, NULL},
      {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, nothing, enabled, 0, 0, NULL}};
  mainstem_context *model;
  return mainstem_viewmodel_add(context, "Model", MAINSTEM_ROWS(rows), NULL, NULL, NULL, &model);
}

/* Catches: a list that is secret, that a view writes, that enables a command, or whose rows have nothing. */
CASE(a_list_is_a_value_that_only_its_owner_sets, IN_BOTH) {
  static const mainstem_contract wrong[] = {
      MAINSTEM_LIST | MAINSTEM_PAYLOAD_JSON, MAINSTEM_LIST | MAINSTEM_ROLE_VALUE,
      MAINSTEM_LIST | MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_NONE,
      MAINSTEM_LIST | MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET};
  mainstem_context *context = context_open(threads);
  for (size_t i = 0; i < COUNT(wrong); i++) {
    mainstem_event_type type;
    EXPECT_STATUS(mainstem_type_add(context, "Bad", wrong[i], NULL, &type), MAINSTEM_INVALID);
  }
  EXPECT_STATUS(model_of(context, MAINSTEM_VIEWMODEL_WRITABLE, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(model_of(context, MAINSTEM_VIEWMODEL_COMMAND, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(model_of(context, MAINSTEM_VIEWMODEL_VALUE, "flags"), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
  context = context_open(threads);
  mainstem_binding *binding;
  mainstem_context *owner = scope_open(context, "Owner");
  list_type_named(context, "Owner.items");
  mainstem_binding_row row = {"items", nothing, MAINSTEM_BINDING_TWO_WAY};
  EXPECT_STATUS(mainstem_binding_add(context, owner, &row, sizeof row, 1, NULL, NULL, &binding),
                MAINSTEM_INVALID);
  row.flags = 0;
  EXPECT_OK(mainstem_binding_add(context, owner, &row, sizeof row, 1, NULL, NULL, &binding));
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

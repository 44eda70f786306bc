// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for children: each allocation of a set fails in turn. A refused set changes nothing, and leaves no child.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "stream.h"

typedef struct owner {
  mainstem_context *context, *scope;
  mainstem_event_type cells, text;
  size_t count; /* In the last list that came whole or in changes. */
} owner;

static void get(void *user_data, const mainstem_event *event) {
  owner *self = (owner *)user_data;
  mainstem_list_row row;
  uint64_t number;
  mainstem_context *child;
  if (event->flags & MAINSTEM_EVENT_MARKED) return;
  EXPECT_OK(mainstem_list_count(event, &self->count));
  for (size_t i = 0; i < self->count; i++) {
    EXPECT_OK(mainstem_list_row_get(event, i, &row));
    memcpy(&number, row.data, sizeof number);
    EXPECT_OK(mainstem_scope_find(self->context, number, &child, NULL));
    EXPECT(child != NULL);
  }
}

static mainstem_status open_child(void *user_data, mainstem_context *context, size_t index,
                                  mainstem_context **child) {
  owner *self = (owner *)user_data;
  mainstem_status status = mainstem_scope_add(context, "Cell", NULL, child);
  if (status != MAINSTEM_OK) return status;
  status = mainstem_value_set_text(*child, self->text, "cell");
  if (status != MAINSTEM_OK) EXPECT_OK(mainstem_scope_end(*child));
  return status;
}

/* Each letter is a child. */
static mainstem_status set(owner *self, const char *keys) {
  mainstem_child children[8];
  size_t count = strlen(keys);
  for (size_t i = 0; i < count; i++) children[i] = (mainstem_child){keys + i, 1, 0};
  return mainstem_children_set(self->scope, self->cells, children, sizeof children[0], count, NULL,
                               open_child, self);
}

static void owner_open(owner *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->scope = scope_open(self->context, "Page");
  self->cells = type_open(self->context, "Page.cells",
                          MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  self->text =
      type_open(self->context, "Cell.text", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(self->context, self->cells, get, self, NULL, NULL));
}

static uint32_t scopes(owner *self) {
  mainstem_context_stats stats = {.size = sizeof stats};
  EXPECT_OK(mainstem_context_stats_read(self->context, &stats));
  return stats.scopes;
}

/* Catches: a child that a refused set leaves, one that it has ended, and a block that nobody frees. */
CASE(children_may_find_no_memory, IN_BOTH) {
  int refused = 0;
  for (int one = 0; one < 2; one++) {
    for (int which = 0, is_over = 0; !is_over; which++) {
      owner self;
      long before = blocks;
      owner_open(&self, threads);
      EXPECT_OK(set(&self, "abcd"));
      only_one = one;
      countdown = which;
      mainstem_status status = set(&self, "dxby");
      is_over = countdown > 0;
      countdown = -1;
      only_one = 0;
      if (status != MAINSTEM_OK) {
        EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
        EXPECT_EQUAL(self.count, 4);
        refused++;
      }
      EXPECT_EQUAL(scopes(&self), 5);
      EXPECT_OK(set(&self, "abc"));
      EXPECT_EQUAL(self.count, 3);
      EXPECT_EQUAL(scopes(&self), 4);
      EXPECT_OK(mainstem_context_close(self.context));
      if (which > 0) EXPECT_EQUAL(blocks, before); /* The first round fills what stays for good. */
    }
  }
  EXPECT(refused > 10);
}

int main(void) { return expect_all(); }

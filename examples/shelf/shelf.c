// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The view model in C: a server with a table of what it shows and can be told. The table is explained in shelf.py. */

#include "shelf.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILTER, FOUND, COUNT, DETAIL, CAN_UNDO, NOTICE, ADD, REMOVE, SELECT, UNDO, ROWS };
enum { NO_BOOK = 1000, MOST = 100 };

/* Books are a JSON array, which is never changed in place: so `before` can keep the old ones. */
typedef struct shelf {
  char filter[200], notice[240];
  json_t *books, *before[MOST];
  int steps;
  json_int_t last_id, selected;
} shelf;

static json_int_t id_of(const json_t *book) {
  return json_integer_value(json_object_get(book, "id"));
}

static const char *title_of(const json_t *book) {
  return json_string_value(json_object_get(book, "title"));
}

static json_t *book_with(const shelf *self, json_int_t id) {
  size_t place;
  json_t *book;
  json_array_foreach(self->books, place, book) if (id_of(book) == id) return book;
  return NULL;
}

/* What it shows ------------------------------------------------------------------------------------ */

static mainstem_status show_found(shelf *self, mainstem_context *server, mainstem_event_type type) {
  json_t *found = json_array(), *book;
  size_t place;
  json_array_foreach(self->books, place, book) {
    if (strstr(title_of(book), self->filter) != NULL) json_array_append(found, book);
  }
  char *text = json_dumps(found, JSON_COMPACT | JSON_SORT_KEYS);
  mainstem_status status = mainstem_value_set(server, type, text, strlen(text));
  free(text);
  json_decref(found);
  return status;
}

static mainstem_status show(void *user_data, mainstem_context *server,
                            const mainstem_event_type *types) {
  shelf *self = (shelf *)user_data;
  const json_t *selected = book_with(self, self->selected);
  mainstem_value_set_text(server, types[FILTER], self->filter);
  show_found(self, server, types[FOUND]);
  mainstem_value_set_integer(server, types[COUNT], (int64_t)json_array_size(self->books));
  mainstem_value_set_text(server, types[DETAIL], selected != NULL ? title_of(selected) : "");
  mainstem_status status = mainstem_value_set_bool(server, types[CAN_UNDO], self->steps > 0);
  if (self->notice[0] != '\0')
    mainstem_send(server, types[NOTICE], self->notice, strlen(self->notice));
  self->notice[0] = '\0';
  return status;
}

/* What it can be told ------------------------------------------------------------------------------ */

static void forget_selection(shelf *self) {
  if (book_with(self, self->selected) == NULL) self->selected = 0;
}

static void put(shelf *self, json_t *books) {
  if (self->steps == MOST) {
    json_decref(self->before[0]);
    memmove(self->before, self->before + 1, (MOST - 1) * sizeof self->before[0]);
    self->steps--;
  }
  self->before[self->steps++] = self->books;
  self->books = books;
  forget_selection(self);
}

static json_t *asked_book(const shelf *self, const mainstem_event *event) {
  static const mainstem_error none = {sizeof none, NO_BOOK, "NO_BOOK", "There is no such book.",
                                      ""};
  json_t *book = book_with(self, mainstem_event_integer(event));
  if (book == NULL) mainstem_respond_error_with(event, &none);
  return book;
}

static void filter(void *user_data, const mainstem_event *event) {
  shelf *self = (shelf *)user_data;
  snprintf(self->filter, sizeof self->filter, "%s", mainstem_value_text(event));
}

static void add(void *user_data, const mainstem_event *event) {
  shelf *self = (shelf *)user_data;
  json_t *books = json_copy(self->books);
  int64_t id = ++self->last_id;
  json_t *title = json_stringn((const char *)event->data, event->size);
  snprintf(self->notice, sizeof self->notice, "added %s", json_string_value(title));
  json_array_append_new(books, json_pack("{sIso}", "id", (json_int_t)id, "title", title));
  put(self, books);
  mainstem_respond(event, &id, sizeof id);
}

static void take_away(void *user_data, const mainstem_event *event) {
  shelf *self = (shelf *)user_data;
  json_t *gone = asked_book(self, event), *book, *books;
  size_t place;
  if (gone == NULL) return;
  snprintf(self->notice, sizeof self->notice, "removed %s", title_of(gone));
  books = json_array();
  json_array_foreach(self->books, place, book) if (book != gone) json_array_append(books, book);
  put(self, books);
}

static void choose(void *user_data, const mainstem_event *event) {
  shelf *self = (shelf *)user_data;
  const json_t *book = asked_book(self, event);
  if (book != NULL) self->selected = id_of(book);
}

static void undo(void *user_data, const mainstem_event *event) {
  shelf *self = (shelf *)user_data;
  (void)event;
  json_decref(self->books);
  self->books = self->before[--self->steps];
  forget_selection(self);
  snprintf(self->notice, sizeof self->notice, "undone");
}

/* The table ---------------------------------------------------------------------------------------- */

static const mainstem_viewmodel_row rows[ROWS] = {
    {"filter", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_TEXT, filter, NULL, 0, 0, NULL},
    {"found", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_JSON, NULL, NULL, 0, 0, NULL},
    {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"detail", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"canUndo", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"notice", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"add", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT, add, NULL, 0,
     MAINSTEM_PAYLOAD_INTEGER, NULL},
    {"remove", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_INTEGER, take_away, NULL, 0, 0, NULL},
    {"select", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_INTEGER, choose, NULL, 0, 0, NULL},
    {"undo", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, undo, "canUndo", 0, 0, NULL}};

static void release(void *user_data) {
  shelf *self = (shelf *)user_data;
  while (self->steps > 0) json_decref(self->before[--self->steps]);
  json_decref(self->books);
  free(self);
}

mainstem_status shelf_open(mainstem_context *context, uint64_t *number) {
  shelf *self = (shelf *)calloc(1, sizeof *self);
  mainstem_context *model;
  if (self == NULL) return MAINSTEM_NO_MEMORY;
  self->books = json_pack("[{siss}{siss}{siss}]", "id", 1, "title", "Dune", "id", 2, "title",
                          "Emma", "id", 3, "title", "Ulysses");
  self->last_id = 3;
  mainstem_status status =
      mainstem_viewmodel_add(context, "Shelf", MAINSTEM_ROWS(rows), show, self, release, &model);
  if (status != MAINSTEM_OK) release(self);
  else status = mainstem_scope_number(model, number);
  return status;
}

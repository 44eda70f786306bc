// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The host in C: it shows what the shelf says, and decides nothing. */

#include "shelf.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void show_found(void *user_data, const mainstem_event *event) {
  json_t *books = json_loadb((const char *)event->data, event->size, 0, NULL), *book;
  size_t place;
  (void)user_data;
  printf("found:%s", json_array_size(books) == 0 ? " nothing" : "");
  json_array_foreach(books, place, book) {
    long long id;
    const char *title;
    if (json_unpack(book, "{sIss}", "id", &id, "title", &title) == 0)
      printf("%s %lld %s", place > 0 ? "," : "", id, title);
  }
  printf("\n");
  json_decref(books);
}

static void show_count(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("count: %lld\n", (long long)mainstem_event_integer(event));
}

static void show_detail(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("detail: %s\n", event->size > 0 ? mainstem_value_text(event) : "none");
}

static void show_undo(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("undo: %s\n", mainstem_event_bool(event) ? "on" : "off");
}

static void show_notice(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("(%.*s)\n", (int)event->size, (const char *)event->data);
}

static const mainstem_binding_row rows[] = {{"found", show_found, 0},
                                            {"count", show_count, 0},
                                            {"detail", show_detail, 0},
                                            {"canUndo", show_undo, 0},
                                            {"notice", show_notice, 0}};

static void added(void *user_data, const mainstem_event *event) {
  (void)user_data;
  printf("id: %lld\n", (long long)mainstem_event_integer(event));
}

static void removed(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (event->status != MAINSTEM_OK) printf("failed: %s\n", event->user_message);
}

mainstem_status shelf_host(mainstem_context *context, uint64_t number) {
  const int64_t second = 2, none = 9;
  mainstem_context *window = NULL, *shelf = NULL;
  mainstem_binding *view = NULL;
  mainstem_scope_add(context, "Window", NULL, &window);
  mainstem_scope_find(context, number, &shelf, NULL);
  mainstem_binding_add(window, shelf, MAINSTEM_ROWS(rows), NULL, NULL, &view);
  mainstem_binding_set(view, "filter", "m", 1);
  mainstem_binding_run(view, "select", &second, sizeof second, NULL, NULL, NULL, NULL);
  mainstem_binding_run(view, "add", "Moby Dick", 9, added, NULL, NULL, NULL);
  mainstem_binding_set(view, "filter", "", 0);
  mainstem_binding_run(view, "remove", &second, sizeof second, removed, NULL, NULL, NULL);
  mainstem_binding_run(view, "undo", NULL, 0, NULL, NULL, NULL, NULL);
  mainstem_binding_run(view, "undo", NULL, 0, NULL, NULL, NULL, NULL);
  mainstem_binding_run(view, "remove", &none, sizeof none, removed, NULL, NULL, NULL);
  mainstem_status failed = mainstem_context_first_error(context, NULL);
  mainstem_status status = mainstem_binding_run(view, "undo", NULL, 0, NULL, NULL, NULL, NULL);
  printf("refused: %s\n", mainstem_status_name(status));
  fflush(stdout);
  mainstem_scope_end(window);
  return failed;
}

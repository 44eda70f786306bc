// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Screens that are opened and closed leave nothing: no memory, no handle, no type, no origin. Its arguments are the address
 * of a site and how many screens; test_sessions.py starts it.
 */

#include "pictures.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tweetboat.h>

static mainstem_context *app;
static http_provider *http;

/* What a screen has seen last. */
typedef struct seen {
  uint64_t cells[100];
  size_t count;
  uint32_t origin;
} seen;

static void check(mainstem_status status, const char *what) {
  if (!status) return;
  fprintf(stderr, "%s: %s\n", what, mainstem_last_error());
  exit(1);
}
#define OK(call) check(call, #call)

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

static void on_cells(void *user_data, const mainstem_event *event) {
  seen *self = user_data;
  mainstem_list_row row;
  size_t i = 0;
  for (; i < 100 && mainstem_list_row_get(event, i, &row) == MAINSTEM_OK; i++)
    memcpy(&self->cells[i], row.data, sizeof self->cells[i]);
  self->count = i;
  self->origin = event->origin;
}

static void on_picture(void *user_data, const mainstem_event *event) {
  char text[100];
  (void)user_data;
  pictures_say(text, sizeof text, event);
}

static void on_text(void *user_data, const mainstem_event *event) { (void)user_data, (void)event; }

static const mainstem_binding_row lookup_rows[] = {
    {"cells", on_cells, 0}, {"fullName", on_text, 0}, {"avatar", on_text, 0}};
static const mainstem_binding_row cell_rows[] = {
    {"author", on_text, 0}, {"text", on_text, 0}, {"picture", on_picture, 0}};
static const mainstem_binding_row profile_rows[] = {{"about", on_text, 0}};

static void settle(void) {
  uint64_t waits = 1;
  while (!mainstem_request_count(app, MAINSTEM_TYPE_ANY, &waits) && waits)
    http_provider_wait(http, -1, -1);
}

static mainstem_context *found(mainstem_context *window, uint64_t number) {
  mainstem_context *owner = NULL;
  OK(mainstem_scope_find(window, number, &owner, NULL));
  return owner;
}

/* Opens a screen, looks somebody up, shows the cells and a profile, and closes it. Returns its origin. */
static uint32_t screen(const char *site) {
  seen self = {.count = 0};
  mainstem_context *window = NULL;
  mainstem_binding *lookup = NULL, *cell = NULL, *profile = NULL;
  uint64_t number = 0;
  OK(mainstem_scope_add(app, "Window", NULL, &window));
  OK(mainstem_instance_open(window, "Lookup", site, strlen(site), opened, &number, NULL));
  OK(mainstem_binding_add(window, found(window, number), MAINSTEM_ROWS(lookup_rows), &self, NULL,
                          &lookup));
  OK(mainstem_binding_add(window, NULL, MAINSTEM_ROWS(cell_rows), &self, NULL, &cell));
  OK(mainstem_binding_set(lookup, "username", "olaf", 4));
  OK(mainstem_binding_run(lookup, "go", NULL, 0, NULL, NULL, NULL, NULL));
  settle();
  if (!self.count) check(MAINSTEM_INVALID, "nothing was shown");
  for (size_t i = 0; i < self.count; i++) {
    OK(mainstem_binding_retarget(cell, found(window, self.cells[i])));
    OK(mainstem_binding_run(cell, "appear", NULL, 0, NULL, NULL, NULL, NULL));
    if (i % 6 == 5) settle(); /* the others are cancelled */
    OK(mainstem_binding_run(cell, "disappear", NULL, 0, NULL, NULL, NULL, NULL));
  }
  OK(mainstem_binding_run(cell, "profile", NULL, 0, opened, &number, NULL, NULL));
  OK(mainstem_binding_add(window, found(window, number), MAINSTEM_ROWS(profile_rows), &self, NULL,
                          &profile));
  OK(mainstem_scope_end(window));
  settle();
  OK(mainstem_drain(app, 0, NULL));
  return self.origin;
}

/* What must not grow, in one line; and the bytes of the heap. */
static size_t left(char *line, size_t size) {
  mainstem_context_stats stats = {.size = sizeof stats};
  OK(mainstem_context_stats_read(app, &stats));
  snprintf(line, size, "%u %llu %llu %llu %llu %llu %llu %llu", stats.scopes,
           (unsigned long long)stats.subscriptions, (unsigned long long)stats.types,
           (unsigned long long)stats.requests, (unsigned long long)stats.retained,
           (unsigned long long)stats.timers, (unsigned long long)stats.waiting,
           (unsigned long long)stats.history);
  return mallinfo2().uordblks;
}

int main(int count, char **words) {
  char before[200], after[200];
  int screens = count > 2 ? atoi(words[2]) : 1000;
  if (count < 2) return 2;
  OK(mainstem_context_create(NULL, &app));
  OK(tweetboat_install(app, 10000));
  OK(http_provider_add(app, &http));
  OK(pictures_add(app, http, 4096)); /* fewer than there are: some are dropped, and come again */
  uint32_t first = 0;
  for (int i = 0; i < 100; i++) first = screen(words[1]);
  size_t bytes = left(before, sizeof before);
  for (int i = 0; i < screens; i++) screen(words[1]);
  long long grown = (long long)left(after, sizeof after) - (long long)bytes;
  const char *name = NULL;
  int is_kept = mainstem_origin_name(app, first, &name) == MAINSTEM_OK;
  printf("%d screens: %lld bytes more\n", screens, grown);
  if (strcmp(before, after) || grown > 256 * 1024 || is_kept) {
    fprintf(stderr, "before %s, after %s, the first origin is %s\n", before, after,
            is_kept ? "kept" : "forgotten");
    return 1;
  }
  OK(mainstem_context_close(app));
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-63: username "", "a", valid; go; reach the end five times; all loaded; profile; cell i. Its argument is the
 * address of a site, whose first picture is slow; test_a_63.py starts it, looks at what was asked there, and writes a line
 * when that is the slow picture.
 */

#include "pictures.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tweetboat.h>

typedef struct seen {
  mainstem_binding *lookup, *cell, *profile;
  bool is_enabled;
  double alpha;
  uint64_t cells[100];
  size_t count;
  char row[200], header[200], error[200], author[200], text[200], about[200], picture[200];
} seen;

static mainstem_context *app, *window;
static http_provider *http;
static seen screen;

static void check(int is_so, int line, const char *what) {
  if (is_so) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}
#define CHECK(is_so) check(is_so, __LINE__, #is_so)

static void put(char *place, const mainstem_event *e) {
  snprintf(place, 200, "%s", mainstem_value_text(e));
}
static void on_enabled(void *self, const mainstem_event *e) {
  ((seen *)self)->is_enabled = mainstem_event_bool(e);
}
static void on_alpha(void *self, const mainstem_event *e) {
  ((seen *)self)->alpha = mainstem_event_number(e);
}
static void on_row(void *self, const mainstem_event *e) { put(((seen *)self)->row, e); }
static void on_header(void *self, const mainstem_event *e) { put(((seen *)self)->header, e); }
static void on_error(void *self, const mainstem_event *e) { put(((seen *)self)->error, e); }
static void on_author(void *self, const mainstem_event *e) { put(((seen *)self)->author, e); }
static void on_text(void *self, const mainstem_event *e) { put(((seen *)self)->text, e); }
static void on_picture(void *self, const mainstem_event *e) {
  pictures_say(((seen *)self)->picture, 200, e);
}
static void on_about(void *self, const mainstem_event *e) { put(((seen *)self)->about, e); }
static void on_cells(void *user_data, const mainstem_event *event) {
  seen *self = user_data;
  mainstem_list_row row;
  size_t i = 0;
  for (; i < 100 && mainstem_list_row_get(event, i, &row) == MAINSTEM_OK; i++)
    memcpy(&self->cells[i], row.data, sizeof self->cells[i]);
  self->count = i;
}

static const mainstem_binding_row lookup_rows[] = {
    {"go.enabled", on_enabled, 0}, {"goAlpha", on_alpha, 0},  {"loadingRow", on_row, 0},
    {"fullName", on_header, 0},    {"go.error", on_error, 0}, {"cells", on_cells, 0}};
static const mainstem_binding_row cell_rows[] = {
    {"author", on_author, 0}, {"text", on_text, 0}, {"picture", on_picture, 0}};
static const mainstem_binding_row profile_rows[] = {{"about", on_about, 0}};

static mainstem_context *found(uint64_t number) {
  mainstem_context *owner = NULL;
  CHECK(!mainstem_scope_find(window, number, &owner, NULL) && owner);
  return owner;
}

static void opened(void *number, const mainstem_event *event) {
  CHECK(!event->status);
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

static void settle(void) {
  uint64_t waits = 1;
  while (!mainstem_request_count(app, MAINSTEM_TYPE_ANY, &waits) && waits)
    http_provider_wait(http, -1, -1);
}

static void wait_for_line(void) {
  struct pollfd input = {0, POLLIN, 0};
  while (poll(&input, 1, 0) == 0) CHECK(!http_provider_wait(http, -1, 0));
}

static mainstem_status run(mainstem_binding *view, const char *name, uint64_t *number) {
  return mainstem_binding_run(view, name, NULL, 0, number ? opened : NULL, number, NULL, NULL);
}

int main(int count, char **words) {
  uint64_t number = 0;
  CHECK(count == 2);
  CHECK(!mainstem_context_create(NULL, &app));
  CHECK(!tweetboat_install(app, 10000) && !http_provider_add(app, &http));
  CHECK(!pictures_add(app, http, 0));
  CHECK(!mainstem_scope_add(app, "Window", NULL, &window));
  CHECK(
      !mainstem_instance_open(window, "Lookup", words[1], strlen(words[1]), opened, &number, NULL));
  CHECK(!mainstem_binding_add(window, found(number), MAINSTEM_ROWS(lookup_rows), &screen, NULL,
                              &screen.lookup));
  CHECK(!mainstem_binding_add(window, NULL, MAINSTEM_ROWS(cell_rows), &screen, NULL, &screen.cell));

  /* Valid, or not. */
  CHECK(!screen.is_enabled && screen.alpha == 0.5);
  CHECK(!mainstem_binding_set(screen.lookup, "username", "a", 1));
  CHECK(!screen.is_enabled && screen.alpha == 0.5);
  CHECK(run(screen.lookup, "go", NULL) == MAINSTEM_DISABLED);
  CHECK(!mainstem_binding_set(screen.lookup, "username", "jack", 4));
  CHECK(screen.is_enabled && screen.alpha == 1.0);

  /* A page, and at its end the next one: five times asked is once. */
  CHECK(run(screen.lookup, "loadMore", NULL) == MAINSTEM_DISABLED);
  CHECK(!run(screen.lookup, "go", NULL));
  settle();
  CHECK(!strcmp(screen.header, "Jack Tar") && screen.count == 20 && *screen.row);
  CHECK(!run(screen.lookup, "loadMore", NULL));
  for (int more = 0; more < 4; more++)
    CHECK(run(screen.lookup, "loadMore", NULL) == MAINSTEM_EXECUTING);
  settle();
  CHECK(screen.count == 40 && *screen.row);
  CHECK(!run(screen.lookup, "loadMore", NULL));
  settle();
  CHECK(screen.count == 45 && !*screen.row);
  CHECK(run(screen.lookup, "loadMore", NULL) == MAINSTEM_DISABLED);

  /* A cell that is used again. */
  CHECK(!mainstem_binding_retarget(screen.cell, found(screen.cells[0])));
  CHECK(!strcmp(screen.author, "Jack Tar"));
  CHECK(!run(screen.cell, "appear", NULL));
  wait_for_line();
  CHECK(http_provider_transfers(http) == 1);
  CHECK(!run(screen.cell, "disappear", NULL)); /* it is scrolled away */
  CHECK(!mainstem_drain(app, 0, NULL));
  CHECK(http_provider_transfers(http) == 0);
  CHECK(!mainstem_binding_retarget(screen.cell, found(screen.cells[3])));
  CHECK(!strcmp(screen.author, "Mary Wolf") && strstr(screen.text, "Lamp lit"));

  /* Its picture comes when it is in sight; so does its author's, which is there. */
  CHECK(!*screen.picture && !run(screen.cell, "appear", NULL));
  settle();
  CHECK(!strcmp(screen.picture, "[picture 320 × 180]"));
  CHECK(!run(screen.cell, "disappear", NULL) && !*screen.picture);

  /* Who is that? */
  CHECK(!run(screen.cell, "profile", &number));
  CHECK(!mainstem_binding_add(window, found(number), MAINSTEM_ROWS(profile_rows), &screen, NULL,
                              &screen.profile));
  CHECK(strstr(screen.about, "lighthouse") != NULL);

  /* Nobody: what was there stays. */
  CHECK(!mainstem_binding_set(screen.lookup, "username", "nobody", 6));
  CHECK(!run(screen.lookup, "go", NULL));
  settle();
  CHECK(!strcmp(screen.error, "Nobody has that name. Check how it is spelled.") &&
        screen.count == 45);
  CHECK(!mainstem_context_close(app));
  puts("A-63 passed");
  return 0;
}

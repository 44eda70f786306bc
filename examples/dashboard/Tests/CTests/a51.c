// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-51: two users; queries 1, 2, "", 9, abc; an error of the provider, then a retry; five bindings. Its
 * argument is the address of a site that fails once; test_a_51.py starts it, and looks at what was asked there.
 */

#include "http_provider.h"
#include "stage.h"

typedef struct seen {
  mainstem_binding *binding;
  bool is_loading, is_search_shown;
  char load[200], count[200], found[200], problem[200];
} seen;

enum { VIEWS = 5 };
static mainstem_context *app, *window;
static http_provider *http;
static seen views[VIEWS];

static void put(char *place, const mainstem_event *e) {
  snprintf(place, 200, "%s", mainstem_value_text(e));
}
static void on_load(void *self, const mainstem_event *e) { put(((seen *)self)->load, e); }
static void on_count(void *self, const mainstem_event *e) { put(((seen *)self)->count, e); }
static void on_found(void *self, const mainstem_event *e) { put(((seen *)self)->found, e); }
static void on_problem(void *self, const mainstem_event *e) { put(((seen *)self)->problem, e); }
static void on_loading(void *self, const mainstem_event *e) {
  ((seen *)self)->is_loading = mainstem_event_bool(e);
}
static void on_search(void *self, const mainstem_event *e) {
  ((seen *)self)->is_search_shown = mainstem_event_bool(e);
}

static const mainstem_binding_row rows[] = {
    {"load", on_load, 0},       {"isLoading", on_loading, 0},
    {"count", on_count, 0},     {"isSearchShown", on_search, 0},
    {"problem", on_problem, 0}, {"found", on_found, 0}};

static void settle(void) {
  size_t ran = 1;
  while (http_provider_transfers(http) || ran) {
    if (http_provider_transfers(http)) http_provider_wait(http, -1, -1);
    CHECK(!mainstem_drain(app, 0, &ran));
  }
}

/* Binds a view to the widget. */
static void bind(mainstem_context *owner, seen *view) {
  CHECK(!mainstem_binding_add(window, owner, MAINSTEM_ROWS(rows), view, NULL, &view->binding));
}

static mainstem_status retry(seen *view) {
  return mainstem_binding_run(view->binding, "retry", NULL, 0, NULL, NULL, NULL, NULL);
}

/* What all views show when this has been typed into the first. */
static void find(const char *query, const char *expected) {
  CHECK(!mainstem_binding_set(views[0].binding, "query", query, strlen(query)));
  for (int i = 0; i < VIEWS; i++) CHECK(!strcmp(views[i].found, expected));
}

static void expect(const char *load, const char *count, const char *problem) {
  for (int i = 0; i < VIEWS; i++) {
    CHECK(!strcmp(views[i].load, load) && !strcmp(views[i].count, count));
    CHECK(!strcmp(views[i].problem, problem) && !strcmp(views[i].found, "---"));
    CHECK(views[i].is_loading == !strcmp(load, "loading"));
    CHECK(views[i].is_search_shown == !strcmp(load, "loaded"));
  }
}

int main(int count, char **words) {
  static stage on;
  mainstem_context *users = NULL;
  CHECK(count == 2);
  CHECK(!mainstem_context_create(NULL, &app));
  CHECK(dashboard_install(NULL, 1) == MAINSTEM_INVALID);
  CHECK(dashboard_install(app, 0) == MAINSTEM_INVALID);
  CHECK(!dashboard_install(app, 10000) && !http_provider_add(app, &http));
  stage_add(&on, app);
  CHECK(!mainstem_scope_add(app, "Window", NULL, &window));
  open_app(&on, words[1]);
  load(&on);
  users = owner_of(&on, &on.users);
  CHECK(users != NULL);
  for (int i = 0; i < VIEWS; i++) bind(users, &views[i]);

  /* The provider fails. */
  expect("loading", "", "");
  CHECK(retry(&views[0]) == MAINSTEM_DISABLED);
  settle();
  expect("failed", "", "The site is out of order.");

  /* And again: then they are there. */
  CHECK(!retry(&views[1]));
  expect("loading", "", "");
  settle();
  expect("loaded", "The system has 2 users", "");
  CHECK(retry(&views[2]) == MAINSTEM_DISABLED);

  find("1", "I found Clark Kent aka Superman");
  find("2", "I found Bruce Wayne aka Batman");
  find("", "---");
  find("9", "User not found");
  find("abc", "User not found");
  CHECK(!mainstem_context_close(app));
  puts("A-51 passed");
  return 0;
}

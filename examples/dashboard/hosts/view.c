// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "view.h"

#include <stdio.h>
#include <string.h>

/* What it shows ---------------------------------------------------------------------------------- */

static void put(char *place, const mainstem_event *event) {
  snprintf(place, sizeof(label), "%s", mainstem_text(event));
}

static void show_title(void *self, const mainstem_event *e) { put(((view *)self)->title, e); }
static void show_count(void *self, const mainstem_event *e) { put(((view *)self)->count, e); }
static void show_query(void *self, const mainstem_event *e) { put(((view *)self)->query, e); }
static void show_found(void *self, const mainstem_event *e) { put(((view *)self)->found, e); }
static void show_problem(void *self, const mainstem_event *e) { put(((view *)self)->problem, e); }

static void spin(void *self, const mainstem_event *e) {
  ((view *)self)->is_loading = mainstem_bool(e);
}
static void show_search(void *self, const mainstem_event *e) {
  ((view *)self)->is_search_shown = mainstem_bool(e);
}
static void enable_retry(void *self, const mainstem_event *e) {
  ((view *)self)->can_retry = mainstem_bool(e);
}

static const mainstem_binding_row dashboard_rows[] = {{"title", show_title}};
static const mainstem_binding_row users_rows[] = {
    {"isLoading", spin},       {"isSearchShown", show_search}, {"count", show_count},
    {"query", show_query},     {"found", show_found},          {"problem", show_problem},
    {"canRetry", enable_retry}};
enum { USERS_ROWS = sizeof users_rows / sizeof users_rows[0] };

mainstem_status view_open(view *self, mainstem_context *app) {
  mainstem_scope_options options;
  memset(self, 0, sizeof *self);
  mainstem_scope_options_init(&options, sizeof options);
  options.send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  options.observe_layers = options.send_layers | MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEWMODEL);
  return mainstem_scope_add_with(app, "Window", &options, &self->window);
}

void view_show(view *self, mainstem_context *dashboard) {
  mainstem_binding_add(self->window, dashboard, dashboard_rows, sizeof dashboard_rows[0], 1, self,
                       NULL, &self->dashboard);
  mainstem_binding_run(self->dashboard, "didLoad", NULL, 0, NULL, NULL, NULL, NULL);
}

void view_embed(view *self, const char *slot, mainstem_context *widget) {
  if (strcmp(slot, "users")) return;
  mainstem_binding_add(self->window, widget, users_rows, sizeof users_rows[0], USERS_ROWS, self,
                       NULL, &self->users);
  self->is_users = true;
}

/* What it tells ---------------------------------------------------------------------------------- */

void view_find(view *self, const char *query) {
  if (self->is_search_shown) mainstem_binding_set(self->users, "query", query, strlen(query));
}

void view_retry(view *self) {
  if (self->is_users) mainstem_binding_run(self->users, "retry", NULL, 0, NULL, NULL, NULL, NULL);
}

void view_draw(const view *self) {
  puts(self->title);
  if (!self->is_users) return;
  if (self->is_loading) puts("  Loading …");
  if (*self->count) printf("  %s\n", self->count);
  if (self->is_search_shown) printf("  [%s] %s\n", self->query, self->found);
  if (self->can_retry) printf("  %s [Retry]\n", self->problem);
}

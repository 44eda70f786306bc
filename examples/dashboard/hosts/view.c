// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "view.h"

#include "lines.h"

/* What it shows ---------------------------------------------------------------------------------- */

static void put(char *place, const mainstem_event *event) {
  snprintf(place, sizeof(label), "%s", mainstem_value_text(event));
}

static void show_title(void *self, const mainstem_event *e) { put(((view *)self)->title, e); }
static void show_count(void *self, const mainstem_event *e) { put(((view *)self)->count, e); }
static void show_query(void *self, const mainstem_event *e) { put(((view *)self)->query, e); }
static void show_found(void *self, const mainstem_event *e) { put(((view *)self)->found, e); }
static void show_problem(void *self, const mainstem_event *e) { put(((view *)self)->problem, e); }

static void spin(void *self, const mainstem_event *e) {
  ((view *)self)->is_loading = mainstem_event_bool(e);
}
static void show_search(void *self, const mainstem_event *e) {
  ((view *)self)->is_search_shown = mainstem_event_bool(e);
}
static void enable_retry(void *self, const mainstem_event *e) {
  ((view *)self)->can_retry = mainstem_event_bool(e);
}

static const mainstem_binding_row dashboard_rows[] = {{"title", show_title, 0}};
static const mainstem_binding_row users_rows[] = {
    {"isLoading", spin, 0},       {"isSearchShown", show_search, 0}, {"count", show_count, 0},
    {"query", show_query, 0},     {"found", show_found, 0},          {"problem", show_problem, 0},
    {"canRetry", enable_retry, 0}};

/* Which view shows what. */
static const struct {
  const char *name;
  const mainstem_binding_row *rows;
  size_t count;
} kinds[KINDS] = {{"Dashboard", dashboard_rows, sizeof dashboard_rows / sizeof dashboard_rows[0]},
                  {"UsersWidget", users_rows, sizeof users_rows / sizeof users_rows[0]}};

kind view_kind(const char *name) {
  int kind = 0;
  while (kind < KINDS && strcmp(kinds[kind].name, name)) kind++;
  return kind;
}

mainstem_status view_show(view *self, kind kind, mainstem_context *app,
                          const mainstem_component_info *show) {
  const uint64_t sends = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  mainstem_scope_options options = {.size = sizeof options,
                                    .send_layers = sends,
                                    .observe_layers =
                                        sends | MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEWMODEL)};
  mainstem_context *owner = NULL;
  *self = (view){.component = show->component};
  mainstem_status status = mainstem_scope_add(app, "Window", &options, &self->scope);
  if (!status) status = mainstem_scope_find(app, show->owner, &owner, NULL);
  if (!status)
    status = mainstem_binding_add(self->scope, owner, kinds[kind].rows, sizeof *kinds[kind].rows,
                                  kinds[kind].count, self, NULL, &self->binding);
  return status;
}

void view_hide(view *self) {
  mainstem_scope_end(self->scope);
  *self = (view){.component = 0};
}

/* What it tells ---------------------------------------------------------------------------------- */

void view_load(view *self) {
  mainstem_binding_run(self->binding, "didLoad", NULL, 0, NULL, NULL, NULL, NULL);
}

void view_find(view *self, const char *query) {
  if (self->is_search_shown) mainstem_binding_set(self->binding, "query", query, strlen(query));
}

void view_retry(view *self) {
  if (self->can_retry)
    mainstem_binding_run(self->binding, "retry", NULL, 0, NULL, NULL, NULL, NULL);
}

/* In lines --------------------------------------------------------------------------------------- */

void view_write(const view views[KINDS], char *text, size_t size) {
  const view *users = &views[USERS];
  memset(text, 0, size);
  FILE *to = fmemopen(text, size - 1, "w");
  if (views[DASHBOARD].component) lines_put(to, "%s", views[DASHBOARD].title);
  if (users->is_loading) lines_put(to, "  Loading …");
  if (*users->count) lines_put(to, "  %s", users->count);
  if (users->is_search_shown) lines_put(to, "  [%s] %s", users->query, users->found);
  if (users->can_retry) lines_put(to, "  %s [Retry]", users->problem);
  fclose(to);
}

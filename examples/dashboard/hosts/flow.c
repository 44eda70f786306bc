// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "flow.h"

#include <string.h>

static mainstem_context *opened(flow *self, const mainstem_event *event) {
  mainstem_context *owner = NULL;
  if (!event->status)
    mainstem_scope_find(self->scope, (uint64_t)mainstem_integer(event), &owner, NULL);
  return owner;
}

static void embed_users(void *user_data, const mainstem_event *event) {
  flow *self = user_data;
  mainstem_context *users = opened(self, event);
  if (users) view_embed(self->window, "users", users);
}

/* A slot of the dashboard is to be filled. */
static void fill(void *user_data, const mainstem_event *event) {
  flow *self = user_data;
  if (event->size == strlen("users") && !memcmp(event->data, "users", event->size))
    mainstem_owner_open(self->scope, "UsersWidget", self->site, strlen(self->site), embed_users,
                        self, NULL);
}

/* Called by drains, so that what it asks for is an input: a replay has it. */
static const mainstem_binding_row_with dashboard_rows[] = {
    {{"widgetWanted", fill}, MAINSTEM_BINDING_ON_HOST}};

static void show_dashboard(void *user_data, const mainstem_event *event) {
  flow *self = user_data;
  mainstem_context *dashboard = opened(self, event);
  if (!dashboard) return;
  mainstem_binding_add(self->scope, dashboard, &dashboard_rows[0].row, sizeof dashboard_rows[0], 1,
                       self, NULL, &self->dashboard);
  view_show(self->window, dashboard);
}

mainstem_status flow_start(flow *self, mainstem_context *app, view *window, const char *site) {
  *self = (flow){.window = window, .site = site};
  mainstem_scope_add(app, "Flow", &self->scope);
  return mainstem_owner_open(self->scope, "Dashboard", NULL, 0, show_dashboard, self, NULL);
}

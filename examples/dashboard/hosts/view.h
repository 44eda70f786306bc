// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the view is bound to: each value has its place here, and is there as soon as it has changed. */

#ifndef VIEW_H
#define VIEW_H

#include <mainstem.h>
#include <stdbool.h>

typedef char label[200];

typedef struct view {
  mainstem_context *window;
  mainstem_binding *dashboard, *users;
  bool is_users; /* the slot has its widget */
  bool is_loading, is_search_shown, can_retry;
  label title, count, query, found, problem;
} view;

/** Makes a window that shows nothing yet: a scope with the rights of a view. */
mainstem_status view_open(view *self, mainstem_context *app);

/** Shows the screen. */
void view_show(view *self, mainstem_context *dashboard);

/** Shows a widget in a slot of the screen. */
void view_embed(view *self, const char *slot, mainstem_context *widget);

/** Types an id, if there is a field for it. */
void view_find(view *self, const char *query);

/** Presses the button, which does nothing while it is off. */
void view_retry(view *self);

/** Prints what is shown. */
void view_draw(const view *self);

#endif

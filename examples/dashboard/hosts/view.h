// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a view is bound to: each value has its place here, and is there as soon as it has changed. */

#ifndef VIEW_H
#define VIEW_H

#include <mainstem.h>
#include <stdbool.h>

typedef char label[200];

typedef enum kind { DASHBOARD, USERS, KINDS } kind;

/* One view. Of each kind at most one is shown. */
typedef struct view {
  uint64_t component;      /* What it shows; 0: nothing. */
  mainstem_context *scope; /* With the rights of a view. */
  mainstem_binding *binding;
  bool is_loading, is_search_shown, can_retry;
  label title, count, query, found, problem;
} view;

/** Which view a component has, by the name of its owner; KINDS: none. */
kind view_kind(const char *name);

/** Shows a component: binds what it is made of to its owner. */
mainstem_status view_show(view *self, kind kind, mainstem_context *app,
                          const mainstem_component_info *show);

/** Shows nothing more. */
void view_hide(view *self);

/** Tells the owner of a screen that its view is there. */
void view_load(view *self);

/** Types an id, if there is a field for it. */
void view_find(view *self, const char *query);

/** Presses the button, which does nothing while it is off. */
void view_retry(view *self);

/** Writes what the views show; nothing, if there is none. */
void view_write(const view views[KINDS], char *text, size_t size);

#endif

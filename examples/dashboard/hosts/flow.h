// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What is opened when: the one place of this host that knows it. A coordinator will replace it. */

#ifndef FLOW_H
#define FLOW_H

#include "view.h"

typedef struct flow {
  mainstem_context *scope; /* all that is opened ends with it */
  mainstem_binding *dashboard;
  view *window;
  const char *site;
} flow;

/** Opens the dashboard, and later what it wants in its slots. `site` must live as long. */
mainstem_status flow_start(flow *self, mainstem_context *app, view *window, const char *site);

#endif

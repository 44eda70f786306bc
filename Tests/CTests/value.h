// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A value that is bytes or text. */

#ifndef VALUE_H
#define VALUE_H

#include "stream.h"

#define VALUE MAINSTEM_ROLE_VALUE

static inline mainstem_event_type value_open(mainstem_context *context, mainstem_contract payload) {
  return type_open(context, "Value", payload | VALUE, NULL);
}

static inline mainstem_status set_text(mainstem_context *scope, mainstem_event_type type,
                                       const char *text) {
  return mainstem_value_set(scope, type, text, strlen(text));
}

/* The text of the present value, in memory of its own. */
static inline const char *text_of(mainstem_context *scope, mainstem_event_type type) {
  static char text[300];
  mainstem_retained *kept = NULL;
  EXPECT_OK(mainstem_value_get(scope, type, &kept));
  const mainstem_event *event = kept_event(kept);
  EXPECT_EQUAL(strlen(mainstem_value_text(event)), event->size);
  snprintf(text, sizeof text, "%s", mainstem_value_text(event));
  EXPECT_OK(mainstem_retained_release(kept));
  return text;
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A context in which the call with an index is tried. */

#ifndef MEMORY_TRIAL_H
#define MEMORY_TRIAL_H

#include "memory_calls.h"

/* The first scheduled observer of a context registers the type of gaps, for good. */
static inline void register_gaps(const stream *on) {
  mainstem_subscription *first;
  EXPECT_OK(mainstem_observe_with(on->context,
                                  OPTIONS(observe, .scheduler = MAINSTEM_SCHEDULER_HOST), NULL,
                                  NULL, NULL, &first));
  EXPECT_OK(mainstem_cancel(first));
}

static inline void ignore_event(void *user_data, const mainstem_event *event) {}

/* Types that are registered later take them along. */
static inline void look_at_one_origin(const stream *on) {
  mainstem_context *scope = scope_open(on->context, "Looked at");
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_observe_with(on->context, OPTIONS(observe, .of = scope), ignore_event, NULL,
                                    NULL, NULL));
}

static inline trial *trial_open(uint32_t threads, size_t which) {
  static trial self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  self.value =
      type_open(self.on.context, "Value", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_ROLE_VALUE, NULL);
  self.present =
      type_open(self.on.context, "Present", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_ROLE_VALUE, NULL);
  EXPECT_OK(mainstem_value_set(self.on.context, self.present, "here", 4));
  register_gaps(&self.on);
  if (strncmp(calls[which].name, "type_add", 8) == 0) look_at_one_origin(&self.on);
  if (strncmp(calls[which].name, "binding", 7) == 0 || calls[which].call == call_viewmodel_add)
    binding_open(&self);
  self.call = calls[which].call;
  return &self;
}

#endif

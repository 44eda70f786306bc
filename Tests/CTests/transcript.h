// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What happened, in order, as one line of text: observer "a" seeing position 3 is "a3"; a callback
 * that does something is "a3( … )", so that nesting shows; a release hook is "~a".
 */

#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include "stream.h"

#include <stdarg.h>

typedef struct transcript {
  size_t length;
  char text[8000];
} transcript;

typedef struct witness {
  transcript *transcript;
  const char *name;
  mainstem_event_fn then; /* What the callback does, or NULL. */
  void *user_data;
} witness;

static inline void transcript_clear(transcript *transcript) {
  transcript->length = 0;
  transcript->text[0] = 0;
}

static inline void transcript_add(transcript *transcript, const char *format, ...) {
  size_t room = sizeof transcript->text - transcript->length;
  va_list arguments;
  EXPECT(room > 100);
  if (transcript->length > 0) transcript->text[transcript->length++] = ' ';
  va_start(arguments, format);
  transcript->length +=
      (size_t)vsnprintf(transcript->text + transcript->length, room - 1, format, arguments);
  va_end(arguments);
}

static inline void witness_event(void *user_data, const mainstem_event *event) {
  witness *self = (witness *)user_data;
  transcript_add(self->transcript, self->then == NULL ? "%s%llu" : "%s%llu(", self->name,
                 (unsigned long long)event->position);
  if (self->then == NULL) return;
  self->then(self->user_data, event);
  transcript_add(self->transcript, ")");
}

static inline void witness_release(void *user_data) {
  witness *self = (witness *)user_data;
  transcript_add(self->transcript, "~%s", self->name);
}

static inline mainstem_subscription *witness_observe(witness *self, mainstem_context *context,
                                                     mainstem_event_type type) {
  mainstem_subscription *subscription = NULL;
  EXPECT_OK(mainstem_observe(context, type, witness_event, self, witness_release, &subscription));
  EXPECT(subscription != NULL);
  return subscription;
}

#endif

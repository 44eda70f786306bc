// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The transcript: every event, copied as it passes. */

#include "kit.h"

#include <stdlib.h>
#include <string.h>

/* The number of links shown before a chain's end. */
enum { LINKS = 12 };

static char *line_of(const mainstem_event *event) {
  size_t length = 0;
  char *line;
  if (mainstem_event_line(event, NULL, 0, &length) != MAINSTEM_OK) return mainstem_kit_copy("?", 1);
  line = (char *)mainstem_kit_memory(NULL, length + 1);
  mainstem_event_line(event, line, length + 1, NULL);
  return line;
}

/* A failure's text points into its data: in the copy it must point into the copied data. */
static const char *text_in(const entry *entry, const mainstem_event *event) {
  const char *data = (const char *)event->data;
  if (event->status == MAINSTEM_OK || event->user_message < data ||
      event->user_message >= data + event->size) {
    return "";
  }
  return entry->data + (event->user_message - data);
}

void mainstem_kit_transcript_observe(void *self, const mainstem_event *event) {
  transcript *transcript = (struct transcript *)self;
  if (transcript->count == transcript->capacity) {
    transcript->capacity = transcript->capacity * 2 + 64;
    transcript->entries = (entry *)mainstem_kit_memory(
        transcript->entries, transcript->capacity * sizeof *transcript->entries);
  }
  entry *added = &transcript->entries[transcript->count++];
  added->event = *event;
  added->data = mainstem_kit_copy(event->data, event->size);
  added->line = line_of(event);
  added->event.data = added->data;
  added->event.user_message = text_in(added, event);
}

const entry *mainstem_kit_transcript_at(const transcript *self, uint64_t position) {
  if (position == 0 || position > self->count) return NULL;
  return &self->entries[position - 1];
}

void mainstem_kit_transcript_add_chain(const transcript *self, const entry *entry, text *to) {
  uint64_t cause = entry->event.cause;
  for (int shown = 0; cause != 0; shown++) {
    const struct entry *before = mainstem_kit_transcript_at(self, cause);
    if (before == NULL) return;
    if (shown == LINKS && before->event.cause != 0) mainstem_kit_text_add(to, "\n      …");
    if (shown < LINKS || before->event.cause == 0) {
      mainstem_kit_text_add(to, "\n      caused by %s", before->line);
    }
    cause = before->event.cause;
  }
}

void mainstem_kit_transcript_free(transcript *self) {
  for (size_t i = 0; i < self->count; i++) {
    free(self->entries[i].data);
    free(self->entries[i].line);
  }
  free(self->entries);
}

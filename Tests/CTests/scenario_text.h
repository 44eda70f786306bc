// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A scenario file as lines, and a line as words: docs/testing.md says how they are written. */

#ifndef SCENARIO_TEXT_H
#define SCENARIO_TEXT_H

#include "expect.h"

typedef struct line {
  size_t indent;
  char text[300]; /* Without its indent; empty for a remark. */
} line;

typedef struct script {
  const char *path;
  line *lines;
  size_t count;
} script;

/* One step: `send Notice "hello" in Scope -> FULL`. */
typedef struct words {
  size_t count;
  char *word[24];
  char wanted[48]; /* What it is to give: what is behind the arrow, otherwise "OK". */
  char text[300];
} words;

static inline int begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* A line that shows what has happened, not one that does something. */
static inline int is_shown(const line *line) { return line->text[0] == '|'; }

/* A line that shows a callback on a scheduler's own thread: it ends in `on W`. */
static inline int is_shown_beside(const line *line) {
  const char *name = strrchr(line->text, ' ');
  return is_shown(line) && name - line->text > 3 && begins(name - 3, " on ");
}

static inline script script_read(const char *path) {
  static line lines[2000];
  script self = {path, lines, 0};
  char text[320];
  FILE *file = fopen(path, "r");
  EXPECT(file != NULL);
  while (fgets(text, sizeof text, file) != NULL) {
    line *next = &lines[self.count++];
    EXPECT(self.count < COUNT(lines) && strlen(text) < sizeof next->text);
    text[strcspn(text, "\n")] = 0;
    next->indent = strspn(text, " ");
    EXPECT_EQUAL(next->indent % 2, 0);
    snprintf(next->text, sizeof next->text, "%s",
             text[next->indent] == '#' ? "" : text + next->indent);
  }
  EXPECT_EQUAL(fclose(file), 0);
  return self;
}

/* Splits at spaces; what begins with a quote ends with the next one. */
static inline void words_split(words *self, const char *text) {
  char *arrow, *at;
  self->count = 0;
  snprintf(self->text, sizeof self->text, "%s", text);
  arrow = strstr(self->text, " -> ");
  snprintf(self->wanted, sizeof self->wanted, "%.47s", arrow == NULL ? "OK" : arrow + 4);
  if (arrow != NULL) *arrow = 0;
  for (at = self->text; *at != 0;) {
    size_t length = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, " ");
    EXPECT(self->count < COUNT(self->word));
    self->word[self->count++] = at;
    at += length;
    if (*at == ' ') *at++ = 0;
  }
}

/* The word behind this one; NULL if it is not there. */
static inline const char *word_after(const words *self, const char *word) {
  for (size_t i = 1; i + 1 < self->count; i++) {
    if (strcmp(self->word[i], word) == 0) return self->word[i + 1];
  }
  return NULL;
}

static inline size_t number_after(const words *self, const char *word) {
  const char *number = word_after(self, word);
  return number == NULL ? 0 : (size_t)strtoul(number, NULL, 10);
}

static inline const char *word_at(const words *self, size_t index) {
  EXPECT(index < self->count);
  return self->word[index];
}

/* What a word has in quotes, copied to where the caller can spoil it; its length. */
static inline size_t quoted(const char *word, char *bytes, size_t room) {
  size_t length = strlen(word);
  EXPECT(length >= 2 && length - 2 < room);
  memcpy(bytes, word + 1, length - 2);
  bytes[length - 2] = 0;
  return length - 2;
}

/* The first text in quotes; empty if there is none. */
static inline size_t payload_of(const words *self, char *bytes, size_t room) {
  for (size_t i = 1; i < self->count; i++) {
    if (self->word[i][0] == '"') return quoted(self->word[i], bytes, room);
  }
  bytes[0] = 0;
  return 0;
}

#endif

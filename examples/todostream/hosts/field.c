// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "field.h"

#include "lines.h"

static size_t utf8(int32_t code, char out[4]) {
  static const unsigned char firsts[] = {0, 0, 0xc0, 0xe0, 0xf0};
  int size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = size; --i > 0; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(firsts[size] | code);
  return (size_t)size;
}

/* Replaces the bytes from one place to another. */
static void replace(field *self, size_t from, size_t to, const char *with, size_t size) {
  size_t rest = self->size - to;
  char *text = malloc(from + size + rest + 1);
  if (!text) lines_fail("there is no memory", "");
  if (from) memcpy(text, self->text, from);
  if (size) memcpy(text + from, with, size);
  if (rest) memcpy(text + from + size, self->text + to, rest);
  text[from + size + rest] = 0;
  free(self->text);
  *self = (field){text, from + size + rest, from + size};
}

void field_set(field *self, const char *text, size_t size) {
  replace(self, 0, self->size, text, size);
}

void field_end(field *self) {
  free(self->text);
  *self = (field){0};
}

static size_t before(const field *self, size_t at) {
  glyph glyph;
  do {
    do at--;
    while (at > 0 && (self->text[at] & 0xc0) == 0x80);
    terminal_glyph(self->text + at, &glyph);
  } while (at > 0 && glyph.width == 0); /* marks belong to the character before */
  return at;
}

static size_t behind(const field *self, size_t at) {
  glyph glyph;
  size_t next = at + terminal_glyph(self->text + at, &glyph);
  while (next < self->size) {
    size_t mark = terminal_glyph(self->text + next, &glyph);
    if (glyph.width) break;
    next += mark;
  }
  return next;
}

bool field_press(field *self, int32_t key) {
  char typed[4];
  size_t left = self->cursor ? before(self, self->cursor) : 0;
  size_t right = self->cursor < self->size ? behind(self, self->cursor) : self->size;
  if (key == KEY_OF(KEY_LEFT)) self->cursor = left;
  else if (key == KEY_OF(KEY_RIGHT)) self->cursor = right;
  else if (key == KEY_OF(KEY_HOME) || key == CONTROL('A')) self->cursor = 0;
  else if (key == KEY_OF(KEY_END) || key == CONTROL('E')) self->cursor = self->size;
  else if (key == KEY_OF(KEY_BACKSPACE) || key == DELETE_LEFT || key == '\b')
    replace(self, left, self->cursor, NULL, 0);
  else if (key == KEY_OF(KEY_DC)) replace(self, self->cursor, right, NULL, 0);
  else if (key == CONTROL('U')) replace(self, 0, self->cursor, NULL, 0);
  else if (key >= ' ' && key < KEY_OF(0))
    replace(self, self->cursor, self->cursor, typed, utf8(key, typed));
  else return false;
  return true;
}

int field_draw(const field *self, int line, int column, int room) {
  glyph glyph;
  size_t first = self->cursor;
  int width = 0;
  while (first > 0) {
    size_t at = before(self, first);
    int more = 0;
    for (size_t next = at; next < first; more += glyph.width)
      next += terminal_glyph(self->text + next, &glyph);
    if (width + more >= room) break;
    width += more;
    first = at;
  }
  if (self->text) terminal_put(line, column, room, PLAIN, self->text + first, self->size - first);
  return column + width;
}

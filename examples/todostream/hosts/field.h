// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A line of text that is edited. */

#ifndef FIELD_H
#define FIELD_H

#include "terminal.h"

typedef struct field {
  char *text; /* UTF-8 with a zero byte behind it; NULL: empty */
  size_t size, cursor;
} field;

/** Replaces the text, and puts the cursor at its end. */
void field_set(field *self, const char *text, size_t size);

/** Takes a key; false: it is not for a field. */
bool field_press(field *self, int32_t key);

/** Draws the part that has the cursor, and returns the column of the cursor. */
int field_draw(const field *self, int line, int column, int room);

void field_end(field *self);

#endif

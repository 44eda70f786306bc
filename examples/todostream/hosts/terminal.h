// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A terminal that is used as a whole, with ncurses: text, keys and signals. It knows nothing of todos. */

#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curses.h>

/** How text looks: with colors, if the terminal has them and NO_COLOR is not set. */
typedef enum style { PLAIN, BOLD, DIM, REVERSE, FAILED, WAITING, RECORDING } style;

/** A key that is no character, by its number in curses.h. */
#define KEY_OF(number) (0x1000000 | (number))

enum {
  NO_KEY = -1,
  ESCAPE = 27,
  DELETE_LEFT = 127,
  ALT_UP = KEY_OF(0x1000),
  ALT_DOWN,
  PASTE_BEGINS,
  PASTE_ENDS,
  UNKNOWN_KEY
};
#define CONTROL(letter) ((letter) & 0x1f)

/**
 * Takes the terminal of the standard input and output, if text can be placed on it. It is given back by terminal_end,
 * at exit, and by a signal that ends the program.
 */
bool terminal_begin(void);
void terminal_end(void);

/** Readable when terminal_signal returns one. */
int terminal_signals(void);

/**
 * Handles the signals that have come, such as that of another size. Returns one that asks the program to end, such as
 * SIGTERM, or 0. A second one ends it at once.
 */
int terminal_signal(void);

/** Returns the next key or character that was typed, or NO_KEY. */
int32_t terminal_key(void);

/** What one place of a text looks like. */
typedef struct glyph {
  wchar_t text[12]; /* A control character is shown as lines.h does: \n, \x1b or \u202e. */
  int width;        /* 0: it is drawn on the character before. */
} glyph;

/** Reads a glyph of UTF-8, and returns its bytes. */
size_t terminal_glyph(const char *text, glyph *out);

/** The columns of a text, as far as they fit into a room; `*bytes` gets how many bytes do. */
int terminal_measure(const char *text, size_t size, int room, size_t *bytes);

/**
 * Draws text, at most `room` columns of it; where it is cut, it ends with "…". Nothing is drawn outside the screen.
 * Returns its columns.
 */
int terminal_put(int line, int column, int room, style style, const char *text, size_t size);

/** Gives a whole line a style, before text is put on it. */
void terminal_fill(int line, style style);

/** Begins a picture; it is seen with terminal_show. */
void terminal_clear(void);

/** Shows what was drawn, with the cursor at a place; line -1: without. */
void terminal_show(int line, int column);

#endif

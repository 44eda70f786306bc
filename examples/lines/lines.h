// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Lines, for hosts that are used by lines: one file to copy. lines.py is the same in Python.
 *
 *     lines input = {0};
 *     lines_begin();
 *     while (lines_next(&input, "list> ")) lines_say("%s does nothing with %s", input.command, input.argument);
 *     lines_end(&input);
 *
 * What is said cannot do anything to the terminal. Where it cannot be said, the program ends with one line on standard
 * error. In a terminal, a line can be edited, and those before it come back, if libedit is installed; it is loaded when
 * it is needed, so there is nothing to link, and it keeps no file. Needs _GNU_SOURCE.
 */

#ifndef LINES_H
#define LINES_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** What is read. */
typedef struct lines {
  char *line, *command, *argument; /* The first word, and the rest; empty: there is none. */
  size_t capacity;
} lines;

static inline void lines_fail(const char *what, const char *why) {
  fprintf(stderr, "%s%s\n", what, why);
  exit(1);
}

/** Before all else: a file that is opened gets the first free number, and 0 to 2 must not be free, nor mean it. */
static inline void lines_begin(void) {
  int file;
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0) lines_fail("standard output is closed", "");
  while ((file = open("/dev/null", O_RDWR)) >= 0 && file <= STDERR_FILENO) continue;
  close(file);
  setvbuf(stdout, NULL, _IOLBF, 0); /* A line is seen even while the host waits. */
}

/* Bytes of the character at a place; 0: this is no text. */
static inline int lines_size(const unsigned char *at) {
  int size = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 0;
  for (int i = 1; i < size; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  return size;
}

static inline unsigned long lines_code(const unsigned char *at, int size) {
  unsigned long code = size < 2 ? *at : *at & (0x7f >> size);
  for (int i = 1; i < size; i++) code = code << 6 | (at[i] & 0x3f);
  return code;
}

/* Control characters, ends of lines, what turns the direction of text. */
static inline bool lines_is_control(unsigned long code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

static inline void lines_escape(FILE *to, unsigned long code) {
  char name = code == '\n' ? 'n' : code == '\r' ? 'r' : code == '\t' ? 't' : 0;
  if (name) fprintf(to, "\\%c", name);
  else fprintf(to, code > 0xff ? "\\u%04lx" : "\\x%02lx", code);
}

/** Writes a text with its control characters as \n, \x1b or \u202e, so that it is one line. */
static inline void lines_write(FILE *to, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at) {
    int size = lines_size(at);
    unsigned long code = lines_code(at, size);
    if (size == 0 || lines_is_control(code)) lines_escape(to, code);
    else fwrite(at, (size_t)size, 1, to);
    at += size > 0 ? size : 1;
  }
}

/** After printing without lines_say. */
static inline void lines_check(void) {
  if (ferror(stdout)) lines_fail("standard output: ", strerror(errno));
}

/** Writes a line, as fprintf does, without its end in the form. */
__attribute__((format(printf, 2, 3))) static inline void lines_put(FILE *to, const char *form,
                                                                   ...) {
  char *text = NULL;
  va_list rest;
  va_start(rest, form);
  if (vasprintf(&text, form, rest) < 0) lines_fail("there is no memory", "");
  va_end(rest);
  lines_write(to, text);
  fputc('\n', to);
  lines_check();
  free(text);
}

/** Prints a line, as printf does, without its end in the form. */
#define lines_say(...) lines_put(stdout, __VA_ARGS__)

/* Takes a line apart, without its end. */
static inline void lines_split(lines *self, ssize_t size) {
  while (size > 0 && (self->line[size - 1] == '\n' || self->line[size - 1] == '\r')) size--;
  self->line[size] = 0;
  self->argument = self->line + strspn(self->line, " ");
  self->command = strsep(&self->argument, " ");
  if (!self->argument) self->argument = self->command + strlen(self->command);
}

/** Reads a line as it comes, whose command is empty if it says nothing; false: the input has ended. */
static inline bool lines_read(lines *self) {
  ssize_t size = getline(&self->line, &self->capacity, stdin);
  if (ferror(stdin)) lines_fail("standard input: ", strerror(errno));
  if (size >= 0) lines_split(self, size);
  return size >= 0;
}

/* What edits lines, as readline does. */
typedef struct lines_editor {
  char *(*read)(const char *prompt); /* NULL: there is none. */
  int (*keep)(const char *line);
} lines_editor;

static inline const lines_editor *lines_load_editor(void) {
  static const char *const names[] = {"libedit.so.2", "libedit.so.0", "libedit.so"};
  static lines_editor editor;
  static bool is_loaded;
  void *library = NULL;
  for (int i = 0; i < 3 && !is_loaded && !library; i++) library = dlopen(names[i], RTLD_NOW);
  is_loaded = true;
  if (!library) return &editor;
  setlocale(LC_CTYPE, ""); /* How wide a character is. */
  *(void **)&editor.read = dlsym(library, "readline");
  *(void **)&editor.keep = dlsym(library, "add_history");
  if (!editor.keep) editor.read = NULL;
  return &editor;
}

/* A line that is typed; false: the input has ended. */
static inline bool lines_edit(lines *self, const lines_editor *editor, const char *prompt) {
  char *line = editor->read(prompt);
  if (!line) return putchar('\n') == 0;
  free(self->line);
  self->line = line;
  self->capacity = strlen(line) + 1;
  if (*line) editor->keep(line);
  lines_split(self, (ssize_t)self->capacity - 1);
  return true;
}

static inline bool lines_ask(lines *self, const char *prompt) {
  const lines_editor *editor;
  if (!isatty(STDIN_FILENO)) return lines_read(self);
  editor = isatty(STDOUT_FILENO) ? lines_load_editor() : NULL;
  if (editor && editor->read) return lines_edit(self, editor, prompt);
  fputs(prompt, stdout), fflush(stdout);
  return lines_read(self);
}

/** Reads the next command, past empty lines; false: it is "quit", or the input has ended. */
static inline bool lines_next(lines *self, const char *prompt) {
  bool is_there;
  do is_there = lines_ask(self, prompt);
  while (is_there && !*self->command);
  return is_there && strcmp(self->command, "quit") != 0;
}

/** Takes a number from the beginning of a text, with the space behind it; 0: there is none. */
static inline size_t lines_number(char **text) {
  size_t number = strspn(*text, "0123456789") ? strtoul(*text, text, 10) : 0;
  *text += **text == ' ';
  return number;
}

static inline void lines_end(lines *self) { free(self->line); }

#endif

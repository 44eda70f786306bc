// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Text and memory. */

#include "kit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mainstem_kit_memory(void *old, size_t size) {
  void *memory = realloc(old, size > 0 ? size : 1);
  if (memory == NULL) {
    fputs("mainstem/testing.h: there is no memory for the test\n", stderr);
    abort();
  }
  return memory;
}

char *mainstem_kit_copy(const void *bytes, size_t size) {
  char *copy = (char *)mainstem_kit_memory(NULL, size + 1);
  if (size > 0) memcpy(copy, bytes, size);
  copy[size] = 0;
  return copy;
}

void mainstem_kit_text_add_bytes(text *text, const char *bytes, size_t size) {
  text->bytes = (char *)mainstem_kit_memory(text->bytes, text->length + size + 1);
  if (size > 0) memcpy(text->bytes + text->length, bytes, size);
  text->length += size;
  text->bytes[text->length] = 0;
}

void mainstem_kit_text_add(text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  text->bytes = (char *)mainstem_kit_memory(text->bytes, text->length + (size_t)length + 1);
  va_start(arguments, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void mainstem_kit_text_free(text *text) {
  free(text->bytes);
  text->bytes = NULL;
  text->length = 0;
}

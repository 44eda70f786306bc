// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Names as NATS takes them: what it does not take is written as % and two digits, so that no two names become one. */

#include "bridge.h"

#include <stdio.h>
#include <string.h>

static char *escaped(char *to, unsigned char byte) {
  static const char digits[] = "0123456789ABCDEF";
  *to++ = '%';
  *to++ = digits[byte >> 4];
  *to++ = digits[byte & 15];
  return to;
}

static bool is_bare(unsigned char byte) {
  return byte > ' ' && byte != 0x7f && byte != '*' && byte != '>' && byte != '%';
}

/* A dot divides a subject, but no part of one is empty. */
static bool divides(const char *name, const char *at) {
  return at > name && at[-1] != '.' && at[1] != '\0';
}

static char *write_part(char *to, const char *name, bool has_dots) {
  for (const char *at = name; *at != '\0'; at++) {
    bool is_kept = *at == '.' ? has_dots && divides(name, at) : is_bare((unsigned char)*at);
    if (is_kept) *to++ = *at;
    else to = escaped(to, (unsigned char)*at);
  }
  return to;
}

void write_subject(char *subject, const char *prefix, const char *layer, const char *type) {
  char *to = subject + sprintf(subject, "%s.", prefix);
  /* "_journal" is the journal's own. */
  if (*layer == '_') to = escaped(to, (unsigned char)*layer++);
  to = write_part(to, layer, false);
  *to++ = '.';
  to = write_part(to, type, true);
  *to = '\0';
}

void write_journal_subject(char *subject, const char *prefix, const char *id) {
  sprintf(subject, "%s._journal.%s", prefix, id);
}

void write_request_subject(char *subject, const char *verb, const char *prefix, const char *type) {
  char *to = subject + sprintf(subject, "$MAINSTEM.%s.%s.", verb, prefix);
  *write_part(to, type, true) = '\0';
}

size_t write_value(char *value, const char *name) {
  char *to = value;
  for (const char *at = name; *at != '\0'; at++) {
    unsigned char byte = (unsigned char)*at;
    bool is_end = at == name || at[1] == '\0';
    if (byte < ' ' || byte == 0x7f || byte == '%' || (byte == ' ' && is_end))
      to = escaped(to, byte);
    else *to++ = *at;
  }
  *to = '\0';
  return (size_t)(to - value);
}

static int digit(char text) {
  static const char digits[] = "0123456789ABCDEF";
  const char *at = text != '\0' ? strchr(digits, text) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

void read_value(char *name, const char *value) {
  char *to = name;
  while (*value != '\0' && to < name + LONGEST_NAME) {
    bool is_escaped = *value == '%' && digit(value[1]) >= 0 && digit(value[2]) >= 0;
    *to++ = (char)(is_escaped ? digit(value[1]) << 4 | digit(value[2]) : *value);
    value += is_escaped ? 3 : 1;
  }
  *to = '\0';
}

bool is_prefix(const char *text) {
  size_t length = strlen(text);
  if (length == 0 || length > LONGEST_PREFIX || *text == '$') return false;
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '.' ? !divides(text, at) : !is_bare((unsigned char)*at)) return false;
  }
  return true;
}

bool is_stream(const char *text) {
  size_t length = strlen(text);
  if (length == 0 || length > 255) return false;
  for (const char *at = text; *at != '\0'; at++)
    if (!is_bare((unsigned char)*at) || strchr("./\\", *at) != NULL) return false;
  return true;
}

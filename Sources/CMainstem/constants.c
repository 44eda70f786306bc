// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The constants of the public headers by name, for hosts without a C compiler.

#include "mainstem_private.h"

#include <string.h>

/* What each name begins with. */
static const char prefix[] = "MAINSTEM_";
enum { prefix_size = sizeof prefix - 1 };

/* The others' names, one behind the other: a table of pointers would be relocated, one by one, in each process. */
#define CONSTANT(name) #name "\0"
static const char names[] =
#include "constants.h"
    ;
#undef CONSTANT

#define CONSTANT(name) (int64_t)(MAINSTEM_##name),
static const int64_t values[] = {
#include "constants.h"
};

int mainstem_p_constant(const char *name, int64_t *value) {
  /* For tests: no constant of C can have this name. */
  if (strcmp(name, "not given back") == 0) {
    *value = mainstem_p_lost_tokens();
    return 1;
  }
  if (strncmp(name, prefix, prefix_size) != 0) return 0;
  const char *next = names;
  for (size_t index = 0; *next != 0; index++, next += strlen(next) + 1) {
    if (strcmp(next, name + prefix_size) != 0) continue;
    *value = values[index];
    return 1;
  }
  return 0;
}

#define TEXT(value) #value
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *mainstem_p_version_text(void) {
  return DOTTED(MAINSTEM_VERSION_MAJOR, MAINSTEM_VERSION_MINOR, MAINSTEM_VERSION_PATCH);
}

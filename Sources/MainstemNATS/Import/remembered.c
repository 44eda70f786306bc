// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a context without a journal took in, from one import to the next: a server that is away when an import is closed
   never hears of its last entries. It is remembered as long as the context is there. */

#include "import.h"

#include <stdlib.h>
#include <string.h>

struct remembered {
  struct remembered *next;
  mainstem_context *context;
  char *stream, *scope;
  struct books books;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct remembered *first;

static void forget(struct remembered *one) {
  sources_free(&one->books.sources);
  free(one->stream);
  free(one->scope);
  free(one);
}

static bool is_over(const struct remembered *one) {
  mainstem_context_stats stats = {.size = sizeof stats};
  return mainstem_context_stats_read(one->context, &stats) == MAINSTEM_STALE;
}

static bool is_of(const struct remembered *one, mainstem_context *context,
                  const struct settings *settings) {
  return one->context == context && strcmp(one->stream, settings->stream) == 0 &&
         strcmp(one->scope, settings->scope) == 0;
}

void remembered_take(struct import *import, const struct settings *settings) {
  pthread_mutex_lock(&lock);
  for (struct remembered **at = &first, *one; (one = *at) != NULL;) {
    bool is_ours = is_of(one, import->intake->context, settings);
    if (!is_ours && !is_over(one)) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    if (is_ours) {
      import->books = one->books;
      memset(&one->books, 0, sizeof one->books);
    }
    forget(one);
  }
  pthread_mutex_unlock(&lock);
}

void remembered_give(struct import *import, const struct settings *settings) {
  struct remembered *one = import->intake->is_recorded ? NULL : calloc(1, sizeof *one);
  if (one == NULL) return;
  one->context = import->intake->context;
  one->stream = strdup(settings->stream);
  one->scope = strdup(settings->scope);
  one->books = import->books;
  memset(&import->books, 0, sizeof import->books);
  if (one->stream == NULL || one->scope == NULL || is_over(one)) {
    forget(one);
    return;
  }
  pthread_mutex_lock(&lock);
  one->next = first;
  first = one;
  pthread_mutex_unlock(&lock);
}

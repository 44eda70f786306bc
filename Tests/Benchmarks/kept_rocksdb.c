// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* RocksDB, without compression: its log synced at each commit where durable. It groups commits itself. */

#include <rocksdb/c.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kept.h"

typedef struct database {
  rocksdb_t *opened;
  rocksdb_writeoptions_t *how;
  size_t batch;
  atomic_size_t last;
} database;

static void check(const char *error) {
  if (error != NULL) kept_failed("rocksdb", error);
}

static rocksdb_t *open_at(const char *folder) {
  rocksdb_options_t *options = rocksdb_options_create();
  char *error = NULL;
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_compression(options, rocksdb_no_compression);
  rocksdb_t *made = rocksdb_open(options, folder, &error);
  check(error);
  rocksdb_options_destroy(options);
  return made;
}

static void *open_database(const char *folder, bool is_durable, size_t batch) {
  database *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  made->opened = open_at(folder);
  made->how = rocksdb_writeoptions_create();
  rocksdb_writeoptions_set_sync(made->how, is_durable);
  made->batch = batch;
  return made;
}

static void append(void *opened) {
  database *self = opened;
  rocksdb_writebatch_t *batch = rocksdb_writebatch_create();
  size_t number = atomic_fetch_add(&self->last, self->batch);
  char *error = NULL;
  for (size_t i = 0; i < self->batch; i++, number++) {
    uint8_t key[8];
    for (int j = 0; j < 8; j++) key[j] = (uint8_t)((uint64_t)number >> (56 - 8 * j));
    rocksdb_writebatch_put(batch, (const char *)key, sizeof key, (const char *)kept_events[i],
                           KEPT);
  }
  rocksdb_write(self->opened, self->how, batch, &error);
  check(error);
  rocksdb_writebatch_destroy(batch);
}

/* What is in memory is written to a sorted file, so that replay reads no log. */
static void close_database(void *opened) {
  database *self = opened;
  rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
  char *error = NULL;
  rocksdb_flush(self->opened, flush, &error);
  check(error);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(self->how);
  rocksdb_close(self->opened);
  free(self);
}

static uint64_t replay(const char *folder) {
  rocksdb_t *opened = open_at(folder);
  rocksdb_readoptions_t *how = rocksdb_readoptions_create();
  rocksdb_iterator_t *iterator = rocksdb_create_iterator(opened, how);
  uint64_t sum = 0;
  size_t length;
  for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_next(iterator))
    sum += *(const uint8_t *)rocksdb_iter_value(iterator, &length);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_destroy(how);
  rocksdb_close(opened);
  return sum;
}

const keeper kept_rocksdb = {"rocksdb", open_database, append, close_database, replay};

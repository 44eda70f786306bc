// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* LMDB, which syncs at each commit where durable, else never (MDB_NOSYNC). Its reads check nothing. */

#include <lmdb.h>
#include <stdlib.h>

#include "kept.h"

typedef struct tree {
  MDB_env *env;
  MDB_dbi dbi;
  size_t batch;
  size_t last; /* Changed by the one write transaction that there can be. */
} tree;

static void check(int code) {
  if (code != 0) kept_failed("lmdb", mdb_strerror(code));
}

static MDB_env *open_env(const char *folder, unsigned flags) {
  MDB_env *env;
  check(mdb_env_create(&env));
  check(mdb_env_set_mapsize(env, (size_t)1 << 30));
  check(mdb_env_open(env, folder, flags, 0600));
  return env;
}

static void *open_tree(const char *folder, bool is_durable, size_t batch) {
  tree *made = calloc(1, sizeof *made);
  MDB_txn *txn;
  if (made == NULL) abort();
  made->env = open_env(folder, is_durable ? 0 : MDB_NOSYNC);
  made->batch = batch;
  check(mdb_txn_begin(made->env, NULL, 0, &txn));
  check(mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &made->dbi));
  check(mdb_txn_commit(txn));
  return made;
}

static void append(void *opened) {
  tree *self = opened;
  MDB_txn *txn;
  check(mdb_txn_begin(self->env, NULL, 0, &txn));
  for (size_t i = 0; i < self->batch; i++) {
    self->last++;
    MDB_val key = {sizeof self->last, &self->last};
    MDB_val value = {KEPT, kept_events[i]};
    check(mdb_put(txn, self->dbi, &key, &value, MDB_APPEND));
  }
  check(mdb_txn_commit(txn));
}

static void close_tree(void *opened) {
  tree *self = opened;
  mdb_env_close(self->env);
  free(self);
}

static uint64_t replay(const char *folder) {
  MDB_env *env = open_env(folder, MDB_RDONLY);
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_val key, value;
  uint64_t sum = 0;
  check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
  check(mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &dbi));
  check(mdb_cursor_open(txn, dbi, &cursor));
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0)
    sum += *(const uint8_t *)value.mv_data;
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return sum;
}

const keeper kept_lmdb = {"lmdb", open_tree, append, close_tree, replay};

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* SQLite, with a write-ahead log: synchronous FULL where durable, else NORMAL, which syncs seldom. */

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "kept.h"

typedef struct database {
  sqlite3 *connection;
  sqlite3_stmt *begin, *insert, *commit;
  size_t batch;
  pthread_mutex_t lock;
} database;

static void check(bool is_fine, sqlite3 *connection) {
  if (!is_fine) kept_failed("sqlite", sqlite3_errmsg(connection));
}

static sqlite3 *connect(const char *folder) {
  sqlite3 *made;
  char path[1024];
  snprintf(path, sizeof path, "%s/events.db", folder);
  check(sqlite3_open(path, &made) == SQLITE_OK, made);
  return made;
}

static void run(sqlite3 *connection, const char *text) {
  check(sqlite3_exec(connection, text, NULL, NULL, NULL) == SQLITE_OK, connection);
}

static sqlite3_stmt *prepare(sqlite3 *connection, const char *text) {
  sqlite3_stmt *made;
  check(sqlite3_prepare_v2(connection, text, -1, &made, NULL) == SQLITE_OK, connection);
  return made;
}

static void step(database *self, sqlite3_stmt *statement) {
  check(sqlite3_step(statement) == SQLITE_DONE, self->connection);
  sqlite3_reset(statement);
}

static void *open_database(const char *folder, bool is_durable, size_t batch) {
  database *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  sqlite3 *connection = made->connection = connect(folder);
  run(connection, "PRAGMA journal_mode = WAL");
  run(connection, is_durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  run(connection, "CREATE TABLE events (position INTEGER PRIMARY KEY, payload BLOB NOT NULL)");
  made->begin = prepare(connection, "BEGIN");
  made->insert = prepare(connection, "INSERT INTO events (payload) VALUES (?)");
  made->commit = prepare(connection, "COMMIT");
  made->batch = batch;
  pthread_mutex_init(&made->lock, NULL);
  return made;
}

static void append(void *opened) {
  database *self = opened;
  pthread_mutex_lock(&self->lock);
  step(self, self->begin);
  for (size_t i = 0; i < self->batch; i++) {
    sqlite3_bind_blob(self->insert, 1, kept_events[i], KEPT, SQLITE_STATIC);
    step(self, self->insert);
  }
  step(self, self->commit);
  pthread_mutex_unlock(&self->lock);
}

static void close_database(void *opened) {
  database *self = opened;
  sqlite3_finalize(self->begin);
  sqlite3_finalize(self->insert);
  sqlite3_finalize(self->commit);
  sqlite3_close(self->connection);
  pthread_mutex_destroy(&self->lock);
  free(self);
}

static uint64_t replay(const char *folder) {
  sqlite3 *connection = connect(folder);
  sqlite3_stmt *select = prepare(connection, "SELECT payload FROM events ORDER BY position");
  uint64_t sum = 0;
  while (sqlite3_step(select) == SQLITE_ROW)
    sum += *(const uint8_t *)sqlite3_column_blob(select, 0);
  sqlite3_finalize(select);
  sqlite3_close(connection);
  return sum;
}

const keeper kept_sqlite = {"sqlite", open_database, append, close_database, replay};

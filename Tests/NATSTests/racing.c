// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* racing JOURNAL URL: mirrors that begin, flush, are asked and closed on many threads at once, while the program sends.
   It is built with the thread sanitizer. Prints what the stream has in the end. */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, TURNS = 12, EVENTS = 20000 };

static const char *path, *url;
/* What each thread works on; others ask about it and close it. */
static mainstem_nats *_Atomic mirrors[THREADS];

static void expect(int is_true, const char *what) {
  if (is_true) return;
  printf("%s: %s\n", what, mainstem_nats_last_error());
  exit(1);
}

static mainstem_nats *begin(void) {
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *mirror = NULL;
  options.url = url;
  options.prefix = "racing";
  expect(mainstem_nats_mirror(path, &options, &mirror) == MAINSTEM_OK, "a mirror begins");
  return mirror;
}

/* Asks about a mirror that another thread may be closing. */
static void ask(mainstem_nats *mirror) {
  mainstem_nats_stats stats = {.size = sizeof stats};
  mainstem_status status = mainstem_nats_stats_read(mirror, &stats);
  expect(status == MAINSTEM_OK || status == MAINSTEM_STALE || status == MAINSTEM_INVALID, "asked");
  status = mainstem_nats_flush(mirror, 20);
  expect(status == MAINSTEM_OK || status == MAINSTEM_TIMEOUT || status == MAINSTEM_CANCELLED ||
             status == MAINSTEM_STALE || status == MAINSTEM_INVALID,
         "flushed");
}

static void end(mainstem_nats *mirror) {
  mainstem_status status = mainstem_nats_close(mirror);
  expect(status == MAINSTEM_OK || status == MAINSTEM_STALE, "closed");
}

static void *race(void *number) {
  _Atomic(mainstem_nats *) *mine = &mirrors[*(int *)number];
  for (int turn = 0; turn < TURNS; turn++) {
    atomic_store(mine, begin());
    for (int other = 0; other < THREADS; other++) ask(mirrors[other]);
    /* Whoever comes first closes it; both may be in the call. */
    end(mirrors[(*(int *)number + turn) % THREADS]);
    end(*mine);
  }
  return NULL;
}

int main(int count, char **arguments) {
  expect(count == 3, "racing JOURNAL URL");
  path = arguments[1], url = arguments[2];
  mainstem_context *context;
  mainstem_event_type ticked;
  pthread_t threads[THREADS];
  int numbers[THREADS];
  mainstem_context_create(NULL, &context);
  mainstem_journal_record(context, path, NULL);
  mainstem_type_add(context, "Ticked", MAINSTEM_PAYLOAD_INTEGER, NULL, &ticked);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    expect(pthread_create(&threads[i], NULL, race, &numbers[i]) == 0, "a thread begins");
  }
  for (int64_t i = 0; i < EVENTS; i++) mainstem_send(context, ticked, &i, sizeof i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) end(mirrors[i]);

  mainstem_nats_stats stats = {.size = sizeof stats};
  mainstem_nats *last = begin();
  expect(mainstem_nats_flush(last, 60000) == MAINSTEM_OK, "all is there");
  mainstem_nats_stats_read(last, &stats);
  printf("%llu\n", (unsigned long long)stats.done);
  mainstem_nats_close(last);
  return mainstem_context_close(context);
}

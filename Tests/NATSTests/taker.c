// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A program outside this tree: taker JOURNAL URL. It mirrors what it records, and takes that in again: in each thread
   mode, with times, payloads and order checked, and with two threads that drain. It is also built with the sanitizers. */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { EVENTS = 3000 };

static const char *url;

static void expect(int is_true, const char *what) {
  if (is_true) return;
  printf("%s: %s %s\n", what, mainstem_last_error(), mainstem_nats_last_error());
  exit(1);
}

static mainstem_context *make(uint32_t threads, uint32_t flags, const char *journal) {
  mainstem_context_options options = {.size = sizeof options};
  mainstem_context *context;
  options.threads = threads;
  options.flags = flags;
  expect(mainstem_context_create(&options, &context) == MAINSTEM_OK, "a context");
  expect(mainstem_journal_record(context, journal, NULL) == MAINSTEM_OK, "it is recorded");
  return context;
}

static void make_stream(const char *journal) {
  mainstem_context *context = make(MAINSTEM_THREADS_ONE, 0, journal);
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *mirror;
  mainstem_event_type counted;
  mainstem_type_add(context, "Counted", MAINSTEM_PAYLOAD_INTEGER, NULL, &counted);
  for (int64_t i = 1; i <= EVENTS; i++) mainstem_send(context, counted, &i, sizeof i);
  options.url = url;
  options.prefix = "taker";
  expect(mainstem_nats_mirror(journal, &options, &mirror) == MAINSTEM_OK, "a mirror begins");
  expect(mainstem_nats_flush(mirror, 30000) == MAINSTEM_OK, "all is there");
  mainstem_nats_close(mirror);
  mainstem_context_close(context);
}

static mainstem_nats *begin(mainstem_context *context, const char *journal) {
  static const char *const types[] = {"Counted"}, *const as[] = {"Remote.counted"};
  mainstem_scope_options rights = {.size = sizeof rights};
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *import;
  rights.send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL);
  rights.flags = MAINSTEM_SCOPE_OBSERVES_NOTHING;
  options.url = url;
  options.stream = "taker";
  options.types = types;
  options.as = as;
  options.type_count = 1;
  options.rights = &rights;
  options.journal = journal;
  options.window = 100;
  expect(mainstem_nats_import(context, &options, &import) == MAINSTEM_OK, "an import begins");
  return import;
}

static void check(void *last, const mainstem_event *event) {
  expect(mainstem_event_integer(event) == ++*(_Atomic int64_t *)last, "each comes once, in order");
}

static atomic_bool is_done;

static void *drain(void *context) {
  while (!is_done) mainstem_wait((mainstem_context *)context, 10);
  return NULL;
}

/* Half of it in a first session, whose import is closed on its way. */
static void take(const char *name, uint32_t threads, uint32_t flags, const char *path) {
  char journal[4096];
  _Atomic int64_t last = 0;
  snprintf(journal, sizeof journal, "%s-%s", path, name);
  for (int session = 0; session < 2; session++) {
    mainstem_context *context = make(threads, flags, journal);
    mainstem_event_type counted;
    pthread_t helper;
    mainstem_type_add(context, "Remote.counted", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_LAYER_MODEL,
                      NULL, &counted);
    mainstem_observe(context, counted, check, (void *)&last, NULL, NULL);
    mainstem_nats *import = begin(context, journal);
    is_done = false;
    if (threads == MAINSTEM_THREADS_ANY)
      expect(pthread_create(&helper, NULL, drain, context) == 0, "a thread begins");
    if (session == 1) expect(mainstem_nats_flush(import, 30000) == MAINSTEM_OK, "all is taken in");
    while (session == 0 && last < EVENTS / 2) mainstem_wait(context, 10);
    is_done = true;
    if (threads == MAINSTEM_THREADS_ANY) pthread_join(helper, NULL);
    /* In one mode the context goes first. */
    if (flags == 0) expect(mainstem_nats_close(import) == MAINSTEM_OK, "the import ends");
    expect(mainstem_context_close(context) == MAINSTEM_OK, "the context ends");
    if (flags != 0) expect(mainstem_nats_close(import) == MAINSTEM_OK, "the import ends");
  }
  printf("%s %d\n", name, (int)last);
}

int main(int count, char **arguments) {
  expect(count == 3, "taker JOURNAL URL");
  url = arguments[2];
  make_stream(arguments[1]);
  take("one", MAINSTEM_THREADS_ONE, 0, arguments[1]);
  take("any", MAINSTEM_THREADS_ANY, 0, arguments[1]);
  take("guarded", MAINSTEM_THREADS_GUARDED, 0, arguments[1]);
  take("host", MAINSTEM_THREADS_ONE, MAINSTEM_CONTEXT_DELIVER_ON_HOST, arguments[1]);
  return 0;
}

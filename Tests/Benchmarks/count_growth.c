// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The cases of `count` about growth: what ends or is looked up costs the same among 10, 1,000 and 100,000 others that have
 * nothing to do with it.
 */

#include <string.h>
#include <unistd.h>

#include "counting.h"

enum { MOST = 100000 };

static const size_t among[] = {10, 1000, MOST};

void grow(stream *opened, void (*add)(stream *, size_t), operation *run, const char *what,
          const char *name) {
  static const char *const counts[] = {"10", "1,000", "100,000"};
  size_t there = 0;
  for (size_t i = 0; i < sizeof among / sizeof among[0]; i++) {
    char among_what[100];
    add(opened, among[i] - there);
    there = among[i];
    snprintf(among_what, sizeof among_what, "%s among %s", what, counts[i]);
    measure_few(run, opened, among_what, name);
  }
}

/* Requests. */

static mainstem_event_type asked, ended;

static void wait_on(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

/* A handler that keeps its request, which stays open. */
static void keep(void *user_data, const mainstem_event *event) {
  mainstem_retained *kept;
  (void)user_data;
  must(mainstem_event_retain(event, &kept));
}

static mainstem_status fail_to_make(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  (void)user_data;
  (void)scope;
  (void)event;
  return 1001;
}

static mainstem_context *serve(mainstem_context *context, const char *type) {
  const mainstem_handler_row row = {type, keep, 0};
  mainstem_context *server;
  must(mainstem_server_add(context, "Server", &row, sizeof row, 1, NULL, NULL, &server));
  return server;
}

static uint64_t open_requests(const stream *opened) {
  mainstem_context_stats stats = {.size = sizeof stats};
  must(mainstem_context_stats_read(opened->context, &stats));
  return stats.requests;
}

static void ask(stream *opened, size_t count) {
  uint64_t before = open_requests(opened);
  for (size_t i = 0; i < count; i++)
    must(mainstem_request(opened->context, asked, NULL, 0, NULL, NULL, NULL));
  must_be(open_requests(opened), before + count, "open requests");
}

/* A server of another type comes, is asked, and ends: its request is cancelled. */
static void server_ends(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_context *server = serve(opened->context, "RequestEnded");
    must(mainstem_request(opened->context, ended, NULL, 0, NULL, NULL, NULL));
    must(mainstem_scope_end(server));
  }
}

static void finds(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_context *service;
    must_be(mainstem_service_find(opened->context, "Broken", &service), MAINSTEM_CANCELLED, "find");
  }
}

static void measure_requests_grown(uint32_t threads, const char *name, operation *run,
                                   const char *what) {
  stream *opened = stream_open(threads, 1);
  mainstem_context *context = opened->context;
  must(mainstem_service_add(context, "Broken", NULL, 0, 0, fail_to_make, NULL, NULL));
  must(mainstem_type_add(context, "ResponseAll", 0, NULL, &asked));
  must(mainstem_type_add(context, "RequestEnded", 0, "ResponseAll", &ended));
  must(mainstem_type_add(context, "RequestAsked", 0, "ResponseAll", &asked));
  serve(context, "RequestAsked");
  grow(opened, ask, run, what, name);
  stream_close(opened);
}

/* Observers of every type. */

static mainstem_subscription *everywhere[MOST];
static size_t count_everywhere, eldest;

static void observe_all(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    must(mainstem_observe(opened->context, MAINSTEM_TYPE_ANY, observe_mainstem, &opened->sum, NULL,
                          &everywhere[count_everywhere++]));
}

/* The one that was there first ends, and another one comes. */
static void eldest_ends(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    must(mainstem_cancel(everywhere[eldest]));
    must(mainstem_observe(opened->context, MAINSTEM_TYPE_ANY, observe_mainstem, &opened->sum, NULL,
                          &everywhere[eldest]));
    eldest = (eldest + 1) % count_everywhere;
  }
}

static void measure_everywhere(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 2);
  count_everywhere = eldest = 0;
  stream_observe(opened, 0, 1);
  grow(opened, observe_all, eldest_ends, "observer of every type, ended and made anew", name);
  stream_close(opened);
}

/* What other threads have handed over. */

static mainstem_event_type posted, told;
static mainstem_subscription *stale;

static void post_some(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) must(mainstem_post(opened->context, posted, NULL, 0));
}

/* Of a session that is recorded, what was refused is kept, with the answers that wait. */
static void is_refused(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
  must_be(mainstem_cancel(stale), MAINSTEM_STALE, "cancel");
}

static void refusals(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) must(mainstem_send(opened->context, told, NULL, 0));
}

static void measure_refusals(uint32_t threads, const char *name, const char *folder) {
  const mainstem_context_options options = {
      .size = sizeof options, .threads = threads, .limit_posts = 2 * MOST};
  char path[1024];
  stream *opened = stream_open(threads, 1);
  must(mainstem_context_close(opened->context));
  must(mainstem_context_create(&options, &opened->context));
  snprintf(path, sizeof path, "%s/refused.journal", folder);
  unlink(path);
  must(mainstem_type_add(opened->context, "Posted", 0, NULL, &posted));
  must(mainstem_type_add(opened->context, "Told", 0, NULL, &told));
  must(mainstem_journal_record(opened->context, path, NULL));
  must(mainstem_observe(opened->context, posted, wait_on, NULL, NULL, &stale));
  must(mainstem_cancel(stale));
  must(mainstem_observe(opened->context, told, is_refused, NULL, NULL, NULL));
  grow(opened, post_some, refusals, "recorded callback that is refused, posts", name);
  stream_close(opened);
  unlink(path);
}

/* Scopes with an observer each: their description grows with them, and no faster. */

static size_t characters;

static void add_up(void *user_data, const char *line) {
  (void)user_data;
  characters += strlen(line);
}

static void describe(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) must(mainstem_context_describe(opened->context, add_up, NULL));
}

static void measure_descriptions(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  mainstem_event_type looked_at;
  must(mainstem_type_add(opened->context, "LookedAt", 0, NULL, &looked_at));
  for (size_t i = 1; i <= 10000; i++) {
    mainstem_context *scope;
    must(mainstem_scope_add(opened->context, "Scope", NULL, &scope));
    must(mainstem_observe(scope, looked_at, wait_on, NULL, NULL, NULL));
    if (i == 1000) measure_rarely(describe, opened, "description of 1,000 scopes", name);
  }
  measure_rarely(describe, opened, "description of 10,000 scopes", name);
  stream_close(opened);
}

void measure_growth(uint32_t threads, const char *name, const char *folder) {
  measure_descriptions(threads, name);
  measure_requests_grown(threads, name, server_ends, "end of a server with a request");
  measure_requests_grown(threads, name, finds, "find of a service that cannot be made");
  measure_everywhere(threads, name);
  measure_refusals(threads, name, folder);
}

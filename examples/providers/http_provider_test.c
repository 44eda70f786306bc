// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The provider in C, tested against a site that is slow, fails, or hangs. The site is its argument; http_provider_test.py
 * starts it, and looks at what has come there.
 */

#include "http_provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *site;
static mainstem_context *context;
static http_provider *http;
static mainstem_event_type request_http;

/* What came. */
typedef struct answer {
  int calls;
  mainstem_status status;
  char text[200], subject[20];
  mainstem_pending *pending;
} answer;

static void check(int is_so, int line, const char *what) {
  if (is_so) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}
#define CHECK(is_so) check(is_so, __LINE__, #is_so)

static void answered(void *user_data, const mainstem_event *event) {
  answer *self = user_data;
  mainstem_error error = {sizeof error, 0, NULL, NULL, NULL};
  self->calls++;
  self->status = event->status;
  snprintf(self->text, sizeof self->text, "%.*s", (int)event->size, (const char *)event->data);
  if (event->status && !mainstem_event_error(event, &error))
    snprintf(self->subject, sizeof self->subject, "%s", error.subject);
}

static void ask(answer *self, const char *path, const char *form, int64_t timeout_ms) {
  char payload[200];
  mainstem_request_options options = {.size = sizeof options, .timeout_ms = timeout_ms};
  memset(self, 0, sizeof *self);
  snprintf(payload, sizeof payload, "{\"url\":\"%s%s\",\"form\":%s}", site, path, form);
  CHECK(!mainstem_request_with(context, request_http, payload, strlen(payload), &options, answered,
                               self, NULL, &self->pending));
}

static void wait_for(const answer *self) {
  while (!self->calls) CHECK(!http_provider_wait(http, 10000, -1));
}

static void open_context(void) {
  CHECK(!mainstem_context_create(NULL, &context));
  CHECK(!http_provider_add(context, &http));
  CHECK(!mainstem_type_find(context, "RequestHttp", &request_http));
}

static void close_context(void) {
  mainstem_context_stats stats = {.size = sizeof stats};
  CHECK(!mainstem_context_stats_read(context, &stats));
  CHECK(stats.failures == 0 && stats.requests == 0 && stats.retained == 0);
  CHECK(!mainstem_context_close(context));
}

/* Catches: a body that is cut, a form that is not escaped. */
static void what_is_asked_is_answered(void) {
  answer got, posted;
  open_context();
  ask(&got, "/hello", "{}", 0);
  ask(&posted, "/echo", "{\"a b\":\"c&d=é\"}", 0);
  wait_for(&got);
  wait_for(&posted);
  CHECK(!got.status && !strcmp(got.text, "{\"body\":\"\\\"hello\\\"\"}"));
  CHECK(!posted.status && strstr(posted.text, "a b") && strstr(posted.text, "c&d="));
  CHECK(http_provider_transfers(http) == 0);
  close_context();
}

/* Catches: an answer without its status, an error as a body, a server that is not there as a hanging one. */
static void what_fails_says_why(void) {
  answer refused, unreached, nonsense;
  open_context();
  ask(&refused, "/nowhere", "{}", 0);
  wait_for(&refused);
  CHECK(refused.status == HTTP_REFUSED && !strcmp(refused.subject, "404"));
  const char *kept = site;
  site = "http://127.0.0.1:9";
  ask(&unreached, "/", "{}", 0);
  wait_for(&unreached);
  site = "ftp://127.0.0.1";
  ask(&nonsense, "/", "{}", 0);
  wait_for(&nonsense);
  site = kept;
  CHECK(unreached.status == HTTP_UNREACHED && nonsense.status == HTTP_UNREACHED);
  close_context();
}

/* Catches: one transfer after the other, a slow server that holds up the context. */
static void a_slow_server_holds_up_nobody(void) {
  answer slow, quick;
  open_context();
  ask(&slow, "/wait", "{}", 0); /* until somebody asks for /go */
  ask(&quick, "/hello", "{}", 0);
  wait_for(&quick);
  CHECK(slow.calls == 0 && http_provider_transfers(http) == 1);
  ask(&quick, "/go", "{}", 0);
  wait_for(&quick);
  wait_for(&slow);
  CHECK(!slow.status);
  close_context();
}

/* Catches: a transfer that goes on when its request was cancelled, timed out, or ended with the context. */
static void nobody_waits_for_a_server_that_hangs(void) {
  answer cancelled, late, left;
  open_context();
  ask(&cancelled, "/hang", "{}", 0);
  ask(&late, "/hang", "{}", 20);
  while (http_provider_transfers(http) < 2) CHECK(!http_provider_wait(http, 10000, -1));
  CHECK(!mainstem_pending_cancel(cancelled.pending));
  CHECK(cancelled.calls == 1 && cancelled.status == MAINSTEM_CANCELLED);
  wait_for(&late);
  CHECK(late.status == MAINSTEM_TIMEOUT);
  CHECK(!mainstem_drain(context, 0, NULL));
  CHECK(http_provider_transfers(http) == 0);
  close_context();
  open_context();
  ask(&left, "/hang", "{}", 0);
  while (http_provider_transfers(http) < 1) CHECK(!http_provider_wait(http, 10000, -1));
  CHECK(!mainstem_context_close(context));
  CHECK(left.calls == 1 && left.status == MAINSTEM_CANCELLED);
}

int main(int count, char **words) {
  CHECK(count == 2);
  site = words[1];
  what_is_asked_is_answered();
  what_fails_says_why();
  a_slow_server_holds_up_nobody();
  nobody_waits_for_a_server_that_hangs();
  puts("4 passed");
  return 0;
}

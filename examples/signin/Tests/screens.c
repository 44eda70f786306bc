// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Screens that are opened, and closed in the middle of signing in, leave nothing; see HostTests/test_random.py. */

#include <malloc.h>
#include <signin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mainstem_context *context;
static uint32_t origin; /* of the last screen */

static void check(mainstem_status status, const char *what) {
  if (!status) return;
  fprintf(stderr, "%s: %s\n", what, mainstem_last_error());
  exit(1);
}
#define OK(call) check(call, #call)

static void begin(void *user_data, const mainstem_event *event) {
  (void)user_data, (void)event; /* It hangs. */
}

static void opened(void *number, const mainstem_event *event) {
  *(uint64_t *)number = (uint64_t)mainstem_event_integer(event);
}

static void says(void *seen, const mainstem_event *event) {
  ++*(int *)seen;
  origin = event->origin;
}

static void screen(void) {
  static const mainstem_binding_row row = {"state", says, 0};
  mainstem_context *view = NULL, *form = NULL;
  mainstem_binding *binding = NULL;
  uint64_t number = 0;
  int seen = 0;
  OK(signin_view(context, "Window", &view));
  OK(mainstem_instance_open(view, "SignIn", NULL, 0, opened, &number, NULL));
  OK(mainstem_scope_find(context, number, &form, NULL));
  OK(mainstem_binding_add(view, form, &row, sizeof row, 1, &seen, NULL, &binding));
  OK(mainstem_binding_set(binding, "username", "jack", 4));
  OK(mainstem_binding_set(binding, "password", "kcaj", 4));
  OK(mainstem_binding_run(binding, "submit", NULL, 0, NULL, NULL, NULL, NULL));
  OK(mainstem_drain(context, 0, NULL));
  OK(mainstem_scope_end(view));
  OK(mainstem_drain(context, 0, NULL));
  if (!seen) check(MAINSTEM_INVALID, "nothing was shown");
}

/* What must not grow, in one line; and the bytes of the heap. */
static size_t left(char *line, size_t size) {
  mainstem_context_stats stats = {.size = sizeof stats};
  OK(mainstem_context_stats_read(context, &stats));
  snprintf(line, size, "%u %llu %llu %llu %llu %llu %llu %llu", stats.scopes,
           (unsigned long long)stats.subscriptions, (unsigned long long)stats.types,
           (unsigned long long)stats.requests, (unsigned long long)stats.retained,
           (unsigned long long)stats.timers, (unsigned long long)stats.waiting,
           (unsigned long long)stats.history);
  return mallinfo2().uordblks;
}

int main(int count, char **words) {
  static const mainstem_handler_row handlers[] = {{"RequestLogIn", begin, 0},
                                                  {"RequestLogOut", begin, 0}};
  int screens = count > 1 ? atoi(words[1]) : 1000;
  char before[200], after[200];
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  OK(mainstem_context_create(NULL, &context));
  OK(signin_install(context));
  OK(mainstem_server_add_with(context, "Account", MAINSTEM_ROWS(handlers), &options, NULL, NULL,
                              NULL));
  for (int i = 0; i < 100; i++) screen();
  size_t bytes = left(before, sizeof before);
  uint32_t first = origin;
  for (int i = 0; i < screens; i++) screen();
  long long grown = (long long)left(after, sizeof after) - (long long)bytes;
  const char *forgotten = NULL;
  int is_kept = mainstem_origin_name(context, first, &forgotten) == MAINSTEM_OK;
  printf("%d screens: %lld bytes more\n", screens, grown);
  if (strcmp(before, after) || grown > 64 * 1024 || is_kept) {
    fprintf(stderr, "before %s, after %s, the first origin is %s\n", before, after,
            is_kept ? "kept" : "forgotten");
    return 1;
  }
  OK(mainstem_context_close(context));
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Counts the events of what a navigator does, of components with an owner that shows nothing, and prints them. */

#include "navigating.h"

static mainstem_context *context;

static uint64_t events(void) {
  mainstem_context_stats stats;
  memset(&stats, 0, sizeof stats);
  stats.size = sizeof stats;
  must(mainstem_context_stats_read(context, &stats));
  return stats.events;
}

/* What there was since the last time. */
static uint64_t since(void) {
  static uint64_t last;
  const uint64_t before = last;
  last = events();
  return last - before;
}

static void print(uint64_t count, const char *what) {
  printf("%llu events of %s\n", (unsigned long long)count, what);
}

static void finish(void) {
  mainstem_context *scope;
  must(mainstem_scope_find(context, navigated, &scope, NULL));
  must(mainstem_component_finish(scope, 0, NULL, 0));
  drain_all(context);
}

int main(void) {
  stream *opened = stream_open(MAINSTEM_THREADS_ONE, 1);
  context = opened->context;
  add_navigator(context);
  navigate(context, "page");
  (void)since();
  navigate(context, "page");
  const uint64_t push = since();
  print(push, "a push");
  go_back(context);
  print(since(), "a gesture");
  navigate(context, "secret");
  print(since() - push, "a guard");
  mainstem_move move;
  memset(&move, 0, sizeof move);
  move.size = sizeof move;
  move.verb = MAINSTEM_MOVE_OPEN;
  move.url = "widget";
  move.component = navigated;
  must(mainstem_navigator_move(context, &move, NULL, NULL, NULL));
  drain_all(context);
  print(since(), "an embed");
  navigate(context, "dialog");
  (void)since();
  finish();
  print(since(), "a dialog's result");
  stream_close(opened);
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about a navigator: what it costs to open and close, also among many. */

#include "counting.h"
#include "navigating.h"

enum { FEW = 100, MANY = 10000 };

/* A push that is shown at once, and a gesture that takes it back. */
static void pushes(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    navigate(opened->context, "page");
    go_back(opened->context);
  }
}

static void dialogs(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    navigate(opened->context, "dialog");
    go_back(opened->context);
  }
}

/* A screen on top of so many, and a pop. */
static void screens(stream *opened, size_t count) {
  mainstem_move pop;
  memset(&pop, 0, sizeof pop);
  pop.size = sizeof pop;
  pop.verb = MAINSTEM_MOVE_POP;
  for (size_t i = 0; i < count; i++) {
    navigate(opened->context, "page");
    must(mainstem_navigator_move(opened->context, &pop, NULL, NULL, NULL));
    drain_all(opened->context);
  }
}

static void measure_deep(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  add_navigator(opened->context);
  int depth = 0;
  for (; depth < 10; depth++) navigate(opened->context, "page");
  measure_few(screens, opened, "push + pop on 10 screens", name);
  for (; depth < 1000; depth++) navigate(opened->context, "page");
  measure_few(screens, opened, "push + pop on 1,000 screens", name);
  for (; depth < MANY; depth++) navigate(opened->context, "page");
  measure_few(screens, opened, "push + pop on 10,000 screens", name);
  stream_close(opened);
}

void measure_navigation(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  add_navigator(opened->context);
  navigate(opened->context, "page");
  measure_few(pushes, opened, "push + gesture", name);
  for (int i = 0; i < FEW; i++) navigate(opened->context, "dialog");
  measure_few(dialogs, opened, "dialog + gesture among 100", name);
  for (int i = FEW; i < MANY; i++) navigate(opened->context, "dialog");
  measure_few(dialogs, opened, "dialog + gesture among 10,000", name);
  stream_close(opened);
  measure_deep(threads, name);
}

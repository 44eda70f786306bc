// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The cases of `count` about routers: 10,000 routes, and URLs of which one is twice as long as the other. */

#include "counting.h"

enum { ROUTES = 10000, SEGMENTS = 16 };

static mainstem_router *router;
static const char *url;

static void matches(stream *opened, size_t count) {
  mainstem_match *match = NULL;
  (void)opened;
  for (size_t i = 0; i < count; i++) {
    mainstem_router_match(router, url, NULL, &match);
    mainstem_match_release(match);
  }
}

static char long_url[65536 + 1];

/* A URL of so many segments, of four bytes each with their slash. */
static const char *of_segments(size_t count) {
  static char text[4 * 2 * SEGMENTS + 1];
  for (size_t i = 0; i < count; i++) memcpy(text + 4 * i, "seg/", 4);
  text[4 * count] = '\0';
  return text;
}

void measure_routes(const char *name) {
  stream *opened = stream_open(MAINSTEM_THREADS_ANY, 1);
  char pattern[64];
  must(mainstem_router_create(&router));
  for (int i = 0; i < ROUTES; i++) {
    snprintf(pattern, sizeof pattern, i % 2 ? "s%d/<int:id>/edit" : "<a>/x%d/<int:id>", i);
    must(mainstem_router_add(router, pattern, NULL));
  }
  must(mainstem_router_add(router, "seg/<path:rest>", NULL));
  url = "s4711/7/edit";
  measure(matches, opened, 0, "match among 10,000 routes", name);
  memset(long_url, 'a', sizeof long_url - 1);
  for (size_t i = 3; i < sizeof long_url - 1; i += 4) long_url[i] = '/';
  memcpy(long_url, "seg", 3);
  url = long_url;
  measure_few(matches, opened, "match of 64 KiB among 10,000 routes", name);
  mainstem_router *all = router;
  must(mainstem_router_create(&router));
  must(mainstem_router_add(router, "seg/<path:rest>", NULL));
  url = of_segments(SEGMENTS);
  measure(matches, opened, 0, "match of 16 segments", name);
  url = of_segments(2 * SEGMENTS);
  measure(matches, opened, 0, "match of 32 segments", name);
  must(mainstem_router_close(router));
  must(mainstem_router_close(all));
  stream_close(opened);
}

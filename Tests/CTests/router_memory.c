// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for routers: each allocation fails in turn. A call that is refused has changed nothing, and every block is
 * freed.
 *
 * This program defines malloc, calloc, realloc and free, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "expect.h"

static int failures; /* How many allocations failed: none would prove nothing. */

static bool accept_all(void *user_data, const char *text, size_t size) { return size > 0; }

/* Whether a call found memory; one that did not says so. */
static int is_made(mainstem_status status) {
  countdown = -1;
  if (status == MAINSTEM_OK) return 1;
  EXPECT_STATUS(status, MAINSTEM_NO_MEMORY);
  failures++;
  return 0;
}

CASE(each_call_may_find_no_memory, IN_ONE) {
  mainstem_router *router = NULL;
  mainstem_match *match = NULL;
  mainstem_route route = 0;
  EXPECT_STATUS(mainstem_router_match(NULL, "", NULL, NULL), MAINSTEM_INVALID); /* A message. */
  EXPECT_OK(mainstem_router_create(&router)); /* The first chunk of handles. */
  EXPECT_OK(mainstem_router_close(router));
  const long before = blocks;
  for (int which = 0; countdown = which, !is_made(mainstem_router_create(&router)); which++) {
  }
  const long empty = blocks;
  for (int which = 0;
       countdown = which, !is_made(mainstem_router_type_add(router, "all", accept_all, NULL, NULL));
       which++)
    EXPECT_EQUAL(blocks, empty);
  for (int turn = 0; turn < 20; turn++) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "app%d://a/x-<all:b>/%d/<path:c>", turn % 3, turn);
    for (int which = 0; countdown = which, !is_made(mainstem_router_add(router, pattern, &route));
         which++) {
      /* What grew stays grown; a tree without the route is as it was. */
      EXPECT_STATUS(mainstem_router_match(router, pattern, NULL, NULL), MAINSTEM_NO_ROUTE);
    }
    EXPECT_EQUAL(route, turn + 1);
  }
  const long full = blocks;
  for (int which = 0; countdown = which,
           !is_made(mainstem_router_match(router, "app1://a/x-b/1/c/d?e=f#g", &route, &match));
       which++)
    EXPECT_EQUAL(blocks, full);
  EXPECT_EQUAL(route, 2);
  countdown = 0; /* What ends needs no memory. */
  mainstem_status removed = mainstem_router_remove(router, route);
  mainstem_status closed = mainstem_router_close(router);
  mainstem_status released = mainstem_match_release(match);
  countdown = -1;
  EXPECT_OK(removed);
  EXPECT_OK(closed);
  EXPECT_OK(released);
  EXPECT_EQUAL(blocks, before);
  EXPECT(failures > 100);
}

int main(void) { return expect_all(); }

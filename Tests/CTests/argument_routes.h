// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Random calls on routers and matches. Included by arguments.c. */

#ifndef ARGUMENT_ROUTES_H
#define ARGUMENT_ROUTES_H

#include "argument_values.h"

static bool accept_some(void *user_data, const char *text, size_t size) {
  if (pick(50) == 0) mainstem_router_close((mainstem_router *)handle());
  return size > 0 && text[0] % 2 == 0;
}

static const char *pattern(void) {
  static const char *const patterns[] = {"",
                                         "/",
                                         "a",
                                         "<x>",
                                         "<int:x>",
                                         "a/<x>",
                                         "<x>/<x>",
                                         "<path:x>",
                                         "a<x>",
                                         "<x>b<y>",
                                         "app://<x>",
                                         "<A:x>",
                                         "<",
                                         "a?b",
                                         "..",
                                         "app://a/<float:x>",
                                         "a/b",
                                         "<x>/b",
                                         "<uuid:x>",
                                         "x-<int:y>z",
                                         "<x>/a/<path:y>"};
  return pick(4) ? ONE_OF(patterns) : name();
}

static const char *url(void) {
  static const char *const urls[] = {"",
                                     "a",
                                     "7",
                                     "a/b",
                                     "app://a/1.5",
                                     "a/7?x=1&x#y",
                                     "%",
                                     "a%2fb",
                                     "a%00",
                                     "a/.",
                                     "ax",
                                     "x-7z",
                                     "APP:///A//7//",
                                     "a/b/a/c/d",
                                     "?&=&%41=%ff",
                                     "#%20",
                                     "\xff",
                                     "//",
                                     "a?#?",
                                     "1/a/%2e",
                                     "621425B8-42D1-4AB4-9A58-1E69D708A84B"};
  return pick(4) ? ONE_OF(urls) : name();
}

static void tuple_of_a_match(void) {
  mainstem_match_info info = {.size = (uint32_t)(pick(2) ? sizeof info : pick(90))};
  mainstem_match *match = (mainstem_match *)(pick(2) ? matches[pick(OTHERS)] : handle());
  const char *text;
  size_t size;
  mainstem_match_read(match, pick(9) ? &info : NULL);
  mainstem_match_text(match, pick(2) ? "x" : name(), pick(9) ? &text : NULL,
                      pick(2) ? &size : NULL);
  if (pick(4) == 0) mainstem_match_release(match);
}

static void tuple_of_a_router(void) {
  mainstem_route_value values[2] = {{pick(2) ? "x" : name(), name()}, {name(), name()}};
  mainstem_router *router = (mainstem_router *)(pick(4) ? routers[pick(OTHERS)] : handle());
  mainstem_router *made = NULL;
  mainstem_match *match = NULL;
  mainstem_route route = 0;
  char text[40];
  size_t length;
  switch (pick(8)) {
  case 0:
    mainstem_router_create(pick(9) ? &made : NULL);
    note_router(made);
    break;
  case 1:
    mainstem_router_type_add(router, name(), pick(9) ? accept_some : NULL, NULL, NULL);
    break;
  case 2:
  case 3:
    mainstem_router_add(router, pattern(), pick(3) ? &route : NULL);
    break;
  case 4:
    mainstem_router_remove(router, (mainstem_route)(pick(4) ? pick(20) : number()));
    break;
  case 5:
    mainstem_router_match(router, url(), pick(3) ? &route : NULL, pick(3) ? &match : NULL);
    note_match(match);
    break;
  case 6:
    if (pick(16) == 0) mainstem_router_close(router);
    mainstem_route_write(pattern(), pick(9) ? values : NULL, (size_t)pick(3), pick(9) ? text : NULL,
                         (size_t)pick(sizeof text + 1), pick(3) ? &length : NULL);
    break;
  default:
    tuple_of_a_match();
    break;
  }
}

#endif

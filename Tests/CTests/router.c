// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Routers: the list of XU-12, the URLs of FAULTS 3.6, handles, and how often a type is asked. */

#include "expect.h"

#include <pthread.h>

#define UUID "621425B8-42D1-4AB4-9A58-1E69D708A84B"

/* What a URL takes among patterns: "PATTERN name=text …", or the name of the status. */
static const char *taken(const char *url, const char *const *patterns) {
  static char text[512];
  mainstem_router *router;
  mainstem_match *match;
  mainstem_route route;
  EXPECT_OK(mainstem_router_create(&router));
  for (size_t i = 0; patterns[i] != NULL; i++) {
    EXPECT_OK(mainstem_router_add(router, patterns[i], &route));
    EXPECT_EQUAL(route, i + 1);
  }
  mainstem_status status = mainstem_router_match(router, url, &route, &match);
  EXPECT_OK(mainstem_router_close(router));
  if (status != MAINSTEM_OK) return mainstem_status_name(status);
  mainstem_match_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_match_read(match, &info));
  EXPECT_EQUAL(info.route, route);
  int length = snprintf(text, sizeof text, "%s", patterns[route - 1]);
  for (size_t i = 0; i < info.parameter_count; i++) {
    const mainstem_parameter *parameter = &info.parameters[i];
    EXPECT_EQUAL(strlen(parameter->name), parameter->name_size);
    EXPECT_EQUAL(strlen(parameter->text), parameter->size);
    length += snprintf(text + length, sizeof text - (size_t)length, " %s=%s", parameter->name,
                       parameter->text);
  }
  EXPECT_OK(mainstem_match_release(match));
  return text;
}

#define TAKEN(url, ...) taken(url, (const char *const[]){__VA_ARGS__, NULL})

/* Catches: a matcher that is not the one of XU-12. */
CASE(the_list_of_matches, IN_ONE) {
  EXPECT_TEXT(taken("myapp://user/1", (const char *const[]){NULL}), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://user/1", "yourapp://user/<id>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://user/1", "user/<id>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://user/1", "myapp://comment/<id>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://user/1", "myapp://user/<id>/hello"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://user/devxoul", "myapp://user/<int:id>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("myapp://hello", "myapp://hello"), "myapp://hello");
  EXPECT_TEXT(TAKEN("a/1/posts", "<path:p>", "a/<path:p>", "a/<id>/posts"), "a/<id>/posts id=1");
  EXPECT_TEXT(TAKEN("user/1", "user/<id>/hello", "user/<id>"), "user/<id> id=1");
  EXPECT_TEXT(TAKEN("user/123", "user/<string:id>"), "user/<string:id> id=123");
  EXPECT_TEXT(TAKEN("user/123", "user/<int:id>"), "user/<int:id> id=123");
  EXPECT_TEXT(TAKEN("user/1.5", "user/<float:id>"), "user/<float:id> id=1.5");
  EXPECT_TEXT(TAKEN("user/" UUID, "user/<uuid:id>"), "user/<uuid:id> id=" UUID);
  EXPECT_TEXT(TAKEN("a/1/b", "a/<x>", "a/<x>/<y>"), "a/<x>/<y> x=1 y=b");
  EXPECT_TEXT(TAKEN("alert?title=hello", "alert"), "alert");
  EXPECT_TEXT(TAKEN("https://g.com/s?q=1", "https://<path:u>"), "https://<path:u> u=g.com/s");
  EXPECT_TEXT(TAKEN("https://g.com/s/?q=1", "https://<path:u>"), "https://<path:u> u=g.com/s");
  EXPECT_TEXT(TAKEN("https://", "https://<path:u>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("user/1", "<path:p>", "user/<path:p>", "user/<id>"), "user/<id> id=1");
  EXPECT_TEXT(TAKEN("user/1", "user/<id>", "user/<path:p>", "<path:p>"), "user/<id> id=1");
  EXPECT_TEXT(TAKEN("app://alert/https://e.com", "app://alert/<t>"), "NO_ROUTE");
  EXPECT_TEXT(TAKEN("caf%C3%A9/%E6%97%A5/", "caf\xc3\xa9/<day>"),
              "caf\xc3\xa9/<day> day=\xe6\x97\xa5");
  EXPECT_TEXT(TAKEN("", "<path:_>", "<id>"), "NO_ROUTE");
}

/* Catches: a parameter with a slash that was escaped, decoding twice, what only looks like UTF-8. */
CASE(the_list_of_bad_urls, IN_ONE) {
  static const char *const bad[] = {"%",      "a%2",       "a%zz",      "x?%",         "x#%g",
                                    "a%2Fb",  "a%2fb",     "..",        "a/./b",       "%2e",
                                    "a/%2E.", "a%00",      "\xff",      "%ff",         "%c0%af",
                                    "%C0%80", "%e0%80%af", "%ed%a0%80", "%f4%90%80%80"};
  for (size_t i = 0; i < COUNT(bad); i++) EXPECT_TEXT(TAKEN(bad[i], "<path:p>"), "BAD_URL");
  EXPECT_TEXT(TAKEN("%252F/%2525", "<a>/<b>"), "<a>/<b> a=%2F b=%25");
  EXPECT_TEXT(TAKEN("x?..=/%2F/..", "x"), "x");
}

static bool accept_all(void *user_data, const char *text, size_t size) {
  ++*(int *)user_data;
  return size > 0;
}

/* Catches: a rank that depends on the order of adding; a shape that is taken twice. */
CASE(the_winner_is_decided_from_the_left, IN_ONE) {
  /* Each wins against those behind it. */
  static const char *const ranks[] = {"x-1",  "x-<int:a>", "x<float:a>", "x-<a>", "<a>-1",
                                      "x<a>", "<a>1",      "<all:a>",    "<a>",   "<path:a>"};
  mainstem_router *router;
  mainstem_route routes[COUNT(ranks)], route;
  int asked = 0;
  for (size_t turn = 0; turn < COUNT(ranks); turn++) {
    EXPECT_OK(mainstem_router_create(&router));
    EXPECT_OK(mainstem_router_type_add(router, "all", accept_all, &asked, NULL));
    for (size_t i = 0; i < COUNT(ranks); i++) {
      size_t which = (i + turn) % COUNT(ranks);
      EXPECT_OK(mainstem_router_add(router, ranks[which], &routes[which]));
      EXPECT_STATUS(mainstem_router_add(router, ranks[which], NULL), MAINSTEM_INVALID);
    }
    for (size_t i = 0; i < COUNT(ranks); i++) {
      EXPECT_OK(mainstem_router_match(router, "x-1", &route, NULL));
      EXPECT_EQUAL(route, routes[i]);
      EXPECT_OK(mainstem_router_remove(router, route));
    }
    EXPECT_OK(mainstem_router_close(router));
  }
  EXPECT_TEXT(TAKEN("1/b", "<int:x>/<y>", "<x>/b"), "<x>/b x=1");
  EXPECT_TEXT(TAKEN("7", "<float:x>", "<int:x>", "<x>"), "<int:x> x=7");
}

static void count_release(void *user_data) { ++*(int *)user_data; }

/* Catches: a backtracking that comes to a node again, and so takes a time that grows without measure. */
CASE(a_type_is_asked_once_for_each_place, IN_ONE) {
  enum { DEPTH = 12 };
  mainstem_router *router;
  char pattern[DEPTH * 16] = "", url[DEPTH * 16] = "";
  int asked = 0, released = 0;
  EXPECT_OK(mainstem_router_create(&router));
  EXPECT_OK(mainstem_router_type_add(router, "all", accept_all, &asked, NULL));
  EXPECT_OK(mainstem_router_type_add(router, "other", accept_all, &released, count_release));
  released = 0;
  /* All ways of <all:…> and <…> through the segments: 2^DEPTH patterns, none of which ends in "z". */
  for (int set = 0; set < 1 << DEPTH; set++) {
    size_t length = 0;
    for (int i = 0; i < DEPTH; i++)
      length += (size_t)snprintf(pattern + length, sizeof pattern - length,
                                 set >> i & 1 ? "<all:n%d>/" : "<n%d>/", i);
    snprintf(pattern + length, sizeof pattern - length, "y");
    EXPECT_OK(mainstem_router_add(router, pattern, NULL));
  }
  for (int i = 0; i < DEPTH; i++) strcat(url, "x/");
  strcat(url, "z");
  EXPECT_STATUS(mainstem_router_match(router, url, NULL, NULL), MAINSTEM_NO_ROUTE);
  EXPECT_EQUAL(asked, (1 << DEPTH) - 1);
  url[strlen(url) - 1] = 'y';
  EXPECT_OK(mainstem_router_match(router, url, NULL, NULL));
  EXPECT_EQUAL(asked, 2 * ((1 << DEPTH) - 1));
  EXPECT_OK(mainstem_router_close(router));
  EXPECT_EQUAL(released, 1);
}

/* The longest URL, of as many segments as can be, among 10,000 routes; on a small stack. */
static void *match_the_longest(void *user_data) {
  static char url[65537], pattern[64];
  mainstem_router *router = NULL;
  mainstem_match *match = NULL;
  EXPECT_OK(mainstem_router_create(&router));
  for (int i = 0; i < 10000; i++) {
    snprintf(pattern, sizeof pattern, i % 2 ? "a/%d/<int:n>" : "a/x%d-<n>/b", i);
    EXPECT_OK(mainstem_router_add(router, pattern, NULL));
  }
  EXPECT_OK(mainstem_router_add(router, "<path:rest>", NULL));
  for (int i = 0; i < 65536; i++) url[i] = i % 2 ? '/' : 'a';
  EXPECT_OK(mainstem_router_match(router, url, NULL, &match));
  mainstem_match_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_match_read(match, &info));
  EXPECT_EQUAL(info.parameters[0].size, 65535);
  EXPECT_OK(mainstem_match_release(match));
  memset(url, 'a', 65536);
  EXPECT_OK(mainstem_router_match(router, url, NULL, NULL));
  for (int i = 1; i < 65536; i++) url[i] = i % 2 ? '?' : '&';
  EXPECT_OK(mainstem_router_match(router, url, NULL, &match));
  EXPECT_OK(mainstem_match_release(match));
  EXPECT_OK(mainstem_router_close(router));
  return NULL;
}

/* Catches: recursion by the length of a URL, or by the depth of a pattern. */
CASE(the_longest_url_needs_little_stack, IN_ONE) {
  pthread_attr_t attributes;
  pthread_t thread;
  EXPECT_EQUAL(pthread_attr_init(&attributes), 0);
  EXPECT_EQUAL(pthread_attr_setstacksize(&attributes, 128 * 1024), 0);
  EXPECT_EQUAL(pthread_create(&thread, &attributes, match_the_longest, NULL), 0);
  EXPECT_EQUAL(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
}

/* Catches: a match that ends with its route or its router; a handle that outlives what it named. */
CASE(a_match_depends_on_nothing, IN_ONE) {
  mainstem_router *router, *other;
  mainstem_match *match;
  mainstem_route route;
  const char *text;
  size_t size;
  EXPECT_OK(mainstem_router_create(&router));
  EXPECT_OK(mainstem_router_create(&other));
  EXPECT_OK(mainstem_router_add(router, "user/<int:id>/<name>", &route));
  EXPECT_OK(mainstem_router_match(router, "user/-7/a%20b?k=1&id=8&k=%32&n=%00x#top", NULL, &match));
  EXPECT_STATUS(mainstem_router_remove(other, route), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_router_remove(router, route));
  EXPECT_STATUS(mainstem_router_remove(router, route), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_router_match(router, "user/7/a", NULL, NULL), MAINSTEM_NO_ROUTE);
  EXPECT_OK(mainstem_router_close(router));
  EXPECT_STATUS(mainstem_router_close(router), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_router_match(router, "a", NULL, NULL), MAINSTEM_STALE);
  EXPECT_OK(mainstem_match_text(match, "id", &text, NULL));
  EXPECT_TEXT(text, "-7");
  EXPECT_OK(mainstem_match_text(match, "name", &text, &size));
  EXPECT_TEXT(text, "a b");
  EXPECT_EQUAL(size, 3);
  EXPECT_OK(mainstem_match_text(match, "k", &text, NULL));
  EXPECT_TEXT(text, "2");
  EXPECT_OK(mainstem_match_text(match, "n", &text, &size));
  EXPECT_EQUAL(size, 2);
  EXPECT_STATUS(mainstem_match_text(match, "none", &text, &size), MAINSTEM_UNSET);
  EXPECT(text == NULL && size == 0);
  EXPECT_STATUS(mainstem_router_close((mainstem_router *)match), MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_match_release((mainstem_match *)other), MAINSTEM_WRONG_KIND);
  EXPECT_OK(mainstem_match_release(match));
  EXPECT_STATUS(mainstem_match_release(match), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_match_text(match, "name", &text, NULL), MAINSTEM_STALE);
  EXPECT_OK(mainstem_router_close(other));
  EXPECT_OK(mainstem_router_close(NULL));
  EXPECT_OK(mainstem_match_release(NULL));
}

/* Catches: a URL that is cut off, or does not come back as it was written. */
CASE(what_is_written_matches, IN_ONE) {
  const mainstem_route_value values[] = {{"id", "7"}, {"tab", "all posts"}, {"tab", "&"}};
  char url[64] = "untouched";
  size_t length = 0;
  EXPECT_OK(mainstem_route_write("app://user/<int:id>", values, 3, url, sizeof url, &length));
  EXPECT_TEXT(url, "app://user/7?tab=all%20posts&tab=%26");
  EXPECT_EQUAL(length, strlen(url));
  EXPECT_STATUS(mainstem_route_write("user/<int:id>", values, 1, url, 6, &length),
                MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(length, 6);
  EXPECT_TEXT(url, "app://user/7?tab=all%20posts&tab=%26");
  EXPECT_OK(mainstem_route_write("user/<int:id>", values, 1, url, 7, &length));
  EXPECT_TEXT(url, "user/7");
  EXPECT_STATUS(mainstem_route_write("<other>", values, 3, url, sizeof url, NULL),
                MAINSTEM_INVALID);
}

/* Catches: memory or handles that grow with what is gone. */
CASE(many_come_and_go, IN_ONE) {
  mainstem_router *router;
  mainstem_match *match;
  mainstem_route route;
  char pattern[32];
  EXPECT_OK(mainstem_router_create(&router));
  for (int i = 0; i < 20000; i++) {
    snprintf(pattern, sizeof pattern, "a%d/<x>", i);
    EXPECT_OK(mainstem_router_add(router, pattern, &route));
    EXPECT_EQUAL(route, i + 1);
    snprintf(pattern, sizeof pattern, "a%d/%d", i, i);
    EXPECT_OK(mainstem_router_match(router, pattern, &route, &match));
    EXPECT_EQUAL(route, i + 1);
    EXPECT_OK(mainstem_match_release(match));
    EXPECT_OK(mainstem_router_remove(router, route));
  }
  EXPECT_OK(mainstem_router_close(router));
}

int main(void) { return expect_all(); }

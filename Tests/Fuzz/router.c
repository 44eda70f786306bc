// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Fuzzes routers: an input is lines of patterns, an empty line, and lines of URLs. Whatever they say, each call ends in
 * a status; the same URL takes the same route again; and what is written of a match takes that route, too.
 */

#define EXPECT_END abort() /* So that the fuzzer keeps the input. */

#include "../CTests/expect.h"

enum { MOST_PATTERNS = 64, MOST_VALUES = 256 };

static uint64_t urls, matches;
static char patterns[MOST_PATTERNS][4200];

static bool accept_some(void *user_data, const char *text, size_t size) {
  (void)user_data;
  return size > 0 && text[size - 1] % 2 == 0;
}

/* All texts of a match as values to write; 0: some cannot be. */
static size_t values_of(const mainstem_match_info *info, mainstem_route_value *values) {
  size_t count = 0;
  for (size_t i = 0; i < info->parameter_count + info->query_count; i++) {
    const mainstem_parameter *item =
        i < info->parameter_count ? &info->parameters[i] : &info->query[i - info->parameter_count];
    EXPECT(item->name[item->name_size] == '\0' && item->text[item->size] == '\0');
    if (strlen(item->name) != item->name_size || strlen(item->text) != item->size) return 0;
    for (size_t j = 0; i >= info->parameter_count && j < info->parameter_count; j++)
      if (strcmp(item->name, info->parameters[j].name) == 0) return 0;
    if (count == MOST_VALUES) return 0;
    values[count].name = item->name;
    values[count++].text = item->text;
  }
  return count;
}

static void write_again(mainstem_router *router, const mainstem_match_info *info) {
  static char url[65537];
  mainstem_route_value values[MOST_VALUES];
  mainstem_route route = 0;
  mainstem_match *match;
  mainstem_match_info again = {.size = sizeof again};
  size_t count = values_of(info, values);
  if (count != info->parameter_count + info->query_count) return;
  const char *pattern = patterns[info->route - 1];
  mainstem_status status = mainstem_route_write(pattern, values, count, url, sizeof url, NULL);
  if (status == MAINSTEM_TOO_BIG) return;
  EXPECT_OK(status);
  EXPECT_OK(mainstem_router_match(router, url, &route, &match));
  EXPECT_EQUAL(route, info->route);
  EXPECT_OK(mainstem_match_read(match, &again));
  EXPECT_EQUAL(again.parameter_count, info->parameter_count);
  EXPECT_EQUAL(again.query_count, info->query_count);
  for (size_t i = 0; i < again.parameter_count; i++)
    EXPECT_TEXT(again.parameters[i].text, info->parameters[i].text);
  for (size_t i = 0; i < again.query_count; i++)
    EXPECT_TEXT(again.query[i].text, info->query[i].text);
  EXPECT_OK(mainstem_match_release(match));
}

static void match_url(mainstem_router *router, const char *url) {
  mainstem_match *match = NULL;
  mainstem_match_info info = {.size = sizeof info};
  mainstem_route route = 0, same = 0;
  mainstem_status status = mainstem_router_match(router, url, &route, &match);
  urls++;
  EXPECT_STATUS(mainstem_router_match(router, url, &same, NULL), status);
  EXPECT_EQUAL(route, same);
  if (status != MAINSTEM_OK) {
    EXPECT(status == MAINSTEM_NO_ROUTE || status == MAINSTEM_BAD_URL || status == MAINSTEM_TOO_BIG);
    return;
  }
  matches++;
  EXPECT_OK(mainstem_match_read(match, &info));
  EXPECT_EQUAL(info.route, route);
  for (size_t i = 0; i < info.parameter_count; i++) {
    const mainstem_parameter *parameter = &info.parameters[i];
    const char *text;
    size_t size;
    EXPECT_OK(mainstem_match_text(match, parameter->name, &text, &size));
    EXPECT(text == parameter->text && size == parameter->size);
  }
  write_again(router, &info);
  EXPECT_OK(mainstem_match_release(match));
}

static void say(void) {
  printf("URLs matched: %llu, %llu of them took a route\n", (unsigned long long)urls,
         (unsigned long long)matches);
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count;
  (void)arguments;
  atexit(say);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char line[4200];
  mainstem_router *router;
  mainstem_route route;
  size_t added = 0;
  int is_pattern = 1;
  EXPECT_OK(mainstem_router_create(&router));
  EXPECT_OK(mainstem_router_type_add(router, "app", accept_some, NULL, NULL));
  for (size_t at = 0, length; at < size; at += length + 1) {
    const uint8_t *end = (const uint8_t *)memchr(data + at, '\n', size - at);
    length = end == NULL ? size - at : (size_t)(end - data) - at;
    if (length >= sizeof line) break;
    memcpy(line, data + at, length);
    line[length] = '\0';
    if (!is_pattern) match_url(router, line);
    else if (length == 0) is_pattern = 0;
    else if (added < MOST_PATTERNS && mainstem_router_add(router, line, &route) == MAINSTEM_OK) {
      EXPECT_EQUAL(route, added + 1);
      strcpy(patterns[added++], line);
    }
  }
  for (size_t i = 0; i < added; i += 2)
    EXPECT_OK(mainstem_router_remove(router, (mainstem_route)(i + 1)));
  EXPECT_OK(mainstem_router_close(router));
  return 0;
}

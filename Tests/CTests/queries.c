// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Queries: what they select, what they are in SQL, and what is refused, with its place. */

#include "expect.h"

#include <pthread.h>

enum { MOST = 32 };

static mainstem_query *make(const char *json) {
  mainstem_query *query;
  EXPECT_OK(mainstem_query_make(json, strlen(json), &query));
  return query;
}

static size_t fill(const char *const *items, mainstem_list_row *rows) {
  size_t count = 0;
  for (; items[count] != NULL; count++)
    rows[count] = (mainstem_list_row){"key", 3, items[count], strlen(items[count])};
  return count;
}

/* The indexes of the rows that a query selects: "2 0 of 5, from 0". */
static const char *selected(const char *json, const char *const *items) {
  static char text[512];
  mainstem_list_row rows[MOST];
  mainstem_list_window window;
  size_t indexes[MOST], count = fill(items, rows), length = 0;
  mainstem_query *query = make(json);
  memset(indexes, 0xff, sizeof indexes);
  mainstem_status status =
      mainstem_query_select(query, rows, sizeof rows[0], count, indexes, &window);
  EXPECT_OK(mainstem_query_release(query));
  if (status != MAINSTEM_OK) return mainstem_last_error();
  for (size_t i = 0; i < window.count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%zu ", indexes[i]);
  for (size_t i = window.count; i < MOST; i++) EXPECT(indexes[i] == SIZE_MAX);
  snprintf(text + length, sizeof text - length, "of %zu, from %zu", window.total, window.offset);
  return text;
}

#define SELECTED(json, ...) selected(json, (const char *const[]){__VA_ARGS__, NULL})
#define NUMBERS "{\"a\":1}", "{\"a\":3}", "{\"a\":2}", "{\"a\":null}", "{\"a\":\"x\"}"

CASE(a_query_selects_sorts_and_cuts, IN_ONE) {
  EXPECT_TEXT(SELECTED("{}", NUMBERS), "0 1 2 3 4 of 5, from 0");
  EXPECT_TEXT(selected("{}", (const char *const[]){NULL}), "of 0, from 0");
  EXPECT_TEXT(SELECTED("{\"where\":\"a > 1\"}", NUMBERS), "1 2 4 of 3, from 0");
  EXPECT_TEXT(SELECTED("{\"sort\":[\"a\"]}", NUMBERS), "3 0 2 1 4 of 5, from 0");
  EXPECT_TEXT(SELECTED("{\"sort\":[\"-a\"]}", NUMBERS), "4 1 2 0 3 of 5, from 0");
  EXPECT_TEXT(SELECTED("{\"sort\":[\"a\"],\"offset\":1,\"limit\":2}", NUMBERS), "0 2 of 5, from 1");
  EXPECT_TEXT(SELECTED("{\"offset\":1,\"limit\":2}", NUMBERS), "1 2 of 5, from 1");
  EXPECT_TEXT(SELECTED("{\"offset\":4,\"limit\":2}", NUMBERS), "4 of 5, from 4");
  EXPECT_TEXT(SELECTED("{\"offset\":9}", NUMBERS), "of 5, from 5");
  EXPECT_TEXT(SELECTED("{\"limit\":0,\"sort\":[\"a\"]}", NUMBERS), "of 5, from 0");
  EXPECT_TEXT(SELECTED("{\"where\":\"a < $most\",\"values\":{\"most\":2.5}}", NUMBERS),
              "0 2 of 2, from 0");
}

CASE(rows_that_are_equal_keep_their_order, IN_ONE) {
  EXPECT_TEXT(SELECTED("{\"sort\":[\"a\"]}", "{\"a\":1}", "{\"a\":0}", "{\"a\":1.0}",
                       "{\"a\":true}", "{\"a\":0}"),
              "1 4 0 2 3 of 5, from 0");
  EXPECT_TEXT(SELECTED("{\"sort\":[\"-a\",\"b\"]}", "{\"a\":1,\"b\":2}", "{\"a\":0,\"b\":9}",
                       "{\"b\":2,\"a\":1}", "{\"a\":1,\"b\":1}"),
              "3 0 2 1 of 4, from 0");
  EXPECT_TEXT(
      SELECTED("{\"sort\":[\"lower(a)\"]}", "{\"a\":\"b\"}", "{\"a\":\"A\"}", "{\"a\":\"B\"}"),
      "1 0 2 of 3, from 0");
}

/* Whether one row with a field `a`, given as JSON, matches. */
static int matches(const char *where, const char *row) {
  char json[1024];
  snprintf(json, sizeof json, "{\"where\":\"%s\"}", where);
  const char *found = SELECTED(json, row);
  EXPECT(strcmp(found, "0 of 1, from 0") == 0 || strcmp(found, "of 0, from 0") == 0);
  return found[0] == '0';
}

#define MATCHES(where, row) EXPECT(matches(where, row))
#define DIFFERS(where, row) EXPECT(!matches(where, row))

CASE(null_is_less_than_numbers_and_numbers_less_than_texts, IN_ONE) {
  MATCHES("a = null", "{}");
  MATCHES("a = null", "{\"a\":null}");
  DIFFERS("a != null", "{}");
  MATCHES("a != 1", "{}");
  DIFFERS("a < 1", "{}");
  DIFFERS("a >= 1", "{}");
  MATCHES("not a < 1", "{}");
  DIFFERS("a <= null", "{}");
  MATCHES("a in (1, null)", "{}");
  DIFFERS("a in (1, 'null')", "{}");
  MATCHES("not a in (1)", "{}");
  MATCHES("a < 'A'", "{\"a\":1e300}");
  MATCHES("a > 5", "{\"a\":\"\"}");
  MATCHES("a = true", "{\"a\":1.0}");
  MATCHES("a = false", "{\"a\":-0.0}");
  DIFFERS("a = '1'", "{\"a\":1}");
  MATCHES("a = 9223372036854775807", "{\"a\":9223372036854775807}");
  DIFFERS("a = 9223372036854775807", "{\"a\":9223372036854775806}");
  MATCHES("a < 9223372036854775808.0", "{\"a\":9223372036854775807}");
  DIFFERS("a = 9007199254740992.0", "{\"a\":9007199254740993}");
  MATCHES("a > 9007199254740992.0", "{\"a\":9007199254740993}");
  MATCHES("a < -9007199254740992.0", "{\"a\":-9007199254740993}");
  MATCHES("a = -9223372036854775808.0", "{\"a\":-9223372036854775808}");
  MATCHES("a = 9223372036854775808", "{\"a\":9223372036854775808}");
  MATCHES("a < 1.5", "{\"a\":1}");
  MATCHES("a > -1.5", "{\"a\":-1}");
}

CASE(texts_are_compared_as_bytes, IN_ONE) {
  MATCHES("a = 'it''s'", "{\"a\":\"it's\"}");
  MATCHES("a = '\\u00e9'", "{\"a\":\"\xc3\xa9\"}");
  MATCHES("a = '\xc3\xa9'", "{\"a\":\"\\u00e9\"}");
  MATCHES("a > 'z'", "{\"a\":\"\xc3\xa9\"}");
  MATCHES("a > '\\uffff'", "{\"a\":\"\\ud83d\\ude00\"}");
  MATCHES("a > 'a'", "{\"a\":\"a\\u0000\"}");
  MATCHES("lower(a) = 'milk \xc3\x89'", "{\"a\":\"MiLK \xc3\x89\"}");
  MATCHES("a = lower('MILK')", "{\"a\":\"milk\"}");
  MATCHES("lower(a) = 5", "{\"a\":5}");
  MATCHES("lower(a) = '@[`{'", "{\"a\":\"@[`{\"}");
  MATCHES("a contains 'il'", "{\"a\":\"milk\"}");
  MATCHES("a contains ''", "{\"a\":\"\"}");
  DIFFERS("a contains 'milks'", "{\"a\":\"milk\"}");
  DIFFERS("a contains 1", "{\"a\":\"1\"}");
  DIFFERS("a contains '1'", "{\"a\":1}");
  DIFFERS("a begins null", "{}");
  MATCHES("a begins 'mi'", "{\"a\":\"milk\"}");
  DIFFERS("a begins 'il'", "{\"a\":\"milk\"}");
  DIFFERS("a begins 'milks'", "{\"a\":\"milk\"}");
}

CASE(not_binds_most_and_or_least, IN_ONE) {
  MATCHES("true or true and false", "{}");
  MATCHES("not false and true", "{}");
  DIFFERS("not (true or false)", "{}");
  MATCHES("not (true and false)", "{}");
  MATCHES("not(not(true))", "{}");
  MATCHES("not not not false", "{}");
  DIFFERS("(true or true) and false", "{}");
  DIFFERS("not (false and false or true and true)", "{}");
  MATCHES("not (false or not true) or false", "{}");
  DIFFERS("false and true or false", "{}");
  MATCHES("false and true or true", "{}");
  MATCHES("a and b or c", "{\"a\":1,\"b\":0,\"c\":-0.5}");
  DIFFERS("a", "{\"a\":\"1\"}");
  DIFFERS("a", "{\"a\":0.0}");
  MATCHES("not a", "{}");
}

CASE(a_field_may_be_deep_and_have_any_name, IN_ONE) {
  MATCHES("a.b.c = 1", "{\"a\":{\"x\":[{\"b\":2}],\"b\":{\"c\":1}}}");
  MATCHES("a.b = null", "{\"a\":5}");
  MATCHES("a.b = null", "{\"b\":1}");
  MATCHES("\\\"a \\\"\\\"b\\\".\\\"\\\" = 1", "{\"a \\\"b\":{\"\":1}}");
  MATCHES("\\\"in\\\" = 1 and lower = 2 and a_1.B = 3", "{\"in\":1,\"lower\":2,\"a_1\":{\"B\":3}}");
  MATCHES("a = 2", "{\"a\":1,\"a\":2}");
  MATCHES("a = 1", " { \"\\u0061\" : 1 , \"b\" : [ { } , [ ] , \"]\" , true , null ] } ");
}

static const char *wrong(const char *json) {
  mainstem_query *query = (mainstem_query *)1;
  EXPECT_STATUS(mainstem_query_make(json, strlen(json), &query), MAINSTEM_INVALID);
  EXPECT(query == NULL);
  return mainstem_last_error() + strlen("mainstem_query_make: ");
}

CASE(what_is_malformed_is_refused_with_its_place, IN_ONE) {
  EXPECT_TEXT(wrong("{\"where\":\"\"}"), "where, column 1: expected a field, a value, not, or (");
  EXPECT_TEXT(wrong("{\"where\":\"a = \"}"), "where, column 5: expected a field or a value");
  EXPECT_TEXT(wrong("{\"where\":\"'\xc3\xa9' = == 1\"}"),
              "where, column 7: expected a field or a value");
  EXPECT_TEXT(wrong("{\"where\":\"a AND b\"}"), "where, column 3: expected and, or, or the end");
  EXPECT_TEXT(wrong("{\"where\":\"(a or b\"}"), "where, column 8: expected and, or, or )");
  EXPECT_TEXT(wrong("{\"where\":\"a or 'b'\"}"),
              "where, column 6: expected a condition: a text or null alone is none");
  EXPECT_TEXT(wrong("{\"where\":\"a = 'b\"}"),
              "where, column 5: the quote that begins here has no end");
  EXPECT_TEXT(wrong("{\"where\":\"a = $b\"}"), "where, column 5: values has no value of this name");
  EXPECT_TEXT(wrong("{\"where\":\"a in ('b', c)\"}"),
              "where, column 13: expected a value, not a field, before this");
  EXPECT_TEXT(wrong("{\"where\":\"a = 1e999\"}"),
              "where, column 5: expected a number as in JSON, which fits a double");
  EXPECT_TEXT(wrong("{\"where\":\"a. b\"}"), "where, column 4: expected the name of a field");
  EXPECT_TEXT(wrong("{\"where\":\"\\\"a\\u0000\\\"\"}"), "where, column 3: a name has no zero");
  EXPECT_TEXT(wrong("{\"where\":\"lower(a\"}"), "where, column 8: expected )");
  EXPECT_TEXT(wrong("{\"where\":5}"), "where: is not a text: give a condition");
  EXPECT_TEXT(wrong("{\"sort\":[\"a\",\"-lower(b) c\"]}"),
              "sort[1], column 11: expected a field, or lower(field), and nothing else");
  EXPECT_TEXT(wrong("{\"sort\":\"a\"}"), "sort: is not a list of texts");
  EXPECT_TEXT(wrong("{\"values\":{\"text\":[]}}"),
              "values.text: is an object or a list: give a text, a number, true, false or null");
  EXPECT_TEXT(wrong("{\"values\":{\"a\":1,\"a\":1}}"), "values.a: is there twice");
  EXPECT_TEXT(wrong("{\"limit\":-1}"), "limit: is not a whole number from 0 on");
  EXPECT_TEXT(wrong("{\"offset\":1.5}"), "offset: is not a whole number from 0 on");
  EXPECT_TEXT(wrong("{\"order\":1}"),
              "json: order is no member, or is there twice: a query has where, "
              "values, sort, offset and limit");
  EXPECT_TEXT(
      wrong("{\"limit\":1,\"limit\":1}"),
      "json: limit is no member, or is there twice: a query has where, values, sort, offset "
      "and limit");
  EXPECT_TEXT(wrong("{} 1"), "json: byte 4: expected one JSON object");
  EXPECT_TEXT(wrong("{\"where\":\"\\ud800\"}"), "json: byte 18: expected one JSON object");
  EXPECT_TEXT(wrong("{\"where\":\"\xff\"}"), "json: is not UTF-8");
}

static char large[70000];

/* Repeats parts of a condition: BEFORE times N, MIDDLE, AFTER times N. */
static const char *repeated(const char *before, const char *middle, const char *after, int times) {
  size_t length = (size_t)sprintf(large, "{\"where\":\"");
  for (int i = 0; i < times; i++) length += (size_t)sprintf(large + length, "%s", before);
  length += (size_t)sprintf(large + length, "%s", middle);
  for (int i = 0; i < times; i++) length += (size_t)sprintf(large + length, "%s", after);
  sprintf(large + length, "\"}");
  return large;
}

CASE(a_query_is_bounded, IN_ONE) {
  mainstem_query *query;
  EXPECT_TEXT(SELECTED(repeated("(", "a", ")", 64), "{\"a\":1}"), "0 of 1, from 0");
  EXPECT_TEXT(wrong(repeated("(", "a", ")", 65)),
              "where, column 66: brackets are nested deeper than 64");
  EXPECT_TEXT(wrong(repeated("(", "a", "", 60000)),
              "where, column 66: brackets are nested deeper than 64");
  EXPECT_TEXT(SELECTED(repeated("not ", "a", "", 16000), "{\"a\":1}"), "0 of 1, from 0");
  EXPECT_TEXT(SELECTED(repeated("a or ", "true", "", 12000), "{\"a\":0}"), "0 of 1, from 0");
  EXPECT_TEXT(SELECTED(repeated("a.", "a", "", 63), "{\"a\":{}}"), "of 0, from 0");
  EXPECT_TEXT(wrong(repeated("a.", "a", "", 64)),
              "where, column 129: a field has more than 64 names");
  EXPECT_TEXT(SELECTED(repeated("", "true", " ", 65536 - 16), "{}"), "0 of 1, from 0");
  repeated("", "true", " ", 65536 - 15);
  EXPECT_STATUS(mainstem_query_make(large, strlen(large), &query), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_query_make(large, SIZE_MAX, &query), MAINSTEM_TOO_BIG);
  for (int count = 256; count <= 257; count++) {
    size_t length = (size_t)sprintf(large, "{\"where\":\"");
    for (int i = 0; i < count; i++) length += (size_t)sprintf(large + length, "f%d or ", i);
    sprintf(large + length, "f0\"}");
    mainstem_status status = mainstem_query_make(large, strlen(large), &query);
    EXPECT_STATUS(status, count == 256 ? MAINSTEM_OK : MAINSTEM_INVALID);
    EXPECT_OK(mainstem_query_release(query));
    length = (size_t)sprintf(large, "{\"values\":{");
    for (int i = 0; i < count; i++)
      length += (size_t)sprintf(large + length, "%s\"v%d\":%d", i > 0 ? "," : "", i, i);
    sprintf(large + length, "}}");
    status = mainstem_query_make(large, strlen(large), &query);
    EXPECT_STATUS(status, count == 256 ? MAINSTEM_OK : MAINSTEM_INVALID);
    EXPECT_OK(mainstem_query_release(query));
  }
  for (int count = 16; count <= 17; count++) {
    size_t length = (size_t)sprintf(large, "{\"sort\":[\"a\"");
    for (int i = 1; i < count; i++) length += (size_t)sprintf(large + length, ",\"a\"");
    sprintf(large + length, "]}");
    mainstem_status status = mainstem_query_make(large, strlen(large), &query);
    EXPECT_STATUS(status, count == 16 ? MAINSTEM_OK : MAINSTEM_INVALID);
    EXPECT_OK(mainstem_query_release(query));
  }
}

CASE(rows_that_cannot_be_compared_are_refused_by_name, IN_ONE) {
  const char *const start = "mainstem_query_select: rows: ";
#define REFUSED(row) (SELECTED("{\"where\":\"a.b\",\"sort\":[\"c\"]}", "{}", row) + strlen(start))
  EXPECT_TEXT(REFUSED("{\"a\":{\"b\":[]}}"),
              "b of row key is an object or a list: name a field in it");
  EXPECT_TEXT(REFUSED("{\"c\":{}}"), "c of row key is an object or a list: name a field in it");
  EXPECT_TEXT(REFUSED("{\"c\":1e400}"), "c of row key is a number that fits no double");
  EXPECT_TEXT(REFUSED("[1]"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED(""), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"c\":1"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"c\":1,}"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"c\":tru}"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"c\":\"\\x\"}"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"d\":}}"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{} {}"), "row key is not a JSON object");
  EXPECT_TEXT(REFUSED("{\"a\":{\"b\":1}"), "row key is not a JSON object");
}

static const char *sql(const char *json) {
  static char text[2048];
  size_t length, again;
  mainstem_query *query = make(json);
  EXPECT_STATUS(mainstem_query_sql(query, NULL, 0, &length), MAINSTEM_TOO_BIG);
  memset(text, '#', sizeof text);
  EXPECT_STATUS(mainstem_query_sql(query, text, length, &again), MAINSTEM_TOO_BIG);
  EXPECT(again == length && text[0] == '#');
  EXPECT_OK(mainstem_query_sql(query, text, length + 1, NULL));
  EXPECT(strlen(text) == length && text[length + 1] == '#');
  EXPECT_OK(mainstem_query_release(query));
  return text;
}

CASE(a_query_is_written_for_sqlite, IN_ONE) {
  EXPECT_TEXT(sql("{}"), "");
  EXPECT_TEXT(sql("{\"limit\":5}"), "LIMIT 5");
  EXPECT_TEXT(sql("{\"offset\":5,\"sort\":[\"-a\",\"b\"]}"),
              "ORDER BY `a` DESC, `b` LIMIT -1 OFFSET 5");
  EXPECT_TEXT(sql("{\"where\":\"a.b = 'it''s' and not \\\"x`y\\\" < -5\"}"),
              "WHERE `a.b` IS 'it''s' AND NOT coalesce(`x``y` < -5, 0)");
  EXPECT_TEXT(sql("{\"where\":\"not (a != 1 and b > 2.5) or true\"}"),
              "WHERE ((`a` IS 1 OR NOT coalesce(2.5 < `b`, 0))) OR 1");
  EXPECT_TEXT(sql("{\"where\":\"a in (null, 'x')\"}"), "WHERE (`a` IS null OR `a` IN (null, 'x'))");
  EXPECT_TEXT(sql("{\"where\":\"lower(a) begins 'x\\u0000'\"}"),
              "WHERE (typeof(`a`) = 'text' AND instr(lower(`a`), +CAST(x'7800' AS TEXT)) = 1)");
  EXPECT_TEXT(
      sql("{\"where\":\"a\",\"sort\":[\"lower(a)\"]}"),
      "WHERE (typeof(`a`) <> 'text' AND `a` <> 0) ORDER BY CASE typeof(`a`) WHEN 'text' THEN "
      "lower(`a`) ELSE `a` END");
}

CASE(arguments_are_checked, IN_ONE) {
  mainstem_list_window window = {9, 9, 9};
  mainstem_list_row row = {"key", 3, NULL, 4};
  size_t index = 9, length;
  mainstem_query *query = make("{\"where\":\"a\"}");
  EXPECT_STATUS(mainstem_query_make(NULL, 0, &query), MAINSTEM_INVALID);
  EXPECT(query == NULL);
  query = make("{\"where\":\"a\"}");
  EXPECT_STATUS(mainstem_query_make("{}", 2, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_query_select(query, &row, sizeof row, 1, &index, &window),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_query_select: rows: row 0 has no data");
  EXPECT_EQUAL(window.total, 0);
  row = (mainstem_list_row){NULL, 0, "{\"a\":1}", 7};
  EXPECT_OK(mainstem_query_select(query, &row, sizeof row, 1, NULL, &window));
  EXPECT(window.total == 1 && window.count == 1 && window.offset == 0);
  EXPECT_STATUS(mainstem_query_select(query, &row, sizeof row, 1, &index, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_query_select(query, NULL, sizeof row, 1, &index, &window),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_query_select(query, &row, 1, 1, &index, &window), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_query_select(NULL, &row, sizeof row, 1, &index, &window),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_query_sql(query, NULL, 1, &length), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_query_release(query));
  EXPECT_STATUS(mainstem_query_release(query), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_query_select(query, &row, sizeof row, 1, &index, &window), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_query_sql(query, NULL, 0, &length), MAINSTEM_STALE);
  EXPECT_OK(mainstem_query_release(NULL));
}

static mainstem_query *shared;

static void *use(void *unused) {
  const char *item = "{\"a\":\"Milk\",\"b\":\"\\u0041\"}";
  mainstem_list_row rows[2] = {{"1", 1, item, strlen(item)}, {"2", 1, item, strlen(item)}};
  mainstem_list_window window;
  size_t indexes[2];
  mainstem_status status = MAINSTEM_OK;
  for (int i = 0; i < 2000 && status == MAINSTEM_OK; i++) {
    status = mainstem_query_select(shared, rows, sizeof rows[0], 2, indexes, &window);
    if (status == MAINSTEM_OK) EXPECT(window.total == 2 && indexes[0] == 0 && indexes[1] == 1);
  }
  if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_STALE);
  return unused;
}

/* Catches: a query that is freed while another thread uses it. */
CASE(any_thread_may_use_a_query, IN_ONE) {
  for (int round = 0; round < 20; round++) {
    pthread_t threads[3];
    shared = make("{\"where\":\"lower(a) contains 'milk'\",\"sort\":[\"-b\"]}");
    for (size_t i = 0; i < COUNT(threads); i++)
      EXPECT(pthread_create(&threads[i], NULL, use, NULL) == 0);
    if (round % 2 == 0) EXPECT_OK(mainstem_query_release(shared));
    for (size_t i = 0; i < COUNT(threads); i++) EXPECT(pthread_join(threads[i], NULL) == 0);
    if (round % 2 != 0) EXPECT_OK(mainstem_query_release(shared));
  }
}

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  return *seed ^= *seed << 17;
}

/* Changes some bytes: most of the new ones mean something in a query. */
static void disturb(char *text, size_t *size, uint64_t *seed) {
  static const char bytes[] = "\"'()[]{}$.,:=!<>-+eE01\\ \n\tandornotlower`\xc3\xff";
  for (uint64_t i = next_random(seed) % 4; *size > 1; i--) {
    size_t at = next_random(seed) % *size;
    uint64_t kind = next_random(seed) % 4;
    if (kind == 0) text[at] ^= (char)(1 << next_random(seed) % 8);
    if (kind == 1) text[at] = bytes[next_random(seed) % (sizeof bytes - 1)];
    if (kind == 2) memmove(text + at, text + at + 1, --*size - at);
    if (kind == 3) *size = at + 1;
    if (i == 0) return;
  }
}

static void try_query(const char *json, size_t size, const mainstem_list_row *rows, size_t count) {
  mainstem_list_window window;
  mainstem_query *query;
  size_t indexes[MOST], length;
  mainstem_status status = mainstem_query_make(json, size, &query);
  if (status != MAINSTEM_OK) {
    EXPECT_STATUS(status, MAINSTEM_INVALID);
    EXPECT(query == NULL);
    return;
  }
  status = mainstem_query_select(query, rows, sizeof rows[0], count, indexes, &window);
  if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_INVALID);
  mainstem_query_sql(query, NULL, 0, &length);
  char *text = (char *)malloc(length + 1);
  EXPECT(text != NULL);
  EXPECT_OK(mainstem_query_sql(query, text, length + 1, NULL));
  free(text);
  EXPECT_OK(mainstem_query_release(query));
}

/* Catches: a crash, or a byte read behind the end, where a query or a row is malformed. */
CASE(malformed_queries_and_rows_are_refused, IN_ONE) {
  static const char *const queries[] = {
      "{\"where\":\"not d and (p = 'high' or lower(t) contains "
      "$text)\",\"values\":{\"text\":\"Milk\"},"
      "\"sort\":[\"-p\",\"lower(t)\",\"id\"],\"offset\":1,\"limit\":5}",
      "{\"where\":\"not (a.\\\"b c\\\" in (1, -2.5e3, null, lower('X''Y')) and a begins $x or a != "
      "$y)\","
      "\"values\":{\"x\":\"\\ud83d\\ude00\",\"y\":null},\"sort\":[\"a\"]}"};
  static const char *const items[] = {
      "{\"id\":1,\"t\":\"Buy \\\"Milk\\\"\",\"p\":2.5,\"d\":true,\"a\":{\"b c\":-2500,\"e\":[{}]}}",
      "{\"a\":\"\\ud83d\\ude00\",\"t\":null,\"p\":\"high\"}"};
  uint64_t seed = 7;
  for (int i = 0; i < 60000; i++) {
    char *json = strdup(queries[i % 2]), *data = strdup(items[i / 2 % 2]);
    EXPECT(json != NULL && data != NULL);
    size_t size = strlen(json), data_size = strlen(data);
    if (i % 3 != 0) disturb(json, &size, &seed);
    if (i % 3 != 1) disturb(data, &data_size, &seed);
    /* In memory of just their size, where the address sanitizer sees the end. */
    char *end = (char *)malloc(size), *data_end = (char *)malloc(data_size);
    EXPECT(end != NULL && data_end != NULL);
    memcpy(end, json, size);
    memcpy(data_end, data, data_size);
    mainstem_list_row rows[2] = {{"1", 1, data_end, data_size},
                                 {"2", 1, items[0], strlen(items[0])}};
    try_query(end, size, rows, 2);
    free(json);
    free(data);
    free(end);
    free(data_end);
  }
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* BOOL, INTEGER and NUMBER: what may be sent, what readers and lines say, on the stream and in a journal. */

#include "journal_bytes.h"
#include "stream.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

/* libc's functions as in a locale with another point; real ones may not be installed. */
static char locale_point = '.';

int snprintf(char *text, size_t capacity, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, capacity, format, arguments);
  va_end(arguments);
  for (char *next = text; next != NULL && *next != '\0'; next++) {
    if (*next == '.') *next = locale_point;
  }
  return length;
}

double strtod(const char *text, char **end) {
  char plain[100];
  size_t length = 0;
  for (; text[length] != '\0' && length < sizeof plain - 1; length++) {
    plain[length] = text[length] == locale_point ? '.' : text[length];
  }
  plain[length] = '\0';
  EXPECT(end == NULL);
  return strtold(plain, NULL);
}

typedef struct scalars {
  mainstem_event_type yes, count, alpha, text;
} scalars;

static scalars scalars_open(mainstem_context *context) {
  return (scalars){type_open(context, "Ready", MAINSTEM_PAYLOAD_BOOL, NULL),
                   type_open(context, "Counted", MAINSTEM_PAYLOAD_INTEGER, NULL),
                   type_open(context, "Alpha", MAINSTEM_PAYLOAD_NUMBER, NULL),
                   type_open(context, "Said", MAINSTEM_PAYLOAD_TEXT, NULL)};
}

/* What the three readers and the line say of one event. */
typedef struct reading {
  bool is_true;
  int64_t integer;
  double number;
  const char *line;
} reading;

static void expect_reading(const mainstem_event *event, const reading *wanted, const char *line) {
  EXPECT_EQUAL(mainstem_event_bool(event), wanted->is_true);
  EXPECT_EQUAL(mainstem_event_integer(event), wanted->integer);
  EXPECT(mainstem_event_number(event) == wanted->number ||
         (isnan(wanted->number) && isnan(mainstem_event_number(event))));
  EXPECT_TEXT(line, wanted->line);
}

typedef struct sample {
  int kind; /* 0: BOOL, 1: INTEGER, 2: NUMBER */
  int64_t integer;
  double number;
  reading is;
} sample;

static const sample samples[] = {
    {0, 0, 0, {false, 0, 0, "Ready false"}},
    {0, 1, 0, {true, 1, 1, "Ready true"}},
    {1, 0, 0, {false, 0, 0, "Counted 0"}},
    {1, -42, 0, {true, -42, -42, "Counted -42"}},
    {1, INT64_MAX, 0, {true, INT64_MAX, 0x1p63, "Counted 9223372036854775807"}},
    {1, INT64_MIN, 0, {true, INT64_MIN, -0x1p63, "Counted -9223372036854775808"}},
    {2, 0, 0.5, {true, 0, 0.5, "Alpha 0.5"}},
    {2, 0, -2.9, {true, -2, -2.9, "Alpha -2.9"}},
    {2, 0, 100, {true, 100, 100, "Alpha 100"}},
    {2, 0, 0.1, {true, 0, 0.1, "Alpha 0.1"}},
    {2, 0, 1.0 / 3, {true, 0, 1.0 / 3, "Alpha 0.3333333333333333"}},
    {2, 0, -0.0, {false, 0, 0, "Alpha -0"}},
    {2, 0, 1e22, {true, INT64_MAX, 1e22, "Alpha 1e+22"}},
    {2, 0, -1e22, {true, INT64_MIN, -1e22, "Alpha -1e+22"}},
    {2, 0, 0x1p63, {true, INT64_MAX, 0x1p63, "Alpha 9.223372036854776e+18"}},
    {2, 0, DBL_MAX, {true, INT64_MAX, DBL_MAX, "Alpha 1.7976931348623157e+308"}},
    {2,
     0,
     4.9406564584124654e-324,
     {true, 0, 4.9406564584124654e-324, "Alpha 4.94065645841247e-324"}},
    {2, 0, INFINITY, {true, INT64_MAX, INFINITY, "Alpha inf"}},
    {2, 0, -INFINITY, {true, INT64_MIN, -INFINITY, "Alpha -inf"}},
    {2, 0, NAN, {true, 0, NAN, "Alpha nan"}},
    {2, 0, -NAN, {true, 0, NAN, "Alpha nan"}},
};

static void send_sample(mainstem_context *context, const scalars *types, const sample *sent) {
  bool yes = sent->integer != 0;
  if (sent->kind == 0) EXPECT_OK(mainstem_send(context, types->yes, &yes, sizeof yes));
  if (sent->kind == 1)
    EXPECT_OK(mainstem_send(context, types->count, &sent->integer, sizeof sent->integer));
  if (sent->kind == 2)
    EXPECT_OK(mainstem_send(context, types->alpha, &sent->number, sizeof sent->number));
}

/* The line without its position. */
static const char *line_of(const mainstem_event *event) {
  static char line[100];
  EXPECT_OK(mainstem_event_line(event, line, sizeof line, NULL));
  return strchr(line, ' ') + 1;
}

static void read_sample(void *user_data, const mainstem_event *event) {
  const sample **sent = (const sample **)user_data;
  expect_reading(event, &(*sent)->is, line_of(event));
  mainstem_retained *retained;
  EXPECT_OK(mainstem_event_retain(event, &retained));
  const mainstem_event *kept = kept_event(retained);
  expect_reading(kept, &(*sent)->is, line_of(kept));
  EXPECT_OK(mainstem_retained_release(retained));
}

CASE(the_readers_agree_with_what_was_sent, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  scalars types = scalars_open(context);
  const sample *sent;
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, read_sample, &sent, NULL, NULL));
  for (sent = samples; sent < samples + COUNT(samples); sent++) send_sample(context, &types, sent);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a line that no other program can read, for a user in Germany. */
CASE(a_number_has_a_point_in_every_locale, IN_BOTH) {
  locale_point = ',';
  the_readers_agree_with_what_was_sent(threads);
  locale_point = '.';
}

static void expect_nothing(void *user_data, const mainstem_event *event) {
  EXPECT(!mainstem_event_bool(event));
  EXPECT_EQUAL(mainstem_event_integer(event), 0);
  EXPECT(mainstem_event_number(event) == 0);
}

static void answer_with_an_error(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, "1234567"));
}

/* Catches: a text of eight bytes, or an error, read as a number. */
CASE(what_is_no_scalar_reads_as_nothing, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  scalars types = scalars_open(context);
  mainstem_event_type ask = type_open(context, "RequestCount", MAINSTEM_PAYLOAD_NONE, "Count");
  type_open(context, "Count", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_RESPONSE, NULL);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, expect_nothing, NULL, NULL, NULL));
  serve_one(context, "Counter", "RequestCount", answer_with_an_error, NULL);
  EXPECT_OK(mainstem_send(context, types.text, "12345678", 8));
  EXPECT_OK(mainstem_request(context, ask, NULL, 0, expect_nothing, NULL, NULL));
  expect_nothing(NULL, NULL);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(a_scalar_of_another_form_is_refused, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  scalars types = scalars_open(context);
  mainstem_event_type wrong;
  EXPECT_STATUS(mainstem_send(context, types.yes, "\2", 1), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "neither 0 nor 1") != NULL);
  EXPECT_STATUS(mainstem_send(context, types.yes, "\1\1", 2), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, types.yes, NULL, 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, types.yes, NULL, 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, types.count, "1234", 4), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "8 bytes") != NULL);
  EXPECT_STATUS(mainstem_send(context, types.count, NULL, 8), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, types.alpha, "123456789", 9), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, types.alpha, NULL, 0), MAINSTEM_INVALID);
  EXPECT_EQUAL(stats_of(context).events, 0);
  EXPECT_STATUS(mainstem_type_add(context, "Sized", MAINSTEM_PAYLOAD_BOOL | 1, NULL, &wrong),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_type_add(context, "Beyond", 0x800000000ULL, NULL, &wrong),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

/* An event that the journal handed out is read like any other, as long as the journal is open. */
CASE(a_journal_tells_the_same, IN_BOTH) {
  const char *path = journal_path("scalars");
  mainstem_context *context = context_open(threads);
  scalars types = scalars_open(context);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  for (size_t i = 0; i < COUNT(samples); i++) send_sample(context, &types, &samples[i]);
  EXPECT_OK(mainstem_context_close(context));

  mainstem_journal *journal;
  const mainstem_event *event;
  char line[100];
  EXPECT_OK(mainstem_journal_open(path, &journal));
  for (size_t i = 0; i < COUNT(samples); i++) {
    EXPECT_OK(mainstem_journal_next(journal, 0, &event));
    EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
    expect_reading(event, &samples[i].is, strchr(line, ' ') + 1);
  }
  mainstem_event copy = *event;
  EXPECT_OK(mainstem_journal_close(journal));
  expect_nothing(NULL, &copy);
}

int main(void) { return journal_expect_all(); }

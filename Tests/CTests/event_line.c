// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The one line form of an event: golden lines, cutting, escaping, and the trace that prints them. */

#include "stream.h"

typedef struct lines {
  size_t count;
  char line[40][700];
} lines;

static void note_line(void *user_data, const char *line) {
  lines *self = (lines *)user_data;
  EXPECT(self->count < COUNT(self->line) && strlen(line) < sizeof self->line[0]);
  strcpy(self->line[self->count++], line);
}

static void answer(void *user_data, const mainstem_event *event) {
  if (event->size == 0) {
    EXPECT_OK(mainstem_respond_error(event, 1000, "Please tell me your name."));
    return;
  }
  EXPECT_OK(mainstem_respond(event, "Hello, Ada, guest 1", 19));
}

static void keep(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

static void fail_once(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, 1234, "x"));
}

CASE(golden_lines, IN_BOTH) {
  mainstem_context *context = context_open(threads), *scope;
  lines seen;
  mainstem_event_type greet, point, none, ask;
  seen.count = 0;
  greet = type_open(context, "RequestGreet", MAINSTEM_PAYLOAD_TEXT, "ResponseGreeting");
  type_open(context, "ResponseGreeting", MAINSTEM_PAYLOAD_TEXT, NULL);
  ask = type_open(context, "RequestX", MAINSTEM_PAYLOAD_NONE, "ResponseX");
  type_open(context, "ResponseX", MAINSTEM_PAYLOAD_NONE, NULL);
  point = type_open(context, "Moved", MAINSTEM_PAYLOAD_STRUCT | 16, NULL);
  none = type_open(context, "Ticked", MAINSTEM_PAYLOAD_NONE, NULL);
  scope = scope_open(context, "View");
  serve_one(context, "Greeter", "RequestGreet", answer, NULL);
  EXPECT_OK(mainstem_trace(context, note_line, &seen));
  EXPECT_OK(mainstem_request(context, greet, "Ada", 3, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(context, greet, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(scope, ask, NULL, 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(scope, point, "0123456789abcdef", 16));
  EXPECT_OK(mainstem_send(context, none, NULL, 0));
  EXPECT_EQUAL(seen.count, 8);
  EXPECT_TEXT(seen.line[0], "#1 RequestGreet Ada");
  EXPECT_TEXT(seen.line[1], "#2 ResponseGreeting ok \xe2\x86\x90 #1 Greeter Hello, Ada, guest 1");
  EXPECT_TEXT(seen.line[2], "#3 RequestGreet");
  EXPECT_TEXT(seen.line[3],
              "#4 ResponseGreeting 1000 \xe2\x86\x90 #3 Greeter \"Please tell me your name.\"");
  EXPECT_TEXT(seen.line[4], "#5 RequestX View");
  EXPECT(strncmp(seen.line[5], "#6 ResponseX unhandled \xe2\x86\x90 #5 \"", 30) == 0);
  EXPECT_TEXT(seen.line[6], "#7 Moved View <16 bytes>");
  EXPECT_TEXT(seen.line[7], "#8 Ticked");
  EXPECT_OK(mainstem_observe(context, none, fail_once, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(context, none, NULL, 0));
  EXPECT(strncmp(seen.line[9], "#10 MainstemFailure \xe2\x86\x90 #9 {", 27) == 0);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: an answer from elsewhere that does not tell which request it answers. */
CASE(a_late_answer_names_its_request, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_retained *kept = NULL;
  lines seen;
  seen.count = 0;
  mainstem_event_type ask = type_open(context, "RequestX", MAINSTEM_PAYLOAD_NONE, "ResponseX");
  type_open(context, "ResponseX", MAINSTEM_PAYLOAD_TEXT, NULL);
  serve_one(context, "X", "RequestX", keep, &kept);
  EXPECT_OK(mainstem_trace(context, note_line, &seen));
  EXPECT_OK(mainstem_request(context, ask, NULL, 0, NULL, NULL, NULL));
  const mainstem_event *request = kept_event(kept);
  EXPECT_OK(mainstem_respond(request, "late", 4));
  EXPECT_OK(mainstem_retained_release(kept));
  EXPECT_EQUAL(seen.count, 2);
  EXPECT_TEXT(seen.line[1], "#2 ResponseX ok answers #1 X late");
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a line that breaks a terminal or a log, and a cut in the middle of a character. */
CASE(control_characters_are_escaped, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type text = type_open(context, "T", MAINSTEM_PAYLOAD_TEXT, NULL);
  static lines seen;
  char payload[1200];
  seen.count = 0;
  EXPECT_OK(mainstem_trace(context, note_line, &seen));
  EXPECT_OK(mainstem_send(context, text,
                          "a\nb\tc\x1b[0m\x7f"
                          "\0z",
                          12));
  for (const char *c = seen.line[0]; *c != 0; c++) EXPECT((unsigned char)*c >= 0x20 && *c != 0x7f);
  EXPECT(strncmp(seen.line[0], "#1 T a\\nb\\tc", 12) == 0);
  EXPECT(seen.line[0][strlen(seen.line[0]) - 1] == 'z');
  EXPECT_OK(mainstem_send(context, text, "caf\xc3\xa9 \xe2\x82\xac", 9));
  EXPECT_TEXT(seen.line[1], "#2 T caf\xc3\xa9 \xe2\x82\xac");
  memset(payload, 'x', sizeof payload);
  EXPECT_OK(mainstem_send(context, text, payload, 240));
  EXPECT_EQUAL(strlen(seen.line[2]), 5 + 240);
  EXPECT_OK(mainstem_send(context, text, payload, 241));
  EXPECT_EQUAL(strlen(seen.line[3]), 5 + 240 + 3);
  EXPECT_TEXT(seen.line[3] + 245, "\xe2\x80\xa6");
  memcpy(payload + 239, "\xe2\x82\xac", 3);
  EXPECT_OK(mainstem_send(context, text, payload, sizeof payload));
  EXPECT_TEXT(seen.line[4] + 5 + 238, "x\xe2\x80\xa6");
  EXPECT_OK(mainstem_context_close(context));
}

/* What is not shown beyond ASCII: the table that the header's comment speaks of. */
static const struct {
  uint32_t first, last;
} unseen[] = {{0x80, 0x9f},      {0xad, 0xad},       {0x61c, 0x61c},     {0x180e, 0x180e},
              {0x200b, 0x200f},  {0x2028, 0x202e},   {0x2060, 0x206f},   {0xfeff, 0xfeff},
              {0xfff0, 0xfffb},  {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
              {0xe0000, 0xe007f}};

static int is_unseen(uint32_t scalar) {
  for (size_t i = 0; i < COUNT(unseen); i++)
    if (scalar >= unseen[i].first && scalar <= unseen[i].last) return 1;
  return 0;
}

static size_t write_scalar(char *to, uint32_t scalar) {
  size_t size = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = size - 1; i > 0; i--, scalar >>= 6) to[i] = (char)(0x80 | (scalar & 0x3f));
  to[0] = (char)(lead[size] | scalar);
  return size;
}

static void write_shown(char *to, uint32_t scalar) {
  if (!is_unseen(scalar)) {
    to[write_scalar(to, scalar)] = 0;
  } else if (scalar < 0x10000) {
    sprintf(to, "\\u%04x", (unsigned)scalar);
  } else {
    sprintf(to, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((scalar - 0x10000) >> 10)),
            (unsigned)(0xdc00 + (scalar & 0x3ff)));
  }
}

typedef struct latest {
  char line[800];
} latest;

static void keep_latest(void *user_data, const char *line) {
  latest *self = (latest *)user_data;
  EXPECT(strlen(line) < sizeof self->line);
  strcpy(self->line, line);
}

/* Catches: text that is turned round, hides, or begins a line, in a terminal or a log. */
CASE(every_character_is_shown_or_escaped, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type text = type_open(context, "T", MAINSTEM_PAYLOAD_TEXT, NULL);
  latest seen;
  uint64_t position = 0;
  EXPECT_OK(mainstem_trace(context, keep_latest, &seen));
  for (uint32_t next = 0x80; next < 0x110000;) {
    char payload[200], expected[800];
    size_t size = 0;
    sprintf(expected, "#%llu T ", (unsigned long long)++position);
    for (int i = 0; i < 48 && next < 0x110000; i++, next++) {
      if (next == 0xd800) next = 0xe000;
      size += write_scalar(payload + size, next);
      write_shown(expected + strlen(expected), next);
    }
    EXPECT_OK(mainstem_send(context, text, payload, size));
    EXPECT_TEXT(seen.line, expected);
  }
  EXPECT_OK(mainstem_context_close(context));
}

static void refuse(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond_error(event, 1000,
                                   "no \xe2\x80\xae"
                                   "entry"));
}

static void fail_unseen(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, 1000,
                          "\xe2\x80\xa8"
                          "a\x7f\"\xf3\xa0\x81\xa1"));
}

/* Names, origins, messages of errors, and what the library itself says in JSON. */
CASE(names_and_sentences_are_escaped, IN_BOTH) {
  mainstem_context *context = context_open(threads), *scope;
  mainstem_event_type ask, notice;
  static lines seen;
  seen.count = 0;
  ask = type_open(context, "RequestX", MAINSTEM_PAYLOAD_NONE, "ResponseX");
  type_open(context, "ResponseX", MAINSTEM_PAYLOAD_NONE, NULL);
  notice = type_open(context,
                     "a\xe2\x81\xa6"
                     "b\xc2\x9b"
                     "c",
                     MAINSTEM_PAYLOAD_NONE, NULL);
  scope = scope_open(context, "v\xe2\x80\xa9w");
  serve_one(context, "S\xef\xbb\xbf", "RequestX", refuse, NULL);
  EXPECT_OK(mainstem_observe(context, notice, fail_unseen, NULL, NULL, NULL));
  EXPECT_OK(mainstem_trace(context, note_line, &seen));
  EXPECT_OK(mainstem_request(context, ask, NULL, 0, NULL, NULL, NULL));
  EXPECT_TEXT(seen.line[1], "#2 ResponseX 1000 \xe2\x86\x90 #1 S\\ufeff \"no \\u202eentry\"");
  EXPECT_OK(mainstem_send(scope, notice, NULL, 0));
  EXPECT_TEXT(seen.line[2], "#3 a\\u2066b\\u009bc v\\u2029w");
  EXPECT(strstr(seen.line[3], "\"a\\u2066b\\u009bc\"") != NULL);
  EXPECT(strstr(seen.line[3], "\"\\u2028a\\u007f\\\"\\udb40\\udc61\"") != NULL);
  EXPECT_OK(mainstem_context_close(context));
}

static void copy_event(void *user_data, const mainstem_event *event) {
  mainstem_event copy = *event;
  char line[64];
  ++*(int *)user_data;
  copy.data = "a\xff\xe2\x80z\x9b"
              "0m";
  copy.size = 8;
  EXPECT_OK(mainstem_event_line(&copy, line, sizeof line, NULL));
  EXPECT_TEXT(line, "#1 T a\\xff\\xe2\\x80z\\x9b0m");
}

/* A host's copy, or a journal of a stranger, may hold anything. */
CASE(what_is_no_utf8_is_escaped, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type text = type_open(context, "T", MAINSTEM_PAYLOAD_TEXT, NULL);
  int calls = 0;
  EXPECT_OK(mainstem_observe(context, text, copy_event, &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(context, text, "x", 1));
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_context_close(context));
}

static void cut(void *user_data, const mainstem_event *event) {
  char buffer[64], whole[64];
  size_t length = 0;
  ++*(int *)user_data;
  EXPECT_OK(mainstem_event_line(event, NULL, 0, &length));
  EXPECT_EQUAL(length, strlen("#1 Notice <3 bytes>"));
  EXPECT_OK(mainstem_event_line(event, whole, sizeof whole, NULL));
  EXPECT_TEXT(whole, "#1 Notice <3 bytes>");
  for (size_t capacity = 1; capacity < sizeof buffer; capacity++) {
    memset(buffer, '!', sizeof buffer);
    EXPECT_OK(mainstem_event_line(event, buffer, capacity, &length));
    EXPECT_EQUAL(length, strlen(whole));
    EXPECT_EQUAL(strlen(buffer), length < capacity ? length : capacity - 1);
    EXPECT(strncmp(buffer, whole, strlen(buffer)) == 0);
    for (size_t i = capacity; i < sizeof buffer; i++) EXPECT_EQUAL(buffer[i], '!');
  }
}

/* Catches: one byte too many, no zero at the end, the cut length instead of the whole. */
CASE(a_line_fits_its_buffer, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, cut, &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "abc", 3));
  EXPECT_EQUAL(calls, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_trace_ends_with_its_scope, IN_BOTH) {
  stream on = stream_open(threads);
  static lines seen;
  seen.count = 0;
  mainstem_context *scope = scope_open(on.context, "Scope");
  EXPECT_OK(mainstem_trace(scope, note_line, &seen));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(seen.count, 1);
  EXPECT_TEXT(seen.line[0], "#1 Notice <0 bytes>");
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

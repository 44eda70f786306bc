// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Payload contracts; acceptance: UTF-8, exact sizes, none, empty, huge, too big. */

#include "stream.h"

#include <sys/mman.h>

typedef struct text_row {
  int valid;
  const char *bytes;
  size_t size;
} text_row;

#define ROW(valid, text) {valid, text, sizeof text - 1}

static const text_row texts[] = {
    ROW(1, ""),
    ROW(1, "plain"),
    ROW(1, "a\0b"), /* A zero byte is a character like any other. */
    ROW(1, "\x7f"),
    ROW(1, "\xc2\x80"),
    ROW(1, "\xdf\xbf"),
    ROW(1, "\xe0\xa0\x80"),
    ROW(1, "\xed\x9f\xbf"),
    ROW(1, "\xee\x80\x80"),
    ROW(1, "\xef\xbf\xbf"),
    ROW(1, "\xf0\x90\x80\x80"),
    ROW(1, "\xf4\x8f\xbf\xbf"),
    ROW(1, "12345678 a word and a half, then \xe2\x82\xac at the end"),
    ROW(0, "\x80"),
    ROW(0, "\xbf"),
    ROW(0, "\xc0\x80"), /* overlong */
    ROW(0, "\xc0\xaf"),
    ROW(0, "\xc1\xbf"),
    ROW(0, "\xe0\x80\x80"),
    ROW(0, "\xe0\x9f\xbf"),
    ROW(0, "\xf0\x80\x80\x80"),
    ROW(0, "\xf0\x8f\xbf\xbf"),
    ROW(0, "\xed\xa0\x80"), /* surrogates */
    ROW(0, "\xed\xbf\xbf"),
    ROW(0, "\xf4\x90\x80\x80"), /* over U+10FFFF */
    ROW(0, "\xf5\x80\x80\x80"),
    ROW(0, "\xf8\x88\x80\x80\x80"),
    ROW(0, "\xfe"),
    ROW(0, "\xff"),
    ROW(0, "\xc2"), /* cut short */
    ROW(0, "\xe2\x82"),
    ROW(0, "\xe2"),
    ROW(0, "\xf0\x9f\x98"),
    ROW(0, "\xf0\x9f"),
    ROW(0, "\xf0"),
    ROW(0, "\xc2x"),
    ROW(0, "\xe2\x82x"),
    ROW(0, "\xf0\x9f\x98x"),
    ROW(0, "\xc2\xc2\x80"),
    ROW(0, "\xe2\x28\xa1"),
    ROW(0, "plain text that goes wrong at its very last byte \xe2\x82\xac\xff"),
    ROW(0, "12345678\x80"
           "2345678"),
};

CASE(text_is_utf_8, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type text = type_open(context, "Text", MAINSTEM_PAYLOAD_TEXT, NULL);
  mainstem_event_type json = type_open(context, "Json", MAINSTEM_PAYLOAD_JSON, NULL);
  mainstem_event_type bytes = type_open(context, "Bytes", MAINSTEM_PAYLOAD_BYTES, NULL);
  for (size_t i = 0; i < COUNT(texts); i++) {
    mainstem_status wanted = texts[i].valid ? MAINSTEM_OK : MAINSTEM_INVALID;
    EXPECT_STATUS(mainstem_send(context, text, texts[i].bytes, texts[i].size), wanted);
    EXPECT_STATUS(mainstem_send(context, json, texts[i].bytes, texts[i].size), wanted);
    EXPECT_STATUS(mainstem_post(context, text, texts[i].bytes, texts[i].size), wanted);
    EXPECT_OK(mainstem_send(context, bytes, texts[i].bytes, texts[i].size));
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a fast path over words that reads past the end or misses a byte in some lane. */
CASE(each_place_of_a_text_is_checked, IN_ONE) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type text = type_open(context, "Text", MAINSTEM_PAYLOAD_TEXT, NULL);
  for (size_t size = 1; size <= 70; size++) {
    char *exact = (char *)malloc(size); /* Exactly this long, so that ASan sees one byte more. */
    EXPECT(exact != NULL);
    memset(exact, 'x', size);
    EXPECT_OK(mainstem_send(context, text, exact, size));
    for (size_t place = 0; place < size; place++) {
      exact[place] = (char)0x80;
      EXPECT_STATUS(mainstem_send(context, text, exact, size), MAINSTEM_INVALID);
      exact[place] = 'x';
    }
    free(exact);
  }
  EXPECT_OK(mainstem_context_close(context));
}

CASE(sizes_are_exact, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  char bytes[20] = "";
  mainstem_event_type point = type_open(context, "Point", MAINSTEM_PAYLOAD_STRUCT | 8, NULL);
  mainstem_event_type empty = type_open(context, "Empty", MAINSTEM_PAYLOAD_STRUCT | 0, NULL);
  mainstem_event_type none = type_open(context, "None", MAINSTEM_PAYLOAD_NONE, NULL);
  for (size_t size = 0; size < 20; size++) {
    mainstem_status zero = size == 0 ? MAINSTEM_OK : MAINSTEM_INVALID;
    EXPECT_STATUS(mainstem_send(context, point, bytes, size),
                  size == 8 ? MAINSTEM_OK : MAINSTEM_INVALID);
    EXPECT_STATUS(mainstem_send(context, none, bytes, size), zero);
    EXPECT_STATUS(mainstem_send(context, empty, bytes, size), zero);
  }
  EXPECT_OK(mainstem_send(context, none, NULL, 0));
  EXPECT_STATUS(mainstem_send(context, none, NULL, 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, point, NULL, 8), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, point, NULL, 0), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

typedef struct big {
  size_t size, calls;
} big;

static void check_big(void *user_data, const mainstem_event *event) {
  big *self = (big *)user_data;
  const unsigned char *bytes = (const unsigned char *)event->data;
  EXPECT_EQUAL(event->size, self->size);
  for (size_t i = 0; i < event->size; i += 4093) EXPECT_EQUAL(bytes[i], i * 7 % 251);
  EXPECT_EQUAL(bytes[event->size - 1], (event->size - 1) * 7 % 251);
  if (self->calls++ == 0) {
    EXPECT_OK(mainstem_send(event->context, event->type, event->data, event->size));
  }
}

/* Catches: a length kept in too few bits, and a second copy of what was copied. */
CASE(sixty_four_megabytes_arrive, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  big self = {(size_t)64 << 20, 0};
  unsigned char *bytes = (unsigned char *)malloc(self.size);
  mainstem_event_type type = type_open(context, "Bytes", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT(bytes != NULL);
  for (size_t i = 0; i < self.size; i++) bytes[i] = (unsigned char)(i * 7 % 251);
  EXPECT_OK(mainstem_observe(context, type, check_big, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(context, type, bytes, self.size));
  EXPECT_EQUAL(self.calls, 2);
  EXPECT_OK(mainstem_post(context, type, bytes, self.size));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(self.calls, 3);
  free(bytes);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: bytes read before the size is checked (a page without access), a size cut to 32 bits. */
CASE(four_gigabytes_are_refused_unread, IN_BOTH) {
  static const size_t sizes[] = {
      (size_t)1 << 32, ((size_t)1 << 32) + 8, ((size_t)1 << 32) + 16, (size_t)1 << 62,
      SIZE_MAX,        SIZE_MAX - 63};
  mainstem_context *context = context_open(threads);
  void *bytes = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mainstem_event_type types[5];
  EXPECT(bytes != MAP_FAILED);
  types[0] = type_open(context, "Bytes", MAINSTEM_PAYLOAD_BYTES, NULL);
  types[1] = type_open(context, "Text", MAINSTEM_PAYLOAD_TEXT, NULL);
  types[2] = type_open(context, "Json", MAINSTEM_PAYLOAD_JSON, NULL);
  types[3] = type_open(context, "RequestX", MAINSTEM_PAYLOAD_TEXT, "ResponseX");
  types[4] = type_open(context, "ResponseX", MAINSTEM_PAYLOAD_TEXT, NULL);
  for (size_t i = 0; i < COUNT(sizes) * COUNT(types); i++) {
    mainstem_event_type type = types[i % COUNT(types)];
    size_t size = sizes[i / COUNT(types)];
    EXPECT_STATUS(mainstem_send(context, type, bytes, size), MAINSTEM_TOO_BIG);
    EXPECT_STATUS(mainstem_post(context, type, bytes, size), MAINSTEM_TOO_BIG);
  }
  EXPECT_STATUS(mainstem_request(context, types[3], bytes, sizes[0], NULL, NULL, NULL),
                MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(stats_of(context).events, 0);
  EXPECT_EQUAL(munmap(bytes, 4096), 0);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

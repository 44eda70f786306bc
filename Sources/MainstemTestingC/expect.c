// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What must have happened. */

#include "kit.h"

#include <string.h>

void mainstem_test_ok_at(mainstem_test *test, mainstem_status status, const char *call,
                         mainstem_test_place place) {
  text said = {NULL, 0};
  if (status == MAINSTEM_OK) return;
  mainstem_kit_text_add(&said, "%s is %s: %s", call, mainstem_status_name(status),
                        mainstem_last_error());
  mainstem_kit_fail(test, place, &said);
}

/* The next entry of the transcript; if there is none, the test fails. */
static const entry *next(mainstem_test *test, const text *wanted, mainstem_test_place place) {
  transcript *transcript = &test->transcript;
  text said = {NULL, 0};
  if (transcript->expected < transcript->count) {
    return &transcript->entries[transcript->expected++];
  }
  mainstem_kit_text_add(&said, "nothing more has happened\n  expected   %s", wanted->bytes);
  if (transcript->count > 0) {
    mainstem_kit_text_add(&said, "\n  last was   %s",
                          transcript->entries[transcript->count - 1].line);
  }
  mainstem_kit_fail(test, place, &said);
  return NULL;
}

static void add_part(text *to, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    mainstem_kit_text_add(to, byte < ' ' || byte >= 127 ? "\\x%02x" : "%c", byte);
  }
}

/* Where two payloads begin to differ: some bytes of each from there. */
static void add_difference(text *to, const char *wanted, size_t wanted_size, const entry *was) {
  size_t size = was->event.size, from = 0, shown = 24;
  if (was->event.flags & MAINSTEM_EVENT_SECRET) return;
  while (from < size && from < wanted_size && wanted[from] == was->data[from]) from++;
  mainstem_kit_text_add(to, "\n  from byte %llu on: \"", (unsigned long long)from);
  add_part(to, wanted + from, wanted_size - from < shown ? wanted_size - from : shown);
  mainstem_kit_text_add(to, "\" was expected, and it was \"");
  add_part(to, was->data + from, size - from < shown ? size - from : shown);
  mainstem_kit_text_add(to, "\"");
}

static void begin_difference(const text *wanted, const entry *was, text *said) {
  mainstem_kit_text_add(said, "another event has happened\n  expected   %s\n  but it was %s",
                        wanted->bytes, was->line);
}

static int is_secret(const mainstem_test *test, const char *type) {
  mainstem_type_info info;
  mainstem_event_type number;
  info.size = sizeof info;
  return mainstem_type_find(test->context, type, &number) == MAINSTEM_OK &&
         mainstem_type_read(test->context, number, &info) == MAINSTEM_OK &&
         (info.contract & MAINSTEM_SECRET) != 0;
}

static int is_of_type(const mainstem_test *test, const entry *entry, const char *type) {
  mainstem_type_info info;
  info.size = sizeof info;
  return mainstem_type_read(test->context, entry->event.type, &info) == MAINSTEM_OK &&
         strcmp(info.name, type) == 0;
}

/* Passes what need not be expected, up to an event of that type. */
static void pass_navigation(mainstem_test *test, const char *type) {
  transcript *transcript = &test->transcript;
  while (transcript->expected < transcript->count) {
    const entry *entry = &transcript->entries[transcript->expected];
    if (is_of_type(test, entry, type) || !mainstem_kit_stage_sends(test, entry)) return;
    transcript->expected++;
  }
}

/* The next entry, if its type, and whether it failed, are as expected. */
static const entry *next_of(mainstem_test *test, const char *type, int failed, const text *wanted,
                            mainstem_test_place place) {
  text said = {NULL, 0};
  pass_navigation(test, type);
  const entry *entry = next(test, wanted, place);
  if (entry == NULL) return NULL;
  if (is_of_type(test, entry, type) && (entry->event.status != MAINSTEM_OK) == failed) return entry;
  begin_difference(wanted, entry, &said);
  mainstem_kit_transcript_add_chain(&test->transcript, entry, &said);
  mainstem_kit_fail(test, place, &said);
  return NULL;
}

const mainstem_event *mainstem_test_next_at(mainstem_test *test, const char *type,
                                            mainstem_test_place place) {
  text wanted = {NULL, 0};
  mainstem_kit_text_add(&wanted, "%s", type);
  const entry *entry = next_of(test, type, 0, &wanted, place);
  mainstem_kit_text_free(&wanted);
  return entry == NULL ? NULL : &entry->event;
}

void mainstem_test_expect_at(mainstem_test *test, const char *type, const void *data, size_t size,
                             mainstem_test_place place) {
  text wanted = {NULL, 0}, said = {NULL, 0};
  mainstem_kit_text_add(&wanted, "%s ", type);
  if (is_secret(test, type)) {
    mainstem_kit_text_add(&wanted, "<secret>");
  } else {
    add_part(&wanted, (const char *)data, size < 240 ? size : 240);
  }
  const entry *entry = next_of(test, type, 0, &wanted, place);
  if (entry != NULL &&
      (entry->event.size != size || (size > 0 && memcmp(entry->data, data, size) != 0))) {
    begin_difference(&wanted, entry, &said);
    add_difference(&said, (const char *)data, size, entry);
    mainstem_kit_transcript_add_chain(&test->transcript, entry, &said);
    mainstem_kit_fail(test, place, &said);
  }
  mainstem_kit_text_free(&wanted);
}

void mainstem_test_text_at(mainstem_test *test, const char *type, const char *text,
                           mainstem_test_place place) {
  mainstem_test_expect_at(test, type, text, text == NULL ? 0 : strlen(text), place);
}

static int failed_so(const entry *entry, mainstem_status code, const char *message) {
  return entry->event.status == code && (message == NULL || strcmp(entry->data, message) == 0);
}

void mainstem_test_failed_at(mainstem_test *test, const char *type, mainstem_status code,
                             const char *message, mainstem_test_place place) {
  text wanted = {NULL, 0}, said = {NULL, 0};
  if (code < MAINSTEM_APP) {
    mainstem_kit_text_add(&wanted, "%s %s", type, mainstem_status_name(code));
  } else {
    mainstem_kit_text_add(&wanted, "%s %d", type, (int)code);
  }
  if (message != NULL) {
    int hidden = is_secret(test, type);
    mainstem_kit_text_add(&wanted, hidden ? " %s" : " \"%s\"", hidden ? "<secret>" : message);
  }
  const entry *entry = next_of(test, type, 1, &wanted, place);
  if (entry != NULL && !failed_so(entry, code, message)) {
    begin_difference(&wanted, entry, &said);
    mainstem_kit_transcript_add_chain(&test->transcript, entry, &said);
    mainstem_kit_fail(test, place, &said);
  }
  mainstem_kit_text_free(&wanted);
}

void mainstem_test_nothing_at(mainstem_test *test, mainstem_test_place place) {
  transcript *transcript = &test->transcript;
  text said = {NULL, 0}, happened = {NULL, 0};
  for (; transcript->expected < transcript->count; transcript->expected++) {
    const entry *entry = &transcript->entries[transcript->expected];
    if (mainstem_kit_stage_sends(test, entry)) continue;
    mainstem_kit_text_add(&happened, "\n  but it did %s", entry->line);
    mainstem_kit_transcript_add_chain(transcript, entry, &happened);
  }
  if (happened.length == 0) return;
  mainstem_kit_text_add(&said, "nothing was expected to happen%s", happened.bytes);
  mainstem_kit_text_free(&happened);
  mainstem_kit_fail(test, place, &said);
}

void mainstem_test_skip(mainstem_test *test) { test->transcript.expected = test->transcript.count; }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the parts of the test kit share. Its names are linked into other people's programs, so they have
 * a prefix. */

#ifndef MAINSTEM_TESTING_KIT_H
#define MAINSTEM_TESTING_KIT_H

#include <mainstem/testing.h>

/* Text ------------------------------------------------------------------------------------------- */

/* A growing text. */
typedef struct text {
  char *bytes; /* NULL: empty. */
  size_t length;
} text;

void mainstem_kit_text_add(text *text, const char *format, ...);
void mainstem_kit_text_add_bytes(text *text, const char *bytes, size_t size);
void mainstem_kit_text_free(text *text);

/* Allocates, or aborts: a test without memory proves nothing. */
void *mainstem_kit_memory(void *old, size_t size);
char *mainstem_kit_copy(const void *bytes, size_t size);

/* The transcript ----------------------------------------------------------------------------------- */

/* An event in the transcript, and its line. */
typedef struct entry {
  mainstem_event event;
  char *data;
  char *line;
} entry;

/* What has passed, in order of position; the first entry has position 1. */
typedef struct transcript {
  entry *entries;
  size_t count, capacity;
  size_t expected; /* How many were expected so far. */
} transcript;

void mainstem_kit_transcript_observe(void *self, const mainstem_event *event);
const entry *mainstem_kit_transcript_at(const transcript *self, uint64_t position);
void mainstem_kit_transcript_add_chain(const transcript *self, const entry *entry, text *to);
void mainstem_kit_transcript_free(transcript *self);

/* Stubs ------------------------------------------------------------------------------------------ */

typedef struct stub {
  mainstem_test *test;
  char *type;
  mainstem_test_answer *answers;
  size_t count, given; /* How many rows, and how many of them are used up. */
  uint32_t times;      /* How often the current row was given. */
  uint64_t calls, beyond;
  mainstem_context *server;
  mainstem_test_place place;
  struct stub *next;
} stub;

/* A delayed answer. */
typedef struct delayed {
  mainstem_retained *request;
  mainstem_test_answer answer;
  int64_t due;
  uint64_t number; /* Answers due at the same time come in this order. */
} delayed;

stub *mainstem_kit_stub_add(mainstem_test *test, const char *type,
                            const mainstem_test_answer *answers, size_t count,
                            mainstem_test_place place);
/* Answers a request, now or later; 0: no answer is left. */
int mainstem_kit_stub_answer(stub *self, const mainstem_event *request);
void mainstem_kit_stub_check_all(mainstem_test *test, text *to);
void mainstem_kit_stub_free_all(mainstem_test *test);
/* Gives the first delayed answer due by then, if there is one. */
int mainstem_kit_stub_answer_due(mainstem_test *test, int64_t until);
/* When the first delayed answer is due; INT64_MAX: there is none. */
int64_t mainstem_kit_stub_first_due(const mainstem_test *test);

/* The stage -------------------------------------------------------------------------------------- */

/* What a stage shows of a component. */
typedef struct window {
  uint64_t component;
  char *url;
} window;

typedef struct stage {
  mainstem_test *test;
  stub *answers;
  text seen; /* What it was told since the last look, a line for each call. */
  window *shown;
  size_t count, capacity;
} stage;

/* Whether it is an event that need not be expected: of the navigator, or of what it opens. */
int mainstem_kit_stage_sends(const mainstem_test *test, const entry *entry);
/* Closes all components, as a user does with gestures. */
void mainstem_kit_stage_leave(mainstem_test *test, mainstem_test_place place);
void mainstem_kit_stage_free(mainstem_test *test);

/* The test --------------------------------------------------------------------------------------- */

struct mainstem_test {
  mainstem_context *context;
  mainstem_subscription *observer;
  mainstem_event_type failure; /* That of reports of failed callbacks. */
  transcript transcript;
  stub *stubs;
  stage *stage; /* NULL: it has none. */
  delayed *delayed;
  size_t delayed_count, delayed_capacity;
  uint64_t stubbed; /* How many handlers belong to stubs. */
  uint64_t kept_subscriptions, kept_timers;
  uint64_t seed;
  int says_seed, has_failed;
};

mainstem_context_stats mainstem_kit_stats(const mainstem_test *test);
/* Reports a failure, with the seed. Takes over the text. */
void mainstem_kit_fail(mainstem_test *test, mainstem_test_place place, text *text);
int64_t mainstem_kit_now(const mainstem_test *test);
/* Like mainstem_test_close_at; returns whether the test has failed, at the close or before. */
int mainstem_kit_close(mainstem_test *test, mainstem_test_place place);

#endif

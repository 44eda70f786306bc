// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Types whose inputs are kept in full, and of whose outputs a mark and a digest (MAINSTEM_RECORD_INPUTS). */

#include "journal_bytes.h"
#include "stream.h"

enum { LENGTH = 600000 }; /* Longer than what is put together for a write. */

static char big[LENGTH];

typedef struct program {
  mainstem_context *context;
  mainstem_event_type told, shown, mark;
  size_t size, changed; /* What it shows, and which byte of it is another; SIZE_MAX: none. */
} program;

/* Shows what it was told, in many letters. */
static void show(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  if (event->size == 0) return;
  memset(big, ((const char *)event->data)[0], sizeof big);
  if (self->changed < sizeof big) big[self->changed] ^= 1;
  EXPECT_OK(mainstem_send(event->context, self->shown, big, self->size));
  EXPECT_OK(mainstem_send(event->context, self->mark, big, self->size));
}

static program program_open(size_t size, size_t changed) {
  mainstem_contract contract = MAINSTEM_PAYLOAD_BYTES | MAINSTEM_RECORD_INPUTS;
  program self = {context_open(MAINSTEM_THREADS_ONE), 0, 0, 0, size, changed};
  self.told = type_open(self.context, "Told", contract, NULL);
  self.shown = type_open(self.context, "Shown", contract, NULL);
  self.mark =
      type_open(self.context, "Marked", MAINSTEM_PAYLOAD_BYTES | MAINSTEM_RECORD_MARK, NULL);
  return self;
}

static void observe(program *self) {
  EXPECT_OK(mainstem_observe(self->context, self->told, show, self, NULL, NULL));
}

static void record(const char *path, size_t size) {
  program self = program_open(size, SIZE_MAX);
  observe(&self);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  memset(big, 'i', sizeof big);
  EXPECT_OK(mainstem_send(self.context, self.told, big, size));
  EXPECT_OK(mainstem_send(self.context, self.told, "b", 1));
  EXPECT_OK(mainstem_context_close(self.context));
}

static uint64_t take(uint64_t digest, uint64_t word) {
  digest = (digest ^ word) * 0x9FB21C651E98DF25;
  return digest ^ (digest >> 32);
}

/* Of a payload of one letter: as the page says. */
static uint64_t digest_of(char letter, size_t size) {
  uint64_t digest = take(0x9E3779B97F4A7C15, size), word = 0;
  for (size_t at = 0; at < size; at += 8) {
    word = 0;
    memset(&word, letter, size - at < 8 ? size - at : 8);
    digest = take(digest, word);
  }
  return digest;
}

static void expect_record(mainstem_journal *journal, size_t size, uint32_t flags) {
  const mainstem_event *event;
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT(event != NULL);
  EXPECT_EQUAL(event->size, size);
  EXPECT_EQUAL(event->flags, flags);
}

static void inputs_are_kept_and_digests_of_outputs(void) {
  static const size_t sizes[] = {1, 8, 13, 5000, LENGTH};
  const char *path = journal_path("kept");
  for (size_t i = 0; i < COUNT(sizes); i++) {
    mainstem_journal *journal;
    const mainstem_event *event;
    uint64_t digest;
    record(path, sizes[i]);
    EXPECT_OK(mainstem_journal_open(path, &journal));
    expect_record(journal, sizes[i], MAINSTEM_EVENT_OUTSIDE);
    EXPECT_OK(mainstem_journal_next(journal, 0, &event));
    EXPECT(event->size == 8 && event->flags == MAINSTEM_EVENT_MARKED && event->status == 0);
    memcpy(&digest, event->data, 8);
    EXPECT_EQUAL(digest, digest_of('i', sizes[i]));
    expect_record(journal, 0, MAINSTEM_EVENT_MARKED);
    expect_record(journal, 1, MAINSTEM_EVENT_OUTSIDE);
    expect_record(journal, 8, MAINSTEM_EVENT_MARKED);
    EXPECT_OK(mainstem_journal_close(journal));
    unlink(path);
  }
}

/* Catches: a digest of the first bytes only, or none; a length that does not count. */
static void a_verification_compares_the_digests(void) {
  static const struct {
    size_t size, changed;
    uint32_t field;
  } runs[] = {{5001, SIZE_MAX, MAINSTEM_DIFFERENCE_NONE},
              {5001, 0, MAINSTEM_DIFFERENCE_PAYLOAD},
              {5001, 5000, MAINSTEM_DIFFERENCE_PAYLOAD},
              {5000, SIZE_MAX, MAINSTEM_DIFFERENCE_PAYLOAD}};
  const char *path = journal_path("kept");
  record(path, 5001);
  for (size_t i = 0; i < COUNT(runs); i++) {
    program self = program_open(runs[i].size, runs[i].changed);
    mainstem_replay_difference difference = {.size = sizeof difference};
    mainstem_replay *replay;
    mainstem_status wanted = runs[i].field == 0 ? MAINSTEM_OK : MAINSTEM_DIFFERENT;
    uint64_t fed;
    observe(&self);
    EXPECT_OK(mainstem_replay_open(self.context, path,
                                   OPTIONS(replay, .mode = MAINSTEM_REPLAY_VERIFY), &replay));
    EXPECT_STATUS(mainstem_replay_step(replay, 0, &fed), wanted);
    if (wanted != MAINSTEM_OK) {
      EXPECT_OK(mainstem_replay_difference_read(replay, &difference));
      EXPECT_EQUAL(difference.field, runs[i].field);
      EXPECT_EQUAL(difference.position, 2);
      EXPECT(strstr(difference.message,
                    "#2 Shown: the journal has the digest of another payload") != NULL);
    }
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
  unlink(path);
  rmdir(journal_path(""));
}

int main(void) {
  inputs_are_kept_and_digests_of_outputs();
  a_verification_compares_the_digests();
  return 0;
}

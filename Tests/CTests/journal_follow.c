// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Reading behind a writer: what was appended is seen, each event once, whatever part of it is there at a look. */

#include "journal_reading.h"

#include <pthread.h>

/* Appends the bytes of a file from `done` to `upto`, as a writer does: the file is the same one. */
static void append(const char *path, const journal_bytes *made, size_t done, size_t upto) {
  int file = open(path, O_WRONLY | O_CREAT, 0600);
  EXPECT(file >= 0);
  EXPECT_EQUAL(pwrite(file, made->bytes + done, upto - done, (off_t)done), upto - done);
  close(file);
}

/* Reads to the end, and counts; positions rise. */
static uint64_t read_on(mainstem_journal *journal, uint64_t *last) {
  const mainstem_event *event;
  uint64_t count = 0;
  while ((event = next_of(journal)) != NULL) {
    EXPECT(event->position > *last);
    *last = event->position;
    count++;
  }
  return count;
}

/* What a reader knows that followed is what one knows that begins now. */
static void expect_as_from_the_start(mainstem_journal *journal, const char *path) {
  mainstem_journal *fresh = opened(path);
  uint64_t last = 0;
  mainstem_journal_info is = info_of(journal), wanted;
  read_on(fresh, &last);
  wanted = info_of(fresh);
  EXPECT(memcmp(&is, &wanted, sizeof is) == 0);
  EXPECT_OK(mainstem_journal_close(fresh));
}

static journal_bytes whole_journal(void) {
  journal_bytes made = one_of_each();
  journal_digest(&made, END, 100);
  journal_session(&made, 0);
  journal_name(&made, LAYER, 6, "climate");
  journal_type(&made, 3, MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_BYTES, "Other", "");
  journal_event(&made, 3, "\0\1\2", 3);
  journal_digest(&made, END, 101);
  return made;
}

/* From a file with only its header to the whole one, in steps of so many bytes. */
static void grow(const journal_bytes *made, size_t step) {
  const char *path = journal_path("grows");
  uint64_t events = 0, last = 0;
  size_t done = FILE_HEADER;
  append(path, made, 0, done);
  mainstem_journal *journal = opened(path);
  while (done < made->size) {
    size_t upto = done + step < made->size ? done + step : made->size;
    append(path, made, done, upto);
    done = upto;
    EXPECT(next_of(journal) == NULL);
    EXPECT_OK(mainstem_journal_follow(journal));
    events += read_on(journal, &last);
    expect_as_from_the_start(journal, path);
  }
  EXPECT_EQUAL(events, 4);
  EXPECT(info_of(journal).is_clean == 1);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(path);
}

CASE(a_file_is_followed_byte_by_byte, IN_ONE) {
  journal_bytes made = whole_journal();
  for (size_t step = 1; step <= made.size; step += 1 + step / 3) grow(&made, step);
  journal_free(&made);
}

/* Its id was not known when it was opened. */
CASE(a_journal_that_was_not_begun_stays_empty, IN_ONE) {
  const char *path = journal_path("blank");
  journal_bytes made = whole_journal();
  uint64_t last = 0;
  append(path, &made, 0, 100);
  mainstem_journal *journal = opened(path);
  EXPECT(next_of(journal) == NULL);
  append(path, &made, 100, made.size);
  EXPECT_OK(mainstem_journal_follow(journal));
  EXPECT(next_of(journal) == NULL);
  EXPECT_OK(mainstem_journal_close(journal));
  journal = opened(path);
  EXPECT_EQUAL(read_on(journal, &last), 4);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

CASE(the_next_file_is_followed, IN_ONE) {
  char first[540], second[540], path[512];
  journal_bytes one = one_of_each(), two = journal_file(7, &one);
  uint64_t last = 0;
  snprintf(path, sizeof path, "%s", journal_path("files"));
  snprintf(first, sizeof first, "%s.000001", path);
  snprintf(second, sizeof second, "%s.000002", path);
  journal_session(&two, 1);
  journal_type(&two, 3, MAINSTEM_PAYLOAD_TEXT, "Other", "");
  journal_event(&two, 3, "last", 4);
  journal_write(&one, first);
  mainstem_journal *journal = opened(path);
  EXPECT_EQUAL(read_on(journal, &last), 3);
  for (size_t done = 0; done < two.size; done++) {
    append(second, &two, done, done + 1);
    EXPECT_OK(mainstem_journal_follow(journal));
    EXPECT_EQUAL(read_on(journal, &last), done + 1 == two.size);
    expect_as_from_the_start(journal, path);
  }
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
  journal_free(&two);
}

/* A crash left part of a record, and the next writer writes over it. */
CASE(a_torn_end_that_is_written_over_is_read, IN_ONE) {
  const char *path = journal_path("torn");
  journal_bytes made = whole_journal();
  uint64_t last = 0;
  append(path, &made, 0, made.size);
  int file = open(path, O_WRONLY);
  EXPECT_EQUAL(pwrite(file, "torn, as a crash left it", 24, (off_t)made.size), 24);
  mainstem_journal *journal = opened(path);
  EXPECT_EQUAL(read_on(journal, &last), 4);
  EXPECT_EQUAL(info_of(journal).torn_bytes, 24);
  EXPECT_EQUAL(ftruncate(file, (off_t)made.size), 0);
  close(file);
  EXPECT_OK(mainstem_journal_follow(journal));
  EXPECT_EQUAL(read_on(journal, &last), 0);
  EXPECT_EQUAL(info_of(journal).torn_bytes, 0);
  size_t done = made.size;
  journal_event(&made, 3, "on", 2);
  append(path, &made, done, made.size);
  EXPECT_OK(mainstem_journal_follow(journal));
  EXPECT_EQUAL(read_on(journal, &last), 1);
  expect_as_from_the_start(journal, path);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

CASE(damage_is_not_followed, IN_ONE) {
  const char *path = journal_path("hurt");
  journal_bytes made = whole_journal();
  const mainstem_event *event;
  made.bytes[made.size / 2] ^= 1;
  journal_write(&made, path);
  mainstem_journal *journal = opened(path);
  while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK) EXPECT(event != NULL);
  EXPECT_OK(mainstem_journal_follow(journal));
  EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

enum { EVENTS = 200000 };

/* Records many events, in files of their own size, with a close and another session in the middle. */
static void *write_many(void *user_data) {
  for (int session = 0; session < 2; session++) {
    mainstem_context *context;
    mainstem_event_type type;
    EXPECT_OK(mainstem_context_create(NULL, &context));
    EXPECT_OK(mainstem_journal_record(context, (const char *)user_data,
                                      OPTIONS(journal, .segment_size = 1 << 20)));
    EXPECT_OK(mainstem_type_add(context, "Sample", MAINSTEM_PAYLOAD_BYTES, NULL, &type));
    for (int i = 0; i < EVENTS / 2; i++)
      EXPECT_OK(mainstem_send(context, type, "a payload of some length", (size_t)(i % 25)));
    EXPECT_OK(mainstem_context_close(context));
  }
  return NULL;
}

CASE(a_live_writer_is_followed_to_its_end, IN_ONE) {
  char path[512], first[540];
  pthread_t writer;
  mainstem_journal *journal = NULL;
  uint64_t events = 0, last = 0, looks = 0;
  snprintf(path, sizeof path, "%s", journal_path("live"));
  EXPECT_EQUAL(pthread_create(&writer, NULL, write_many, path), 0);
  while (mainstem_journal_open(path, &journal) != MAINSTEM_OK || info_of(journal).files == 0)
    mainstem_journal_close(journal);
  while (events < EVENTS) {
    EXPECT_OK(mainstem_journal_follow(journal));
    uint64_t more = read_on(journal, &last);
    events += more;
    if (more > 0) looks++;
  }
  pthread_join(writer, NULL);
  EXPECT_OK(mainstem_journal_follow(journal));
  EXPECT_EQUAL(read_on(journal, &last), 0);
  EXPECT(last == EVENTS && looks > 1);
  expect_as_from_the_start(journal, path);
  uint64_t files = info_of(journal).files;
  EXPECT(files > 5);
  EXPECT_OK(mainstem_journal_close(journal));
  for (uint64_t number = 1; number <= files; number++) {
    snprintf(first, sizeof first, "%s.%06d", path, (int)number);
    unlink(first);
  }
}

static const char *layer_of(mainstem_journal *journal, mainstem_event_type type) {
  mainstem_type_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_journal_type_read(journal, type, &info));
  return info.layer;
}

CASE(layers_have_names, IN_ONE) {
  enum { SHOWN = 10, RAIN, LOST };
  const uint64_t text = MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_TEXT;
  const char *path = journal_path("layers");
  journal_bytes made = one_of_each();
  journal_type(&made, SHOWN, text | MAINSTEM_LAYER_VIEW, "Shown", "");
  journal_type(&made, RAIN, text | 6ULL << 40, "Rain", "");
  journal_type(&made, LOST, text | 7ULL << 40, "Lost", "");
  journal_event(&made, RAIN, "wet", 3);
  journal_session(&made, 0);
  journal_name(&made, LAYER, 6, "climate");
  journal_type(&made, RAIN, text | 6ULL << 40, "Rain", "");
  journal_event(&made, RAIN, "dry", 3);
  journal_write(&made, path);
  mainstem_journal *journal = opened(path);
  while (next_of(journal)->type != RAIN) continue;
  EXPECT_TEXT(layer_of(journal, SHOWN), "view");
  EXPECT_TEXT(layer_of(journal, RAIN), "weather");
  EXPECT_TEXT(layer_of(journal, LOST), "");
  while (next_of(journal) != NULL) continue;
  EXPECT_TEXT(layer_of(journal, RAIN), "climate");
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

int main(void) { return journal_expect_all(); }

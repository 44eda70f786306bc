// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Reading every record: from them alone the files can be made again, byte for byte. */

#include "journal_reading.h"

static const mainstem_event *record_of(mainstem_journal *journal) {
  const mainstem_event *record;
  EXPECT_OK(mainstem_journal_next(journal, MAINSTEM_JOURNAL_EVERY_RECORD, &record));
  return record;
}

static bool begins_file(const mainstem_event *record) {
  return record != NULL && record->type == 0 && record->status == 0;
}

/* Makes the file of which this is the header; gives the header of the next one, or NULL. */
static const mainstem_event *made_again(mainstem_journal *journal, const mainstem_event *record,
                                        journal_bytes *made) {
  EXPECT(begins_file(record) && record->size == FILE_HEADER);
  EXPECT_TEXT(record->user_message, "");
  memset(made, 0, sizeof *made);
  memcpy(journal_grow(made, FILE_HEADER), record->data, FILE_HEADER);
  made->key = crc32c(0, made->bytes + 16, 24);
  made->link = crc32c(0, made->bytes, 124);
  while (record = record_of(journal), record != NULL && !begins_file(record)) {
    mainstem_event_header header;
    memcpy(&header, record, sizeof header);
    EXPECT_EQUAL(header.offset, made->link);
    journal_record(made, header, record->data);
  }
  return record;
}

static void expect_same(journal_bytes *made, const journal_bytes *wanted) {
  EXPECT_EQUAL(made->size, wanted->size);
  EXPECT(memcmp(made->bytes, wanted->bytes, wanted->size) == 0);
  journal_free(made);
}

CASE(one_file_is_made_again, IN_ONE) {
  const char *path = journal_path("one");
  journal_bytes one = one_of_each(), made;
  journal_digest(&one, END, 100);
  journal_write(&one, path);
  mainstem_journal *journal = opened(path);
  EXPECT(made_again(journal, record_of(journal), &made) == NULL);
  EXPECT(record_of(journal) == NULL);
  expect_same(&made, &one);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
}

/* The second one begins at a position of its own; it is there from the start, or is followed. */
CASE(several_files_are_made_again, IN_ONE) {
  char first[540], second[540], path[512];
  journal_bytes one = one_of_each(), two = journal_file(7, &one), made;
  snprintf(path, sizeof path, "%s", journal_path("files"));
  snprintf(first, sizeof first, "%s.000001", path);
  snprintf(second, sizeof second, "%s.000002", path);
  journal_session(&two, 1);
  journal_type(&two, 3, MAINSTEM_PAYLOAD_TEXT, "Other", "");
  journal_event(&two, 3, "last", 4);
  journal_write(&one, first);
  for (int is_there = 0; is_there < 2; is_there++) {
    if (is_there) journal_write(&two, second);
    mainstem_journal *journal = opened(path);
    const mainstem_event *next = made_again(journal, record_of(journal), &made);
    if (!is_there) {
      EXPECT(next == NULL);
      journal_write(&two, second);
      EXPECT_OK(mainstem_journal_follow(journal));
      next = record_of(journal);
    }
    expect_same(&made, &one);
    EXPECT_EQUAL(next->position, one.last);
    EXPECT(made_again(journal, next, &made) == NULL);
    expect_same(&made, &two);
    EXPECT_OK(mainstem_journal_close(journal));
    if (!is_there) unlink(second);
  }
  journal_free(&one);
  journal_free(&two);
}

/* What one of the calls has read, the other does not tell again; names are those of the record. */
CASE(it_may_be_mixed_with_events, IN_ONE) {
  const char *path = journal_path("mixed"), *name;
  journal_bytes one = one_of_each();
  mainstem_type_info type = {.size = sizeof type};
  journal_write(&one, path);
  mainstem_journal *journal = opened(path);
  EXPECT_EQUAL(next_of(journal)->position, 1);
  const mainstem_event *record = record_of(journal);
  EXPECT(record->type == 0 && record->status == TYPE);
  EXPECT_TEXT((const char *)record->data + 16, "ResponseRain");
  EXPECT_OK(mainstem_journal_type_read(journal, 4, &type));
  EXPECT_STATUS(mainstem_journal_origin_name(journal, 2, &name), MAINSTEM_INVALID);
  EXPECT_EQUAL(record_of(journal)->status, ORIGIN);
  EXPECT_OK(mainstem_journal_origin_name(journal, 2, &name));
  EXPECT_EQUAL(next_of(journal)->position, 2);
  record = record_of(journal);
  EXPECT(record->status == SKIPPED && record->position == 2);
  record = record_of(journal);
  EXPECT(record->type == 3 && record->position == 6);
  EXPECT(next_of(journal) == NULL && record_of(journal) == NULL);
  EXPECT_EQUAL(info_of(journal).bytes, one.size);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
}

/* Compares a record of a batch with what mainstem_journal_next tells; but its link is not in a batch. */
static void expect_record(const mainstem_event_header *header, const void *buffer,
                          const mainstem_event *record) {
  mainstem_event_header wanted;
  EXPECT(record != NULL);
  memcpy(&wanted, record, sizeof wanted);
  EXPECT_EQUAL(header->offset % 8, 0);
  wanted.offset = header->offset;
  EXPECT(memcmp(header, &wanted, sizeof wanted) == 0);
  EXPECT(memcmp((const char *)buffer + header->offset, record->data, record->size) == 0);
}

/* Reads two files in batches of this size, beside a reader that takes one record at a time; returns the batches. */
static size_t batches_of(const char *path, size_t size, size_t *records) {
  static mainstem_event_header buffer[1 << 10];
  mainstem_journal *journal = opened(path), *single = opened(path);
  size_t count, needed, batches = 0;
  *records = 0;
  do {
    EXPECT_OK(mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, buffer, size,
                                         &count, &needed));
    for (size_t i = 0; i < count; i++) expect_record(&buffer[i], buffer, record_of(single));
    EXPECT(needed == 0 || (count > 0 && needed <= size));
    *records += count;
    batches++;
  } while (count > 0);
  EXPECT(record_of(single) == NULL);
  EXPECT_EQUAL(info_of(journal).bytes, info_of(single).bytes);
  EXPECT_EQUAL(info_of(journal).events, info_of(single).events);
  EXPECT_OK(mainstem_journal_close(single));
  EXPECT_OK(mainstem_journal_close(journal));
  return batches - 1;
}

/* Of whatever size the buffer is: with room for a whole file, or for hardly more than its header. */
CASE(batches_are_the_same_records, IN_ONE) {
  char first[540], second[540], path[512];
  journal_bytes one = one_of_each(), two = journal_file(7, &one);
  size_t records, wanted;
  snprintf(path, sizeof path, "%s", journal_path("batches"));
  snprintf(first, sizeof first, "%s.000001", path);
  snprintf(second, sizeof second, "%s.000002", path);
  journal_session(&two, 1);
  journal_type(&two, 3, MAINSTEM_PAYLOAD_TEXT, "Other", "");
  for (int i = 0; i < 600; i++) journal_event(&two, 3, "last", 4);
  journal_write(&one, first);
  journal_write(&two, second);
  EXPECT_EQUAL(batches_of(path, 1 << 16, &wanted), 2);
  for (size_t size = 64 + 128; size < 2000; size += 9) {
    EXPECT(batches_of(path, size, &records) > wanted * 64 / size);
    EXPECT_EQUAL(records, wanted);
  }
  journal_free(&one);
  journal_free(&two);
}

/* What fits nowhere is said, and nothing is lost by that; so is what it needs without a buffer. */
CASE(a_batch_needs_room, IN_ONE) {
  const char *path = journal_path("room");
  journal_bytes one = one_of_each();
  static mainstem_event_header buffer[4];
  size_t count, needed;
  journal_write(&one, path);
  mainstem_journal *journal = opened(path);
  EXPECT_STATUS(mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, buffer, 191,
                                           &count, &needed),
                MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(needed, 64 + FILE_HEADER);
  EXPECT_STATUS(
      mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, NULL, 0, &count, &needed),
      MAINSTEM_TOO_BIG);
  EXPECT_EQUAL(needed, 64 + FILE_HEADER);
  EXPECT_OK(mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, buffer, needed,
                                       &count, &needed));
  EXPECT_EQUAL(count, 1);
  EXPECT(needed > 64);
  EXPECT(record_of(journal)->status == 1);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
}

/* What comes before the damage is in a batch of its own. */
CASE(damage_waits_for_the_next_batch, IN_ONE) {
  const char *path = journal_path("late");
  journal_bytes one = one_of_each();
  static mainstem_event_header buffer[1 << 10];
  size_t count;
  size_t hurt = one.size;
  journal_event(&one, 3, "hurt", 4);
  journal_event(&one, 3, "last", 4);
  one.bytes[hurt + 20] ^= 1;
  journal_write(&one, path);
  mainstem_journal *journal = opened(path);
  EXPECT_OK(mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, buffer,
                                       sizeof buffer, &count, NULL));
  EXPECT(count > 5);
  for (int i = 0; i < 2; i++) {
    EXPECT_STATUS(mainstem_journal_next_many(journal, MAINSTEM_JOURNAL_EVERY_RECORD, buffer,
                                             sizeof buffer, &count, NULL),
                  MAINSTEM_CORRUPT);
    EXPECT_EQUAL(count, 0);
  }
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
}

CASE(damage_ends_it, IN_ONE) {
  const char *path = journal_path("hurt");
  journal_bytes one = one_of_each();
  const mainstem_event *record;
  one.bytes[FILE_HEADER + 20] ^= 1;
  journal_write(&one, path);
  mainstem_journal *journal = opened(path);
  EXPECT(begins_file(record_of(journal)));
  for (int i = 0; i < 2; i++) {
    EXPECT_STATUS(mainstem_journal_next(journal, MAINSTEM_JOURNAL_EVERY_RECORD, &record),
                  MAINSTEM_CORRUPT);
    EXPECT(record == NULL);
  }
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&one);
}

int main(void) { return journal_expect_all(); }

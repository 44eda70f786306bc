// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Journals of an older version of the format: read, not recorded into, and copied into the present one by salvage. */

#include "journal_bytes.h"
#include "stream.h"

/* A session with an origin of one letter, and one of seven. */
static journal_bytes sample(uint32_t version) {
  journal_bytes made = journal_file(1, NULL);
  mainstem_event_header header;
  journal_set_version(&made, version);
  journal_session(&made, 0);
  journal_type(&made, 1, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_NOTICE, "Said", "");
  journal_name(&made, ORIGIN, 1, "V");
  journal_name(&made, ORIGIN, 2, "Another");
  for (uint32_t origin = 0; origin < 3; origin++) {
    header = journal_header(&made, 1, 1);
    header.origin = origin;
    journal_record(&made, header, "x");
  }
  journal_digest(&made, END, 8);
  return made;
}

/* What the lines of a journal say of origins, and its version. */
static void expect_names(const char *path, uint32_t version) {
  static const char *const names[] = {"", "V", "Another"};
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  const mainstem_event *event;
  const char *name;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(mainstem_journal_next(journal, 0, &event));
    EXPECT(event != NULL && event->position == (uint64_t)i + 1);
    EXPECT_OK(mainstem_journal_origin_name(journal, event->origin, &name));
    EXPECT_TEXT(name, names[i]);
  }
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT(event == NULL);
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.version == version && info.is_read == 1);
  EXPECT_OK(mainstem_journal_close(journal));
}

static mainstem_status record(const char *path, uint32_t version, uint64_t *events) {
  char named[20];
  mainstem_context *context = context_open(MAINSTEM_THREADS_ONE);
  mainstem_status status = mainstem_journal_record(context, path, NULL);
  mainstem_journal_stats stats = {.size = sizeof stats};
  if (status == MAINSTEM_OK) EXPECT_OK(mainstem_journal_stats_read(context, &stats));
  if (events != NULL) *events = stats.written;
  snprintf(named, sizeof named, "(version %u)", version);
  if (status != MAINSTEM_OK)
    EXPECT(strstr(mainstem_last_error(), named) != NULL &&
           strstr(mainstem_last_error(), "mainstem_journal_salvage") != NULL);
  EXPECT_OK(mainstem_context_close(context));
  return status;
}

static void an_older_version_is_read_and_copied_but_not_recorded_into(uint32_t version) {
  journal_bytes made = sample(version), after = {0};
  char path[600], copy[600];
  mainstem_salvage_report report = {.size = sizeof report};
  uint64_t written;
  snprintf(path, sizeof path, "%s", journal_path("old"));
  snprintf(copy, sizeof copy, "%s", journal_path("new"));
  journal_write(&made, path);
  expect_names(path, version);
  EXPECT_STATUS(record(path, version, NULL), MAINSTEM_VERSION);
  journal_grow(&after, made.size);
  FILE *file = fopen(path, "rb");
  EXPECT(file != NULL && fread(after.bytes, 1, made.size, file) == made.size);
  EXPECT(fgetc(file) == EOF && fclose(file) == 0);
  EXPECT(memcmp(after.bytes, made.bytes, made.size) == 0);

  EXPECT_OK(mainstem_journal_salvage(path, copy, &report));
  EXPECT(report.events == 3 && report.lost_positions == 0 && report.lost_bytes == 0);
  expect_names(copy, 3);
  EXPECT_OK(record(copy, 3, &written));
  EXPECT_EQUAL(written, 3);
  unlink(path);
  unlink(copy);
  journal_free(&made);
  journal_free(&after);
}

static void salvage_knows_the_version_without_a_header(void) {
  for (uint32_t version = 1; version <= 3; version++) {
    journal_bytes made = sample(version);
    mainstem_salvage_report report = {.size = sizeof report};
    char path[600], copy[600];
    snprintf(path, sizeof path, "%s", journal_path("headless"));
    snprintf(copy, sizeof copy, "%s", journal_path("new"));
    memset(made.bytes, 'x', 16);
    journal_write(&made, path);
    EXPECT_OK(mainstem_journal_salvage(path, copy, &report));
    EXPECT_EQUAL(report.events, 3);
    expect_names(copy, 3);
    unlink(path);
    unlink(copy);
    journal_free(&made);
  }
}

static void the_files_of_a_journal_are_of_one_version(void) {
  journal_bytes first = sample(3), second = journal_file(1, &first);
  mainstem_journal *journal;
  const mainstem_event *event;
  char path[600], one[700], two[700];
  snprintf(path, sizeof path, "%s", journal_path("parts"));
  snprintf(one, sizeof one, "%s.000001", path);
  snprintf(two, sizeof two, "%s.000002", path);
  journal_set_version(&second, 2);
  journal_session(&second, 1);
  journal_write(&first, one);
  journal_write(&second, two);
  EXPECT_OK(mainstem_journal_open(path, &journal));
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), MAINSTEM_CORRUPT);
  EXPECT(strstr(mainstem_last_error(), "does not continue the file before") != NULL);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(one);
  unlink(two);
  journal_free(&first);
  journal_free(&second);
}

int main(void) {
  an_older_version_is_read_and_copied_but_not_recorded_into(1);
  an_older_version_is_read_and_copied_but_not_recorded_into(2);
  salvage_knows_the_version_without_a_header();
  the_files_of_a_journal_are_of_one_version();
  rmdir(journal_path(""));
  return 0;
}

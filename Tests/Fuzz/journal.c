// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Fuzzes the reading of journals: whatever a file says, every call ends in a status.
 *
 * The first byte of an input says what is mended before it is read, because nobody guesses checksums: bit 1 the
 * links and checksums of the records, bit 2 the header's; bit 4: the record whose number is the second byte is
 * left as it is. The rest is the file. One input in 512 is salvaged too, which takes the disk's time.
 */

#include "../CTests/journal_bytes.h"

#include <sys/mman.h>

enum { MEND_RECORDS = 1, MEND_HEADER = 2, SPARE_ONE = 4, MOST = 1 << 16 };

static uint8_t bytes[MOST];

static void mend_header(void) {
  memcpy(bytes, "\x89MSJ\r\n\x1a\n", 8);
  put32(bytes + 8, 1);
  put32(bytes + 12, FILE_HEADER);
  put32(bytes + 124, crc32c(0, bytes, 124));
}

static void mend_records(size_t size, size_t spared) {
  uint32_t key = crc32c(0, bytes + 16, 24), link;
  size_t at = FILE_HEADER;
  memcpy(&link, bytes + 124, 4);
  for (size_t record = 0; size - at >= 72; record++) {
    uint32_t payload;
    size_t length;
    memcpy(&payload, bytes + at + 40, 4);
    length = (64 + (size_t)payload + 4 + 7) / 8 * 8;
    if (length > size - at) return;
    if (record != spared) {
      put32(bytes + at + 44, link);
      put32(bytes + at + length - 4, crc32c(key, bytes + at, length - 4));
    }
    memcpy(&link, bytes + at + length - 4, 4);
    at += length;
  }
}

/* Reads all of it, and looks at all of every event, as a host would. */
static void read_all(const char *path) {
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  mainstem_type_info type = {.size = sizeof type};
  mainstem_error error = {.size = sizeof error};
  const mainstem_event *event;
  const char *name;
  uint64_t last = 0;
  mainstem_status status = mainstem_journal_open(path, &journal);
  if (status != MAINSTEM_OK) {
    EXPECT(status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION);
    return;
  }
  while ((status = mainstem_journal_next(journal, &event)) == MAINSTEM_OK && event != NULL) {
    char line[300];
    EXPECT(event->position > last);
    last = event->position;
    EXPECT(crc32c(0, event->data, event->size) + strlen(event->text) < UINT64_MAX);
    EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
    if (mainstem_journal_type_read(journal, event->type, &type) == MAINSTEM_OK)
      EXPECT(strlen(type.name) > 0);
    if (mainstem_journal_origin_name(journal, event->origin, &name) == MAINSTEM_OK)
      EXPECT(strlen(name) < MOST);
    if (mainstem_event_error(event, &error) == MAINSTEM_OK)
      EXPECT(strlen(error.sentence) + strlen(error.text) + strlen(error.subject) <= MOST);
  }
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.is_read == 1 && info.bytes <= MOST && info.torn_bytes <= MOST);
  EXPECT_OK(mainstem_journal_close(journal));
}

/* What was salvaged can be read to its end. */
static void salvage(const char *path) {
  mainstem_journal *journal;
  mainstem_salvage_report report = {.size = sizeof report};
  const mainstem_event *event;
  const char *to = journal_path("salvaged");
  uint64_t events = 0;
  mainstem_status status = mainstem_journal_salvage(path, to, &report);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION);
  if (status != MAINSTEM_OK) return;
  EXPECT_OK(mainstem_journal_open(to, &journal));
  do {
    EXPECT_OK(mainstem_journal_next(journal, &event));
    events += event != NULL;
  } while (event != NULL);
  EXPECT_EQUAL(events, report.events);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char path[64];
  static int fd = -1;
  static uint64_t runs;
  if (size < 2 || size - 2 > MOST) return 0;
  if (fd < 0) {
    fd = memfd_create("journal", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  memcpy(bytes, data + 2, size - 2);
  if (size - 2 >= FILE_HEADER) {
    if (data[0] & MEND_HEADER) mend_header();
    if (data[0] & MEND_RECORDS) mend_records(size - 2, data[0] & SPARE_ONE ? data[1] : SIZE_MAX);
  }
  EXPECT(ftruncate(fd, (off_t)(size - 2)) == 0);
  EXPECT(pwrite(fd, bytes, size - 2, 0) == (ssize_t)(size - 2));
  read_all(path);
  if (++runs % 512 == 0) salvage(path);
  return 0;
}

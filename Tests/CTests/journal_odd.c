// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.6: records that nobody changed, but that no writer makes: a stranger's file has right checksums,
 * too. Each is damage to a reader, and a salvage leaves it out.
 */

#include "journal_bytes.h"

/* A record. What it says (SESSION …) is a status; a record that says something has no type, and no flags. */
typedef struct odd {
  const char *what;
  mainstem_status status;
  const char *data;
  uint32_t size;
  uint32_t type, flags;
  uint64_t correlation, cause, answers;
} odd;

#define AN_EVENT .type = 1, .correlation = 1
#define OUTSIDE MAINSTEM_EVENT_OUTSIDE
#define DATA(text) .data = text, .size = sizeof(text) - 1
#define SEVEN "\0\0\0\0\0\0\0"
#define EIGHT SEVEN "\0"

static const odd all[] = {
    {"a failure without texts", .status = 7, AN_EVENT, .flags = OUTSIDE},
    {"a failure with too few texts", .status = 7, DATA("ab\0\0"), AN_EVENT, .flags = OUTSIDE},
    {"a gap", AN_EVENT, .flags = MAINSTEM_EVENT_GAP},
    {"a late event", AN_EVENT, .flags = MAINSTEM_EVENT_LATE},
    {"a mark with a payload", DATA("ab"), AN_EVENT, .flags = MAINSTEM_EVENT_MARKED},
    {"a mark that failed", .status = 7, AN_EVENT, .flags = MAINSTEM_EVENT_MARKED},
    {"a cause that comes later", AN_EVENT, .flags = OUTSIDE, .cause = 1},
    {"an answer to what comes later", AN_EVENT, .flags = OUTSIDE, .answers = 2},
    {"a correlation that comes later", .type = 1, .flags = OUTSIDE, .correlation = 2},
    {"something said from outside", .status = 99, .flags = OUTSIDE},
    {"something said below 0", .status = -1},
    {"something said with a correlation", .status = 99, .correlation = 1},
    {"a session that is too short", .status = SESSION, DATA("short")},
    {"a type without a response", .status = TYPE, DATA("\1" SEVEN EIGHT "Name")},
    {"a type with the number 0", .status = TYPE, DATA("\0" SEVEN EIGHT "N\0\0")},
    {"a type whose name is not UTF-8", .status = TYPE, DATA("\1" SEVEN EIGHT "\xff\0\0")},
    {"a 65th layer", .status = LAYER, DATA("\x40\0\0\0Name")},
    {"an origin that is too short", .status = ORIGIN, DATA("\1\0\0\0")},
    {"an origin with a zero in its name", .status = ORIGIN,
     DATA("\1" SEVEN "1234567812345678a\0b")},
    {"all positions skipped", .status = SKIPPED,
     DATA("\1" SEVEN "\xff\xff\xff\xff\xff\xff\xff\xff")},
    {"a hole", .status = SKIPPED, DATA("\2" SEVEN "\3" SEVEN)},
    {"a skip with too much", .status = SKIPPED, DATA("\1" SEVEN "\1" SEVEN "\1" SEVEN)},
    {"a read point that comes later", .status = READ_POINT, DATA("12345678")},
    {"a closing that is too short", .status = CLOSING, DATA("12345678")},
    {"a refusal of what comes later", .status = REFUSED,
     DATA("1234567812345678123456781234567812345678")},
    {"a refusal that is too short", .status = REFUSED, DATA("12345678")},
    {"a digest that is too short", .status = DIGEST, DATA("1234")},
};

/* Catches: a salvage that takes over what the reader takes for damage. */
static void expect_a_salvage_that_can_be_read(const char *path, const char *to) {
  mainstem_salvage_report report = {.size = sizeof report};
  mainstem_journal *journal;
  const mainstem_event *event;
  uint64_t events = 0;
  EXPECT_OK(mainstem_journal_salvage(path, to, &report));
  EXPECT_OK(mainstem_journal_open(to, &journal));
  while (EXPECT_OK(mainstem_journal_next(journal, 0, &event)), event != NULL) events++;
  EXPECT_EQUAL(events, report.events);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(to);
}

static void write_odd(const odd *row, const char *path) {
  journal_bytes made = journal_file(30, NULL);
  journal_session(&made, 0);
  mainstem_event_header header = journal_header(&made, row->type, row->size);
  if (row->type == 0) header.position = made.last = 0, header.time = 1700000000000000000;
  header.status = row->status;
  header.flags = row->flags;
  header.correlation = row->correlation;
  header.cause = row->cause;
  header.answers = row->answers;
  journal_record(&made, header, row->data);
  journal_event(&made, 1, "", 0);
  journal_write(&made, path);
  journal_free(&made);
}

CASE(what_no_writer_writes_is_damage, IN_ONE) {
  const char *path = journal_path("odd");
  char to[600];
  snprintf(to, sizeof to, "%s-salvaged", path);
  for (size_t i = 0; i < COUNT(all); i++) {
    mainstem_journal *journal;
    const mainstem_event *event;
    expect_sentence = all[i].what;
    write_odd(&all[i], path);
    EXPECT_OK(mainstem_journal_open(path, &journal));
    EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), MAINSTEM_CORRUPT);
    EXPECT(strstr(mainstem_last_error(), "holds a record that no journal has") != NULL);
    EXPECT(event == NULL);
    EXPECT_OK(mainstem_journal_close(journal));
    expect_a_salvage_that_can_be_read(path, to);
  }
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Reading journals in tests: what is expected of each call, and a journal with a little of everything. */

#ifndef JOURNAL_READING_H
#define JOURNAL_READING_H

#include "journal_bytes.h"

static inline mainstem_journal *opened(const char *path) {
  mainstem_journal *journal;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  return journal;
}

static inline mainstem_journal_info info_of(mainstem_journal *journal) {
  mainstem_journal_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  return info;
}

static inline const mainstem_event *next_of(mainstem_journal *journal) {
  const mainstem_event *event;
  EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  return event;
}

/* So many events of a journal, and then its end or damage, which is told as often as it is asked. */
static inline void expect_events(const char *path, uint64_t wanted, mainstem_status ending) {
  mainstem_journal *journal = opened(path);
  const mainstem_event *event;
  uint64_t count = 0;
  mainstem_status status;
  while ((status = mainstem_journal_next(journal, 0, &event)) == MAINSTEM_OK && event != NULL)
    count++;
  EXPECT_EQUAL(count, wanted);
  EXPECT_STATUS(status, ending);
  EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), ending);
  EXPECT(event == NULL);
  EXPECT_EQUAL(info_of(journal).damaged_file != 0, ending == MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_close(journal));
}

/* An event, the names it needs, its answer, which failed, and a mark behind positions that are not kept. */
static inline journal_bytes one_of_each(void) {
  const mainstem_contract text = MAINSTEM_PAYLOAD_TEXT;
  journal_bytes made = journal_file(7, NULL);
  journal_session(&made, 0);
  journal_name(&made, LAYER, 6, "weather");
  journal_type(&made, 3, MAINSTEM_ROLE_REQUEST | text, "RequestRain", "ResponseRain");
  journal_event(&made, 3, "Oslo", 4);
  journal_type(&made, 4, MAINSTEM_ROLE_RESPONSE | text, "ResponseRain", "");
  journal_name(&made, ORIGIN, 2, "Clouds");
  mainstem_event_header header = journal_header(&made, 4, 18);
  header.cause = header.correlation = header.answers = 1;
  header.flags = 0;
  header.status = MAINSTEM_APP + 4;
  header.origin = 2;
  journal_record(&made, header, "no clouds\0Sunny\0o\0");
  journal_skip(&made, 3);
  header = journal_header(&made, 3, 0);
  header.flags = MAINSTEM_EVENT_MARKED;
  header.cause = 2;
  journal_record(&made, header, NULL);
  return made;
}

#endif

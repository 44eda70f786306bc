// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Reading a journal that is whole: everything in it, in order, and what it says of itself. */

#include "journal_reading.h"

#include <pthread.h>
#include <sys/wait.h>

/* A little of everything: one session, and another that says its names anew. */
static journal_bytes full_journal(void) {
  journal_bytes journal = one_of_each();
  journal_digest(&journal, DIGEST, 99);
  journal_session(&journal, 0);
  journal_type(&journal, 3, MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_BYTES, "Other", "");
  journal_event(&journal, 3, "\0\1\2", 3);
  journal_digest(&journal, END, 100);
  return journal;
}

/* Its events. */
static const struct {
  const char *line;
  uint64_t position, answers;
  uint32_t flags, size;
  const char *data;
} events[] = {
    {"#1 RequestRain Oslo", 1, 0, MAINSTEM_EVENT_OUTSIDE, 4, "Oslo"},
    {"#2 ResponseRain 1004 ← #1 Clouds \"no clouds\"", 2, 1, 0, 18, "no clouds\0Sunny\0o\0"},
    {"#6 RequestRain ← #2 <marked>", 6, 0, MAINSTEM_EVENT_MARKED, 0, ""},
    {"#7 Other <3 bytes>", 7, 0, MAINSTEM_EVENT_OUTSIDE, 3, "\0\1\2"},
};

/* What its names are once so many events came; without one, the number is of nothing. */
static const struct {
  size_t after;
  uint32_t number;
  const char *type, *origin;
  uint32_t response;
} names[] = {
    {1, 3, "RequestRain", NULL, 0}, /* Its response's type has no number yet. */
    {1, 4, NULL, NULL, 0},          {2, 3, "RequestRain", NULL, 4},
    {2, 2, NULL, "Clouds", 0},      {2, 0, NULL, "", 0},
    {2, 1, NULL, NULL, 0},          {4, 3, "Other", NULL, 0},
    {4, 2, NULL, NULL, 0},
};

static void expect_names(mainstem_journal *journal, size_t after) {
  for (size_t i = 0; i < COUNT(names); i++) {
    mainstem_type_info type = {.size = sizeof type};
    const char *origin;
    if (names[i].after != after) continue;
    EXPECT_STATUS(mainstem_journal_type_read(journal, names[i].number, &type),
                  names[i].type != NULL ? MAINSTEM_OK : MAINSTEM_INVALID);
    if (names[i].type != NULL) EXPECT_TEXT(type.name, names[i].type);
    if (names[i].type != NULL) EXPECT_EQUAL(type.response, names[i].response);
    EXPECT_STATUS(mainstem_journal_origin_name(journal, names[i].number, &origin),
                  names[i].origin != NULL ? MAINSTEM_OK : MAINSTEM_INVALID);
    if (names[i].origin != NULL) EXPECT_TEXT(origin, names[i].origin);
  }
}

static void expect_event(mainstem_journal *journal, size_t index) {
  const mainstem_event *event = next_of(journal);
  char line[512];
  EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
  EXPECT_TEXT(line, events[index].line);
  EXPECT_EQUAL(event->position, events[index].position);
  EXPECT_EQUAL(event->time, 1700000000000000000 + (int64_t)event->position);
  EXPECT_EQUAL(event->answers, events[index].answers);
  EXPECT_EQUAL(event->flags, events[index].flags);
  EXPECT_EQUAL(event->size, events[index].size);
  EXPECT(event->data != NULL && memcmp(event->data, events[index].data, event->size) == 0);
  EXPECT(event->context == NULL && event->reply == 0 && event->home == 0 && event->offset == 0);
  if (event->status != MAINSTEM_OK) {
    mainstem_error error = {.size = sizeof error};
    EXPECT_OK(mainstem_event_error(event, &error));
    EXPECT_TEXT(event->user_message, "Sunny");
    EXPECT_TEXT(error.message, "no clouds");
    EXPECT_TEXT(error.subject, "o");
  }
}

CASE(every_event_comes_as_it_was, IN_ONE) {
  const char *path = journal_path("full");
  journal_bytes made = full_journal();
  mainstem_type_info type = {.size = sizeof type};
  mainstem_journal_info info;
  const mainstem_event *event;
  journal_write(&made, path);
  mainstem_journal *journal = opened(path);
  for (size_t i = 0; i < COUNT(events); i++) {
    expect_event(journal, i);
    expect_names(journal, i + 1);
    info = info_of(journal);
    EXPECT(info.is_read == 0 && info.is_clean == 0);
    EXPECT_OK(mainstem_journal_type_read(journal, 3, &type));
    if (i < 3) EXPECT_EQUAL(type.contract, MAINSTEM_ROLE_REQUEST | MAINSTEM_PAYLOAD_TEXT);
  }
  EXPECT(next_of(journal) == NULL);
  EXPECT(next_of(journal) == NULL);
  info = info_of(journal);
  EXPECT(info.version == 3 && info.files == 1 && info.sessions == 2 && info.events == 4);
  EXPECT(info.first == 1 && info.last == 7 && info.bytes == made.size && info.torn_bytes == 0);
  EXPECT(info.damaged_file == 0 && info.damaged_at == 0 && info.is_read == 1);
  EXPECT(info.digest == 100 && info.digest_position == 7 && info.is_clean == 1);
  EXPECT(memcmp(info.id, made.id, 16) == 0);
  EXPECT_OK(mainstem_journal_close(journal));
  EXPECT_STATUS(mainstem_journal_close(journal), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), MAINSTEM_STALE);
  EXPECT_OK(mainstem_journal_close(NULL));
  journal_free(&made);
}

/* Reserved room at the end is no damage. */
CASE(zeros_end_a_file, IN_ONE) {
  const char *path = journal_path("zeros");
  journal_bytes made = full_journal();
  mainstem_journal *journal;
  size_t size = made.size;
  for (size_t more = 1; more <= 1 << 20; more = more * 3 + 1) {
    made.size = size;
    journal_grow(&made, more);
    journal_write(&made, path);
    journal = opened(path);
    for (int i = 0; i < 4; i++) EXPECT(next_of(journal) != NULL);
    EXPECT(next_of(journal) == NULL);
    EXPECT(info_of(journal).is_clean == 1);
    EXPECT_OK(mainstem_journal_close(journal));
  }
  journal_free(&made);
}

/* A payload that no window holds. */
CASE(long_payloads_come_whole, IN_ONE) {
  const char *path = journal_path("long");
  journal_bytes made = journal_file(8, NULL);
  uint8_t *payload = (uint8_t *)malloc(5 << 20);
  for (size_t i = 0; i < 5 << 20; i++) payload[i] = (uint8_t)(i * 31 >> 3);
  journal_session(&made, 0);
  journal_event(&made, 1, payload, 5 << 20);
  journal_event(&made, 1, payload, 1);
  journal_event(&made, 1, payload, (1 << 17) - 68);
  journal_event(&made, 1, payload, (1 << 17) - 67);
  journal_write(&made, path);
  mainstem_journal *journal = opened(path);
  const mainstem_event *event = next_of(journal);
  EXPECT(event->size == 5 << 20 && memcmp(event->data, payload, event->size) == 0);
  EXPECT((uintptr_t)event->data % 8 == 0);
  for (int i = 0; i < 3; i++) {
    event = next_of(journal);
    EXPECT(memcmp(event->data, payload, event->size) == 0);
  }
  EXPECT(next_of(journal) == NULL);
  EXPECT(info_of(journal).is_clean == 0); /* Nobody closed it. */
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(path);
  free(payload);
  journal_free(&made);
}

static mainstem_journal *shared;

static void *read_on(void *count) {
  const mainstem_event *event;
  for (int i = 0; i < 20000; i++) {
    mainstem_status status = mainstem_journal_next(shared, 0, &event);
    if (status == MAINSTEM_STALE) break;
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_WRONG_THREAD);
    if (status == MAINSTEM_OK && event != NULL) ++*(int *)count;
  }
  return NULL;
}

/* Catches: two threads inside one journal, and one that is inside when it is closed. */
CASE(two_threads_at_once_are_told, IN_ONE) {
  const char *path = journal_path("shared");
  journal_bytes made = journal_file(11, NULL);
  journal_session(&made, 0);
  for (int i = 0; i < 10000; i++) journal_event(&made, 1, "shared", 6);
  journal_write(&made, path);
  for (int round = 0; round < 4; round++) {
    pthread_t reader[2];
    int counts[2] = {0, 0};
    mainstem_status status;
    shared = opened(path);
    for (int i = 0; i < 2; i++) pthread_create(&reader[i], NULL, read_on, &counts[i]);
    if (round % 2 == 1) {
      while ((status = mainstem_journal_close(shared)) != MAINSTEM_OK)
        EXPECT_STATUS(status, MAINSTEM_WRONG_THREAD);
    }
    for (int i = 0; i < 2; i++) pthread_join(reader[i], NULL);
    EXPECT(counts[0] + counts[1] <= 10000);
    if (round % 2 == 0) EXPECT_OK(mainstem_journal_close(shared));
  }
  journal_free(&made);
}

CASE(a_child_process_has_no_journal, IN_ONE) {
  const char *path = journal_path("forked");
  journal_bytes made = full_journal();
  int status;
  journal_write(&made, path);
  mainstem_journal *journal = opened(path);
  pid_t child = fork();
  if (child == 0) {
    const mainstem_event *event;
    EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), MAINSTEM_FORKED);
    journal = opened(path);
    EXPECT(next_of(journal)->position == 1);
    _exit(0);
  }
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(next_of(journal)->position == 1);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

int main(void) { return journal_expect_all(); }

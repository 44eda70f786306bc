// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Reading a journal that is whole: everything in it, in order; what it says of itself; its files. */

#include "journal_bytes.h"

#include <pthread.h>
#include <sys/wait.h>

#define TEXT MAINSTEM_PAYLOAD_TEXT

static mainstem_journal *opened(const char *path) {
  mainstem_journal *journal;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  return journal;
}

static mainstem_journal_info info_of(mainstem_journal *journal) {
  mainstem_journal_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  return info;
}

static const mainstem_event *next_of(mainstem_journal *journal) {
  const mainstem_event *event;
  EXPECT_OK(mainstem_journal_next(journal, &event));
  return event;
}

static const char *line_of(mainstem_journal *journal, const mainstem_event *event) {
  static char line[512];
  EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
  return line;
}

/* A little of everything. */
static journal_bytes full_journal(void) {
  journal_bytes journal = journal_file(7, NULL);
  mainstem_header header;
  journal_session(&journal, 0);
  journal_name(&journal, LAYER, 6, "weather");
  journal_type(&journal, 3, MAINSTEM_ROLE_REQUEST | TEXT, "RequestRain", "ResponseRain");
  journal_event(&journal, 3, "Oslo", 4);
  journal_type(&journal, 4, MAINSTEM_ROLE_RESPONSE | TEXT, "ResponseRain", "");
  journal_name(&journal, ORIGIN, 2, "Clouds");
  header = journal_header(&journal, 4, 18);
  header.cause = header.correlation = header.answers = 1;
  header.flags = 0;
  header.status = MAINSTEM_APP + 4;
  header.origin = 2;
  journal_record(&journal, header, "no clouds\0Sunny\0o\0");
  journal_skip(&journal, 3);
  header = journal_header(&journal, 3, 0);
  header.flags = MAINSTEM_EVENT_MARKED;
  header.cause = 2;
  journal_record(&journal, header, NULL);
  journal_digest(&journal, DIGEST, 99);
  journal_session(&journal, 0);
  journal_type(&journal, 3, MAINSTEM_ROLE_NOTICE | MAINSTEM_PAYLOAD_BYTES, "Other", "");
  journal_event(&journal, 3, "\0\1\2", 3);
  journal_digest(&journal, END, 100);
  return journal;
}

static void every_event_comes_as_it_was(uint32_t threads) {
  const char *path = journal_path("full"), *name;
  journal_bytes made = full_journal();
  mainstem_journal *journal;
  mainstem_type_info type = {.size = sizeof type};
  mainstem_error error = {.size = sizeof error};
  mainstem_journal_info info;
  const mainstem_event *event;
  (void)threads;
  journal_write(&made, path);
  journal = opened(path);
  event = next_of(journal);
  EXPECT_EQUAL(event->position, 1);
  EXPECT_EQUAL(event->time, 1700000000000000001);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(event->offset, 0);
  EXPECT(event->context == NULL && event->reply == 0 && event->home == 0);
  EXPECT(event->size == 4 && memcmp(event->data, "Oslo", 4) == 0);
  EXPECT_TEXT(line_of(journal, event), "#1 RequestRain Oslo");
  EXPECT_OK(mainstem_journal_type_read(journal, 3, &type));
  EXPECT_TEXT(type.name, "RequestRain");
  EXPECT(type.contract == (MAINSTEM_ROLE_REQUEST | TEXT) && type.response == 0);
  EXPECT_STATUS(mainstem_journal_type_read(journal, 4, &type), MAINSTEM_INVALID);
  event = next_of(journal);
  EXPECT_EQUAL(event->answers, 1);
  EXPECT_TEXT(event->text, "Sunny");
  EXPECT_OK(mainstem_event_error(event, &error));
  EXPECT_TEXT(error.sentence, "no clouds");
  EXPECT_TEXT(error.subject, "o");
  EXPECT_TEXT(line_of(journal, event), "#2 ResponseRain 1004 ← #1 Clouds \"no clouds\"");
  EXPECT_OK(mainstem_journal_type_read(journal, 3, &type));
  EXPECT_EQUAL(type.response, 4);
  EXPECT_OK(mainstem_journal_origin_name(journal, 2, &name));
  EXPECT_TEXT(name, "Clouds");
  EXPECT_OK(mainstem_journal_origin_name(journal, 0, &name));
  EXPECT_TEXT(name, "");
  EXPECT_STATUS(mainstem_journal_origin_name(journal, 1, &name), MAINSTEM_INVALID);
  event = next_of(journal);
  EXPECT_EQUAL(event->position, 6);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_MARKED);
  EXPECT(event->data != NULL && event->size == 0);
  info = info_of(journal);
  EXPECT(info.is_read == 0 && info.is_clean == 0);
  event = next_of(journal);
  EXPECT_TEXT(line_of(journal, event), "#7 Other <3 bytes>");
  EXPECT_STATUS(mainstem_journal_origin_name(journal, 2, &name), MAINSTEM_INVALID);
  EXPECT(next_of(journal) == NULL);
  EXPECT(next_of(journal) == NULL);
  info = info_of(journal);
  EXPECT(info.version == 2 && info.files == 1 && info.sessions == 2 && info.events == 4);
  EXPECT(info.first == 1 && info.last == 7 && info.bytes == made.size && info.torn_bytes == 0);
  EXPECT(info.damaged_file == 0 && info.damaged_at == 0 && info.is_read == 1);
  EXPECT(info.digest == 100 && info.digest_position == 7 && info.is_clean == 1);
  EXPECT(memcmp(info.id, made.id, 16) == 0);
  EXPECT_OK(mainstem_journal_close(journal));
  EXPECT_STATUS(mainstem_journal_close(journal), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_journal_next(journal, &event), MAINSTEM_STALE);
  EXPECT_OK(mainstem_journal_close(NULL));
  unlink(path);
  journal_free(&made);
}

/* Reserved room at the end is no damage. */
static void zeros_end_a_file(uint32_t threads) {
  const char *path = journal_path("zeros");
  journal_bytes made = full_journal();
  mainstem_journal *journal;
  size_t size = made.size;
  (void)threads;
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
  unlink(path);
  journal_free(&made);
}

/* A payload that no window holds. */
static void long_payloads_come_whole(uint32_t threads) {
  const char *path = journal_path("long");
  journal_bytes made = journal_file(8, NULL);
  mainstem_journal *journal;
  const mainstem_event *event;
  uint8_t *payload = (uint8_t *)malloc(5 << 20);
  (void)threads;
  for (size_t i = 0; i < 5 << 20; i++) payload[i] = (uint8_t)(i * 31 >> 3);
  journal_session(&made, 0);
  journal_event(&made, 1, payload, 5 << 20);
  journal_event(&made, 1, payload, 1);
  journal_event(&made, 1, payload, (1 << 17) - 68);
  journal_event(&made, 1, payload, (1 << 17) - 67);
  journal_write(&made, path);
  journal = opened(path);
  event = next_of(journal);
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

enum { SEGMENTS = 5 };

/* PATH.000001 … of five events each; 999,999 is followed by 1,000,000. */
static void write_segments(journal_bytes *segments, uint64_t first) {
  char name[64];
  for (uint64_t i = 0; i < SEGMENTS; i++) {
    journal_bytes start = {0};
    start.number = first - 1;
    segments[i] = journal_file(9, i > 0 ? &segments[i - 1] : first > 1 ? &start : NULL);
    journal_session(&segments[i], i > 0);
    for (int event = 0; event < 5; event++) journal_event(&segments[i], 1, "x", 1);
    snprintf(name, sizeof name, "segments.%06d", (int)(first + i));
    journal_write(&segments[i], journal_path(name));
  }
}

static const char *segment(uint64_t number) {
  char name[64];
  snprintf(name, sizeof name, "segments.%06d", (int)number);
  return journal_path(name);
}

static uint64_t events_in(const char *path, mainstem_status wanted) {
  mainstem_journal *journal = opened(path);
  const mainstem_event *event;
  uint64_t count = 0;
  mainstem_status status;
  while ((status = mainstem_journal_next(journal, &event)) == MAINSTEM_OK && event != NULL) count++;
  EXPECT_STATUS(status, wanted);
  EXPECT_STATUS(mainstem_journal_next(journal, &event), wanted);
  EXPECT(event == NULL);
  EXPECT_EQUAL(info_of(journal).damaged_file != 0, wanted == MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_close(journal));
  return count;
}

static void files_follow_each_other(uint32_t threads) {
  journal_bytes segments[SEGMENTS];
  const uint64_t begins[] = {1, 41, 999997};
  (void)threads;
  for (size_t i = 0; i < COUNT(begins); i++) {
    write_segments(segments, begins[i]);
    EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_OK), 25);
    unlink(segment(begins[i])); /* A flight recorder keeps the last. */
    EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_OK), 20);
    EXPECT_EQUAL(events_in(segment(begins[i] + 2), MAINSTEM_OK), 5); /* One alone. */
    unlink(segment(begins[i] + 2));                                  /* A hole. */
    EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_CORRUPT), 5);
    for (int s = 0; s < SEGMENTS; s++) {
      unlink(segment(begins[i] + (uint64_t)s));
      journal_free(&segments[s]);
    }
  }
}

/* Catches: a file of another journal, or one that does not go on where the last one ended. */
static void a_file_that_does_not_continue_is_damage(uint32_t threads) {
  journal_bytes segments[SEGMENTS], other;
  (void)threads;
  write_segments(segments, 1);
  segments[3].bytes[FILE_HEADER - 1] ^= 1;
  journal_write(&segments[3], segment(4));
  EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_CORRUPT), 15);
  other = journal_file(10, &segments[2]);
  journal_write(&other, segment(4));
  EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_CORRUPT), 15);
  journal_free(&other);
  segments[2].link++;
  other = journal_file(9, &segments[2]);
  journal_write(&other, segment(4));
  EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_CORRUPT), 15);
  journal_free(&other);
  segments[2].size -= 8; /* Torn: then the next one cannot follow. */
  journal_write(&segments[2], segment(3));
  EXPECT_EQUAL(events_in(journal_path("segments"), MAINSTEM_CORRUPT), 14);
  for (int s = 0; s < SEGMENTS; s++) {
    unlink(segment(1 + (uint64_t)s));
    journal_free(&segments[s]);
  }
}

/* A crash while the last file was made: what is in it is torn, whatever it is. */
static void a_last_file_without_a_header_is_a_torn_tail(uint32_t threads) {
  journal_bytes segments[SEGMENTS];
  mainstem_journal *journal;
  (void)threads;
  write_segments(segments, 1);
  for (size_t size = 0; size < FILE_HEADER; size++) {
    segments[4].size = size;
    journal_write(&segments[4], segment(5));
    journal = opened(journal_path("segments"));
    for (int i = 0; i < 20; i++) EXPECT(next_of(journal) != NULL);
    EXPECT(next_of(journal) == NULL);
    EXPECT(info_of(journal).torn_bytes <= size && info_of(journal).torn_bytes + 60 >= size);
    EXPECT_OK(mainstem_journal_close(journal));
  }
  for (int s = 0; s < SEGMENTS; s++) {
    unlink(segment(1 + (uint64_t)s));
    journal_free(&segments[s]);
  }
}

static void refused(const char *path, mainstem_status wanted, const char *sentence) {
  mainstem_journal *journal = (mainstem_journal *)&journal;
  EXPECT_STATUS(mainstem_journal_open(path, &journal), wanted);
  EXPECT(journal == NULL);
  EXPECT(strstr(mainstem_last_error(), sentence) != NULL);
}

static void what_is_no_journal_is_refused_at_once(uint32_t threads) {
  const char *path = journal_path("none");
  mainstem_journal *journal;
  journal_bytes made = full_journal();
  (void)threads;
  refused(NULL, MAINSTEM_INVALID, "path: is NULL");
  refused("", MAINSTEM_INVALID, "path: is empty");
  EXPECT_STATUS(mainstem_journal_open(path, NULL), MAINSTEM_INVALID);
  refused(path, MAINSTEM_IO, "none (No such file or directory) cannot be opened as a journal");
  refused("/", MAINSTEM_IO, "(Is a directory)");
  refused("/dev/null", MAINSTEM_IO, "(Not a regular file)");
  EXPECT(mkfifo(path, 0600) == 0);
  refused(path, MAINSTEM_IO, "(Not a regular file)"); /* Without waiting for a writer. */
  unlink(path);
  journal_write(&made, path);
  EXPECT(truncate(path, 0) == 0 && truncate(path, (off_t)1 << 40) == 0);
  refused(path, MAINSTEM_CORRUPT, "is not a journal");
  journal_free(&made);
  made = full_journal();
  put32(made.bytes + 8, 3);
  journal_write(&made, path);
  refused(path, MAINSTEM_CORRUPT, "its header is damaged");
  put32(made.bytes + 124, crc32c(0, made.bytes, 124));
  journal_write(&made, path);
  refused(path, MAINSTEM_VERSION, "none (version 3) has a version of the format");
  journal_free(&made);
  made = full_journal();
  journal_write(&made, path); /* And one terabyte of reserved room. */
  EXPECT(truncate(path, (off_t)1 << 40) == 0);
  EXPECT_EQUAL(events_in(path, MAINSTEM_OK), 4);
  journal = opened(path);
  unlink(path);
  EXPECT(next_of(journal) != NULL);
  EXPECT_OK(mainstem_journal_close(journal));
  journal_free(&made);
}

static void expect_not_begun(const char *path, const char *file, const void *bytes, size_t size,
                             uint64_t torn) {
  mainstem_journal *journal;
  mainstem_journal_info info;
  uint8_t batch[100];
  size_t count = 1;
  int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
  journal = opened(path);
  EXPECT(next_of(journal) == NULL && next_of(journal) == NULL);
  EXPECT_OK(mainstem_journal_next_many(journal, batch, sizeof batch, &count, NULL));
  EXPECT_EQUAL(count, 0);
  info = info_of(journal);
  EXPECT(info.is_read == 1 && info.is_clean == 0 && info.damaged_file == 0 && info.first == 0);
  EXPECT(info.files == 0 && info.sessions == 0 && info.events == 0 && info.last == 0);
  EXPECT(info.bytes == 0 && info.torn_bytes == torn);
  EXPECT_OK(mainstem_journal_close(journal));
  close(fd);
}

/* A crash before the first header was whole: no journal was begun, and recording begins it. */
static void a_first_header_that_is_torn_is_an_empty_journal(uint32_t threads) {
  char path[512], file[512];
  journal_bytes made = full_journal();
  uint8_t *zeros = (uint8_t *)calloc(1, 8 << 20);
  const char foreign[] = "\x89MSI\r\n\x1a\n";
  (void)threads;
  snprintf(path, sizeof path, "%s", journal_path("begun"));
  made.bytes[FILE_HEADER - 1] |= 1; /* So that each byte counts. */
  for (size_t size = 0; size < FILE_HEADER; size++) {
    size_t torn = size;
    while (torn > 0 && made.bytes[torn - 1] == 0) torn--;
    expect_not_begun(path, path, made.bytes, size, torn);
  }
  expect_not_begun(path, path, zeros, 1, 0);
  expect_not_begun(path, path, zeros, 100000, 0);
  expect_not_begun(path, path, zeros, 8 << 20, 0);
  unlink(path);
  snprintf(file, sizeof file, "%s", segment(1));
  expect_not_begun(journal_path("segments"), file, made.bytes, 64, 64);
  for (size_t size = 4; size < sizeof foreign; size++) {
    made.size = size;
    memcpy(made.bytes, foreign, size);
    journal_write(&made, path);
    refused(path, MAINSTEM_CORRUPT, "begun is not a journal");
  }
  made.size = FILE_HEADER;
  memcpy(made.bytes, zeros, FILE_HEADER - 1);
  journal_write(&made, path);
  refused(path, MAINSTEM_CORRUPT, "begun is not a journal");
  /* Others follow: it was begun, and is damaged. */
  made.size = 0;
  journal_write(&made, segment(1));
  journal_write(&made, segment(2));
  refused(journal_path("segments"), MAINSTEM_CORRUPT, "segments is not a journal");
  unlink(segment(1));
  unlink(segment(2));
  unlink(path);
  free(zeros);
  journal_free(&made);
}

static mainstem_journal *shared;

static void *read_on(void *count) {
  const mainstem_event *event;
  for (int i = 0; i < 20000; i++) {
    mainstem_status status = mainstem_journal_next(shared, &event);
    if (status == MAINSTEM_STALE) break;
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_WRONG_THREAD);
    if (status == MAINSTEM_OK && event != NULL) ++*(int *)count;
  }
  return NULL;
}

/* Catches: two threads inside one journal, and one that is inside when it is closed. */
static void two_threads_at_once_are_told(uint32_t threads) {
  const char *path = journal_path("shared");
  journal_bytes made = journal_file(11, NULL);
  (void)threads;
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
  unlink(path);
  journal_free(&made);
}

static void a_child_process_has_no_journal(uint32_t threads) {
  const char *path = journal_path("forked");
  journal_bytes made = full_journal();
  mainstem_journal *journal;
  pid_t child;
  int status;
  (void)threads;
  journal_write(&made, path);
  journal = opened(path);
  child = fork();
  if (child == 0) {
    const mainstem_event *event;
    EXPECT_STATUS(mainstem_journal_next(journal, &event), MAINSTEM_FORKED);
    journal = opened(path);
    EXPECT(next_of(journal)->position == 1);
    _exit(0);
  }
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(next_of(journal)->position == 1);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(path);
  rmdir(journal_path(""));
  journal_free(&made);
}

int main(void) {
  const expect_case cases[] = {
      {"every event comes as it was", every_event_comes_as_it_was, IN_ONE},
      {"zeros end a file", zeros_end_a_file, IN_ONE},
      {"long payloads come whole", long_payloads_come_whole, IN_ONE},
      {"files follow each other", files_follow_each_other, IN_ONE},
      {"a file that does not continue is damage", a_file_that_does_not_continue_is_damage, IN_ONE},
      {"a last file without a header is a torn tail", a_last_file_without_a_header_is_a_torn_tail,
       IN_ONE},
      {"what is no journal is refused at once", what_is_no_journal_is_refused_at_once, IN_ONE},
      {"a first header that is torn is an empty journal",
       a_first_header_that_is_torn_is_an_empty_journal, IN_ONE},
      {"two threads at once are told", two_threads_at_once_are_told, IN_ONE},
      {"a child process has no journal", a_child_process_has_no_journal, IN_ONE},
  };
  return EXPECT_RUN(cases);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Fuzzes the reading of journals: whatever a file says, every call ends in a status. An input stands for eight
 * journals, itself and changes that follow from it: the fuzzer's bookkeeping for an input takes longer than to read
 * it. One in 64 is salvaged or replayed too.
 */

#define EXPECT_END abort() /* So that the fuzzer keeps the input. */

#include "fuzzed.h"

#include "../CTests/stream.h"

enum { LONGEST = 1 << 16, JOURNALS = 8 };

struct fuzzed fuzzed;

static uint64_t sum; /* Of all that was looked at. */
static uint64_t journals;

static void look_at(const void *bytes, size_t count) {
  const uint8_t *each = (const uint8_t *)bytes;
  for (size_t i = 0; i < count; i++) sum += each[i];
}

/* Asks for all that there is of an event. */
static void ask_for_event(mainstem_journal *journal, const mainstem_event *event) {
  mainstem_type_info type = {.size = sizeof type};
  mainstem_error error = {.size = sizeof error};
  const char *name;
  char line[300];
  if (mainstem_journal_type_read(journal, event->type, &type) == MAINSTEM_OK)
    EXPECT(strlen(type.name) > 0);
  if (mainstem_journal_origin_name(journal, event->origin, &name) == MAINSTEM_OK)
    EXPECT(strlen(name) < LONGEST);
  if (mainstem_event_error(event, &error) == MAINSTEM_OK)
    EXPECT(strlen(error.message) + strlen(error.user_message) + strlen(error.subject) <= LONGEST);
  EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
}

static void look_at_event(mainstem_journal *journal, const mainstem_event *event, uint64_t *last) {
  EXPECT(event->position > *last);
  *last = event->position;
  look_at(event->data, event->size);
  if ((*last + journals) % 8 == 0) ask_for_event(journal, event);
}

/* The next one, or as many as have room: one way for every second journal. What is too long for that comes alone. */
static mainstem_status read_some(mainstem_journal *journal, uint64_t *last, size_t *count) {
  static union {
    mainstem_event_header headers[1];
    uint8_t bytes[1024];
  } in;
  mainstem_event event = {0};
  const mainstem_event *one;
  mainstem_status status = MAINSTEM_TOO_BIG;
  if (journals % 2 == 0)
    status = mainstem_journal_next_many(journal, 0, &in, sizeof in, count, NULL);
  if (status != MAINSTEM_TOO_BIG) {
    for (size_t i = 0; i < *count; i++) {
      memcpy(&event, &in.headers[i], sizeof in.headers[i]);
      event.data = in.bytes + event.offset;
      look_at_event(journal, &event, last);
    }
    return status;
  }
  status = mainstem_journal_next(journal, 0, &one);
  *count = one != NULL;
  if (one != NULL) look_at_event(journal, one, last);
  if (one != NULL) look_at(one->user_message, strlen(one->user_message));
  return status;
}

static uint64_t read_all(const char *path) {
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  uint64_t last = 0, count = 0;
  size_t more = 0;
  mainstem_status status = mainstem_journal_open(path, &journal);
  if (status != MAINSTEM_OK) {
    EXPECT(status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION);
    return 0;
  }
  do {
    status = read_some(journal, &last, &more);
    count += more;
  } while (status == MAINSTEM_OK && more > 0);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.is_read == 1 && info.bytes <= LONGEST && info.torn_bytes <= LONGEST);
  EXPECT_EQUAL(info.events, count);
  EXPECT_OK(mainstem_journal_close(journal));
  return count;
}

/* What was salvaged can be read to its end. */
static void salvage(void) {
  static char to[300];
  mainstem_salvage_report report = {.size = sizeof report};
  if (to[0] == '\0') {
    const char *folder = getenv("TMPDIR");
    snprintf(to, sizeof to, "%s/fuzzed-%d", folder != NULL ? folder : "/tmp", (int)getpid());
  }
  mainstem_status status = mainstem_journal_salvage(FUZZED, to, &report);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION);
  if (status != MAINSTEM_OK) return;
  EXPECT_EQUAL(read_all(to), report.events);
  unlink(to);
}

static void answer(void *user_data, const mainstem_event *event) {
  (void)user_data;
  mainstem_respond(event, event->data, event->size); /* If it is still open, and a text. */
}

static void see(void *user_data, const mainstem_event *event) {
  (void)user_data;
  look_at(event->data, event->size);
}

/* What is replayed ends, too. */
static void replay(uint32_t mode) {
  static const mainstem_handler_row rows[] = {{"RequestA", answer, 0}};
  stream on = {.context = context_open(MAINSTEM_THREADS_ONE)};
  mainstem_replay_options options = {.size = sizeof options};
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_replay_difference difference = {.size = sizeof difference};
  mainstem_context *server;
  mainstem_replay *replay;
  uint64_t fed;
  type_open(on.context, "RequestA", MAINSTEM_PAYLOAD_TEXT, "ResponseA");
  type_open(on.context, "ResponseA", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(
      mainstem_server_add(on.context, "Server", rows, sizeof rows[0], 1, NULL, NULL, &server));
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, see, NULL, NULL, NULL));
  options.mode = mode;
  if (mainstem_replay_open(on.context, FUZZED, &options, &replay) == MAINSTEM_OK) {
    if (mainstem_replay_step(replay, 0, &fed) == MAINSTEM_DIFFERENT) {
      EXPECT_OK(mainstem_replay_difference_read(replay, &difference));
      EXPECT(difference.field != MAINSTEM_DIFFERENCE_NONE && difference.message[0] != '\0');
    }
    EXPECT_OK(mainstem_replay_info_read(replay, &info));
    EXPECT_OK(mainstem_replay_close(replay));
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* A number that follows from what is in an input, so that it always does the same. */
static uint64_t mixed_number(const uint8_t *data, size_t size) {
  uint64_t mixed = size, word;
  for (size_t i = 0; i < 8 && size >= 8; i++) {
    memcpy(&word, data + (size - 8) / 8 * i, 8);
    mixed = (mixed ^ word) * 0x9e3779b97f4a7c15ULL;
  }
  return mixed;
}

static void look_into(const uint8_t *data, size_t size, unsigned lot) {
  fuzzed.bytes = data;
  fuzzed.size = size;
  read_all(FUZZED);
  journals++;
  if (lot == 0) salvage();
  if (lot == 1) replay(MAINSTEM_REPLAY_MUTED);
  if (lot == 2) replay(MAINSTEM_REPLAY_VERIFY);
}

static void tell(void) { printf("journals read: %llu\n", (unsigned long long)journals); }

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  return atexit(tell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t changed[LONGEST];
  uint64_t number = mixed_number(data, size);
  if (size > LONGEST) return 0;
  look_into(data, size, (unsigned)(number >> 58));
  for (unsigned i = 1; i < JOURNALS && size >= 128; i++) {
    memcpy(changed, data, size);
    look_into(changed, change_journal(changed, size, LONGEST, number + i),
              (unsigned)(number >> 52) + i & 63);
  }
  return 0;
}

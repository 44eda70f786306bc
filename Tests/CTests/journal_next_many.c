// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Many events of a journal with one call: the same events, ends and errors as one by one. */

#include "journal_reading.h"
#include "stream.h"

#define TEXT MAINSTEM_PAYLOAD_TEXT

/* What was read. */
typedef struct batch {
  union {
    mainstem_event_header headers[64];
    unsigned char bytes[4096];
  } in;
  size_t count, needed;
} batch;

static mainstem_journal *written(const journal_bytes *made, const char *name) {
  journal_write(made, journal_path(name));
  return opened(journal_path(name));
}

static mainstem_status read_into(batch *into, mainstem_journal *journal, size_t size) {
  EXPECT(size <= sizeof into->in);
  memset(&into->in, 0xee, sizeof into->in);
  return mainstem_journal_next_many(journal, 0, &into->in, size, &into->count, &into->needed);
}

/* As the header's comment has it. */
static mainstem_event event_of(const batch *of, size_t index) {
  mainstem_event event = {0};
  memcpy(&event, &of->in.headers[index], sizeof(mainstem_event_header));
  event.data = of->in.bytes + of->in.headers[index].offset;
  return event;
}

static void expect_record(const batch *in, size_t index, uint64_t position, const char *text) {
  mainstem_event event = event_of(in, index);
  EXPECT_EQUAL(event.position, position);
  EXPECT_EQUAL(event.size, strlen(text));
  EXPECT(memcmp(event.data, text, event.size) == 0);
  EXPECT(event.offset % 8 == 0 && event.offset + event.size <= sizeof in->in);
}

static void close_and_remove(mainstem_journal *journal, journal_bytes *made, const char *name) {
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(journal_path(name));
  journal_free(made);
}

static journal_bytes four_events(void) {
  journal_bytes made = one_of_each();
  journal_event(&made, 3, "", 0);
  return made;
}

/* Catches: a header that is not the event's, or keeps its link; a payload that is cut; a name that is lost. */
CASE(many_come_as_one_by_one, IN_ONE) {
  journal_bytes made = four_events();
  mainstem_error error = {.size = sizeof error};
  batch got;
  char line[80];
  journal_digest(&made, END, 100);
  mainstem_journal *one = written(&made, "each"), *many = opened(journal_path("each"));
  EXPECT_OK(read_into(&got, many, sizeof got.in));
  EXPECT(got.count == 4 && got.needed == 0);
  for (size_t i = 0; i < got.count; i++) {
    const mainstem_event *event = next_of(one);
    mainstem_event_header header = got.in.headers[i];
    EXPECT(memcmp(got.in.bytes + header.offset, event->data, event->size) == 0);
    header.offset = 0;
    EXPECT(memcmp(&header, event, sizeof header) == 0);
  }
  EXPECT_EQUAL(got.in.headers[0].offset, sizeof got.in - 8);
  EXPECT_EQUAL(got.in.headers[1].offset, sizeof got.in - 8 - 24);
  EXPECT_EQUAL(got.in.bytes[4 * sizeof got.in.headers[0]], 0xee);
  mainstem_event second = event_of(&got, 1);
  EXPECT_OK(mainstem_journal_event_line(many, &second, line, sizeof line, NULL));
  EXPECT_TEXT(line, "#2 ResponseRain 1004 ← #1 Clouds \"no clouds\"");
  EXPECT_OK(mainstem_event_error(&second, &error));
  EXPECT_TEXT(error.user_message, "Sunny");
  EXPECT_TEXT(error.subject, "o");
  for (int again = 0; again < 3; again++) {
    EXPECT_OK(read_into(&got, many, again < 2 ? sizeof got.in : 0));
    EXPECT(got.count == 0 && got.needed == 0);
  }
  EXPECT(next_of(one) == NULL && info_of(many).is_clean == 1);
  EXPECT(info_of(many).digest == 100 && info_of(many).last == 7 && info_of(many).events == 4);
  EXPECT_OK(mainstem_journal_close(one));
  close_and_remove(many, &made, "each");
}

/* Calls with so much room, one after the other: what they bring, and what the next event needs. */
static const struct {
  const char *what;
  size_t size, count, needed;
  mainstem_status status;
  uint64_t position;
  const char *data;
} rooms[] = {
    {"none", 0, 0, 72, MAINSTEM_TOO_BIG, 0, NULL},
    {"a byte too little", 71, 0, 72, MAINSTEM_TOO_BIG, 0, NULL},
    {"one, and a byte too little for the next", 72 + 79, 1, 80, MAINSTEM_OK, 1, "first"},
    {"just enough", 80, 1, 64, MAINSTEM_OK, 2, "the second"},
    {"an event without a payload", 64, 1, 0, MAINSTEM_OK, 3, ""},
    {"the end", 0, 0, 0, MAINSTEM_OK, 0, NULL},
};

CASE(what_has_no_room_stays, IN_ONE) {
  journal_bytes made = journal_file(8, NULL);
  batch got;
  journal_event(&made, 1, "first", 5);
  journal_event(&made, 1, "the second", 10);
  journal_event(&made, 1, "", 0);
  mainstem_journal *journal = written(&made, "room"), *turns = opened(journal_path("room"));
  for (size_t i = 0; i < COUNT(rooms); i++) {
    expect_sentence = rooms[i].what;
    EXPECT_STATUS(read_into(&got, journal, rooms[i].size), rooms[i].status);
    EXPECT_EQUAL(got.count, rooms[i].count);
    EXPECT_EQUAL(got.needed, rooms[i].needed);
    EXPECT_EQUAL(got.in.bytes[rooms[i].size], 0xee);
    if (rooms[i].data != NULL) expect_record(&got, 0, rooms[i].position, rooms[i].data);
    if (rooms[i].status == MAINSTEM_OK) continue;
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_journal_next_many: size: 72 bytes are needed for the next event");
    EXPECT_EQUAL(info_of(journal).events, 0);
  }
  EXPECT_OK(read_into(&got, turns, 72));
  EXPECT_EQUAL(next_of(turns)->position, 2); /* By turns. */
  EXPECT_OK(read_into(&got, turns, 64));
  expect_record(&got, 0, 3, "");
  EXPECT_STATUS(mainstem_journal_next_many(journal, 0, NULL, 1, &got.count, NULL),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_journal_next_many(journal, 0, &got.in, 64, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_journal_next_many(journal, 0, NULL, 0, &got.count, NULL));
  EXPECT_EQUAL(got.count, 0);
  EXPECT_OK(mainstem_journal_close(turns));
  close_and_remove(journal, &made, "room");
}

/* Catches: payloads that are aligned to the memory, not to the buffer; a write outside of it. */
CASE(a_buffer_need_not_be_aligned, IN_ONE) {
  journal_bytes made = four_events();
  unsigned char memory[512];
  for (size_t shift = 0; shift < 8; shift++) {
    mainstem_journal *journal = written(&made, "aligned");
    mainstem_event_header header;
    size_t count;
    memset(memory, 0xee, sizeof memory);
    EXPECT_OK(
        mainstem_journal_next_many(journal, 0, memory + shift, 4 * 64 + 8 + 24, &count, NULL));
    EXPECT_EQUAL(count, 4);
    memcpy(&header, memory + shift, sizeof header);
    EXPECT(memcmp(memory + shift + header.offset, "Oslo", 4) == 0);
    EXPECT(memory[shift + 4 * 64 + 8 + 24] == 0xee && (shift == 0 || memory[shift - 1] == 0xee));
    EXPECT_OK(mainstem_journal_close(journal));
  }
  unlink(journal_path("aligned"));
  journal_free(&made);
}

/* What each call brings of it: so many events, of which the last is at that position; what type 3 is then. */
static const struct {
  size_t count;
  uint64_t last, sessions;
  const char *type;
} parts[] = {{4, 7, 1, "RequestRain"}, {2, 9, 2, "Anew"}, {1, 10, 2, "Again"}};

/* Catches: an event whose type is looked up under the names of the session behind it. */
CASE(names_hold_for_all_that_came, IN_ONE) {
  journal_bytes made = four_events();
  mainstem_type_info type = {.size = sizeof type};
  batch got;
  journal_session(&made, 0);
  journal_type(&made, 3, TEXT, "Anew", "");
  journal_event(&made, 3, "8", 1);
  journal_type(&made, 5, TEXT, "Added", "Again");
  journal_type(&made, 6, TEXT, "Lost", "Anew");
  journal_event(&made, 5, "9", 1);
  journal_type(&made, 3, TEXT, "Again", "");
  journal_event(&made, 3, "10", 2);
  mainstem_journal *journal = written(&made, "names");
  for (size_t i = 0; i < COUNT(parts); i++) {
    EXPECT_OK(read_into(&got, journal, sizeof got.in));
    EXPECT(got.count == parts[i].count && got.needed == 0);
    EXPECT_EQUAL(got.in.headers[got.count - 1].position, parts[i].last);
    EXPECT_EQUAL(info_of(journal).sessions, parts[i].sessions);
    EXPECT_OK(mainstem_journal_type_read(journal, 3, &type));
    EXPECT_TEXT(type.name, parts[i].type);
  }
  for (int again = 0; again < 2; again++) {
    EXPECT_OK(mainstem_journal_type_read(journal, 5, &type));
    EXPECT_EQUAL(type.response, 3);
    EXPECT_OK(mainstem_journal_type_read(journal, 6, &type));
    EXPECT_EQUAL(type.response, 0);
  }
  close_and_remove(journal, &made, "names");
}

/* The events before it come; then, however often it is asked, what `next` says. */
static void expect_end(const journal_bytes *made, size_t before, mainstem_status wanted,
                       const char *message) {
  mainstem_journal *journal = written(made, "end");
  const mainstem_event *event;
  batch got;
  EXPECT_OK(read_into(&got, journal, sizeof got.in));
  EXPECT_EQUAL(got.count, before);
  for (int again = 0; again < 2; again++) {
    EXPECT_STATUS(read_into(&got, journal, sizeof got.in), wanted);
    EXPECT(got.count == 0 && got.needed == 0);
    if (wanted != MAINSTEM_OK) EXPECT(strstr(mainstem_last_error(), message) != NULL);
    EXPECT_STATUS(mainstem_journal_next(journal, 0, &event), wanted);
    EXPECT(event == NULL);
    if (wanted != MAINSTEM_OK) EXPECT(strstr(mainstem_last_error(), message) != NULL);
  }
  EXPECT_EQUAL(info_of(journal).torn_bytes != 0, wanted == MAINSTEM_OK);
  EXPECT_OK(mainstem_journal_close(journal));
  unlink(journal_path("end"));
}

CASE(what_is_wrong_comes_after_what_is_right, IN_ONE) {
  journal_bytes made = journal_file(9, NULL);
  char message[120];
  size_t third;
  journal_event(&made, 1, "first", 5);
  journal_event(&made, 1, "second", 6);
  third = journal_event(&made, 1, "third", 5);
  made.bytes[third + 64] ^= 1;
  expect_end(&made, 2, MAINSTEM_OK, NULL);
  journal_event(&made, 1, "fourth", 6);
  snprintf(message, sizeof message, "end at byte %d, after position 2, is damaged", (int)third);
  expect_end(&made, 2, MAINSTEM_CORRUPT, message);
  /* A right checksum, and flags that no event has. */
  made.size = third;
  made.last = 2;
  memcpy(&made.link, made.bytes + third - 4, 4);
  mainstem_event_header header = journal_header(&made, 1, 0);
  header.flags = MAINSTEM_EVENT_GAP;
  journal_record(&made, header, NULL);
  snprintf(message, sizeof message, "end at byte %d, after position 2, holds a record that",
           (int)third);
  expect_end(&made, 2, MAINSTEM_CORRUPT, message);
  journal_free(&made);
}

/* More than the window shows at once, and longer. */
CASE(a_long_journal_comes_whole, IN_ONE) {
  enum { EVENTS = 20000, LONG = 5000, SIZE = 1 << 16 };
  journal_bytes made = journal_file(10, NULL);
  uint8_t *payload = (uint8_t *)malloc(1 << 20), *buffer = (uint8_t *)malloc(2 << 20);
  uint64_t position = 0;
  size_t size = SIZE, count, needed;
  EXPECT(payload != NULL && buffer != NULL);
  for (size_t i = 0; i < 1 << 20; i++) payload[i] = (uint8_t)(i * 31 >> 3);
  for (size_t i = 1; i <= EVENTS; i++)
    journal_event(&made, 1, payload, i == LONG ? 1 << 20 : i % 50);
  mainstem_journal *journal = written(&made, "long");
  while (position < EVENTS) {
    mainstem_status status = mainstem_journal_next_many(journal, 0, buffer, size, &count, &needed);
    if (status == MAINSTEM_TOO_BIG) {
      EXPECT(position + 1 == LONG && needed == 64 + (1 << 20));
      size = needed;
      continue;
    }
    EXPECT_OK(status);
    EXPECT(count > 0);
    for (size_t i = 0; i < count; i++) {
      mainstem_event_header header;
      memcpy(&header, buffer + i * sizeof header, sizeof header);
      EXPECT_EQUAL(header.position, ++position);
      EXPECT_EQUAL(header.size, position == LONG ? 1 << 20 : position % 50);
      EXPECT(memcmp(buffer + header.offset, payload, header.size) == 0);
    }
  }
  EXPECT_OK(mainstem_journal_next_many(journal, 0, buffer, size, &count, &needed));
  EXPECT(count == 0 && info_of(journal).is_read == 1 && info_of(journal).events == EVENTS);
  close_and_remove(journal, &made, "long");
  free(payload);
  free(buffer);
}

CASE(files_are_read_on, IN_ONE) {
  journal_bytes first = journal_file(11, NULL), second;
  batch got;
  journal_event(&first, 1, "1", 1);
  second = journal_file(11, &first);
  journal_event(&second, 1, "2", 1);
  journal_write(&first, journal_path("files.000001"));
  journal_write(&second, journal_path("files.000002"));
  mainstem_journal *journal = opened(journal_path("files"));
  for (uint64_t file = 1; file <= 2; file++) {
    EXPECT_OK(read_into(&got, journal, sizeof got.in));
    expect_record(&got, 0, file, file == 1 ? "1" : "2");
  }
  EXPECT_OK(read_into(&got, journal, sizeof got.in));
  EXPECT(got.count == 0 && info_of(journal).files == 2);
  unlink(journal_path("files.000001"));
  journal_free(&first);
  close_and_remove(journal, &second, "files.000002");
}

/* The buffer is a batch. */
CASE(what_was_read_can_be_sent, IN_ONE) {
  stream on = stream_open(threads);
  journal_bytes made = journal_file(12, NULL);
  batch got;
  size_t sent;
  journal_event(&made, on.notice, "one", 3);
  journal_event(&made, on.notice, "two", 3);
  mainstem_journal *journal = written(&made, "sent");
  EXPECT_OK(read_into(&got, journal, sizeof got.in));
  EXPECT_OK(mainstem_send_many(on.context, &got.in, sizeof got.in, got.count, &sent));
  EXPECT_EQUAL(sent, 2);
  EXPECT_OK(mainstem_context_close(on.context));
  close_and_remove(journal, &made, "sent");
}

int main(void) { return journal_expect_all(); }

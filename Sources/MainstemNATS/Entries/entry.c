// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A record as an entry of a stream, and back: which journal an entry is of, and where it stands there. */

#include "entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "-mark"
#define BEHIND "Nats-Expected-Last-Sequence"

/* Headers begin with "NATS/1.0" and end with an empty line. */
enum {
  AROUND_HEADERS = 12,
  AROUND_HEADER = 4,
  HEADER = sizeof(mainstem_event_header),
  DIGITS = 20
};

/* A message that is being made: the first failure stays, and its size is counted. */
struct making {
  natsMsg *message;
  natsStatus status;
  size_t size;
};

int point_compare(const struct point *one, const struct point *other) {
  if (one->position != other->position) return one->position < other->position ? -1 : 1;
  if (one->file != other->file) return one->file < other->file ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

static void begin(struct making *making, const char *subject, const void *data, size_t size) {
  making->size = size + AROUND_HEADERS;
  making->status = natsMsg_Create(&making->message, subject, NULL, data, (int)size);
}

static void put(struct making *making, const char *key, const char *value) {
  if (making->status != NATS_OK) return;
  making->size += strlen(key) + strlen(value) + AROUND_HEADER;
  making->status = natsMsgHeader_Set(making->message, key, value);
}

static void put_number(struct making *making, const char *key, uint64_t number) {
  char value[24];
  snprintf(value, sizeof value, "%llu", (unsigned long long)number);
  put(making, key, value);
}

static void put_name(struct making *making, const char *key, const char *name) {
  char value[LONGEST_VALUE];
  if (write_value(value, name) > 0) put(making, key, value);
}

/* The server takes the entry at this place only. The number alone would not do: where another's entry takes the place
   of one of ours, the next one of ours would have the right number. */
static void put_place(struct making *making, const struct behind *behind) {
  put_number(making, BEHIND, behind->sequence);
  if (behind->id[0] != '\0') put(making, "Nats-Expected-Last-Msg-Id", behind->id);
  else put(making, "Nats-Expected-Stream", behind->stream);
}

static void put_identity(struct making *making, const struct entry *entry,
                         const struct behind *behind) {
  put(making, "Nats-Msg-Id", entry->id);
  put_place(making, behind);
}

static natsStatus end(struct making *making, struct entry *entry) {
  if (making->status == NATS_OK) {
    entry->message = making->message;
    return NATS_OK;
  }
  natsMsg_Destroy(making->message);
  return making->status;
}

/* A message with these data and an event's names; the size of a payload that is left out, or 0. */
static natsStatus make(struct entry *entry, const struct envelope *envelope, const void *data,
                       size_t size, const struct names *names, uint32_t left_out, size_t *whole) {
  char subject[LONGEST_SUBJECT], contract[24];
  struct making making = {0};
  write_subject(subject, envelope->prefix, names->layer, names->type);
  begin(&making, subject, data, size);
  put_identity(&making, entry, &envelope->behind);
  put_name(&making, "Mainstem-Type", names->type);
  put_name(&making, "Mainstem-Layer", names->layer);
  put_name(&making, "Mainstem-Origin", names->origin);
  snprintf(contract, sizeof contract, "%016llx", (unsigned long long)names->contract);
  put(&making, "Mainstem-Contract", contract);
  put_name(&making, "Mainstem-Response", names->response);
  if (left_out > 0) put_number(&making, LEFT_OUT, left_out);
  *whole = making.size;
  entry->bytes = size;
  return end(&making, entry);
}

/* The mark of an event: what a journal keeps of one whose payload it does not. */
static mainstem_event_header mark_of(const mainstem_event *event) {
  mainstem_event_header mark;
  memcpy(&mark, event, sizeof mark);
  mark.size = 0;
  mark.status = MAINSTEM_OK;
  mark.offset = HEADER;
  mark.flags |= MAINSTEM_EVENT_MARKED;
  return mark;
}

static natsStatus make_mark(struct entry *entry, const struct envelope *envelope,
                            const mainstem_event *event, const struct names *names) {
  mainstem_event_header mark = mark_of(event);
  size_t whole;
  entry->is_left_out = true;
  return make(entry, envelope, &mark, sizeof mark, names, event->size, &whole);
}

/* A record's header and payload, one after the other; `kept` is used if they have room in it. */
static char *join(const mainstem_event *record, uint32_t offset, char *kept, size_t room) {
  size_t size = HEADER + (size_t)record->size;
  char *data = size <= room ? kept : malloc(size);
  if (data == NULL) return NULL;
  memcpy(data, record, HEADER);
  memcpy(data + offsetof(mainstem_event_header, offset), &offset, sizeof offset);
  memcpy(data + HEADER, record->data, record->size);
  return data;
}

static natsStatus make_whole(struct entry *entry, const struct envelope *envelope,
                             const mainstem_event *event, const struct names *names,
                             size_t *whole) {
  char kept[4096], *data = join(event, HEADER, kept, sizeof kept);
  if (data == NULL) return NATS_NO_MEMORY;
  natsStatus status = make(entry, envelope, data, HEADER + (size_t)event->size, names, 0, whole);
  if (data != kept) free(data);
  return status;
}

natsStatus entry_make(struct entry *entry, const struct envelope *envelope,
                      const mainstem_event *event, const struct names *names) {
  size_t whole;
  memset(entry, 0, sizeof *entry);
  entry->position = event->position;
  snprintf(entry->id, sizeof entry->id, "%s-%llu", envelope->id,
           (unsigned long long)event->position);
  if ((size_t)event->size + HEADER > envelope->most)
    return make_mark(entry, envelope, event, names);
  natsStatus status = make_whole(entry, envelope, event, names, &whole);
  if (status != NATS_OK || whole <= envelope->most || event->size == 0) return status;
  natsMsg_Destroy(entry->message);
  return make_mark(entry, envelope, event, names);
}

/* An entry of the journal's own, with these data; `left_out` as above. */
static natsStatus make_own(struct entry *entry, const struct envelope *envelope, const void *data,
                           size_t size, uint32_t left_out, size_t *whole) {
  char subject[LONGEST_SUBJECT];
  struct making making = {0};
  write_journal_subject(subject, envelope->prefix, envelope->id);
  begin(&making, subject, data, size);
  put_identity(&making, entry, &envelope->behind);
  if (left_out > 0) put_number(&making, LEFT_OUT, left_out);
  if (envelope->is_numbered) put_number(&making, NUMBERED, 1);
  *whole = making.size;
  entry->bytes = size;
  entry->is_left_out = left_out > 0;
  return end(&making, entry);
}

static void begin_own(struct entry *entry, const struct envelope *envelope,
                      const struct point *point, const char *suffix) {
  memset(entry, 0, sizeof *entry);
  snprintf(entry->id, sizeof entry->id, "%s-%llu-%llu-%llu%s", envelope->id,
           (unsigned long long)point->position, (unsigned long long)point->file,
           (unsigned long long)point->number, suffix);
}

natsStatus entry_make_own(struct entry *entry, const struct envelope *envelope,
                          const struct point *point, const mainstem_event *record) {
  char kept[4096], *data = join(record, record->offset, kept, sizeof kept);
  size_t whole;
  if (data == NULL) return NATS_NO_MEMORY;
  begin_own(entry, envelope, point, "");
  entry->position = record->position;
  natsStatus status = make_own(entry, envelope, data, HEADER + (size_t)record->size, 0, &whole);
  if (status == NATS_OK && whole > envelope->most && record->size > 0) {
    natsMsg_Destroy(entry->message);
    status = make_own(entry, envelope, data, HEADER, record->size, &whole);
  }
  if (data != kept) free(data);
  return status;
}

natsStatus entry_make_mark(struct entry *entry, const struct envelope *envelope,
                           const struct point *point) {
  const mainstem_event_header header = {.position = point->position};
  size_t whole;
  begin_own(entry, envelope, point, MARK);
  entry->position = point->position;
  return make_own(entry, envelope, &header, HEADER, 0, &whole);
}

/* A number of at most 20 digits, behind a dash. */
static bool take_number(const char **text, uint64_t *number) {
  if (**text != '-') return false;
  size_t count = strspn(*text + 1, "0123456789");
  if (count == 0 || count > DIGITS) return false;
  *number = strtoull(*text + 1, NULL, 10);
  *text += 1 + count;
  return true;
}

bool entry_identify(natsMsg *message, struct identity *identity) {
  const char *value = NULL;
  memset(identity, 0, sizeof *identity);
  if (natsMsgHeader_Get(message, "Nats-Msg-Id", &value) != NATS_OK || value == NULL ||
      strspn(value, "0123456789abcdef") < ID_DIGITS)
    return false;
  memcpy(identity->id, value, ID_DIGITS);
  struct point *point = &identity->point;
  value += ID_DIGITS;
  if (!take_number(&value, &point->position)) return false;
  if (*value == '\0') return true;
  if (!take_number(&value, &point->file) || !take_number(&value, &point->number)) return false;
  identity->is_mark = strcmp(value, MARK) == 0;
  return identity->is_mark || *value == '\0';
}

bool entry_is_at(natsMsg *message, uint64_t sequence) {
  const char *value = NULL;
  char *end;
  if (natsMsgHeader_Get(message, BEHIND, &value) != NATS_OK || value == NULL) return false;
  uint64_t behind = strtoull(value, &end, 10);
  return end != value && *end == '\0' && behind + 1 == sequence;
}

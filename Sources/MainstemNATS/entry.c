// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An event as an entry of a stream, and back: which journal and position an entry has. */

#include "bridge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message that is being made: the first failure stays, and its size is counted. */
struct making {
  natsMsg *message;
  natsStatus status;
  size_t size;
};

/* Headers begin with "NATS/1.0" and end with an empty line. */
#define OWN_SUFFIX "-journal"

enum { AROUND_HEADERS = 12, AROUND_HEADER = 4, HEADER = sizeof(mainstem_header) };

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
  put_number(making, "Nats-Expected-Last-Sequence", behind->sequence);
  if (behind->id[0] != '\0') put(making, "Nats-Expected-Last-Msg-Id", behind->id);
  else put(making, "Nats-Expected-Stream", behind->stream);
}

static void put_identity(struct making *making, struct entry *entry, const char *id,
                         const char *suffix) {
  snprintf(entry->id, sizeof entry->id, "%s-%llu%s", id, (unsigned long long)entry->position,
           suffix);
  put(making, "Nats-Msg-Id", entry->id);
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
static natsStatus make(struct entry *entry, const char *subject, const void *data, size_t size,
                       const char *id, const struct names *names, const struct behind *behind,
                       uint32_t left_out, size_t *whole) {
  struct making making = {0};
  char contract[24];
  begin(&making, subject, data, size);
  put_identity(&making, entry, id, "");
  put_place(&making, behind);
  put_name(&making, "Mainstem-Type", names->type);
  put_name(&making, "Mainstem-Layer", names->layer);
  put_name(&making, "Mainstem-Origin", names->origin);
  snprintf(contract, sizeof contract, "%016llx", (unsigned long long)names->contract);
  put(&making, "Mainstem-Contract", contract);
  put_name(&making, "Mainstem-Response", names->response);
  if (left_out > 0) put_number(&making, "Mainstem-Payload", left_out);
  *whole = making.size;
  entry->bytes = size;
  return end(&making, entry);
}

/* The mark of an event: what a journal keeps of one whose payload it does not. */
static mainstem_header mark_of(const mainstem_event *event) {
  mainstem_header mark;
  memcpy(&mark, event, sizeof mark);
  mark.size = 0;
  mark.status = MAINSTEM_OK;
  mark.offset = HEADER;
  mark.flags |= MAINSTEM_EVENT_MARKED;
  return mark;
}

static natsStatus make_mark(struct entry *entry, const char *subject, const char *id,
                            const mainstem_event *event, const struct names *names,
                            const struct behind *behind) {
  mainstem_header mark = mark_of(event);
  size_t whole;
  entry->is_left_out = true;
  return make(entry, subject, &mark, sizeof mark, id, names, behind, event->size, &whole);
}

static natsStatus make_whole(struct entry *entry, const char *subject, const char *id,
                             const mainstem_event *event, const struct names *names,
                             const struct behind *behind, size_t *whole) {
  size_t size = HEADER + (size_t)event->size;
  char kept[4096], *data = size <= sizeof kept ? kept : malloc(size);
  if (data == NULL) return NATS_NO_MEMORY;
  const uint32_t offset = HEADER;
  memcpy(data, event, HEADER);
  memcpy(data + offsetof(mainstem_header, offset), &offset, sizeof offset);
  memcpy(data + HEADER, event->data, event->size);
  natsStatus status = make(entry, subject, data, size, id, names, behind, 0, whole);
  if (data != kept) free(data);
  return status;
}

natsStatus entry_make(struct entry *entry, const char *prefix, const char *id,
                      const mainstem_event *event, const struct names *names,
                      const struct behind *behind, size_t most) {
  char subject[LONGEST_SUBJECT];
  size_t whole;
  memset(entry, 0, sizeof *entry);
  entry->position = event->position;
  write_subject(subject, prefix, names->layer, names->type);
  if ((size_t)event->size + HEADER > most)
    return make_mark(entry, subject, id, event, names, behind);
  natsStatus status = make_whole(entry, subject, id, event, names, behind, &whole);
  if (status != NATS_OK || whole <= most || event->size == 0) return status;
  natsMsg_Destroy(entry->message);
  return make_mark(entry, subject, id, event, names, behind);
}

natsStatus entry_make_own(struct entry *entry, const char *prefix, const char *id,
                          uint64_t position, const struct behind *behind) {
  char subject[LONGEST_SUBJECT];
  mainstem_header header = {.position = position, .offset = HEADER};
  struct making making = {0};
  memset(entry, 0, sizeof *entry);
  entry->position = position;
  entry->bytes = sizeof header;
  write_journal_subject(subject, prefix, id);
  begin(&making, subject, &header, sizeof header);
  put_identity(&making, entry, id, OWN_SUFFIX);
  put_place(&making, behind);
  return end(&making, entry);
}

bool entry_is_of(natsMsg *message, const char *id, uint64_t *position) {
  const char *value = NULL;
  if (natsMsgHeader_Get(message, "Nats-Msg-Id", &value) != NATS_OK) return false;
  if (value == NULL || strncmp(value, id, ID_DIGITS) != 0 || value[ID_DIGITS] != '-') return false;
  const char *digits = value + ID_DIGITS + 1;
  size_t count = strspn(digits, "0123456789");
  if (count == 0 || count > 19) return false;
  if (digits[count] != '\0' && strcmp(digits + count, OWN_SUFFIX) != 0) return false;
  *position = strtoull(digits, NULL, 10);
  return true;
}

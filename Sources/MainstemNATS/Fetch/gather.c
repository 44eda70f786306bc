// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Entries of a stream, made records again. Nothing that a server says is believed: what no mirror makes is left out, and
   where anything is missing, the copy is not whole. Then it has what is there, and describes types, layers and origins
   from the headers of events, so that it can be salvaged. */

#include "fetch.h"

#include <stdlib.h>
#include <string.h>

/* Numbers and their names ----------------------------------------------------------------------------- */

/* Which name a number has in the session that is being gathered. */

struct described_name {
  uint64_t key; /* 0: free. */
  uint64_t hash;
};

static uint64_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325;
  while (*name != '\0') hash = (hash ^ (unsigned char)*name++) * 0x100000001b3;
  return hash;
}

static struct described_name *find(const struct described *described, uint64_t key) {
  size_t place = (size_t)(key * 0x9E3779B97F4A7C15 >> 20);
  for (;; place++) {
    struct described_name *name = &described->names[place & (described->capacity - 1)];
    if (name->key == key || name->key == 0) return name;
  }
}

static bool widen(struct described *described) {
  struct described wider = {.count = described->count, .capacity = described->capacity * 2 + 64};
  while ((wider.capacity & (wider.capacity - 1)) != 0) wider.capacity &= wider.capacity - 1;
  wider.names = calloc(wider.capacity, sizeof *wider.names);
  if (wider.names == NULL) return false;
  for (size_t i = 0; i < described->capacity; i++)
    if (described->names[i].key != 0) *find(&wider, described->names[i].key) = described->names[i];
  free(described->names);
  *described = wider;
  return true;
}

/* Whether a number has that name; else it has it from then on. False also without memory. */
static bool described_has(struct described *described, int32_t kind, uint32_t number,
                          const char *name) {
  const uint64_t key = (uint64_t)kind << 32 | number, hash = hash_of(name);
  if (described->count * 2 >= described->capacity && !widen(described)) return false;
  struct described_name *found = find(described, key);
  if (found->key == key && found->hash == hash) return true;
  described->count += found->key == 0;
  *found = (struct described_name){key, hash};
  return false;
}

void described_free(struct described *described) {
  free(described->names);
  *described = (struct described){0};
}

/* Entries --------------------------------------------------------------------------------------------- */

enum { HEADER = sizeof(mainstem_event_header), VERSION = 3, OWN_LAYERS = 6 };
/* The kinds of records that matter here: docs/journal-format.md. */
enum { FILE_BEGIN, SESSION, TYPE, LAYER, ORIGIN, SKIPPED = 6 };

static const uint8_t magic[8] = "\x89MSJ\r\n\x1a\n";

/* An entry's data. */
struct record {
  mainstem_event_header header;
  const char *payload;
  size_t size; /* Of the payload, as far as it is there. */
  bool is_left_out;
};

static uint64_t word_at(const struct record *record, size_t at) {
  uint64_t word = 0;
  if (at + sizeof word <= record->size) memcpy(&word, record->payload + at, sizeof word);
  return word;
}

/* Whether a mirror makes such an entry. */
static bool take_apart(struct record *record, natsMsg *message, const struct point *point) {
  const char *value = NULL, *data = natsMsg_GetData(message);
  int size = natsMsg_GetDataLength(message);
  if (data == NULL || size < HEADER) return false;
  memcpy(&record->header, data, HEADER);
  record->payload = data + HEADER;
  record->size = (size_t)size - HEADER;
  record->is_left_out = natsMsgHeader_Get(message, LEFT_OUT, &value) == NATS_OK;
  bool is_event = record->header.type != 0;
  if (is_event != (point->file == 0)) return false;
  if (is_event && record->header.position != point->position) return false;
  return record->size == (record->is_left_out && !is_event ? 0 : record->header.size);
}

/* Files ---------------------------------------------------------------------------------------------- */

static bool reads_as(const uint8_t *id, const char *digits) {
  char text[ID_DIGITS + 1];
  for (int i = 0; i < ID_DIGITS / 2; i++) sprintf(text + 2 * i, "%02x", id[i]);
  return memcmp(text, digits, ID_DIGITS) == 0;
}

/* Whether an entry has the header of a file that comes after those that are there. */
static bool is_file_header(const struct gather *gather, const struct record *record,
                           const struct point *point, struct file_header *header) {
  const struct copy *copy = &gather->copy;
  if (record->size != sizeof *header) return false;
  memcpy(header, record->payload, sizeof *header);
  return memcmp(header->magic, magic, sizeof magic) == 0 && header->size == sizeof *header &&
         header->checksum == checksum(0, header, sizeof *header - sizeof header->checksum) &&
         reads_as(header->id, gather->id) && header->number == point->file && header->first > 0 &&
         (copy->files == 0 || copy->numbers[copy->files - 1] < header->number);
}

static bool begin_file(struct gather *gather, const struct record *record,
                       const struct identity *identity, natsMsg *message, struct failure *failure) {
  const char *value = NULL;
  struct file_header header;
  struct copy *copy = &gather->copy;
  if (!is_file_header(gather, record, &identity->point, &header)) {
    gather->is_whole = false;
    return true;
  }
  if (copy->files > 0 && (header.link != copy->link || header.first != gather->last + 1))
    gather->is_whole = false;
  gather->last = header.first - 1;
  gather->version = header.version;
  gather->is_at_begin = true;
  if (natsMsgHeader_Get(message, NUMBERED, &value) == NATS_OK) gather->is_numbered = true;
  return copy_begin_file(copy, &header, failure);
}

/* A file for what comes without one. */
static bool make_up_file(struct gather *gather, const struct record *record,
                         struct failure *failure) {
  struct file_header header = {.version = VERSION,
                               .size = sizeof header,
                               .number = 1,
                               .first = 1,
                               .made = record->header.time};
  memcpy(header.magic, magic, sizeof magic);
  for (int i = 0; i < ID_DIGITS / 2; i++) sscanf(gather->id + 2 * i, "%2hhx", &header.id[i]);
  header.checksum = checksum(0, &header, sizeof header - sizeof header.checksum);
  gather->is_whole = false;
  return copy_begin_file(&gather->copy, &header, failure);
}

/* Names ---------------------------------------------------------------------------------------------- */

/* Where the name of an origin begins in its record. */
static size_t begin_of_origin(const struct gather *gather) { return gather->version == 1 ? 4 : 24; }

/* Notes what a record names. */
static void note_name(struct gather *gather, const struct record *record) {
  const int32_t kind = record->header.status;
  const size_t begin = kind == TYPE ? 16 : kind == LAYER ? 4 : begin_of_origin(gather);
  char name[LONGEST_NAME + 1];
  if (record->size <= begin) return;
  size_t size = strnlen(record->payload + begin, record->size - begin);
  if (size > LONGEST_NAME) return;
  memcpy(name, record->payload + begin, size);
  name[size] = '\0';
  described_has(&gather->described, kind, (uint32_t)word_at(record, 0), name);
}

static void read_name(char *name, natsMsg *message, const char *key) {
  const char *value = NULL;
  *name = '\0';
  if (natsMsgHeader_Get(message, key, &value) == NATS_OK && value != NULL) read_value(name, value);
}

/* Adds a record of a name before an event, if the name is new. */
static bool describe(struct gather *gather, const struct record *event, int32_t kind,
                     uint32_t number, const char *name, const void *payload, size_t size,
                     struct failure *failure) {
  if (*name == '\0' || described_has(&gather->described, kind, number, name)) return true;
  const mainstem_event_header header = {
      .position = gather->last, .time = event->header.time, .status = kind, .size = (uint32_t)size};
  return copy_add(&gather->copy, &header, payload, failure);
}

static bool describe_type(struct gather *gather, const struct record *event, natsMsg *message,
                          uint64_t contract, struct failure *failure) {
  char payload[16 + 2 * (LONGEST_NAME + 1)] = {0}, *name = payload + 16, *response;
  read_name(name, message, "Mainstem-Type");
  response = name + strlen(name) + 1;
  read_name(response, message, "Mainstem-Response");
  memcpy(payload, &event->header.type, sizeof event->header.type);
  memcpy(payload + 8, &contract, sizeof contract);
  return describe(gather, event, TYPE, event->header.type, name, payload,
                  (size_t)(response + strlen(response) + 1 - payload), failure);
}

static bool describe_layer(struct gather *gather, const struct record *event, natsMsg *message,
                           uint64_t contract, struct failure *failure) {
  char payload[4 + LONGEST_NAME + 1], *name = payload + 4;
  const uint32_t number = contract >> 40 & 63;
  if (number < OWN_LAYERS) return true;
  memcpy(payload, &number, sizeof number);
  read_name(name, message, "Mainstem-Layer");
  return describe(gather, event, LAYER, number, name, payload, 4 + strlen(name), failure);
}

static bool describe_origin(struct gather *gather, const struct record *event, natsMsg *message,
                            struct failure *failure) {
  const size_t begin = begin_of_origin(gather);
  char payload[24 + LONGEST_NAME + 1] = {0}, *name = payload + begin;
  if (event->header.origin == 0) return true;
  memcpy(payload, &event->header.origin, sizeof event->header.origin);
  read_name(name, message, "Mainstem-Origin");
  return describe(gather, event, ORIGIN, event->header.origin, name, payload, begin + strlen(name),
                  failure);
}

static bool describe_all(struct gather *gather, const struct record *event, natsMsg *message,
                         struct failure *failure) {
  const char *value = NULL;
  natsMsgHeader_Get(message, "Mainstem-Contract", &value);
  uint64_t contract = value != NULL ? strtoull(value, NULL, 16) : 0;
  return describe_layer(gather, event, message, contract, failure) &&
         describe_type(gather, event, message, contract, failure) &&
         describe_origin(gather, event, message, failure);
}

/* Records -------------------------------------------------------------------------------------------- */

static bool take_event(struct gather *gather, struct record *event, natsMsg *message,
                       struct failure *failure) {
  if (event->header.position != gather->last + 1 || event->is_left_out || gather->is_at_begin)
    gather->is_whole = false;
  if (!gather->is_whole && !describe_all(gather, event, message, failure)) return false;
  gather->left_out += event->is_left_out;
  gather->last = event->header.position;
  return copy_add(&gather->copy, &event->header, event->payload, failure);
}

/* A record that is not an event. Its link proves all that was gathered of its file. */
static bool take_other(struct gather *gather, const struct record *record,
                       struct failure *failure) {
  const int32_t kind = record->header.status;
  if (record->header.offset != gather->copy.link || record->is_left_out ||
      (gather->is_at_begin && kind != SESSION))
    gather->is_whole = false;
  gather->left_out += record->is_left_out;
  gather->is_at_begin = false;
  if (record->is_left_out) return true;
  if (kind == SESSION) described_free(&gather->described);
  if (kind == TYPE || kind == LAYER || kind == ORIGIN) note_name(gather, record);
  if (kind == SKIPPED) gather->last = word_at(record, 8);
  return copy_add(&gather->copy, &record->header, record->payload, failure);
}

bool gather_take(struct gather *gather, natsMsg *message, const struct identity *identity,
                 bool is_at_its_place, struct failure *failure) {
  struct record record;
  bool is_next = gather->entries == 0 || point_compare(&gather->point, &identity->point) < 0;
  /* A server that gathers streams takes the places away, but from all entries. */
  if (is_at_its_place) gather->has_places = true;
  if (identity->is_mark || (gather->has_places && !is_at_its_place)) return true;
  if (!is_next || !take_apart(&record, message, &identity->point)) {
    if (is_at_its_place) gather->is_whole = false;
    return true;
  }
  gather->point = identity->point;
  gather->entries++;
  if (record.header.type == 0 && record.header.status == FILE_BEGIN)
    return begin_file(gather, &record, identity, message, failure);
  if (gather->copy.files == 0 && !make_up_file(gather, &record, failure)) return false;
  return record.header.type != 0 ? take_event(gather, &record, message, failure)
                                 : take_other(gather, &record, failure);
}

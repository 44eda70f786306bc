// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An entry as it comes. Nothing in it is believed before it was checked: who may publish may write what it likes. */

#include "import.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 12, HEADER = sizeof(mainstem_event_header) };

/* A number of at most 19 digits, which ends there. */
static bool read_number(uint64_t *number, const char *text, char end) {
  size_t count = strspn(text, "0123456789");
  if (count == 0 || count > 19 || text[count] != end) return false;
  *number = strtoull(text, NULL, 10);
  return true;
}

/* The subject is $JS.ACK.STREAM.CONSUMER.DELIVERIES.SEQUENCE.ORDINAL.TIME.PENDING; a server with a domain puts domain
   and account before the stream, and something more at the end. */
bool arrival_locate(struct arrival *arrival, const char *reply) {
  const char *parts[PARTS + 1];
  int count = 0;
  uint64_t time;
  if (reply == NULL || strncmp(reply, "$JS.ACK.", 8) != 0) return false;
  for (const char *dot = reply; dot != NULL && count <= PARTS; dot = strchr(dot + 1, '.'))
    parts[count++] = dot == reply ? reply : dot + 1;
  int first = count == 9 ? 4 : 6;
  if (count != 9 && count < 11) return false;
  if (!read_number(&arrival->deliveries, parts[first], '.') ||
      !read_number(&arrival->sequence, parts[first + 1], '.') ||
      !read_number(&arrival->ordinal, parts[first + 2], '.') ||
      !read_number(&time, parts[first + 3], '.'))
    return false;
  arrival->time = (int64_t)time;
  return arrival->sequence > 0;
}

static const char *header_of(natsMsg *message, const char *key) {
  const char *value = NULL;
  return natsMsgHeader_Get(message, key, &value) == NATS_OK ? value : NULL;
}

/* Whether a subject is PREFIX._journal.ID, of what a mirror adds for itself. */
static bool is_journals(const char *subject, const char *id) {
  static const char before[] = "._journal.";
  const size_t own = sizeof before - 1;
  size_t length = strlen(subject);
  if (length <= own + ID_DIGITS) return false;
  const char *end = subject + length - ID_DIGITS;
  return memcmp(end, id, ID_DIGITS) == 0 && memcmp(end - own, before, own) == 0;
}

/* Which journal and position. What is the journal's own is no event of it. */
static bool read_identity(struct arrival *arrival, natsMsg *message, bool *is_own) {
  struct identity identity;
  if (!entry_identify(message, &identity) || !source_read_id(arrival->id, identity.id))
    return false;
  arrival->position = identity.point.position;
  *is_own = is_journals(natsMsg_GetSubject(message), identity.id);
  return *is_own || (identity.point.file == 0 && !identity.is_mark && arrival->position > 0);
}

static struct wanted *find_wanted(struct wanted *wanted, const char *value) {
  while (wanted->name != NULL && strcmp(wanted->value, value) != 0) wanted++;
  return wanted->name != NULL ? wanted : NULL;
}

/* How subjects of a type end in a layer. Mostly it is the layer of the last entry. */
static bool find_end(struct wanted *wanted, const char *value) {
  char layer[LONGEST_NAME + 1], end[LONGEST_SUBJECT];
  if (wanted->layer != NULL && strcmp(wanted->layer, value) == 0) return true;
  read_value(layer, value);
  free(wanted->layer);
  free(wanted->end);
  write_subject(end, "", layer, wanted->name);
  wanted->end = strdup(end);
  wanted->layer = wanted->end != NULL ? strdup(value) : NULL;
  return wanted->layer != NULL;
}

/* Who may publish on some subjects only shall not name other types: subject and headers must agree. */
static bool is_of_subject(natsMsg *message, struct wanted *wanted) {
  const char *layer = header_of(message, "Mainstem-Layer");
  const char *subject = natsMsg_GetSubject(message);
  if (layer == NULL || !find_end(wanted, layer)) return false;
  size_t length = strlen(subject), end = strlen(wanted->end);
  return length > end && memcmp(subject + length - end, wanted->end, end) == 0;
}

/* Payload's kind, and of a struct its size: what both sides must agree on. */
static bool is_same_payload(natsMsg *message, mainstem_contract own) {
  const uint64_t bits = MAINSTEM_PAYLOAD_MASK | 0xffffffffULL;
  const char *value = header_of(message, "Mainstem-Contract");
  char *end;
  if (value == NULL || strlen(value) != 16 || strspn(value, "0123456789abcdef") != 16) return false;
  return (strtoull(value, &end, 16) & bits) == (own & bits);
}

/* The event's header and payload. */
static enum fate read_data(struct arrival *arrival, natsMsg *message, const char **why) {
  mainstem_event_header header;
  int length = natsMsg_GetDataLength(message);
  *why = "its data are none of an event";
  if (length < HEADER) return ARRIVAL_REFUSED;
  memcpy(&header, natsMsg_GetData(message), sizeof header);
  if (header.position != arrival->position || header.offset != HEADER || header.type == 0 ||
      header.size != (uint32_t)(length - HEADER))
    return ARRIVAL_REFUSED;
  arrival->data = natsMsg_GetData(message) + HEADER;
  arrival->size = header.size;
  const uint32_t marks = MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD;
  bool is_left_out = (header.flags & marks) != 0 || header.status != MAINSTEM_OK;
  return is_left_out ? ARRIVAL_LEFT_OUT : ARRIVAL_WANTED;
}

enum fate arrival_read(struct arrival *arrival, natsMsg *message, struct wanted *wanted,
                       const char **why) {
  bool is_own = false;
  const char *type = header_of(message, "Mainstem-Type");
  *why = "no mirror made it";
  if (!read_identity(arrival, message, &is_own)) return ARRIVAL_REFUSED;
  if (is_own) return ARRIVAL_PASSED;
  if (type == NULL) return ARRIVAL_REFUSED;
  arrival->wanted = find_wanted(wanted, type);
  if (arrival->wanted == NULL) return ARRIVAL_PASSED;
  *why = "its subject is of another type or layer";
  if (!is_of_subject(message, arrival->wanted)) return ARRIVAL_REFUSED;
  *why = "its type carries something else than here";
  if (!is_same_payload(message, arrival->wanted->contract)) return ARRIVAL_REFUSED;
  return read_data(arrival, message, why);
}

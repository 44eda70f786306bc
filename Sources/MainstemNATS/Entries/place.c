// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Where a stream stands: its last entry, and the last one of a journal. Mostly these are one. */

#include "../Bridge/bridge.h"

#include <string.h>

enum { BATCH = 512, BYTES = 8 << 20 };

/* Whether a mirror made an entry, to go by its data. */
static bool is_sound(natsMsg *message, const struct identity *identity) {
  mainstem_header header;
  if (natsMsg_GetDataLength(message) < (int)sizeof header) return false;
  memcpy(&header, natsMsg_GetData(message), sizeof header);
  bool is_event = identity->point.file == 0 && !identity->is_mark;
  return (header.type != 0) == is_event &&
         (!is_event || header.position == identity->point.position);
}

/* One entry of the stream, if it is of this journal. One that was removed by hand is none. */
static bool look_at(struct place *place, struct server *server, const struct settings *settings,
                    const char *id, uint64_t sequence, struct failure *failure) {
  natsMsg *message = NULL;
  jsErrCode code = 0;
  struct identity identity;
  natsStatus status = js_GetMsg(&message, server->js, settings->stream, sequence, NULL, &code);
  if (status == NATS_NOT_FOUND) return true;
  if (status != NATS_OK) return fail_as(failure, status, code, "an entry of the stream");
  bool is_ours = entry_identify(message, &identity) && strcmp(identity.id, id) == 0;
  if (is_ours && is_sound(message, &identity)) {
    place->message = message;
    place->point = identity.point;
    place->is_mark = identity.is_mark;
    return true;
  }
  natsMsg_Destroy(message);
  return !is_ours ||
         fail(failure, MAINSTEM_IO, "entry %llu of the stream is one that no mirror made",
              (unsigned long long)sequence);
}

/* Where the search begins: at the journal's own last entry; 0: nowhere, for the stream has nothing of it. */
static bool find_begin(uint64_t *begin, struct server *server, const struct settings *settings,
                       const char *id, struct failure *failure) {
  char subject[LONGEST_SUBJECT];
  natsMsg *message = NULL;
  jsErrCode code = 0;
  write_journal_subject(subject, settings->prefix, id);
  natsStatus status = js_GetLastMsg(&message, server->js, settings->stream, subject, NULL, &code);
  if (status == NATS_OK) *begin = natsMsg_GetSequence(message);
  natsMsg_Destroy(message);
  if (status == NATS_OK) return true;
  if (status != NATS_NOT_FOUND) return fail_as(failure, status, code, "the journal's own entry");
  /* A stream that has forgotten entries may have forgotten that one, and have later ones. */
  *begin = server->first > 1 && server->first <= server->last ? server->first : 0;
  return true;
}

/* Notes a message of a search in `found`, if it is the journal's; true: it was the last one. */
static bool note_found(uint64_t *found, natsMsg *message, const char *id, uint64_t last) {
  jsMsgMetaData *meta = NULL;
  struct identity identity;
  if (natsMsg_GetMetaData(&meta, message) != NATS_OK) return false;
  uint64_t sequence = meta->Sequence.Stream;
  bool is_last = sequence >= last || meta->NumPending == 0;
  jsMsgMetaData_Destroy(meta);
  if (entry_identify(message, &identity) && strcmp(identity.id, id) == 0) *found = sequence;
  return is_last;
}

/* Looks at the headers of all entries from one on, for the last one of the journal. */
static bool search(uint64_t *found, struct server *server, const struct settings *settings,
                   const char *id, uint64_t begin, struct failure *failure) {
  jsErrCode code = 0;
  const struct range range = {.subject = ">", .begin = begin, .has_headers_only = true};
  natsStatus status = reader_open(server, settings, &range, &code);
  for (bool is_done = false; status == NATS_OK && !is_done;) {
    natsMsg *message = NULL;
    status = reader_next(&server->reader, BATCH, BYTES, &message);
    is_done = status == NATS_OK && note_found(found, message, id, server->last);
    natsMsg_Destroy(message);
  }
  return status == NATS_OK || fail_as(failure, status, code, "the entries of the journal");
}

/* Finds the journal's last entry where it is not the stream's. */
static bool find(struct place *place, struct server *server, const struct settings *settings,
                 const char *id, struct failure *failure) {
  uint64_t begin = 0, found = 0;
  if (!find_begin(&begin, server, settings, id, failure)) return false;
  if (begin == 0) return true;
  if (!search(&found, server, settings, id, begin, failure)) return false;
  return found == 0 || look_at(place, server, settings, id, found, failure);
}

bool place_find(struct place *place, struct server *server, const struct settings *settings,
                const char *id, struct failure *failure) {
  memset(place, 0, sizeof *place);
  place->sequence = server->last;
  if (server->last == 0) return true;
  if (!look_at(place, server, settings, id, server->last, failure)) return false;
  return place->message != NULL || find(place, server, settings, id, failure);
}

bool place_is(const struct place *place, const mainstem_event *record) {
  mainstem_header streamed, recorded;
  const char *data = natsMsg_GetData(place->message);
  size_t size = (size_t)natsMsg_GetDataLength(place->message) - sizeof streamed;
  memcpy(&streamed, data, sizeof streamed);
  memcpy(&recorded, record, sizeof recorded);
  const char *left_out = NULL;
  natsMsgHeader_Get(place->message, LEFT_OUT, &left_out);
  if (record->type != 0) recorded.offset = streamed.offset;
  if (record->type != 0 && left_out != NULL) {
    recorded.flags |= MAINSTEM_EVENT_MARKED;
    recorded.size = 0;
    recorded.status = MAINSTEM_OK;
  }
  return memcmp(&recorded, &streamed, sizeof recorded) == 0 &&
         (left_out != NULL ||
          (size == record->size && memcmp(data + sizeof streamed, record->data, size) == 0));
}

void place_free(struct place *place) { natsMsg_Destroy(place->message); }

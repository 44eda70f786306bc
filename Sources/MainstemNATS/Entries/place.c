// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Where a stream stands: its last entry, and the last one of a journal. Mostly these are one. */

#include "entries.h"

#include <string.h>

enum { BATCH = 512, BYTES = 8 << 20 };

/* Whether a mirror made an entry, to go by its place and its data. */
static bool is_sound(natsMsg *message, uint64_t sequence, const struct identity *identity) {
  mainstem_event_header header;
  if (!entry_is_at(message, sequence)) return false;
  if (natsMsg_GetDataLength(message) < (int)sizeof header) return false;
  memcpy(&header, natsMsg_GetData(message), sizeof header);
  bool is_event = identity->point.file == 0 && !identity->is_mark;
  return (header.type != 0) == is_event &&
         (!is_event || header.position == identity->point.position);
}

/* The place is behind this entry, if it is of this journal. Anyone may publish to a stream, also with the journal's ids:
   what claims falsely to be the journal's is foreign, and passed by. */
static void take(struct place *place, natsMsg *message, uint64_t sequence, const char *id) {
  struct identity identity;
  bool is_ours = entry_identify(message, &identity) && strcmp(identity.id, id) == 0;
  if (!is_ours || !is_sound(message, sequence, &identity)) {
    place->has_foreign |= is_ours;
    natsMsg_Destroy(message);
    return;
  }
  natsMsg_Destroy(place->message);
  place->message = message;
  place->at = sequence;
  place->point = identity.point;
  place->is_mark = identity.is_mark;
}

/* One entry of the stream. One that was removed by hand is not there. */
static bool look_at(struct place *place, struct server *server, const struct settings *settings,
                    const char *id, uint64_t sequence, struct failure *failure) {
  natsMsg *message = NULL;
  jsErrCode code = 0;
  natsStatus status = js_GetMsg(&message, server->js, settings->stream, sequence, NULL, &code);
  if (status == NATS_NOT_FOUND) return true;
  if (status != NATS_OK) return fail_as(failure, status, code, "an entry of the stream");
  take(place, message, sequence, id);
  return true;
}

/* A search through entries of the stream, from `begin` on. */
struct search {
  struct place *place;
  const char *id, *own; /* The subject of the journal's own entries. */
  uint64_t begin;
  uint64_t
      found; /* The last one that is of this journal, to go by its headers; 0: there is none. */
};

/* An entry of which the headers alone were read. */
static void note_headers(struct search *search, natsMsg *message, uint64_t sequence) {
  struct identity identity;
  if (!entry_identify(message, &identity) || strcmp(identity.id, search->id) != 0) return;
  if (entry_is_at(message, sequence)) search->found = sequence;
  else search->place->has_foreign = true;
}

/* Counts an entry that was passed by, though it is on the journal's own subject, or has its id. */
static void count_foreign(struct search *search, natsMsg *message, uint64_t sequence) {
  struct place *place = search->place;
  struct identity identity;
  if (sequence <= place->last_foreign) return;
  bool has_id = entry_identify(message, &identity) && strcmp(identity.id, search->id) == 0;
  if (!has_id && strcmp(natsMsg_GetSubject(message), search->own) != 0) return;
  if (has_id && is_sound(message, sequence, &identity)) return;
  place->last_foreign = sequence;
  place->foreign++;
}

/* Notes an entry that was read; true: it was the last one. */
static bool note_read(struct search *search, const struct range *range, natsMsg *message,
                      uint64_t last) {
  jsMsgMetaData *meta = NULL;
  if (natsMsg_GetMetaData(&meta, message) != NATS_OK) {
    natsMsg_Destroy(message);
    return false;
  }
  uint64_t sequence = meta->Sequence.Stream;
  bool is_last = sequence >= last || meta->NumPending == 0;
  jsMsgMetaData_Destroy(meta);
  if (range->has_headers_only) {
    note_headers(search, message, sequence);
    natsMsg_Destroy(message);
    return is_last;
  }
  if (range->subject != search->own) count_foreign(search, message, sequence);
  take(search->place, message, sequence, search->id);
  return is_last;
}

static bool run(struct search *search, const char *subject, bool has_headers_only,
                struct server *server, const struct settings *settings, struct failure *failure) {
  jsErrCode code = 0;
  const struct range range = {
      .subject = subject, .begin = search->begin, .has_headers_only = has_headers_only};
  natsStatus status = reader_open(server, settings, &range, &code);
  bool is_done = status == NATS_OK && server->reader->left == 0;
  while (status == NATS_OK && !is_done) {
    natsMsg *message = NULL;
    status = reader_next(server->reader, BATCH, BYTES, &message);
    if (status == NATS_OK) is_done = note_read(search, &range, message, server->last);
  }
  return status == NATS_OK || fail_as(failure, status, code, "the entries of the journal");
}

/* Finds the journal's last entry among those behind `begin`. Their headers are enough, unless something foreign is
   there. */
static bool find_behind(struct search *search, struct server *server,
                        const struct settings *settings, struct failure *failure) {
  struct place *place = search->place;
  if (!place->has_foreign) {
    if (!run(search, ">", true, server, settings, failure)) return false;
    if (search->found > 0 && !look_at(place, server, settings, search->id, search->found, failure))
      return false;
  }
  return !place->has_foreign || run(search, ">", false, server, settings, failure);
}

/* Where the search begins: at the journal's own last entry; 0: nowhere, for the stream has nothing of it. */
static bool find_begin(struct search *search, struct server *server,
                       const struct settings *settings, struct failure *failure) {
  struct place *place = search->place;
  natsMsg *message = NULL;
  jsErrCode code = 0;
  natsStatus status =
      js_GetLastMsg(&message, server->js, settings->stream, search->own, NULL, &code);
  if (status != NATS_OK && status != NATS_NOT_FOUND)
    return fail_as(failure, status, code, "the journal's own entry");
  if (status == NATS_OK) take(place, message, natsMsg_GetSequence(message), search->id);
  if (status == NATS_OK && place->message == NULL) {
    place->has_foreign = true;
    search->begin = server->first;
    if (!run(search, search->own, false, server, settings, failure)) return false;
  }
  /* A stream that has forgotten entries may have forgotten that one, and have later ones. */
  search->begin = server->first > 1 && server->first <= server->last ? server->first : 0;
  if (place->message != NULL) search->begin = place->at;
  return true;
}

/* Finds the journal's last entry where it is not the stream's. */
static bool find(struct place *place, struct server *server, const struct settings *settings,
                 const char *id, struct failure *failure) {
  char own[LONGEST_SUBJECT];
  struct search search = {.place = place, .id = id, .own = own};
  write_journal_subject(own, settings->prefix, id);
  return find_begin(&search, server, settings, failure) &&
         (search.begin == 0 || find_behind(&search, server, settings, failure));
}

bool place_find(struct place *place, struct server *server, const struct settings *settings,
                const char *id, struct failure *failure) {
  *place = (struct place){.sequence = server->last, .last_foreign = place->last_foreign};
  if (server->last == 0) return true;
  if (!look_at(place, server, settings, id, server->last, failure)) return false;
  return place->message != NULL || find(place, server, settings, id, failure);
}

bool place_is(const struct place *place, const mainstem_event *record) {
  mainstem_event_header streamed, recorded;
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

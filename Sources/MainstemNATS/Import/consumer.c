// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The server's side of an import: a durable consumer, which is asked for entries.

   What such a consumer hands out again comes between later entries, so nothing is ever handed out twice: for each
   connection the consumer is made anew, where the books say. Its messages are numbered 1, 2, 3 …; a number that is
   missing, or an entry that comes again, and everything begins once more.

   Between the old consumer and the new one, a second one of the same name and "-resume" keeps the place, for a context
   that has no other memory. It is there only then; if a crash leaves it behind, it says where to begin. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries --------------------------------------------------------------------------------------------- */

/* An entry as it comes. Nothing in it is believed before it was checked: who may publish may write what it likes. */

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

/* Payload's kind, of a struct its size, and whether it is a list: what both sides must agree on. */
static bool is_same_payload(natsMsg *message, mainstem_contract own) {
  const uint64_t bits = MAINSTEM_PAYLOAD_MASK | MAINSTEM_LIST | 0xffffffffULL;
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

/* The consumer ---------------------------------------------------------------------------------------- */

/* Every eighth request that gets nothing asks whose the consumer is: every two seconds. */
enum { EXPIRES_MS = 250, PATIENCE = 10000, EMPTIES = 8, LONGEST_CONSUMER = 300 };

/* What the server says of a consumer that is not there. */
static const int not_found = 10014;

static bool fail_on(struct failure *failure, natsStatus status, jsErrCode code) {
  return fail_as(failure, status, code, "the consumer");
}

/* Where to begin -------------------------------------------------------------------------------------- */

/* Where a consumer stands; 0: there is none. */
static bool look_at(struct consumer *consumer, const char *name, uint64_t *next,
                    struct failure *failure) {
  jsConsumerInfo *info = NULL;
  jsErrCode code = 0;
  natsStatus status =
      js_GetConsumerInfo(&info, consumer->server->js, consumer->stream, name, NULL, &code);
  *next = 0;
  if (status == NATS_NOT_FOUND || (int)code == not_found) return true;
  if (status != NATS_OK || info == NULL) return fail_on(failure, status, code);
  *next = info->AckFloor.Stream + 1;
  if (info->Config != NULL && info->Config->OptStartSeq > *next) *next = info->Config->OptStartSeq;
  jsConsumerInfo_Destroy(info);
  return true;
}

/* Whether the stream still has the entry that the books end with: then it has all before it, too. A server that lost its
   end may have other entries there, taken in at another time. */
static bool is_kept(struct consumer *consumer, struct anchor anchor, bool *is,
                    struct failure *failure) {
  natsMsg *message = NULL;
  jsErrCode code = 0;
  natsStatus status =
      js_GetMsg(&message, consumer->server->js, consumer->stream, anchor.sequence, NULL, &code);
  *is = status == NATS_OK && natsMsg_GetTime(message) == anchor.time;
  natsMsg_Destroy(message);
  return status == NATS_OK || status == NATS_NOT_FOUND || fail_on(failure, status, code);
}

/* Behind the newest entry of the books that the stream still has; else at its first one, for what was taken in is known
   by its position, too. */
static bool find_begin(struct consumer *consumer, const struct books *books, uint64_t *begin,
                       struct failure *failure) {
  const struct server *server = consumer->server;
  uint64_t oldest = books->anchored > ANCHORS ? books->anchored - ANCHORS : 0;
  *begin = 1;
  for (uint64_t i = books->anchored; i > oldest; i--) {
    struct anchor anchor = books->anchors[(i - 1) % ANCHORS];
    bool is = false;
    /* What the stream has forgotten at its begin cannot be compared. */
    if (anchor.sequence < server->first) return true;
    if (anchor.sequence > server->last) continue;
    if (!is_kept(consumer, anchor, &is, failure)) return false;
    if (!is) continue;
    *begin = anchor.sequence + 1;
    return true;
  }
  return true;
}

/* Making it ------------------------------------------------------------------------------------------- */

static bool make(struct consumer *consumer, const char *name, uint64_t begin,
                 struct failure *failure) {
  jsConsumerConfig config;
  jsConsumerInfo *info = NULL;
  jsErrCode code = 0;
  jsConsumerConfig_Init(&config);
  config.Durable = name;
  config.DeliverPolicy = js_DeliverByStartSequence;
  config.OptStartSeq = begin;
  config.AckPolicy = js_AckAll;
  /* Nothing is handed out again as long as the consumer is there. */
  config.AckWait = INT64_C(24) * 3600 * 1000000000;
  config.MaxAckPending = -1;
  config.Description = "an import of mainstem, which makes it anew for each connection";
  natsStatus status =
      js_AddConsumer(&info, consumer->server->js, consumer->stream, &config, NULL, &code);
  consumer->made = info != NULL ? info->Created : 0;
  jsConsumerInfo_Destroy(info);
  return status == NATS_OK || fail_on(failure, status, code);
}

static bool end(struct consumer *consumer, const char *name, struct failure *failure) {
  jsErrCode code = 0;
  natsStatus status = js_DeleteConsumer(consumer->server->js, consumer->stream, name, NULL, &code);
  return status == NATS_OK || status == NATS_NOT_FOUND || (int)code == not_found ||
         fail_on(failure, status, code);
}

/* At each step one of both is there, and says where to begin or earlier. */
static bool make_anew(struct consumer *consumer, const struct books *books, bool is_recorded,
                      struct failure *failure) {
  char second[LONGEST_CONSUMER];
  uint64_t begin, own, kept;
  snprintf(second, sizeof second, "%s-resume", consumer->name);
  if (!look_at(consumer, consumer->name, &own, failure) ||
      !look_at(consumer, second, &kept, failure) || !find_begin(consumer, books, &begin, failure))
    return false;
  /* A journal without a begin may have lost the note that says where it was. */
  bool is_memory = books->anchored == 0 && (!is_recorded || books->has_forgotten);
  if (is_memory && (own > 0 || kept > 0)) begin = own > 0 ? own : kept;
  consumer->begin = begin;
  if (own > 0 && kept > 0 && !end(consumer, second, failure)) return false;
  if (own > 0 &&
      (!make(consumer, second, begin, failure) || !end(consumer, consumer->name, failure)))
    return false;
  return make(consumer, consumer->name, begin, failure) && end(consumer, second, failure);
}

static bool subscribe(struct consumer *consumer, struct failure *failure) {
  natsConnection *connection = consumer->server->connection;
  natsStatus status = natsInbox_Create(&consumer->inbox);
  if (status == NATS_OK)
    status = natsConnection_SubscribeSync(&consumer->messages, connection, consumer->inbox);
  return status == NATS_OK || fail_on(failure, status, 0);
}

bool consumer_open(struct consumer *consumer, const struct books *books, bool is_recorded,
                   struct failure *failure) {
  consumer->ordinal = consumer->sequence = 0;
  consumer->asked = 0;
  consumer->is_single = consumer->has_got = false;
  consumer->next_ms = 0;
  return make_anew(consumer, books, is_recorded, failure) && subscribe(consumer, failure);
}

void consumer_close(struct consumer *consumer) {
  natsSubscription_Destroy(consumer->messages);
  natsInbox_Destroy(consumer->inbox);
  consumer->messages = NULL;
  consumer->inbox = NULL;
}

/* Messages -------------------------------------------------------------------------------------------- */

/* Asks for entries. The server answers each request, also if it has none. */
static bool ask(struct consumer *consumer, uint32_t batch, struct failure *failure) {
  char subject[LONGEST_CONSUMER + 320], request[128];
  snprintf(subject, sizeof subject, "$JS.API.CONSUMER.MSG.NEXT.%s.%s", consumer->stream,
           consumer->name);
  consumer->asked = consumer->is_single ? 1 : batch;
  int length = snprintf(request, sizeof request, "{\"batch\":%u,\"expires\":%lld", consumer->asked,
                        EXPIRES_MS * 1000000LL);
  if (!consumer->is_single)
    length += snprintf(request + length, sizeof request - (size_t)length, ",\"max_bytes\":%d",
                       WINDOW_BYTES);
  snprintf(request + length, sizeof request - (size_t)length, "}");
  natsStatus status = natsConnection_PublishRequestString(consumer->server->connection, subject,
                                                          consumer->inbox, request);
  consumer->has_got = consumer->is_known = false;
  consumer->heard_ms = consumer->asked_ms = now_ms();
  return status == NATS_OK || fail_on(failure, status, 0);
}

static bool fail_shared(const struct consumer *consumer, struct failure *failure) {
  return fail(failure, MAINSTEM_BUSY, "somebody else takes entries from the consumer %s",
              consumer->name);
}

/* Another import may have made the consumer anew, where that one goes on. Asked where entries are missing, which the
   stream perhaps has no more, and where none come. One consumer answers a request, so it is asked once. */
static bool check_own(struct consumer *consumer, struct failure *failure) {
  jsConsumerInfo *info = NULL;
  jsErrCode code = 0;
  if (consumer->is_known) return true;
  natsStatus status = js_GetConsumerInfo(&info, consumer->server->js, consumer->stream,
                                         consumer->name, NULL, &code);
  consumer->is_known = status == NATS_OK && info != NULL && info->Created == consumer->made;
  jsConsumerInfo_Destroy(info);
  if (consumer->is_known) return true;
  bool is_other = status == NATS_OK || status == NATS_NOT_FOUND || (int)code == not_found;
  return is_other ? fail_shared(consumer, failure) : fail_on(failure, status, code);
}

/* What the server says instead of an entry. */
static bool take_status(struct consumer *consumer, const char *status, natsMsg *message,
                        struct failure *failure) {
  const char *text = NULL;
  natsMsgHeader_Get(message, "Description", &text);
  if (strcmp(status, "100") == 0) return true;
  consumer->asked = 0;
  if (strcmp(status, "404") == 0 || strcmp(status, "408") == 0) {
    consumer->is_single = false;
    consumer->empties += !consumer->has_got;
    /* A server waits before it says so. One that does not shall not keep us busy. */
    if (!consumer->has_got) consumer->next_ms = consumer->asked_ms + EXPIRES_MS / 2;
    return consumer->has_got || consumer->empties % EMPTIES != 0 || check_own(consumer, failure);
  }
  /* An entry is larger than what was asked for. */
  if (strcmp(status, "409") == 0 && text != NULL && strstr(text, "MaxBytes") != NULL) {
    consumer->is_single = true;
    return true;
  }
  return fail(failure, MAINSTEM_IO, "the consumer: %s", text != NULL ? text : status);
}

/* The consumer's next message, about an entry behind the last one: else one was lost or comes again. */
static bool take_place(struct consumer *consumer, natsMsg *message, struct arrival *arrival,
                       struct failure *failure) {
  if (!arrival_locate(arrival, natsMsg_GetReply(message)))
    return fail(failure, MAINSTEM_IO, "the server sent something that is no entry");
  if (consumer->asked == 0)
    return fail(failure, MAINSTEM_IO, "the server sent more than was asked for");
  if (arrival->ordinal != consumer->ordinal + 1 || arrival->sequence <= consumer->sequence ||
      arrival->deliveries != 1)
    return fail_shared(consumer, failure);
  uint64_t next = consumer->sequence > 0 ? consumer->sequence + 1 : consumer->begin;
  if (arrival->sequence != next && !check_own(consumer, failure)) return false;
  consumer->ordinal = arrival->ordinal;
  consumer->sequence = arrival->sequence;
  consumer->has_got = true;
  if (--consumer->asked == 0) consumer->is_single = false;
  return true;
}

static bool take(struct consumer *consumer, natsMsg **message, struct arrival *arrival,
                 struct failure *failure) {
  const char *status = NULL;
  consumer->heard_ms = now_ms();
  bool has_status = natsMsg_GetDataLength(*message) == 0 &&
                    natsMsgHeader_Get(*message, "Status", &status) == NATS_OK && status != NULL;
  bool is_good = has_status ? take_status(consumer, status, *message, failure)
                            : take_place(consumer, *message, arrival, failure);
  if (is_good && !has_status) return true;
  natsMsg_Destroy(*message);
  *message = NULL;
  return is_good;
}

bool consumer_next(struct consumer *consumer, uint32_t batch, int64_t ms, natsMsg **message,
                   struct arrival *arrival, struct failure *failure) {
  *message = NULL;
  bool may_ask = consumer->asked == 0 && now_ms() >= consumer->next_ms;
  if (may_ask && !ask(consumer, batch, failure)) return false;
  natsStatus status = natsSubscription_NextMsg(message, consumer->messages, ms);
  if (status == NATS_OK) return take(consumer, message, arrival, failure);
  if (status != NATS_TIMEOUT) return fail_on(failure, status, 0);
  if (consumer->asked == 0 || now_ms() - consumer->heard_ms < EXPIRES_MS + PATIENCE) return true;
  return fail(failure, MAINSTEM_IO, "the server has not answered for %d seconds", PATIENCE / 1000);
}

void consumer_acknowledge(struct consumer *consumer, natsMsg *message) {
  natsConnection_PublishString(consumer->server->connection, natsMsg_GetReply(message), "+ACK");
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Entries of a stream, from one on. They come from a consumer that is asked for some at a time, because what others push
   is bounded by nothing. It is asked here and not by libnats 3.4, which believes what it hears: if the server does not
   say how its consumer is called, that crashes, and so may a subscription of JetStream that ends. */

#include "bridge.h"

#include <string.h>

enum { EXPIRES_MS = 2000, LATE_MS = 500 };

static natsStatus make_consumer(struct server *server, const struct settings *settings,
                                const struct range *range, jsErrCode *code) {
  struct reader *reader = server->reader;
  jsConsumerConfig config;
  jsConsumerInfo *info = NULL;
  jsConsumerConfig_Init(&config);
  config.FilterSubject = range->subject;
  config.DeliverPolicy = js_DeliverByStartSequence;
  config.OptStartSeq = range->begin;
  config.AckPolicy = js_AckNone;
  config.HeadersOnly = range->has_headers_only;
  natsStatus status = js_AddConsumer(&info, server->js, settings->stream, &config, NULL, code);
  if (status != NATS_OK || info == NULL) return status;
  bool has_name = info->Name != NULL && is_stream(info->Name);
  if (has_name)
    snprintf(reader->subject, sizeof reader->subject, "$JS.API.CONSUMER.MSG.NEXT.%s.%s",
             settings->stream, info->Name);
  reader->left = info->NumPending;
  jsConsumerInfo_Destroy(info);
  return has_name ? NATS_OK : NATS_PROTOCOL_ERROR;
}

natsStatus reader_open(struct server *server, const struct settings *settings,
                       const struct range *range, jsErrCode *code) {
  struct reader *reader = server->reader == NULL ? server->readers : server->reader + 1;
  server->reader = reader;
  reader->connection = server->connection;
  natsStatus status = make_consumer(server, settings, range, code);
  if (status == NATS_OK) status = natsInbox_Create(&reader->inbox);
  if (status != NATS_OK) return status;
  return natsConnection_SubscribeSync(&reader->messages, server->connection, reader->inbox);
}

void reader_close(struct reader *reader) {
  natsSubscription_Destroy(reader->messages);
  natsInbox_Destroy(reader->inbox);
  memset(reader, 0, sizeof *reader);
}

static natsStatus ask(struct reader *reader, uint64_t most, int64_t bytes) {
  char request[128];
  snprintf(request, sizeof request, "{\"batch\":%llu,\"max_bytes\":%lld,\"expires\":%lld}",
           (unsigned long long)most, (long long)bytes, EXPIRES_MS * 1000000LL);
  return natsConnection_PublishRequestString(reader->connection, reader->subject, reader->inbox,
                                             request);
}

/* What the server says instead of an entry; NULL: it is one. */
static const char *status_of(natsMsg *message) {
  const char *status = NULL;
  if (natsMsg_GetDataLength(message) > 0 ||
      natsMsgHeader_Get(message, "Status", &status) != NATS_OK)
    return NULL;
  return status;
}

/* The next message; asks, if nothing is on its way. */
static natsStatus hear(struct reader *reader, uint64_t most, int64_t bytes, natsMsg **message) {
  if (reader->asked == 0) {
    natsStatus status = ask(reader, most, bytes);
    if (status != NATS_OK) return status;
    reader->asked = most;
    reader->has_got = false;
  }
  /* A server says when the time is over. One that does not is not waited for. */
  return natsSubscription_NextMsg(message, reader->messages, EXPIRES_MS + LATE_MS);
}

natsStatus reader_next(struct reader *reader, uint64_t most, int64_t bytes, natsMsg **message) {
  for (;;) {
    natsStatus status = hear(reader, most, bytes, message);
    if (status != NATS_OK) return status;
    const char *said = status_of(*message);
    if (said == NULL) {
      reader->has_got = true;
      reader->asked--;
      return NATS_OK;
    }
    status = strcmp(said, "503") == 0 ? NATS_NO_RESPONDERS : NATS_TIMEOUT;
    natsMsg_Destroy(*message);
    *message = NULL;
    reader->asked = 0;
    /* The bytes that were asked for may be fewer than the entries. */
    if (!reader->has_got) return status;
  }
}

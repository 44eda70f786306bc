// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The connection and the stream. A connection that breaks is not mended: the bridge makes another, and asks the stream
   where it stands. */

#include "guard.h"

#include <stdio.h>
#include <string.h>

enum { ASK_MS = 2000, WRITE_MS = 5000, PING_MS = 5000, USUAL_PAYLOAD = 1 << 20 };

static bool list_servers(struct servers *servers, const char *urls) {
  char *rest = servers->copy, *url;
  int length = snprintf(servers->copy, sizeof servers->copy, "%s", urls);
  servers->count = 0;
  while (servers->count < MOST_SERVERS && (url = strtok_r(rest, ", ", &rest)) != NULL)
    servers->urls[servers->count++] = url;
  return length < (int)sizeof servers->copy && servers->count > 0;
}

static natsStatus set_servers(natsOptions *options, struct servers *servers, const char *urls) {
  if (!list_servers(servers, urls)) return NATS_INVALID_ARG;
  natsStatus status = natsOptions_SetServers(options, servers->urls, servers->count);
  /* Those that a server names are not tried: the guard knows the ports of these. */
  return status == NATS_OK ? natsOptions_SetIgnoreDiscoveredServers(options, true) : status;
}

static natsStatus set_identity(natsOptions *options, const struct settings *settings) {
  natsStatus status = natsOptions_SetName(options, settings->name);
  if (status == NATS_OK && settings->user != NULL)
    status = natsOptions_SetUserInfo(options, settings->user, settings->password);
  if (status == NATS_OK && settings->credentials != NULL)
    status = natsOptions_SetUserCredentialsFromFiles(options, settings->credentials, NULL);
  return status;
}

static natsStatus set_security(natsOptions *options, const struct settings *settings) {
  natsStatus status = NATS_OK;
  if ((settings->flags & MAINSTEM_NATS_TLS) != 0 || settings->authorities != NULL ||
      settings->certificate != NULL)
    status = natsOptions_SetSecure(options, true);
  if (status == NATS_OK && settings->authorities != NULL)
    status = natsOptions_LoadCATrustedCertificates(options, settings->authorities);
  if (status == NATS_OK && settings->certificate != NULL)
    status = natsOptions_LoadCertificatesChain(options, settings->certificate, settings->key);
  if (status == NATS_OK && settings->host != NULL)
    status = natsOptions_SetExpectedHostname(options, settings->host);
  return status;
}

static natsStatus set_habits(natsOptions *options, const struct answers *answers) {
  natsStatus status = natsOptions_SetAllowReconnect(options, false);
  if (status == NATS_OK) status = natsOptions_SetTimeout(options, CONNECT_MS);
  if (status == NATS_OK) status = natsOptions_SetWriteDeadline(options, WRITE_MS);
  if (status == NATS_OK) status = natsOptions_SetPingInterval(options, PING_MS);
  if (status == NATS_OK)
    status = natsOptions_SetErrorHandler(options, answers->error, answers->bridge);
  if (status == NATS_OK && answers->habits != NULL)
    status = answers->habits(options, answers->bridge);
  return status;
}

/* Connects; false: a server let it wait, and was given up. */
static bool connect_guarded(natsConnection **connection, natsOptions *options,
                            const struct servers *servers, struct bridge *bridge,
                            natsStatus *status) {
  struct guard guard;
  *status = NATS_NO_MEMORY;
  if (!guard_begin(&guard, servers, bridge)) return true;
  *status = natsConnection_Connect(connection, options);
  return !guard_end(&guard) || *status == NATS_OK;
}

bool server_connect(natsConnection **connection, const struct settings *settings,
                    const struct answers *answers, struct failure *failure) {
  natsOptions *options = NULL;
  struct servers servers;
  bool is_answered = true;
  natsStatus status = natsOptions_Create(&options);
  if (status == NATS_OK) status = set_servers(options, &servers, settings->url);
  if (status == NATS_OK) status = set_identity(options, settings);
  if (status == NATS_OK) status = set_security(options, settings);
  if (status == NATS_OK) status = set_habits(options, answers);
  if (status == NATS_OK)
    is_answered = connect_guarded(connection, options, &servers, answers->bridge, &status);
  natsOptions_Destroy(options);
  if (!is_answered)
    return fail(failure, MAINSTEM_IO, "no connection to the server: it greets and is then silent");
  return status == NATS_OK || fail_as(failure, status, 0, "no connection to the server");
}

static natsStatus make_js(struct server *server, const struct settings *settings,
                          const struct answers *answers) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = ASK_MS;
  /* The window keeps to its own limit, with room for the journal's own entries. */
  options.PublishAsync.MaxPending = (int64_t)settings->window + 1;
  options.PublishAsync.AckHandler = answers->entry;
  options.PublishAsync.AckHandlerClosure = answers->bridge;
  return natsConnection_JetStream(&server->js, server->connection, &options);
}

static natsStatus make_stream(struct server *server, const struct settings *settings,
                              jsStreamInfo **info, jsErrCode *code) {
  char subjects[LONGEST_PREFIX + 4];
  const char *list[] = {subjects};
  jsStreamConfig config;
  snprintf(subjects, sizeof subjects, "%s.>", settings->prefix);
  jsStreamConfig_Init(&config);
  config.Name = settings->stream;
  config.Subjects = list;
  config.SubjectsLen = 1;
  config.Replicas = settings->replicas;
  return js_AddStream(info, server->js, &config, NULL, code);
}

static void note_stream(struct server *server, const jsStreamInfo *info) {
  int64_t most = natsConnection_GetMaxPayload(server->connection);
  int64_t own = info->Config != NULL ? info->Config->MaxMsgSize : -1;
  if (most <= 0) most = USUAL_PAYLOAD;
  if (own > 0 && own < most) most = own;
  server->most = (size_t)most;
  server->first = info->State.FirstSeq;
  server->last = info->State.LastSeq;
}

bool server_find_stream(struct server *server, const struct settings *settings, bool may_make,
                        struct failure *failure) {
  jsStreamInfo *info = NULL;
  jsErrCode code = 0;
  natsStatus status = js_GetStreamInfo(&info, server->js, settings->stream, NULL, &code);
  if (status == NATS_NOT_FOUND && may_make) {
    code = 0;
    status = make_stream(server, settings, &info, &code);
  }
  if (status != NATS_OK || info == NULL) return fail_as(failure, status, code, "the stream");
  note_stream(server, info);
  jsStreamInfo_Destroy(info);
  return true;
}

bool server_open(struct server *server, const struct settings *settings,
                 const struct answers *answers, struct failure *failure) {
  if (!server_connect(&server->connection, settings, answers, failure)) return false;
  natsStatus status = make_js(server, settings, answers);
  return status == NATS_OK || fail_as(failure, status, 0, "the connection");
}

void server_close(struct server *server) {
  natsConnection_Close(server->connection);
  for (int i = 0; i < READERS; i++) reader_close(&server->readers[i]);
  jsCtx_Destroy(server->js);
  natsConnection_Destroy(server->connection);
  memset(server, 0, sizeof *server);
}

/* Entries of the stream ------------------------------------------------------------------------------- */

/* Entries of a stream, from one on. They come from a consumer that is asked for some at a time, because what others push
   is bounded by nothing. It is asked here and not by libnats 3.4, which believes what it hears: if the server does not
   say how its consumer is called, that crashes, and so may a subscription of JetStream that ends. */

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

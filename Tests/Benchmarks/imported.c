// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * imported STREAM URL COUNT ROUNDS JOURNAL: a stream imported to a context, and the same entries fetched and acknowledged by NATS' C
 * client alone, with a durable pull consumer. Prints a line for each round: nanoseconds of the client alone, of an import
 * into a context that is not recorded, and into one that is.
 */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 512 };

static void expect(int is_so, const char *what) {
  if (is_so) return;
  fprintf(stderr, "%s: %s %s\n", what, mainstem_last_error(), mainstem_nats_last_error());
  exit(1);
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* What every consumer must know of an entry: which it is, and of which type. */
static size_t look_at(natsMsg *message) {
  const char *id = NULL, *type = NULL;
  natsMsgHeader_Get(message, "Nats-Msg-Id", &id);
  natsMsgHeader_Get(message, "Mainstem-Type", &type);
  return (id != NULL) + (type != NULL) + (size_t)natsMsg_GetDataLength(message);
}

/* Fetches all, looks at them, and acknowledges. */
static double alone(const char *stream, const char *url, size_t count) {
  natsConnection *connection;
  natsSubscription *entries;
  jsSubOptions options;
  jsCtx *js;
  size_t bytes = 0;
  expect(natsConnection_ConnectTo(&connection, url) == NATS_OK, "connect");
  expect(natsConnection_JetStream(&js, connection, NULL) == NATS_OK, "stream");
  js_DeleteConsumer(js, stream, "alone", NULL, NULL);
  jsSubOptions_Init(&options);
  options.Stream = stream;
  options.Config.AckPolicy = js_AckAll;
  options.Config.MaxAckPending = 4 * BATCH;
  double began = now_ns();
  expect(js_PullSubscribe(&entries, js, ">", "alone", NULL, &options, NULL) == NATS_OK,
         "subscribe");
  for (size_t got = 0; got < count;) {
    natsMsgList list = {NULL, 0};
    int wanted = count - got < BATCH ? (int)(count - got) : BATCH;
    expect(natsSubscription_Fetch(&list, entries, wanted, 5000, NULL) == NATS_OK, "fetch");
    for (int i = 0; i < list.Count; i++) bytes += look_at(list.Msgs[i]);
    natsMsg_Ack(list.Msgs[list.Count - 1], NULL);
    got += (size_t)list.Count;
    natsMsgList_Destroy(&list);
  }
  double taken = now_ns() - began;
  expect(bytes > 0, "bytes");
  natsConnection_Close(connection);
  natsSubscription_Destroy(entries);
  jsCtx_Destroy(js);
  natsConnection_Destroy(connection);
  return taken;
}

static double imported(const char *stream, const char *url, size_t count, const char *journal) {
  static const char *const types[] = {"Sample"};
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats_stats stats = {.size = sizeof stats};
  mainstem_nats *import;
  mainstem_context *context;
  mainstem_event_type sample;
  mainstem_context_create(NULL, &context);
  if (journal != NULL)
    expect(mainstem_journal_record(context, journal, NULL) == MAINSTEM_OK, "record");
  mainstem_type_add(context, "Sample", MAINSTEM_PAYLOAD_BYTES, NULL, &sample);
  options.url = url;
  options.stream = stream;
  options.types = types;
  options.type_count = 1;
  options.journal = journal;
  options.durable = journal == NULL ? "memory" : NULL;
  double began = now_ns();
  expect(mainstem_nats_import(context, &options, &import) == MAINSTEM_OK, "import");
  expect(mainstem_nats_flush(import, 600000) == MAINSTEM_OK, "flush");
  double taken = now_ns() - began;
  mainstem_nats_stats_read(import, &stats);
  expect(stats.entries == count && stats.begun == 1, "all, at once");
  mainstem_nats_close(import);
  mainstem_context_close(context);
  return taken;
}

static void forget(const char *stream, const char *url) {
  natsConnection *connection;
  jsCtx *js;
  expect(natsConnection_ConnectTo(&connection, url) == NATS_OK, "connect");
  expect(natsConnection_JetStream(&js, connection, NULL) == NATS_OK, "stream");
  js_DeleteConsumer(js, stream, "memory", NULL, NULL);
  jsCtx_Destroy(js);
  natsConnection_Destroy(connection);
}

int main(int arguments, char **argument) {
  expect(arguments == 6, "imported STREAM URL COUNT ROUNDS JOURNAL");
  size_t count = strtoul(argument[3], NULL, 10);
  for (int round = 0; round < atoi(argument[4]); round++) {
    char journal[4096];
    snprintf(journal, sizeof journal, "%s-%d", argument[5], round);
    forget(argument[1], argument[2]);
    double own = alone(argument[1], argument[2], count);
    double memory = imported(argument[1], argument[2], count, NULL);
    double file = imported(argument[1], argument[2], count, journal);
    printf("%zu %.0f %.0f %.0f\n", count, own, memory, file);
    fflush(stdout);
    remove(journal);
  }
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * mirrored JOURNAL URL ROUNDS: a journal mirrored to a stream, and the same entries published by NATS' C client alone,
 * asynchronously, from memory. Prints a line for each round: nanoseconds of each.
 */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PENDING = 4096, HEADER = sizeof(mainstem_event_header) };

typedef struct entry {
  char id[64], subject[300], type[256], contract[24];
  char *data;
  int size;
} entry;

static entry *entries;
static size_t count;

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

static void keep(const mainstem_event *event, const mainstem_type_info *type) {
  entries = (entry *)realloc(entries, (count + 1) * sizeof *entries);
  entry *made = &entries[count++];
  made->size = HEADER + (int)event->size;
  made->data = (char *)malloc((size_t)made->size);
  memcpy(made->data, event, HEADER);
  memcpy(made->data + HEADER, event->data, event->size);
  snprintf(made->id, sizeof made->id, "0123456789abcdef0123456789abcdef-%d", (int)event->position);
  snprintf(made->subject, sizeof made->subject, "alone.app.%s", type->name);
  snprintf(made->type, sizeof made->type, "%s", type->name);
  snprintf(made->contract, sizeof made->contract, "%016llx", (unsigned long long)type->contract);
}

static void read_all(const char *path) {
  mainstem_journal *journal;
  const mainstem_event *event;
  expect(mainstem_journal_open(path, &journal) == MAINSTEM_OK, "open");
  while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) {
    mainstem_type_info type = {.size = sizeof type};
    mainstem_journal_type_read(journal, event->type, &type);
    keep(event, &type);
  }
  mainstem_journal_close(journal);
}

/* What the client offers alone: the same data and names, no place. */
static double alone(const char *url) {
  natsConnection *connection;
  jsCtx *js;
  jsOptions options;
  jsStreamConfig config;
  const char *subjects[] = {"alone.>"};
  expect(natsConnection_ConnectTo(&connection, url) == NATS_OK, "connect");
  jsOptions_Init(&options);
  options.PublishAsync.MaxPending = PENDING;
  options.PublishAsync.StallWait = 60000;
  expect(natsConnection_JetStream(&js, connection, &options) == NATS_OK, "stream");
  jsStreamConfig_Init(&config);
  config.Name = "alone";
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  js_DeleteStream(js, "alone", NULL, NULL);
  expect(js_AddStream(NULL, js, &config, NULL, NULL) == NATS_OK, "add");
  double began = now_ns();
  for (size_t i = 0; i < count; i++) {
    natsMsg *message;
    natsMsg_Create(&message, entries[i].subject, NULL, entries[i].data, entries[i].size);
    natsMsgHeader_Set(message, "Nats-Msg-Id", entries[i].id);
    natsMsgHeader_Set(message, "Mainstem-Type", entries[i].type);
    natsMsgHeader_Set(message, "Mainstem-Layer", "app");
    natsMsgHeader_Set(message, "Mainstem-Contract", entries[i].contract);
    expect(js_PublishMsgAsync(js, &message, NULL) == NATS_OK, "publish");
  }
  expect(js_PublishAsyncComplete(js, NULL) == NATS_OK, "complete");
  double taken = now_ns() - began;
  js_DeleteStream(js, "alone", NULL, NULL);
  jsCtx_Destroy(js);
  natsConnection_Destroy(connection);
  return taken;
}

static double mirrored(const char *path, const char *url, int round) {
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats_stats stats = {.size = sizeof stats};
  mainstem_nats *mirror;
  char prefix[32];
  snprintf(prefix, sizeof prefix, "mirrored%d", round);
  options.url = url;
  options.prefix = prefix;
  double began = now_ns();
  expect(mainstem_nats_mirror(path, &options, &mirror) == MAINSTEM_OK, "mirror");
  expect(mainstem_nats_flush(mirror, 600000) == MAINSTEM_OK, "flush");
  double taken = now_ns() - began;
  mainstem_nats_stats_read(mirror, &stats);
  expect(stats.entries == count && stats.begun == 1, "all, at once");
  mainstem_nats_close(mirror);
  return taken;
}

int main(int arguments, char **argument) {
  expect(arguments == 4, "mirrored JOURNAL URL ROUNDS");
  read_all(argument[1]);
  for (int round = 0; round < atoi(argument[3]); round++) {
    double own = alone(argument[2]);
    printf("%zu %.0f %.0f\n", count, own, mirrored(argument[1], argument[2], round));
    fflush(stdout);
  }
  return 0;
}

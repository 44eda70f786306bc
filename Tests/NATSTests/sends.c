// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* sends JOURNAL [URL]: a program that records 5,000 events, while a mirror in the same process sends them or, without a
   URL, another thread does nothing: libc itself takes a few instructions more as soon as there are two threads. The
   instructions of `send_all` on this thread are counted: the host must not pay for a mirror. */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <pthread.h>
#include <stdio.h>

enum { EVENTS = 5000 };

__attribute__((noinline)) void send_all(mainstem_context *context, mainstem_event_type type) {
  for (int64_t i = 0; i < EVENTS; i++) mainstem_send(context, type, &i, sizeof i);
}

/* Until the program ends. */
static void *idle(void *held) {
  pthread_mutex_lock(held);
  return NULL;
}

static int sorry(const char *message) {
  printf("%s\n", message);
  return 1;
}

int main(int count, char **arguments) {
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats *mirror = NULL;
  mainstem_context *context;
  mainstem_event_type ticked;
  mainstem_context_create(NULL, &context);
  if (mainstem_journal_record(context, arguments[1], NULL) != MAINSTEM_OK)
    return sorry(mainstem_last_error());
  mainstem_type_add(context, "Ticked", MAINSTEM_PAYLOAD_INTEGER, NULL, &ticked);
  static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_t second;
  pthread_mutex_lock(&held);
  if (count == 2 && pthread_create(&second, NULL, idle, &held) != 0) return sorry("no thread");
  if (count > 2) {
    options.url = arguments[2];
    if (mainstem_nats_mirror(arguments[1], &options, &mirror) != MAINSTEM_OK ||
        mainstem_nats_flush(mirror, 60000) != MAINSTEM_OK)
      return sorry(mainstem_nats_last_error());
  }
  send_all(context, ticked);
  if (mirror != NULL && mainstem_nats_flush(mirror, 60000) != MAINSTEM_OK)
    return sorry(mainstem_nats_last_error());
  mainstem_nats_close(mirror);
  return mainstem_context_close(context);
}

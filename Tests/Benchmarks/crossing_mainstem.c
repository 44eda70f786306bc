// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "crossing.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>

#include "stream.h"

enum { QUEUE = 1 << 20, BUFFER = 1 << 18 };

typedef struct way {
  stream *on;
  parcel_fn *got;
  void *user_data;
  mainstem_event_type stop;
  mainstem_subscription *subscription; /* The last one made. */
  bool is_stopped;
  pthread_t thread;
} way;

static void receive(void *user_data, const mainstem_event *event) {
  way *self = user_data;
  self->got(self->user_data, event->data);
}

static void stop(void *user_data, const mainstem_event *event) {
  (void)event;
  ((way *)user_data)->is_stopped = true;
}

static way *way_open(parcel_fn *got, void *user_data) {
  way *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  made->on = stream_open(MAINSTEM_THREADS_ANY, 1);
  made->got = got;
  made->user_data = user_data;
  must(mainstem_type_add(made->on->context, "Stop", MAINSTEM_PAYLOAD_NONE, NULL, &made->stop));
  return made;
}

static void way_observe(way *self, const mainstem_event_type *types, size_t count,
                        mainstem_scheduler scheduler, mainstem_event_fn fn) {
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = types,
                                      .type_count = count,
                                      .scheduler = scheduler,
                                      .limit_events = QUEUE,
                                      .limit_bytes = (size_t)QUEUE * PAYLOAD};
  must(mainstem_observe_with(self->on->context, &options, fn, self, NULL, &self->subscription));
}

static void *open_serial(parcel_fn *got, void *user_data, uint32_t spin_us) {
  way *made = way_open(got, user_data);
  mainstem_scheduler serial;
  must(mainstem_scheduler_add(made->on->context, "serial", spin_us, &serial));
  way_observe(made, made->on->types, 1, serial, receive);
  return made;
}

static void *open_spinning(parcel_fn *got, void *user_data) {
  return open_serial(got, user_data, 20);
}

static void *open_parked(parcel_fn *got, void *user_data) { return open_serial(got, user_data, 0); }

static void *run_host(void *opened) {
  way *self = opened;
  while (!self->is_stopped) must(mainstem_wait(self->on->context, -1));
  return NULL;
}

static void *open_host(parcel_fn *got, void *user_data) {
  way *made = way_open(got, user_data);
  way_observe(made, made->on->types, 1, MAINSTEM_SCHEDULER_HOST, receive);
  way_observe(made, &made->stop, 1, MAINSTEM_SCHEDULER_HOST, stop);
  if (pthread_create(&made->thread, NULL, run_host, made) != 0) abort();
  return made;
}

static void mailbox_take(way *self, unsigned char *buffer) {
  size_t count;
  must(mainstem_mailbox_take(self->subscription, buffer, BUFFER, &count, NULL));
  const mainstem_event_header *headers = (const mainstem_event_header *)(const void *)buffer;
  for (size_t i = 0; i < count; i++) {
    if (headers[i].type == self->stop) self->is_stopped = true;
    else self->got(self->user_data, (const parcel *)(const void *)(buffer + headers[i].offset));
  }
}

static void *run_mailbox(void *opened) {
  way *self = opened;
  unsigned char *buffer = malloc(BUFFER);
  struct pollfd poller = {-1, POLLIN, 0};
  must(mainstem_context_fd(self->on->context, &poller.fd));
  while (!self->is_stopped)
    if (poll(&poller, 1, -1) > 0) mailbox_take(self, buffer);
  free(buffer);
  return NULL;
}

static void *open_mailbox(parcel_fn *got, void *user_data) {
  way *made = way_open(got, user_data);
  const mainstem_event_type types[] = {made->on->types[0], made->stop};
  way_observe(made, types, 2, MAINSTEM_SCHEDULER_HOST, NULL);
  if (pthread_create(&made->thread, NULL, run_mailbox, made) != 0) abort();
  return made;
}

static void send(void *opened, const parcel *parcel) {
  const way *self = opened;
  must(mainstem_send(self->on->context, self->on->types[0], parcel, sizeof *parcel));
}

static void close_serial(void *opened) {
  way *self = opened;
  stream_close(self->on);
  free(self);
}

static void close_host(void *opened) {
  way *self = opened;
  must(mainstem_send(self->on->context, self->stop, NULL, 0));
  pthread_join(self->thread, NULL);
  close_serial(opened);
}

const crossing mainstem_serial = {"mainstem serial", open_spinning, send, close_serial};
const crossing mainstem_serial_parked = {"mainstem parked", open_parked, send, close_serial};
const crossing mainstem_host = {"mainstem host", open_host, send, close_host};
const crossing mainstem_mailbox = {"mainstem mailbox", open_mailbox, send, close_host};

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "observer.h"

void observe_mainstem(void *user_data, const mainstem_event *event) {
  *(uint64_t *)user_data += *(const uint8_t *)event->data;
}

void observe_plain(void *user_data, const plain_event *event) {
  *(uint64_t *)user_data += event->payload[0];
}

void observe_gsignal(void *object, const plain_event *event, void *user_data) {
  (void)object;
  *(uint64_t *)user_data += event->payload[0];
}

mainstem_status show_nothing(void *user_data, mainstem_context *server,
                             const mainstem_event_type *types) {
  (void)server;
  (void)types;
  *(uint64_t *)user_data += 1;
  return MAINSTEM_OK;
}

void observe_nothing(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

void send_nothing(mainstem_context *context, mainstem_event_type type, const void *data,
                  size_t size) {
  (void)context;
  (void)type;
  (void)data;
  (void)size;
}

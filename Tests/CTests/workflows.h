// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A program that books a journey: a workflow, and a site that keeps what it is asked. */

#ifndef WORKFLOWS_H
#define WORKFLOWS_H

#include "journal.h"

enum { SOLD_OUT = MAINSTEM_APP + 4, BROKEN };

typedef struct travel {
  mainstem_context *context, *site, *workflow;
  mainstem_event_type book;
  size_t asked;
  mainstem_retained *kept[32];
  char log[600];     /* What the site was asked: "Flight(Ada) Hotel(Ada)". */
  char reports[400]; /* The sentences of MainstemFailure. */
  int released;
} travel;

typedef struct traveler {
  int answers;
  mainstem_status status;
  char text[200], message[200], subject[40];
  mainstem_pending *pending;
} traveler;

static inline void travel_keep(void *user_data, const mainstem_event *event) {
  travel *self = (travel *)user_data;
  mainstem_type_info info = {.size = sizeof info};
  size_t length = strlen(self->log);
  EXPECT_OK(mainstem_type_read(self->context, event->type, &info));
  snprintf(self->log + length, sizeof self->log - length, "%s%s(%.*s)", length > 0 ? " " : "",
           info.name + strlen("Request"), (int)event->size, (const char *)event->data);
  EXPECT(self->asked < COUNT(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->asked++]));
}

static inline void travel_note(void *user_data, const mainstem_event *event) {
  travel *self = (travel *)user_data;
  size_t length = strlen(self->reports);
  snprintf(self->reports + length, sizeof self->reports - length, "%.*s", (int)event->size,
           (const char *)event->data);
}

static inline void travel_release(void *user_data) { ((travel *)user_data)->released++; }

static inline void travel_add_types(travel *self) {
  const mainstem_type_row rows[] = {
      {"RequestBook", MAINSTEM_PAYLOAD_TEXT, "ResponseBook"},
      {"ResponseBook", MAINSTEM_PAYLOAD_TEXT, NULL},
      {"RequestFlight", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"RequestHotel", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"RequestCar", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"RequestNoFlight", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"RequestNoHotel", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"RequestNoCar", MAINSTEM_PAYLOAD_TEXT, "ResponseDone"},
      {"ResponseDone", MAINSTEM_PAYLOAD_TEXT, NULL},
      {"RequestCount", MAINSTEM_PAYLOAD_INTEGER, "ResponseCount"},
      {"ResponseCount", MAINSTEM_PAYLOAD_INTEGER, NULL},
      {"RequestKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, "ResponseKey"},
      {"ResponseKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL},
      {"Told", MAINSTEM_PAYLOAD_TEXT, NULL}};
  mainstem_event_type types[COUNT(rows)];
  EXPECT_OK(mainstem_types_add(self->context, MAINSTEM_ROWS(rows), types));
  self->book = types[0];
}

/* Adds all but the workflow, as the program always does it. */
static inline void travel_install(travel *self) {
  const mainstem_handler_row rows[] = {
      {"RequestFlight", travel_keep, 0},  {"RequestHotel", travel_keep, 0},
      {"RequestCar", travel_keep, 0},     {"RequestNoFlight", travel_keep, 0},
      {"RequestNoHotel", travel_keep, 0}, {"RequestNoCar", travel_keep, 0},
      {"RequestKey", travel_keep, 0}};
  travel_add_types(self);
  EXPECT_OK(
      mainstem_server_add(self->context, "Site", MAINSTEM_ROWS(rows), self, NULL, &self->site));
  EXPECT_OK(mainstem_observe(self->context, type_named(self->context, "MainstemFailure"),
                             travel_note, self, NULL, NULL));
}

static inline void travel_open(travel *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  travel_install(self);
}

static inline mainstem_status travel_add(travel *self, const mainstem_workflow_row *rows,
                                         size_t count, const mainstem_workflow_options *options) {
  return mainstem_workflow_add(self->context, "Booking", "RequestBook", rows, sizeof *rows, count,
                               options, self, travel_release, &self->workflow);
}

static inline void travel_release_kept(travel *self) {
  for (size_t i = 0; i < self->asked; i++) EXPECT_OK(mainstem_retained_release(self->kept[i]));
  self->asked = 0;
}

static inline void travel_close(travel *self) {
  uint64_t count = 1;
  EXPECT_OK(mainstem_request_count(self->context, MAINSTEM_TYPE_ANY, &count));
  EXPECT_EQUAL(count, 0);
  travel_release_kept(self);
  EXPECT_OK(mainstem_context_close(self->context));
  EXPECT_EQUAL(self->released, 1);
}

static inline void get_journey(void *user_data, const mainstem_event *event) {
  traveler *self = (traveler *)user_data;
  self->answers++;
  self->status = event->status;
  self->message[0] = self->subject[0] = 0;
  snprintf(self->text, sizeof self->text, "%.*s", (int)event->size, (const char *)event->data);
  if (event->status == MAINSTEM_OK) return;
  mainstem_error error = {.size = sizeof error};
  EXPECT_OK(mainstem_event_error(event, &error));
  snprintf(self->text, sizeof self->text, "%s", error.user_message);
  snprintf(self->message, sizeof self->message, "%s", error.message);
  snprintf(self->subject, sizeof self->subject, "%s", error.subject);
}

static inline void book(travel *self, traveler *of, const char *who) {
  memset(of, 0, sizeof *of);
  EXPECT_OK(
      mainstem_request(self->context, self->book, who, strlen(who), get_journey, of, &of->pending));
}

static inline const mainstem_event *asked_for(travel *self, size_t index) {
  EXPECT(index < self->asked);
  return kept_event(self->kept[index]);
}

static inline void done(travel *self, size_t index, const char *text) {
  EXPECT_OK(mainstem_respond(asked_for(self, index), text, strlen(text)));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static inline void fails(travel *self, size_t index) {
  const mainstem_error error = {sizeof error, SOLD_OUT, "no seat left", "Sold out.", "seat"};
  EXPECT_OK(mainstem_respond_error_with(asked_for(self, index), &error));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

#endif

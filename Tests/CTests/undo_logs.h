// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A program that edits a document: an undo log, and a store that keeps what it is asked. */

#ifndef UNDO_LOGS_H
#define UNDO_LOGS_H

#include "journal.h"

enum { BROKEN = MAINSTEM_APP + 7 };

typedef struct document {
  mainstem_context *context, *store, *log;
  mainstem_event_type undo, redo;
  bool answers_at_once;
  bool tolerant; /* Memory may be short. */
  size_t asked;
  mainstem_retained *kept[40];
  char requests[600]; /* What the store was asked: "Add(a) Remove(1)". */
  char shown[200];    /* The value, as it was set last. */
  char reports[400];  /* The sentences of MainstemFailure. */
  int made, released;
} document;

/* What an undo, or a command, was answered with. */
typedef struct outcome {
  int answers;
  mainstem_status status;
  char message[200];
  mainstem_pending *pending;
} outcome;

static inline void add_text(char *text, size_t size, const mainstem_event *event) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%.*s", (int)event->size, (const char *)event->data);
}

static inline void document_keep(void *user_data, const mainstem_event *event) {
  document *self = (document *)user_data;
  mainstem_type_info info = {.size = sizeof info};
  const size_t length = strlen(self->requests);
  EXPECT_OK(mainstem_type_read(self->context, event->type, &info));
  snprintf(self->requests + length, sizeof self->requests - length, "%s%s(%.*s)",
           length > 0 ? " " : "", info.name + strlen("Request"), (int)event->size,
           (const char *)event->data);
  if (self->answers_at_once) {
    const mainstem_status status = mainstem_respond(event, event->data, event->size);
    EXPECT(self->tolerant || status == MAINSTEM_OK);
    return;
  }
  EXPECT(self->asked < COUNT(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->asked++]));
}

static inline void document_show(void *user_data, const mainstem_event *event) {
  document *self = (document *)user_data;
  self->shown[0] = 0;
  add_text(self->shown, sizeof self->shown, event);
}

static inline void document_report(void *user_data, const mainstem_event *event) {
  document *self = (document *)user_data;
  add_text(self->reports, sizeof self->reports, event);
}

static inline void document_release(void *user_data) { ((document *)user_data)->released++; }

/* Two commands, which one event causes: what comes before the "+", and what comes behind it. */
static inline void document_both(void *user_data, const mainstem_event *event) {
  const char *text = (const char *)event->data,
             *plus = (const char *)memchr(text, '+', event->size);
  const mainstem_event_type add = type_named(event->context, "RequestAdd");
  EXPECT(plus != NULL);
  /* A muted replay refuses them. */
  mainstem_request(event->context, add, text, (size_t)(plus - text), NULL, NULL, NULL);
  mainstem_request(event->context, add, plus + 1, event->size - (size_t)(plus + 1 - text), NULL,
                   NULL, NULL);
}

static inline void document_add_types(document *self) {
  const mainstem_type_row rows[] = {
      {"RequestUndo", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"RequestRedo", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"ResponseUndo", MAINSTEM_PAYLOAD_NONE, NULL},
      {"RequestAdd", MAINSTEM_PAYLOAD_TEXT, "ResponseText"},
      {"RequestRemove", MAINSTEM_PAYLOAD_TEXT, "ResponseText"},
      {"RequestToggle", MAINSTEM_PAYLOAD_TEXT, "ResponseText"},
      {"RequestFind", MAINSTEM_PAYLOAD_TEXT, "ResponseText"},
      {"ResponseText", MAINSTEM_PAYLOAD_TEXT, NULL},
      {"RequestCount", MAINSTEM_PAYLOAD_INTEGER, "ResponseText"},
      {"RequestLater", MAINSTEM_PAYLOAD_TEXT, "ResponseLater"},
      {"RequestKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, "ResponseText"},
      {"RequestLock", MAINSTEM_PAYLOAD_TEXT, "ResponseKey"},
      {"ResponseKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL},
      {"Undoable", MAINSTEM_PAYLOAD_JSON | MAINSTEM_ROLE_VALUE, NULL},
      {"Both", MAINSTEM_PAYLOAD_TEXT, NULL},
      {"Told", MAINSTEM_PAYLOAD_JSON, NULL}};
  mainstem_event_type types[COUNT(rows)];
  EXPECT_OK(mainstem_types_add(self->context, MAINSTEM_ROWS(rows), types));
  self->undo = types[0];
  self->redo = types[1];
}

/* Adds all but the log, as the program always does it. */
static inline void document_install(document *self) {
  const mainstem_handler_row rows[] = {{"RequestAdd", document_keep, 0},
                                       {"RequestRemove", document_keep, 0},
                                       {"RequestToggle", document_keep, 0},
                                       {"RequestFind", document_keep, 0}};
  document_add_types(self);
  EXPECT_OK(
      mainstem_server_add(self->context, "Store", MAINSTEM_ROWS(rows), self, NULL, &self->store));
  EXPECT_OK(mainstem_observe(self->context, type_named(self->context, "Undoable"), document_show,
                             self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, type_named(self->context, "Both"), document_both, self,
                             NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, type_named(self->context, "MainstemFailure"),
                             document_report, self, NULL, NULL));
}

/* Passes on what a command was answered with. */
static inline void pass_answer(void *user_data, const mainstem_workflow_run *run) {
  EXPECT(run->count == 1 && run->undoes && run->request->size > 0);
  ((document *)user_data)->made++;
  mainstem_workflow_pass(run, run->answers[0]->data, run->answers[0]->size);
}

static const mainstem_undo_log_row document_rows[] = {{"RequestToggle", "RequestToggle", NULL},
                                                      {"RequestAdd", "RequestRemove", pass_answer}};

static inline mainstem_undo_log_options document_options(size_t limit) {
  const mainstem_undo_log_options options = {sizeof options, 0,          "RequestUndo",
                                             "RequestRedo",  "Undoable", limit};
  return options;
}

static inline void document_add_log(document *self, const mainstem_undo_log_row *rows, size_t count,
                                    size_t limit) {
  const mainstem_undo_log_options options = document_options(limit);
  EXPECT_OK(mainstem_undo_log_add(self->context, "Undo", rows, sizeof *rows, count, &options, self,
                                  document_release, &self->log));
}

static inline void document_open(document *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->answers_at_once = true;
  self->context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  document_install(self);
}

static inline void document_release_kept(document *self) {
  for (size_t i = 0; i < self->asked; i++) EXPECT_OK(mainstem_retained_release(self->kept[i]));
  self->asked = 0;
}

static inline void document_close(document *self) {
  uint64_t count = 1;
  EXPECT_OK(mainstem_request_count(self->context, MAINSTEM_TYPE_ANY, &count));
  EXPECT_EQUAL(count, 0);
  document_release_kept(self);
  EXPECT_OK(mainstem_context_close(self->context));
  EXPECT_EQUAL(self->released, 1);
}

static inline void get_outcome(void *user_data, const mainstem_event *event) {
  outcome *self = (outcome *)user_data;
  self->answers++;
  self->status = event->status;
  snprintf(self->message, sizeof self->message, "%s", event->user_message);
}

static inline void request(document *self, outcome *of, mainstem_event_type type,
                           const char *text) {
  memset(of, 0, sizeof *of);
  EXPECT_OK(
      mainstem_request(self->context, type, text, strlen(text), get_outcome, of, &of->pending));
}

static inline void command(document *self, const char *name, const char *text) {
  EXPECT_OK(mainstem_request(self->context, type_named(self->context, name), text, strlen(text),
                             NULL, NULL, NULL));
}

/* Undoes, or does again, what is answered at once. */
static inline void expect_undone(document *self, mainstem_event_type type, mainstem_status status) {
  outcome of;
  request(self, &of, type, "");
  EXPECT_EQUAL(of.answers, 1);
  EXPECT_STATUS(of.status, status);
}

static inline void answer(document *self, size_t index, const char *text) {
  EXPECT(index < self->asked);
  EXPECT_OK(mainstem_respond(kept_event(self->kept[index]), text, strlen(text)));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static inline void refuse(document *self, size_t index) {
  const mainstem_error error = {sizeof error, BROKEN, "the disk is gone", "Try later.", "disk"};
  EXPECT(index < self->asked);
  EXPECT_OK(mainstem_respond_error_with(kept_event(self->kept[index]), &error));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

#endif

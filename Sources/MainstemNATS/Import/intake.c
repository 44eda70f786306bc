// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The context's side of an import. The bridge posts a note of what it has; the note's observer on the host's scheduler
   sends it, on the context's thread, outside of everybody else's callbacks. So the bridge learns what was accepted from
   the call itself, and what was not sent yet can still be left out. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLOSE_MS = 2000 };

void intake_own(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  intake->owners++;
  pthread_mutex_unlock(&intake->lock);
}

static void free_wanted(struct wanted *wanted) {
  for (struct wanted *row = wanted; row != NULL && row->name != NULL; row++) {
    free(row->name);
    free(row->value);
    free(row->layer);
    free(row->end);
  }
  free(wanted);
}

void intake_release(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  bool is_last = --intake->owners == 0;
  pthread_mutex_unlock(&intake->lock);
  if (!is_last) return;
  batch_free(&intake->batches[0]);
  batch_free(&intake->batches[1]);
  free_wanted(intake->wanted);
  free(intake->note);
  pthread_cond_destroy(&intake->changed);
  pthread_mutex_destroy(&intake->lock);
  free(intake);
}

/* The context's thread -------------------------------------------------------------------------------- */

/* Whether the event is the note that was handed over: a journal that is fed has the notes of its own session. */
static bool is_handed(const struct intake *intake, const mainstem_event *event) {
  return intake->stage == INTAKE_HANDED && !intake->is_over && event->size == intake->note_length &&
         memcmp(event->data, intake->note, event->size) == 0;
}

static void send_batch(struct intake *intake, const struct batch *batch) {
  const size_t begin = (size_t)batch->first * sizeof(mainstem_event_header);
  mainstem_context_stats stats = {.size = sizeof stats};
  size_t accepted = 0;
  held_drop(intake);
  mainstem_status status =
      batch_left(batch) == 0
          ? MAINSTEM_OK
          : mainstem_send_many(intake->scope, batch->buffer + begin, batch->size - begin,
                               batch_left(batch), &accepted);
  pthread_mutex_lock(&intake->lock);
  snprintf(intake->message, sizeof intake->message, "%s",
           status == MAINSTEM_OK ? "" : mainstem_last_error());
  pthread_mutex_unlock(&intake->lock);
  if (intake_may_come_later(status)) held_keep(intake);
  pthread_mutex_lock(&intake->lock);
  mainstem_context_stats_read(intake->context, &stats);
  intake->status = status;
  intake->accepted = accepted;
  intake->position = stats.events;
  intake->stage = INTAKE_DONE;
  pthread_cond_broadcast(&intake->changed);
  pthread_mutex_unlock(&intake->lock);
}

void intake_take_note(void *user_data, const mainstem_event *event) {
  struct intake *intake = user_data;
  intake_own(intake);
  pthread_mutex_lock(&intake->lock);
  const struct batch *batch = is_handed(intake, event) ? intake->handed : NULL;
  pthread_mutex_unlock(&intake->lock);
  if (batch != NULL) send_batch(intake, batch);
  intake_release(intake);
}

static void end_observer(void *user_data) {
  struct intake *intake = user_data;
  pthread_mutex_lock(&intake->lock);
  intake->is_over = true;
  pthread_cond_broadcast(&intake->changed);
  pthread_mutex_unlock(&intake->lock);
  intake_release(intake);
}

bool intake_may_come_later(mainstem_status status) {
  return status == MAINSTEM_FULL || status == MAINSTEM_NO_SPACE || status == MAINSTEM_NO_MEMORY ||
         status == MAINSTEM_BUSY;
}

/* The bridge's thread --------------------------------------------------------------------------------- */

bool intake_is_over(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  bool is_over = intake->is_over;
  pthread_mutex_unlock(&intake->lock);
  return is_over;
}

/* A post may wait for room in another observer's queue, so the lock is not held. */
static mainstem_status post(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  bool is_over = intake->is_over;
  intake->is_posting = !is_over;
  pthread_mutex_unlock(&intake->lock);
  if (is_over) return MAINSTEM_STALE;
  mainstem_status status =
      mainstem_post(intake->scope, intake->noted, intake->note, intake->note_length);
  pthread_mutex_lock(&intake->lock);
  intake->is_posting = false;
  /* Else the note may be taken already, and the reason be what came of that. */
  if (status != MAINSTEM_OK) {
    intake->stage = INTAKE_IDLE;
    snprintf(intake->message, sizeof intake->message, "%s", mainstem_last_error());
  }
  pthread_cond_broadcast(&intake->changed);
  pthread_mutex_unlock(&intake->lock);
  return status;
}

mainstem_status intake_hand(struct intake *intake, struct batch *batch, const char *stream) {
  size_t length;
  char *note =
      note_write(stream, batch->anchor, batch->taken + batch->first, batch_left(batch), &length);
  if (note == NULL) return MAINSTEM_NO_MEMORY;
  pthread_mutex_lock(&intake->lock);
  free(intake->note);
  intake->note = note;
  intake->note_length = length;
  intake->handed = batch;
  intake->is_held = false;
  intake->stage = INTAKE_HANDED;
  pthread_mutex_unlock(&intake->lock);
  return post(intake);
}

static void wait_locked(struct intake *intake, int64_t ms) {
  int64_t until = now_ms() + ms;
  struct timespec end = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};
  pthread_cond_timedwait(&intake->changed, &intake->lock, &end);
}

bool intake_wait(struct intake *intake, int64_t ms) {
  pthread_mutex_lock(&intake->lock);
  if (ms > 0 && intake->stage == INTAKE_HANDED && !intake->is_over) wait_locked(intake, ms);
  bool is_done = intake->stage == INTAKE_DONE;
  pthread_mutex_unlock(&intake->lock);
  return is_done;
}

/* Opening and ending ---------------------------------------------------------------------------------- */

static struct intake *make(uint32_t room, uint32_t types) {
  struct intake *intake = calloc(1, sizeof *intake);
  if (intake == NULL) return NULL;
  pthread_mutex_init(&intake->lock, NULL);
  condition_init(&intake->changed);
  intake->owners = 1;
  intake->wanted = calloc((size_t)types + 1, sizeof *intake->wanted);
  if (intake->wanted != NULL && batch_make(&intake->batches[0], room) &&
      batch_make(&intake->batches[1], room))
    return intake;
  intake_release(intake);
  return NULL;
}

/* The call's own reason, in front of the core's. */
static mainstem_status pass_on(mainstem_status status) {
  if (status == MAINSTEM_OK) return status;
  return refuse(status, "mainstem_nats_import: %s", mainstem_last_error());
}

/* A type that leaves no trace in the journal would come again after each crash. The event of a list is only its
   changes, which nobody sends. */
static mainstem_status find_type(struct intake *intake, struct wanted *row, const char *name) {
  mainstem_type_info info = {.size = sizeof info};
  mainstem_status status = mainstem_type_find(intake->context, name, &row->type);
  if (status == MAINSTEM_OK) status = mainstem_type_read(intake->context, row->type, &info);
  if (status != MAINSTEM_OK) return pass_on(status);
  row->contract = info.contract;
  if ((info.contract & MAINSTEM_LIST) != 0)
    return refuse(MAINSTEM_INVALID,
                  "mainstem_nats_import: options.types: \"%s\" is a list, whose events have only "
                  "what changed: import a notice or another value that has the rows",
                  name);
  if (intake->is_recorded && (info.contract & MAINSTEM_RECORD_MASK) == MAINSTEM_RECORD_NONE)
    return refuse(MAINSTEM_INVALID,
                  "mainstem_nats_import: options.types: \"%s\" is not recorded, so what was taken "
                  "in could not be known again",
                  name);
  return MAINSTEM_OK;
}

static mainstem_status find_types(struct intake *intake, const mainstem_nats_options *options) {
  for (uint32_t i = 0; i < options->type_count; i++) {
    struct wanted *row = &intake->wanted[i];
    char value[LONGEST_VALUE];
    const char *name = options->types[i];
    const char *as = options->as != NULL && options->as[i] != NULL ? options->as[i] : name;
    if (name == NULL || *name == '\0' || strlen(name) > 255)
      return refuse(MAINSTEM_INVALID, "mainstem_nats_import: options.types: one is no name");
    write_value(value, name);
    row->value = strdup(value);
    row->name = strdup(name);
    if (row->value == NULL || row->name == NULL)
      return refuse(MAINSTEM_NO_MEMORY, "mainstem_nats_import: there is no memory for the types");
    mainstem_status status = find_type(intake, row, as);
    if (status != MAINSTEM_OK) return status;
  }
  return MAINSTEM_OK;
}

/* Its rights, and those to keep its notes. */
static mainstem_status add_scope(struct intake *intake, const mainstem_nats_options *options,
                                 const char *name) {
  const uint64_t notes = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_SYSTEM);
  mainstem_scope_options rights;
  if (options->rights == NULL)
    return mainstem_scope_add(intake->context, name, NULL, &intake->scope);
  rights = *options->rights;
  if (rights.send_layers != 0) rights.send_layers |= notes;
  if ((rights.flags & MAINSTEM_SCOPE_OBSERVES_NOTHING) != 0) rights.observe_layers = notes;
  else if (rights.observe_layers != 0) rights.observe_layers |= notes;
  rights.flags &= ~(uint32_t)MAINSTEM_SCOPE_OBSERVES_NOTHING;
  return mainstem_scope_add(intake->context, name, &rights, &intake->scope);
}

static mainstem_status observe(struct intake *intake) {
  mainstem_observe_options options = {.size = sizeof options};
  mainstem_status status =
      mainstem_type_add(intake->scope, "NATSImported",
                        MAINSTEM_PAYLOAD_JSON | MAINSTEM_LAYER_SYSTEM, NULL, &intake->noted);
  if (status != MAINSTEM_OK) return status;
  options.types = &intake->noted;
  options.type_count = 1;
  options.scheduler = MAINSTEM_SCHEDULER_HOST;
  options.of = intake->scope;
  intake_own(intake);
  status = mainstem_observe_with(intake->scope, &options, intake_take_note, intake, end_observer,
                                 &intake->subscription);
  if (status != MAINSTEM_OK) intake_release(intake);
  return status;
}

/* How far the context is, and whether it is recorded. */
static mainstem_status look_at(struct intake *intake, const mainstem_nats_options *options) {
  mainstem_context_stats stats = {.size = sizeof stats};
  mainstem_journal_stats recorded = {.size = sizeof recorded};
  int is_replaying = 0;
  mainstem_status status = mainstem_context_stats_read(intake->context, &stats);
  if (status == MAINSTEM_OK) status = mainstem_context_is_replaying(intake->context, &is_replaying);
  if (status != MAINSTEM_OK) return pass_on(status);
  if (is_replaying)
    return refuse(MAINSTEM_BUSY, "mainstem_nats_import: the context is replaying: begin it after");
  intake->barrier = stats.events;
  intake->is_recorded = mainstem_journal_stats_read(intake->context, &recorded) == MAINSTEM_OK;
  if (intake->is_recorded != (options->journal != NULL))
    return refuse(MAINSTEM_INVALID, "mainstem_nats_import: options.journal: %s",
                  intake->is_recorded ? "the context is recorded, so its journal is needed"
                                      : "the context is not recorded");
  if (!intake->is_recorded && options->durable == NULL)
    return refuse(MAINSTEM_INVALID, "mainstem_nats_import: options.durable: is NULL, but a "
                                    "context that is not recorded has no other memory");
  return MAINSTEM_OK;
}

mainstem_status intake_open(struct intake **intake, mainstem_context *context,
                            const mainstem_nats_options *options, const struct settings *settings) {
  struct intake *made = make(settings->window, options->type_count);
  if (made == NULL)
    return refuse(MAINSTEM_NO_MEMORY, "mainstem_nats_import: there is no memory for it");
  made->context = context;
  mainstem_status status = look_at(made, options);
  if (status == MAINSTEM_OK) status = find_types(made, options);
  if (status == MAINSTEM_OK) status = pass_on(add_scope(made, options, settings->scope));
  if (status == MAINSTEM_OK) mainstem_scope_number(made->scope, &made->number);
  if (status == MAINSTEM_OK) {
    status = pass_on(observe(made));
    if (status != MAINSTEM_OK) mainstem_scope_end(made->scope);
  }
  if (status != MAINSTEM_OK) intake_release(made);
  else *intake = made;
  return status;
}

/* A post that waits for room in a queue of the host's goes on when the host drains. Nobody but the host empties a queue
   that is fetched from. */
static bool end_post(struct intake *intake) {
  int64_t until = now_ms() + CLOSE_MS;
  pthread_mutex_lock(&intake->lock);
  while (intake->is_posting && now_ms() < until) {
    pthread_mutex_unlock(&intake->lock);
    mainstem_drain(intake->context, 0, NULL);
    pthread_mutex_lock(&intake->lock);
    if (intake->is_posting) wait_locked(intake, 10);
  }
  bool is_posting = intake->is_posting;
  pthread_mutex_unlock(&intake->lock);
  return !is_posting;
}

mainstem_status intake_leave(struct intake *intake) {
  mainstem_status status = mainstem_cancel_wait(intake->subscription);
  if (status != MAINSTEM_OK && status != MAINSTEM_STALE)
    return refuse(status, "mainstem_nats_close: %s", mainstem_last_error());
  held_drop(intake);
  pthread_mutex_lock(&intake->lock);
  intake->is_over = true;
  pthread_cond_broadcast(&intake->changed);
  pthread_mutex_unlock(&intake->lock);
  if (!end_post(intake))
    return refuse(MAINSTEM_BUSY,
                  "mainstem_nats_close: a queue of the program's that is full, and lets "
                  "senders wait, keeps its note: make room there, and close it again");
  mainstem_scope_end(intake->scope);
  return MAINSTEM_OK;
}

/* A note that is held --------------------------------------------------------------------------------- */

/* A note whose batch found no room, held for another try. Another note for each try would fill the journal. So from the
   first time on the context keeps the newest notes, and an observer that comes later has the note once more; it gets it
   when the bridge asks, and what is sent then has the same cause. */

/* Other imports of the context have notes, too. */
enum { KEPT = 16 };

static void end_held(void *user_data) { intake_release(user_data); }

static mainstem_subscription *observe_again(struct intake *intake) {
  mainstem_subscription *held = NULL;
  mainstem_observe_options options = {.size = sizeof options,
                                      .types = &intake->noted,
                                      .type_count = 1,
                                      .flags = MAINSTEM_OBSERVE_ON_DEMAND,
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .policy = MAINSTEM_QUEUE_LATEST,
                                      .of = intake->scope};
  intake_own(intake);
  if (mainstem_observe_with(intake->scope, &options, intake_take_note, intake, end_held, &held) !=
      MAINSTEM_OK)
    intake_release(intake);
  return held;
}

void held_keep(struct intake *intake) {
  if (!intake->keeps_notes) {
    intake->keeps_notes =
        mainstem_history_keep(intake->scope, intake->noted, KEPT, 0) == MAINSTEM_OK;
    return;
  }
  mainstem_subscription *held = observe_again(intake);
  pthread_mutex_lock(&intake->lock);
  intake->held = held;
  intake->is_held = held != NULL;
  pthread_mutex_unlock(&intake->lock);
}

void held_drop(struct intake *intake) {
  pthread_mutex_lock(&intake->lock);
  mainstem_subscription *held = intake->held;
  intake->held = NULL;
  intake->is_held = false;
  pthread_mutex_unlock(&intake->lock);
  mainstem_cancel(held);
}

/* Two: what is left out before the newest note may be told as a gap. */
bool held_ask(struct intake *intake) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  pthread_mutex_lock(&intake->lock);
  mainstem_subscription *held = intake->is_held && !intake->is_over ? intake->held : NULL;
  bool is_there = held != NULL && mainstem_subscription_stats_read(held, &stats) == MAINSTEM_OK &&
                  stats.waiting > 0;
  if (is_there) intake->stage = INTAKE_HANDED;
  pthread_mutex_unlock(&intake->lock);
  return is_there && mainstem_subscription_demand(held, 2) == MAINSTEM_OK;
}

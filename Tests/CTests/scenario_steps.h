// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What the steps of a scenario do. What is sent is overwritten as soon as the call returns. */

#ifndef SCENARIO_STEPS_H
#define SCENARIO_STEPS_H

#include "scenario_commands.h"

static void play_below(stage *self, size_t line, const mainstem_event *event);

static void play_event(void *user_data, const mainstem_event *event) {
  thing *self = (thing *)user_data;
  char name[16];
  stage_note_event(self, event);
  self->stage->depth++;
  play_below(self->stage, self->line, event);
  self->stage->depth--;
  if (is_beside(self->stage, name)) signal_give(&self->stage->beside);
}

static void play_wake(void *user_data) { stage_note_call((const thing *)user_data, ""); }

static void play_release(void *user_data) {
  const thing *self = (const thing *)user_data;
  char text[30];
  snprintf(text, sizeof text, "~%s", self->name);
  stage_note(self->stage, text);
}

/* The context, or the scope that `in` names. */
static mainstem_context *where(const call *self) {
  const char *scope = word_after(&self->words, "in");
  return scope == NULL ? self->stage->context : stage_find(self->stage, scope)->scope;
}

/* The scope that `of` names, if any; the context itself is `root`. */
static mainstem_context *looked_at(const call *self) {
  const char *scope = word_after(&self->words, "of");
  if (scope == NULL) return NULL;
  if (strcmp(scope, "root") == 0) return self->stage->context;
  return stage_find(self->stage, scope)->scope;
}

static uint32_t policy_of(const words *step) {
  static const char *const names[] = {"reject", "block", "drop-oldest", "drop-newest", "latest"};
  static const uint32_t policies[] = {MAINSTEM_QUEUE_REJECT, MAINSTEM_QUEUE_BLOCK,
                                      MAINSTEM_QUEUE_DROP_OLDEST, MAINSTEM_QUEUE_DROP_NEWEST,
                                      MAINSTEM_QUEUE_LATEST};
  const char *wanted = word_after(step, "policy");
  for (size_t i = 0; wanted != NULL && i < COUNT(names); i++) {
    if (strcmp(names[i], wanted) == 0) return policies[i];
  }
  EXPECT(wanted == NULL);
  return MAINSTEM_QUEUE_REJECT;
}

/* `on host`, or `on` the name of a serial scheduler. */
static mainstem_scheduler scheduler_of(const call *self) {
  const char *name = word_after(&self->words, "on");
  if (name == NULL) return MAINSTEM_SCHEDULER_IMMEDIATE;
  if (strcmp(name, "host") == 0) return MAINSTEM_SCHEDULER_HOST;
  return stage_find(self->stage, name)->scheduler;
}

static const char *step_serial(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  return status_name(mainstem_scheduler_add(self->stage->context, made->name, 0, &made->scheduler));
}

static const char *step_wake(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  return status_name(mainstem_context_on_wake(self->stage->context, play_wake, made, NULL));
}

static const char *step_observe(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  mainstem_event_type type = stage_type(self->stage, word_at(&self->words, 2));
  mainstem_observe_options options = {
      .size = sizeof options,
      .types = type == MAINSTEM_TYPE_ANY ? NULL : &type,
      .type_count = type == MAINSTEM_TYPE_ANY ? 0 : 1,
      .flags = word_after(&self->words, "history") != NULL ? MAINSTEM_OBSERVE_NEW : 0,
      .scheduler = scheduler_of(self),
      .policy = policy_of(&self->words),
      .limit_events = number_after(&self->words, "limit"),
      .limit_bytes = number_after(&self->words, "bytes"),
      .of = looked_at(self)};
  return status_name(mainstem_observe_with(where(self), &options, play_event, made, play_release,
                                           &made->subscription));
}

static const char *step_serve(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  if (word_after(&self->words, "shows") != NULL) return serve_showing(self, made);
  mainstem_handler_row own = {word_at(&self->words, 2), play_event, 0};
  if (word_after(&self->words, "for") != NULL) own.flags |= MAINSTEM_HANDLER_OWN;
  if (word_after(&self->words, "beside") != NULL) own.flags |= MAINSTEM_HANDLER_SEVERAL;
  stage_type(self->stage, own.type);
  return status_name(mainstem_server_add(where(self), made->name, &own, sizeof own, 1, made,
                                         play_release, &made->scope));
}

static const char *step_scope(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  const char *name = word_after(&self->words, "named");
  mainstem_scope_options options = {.size = sizeof options,
                                    .limit_observers = number_after(&self->words, "observers")};
  return status_name(
      mainstem_scope_add(where(self), name != NULL ? name : made->name, &options, &made->scope));
}

static const char *step_request(const call *self) {
  thing *made = stage_name(self->stage, word_at(&self->words, 1), self->line);
  char bytes[PAYLOAD];
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  mainstem_request_options options = {.size = sizeof options,
                                      .timeout_ms = (int64_t)number_after(&self->words, "timeout"),
                                      .progress = play_event};
  mainstem_status status =
      mainstem_request_with(where(self), stage_type(self->stage, word_at(&self->words, 2)), bytes,
                            size, &options, play_event, made, NULL, &made->pending);
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

static const char *step_send(const call *self) {
  char bytes[PAYLOAD];
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  size_t after = number_after(&self->words, "after"), every = number_after(&self->words, "every");
  mainstem_context *place = where(self);
  mainstem_event_type type = stage_type(self->stage, word_at(&self->words, 1));
  mainstem_status status;
  if (strcmp(self->words.word[0], "post") == 0) status = mainstem_post(place, type, bytes, size);
  else if (after) status = mainstem_send_after(place, type, bytes, size, (int64_t)after, 0, NULL);
  else if (every)
    status = mainstem_send_after(place, type, bytes, size, (int64_t)every, (int64_t)every, NULL);
  else status = mainstem_send(place, type, bytes, size);
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

static const char *step_send_many(const call *self) {
  struct {
    mainstem_event_header header[8];
    char bytes[8][PAYLOAD];
  } batch;
  size_t count = self->words.count - 2;
  EXPECT(count <= COUNT(batch.header));
  memset(&batch, 0, sizeof batch);
  for (size_t i = 0; i < count; i++) {
    batch.header[i].type = stage_type(self->stage, word_at(&self->words, 1));
    batch.header[i].offset = (uint32_t)(batch.bytes[i] - (char *)&batch);
    batch.header[i].size = (uint32_t)quoted(word_at(&self->words, i + 2), batch.bytes[i], PAYLOAD);
  }
  return status_name(mainstem_send_many(where(self), &batch, sizeof batch, count, NULL));
}

/* Steps that answer name a kept request, or `it`: the event of the running callback. */
static mainstem_status asked(const call *self, const mainstem_event **event) {
  const char *name = word_at(&self->words, 1);
  *event = self->event;
  if (strcmp(name, "it") == 0) return MAINSTEM_OK;
  return mainstem_retained_event(stage_find(self->stage, name)->kept, event);
}

static const char *step_answer(const call *self) {
  char bytes[PAYLOAD];
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  const char *verb = self->words.word[0];
  const mainstem_event *event;
  mainstem_status status = asked(self, &event);
  if (status != MAINSTEM_OK) return status_name(status);
  if (strcmp(verb, "answer") == 0) status = mainstem_respond(event, bytes, size);
  else if (strcmp(verb, "refuse") == 0) {
    status = mainstem_respond_error(event, (mainstem_status)atoi(word_at(&self->words, 2)), bytes);
  } else {
    status = mainstem_respond_progress(event, stage_type(self->stage, word_at(&self->words, 2)),
                                       bytes, size);
  }
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

static const char *step_keep(const call *self) {
  return status_name(mainstem_event_retain(
      self->event, &stage_name(self->stage, word_at(&self->words, 1), self->line)->kept));
}

static const char *step_fail(const call *self) {
  char message[PAYLOAD];
  payload_of(&self->words, message, sizeof message);
  return status_name(
      mainstem_fail(self->event, (mainstem_status)atoi(word_at(&self->words, 1)), message));
}

/* The steps that are a call with a name or without. */
static const char *step_call(const call *self) {
  const char *verb = self->words.word[0];
  thing *of = self->words.count > 1 ? stage_find(self->stage, self->words.word[1]) : NULL;
  if (strcmp(verb, "cancel") == 0) return status_name(mainstem_cancel(of->subscription));
  if (strcmp(verb, "cancel_wait") == 0) return status_name(mainstem_cancel_wait(of->subscription));
  if (strcmp(verb, "give_up") == 0) return status_name(mainstem_pending_cancel(of->pending));
  if (strcmp(verb, "end") == 0) return status_name(mainstem_scope_end(of->scope));
  if (strcmp(verb, "flush") == 0) return status_name(mainstem_flush(self->stage->context));
  if (strcmp(verb, "wait") == 0) return status_name(mainstem_wait(self->stage->context, 0));
  mainstem_status status = mainstem_context_close(self->stage->context);
  self->stage->is_closed |= status == MAINSTEM_OK;
  return status_name(status);
}

static const char *step_drain(const call *self) {
  size_t most = self->words.count > 1 ? strtoul(self->words.word[1], NULL, 10) : 0;
  return status_name(mainstem_drain(self->stage->context, most, NULL));
}

static const char *step_from(const call *self) {
  uint64_t from = 0;
  mainstem_status status = mainstem_subscription_from(
      stage_find(self->stage, word_at(&self->words, 1))->subscription, &from);
  return status == MAINSTEM_OK ? number_name(from) : status_name(status);
}

static const char *step_count(const call *self) {
  mainstem_context_stats stats = {.size = sizeof stats};
  const char *what = word_at(&self->words, 1);
  EXPECT_OK(mainstem_context_stats_read(self->stage->context, &stats));
  if (strcmp(what, "events") == 0) return number_name(stats.events);
  if (strcmp(what, "requests") == 0) return number_name(stats.requests);
  if (strcmp(what, "failures") == 0) return number_name(stats.failures);
  if (strcmp(what, "waiting") == 0) return number_name(stats.waiting);
  if (strcmp(what, "rejected") == 0) return number_name(stats.rejected);
  if (strcmp(what, "history") == 0) return number_name(stats.history);
  if (strcmp(what, "subscriptions") == 0) return number_name(stats.subscriptions);
  EXPECT(strcmp(what, "durable") == 0);
  return number_name(journal_stats(self->stage->context).durable);
}

static const char *step_history(const call *self) {
  return status_name(mainstem_history_keep(
      self->stage->context, stage_type(self->stage, word_at(&self->words, 1)),
      strtoul(word_at(&self->words, 2), NULL, 10), (int64_t)number_after(&self->words, "age")));
}

static const char *step_set(const call *self) {
  char bytes[PAYLOAD];
  size_t size = payload_of(&self->words, bytes, sizeof bytes);
  mainstem_event_type type = stage_type(self->stage, word_at(&self->words, 1));
  mainstem_status status = mainstem_value_set(where(self), type, bytes, size);
  memset(bytes, 'X', sizeof bytes);
  return status_name(status);
}

static const char *step_get(const call *self) {
  static char text[PAYLOAD];
  mainstem_retained *kept;
  mainstem_status status =
      mainstem_value_get(where(self), stage_type(self->stage, word_at(&self->words, 1)), &kept);
  if (status != MAINSTEM_OK) return status_name(status);
  const mainstem_event *event = kept_event(kept);
  snprintf(text, sizeof text, "%s", mainstem_value_text(event));
  EXPECT_OK(mainstem_retained_release(kept));
  return text;
}

static const char *step_advance(const call *self) {
  return status_name(
      mainstem_context_advance(self->stage->context, atoi(word_at(&self->words, 1))));
}

static const struct {
  const char *verb;
  step_fn fn;
} verbs[] = {
    {"observe", step_observe},
    {"serve", step_serve},
    {"scope", step_scope},
    {"serial", step_serial},
    {"wake", step_wake},
    {"request", step_request},
    {"send", step_send},
    {"send_many", step_send_many},
    {"post", step_send},
    {"answer", step_answer},
    {"refuse", step_answer},
    {"tell", step_answer},
    {"keep", step_keep},
    {"fail", step_fail},
    {"cancel", step_call},
    {"cancel_wait", step_call},
    {"give_up", step_call},
    {"end", step_call},
    {"drain", step_drain},
    {"flush", step_call},
    {"wait", step_call},
    {"close", step_call},
    {"open", step_open},
    {"from", step_from},
    {"count", step_count},
    {"history", step_history},
    {"set", step_set},
    {"get", step_get},
    {"bind", step_bind},
    {"point", step_view},
    {"write", step_view},
    {"changes", step_view},
    {"ended", step_view},
    {"unbind", step_view},
    {"model", step_model},
    {"run", step_run},
    {"result", step_result},
    {"advance", step_advance},
    {"now", step_now},
    {"random", step_random},
    {"id", step_id},
    {"record", step_record},
    {"recorded", step_recorded},
    {"sync", step_sync},
    {"replay", step_replay},
    {"verify", step_replay},
    {"feed", step_feed},
    {"difference", step_difference},
};

#endif

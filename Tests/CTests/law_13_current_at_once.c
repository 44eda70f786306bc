// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 13, beside its scenarios: contracts, texts, sizes, rights, and journals. */

#include "journal.h"
#include "scheduled.h"
#include "value.h"

/* Catches: a value that is a secret, a request or a response, and one that is mistaken for another type. */
CASE(what_a_value_may_be, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type = 0;
  const mainstem_contract text = MAINSTEM_PAYLOAD_TEXT | VALUE;
  EXPECT_STATUS(mainstem_type_add(on.context, "V", text | MAINSTEM_SECRET, NULL, &type),
                MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "secret") != NULL);
  EXPECT_STATUS(mainstem_type_add(on.context, "RequestV", text, NULL, &type), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_type_add(on.context, "ResponseV", text, NULL, &type), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_type_add(on.context, "V", text, "ResponseAnswer", &type),
                MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "response") != NULL);
  EXPECT_OK(mainstem_type_add(on.context, "RequestEarly", MAINSTEM_PAYLOAD_TEXT, "V", &type));
  EXPECT_STATUS(mainstem_type_add(on.context, "V", text, NULL, &type), MAINSTEM_INVALID);
  type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  mainstem_event_type other;
  EXPECT_STATUS(
      mainstem_type_add(on.context, "RequestLate", MAINSTEM_PAYLOAD_TEXT, "Value", &other),
      MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_request(on.context, type, "", 0, NULL, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_history_keep(on.context, type, 1, 0), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "is a value") != NULL);
  mainstem_type_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_type_read(on.context, type, &info));
  EXPECT_EQUAL(info.contract & MAINSTEM_ROLE_MASK, VALUE);
  EXPECT_EQUAL(info.history_count, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void report_value(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(mainstem_respond_progress(event, *(mainstem_event_type *)user_data, "1", 1),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_respond(event, "", 0));
}

/* Catches: a value that is a step of progress. */
CASE(a_value_is_no_progress, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  serve_one(on.context, "Server", "RequestAsk", report_value, &type);
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a setter that writes bits of another kind; a bool that is not compared. */
CASE(setters_know_their_kind, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type types[5];
  static const mainstem_contract payloads[] = {MAINSTEM_PAYLOAD_BOOL, MAINSTEM_PAYLOAD_INTEGER,
                                               MAINSTEM_PAYLOAD_NUMBER, MAINSTEM_PAYLOAD_TEXT,
                                               MAINSTEM_PAYLOAD_JSON};
  static const char *const names[] = {"Bool", "Integer", "Number", "Text", "Json"};
  for (size_t i = 0; i < 5; i++) types[i] = type_open(context, names[i], payloads[i] | VALUE, NULL);
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < 5; i++) {
      int is_text = i == 3 || i == 4;
      EXPECT_STATUS(mainstem_value_set_bool(context, types[i], true),
                    i == 0 ? MAINSTEM_OK : MAINSTEM_INVALID);
      EXPECT_STATUS(mainstem_value_set_integer(context, types[i], -3),
                    i == 1 ? MAINSTEM_OK : MAINSTEM_INVALID);
      EXPECT_STATUS(mainstem_value_set_number(context, types[i], 0.5),
                    i == 2 ? MAINSTEM_OK : MAINSTEM_INVALID);
      EXPECT_STATUS(mainstem_value_set_text(context, types[i], "\"x\""),
                    is_text ? MAINSTEM_OK : MAINSTEM_INVALID);
    }
    EXPECT_EQUAL(stats_of(context).events, 5);
  }
  EXPECT_STATUS(mainstem_value_set_text(context, types[3], NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set_text(context, types[3], "\xff"), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(context, types[1], "1", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(context, types[0], "\2", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(context, types[3], NULL, 3), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_value_set(context, types[3], NULL, 0));
  EXPECT_OK(mainstem_value_set(context, types[3], NULL, 0));
  EXPECT_OK(mainstem_value_set_text(context, types[3], ""));
  EXPECT_EQUAL(stats_of(context).events, 6);
  EXPECT_TEXT(text_of(context, types[3]), "");
  EXPECT_STATUS(mainstem_value_set(context, 99, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(NULL, types[3], "", 0), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_STATUS(mainstem_value_set(context, types[3], "", 0), MAINSTEM_STALE);
  EXPECT_STATUS(mainstem_value_set_bool(context, types[0], true), MAINSTEM_STALE);
}

/* Catches: a first error where nothing failed; a handle left in place; a value that a limited scope may not see. */
CASE(what_get_says, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW);
  mainstem_retained *kept = (mainstem_retained *)&on;
  const mainstem_event *event, *again;
  const char *message;
  EXPECT_STATUS(mainstem_value_get(on.context, type, &kept), MAINSTEM_UNSET);
  EXPECT(kept == NULL && strstr(mainstem_last_error(), "Value") != NULL);
  EXPECT_STATUS(mainstem_context_first_error(on.context, &message), MAINSTEM_OK);
  EXPECT_TEXT(mainstem_status_name(MAINSTEM_UNSET), "UNSET");
  mainstem_context *blind = NULL, *mute = NULL;
  mainstem_scope_options rights = {.size = sizeof rights,
                                   .observe_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL)};
  EXPECT_OK(mainstem_scope_add(on.context, "Blind", &rights, &blind));
  rights.observe_layers = 0;
  rights.flags = MAINSTEM_SCOPE_SENDS_NOTHING;
  EXPECT_OK(mainstem_scope_add(on.context, "Mute", &rights, &mute));
  EXPECT_OK(set_text(blind, type, "seen by others"));
  EXPECT_STATUS(mainstem_value_get(blind, type, &kept), MAINSTEM_DENIED);
  EXPECT_STATUS(set_text(mute, type, "x"), MAINSTEM_DENIED);
  EXPECT_STATUS(mainstem_value_get(mute, type, &kept), MAINSTEM_UNSET);
  EXPECT_STATUS(mainstem_value_get(on.context, on.notice, &kept), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_get(on.context, 99, &kept), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_get(on.context, type, NULL), MAINSTEM_INVALID);
  EXPECT_OK(set_text(on.context, type, "kept"));
  EXPECT_OK(mainstem_value_get(on.context, type, &kept));
  EXPECT_OK(set_text(on.context, type, "changed"));
  event = kept_event(kept);
  EXPECT_TEXT(mainstem_value_text(event), "kept");
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT(event->context == on.context && event->correlation == event->position);
  EXPECT_EQUAL(stats_of(on.context).retained, 1);
  EXPECT_OK(mainstem_event_retain(event, &kept));
  again = kept_event(kept);
  EXPECT_TEXT(mainstem_value_text(again), "kept");
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_STATUS(mainstem_value_get(on.context, type, &kept), MAINSTEM_STALE);
}

typedef struct reader {
  mainstem_event_type type;
  char text[3000];
  int calls, late;
} reader;

/* What is behind the text must be its end, wherever the event comes from. */
static void read_text(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  const char *text = mainstem_value_text(event);
  self->calls++;
  self->late += (event->flags & MAINSTEM_EVENT_LATE) != 0;
  EXPECT_EQUAL(strlen(text), event->size);
  EXPECT((const void *)text == event->data);
  snprintf(self->text, sizeof self->text, "%s", text);
}

static mainstem_status read_on(mainstem_context *context, mainstem_event_type type,
                               mainstem_scheduler scheduler, reader *self) {
  return mainstem_observe_with(
      context, OPTIONS(observe, .types = &type, .type_count = 1, .scheduler = scheduler), read_text,
      self, NULL, NULL);
}

/* Catches: a text without an end: at once, queued, late, posted, by a timer, or when it grows and shrinks. */
CASE(a_text_ends, IN_BOTH) {
  static char longest[2600];
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  reader now = {type, "", 0, 0}, later = {type, "", 0, 0};
  EXPECT_OK(read_on(on.context, type, MAINSTEM_SCHEDULER_IMMEDIATE, &now));
  EXPECT_OK(read_on(on.context, type, MAINSTEM_SCHEDULER_HOST, &later));
  memset(longest, 'x', sizeof longest);
  for (size_t i = 0; i < 600; i++) {
    size_t size = i * 7919 % sizeof longest;
    mainstem_status (*const ways[])(mainstem_context *, mainstem_event_type, const void *,
                                    size_t) = {mainstem_value_set, mainstem_send, mainstem_post};
    EXPECT_OK(ways[i % 3](on.context, type, longest, size));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_EQUAL(strlen(now.text), size);
    EXPECT_EQUAL(strlen(later.text), size);
    reader late = {type, "?", 0, 0};
    mainstem_subscription *subscription;
    EXPECT_OK(mainstem_observe(on.context, type, read_text, &late, NULL, &subscription));
    EXPECT_OK(mainstem_cancel(subscription));
    EXPECT_EQUAL(strlen(late.text), size);
    EXPECT_EQUAL(late.calls + late.late, 2);
  }
  EXPECT_OK(mainstem_send_after(on.context, type, "timer", 5, 0, 0, NULL));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_TEXT(now.text, "timer");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void read_nothing(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  EXPECT(mainstem_value_text(event) == NULL);
}

/* Catches: text that need not end, given as one that does. */
CASE(what_is_no_text_of_a_value_is_none, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  mainstem_event_type integer = value_open(on.context, MAINSTEM_PAYLOAD_INTEGER);
  mainstem_event_type plain = type_open(on.context, "Plain", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_value_set_integer(on.context, integer, 0x41414141));
  EXPECT_OK(mainstem_observe(on.context, MAINSTEM_TYPE_ANY, read_nothing, &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, plain, "text", 4));
  EXPECT_OK(mainstem_send(on.context, on.notice, "bytes", 5));
  EXPECT_EQUAL(calls, 3);
  EXPECT(mainstem_value_text(NULL) == NULL);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a value on its way, forgotten where the journal fails; one compared with what nobody saw. */
CASE(a_value_is_recorded, IN_BOTH) {
  const char *path = journal_path("values");
  stream on = stream_open(threads);
  mainstem_event_type type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  EXPECT_OK(mainstem_journal_record(on.context, path, NULL));
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(set_text(on.context, type, "one"));
    EXPECT_OK(set_text(on.context, type, "one"));
    EXPECT_OK(set_text(on.context, type, "two"));
  }
  EXPECT_EQUAL(stats_of(on.context).events, 6);
  EXPECT_OK(mainstem_context_close(on.context));

  on = stream_open(threads);
  type = value_open(on.context, MAINSTEM_PAYLOAD_TEXT);
  mainstem_replay *replay = NULL;
  EXPECT_OK(mainstem_replay_open(on.context, path, NULL, &replay));
  EXPECT_OK(mainstem_replay_step(replay, 5, NULL));
  EXPECT_TEXT(text_of(on.context, type), "one");
  EXPECT_STATUS(set_text(on.context, type, "one"), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(text_of(on.context, type), "two");
  reader late = {type, "", 0, 0};
  EXPECT_OK(mainstem_observe(on.context, type, read_text, &late, NULL, NULL));
  EXPECT_TEXT(late.text, "two");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(set_text(on.context, type, "two"));
  EXPECT_EQUAL(stats_of(on.context).events, 6);
  EXPECT_OK(set_text(on.context, type, "three"));
  EXPECT_TEXT(late.text, "three");
  EXPECT_OK(mainstem_context_close(on.context));
  journal_sweep();
}

int main(void) { return expect_run(120); }

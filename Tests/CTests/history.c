// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Histories, beside the scenarios of law 2: sizes, rings that wrap, filters, other threads. */

#include "elsewhere.h"
#include "guessed.h"
#include "transcript.h"

static void send_each(stream *on, const char *texts) {
  for (; *texts != 0; texts++) EXPECT_OK(mainstem_send(on->context, on->notice, texts, 1));
}

static void keep(stream *on, mainstem_event_type type, size_t count) {
  EXPECT_OK(mainstem_history_keep(on->context, type, count, 0));
}

/* The payloads an observer has seen, one letter each; live ones after a bar. */
typedef struct letters {
  char text[64];
  int live;
} letters;

static void note_letter(void *user_data, const mainstem_event *event) {
  letters *self = (letters *)user_data;
  size_t length = strlen(self->text);
  int is_late = (event->flags & MAINSTEM_EVENT_LATE) != 0;
  EXPECT(length + 3 < sizeof self->text);
  EXPECT(!(is_late && self->live));
  if (!is_late && !self->live) self->text[length++] = '|';
  self->live |= !is_late;
  self->text[length++] = event->size > 0 ? *(const char *)event->data : '-';
  self->text[length] = 0;
}

static mainstem_subscription *observe(stream *on, letters *seen) {
  mainstem_subscription *subscription;
  memset(seen, 0, sizeof *seen);
  EXPECT_OK(mainstem_observe(on->context, on->notice, note_letter, seen, NULL, &subscription));
  return subscription;
}

/* What an observer made now gets of the history. */
static const char *history_of(stream *on) {
  static letters seen;
  EXPECT_OK(mainstem_cancel(observe(on, &seen)));
  return seen.text;
}

CASE(its_bounds_can_be_read, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_type_info info = {.size = sizeof info};
  for (size_t count = 0; count < 3; count++) {
    EXPECT_OK(mainstem_history_keep(on.context, on.notice, count, (int64_t)count * 100));
    EXPECT_OK(mainstem_type_read(on.context, on.notice, &info));
    EXPECT_EQUAL(info.history_count, count);
    EXPECT_EQUAL(info.history_max_age_ms, count * 100);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a block used again that is too small; sizes that come back wrong. */
CASE(payloads_of_any_size_come_back, IN_BOTH) {
  static char large[5000];
  stream on = stream_open(threads);
  keep(&on, on.notice, 2);
  for (int i = 0; i < 300; i++) {
    size_t size = (size_t)i * 7919 % sizeof large;
    memset(large, 'a' + i % 26, sizeof large);
    EXPECT_OK(mainstem_send(on.context, on.notice, large, size));
    const char *seen = history_of(&on);
    if (size > 0) EXPECT_EQUAL(seen[i > 0], 'a' + i % 26);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a ring that is wrong after it has wrapped, shrunk and grown; thousands that stay. */
CASE(a_long_history_shrinks_and_grows, IN_BOTH) {
  stream on = stream_open(threads);
  keep(&on, on.notice, 5000);
  for (int i = 0; i < 12345; i++) send_each(&on, "x");
  EXPECT_EQUAL(stats_of(on.context).history, 5000);
  send_each(&on, "abcdefgh");
  keep(&on, on.notice, 7);
  EXPECT_EQUAL(stats_of(on.context).history, 7);
  keep(&on, on.notice, 9000);
  send_each(&on, "ijklmnop");
  EXPECT_TEXT(history_of(&on), "bcdefghijklmnop");
  for (int i = 0; i < 9001; i++) send_each(&on, "y");
  EXPECT_EQUAL(stats_of(on.context).history, 9000);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *rebound(void *data) {
  stream *on = (stream *)data;
  for (int i = 0; i < 2000; i++) {
    keep(on, on->notice, 500);
    keep(on, on->notice, 3);
  }
  return NULL;
}

/* Catches: bounds of another thread that touch what the delivering one keeps. */
CASE(another_thread_may_set_the_bounds, IN_ANY) {
  stream on = stream_open(threads);
  keep(&on, on.notice, 3);
  pthread_t other = beside(rebound, &on);
  for (int i = 0; i < 20000; i++) send_each(&on, "x");
  join(other);
  send_each(&on, "abc");
  EXPECT_TEXT(history_of(&on), "abc");
  EXPECT_EQUAL(stats_of(on.context).history, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void count_line(void *user_data, const char *line) { ++*(int *)user_data; }

/* Catches: history for those who declined it; rows of the core's own counted as observers. */
CASE(who_wants_only_news_gets_no_history, IN_BOTH) {
  stream on = stream_open(threads);
  letters seen = {"", 0};
  int lines = 0;
  keep(&on, on.notice, 9);
  send_each(&on, "ab");
  EXPECT_OK(mainstem_observe_with(on.context, OPTIONS(observe, .flags = MAINSTEM_OBSERVE_NEW),
                                  note_letter, &seen, NULL, NULL));
  EXPECT_OK(mainstem_trace(on.context, count_line, &lines));
  EXPECT_EQUAL(stats_of(on.context).deliveries, 0);
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 2);
  send_each(&on, "c");
  EXPECT_TEXT(seen.text, "|c");
  EXPECT_EQUAL(lines, 1);
  EXPECT_EQUAL(stats_of(on.context).deliveries, 2);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void cancel_at_b(void *user_data, const mainstem_event *event) {
  witness *self = (witness *)user_data;
  transcript_add(self->transcript, "%c", *(const char *)event->data);
  if (*(const char *)event->data != 'b') return;
  EXPECT_OK(mainstem_cancel(*(mainstem_subscription **)self->user_data));
}

/* Catches: late events after a cancel; a hook that runs twice; a handle that is given too late. */
CASE(a_cancel_ends_the_history_at_once, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  mainstem_subscription *subscription = NULL;
  witness a = {&seen, "a", NULL, &subscription};
  keep(&on, on.notice, 9);
  send_each(&on, "abc");
  EXPECT_OK(
      mainstem_observe(on.context, on.notice, cancel_at_b, &a, witness_release, &subscription));
  EXPECT_TEXT(seen.text, "a b ~a");
  EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
  send_each(&on, "b");
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a b ~a");
}

static void stop_and_observe(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  static letters inner;
  if (!(event->flags & MAINSTEM_EVENT_LATE) || *(const char *)event->data != 'b') return;
  keep(on, on->notice, 0);
  keep(on, on->notice, 5);
  EXPECT_TEXT((const char *)event->data, "b"); /* The bytes live as long as the callback. */
  memset(&inner, 0, sizeof inner);
  EXPECT_OK(mainstem_observe(on->context, on->notice, note_letter, &inner, NULL, NULL));
}

/* Catches: what a callback looks at freed under it; a history that begins before it was asked for. */
CASE(a_history_may_end_and_begin_inside_its_own_delivery, IN_BOTH) {
  stream on = stream_open(threads);
  keep(&on, on.notice, 9);
  EXPECT_OK(mainstem_send(on.context, on.notice, "a", 2));
  EXPECT_OK(mainstem_send(on.context, on.notice, "b", 2));
  EXPECT_OK(mainstem_send(on.context, on.notice, "c", 2));
  EXPECT_OK(mainstem_observe(on.context, on.notice, stop_and_observe, &on, NULL, NULL));
  EXPECT_EQUAL(stats_of(on.context).history, 0);
  send_each(&on, "d");
  EXPECT_TEXT(history_of(&on), "d");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void expect_failed(void *user_data, const mainstem_event *event) {
  mainstem_error error = {.size = sizeof error};
  EXPECT_OK(mainstem_event_error(event, &error));
  EXPECT_STATUS(error.code, MAINSTEM_UNHANDLED);
  EXPECT_TEXT(event->user_message, error.message);
  EXPECT(strlen(error.message) > 0);
  ++*(int *)user_data;
}

static void answer_once(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

static void answer_ok(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

/* Catches: filters that do not look at late events; a late answer that answers again. */
CASE(answers_are_kept_and_filters_apply, IN_BOTH) {
  stream on = stream_open(threads);
  int failed = 0, succeeded = 0, completed = 0;
  keep(&on, on.answer, 9);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, answer_once, &completed, NULL));
  serve_one(on.context, "Server", "RequestAsk", answer_ok, NULL);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, answer_once, &completed, NULL));
  EXPECT_EQUAL(completed, 2);
  mainstem_observe_options options = {
      .size = sizeof options, .role = MAINSTEM_ROLE_RESPONSE, .flags = MAINSTEM_OBSERVE_FAILED};
  EXPECT_OK(mainstem_observe_with(on.context, &options, expect_failed, &failed, NULL, NULL));
  options.flags = MAINSTEM_OBSERVE_SUCCEEDED | MAINSTEM_OBSERVE_CONFIRM;
  EXPECT_OK(mainstem_observe_with(on.context, &options, answer_once, &succeeded, NULL, NULL));
  EXPECT_EQUAL(failed, 1);
  EXPECT_EQUAL(succeeded, 1);
  EXPECT_EQUAL(completed, 2);
  EXPECT_EQUAL(stats_of(on.context).failures, 1); /* It did not confirm. */
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a count that late events do not use up, or that cuts the history from the wrong end. */
CASE(a_count_counts_late_events, IN_BOTH) {
  stream on = stream_open(threads);
  letters seen = {"", 0};
  keep(&on, on.notice, 9);
  send_each(&on, "abc");
  mainstem_observe_options options = {.size = sizeof options, .count = 2};
  EXPECT_OK(mainstem_observe_with(on.context, &options, note_letter, &seen, NULL, NULL));
  EXPECT_TEXT(seen.text, "ab");
  EXPECT_EQUAL(stats_of(on.context).subscriptions, 0);
  seen = (letters){"", 0};
  options.count = 4;
  EXPECT_OK(mainstem_observe_with(on.context, &options, note_letter, &seen, NULL, NULL));
  send_each(&on, "de");
  EXPECT_TEXT(seen.text, "abc|d");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void note_and_retain(void *user_data, const mainstem_event *event) {
  mainstem_retained **retained = (mainstem_retained **)user_data;
  EXPECT_OK(mainstem_event_retain(event, retained));
}

/* Catches: handlers left out; a late event whose context or memory is not its own. */
CASE(a_server_gets_it_too_and_a_late_event_can_be_retained, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_retained *retained = NULL;
  keep(&on, on.notice, 1);
  send_each(&on, "a");
  mainstem_context *server = serve_one(on.context, "Server", "Notice", note_and_retain, &retained);
  send_each(&on, ""); /* Nothing. */
  keep(&on, on.notice, 0);
  EXPECT(retained != NULL);
  const mainstem_event *event = kept_event(retained);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_LATE | MAINSTEM_EVENT_OUTSIDE);
  EXPECT(event->context == server);
  EXPECT_EQUAL(*(const char *)event->data, 'a');
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: rows of observers lost or moved wrongly while the core's own row stays behind them. */
CASE(observers_come_and_go_around_a_history, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_subscription *subscriptions[40];
  int calls = 0;
  keep(&on, on.notice, 1);
  for (size_t round = 0; round < 50; round++) {
    for (size_t i = 0; i < COUNT(subscriptions); i++) {
      EXPECT_OK(
          mainstem_observe(on.context, on.notice, answer_once, &calls, NULL, &subscriptions[i]));
    }
    calls = 0;
    send_each(&on, "a");
    EXPECT_EQUAL(calls, COUNT(subscriptions));
    for (size_t i = 0; i < COUNT(subscriptions); i++) {
      EXPECT_OK(mainstem_cancel(subscriptions[(i * 7 + round) % COUNT(subscriptions)]));
    }
    EXPECT_TEXT(history_of(&on), "a");
    if (round % 3 == 0) keep(&on, on.notice, 0);
    keep(&on, on.notice, 1);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct positions {
  uint64_t first, next;
} positions;

static void note_position(void *user_data, const mainstem_event *event) {
  positions *self = (positions *)user_data;
  uint64_t number;
  if (self->next == 0) self->first = self->next = event->position;
  EXPECT_EQUAL(event->position, self->next++);
  EXPECT_EQUAL(event->size, sizeof number);
  memcpy(&number, event->data, sizeof number);
  EXPECT_EQUAL(number, event->position);
}

/* The payload of an event is its position. */
static void send_numbers(const stream *on, uint64_t from, uint64_t count) {
  for (uint64_t number = from; number < from + count; number++)
    EXPECT_OK(mainstem_send(on->context, on->notice, &number, sizeof number));
}

/* Catches: a ring that has wrapped, and is copied as it lies when it needs more places. */
CASE(what_has_wrapped_grows_in_order, IN_BOTH) {
  for (uint64_t few = 1; few <= 17; few++) {
    for (uint64_t sent = 1; sent <= 36; sent++) {
      stream on = stream_open(threads);
      const uint64_t kept = sent < few ? sent : few, most = 40;
      keep(&on, on.notice, few);
      send_numbers(&on, 1, sent);
      keep(&on, on.notice, most);
      for (uint64_t more = 0; more <= 50; more += 5) {
        positions seen = {0, 0};
        mainstem_subscription *subscription;
        const uint64_t last = sent + more, wanted = kept + more < most ? kept + more : most;
        EXPECT_OK(
            mainstem_observe(on.context, on.notice, note_position, &seen, NULL, &subscription));
        EXPECT_EQUAL(seen.first, last - wanted + 1);
        EXPECT_EQUAL(seen.next, last + 1);
        EXPECT_OK(mainstem_cancel(subscription));
        send_numbers(&on, last + 1, 5);
      }
      EXPECT_OK(mainstem_context_close(on.context));
    }
  }
}

/* Catches: the core's own observer is a subscription like others, so that a handle with a bit turned over ends it. */
CASE(no_guessed_handle_ends_a_history, IN_BOTH) {
  stream on = stream_open(threads);
  enum { PAIRS = 24 };
  mainstem_event_type types[PAIRS];
  mainstem_subscription *subscriptions[PAIRS], *late;
  letters seen = {"", 0};
  char name[16];
  for (size_t i = 0; i < PAIRS; i++) {
    snprintf(name, sizeof name, "Kept%zu", i);
    types[i] = type_open(on.context, name, MAINSTEM_PAYLOAD_BYTES, NULL);
    keep(&on, types[i], 1);
    EXPECT_OK(mainstem_observe(on.context, on.notice, note_letter, &seen, NULL, &subscriptions[i]));
  }
  expect_no_guess_ends(subscriptions, PAIRS);
  for (size_t i = 0; i < PAIRS; i++) {
    EXPECT_OK(mainstem_send(on.context, types[i], "k", 1));
    memset(&seen, 0, sizeof seen);
    EXPECT_OK(mainstem_observe(on.context, types[i], note_letter, &seen, NULL, &late));
    EXPECT_TEXT(seen.text, "k");
    EXPECT_OK(mainstem_cancel(late));
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

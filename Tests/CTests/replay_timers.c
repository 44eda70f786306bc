// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Timers and a replay: one whose event the journal has is over; one that had not fired has left of its time what
 * was left then.
 */

#include "session.h"

typedef struct clockwork {
  mainstem_context *context;
  mainstem_event_type start, tick, mark, secret;
  mainstem_timer *once, *later, *often;
  uint64_t last;
  int ticks, marks, secrets, armed;
  char text[400];
} clockwork;

static void on_tick(void *user_data, const mainstem_event *event) {
  clockwork *self = (clockwork *)user_data;
  size_t length = strlen(self->text);
  EXPECT(event->flags & MAINSTEM_EVENT_TIMER);
  EXPECT(event->flags & MAINSTEM_EVENT_OUTSIDE);
  self->ticks++;
  snprintf(self->text + length, sizeof self->text - length, " %.*s", (int)event->size,
           (const char *)event->data);
}

static void count(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

static void on_start(void *user_data, const mainstem_event *event) {
  clockwork *self = (clockwork *)user_data;
  mainstem_context *context = event->context;
  EXPECT_OK(mainstem_send_after(context, self->tick, "10", 2, 10, 0, &self->once));
  EXPECT_OK(mainstem_send_after(context, self->tick, "100", 3, 100, 0, &self->later));
  EXPECT_OK(mainstem_send_after(context, self->tick, "12", 2, 12, 0, NULL));
  EXPECT_OK(mainstem_send_after(context, self->tick, "12", 2, 112, 0, NULL)); /* The same later. */
  EXPECT_OK(mainstem_send_after(context, self->mark, "m", 1, 6, 6, NULL));
  EXPECT_OK(mainstem_send_after(context, self->secret, "s", 1, 9, 9, NULL));
}

/* When the program begins: also in a hundred years, where times are near the end of what replays calculate with. */
static int64_t began_ms = 5000;
static const int64_t hundred_years_ms = 3155760000000;

static clockwork clockwork_open(uint32_t threads) {
  clockwork opened = {0};
  opened.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  EXPECT_OK(mainstem_context_advance(opened.context, began_ms));
  return opened;
}

/* As the program does it, whenever that is. */
static void clockwork_install(clockwork *self) {
  mainstem_context *context = self->context;
  self->start = type_open(context, "Start", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->tick = type_open(context, "Tick", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->mark = type_open(context, "Mark", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_RECORD_MARK, NULL);
  self->secret = type_open(context, "Secret", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  EXPECT_OK(mainstem_observe(context, self->start, on_start, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->tick, on_tick, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->mark, count, &self->marks, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->secret, count, &self->secrets, NULL, NULL));
  EXPECT_OK(mainstem_send_after(context, self->tick, "7", 1, 7, 7, &self->often));
}

static const char *clockwork_record(uint32_t threads) {
  const char *path = journal_path("clockwork");
  clockwork self = clockwork_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  clockwork_install(&self);
  EXPECT_OK(mainstem_send(self.context, self.start, "", 0));
  EXPECT_OK(mainstem_context_advance(self.context, 20));
  EXPECT_TEXT(self.text, " 7 10 12 7");
  EXPECT_EQUAL(self.marks, 3);
  EXPECT_EQUAL(self.secrets, 2);
  EXPECT_OK(mainstem_context_close(self.context));
  return path;
}

/* What has come since the replay, so long after the recording began; -1: nobody looks. */
typedef struct moment {
  int64_t ms;
  const char *text;
  int marks, secrets;
} moment;

static void expect_moments(clockwork *self, int64_t now, const moment *moments, size_t count) {
  for (size_t i = 0; i < count; now = moments[i++].ms) {
    EXPECT_OK(mainstem_context_advance(self->context, moments[i].ms - now));
    if (strcmp(self->text, moments[i].text) != 0)
      fprintf(stderr, "  at %lld ms\n", (long long)moments[i].ms);
    EXPECT_TEXT(self->text, moments[i].text);
    if (moments[i].marks >= 0) EXPECT_EQUAL(self->marks, moments[i].marks);
    if (moments[i].secrets >= 0) EXPECT_EQUAL(self->secrets, moments[i].secrets);
  }
}

/* Catches: a timer that fires once more after its event was fed, or at another time than was left. */
CASE(a_timer_that_fired_is_over, IN_BOTH) {
  static const moment often[] = {
      {20, "", 3, 2}, {21, " 7", 3, 2}, {24, " 7", 4, 2}, {27, " 7", 4, 3}};
  static const moment later[] = {{99, " 7", -1, -1},
                                 {100, " 7 100", -1, -1},
                                 {111, " 7 100", -1, -1},
                                 {112, " 7 100 12", -1, -1}};
  const char *path = clockwork_record(threads);
  clockwork self = clockwork_open(threads);
  EXPECT_OK(mainstem_context_advance(self.context, 123456));
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_VERIFY);
  clockwork_install(&self);
  EXPECT_OK(mainstem_replay_seek(replay, 1));
  EXPECT_EQUAL(stats_of(self.context).timers, 7);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL)); /* The last is a mark, at 18 ms. */
  EXPECT_TEXT(self.text, " 7 10 12 7");
  EXPECT_EQUAL(stats_of(self.context).timers, 5);
  EXPECT_STATUS(mainstem_timer_cancel(self.once), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_advance(self.context, 200));
  EXPECT_OK(mainstem_replay_close(replay));
  self.text[0] = 0;
  expect_moments(&self, 18, often, COUNT(often));
  EXPECT_OK(mainstem_timer_cancel(self.often));
  expect_moments(&self, 27, later, COUNT(later));
  EXPECT_STATUS(mainstem_timer_cancel(self.later), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Where callbacks arm none, those of the program itself go by the same rule. */
CASE(muted_too, IN_BOTH) {
  /* A secret has no time: it was 7 ms. */
  static const moment moments[] = {{9, " 7", 0, 0}, {10, " 7 10", 0, 0}, {14, " 7 10 7", 0, 0}};
  const char *path = clockwork_record(threads);
  clockwork self = clockwork_open(threads);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  self.start = type_open(self.context, "Start", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.tick = type_open(self.context, "Tick", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(self.context, self.tick, on_tick, &self, NULL, NULL));
  EXPECT_OK(mainstem_send_after(self.context, self.tick, "7", 1, 7, 7, NULL));
  EXPECT_OK(mainstem_send_after(self.context, self.tick, "10", 2, 10, 0, &self.once));
  EXPECT_OK(mainstem_replay_step(replay, 4, NULL)); /* 0, 6, 7, 9 ms */
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_TEXT(self.text, " 7");
  expect_moments(&self, 7, moments, COUNT(moments));
  EXPECT_OK(mainstem_context_close(self.context));
}

static void arm(void *user_data, const mainstem_event *event) {
  clockwork *self = (clockwork *)user_data;
  self->armed++;
  EXPECT_STATUS(mainstem_send_after(event->context, self->tick, "h", 1, 1, 0, NULL),
                MAINSTEM_CANCELLED);
}

/* What a scheduler's callback armed then has fired then. */
CASE(a_callback_on_a_scheduler_arms_none, IN_BOTH) {
  const char *path = clockwork_record(threads);
  clockwork self = clockwork_open(threads);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_VERIFY);
  clockwork_install(&self);
  EXPECT_OK(mainstem_observe_with(
      self.context,
      OPTIONS(observe, .scheduler = MAINSTEM_SCHEDULER_HOST, .types = &self.start, .type_count = 1),
      arm, &self, NULL, NULL));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_EQUAL(self.armed, 1);
  EXPECT_OK(mainstem_context_close(self.context));
}

CASE(in_a_hundred_years, IN_BOTH) {
  began_ms = hundred_years_ms;
  a_timer_that_fired_is_over(threads);
  muted_too(threads);
  began_ms = 5000;
}

int main(void) { return journal_expect_all(); }

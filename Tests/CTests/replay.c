// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Replay, muted: acceptance A-29. Every event comes again as it was and nothing is done twice; what a replaying
 * context does with calls; how fast it goes; how it ends.
 */

#include "session.h"

typedef struct lines {
  char *text;
  size_t length;
  int count;
} lines;

static void write_line(void *user_data, const mainstem_event *event) {
  lines *self = (lines *)user_data;
  char line[400];
  EXPECT_OK(mainstem_event_line(event, line, sizeof line, NULL));
  self->text = (char *)realloc(self->text, self->length + strlen(line) + 2);
  self->length += (size_t)sprintf(self->text + self->length, "%s\n", line);
  self->count++;
}

/* Catches: an event that comes otherwise than it was, a handler that is called. */
CASE(a_thousand_events_come_again, IN_BOTH) {
  const char *path = journal_path("session");
  session self = {0};
  mainstem_context *context = context_open(threads);
  lines was = {NULL, 0, 0}, is = {NULL, 0, 0};
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, write_line, &was, NULL, NULL));
  session_install(&self, threads, context);
  session_play(&self, 3, 400);
  while (stats_of(context).timers > 0) EXPECT_OK(mainstem_wait(context, -1));
  session_end(&self);
  EXPECT(was.count > 1000);

  memset(&self, 0, sizeof self);
  context = context_open(threads);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, write_line, &is, NULL, NULL));
  session_install(&self, threads, context);
  uint64_t fed;
  EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
  EXPECT_EQUAL(fed, was.count);
  EXPECT(strcmp(was.text, is.text) == 0);
  EXPECT_EQUAL(self.handled + self.provided, 0);
  EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
  EXPECT_EQUAL(fed, 0);
  mainstem_replay_info info = replay_info(replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_EQUAL(info.last, was.count);
  EXPECT_EQUAL(info.fed, was.count);
  EXPECT(info.left_out > 0); /* What the server's observers sent. */
  session_end(&self);
  free(was.text);
  free(is.text);
}

typedef struct meddler {
  session *self;
  int calls;
  mainstem_replay *replay;
} meddler;

static void meddle(void *user_data, const mainstem_event *event) {
  meddler *self = (meddler *)user_data;
  session *on = self->self;
  mainstem_pending *pending;
  mainstem_timer *timer;
  uint64_t number;
  int64_t time;
  self->calls++;
  EXPECT_OK(mainstem_send(event->context, on->key, "m", 1));
  EXPECT_OK(mainstem_post(event->context, on->key, "m", 1));
  EXPECT_STATUS(mainstem_request(event->context, on->ask, "m", 1, NULL, NULL, &pending),
                MAINSTEM_CANCELLED);
  EXPECT_STATUS(mainstem_send_after(event->context, on->key, "m", 1, 0, 0, &timer),
                MAINSTEM_CANCELLED);
  EXPECT_STATUS(mainstem_replay_step(self->replay, 1, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_replay_close(self->replay), MAINSTEM_BUSY);
  EXPECT_OK(mainstem_context_random(event->context, &number));
  EXPECT_OK(mainstem_context_now(event->context, &time));
  EXPECT_EQUAL(time, event->time);
  EXPECT_EQUAL(replay_info(self->replay).position, event->position);
  if (event->flags & MAINSTEM_EVENT_TRACKED) EXPECT_OK(mainstem_respond(event, "m", 1));
  EXPECT_OK(mainstem_fail(event, 1009, "meddled"));
}

/* Catches: something accepted that the journal does not have. */
CASE(nothing_else_is_accepted, IN_BOTH) {
  const char *path = session_record(threads, 5, 50);
  session self = {0};
  int replaying;
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_context_is_replaying(context, &replaying));
  EXPECT_EQUAL(replaying, 0);
  meddler one = {&self, 0, replay_open(context, path, MAINSTEM_REPLAY_MUTED)};
  EXPECT_OK(mainstem_context_is_replaying(context, &replaying));
  EXPECT_EQUAL(replaying, 1);
  session_install(&self, threads, context);
  EXPECT_OK(mainstem_send(context, self.key, "start", 5)); /* Left out: before the first event. */
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, meddle, &one, NULL, NULL));
  EXPECT_OK(mainstem_replay_step(one.replay, 1, NULL));
  EXPECT_STATUS(mainstem_send(context, self.key, "k", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_post(context, self.key, "k", 1), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_request(context, self.ask, "k", 1, NULL, NULL, NULL), MAINSTEM_BUSY);
  EXPECT_STATUS(mainstem_journal_record(context, journal_path("other"), NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_replay_step(one.replay, 0, NULL));
  mainstem_replay_info info = replay_info(one.replay);
  EXPECT_EQUAL(one.calls, info.last);
  EXPECT_EQUAL(stats_of(context).events, info.last);
  /* Then it goes on like any other. */
  EXPECT_OK(mainstem_replay_close(one.replay));
  EXPECT_STATUS(mainstem_replay_close(one.replay), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_is_replaying(context, &replaying));
  EXPECT_EQUAL(replaying, 0);
  EXPECT_EQUAL(self.handled, 0);
  session_end(&self);
}

static void note_position(void *user_data, const mainstem_event *event) {
  *(uint64_t *)user_data = event->position;
}

/* Catches: a position used twice, a handler that stays mute, a request that stays open for ever. */
CASE(it_goes_on_from_there, IN_BOTH) {
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    const char *path = session_record(threads, 11, 100);
    session self = {0};
    uint64_t last = 0;
    mainstem_context *context = context_open(threads);
    mainstem_replay *replay = replay_open(context, path, mode);
    session_install(&self, threads, context);
    EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, note_position, &last, NULL, NULL));
    EXPECT_OK(mainstem_replay_seek(replay, 40));
    EXPECT(last >= 40 && last < 60);
    EXPECT_STATUS(mainstem_replay_seek(replay, 39), MAINSTEM_INVALID);
    EXPECT_STATUS(mainstem_replay_seek(replay, 1 << 20), MAINSTEM_INVALID);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_EQUAL(stats_of(context).requests, 0);
    uint64_t before = last;
    int handled = self.handled;
    EXPECT_OK(mainstem_request(context, self.ask, "e", 1, NULL, NULL, NULL));
    EXPECT(last > before + 1);
    EXPECT_EQUAL(self.handled, handled + 1);
    session_end(&self);
    journal_sweep();
  }
}

static mainstem_context *clocked(uint32_t threads, uint32_t clock) {
  return CONTEXT_WITH(.threads = threads, .clock = clock);
}

/* Records a text: "t" is a tick, "k" a key, which is a secret and has no time; 100 ms each by a clock of the test's. */
static const char *record_text(uint32_t threads, uint32_t clock, const char *text) {
  const char *path = journal_path("session");
  mainstem_context *context = clocked(threads, clock);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  mainstem_event_type key =
      type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  mainstem_event_type tick = type_open(context, "Tick", MAINSTEM_PAYLOAD_TEXT, NULL);
  for (; *text != 0; text++) {
    if (clock == MAINSTEM_CLOCK_VIRTUAL) EXPECT_OK(mainstem_context_advance(context, 100));
    EXPECT_OK(mainstem_send(context, *text == 'k' ? key : tick, text, 1));
  }
  EXPECT_OK(mainstem_context_close(context));
  return path;
}

/* How it goes by itself: what is done, and the last event that has come then. */
typedef struct pace {
  enum { RUN, PAUSE, ADVANCE, DRAIN, WAIT } what;
  double speed_or_ms;
  uint64_t last;
} pace;

static void expect_paces(uint32_t threads, const char *path, const pace *paces, size_t count) {
  mainstem_context *context = clocked(threads, MAINSTEM_CLOCK_VIRTUAL);
  uint64_t last = 0;
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, note_position, &last, NULL, NULL));
  for (size_t i = 0; i < count; i++) {
    int64_t ms = (int64_t)paces[i].speed_or_ms;
    if (paces[i].what == RUN) EXPECT_OK(mainstem_replay_run(replay, paces[i].speed_or_ms));
    if (paces[i].what == PAUSE) EXPECT_OK(mainstem_replay_pause(replay));
    if (paces[i].what == ADVANCE) EXPECT_OK(mainstem_context_advance(context, ms));
    if (paces[i].what == DRAIN) EXPECT_OK(mainstem_drain(context, 0, NULL));
    if (paces[i].what == WAIT) EXPECT_OK(mainstem_wait(context, ms));
    if (last != paces[i].last) fprintf(stderr, "  at pace %zu\n", i);
    EXPECT_EQUAL(last, paces[i].last);
  }
  EXPECT_EQUAL(replay_info(replay).flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_OK(mainstem_context_close(context));
  journal_sweep();
}

/* Catches: an event fed before its time, or never. */
CASE(it_goes_by_itself, IN_BOTH) {
  static const pace paces[] = {
      {ADVANCE, 1000, 0}, {RUN, 1, 0},        {DRAIN, 0, 1},    {ADVANCE, 99, 1}, {ADVANCE, 201, 4},
      {PAUSE, 0, 4},      {ADVANCE, 1000, 4}, {RUN, 2, 4}, /* #5 is due now, then one each 50 ms. */
      {ADVANCE, 100, 7},  {RUN, 0, 7},        {WAIT, 1000, 10}, {DRAIN, 0, 10}};
  expect_paces(threads, record_text(threads, MAINSTEM_CLOCK_VIRTUAL, "tttttttttt"), paces,
               COUNT(paces));
}

/* Catches: who waits from the time 0 of a secret to the next event, for decades. */
CASE(it_goes_by_itself_where_a_secret_comes_first, IN_BOTH) {
  static const pace paces[] = {{RUN, 1, 0}, {ADVANCE, 3600000, 6}, {DRAIN, 0, 6}};
  expect_paces(threads, record_text(threads, MAINSTEM_CLOCK_MONOTONIC, "ktttkt"), paces,
               COUNT(paces));
}

/* Catches: a replay that has come to its end and finds that out only when it is asked for one more. */
CASE(who_seeks_the_last_has_come_to_the_end, IN_BOTH) {
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    const char *path = session_record(threads, 7, 100);
    session self = {0};
    mainstem_context *context = context_open(threads);
    mainstem_replay *replay = replay_open(context, path, mode);
    session_install(&self, threads, context);
    mainstem_replay_info info = replay_info(replay);
    EXPECT_EQUAL(info.flags & MAINSTEM_REPLAY_ENDED, 0);
    EXPECT_OK(mainstem_replay_seek(replay, info.last / 2));
    EXPECT_EQUAL(replay_info(replay).flags & MAINSTEM_REPLAY_ENDED, 0);
    EXPECT_OK(mainstem_replay_seek(replay, info.last));
    EXPECT_EQUAL(replay_info(replay).flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
    session_end(&self);
    journal_sweep();
  }
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Calls on a replay from the wrong place, at the wrong time, with the wrong numbers: a status, and nothing changed. */

#include "session.h"

#include <math.h>
#include <pthread.h>

typedef struct meddler {
  session self;
  mainstem_replay *replay;
  mainstem_context *context;
  int calls;
  mainstem_status wanted;
} meddler;

static void call_all(meddler *on, mainstem_status wanted) {
  EXPECT_STATUS(mainstem_replay_step(on->replay, 1, NULL), wanted);
  EXPECT_STATUS(mainstem_replay_seek(on->replay, 1), wanted);
  EXPECT_STATUS(mainstem_replay_run(on->replay, 1), wanted);
  EXPECT_STATUS(mainstem_replay_pause(on->replay), wanted);
  EXPECT_STATUS(mainstem_replay_on_secret(on->replay, NULL, NULL, NULL), wanted);
  EXPECT_STATUS(mainstem_replay_close(on->replay), wanted);
}

static void look(meddler *on) {
  (void)replay_info(on->replay);
  (void)replay_difference(on->replay);
  const mainstem_secret secret = {.size = sizeof secret, .data = "x", .data_size = 1};
  EXPECT_STATUS(mainstem_replay_supply(on->replay, &secret), MAINSTEM_INVALID);
}

static void meddle(void *user_data, const mainstem_event *event) {
  meddler *on = (meddler *)user_data;
  on->calls++;
  call_all(on, MAINSTEM_BUSY);
  look(on);
}

static void meddle_in_hook(void *user_data) { meddle(user_data, NULL); }

static void meddler_open(meddler *on, uint32_t threads, const char *path, uint32_t mode) {
  memset(on, 0, sizeof *on);
  on->context = context_open(threads);
  on->replay = replay_open(on->context, path, mode);
  session_install(&on->self, threads, on->context);
}

/* Immediate, on a scheduler, in a hook: while it feeds, and while it goes by itself. */
CASE(inside_callbacks_they_are_busy, IN_BOTH) {
  const char *path = session_record(threads, 4, 60);
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    meddler on;
    mainstem_subscription *subscription;
    meddler_open(&on, threads, path, mode);
    mainstem_observe_options options = {.size = sizeof options};
    EXPECT_OK(mainstem_observe_with(on.context, &options, meddle, &on, NULL, NULL));
    options.scheduler = MAINSTEM_SCHEDULER_HOST;
    EXPECT_OK(
        mainstem_observe_with(on.context, &options, meddle, &on, meddle_in_hook, &subscription));
    EXPECT_OK(mainstem_replay_seek(on.replay, 20));
    EXPECT_OK(mainstem_replay_run(on.replay, 0));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT(replay_info(on.replay).flags & MAINSTEM_REPLAY_ENDED);
    EXPECT_OK(mainstem_cancel(subscription));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
    EXPECT(on.calls > 200);
    EXPECT_OK(mainstem_replay_close(on.replay));
    call_all(&on, MAINSTEM_STALE);
    session_end(&on.self);
  }
}

/* Numbers that are none, steps beyond the end, positions that have passed. */
CASE(with_wrong_numbers, IN_BOTH) {
  static const double wrong[] = {-1, -0.5, NAN, INFINITY, -INFINITY, 1e300};
  const char *path = session_record(threads, 4, 20);
  meddler on;
  uint64_t fed;
  meddler_open(&on, threads, path, MAINSTEM_REPLAY_MUTED);
  uint64_t last = replay_info(on.replay).last;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    EXPECT_STATUS(mainstem_replay_run(on.replay, wrong[i]), MAINSTEM_INVALID);
  }
  EXPECT_OK(mainstem_replay_seek(on.replay, 0));
  EXPECT_EQUAL(replay_info(on.replay).fed, 0);
  EXPECT_OK(mainstem_replay_seek(on.replay, 5));
  EXPECT_OK(mainstem_replay_seek(on.replay, 5));
  EXPECT_STATUS(mainstem_replay_seek(on.replay, 4), MAINSTEM_INVALID);
  EXPECT_EQUAL(replay_info(on.replay).position, 5);
  EXPECT_OK(mainstem_replay_run(on.replay, 1e-300)); /* Never due, but the next. */
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(replay_info(on.replay).position, 6);
  EXPECT_STATUS(mainstem_wait(on.context, 1), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_replay_pause(on.replay));
  EXPECT_OK(mainstem_replay_pause(on.replay));
  EXPECT_STATUS(mainstem_replay_seek(on.replay, last + 1), MAINSTEM_INVALID);
  EXPECT_EQUAL(replay_info(on.replay).position, last);
  for (int i = 0; i < 3; i++) {
    EXPECT_OK(mainstem_replay_step(on.replay, UINT64_MAX, &fed));
    EXPECT_EQUAL(fed, 0);
    EXPECT_OK(mainstem_replay_run(on.replay, 0));
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  }
  EXPECT_EQUAL(replay_info(on.replay).fed, last);
  session_end(&on.self);
}

/* One at a time, of a context that has accepted nothing; one that is closed before its first event left no trace. */
CASE(of_another_context, IN_BOTH) {
  const char *path = session_record(threads, 4, 20), *other = journal_path("other");
  meddler on;
  mainstem_replay *second;
  meddler_open(&on, threads, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_STATUS(mainstem_replay_open(on.context, path, NULL, &second), MAINSTEM_BUSY);
  EXPECT(second == NULL);
  EXPECT_STATUS(mainstem_journal_record(on.context, other, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_replay_close(on.replay));
  EXPECT_OK(mainstem_replay_open(on.context, path, NULL, &second));
  EXPECT_OK(mainstem_replay_close(second));
  EXPECT_OK(mainstem_journal_record(on.context, other, NULL));
  EXPECT_STATUS(mainstem_replay_open(on.context, path, NULL, &second), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_send(on.context, on.self.key, "k", 1));
  session_end(&on.self);
  EXPECT_EQUAL(journal_look(other).last, 2);

  meddler_open(&on, threads, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_OK(mainstem_replay_step(on.replay, 1, NULL));
  EXPECT_OK(mainstem_replay_close(on.replay));
  EXPECT_STATUS(mainstem_replay_open(on.context, path, NULL, &second), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_journal_record(on.context, other, NULL), MAINSTEM_INVALID);
  session_end(&on.self);
}

int main(void) { return journal_expect_all(); }

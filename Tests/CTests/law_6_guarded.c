// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 6, guarded contexts: the host lets one thread at a time in, and callbacks run on that one. What comes from outside
 * the callbacks by calls that any thread may make waits for it.
 */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

/* Where callbacks ran. */
typedef struct place {
  pthread_t thread;
  int calls;
} place;

static void note_place(void *user_data, const mainstem_event *event) {
  place *self = (place *)user_data;
  self->thread = pthread_self();
  self->calls++;
}

static int was_here(const place *self) { return pthread_equal(self->thread, pthread_self()); }

static void *send_notice(void *data) {
  stream *on = (stream *)data;
  EXPECT_OK(send_text(on->context, on->notice, "x"));
  return NULL;
}

/* One thread after the other: each send has delivered when it returns, on its own thread. */
CASE(each_thread_in_its_turn_delivers, IN_ONE) {
  stream on = stream_open(MAINSTEM_THREADS_GUARDED);
  place seen = {0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, note_place, &seen, NULL, NULL));
  elsewhere(send_notice, &on);
  EXPECT_EQUAL(seen.calls, 1);
  EXPECT(!was_here(&seen));
  send_notice(&on);
  EXPECT_EQUAL(seen.calls, 2);
  EXPECT(was_here(&seen));
  elsewhere(send_notice, &on);
  EXPECT_EQUAL(stats_of(on.context).events, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct answering {
  stream on;
  keeper kept;
  mainstem_status second;
} answering;

static void *answer_kept(void *data) {
  answering *self = (answering *)data;
  const mainstem_event *request = keeper_event(&self->kept, 0);
  EXPECT_OK(mainstem_respond_progress(request, self->on.notice, "s", 1));
  EXPECT_OK(mainstem_respond(request, "!", 1));
  self->second = mainstem_respond(request, "?", 1);
  return NULL;
}

/* Catches: an answer that runs observers on the thread that gives it. */
CASE(an_answer_from_outside_waits_for_a_drain, IN_ONE) {
  for (int is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
    answering self = {.on = stream_open(MAINSTEM_THREADS_GUARDED)};
    place seen = {0}, steps = {0};
    asking asked;
    EXPECT_OK(mainstem_observe(self.on.context, self.on.answer, note_place, &seen, NULL, NULL));
    EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, note_place, &steps, NULL, NULL));
    keeper_serve(&self.kept, &self.on);
    asking_ask(&asked, &self.on);
    if (is_elsewhere) elsewhere(answer_kept, &self);
    else answer_kept(&self);
    EXPECT_EQUAL(self.second, MAINSTEM_STALE);
    EXPECT_EQUAL(mainstem_pending_cancel(asked.pending), MAINSTEM_STALE);
    EXPECT_EQUAL(seen.calls + steps.calls + asked.calls, 0);
    EXPECT_EQUAL(drained(self.on.context, 0), 2);
    EXPECT_EQUAL(steps.calls, 1);
    EXPECT_EQUAL(seen.calls, 1);
    EXPECT(was_here(&seen));
    EXPECT_TEXT(asked.text, "!");
    EXPECT_OK(mainstem_retained_release(self.kept.kept[0]));
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

static void answer_last(void *user_data, const mainstem_event *event) {
  answering *self = (answering *)user_data;
  EXPECT_OK(mainstem_respond(keeper_event(&self->kept, 0), "!", 1));
}

CASE(an_answer_in_a_callback_does_not_wait, IN_ONE) {
  answering self = {.on = stream_open(MAINSTEM_THREADS_GUARDED)};
  asking asked;
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, answer_last, &self, NULL, NULL));
  keeper_serve(&self.kept, &self.on);
  asking_ask(&asked, &self.on);
  EXPECT_OK(send_text(self.on.context, self.on.notice, "x"));
  EXPECT_EQUAL(asked.calls, 1);
  EXPECT_TEXT(asked.text, "!");
  EXPECT_OK(mainstem_retained_release(self.kept.kept[0]));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *give_up(void *data) {
  EXPECT_OK(mainstem_pending_cancel(((asking *)data)->pending));
  return NULL;
}

CASE(any_thread_gives_a_request_up, IN_ONE) {
  stream on = stream_open(MAINSTEM_THREADS_GUARDED);
  keeper kept = {0};
  asking asked;
  keeper_serve(&kept, &on);
  asking_ask(&asked, &on);
  elsewhere(give_up, &asked);
  EXPECT_EQUAL(asked.calls, 0);
  EXPECT_EQUAL(drained(on.context, 0), 1);
  EXPECT_EQUAL(asked.last.status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_retained_release(kept.kept[0]));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *cancel_it(void *data) {
  EXPECT_OK(mainstem_cancel((mainstem_subscription *)data));
  return NULL;
}

/* Catches: a release hook that runs beside the thread that uses the context. */
CASE(a_hook_of_what_any_thread_cancels_waits, IN_ONE) {
  stream on = stream_open(MAINSTEM_THREADS_GUARDED);
  transcript seen = {0};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_subscription *subscription = witness_observe(&a, on.context, on.notice);
  elsewhere(cancel_it, subscription);
  EXPECT_TEXT(seen.text, "");
  EXPECT_OK(send_text(on.context, on.notice, "x"));
  EXPECT_TEXT(seen.text, "~a");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct worker {
  stream on;
  keeper kept;
  sem_t done;
  mainstem_status sent, posted, answered;
} worker;

static void work(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  self->sent = mainstem_send(event->context, self->on.other, "x", 1);
  self->posted = mainstem_post(event->context, self->on.other, "x", 1);
  self->answered = mainstem_respond(keeper_event(&self->kept, 0), "!", 1);
  signal_give(&self->done);
}

/* Catches: a scheduler's thread that delivers beside the thread that uses the context. */
CASE(a_serial_callback_posts_and_answers_but_does_not_send, IN_ONE) {
  worker self = {.on = stream_open(MAINSTEM_THREADS_GUARDED)};
  scheduled on_serial = {0};
  place seen = {0};
  asking asked;
  signal_open(&self.done);
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "Serial", 0, &on_serial.scheduler));
  observe_on(self.on.context, self.on.notice, &on_serial, work, &self, NULL);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.other, note_place, &seen, NULL, NULL));
  keeper_serve(&self.kept, &self.on);
  asking_ask(&asked, &self.on);
  EXPECT_OK(send_text(self.on.context, self.on.notice, "x"));
  signal_take(&self.done);
  EXPECT_EQUAL(self.sent, MAINSTEM_WRONG_THREAD);
  EXPECT_OK(self.posted);
  EXPECT_OK(self.answered);
  EXPECT_EQUAL(asked.calls, 0);
  EXPECT_EQUAL(drained(self.on.context, 0), 2);
  EXPECT_EQUAL(seen.calls, 1);
  EXPECT(was_here(&seen));
  EXPECT_EQUAL(asked.calls, 1);
  EXPECT_OK(mainstem_retained_release(self.kept.kept[0]));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void send_other(void *user_data, const mainstem_event *event) {
  stream *on = (stream *)user_data;
  EXPECT_OK(mainstem_send(event->context, on->other, "x", 1));
}

CASE(a_callback_on_the_host_scheduler_sends, IN_ONE) {
  stream on = stream_open(MAINSTEM_THREADS_GUARDED);
  scheduled on_host = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  place seen = {0};
  observe_on(on.context, on.notice, &on_host, send_other, &on, NULL);
  EXPECT_OK(mainstem_observe(on.context, on.other, note_place, &seen, NULL, NULL));
  EXPECT_OK(send_text(on.context, on.notice, "x"));
  EXPECT_EQUAL(drained(on.context, 0), 1);
  EXPECT_EQUAL(seen.calls, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_number_that_is_no_choice_is_refused, IN_ONE) {
  mainstem_context *context = NULL;
  EXPECT_EQUAL(
      mainstem_context_create(OPTIONS(context, .threads = MAINSTEM_THREADS_GUARDED + 1), &context),
      MAINSTEM_INVALID);
  EXPECT(context == NULL);
}

int main(void) { return expect_all(); }

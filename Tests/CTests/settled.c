// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A server hears that nobody waits for its answer any more. */

#include "asking.h"
#include "elsewhere.h"
#include "scheduled.h"

#include <sched.h>

/* A server that works on what it is asked, and the transcript of it all: "!" is called, "~" is released. */
typedef struct worker {
  stream on;
  transcript seen;
  mainstem_context *server;
  mainstem_retained *kept;
  const char *name;
  mainstem_status sent;
  mainstem_event_type note;
  int answers;
} worker;

static void note_settled(void *user_data) {
  worker *self = (worker *)user_data;
  transcript_add(&self->seen, "!%s", self->name);
  self->sent = mainstem_send(self->on.context, self->note, self->name, 1);
  EXPECT_STATUS(mainstem_drain(self->on.context, 0, NULL), MAINSTEM_BUSY);
}

static void note_released(void *user_data) {
  worker *self = (worker *)user_data;
  transcript_add(&self->seen, "~%s", self->name);
}

static void begin_work(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  EXPECT_OK(mainstem_event_retain(event, &self->kept));
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, self, note_released));
}

static void note_answer(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  transcript_add(&self->seen, "answer%llu %s", (unsigned long long)event->position,
                 mainstem_status_name(event->status));
}

static void note_note(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  transcript_add(&self->seen, "note%llu<%llu", (unsigned long long)event->position,
                 (unsigned long long)event->cause);
}

static worker *worker_open(uint32_t threads, mainstem_event_fn begin) {
  static worker self;
  mainstem_handler_row rows[] = {{"RequestAsk", begin, MAINSTEM_HANDLER_SEVERAL}};
  memset(&self, 0, sizeof self);
  self.name = "a";
  self.on.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  self.on.ask = type_open(self.on.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self.on.answer = type_open(self.on.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.note = type_open(self.on.context, "Note", MAINSTEM_PAYLOAD_TEXT, NULL);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.answer, note_answer, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.on.context, self.note, note_note, &self, NULL, NULL));
  if (begin != NULL)
    EXPECT_OK(mainstem_server_add(self.on.context, "Worker", MAINSTEM_ROWS(rows), &self, NULL,
                                  &self.server));
  return &self;
}

static mainstem_pending *ask_through(worker *self, mainstem_context *scope, int64_t timeout_ms) {
  mainstem_pending *pending;
  EXPECT_OK(mainstem_request_with(scope, self->on.ask, "?", 1,
                                  OPTIONS(request, .timeout_ms = timeout_ms), note_answer, self,
                                  NULL, &pending));
  return pending;
}

static void close_worker(worker *self) { EXPECT_OK(mainstem_context_close(self->on.context)); }

/* It comes after the answer's observers and the requester's function; what it sends has the answer as its cause. */
CASE(a_cancelled_request_is_told, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  mainstem_pending *pending = ask_through(self, self->on.context, 0);
  EXPECT_TEXT(self->seen.text, "");
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a ~a note3<2");
  EXPECT_STATUS(self->sent, MAINSTEM_OK);
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a ~a note3<2");
}

CASE(a_timeout_is_told, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  ask_through(self, self->on.context, 5);
  EXPECT_OK(mainstem_context_advance(self->on.context, 4));
  EXPECT_TEXT(self->seen.text, "");
  EXPECT_OK(mainstem_context_advance(self->on.context, 1));
  EXPECT_TEXT(self->seen.text, "answer2 TIMEOUT answer2 TIMEOUT !a ~a note3<2");
  close_worker(self);
}

CASE(the_end_of_the_scope_that_asked_is_told, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  mainstem_context *scope = scope_open(self->on.context, "Asker");
  ask_through(self, scope, 0);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a ~a note3<2");
  close_worker(self);
}

static void answer_now(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, user_data, note_released));
  EXPECT_OK(mainstem_respond(event, "!", 1));
}

/* Catches: a server that is told of its own answer, inside the handler or later. */
CASE(the_answer_of_another_is_told_and_its_own_is_not, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  worker other = {.name = "b", .note = self->note, .on = self->on};
  mainstem_handler_row rows[] = {{"RequestAsk", answer_now, MAINSTEM_HANDLER_SEVERAL}};
  mainstem_context *server;
  EXPECT_OK(
      mainstem_server_add(self->on.context, "Other", MAINSTEM_ROWS(rows), &other, NULL, &server));
  ask_through(self, self->on.context, 0);
  EXPECT_TEXT(self->seen.text, "answer2 OK answer2 OK !a ~a note3<2");
  EXPECT_TEXT(other.seen.text, "~b");
  EXPECT_OK(mainstem_scope_end(server));
  transcript_clear(&self->seen);
  ask_through(self, self->on.context, 0);
  const mainstem_event *event = kept_event(self->kept);
  EXPECT_OK(mainstem_respond(event, "later", 5));
  EXPECT_TEXT(self->seen.text, "answer5 OK answer5 OK ~a");
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "answer5 OK answer5 OK ~a");
}

/* Law 5: a server that has ended is not called. */
CASE(a_server_that_ends_is_only_released, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  ask_through(self, self->on.context, 0);
  EXPECT_OK(mainstem_scope_end(self->server));
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED ~a");
  close_worker(self);
}

/* Law 12. */
CASE(the_close_is_told, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  ask_through(self, self->on.context, 0);
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a ~a");
  EXPECT_STATUS(self->sent, MAINSTEM_STALE);
}

CASE(a_request_that_was_only_sent_is_never_told, IN_BOTH) {
  worker *self = worker_open(threads, begin_work);
  EXPECT_OK(mainstem_send(self->on.context, self->on.ask, "?", 1));
  EXPECT_TEXT(self->seen.text, "~a");
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "~a");
}

static void ask_for_more(void *user_data, const mainstem_event *event) {
  keep_for_ever(NULL, event);
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, user_data, note_released));
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, user_data, NULL));
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, user_data, note_released));
}

CASE(several_are_called_in_order, IN_BOTH) {
  worker *self = worker_open(threads, ask_for_more);
  EXPECT_OK(mainstem_pending_cancel(ask_through(self, self->on.context, 0)));
  EXPECT_TEXT(self->seen.text,
              "answer2 CANCELLED answer2 CANCELLED !a ~a !a !a ~a note3<2 note4<2 note5<2");
  close_worker(self);
}

static mainstem_subscription *observe_requests(worker *self, mainstem_context *context,
                                               mainstem_event_fn begin) {
  const scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST};
  return observe_on(context, self->on.ask, &how, begin, self, NULL);
}

/* On a scheduler it waits for its turn there. */
CASE(on_a_scheduler_it_comes_there, IN_BOTH) {
  worker *self = worker_open(threads, NULL);
  keeper kept = {.count = 0};
  keeper_serve(&kept, &self->on);
  observe_requests(self, self->on.context, begin_work);
  mainstem_pending *pending = ask_through(self, self->on.context, 0);
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED");
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a note3<2 ~a");
  close_worker(self);
}

/* Where all is over already, at once: inside the call. */
CASE(too_late_is_at_once, IN_BOTH) {
  worker *self = worker_open(threads, NULL);
  keeper kept = {.count = 0};
  keeper_serve(&kept, &self->on);
  observe_requests(self, self->on.context, begin_work);
  EXPECT_OK(mainstem_pending_cancel(ask_through(self, self->on.context, 0)));
  transcript_clear(&self->seen);
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  EXPECT_TEXT(self->seen.text, "!a note3<1 ~a");
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "!a note3<1 ~a");
}

/* Laws 5 and 12, while it waits on a scheduler. */
CASE(what_waits_on_a_scheduler_ends_with_its_scope, IN_BOTH) {
  worker *self = worker_open(threads, NULL);
  keeper kept = {.count = 0};
  keeper_serve(&kept, &self->on);
  mainstem_context *scope = scope_open(self->on.context, "Watcher");
  observe_requests(self, scope, begin_work);
  mainstem_pending *pending = ask_through(self, self->on.context, 0);
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_OK(mainstem_scope_end(scope));
  transcript_clear(&self->seen);
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  EXPECT_TEXT(self->seen.text, "~a");
  close_worker(self);
}

CASE(what_waits_on_a_scheduler_runs_at_close, IN_BOTH) {
  worker *self = worker_open(threads, NULL);
  keeper kept = {.count = 0};
  keeper_serve(&kept, &self->on);
  observe_requests(self, self->on.context, begin_work);
  ask_through(self, self->on.context, 0);
  EXPECT_EQUAL(drained(self->on.context, 0), 1);
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED !a ~a");
}

static void *call_beside(void *data) {
  EXPECT_STATUS(
      mainstem_event_on_settled((const mainstem_event *)data, note_settled, NULL, note_released),
      MAINSTEM_WRONG_THREAD);
  return NULL;
}

static void *call_beside_in_any(void *data) {
  EXPECT_STATUS(
      mainstem_event_on_settled((const mainstem_event *)data, note_settled, NULL, note_released),
      MAINSTEM_INVALID);
  return NULL;
}

static void call_from_elsewhere(void *user_data, const mainstem_event *event) {
  worker *self = (worker *)user_data;
  elsewhere(self->answers ? call_beside_in_any : call_beside, (void *)event);
  EXPECT_STATUS(mainstem_event_on_settled(event, NULL, self, note_released), MAINSTEM_INVALID);
}

static void not_a_request(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(mainstem_event_on_settled(event, note_settled, user_data, note_released),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_event_on_settled: event: is not a request: nobody waits for an answer");
}

/* Catches: a refused call whose function or hook is called all the same. */
CASE(what_is_wrong_is_refused, IN_BOTH) {
  worker *self = worker_open(threads, call_from_elsewhere);
  keeper kept = {.count = 0};
  self->answers = threads == MAINSTEM_THREADS_ANY;
  keeper_serve(&kept, &self->on);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.answer, not_a_request, self, NULL, NULL));
  mainstem_pending *pending = ask_through(self, self->on.context, 0);
  const mainstem_event *event = keeper_event(&kept, 0);
  EXPECT_STATUS(mainstem_event_on_settled(event, note_settled, self, note_released),
                MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_event_on_settled: event: is not the event of a callback on this thread: "
              "call it inside the callback that got the event");
  EXPECT_OK(mainstem_pending_cancel(pending));
  close_worker(self);
  EXPECT_TEXT(self->seen.text, "answer2 CANCELLED answer2 CANCELLED");
}

/* A handler that works until nobody waits any more. */
static void work_until_settled(void *user_data, const mainstem_event *event) {
  bool settled = true;
  EXPECT_OK(mainstem_event_is_settled(event, &settled));
  EXPECT(!settled);
  __atomic_store_n((int *)user_data, 1, __ATOMIC_RELEASE);
  while (!settled) EXPECT_OK(mainstem_event_is_settled(event, &settled));
  EXPECT_STATUS(mainstem_respond(event, "late", 4), MAINSTEM_STALE);
  __atomic_store_n((int *)user_data, 2, __ATOMIC_RELEASE);
}

static void await_work(const int *state, int wanted) {
  while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != wanted) sched_yield();
}

/* Catches: a handler that blocks its thread for work that nobody wants any more, and cannot find that out. */
CASE(a_blocking_handler_hears_of_a_cancel, IN_BOTH) {
  const mainstem_handler_row row = {"RequestAsk", work_until_settled, 0};
  stream on = stream_open(threads);
  mainstem_server_options options = {.size = sizeof options};
  mainstem_pending *pending;
  int state = 0;
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &options.scheduler));
  EXPECT_OK(mainstem_server_add_with(on.context, "Worker", &row, sizeof row, 1, &options, &state,
                                     NULL, NULL));
  for (int turn = 0; turn < 3; turn++) {
    state = 0;
    EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, &pending));
    await_work(&state, 1);
    EXPECT_OK(mainstem_pending_cancel(pending));
    await_work(&state, 2);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

static void look_whether_settled(void *user_data, const mainstem_event *event) {
  bool settled = true;
  EXPECT_OK(mainstem_event_is_settled(event, &settled));
  EXPECT(!settled);
  EXPECT_OK(mainstem_respond(event, "", 0));
  EXPECT_OK(mainstem_event_is_settled(event, &settled));
  EXPECT_EQUAL(settled, (event->flags & MAINSTEM_EVENT_TRACKED) != 0);
  ++*(int *)user_data;
}

static void refuse_what_is_no_request(void *user_data, const mainstem_event *event) {
  bool settled = false;
  EXPECT_STATUS(mainstem_event_is_settled(event, &settled), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_event_is_settled(event, NULL), MAINSTEM_INVALID);
}

/* Catches: a request that counts as settled too early, or never. */
CASE(it_is_settled_when_it_is_answered, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  serve_one(on.context, "S", "RequestAsk", look_whether_settled, &calls);
  EXPECT_OK(mainstem_observe(on.context, on.notice, refuse_what_is_no_request, NULL, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.ask, "?", 1));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(calls, 2);
  EXPECT_STATUS(mainstem_event_is_settled(NULL, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Requests that handlers got, and that nobody can answer any longer: the library answers INCOMPLETE as soon as the last
 * one that could lets go of it, and reports that.
 */

#include "asking.h"
#include "elsewhere.h"
#include "journal.h"
#include "scheduled.h"

/* A handler that does what it is asked, letter by letter. */
typedef struct program {
  stream on;
  mainstem_event_type failure;
  mainstem_context *server;
  keeper kept;
  asking asked;
  int failures, replays, others;
  char failed[800], told[400];
} program;

static void release(program *self) {
  while (self->kept.count > 0)
    EXPECT_OK(mainstem_retained_release(self->kept.kept[--self->kept.count]));
}

static void *release_elsewhere(void *data) {
  release((program *)data);
  return NULL;
}

static void do_as_asked(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  const char *letters = (const char *)event->data;
  mainstem_status answered;
  for (uint32_t index = 0; index < event->size; index++) {
    switch (letters[index]) {
    case 'a':
      answered = mainstem_respond(event, "here", 4);
      EXPECT(answered == MAINSTEM_OK || self->others);
      break;
    case 'k':
      if (!self->replays) keeper_keep(&self->kept, event);
      break;
    case 'r':
      release(self);
      break;
    case 't':
      if (!self->replays) elsewhere(release_elsewhere, self);
      break;
    case 'f':
      EXPECT_OK(mainstem_fail(event, 1007, "broken"));
      break;
    case 'n':
      EXPECT_OK(mainstem_send(event->context, self->on.other, "n", 1));
      break;
    case 'e':
      answered = mainstem_scope_end(self->server);
      EXPECT(answered == MAINSTEM_OK || self->others);
      break;
    default:
      break;
    }
  }
}

static void note_failed(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->failures++;
  EXPECT(event->size < sizeof self->failed);
  memcpy(self->failed, event->data, event->size);
  self->failed[event->size] = 0;
  EXPECT(event->flags & MAINSTEM_EVENT_OUTSIDE || strstr(self->failed, "broken") != NULL);
}

/* What an immediate callback finds out. */
static void look(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  char text[40];
  uint64_t open = 9;
  int is_settled = 9;
  bool settled = false;
  EXPECT_OK(mainstem_request_count(self->on.context, self->on.ask, &open));
  if (self->kept.count > 0 &&
      mainstem_event_is_settled(keeper_event(&self->kept, 0), &settled) == MAINSTEM_OK)
    is_settled = settled;
  snprintf(text, sizeof text, "%d%d ", (int)open, is_settled);
  strncat(self->told, text, sizeof self->told - strlen(self->told) - 1);
}

static mainstem_context *serve(program *self, const char *name, mainstem_scheduler scheduler,
                               mainstem_release_fn ended) {
  const mainstem_handler_row rows[] = {{"RequestAsk", do_as_asked, MAINSTEM_HANDLER_SEVERAL}};
  mainstem_context *server = NULL;
  EXPECT_OK(mainstem_server_add_with(self->on.context, name, MAINSTEM_ROWS(rows),
                                     OPTIONS(server, .scheduler = scheduler), self, ended,
                                     &server));
  return server;
}

static void program_open(program *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->failure = type_named(self->on.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(self->on.context, self->failure, note_failed, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, look, self, NULL, NULL));
}

static void program_serve(program *self, uint32_t threads, mainstem_scheduler scheduler) {
  program_open(self, threads);
  self->server = serve(self, "Server", scheduler, NULL);
}

static void ask(program *self, const char *letters) {
  memset(&self->asked, 0, sizeof self->asked);
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, letters, strlen(letters),
                             asking_answered, &self->asked, NULL));
}

static void drain(program *self) { EXPECT_OK(mainstem_drain(self->on.context, 0, NULL)); }

static void expect_incomplete(program *self, const char *message) {
  EXPECT_EQUAL(self->asked.calls, 1);
  EXPECT_STATUS(self->asked.last.status, MAINSTEM_INCOMPLETE);
  EXPECT_TEXT(self->asked.text, message);
  EXPECT(self->asked.last.flags & MAINSTEM_EVENT_OUTSIDE);
  EXPECT_EQUAL(stats_of(self->on.context).requests, 0);
}

static void program_close(program *self) { EXPECT_OK(mainstem_context_close(self->on.context)); }

#define RETURNED                                                                                   \
  "the handler of RequestAsk in Server returned without an answer: answer it, or retain it to "    \
  "answer later"
#define RELEASED                                                                                   \
  "the handler of RequestAsk in Server released the request without an answer: answer it first"

/* Catches: a request that stays open until close, or that is answered without a report. */
CASE(a_handler_that_forgets_is_told, IN_BOTH) {
  program self;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  ask(&self, "");
  if (threads == MAINSTEM_THREADS_GUARDED) drain(&self);
  EXPECT_EQUAL(self.asked.calls, 1);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
  EXPECT(strncmp(self.asked.text, RETURNED, strlen(self.asked.text)) == 0);
  EXPECT_EQUAL(self.asked.last.cause, self.asked.last.answers);
  EXPECT_TEXT(self.failed,
              "{\"type\":\"RequestAsk\",\"origin\":\"Server\",\"code\":18,\"sentence\":\"the "
              "handler returned without an answer: answer the request, or retain it to answer "
              "later\",\"count\":1}");
  for (int i = 0; i < 7; i++) ask(&self, "n");
  EXPECT_EQUAL(self.failures, 4); /* The 1st, 2nd, 4th and 8th. */
  ask(&self, "a");
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_OK);
  EXPECT_EQUAL(self.failures, 4);
  program_close(&self);
}

static void add_later(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  (void)event;
  if (self->others++ == 0) serve(self, "Later", MAINSTEM_SCHEDULER_IMMEDIATE, NULL);
}

/* Catches: a report that names a server which joined after the request. */
CASE(who_joins_later_is_not_named, IN_BOTH) {
  program self;
  program_open(&self, threads);
  const mainstem_handler_row rows[] = {
      {"RequestAsk", add_later, MAINSTEM_HANDLER_OWN | MAINSTEM_HANDLER_SEVERAL}};
  EXPECT_OK(
      mainstem_server_add(self.on.context, "Own", MAINSTEM_ROWS(rows), &self, NULL, &self.server));
  EXPECT_OK(mainstem_request(self.server, self.on.ask, "", 0, asking_answered, &self.asked, NULL));
  if (threads == MAINSTEM_THREADS_GUARDED) drain(&self);
  EXPECT_EQUAL(self.others, 1);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
  EXPECT(strstr(self.asked.text, " in Own returned") != NULL);
  EXPECT(strstr(self.failed, "\"origin\":\"Own\"") != NULL);
  program_close(&self);
}

/* Catches: an answer while somebody keeps the request; a copy of a copy that is not counted. */
CASE(who_keeps_it_can_answer, IN_BOTH) {
  program self;
  mainstem_retained *copy;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  ask(&self, "k");
  EXPECT_OK(mainstem_event_retain(keeper_event(&self.kept, 0), &copy));
  drain(&self);
  release(&self);
  drain(&self);
  EXPECT_EQUAL(self.asked.calls, 0);
  EXPECT_EQUAL(stats_of(self.on.context).requests, 1);
  const mainstem_event *event = kept_event(copy);
  EXPECT_OK(mainstem_respond(event, "yes", 3));
  EXPECT_OK(mainstem_retained_release(copy));
  drain(&self);
  EXPECT_EQUAL(self.asked.calls, 1);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_OK);
  EXPECT_EQUAL(self.failures, 0);
  program_close(&self);
}

/* Catches: a last copy that is not counted; a release that calls callbacks. */
CASE(the_last_release_answers_at_the_next_drain, IN_BOTH) {
  program self;
  for (int by_thread = 0; by_thread < 2; by_thread++) {
    program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
    ask(&self, "kk");
    EXPECT_OK(mainstem_retained_release(self.kept.kept[--self.kept.count]));
    drain(&self);
    EXPECT_EQUAL(self.asked.calls, 0);
    if (by_thread) elsewhere(release_elsewhere, &self);
    else release(&self);
    EXPECT_EQUAL(self.asked.calls + self.failures, 0);
    drain(&self);
    expect_incomplete(&self, RELEASED);
    EXPECT_EQUAL(self.failures, 1);
    EXPECT(strstr(self.failed, "the request was released without an answer") != NULL);
    program_close(&self);
  }
}

/* Catches: a request that is answered inside its own callback, or twice. */
CASE(what_is_kept_and_released_inside_is_forgotten, IN_BOTH) {
  static const char *const ways[] = {"kr", "kt", "kkrkr", "krkt"};
  for (size_t index = 0; index < COUNT(ways); index++) {
    program self;
    program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
    ask(&self, ways[index]);
    EXPECT_EQUAL(self.asked.calls, 1);
    EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
    EXPECT_EQUAL(self.failures, 1);
    ask(&self, "kra");
    EXPECT_STATUS(self.asked.last.status, MAINSTEM_OK);
    drain(&self);
    EXPECT_EQUAL(self.failures, 1);
    program_close(&self);
  }
}

/* Catches: two reports of one mistake. */
CASE(one_that_failed_is_not_reported_again, IN_BOTH) {
  program self;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  ask(&self, "f");
  expect_incomplete(&self, "the handler of RequestAsk in Server failed without an answer");
  EXPECT_EQUAL(self.failures, 1);
  EXPECT(strstr(self.failed, "broken") != NULL);
  ask(&self, "fa");
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_OK);
  program_close(&self);
}

/* Catches: a handler on a scheduler that is not waited for, or waited for in vain. */
CASE(a_handler_on_a_scheduler_has_its_turn, IN_BOTH) {
  program self;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_HOST);
  ask(&self, "");
  EXPECT_EQUAL(self.asked.calls, 0);
  while (stats_of(self.on.context).requests > 0) drain(&self);
  drain(&self);
  expect_incomplete(&self, RETURNED);
  EXPECT_EQUAL(self.failures, 1);
  ask(&self, "a");
  drain(&self);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_OK);
  ask(&self, "k");
  drain(&self);
  EXPECT_EQUAL(self.asked.calls, 0);
  release(&self);
  while (stats_of(self.on.context).requests > 0) drain(&self);
  drain(&self);
  expect_incomplete(&self, RELEASED);
  EXPECT_EQUAL(self.failures, 2);
  program_close(&self);
}

/* Catches: the same on a thread. */
CASE(also_on_a_thread, IN_BOTH) {
  program self;
  mainstem_scheduler serial;
  program_open(&self, threads);
  EXPECT_OK(mainstem_scheduler_add(self.on.context, "serial", 0, &serial));
  self.server = serve(&self, "Server", serial, NULL);
  ask(&self, "");
  while (stats_of(self.on.context).requests > 0) {
    mainstem_status status = mainstem_wait(self.on.context, 1);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_TIMEOUT);
  }
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_EQUAL(self.asked.calls, 1);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
}

/* Several servers handle a type: one that forgets leaves it to the others. */
CASE(all_that_got_it_have_their_turn, IN_BOTH) {
  program self;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  mainstem_context *other = serve(&self, "Other", MAINSTEM_SCHEDULER_HOST, NULL);
  ask(&self, "");
  EXPECT_EQUAL(self.asked.calls, 0);
  while (stats_of(self.on.context).requests > 0) drain(&self);
  drain(&self);
  EXPECT_EQUAL(self.failures, 1);
  EXPECT(strstr(self.failed, "\"origin\":\"Other\"") != NULL);
  ask(&self, "");
  EXPECT_OK(mainstem_scope_end(other)); /* What waits for it is dropped. */
  while (stats_of(self.on.context).requests > 0) drain(&self);
  EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
  program_close(&self);
}

static void release_at_the_end(void *user_data) { release((program *)user_data); }

/* Catches: INCOMPLETE where the server has ended. */
CASE(what_an_ended_server_kept_is_cancelled, IN_BOTH) {
  static const mainstem_scheduler schedulers[] = {MAINSTEM_SCHEDULER_IMMEDIATE,
                                                  MAINSTEM_SCHEDULER_HOST};
  for (size_t index = 0; index < COUNT(schedulers); index++) {
    program self;
    program_open(&self, threads);
    self.server = serve(&self, "Server", schedulers[index], release_at_the_end);
    ask(&self, "k");
    EXPECT_OK(mainstem_scope_end(self.server));
    drain(&self);
    EXPECT_STATUS(self.asked.last.status, MAINSTEM_CANCELLED);
    self.server = serve(&self, "Server", schedulers[index], release_at_the_end);
    ask(&self, "ke");
    drain(&self);
    drain(&self);
    EXPECT_STATUS(self.asked.last.status, MAINSTEM_CANCELLED);
    EXPECT_EQUAL(self.failures, 0);
    program_close(&self);
  }
}

/* Catches: a message that is cut, or runs over its room. */
CASE(long_names_are_left_out, IN_BOTH) {
  static const char *const messages[] = {"the handler of Request%s in Server returned",
                                         "the handler of Request%s returned",
                                         "the handler returned"};
  static const int lengths[] = {9, 26, 248};
  for (size_t index = 0; index < COUNT(lengths); index++) {
    program self;
    char name[256] = "Request", rest[256] = {0}, wanted[400];
    mainstem_context *server = NULL;
    memset(rest, 'x', (size_t)lengths[index]);
    strcat(name, rest);
    program_open(&self, threads);
    mainstem_event_type type =
        type_open(self.on.context, name, MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
    const mainstem_handler_row row = {name, do_as_asked, 0};
    EXPECT_OK(
        mainstem_server_add(self.on.context, "Server", &row, sizeof row, 1, &self, NULL, &server));
    EXPECT_OK(mainstem_request(self.on.context, type, "", 0, asking_answered, &self.asked, NULL));
    snprintf(wanted, sizeof wanted, messages[index], rest);
    EXPECT_STATUS(self.asked.last.status, MAINSTEM_INCOMPLETE);
    EXPECT(strncmp(self.asked.text, wanted,
                   strlen(wanted) < sizeof self.asked.text - 1 ? strlen(wanted)
                                                               : sizeof self.asked.text - 1) == 0);
    EXPECT(self.asked.last.size <= 128);
    program_close(&self);
  }
}

/* Catches: what is shared, or asked through services, and forgotten. */
CASE(who_shares_it_hears_it, IN_BOTH) {
  program self;
  asking asked[2] = {{0}};
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_request_with(self.on.context, self.on.ask, "k", 1,
                                    OPTIONS(request, .share = 1), asking_answered, &asked[i], NULL,
                                    NULL));
  drain(&self);
  EXPECT_EQUAL(asked[0].calls, 0);
  EXPECT_EQUAL(self.kept.count, 1);
  release(&self);
  drain(&self);
  for (int i = 0; i < 2; i++) EXPECT_STATUS(asked[i].last.status, MAINSTEM_INCOMPLETE);
  EXPECT_EQUAL(self.failures, 1);
  program_close(&self);
}

static mainstem_replay *verify(program *self, const char *path) {
  self->replays = 1;
  mainstem_replay *replay = replay_open(self->on.context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  return replay;
}

/* Catches: an answer or a report that a verification makes itself, or has at another place. */
CASE(a_verification_has_the_same, IN_BOTH) {
  static const char *const ways[] = {"",      "n",  "kr", "krn", "nkrnkrn", "kt", "ktn",
                                     "nktnn", "f",  "nf", "k",   "kn",      "ka", "kra",
                                     "e",     "ke", "an", "na",  "krnfn"};
  const char *path = journal_path("unanswered");
  for (size_t index = 0; index < 2 * COUNT(ways); index++) {
    program self, again;
    program_open(&self, threads);
    EXPECT_OK(mainstem_activity_report(self.on.context, self.on.ask));
    self.server = serve(&self, "Server", MAINSTEM_SCHEDULER_IMMEDIATE, NULL);
    self.others = (int)index % 2;
    if (index % 2) serve(&self, "Other", MAINSTEM_SCHEDULER_HOST, NULL);
    EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
    ask(&self, ways[index / 2]);
    EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
    release(&self);
    EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
    drain(&self);
    EXPECT_OK(mainstem_send(self.on.context, self.on.other, "", 0));
    ask(&self, "n");
    drain(&self);
    drain(&self);
    const uint64_t events = stats_of(self.on.context).events;
    program_close(&self);

    program_open(&again, threads);
    EXPECT_OK(mainstem_activity_report(again.on.context, again.on.ask));
    again.replays = 1;
    again.others = self.others;
    again.server = serve(&again, "Server", MAINSTEM_SCHEDULER_IMMEDIATE, NULL);
    if (index % 2) serve(&again, "Other", MAINSTEM_SCHEDULER_HOST, NULL);
    mainstem_replay *replay = verify(&again, path);
    EXPECT(stats_of(again.on.context).events >= events);
    EXPECT_EQUAL(again.failures, self.failures);
    EXPECT_OK(mainstem_replay_close(replay));
    program_close(&again);
    journal_sweep();
  }
}

enum { MANY = COUNT(((keeper *)NULL)->kept) };

static void ask_alone(program *self, const char *letters) {
  EXPECT_OK(
      mainstem_request(self->on.context, self->on.ask, letters, strlen(letters), NULL, NULL, NULL));
}

/* Catches: one of many answers that wait when a callback ends the server, and of which no replay knows. */
CASE(many_that_wait_are_all_recorded, IN_BOTH) {
  const char *path = journal_path("many");
  program self, again;
  program_serve(&self, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
  for (int i = 1; i < MANY; i++) ask_alone(&self, "k");
  ask_alone(&self, "kte");
  EXPECT_EQUAL(self.kept.count, 0);
  drain(&self);
  drain(&self);
  program_close(&self);

  program_serve(&again, threads, MAINSTEM_SCHEDULER_IMMEDIATE);
  EXPECT_OK(mainstem_replay_close(verify(&again, path)));
  program_close(&again);
  journal_sweep();
}

int main(void) { return expect_all(); }

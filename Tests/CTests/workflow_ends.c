// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How workflows end: cancelled, with their scope, with their context, in a replay; and what is refused. */

#include "workflows.h"

static const mainstem_workflow_row journey[] = {
    {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
    {"RequestHotel", NULL, "RequestNoHotel", NULL, 100, 10, 1, MAINSTEM_WORKFLOW_PARALLEL},
    {"RequestCar", NULL, "RequestNoCar", NULL, 0, 0, 0, 0}};

static void pass_who(void *user_data, const mainstem_workflow_run *run) {
  EXPECT_OK(mainstem_workflow_pass(run, run->request->data, run->request->size));
}

static void pass_nothing(void *user_data, const mainstem_workflow_run *run) {}

static void journey_open(travel *self, uint32_t threads) {
  travel_open(self, threads);
  EXPECT_OK(travel_add(self, journey, COUNT(journey), NULL));
}

CASE(a_cancelled_request_is_undone, IN_BOTH) {
  travel self;
  traveler of;
  bool settled = false;
  journey_open(&self, threads);
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  EXPECT(of.answers == 1 && of.status == MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_event_is_settled(asked_for(&self, 1), &settled));
  EXPECT(settled);
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) NoFlight(Ada)");
  EXPECT_STATUS(mainstem_respond(asked_for(&self, 1), "Ritz", 4), MAINSTEM_STALE);
  done(&self, 2, "");
  EXPECT_EQUAL(of.answers, 1);
  travel_close(&self);
}

CASE(a_request_may_time_out_from_outside, IN_BOTH) {
  travel self;
  traveler of = {0};
  journey_open(&self, threads);
  EXPECT_OK(mainstem_request_with(self.context, self.book, "Ada", 3,
                                  OPTIONS(request, .timeout_ms = 30), get_journey, &of, NULL,
                                  NULL));
  done(&self, 0, "LX 7");
  done(&self, 1, "Ritz");
  EXPECT_OK(mainstem_context_advance(self.context, 30));
  EXPECT_STATUS(of.status, MAINSTEM_TIMEOUT);
  done(&self, 3, "");
  done(&self, 4, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Car(Ada) NoHotel(Ada) NoFlight(Ada)");
  travel_close(&self);
}

CASE(a_wait_before_a_retry_is_cancelled_at_once, IN_BOTH) {
  travel self;
  traveler of;
  journey_open(&self, threads);
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  fails(&self, 1);
  EXPECT_EQUAL(stats_of(self.context).timers, 1);
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  EXPECT_EQUAL(stats_of(self.context).timers, 0);
  done(&self, 2, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) NoFlight(Ada)");
  travel_close(&self);
}

CASE(undoing_goes_on_when_nobody_waits, IN_BOTH) {
  travel self;
  traveler of;
  journey_open(&self, threads);
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  done(&self, 1, "Ritz");
  fails(&self, 2);
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  fails(&self, 3); /* An undo may be tried again, too. */
  EXPECT_OK(mainstem_context_advance(self.context, 10));
  done(&self, 4, "");
  done(&self, 5, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Car(Ada) NoHotel(Ada) NoHotel(Ada) NoFlight(Ada)");
  EXPECT_EQUAL(of.answers, 1);
  travel_close(&self);
}

/* Nobody gets an answer, so only the report tells it; the undo is refused inside the cancellation. */
CASE(an_undo_that_fails_without_an_answer_is_told, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, "RequestNoFlight", pass_nothing, 0, 0, 0, 0},
      {"RequestHotel", NULL, NULL, NULL, 0, 10, 1, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  fails(&self, 1);
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  EXPECT_TEXT(self.reports,
              "{\"type\":\"ResponseBook\",\"origin\":\"Booking\",\"code\":18,\"sentence\":\"not "
              "undone: RequestNoFlight\",\"count\":1}");
  travel_close(&self);
}

/* Ends the workflow or the context in the middle: with steps open, a wait, and an undo. */
static void end_in_the_middle(uint32_t threads, bool closes) {
  travel self;
  traveler open, waiting, undoing;
  journey_open(&self, threads);
  book(&self, &open, "a");
  book(&self, &waiting, "b");
  book(&self, &undoing, "c");
  done(&self, 0, "");
  done(&self, 2, "");
  fails(&self, 3);
  done(&self, 4, "");
  done(&self, 5, "");
  fails(&self, 6);
  EXPECT_TEXT(self.log,
              "Flight(a) Hotel(a) Flight(b) Hotel(b) Flight(c) Hotel(c) Car(c) NoHotel(c)");
  if (!closes) {
    EXPECT_OK(mainstem_scope_end(self.workflow));
    EXPECT_EQUAL(self.released, 1);
    EXPECT_STATUS(mainstem_respond(asked_for(&self, 1), "", 0), MAINSTEM_STALE);
    EXPECT_EQUAL(stats_of(self.context).timers, 0);
  } else {
    travel_release_kept(&self);
    EXPECT_OK(mainstem_context_close(self.context));
    EXPECT_EQUAL(self.released, 1);
  }
  EXPECT(open.answers == 1 && open.status == MAINSTEM_CANCELLED);
  EXPECT(waiting.answers == 1 && waiting.status == MAINSTEM_CANCELLED);
  EXPECT(undoing.answers == 1 && undoing.status == MAINSTEM_CANCELLED);
  EXPECT_TEXT(self.log,
              "Flight(a) Hotel(a) Flight(b) Hotel(b) Flight(c) Hotel(c) Car(c) NoHotel(c)");
  EXPECT(strstr(self.reports, "Booking") == NULL);
  if (!closes) travel_close(&self);
}

CASE(its_end_cancels_what_is_open, IN_BOTH) { end_in_the_middle(threads, false); }
CASE(a_close_cancels_what_is_open, IN_BOTH) { end_in_the_middle(threads, true); }

static void end_it(void *user_data, const mainstem_workflow_run *run) {
  travel *self = (travel *)user_data;
  EXPECT_OK(mainstem_scope_end(self->workflow));
  EXPECT_OK(mainstem_workflow_pass(run, "ended", 5));
  EXPECT_EQUAL(self->released, 0); /* It is still being called. */
}

/* A function that ends the workflow that calls it: as a first step, beside another, as an undo, as the answer. */
static void expect_ended(uint32_t threads, size_t row, bool undoes, bool answers) {
  mainstem_workflow_row rows[] = {{"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
                                  {"RequestHotel", NULL, NULL, NULL, 0, 0, 0, 1},
                                  {"RequestCar", NULL, NULL, NULL, 0, 0, 0, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  if (undoes) rows[row].undo_fn = end_it;
  if (!undoes && !answers) rows[row].fn = end_it;
  EXPECT_OK(travel_add(&self, rows, 3, OPTIONS(workflow, .finish = answers ? end_it : NULL)));
  book(&self, &of, "Ada");
  for (size_t i = 0; i < 3 && self.asked > i && of.answers == 0; i++) {
    if (undoes && i == 2) fails(&self, i);
    else done(&self, i, "");
  }
  EXPECT(of.answers == 1 && of.status == MAINSTEM_CANCELLED);
  EXPECT_EQUAL(self.released, 1);
  EXPECT(strstr(self.log, "ended") == NULL);
  travel_close(&self);
}

CASE(a_function_may_end_it, IN_BOTH) {
  for (size_t row = 0; row < 3; row++) expect_ended(threads, row, false, false);
  expect_ended(threads, 0, true, false);
  expect_ended(threads, 0, false, true);
}

static void copy_file(const char *from, const char *to) {
  static char bytes[1 << 21];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  EXPECT(in != NULL && out != NULL);
  size_t count = fread(bytes, 1, sizeof bytes, in);
  EXPECT(count > 0 && count < sizeof bytes && fwrite(bytes, 1, count, out) == count);
  fclose(in);
  fclose(out);
}

/* A session with everything in it, and its end in the middle. */
static void play(travel *self) {
  static traveler of[4]; /* The last ones are answered at the close. */
  book(self, &of[0], "a");
  done(self, 0, "");
  fails(self, 1);
  EXPECT_OK(mainstem_context_advance(self->context, 10));
  EXPECT_OK(mainstem_context_advance(self->context, 100));
  EXPECT_EQUAL(of[0].answers, 0);
  done(self, 3, "");
  EXPECT_STATUS(of[0].status, MAINSTEM_TIMEOUT);
  book(self, &of[1], "b");
  done(self, 4, "");
  EXPECT_OK(mainstem_pending_cancel(of[1].pending));
  fails(self, 6);
  book(self, &of[2], "c");
  fails(self, 8);
  book(self, &of[3], "d");
  done(self, 9, "");
}

static const char *const played =
    "Flight(a) Hotel(a) Hotel(a) NoFlight(a) Flight(b) Hotel(b) NoFlight(b) Flight(c) Hotel(c) "
    "Flight(d) Hotel(d)";

CASE(a_replay_does_the_same, IN_BOTH) {
  travel self, again;
  const char *path = journal_path("journey");
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  travel_install(&self);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  play(&self);
  EXPECT_TEXT(self.log, played);
  EXPECT(strstr(self.reports, "not undone: RequestNoFlight") != NULL);
  travel_release_kept(&self);
  EXPECT_OK(mainstem_context_close(self.context));
  memset(&again, 0, sizeof again);
  again.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
  travel_install(&again);
  EXPECT_OK(travel_add(&again, journey, COUNT(journey), NULL));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT(info.flags & MAINSTEM_REPLAY_ENDED);
  EXPECT_EQUAL(info.matched, 14);
  EXPECT_TEXT(again.log, played);
  EXPECT_TEXT(again.reports, self.reports);
  EXPECT_OK(mainstem_replay_close(replay));
  travel_release_kept(&again);
  EXPECT_OK(mainstem_context_close(again.context));
  EXPECT_EQUAL(again.released, 1);
}

/* A process that ended in the middle: a replay finds its runs as they were, and its end undoes what was done. */
CASE(what_a_crash_left_is_undone_behind_a_replay, IN_BOTH) {
  travel self, again;
  traveler of;
  const char *path = journal_path("crash"), *rest = journal_path("rest");
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  travel_install(&self);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  copy_file(path, rest);
  travel_release_kept(&self);
  EXPECT_OK(mainstem_context_close(self.context));
  memset(&again, 0, sizeof again);
  again.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  mainstem_replay *replay = replay_open(again.context, rest, MAINSTEM_REPLAY_VERIFY);
  travel_install(&again);
  EXPECT_OK(travel_add(&again, journey, COUNT(journey), NULL));
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_TEXT(again.log, "Flight(Ada) Hotel(Ada)");
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_drain(again.context, 0, NULL));
  EXPECT_TEXT(again.log, "Flight(Ada) Hotel(Ada) NoFlight(Ada)");
  done(&again, 2, "");
  travel_close(&again);
}

static void expect_refused(travel *self, const mainstem_workflow_row *row, const char *message) {
  const mainstem_workflow_row rows[] = {{"RequestCar", NULL, NULL, NULL, 0, 0, 0, 0}, *row};
  mainstem_context *workflow = self->context;
  EXPECT_STATUS(mainstem_workflow_add(self->context, "Booking", "RequestBook", MAINSTEM_ROWS(rows),
                                      NULL, NULL, NULL, &workflow),
                row->flags > 1 ? MAINSTEM_UNSUPPORTED : MAINSTEM_INVALID);
  EXPECT(workflow == NULL);
  EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(mistakes_in_rows_are_refused, IN_ONE) {
  travel self;
  travel_open(&self, threads);
#define REFUSED(message, ...)                                                                      \
  expect_refused(&self, &(mainstem_workflow_row){__VA_ARGS__}, "mainstem_workflow_add: " message)
  REFUSED("rows.request: row 1 must not be NULL", .request = NULL);
  REFUSED("rows.request: row 1: RequestHotl (did you mean RequestHotel?) is not a registered event "
          "type",
          .request = "RequestHotl");
  REFUSED("rows.request: row 1: Told is not a request", .request = "Told");
  REFUSED("rows.request: row 1 is the request that the workflow handles", .request = "RequestBook");
  REFUSED("rows.fn: row 1 is not set, and the payload passed on would not fit",
          .request = "RequestCount");
  REFUSED("rows.undo: row 1: ResponseDone is not a request", .request = "RequestHotel",
          .undo = "ResponseDone");
  REFUSED("rows.undo: row 1 is not set, and undo_fn is", .request = "RequestHotel",
          .undo_fn = pass_who);
  REFUSED("rows.undo_fn: row 1 is not set, and the payload passed on would not fit",
          .request = "RequestHotel", .undo = "RequestCount");
  REFUSED("rows.undo_fn: row 1 is not set, and a secret would be passed on as none",
          .request = "RequestKey", .undo = "RequestNoHotel");
  REFUSED("rows.timeout_ms: row 1 is below 0", .request = "RequestHotel", .timeout_ms = -1);
  REFUSED("rows.backoff_ms: row 1 is below 0", .request = "RequestHotel", .backoff_ms = -1);
  REFUSED("rows.backoff_ms: row 1 needs retries, which is 0", .request = "RequestHotel",
          .backoff_ms = 1);
  REFUSED("rows.flags: row 1 has an unknown flag", .request = "RequestHotel", .flags = 2);
  REFUSED("options.finish: is not set, and a secret would be passed on as none",
          .request = "RequestKey");
  REFUSED("options.finish: is not set, and the payload passed on would not fit",
          .request = "RequestCount", .fn = pass_who);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void expect_wrong(travel *self, mainstem_status status, const char *message,
                         const char *name, const char *request, size_t count,
                         const mainstem_workflow_options *options) {
  const mainstem_workflow_row rows[] = {{"RequestCar", NULL, NULL, NULL, 0, 0, 0, 1}};
  EXPECT_STATUS(mainstem_workflow_add(self->context, name, request, rows, sizeof rows[0], count,
                                      options, self, travel_release, NULL),
                status);
  EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(mistakes_are_refused, IN_ONE) {
  travel self;
  travel_open(&self, threads);
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_workflow_add: name: must not be NULL", NULL,
               "RequestBook", 1, NULL);
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_workflow_add: request: must not be NULL", "B",
               NULL, 1, NULL);
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_workflow_add: request: Told is not a request",
               "B", "Told", 1, NULL);
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_workflow_add: count: is 0: a workflow has steps",
               "B", "RequestBook", 0, NULL);
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_workflow_add: options.flags: is not 0", "B",
               "RequestBook", 1, OPTIONS(workflow, .flags = 1));
  expect_wrong(&self, MAINSTEM_INVALID,
               "mainstem_workflow_add: rows.flags: row 0 begins with the "
               "step before, and there is none",
               "B", "RequestBook", 1, NULL);
  EXPECT_OK(travel_add(&self, journey, 1, NULL));
  EXPECT_STATUS(travel_add(&self, journey, 1, NULL), MAINSTEM_INVALID); /* It has a server. */
  EXPECT_EQUAL(self.released, 0);
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_EQUAL(self.released, 1);
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A workflow (blocks.h): steps in order, at the same time, again, undone, with a time of their own. A-70. */

#include "workflows.h"

/* Passes on what the steps before have answered, behind the request: "Ada, LX 7". */
static void pass_all(void *user_data, const mainstem_workflow_run *run) {
  char text[200];
  /* A function may serve several rows. */
  EXPECT(run->row <= run->count &&
         (run->undoes == (run->row < run->count && run->answers[run->row])));
  int length = snprintf(text, sizeof text, "%.*s", (int)run->request->size,
                        (const char *)run->request->data);
  for (size_t i = 0; i < run->count; i++) {
    const mainstem_event *answer = run->answers[i];
    if (answer == NULL) continue;
    length += snprintf(text + length, sizeof text - (size_t)length, ", %.*s", (int)answer->size,
                       (const char *)answer->data);
  }
  EXPECT_OK(mainstem_workflow_pass(run, text, (size_t)length));
}

static void pass_nothing(void *user_data, const mainstem_workflow_run *run) {}
static void skip(void *user_data, const mainstem_workflow_run *run) {
  EXPECT_OK(mainstem_workflow_skip(run));
}

static void fail(void *user_data, const mainstem_workflow_run *run) {
  const mainstem_error error = {sizeof error, BROKEN, "no plan", "Try later.", "plan"};
  EXPECT_OK(mainstem_workflow_fail(run, &error));
}

static void pass_twice(void *user_data, const mainstem_workflow_run *run) {
  const mainstem_error error = {.size = sizeof error, .code = BROKEN}, ok = {.size = sizeof ok};
  EXPECT_STATUS(mainstem_workflow_fail(run, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_fail(run, &ok), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_pass(run, NULL, 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_pass(run, "", SIZE_MAX), MAINSTEM_TOO_BIG);
  EXPECT_OK(mainstem_workflow_pass(run, "once", 4));
  EXPECT_STATUS(mainstem_workflow_pass(run, "twice", 5), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_skip(run), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_fail(run, &error), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_workflow_fail: run: has what it needs: pass, skip or fail once");
}

static const mainstem_workflow_row journey[] = {
    {"RequestFlight", NULL, "RequestNoFlight", pass_all, 0, 0, 0, 0},
    {"RequestHotel", pass_all, "RequestNoHotel", NULL, 0, 0, 0, 0},
    {"RequestCar", pass_all, "RequestNoCar", NULL, 0, 0, 0, 0}};

static void add_line(void *user_data, const char *line) {
  char *text = (char *)user_data;
  snprintf(text + strlen(text), 1000 - strlen(text), "%s\n", line);
}

CASE(A_70_three_steps_in_order, IN_BOTH) {
  travel self;
  traveler of;
  char lines[1000] = "";
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), OPTIONS(workflow, .finish = pass_all)));
  EXPECT_OK(mainstem_trace(self.context, add_line, lines));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  done(&self, 1, "Ritz");
  EXPECT_EQUAL(of.answers, 0);
  done(&self, 2, "Fiat");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada, LX 7) Car(Ada, LX 7, Ritz)");
  EXPECT(of.answers == 1 && of.status == MAINSTEM_OK);
  EXPECT_TEXT(of.text, "Ada, LX 7, Ritz, Fiat");
  EXPECT_TEXT(lines, "#1 RequestBook Ada\n"
                     "#2 RequestFlight ← #1 Booking Ada\n"
                     "#3 ResponseDone ok answers #2 Site LX 7\n"
                     "#4 RequestHotel ← #3 Booking Ada, LX 7\n"
                     "#5 ResponseDone ok answers #4 Site Ritz\n"
                     "#6 RequestCar ← #5 Booking Ada, LX 7, Ritz\n"
                     "#7 ResponseDone ok answers #6 Site Fiat\n"
                     "#8 ResponseBook ok ← #7 answers #1 Booking Ada, LX 7, Ritz, Fiat\n");
  travel_close(&self);
}

CASE(without_a_function_the_last_answer_is_the_answer, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  book(&self, &of, "Ada");
  for (size_t i = 0; i < 3; i++) done(&self, i, i == 2 ? "last" : "first");
  EXPECT_TEXT(of.text, "last");
  travel_close(&self);
}

CASE(A_70_a_failure_undoes_in_reverse, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  done(&self, 1, "Ritz");
  fails(&self, 2);
  EXPECT_EQUAL(of.answers, 0);
  EXPECT_EQUAL(self.asked, 4); /* One undo after the other. */
  done(&self, 3, "");
  done(&self, 4, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada, LX 7) Car(Ada, LX 7, Ritz) NoHotel(Ada, LX 7) "
                        "NoFlight(Ada, LX 7, Ritz)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  EXPECT_TEXT(of.message, "no seat left");
  EXPECT_TEXT(of.text, "Sold out.");
  EXPECT_TEXT(of.subject, "seat");
  EXPECT_TEXT(self.reports, "");
  EXPECT_EQUAL(of.answers, 1);
  travel_close(&self);
}

CASE(what_fails_first_undoes_nothing, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  book(&self, &of, "Ada");
  fails(&self, 0);
  EXPECT_TEXT(self.log, "Flight(Ada)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  travel_close(&self);
}

CASE(A_70_a_step_has_its_time, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
      {"RequestHotel", NULL, NULL, NULL, 50, 0, 1, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  EXPECT_OK(mainstem_context_advance(self.context, 1000)); /* This one has none. */
  done(&self, 0, "LX 7");
  EXPECT_OK(mainstem_context_advance(self.context, 49));
  EXPECT_EQUAL(self.asked, 2);
  EXPECT_OK(mainstem_context_advance(self.context, 1));
  EXPECT_EQUAL(self.asked, 3); /* Again, with a time of its own. */
  EXPECT_OK(mainstem_context_advance(self.context, 49));
  EXPECT_EQUAL(self.asked, 3);
  EXPECT_OK(mainstem_context_advance(self.context, 1));
  done(&self, 3, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Hotel(Ada) NoFlight(Ada)");
  EXPECT_STATUS(of.status, MAINSTEM_TIMEOUT);
  travel_close(&self);
}

CASE(a_wait_before_a_retry_doubles, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", pass_all, NULL, NULL, 0, 10, 3, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  for (size_t i = 0; i < 3; i++) {
    fails(&self, i);
    EXPECT_OK(mainstem_context_advance(self.context, (10 << i) - 1));
    EXPECT_EQUAL(self.asked, i + 1);
    EXPECT_OK(mainstem_context_advance(self.context, 1));
    EXPECT_EQUAL(self.asked, i + 2);
  }
  EXPECT_TEXT(self.log, "Flight(Ada) Flight(Ada) Flight(Ada) Flight(Ada)");
  fails(&self, 3);
  EXPECT_STATUS(of.status, SOLD_OUT);
  book(&self, &of, "Bob");
  fails(&self, 4);
  EXPECT_OK(mainstem_context_advance(self.context, 10)); /* Counted anew. */
  done(&self, 5, "LX 8");
  EXPECT_TEXT(of.text, "LX 8");
  travel_close(&self);
}

CASE(a_wait_never_overflows, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, NULL, NULL, 0, INT64_MAX / 2 + 1, 2, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  fails(&self, 0);
  EXPECT_OK(mainstem_context_advance(self.context, INT64_MAX / 4));
  EXPECT_EQUAL(self.asked, 1);
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  travel_close(&self);
}

static const mainstem_workflow_row group[] = {
    {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
    {"RequestHotel", NULL, "RequestNoHotel", NULL, 0, 0, 0, MAINSTEM_WORKFLOW_PARALLEL},
    {"RequestCar", pass_all, "RequestNoCar", NULL, 0, 0, 0, 0}};

CASE(A_70_parallel_steps_are_joined, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, group, COUNT(group), NULL));
  book(&self, &of, "Ada");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada)");
  done(&self, 1, "Ritz");
  EXPECT_EQUAL(self.asked, 2);
  done(&self, 0, "LX 7");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Car(Ada, LX 7, Ritz)");
  fails(&self, 2);
  done(&self, 3, "");
  done(&self, 4, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Car(Ada, LX 7, Ritz) NoHotel(Ada) NoFlight(Ada)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  travel_close(&self);
}

CASE(a_failure_cancels_what_is_open, IN_BOTH) {
  travel self;
  traveler of;
  bool settled = false;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, group, COUNT(group), NULL));
  book(&self, &of, "Ada");
  fails(&self, 1);
  EXPECT_OK(mainstem_event_is_settled(asked_for(&self, 0), &settled));
  EXPECT(settled);
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada)"); /* Nothing was done. */
  EXPECT_STATUS(of.status, SOLD_OUT);
  travel_close(&self);
}

/* Both answer at once: what is done before its cancellation arrives is undone. */
static void answer_both(void *user_data, const mainstem_event *event) {
  travel *self = (travel *)user_data;
  EXPECT_OK(mainstem_respond_error(asked_for(self, 0), SOLD_OUT, "no"));
  EXPECT_OK(mainstem_respond(asked_for(self, 1), "Ritz", 4));
}

CASE(what_was_done_before_it_was_cancelled_is_undone, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, group, COUNT(group), NULL));
  EXPECT_OK(mainstem_observe(self.context, type_named(self.context, "Told"), answer_both, &self,
                             NULL, NULL));
  book(&self, &of, "Ada");
  EXPECT_OK(send_text(self.context, type_named(self.context, "Told"), ""));
  done(&self, 2, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) NoHotel(Ada)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  travel_close(&self);
}

CASE(a_retry_that_waits_is_given_up_with_the_others, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, NULL, NULL, 0, 10, 5, 0},
      {"RequestHotel", NULL, NULL, NULL, 0, 0, 0, MAINSTEM_WORKFLOW_PARALLEL}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  fails(&self, 0);
  EXPECT_EQUAL(stats_of(self.context).timers, 1);
  fails(&self, 1);
  EXPECT_EQUAL(stats_of(self.context).timers, 0);
  EXPECT_STATUS(of.status, SOLD_OUT);
  travel_close(&self);
}

CASE(a_step_may_be_left_out, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", skip, "RequestNoFlight", pass_all, 0, 0, 0, 0},
      {"RequestHotel", NULL, "RequestNoHotel", skip, 0, 0, 0, 0},
      {"RequestCar", pass_all, NULL, NULL, 0, 0, 0, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  done(&self, 0, "Ritz");
  done(&self, 1, "Fiat");
  EXPECT_TEXT(self.log, "Hotel(Ada) Car(Ada, Ritz)");
  EXPECT_TEXT(of.text, "Fiat");
  book(&self, &of, "Bob");
  done(&self, 2, "Ritz");
  fails(&self, 3);
  EXPECT_TEXT(self.log, "Hotel(Ada) Car(Ada, Ritz) Hotel(Bob) Car(Bob, Ritz)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  EXPECT_TEXT(self.reports, "");
  travel_close(&self);
}

/* Runs a workflow whose second step, or whose answer, a function fails. */
static void expect_failure(uint32_t threads, mainstem_workflow_fn step, mainstem_workflow_fn finish,
                           mainstem_status code, const char *message) {
  const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
      {"RequestHotel", step, NULL, NULL, 0, 0, 3, 0}};
  travel self;
  traveler of;
  size_t next = 1;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), OPTIONS(workflow, .finish = finish)));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  if (finish != NULL) done(&self, next++, "Ritz");
  done(&self, next, "");
  EXPECT_STATUS(of.status, code);
  EXPECT_TEXT(of.message, message);
  EXPECT(strstr(self.log, " NoFlight(Ada)") != NULL);
  travel_close(&self);
}

static void pass_broken(void *user_data, const mainstem_workflow_run *run) {
  EXPECT_OK(mainstem_workflow_pass(run, "\xff", 1));
}

static void skip_finish(void *user_data, const mainstem_workflow_run *run) {
  EXPECT_STATUS(mainstem_workflow_skip(run), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_workflow_skip: run: is being answered, and a "
                                     "request needs an answer");
}

CASE(a_function_that_fails_is_a_failure, IN_BOTH) {
  expect_failure(threads, fail, NULL, BROKEN, "no plan");
  expect_failure(threads, pass_nothing, NULL, MAINSTEM_INCOMPLETE,
                 "RequestHotel: its function passed nothing on: it must pass, skip or fail");
  expect_failure(threads, NULL, fail, BROKEN, "no plan");
  expect_failure(threads, NULL, skip_finish, MAINSTEM_INCOMPLETE,
                 "options.finish: its function passed nothing on: it must pass, skip or fail");
  expect_failure(threads, skip, NULL, MAINSTEM_INVALID,
                 "the last step was left out, so there is no answer: set options.finish");
  expect_failure(threads, pass_broken, NULL, MAINSTEM_INVALID,
                 "mainstem_request_with: data: RequestHotel carries text, and this is not UTF-8: "
                 "use MAINSTEM_PAYLOAD_BYTES");
  expect_failure(threads, NULL, pass_broken, MAINSTEM_INVALID,
                 "mainstem_respond: data: ResponseBook carries text, and this is not UTF-8: use "
                 "MAINSTEM_PAYLOAD_BYTES");
}

CASE(a_function_calls_once, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", pass_twice, NULL, NULL, 0, 0, 0, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  EXPECT_TEXT(self.log, "Flight(once)");
  EXPECT_TEXT(of.text, "LX 7");
  EXPECT_STATUS(mainstem_workflow_pass(NULL, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_skip(NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_workflow_fail(NULL, NULL), MAINSTEM_INVALID);
  travel_close(&self);
}

CASE(an_undo_that_fails_is_told, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
      {"RequestHotel", NULL, "RequestNoHotel", NULL, 0, 0, 1, 0},
      {"RequestCar", NULL, "RequestNoCar", fail, 0, 0, 0, 0},
      {"RequestKey", NULL, NULL, NULL, 0, 0, 0, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), OPTIONS(workflow, .finish = pass_all)));
  book(&self, &of, "Ada");
  for (size_t i = 0; i < 3; i++) done(&self, i, "");
  fails(&self, 3);
  fails(&self, 4);
  fails(&self, 5); /* Tried twice, as its step would be. */
  done(&self, 6, "");
  EXPECT_TEXT(self.log, "Flight(Ada) Hotel(Ada) Car(Ada) Key(Ada) NoHotel(Ada) NoHotel(Ada) "
                        "NoFlight(Ada)");
  EXPECT_STATUS(of.status, SOLD_OUT);
  /* The texts of a secret stay with it. */
  EXPECT_TEXT(of.message, "not undone: RequestNoHotel, RequestNoCar");
  EXPECT_TEXT(of.text, "");
  EXPECT_TEXT(self.reports,
              "{\"type\":\"ResponseDone\",\"origin\":\"Booking\",\"code\":1004,\"sentence\":\"not "
              "undone: RequestNoHotel, RequestNoCar\",\"count\":1}");
  travel_close(&self);
}

CASE(the_users_text_stays_as_it_was, IN_BOTH) {
  static const mainstem_workflow_row rows[] = {
      {"RequestFlight", NULL, "RequestNoFlight", NULL, 0, 0, 0, 0},
      {"RequestHotel", NULL, NULL, NULL, 0, 0, 0, 0}};
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, rows, COUNT(rows), NULL));
  for (size_t i = 0; i < 2; i++) {
    book(&self, &of, "Ada");
    done(&self, 3 * i, "");
    if (i == 0) fails(&self, 1);
    if (i == 1) EXPECT_OK(mainstem_respond_error(asked_for(&self, 4), BROKEN, "broken"));
    fails(&self, 3 * i + 2);
    EXPECT_TEXT(of.message, i == 0 ? "no seat left; not undone: RequestNoFlight"
                                   : "broken; not undone: RequestNoFlight");
    EXPECT_TEXT(of.text, i == 0 ? "Sold out." : "broken");
  }
  travel_close(&self);
}

CASE(nobody_there_is_a_failure, IN_BOTH) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, COUNT(journey), NULL));
  EXPECT_OK(mainstem_scope_end(self.site));
  book(&self, &of, "Ada");
  EXPECT_STATUS(of.status, MAINSTEM_UNHANDLED);
  travel_close(&self);
}

CASE(the_largest_limit_is_none, IN_ONE) {
  travel self;
  traveler of;
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, 1, OPTIONS(workflow, .limit = SIZE_MAX)));
  book(&self, &of, "Ada");
  done(&self, 0, "LX 7");
  EXPECT(of.answers == 1 && of.status == MAINSTEM_OK);
  travel_close(&self);
}

CASE(it_keeps_no_more_than_its_limit, IN_BOTH) {
  travel self;
  traveler of[3];
  travel_open(&self, threads);
  EXPECT_OK(travel_add(&self, journey, 1, OPTIONS(workflow, .limit = 2)));
  for (size_t i = 0; i < 3; i++) book(&self, &of[i], "Ada");
  EXPECT_STATUS(of[2].status, MAINSTEM_FULL);
  EXPECT_TEXT(of[2].message, "the workflow has as many requests as it may keep");
  done(&self, 0, "LX 7");
  book(&self, &of[2], "Bob");
  EXPECT_EQUAL(of[2].answers, 0);
  done(&self, 1, "LX 8");
  done(&self, 2, "LX 9");
  EXPECT_TEXT(of[2].text, "LX 9");
  travel_close(&self);
}

int main(void) { return journal_expect_all(); }

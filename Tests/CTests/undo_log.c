// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* An undo log (blocks.h): commands with what undoes them, in order, in steps, and what it shows. */

#include "undo_logs.h"

#define SHOWN(undo, redo, count) "{\"undo\":\"" undo "\",\"redo\":\"" redo "\",\"count\":" count "}"

static void add_line(void *user_data, const char *line) {
  char *text = (char *)user_data;
  snprintf(text + strlen(text), 1200 - strlen(text), "%s\n", line);
}

CASE(a_command_is_undone_and_done_again, IN_BOTH) {
  document self;
  char lines[1200] = "";
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  EXPECT_OK(mainstem_trace(self.context, add_line, lines));
  command(&self, "RequestAdd", "a");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  expect_undone(&self, self.redo, MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  EXPECT_TEXT(lines, "#1 Undoable Undo {\"undo\":\"\",\"redo\":\"\",\"count\":0}\n"
                     "#2 RequestAdd a\n"
                     "#3 ResponseText ok ← #2 Store a\n"
                     "#4 Undoable ← #3 Undo {\"undo\":\"RequestAdd\",\"redo\":\"\",\"count\":1}\n"
                     "#5 RequestUndo\n"
                     "#6 RequestRemove ← #5 Undo a\n"
                     "#7 ResponseText ok ← #6 Store a\n"
                     "#8 Undoable ← #7 Undo {\"undo\":\"\",\"redo\":\"RequestAdd\",\"count\":0}\n"
                     "#9 ResponseUndo ok ← #7 answers #5 Undo\n"
                     "#10 RequestRedo\n"
                     "#11 RequestAdd ← #10 Undo a\n"
                     "#12 ResponseText ok ← #11 Store a\n"
                     "#13 Undoable ← #12 Undo {\"undo\":\"RequestAdd\",\"redo\":\"\",\"count\":1}\n"
                     "#14 ResponseUndo ok ← #12 answers #10 Undo\n");
  EXPECT_EQUAL(self.made, 2); /* Once for each answer. */
  document_close(&self);
}

CASE(commands_are_undone_in_reverse, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  command(&self, "RequestToggle", "b");
  command(&self, "RequestFind", "no command");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "2"));
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "RequestToggle", "1"));
  expect_undone(&self, self.undo, MAINSTEM_OK);
  expect_undone(&self, self.undo, MAINSTEM_UNSET);
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  expect_undone(&self, self.redo, MAINSTEM_OK);
  expect_undone(&self, self.redo, MAINSTEM_OK);
  expect_undone(&self, self.redo, MAINSTEM_UNSET);
  EXPECT_TEXT(self.requests, "Add(a) Toggle(b) Find(no command) Toggle(b) Remove(a) Add(a) "
                             "Toggle(b)");
  document_close(&self);
}

CASE(nothing_to_undo_is_said, IN_BOTH) {
  document self;
  outcome of;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  request(&self, &of, self.undo, "");
  EXPECT_STATUS(of.status, MAINSTEM_UNSET);
  EXPECT_TEXT(of.message, "there is nothing to undo");
  request(&self, &of, self.redo, "");
  EXPECT_STATUS(of.status, MAINSTEM_UNSET);
  EXPECT_TEXT(of.message, "there is nothing to do again");
  document_close(&self);
}

CASE(a_new_command_empties_redo, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  expect_undone(&self, self.undo, MAINSTEM_OK);
  command(&self, "RequestToggle", "b");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "1"));
  expect_undone(&self, self.redo, MAINSTEM_UNSET);
  document_close(&self);
}

CASE(a_command_that_fails_is_not_kept, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  expect_undone(&self, self.undo, MAINSTEM_OK);
  self.answers_at_once = false;
  command(&self, "RequestToggle", "b");
  refuse(&self, 0);
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  EXPECT_EQUAL(self.made, 1);
  document_close(&self);
}

CASE(an_undo_that_fails_stays, IN_BOTH) {
  document self;
  outcome of;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  self.answers_at_once = false;
  request(&self, &of, self.undo, "");
  EXPECT_EQUAL(of.answers, 0);
  refuse(&self, 0);
  EXPECT_STATUS(of.status, BROKEN);
  EXPECT_TEXT(of.message, "Try later.");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  self.answers_at_once = true;
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Add(a) Remove(a) Remove(a)");
  self.answers_at_once = false;
  request(&self, &of, self.redo, "");
  refuse(&self, 1);
  EXPECT_STATUS(of.status, BROKEN);
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  document_close(&self);
}

CASE(without_a_server_the_undo_fails, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  EXPECT_OK(mainstem_scope_end(self.store));
  expect_undone(&self, self.undo, MAINSTEM_UNHANDLED);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  document_close(&self);
}

CASE(what_one_event_caused_is_one_step, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  EXPECT_OK(send_text(self.context, type_named(self.context, "Both"), "b+c"));
  EXPECT_OK(send_text(self.context, type_named(self.context, "Both"), "d+e"));
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "3"));
  self.requests[0] = 0;
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "RequestAdd", "2"));
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Remove(e) Remove(d) Remove(c) Remove(b)");
  self.requests[0] = 0;
  expect_undone(&self, self.redo, MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Add(b) Add(c)");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "RequestAdd", "2"));
  document_close(&self);
}

CASE(a_step_that_is_half_undone_can_be_done_again, IN_BOTH) {
  document self;
  outcome of;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  EXPECT_OK(send_text(self.context, type_named(self.context, "Both"), "a+b"));
  self.answers_at_once = false;
  request(&self, &of, self.undo, "");
  answer(&self, 0, "");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1")); /* The step is not over. */
  refuse(&self, 1);
  EXPECT_STATUS(of.status, BROKEN);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "RequestAdd", "1"));
  self.answers_at_once = true;
  expect_undone(&self, self.redo, MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Add(a) Add(b) Remove(b) Remove(a) Add(b)");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  document_close(&self);
}

CASE(an_undo_waits_for_commands_before_it, IN_BOTH) {
  document self;
  outcome of;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  self.answers_at_once = false;
  command(&self, "RequestAdd", "a");
  request(&self, &of, self.undo, "");
  command(&self, "RequestAdd", "b");
  answer(&self, 1, "2");
  EXPECT_EQUAL(of.answers, 0);
  EXPECT_TEXT(self.requests, "Add(a) Add(b)");
  answer(&self, 0, "1");
  EXPECT_TEXT(self.requests, "Add(a) Add(b) Remove(1)"); /* The undo was requested before b. */
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  answer(&self, 2, "");
  EXPECT(of.answers == 1 && of.status == MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1")); /* Now it is b, and there is no redo. */
  request(&self, &of, self.undo, "");
  EXPECT_TEXT(self.requests, "Add(a) Add(b) Remove(1) Remove(2)");
  answer(&self, 3, "");
  document_close(&self);
}

CASE(commands_count_in_the_order_of_their_requests, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  self.answers_at_once = false;
  command(&self, "RequestAdd", "a");
  command(&self, "RequestToggle", "b");
  answer(&self, 1, "");
  EXPECT_TEXT(self.shown, SHOWN("", "", "0"));
  answer(&self, 0, "1");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "2"));
  document_close(&self);
}

CASE(undos_come_one_after_the_other, IN_BOTH) {
  document self;
  outcome of[3];
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  command(&self, "RequestAdd", "b");
  self.answers_at_once = false;
  self.requests[0] = 0;
  request(&self, &of[0], self.undo, "");
  request(&self, &of[1], self.undo, "");
  request(&self, &of[2], self.redo, "");
  EXPECT_TEXT(self.requests, "Remove(b)");
  answer(&self, 0, "");
  EXPECT(of[0].answers == 1 && of[1].answers == 0);
  EXPECT_TEXT(self.requests, "Remove(b) Remove(a)");
  answer(&self, 1, "");
  EXPECT_TEXT(self.requests, "Remove(b) Remove(a) Add(a)");
  answer(&self, 2, "3");
  EXPECT(of[2].answers == 1 && of[2].status == MAINSTEM_OK);
  request(&self, &of[0], self.undo, "");
  answer(&self, 3, "");
  EXPECT_TEXT(self.requests, "Remove(b) Remove(a) Add(a) Remove(3)"); /* By the new answer. */
  document_close(&self);
}

CASE(the_oldest_step_is_forgotten, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 2);
  EXPECT_OK(send_text(self.context, type_named(self.context, "Both"), "a+b"));
  command(&self, "RequestAdd", "c");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "2"));
  command(&self, "RequestToggle", "d");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "2"));
  self.requests[0] = 0;
  expect_undone(&self, self.undo, MAINSTEM_OK);
  expect_undone(&self, self.undo, MAINSTEM_OK);
  expect_undone(&self, self.undo, MAINSTEM_UNSET);
  EXPECT_TEXT(self.requests, "Toggle(d) Remove(c)");
  document_close(&self);
}

static void skip_b(void *user_data, const mainstem_workflow_run *run) {
  document *self = (document *)user_data;
  EXPECT_EQUAL(run->row, 0);
  if (*(const char *)run->request->data == 'b' && self->made++ > 1)
    EXPECT_OK(mainstem_workflow_skip(run));
  else EXPECT_OK(mainstem_workflow_pass(run, run->request->data, run->request->size));
}

/* A function leaves a command out: when it was done, and when it was done again. */
CASE(a_command_may_be_left_out, IN_BOTH) {
  static const mainstem_undo_log_row rows[] = {{"RequestAdd", "RequestRemove", skip_b}};
  document self;
  document_open(&self, threads);
  document_add_log(&self, rows, 1, 0);
  self.made = 2;
  command(&self, "RequestAdd", "a");
  expect_undone(&self, self.undo, MAINSTEM_OK);
  command(&self, "RequestAdd", "b");
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  self.made = 1;
  expect_undone(&self, self.redo, MAINSTEM_OK);
  EXPECT_OK(send_text(self.context, type_named(self.context, "Both"), "b+c"));
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "2"));
  expect_undone(&self, self.undo, MAINSTEM_OK);
  expect_undone(&self, self.redo, MAINSTEM_OK);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "2")); /* c alone is a step now. */
  self.requests[0] = 0;
  expect_undone(&self, self.undo, MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Remove(c)");
  document_close(&self);
}

static void fail_b(void *user_data, const mainstem_workflow_run *run) {
  const mainstem_error error = {sizeof error, BROKEN, "no id", NULL, NULL};
  if (*(const char *)run->request->data == 'b') EXPECT_OK(mainstem_workflow_fail(run, &error));
  else if (*(const char *)run->request->data != 'c')
    EXPECT_OK(mainstem_workflow_pass(run, run->request->data, run->request->size));
}

CASE(a_function_that_fails_empties_the_log, IN_BOTH) {
  static const mainstem_undo_log_row rows[] = {{"RequestAdd", "RequestRemove", fail_b}};
  document self;
  document_open(&self, threads);
  document_add_log(&self, rows, 1, 0);
  for (const char *text = "b"; text != NULL; text = *text == 'b' ? "c" : NULL) {
    self.reports[0] = 0;
    command(&self, "RequestAdd", "a");
    command(&self, "RequestAdd", "a");
    EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "2"));
    command(&self, "RequestAdd", text);
    EXPECT_TEXT(self.shown, SHOWN("", "", "0"));
    EXPECT_TEXT(
        self.reports,
        *text == 'b'
            ? "{\"type\":\"ResponseText\",\"origin\":\"Undo\",\"code\":1007,\"sentence\":"
              "\"the undo log is empty now: no id\",\"count\":1}"
            : "{\"type\":\"ResponseText\",\"origin\":\"Undo\",\"code\":18,\"sentence\":\"the "
              "undo log is empty now: RequestRemove: its function passed nothing on: it "
              "must pass, skip or fail\",\"count\":2}");
    expect_undone(&self, self.undo, MAINSTEM_UNSET);
  }
  document_close(&self);
}

CASE(a_cancelled_undo_is_cancelled, IN_BOTH) {
  document self;
  outcome of[2];
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  self.answers_at_once = false;
  request(&self, &of[0], self.undo, "");
  request(&self, &of[1], self.undo, "");
  EXPECT_OK(mainstem_pending_cancel(of[1].pending)); /* It waits. */
  EXPECT_STATUS(of[1].status, MAINSTEM_CANCELLED);
  EXPECT_OK(mainstem_pending_cancel(of[0].pending)); /* It runs. */
  EXPECT_STATUS(of[0].status, MAINSTEM_CANCELLED);
  EXPECT_STATUS(mainstem_respond(kept_event(self.kept[0]), "", 0), MAINSTEM_STALE);
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1"));
  EXPECT_OK(mainstem_request_with(self.context, self.undo, NULL, 0,
                                  OPTIONS(request, .timeout_ms = 5), get_outcome, &of[0], NULL,
                                  NULL));
  EXPECT_OK(mainstem_context_advance(self.context, 5));
  EXPECT_STATUS(of[0].status, MAINSTEM_TIMEOUT);
  EXPECT_TEXT(self.requests, "Add(a) Remove(a) Remove(a)");
  document_close(&self);
}

/* Only tracked requests of others are commands. */
CASE(what_is_only_sent_is_no_command, IN_BOTH) {
  document self;
  outcome of[2];
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  self.answers_at_once = false;
  EXPECT_OK(send_text(self.context, type_named(self.context, "RequestAdd"), "sent"));
  answer(&self, 0, "1");
  EXPECT_TEXT(self.shown, SHOWN("", "", "0"));
  for (size_t i = 0; i < 2; i++)
    EXPECT_OK(mainstem_request_with(self.context, type_named(self.context, "RequestAdd"), "a", 1,
                                    OPTIONS(request, .share = 1), get_outcome, &of[i], NULL, NULL));
  answer(&self, 1, "1");
  EXPECT_TEXT(self.shown, SHOWN("RequestAdd", "", "1")); /* Two requesters, one command. */
  expect_undone(&self, self.redo, MAINSTEM_UNSET);
  document_close(&self);
}

CASE(an_undo_may_be_only_sent, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  EXPECT_OK(mainstem_send(self.context, self.undo, NULL, 0));
  EXPECT_TEXT(self.requests, "Add(a) Remove(a)");
  EXPECT_TEXT(self.shown, SHOWN("", "RequestAdd", "0"));
  document_close(&self);
}

/* A server that forgets to answer does so with a log, too. */
static void forget(void *user_data, const mainstem_event *event) {}

CASE(a_command_without_an_answer_holds_up_nothing, IN_BOTH) {
  document self;
  outcome of;
  document_open(&self, threads);
  EXPECT_OK(mainstem_scope_end(self.store));
  serve_one(self.context, "Forgetful", "RequestAdd", forget, NULL);
  document_add_log(&self, document_rows, 2, 0);
  request(&self, &of, type_named(self.context, "RequestAdd"), "a");
  EXPECT_STATUS(of.status, MAINSTEM_INCOMPLETE);
  expect_undone(&self, self.undo, MAINSTEM_UNSET);
  document_close(&self);
}

CASE(no_more_undos_wait_than_1024, IN_BOTH) {
  static outcome of[1025];
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  self.answers_at_once = false;
  command(&self, "RequestAdd", "a");
  for (size_t i = 0; i < COUNT(of); i++) request(&self, &of[i], self.undo, "");
  EXPECT_STATUS(of[1024].status, MAINSTEM_FULL);
  EXPECT_TEXT(of[1024].message, "1,024 undos wait already");
  refuse(&self, 0);
  for (size_t i = 0; i < 1024; i++) EXPECT_STATUS(of[i].status, MAINSTEM_UNSET);
  document_close(&self);
}

static mainstem_retained *first_kept;
static int held;

static void hold(void *user_data, const mainstem_event *event) {
  if (held++ == 0) EXPECT_OK(mainstem_event_retain(event, &first_kept));
  else EXPECT_OK(mainstem_respond(event, event->data, event->size));
}

CASE(no_more_commands_wait_than_16384, IN_BOTH) {
  document self;
  document_open(&self, threads);
  held = 0;
  EXPECT_OK(mainstem_scope_end(self.store));
  serve_one(self.context, "Holder", "RequestToggle", hold, NULL);
  document_add_log(&self, document_rows, 2, 0);
  for (int i = 0; i < 16384; i++) command(&self, "RequestToggle", "t");
  EXPECT_TEXT(self.reports, "");
  command(&self, "RequestToggle", "t");
  EXPECT(strstr(self.reports, "the undo log is empty now: more than 16,384 commands wait for one "
                              "another") != NULL);
  command(&self, "RequestToggle", "u");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "1"));
  EXPECT_OK(mainstem_respond(kept_event(first_kept), "", 0));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "1"));
  EXPECT_OK(mainstem_retained_release(first_kept));
  document_close(&self);
}

CASE(two_logs_keep_what_each_of_them_names, IN_BOTH) {
  const mainstem_type_row types[] = {
      {"RequestUndoOther", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"RequestRedoOther", MAINSTEM_PAYLOAD_NONE, "ResponseUndo"},
      {"OtherUndoable", MAINSTEM_PAYLOAD_JSON | MAINSTEM_ROLE_VALUE, NULL}};
  const mainstem_undo_log_options options = {
      sizeof options, 0, "RequestUndoOther", "RequestRedoOther", "OtherUndoable", 0};
  document self;
  document_open(&self, threads);
  EXPECT_OK(mainstem_types_add(self.context, MAINSTEM_ROWS(types), NULL));
  document_add_log(&self, document_rows, 1, 0);
  EXPECT_OK(mainstem_undo_log_add(self.context, "Other", document_rows + 1, sizeof *document_rows,
                                  1, &options, &self, NULL, NULL));
  command(&self, "RequestAdd", "a");
  command(&self, "RequestToggle", "b");
  EXPECT_TEXT(self.shown, SHOWN("RequestToggle", "", "1"));
  expect_undone(&self, type_named(self.context, "RequestUndoOther"), MAINSTEM_OK);
  EXPECT_TEXT(self.requests, "Add(a) Toggle(b) Remove(a)");
  document_close(&self);
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 16, a command runs once; acceptance A-59. */

#include "door.h"

static door self;

/* Catches: a value of a command that nobody has set; one that is set twice. */
CASE(its_values_are_there_from_the_first_show_on, IN_BOTH) {
  door_open_in(&self, context_open(threads), MAINSTEM_COMMAND_REFUSE);
  EXPECT_SEEN(&self, "count=0 may=1 up.enabled=1 up.executing=0 up.error= go.enabled=1 "
                     "go.executing=0 go.error=");
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "x", 1));
  EXPECT_SEEN(&self, "Notice=0");
  door_close(&self);
}

/* Catches: an answer before what it is about; executing that flickers. */
CASE(done_when_it_returns, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(door_run(&self, "up", "", NULL));
  EXPECT_SEEN(&self, "up9 count=1 up.done@9 went@9:OK ~");
  EXPECT_OK(mainstem_request(self.model, self.types[DOOR_UP], NULL, 0, door_went, &self, NULL));
  EXPECT_SEEN(&self, "up12 count=2 up.done@12 went@12:OK");
  door_close(&self);
}

/* execute disabled. Catches: program code that runs, an event where nothing waits. */
CASE(disabled, IN_BOTH) {
  mainstem_pending *pending = (mainstem_pending *)&self;
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  self.may = false;
  EXPECT_OK(door_run(&self, "up", "", NULL));
  EXPECT_SEEN(&self, "up9 count=1 may=0 go.enabled=0 up.done@9 went@9:OK ~");
  EXPECT_STATUS(door_run(&self, "go", "a", &pending), MAINSTEM_DISABLED);
  EXPECT(pending == NULL);
  EXPECT(strstr(mainstem_last_error(), "go is disabled now") != NULL);
  EXPECT_SEEN(&self, "");
  EXPECT_OK(mainstem_request(self.model, self.types[DOOR_GO], "a", 1, door_went, &self, NULL));
  EXPECT_SEEN(&self, "go14 go.done@14:DISABLED went@14:DISABLED");
  door_close(&self);
}

/* execute twice. Catches: a second run, executing that ends with the refusal, or is never told. */
CASE(executing, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1");
  EXPECT_STATUS(door_run(&self, "go", "b", NULL), MAINSTEM_EXECUTING);
  EXPECT_SEEN(&self, "");
  EXPECT_OK(mainstem_request(self.model, self.types[DOOR_GO], "c", 1, door_went, &self, NULL));
  EXPECT_SEEN(&self, "go11 go.done@11:EXECUTING went@11:EXECUTING");
  door_answer(&self, 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@9 went@9:OK ~ go.executing=0");
  EXPECT_OK(door_run(&self, "go", "d", NULL));
  EXPECT_SEEN(&self, "go15 go(d) go.executing=1");
  door_close(&self);
}

/* errors. Catches: an error that stays, is cleared by a refusal, or is told before the answer. */
CASE(an_error_is_shown_until_the_next_run_begins, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(door_run(&self, "go", "!", NULL));
  EXPECT_SEEN(&self, "go9 go(!) go.done@9:APP went@9:APP ~ go.error=It is stuck.");
  EXPECT_OK(door_run(&self, "go", "!", NULL));
  EXPECT_SEEN(&self, "go12 go(!) go.error= go.done@12:APP went@12:APP ~ go.error=It is stuck.");
  self.may = false;
  EXPECT_OK(door_run(&self, "up", "", NULL));
  EXPECT_SEEN(&self, "up16 count=1 may=0 go.enabled=0 up.done@16 went@16:OK ~");
  EXPECT_STATUS(door_run(&self, "go", "a", NULL), MAINSTEM_DISABLED);
  self.may = true;
  EXPECT_OK(door_run(&self, "up", "", NULL));
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_SEEN(&self, "up21 count=2 may=1 go.enabled=1 up.done@21 went@21:OK ~ go26 go(a) "
                     "go.executing=1 go.error=");
  door_close(&self);
}

/* cancel. Catches: executing that stays, an error that nobody made. */
CASE(cancelled, IN_BOTH) {
  mainstem_pending *pending = NULL;
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(door_run(&self, "go", "a", &pending));
  EXPECT_OK(mainstem_pending_cancel(pending));
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 go.done@9:CANCELLED went@9:CANCELLED ~ "
                     "go.executing=0");
  door_close(&self);
}

/* Catches: a run that overtakes, one that begins before the answer is delivered, one run too many that waits. */
CASE(queued_runs_wait_their_turn, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_QUEUE);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_OK(door_run(&self, "go", "c", NULL));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 go11 go12");
  door_answer(&self, 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@9 went@9:OK ~ go(b)");
  door_answer(&self, 1);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@11 went@11:OK ~ go(c)");
  door_answer(&self, 2);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@12 went@12:OK ~ go.executing=0");
  self.is_quiet = true;
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  for (int index = 0; index < 64; index++) EXPECT_OK(door_run(&self, "go", "x", NULL));
  EXPECT_STATUS(door_run(&self, "go", "y", NULL), MAINSTEM_FULL);
  door_close(&self);
}

/* Catches: a run that begins although the one before it has disabled the command. */
CASE(what_waits_may_be_disabled, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_QUEUE);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_OK(door_run(&self, "go", "c", NULL));
  self.may = false;
  EXPECT_OK(door_run(&self, "up", "", NULL));
  EXPECT_SEEN(&self,
              "go9 go(a) go.executing=1 go11 go12 up13 count=1 may=0 go.enabled=0 up.done@13 "
              "went@13:OK ~");
  door_answer(&self, 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@9 went@9:OK ~ go.executing=0 go.done@11:DISABLED went@11:DISABLED ~ "
                     "go.done@12:DISABLED went@12:DISABLED ~");
  door_close(&self);
}

static void note_settled(void *user_data) { transcript_add(&self.seen, "%s", (char *)user_data); }

static void on_settled(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_on_settled(event, note_settled, "stop", NULL));
}

/* Catches: a new run that begins before the old one has been told to stop. */
CASE(the_latest_run_takes_the_place_of_the_old_one, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_LATEST);
  self.then = on_settled;
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 go11 go.done@9:CANCELLED went@9:CANCELLED ~ stop "
                     "go(b)");
  door_answer(&self, 1);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@11 went@11:OK ~ go.executing=0");
  door_close(&self);
}

/* Catches: executing that ends with the first of two. */
CASE(concurrent_runs_all_run, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_CONCURRENT);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 go11 go(b)");
  door_answer(&self, 1);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@11 went@11:OK ~");
  door_answer(&self, 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@9 went@9:OK ~ go.executing=0");
  door_close(&self);
}

/* Catches: a view that is told what it does not wait for any longer; a run that ends with its view. */
CASE(a_dropped_run_goes_on, IN_BOTH) {
  mainstem_binding *binding;
  door_open(&self, threads, MAINSTEM_COMMAND_CONCURRENT);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.model));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 ~ go11 go(b)");
  binding = self.binding;
  EXPECT_OK(mainstem_binding_end(self.binding));
  EXPECT_STATUS(mainstem_binding_run(binding, "go", "c", 1, NULL, NULL, NULL, NULL),
                MAINSTEM_STALE);
  door_answer(&self, 0);
  door_answer(&self, 1);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "~ go.done@9 go.done@11 go.executing=0");
  door_close(&self);
}

/* Catches: an asker that waits for ever, a run through an owner that is no more. */
CASE(a_run_ends_with_its_owner, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_QUEUE);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  EXPECT_OK(mainstem_scope_end(self.model));
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go9 go(a) go.executing=1 go11 go.done@9:CANCELLED went@9:CANCELLED ~ "
                     "go.done@11:CANCELLED went@11:CANCELLED ~ MainstemEnded");
  EXPECT_STATUS(door_run(&self, "go", "c", NULL), MAINSTEM_STALE);
  door_close(&self);
}

static void run_twice(void *user_data, const mainstem_event *event) {
  door_run((door *)user_data, "go", "a", NULL);
  EXPECT_OK(door_run((door *)user_data, "go", "b", NULL));
}

/* Catches: a refusal from a state that is not the last. */
CASE(inside_a_callback_the_refusal_is_the_answer, IN_BOTH) {
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, run_twice, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "x", 1));
  EXPECT_SEEN(&self, "Notice=0 go10 go(a) go11 go.executing=1 go.done@11:EXECUTING "
                     "went@11:EXECUTING ~");
  door_close(&self);
}

static void return_only(void *user_data, const mainstem_event *event) {}

static void fail_only(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_fail(event, MAINSTEM_APP, "It is broken."));
}

/* Catches: an asker that waits for ever; work that counts as done although it failed. */
CASE(who_owes_an_answer_is_told, IN_BOTH) {
  const mainstem_viewmodel_row rows[] = {
      {"ask", MAINSTEM_VIEWMODEL_COMMAND, 0, return_only, NULL, 0, MAINSTEM_PAYLOAD_TEXT, NULL},
      {"fail", MAINSTEM_VIEWMODEL_COMMAND, 0, fail_only, NULL, 0, 0, NULL}};
  mainstem_context *model;
  door_open(&self, threads, MAINSTEM_COMMAND_REFUSE);
  EXPECT_OK(mainstem_viewmodel_add(self.on.context, "Odd", rows, sizeof rows[0], 2, NULL, NULL,
                                   NULL, &model));
  EXPECT_OK(mainstem_flush(self.on.context));
  transcript_clear(&self.seen);
  mainstem_event_type type = type_named(model, "Odd.ask");
  EXPECT_OK(mainstem_request(model, type, NULL, 0, door_went, &self, NULL));
  EXPECT_SEEN(&self, "ask15 ask.done@15:INCOMPLETE went@15:INCOMPLETE ask.error=the command's "
                     "function returned without an answer");
  self.is_quiet = true;
  type = type_named(model, "Odd.fail");
  EXPECT_OK(mainstem_request(model, type, NULL, 0, door_went, &self, NULL));
  EXPECT_SEEN(&self, "went@18:INCOMPLETE");
  door_close(&self);
}

int main(void) { return expect_all(); }

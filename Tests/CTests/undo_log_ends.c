// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* How undo logs end: with their scope, with their context, in a replay; and what is refused. */

#include "undo_logs.h"

/* A log with a command that is open, an undo that runs, or one that waits. */
static void end_in_the_middle(uint32_t threads, bool closes, bool runs) {
  document self;
  outcome of[2], open;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  self.answers_at_once = false;
  if (!runs) request(&self, &open, type_named(self.context, "RequestAdd"), "b");
  request(&self, &of[0], self.undo, "");
  request(&self, &of[1], self.redo, "");
  if (!closes) {
    EXPECT_OK(mainstem_scope_end(self.log));
    EXPECT_EQUAL(self.released, 1);
    if (!runs) answer(&self, 0, "1");
    command(&self, "RequestFind", "c");
    answer(&self, 1, "");
  }
  document_release_kept(&self);
  if (closes) EXPECT_OK(mainstem_context_close(self.context));
  for (size_t i = 0; i < 2; i++) EXPECT(of[i].answers == 1 && of[i].status == MAINSTEM_CANCELLED);
  EXPECT(strstr(self.reports, "\"Undo\"") == NULL);
  if (!closes) document_close(&self);
  EXPECT_EQUAL(self.released, 1);
}

CASE(its_end_cancels_what_is_open, IN_BOTH) {
  end_in_the_middle(threads, false, false);
  end_in_the_middle(threads, false, true);
}

CASE(a_close_cancels_what_is_open, IN_BOTH) {
  end_in_the_middle(threads, true, false);
  end_in_the_middle(threads, true, true);
}

CASE(it_may_be_added_again, IN_BOTH) {
  document self;
  document_open(&self, threads);
  document_add_log(&self, document_rows, 2, 0);
  command(&self, "RequestAdd", "a");
  EXPECT_OK(mainstem_scope_end(self.log));
  document_add_log(&self, document_rows, 2, 0);
  expect_undone(&self, self.undo, MAINSTEM_UNSET);
  EXPECT_TEXT(self.shown, "{\"undo\":\"\",\"redo\":\"\",\"count\":0}");
  EXPECT_EQUAL(self.released, 1);
  self.released = 0;
  document_close(&self);
}

static int calls;

/* Ends the log that calls it: when a command was done, or done again. */
static void end_it(void *user_data, const mainstem_workflow_run *run) {
  document *self = (document *)user_data;
  if (calls-- == 0) EXPECT_OK(mainstem_scope_end(self->log));
  EXPECT_OK(mainstem_workflow_pass(run, "ended", 5));
  EXPECT_EQUAL(self->released, 0); /* It is still being called. */
}

CASE(a_function_may_end_it, IN_BOTH) {
  static const mainstem_undo_log_row rows[] = {{"RequestAdd", "RequestRemove", end_it}};
  document self;
  outcome of;
  for (int before = 0; before < 2; before++) {
    calls = before;
    document_open(&self, threads);
    document_add_log(&self, rows, 1, 0);
    command(&self, "RequestAdd", "a");
    if (before > 0) {
      expect_undone(&self, self.undo, MAINSTEM_OK);
      request(&self, &of, self.redo, "");
      EXPECT(of.answers == 1 && of.status == MAINSTEM_CANCELLED);
    }
    EXPECT_EQUAL(self.released, 1);
    expect_undone(&self, self.undo, MAINSTEM_UNHANDLED);
    document_close(&self);
  }
}

/* A session with everything in it. */
static void play(document *self) {
  outcome of;
  command(self, "RequestAdd", "a");
  EXPECT_OK(send_text(self->context, type_named(self->context, "Both"), "b+c"));
  expect_undone(self, self->undo, MAINSTEM_OK);
  expect_undone(self, self->redo, MAINSTEM_OK);
  expect_undone(self, self->redo, MAINSTEM_UNSET);
  self->answers_at_once = false;
  command(self, "RequestToggle", "d");
  request(self, &of, self->undo, "");
  answer(self, 0, "");
  refuse(self, 1);
  EXPECT_STATUS(of.status, BROKEN);
  request(self, &of, self->undo, "");
  EXPECT_OK(mainstem_pending_cancel(of.pending));
}

static const char *const played =
    "Add(a) Add(b) Add(c) Remove(c) Remove(b) Add(b) Add(c) Toggle(d) Toggle(d) Toggle(d)";

static void replay(uint32_t threads, uint32_t mode) {
  document self, again;
  const char *path = journal_path("undone");
  memset(&self, 0, sizeof self);
  self.answers_at_once = true;
  self.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  document_install(&self);
  document_add_log(&self, document_rows, 2, 0);
  play(&self);
  EXPECT_TEXT(self.requests, played);
  document_release_kept(&self);
  EXPECT_OK(mainstem_context_close(self.context));
  memset(&again, 0, sizeof again);
  again.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  mainstem_replay *replay = replay_open(again.context, path, mode);
  /* The answers from outside are fed. */
  document_install(&again);
  document_add_log(&again, document_rows, 2, 0);
  if (mode == MAINSTEM_REPLAY_VERIFY) again.answers_at_once = true;
  while (again.asked == 0 && strlen(again.requests) < strlen("Add(a) Add(b) Add(c) Remove(c) "
                                                             "Remove(b) Add(b) Add(c)")) {
    uint64_t fed = 0;
    EXPECT_OK(mainstem_replay_step(replay, 1, &fed));
    if (fed == 0) break;
  }
  again.answers_at_once = false;
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT(info.flags & MAINSTEM_REPLAY_ENDED);
  EXPECT_TEXT(again.shown, self.shown);
  EXPECT_TEXT(again.requests, mode == MAINSTEM_REPLAY_VERIFY ? played : "");
  EXPECT_EQUAL(again.made, mode == MAINSTEM_REPLAY_VERIFY ? self.made : 0);
  EXPECT_OK(mainstem_replay_close(replay));
  /* The program goes on: a replay that called it has its log. */
  again.answers_at_once = true;
  expect_undone(&again, again.undo, mode == MAINSTEM_REPLAY_VERIFY ? MAINSTEM_OK : MAINSTEM_UNSET);
  EXPECT_TEXT(again.shown, mode == MAINSTEM_REPLAY_VERIFY
                               ? "{\"undo\":\"RequestAdd\",\"redo\":\"RequestToggle\",\"count\":2}"
                               : "{\"undo\":\"\",\"redo\":\"\",\"count\":0}");
  document_release_kept(&again);
  EXPECT_OK(mainstem_context_close(again.context));
  EXPECT_EQUAL(again.released, 1);
}

CASE(a_session_with_undos_verifies, IN_BOTH) { replay(threads, MAINSTEM_REPLAY_VERIFY); }
CASE(a_muted_replay_shows_it_and_keeps_nothing, IN_BOTH) { replay(threads, MAINSTEM_REPLAY_MUTED); }

static void expect_refused(document *self, const mainstem_undo_log_row *row, const char *message) {
  const mainstem_undo_log_row rows[] = {{"RequestAdd", "RequestRemove", NULL}, *row};
  const mainstem_undo_log_options options = document_options(0);
  mainstem_context *log = self->context;
  EXPECT_STATUS(mainstem_undo_log_add(self->context, "Undo", MAINSTEM_ROWS(rows), &options, self,
                                      document_release, &log),
                MAINSTEM_INVALID);
  EXPECT(log == NULL);
  EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(mistakes_in_rows_are_refused, IN_ONE) {
  document self;
  document_open(&self, threads);
#define REFUSED(message, ...)                                                                      \
  expect_refused(&self, &(mainstem_undo_log_row){__VA_ARGS__}, "mainstem_undo_log_add: " message)
  REFUSED("rows.request: row 1 must not be NULL", .request = NULL);
  REFUSED("rows.undo: row 1 must not be NULL", .request = "RequestFind");
  REFUSED("rows.request: row 1: Told is not a request", .request = "Told");
  REFUSED("rows.undo: row 1: Told is not a request", .request = "RequestFind", .undo = "Told");
  REFUSED("rows.request: row 1 is in another row, too", .request = "RequestAdd",
          .undo = "RequestRemove");
  REFUSED("rows.request: row 1: RequestLater has an answer that was not added yet",
          .request = "RequestLater", .undo = "RequestFind");
  REFUSED("rows.request: row 1: RequestKey is a secret, or its answer is: an undo log keeps none",
          .request = "RequestKey", .undo = "RequestFind");
  REFUSED("rows.undo: row 1: RequestLock is a secret, or its answer is: an undo log keeps none",
          .request = "RequestFind", .undo = "RequestLock");
  REFUSED("rows.fn: row 1 is not set, and the payload passed on would not fit",
          .request = "RequestFind", .undo = "RequestCount");
  REFUSED("rows.request: row 1 is a request that the undo log handles", .request = "RequestUndo",
          .undo = "RequestFind", .fn = pass_answer);
  REFUSED("rows.undo: row 1 is a request that the undo log handles", .request = "RequestFind",
          .undo = "RequestRedo", .fn = pass_answer);
  EXPECT_EQUAL(self.released, 0);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void expect_wrong(document *self, mainstem_status status, const char *message,
                         const char *name, size_t count, const mainstem_undo_log_options *options) {
  EXPECT_STATUS(mainstem_undo_log_add(self->context, name, document_rows, sizeof *document_rows,
                                      count, options, self, document_release, NULL),
                status);
  EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(mistakes_are_refused, IN_ONE) {
  const mainstem_scope_options blind = {.size = sizeof blind,
                                        .flags = MAINSTEM_SCOPE_OBSERVES_NOTHING};
  document self;
  mainstem_undo_log_options options = document_options(0);
  document_open(&self, threads);
#define WRONG(status, message, name, count)                                                        \
  expect_wrong(&self, MAINSTEM_##status, "mainstem_undo_log_add: " message, name, count, &options)
  expect_wrong(&self, MAINSTEM_INVALID, "mainstem_undo_log_add: options: must not be NULL", "U", 1,
               NULL);
  WRONG(INVALID, "name: must not be NULL", NULL, 1);
  WRONG(INVALID, "count: is 0: an undo log keeps commands", "U", 0);
  options.flags = 1;
  WRONG(INVALID, "options.flags: is not 0", "U", 1);
  options.flags = 0;
  options.undo = "RequestAdd";
  WRONG(INVALID, "options.undo: RequestAdd is not a request without a payload, also in its answer",
        "U", 1);
  options.undo = "RequestRedo";
  WRONG(INVALID, "options.redo: is the request that undoes, too", "U", 1);
  options.undo = "RequestUndo";
  options.shown = "Told";
  WRONG(INVALID, "options.shown: Told is not a value that is JSON", "U", 1);
  options.shown = "Undoable";
  /* The server is there already when the observer is refused. */
  EXPECT_OK(mainstem_scope_add(self.context, "Blind", &blind, &self.log));
  EXPECT_STATUS(mainstem_undo_log_add(self.log, "U", document_rows, sizeof *document_rows, 1,
                                      &options, &self, document_release, NULL),
                MAINSTEM_DENIED);
  EXPECT_EQUAL(self.released, 0);
  document_add_log(&self, document_rows, 2, 0);
  WRONG(INVALID,
        "RequestUndo has a handler in the server Undo, and both would run: end that server first, "
        "or mark both handlers with MAINSTEM_HANDLER_SEVERAL",
        "U", 1);
  document_close(&self);
}

int main(void) { return journal_expect_all(); }

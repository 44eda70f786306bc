// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for undo logs: each allocation of what is added, done, undone and done again fails in turn. Each request gets
 * one answer, the value says what the log has, and nothing leaks. This program defines malloc, so it must not be built
 * with a sanitizer.
 */

#include "failing_memory.h"
#include "full_disk.h"
#include "undo_logs.h"

static bool is_warm;
static char big[1 << 20];

static mainstem_status add(document *self) {
  const mainstem_undo_log_options options = document_options(0);
  return mainstem_undo_log_add(self->context, "Undo", MAINSTEM_ROWS(document_rows), &options, self,
                               document_release, &self->log);
}

static int add_fails(uint32_t threads, int which) {
  document self;
  document_open(&self, threads);
  self.log = self.context;
  countdown = which;
  const mainstem_status status = add(&self);
  const int left = countdown;
  countdown = -1;
  EXPECT((self.log != NULL) == (status == MAINSTEM_OK));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY);
  EXPECT_EQUAL(self.released, 0);
  if (status != MAINSTEM_OK) EXPECT_OK(add(&self));
  command(&self, "RequestAdd", "a");
  expect_undone(&self, self.undo, MAINSTEM_OK);
  document_close(&self);
  return left;
}

static void ask(document *self, outcome *of, mainstem_event_type type, const char *text) {
  memset(of, 0, sizeof *of);
  if (mainstem_request(self->context, type, text, strlen(text), get_outcome, of, NULL) !=
      MAINSTEM_OK)
    of->answers = -1;
}

/* A step is done, undone and done again; the store may fail, too, so any of it may have failed. */
static int steps_fail(uint32_t threads, int which) {
  document self;
  outcome of[5];
  document_open(&self, threads);
  EXPECT_OK(add(&self));
  command(&self, "RequestToggle", "before");
  const mainstem_event_type add_type = type_named(self.context, "RequestAdd");
  const mainstem_event_type both = type_named(self.context, "Both");
  self.tolerant = true;
  countdown = which;
  ask(&self, &of[0], add_type, "a");
  mainstem_send(self.context, both, "b+c", 3);
  ask(&self, &of[1], self.undo, "");
  ask(&self, &of[2], self.redo, "");
  ask(&self, &of[3], self.undo, "");
  ask(&self, &of[4], self.undo, "");
  const int left = countdown;
  countdown = -1;
  EXPECT_OK(mainstem_flush(self.context));
  for (size_t i = 0; i < COUNT(of); i++) EXPECT(of[i].answers == 1 || of[i].answers == -1);
  /* Another event, so that what could not be shown is shown; the log does what its value says. */
  self.tolerant = false;
  command(&self, "RequestFind", "x");
  command(&self, "RequestAdd", "d");
  const char *count = strstr(self.shown, "\"count\":");
  EXPECT(count != NULL);
  for (int steps = atoi(count + strlen("\"count\":")); steps > 0; steps--)
    expect_undone(&self, self.undo, MAINSTEM_OK);
  expect_undone(&self, self.undo, MAINSTEM_UNSET);
  document_close(&self);
  return left;
}

/* Calls until nothing is left that can fail; returns how often it failed. */
static int fail_each(int (*call)(uint32_t, int), uint32_t threads) {
  for (int which = 0; which < 500; which++) {
    const long before = blocks;
    const int left = call(threads, which);
    if (is_warm) EXPECT_EQUAL(blocks, before); /* The first round leaves what all contexts use. */
    if (left > 0) return which;
  }
  EXPECT(!"fewer than 500 allocations");
  return 0;
}

CASE(nothing_is_half_done, IN_BOTH) {
  /* Without a failure first: the runtime of Swift makes types when they are first used. */
  add_fails(threads, -1);
  steps_fail(threads, -1);
  for (int round = 0; round < 2; round++) {
    EXPECT(fail_each(add_fails, threads) > 5);
    for (only_one = 0; only_one < 2; only_one++) EXPECT(fail_each(steps_fail, threads) > 20);
    only_one = 0;
    is_warm = true;
  }
}

/* Memory is short when a command is kept: either it can be undone, or nothing can, and a MainstemFailure says so. */
CASE(a_command_that_cannot_be_kept_empties_the_log, IN_BOTH) {
  int told = 0;
  for (int which = 0; which < 60; which++) {
    document self;
    outcome of;
    document_open(&self, threads);
    EXPECT_OK(add(&self));
    command(&self, "RequestToggle", "before");
    const mainstem_event_type add_type = type_named(self.context, "RequestAdd");
    self.tolerant = true;
    only_one = 1;
    countdown = which;
    ask(&self, &of, add_type, "a");
    countdown = -1;
    only_one = 0;
    self.tolerant = false;
    if (of.answers == 1 && of.status == MAINSTEM_OK) {
      const bool is_empty = strstr(self.reports, "the undo log is empty now: ") != NULL;
      told += is_empty;
      expect_undone(&self, self.undo, is_empty ? MAINSTEM_UNSET : MAINSTEM_OK);
      EXPECT((strstr(self.requests, "Remove(a)") == NULL) == is_empty);
    }
    document_close(&self);
  }
  EXPECT(told > 1);
}

/* What undoes a command cannot be recorded: the context stops, nothing is told, and nothing leaks. */
static void stop(uint32_t threads, const char *path) {
  document self;
  outcome of;
  mainstem_journal_options options = {.size = sizeof options,
                                      .durability = MAINSTEM_JOURNAL_PROCESS};
  document_open(&self, threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, &options));
  EXPECT_OK(add(&self));
  command(&self, "RequestAdd", "a");
  self.answers_at_once = false;
  request(&self, &of, self.undo, "");
  disk_fill();
  const mainstem_status stopped = mainstem_respond(kept_event(self.kept[0]), big, sizeof big);
  document_release_kept(&self);
  mainstem_context_close(self.context);
  disk_has_room();
  EXPECT_STATUS(stopped, MAINSTEM_NO_SPACE);
  EXPECT_EQUAL(of.answers, 0);
  EXPECT_EQUAL(self.released, 1);
}

CASE(a_disk_may_be_full, IN_BOTH) { disk_expect_no_leak(stop, threads); }

int main(void) { return journal_expect_all(); }

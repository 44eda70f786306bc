// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What a secret leaves in memory once its events are gone: nothing. Each case lets a password take one way
 * through a context, with all the copies that this way needs, and then looks for it in all of the process's
 * own memory; once more with a journal, in which it must not be either; and in a core dump.
 */

#include "secret_ways.h"

#include <sys/prctl.h>

/* The search itself: it sees a copy on the heap, and no longer when that is overwritten. */
CASE(the_search_finds_a_copy, IN_ONE) {
  char *copy = (char *)malloc(1000);
  EXPECT(copy != NULL);
  EXPECT_EQUAL(copies(), 0);
  password_write(copy + 123);
  EXPECT_EQUAL(copies(), 1);
  password_forget(copy, 1000);
  EXPECT_EQUAL(copies(), 0);
  free(copy);
}

static const char *journal;

/* Secrets, recorded where that is wanted. */
static stream secrets(uint32_t threads) {
  stream opened = secrets_open(threads);
  if (journal == NULL) return opened;
  unlink(journal);
  EXPECT_OK(mainstem_journal_record(opened.context, journal, NULL));
  return opened;
}

/* Twice: nothing is left when it has come to its end, and nothing when the context is closed before. */
static void play(const way *way, uint32_t threads) {
  trip self = {.way = way, .on = secrets(threads)};
  expect_sentence = way->name;
  if (way->prepare != NULL) way->prepare(&self);
  for (int turn = 0; turn < 2; turn++) {
    way->go(&self);
    if (way->waits) EXPECT(copies() > 0);
    if (turn == 1) break;
    way->end(&self);
    EXPECT_EQUAL(self.calls, way->calls);
    EXPECT_EQUAL(copies(), 0);
  }
  EXPECT_OK(mainstem_context_close(self.on.context));
  EXPECT_EQUAL(copies(), 0);
}

CASE(each_way_leaves_nothing, IN_BOTH) {
  for (size_t i = 0; i < COUNT(ways); i++) play(&ways[i], threads);
}

static void in_no_journal(void *user_data, const mainstem_event_header *header, const void *data) {
  EXPECT_EQUAL(password_find((const char *)data, header->size), -1);
  if (header->flags & MAINSTEM_EVENT_WITHHELD) {
    ++*(int *)user_data;
    EXPECT_EQUAL(header->size, 0);
    EXPECT_EQUAL(header->status, 0);
  }
}

/* What was an event of a secret type is in the journal as a mark. */
CASE(a_journal_leaves_nothing_and_has_nothing, IN_BOTH) {
  journal = journal_path("secrets");
  for (size_t i = 0; i < COUNT(ways); i++) {
    int withheld = 0;
    play(&ways[i], threads);
    journal_each(journal, in_no_journal, &withheld);
    EXPECT(withheld > 0);
  }
  journal = NULL;
}

CASE(a_timer_leaves_nothing, IN_BOTH) {
  trip self = {.way = NULL};
  stream *on = &self.on;
  mainstem_timer *once, *often, *never;
  char password[PASSWORD_SIZE];
  on->context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  on->notice = type_open(on->context, "Typed", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
  observe_notice(&self);
  observe_on_host(&self);
  password_write(password);
  EXPECT_OK(mainstem_send_after(on->context, on->notice, password, sizeof password, 5, 0, &once));
  EXPECT_OK(mainstem_send_after(on->context, on->notice, password, sizeof password, 7, 7, &often));
  EXPECT_OK(
      mainstem_send_after(on->context, on->notice, password, sizeof password, 900, 0, &never));
  password_forget(password, sizeof password);
  EXPECT_OK(mainstem_context_advance(on->context, 20));
  EXPECT_OK(mainstem_timer_cancel(often));
  EXPECT(self.calls >= 3);
  EXPECT(copies() > 0);
  EXPECT_OK(mainstem_timer_cancel(never));
  EXPECT_EQUAL(copies(), 0);
  EXPECT_OK(mainstem_context_close(on->context));
  EXPECT_EQUAL(copies(), 0);
}

/* Twice: the last word counts. */
static void supply_it(void *user_data, const mainstem_event *event) {
  char password[PASSWORD_SIZE];
  for (int i = 0; i < 2; i++) {
    password_write(password);
    EXPECT_OK(supply(*(mainstem_replay **)user_data, password, sizeof password));
    password_forget(password, sizeof password);
  }
}

CASE(what_a_replay_was_supplied_leaves_nothing, IN_BOTH) {
  mainstem_replay_options options = {.size = sizeof options};
  trip self = {.on = secrets(threads)};
  journal = journal_path("supplied");
  EXPECT_OK(mainstem_journal_record(self.on.context, journal, NULL));
  for (int i = 0; i < 3; i++) send_it(&self);
  EXPECT_OK(mainstem_context_close(self.on.context));
  for (options.mode = MAINSTEM_REPLAY_MUTED; options.mode <= MAINSTEM_REPLAY_VERIFY;
       options.mode++) {
    mainstem_context *context = self.on.context = context_open(threads);
    mainstem_replay *replay;
    self.calls = 0;
    EXPECT_OK(mainstem_replay_open(context, journal, &options, &replay));
    self.on.notice = type_open(context, "Typed", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL);
    observe_notice(&self);
    observe_on_host(&self);
    EXPECT_OK(mainstem_replay_on_secret(replay, supply_it, &replay, NULL));
    EXPECT_OK(mainstem_replay_step(replay, 2, NULL));
    EXPECT(copies() > 0); /* They wait for the host. */
    drain(&self);
    EXPECT_EQUAL(copies(), 0);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(self.calls, 5); /* The last one was dropped. */
    EXPECT_EQUAL(copies(), 0);
  }
  journal = NULL;
}

/* What a debugger writes down of the process. Where there is none, that is said. */
CASE(a_core_dump_has_none, IN_ONE) {
  const way answered = {.filling = 40, ON_HOST};
  trip self = {.way = &answered, .on = secrets_open(threads)};
  const char *path = journal_path("core");
  char sure[60], command[400];
  int is_sure;
  serve(&self);
  ask_it(&self);
  post_it(&self);
  drain(&self);
  EXPECT_EQUAL(self.calls, 2);
  snprintf(sure, sizeof sure, "the stack of process %d is here", (int)getpid());
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  snprintf(command, sizeof command, "gcore -o %s %d >%s.log 2>&1", path, (int)getpid(), path);
  if (system(command) == 0) {
    snprintf(command, sizeof command, "%s.%d", path, (int)getpid());
    EXPECT_EQUAL(count_in_file(command, sure, &is_sure), 0);
    EXPECT(is_sure);
  } else {
    fprintf(stderr,
            "NOT LOOKED AT: a core dump. There is no gcore, or it may not see this process.\n");
  }
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for gates: each allocation of an add, and of a request that meets an expired session, fails in turn. The
 * requester gets one answer, and nothing leaks. This program defines malloc, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "full_disk.h"
#include "journal.h"

enum { EXPIRED = MAINSTEM_APP + 401 };

static int answers, asked;
static mainstem_status answered;
static mainstem_context *site;

static void answer_site(void *user_data, const mainstem_event *event) {
  if (asked++ == 0) mainstem_respond_error(event, EXPIRED, "expired");
  else mainstem_respond(event, "news", 4);
}

static void answer_refresh(void *user_data, const mainstem_event *event) {
  mainstem_respond(event, NULL, 0);
}

static void get_answer(void *user_data, const mainstem_event *event) {
  answers++;
  answered = event->status;
}

static const mainstem_gate_row ways[] = {{"RequestAsk", "RequestSite"}};

static mainstem_status add_gate(mainstem_context *context, mainstem_context **gate) {
  return mainstem_gate_add(
      context, "Gate", MAINSTEM_ROWS(ways),
      OPTIONS(gate, .open = "Open", .refresh = "RequestRefresh", .expired = EXPIRED), gate);
}

/* With a path, it is recorded. */
static stream program(uint32_t threads, const char *path) {
  stream on = stream_open(threads);
  mainstem_journal_options options = {.size = sizeof options,
                                      .durability = MAINSTEM_JOURNAL_PROCESS};
  if (path != NULL) EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  const bool is_open = true;
  type_open(on.context, "RequestSite", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  type_open(on.context, "ResponseDone", MAINSTEM_PAYLOAD_NONE, NULL);
  type_open(on.context, "RequestRefresh", MAINSTEM_PAYLOAD_NONE, "ResponseDone");
  mainstem_event_type open =
      type_open(on.context, "Open", MAINSTEM_PAYLOAD_BOOL | MAINSTEM_ROLE_VALUE, NULL);
  site = serve_one(on.context, "Site", "RequestSite", answer_site, NULL);
  serve_one(on.context, "Session", "RequestRefresh", answer_refresh, NULL);
  EXPECT_OK(mainstem_value_set(on.context, open, &is_open, 1));
  return on;
}

static int add_fails(uint32_t threads, int which) {
  stream on = program(threads, NULL);
  mainstem_context *gate = on.context;
  countdown = which;
  mainstem_status status = add_gate(on.context, &gate);
  int left = countdown;
  countdown = -1;
  EXPECT((gate != NULL) == (status == MAINSTEM_OK));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY);
  if (status != MAINSTEM_OK) EXPECT_OK(add_gate(on.context, &gate));
  EXPECT_OK(mainstem_context_close(on.context));
  return left;
}

static int request_fails(uint32_t threads, int which) {
  stream on = program(threads, NULL);
  mainstem_context *gate;
  EXPECT_OK(add_gate(on.context, &gate));
  answers = asked = 0;
  countdown = which;
  mainstem_status status = mainstem_request(on.context, on.ask, "?", 1, get_answer, NULL, NULL);
  int left = countdown;
  countdown = -1;
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY);
  EXPECT_EQUAL(answers, status == MAINSTEM_OK);
  EXPECT(answers == 0 || answered == MAINSTEM_OK || answered == MAINSTEM_NO_MEMORY ||
         answered == EXPIRED || answered == MAINSTEM_INCOMPLETE);
  /* The gate is as good as new. */
  answers = asked = 0;
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, get_answer, NULL, NULL));
  EXPECT(answers == 1 && answered == MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(on.context));
  return left;
}

static bool is_warm;

static int fail_each(int (*call)(uint32_t, int), uint32_t threads) {
  for (int which = 0; which < 400; which++) {
    long before = blocks;
    int left = call(threads, which);
    if (is_warm) EXPECT_EQUAL(blocks, before); /* The first round leaves what all contexts use. */
    if (left > 0) return which;
  }
  EXPECT(!"fewer than 400 allocations");
  return 0;
}

/* Ends a gate that keeps requests, and closes the context. */
static void end_with_requests(uint32_t threads) {
  stream on = program(threads, NULL);
  const bool is_open = false;
  mainstem_context *gate;
  EXPECT_OK(mainstem_value_set(on.context, type_named(on.context, "Open"), &is_open, 1));
  EXPECT_OK(add_gate(on.context, &gate));
  answers = 0;
  for (int i = 0; i < 3; i++)
    EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, get_answer, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(gate));
  EXPECT_EQUAL(answers, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(its_end_frees_what_it_keeps, IN_BOTH) {
  end_with_requests(threads);
  long before = blocks;
  end_with_requests(threads);
  EXPECT_EQUAL(blocks, before);
}

CASE(nothing_is_half_done, IN_BOTH) {
  /* Without a failure first: the runtime of Swift makes types when they are first used. */
  add_fails(threads, -1);
  request_fails(threads, -1);
  for (int round = 0; round < 2; round++) {
    EXPECT(fail_each(add_fails, threads) > 5);
    for (only_one = 0; only_one < 2; only_one++) EXPECT(fail_each(request_fails, threads) > 10);
    only_one = 0;
    is_warm = true;
  }
}

static mainstem_retained *kept;

static void keep(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, &kept));
}

/* The answer to what was passed on cannot be recorded: the context stops, and nothing leaks. */
static void stop(uint32_t threads, const char *path) {
  stream on = program(threads, path);
  mainstem_context *gate;
  static char big[1 << 20];
  answers = 0;
  EXPECT_OK(add_gate(on.context, &gate));
  EXPECT_OK(mainstem_scope_end(site));
  serve_one(on.context, "Keeper", "RequestSite", keep, NULL);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, get_answer, NULL, NULL));
  disk_fill();
  const mainstem_status stopped = mainstem_respond(kept_event(kept), big, sizeof big);
  mainstem_retained_release(kept);
  mainstem_context_close(on.context);
  disk_has_room();
  EXPECT_STATUS(stopped, MAINSTEM_NO_SPACE);
  EXPECT_EQUAL(answers, 0);
}

CASE(a_disk_may_be_full, IN_BOTH) { disk_expect_no_leak(stop, threads); }

int main(void) { return journal_expect_all(); }

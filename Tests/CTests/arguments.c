// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-14, FAULTS section 4: 10^5 random argument tuples over every function, each argument
 * from a set of nasty values: a status each time, never a crash, and the context works afterwards.
 * The number of tuples may be given as the argument. They are others from commit to commit (turn.h).
 */

#include "argument_calls.h"
#include "argument_journals.h"
#include "argument_navigator.h"
#include "argument_queries.h"
#include "argument_scopes.h"
#include "journal_bytes.h"
#include "turn.h"

static mainstem_status show_nothing(void *user_data, mainstem_context *server,
                                    const mainstem_event_type *types) {
  (void)user_data, (void)server, (void)types;
  return MAINSTEM_OK;
}

static void tuple_of_a_number(void) {
  mainstem_context *made;
  const char *text;
  uint64_t found = 0;
  mainstem_scope_number(handle(), pick(9) ? &found : NULL);
  mainstem_scope_find(handle(), pick(3) ? found : number(), pick(9) ? &made : NULL,
                      pick(2) ? &text : NULL);
}

static mainstem_status make_nothing(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  return scope == NULL;
}

static void tuple_of_an_owner(void) {
  mainstem_pending *pending;
  const char *text = name();
  mainstem_factory_add(handle(), name(), number(), pick(9) ? make_nothing : NULL, NULL, NULL);
  mainstem_instance_open(handle(), name(), text, text == NULL ? 0 : strlen(text), NULL, NULL,
                         pick(3) ? &pending : NULL);
}

static void tuple_of_contexts(void) {
  mainstem_context_options options = {
      .size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
      .threads = (uint32_t)pick(3),
      .flags = (uint32_t)pick(4),
      .clock = (uint32_t)pick(3),
      .limit_payload = pick(4) ? 0 : ~0ull};
  mainstem_context *made = NULL;
  mainstem_handler_row rows[2] = {{name(), fn(), 0}, {name(), fn(), 0}};
  mainstem_context_stats stats;
  const char *text;
  int fd;
  int64_t time;
  uint64_t number_read;
  char id[MAINSTEM_ID_SIZE];
  stats.size = (uint32_t)(pick(2) ? sizeof stats : pick(sizeof stats + 9));
  if (pick(16) == 0) tuple_of_a_journal();
  if (pick(16) == 0) tuple_of_a_replay();
  if (pick(8) == 0) tuple_of_a_router();
  if (pick(8) == 0) tuple_of_a_query();
  if (pick(16) == 0) tuple_of_a_number();
  if (pick(16) == 0) tuple_of_an_owner();
  switch (pick(17)) {
  case 0:
  case 1:
    mainstem_context_create(pick(3) ? &options : NULL, pick(9) ? &made : NULL);
    note_context(made);
    break;
  case 2:
    mainstem_context_close(other_than_home());
    break;
  case 3:
    mainstem_context_first_error(handle(), pick(2) ? &text : NULL);
    break;
  case 4:
    mainstem_context_stats_read(handle(), pick(9) ? &stats : NULL);
    if (pick(20) == 0) mainstem_context_describe(handle(), pick(4) ? ignore_line : NULL, NULL);
    break;
  case 5:
    mainstem_scope_add(handle(), name(), NULL, pick(9) ? &made : NULL);
    break;
  case 6:
    mainstem_scope_end(other_than_home());
    break;
  case 7:
    mainstem_server_add(handle(), name(), pick(9) ? rows : NULL,
                        pick(2) ? sizeof rows[0] : (size_t)pick(16), (size_t)pick(3), NULL, NULL,
                        pick(3) ? &made : NULL);
    break;
  case 16: {
    mainstem_server_options how = {(uint32_t)(pick(4) ? sizeof how : pick(40)),
                                   (uint32_t)(pick(4) ? 0 : number()),
                                   (uint32_t)pick(4),
                                   (uint32_t)pick(6),
                                   (size_t)pick(4),
                                   (size_t)number(),
                                   pick(3) ? show_nothing : NULL,
                                   NULL};
    mainstem_server_add_with(handle(), name(), pick(9) ? rows : NULL, sizeof rows[0],
                             (size_t)pick(3), pick(9) ? &how : NULL, NULL, NULL,
                             pick(3) ? &made : NULL);
    break;
  }
  case 8:
    mainstem_context_fd(handle(), pick(9) ? &fd : NULL);
    break;
  case 9:
    mainstem_context_now(handle(), pick(9) ? &time : NULL);
    break;
  case 10:
    mainstem_context_advance(handle(), pick(3) ? (int64_t)pick(100) : -(int64_t)pick(9));
    break;
  case 11:
    mainstem_context_next_timeout(handle(), pick(9) ? &time : NULL);
    break;
  case 12:
    mainstem_context_on_wake(handle(), NULL, NULL, NULL);
    break;
  case 13:
    mainstem_context_random(handle(), pick(9) ? &number_read : NULL);
    break;
  case 15:
    mainstem_callback_position(handle(), pick(9) ? &number_read : NULL);
    break;
  case 14:
    mainstem_context_id(handle(), pick(9) ? id : NULL);
    break;
  default:
    mainstem_wait(handle(), pick(2) ? 0 : 1);
    mainstem_wait_interruptible(handle(), pick(2) ? 0 : 1, (int)pick(64) - 1);
    break;
  }
  note(made);
}

static void tuple_of_the_rest(void) {
  const mainstem_event *event;
  uint64_t position;
  mainstem_error error = {(uint32_t)pick(50), (int32_t)number(), name(), name(), name()};
  switch (pick(10)) {
  case 0:
    EXPECT(mainstem_version() != 0);
    break;
  case 1:
    EXPECT(mainstem_status_name((int32_t)number()) != NULL);
    break;
  case 2:
    EXPECT(mainstem_last_error() != NULL);
    break;
  case 3:
    mainstem_retained_event(handle(), pick(9) ? &event : NULL);
    break;
  case 4:
    mainstem_retained_release(handle());
    break;
  case 5:
    mainstem_pending_cancel(handle());
    break;
  case 6:
    mainstem_pending_position(handle(), pick(9) ? &position : NULL);
    break;
  case 7:
    mainstem_respond_error(NULL, (int32_t)number(), name());
    break;
  case 8:
    mainstem_respond_error_with(NULL, pick(2) ? &error : NULL);
    break;
  default:
    mainstem_fail(NULL, (int32_t)number(), name());
    break;
  }
}

static void tuple(void) {
  switch (pick(9)) {
  case 7:
    tuple_of_a_navigator();
    break;
  case 8:
    tuple_of_scopes();
    break;
  case 0:
    tuple_of_types();
    break;
  case 1:
    tuple_of_sends();
    break;
  case 2:
    tuple_of_observers();
    break;
  case 3:
    tuple_of_contexts();
    break;
  case 4:
    tuple_of_journals();
    break;
  case 5:
    tuple_of_bindings();
    break;
  default:
    tuple_of_the_rest();
    break;
  }
}

/* Inside a callback: every call once more, and those that take an event. */
static void tuples_inside(void *user_data, const mainstem_event *event) {
  if (pick(3) == 0) tuple();
  if (pick(4) == 0) tuple_of_a_navigator_event(event);
  tuple_of_an_event(event);
}

static long tuples = 100000;

static void write_journal(void) {
  journal_bytes bytes = journal_file(1, NULL);
  journal_session(&bytes, 0);
  journal_type(&bytes, 1, MAINSTEM_PAYLOAD_TEXT, "RequestA", "ResponseA");
  for (int i = 0; i < 5; i++) journal_event(&bytes, 1, "text", 4);
  snprintf(journal_there, sizeof journal_there, "%s", journal_path("arguments"));
  journal_write(&bytes, journal_there);
  journal_free(&bytes);
}

/* It works as ever, whatever was called; then it ends. */
static void close_one(mainstem_context *context) {
  mainstem_event_type last = type_open(context, "AtLast", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_send(context, last, "", 0));
  EXPECT_OK(mainstem_context_close(context));
}

CASE(no_tuple_crashes, IN_BOTH) {
  mainstem_context *homes[8] = {NULL}; /* What is kept of each slows the next tuples down. */
  memset(handles, 0, sizeof handles);
  for (long i = 0; i < tuples; i++) {
    if (i % 2000 == 0) { /* A fresh home: chains must not pile up. */
      mainstem_context **place = &homes[i / 2000 % (long)COUNT(homes)];
      if (*place != NULL) close_one(*place);
      *place = home = context_open(threads);
      if (pick(2)) add_navigator();
      type_open(home, "RequestA", MAINSTEM_PAYLOAD_TEXT, "ResponseA");
      type_open(home, "ResponseA", MAINSTEM_PAYLOAD_TEXT, NULL);
      EXPECT_OK(mainstem_observe(home, 0, tuples_inside, NULL, NULL, NULL));
    }
    tuple();
  }
  for (size_t i = 0; i < COUNT(homes); i++)
    if (homes[i] != NULL) close_one(homes[i]);
  close_others();
}

int main(int count, char **arguments) {
  memset(most_name, 'n', sizeof most_name - 1);
  memset(long_name, 'n', sizeof long_name - 1);
  if (count > 1) tuples = atol(arguments[1]);
  state += turn(SIZE_MAX);
  write_journal();
  expect_run(240 + (unsigned)(tuples / 1000));
  unlink(journal_there);
  rmdir(journal_path(""));
  return 0;
}

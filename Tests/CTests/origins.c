// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What a context keeps of scopes that have ended: nothing, but for the names of those that something names. The
 * argument says how many scopes are opened and ended, a million without; memory is looked at with no fewer.
 */

#include "journal_bytes.h"
#include "scheduled.h"

static unsigned scopes = 1000000;

static long resident_kib(void) {
  char text[100];
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL && fgets(text, sizeof text, file) != NULL && fclose(file) == 0);
  EXPECT_EQUAL(sscanf(text, "%ld %ld", &total, &resident), 2);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Memory after the first tenth, and what has come to it since. */
typedef struct flatness {
  long warm_kib;
} flatness;

static void expect_flat(flatness *self, unsigned done) {
  if (done == scopes / 10) self->warm_kib = resident_kib();
  if (done < scopes || scopes < 1000000) return;
  long more = resident_kib() - self->warm_kib;
  if (more > 2048) printf("%ld KiB more\n", more);
  EXPECT(more <= 2048);
}

/* One scope is opened, sends, is found, and ends. */
static void open_and_end(stream *on, const char *name) {
  mainstem_context *scope = NULL, *found = NULL;
  uint64_t number = 0;
  EXPECT_OK(mainstem_scope_add(on->context, name, NULL, &scope));
  EXPECT_OK(mainstem_scope_number(scope, &number));
  EXPECT_OK(mainstem_send(scope, on->notice, "x", 1));
  EXPECT_OK(mainstem_scope_find(on->context, number, &found, NULL));
  EXPECT(found == scope);
  EXPECT_OK(mainstem_scope_end(scope));
}

static const char *name_of(char *buffer, size_t size, unsigned number, int is_same) {
  snprintf(buffer, size, "cell %u", is_same ? 1 : number);
  return buffer;
}

static void churn(stream *on, unsigned count, int is_same) {
  flatness memory = {0};
  char name[40];
  for (unsigned i = 1; i <= count; i++) {
    open_and_end(on, name_of(name, sizeof name, i, is_same));
    if (count == scopes) expect_flat(&memory, i);
  }
}

/* Catches: a name, a number or rights that are kept of each. */
CASE(a_million_leave_a_context_flat, IN_BOTH) {
  for (int is_same = 0; is_same < 2; is_same++) {
    stream on = stream_open(threads);
    churn(&on, scopes, is_same);
    EXPECT_EQUAL(stats_of(on.context).scopes, 0);
    EXPECT_OK(mainstem_context_close(on.context));
  }
}

static void open_inside(void *user_data, const mainstem_event *event) {
  open_and_end((stream *)user_data, "cell");
}

/* Catches: what is kept of each event at which scopes were made. */
CASE(a_million_made_by_events_leave_it_flat, IN_BOTH) {
  stream on = stream_open(threads);
  flatness memory = {0};
  EXPECT_OK(mainstem_observe(on.context, on.other, open_inside, &on, NULL, NULL));
  for (unsigned i = 1; i <= scopes; i++) {
    EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
    expect_flat(&memory, i);
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

static void note_number(void *user_data, const mainstem_event *event) {
  *(uint64_t *)user_data = (uint64_t)mainstem_event_integer(event);
}

static mainstem_status fill(void *user_data, mainstem_context *scope, const mainstem_event *event) {
  return mainstem_observe(scope, *(mainstem_event_type *)user_data, open_inside, NULL, NULL, NULL);
}

/* Catches: a number, a handle or room that is kept of each owner. Every second ends with who asked for it. */
CASE(owners_leave_it_flat, IN_BOTH) {
  stream on = stream_open(threads);
  flatness memory = {0};
  EXPECT_OK(mainstem_factory_add(on.context, "Cell", MAINSTEM_PAYLOAD_NONE, fill, &on.other, NULL));
  for (unsigned i = 1; i <= scopes; i++) {
    mainstem_context *view = NULL, *cell = NULL;
    uint64_t number = 0;
    view = scope_open(on.context, "View");
    EXPECT_OK(mainstem_instance_open(view, "Cell", NULL, 0, note_number, &number, NULL));
    EXPECT_OK(mainstem_scope_find(on.context, number, &cell, NULL));
    EXPECT(cell != NULL);
    if (i % 2) EXPECT_OK(mainstem_scope_end(cell));
    EXPECT_OK(mainstem_scope_end(view));
    expect_flat(&memory, i);
  }
  EXPECT_EQUAL(stats_of(on.context).scopes, 1);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an end that looks at all others: a tenth of the scopes live at a time, which would take hours. */
CASE(the_end_of_one_costs_what_it_owns, IN_BOTH) {
  stream on = stream_open(threads);
  const unsigned count = scopes / 10;
  mainstem_context **live = (mainstem_context **)calloc(count, sizeof *live), *found;
  uint64_t *numbers = (uint64_t *)calloc(count, sizeof *numbers);
  EXPECT(live != NULL && numbers != NULL);
  for (unsigned i = 0; i < count; i++) {
    live[i] = scope_open(on.context, "cell");
    EXPECT_OK(mainstem_scope_number(live[i], &numbers[i]));
  }
  for (unsigned step = 0; step < count; step++) {
    unsigned i = (unsigned)((step * 7919ull) % count);
    if (live[i] == NULL) continue;
    EXPECT_OK(mainstem_scope_find(on.context, numbers[i], &found, NULL));
    EXPECT(found == live[i]);
    EXPECT_OK(mainstem_scope_end(live[i]));
  }
  EXPECT_EQUAL(stats_of(on.context).scopes, 0);
  free(live);
  free(numbers);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* The highest number of an origin that a journal's events have; every name is the one that was sent through. */
static uint32_t highest_origin(const char *path, unsigned wanted) {
  mainstem_journal *journal;
  const mainstem_event *event;
  const char *name;
  char expected[40];
  uint32_t highest = 0;
  flatness memory = {0};
  unsigned count = 0;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) {
    if (event->origin > highest) highest = event->origin;
    expect_flat(&memory, ++count);
    EXPECT_OK(mainstem_journal_origin_name(journal, event->origin, &name));
    EXPECT_TEXT(name, name_of(expected, sizeof expected, count, 0));
  }
  EXPECT_EQUAL(count, wanted);
  EXPECT_OK(mainstem_journal_close(journal));
  return highest;
}

typedef struct repetition {
  unsigned count;
  flatness memory;
} repetition;

static void see_again(void *user_data, const mainstem_event *event) {
  repetition *self = (repetition *)user_data;
  const char *name;
  char expected[40];
  self->count++;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  EXPECT_TEXT(name, name_of(expected, sizeof expected, self->count, 0));
  expect_flat(&self->memory, self->count);
}

static void replay_all(const char *path, uint32_t mode) {
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  repetition seen = {0};
  mainstem_replay *replay;
  uint64_t fed = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, see_again, &seen, NULL, NULL));
  EXPECT_OK(mainstem_replay_open(on.context, path, OPTIONS(replay, .mode = mode), &replay));
  EXPECT_OK(mainstem_replay_step(replay, 0, &fed));
  EXPECT_EQUAL(fed, scopes);
  EXPECT_EQUAL(seen.count, scopes);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: what the writer, a reader or a replay keeps of each; a number that means two scopes at a time. */
CASE(a_million_are_recorded_and_replayed_in_flat_memory, IN_BOTH) {
  stream on = stream_open(threads);
  char path[600];
  snprintf(path, sizeof path, "%s", journal_path("scopes"));
  EXPECT_OK(mainstem_journal_record(on.context, path,
                                    OPTIONS(journal, .durability = MAINSTEM_JOURNAL_BUFFERED)));
  churn(&on, scopes, 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT(highest_origin(path, scopes) <= 1024);
  if (threads == MAINSTEM_THREADS_ONE) {
    replay_all(path, MAINSTEM_REPLAY_MUTED);
    replay_all(path, MAINSTEM_REPLAY_VERIFY);
  }
  unlink(path);
  rmdir(journal_path(""));
}

static void add_origin(transcript *seen, const mainstem_event *event) {
  const char *name = "?";
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  transcript_add(seen, "%s", name);
}

static void read_origin(void *user_data, const mainstem_event *event) {
  add_origin((transcript *)user_data, event);
}

static void retain(void *user_data, const mainstem_event *event) {
  if (*(mainstem_retained **)user_data == NULL)
    EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

/* Sends through a scope that ends then; many others come and go behind it. */
static void leave(stream *on, const char *name, int posts) {
  mainstem_context *scope = NULL;
  stream others = *on;
  others.notice = on->other;
  EXPECT_OK(mainstem_scope_add(on->context, name, NULL, &scope));
  EXPECT_OK((posts ? mainstem_post : mainstem_send)(scope, on->notice, "x", 1));
  EXPECT_OK(mainstem_scope_end(scope));
  churn(&others, 3000, 0);
}

static void expect_kept_on_queue(uint32_t threads, uint32_t flags, const char *name) {
  stream on = stream_open(threads);
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .flags = flags};
  transcript seen = {0};
  mainstem_subscription *subscription =
      observe_on(on.context, on.notice, &how, read_origin, &seen, NULL);
  leave(&on, name, 0);
  if (flags & MAINSTEM_OBSERVE_ON_DEMAND) EXPECT_OK(mainstem_subscription_demand(subscription, 1));
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, name);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(a_name_is_kept_as_long_as_an_event_waits_that_has_it, IN_BOTH) {
  stream on = stream_open(threads), others;
  transcript seen = {0}, late = {0};
  mainstem_retained *retained = NULL;
  const char *name;
  expect_kept_on_queue(threads, 0, "Queue");
  expect_kept_on_queue(threads, MAINSTEM_OBSERVE_ON_DEMAND, "Parked");
  EXPECT_OK(mainstem_history_keep(on.context, on.notice, 1, 0));
  EXPECT_OK(mainstem_observe(on.context, on.notice, read_origin, &seen, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, retain, &retained, NULL, NULL));
  leave(&on, "Post", 1);
  drained(on.context, 0);
  EXPECT_TEXT(seen.text, "Post");
  others = on;
  others.notice = on.other;
  churn(&others, 3000, 0);
  EXPECT_OK(mainstem_observe(on.context, on.notice, read_origin, &late, NULL, NULL));
  EXPECT_TEXT(late.text, "Post");
  const mainstem_event *event = kept_event(retained);
  EXPECT_OK(mainstem_origin_name(on.context, event->origin, &name));
  EXPECT_TEXT(name, "Post");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* A number is not another's while somebody could have written it down; it is forgotten. */
static uint32_t first_origin;

static void note_first(void *user_data, const mainstem_event *event) {
  if (first_origin == 0) first_origin = event->origin;
}

CASE(a_forgotten_number_is_no_origin, IN_BOTH) {
  stream on = stream_open(threads);
  const char *name;
  first_origin = 0;
  EXPECT_OK(mainstem_observe(on.context, on.notice, note_first, NULL, NULL, NULL));
  churn(&on, 100, 0);
  EXPECT_OK(mainstem_origin_name(on.context, first_origin, &name));
  EXPECT_TEXT(name, "cell 1");
  churn(&on, 3000, 0);
  EXPECT_STATUS(mainstem_origin_name(on.context, first_origin, &name), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* A thread of a serial scheduler runs callbacks all the time: still no more is kept. */
static void idle(void *user_data, const mainstem_event *event) {
  const char *name;
  EXPECT_OK(mainstem_origin_name(event->context, event->origin, &name));
  EXPECT(strncmp(name, "cell ", 5) == 0);
}

CASE(callbacks_on_other_threads_keep_their_names, IN_ONE) {
  stream on = stream_open(MAINSTEM_THREADS_ANY);
  scheduled how = {.policy = MAINSTEM_QUEUE_BLOCK, .limit_events = 1000};
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &how.scheduler));
  observe_on(on.context, on.notice, &how, idle, NULL, NULL);
  churn(&on, scopes, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(int count, char **arguments) {
  if (count > 1) scopes = (unsigned)atoi(arguments[1]);
  return expect_all();
}

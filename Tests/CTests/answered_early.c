// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * An answer that another thread has given settles its request, but waits for a drain. What callbacks find out meanwhile, a
 * verification finds out, too, although it gets the answer later.
 */

#include "asking.h"
#include "elsewhere.h"
#include "journal.h"
#include "reactors.h"

/* A program whose callbacks do what a notice says, letter by letter, and tell how that went. */
typedef struct program {
  stream on;
  mainstem_event_type value, step;
  mainstem_context *room;
  keeper kept;
  mainstem_pending *pending;
  mainstem_subscription *over;
  int replays, answers, steps, answers_in_handler;
  char told[200];
} program;

static void tell(program *self, char what, int how) {
  char text[40];
  snprintf(text, sizeof text, "%c%d ", what, how);
  strncat(self->told, text, sizeof self->told - strlen(self->told) - 1);
  EXPECT_OK(send_text(self->on.context, self->on.other, text));
}

static void answered(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->answers++;
  tell(self, 'A', event->status);
}

static void progressed(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->steps++;
  tell(self, 'P', 0);
}

static void *give_step(void *data) {
  program *self = (program *)data;
  EXPECT_OK(mainstem_respond_progress(keeper_event(&self->kept, 0), self->step, "s", 1));
  return NULL;
}

static void *give_answer(void *data) {
  program *self = (program *)data;
  EXPECT_OK(mainstem_respond(keeper_event(&self->kept, 0), "!", 1));
  EXPECT_STATUS(mainstem_respond(keeper_event(&self->kept, 0), "?", 1), MAINSTEM_STALE);
  return NULL;
}

static void *post_other(void *data) {
  const program *self = (const program *)data;
  EXPECT_OK(mainstem_post(self->on.context, self->step, "o", 1));
  return NULL;
}

static void keep(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  keeper_keep(&self->kept, event);
  if (self->answers_in_handler && !self->replays) elsewhere(give_answer, self);
}

static mainstem_status ask(program *self) {
  return mainstem_request_with(self->room, self->on.ask, "?", 1,
                               OPTIONS(request, .progress = progressed), answered, self, NULL,
                               &self->pending);
}

static int open_requests(const program *self) {
  uint64_t open = 9;
  EXPECT_OK(mainstem_request_count(self->on.context, self->on.ask, &open));
  return (int)open;
}

static int act(program *self, char what) {
  const mainstem_event *kept = self->kept.count > 0 ? keeper_event(&self->kept, 0) : NULL;
  uint64_t position;
  switch (what) {
  case 'a':
    return ask(self);
  case 'c':
    return mainstem_pending_cancel(self->pending);
  case 'w':
    return mainstem_pending_position(self->pending, &position);
  case 'r':
    return mainstem_respond(kept, "here", 4);
  case 'p':
    return mainstem_respond_progress(kept, self->on.notice, "", 0);
  case 'e':
    return mainstem_scope_end(self->room);
  case 'n':
    return open_requests(self);
  case 'x':
    return mainstem_cancel(self->over);
  default:
    return 0;
  }
}

static void act_by_letters(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  const char *letters = (const char *)event->data;
  for (uint32_t index = 0; index < event->size; index++) {
    const int is_elsewhere = letters[index] == 't' || letters[index] == 'o';
    if (!is_elsewhere) tell(self, letters[index], act(self, letters[index]));
    else if (!self->replays) elsewhere(letters[index] == 't' ? give_answer : post_other, self);
  }
}

static void program_open(program *self, uint32_t threads, uint32_t flags) {
  memset(self, 0, sizeof *self);
  self->on = stream_of(CONTEXT_WITH(.threads = threads, .flags = flags));
  mainstem_context *const context = self->on.context;
  self->value = type_open(context, "Value", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_VALUE, NULL);
  self->step = type_open(context, "Step", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->room = scope_open(context, "Room");
  EXPECT_OK(mainstem_observe(context, self->on.other, progressed, self, NULL, &self->over));
  EXPECT_OK(mainstem_cancel(self->over));
  EXPECT_OK(mainstem_observe(context, self->on.notice, act_by_letters, self, NULL, NULL));
  serve_one(context, "Keeper", "RequestAsk", keep, self);
}

static void program_record(program *self, uint32_t threads, uint32_t flags, const char *path) {
  program_open(self, threads, flags);
  EXPECT_OK(mainstem_journal_record(self->on.context, path, NULL));
}

static uint64_t program_close(program *self) {
  const uint64_t events = stats_of(self->on.context).events;
  while (self->kept.count > 0)
    EXPECT_OK(mainstem_retained_release(self->kept.kept[--self->kept.count]));
  EXPECT_OK(mainstem_context_close(self->on.context));
  return events;
}

static void say(program *self, const char *letters) {
  EXPECT_OK(send_text(self->on.context, self->on.notice, letters));
}

static void drain(program *self) { EXPECT_OK(mainstem_drain(self->on.context, 0, NULL)); }

static mainstem_replay *verify_up_to(program *self, const char *path, uint64_t position) {
  self->replays = 1;
  mainstem_replay *replay = replay_open(self->on.context, path, MAINSTEM_REPLAY_VERIFY);
  if (position > 0) EXPECT_OK(mainstem_replay_seek(replay, position));
  else EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  return replay;
}

/* Closes the recorded program, and verifies that another one does and is told the same. */
static void verify_again(program *self, uint32_t threads, uint32_t flags, const char *path) {
  const uint64_t events = program_close(self);
  program again;
  program_open(&again, threads, flags);
  again.answers_in_handler = self->answers_in_handler;
  EXPECT_OK(mainstem_replay_close(verify_up_to(&again, path, 0)));
  EXPECT_TEXT(again.told, self->told);
  EXPECT_EQUAL(again.answers, self->answers);
  EXPECT_EQUAL(again.steps, self->steps);
  EXPECT_EQUAL(program_close(&again), events);
  journal_sweep();
}

static const uint32_t kinds[] = {MAINSTEM_THREADS_ONE, MAINSTEM_THREADS_GUARDED};

/* Catches: a verification in which a request is open that a callback had found answered. */
CASE(what_a_callback_finds_a_verification_finds, IN_ONE) {
  static const char *const questions[] = {"c", "w", "r", "p", "e", "n", "pw", "cnrcp", "ec"};
  const char *path = journal_path("early");
  for (size_t index = 0; index < 2 * COUNT(questions); index++) {
    const uint32_t threads = kinds[index % 2];
    const char *const question = questions[index / 2];
    program self;
    program_record(&self, threads, 0, path);
    say(&self, "a");
    elsewhere(give_step, &self);
    elsewhere(give_answer, &self);
    say(&self, question);
    EXPECT_EQUAL(self.answers + self.steps, 0);
    if (strchr("cwrp", question[0]) != NULL) EXPECT_EQUAL(atoi(self.told + 4), MAINSTEM_STALE);
    EXPECT_EQUAL(open_requests(&self), 1);
    EXPECT_EQUAL(stats_of(self.on.context).requests, 1);
    drain(&self);
    EXPECT_EQUAL(open_requests(&self), 0);
    EXPECT_EQUAL(self.answers, 1);
    EXPECT_EQUAL(self.steps, 1);
    verify_again(&self, threads, 0, path);
  }
}

/* Catches: a verification that settles a request too early, or not before what waits in front of the answer. */
CASE(also_while_the_callback_runs, IN_ONE) {
  static const char *const letters[] = {"ptc",   "ptp", "wptw",  "ntn",   "pte",
                                        "nptrp", "otc", "oxotc", "oxtoxc"};
  const char *path = journal_path("during");
  for (size_t index = 0; index < 4 * COUNT(letters); index++) {
    const uint32_t threads = kinds[index % 2];
    const uint32_t flags = index / 2 % 2 == 0 ? 0 : MAINSTEM_CONTEXT_DELIVER_ON_HOST;
    program self;
    program_record(&self, threads, flags, path);
    say(&self, "aoox");
    drain(&self);
    say(&self, "nx");
    say(&self, letters[index / 4]);
    say(&self, "nc");
    drain(&self);
    drain(&self);
    EXPECT_EQUAL(self.answers, 1);
    verify_again(&self, threads, flags, path);
  }
}

/* Catches: a verification that gives up what a scope had asked, when the host ended that scope and it was answered. */
CASE(what_a_host_ends_leaves_the_answer_alone, IN_ONE) {
  const char *path = journal_path("host");
  for (size_t index = 0; index < 2 * COUNT(kinds); index++) {
    const uint32_t threads = kinds[index % 2];
    const uint32_t flags = index < 2 ? 0 : MAINSTEM_CONTEXT_DELIVER_ON_HOST;
    program self;
    program_record(&self, threads, flags, path);
    EXPECT_OK(mainstem_value_set_text(self.room, self.value, "furnished"));
    say(&self, "a");
    drain(&self);
    elsewhere(give_answer, &self);
    say(&self, "n");
    EXPECT_OK(mainstem_scope_end(self.room));
    say(&self, "nc");
    drain(&self);
    drain(&self);
    EXPECT_EQUAL(self.answers, 1);
    verify_again(&self, threads, flags, path);
  }
}

/* Catches: a report of activity that depends on when a thread answers. */
CASE(its_type_is_busy_until_the_answer_is_taken_in, IN_ONE) {
  const char *path = journal_path("activity");
  for (size_t index = 0; index < COUNT(kinds); index++) {
    program self;
    program_open(&self, kinds[index], 0);
    EXPECT_OK(mainstem_activity_report(self.on.context, self.on.ask));
    EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
    self.answers_in_handler = 1;
    say(&self, "an");
    EXPECT_EQUAL(open_requests(&self), 1);
    drain(&self);
    EXPECT_EQUAL(open_requests(&self), 0);
    const uint64_t events = program_close(&self);

    program again;
    program_open(&again, kinds[index], 0);
    EXPECT_OK(mainstem_activity_report(again.on.context, again.on.ask));
    EXPECT_OK(mainstem_replay_close(verify_up_to(&again, path, 0)));
    EXPECT_TEXT(again.told, self.told);
    EXPECT_EQUAL(program_close(&again), events);
    journal_sweep();
  }
}

/* Catches: a request that is settled ahead of an answer that never comes. */
CASE(a_replay_that_ends_before_the_answer_cancels_it, IN_ONE) {
  const char *path = journal_path("short");
  program self, again;
  program_record(&self, MAINSTEM_THREADS_ONE, 0, path);
  say(&self, "a");
  elsewhere(give_answer, &self);
  say(&self, "c");
  const uint64_t last = stats_of(self.on.context).events;
  drain(&self);
  program_close(&self);

  program_open(&again, MAINSTEM_THREADS_ONE, 0);
  mainstem_replay *replay = verify_up_to(&again, path, last);
  EXPECT_EQUAL(again.answers, 0);
  EXPECT_EQUAL(open_requests(&again), 1);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_EQUAL(again.answers, 1);
  EXPECT_EQUAL(open_requests(&again), 0);
  program_close(&again);
}

/* A stopwatch whose run another thread ends. */
typedef struct watch {
  stopwatch parts;
  mainstem_context *context, *reactor;
  mainstem_event_type told;
  mainstem_status mutated[2];
  int ticks;
} watch;

static void watch_start(void *user_data, const mainstem_event *action) {
  EXPECT_OK(mainstem_event_retain(action, &((watch *)user_data)->parts.run));
}

static void watch_tick(void *user_data, const mainstem_event *event) {
  watch *self = (watch *)user_data;
  const mainstem_event *action = kept_event(self->parts.run);
  self->mutated[self->ticks] = mainstem_reactor_mutate(action, NULL, 0);
  if (self->mutated[self->ticks++] != MAINSTEM_OK)
    EXPECT(strstr(mainstem_last_error(), "is over") != NULL);
  EXPECT_OK(mainstem_send(self->context, self->told, NULL, 0));
}

static void *watch_end(void *data) {
  const mainstem_event *action = kept_event(((watch *)data)->parts.run);
  EXPECT_OK(mainstem_respond(action, NULL, 0));
  return NULL;
}

static const mainstem_viewmodel_row watch_rows[] = {
    {"seconds", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"start", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, watch_start, NULL, 0, 0, NULL}};

static void watch_open(watch *self, uint32_t threads) {
  mainstem_reactor_table table = stopwatch_table;
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  self->parts.tick = type_open(self->context, "Tick", MAINSTEM_PAYLOAD_NONE, NULL);
  self->told = type_open(self->context, "Told", MAINSTEM_PAYLOAD_NONE, NULL);
  table.rows = watch_rows;
  table.row_size = sizeof watch_rows[0];
  table.count = COUNT(watch_rows);
  EXPECT_OK(mainstem_reactor_add(self->context, "Stopwatch", &table, self, NULL, &self->reactor));
  EXPECT_OK(mainstem_observe(self->reactor, self->parts.tick, watch_tick, self, NULL, NULL));
}

static uint64_t watch_close(watch *self) {
  const uint64_t events = stats_of(self->context).events;
  EXPECT_EQUAL(self->ticks, 2);
  EXPECT_OK(self->mutated[0]);
  EXPECT_STATUS(self->mutated[1], MAINSTEM_STALE);
  EXPECT_OK(mainstem_retained_release(self->parts.run));
  EXPECT_OK(mainstem_context_close(self->context));
  return events;
}

/* Catches: a reactor that goes on to mutate for an action that is over. */
CASE(a_reactor_does_not_mutate_for_what_is_answered, IN_ONE) {
  const char *path = journal_path("watch");
  mainstem_event_type start;
  mainstem_replay *replay;
  for (size_t index = 0; index < COUNT(kinds); index++) {
    watch self, again;
    watch_open(&self, kinds[index]);
    EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
    start = type_named(self.context, "Stopwatch.start");
    EXPECT_OK(mainstem_request(self.reactor, start, NULL, 0, NULL, NULL, NULL));
    EXPECT_OK(mainstem_send(self.context, self.parts.tick, NULL, 0));
    elsewhere(watch_end, &self);
    EXPECT_OK(mainstem_send(self.context, self.parts.tick, NULL, 0));
    EXPECT_OK(mainstem_drain(self.context, 0, NULL));
    const uint64_t events = watch_close(&self);

    watch_open(&again, kinds[index]);
    replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_EQUAL(watch_close(&again), events);
    journal_sweep();
  }
}

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Models and their commands in sessions: made by factories, recorded, replayed, kept secret. */

#include "door.h"
#include "session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

static door self;

/* The program of the papers: a counter. */
typedef struct counter {
  int count;
} counter;

enum { COUNT_ROW, CAN_UNDO, UP, UNDO };

static void up(void *user_data, const mainstem_event *event) { ((counter *)user_data)->count++; }

static void undo(void *user_data, const mainstem_event *event) { ((counter *)user_data)->count--; }

static const mainstem_viewmodel_row counter_rows[] = {
    {"count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"canUndo", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"up", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, up, NULL, 0, 0, NULL},
    {"undo", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, undo, "canUndo", 0, 0, NULL}};

static mainstem_status show_counter(void *user_data, mainstem_context *model,
                                    const mainstem_event_type *types) {
  counter *counted = (counter *)user_data;
  mainstem_value_set_integer(model, types[COUNT_ROW], counted->count);
  return mainstem_value_set_bool(model, types[CAN_UNDO], counted->count > 0);
}

static void show_count(void *user_data, const mainstem_event *event) {
  transcript_add((transcript *)user_data, "%d", (int)mainstem_event_integer(event));
}

CASE(the_counter_of_the_papers, IN_BOTH) {
  static const mainstem_binding_row rows[] = {{"count", show_count, 0},
                                              {"undo.enabled", show_count, 0}};
  mainstem_context *context = context_open(threads), *model;
  mainstem_binding *binding;
  counter counted = {0};
  transcript seen;
  transcript_clear(&seen);
  EXPECT_OK(mainstem_viewmodel_add(context, "Counter", counter_rows, sizeof counter_rows[0], 4,
                                   show_counter, &counted, NULL, &model));
  EXPECT_OK(mainstem_binding_add(context, model, rows, sizeof rows[0], 2, &seen, NULL, &binding));
  EXPECT_TEXT(seen.text, "0 0");
  EXPECT_STATUS(mainstem_binding_run(binding, "undo", NULL, 0, NULL, NULL, NULL, NULL),
                MAINSTEM_DISABLED);
  uint64_t events = stats_of(context).events;
  EXPECT_OK(mainstem_binding_run(binding, "up", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_binding_run(binding, "up", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_binding_run(binding, "undo", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_TEXT(seen.text, "0 0 1 1 2 1");
  /* A command that changes one value: the request, the value, the answer. Twice more for canUndo and what it enables. */
  EXPECT_EQUAL(stats_of(context).events - events, 3 * 3 + 2);
  EXPECT_OK(mainstem_context_close(context));
}

/* What a session does, and how its programs are made: by a factory, in any order. */
static mainstem_context *made;
static uint32_t policy;
static uint64_t opened_number;

static mainstem_status make_door(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  made = scope;
  return door_add(&self, scope, NULL, policy);
}

static void note_opened(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(event->status, MAINSTEM_OK);
  opened_number = (uint64_t)mainstem_event_integer(event);
}

/* In a callback: runs, answers, and what is allowed, as the payload says. */
static void on_key(void *user_data, const mainstem_event *event) {
  const char *keys = (const char *)event->data;
  mainstem_event_type go;
  for (uint32_t i = 0; i < event->size; i++) {
    const mainstem_event *asked;
    int index = self.kept_count == 0 ? -1 : (keys[i] >> 3) % self.kept_count;
    switch (keys[i] & 7) {
    case 0:
    case 1:
      if (self.binding != NULL) door_run(&self, "go", "in", NULL);
      break;
    case 2:
      if (made != NULL && mainstem_type_find(event->context, "Door.go", &go) == MAINSTEM_OK)
        mainstem_request(made, go, keys[i] & 8 ? "!" : "ask", keys[i] & 8 ? 1 : 3, door_went, &self,
                         NULL);
      break;
    case 3:
      self.may = !self.may;
      break;
    default:
      if (index >= 0 && mainstem_retained_event(self.kept[index], &asked) == MAINSTEM_OK)
        (void)(keys[i] & 64 ? mainstem_respond(asked, "yes", 3)
                            : mainstem_respond_error(asked, MAINSTEM_APP, "No."));
      break;
    }
  }
}

static void install(uint32_t threads, const char *path) {
  memset(&self, 0, sizeof self);
  made = NULL;
  self.may = true;
  self.is_quiet = true;
  self.on = stream_of(context_open(threads));
  EXPECT_OK(mainstem_observe(self.on.context, MAINSTEM_TYPE_ANY, door_note, &self, NULL, NULL));
  EXPECT_OK(
      mainstem_factory_add(self.on.context, "Door", MAINSTEM_PAYLOAD_NONE, make_door, NULL, NULL));
  EXPECT_OK(mainstem_observe(self.on.context, self.on.other, on_key, NULL, NULL, NULL));
  self.view = scope_open(self.on.context, "View");
  if (path != NULL) EXPECT_OK(mainstem_journal_record(self.on.context, path, NULL));
}

static uint64_t chance;

static unsigned pick_one(unsigned most) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(chance >> 33) % most;
}

static void play_session(uint64_t seed) {
  mainstem_pending *pending[4] = {NULL};
  mainstem_context *owner;
  chance = seed;
  EXPECT_OK(mainstem_instance_open(self.view, "Door", NULL, 0, note_opened, NULL, NULL));
  EXPECT_OK(mainstem_scope_find(self.on.context, opened_number, &owner, NULL));
  EXPECT_OK(mainstem_binding_add(self.view, owner, NULL, sizeof(mainstem_binding_row), 0, NULL,
                                 NULL, &self.binding));
  for (int i = 0; i < 40; i++) {
    char keys[3];
    const mainstem_event *asked;
    switch (pick_one(6)) {
    case 0:
    case 1:
      door_run(&self, "go", pick_one(4) ? "out" : "!", &pending[i % 4]);
      break;
    case 2:
      for (int k = 0; k < 3; k++) keys[k] = (char)pick_one(128);
      EXPECT_OK(mainstem_send(self.on.context, self.on.other, keys, pick_one(4)));
      break;
    case 3:
      if (pending[pick_one(4)] != NULL) mainstem_pending_cancel(pending[pick_one(4)]);
      break;
    case 4:
      if (self.kept_count > 0 &&
          mainstem_retained_event(self.kept[pick_one((unsigned)self.kept_count)], &asked) ==
              MAINSTEM_OK)
        mainstem_respond(asked, "out", 3);
      break;
    default:
      door_run(&self, "up", "", NULL);
      break;
    }
    if (pick_one(50) == 0) EXPECT_OK(mainstem_binding_retarget(self.binding, NULL));
  }
  if (pick_one(3) == 0) EXPECT_OK(mainstem_scope_end(owner));
}

/* Catches: a run that a replay begins elsewhere, a refusal that depends on what no journal has. */
CASE(sessions_verify, IN_BOTH) {
  const char *path = journal_path("commands");
  mainstem_replay *replay;
  uint64_t fed;
  for (uint64_t seed = 0; seed < 200; seed++) {
    policy = (uint32_t)(seed % 4);
    install(threads, path);
    play_session(seed);
    uint64_t events = stats_of(self.on.context).events;
    int count = self.count, kept = self.kept_count;
    EXPECT_OK(mainstem_context_close(self.on.context));
    install(threads, NULL);
    replay = replay_open(self.on.context, path, MAINSTEM_REPLAY_VERIFY);
    mainstem_status status = mainstem_replay_step(replay, UINT64_MAX, &fed);
    if (status != MAINSTEM_OK) fprintf(stderr, "  seed %llu\n", (unsigned long long)seed);
    EXPECT_STATUS(status, MAINSTEM_OK);
    EXPECT(stats_of(self.on.context).events >= events);
    EXPECT_EQUAL(self.count, count);
    EXPECT_EQUAL(self.kept_count, kept);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.on.context));
    journal_sweep();
  }
}

static void refuse_secret(void *user_data, const mainstem_event *event) {
  EXPECT(event->flags & MAINSTEM_EVENT_SECRET);
  EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, "hunter2 is wrong."));
}

static void keep_line(void *user_data, const char *line) {
  transcript_add((transcript *)user_data, "%s", line);
}

/* Catches: a password in a line, or in the value that shows the failure. */
CASE(a_secret_command_says_nothing, IN_BOTH) {
  static const mainstem_viewmodel_row rows[] = {
      {"signIn", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, refuse_secret,
       NULL, 0, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL},
      {"password", MAINSTEM_VIEWMODEL_WRITABLE, MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, NULL, NULL,
       0, 0, NULL}};
  transcript lines;
  mainstem_context *model;
  transcript_clear(&lines);
  door_open(&self, threads, 0);
  EXPECT_OK(mainstem_trace(self.on.context, keep_line, &lines));
  EXPECT_OK(mainstem_viewmodel_add(self.on.context, "Session", rows, sizeof rows[0], 2, NULL, NULL,
                                   NULL, &model));
  EXPECT_OK(mainstem_binding_retarget(self.binding, model));
  EXPECT_OK(mainstem_binding_set(self.binding, "password", "hunter2", 7));
  EXPECT_OK(door_run(&self, "signIn", "hunter2", NULL));
  EXPECT(strstr(lines.text, "Session.signIn.done") != NULL);
  EXPECT(strstr(lines.text, "Session.signIn.error") != NULL);
  EXPECT(strstr(lines.text, "hunter2") == NULL);
  EXPECT(strstr(self.seen.text, "signIn.error=<secret>") != NULL);
  door_close(&self);
}

/* Catches: a view of the layer view that cannot run what is made for it; one that can without the right. */
CASE(rights_are_those_of_the_view, IN_BOTH) {
  mainstem_context *view;
  door_open(&self, threads, 0);
  mainstem_scope_options options = {.size = sizeof options,
                                    .send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW)};
  EXPECT_OK(mainstem_scope_add(self.on.context, "Limited", &options, &view));
  EXPECT_OK(mainstem_binding_add(view, self.model, NULL, sizeof(mainstem_binding_row), 0, NULL,
                                 NULL, &self.binding));
  EXPECT_OK(door_run(&self, "up", "", NULL));
  options.send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL);
  EXPECT_OK(mainstem_scope_add(self.on.context, "Other", &options, &view));
  EXPECT_OK(mainstem_binding_add(view, self.model, NULL, sizeof(mainstem_binding_row), 0, NULL,
                                 NULL, &self.binding));
  EXPECT_STATUS(door_run(&self, "up", "", NULL), MAINSTEM_DENIED);
  EXPECT_EQUAL(self.count, 1);
  door_close(&self);
}

/* Catches: types that are registered once for each model. */
CASE(models_of_a_name_share_their_types, IN_BOTH) {
  static door other;
  memset(&other, 0, sizeof other);
  door_open(&self, threads, 0);
  uint64_t types = stats_of(self.on.context).types;
  EXPECT_OK(door_add(&other, self.on.context, "Door", 0));
  EXPECT_EQUAL(stats_of(self.on.context).types, types);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT(memcmp(self.types, other.types, sizeof self.types) == 0);
  EXPECT_OK(mainstem_request(other.model, other.types[DOOR_UP], NULL, 0, NULL, NULL, NULL));
  EXPECT_EQUAL(other.count, 1);
  EXPECT_EQUAL(self.count, 0);
  door_close(&self);
}

enum { RUNNERS = 4, RUNS = 2000 };

static void *run_many(void *data) {
  mainstem_binding *binding;
  EXPECT_OK(mainstem_binding_add(self.view, self.model, NULL, sizeof(mainstem_binding_row), 0, NULL,
                                 NULL, &binding));
  for (int i = 0; i < RUNS; i++)
    EXPECT_OK(mainstem_binding_run(binding, "up", NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_OK(mainstem_binding_end(binding));
  return NULL;
}

/* Catches: a state that is read while another thread delivers; a run that is lost or done twice. */
CASE(many_threads_run, IN_ANY) {
  pthread_t runners[RUNNERS];
  door_open(&self, threads, 0);
  self.is_quiet = true;
  for (int i = 0; i < RUNNERS; i++)
    EXPECT_EQUAL(pthread_create(&runners[i], NULL, run_many, NULL), 0);
  for (int i = 0; i < RUNNERS; i++) EXPECT_EQUAL(pthread_join(runners[i], NULL), 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_EQUAL(self.count, RUNNERS * RUNS);
  door_close(&self);
}

static void count_release(void *user_data) { atomic_fetch_add((atomic_int *)user_data, 1); }

static void ignore_answer(void *user_data, const mainstem_event *event) {}

/* Flushes each time: what ends is never far behind what is answered. */
static void *end_many(void *released) {
  mainstem_binding *binding;
  for (int i = 0; i < RUNS; i++) {
    if (i % 20 == 0)
      EXPECT_OK(mainstem_binding_add(self.view, self.model, NULL, sizeof(mainstem_binding_row), 0,
                                     NULL, NULL, &binding));
    EXPECT_OK(mainstem_binding_run(binding, "up", NULL, 0, i % 2 ? ignore_answer : NULL, released,
                                   count_release, NULL));
    if (i % 20 < 19) continue;
    EXPECT_OK(mainstem_binding_end(binding));
    EXPECT_OK(mainstem_flush(self.on.context));
  }
  return NULL;
}

/* Catches: a run that is dropped while another thread calls its function. */
CASE(bindings_end_while_their_runs_are_answered, IN_ANY) {
  pthread_t runners[RUNNERS];
  atomic_int released = 0;
  door_open(&self, threads, 0);
  self.is_quiet = true;
  for (int i = 0; i < RUNNERS; i++)
    EXPECT_EQUAL(pthread_create(&runners[i], NULL, end_many, &released), 0);
  for (int i = 0; i < RUNNERS; i++) EXPECT_EQUAL(pthread_join(runners[i], NULL), 0);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_EQUAL(self.count, RUNNERS * RUNS);
  EXPECT_EQUAL(atomic_load(&released), RUNNERS * RUNS);
  door_close(&self);
}

static pid_t forked;

static void fork_now(void *user_data, const mainstem_event *event) {
  fflush(NULL);
  forked = fork();
  EXPECT(forked >= 0);
  if (forked == 0) EXPECT_STATUS(mainstem_respond(event, "no", 2), MAINSTEM_FORKED);
}

/* Catches: a child that answers, shows, or begins what waits. */
CASE(the_child_of_a_command_does_nothing, IN_BOTH) {
  int status = 0;
  door_open(&self, threads, MAINSTEM_COMMAND_QUEUE);
  EXPECT_OK(door_run(&self, "go", "a", NULL));
  EXPECT_OK(door_run(&self, "go", "b", NULL));
  self.then = fork_now;
  transcript_clear(&self.seen);
  door_answer(&self, 0);
  mainstem_flush(self.on.context);
  if (forked == 0) {
    EXPECT_TEXT(self.seen.text, "go.done@9 went@9:OK ~ go(b)");
    _exit(0);
  }
  EXPECT_EQUAL(waitpid(forked, &status, 0), forked);
  EXPECT_EQUAL(status, 0);
  self.then = NULL;
  door_answer(&self, 1);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_SEEN(&self, "go.done@9 went@9:OK ~ go(b) go.done@11 went@11:OK ~ go.executing=0");
  door_close(&self);
}

int main(void) { return journal_expect_all(); }

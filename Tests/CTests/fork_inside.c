// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A fork inside a callback: at each call that a program of all sorts gets, in turn. In the child nothing more is
 * delivered: every handle is FORKED, no hook runs, nothing is written, and what was going on comes to its end.
 */

#include "elsewhere.h"
#include "journal.h"

#include <sys/wait.h>

enum { RECORDED = 1, VIRTUAL = 2, HELD = 4 };

typedef struct program {
  stream on;
  mainstem_event_type tick, step;
  mainstem_timer *timer;
  mainstem_subscription *cancelled;
  mainstem_context *scope;
  const char *path;
  int at;    /* The call that forks. */
  int calls; /* How many there were. */
  int in_child, closes;
} program;

static program self;

static char *journal_bytes(size_t *size) {
  int fd = open(self.path, O_RDONLY);
  *size = journal_size(self.path);
  char *bytes = (char *)malloc(*size + 1);
  EXPECT(fd >= 0);
  EXPECT_EQUAL(read(fd, bytes, *size), *size);
  close(fd);
  return bytes;
}

static void expect_child(pid_t child) {
  int status = 0;
  EXPECT(child > 0);
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status));
  EXPECT_EQUAL(WEXITSTATUS(status), 0);
}

/* What a child can still do. */
static void use_what_is_new(void) {
  stream fresh = stream_open(MAINSTEM_THREADS_ANY);
  EXPECT_OK(mainstem_send(fresh.context, fresh.notice, "", 0));
  EXPECT_OK(mainstem_post(fresh.context, fresh.notice, "", 0));
  EXPECT_OK(mainstem_wait(fresh.context, -1));
  EXPECT_OK(mainstem_context_close(fresh.context));
}

static void begin_child(const mainstem_event *event) {
  mainstem_retained *kept;
  alarm(20); /* The parent's alarm is not inherited. */
  self.in_child = 1;
  if (self.closes) return;
  EXPECT_STATUS(mainstem_send(self.on.context, self.on.notice, "", 0), MAINSTEM_FORKED);
  EXPECT_STATUS(mainstem_post(self.on.context, self.on.notice, "", 0), MAINSTEM_FORKED);
  EXPECT_STATUS(mainstem_context_close(self.on.context), MAINSTEM_FORKED);
  if (event == NULL) return;
  EXPECT_STATUS(mainstem_send(event->context, self.on.notice, "", 0), MAINSTEM_FORKED);
  EXPECT_STATUS(mainstem_event_retain(event, &kept), MAINSTEM_FORKED);
  EXPECT_STATUS(mainstem_fail(event, MAINSTEM_APP, "x"), MAINSTEM_FORKED);
  if (event->type == self.on.ask) {
    EXPECT_STATUS(mainstem_respond(event, "x", 1), MAINSTEM_FORKED);
    EXPECT_STATUS(mainstem_respond_progress(event, self.step, "x", 1), MAINSTEM_FORKED);
  }
}

/* Every call of the program comes here first. */
static void called(const mainstem_event *event) {
  size_t before = 0, after = 0;
  char *old = NULL, *now;
  if (self.in_child) _exit(3);
  if (__atomic_fetch_add(&self.calls, 1, __ATOMIC_SEQ_CST) != self.at) return;
  if (self.path != NULL) old = journal_bytes(&before);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    begin_child(event);
    return;
  }
  expect_child(child);
  if (self.path == NULL) return;
  now = journal_bytes(&after);
  EXPECT_EQUAL(after, before);
  EXPECT_EQUAL(memcmp(old, now, before), 0);
  free(old);
  free(now);
}

static void hook(void *user_data) { called(NULL); }

static void see(void *user_data, const mainstem_event *event) { called(event); }

/* Sends once more, so that something waits when the next ones are called. */
static void see_and_send(void *user_data, const mainstem_event *event) {
  called(event);
  if (!self.in_child && event->cause == 0) mainstem_send(event->context, self.on.other, "", 0);
}

static void serve(void *user_data, const mainstem_event *event) {
  called(event);
  if (self.in_child) return;
  EXPECT_OK(mainstem_respond_progress(event, self.step, "x", 1));
  EXPECT_OK(mainstem_respond(event, "x", 1));
}

/* A library call of the program: the child goes on to its end only. */
static void does(mainstem_status status) {
  if (self.in_child) {
    use_what_is_new();
    _exit(0);
  }
  EXPECT_OK(status);
}

static void observe_all(mainstem_context *context) {
  static const uint32_t schedulers[] = {MAINSTEM_SCHEDULER_IMMEDIATE, MAINSTEM_SCHEDULER_HOST};
  for (size_t i = 0; i < COUNT(schedulers); i++) {
    mainstem_observe_options options = {.size = sizeof options,
                                        .scheduler = schedulers[i],
                                        .flags = i == 0 ? MAINSTEM_OBSERVE_CONFIRM : 0};
    does(mainstem_observe_with(context, &options, see, NULL, hook, NULL));
    options.count = 2;
    options.flags = 0;
    does(mainstem_observe_with(context, &options, see, NULL, hook, NULL));
  }
}

static void ask(uint32_t scheduler) {
  does(mainstem_request_with(self.on.context, self.on.ask, "?", 1,
                             OPTIONS(request, .scheduler = scheduler, .progress = see), see, NULL,
                             hook, NULL));
}

static void begin(uint32_t threads, int how, int at) {
  static const mainstem_handler_row row = {"RequestAsk", serve, 0};
  memset(&self, 0, sizeof self);
  self.at = at;
  does(mainstem_context_create(
      OPTIONS(context, .threads = threads,
              .flags = how & HELD ? MAINSTEM_CONTEXT_DELIVER_ON_HOST : 0,
              .clock = how & VIRTUAL ? MAINSTEM_CLOCK_VIRTUAL : MAINSTEM_CLOCK_MONOTONIC),
      &self.on.context));
  mainstem_context *c = self.on.context;
  self.on.ask = type_open(c, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  self.on.answer = type_open(c, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self.on.notice = type_open(c, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self.on.other = type_open(c, "Other", MAINSTEM_PAYLOAD_BYTES, NULL);
  self.step = type_open(c, "Step", MAINSTEM_PAYLOAD_BYTES, NULL);
  self.tick = type_open(c, "Tick", MAINSTEM_PAYLOAD_BYTES, NULL);
  if (how & RECORDED) {
    mainstem_journal_options wish = journal_options(MAINSTEM_JOURNAL_POWER);
    const char *path = journal_path("fork");
    does(mainstem_journal_record(c, path, &wish));
    self.path = path;
  }
  does(mainstem_history_keep(c, self.on.notice, 4, 0));
  does(mainstem_scope_add(c, "Scope", NULL, &self.scope));
  does(mainstem_server_add(c, "Server", &row, sizeof row, 1, NULL, hook, NULL));
  does(mainstem_observe(c, self.on.notice, see_and_send, NULL, hook, &self.cancelled));
  observe_all(c);
  observe_all(self.scope);
}

static void go(void) {
  mainstem_context *c = self.on.context;
  mainstem_event_header batch[3];
  memset(batch, 0, sizeof batch);
  for (size_t i = 0; i < COUNT(batch); i++) batch[i].type = self.on.notice;
  does(mainstem_send(c, self.on.notice, "a", 1));
  does(mainstem_send_many(c, batch, sizeof batch, COUNT(batch), NULL));
  ask(MAINSTEM_SCHEDULER_IMMEDIATE);
  ask(MAINSTEM_SCHEDULER_HOST);
  does(mainstem_post(c, self.on.notice, "b", 1));
  does(mainstem_post(c, self.on.notice, "c", 1));
  does(mainstem_send_after(c, self.tick, "", 0, 0, 0, NULL));
  does(mainstem_drain(c, 0, NULL));
  does(mainstem_send(c, self.on.other, "d", 1));
  does(mainstem_flush(c));
  observe_all(c);
  does(mainstem_cancel_wait(self.cancelled));
  does(mainstem_scope_end(self.scope));
  does(mainstem_send(c, self.on.notice, "e", 1));
  does(mainstem_post(c, self.on.notice, "f", 1));
  does(mainstem_wait(c, -1));
  does(mainstem_post(c, self.on.notice, "g", 1));
  self.closes = 1; /* Its handles end before its last hooks. */
  does(mainstem_context_close(c));
}

/* Catches: a child that goes on calling, waits for ever, tells the parent's loop, or writes to its journal. */
static void at_each_call(uint32_t threads, int how) {
  int at = 0;
  do {
    begin(threads, how, at);
    go();
    if (how & RECORDED) journal_sweep();
  } while (self.calls > at++);
  EXPECT(at > 50);
}

CASE(nothing_goes_on_in_the_child, IN_BOTH) { at_each_call(threads, 0); }
CASE(nor_in_virtual_time, IN_BOTH) { at_each_call(threads, VIRTUAL); }
CASE(nor_where_the_host_delivers, IN_BOTH) { at_each_call(threads, HELD); }
CASE(nor_is_anything_recorded, IN_BOTH) { at_each_call(threads, RECORDED); }

/* Catches: time that moves on for ever in the child. */
CASE(time_stands_still_in_the_child, IN_BOTH) {
  for (int at = 0; at < 8; at++) {
    begin(threads, VIRTUAL, at);
    does(mainstem_send_after(self.on.context, self.tick, "", 0, 10, 10, &self.timer));
    does(mainstem_context_advance(self.on.context, 100));
    EXPECT(self.calls > 8);
    self.closes = 1;
    does(mainstem_context_close(self.on.context));
  }
}

static void on_wake(void *user_data) { called(NULL); }

/* Catches: a fork in the wake hook, outside any delivery, after which the call that told goes on. */
CASE(a_wake_hook_may_fork, IN_BOTH) {
  for (int at = 0; at < 3; at++) {
    begin(threads, 0, at);
    does(mainstem_context_on_wake(self.on.context, on_wake, NULL, NULL));
    does(mainstem_post(self.on.context, self.on.notice, "", 0));
    does(mainstem_drain(self.on.context, 0, NULL));
    self.closes = 1;
    does(mainstem_context_close(self.on.context));
  }
}

static void on_serial(void *user_data, const mainstem_event *event) {
  called(event);
  signal_give((sem_t *)user_data);
}

/* Catches: a worker that is the child's one thread, and goes on delivering or sleeps for ever. */
CASE(a_worker_ends_with_its_callback, IN_BOTH) {
  for (int at = 0; at < 3; at++) {
    mainstem_scheduler serial;
    sem_t done;
    memset(&self, 0, sizeof self);
    self.at = at;
    self.on = stream_open(threads);
    signal_open(&done);
    EXPECT_OK(mainstem_scheduler_add(self.on.context, "worker", 0, &serial));
    EXPECT_OK(mainstem_observe_with(self.on.context, OPTIONS(observe, .scheduler = serial),
                                    on_serial, &done, hook, NULL));
    for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
    for (int i = 0; i < 3; i++) signal_take(&done);
    EXPECT_OK(mainstem_context_close(self.on.context));
    EXPECT_EQUAL(self.calls, 4);
  }
}

int main(void) { return journal_expect_all(); }

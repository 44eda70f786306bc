// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Recording where it cannot be done: each a status, a message that says why, and nothing left behind. */

#include "journal.h"
#include "asking.h"
#include "transcript.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct rlimit usual;

/* Files may be so long and no longer. */
static void limit_files(rlim_t size) {
  struct rlimit limit = usual;
  limit.rlim_cur = size;
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void expect_refused(mainstem_context *context, const char *path, mainstem_status status,
                           const char *why) {
  char begin[5100];
  EXPECT_STATUS(mainstem_journal_record(context, path, NULL), status);
  if (strstr(mainstem_last_error(), why) == NULL) EXPECT_TEXT(mainstem_last_error(), why);
  /* Of a long path, the begin. */
  snprintf(begin, sizeof begin, "mainstem_journal_record: path: %.800s", path);
  if (strncmp(mainstem_last_error(), begin, strlen(begin)) != 0)
    EXPECT_TEXT(mainstem_last_error(), begin);
}

static void put_pipe(const char *path) { EXPECT_EQUAL(mkfifo(path, 0600), 0); }

static void put_link(const char *path) { EXPECT_EQUAL(symlink("elsewhere", path), 0); }

static void fill_disk(const char *path) { limit_files(1000); }

static char long_path[5000];

/* Where nothing can be recorded: at a path, or at one where something was put before. */
static const struct {
  const char *what, *path, *why;
  void (*put)(const char *path);
  mainstem_status status;
} places[] = {
    {"a directory", "/", "is a directory", NULL, MAINSTEM_IO},
    {"a directory that is not there", "/nowhere/at/all", "is in a directory that does not exist",
     NULL, MAINSTEM_IO},
    {"a device", "/dev/full", "a directory, a pipe or a device", NULL, MAINSTEM_IO},
    {"a long path", long_path, "is too long", NULL, MAINSTEM_IO},
    {"a pipe", NULL, "a directory, a pipe or a device", put_pipe, MAINSTEM_IO},
    {"a link, which is not followed", NULL, "is a symbolic link", put_link, MAINSTEM_IO},
    {"a disk without room", NULL, "no space left", fill_disk, MAINSTEM_NO_SPACE},
};

/* Catches: a device or a pipe opened, a link followed, a message that does not say what is wrong. */
CASE(a_path_that_is_no_file_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  memset(long_path, 'x', sizeof long_path - 1);
  long_path[0] = '/';
  for (size_t i = 0; i < COUNT(places); i++) {
    const char *own = journal_path("there"), *path = places[i].path != NULL ? places[i].path : own;
    struct stat found;
    expect_sentence = places[i].what;
    if (places[i].put != NULL) places[i].put(own);
    int is_there = lstat(own, &found) == 0;
    expect_refused(on.context, path, places[i].status, places[i].why);
    EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &usual), 0);
    EXPECT_EQUAL(unlink(own), is_there ? 0 : -1); /* Nothing is left behind. */
  }
  EXPECT_EQUAL(access(journal_path("elsewhere"), F_OK), -1);
  EXPECT_EQUAL(mkdir(journal_path("closed"), 0500), 0);
  if (geteuid() != 0) {
    expect_refused(on.context, journal_path("closed/in"), MAINSTEM_IO, "may not be written");
  }
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0)); /* Unrecorded. */
  journal_end(&on);
}

/* Catches: too many files open taken for something else, or a descriptor that leaks. */
CASE(without_a_descriptor_nothing_happens, IN_ONE) {
  stream on = stream_open(threads);
  int taken[3000], count = 0;
  while (count < 3000 && (taken[count] = dup(0)) >= 0) count++;
  expect_refused(on.context, journal_path("many"), MAINSTEM_IO, "Too many open files");
  while (count > 0) close(taken[--count]);
  EXPECT_OK(mainstem_journal_record(on.context, journal_path("many"), NULL));
  journal_end(&on);
}

static void in_another_process(const char *path) {
  mainstem_context *context = context_open(MAINSTEM_THREADS_ONE);
  expect_refused(context, path, MAINSTEM_LOCKED, "is written by process ");
  _exit(0);
}

/* Catches: two writers, and a lock that a child keeps when its parent is gone. */
CASE(there_is_one_writer, IN_BOTH) {
  const char *path = journal_path("one");
  stream on = journal_stream(threads, path, NULL);
  int status = 1, gate[2], ready[2];
  char byte;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) in_another_process(path);
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT_EQUAL(status, 0);
  EXPECT_EQUAL(pipe(gate), 0);
  EXPECT_EQUAL(pipe(ready), 0);
  child = fork();
  if (child == 0) {
    close(gate[1]);
    EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_FORKED);
    EXPECT_EQUAL(write(ready[1], "", 1), 1);
    _exit(read(gate[0], &byte, 1) == 0 ? 0 : 1);
  }
  EXPECT_EQUAL(read(ready[0], &byte, 1), 1); /* It has begun, and let go. */
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  on = journal_stream(threads, path, NULL); /* The child still lives. */
  close(gate[0]);
  close(gate[1]);
  close(ready[0]);
  close(ready[1]);
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT_EQUAL(status, 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(path).last, 1);
  journal_sweep();
}

/* Catches: a message that quotes memory which is free by then. */
CASE(a_sentence_names_the_path_as_it_is, IN_BOTH) {
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  const char *path = journal_path("named");
  stream on = journal_stream(threads, path, NULL);
  char want[600];
  EXPECT_OK(mainstem_context_close(on.context));
  on = stream_open(threads);
  options.segment_size = 1 << 20;
  EXPECT_STATUS(mainstem_journal_record(on.context, path, &options), MAINSTEM_INVALID);
  snprintf(want, sizeof want,
           "mainstem_journal_record: options.segment_size: %s already exists, without segments",
           path);
  EXPECT_TEXT(mainstem_last_error(), want);
  options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  options.flags = MAINSTEM_JOURNAL_NEW;
  EXPECT_STATUS(mainstem_journal_record(on.context, path, &options), MAINSTEM_INVALID);
  snprintf(want, sizeof want,
           "mainstem_journal_record: path: %s already exists: remove it, or record without "
           "MAINSTEM_JOURNAL_NEW",
           path);
  EXPECT_TEXT(mainstem_last_error(), want);
  journal_end(&on);
}

/* Catches: a disk that is full taken for the end; a refusal that leaves something behind. */
CASE(when_there_is_room_again_it_goes_on, IN_BOTH) {
  static char bytes[200000];
  const char *path = journal_path("full");
  stream on = journal_stream(threads, path, NULL);
  mainstem_pending *pending;
  uint64_t accepted = 0;
  limit_files(2 << 20);
  while (mainstem_send(on.context, on.notice, bytes, sizeof bytes) == MAINSTEM_OK) accepted++;
  EXPECT(accepted > 5);
  EXPECT_STATUS(mainstem_send(on.context, on.notice, bytes, sizeof bytes), MAINSTEM_NO_SPACE);
  EXPECT(strstr(mainstem_last_error(), "no room left") != NULL);
  EXPECT_STATUS(mainstem_post(on.context, on.notice, bytes, sizeof bytes), MAINSTEM_NO_SPACE);
  EXPECT_STATUS(mainstem_request(on.context, on.ask, bytes, sizeof bytes, NULL, NULL, &pending),
                MAINSTEM_NO_SPACE);
  EXPECT_EQUAL(stats_of(on.context).events, accepted);
  EXPECT_EQUAL(journal_stats(on.context).status, MAINSTEM_OK);
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_OK(mainstem_send(on.context, on.notice, bytes, sizeof bytes));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(path).last, accepted + 1);
  journal_sweep();
}

static void count_one(void *user_data, const mainstem_event *event) { ++*(int *)user_data; }

static void asked(void *user_data) { ++*(int *)user_data; }

typedef struct breaker {
  stream *on;
  const char *path;
} breaker;

static void break_it(void *user_data, const mainstem_event *event) {
  breaker *self = (breaker *)user_data;
  EXPECT_OK(mainstem_send(self->on->context, self->on->other, "lost", 4));
  EXPECT_OK(mainstem_send(self->on->context, self->on->other, "too", 3));
  journal_break(self->path);
}

/* Catches: an event seen that was not written; a call that waits for ever, or says OK, after that. */
CASE(a_context_that_cannot_write_stops, IN_BOTH) {
  stream on = stream_open(threads);
  breaker self = {&on, journal_path("stops")};
  int others = 0, completions = 0;
  size_t count;
  mainstem_request_options ask = {.size = sizeof ask};
  mainstem_pending *pending;
  keeper kept = {0, {NULL}};
  EXPECT_OK(mainstem_journal_record(on.context, self.path, NULL));
  keeper_serve(&kept, &on);
  EXPECT_OK(mainstem_request_with(on.context, on.ask, "", 0, &ask, count_one, &completions, NULL,
                                  &pending));
  EXPECT_OK(mainstem_observe(on.context, on.other, count_one, &others, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, break_it, &self, asked, NULL));
  mainstem_status status = mainstem_send(on.context, on.notice, "", 0);
  EXPECT(status == MAINSTEM_NO_SPACE || status == MAINSTEM_IO);
  EXPECT_EQUAL(others, 0);
  EXPECT_EQUAL(journal_stats(on.context).status, status);
  EXPECT_EQUAL(journal_stats(on.context).written, 2);
  EXPECT_STATUS(mainstem_send(on.context, on.other, "", 0), status);
  EXPECT_STATUS(mainstem_post(on.context, on.other, "", 0), status);
  EXPECT_STATUS(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL), status);
  EXPECT_STATUS(mainstem_respond(keeper_event(&kept, 0), "", 0), status);
  EXPECT_STATUS(mainstem_respond_error(keeper_event(&kept, 0), 1000, "late"), status);
  EXPECT_STATUS(mainstem_drain(on.context, 0, &count), status);
  EXPECT_STATUS(mainstem_wait(on.context, -1), status);
  EXPECT_STATUS(mainstem_flush(on.context), status);
  EXPECT_STATUS(mainstem_journal_sync(on.context), status);
  EXPECT_EQUAL(others, 0);
  EXPECT_OK(mainstem_retained_release(kept.kept[0]));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(completions, 0);
  EXPECT_EQUAL(journal_look(self.path).last, 2);
  journal_sweep();
}

/* Catches: a context that stops though it may go on; one that goes on and does not tell. */
CASE(by_option_it_goes_on_and_tells, IN_BOTH) {
  stream on = stream_open(threads);
  breaker self = {&on, journal_path("goes-on")};
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_PROCESS);
  int others = 0, notices = 0;
  options.flags = MAINSTEM_JOURNAL_CONTINUE_UNRECORDED;
  EXPECT_OK(mainstem_journal_record(on.context, self.path, &options));
  mainstem_event_type failed = type_named(on.context, "MainstemJournalFailed");
  EXPECT_OK(mainstem_observe(on.context, on.other, count_one, &others, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, failed, count_one, &notices, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, break_it, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(others, 2);
  EXPECT_EQUAL(notices, 1);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(others, 3);
  EXPECT_EQUAL(notices, 1);
  EXPECT(journal_stats(on.context).status != MAINSTEM_OK);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(journal_look(self.path).last, 1);
  journal_sweep();
}

int main(void) {
  struct rlimit few = {256, 256};
  journal_path("");
  setrlimit(RLIMIT_NOFILE, &few);
  getrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, SIG_IGN);
  atexit(journal_remove_folder);
  return expect_all();
}

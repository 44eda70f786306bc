// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.4: each call on a file, in a script that opens, appends, turns over, syncs and closes, fails in turn or
 * ends the process. Whatever was acknowledged is in the journal afterwards, and the journal goes on.
 *
 *     journal_faults [STRIDE]    every STRIDEth call, else every third; 1: every call
 */

#include "failing_files.h"
#include "journal.h"
#include "turn.h"

#include <sys/mman.h>
#include <sys/wait.h>

enum { EVENTS = 60, BATCHED = 24, MORE = 3, BEFORE = 5 };

typedef struct script {
  const char *name;
  uint32_t level;
  uint64_t segment_size;
  int goes_on_in_one; /* A journal is there, of a process that was killed. */
  uint32_t flags;
} script;

static const script scripts[] = {
    {"one file", MAINSTEM_JOURNAL_PROCESS, 0, 0, 0},
    {"files", MAINSTEM_JOURNAL_PROCESS, 4096, 0, 0},
    {"files, power", MAINSTEM_JOURNAL_POWER, 4096, 0, 0},
    {"one file that is there, power", MAINSTEM_JOURNAL_POWER, 0, 1, 0},
    {"files that are there, buffered", MAINSTEM_JOURNAL_BUFFERED, 4096, 1, 0},
    {"unrecorded if need be", MAINSTEM_JOURNAL_PROCESS, 4096, 0,
     MAINSTEM_JOURNAL_CONTINUE_UNRECORDED},
};

/* What the process of a script has come to. It outlives the process. */
typedef struct outcome {
  struct failing calls;
  mainstem_status record, stopped, close;
  uint64_t accepted, acknowledged;
  uint64_t sending; /* How many may be in the journal beyond those. */
  int refused, is_closed, is_unsafe, is_told;
} outcome;

static outcome *out;

static uint32_t size_of(uint64_t position) {
  if (position == 33) return 300000;
  return position % 20 == 7 ? 9000 : (uint32_t)(position * 37 % 900);
}

static const char *payload_of(uint64_t position) {
  static char bytes[300000];
  memset(bytes, (int)('a' + position % 26), sizeof bytes);
  return bytes;
}

static mainstem_journal_options options_of(const script *self) {
  mainstem_journal_options options = journal_options(self->level);
  options.segment_size = self->segment_size;
  options.flags = self->flags;
  return options;
}

/* The call that has just returned promised that what was accepted is safe. */
static void acknowledge(int from_a_power_cut) {
  out->acknowledged = out->accepted;
  if (from_a_power_cut && !failing_nothing()) out->is_unsafe = 1;
}

/* What came of a call that sent so many; 0: it is the last. */
static int note(const script *self, stream *on, mainstem_status status, uint64_t count) {
  if (status == MAINSTEM_POISONED)
    out->is_told = strstr(mainstem_last_error(), "may not have reached the disk") != NULL;
  if (status == MAINSTEM_OK && journal_stats(on->context).status != MAINSTEM_OK) {
    EXPECT(self->flags & MAINSTEM_JOURNAL_CONTINUE_UNRECORDED);
    out->stopped = journal_stats(on->context).status;
    return 0;
  }
  out->stopped = status;
  if (status != MAINSTEM_OK) return 0;
  out->accepted += count;
  if (self->level != MAINSTEM_JOURNAL_BUFFERED) acknowledge(self->level == MAINSTEM_JOURNAL_POWER);
  return 1;
}

/* Whether a call was refused for want of room, and may be tried again. */
static int is_refused(stream *on, mainstem_status status) {
  if (status != MAINSTEM_NO_SPACE || journal_stats(on->context).status != MAINSTEM_OK) return 0;
  out->refused++;
  return 1;
}

static int send_one(const script *self, stream *on) {
  uint64_t position = out->accepted + 1;
  mainstem_status status = MAINSTEM_OK;
  for (int tries = 0; tries < 3; tries++) {
    status = mainstem_send(on->context, on->notice, payload_of(position), size_of(position));
    if (!is_refused(on, status)) break;
  }
  return note(self, on, status, 1);
}

/* Events with one call. */
static mainstem_status send_batch(stream *on, size_t count, size_t *accepted) {
  static char batch[BATCHED * (sizeof(mainstem_event_header) + 9000)];
  size_t place = count * sizeof(mainstem_event_header);
  for (size_t i = 0; i < count; i++) {
    mainstem_event_header header = {
        .type = on->notice, .size = size_of(out->accepted + 1 + i), .offset = (uint32_t)place};
    memcpy(batch + i * sizeof header, &header, sizeof header);
    memcpy(batch + place, payload_of(out->accepted + 1 + i), header.size);
    place += header.size;
  }
  return mainstem_send_many(on->context, batch, place, count, accepted);
}

static int send_together(const script *self, stream *on) {
  mainstem_status status = MAINSTEM_OK;
  size_t left = BATCHED, accepted = 0;
  out->sending = BATCHED;
  for (int tries = 0; tries < 3; tries++) {
    status = send_batch(on, left, &accepted);
    if (status == MAINSTEM_OK) break;
    out->accepted += accepted; /* Seen; or written perhaps, where it has stopped. */
    left -= accepted;
    if (!is_refused(on, status)) break;
  }
  return note(self, on, status, left);
}

/* What has stopped stays so, and says so. */
static void expect_stopped(stream *on) {
  if (journal_stats(on->context).status == MAINSTEM_OK) return; /* No room. */
  EXPECT_STATUS(mainstem_send(on->context, on->notice, "", 0), out->stopped);
  EXPECT_STATUS(mainstem_journal_sync(on->context), out->stopped);
  EXPECT_STATUS(journal_stats(on->context).status, out->stopped);
}

static void send_all(const script *self, stream *on) {
  int goes_on = send_together(self, on);
  for (int i = 0; goes_on && i < EVENTS && send_one(self, on); i++) {
    if (i % 10 != 9) continue;
    mainstem_status status = mainstem_journal_sync(on->context);
    if (status == MAINSTEM_OK) {
      acknowledge(1);
      continue;
    }
    EXPECT(!send_one(self, on));
    EXPECT_EQUAL(out->stopped, status);
    break;
  }
  if (out->stopped != MAINSTEM_OK && !(self->flags & MAINSTEM_JOURNAL_CONTINUE_UNRECORDED))
    expect_stopped(on);
}

static void run_script(const script *self, const char *path) {
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  mainstem_journal_options options = options_of(self);
  failing.is_counting = 1;
  out->record = mainstem_journal_record(on.context, path, &options);
  if (out->record == MAINSTEM_OK) send_all(self, &on);
  out->close = mainstem_context_close(on.context);
  failing.is_counting = 0;
  out->is_closed = 1;
  out->calls = failing;
}

/* Records a few events, as a process that is killed leaves them. */
static void prepare(const script *self, const char *path) {
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  mainstem_journal_options options = options_of(self);
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  for (uint64_t i = 1; i <= BEFORE; i++)
    EXPECT_OK(mainstem_send(on.context, on.notice, payload_of(i), size_of(i)));
  EXPECT_OK(mainstem_journal_sync(on.context));
}

/* How many events there are, each as it was sent. */
static uint64_t read_all(const char *path, int *is_clean, int *is_torn) {
  mainstem_journal *journal;
  const mainstem_event *event;
  mainstem_journal_info info = {.size = sizeof info};
  uint64_t count = 0;
  EXPECT_OK(mainstem_journal_open(path, &journal));
  while (EXPECT_OK(mainstem_journal_next(journal, 0, &event)), event != NULL) {
    EXPECT_EQUAL(event->position, ++count);
    EXPECT_EQUAL(event->size, size_of(count));
    EXPECT(memcmp(event->data, payload_of(count), event->size) == 0);
  }
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT_OK(mainstem_journal_close(journal));
  *is_clean = (int)info.is_clean;
  *is_torn = info.torn_bytes > 0;
  return count;
}

static void go_on(const script *self, const char *path, uint64_t count) {
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  mainstem_journal_options options = options_of(self);
  int is_clean, is_torn;
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  EXPECT_EQUAL(journal_stats(on.context).written, count);
  for (int i = 0; i < MORE; i++) {
    count++;
    EXPECT_OK(mainstem_send(on.context, on.notice, payload_of(count), size_of(count)));
  }
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(read_all(path, &is_clean, &is_torn), count);
  EXPECT(is_clean && !is_torn);
}

/* Whether there is more than the begin of a header. */
static int is_there(const char *path) {
  char first[400];
  snprintf(first, sizeof first, "%s.000001", path);
  return journal_size(path) >= 128 || journal_size(first) >= 128;
}

static void look(const script *self, const char *path) {
  int all_went_well = out->is_closed && out->record == MAINSTEM_OK && out->stopped == MAINSTEM_OK &&
                      out->close == MAINSTEM_OK;
  int is_clean = 0, is_torn = 0;
  uint64_t count = 0;
  EXPECT(!out->is_unsafe);
  if (out->acknowledged > 0 || is_there(path)) count = read_all(path, &is_clean, &is_torn);
  EXPECT(count >= out->acknowledged);
  EXPECT(count <= out->accepted + out->sending + 1);
  if (all_went_well) {
    EXPECT_EQUAL(count, BATCHED + EVENTS + (self->goes_on_in_one ? BEFORE : 0));
    EXPECT(is_clean);
  }
  /* What failed amid a write is cut off again. */
  if (out->is_closed && out->calls.hit == WRITE) EXPECT(!is_torn);
  /* A refused call leaves nothing behind, unless that cannot be removed. */
  if (out->is_closed && out->record != MAINSTEM_OK && !self->goes_on_in_one &&
      out->calls.hit != REMOVE)
    EXPECT_EQUAL(rmdir(journal_folder), 0), EXPECT_EQUAL(mkdir(journal_folder, 0700), 0);
  go_on(self, path, count);
}

/* Runs a part in a process of its own; its status as of waitpid. */
static int apart(void (*part)(const script *, const char *), const script *self, const char *path) {
  int status;
  fflush(NULL);
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    alarm(30); /* Nothing here may hang. */
    part(self, path);
    _exit(0);
  }
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  return status;
}

static int stride = 3, cases, failures, poisoned, refused;

static void try_one(const script *self, int at, int fault, int is_sticky) {
  const char *path = journal_path("faults");
  int dies = fault >= KILL;
  memset(out, 0, sizeof *out);
  failing.at = -1;
  if (self->goes_on_in_one) {
    EXPECT_EQUAL(apart(prepare, self, path), 0);
    out->accepted = out->acknowledged = BEFORE;
  }
  failing.at = at;
  failing.fault = fault;
  failing.is_sticky = is_sticky;
  int status = apart(run_script, self, path);
  int as_wanted = dies ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0;
  failing.at = -1;
  if (!as_wanted || apart(look, self, path) != 0) {
    fprintf(stderr, "  script \"%s\": call %d (kind %d), fault %d%s, status %d\n", self->name, at,
            out->calls.hit, fault, is_sticky ? ", all of its kind" : "", status);
    fprintf(stderr, "  accepted %llu, record %d, stopped %d, close %d\n",
            (unsigned long long)out->accepted, out->record, out->stopped, out->close);
    failures++;
  }
  journal_sweep();
}

static const int faults[] = {EIO, ENOSPC, EINTR, EMFILE, SHORT, HALF, KILL, KILL_AFTER, KILL_AMID};

static void try_call(const script *self, int at, int kind) {
  for (size_t i = 0; i < COUNT(faults); i++) {
    int fault = faults[i], is_of_bytes = kind == READ || kind == WRITE;
    if ((fault == SHORT || fault == KILL_AMID) && !is_of_bytes) continue;
    if (fault == EMFILE && kind != OPEN) continue;
    if (fault == HALF && kind != WRITE) continue;
    for (int is_sticky = fault == HALF; is_sticky <= (fault < KILL); is_sticky++) {
      try_one(self, at, fault, is_sticky);
      cases++;
      refused += out->refused > 0 && out->stopped == MAINSTEM_OK;
      if (out->stopped != MAINSTEM_POISONED) continue;
      poisoned++;
      EXPECT(out->is_told || self->flags & MAINSTEM_JOURNAL_CONTINUE_UNRECORDED);
    }
  }
}

CASE(each_call_fails_in_turn, IN_ONE) {
  static int kinds[MOST_CALLS];
  for (size_t i = 0; i < COUNT(scripts); i++) {
    try_one(&scripts[i], -1, 0, 0);
    int count = out->calls.count;
    EXPECT(count > EVENTS / 4 && count < MOST_CALLS);
    memcpy(kinds, out->calls.kinds, sizeof kinds);
    int before = cases;
    for (int at = (int)turn((size_t)stride); at < count; at += stride) {
      alarm(60); /* A hang is one call's; on a slow machine all of them take minutes. */
      try_call(&scripts[i], at, kinds[at]);
    }
    printf("%s: %d calls, %d cases\n", scripts[i].name, count, cases - before);
  }
  EXPECT_EQUAL(failures, 0);
  if (stride > 5) return; /* So few calls need not meet everything. */
  EXPECT(poisoned > 0);
  EXPECT(refused > 0);
}

int main(int argc, char **argv) {
  if (argc > 1) stride = atoi(argv[1]);
  if (stride < 1) return 2;
  out =
      (outcome *)mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (out == MAP_FAILED) return 2;
  /* In memory, where there is such a place: thousands of files are made. */
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  journal_path("");
  atexit(journal_remove_folder);
  return expect_all();
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 4: a process that records is killed at a random instant, again and again. What it was told is safe is in the
 * journal afterwards, of what it sent there is a begin and nothing else, and the next process goes on.
 *
 *     journal_kills [KILLS]    500 where nothing is said
 *
 * The process sets the timer that kills it, and notes in memory that outlives it what it did.
 */

#include "journal.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

/* Who sends: the first thread, its callback, and another thread. */
enum { FIRST, CALLBACK, SECOND, SENDERS };
enum { BATCH = 40, LARGEST = 300000, BUFFERED = 65536 };

typedef struct script {
  const char *name;
  uint32_t level, threads;
  uint64_t segment_size;
  uint32_t keep;
  int has_second;
} script;

static const script scripts[] = {
    {"process, one file", MAINSTEM_JOURNAL_PROCESS, MAINSTEM_THREADS_ONE, 0, 0, 0},
    {"process, files", MAINSTEM_JOURNAL_PROCESS, MAINSTEM_THREADS_ONE, 16384, 0, 0},
    {"process, threads, files", MAINSTEM_JOURNAL_PROCESS, MAINSTEM_THREADS_ANY, 16384, 0, 1},
    {"process, the last files", MAINSTEM_JOURNAL_PROCESS, MAINSTEM_THREADS_ONE, 4096, 3, 0},
    {"power, one file", MAINSTEM_JOURNAL_POWER, MAINSTEM_THREADS_ONE, 0, 0, 0},
    {"power, threads, files", MAINSTEM_JOURNAL_POWER, MAINSTEM_THREADS_ANY, 16384, 0, 1},
    {"buffered, one file", MAINSTEM_JOURNAL_BUFFERED, MAINSTEM_THREADS_ONE, 0, 0, 0},
    {"buffered, threads, files", MAINSTEM_JOURNAL_BUFFERED, MAINSTEM_THREADS_ANY, 16384, 0, 1},
};

/* What a process did, by sender: the numbers of its events. */
static struct told {
  uint64_t sent[SENDERS];     /* A call with it has begun. */
  uint64_t accepted[SENDERS]; /* It has returned. */
  uint64_t safe[SENDERS];     /* A call has returned that makes it safe. */
  uint64_t seen;              /* The last position that its observer saw. */
  int is_recording;
} *told;

/* What the journal had when it was looked at last. */
static struct found {
  uint64_t numbers[SENDERS], last;
  int is_there;
} found;

static struct counted {
  int kills, early, torn;
  uint64_t safe, beyond;
} counted;

static const script *self;

static uint64_t pick(uint64_t *state, uint64_t bound) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31)) % bound;
}

/* An event's payload: its number, its sender, and bytes that follow from them, as many as follow from them. */
static uint32_t size_of(int sender, uint64_t number) {
  uint64_t state = number * SENDERS + (uint64_t)sender, kind = pick(&state, 400);
  uint64_t most = kind == 0 ? LARGEST : kind < 8 ? 20000 : 300;
  return (uint32_t)(16 + pick(&state, most - 16));
}

static void write_payload(uint8_t *bytes, int sender, uint64_t number) {
  uint64_t words[2] = {number, (uint64_t)sender};
  memcpy(bytes, words, 16);
  memset(bytes + 16, (int)(number * 3 + (uint64_t)sender), size_of(sender, number) - 16);
}

/* The process that is killed ----------------------------------------------------------------------- */

static void send_one(stream *on, int sender) {
  static uint8_t room[SENDERS][LARGEST];
  uint8_t *bytes = room[sender];
  uint64_t number = told->sent[sender] + 1;
  write_payload(bytes, sender, number);
  told->sent[sender] = number;
  EXPECT_OK(mainstem_send(on->context, on->notice, bytes, size_of(sender, number)));
  told->accepted[sender] = number;
}

static void send_many(stream *on, int sender, size_t count) {
  static uint8_t room[SENDERS][BATCH * (LARGEST + sizeof(mainstem_event_header))];
  uint8_t *batch = room[sender];
  uint64_t number = told->sent[sender];
  size_t size = count * sizeof(mainstem_event_header), accepted;
  for (size_t i = 0; i < count; i++) {
    mainstem_event_header header = {
        .type = on->notice, .size = size_of(sender, ++number), .offset = (uint32_t)size};
    memcpy(batch + i * sizeof header, &header, sizeof header);
    write_payload(batch + size, sender, number);
    size += header.size;
  }
  told->sent[sender] = number;
  EXPECT_OK(mainstem_send_many(on->context, batch, size, count, &accepted));
  EXPECT_EQUAL(accepted, count);
  told->accepted[sender] = number;
}

static void make_safe(const uint64_t *accepted) {
  for (int i = 0; i < SENDERS; i++)
    if (accepted[i] > told->safe[i]) told->safe[i] = accepted[i];
}

/* Sends as a program does. What the docs promise of each call is noted when it has returned. */
static void send_some(stream *on, int sender, uint64_t *state) {
  uint64_t before[SENDERS], kind = pick(state, 10);
  memcpy(before, told->accepted, sizeof before);
  if (kind == 0) EXPECT_OK(mainstem_flush(on->context));
  else if (kind == 1) EXPECT_OK(mainstem_journal_sync(on->context));
  else if (kind < 5) send_many(on, sender, 1 + pick(state, BATCH));
  else send_one(on, sender);
  if (self->has_second) {
    if (kind < 2 || self->level == MAINSTEM_JOURNAL_POWER) told->safe[sender] = before[sender];
    if (kind >= 2 && self->level == MAINSTEM_JOURNAL_POWER)
      told->safe[sender] = told->accepted[sender];
  } else if (kind < 2 || self->level != MAINSTEM_JOURNAL_BUFFERED) {
    make_safe(told->accepted);
  }
}

static void answer_some(void *user_data, const mainstem_event *event) {
  if (self->level != MAINSTEM_JOURNAL_BUFFERED) told->seen = event->position;
  if (event->cause == 0 && event->position % 7 == 0) send_one((stream *)user_data, CALLBACK);
}

typedef struct sending {
  stream *on;
  int sender;
  uint64_t state;
} sending;

static void *send_all(void *argument) {
  sending *work = (sending *)argument;
  for (uint64_t turns = pick(&work->state, 60); turns > 0; turns--)
    send_some(work->on, work->sender, &work->state);
  return NULL;
}

/* Opens the journal, or makes it, sends, and closes. */
static void record(const char *path, uint64_t *state) {
  stream on = stream_open(self->threads);
  mainstem_journal_options options = journal_options(self->level);
  sending first = {&on, FIRST, pick(state, UINT64_MAX)};
  sending second = {&on, SECOND, pick(state, UINT64_MAX)};
  pthread_t thread;
  options.segment_size = self->segment_size;
  options.keep = self->keep;
  EXPECT_OK(mainstem_observe(on.context, on.notice, answer_some, &on, NULL, NULL));
  EXPECT_OK(mainstem_journal_record(on.context, path, &options));
  told->is_recording = 1;
  if (self->has_second) EXPECT(pthread_create(&thread, NULL, send_all, &second) == 0);
  send_all(&first);
  if (self->has_second) EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT_OK(mainstem_context_close(on.context));
  make_safe(told->accepted);
}

/* Mostly soon: opening takes a millisecond. */
static void be_killed(uint64_t *state) {
  struct itimerspec when = {0};
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  when.it_value.tv_nsec = 1 + (long)pick(state, 64000ULL << pick(state, 10));
  EXPECT(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  EXPECT(timer_settime(timer, 0, &when, NULL) == 0);
}

static void kill_one(const char *path, uint64_t *state) {
  int status;
  uint64_t seed = pick(state, UINT64_MAX);
  memset(told, 0, sizeof *told);
  for (int i = 0; i < SENDERS; i++)
    told->sent[i] = told->accepted[i] = told->safe[i] = found.numbers[i];
  fflush(NULL);
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    be_killed(&seed);
    for (;;) record(path, &seed);
  }
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT_EQUAL(status, SIGKILL);
  counted.kills++;
  counted.early += !told->is_recording;
}

/* What is left of it ------------------------------------------------------------------------------- */

static void look_at(const mainstem_event *event, int is_first) {
  static uint8_t wanted[LARGEST];
  uint64_t words[2];
  EXPECT(event->size >= 16);
  memcpy(words, event->data, 16);
  EXPECT(words[1] < SENDERS);
  /* Of the last files nobody knows where they begin. */
  if (!is_first || self->keep == 0) EXPECT_EQUAL(words[0], found.numbers[words[1]] + 1);
  found.numbers[words[1]] = words[0];
  EXPECT_EQUAL(event->size, size_of((int)words[1], words[0]));
  write_payload(wanted, (int)words[1], words[0]);
  EXPECT(memcmp(event->data, wanted, event->size) == 0);
}

static void read_all(mainstem_journal *journal) {
  mainstem_journal_info info = {.size = sizeof info};
  const mainstem_event *event;
  int is_known[SENDERS] = {0};
  uint64_t last = 0;
  memset(found.numbers, 0, sizeof found.numbers);
  while (EXPECT_OK(mainstem_journal_next(journal, 0, &event)), event != NULL) {
    uint64_t sender;
    EXPECT(last == 0 ? event->position == 1 || self->keep > 0 : event->position == last + 1);
    last = event->position;
    memcpy(&sender, (const uint8_t *)event->data + 8, 8);
    look_at(event, sender < SENDERS && !is_known[sender]);
    is_known[sender] = 1;
  }
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.is_read && info.damaged_file == 0);
  EXPECT(info.last >= found.last && info.last >= told->seen);
  found.last = info.last;
  counted.torn += info.torn_bytes > 0;
  /* All of a sender's events may be in files that are gone. */
  for (int i = 0; i < SENDERS; i++)
    if (!is_known[i] && self->keep > 0) found.numbers[i] = told->sent[i];
}

static void look(const char *path) {
  uint64_t before[SENDERS], lost = 0;
  mainstem_journal *journal;
  memcpy(before, found.numbers, sizeof before);
  if (!found.is_there && !told->is_recording) {
    mainstem_status status = mainstem_journal_open(path, &journal);
    if (status == MAINSTEM_IO || status == MAINSTEM_CORRUPT) return; /* Not begun yet. */
    EXPECT_OK(status);
  } else {
    EXPECT_OK(mainstem_journal_open(path, &journal));
  }
  found.is_there = 1;
  read_all(journal);
  EXPECT_OK(mainstem_journal_close(journal));
  for (int i = 0; i < SENDERS; i++) {
    EXPECT(found.numbers[i] >= told->safe[i]);
    EXPECT(found.numbers[i] <= told->sent[i]);
    counted.safe += told->safe[i] - before[i];
    counted.beyond += found.numbers[i] - told->safe[i];
  }
  for (uint64_t i = found.numbers[FIRST] + 1; i <= told->accepted[FIRST]; i++)
    lost += journal_length(size_of(FIRST, i));
  if (!self->has_second) EXPECT(lost < BUFFERED);
}

static int kills = 500;

/* Each journal outlives some processes. */
CASE(nothing_safe_is_lost, IN_ONE) {
  const char *path = journal_path("killed");
  uint64_t state = 20261121;
  for (int journal = 0; counted.kills < kills; journal++) {
    self = &scripts[(size_t)journal % COUNT(scripts)];
    expect_sentence = self->name;
    memset(&found, 0, sizeof found);
    for (uint64_t i = 1 + pick(&state, 12); i > 0 && counted.kills < kills; i--) {
      kill_one(path, &state);
      look(path);
    }
    journal_sweep();
  }
  printf("%d kills, %d while the journal was opened, %d torn ends\n", counted.kills, counted.early,
         counted.torn);
  printf("%llu events were safe, and %llu more were there\n", (unsigned long long)counted.safe,
         (unsigned long long)counted.beyond);
  /* It happened in all parts, or it shows little. */
  EXPECT(counted.early > 0 && counted.early < counted.kills);
  EXPECT(counted.safe > (uint64_t)kills);
}

int main(int argc, char **argv) {
  if (argc > 1) kills = atoi(argv[1]);
  if (kills < 1) return 2;
  told = (struct told *)mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                             -1, 0);
  if (told == MAP_FAILED) return 2;
  /* In memory, where there is such a place: it is faster, and a kill tears what is written there. */
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  journal_path("");
  atexit(journal_remove_folder);
  return expect_all();
}

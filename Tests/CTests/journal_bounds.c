// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What a stranger's journal can cost: whatever is in it, every call ends in a status, soon, with no more memory
 * than the file is long and 64 MiB. Each use of each file is a process of its own, whose peak is looked at.
 *
 * Only every n-th use of each file is tried where the argument is n.
 */

#include "journal_bytes.h"
#include "stream.h"
#include "turn.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { SIZE = 80 << 20, SLACK = 64 << 20 };

static size_t stride = 1;

/* What is done with a file ------------------------------------------------------------------------ */

static void read_one_by_one(const char *path) {
  mainstem_journal *journal;
  mainstem_journal_info info = {.size = sizeof info};
  mainstem_type_info type = {.size = sizeof type};
  const mainstem_event *event = NULL;
  char line[64];
  uint64_t count = 0;
  if (mainstem_journal_open(path, &journal) != MAINSTEM_OK) return;
  while (mainstem_journal_next(journal, 0, &event) == MAINSTEM_OK && event != NULL) {
    if (++count % 64 != 0) continue;
    EXPECT_OK(mainstem_journal_event_line(journal, event, line, sizeof line, NULL));
    mainstem_journal_type_read(journal, event->type, &type);
  }
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.is_read == 1 && info.events == count);
  EXPECT_OK(mainstem_journal_close(journal));
}

static void read_many(const char *path) {
  static unsigned char buffer[1 << 18];
  mainstem_journal *journal;
  const mainstem_event *event;
  mainstem_status status;
  size_t count;
  if (mainstem_journal_open(path, &journal) != MAINSTEM_OK) return;
  do {
    status = mainstem_journal_next_many(journal, 0, buffer, sizeof buffer, &count, NULL);
    if (status == MAINSTEM_TOO_BIG) EXPECT_OK(mainstem_journal_next(journal, 0, &event));
  } while (status == MAINSTEM_TOO_BIG || (status == MAINSTEM_OK && count > 0));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_journal_close(journal));
}

static void replay_as(const char *path, uint32_t mode) {
  mainstem_context *context = context_open(MAINSTEM_THREADS_ONE);
  mainstem_replay *replay;
  uint64_t fed;
  mainstem_status status =
      mainstem_replay_open(context, path, OPTIONS(replay, .mode = mode), &replay);
  EXPECT(status != MAINSTEM_NO_MEMORY);
  if (status == MAINSTEM_OK) {
    EXPECT(mainstem_replay_step(replay, 0, &fed) != MAINSTEM_NO_MEMORY);
    EXPECT_OK(mainstem_replay_close(replay));
  }
  EXPECT_OK(mainstem_context_close(context));
}

static void replay(const char *path) { replay_as(path, MAINSTEM_REPLAY_MUTED); }

static void verify(const char *path) { replay_as(path, MAINSTEM_REPLAY_VERIFY); }

static void salvage(const char *path) {
  char to[600];
  snprintf(to, sizeof to, "%s.salvaged", path);
  mainstem_status status = mainstem_journal_salvage(path, to, NULL);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION);
  unlink(to);
}

static const struct {
  const char *name;
  void (*use)(const char *path);
} uses[] = {{"next", read_one_by_one},
            {"next_many", read_many},
            {"replay", replay},
            {"verify", verify},
            {"salvage", salvage}};

/* Files ------------------------------------------------------------------------------------------- */

static void types(journal_bytes *made, uint32_t number) {
  char name[32], response[32];
  snprintf(name, sizeof name, "%x", number);
  snprintf(response, sizeof response, "%x", number + 1);
  journal_type(made, number, MAINSTEM_PAYLOAD_BYTES, name, number % 2 ? "" : response);
  if (number % 16 == 0) journal_event(made, number, "", 0);
}

static void origins(journal_bytes *made, uint32_t number) {
  char name[32];
  snprintf(name, sizeof name, "%x", number);
  journal_name(made, ORIGIN, number, name);
}

static void names_anew(journal_bytes *made, uint32_t number) {
  char name[256];
  memset(name, 'n', sizeof name);
  name[number % 255 + 1] = '\0';
  journal_type(made, number % 3 + 1, MAINSTEM_PAYLOAD_BYTES, name, "R");
  journal_name(made, LAYER, number % 64, "l");
}

static void tiny_events(journal_bytes *made, uint32_t number) {
  if (number == 1) journal_type(made, 1, MAINSTEM_PAYLOAD_BYTES, "T", "");
  journal_event(made, 1, "", 0);
}

static void outputs(journal_bytes *made, uint32_t number) {
  if (number == 1) journal_type(made, 1, MAINSTEM_PAYLOAD_BYTES, "T", "");
  mainstem_event_header header = journal_header(made, 1, 0);
  header.cause = header.position - 1;
  header.flags = number == 1 ? MAINSTEM_EVENT_OUTSIDE : 0;
  journal_record(made, header, NULL);
}

static void answers(journal_bytes *made, uint32_t number) {
  if (number == 1) journal_type(made, 1, MAINSTEM_PAYLOAD_BYTES, "ResponseT", "");
  mainstem_event_header header = journal_header(made, 1, 0);
  header.answers = header.position - 1;
  journal_record(made, header, NULL);
}

static void digests(journal_bytes *made, uint32_t number) { journal_digest(made, DIGEST, number); }

static void skips(journal_bytes *made, uint32_t number) { journal_skip(made, number % 3 + 1); }

/* Each begins anew, and says names. */
static void sessions(journal_bytes *made, uint32_t number) {
  journal_session(made, number % 2);
  journal_name(made, ORIGIN, number, "o");
}

static void long_names(journal_bytes *made, uint32_t number) {
  size_t size = 1 << 20;
  uint8_t *payload = (uint8_t *)malloc(size);
  memset(payload, 'n', size);
  put64(payload, number);
  journal_says(made, ORIGIN, payload, size);
  free(payload);
}

/* Nothing is intact, and everything could begin here. */
static void baits(journal_bytes *made, uint32_t number) {
  uint8_t *at = journal_grow(made, 72);
  put64(at, UINT64_MAX / 2);
  put32(at + 40, number * 64);
  put32(at + 48, 1);
}

static const struct {
  const char *name;
  void (*add)(journal_bytes *made, uint32_t number);
} shapes[] = {{"types", types},           {"origins", origins}, {"names anew", names_anew},
              {"events", tiny_events},    {"outputs", outputs}, {"answers", answers},
              {"digests", digests},       {"skips", skips},     {"sessions", sessions},
              {"long names", long_names}, {"baits", baits}};

/* ------------------------------------------------------------------------------------------------- */

static double seconds_of(const struct rusage *used) {
  return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
         1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

/* A use of a file stays within KiB and seconds of the processor. */
static void expect_within(const char *shape, const char *path, long most, double longest,
                          size_t use) {
  struct rusage before, used;
  int status;
  pid_t child = fork();
  if (child == 0) {
    getrusage(RUSAGE_SELF, &before);
    uses[use].use(path);
    getrusage(RUSAGE_SELF, &used);
    used.ru_maxrss -= before.ru_maxrss;
    if (used.ru_maxrss <= most && seconds_of(&used) <= longest) _exit(0);
    fprintf(stderr, "  %s of %s: %ld of %ld KiB, %.2f of %.0f s\n", uses[use].name, shape,
            used.ru_maxrss, most, seconds_of(&used), longest);
    _exit(1);
  }
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT_EQUAL(status, 0);
}

CASE(memory_stays_within_the_file, IN_ONE) {
  char path[512];
  snprintf(path, sizeof path, "%s", journal_path("bounds"));
  for (size_t shape = 0; shape < COUNT(shapes); shape++) {
    journal_bytes made = journal_file(20, NULL);
    size_t size;
    journal_session(&made, 0);
    for (uint32_t number = 1; made.size < SIZE; number++) shapes[shape].add(&made, number);
    size = made.size;
    journal_write(&made, path);
    journal_free(&made);
    for (size_t use = (shape + turn(stride)) % stride; use < COUNT(uses); use += stride)
      expect_within(shapes[shape].name, path, (long)((size + SLACK) >> 10), 20, use);
  }
  unlink(path);
}

/* A hole of a terabyte, and one byte behind it. */
CASE(a_terabyte_of_nothing_takes_no_time, IN_ONE) {
  journal_bytes made = journal_file(21, NULL);
  char path[512];
  snprintf(path, sizeof path, "%s", journal_path("hole"));
  journal_session(&made, 0);
  tiny_events(&made, 1);
  journal_write(&made, path);
  int fd = open(path, O_RDWR);
  EXPECT(fd >= 0 && pwrite(fd, "1", 1, ((off_t)1 << 40) - 1) == 1);
  close(fd);
  for (size_t use = 0; use < COUNT(uses); use++) expect_within("a hole", path, 8 << 10, 1, use);
  unlink(path);
  rmdir(journal_path(""));
  journal_free(&made);
}

int main(int argc, char **argv) {
  if (argc > 1) stride = strtoul(argv[1], NULL, 10);
  return stride < 1 ? 2 : expect_all();
}

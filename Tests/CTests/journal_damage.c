// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.6: every bit flipped, every cut, records spliced, lengths that lie. What is delivered is always
 * a part of the original from its begin on, byte for byte; and where anything is missing, it is said.
 *
 * Only every n-th bit is flipped where the argument is n.
 */

#include "journal_segments.h"
#include "turn.h"

#include <sys/resource.h>
#include <time.h>

static size_t stride = 1;

typedef struct outcome {
  mainstem_status status;
  uint64_t events, torn, damaged_file, damaged_at;
} outcome;

typedef struct reading {
  const original *made; /* The file whose record is the next. */
  mainstem_journal *journal;
  size_t record; /* The original's next. */
  uint64_t events;
} reading;

static void expect_next(reading *self, const mainstem_event *event) {
  while (self->record == self->made->count || !is_event(self->made, self->record))
    if (self->record++ == self->made->count) self->made++, self->record = 0;
  expect_same(self->made, self->record++, event);
  self->events++;
}

/* Reads one, or as many as have room; 0 at the end. */
static mainstem_status read_some(reading *self, int many, size_t *count) {
  static union {
    mainstem_event_header headers[64];
    uint8_t bytes[2048];
  } in; /* Longer events come alone. */
  mainstem_event event = {0};
  const mainstem_event *one;
  mainstem_status status;
  if (!many) {
    status = mainstem_journal_next(self->journal, 0, &one);
    *count = one != NULL;
    if (one != NULL) expect_next(self, one);
    return status;
  }
  status = mainstem_journal_next_many(self->journal, 0, &in, sizeof in, count, NULL);
  for (size_t i = 0; i < *count; i++) {
    memcpy(&event, &in.headers[i], sizeof in.headers[i]);
    event.data = in.bytes + event.offset;
    expect_next(self, &event);
  }
  return status;
}

/* Reads what is there, one event and many by turns: each must be the originals' next. */
static outcome read_files(const original *made, const char *path) {
  outcome found = {0};
  mainstem_journal_info info = {.size = sizeof info};
  reading self = {.made = made};
  mainstem_journal *journal;
  size_t count;
  static int many;
  found.status = mainstem_journal_open(path, &journal);
  if (found.status != MAINSTEM_OK) return found;
  self.journal = journal;
  do {
    found.status = read_some(&self, many, &count);
    /* What is too long for many at once comes alone. */
    many = !many;
  } while (count > 0 || found.status == MAINSTEM_TOO_BIG);
  found.events = self.events;
  EXPECT_OK(mainstem_journal_info_read(journal, &info));
  EXPECT(info.is_read == 1 && info.events == found.events);
  found.torn = info.torn_bytes;
  found.damaged_file = info.damaged_file;
  found.damaged_at = info.damaged_at;
  EXPECT_OK(mainstem_journal_close(journal));
  return found;
}

static outcome read_all(const original *made) { return read_files(made, made->path); }

/* The events of the first records. */
static uint64_t events_before(const original *made, size_t record) {
  uint64_t count = 0;
  for (size_t i = 0; i < record; i++) count += (uint64_t)is_event(made, i);
  return count;
}

static void expect_damage(const original *made, size_t record, size_t at, uint64_t before) {
  outcome found = read_all(made);
  int is_last = record + 1 == made->count;
  if (found.status == (is_last ? MAINSTEM_OK : MAINSTEM_CORRUPT) && found.events == before &&
      (is_last ? found.torn > 0 : found.damaged_at == made->begin[record]))
    return;
  fprintf(stderr, "  byte %zu, record %zu\n", at, record);
  EXPECT(!"every changed bit is found, and where");
}

CASE(every_flipped_bit_is_found, IN_ONE) {
  original made = make(1, 65536);
  int fd = open(made.path, O_RDWR);
  size_t record = 0, bits = made.journal.size * 8;
  uint64_t before = 0;
  for (size_t bit = turn(stride); bit < bits; bit += stride) {
    size_t at = bit / 8;
    uint8_t byte = made.journal.bytes[at] ^ (uint8_t)(1 << bit % 8);
    write_at(fd, &byte, 1, at);
    if (at < FILE_HEADER) {
      EXPECT_STATUS(read_all(&made).status, MAINSTEM_CORRUPT);
    } else {
      while (at >= made.begin[record + 1]) before += (uint64_t)is_event(&made, record++);
      expect_damage(&made, record, at, before);
    }
    write_at(fd, &made.journal.bytes[at], 1, at);
  }
  EXPECT_EQUAL(read_all(&made).events, events_before(&made, made.count));
  close(fd);
  destroy(&made);
}

CASE(every_cut_is_a_torn_tail, IN_ONE) {
  original made = make(2, 16384);
  size_t record = made.count;
  for (size_t size = made.journal.size; size-- > FILE_HEADER;) {
    EXPECT(truncate(made.path, (off_t)size) == 0);
    while (made.begin[record] > size) record--;
    size_t torn = size - made.begin[record];
    while (torn > 0 && made.journal.bytes[made.begin[record] + torn - 1] == 0) torn--;
    outcome found = read_all(&made);
    EXPECT_STATUS(found.status, MAINSTEM_OK);
    EXPECT_EQUAL(found.events, events_before(&made, record));
    EXPECT_EQUAL(found.torn, torn);
  }
  for (size_t size = FILE_HEADER; size-- > 0;) {
    EXPECT(truncate(made.path, (off_t)size) == 0);
    outcome found = read_all(&made);
    EXPECT(found.status == MAINSTEM_OK && found.events == 0 && found.torn <= size);
  }
  destroy(&made);
}

/* A part of the file is now another one: the events before it come, and it is said that something is wrong. */
static void expect_found(const original *made, size_t record) {
  outcome found = read_all(made);
  EXPECT_STATUS(found.status, MAINSTEM_CORRUPT);
  EXPECT_EQUAL(found.events, events_before(made, record));
  EXPECT_EQUAL(found.damaged_at, made->begin[record]);
}

CASE(records_of_elsewhere_are_none, IN_ONE) {
  original other = make(3, 16384), made = make(4, 16384);
  const uint8_t *bytes = made.journal.bytes;
  size_t last = made.count - 1;
  for (size_t i = 0; i + 2 < made.count && i + 2 < other.count; i++) {
    size_t begin = made.begin[i], end = made.begin[i + 1];
    size_t from = pick(last), length = made.begin[from + 1] - made.begin[from];
    /* The same record of another journal, instead of this one and before it. */
    const uint8_t *foreign = other.journal.bytes + other.begin[i];
    put_in(&made, begin, end, foreign, other.begin[i + 1] - other.begin[i]);
    expect_found(&made, i);
    put_in(&made, begin, begin, foreign, other.begin[i + 1] - other.begin[i]);
    expect_found(&made, i);
    /* One taken out; one that is there twice; one from elsewhere in the same journal. */
    put_in(&made, begin, end, NULL, 0);
    expect_found(&made, i);
    put_in(&made, end, end, bytes + begin, end - begin);
    expect_found(&made, i + 1);
    if (from == i) continue;
    put_in(&made, begin, end, bytes + made.begin[from], length);
    expect_found(&made, i);
  }
  journal_free(&other.journal);
  destroy(&made);
}

/* The tail of a file that was used before: its records are older than the last. */
CASE(a_recycled_tail_is_a_torn_tail, IN_ONE) {
  original other = make(5, 16384), made = make(6, 16384);
  put_in(&made, made.journal.size, made.journal.size, other.journal.bytes, other.journal.size);
  outcome found = read_all(&made);
  EXPECT_STATUS(found.status, MAINSTEM_OK);
  EXPECT_EQUAL(found.torn, other.journal.size);
  EXPECT_EQUAL(found.events, events_before(&made, made.count));
  put_in(&made, made.journal.size, made.journal.size, made.journal.bytes + made.begin[3], 4000);
  found = read_all(&made);
  EXPECT_STATUS(found.status, MAINSTEM_OK);
  EXPECT_EQUAL(found.events, events_before(&made, made.count));
  journal_free(&other.journal);
  destroy(&made);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Catches: memory for a length that a file claims, and sums that run over. The last record has the length; it is
   whole in none of them but those that are as long as the file may be. */
CASE(lengths_that_lie_are_found, IN_ONE) {
  const uint32_t lengths[] = {0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
                              0xffffffb8, 0xffffffbc, 0xffffffc0, 100000000};
  for (size_t i = 0; i < COUNT(lengths); i++) {
    original made = make(7 + i, 4096);
    size_t at = made.begin[made.count - 1];
    struct rusage before, after;
    int fd = open(made.path, O_RDWR);
    write_at(fd, &lengths[i], 4, at + 40);
    outcome found = read_all(&made);
    EXPECT_STATUS(found.status, MAINSTEM_OK);
    EXPECT(found.torn > 0 && found.events == events_before(&made, made.count - 1));
    if (lengths[i] < 1u << 31) { /* Now there is as much. */
      EXPECT(ftruncate(fd, (off_t)200000000) == 0);
      getrusage(RUSAGE_SELF, &before);
      found = read_all(&made);
      EXPECT_STATUS(found.status, MAINSTEM_OK);
      EXPECT(found.torn > 0 && found.events == events_before(&made, made.count - 1));
      getrusage(RUSAGE_SELF, &after);
      EXPECT(after.ru_maxrss - before.ru_maxrss < 20000); /* KiB */
    }
    close(fd);
    destroy(&made);
  }
}

/* A file made to be slow: at every eighth byte a header that makes sense, and claims all that follows. */
CASE(a_file_made_to_be_slow_is_not, IN_ONE) {
  original made = make(20, 4096);
  const size_t size = 8 << 20;
  mainstem_event_header *bait = (mainstem_event_header *)calloc(size / 64, 64);
  for (size_t i = 0; i < size / 64; i++) {
    bait[i].position = UINT32_MAX;
    bait[i].type = 1;
    bait[i].size = (uint32_t)(size - (i + 1) * 64 - 8);
  }
  put_in(&made, made.journal.size, made.journal.size, (const uint8_t *)bait, size);
  double begin = seconds();
  /* Nothing intact is there, but not all of it could be looked at: who appends here must not cut it off. */
  EXPECT_STATUS(read_all(&made).status, MAINSTEM_CORRUPT);
  EXPECT(seconds() - begin < 5);
  free(bait);
  destroy(&made);
}

/* Several windows, several files, records that are longer than a window. */

static segments large;

/* What the page says of a journal in which some records are not whole, and what the library says. */
static void expect_as_the_page_says(const segments *made) {
  page_says want = what_the_page_says(made);
  outcome found = read_files(made->files, made->path);
  if (found.status == want.status && found.events == want.events &&
      found.damaged_file == want.damaged_file && found.damaged_at == want.damaged_at &&
      (want.status == MAINSTEM_CORRUPT || (found.torn > 0) == want.is_torn))
    return;
  fprintf(stderr, "  %s: status %d, %llu events, damage in file %llu at %llu, %llu torn\n",
          made->done, found.status, (unsigned long long)found.events,
          (unsigned long long)found.damaged_file, (unsigned long long)found.damaged_at,
          (unsigned long long)found.torn);
  EXPECT(!"damage is found where it is, and nothing else is taken for it");
}

/* Catches: the intact rest cut off, as if it were a torn tail. */
static void expect_left_alone(const segments *made) {
  uint32_t before = checksum_of_segments(made);
  mainstem_journal_options options = {.size = sizeof options};
  mainstem_context *context = NULL;
  if (what_the_page_says(made).status != MAINSTEM_CORRUPT) return;
  options.segment_size = 1 << 20;
  EXPECT_OK(mainstem_context_create(NULL, &context));
  EXPECT_STATUS(mainstem_journal_record(context, made->path, &options), MAINSTEM_CORRUPT);
  EXPECT_OK(mainstem_context_close(context));
  EXPECT_EQUAL(checksum_of_segments(made), before);
}

static void move_records(segments *made) { splice_somehow(made); }

/* What is done to large files by chance, and what must be so whatever it was. */
static const struct {
  const char *name;
  uint64_t id;
  int rounds;
  void (*hurt)(segments *made);
  void (*expect)(const segments *made);
} chances[] = {
    {"every fault is found", 300, 3000, hurt_somehow, expect_as_the_page_says},
    {"records of elsewhere are none", 303, 300, move_records, expect_as_the_page_says},
    {"what is damaged is never changed", 304, 300, hurt_somehow, expect_left_alone},
};

CASE(whatever_happens_to_large_files_is_found, IN_ONE) {
  for (size_t i = 0; i < COUNT(chances); i++) {
    expect_sentence = chances[i].name;
    make_segments(&large, chances[i].id);
    chances[i].expect(&large);
    for (int round = 0; round < trials(chances[i].rounds); round++) {
      chances[i].hurt(&large);
      chances[i].expect(&large);
      heal(&large);
    }
    expect_as_the_page_says(&large);
    destroy_segments(&large);
  }
}

/* The records before and behind each window's end, wherever the window begins. */
CASE(every_record_of_large_files_can_be_the_damaged_one, IN_ONE) {
  make_segments(&large, 301);
  for (size_t file = 0; file < FILES; file++) {
    for (size_t record = 0; record < large.files[file].count; record++) {
      flip_bit(&large, file, large.files[file].begin[record] * 8 + pick(68 * 8));
      expect_as_the_page_says(&large);
      heal(&large);
    }
  }
  destroy_segments(&large);
}

CASE(every_flipped_bit_of_large_files_is_found, IN_ONE) {
  if (trials(0) == 0) return;
  make_segments(&large, 302);
  for (size_t file = 0; file < FILES; file++) {
    size_t bits = large.files[file].journal.size * 8;
    for (size_t bit = turn(stride); bit < bits; bit += stride) {
      flip_bit(&large, file, bit);
      expect_as_the_page_says(&large);
      heal(&large);
    }
  }
  destroy_segments(&large);
}

int main(int count, char **arguments) {
  if (count > 1) stride = strtoul(arguments[1], NULL, 10);
  EXPECT(stride > 0);
  /* In memory, where there is such a place: thousands of files are written. */
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  return expect_all();
}

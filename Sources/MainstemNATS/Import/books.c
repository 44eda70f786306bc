// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What was taken in, as the context's own journal says: a note (NATSImported), and behind it the events that it names, in
   order, as far as they came. They are inputs, and the note is the event before the callback that sent them: it is their
   cause. So a crash between any two of them leaves no doubt. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Journals -------------------------------------------------------------------------------------------- */

/* The journals whose events come in, by id. Ids come from the network, so their number is bounded, and where they are
   in the table cannot be guessed. */

enum { FEWEST = 64, MOST = 1 << 20 };

static uint64_t mixed(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebULL;
  return bits ^ bits >> 31;
}

static size_t place_of(const struct sources *sources, const uint8_t *id) {
  uint64_t halves[2];
  memcpy(halves, id, sizeof halves);
  return mixed(mixed(halves[0] ^ sources->key) ^ halves[1]) & (sources->capacity - 1);
}

/* A row is free if its position is 0 and its id, too: positions begin at 1. */
static bool is_free(const struct source *row) {
  static const struct source none;
  return memcmp(row, &none, sizeof none) == 0;
}

static struct source *look_up(const struct sources *sources, const uint8_t *id) {
  size_t at = place_of(sources, id);
  while (!is_free(&sources->rows[at]) && memcmp(sources->rows[at].id, id, ID_BYTES) != 0)
    at = (at + 1) & (sources->capacity - 1);
  return &sources->rows[at];
}

static bool grow(struct sources *sources) {
  struct sources larger = *sources;
  larger.capacity = sources->capacity == 0 ? FEWEST : sources->capacity * 2;
  larger.rows = calloc(larger.capacity, sizeof *larger.rows);
  if (larger.rows == NULL) return false;
  if (sources->capacity == 0 && getrandom(&larger.key, sizeof larger.key, GRND_NONBLOCK) < 0)
    larger.key = (uint64_t)(uintptr_t)larger.rows ^ (uint64_t)now_ms();
  for (size_t i = 0; i < sources->capacity; i++)
    if (!is_free(&sources->rows[i])) *look_up(&larger, sources->rows[i].id) = sources->rows[i];
  free(sources->rows);
  *sources = larger;
  return true;
}

struct source *sources_find(struct sources *sources, const uint8_t *id) {
  if (sources->count * 4 >= sources->capacity * 3 && !grow(sources)) return NULL;
  struct source *row = look_up(sources, id);
  if (!is_free(row)) return row;
  if (sources->count == MOST) return NULL;
  memcpy(row->id, id, ID_BYTES);
  sources->count++;
  return row;
}

void sources_rewind(struct sources *sources) {
  for (size_t i = 0; i < sources->capacity; i++) sources->rows[i].seen = sources->rows[i].taken;
}

void sources_free(struct sources *sources) {
  free(sources->rows);
  memset(sources, 0, sizeof *sources);
}

static int digit_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool source_read_id(uint8_t *id, const char *digits) {
  for (int i = 0; i < ID_BYTES; i++) {
    int high = digit_of(digits[2 * i]);
    int low = high < 0 ? -1 : digit_of(digits[2 * i + 1]);
    if (low < 0) return false;
    id[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

/* Notes ----------------------------------------------------------------------------------------------- */

/* The payload of NATSImported, which says what comes behind it:

     {"stream":"todo","sequence":120,"time":1763971200000000000,"entries":[["9f6c…",17,103,4]]}

   Up to which entry the stream was read, when the server took that in; and runs of entries: the journal's id, the first
   position, its number in the stream, and how many follow each other in both. */

enum { LONGEST_BEGIN = 700, LONGEST_RUN = ID_DIGITS + 80 };

static size_t write_begin(char *text, const char *stream) {
  char *to = text + sprintf(text, "{\"stream\":\"");
  for (; *stream != '\0'; *to++ = *stream++)
    if (*stream == '"') *to++ = '\\';
  return (size_t)(to - text) + (size_t)sprintf(to, "\",\"sequence\":");
}

/* How many entries follow each other from the first on, in the journal and in the stream. */
static uint32_t run_of(const struct taken *taken, uint32_t count) {
  uint32_t run = 1;
  while (run < count && memcmp(taken[run].id, taken->id, ID_BYTES) == 0 &&
         taken[run].position == taken->position + run &&
         taken[run].sequence == taken->sequence + run)
    run++;
  return run;
}

static size_t write_run(char *text, const struct taken *taken, uint32_t run) {
  char *to = text + sprintf(text, "[\"");
  for (int i = 0; i < ID_BYTES; i++) to += sprintf(to, "%02x", taken->id[i]);
  to += sprintf(to, "\",%llu,%llu,%u],", (unsigned long long)taken->position,
                (unsigned long long)taken->sequence, run);
  return (size_t)(to - text);
}

char *note_write(const char *stream, struct anchor anchor, const struct taken *taken,
                 uint32_t count, size_t *length) {
  char *text = malloc(LONGEST_BEGIN + (size_t)count * LONGEST_RUN);
  if (text == NULL) return NULL;
  char *to = text + write_begin(text, stream);
  to += sprintf(to, "%llu,\"time\":%lld,\"entries\":[", (unsigned long long)anchor.sequence,
                (long long)anchor.time);
  for (uint32_t at = 0, run; at < count; at += run) {
    run = run_of(taken + at, count - at);
    to += write_run(to, taken + at, run);
  }
  to -= count > 0; /* The last comma. */
  *length = (size_t)(to - text) + (size_t)sprintf(to, "]}");
  return text;
}

/* Reading --------------------------------------------------------------------------------------------- */

static bool skip(struct reading *reading, const char *text) {
  size_t length = strlen(text);
  if ((size_t)(reading->end - reading->at) < length || memcmp(reading->at, text, length) != 0)
    return false;
  reading->at += length;
  return true;
}

static bool read_number(struct reading *reading, uint64_t *number) {
  const char *begin = reading->at;
  for (*number = 0; reading->at < reading->end && *reading->at >= '0' && *reading->at <= '9';)
    *number = *number * 10 + (uint64_t)(*reading->at++ - '0');
  return reading->at > begin && reading->at - begin < 20;
}

bool note_read(struct reading *reading, const char *stream, const char *text, size_t length) {
  char begin[LONGEST_BEGIN];
  uint64_t time;
  memset(reading, 0, sizeof *reading);
  reading->at = text;
  reading->end = text + length;
  write_begin(begin, stream);
  if (!skip(reading, begin) || !read_number(reading, &reading->anchor.sequence) ||
      !skip(reading, ",\"time\":") || !read_number(reading, &time) ||
      !skip(reading, ",\"entries\":["))
    return false;
  reading->anchor.time = (int64_t)time;
  return true;
}

static bool read_run(struct reading *reading) {
  skip(reading, ",");
  if (!skip(reading, "[\"") || reading->end - reading->at < ID_DIGITS ||
      !source_read_id(reading->next.id, reading->at))
    return false;
  reading->at += ID_DIGITS;
  return skip(reading, "\",") && read_number(reading, &reading->next.position) &&
         skip(reading, ",") && read_number(reading, &reading->next.sequence) &&
         skip(reading, ",") && read_number(reading, &reading->left) && skip(reading, "]");
}

bool note_next(struct reading *reading, struct taken *taken) {
  if (reading->left == 0 && (!read_run(reading) || reading->left == 0)) return false;
  *taken = reading->next;
  reading->next.position++;
  reading->next.sequence++;
  reading->left--;
  return true;
}

/* The context's journal ------------------------------------------------------------------------------- */

enum { CHUNK = 1 << 20, KINDS = 256 };

/* What an event type's number means in this part of the journal. */
enum { UNKNOWN, NOTE, OTHER };

/* One reading of the journal. */
struct pass {
  struct books *books;
  const char *stream, *scope;
  mainstem_journal *journal;
  uint8_t kinds[KINDS];
  char *buffer, *note;
  size_t size, note_size;
  /* The last note, and what it names that was not seen yet. */
  struct reading reading;
  uint64_t cause;
  bool is_open;
};

void books_anchor(struct books *books, struct anchor anchor) {
  books->anchors[books->anchored++ % ANCHORS] = anchor;
}

/* Type numbers are looked up once a chunk, in which names stay. */
static bool is_note(struct pass *pass, mainstem_event_type type) {
  mainstem_type_info info = {.size = sizeof info};
  uint8_t kind = type < KINDS ? pass->kinds[type] : UNKNOWN;
  if (kind == UNKNOWN) {
    bool is = mainstem_journal_type_read(pass->journal, type, &info) == MAINSTEM_OK &&
              strcmp(info.name, "NATSImported") == 0;
    kind = is ? NOTE : OTHER;
  }
  if (type < KINDS) pass->kinds[type] = kind;
  return kind == NOTE;
}

/* Whether an event was sent through this import's scope, in this session or an earlier one. */
static bool is_ours(struct pass *pass, const mainstem_event_header *header) {
  const char *name = NULL;
  return mainstem_journal_origin_name(pass->journal, header->origin, &name) == MAINSTEM_OK &&
         strcmp(name, pass->scope) == 0;
}

/* All that a note names is there: the stream was read up to its anchor. */
static void close_note(struct pass *pass) {
  struct reading rest = pass->reading;
  struct taken taken;
  if (!pass->is_open || note_next(&rest, &taken)) return;
  books_anchor(pass->books, pass->reading.anchor);
  pass->is_open = false;
}

static bool open_note(struct pass *pass, const mainstem_event_header *header, const char *text) {
  if (!is_ours(pass, header)) return true;
  if (header->size > pass->note_size) {
    char *larger = realloc(pass->note, header->size);
    if (larger == NULL) return false;
    pass->note = larger;
    pass->note_size = header->size;
  }
  if (header->size > 0) memcpy(pass->note, text, header->size);
  pass->is_open = note_read(&pass->reading, pass->stream, pass->note, header->size);
  pass->cause = header->position;
  close_note(pass);
  return true;
}

/* A mark keeps no origin, but its cause. In each file of a journal scopes have other numbers. */
static bool is_named(struct pass *pass, const mainstem_event_header *header) {
  const uint32_t marks = MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD;
  return pass->is_open && header->cause == pass->cause &&
         (header->flags & MAINSTEM_EVENT_OUTSIDE) != 0 &&
         ((header->flags & marks) != 0 || is_ours(pass, header));
}

static bool note_taken(struct pass *pass) {
  struct taken taken;
  if (!note_next(&pass->reading, &taken)) return true;
  struct source *source = sources_find(&pass->books->sources, taken.id);
  if (source == NULL) return false;
  if (taken.position > source->taken) source->taken = taken.position;
  close_note(pass);
  return true;
}

static bool take_chunk(struct pass *pass, size_t count) {
  memset(pass->kinds, UNKNOWN, sizeof pass->kinds);
  for (size_t i = 0; i < count; i++) {
    mainstem_event_header header;
    memcpy(&header, pass->buffer + i * sizeof header, sizeof header);
    bool has_memory = true;
    if (is_named(pass, &header)) has_memory = note_taken(pass);
    else if (is_note(pass, header.type))
      has_memory = open_note(pass, &header, pass->buffer + header.offset);
    if (!has_memory) return false;
  }
  return true;
}

/* Reads everything; a longer event than the buffer gets a longer buffer. */
static mainstem_status read_all(struct pass *pass) {
  for (;;) {
    size_t count = 0, needed = 0;
    mainstem_status status =
        mainstem_journal_next_many(pass->journal, 0, pass->buffer, pass->size, &count, &needed);
    if (status == MAINSTEM_TOO_BIG || pass->buffer == NULL) {
      pass->size = needed > CHUNK ? needed : CHUNK;
      free(pass->buffer);
      pass->buffer = malloc(pass->size);
      if (pass->buffer == NULL) return MAINSTEM_NO_MEMORY;
      continue;
    }
    if (status != MAINSTEM_OK || count == 0) return status;
    if (!take_chunk(pass, count)) return MAINSTEM_NO_MEMORY;
  }
}

static mainstem_status read_journal(struct pass *pass, const char *path,
                                    mainstem_journal_info *info) {
  mainstem_status status = mainstem_journal_open(path, &pass->journal);
  if (status != MAINSTEM_OK) return status;
  status = read_all(pass);
  if (status == MAINSTEM_OK) status = mainstem_journal_info_read(pass->journal, info);
  mainstem_journal_close(pass->journal);
  return status;
}

bool books_read(struct books *books, const char *path, const char *stream, const char *scope,
                uint64_t *last, struct failure *failure) {
  struct pass pass = {.books = books, .stream = stream, .scope = scope};
  mainstem_journal_info info = {.size = sizeof info};
  mainstem_status status = read_journal(&pass, path, &info);
  free(pass.buffer);
  free(pass.note);
  *last = info.last;
  books->has_forgotten = info.first > 1;
  for (int i = 0; i < 16; i++) sprintf(books->id + 2 * i, "%02x", info.id[i]);
  if (status == MAINSTEM_OK) return true;
  fail(failure, status, "the context's own journal: %s",
       status == MAINSTEM_NO_MEMORY ? "there is no memory to read it" : mainstem_last_error());
  failure->is_final = status == MAINSTEM_CORRUPT || status == MAINSTEM_VERSION;
  return false;
}

/* From one import to the next ------------------------------------------------------------------------- */

/* What a context without a journal took in, from one import to the next: a server that is away when an import is closed
   never hears of its last entries. It is remembered as long as the context is there. */

struct remembered {
  struct remembered *next;
  mainstem_context *context;
  char *stream, *scope;
  struct books books;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct remembered *first;

static void forget(struct remembered *one) {
  sources_free(&one->books.sources);
  free(one->stream);
  free(one->scope);
  free(one);
}

static bool is_over(const struct remembered *one) {
  mainstem_context_stats stats = {.size = sizeof stats};
  return mainstem_context_stats_read(one->context, &stats) == MAINSTEM_STALE;
}

static bool is_of(const struct remembered *one, mainstem_context *context,
                  const struct settings *settings) {
  return one->context == context && strcmp(one->stream, settings->stream) == 0 &&
         strcmp(one->scope, settings->scope) == 0;
}

void remembered_take(struct import *import, const struct settings *settings) {
  pthread_mutex_lock(&lock);
  for (struct remembered **at = &first, *one; (one = *at) != NULL;) {
    bool is_ours = is_of(one, import->intake->context, settings);
    if (!is_ours && !is_over(one)) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    if (is_ours) {
      import->books = one->books;
      memset(&one->books, 0, sizeof one->books);
    }
    forget(one);
  }
  pthread_mutex_unlock(&lock);
}

void remembered_give(struct import *import, const struct settings *settings) {
  struct remembered *one = import->intake->is_recorded ? NULL : calloc(1, sizeof *one);
  if (one == NULL) return;
  one->context = import->intake->context;
  one->stream = strdup(settings->stream);
  one->scope = strdup(settings->scope);
  one->books = import->books;
  memset(&import->books, 0, sizeof import->books);
  if (one->stream == NULL || one->scope == NULL || is_over(one)) {
    forget(one);
    return;
  }
  pthread_mutex_lock(&lock);
  one->next = first;
  first = one;
  pthread_mutex_unlock(&lock);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What was taken in, as the context's own journal says: a note (NATSImported), and behind it the events that it names, in
   order, as far as they came. They are inputs, and the note is the event before the callback that sent them: it is their
   cause. So a crash between any two of them leaves no doubt. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

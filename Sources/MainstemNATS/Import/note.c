// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The payload of NATSImported, which says what comes behind it:

     {"stream":"todo","sequence":120,"time":1763971200000000000,"entries":[["9f6c…",17,103,4]]}

   Up to which entry the stream was read, when the server took that in; and runs of entries: the journal's id, the first
   position, its number in the stream, and how many follow each other in both. */

#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

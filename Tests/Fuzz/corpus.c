// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Writes the inputs that fuzzing begins with into a folder: a journal with a little of everything, and parts of it. */

#include "../CTests/journal_bytes.h"

static void write_input(const char *folder, const char *name, const journal_bytes *journal,
                        size_t size) {
  char path[600];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "wb");
  EXPECT(file != NULL);
  EXPECT(fwrite(journal->bytes, 1, size, file) == size && fclose(file) == 0);
}

static journal_bytes everything(void) {
  journal_bytes journal = journal_file(1, NULL);
  mainstem_event_header header;
  journal_session(&journal, 0);
  journal_name(&journal, LAYER, 6, "weather");
  journal_type(&journal, 1, MAINSTEM_ROLE_REQUEST | MAINSTEM_PAYLOAD_TEXT, "RequestA", "ResponseA");
  journal_event(&journal, 1, "text", 4);
  journal_type(&journal, 2, MAINSTEM_ROLE_RESPONSE | MAINSTEM_PAYLOAD_JSON, "ResponseA", "");
  journal_name(&journal, ORIGIN, 1, "Scope");
  header = journal_header(&journal, 2, 9);
  header.cause = header.answers = header.correlation = 1;
  header.status = MAINSTEM_APP;
  header.origin = 1;
  header.flags = 0;
  journal_record(&journal, header, "se\0te\0su");
  journal_skip(&journal, 3);
  header = journal_header(&journal, 1, 0);
  header.flags = MAINSTEM_EVENT_MARKED;
  journal_record(&journal, header, NULL);
  header = journal_header(&journal, 1, 8); /* With the digest of its payload. */
  header.flags = MAINSTEM_EVENT_MARKED;
  journal_record(&journal, header, "12345678");
  journal_name(&journal, ORIGIN, 1, "Other");
  header = journal_header(&journal, 1, 1);
  header.origin = 1;
  header.flags = MAINSTEM_EVENT_WRITTEN | MAINSTEM_EVENT_SHARED;
  journal_record(&journal, header, "x");
  journal_digest(&journal, DIGEST, 7);
  journal_session(&journal, 1);
  journal_event(&journal, 2, "{}", 2);
  journal_digest(&journal, END, 8);
  return journal;
}

int main(int count, char **arguments) {
  journal_bytes journal = everything();
  EXPECT(count == 2);
  write_input(arguments[1], "whole", &journal, journal.size);
  write_input(arguments[1], "torn", &journal, journal.size - 9);
  write_input(arguments[1], "header", &journal, FILE_HEADER);
  journal.bytes[journal.size / 2] ^= 1;
  write_input(arguments[1], "damaged", &journal, journal.size);
  journal.bytes[journal.size / 2] ^= 1;
  journal_grow(&journal, 500);
  write_input(arguments[1], "reserved", &journal, journal.size);
  journal_free(&journal);
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A program outside this tree: stranger JOURNAL [URL]. It records, and mirrors what it records. */

#include <mainstem.h>
#include <mainstem/nats.h>
#include <stdio.h>

static int sorry(const char *message) {
  printf("%s\n", message);
  return 1;
}

int main(int count, char **arguments) {
  mainstem_nats_options options = {.size = sizeof options};
  mainstem_nats_stats stats = {.size = sizeof stats};
  mainstem_nats *mirror;
  mainstem_context *context;
  mainstem_event_type greeted;
  mainstem_context_create(NULL, &context);
  if (mainstem_journal_record(context, arguments[1], NULL) != MAINSTEM_OK)
    return sorry(mainstem_last_error());
  mainstem_type_add(context, "Greeted", MAINSTEM_PAYLOAD_TEXT, NULL, &greeted);

  if (count > 2) options.url = arguments[2];
  for (int turn = 0; turn < 3; turn++) {
    if (mainstem_nats_mirror(arguments[1], &options, &mirror) != MAINSTEM_OK)
      return sorry(mainstem_nats_last_error());
    for (int i = 0; i < 1000; i++) mainstem_send(context, greeted, "hello", 5);
    if (mainstem_nats_flush(mirror, 30000) != MAINSTEM_OK) return sorry(mainstem_nats_last_error());
    mainstem_nats_stats_read(mirror, &stats);
    printf("%d of %d\n", (int)stats.entries, (int)stats.done);
    mainstem_nats_close(mirror);
  }
  return mainstem_context_close(context);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* fuzz SEED RUNS: entries and notes with a few bytes turned over, as an import reads them. Built with the bridge's
   sources, under the sanitizers. Prints how many entries were taken, so that a run that never gets past the first check
   is seen. */

#include "../../Sources/MainstemNATS/Import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char id[] = "0123456789abcdef0123456789abcdef";
static uint64_t state;

static uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

/* Turns bytes over, cuts, repeats; never ends a header's line, which NATS would not pass on. */
static void mutate(char *text, size_t *length, size_t capacity, bool is_text) {
  for (uint64_t turns = draw(4); turns > 0 && *length > 0; turns--) {
    size_t at = draw(*length);
    switch (draw(4)) {
    case 0:
      text[at] = (char)draw(256);
      break;
    case 1:
      text[at] ^= (char)(1 << draw(8));
      break;
    case 2:
      *length = at;
      break;
    default:
      if (*length * 2 < capacity) {
        memcpy(text + *length, text, *length);
        *length *= 2;
      }
    }
  }
  for (size_t i = 0; is_text && i < *length; i++)
    if (text[i] == '\0' || text[i] == '\r' || text[i] == '\n') text[i] = '.';
  if (is_text) text[*length] = '\0';
}

static void put(natsMsg *message, const char *key, const char *value) {
  char text[8192];
  size_t length = (size_t)snprintf(text, sizeof text / 2, "%s", value);
  if (draw(8) == 0) mutate(text, &length, sizeof text - 1, true);
  if (draw(50) != 0) natsMsgHeader_Set(message, key, text);
}

static natsMsg *make_message(void) {
  char subject[8192] = "todo.view.Moved", identity[128], data[4096] = {0};
  size_t length = strlen(subject), size = sizeof(mainstem_event_header) + 24;
  mainstem_event_header header = {.position = 1 + draw(5), .size = 24, .offset = 64, .type = 7};
  natsMsg *message = NULL;
  if (draw(10) == 0) header.flags = (uint32_t)draw(1 << 11);
  memcpy(data, &header, sizeof header);
  if (draw(4) == 0) mutate(data, &size, sizeof data, false);
  if (draw(8) == 0) mutate(subject, &length, sizeof subject - 1, true);
  if (natsMsg_Create(&message, *subject != '\0' ? subject : "x", NULL, data, (int)size) != NATS_OK)
    return NULL;
  snprintf(identity, sizeof identity, "%s-%d", id, (int)header.position);
  put(message, "Nats-Msg-Id", identity);
  put(message, "Mainstem-Type", "Moved");
  put(message, "Mainstem-Layer", "view");
  put(message, "Mainstem-Contract", "0000033100000000");
  return message;
}

static int fuzz_entry(struct sources *sources, struct wanted *wanted) {
  struct arrival arrival = {0};
  const char *why = "";
  struct identity identity;
  natsMsg *message = make_message();
  if (message == NULL) return 0;
  entry_identify(message, &identity);
  enum fate fate = arrival_read(&arrival, message, wanted, &why);
  uint32_t sum = 0;
  for (uint32_t i = 0; fate == ARRIVAL_WANTED && i < arrival.size; i++)
    sum += (uint8_t)arrival.data[i];
  if (fate == ARRIVAL_WANTED) sources_find(sources, arrival.id);
  natsMsg_Destroy(message);
  return fate == ARRIVAL_WANTED && sum < UINT32_MAX;
}

static void fuzz_reply(void) {
  char text[8192] = "$JS.ACK.all.import.1.17.4.1763971200000000000.0";
  size_t length = strlen(text);
  struct arrival arrival = {0};
  mutate(text, &length, sizeof text - 1, true);
  arrival_locate(&arrival, text);
}

static void fuzz_note(const struct taken *taken) {
  size_t length, capacity;
  char *note = note_write("a\"stream", (struct anchor){17, 4}, taken, (uint32_t)draw(4), &length);
  capacity = length * 2 + 1;
  char *copy = malloc(capacity);
  struct reading reading;
  struct taken next;
  memcpy(copy, note, length);
  if (draw(4) != 0) mutate(copy, &length, capacity, false);
  /* Exactly as long as it is, so that the sanitizer sees a byte too many. */
  char *exact = malloc(length > 0 ? length : 1);
  memcpy(exact, copy, length);
  if (note_read(&reading, "a\"stream", exact, length))
    for (int i = 0; i < 100 && note_next(&reading, &next); i++) continue;
  free(exact);
  free(copy);
  free(note);
}

int main(int count, char **arguments) {
  static struct wanted wanted[2] = {{.name = "Moved", .value = "Moved"}};
  static struct sources sources;
  struct taken taken[4] = {{{1}, 5, 9}, {{1}, 6, 10}, {{2}, 1, 11}, {{1}, 8, 12}};
  wanted[0].contract = MAINSTEM_PAYLOAD_BYTES;
  if (count != 3 || nats_Open(0) != NATS_OK) return 2;
  state = strtoull(arguments[1], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
  long runs = strtol(arguments[2], NULL, 10), good = 0;
  for (long i = 0; i < runs; i++) {
    good += fuzz_entry(&sources, wanted);
    fuzz_reply();
    fuzz_note(taken);
  }
  sources_free(&sources);
  free(wanted[0].layer);
  free(wanted[0].end);
  nats_Close();
  printf("%ld of %ld entries taken\n", good, runs);
  return good > runs / 10 && good < runs ? 0 : 1;
}

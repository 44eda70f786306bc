// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 9 in a storm: ten million sends at a consumer that has stopped. Memory stays within the bound, and
   what was rejected, dropped and delivered is what was sent. */

#include "elsewhere.h"
#include "scheduled.h"

enum { SENDS = 10000000, LIMIT = 10000, PAYLOAD = 64 };

typedef struct storm {
  stream on;
  uint64_t delivered, lost;
} storm;

static void count_all(void *user_data, const mainstem_event *event) {
  storm *self = (storm *)user_data;
  if (event->flags & MAINSTEM_EVENT_GAP) self->lost += ((const mainstem_gap *)event->data)->count;
  else self->delivered++;
}

/* Resident memory of this process in bytes. */
static long memory(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL);
  EXPECT_EQUAL(fscanf(file, "%*s %ld", &pages), 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static void weather(uint32_t threads, uint32_t policy) {
  storm self = {stream_open(threads), 0, 0};
  static const char payload[PAYLOAD];
  uint64_t rejected = 0;
  long full = 0;
  scheduled how = {.scheduler = MAINSTEM_SCHEDULER_HOST, .policy = policy, .limit_events = LIMIT};
  observe_on(self.on.context, self.on.notice, &how, count_all, &self, NULL);
  for (int i = 0; i < SENDS; i++) {
    mainstem_status status = mainstem_send(self.on.context, self.on.notice, payload, PAYLOAD);
    if (status != MAINSTEM_OK) {
      EXPECT_STATUS(status, MAINSTEM_FULL);
      rejected++;
    }
    if (i == LIMIT) full = memory();
  }
  /* A fifth of what the bound lets wait, an event at 400 bytes, and what an allocator keeps of its own. */
  EXPECT(memory() - full < LIMIT * 400 / 5 + (1 << 20));
  while (drained(self.on.context, 0) > 0) continue;
  /* A gap at the end is told before the next event. */
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, payload, PAYLOAD));
  while (drained(self.on.context, 0) > 0) continue;
  EXPECT_EQUAL(rejected + self.lost + self.delivered, SENDS + 1);
  EXPECT_EQUAL(self.delivered, LIMIT + 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

CASE(a_queue_that_rejects_stays_within_its_bound, IN_ANY) {
  weather(threads, MAINSTEM_QUEUE_REJECT);
}

CASE(a_queue_that_drops_the_oldest_stays_within_its_bound, IN_ONE) {
  weather(threads, MAINSTEM_QUEUE_DROP_OLDEST);
}

CASE(a_queue_that_drops_the_newest_stays_within_its_bound, IN_ANY) {
  weather(threads, MAINSTEM_QUEUE_DROP_NEWEST);
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-10: a chain of 10^6 events, each sent by the callback of the one before, on a stack
 * of 256 KiB, with memory flat. Catches recursion, however tail-called, and a queue that only grows.
 */

#include "elsewhere.h"
#include "stream.h"

enum { LENGTH = 1000000, WARM = 10000, SLACK_KIB = 2048 };

typedef struct chain {
  stream on;
  uint64_t next;
  long warm_kib, last_kib;
} chain;

/* Pages in memory, from the kernel: what mallinfo says of an arena would miss mapped blocks. */
static long resident_kib(void) {
  char text[100];
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file != NULL);
  EXPECT(fgets(text, sizeof text, file) != NULL);
  fclose(file);
  EXPECT_EQUAL(sscanf(text, "%ld %ld", &total, &resident), 2);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void next_link(void *user_data, const mainstem_event *event) {
  chain *self = (chain *)user_data;
  char payload[64] = "link";
  EXPECT_EQUAL(event->position, self->next + 1);
  EXPECT_EQUAL(event->cause, self->next);
  EXPECT_EQUAL(event->correlation, 1);
  self->next = event->position;
  if (event->position == WARM) self->warm_kib = resident_kib();
  if (event->position == LENGTH) self->last_kib = resident_kib();
  if (event->position == LENGTH) return;
  EXPECT_OK(mainstem_send(event->context, self->on.notice, payload, sizeof payload));
}

static uint32_t threads_of_run;

static void *run(void *data) {
  chain *self = (chain *)data;
  self->on.context = CONTEXT_WITH(.threads = threads_of_run, .limit_cascade = LENGTH);
  self->on.notice = type_open(self->on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, next_link, self, NULL, NULL));
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->next, LENGTH);
  EXPECT_OK(mainstem_context_close(self->on.context));
  return NULL;
}

CASE(a_million_links_on_a_small_stack, IN_BOTH) {
  chain self = {0};
  pthread_attr_t attributes;
  pthread_t thread;
  threads_of_run = threads;
  EXPECT_EQUAL(pthread_attr_init(&attributes), 0);
  EXPECT_EQUAL(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  EXPECT_EQUAL(pthread_create(&thread, &attributes, run, &self), 0);
  join(thread);
  EXPECT_EQUAL(pthread_attr_destroy(&attributes), 0);
  EXPECT(self.last_kib - self.warm_kib < SLACK_KIB);
}

int main(void) { return expect_all(); }

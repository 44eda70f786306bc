// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS 3.3 for resources: each allocation of an add, of a request, of a put and of a get fails in turn. The requester
 * gets one answer, and nothing leaks. This program defines malloc, so it must not be built with a sanitizer.
 */

#include "failing_memory.h"
#include "full_disk.h"
#include "journal.h"

typedef struct program {
  stream on;
  mainstem_resources *pictures;
  mainstem_retained *kept;
  int answers;
  mainstem_status answered;
  mainstem_event_type picture;
} program;

static void keep(void *user_data, const mainstem_event *event) {
  (void)mainstem_event_retain(event, &((program *)user_data)->kept);
}

static void get_answer(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->answers++;
  self->answered = event->status;
}

static mainstem_status add(program *self) {
  return mainstem_resources_add(self->on.context, "Cache",
                                OPTIONS(resources, .request = "RequestPicture",
                                        .behind = "RequestFetch", .drop = "Changed",
                                        .limit_bytes = 200),
                                &self->pictures);
}

/* With a path, it is recorded. */
static void program_open_at(program *self, uint32_t threads, const char *path) {
  mainstem_journal_options options = {.size = sizeof options,
                                      .durability = MAINSTEM_JOURNAL_PROCESS};
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  if (path != NULL) EXPECT_OK(mainstem_journal_record(self->on.context, path, &options));
  type_open(self->on.context, "ResponsePicture", MAINSTEM_PAYLOAD_NONE, NULL);
  self->picture =
      type_open(self->on.context, "RequestPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture");
  type_open(self->on.context, "RequestFetch", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture");
  type_open(self->on.context, "Changed", MAINSTEM_PAYLOAD_TEXT, NULL);
  serve_one(self->on.context, "Site", "RequestFetch", keep, self);
}

static void program_open(program *self, uint32_t threads) { program_open_at(self, threads, NULL); }

static void ask(program *self, const char *key, mainstem_status expected) {
  self->answers = 0;
  mainstem_status status =
      mainstem_request(self->on.context, self->picture, key, 1, get_answer, self, NULL);
  EXPECT(status == MAINSTEM_OK || status == expected);
  if (status != MAINSTEM_OK) self->answers = -1;
}

static mainstem_status put(program *self) {
  mainstem_status status = mainstem_resources_put(self->pictures, kept_event(self->kept), "x", 1);
  return status;
}

static void release(program *self) {
  EXPECT_OK(mainstem_retained_release(self->kept));
  self->kept = NULL;
}

/* They are as good as new: another key is loaded, and got. */
static void load(program *self, const char *key) {
  mainstem_resource *resource;
  ask(self, key, MAINSTEM_OK);
  EXPECT_OK(put(self));
  release(self);
  EXPECT(self->answers == 1 && self->answered == MAINSTEM_OK);
  EXPECT_OK(mainstem_resource_get(self->pictures, key, 1, &resource));
  EXPECT_OK(mainstem_resource_release(resource));
  EXPECT_OK(mainstem_flush(self->on.context));
}

static int add_fails(uint32_t threads, int which) {
  program self;
  program_open(&self, threads);
  countdown = which;
  mainstem_status status = add(&self);
  int left = countdown;
  countdown = -1;
  EXPECT((self.pictures != NULL) == (status == MAINSTEM_OK));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY);
  if (status != MAINSTEM_OK) EXPECT_OK(add(&self));
  load(&self, "a");
  EXPECT_OK(mainstem_context_close(self.on.context));
  return left;
}

static int request_fails(uint32_t threads, int which) {
  program self;
  program_open(&self, threads);
  EXPECT_OK(add(&self));
  countdown = which;
  ask(&self, "a", MAINSTEM_NO_MEMORY);
  int left = countdown;
  countdown = -1;
  EXPECT_OK(mainstem_flush(self.on.context));
  if (self.kept != NULL) {
    mainstem_status status = put(&self);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
    release(&self);
    EXPECT_OK(mainstem_flush(self.on.context));
  }
  EXPECT(self.answers == 1 || self.answers == -1);
  EXPECT(self.answers < 0 || self.answered == MAINSTEM_OK || self.answered == MAINSTEM_NO_MEMORY ||
         self.answered == MAINSTEM_INCOMPLETE);
  for (const char *key = "bcd"; *key != 0; key++) load(&self, key);
  EXPECT_OK(mainstem_context_close(self.on.context));
  return left;
}

/* The put, the answers, and the drop of another key. */
static int put_fails(uint32_t threads, int which) {
  program self;
  program_open(&self, threads);
  EXPECT_OK(add(&self));
  load(&self, "a");
  ask(&self, "b", MAINSTEM_OK);
  countdown = which;
  mainstem_status status = put(&self);
  int left = countdown;
  countdown = -1;
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY);
  if (status != MAINSTEM_OK) EXPECT_OK(put(&self));
  release(&self);
  EXPECT_OK(mainstem_flush(self.on.context));
  EXPECT_EQUAL(self.answers, 1);
  EXPECT(self.answered == MAINSTEM_OK || self.answered == MAINSTEM_NO_MEMORY);
  for (const char *key = "cde"; *key != 0; key++) load(&self, key);
  EXPECT_OK(mainstem_context_close(self.on.context));
  return left;
}

static int get_fails(uint32_t threads, int which) {
  program self;
  mainstem_resource *resource;
  program_open(&self, threads);
  EXPECT_OK(add(&self));
  load(&self, "a");
  countdown = which;
  mainstem_status status = mainstem_resource_get(self.pictures, "a", 1, &resource);
  int left = countdown;
  countdown = -1;
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_NO_MEMORY || status == MAINSTEM_LIMIT);
  if (status == MAINSTEM_OK) EXPECT_OK(mainstem_resource_release(resource));
  EXPECT_OK(mainstem_context_close(self.on.context));
  return left;
}

static bool is_warm;

static int fail_each(int (*call)(uint32_t, int), uint32_t threads) {
  for (int which = 0; which < 400; which++) {
    long before = blocks;
    int left = call(threads, which);
    if (is_warm) EXPECT_EQUAL(blocks, before); /* The first round leaves what all contexts use. */
    if (left > 0) return which;
  }
  EXPECT(!"fewer than 400 allocations");
  return 0;
}

CASE(nothing_is_half_done, IN_BOTH) {
  /* Without a failure first: the runtime of Swift makes types when they are first used. */
  int (*const calls[])(uint32_t, int) = {add_fails, request_fails, put_fails, get_fails};
  for (size_t i = 0; i < COUNT(calls); i++) calls[i](threads, -1);
  for (int round = 0; round < 2; round++) {
    EXPECT(fail_each(add_fails, threads) > 5);
    for (only_one = 0; only_one < 2; only_one++) {
      EXPECT(fail_each(request_fails, threads) > 5);
      EXPECT(fail_each(put_fails, threads) > 2);
      (void)fail_each(get_fails, threads);
    }
    only_one = 0;
    is_warm = true;
  }
}

/* The provider's answer cannot be recorded: the context stops, and nothing leaks. */
static void stop(uint32_t threads, const char *path) {
  program self;
  static char big[4096];
  program_open_at(&self, threads, path);
  EXPECT_OK(add(&self));
  ask(&self, "a", MAINSTEM_OK);
  disk_fill();
  for (size_t size = sizeof big; size > 0; size /= 2)
    while (mainstem_send(self.on.context, self.on.notice, big, size) == MAINSTEM_OK) continue;
  mainstem_status stopped = put(&self);
  EXPECT_OK(mainstem_retained_release(self.kept));
  mainstem_context_close(self.on.context);
  disk_has_room();
  EXPECT_STATUS(stopped, MAINSTEM_NO_SPACE);
  EXPECT_EQUAL(self.answers, 0);
}

CASE(a_disk_may_be_full, IN_BOTH) { disk_expect_no_leak(stop, threads); }

int main(void) { return journal_expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 4, immutable: bytes are the sender's until the call returns; a kept event is a copy. */

#include "elsewhere.h"
#include "transcript.h"

/* The header is 64 bytes with these offsets: a journal and other languages read it so. */
typedef char header_is_64_bytes[offsetof(mainstem_event, data) == 64 ? 1 : -1];
typedef char status_is_at_52[offsetof(mainstem_event, status) == 52 ? 1 : -1];
typedef char size_is_at_40[offsetof(mainstem_event, size) == 40 ? 1 : -1];
typedef char flags_are_at_60[offsetof(mainstem_event, flags) == 60 ? 1 : -1];

typedef struct bytes {
  const stream *on;
  char got[8][16];
  size_t calls;
  mainstem_retained *kept[8];
} bytes;

static void note_bytes(void *user_data, const mainstem_event *event) {
  bytes *self = (bytes *)user_data;
  EXPECT(event->size < sizeof self->got[0]);
  memcpy(self->got[self->calls], event->data, event->size);
  self->got[self->calls++][event->size] = 0;
}

static void keep(void *user_data, const mainstem_event *event) {
  bytes *self = (bytes *)user_data;
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->calls++]));
}

/* Catches: a kept event that points into the callback's memory or shares a handle. */
CASE(a_kept_event_is_a_copy_with_its_own_handle, IN_BOTH) {
  stream on = stream_open(threads);
  bytes self = {0};
  char *buffer = (char *)malloc(6);
  EXPECT(buffer != NULL);
  memcpy(buffer, "hello", 6);
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, buffer, 5));
  memset(buffer, 'X', 6);
  free(buffer);
  EXPECT(self.kept[0] != self.kept[1]);
  EXPECT_EQUAL(stats_of(on.context).retained, 2);
  const mainstem_event *event = kept_event(self.kept[0]);
  EXPECT(event != kept_event(self.kept[1]));
  EXPECT_EQUAL(event->position, 1);
  EXPECT_EQUAL(event->cause, 0);
  EXPECT_EQUAL(event->correlation, 1);
  EXPECT_EQUAL(event->answers, 0);
  EXPECT_EQUAL(event->size, 5);
  EXPECT_EQUAL(event->offset, 0);
  EXPECT_EQUAL(event->type, on.notice);
  EXPECT_EQUAL(event->status, MAINSTEM_OK);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  EXPECT(event->context == on.context);
  EXPECT_TEXT(event->user_message, "");
  EXPECT(memcmp(event->data, "hello", 5) == 0);
  EXPECT_OK(mainstem_retained_release(self.kept[0]));
  EXPECT_STATUS(mainstem_retained_release(self.kept[0]), MAINSTEM_STALE);
  EXPECT(memcmp(kept_event(self.kept[1])->data, "hello", 5) == 0);
  EXPECT_OK(mainstem_retained_release(self.kept[1]));
  EXPECT_EQUAL(stats_of(on.context).retained, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an error's texts, or a copy of a copy, that point into what they were copied from. */
CASE(a_kept_failure_keeps_its_texts, IN_BOTH) {
  stream on = stream_open(threads);
  bytes self = {0};
  mainstem_retained *again;
  EXPECT_OK(mainstem_observe(on.context, on.answer, keep, &self, NULL, NULL));
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, NULL, NULL, NULL));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_OK(mainstem_event_retain(kept_event(self.kept[0]), &again));
  EXPECT_OK(mainstem_retained_release(self.kept[0]));
  mainstem_error error = {.size = sizeof error};
  EXPECT_OK(mainstem_event_error(kept_event(again), &error));
  EXPECT_STATUS(error.code, MAINSTEM_UNHANDLED);
  EXPECT(strlen(error.message) > 0);
  EXPECT_TEXT(error.user_message, "");
  EXPECT_TEXT(error.subject, "");
  EXPECT_TEXT(kept_event(again)->user_message, error.message);
  EXPECT_OK(mainstem_retained_release(again));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void check_alignment(void *user_data, const mainstem_event *event) {
  int *calls = (int *)user_data;
  mainstem_retained *kept;
  uint64_t value = 7;
  EXPECT_OK(mainstem_event_retain(event, &kept));
  EXPECT_EQUAL((uintptr_t)kept_event(kept)->data % 8, 0);
  EXPECT_EQUAL(*(const uint64_t *)kept_event(kept)->data, 7);
  EXPECT_OK(mainstem_retained_release(kept));
  if (event->cause != 0) EXPECT_EQUAL((uintptr_t)event->data % 8, 0);
  if ((*calls)++ < 3) {
    EXPECT_OK(mainstem_send(event->context, event->type, &value, sizeof value));
  }
}

/* Catches: copies packed so tightly that a struct cannot be read in place. */
CASE(a_copied_struct_can_be_read_in_place, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  uint64_t value = 7;
  mainstem_event_type point =
      type_open(on.context, "Point", MAINSTEM_PAYLOAD_STRUCT | sizeof value, NULL);
  EXPECT_OK(mainstem_observe(on.context, point, check_alignment, &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, point, &value, sizeof value));
  EXPECT_EQUAL(calls, 4);
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: data NULL for no bytes, and a payload that depends on its terminating zero. */
CASE(no_bytes_is_no_null, IN_BOTH) {
  stream on = stream_open(threads);
  bytes self = {0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep, &self, NULL, NULL));
  EXPECT_OK(mainstem_observe(on.context, on.notice, note_bytes, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, NULL, 0));
  const mainstem_event *event = kept_event(self.kept[0]);
  EXPECT(event->data != NULL);
  EXPECT_EQUAL(event->size, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct foreign {
  mainstem_retained *kept;
  int done;
} foreign;

static void *read_elsewhere(void *data) {
  foreign *self = (foreign *)data;
  EXPECT(memcmp(kept_event(self->kept)->data, "hello", 5) == 0);
  EXPECT_OK(mainstem_retained_release(self->kept));
  self->done = 1;
  return NULL;
}

/* Catches: a kept event bound to the context's thread. */
CASE(a_kept_event_may_be_read_and_released_anywhere, IN_BOTH) {
  stream on = stream_open(threads);
  bytes self = {0};
  foreign other = {NULL, 0};
  EXPECT_OK(mainstem_observe(on.context, on.notice, keep, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "hello", 5));
  other.kept = self.kept[0];
  elsewhere(read_elsewhere, &other);
  EXPECT_EQUAL(other.done, 1);
  EXPECT_EQUAL(stats_of(on.context).retained, 0);
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_all(); }

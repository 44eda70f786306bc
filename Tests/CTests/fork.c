// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* FAULTS 3.4, fork: in the child old handles are FORKED, no hook runs, and new contexts work. */

#include "elsewhere.h"
#include "stream.h"
#include "transcript.h"

#include <sys/wait.h>

static void expect_child(pid_t child) {
  int status = 0;
  EXPECT(child > 0);
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status));
  EXPECT_EQUAL(WEXITSTATUS(status), 0);
}

static void use_a_new_context(uint32_t threads) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  witness_observe(&a, on.context, on.notice);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, -1));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a1 a2 ~a");
}

/* Catches: a child that delivers to the parent's observers or wakes its descriptor. */
CASE(handles_of_the_parent_are_forked, IN_BOTH) {
  stream on = stream_open(threads);
  transcript seen = {0, ""};
  witness a = {&seen, "a", NULL, NULL};
  mainstem_subscription *subscription = witness_observe(&a, on.context, on.notice);
  int fd;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); /* The parent's alarm is not inherited. */
    EXPECT_STATUS(mainstem_send(on.context, on.notice, "", 0), MAINSTEM_FORKED);
    EXPECT_STATUS(mainstem_drain(on.context, 0, NULL), MAINSTEM_FORKED);
    EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_FORKED);
    EXPECT_TEXT(seen.text, "");
    use_a_new_context(threads);
    _exit(0);
  }
  expect_child(child);
  EXPECT_STATUS(mainstem_wait(on.context, 0), MAINSTEM_TIMEOUT);
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_TEXT(seen.text, "a1 ~a");
}

static void ignore_event(void *user_data, const mainstem_event *event) {}

typedef struct busy {
  stream on;
  int done;
} busy;

static void *keep_busy(void *data) {
  busy *self = (busy *)data;
  mainstem_subscription *subscription;
  while (!__atomic_load_n(&self->done, __ATOMIC_SEQ_CST)) {
    EXPECT_OK(mainstem_observe(self->on.context, 0, ignore_event, NULL, NULL, &subscription));
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
    EXPECT_OK(mainstem_post(self->on.context, self->on.notice, "", 0));
    EXPECT_OK(mainstem_drain(self->on.context, 0, NULL));
    EXPECT_OK(mainstem_cancel(subscription));
  }
  return NULL;
}

/* Catches: a lock of ours that was held by another thread at the fork: the child would hang. */
CASE(a_fork_beside_busy_threads_leaves_no_lock_held, IN_ANY) {
  busy self = {0};
  self.on = stream_open(threads);
  pthread_t thread = beside(keep_busy, &self);
  for (int i = 0; i < 100; i++) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      EXPECT_STATUS(mainstem_send(self.on.context, self.on.notice, "", 0), MAINSTEM_FORKED);
      use_a_new_context(threads);
      _exit(0);
    }
    expect_child(child);
  }
  __atomic_store_n(&self.done, 1, __ATOMIC_SEQ_CST);
  join(thread);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A context that nobody drains: what runs on the host is never called, and the close says so. */

#include "elsewhere.h"
#include "session.h"
#include "transcript.h"

typedef struct told {
  mainstem_context *context;
  mainstem_event_type key;
  transcript called, failures;
} told;

static void note_call(void *user_data, const mainstem_event *event) {
  transcript_add(&((told *)user_data)->called, "called");
}

static void note_failure(void *user_data, const mainstem_event *event) {
  transcript_add(&((told *)user_data)->failures, "%.*s", (int)event->size,
                 (const char *)event->data);
}

/* A context with an observer on the host and one of failures. */
static void told_install(told *self, mainstem_context *context) {
  memset(self, 0, sizeof *self);
  self->context = context;
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe_with(
      scope_open(context, "Window"),
      OPTIONS(observe, .types = &self->key, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      note_call, self, NULL, NULL));
  mainstem_event_type failure = type_named(context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(context, failure, note_failure, self, NULL, NULL));
}

static const char message[] = "{\"type\":\"Key\",\"origin\":\"Window\",\"code\":18,\"sentence\":"
                              "\"nobody has drained this context, "
                              "so what runs on the host was never called: drain it\",\"count\":3}";

static void send_keys(told *self) {
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(self->context, self->key, NULL, 0));
}

/* Catches: events that are dropped at the close, and nobody has ever heard of them. */
CASE(the_close_of_a_context_that_nobody_drained_tells, IN_BOTH) {
  told self;
  told_install(&self, context_open(threads));
  send_keys(&self);
  EXPECT_TEXT(self.failures.text, "");
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_TEXT(self.failures.text, message);
  EXPECT_TEXT(self.called.text, "");
}

static void on_wake(void *user_data) { (void)user_data; }

/* Catches: a false alarm: a host that drains, or has asked to be told when to, and closes before it gets there. */
CASE(a_host_that_drains_hears_nothing, IN_BOTH) {
  for (int how = 0; how < 6; how++) {
    told self;
    int fd;
    int64_t timeout;
    told_install(&self, context_open(threads));
    if (how == 1) EXPECT_OK(mainstem_drain(self.context, 0, NULL));
    if (how == 2) EXPECT_STATUS(mainstem_wait(self.context, 0), MAINSTEM_TIMEOUT);
    if (how == 3) EXPECT_OK(mainstem_context_fd(self.context, &fd));
    if (how == 4) EXPECT_OK(mainstem_context_on_wake(self.context, on_wake, NULL, NULL));
    if (how == 5) EXPECT_OK(mainstem_context_next_timeout(self.context, &timeout));
    if (how > 0) send_keys(&self);
    EXPECT_OK(mainstem_context_close(self.context));
    EXPECT_TEXT(self.failures.text, "");
  }
}

static void drain_in_hook(void *user_data) {
  EXPECT_STATUS(mainstem_drain(((told *)user_data)->context, 0, NULL), MAINSTEM_BUSY);
}

/* Catches: a false alarm: a host whose loop runs in a hook, where it may not drain. */
CASE(a_drain_that_a_hook_refuses_counts, IN_BOTH) {
  told self;
  mainstem_subscription *ended;
  told_install(&self, context_open(threads));
  EXPECT_OK(mainstem_observe_with(
      self.context,
      OPTIONS(observe, .types = &self.key, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      note_call, &self, drain_in_hook, &ended));
  EXPECT_OK(mainstem_cancel(ended));
  send_keys(&self);
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_TEXT(self.failures.text, "");
}

static void *cancel_it(void *observer) {
  EXPECT_OK(mainstem_cancel(observer));
  return NULL;
}

/* Catches: a false alarm for an observer that another thread has cancelled, and that the context has yet to end. */
CASE(what_another_thread_has_cancelled_does_not_count, IN_BOTH) {
  told self;
  mainstem_subscription *observer;
  memset(&self, 0, sizeof self);
  self.context = context_open(threads);
  self.key = type_open(self.context, "Key", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe_with(
      self.context,
      OPTIONS(observe, .types = &self.key, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      note_call, &self, NULL, &observer));
  mainstem_event_type failure = type_named(self.context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(self.context, failure, note_failure, &self, NULL, NULL));
  send_keys(&self);
  elsewhere(cancel_it, observer);
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT_TEXT(self.failures.text, "");
}

static void note_changes(void *user_data, const char *const *names, size_t count) {
  (void)names, (void)count;
  transcript_add(&((told *)user_data)->called, "changes");
}

/* Catches: change sets, which only a drain tells, that are forgotten there. */
CASE(change_sets_count_too, IN_BOTH) {
  static const mainstem_binding_row rows[] = {{"size", NULL, 0}};
  told self;
  mainstem_binding *binding;
  told_install(&self, context_open(threads));
  mainstem_context *owner = scope_open(self.context, "Owner"),
                   *view = scope_open(self.context, "View");
  const mainstem_event_type size =
      type_open(self.context, "Owner.size", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  EXPECT_OK(mainstem_binding_add(view, owner, MAINSTEM_ROWS(rows), NULL, NULL, &binding));
  EXPECT_OK(mainstem_binding_on_changes(binding, note_changes, &self));
  EXPECT_OK(mainstem_value_set_integer(owner, size, 1));
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT(strstr(self.failures.text, "nobody has drained this context") != NULL);
  EXPECT_TEXT(self.called.text, "");
}

/* Catches: a report that a replay sends again, or misses: nobody knows there whether the host drained. */
CASE(a_session_that_nobody_drained_verifies, IN_BOTH) {
  const char *path = journal_path("undrained");
  told self;
  mainstem_context *context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  told_install(&self, context);
  send_keys(&self);
  EXPECT_OK(mainstem_context_close(context));
  for (int drains = 0; drains < 2; drains++) {
    context = context_open(threads);
    mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
    told_install(&self, context);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_EQUAL(replay_info(replay).verified_until, 4);
    EXPECT_TEXT(self.failures.text, message);
    if (drains) EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(context));
  }
}

int main(void) { return journal_expect_all(); }

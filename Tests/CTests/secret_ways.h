// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The ways that a secret can take through a context, each with all the copies that it needs. */

#ifndef SECRET_WAYS_H
#define SECRET_WAYS_H

#include "elsewhere.h"
#include "secret_search.h"

typedef struct trip trip;

/* One way through a context, and the copies it needs. */
typedef struct way {
  const char *name;
  void (*prepare)(trip *self); /* Or NULL. */
  void (*go)(trip *self);
  void (*end)(trip *self);
  int calls; /* Of callbacks, each time. */
  int waits; /* A copy is in memory before the end. */
  mainstem_scheduler scheduler;
  uint32_t policy;
  size_t filling; /* In front of the password in an answer, which makes it short or long. */
  int is_error;
} way;

struct trip {
  const way *way;
  stream on;
  mainstem_subscription *queue;
  mainstem_retained *kept;
  int calls;
};

static inline void observe(trip *self, mainstem_event_type type, mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe(self->on.context, type, fn, self, NULL, NULL));
}

static inline void observe_queued(trip *self, mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe_with(
      self->on.context,
      OPTIONS(observe, .types = &self->on.notice, .type_count = 1,
              .scheduler = MAINSTEM_SCHEDULER_HOST,
              .policy = self->way == NULL ? MAINSTEM_QUEUE_REJECT : self->way->policy,
              .limit_events = 2),
      fn, self, NULL, &self->queue));
}

static inline void look(void *user_data, const mainstem_event *event) {
  ((trip *)user_data)->calls++;
}

static inline void observe_mailbox(trip *self) { observe_queued(self, NULL); }

static inline void drain(trip *self) { EXPECT_OK(mainstem_drain(self->on.context, 0, NULL)); }

static inline void observe_all(trip *self) { observe(self, MAINSTEM_TYPE_ANY, look); }

static inline void observe_notice(trip *self) { observe(self, self->on.notice, look); }

static inline void observe_on_host(trip *self) { observe_queued(self, look); }

static inline void send_it(trip *self) {
  EXPECT_OK(secret_send(self->on.context, self->on.notice));
}

static inline void send_both(trip *self) {
  send_it(self);
  EXPECT_OK(secret_send(self->on.context, self->on.other));
}

static inline void send_inside(void *user_data, const mainstem_event *event) {
  send_it((trip *)user_data);
  EXPECT(copies() > 0);
}

static inline void observe_by_sending(trip *self) {
  observe(self, self->on.other, send_inside);
  observe_notice(self);
}

static inline void send_other(trip *self) {
  EXPECT_OK(mainstem_send(self->on.context, self->on.other, "", 0));
}

typedef mainstem_status (*posting)(mainstem_context *, mainstem_event_type, const void *, size_t);

static inline void post_by(trip *self, posting post) {
  char password[PASSWORD_SIZE];
  password_write(password);
  EXPECT_OK(post(self->on.context, self->on.notice, password, sizeof password));
  password_forget(password, sizeof password);
}

static inline void *post_it(void *user_data) {
  post_by((trip *)user_data, mainstem_post);
  return NULL;
}

static inline void post_elsewhere(trip *self) { elsewhere(post_it, self); }

static inline void post_from_interrupt(trip *self) { post_by(self, mainstem_post_from_interrupt); }

static inline void send_too_many(trip *self) {
  send_it(self);
  send_it(self);
  EXPECT_STATUS(secret_send(self->on.context, self->on.notice), MAINSTEM_FULL);
}

static inline void send_five(trip *self) {
  if (self->queue == NULL) observe_on_host(self);
  for (int n = 0; n < 5; n++) send_it(self);
}

static inline void cancel_queue(trip *self) {
  EXPECT_OK(mainstem_cancel(self->queue));
  self->queue = NULL;
}

/* What the host took out is its own. */
static inline void take_records(trip *self) {
  static char records[512];
  size_t count = 0;
  EXPECT_OK(mainstem_mailbox_take(self->queue, records, sizeof records, &count, NULL));
  EXPECT_EQUAL(count, 1);
  EXPECT_EQUAL(((mainstem_event_header *)records)->flags & MAINSTEM_EVENT_SECRET,
               MAINSTEM_EVENT_SECRET);
  EXPECT_EQUAL(copies(), 1);
  password_forget(records, sizeof records);
}

static inline void retain_it(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, &((trip *)user_data)->kept));
}

static inline void observe_by_retaining(trip *self) { observe(self, self->on.notice, retain_it); }

static inline void release_it(trip *self) { EXPECT_OK(mainstem_retained_release(self->kept)); }

static inline void answer_it(void *user_data, const mainstem_event *event) {
  trip *self = (trip *)user_data;
  static char text[1024];
  const size_t filling = self->way->filling;
  memset(text, 'x', sizeof text);
  password_write(text + filling);
  text[filling + PASSWORD_SIZE] = 0;
  EXPECT_OK(mainstem_respond_progress(event, self->on.notice, text, filling + PASSWORD_SIZE));
  if (self->way->is_error) {
    EXPECT_OK(mainstem_respond_error(event, MAINSTEM_APP, text));
  } else {
    EXPECT_OK(mainstem_respond(event, text, filling + PASSWORD_SIZE));
  }
  password_forget(text, sizeof text);
}

static inline void serve_with(trip *self, mainstem_event_fn fn) {
  serve_one(self->on.context, "Session", "RequestSignIn", fn, self);
}

static inline void serve(trip *self) { serve_with(self, answer_it); }

static inline void serve_later(trip *self) { serve_with(self, retain_it); }

static inline void ask_it(trip *self) {
  char password[PASSWORD_SIZE];
  password_write(password);
  EXPECT_OK(
      mainstem_request_with(self->on.context, self->on.ask, password, sizeof password,
                            OPTIONS(request, .scheduler = self->way->scheduler, .progress = look),
                            look, self, NULL, NULL));
  password_forget(password, sizeof password);
}

static inline void *answer_later(void *user_data) {
  trip *self = (trip *)user_data;
  const mainstem_event *event = kept_event(self->kept);
  answer_it(self, event);
  EXPECT_OK(mainstem_retained_release(self->kept));
  return NULL;
}

static inline void ask_and_answer_elsewhere(trip *self) {
  ask_it(self);
  elsewhere(answer_later, self);
}

#define AT_ONCE .scheduler = MAINSTEM_SCHEDULER_IMMEDIATE
#define ON_HOST .scheduler = MAINSTEM_SCHEDULER_HOST
#define LEFT(queue_policy) .policy = MAINSTEM_QUEUE_##queue_policy, .waits = 1

/* By its length a payload is kept in one way or another. */
#define ANSWERS(what, ...)                                                                         \
  {"a short " what, serve, ask_it, drain, 2, __VA_ARGS__},                                         \
      {"a longer " what, serve, ask_it, drain, 2, .filling = 40, __VA_ARGS__}, {                   \
    "a long " what, serve, ask_it, drain, 2, .filling = 500, __VA_ARGS__                           \
  }

static const way ways[] = {
    {"a send", observe_all, send_both, drain, 2, AT_ONCE},
    {"what waits its turn", observe_by_sending, send_other, drain, 1, AT_ONCE},
    {"a post", observe_notice, post_elsewhere, drain, 1, .waits = 1},
    {"a signal handler's post", observe_notice, post_from_interrupt, drain, 1, .waits = 1},
    {"what is handed over", observe_on_host, send_it, drain, 1, LEFT(REJECT)},
    {"what has no room", observe_on_host, send_too_many, drain, 2, LEFT(REJECT)},
    {"the oldest that is lost", NULL, send_five, cancel_queue, 0, LEFT(DROP_OLDEST)},
    {"the newest that is lost", NULL, send_five, cancel_queue, 0, LEFT(DROP_NEWEST)},
    {"all but the latest", NULL, send_five, cancel_queue, 0, LEFT(LATEST)},
    {"a mailbox", observe_mailbox, send_it, take_records, 0, LEFT(REJECT)},
    {"what was retained", observe_by_retaining, send_it, release_it, 0, .waits = 1},
    ANSWERS("answer", AT_ONCE),
    ANSWERS("error", AT_ONCE, .is_error = 1),
    ANSWERS("answer on a scheduler", ON_HOST),
    ANSWERS("error on a scheduler", ON_HOST, .is_error = 1),
    {"an answer of another thread", serve_later, ask_and_answer_elsewhere, drain, 2, AT_ONCE,
     .filling = 40},
};

#endif

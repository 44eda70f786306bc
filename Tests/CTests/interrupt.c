// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Posting from signal handlers: real ones, that interrupt sends, observers and drains. */

#include "elsewhere.h"
#include "stream.h"

#include <poll.h>
#include <signal.h>

static mainstem_event_type number_type(mainstem_context *context) {
  return type_open(context, "Number", MAINSTEM_PAYLOAD_STRUCT | sizeof(int64_t), NULL);
}

static mainstem_context *open_for_interrupts(uint32_t threads) {
  return CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_INTERRUPTS);
}

typedef struct counter {
  int64_t next;
} counter;

static void expect_next(void *user_data, const mainstem_event *event) {
  counter *self = (counter *)user_data;
  int64_t value = -1;
  memcpy(&value, event->data, sizeof value);
  EXPECT_EQUAL(value, self->next);
  EXPECT_EQUAL(event->flags, MAINSTEM_EVENT_OUTSIDE);
  self->next++;
}

static mainstem_status post_number(mainstem_context *context, mainstem_event_type type,
                                   int64_t value) {
  return mainstem_post_from_interrupt(context, type, &value, sizeof value);
}

static int is_readable(mainstem_context *context) {
  struct pollfd entry = {.fd = -1, .events = POLLIN};
  EXPECT_OK(mainstem_context_fd(context, &entry.fd));
  return poll(&entry, 1, 0) == 1;
}

/* Catches: a refusal that writes a message, or that comes as another status. */
CASE(what_is_refused_is_a_status_only, IN_BOTH) {
  stream on = stream_of(open_for_interrupts(threads));
  const char *message;
  char bytes[64] = {0};
  mainstem_context *limited;
  mainstem_scope_options options = {.size = sizeof options};
  stream plain = stream_open(threads);
  EXPECT_STATUS(mainstem_send(NULL, 1, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post_from_interrupt(plain.context, plain.notice, "", 0),
                MAINSTEM_UNSUPPORTED);
  EXPECT_OK(mainstem_context_close(plain.context));
  EXPECT_STATUS(mainstem_post_from_interrupt(NULL, on.notice, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, 99, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, on.notice, NULL, 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, on.ask, "\xff", 1), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, on.notice, bytes, 49), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, on.notice, bytes, SIZE_MAX),
                MAINSTEM_TOO_BIG);
  EXPECT_OK(mainstem_post_from_interrupt(on.context, on.notice, bytes, MAINSTEM_INTERRUPT_PAYLOAD));
  options.send_layers = 1;
  EXPECT_OK(mainstem_scope_add(on.context, "Limited", &options, &limited));
  EXPECT_STATUS(mainstem_post_from_interrupt(limited, on.notice, "", 0), MAINSTEM_DENIED);
  EXPECT_EQUAL(stats_of(on.context).denied, 1);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: context: must not be NULL");
  EXPECT_OK(mainstem_context_first_error(on.context, &message));
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_STATUS(mainstem_post_from_interrupt(on.context, on.notice, "", 0), MAINSTEM_STALE);
}

/* Catches: a full ring that overwrites; places lost when it goes around; counts that lie. */
CASE(the_ring_is_bounded_and_goes_around, IN_BOTH) {
  mainstem_context *context = open_for_interrupts(threads);
  mainstem_event_type type = number_type(context);
  counter seen = {0};
  int64_t next = 0;
  size_t taken;
  EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
  for (int round = 1; round < 20; round++) {
    int count = round * 31 % 257;
    for (int i = 0; i < count; i++) EXPECT_OK(post_number(context, type, next++));
    EXPECT_EQUAL(stats_of(context).waiting, count);
    EXPECT_OK(mainstem_drain(context, 0, &taken));
    EXPECT_EQUAL(taken, count);
    EXPECT_EQUAL(seen.next, next);
  }
  for (int i = 0; i < 256; i++) EXPECT_OK(post_number(context, type, next++));
  EXPECT_STATUS(post_number(context, type, next), MAINSTEM_FULL);
  EXPECT_EQUAL(stats_of(context).rejected, 1);
  EXPECT_OK(mainstem_drain(context, 1, NULL));
  EXPECT_OK(mainstem_flush(context));
  EXPECT_EQUAL(seen.next, next);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: events of handlers and posts out of order of arrival. */
CASE(they_keep_their_place_among_posts, IN_BOTH) {
  mainstem_context *context = open_for_interrupts(threads);
  mainstem_event_type type = number_type(context);
  counter seen = {0};
  EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
  for (int64_t i = 0; i < 100; i++) {
    if (i % 3 == 0) {
      EXPECT_OK(mainstem_post(context, type, &i, sizeof i));
    } else {
      EXPECT_OK(post_number(context, type, i));
    }
  }
  EXPECT_OK(mainstem_context_close(context)); /* The last drain. */
  EXPECT_EQUAL(seen.next, 100);
}

static void post_inside(void *user_data, const mainstem_event *event) {
  int64_t value;
  memcpy(&value, event->data, sizeof value);
  if (value != 0) return;
  EXPECT_OK(post_number(event->context, event->type, 1));
  EXPECT(!is_readable((mainstem_context *)user_data)); /* A drain runs. */
}

/* Catches: a descriptor that stays silent, stays readable, or is readable while a drain runs. */
CASE(the_descriptor_tells, IN_BOTH) {
  mainstem_context *context = open_for_interrupts(threads);
  mainstem_event_type type = number_type(context);
  EXPECT_OK(mainstem_observe(context, type, post_inside, context, NULL, NULL));
  EXPECT(!is_readable(context));
  EXPECT_STATUS(mainstem_wait(context, 0), MAINSTEM_TIMEOUT);
  for (int i = 0; i < 10; i++) {
    EXPECT_OK(post_number(context, type, 0));
    EXPECT(is_readable(context));
    EXPECT_OK(mainstem_drain(context, 1, NULL));
    EXPECT(is_readable(context)); /* For what was posted inside. */
    if (i % 2 == 0) EXPECT_OK(mainstem_wait(context, 0));
    if (i % 2 == 1) EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT(!is_readable(context));
    EXPECT_STATUS(mainstem_wait(context, 0), MAINSTEM_TIMEOUT);
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* What the handler knows. Only it writes the first two while signals come. */
static struct {
  volatile int64_t posted;
  volatile int is_inside;
  mainstem_context *context;
  mainstem_event_type type;
  int handled, done;
  pthread_t thread;
} handler;

/* A handler's own signal is blocked while it runs. The thread sanitizer keeps signals back, and may hand over the next
   one in the middle of it all the same: that one does nothing. */
static void on_signal(int number) {
  if (!handler.is_inside) {
    handler.is_inside = 1;
    if (post_number(handler.context, handler.type, handler.posted) == MAINSTEM_OK)
      handler.posted = handler.posted + 1;
    handler.is_inside = 0;
  }
  __atomic_add_fetch(&handler.handled, 1, __ATOMIC_SEQ_CST);
}

/* One signal at a time: more of them would leave the thread no time between them. */
static void *interrupt_until_done(void *data) {
  int sent = 0;
  while (!__atomic_load_n(&handler.done, __ATOMIC_SEQ_CST)) {
    if (sent <= __atomic_load_n(&handler.handled, __ATOMIC_SEQ_CST)) {
      EXPECT_EQUAL(pthread_kill(handler.thread, SIGUSR1), 0);
      sent++;
    }
    sched_yield();
  }
  while (__atomic_load_n(&handler.handled, __ATOMIC_SEQ_CST) < sent) sched_yield();
  return NULL;
}

static void ignore(void *user_data, const mainstem_event *event) {}

static void handler_begin(mainstem_context *context, mainstem_event_type type) {
  struct sigaction action = {.sa_handler = on_signal};
  memset(&handler, 0, sizeof handler);
  handler.context = context;
  handler.type = type;
  handler.thread = pthread_self();
  EXPECT_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
}

enum { INTERRUPTS = 500 };

/* Catches: a lock, a malloc or half-written state in the handler's way; what is lost or comes twice. */
CASE(a_handler_may_interrupt_anything, IN_BOTH) {
  stream on = stream_of(open_for_interrupts(threads));
  counter seen = {0};
  mainstem_subscription *subscription;
  mainstem_event_type type = number_type(on.context);
  EXPECT_OK(mainstem_observe(on.context, type, expect_next, &seen, NULL, NULL));
  handler_begin(on.context, type);
  pthread_t other = beside(interrupt_until_done, NULL);
  while (seen.next < INTERRUPTS) {
    char large[400] = {0};
    EXPECT_OK(mainstem_send(on.context, on.notice, large, sizeof large));
    EXPECT_OK(mainstem_observe(on.context, on.notice, ignore, NULL, NULL, &subscription));
    EXPECT_OK(mainstem_post(on.context, on.other, large, sizeof large));
    EXPECT_OK(mainstem_cancel(subscription));
    EXPECT_STATUS(mainstem_send(on.context, 99, "", 0), MAINSTEM_INVALID);
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  }
  __atomic_store_n(&handler.done, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(seen.next, handler.posted);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *post_until_stale(void *data) {
  int64_t *posted = (int64_t *)data;
  for (;;) {
    mainstem_status status = post_number(handler.context, handler.type, *posted);
    if (status == MAINSTEM_STALE) return NULL;
    if (status == MAINSTEM_OK) ++*posted;
    if (status != MAINSTEM_OK) EXPECT_STATUS(status, MAINSTEM_FULL);
  }
}

/* Catches: a wake-up lost between a clear and a post; something accepted and never delivered by close. */
CASE(nothing_is_lost_beside_waits_and_close, IN_BOTH) {
  for (int round = 0; round < 5; round++) {
    mainstem_context *context = open_for_interrupts(threads);
    counter seen = {0};
    int64_t posted = 0;
    mainstem_event_type type = number_type(context);
    EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
    handler_begin(context, type);
    pthread_t other = beside(post_until_stale, &posted);
    while (seen.next < 500) EXPECT_OK(mainstem_wait(context, -1));
    EXPECT_OK(mainstem_context_close(context));
    join(other);
    EXPECT_EQUAL(seen.next, posted);
  }
}

typedef struct turn_taker {
  sem_t next;
  int64_t posted;
} turn_taker;

static void *post_in_turn(void *data) {
  turn_taker *self = (turn_taker *)data;
  while (self->posted < INTERRUPTS) {
    signal_take(&self->next);
    EXPECT_OK(post_number(handler.context, handler.type, self->posted++));
  }
  return NULL;
}

/* Catches: the same where nothing else would wake: each event is waited for alone. A hang is the failure. */
CASE(each_event_alone_ends_a_wait, IN_BOTH) {
  mainstem_context *context = open_for_interrupts(threads);
  counter seen = {0};
  turn_taker taker = {.posted = 0};
  mainstem_event_type type = number_type(context);
  signal_open(&taker.next);
  EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
  handler_begin(context, type);
  pthread_t other = beside(post_in_turn, &taker);
  while (seen.next < INTERRUPTS) {
    int64_t before = seen.next;
    signal_give(&taker.next);
    while (seen.next == before) EXPECT_OK(mainstem_wait(context, -1));
  }
  join(other);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: an event that waits for room among the posts, and is counted as refused each time one looks. */
CASE(what_waits_for_room_was_not_refused, IN_BOTH) {
  mainstem_context *context =
      CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_INTERRUPTS, .limit_posts = 2);
  counter seen = {0};
  mainstem_event_type type = number_type(context);
  EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
  for (int64_t value = 0; value < 5; value++) EXPECT_OK(post_number(context, type, value));
  while (seen.next < 5) EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(stats_of(context).rejected, 0);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a post that has room until what signal handlers handed over before it comes in. */
CASE(a_post_has_room_behind_them_only, IN_BOTH) {
  mainstem_context *context =
      CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_INTERRUPTS, .limit_posts = 3);
  counter seen = {0};
  mainstem_event_type type = number_type(context);
  EXPECT_OK(mainstem_observe(context, type, expect_next, &seen, NULL, NULL));
  int64_t value = 0;
  EXPECT_OK(mainstem_post(context, type, &value, sizeof value));
  for (value = 1; value < 3; value++) EXPECT_OK(post_number(context, type, value));
  EXPECT_STATUS(mainstem_post(context, type, &value, sizeof value), MAINSTEM_FULL);
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(seen.next, 3);
  for (; value < 5; value++) EXPECT_OK(post_number(context, type, value));
  EXPECT_OK(mainstem_post(context, type, &value, sizeof value));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(seen.next, 6);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return expect_all(); }

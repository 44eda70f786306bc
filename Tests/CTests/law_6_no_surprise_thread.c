// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Law 6, no surprise thread: who delivers, who is refused, and that no thread is started. */

#include "elsewhere.h"
#include "transcript.h"

#include <dirent.h>

static int threads_of_process(void) {
  DIR *folder = opendir("/proc/self/task");
  int count = 0;
  EXPECT(folder != NULL);
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    count += entry->d_name[0] != '.';
  }
  closedir(folder);
  return count;
}

typedef struct foreigner {
  stream on;
  mainstem_context *scope, *server;
  mainstem_subscription *subscription;
  mainstem_pending *pending;
} foreigner;

static void never(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
  EXPECT(!"this observer must not be called");
}

static void never_line(void *user_data, const char *line) {
  (void)user_data;
  (void)line;
  EXPECT(!"this observer must not be called");
}

static void registration_is_refused(foreigner *self, mainstem_context *context) {
  mainstem_event_type type = 0;
  mainstem_contract layer = 0;
  mainstem_type_info info = {.size = sizeof info};
  mainstem_catalogue_row row = {"New", MAINSTEM_PAYLOAD_NONE, NULL};
  mainstem_handler_row handler = {"Notice", never};
  const char *name;
  EXPECT_STATUS(mainstem_type_add(context, "New", 0, NULL, &type), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_type_find(context, "Notice", &type), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_type_read(context, self->on.notice, &info), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_layer_add(context, "new", &layer), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_catalogue_add(context, &row, sizeof row, 1, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_origin_name(context, 0, &name), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_server_add(context, "New", &handler, sizeof handler, 1, NULL, NULL, NULL),
                MAINSTEM_WRONG_THREAD);
}

static void *the_rest_is_refused(void *data) {
  foreigner *self = (foreigner *)data;
  mainstem_context *context = self->on.context, *scope;
  mainstem_observe_options options;
  mainstem_stats stats;
  int fd = -1;
  stats.size = sizeof stats;
  EXPECT_OK(mainstem_observe_options_init(&options, sizeof options));
  registration_is_refused(self, context);
  registration_is_refused(self, self->scope);
  EXPECT_STATUS(mainstem_send(context, self->on.notice, "", 0), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_send(self->server, self->on.notice, "", 0), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_observe(context, 0, never, NULL, NULL, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_observe_with(context, &options, never, NULL, NULL, NULL),
                MAINSTEM_WRONG_THREAD);
  mainstem_scheduler serial;
  EXPECT_STATUS(mainstem_serial_add(context, "New", 0, &serial), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_trace(context, never_line, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_request(context, self->on.ask, "", 0, never, NULL, NULL),
                MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_pending_cancel(self->pending), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_cancel_wait(self->subscription), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_scope_add(context, "New", &scope), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_scope_end(self->scope), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_scope_end(self->server), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_drain(context, 0, NULL), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_wait(context, -1), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_flush(context), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_context_fd(context, &fd), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_context_stats(context, &stats), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_context_close(context), MAINSTEM_WRONG_THREAD);
  EXPECT_STATUS(mainstem_context_first_error(context, NULL), MAINSTEM_WRONG_THREAD);
  return NULL;
}

static void keep_quiet(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

/* Catches: one call without the thread check, or with the check after a change. */
static void a_foreign_thread_is_refused_and_changes_nothing(uint32_t threads) {
  foreigner self;
  mainstem_stats before, after;
  mainstem_handler_row row = {"RequestAsk", keep_quiet};
  uint64_t position;
  self.on = stream_open(threads);
  EXPECT_OK(mainstem_scope_add(self.on.context, "Scope", &self.scope));
  EXPECT_OK(mainstem_server_add(self.on.context, "Server", &row, sizeof row, 1, NULL, NULL,
                                &self.server));
  EXPECT_OK(
      mainstem_observe(self.on.context, self.on.notice, never, NULL, NULL, &self.subscription));
  EXPECT_OK(mainstem_request(self.on.context, self.on.ask, "", 0, NULL, NULL, &self.pending));
  before = stats_of(self.on.context);
  elsewhere(the_rest_is_refused, &self);
  after = stats_of(self.on.context);
  EXPECT(memcmp(&before, &after, sizeof before) == 0);
  EXPECT_OK(mainstem_pending_position(self.pending, &position));
  EXPECT_OK(mainstem_cancel_wait(self.subscription));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void *post_three(void *data) {
  stream *on = (stream *)data;
  EXPECT_OK(mainstem_post(on->context, on->notice, "1", 1));
  EXPECT_OK(mainstem_post(on->context, on->notice, "2", 1));
  EXPECT_OK(mainstem_post(on->context, on->notice, "3", 1));
  return NULL;
}

typedef struct place {
  pthread_t thread;
  uint64_t calls, outside;
} place;

static void note_place(void *user_data, const mainstem_event *event) {
  place *self = (place *)user_data;
  self->thread = pthread_self();
  self->calls++;
  self->outside += (event->flags & MAINSTEM_EVENT_OUTSIDE) != 0 && event->cause == 0;
}

/* Catches: a post delivered by the poster, or by a send that is no drain. */
static void a_post_is_delivered_by_the_thread_that_drains(uint32_t threads) {
  stream on = stream_open(threads);
  place at = {pthread_self(), 0, 0};
  size_t count = 99;
  EXPECT_OK(mainstem_observe(on.context, on.notice, note_place, &at, NULL, NULL));
  elsewhere(post_three, &on);
  EXPECT_EQUAL(at.calls, 0);
  EXPECT_EQUAL(stats_of(on.context).waiting, 3);
  EXPECT_OK(mainstem_send(on.context, on.other, "", 0));
  EXPECT_EQUAL(at.calls, 0);
  EXPECT_OK(mainstem_drain(on.context, 0, &count));
  EXPECT_EQUAL(count, 3);
  EXPECT_EQUAL(at.calls, 3);
  EXPECT_EQUAL(at.outside, 3);
  EXPECT(pthread_equal(at.thread, pthread_self()));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *send_and_be_delivered(void *data) {
  foreigner *self = (foreigner *)data;
  place at = {pthread_self(), 0, 0};
  mainstem_subscription *subscription;
  EXPECT_OK(
      mainstem_observe(self->on.context, self->on.notice, note_place, &at, NULL, &subscription));
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(at.calls, 1);
  EXPECT(pthread_equal(at.thread, pthread_self()));
  EXPECT_OK(mainstem_cancel_wait(subscription));
  return NULL;
}

/* Catches: an any-thread context that still prefers its creator. */
static void on_an_idle_stream_the_sender_delivers(uint32_t threads) {
  foreigner self;
  self.on = stream_open(threads);
  elsewhere(send_and_be_delivered, &self);
  send_and_be_delivered(&self);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

typedef struct deliverer {
  stream on;
  sem_t entered, leave;
  pthread_t seen_on[8];
  size_t calls;
  int flushed, asked;
} deliverer;

static void stay_at_first(void *user_data, const mainstem_event *event) {
  deliverer *self = (deliverer *)user_data;
  self->seen_on[self->calls++] = pthread_self();
  if (event->position != 1) return;
  signal_give(&self->entered);
  signal_take(&self->leave);
}

static void *deliver(void *data) {
  deliverer *self = (deliverer *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  EXPECT_EQUAL(self->calls, 3); /* What was sent meanwhile is delivered before this returns. */
  return NULL;
}

/* Catches: a send that waits for the deliverer (it would hang), or that leaves its event behind. */
static void a_send_beside_a_delivery_returns_at_once(uint32_t threads) {
  deliverer self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  signal_open(&self.entered);
  signal_open(&self.leave);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, stay_at_first, &self, NULL, NULL));
  pthread_t other = beside(deliver, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  EXPECT_EQUAL(stats_of(self.on.context).events, 3);
  signal_give(&self.leave);
  join(other);
  for (int i = 0; i < 3; i++) EXPECT(pthread_equal(self.seen_on[i], other));
  EXPECT_OK(mainstem_context_close(self.on.context));
}

static void stay_until_flush(void *user_data, const mainstem_event *event) {
  deliverer *self = (deliverer *)user_data;
  if (event->position == 1) {
    signal_give(&self->entered);
    signal_take(&self->leave);
  }
  for (int i = 0; i < 2000; i++) sched_yield(); /* Lets a flush that does not wait be seen. */
  EXPECT_EQUAL(__atomic_load_n(&self->flushed, __ATOMIC_SEQ_CST), 0);
  self->calls++;
}

static void *deliver_two(void *data) {
  deliverer *self = (deliverer *)data;
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  return NULL;
}

/* Catches: a flush that returns while another thread still delivers what came before it. */
static void flush_waits_for_the_deliverer(uint32_t threads) {
  deliverer self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  signal_open(&self.entered);
  signal_open(&self.leave);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, stay_until_flush, &self, NULL, NULL));
  pthread_t other = beside(deliver_two, &self);
  signal_take(&self.entered);
  EXPECT_OK(mainstem_send(self.on.context, self.on.notice, "", 0));
  signal_give(&self.leave);
  EXPECT_OK(mainstem_flush(self.on.context));
  __atomic_store_n(&self.flushed, 1, __ATOMIC_SEQ_CST);
  join(other);
  EXPECT_EQUAL(self.calls, 2);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

enum { ROUNDS = 20000 };

typedef struct rounds {
  stream on;
  pthread_barrier_t start;
  uint64_t calls;
} rounds;

static void count_call(void *user_data, const mainstem_event *event) {
  rounds *self = (rounds *)user_data;
  (void)event;
  __atomic_add_fetch(&self->calls, 1, __ATOMIC_SEQ_CST);
}

static void *send_once_a_round(void *data) {
  rounds *self = (rounds *)data;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(&self->start);
    EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
  }
  return NULL;
}

/* Catches: a wake-up lost between "somebody delivers" and "wait": nobody comes who could wake. */
static void a_wait_for_a_deliverer_who_is_just_done_ends(uint32_t threads) {
  rounds self;
  memset(&self, 0, sizeof self);
  self.on = stream_open(threads);
  EXPECT_EQUAL(pthread_barrier_init(&self.start, NULL, 2), 0);
  EXPECT_OK(mainstem_observe(self.on.context, self.on.notice, count_call, &self, NULL, NULL));
  pthread_t other = beside(send_once_a_round, &self);
  for (int i = 0; i < ROUNDS; i++) {
    mainstem_subscription *subscription;
    EXPECT_OK(
        mainstem_observe(self.on.context, self.on.notice, count_call, &self, NULL, &subscription));
    pthread_barrier_wait(&self.start);
    if (i % 2 == 0) EXPECT_OK(mainstem_flush(self.on.context));
    EXPECT_OK(mainstem_cancel_wait(subscription));
  }
  join(other);
  EXPECT(self.calls >= ROUNDS);
  EXPECT_EQUAL(pthread_barrier_destroy(&self.start), 0);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a thread of the library, however short its life. */
static void no_thread_is_started(uint32_t threads) {
  int before = threads_of_process();
  stream on = stream_open(threads);
  int fd;
  EXPECT_OK(mainstem_context_fd(on.context, &fd));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_wait(on.context, 0));
  EXPECT_OK(mainstem_request(on.context, on.ask, "", 0, NULL, NULL, NULL));
  EXPECT_OK(mainstem_flush(on.context));
  EXPECT_EQUAL(threads_of_process(), before);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_EQUAL(threads_of_process(), before);
}

static void count_wake(void *user_data) { ++*(int *)user_data; }

/* Catches: a wake-up for each post, where one for the batch will do, and one for nothing. */
static void a_batch_of_posts_wakes_the_owner_once(uint32_t threads) {
  stream on = stream_open(threads);
  int calls = 0;
  EXPECT_OK(mainstem_context_on_wake(on.context, count_wake, &calls, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  EXPECT_EQUAL(calls, 0);
  for (int round = 1; round <= 3; round++) {
    for (int i = 0; i < 1000; i++) EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
    EXPECT_EQUAL(calls, round);
    EXPECT_OK(mainstem_drain(on.context, 0, NULL));
  }
  EXPECT_EQUAL(calls, 3);
  EXPECT_OK(mainstem_context_close(on.context));
}

static const expect_case cases[] = {
    {"a batch of posts wakes the owner once", a_batch_of_posts_wakes_the_owner_once, IN_BOTH},
    {"a foreign thread is refused and changes nothing",
     a_foreign_thread_is_refused_and_changes_nothing, IN_ONE},
    {"a post is delivered by the thread that drains", a_post_is_delivered_by_the_thread_that_drains,
     IN_BOTH},
    {"on an idle stream the sender delivers", on_an_idle_stream_the_sender_delivers, IN_ANY},
    {"a send beside a delivery returns at once", a_send_beside_a_delivery_returns_at_once, IN_ANY},
    {"flush waits for the deliverer", flush_waits_for_the_deliverer, IN_ANY},
    {"a wait for a deliverer who is just done ends", a_wait_for_a_deliverer_who_is_just_done_ends,
     IN_ANY},
    {"no thread is started", no_thread_is_started, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

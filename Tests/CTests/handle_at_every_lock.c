// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A call that gives a handle has set it before the first callback of what it made, on whatever thread that
 * is: after each lock that the call gives back, in turn, another thread lets such a callback happen.
 *
 * This program defines pthread_mutex_lock and pthread_mutex_unlock, so it must not be built with a sanitizer.
 */

#include "elsewhere.h"
#include "stream.h"

#include <dlfcn.h>
#include <limits.h>

typedef struct giving giving;

struct giving {
  stream on;
  sem_t turn, settled;
  void (*happen)(giving *); /* What the other thread does. */
  int stands, calls;
  void *given; /* What the call sets. */
};

static __thread giving *counted; /* Whose locks are counted on this thread. */
static __thread int countdown;
static __thread giving *tells; /* Who is told when this thread has to wait for a lock. */

static int (*next_of(const char *name))(pthread_mutex_t *) {
  int (*next)(pthread_mutex_t *);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (next == NULL) abort();
  return next;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (tells != NULL) {
    if (next_of("pthread_mutex_trylock")(mutex) == 0) return 0;
    signal_give(&tells->settled);
    tells = NULL;
  }
  return next_of("pthread_mutex_lock")(mutex);
}

/* Lets the other one work, until it has, or needs a lock that this thread holds. */
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int status = next_of("pthread_mutex_unlock")(mutex);
  giving *self = counted;
  if (self != NULL && countdown-- == 0) {
    counted = NULL;
    self->stands = 1;
    signal_give(&self->turn);
    signal_take(&self->settled);
  }
  return status;
}

static void *happen_in_turn(void *data) {
  giving *self = (giving *)data;
  signal_take(&self->turn);
  tells = self;
  self->happen(self);
  if (tells != NULL) signal_give(&self->settled);
  tells = NULL;
  return NULL;
}

static void look(void *user_data, const mainstem_event *event) {
  giving *self = (giving *)user_data;
  self->calls++;
  EXPECT(self->given != NULL);
}

static void happen_notice(giving *self) {
  EXPECT_OK(mainstem_send(self->on.context, self->on.notice, "", 0));
}

static void happen_request(giving *self) {
  EXPECT_OK(mainstem_send(self->on.context, self->on.ask, "", 0));
}

static void happen_time(giving *self) { EXPECT_OK(mainstem_context_advance(self->on.context, 1)); }

static void give_observer(giving *self) {
  EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, look, self, NULL,
                             (mainstem_subscription **)&self->given));
}

static void give_observer_of_any(giving *self) {
  EXPECT_OK(mainstem_observe(self->on.context, MAINSTEM_TYPE_ANY, look, self, NULL,
                             (mainstem_subscription **)&self->given));
}

static void give_observer_with(giving *self) {
  mainstem_observe_options options = {.size = sizeof options};
  EXPECT_OK(mainstem_observe_with(self->on.context, &options, look, self, NULL,
                                  (mainstem_subscription **)&self->given));
}

static void give_server(giving *self) {
  static const mainstem_handler_row row = {"RequestAsk", look, 0};
  EXPECT_OK(mainstem_server_add(self->on.context, "Server", &row, sizeof row, 1, self, NULL,
                                (mainstem_context **)&self->given));
}

static void give_timer(giving *self) {
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.notice, "", 0, 1, 0,
                                (mainstem_timer **)&self->given));
}

static void give_period(giving *self) {
  EXPECT_OK(mainstem_send_after(self->on.context, self->on.notice, "", 0, 1, 1,
                                (mainstem_timer **)&self->given));
}

static void give_pending(giving *self) {
  EXPECT_OK(mainstem_request(self->on.context, self->on.ask, "", 0, NULL, NULL,
                             (mainstem_pending **)&self->given));
}

typedef struct gift {
  const char *name;
  void (*give)(giving *self);
  void (*happen)(giving *self);
  mainstem_event_type (*seen)(const giving *self); /* Who looks is there already; NULL: is made. */
} gift;

static mainstem_event_type notice_of(const giving *self) { return self->on.notice; }
static mainstem_event_type ask_of(const giving *self) { return self->on.ask; }

static const gift gifts[] = {
    {"mainstem_observe", give_observer, happen_notice, NULL},
    {"mainstem_observe of every type", give_observer_of_any, happen_notice, NULL},
    {"mainstem_observe_with", give_observer_with, happen_notice, NULL},
    {"mainstem_server_add", give_server, happen_request, NULL},
    {"mainstem_send_after", give_timer, happen_time, notice_of},
    {"mainstem_send_after that repeats", give_period, happen_time, notice_of},
    {"mainstem_request", give_pending, happen_notice, ask_of},
};

static void giving_open(giving *self, const gift *gift, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  self->on.ask = type_open(self->on.context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAnswer");
  type_open(self->on.context, "ResponseAnswer", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->on.notice = type_open(self->on.context, "Notice", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->happen = gift->happen;
  signal_open(&self->turn);
  signal_open(&self->settled);
  if (gift->seen == NULL) return;
  EXPECT_OK(mainstem_observe(self->on.context, gift->seen(self), look, self, NULL, NULL));
}

/* Warms up what is made once, so that the call goes its short way. */
static void warm_up(giving *self) {
  mainstem_subscription *made;
  for (int i = 0; i < 2; i++) {
    EXPECT_OK(mainstem_observe(self->on.context, self->on.notice, look, self, NULL, &made));
    EXPECT_OK(mainstem_cancel(made));
  }
}

/* False when the call gave back no more locks than that. */
static int a_call_after_lock(int lock, const gift *gift, uint32_t threads, int *calls) {
  giving self;
  giving_open(&self, gift, threads);
  warm_up(&self);
  pthread_t other = beside(happen_in_turn, &self);
  countdown = lock;
  counted = &self;
  gift->give(&self);
  counted = NULL;
  if (!self.stands) signal_give(&self.turn);
  join(other);
  if (self.stands) *calls += self.calls;
  EXPECT_OK(mainstem_context_close(self.on.context));
  return self.stands;
}

/* Catches: a handle that is set when others can already call what it names. */
CASE(a_handle_is_set_before_its_first_call, IN_ANY) {
  for (size_t i = 0; i < COUNT(gifts); i++) {
    int lock = 0, calls = 0;
    expect_sentence = gifts[i].name;
    /* A library built file by file takes locks of its own the first time. */
    a_call_after_lock(INT_MAX, &gifts[i], threads, &calls);
    while (a_call_after_lock(lock, &gifts[i], threads, &calls)) lock++;
    EXPECT(calls > 0);
  }
}

/* Catches: the same on one thread, where a call delivers before it returns. */
CASE(a_request_is_pending_before_its_server_is_called, IN_BOTH) {
  for (size_t i = 0; i < COUNT(gifts); i++) {
    giving self;
    if (gifts[i].give != give_pending) continue;
    giving_open(&self, &gifts[i], threads);
    gifts[i].give(&self);
    EXPECT_EQUAL(self.calls, 1);
    EXPECT_OK(mainstem_context_close(self.on.context));
  }
}

int main(void) { return expect_all(); }

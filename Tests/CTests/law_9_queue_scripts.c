// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 9, bounded: random scripts on one queue, beside a list that is plainly right. Every policy, bounds in events
 * and in bytes, events that come unasked and on demand, sends inside callbacks, posts, and timers.
 */

#include "elsewhere.h"
#include "scheduled.h"

enum { MOST = 4096, STEPS = 400, SCRIPTS = 60 };

/* One place of the list: an event, or a gap. */
typedef struct item {
  int is_gap;
  uint64_t from, to, count;
  size_t size;
} item;

typedef struct script {
  stream on;
  mainstem_subscription *subscription;
  uint64_t random;
  scheduled how;
  transcript seen, wanted;
  /* The list. */
  item items[MOST];
  size_t count;
  uint64_t demand, position, dropped;
  /* What was accepted and is not handed over: its sizes, in order. */
  size_t promised[MOST], promises;
  int sends;      /* In the next callback. */
  int is_stopped; /* A limited drain was stopped before it came to the observer. */
} script;

static uint64_t draw(script *self, uint64_t below) {
  self->random = self->random * 6364136223846793005u + 1442695040888963407u;
  return (self->random >> 33) % below;
}

static int refuses(const script *self) { return self->how.policy <= MAINSTEM_QUEUE_BLOCK; }

static size_t bound_of(const script *self) {
  return self->how.policy == MAINSTEM_QUEUE_LATEST ? 1 : self->how.limit_events;
}

static int fits(const script *self, size_t size) {
  size_t events = 0, bytes = 0;
  for (size_t i = 0; i < self->count; i++) {
    events += !self->items[i].is_gap;
    bytes += self->items[i].size;
  }
  for (size_t i = 0; refuses(self) && i < self->promises; i++) {
    events++;
    bytes += self->promised[i];
  }
  return events < bound_of(self) && (events == 0 || bytes + size <= self->how.limit_bytes);
}

static void remove_item(script *self, size_t index) {
  self->count--;
  memmove(&self->items[index], &self->items[index + 1],
          (self->count - index) * sizeof self->items[0]);
}

static void append(script *self, item new) {
  item *last = self->count > 0 ? &self->items[self->count - 1] : NULL;
  if (new.is_gap) self->dropped += new.count;
  if (new.is_gap && last != NULL && last->is_gap) {
    last->to = new.to;
    last->count += new.count;
    return;
  }
  EXPECT(self->count < MOST);
  self->items[self->count++] = new;
}

/* The first event becomes a gap; gaps side by side become one. */
static void lose_oldest(script *self) {
  size_t first = self->items[0].is_gap ? 1 : 0;
  self->items[first].is_gap = 1;
  self->items[first].size = 0;
  self->dropped++;
  while (self->count > 1 && self->items[1].is_gap) {
    self->items[0].to = self->items[1].to;
    self->items[0].count += self->items[1].count;
    remove_item(self, 1);
  }
}

static void hand_over(script *self, size_t size, int is_promised) {
  uint64_t position = ++self->position;
  item new = {0, position, position, 1, size};
  if (!is_promised) {
    int drops_oldest =
        self->how.policy == MAINSTEM_QUEUE_DROP_OLDEST || self->how.policy == MAINSTEM_QUEUE_LATEST;
    while (drops_oldest && !fits(self, size)) lose_oldest(self);
    if (!fits(self, size)) new = (item){1, position, position, 1, 0};
  }
  append(self, new);
}

/* What waits to be handed over has its turn. */
static void hand_over_promised(script *self) {
  while (self->promises > 0) {
    size_t size = self->promised[0];
    self->promises--;
    memmove(self->promised, self->promised + 1, self->promises * sizeof self->promised[0]);
    hand_over(self, size, refuses(self));
  }
}

static int accepts(script *self, size_t size, mainstem_status status) {
  if (refuses(self) && !fits(self, size)) {
    EXPECT_STATUS(status, MAINSTEM_FULL);
    return 0;
  }
  EXPECT_OK(status);
  EXPECT(self->promises < MOST);
  self->promised[self->promises++] = size;
  return 1;
}

static const char bytes[64];

static size_t draw_size(script *self) { return (size_t)draw(self, draw(self, 9) == 0 ? 40 : 12); }

static void send_inside(void *user_data, const mainstem_event *event) {
  script *self = (script *)user_data;
  while (self->sends-- > 0) {
    size_t size = draw_size(self);
    accepts(self, size, mainstem_send(self->on.context, self->on.notice, bytes, size));
  }
}

static void expect_drained(script *self, size_t max) {
  size_t asked = self->demand < self->count ? (size_t)self->demand : self->count;
  size_t count = max > 0 && max < asked ? max : asked;
  EXPECT_EQUAL(drained(self->on.context, max), count);
  if (max > 0) self->is_stopped = 0;
  for (size_t i = 0; i < count; i++) {
    const item *first = &self->items[0];
    if (first->is_gap)
      transcript_add(&self->wanted, "[%llu-%llu %llu]", (unsigned long long)first->from,
                     (unsigned long long)first->to, (unsigned long long)first->count);
    else transcript_add(&self->wanted, "%llu", (unsigned long long)first->from);
    remove_item(self, 0);
    if (self->demand != UINT64_MAX) self->demand--;
  }
  EXPECT_TEXT(self->seen.text, self->wanted.text);
  transcript_clear(&self->seen);
  transcript_clear(&self->wanted);
}

static void expect_stats(script *self) {
  mainstem_subscription_stats stats = {.size = sizeof stats};
  uint64_t waiting = 0, waiting_bytes = 0;
  for (size_t i = 0; i < self->count; i++) {
    waiting += !self->items[i].is_gap;
    waiting_bytes += self->items[i].size;
  }
  EXPECT_OK(mainstem_subscription_stats_read(self->subscription, &stats));
  EXPECT_EQUAL(stats.waiting, waiting);
  EXPECT_EQUAL(stats.waiting_bytes, waiting_bytes);
  EXPECT_EQUAL(stats.dropped, self->dropped);
}

/* All that was posted, or is due, is taken in and handed over; nothing is called. */
static void take_in(script *self, size_t count) {
  if (count == 0) return; /* That would be all. */
  EXPECT_EQUAL(drained(self->on.context, count), count);
  self->is_stopped = 1;
}

static void step(script *self) {
  mainstem_context *context = self->on.context;
  size_t size = draw_size(self);
  uint64_t kind = draw(self, 12);
  /* Else what is taken in would wait behind what was handed over. */
  if (self->is_stopped && (kind == 6 || kind == 7)) expect_drained(self, 1);
  if (kind < 5) {
    accepts(self, size, mainstem_send(context, self->on.notice, bytes, size));
    hand_over_promised(self);
  } else if (kind == 5) {
    self->sends = 1 + (int)draw(self, 6);
    self->position++;
    EXPECT_OK(mainstem_send(context, self->on.other, "", 0));
    hand_over_promised(self);
  } else if (kind == 6) {
    size_t count = 0;
    for (uint64_t times = 1 + draw(self, 4); times > 0; times--) {
      size = draw_size(self);
      count += (size_t)accepts(self, size, mainstem_post(context, self->on.notice, bytes, size));
    }
    take_in(self, count);
    hand_over_promised(self);
  } else if (kind == 7) {
    EXPECT_OK(mainstem_send_after(context, self->on.notice, bytes, size, 0, 0, NULL));
    take_in(self, 1);
    hand_over(self, size, 0);
  } else if (kind < 10) {
    uint64_t more = 1 + draw(self, 4);
    if (self->demand == UINT64_MAX) return;
    EXPECT_OK(mainstem_subscription_demand(self->subscription, more));
    self->demand += more;
  } else {
    expect_drained(self, (size_t)draw(self, 5));
  }
}

static void play(script *self, uint64_t seed, uint32_t policy, uint32_t flags, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->on = stream_open(threads);
  self->random = seed;
  self->how.scheduler = MAINSTEM_SCHEDULER_HOST;
  self->how.policy = policy;
  self->how.flags = flags;
  self->how.limit_events = 1 + (size_t)draw(self, 6);
  self->how.limit_bytes = draw(self, 2) == 0 ? 30 : 1000;
  self->demand = flags & MAINSTEM_OBSERVE_ON_DEMAND ? 0 : UINT64_MAX;
  self->subscription =
      observe_on(self->on.context, self->on.notice, &self->how, read_event, &self->seen, NULL);
  EXPECT_OK(mainstem_observe(self->on.context, self->on.other, send_inside, self, NULL, NULL));
  for (int i = 0; i < STEPS; i++) {
    step(self);
    expect_stats(self);
  }
  if (flags & MAINSTEM_OBSERVE_ON_DEMAND) {
    EXPECT_OK(mainstem_subscription_demand(self->subscription, UINT64_MAX));
    self->demand = UINT64_MAX;
  }
  expect_drained(self, 0);
  EXPECT_EQUAL(self->count, 0);
  EXPECT_OK(mainstem_context_close(self->on.context));
}

static void play_all(uint32_t flags, uint32_t threads) {
  static script self;
  for (uint32_t policy = MAINSTEM_QUEUE_REJECT; policy <= MAINSTEM_QUEUE_LATEST; policy++) {
    /* In a context for any thread a blocked sender would wait for a drain that nobody does. */
    if (policy == MAINSTEM_QUEUE_BLOCK && threads == MAINSTEM_THREADS_ANY) continue;
    for (uint64_t seed = 1; seed <= SCRIPTS; seed++) play(&self, seed, policy, flags, threads);
  }
}

CASE(unasked, IN_BOTH) { play_all(0, threads); }
CASE(on_demand, IN_BOTH) { play_all(MAINSTEM_OBSERVE_ON_DEMAND, threads); }

int main(void) { return expect_all(); }

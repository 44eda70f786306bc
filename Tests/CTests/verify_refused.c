// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11 where a callback was refused something, or saw something, that depends on how much waited: a replay
 * neither drains queues nor fills them, and refuses what was refused.
 */

#include "scheduled.h"
#include "session.h"

/* A program that sends a burst for each key, and then tells how much of it was refused, and how. */
typedef struct burst {
  mainstem_context *context;
  mainstem_event_type key, item, told, quiet, ask, answer, step;
  mainstem_retained *owed[8];
  int count, size, owes;
  uint32_t threads, flags;
  scheduled queue;
  size_t limit_events, limit_posts;
  uint64_t limit_observers;
} burst;

static void tell(burst *self, mainstem_context *context, const char *what, long long number) {
  char text[300];
  snprintf(text, sizeof text, "%s %lld", what, number);
  mainstem_status status = mainstem_send(context, self->told, text, strlen(text));
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_FULL);
}

static void tell_refusals(burst *self, mainstem_context *context, int refused) {
  tell(self, context, refused > 0 ? mainstem_last_error() : "none", refused);
}

static void send_burst(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int refused = 0;
  for (int i = 0; i < self->count; i++) {
    mainstem_status status = mainstem_send(event->context, self->item, "i", 1);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_FULL);
    refused += status != MAINSTEM_OK;
  }
  tell_refusals(self, event->context, refused);
}

static void do_nothing(void *user_data, const mainstem_event *event) {}

typedef void (*burst_fn)(burst *self, mainstem_context *context);

/* A context as it was recorded, and as it is verified. */
static mainstem_context *burst_context(const burst *self) {
  mainstem_context_options options = context_options(self->threads);
  options.flags = self->flags;
  if (self->limit_events > 0) options.limit_events = self->limit_events;
  if (self->limit_posts > 0) options.limit_posts = self->limit_posts;
  if (self->limit_observers > 0) options.limit_observers = self->limit_observers;
  return context_with(&options);
}

static void burst_install(burst *self, mainstem_context *context) {
  self->context = context;
  self->owes = 0;
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->item = type_open(context, "Item", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->told = type_open(context, "Told", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->quiet = type_open(context, "Quiet", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_RECORD_NONE, NULL);
  self->ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_TEXT, "ResponseAsk");
  self->answer = type_open(context, "ResponseAsk", MAINSTEM_PAYLOAD_TEXT, NULL);
  self->step = type_open(context, "Step", MAINSTEM_PAYLOAD_TEXT, NULL);
}

static void on(burst *self, mainstem_event_type type, mainstem_event_fn fn) {
  EXPECT_OK(mainstem_observe(self->context, type, fn, self, NULL, NULL));
}

static void count_refused(void *user_data, const mainstem_event_header *header, const void *data) {
  if (header->type == 0 && header->status == 10) ++*(int *)user_data;
}

/* Records what `play` does to what `install` makes, and verifies it. How often the journal says that something
 * was refused. */
static int prove(burst *self, burst_fn install, burst_fn play) {
  const char *path = journal_path("burst");
  mainstem_context *context = burst_context(self);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  burst_install(self, context);
  install(self, context);
  play(self, context);
  EXPECT_OK(mainstem_context_close(context));
  int refused = 0;
  journal_each(path, count_refused, &refused);
  context = burst_context(self);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  burst_install(self, context);
  install(self, context);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  if (status == MAINSTEM_DIFFERENT) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  mainstem_replay_info info = replay_info(replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_EQUAL(info.verified_until, info.last);
  EXPECT_OK(mainstem_context_close(context));
  journal_sweep();
  return refused;
}

static void install_burst(burst *self, mainstem_context *context) {
  on(self, self->key, send_burst);
  observe_on(context, self->item, &self->queue, do_nothing, NULL, NULL);
}

static void play_keys(burst *self, mainstem_context *context) {
  for (int i = 0; i < self->size; i++) {
    EXPECT_OK(mainstem_send(context, self->key, "k", 1));
    if (i % 5 == 4) drained(context, 0);
  }
}

static void send_in_all_ways(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int refused = 0;
  for (int i = 0; i < self->count; i++) {
    refused += mainstem_send(event->context, self->item, "i", 1) == MAINSTEM_FULL;
    refused += mainstem_post(event->context, self->item, "i", 1) == MAINSTEM_FULL;
    refused +=
        mainstem_request(event->context, self->ask, "a", 1, NULL, NULL, NULL) == MAINSTEM_FULL;
    refused += mainstem_observe(event->context, self->item, do_nothing, NULL, NULL, NULL) ==
               MAINSTEM_LIMIT;
    if (i % 3 == 0) tell_refusals(self, event->context, refused);
  }
  EXPECT(refused > 0);
  EXPECT_OK(mainstem_fail(event, 7, "failed"));
}

static void answer_at_once(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  mainstem_status status = mainstem_respond_progress(event, self->step, "s", 1);
  EXPECT(status == MAINSTEM_OK || status == MAINSTEM_FULL);
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void add_server(burst *self, mainstem_context *context, mainstem_event_fn fn) {
  serve_one(context, "Server", "RequestAsk", fn, self);
}

static void install_all_ways(burst *self, mainstem_context *context) {
  on(self, self->key, send_in_all_ways);
  add_server(self, context, answer_at_once);
}

static void take_steps(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int refused = 0;
  for (int i = 0; i < 1500; i++) {
    refused += mainstem_respond_progress(event, self->step, "s", 1) == MAINSTEM_FULL;
  }
  tell_refusals(self, event->context, refused);
  EXPECT_OK(mainstem_respond(event, "yes", 3));
}

static void ask_on_host(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  EXPECT_OK(mainstem_request_with(
      event->context, self->ask, "a", 1,
      OPTIONS(request, .scheduler = MAINSTEM_SCHEDULER_HOST, .progress = do_nothing), do_nothing,
      NULL, NULL, NULL));
}

static void install_steps(burst *self, mainstem_context *context) {
  on(self, self->key, ask_on_host);
  add_server(self, context, take_steps);
}

static void send_quietly(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int64_t now;
  EXPECT_OK(mainstem_send(event->context, self->quiet, "q", 1));
  EXPECT_OK(mainstem_context_now(event->context, &now));
  tell(self, event->context, "key", now);
}

static void follow_quietly(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int64_t now;
  EXPECT_OK(mainstem_context_now(event->context, &now));
  tell(self, event->context, "quiet", now);
  if (event->cause % 3 == 0) EXPECT_OK(mainstem_send(event->context, self->quiet, "q", 1));
}

static void install_quiet(burst *self, mainstem_context *context) {
  on(self, self->key, send_quietly);
  on(self, self->quiet, follow_quietly);
}

static void keep(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  int replaying;
  EXPECT_OK(mainstem_context_is_replaying(event->context, &replaying));
  if (!replaying) EXPECT_OK(mainstem_event_retain(event, &self->owed[self->owes++]));
}

static void answer_late(burst *self) {
  const mainstem_event *event = kept_event(self->owed[--self->owes]);
  EXPECT_OK(mainstem_respond(event, "late", 4));
  EXPECT_OK(mainstem_retained_release(self->owed[self->owes]));
}

static void install_activity(burst *self, mainstem_context *context) {
  add_server(self, context, keep);
  EXPECT_OK(mainstem_activity_report(context, self->ask));
}

static void play_late_answers(burst *self, mainstem_context *context) {
  for (int i = 0; i < 10; i++) {
    EXPECT_OK(mainstem_request(context, self->ask, "a", 1, NULL, NULL, NULL));
    drained(context, 0);
    if (i % 3 == 0) EXPECT_OK(mainstem_request(context, self->ask, "b", 1, NULL, NULL, NULL));
    answer_late(self);
    if (i % 2 == 0) drained(context, 0);
    while (self->owes > 0) answer_late(self);
  }
  drained(context, 0);
}

static void tell_stats(void *user_data, const mainstem_event *event) {
  burst *self = (burst *)user_data;
  tell(self, event->context, "events", (long long)stats_of(event->context).events);
}

static void install_stats(burst *self, mainstem_context *context) {
  on(self, self->key, tell_stats);
}

enum { MANY = 1000000 };

#define ON_HOST .queue.scheduler = MAINSTEM_SCHEDULER_HOST
#define A_QUEUE_THAT(bound)                                                                        \
  .count = 30, .size = 20, ON_HOST, .queue.policy = MAINSTEM_QUEUE_##bound,                        \
  .queue.limit_events = 100
#define HELD .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST
#define WITH(...) .with = {__VA_ARGS__}
#define BURST install_burst, play_keys
#define ACTIVITY install_activity, play_late_answers

/* A program, and how often the journal says that something was refused. */
static const struct {
  const char *catches;
  int least, most;
  burst_fn install, play;
  burst with;
} rows[] = {
    {"a queue that a replay fills, and that was drained", 1, MANY, BURST,
     WITH(A_QUEUE_THAT(REJECT))},
    {"one that blocks, filled too", 1, MANY, BURST, WITH(A_QUEUE_THAT(BLOCK))},
    {"the oldest told as refused", 0, 0, BURST, WITH(A_QUEUE_THAT(DROP_OLDEST))},
    {"the newest told as refused", 0, 0, BURST, WITH(A_QUEUE_THAT(DROP_NEWEST))},
    {"all but the latest told as refused", 0, 0, BURST, WITH(A_QUEUE_THAT(LATEST))},
    {"a record for each of thousands, at the limit that nobody set", 1, 1, BURST,
     WITH(.count = 70000, .size = 1, ON_HOST)},
    {"something that can be refused and is not counted", 21, MANY, install_all_ways, play_keys,
     WITH(.count = 40, .size = 20, .limit_events = 25, .limit_posts = 30, .limit_observers = 20)},
    {"steps that wait for a scheduler which no replay runs", 3, 3, install_steps, play_keys,
     WITH(.size = 3)},
    {"an output that is not kept, in the place of an input; its time", 0, MANY, install_quiet,
     play_keys, WITH(.size = 60)},
    {"the same, held for the host", 0, MANY, install_quiet, play_keys, WITH(.size = 60, HELD)},
    {"activity that is told by what is accepted now", 0, MANY, ACTIVITY, WITH(.size = 0)},
    {"the same, held for the host", 0, MANY, ACTIVITY, WITH(HELD)},
    {"counters that depend on what has been fed", 0, MANY, install_stats, play_keys,
     WITH(.size = 20)},
    {"the same, held for the host", 0, MANY, install_stats, play_keys, WITH(.size = 20, HELD)},
};

CASE(what_was_refused_is_refused_again, IN_BOTH) {
  for (size_t i = 0; i < COUNT(rows); i++) {
    burst self = rows[i].with;
    self.threads = threads;
    expect_sentence = rows[i].catches;
    int refused = prove(&self, rows[i].install, rows[i].play);
    EXPECT(refused >= rows[i].least && refused <= rows[i].most);
  }
}

int main(void) { return journal_expect_all(); }

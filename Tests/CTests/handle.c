// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Handles; acceptance, FAULTS 3.1: NULL, garbage, stale, wrong kind: always a status. */

#include "handle_calls.h"
#include "journal_bytes.h"

enum { SCOPE = KIND_REPLAY + 1, SERVER, HANDLES };

typedef struct live {
  stream on;
  mainstem_context *replaying;
  void *handle[HANDLES]; /* By kind; then a scope and a server. */
} live;

static void keep(void *user_data, const mainstem_event *event) {
  EXPECT_OK(mainstem_event_retain(event, (mainstem_retained **)user_data));
}

static mainstem_journal *journal_open(void) {
  const char *path = journal_path("handle");
  journal_bytes bytes = journal_file(1, NULL);
  mainstem_journal *journal;
  journal_write(&bytes, path);
  EXPECT_OK(mainstem_journal_open(path, &journal));
  unlink(path);
  rmdir(journal_path(""));
  journal_free(&bytes);
  return journal;
}

static mainstem_replay *replay_open(mainstem_context *context) {
  const char *path = journal_path("handle");
  journal_bytes bytes = journal_file(1, NULL);
  mainstem_replay *replay;
  journal_write(&bytes, path);
  EXPECT_OK(mainstem_replay_open(context, path, NULL, &replay));
  unlink(path);
  rmdir(journal_path(""));
  journal_free(&bytes);
  return replay;
}

/* Ends all of them: a journal belongs to no context. */
static void live_close(const live *made) {
  EXPECT_OK(mainstem_context_close(made->on.context));
  EXPECT_OK(mainstem_journal_close((mainstem_journal *)made->handle[KIND_JOURNAL]));
  EXPECT_OK(mainstem_context_close(made->replaying));
}

static live live_open(uint32_t threads) {
  live made;
  mainstem_handler_row row = {"RequestAsk", keep};
  mainstem_retained *kept = NULL;
  mainstem_subscription *subscription;
  mainstem_pending *pending;
  mainstem_timer *timer;
  mainstem_context *scope, *server;
  made.on = stream_open(threads);
  made.replaying = context_open(threads);
  EXPECT_OK(mainstem_scope_add(made.on.context, "Scope", &scope));
  EXPECT_OK(mainstem_server_add(made.on.context, "S", &row, sizeof row, 1, &kept, NULL, &server));
  EXPECT_OK(mainstem_request(made.on.context, made.on.ask, "", 0, NULL, NULL, &pending));
  EXPECT_OK(mainstem_observe(scope, made.on.notice, ignore_event, NULL, NULL, &subscription));
  EXPECT_OK(mainstem_send_after(scope, made.on.notice, "", 0, 3600000, &timer));
  made.handle[KIND_CONTEXT] = made.on.context;
  made.handle[KIND_SUBSCRIPTION] = subscription;
  made.handle[KIND_RETAINED] = kept;
  made.handle[KIND_PENDING] = pending;
  made.handle[KIND_TIMER] = timer;
  made.handle[KIND_JOURNAL] = journal_open();
  made.handle[KIND_REPLAY] = replay_open(made.replaying);
  made.handle[SCOPE] = scope;
  made.handle[SERVER] = server;
  return made;
}

static void null_is_a_status(uint32_t threads) {
  (void)threads;
  for (size_t i = 0; i < COUNT(handle_calls); i++) {
    expect_sentence = handle_calls[i].name;
    EXPECT_STATUS(handle_calls[i].call(NULL),
                  handle_calls[i].null_is_ok ? MAINSTEM_OK : MAINSTEM_INVALID);
  }
}

/* Catches: a call that checks the slot but not the kind, and one that changes something first. */
static void another_kind_is_a_status(uint32_t threads) {
  live made = live_open(threads);
  mainstem_stats before = stats_of(made.on.context), after;
  for (size_t i = 0; i < COUNT(handle_calls); i++) {
    for (int kind = 0; kind < SERVER; kind++) {
      if ((kind == SCOPE ? KIND_CONTEXT : (handle_kind)kind) == handle_calls[i].kind) continue;
      expect_sentence = handle_calls[i].name;
      EXPECT_STATUS(handle_calls[i].call(made.handle[kind]), MAINSTEM_WRONG_KIND);
    }
  }
  EXPECT_STATUS(mainstem_scope_end(made.on.context), MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_context_close((mainstem_context *)made.handle[SCOPE]),
                MAINSTEM_WRONG_KIND);
  after = stats_of(made.on.context);
  EXPECT(memcmp(&before, &after, sizeof before) == 0);
  live_close(&made);
}

/* Catches: a dropped generation check: the slots are used again before the old handles are. */
static void a_stale_handle_stays_stale_when_its_slot_is_used_again(uint32_t threads) {
  live old = live_open(threads), made;
  live_close(&old);
  made = live_open(threads);
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < COUNT(handle_calls); i++) {
      expect_sentence = handle_calls[i].name;
      EXPECT_STATUS(handle_calls[i].call(old.handle[handle_calls[i].kind]), MAINSTEM_STALE);
      if (handle_calls[i].kind != KIND_CONTEXT) continue;
      EXPECT_STATUS(handle_calls[i].call(old.handle[SCOPE]), MAINSTEM_STALE);
    }
    live_close(&made);
    made = live_open(threads);
  }
  live_close(&made);
}

/* Catches: an end that leaves the handle alive, within a context that lives on. */
static void an_ended_handle_is_stale_at_every_call(uint32_t threads) {
  live made = live_open(threads);
  live ended = made;
  EXPECT_OK(mainstem_cancel((mainstem_subscription *)made.handle[KIND_SUBSCRIPTION]));
  EXPECT_OK(mainstem_pending_cancel((mainstem_pending *)made.handle[KIND_PENDING]));
  EXPECT_OK(mainstem_retained_release((mainstem_retained *)made.handle[KIND_RETAINED]));
  EXPECT_OK(mainstem_replay_close((mainstem_replay *)made.handle[KIND_REPLAY]));
  EXPECT_OK(mainstem_scope_end((mainstem_context *)made.handle[SCOPE]));
  EXPECT_OK(mainstem_journal_close((mainstem_journal *)made.handle[KIND_JOURNAL]));
  made.handle[KIND_JOURNAL] = journal_open();
  ended.handle[KIND_CONTEXT] = ended.handle[SCOPE];
  for (size_t i = 0; i < COUNT(handle_calls); i++) {
    expect_sentence = handle_calls[i].name;
    EXPECT_STATUS(handle_calls[i].call(ended.handle[handle_calls[i].kind]), MAINSTEM_STALE);
  }
  for (int round = 0; round < 2000; round++) { /* Their slots come back many times. */
    mainstem_subscription *subscription;
    EXPECT_OK(mainstem_observe(made.on.context, 0, ignore_event, NULL, NULL, &subscription));
    EXPECT((void *)subscription != ended.handle[KIND_SUBSCRIPTION]);
    EXPECT_STATUS(mainstem_cancel((mainstem_subscription *)ended.handle[KIND_SUBSCRIPTION]),
                  MAINSTEM_STALE);
    EXPECT_OK(mainstem_cancel(subscription));
    EXPECT_STATUS(mainstem_cancel(subscription), MAINSTEM_STALE);
  }
  live_close(&made);
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/*
 * A real handle with a bit changed is the garbage most likely to be taken for one. Not of a
 * subscription: a neighbor's handle would be no garbage, and a server's handler has one unseen.
 */
static uint64_t garbage_from(const live *made, uint64_t random, uint64_t more) {
  static const int kinds[] = {KIND_CONTEXT, KIND_RETAINED, KIND_PENDING, SCOPE, SERVER};
  uint64_t handle = (uint64_t)(uintptr_t)made->handle[kinds[random % 5]];
  switch (random / 5 % 7) {
  case 0:
  case 1:
    return more;
  case 2:
  case 3:
    return handle ^ (1ULL << (more % 64));
  case 4:
    return handle + (more % 2001) - 1000;
  case 5:
    return more % 100000;
  default:
    return (handle & 0xffffffffULL) | more << 32;
  }
}

static int is_live(const live *made, uint64_t value) {
  for (size_t i = 0; i < COUNT(made->handle); i++) {
    if ((uint64_t)(uintptr_t)made->handle[i] == value) return 1;
  }
  return value == 0 || value == (uint64_t)(uintptr_t)made->replaying;
}

/* Catches: a handle that is dereferenced, or found by less than all of its bits. */
static void a_million_pieces_of_garbage_are_refused(uint32_t threads) {
  live made = live_open(threads);
  mainstem_stats before = stats_of(made.on.context), after;
  uint64_t state = 20260101;
  for (int i = 0; i < 1000000; i++) {
    uint64_t random = next_random(&state);
    uint64_t garbage = garbage_from(&made, random, next_random(&state));
    if (is_live(&made, garbage)) continue;
    const handle_call *call = &handle_calls[(random >> 32) % COUNT(handle_calls)];
    mainstem_status status = call->call((void *)(uintptr_t)garbage);
    if (status == MAINSTEM_STALE || status == MAINSTEM_WRONG_KIND || status == MAINSTEM_INVALID) {
      continue;
    }
    fprintf(stderr, "  %s took %llx\n", call->name, (unsigned long long)garbage);
    EXPECT_STATUS(status, MAINSTEM_STALE);
  }
  after = stats_of(made.on.context);
  EXPECT_EQUAL(after.subscriptions, before.subscriptions);
  EXPECT(memcmp(&before, &after, sizeof before) == 0);
  live_close(&made);
}

static const expect_case cases[] = {
    {"NULL is a status", null_is_a_status, IN_ONE},
    {"another kind is a status", another_kind_is_a_status, IN_BOTH},
    {"a stale handle stays stale when its slot is used again",
     a_stale_handle_stays_stale_when_its_slot_is_used_again, IN_BOTH},
    {"an ended handle is stale at every call", an_ended_handle_is_stale_at_every_call, IN_BOTH},
    {"a million pieces of garbage are refused", a_million_pieces_of_garbage_are_refused, IN_BOTH},
};

int main(void) { return EXPECT_RUN(cases); }

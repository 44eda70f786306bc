// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11: what a completion does whose request came from outside. A replay has the request and nobody who
 * asked, so all that such a completion sends is an input; what a server's own completion sends is output.
 */

#include "session.h"

typedef struct guest {
  session self;
  mainstem_context *scope;
  mainstem_pending *open;
  mainstem_retained *owed;
  mainstem_event seen[200];
  int count, asked, left;
} guest;

static void keep_header(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  EXPECT(on->count < 200);
  on->seen[on->count++] = *event;
}

/* A server that sends between what the guest sends. */
static void answer_note(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  if (event->size > 0 && *(const char *)event->data == 'g') {
    EXPECT_OK(mainstem_send(on->self.server, on->self.step, "seen", 4));
  }
}

static void watch_on_host(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  int replaying;
  EXPECT_OK(mainstem_context_is_replaying(event->context, &replaying));
  mainstem_status status =
      mainstem_request(event->context, on->self.nobody, "h", 1, NULL, NULL, NULL);
  EXPECT_STATUS(status, replaying ? MAINSTEM_CANCELLED : MAINSTEM_OK);
}

/* All that is the same whenever the program runs. */
static void guest_install(guest *on, uint32_t threads, mainstem_context *context) {
  session_install(&on->self, threads, context);
  EXPECT_OK(mainstem_observe(on->self.server, on->self.note, answer_note, on, NULL, NULL));
  EXPECT_OK(mainstem_observe_with(context,
                                  OPTIONS(observe, .scheduler = MAINSTEM_SCHEDULER_HOST,
                                          .types = &on->self.key, .type_count = 1),
                                  watch_on_host, on, NULL, NULL));
}

static void say(guest *on, const char *word) {
  EXPECT_OK(mainstem_send(on->self.context, on->self.note, word, strlen(word)));
}

static void on_step(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  say(on, event->flags & MAINSTEM_EVENT_PROGRESS ? "guest: a step" : "guest: stepped");
}

static void on_release(void *user_data) {
  guest *on = (guest *)user_data;
  EXPECT_OK(mainstem_send(on->self.context, on->self.note, "guest: over", 11));
}

/* Asks again and again, and does all that a completion may do. */
static void on_answer(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  const mainstem_event *request;
  say(on, "guest: an answer");
  switch (on->left--) {
  case 6:
    EXPECT_OK(mainstem_request(event->context, on->self.ask, "f", 1, on_answer, on, NULL));
    break;
  case 5: /* Steps, a hook, an answer that somebody waits for. */
    EXPECT_OK(mainstem_request_with(event->context, on->self.ask, "s", 1,
                                    OPTIONS(request, .progress = on_step), on_answer, on,
                                    on_release, NULL));
    request = kept_event(on->owed);
    EXPECT_OK(mainstem_respond(request, "owed", 4));
    EXPECT_OK(mainstem_retained_release(on->owed));
    break;
  case 4:
    EXPECT_OK(mainstem_pending_cancel(on->open));
    EXPECT_OK(mainstem_request(on->scope, on->self.ask, "l", 1, on_answer, on, NULL));
    break;
  case 3: /* The scope had ended. */
    EXPECT_EQUAL(event->status, MAINSTEM_CANCELLED);
    EXPECT_OK(mainstem_fail(event, 1004, "failed"));
    EXPECT_OK(mainstem_send_after(on->self.context, on->self.tick, "t", 1, 0, 0, NULL));
    EXPECT_OK(mainstem_request(on->self.context, on->self.nobody, "n", 1, on_answer, on, NULL));
    break;
  case 2:
    EXPECT_EQUAL(event->status, MAINSTEM_UNHANDLED);
    EXPECT_OK(mainstem_post(on->self.context, on->self.note, "guest: posted", 13));
    break;
  }
}

static void on_other(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  say(on, event->status == MAINSTEM_CANCELLED ? "guest: given up" : "guest: owed");
  if (event->status == MAINSTEM_CANCELLED) EXPECT_OK(mainstem_scope_end(on->scope));
}

static void retain(void *user_data, const mainstem_event *event) {
  guest *on = (guest *)user_data;
  if (on->owed != NULL || !(event->flags & MAINSTEM_EVENT_TRACKED)) return;
  EXPECT_OK(mainstem_event_retain(event, &on->owed));
}

static mainstem_context *guest_context(uint32_t threads, uint32_t flags) {
  return CONTEXT_WITH(.threads = threads, .flags = flags);
}

static const char *guest_record(guest *on, uint32_t threads, uint32_t flags) {
  const char *path = journal_path("session");
  mainstem_subscription *retains;
  memset(on, 0, sizeof *on);
  mainstem_context *context = guest_context(threads, flags);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  guest_install(on, threads, context);
  EXPECT_OK(mainstem_observe(context, MAINSTEM_TYPE_ANY, keep_header, on, NULL, NULL));
  on->scope = scope_open(context, "Guest");
  on->left = 6;
  EXPECT_OK(mainstem_observe(context, on->self.ask, retain, on, NULL, &retains));
  EXPECT_OK(mainstem_request(context, on->self.ask, "l", 1, on_other, on, NULL));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_cancel(retains));
  EXPECT_OK(mainstem_request(on->scope, on->self.ask, "l", 1, on_other, on, &on->open));
  EXPECT_OK(mainstem_request(context, on->self.ask, "n", 1, on_answer, on, NULL));
  for (int i = 0; i < 5; i++) EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_EQUAL(on->left, 1);
  EXPECT_OK(mainstem_send(context, on->self.key, "k", 1));
  for (int i = 0; i < 5; i++) EXPECT_OK(mainstem_drain(context, 0, NULL));
  session_end(&on->self);
  return path;
}

/* Catches: an event of a completion that replay would have to make and cannot. */
static void verifies(uint32_t threads, uint32_t flags) {
  static guest on;
  const char *path = guest_record(&on, threads, flags);
  uint64_t fed;
  memset(&on, 0, sizeof on);
  mainstem_context *context = guest_context(threads, flags);
  mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
  guest_install(&on, threads, context);
  mainstem_status status = mainstem_replay_step(replay, 0, &fed);
  if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
  EXPECT_OK(status);
  mainstem_replay_info info = replay_info(replay);
  EXPECT_EQUAL(info.flags, MAINSTEM_REPLAY_ENDED | MAINSTEM_REPLAY_WHOLE);
  EXPECT_EQUAL(info.verified_until, journal_look(path).last);
  EXPECT(info.digest != 0);
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
  session_end(&on.self);
  journal_sweep();
}

CASE(a_program_that_goes_on_in_completions_verifies, IN_BOTH) { verifies(threads, 0); }

CASE(and_one_that_delivers_on_the_host, IN_BOTH) {
  verifies(threads, MAINSTEM_CONTEXT_DELIVER_ON_HOST);
}

/* Catches: an end in the midst of a turn, taken for a difference. */
CASE(cut_anywhere_it_verifies_that_far, IN_BOTH) {
  static guest on;
  static size_t ends[400];
  const char *path = guest_record(&on, threads, 0);
  size_t size = journal_size(path), count = 0, at = 128;
  uint32_t length;
  int proven = 0;
  int fd = open(path, O_RDWR);
  EXPECT(fd >= 0);
  while (at < size && count < 400) {
    EXPECT_EQUAL(pread(fd, &length, 4, (off_t)at + 40), 4);
    at += journal_length(length);
    ends[count++] = at;
  }
  EXPECT(count-- > 60); /* The end is cut off in each. */
  while (count-- > 8) {
    EXPECT_EQUAL(ftruncate(fd, (off_t)ends[count]), 0);
    memset(&on, 0, sizeof on);
    mainstem_context *context = guest_context(threads, 0);
    mainstem_replay *replay = replay_open(context, path, MAINSTEM_REPLAY_VERIFY);
    guest_install(&on, threads, context);
    mainstem_status status = mainstem_replay_step(replay, 0, NULL);
    if (status != MAINSTEM_OK) fprintf(stderr, "  %s\n", replay_difference(replay).message);
    EXPECT_OK(status);
    mainstem_replay_info info = replay_info(replay);
    /* An output that was not written may belong before the last inputs, which are of one turn: then it stops. */
    EXPECT_EQUAL(info.flags, info.verified_until == info.last ? MAINSTEM_REPLAY_ENDED : 0);
    EXPECT_EQUAL(info.last, journal_look(path).last);
    EXPECT(info.verified_until <= info.last && info.verified_until + 10 > info.last);
    proven += info.verified_until == info.last;
    session_end(&on.self);
  }
  EXPECT(proven > 40);
  close(fd);
}

/* What a guest sent has its cause, and is an input; a server's completion makes output. */
CASE(the_record_says_whose_it_is, IN_BOTH) {
  static guest on;
  int inputs = 0, outputs = 0;
  guest_record(&on, threads, 0);
  for (int i = 0; i < on.count; i++) {
    const mainstem_event *event = &on.seen[i];
    if (event->type != on.self.note || event->cause == 0) continue;
    int is_answered = on.seen[event->cause - 1].answers != 0;
    if (is_answered && event->size > 6) {
      int is_guest = (event->flags & MAINSTEM_EVENT_OUTSIDE) != 0;
      inputs += is_guest;
      outputs += !is_guest;
    }
    EXPECT_EQUAL(event->correlation, on.seen[event->cause - 1].correlation);
  }
  EXPECT(inputs >= 8);
  EXPECT_EQUAL(outputs,
               7); /* "found …": the server asked. "stopped …": twice for each of three requests. */
}

int main(void) { return journal_expect_all(); }

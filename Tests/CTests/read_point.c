// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Law 11: what a callback knows beside its own event is as it was then. Events of others that were accepted
 * and not delivered when it asked, and that the context was closing.
 */

#include "elsewhere.h"
#include "session.h"

typedef struct asker {
  mainstem_context *context, *part;
  mainstem_event_type ask, answer, key, note;
  mainstem_pending *pending;
  mainstem_retained *open;
  int is_again; /* Replayed: nobody outside does anything. */
} asker;

static void note(asker *self, const char *word, uint64_t number) {
  char text[60];
  snprintf(text, sizeof text, "%s %llu", word, (unsigned long long)number);
  EXPECT_OK(mainstem_send(self->context, self->note, text, strlen(text)));
}

static void note_guest(void *user_data, const mainstem_event *event) {
  note((asker *)user_data, "guest", event->position);
}

static void do_nothing(void *user_data, const mainstem_event *event) {}

static void keep_open(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (self->open == NULL && !self->is_again) EXPECT_OK(mainstem_event_retain(event, &self->open));
}

/* Asks all that depends on what was accepted. */
static void ask_around(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  mainstem_subscription *guest;
  uint64_t number;
  if (event->data == NULL || *(const char *)event->data != 'a') return;
  EXPECT_OK(mainstem_request_count(self->context, self->ask, &number));
  note(self, "open", number);
  EXPECT_OK(mainstem_observe(self->context, self->key, note_guest, self, NULL, &guest));
  EXPECT_OK(mainstem_subscription_from(guest, &number));
  note(self, "from", number);
  note(self, "cancel", (uint64_t)mainstem_pending_cancel(self->pending));
}

static void ask_later(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (event->data == NULL || *(const char *)event->data != 'p') return;
  EXPECT_OK(mainstem_request(self->context, self->ask, "?", 1, do_nothing, NULL, &self->pending));
}

static uint64_t limit_cascade;

static mainstem_context *open_for(asker *self, uint32_t threads) {
  self->context = CONTEXT_WITH(.threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST,
                               .limit_cascade = limit_cascade);
  mainstem_context *context = self->context;
  self->ask = type_open(context, "RequestAsk", MAINSTEM_PAYLOAD_BYTES, "ResponseAsk");
  self->answer = type_open(context, "ResponseAsk", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->key = type_open(context, "Key", MAINSTEM_PAYLOAD_BYTES, NULL);
  self->note = type_open(context, "Note", MAINSTEM_PAYLOAD_BYTES, NULL);
  serve_one(context, "Asker", "RequestAsk", keep_open, self);
  return context;
}

/* Verifies a journal with the same program: what differs. */
static uint32_t verify(asker *self, uint32_t threads, const char *path, void (*install)(asker *)) {
  memset(self, 0, sizeof *self);
  self->is_again = 1;
  open_for(self, threads);
  mainstem_replay *replay = replay_open(self->context, path, MAINSTEM_REPLAY_VERIFY);
  install(self);
  mainstem_status status = mainstem_replay_step(replay, 0, NULL);
  mainstem_replay_difference found = replay_difference(replay);
  EXPECT_STATUS(status, found.field == 0 ? MAINSTEM_OK : MAINSTEM_DIFFERENT);
  uint32_t field = found.field;
  if (field != 0) fprintf(stderr, "  %s\n", found.message);
  EXPECT_OK(mainstem_context_close(self->context));
  return field;
}

static void install_askers(asker *self) {
  EXPECT_OK(mainstem_observe(self->context, self->key, ask_later, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->key, ask_around, self, NULL, NULL));
}

/* Catches: an observer that begins elsewhere, a count, a cancel that comes out otherwise than then. */
CASE(what_was_accepted_when_a_callback_asked, IN_BOTH) {
  const char *path = journal_path("asked");
  asker self = {0};
  const mainstem_event *open;
  mainstem_context *context = open_for(&self, threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  install_askers(&self);
  EXPECT_OK(mainstem_send(context, self.key, "p", 1)); /* It asks, and nobody answers yet. */
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT(self.open != NULL);
  EXPECT_OK(mainstem_send(context, self.key, "a", 1));
  EXPECT_OK(mainstem_send(context, self.key, "b", 1));
  EXPECT_OK(mainstem_request(context, self.ask, "?", 1, NULL, NULL, NULL));
  open = kept_event(self.open);
  EXPECT_OK(mainstem_respond(open, "!", 1)); /* Settled before the callback wants to cancel it. */
  EXPECT_OK(mainstem_send(context, self.key, "c", 1));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_send(context, self.key, "d", 1));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_retained_release(self.open));
  EXPECT_OK(mainstem_context_close(context));
  EXPECT(journal_look(path).kinds[8] > 0);
  EXPECT_EQUAL(verify(&self, threads, path, install_askers), 0);
}

static void send_on(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  mainstem_subscription *guest;
  mainstem_context *scope;
  int refused = mainstem_send(self->context, self->note, event->data, event->size) != MAINSTEM_OK;
  refused += mainstem_observe(self->context, self->note, do_nothing, self, NULL, &guest) != 0;
  refused += mainstem_send_after(self->context, self->note, "t", 1, 1, 0, NULL) != MAINSTEM_OK;
  refused += mainstem_scope_add(self->context, "More", NULL, &scope) != MAINSTEM_OK;
  if (refused != 0) EXPECT_OK(mainstem_fail(event, 1000 + refused, "refused"));
}

static void install_senders(asker *self) {
  EXPECT_OK(mainstem_observe(self->context, self->key, send_on, self, NULL, NULL));
}

/* Catches: a callback that sends where it could not then, for its context was closing. */
CASE(what_a_closing_context_refused, IN_BOTH) {
  const char *path = journal_path("closing");
  for (int delivered = 0; delivered < 4; delivered++) {
    asker self = {0};
    mainstem_context *context = open_for(&self, threads);
    EXPECT_OK(mainstem_journal_record(context, path, NULL));
    install_senders(&self);
    for (int i = 0; i < delivered; i++) EXPECT_OK(mainstem_send(context, self.key, "k", 1));
    EXPECT_OK(mainstem_drain(context, 0, NULL));
    for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_send(context, self.key, "k", 1));
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(journal_look(path).kinds[9], 1);
    EXPECT_EQUAL(verify(&self, threads, path, install_senders), 0);
    journal_sweep();
  }
}

static void send_late(void *user_data, const mainstem_event *event) {
  if (event->flags & MAINSTEM_EVENT_LATE) send_on(user_data, event);
}

/* Sends, and registers an observer that gets what came before. */
static void register_guest(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (event->data == NULL || *(const char *)event->data != 'g') return;
  note(self, "guest", event->position);
  EXPECT_OK(mainstem_observe(self->context, self->key, send_late, self, NULL, NULL));
}

static void install_guests(asker *self) {
  EXPECT_OK(mainstem_history_keep(self->context, self->key, 3, 0));
  EXPECT_OK(mainstem_observe(self->context, self->key, register_guest, self, NULL, NULL));
}

/* Catches: a closing context found with a late event, and refused from that event on: in callbacks that came before it. The
 * context closes before the late events of the first observer, or of the second. */
CASE(what_it_refused_with_late_events, IN_BOTH) {
  const char *path = journal_path("late");
  for (size_t drained = 3; drained < 7; drained++) {
    asker self = {0};
    mainstem_context *context = open_for(&self, threads);
    EXPECT_OK(mainstem_journal_record(context, path, NULL));
    install_guests(&self);
    const char *texts[] = {"k", "g", "g", "l"};
    for (int i = 0; i < 4; i++) EXPECT_OK(mainstem_send(context, self.key, texts[i], 1));
    EXPECT_OK(mainstem_drain(context, drained, NULL));
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(journal_look(path).kinds[9], 1);
    EXPECT_EQUAL(verify(&self, threads, path, install_guests), 0);
    journal_sweep();
  }
}

/* What a callback does that takes no position. */
enum { ENDS_A_SCOPE, POSTS, SENDS_TOO_DEEP, ANSWERS_TOO_LATE, ALL_THAT };
static int what;

static void *answer_elsewhere(void *data) {
  asker *self = (asker *)data;
  const mainstem_event *open;
  open = kept_event(self->open);
  EXPECT_OK(mainstem_respond(open, "!", 1));
  return NULL;
}

static void *send_elsewhere(void *data) {
  asker *self = (asker *)data;
  EXPECT_OK(mainstem_send(self->context, self->key, "o", 1));
  return NULL;
}

static void do_what_takes_no_position(asker *self) {
  const mainstem_event *open;
  switch (what) {
  case ENDS_A_SCOPE:
    EXPECT_OK(mainstem_scope_end(self->part));
    break;
  case POSTS:
    EXPECT_OK(mainstem_post(self->context, self->note, "n", 1));
    break;
  case SENDS_TOO_DEEP:
    EXPECT_STATUS(mainstem_send(self->context, self->note, "n", 1), MAINSTEM_LIMIT);
    break;
  case ANSWERS_TOO_LATE:
    open = kept_event(self->open);
    EXPECT_STATUS(mainstem_respond(open, "?", 1), MAINSTEM_STALE);
    break;
  }
}

/* Counts before another thread sends, and sends the count behind that: a report has room in any chain. */
static void count_between(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  mainstem_context_stats stats = {.size = sizeof stats};
  if (event->cause == 0 || event->status != 0) return;
  if (what == ANSWERS_TOO_LATE && !self->is_again) elsewhere(answer_elsewhere, self);
  do_what_takes_no_position(self);
  EXPECT_OK(mainstem_context_stats_read(self->context, &stats));
  if (!self->is_again) elsewhere(send_elsewhere, self);
  EXPECT_OK(mainstem_fail(event, 1000 + (mainstem_status)stats.events, "counted"));
}

static void retain_open(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (self->open == NULL) EXPECT_OK(mainstem_event_retain(event, &self->open));
}

static void send_deeper(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  if (*(const char *)event->data == 'd')
    EXPECT_OK(mainstem_send(self->context, self->note, "d", 1));
}

static void install_counters(asker *self) {
  self->part = scope_open(self->context, "Part");
  EXPECT_OK(mainstem_observe(self->context, self->ask, retain_open, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->key, ask_later, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->key, send_deeper, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->note, count_between, self, NULL, NULL));
}

/* Catches: what others send behind a callback's question, fed before it, since something was tried that takes no position. */
CASE(what_came_in_after_that, IN_ANY) {
  const char *path = journal_path("after");
  mainstem_journal_options buffered = {.size = sizeof buffered};
  buffered.durability =
      MAINSTEM_JOURNAL_BUFFERED; /* A send does not wait for the callback to end. */
  limit_cascade = 1;
  for (what = 0; what < ALL_THAT; what++) {
    asker self = {0};
    mainstem_context *context = open_for(&self, threads);
    EXPECT_OK(mainstem_journal_record(context, path, &buffered));
    install_counters(&self);
    EXPECT_OK(mainstem_send(context, self.key, "p", 1));
    EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT_OK(mainstem_send(context, self.key, "d", 1));
    for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_drain(context, 0, NULL));
    EXPECT_OK(mainstem_context_close(context));
    EXPECT_EQUAL(verify(&self, threads, path, install_counters), 0);
    journal_sweep();
  }
  limit_cascade = 0;
}

static void send_more(void *user_data, const mainstem_event *event) {
  asker *self = (asker *)user_data;
  send_on(user_data, event);
  if (self->is_again) mainstem_send(self->context, self->note, "more", 4);
}

static void install_more(asker *self) {
  EXPECT_OK(mainstem_observe(self->context, self->key, send_more, self, NULL, NULL));
}

/* Catches: an output too many before the close, taken for one that was refused. */
CASE(what_is_sent_too_much_before_the_close, IN_BOTH) {
  const char *path = journal_path("more");
  asker self = {0};
  mainstem_context *context = open_for(&self, threads);
  EXPECT_OK(mainstem_journal_record(context, path, NULL));
  install_more(&self);
  EXPECT_OK(mainstem_send(context, self.key, "k", 1));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_send(context, self.key, "k", 1));
  EXPECT_OK(mainstem_context_close(context));
  EXPECT(verify(&self, threads, path, install_more) != 0);
}

int main(void) { return journal_expect_all(); }

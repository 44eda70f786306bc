// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A gate (blocks.h): what waits, what is refused, one refresh for many, and how it ends. A-69. */

#include "stream.h"

enum { EXPIRED = MAINSTEM_APP + 401, CLOSED, BROKEN, MOST = 8 };

/* A program with a gate, and a site behind it that keeps what it is asked. */
typedef struct program {
  mainstem_context *context, *gate, *site;
  mainstem_event_type feed, open, step;
  size_t asked, refreshes;
  mainstem_retained *kept[32], *refresh;
} program;

typedef struct reader {
  int answers, steps;
  mainstem_status status;
  char text[64];
  mainstem_pending *pending;
} reader;

static void site_keep(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  EXPECT(self->asked < COUNT(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->asked++]));
}

static void refresh_keep(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->refreshes++;
  EXPECT_OK(mainstem_event_retain(event, &self->refresh));
}

static void add_types(program *self) {
  const mainstem_type_row rows[] = {{"RequestFeed", MAINSTEM_PAYLOAD_TEXT, "ResponseFeed"},
                                    {"ResponseFeed", MAINSTEM_PAYLOAD_TEXT, NULL},
                                    {"RequestSiteFeed", MAINSTEM_PAYLOAD_TEXT, "ResponseSiteFeed"},
                                    {"ResponseSiteFeed", MAINSTEM_PAYLOAD_TEXT, NULL},
                                    {"RequestRefresh", MAINSTEM_PAYLOAD_NONE, "ResponseRefresh"},
                                    {"ResponseRefresh", MAINSTEM_PAYLOAD_NONE, NULL},
                                    {"SignedIn", MAINSTEM_PAYLOAD_BOOL | MAINSTEM_ROLE_VALUE, NULL},
                                    {"Step", MAINSTEM_PAYLOAD_INTEGER, NULL}};
  mainstem_event_type types[COUNT(rows)];
  EXPECT_OK(mainstem_types_add(self->context, MAINSTEM_ROWS(rows), types));
  self->feed = types[0], self->open = types[6], self->step = types[7];
}

static const mainstem_gate_row ways[] = {{"RequestFeed", "RequestSiteFeed"}};

static mainstem_gate_options gate_options(void) {
  mainstem_gate_options options = {.size = sizeof options, .open = "SignedIn"};
  options.refresh = "RequestRefresh";
  options.expired = EXPIRED;
  return options;
}

static void program_open(program *self, uint32_t threads, const mainstem_gate_options *options) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  add_types(self);
  const mainstem_handler_row rows[] = {{"RequestSiteFeed", site_keep, 0},
                                       {"RequestRefresh", refresh_keep, 0}};
  EXPECT_OK(
      mainstem_server_add(self->context, "Site", MAINSTEM_ROWS(rows), self, NULL, &self->site));
  EXPECT_OK(mainstem_gate_add(self->context, "Gate", MAINSTEM_ROWS(ways), options, &self->gate));
}

static void program_close(program *self) {
  uint64_t count = 1;
  EXPECT_OK(mainstem_request_count(self->context, MAINSTEM_TYPE_ANY, &count));
  EXPECT_EQUAL(count, 0);
  for (size_t i = 0; i < self->asked; i++) EXPECT_OK(mainstem_retained_release(self->kept[i]));
  if (self->refresh != NULL) EXPECT_OK(mainstem_retained_release(self->refresh));
  EXPECT_OK(mainstem_context_close(self->context));
}

static void set_open(program *self, bool is_open) {
  EXPECT_OK(mainstem_value_set(self->context, self->open, &is_open, 1));
}

static void get_answer(void *user_data, const mainstem_event *event) {
  reader *self = (reader *)user_data;
  self->answers++;
  self->status = event->status;
  snprintf(self->text, sizeof self->text, "%.*s", (int)event->size, (const char *)event->data);
  if (event->status != MAINSTEM_OK)
    snprintf(self->text, sizeof self->text, "%s", event->user_message);
}

static void get_step(void *user_data, const mainstem_event *event) {
  ((reader *)user_data)->steps += (int)mainstem_event_integer(event);
}

static void ask(program *self, reader *of, const char *text) {
  memset(of, 0, sizeof *of);
  EXPECT_OK(mainstem_request_with(self->context, self->feed, text, strlen(text),
                                  OPTIONS(request, .progress = get_step), get_answer, of, NULL,
                                  &of->pending));
}

static void answer(program *self, size_t index, const char *text) {
  EXPECT(index < self->asked);
  EXPECT_OK(mainstem_respond(kept_event(self->kept[index]), text, strlen(text)));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static void fail(program *self, size_t index, mainstem_status code) {
  EXPECT(index < self->asked);
  EXPECT_OK(mainstem_respond_error(kept_event(self->kept[index]), code, "failed"));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static void refreshed(program *self, mainstem_status code) {
  const mainstem_event *event = kept_event(self->refresh);
  EXPECT_OK(code == MAINSTEM_OK ? mainstem_respond(event, NULL, 0)
                                : mainstem_respond_error(event, code, "sign in again"));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static void expect_asked(program *self, size_t index, const char *text) {
  EXPECT(index < self->asked);
  const mainstem_event *event = kept_event(self->kept[index]);
  EXPECT_EQUAL(event->size, strlen(text));
  EXPECT(memcmp(event->data, text, event->size) == 0);
}

CASE(an_open_gate_passes_on_request_progress_and_answer, IN_BOTH) {
  program self;
  reader of;
  int64_t step = 7;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &of, "page 1");
  expect_asked(&self, 0, "page 1");
  EXPECT_OK(mainstem_respond_progress(kept_event(self.kept[0]), self.step, &step, sizeof step));
  answer(&self, 0, "news");
  EXPECT_EQUAL(of.steps, 7);
  EXPECT_EQUAL(of.answers, 1);
  EXPECT_TEXT(of.text, "news");
  ask(&self, &of, "page 2");
  fail(&self, 1, BROKEN);
  EXPECT_STATUS(of.status, BROKEN);
  EXPECT_TEXT(of.text, "failed");
  program_close(&self);
}

CASE(requests_wait_in_order_until_it_opens, IN_BOTH) {
  program self;
  reader of[3];
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options); /* the value is not set: closed */
  ask(&self, &of[0], "a");
  set_open(&self, false);
  ask(&self, &of[1], "b");
  ask(&self, &of[2], "c");
  EXPECT_EQUAL(self.asked, 0);
  set_open(&self, true);
  EXPECT_EQUAL(self.asked, 3);
  const char *const texts[] = {"a", "b", "c"};
  for (size_t i = 0; i < 3; i++) {
    expect_asked(&self, i, texts[i]);
    answer(&self, i, texts[i]);
    EXPECT_TEXT(of[i].text, texts[i]);
  }
  program_close(&self);
}

CASE(a_closed_gate_may_refuse, IN_BOTH) {
  program self;
  reader of, other;
  mainstem_gate_options options = gate_options();
  options.refusal = CLOSED;
  program_open(&self, threads, &options);
  ask(&self, &of, "a");
  EXPECT_STATUS(of.status, CLOSED);
  EXPECT_TEXT(of.text, "the session is closed");
  set_open(&self, true);
  ask(&self, &of, "b");
  fail(&self, 0, EXPIRED);
  ask(&self, &other, "c"); /* waits for the refresh */
  set_open(&self, false);  /* what is on its way goes on */
  EXPECT_EQUAL(other.answers, 0);
  refreshed(&self, MAINSTEM_OK);
  EXPECT_STATUS(of.status, CLOSED);
  EXPECT_STATUS(other.status, CLOSED);
  EXPECT_EQUAL(self.asked, 1);
  program_close(&self);
}

/* Five requests that have met an expired session. */
static void expire_five(program *self, uint32_t threads, reader of[5]) {
  mainstem_gate_options options = gate_options();
  program_open(self, threads, &options);
  set_open(self, true);
  for (size_t i = 0; i < 5; i++) ask(self, &of[i], "page");
  for (size_t i = 0; i < 5; i++) fail(self, i, EXPIRED);
}

CASE(A_69_five_expired_requests_share_one_refresh, IN_BOTH) {
  program self;
  reader of[5], later;
  expire_five(&self, threads, of);
  EXPECT_EQUAL(self.refreshes, 1);
  ask(&self, &later, "later"); /* waits, too */
  EXPECT_EQUAL(self.asked, 5);
  refreshed(&self, MAINSTEM_OK);
  EXPECT_EQUAL(self.asked, 11);
  for (size_t i = 5; i < 11; i++) answer(&self, i, "news");
  for (size_t i = 0; i < 5; i++) EXPECT(of[i].answers == 1 && of[i].status == MAINSTEM_OK);
  EXPECT_TEXT(later.text, "news");
  EXPECT_EQUAL(self.refreshes, 1);
  program_close(&self);
}

CASE(A_69_a_refresh_that_fails_fails_all, IN_BOTH) {
  program self;
  reader of[5], later;
  expire_five(&self, threads, of);
  ask(&self, &later, "later");
  set_open(&self, false); /* signed out */
  refreshed(&self, BROKEN);
  for (size_t i = 0; i < 5; i++) {
    EXPECT_STATUS(of[i].status, BROKEN);
    EXPECT_TEXT(of[i].text, "sign in again");
  }
  EXPECT_EQUAL(later.answers, 0); /* it waits for the next session */
  EXPECT_EQUAL(self.asked, 5);
  set_open(&self, true);
  answer(&self, 5, "news");
  EXPECT_TEXT(later.text, "news");
  program_close(&self);
}

CASE(each_request_is_repeated_once, IN_BOTH) {
  program self;
  reader of;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &of, "page");
  fail(&self, 0, EXPIRED);
  refreshed(&self, MAINSTEM_OK);
  fail(&self, 1, EXPIRED);
  EXPECT_STATUS(of.status, EXPIRED);
  EXPECT_EQUAL(self.refreshes, 1);
  EXPECT_EQUAL(self.asked, 2);
  program_close(&self);
}

CASE(an_answer_from_an_earlier_session_needs_no_refresh, IN_BOTH) {
  program self;
  reader first, second;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &first, "a");
  ask(&self, &second, "b");
  fail(&self, 0, EXPIRED);
  refreshed(&self, MAINSTEM_OK);
  EXPECT_EQUAL(self.asked, 3);
  fail(&self, 1, EXPIRED); /* it was on its way before the refresh */
  EXPECT_EQUAL(self.refreshes, 1);
  EXPECT_EQUAL(self.asked, 4);
  expect_asked(&self, 3, "b");
  answer(&self, 2, "A");
  answer(&self, 3, "B");
  EXPECT_TEXT(first.text, "A");
  EXPECT_TEXT(second.text, "B");
  program_close(&self);
}

CASE(a_request_from_before_signing_in_again_needs_no_refresh, IN_BOTH) {
  program self;
  reader of;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &of, "page");
  set_open(&self, false);
  set_open(&self, true);
  fail(&self, 0, EXPIRED);
  EXPECT_EQUAL(self.refreshes, 0);
  answer(&self, 1, "news");
  EXPECT_TEXT(of.text, "news");
  program_close(&self);
}

CASE(without_a_refresh_every_answer_is_passed_on, IN_BOTH) {
  program self;
  reader of;
  mainstem_gate_options options = {.size = sizeof options, .open = "SignedIn"};
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &of, "page");
  fail(&self, 0, EXPIRED);
  EXPECT_STATUS(of.status, EXPIRED);
  program_close(&self);
}

CASE(cancelled_requests_leave_nothing, IN_BOTH) {
  program self;
  reader held, sent, waiting, last;
  mainstem_gate_options options = gate_options();
  bool settled = false;
  program_open(&self, threads, &options);
  ask(&self, &held, "held");
  EXPECT_OK(mainstem_pending_cancel(held.pending));
  EXPECT_STATUS(held.status, MAINSTEM_CANCELLED);
  set_open(&self, true);
  EXPECT_EQUAL(self.asked, 0);
  ask(&self, &sent, "sent");
  EXPECT_OK(mainstem_pending_cancel(sent.pending));
  EXPECT_OK(mainstem_event_is_settled(kept_event(self.kept[0]), &settled));
  EXPECT(settled); /* the site need not go on */
  ask(&self, &waiting, "waiting");
  ask(&self, &last, "last");
  fail(&self, 1, EXPIRED);
  EXPECT_OK(mainstem_pending_cancel(waiting.pending));
  refreshed(&self, MAINSTEM_OK);
  EXPECT_EQUAL(self.asked, 3); /* the cancelled one is not repeated */
  answer(&self, 2, "news");
  EXPECT_TEXT(last.text, "news");
  program_close(&self);
}

CASE(it_keeps_no_more_than_its_limit, IN_BOTH) {
  program self;
  reader of[3];
  mainstem_gate_options options = gate_options();
  options.limit = 2;
  program_open(&self, threads, &options);
  for (size_t i = 0; i < 3; i++) ask(&self, &of[i], "page");
  EXPECT_STATUS(of[2].status, MAINSTEM_FULL);
  EXPECT_TEXT(of[2].text, "the gate has as many requests as it may keep");
  EXPECT_OK(mainstem_pending_cancel(of[0].pending));
  ask(&self, &of[2], "page");
  EXPECT_EQUAL(of[2].answers, 0);
  set_open(&self, true);
  answer(&self, 0, "news");
  answer(&self, 1, "news");
  program_close(&self);
}

/* Ends the gate or the context with requests in every state, and the refresh open. */
static void end_in_the_middle(uint32_t threads, bool closes) {
  program self;
  reader sent, waiting, held;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  ask(&self, &sent, "sent");
  ask(&self, &waiting, "waiting");
  fail(&self, 1, EXPIRED);
  ask(&self, &held, "held");
  EXPECT_EQUAL(self.refreshes, 1);
  if (!closes) {
    EXPECT_OK(mainstem_scope_end(self.gate));
    EXPECT_STATUS(sent.status, MAINSTEM_CANCELLED);
    EXPECT_STATUS(mainstem_respond(kept_event(self.kept[0]), "late", 4), MAINSTEM_STALE);
  } else {
    for (size_t i = 0; i < self.asked; i++) EXPECT_OK(mainstem_retained_release(self.kept[i]));
    EXPECT_OK(mainstem_retained_release(self.refresh));
    EXPECT_OK(mainstem_context_close(self.context));
  }
  EXPECT(sent.answers == 1 && sent.status == MAINSTEM_CANCELLED);
  EXPECT(waiting.answers == 1 && waiting.status == MAINSTEM_CANCELLED);
  EXPECT(held.answers == 1 && held.status == MAINSTEM_CANCELLED);
  if (!closes) program_close(&self);
}

CASE(its_end_cancels_what_it_keeps, IN_BOTH) { end_in_the_middle(threads, false); }
CASE(a_close_cancels_what_it_keeps, IN_BOTH) { end_in_the_middle(threads, true); }

CASE(nobody_behind_it_is_an_answer, IN_BOTH) {
  program self;
  reader of;
  mainstem_gate_options options = gate_options();
  program_open(&self, threads, &options);
  set_open(&self, true);
  EXPECT_OK(mainstem_scope_end(self.site));
  ask(&self, &of, "page");
  EXPECT_STATUS(of.status, MAINSTEM_UNHANDLED);
  program_close(&self);
}

static void expect_refused(program *self, const mainstem_gate_row *row,
                           const mainstem_gate_options *options, const char *message) {
  mainstem_context *gate = self->context;
  EXPECT_STATUS(mainstem_gate_add(self->context, "Other", row, sizeof *row, 1, options, &gate),
                MAINSTEM_INVALID);
  EXPECT(gate == NULL);
  EXPECT_TEXT(mainstem_last_error(), message);
}

CASE(mistakes_are_refused, IN_ONE) {
  program self;
  mainstem_gate_options options = gate_options(), wrong = options;
  const mainstem_gate_row self_row = {"RequestFeed", "RequestFeed"},
                          unknown = {"RequestFeed", "RequestSiteFed"},
                          refresh = {"RequestRefresh", "RequestSiteFeed"},
                          secret = {"RequestKey", "RequestSiteFeed"},
                          other = {"RequestNumber", "RequestSiteFeed"};
  program_open(&self, threads, &options);
  type_open(self.context, "RequestKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, "ResponseFeed");
  type_open(self.context, "ResponseNumber", MAINSTEM_PAYLOAD_INTEGER, NULL);
  type_open(self.context, "RequestNumber", MAINSTEM_PAYLOAD_TEXT, "ResponseNumber");
  expect_refused(&self, &ways[0], &options,
                 "mainstem_gate_add: RequestFeed has a handler in the server Gate, and both would "
                 "run: end that server first, or mark both handlers with MAINSTEM_HANDLER_SEVERAL");
  expect_refused(
      &self, &self_row, &options,
      "mainstem_gate_add: rows.request: row 0 is not a request, or is passed on as itself");
  expect_refused(&self, &unknown, &options,
                 "mainstem_gate_add: rows.behind: row 0: RequestSiteFed (did you mean "
                 "RequestSiteFeed?) is not a registered event type");
  expect_refused(&self, &refresh, &options,
                 "mainstem_gate_add: rows.behind: row 0 is not a request with the same payload");
  expect_refused(&self, &secret, &options,
                 "mainstem_gate_add: rows.behind: row 0 is not a secret, and the request is one");
  expect_refused(&self, &other, &options,
                 "mainstem_gate_add: rows.behind: row 0 has answers with another payload");
  wrong.open = "Step";
  expect_refused(&self, &ways[0], &wrong,
                 "mainstem_gate_add: options.open: Step is not a value that is true or false");
  wrong = options, wrong.refresh = "RequestFeed";
  expect_refused(
      &self, &ways[0], &wrong,
      "mainstem_gate_add: options.refresh: RequestFeed is not a request without a payload");
  wrong = options, wrong.refresh = NULL;
  expect_refused(&self, &ways[0], &wrong,
                 "mainstem_gate_add: options.refresh: is not set: a refresh needs both the request "
                 "and the code of an expired session");
  wrong = options, wrong.expired = 0;
  expect_refused(&self, &ways[0], &wrong,
                 "mainstem_gate_add: options.expired: is not set: a refresh needs both the request "
                 "and the code of an expired session");
  wrong = options, wrong.reserved = 1;
  expect_refused(&self, &ways[0], &wrong, "mainstem_gate_add: options.reserved: is not 0");
  wrong = options, wrong.open = NULL;
  expect_refused(&self, &ways[0], &wrong, "mainstem_gate_add: options.open: must not be NULL");
  program_close(&self);
}

int main(void) { return expect_all(); }

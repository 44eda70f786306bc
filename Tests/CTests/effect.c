// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Effect classes: what a fetch may not change, and what a name may not say; acceptance A-66. */

#include "session.h"
#include "transcript.h"

/* Where the value is changed. */
enum {
  NOWHERE,
  IN_HANDLER,
  IN_SHOW,
  IN_COMPLETION,
  SHOWN_LATER,
  BY_OTHERS,
  IN_INNER, /* In the handler of another fetch, which it asks. */
  BY_INNER  /* By what that one asks. */
};

typedef struct shop {
  mainstem_context *context, *server, *other;
  mainstem_event_type fetch, reload, page, answer, goods, failure;
  transcript seen;
  mainstem_status status;
  int where;
  int64_t count;
  mainstem_retained *asked; /* What is answered when the page has come. */
} shop;

static void change(shop *self) {
  self->count++;
  self->status = mainstem_value_set_integer(self->server, self->goods, self->count);
}

static void on_page(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  const mainstem_event *asked;
  if (self->where == IN_COMPLETION) change(self);
  if (self->where == SHOWN_LATER) self->count++;
  asked = kept_event(self->asked);
  EXPECT_OK(mainstem_respond(asked, NULL, 0));
  EXPECT_OK(mainstem_retained_release(self->asked));
}

static void on_fetch(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  if (self->where == IN_HANDLER) change(self);
  if (self->where == IN_SHOW) self->count++;
  if (self->where < IN_COMPLETION) {
    EXPECT_OK(mainstem_respond(event, NULL, 0));
    return;
  }
  EXPECT_OK(mainstem_event_retain(event, &self->asked));
  mainstem_event_type type = self->where == BY_OTHERS ? self->reload : self->page;
  EXPECT_OK(mainstem_request(self->server, type, NULL, 0, on_page, self, NULL));
}

static void on_reload(void *user_data, const mainstem_event *event) {
  change((shop *)user_data);
  EXPECT_OK(mainstem_respond(event, NULL, 0));
}

static void on_ask_page(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  if (self && self->where == IN_INNER) change(self);
  if (self && self->where == BY_INNER) {
    EXPECT_OK(mainstem_request(event->context, self->reload, NULL, 0, NULL, NULL, NULL));
  }
  EXPECT_OK(mainstem_respond(event, NULL, 0));
}

static mainstem_status show(void *user_data, mainstem_context *server,
                            const mainstem_event_type *types) {
  return mainstem_value_set_integer(server, types[0], ((shop *)user_data)->count);
}

static void note_seen(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  if (event->type == self->goods) {
    transcript_add(&self->seen, "%d", (int)mainstem_event_integer(event));
  } else {
    transcript_add(&self->seen, "%.*s", (int)event->size, (const char *)event->data);
  }
}

static const mainstem_handler_row shop_rows[] = {
    {"RequestFetchGoods", on_fetch, MAINSTEM_HANDLER_FETCH},
    {"RequestReloadGoods", on_reload, MAINSTEM_HANDLER_RELOAD}};

static void shop_install(shop *self, int where) {
  static const mainstem_handler_row page = {"RequestPage", on_ask_page, MAINSTEM_HANDLER_FETCH};
  mainstem_context *context = self->context;
  self->where = where;
  self->answer = type_open(context, "ResponseDone", MAINSTEM_PAYLOAD_NONE, NULL);
  self->fetch = type_open(context, "RequestFetchGoods", MAINSTEM_PAYLOAD_NONE, "ResponseDone");
  self->reload = type_open(context, "RequestReloadGoods", MAINSTEM_PAYLOAD_NONE, "ResponseDone");
  self->page = type_open(context, "RequestPage", MAINSTEM_PAYLOAD_NONE, "ResponseDone");
  self->goods =
      type_open(context, "Shop.goods", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL);
  self->failure = type_named(context, "MainstemFailure");
  EXPECT_OK(mainstem_observe(context, self->goods, note_seen, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(context, self->failure, note_seen, self, NULL, NULL));
  EXPECT_OK(mainstem_server_add_with(context, "Shop", shop_rows, sizeof shop_rows[0], 2,
                                     OPTIONS(server, .show = show, .show_types = &self->goods),
                                     self, NULL, &self->server));
  EXPECT_OK(mainstem_server_add(context, "Pages", &page, sizeof page, 1, self, NULL, &self->other));
}

static void shop_open(shop *self, uint32_t threads, int where) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  shop_install(self, where);
}

static void ask(const shop *self, mainstem_event_type type) {
  EXPECT_OK(mainstem_request(self->context, type, NULL, 0, NULL, NULL, NULL));
  EXPECT_EQUAL(stats_of(self->context).requests, 0);
}

/* Catches: a fetch that changes a value and is not named, or whose change is seen; A-66. */
CASE(a_fetch_that_changes_a_value_has_failed, IN_BOTH) {
  static const int places[] = {IN_HANDLER, IN_SHOW,  IN_COMPLETION, SHOWN_LATER,
                               BY_OTHERS,  IN_INNER, BY_INNER};
  static const int failures[] = {2, 1, 2, 1, 3, 2, 3}; /* The shows that come after fail, too. */
  for (size_t i = 0; i < COUNT(places); i++) {
    shop self;
    shop_open(&self, threads, places[i]);
    ask(&self, self.fetch);
    EXPECT(strstr(self.seen.text, "Shop.goods changes while RequestFetchGoods is handled"));
    EXPECT(strstr(self.seen.text, "\"type\":\"RequestFetchGoods\""));
    EXPECT(strncmp(self.seen.text, "0 {", 3) == 0);
    EXPECT_EQUAL(strstr(self.seen.text, " 1") != NULL, 0);
    EXPECT_EQUAL(stats_of(self.context).failures, failures[i]);
    if (places[i] != IN_SHOW && places[i] != SHOWN_LATER)
      EXPECT_STATUS(self.status, MAINSTEM_INVALID);
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

/* Catches: a failure for what changes nothing, or is not part of a fetch. */
CASE(what_is_no_change_and_what_others_do_is_no_failure, IN_BOTH) {
  shop self;
  shop_open(&self, threads, NOWHERE);
  ask(&self, self.fetch); /* The first show comes before it. */
  ask(&self, self.reload);
  ask(&self, self.fetch);
  EXPECT_OK(mainstem_value_set_integer(self.server, self.goods, 5)); /* A host. */
  EXPECT_TEXT(self.seen.text, "0 1 5");
  EXPECT_EQUAL(stats_of(self.context).failures, 0);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a name that says fetch for a handler that reloads; A-66. */
CASE(a_name_says_no_other_effect, IN_BOTH) {
  static const struct {
    const char *type;
    uint32_t flags;
    mainstem_status status;
  } cases[] = {
      {"RequestFetchPage", MAINSTEM_HANDLER_FETCH, MAINSTEM_OK},
      {"RequestFetchPage", MAINSTEM_HANDLER_RELOAD, MAINSTEM_INVALID},
      {"RequestFetchPage", 0, MAINSTEM_OK},
      {"Diary.loadMore", MAINSTEM_HANDLER_LOAD_MORE, MAINSTEM_OK},
      {"Diary.loadMore", MAINSTEM_HANDLER_FETCH, MAINSTEM_INVALID},
      {"Diary.reloadAll", MAINSTEM_HANDLER_UPDATE, MAINSTEM_INVALID},
      {"RequestUpdateProfile", MAINSTEM_HANDLER_UPDATE, MAINSTEM_OK},
      {"RequestUpdateProfile", MAINSTEM_HANDLER_PERFORM, MAINSTEM_INVALID},
      {"RequestPerformSignIn", MAINSTEM_HANDLER_PERFORM, MAINSTEM_OK},
      {"RequestPerformSignIn", MAINSTEM_HANDLER_FETCH, MAINSTEM_INVALID},
      {"RequestFetched", MAINSTEM_HANDLER_UPDATE, MAINSTEM_OK},
      {"RequestPage", MAINSTEM_HANDLER_FETCH, MAINSTEM_OK},
      {"RequestPage", MAINSTEM_HANDLER_FETCH | MAINSTEM_HANDLER_RELOAD, MAINSTEM_INVALID},
      {"RequestPage", MAINSTEM_HANDLER_FETCH | MAINSTEM_HANDLER_OWN, MAINSTEM_OK},
      {"RequestPage", 256, MAINSTEM_UNSUPPORTED},
      {"Request", MAINSTEM_HANDLER_FETCH, MAINSTEM_OK},
  };
  mainstem_context *context = context_open(threads);
  for (size_t i = 0; i < COUNT(cases); i++) {
    const mainstem_handler_row row = {cases[i].type, on_ask_page, cases[i].flags};
    mainstem_event_type type;
    EXPECT_OK(mainstem_type_add(context, cases[i].type,
                                MAINSTEM_PAYLOAD_NONE | MAINSTEM_ROLE_REQUEST, NULL, &type));
    EXPECT_STATUS(mainstem_server_add(context, "Server", &row, sizeof row, 1, NULL, NULL, NULL),
                  cases[i].status);
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a failure that a replay does not repeat. */
CASE(a_session_with_a_failed_fetch_verifies, IN_BOTH) {
  const char *path = journal_path("effects");
  for (int where = NOWHERE; where <= BY_INNER; where++) {
    shop self = {0}, again;
    self.context = context_open(threads);
    EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
    shop_install(&self, where);
    ask(&self, self.fetch);
    ask(&self, self.fetch);
    ask(&self, self.reload);
    EXPECT_OK(mainstem_context_close(self.context));
    shop_open(&again, threads, where);
    mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_TEXT(again.seen.text, self.seen.text);
    EXPECT_OK(mainstem_context_close(again.context));
    journal_sweep();
  }
}

int main(void) { return journal_expect_all(); }

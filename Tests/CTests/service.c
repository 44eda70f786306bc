// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Services: found, made once, made anew, or of one's own; acceptance A-67. */

#include "diary.h"
#include "scheduled.h"
#include "session.h"

/* Catches: a service that is made before anybody asks, twice, or without the request that made it. */
CASE(the_first_request_makes_the_service, IN_BOTH) {
  world self;
  world_open(&self, threads);
  EXPECT_EQUAL(self.made, 0);
  EXPECT_EQUAL(stats_of(self.context).scopes, 2);
  ask(&self, self.context, self.reload);
  EXPECT_TEXT(self.seen.text, "count10 answer10");
  EXPECT_EQUAL(self.made, 1);
  ask(&self, self.view_model, self.more);
  EXPECT_TEXT(self.seen.text, "count10 answer10 count20 answer20");
  EXPECT(find(&self, self.context) == self.last);
  EXPECT_EQUAL(self.made, 1);
  world_close(&self);
  EXPECT_EQUAL(self.released, 1);
}

/* Catches: a second instance, a shared one, an old one after a reset, one of another context; A-67. */
CASE(same_different_fresh_and_isolated, IN_BOTH) {
  world self, other;
  world_open(&self, threads);
  world_open(&other, threads);
  mainstem_context *service = find(&self, self.context);
  EXPECT(find(&self, self.view_model) == service); /* The same. */
  mainstem_context *own = open_own(&self, self.view_model);
  EXPECT(own != NULL && own != service); /* Different. */
  EXPECT_EQUAL(self.made, 2);
  ask(&self, service, self.reload);
  EXPECT_EQUAL(count_of(&self, service), 10);
  EXPECT_EQUAL(count_of(&self, own), 0);
  EXPECT_OK(mainstem_scope_end(service));
  mainstem_context *fresh = find(&self, self.context);
  EXPECT(fresh != service && fresh != own); /* Fresh. */
  EXPECT_EQUAL(count_of(&self, fresh), 0);
  EXPECT_STATUS(mainstem_scope_end(service), MAINSTEM_STALE);
  EXPECT_EQUAL(other.made, 0); /* Isolated. */
  EXPECT(find(&other, other.context) != fresh);
  EXPECT_EQUAL(other.made, 1);
  world_close(&other);
  world_close(&self);
  EXPECT_EQUAL(self.released, 3);
}

/* Catches: a request through one's own that both get, or nobody; one that ends with its asker. */
CASE(what_is_sent_through_ones_own_is_for_that_one, IN_BOTH) {
  world self;
  world_open(&self, threads);
  mainstem_context *service = find(&self, self.context);
  mainstem_context *own = open_own(&self, self.view_model);
  ask(&self, own, self.more);
  ask(&self, own, self.more);
  ask(&self, self.view_model, self.more);
  EXPECT_EQUAL(count_of(&self, own), 20);
  EXPECT_EQUAL(count_of(&self, service), 10);
  ask(&self, own, self.nothing);
  EXPECT_EQUAL(self.status, MAINSTEM_UNHANDLED);
  ask(&self, self.context, self.nothing);
  EXPECT_EQUAL(self.status, MAINSTEM_UNHANDLED);
  EXPECT_OK(mainstem_scope_end(self.view_model));
  EXPECT_STATUS(mainstem_scope_end(own), MAINSTEM_STALE);
  EXPECT_EQUAL(count_of(&self, service), 10);
  EXPECT_EQUAL(self.released, 1);
  world_close(&self);
}

static void find_inside(void *user_data, const mainstem_event *event) {
  world *self = (world *)user_data;
  mainstem_context *service = NULL;
  EXPECT_OK(mainstem_service_find(self->context, "Diary", &service));
  EXPECT(find(self, self->context) == service);
  transcript_add(&self->seen, "found");
}

/* Catches: a callback that has to wait for its service, values before it has shown. */
CASE(a_callback_has_it_at_once, IN_BOTH) {
  world self;
  world_open(&self, threads);
  EXPECT_OK(mainstem_observe(self.view_model, self.go, find_inside, &self, NULL, NULL));
  EXPECT_OK(mainstem_send(self.context, self.go, NULL, 0));
  EXPECT_TEXT(self.seen.text, "found count0");
  EXPECT_EQUAL(self.made, 1);
  EXPECT_EQUAL(stats_of(self.context).events, 2);
  world_close(&self);
}

/* Catches: requests that wait for ever, since the rows of a service stay. */
CASE(what_an_ended_service_has_not_answered_is_cancelled, IN_BOTH) {
  world self;
  world_open(&self, threads);
  self.waits = 1;
  ask(&self, self.context, self.reload);
  EXPECT_EQUAL(stats_of(self.context).requests, 1);
  mainstem_context *service = find(&self, self.context);
  mainstem_context *own = open_own(&self, self.context);
  EXPECT_OK(mainstem_scope_end(own));
  EXPECT_EQUAL(stats_of(self.context).requests, 1);
  EXPECT_OK(mainstem_scope_end(service));
  EXPECT_EQUAL(self.status, MAINSTEM_CANCELLED);
  EXPECT_EQUAL(stats_of(self.context).requests, 0);
  self.waits = 0;
  ask(&self, self.context, self.more);
  EXPECT_EQUAL(self.status, MAINSTEM_OK);
  EXPECT_EQUAL(self.made, 3);
  world_close(&self);
}

/* Catches: a failure that stays, what a failed one was made of. */
CASE(a_service_that_fails_is_made_by_the_next_request, IN_BOTH) {
  world self;
  mainstem_context *service;
  world_open(&self, threads);
  const mainstem_context_stats before = stats_of(self.context);
  self.fails = 1007;
  ask(&self, self.context, self.reload);
  EXPECT_EQUAL(self.status, 1007);
  EXPECT_STATUS(mainstem_service_find(self.context, "Diary", &service), MAINSTEM_CANCELLED);
  self.fails = MAINSTEM_TOO_BIG;
  EXPECT_STATUS(mainstem_service_find(self.context, "Diary", &service), MAINSTEM_TOO_BIG);
  EXPECT(service == NULL);
  EXPECT_EQUAL(stats_of(self.context).scopes, before.scopes);
  EXPECT_EQUAL(stats_of(self.context).subscriptions, before.subscriptions);
  self.fails = 0;
  ask(&self, self.context, self.reload);
  EXPECT_EQUAL(self.status, MAINSTEM_OK);
  world_close(&self);
  EXPECT_EQUAL(self.made, 4);
  EXPECT_EQUAL(self.released, 4);
}

/* Catches: a service for who may do less, a second one of a name, one that a replay could not know. */
CASE(what_cannot_be_is_refused, IN_BOTH) {
  world self;
  mainstem_context *service, *view;
  mainstem_scope_options options = {.size = sizeof options};
  static const char *const unknown[] = {"RequestMore", "RequestNobody"};
  world_open(&self, threads);
  mainstem_context *context = self.context;
#define ADD(name, types, count, make)                                                              \
  mainstem_service_add(context, name, types, count, MAINSTEM_PAYLOAD_NONE, make, NULL, NULL)
  EXPECT_STATUS(ADD("Diary", NULL, 0, make_diary), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", NULL, 1, make_diary), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", unknown, 2, make_diary), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", NULL, 0, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD(NULL, NULL, 0, make_diary), MAINSTEM_INVALID);
  EXPECT_STATUS(ADD("Other", unknown, (size_t)1 << 40, make_diary), MAINSTEM_TOO_BIG);
  EXPECT_STATUS(mainstem_service_find(context, "Nobody", &service), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_service_find(context, NULL, &service), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_service_find(context, "Diary", NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_service_find(NULL, "Diary", &service), MAINSTEM_INVALID);
  options.send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW);
  EXPECT_OK(mainstem_scope_add(context, "View", &options, &view));
  EXPECT_STATUS(mainstem_service_find(view, "Diary", &service), MAINSTEM_DENIED);
  EXPECT(find(&self, context) != NULL);
  EXPECT_STATUS(mainstem_service_find(view, "Diary", &service), MAINSTEM_DENIED);
  EXPECT_STATUS(ADD("Other", NULL, 0, make_diary), MAINSTEM_INVALID);
#undef ADD
  world_close(&self);
}

/* Catches: a function of a service that asks for itself and never comes back. */
CASE(a_service_is_not_made_while_it_is_made, IN_BOTH) {
  world self;
  world_open(&self, threads);
  self.asks = 1;
  ask(&self, self.context, self.reload);
  EXPECT_EQUAL(self.status, MAINSTEM_OK);
  EXPECT_EQUAL(self.inner, MAINSTEM_BUSY);
  world_close(&self);
}

static void open_on_host(world *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  EXPECT_OK(mainstem_context_create(
      OPTIONS(context, .threads = threads, .flags = MAINSTEM_CONTEXT_DELIVER_ON_HOST),
      &self->context));
  world_install(self);
}

/* Catches: an instance that appears between two drains. */
CASE(on_a_host_the_drain_makes_it, IN_BOTH) {
  world self;
  mainstem_context *service;
  open_on_host(&self, threads);
  EXPECT_STATUS(mainstem_service_find(self.context, "Diary", &service), MAINSTEM_UNSET);
  EXPECT_EQUAL(self.made, 0);
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_EQUAL(self.made, 1);
  EXPECT(find(&self, self.context) == self.last);
  world_close(&self);
}

static void note_cause(void *user_data, const mainstem_event *event) {
  world *self = (world *)user_data;
  EXPECT_EQUAL(event->status, MAINSTEM_CANCELLED);
  transcript_add(&self->seen, event->cause == 0 ? "closed" : "ended");
}

/* Catches: a service that has no handler for a request, and whose end answers it; law 8. */
CASE(the_end_of_a_service_cancels_only_what_it_got, IN_BOTH) {
  world self;
  open_on_host(&self, threads);
  ask(&self, self.context, self.reload);
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_OK(mainstem_request(self.context, self.nothing, NULL, 0, note_cause, &self, NULL));
  self.waits = 1;
  EXPECT_OK(mainstem_request(self.context, self.reload, NULL, 0, note_cause, &self, NULL));
  EXPECT_OK(mainstem_scope_end(self.last));
  world_close(&self); /* The service can refuse nothing any more. */
  EXPECT_TEXT(self.seen.text, "count10 answer10 ended closed");
}

/* What a host does; a replay does none of it. */
static void world_play(world *self) {
  ask(self, self->context, self->more);
  EXPECT_OK(mainstem_scope_end(find(self, self->context)));
  find(self, self->view_model);
  mainstem_context *own = open_own(self, self->view_model);
  ask(self, own, self->reload);
  EXPECT_OK(mainstem_send(self->context, self->go, NULL, 0));
  EXPECT_OK(mainstem_scope_end(find(self, self->context)));
  EXPECT_OK(mainstem_send(self->context, self->go, NULL, 0));
  self->waits = 0;
  ask(self, self->view_model, self->more);
  EXPECT_OK(mainstem_scope_end(self->view_model));
  ask(self, self->context, self->fetch);
}

/* Catches: a service that a replay makes elsewhere, or not at all. */
CASE(a_session_with_services_verifies, IN_BOTH) {
  const char *path = journal_path("services");
  world self = {0}, again;
  self.context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  world_install(&self);
  EXPECT_OK(mainstem_observe(self.context, self.go, find_inside, &self, NULL, NULL));
  world_play(&self);
  world_close(&self);
  memset(&again, 0, sizeof again);
  again.context = context_open(threads);
  world_install(&again);
  EXPECT_OK(mainstem_observe(again.context, again.go, find_inside, &again, NULL, NULL));
  mainstem_replay *replay = replay_open(again.context, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT_EQUAL(info.verified_until, info.last);
  EXPECT_EQUAL(again.made, self.made);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(again.context));
}

static mainstem_status show_badge(void *user_data, mainstem_context *badge,
                                  const mainstem_event_type *types) {
  return mainstem_value_set_integer(badge, types[0], ((world *)user_data)->waits);
}

static void badge_more(void *user_data, const mainstem_event *event) {
  int64_t count = ++((world *)user_data)->waits;
  EXPECT_OK(mainstem_respond(event, &count, sizeof count));
}

/* A service that views see: a model, and then handlers. */
static mainstem_status make_badge(void *user_data, mainstem_context *scope,
                                  const mainstem_event *event) {
  static const mainstem_viewmodel_row shown = {
      "count", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL};
  world *self = (world *)user_data;
  self->made++;
  EXPECT_OK(
      mainstem_viewmodel_add(scope, NULL, &shown, sizeof shown, 1, show_badge, self, NULL, NULL));
  mainstem_context *server = serve_one(scope, NULL, "RequestMore", badge_more, self);
  EXPECT(server == scope);
  EXPECT_STATUS(
      mainstem_viewmodel_add(scope, NULL, &shown, sizeof shown, 1, show_badge, self, NULL, NULL),
      MAINSTEM_INVALID);
  return MAINSTEM_OK;
}

static int64_t badge_count(world *self, mainstem_context *badge) {
  self->count = type_named(self->context, "Badge.count");
  return count_of(self, badge);
}

/* Catches: a model that is made, but does not get the request that made it, gets one twice, or does not show. */
CASE(a_service_that_views_see_is_made_by_its_first_request, IN_BOTH) {
  static const char *const operations[] = {"RequestMore"};
  world self = {0};
  mainstem_context *badge;
  self.context = context_open(threads);
  self.counted = type_open(self.context, "ResponseCount", MAINSTEM_PAYLOAD_INTEGER, NULL);
  self.more = type_open(self.context, "RequestMore", MAINSTEM_PAYLOAD_NONE, "ResponseCount");
  EXPECT_OK(mainstem_service_add(self.context, "Badge", operations, 1, MAINSTEM_PAYLOAD_NONE,
                                 make_badge, &self, NULL));
  ask(&self, self.context, self.more);
  EXPECT_TEXT(self.seen.text, "answer1");
  EXPECT_OK(mainstem_service_find(self.context, "Badge", &badge));
  EXPECT_EQUAL(badge_count(&self, badge), 1);
  ask(&self, self.context, self.more);
  EXPECT_EQUAL(badge_count(&self, badge), 2);
  ask(&self, badge, self.more);
  EXPECT_TEXT(self.seen.text, "answer1 answer2 answer3");
  EXPECT_EQUAL(badge_count(&self, badge), 3);
  EXPECT_EQUAL(self.made, 1);
  EXPECT_OK(mainstem_scope_end(badge));
  ask(&self, self.context, self.more);
  EXPECT_EQUAL(self.made, 2);
  world_close(&self);
}

static mainstem_status make_nothing(void *user_data, mainstem_context *scope,
                                    const mainstem_event *event) {
  (void)user_data, (void)scope, (void)event;
  return MAINSTEM_OK;
}

/* Catches: a context that takes the events of the journal that it goes on with for its own. */
CASE(what_records_on_adds_services_and_factories, IN_BOTH) {
  const char *path = journal_path("on");
  for (int session = 0; session < 3; session++) {
    world self = {0};
    self.context = context_open(threads);
    EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
    world_install(&self);
    EXPECT_OK(mainstem_factory_add(self.context, "Cell", MAINSTEM_PAYLOAD_NONE, make_nothing, NULL,
                                   NULL));
    ask(&self, self.context, self.reload);
    EXPECT_TEXT(self.seen.text, "count10 answer10");
    EXPECT_EQUAL(self.made, 1);
    EXPECT_STATUS(
        mainstem_factory_add(self.context, "Late", MAINSTEM_PAYLOAD_NONE, make_nothing, NULL, NULL),
        MAINSTEM_INVALID);
    EXPECT_STATUS(mainstem_service_add(self.context, "Later", NULL, 0, MAINSTEM_PAYLOAD_NONE,
                                       make_nothing, NULL, NULL),
                  MAINSTEM_INVALID);
    world_close(&self);
  }
}

int main(void) { return journal_expect_all(); }

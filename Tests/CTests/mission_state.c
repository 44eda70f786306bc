// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Acceptance: values, histories and bindings, as a host in C sees them. */

#include "stream.h"
#include "transcript.h"

enum { TWEETS, ALL_LOADED, LOAD, ROWS };

/* A timeline: a model that shows what it is told. */
typedef struct timeline {
  mainstem_context *scope;
  int64_t tweets;
  int is_all_loaded;
} timeline;

typedef struct host {
  mainstem_context *context, *view;
  timeline one, two;
  transcript seen;
} host;

static mainstem_status show(void *user_data, mainstem_context *scope,
                            const mainstem_event_type *types) {
  const timeline *self = (const timeline *)user_data;
  mainstem_value_set_integer(scope, types[TWEETS], self->tweets);
  return mainstem_value_set_bool(scope, types[ALL_LOADED], self->is_all_loaded);
}

/* Both values change in one step. */
static void load(void *user_data, const mainstem_event *event) {
  timeline *self = (timeline *)user_data;
  self->tweets += 10;
  self->is_all_loaded = self->tweets > 10;
}

static const mainstem_viewmodel_row model[ROWS] = {
    {"tweets", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"allTweetsLoaded", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_BOOL, NULL, NULL, 0, 0, NULL},
    {"load", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, load, NULL, 0, 0, NULL}};

static void host_open(host *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  EXPECT_OK(mainstem_viewmodel_add(self->context, "Timeline", model, sizeof model[0], ROWS, show,
                                   &self->one, NULL, &self->one.scope));
  EXPECT_OK(mainstem_viewmodel_add(self->context, "Timeline", model, sizeof model[0], ROWS, show,
                                   &self->two, NULL, &self->two.scope));
  self->view = scope_open(self->context, "Window");
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
}

static void see_tweets(void *user_data, const mainstem_event *event) {
  transcript_add(&((host *)user_data)->seen, "%d", (int)mainstem_event_integer(event));
}

static void see_all_loaded(void *user_data, const mainstem_event *event) {
  transcript_add(&((host *)user_data)->seen, "%s", mainstem_event_bool(event) ? "all" : "more");
}

static void freed(void *user_data) { transcript_add(&((host *)user_data)->seen, "~"); }

static void see_changes(void *user_data, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) transcript_add(&((host *)user_data)->seen, "%s", names[i]);
  transcript_add(&((host *)user_data)->seen, "|");
}

static const mainstem_binding_row rows[] = {{"tweets", see_tweets, 0},
                                            {"allTweetsLoaded", see_all_loaded, 0}};

static mainstem_binding *bind(host *self, mainstem_context *owner) {
  mainstem_binding *binding = NULL;
  EXPECT_OK(mainstem_binding_add(self->view, owner, rows, sizeof rows[0], COUNT(rows), self, freed,
                                 &binding));
  return binding;
}

static void expect_seen(host *self, const char *text) {
  EXPECT_TEXT(self->seen.text, text);
  transcript_clear(&self->seen);
}

static void load_more(mainstem_binding *binding) {
  EXPECT_OK(mainstem_binding_run(binding, "load", NULL, 0, NULL, NULL, NULL, NULL));
}

/* Catches: a present value that is late or missing, one made up while it is unset, a change that is none. */
CASE(a_55_a_property, IN_BOTH) {
  host self;
  mainstem_retained *kept;
  const int64_t five = 5;
  host_open(&self, threads);
  mainstem_event_type type =
      type_open(self.context, "Own", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_INTEGER, NULL);
  mainstem_observe_options options = {
      .size = sizeof options, .types = &type, .type_count = 1, .of = self.view};
  EXPECT_OK(mainstem_observe_with(self.context, &options, see_tweets, &self, NULL, NULL));
  EXPECT_STATUS(mainstem_value_get(self.view, type, &kept), MAINSTEM_UNSET);
  expect_seen(&self, "");
  EXPECT_OK(mainstem_value_set(self.view, type, &five, sizeof five));
  EXPECT_OK(mainstem_value_set(self.view, type, &five, sizeof five));
  expect_seen(&self, "5");
  EXPECT_OK(mainstem_observe_with(self.context, &options, see_tweets, &self, NULL, NULL));
  expect_seen(&self, "5");
  EXPECT_OK(mainstem_value_set_integer(self.view, type, 6));
  expect_seen(&self, "6 6");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a late subscriber that gets what was only published, more than two, or what has expired. */
CASE(a_56_publish_and_replay, IN_BOTH) {
  host self = {0};
  mainstem_event_type type[3];
  static const int64_t numbers[] = {1, 2, 3};
  self.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"Published", "LastTwo", "Recent"};
    type[i] = type_open(self.context, names[i], MAINSTEM_PAYLOAD_INTEGER, NULL);
  }
  EXPECT_OK(mainstem_history_keep(self.context, type[1], 2, 0));
  EXPECT_OK(mainstem_history_keep(self.context, type[2], 9, 50));
  for (int n = 0; n < 3; n++) {
    for (int i = 0; i < 3; i++)
      EXPECT_OK(mainstem_send(self.context, type[i], &numbers[n], sizeof numbers[n]));
    EXPECT_OK(mainstem_context_advance(self.context, 30));
  }
  for (int i = 0; i < 3; i++) {
    static const char *const seen[] = {"", "2 3", "3"};
    EXPECT_OK(mainstem_observe(self.context, type[i], see_tweets, &self, NULL, NULL));
    expect_seen(&self, seen[i]);
  }
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: two calls for one turn, a name that is missing. */
CASE(a_57_one_change_set, IN_BOTH) {
  host self;
  host_open(&self, threads);
  mainstem_binding *binding = bind(&self, self.one.scope);
  load_more(binding);
  EXPECT_OK(mainstem_binding_on_changes(binding, see_changes, &self));
  transcript_clear(&self.seen);
  load_more(binding);
  expect_seen(&self, "20 all");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  expect_seen(&self, "tweets allTweetsLoaded |");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  expect_seen(&self, "");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: an old view model that is still heard, a new one that is not there at once. */
CASE(a_58_a_slot_is_bound_to_another, IN_BOTH) {
  host self;
  host_open(&self, threads);
  mainstem_binding *binding = bind(&self, self.one.scope), *other;
  load_more(binding);
  expect_seen(&self, "0 more 10");
  EXPECT_OK(mainstem_binding_retarget(binding, self.two.scope));
  expect_seen(&self, "0 more");
  EXPECT_OK(
      mainstem_binding_add(self.view, self.one.scope, NULL, sizeof rows[0], 0, NULL, NULL, &other));
  load_more(other);
  expect_seen(&self, "");
  load_more(binding);
  expect_seen(&self, "10");
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a closure that is set after the change and told nothing, is freed twice, or is called after it was replaced. */
CASE(a_62_a_closure_is_set_replaced_and_taken_away, IN_BOTH) {
  host self;
  host_open(&self, threads);
  mainstem_binding *binding = bind(&self, self.one.scope);
  load_more(binding);
  transcript_clear(&self.seen);
  EXPECT_OK(mainstem_binding_end(binding));
  expect_seen(&self, "~");
  binding = bind(&self, self.one.scope);
  expect_seen(&self, "10 more");
  EXPECT_OK(mainstem_binding_retarget(binding, NULL));
  EXPECT_STATUS(mainstem_binding_run(binding, "load", NULL, 0, NULL, NULL, NULL, NULL),
                MAINSTEM_STALE);
  expect_seen(&self, "");
  EXPECT_OK(mainstem_context_close(self.context));
  expect_seen(&self, "~");
}

int main(void) { return expect_all(); }

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a reactor refuses, what it holds and when it lets go; sessions of feeds that are recorded and verified. */

#include "feed.h"
#include "journal.h"
#include "reactors.h"
#include "transcript.h"

/* A reactor whose "keep" goes on until it is answered; each release hook and settled function leaves a word. */
typedef struct probe {
  mainstem_context *context, *reactor, *other;
  mainstem_binding *binding;
  mainstem_retained *kept;
  bool mutates_in_show;
  transcript seen;
} probe;

static probe *probed;

static void tell(const char *where, mainstem_status status) {
  transcript_add(&probed->seen, "%s:%s", where, mainstem_status_name(status));
}

static void mutate_kept(const char *where) {
  const mainstem_event *action = kept_event(probed->kept);
  tell(where, mainstem_reactor_mutate(action, "+", 1));
}

static void settled(void *user_data) {
  mutate_kept("settled");
  tell("merged", mainstem_reactor_merge(probed->reactor, "+", 1));
}

static void let_go(void *user_data) {
  transcript_add(&probed->seen, "~run");
  EXPECT_OK(mainstem_retained_release(probed->kept));
}

static void keep(void *user_data, const mainstem_event *action) {
  EXPECT_OK(mainstem_event_retain(action, &probed->kept));
  EXPECT_OK(mainstem_event_on_settled(action, settled, NULL, let_go));
}

static void add_bytes(void *user_data, const mainstem_event *action) {
  tell("add", mainstem_reactor_mutate(action, action->data, action->size));
}

static void try_elsewhere(void *user_data, const mainstem_event *action) {
  mutate_kept("foreign");
  tell("other", mainstem_reactor_merge(probed->reactor, "+", 1));
  tell("own", mainstem_reactor_merge(action->context, "+", 1));
}

static void probe_reduce(void *user_data, void *state, const void *bytes, size_t size) {
  EXPECT(bytes != NULL);
  *(int64_t *)state += (int64_t)size;
}

static mainstem_status probe_show(void *user_data, mainstem_context *reactor,
                                  const mainstem_event_type *types, const void *state) {
  if (probed->mutates_in_show) mutate_kept("show");
  return mainstem_value_set_integer(reactor, types[0], *(const int64_t *)state);
}

static mainstem_status probe_pulse(void *user_data, mainstem_context *reactor,
                                   const mainstem_event_type *types, const void *bytes,
                                   size_t size) {
  return mainstem_send(reactor, types[1], bytes, size);
}

static void released(void *user_data) { transcript_add(&probed->seen, "~reactor"); }

static const mainstem_viewmodel_row probe_rows[] = {
    {"size", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_INTEGER, NULL, NULL, 0, 0, NULL},
    {"told", MAINSTEM_VIEWMODEL_PULSE, MAINSTEM_PAYLOAD_BYTES, NULL, NULL, 0, 0, NULL},
    {"keep", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, keep, NULL, 0, 0, "end"},
    {"end", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, stopwatch_stop, NULL, 0, 0, NULL},
    {"add", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_BYTES, add_bytes, NULL, 0, 0, NULL},
    {"try", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, try_elsewhere, NULL, 0, 0, NULL}};

static const mainstem_reactor_table probe_table = {
    .size = sizeof probe_table,
    .state_size = sizeof(int64_t),
    .rows = probe_rows,
    .row_size = sizeof probe_rows[0],
    .count = COUNT(probe_rows),
    .mutation = MAINSTEM_PAYLOAD_BYTES,
    .reduce = probe_reduce,
    .show = probe_show,
    .pulse = probe_pulse,
};

static int64_t size_of(mainstem_context *reactor) {
  const int64_t *state = (const int64_t *)mainstem_reactor_state(reactor);
  return state == NULL ? -1 : *state;
}

static void probe_open(probe *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  probed = self;
  self->context = context_open(threads);
  EXPECT_OK(
      mainstem_reactor_add(self->context, "Probe", &probe_table, NULL, released, &self->reactor));
  EXPECT_OK(mainstem_reactor_add(self->context, "Probe", &probe_table, NULL, NULL, &self->other));
  EXPECT_OK(mainstem_binding_add(self->context, self->reactor, NULL, sizeof(mainstem_binding_row),
                                 0, NULL, NULL, &self->binding));
  EXPECT_OK(mainstem_flush(self->context));
}

static void probe_run(probe *self, const char *name, const char *text) {
  EXPECT_OK(mainstem_binding_run(self->binding, name, text, strlen(text), NULL, NULL, NULL, NULL));
}

static void expect_seen(probe *self, const char *wanted) {
  EXPECT_TEXT(self->seen.text, wanted);
  transcript_clear(&self->seen);
}

static void mutate_here(void *user_data, const mainstem_event *event) {
  mutate_kept("observer");
  tell("merge", mainstem_reactor_merge(probed->reactor, "+", 1));
}

/* Catches: a writer beside the reactor's own callbacks. */
CASE(only_its_own_callbacks_mutate, IN_BOTH) {
  static const char hello[] = "hi";
  probe self;
  probe_open(&self, threads);
  mainstem_event_type ping = type_open(self.context, "Ping", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self.context, ping, mutate_here, NULL, NULL, NULL));
  self.mutates_in_show = true;
  probe_run(&self, "keep", "");
  self.mutates_in_show = false;
  expect_seen(&self, "show:BUSY");
  mutate_kept("outside");
  tell("merge", mainstem_reactor_merge(self.reactor, hello, 2));
  EXPECT_OK(mainstem_send(self.context, ping, NULL, 0));
  expect_seen(&self, "outside:INVALID merge:INVALID observer:INVALID merge:INVALID");
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
  probe_run(&self, "try", "");
  expect_seen(&self, "foreign:INVALID other:INVALID own:OK");
  EXPECT_EQUAL(size_of(self.reactor), 0);
  EXPECT_EQUAL(size_of(self.other), 1);
  EXPECT_EQUAL(size_of(self.context), -1);
  EXPECT_OK(mainstem_observe(self.reactor, ping, mutate_here, NULL, NULL, NULL));
  EXPECT_OK(mainstem_send(self.context, ping, NULL, 0));
  expect_seen(&self, "observer:INVALID merge:INVALID observer:OK merge:OK");
  EXPECT_EQUAL(size_of(self.reactor), 2);
  EXPECT_OK(mainstem_context_close(self.context));
  expect_seen(&self, "settled:STALE merged:STALE ~run ~reactor");
}

/* Catches: a run that is let go twice or never, by whatever it ends; one that mutates when it is over. */
CASE(a_run_is_let_go_once, IN_BOTH) {
  mainstem_pending *pending;
  const mainstem_event *action;
  probe self;
  probe_open(&self, threads);
  for (int end = 0; end < 4; end++) {
    self.kept = NULL;
    EXPECT_OK(mainstem_binding_run(self.binding, "keep", NULL, 0, NULL, NULL, NULL, &pending));
    transcript_clear(&self.seen);
    switch (end) {
    case 0:
      probe_run(&self, "end", "");
      break;
    case 1:
      EXPECT_OK(mainstem_pending_cancel(pending));
      break;
    case 2:
      action = kept_event(self.kept);
      EXPECT_OK(mainstem_respond(action, NULL, 0));
      break;
    default:
      EXPECT_OK(mainstem_scope_end(self.reactor));
    }
    EXPECT_OK(mainstem_flush(self.context));
    expect_seen(&self, end == 3   ? "~reactor ~run"
                       : end == 2 ? "~run"
                                  : "settled:STALE merged:OK ~run");
  }
  EXPECT(mainstem_reactor_state(self.reactor) == NULL);
  EXPECT_OK(mainstem_context_close(self.context));
  expect_seen(&self, "");
}

static void count_pulse(void *user_data, const mainstem_event *event) {
  transcript_add(&((probe *)user_data)->seen, "%.*s", (int)event->size, (const char *)event->data);
}

/* Catches: a mutation that is reduced although nobody could be told, a pulse that is lost or comes twice. */
CASE(what_finds_no_room_is_not_lost, IN_BOTH) {
  mainstem_event_type told, mutation;
  mainstem_subscription *slow;
  probe self;
  probe_open(&self, threads);
  told = type_named(self.context, "Probe.told");
  mutation = type_named(self.context, "Probe.mutation");
  mainstem_observe_options options = {.size = sizeof options,
                                      .scheduler = MAINSTEM_SCHEDULER_HOST,
                                      .policy = MAINSTEM_QUEUE_REJECT,
                                      .limit_events = 1,
                                      .types = &told,
                                      .type_count = 1};
  EXPECT_OK(mainstem_observe_with(self.context, &options, count_pulse, &self, NULL, NULL));
  probe_run(&self, "add", "a");
  probe_run(&self, "add", "bc");
  expect_seen(&self, "add:OK add:OK");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  expect_seen(&self, "a");
  probe_run(&self, "end", "");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  expect_seen(&self, "bc");
  options.types = &mutation;
  EXPECT_OK(mainstem_observe_with(self.context, &options, count_pulse, &self, NULL, &slow));
  probe_run(&self, "add", "de");
  probe_run(&self, "add", "f");
  expect_seen(&self, "add:OK add:FULL");
  EXPECT_EQUAL(size_of(self.reactor), 5);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: a row that names what does not end it, an order that is forgotten. */
CASE(until_names_a_command, IN_BOTH) {
  mainstem_viewmodel_row rows[COUNT(probe_rows)];
  mainstem_reactor_table table = probe_table;
  probe self;
  probe_open(&self, threads);
  table.rows = rows;
  memcpy(rows, probe_rows, sizeof rows);
  rows[2].cancelled_by = "size";
  EXPECT_STATUS(mainstem_reactor_add(self.context, "Probe", &table, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "rows.cancelled_by") != NULL);
  rows[2].cancelled_by = NULL;
  rows[0].cancelled_by = "end";
  EXPECT_STATUS(mainstem_reactor_add(self.context, "Probe", &table, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void keep_line(void *user_data, const char *line) {
  transcript_add((transcript *)user_data, "%s", line);
}

/* Catches: a mutation in a line that a contract keeps secret. */
CASE(a_secret_mutation_stays_one, IN_BOTH) {
  mainstem_reactor_table table = probe_table;
  transcript lines;
  probe self;
  transcript_clear(&lines);
  probe_open(&self, threads);
  EXPECT_OK(mainstem_trace(self.context, keep_line, &lines));
  table.mutation = MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET;
  EXPECT_STATUS(mainstem_reactor_add(self.context, "Probe", &table, NULL, NULL, NULL),
                MAINSTEM_INVALID);
  table.pulse = NULL;
  EXPECT_OK(mainstem_reactor_add(self.context, "Safe", &table, NULL, NULL, &self.other));
  EXPECT_OK(mainstem_binding_retarget(self.binding, self.other));
  EXPECT_OK(mainstem_flush(self.context));
  transcript_clear(&lines);
  probe_run(&self, "add", "open sesame");
  EXPECT(strstr(lines.text, "Safe.mutation ← #") != NULL);
  EXPECT(strstr(strstr(lines.text, "Safe.mutation"), "<secret>") != NULL);
  EXPECT(strstr(strstr(lines.text, "Safe.mutation"), "sesame") == NULL);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Sessions: feeds are opened by a factory, whose request says where they begin. */
static feed served;
static mainstem_context *opened, *everything;
static uint64_t chance;

static unsigned pick_one(unsigned most) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(chance >> 33) % most;
}

static mainstem_status make_feed(void *user_data, mainstem_context *scope,
                                 const mainstem_event *event) {
  feed_state initial = {false, false, false, 0, ""};
  mainstem_reactor_table table = feed_table;
  snprintf(initial.items, sizeof initial.items, "%.*s", (int)event->size,
           (const char *)event->data);
  table.initial = &initial;
  return mainstem_reactor_add(scope, NULL, &table, &served, NULL, NULL);
}

static void note_opened(void *user_data, const mainstem_event *event) {
  EXPECT_OK(
      mainstem_scope_find(everything, (uint64_t)mainstem_event_integer(event), &opened, NULL));
}

static void install(uint32_t threads, const char *path) {
  memset(&served, 0, sizeof served);
  everything = context_open(threads);
  feed_serve(&served, everything);
  EXPECT_OK(mainstem_factory_add(everything, "Feed", MAINSTEM_PAYLOAD_TEXT, make_feed, NULL, NULL));
  if (path != NULL) EXPECT_OK(mainstem_journal_record(everything, path, NULL));
}

static void play_session(uint64_t seed) {
  mainstem_binding *binding;
  chance = seed;
  mainstem_context *view = scope_open(everything, "View");
  EXPECT_OK(mainstem_instance_open(view, "Feed", "new", 3, note_opened, NULL, NULL));
  EXPECT_OK(mainstem_binding_add(view, opened, NULL, sizeof(mainstem_binding_row), 0, NULL, NULL,
                                 &binding));
  EXPECT_TEXT(((const feed_state *)mainstem_reactor_state(opened))->items, "new");
  for (int i = 0; i < 30 && served.asked_count < FEED_KEPT; i++) {
    const char *pages[] = {"a", "b,c", "", NULL};
    if (pick_one(3) > 0 && served.answered_count < served.asked_count)
      feed_answer(&served, pages[pick_one(4)], "Offline.");
    else
      mainstem_binding_run(binding, pick_one(3) > 0 ? "more" : "refresh", NULL, 0, NULL, NULL, NULL,
                           NULL);
  }
  if (pick_one(3) == 0) EXPECT_OK(mainstem_scope_end(opened));
}

/* Catches: a mutation that a replay leaves out, repeats, or makes elsewhere. */
CASE(sessions_verify, IN_BOTH) {
  const char *path = journal_path("reactors");
  mainstem_replay *replay;
  uint64_t fed;
  for (uint64_t seed = 0; seed < 100; seed++) {
    install(threads, path);
    play_session(seed);
    int asked = served.asked_count;
    EXPECT_OK(mainstem_context_close(everything));
    install(threads, NULL);
    replay = replay_open(everything, path, MAINSTEM_REPLAY_VERIFY);
    EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
    EXPECT_EQUAL(served.asked_count, asked);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(everything));
    journal_sweep();
  }
}

int main(void) { return expect_all(); }

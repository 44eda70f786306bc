// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Does each operation 1,000 times and 11,000 times under callgrind, with one dump of the counters
 * each, named "LENGTH CASE". The difference is what 10,000 operations cost, exactly: what comes once
 * falls out. counted.py reads the dumps. What is recorded goes to FOLDER: count FOLDER.
 */

#include <unistd.h>
#include <valgrind/callgrind.h>

#include "counting.h"

enum { SHORT = 1000, LONG = 11000, FURTHER = 100, MANY = 1000000, TYPES = 10000, LIVE = 100000 };
enum { BATCH = 100, RECORDED = 100, AMONG = 2000 };

/* The types to send, in order: read alike for one type and for many. */
static mainstem_event_type sequence[LONG];

static void sends(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_send(opened->context, sequence[i], opened->payload, PAYLOAD);
}

/* As `sends`, through one scope after the other. */
static mainstem_context *owners[LONG];

static void sends_of(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_send(owners[i], opened->types[0], opened->payload, PAYLOAD);
}

/* A value that changes with each set, or that is there already. */
static void changes(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    opened->payload[1] ^= 1;
    mainstem_value_set(opened->context, opened->types[0], opened->payload, sizeof(int64_t));
  }
}

static void repeats(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_value_set(opened->context, opened->types[0], opened->payload, sizeof(int64_t));
}

/* In one callback, as an owner says after each event what it shows. */
static size_t said;

static void say(void *user_data, const mainstem_event *event) {
  (void)event;
  repeats((stream *)user_data, said);
}

static void repeats_inside(stream *opened, size_t count) {
  said = count;
  mainstem_send(opened->context, opened->types[1], opened->payload, PAYLOAD);
}

/* The same loop around nothing: the loop is no part of a send's cost. */
static void send_frames(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    send_nothing(opened->context, sequence[i], opened->payload, PAYLOAD);
}

static void call(mainstem_event_fn volatile fn, stream *opened, size_t count) {
  mainstem_event event = {.size = PAYLOAD, .data = opened->payload};
  for (size_t i = 0; i < count; i++) fn(&opened->sum, &event);
}

/* The callback without the library, and its loop without it: its cost is no part of a send's. */
static void calls(stream *opened, size_t count) { call(observe_mainstem, opened, count); }
static void call_frames(stream *opened, size_t count) { call(observe_nothing, opened, count); }

static void pairs(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_subscription *subscription;
    mainstem_observe(opened->context, opened->types[0], observe_mainstem, &opened->sum, NULL,
                     &subscription);
    mainstem_cancel(subscription);
  }
}

/* As `pairs`, of every type. */
static void pairs_of_any(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_subscription *subscription;
    mainstem_observe(opened->context, MAINSTEM_TYPE_ANY, observe_mainstem, &opened->sum, NULL,
                     &subscription);
    mainstem_cancel(subscription);
  }
}

/* A scope with a child that observes. */
static void scopes(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_context *scope, *child;
    mainstem_scope_add(opened->context, "scope", NULL, &scope);
    mainstem_scope_add(scope, "child", NULL, &child);
    mainstem_observe(child, opened->types[0], observe_mainstem, &opened->sum, NULL, NULL);
    mainstem_scope_end(scope);
  }
}

static void requests(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_request(opened->context, opened->types[0], opened->payload, PAYLOAD, observe_mainstem,
                     &opened->sum, NULL);
}

static void respond(void *user_data, const mainstem_event *event) {
  (void)user_data;
  mainstem_respond(event, event->data, event->size);
}

/* What is recorded: the case that journals are measured with, also beside others. */
static struct {
  mainstem_event_header headers[BATCH];
  uint8_t payloads[BATCH][RECORDED];
} batch;

static void fill_batch(mainstem_event_type type) {
  for (size_t i = 0; i < BATCH; i++) {
    batch.headers[i].type = type;
    batch.headers[i].size = RECORDED;
    batch.headers[i].offset = (uint32_t)(sizeof batch.headers + i * RECORDED);
    batch.payloads[i][0] = 1;
  }
}

static void batches(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i += BATCH)
    mainstem_send_many(opened->context, &batch, sizeof batch, BATCH, NULL);
}

static void recorded_sends(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_send(opened->context, batch.headers[0].type, batch.payloads[0], RECORDED);
}

static void measured(operation *run, stream *opened, size_t count, const char *name) {
  char label[120];
  snprintf(label, sizeof label, "%zu %s", count, name);
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  run(opened, count);
  CALLGRIND_DUMP_STATS_AT(label);
  CALLGRIND_STOP_INSTRUMENTATION;
}

void measure(operation *run, stream *opened, uint64_t sum, const char *what, const char *threads) {
  char name[100];
  snprintf(name, sizeof name, "%s, %s", what, threads);
  for (size_t i = 0; i < LONG; i++) sequence[i] = opened->types[i % opened->type_count];
  opened->sum = 0;
  run(opened, LONG);
  measured(run, opened, SHORT, name);
  measured(run, opened, LONG, name);
  must_be(opened->sum, (LONG + SHORT + LONG) * sum, name);
}

void measure_few(operation *run, stream *opened, const char *what, const char *threads) {
  char name[100];
  snprintf(name, sizeof name, "%s, %s", what, threads);
  run(opened, SHORT / 100);
  measured(run, opened, SHORT / 100, name);
  measured(run, opened, LONG / 100, name);
}

void measure_rarely(operation *run, stream *opened, const char *what, const char *threads) {
  char name[100];
  snprintf(name, sizeof name, "%s, %s", what, threads);
  run(opened, 1);
  measured(run, opened, 1, name);
  measured(run, opened, 3, name);
}

static void measure_sends(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  stream_observe(opened, 0, 1);
  measure(calls, opened, 1, "callback", name);
  measure(call_frames, opened, 0, "callback's loop", name);
  measure(send_frames, opened, 0, "send's loop", name);
  measure(sends, opened, 1, "send", name);
  stream_observe(opened, 0, FURTHER);
  measure(sends, opened, 1 + FURTHER, "send to 101 observers", name);
  stream_close(opened);
}

static void measure_values(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 2);
  mainstem_event_type value;
  must(mainstem_type_add(opened->context, "Value", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE,
                         NULL, &value));
  must(mainstem_observe(opened->context, opened->types[1], say, opened, NULL, NULL));
  opened->types[0] = value;
  opened->type_count = 1;
  stream_observe(opened, 0, 1);
  measure(changes, opened, 1, "send of a value that changes", name);
  measure(repeats, opened, 0, "set of what is there", name);
  measure(repeats_inside, opened, 0, "set of what is there, in a callback", name);
  stream_close(opened);
}

static void measure_pairs(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  measure(pairs, opened, 0, "observe + cancel", name);
  stream_observe(opened, 0, LIVE);
  measure(pairs, opened, 0, "observe + cancel beside 100,000 of the type", name);
  stream_close(opened);
}

/* What something costs that ends, alone and among others. */
static void measure_endings(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 1);
  measure(pairs_of_any, opened, 0, "observe + cancel of every type", name);
  measure(scopes, opened, 0, "scope with a child", name);
  for (size_t i = 0; i < AMONG; i++)
    must(mainstem_observe(opened->context, MAINSTEM_TYPE_ANY, observe_mainstem, &opened->sum, NULL,
                          NULL));
  measure(pairs_of_any, opened, 0, "observe + cancel of every type among 2,000", name);
  measure(scopes, opened, 0, "scope with a child among 2,000 observers", name);
  stream_close(opened);
}

static void measure_requests(uint32_t threads, const char *name) {
  const mainstem_handler_row row = {"RequestEcho", respond, 0};
  stream *opened = stream_open(threads, 1);
  mainstem_event_type response;
  must(mainstem_type_add(opened->context, "RequestEcho", MAINSTEM_PAYLOAD_BYTES, "ResponseEcho",
                         &opened->types[0]));
  must(mainstem_type_add(opened->context, "ResponseEcho", MAINSTEM_PAYLOAD_BYTES, NULL, &response));
  must(mainstem_server_add(opened->context, "Echo", &row, sizeof row, 1, NULL, NULL, NULL));
  measure(requests, opened, 1, "request + respond", name);
  stream_close(opened);
}

/* What stays open behind the gate. */
static void keep(void *user_data, const mainstem_event *event) {
  mainstem_retained *kept;
  (void)user_data;
  must(mainstem_event_retain(event, &kept));
}

static void ask_kept(stream *opened, size_t count) {
  mainstem_event_type type;
  must(mainstem_type_find(opened->context, "RequestKept", &type));
  for (size_t i = 0; i < count; i++)
    must(mainstem_request(opened->context, type, NULL, 0, NULL, NULL, NULL));
}

/* The request and the one behind the gate. */
static void measure_gate(uint32_t threads, const char *name) {
  const mainstem_handler_row rows[] = {{"RequestBehind", respond, 0}, {"RequestOpen", keep, 0}};
  const mainstem_gate_row ways[] = {{"RequestEcho", "RequestBehind"},
                                    {"RequestKept", "RequestOpen"}};
  const mainstem_gate_options options = {.size = sizeof options, .open = "Open", .limit = SIZE_MAX};
  const bool is_open = true;
  stream *opened = stream_open(threads, 1);
  mainstem_event_type type;
  must(mainstem_type_add(opened->context, "RequestEcho", MAINSTEM_PAYLOAD_BYTES, "ResponseEcho",
                         &opened->types[0]));
  must(mainstem_type_add(opened->context, "RequestBehind", MAINSTEM_PAYLOAD_BYTES, "ResponseEcho",
                         &type));
  must(mainstem_type_add(opened->context, "ResponseEcho", MAINSTEM_PAYLOAD_BYTES, NULL, &type));
  must(mainstem_type_add(opened->context, "Open", MAINSTEM_PAYLOAD_BOOL | MAINSTEM_ROLE_VALUE, NULL,
                         &type));
  must(mainstem_value_set(opened->context, type, &is_open, 1));
  must(mainstem_type_add(opened->context, "RequestKept", 0, "ResponseEcho", &type));
  must(mainstem_type_add(opened->context, "RequestOpen", 0, "ResponseEcho", &type));
  must(mainstem_server_add(opened->context, "Echo", MAINSTEM_ROWS(rows), NULL, NULL, NULL));
  must(mainstem_gate_add(opened->context, "Gate", MAINSTEM_ROWS(ways), &options, NULL));
  measure(requests, opened, 1, "request through a gate", name);
  grow(opened, ask_kept, requests, "request through a gate", name);
  stream_close(opened);
}

static mainstem_resources *resources;

static void put(void *user_data, const mainstem_event *event) {
  (void)user_data;
  must(mainstem_resources_put(resources, event, event->data, event->size));
}

static void add_answer(void *sum, const mainstem_event *event) {
  *(uint64_t *)sum += event->status == MAINSTEM_OK;
}

static void request_resources(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++)
    mainstem_request(opened->context, opened->types[0], opened->payload, PAYLOAD, add_answer,
                     &opened->sum, NULL);
}

static void get_resources(stream *opened, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mainstem_resource *resource;
    must(mainstem_resource_get(resources, opened->payload, PAYLOAD, &resource));
    must(mainstem_resource_release(resource));
  }
}

/* Once they are kept. */
static void measure_resources(uint32_t threads, const char *name) {
  const mainstem_handler_row row = {"RequestBehind", put, 0};
  mainstem_resources_options options = {.size = sizeof options, .request = "RequestEcho"};
  options.behind = "RequestBehind";
  options.drop = "Drop";
  stream *opened = stream_open(threads, 1);
  mainstem_event_type type;
  must(mainstem_type_add(opened->context, "RequestEcho", MAINSTEM_PAYLOAD_BYTES, "ResponseDone",
                         &opened->types[0]));
  must(mainstem_type_add(opened->context, "RequestBehind", MAINSTEM_PAYLOAD_BYTES, "ResponseDone",
                         &type));
  must(mainstem_type_add(opened->context, "ResponseDone", MAINSTEM_PAYLOAD_NONE, NULL, &type));
  must(mainstem_type_add(opened->context, "Drop", MAINSTEM_PAYLOAD_BYTES, NULL, &type));
  must(mainstem_server_add(opened->context, "Provider", &row, sizeof row, 1, NULL, NULL, NULL));
  must(mainstem_resources_add(opened->context, "Resources", &options, &resources));
  request_resources(opened, 1);
  measure(request_resources, opened, 1, "request of kept bytes", name);
  measure(get_resources, opened, 0, "get + release of kept bytes", name);
  stream_close(opened);
}

static void measure_recorded(uint32_t threads, const char *name, const char *folder) {
  char path[1024];
  stream *opened = stream_open(threads, 1);
  mainstem_event_type type;
  snprintf(path, sizeof path, "%s/counted.journal", folder);
  unlink(path);
  must(mainstem_type_add(opened->context, "Kept", MAINSTEM_PAYLOAD_BYTES, NULL, &type));
  must(mainstem_observe(opened->context, type, observe_mainstem, &opened->sum, NULL, NULL));
  must(mainstem_journal_record(opened->context, path, NULL));
  fill_batch(type);
  measure(batches, opened, 1, "recorded, 100 bytes, of a batch of 100", name);
  measure(recorded_sends, opened, 1, "recorded, 100 bytes, by itself", name);
  stream_close(opened);
  unlink(path);
}

/* Acceptance A-15. */
static void measure_beside(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, TYPES);
  for (size_t i = 0; i < MANY; i++) stream_observe(opened, 1 + i % (TYPES - 1), 1);
  stream_observe(opened, 0, 1);
  opened->type_count = 1;
  measure(sends, opened, 1, "send beside 1,000,000 observers of other types", name);
  stream_close(opened);
}

static void measure_round_robin(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, TYPES);
  for (size_t i = 0; i < TYPES; i++) stream_observe(opened, i, 1);
  measure(sends, opened, 1, "send, round robin over 10,000 types", name);
  stream_close(opened);
}

/* Each scope has an observer of its own, of one origin; a send reaches that of its scope. */
static void measure_origins(uint32_t threads, const char *name, size_t scopes, const char *what) {
  stream *opened = stream_open(threads, 1);
  mainstem_observe_options options = {
      .size = sizeof options, .types = &opened->types[0], .type_count = 1};
  for (size_t i = 0; i < scopes; i++) {
    must(mainstem_scope_add(opened->context, "Owner", NULL, &options.of));
    must(mainstem_observe_with(opened->context, &options, observe_mainstem, &opened->sum, NULL,
                               NULL));
    for (size_t j = i % LONG; j < LONG; j += scopes) owners[j] = options.of;
  }
  measure(sends_of, opened, 1, what, name);
  stream_close(opened);
}

int main(int count, char **arguments) {
  static const struct {
    uint32_t threads;
    const char *name;
  } kinds[] = {{MAINSTEM_THREADS_ANY, "any thread"}, {MAINSTEM_THREADS_ONE, "one thread"}};
  if (count != 2 || !RUNNING_ON_VALGRIND) {
    fprintf(stderr, "This counts under callgrind only: Tests/Benchmarks/instructions\n");
    return 2;
  }
  for (int i = 0; i < 2; i++) {
    measure_sends(kinds[i].threads, kinds[i].name);
    measure_values(kinds[i].threads, kinds[i].name);
    measure_state(kinds[i].threads, kinds[i].name);
    measure_pairs(kinds[i].threads, kinds[i].name);
    measure_endings(kinds[i].threads, kinds[i].name);
    measure_requests(kinds[i].threads, kinds[i].name);
    measure_gate(kinds[i].threads, kinds[i].name);
    measure_resources(kinds[i].threads, kinds[i].name);
    measure_recorded(kinds[i].threads, kinds[i].name, arguments[1]);
    measure_beside(kinds[i].threads, kinds[i].name);
    measure_round_robin(kinds[i].threads, kinds[i].name);
    measure_origins(kinds[i].threads, kinds[i].name, 1, "send to the one owner");
    measure_origins(kinds[i].threads, kinds[i].name, LIVE, "send to the owner among 100,000");
    measure_navigation(kinds[i].threads, kinds[i].name);
    measure_lists(kinds[i].threads, kinds[i].name);
    measure_workflows(kinds[i].threads, kinds[i].name);
    measure_growth(kinds[i].threads, kinds[i].name, arguments[1]);
  }
  measure_routes(kinds[0].name);
  measure_queries(kinds[0].name);
  return 0;
}

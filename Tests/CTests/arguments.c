// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Acceptance A-14, FAULTS section 4: 10^5 random argument tuples over every function, each argument
 * from a set of nasty values: a status each time, never a crash, and the context works afterwards.
 * The number of tuples may be given as the argument.
 */

#include "handle_calls.h"
#include "journal_bytes.h"

#include <math.h>

static uint64_t state = 20260101;

static uint64_t pick(uint64_t bound) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (z ^ (z >> 31)) % bound;
}

#define ONE_OF(array) ((array)[pick(COUNT(array))])

enum { HANDLES = 24 };

static void *handles[HANDLES]; /* Live, stale and of every kind: what earlier calls gave. */
static char most_name[256], long_name[257], bytes[300];
static mainstem_context *home; /* Never ended by a tuple. */

static void *handle(void) {
  static const uint64_t odd[] = {0,
                                 1,
                                 8,
                                 0xffffffff,
                                 0x100000000ULL,
                                 UINT64_MAX,
                                 0x7fffffffffffffffULL,
                                 0x8000000000000000ULL,
                                 0xdeadbeef};
  if (pick(4) == 0) return (void *)(uintptr_t)ONE_OF(odd);
  if (pick(2) == 0) return home;
  return handles[pick(HANDLES)];
}

static void *other_than_home(void) {
  void *found = handle();
  return found == home ? NULL : found;
}

static void note(void *made) {
  if (made != NULL) handles[pick(HANDLES)] = made;
}

static const char *name(void) {
  static const char *const names[] = {NULL,
                                      "",
                                      "A",
                                      "RequestA",
                                      "ResponseA",
                                      "Mainstem",
                                      "MainstemFailure",
                                      "\xff",
                                      "a\nb",
                                      "%s%n",
                                      "\xed\xa0\x80",
                                      "view",
                                      "caf\xc3\xa9",
                                      "../..",
                                      "Notice",
                                      "RequestB",
                                      most_name,
                                      long_name};
  return ONE_OF(names);
}

static uint32_t type(void) {
  static const uint32_t types[] = {0, 1, 2, 3, 4, 5, 6, 0x7fffffff, 0x80000000, UINT32_MAX, 1000};
  return ONE_OF(types);
}

static uint64_t number(void) {
  static const uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     7,
                                     8,
                                     63,
                                     64,
                                     255,
                                     256,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000ULL,
                                     0x7fffffffffffffffULL,
                                     0x8000000000000000ULL,
                                     UINT64_MAX,
                                     UINT64_MAX - 7};
  return pick(8) == 0 ? pick(UINT64_MAX) : ONE_OF(numbers);
}

static mainstem_contract contract(void) {
  static const mainstem_contract contracts[] = {MAINSTEM_PAYLOAD_NONE,
                                                MAINSTEM_PAYLOAD_BYTES,
                                                MAINSTEM_PAYLOAD_TEXT,
                                                MAINSTEM_PAYLOAD_JSON,
                                                MAINSTEM_PAYLOAD_STRUCT | 8,
                                                MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_VIEW,
                                                MAINSTEM_PAYLOAD_TEXT | MAINSTEM_ROLE_REQUEST,
                                                MAINSTEM_PAYLOAD_MASK,
                                                MAINSTEM_ROLE_MASK,
                                                MAINSTEM_LAYER_MASK};
  return pick(5) == 0 ? number() : ONE_OF(contracts);
}

/* Data and a size that belong together, or a size that must be refused before anything is read. */
static const void *data(size_t *size) {
  static const size_t small[] = {0, 1, 2, 7, 8, 9, 255, 256, 300};
  static const size_t huge[] = {(size_t)1 << 32, SIZE_MAX, SIZE_MAX - 100, (size_t)1 << 63};
  *size = pick(6) == 0 ? ONE_OF(huge) : ONE_OF(small);
  if (pick(6) == 0) return NULL;
  for (int i = 0; i < 4; i++) bytes[pick(sizeof bytes)] = (char)pick(256);
  return bytes;
}

static mainstem_event_fn fn(void) { return pick(4) == 0 ? NULL : ignore_event; }

static void tuple_of_types(void) {
  uint32_t found = 0;
  mainstem_contract layer = 0;
  mainstem_type_info info = {.size = (uint32_t)(pick(2) ? sizeof info : number())};
  mainstem_catalogue_row rows[2] = {{name(), contract(), name()}, {name(), contract(), name()}};
  uint32_t types[2];
  const char *text;
  switch (pick(6)) {
  case 0:
    mainstem_type_add(handle(), name(), contract(), name(), pick(9) ? &found : NULL);
    break;
  case 1:
    mainstem_type_find(handle(), name(), pick(9) ? &found : NULL);
    break;
  case 2:
    mainstem_type_read(handle(), type(), pick(9) ? &info : NULL);
    break;
  case 3:
    mainstem_layer_add(handle(), name(), pick(9) ? &layer : NULL);
    break;
  case 4:
    mainstem_catalogue_add(handle(), pick(9) ? rows : NULL,
                           pick(2) ? sizeof rows[0] : (size_t)pick(24), (size_t)pick(3),
                           pick(3) ? types : NULL);
    break;
  default:
    mainstem_origin_name(handle(), type(), pick(9) ? &text : NULL);
    break;
  }
}

static void tuple_of_sends(void) {
  size_t size, count;
  const void *payload = data(&size);
  mainstem_pending *pending = NULL;
  mainstem_request_options options = {(uint32_t)(pick(4) ? sizeof options : pick(40)),
                                      (uint32_t)(pick(4) ? 0 : number()), fn(), number(),
                                      (uint32_t)pick(4)};
  mainstem_timer *timer = NULL;
  switch (pick(10)) {
  case 0:
    mainstem_send(handle(), type(), payload, size);
    break;
  case 1:
    mainstem_post(handle(), type(), payload, size);
    if (pick(9) == 0) mainstem_interrupt_prepare(handle());
    mainstem_post_from_interrupt(handle(), type(), payload, size);
    break;
  case 2:
    mainstem_request(handle(), type(), payload, size, fn(), NULL, pick(3) ? &pending : NULL);
    note(pending);
    break;
  case 3:
    mainstem_request_with(handle(), type(), payload, size, pick(9) ? &options : NULL, fn(), NULL,
                          NULL, pick(3) ? &pending : NULL);
    note(pending);
    break;
  case 4:
    mainstem_drain(handle(), (size_t)number(), pick(3) ? &count : NULL);
    break;
  case 5:
    mainstem_send_after(handle(), type(), payload, size, (int64_t)number(),
                        pick(3) ? &timer : NULL);
    note(timer);
    break;
  case 6:
    mainstem_send_every(handle(), type(), payload, size, (int64_t)number(),
                        pick(3) ? &timer : NULL);
    note(timer);
    break;
  case 7:
    mainstem_timer_cancel(handle());
    break;
  case 8: {
    mainstem_header headers[4];
    memset(headers, 0, sizeof headers);
    for (size_t i = 0; i < COUNT(headers); i++) {
      headers[i].type = type();
      headers[i].size = (uint32_t)pick(pick(9) ? 8 : 400);
      headers[i].offset = (uint32_t)(pick(9) ? pick(sizeof headers) : number());
    }
    mainstem_send_many(handle(), pick(9) ? headers : NULL, (size_t)pick(sizeof headers + 1),
                       (size_t)(pick(9) ? pick(6) : number()), pick(2) ? &count : NULL);
    break;
  }
  default:
    mainstem_flush(handle());
    break;
  }
}

static void tuple_of_observers(void) {
  mainstem_observe_options options;
  mainstem_subscription *made = NULL;
  uint32_t types[3] = {type(), type(), type()};
  uint64_t from;
  memset(&options, 0, sizeof options);
  mainstem_observe_options_init(pick(9) ? &options : NULL,
                                pick(3) ? sizeof options : (size_t)pick(200));
  if (pick(4) == 0) options.size = (uint32_t)pick(sizeof options + 1);
  if (pick(2)) options.flags = (uint32_t)(pick(2) ? pick(32) : number());
  if (pick(2)) options.types = types;
  options.type_count = (size_t)pick(4);
  if (pick(2)) options.role = contract();
  if (pick(3) == 0) options.layers = number();
  if (pick(3) == 0) options.count = number();
  if (pick(3) == 0) options.scheduler = (uint32_t)(pick(9) ? pick(3) : number());
  switch (pick(9)) {
  case 7: {
    mainstem_subscription_stats stats = {.size = (uint32_t)(pick(3) ? sizeof stats : pick(200))};
    mainstem_subscription_stats_read(handle(), pick(9) ? &stats : NULL);
    break;
  }
  case 6: {
    unsigned char buffer[300];
    size_t count, next;
    mainstem_drain_records(handle(), pick(9) ? buffer : NULL,
                           (size_t)(pick(3) ? sizeof buffer : pick(sizeof buffer)),
                           pick(9) ? &count : NULL, pick(2) ? &next : NULL);
    break;
  }
  case 5:
    mainstem_history_keep(handle(), type(), pick(9) ? (size_t)pick(5) : (size_t)number(),
                          pick(4) ? 0 : (int64_t)number());
    break;
  case 0:
    mainstem_observe(handle(), type(), fn(), NULL, NULL, pick(3) ? &made : NULL);
    break;
  case 1:
    mainstem_observe_with(handle(), pick(9) ? &options : NULL, fn(), NULL, NULL,
                          pick(3) ? &made : NULL);
    break;
  case 2:
    mainstem_subscription_from(handle(), pick(9) ? &from : NULL);
    break;
  case 3:
    mainstem_cancel(handle());
    break;
  case 4:
    mainstem_cancel_wait(handle());
    break;
  default:
    if (pick(50) == 0) mainstem_trace(other_than_home(), pick(4) ? ignore_line : NULL, NULL);
    break;
  }
  note(made);
}

/* Nothing is made: the paths are of no file that could be. */
static void tuple_of_a_journal(void) {
  static const char *const paths[] = {NULL, "", "/", "/nowhere/at all", "/dev/full", "/dev/null"};
  mainstem_journal_options options = {
      .size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
      .level = (uint32_t)pick(4),
      .flags = (uint32_t)pick(5),
      .keep = (uint32_t)(pick(2) ? 0 : number()),
      .segment_size = pick(2) ? 0 : number()};
  mainstem_journal_stats stats = {.size = (uint32_t)(pick(2) ? sizeof stats : pick(100))};
  mainstem_journal_options made;
  mainstem_journal_options_init(pick(9) ? &made : NULL, pick(2) ? sizeof made : (size_t)pick(60));
  mainstem_journal_record(handle(), ONE_OF(paths), pick(4) ? &options : NULL);
  if (pick(9) == 0) mainstem_journal_sync(handle());
  if (pick(9) == 0) mainstem_journal_on_durable(handle(), NULL, NULL, NULL);
  mainstem_journal_stats_read(handle(), pick(9) ? &stats : NULL);
}

static void tuple_of_a_replay(void) {
  static const char *const paths[] = {NULL, "", "/", "/nowhere/at all", "/dev/full", "/dev/null"};
  static const double speeds[] = {0, 1, -1, 1e300, NAN, INFINITY, 1e-300};
  mainstem_replay_options made,
      options = {.size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
                 .mode = (uint32_t)pick(4),
                 .session = pick(2) ? 0 : number()};
  mainstem_replay_info info = {.size = (uint32_t)(pick(2) ? sizeof info : pick(200))};
  mainstem_secret secret = {.size = (uint32_t)(pick(2) ? sizeof secret : pick(100)),
                            .answers = number(),
                            .data_size = (size_t)number()};
  mainstem_replay_difference difference = {.size =
                                               (uint32_t)(pick(2) ? sizeof difference : pick(100))};
  mainstem_replay *replay = NULL;
  uint64_t fed;
  int replaying;
  mainstem_replay_options_init(pick(9) ? &made : NULL, pick(2) ? sizeof made : (size_t)pick(60));
  mainstem_replay_open(handle(), ONE_OF(paths), pick(4) ? &options : NULL,
                       pick(9) ? &replay : NULL);
  mainstem_replay_step(handle(), pick(2) ? 0 : number(), pick(2) ? &fed : NULL);
  mainstem_replay_seek(handle(), number());
  mainstem_replay_run(handle(), ONE_OF(speeds));
  mainstem_replay_pause(handle());
  if (pick(2)) mainstem_replay_on_secret(handle(), NULL, NULL, NULL);
  mainstem_replay_supply(handle(), pick(2) ? "" : NULL, (size_t)number());
  mainstem_replay_supply_with(handle(), pick(9) ? &secret : NULL);
  mainstem_replay_info_read(handle(), pick(9) ? &info : NULL);
  mainstem_replay_difference_read(handle(), pick(9) ? &difference : NULL);
  mainstem_replay_close(handle());
  mainstem_context_replaying(handle(), pick(9) ? &replaying : NULL);
  note(replay);
}

static void tuple_of_contexts(void) {
  mainstem_context_options options = {
      .size = (uint32_t)(pick(2) ? sizeof options : pick(sizeof options + 9)),
      .threads = (uint32_t)pick(3),
      .flags = (uint32_t)pick(4),
      .clock = (uint32_t)pick(3),
      .limit_payload = pick(4) ? 0 : ~0ull};
  mainstem_context *made = NULL;
  mainstem_handler_row rows[2] = {{name(), fn()}, {name(), fn()}};
  mainstem_stats stats;
  const char *text;
  int fd;
  int64_t time;
  uint64_t number_read;
  char id[MAINSTEM_ID_SIZE];
  stats.size = (uint32_t)(pick(2) ? sizeof stats : pick(sizeof stats + 9));
  if (pick(16) == 0) tuple_of_a_journal();
  if (pick(16) == 0) tuple_of_a_replay();
  switch (pick(16)) {
  case 0:
    mainstem_context_options_init(pick(9) ? &options : NULL, (size_t)pick(17));
    break;
  case 1:
    mainstem_context_create(pick(3) ? &options : NULL, pick(9) ? &made : NULL);
    break;
  case 2:
    mainstem_context_close(other_than_home());
    break;
  case 3:
    mainstem_context_first_error(handle(), pick(2) ? &text : NULL);
    break;
  case 4:
    mainstem_context_stats(handle(), pick(9) ? &stats : NULL);
    break;
  case 5:
    mainstem_scope_add(handle(), name(), pick(9) ? &made : NULL);
    break;
  case 6:
    mainstem_scope_end(other_than_home());
    break;
  case 7:
    mainstem_server_add(handle(), name(), pick(9) ? rows : NULL,
                        pick(2) ? sizeof rows[0] : (size_t)pick(16), (size_t)pick(3), NULL, NULL,
                        pick(3) ? &made : NULL);
    break;
  case 8:
    mainstem_context_fd(handle(), pick(9) ? &fd : NULL);
    break;
  case 9:
    mainstem_context_now(handle(), pick(9) ? &time : NULL);
    break;
  case 10:
    mainstem_context_advance(handle(), pick(3) ? (int64_t)pick(100) : -(int64_t)pick(9));
    break;
  case 11:
    mainstem_context_next_timeout(handle(), pick(9) ? &time : NULL);
    break;
  case 12:
    mainstem_context_on_wake(handle(), NULL, NULL, NULL);
    break;
  case 13:
    mainstem_context_random(handle(), pick(9) ? &number_read : NULL);
    break;
  case 14:
    mainstem_context_id(handle(), pick(9) ? id : NULL);
    break;
  default:
    mainstem_wait(handle(), pick(2) ? 0 : 1);
    mainstem_wait_interruptible(handle(), pick(2) ? 0 : 1, (int)pick(64) - 1);
    break;
  }
  note(made);
}

static void tuple_of_the_rest(void) {
  const mainstem_event *event;
  int64_t value;
  uint64_t position;
  mainstem_error error = {(uint32_t)pick(50), (int32_t)number(), name(), name(), name()};
  switch (pick(10)) {
  case 0:
    mainstem_constant(name(), pick(9) ? &value : NULL);
    break;
  case 1:
    EXPECT(mainstem_status_name((int32_t)number()) != NULL);
    break;
  case 2:
    EXPECT(mainstem_last_error() != NULL);
    break;
  case 3:
    mainstem_retained_event(handle(), pick(9) ? &event : NULL);
    break;
  case 4:
    mainstem_retained_release(handle());
    break;
  case 5:
    mainstem_pending_cancel(handle());
    break;
  case 6:
    mainstem_pending_position(handle(), pick(9) ? &position : NULL);
    break;
  case 7:
    mainstem_respond_error(NULL, (int32_t)number(), name());
    break;
  case 8:
    mainstem_respond_error_with(NULL, pick(2) ? &error : NULL);
    break;
  default:
    mainstem_fail(NULL, (int32_t)number(), name());
    break;
  }
}

static char journal_there[512];

static void tuple_of_journals(void) {
  mainstem_journal *journal = NULL;
  mainstem_journal_info info = {.size = (uint32_t)(pick(2) ? sizeof info : pick(200))};
  mainstem_type_info type_read = {.size = (uint32_t)(pick(2) ? sizeof type_read : pick(60))};
  const mainstem_event *event = NULL;
  const char *text;
  char line[64];
  switch (pick(9)) {
  case 6: {
    unsigned char buffer[300];
    size_t count, needed;
    mainstem_journal_next_many((mainstem_journal *)handle(), pick(9) ? buffer : NULL,
                               (size_t)(pick(3) ? sizeof buffer : pick(sizeof buffer)),
                               pick(9) ? &count : NULL, pick(2) ? &needed : NULL);
    break;
  }
  case 5: {
    mainstem_salvage_report report = {.size = (uint32_t)(pick(2) ? sizeof report : pick(90))};
    if (pick(20) == 0) /* It takes the disk's time. */
      mainstem_journal_salvage(pick(4) ? journal_there : name(),
                               pick(2)   ? journal_there
                               : pick(2) ? ""
                                         : NULL,
                               &report);
    break;
  }
  case 0:
    mainstem_journal_open(pick(4) ? journal_there : name(), pick(9) ? &journal : NULL);
    if (pick(8) == 0) note(journal);
    else mainstem_journal_close(journal); /* They are no more than the process's descriptors. */
    break;
  case 1:
    mainstem_journal_info_read(handle(), pick(9) ? &info : NULL);
    break;
  case 2:
    mainstem_journal_type_read(handle(), type(), pick(9) ? &type_read : NULL);
    break;
  case 3:
    mainstem_journal_origin_name(handle(), type(), pick(9) ? &text : NULL);
    break;
  case 4:
    mainstem_journal_close(handle());
    break;
  default:
    journal = (mainstem_journal *)handle();
    if (mainstem_journal_next(journal, pick(9) ? &event : NULL) != MAINSTEM_OK) break;
    mainstem_journal_event_line(journal, event, pick(9) ? line : NULL, (size_t)pick(65), NULL);
    if (event == NULL) break;
    mainstem_event_line(event, line, sizeof line, NULL);
    mainstem_event_retain(event, NULL);
    mainstem_respond(event, "", 0);
    mainstem_confirm(event);
    break;
  }
}

static void tuple_of_an_event(const mainstem_event *event) {
  mainstem_error error = {(uint32_t)(pick(2) ? sizeof error : pick(50)), (int32_t)number(), name(),
                          name(), name()};
  mainstem_retained *kept = NULL;
  char line[64];
  size_t size, length;
  const void *payload = data(&size);
  switch (pick(10)) {
  case 0:
    mainstem_event_error(event, pick(9) ? &error : NULL);
    break;
  case 1:
    mainstem_event_line(event, line, (size_t)pick(sizeof line + 1), &length);
    break;
  case 2:
    mainstem_event_line(event, NULL, (size_t)pick(2), pick(2) ? &length : NULL);
    break;
  case 3:
    mainstem_event_retain(event, pick(9) ? &kept : NULL);
    break;
  case 4:
    mainstem_respond(event, payload, size);
    break;
  case 5:
    mainstem_respond_error(event, (int32_t)number(), name());
    break;
  case 6:
    mainstem_respond_error_with(event, pick(9) ? &error : NULL);
    break;
  case 7:
    mainstem_fail(event, (int32_t)number(), name());
    break;
  case 8:
    mainstem_respond_progress(event, type(), payload, size);
    break;
  default:
    mainstem_confirm(event);
    break;
  }
  note(kept);
}

static void tuple(void) {
  switch (pick(6)) {
  case 0:
    tuple_of_types();
    break;
  case 1:
    tuple_of_sends();
    break;
  case 2:
    tuple_of_observers();
    break;
  case 3:
    tuple_of_contexts();
    break;
  case 4:
    tuple_of_journals();
    break;
  default:
    tuple_of_the_rest();
    break;
  }
}

/* Inside a callback: every call once more, and those that take an event. */
static void tuples_inside(void *user_data, const mainstem_event *event) {
  (void)user_data;
  if (pick(3) == 0) tuple();
  tuple_of_an_event(event);
}

static long tuples = 100000;

static void write_journal(void) {
  journal_bytes bytes = journal_file(1, NULL);
  journal_session(&bytes, 0);
  journal_type(&bytes, 1, MAINSTEM_PAYLOAD_TEXT, "RequestA", "ResponseA");
  for (int i = 0; i < 5; i++) journal_event(&bytes, 1, "text", 4);
  snprintf(journal_there, sizeof journal_there, "%s", journal_path("arguments"));
  journal_write(&bytes, journal_there);
  journal_free(&bytes);
}

static void no_tuple_crashes(uint32_t threads) {
  mainstem_event_type last;
  mainstem_context *created[400];
  size_t made = 0;
  memset(handles, 0, sizeof handles);
  for (long i = 0; i < tuples; i++) {
    if (i % 2000 == 0 && made < COUNT(created)) { /* A fresh home: chains must not pile up. */
      home = context_open(threads);
      created[made++] = home;
      type_open(home, "RequestA", MAINSTEM_PAYLOAD_TEXT, "ResponseA");
      type_open(home, "ResponseA", MAINSTEM_PAYLOAD_TEXT, NULL);
      EXPECT_OK(mainstem_observe(home, 0, tuples_inside, NULL, NULL, NULL));
    }
    tuple();
  }
  for (size_t i = 0; i < made; i++) {
    last = type_open(created[i], "AtLast", MAINSTEM_PAYLOAD_BYTES, NULL);
    EXPECT_OK(mainstem_send(created[i], last, "", 0));
    EXPECT_OK(mainstem_context_close(created[i]));
  }
}

static const expect_case cases[] = {{"no tuple of arguments crashes", no_tuple_crashes, IN_BOTH}};

int main(int count, char **arguments) {
  memset(most_name, 'n', sizeof most_name - 1);
  memset(long_name, 'n', sizeof long_name - 1);
  if (count > 1) tuples = atol(arguments[1]);
  write_journal();
  expect_run(cases, COUNT(cases), 240 + (unsigned)(tuples / 1000));
  unlink(journal_there);
  rmdir(journal_path(""));
  return 0;
}

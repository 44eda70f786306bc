// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Lists: values whose events are changes. */

#include "journal.h"
#include "lists.h"

/* Catches: changes that are not the fewest, are out of order, or say another place. */
CASE(an_observer_gets_the_changes, IN_BOTH) {
  static const char *const steps[][2] = {
      {"", "0 0+0>0"},
      {"abc", "3 0+3>0"},
      {"abcd", "3 3+1>0"},
      {"acd", "1 1+1>0"},
      {"dac", "2 2+1>0"},
      {"acd", "2 0+1>2"},
      {"xyacdz", "3 0+2>0, 3 5+1>0"},
      {"az", "1 3+2>0, 1 0+2>0"},
      {"fghijkaz", "3 0+6>0"},
      {"hijkfgaz", "2 0+2>4"},
      {"", "1 0+8>0"},
  };
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  view self = {0};
  int events = 0;
  EXPECT_OK(mainstem_observe(context, type, view_get, &self, NULL, NULL));
  for (size_t i = 0; i < COUNT(steps); i++) {
    items list = items_of(steps[i][0]);
    EXPECT_OK(list_set(context, type, &list, NULL));
    EXPECT_EQUAL(self.events, ++events);
    EXPECT_TEXT(self.told, steps[i][1]);
    EXPECT_OK(list_set(context, type, &list, NULL)); /* It is there already. */
    EXPECT_EQUAL(self.events, events);
  }
  items list = items_of("abcd");
  EXPECT_OK(list_set(context, type, &list, NULL));
  list.rows[1].number = list.rows[2].number = 7;
  EXPECT_OK(list_set(context, type, &list, NULL));
  EXPECT_TEXT(self.told, "4 1+2>0");
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a kept event that shows the newest list; a new observer that gets changes of what it never had. */
CASE(what_is_kept_stays_as_it_was, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  items list = items_of("abc");
  view late = {0};
  mainstem_retained *first, *second;
  mainstem_list_change change;
  char line[200];
  EXPECT_STATUS(mainstem_value_get(context, type, &first), MAINSTEM_UNSET);
  EXPECT_OK(list_set(context, type, &list, NULL));
  const mainstem_event *was = current(context, type, &first);
  items next = items_of("xbc");
  EXPECT_OK(list_set(context, type, &next, NULL));
  EXPECT_OK(mainstem_observe(context, type, view_get, &late, NULL, NULL));
  EXPECT_EQUAL(late.resets, 1);
  items_equal(&late.list, &next);
  const mainstem_event *is = current(context, type, &second);
  EXPECT_TEXT(item_of(was, 0).key, "a");
  EXPECT_TEXT(item_of(is, 0).key, "x");
  EXPECT_OK(mainstem_list_read(is, 0, &change));
  EXPECT_EQUAL(change.kind, MAINSTEM_LIST_REMOVE);
  EXPECT_OK(mainstem_event_line(is, line, sizeof line, NULL));
  EXPECT_TEXT(line, "#2 Items +1 -1 ~0 of 3");
  EXPECT_OK(mainstem_retained_release(first));
  EXPECT_OK(mainstem_retained_release(second));
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a wrong list that comes in, a message that does not say what to do, a refusal that leaves something behind. */
CASE(a_wrong_list_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *context = on.context;
  mainstem_event_type type = list_type(context), other;
  view self = {0};
  items list = items_of("abcb");
  mainstem_list_row row = {"a", 1, "x", 1};
  mainstem_list_ends ends = {0, 1, 0};
  int64_t number = 1;
  EXPECT_OK(mainstem_observe(context, type, view_get, &self, NULL, NULL));
  EXPECT_STATUS(list_set(context, type, &list, NULL), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_list_set: rows: row 1 and row 3 have the same key");
  EXPECT_STATUS(mainstem_list_set(context, type, &row, sizeof row, 1, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_list_set(context, type, &row, sizeof row, 1, &ends), MAINSTEM_STALE);
  row = (mainstem_list_row){"", 0, &number, sizeof number};
  EXPECT_STATUS(mainstem_list_set(context, type, &row, sizeof row, 1, NULL), MAINSTEM_INVALID);
  row = (mainstem_list_row){"a", 1, NULL, sizeof number};
  EXPECT_STATUS(mainstem_list_set(context, type, &row, sizeof row, 1, NULL), MAINSTEM_INVALID);
  row = (mainstem_list_row){"\xff", 1, &number, sizeof number};
  EXPECT_STATUS(mainstem_list_set(context, type, &row, sizeof row, 1, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_list_set(context, on.notice, &row, sizeof row, 1, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_send(context, type, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_post(context, type, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set(context, type, &number, sizeof number), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_value_set_integer(context, type, number), MAINSTEM_INVALID);
  EXPECT_STATUS(
      mainstem_type_add(context, "Bad", MAINSTEM_LIST | MAINSTEM_PAYLOAD_JSON, NULL, &other),
      MAINSTEM_INVALID);
  EXPECT_STATUS(
      mainstem_type_add(context, "Bad", MAINSTEM_LIST | MAINSTEM_ROLE_VALUE, NULL, &other),
      MAINSTEM_INVALID);
  EXPECT_EQUAL(self.events, 0);
  list.count = 3;
  ends.first = 0;
  EXPECT_OK(list_set(context, type, &list, &ends));
  EXPECT_EQUAL(self.events, 1);
  mainstem_list_ends before = ends;
  ends.first = 2, ends.last = 2;
  EXPECT_STATUS(mainstem_list_set(context, type, NULL, sizeof row, 0, &ends), MAINSTEM_INVALID);
  ends.last = 1;
  list.rows[2].number = 9;
  EXPECT_OK(mainstem_list_set(context, type, NULL, sizeof row, 0, &ends));
  EXPECT_EQUAL(ends.version, before.version); /* The same list. */
  ends.last = 0;
  EXPECT_OK(list_set(context, type, &list, &ends));
  EXPECT(ends.version != before.version);
  EXPECT_TEXT(self.told, "4 2+1>0");
  before.first = 1;
  EXPECT_STATUS(list_set(context, type, &list, &before), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a row that changes its section in two events, so that a view shows it twice or nowhere (E-092). */
CASE(a_row_changes_its_section_in_one_event, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  view self = {0};
  items list = items_of("abcd");
  list.rows[2].number = list.rows[3].number = 1; /* The number names the section. */
  EXPECT_OK(mainstem_observe(context, type, view_get, &self, NULL, NULL));
  EXPECT_OK(list_set(context, type, &list, NULL));
  list = items_of("acbd");
  list.rows[1].number = list.rows[2].number = list.rows[3].number = 1;
  EXPECT_OK(list_set(context, type, &list, NULL));
  EXPECT_EQUAL(self.events, 2);
  EXPECT_TEXT(self.told, "2 1+1>2, 4 2+1>0");
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: ends that are no longer right, and count as a mistake of the program. */
CASE(stale_ends_are_no_failure, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  items list = items_of("abc");
  mainstem_list_ends ends = {0, 1, 0};
  EXPECT_STATUS(list_set(context, type, &list, &ends), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_first_error(context, NULL));
  list.count = 0;
  ends.first = 0;
  EXPECT_STATUS(mainstem_list_set(context, type, NULL, 1, 0, &ends), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_first_error(context, NULL), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

/* A random list that is near another one. */
static unsigned draw(unsigned *seed, unsigned below) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % below;
}

static void change_items(items *list, unsigned *seed) {
  for (unsigned left = draw(seed, 4); left > 0; left--) {
    size_t at = draw(seed, (unsigned)list->count + 1);
    item one;
    switch (draw(seed, 4)) {
    case 0:
      if (list->count == MOST / 2) break;
      snprintf(one.key, NAME, "k%u", draw(seed, 1u << 24));
      one.number = draw(seed, 9);
      memmove(&list->rows[at + 1], &list->rows[at], (list->count - at) * sizeof one);
      list->rows[at] = one;
      list->count++;
      break;
    case 1:
      if (at == list->count) break;
      list->count--;
      memmove(&list->rows[at], &list->rows[at + 1], (list->count - at) * sizeof one);
      break;
    case 2:
      if (at == list->count) break;
      list->rows[at].number = draw(seed, 9);
      break;
    default:
      if (at == list->count) break;
      one = list->rows[at];
      memmove(&list->rows[at], &list->rows[at + 1], (list->count - 1 - at) * sizeof one);
      at = draw(seed, (unsigned)list->count);
      memmove(&list->rows[at + 1], &list->rows[at], (list->count - 1 - at) * sizeof one);
      list->rows[at] = one;
    }
  }
}

/* A program: each notice makes its server change its list, sometimes several times in one callback. */
typedef struct program {
  mainstem_context *context, *server;
  mainstem_event_type list, notice;
  items now;
  mainstem_list_ends ends;
  unsigned seed;
  view views[2];
} program;

static void program_set(program *self, mainstem_context *scope) {
  items old = self->now;
  change_items(&self->now, &self->seed);
  size_t most = old.count < self->now.count ? old.count : self->now.count;
  size_t first = 0, last = 0;
  while (first < most && memcmp(&old.rows[first], &self->now.rows[first], sizeof(item)) == 0)
    first++;
  while (last < most - first &&
         memcmp(&old.rows[old.count - 1 - last], &self->now.rows[self->now.count - 1 - last],
                sizeof(item)) == 0)
    last++;
  int isWhole = draw(&self->seed, 3) == 0;
  self->ends.first = isWhole ? 0 : draw(&self->seed, (unsigned)first + 1);
  self->ends.last = isWhole ? 0 : draw(&self->seed, (unsigned)last + 1);
  mainstem_status status = list_set(scope, self->list, &self->now, &self->ends);
  if (status == MAINSTEM_STALE) {
    self->ends.first = self->ends.last = 0;
    status = list_set(scope, self->list, &self->now, &self->ends);
  }
  EXPECT_OK(status);
}

static void program_step(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  for (int times = 1 + event->size % 3; times > 0; times--) program_set(self, self->server);
}

static void program_record(program *self, uint32_t threads, const char *path,
                           const mainstem_journal_options *options) {
  memset(self, 0, sizeof *self);
  self->seed = 11;
  self->context = context_open(threads);
  self->list = list_type(self->context);
  self->notice = type_open(self->context, "Step", MAINSTEM_PAYLOAD_BYTES, NULL);
  if (path != NULL) EXPECT_OK(mainstem_journal_record(self->context, path, options));
  self->server = scope_open(self->context, "Server");
  EXPECT_OK(mainstem_observe(self->server, self->notice, program_step, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->context, self->list, view_get, &self->views[0], NULL, NULL));
  EXPECT_OK(mainstem_observe_with(
      self->context,
      OPTIONS(observe, .types = &self->list, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST),
      view_get, &self->views[1], NULL, NULL));
}

static void program_open(program *self, uint32_t threads, const char *path) {
  program_record(self, threads, path, NULL);
}

static void program_run(program *self, int steps) {
  for (int i = 0; i < steps; i++) {
    EXPECT_OK(mainstem_send(self->context, self->notice, "ab", (size_t)i % 3));
    if (i % 7 == 0) EXPECT_OK(mainstem_drain(self->context, 0, NULL));
  }
  EXPECT_OK(mainstem_flush(self->context));
  items_equal(&self->views[0].list, &self->now);
  items_equal(&self->views[1].list, &self->now);
}

/* Catches: changes that do not lead to the list, at once or on a scheduler, sent in callbacks, with ends or without. */
CASE(changes_applied_give_the_list, IN_BOTH) {
  program self;
  program_open(&self, threads, NULL);
  program_run(&self, 3000);
  EXPECT_EQUAL(self.views[0].resets, 1);
  EXPECT_EQUAL(self.views[1].resets, 1);
  EXPECT_OK(mainstem_context_close(self.context));
}

static void view_get_or_gap(void *user_data, const mainstem_event *event) {
  if (!(event->flags & MAINSTEM_EVENT_GAP)) view_get(user_data, event);
}

/* Catches: changes after a gap that do not fit what the observer has. */
CASE(behind_a_gap_comes_what_fits, IN_BOTH) {
  static const uint32_t policies[] = {MAINSTEM_QUEUE_DROP_OLDEST, MAINSTEM_QUEUE_DROP_NEWEST,
                                      MAINSTEM_QUEUE_LATEST};
  program self;
  program_open(&self, threads, NULL);
  view views[2 * COUNT(policies)];
  memset(views, 0, sizeof views);
  for (size_t i = 0; i < COUNT(views); i++)
    EXPECT_OK(mainstem_observe_with(self.context,
                                    OPTIONS(observe, .types = &self.list, .type_count = 1,
                                            .of = self.server, .scheduler = MAINSTEM_SCHEDULER_HOST,
                                            .policy = policies[i / 2], .limit_events = 1 + i % 2),
                                    view_get_or_gap, &views[i], NULL, NULL));
  for (int i = 0; i < 3000; i++) {
    EXPECT_OK(mainstem_send(self.context, self.notice, "ab", (size_t)i % 3));
    if (draw(&self.seed, 4) == 0) EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  }
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  program_set(&self, self.server);
  EXPECT_OK(mainstem_flush(self.context));
  for (size_t i = 0; i < COUNT(views); i++) {
    EXPECT(views[i].resets > 10 && views[i].resets < views[i].events);
    items_equal(&views[i].list, &self.now);
  }
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: changes that a replay makes otherwise, or cannot make a list of. */
CASE(a_recorded_list_comes_again, IN_BOTH) {
  const char *path = journal_path("lists");
  program self;
  uint64_t fed;
  program_open(&self, threads, path);
  program_run(&self, 300);
  items last = self.now;
  EXPECT_OK(mainstem_context_close(self.context));
  for (uint32_t mode = MAINSTEM_REPLAY_MUTED; mode <= MAINSTEM_REPLAY_VERIFY; mode++) {
    program_open(&self, threads, NULL);
    mainstem_replay *replay = replay_open(self.context, path, mode);
    EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
    items_equal(&self.views[0].list, &last);
    EXPECT_OK(mainstem_replay_close(replay));
    EXPECT_OK(mainstem_context_close(self.context));
  }
  journal_sweep();
}

/* Catches: a file of a flight recorder that does not begin with the lists, or with older or newer ones; files that only
 * have lists; changes that are shown to who has not got the list. */
CASE(a_flight_recorder_begins_with_its_lists, IN_BOTH) {
  const char *path = journal_path("flight");
  mainstem_journal_options options = journal_options(MAINSTEM_JOURNAL_BUFFERED);
  program self;
  uint64_t fed;
  options.segment_size = 4096;
  options.keep = 2;
  program_record(&self, threads, path, &options);
  for (int i = 0; i < 8; i++) {
    mainstem_context *other = scope_open(self.context, "Other");
    items list = items_of("abcdefgh");
    EXPECT_OK(list_set(other, self.list, &list, NULL));
    if (i > 0) EXPECT_OK(mainstem_scope_end(other));
  }
  program_run(&self, 2000);
  items last = self.now;
  EXPECT_OK(mainstem_context_close(self.context));
  program_open(&self, threads, NULL);
  mainstem_replay *replay = replay_open(self.context, path, MAINSTEM_REPLAY_MUTED);
  mainstem_replay_info info = {.size = sizeof info};
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT(info.first > 1000);
  EXPECT_OK(mainstem_replay_step(replay, UINT64_MAX, &fed));
  items_equal(&self.views[0].list, &last);
  EXPECT_EQUAL(self.views[0].resets, 1);
  EXPECT(self.views[0].events > 5);
  EXPECT_OK(mainstem_replay_close(replay));
  EXPECT_OK(mainstem_context_close(self.context));
  journal_sweep();
}

/* Catches: a list that grows without bound, or that waits without counting. */
CASE(a_list_is_bounded, IN_BOTH) {
  mainstem_context *context = CONTEXT_WITH(.threads = threads, .limit_rows = 4);
  mainstem_event_type type = list_type(context);
  items list = items_of("abcde");
  mainstem_list_ends ends = {0, 0, 0};
  view self = {0};
  mainstem_subscription *subscription;
  mainstem_subscription_stats stats = {.size = sizeof stats};
  EXPECT_STATUS(list_set(context, type, &list, NULL), MAINSTEM_LIMIT);
  EXPECT_OK(mainstem_observe_with(context,
                                  OPTIONS(observe, .types = &type, .type_count = 1,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST,
                                          .policy = MAINSTEM_QUEUE_REJECT, .limit_bytes = 6 * 73),
                                  view_get, &self, NULL, &subscription));
  list.count = 4;
  EXPECT_OK(list_set(context, type, &list,
                     &ends)); /* Each row counts as 64 bytes, its key and its payload. */
  EXPECT_OK(mainstem_subscription_stats_read(subscription, &stats));
  EXPECT_EQUAL(stats.waiting_bytes, 4 * 73);
  for (int i = 0; i < 2; i++) {
    list.rows[3].number++;
    ends.first = 3, ends.last = 0;
    EXPECT_OK(list_set(context, type, &list, &ends));
  }
  EXPECT_OK(mainstem_subscription_stats_read(subscription, &stats));
  EXPECT_EQUAL(stats.waiting_bytes, 6 * 73);
  list.rows[0].number++;
  EXPECT_STATUS(list_set(context, type, &list, NULL), MAINSTEM_FULL);
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  EXPECT_OK(mainstem_subscription_stats_read(subscription, &stats));
  EXPECT_EQUAL(stats.waiting_bytes, 0);
  EXPECT_OK(list_set(context, type, &list, NULL));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  items_equal(&self.list, &list);
  list = items_of("vwxyz");
  EXPECT_STATUS(list_set(context, type, &list, NULL), MAINSTEM_LIMIT);
  ends.first = 4;
  EXPECT_STATUS(list_set(context, type, &list, &ends), MAINSTEM_STALE);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: bytes that were copied, and that are taken for a list. */
CASE(a_header_and_its_payload_are_no_list, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  mainstem_subscription *mailbox;
  union {
    mainstem_event_header header;
    unsigned char bytes[1024];
  } buffer;
  size_t count, rows;
  items list = items_of("abc");
  EXPECT_OK(mainstem_observe_with(
      context,
      OPTIONS(observe, .types = &type, .type_count = 1, .scheduler = MAINSTEM_SCHEDULER_HOST), NULL,
      NULL, NULL, &mailbox));
  EXPECT_OK(list_set(context, type, &list, NULL));
  EXPECT_OK(mainstem_mailbox_take(mailbox, &buffer, sizeof buffer, &count, NULL));
  EXPECT_EQUAL(count, 1);
  mainstem_event event;
  memset(&event, 0, sizeof event);
  memcpy(&event, &buffer.header, sizeof buffer.header);
  event.data = buffer.bytes + buffer.header.offset;
  event.context = context;
  EXPECT_STATUS(mainstem_list_count(&event, &rows), MAINSTEM_INVALID);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a mailbox whose record behind a gap has changes of what it has not got. */
CASE(a_mailbox_behind_a_gap_is_told, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  mainstem_subscription *mailbox;
  union {
    mainstem_event_header headers[2];
    unsigned char bytes[1024];
  } buffer;
  size_t count;
  EXPECT_OK(mainstem_observe_with(context,
                                  OPTIONS(observe, .types = &type, .type_count = 1,
                                          .scheduler = MAINSTEM_SCHEDULER_HOST,
                                          .policy = MAINSTEM_QUEUE_DROP_OLDEST, .limit_events = 1),
                                  NULL, NULL, NULL, &mailbox));
  for (int rows = 1; rows < 4; rows++) {
    items list = items_of("abc");
    list.count = (size_t)rows;
    EXPECT_OK(list_set(context, type, &list, NULL));
  }
  EXPECT_OK(mainstem_mailbox_take(mailbox, &buffer, sizeof buffer, &count, NULL));
  EXPECT_EQUAL(count, 2);
  EXPECT(buffer.headers[0].flags & MAINSTEM_EVENT_GAP);
  EXPECT(buffer.headers[1].flags & MAINSTEM_EVENT_WHOLE);
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: changes for an observer that wanted nothing of before, and has no list. */
CASE(an_observer_without_history_begins_with_the_whole, IN_BOTH) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type = list_type(context);
  view views[2];
  items list = items_of("ab");
  memset(views, 0, sizeof views);
  EXPECT_OK(list_set(context, type, &list, NULL));
  for (int i = 0; i < 2; i++)
    EXPECT_OK(mainstem_observe_with(
        context,
        OPTIONS(observe, .types = &type, .type_count = 1, .flags = MAINSTEM_OBSERVE_NEW,
                .scheduler = i == 0 ? MAINSTEM_SCHEDULER_IMMEDIATE : MAINSTEM_SCHEDULER_HOST),
        view_get, &views[i], NULL, NULL));
  list = items_of("abc");
  EXPECT_OK(list_set(context, type, &list, NULL));
  list = items_of("abcd");
  EXPECT_OK(list_set(context, type, &list, NULL));
  EXPECT_OK(mainstem_drain(context, 0, NULL));
  for (int i = 0; i < 2; i++) {
    EXPECT_EQUAL(views[i].events, 2);
    EXPECT_EQUAL(views[i].resets, 1);
    EXPECT_TEXT(views[i].told, "3 3+1>0");
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* What a server shows first, and what a call that makes it do so has set. */
typedef struct showing {
  mainstem_event_type type;
  items list;
} showing;

static mainstem_status show_list(void *user_data, mainstem_context *server,
                                 const mainstem_event_type *types) {
  showing *self = (showing *)user_data;
  return list_set(server, self->type, &self->list, NULL);
}

/* Catches: a list that is compared with what was there before the server has shown, in the same call. */
CASE(what_is_shown_first_counts, IN_BOTH) {
  mainstem_context *context = context_open(threads), *server;
  showing self = {list_type(context), items_of("ab")};
  view seen = {0};
  items longer = items_of("abc");
  mainstem_list_ends ends = {0, 0, 0};
  EXPECT_OK(mainstem_observe(context, self.type, view_get, &seen, NULL, NULL));
  EXPECT_OK(mainstem_server_add_with(context, "Server", NULL, sizeof(mainstem_handler_row), 0,
                                     OPTIONS(server, .show = show_list), &self, NULL, &server));
  EXPECT_OK(list_set(server, self.type, &self.list, &ends));
  EXPECT_EQUAL(seen.events, 1);
  ends.first = 2;
  EXPECT_OK(list_set(server, self.type, &longer, &ends));
  EXPECT_EQUAL(seen.events, 2);
  EXPECT_OK(mainstem_context_close(context));
}

int main(void) { return journal_expect_all(); }

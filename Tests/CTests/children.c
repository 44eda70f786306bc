// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Children of a scope: a list whose rows are the numbers of scopes. */

#include "session.h"
#include "transcript.h"

#include <signal.h>
#include <sys/resource.h>

enum { MOST = 16 };

/* A page whose children are told apart by one letter each. */
typedef struct page {
  mainstem_context *context, *scope;
  mainstem_event_type cells, text, go;
  const char *keys; /* Upper case: the child is opened anew. */
  mainstem_list_ends ends;
  transcript seen;
  mainstem_status status;
  int opened, fails_at, is_wrong;
  uint64_t last[MOST];
  size_t count;
} page;

static mainstem_context *scope_with(page *self, uint64_t number) {
  mainstem_context *scope;
  EXPECT_OK(mainstem_scope_find(self->context, number, &scope, NULL));
  return scope;
}

static mainstem_status page_open_child(void *user_data, mainstem_context *context, size_t index,
                                       mainstem_context **child) {
  page *self = (page *)user_data;
  EXPECT(context == self->scope && *child == NULL);
  self->opened++;
  if (self->opened == self->fails_at) {
    if (self->is_wrong == 4) EXPECT_OK(mainstem_scope_end(self->scope));
    if (self->is_wrong == 1 || self->is_wrong == 4) return self->status;
    if (self->is_wrong == 2) return MAINSTEM_OK; /* Without a child. */
    if (self->is_wrong == 3) return mainstem_scope_add(self->context, "Other", NULL, child);
    if (self->is_wrong == 5) *child = scope_with(self, self->last[0]);
    if (self->is_wrong == 5) return MAINSTEM_OK;
  }
  mainstem_status status = mainstem_scope_add(context, "Cell", NULL, child);
  if (status != MAINSTEM_OK) return status;
  const char text[2] = {self->keys[self->ends.first + index], 0};
  return mainstem_value_set_text(*child, self->text, text);
}

static mainstem_status page_set(page *self, const char *keys) {
  mainstem_child children[MOST];
  char small[MOST];
  size_t first = self->ends.first, count = strlen(keys) - first - self->ends.last;
  self->keys = keys;
  for (size_t i = 0; i < count; i++) {
    const char key = keys[first + i];
    const int is_anew = key >= 'A' && key <= 'Z';
    small[i] = (char)(is_anew ? key - 'A' + 'a' : key);
    children[i] = (mainstem_child){&small[i], 1, is_anew ? MAINSTEM_CHILD_ANEW : 0};
  }
  return mainstem_children_set(self->scope, self->cells, children, sizeof children[0], count,
                               &self->ends, page_open_child, self);
}

/* Each child of a list that is observed lives. */
static void page_get(void *user_data, const mainstem_event *event) {
  page *self = (page *)user_data;
  mainstem_list_row row;
  char line[MOST + 1];
  size_t count;
  EXPECT_OK(mainstem_list_count(event, &count));
  for (size_t i = 0; i < count; i++) {
    EXPECT_OK(mainstem_list_row_get(event, i, &row));
    uint64_t number;
    memcpy(&number, row.data, sizeof number);
    EXPECT(scope_with(self, number) != NULL);
    self->last[i] = number;
    line[i] = row.key[0];
  }
  line[count] = 0;
  self->count = count;
  transcript_add(&self->seen, "[%s]", line);
}

static void page_get_other(void *user_data, const mainstem_event *event) {
  page *self = (page *)user_data;
  if (event->type == self->text) transcript_add(&self->seen, "%s", mainstem_value_text(event));
  else
    transcript_add(&self->seen, "~%d",
                   scope_with(self, (uint64_t)mainstem_event_integer(event)) != NULL);
}

static void on_go(void *user_data, const mainstem_event *event) {
  page *self = (page *)user_data;
  char keys[MOST] = "";
  memcpy(keys, event->data, event->size);
  self->ends = (mainstem_list_ends){0, 0, 0};
  self->status = page_set(self, keys);
}

static void page_install(page *self) {
  self->scope = scope_open(self->context, "Page");
  self->cells = type_open(self->context, "Page.cells",
                          MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  self->text =
      type_open(self->context, "Cell.text", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_TEXT, NULL);
  self->go = type_open(self->context, "Go", MAINSTEM_PAYLOAD_TEXT, NULL);
  const mainstem_event_type others[2] = {self->text, type_named(self->context, "MainstemEnded")};
  EXPECT_OK(mainstem_observe(self->context, self->cells, page_get, self, NULL, NULL));
  EXPECT_OK(mainstem_observe_with(self->context, OPTIONS(observe, .types = others, .type_count = 2),
                                  page_get_other, self, NULL, NULL));
  EXPECT_OK(mainstem_observe(self->scope, self->go, on_go, self, NULL, NULL));
}

static void page_open(page *self, uint32_t threads) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  page_install(self);
}

static void page_close(page *self) { EXPECT_OK(mainstem_context_close(self->context)); }

static void go(page *self, const char *keys) {
  EXPECT_OK(mainstem_send(self->context, self->go, keys, strlen(keys)));
}

static const char *const steps[][2] = {
    {"abc", "a b c [abc]"}, {"abc", ""},        {"cab", "[cab]"},     {"cxb", "x [cxb] ~1"},
    {"cXb", "X [cxb] ~1"},  {"b", "[b] ~1 ~1"}, {"yzb", "y z [yzb]"}, {"", "[] ~1 ~1 ~1"},
};

/* Catches: a child that ends before the list without it, or never; one that is opened twice, or late. */
CASE(children_come_before_their_list_and_go_behind_it, IN_BOTH) {
  for (int is_inside = 0; is_inside < 2; is_inside++) {
    page self;
    page_open(&self, threads);
    for (size_t i = 0; i < COUNT(steps); i++) {
      transcript_clear(&self.seen);
      if (is_inside) {
        go(&self, steps[i][0]);
        EXPECT_OK(self.status);
      } else {
        self.ends = (mainstem_list_ends){0, 0, 0};
        EXPECT_OK(page_set(&self, steps[i][0]));
      }
      EXPECT_TEXT(self.seen.text, steps[i][1]);
    }
    EXPECT_EQUAL(stats_of(self.context).scopes, 1);
    page_close(&self);
  }
}

/* Catches: ends of another list that count, or children at the ends that are looked for. */
CASE(children_at_the_ends_stay, IN_BOTH) {
  page self;
  page_open(&self, threads);
  EXPECT_OK(page_set(&self, "abcd"));
  self.ends.first = 1, self.ends.last = 2;
  EXPECT_OK(page_set(&self, "axcd"));
  EXPECT_EQUAL(self.opened, 5);
  EXPECT_TEXT(self.seen.text, "a b c d [abcd] x [axcd] ~1");
  mainstem_list_ends stale = {self.ends.version - 1, 1, 0};
  self.ends = stale;
  EXPECT_STATUS(page_set(&self, "axcd"), MAINSTEM_STALE);
  EXPECT_EQUAL(self.ends.version, stale.version);
  self.ends = (mainstem_list_ends){self.ends.version + 1, 1, 0};
  EXPECT_STATUS(page_set(&self, "aa"), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_children_set: rows: row 0 and row 1 have the same key");
  page_close(&self);
}

/* What is refused changes nothing: the list, its children, and what lives. */
static void expect_unchanged(page *self, const char *keys, mainstem_status status) {
  const uint32_t scopes = stats_of(self->context).scopes;
  transcript_clear(&self->seen);
  self->ends.first = self->ends.last = 0;
  EXPECT_STATUS(page_set(self, keys), status);
  EXPECT_EQUAL(stats_of(self->context).scopes, scopes);
  EXPECT(strchr(self->seen.text, '[') == NULL);
  for (size_t i = 0; i < self->count; i++) EXPECT(scope_with(self, self->last[i]) != NULL);
}

/* Catches: a child that is opened for a list that is none. */
CASE(a_list_that_is_none_opens_nothing, IN_BOTH) {
  page self;
  page_open(&self, threads);
  EXPECT_OK(page_set(&self, "abc"));
  for (int i = 0; i < 4; i++) {
    static const char *const wrong[] = {"axxb", "xaa", "abcx\xc3", "\xc3"};
    expect_unchanged(&self, wrong[i], MAINSTEM_INVALID);
    EXPECT_EQUAL(self.opened, 3);
  }
  mainstem_child child = {"x", 1, 2};
  EXPECT_STATUS(mainstem_children_set(self.scope, self.cells, &child, sizeof child, 1, NULL,
                                      page_open_child, &self),
                MAINSTEM_UNSUPPORTED);
  child = (mainstem_child){NULL, 1, 0};
  EXPECT_STATUS(mainstem_children_set(self.scope, self.cells, &child, sizeof child, 1, NULL,
                                      page_open_child, &self),
                MAINSTEM_INVALID);
  child = (mainstem_child){"x", SIZE_MAX, 0};
  EXPECT_STATUS(mainstem_children_set(self.scope, self.cells, &child, sizeof child, 1, NULL,
                                      page_open_child, &self),
                MAINSTEM_INVALID);
  child.key_size = 1;
  EXPECT_STATUS(
      mainstem_children_set(self.scope, self.cells, &child, sizeof child, 1, NULL, NULL, &self),
      MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_children_set(self.scope, self.text, &child, sizeof child, 1, NULL,
                                      page_open_child, &self),
                MAINSTEM_INVALID);
  EXPECT_EQUAL(self.opened, 3);
  page_close(&self);
}

/* Catches: a child that is left over when another one cannot be opened. */
CASE(a_child_that_cannot_be_opened_takes_the_others_back, IN_BOTH) {
  static const mainstem_status wanted[] = {MAINSTEM_DENIED, MAINSTEM_INVALID, MAINSTEM_INVALID,
                                           MAINSTEM_STALE, MAINSTEM_INVALID};
  for (int wrong = 1; wrong <= 5; wrong++) {
    for (int at = 4; at <= 6; at++) {
      page self;
      page_open(&self, threads);
      EXPECT_OK(page_set(&self, "abc"));
      self.is_wrong = wrong, self.fails_at = at;
      self.status = wrong == 4 ? MAINSTEM_OK : MAINSTEM_DENIED;
      if (wrong == 4) {
        EXPECT_STATUS(page_set(&self, "xaycz"), MAINSTEM_STALE);
        EXPECT_EQUAL(stats_of(self.context).scopes, 0);
      } else if (wrong == 3) {
        EXPECT_STATUS(page_set(&self, "xaycz"), MAINSTEM_INVALID);
        EXPECT_EQUAL(stats_of(self.context).scopes, 5); /* One that the host added elsewhere. */
      } else {
        expect_unchanged(&self, "xaycz", wanted[wrong - 1]);
      }
      EXPECT_EQUAL(self.opened, at);
      page_close(&self);
    }
  }
}

/* Catches: a key whose child a program has ended, and that stays without one; an end that is told twice. */
CASE(a_child_that_a_program_has_ended_is_opened_again, IN_BOTH) {
  page self;
  page_open(&self, threads);
  EXPECT_OK(page_set(&self, "abc"));
  transcript_clear(&self.seen);
  mainstem_context *second = scope_with(&self, self.last[1]);
  EXPECT_OK(mainstem_scope_end(second));
  EXPECT_STATUS(mainstem_scope_end(second), MAINSTEM_STALE);
  EXPECT_TEXT(self.seen.text, "~1");
  EXPECT_EQUAL(stats_of(self.context).scopes, 3);
  transcript_clear(&self.seen);
  EXPECT_OK(page_set(&self, "abc"));
  EXPECT_TEXT(self.seen.text, "b [abc]");
  EXPECT_OK(mainstem_scope_end(scope_with(&self, self.last[1])));
  transcript_clear(&self.seen);
  EXPECT_OK(page_set(&self, "ac"));
  EXPECT_TEXT(self.seen.text, "[ac]");
  EXPECT_OK(mainstem_scope_end(self.scope));
  EXPECT_EQUAL(stats_of(self.context).scopes, 0);
  page_close(&self);
}

/* A page whose first child leaves, while its tags change. */
typedef struct leaving {
  page page;
  mainstem_event_type tags, leave;
  transcript late;
} leaving;

static mainstem_status tags_set(mainstem_context *child, mainstem_event_type tags, size_t count) {
  static const int64_t number = 1;
  mainstem_list_row rows[] = {{"a", 1, &number, 8}, {"b", 1, &number, 8}, {"c", 1, &number, 8}};
  return mainstem_list_set(child, tags, rows, sizeof rows[0], count, NULL);
}

static void tags_get(void *user_data, const mainstem_event *event) {
  mainstem_list_change change;
  EXPECT_OK(mainstem_list_read(event, 0, &change));
  transcript_add(&((leaving *)user_data)->late, "%s%zu",
                 change.kind == MAINSTEM_LIST_RESET ? "all " : "part ", (size_t)change.count);
}

static void on_leave(void *user_data, const mainstem_event *event) {
  leaving *self = (leaving *)user_data;
  mainstem_context *child = scope_with(&self->page, self->page.last[0]);
  (void)event;
  EXPECT_OK(mainstem_scope_end(child));
  EXPECT_OK(tags_set(child, self->tags, 3));
  EXPECT_OK(mainstem_observe(self->page.context, self->tags, tags_get, self, NULL, NULL));
  EXPECT_OK(tags_set(child, self->tags, 2));
}

/* Catches: an observer that joins behind the end of a list's scope, and gets changes of a list that it does not have. */
CASE(a_list_that_is_set_behind_the_end_of_its_scope_is_whole, IN_BOTH) {
  leaving self;
  page_open(&self.page, threads);
  transcript_clear(&self.late);
  self.tags = type_open(self.page.context, "Cell.tags",
                        MAINSTEM_ROLE_VALUE | MAINSTEM_LIST | MAINSTEM_PAYLOAD_INTEGER, NULL);
  self.leave = type_open(self.page.context, "Leave", MAINSTEM_PAYLOAD_NONE, NULL);
  EXPECT_OK(mainstem_observe(self.page.scope, self.leave, on_leave, &self, NULL, NULL));
  EXPECT_OK(page_set(&self.page, "ab"));
  EXPECT_OK(tags_set(scope_with(&self.page, self.page.last[0]), self.tags, 1));
  EXPECT_OK(mainstem_send(self.page.context, self.leave, NULL, 0));
  EXPECT_TEXT(self.late.text, "all 2");
  page_close(&self.page);
}

static mainstem_status open_nested(void *user_data, mainstem_context *context, size_t index,
                                   mainstem_context **child) {
  page *self = (page *)user_data;
  (void)index;
  self->ends = (mainstem_list_ends){0, 0, 0};
  EXPECT_OK(page_set(self, "ab"));
  return mainstem_scope_add(context, "Cell", NULL, child);
}

/* Catches: a list that ends what was set while its children were opened. */
CASE(a_list_that_was_set_meanwhile_stays, IN_BOTH) {
  page self;
  page_open(&self, threads);
  EXPECT_OK(page_set(&self, "a"));
  mainstem_child child = {"x", 1, 0};
  EXPECT_STATUS(mainstem_children_set(self.scope, self.cells, &child, sizeof child, 1, NULL,
                                      open_nested, &self),
                MAINSTEM_STALE);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_children_set: children: were set by another call meanwhile: call again");
  EXPECT_TEXT(self.seen.text, "a [a] b [ab] ~0");
  EXPECT_EQUAL(stats_of(self.context).scopes, 3);
  page_close(&self);
}

static void page_replay(page *self, uint32_t threads, const char *path, uint32_t mode) {
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  page_install(self);
  if (mode == MAINSTEM_REPLAY_VERIFY) {
    mainstem_replay *replay = replay_open(self->context, path, mode);
    EXPECT_OK(
        page_set(self, "pq")); /* As when it was recorded: it opens them, and sends nothing. */
    EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
    mainstem_replay_info info = {.size = sizeof info};
    EXPECT_OK(mainstem_replay_info_read(replay, &info));
    EXPECT_EQUAL(info.verified_until, info.last);
    EXPECT_OK(mainstem_replay_close(replay));
    return;
  }
  mainstem_replay *replay = replay_open(self->context, path, mode);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_close(replay));
}

/* Catches: a child that a replay does not find, or that it ends at another place. */
CASE(a_session_with_children_verifies, IN_BOTH) {
  const char *path = journal_path("session");
  page self, again;
  memset(&self, 0, sizeof self);
  self.context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  page_install(&self);
  EXPECT_OK(page_set(&self, "pq"));
  go(&self, "q");
  for (size_t i = 0; i + 1 < COUNT(steps); i++) go(&self, steps[i][0]);
  EXPECT_OK(mainstem_context_close(self.context));
  page_replay(&again, threads, path, MAINSTEM_REPLAY_VERIFY);
  EXPECT_TEXT(again.seen.text, self.seen.text);
  EXPECT_EQUAL(again.count, self.count);
  for (size_t i = 0; i < self.count; i++) EXPECT(again.last[i] == self.last[i]);
  EXPECT_EQUAL(stats_of(again.context).scopes, 4);
  EXPECT_OK(mainstem_context_close(again.context));
  page_replay(&again, threads, path, MAINSTEM_REPLAY_MUTED);
  EXPECT_EQUAL(again.opened, 0);
  EXPECT(strstr(again.seen.text, "[cxb]") != NULL);
  EXPECT_OK(mainstem_context_close(again.context));
}

/* Catches: children that are opened for a list that the disk does not take, and stay. */
CASE(a_full_disk_takes_children_back, IN_ONE) {
  struct rlimit usual, none;
  page self;
  memset(&self, 0, sizeof self);
  self.context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, journal_path("full"), NULL));
  page_install(&self);
  EXPECT_OK(page_set(&self, "abc"));
  EXPECT_EQUAL(getrlimit(RLIMIT_FSIZE, &usual), 0);
  none = usual;
  none.rlim_cur = 0;
  signal(SIGXFSZ, SIG_IGN);
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &none), 0);
  mainstem_event_type fill = type_open(self.context, "Fill", MAINSTEM_PAYLOAD_BYTES, NULL);
  static char much[1 << 12];
  while (mainstem_send(self.context, fill, much, sizeof much) == MAINSTEM_OK) continue;
  const uint32_t scopes = stats_of(self.context).scopes;
  self.ends = (mainstem_list_ends){0, 0, 0};
  EXPECT(page_set(&self, "axc") != MAINSTEM_OK);
  EXPECT_EQUAL(stats_of(self.context).scopes, scopes);
  for (size_t i = 0; i < self.count; i++) EXPECT(scope_with(&self, self.last[i]) != NULL);
  EXPECT_EQUAL(setrlimit(RLIMIT_FSIZE, &usual), 0);
  (void)mainstem_context_close(self.context);
}

static void on_fetch(void *user_data, const mainstem_event *event) {
  on_go(user_data, event);
  EXPECT_OK(mainstem_respond(event, NULL, 0));
}

/* Catches: a fetch that may not say what is there; one that opens children, or hides what else is wrong. */
CASE(a_fetch_changes_no_children, IN_BOTH) {
  static const mainstem_handler_row row = {"RequestFetchPage", on_fetch, MAINSTEM_HANDLER_FETCH};
  page here;
  page_open(&here, threads);
  type_open(here.context, "ResponsePage", MAINSTEM_PAYLOAD_NONE, NULL);
  mainstem_event_type fetch =
      type_open(here.context, "RequestFetchPage", MAINSTEM_PAYLOAD_TEXT, "ResponsePage");
  EXPECT_OK(mainstem_server_add(here.scope, NULL, &row, sizeof row, 1, &here, NULL, NULL));
  EXPECT_OK(page_set(&here, "ab"));
  const int opened = here.opened;
  EXPECT_OK(mainstem_request(here.context, fetch, "ab", 2, NULL, NULL, NULL));
  EXPECT_OK(here.status);
  EXPECT_EQUAL(stats_of(here.context).failures, 0);
  EXPECT_OK(mainstem_request(here.context, fetch, "abc", 3, NULL, NULL, NULL));
  EXPECT_EQUAL(here.status, MAINSTEM_INVALID);
  EXPECT_EQUAL(here.opened, opened);
  EXPECT_EQUAL(stats_of(here.context).failures, 1);
  page_close(&here);
}

int main(void) { return journal_expect_all(); }

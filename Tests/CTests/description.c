// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* What a context says of itself while it runs: who handles, observes and has sent each type. */

#include "elsewhere.h"
#include "scheduled.h"

typedef struct text {
  int calls;
  char json[20000];
} text;

/* Keeps the text, without the numbers of scopes and the library's own types. */
static void keep_text(void *user_data, const char *line) {
  static const char own[] = "{\"name\":\"Mainstem", number[] = ",\"number\":";
  text *self = (text *)user_data;
  size_t length = 0;
  EXPECT(strlen(line) < sizeof self->json && strchr(line, '\n') == NULL);
  self->calls++;
  while (*line != 0) {
    if (strncmp(line, number, strlen(number)) == 0) {
      line += strlen(number);
      line += strspn(line, "0123456789");
    } else if (strncmp(line, own, strlen(own)) == 0) {
      line = strchr(line, '}') + 1;
      line += *line == ',';
    } else {
      self->json[length++] = *line++;
    }
  }
  self->json[length] = 0;
}

static const char *described(mainstem_context *context) {
  static text self;
  memset(&self, 0, sizeof self);
  EXPECT_OK(mainstem_context_describe(context, keep_text, &self));
  EXPECT_EQUAL(self.calls, 1);
  return self.json;
}

static void expect_described(mainstem_context *context, const char *part) {
  const char *json = described(context);
  if (strstr(json, part) == NULL) printf("%s\n", json);
  EXPECT(strstr(json, part) != NULL);
}

static void expect_not_described(mainstem_context *context, const char *part) {
  EXPECT(strstr(described(context), part) == NULL);
}

static void ignore(void *user_data, const mainstem_event *event) {}

static mainstem_subscription *look(mainstem_context *context, mainstem_event_type type) {
  mainstem_subscription *subscription = NULL;
  EXPECT_OK(mainstem_observe(context, type, ignore, NULL, NULL, &subscription));
  return subscription;
}

#define TYPES                                                                                      \
  "{\"name\":\"RequestAsk\",\"role\":\"request\",\"layer\":\"app\","                               \
  "\"response\":\"ResponseAnswer\"%s},"                                                            \
  "{\"name\":\"ResponseAnswer\",\"role\":\"response\",\"layer\":\"app\"},"                         \
  "{\"name\":\"Notice\",\"role\":\"notice\",\"layer\":\"app\"%s},"                                 \
  "{\"name\":\"Other\",\"role\":\"notice\",\"layer\":\"view\"%s}"

#define ROOT "{\"name\":\"\",\"kind\":\"context\"}"

/* The whole text of a context with those types. */
static void expect_whole(mainstem_context *context, const char *scopes, const char *ask,
                         const char *notice, const char *other, const char *more) {
  char wanted[4000], types[2000];
  snprintf(types, sizeof types, TYPES, ask, notice, other);
  snprintf(wanted, sizeof wanted, "{\"scopes\":[" ROOT "%s],\"types\":[%s%s}", scopes, types, more);
  EXPECT_TEXT(described(context), wanted);
}

/* Catches: a part that is missing, a stray comma, a scope or a type out of order. */
CASE(golden, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *server, *view, *row;
  expect_whole(on.context, "", "", "", "", "]");
  server = serve_one(on.context, "Server", "RequestAsk", ignore, NULL);
  view = scope_open(on.context, "View");
  EXPECT_OK(mainstem_scope_add(
      view, "Row", OPTIONS(scope, .send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW)), &row));
  look(row, on.notice);
  look(server, on.notice);
  look(view, MAINSTEM_TYPE_ANY);
  expect_whole(on.context,
               ",{\"name\":\"Server\",\"kind\":\"server\",\"parent\":0}"
               ",{\"name\":\"View\",\"kind\":\"scope\",\"parent\":0}"
               ",{\"name\":\"Row\",\"kind\":\"scope\",\"parent\":2,\"sends\":[\"view\"]}",
               ",\"handlers\":[{\"scope\":1,\"name\":\"Server\"}]",
               ",\"observers\":[{\"scope\":3,\"name\":\"Row\"},{\"scope\":1,\"name\":\"Server\"}]",
               "", "],\"observers\":[{\"scope\":2,\"name\":\"View\"}]");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: one entry for each of many observers, a count that is wrong, unlike ones that are one. */
CASE(alike_observers_of_a_scope_are_one, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *one = scope_open(on.context, "Row"), *other = scope_open(on.context, "Row");
  mainstem_event_type both[] = {on.notice, on.other};
  for (int i = 0; i < 1000; i++) {
    look(one, on.notice);
    look(other, on.notice);
    look(one, MAINSTEM_TYPE_ANY);
  }
  EXPECT_OK(mainstem_observe_with(one, OPTIONS(observe, .types = both, .type_count = 2), ignore,
                                  NULL, NULL, NULL));
  expect_described(on.context, "\"Notice\",\"role\":\"notice\",\"layer\":\"app\",\"observers\":["
                               "{\"scope\":1,\"name\":\"Row\",\"count\":1001},"
                               "{\"scope\":2,\"name\":\"Row\",\"count\":1000}]");
  expect_described(on.context, "\"Other\",\"role\":\"notice\",\"layer\":\"view\",\"observers\":["
                               "{\"scope\":1,\"name\":\"Row\"}]");
  expect_described(on.context, "],\"observers\":[{\"scope\":1,\"name\":\"Row\",\"count\":1000}]}");
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: an order by scope or by hash instead of that of the calls. */
CASE(observers_come_in_the_order_in_which_they_are_called, IN_BOTH) {
  enum { MANY = 50 };
  stream on = stream_open(threads);
  mainstem_context *scope[MANY];
  char wanted[MANY * 40] = "\"observers\":[", part[40];
  for (int i = 0; i < MANY; i++) scope[i] = scope_open(on.context, "Cell");
  for (int i = 0; i < MANY; i++) {
    int which = i * 17 % MANY;
    look(scope[which], on.notice);
    snprintf(part, sizeof part, "%s{\"scope\":%d,\"name\":\"Cell\"}", i == 0 ? "" : ",", which + 1);
    strcat(wanted, part);
  }
  expect_described(on.context, strcat(wanted, "]"));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a place or a kind that is not told. */
CASE(it_says_where_and_of_what_they_observe, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "Scope");
  mainstem_scheduler serial;
  EXPECT_OK(mainstem_scheduler_add(on.context, "worker", 0, &serial));
  mainstem_observe_options options[] = {{.scheduler = MAINSTEM_SCHEDULER_HOST},
                                        {.scheduler = serial},
                                        {.of = scope},
                                        {.scheduler = MAINSTEM_SCHEDULER_HOST}};
  for (size_t i = 0; i < COUNT(options); i++) {
    options[i].size = sizeof options[i];
    options[i].types = &on.notice;
    options[i].type_count = 1;
    mainstem_subscription *mailbox;
    EXPECT_OK(mainstem_observe_with(on.context, &options[i], i == 3 ? NULL : ignore, NULL, NULL,
                                    i == 3 ? &mailbox : NULL));
  }
  EXPECT_OK(mainstem_observe_with(on.context,
                                  OPTIONS(observe, .role = MAINSTEM_ROLE_REQUEST,
                                          .layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_MODEL) |
                                                    MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_VIEW)),
                                  ignore, NULL, NULL, NULL));
  expect_described(on.context, "\"observers\":[{\"scope\":0,\"name\":\"\",\"on\":\"host\"},"
                               "{\"scope\":0,\"name\":\"\",\"on\":\"worker\"},"
                               "{\"scope\":0,\"name\":\"\",\"kind\":\"one scope\"},"
                               "{\"scope\":0,\"name\":\"\",\"on\":\"mailbox\"}]");
  expect_described(on.context, "],\"observers\":[{\"scope\":0,\"name\":\"\","
                               "\"role\":\"request\",\"layers\":[\"model\",\"view\"]}]}");
  EXPECT_OK(mainstem_context_close(on.context));
}

static const mainstem_viewmodel_row cell_rows[] = {
    {"title", MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_PAYLOAD_TEXT, NULL, NULL, 0, 0, NULL},
    {"pick", MAINSTEM_VIEWMODEL_COMMAND, MAINSTEM_PAYLOAD_NONE, ignore, NULL, 0, 0, NULL}};

/* Catches: a view that is not told from other observers, values of nobody, values not yet set. */
CASE(it_says_who_shows_and_who_is_bound, IN_BOTH) {
  const mainstem_binding_row title = {"title", ignore, 0};
  stream on = stream_open(threads);
  mainstem_context *cell, *view = scope_open(on.context, "View");
  mainstem_binding *binding;
  mainstem_event_type level =
      type_open(on.context, "Level", MAINSTEM_ROLE_VALUE | MAINSTEM_PAYLOAD_TEXT, NULL);
  expect_not_described(on.context, "senders");
  EXPECT_OK(mainstem_viewmodel_add(on.context, "Cell", MAINSTEM_ROWS(cell_rows), NULL, NULL, NULL,
                                   &cell));
  EXPECT_OK(mainstem_binding_add(view, cell, MAINSTEM_ROWS(((mainstem_binding_row[]){title})), NULL,
                                 NULL, &binding));
  EXPECT_OK(mainstem_value_set(cell, type_named(on.context, "Cell.title"), "tea", 3));
  EXPECT_OK(mainstem_value_set(on.context, level, "high", 4));
  expect_described(on.context,
                   "{\"name\":\"Cell.title\",\"role\":\"value\",\"layer\":\"viewmodel\","
                   "\"observers\":[{\"scope\":1,\"name\":\"View\",\"kind\":\"binding\"}],"
                   "\"senders\":[{\"scope\":2,\"name\":\"Cell\"}]}");
  expect_described(on.context, "\"handlers\":[{\"scope\":2,\"name\":\"Cell\",\"kind\":\"own\"}]");
  expect_described(on.context, "\"senders\":[{\"scope\":0,\"name\":\"\"}]");
  expect_described(cell, "\"senders\":[{\"scope\":0,\"name\":\"Cell\"}]");
  expect_not_described(cell, "\"name\":\"\"");
  EXPECT_OK(mainstem_scope_end(cell));
  expect_not_described(on.context, "\"name\":\"Cell\"");
  EXPECT_OK(mainstem_context_close(on.context));
}

typedef struct inside {
  stream on;
  mainstem_context *ended, *server;
  mainstem_subscription *cancelled;
  int calls;
} inside;

static void change_and_describe(void *user_data, const mainstem_event *event) {
  inside *self = (inside *)user_data;
  (void)event;
  if (self->calls++ > 0) return;
  EXPECT_OK(mainstem_cancel(self->cancelled));
  EXPECT_OK(mainstem_scope_end(self->ended));
  EXPECT_OK(mainstem_scope_end(self->server));
  look(scope_open(self->on.context, "New"), self->on.notice);
  expect_whole(self->on.context, ",{\"name\":\"New\",\"kind\":\"scope\",\"parent\":0}", "",
               ",\"observers\":[{\"scope\":0,\"name\":\"\"},{\"scope\":1,\"name\":\"New\"}]", "",
               "]");
}

/* Catches: a scope or an observer that has ended and is still shown, and one that waits for its turn and is not. */
CASE(a_callback_sees_what_it_has_changed, IN_BOTH) {
  inside self = {.on = stream_open(threads)};
  EXPECT_OK(
      mainstem_observe(self.on.context, self.on.notice, change_and_describe, &self, NULL, NULL));
  self.cancelled = look(self.on.context, self.on.other);
  self.ended = scope_open(self.on.context, "Ended");
  look(self.ended, self.on.notice);
  look(scope_open(self.ended, "Child"), MAINSTEM_TYPE_ANY);
  self.server = serve_one(self.on.context, "Server", "RequestAsk", ignore, NULL);
  EXPECT_OK(send_text(self.on.context, self.on.notice, "x"));
  EXPECT_EQUAL(self.calls, 1);
  EXPECT_OK(mainstem_context_close(self.on.context));
}

/* Catches: a scope that tells of its neighbours, numbers that are left behind. */
CASE(a_scope_describes_itself_and_those_below, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "Scope"), *child = scope_open(scope, "Child");
  look(on.context, on.notice);
  look(child, on.notice);
  for (int i = 0; i < 2; i++) {
    expect_described(scope, "\"observers\":[{\"scope\":1,\"name\":\"Child\"}]");
    expect_described(child, "{\"scopes\":[{\"name\":\"Child\",\"kind\":\"scope\"}],");
    expect_described(child, "\"observers\":[{\"scope\":0,\"name\":\"Child\"}]");
    expect_described(on.context, "\"observers\":[{\"scope\":0,\"name\":\"\"},"
                                 "{\"scope\":2,\"name\":\"Child\"}]");
  }
  EXPECT_OK(mainstem_context_close(on.context));
}

static void expect_long(void *user_data, const char *line) {
  size_t *length = (size_t *)user_data;
  *length = strlen(line);
  EXPECT_TEXT(line + *length - 2, "]}");
}

/* Catches: a stack that grows with the tree, text that is cut, names that break the text. */
CASE(names_and_depth_do_no_harm, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "a\"\\\n\x1b[2J\xe2\x80\xae");
  size_t length = 0;
  expect_described(on.context, "{\"name\":\"a\\\"\\\\\\u000a\\u001b[2J\\u202e\",");
  for (int i = 0; i < 20000; i++) scope = scope_open(scope, "deep");
  EXPECT_OK(mainstem_context_describe(on.context, expect_long, &length));
  EXPECT(length > 20000 * 50);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void close_it(void *user_data, const char *line) {
  size_t length = strlen(line);
  EXPECT_OK(mainstem_context_close((mainstem_context *)user_data));
  EXPECT_EQUAL(strlen(line), length);
}

/* Catches: a function that is called while something is locked, or a text that ends with the context. */
CASE(its_function_may_make_all_calls, IN_BOTH) {
  stream on = stream_open(threads);
  scope_open(on.context, "Scope");
  EXPECT_OK(mainstem_context_describe(on.context, close_it, on.context));
  EXPECT_STATUS(mainstem_context_describe(on.context, close_it, NULL), MAINSTEM_STALE);
}

static void describe_it(void *user_data, const mainstem_event *event) {
  EXPECT_STATUS(event->status, MAINSTEM_CANCELLED);
  expect_described((mainstem_context *)user_data, "\"name\":\"Server\"");
}

CASE(it_works_while_the_context_closes, IN_BOTH) {
  stream on = stream_open(threads);
  serve_one(on.context, "Server", "RequestAsk", keep_for_ever, NULL);
  EXPECT_OK(mainstem_request(on.context, on.ask, "?", 1, describe_it, on.context, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *describe_elsewhere(void *data) {
  text self;
  EXPECT_STATUS(mainstem_context_describe((mainstem_context *)data, keep_text, &self),
                MAINSTEM_WRONG_THREAD);
  return NULL;
}

CASE(what_cannot_be_described_is_refused, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *scope = scope_open(on.context, "Scope");
  mainstem_subscription *observer = look(on.context, on.notice);
  text self;
  EXPECT_STATUS(mainstem_context_describe(NULL, keep_text, &self), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_describe(on.context, NULL, NULL), MAINSTEM_INVALID);
  EXPECT(strstr(mainstem_last_error(), "mainstem_context_describe: fn") != NULL);
  EXPECT_STATUS(mainstem_context_describe((mainstem_context *)observer, keep_text, &self),
                MAINSTEM_WRONG_KIND);
  EXPECT_OK(mainstem_scope_end(scope));
  EXPECT_STATUS(mainstem_context_describe(scope, keep_text, &self), MAINSTEM_STALE);
  if (threads == MAINSTEM_THREADS_ONE) elsewhere(describe_elsewhere, on.context);
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *look_and_cancel(void *data) {
  stream *on = (stream *)data;
  for (int i = 0; i < 2000; i++) {
    mainstem_context *scope = scope_open(on->context, "Other");
    look(scope, on->notice);
    EXPECT_OK(send_text(scope, on->notice, "x"));
    EXPECT_OK(mainstem_scope_end(scope));
  }
  return NULL;
}

/* Catches: a look at what another thread changes. */
CASE(others_may_change_the_context_meanwhile, IN_ANY) {
  stream on = stream_open(threads);
  pthread_t other = beside(look_and_cancel, &on);
  for (int i = 0; i < 500; i++) expect_described(on.context, "\"kind\":\"context\"");
  join(other);
  expect_not_described(on.context, "Other\",\"kind\"");
  EXPECT_OK(mainstem_context_close(on.context));
}

int main(void) { return expect_run(60); }

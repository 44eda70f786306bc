// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Errors, FAULTS section 4: each status provoked, each message naming function, argument, reason. */

#include "asking.h"
#include "elsewhere.h"

#include <unistd.h>

/* A message is "function: argument: reason"; argument is NULL where the whole call is refused. */
static void expect_sentence_of(const char *function, const char *argument, int line) {
  const char *is = mainstem_last_error();
  size_t length = strlen(function);
  if (strncmp(is, function, length) != 0 || strncmp(is + length, ": ", 2) != 0) {
    expect_text(is, function, __FILE__, line, "the message begins with the function");
  }
  if (argument != NULL && (strncmp(is + length + 2, argument, strlen(argument)) != 0 ||
                           is[length + 2 + strlen(argument)] != ':')) {
    expect_text(is, argument, __FILE__, line, "the message goes on with the argument");
  }
  if (strlen(is) < length + 8) expect_text(is, "", __FILE__, line, "the message has a reason");
}

#define REFUSED(status, function, argument, call)                                                  \
  do {                                                                                             \
    EXPECT_STATUS(function call, status);                                                          \
    expect_sentence_of(#function, argument, __LINE__);                                             \
  } while (0)

CASE(handles_are_named, IN_BOTH) {
  stream on = stream_open(threads);
  keeper kept = {0, {NULL}};
  asking one;
  mainstem_subscription *subscription;
  uint64_t position;
  EXPECT_OK(mainstem_observe(on.context, 0, asking_answered, &one, NULL, &subscription));
  keeper_serve(&kept, &on);
  asking_ask(&one, &on);
  REFUSED(MAINSTEM_INVALID, mainstem_send, "context", (NULL, 1, "", 0));
  REFUSED(MAINSTEM_WRONG_KIND, mainstem_send, "context",
          ((mainstem_context *)(void *)subscription, 1, "", 0));
  REFUSED(MAINSTEM_WRONG_KIND, mainstem_cancel, "subscription",
          ((mainstem_subscription *)(void *)on.context));
  EXPECT_OK(mainstem_pending_cancel(one.pending));
  REFUSED(MAINSTEM_STALE, mainstem_pending_position, "pending", (one.pending, &position));
  REFUSED(MAINSTEM_STALE, mainstem_respond, "event", (keeper_event(&kept, 0), "", 0));
  EXPECT_OK(mainstem_cancel(subscription));
  REFUSED(MAINSTEM_STALE, mainstem_cancel, "subscription", (subscription));
  EXPECT_OK(mainstem_context_close(on.context));
  REFUSED(MAINSTEM_STALE, mainstem_send, "context", (on.context, 2, "", 0));
  REFUSED(MAINSTEM_STALE, mainstem_context_close, "context", (on.context));
}

/* Catches: what was of a closed context called unknown, and what ended before it called closed. */
CASE(a_closed_context_is_named, IN_BOTH) {
  stream on = stream_open(threads), next = {0};
  mainstem_context *scope, *ended;
  mainstem_subscription *subscription;
  ended = scope_open(on.context, "Ended");
  EXPECT_OK(mainstem_scope_end(ended));
  REFUSED(MAINSTEM_STALE, mainstem_send, "context", (ended, on.notice, "", 0));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: context: has ended, or is not a handle: set it to NULL when it ends");
  EXPECT_OK(mainstem_observe(on.context, 0, asking_answered, NULL, NULL, &subscription));
  scope = scope_open(on.context, "Scope");
  EXPECT_OK(mainstem_context_close(on.context));
  REFUSED(MAINSTEM_STALE, mainstem_send, "context", (scope, on.notice, "", 0));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: context: the context is closed: close it after the last call");
  REFUSED(MAINSTEM_STALE, mainstem_cancel, "subscription", (subscription));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_cancel: subscription: the context is closed: close it after the last call");
  for (int again = 0; again < 2; again++) { /* Then with its memory in use by another. */
    REFUSED(MAINSTEM_STALE, mainstem_send, "context", (on.context, on.notice, "", 0));
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_send: context: the context is closed: close it after the last call");
    REFUSED(MAINSTEM_STALE, mainstem_post, "context", (on.context, on.notice, "", 0));
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_post: context: the context is closed: close it after the last call");
    REFUSED(MAINSTEM_STALE, mainstem_request, "context",
            (on.context, on.ask, "", 0, asking_answered, NULL, NULL));
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_request: context: the context is closed: close it after the last call");
    REFUSED(MAINSTEM_STALE, mainstem_observe, "context",
            (on.context, 0, asking_answered, NULL, NULL, NULL));
    EXPECT_TEXT(mainstem_last_error(),
                "mainstem_observe: context: the context is closed: close it after the last call");
    if (again == 0) next = stream_open(threads);
  }
  EXPECT_OK(mainstem_observe(next.context, 0, asking_answered, NULL, NULL, &subscription));
  REFUSED(MAINSTEM_STALE, mainstem_send, "context", (scope, on.notice, "", 0));
  REFUSED(MAINSTEM_WRONG_KIND, mainstem_send, "context",
          ((mainstem_context *)(void *)subscription, 1, "", 0));
  EXPECT_OK(mainstem_context_close(next.context));
}

static void send_through_an_ended_scope(void *user_data, const mainstem_event *event) {
  REFUSED(MAINSTEM_STALE, mainstem_send, "context",
          ((mainstem_context *)user_data, event->type, "", 0));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_send: context: has ended, or is not a handle: set it to NULL when it ends");
}

/* Catches: what ended before called closed in a last callback, so that a replay says something else there. */
CASE(while_it_closes_nothing_is_closed, IN_BOTH) {
  stream on = stream_open(threads);
  mainstem_context *ended = scope_open(on.context, "Ended");
  EXPECT_OK(
      mainstem_observe(on.context, on.notice, send_through_an_ended_scope, ended, NULL, NULL));
  EXPECT_OK(mainstem_scope_end(ended));
  EXPECT_OK(mainstem_post(on.context, on.notice, "", 0));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: no hint, one too many, names that are not close, another order than that of registration. */
CASE(close_names_are_named, IN_BOTH) {
  static const char *const names[] = {"NoticeLoaded", "RequestLoad", "noticeloaded", "NoticeLoader",
                                      "NoticeLoad"};
  static const struct {
    const char *name, *shown;
  } rows[] = {{"NoticeLoadedNow", ""},
              {"NOTICELOADED",
               " (did you mean NoticeLoaded, noticeloaded, NoticeLoader?)"}, /* In that order. */
              {"ReqeustLoad", " (did you mean RequestLoad?)"},               /* Two replaced. */
              {"RequestLoadXY", " (did you mean RequestLoad?)"},
              {"RequestLoadXYZ", ""},
              {"uestLoad", ""},
              {"questLoad", " (did you mean RequestLoad?)"},
              {"Request@oad", " (did you mean RequestLoad?)"},
              {"Re", ""}};
  mainstem_context *context = context_open(threads);
  mainstem_event_type type;
  char wanted[200];
  for (size_t i = 0; i < COUNT(names); i++) {
    EXPECT_OK(mainstem_type_add(context, names[i], MAINSTEM_PAYLOAD_BYTES, NULL, &type));
  }
  for (size_t i = 0; i < COUNT(rows); i++) {
    mainstem_handler_row row = {rows[i].name, asking_answered, 0};
    REFUSED(MAINSTEM_INVALID, mainstem_type_find, "name", (context, rows[i].name, &type));
    const char *cure = rows[i].shown[0] == 0 ? ": register it first" : "";
    snprintf(wanted, sizeof wanted,
             "mainstem_type_find: name: %s%s is not a registered event type%s", rows[i].name,
             rows[i].shown, cure);
    EXPECT_TEXT(mainstem_last_error(), wanted);
    REFUSED(MAINSTEM_INVALID, mainstem_server_add, "rows.type",
            (context, "Server", &row, sizeof row, 1, NULL, NULL, NULL));
    snprintf(wanted, sizeof wanted,
             "mainstem_server_add: rows.type: %s%s is not a registered event type%s", rows[i].name,
             rows[i].shown, cure);
    EXPECT_TEXT(mainstem_last_error(), wanted);
  }
  EXPECT_OK(mainstem_context_close(context));
}

/* Catches: a list that breaks off without its end, or the message with it. */
CASE(long_close_names_fit, IN_ONE) {
  mainstem_context *context = context_open(threads);
  mainstem_event_type type;
  char name[256];
  memset(name, 'n', sizeof name - 1);
  name[255] = 0;
  for (int i = 0; i < 4; i++) {
    name[254] = (char)('a' + i);
    EXPECT_OK(mainstem_type_add(context, name, 0, NULL, &type));
  }
  name[254] = 'x';
  REFUSED(MAINSTEM_INVALID, mainstem_type_find, "name", (context, name, &type));
  EXPECT(strstr(mainstem_last_error(), "?) is not a registered event type") != NULL);
  EXPECT_OK(mainstem_context_close(context));
}

static void wait_inside(void *user_data, const mainstem_event *event) {
  ++*(int *)user_data;
  REFUSED(MAINSTEM_BUSY, mainstem_drain, NULL, (event->context, 0, NULL));
  REFUSED(MAINSTEM_BUSY, mainstem_flush, NULL, (event->context));
  REFUSED(MAINSTEM_BUSY, mainstem_wait, NULL, (event->context, 0));
  REFUSED(MAINSTEM_BUSY, mainstem_context_close, NULL, (event->context));
}

CASE(busy_and_timeout_say_so, IN_BOTH) {
  stream on = stream_open(threads);
  int calls = 0;
  EXPECT_OK(mainstem_observe(on.context, 0, wait_inside, &calls, NULL, NULL));
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0));
  EXPECT_EQUAL(calls, 1);
  REFUSED(MAINSTEM_TIMEOUT, mainstem_wait, NULL, (on.context, 0));
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *send_elsewhere(void *data) {
  const stream *on = (const stream *)data;
  EXPECT_TEXT(mainstem_last_error(), "");
  REFUSED(MAINSTEM_WRONG_THREAD, mainstem_send, "context", (on->context, on->notice, "", 0));
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: context: belongs to another thread: "
                                     "call from that thread, or send with mainstem_post");
  REFUSED(MAINSTEM_WRONG_THREAD, mainstem_send_many, "context", (on->context, "", 0, 0, NULL));
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send_many: context: belongs to another thread: "
                                     "call from that thread, or send with mainstem_post");
  REFUSED(MAINSTEM_WRONG_THREAD, mainstem_request, "context",
          (on->context, on->ask, "", 0, NULL, NULL, NULL));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_request: context: belongs to another thread: ask on that thread and pass "
              "the answer on, or make it for any thread (MAINSTEM_THREADS_ANY)");
  REFUSED(MAINSTEM_WRONG_THREAD, mainstem_scope_end, "scope", (on->context));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_scope_end: scope: belongs to another thread: call from that thread, or "
              "create the context with MAINSTEM_THREADS_ANY");
  REFUSED(MAINSTEM_WRONG_THREAD, mainstem_observe, "context",
          (on->context, 0, asking_answered, NULL, NULL, NULL));
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_observe: context: belongs to another thread: call from that thread, or "
              "create the context with MAINSTEM_THREADS_ANY");
  return NULL;
}

/* Catches: one buffer for all threads. */
CASE(each_thread_has_its_own, IN_ONE) {
  stream on = stream_open(threads);
  const char *message;
  REFUSED(MAINSTEM_INVALID, mainstem_send, "type", (on.context, 42, "", 0));
  elsewhere(send_elsewhere, &on);
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: type: 42 is not a registered event type: pass "
                                     "a number from this context's mainstem_type_add");
  EXPECT_OK(mainstem_send(on.context, on.notice, "", 0)); /* A success changes nothing. */
  EXPECT_TEXT(mainstem_last_error(), "mainstem_send: type: 42 is not a registered event type: pass "
                                     "a number from this context's mainstem_type_add");
  EXPECT_STATUS(mainstem_context_first_error(on.context, &message), MAINSTEM_INVALID);
  EXPECT_TEXT(message, "mainstem_send: type: 42 is not a registered event type: pass a number "
                       "from this context's mainstem_type_add");
  EXPECT_OK(mainstem_context_close(on.context));
}

static void *fail_elsewhere(void *data) {
  const stream *on = (const stream *)data;
  EXPECT_STATUS(mainstem_send(on->context, on->notice, "", 0), MAINSTEM_WRONG_THREAD);
  return NULL;
}

/* Catches: the last instead of the first, scopes apart, WRONG_THREAD not counted. */
CASE(the_first_error_is_kept, IN_BOTH) {
  stream on = stream_open(threads);
  const char *message = NULL, *again;
  EXPECT_OK(mainstem_context_first_error(on.context, &message));
  EXPECT_TEXT(message, "");
  mainstem_context *scope = scope_open(on.context, "Scope");
  if (threads == MAINSTEM_THREADS_ONE) elsewhere(fail_elsewhere, &on);
  mainstem_status wanted =
      threads == MAINSTEM_THREADS_ONE ? MAINSTEM_WRONG_THREAD : MAINSTEM_INVALID;
  EXPECT_STATUS(mainstem_send(scope, 42, "", 0), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_first_error(on.context, &message), wanted);
  EXPECT(strncmp(message, "mainstem_send: ", 15) == 0);
  EXPECT_STATUS(mainstem_observe(scope, 0, NULL, NULL, NULL, NULL), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_context_first_error(scope, &again), wanted);
  EXPECT_TEXT(again, message);
  EXPECT_STATUS(mainstem_context_first_error(on.context, NULL), wanted);
  EXPECT_STATUS(mainstem_context_first_error(NULL, &message), MAINSTEM_INVALID);
  EXPECT(strlen(message) > 0);
  EXPECT_OK(mainstem_context_close(on.context));
  EXPECT_STATUS(mainstem_context_first_error(on.context, &message), MAINSTEM_STALE);
}

/* Catches: a program that fails at its end because nothing came while it waited. */
CASE(a_wait_without_an_event_has_not_failed, IN_BOTH) {
  stream on = stream_open(threads);
  int ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  EXPECT_STATUS(mainstem_wait(on.context, 0), MAINSTEM_TIMEOUT);
  EXPECT_EQUAL(write(ends[1], "!", 1), 1);
  EXPECT_STATUS(mainstem_wait_interruptible(on.context, -1, ends[0]), MAINSTEM_INTERRUPTED);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_wait_interruptible: interrupt_fd: is readable, or a signal arrived");
  EXPECT_OK(mainstem_context_first_error(on.context, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
  close(ends[0]);
  close(ends[1]);
}

static void *read_names(void *data) {
  const stream *on = (const stream *)data;
  mainstem_type_info info = {.size = sizeof info};
  const char *origin = NULL;
  EXPECT_OK(mainstem_type_read(on->context, on->notice, &info));
  EXPECT_TEXT(info.name, "Notice");
  EXPECT_OK(mainstem_origin_name(on->context, 0, &origin));
  EXPECT_TEXT(origin, "");
  return NULL;
}

/* Catches: an observer on a serial scheduler that cannot say what it got. */
CASE(any_thread_reads_names, IN_BOTH) {
  stream on = stream_open(threads);
  elsewhere(read_names, &on);
  EXPECT_OK(mainstem_context_first_error(on.context, NULL));
  EXPECT_OK(mainstem_context_close(on.context));
}

/* Catches: a format string or a buffer overrun by what a host calls its things. */
CASE(hostile_names_do_no_harm, IN_BOTH) {
  static const char *const names[] = {"%s%s%n", "a\nb", "\x1b[31m", "\"quoted\"",
                                      "\xe2\x80\xae\xe2\x80\xa8\xc2\x85"};
  mainstem_context *context = context_open(threads);
  mainstem_event_type type;
  char name[255];
  for (size_t i = 0; i < COUNT(names); i++) {
    EXPECT_STATUS(mainstem_type_find(context, names[i], &type), MAINSTEM_INVALID);
    EXPECT(strchr(mainstem_last_error(), '\n') == NULL);
    EXPECT(strchr(mainstem_last_error(), '\x1b') == NULL);
    EXPECT(strchr(mainstem_last_error(), '\xe2') == NULL);
  }
  EXPECT(strstr(mainstem_last_error(), "\\u202e\\u2028\\u0085") != NULL);
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  EXPECT_STATUS(mainstem_type_find(context, name, &type), MAINSTEM_INVALID);
  EXPECT(strlen(mainstem_last_error()) > 20);
  EXPECT_OK(mainstem_context_close(context));
}

CASE(statuses_have_names, IN_ONE) {
  static const char *const names[] = {
      "OK",          "INVALID",  "STALE",    "WRONG_KIND",  "WRONG_THREAD", "BUSY",    "DENIED",
      "TOO_BIG",     "FULL",     "LIMIT",    "NO_MEMORY",   "UNHANDLED",    "TIMEOUT", "CANCELLED",
      "INTERRUPTED", "WITHHELD", "FORKED",   "UNSUPPORTED", "INCOMPLETE",   "IO",      "NO_SPACE",
      "LOCKED",      "CORRUPT",  "POISONED", "VERSION"};
  for (size_t i = 0; i < COUNT(names); i++)
    EXPECT_TEXT(mainstem_status_name((mainstem_status)i), names[i]);
  EXPECT_TEXT(mainstem_status_name(1000), "APP");
  EXPECT_TEXT(mainstem_status_name(INT32_MAX), "APP");
  EXPECT_TEXT(mainstem_status_name(999), "UNKNOWN");
  EXPECT_TEXT(mainstem_status_name(-1), "UNKNOWN");
  EXPECT_TEXT(mainstem_status_name(INT32_MIN), "UNKNOWN");
  EXPECT_EQUAL(mainstem_version(),
               MAINSTEM_VERSION_MAJOR << 16 | MAINSTEM_VERSION_MINOR << 8 | MAINSTEM_VERSION_PATCH);
}

int main(void) { return expect_all(); }

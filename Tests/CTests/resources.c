// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Resources (blocks.h): one load for many, what is kept, what is dropped, and how they end. A-68. */

#include "elsewhere.h"
#include "folder.h"
#include "stream.h"

#include <sys/wait.h>

enum { BROKEN = MAINSTEM_APP + 1, COST = 128, MOST = 16 };

/* A program with resources, and a provider that keeps what it is asked. */
typedef struct program {
  mainstem_context *context, *screen, *provider;
  mainstem_resources *pictures;
  mainstem_event_type picture, fetch, changed, step;
  size_t asked;
  mainstem_retained *kept[32];
  int drops;
  char dropped[64];
} program;

typedef struct viewer {
  program *program;
  int answers, steps;
  mainstem_status status;
  char key[8], text[64], bytes[64];
  mainstem_pending *pending;
} viewer;

static void provider_keep(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  EXPECT(self->asked < COUNT(self->kept));
  EXPECT_OK(mainstem_event_retain(event, &self->kept[self->asked++]));
}

static void note_drop(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->drops++;
  size_t length = strlen(self->dropped);
  snprintf(self->dropped + length, sizeof self->dropped - length, "%.*s", (int)event->size,
           (const char *)event->data);
}

static const mainstem_type_row rows_of_types[] = {
    {"RequestPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
    {"RequestFetchPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
    {"ResponsePicture", MAINSTEM_PAYLOAD_NONE, NULL},
    {"PictureChanged", MAINSTEM_PAYLOAD_TEXT, NULL},
    {"Step", MAINSTEM_PAYLOAD_INTEGER, NULL}};

static mainstem_resources_options picture_options(void) {
  mainstem_resources_options options = {.size = sizeof options, .request = "RequestPicture"};
  options.behind = "RequestFetchPicture";
  options.drop = "PictureChanged";
  return options;
}

static void program_install(program *self, const mainstem_resources_options *options) {
  mainstem_event_type types[COUNT(rows_of_types)];
  EXPECT_OK(mainstem_types_add(self->context, MAINSTEM_ROWS(rows_of_types), types));
  self->picture = types[0], self->fetch = types[1], self->changed = types[3], self->step = types[4];
  self->provider = serve_one(self->context, "Site", "RequestFetchPicture", provider_keep, self);
  self->screen = scope_open(self->context, "Pictures");
  EXPECT_OK(mainstem_observe(self->context, self->changed, note_drop, self, NULL, NULL));
  EXPECT_OK(mainstem_resources_add(self->screen, "Cache", options, &self->pictures));
}

static void program_open(program *self, uint32_t threads, size_t limit_bytes, size_t limit) {
  mainstem_resources_options options = picture_options();
  options.limit_bytes = limit_bytes;
  options.limit = limit;
  memset(self, 0, sizeof *self);
  self->context = context_open(threads);
  program_install(self, &options);
}

static void program_close(program *self) {
  uint64_t count = 1;
  EXPECT_OK(mainstem_request_count(self->context, MAINSTEM_TYPE_ANY, &count));
  EXPECT_EQUAL(count, 0);
  for (size_t i = 0; i < self->asked; i++) EXPECT_OK(mainstem_retained_release(self->kept[i]));
  EXPECT_EQUAL(stats_of(self->context).retained, 0);
  EXPECT_OK(mainstem_context_close(self->context));
}

/* Reads what is kept; false: nothing. */
static bool get(program *self, const char *key, char *bytes, size_t capacity) {
  mainstem_resource *resource;
  const void *data;
  size_t size;
  mainstem_status status = mainstem_resource_get(self->pictures, key, strlen(key), &resource);
  bytes[0] = 0;
  if (status != MAINSTEM_OK) {
    EXPECT_STATUS(status, MAINSTEM_UNSET);
    EXPECT(resource == NULL);
    return false;
  }
  EXPECT_OK(mainstem_resource_read(resource, &data, &size));
  snprintf(bytes, capacity, "%.*s", (int)size, (const char *)data);
  EXPECT_OK(mainstem_resource_release(resource));
  return true;
}

static bool has(program *self, const char *key) {
  char bytes[8];
  return get(self, key, bytes, sizeof bytes);
}

static void get_answer(void *user_data, const mainstem_event *event) {
  viewer *self = (viewer *)user_data;
  self->answers++;
  self->status = event->status;
  if (event->status == MAINSTEM_OK)
    EXPECT(get(self->program, self->key, self->bytes, sizeof self->bytes));
  else snprintf(self->text, sizeof self->text, "%s", event->user_message);
}

static void get_step(void *user_data, const mainstem_event *event) {
  ((viewer *)user_data)->steps += (int)mainstem_event_integer(event);
}

static void ask_within(program *self, viewer *of, const char *key, int64_t timeout_ms) {
  memset(of, 0, sizeof *of);
  of->program = self;
  snprintf(of->key, sizeof of->key, "%s", key);
  EXPECT_OK(mainstem_request_with(self->context, self->picture, key, strlen(key),
                                  OPTIONS(request, .progress = get_step, .timeout_ms = timeout_ms),
                                  get_answer, of, NULL, &of->pending));
}

static void ask(program *self, viewer *of, const char *key) { ask_within(self, of, key, 0); }

static mainstem_status put(program *self, size_t index, const char *bytes) {
  EXPECT(index < self->asked);
  mainstem_status status =
      mainstem_resources_put(self->pictures, kept_event(self->kept[index]), bytes, strlen(bytes));
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
  return status;
}

static void load(program *self, const char *key, const char *bytes) {
  viewer of;
  ask(self, &of, key);
  EXPECT_EQUAL(of.answers, 0);
  EXPECT_OK(put(self, self->asked - 1, bytes));
  EXPECT_EQUAL(of.answers, 1);
  EXPECT_TEXT(of.bytes, bytes);
}

static void expect_asked(program *self, size_t index, const char *key) {
  EXPECT(index < self->asked);
  const mainstem_event *event = kept_event(self->kept[index]);
  EXPECT_EQUAL(event->size, strlen(key));
  EXPECT(memcmp(event->data, key, event->size) == 0);
}

static void send_drop(program *self, const char *key) {
  EXPECT_OK(send_text(self->context, self->changed, key));
}

CASE(A_68_ten_requests_make_one_load, IN_BOTH) {
  program self;
  viewer of[10], later;
  program_open(&self, threads, 0, 0);
  for (size_t i = 0; i < 10; i++) ask(&self, &of[i], "cat");
  EXPECT_EQUAL(self.asked, 1);
  expect_asked(&self, 0, "cat");
  EXPECT_OK(put(&self, 0, "meow"));
  for (size_t i = 0; i < 10; i++) {
    EXPECT_EQUAL(of[i].answers, 1);
    EXPECT_TEXT(of[i].bytes, "meow");
  }
  ask(&self, &later, "cat");
  EXPECT_TEXT(later.bytes, "meow");
  EXPECT_EQUAL(self.asked, 1);
  program_close(&self);
}

static bool is_settled(program *self, size_t index) {
  bool settled = false;
  EXPECT_OK(mainstem_event_is_settled(kept_event(self->kept[index]), &settled));
  return settled;
}

CASE(A_68_the_load_is_cancelled_with_the_last_request, IN_BOTH) {
  program self;
  viewer of[10], again;
  program_open(&self, threads, 0, 0);
  for (size_t i = 0; i < 10; i++) ask(&self, &of[i], "cat");
  for (size_t i = 0; i < 9; i++) EXPECT_OK(mainstem_pending_cancel(of[i].pending));
  EXPECT(!is_settled(&self, 0));
  EXPECT_OK(mainstem_pending_cancel(of[9].pending));
  EXPECT(is_settled(&self, 0));
  for (size_t i = 0; i < 10; i++) EXPECT(of[i].answers == 1 && of[i].status == MAINSTEM_CANCELLED);
  EXPECT_STATUS(put(&self, 0, "late"), MAINSTEM_STALE);
  EXPECT(!has(&self, "cat"));
  ask(&self, &again, "cat"); /* loads anew */
  EXPECT_EQUAL(self.asked, 2);
  EXPECT_STATUS(put(&self, 0, "late"), MAINSTEM_STALE);
  EXPECT_OK(put(&self, 1, "meow"));
  EXPECT_TEXT(again.bytes, "meow");
  program_close(&self);
}

CASE(A_68_an_error_goes_to_all_that_wait, IN_BOTH) {
  program self;
  viewer of[3];
  program_open(&self, threads, 0, 0);
  for (size_t i = 0; i < 3; i++) ask(&self, &of[i], "cat");
  EXPECT_OK(mainstem_respond_error(kept_event(self.kept[0]), BROKEN, "no such cat"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  for (size_t i = 0; i < 3; i++) {
    EXPECT(of[i].answers == 1 && of[i].status == BROKEN);
    EXPECT_TEXT(of[i].text, "no such cat");
  }
  EXPECT_EQUAL(self.asked, 1);
  EXPECT(!has(&self, "cat"));
  load(&self, "cat", "meow"); /* nothing was kept */
  program_close(&self);
}

CASE(A_68_the_least_recently_used_is_dropped, IN_BOTH) {
  program self;
  viewer of;
  program_open(&self, threads, 3 * (COST + 1 + 2), 0);
  load(&self, "a", "aa");
  load(&self, "b", "bb");
  load(&self, "c", "cc");
  EXPECT_EQUAL(self.drops, 0);
  ask(&self, &of, "a"); /* now b is the least recently used */
  EXPECT_EQUAL(of.answers, 1);
  EXPECT(has(&self, "b")); /* a get does not count */
  load(&self, "d", "dd");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "b");
  EXPECT(has(&self, "a") && !has(&self, "b") && has(&self, "c") && has(&self, "d"));
  load(&self, "e", "eeeee"); /* larger by 3: two have to go */
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "bca");
  load(&self, "b", "bb");
  program_close(&self);
}

CASE(one_larger_than_the_limit_is_got_once, IN_BOTH) {
  program self;
  program_open(&self, threads, 1, 0);
  load(&self, "a", "much more than one byte");
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "a");
  EXPECT(!has(&self, "a"));
  program_close(&self);
}

CASE(progress_goes_to_all_that_wait, IN_BOTH) {
  program self;
  viewer of[2];
  int64_t step = 7;
  program_open(&self, threads, 0, 0);
  for (size_t i = 0; i < 2; i++) ask(&self, &of[i], "cat");
  EXPECT_OK(mainstem_respond_progress(kept_event(self.kept[0]), self.step, &step, sizeof step));
  EXPECT_OK(put(&self, 0, "meow"));
  EXPECT(of[0].steps == 7 && of[1].steps == 7);
  program_close(&self);
}

CASE(bytes_stay_until_they_are_released, IN_BOTH) {
  program self;
  mainstem_resource *resource, *other;
  const void *data;
  size_t size;
  program_open(&self, threads, 0, 0);
  load(&self, "cat", "meow");
  EXPECT_OK(mainstem_resource_get(self.pictures, "cat", 3, &resource));
  EXPECT_OK(mainstem_resource_get(self.pictures, "cat", 3, &other));
  EXPECT_OK(mainstem_resource_release(other));
  EXPECT_STATUS(mainstem_resource_read(other, &data, &size), MAINSTEM_STALE);
  EXPECT(data == NULL && size == 0);
  send_drop(&self, "cat");
  EXPECT(!has(&self, "cat"));
  program_close(&self);
  EXPECT_OK(mainstem_resource_read(resource, &data, &size));
  EXPECT(size == 4 && memcmp(data, "meow", 4) == 0 && (uintptr_t)data % 16 == 0);
  EXPECT_OK(mainstem_resource_release(resource));
  EXPECT_OK(mainstem_resource_release(NULL));
}

CASE(a_drop_while_it_loads_keeps_nothing, IN_BOTH) {
  program self;
  viewer of;
  program_open(&self, threads, 0, 0);
  ask(&self, &of, "cat");
  send_drop(&self, "cat");
  send_drop(&self, "dog"); /* no such key */
  EXPECT_OK(put(&self, 0, "old"));
  EXPECT_TEXT(of.bytes, "old");
  ask(&self, &of, "cat");
  EXPECT_EQUAL(self.asked, 2);
  EXPECT_OK(put(&self, 1, "new"));
  EXPECT_TEXT(of.bytes, "new");
  program_close(&self);
}

typedef struct racer {
  program *program;
  viewer *first, *second;
} racer;

/* The drop is delivered before the answer to the first request. */
static void race(void *user_data, const mainstem_event *event) {
  racer *self = (racer *)user_data;
  ask(self->program, self->first, "cat");
  send_drop(self->program, "cat");
  ask(self->program, self->second, "cat");
}

/* The provider has answered, and the requests that wait have not been yet. */
static void drop_behind(void *user_data, const mainstem_event *event) {
  if (event->answers == kept_event(((program *)user_data)->kept[1])->position)
    send_drop((program *)user_data, "cat");
}

CASE(a_drop_does_not_overtake_an_answer, IN_BOTH) {
  program self;
  viewer first, second;
  racer racer = {&self, &first, &second};
  program_open(&self, threads, 0, 0);
  load(&self, "cat", "old");
  EXPECT_OK(mainstem_observe(self.context, self.step, race, &racer, NULL, NULL));
  EXPECT_OK(mainstem_send(self.context, self.step, &(int64_t){1}, 8));
  EXPECT(first.answers == 1 && second.answers == 0);
  EXPECT_TEXT(first.bytes, "old");
  EXPECT_OK(mainstem_observe(self.context, type_named(self.context, "ResponsePicture"), drop_behind,
                             &self, NULL, NULL));
  EXPECT_OK(put(&self, 1, "new"));
  EXPECT_TEXT(second.bytes, "new");
  ask(&self, &first, "cat");
  EXPECT_EQUAL(self.asked, 3);
  EXPECT_OK(put(&self, 2, "newest"));
  EXPECT_TEXT(first.bytes, "newest");
  program_close(&self);
}

CASE(a_request_that_times_out_leaves, IN_BOTH) {
  program self;
  viewer of;
  memset(&self, 0, sizeof self);
  mainstem_resources_options options = picture_options();
  self.context = CONTEXT_WITH(.threads = threads, .clock = MAINSTEM_CLOCK_VIRTUAL);
  program_install(&self, &options);
  ask_within(&self, &of, "cat", 50);
  EXPECT_OK(mainstem_context_advance(self.context, 60));
  EXPECT_STATUS(of.status, MAINSTEM_TIMEOUT);
  EXPECT(is_settled(&self, 0));
  program_close(&self);
}

CASE(open_requests_are_limited, IN_BOTH) {
  program self;
  viewer of[4];
  program_open(&self, threads, 0, 2);
  for (size_t i = 0; i < 3; i++) ask(&self, &of[i], "cat");
  EXPECT_STATUS(of[2].status, MAINSTEM_FULL);
  EXPECT_TEXT(of[2].text, "the resources have as many requests as they may keep");
  EXPECT_OK(mainstem_pending_cancel(of[0].pending));
  ask(&self, &of[3], "dog");
  EXPECT_EQUAL(of[3].answers, 0);
  EXPECT_OK(put(&self, 0, "meow"));
  EXPECT_OK(put(&self, 1, "woof"));
  program_close(&self);
}

/* What this thread puts is delivered at once, so such a program need not drain. */
CASE(without_a_drain_a_put_is_refused, IN_ONE) {
  program self;
  viewer of[4];
  const char *const keys[] = {"a", "b", "c", "d"};
  program_open(&self, threads, 1, 3);
  for (size_t i = 0; i < 4; i++) {
    ask(&self, &of[i], keys[i]);
    const mainstem_event *event = kept_event(self.kept[i]);
    EXPECT_STATUS(mainstem_resources_put(self.pictures, event, "x", 1),
                  i < 3 ? MAINSTEM_OK : MAINSTEM_FULL);
  }
  EXPECT_TEXT(mainstem_last_error(), "mainstem_resources_put: resources: have as many drops as may "
                                     "wait: drain the context, then put again");
  EXPECT_EQUAL(of[3].answers, 0);
  EXPECT_EQUAL(self.drops, 0);
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "abc");
  EXPECT_OK(put(&self, 3, "x"));
  EXPECT_EQUAL(of[3].answers, 1);
  program_close(&self);
}

CASE(drops_that_found_no_room_are_posted_later, IN_ONE) {
  program self;
  viewer of;
  mainstem_resources_options options = picture_options();
  options.limit_bytes = 1;
  memset(&self, 0, sizeof self);
  self.context = CONTEXT_WITH(.threads = threads, .limit_posts = 1);
  program_install(&self, &options);
  for (size_t i = 0; i < 3; i++) {
    ask(&self, &of, &"a\0b\0c"[2 * i]);
    EXPECT_OK(mainstem_resources_put(self.pictures, kept_event(self.kept[i]), "x", 1));
    EXPECT_EQUAL(of.answers, 1);
  }
  for (int i = 0; i < 3; i++) EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "abc");
  program_close(&self);
}

/* Ends the scope or the context with keys in every state. */
static void end_in_the_middle(uint32_t threads, bool closes) {
  program self;
  viewer waiting, kept;
  program_open(&self, threads, 0, 0);
  load(&self, "cat", "meow");
  load(&self, "dog", "woof");
  send_drop(&self, "dog");
  ask(&self, &waiting, "cow");
  ask(&self, &kept, "cat");
  if (!closes) {
    EXPECT_OK(mainstem_scope_end(self.screen));
    EXPECT_STATUS(mainstem_resources_put(self.pictures, kept_event(self.kept[2]), "moo", 3),
                  MAINSTEM_STALE);
    EXPECT(waiting.answers == 1 && waiting.status == MAINSTEM_CANCELLED);
    EXPECT(is_settled(&self, 2));
    program_close(&self);
    return;
  }
  for (size_t i = 0; i < self.asked; i++) EXPECT_OK(mainstem_retained_release(self.kept[i]));
  EXPECT_OK(mainstem_context_close(self.context));
  EXPECT(waiting.answers == 1 && waiting.status == MAINSTEM_CANCELLED);
  mainstem_resource *resource;
  EXPECT_STATUS(mainstem_resource_get(self.pictures, "cat", 3, &resource), MAINSTEM_STALE);
}

CASE(their_end_cancels_what_waits, IN_BOTH) { end_in_the_middle(threads, false); }
CASE(a_close_cancels_what_waits, IN_BOTH) { end_in_the_middle(threads, true); }

static void put_at_once(void *user_data, const mainstem_event *event) {
  program *self = (program *)user_data;
  self->asked++;
  EXPECT_OK(mainstem_resources_put(self->pictures, event, "now", 3));
}

CASE(a_provider_may_put_at_once, IN_BOTH) {
  program self;
  viewer of;
  program_open(&self, threads, 0, 0);
  EXPECT_OK(mainstem_scope_end(self.provider));
  ask(&self, &of, "cat");
  EXPECT_STATUS(of.status, MAINSTEM_UNHANDLED);
  serve_one(self.context, "Now", "RequestFetchPicture", put_at_once, &self);
  ask(&self, &of, "");
  EXPECT_TEXT(of.bytes, "now");
  EXPECT_EQUAL(self.asked, 1);
  self.asked = 0;
  program_close(&self);
}

CASE(an_answer_without_bytes_is_not_kept, IN_BOTH) {
  program self;
  viewer of;
  program_open(&self, threads, 0, 0);
  ask(&self, &of, "cat");
  of.program = &self;
  EXPECT_OK(mainstem_pending_cancel(of.pending));
  EXPECT_OK(mainstem_request(self.context, self.picture, "cat", 3, NULL, NULL, NULL));
  EXPECT_OK(mainstem_respond(kept_event(self.kept[1]), NULL, 0)); /* instead of a put */
  EXPECT_STATUS(mainstem_resources_put(self.pictures, kept_event(self.kept[1]), "x", 1),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "cat");
  load(&self, "cat", "meow");
  program_close(&self);
}

static void *answer_there(void *user_data) {
  EXPECT_OK(mainstem_respond(kept_event(((program *)user_data)->kept[0]), NULL, 0));
  return NULL;
}

CASE(a_put_that_is_too_late_leaves_nothing, IN_ONE) {
  program self;
  program_open(&self, threads, 0, 0);
  EXPECT_OK(mainstem_request(self.context, self.picture, "cat", 3, NULL, NULL, NULL));
  elsewhere(answer_there, &self); /* It counts, but is not delivered yet. */
  EXPECT_STATUS(mainstem_resources_put(self.pictures, kept_event(self.kept[0]), "late", 4),
                MAINSTEM_STALE);
  EXPECT_OK(mainstem_drain(self.context, 1, NULL));
  EXPECT(!has(&self, "cat"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(self.dropped, "cat");
  program_close(&self);
}

static void *put_there(void *user_data) {
  program *self = (program *)user_data;
  EXPECT_OK(mainstem_resources_put(self->pictures, kept_event(self->kept[0]), "far", 3));
  EXPECT(!has(self, "cat")); /* the answer is not delivered yet */
  return NULL;
}

CASE(another_thread_puts, IN_BOTH) {
  program self;
  viewer of;
  program_open(&self, threads, 0, 0);
  ask(&self, &of, "cat");
  if (threads == MAINSTEM_THREADS_ONE) join(beside(put_there, &self));
  else EXPECT_OK(put(&self, 0, "far"));
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT_TEXT(of.bytes, "far");
  program_close(&self);
}

CASE(a_child_has_none_of_them, IN_ONE) {
  program self;
  mainstem_resource *resource, *got;
  program_open(&self, threads, 0, 0);
  load(&self, "cat", "meow");
  EXPECT_OK(mainstem_resource_get(self.pictures, "cat", 3, &resource));
  pid_t child = fork();
  if (child == 0) {
    const void *data;
    size_t size;
    bool is_refused = mainstem_resource_get(self.pictures, "cat", 3, &got) == MAINSTEM_FORKED &&
                      mainstem_resource_read(resource, &data, &size) == MAINSTEM_FORKED &&
                      mainstem_resource_release(resource) == MAINSTEM_FORKED;
    _exit(is_refused ? 0 : 1);
  }
  int result;
  EXPECT(waitpid(child, &result, 0) == child && result == 0);
  EXPECT_OK(mainstem_resource_release(resource));
  program_close(&self);
}

static void expect_refused(program *self, const mainstem_resources_options *options,
                           mainstem_status status, const char *message) {
  mainstem_resources *pictures = self->pictures;
  EXPECT_STATUS(mainstem_resources_add(self->context, "Other", options, &pictures), status);
  EXPECT(pictures == NULL);
  EXPECT_TEXT(mainstem_last_error(), message);
}

/* One name is wrong. */
static void expect_wrong(program *self, int which, const char *name, const char *message) {
  mainstem_resources_options options = picture_options();
  *(which == 0 ? &options.request : which == 1 ? &options.behind : &options.drop) = name;
  expect_refused(self, &options, MAINSTEM_INVALID, message);
}

CASE(mistakes_are_refused, IN_ONE) {
  program self;
  mainstem_resources_options options = picture_options();
  program_open(&self, threads, 0, 0);
  type_open(self.context, "RequestKey", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_SECRET, "ResponsePicture");
  type_open(self.context, "RequestNumber", MAINSTEM_PAYLOAD_INTEGER, "ResponsePicture");
  type_open(self.context, "ResponseText", MAINSTEM_PAYLOAD_TEXT, NULL);
  type_open(self.context, "RequestText", MAINSTEM_PAYLOAD_TEXT, "ResponseText");
  type_open(self.context, "RequestNone", MAINSTEM_PAYLOAD_NONE, "ResponsePicture");
#define ADD "mainstem_resources_add: "
  expect_wrong(&self, 0, "RequestPicture",
               ADD "RequestPicture has a handler in the server Cache, and both would run: end that "
                   "server first, or mark both handlers with MAINSTEM_HANDLER_SEVERAL");
  expect_wrong(&self, 0, "Step", ADD "options.request: Step is not a request");
  expect_wrong(&self, 0, NULL, ADD "options.request: must not be NULL");
  expect_wrong(&self, 0, "RequestNone",
               ADD "options.request: RequestNone has no payload, which is to be the key");
  expect_wrong(&self, 0, "RequestKey",
               ADD "options.request: RequestKey is a secret, which cannot be a key");
  expect_wrong(&self, 0, "RequestText",
               ADD "options.request: RequestText has answers with a payload: the bytes are put");
  expect_wrong(&self, 1, "RequestPicture",
               ADD "options.behind: is not another request with the same payload");
  expect_wrong(&self, 1, "RequestNumber",
               ADD "options.behind: is not another request with the same payload");
  expect_wrong(&self, 2, "RequestPicture", ADD "options.drop: RequestPicture is not a notice");
  expect_wrong(&self, 2, "Step",
               ADD "options.drop: is not a notice with the payload of the requests");
  expect_wrong(&self, 2, "PictureChange",
               ADD "options.drop: PictureChange (did you mean PictureChanged?) is not a registered "
                   "event type");
  options.reserved = 1;
  expect_refused(&self, &options, MAINSTEM_INVALID, ADD "options.reserved: is not 0");
  EXPECT_STATUS(mainstem_resources_add(self.context, "Other", &options, NULL), MAINSTEM_INVALID);
  program_close(&self);
}

CASE(puts_of_other_requests_are_refused, IN_BOTH) {
  program self, other;
  viewer of;
  mainstem_resource *resource;
  program_open(&self, threads, 0, 0);
  program_open(&other, threads, 0, 0);
  /* The program asks the provider itself. */
  EXPECT_OK(mainstem_request(self.context, self.fetch, "cat", 3, NULL, NULL, NULL));
  EXPECT_STATUS(put(&self, 0, "meow"), MAINSTEM_INVALID);
  EXPECT_TEXT(mainstem_last_error(),
              "mainstem_resources_put: event: is not a request of these resources: pass what their "
              "provider got");
  EXPECT_OK(mainstem_respond(kept_event(self.kept[0]), NULL, 0));
  ask(&other, &of, "cat");
  EXPECT_STATUS(mainstem_resources_put(self.pictures, kept_event(other.kept[0]), "meow", 4),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_resources_put(other.pictures, kept_event(other.kept[0]), NULL, 4),
                MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_resources_put(other.pictures, kept_event(other.kept[0]), "x", SIZE_MAX),
                MAINSTEM_TOO_BIG);
  EXPECT_OK(put(&other, 0, "meow"));
  EXPECT_STATUS(mainstem_resources_put((mainstem_resources *)(void *)self.context, NULL, NULL, 0),
                MAINSTEM_WRONG_KIND);
  EXPECT_STATUS(mainstem_resource_get(self.pictures, NULL, 3, &resource), MAINSTEM_INVALID);
  EXPECT_STATUS(mainstem_resource_get(self.pictures, "cat", 3, NULL), MAINSTEM_INVALID);
  program_close(&other);
  program_close(&self);
}

CASE(a_scope_without_the_right_to_drop_is_refused, IN_ONE) {
  program self;
  mainstem_context *scope;
  mainstem_resources *pictures;
  mainstem_resources_options options = picture_options();
  program_open(&self, threads, 0, 0);
  EXPECT_OK(mainstem_scope_end(self.screen));
  type_open(self.context, "Gone", MAINSTEM_PAYLOAD_TEXT | MAINSTEM_LAYER_MODEL, NULL);
  options.drop = "Gone";
  EXPECT_OK(mainstem_scope_add(
      self.context, "Small", OPTIONS(scope, .send_layers = MAINSTEM_LAYER_BIT(MAINSTEM_LAYER_APP)),
      &scope));
  EXPECT_STATUS(mainstem_resources_add(scope, "Cache", &options, &pictures), MAINSTEM_DENIED);
  program_close(&self);
}

/* A session with a load that fails, one that is shared, drops and evictions. */
static void act(program *self) {
  viewer of[3];
  load(self, "a", "aa");
  load(self, "b", "bb");
  ask(self, &of[0], "a");
  load(self, "c", "cc"); /* b goes */
  EXPECT_OK(mainstem_drain(self->context, 0, NULL));
  ask(self, &of[1], "b");
  ask(self, &of[2], "b");
  send_drop(self, "b");
  EXPECT_OK(mainstem_pending_cancel(of[1].pending));
  EXPECT_OK(put(self, self->asked - 1, "BB"));
  ask(self, &of[0], "d");
  EXPECT_OK(mainstem_respond_error(kept_event(self->kept[self->asked - 1]), BROKEN, "no"));
  ask(self, &of[0], "e");
  EXPECT_OK(mainstem_pending_cancel(of[0].pending));
  EXPECT_TEXT(self->dropped, "bb");
}

static void replay(const char *path, uint32_t threads, uint32_t mode) {
  program self;
  mainstem_replay *replay;
  mainstem_replay_info info = {.size = sizeof info};
  mainstem_resources_options options = picture_options();
  memset(&self, 0, sizeof self);
  options.limit_bytes = 2 * (COST + 3);
  self.context = context_open(threads);
  EXPECT_OK(mainstem_replay_open(self.context, path, OPTIONS(replay, .mode = mode), &replay));
  program_install(&self, &options);
  EXPECT_OK(mainstem_replay_step(replay, 0, NULL));
  EXPECT_OK(mainstem_replay_info_read(replay, &info));
  EXPECT(info.flags & MAINSTEM_REPLAY_ENDED);
  EXPECT_TEXT(self.dropped, "bb");
  EXPECT(!has(&self, "a"));
  EXPECT_OK(mainstem_replay_close(replay));
  load(&self, "f", "ff"); /* and the program goes on */
  EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  EXPECT(has(&self, "f"));
  program_close(&self);
}

CASE(a_session_with_evictions_verifies, IN_BOTH) {
  program self;
  const char *path =
      journal_path(threads == MAINSTEM_THREADS_ONE ? "resources_one" : "resources_any");
  mainstem_resources_options options = picture_options();
  memset(&self, 0, sizeof self);
  options.limit_bytes = 2 * (COST + 3);
  self.context = context_open(threads);
  EXPECT_OK(mainstem_journal_record(self.context, path, NULL));
  program_install(&self, &options);
  act(&self);
  program_close(&self);
  replay(path, threads, MAINSTEM_REPLAY_VERIFY);
  replay(path, threads, MAINSTEM_REPLAY_MUTED);
}

int main(void) { return expect_all(); }

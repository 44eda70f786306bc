// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The provider of files, tested on a folder of its own. */

#include "files_provider.h"

#define EXPECT(what)                                                                               \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                           \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* What is seen of a request. */
typedef struct outcome {
  mainstem_pending *pending;
  mainstem_status status;
  char text[200];
  char *bytes;
  size_t size;
  int64_t last_step;
  int steps, answers, gives_up;
} outcome;

static char folder[] = "/tmp/files-XXXXXX";

static void on_answer(void *user_data, const mainstem_event *event) {
  outcome *seen = (outcome *)user_data;
  seen->answers++;
  seen->status = event->status;
  snprintf(seen->text, sizeof seen->text, "%s", event->user_message);
  seen->size = event->size;
  if (event->size) {
    EXPECT(seen->bytes = (char *)malloc(event->size));
    memcpy(seen->bytes, event->data, event->size);
  }
}

static void on_step(void *user_data, const mainstem_event *event) {
  outcome *seen = (outcome *)user_data;
  int64_t done = mainstem_event_integer(event);
  EXPECT(done > seen->last_step);
  seen->last_step = done;
  if (++seen->steps == 1 && seen->gives_up) {
    mainstem_status status = mainstem_pending_cancel(seen->pending);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE); /* It may be done already. */
  }
}

static void ask(mainstem_context *context, mainstem_event_type type, const void *data, size_t size,
                outcome *seen) {
  mainstem_request_options options = {.size = sizeof options, .progress = on_step};
  EXPECT(mainstem_request_with(context, type, data, size, &options, on_answer, seen, NULL,
                               &seen->pending) == MAINSTEM_OK);
}

static void answer(mainstem_context *context, outcome *seen) {
  while (!seen->answers) EXPECT(mainstem_wait(context, 10000) == MAINSTEM_OK);
  EXPECT(seen->answers == 1);
}

/* Asks, and waits for the answer. The caller frees the bytes. */
static outcome asked(mainstem_context *context, mainstem_event_type type, const void *data,
                     size_t size) {
  outcome seen;
  memset(&seen, 0, sizeof seen);
  ask(context, type, data, size, &seen);
  answer(context, &seen);
  return seen;
}

static outcome asked_text(mainstem_context *context, mainstem_event_type type, const char *text) {
  return asked(context, type, text, strlen(text));
}

/* Writes, and returns the status of the answer. */
static mainstem_status wrote(mainstem_context *context, files *self, const char *data,
                             size_t size) {
  outcome seen = asked(context, self->types[FILES_WRITE], data, size);
  free(seen.bytes);
  return seen.status;
}

/* A path, 0, and so many bytes that depend on `seed`. */
static char *filled(const char *path, size_t size, unsigned seed, size_t *whole) {
  size_t length = strlen(path) + 1;
  char *made = (char *)malloc(length + size);
  EXPECT(made);
  memcpy(made, path, length);
  for (size_t i = 0; i < size; i++) made[length + i] = (char)((i * 31 + seed) % 251);
  *whole = length + size;
  return made;
}

static void expect_failure(outcome seen, mainstem_status code, const char *path) {
  EXPECT(seen.status == code);
  EXPECT(strstr(seen.text, path));
  free(seen.bytes);
}

/* Whether a temporary file is left. */
static int has_parts(void) {
  int found = 0;
  struct dirent *entry;
  DIR *names = opendir(folder);
  EXPECT(names);
  while ((entry = readdir(names))) found += strstr(entry->d_name, ".part") != NULL;
  closedir(names);
  return found;
}

static void files_of_all_sizes_come_back(mainstem_context *context, files *self) {
  static const size_t sizes[] = {0, 1, FILES_CHUNK, FILES_CHUNK + 1, (1 << 20) + 3, 5 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t size = sizes[i], whole;
    int steps = size > FILES_CHUNK ? (int)((size + FILES_CHUNK - 1) / FILES_CHUNK) : 0;
    char *request = filled("file", size, (unsigned)i, &whole);
    outcome written = asked(context, self->types[FILES_WRITE], request, whole);
    EXPECT(written.status == MAINSTEM_OK && written.size == 8);
    EXPECT(*(int64_t *)(void *)written.bytes == (int64_t)size);
    EXPECT(written.steps == steps && (!steps || written.last_step == (int64_t)size));
    outcome read = asked_text(context, self->types[FILES_READ], "file");
    EXPECT(read.status == MAINSTEM_OK && read.size == size);
    EXPECT(!size || memcmp(read.bytes, request + whole - size, size) == 0);
    EXPECT(read.steps == steps && (!steps || read.last_step == (int64_t)size));
    free(written.bytes);
    free(read.bytes);
    free(request);
  }
  EXPECT(!has_parts());
}

static void names_are_listed_in_order(mainstem_context *context, files *self) {
  static const char *const names[] = {"z", "a b", "\xc3\xa9t\xc3\xa9"};
  char path[FILES_PATH];
  snprintf(path, sizeof path, "%s/below", folder);
  EXPECT(mkdir(path, 0777) == 0);
  for (size_t i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "below/%s", names[i]);
    EXPECT(wrote(context, self, path, strlen(path) + 1) == MAINSTEM_OK);
  }
  outcome below = asked_text(context, self->types[FILES_LIST], "below");
  static const char expected[] = "a b\0z\0\xc3\xa9t\xc3\xa9";
  EXPECT(below.size == sizeof expected && memcmp(below.bytes, expected, sizeof expected) == 0);
  outcome root = asked_text(context, self->types[FILES_LIST], ""); /* Folders are left out. */
  EXPECT(root.size == 5 && memcmp(root.bytes, "file", 5) == 0);
  free(below.bytes);
  free(root.bytes);
}

static void what_fails_says_why(mainstem_context *context, files *self) {
  static const char *const outside[] = {"../secret", "/etc/passwd", "a/../../b", "a//b", ".", "a/"};
  mainstem_event_type read = self->types[FILES_READ], write = self->types[FILES_WRITE];
  char path[FILES_PATH];
  expect_failure(asked_text(context, read, "nothing"), FILES_MISSING, "nothing: ");
  expect_failure(asked_text(context, read, "below"), FILES_REFUSED, "below: ");
  expect_failure(asked_text(context, self->types[FILES_LIST], "nowhere"), FILES_MISSING, "nowhere");
  expect_failure(asked(context, write, "no/file\0x", 9), FILES_MISSING, "no/file");
  expect_failure(asked(context, write, "below\0x", 7), FILES_REFUSED, "below");
  expect_failure(asked(context, write, "no zero", 7), FILES_REFUSED, "");
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    expect_failure(asked_text(context, read, outside[i]), FILES_REFUSED, outside[i]);
  }
  EXPECT(wrote(context, self, "\xff\0", 2) == MAINSTEM_OK); /* Any bytes are a name. */
  expect_failure(asked(context, write, "\xff/\0", 3), FILES_REFUSED, "");
  snprintf(path, sizeof path, "%s/large", folder);
  int file = open(path, O_WRONLY | O_CREAT, 0666);
  EXPECT(file >= 0 && ftruncate(file, (off_t)FILES_MOST + 1) == 0 && close(file) == 0);
  expect_failure(asked_text(context, read, "large"), FILES_TOO_LARGE, "large");
  snprintf(path, sizeof path, "%s/pipe", folder);
  EXPECT(mkfifo(path, 0666) == 0);
  expect_failure(asked_text(context, read, "pipe"), FILES_REFUSED, "pipe"); /* At once. */
  EXPECT(!has_parts());
}

/* The old bytes or the new ones, and nothing beside them. */
static void what_is_given_up_stops(mainstem_context *context, files *self) {
  enum { SIZE = 24 << 20 };
  size_t whole;
  char *old = filled("big", 3, 7, &whole);
  EXPECT(wrote(context, self, old, whole) == MAINSTEM_OK);
  char *request = filled("big", SIZE, 9, &whole);
  outcome begun, waiting;
  memset(&begun, 0, sizeof begun);
  memset(&waiting, 0, sizeof waiting);
  begun.gives_up = 1;
  ask(context, self->types[FILES_WRITE], request, whole, &begun);
  ask(context, self->types[FILES_WRITE], "never\0x", 7, &waiting);
  EXPECT(mainstem_pending_cancel(waiting.pending) == MAINSTEM_OK); /* Before its turn. */
  answer(context, &begun);
  answer(context, &waiting);
  EXPECT(begun.status == MAINSTEM_CANCELLED || begun.status == MAINSTEM_OK);
  EXPECT(waiting.status == MAINSTEM_CANCELLED);
  outcome read = asked_text(context, self->types[FILES_READ], "big");
  EXPECT(read.size == SIZE || (read.size == 3 && begun.status == MAINSTEM_CANCELLED));
  EXPECT(memcmp(read.bytes, read.size == 3 ? old + 4 : request + 4, read.size) == 0);
  expect_failure(asked_text(context, self->types[FILES_READ], "never"), FILES_MISSING, "never");
  EXPECT(!has_parts());
  free(begun.bytes);
  free(waiting.bytes);
  free(read.bytes);
  free(request);
  free(old);
}

/* Its thread has ended, and nothing is half done. */
static void what_is_under_way_ends_with_the_provider(mainstem_context *context, files *self) {
  size_t whole;
  char *request = filled("last", 24 << 20, 9, &whole);
  outcome seen;
  uint64_t open;
  memset(&seen, 0, sizeof seen);
  ask(context, self->types[FILES_WRITE], request, whole, &seen);
  while (!seen.steps) EXPECT(mainstem_wait(context, 10000) == MAINSTEM_OK);
  mainstem_event_type type = self->types[FILES_WRITE];
  files_close(self);
  EXPECT(mainstem_flush(context) == MAINSTEM_OK);
  EXPECT(seen.answers == 1);
  EXPECT(mainstem_request_count(context, type, &open) == MAINSTEM_OK && open == 0);
  EXPECT(!has_parts());
  free(seen.bytes);
  free(request);
}

/* Reads as much as the context lets through. */
static void a_limit_of_the_context_is_a_failure(void) {
  mainstem_context_options options = {.size = sizeof options, .limit_payload = 1000};
  mainstem_context *context;
  EXPECT(mainstem_context_create(&options, &context) == MAINSTEM_OK);
  files *self = files_open(context, folder);
  EXPECT(self);
  expect_failure(asked_text(context, self->types[FILES_READ], "file"), FILES_TOO_LARGE, "file");
  files_close(self);
  EXPECT(mainstem_context_close(context) == MAINSTEM_OK);
}

static void remove_folder(const char *path) {
  char whole[FILES_PATH];
  struct dirent *entry;
  DIR *names = opendir(path);
  while (names && (entry = readdir(names))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(whole, sizeof whole, "%s/%s", path, entry->d_name);
    if (unlink(whole) != 0) remove_folder(whole);
  }
  if (names) closedir(names);
  rmdir(path);
}

int main(void) {
  mainstem_context *context;
  EXPECT(mkdtemp(folder));
  EXPECT(mainstem_context_create(NULL, &context) == MAINSTEM_OK);
  files *self = files_open(context, folder);
  EXPECT(self);
  files_of_all_sizes_come_back(context, self);
  names_are_listed_in_order(context, self);
  what_fails_says_why(context, self);
  what_is_given_up_stops(context, self);
  what_is_under_way_ends_with_the_provider(context, self);
  a_limit_of_the_context_is_a_failure();
  EXPECT(mainstem_context_close(context) == MAINSTEM_OK);
  remove_folder(folder);
  return 0;
}

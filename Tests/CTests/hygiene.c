// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * FAULTS section 4, host hygiene: after load, use, close and unload the process is as it was, and
 * nothing was printed. The argument is the path of the library, which this program does not link.
 */

#include <mainstem.h>

#define mainstem_last_error() "(not linked here)"
#define mainstem_status_name(status) ((void)(status), "a status")

#include "elsewhere.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

extern char **environ;

static const char *library;

typedef struct process {
  char text[16000];
  size_t length;
} process;

static void note(process *self, const char *text) {
  size_t length = strlen(text);
  EXPECT(self->length + length + 2 < sizeof self->text);
  memcpy(self->text + self->length, text, length);
  self->length += length;
  self->text[self->length++] = '\n';
  self->text[self->length] = 0;
}

static void note_folder(process *self, const char *path) {
  DIR *folder = opendir(path);
  char name[300];
  EXPECT(folder != NULL);
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    snprintf(name, sizeof name, "%s %s", path, entry->d_name);
    if (entry->d_name[0] != '.') note(self, name);
  }
  closedir(folder);
}

static void note_signals(process *self) {
  char line[100];
  sigset_t mask;
  EXPECT_EQUAL(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) continue; /* Two belong to libc. */
    void *handler = NULL;
    memcpy(&handler, &action.sa_handler, sizeof handler);
    snprintf(line, sizeof line, "signal %d %p %x %d", number, handler, (unsigned)action.sa_flags,
             sigismember(&mask, number));
    note(self, line);
  }
}

static void process_read(process *self) {
  char path[4096], line[100];
  mode_t mask = umask(0);
  umask(mask);
  self->length = 0;
  note_signals(self);
  note_folder(self, "/proc/self/task");
  note_folder(self, "/proc/self/fd");
  note(self, setlocale(LC_ALL, NULL));
  EXPECT(getcwd(path, sizeof path) != NULL);
  note(self, path);
  snprintf(line, sizeof line, "umask %o, rounding %d, variables %p", (unsigned)mask, fegetround(),
           (void *)environ);
  note(self, line);
  for (char **variable = environ; *variable != NULL; variable++) {
    if (strlen(*variable) < 200) note(self, *variable);
  }
}

static void *symbol(void *handle, const char *name) {
  void *found = dlsym(handle, name);
  EXPECT(found != NULL);
  return found;
}

static int calls;

static void count_call(void *user_data, const mainstem_event *event) { calls++; }

typedef mainstem_status create_fn(const mainstem_context_options *, mainstem_context **);
typedef mainstem_status type_add_fn(mainstem_context *, const char *, mainstem_contract,
                                    const char *, mainstem_event_type *);
typedef mainstem_status observe_fn(mainstem_context *, mainstem_event_type, mainstem_event_fn,
                                   void *, mainstem_release_fn, mainstem_subscription **);
typedef mainstem_status send_fn(mainstem_context *, mainstem_event_type, const void *, size_t);
typedef mainstem_status wait_fn(mainstem_context *, int64_t);
typedef mainstem_status close_fn(mainstem_context *);

/* An object pointer becomes a function pointer by its bytes: C99 knows no cast for it. */
#define FUNCTION(handle, type, name)                                                               \
  type *name = NULL;                                                                               \
  void *name##_found = symbol(handle, "mainstem_" #name);                                          \
  memcpy(&name, &name##_found, sizeof name)

static void use(void *handle) {
  mainstem_context *context = NULL;
  mainstem_event_type type = 0;
  FUNCTION(handle, create_fn, context_create);
  FUNCTION(handle, type_add_fn, type_add);
  FUNCTION(handle, observe_fn, observe);
  FUNCTION(handle, send_fn, send);
  FUNCTION(handle, send_fn, post);
  FUNCTION(handle, wait_fn, wait);
  FUNCTION(handle, close_fn, context_close);
  EXPECT_OK(context_create(NULL, &context));
  EXPECT_OK(type_add(context, "Notice", MAINSTEM_PAYLOAD_TEXT, NULL, &type));
  EXPECT_OK(observe(context, type, count_call, NULL, NULL, NULL));
  EXPECT_OK(send(context, type, "hello", 5));
  EXPECT_STATUS(send(context, type, "\xff", 1), MAINSTEM_INVALID);
  EXPECT_OK(post(context, type, "hello", 5));
  EXPECT_OK(wait(context, 0));
  EXPECT_OK(context_close(context));
  EXPECT_STATUS(send(context, type, "hello", 5), MAINSTEM_STALE);
}

static void *load_use_unload(void *data) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) fprintf(stderr, "%s\n", dlerror());
  EXPECT(handle != NULL);
  use(handle);
  EXPECT_EQUAL(dlclose(handle), 0);
  return NULL;
}

/* Output goes to files in memory meanwhile; both must stay empty. */
CASE(the_process_is_as_it_was, IN_ONE) {
  static process before, after;
  int out = dup(1), err = dup(2);
  int files[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
  struct stat stat_of[2];
  fflush(NULL);
  EXPECT(out > 2 && err > 2 && files[0] > 2 && files[1] > 2);
  process_read(&before);
  dup2(files[0], 1);
  dup2(files[1], 2);
  load_use_unload(NULL);
  fflush(NULL);
  dup2(out, 1);
  dup2(err, 2);
  process_read(&after);
  if (strcmp(before.text, after.text) != 0)
    fprintf(stderr, "was:\n%sis:\n%s", before.text, after.text);
  EXPECT(strcmp(before.text, after.text) == 0);
  for (int i = 0; i < 2; i++) {
    EXPECT_EQUAL(fstat(files[i], &stat_of[i]), 0);
    EXPECT_EQUAL(stat_of[i].st_size, 0);
    EXPECT_EQUAL(close(files[i]), 0);
  }
  close(out);
  close(err);
}

CASE(a_hundred_loads_do_no_harm, IN_ONE) {
  static process before, after;
  calls = 0;
  process_read(&before);
  for (int i = 0; i < 100; i++) load_use_unload(NULL);
  EXPECT_EQUAL(calls, 200);
  process_read(&after);
  EXPECT(strcmp(before.text, after.text) == 0);
}

CASE(a_small_stack_is_enough, IN_ONE) {
  pthread_attr_t attributes;
  pthread_t thread;
  EXPECT_EQUAL(pthread_attr_init(&attributes), 0);
  EXPECT_EQUAL(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
  EXPECT_EQUAL(pthread_create(&thread, &attributes, load_use_unload, NULL), 0);
  join(thread);
  EXPECT_EQUAL(pthread_attr_destroy(&attributes), 0);
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: %s PATH_OF_THE_LIBRARY\n", arguments[0]);
    return 2;
  }
  library = arguments[1];
  return expect_all();
}

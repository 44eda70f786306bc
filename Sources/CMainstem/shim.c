// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// The shim: what the core takes from libc. The only platform file: Linux.

#define _GNU_SOURCE
#include "mainstem_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Threads */

__thread struct mainstem_p_thread mainstem_p_this_thread
    __attribute__((tls_model("initial-exec"))) MAINSTEM_P_HIDDEN;

enum { MESSAGE_CAPACITY = 1280 };

static pthread_once_t message_once = PTHREAD_ONCE_INIT;
static pthread_key_t message_key;
static int message_key_made;

static void make_message_key(void) {
  message_key_made = pthread_key_create(&message_key, free) == 0;
}

/* A thread's buffer holds a message and, behind it, a subject. It lives from the thread's first
   error to its end. */
static char *message_buffer(void) {
  struct mainstem_p_thread *thread = &mainstem_p_this_thread;
  if (thread->message != NULL) return thread->message;
  pthread_once(&message_once, make_message_key);
  if (!message_key_made) return NULL;
  char *buffer = malloc(MESSAGE_CAPACITY + MAINSTEM_P_SUBJECT_CAPACITY);
  if (buffer == NULL) return NULL;
  if (pthread_setspecific(message_key, buffer) != 0) {
    free(buffer);
    return NULL;
  }
  buffer[0] = '\0'; /* A subject may be written first, and a message never. */
  return thread->message = buffer;
}

char *mainstem_p_subject(void) {
  char *buffer = message_buffer();
  return buffer == NULL ? NULL : buffer + MESSAGE_CAPACITY;
}

const char *mainstem_p_write_message(const char *function, const char *argument,
                                     const char *subject, size_t subject_length,
                                     const char *reason) {
  char *buffer = message_buffer();
  if (buffer == NULL) return "out of memory while an error was being described";
  int shown = subject_length > MAINSTEM_P_SUBJECT_CAPACITY ? MAINSTEM_P_SUBJECT_CAPACITY
                                                           : (int)subject_length;
  snprintf(buffer, MESSAGE_CAPACITY, "%s: %s%s%.*s%s%s", function, argument,
           argument[0] != '\0' ? ": " : "", shown, subject, shown > 0 ? " " : "", reason);
  return buffer;
}

size_t mainstem_p_write_number(char text[MAINSTEM_P_NUMBER_CAPACITY], double number) {
  char digits[MAINSTEM_P_NUMBER_CAPACITY];
  int precision = 15;
  do {
    snprintf(digits, sizeof digits, "%.*g", precision, number != number ? 0 : number);
  } while (++precision <= 17 && strtod(digits, NULL) != number);
  size_t length = 0;
  for (const char *next = number != number ? "nan" : digits; *next != '\0'; next++) {
    /* The point of another locale may be several bytes. */
    int is_ours = (*next >= '0' && *next <= '9') || (*next >= 'a' && *next <= 'z') ||
                  *next == '-' || *next == '+';
    if (is_ours || length == 0 || text[length - 1] != '.') text[length++] = is_ours ? *next : '.';
  }
  return length;
}

/* How many digits there are from an index on. */
static size_t count_digits(const char *text, size_t size, size_t from) {
  size_t at = from;
  while (at < size && text[at] >= '0' && text[at] <= '9') at++;
  return at - from;
}

bool mainstem_p_read_number(const char *text, size_t size, double *number) {
  char copy[MAINSTEM_P_NUMBER_CAPACITY * 3], half[MAINSTEM_P_NUMBER_CAPACITY];
  size_t sign = size > 0 && text[0] == '-', whole = count_digits(text, size, sign);
  size_t end = sign + whole, fraction = 0, exponent = 0;
  if (whole == 0 || size > 63) return false;
  if (end < size && text[end] == '.') {
    fraction = count_digits(text, size, end + 1);
    if (fraction == 0) return false;
    end += 1 + fraction;
  }
  if (end < size && (text[end] == 'e' || text[end] == 'E')) {
    end++;
    if (end < size && (text[end] == '-' || text[end] == '+')) end++;
    exponent = count_digits(text, size, end);
    if (exponent == 0) return false;
    end += exponent;
  }
  if (end != size) return false;
  /* The point of this locale stands between two zeros; it may be several bytes. */
  snprintf(half, sizeof half, "%.1f", 0.0);
  half[strlen(half) - 1] = '\0';
  snprintf(copy, sizeof copy, "%.*s%s%.*s", (int)(sign + whole), text, fraction > 0 ? half + 1 : "",
           (int)(size - sign - whole - (fraction > 0)), text + sign + whole + (fraction > 0));
  *number = strtod(copy, NULL);
  return *number - *number == 0;
}

bool mainstem_p_contains(const void *text, size_t size, const void *part, size_t part_size) {
  return memmem(text, size, part, part_size) != NULL;
}

/* Tokens */

void mainstem_p_lost_token(void) {
#ifdef MAINSTEM_CHECK_TOKENS
  fputs("mainstem: what was taken has been dropped, not given back\n", stderr);
  abort();
#endif
}

/* The version */

#define TEXT(value) #value
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *mainstem_p_version_text(void) {
  return DOTTED(MAINSTEM_VERSION_MAJOR, MAINSTEM_VERSION_MINOR, MAINSTEM_VERSION_PATCH);
}

/* Workers */

struct start {
  void (*run)(void *);
  void *argument;
};

static void *begin(void *memory) {
  struct start start = *(struct start *)memory;
  free(memory);
  start.run(start.argument);
  return NULL;
}

int mainstem_p_worker_start(struct mainstem_p_worker *worker, const char *name, void (*run)(void *),
                            void *argument) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return 0;
  *start = (struct start){run, argument};
  /* Signals are for the host's threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, begin, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    free(start);
    return 0;
  }
  char shown[16];
  snprintf(shown, sizeof shown, "%s", name != NULL ? name : "mainstem");
  pthread_setname_np(thread, shown);
  worker->thread = thread;
  worker->is_running = 1;
  return 1;
}

void mainstem_p_worker_join(struct mainstem_p_worker *worker) {
  if (worker->is_running) pthread_join(worker->thread, NULL);
  worker->is_running = 0;
}

/* Memory */

void *mainstem_p_allocate(size_t size) { return malloc(size); }

void *mainstem_p_allocate_aligned(size_t size) {
  return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

void mainstem_p_free(void *memory) { free(memory); }

/* Locks */

struct mainstem_p_lock {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

struct mainstem_p_lock *mainstem_p_lock_create(void) {
  struct mainstem_p_lock *lock = malloc(sizeof *lock);
  if (lock == NULL) return NULL;
  pthread_mutex_init(&lock->mutex, NULL);
  pthread_cond_init(&lock->condition, NULL);
  return lock;
}

void mainstem_p_lock_destroy(struct mainstem_p_lock *lock) {
  pthread_cond_destroy(&lock->condition);
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void mainstem_p_lock_acquire(struct mainstem_p_lock *lock) { pthread_mutex_lock(&lock->mutex); }
void mainstem_p_lock_release(struct mainstem_p_lock *lock) { pthread_mutex_unlock(&lock->mutex); }
void mainstem_p_lock_wait(struct mainstem_p_lock *lock) {
  pthread_cond_wait(&lock->condition, &lock->mutex);
}
void mainstem_p_lock_wake_all(struct mainstem_p_lock *lock) {
  pthread_cond_broadcast(&lock->condition);
}
void mainstem_p_lock_renew(struct mainstem_p_lock *lock) {
  pthread_mutex_init(&lock->mutex, NULL);
  pthread_cond_init(&lock->condition, NULL);
}

/* Handles */

void *mainstem_p_chunks[MAINSTEM_P_CHUNKS];
uint64_t mainstem_p_salt;
struct mainstem_p_handles mainstem_p_all_handles;

static pthread_mutex_t handles_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The handles that the parent had before the fork: looked at only to report FORKED. */
static void *parent_chunks[MAINSTEM_P_CHUNKS];
static uint64_t parent_salt;

void *mainstem_p_parent_chunk(uint32_t number) { return parent_chunks[number]; }
uint64_t mainstem_p_parent_salt(void) { return parent_salt; }

static void (*on_child)(void *frames);

void mainstem_p_on_child(void (*fn)(void *frames)) {
  __atomic_store_n(&on_child, fn, __ATOMIC_RELEASE);
}

/* One thread is left in the child. It begins without handles, so that no lock, hook or
   descriptor of the parent's contexts is ever touched. */
static void begin_anew_in_child(void) {
  pthread_mutex_init(&handles_mutex, NULL);
  mainstem_p_outputs_close_in_child();
  memcpy(parent_chunks, mainstem_p_chunks, sizeof parent_chunks);
  memset(mainstem_p_chunks, 0, sizeof mainstem_p_chunks);
  memset(&mainstem_p_all_handles, 0, sizeof mainstem_p_all_handles);
  parent_salt = mainstem_p_salt;
  mainstem_p_salt = 0;
  if (on_child != NULL) on_child(mainstem_p_thread()->frames);
}

void mainstem_p_handles_lock(void) { pthread_mutex_lock(&handles_mutex); }
void mainstem_p_handles_unlock(void) { pthread_mutex_unlock(&handles_mutex); }

uint64_t mainstem_p_random(void) {
  uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits)
    bits = (uint64_t)(uintptr_t)&bits ^ (uint64_t)mainstem_p_now();
  return bits != 0 ? bits : 1;
}

void mainstem_p_handle_salt_draw(void) {
  static int watches_fork;
  if (mainstem_p_handle_salt() != 0) return;
  if (!watches_fork) watches_fork = pthread_atfork(NULL, NULL, begin_anew_in_child) == 0;
  __atomic_store_n(&mainstem_p_salt, mainstem_p_random() | 1, __ATOMIC_RELAXED);
}

/* Clock and wake-up */

int64_t mainstem_p_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t mainstem_p_monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A host that closed its standard streams must not find one of our descriptors in their place. */
static int above_standard_streams(int fd) {
  if (fd < 0 || fd > 2) return fd;
  int above = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return above;
}

int mainstem_p_wake_open(struct mainstem_p_descriptors *all) {
  if (all->event < 0) all->event = above_standard_streams(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  return all->event >= 0;
}

static int watch(int loop, int fd) {
  struct epoll_event readable = {.events = EPOLLIN};
  return epoll_ctl(loop, EPOLL_CTL_ADD, fd, &readable) == 0;
}

int mainstem_p_wake_open_loop(struct mainstem_p_descriptors *all) {
  if (all->loop >= 0) return 1;
  int timer = above_standard_streams(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  int loop = timer < 0 ? -1 : above_standard_streams(epoll_create1(EPOLL_CLOEXEC));
  if (loop >= 0 && watch(loop, all->event) && watch(loop, timer)) {
    all->timer = timer;
    all->loop = loop;
    return 1;
  }
  if (loop >= 0) close(loop);
  if (timer >= 0) close(timer);
  return 0;
}

void mainstem_p_wake_close(struct mainstem_p_descriptors *all) {
  if (all->loop >= 0) close(all->loop);
  if (all->timer >= 0) close(all->timer);
  if (all->event >= 0) close(all->event);
  all->loop = all->timer = all->event = -1;
}

void mainstem_p_wake_set_timer(int fd, int64_t due) {
  struct itimerspec set = {{0, 0}, {0, 0}};
  /* 0 would disarm the timer. The first nanosecond has long passed. */
  if (due < 1) due = 1;
  if (due != INT64_MAX) set.it_value = (struct timespec){due / 1000000000, due % 1000000000};
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &set, NULL);
}

void mainstem_p_wake_signal(int fd) {
  const uint64_t one = 1;
  /* The counter cannot be full: it is 0 or 1. */
  while (write(fd, &one, sizeof one) < 0 && errno == EINTR) continue;
}

void mainstem_p_wake_interrupt(int fd) {
  const int kept = errno;
  mainstem_p_wake_signal(fd);
  errno = kept;
}

void mainstem_p_yield(void) { sched_yield(); }

void mainstem_p_wake_clear(int fd) {
  uint64_t count;
  while (read(fd, &count, sizeof count) < 0 && errno == EINTR) continue;
}

int mainstem_p_wake_wait(int fd, int interrupt, int64_t timeout) {
  struct pollfd entries[] = {{.fd = fd, .events = POLLIN}, {.fd = interrupt, .events = POLLIN}};
  struct timespec left = {timeout / 1000000000, timeout % 1000000000};
  int found = ppoll(entries, 2, timeout < 0 ? NULL : &left, NULL);
  if (found == 0) {
    return MAINSTEM_P_TIMED_OUT;
  }
  if (found < 0) {
    return MAINSTEM_P_INTERRUPTED;
  }
  if (entries[1].revents & POLLNVAL) {
    return MAINSTEM_P_NOT_OPEN;
  }
  return entries[0].revents ? MAINSTEM_P_READABLE : MAINSTEM_P_INTERRUPTED;
}

/* The environment */

static const char *path_in(const char *name) {
  const char *path = secure_getenv(name);
  return path != NULL && *path != 0 ? path : NULL;
}

const char *mainstem_p_record_path(void) { return path_in("MAINSTEM_RECORD"); }

const char *mainstem_p_report_path(void) { return path_in("MAINSTEM_VERIFY_REPORT"); }

int mainstem_p_append(const char *path, const void *bytes, size_t count) {
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  size_t done = 0;
  if (fd < 0) {
    return 0;
  }
  while (done < count) {
    ssize_t size = write(fd, (const char *)bytes + done, count - done);
    if (size > 0) {
      done += (size_t)size;
    } else if (size == 0 || errno != EINTR) {
      break;
    }
  }
  close(fd);
  return done == count;
}

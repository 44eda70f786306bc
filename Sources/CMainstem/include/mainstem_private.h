// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What Swift sees of C: the public header, and the shim over libc.
 *
 * This header, shim.c, reading.c, writing.c and checksum.c are the only platform files. Nothing here is
 * installed or exported. What the hot path needs is inline; the rest is a call.
 */

#ifndef MAINSTEM_PRIVATE_H
#define MAINSTEM_PRIVATE_H

#include "../../../include/mainstem.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define MAINSTEM_P_HIDDEN __attribute__((visibility("hidden")))
/* For what every module has to have, but not in its hot paths. */
#define MAINSTEM_P_APART static __attribute__((noinline, unused))

/* Threads ---------------------------------------------------------------------------------------- */

/** What the library keeps for each thread: two pointers, so that dlopen finds room for them. */
struct mainstem_p_thread {
  void *frames;  /* our callbacks on this thread's stack, innermost first */
  char *message; /* the last error, or NULL */
};

extern __thread struct mainstem_p_thread mainstem_p_this_thread
    __attribute__((tls_model("initial-exec"))) MAINSTEM_P_HIDDEN;

/** The record of this thread. */
static inline struct mainstem_p_thread *mainstem_p_thread(void) { return &mainstem_p_this_thread; }

/** Identifies the current thread; never 0. */
static inline uintptr_t mainstem_p_thread_identity(void) {
  return (uintptr_t)__builtin_thread_pointer();
}

#define MAINSTEM_P_SUBJECT_CAPACITY 900

/** Memory of this thread for the subject of the next message; NULL: no memory. */
char *mainstem_p_subject(void) MAINSTEM_P_HIDDEN;

/** Writes this thread's last error and returns it: "function: argument: subject reason". */
const char *mainstem_p_write_message(const char *function, const char *argument,
                                     const char *subject, size_t subject_length,
                                     const char *reason) MAINSTEM_P_HIDDEN;

enum { MAINSTEM_P_NUMBER_CAPACITY = 32 };

/**
 * Writes a number in the fewest digits, from 15 on, that read back as it, with a point in every locale, and returns
 * the length. Infinities are "inf" and "-inf"; what is not a number is "nan".
 */
size_t mainstem_p_write_number(char text[MAINSTEM_P_NUMBER_CAPACITY],
                               double number) MAINSTEM_P_HIDDEN;

/**
 * Reads a number that is written as in JSON, also with leading zeros, in every locale. False: the bytes are no such
 * number, are more than 63, or stand for none that is finite.
 */
bool mainstem_p_read_number(const char *text, size_t size, double *number) MAINSTEM_P_HIDDEN;

/* Texts ------------------------------------------------------------------------------------------ */

/** Below 0, 0 or above 0, as bytes of one text come before those of another, are the same, or come behind them. */
static inline int mainstem_p_order(const void *one, const void *other, size_t size) {
  return memcmp(one, other, size);
}

/** Whether a text has another one in it, in time that grows with the sum of their sizes. */
bool mainstem_p_contains(const void *text, size_t size, const void *part,
                         size_t part_size) MAINSTEM_P_HIDDEN;

/* Memory ----------------------------------------------------------------------------------------- */

void *mainstem_p_allocate(size_t size) MAINSTEM_P_HIDDEN;
void *mainstem_p_allocate_aligned(size_t size) MAINSTEM_P_HIDDEN; /* to a cache line */
void mainstem_p_free(void *memory) MAINSTEM_P_HIDDEN;

/** Overwrites memory with zeros, even if nobody reads it afterwards. */
MAINSTEM_P_APART void mainstem_p_wipe(void *memory, size_t size) {
  memset(memory, 0, size);
  /* Tells the compiler that the memory is read; otherwise it could drop the write. */
  __asm__ volatile("" : : "r"(memory) : "memory");
}

/** Copies byte by byte: memcpy would leave the bytes in vector registers, which may be saved elsewhere. */
MAINSTEM_P_APART void mainstem_p_copy_secret(void *to, const void *from, size_t size) {
  volatile unsigned char *out = (volatile unsigned char *)to;
  const volatile unsigned char *in = (const volatile unsigned char *)from;
  while (size-- > 0) *out++ = *in++;
}

/* Tokens ----------------------------------------------------------------------------------------- */

/**
 * A token was dropped. What is taken and must be given back once is a token: the delivery lock, an event's memory with
 * the room promised to it. In the builds for tests (MAINSTEM_CHECK_TOKENS) the process ends here.
 */
void mainstem_p_lost_token(void) MAINSTEM_P_HIDDEN;

/* Events ----------------------------------------------------------------------------------------- */

/** Writes an event from outside, without a time. Fields of four bytes are stored in pairs. */
static inline void mainstem_p_event_from_outside(mainstem_event *event, uint64_t position,
                                                 mainstem_event_type type, const void *data,
                                                 const void *nothing, size_t size,
                                                 uint32_t origin) {
  const uint64_t size_and_offset = size, type_and_status = type;
  event->position = position;
  event->cause = 0;
  event->correlation = position;
  event->answers = 0;
  event->time = 0;
  memcpy((char *)event + offsetof(mainstem_event, size), &size_and_offset, 8);
  memcpy((char *)event + offsetof(mainstem_event, type), &type_and_status, 8);
  event->origin = origin;
  event->flags = MAINSTEM_EVENT_OUTSIDE;
  event->data = data;
  event->user_message = (const char *)nothing;
  event->context = NULL;
  event->reply = event->home = event->through = 0;
}

/** Whether two payloads of one size are the same. */
static inline bool mainstem_p_same(const void *one, const void *other, size_t size) {
  return memcmp(one, other, size) == 0;
}

/** Like it, without a call; false also if they have another size than scalars have. */
static inline bool mainstem_p_same_scalar(const void *one, const void *other, size_t size) {
  uint64_t left, right;
  if (size != 8) return size == 1 && *(const char *)one == *(const char *)other;
  memcpy(&left, one, 8);
  memcpy(&right, other, 8);
  return left == right;
}

/** Copies a payload, and ends it with a zero byte. */
static inline void mainstem_p_keep(void *to, const void *from, size_t size) {
  if (size == 8) {
    memcpy(to, from, 8);
  } else {
    memmove(to, from, size);
  }
  ((char *)to)[size] = 0;
}

/* Workers ---------------------------------------------------------------------------------------- */

/** A thread of the library's own, or room for one. */
struct mainstem_p_worker {
  unsigned long thread;
  int is_running;
};

/** Starts a thread that takes no signals; 0 if none can be started. The name may be cut. */
int mainstem_p_worker_start(struct mainstem_p_worker *worker, const char *name, void (*run)(void *),
                            void *argument) MAINSTEM_P_HIDDEN;

/** Waits for the thread to end, if one was started. */
void mainstem_p_worker_join(struct mainstem_p_worker *worker) MAINSTEM_P_HIDDEN;

/** Pauses between two looks at something that another thread will write. */
static inline void mainstem_p_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Locks ------------------------------------------------------------------------------------------ */

/** A mutex and a condition in one. */
struct mainstem_p_lock;

struct mainstem_p_lock *mainstem_p_lock_create(void) MAINSTEM_P_HIDDEN; /* NULL: no memory */
void mainstem_p_lock_destroy(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;
void mainstem_p_lock_acquire(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;
void mainstem_p_lock_release(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;
void mainstem_p_lock_wait(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;
void mainstem_p_lock_wake_all(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;
/** In the child of a fork: releases the lock, whoever held it in the parent. */
void mainstem_p_lock_renew(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;

/** Sets what is called in the child of a fork, with the frames of the one thread left. */
void mainstem_p_on_child(void (*fn)(void *frames)) MAINSTEM_P_HIDDEN;

/* Handles ---------------------------------------------------------------------------------------- */

#define MAINSTEM_P_CHUNKS 4096

/** The chunks of handle slots, static so that a look-up needs no initialization check. */
extern void *mainstem_p_chunks[MAINSTEM_P_CHUNKS] MAINSTEM_P_HIDDEN;
extern uint64_t mainstem_p_salt MAINSTEM_P_HIDDEN;

static inline void *mainstem_p_chunk(uint32_t number) {
  return __atomic_load_n(&mainstem_p_chunks[number], __ATOMIC_ACQUIRE);
}

static inline void mainstem_p_chunk_publish(uint32_t number, void *chunk) {
  __atomic_store_n(&mainstem_p_chunks[number], chunk, __ATOMIC_RELEASE);
}

static inline uint64_t mainstem_p_handle_salt(void) {
  return __atomic_load_n(&mainstem_p_salt, __ATOMIC_RELAXED);
}

/** The chunks and the salt of the process before the last fork. */
void *mainstem_p_parent_chunk(uint32_t number) MAINSTEM_P_HIDDEN;
uint64_t mainstem_p_parent_salt(void) MAINSTEM_P_HIDDEN;

/** Draws the salt on the first call, under the lock of all handles. */
void mainstem_p_handle_salt_draw(void) MAINSTEM_P_HIDDEN;

void mainstem_p_handles_lock(void) MAINSTEM_P_HIDDEN;
void mainstem_p_handles_unlock(void) MAINSTEM_P_HIDDEN;

/** Process-wide state besides the chunks, under mainstem_p_handles_lock. */
struct mainstem_p_handles {
  uint32_t free_slot;  /* the first free slot + 1; 0 = none */
  uint32_t used_slots; /* slots ever used; later ones are fresh */
  void *free_streams;  /* blocks of closed contexts, for reuse */
};
extern struct mainstem_p_handles mainstem_p_all_handles MAINSTEM_P_HIDDEN;

static inline struct mainstem_p_handles *mainstem_p_handles(void) {
  return &mainstem_p_all_handles;
}

/* Clock and wake-up ------------------------------------------------------------------------------ */

/** Nanoseconds since 1970. */
int64_t mainstem_p_now(void) MAINSTEM_P_HIDDEN;

/** Random bits from the system, as good as can be had without waiting; never 0. */
uint64_t mainstem_p_random(void) MAINSTEM_P_HIDDEN;

/** Nanoseconds on a clock that nobody sets. */
int64_t mainstem_p_monotonic(void) MAINSTEM_P_HIDDEN;

/** The descriptors that wake a host; -1: not created yet. */
struct mainstem_p_descriptors {
  int event; /* can be made readable */
  int timer; /* readable from a set time on */
  int loop;  /* readable while one of the others is; what the host's loop polls */
};

/* Where contexts are to be recorded, which the environment may say; NULL: nowhere. Never with raised privileges. */
const char *mainstem_p_record_path(void) MAINSTEM_P_HIDDEN;
/* Where a verification is to report, likewise. */
const char *mainstem_p_report_path(void) MAINSTEM_P_HIDDEN;
/** Appends to a file, which is created if there is none; 0 if not all could be written. */
int mainstem_p_append(const char *path, const void *bytes, size_t count) MAINSTEM_P_HIDDEN;

/** Creates the first descriptor if it does not exist yet; 0 if no descriptor is left. */
int mainstem_p_wake_open(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
/** Creates the others, after the first. 0 if no descriptor is left; then none was created. */
int mainstem_p_wake_open_loop(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_close(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
/** Makes the timer readable from `due` on, on the monotonic clock; INT64_MAX: not at all. */
void mainstem_p_wake_set_timer(int fd, int64_t due) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_signal(int fd) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_interrupt(int fd) MAINSTEM_P_HIDDEN; /* from a signal handler */
void mainstem_p_wake_clear(int fd) MAINSTEM_P_HIDDEN;
void mainstem_p_yield(void) MAINSTEM_P_HIDDEN;

/** How a wait ended. */
enum {
  MAINSTEM_P_TIMED_OUT = 0,
  MAINSTEM_P_READABLE = 1,
  MAINSTEM_P_INTERRUPTED = 2,
  MAINSTEM_P_NOT_OPEN = 3
};

/**
 * Waits until `fd` is readable. A signal interrupts the wait, and so does `interrupt` when it becomes
 * readable; it may be below 0. The timeout is in nanoseconds; below 0: no timeout.
 */
int mainstem_p_wake_wait(int fd, int interrupt, int64_t timeout) MAINSTEM_P_HIDDEN;

/* Files ------------------------------------------------------------------------------------------ */

/** CRC-32C of bytes, continued from the checksum of those before them; 0: there are none. */
uint32_t mainstem_p_crc32c(uint32_t seed, const void *bytes, size_t count) MAINSTEM_P_HIDDEN;

/** The seed with which bytes get a checksum. */
uint32_t mainstem_p_crc32c_before(uint32_t checksum, const void *bytes,
                                  size_t count) MAINSTEM_P_HIDDEN;

/** A regular file, open for reading. */
struct mainstem_p_input {
  int fd;
  int64_t size;   /* when it was last measured */
  int64_t stored; /* bytes of it that take up room on the disk */
};

/** In place of an errno: the path is not a regular file. */
#define MAINSTEM_P_NOT_PLAIN (-1)

/** Opens PATH or, given a number, PATH.000001 and so on, for reading. Returns 0 or an errno. */
int mainstem_p_input_open(const char *path, uint64_t number,
                          struct mainstem_p_input *file) MAINSTEM_P_HIDDEN;

/** Measures an open file again. */
void mainstem_p_input_measure(struct mainstem_p_input *file) MAINSTEM_P_HIDDEN;

void mainstem_p_input_close(int fd) MAINSTEM_P_HIDDEN;
/** Reads. Returns the number of bytes, fewer only at the end of the file; below 0: an errno. */
int64_t mainstem_p_input_read(int fd, void *memory, size_t count, int64_t offset) MAINSTEM_P_HIDDEN;
/** The first offset from `offset` on that lies in no hole; `size` if there is none. */
int64_t mainstem_p_input_next_data(int fd, int64_t offset, int64_t size) MAINSTEM_P_HIDDEN;
/** Finds the lowest and highest number of files PATH.000001 …; 0: none. Returns 0 or an errno. */
int mainstem_p_input_numbers(const char *path, uint64_t *lowest,
                             uint64_t *highest) MAINSTEM_P_HIDDEN;
/** Describes an errno. */
void mainstem_p_input_error(int code, char *buffer, size_t capacity) MAINSTEM_P_HIDDEN;

/** A file open for writing. */
struct mainstem_p_output;

/** What the calls below return, unless they say otherwise. */
enum {
  MAINSTEM_P_OUTPUT_OK = 0,
  MAINSTEM_P_OUTPUT_FULL, /* the disk, the user's share of it, or the process's own limit */
  MAINSTEM_P_OUTPUT_LOCKED,
  MAINSTEM_P_OUTPUT_MISSING,
  MAINSTEM_P_OUTPUT_EXISTS,
  MAINSTEM_P_OUTPUT_NOT_PLAIN, /* a directory, a pipe or a device */
  MAINSTEM_P_OUTPUT_LINK,      /* a symbolic one */
  MAINSTEM_P_OUTPUT_FORBIDDEN,
  MAINSTEM_P_OUTPUT_READ_ONLY,
  MAINSTEM_P_OUTPUT_TOO_LONG, /* the path */
  MAINSTEM_P_OUTPUT_TOO_MANY, /* open files */
  MAINSTEM_P_OUTPUT_NO_MEMORY,
  MAINSTEM_P_OUTPUT_UNSUPPORTED, /* by the file system */
  MAINSTEM_P_OUTPUT_FAILED,
  MAINSTEM_P_OUTPUT_POISONED, /* by a failed sync */
  MAINSTEM_P_OUTPUT_CHANGED   /* by somebody else: cut short, written over, removed */
};

/** In place of a number: PATH.new, an incomplete file. */
#define MAINSTEM_P_OUTPUT_NEW UINT64_MAX

/**
 * Opens PATH or, given a number, PATH.000001 and so on: an existing file, or a new one that only its
 * owner may access. NULL on failure, with the error.
 */
struct mainstem_p_output *mainstem_p_output_open(const char *path, uint64_t number, int creates,
                                                 int *error) MAINSTEM_P_HIDDEN;
/** Whether the name exists, whatever it is. */
int mainstem_p_output_exists(const char *path) MAINSTEM_P_HIDDEN;
/** Renames PATH.new to its number. */
int mainstem_p_output_publish(const char *path, uint64_t number) MAINSTEM_P_HIDDEN;
void mainstem_p_output_close(struct mainstem_p_output *file) MAINSTEM_P_HIDDEN;
/** Takes the file's only lock, which ends with the file or the process. */
int mainstem_p_output_lock(struct mainstem_p_output *file) MAINSTEM_P_HIDDEN;
/** Writes all of it. After an error, part of it may be there. */
int mainstem_p_output_write(struct mainstem_p_output *file, const void *bytes, size_t count,
                            uint64_t offset) MAINSTEM_P_HIDDEN;
/** CHANGED if the file is shorter than we made it, or no longer in any directory. */
int mainstem_p_output_check(struct mainstem_p_output *file, uint64_t size) MAINSTEM_P_HIDDEN;
/** CHANGED if the file does not have these bytes, at most 256, at that offset. */
int mainstem_p_output_compare(struct mainstem_p_output *file, const void *bytes, size_t count,
                              uint64_t offset) MAINSTEM_P_HIDDEN;
/** Makes sure that there is room on the disk. */
int mainstem_p_output_reserve(struct mainstem_p_output *file, uint64_t offset,
                              uint64_t length) MAINSTEM_P_HIDDEN;
/** Writes zeros. */
int mainstem_p_output_fill(struct mainstem_p_output *file, uint64_t offset,
                           uint64_t length) MAINSTEM_P_HIDDEN;
int mainstem_p_output_cut(struct mainstem_p_output *file, uint64_t length) MAINSTEM_P_HIDDEN;
int mainstem_p_output_sync(struct mainstem_p_output *file) MAINSTEM_P_HIDDEN;
/** Syncs the directory of a path's file. */
int mainstem_p_output_sync_directory(const char *path) MAINSTEM_P_HIDDEN;
int mainstem_p_output_remove(const char *path, uint64_t number) MAINSTEM_P_HIDDEN;
/** In a child process: closes all of them without writing. */
void mainstem_p_outputs_close_in_child(void) MAINSTEM_P_HIDDEN;
uint32_t mainstem_p_process(void) MAINSTEM_P_HIDDEN;

/* The version ------------------------------------------------------------------------------------ */

const char *mainstem_p_version_text(void) MAINSTEM_P_HIDDEN;

#endif

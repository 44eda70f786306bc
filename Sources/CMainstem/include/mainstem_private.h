// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What Swift sees of C: the public header, and the shim over libc.
 *
 * With shim.c, reading.c, writing.c and checksum.c the only platform file. Nothing here is installed or
 * exported. What the hot path needs is inline; the rest is a call.
 */

#ifndef MAINSTEM_PRIVATE_H
#define MAINSTEM_PRIVATE_H

#include "../../../include/mainstem.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define MAINSTEM_P_HIDDEN __attribute__((visibility("hidden")))

/* Threads ---------------------------------------------------------------------------------------- */

/** What the library keeps of a thread: two pointers, so that dlopen finds room for them. */
struct mainstem_p_thread {
  void *frames;   /* the callbacks of ours on this thread's stack, innermost first */
  char *sentence; /* the last error, or NULL */
};

extern __thread struct mainstem_p_thread mainstem_p_this_thread
    __attribute__((tls_model("initial-exec"))) MAINSTEM_P_HIDDEN;

/** This thread's own memory. */
static inline struct mainstem_p_thread *mainstem_p_thread(void) { return &mainstem_p_this_thread; }

/** What tells threads apart; never 0. */
static inline uintptr_t mainstem_p_thread_identity(void) {
  return (uintptr_t)__builtin_thread_pointer();
}

#define MAINSTEM_P_SUBJECT_CAPACITY 900

/** Memory of this thread for the subject of a sentence to come; NULL: no memory. */
char *mainstem_p_subject(void) MAINSTEM_P_HIDDEN;

/** Writes this thread's last error and returns it: "function: argument: subject reason". */
const char *mainstem_p_write_sentence(const char *function, const char *argument,
                                      const char *subject, size_t subject_length,
                                      const char *reason) MAINSTEM_P_HIDDEN;

/* Memory ----------------------------------------------------------------------------------------- */

void *mainstem_p_allocate(size_t size) MAINSTEM_P_HIDDEN;
void *mainstem_p_allocate_aligned(size_t size) MAINSTEM_P_HIDDEN; /* to a cache line */
void mainstem_p_free(void *memory) MAINSTEM_P_HIDDEN;
/* Overwrites memory with zeros, also when nobody will read it any more. */
void mainstem_p_wipe(void *memory, size_t size) MAINSTEM_P_HIDDEN;
/* Copies byte by byte: memcpy leaves what it copied in vector registers, for whoever writes those down. */
void mainstem_p_copy_secret(void *to, const void *from, size_t size) MAINSTEM_P_HIDDEN;

/* Events ----------------------------------------------------------------------------------------- */

/** An event from outside, without a time. Fields of four bytes go in by pairs. */
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
  event->text = (const char *)nothing;
  event->context = NULL;
  event->reply = event->home = event->through = 0;
}

/* Workers ---------------------------------------------------------------------------------------- */

/** A thread of the library's own, or the place for one. */
struct mainstem_p_worker {
  unsigned long thread;
  int is_running;
};

/** Starts a thread that takes no signals; 0 when none can be started. The name may be cut. */
int mainstem_p_worker_start(struct mainstem_p_worker *worker, const char *name, void (*run)(void *),
                            void *argument) MAINSTEM_P_HIDDEN;

/** Waits for the thread's end, if one was started. */
void mainstem_p_worker_join(struct mainstem_p_worker *worker) MAINSTEM_P_HIDDEN;

/** What to do between two looks at something another thread will write. */
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
/** In the child of a fork: nobody has it, whoever had it in the parent. */
void mainstem_p_lock_renew(struct mainstem_p_lock *lock) MAINSTEM_P_HIDDEN;

/** What is called in the child of a fork, with the frames of the one thread that is left. */
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

/** The same of the process before the last fork. */
void *mainstem_p_parent_chunk(uint32_t number) MAINSTEM_P_HIDDEN;
uint64_t mainstem_p_parent_salt(void) MAINSTEM_P_HIDDEN;

/** Draws the salt at the first call, under the lock of all handles. */
void mainstem_p_handle_salt_draw(void) MAINSTEM_P_HIDDEN;

void mainstem_p_handles_lock(void) MAINSTEM_P_HIDDEN;
void mainstem_p_handles_unlock(void) MAINSTEM_P_HIDDEN;

/** What is process-wide beside the chunks, under mainstem_p_handles_lock. */
struct mainstem_p_handles {
  uint32_t free_slot;  /* the first free slot + 1; 0 = none */
  uint32_t used_slots; /* slots ever used; those after are fresh */
  void *free_streams;  /* blocks of closed contexts, to be used again */
};
extern struct mainstem_p_handles mainstem_p_all_handles MAINSTEM_P_HIDDEN;

static inline struct mainstem_p_handles *mainstem_p_handles(void) {
  return &mainstem_p_all_handles;
}

/* Clock and wake-up ------------------------------------------------------------------------------ */

/** Nanoseconds since 1970. */
int64_t mainstem_p_now(void) MAINSTEM_P_HIDDEN;

/** Random bits of the machine's, as good as can be had without waiting; never 0. */
uint64_t mainstem_p_random(void) MAINSTEM_P_HIDDEN;

/** Nanoseconds of the clock that nobody sets. */
int64_t mainstem_p_monotonic(void) MAINSTEM_P_HIDDEN;

/** What tells a host: -1 where not made yet. */
struct mainstem_p_descriptors {
  int event; /* can be made readable */
  int timer; /* readable from a time on */
  int loop;  /* readable while one of the others is; what the host's loop polls */
};

/** Makes the first of them if it is not there yet; 0 when no descriptor is left. */
int mainstem_p_wake_open(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
/** Makes the others; needs the first. 0 when no descriptor is left, and nothing was made then. */
int mainstem_p_wake_open_loop(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_close(struct mainstem_p_descriptors *all) MAINSTEM_P_HIDDEN;
/** Makes the timer readable from `due` on, on the monotonic clock; INT64_MAX: not at all. */
void mainstem_p_wake_set_timer(int fd, int64_t due) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_signal(int fd) MAINSTEM_P_HIDDEN;
void mainstem_p_wake_interrupt(int fd) MAINSTEM_P_HIDDEN; /* from a signal handler */
void mainstem_p_wake_clear(int fd) MAINSTEM_P_HIDDEN;
void mainstem_p_yield(void) MAINSTEM_P_HIDDEN;

/** How a wait ends. */
enum {
  MAINSTEM_P_TIMED_OUT = 0,
  MAINSTEM_P_READABLE = 1,
  MAINSTEM_P_INTERRUPTED = 2,
  MAINSTEM_P_NOT_OPEN = 3
};

/**
 * Waits until `fd` is readable; interrupted by a signal, or by `interrupt`, which may be below 0, being
 * readable. In nanoseconds; below 0 for ever.
 */
int mainstem_p_wake_wait(int fd, int interrupt, int64_t timeout) MAINSTEM_P_HIDDEN;

/* Files ------------------------------------------------------------------------------------------ */

/** CRC-32C of bytes, continued from the checksum of those before them; 0: of none. */
uint32_t mainstem_p_crc32c(uint32_t seed, const void *bytes, size_t count) MAINSTEM_P_HIDDEN;

/** The seed that gives bytes a checksum. */
uint32_t mainstem_p_crc32c_before(uint32_t checksum, const void *bytes,
                                  size_t count) MAINSTEM_P_HIDDEN;

/** A regular file that is open for reading. */
struct mainstem_p_input {
  int fd;
  int64_t size;   /* when it was opened */
  int64_t stored; /* bytes of it that take room on the disk */
};

/** Instead of an errno: what is there is no regular file. */
#define MAINSTEM_P_NOT_PLAIN (-1)

/** Opens PATH for reading, or for a number the file PATH.000001 …; 0, or why not: an errno. */
int mainstem_p_input_open(const char *path, uint64_t number,
                          struct mainstem_p_input *file) MAINSTEM_P_HIDDEN;
void mainstem_p_input_close(int fd) MAINSTEM_P_HIDDEN;
/** Reads; how many bytes, fewer only where the file ends; below 0: an errno. */
int64_t mainstem_p_input_read(int fd, void *memory, size_t count, int64_t offset) MAINSTEM_P_HIDDEN;
/** The first place from `offset` on that is in no hole; `size` when there is none. */
int64_t mainstem_p_input_next_data(int fd, int64_t offset, int64_t size) MAINSTEM_P_HIDDEN;
/** The lowest and the highest number of files PATH.000001 …, 0 when there is none; 0 or an errno. */
int mainstem_p_input_numbers(const char *path, uint64_t *lowest,
                             uint64_t *highest) MAINSTEM_P_HIDDEN;
/** What an errno means. */
void mainstem_p_input_error(int code, char *buffer, size_t capacity) MAINSTEM_P_HIDDEN;

/** A file that is open for writing. */
struct mainstem_p_output;

/** What the calls below say, where it is not said otherwise. */
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
  MAINSTEM_P_OUTPUT_POISONED, /* by a sync that failed */
  MAINSTEM_P_OUTPUT_CHANGED   /* by somebody else: cut short, written over, removed */
};

/** In place of a number: PATH.new, a file that is not complete yet. */
#define MAINSTEM_P_OUTPUT_NEW UINT64_MAX

/**
 * Opens PATH, or for a number PATH.000001 …: a file that is there, or one that it makes, for its owner
 * only. NULL, and the error.
 */
struct mainstem_p_output *mainstem_p_output_open(const char *path, uint64_t number, int creates,
                                                 int *error) MAINSTEM_P_HIDDEN;
/** Whether there is anything of that name. */
int mainstem_p_output_exists(const char *path) MAINSTEM_P_HIDDEN;
/** Gives PATH.new its number. */
int mainstem_p_output_publish(const char *path, uint64_t number) MAINSTEM_P_HIDDEN;
void mainstem_p_output_close(struct mainstem_p_output *file) MAINSTEM_P_HIDDEN;
/** Takes the file's one lock, which ends with the file or the process. */
int mainstem_p_output_lock(struct mainstem_p_output *file) MAINSTEM_P_HIDDEN;
/** Writes all of it. After an error some of it may be there. */
int mainstem_p_output_write(struct mainstem_p_output *file, const void *bytes, size_t count,
                            uint64_t offset) MAINSTEM_P_HIDDEN;
/** CHANGED where the file is shorter than it was made, or in no directory any more. */
int mainstem_p_output_check(struct mainstem_p_output *file, uint64_t size) MAINSTEM_P_HIDDEN;
/** CHANGED where the file has not these bytes, at most 256, at a place. */
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
/** Syncs the directory in which a path's file is. */
int mainstem_p_output_sync_directory(const char *path) MAINSTEM_P_HIDDEN;
int mainstem_p_output_remove(const char *path, uint64_t number) MAINSTEM_P_HIDDEN;
/** In a child process: closes all of them, and writes nothing. */
void mainstem_p_outputs_close_in_child(void) MAINSTEM_P_HIDDEN;
uint32_t mainstem_p_process(void) MAINSTEM_P_HIDDEN;

/* Constants -------------------------------------------------------------------------------------- */

const char *mainstem_p_version_text(void) MAINSTEM_P_HIDDEN;

/** The constant of that name in the public headers: 1 when found. */
int mainstem_p_constant(const char *name, int64_t *value) MAINSTEM_P_HIDDEN;

#endif

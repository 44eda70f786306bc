// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Counts the allocations and the system calls of 100,000 sends to an immediate observer, and prints
 * them. Each counter first has to count something that happens: one that sees nothing proves nothing.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stream.h"

enum { SENDS = 100000 };

/* Allocations: this program's malloc stands before libc's, for the library too. */

static bool counting;
static uint64_t allocations;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  allocations += counting;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += counting;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations += counting;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations += counting;
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations += counting;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  allocations += counting;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

static void send_all(stream *opened) {
  for (size_t i = 0; i < SENDS; i++)
    must(mainstem_send(opened->context, opened->types[0], opened->payload, PAYLOAD));
}

static uint64_t allocations_of(void (*work)(stream *), stream *opened) {
  allocations = 0;
  counting = true;
  work(opened);
  counting = false;
  return allocations;
}

static void observe_many(stream *opened) { stream_observe(opened, 1, 10000); }

/* System calls: the kernel turns each into a signal, in a process of its own since that stays. */

static volatile sig_atomic_t system_calls;

static void on_system_call(int number) {
  (void)number;
  system_calls++;
}

static void trap_system_calls(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  struct sigaction action = {.sa_handler = on_system_call};
  if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    _exit(3);
  }
}

static void three_calls(stream *opened) {
  (void)opened;
  for (int i = 0; i < 3; i++) syscall(SYS_getppid);
}

static uint64_t system_calls_of(void (*work)(stream *), uint32_t threads) {
  uint64_t *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int status = 0;
  if (shared == MAP_FAILED) abort();
  fflush(NULL);
  if (fork() == 0) {
    stream *opened = stream_open(threads, 1);
    stream_observe(opened, 0, 1);
    send_all(opened);
    trap_system_calls();
    work(opened);
    *shared = (uint64_t)system_calls;
    _exit(work == send_all && opened->sum != 2 * SENDS);
  }
  wait(&status);
  must_be((uint64_t)status, 0, "the process that counts system calls ended with");
  return *shared;
}

static void report(uint32_t threads, const char *name) {
  stream *opened = stream_open(threads, 2);
  stream_observe(opened, 0, 1);
  if (allocations_of(observe_many, opened) == 0) {
    fprintf(stderr, "10,000 observers without an allocation: the counter does not count.\n");
    exit(3);
  }
  send_all(opened);
  printf("%llu allocations in 100,000 sends, %s\n",
         (unsigned long long)allocations_of(send_all, opened), name);
  must_be(opened->sum, 2 * SENDS, name);
  stream_close(opened);
  must_be(system_calls_of(three_calls, threads), 3, "system calls counted");
  printf("%llu system calls in 100,000 sends, %s\n",
         (unsigned long long)system_calls_of(send_all, threads), name);
}

int main(void) {
  report(MAINSTEM_THREADS_ANY, "any thread");
  report(MAINSTEM_THREADS_ONE, "one thread");
  return 0;
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Calls on files that fail when they are told to: one of them, by its number, or from there on all of its kind.
 * This program's own definitions stand before those of libc, so it must not be built with a sanitizer.
 */

#ifndef FAILING_FILES_H
#define FAILING_FILES_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum call {
  NO_CALL,
  OPEN,
  LOCK,
  READ,
  WRITE,
  RESERVE,
  CUT,
  SYNC,
  SYNC_FOLDER,
  RENAME,
  REMOVE,
  CLOSE
};

/* Beside the errors of libc: half of what is asked is done; the same, and then there is no room; the process ends,
   before, after, amid a call. */
enum { SHORT = 1000, HALF, KILL, KILL_AFTER, KILL_AMID };

enum { MOST_CALLS = 2000, MOST_FILES = 256, INTERRUPTIONS = 3 };

static struct failing {
  int is_counting, at, fault, is_sticky;
  int count, kinds[MOST_CALLS]; /* What was called. */
  int hit;                      /* The kind of the call that failed. */
  int failed;                   /* How many did. */
  off_t room;                   /* Where the disk ends for a file; 0: nowhere. */
  /* What the disk need not know yet: files, by their inode, for they may be closed meanwhile. */
  ino_t dirty[MOST_FILES];
  int folder_is_dirty;
} failing;

static void failing_die(void) {
  kill(getpid(), SIGKILL);
  abort();
}

/* What is to go wrong with this call; 0: nothing. */
static int failing_meets(int kind) {
  if (!failing.is_counting) return 0;
  int index = failing.count++;
  if (index < MOST_CALLS) failing.kinds[index] = kind;
  if (index == failing.at) failing.hit = kind;
  else if (!failing.is_sticky || index < failing.at || kind != failing.hit) return 0;
  if (failing.fault == EINTR && failing.failed == INTERRUPTIONS) return 0;
  if (failing.fault == KILL) failing_die();
  failing.failed++;
  return failing.fault == HALF && failing.failed > 1 ? ENOSPC : failing.fault;
}

/* Notes whether the disk has what is in a file. */
static void failing_note(ino_t file, int is_dirty) {
  int i = 0;
  while (i < MOST_FILES && failing.dirty[i] != file) i++;
  if (i < MOST_FILES && !is_dirty) failing.dirty[i] = 0;
  if (i < MOST_FILES || !is_dirty) return;
  for (i = 0; failing.dirty[i] != 0; i++)
    if (i == MOST_FILES - 1) abort();
  failing.dirty[i] = file;
}

static void failing_note_open(int fd, int is_dirty) {
  struct stat found;
  if (fstat(fd, &found) == 0) failing_note(found.st_ino, is_dirty);
}

/* After a call that was done. */
static void failing_passed(int fault) {
  if (fault == KILL_AFTER || fault == KILL_AMID) failing_die();
}

/* Whether a call must not be done: errno says why. */
static int failing_refuses(int fault) {
  if (fault == 0 || fault >= SHORT) return 0;
  errno = fault;
  return 1;
}

/* Declares `real`: libc's own. */
#define REAL(result, name, ...)                                                                    \
  result (*real)(__VA_ARGS__);                                                                     \
  *(void **)&real = failing_real(#name)

static void *failing_real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

int open(const char *path, int flags, ...) {
  REAL(int, open, const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int fault = failing_meets(OPEN);
  if (failing_refuses(fault)) return -1;
  int fd = real(path, flags, mode);
  if (fd >= 0 && flags & O_CREAT) failing.folder_is_dirty = 1;
  failing_passed(fault);
  return fd;
}

int fcntl(int fd, int command, ...) {
  REAL(int, fcntl, int, int, ...);
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int fault = command == F_OFD_SETLK ? failing_meets(LOCK) : 0;
  if (failing_refuses(fault)) return -1;
  int result = real(fd, command, argument);
  failing_passed(fault);
  return result;
}

static size_t failing_part(int fault, size_t count) {
  return (fault == SHORT || fault == HALF || fault == KILL_AMID) && count > 1 ? count / 2 : count;
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, pread, int, void *, size_t, off_t);
  int fault = failing_meets(READ);
  if (failing_refuses(fault)) return -1;
  count = failing_part(fault, count);
  ssize_t done = real(fd, bytes, count, offset);
  failing_passed(fault);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  int fault = failing_meets(WRITE);
  if (failing_refuses(fault)) return -1;
  count = failing_part(fault, count);
  ssize_t done = real(fd, bytes, count, offset);
  failing_note_open(fd, 1);
  failing_passed(fault);
  return done;
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  REAL(int, posix_fallocate, int, off_t, off_t);
  int fault = failing_meets(RESERVE);
  if (failing_refuses(fault)) return errno;
  if (failing.room != 0 && offset + length > failing.room) return ENOSPC;
  int error = real(fd, offset, length);
  failing_passed(fault);
  return error;
}

int ftruncate(int fd, off_t length) {
  REAL(int, ftruncate, int, off_t);
  int fault = failing_meets(CUT);
  if (failing_refuses(fault)) return -1;
  int result = real(fd, length);
  failing_passed(fault);
  return result;
}

/* The disk itself is left alone: no power is cut here. */
int fdatasync(int fd) {
  int fault = failing_meets(SYNC);
  if (failing_refuses(fault)) return -1;
  failing_note_open(fd, 0);
  failing_passed(fault);
  return 0;
}

int fsync(int fd) {
  int fault = failing_meets(SYNC_FOLDER);
  if (failing_refuses(fault)) return -1;
  failing.folder_is_dirty = 0;
  failing_passed(fault);
  return 0;
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  int fault = failing_meets(RENAME);
  if (failing_refuses(fault)) return -1;
  int result = real(from, to);
  failing.folder_is_dirty = 1;
  failing_passed(fault);
  return result;
}

/* What is gone need not become durable. */
int unlink(const char *path) {
  REAL(int, unlink, const char *);
  int fault = failing_meets(REMOVE);
  if (failing_refuses(fault)) return -1;
  struct stat found;
  int is_there = lstat(path, &found) == 0;
  int result = real(path);
  if (result == 0) failing.folder_is_dirty = 0;
  if (result == 0 && is_there) failing_note(found.st_ino, 0);
  failing_passed(fault);
  return result;
}

int close(int fd) {
  REAL(int, close, int);
  int fault = failing_meets(CLOSE);
  int result = real(fd);
  if (failing_refuses(fault)) return -1;
  failing_passed(fault);
  return result;
}

/* Whether all that was done would outlive a power cut. */
static inline int failing_nothing(void) {
  for (int i = 0; i < MOST_FILES; i++)
    if (failing.dirty[i] != 0) return 0;
  return !failing.folder_is_dirty;
}

#endif

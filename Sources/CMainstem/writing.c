// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Files for writing: what the journal needs from libc. Like shim.c a platform file.

#define _GNU_SOURCE
#include "mainstem_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct mainstem_p_output {
  int fd;
  struct mainstem_p_output *next;
};

static int said(int error) {
  switch (error) {
  case 0:
    return MAINSTEM_P_OUTPUT_OK;
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
    return MAINSTEM_P_OUTPUT_FULL;
  case EAGAIN:
    return MAINSTEM_P_OUTPUT_LOCKED;
  case ENOENT:
  case ENOTDIR:
    return MAINSTEM_P_OUTPUT_MISSING;
  case EEXIST:
    return MAINSTEM_P_OUTPUT_EXISTS;
  case EISDIR:
  case ENXIO:
  case ENODEV:
    return MAINSTEM_P_OUTPUT_NOT_PLAIN;
  case ELOOP:
    return MAINSTEM_P_OUTPUT_LINK;
  case EACCES:
  case EPERM:
    return MAINSTEM_P_OUTPUT_FORBIDDEN;
  case EROFS:
    return MAINSTEM_P_OUTPUT_READ_ONLY;
  case ENAMETOOLONG:
    return MAINSTEM_P_OUTPUT_TOO_LONG;
  case EMFILE:
  case ENFILE:
    return MAINSTEM_P_OUTPUT_TOO_MANY;
  case ENOMEM:
    return MAINSTEM_P_OUTPUT_NO_MEMORY;
  case EINVAL:
  case ENOTSUP:
    return MAINSTEM_P_OUTPUT_UNSUPPORTED;
  default:
    return MAINSTEM_P_OUTPUT_FAILED;
  }
}

/* All open files, so that a child process can close them. */
static struct mainstem_p_output *open_files;
static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;

static void enlist(struct mainstem_p_output *file) {
  pthread_mutex_lock(&files_mutex);
  file->next = open_files;
  open_files = file;
  pthread_mutex_unlock(&files_mutex);
}

static void strike_off(struct mainstem_p_output *file) {
  pthread_mutex_lock(&files_mutex);
  struct mainstem_p_output **link = &open_files;
  while (*link != NULL && *link != file) link = &(*link)->next;
  if (*link != NULL) *link = file->next;
  pthread_mutex_unlock(&files_mutex);
}

/* The lock belongs to the open file: while the child has the file, the parent's death would not
   free the lock. Nothing is allocated or freed. */
void mainstem_p_outputs_close_in_child(void) {
  pthread_mutex_init(&files_mutex, NULL);
  for (struct mainstem_p_output *file = open_files; file != NULL; file = file->next) {
    close(file->fd);
    file->fd = -1;
  }
  open_files = NULL;
}

/* Moves a descriptor above the standard streams and accepts only a regular file; anything else
   is closed. */
static int checked(int fd, int *error) {
  if (fd >= 0 && fd <= 2) {
    int above = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (above < 0) *error = said(errno);
    close(fd);
    fd = above;
  }
  if (fd < 0) return -1;
  struct stat found;
  if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode)) return fd;
  *error = MAINSTEM_P_OUTPUT_NOT_PLAIN;
  close(fd);
  return -1;
}

/* PATH itself for 0, PATH.new for a file being created, otherwise PATH.000001 and so on; 0: too
   long. */
static int write_name(char *name, const char *path, uint64_t number) {
  int length;
  if (number == 0) length = snprintf(name, PATH_MAX, "%s", path);
  else if (number == MAINSTEM_P_OUTPUT_NEW) length = snprintf(name, PATH_MAX, "%s.new", path);
  else length = snprintf(name, PATH_MAX, "%s.%06llu", path, (unsigned long long)number);
  return length < PATH_MAX;
}

struct mainstem_p_output *mainstem_p_output_open(const char *path, uint64_t number, int creates,
                                                 int *error) {
  char name[PATH_MAX];
  if (!write_name(name, path, number)) {
    *error = MAINSTEM_P_OUTPUT_TOO_LONG;
    return NULL;
  }
  struct mainstem_p_output *file = malloc(sizeof *file);
  if (file == NULL) {
    *error = MAINSTEM_P_OUTPUT_NO_MEMORY;
    return NULL;
  }
  /* Non-blocking: a pipe is refused below, and opening one must not wait. */
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
  int fd;
  do fd = open(name, flags | (creates ? O_CREAT | O_EXCL : 0), 0600);
  while (fd < 0 && errno == EINTR);
  *error = fd < 0 ? said(errno) : 0;
  file->fd = checked(fd, error);
  if (file->fd < 0) {
    free(file);
    return NULL;
  }
  enlist(file);
  return file;
}

void mainstem_p_output_close(struct mainstem_p_output *file) {
  if (file == NULL) return;
  strike_off(file);
  if (file->fd >= 0) close(file->fd);
  free(file);
}

int mainstem_p_output_lock(struct mainstem_p_output *file) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  while (fcntl(file->fd, F_OFD_SETLK, &whole) < 0) {
    if (errno == EINTR) continue;
    return said(errno == EACCES ? EAGAIN : errno);
  }
  return 0;
}

int mainstem_p_output_write(struct mainstem_p_output *file, const void *bytes, size_t count,
                            uint64_t offset) {
  const char *rest = bytes;
  while (count > 0) {
    ssize_t done = pwrite(file->fd, rest, count, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return said(done < 0 ? errno : EIO);
    rest += done;
    offset += (uint64_t)done;
    count -= (size_t)done;
  }
  return 0;
}

/* Our lock stops only those who ask for it: anybody can cut or remove the file. A device has no
   size. */
int mainstem_p_output_check(struct mainstem_p_output *file, uint64_t size) {
  struct stat found;
  if (fstat(file->fd, &found) < 0) return said(errno);
  if (!S_ISREG(found.st_mode)) return 0;
  if (found.st_nlink == 0 || (uint64_t)found.st_size < size) return MAINSTEM_P_OUTPUT_CHANGED;
  return 0;
}

int mainstem_p_output_compare(struct mainstem_p_output *file, const void *bytes, size_t count,
                              uint64_t offset) {
  char there[256];
  ssize_t got;
  if (count > sizeof there) return MAINSTEM_P_OUTPUT_FAILED;
  do got = pread(file->fd, there, count, (off_t)offset);
  while (got < 0 && errno == EINTR);
  if (got < 0) return said(errno);
  if ((size_t)got < count || memcmp(there, bytes, count) != 0) return MAINSTEM_P_OUTPUT_CHANGED;
  return 0;
}

int mainstem_p_output_reserve(struct mainstem_p_output *file, uint64_t offset, uint64_t length) {
  /* Beyond this limit the kernel would send a signal that ends the process. */
  struct rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
      offset + length > most.rlim_cur)
    return MAINSTEM_P_OUTPUT_FULL;
  int error;
  do error = posix_fallocate(file->fd, (off_t)offset, (off_t)length);
  while (error == EINTR);
  return said(error);
}

int mainstem_p_output_fill(struct mainstem_p_output *file, uint64_t offset, uint64_t length) {
  static char zeros[65536]; /* Never written; a constant would be as large in the library's file. */
  while (length > 0) {
    const size_t part = length < sizeof zeros ? (size_t)length : sizeof zeros;
    const int error = mainstem_p_output_write(file, zeros, part, offset);
    if (error != 0) return error;
    offset += part;
    length -= part;
  }
  return 0;
}

int mainstem_p_output_cut(struct mainstem_p_output *file, uint64_t length) {
  while (ftruncate(file->fd, (off_t)length) < 0)
    if (errno != EINTR) return said(errno);
  return 0;
}

/* Not retried: after a failure nobody knows what has reached the disk. */
int mainstem_p_output_sync(struct mainstem_p_output *file) {
  return fdatasync(file->fd) < 0 ? said(errno) : 0;
}

int mainstem_p_output_sync_directory(const char *path) {
  char folder[PATH_MAX];
  const char *end = strrchr(path, '/');
  size_t length = end == NULL ? 0 : end == path ? 1 : (size_t)(end - path);
  if (length >= sizeof folder) return MAINSTEM_P_OUTPUT_TOO_LONG;
  memcpy(folder, path, length);
  if (length == 0) folder[length++] = '.';
  folder[length] = '\0';
  int fd;
  do fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) return said(errno);
  int error = fsync(fd) < 0 ? errno : 0;
  close(fd);
  /* On some file systems there is nothing to sync. */
  return error == EINVAL || error == ENOTSUP ? 0 : said(error);
}

int mainstem_p_output_remove(const char *path, uint64_t number) {
  char name[PATH_MAX];
  if (!write_name(name, path, number)) return MAINSTEM_P_OUTPUT_TOO_LONG;
  return unlink(name) < 0 ? said(errno) : 0;
}

int mainstem_p_output_exists(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0;
}

int mainstem_p_output_publish(const char *path, uint64_t number) {
  char before[PATH_MAX], after[PATH_MAX];
  if (!write_name(before, path, MAINSTEM_P_OUTPUT_NEW) || !write_name(after, path, number))
    return MAINSTEM_P_OUTPUT_TOO_LONG;
  return rename(before, after) < 0 ? said(errno) : 0;
}

uint32_t mainstem_p_process(void) { return (uint32_t)getpid(); }

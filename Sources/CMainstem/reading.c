// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Reading files, for journals. Like shim.c a platform file: Linux.

#define _GNU_SOURCE
#include "mainstem_private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* PATH itself for 0, otherwise PATH.000001 and so on; NULL: no memory. */
static char *numbered(const char *path, uint64_t number) {
  size_t capacity = strlen(path) + 32;
  char *whole = malloc(capacity);
  if (whole == NULL) return NULL;
  if (number == 0) snprintf(whole, capacity, "%s", path);
  else snprintf(whole, capacity, "%s.%06llu", path, (unsigned long long)number);
  return whole;
}

/* A host that closed its standard streams must not find one of our files in their place. */
static int open_above_streams(const char *path) {
  int fd;
  do {
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0 || fd > 2) return fd;
  int above = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  int kept = errno;
  close(fd);
  errno = kept;
  return above;
}

static int open_regular(const char *path, struct mainstem_p_input *file) {
  struct stat found;
  /* Checked before opening, because opening a device can have effects. */
  if (stat(path, &found) != 0) return errno;
  if (S_ISDIR(found.st_mode)) return EISDIR;
  if (!S_ISREG(found.st_mode)) return MAINSTEM_P_NOT_PLAIN;
  int fd = open_above_streams(path);
  if (fd < 0) return errno;
  if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(fd);
    return MAINSTEM_P_NOT_PLAIN;
  }
  file->fd = fd;
  file->size = found.st_size;
  file->stored = (int64_t)found.st_blocks * 512;
  return 0;
}

int mainstem_p_input_open(const char *path, uint64_t number, struct mainstem_p_input *file) {
  char *whole = numbered(path, number);
  if (whole == NULL) return ENOMEM;
  int failed = open_regular(whole, file);
  free(whole);
  return failed;
}

void mainstem_p_input_measure(struct mainstem_p_input *file) {
  struct stat found;
  if (fstat(file->fd, &found) != 0) return;
  file->size = found.st_size;
  file->stored = (int64_t)found.st_blocks * 512;
}

void mainstem_p_input_close(int fd) {
  if (fd >= 0) close(fd);
}

int64_t mainstem_p_input_read(int fd, void *memory, size_t count, int64_t offset) {
  size_t done = 0;
  while (done < count) {
    /* Linux reads at most 2 GiB at once. */
    ssize_t got = pread(fd, (char *)memory + done, count - done, offset + (int64_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    if (got == 0) break;
    done += (size_t)got;
  }
  return (int64_t)done;
}

int64_t mainstem_p_input_next_data(int fd, int64_t offset, int64_t size) {
  off_t found = lseek(fd, offset, SEEK_DATA);
  if (found >= 0) return found < size ? found : size;
  return errno == ENXIO ? size : offset;
}

/* The number in a file name after "NAME.": six digits or more; 0: not one of our files. */
static uint64_t number_of(const char *digits) {
  size_t count = strspn(digits, "0123456789");
  if (count < 6 || count > 18 || digits[count] != '\0') return 0;
  if (count > 6 && digits[0] == '0') return 0;
  return strtoull(digits, NULL, 10);
}

static void note_number(uint64_t number, uint64_t *lowest, uint64_t *highest) {
  if (number == 0) return;
  if (*lowest == 0 || number < *lowest) *lowest = number;
  if (number > *highest) *highest = number;
}

static int numbers_in(const char *folder, const char *name, uint64_t *lowest, uint64_t *highest) {
  DIR *entries = opendir(folder);
  if (entries == NULL) return errno;
  size_t length = strlen(name);
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.') continue;
    note_number(number_of(entry->d_name + length + 1), lowest, highest);
  }
  closedir(entries);
  return 0;
}

int mainstem_p_input_numbers(const char *path, uint64_t *lowest, uint64_t *highest) {
  *lowest = *highest = 0;
  const char *slash = strrchr(path, '/');
  if (slash == NULL) return numbers_in(".", path, lowest, highest);
  char *folder = strndup(path, (size_t)(slash - path) + 1);
  if (folder == NULL) return ENOMEM;
  int failed = numbers_in(folder, slash + 1, lowest, highest);
  free(folder);
  return failed;
}

void mainstem_p_input_error(int code, char *buffer, size_t capacity) {
  if (code == MAINSTEM_P_NOT_PLAIN) snprintf(buffer, capacity, "Not a regular file");
  else snprintf(buffer, capacity, "%s", strerror_r(code, buffer, capacity));
}

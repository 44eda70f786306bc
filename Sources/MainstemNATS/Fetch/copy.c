// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A journal's files, made of its records: docs/journal-format.md. They are made beside the place where they belong, under
   a name that no journal has, and go there when they are whole. */

#include "fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Checksums ------------------------------------------------------------------------------------------- */

/* CRC-32C, as docs/journal-format.md has it, eight bytes at a time. */

enum { POLYNOMIAL = 0x82F63B78, AT_ONCE = 8 };

/* What a byte becomes, with so many zeros behind it. */
static uint32_t table[AT_ONCE][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
    table[0][byte] = crc;
  }
  for (int zeros = 1; zeros < AT_ONCE; zeros++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = table[zeros - 1][byte];
      table[zeros][byte] = crc >> 8 ^ table[0][crc & 0xff];
    }
}

uint32_t checksum(uint32_t seed, const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint32_t crc = ~seed;
  pthread_once(&once, fill);
  for (; size >= AT_ONCE; size -= AT_ONCE, bytes += AT_ONCE) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word ^= crc;
    crc = 0;
    for (int i = 0; i < AT_ONCE; i++) crc ^= table[AT_ONCE - 1 - i][word >> 8 * i & 0xff];
  }
  for (; size > 0; size--, bytes++) crc = crc >> 8 ^ table[0][(crc ^ *bytes) & 0xff];
  return ~crc;
}

/* Files ----------------------------------------------------------------------------------------------- */

enum { BUFFER = 1 << 18, HEADER = sizeof(mainstem_event_header), CHECKSUM = 4, KEYED = 24 };

static bool fail_by_disk(struct failure *failure, const char *path) {
  int number = errno;
  return fail(failure, number == ENOSPC || number == EDQUOT ? MAINSTEM_NO_SPACE : MAINSTEM_IO,
              "%s: %s", path, strerror(number));
}

/* PATH.000017, in memory of the caller's; NULL: there is none. */
static char *numbered(const char *path, uint64_t number) {
  char *text;
  return asprintf(&text, "%s.%06llu", path, (unsigned long long)number) < 0 ? NULL : text;
}

/* "FOLDER/.NAME.fetched-17-1", of this process and call. */
bool copy_begin(struct copy *copy, const char *path, struct failure *failure) {
  static _Atomic unsigned calls;
  const char *slash = strrchr(path, '/');
  int folder = slash != NULL ? (int)(slash + 1 - path) : 0;
  memset(copy, 0, sizeof *copy);
  if (asprintf(&copy->base, "%.*s.%s.fetched-%d-%u", folder, path, path + folder, (int)getpid(),
               ++calls) < 0)
    copy->base = NULL;
  return copy->base != NULL || fail(failure, MAINSTEM_NO_MEMORY, "there is no memory for a name");
}

/* Ends the open file, which is on the disk then. */
static bool close_file(struct copy *copy, struct failure *failure) {
  if (copy->file == NULL) return true;
  bool is_written =
      fflush(copy->file) == 0 && !ferror(copy->file) && fsync(fileno(copy->file)) == 0;
  if (!is_written) fail_by_disk(failure, copy->base);
  fclose(copy->file);
  copy->file = NULL;
  return is_written;
}

static bool open_file(struct copy *copy, uint64_t number, struct failure *failure) {
  uint64_t *numbers = realloc(copy->numbers, (copy->files + 1) * sizeof *numbers);
  char *path = numbered(copy->base, number);
  if (numbers != NULL) copy->numbers = numbers;
  if (numbers == NULL || path == NULL) {
    free(path);
    return fail(failure, MAINSTEM_NO_MEMORY, "there is no memory for another file");
  }
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) copy->numbers[copy->files++] = number;
  copy->file = file >= 0 ? fdopen(file, "w") : NULL;
  if (copy->file == NULL) {
    fail_by_disk(failure, path);
    if (file >= 0) close(file);
  } else setvbuf(copy->file, NULL, _IOFBF, BUFFER);
  free(path);
  return copy->file != NULL;
}

static bool write_all(struct copy *copy, const void *data, size_t size, struct failure *failure) {
  return size == 0 || fwrite(data, 1, size, copy->file) == size ||
         fail_by_disk(failure, copy->base);
}

bool copy_begin_file(struct copy *copy, const struct file_header *header, struct failure *failure) {
  if (!close_file(copy, failure) || !open_file(copy, header->number, failure)) return false;
  copy->key = checksum(0, (const char *)header + offsetof(struct file_header, id), KEYED);
  copy->link = header->checksum;
  return write_all(copy, header, sizeof *header, failure);
}

bool copy_add(struct copy *copy, const mainstem_event_header *given, const void *payload,
              struct failure *failure) {
  static const char zeros[8];
  mainstem_event_header header = *given;
  size_t filled = (HEADER + (size_t)header.size + CHECKSUM + 7) / 8 * 8 - HEADER - header.size;
  header.offset = copy->link;
  copy->link = checksum(copy->key, &header, sizeof header);
  copy->link = checksum(copy->link, payload, header.size);
  copy->link = checksum(copy->link, zeros, filled - CHECKSUM);
  return write_all(copy, &header, sizeof header, failure) &&
         write_all(copy, payload, header.size, failure) &&
         write_all(copy, zeros, filled - CHECKSUM, failure) &&
         write_all(copy, &copy->link, CHECKSUM, failure);
}

bool copy_finish(struct copy *copy, struct failure *failure) { return close_file(copy, failure); }

/* What was moved is on the disk. */
static bool sync_folder(const char *path, struct failure *failure) {
  const char *slash = strrchr(path, '/');
  char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash + 1 - path));
  int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  bool is_synced = file >= 0 && (fsync(file) == 0 || errno == EINVAL);
  if (!is_synced) fail_by_disk(failure, path);
  if (file >= 0) close(file);
  free(folder);
  return is_synced;
}

/* Moves a file to a place that is free. Where the disk's format cannot do that, another name for it can. */
static bool move(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL || link(from, to) != 0) return false;
  unlink(from);
  return true;
}

static bool install(struct copy *copy, uint64_t number, const char *path, bool is_numbered,
                    struct failure *failure) {
  char *from = numbered(copy->base, number);
  char *to = is_numbered ? numbered(path, number) : strdup(path);
  bool is_there = from != NULL && to != NULL && move(from, to);
  if (!is_there && errno == EEXIST) fail(failure, MAINSTEM_INVALID, "%s: already exists", to);
  else if (!is_there) fail_by_disk(failure, path);
  free(from);
  free(to);
  return is_there;
}

/* Takes back a file that has others after it. */
static void uninstall(uint64_t number, const char *path) {
  char *there = numbered(path, number);
  if (there != NULL) unlink(there);
  free(there);
}

bool copy_install(struct copy *copy, const char *path, bool is_numbered, struct failure *failure) {
  is_numbered = is_numbered || copy->files > 1;
  for (uint64_t i = 0; i < copy->files; i++)
    if (!install(copy, copy->numbers[i], path, is_numbered, failure)) {
      while (i-- > 0) uninstall(copy->numbers[i], path);
      return false;
    }
  return sync_folder(path, failure);
}

void copy_free(struct copy *copy) {
  if (copy->file != NULL) fclose(copy->file);
  for (uint64_t i = 0; i < copy->files; i++) {
    char *path = numbered(copy->base, copy->numbers[i]);
    if (path != NULL) unlink(path);
    free(path);
  }
  free(copy->numbers);
  free(copy->base);
  memset(copy, 0, sizeof *copy);
}

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A provider of files: a server that reads, writes and lists what is below one folder. Copy this file.
 *
 *     files *notes = files_open(context, "notes");
 *     mainstem_request(context, notes->types[FILES_READ], "today.txt", 9, show, NULL, NULL);
 *     while (…) mainstem_wait(context, -1);
 *     files_close(notes); // before the context
 *
 * Its handlers are on the host's scheduler, so what it answers are inputs: a replay does not call it, and verifies
 * without a disk. One thread does the work, in the order of the requests; it is started by the first. Paths are
 * relative, with `/`, and have no part that is empty, `.` or `..`; symbolic links are followed.
 *
 * | request          | carries                   | answer                                                  |
 * |------------------|---------------------------|---------------------------------------------------------|
 * | RequestReadFile  | the path                  | ResponseFile: the bytes                                 |
 * | RequestWriteFile | the path, 0, the bytes    | ResponseWritten: how many, when they are on the disk    |
 * | RequestListFiles | the folder, or nothing    | ResponseFiles: the names in order, with a 0 behind each |
 *
 * A file is replaced as a whole: who reads it gets the old bytes or the new ones, also after a loss of power. Above
 * 128 KiB both report NoticeFileDone, the bytes that are done. When nobody waits any more, the work stops, and a file
 * that is not complete is not there. What fails is answered with a code below, and a text with the path.
 */

#ifndef FILES_PROVIDER_H
#define FILES_PROVIDER_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mainstem.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The codes of its failures: no such file; a path or a right; more than FILES_MOST; anything else. */
enum { FILES_MISSING = 1201, FILES_REFUSED = 1202, FILES_TOO_LARGE = 1203, FILES_BROKEN = 1204 };
enum { FILES_CHUNK = 128 << 10, FILES_MOST = 64 << 20, FILES_PATH = 1024 };

enum {
  FILES_DATA,
  FILES_WRITTEN,
  FILES_NAMES,
  FILES_DONE,
  FILES_READ,
  FILES_WRITE,
  FILES_LIST,
  FILES_TYPES
};

typedef struct files {
  mainstem_event_type types[FILES_TYPES];
  mainstem_context *server;
  char root[FILES_PATH];
  pthread_t thread;
  pthread_cond_t wake;
  struct files_job *first, **last;
  int is_running, is_closing;
  unsigned written; /* So that each temporary file has a name of its own. */
} files;

/* A request. Two hold it: the thread, and the library, which says when nobody waits any more. */
typedef struct files_job {
  struct files_job *next;
  mainstem_retained *asked;
  int is_stopped, holders;
} files_job;

/* One lock for all, since a job may outlive its provider. */
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;

/* Jobs ------------------------------------------------------------------------------------------- */

static void files_drop(void *user_data) {
  files_job *job = (files_job *)user_data;
  pthread_mutex_lock(&files_lock);
  int left = --job->holders;
  pthread_mutex_unlock(&files_lock);
  if (left == 0) free(job);
}

static void files_stop(void *user_data) {
  pthread_mutex_lock(&files_lock);
  ((files_job *)user_data)->is_stopped = 1;
  pthread_mutex_unlock(&files_lock);
}

static int files_goes_on(files *self, files_job *job) {
  pthread_mutex_lock(&files_lock);
  int goes_on = !job->is_stopped && !self->is_closing;
  pthread_mutex_unlock(&files_lock);
  return goes_on;
}

/* Paths and failures ----------------------------------------------------------------------------- */

static void files_fail(const mainstem_event *event, const char *path, int error) {
  char text[FILES_PATH + 128];
  mainstem_status code = FILES_BROKEN;
  if (error == ENOENT || error == ENOTDIR) code = FILES_MISSING;
  if (error == EACCES || error == EPERM || error == EISDIR || error == EINVAL) code = FILES_REFUSED;
  if (error == EFBIG) code = FILES_TOO_LARGE;
  snprintf(text, sizeof text, "%s: %s", path, strerror(error));
  if (mainstem_respond_error(event, code, text) == MAINSTEM_INVALID) {
    mainstem_respond_error(event, code, strerror(error)); /* The path is no UTF-8. */
  }
}

/* The path below the root; EINVAL where it would lead out of it. */
static int files_path(const files *self, const char *path, size_t size, char *whole) {
  const char *end = path + size;
  if (memchr(path, 0, size)) return EINVAL;
  for (const char *part = path; part < end;) {
    const char *slash = (const char *)memchr(part, '/', (size_t)(end - part));
    size_t length = (size_t)((slash ? slash : end) - part);
    if (length == 0 || (length < 3 && strncmp(part, "..", length) == 0)) return EINVAL;
    if (slash && slash + 1 == end) return EINVAL;
    part += length + (slash != NULL);
  }
  int length =
      snprintf(whole, FILES_PATH, "%s%s%.*s", self->root, size ? "/" : "", (int)size, path);
  return length < FILES_PATH ? 0 : ENAMETOOLONG;
}

/* Steps of progress may be lost; the answer says how it has ended. */
static void files_tell(files *self, const mainstem_event *event, int64_t done, size_t size) {
  if (size > FILES_CHUNK) {
    mainstem_respond_progress(event, self->types[FILES_DONE], &done, sizeof done);
  }
}

/* Reading ---------------------------------------------------------------------------------------- */

/* Reads into a buffer of its own; an error, or -1 if it was stopped. */
static int files_get(files *self, files_job *job, const mainstem_event *event, int file,
                     char **bytes, size_t *size) {
  struct stat facts;
  if (fstat(file, &facts) != 0) return errno;
  if (!S_ISREG(facts.st_mode)) return EISDIR;
  if (facts.st_size > FILES_MOST) return EFBIG;
  size_t most = (size_t)facts.st_size;
  if (!(*bytes = (char *)malloc(most + 1))) return ENOMEM;
  for (*size = 0; *size < most;) {
    size_t left = most - *size;
    if (!files_goes_on(self, job)) return -1;
    ssize_t count = read(file, *bytes + *size, left < FILES_CHUNK ? left : FILES_CHUNK);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break; /* It is shorter now. */
    *size += (size_t)count;
    files_tell(self, event, (int64_t)*size, most);
  }
  return 0;
}

static void files_read(files *self, files_job *job, const mainstem_event *event) {
  char whole[FILES_PATH], name[FILES_PATH], *bytes = NULL;
  size_t size = 0;
  snprintf(name, sizeof name, "%.*s", (int)event->size, (const char *)event->data);
  int error = files_path(self, (const char *)event->data, event->size, whole), file = -1;
  /* Whoever opens a pipe would wait for its other end. */
  if (!error && (file = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0) error = errno;
  if (!error) error = files_get(self, job, event, file, &bytes, &size);
  if (!error && mainstem_respond(event, bytes, size) == MAINSTEM_TOO_BIG) error = EFBIG;
  if (error > 0) files_fail(event, name, error);
  if (file >= 0) close(file);
  free(bytes);
}

/* Writing ---------------------------------------------------------------------------------------- */

static int files_put(files *self, files_job *job, const mainstem_event *event, int file,
                     const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    size_t left = size - done;
    if (!files_goes_on(self, job)) return -1;
    ssize_t count = write(file, bytes + done, left < FILES_CHUNK ? left : FILES_CHUNK);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += (size_t)count;
    files_tell(self, event, (int64_t)done, size);
  }
  return fsync(file) == 0 ? 0 : errno;
}

/* The new name is on the disk, too. */
static int files_sync_folder(const char *folder) {
  int file = open(folder, O_RDONLY | O_CLOEXEC), error = 0;
  if (file < 0) return errno;
  if (fsync(file) != 0 && errno != EINVAL) error = errno; /* Some systems sync no folders. */
  close(file);
  return error;
}

/* Writes beside the file, and then puts that in its place. */
static int files_replace(files *self, files_job *job, const mainstem_event *event, char *whole,
                         const char *bytes, size_t size) {
  char part[FILES_PATH + 64];
  char *slash = strrchr(whole, '/');
  *slash = 0;
  snprintf(part, sizeof part, "%s/.%s.%ld-%u.part", whole, slash + 1, (long)getpid(),
           ++self->written);
  *slash = '/';
  int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = files_put(self, job, event, file, bytes, size);
  if (close(file) != 0 && !error) error = errno;
  if (!error && rename(part, whole) != 0) error = errno;
  if (error) {
    unlink(part);
    return error;
  }
  *slash = 0;
  error = files_sync_folder(whole);
  *slash = '/';
  return error;
}

static void files_write(files *self, files_job *job, const mainstem_event *event) {
  char whole[FILES_PATH], name[FILES_PATH];
  const char *path = (const char *)event->data;
  const char *end = event->size ? (const char *)memchr(path, 0, event->size) : NULL;
  size_t length = end ? (size_t)(end - path) : 0, size = end ? event->size - length - 1 : 0;
  int64_t written = (int64_t)size;
  snprintf(name, sizeof name, "%.*s", (int)length, path ? path : "");
  int error = length ? files_path(self, path, length, whole) : EINVAL;
  if (!error) error = files_replace(self, job, event, whole, end + 1, size);
  if (error > 0) files_fail(event, name, error);
  if (error == 0) mainstem_respond(event, &written, sizeof written);
}

/* Listing ---------------------------------------------------------------------------------------- */

static int files_compare(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static int files_is_shown(DIR *folder, const char *name) {
  struct stat facts;
  return name[0] != '.' && fstatat(dirfd(folder), name, &facts, 0) == 0 && S_ISREG(facts.st_mode);
}

/* The names, and how many bytes they take with a 0 behind each. */
static int files_collect(DIR *folder, char ***names, size_t *count, size_t *size) {
  struct dirent *entry;
  while (errno = 0, (entry = readdir(folder))) {
    if (!files_is_shown(folder, entry->d_name)) continue;
    char **more = (char **)realloc(*names, (*count + 1) * sizeof *more);
    if (more) *names = more;
    if (!more || !(more[*count] = strdup(entry->d_name))) return ENOMEM;
    *size += strlen(more[(*count)++]) + 1;
  }
  return errno;
}

static void files_list(files *self, files_job *job, const mainstem_event *event) {
  char whole[FILES_PATH], name[FILES_PATH], **names = NULL, *packed = NULL;
  size_t count = 0, size = 0, at = 0;
  DIR *folder = NULL;
  (void)job;
  snprintf(name, sizeof name, "%.*s", (int)event->size, (const char *)event->data);
  int error = files_path(self, (const char *)event->data, event->size, whole);
  if (!error && !(folder = opendir(whole))) error = errno;
  if (!error) error = files_collect(folder, &names, &count, &size);
  if (!error && !(packed = (char *)malloc(size + 1))) error = ENOMEM;
  if (count) qsort(names, count, sizeof *names, files_compare);
  for (size_t i = 0; i < count; i++) {
    if (packed) at += (size_t)sprintf(packed + at, "%s", names[i]) + 1;
    free(names[i]);
  }
  if (!error && mainstem_respond(event, packed, size) == MAINSTEM_TOO_BIG) error = EFBIG;
  if (error) files_fail(event, name, error);
  if (folder) closedir(folder);
  free(names);
  free(packed);
}

/* The thread ------------------------------------------------------------------------------------- */

static void files_do(files *self, files_job *job) {
  const mainstem_event *event;
  if (files_goes_on(self, job) && mainstem_retained_event(job->asked, &event) == MAINSTEM_OK) {
    if (event->type == self->types[FILES_READ]) files_read(self, job, event);
    if (event->type == self->types[FILES_WRITE]) files_write(self, job, event);
    if (event->type == self->types[FILES_LIST]) files_list(self, job, event);
  }
  mainstem_retained_release(job->asked);
  files_drop(job);
}

static void *files_run(void *user_data) {
  files *self = (files *)user_data;
  pthread_mutex_lock(&files_lock);
  for (;;) {
    while (!self->first && !self->is_closing) pthread_cond_wait(&self->wake, &files_lock);
    files_job *job = self->first;
    if (!job) break;
    if (!(self->first = job->next)) self->last = &self->first;
    pthread_mutex_unlock(&files_lock);
    files_do(self, job);
    pthread_mutex_lock(&files_lock);
  }
  pthread_mutex_unlock(&files_lock);
  return NULL;
}

/* Gives a job to the thread, which is started now if there is none. */
static int files_give(files *self, files_job *job) {
  pthread_mutex_lock(&files_lock);
  int error = self->is_running ? 0 : pthread_create(&self->thread, NULL, files_run, self);
  if (!error) {
    self->is_running = 1;
    *self->last = job;
    self->last = &job->next;
    pthread_cond_signal(&self->wake);
  }
  pthread_mutex_unlock(&files_lock);
  return error;
}

static void files_begin(void *user_data, const mainstem_event *event) {
  files *self = (files *)user_data;
  files_job *job = (files_job *)calloc(1, sizeof *job);
  if (job && mainstem_event_retain(event, &job->asked) == MAINSTEM_OK) {
    job->holders = 2;
    if (mainstem_event_on_settled(event, files_stop, job, files_drop) != MAINSTEM_OK) {
      job->holders = 1; /* Nobody tells it. */
    }
    if (files_give(self, job) == 0) return;
    mainstem_retained_release(job->asked);
    files_drop(job);
  } else {
    free(job);
  }
  mainstem_respond_error(event, MAINSTEM_NO_MEMORY, "the files provider could not begin");
}

/* Opening and closing ---------------------------------------------------------------------------- */

/* Adds the provider of a folder; NULL: the root is too long, or mainstem_context_first_error says why. */
static files *files_open(mainstem_context *context, const char *root) {
  static const mainstem_type_row catalogue[FILES_TYPES] = {
      {"ResponseFile", MAINSTEM_PAYLOAD_BYTES, NULL},
      {"ResponseWritten", MAINSTEM_PAYLOAD_INTEGER, NULL},
      {"ResponseFiles", MAINSTEM_PAYLOAD_BYTES, NULL},
      {"NoticeFileDone", MAINSTEM_PAYLOAD_INTEGER, NULL},
      {"RequestReadFile", MAINSTEM_PAYLOAD_TEXT, "ResponseFile"},
      {"RequestWriteFile", MAINSTEM_PAYLOAD_BYTES, "ResponseWritten"},
      {"RequestListFiles", MAINSTEM_PAYLOAD_TEXT, "ResponseFiles"}};
  static const mainstem_handler_row rows[] = {{"RequestReadFile", files_begin, 0},
                                              {"RequestWriteFile", files_begin, 0},
                                              {"RequestListFiles", files_begin, 0}};
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  files *self = (files *)calloc(1, sizeof *self);
  if (!self || strlen(root) >= sizeof self->root) return free(self), NULL;
  self->last = &self->first;
  pthread_cond_init(&self->wake, NULL);
  snprintf(self->root, sizeof self->root, "%s", root);
  if (mainstem_types_add(context, MAINSTEM_ROWS(catalogue), self->types) ||
      mainstem_server_add_with(context, "Files", MAINSTEM_ROWS(rows), &options, self, NULL,
                               &self->server)) {
    pthread_cond_destroy(&self->wake);
    free(self);
    return NULL;
  }
  return self;
}

/* Ends it: what it has not answered is cancelled. On the context's thread, before that is closed. */
static void files_close(files *self) {
  pthread_mutex_lock(&files_lock);
  self->is_closing = 1;
  pthread_cond_signal(&self->wake);
  pthread_mutex_unlock(&files_lock);
  if (self->is_running) pthread_join(self->thread, NULL);
  mainstem_scope_end(self->server);
  pthread_cond_destroy(&self->wake);
  free(self);
}

#endif

// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// Analytics in a file. A program whose batches go to a machine asks that here, and answers later.

#include "upload.h"
#include "lines.h"

#include <jansson.h>
#include <sys/uio.h>

static const char *name; /* of the file; NULL: there is none */
static int file;
static int failed; /* why the last batch is not in it; 0: it is */

bool upload_open(const char *path) {
  name = path;
  file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) lines_put(stderr, "%s: %s", path, strerror(errno));
  return file >= 0;
}

/* A part of a line is taken back: the batch comes again. */
static int append(const mainstem_event *batch) {
  static char end[] = "\n";
  struct iovec line[] = {{(void *)batch->data, batch->size}, {end, 1}};
  off_t size = lseek(file, 0, SEEK_END);
  ssize_t written = writev(file, line, 2);
  if (written == (ssize_t)batch->size + 1) return 0;
  int why = written < 0 ? errno : ENOSPC;
  return written > 0 && ftruncate(file, size) ? errno : why;
}

static void take(void *user_data, const mainstem_event *batch) {
  (void)user_data;
  failed = append(batch);
  if (failed) {
    mainstem_respond_error(batch, MAINSTEM_IO, strerror(failed));
    return;
  }
  json_t *asked = json_loadb(batch->data, batch->size, 0, NULL);
  json_t *answer = json_pack("{s:O*}", "batch", json_object_get(asked, "batch"));
  char *bytes = json_dumps(answer, JSON_COMPACT);
  if (bytes) mainstem_respond(batch, bytes, strlen(bytes));
  free(bytes);
  json_decref(answer);
  json_decref(asked);
}

void upload_serve(mainstem_context *app) {
  mainstem_handler_row row = {"RequestUpload", take, 0};
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  if (name)
    mainstem_server_add_with(app, "Uploader", &row, sizeof row, 1, &options, NULL, NULL, NULL);
}

bool upload_rest(mainstem_context *app) {
  mainstem_event_type due = 0;
  size_t drained = 1;
  if (!name) return true;
  mainstem_type_find(app, "NoticeUploadDue", &due);
  mainstem_status status = mainstem_send(app, due, NULL, 0);
  while (!status && drained) status = mainstem_drain(app, 0, &drained);
  close(file);
  if (failed) lines_put(stderr, "%s: %s: the last batch is not in it", name, strerror(failed));
  return !failed;
}

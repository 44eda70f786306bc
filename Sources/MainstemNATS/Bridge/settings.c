// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The options of a bridge: checked, completed and copied. */

#include "bridge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mainstem_status wrong(const struct kind *kind, mainstem_status status, const char *what) {
  return refuse(status, "%s: options.%s", kind->function, what);
}

/* A field that the call does not read is not ignored: it may be meant for another call. */
static mainstem_status check_fields(const struct kind *kind, const mainstem_nats_options *given) {
  const struct {
    uint32_t field;
    bool is_set;
    const char *name;
  } rows[] = {
      {FIELD_PREFIX, given->prefix != NULL, "prefix"},
      {FIELD_STREAM, given->stream != NULL, "stream"},
      {FIELD_REPLICAS, given->replicas != 0, "replicas"},
      {FIELD_WINDOW, given->window != 0, "window"},
      {FIELD_LAYERS, given->layers != NULL || given->layer_count != 0, "layers"},
      {FIELD_TYPES, given->types != NULL || given->type_count != 0, "types"},
      {FIELD_QUEUE, given->queue != NULL, "queue"},
      {FIELD_TIMEOUT, given->timeout_ms != 0, "timeout_ms"},
      {FIELD_SCHEDULER, given->scheduler != 0, "scheduler"},
      {FIELD_AS, given->as != NULL, "as"},
      {FIELD_SOURCE, given->source != NULL, "source"},
      {FIELD_SCOPE, given->scope != NULL, "scope"},
      {FIELD_RIGHTS, given->rights != NULL, "rights"},
      {FIELD_DURABLE, given->durable != NULL, "durable"},
      {FIELD_JOURNAL, given->journal != NULL, "journal"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].is_set && (kind->fields & rows[i].field) == 0)
      return refuse(MAINSTEM_INVALID, "%s: options.%s: is not for this call", kind->function,
                    rows[i].name);
  return MAINSTEM_OK;
}

static mainstem_status check(const struct kind *kind, const mainstem_nats_options *given) {
  if (given->size != sizeof *given)
    return wrong(kind, given->size > sizeof *given ? MAINSTEM_UNSUPPORTED : MAINSTEM_INVALID,
                 "size: set .size = sizeof options");
  if ((given->flags & ~(uint32_t)MAINSTEM_NATS_TLS) != 0)
    return wrong(kind, MAINSTEM_UNSUPPORTED, "flags: this library does not know one of them");
  if ((given->user == NULL) != (given->password == NULL))
    return wrong(kind, MAINSTEM_INVALID, "password: user and password come together");
  if (given->user != NULL && given->credentials != NULL)
    return wrong(kind, MAINSTEM_INVALID, "credentials: they take the place of user and password");
  if ((given->certificate == NULL) != (given->key == NULL))
    return wrong(kind, MAINSTEM_INVALID, "key: certificate and key come together");
  if (given->prefix != NULL && !is_prefix(given->prefix))
    return wrong(kind, MAINSTEM_INVALID,
                 "prefix: parts joined by dots, without blanks, *, > or %, at most 512 bytes");
  if (given->stream != NULL && !is_stream(given->stream))
    return wrong(kind, MAINSTEM_INVALID, "stream: a name without blanks, dots, slashes, *, > or %");
  if (given->queue != NULL && !is_stream(given->queue))
    return wrong(kind, MAINSTEM_INVALID, "queue: a name without blanks, dots, slashes, *, > or %");
  if (given->replicas > 5) return wrong(kind, MAINSTEM_INVALID, "replicas: NATS keeps at most 5");
  if ((given->layer_count > 0 && given->layers == NULL) ||
      (given->type_count > 0 && given->types == NULL))
    return wrong(kind, MAINSTEM_INVALID, "layers or types: is NULL, but the count is not 0");
  return check_fields(kind, given);
}

/* NATS says only that a connection failed. */
static mainstem_status check_file(const struct kind *kind, const char *path, const char *what) {
  int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) close(file);
  if (path == NULL || file >= 0) return MAINSTEM_OK;
  return refuse(MAINSTEM_IO, "%s: options.%s: the file cannot be read", kind->function, what);
}

static mainstem_status check_files(const struct kind *kind, const mainstem_nats_options *given) {
  mainstem_status status = check_file(kind, given->credentials, "credentials");
  if (status == MAINSTEM_OK) status = check_file(kind, given->authorities, "authorities");
  if (status == MAINSTEM_OK) status = check_file(kind, given->certificate, "certificate");
  if (status == MAINSTEM_OK) status = check_file(kind, given->key, "key");
  return status;
}

static bool copy(char **to, const char *text) {
  if (text == NULL) return true;
  *to = strdup(text);
  return *to != NULL;
}

/* A list that ends with NULL. */
static bool copy_list(char ***to, const char *const *texts, uint32_t count) {
  if (texts == NULL || count == 0) return true;
  *to = calloc(count + 1, sizeof **to);
  for (uint32_t i = 0; *to != NULL && i < count; i++)
    if (texts[i] == NULL || !copy(&(*to)[i], texts[i])) return false;
  return *to != NULL;
}

enum { TIMEOUT_MS = 60000 };

/* The name of a file up to its first dot. */
static char *prefix_of(const char *path) {
  if (path == NULL) return strdup("mainstem");
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  size_t length = strcspn(name, ".");
  return length > 0 ? strndup(name, length) : strdup("mainstem");
}

static char *stream_of(const char *prefix) {
  char *stream = strdup(prefix);
  for (char *at = stream; at != NULL && *at != '\0'; at++)
    if (strchr("./\\", *at) != NULL) *at = '_';
  return stream;
}

static char *joined(const char *before, const char *behind) {
  char *name = malloc(strlen(before) + strlen(behind) + 1);
  if (name != NULL) strcpy(stpcpy(name, before), behind);
  return name;
}

static bool complete_names(struct settings *settings) {
  if (settings->prefix == NULL) settings->prefix = prefix_of(settings->path);
  if (settings->prefix == NULL) return false;
  if (settings->stream == NULL) settings->stream = stream_of(settings->prefix);
  return settings->stream != NULL;
}

static bool complete(struct settings *settings, const struct kind *kind) {
  if ((kind->fields & FIELD_PREFIX) != 0 && !complete_names(settings)) return false;
  if ((kind->fields & FIELD_SCOPE) != 0 && settings->scope == NULL)
    settings->scope = joined("import.", settings->stream);
  if (settings->url == NULL) settings->url = strdup("nats://localhost:4222");
  if (settings->name == NULL) settings->name = joined("mainstem ", kind->noun);
  if (settings->replicas == 0) settings->replicas = 1;
  if (settings->window == 0) settings->window = kind->window;
  if (settings->queue == NULL) settings->queue = strdup("mainstem");
  if (settings->timeout_ms == 0) settings->timeout_ms = TIMEOUT_MS;
  return settings->queue != NULL && settings->url != NULL && settings->name != NULL &&
         (settings->scope != NULL || (kind->fields & FIELD_SCOPE) == 0);
}

static bool copy_all(struct settings *to, const struct kind *kind, const char *path,
                     const mainstem_nats_options *given) {
  to->flags = given->flags;
  to->replicas = given->replicas;
  to->window = given->window;
  to->timeout_ms = given->timeout_ms;
  return copy(&to->path, path) && copy(&to->url, given->url) && copy(&to->name, given->name) &&
         copy(&to->user, given->user) && copy(&to->password, given->password) &&
         copy(&to->credentials, given->credentials) && copy(&to->authorities, given->authorities) &&
         copy(&to->certificate, given->certificate) && copy(&to->key, given->key) &&
         copy(&to->host, given->host) && copy(&to->prefix, given->prefix) &&
         copy(&to->stream, given->stream) && copy(&to->queue, given->queue) &&
         copy(&to->source, given->source) && copy(&to->scope, given->scope) &&
         copy(&to->durable, given->durable) &&
         copy_list(&to->layers, given->layers, given->layer_count) &&
         copy_list(&to->types, given->types, given->type_count) && complete(to, kind);
}

mainstem_status settings_copy(struct settings *settings, const struct kind *kind, const char *path,
                              const mainstem_nats_options *options) {
  mainstem_nats_options defaults = {.size = sizeof defaults};
  memset(settings, 0, sizeof *settings);
  if (options == NULL) options = &defaults;
  mainstem_status status = check(kind, options);
  if (status == MAINSTEM_OK) status = check_files(kind, options);
  if (status != MAINSTEM_OK) return status;
  if (!copy_all(settings, kind, path, options)) {
    settings_free(settings);
    return refuse(MAINSTEM_NO_MEMORY, "%s: there is no memory for the options", kind->function);
  }
  if ((kind->fields & FIELD_PREFIX) == 0 ||
      (is_prefix(settings->prefix) && is_stream(settings->stream)))
    return MAINSTEM_OK;
  settings_free(settings);
  return wrong(kind, MAINSTEM_INVALID,
               "prefix: is NULL, and the file's name is none that NATS takes");
}

static void free_list(char **list) {
  for (char **at = list; at != NULL && *at != NULL; at++) free(*at);
  free(list);
}

void settings_free(struct settings *settings) {
  for (int i = 0; i < TEXTS; i++) free(settings->texts[i]);
  free_list(settings->layers);
  free_list(settings->types);
  memset(settings, 0, sizeof *settings);
}

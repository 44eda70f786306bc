// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#include "http_provider.h"

#include <curl/curl.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 << 20, PATIENCE_MS = 10000 }; /* of an answer; as in http_provider.py */

struct http_provider {
  mainstem_context *context;
  CURLM *transfers;
  size_t calls;   /* that are not over */
  size_t servers; /* that have not ended */
};

/* A server that asks for the bytes of resources. */
typedef struct loader {
  http_provider *http;
  mainstem_resources *resources;
} loader;

/* One request on the network. */
typedef struct call {
  http_provider *http;
  mainstem_retained *request;
  mainstem_resources *resources; /* that get its bytes; NULL: they are the answer */
  CURL *transfer;
  char *url, *body;
  size_t size;
  char error[CURL_ERROR_SIZE];
} call;

/* A server has ended, or a call: who comes last, frees the provider. */
static void let_go(http_provider *http) {
  if (http->servers > 0 || http->calls > 0) return;
  curl_multi_cleanup(http->transfers);
  free(http);
}

/* Nobody waits any more. */
static void stop(void *user_data) {
  call *self = user_data;
  if (!self->transfer) return;
  curl_multi_remove_handle(self->http->transfers, self->transfer);
  curl_easy_cleanup(self->transfer);
  self->transfer = NULL;
}

/* It is answered, by whomever. */
static void call_free(void *user_data) {
  call *self = user_data;
  http_provider *http = self->http;
  stop(self);
  mainstem_retained_release(self->request);
  free(self->url);
  free(self->body);
  free(self);
  http->calls--;
  let_go(http);
}

static size_t take(char *bytes, size_t one, size_t count, void *user_data) {
  call *self = user_data;
  char *body = self->size + count > MOST ? NULL : realloc(self->body, self->size + count);
  (void)one;
  if (!body) return 0; /* the transfer fails */
  memcpy(body + self->size, bytes, count);
  self->body = body;
  self->size += count;
  return count;
}

/* Of each field: name=value, escaped and joined by &. */
static void post(CURL *transfer, json_t *form) {
  const char *name;
  json_t *value;
  char *fields = calloc(1, 1);
  json_object_foreach(form, name, value) {
    char *left = curl_easy_escape(transfer, name, 0);
    char *right = curl_easy_escape(transfer, json_string_value(value), 0);
    size_t length = strlen(fields), more = strlen(left) + strlen(right) + 3;
    fields = realloc(fields, length + more);
    snprintf(fields + length, more, "%s%s=%s", length ? "&" : "", left, right);
    curl_free(left);
    curl_free(right);
  }
  curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, fields);
  free(fields);
}

static void start(call *self, json_t *form) {
  self->transfer = curl_easy_init();
  curl_easy_setopt(self->transfer, CURLOPT_PRIVATE, self);
  curl_easy_setopt(self->transfer, CURLOPT_URL, self->url);
  curl_easy_setopt(self->transfer, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(self->transfer, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(self->transfer, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(self->transfer, CURLOPT_TIMEOUT_MS, (long)PATIENCE_MS);
  curl_easy_setopt(self->transfer, CURLOPT_ERRORBUFFER, self->error);
  curl_easy_setopt(self->transfer, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(self->transfer, CURLOPT_WRITEDATA, self);
  if (json_object_size(form) > 0) post(self->transfer, form);
  curl_multi_add_handle(self->http->transfers, self->transfer);
}

/* The url is the call's from now on. */
static void begin(http_provider *http, const mainstem_event *request, char *url, json_t *form,
                  mainstem_resources *resources) {
  call *self = calloc(1, sizeof *self);
  if (self && url && !mainstem_event_retain(request, &self->request)) {
    self->http = http;
    self->resources = resources;
    self->url = url;
    http->calls++;
    start(self, form);
    if (mainstem_event_on_settled(request, stop, self, call_free)) call_free(self);
  } else {
    free(self);
    free(url);
    mainstem_respond_error(request, HTTP_UNREACHED, "the request has no url");
  }
}

static void begin_text(void *http, const mainstem_event *request) {
  json_t *payload = json_loadb(request->data, request->size, 0, NULL);
  const char *url = json_string_value(json_object_get(payload, "url"));
  begin(http, request, url ? strdup(url) : NULL, json_object_get(payload, "form"), NULL);
  json_decref(payload);
}

static void begin_bytes(void *user_data, const mainstem_event *request) {
  loader *self = user_data;
  begin(self->http, request, strndup(request->data, request->size), NULL, self->resources);
}

static void refuse(const mainstem_event *request, mainstem_status code, const char *url,
                   const char *why, const char *subject) {
  char reason[300];
  mainstem_error error = {sizeof error, code, reason, NULL, subject};
  snprintf(reason, sizeof reason, "%.200s: %s", url, why);
  mainstem_respond_error_with(request, &error);
}

static void answer_text(call *self, const mainstem_event *request) {
  json_t *payload = json_pack("{s:s%}", "body", self->body ? self->body : "", self->size);
  char *bytes = json_dumps(payload, JSON_COMPACT);
  if (!bytes) refuse(request, HTTP_UNREACHED, self->url, "the answer is no text", NULL);
  else if (mainstem_respond(request, bytes, strlen(bytes)) == MAINSTEM_TOO_BIG)
    refuse(request, HTTP_UNREACHED, self->url, "the answer is too big", NULL);
  free(bytes);
  json_decref(payload);
}

static void answer_bytes(call *self, const mainstem_event *request) {
  mainstem_status status = mainstem_resources_put(self->resources, request, self->body, self->size);
  if (status && status != MAINSTEM_STALE)
    refuse(request, HTTP_UNREACHED, self->url, mainstem_status_name(status), NULL);
}

/* Refused as STALE if the request was given up a moment before: then stop is called next. */
static void answer(call *self, CURLcode result) {
  const mainstem_event *request = NULL;
  long status = 0;
  char number[8];
  curl_easy_getinfo(self->transfer, CURLINFO_RESPONSE_CODE, &status);
  snprintf(number, sizeof number, "%ld", status);
  mainstem_retained_event(self->request, &request);
  if (result) refuse(request, HTTP_UNREACHED, self->url, curl_easy_strerror(result), NULL);
  else if (status >= 400) refuse(request, HTTP_REFUSED, self->url, number, number);
  else if (self->resources) answer_bytes(self, request);
  else answer_text(self, request);
}

/* Answers what has come to its end. */
static void finish(http_provider *http) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(http->transfers, &left))) {
    call *self = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&self);
    answer(self, message->data.result);
  }
}

mainstem_status http_provider_wait(http_provider *http, int64_t timeout_ms, int input) {
  struct curl_waitfd wakes[] = {{0, CURL_WAIT_POLLIN, 0}, {input, CURL_WAIT_POLLIN, 0}};
  int timeout = timeout_ms < 0 || timeout_ms > INT_MAX ? INT_MAX : (int)timeout_ms, running, wake;
  mainstem_status status = mainstem_context_fd(http->context, &wake);
  if (status) return status;
  wakes[0].fd = wake;
  curl_multi_poll(http->transfers, wakes, input < 0 ? 1 : 2, timeout, NULL);
  curl_multi_perform(http->transfers, &running);
  finish(http);
  return mainstem_drain(http->context, 0, NULL);
}

size_t http_provider_transfers(const http_provider *http) { return http->calls; }

static void end(void *user_data) {
  http_provider *http = user_data;
  http->servers--;
  let_go(http);
}

static void loader_free(void *user_data) {
  loader *self = user_data;
  end(self->http);
  free(self);
}

static mainstem_status add_server(mainstem_context *context, const char *name, const char *type,
                                  mainstem_event_fn fn, void *user_data,
                                  mainstem_release_fn release) {
  mainstem_handler_row row = {type, fn, 0};
  mainstem_server_options options = {.size = sizeof options, .scheduler = MAINSTEM_SCHEDULER_HOST};
  return mainstem_server_add_with(context, name, &row, sizeof row, 1, &options, user_data, release,
                                  NULL);
}

mainstem_status http_provider_add(mainstem_context *context, http_provider **http) {
  static const mainstem_type_row types[] = {{"RequestHttp", MAINSTEM_PAYLOAD_JSON, "ResponseHttp"},
                                            {"ResponseHttp", MAINSTEM_PAYLOAD_JSON, NULL}};
  mainstem_event_type numbers[2];
  http_provider *self = calloc(1, sizeof *self);
  if (!self || !(self->transfers = curl_multi_init())) return free(self), MAINSTEM_NO_MEMORY;
  self->context = context;
  self->servers = 1;
  mainstem_status status = mainstem_types_add(context, MAINSTEM_ROWS(types), numbers);
  if (!status) status = add_server(context, "Http", "RequestHttp", begin_text, self, end);
  if (status) end(self);
  *http = status ? NULL : self;
  return status;
}

mainstem_status http_provider_load(http_provider *http, mainstem_context *context, const char *name,
                                   const char *type, mainstem_resources *resources) {
  loader *self = calloc(1, sizeof *self);
  if (!self) return MAINSTEM_NO_MEMORY;
  *self = (loader){http, resources};
  http->servers++;
  mainstem_status status = add_server(context, name, type, begin_bytes, self, loader_free);
  if (status) loader_free(self);
  return status;
}

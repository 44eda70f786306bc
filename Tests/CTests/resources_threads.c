// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Resources that several threads put and get, while views request, cancel and drop. */

#include "elsewhere.h"
#include "stream.h"

enum { PROVIDERS = 3, ROUNDS = 300, KEYS = 6, WAITING = 16, SIZE = 300 };

/* Requests that the provider has got, for the threads that answer them. */
typedef struct shop {
  mainstem_context *context;
  mainstem_resources *pictures;
  mainstem_event_type picture, changed;
  pthread_mutex_t lock;
  mainstem_retained *asked[4096];
  int count;
  bool is_over;
  int answers, good;
  sem_t answered; /* Once for each answer. */
} shop;

static void provider_get(void *user_data, const mainstem_event *event) {
  shop *self = (shop *)user_data;
  mainstem_retained *kept;
  EXPECT_OK(mainstem_event_retain(event, &kept));
  pthread_mutex_lock(&self->lock);
  EXPECT(self->count < (int)COUNT(self->asked));
  self->asked[self->count++] = kept;
  pthread_mutex_unlock(&self->lock);
}

/* Every byte of a picture is its key. */
static bool look(shop *self, char key) {
  mainstem_resource *resource;
  const void *data;
  size_t size;
  if (mainstem_resource_get(self->pictures, &key, 1, &resource) != MAINSTEM_OK) return false;
  EXPECT_OK(mainstem_resource_read(resource, &data, &size));
  EXPECT_EQUAL(size, SIZE);
  for (size_t i = 0; i < size; i++) EXPECT_EQUAL(((const char *)data)[i], key);
  EXPECT_OK(mainstem_resource_release(resource));
  return true;
}

static void *provide(void *user_data) {
  shop *self = (shop *)user_data;
  char bytes[SIZE];
  bool is_over = false;
  while (!is_over) {
    mainstem_retained *kept = NULL;
    pthread_mutex_lock(&self->lock);
    is_over = self->is_over && self->count == 0;
    if (self->count > 0) kept = self->asked[--self->count];
    pthread_mutex_unlock(&self->lock);
    for (char key = 'a'; key < 'a' + KEYS; key++) (void)look(self, key);
    if (kept == NULL) continue;
    const mainstem_event *event = kept_event(kept);
    memset(bytes, *(const char *)event->data, sizeof bytes);
    mainstem_status status = mainstem_resources_put(self->pictures, event, bytes, sizeof bytes);
    EXPECT(status == MAINSTEM_OK || status == MAINSTEM_STALE);
    EXPECT_STATUS(mainstem_resources_put(self->pictures, event, bytes, sizeof bytes),
                  MAINSTEM_STALE);
    EXPECT_OK(mainstem_retained_release(kept));
  }
  return NULL;
}

typedef struct viewer {
  shop *shop;
  char key;
  bool is_open;
  mainstem_pending *pending;
} viewer;

static void view_get(void *user_data, const mainstem_event *event) {
  viewer *self = (viewer *)user_data;
  bool is_good = event->status == MAINSTEM_OK;
  if (is_good) EXPECT(look(self->shop, self->key));
  pthread_mutex_lock(&self->shop->lock);
  self->is_open = false;
  self->shop->answers++;
  self->shop->good += is_good;
  pthread_mutex_unlock(&self->shop->lock);
  signal_give(&self->shop->answered);
}

/* What it has got may be gone. */
static void view_ended(void *user_data, const mainstem_event *event) {
  viewer *self = (viewer *)user_data;
  pthread_mutex_lock(&self->shop->lock);
  self->shop->answers++;
  pthread_mutex_unlock(&self->shop->lock);
}

static bool is_open(viewer *self) {
  pthread_mutex_lock(&self->shop->lock);
  bool is_open = self->is_open;
  pthread_mutex_unlock(&self->shop->lock);
  return is_open;
}

/* In a context for any thread, the one that puts may deliver. */
static void wait_for_all(shop *self, uint32_t threads, int asked) {
  static int taken;
  if (threads == MAINSTEM_THREADS_ONE)
    while (self->answers < asked) EXPECT_OK(mainstem_wait(self->context, -1));
  else
    for (taken = asked == 0 ? 0 : taken; taken < asked; taken++) signal_wait(&self->answered);
}

static void install(shop *self, mainstem_context *scope) {
  const mainstem_type_row rows[] = {{"RequestPicture", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
                                    {"RequestFetch", MAINSTEM_PAYLOAD_TEXT, "ResponsePicture"},
                                    {"ResponsePicture", MAINSTEM_PAYLOAD_NONE, NULL},
                                    {"Changed", MAINSTEM_PAYLOAD_TEXT, NULL}};
  mainstem_event_type types[COUNT(rows)];
  EXPECT_OK(mainstem_types_add(self->context, MAINSTEM_ROWS(rows), types));
  self->picture = types[0], self->changed = types[3];
  pthread_mutex_init(&self->lock, NULL);
  signal_open(&self->answered);
  serve_one(self->context, "Site", "RequestFetch", provider_get, self);
  EXPECT_OK(mainstem_resources_add(scope, "Cache",
                                   OPTIONS(resources, .request = "RequestPicture",
                                           .behind = "RequestFetch", .drop = "Changed",
                                           .limit_bytes = 3 * SIZE),
                                   &self->pictures));
}

/* Catches: bytes that one thread frees while another gets them, bytes of another key, an answer that is lost. */
CASE(threads_put_and_get, IN_BOTH) {
  static shop self;
  static viewer views[WAITING];
  pthread_t providers[PROVIDERS];
  unsigned seed = 7;
  int asked = 0;
  memset(&self, 0, sizeof self);
  self.context = context_open(threads);
  install(&self, self.context);
  wait_for_all(&self, threads, 0);
  for (int i = 0; i < WAITING; i++) views[i] = (viewer){&self, 0, false, NULL};
  for (int i = 0; i < PROVIDERS; i++) providers[i] = beside(provide, &self);
  for (int i = 0; i < ROUNDS; i++) {
    seed = seed * 1664525u + 1013904223u;
    viewer *view = &views[(seed >> 16) % WAITING];
    if (is_open(view)) {
      (void)mainstem_pending_cancel(view->pending);
    } else {
      view->key = (char)('a' + (seed >> 24) % KEYS);
      view->is_open = true;
      EXPECT_OK(mainstem_request(self.context, self.picture, &view->key, 1, view_get, view,
                                 &view->pending));
      asked++;
    }
    if (seed >> 28 == 0) EXPECT_OK(mainstem_send(self.context, self.changed, &view->key, 1));
    /* Now and then all of them are answered. */
    if (i % 8 == 0) wait_for_all(&self, threads, asked);
    EXPECT_OK(mainstem_drain(self.context, 0, NULL));
  }
  pthread_mutex_lock(&self.lock);
  self.is_over = true;
  pthread_mutex_unlock(&self.lock);
  for (int i = 0; i < PROVIDERS; i++) join(providers[i]);
  EXPECT_OK(mainstem_flush(self.context));
  EXPECT_EQUAL(self.answers, asked);
  EXPECT(self.good > 10);
  EXPECT_OK(mainstem_context_close(self.context));
}

/* Catches: memory that is freed while another thread puts or gets. */
CASE(they_end_while_threads_put, IN_BOTH) {
  static shop self;
  static viewer views[WAITING];
  pthread_t providers[PROVIDERS];
  for (int round = 0; round < 20; round++) {
    memset(&self, 0, sizeof self);
    self.context = context_open(threads);
    mainstem_context *scope = scope_open(self.context, "Screen");
    install(&self, scope);
    for (int i = 0; i < PROVIDERS; i++) providers[i] = beside(provide, &self);
    for (int i = 0; i < WAITING; i++) {
      views[i] = (viewer){&self, (char)('a' + i % KEYS), true, NULL};
      EXPECT_OK(mainstem_request(self.context, self.picture, &views[i].key, 1, view_ended,
                                 &views[i], NULL));
    }
    if (round % 2 == 0) EXPECT_OK(mainstem_drain(self.context, 0, NULL));
    EXPECT_OK(mainstem_scope_end(scope));
    pthread_mutex_lock(&self.lock);
    self.is_over = true;
    pthread_mutex_unlock(&self.lock);
    for (int i = 0; i < PROVIDERS; i++) join(providers[i]);
    EXPECT_OK(mainstem_flush(self.context));
    EXPECT_EQUAL(self.answers, WAITING);
    EXPECT_OK(mainstem_context_close(self.context));
  }
}

int main(void) { return expect_all(); }

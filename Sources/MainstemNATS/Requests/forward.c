// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A forward: a server on a scheduler whose handler is elsewhere. */

#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Open requests --------------------------------------------------------------------------------------- */

/* The requests of a forward that have no answer: rows that are used again, in a list by the order of asking. As all wait
   equally long, the first is also the first whose time is up. */

enum { MOST_BYTES = 64 << 20 };

#define NONE UINT32_MAX

static bool asked_open(struct asked_list *list, uint32_t capacity) {
  memset(list, 0, sizeof *list);
  list->rows = calloc(capacity, sizeof *list->rows);
  if (list->rows == NULL) return false;
  list->capacity = capacity;
  list->first = list->last = NONE;
  for (uint32_t i = 0; i < capacity; i++) list->rows[i].behind = i + 1 < capacity ? i + 1 : NONE;
  return true;
}

static void asked_close(struct asked_list *list) {
  while (asked_first(list) != NULL) asked_end(list, asked_first(list));
  free(list->rows);
  list->rows = NULL;
}

static void link_last(struct asked_list *list, uint32_t index) {
  struct asked *asked = &list->rows[index];
  asked->before = list->last;
  asked->behind = NONE;
  if (list->last != NONE) list->rows[list->last].behind = index;
  else list->first = index;
  list->last = index;
}

struct asked *asked_add(struct asked_list *list, size_t bytes) {
  if (list->free == NONE || (list->count > 0 && list->bytes + bytes > MOST_BYTES)) return NULL;
  uint32_t index = list->free;
  struct asked *asked = &list->rows[index];
  list->free = asked->behind;
  memset(asked, 0, sizeof *asked);
  /* No id comes twice, so a late answer finds nothing. */
  asked->id = ++list->turn * list->capacity + index;
  asked->bytes = bytes;
  link_last(list, index);
  list->count++;
  list->bytes += bytes;
  return asked;
}

struct asked *asked_find(struct asked_list *list, uint64_t id) {
  struct asked *asked = &list->rows[id % list->capacity];
  return id != 0 && asked->id == id ? asked : NULL;
}

struct asked *asked_first(struct asked_list *list) {
  return list->rows == NULL || list->first == NONE ? NULL : &list->rows[list->first];
}

static struct asked *asked_next(struct asked_list *list, const struct asked *asked) {
  return asked->behind == NONE ? NULL : &list->rows[asked->behind];
}

void asked_end(struct asked_list *list, struct asked *asked) {
  uint32_t index = (uint32_t)(asked - list->rows);
  if (asked->before != NONE) list->rows[asked->before].behind = asked->behind;
  else list->first = asked->behind;
  if (asked->behind != NONE) list->rows[asked->behind].before = asked->before;
  else list->last = asked->before;
  if (asked->unsent.message != NULL) list->unsent--;
  natsMsg_Destroy(asked->unsent.message);
  mainstem_retained_release(asked->kept);
  list->count--;
  list->bytes -= asked->bytes;
  asked->id = 0;
  asked->behind = list->free;
  list->free = index;
}

/* The bridge ------------------------------------------------------------------------------------------ */

static const struct kind kind;

struct forward *forward_of(const struct bridge *bridge) { return bridge_state(bridge, &kind); }

struct home *home_make(struct bridge *bridge, uint64_t generation, uint64_t id) {
  struct home *home = malloc(sizeof *home);
  if (home != NULL) *home = (struct home){bridge, generation, id};
  return home;
}

/* Locks the bridge; NULL: it is another one now. */
struct bridge *home_enter(const struct home *home) {
  struct bridge *bridge = home->bridge;
  pthread_mutex_lock(&bridge->lock);
  if (bridge->generation == home->generation && bridge->state != NULL) return bridge;
  pthread_mutex_unlock(&bridge->lock);
  return NULL;
}

static void say_timeout(const struct bridge *bridge, const struct asked *asked, char *reason,
                        size_t capacity) {
  unsigned ms = bridge->settings.timeout_ms;
  if (asked->unsent.message == NULL)
    snprintf(reason, capacity,
             "there was no answer within %u ms: who serves it, or a server, may have ended", ms);
  else
    snprintf(reason, capacity, "it could not be sent within %u ms: %s", ms, bridge->stats.message);
}

/* Answers what has waited for too long. */
static int64_t keep_time(struct bridge *bridge) {
  struct forward *forward = bridge->state;
  char reason[320];
  for (;;) {
    struct asked *asked = asked_first(&forward->asked);
    if (asked == NULL) return INT64_MAX;
    if (asked->until_ms > now_ms()) return asked->until_ms;
    say_timeout(bridge, asked, reason, sizeof reason);
    if (asked->unsent.message == NULL) forward_tell_cancel(bridge, asked->id);
    struct taken taken = forward_take_out(bridge, asked);
    bridge->stats.entries++;
    link_leave(bridge);
    forward_answer_error(&taken, MAINSTEM_TIMEOUT, reason);
    pthread_mutex_lock(&bridge->lock);
  }
}

static natsStatus hear(struct bridge *bridge, natsConnection *connection) {
  struct forward *forward = bridge->state;
  char subject[80];
  snprintf(subject, sizeof subject, "%s>", forward->inbox);
  return natsConnection_Subscribe(&forward->answers, connection, subject, forward_answered, bridge);
}

static void stop_hearing(struct bridge *bridge) {
  struct forward *forward = bridge->state;
  natsSubscription_Destroy(forward->answers);
  forward->answers = NULL;
}

/* Refuses one that cannot be sent; with the lock, which it lets go of meanwhile. */
static void refuse_unsent(struct bridge *bridge, struct asked *asked, const struct post *post,
                          natsStatus status) {
  char reason[256];
  mainstem_status code = link_reason(bridge, post, status, reason, sizeof reason);
  struct taken taken = forward_take_out(bridge, asked);
  bridge->stats.entries++;
  link_leave(bridge);
  forward_answer_error(&taken, code, reason);
  pthread_mutex_lock(&bridge->lock);
}

static struct asked *first_unsent(struct asked_list *list) {
  struct asked *asked = list->unsent > 0 ? asked_first(list) : NULL;
  while (asked != NULL && asked->unsent.message == NULL) asked = asked_next(list, asked);
  return asked;
}

/* Sends what has waited for a server. */
static void send_unsent(struct bridge *bridge) {
  struct forward *forward = bridge->state;
  struct asked_list *list = &forward->asked;
  struct asked *asked = first_unsent(list);
  while (asked != NULL) {
    struct post post = asked->unsent;
    natsStatus status = link_send(bridge, &post);
    if (status == NATS_CONNECTION_CLOSED) return;
    post_end(&asked->unsent);
    list->unsent--;
    if (status != NATS_OK) refuse_unsent(bridge, asked, &post, status);
    asked = first_unsent(list);
  }
}

static void take(struct bridge *bridge) { (void)bridge; }

static void work(struct bridge *bridge, struct failure *failure) {
  const struct forward *forward = bridge->state;
  const struct duties duties = {.context = forward->context,
                                .hear = hear,
                                .stop_hearing = stop_hearing,
                                .begin = send_unsent,
                                .take = take};
  link_work(bridge, &duties, failure);
}

static void end(struct bridge *bridge) {
  struct forward *forward = bridge->state;
  if (forward == NULL) return;
  asked_close(&forward->asked);
  link_close(forward->link);
  free(forward);
}

/* The server has ended, and its last call is over. */
static void server_ended(void *user_data) {
  struct home *home = user_data;
  struct bridge *bridge = home_enter(home);
  if (bridge != NULL) {
    forward_of(bridge)->server = NULL;
    forward_give_up_all(bridge);
    link_orphan(bridge);
    link_leave(bridge);
  }
  free(home);
}

static mainstem_status leave(struct bridge *bridge) {
  const struct forward *forward = bridge->state;
  mainstem_status status = link_part(bridge, forward->server);
  if (status == MAINSTEM_OK && bridge->state != NULL) forward_give_up_all(bridge);
  return status;
}

static const struct kind kind = {.function = "mainstem_nats_forward",
                                 .noun = "forward",
                                 .fields =
                                     FIELD_PREFIX | FIELD_WINDOW | FIELD_TIMEOUT | FIELD_SCHEDULER,
                                 .window = WINDOW,
                                 .work = work,
                                 .end = end,
                                 .leave = leave,
                                 .wake = link_wake,
                                 .keep_time = keep_time};

/* Beginning ---------------------------------------------------------------------------------------------- */

static bool make_inbox(struct forward *forward) {
  natsInbox *inbox = NULL;
  if (natsInbox_Create(&inbox) != NATS_OK) return false;
  forward->inbox_length = (size_t)snprintf(forward->inbox, sizeof forward->inbox, "%s.", inbox);
  natsInbox_Destroy(inbox);
  return true;
}

static bool prepare(struct bridge *bridge, mainstem_context *context, const char *type,
                    const struct request_type *served) {
  struct forward *forward = bridge->state = calloc(1, sizeof *forward);
  if (forward == NULL) return false;
  forward->link = link_open();
  if (forward->link == NULL || !make_inbox(forward)) return false;
  forward->context = context;
  forward->response = served->response;
  forward->question.terms = terms_of(served->request, served->response);
  forward->question.timeout_ms = bridge->settings.timeout_ms;
  write_request_subject(forward->subject, "request", bridge->settings.prefix, type);
  write_request_subject(forward->cancels, "cancel", bridge->settings.prefix, type);
  return asked_open(&forward->asked, bridge->settings.window);
}

static mainstem_status add_server(struct bridge *bridge, mainstem_context *context,
                                  const char *type, mainstem_scheduler scheduler) {
  /* One that takes over begins before the other ends. */
  const mainstem_handler_row row = {type, forward_request, MAINSTEM_HANDLER_SEVERAL};
  mainstem_server_options options = {.size = sizeof options};
  struct forward *forward = bridge->state;
  char name[300];
  struct home *home = home_make(bridge, bridge->generation, 0);
  if (home == NULL) return MAINSTEM_NO_MEMORY;
  snprintf(name, sizeof name, "Forward %s", type);
  options.scheduler = scheduler != 0 ? scheduler : MAINSTEM_SCHEDULER_HOST;
  forward->sees_types = true;
  mainstem_status status = mainstem_server_add_with(context, name, &row, sizeof row, 1, &options,
                                                    home, server_ended, &forward->server);
  if (status != MAINSTEM_OK) {
    free(home);
    return refuse(status, "%s: %s", kind.function, mainstem_last_error());
  }
  forward_see_types(forward);
  /* A thread of another scheduler may not ask a context of one thread. */
  forward->sees_types = options.scheduler == MAINSTEM_SCHEDULER_HOST;
  return MAINSTEM_OK;
}

mainstem_status mainstem_nats_forward(mainstem_context *context, const char *type,
                                      const mainstem_nats_options *options,
                                      mainstem_nats **forward) {
  struct settings settings;
  struct request_type served;
  struct bridge *made;
  if (forward == NULL) return refuse(MAINSTEM_INVALID, "%s: forward: is NULL", kind.function);
  *forward = NULL;
  mainstem_status status = request_type_find(&kind, context, type, &served);
  if (status == MAINSTEM_OK) status = settings_copy(&settings, &kind, NULL, options);
  if (status != MAINSTEM_OK) return status;
  status = bridge_take(&kind, &settings, forward, &made);
  if (status != MAINSTEM_OK) return status;
  bool has_memory = prepare(made, context, type, &served);
  if (has_memory)
    status = add_server(made, context, type, options != NULL ? options->scheduler : 0);
  return status == MAINSTEM_OK ? bridge_begin(made, has_memory, forward)
                               : bridge_refuse(made, status, forward);
}

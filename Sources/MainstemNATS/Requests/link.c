// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* A connection that the bridge's own thread serves: it reads, and whoever sends writes as far as the socket has room. So
   nobody waits for a server, and an answer is on its way without another thread. NATS' client offers that to event loops.
   A hello that the bridge says to itself comes back when the server has taken all that was said before. */

#include "requests.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IDLE_MS = 1000, USUAL_PAYLOAD = 1 << 20, BUFFER = 1 << 18 };

/* Whether a bridge has a link. With the lock. */
static bool has_link(const struct bridge *bridge) {
  return bridge->kind->wake == link_wake && bridge->state != NULL;
}

/* The link of one that has. On its own thread, or with the lock. */
static struct link *link_of(const struct bridge *bridge) {
  return *(struct link *const *)bridge->state;
}

/* What NATS asks of a loop. It calls these with its lock, so they take none of ours. */

static natsStatus attach(void **user_data, void *loop, natsConnection *connection,
                         natsSock socket) {
  struct link *link = loop;
  (void)connection;
  link->socket = socket;
  *user_data = link;
  return NATS_OK;
}

static natsStatus want_read(void *user_data, bool is_wanted) {
  (void)user_data, (void)is_wanted;
  return NATS_OK;
}

static natsStatus want_write(void *user_data, bool is_wanted) {
  struct link *link = user_data;
  link->wants_write = is_wanted;
  return NATS_OK;
}

/* The connection is seen to be closed. */
static natsStatus detach(void *user_data) {
  (void)user_data;
  return NATS_OK;
}

static natsStatus set_loop(natsOptions *options, void *user_data) {
  natsStatus status =
      natsOptions_SetEventLoop(options, link_of(user_data), attach, want_read, want_write, detach);
  /* There is no other thread that would write a little later. */
  if (status == NATS_OK) status = natsOptions_SetSendAsap(options, true);
  return status == NATS_OK ? natsOptions_SetIOBufSize(options, BUFFER) : status;
}

/* Opening ------------------------------------------------------------------------------------------------ */

/* Links that no bridge has. They are used again and never freed: see `bell`. */
static pthread_mutex_t links_lock = PTHREAD_MUTEX_INITIALIZER;
static struct link *links;

static struct link *make(void) {
  struct link *link = calloc(1, sizeof *link);
  if (link == NULL) return NULL;
  link->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (link->bell < 0) {
    free(link);
    return NULL;
  }
  pthread_mutex_init(&link->io, NULL);
  return link;
}

struct link *link_open(void) {
  pthread_mutex_lock(&links_lock);
  struct link *link = links;
  if (link != NULL) links = link->next;
  pthread_mutex_unlock(&links_lock);
  if (link == NULL) return make();
  link->is_rung = link->is_due = false;
  return link;
}

void link_close(struct link *link) {
  if (link == NULL) return;
  pthread_mutex_lock(&links_lock);
  link->next = links;
  links = link;
  pthread_mutex_unlock(&links_lock);
}

static void disturbed(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                      void *user_data) {
  struct bridge *bridge = user_data;
  const char *text = NULL;
  (void)subscription;
  pthread_mutex_lock(&bridge->lock);
  /* It may come so late that the bridge is another one by now. */
  bool is_own = has_link(bridge) && link_of(bridge)->connection == connection;
  if (is_own && error == NATS_SLOW_CONSUMER) bridge->stats.lost++;
  if (is_own && is_going(bridge) && error == NATS_NOT_PERMITTED) {
    natsConnection_GetLastError(connection, &text);
    fail_for(&bridge->failure, error, 0, "the server does not permit it", text);
    link_wake(bridge);
  }
  pthread_mutex_unlock(&bridge->lock);
}

static void say_hello(struct link *link) {
  char number[24];
  snprintf(number, sizeof number, "%llu", (unsigned long long)++link->said);
  link->said_ms = now_ms();
  natsConnection_PublishString(link->connection, link->inbox, number);
}

static natsStatus subscribe(struct bridge *bridge, natsConnection *connection,
                            const struct duties *duties) {
  struct link *link = link_of(bridge);
  natsInbox *inbox = NULL;
  natsStatus status = natsInbox_Create(&inbox);
  if (status != NATS_OK) return status;
  snprintf(link->inbox, sizeof link->inbox, "%s", inbox);
  natsInbox_Destroy(inbox);
  status = natsConnection_SubscribeSync(&link->hellos, connection, link->inbox);
  return status == NATS_OK ? duties->hear(bridge, connection) : status;
}

static void note_connection(struct bridge *bridge, natsConnection *connection) {
  struct link *link = link_of(bridge);
  int64_t most = natsConnection_GetMaxPayload(connection);
  link->most = most > 0 ? (size_t)most : USUAL_PAYLOAD;
  pthread_mutex_lock(&bridge->lock);
  link->connection = connection;
  say_hello(link);
  pthread_mutex_unlock(&bridge->lock);
}

static bool open_connection(struct bridge *bridge, const struct duties *duties,
                            struct failure *failure) {
  const struct answers answers = {.error = disturbed, .habits = set_loop, .bridge = bridge};
  natsConnection *connection = NULL;
  int is_replaying = 0;
  /* In a replay nothing is asked. A context that is closed tells by itself. */
  mainstem_context_is_replaying(duties->context, &is_replaying);
  if (is_replaying) return fail(failure, MAINSTEM_BUSY, "its context replays a journal");
  if (!server_connect(&connection, &bridge->settings, &answers, failure)) return false;
  natsStatus status = subscribe(bridge, connection, duties);
  note_connection(bridge, connection);
  return status == NATS_OK || fail_as(failure, status, 0, "a subscription");
}

/* Turns -------------------------------------------------------------------------------------------------- */

/* Writes what waits, as far as the socket has room; with the lock. */
static void link_write(struct link *link) {
  pthread_mutex_lock(&link->io);
  if (natsConnection_Buffered(link->connection) > 0)
    natsConnection_ProcessWriteEvent(link->connection);
  pthread_mutex_unlock(&link->io);
}

static void read_more(struct link *link) {
  pthread_mutex_lock(&link->io);
  natsConnection_ProcessReadEvent(link->connection);
  pthread_mutex_unlock(&link->io);
}

static void note_up(struct bridge *bridge, const struct duties *duties) {
  link_of(bridge)->is_up = true;
  bridge->stats.state = MAINSTEM_NATS_RUNNING;
  bridge->stats.status = MAINSTEM_OK;
  bridge->stats.begun++;
  duties->begin(bridge);
}

static uint64_t number_of(natsMsg *message) {
  char text[24];
  snprintf(text, sizeof text, "%.*s", natsMsg_GetDataLength(message), natsMsg_GetData(message));
  return strtoull(text, NULL, 10);
}

/* Takes the hellos that came back. */
static void take_hellos(struct bridge *bridge, const struct duties *duties) {
  struct link *link = link_of(bridge);
  natsMsg *message = NULL;
  while (link->heard < link->said &&
         natsSubscription_NextMsg(&message, link->hellos, 0) == NATS_OK) {
    uint64_t number = number_of(message);
    if (number > link->heard && number <= link->said) link->heard = number;
    else bridge->stats.refused++;
    natsMsg_Destroy(message);
  }
  if (link->heard > 0 && !link->is_up) note_up(bridge, duties);
  if (link->promised > 0 && link->heard >= link->promised && bridge->flushed < link->asked) {
    bridge->flushed = link->asked;
    link->promised = 0;
    pthread_cond_broadcast(&bridge->changed);
  }
}

/* A flush wants to know that the server has all. */
static void begin_flush(struct bridge *bridge) {
  struct link *link = link_of(bridge);
  if (!link->is_up || bridge->asked == bridge->flushed || link->promised > 0) return;
  say_hello(link);
  link->promised = link->said;
  link->asked = bridge->asked;
}

/* Waits for the server, or for who rings. With the lock, but for the wait. */
static void wait_for_server(struct bridge *bridge, int64_t until) {
  struct link *link = link_of(bridge);
  struct pollfd files[] = {{.fd = link->socket, .events = POLLIN}, {link->bell, POLLIN, 0}};
  uint64_t rung;
  if (link->wants_write) files[0].events |= POLLOUT;
  int64_t ms = until - now_ms();
  link->wakes_ms = until;
  pthread_mutex_unlock(&bridge->lock);
  poll(files, 2, ms > 0 ? (int)ms : 0);
  pthread_mutex_lock(&bridge->lock);
  link->wakes_ms = 0;
  if (files[1].revents != 0 && read(link->bell, &rung, sizeof rung) > 0) link->is_rung = false;
  pthread_mutex_unlock(&bridge->lock);
  if (files[0].revents != 0) read_more(link);
  pthread_mutex_lock(&bridge->lock);
}

/* One round, with the lock; false: something went wrong. */
static bool turn(struct bridge *bridge, const struct duties *duties, int64_t until,
                 struct failure *failure) {
  struct link *link = link_of(bridge);
  link_write(link);
  wait_for_server(bridge, until);
  link_write(link);
  take_hellos(bridge, duties);
  duties->take(bridge);
  const char *text = NULL;
  if (natsConnection_IsClosed(link->connection)) {
    natsConnection_GetLastError(link->connection, &text);
    return fail_for(failure, NATS_CONNECTION_CLOSED, 0, "the connection has ended", text);
  }
  if (link->heard < link->said && now_ms() - link->said_ms >= PATIENCE_MS)
    return fail(failure, MAINSTEM_IO, "the server has not answered for %d seconds",
                PATIENCE_MS / 1000);
  return true;
}

static bool turn_on(struct bridge *bridge, const struct duties *duties, struct failure *failure) {
  int64_t due = bridge->kind->keep_time != NULL ? bridge->kind->keep_time(bridge) : INT64_MAX;
  int64_t until = now_ms() + IDLE_MS;
  begin_flush(bridge);
  return is_going(bridge) && turn(bridge, duties, due < until ? due : until, failure);
}

/* Lets the server have what was said last. With the first hello comes all that was on its way here, which gets answers;
   the second one comes behind those. */
static void say_goodbye(struct bridge *bridge, const struct duties *duties) {
  struct link *link = link_of(bridge);
  struct failure failure = {0};
  int64_t until = now_ms() + CLOSE_MS;
  bool is_good = link->is_up && !natsConnection_IsClosed(link->connection);
  if (is_good && duties->part != NULL) duties->part(bridge);
  for (int hello = 0; hello < 2 && is_good; hello++) {
    say_hello(link);
    while (is_good && link->heard < link->said && now_ms() < until)
      is_good = turn(bridge, duties, until, &failure);
  }
}

/* NATS' client would wait half a second for an answer that this thread alone can bring: it shall find the connection
   ended. */
static void hang_up(const struct link *link, natsConnection *connection) {
  if (connection == NULL || natsConnection_IsClosed(connection)) return;
  shutdown(link->socket, SHUT_RDWR);
  natsConnection_ProcessReadEvent(connection);
}

void link_work(struct bridge *bridge, const struct duties *duties, struct failure *failure) {
  struct link *link = link_of(bridge);
  if (open_connection(bridge, duties, failure)) {
    pthread_mutex_lock(&bridge->lock);
    while (turn_on(bridge, duties, failure));
    say_goodbye(bridge, duties);
    pthread_mutex_unlock(&bridge->lock);
  }
  pthread_mutex_lock(&bridge->lock);
  natsConnection *connection = link->connection;
  link->connection = NULL;
  link->is_up = link->wants_write = false;
  link->said = link->heard = link->promised = 0;
  pthread_mutex_unlock(&bridge->lock);
  hang_up(link, connection);
  duties->stop_hearing(bridge);
  natsSubscription_Destroy(link->hellos);
  link->hellos = NULL;
  natsConnection_Destroy(connection);
}

/* Parting ------------------------------------------------------------------------------------------------ */

mainstem_status link_part(struct bridge *bridge, mainstem_context *scope) {
  bridge->is_leaving = true;
  bridge->waiting++;
  pthread_mutex_unlock(&bridge->lock);
  mainstem_status status = mainstem_scope_end(scope);
  pthread_mutex_lock(&bridge->lock);
  bridge->waiting--;
  bridge->is_leaving = false;
  if (status != MAINSTEM_WRONG_THREAD && status != MAINSTEM_FORKED) return MAINSTEM_OK;
  return refuse(status, "mainstem_nats_close: %s", mainstem_last_error());
}

void link_orphan(struct bridge *bridge) {
  if (bridge->is_closing || bridge->is_leaving) return;
  fail(&bridge->failure, MAINSTEM_STALE, "its context, or the scope that it is for, has ended");
  bridge->failure.is_final = true;
  link_wake(bridge);
}

/* Sending --------------------------------------------------------------------------------------------- */

/* What goes out over a link, from any thread; and waking the thread that serves it. */

enum { MOST_UNWRITTEN = 64 << 20, FEW_OPEN = 4 };

static void ring(int bell) {
  const uint64_t one = 1;
  if (write(bell, &one, sizeof one) < 0) return;
}

void link_wake(struct bridge *bridge) {
  pthread_cond_broadcast(&bridge->changed);
  ring(link_of(bridge)->bell);
}

void link_leave(struct bridge *bridge) {
  struct link *link = link_of(bridge);
  bool is_due = link->is_due;
  link->is_due = false;
  pthread_mutex_unlock(&bridge->lock);
  /* Whom it wakes wants the lock. */
  if (is_due) ring(link->bell);
}

void link_wake_until(struct bridge *bridge, int64_t due_ms) {
  struct link *link = link_of(bridge);
  /* A thread that is awake looks at what is due before it waits. */
  if (link->connection != NULL && link->wakes_ms <= due_ms) return;
  link->wakes_ms = due_ms;
  link_wake(bridge);
}

/* Lets it go out. A thread that is awake writes before it waits again, and many messages go out together; where few are
   open, each is in a hurry. */
static void hurry(struct bridge *bridge) {
  struct link *link = link_of(bridge);
  if (link->wakes_ms == 0) return;
  if (bridge->stats.open <= FEW_OPEN) link_write(link);
  if (link->is_rung || natsConnection_Buffered(link->connection) == 0) return;
  link->is_rung = link->is_due = true;
}

static natsStatus give(natsConnection *connection, const struct post *post) {
  if (post->message != NULL) return natsConnection_PublishMsg(connection, post->message);
  if (post->reply == NULL)
    return natsConnection_Publish(connection, post->subject, post->data, (int)post->size);
  return natsConnection_PublishRequest(connection, post->subject, post->reply, post->data,
                                       (int)post->size);
}

static natsStatus publish(struct bridge *bridge, const struct post *post) {
  struct link *link = link_of(bridge);
  if (!link->is_up) return NATS_CONNECTION_CLOSED;
  if (post->size > link->most) return NATS_MAX_PAYLOAD;
  if (natsConnection_Buffered(link->connection) > MOST_UNWRITTEN) return NATS_INSUFFICIENT_BUFFER;
  natsStatus status = give(link->connection, post);
  if (status == NATS_OK) hurry(bridge);
  return status;
}

natsStatus link_send(struct bridge *bridge, const struct post *post) {
  natsStatus status = publish(bridge, post);
  if (status != NATS_INSUFFICIENT_BUFFER) return status;
  if (is_going(bridge))
    fail(&bridge->failure, MAINSTEM_IO, "the server does not take what it is sent");
  link_wake(bridge);
  return NATS_CONNECTION_CLOSED;
}

mainstem_status link_reason(const struct bridge *bridge, const struct post *post, natsStatus status,
                            char *reason, size_t capacity) {
  if (status != NATS_MAX_PAYLOAD) {
    snprintf(reason, capacity, "it cannot be sent: %s", natsStatus_GetText(status));
    return status == NATS_NO_MEMORY ? MAINSTEM_NO_MEMORY : MAINSTEM_IO;
  }
  snprintf(reason, capacity, "it has %zu bytes, but the server takes %zu", post->size,
           link_of(bridge)->most);
  return MAINSTEM_TOO_BIG;
}

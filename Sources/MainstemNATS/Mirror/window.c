// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The entries sent that the server has not acknowledged. It must acknowledge them in order, each with the next number;
   anything else, and the mirror begins again behind what the stream has. */

#include "../Entries/entries.h"

#include <string.h>

void window_open(struct bridge *mirror, const struct server *server, uint64_t sequence) {
  struct window *window = &mirror->window;
  window->js = server->js;
  window->connection = server->connection;
  window->first = window->count = 0;
  window->bytes = 0;
  window->sequence = sequence;
  window->heard_ms = now_ms();
}

void window_close(struct bridge *mirror) {
  mirror->window.js = NULL;
  mirror->window.connection = NULL;
}

/* Waits a little for the server, whose patience is not endless. */
static void wait_for_answer(struct bridge *mirror, int64_t ms) {
  struct window *window = &mirror->window;
  int64_t silent = now_ms() - window->heard_ms;
  if (window->count > 0 && silent >= PATIENCE_MS) {
    fail(&mirror->failure, MAINSTEM_IO, "the server has not answered for %d seconds",
         PATIENCE_MS / 1000);
    return;
  }
  wait_for_change(mirror, ms < 100 ? ms : 100);
}

bool window_reserve(struct bridge *mirror, const struct entry *entry, bool is_own) {
  struct window *window = &mirror->window;
  while (is_going(mirror) && (window->count == window->capacity ||
                              (window->count > 0 && window->bytes + entry->bytes > WINDOW_BYTES)))
    wait_for_answer(mirror, 100);
  if (!is_going(mirror)) return false;
  if (window->count == 0) window->heard_ms = now_ms();
  struct sent *sent = &window->sent[(window->first + window->count++) % window->capacity];
  *sent = (struct sent){.position = entry->position,
                        .bytes = (uint32_t)entry->bytes,
                        .is_own = is_own,
                        .is_left_out = entry->is_left_out};
  window->bytes += entry->bytes;
  return true;
}

bool window_wait(struct bridge *mirror, int64_t ms) {
  int64_t until = now_ms() + ms, left;
  while (is_going(mirror) && mirror->window.count > 0 && (left = until - now_ms()) > 0)
    wait_for_answer(mirror, left);
  return is_going(mirror);
}

/* Whether an acknowledgment is the one of the oldest entry. */
static bool is_expected(const struct window *window, natsMsg *message, const jsPubAck *ack) {
  mainstem_event_header header;
  if (window->count == 0 || natsMsg_GetDataLength(message) < (int)sizeof header) return false;
  memcpy(&header, natsMsg_GetData(message), sizeof header);
  return header.position == window->sent[window->first].position && !ack->Duplicate &&
         ack->Sequence == window->sequence + 1 && ack->Stream != NULL &&
         strcmp(ack->Stream, window->stream) == 0;
}

static void take_acknowledgment(struct bridge *mirror) {
  struct window *window = &mirror->window;
  const struct sent *sent = &window->sent[window->first];
  if (!sent->is_own) {
    mirror->stats.done = sent->position;
    mirror->stats.entries++;
    mirror->stats.bytes += sent->bytes;
  }
  mirror->stats.left_out += sent->is_left_out;
  window->bytes -= sent->bytes;
  window->first = (window->first + 1) % window->capacity;
  window->count--;
  window->sequence++;
  window->heard_ms = now_ms();
}

static void take_answer(struct bridge *mirror, natsMsg *message, const jsPubAck *ack,
                        const jsPubAckErr *error) {
  if (ack != NULL && is_expected(&mirror->window, message, ack)) {
    take_acknowledgment(mirror);
    return;
  }
  mirror->stats.refused++;
  if (ack != NULL && ack->Duplicate)
    fail(&mirror->failure, MAINSTEM_BUSY, "the server takes an entry for one that it had");
  else if (error == NULL)
    fail(&mirror->failure, MAINSTEM_IO, "the server acknowledged another entry than was sent");
  else if (error->ErrCode == 10071 || error->ErrCode == 10070)
    fail(&mirror->failure, MAINSTEM_BUSY, "somebody else added to the stream, too");
  else
    fail_for(&mirror->failure, error->Err, error->ErrCode, "an entry was refused", error->ErrText);
}

static bool has_room(const struct window *window) {
  return window->count <= window->capacity / 2 && window->bytes <= WINDOW_BYTES / 2;
}

void window_answered(jsCtx *js, natsMsg *message, jsPubAck *ack, jsPubAckErr *error,
                     void *user_data) {
  struct bridge *mirror = user_data;
  pthread_mutex_lock(&mirror->lock);
  if (mirror->window.js == js && mirror->failure.status == MAINSTEM_OK) {
    bool had_room = has_room(&mirror->window);
    take_answer(mirror, message, ack, error);
    /* Who waits for room waits for much of it: it is woken once. */
    if (mirror->window.count == 0 || has_room(&mirror->window) != had_room || !is_going(mirror))
      pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
  natsMsg_Destroy(message);
}

void window_ended(natsConnection *connection, void *user_data) {
  struct bridge *mirror = user_data;
  pthread_mutex_lock(&mirror->lock);
  if (mirror->window.connection == connection && is_going(mirror)) {
    fail(&mirror->failure, MAINSTEM_IO, "the connection to the server has ended");
    pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
}

void window_disturbed(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                      void *user_data) {
  struct bridge *mirror = user_data;
  const char *text = NULL;
  (void)subscription;
  pthread_mutex_lock(&mirror->lock);
  if (mirror->window.connection == connection && is_going(mirror) && error == NATS_NOT_PERMITTED) {
    natsConnection_GetLastError(connection, &text);
    fail_for(&mirror->failure, error, 0, "the server does not permit it", text);
    pthread_cond_broadcast(&mirror->changed);
  }
  pthread_mutex_unlock(&mirror->lock);
}

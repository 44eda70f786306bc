// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* Every function that takes a handle, each as one call with a handle and good arguments else. */

#ifndef HANDLE_CALLS_H
#define HANDLE_CALLS_H

#include "stream.h"

typedef enum handle_kind {
  KIND_CONTEXT,
  KIND_SUBSCRIPTION,
  KIND_RETAINED,
  KIND_PENDING,
  KIND_TIMER,
  KIND_JOURNAL,
  KIND_REPLAY
} handle_kind;

typedef struct handle_call {
  const char *name;
  handle_kind kind;
  int null_is_ok; /* Ending NULL does nothing. */
  mainstem_status (*call)(void *handle);
} handle_call;

static inline void ignore_event(void *user_data, const mainstem_event *event) {
  (void)user_data;
  (void)event;
}

static inline void ignore_line(void *user_data, const char *line) {
  (void)user_data;
  (void)line;
}

#define CALL_ON(name, type, expression)                                                            \
  static inline mainstem_status call_##name(void *handle) {                                        \
    type *self = (type *)handle;                                                                   \
    return expression;                                                                             \
  }

static mainstem_event_type call_type;
static mainstem_type_info call_info = {.size = sizeof call_info};
static mainstem_contract call_layer;
static const mainstem_catalogue_row call_row = {"Call", MAINSTEM_PAYLOAD_NONE, NULL};
static const mainstem_handler_row call_handler = {"MainstemFailure", ignore_event};
static const char *call_text;
static mainstem_stats stats_read = {.size = sizeof stats_read};
static mainstem_context *call_scope;
static mainstem_subscription *call_subscription;
static mainstem_pending *call_pending;
static uint64_t call_position;
static const mainstem_event *call_event;
static int fd_read;
static int64_t timeout_read;
static const mainstem_request_options call_request_options = {.size = sizeof call_request_options};
static int64_t time_read;
static char call_id[MAINSTEM_ID_SIZE];
static mainstem_timer *call_timer;
static mainstem_scheduler scheduler_made;
static mainstem_replay *call_replay;
static mainstem_secret call_secret = {.size = sizeof call_secret};
static mainstem_replay_info replay_read = {.size = sizeof replay_read};
static mainstem_replay_difference difference_read = {.size = sizeof difference_read};
static size_t count_drained;
static mainstem_subscription_stats subscription_read = {.size = sizeof subscription_read};
static mainstem_journal_stats journal_read = {.size = sizeof journal_read};
static const mainstem_observe_options call_options = {.size = sizeof call_options};
static mainstem_journal_info journal_info = {.size = sizeof journal_info};

CALL_ON(type_add, mainstem_context, mainstem_type_add(self, "Call", 0, NULL, &call_type))
CALL_ON(type_find, mainstem_context, mainstem_type_find(self, "MainstemFailure", &call_type))
CALL_ON(type_read, mainstem_context, mainstem_type_read(self, 1, &call_info))
CALL_ON(layer_add, mainstem_context, mainstem_layer_add(self, "view", &call_layer))
CALL_ON(catalogue_add, mainstem_context,
        mainstem_catalogue_add(self, &call_row, sizeof call_row, 1, NULL))
CALL_ON(origin_name, mainstem_context, mainstem_origin_name(self, 0, &call_text))
CALL_ON(first_error, mainstem_context, mainstem_context_first_error(self, &call_text))
CALL_ON(stats, mainstem_context, mainstem_context_stats(self, &stats_read))
CALL_ON(scope_add, mainstem_context, mainstem_scope_add(self, "Call", &call_scope))
CALL_ON(send, mainstem_context, mainstem_send(self, 1, "{}", 2))
CALL_ON(send_many, mainstem_context, mainstem_send_many(self, NULL, 0, 0, NULL))
CALL_ON(interrupt_prepare, mainstem_context, mainstem_interrupt_prepare(self))
CALL_ON(post, mainstem_context, mainstem_post(self, 1, "{}", 2))
CALL_ON(observe, mainstem_context,
        mainstem_observe(self, 0, ignore_event, NULL, NULL, &call_subscription))
CALL_ON(observe_with, mainstem_context,
        mainstem_observe_with(self, &call_options, ignore_event, NULL, NULL, &call_subscription))
CALL_ON(journal_record, mainstem_context, mainstem_journal_record(self, "", NULL))
CALL_ON(journal_sync, mainstem_context, mainstem_journal_sync(self))
CALL_ON(journal_on_durable, mainstem_context, mainstem_journal_on_durable(self, NULL, NULL, NULL))
CALL_ON(journal_stats, mainstem_context, mainstem_journal_stats_read(self, &journal_read))
CALL_ON(history_keep, mainstem_context, mainstem_history_keep(self, 1, 1, 0))
CALL_ON(serial_add, mainstem_context, mainstem_serial_add(self, "Call", 0, &scheduler_made))
CALL_ON(trace, mainstem_context, mainstem_trace(self, ignore_line, NULL))
CALL_ON(send_after, mainstem_context, mainstem_send_after(self, 1, "{}", 2, 3600000, &call_timer))
CALL_ON(send_every, mainstem_context, mainstem_send_every(self, 1, "{}", 2, 3600000, &call_timer))
CALL_ON(now, mainstem_context, mainstem_context_now(self, &time_read))
CALL_ON(random, mainstem_context, mainstem_context_random(self, &call_position))
CALL_ON(id_of, mainstem_context, mainstem_context_id(self, call_id))
CALL_ON(advance, mainstem_context, mainstem_context_advance(self, 0))
CALL_ON(drain, mainstem_context, mainstem_drain(self, 0, NULL))
CALL_ON(wait, mainstem_context, mainstem_wait(self, 0))
CALL_ON(wait_interruptible, mainstem_context, mainstem_wait_interruptible(self, 0, -1))
CALL_ON(flush, mainstem_context, mainstem_flush(self))
CALL_ON(fd, mainstem_context, mainstem_context_fd(self, &fd_read))
CALL_ON(next_timeout, mainstem_context, mainstem_context_next_timeout(self, &timeout_read))
CALL_ON(on_wake, mainstem_context, mainstem_context_on_wake(self, NULL, NULL, NULL))
CALL_ON(server_add, mainstem_context,
        mainstem_server_add(self, "Call", &call_handler, sizeof call_handler, 1, NULL, NULL,
                            &call_scope))
CALL_ON(activity, mainstem_context, mainstem_activity(self, 0, &call_position))
CALL_ON(activity_report, mainstem_context, mainstem_activity_report(self, 0))
CALL_ON(request_with, mainstem_context,
        mainstem_request_with(self, 1, "{}", 2, &call_request_options, ignore_event, NULL, NULL,
                              &call_pending))
CALL_ON(request, mainstem_context,
        mainstem_request(self, 1, "{}", 2, ignore_event, NULL, &call_pending))
CALL_ON(scope_add_with, mainstem_context, mainstem_scope_add_with(self, "Call", NULL, &call_scope))
CALL_ON(scope_end, mainstem_context, mainstem_scope_end(self))
CALL_ON(close, mainstem_context, mainstem_context_close(self))
CALL_ON(drain_records, mainstem_subscription,
        mainstem_drain_records(self, NULL, 0, &count_drained, NULL))
CALL_ON(subscription_stats, mainstem_subscription,
        mainstem_subscription_stats_read(self, &subscription_read))
CALL_ON(from, mainstem_subscription, mainstem_subscription_from(self, &call_position))
CALL_ON(ask, mainstem_subscription, mainstem_subscription_ask(self, 1))
CALL_ON(cancel, mainstem_subscription, mainstem_cancel(self))
CALL_ON(cancel_wait, mainstem_subscription, mainstem_cancel_wait(self))
CALL_ON(retained_event, mainstem_retained, mainstem_retained_event(self, &call_event))
CALL_ON(retained_release, mainstem_retained, mainstem_retained_release(self))
CALL_ON(pending_position, mainstem_pending, mainstem_pending_position(self, &call_position))
CALL_ON(pending_cancel, mainstem_pending, mainstem_pending_cancel(self))
CALL_ON(timer_cancel, mainstem_timer, mainstem_timer_cancel(self))
CALL_ON(journal_next, mainstem_journal, mainstem_journal_next(self, &call_event))
CALL_ON(journal_next_many, mainstem_journal,
        mainstem_journal_next_many(self, NULL, 0, &count_drained, NULL))
CALL_ON(journal_info, mainstem_journal, mainstem_journal_info_read(self, &journal_info))
CALL_ON(journal_type, mainstem_journal, mainstem_journal_type_read(self, 1, &call_info))
CALL_ON(journal_origin, mainstem_journal, mainstem_journal_origin_name(self, 0, &call_text))
CALL_ON(journal_line, mainstem_journal,
        mainstem_journal_event_line(self, NULL, NULL, 0, &count_drained))
CALL_ON(journal_close, mainstem_journal, mainstem_journal_close(self))
CALL_ON(replay_open, mainstem_context,
        mainstem_replay_open(self, "/nowhere/at all", NULL, &call_replay))
CALL_ON(replaying, mainstem_context, mainstem_context_replaying(self, &fd_read))
CALL_ON(replay_step, mainstem_replay, mainstem_replay_step(self, 1, &call_position))
CALL_ON(replay_seek, mainstem_replay, mainstem_replay_seek(self, 0))
CALL_ON(replay_run, mainstem_replay, mainstem_replay_run(self, 1))
CALL_ON(replay_pause, mainstem_replay, mainstem_replay_pause(self))
CALL_ON(replay_on_secret, mainstem_replay, mainstem_replay_on_secret(self, NULL, NULL, NULL))
CALL_ON(replay_supply, mainstem_replay, mainstem_replay_supply(self, "", 0))
CALL_ON(replay_supply_with, mainstem_replay, mainstem_replay_supply_with(self, &call_secret))
CALL_ON(replay_info, mainstem_replay, mainstem_replay_info_read(self, &replay_read))
CALL_ON(replay_difference, mainstem_replay, mainstem_replay_difference_read(self, &difference_read))
CALL_ON(replay_close, mainstem_replay, mainstem_replay_close(self))

static const handle_call handle_calls[] = {
    {"mainstem_type_add", KIND_CONTEXT, 0, call_type_add},
    {"mainstem_type_find", KIND_CONTEXT, 0, call_type_find},
    {"mainstem_type_read", KIND_CONTEXT, 0, call_type_read},
    {"mainstem_layer_add", KIND_CONTEXT, 0, call_layer_add},
    {"mainstem_catalogue_add", KIND_CONTEXT, 0, call_catalogue_add},
    {"mainstem_origin_name", KIND_CONTEXT, 0, call_origin_name},
    {"mainstem_context_first_error", KIND_CONTEXT, 0, call_first_error},
    {"mainstem_context_stats", KIND_CONTEXT, 0, call_stats},
    {"mainstem_scope_add", KIND_CONTEXT, 0, call_scope_add},
    {"mainstem_send", KIND_CONTEXT, 0, call_send},
    {"mainstem_send_many", KIND_CONTEXT, 0, call_send_many},
    {"mainstem_interrupt_prepare", KIND_CONTEXT, 0, call_interrupt_prepare},
    {"mainstem_post", KIND_CONTEXT, 0, call_post},
    {"mainstem_observe", KIND_CONTEXT, 0, call_observe},
    {"mainstem_observe_with", KIND_CONTEXT, 0, call_observe_with},
    {"mainstem_journal_record", KIND_CONTEXT, 0, call_journal_record},
    {"mainstem_journal_sync", KIND_CONTEXT, 0, call_journal_sync},
    {"mainstem_journal_on_durable", KIND_CONTEXT, 0, call_journal_on_durable},
    {"mainstem_journal_stats_read", KIND_CONTEXT, 0, call_journal_stats},
    {"mainstem_history_keep", KIND_CONTEXT, 0, call_history_keep},
    {"mainstem_serial_add", KIND_CONTEXT, 0, call_serial_add},
    {"mainstem_trace", KIND_CONTEXT, 0, call_trace},
    {"mainstem_send_after", KIND_CONTEXT, 0, call_send_after},
    {"mainstem_send_every", KIND_CONTEXT, 0, call_send_every},
    {"mainstem_context_now", KIND_CONTEXT, 0, call_now},
    {"mainstem_context_random", KIND_CONTEXT, 0, call_random},
    {"mainstem_context_id", KIND_CONTEXT, 0, call_id_of},
    {"mainstem_context_advance", KIND_CONTEXT, 0, call_advance},
    {"mainstem_drain", KIND_CONTEXT, 0, call_drain},
    {"mainstem_wait", KIND_CONTEXT, 0, call_wait},
    {"mainstem_wait_interruptible", KIND_CONTEXT, 0, call_wait_interruptible},
    {"mainstem_flush", KIND_CONTEXT, 0, call_flush},
    {"mainstem_context_fd", KIND_CONTEXT, 0, call_fd},
    {"mainstem_context_next_timeout", KIND_CONTEXT, 0, call_next_timeout},
    {"mainstem_context_on_wake", KIND_CONTEXT, 0, call_on_wake},
    {"mainstem_server_add", KIND_CONTEXT, 0, call_server_add},
    {"mainstem_request", KIND_CONTEXT, 0, call_request},
    {"mainstem_scope_add_with", KIND_CONTEXT, 0, call_scope_add_with},
    {"mainstem_request_with", KIND_CONTEXT, 0, call_request_with},
    {"mainstem_activity", KIND_CONTEXT, 0, call_activity},
    {"mainstem_activity_report", KIND_CONTEXT, 0, call_activity_report},
    {"mainstem_scope_end", KIND_CONTEXT, 1, call_scope_end},
    {"mainstem_context_close", KIND_CONTEXT, 1, call_close},
    {"mainstem_subscription_from", KIND_SUBSCRIPTION, 0, call_from},
    {"mainstem_drain_records", KIND_SUBSCRIPTION, 0, call_drain_records},
    {"mainstem_subscription_stats_read", KIND_SUBSCRIPTION, 0, call_subscription_stats},
    {"mainstem_subscription_ask", KIND_SUBSCRIPTION, 0, call_ask},
    {"mainstem_cancel", KIND_SUBSCRIPTION, 1, call_cancel},
    {"mainstem_cancel_wait", KIND_SUBSCRIPTION, 1, call_cancel_wait},
    {"mainstem_retained_event", KIND_RETAINED, 0, call_retained_event},
    {"mainstem_retained_release", KIND_RETAINED, 1, call_retained_release},
    {"mainstem_pending_position", KIND_PENDING, 0, call_pending_position},
    {"mainstem_pending_cancel", KIND_PENDING, 1, call_pending_cancel},
    {"mainstem_timer_cancel", KIND_TIMER, 1, call_timer_cancel},
    {"mainstem_journal_next", KIND_JOURNAL, 0, call_journal_next},
    {"mainstem_journal_next_many", KIND_JOURNAL, 0, call_journal_next_many},
    {"mainstem_journal_info_read", KIND_JOURNAL, 0, call_journal_info},
    {"mainstem_journal_type_read", KIND_JOURNAL, 0, call_journal_type},
    {"mainstem_journal_origin_name", KIND_JOURNAL, 0, call_journal_origin},
    {"mainstem_journal_event_line", KIND_JOURNAL, 0, call_journal_line},
    {"mainstem_journal_close", KIND_JOURNAL, 1, call_journal_close},
    {"mainstem_replay_open", KIND_CONTEXT, 0, call_replay_open},
    {"mainstem_context_replaying", KIND_CONTEXT, 0, call_replaying},
    {"mainstem_replay_step", KIND_REPLAY, 0, call_replay_step},
    {"mainstem_replay_seek", KIND_REPLAY, 0, call_replay_seek},
    {"mainstem_replay_run", KIND_REPLAY, 0, call_replay_run},
    {"mainstem_replay_pause", KIND_REPLAY, 0, call_replay_pause},
    {"mainstem_replay_on_secret", KIND_REPLAY, 0, call_replay_on_secret},
    {"mainstem_replay_supply", KIND_REPLAY, 0, call_replay_supply},
    {"mainstem_replay_supply_with", KIND_REPLAY, 0, call_replay_supply_with},
    {"mainstem_replay_info_read", KIND_REPLAY, 0, call_replay_info},
    {"mainstem_replay_difference_read", KIND_REPLAY, 0, call_replay_difference},
    {"mainstem_replay_close", KIND_REPLAY, 1, call_replay_close},
};

#endif

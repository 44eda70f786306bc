// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/* The usual mistakes: each gets a status, and a message that names it and says what to do. */

#include "mistakes_in_flow.h"

#include <fnmatch.h>

typedef struct mistake {
  mainstem_status (*make)(stream *on);
  mainstem_status status;
  const char *message; /* "*" stands for what differs from run to run. */
} mistake;

static const mistake mistakes[] = {
    /* Names and types */
    {a_name_misspelled, MAINSTEM_INVALID,
     "mainstem_type_find: name: Notise (did you mean Notice?) is not a registered event type"},
    {a_handler_for_an_unknown_type, MAINSTEM_INVALID,
     "mainstem_server_add: rows.type: RequestExport is not a registered event type: register it "
     "first"},
    {a_type_never_registered, MAINSTEM_INVALID,
     "mainstem_send: type: 0 is not a registered event type: pass a number from this context's "
     "mainstem_type_add"},
    {a_type_of_another_context, MAINSTEM_INVALID,
     "mainstem_send: type: 8 is not a registered event type: pass a number from this context's "
     "mainstem_type_add"},
    {another_contract, MAINSTEM_INVALID,
     "mainstem_type_add: contract: Notice is registered with another payload: use that one, or "
     "another name"},
    {another_response, MAINSTEM_INVALID,
     "mainstem_type_add: response: RequestAsk is registered with another response: use that one, "
     "or "
     "another name"},
    {a_reserved_name, MAINSTEM_INVALID,
     "mainstem_type_add: name: MainstemReady is a name reserved for the library: choose one "
     "without Mainstem"},
    {a_table_counted_wrong, MAINSTEM_INVALID,
     "mainstem_types_add: row_size: is not the size of a row: pass sizeof rows[0]"},
    /* Payloads */
    {a_pointer_for_a_struct, MAINSTEM_INVALID,
     "mainstem_send: size: Moved carries 12 bytes, not 8: pass the value its contract was made "
     "for"},
    {a_payload_for_none, MAINSTEM_INVALID,
     "mainstem_send: size: Tick carries no payload: pass NULL and 0"},
    {bytes_for_text, MAINSTEM_INVALID,
     "mainstem_request: data: RequestAsk carries text, and this is not UTF-8: use "
     "MAINSTEM_PAYLOAD_BYTES"},
    {a_size_without_data, MAINSTEM_INVALID,
     "mainstem_send: data: is NULL, but size is not 0: pass both, or neither"},
    {a_payload_over_the_limit, MAINSTEM_TOO_BIG,
     "mainstem_send: size: 5 bytes are more than the 4 of limit_payload: raise it in the context's "
     "options"},
    {a_secret_with_a_history, MAINSTEM_INVALID,
     "mainstem_history_keep: type: Password is a secret, and secrets have no history: ask for it "
     "with a request"},
    /* Arguments */
    {no_function, MAINSTEM_INVALID, "mainstem_observe: fn: must not be NULL"},
    {options_never_initialised, MAINSTEM_INVALID,
     "mainstem_observe_with: options: its size is 0: set .size = sizeof options before the call"},
    {options_from_the_stack, MAINSTEM_UNSUPPORTED,
     "mainstem_context_create: options: its size is 2779096485, more than the * that this library "
     "knows: set .size to sizeof the struct, or update the library"},
    {a_context_for_a_subscription, MAINSTEM_WRONG_KIND,
     "mainstem_cancel: subscription: a context was passed: pass a subscription instead"},
    {a_scope_closed, MAINSTEM_WRONG_KIND,
     "mainstem_context_close: context: is a scope: end it with mainstem_scope_end"},
    {a_context_ended, MAINSTEM_WRONG_KIND,
     "mainstem_scope_end: scope: is a context: end it with mainstem_context_close"},
    {a_scheduler_of_another_context, MAINSTEM_INVALID,
     "mainstem_observe_with: options.scheduler: 2 is not a scheduler: add one with "
     "mainstem_scheduler_add"},
    /* What has ended */
    {cancelled_twice, MAINSTEM_STALE,
     "mainstem_cancel: subscription: has ended, or is not a handle: set it to NULL when it ends"},
    {a_second_close, MAINSTEM_STALE,
     "mainstem_context_close: context: is closed already: close it once, and set it to NULL then"},
    {a_send_after_the_close, MAINSTEM_STALE,
     "mainstem_send: context: the context is closed: close it after the last call"},
    {a_cancel_after_the_close, MAINSTEM_STALE,
     "mainstem_cancel: subscription: the context is closed: close it after the last call"},
    {a_send_after_fork, MAINSTEM_FORKED,
     "mainstem_send: context: was made before fork, in the parent process: create a context in the "
     "child"},
    /* Requests */
    {no_server, MAINSTEM_UNHANDLED, "no server handles RequestAsk: there is none in this context"},
    {a_server_of_another_type, MAINSTEM_UNHANDLED,
     "no server handles RequestAsk; the servers are Clock"},
    {a_request_of_a_notice, MAINSTEM_INVALID,
     "mainstem_request: type: Notice is not a request: use mainstem_send"},
    {a_request_without_a_response, MAINSTEM_INVALID,
     "mainstem_request: type: RequestPing names no registered response: register it, and name it "
     "in mainstem_type_add"},
    {an_answer_twice, MAINSTEM_STALE,
     "mainstem_respond: event: is already answered: a request gets one answer"},
    {an_answer_to_a_notice, MAINSTEM_INVALID,
     "mainstem_respond: event: Notice is not a request: use mainstem_send"},
    {settled_outside_the_callback, MAINSTEM_INVALID,
     "mainstem_event_on_settled: event: is not the event of a callback on this thread: call it "
     "inside the callback that got the event"},
    /* Threads and callbacks */
    {a_send_on_another_thread, MAINSTEM_WRONG_THREAD,
     "mainstem_send: context: belongs to another thread: call from that thread, or send with "
     "mainstem_post"},
    {an_observer_from_another_thread, MAINSTEM_WRONG_THREAD,
     "mainstem_observe: context: belongs to another thread: call from that thread, or create the "
     "context with MAINSTEM_THREADS_ANY"},
    {a_send_on_a_serial_scheduler, MAINSTEM_WRONG_THREAD,
     "mainstem_send: context: belongs to another thread: call from that thread, or send with "
     "mainstem_post"},
    {a_wait_in_a_callback, MAINSTEM_BUSY,
     "mainstem_wait: a call that waits is not allowed inside a callback of the context: call it "
     "when the callback has returned"},
    {a_close_in_a_callback, MAINSTEM_BUSY,
     "mainstem_context_close: a call that waits is not allowed inside a callback of the context: "
     "call it when the callback has returned"},
    {an_event_that_causes_itself, MAINSTEM_LIMIT,
     "mainstem_send: context: 65536 causes are the limit of a chain: continue a longer one from a "
     "timer"},
    {a_clock_moved, MAINSTEM_INVALID,
     "mainstem_context_advance: context: has no virtual clock: create it with "
     "MAINSTEM_CLOCK_VIRTUAL"},
    /* Queues and rights */
    {posts_never_drained, MAINSTEM_FULL,
     "mainstem_post: context: its queue is full: drain it, or raise its limits"},
    {a_queue_never_drained, MAINSTEM_FULL,
     "mainstem_send: the queue of a scheduled observer is full: drain it, or give it another "
     "policy"},
    {records_of_a_callback, MAINSTEM_INVALID,
     "mainstem_mailbox_take: subscription: is not a mailbox: observe with fn NULL for one"},
    {events_not_on_demand, MAINSTEM_INVALID,
     "mainstem_subscription_demand: subscription: gets its events unasked: observe with "
     "MAINSTEM_OBSERVE_ON_DEMAND"},
    {a_send_without_the_right, MAINSTEM_DENIED,
     "mainstem_send: context: scope Plugin may not send Notice: layer app is outside its rights; "
     "allow it where the scope is added"},
    {one_observer_too_many, MAINSTEM_LIMIT,
     "mainstem_observe: context: scope Plugin may have 1 observers: its budget is used up; cancel "
     "one, or raise it"},
    /* Journals */
    {a_recording_begun_late, MAINSTEM_INVALID,
     "mainstem_journal_record: context: has accepted events: start recording before the first"},
    {a_recording_of_a_scope, MAINSTEM_WRONG_KIND,
     "mainstem_journal_record: context: is a scope: record the whole context"},
    {a_journal_that_is_there, MAINSTEM_INVALID,
     "mainstem_journal_record: path: session.journal already exists: remove it, or record without "
     "MAINSTEM_JOURNAL_NEW"},
    {a_journal_in_use, MAINSTEM_LOCKED,
     "mainstem_journal_record: path: session.journal is written by process * already: record to "
     "another path"},
    {a_journal_in_no_folder, MAINSTEM_IO,
     "mainstem_journal_record: path: sessions/today.journal is in a directory that does not exist: "
     "create it first"},
    {a_journal_that_is_none, MAINSTEM_CORRUPT,
     "mainstem_replay_open: path: notes.txt is not a journal, or its header is damaged: "
     "mainstem_journal_salvage copies what is left"},
    {a_replay_into_a_used_context, MAINSTEM_INVALID,
     "mainstem_replay_open: context: has accepted events: replay into a new context"},
    {a_replay_with_other_types, MAINSTEM_INVALID,
     "mainstem_type_add: contract: Saved is registered with another payload: use that one, or "
     "another name"},
    {a_send_while_replaying, MAINSTEM_BUSY,
     "mainstem_send: context: is replaying a journal, which alone feeds it: close the replay "
     "first"},
    {a_sync_of_nothing, MAINSTEM_INVALID,
     "mainstem_journal_sync: context: is not recorded: call mainstem_journal_record first"},
};

static void a_mistake_gets_its_sentence(const mistake *one) {
  stream on = stream_open(MAINSTEM_THREADS_ONE);
  said[0] = 0;
  EXPECT_STATUS(one->make(&on), one->status);
  const char *message = said[0] != 0 ? said : mainstem_last_error();
  if (fnmatch(one->message, message, 0) != 0) EXPECT_TEXT(message, one->message);
  EXPECT_OK(mainstem_context_close(on.context));
}

CASE(each_mistake_gets_its_sentence, IN_ONE) {
  EXPECT(COUNT(mistakes) > 20);
  journal_path("");
  EXPECT_EQUAL(chdir(journal_folder), 0);
  for (size_t i = 0; i < COUNT(mistakes); i++) {
    a_mistake_gets_its_sentence(&mistakes[i]);
    journal_sweep();
  }
  journal_remove_folder();
}

int main(void) { return expect_all(); }

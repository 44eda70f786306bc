// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Screens: what views show and do. Values, view models, commands; bindings, a view's hold on a view model.
 */

#ifndef MAINSTEM_SCREENS_H
#define MAINSTEM_SCREENS_H

#include "requests.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values ------------------------------------------------------------------------------------------------- */

/**
 * Sets a value of a scope: sends an event of a type whose role is MAINSTEM_ROLE_VALUE, unless its bytes are there
 * already.
 *
 *     mainstem_type_add(context, "Counter.count", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL, &count);
 *     mainstem_value_set_integer(counter, count, 3);
 *     mainstem_observe(context, count, show, label, NULL, NULL);  // 3, now; then each change
 *
 * Of each type of this role and each scope, the last event is kept until the scope ends. It is the present value: it
 * changes when the event is delivered, before the first observer is called, so a callback that sets it sees the change
 * after the current event (law 3). A new observer gets the present value first, flagged MAINSTEM_EVENT_LATE, then
 * each change (law 13): with mainstem_observe_options.of that of one scope, else those of all scopes, and of all types
 * that the observer asks for, merged by position. MAINSTEM_OBSERVE_NEW declines them. Values are counted in
 * mainstem_context_stats.history.
 *
 * Every send of such an event changes the value; a set first compares. Inside an immediate callback with the last
 * event of the value that callbacks have sent and that is still on its way, else with the present value. Events from
 * outside that wait do not count there, because a replay would decide otherwise. Elsewhere it compares with the last
 * one from outside that waits, else with the last from callbacks that is on its way, else with the present value.
 * A post counts when it is taken in. OK says that the value is set or will be, whether or not an event was sent.
 *
 * A scope that has a value, or has one on its way, sends `MainstemEnded` when it ends: see mainstem_instance_open. Its
 * values end when that is delivered, so a replay ends them at the same place. The first type with this role registers
 * `MainstemEnded`, too.
 *
 * Any code that has a scope's handle may set its values: a parent those of its children. A value that a model shows
 * (mainstem_viewmodel_add) can be set only through scopes of the model's name, because views look for it there. A value
 * cannot be a secret, a request, a response or progress. It has no other history.
 *
 * Owner: the bytes are borrowed for the call. Thread: context.
 * Errors: INVALID (also a type of another role, or the value of a model, through a scope of another name), else as
 * mainstem_send, with NO_MEMORY also when it need not wait. If memory is short when the event of a periodic timer is
 * delivered, the value is unset until its next change, and mainstem_context_stats.history_lost counts that.
 */
MAINSTEM_API mainstem_status mainstem_value_set(mainstem_context *context, mainstem_event_type type,
                                                const void *data, size_t size);

/**
 * Sets a value whose contract is MAINSTEM_PAYLOAD_BOOL. Like mainstem_value_set.
 *
 * Errors: as mainstem_value_set, and INVALID (the type has another payload).
 */
MAINSTEM_API mainstem_status mainstem_value_set_bool(mainstem_context *context,
                                                     mainstem_event_type type, bool value);

/** The same, for MAINSTEM_PAYLOAD_INTEGER. Errors: as mainstem_value_set_bool. */
MAINSTEM_API mainstem_status mainstem_value_set_integer(mainstem_context *context,
                                                        mainstem_event_type type, int64_t value);

/**
 * The same, for MAINSTEM_PAYLOAD_NUMBER. Compared as bytes: 0.0 and -0.0 differ.
 *
 * Errors: as mainstem_value_set_bool.
 */
MAINSTEM_API mainstem_status mainstem_value_set_number(mainstem_context *context,
                                                       mainstem_event_type type, double value);

/**
 * The same, for MAINSTEM_PAYLOAD_TEXT and _JSON.
 *
 * Errors: as mainstem_value_set_bool, and INVALID (not UTF-8).
 */
MAINSTEM_API mainstem_status mainstem_value_set_text(mainstem_context *context,
                                                     mainstem_event_type type, const char *value);

/**
 * Gets the present value of a scope, as a retained event: the last one delivered.
 *
 *     mainstem_retained *kept;
 *     const mainstem_event *event;
 *     if (mainstem_value_get(counter, count, &kept) == MAINSTEM_OK) {
 *       mainstem_retained_event(kept, &event);
 *       printf("%lld\n", (long long)mainstem_event_integer(event));
 *       mainstem_retained_release(kept);
 *     }
 *
 * Owner: the caller, who releases it; it stays as it is when the value changes. `*value` is NULL when the call fails.
 * Thread: context.
 * Errors: UNSET (nothing was delivered yet; as it is an answer, not a failure, mainstem_context_first_error leaves it
 * out), INVALID (no such type, or a type of another role), DENIED (a scope that may not observe the type), LIMIT,
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_value_get(mainstem_context *context, mainstem_event_type type,
                                                mainstem_retained **value);

/**
 * Reads the text of a value (MAINSTEM_ROLE_VALUE) that is MAINSTEM_PAYLOAD_TEXT or _JSON, as a C string.
 *
 * Only the payload of a value is zero-terminated, so for every other event this returns NULL: of another role or
 * contract, a gap, a mark, an event read from a journal, NULL. An empty text is a text. Text that contains a zero
 * byte ends there; `size` tells the whole length.
 *
 * Owner: the event's; valid as long as the event. Thread: any that may read the event.
 */
MAINSTEM_API const char *mainstem_value_text(const mainstem_event *event);

/* View models -------------------------------------------------------------------------------------------- */

/* What a row of a model is: it says which event type `Owner.name` is, Owner being the model's name. */
#define MAINSTEM_VIEWMODEL_VALUE 1 /**< A value that the show function sets. Layer viewmodel. */
#define MAINSTEM_VIEWMODEL_WRITABLE                                                                \
  2 /**< Like that, and views may write it: `fn` is told. Layer view. */
#define MAINSTEM_VIEWMODEL_PULSE                                                                   \
  3 /**< A notice: each one is seen, none is kept. Layer viewmodel. */
#define MAINSTEM_VIEWMODEL_COMMAND 4 /**< A request that `fn` carries out. Layer view. */

/* What happens when a command is run while it is executing. */
#define MAINSTEM_COMMAND_REFUSE 0     /**< The new run is answered MAINSTEM_EXECUTING. */
#define MAINSTEM_COMMAND_QUEUE 1      /**< It waits; when 64 wait, it is answered MAINSTEM_FULL. */
#define MAINSTEM_COMMAND_LATEST 2     /**< The old run is cancelled, then the new one begins. */
#define MAINSTEM_COMMAND_CONCURRENT 3 /**< Both run. */

/** One thing that a model shows, or can be told. What a kind does not use is 0 or NULL. */
typedef struct mainstem_viewmodel_row {
  const char *name;           /**< The part of the type's name behind `Owner.`. */
  uint32_t kind;              /**< MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND. */
  mainstem_contract contract; /**< What it carries. No role; a layer replaces the usual one. */
  mainstem_event_fn fn;       /**< Of a command, and of a value that views write. */
  const char *enabled;        /**< Of a command: the row, a BOOL, that enables it; NULL: none. */
  uint32_t policy;            /**< Of a command: MAINSTEM_COMMAND_… */
  mainstem_contract answer;   /**< Of a command: what its answer carries; 0: nothing. */
  const char *cancelled_by;   /**< Of a command: the command that cancels its runs; NULL: none. */
} mainstem_viewmodel_row;

/**
 * Adds a model: a server with a table of what it shows and can be told.
 *
 * Registers the types of the rows, the same ones for all models of a name, and adds a server that shows
 * (mainstem_server_add_with). `show` gets their numbers in the order of the rows. `name` is the server's; NULL: the
 * scope `context` becomes the model itself, as mainstem_make_fn needs it.
 *
 * **A command** is a request `Owner.name`, made through the model's scope by mainstem_binding_run or
 * mainstem_request. Its answer is `Owner.name.done`. `fn` gets the request, and answers it like any handler, inside the
 * call or later. If it returns without having answered or retained the event, its work is done, and the library answers
 * for it: without a payload; or MAINSTEM_INCOMPLETE, if an answer needs one or `fn` has called mainstem_fail. While a
 * command is executing, another run of it follows its policy. Three values tell a view about it; the library sets them
 * when the show function has returned, and first when that is called first:
 *
 * - `Owner.name.enabled`, a BOOL: the value of the row `enabled`, or true. While it is false, a run is answered
 *   MAINSTEM_DISABLED, and `fn` is not called. It does not depend on `executing`.
 * - `Owner.name.executing`, a BOOL: true from the delivery of the request until its answer has been delivered. It stays
 *   false for a run that the model has answered when the show function is called for its request.
 * - `Owner.name.error`, a TEXT: `event->user_message` of the last run's answer if that failed, else empty. A new run
 *   clears it when it begins. A run that was refused or cancelled is no failure. Of a secret answer it shows
 *   `<secret>`.
 *
 * With MAINSTEM_COMMAND_QUEUE and _LATEST, a run that waits begins when the answer of the one before it has reached its
 * observers and its requester; what `fn` sends then has that answer as its cause. The event that it gets is a retained
 * one. If the command has been disabled meanwhile, the run is answered MAINSTEM_DISABLED. With _LATEST one run waits at
 * most: a newer one takes its place. A run that was replaced is answered MAINSTEM_CANCELLED (see
 * mainstem_event_on_settled). A command that is only sent does nothing.
 *
 * `row_size` is sizeof of one row: see MAINSTEM_ROWS. With `cancelled_by`, runs that are executing or waiting are
 * answered MAINSTEM_CANCELLED just before the function of that other command is called.
 *
 * Owner: the library, until the server ends; the names are copied. `release`, if not NULL, is called once then.
 * `*model` is set before a function is called. Thread: context. Null: show, model; so may name, for a scope that
 * becomes the model.
 * Errors: INVALID (a name; rows; a row that has what its kind does not use, or lacks what it needs; two rows of one
 * name; `enabled` is no BOOL of the model; `cancelled_by` is no command of it; a contract that mainstem_type_add
 * refuses; name is NULL, and `context` is no scope or has handlers), TOO_BIG (the name of a type), DENIED, LIMIT,
 * NO_MEMORY. A failed call adds no model, but types may have been registered.
 */
MAINSTEM_API mainstem_status mainstem_viewmodel_add(mainstem_context *context, const char *name,
                                                    const mainstem_viewmodel_row *rows,
                                                    size_t row_size, size_t count,
                                                    mainstem_show_fn show, void *user_data,
                                                    mainstem_release_fn release,
                                                    mainstem_context **model);

/* Bindings ----------------------------------------------------------------------------------------------- */

/**
 * A view's hold on an owner. The owner is a scope; its values are the types `Owner.name`, where Owner is the scope's
 * name. A binding observes those that its rows name, of that owner alone, and writes them.
 */
typedef struct mainstem_binding mainstem_binding;

/** One value of the owner that a view shows. */
typedef struct mainstem_binding_row {
  const char *name;          /**< The part of the type's name behind `Owner.`. */
  mainstem_event_fn changed; /**< Called with the binding's user_data; NULL: only change sets. */
  uint32_t flags;            /**< MAINSTEM_BINDING_… flags, joined by `|`; 0: none. */
} mainstem_binding_row;

/**
 * The row's function runs on the host's scheduler, and gets only the newest value: not what its binding has written,
 * nor what is older than that. While it runs, what its thread sets of the value it shows is ignored, whichever binding
 * sets it: that is what the control tells of itself. For a value that a control both shows and changes.
 */
#define MAINSTEM_BINDING_TWO_WAY 1

/** The row's function runs on the host's scheduler. It gets each change, in order. */
#define MAINSTEM_BINDING_ON_HOST 2

/**
 * Binds a view to an owner: `changed` of each row gets what is kept of its type and owner, then each change.
 *
 * A row is called like an observer of one scope (mainstem_observe_options.of) that is observed through `view`, in
 * the order of the rows. Where no thread is delivering, what is kept comes before this call returns; else it comes
 * after all that was accepted before. A row with a flag is called like an observer on MAINSTEM_SCHEDULER_HOST: with the
 * default queue, or with MAINSTEM_QUEUE_LATEST if it is two-way. It gets no gaps: what one that is not two-way has lost
 * counts as a failed call (law 9). `row_size` is sizeof of one row: see MAINSTEM_ROWS. `release`, if
 * not NULL, is called once when the binding has ended and its last call is over. In a muted replay, a type that the
 * session did not know is accepted, and its row is never called.
 *
 * Owner: the caller, who may end it with mainstem_binding_end; it ends with its view. It counts as an observer of the
 * view, and so does each row. `*binding` is set before a row is called. Thread: context. Reentrant: yes, but BUSY in a
 * show function; so are mainstem_binding_retarget and mainstem_binding_set. Null: owner, binding. Without an owner the
 * binding points nowhere.
 * Errors: INVALID (rows, a name, a type that is not registered, a two-way row of a type that is not a value, an owner
 * of another context), UNSUPPORTED (a flag or rows of a newer library), TOO_BIG (a name), DENIED, LIMIT, NO_MEMORY. A
 * failed call changes nothing.
 */
MAINSTEM_API mainstem_status mainstem_binding_add(mainstem_context *view, mainstem_context *owner,
                                                  const mainstem_binding_row *rows, size_t row_size,
                                                  size_t count, void *user_data,
                                                  mainstem_release_fn release,
                                                  mainstem_binding **binding);

/**
 * Points a binding at another owner: the rows hear no more of the old one, and get what is kept of the new one.
 *
 * For a cell of a list that is used again. Inside a callback the old observers count against the view's limit
 * until the event has reached all its observers.
 *
 * Thread: context. Reentrant: yes, also in the binding's own functions. Null: owner may be NULL: it points nowhere.
 * Errors: INVALID (an owner without one of the values, or with a notice for a two-way row, or of another context),
 * DENIED, WRONG_THREAD: nothing has changed. LIMIT, NO_MEMORY, or STALE because a release hook of a run has ended the
 * owner, or the binding, meanwhile: it points nowhere.
 */
MAINSTEM_API mainstem_status mainstem_binding_retarget(mainstem_binding *binding,
                                                       mainstem_context *owner);

/** Names of values that have changed; they live until the call returns. */
typedef void (*mainstem_changes_fn)(void *user_data, const char *const *names, size_t count);

/**
 * Tells which values have changed, once per drain.
 *
 * `fn` is called by mainstem_drain and mainstem_wait, after everything else that the drain runs. It gets the names of
 * all rows whose value has changed since it was last called, each once, in the order in which they first did.
 * What it sends comes from outside. NULL: it is called no longer.
 *
 * Thread: context. Null: fn.
 * Errors: NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_binding_on_changes(mainstem_binding *binding,
                                                         mainstem_changes_fn fn, void *user_data);

/** The owner of a binding has ended. */
typedef void (*mainstem_ended_fn)(void *user_data);

/**
 * Tells that the owner has ended, so that a cell can empty itself: once for each owner that the binding points at.
 *
 * `fn` is called by mainstem_drain and mainstem_wait, after the owner's last value and the change set that names it.
 * The rows hear nothing after that. What it sends comes from outside. It may point the binding at the next owner. It is
 * not called for an owner that the binding no longer points at, nor when the context closes. If the owner has
 * ended before that was reported, the next drain calls `fn`. NULL: it is called no longer.
 *
 * Thread: context. Null: fn.
 */
MAINSTEM_API mainstem_status mainstem_binding_on_ended(mainstem_binding *binding,
                                                       mainstem_ended_fn fn, void *user_data);

/**
 * Writes a value of the owner, as its view: like mainstem_value_set, unless the type is a notice.
 *
 * The event is sent through the owner, with the flag MAINSTEM_EVENT_WRITTEN, and is an input (MAINSTEM_EVENT_OUTSIDE),
 * also inside a callback. In a replay the call does nothing: the journal has the event. The view must have the
 * right to send it. In the function of a two-way row, setting the value that it shows does nothing, through any binding.
 * What a model only shows (MAINSTEM_VIEWMODEL_VALUE, MAINSTEM_VIEWMODEL_PULSE) cannot be written, nor can a command and
 * what the library says of it (`.enabled`, `.executing`, `.error`, `.done`): see mainstem_binding_run.
 *
 * Owner: bytes as in mainstem_send. Thread: context.
 * Errors: as mainstem_send, and STALE (the binding or its owner has ended, or it points nowhere), INVALID (the owner
 * has no such value, or a view cannot write it).
 */
MAINSTEM_API mainstem_status mainstem_binding_set(mainstem_binding *binding, const char *name,
                                                  const void *data, size_t size);

/**
 * Runs a command of the owner, as its view: a request that is sent like what mainstem_binding_set sends.
 *
 * `fn` gets the answer, like that of mainstem_request: MAINSTEM_DISABLED, MAINSTEM_EXECUTING or MAINSTEM_FULL if the
 * model refuses the run. If nothing waits on the stream, the library knows that at once: then this call returns that
 * status, and nothing has happened. When the binding ends or points elsewhere, `fn` is dropped; the run goes on. When
 * the owner ends, it is answered MAINSTEM_CANCELLED. `release`, if not NULL, is called once, after `fn` or when that is
 * dropped. In a replay the call does nothing but call `release`; `*pending` is NULL.
 *
 * Owner: bytes as in mainstem_send; `*pending` as for mainstem_request. Thread: context. Null: fn, pending.
 * Errors: as mainstem_request, and DISABLED, EXECUTING, FULL (see above), STALE (the binding or its owner has ended, or
 * it points nowhere), INVALID (the owner has no such command). After an error neither `fn` nor `release` is called.
 */
MAINSTEM_API mainstem_status mainstem_binding_run(mainstem_binding *binding, const char *name,
                                                  const void *data, size_t size,
                                                  mainstem_event_fn fn, void *user_data,
                                                  mainstem_release_fn release,
                                                  mainstem_pending **pending);

/**
 * Ends a binding: none of its functions is called any more. A running call is not waited for.
 *
 * Thread: context. NULL does nothing.
 */
MAINSTEM_API mainstem_status mainstem_binding_end(mainstem_binding *binding);

#ifdef __cplusplus
}
#endif

#endif

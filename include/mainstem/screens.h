// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Screens: values, view models, commands and bindings. Together, they are the interface between a program and its
 * views. Guide: docs/screens.md.
 */

#ifndef MAINSTEM_SCREENS_H
#define MAINSTEM_SCREENS_H

#include "requests.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values ------------------------------------------------------------------------------------------------- */

/**
 * Sets a value of a scope: sends an event of a type with MAINSTEM_ROLE_VALUE, unless the value has these bytes
 * already.
 *
 *     mainstem_type_add(context, "Counter.count", MAINSTEM_PAYLOAD_INTEGER | MAINSTEM_ROLE_VALUE, NULL, &count);
 *     mainstem_value_set_integer(counter, count, 3);
 *     mainstem_observe(context, count, show, label, NULL, NULL);  // 3, now; then each change
 *
 * The last event of such a type that was sent through a scope is the current value of that scope; it is kept until the
 * scope ends. A new observer first gets the current value, with the flag MAINSTEM_EVENT_LATE, and then each change (law
 * 13). mainstem_send with such a type also changes the value.
 *
 * Any code that has a scope's handle may set the scope's values. A view model's values, however, can be set only
 * through scopes that have the view model's name. The type of a value cannot be a secret, and a value cannot be a
 * request, a response or progress. A scope with a value sends `MainstemEnded` when it ends (scopes.h).
 *
 * Thread: context.
 * Errors: as mainstem_send, and INVALID (also: a type of another role, or the value of a view model of another name),
 * NO_MEMORY (even if the event need not wait).
 */
MAINSTEM_API mainstem_status mainstem_value_set(mainstem_context *context, mainstem_event_type type,
                                                const void *data, size_t size);

/** Sets a value that is a MAINSTEM_PAYLOAD_BOOL. Thread: context. Errors: as mainstem_value_set. */
MAINSTEM_API mainstem_status mainstem_value_set_bool(mainstem_context *context,
                                                     mainstem_event_type type, bool value);

/** Sets a value that is a MAINSTEM_PAYLOAD_INTEGER. Errors: as mainstem_value_set_bool. */
MAINSTEM_API mainstem_status mainstem_value_set_integer(mainstem_context *context,
                                                        mainstem_event_type type, int64_t value);

/** Sets a value that is a MAINSTEM_PAYLOAD_NUMBER; 0.0 and -0.0 differ. Errors: as mainstem_value_set_bool. */
MAINSTEM_API mainstem_status mainstem_value_set_number(mainstem_context *context,
                                                       mainstem_event_type type, double value);

/** Sets a value that is a MAINSTEM_PAYLOAD_TEXT or _JSON: `value` is UTF-8. Errors: as mainstem_value_set_bool. */
MAINSTEM_API mainstem_status mainstem_value_set_text(mainstem_context *context,
                                                     mainstem_event_type type, const char *value);

/**
 * Gets a copy of the current value of a scope; read it with mainstem_retained_event.
 *
 * Owner: you; release it. `*value` is NULL when the call fails.
 * Thread: context.
 * Errors: UNSET (no value has been delivered yet; mainstem_context_first_error does not count this), INVALID (no such
 * type, or a type of another role), DENIED, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_value_get(mainstem_context *context, mainstem_event_type type,
                                                mainstem_retained **value);

/**
 * Returns the text of a value that is MAINSTEM_PAYLOAD_TEXT or _JSON, as a C string; NULL for any other event.
 *
 * If the text contains a zero byte, the string ends there; `event->size` is the size of the whole text.
 *
 * Owner: the event; valid as long as the event is.
 * Thread: any that may read the event.
 */
MAINSTEM_API const char *mainstem_value_text(const mainstem_event *event);

/* View models -------------------------------------------------------------------------------------------- */

/* The kinds of rows of a view model. Each row adds an event type `Owner.NAME`; Owner is the view model's name. */
#define MAINSTEM_VIEWMODEL_VALUE 1 /**< A value that the show function sets. Layer viewmodel. */
#define MAINSTEM_VIEWMODEL_WRITABLE                                                                \
  2 /**< A value that views may also write; a write calls `fn`. Layer view. */
#define MAINSTEM_VIEWMODEL_PULSE 3   /**< A notice: delivered, but not kept. Layer viewmodel. */
#define MAINSTEM_VIEWMODEL_COMMAND 4 /**< A request that `fn` carries out. Layer view. */

/* What happens when a command is run again while it is executing. */
#define MAINSTEM_COMMAND_REFUSE 0     /**< The new run is answered EXECUTING. */
#define MAINSTEM_COMMAND_QUEUE 1      /**< The new run waits; beyond 64, it is answered FULL. */
#define MAINSTEM_COMMAND_LATEST 2     /**< The old run is cancelled, then the new one begins. */
#define MAINSTEM_COMMAND_CONCURRENT 3 /**< Both run. */

/** A value, pulse or command of a view model. Fields that the kind does not use are 0 or NULL. */
typedef struct mainstem_viewmodel_row {
  const char *name;           /**< NAME in the type's name `Owner.NAME`. */
  uint32_t kind;              /**< MAINSTEM_VIEWMODEL_… */
  mainstem_contract contract; /**< Its payload, without a role. A layer replaces the usual layer. */
  mainstem_event_fn fn;       /**< For a command or a writable value. */
  const char *enabled;        /**< For a command: the BOOL row that enables it; or NULL. */
  uint32_t policy;            /**< For a command: MAINSTEM_COMMAND_… */
  mainstem_contract answer;   /**< For a command: the payload of its answer; 0: none. */
  const char *cancelled_by;   /**< For a command: the command that cancels its runs; or NULL. */
} mainstem_viewmodel_row;

/**
 * Adds a view model: a server with a table of its values, pulses and commands.
 *
 * The call adds the types of the rows; `show` (mainstem_server_add_with) gets the numbers of these types in the order
 * of the rows. If `name` is NULL, the scope `context` itself becomes the view model; mainstem_make_fn uses this.
 *
 * A *command* (law 16) is a request `Owner.NAME`, made by mainstem_binding_run, or by mainstem_request through the view
 * model's scope; its answer is `Owner.NAME.done`. `fn` answers the request like any handler. If `fn` returns without
 * having answered or retained the request, the library answers it: with OK and no payload, or with INCOMPLETE if the
 * answer needs a payload or `fn` has called mainstem_fail. After the show function has been called, the library sets
 * three values:
 *
 * - `Owner.NAME.enabled`, a BOOL: the value of the row named by `enabled`; true if `enabled` is NULL. While it is
 *   false, a run is answered DISABLED.
 * - `Owner.NAME.executing`, a BOOL: true until the answer has been delivered.
 * - `Owner.NAME.error`, a TEXT: if the last run failed, the `user_message` of its answer, or `<secret>` for a secret
 *   answer; otherwise empty.
 *
 * With MAINSTEM_COMMAND_LATEST, the old run is answered CANCELLED. If the row of a command has `cancelled_by`, all runs
 * of this command are answered CANCELLED just before the function of the command named there is called. A command that
 * is only sent by mainstem_send does nothing.
 *
 * Owner: the library, until the server ends. `*model` is set before a function is called.
 * Thread: context.
 * Null: show, model.
 * Errors: INVALID (the name; a row that sets a field that its kind does not use, or lacks a field that its kind needs;
 * two rows of one name; `enabled` is not a BOOL of this table; `cancelled_by` is not a command of this table; a
 * contract that mainstem_type_add refuses; `name` is NULL, and `context` is not a scope or has handlers), TOO_BIG (the
 * name of a type), DENIED, LIMIT, NO_MEMORY. After an error, some of the types may have been added.
 */
MAINSTEM_API mainstem_status mainstem_viewmodel_add(mainstem_context *context, const char *name,
                                                    const mainstem_viewmodel_row *rows,
                                                    size_t row_size, size_t count,
                                                    mainstem_show_fn show, void *user_data,
                                                    mainstem_release_fn release,
                                                    mainstem_context **model);

/* Bindings ----------------------------------------------------------------------------------------------- */

/**
 * A view's connection to an owner, which is a scope. Through a binding, the view observes values, writes values and
 * runs commands of this scope only. Their types are named `Owner.NAME`, where Owner is the scope's name.
 */
typedef struct mainstem_binding mainstem_binding;

/** One value of the owner that a view shows. */
typedef struct mainstem_binding_row {
  const char *name;          /**< NAME in the type's name `Owner.NAME`. */
  mainstem_event_fn changed; /**< Gets the binding's user_data; NULL: only change sets report it. */
  uint32_t flags;            /**< MAINSTEM_BINDING_…, joined by `|`; 0: none. */
} mainstem_binding_row;

/**
 * For a value that a control both shows and changes. The row's function runs on MAINSTEM_SCHEDULER_HOST, and gets only
 * the newest value. It gets neither a value that its own binding has written nor any value older than that.
 */
#define MAINSTEM_BINDING_TWO_WAY 1

/** The row's function runs on MAINSTEM_SCHEDULER_HOST, and gets each change, in order. */
#define MAINSTEM_BINDING_ON_HOST 2

/**
 * Binds a view to an owner: `changed` of each row gets the current value, then each change.
 *
 * Each row is an observer of the owner (mainstem_observe_options.of), added through `view` in the order of the rows.
 * Unless an event is being delivered, the current values have arrived when this call returns. A row with a flag has a
 * queue on MAINSTEM_SCHEDULER_HOST. If the row is two-way, the queue has the policy MAINSTEM_QUEUE_LATEST. Otherwise it
 * has the default policy, and each lost event counts as a failed call. The binding and each row count as observers of
 * the view.
 *
 * Owner: you; ends with its view, if not sooner. `*binding` is set before a row is called.
 * Thread: context.
 * In a show function, this function, mainstem_binding_retarget and mainstem_binding_set return BUSY.
 * Null: owner, binding. Without an owner, the binding points nowhere.
 * Errors: INVALID (a name, a type that was not added, a two-way row of a notice, an owner of another context),
 * UNSUPPORTED (an unknown flag), TOO_BIG (a name), DENIED, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_binding_add(mainstem_context *view, mainstem_context *owner,
                                                  const mainstem_binding_row *rows, size_t row_size,
                                                  size_t count, void *user_data,
                                                  mainstem_release_fn release,
                                                  mainstem_binding **binding);

/**
 * Points a binding at another owner: the binding's rows get the current values of the new owner, and no further values
 * of the old one.
 *
 * Thread: context; also in the binding's own functions.
 * Null: owner.
 * Errors: INVALID (an owner without one of the values, or with a notice for a two-way row, or of another context),
 * DENIED. After LIMIT, NO_MEMORY and STALE (a release hook has ended the owner or the binding), the binding points
 * nowhere.
 */
MAINSTEM_API mainstem_status mainstem_binding_retarget(mainstem_binding *binding,
                                                       mainstem_context *owner);

/** Gets the names of the values that have changed; valid until the call returns. */
typedef void (*mainstem_changes_fn)(void *user_data, const char *const *names, size_t count);

/**
 * Reports which values have changed, once per drain (law 15); NULL ends the reports.
 *
 * mainstem_drain and mainstem_wait call `fn` after everything else. `fn` gets the names of all rows whose value has
 * changed since the last report, each name once, in the order in which the values first changed. Events that `fn` sends
 * are inputs.
 *
 * Thread: context.
 * Null: fn.
 * Errors: NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_binding_on_changes(mainstem_binding *binding,
                                                         mainstem_changes_fn fn, void *user_data);

/** Called when the owner of a binding has ended. */
typedef void (*mainstem_ended_fn)(void *user_data);

/**
 * Reports the end of an owner, once for each owner that the binding points at; NULL ends the reports.
 *
 * mainstem_drain and mainstem_wait call `fn` after the owner's last value and the change set that names it. `fn` may
 * point the binding at another owner; events that `fn` sends are inputs. `fn` is not called when the context closes.
 *
 * Thread: context.
 * Null: fn.
 */
MAINSTEM_API mainstem_status mainstem_binding_on_ended(mainstem_binding *binding,
                                                       mainstem_ended_fn fn, void *user_data);

/**
 * Writes a value of the owner on behalf of the view: works like mainstem_value_set, or like mainstem_send if the type
 * is a notice.
 *
 * The event is sent through the owner, has the flag MAINSTEM_EVENT_WRITTEN, and is an input even if the call is made in
 * a callback. In a replay the call does nothing. While the function of a two-way row runs, each call on its thread that
 * sets the row's value does nothing, no matter what it sets and through which binding.
 *
 * Thread: context.
 * Errors: as mainstem_send, and STALE (also: the owner has ended, or the binding points nowhere), INVALID (the owner
 * has no such value, or it is not writable).
 */
MAINSTEM_API mainstem_status mainstem_binding_set(mainstem_binding *binding, const char *name,
                                                  const void *data, size_t size);

/**
 * Runs a command of the owner on behalf of the view: the call sends a request through the owner. The request is an
 * input even if the call is made in a callback.
 *
 * `fn` gets the answer; its status is DISABLED, EXECUTING or FULL if the view model refuses the run. However, if no
 * event is waiting on the stream, this call itself returns the status of the refusal, and nothing is sent. When the
 * binding ends or is pointed at another owner, the run continues, but `fn` is not called; when the owner ends, the run
 * is answered CANCELLED. In a replay, the call runs nothing: it only calls `release` and sets `*pending` to NULL.
 *
 * Thread: context.
 * Null: fn, pending.
 * Errors: as mainstem_request, and DISABLED, EXECUTING, FULL, STALE (also: the owner has ended, or the binding
 * points nowhere), INVALID (the owner has no such command).
 */
MAINSTEM_API mainstem_status mainstem_binding_run(mainstem_binding *binding, const char *name,
                                                  const void *data, size_t size,
                                                  mainstem_event_fn fn, void *user_data,
                                                  mainstem_release_fn release,
                                                  mainstem_pending **pending);

/** Ends a binding: its functions are not called again. Never waits. NULL does nothing. Thread: context. */
MAINSTEM_API mainstem_status mainstem_binding_end(mainstem_binding *binding);

#ifdef __cplusplus
}
#endif

#endif

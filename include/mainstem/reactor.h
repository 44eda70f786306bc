// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reactors: models whose state changes by mutations only.
 */

#ifndef MAINSTEM_REACTOR_H
#define MAINSTEM_REACTOR_H

#include "screens.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Changes the state as a mutation says. Only these two decide what comes out; it sends nothing. */
typedef void (*mainstem_reduce_fn)(void *user_data, void *state, const void *mutation, size_t size);

/** Sets the values that a reactor shows in a state; all of them, every time. See mainstem_show_fn. */
typedef mainstem_status (*mainstem_show_state_fn)(void *user_data, mainstem_context *reactor,
                                                  const mainstem_event_type *types,
                                                  const void *state);

/** Sends the pulse that a mutation stands for, if it stands for one. */
typedef mainstem_status (*mainstem_pulse_fn)(void *user_data, mainstem_context *reactor,
                                             const mainstem_event_type *types, const void *mutation,
                                             size_t size);

/**
 * Looks at an action before its function gets it. It may point `data` at other bytes, which must last until that
 * function has returned. Returns false to drop the action: it is answered, and nothing else happens.
 */
typedef bool (*mainstem_transform_action_fn)(void *user_data, const void *state,
                                             mainstem_event *action);

/** Looks at a mutation before it is sent. May point at other bytes. Returns false to drop it. */
typedef bool (*mainstem_transform_mutation_fn)(void *user_data, const void *state,
                                               const void **mutation, size_t *size);

/** Changes a copy of the state, which `show` gets instead of the state. */
typedef void (*mainstem_transform_state_fn)(void *user_data, void *state);

/** What a reactor is made of. What is not needed is 0 or NULL. */
typedef struct mainstem_reactor_table {
  uint32_t size;       /**< sizeof(mainstem_reactor_table), set by the caller. */
  uint32_t state_size; /**< Bytes of the state. */
  const void *initial; /**< The first state, which is copied; NULL: all zero. */
  const mainstem_viewmodel_row
      *rows;                  /**< What it shows, and its actions: MAINSTEM_VIEWMODEL_COMMAND. */
  size_t row_size;            /**< sizeof of one row, as for mainstem_viewmodel_add. */
  size_t count;               /**< The number of rows. */
  mainstem_contract mutation; /**< What a mutation carries. No role. */
  mainstem_reduce_fn reduce;  /**< Required. */
  mainstem_show_state_fn show;
  mainstem_pulse_fn pulse;
  mainstem_transform_action_fn transform_action;
  mainstem_transform_mutation_fn transform_mutation;
  mainstem_transform_state_fn transform_state;
} mainstem_reactor_table;

/**
 * Adds a reactor: a model whose state the library keeps, and whose steps have names.
 *
 *     action → transform_action → its function: mainstem_reactor_mutate, 0 to n times, now or later
 *       → transform_mutation → `Owner.mutation` → reduce
 *     then, once: transform_state → show → pulse, for each mutation
 *
 * Like mainstem_viewmodel_add, with the rows of the table. Each command is an action; its answer has no payload. Its
 * function reads the state (mainstem_reactor_state), and changes it only by mutations. Each of them is sent as the
 * notice `Owner.mutation`, of layer viewmodel, which is progress of the action (mainstem_respond_progress), and reduced
 * at once: the next one of the same action finds the new state. What the reactor shows is said when the event has
 * reached all its observers, once for all mutations (law 14): values, pulses, then answers.
 *
 * To mutate later, an action's function retains the event (mainstem_event_retain). The action then goes on until it is
 * answered (mainstem_respond without a payload), or fails, which ends that run only. A run also ends when its policy
 * or `cancelled_by` says so, when it is cancelled, and with the reactor; mainstem_event_on_settled tells.
 *
 * If `pulse` returns FULL or NO_MEMORY, it gets that mutation again after the next event. With a `pulse`, the library
 * keeps a copy of each mutation until then. The types given to `show` and `pulse` are in the order of the rows; that of
 * `Owner.mutation` comes last.
 *
 * Owner: as mainstem_viewmodel_add; the table and the initial state are copied, the state is freed with the reactor.
 * Thread: context. Null: reactor; so may name, for a scope that becomes the reactor.
 * Errors: as mainstem_viewmodel_add, and INVALID (`table` or its size; `reduce` is NULL; a state without bytes; a
 * command whose answer carries something; a row named "mutation"), UNSUPPORTED (a table or rows of a newer library).
 */
MAINSTEM_API mainstem_status mainstem_reactor_add(mainstem_context *context, const char *name,
                                                  const mainstem_reactor_table *table,
                                                  void *user_data, mainstem_release_fn release,
                                                  mainstem_context **reactor);

/**
 * Changes the state, for an action.
 *
 * `action` is the event that the action's function got, or that event retained. When this call returns, the mutation
 * is reduced. Only callbacks that get their event through the reactor may mutate: functions of actions, immediate
 * observers, completions of requests and mainstem_settled_fn. So a state has one writer, and a replay repeats each
 * step.
 *
 * Owner: bytes as in mainstem_send; the functions of the table get the caller's bytes, not a copy. Thread: the
 * callback's. Reentrant: no. Null: mutation may be NULL when size is 0; the functions get no NULL.
 * Errors: STALE (the action is over, or the context is closed), INVALID (not an action of the reactor whose callback
 * runs; a mutation that breaks its contract), BUSY (in reduce, a transform, a show or a pulse function), TOO_BIG, FULL,
 * LIMIT, NO_MEMORY. After an error the state is as it was.
 */
MAINSTEM_API mainstem_status mainstem_reactor_mutate(const mainstem_event *action,
                                                     const void *mutation, size_t size);

/**
 * Changes the state, for no action: a service has news, a timer has fired. Otherwise like mainstem_reactor_mutate.
 *
 * Observe the events through the reactor, and merge in that callback. Thread: context.
 * Errors: INVALID (`reactor` is not the one whose callback runs; a mutation that breaks its contract), BUSY, TOO_BIG,
 * FULL, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_reactor_merge(mainstem_context *reactor, const void *mutation,
                                                    size_t size);

/**
 * Gets the state, as the last mutation has left it; NULL: the handle is not one of a live reactor.
 *
 * Owner: the reactor's; the same pointer until it ends. Thread: context; in a MAINSTEM_THREADS_ANY context, read it in
 * callbacks of the reactor.
 */
MAINSTEM_API const void *mainstem_reactor_state(mainstem_context *reactor);

/**
 * Turns a reactor into a stub, for tests of views: it shows the states that the test gives.
 *
 * From now on no function of the table is called but transform_state and show. Each action is answered at once, and
 * does nothing; it is on the stream, where a test finds it. `state`, if not NULL, becomes the state. It is sent as
 * the notice `Owner.state`, through the reactor, so a session with a stub can be recorded, too. Runs that
 * wait for an answer go on waiting.
 *
 * Owner: `state`, of the table's state_size, is copied. Thread: context. Reentrant: yes, but BUSY in a show function.
 * Null: state.
 * Errors: INVALID (not a reactor), DENIED, FULL, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_reactor_stub(mainstem_context *reactor, const void *state);

#ifdef __cplusplus
}
#endif

#endif

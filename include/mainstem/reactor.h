// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reactors: view models whose state changes only by *mutations* (a mutation is the bytes that describe one change).
 * Guide: docs/requests.md.
 */

#ifndef MAINSTEM_REACTOR_H
#define MAINSTEM_REACTOR_H

#include "screens.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Changes the state as a mutation specifies. The function may read only the mutation and the state, and must not send.
 */
typedef void (*mainstem_reduce_fn)(void *user_data, void *state, const void *mutation, size_t size);

/** Sets, on each call, all values that a reactor shows in this state. Otherwise like mainstem_show_fn. */
typedef mainstem_status (*mainstem_show_state_fn)(void *user_data, mainstem_context *reactor,
                                                  const mainstem_event_type *types,
                                                  const void *state);

/** Sends the pulse that belongs to a mutation, if there is such a pulse. */
typedef mainstem_status (*mainstem_pulse_fn)(void *user_data, mainstem_context *reactor,
                                             const mainstem_event_type *types, const void *mutation,
                                             size_t size);

/**
 * Checks an action before the action's function is called. If the check returns false, the action's function is not
 * called, and the library answers the action. The check may set `data` to other bytes, which must be valid until the
 * action's function returns.
 */
typedef bool (*mainstem_transform_action_fn)(void *user_data, const void *state,
                                             mainstem_event *action);

/**
 * Checks a mutation before it is sent. If the check returns false, the mutation is dropped. The check may replace the
 * mutation with other bytes, which must be valid until mainstem_reactor_mutate or mainstem_reactor_merge returns.
 */
typedef bool (*mainstem_transform_mutation_fn)(void *user_data, const void *state,
                                               const void **mutation, size_t *size);

/** Changes the copy of the state that is passed to `show`. */
typedef void (*mainstem_transform_state_fn)(void *user_data, void *state);

/** The parts of a reactor. Parts that are not needed are 0 or NULL. */
typedef struct mainstem_reactor_table {
  uint32_t size;       /**< sizeof this struct. */
  uint32_t state_size; /**< Bytes of the state. */
  const void *initial; /**< The first state; NULL: all zero. */
  const mainstem_viewmodel_row
      *rows;       /**< Its values and pulses, and its actions: MAINSTEM_VIEWMODEL_COMMAND. */
  size_t row_size; /**< sizeof one row. */
  size_t count;    /**< How many rows. */
  mainstem_contract mutation; /**< The payload of a mutation. No role. */
  mainstem_reduce_fn reduce;  /**< Required. */
  mainstem_show_state_fn show;
  mainstem_pulse_fn pulse;
  mainstem_transform_action_fn transform_action;
  mainstem_transform_mutation_fn transform_mutation;
  mainstem_transform_state_fn transform_state;
} mainstem_reactor_table;

/**
 * Adds a reactor: a view model whose state the library keeps.
 *
 *     action → transform_action → its function: mainstem_reactor_mutate, 0 to n times, now or later
 *       → transform_mutation → `Owner.mutation` → reduce
 *     then, once: transform_state → show → pulse, for each mutation
 *
 * The rows of the table are as for mainstem_viewmodel_add; each command is an action. A mutation is sent as the notice
 * `Owner.mutation` (layer viewmodel), which is progress of the action, and `reduce` is called at once. Values, pulses
 * and answers follow when this notice has reached all its observers (law 14).
 *
 * An action's function that wants to mutate the state later must retain its event. The action then continues until it
 * is answered (without a payload), fails or is cancelled (law 16), or until the reactor ends.
 *
 * If `pulse` returns FULL or NO_MEMORY, it gets the same mutation again after the next event. `show` and `pulse` get
 * the types in the order of the rows, followed by `Owner.mutation`.
 *
 * Owner: as mainstem_viewmodel_add. Thread: context. Null: reactor.
 * Errors: as mainstem_viewmodel_add, and INVALID (`reduce` is NULL; a state of 0 bytes; a command whose answer has a
 * payload; a row named "mutation").
 */
MAINSTEM_API mainstem_status mainstem_reactor_add(mainstem_context *context, const char *name,
                                                  const mainstem_reactor_table *table,
                                                  void *user_data, mainstem_release_fn release,
                                                  mainstem_context **reactor);

/**
 * Changes the state for an action. `action` is the event that the action's function got, or a copy of it.
 *
 * Call this function only in callbacks that get their event through the reactor: functions of actions, immediate
 * observers, completions and functions of mainstem_event_on_settled.
 *
 * Owner: the functions of the table receive a pointer to your bytes, which is not NULL even if the size is 0.
 * Thread: callback. Null: mutation.
 * Errors: STALE (the action is over, or the context is closed), INVALID (not an action of the reactor whose callback
 * runs; a mutation that breaks its contract), BUSY (in reduce, show, pulse or a transform), TOO_BIG, FULL, LIMIT,
 * NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_reactor_mutate(const mainstem_event *action,
                                                     const void *mutation, size_t size);

/**
 * Changes the state without an action. Otherwise like mainstem_reactor_mutate.
 *
 * Thread: context.
 * Errors: as mainstem_reactor_mutate; INVALID (also: `reactor` is not the one whose callback runs).
 */
MAINSTEM_API mainstem_status mainstem_reactor_merge(mainstem_context *reactor, const void *mutation,
                                                    size_t size);

/**
 * Returns the state of a reactor, or NULL if `reactor` is not a live reactor.
 *
 * Owner: the reactor; the same pointer until it ends. Thread: context; with MAINSTEM_THREADS_ANY, in callbacks of
 * the reactor.
 */
MAINSTEM_API const void *mainstem_reactor_state(mainstem_context *reactor);

/**
 * Turns a reactor into a stub, for tests of views: the reactor shows the states that the test sets.
 *
 * From now on, only transform_state and show are called. Each new action does nothing, and is answered at once; actions
 * that began earlier stay open. If `state` is not NULL, it is sent as the notice `Owner.state`, which sets the state.
 * In a show function, this call returns BUSY.
 *
 * Owner: `state`, of the table's state_size, is copied. Thread: context. Null: state.
 * Errors: INVALID (not a reactor), DENIED, FULL, LIMIT, NO_MEMORY.
 */
MAINSTEM_API mainstem_status mainstem_reactor_stub(mainstem_context *reactor, const void *state);

#ifdef __cplusplus
}
#endif

#endif

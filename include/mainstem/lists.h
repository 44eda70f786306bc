// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Lists: values with rows, whose events are changes. Guide: docs/lists.md.
 */

#ifndef MAINSTEM_LISTS_H
#define MAINSTEM_LISTS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * In a contract, with MAINSTEM_ROLE_VALUE: the value is a list, an ordered sequence of rows. The payload bits are those
 * of each row.
 */
#define MAINSTEM_LIST 0x8000000000000ULL

/** A row of a list. */
typedef struct mainstem_list_row {
  const char *
      key; /**< Identifies the row: UTF-8, 1 to 255 bytes, unique in the list, compared as bytes. */
  size_t key_size;  /**< Bytes of the key. */
  const void *data; /**< The payload. */
  size_t size;      /**< Bytes of payload. */
} mainstem_list_row;

/** The rows at the ends of a list that a call keeps as they are. */
typedef struct mainstem_list_ends {
  uint64_t
      version;  /**< The version of the list that has them; the call sets it to the new version. */
  size_t first; /**< How many rows stay at the beginning. */
  size_t last;  /**< How many rows stay at the end. */
} mainstem_list_ends;

/**
 * Sets a list of a scope: says what all of its rows are. Sends an event, unless the list has these rows already (law
 * 13).
 *
 * An observer gets the changes from the list before. The first event of a list, and the first that a new observer gets,
 * is the whole list: MAINSTEM_LIST_RESET.
 *
 * Without `ends`, `rows` are all rows. With `ends`, they are the rows between those that stay, so that a long list
 * costs as much as its change; after an error, `ends->version` is unchanged.
 *
 * Thread: context. Null: ends, and rows if `count` is 0.
 * Errors: as mainstem_value_set, and INVALID (two rows with one key, a wrong key, a row that breaks the contract, more
 * rows at the ends than there are), STALE (`ends->version` is not the version of the list: pass all rows), LIMIT (more
 * rows than `limit_rows`), TOO_BIG (a row over `limit_payload`).
 */
MAINSTEM_API mainstem_status mainstem_list_set(mainstem_context *context, mainstem_event_type type,
                                               const mainstem_list_row *rows, size_t row_size,
                                               size_t count, mainstem_list_ends *ends);

/** Which part of a longer sequence a list shows: rows `offset` to `offset + count - 1` of `total`. */
typedef struct mainstem_list_window {
  size_t offset; /**< How many rows of the sequence come before those of the list. */
  size_t count;  /**< How many rows the list has. */
  size_t total;  /**< How many rows the sequence has. */
} mainstem_list_window;

/**
 * Sets a list that is a part of a longer sequence: as mainstem_list_set, and the event carries the window with the rows.
 * The same rows in another window are an event without changes.
 *
 * Thread: context. Null: ends, window (the list is the whole sequence, as with mainstem_list_set), and rows if `count`
 * is 0.
 * Errors: as mainstem_list_set, and INVALID (`window->count` is not the number of rows of the list, or the window ends
 * beyond its total).
 */
MAINSTEM_API mainstem_status mainstem_list_set_window(
    mainstem_context *context, mainstem_event_type type, const mainstem_list_row *rows,
    size_t row_size, size_t count, mainstem_list_ends *ends, const mainstem_list_window *window);

/** Another child is opened, even if there is one with this key; then that one ends. */
#define MAINSTEM_CHILD_ANEW 1

/** A child of a scope: what it is known by. */
typedef struct mainstem_child {
  const char *key; /**< Identifies the child: UTF-8, 1 to 255 bytes, unique in the list. */
  size_t key_size; /**< Bytes of the key. */
  uint64_t flags;  /**< MAINSTEM_CHILD_ANEW, or 0. */
} mainstem_child;

/**
 * Opens a child: adds a scope through `context`, for example with mainstem_viewmodel_add, and sets its first values.
 *
 * `index` is that of the child in `children`. If the function returns another status than OK, mainstem_children_set
 * returns it.
 */
typedef mainstem_status (*mainstem_child_fn)(void *user_data, mainstem_context *context,
                                             size_t index, mainstem_context **child);

/**
 * Sets the children of a scope: says which of them there are. They are scopes below `context`, one for each key. Their
 * list is a value of `context`, of a type with MAINSTEM_LIST and MAINSTEM_PAYLOAD_INTEGER; each row has the key of a
 * child and the number of its scope (mainstem_scope_find).
 *
 * The call compares the keys with those of the list. It calls `open` for each key that is new, and for each child whose
 * scope has ended; then it sets the list. Children whose keys are gone end behind the event of the list, so that no
 * observer gets a list with a child that has ended. A child ends by an event, like an owner (mainstem_instance_open),
 * also when mainstem_scope_end is called with it.
 *
 * If the call fails, the list and its children stay as they are, and the children that were opened end. `ends` is as
 * for mainstem_list_set. A program that starts in a replay opens its children, and the journal has their list. In a
 * show function, `open` can only return scopes that were added before; after an error, they stay.
 *
 * Thread: context; `open` is called before the call returns. Null: ends, and children if `count` is 0.
 * Errors: as mainstem_list_set, and INVALID (another type; `child` is not a scope that was added through `context`, or
 * is a child already), UNSUPPORTED (an unknown flag), STALE (also: `context` has ended, or
 * the list was set meanwhile), the status of `open` (CANCELLED if that is a code of the app).
 */
MAINSTEM_API mainstem_status mainstem_children_set(mainstem_context *context,
                                                   mainstem_event_type type,
                                                   const mainstem_child *children, size_t row_size,
                                                   size_t count, mainstem_list_ends *ends,
                                                   mainstem_child_fn open, void *user_data);

/* What happens to a run of rows. Changes are applied one after another, in this order. */
#define MAINSTEM_LIST_RESET 0  /**< Read the whole list anew; `count` is the number of its rows. */
#define MAINSTEM_LIST_REMOVE 1 /**< Rows are removed. The last run comes first. */
#define MAINSTEM_LIST_MOVE 2   /**< Rows move to `to`, counted without them. */
#define MAINSTEM_LIST_INSERT 3 /**< Rows are inserted, which are there in the event's list. */
#define MAINSTEM_LIST_UPDATE 4 /**< Rows have another payload. */

/** A change of a list. */
typedef struct mainstem_list_change {
  uint32_t kind;     /**< MAINSTEM_LIST_RESET and so on. */
  uint32_t reserved; /**< 0. */
  size_t index;      /**< The first row of the run when the change begins. */
  size_t count;      /**< How many rows. */
  size_t to;         /**< Of a move: where the run goes. */
} mainstem_list_change;

/**
 * Reads change number `index` of a list's event. Rows with the same key are the same row, and as few rows move as
 * possible.
 *
 * Thread: any that may read the event.
 * Errors: INVALID (not the event of a list, or it has no such change).
 */
MAINSTEM_API mainstem_status mainstem_list_read(const mainstem_event *event, size_t index,
                                                mainstem_list_change *change);

/**
 * Reads all changes as one: from row `at` on, `removed` rows were replaced by `added` rows. For MAINSTEM_LIST_RESET, all
 * rows are new: `at` and `removed` are 0.
 *
 * Thread: any that may read the event. Errors: INVALID (not the event of a list).
 */
MAINSTEM_API mainstem_status mainstem_list_span(const mainstem_event *event, size_t *at,
                                                size_t *removed, size_t *added);

/**
 * Gets the number of rows of the list as it is with this event, whatever has been sent since.
 *
 * Thread: any that may read the event. Errors: INVALID (not the event of a list).
 */
MAINSTEM_API mainstem_status mainstem_list_count(const mainstem_event *event, size_t *count);

/**
 * Gets which part of a longer sequence the list is with this event. Of a list that was set without a window, `offset` is
 * 0, and `total` is `count`.
 *
 * Thread: any that may read the event. Errors: INVALID (not the event of a list).
 */
MAINSTEM_API mainstem_status mainstem_list_window_get(const mainstem_event *event,
                                                      mainstem_list_window *window);

/**
 * Gets a row of the list as it is with this event. Key and payload are followed by a zero byte.
 *
 * Owner: the event. Thread: any that may read the event.
 * Errors: INVALID (not the event of a list, or it has no such row).
 */
MAINSTEM_API mainstem_status mainstem_list_row_get(const mainstem_event *event, size_t index,
                                                   mainstem_list_row *row);

/**
 * Finds the row with a key in the list as it is with this event.
 *
 * Thread: any that may read the event.
 * Errors: INVALID (not the event of a list), UNSET (no row has the key; mainstem_context_first_error does not count
 * this).
 */
MAINSTEM_API mainstem_status mainstem_list_find(const mainstem_event *event, const char *key,
                                                size_t key_size, size_t *index);

#ifdef __cplusplus
}
#endif

#endif

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
